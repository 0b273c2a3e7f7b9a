"""Lets an answer run in another process, where it can't harm this one.

The other process is a copy of this one (`os.fork`), since an answer is a function of a notebook,
with the imports, globals and closures that stand there. The copy looks at the answer, calls it on
the trials of one check, and sends plain data back; then it is killed. So it ends what no exception
ends: calls of C that don't return, `os._exit`, a crash. Whatever the answer sets, fills or closes
is set, filled and closed in the copy.

What both processes share is closed or refused in the copy: open files and connections, writing to
the disk, ending other processes, starting new ones. (An array that the notebook has mapped from a
file for writing stays shared.) The refusals stop mistakes and mischief, and no
attack: through ctypes, say, a function can do all that its user can do.

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

from ukrlearn.checks import _calling
from ukrlearn.checks._candidate import Candidate
from ukrlearn.checks._plain import About, Outcome, Raised, packed, unpacked
from ukrlearn.checks._stopping import ended, endless

GRACE = 0.5  # seconds, after which what still runs is stuck in C
MEMORY = 500_000_000  # bytes, beyond those that the copy has from the start
PROCESSOR = 120  # seconds for a whole check: ends a copy whose notebook is gone
MOST_BYTES = 20_000_000  # of one message
ABOUT = -1  # asked for in the place of the number of a trial
NUMBER, LENGTH = struct.Struct("!i"), struct.Struct("!Q")
CHANGES_DISK = """
    os.chmod os.chown os.link os.mkdir os.remove os.removexattr os.rename os.rmdir os.setxattr
    os.symlink os.truncate os.utime sqlite3.connect
""".split()
TOUCHES_PROCESSES = """
    os.exec os.fork os.forkpty os.kill os.killpg os.posix_spawn os.spawn os.startfile os.system
    pty.spawn resource.prlimit signal.pthread_kill subprocess.Popen
""".split()
CONNECTS = ["socket.bind", "socket.connect", "socket.sendmsg", "socket.sendto"]
REFUSED = {
    **dict.fromkeys(CHANGES_DISK, "changes files"),
    **dict.fromkeys(TOUCHES_PROCESSES, "starts or ends processes"),
    **dict.fromkeys(CONNECTS, "opens connections"),
}


class Refused(PermissionError):
    """Raised where an answer does something that would reach out of its process."""


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
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            number = _fork()
            if number == 0:
                _live(candidate, theirs, pools)
        copy = _Copy(number, ours)
        try:
            yield copy
        finally:
            copy.end()


def _fork():
    with warnings.catch_warnings():
        # From Python 3.12 on, a fork of a process with threads (as every kernel is) comes with a
        # warning that the copy may wait for a lock that one of the other threads holds. If so, its
        # time runs out.
        warnings.filterwarnings("ignore", "(?s).*multi-threaded.*", DeprecationWarning)
        return os.fork()


# Here


class _Copy:
    """A candidate in another process: it is asked, and has so much time to reply."""

    def __init__(self, number, line):
        self._number, self._line, self._code = number, line, None

    def about(self) -> About:
        try:
            return self._asked(ABOUT, About)
        except TimeoutError:
            problem = endless()
        except Ended as end:
            problem = ended(str(end))
        return About(problem.id, problem.says)

    def call(self, number) -> Outcome:
        try:
            return self._asked(number, Outcome)
        except TimeoutError:
            return Outcome(endless=True)
        except Ended as end:
            return Outcome(ended=str(end))

    def end(self):
        """Kill it, and all that it has started. Twice is once."""
        self._line.close()
        if self._code is not None:
            return
        with contextlib.suppress(OSError):
            os.kill(self._number, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.killpg(self._number, signal.SIGKILL)
        self._code = self._waited(0)

    def _asked(self, what, kind):
        until = time.monotonic() + _calling.SECONDS + GRACE
        try:
            self._line.sendall(NUMBER.pack(what))
            (length,) = LENGTH.unpack(self._received(LENGTH.size, until))
            if length > MOST_BYTES:
                raise ValueError("No reply is so long.")
            return unpacked(kind, self._received(length, until))
        except TimeoutError:
            self.end()
            raise
        except (OSError, EOFError) as error:
            raise Ended(self._how_it_ended()) from error
        except ValueError as error:
            self.end()
            raise Ended("it disturbed the line on which the checker waits for it") from error

    def _received(self, size, until):
        message = bytearray()
        while len(message) < size:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._line.settimeout(left)
            piece = self._line.recv(min(size - len(message), 1 << 20))
            if not piece:
                raise EOFError
            message += piece
        return bytes(message)

    def _how_it_ended(self):
        """In words; it is dead after this."""
        until = time.monotonic() + GRACE
        while (code := self._waited(os.WNOHANG)) is None and time.monotonic() < until:
            time.sleep(0.005)
        self._code = code
        if code is None:
            self.end()
            return "it closed the line on which the checker waits for it"
        with contextlib.suppress(OSError):
            os.killpg(self._number, signal.SIGKILL)  # what it has started
        if code >= 0:
            return f"it ended Python itself, as os._exit({code}) does"
        if -code == signal.SIGKILL:
            return "the system ended it, as it does when memory runs short"
        return f"Python crashed ({signal.Signals(-code).name}), as after a recursion without end"

    def _waited(self, flag):
        """The exit code, or minus the signal; None while it lives."""
        try:
            number, status = os.waitpid(self._number, flag)
        except ChildProcessError:  # somebody else has waited for it
            return 0
        return os.waitstatus_to_exitcode(status) if number else None


# In the copy


def _live(candidate, line, pools):
    """Reply to what is asked, until nothing more is asked. Never returns."""
    try:
        _cut_off(line.fileno(), pools)
        while wanted := line.recv(NUMBER.size, socket.MSG_WAITALL):
            (what,) = NUMBER.unpack(wanted)
            reply = packed(_reply(candidate, what))
            line.sendall(LENGTH.pack(len(reply)) + reply)
    finally:
        os._exit(0)  # whatever was raised: above here stands the notebook's cell


def _reply(candidate, what):
    try:
        return candidate.about() if what == ABOUT else candidate.call(what)
    except MemoryError:
        return Outcome(raised=Raised("MemoryError", "", ""))
    except KeyboardInterrupt:  # the answer's own: Ctrl-C goes to the notebook
        return Outcome(raised=Raised("KeyboardInterrupt", "", ""))


def _cut_off(line, pools):
    """Let this copy have nothing in common with the process that it was copied from."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    for name in (signal.SIGTERM, signal.SIGALRM):
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
    sys.addaudithook(_refuse)


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
        resource.RLIMIT_CPU: PROCESSOR,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    with contextlib.suppress(OSError), open("/proc/self/statm", encoding="ascii") as file:  # Linux
        limits[resource.RLIMIT_AS] = int(file.read().split()[0]) * resource.getpagesize() + MEMORY
    for kind, most in limits.items():
        _, hard = resource.getrlimit(kind)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (most, most))


def _refuse(event, arguments):
    """Python asks this before whatever could reach out of this process (an audit hook)."""
    if event in REFUSED:
        raise Refused(f"It {REFUSED[event]} ({event}).")
    if event == "open" and _writes(*arguments):
        raise Refused("It opens a file to write.")


def _writes(path, mode, flags):
    if isinstance(path, int) or path in (os.devnull, os.devnull.encode()):
        return False
    return bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND))
