"""Checks of what users pass.

A check takes the name of a parameter and its value, and returns the value as it is needed. Its
message says what must hold and what came, and names the parameter. A public function declares its
checks with `checked`, above its first line; an estimator calls them in `fit`.

>>> @checked(Y=table, h=positive)
... def affinity(Y, h=1.0):
...     return np.exp(-(Y**2) / h)
>>> affinity([[0.0]], h=-1)
Traceback (most recent call last):
ValueError: h must be above 0 and finite; got h=-1.
"""

import inspect
from collections.abc import Mapping
from functools import partial, wraps
from numbers import Integral, Real
from reprlib import Repr

import numpy as np
from scipy.sparse import issparse

GREATEST = 2**31 - 1  # of whole numbers: more steps or points than anybody can wait for or store
LARGEST_SQUARABLE = 1e150  # squares of greater numbers do not fit into float64
LARGEST_SEED = 2**32 - 1  # of NumPy's RandomState
_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 80


def shown(value):
    """The value as a message shows it, however long it is, and even if it cannot be shown."""
    try:
        return repr(value) if isinstance(value, float) else _SHORT.repr(value)
    except Exception:  # a __repr__ may fail, and very long integers have none
        return f"an object of type {type(value).__name__}"


# Numbers


def whole_number(name, value, least, most=GREATEST):
    """The value as an int; booleans are refused."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be a whole number; got {shown(value)}.")
    if value < least:
        raise ValueError(f"{name} must be at least {least}; got {name}={shown(value)}.")
    if value > most:
        raise ValueError(f"{name} must be at most {most}; got {name}={shown(value)}.")
    return int(value)


def number(name, value, *, above=-np.inf, below=np.inf, or_equal=False):
    """The value as a float strictly between two limits; `or_equal` includes the lower limit."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number; got {shown(value)}.")
    try:
        result = float(value)
    except OverflowError:  # a whole number beyond 1e308
        result = np.inf if value > 0 else -np.inf
    inside = (result >= above if or_equal else result > above) and result < below
    if not inside:
        if not np.isfinite(above):
            least = "finite" if not np.isfinite(below) else f"below {below:g}"
            raise ValueError(f"{name} must be {least}; got {name}={shown(value)}.")
        least = f"at least {above:g}" if or_equal else f"above {above:g}"
        most = f"below {below:g}" if np.isfinite(below) else "finite"
        raise ValueError(f"{name} must be {least} and {most}; got {name}={shown(value)}.")
    return result


count = partial(whole_number, least=1)
count_from_zero = partial(whole_number, least=0)
seed = partial(whole_number, least=0, most=LARGEST_SEED)
positive = partial(number, above=0)
not_negative = partial(number, above=0, or_equal=True)
share = partial(number, above=0, below=1, or_equal=True)
share_above_zero = partial(number, above=0, below=1)


# What means the same in every function and estimator


def switch(name, value):
    """True or False; what merely counts as true (an array, NaN, a function) is refused."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False; got {shown(value)}.")
    return bool(value)


def verbosity(name, value):
    """0, 1, ... or a boolean."""
    return int(value) if isinstance(value, (bool, np.bool_)) else count_from_zero(name, value)


def random_state(name, value):
    """None, a seed or a RandomState, as scikit-learn takes them; booleans are refused."""
    if value is None or isinstance(value, np.random.RandomState) or value is np.random:
        return value
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(
            f"{name} must be None, a whole number or a numpy.random.RandomState; got "
            f"{shown(value)}."
        )
    return seed(name, value)


def workers(name, value):
    """The number of joblib workers: None, 1, 2, ..., or -1 for all processors."""
    if value is None:
        return None
    if whole_number(name, value, least=-GREATEST) == 0:
        raise ValueError(f"{name} must not be 0. Pass 1, or -1 for all processors.")
    return int(value)


def function(name, value):
    """Something callable."""
    if not callable(value):
        raise TypeError(f"{name} must be callable; got {shown(value)}.")
    return value


def text(name, value):
    """A string."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string; got {shown(value)}.")
    return value


def one_of(name, value, table, *, or_callable=False):
    """table[value] for a string; with `or_callable`, the value itself if it is callable."""
    if isinstance(value, str) and value in table:
        return table[value]
    if or_callable and callable(value):
        return value
    names = ", ".join(map(repr, table))
    more = " or a callable" if or_callable else ""
    raise ValueError(f"{name} must be one of {names}{more}; got {shown(value)}.")


def choice(*words):
    """A check that the value is one of these words."""
    return partial(one_of, table={word: word for word in words})


def record(*types, other=""):
    """A check that the value is an instance of one of these types."""

    def instance(name, value):
        if not isinstance(value, types) or isinstance(value, type):
            kinds = " or ".join(kind.__name__ for kind in types)
            raise TypeError(f"{name} must be a {kinds}{other}; got {shown(value)}.")
        return value

    return instance


def with_methods(*methods, such_as):
    """A check that the value is an object, not a class, with these methods."""

    def instance(name, value):
        if isinstance(value, type) or not all(
            callable(getattr(value, method, None)) for method in methods
        ):
            raise TypeError(
                f"{name} must have the methods {', '.join(methods)}, such as {such_as}; got "
                f"{shown(value)}."
            )
        return value

    return instance


def optional(check):
    """The check, which None passes too."""
    return lambda name, value: None if value is None else check(name, value)


def mapping(of):
    """A check of a dictionary that is not empty: `of` checks its values."""

    def dictionary(name, value):
        if not isinstance(value, Mapping):
            raise TypeError(f"{name} must be a dictionary; got {shown(value)}.")
        if not value:
            raise ValueError(f"{name} must hold at least one entry; got {shown(value)}.")
        return {key: of(f"{name}[{shown(key)}]", one) for key, one in value.items()}

    return dictionary


# Arrays


def numbers(name, value, *, finite=True):
    """The value as an array of floats of any shape; complex numbers are refused."""
    try:
        array = np.asarray(value)
        if array.dtype.kind == "c":
            raise TypeError("complex numbers are not ordered")
        array = array.astype(float, copy=False)
    except (TypeError, ValueError, OverflowError) as problem:
        reason = _SHORT.repr(str(problem))[1:-1]
        raise TypeError(f"{name} must hold numbers only: {reason}.") from None
    if finite and not np.isfinite(array).all():
        bad = np.sum(~np.isfinite(array))
        raise ValueError(f"{name} must be finite; got {bad} entries that are NaN or infinite.")
    return array


def squarable_with(columns):
    """A check of a table with so many columns, whose squared distances do not overflow."""
    return array(2, columns=columns, largest=LARGEST_SQUARABLE)


numbers_or_nan = partial(numbers, finite=False)


def array(dimensions, *, columns=None, rows=1, finite=True, largest=np.inf):
    """A check of a finite array with these dimensions, at least so many rows, and so many columns.

    Parameters
    ----------
    columns : int or tuple of int, optional
        The numbers of columns that are allowed; by default any but 0.
    largest : float
        The greatest magnitude that is allowed.
    """
    allowed = (columns,) if isinstance(columns, int) else columns
    noun = {1: "a vector", 2: "a table"}.get(dimensions, f"an array with {dimensions} axes")
    wanted = f"{noun} of at least {rows} {'entries' if dimensions == 1 else 'rows'}"
    wanted = wanted.replace("1 entries", "one entry").replace("1 rows", "one row")
    if allowed is not None:
        wanted += f" and {' or '.join(map(str, allowed))} columns"

    def of_shape(name, value):
        values = numbers(name, value, finite=finite)
        shape = values.shape
        fits = len(shape) == dimensions and shape[0] >= rows and all(shape[1:])
        if not fits or (allowed is not None and shape[1] not in allowed):
            raise ValueError(f"{name} must be {wanted}; got shape {shape}.")
        if np.isfinite(largest) and np.abs(values).max() > largest:
            raise ValueError(
                f"{name} must not hold numbers beyond {largest:g}, whose squares overflow; its "
                f"largest magnitude is {np.abs(values).max():.3g}. Divide {name} by a constant "
                "first."
            )
        return values

    return of_shape


vector, table = array(1), array(2)
squarable = array(2, largest=LARGEST_SQUARABLE)  # squared distances do not overflow


def columns(name, value):
    """A finite table; a vector becomes one column."""
    values = numbers(name, value)
    return table(name, values[:, None] if values.ndim == 1 else values)


def column(name, value):
    """A finite vector; a table with one column becomes one."""
    values = numbers(name, value)
    return vector(name, values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values)


def square(name, value):
    """A finite table with as many columns as rows."""
    values = table(name, value)
    if values.shape[0] != values.shape[1]:
        raise ValueError(f"{name} must be square; got shape {values.shape}.")
    return values


def names(name, value):
    """A list of strings."""
    words = isinstance(value, (list, tuple, np.ndarray)) and np.ndim(value) == 1 and len(value)
    if not words or not all(isinstance(word, str) for word in value):
        raise TypeError(f"{name} must be a list of strings; got {shown(value)}.")
    return list(value)


def place(name, value):
    """Two numbers: a place in the plane, or the ends of a range."""
    values = numbers(name, value)
    if values.shape != (2,):
        raise ValueError(f"{name} must be two numbers; got {shown(value)}.")
    return values


def image_shape(name, value):
    """Height and width of an image in pixels."""
    if np.shape(value) != (2,):
        raise ValueError(f"{name} must be a height and a width; got {shown(value)}.")
    return tuple(count(name, side) for side in value)


def labels(name, value):
    """A vector of labels, which may be words or numbers."""
    try:
        values = np.asarray(value)
    except ValueError:
        values = np.empty(0, dtype=object)
    if values.ndim != 1 or not len(values) or values.dtype.kind == "O" and _mixed(values):
        raise ValueError(
            f"{name} must be a vector of labels, all of them words or all numbers; got "
            f"{shown(value)}."
        )
    if values.dtype.kind in "fc" and not np.isfinite(values).all():
        raise ValueError(f"{name} must not hold NaN or infinity; got {shown(value)}.")
    return values


def _mixed(values):
    """Whether objects are not all words or all numbers."""
    return not (
        all(isinstance(value, str) for value in values)
        or all(isinstance(value, Real) for value in values)
    )


def same_length(*names):
    """A rule for `checked`: these arguments, where they are given, have equally many rows."""

    def demand(arguments):
        given = {n: arguments[n] for n in names if arguments.get(n) is not None}
        lengths = {
            n: value.shape[0] if issparse(value) else len(value) for n, value in given.items()
        }
        if len(set(lengths.values())) > 1:
            raise ValueError(
                f"{' and '.join(lengths)} must have the same number of rows; got "
                f"{' and '.join(map(str, lengths.values()))}."
            )

    return demand


def same_shape(*names):
    """A rule for `checked`: these arguments, where they are given, have the same shape."""

    def demand(arguments):
        shapes = {n: np.shape(arguments[n]) for n in names if arguments.get(n) is not None}
        if len(set(shapes.values())) > 1:
            raise ValueError(
                f"{' and '.join(shapes)} must have the same shape; got "
                f"{' and '.join(map(str, shapes.values()))}."
            )

    return demand


# Functions


def checked(*rules, **checks):
    """Decorate a function: each argument that is passed goes through the check of its name.

    The function receives what the checks return. None passes where it is the default. The rules
    come afterwards; they are functions of the dictionary of all arguments that were passed.
    """

    def decorate(f):
        signature = inspect.signature(f)
        strangers = set(checks) - set(signature.parameters)
        if strangers:
            raise TypeError(f"{f.__qualname__} has no parameter {', '.join(sorted(strangers))}.")
        passes_none = {n for n, p in signature.parameters.items() if p.default is None}

        @wraps(f)
        def with_checks(*args, **kwargs):
            try:
                bound = signature.bind(*args, **kwargs)
            except TypeError:
                return f(*args, **kwargs)  # Python says itself which argument is missing
            given = bound.arguments
            for name, check in checks.items():
                if name in given and not (given[name] is None and name in passes_none):
                    given[name] = check(name, given[name])
            for rule in rules:
                rule(given)
            return f(*bound.args, **bound.kwargs)

        return with_checks

    return decorate
