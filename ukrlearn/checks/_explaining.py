"""Looks for the mistake that explains a wrong answer: known misconceptions, then general causes."""

import warnings

import numpy as np

from ukrlearn.checks._calling import copied
from ukrlearn.checks._comparing import (
    CLOSE,
    counts_of_addends,
    factor_between,
    number_array,
    same,
    tolerance,
)
from ukrlearn.checks.exercise import Misconception, Problem
from ukrlearn.checks.stages import pairs


def explanations(exercise, returned, usable, wrong, names):
    """(problem, whether it explains every number), likeliest first.

    The names are those of data of the notebook that the answer reads.
    """
    found = _mistakes(exercise, returned)
    if not found and names:
        found.append((_uses_globals(names), bool(wrong)))
    if wrong and not found:
        found += [(problem, True) for problem in _left_empty(usable, wrong)]
    if wrong and not found:
        found += [(problem, True) for problem in _related(exercise, usable)]
    if wrong and not found:
        found += [(problem, True) for problem in _two_mistakes(exercise, returned)]
    if wrong and not found:
        found += [(problem, True) for problem in _related_mistakes(exercise, usable)]
    if wrong and not found and len(exercise.returns) > 1:
        found += _mistakes(exercise, returned, in_part=True)
        if not found:  # two mistakes: each result tells one
            found += [(problem, False) for problem in _by_result(exercise, returned)]
        if not found:
            found += [(problem, False) for problem in _related(exercise, usable, alone=True)]
    return found


def _mistakes(exercise, returned, **how):
    made = [m for m in exercise.misconceptions if _made(exercise, m, returned, **how)]
    return [(Problem(m.id, m.says), True) for m in made]


def _made(exercise, m, returned, in_part=False):
    """Whether the answer makes this mistake in every trial, and it shows in one.

    In part: of several results the first that the mistake spoils is spoiled so; those that follow
    from it are so too, or right, for they can be computed in another way.
    """
    compared = _compared(exercise, m, returned, every=not in_part)
    if compared is None:
        return False
    like_it, right, spoiled = compared
    first = next((name for name in spoiled if spoiled[name]), None)
    whole = all(like_it[k] or (in_part and right[k]) for k in right)
    return first is not None and like_it[first] and whole


def _compared(exercise, m, returned, every=False):
    """Of each result: is it like the mistake's, is it right, does the mistake spoil it? Or None.

    With `every`, None as soon as one result is not like the mistake's.
    """
    like_it, right, spoiled = {}, {}, {}
    for c in returned:
        theirs = _like(m, c.trial.arguments)
        pair = [_as_parts(value, exercise) for value in (c.outcome.value, theirs)]
        if theirs is None or None in pair:
            return None
        for name, a, b in zip(exercise.returns, *pair, strict=True):
            a, b = number_array(a), number_array(b)
            if a is None or b is None:
                return None
            a, b = exercise.compared(name, a), exercise.compared(name, b)
            wanted = None if c.expected is None else c.expected[name]
            like_it[name] = like_it.get(name, True) and same(a, b, tolerance(c.outcome.value))
            right[name] = right.get(name, True) and _is(a, wanted, c)
            spoiled[name] = spoiled.get(name, False) or not _is(b, wanted, c)
        if every and not all(like_it.values()):
            return None
    return like_it, right, spoiled


def _two_mistakes(exercise, returned):
    """The first two mistakes, of different stages, that give these numbers together."""
    for both, together in pairs(exercise.misconceptions):
        if _made(exercise, Misconception("", "", together), returned):
            yield from (Problem(m.id, m.says) for m in both)
            return


def _by_result(exercise, returned):
    """The mistakes that show in the first result that each of them spoils.

    Where one gives all that it spoils, and another only its first, the other is no suspect.
    """
    whole, in_first = {}, {}
    for m in exercise.misconceptions:
        if (compared := _compared(exercise, m, returned)) is None:
            continue
        like_it, _, spoiled = compared
        names = [name for name in spoiled if spoiled[name]]
        if names and like_it[names[0]]:
            kind = whole if all(like_it[name] for name in names) else in_first
            kind.setdefault(names[0], []).append(m)
    for name in exercise.returns:
        yield from (Problem(m.id, m.says) for m in whole.get(name) or in_first.get(name, ()))


def _like(m, arguments):
    """What this mistake gives; None where it gives nothing. Ours to trust: no watch beside it."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return m.mistaken(*copied(arguments).values())
        except Exception:  # some mistakes stop at some trials
            return None


def _as_parts(value, exercise):
    """The results as a list, or None if there are not as many as wanted."""
    if len(exercise.returns) > 1 and not isinstance(value, (tuple, list)):
        return None
    parts = exercise.parts(value)
    return parts if len(parts) == len(exercise.returns) else None


def _is(part, wanted, c):
    return wanted is not None and same(part, wanted, tolerance(c.outcome.value))


def _left_empty(usable, wrong):
    """A result that is zero wherever it is wrong: prepared, and never or only partly filled.

    Where most trials are right, the zeros belong to some data and not to a loop.
    """
    if 2 * len(wrong) <= len(usable):
        return
    for name in wrong[0][1]:
        seen = [(value[name], c.expected and c.expected[name]) for c, value in wrong]
        if any(expected is None for _, expected in seen):
            return
        seen = [pair for pair in seen if not same(*pair)]
        if not seen or any(came[_off_at(came, expected)].any() for came, expected in seen):
            continue
        if any(came.any() for came, _ in seen):
            says = (
                f"A part of {name} is right; the rest is still zero. Does the loop visit all "
                "points, and is `return` after the loop and not inside it?"
            )
        else:
            says = (
                f"{name} is zero everywhere: nothing has been written into it. Does your loop run, "
                "and does it store what it computes?"
            )
        yield Problem("left_empty", says)


def _off_at(came, expected):
    size = np.abs(expected[np.isfinite(expected)]).max(initial=0)
    with np.errstate(invalid="ignore"):
        return ~((came == expected) | (np.abs(came - expected) <= CLOSE * size))


def _related(exercise, usable, alone=False):
    """The answer as a multiple of the right one, or as a wrong sum of its addends.

    Of several results all others must be right, or `alone`: then nothing is said of them.
    """
    name = next((n for n in exercise.returns if any(_off(c, v, n) for c, v in usable)), None)
    if name is None:
        return
    pairs = [_pair(exercise, c, value[name], c.expected[name]) for c, value in usable]
    others = [n for n in exercise.returns if n != name]
    only = not any(_off(c, v, n) for c, v in usable for n in others)
    if (only or alone) and (factor := factor_between(pairs)):
        yield _multiple(name, *factor, only)
    elif exercise.addends is not None and name == next(iter(exercise.returns)):
        yield from _microscope(exercise, usable, name)


def _pair(exercise, c, came, expected):
    return came, expected, exercise.sizes(c.trial.arguments), tolerance(c.outcome.value)


def _microscope(exercise, usable, name):
    """Which addends of the right result are in the answer, how often, and which are missing."""
    pairs = [(value[name], exercise.addends(**c.trial.arguments)) for c, value in usable]
    for words, count in (counts_of_addends(pairs) or {}).items():
        if abs(count) < 1e-4:
            yield Problem(f"missing: {words}", f"Under the microscope: {words} is missing.")
        elif abs(count + 1) < 1e-4:
            yield Problem(f"sign: {words}", f"Under the microscope: {words} has the wrong sign.")
        elif abs(count - 1) > 1e-4:
            yield Problem(
                f"factor: {words}", f"Under the microscope: {words} comes {count:.3g} times."
            )


def _off(c, value, name):
    return c.expected is not None and not same(
        value[name], c.expected[name], tolerance(c.outcome.value)
    )


def _multiple(name, constant, letters, only=True):
    if (constant, letters) == (-1, ""):
        return Problem("negative", f"{name} is minus the right result: in which difference did "
                       "you swap the two terms?")  # fmt: skip
    factor = " * ".join(
        ([f"{constant:g}"] if constant != 1 or not letters else []) + [letters] * bool(letters)
    )
    return Problem(
        "multiple",
        f"{name} is {factor} times the right result in every trial. Look for this factor"
        + ("; everything else is right." if only else ". Another result is wrong as well."),
    )


def _related_mistakes(exercise, usable):
    """A known mistake, and a factor on top of it."""
    if len(exercise.returns) > 1:
        return
    (name,) = exercise.returns
    for m in exercise.misconceptions:
        pairs = []
        for c, value in usable:
            theirs = _like(m, c.trial.arguments)
            array = None if theirs is None else number_array(theirs)
            if array is None or array.shape != value[name].shape:
                break
            pairs.append(_pair(exercise, c, value[name], array))
        else:
            if factor := factor_between(pairs):
                yield Problem(m.id, m.says)
                yield _multiple("After that mistake, " + name, *factor)
                return


def _uses_globals(names):
    which = ", ".join(names)
    return Problem(
        "uses_global",
        f"Your function reads {which} from the notebook and not from its arguments, so it works "
        "for those data only; the checker calls it with other data.",
    )
