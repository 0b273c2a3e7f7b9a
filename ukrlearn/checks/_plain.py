"""What a learner's function gives, in plain data: arrays, texts of limited length, and no objects.

An object can do anything when it is looked at: `__array__`, `__str__`, `__getitem__` and `__len__`
are the learner's own code. Therefore results are converted where the function runs, and what
leaves that place is plain. From a process that an answer has run in, it comes as JSON, which can't
do anything either; whatever is not as expected in it is a ValueError.
"""

import base64
import itertools
import json
from dataclasses import asdict, dataclass

import numpy as np

NOTED = 1000  # is added to the number of a trial in which the variables are to be noted
MOST_NUMBERS = 100_000  # of one result; those of the exercises have dozens
MOST_NAME = 80  # characters
MOST_SENTENCE = 400
NONE = -1
DTYPES = {np.dtype(kind).str for kind in ("?", *np.typecodes["AllInteger"], *"efd")}


@dataclass(frozen=True)
class NoNumbers:
    """In the place of a result that can't be compared: what it is."""

    kind: str  # "str", "array of complex128"
    things: int = 0  # of a tuple
    shape: tuple = ()  # of an array with too many numbers


@dataclass(frozen=True)
class Raised:
    """An exception that a learner's function did not catch."""

    kind: str
    says: str
    line: str  # of the learner's: "line 4: `return K / total`"; "" if none of theirs raised
    shapes: tuple = ()  # of the arrays in that line: pairs (name, shape)


@dataclass(frozen=True)
class Outcome:
    """What came of one call."""

    value: object = None  # an array, None, NoNumbers, or a tuple of those
    raised: Raised | None = None
    endless: bool = False
    waited: bool = False  # for something, without computing
    ended: str = ""  # how the answer ended the process that it ran in
    changed: tuple = ()  # names of arguments that are not what they were
    printed: str = ""
    figures: int = 0  # opened by the call, and closed again
    settings: tuple = ()  # that were changed by the call, and put back
    warned: tuple = ()
    modules: tuple = ()  # of ukrlearn that were called
    seen: tuple = ()  # pairs (name, array): values that the answer's variables have held


@dataclass(frozen=True)
class About:
    """What can be said of an answer without calling it."""

    problem: str = ""  # the id of what keeps it from being called, if anything does
    says: str = ""
    source: str = ""  # what was handed in, as text
    globals: tuple = ()  # names of data of the notebook that it reads


@dataclass(frozen=True)
class Repair:
    """The wrong lines of an answer, each with its repair; none where no change makes all right."""

    lines: tuple = ()  # numbers, as text
    texts: tuple = ()
    repairs: tuple = ()
    kinds: tuple = ()  # see _edits.KINDS
    trials: int = 0  # that are right then
    left: int = NONE  # the number of the suspect that is left then


def short(text, most=MOST_SENTENCE):
    """The beginning of a text, as a text that can be shown and stored everywhere."""
    beginning = str.__getitem__(text, slice(most + 1))  # whatever a class of theirs makes of it
    shown = str.encode(beginning, "utf-8", "backslashreplace").decode()
    return shown if len(beginning) <= most else shown[:most] + "..."


def kind_of(thing):
    """The name of a thing's type."""
    return short(type.__dict__["__name__"].__get__(type(thing)), MOST_NAME)


def plain_result(value, number):
    """What a function returned, where `number` results are asked for."""
    if value is None:
        return None
    if number == 1 or not isinstance(value, (tuple, list)):
        return _plain_part(value)
    parts = tuple(itertools.islice(value, number + 1))
    return tuple(map(_plain_part, parts)) if len(parts) == number else NoNumbers(kind_of(value))


def on_the_real_line(array):
    """Complex numbers without imaginary parts are real: `np.linalg.eig` gives such since 2.5."""
    return array.real if array.dtype.kind == "c" and not array.imag.any() else array


def _plain_part(part):
    try:
        array = on_the_real_line(np.asarray(part))
    except MemoryError:
        raise
    except Exception:  # rows of different lengths; or whatever an object of theirs raises
        array = None
    if array is None or array.dtype.kind not in "fiub":
        things = len(part) if type(part) is tuple else 0
        return NoNumbers(f"array of {array.dtype}" if array is part else kind_of(part), things)
    if array.size > MOST_NUMBERS:
        return NoNumbers(kind_of(part), shape=array.shape)
    dtype = array.dtype.newbyteorder("=")
    return array.astype(dtype if dtype.str in DTYPES else float)  # long doubles are rounded


# Between processes


def packed(record: About | Outcome | Repair) -> bytes:
    """A record as JSON."""
    fields = asdict(record)
    if isinstance(record, Outcome):
        fields["value"] = _packed_value(record.value)
        fields["seen"] = [(name, _packed_value(value)) for name, value in record.seen]
    return json.dumps(fields).encode()


def _packed_value(value):
    if isinstance(value, tuple):
        return [_packed_value(part) for part in value]
    if isinstance(value, NoNumbers):
        return asdict(value)
    if value is None:
        return None
    numbers = base64.b64encode(value.tobytes()).decode()
    return {"dtype": value.dtype.str, "shape": value.shape, "numbers": numbers}


def unpacked(kind, message: bytes) -> About | Outcome | Repair:
    """The record; ValueError where the message holds anything that `packed` would not write."""
    try:
        fields = json.loads(message)
        return kind(**{name: _unpacked(kind, name, value) for name, value in fields.items()})
    except (LookupError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError(f"This is no {kind.__name__}.") from error


def _unpacked(kind, name, value):
    if name == "value":
        return _unpacked_value(value)
    if name == "raised":
        texts = value and _texts(value[part] for part in ("kind", "says", "line"))
        return texts and Raised(*texts, _unpacked_shapes(value["shapes"]))
    if name == "seen":
        return tuple((*_texts([of]), _unpacked_array(array)) for of, array in value)
    wanted = type(getattr(kind(), name))
    if wanted is tuple:
        return _texts(value)
    if type(value) is not wanted:
        raise ValueError(f"{name} must be of the type {wanted.__name__}.")
    return _texts([value])[0] if wanted is str else value


def _texts(values):
    values = tuple(values)
    if not all(type(text) is str for text in values):
        raise ValueError("Only texts were expected.")
    "".join(values).encode()  # half a character can't be shown
    return values


def _unpacked_value(value):
    if value is None:
        return None
    if isinstance(value, list):
        return tuple(_unpacked_value(part) for part in value)
    if "kind" in value:
        (kind,), shape = _texts([value["kind"]]), tuple(map(int, value["shape"]))
        return NoNumbers(kind, int(value["things"]), shape)
    return _unpacked_array(value)


def _unpacked_shapes(pairs):
    return tuple((*_texts([name]), tuple(map(int, shape))) for name, shape in pairs)


def _unpacked_array(value):
    if value["dtype"] not in DTYPES:
        raise ValueError("Only numbers are arrays here.")
    numbers = base64.b64decode(value["numbers"], validate=True)
    return np.frombuffer(numbers, value["dtype"]).reshape(value["shape"]).copy()
