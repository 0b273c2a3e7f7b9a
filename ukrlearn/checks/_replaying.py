"""Compares what the variables of an answer have held with the stages of the right one.

What a variable was seen to hold is a fact about one trial, whatever became of it later. A stage
that was seen to be right is no suspect; one that is as a known mistake makes it names the mistake.
"""

import warnings
from inspect import signature
from itertools import takewhile

import numpy as np

from ukrlearn.checks._calling import copied
from ukrlearn.checks._comparing import factor_between, same
from ukrlearn.checks._noting import IN_HELPER
from ukrlearn.checks.exercise import Problem
from ukrlearn.checks.stages import first_part, is_of

FEW, MOST_PARTS = 8, 60  # numbers that different mistakes may share, and their denominators
MOST_NAMED = 3  # stages and mistakes that are told


class Stages:
    """The stages of an exercise beside the variables of one answer, in the trial that was noted."""

    def __init__(self, exercise, noted):
        self._exercise = exercise
        self._seen = noted.outcome.seen if noted else ()
        self._trial = noted.trial if noted else None
        self.raised = noted is not None and noted.outcome.raised is not None
        self._line = {name for name, _ in noted.outcome.raised.shapes} if self.raised else set()
        self._source = noted.outcome.raised.line if self.raised else ""
        self._right = self._unlike_arguments(exercise.stages()) if self._tells() else {}
        held = {part: self._held(part, self._right) for part in self._right}
        self.right = {p: name for p, name in held.items() if name and not self._is_repeated(p)}
        self._near = {part for part in self._right if self._is_a_step_away(part)} - {*self.right}

    def _tells(self):
        return bool(self._seen) and hasattr(getattr(self._exercise, "stages", None), "parts")

    def _values(self, answer):
        """What each part of an answer gives, {part: array}; empty where it can't be told."""
        if not hasattr(answer, "values"):
            return {}
        given = self._trial.arguments
        try:
            with np.errstate(all="ignore"):
                known = answer.values(*given.values())
        except Exception:  # a mistake that stops at this trial
            return {}
        values = {part: _numbers(known[part]) for part in answer.made.parts}
        return {part: value for part, value in values.items() if value is not None}

    def _unlike_arguments(self, answer):
        """The right stages, but those that are in this trial what was given: all hold them."""
        given = [_numbers(a) for a in self._trial.arguments.values() if not callable(a)]
        return {
            part: value
            for part, value in self._values(answer).items()
            if not any(a is not None and _alike(a, value) for a in given)
        }

    def _is_repeated(self, part):
        """Whether an earlier stage has the same value in this trial: a variable holds that one."""
        earlier = takewhile(lambda other: other != part, self._right)
        return any(_alike(self._right[part], self._right[other]) for other in earlier)

    def _held(self, part, values):
        """The name of a variable that has held this value of a part, or None."""
        wanted = values.get(part)
        if wanted is None or not _is_telling(wanted):
            return None
        names = [name for name, value in self._seen if _alike(value, wanted)]
        return names[0] if names else self._held_in_rows(wanted)

    def _is_a_step_away(self, part):
        """Whether a variable leads to a right value in one simple step, or comes of it.

        Such a step may be still to be taken, or be the mistake: nothing is said of it. What holds
        an earlier stage shows nothing of a later one. A transpose is no such step.
        """
        wanted = self._right[part]
        if not _is_telling(wanted):
            return False
        for _, value in self._seen:
            if value.shape == wanted.shape and _is_a_step(value, wanted):
                held = [other for other, right in self._right.items() if _alike(value, right)]
                if not held or part in self._needed(held):
                    return True
        return False

    def before_right(self):
        """The stages of which others are made that were seen to be right."""
        return {other for part in self.right for other in self._needed([part]) if other != part}

    def exclude(self, answer):
        """Whether a mistake can't be why theirs stops.

        Its stage was seen to be right; or it stops where it uses what is in variables of theirs,
        and none of these is in the line that stopped.
        """
        if not self.raised:
            return False
        if set(getattr(answer, "exchanged", ())) & {*self.right, *self._near}:
            return True
        held = {name for value in self._used_by(answer) for name in self._holding(value)}
        return bool(held and self._line and not any(map(self._is_in_the_line, held)))

    def use_elsewhere(self, answer):
        """Whether theirs holds the stages with which a mistake stops, but not in the line."""
        steps = set(answer.made.parts) if hasattr(answer, "made") else set()
        held = {name for value in self._used_by(answer, steps) for name in self._holding(value)}
        return bool(held and self._line and not any(map(self._is_in_the_line, held)))

    def _used_by(self, answer, names=None):
        """The arrays from which a mistake makes what stops it: of these names, or all."""
        if not hasattr(answer, "before_it_stops"):
            return []
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            used = answer.before_it_stops(*copied(self._trial.arguments).values())
        arrays = [_numbers(v) for name, v in used.items() if names is None or name in names]
        return [a for a in arrays if a is not None and _is_telling(a)]

    def _holding(self, wanted):
        """The variables that have held this value, or a row of it."""
        rows = [row for row in wanted if row.ndim and row.size > 1]
        return {
            name for name, value in self._seen if any(_alike(value, one) for one in (wanted, *rows))
        }

    def _is_in_the_line(self, name):
        """Whether the line that stopped uses a variable, or calls the function that had it."""
        own, _, helper = name.partition(IN_HELPER)
        return own in self._line or (helper != "" and f"{helper}(" in self._source)

    def _held_in_rows(self, wanted):
        """A variable that has held all rows, one after the other.

        One that has gone through all rows of an argument has selected none of them.
        """
        rows, given = {}, [_numbers(a) for a in self._trial.arguments.values() if not callable(a)]
        given = [a for a in given if a is not None and a.ndim == wanted.ndim]
        for name, value in self._seen:
            if wanted.ndim and value.shape == wanted.shape[1:]:
                rows.setdefault(name, []).append(value)
        for name, values in rows.items():
            walks = any(_are_among(a, values) for a in given)
            if len(wanted) > 1 and _are_among(wanted, values) and not walks:
                return name
        return None

    # What is told

    def shown_mistakes(self):
        """Known mistakes that a variable shows, those of early stages first.

        What follows from an earlier one shows no later one.
        """
        shown, explained, stages = {}, [], self._exercise.stages
        if not self._right:
            return []
        made = [m for m in self._exercise.misconceptions if is_of(stages, m.mistaken)]
        for m in sorted(made, key=lambda m: first_part(m.mistaken)):
            place = first_part(m.mistaken)
            if place not in shown and (name := self._shows(m.mistaken, explained)):
                shown[place] = Problem(m.id, f"{m.says} Your `{name}` shows it.", made=m.mistaken)
                explained.append(self._values(m.mistaken))
        return list(shown.values())[:MOST_NAMED]

    def _shows(self, answer, explained):
        """The variable that shows a mistake: it holds what comes of it in a later stage.

        What the mistaken stage itself gives proves nothing where it is a step on the right way:
        distances are, before they are squared.
        """
        if set(answer.exchanged) & {*self.right, *self._needed(self.right)}:
            return None  # what a right stage is made of was right
        values = self._values(answer)
        first = first_part(answer)
        for number, part in enumerate(answer.made.parts):
            if part in self.right or part not in values or number < first:
                continue
            right = self._right.get(part)
            if right is None or self._is_right_elsewhere(values[part]):
                continue
            if _is_met_by_chance(values[part]):
                continue
            if any(part in of and _alike(values[part], of[part]) for of in explained):
                continue
            if number == first and self._leads_to(right, values[part]):
                continue
            if name := self._held(part, values):
                return name
        return None

    def _leads_to(self, right, value):
        """Whether a right value is one step away, alone or with another variable: a sum, a product.

        Then this value may be a step on the right way: distances before they are squared, say.
        """
        if _is_a_step(value, right):
            return True
        if value.shape != right.shape:
            return False
        others = [other for _, other in self._seen if other.shape == value.shape]
        with np.errstate(all="ignore"):
            return any(
                same(value * other, right)
                or same(value + other, right)
                or same(value - other, right)
                or same(value / other, right)
                for other in others
            )

    def _is_right_elsewhere(self, value):
        """Whether the values are those of a right stage, or of an argument: loops hold its rows."""
        if any(_alike(value, right) for right in self._right.values()):
            return True
        given = (np.asarray(a) for a in self._trial.arguments.values() if not callable(a))
        return any(a.dtype.kind in "fiub" and np.isin(value, a).all() for a in given)

    def located(self, wrong_results, spoiled):
        """Which stages of these results are right, and the first that no variable holds.

        The spoiled ones are those of known mistakes: they may have been right for a moment.
        """
        needed = self._needed(wrong_results)
        right = [part for part in needed if part in self.right and part not in spoiled]
        missing = [part for part in needed if _is_telling(self._right.get(part, np.empty(0)))]
        missing = [part for part in missing if part not in {*self.right, *self._near}]
        if not right:
            return []
        named = right[-MOST_NAMED:]
        listed = (f"{_words(self._exercise, part)} (`{self.right[part]}`)" for part in named)
        says = f"Your variables were looked at. Right among them: {', '.join(listed)}."
        later = [part for part in missing if needed.index(part) > needed.index(right[-1])]
        if self.raised:
            later = missing = []  # no code after the line that stopped has had its turn
        if later:
            others = "; ".join(_words(self._exercise, part) for part in later[:MOST_NAMED])
            says += f" Not found among them: {others}."
        elif not missing and not self.raised:
            says += " What you return is something else. What happens to the result at the end?"
        return [Problem("located", f"{says} (Seen in this trial: {self._trial.label}.)")]

    def _needed(self, results):
        """The parts that these results are made of, in order."""
        parts = self._exercise.stages.parts if self._right else {}
        needed, waiting = set(), [name for name in results if name in parts]
        while waiting:
            name = waiting.pop()
            if name in parts and name not in needed:
                needed.add(name)
                waiting += signature(parts[name]).parameters
        return [part for part in parts if part in needed]


def _words(exercise, part):
    return (exercise.stages.words.get(part) or part).strip().rstrip(".")


def _numbers(value):
    try:
        array = np.asarray(value)
    except ValueError:
        return None
    return array.astype(float) if array.dtype.kind in "fiub" else None


def _is_telling(value):
    """Whether a value can hardly be met by chance: more than one number, and not all alike."""
    finite = value[np.isfinite(value)]
    return finite.size > 1 and bool(np.ptp(finite) > 0)


def _is_met_by_chance(value):
    """Whether these are a few whole numbers or simple fractions, as counts and shares of them."""
    if np.isin(value, (0, 1)).all():  # a mask, which serves many ends
        return True
    if value.size >= FEW or not np.isfinite(value).all():
        return False
    times = value.ravel() * np.arange(1, MOST_PARTS)[:, None]
    rounding = 1e-9  # of a fraction and its multiples, far below 1/MOST_PARTS
    return bool((np.abs(times - np.round(times)) < rounding).all(axis=1).any())


def _are_among(some, rows):
    """Whether each of some rows is one of these."""
    return all(any(same(row, one) for row in rows) for one in some)


def _alike(value, wanted):
    """The same numbers in the same order, whatever axes of length one are between."""
    return value.size == wanted.size and same(value.squeeze(), wanted.squeeze())


def _is_a_step(value, right):
    """Whether a wrong value leads to the right one, or comes of it, in one simple step."""
    if value.ndim == 2 and same(value.T, right):
        return True
    if value.shape != right.shape:
        return False
    with np.errstate(all="ignore"):
        powers = same(value**2, right) or same(value, right**2)
        logarithms = same(np.exp(value), right) or same(value, np.exp(right))
    if same(1 - value, right):  # a condition and its opposite, a share and the rest
        return True
    return powers or logarithms or factor_between([(value, right, {}, 1e-5)]) is not None
