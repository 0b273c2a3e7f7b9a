"""Partial credit: what an answer is worth from 0 to 1.

Half is for the trials, in equal shares: those with right values. Half is for the properties, in
equal shares: those that hold in every trial with a usable result, times the share of such trials.
An exercise without properties is judged by its trials alone, one without a reference by its
properties. What zeros would get too counts nowhere: a trial whose right values are all zero, a
property that zeros have. An answer that passes has 1, and no other: one with right values that
breaks a rule (it changes what it was given, say) has 0.75. One that lets the library compute has 0.
"""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Property

TRIALS, PROPERTIES = 0.5, 0.5
RULE_BROKEN = 0.75
UNDONE = {"library"}  # findings after which nothing counts


def score(exercise: Exercise, called, usable, wrong, broken, problems, all_trials) -> float:
    """The score of an answer that was called.

    `called` are the trials until it was given up, of `all_trials`; `usable` those with a value that
    can be compared, `wrong` those of them with wrong values, `broken` the properties that some
    trial lacks.
    """
    if not problems:
        return 1.0
    if not usable or UNDONE & {problem.id for problem in problems}:
        return 0.0
    parts = []
    if exercise.reference is not None:
        is_wrong = {id(c) for c, _ in wrong}
        right = sum(id(c) not in is_wrong for c, _ in usable if _is_telling(c.expected))
        silent = sum(not _is_telling(c.expected) for c in called)
        parts.append((TRIALS, right / max(all_trials - silent, 1)))
    telling = [p for p in exercise.properties if not _zeros_have(p, usable)]
    if telling:
        holding = [p for p in telling if p not in broken]
        parts.append((PROPERTIES, len(holding) / len(telling) * len(usable) / all_trials))
    weight = sum(weight for weight, _ in parts)
    share = sum(weight * part for weight, part in parts) / weight if weight else 0.0
    return min(share, RULE_BROKEN)


def _is_telling(expected):
    return any(np.any(array != 0) for array in expected.values())


def _zeros_have(p: Property, usable):
    zeros = (
        (c, {name: np.zeros_like(part) for name, part in value.items()}) for c, value in usable
    )
    return all(holds(p, c, value) for c, value in zeros)


def holds(p: Property, c, value):
    """Whether the results of a trial, by name, have a property."""
    values = list(value.values())
    result = values[0] if len(values) == 1 else values
    with np.errstate(all="ignore"):
        try:
            return bool(p.holds(result, **c.trial.arguments))
        except (ArithmeticError, LookupError, TypeError, ValueError, np.linalg.LinAlgError):
            return False  # of numbers as odd as that it can't hold
