"""Compares results: whether, how, and where they differ."""

from itertools import combinations

import numpy as np

from ukrlearn.checks._plain import on_the_real_line

CLOSE = 1e-5  # of the largest value of a trial: honest rewrites differ by less
CLOSE_SINGLE = 2e-3  # the same for float32
NUDGE = 1e-13  # some hundred times what one operation rounds
CONSTANTS = (1, 2, 0.5, 4, 0.25, 3, 1 / 3)


def number_array(part):
    """The result as an array of real numbers, or None. Booleans count where truth is asked for."""
    try:
        array = on_the_real_line(np.asarray(part))
    except ValueError:  # rows of different lengths
        return None
    if array.dtype == object or array.dtype.kind not in "fiub":
        return None
    return array.astype(float)


def tolerance(value):
    """What counts as rounding; wider for single precision, which rounds more and is no mistake."""
    parts = value if isinstance(value, (tuple, list)) else [value]
    single = any(np.asarray(part).dtype.itemsize < 8 for part in parts if hasattr(part, "dtype"))
    return CLOSE_SINGLE if single else CLOSE


def same(one, other, tolerance=CLOSE):
    """Whether two results are the same up to rounding; NaN is equal to NaN."""
    one, other = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    if one.shape != other.shape or not (np.isfinite(one) == np.isfinite(other)).all():
        return False
    finite = np.isfinite(one)
    if not np.array_equal(one[~finite], other[~finite], equal_nan=True):
        return False
    size = np.abs(other[finite]).max(initial=0)
    return bool((np.abs(one[finite] - other[finite]) <= tolerance * size).all())


def nudged(arguments):
    """The arguments as if rounded otherwise: each number of an array moves by some 1e-13 of itself.

    Equal numbers stay equal, opposite ones opposite, and zeros zeros. What comes of them moves as
    little, unless rounding decides it, and that is another one on another machine.
    """
    return {name: _nudged(value) for name, value in arguments.items()}


def _nudged(value):
    if not isinstance(value, np.ndarray) or value.dtype != float:
        return value
    sizes, which = np.unique(np.abs(value), return_inverse=True)
    mixed = sizes.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)  # as if at random, from the bits
    moved = sizes * (1 + NUDGE * ((mixed >> np.uint64(40)) / 2**23 - 1))
    return np.copysign(moved[which.reshape(value.shape)], value)


def factor_between(pairs):
    """(signed constant, letters) with came = constant * letters * expected in all pairs, or None.

    Each pair is (came, expected, sizes, tolerance); the letters may be sizes and numbers of a
    trial: N, 1/d, h**2.
    """
    ratios = []
    for came, expected, sizes, tolerance in pairs:
        square = np.vdot(expected, expected)
        if not np.isfinite(came).all() or not 0 < square < np.inf:
            return None
        ratio = float(np.vdot(came, expected) / square)
        if ratio == 0 or not same(came, ratio * expected, 10 * tolerance):
            return None
        ratios.append((ratio, sizes))
    letters = {"": [1.0] * len(ratios)}
    for letter in ratios[0][1]:
        if not all(s[letter] for _, s in ratios):
            continue  # a number of a trial may be zero
        for power, text in ((1, "{}"), (-1, "1/{}"), (2, "{}**2"), (-2, "1/{}**2")):
            letters[text.format(letter)] = [float(s[letter]) ** power for _, s in ratios]
    for one, other in combinations(list(letters)[1:], 2):
        if _letter(one) != _letter(other):
            letters[f"{one} * {other}"] = np.multiply(letters[one], letters[other])
    # Letters, signed constants, pairs: all tried at once, the first that fits is the simplest.
    signed = np.array([sign * constant for constant in CONSTANTS for sign in (1, -1)])
    tried = signed[:, None] * np.array(list(letters.values()))[:, None]
    fits = np.isclose([ratio for ratio, _ in ratios], tried, rtol=1e-4).all(axis=2)
    fits[0, 0] = False  # no letters and the constant 1: no factor at all
    if not fits.any():
        return None
    text, constant = np.unravel_index(np.argmax(fits), fits.shape)
    return signed[constant], list(letters)[text]


def _letter(text):
    return text.removeprefix("1/").removesuffix("**2")


def counts_of_addends(pairs):
    """How often each addend is in the answers, {words: count}, if nothing else is; or None.

    Each pair is (came, addends), the addends as {words: array}.
    """
    together = None
    for came, addends in pairs:
        columns = np.column_stack([np.ravel(a) for a in addends.values()])
        if not np.isfinite(came).all():
            return None
        size = np.abs(columns).max() or 1.0
        part = np.column_stack([columns, np.ravel(came)]) / size
        together = part if together is None else np.vstack([together, part])
    A, b = together[:, :-1], together[:, -1]
    counts, *_ = np.linalg.lstsq(A, b)
    if np.abs(A @ counts - b).max() > 1e-5 * max(np.abs(b).max(), 1e-300):
        return None
    return dict(zip(addends, counts.tolist(), strict=True))


def where(came, expected):
    """Which rows, columns or entries deviate, if not all."""
    if came.ndim == 0:
        return ""
    size = np.abs(expected[np.isfinite(expected)]).max(initial=0)
    with np.errstate(invalid="ignore"):
        off = ~(np.abs(came - expected) <= CLOSE * size)
    if came.ndim == 2 and came.shape[0] == came.shape[1]:
        if not off[~np.eye(len(off), dtype=bool)].any():
            return " Only the diagonal deviates."
        if not np.diagonal(off).any():
            return " The diagonal is right; what deviates is off it."
    rows = off.reshape(len(off), -1).any(axis=1)
    if not rows.all():
        return f" In the first of these, only row {_listed(np.flatnonzero(rows))} deviates."
    if came.ndim == 2 and not off.any(axis=0).all():
        columns = _listed(np.flatnonzero(off.any(axis=0)))
        return f" In the first of these, only column {columns} deviates."
    return ""


def _listed(numbers):
    return ", ".join(str(int(n)) for n in numbers[:6]) + (", ..." if len(numbers) > 6 else "")
