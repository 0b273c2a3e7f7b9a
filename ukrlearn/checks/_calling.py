"""Calls a learner's function so that it leaves no trace where it runs.

This catches what Python can catch: exceptions, loops in Python without end, prints, figures,
changed settings. `_apart` does the rest, by calling from another process.
"""

import contextlib
import copy
import ctypes
import gc
import io
import itertools
import linecache
import os
import random
import sys
import threading
import time
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ukrlearn.checks._following import Followed
from ukrlearn.checks._noting import Noted, is_theirs, shapes_in
from ukrlearn.checks._plain import Outcome, Raised, kind_of, plain_result, short

SECONDS = 4.0  # of processor time for a call; honest loops over a dozen points need milliseconds
WAITS = 60.0  # seconds in which a call may do nothing: a machine can be busy with others
LITTLE = 0.1  # seconds of processor time; even one of hundred processes gets more in that time
MOST_PRINTED = 2000  # characters that are kept of what is printed
MOST_LINE = 120  # of a learner's line that raised
MOST_WARNED = 5  # different warnings
CALLS = itertools.count()
PACKAGE = str(Path(__file__).resolve().parents[1])


class OutOfTime(BaseException):
    """Raised inside the learner's function; no `except Exception` of theirs swallows it.

    A bare `except:` in a loop does, every time. Therefore it is raised once more at the next line
    of theirs, which is inside that handler, from where it gets out of the loop.
    """

    def __init__(self):
        frame = sys._getframe(1)
        if frame.f_code.co_name == "watch":  # it can be raised there, on the way to their line
            frame = frame.f_back
        while frame is not None and not frame.f_code.co_filename.startswith(PACKAGE):
            frame.f_trace = _once_more
            frame = frame.f_back
        sys.settrace(_once_more)


class Waited(OutOfTime):
    """Raised likewise, where the function does not compute but waits."""


def _once_more(frame, event, _):
    if event == "line" and not frame.f_code.co_filename.startswith(PACKAGE):
        raise OutOfTime  # which ends tracing
    return None


def call(
    function, arguments, number=1, watched=False, noted=False, follows=None, most=None
) -> Outcome:
    """The outcome of ``function(*arguments.values())``, on copies; `number` results are wanted.

    Only where the call is `watched`, which takes time, are the modules known that it has called;
    only where it is `noted`, the values that its variables have held, and the positions at which it
    calls the function of ours that it `follows`. It may take `most` seconds, or SECONDS.
    """
    given = copied(arguments)
    notes = (Followed(function, follows) if follows else Noted(function)) if noted else None
    value, raised, endless, waited = None, None, False, False
    watch = _watched if watched else contextlib.nullcontext
    with undisturbed() as heard, watch(arguments) as modules:
        try:
            value, raised = within(
                most or SECONDS, _attempt, function, given.values(), number, notes
            )
        except Waited:
            waited = True
        except OutOfTime:
            endless = True
    return Outcome(
        value=value,
        raised=raised,
        endless=endless,
        waited=waited,
        changed=tuple(name for name in given if not is_unchanged(given[name], arguments[name])),
        printed=short(io.StringIO.getvalue(heard.printed), MOST_PRINTED),
        figures=heard.figures,
        settings=tuple(heard.settings),
        warned=tuple(_texts_of(heard.warned)),
        modules=tuple(sorted(modules)) if watched else (),
        seen=notes.values() if noted else (),
    )


def _attempt(function, given, number, notes=None):
    """(the result, what was raised), both in plain data."""
    try:
        with notes or contextlib.nullcontext():
            value = function(*given)
        return plain_result(value, number), None
    except (OutOfTime, KeyboardInterrupt):
        raise  # the latter is the learner's own wish to stop
    except BaseException as error:  # SystemExit too: the kernel must survive it
        return None, _described(error)


def _described(error):
    try:
        line, shapes = where_raised(error)
        return Raised(kind_of(error), short(_text_of(error)), line, shapes)
    except MemoryError:  # what has filled it is still there
        return Raised("MemoryError", "", "")


def _text_of(thing):
    """What an exception or a warning says, which may be code of the learner's."""
    try:
        return str(thing)
    except Exception as error:
        return f"(its text can't be read: {kind_of(error)})"


def _texts_of(warned):
    texts = {}
    for warning in warned:
        texts[short(_text_of(warning.message))] = None
        if len(texts) == MOST_WARNED:
            break
    return texts


@dataclass
class _Heard:
    """What a call has said, set and opened."""

    printed: io.StringIO
    warned: list
    settings: list
    figures: int = 0


@contextlib.contextmanager
def undisturbed():
    """Around a call: prints and warnings are heard, figures closed, and settings put back."""
    figures, printed = _figures(), _Beginning()
    with warnings.catch_warnings(record=True) as warned, _settings_kept() as settings:
        warnings.simplefilter("always")
        heard = _Heard(printed, warned, settings)
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            try:
                yield heard
            finally:
                heard.figures = _closed(figures)


@contextlib.contextmanager
def _settings_kept():
    """Around a call: what it sets for all that comes after it is put back, and told by name.

    Each call finds other random numbers, so that an answer that uses some is seen to differ.
    """
    before, changed = _settings(), []
    random.seed(number := next(CALLS))
    np.random.seed(number)
    begun = _settings()
    try:
        yield changed
    finally:
        for name, now in _settings().items():
            if now != begun[name]:
                changed.append(name)
            if now != before[name]:
                SETTINGS[name][1](before[name])


def _settings():
    return {name: get() for name, (get, _) in SETTINGS.items()}


def _folder():
    with contextlib.suppress(OSError):  # it may be gone
        return os.getcwd()


def _go_back(folder):
    if folder is not None:
        os.chdir(folder)


def _set_environment(variables):
    os.environ.clear()
    os.environ.update(variables)


def _numpy_state():
    name, numbers, *rest = np.random.get_state()
    return name, tuple(numbers.tolist()), *rest


SETTINGS = {
    "the working folder": (_folder, _go_back),
    "the environment": (lambda: dict(os.environ), _set_environment),
    "NumPy's print options": (np.get_printoptions, lambda of: np.set_printoptions(**of)),
    "what NumPy does about errors": (np.geterr, lambda of: np.seterr(**of)),
    "the state of Python's random numbers": (random.getstate, random.setstate),
    "the state of NumPy's random numbers": (_numpy_state, np.random.set_state),
}


def within(seconds, function, *arguments):
    """``function(*arguments)``; OutOfTime where that takes more processor time, Waited where it
    takes none for long.

    Not by a signal, which Windows and threads do not have: a second thread raises the exception in
    this one, until it is out of the function.
    """
    target, over = threading.get_ident(), threading.Event()
    lock, tracing = threading.Lock(), sys.gettrace()
    reason, end, idle = None, _spent() + seconds, Idle(_spent)

    def interrupt():
        nonlocal reason
        sys.setprofile(None)  # this thread is ours; and watched, it can spin in a copy
        left = seconds
        while not over.wait(min(max(left, 0.02), WAITS)):  # one thread needs as long for them
            left = end - _spent()
            if reason is None and (left <= 0 or idle.for_long()):
                reason = OutOfTime if left <= 0 else Waited
            with lock:
                if reason and not over.is_set():
                    _raise_in(target, reason)

    watch = threading.Thread(target=interrupt, daemon=True)
    watch.start()
    late = False
    try:
        result = function(*arguments)
    except OutOfTime:
        late = True
    finally:
        while True:
            try:
                with lock:
                    over.set()
                for _ in range(2):  # an interrupt that is under way arrives here
                    pass
                break
            except OutOfTime:
                late = True
        sys.settrace(tracing)
        watch.join()
    if late:
        raise reason
    return result


def _spent():
    """Seconds of processor time of this process, its threads, and its children that have ended."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


class Idle:
    """Sees whether a process waits for something: then it uses almost no processor time.

    So does one that has to share a busy machine, but none gets so little of it for so long.
    """

    def __init__(self, spent):
        self._spent = spent
        self._since, self._had = time.monotonic(), spent()

    def for_long(self, more=0.0):
        """Whether it has done so for WAITS seconds, and `more`."""
        now, has = time.monotonic(), self._spent()
        if has - self._had > LITTLE:
            self._since, self._had = now, has
        return now - self._since > WAITS + more


def _raise_in(thread, exception):
    """Let that thread raise the exception at its next instruction."""
    number, what = ctypes.c_ulong(thread), ctypes.py_object(exception)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(number, what)


class _Beginning(io.StringIO):
    """Keeps the beginning of what is written: an endless loop that prints must not fill memory."""

    def write(self, text):
        room = MOST_PRINTED + 1 - self.tell()  # one more shows that there was more
        if room > 0:
            super().write(text[:room])
        return len(text)

    def close(self):
        """Stays open: a function that closes its output is heard all the same."""


def copied(arguments):
    """The arguments once more, by name: what a call spoils is a copy."""
    return {name: _copy(value) for name, value in arguments.items()}


def _copy(value):
    if callable(value):
        return value  # kernels and maps have no parts that a learner could spoil
    if type(value) is np.ndarray and value.dtype != object:
        return value.copy("K")
    return copy.deepcopy(value)


def is_unchanged(one, other):
    if isinstance(one, np.ndarray):
        same = one.tobytes() == other.tobytes()  # much faster than to compare numbers
        return one.shape == other.shape and (same or np.array_equal(one, other, equal_nan=True))
    return one is other or callable(one) or one == other


def _figures():
    """Numbers of the open figures of pyplot, without importing it."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    return set(pyplot.get_fignums()) if pyplot else set()


def _closed(before):
    opened = _figures() - before
    for number in opened:
        sys.modules["matplotlib.pyplot"].close(number)
    return len(opened)


def _module_name(path):
    """What users call the module of a file: `kernel_regression`, `datasets`, `checks.bank`."""
    if path.parts[0] == "checks":
        return "checks.bank" if path.parts[1] == "bank" else None
    in_one = ("datasets", "estimators", "explicit", "figures", "panels")
    return path.parts[0] if path.parts[0] in in_one else path.stem


@contextlib.contextmanager
def _watched(arguments):
    """Collects the modules of ukrlearn that are called from outside, in all threads.

    Functions that the exercise itself gives away as arguments don't count.
    """
    seen = set()
    given = {getattr(value, "__code__", None) for value in arguments.values()}
    begins = _attempt.__code__  # a function of ours, wrapped in one of C, is called from there

    def watch(frame, event, _):
        if event != "call" or not frame.f_code.co_filename.startswith(PACKAGE):
            return
        caller = frame.f_back and frame.f_back.f_code
        if caller and caller is not begins and caller.co_filename.startswith(PACKAGE):
            return
        name = _module_name(Path(frame.f_code.co_filename).relative_to(PACKAGE))
        if name and frame.f_code not in given:
            seen.add(name)

    before = sys.getprofile(), threading.getprofile()
    with not_collecting():  # it may end a generator of ours, as if that had been called from there
        threading.setprofile(watch)
        sys.setprofile(watch)
        try:
            yield seen
        finally:
            sys.setprofile(before[0])
            threading.setprofile(before[1])


@contextlib.contextmanager
def not_collecting():
    """Without garbage collection, which takes long where many objects are alive."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def where_raised(error):
    """The learner's line that raised, "line 4: `return K / total`", and the shapes of its arrays.

    Nothing if none of theirs did.
    """
    frames = list(traceback.walk_tb(error.__traceback__))
    for frame, number in reversed(frames):
        if is_theirs(frame.f_code.co_filename):
            text = linecache.getline(frame.f_code.co_filename, number).strip()
            line = short(text, MOST_LINE)
            return f"line {number}" + (f": `{line}`" if line else ""), shapes_in(text, frame)
    return "", ()
