"""Lets an answer run in another process, where it can't harm this one.

The other process is a copy of this one (`os.fork`), since an answer is a function of a notebook,
with the imports, globals and closures that stand there. The copy looks at the answer, calls it on
the trials of one check, and sends plain data back; then it is killed. So it ends what no exception
ends: calls of C that don't return, `os._exit`, a crash. Whatever the answer sets, fills or closes
is set, filled and closed in the copy.

What both processes share is closed or refused in the copy, in two layers. (An array that the
notebook has mapped from a file for writing stays shared.)

- Linux itself refuses, where its kernel has Landlock (`_landlock`), and whatever the answer is
  written in: to make, fill, rename, shorten (from 6.2 on) and remove files, and to start programs;
  from 6.7 on to connect by TCP, and from 6.12 on to signal other processes. It can't refuse to
  change the mode, owner, times or attributes of a file, connections by UDP or a socket in a folder,
  and copies of the copy by fork, which have the same limits. (RLIMIT_NPROC would stop copies, but
  it counts threads, and whatever else the user runs: on a shared hub, none could be started.)
- Python refuses, everywhere, what raises an audit event or stands in UNHEARD. That stops mistakes
  and mischief: `os`, `subprocess`, `multiprocessing` and `socket`, however they are imported, and
  libraries that open files by Python. It stops no attack: through ctypes, a library in C, or a
  function of UNHEARD that the notebook took from its module before, and without Landlock, an answer
  can do all that its user can do.

Without `os.fork` (Windows), or where a copy can't compute (which is tried once), answers run here.
Then prints, figures, settings and endless loops in Python are under control, as `_calling` has it,
and nothing else is.
"""

import builtins
import contextlib
import functools
import gc
import logging
import os
import signal
import socket
import struct
import sys
import time
import warnings

import numpy as np
from threadpoolctl import ThreadpoolController

from ukrlearn.checks import _calling, _landlock
from ukrlearn.checks._candidate import Candidate
from ukrlearn.checks._plain import About, Outcome, Raised, Repair, packed, unpacked
from ukrlearn.checks._stopping import ended, endless, waits

GRACE = 0.5  # seconds beyond the limits of `_calling`, after which what runs is stuck in C
MEMORY = 500_000_000  # bytes, beyond those that the copy has from the start
PROCESSOR = 120  # seconds for a whole check: ends what has got around the limit of a call
OUT_OF_TIME = signal.SIGPROF, signal.SIGXCPU  # what the system ends it with, then
MOST_BYTES = 20_000_000  # of one message
ABOUT, REPAIR, DEEPER = -1, -2, -3  # asked for in the place of the number of a trial
NUMBER, LENGTH = struct.Struct("!i"), struct.Struct("!Q")
CHANGES_DISK = """
    os.chmod os.chown os.link os.mkdir os.remove os.removexattr os.rename os.rmdir os.setxattr
    os.symlink os.truncate os.utime sqlite3.connect
""".split()
TOUCHES_PROCESSES = """
    os.exec os.fork os.forkpty os.kill os.killpg os.posix_spawn os.spawn os.startfile os.system
    pty.spawn resource.prlimit resource.setrlimit signal.pthread_kill subprocess.Popen
""".split()
LOOKS_AROUND = ["gc.get_objects", "gc.get_referents", "gc.get_referrers"]
CONNECTS = ["socket.bind", "socket.connect", "socket.sendmsg", "socket.sendto"]
REFUSED = {
    **dict.fromkeys(CHANGES_DISK, "changes files"),
    **dict.fromkeys(TOUCHES_PROCESSES, "starts or ends processes"),
    **dict.fromkeys(CONNECTS, "opens connections"),
    **dict.fromkeys(LOOKS_AROUND, "looks for objects that it was not given"),
}
UNHEARD = {  # what reaches out without an audit event, by modules
    "os": ["mkfifo", "mknod"],
    "posix": ["mkfifo", "mknod"],
    "_posixsubprocess": ["fork_exec"],  # by which multiprocessing spawns
    "subprocess": ["_fork_exec"],
    "multiprocessing.resource_tracker": ["getfd"],  # one that runs already is out of reach
    "signal": ["pidfd_send_signal", "setitimer"],
    "_signal": ["pidfd_send_signal", "setitimer"],
}


class Refused(PermissionError):
    """Raised where an answer does something that would reach out of its process."""


class Idle(TimeoutError):
    """The other process was stopped, because it waited and did not compute."""


class Ended(Exception):
    """The other process gave no answer: it was stopped, or has ended itself."""


@contextlib.contextmanager
def apart(exercise, answer, trials):
    """A candidate in a process of its own, or here where there can be none."""
    if not _copies_compute():
        with here(exercise, answer, trials) as candidate:
            yield candidate
        return
    with _copied(Candidate(exercise, answer, trials)) as copy:
        yield copy


@contextlib.contextmanager
def here(exercise, answer, trials):
    """A candidate in this process: for answers that are trusted."""
    yield Candidate(exercise, answer, trials)


@functools.cache
def _copies_compute():
    """Whether a copy of this process can do linear algebra. On macOS, some libraries can't."""
    if not hasattr(os, "fork"):
        return False

    def solves(A):
        return np.linalg.svd(A @ A)[1]

    try:
        with _copied(_Trial(solves, np.eye(64))) as copy:
            return isinstance(copy.call(0).value, np.ndarray)
    except OSError:
        return False


class _Trial:
    """A candidate of ours, to find out whether a copy works."""

    def __init__(self, function, argument):
        self._function, self._arguments = function, {"A": argument}

    def call(self, number):
        return _calling.call(self._function, self._arguments)


@contextlib.contextmanager
def _copied(candidate):
    """The candidate in a copy of this process, which is killed at the end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # two kinds of OpenMP are not for the learner to mend
        pools = ThreadpoolController()  # looked for here: in a copy it takes three times as long
    copy = _Copy(functools.partial(_begun, candidate, pools))
    try:
        yield copy
    finally:
        copy.end()


def _begun(candidate, pools):
    """(the number of a new copy, the line to it)"""
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            number = _fork()
        except BaseException:
            ours.close()
            raise
        if number == 0:
            _live(candidate, theirs, pools)
    return number, ours


def _fork():
    with warnings.catch_warnings():
        # From Python 3.12 on, a fork of a process with threads (as every kernel is) comes with a
        # warning that the copy may wait for a lock that one of the other threads holds. If so, its
        # time runs out.
        warnings.filterwarnings("ignore", "(?s).*multi-threaded.*", DeprecationWarning)
        return os.fork()


# Here


class _Copy:
    """A candidate in another process: it is asked, and has so much time to reply.

    A new process is begun by `begin` for the first question, and for one after the end of another.
    """

    def __init__(self, begin):
        self._begin, self._number, self._line, self._code = begin, None, None, None

    def about(self) -> About:
        try:
            return self._asked(ABOUT, About)
        except Idle:
            problem = waits()
        except TimeoutError:
            problem = endless()
        except Ended as end:
            problem = ended(str(end))
        return About(problem.id, problem.says)

    def call(self, number) -> Outcome:
        try:
            return self._asked(number, Outcome)
        except Idle:
            return Outcome(waited=True)
        except TimeoutError:
            return Outcome(endless=True)
        except Ended as end:
            return Outcome(ended=str(end))

    def repair(self, deeper=False) -> Repair:
        try:
            return self._asked(DEEPER if deeper else REPAIR, Repair)
        except (TimeoutError, Ended):
            return Repair()

    def end(self):
        """Kill it, and all that it has started. Twice is once."""
        if self._number is None:
            return
        self._line.close()
        if self._code is None:
            with contextlib.suppress(OSError):
                os.kill(self._number, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.killpg(self._number, signal.SIGKILL)
        self._waited(0)
        self._number = self._code = None

    def _asked(self, what, kind):
        if self._number is None:
            self._number, self._line = self._begin()
        idle = _calling.Idle(functools.partial(_spent, self._number))
        try:
            self._line.sendall(NUMBER.pack(what))
            (length,) = LENGTH.unpack(self._received(LENGTH.size, idle))
            if length > MOST_BYTES:
                raise ValueError("No reply is so long.")
            return unpacked(kind, self._received(length, idle))
        except Idle:
            self.end()
            raise
        except (OSError, EOFError) as error:
            code = self._exit_code(idle)
            self.end()
            if code is not None and -code in OUT_OF_TIME:
                raise TimeoutError from error
            raise Ended(_how_it_ended(code)) from error
        except ValueError as error:
            self.end()
            raise Ended("it disturbed the line on which the checker waits for it") from error

    def _received(self, size, idle):
        message = bytearray()
        self._line.settimeout(min(1.0, _calling.WAITS))
        while len(message) < size:
            try:
                piece = self._line.recv(min(size - len(message), 1 << 20))
            except TimeoutError:
                if idle.for_long(more=GRACE):
                    raise Idle from None
                continue
            if not piece:
                raise EOFError
            message += piece
        return bytes(message)

    def _exit_code(self, idle):
        """What it has ended with, or None if it only closed the line."""
        while self._waited(os.WNOHANG) is None and not idle.for_long(more=GRACE):
            time.sleep(0.005)
        return self._code

    def _waited(self, flag):
        """The exit code, or minus the signal; None while it lives."""
        if self._code is None:
            try:
                number, status = os.waitpid(self._number, flag)
                self._code = os.waitstatus_to_exitcode(status) if number else None
            except ChildProcessError:  # somebody else has waited for it
                self._code = 0
        return self._code


def _how_it_ended(code):
    """In words."""
    if code is None:
        return "it closed the line on which the checker waits for it"
    if code >= 0:
        return f"it ended Python itself, as os._exit({code}) does"
    if -code == signal.SIGKILL:
        return "the system ended it, as it does when memory runs short"
    return f"Python crashed ({signal.Signals(-code).name}), as after a recursion without end"


def _spent(number):
    """Seconds of processor time of a process and its children; 0 where no system tells."""
    try:
        with open(f"/proc/{number}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


# In the copy


def _live(candidate, line, pools):
    """Reply to what is asked, until nothing more is asked. Never returns."""
    limit = signal.setitimer  # which the answer will not find there
    try:
        _cut_off(line.fileno(), pools)
        while wanted := line.recv(NUMBER.size, socket.MSG_WAITALL):
            (what,) = NUMBER.unpack(wanted)
            # The system counts, whatever Python is stuck in, and ends this copy.
            most = getattr(candidate, "seconds", None) or _calling.SECONDS
            limit(signal.ITIMER_PROF, most + GRACE)
            reply = packed(_reply(candidate, what))
            line.sendall(LENGTH.pack(len(reply)) + reply)
    finally:
        os._exit(0)  # whatever was raised: above here stands the notebook's cell


def _reply(candidate, what):
    try:
        if what == ABOUT:
            return candidate.about()
        if what in (REPAIR, DEEPER):
            return candidate.repair(what == DEEPER)
        return candidate.call(what)
    except MemoryError:
        return Outcome(raised=Raised("MemoryError", "", ""))
    except KeyboardInterrupt:  # the answer's own: Ctrl-C goes to the notebook
        return Outcome(raised=Raised("KeyboardInterrupt", "", ""))


def _cut_off(line, pools):
    """Let this copy have nothing in common with the process that it was copied from."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    for name in (signal.SIGTERM, signal.SIGALRM, *OUT_OF_TIME):
        signal.signal(name, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nothing, standard)
    for number in _open_files():
        if number > 2 and number != line:
            with contextlib.suppress(OSError):  # that of the list itself
                os.close(number)
    gc.freeze()  # what the notebook has left behind is not tidied up here
    sys.dont_write_bytecode = True
    logging.raiseExceptions = False  # the kernel's log is closed here
    _show_as_text()
    pools.limit(limits=1)  # OpenMP would wait for ever for its threads, which a copy has not got
    _limit()
    _landlock.give_up_rights()
    for module, names in UNHEARD.items():
        for name in names:
            if hasattr(sys.modules.get(module), name):
                setattr(sys.modules[module], name, _refuser(name))
    sys.addaudithook(_hook())


def _open_files():
    """Numbers of open files. Their limit is no help: in containers it can be a thousand million."""
    try:
        return [int(name) for name in os.listdir("/dev/fd")]
    except OSError:
        return range(1024)


def _show_as_text():
    """Let what is displayed be printed, and questions be refused: nobody is there."""

    def publish(data, *given, **named):
        print(data.get("text/plain", ""))

    def ask(*given, **named):
        raise Refused("An answer asks no questions.")

    builtins.input = ask
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is not None:
        shell.display_pub.publish = publish


def _limit():
    """Limit memory, the processor's time, and what any library writes to the disk."""
    import resource  # Windows has none

    limits = {
        resource.RLIMIT_CPU: PROCESSOR,  # which ends in a signal; the hard limit would in another
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    with contextlib.suppress(OSError), open("/proc/self/statm", encoding="ascii") as file:  # Linux
        limits[resource.RLIMIT_AS] = int(file.read().split()[0]) * resource.getpagesize() + MEMORY
    for kind, most in limits.items():
        _, hard = resource.getrlimit(kind)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (most, most + (kind == resource.RLIMIT_CPU)))


def _refuser(name):
    """In the place of a function that reaches out of this process without an audit event."""

    def refuse(*given, **named):
        raise Refused(f"It calls {name}.")

    return refuse


def _hook():
    """An audit hook: Python asks it before whatever could reach out of this process.

    It reads no global and no closure, calls nothing of the answer's, and is referred to from
    nowhere in Python: there is nothing that an answer could empty or exchange. Frames show
    closures, and from Python 3.13 on change them; so its tables are defaults.
    """
    refused = tuple(REFUSED.items())
    nowhere = os.devnull, os.devnull.encode()
    writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
    known = refused, nowhere, writing, Refused, type, (int, str, bytes)

    def refuse(event, arguments, known=known):
        refused, nowhere, writing, error, kind, (number, text, raw) = known
        for name, what in refused:
            if name == event:
                raise error(f"It {what} ({event}).")
        if event == "open" and arguments[2] & writing:
            path = arguments[0]
            of = kind(path)
            if of is number or ((of is text or of is raw) and path in nowhere):
                return
            raise error("It opens a file to write.")

    return refuse
