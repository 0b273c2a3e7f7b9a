"""Answers run where they can do no harm: each of these ends in words, and changes nothing here."""

import contextlib
import ctypes
import dataclasses
import functools
import gc
import multiprocessing
import os
import random
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
import traceback
import warnings
from multiprocessing import resource_tracker
from pathlib import Path

import numpy as np
import pytest
import test_checks
from helpers import each
from threadpoolctl import ThreadpoolController, threadpool_limits

from ukrlearn import checks
from ukrlearn.checks import _apart, _calling, _landlock, _plain, _work, bank
from ukrlearn.checks._apart import apart, here
from ukrlearn.checks._candidate import Candidate
from ukrlearn.checks._diagnosing import examine
from ukrlearn.checks._plain import About, NoNumbers, Outcome, Raised, packed, unpacked
from ukrlearn.checks.exercise import Exercise, Trial

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="answers run in the kernel itself")
run_everywhere = pytest.mark.parametrize("run", [pytest.param(apart, marks=forks), here])
FILE = Path(__file__)


@pytest.fixture(autouse=True)
def work(tmp_path, monkeypatch):
    monkeypatch.setenv("UKRLEARN_WORK", str(tmp_path))


@pytest.fixture
def impatient(monkeypatch):
    """For answers that don't return: they use up less of the processor."""
    monkeypatch.setattr(_calling, "SECONDS", 0.3)
    monkeypatch.setattr(_apart, "GRACE", 0.2)


@pytest.fixture
def hurried(monkeypatch):
    """For answers that wait: the checker does so for a shorter time."""
    monkeypatch.setattr(_calling, "WAITS", 0.3)
    monkeypatch.setattr(_apart, "GRACE", 0.2)


def trials(seed):
    made = np.random.default_rng(seed)
    by_hand = Trial("by hand", dict(Y=np.array([[1.0, 2.0], [0.0, 4.0], [1.0, 1.0]]), c=3.0))
    return [by_hand, Trial("N = 5", dict(Y=made.normal(size=(5, 3)), c=2.0))]


TOY = Exercise(
    name="toy", title="Row sums", lesson="", equations="", minutes=1,
    shapes={"Y": "N d", "c": ""}, returns={"sums": "N"}, trials=trials, hints=(),
    reference=lambda Y, c: c * Y.sum(axis=1),
)  # fmt: skip


def right(Y, c):
    return c * Y.sum(axis=1)


def found(answer, run=apart):
    return [problem.id for problem in examine(TOY, answer, run=run).problems]


def said(answer):
    """All that a learner reads."""
    return " ".join(checks.Report(TOY, examine(TOY, answer)).text.split())


def children():
    """The processes that this one has started; none can be known but on Linux."""
    files = Path("/proc/self/task").glob("*/children")
    return sorted(number for file in files for number in file.read_text().split())


def surroundings():
    """What an answer could have changed here."""
    np_state = np.random.get_state()
    return {
        "folder": os.getcwd(),
        "environment": dict(os.environ),
        "print options": np.get_printoptions(),
        "errors": np.geterr(),
        "random": (random.getstate(), np_state[1].tolist(), np_state[2:]),
        "recursion": sys.getrecursionlimit(),
        "threads": threading.active_count(),
        "children": children(),
        "files": len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0,
        "output": (sys.stdout, sys.stderr),
        "profile": (sys.getprofile(), sys.gettrace()),
    }


@contextlib.contextmanager
def unchanged():
    _apart._copies_compute()  # is tried once
    before = surroundings()
    yield
    assert surroundings() == before


# ---- what an answer may do ----------------------------------------------------------------------


class Evil:
    """Does what it was made for whenever it is looked at in one way."""

    def __init__(self, does):
        self.does = does


def evil(method, does):
    return type("Evil", (Evil,), {method: lambda self, *given, **named: self.does()})(does)


def raising(error=ValueError):
    raise error


def endless():
    while True:
        pass


class Words(Exception):
    def __str__(self):
        raise ValueError("no words")


class Patient(Exception):
    def __str__(self):
        endless()


class EndlessList(list):
    def __iter__(self):
        while True:
            yield 1.0

    def __len__(self):
        return 3


def fills_memory(Y, c):
    kept = []
    while True:
        kept.append(np.ones(10**6))


def forks_without_end(Y, c):
    while True:
        os.fork()


def forks_behind_pythons_back(Y, c):
    ctypes.CDLL(None).fork()
    return right(Y, c)


def closes_output(Y, c):
    sys.stdout.close()
    sys.stderr.close()
    os.closerange(0, 3)
    print("still heard")
    return right(Y, c)


def closes_everything(Y, c):
    os.closerange(0, 1000)
    return right(Y, c)


def writes_everywhere(Y, c):
    for number in range(3, 1000):
        try:
            os.write(number, b"\xff" * 64)
        except OSError:
            pass
    return right(Y, c)


def recurses(Y, c):
    return recurses(Y, c)


def recurses_in_c(Y, c):
    sys.setrecursionlimit(10**8)
    return recurses_in_c(Y, c) + 1


def swallows_all(Y, c):
    while True:
        try:
            time.sleep(10)
        except BaseException:
            pass


def changes_settings(Y, c):
    os.chdir("/")
    os.environ["UKRLEARN_WORK"] = "/nowhere"
    np.set_printoptions(precision=2)
    np.seterr(all="raise")
    random.seed(0)
    np.random.random()
    return right(Y, c)


def kills(Y, c):
    os.kill(os.getppid(), signal.SIGKILL)


def threads(Y, c):
    threading.Thread(target=time.sleep, args=[1000], daemon=True).start()
    return right(Y, c)


ENDED = {
    "sleeps": (lambda Y, c: time.sleep(1000), "waits"),
    "adds in C": (lambda Y, c: sum(range(10**12)), "endless"),
    "swallows all": (swallows_all, "waits"),
    "text without end": (lambda Y, c: raising(Patient()), "endless"),
    "array without end": (lambda Y, c: evil("__array__", endless), "endless"),
    "too large": (lambda Y, c: np.ones((10**6, 10**6)), "memory"),
    "fills memory": (fills_memory, "memory"),
    "a large result": (lambda Y, c: np.zeros(10**6), "shape"),
    "exits": (lambda Y, c: os._exit(3), "ended"),
    "sys.exit": (lambda Y, c: sys.exit(3), "raises"),
    "aborts": (lambda Y, c: os.abort(), "ended"),
    "crashes": (lambda Y, c: ctypes.string_at(0), "ended"),
    "recurses": (recurses, "raises"),
    "interrupts itself": (lambda Y, c: raising(KeyboardInterrupt()), "raises"),
    "forks": (lambda Y, c: os.fork(), "refused"),
    "forks without end": (forks_without_end, "refused"),
    "starts a program": (lambda Y, c: subprocess.run(["true"]), "refused"),
    "runs a command": (lambda Y, c: os.system("true"), "refused"),
    "kills the notebook": (kills, "refused"),
    "connects": (lambda Y, c: socket.create_connection(("127.0.0.1", 9)), "refused"),
    "asks": (lambda Y, c: float(input("How much? ")), "refused"),
    "writes a file": (lambda Y, c: FILE.with_suffix(".new").write_text("x"), "refused"),
    "saves an array": (lambda Y, c: np.save("new.npy", Y), "refused"),
    "empties a file": (lambda Y, c: os.truncate(FILE, 0), "refused"),
    "removes a file": (lambda Y, c: FILE.unlink(), "refused"),
    "renames a file": (lambda Y, c: FILE.rename("elsewhere"), "refused"),
    "makes a folder": (lambda Y, c: os.mkdir("new"), "refused"),
    "closes everything": (closes_everything, "ended"),
    "writes everywhere": (writes_everywhere, "ended"),
    "a text of 10 MB": (lambda Y, c: raising(ValueError("x" * 10**7)), "raises"),
    "no text": (lambda Y, c: raising(Words()), "raises"),
    "half a character": (lambda Y, c: raising(ValueError("\ud800")), "raises"),
    "a name of 10 MB": (lambda Y, c: raising(type("E" * 10**7, (Exception,), {})), "raises"),
    "evil __str__": (lambda Y, c: evil("__str__", raising), "wrong_type"),
    "evil __repr__": (lambda Y, c: evil("__repr__", lambda: os._exit(4)), "wrong_type"),
    "evil __array__": (lambda Y, c: evil("__array__", raising), "wrong_type"),
    "exits in __array__": (lambda Y, c: evil("__array__", lambda: os._exit(4)), "ended"),
    "evil __len__": (lambda Y, c: evil("__len__", raising), "wrong_type"),
    "evil __getattr__": (lambda Y, c: evil("__getattr__", raising), "wrong_type"),
    "evil elements": (lambda Y, c: [evil("__float__", raising)] * len(Y), "wrong_type"),
    "no name": (lambda Y, c: type("", (), {})(), "wrong_type"),
    "a number too large": (lambda Y, c: [10**400] * len(Y), "wrong_type"),
}  # fmt: skip
PASS = {
    "closes its output": closes_output,
    "changes settings": changes_settings,
    "leaves a thread": threads,
    "forks behind Python's back": forks_behind_pythons_back,
    "reads a file": lambda Y, c: right(Y, c * bool(FILE.read_text(encoding="utf-8"))),
    "silences itself": lambda Y, c: right(Y, c * bool(open(os.devnull, "w"))),
}


@forks
@pytest.mark.parametrize("case", ENDED)
def test_it_ends_in_a_diagnosis_and_changes_nothing_here(case, request, monkeypatch):
    answer, diagnosis = ENDED[case]
    if diagnosis in ("endless", "waits"):
        request.getfixturevalue("impatient" if diagnosis == "endless" else "hurried")
    monkeypatch.setattr(_apart, "MEMORY", 200_000_000)  # soon filled
    with unchanged():
        report = checks.Report(TOY, examine(TOY, answer))
    assert report.diagnoses[0] == diagnosis
    assert len(report.text) < 2000 and "Traceback" not in report.text
    report.text.encode()
    assert FILE.exists() and not FILE.with_suffix(".new").exists()


@forks
@each("case", PASS)
def test_a_right_answer_passes_and_changes_nothing_here(case):
    with unchanged():
        assert examine(TOY, PASS[case]).problems == ()


# ---- the learner's files ------------------------------------------------------------------------


def by_spawn(file):
    process = multiprocessing.get_context("spawn").Process(target=os.remove, args=(file,))
    process.start()
    process.join()


def by_fork_exec(file):
    ends = os.pipe()
    command = [os.fsencode(part) for part in (shutil.which("rm"), file)]
    options = (None, None, -1, -1, -1, -1, -1, -1, *ends, True, False, -1, None, None, None, -1)
    subprocess._fork_exec(command, command[:1], True, (), *options, None, False)
    os.read(ends[0], 1)  # until it has begun, and `rm` needs not long


def by_emptying_the_table(file):
    _apart.REFUSED.clear()
    _apart._hook = _apart._refuser = lambda *given: None
    os.remove(file)


def by_the_frames_of_the_hook(file):
    try:
        os.remove(file)
    except PermissionError as error:
        for frame, _ in traceback.walk_tb(error.__traceback__):
            with contextlib.suppress(Exception):
                frame.f_locals.update(known=(), refused=())
    os.remove(file)


def by_finding_the_hook(file):
    for thing in gc.get_objects():
        if getattr(thing, "__qualname__", "").startswith("_hook"):
            thing.__defaults__ = (((), (), 0, ValueError, type, (int, str, bytes)),)
    os.remove(file)


WAYS = {
    "spawn": by_spawn,
    "fork_exec": by_fork_exec,
    "an empty table": by_emptying_the_table,
    "frames": by_the_frames_of_the_hook,
    "gc": by_finding_the_hook,
    "mkfifo": lambda file: os.mkfifo(f"{file}.new"),
    "mknod": lambda file: os.mknod(f"{file}.new"),
}
IN_C = {
    "unlink": lambda file: ctypes.CDLL(None).unlink(os.fsencode(file)),
    "truncate": lambda file: ctypes.CDLL(None).truncate(os.fsencode(file), 0),
    "rm": lambda file: ctypes.CDLL(None).system(b"rm " + os.fsencode(file)),
    "a link": lambda file: ctypes.CDLL(None).symlink(b"/", os.fsencode(f"{file}.new")),
    "kill": lambda file: ctypes.CDLL(None).kill(os.getppid(), signal.SIGKILL),
}


@forks
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("has_landlock", [True, False])
def test_no_way_around_leads_to_a_file(way, has_landlock, tmp_path, monkeypatch):
    if not has_landlock:
        monkeypatch.setattr(_landlock, "version", lambda: 0)
    if way == "spawn" and has_landlock:
        resource_tracker.ensure_running()  # as joblib has it in a notebook
    file = tmp_path / "mine"
    file.write_text("of a learner")
    assert found(lambda Y, c: WAYS[way](str(file))) == ["refused"]
    assert list(tmp_path.iterdir()) == [file] and file.read_text() == "of a learner"


@forks
@pytest.mark.skipif(_landlock.version() < 6, reason="the kernel refuses less")
@pytest.mark.parametrize("way", IN_C)
def test_linux_refuses_what_python_does_not_see(way, tmp_path):
    file = tmp_path / "mine"
    file.write_text("of a learner")

    def answer(Y, c):
        return right(Y, c) * (IN_C[way](str(file)) != 0)

    assert found(answer) == []
    assert list(tmp_path.iterdir()) == [file] and file.read_text() == "of a learner"


# ---- time ---------------------------------------------------------------------------------------


@run_everywhere
def test_time_on_the_clock_is_no_time_of_the_processor(run, monkeypatch):
    monkeypatch.setattr(_calling, "SECONDS", 0.3)

    def slow(Y, c):
        time.sleep(1)  # as on a machine that is busy with others
        return right(Y, c)

    assert found(slow, run) == []


@run_everywhere
def test_who_waits_for_ever_is_not_told_of_loops(run, hurried):
    def waits(Y, c):
        while True:
            time.sleep(0.005)

    (problem,) = examine(TOY, waits, run=run).problems[:1]
    assert problem.id == "waits" and "loop" not in problem.says


@run_everywhere
def test_where_one_trial_has_no_end_the_others_tell_the_mistake(run, impatient):
    def loops_once(Y, c):
        while len(Y) == 3:
            pass
        return -right(Y, c)

    assert {*found(loops_once, run)} == {"endless", "negative"}


@forks
def test_a_loop_in_c_costs_one_copy_and_one_trial(impatient):
    with apart(TOY, lambda Y, c: sum(range(10**12)) if len(Y) == 3 else Y, trials(0)) as copy:
        assert copy.call(0).endless
        assert copy.call(1).value.shape == (5, 3)


@run_everywhere
def test_a_loop_in_all_trials_is_stopped_a_few_times(run, impatient):
    called = []

    class Counting:
        def __init__(self, candidate):
            self.about, self._call = candidate.about, candidate.call

        def call(self, number):
            called.append(number)
            return self._call(number)

    @contextlib.contextmanager
    def counted(*given):
        with run(*given) as candidate:
            yield Counting(candidate)

    many = dataclasses.replace(TOY, trials=lambda seed: trials(seed) * 6)
    problems = examine(many, lambda Y, c: endless(), run=counted).problems
    assert [p.id for p in problems] == ["endless"] and called == [0, 1, 2]


@forks
@pytest.mark.parametrize("answer", [recurses_in_c, lambda Y, c: EndlessList()])
def test_what_depends_on_the_machine_does_not_reach_the_notebook_either(answer, impatient):
    with unchanged():
        assert found(answer)[0] in {"ended", "memory", "raises", "endless"}


@forks
def test_open_files_and_connections_of_the_notebook_are_out_of_reach(tmp_path):
    (tmp_path / "data").write_bytes(b"0123456789")
    reads, writes = socket.socketpair()
    with open(tmp_path / "data", "r+b", buffering=0) as file, reads, writes:

        def reaches(Y, c):
            for reach in (
                lambda: file.read(3),
                lambda: file.write(b"x"),
                lambda: writes.send(b"x"),
            ):
                with contextlib.suppress(OSError):
                    reach()
            with contextlib.suppress(OSError):
                os.write(file.fileno(), b"x")
            return right(Y, c)

        assert found(reaches) == []
        assert file.tell() == 0 and file.read() == b"0123456789"
        reads.setblocking(False)
        with pytest.raises(BlockingIOError):
            reads.recv(1)


@forks
def test_a_file_that_is_opened_below_python_is_not_filled(tmp_path):
    def fills(Y, c):
        libc = ctypes.CDLL(None)
        number = libc.creat(os.fsencode(tmp_path / "new"), 0o600)
        libc.write(number, b"x" * 1000, 1000)
        return right(Y, c)

    assert found(fills) == []
    made = [path.stat().st_size for path in tmp_path.glob("new")]
    assert made == ([] if _landlock.version() else [0])


@forks
def test_what_is_written_to_the_standard_output_below_python_is_not_seen(capfd):
    def writes(Y, c):
        os.write(1, b"raw")
        os.write(2, b"raw")
        return right(Y, c)

    assert found(writes) == []
    assert capfd.readouterr() == ("", "")


@forks
def test_the_words_say_what_happened():
    assert "os._exit(3)" in said(lambda Y, c: os._exit(3))
    assert "SIGSEGV" in said(lambda Y, c: ctypes.string_at(0))
    assert "memory runs short" in said(lambda Y, c: die(signal.SIGKILL))
    assert "MemoryError" in said(lambda Y, c: np.ones((10**6, 10**6)))
    assert "`return raising(Words())`" not in said(lambda Y, c: raising(Words()))
    assert "can't be read: ValueError" in said(lambda Y, c: raising(Words()))
    assert "starts or ends processes (os.fork)" in said(lambda Y, c: os.fork())
    assert "far too many numbers: yours has the shape (1000000,)" in said(
        lambda Y, c: np.zeros(10**6)
    )


def die(number):
    """By a signal that nothing in Python can refuse."""
    ctypes.CDLL(None)["raise"](number)


@run_everywhere
def test_settings_are_put_back_and_named(run):
    with unchanged():
        findings = examine(TOY, changes_settings, run=run)
    assert findings.passed
    (note,) = findings.notes
    for name in _calling.SETTINGS:
        assert name in note
    assert examine(TOY, right, run=run).notes == ()


@run_everywhere
def test_a_closed_output_is_heard_all_the_same(run):
    def closing(Y, c):
        sys.stdout.close()
        print("still here", file=sys.stderr)
        return right(Y, c)

    findings = examine(TOY, closing, run=run)
    assert findings.passed and findings.notes == ("Your function printed (first call): still here",)


@run_everywhere
def test_what_is_printed_and_warned_is_kept_in_part(run):
    def loud(Y, c):
        for number in range(3000):
            print("again and again")
            warnings.warn(f"{number}" + "x" * 10_000, stacklevel=1)
        return right(Y, c)

    with run(TOY, loud, trials(0)) as candidate:
        outcome = candidate.call(0)
    assert len(outcome.printed) <= _calling.MOST_PRINTED + 3 and outcome.printed.endswith("...")
    assert len(outcome.warned) == _calling.MOST_WARNED
    assert all(len(text) <= _plain.MOST_SENTENCE + 3 for text in outcome.warned)


def test_an_answer_that_forks_returns_once_and_leaves_nobody_behind():
    if not Path("/proc/self/task").exists():
        pytest.skip("only Linux knows the children of a process")
    before = set(os.listdir("/proc"))
    assert found(forks_behind_pythons_back) == []
    left = [n for n in set(os.listdir("/proc")) - before if n.isdigit() and is_ours(n)]
    while left:  # another worker's copies look the same, but end
        time.sleep(0.1)
        left = [n for n in left if is_ours(n)]


def is_ours(number):
    """Whether that process is a copy of this one."""
    try:
        command = Path("/proc", number, "cmdline").read_bytes()
    except OSError:
        return False
    return command == Path("/proc/self/cmdline").read_bytes()


# ---- answers that can't be looked at ------------------------------------------------------------


def callable_with(**methods):
    return type("Odd", (), {"__call__": lambda self, Y, c: right(Y, c), **methods})()


def wrapped_in_itself():
    answer = lambda *given: right(*given)
    answer.__wrapped__ = answer
    return answer


ODD_ANSWERS = {
    "exits when looked at": (
        callable_with(__getattr__=lambda self, name: os._exit(3)), "ended"
    ),
    "endless when looked at": (callable_with(__getattr__=lambda self, name: endless()), "endless"),
    "raises when looked at": (callable_with(__getattr__=lambda self, name: 1 / 0), "no_function"),
    "is wrapped in itself": (wrapped_in_itself(), "no_function"),
    "has an evil signature": (callable_with(__signature__=5), "signature"),
    "is none, and exits": (evil("__repr__", lambda: os._exit(3)), "ended"),
    "is none, and raises": (evil("__repr__", raising), "no_function"),
}  # fmt: skip


@forks
@pytest.mark.parametrize("case", ODD_ANSWERS)
def test_an_answer_that_can_not_be_looked_at_is_diagnosed(case, impatient):
    answer, diagnosis = ODD_ANSWERS[case]
    with unchanged():
        findings = examine(TOY, answer)
    assert findings.problems[0].id == diagnosis and findings.answer == ""


@run_everywhere
def test_an_answer_with_odd_attributes_is_called(run):
    def attribute(self, name):
        if name == "__code__":
            return 5
        raise AttributeError(name)

    assert found(callable_with(__getattr__=attribute), run) == []


VALUES = {
    "exits": (evil("__array__", lambda: os._exit(3)), "ended"),
    "exits when shown": (evil("__repr__", lambda: os._exit(3)), "ended"),
    "raises": (evil("__array__", raising), "wrong_type"),
    "is endless": (evil("__array__", endless), "endless"),
}


@forks
@pytest.mark.parametrize("case", VALUES)
def test_an_answer_that_is_a_value_is_looked_at_elsewhere_too(case, impatient, capsys):
    value, diagnosis = VALUES[case]
    with unchanged():
        report = checks.check("break_it", value)
    assert report.diagnoses[0] == diagnosis
    assert _work.read()["break_it"]["tries"] == 1


# ---- nothing but plain data comes back ----------------------------------------------------------

PLAIN = [
    Outcome(),
    Outcome(value=np.arange(6.0).reshape(2, 3)),
    Outcome(value=(np.arange(3, dtype=np.int32), np.array(True), np.float32([[1.5]]))),
    Outcome(value=(NoNumbers("str"), NoNumbers("tuple", 3), NoNumbers("ndarray", shape=(9, 9)))),
    Outcome(value=np.zeros((0, 3)), changed=("Y",), printed="é\n", figures=2, modules=("sgd",)),
    Outcome(raised=Raised("ValueError", "no", "line 3"), warned=("one", "two")),
    Outcome(endless=True, ended="so", settings=("the environment",)),
    About("raises", "It raises.", "def f(): ...", ("X", "Y")),
]


@each("record", PLAIN, ids=range(len(PLAIN)))
def test_a_record_arrives_as_it_was_sent(record):
    came = unpacked(type(record), packed(record))
    assert repr(came) == repr(record)  # dtypes and shapes included


HOSTILE = [
    b"", b"{", b"5", b"[]", b"[" * 100_000, b'"raised"', b"\xff", b"{}}",
    b'{"endless": 1}', b'{"figures": true}', b'{"figures": 1e999}', b'{"printed": 5}',
    b'{"changed": [5]}', b'{"changed": 5}', b'{"printed": "\\ud800"}', b'{"unknown": 1}',
    b'{"raised": 5}', b'{"raised": {"kind": "E"}}',
    b'{"raised": {"kind": 5, "says": "", "line": ""}}',
    b'{"value": 5}', b'{"value": "x"}', b'{"value": {}}', b'{"value": {"kind": 5}}',
    b'{"value": {"kind": "str", "things": [], "shape": []}}',
    b'{"value": {"dtype": "|O", "shape": [1], "numbers": "AAAAAAAAAAA="}}',
    b'{"value": {"dtype": "<M8[s]", "shape": [1], "numbers": "AAAAAAAAAAA="}}',
    b'{"value": {"dtype": "<f8", "shape": [9], "numbers": "AAAAAAAAAAA="}}',
    b'{"value": {"dtype": "<f8", "shape": "x", "numbers": "AAAAAAAAAAA="}}',
    b'{"value": {"dtype": [], "shape": [1], "numbers": "AAAAAAAAAAA="}}',
    b'{"value": {"dtype": "<f8", "shape": [1], "numbers": "???"}}',
]  # fmt: skip


@each("message", HOSTILE, ids=range(len(HOSTILE)))
def test_a_message_that_is_no_record_is_refused(message):
    with pytest.raises(ValueError):
        unpacked(Outcome, message)


@forks
@pytest.mark.parametrize(
    "message", [b"\x00" * 64, b"\xff" * 64, b"\x00" * 7 + b"\x09" + HOSTILE[8]]
)
def test_what_an_answer_sends_itself_is_no_result(message):
    # Not those of the test run itself, which must not hear of it.
    before = {os.fstat(number).st_ino for number in open_sockets()}

    def sends(Y, c):
        for number in open_sockets():
            if os.fstat(number).st_ino not in before:
                with contextlib.suppress(OSError):
                    os.write(number, message)
        return right(Y, c)

    assert found(sends) == ["ended"]


def open_sockets():
    """The numbers of all open sockets of this process."""
    numbers = []
    for number in range(3, 4096):
        with contextlib.suppress(OSError):
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                numbers.append(number)
    return numbers


def test_a_list_without_end_is_not_read_to_its_end():
    assert _plain.plain_result(EndlessList(), 2) == NoNumbers("EndlessList")


class Misleading(np.ndarray):
    """An array that changes whatever is done with it."""

    def astype(self, *given, **named):
        return "no array"

    def __array_finalize__(self, whole):
        self.evil = True


@run_everywhere
@each(
    "form",
    [
        lambda f: f.view(Misleading),
        lambda f: f.astype(np.longdouble),
        lambda f: f.astype(">f8"),
        lambda f: np.ma.array(f),
        list,
        lambda f: np.asfortranarray(f)[::-1][::-1],
    ],
)
def test_a_result_in_another_form_is_an_array(run, form):
    with run(TOY, lambda Y, c: form(right(Y, c)), trials(0)) as candidate:
        value = candidate.call(0).value
    assert type(value) is np.ndarray and value.dtype == np.dtype(float)
    assert value.tolist() == [9.0, 12.0, 6.0]


# ---- the solution is not to be had --------------------------------------------------------------

WITH_REFERENCE = [e.name for e in bank.exercises() if e.reference is not None]


@run_everywhere
@each("name", WITH_REFERENCE)
def test_an_answer_that_asks_the_checker_for_the_solution_is_recognised(name, run):
    asks = lambda *given: bank.find(name).reference(*given)
    (problem,) = examine(bank.find(name), asks, run=run).problems
    assert problem.id == "library" and "from the checker" in problem.says


REFERENCE = bank.find("nadaraya_watson").reference


@run_everywhere
def test_it_is_recognised_whatever_the_way_it_is_asked(run):
    def keeping(*given):
        key = b"".join(np.asarray(value).tobytes() for value in given)
        if key not in results:
            results[key] = REFERENCE(*given)
        return results[key]

    def in_a_thread(*given):
        got = []
        thread = threading.Thread(target=lambda: got.append(REFERENCE(*given)))
        thread.start()
        thread.join()
        return got[0]

    results = {}
    for answer in (keeping, in_a_thread, functools.partial(REFERENCE), lambda *a: REFERENCE(*a)):
        problems = examine(bank.find("nadaraya_watson"), answer, run=run).problems
        assert [p.id for p in problems] == ["library"]


# ---- the same findings as here ------------------------------------------------------------------


def test_where_nothing_can_be_copied_answers_run_here(monkeypatch):
    monkeypatch.setattr(_apart, "_copies_compute", lambda: False)
    number = os.getpid()
    with apart(TOY, lambda Y, c: [float(os.getpid())] * len(Y), trials(0)) as candidate:
        assert isinstance(candidate, Candidate)
        assert candidate.call(0).value.tolist() == [number] * 3
    assert found(right) == [] and found(lambda Y, c: -right(Y, c)) == ["negative"]


@forks
def test_whether_a_copy_computes_is_tried(monkeypatch):
    tried = _apart._copies_compute.__wrapped__
    assert tried() is True
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(np.linalg, "svd", lambda A: os.abort())  # as Accelerate does after a fork
        assert tried() is False
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(os, "fork", lambda: raising(BlockingIOError()))
        assert tried() is False
    with monkeypatch.context() as elsewhere:
        elsewhere.delattr(os, "fork")
        assert tried() is False


@forks
@each("case", test_checks.HANDED_IN)
def test_the_copy_finds_what_is_found_here(case):
    answer, _ = test_checks.HANDED_IN[case]
    there, those = (examine(TOY, answer, run=run) for run in (apart, here))
    assert [p.id for p in there.problems] == [p.id for p in those.problems]
    if "noise" not in case:  # of which no two calls give the same
        assert [p.says for p in there.problems] == [p.says for p in those.problems]
    assert there.answer == those.answer


@forks
def test_a_process_with_threads_is_copied_without_a_warning():
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    try:
        assert found(right) == []  # warnings are errors here
    finally:
        over.set()
        thread.join()


@forks
def test_ctrl_c_ends_the_copy_too(monkeypatch):
    monkeypatch.setattr(_apart._Copy, "_received", lambda *given: raising(KeyboardInterrupt()))
    with unchanged(), pytest.raises(KeyboardInterrupt):
        examine(TOY, lambda Y, c: endless())


@forks
def test_a_copy_whose_notebook_is_gone_ends_by_itself():
    ours, theirs = socket.socketpair()
    number = _apart._fork()
    if number == 0:
        ours.close()
        _apart._live(Candidate(TOY, right, trials(0)), theirs, ThreadpoolController())
    theirs.close()
    ours.close()
    assert os.waitpid(number, 0)[1] == 0


@forks
def test_libraries_with_threads_of_openmp_do_not_wait_for_ever():
    metrics = pytest.importorskip("sklearn.metrics")
    many = np.random.default_rng(0).normal(size=(3000, 4))

    def nearest(Y, c):
        metrics.pairwise_distances_argmin(many, many)
        return right(Y, c)

    with threadpool_limits(2, "openmp"):
        metrics.pairwise_distances_argmin(many, many)  # has two threads from now on
        assert found(nearest) == []
