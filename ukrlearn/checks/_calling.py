"""Calls a learner's function so that nothing it does can hurt: the learner, or the checker."""

import contextlib
import copy
import ctypes
import io
import linecache
import sys
import threading
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

SECONDS = 4.0  # honest loops over a dozen points need milliseconds
MOST_PRINTED = 2000  # characters that are kept of what is printed
PACKAGE = str(Path(__file__).resolve().parents[1])


@dataclass(frozen=True)
class Outcome:
    """What came of one call."""

    value: object = None
    raised: BaseException | None = None
    endless: bool = False
    changed: tuple = ()  # names of arguments that are not what they were
    printed: str = ""
    figures: int = 0  # opened by the call, and closed again
    warned: tuple = ()


class OutOfTime(BaseException):
    """Raised inside the learner's function; no `except Exception` of theirs swallows it.

    A bare `except:` in a loop does, every time. Therefore it is raised once more at the next line
    of theirs, which is inside that handler, from where it gets out of the loop.
    """

    def __init__(self):
        frame = sys._getframe(1)
        while frame is not None and not frame.f_code.co_filename.startswith(PACKAGE):
            frame.f_trace = _once_more
            frame = frame.f_back
        sys.settrace(_once_more)


def _once_more(frame, event, _):
    if event == "line" and not frame.f_code.co_filename.startswith(PACKAGE):
        raise OutOfTime  # which ends tracing
    return None


def call(function, arguments, seconds=SECONDS) -> Outcome:
    """The outcome of ``function(*arguments.values())``, on copies."""
    given = copied(arguments)
    value, raised, endless = None, None, False
    with _undisturbed() as heard:
        try:
            value = within(seconds, function, *given.values())
        except OutOfTime:
            endless = True
        except KeyboardInterrupt:
            raise  # the learner's own wish to stop
        except BaseException as error:  # SystemExit too: the kernel must survive it
            raised = error
    return Outcome(
        value=value,
        raised=raised,
        endless=endless,
        changed=tuple(name for name in given if not _same(given[name], arguments[name])),
        printed=heard.printed.getvalue(),
        figures=heard.figures,
        warned=tuple(dict.fromkeys(str(w.message) for w in heard.warned)),
    )


@dataclass
class _Heard:
    """What a call has said and opened."""

    printed: io.StringIO
    warned: list
    figures: int = 0


@contextlib.contextmanager
def _undisturbed():
    """Around a call: its prints and warnings are heard, its figures closed, random states kept."""
    figures, random_state = _figures(), np.random.get_state()
    printed = _Beginning()
    with warnings.catch_warnings(record=True) as warned, contextlib.redirect_stdout(printed):
        warnings.simplefilter("always")
        heard = _Heard(printed, warned)
        try:
            yield heard
        finally:
            np.random.set_state(random_state)
            heard.figures = _closed(figures)


def within(seconds, function, *arguments):
    """``function(*arguments)``; OutOfTime where that takes longer.

    Not by a signal, which Windows and threads do not have: a second thread raises the exception in
    this one, until it is out of the function.
    """
    target, over = threading.get_ident(), threading.Event()
    lock, tracing = threading.Lock(), sys.gettrace()

    def interrupt():
        wait = seconds
        while not over.wait(wait):
            with lock:
                if not over.is_set():
                    _raise_in(target, OutOfTime)
            wait = 0.02

    watch = threading.Thread(target=interrupt, daemon=True)
    watch.start()
    late = False
    try:
        result = function(*arguments)
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
        raise OutOfTime
    return result


def _raise_in(thread, exception):
    """Let that thread raise the exception at its next instruction."""
    number, what = ctypes.c_ulong(thread), ctypes.py_object(exception)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(number, what)


class _Beginning(io.StringIO):
    """Keeps the beginning of what is written: an endless loop that prints must not fill memory."""

    def write(self, text):
        room = MOST_PRINTED - self.tell()
        if room > 0:
            super().write(text[:room])
        return len(text)


def copied(arguments):
    """The arguments once more, by name: what a call spoils is a copy."""
    return {name: _copy(value) for name, value in arguments.items()}


def _copy(value):
    if callable(value):
        return value  # kernels and maps have no parts that a learner could spoil
    return copy.deepcopy(value)


def _same(one, other):
    if isinstance(one, np.ndarray):
        return one.shape == other.shape and bool(np.array_equal(one, other, equal_nan=True))
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
    """What users call the module of a file: `kernel_regression`, `datasets`, `checks`."""
    in_one = ("checks", "datasets", "estimators", "explicit", "figures", "panels")
    return path.parts[0] if path.parts[0] in in_one else path.stem


def modules_called(function, arguments):
    """Modules of ukrlearn that a learner's function calls, found by watching one call of it."""
    seen, given = set(), copied(arguments).values()

    def watch(frame, event, _):
        path, caller = frame.f_code.co_filename, frame.f_back
        if event == "call" and path.startswith(PACKAGE):
            if caller is None or not caller.f_code.co_filename.startswith(PACKAGE):
                seen.add(_module_name(Path(path).relative_to(PACKAGE)))

    before = sys.getprofile()
    with _undisturbed():
        sys.setprofile(watch)
        try:
            function(*given)
        except Exception:  # it has failed before, and was reported
            pass
        finally:
            sys.setprofile(before)
    return seen


def where_raised(error):
    """The learner's line that raised: "line 4: `return K / total`"; "" if none of theirs did."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        theirs = not frame.filename.startswith(PACKAGE) and "site-packages" not in frame.filename
        if theirs and not frame.filename.startswith(str(Path(threading.__file__).parent)):
            line = frame.line or linecache.getline(frame.filename, frame.lineno).strip()
            return f"line {frame.lineno}" + (f": `{line}`" if line else "")
    return ""
