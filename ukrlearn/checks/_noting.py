"""Notes what the variables of a learner's function hold, so that its stages can be looked at.

A wrong result has a first wrong stage. Where the learner gives the stages names, those can be
compared with the right ones one by one, and what is right needs no suspicion.
"""

import re
import sys
import sysconfig
from pathlib import Path

import numpy as np

from ukrlearn.checks._plain import DTYPES, MOST_NAME, short

PACKAGE = str(Path(__file__).resolve().parents[1])
LIBRARIES = tuple({sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), "<frozen"})
MOST_STEPS = 20_000  # lines that are looked at: a loop over a dozen points squared has a thousand
MOST_VALUES = 600  # that are kept
MOST_SIZE = 2_000  # numbers of one value
MOST_SHAPES = 6
IN_HELPER = " in "  # between a variable and the function, other than the answer, that it belongs to


def is_theirs(filename):
    """Whether code of this file is the learner's: not ours, not Python's, not a library's."""
    library = filename.startswith(LIBRARIES) or "site-packages" in filename
    return not (library or filename.startswith(PACKAGE) or "internals>" in filename)


def _is_generated(code):
    """Whether it is a method that namedtuple or dataclass has made, for whatever class."""
    is_method = code.co_varnames[:1] in (("_cls",), ("self",))
    return is_method and code.co_filename.startswith(("<string", "<namedtuple"))


class Noted:
    """Around a call: keeps each value that an array or a number of the learner's has had."""

    def __init__(self, function):
        self._code = getattr(function, "__code__", None)
        self._kept, self._last, self._steps = {}, {}, 0

    def __enter__(self):
        self._before = sys.gettrace()
        sys.settrace(self._entered)

    def __exit__(self, *_):
        if sys.gettrace() in (None, self._entered):  # out of time, it has another to leave by
            sys.settrace(self._before)

    def values(self):
        """Pairs (name, array), in the order in which they were seen."""
        return tuple(self._kept.values())

    def _entered(self, frame, event, _):
        code = frame.f_code
        if event != "call" or not is_theirs(code.co_filename) or _is_generated(code):
            return None
        return self._look

    def _look(self, frame, event, result):
        self._steps += 1
        if self._steps > MOST_STEPS or len(self._kept) >= MOST_VALUES:
            sys.settrace(None)
            return None
        self._look_at(frame, event == "return", result)
        return self._look

    def _look_at(self, frame, at_end, result):
        within = frame.f_code.co_name
        in_helper = frame.f_code is not self._code and "<" not in within
        for name, value in list(frame.f_locals.items()):
            self._note(f"{name}{IN_HELPER}{within}" if in_helper else name, value, frame, at_end)
        if at_end and in_helper:
            self._note(f"{within}(...)", result, frame, True)

    def _note(self, name, value, frame, at_end):
        if type(value) is list and at_end:
            value = _as_array(value)
        if type(value) in (float, np.float64, np.float32):
            value = np.asarray(value)
        if type(value) is not np.ndarray or not 0 < value.size <= MOST_SIZE:
            return
        if value.dtype.str not in DTYPES:
            return
        content = value.shape, value.tobytes()
        if self._last.get((id(frame), name)) != content:
            self._last[id(frame), name] = content
            key = name, *content
            self._kept.setdefault(key, (short(name, MOST_NAME), np.array(value)))


def _as_array(value):
    """A list of numbers, or of rows of them, as an array; else None."""
    plain = (int, float, list, np.ndarray, np.number)
    if not value or not all(isinstance(part, plain) for part in value):
        return None
    try:
        return np.array(value, dtype=float)
    except (ValueError, TypeError):
        return None


def shapes_in(line, frame):
    """The names in a line that are arrays where it runs, with their shapes."""
    found = {}
    for name in re.findall(r"(?<![.\w])[A-Za-z_]\w*", line):
        value = frame.f_locals.get(name, frame.f_globals.get(name))
        if type(value) is np.ndarray and len(found) < MOST_SHAPES:
            found[short(name, MOST_NAME)] = value.shape
    return tuple(found.items())
