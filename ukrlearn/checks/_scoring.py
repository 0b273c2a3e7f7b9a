"""Partial credit: what an answer is worth from 0 to 1.

Three quarters are for the work, in equal shares: the stages that are right, or the trials with
right values if these are more. A stage is right where a known mistake of other stages explains
every number and the result needs the stage, or where a variable has held its values. A quarter is
for the properties, in equal shares: those that hold in every trial with a usable result, times the
share of such trials. It is no more, because a guess such as the mean of all data can have them all.
An exercise without properties is judged by its work alone, one without a reference by its
properties. What zeros would get too counts nowhere: a trial whose right values are all zero, a
property that zeros have. An answer that passes has 1, and no other has more than 0.75: so has one
with right values that breaks a rule (it changes what it was given, say). One that lets the library
compute has 0.
"""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Property

WORK, PROPERTIES = 0.75, 0.25
MOST = 0.75  # of what an answer that does not pass can have
UNDONE = {"library"}  # findings after which nothing counts


def score(exercise: Exercise, called, usable, wrong, broken, problems, all_trials, stages):
    """(the score of an answer that was called, lines that say what it is made of).

    `called` are the trials until it was given up, of `all_trials`; `usable` those with a value that
    can be compared, `wrong` those of them with wrong values, `broken` the properties that some
    trial lacks, and `stages` those that are right.
    """
    if not problems:
        return 1.0, ()
    if UNDONE & {problem.id for problem in problems}:
        return 0.0, ("The library has computed the result.",)
    parts = []
    if exercise.reference is not None:
        is_wrong = {id(c) for c, _ in wrong}
        right = sum(id(c) not in is_wrong for c, _ in usable if _is_telling(c.expected))
        silent = sum(not _is_telling(c.expected) for c in called)
        told = max(all_trials - silent, 1)
        of_all = len(exercise.stages.parts) if exercise.stages else 1
        if len(stages) / of_all > right / told:
            listed = "; ".join(
                says or n for n, says in exercise.stages.words.items() if n in stages
            )
            says = f"{len(stages)} of {of_all} stages that are right: {listed}"
            parts.append((WORK, len(stages) / of_all, says))
        else:
            parts.append((WORK, right / told, f"{right} of {told} trials with right values"))
    telling = [p for p in exercise.properties if not usable or not _zeros_have(p, usable)]
    if telling:
        holding = [p for p in telling if usable and p not in broken]
        says = f"{len(holding)} of {len(telling)} properties that hold"
        if len(usable) < all_trials:
            says += f", in {len(usable)} of {all_trials} trials"
        share = len(holding) / len(telling) * len(usable) / all_trials
        parts.append((PROPERTIES, share, says))
    weight = sum(weight for weight, *_ in parts) or 1
    points = lambda share: f"{exercise.points * share:.3g}"
    said = [f"{points(w * s / weight)} of {points(w / weight)} for {says}" for w, s, says in parts]
    share = sum(weight * part for weight, part, _ in parts) / weight
    if share > MOST:
        said.append(f"At most {points(MOST)} for an answer that does not pass")
    return min(share, MOST), tuple(said)


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
