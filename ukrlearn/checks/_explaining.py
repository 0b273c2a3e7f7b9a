"""Looks for the mistake that explains a wrong answer: known misconceptions, then general causes."""

import re
import warnings
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import numpy as np

from ukrlearn.checks._calling import copied
from ukrlearn.checks._comparing import (
    CLOSE,
    counts_of_addends,
    factor_between,
    nudged,
    number_array,
    same,
    tolerance,
)
from ukrlearn.checks._edits import KINDS, VALUE
from ukrlearn.checks._plain import NONE
from ukrlearn.checks._slips import slips
from ukrlearn.checks._stopping import given_up
from ukrlearn.checks.exercise import Misconception, Problem
from ukrlearn.checks.stages import is_of, joined, pairs

UNEQUAL_SIZES = (  # of np.dot, of matmul and einsum, and of a + b and b + a
    r"not aligned: (\d+) \(dim \d+\) != (\d+) \(dim \d+\)",
    r"size (\d+) is different from (\d+)",
    r"could not be broadcast together with shapes (\S+) (\S+)\s*$",
)
# Exceptions that come of many mistakes in the same words
SAYS_LITTLE = ("LinAlgError", "ZeroDivisionError", "OverflowError", "FloatingPointError")
ONE = "Two mistakes give your numbers together; each is told as if it were alone. The first:"
OTHER = "The second:"
LEFT = "With one line mended, your numbers are exactly those of this mistake:"
SLIP = "slip: "  # before the name of a stage, in what a problem is called
MOST_MET = 4  # times as many trials as are missed: what a mistake must explain to be named
MOST_ALIKE = 3  # mistakes that are told where nothing decides between them
NEARLY = 0.01  # of the largest value: what deviates by less in every trial approximates it


def tells(value, exercise):
    """Whether a result can tell one mistake from another: it has finite numbers besides zero."""
    parts = None if value is None else _as_parts(value, exercise)
    arrays = [number_array(part) for part in parts or ()]
    return any(a is not None and (np.isfinite(a) & (a != 0)).any() for a in arrays)


def mistakes(exercise, returned, **how):
    """The known mistakes that give these results."""
    made = [m for m in exercise.misconceptions if _made(exercise, m, returned, **how)]
    return [_problem(m) for m in made]


def _problem(m, says=""):
    return Problem(m.id, f"{m.says}{says}", made=m.mistaken)


def shows(answer, exercise, c):
    """Whether a trial shows this mistake, and nothing besides."""
    return _does_the_same(answer, exercise, c) and differs_from_right(answer, exercise, c)


def differs_from_right(answer, exercise, c):
    """Whether an answer gives other numbers than the right one in a trial."""
    theirs, raised = _tried(answer, c.trial.arguments)
    parts = None if theirs is None else _as_parts(theirs, exercise)
    if parts is None or c.expected is None:
        return raised is not None
    arrays = [number_array(part) for part in parts]
    return not all(
        a is not None and same(exercise.compared(name, a), c.expected[name])
        for name, a in zip(exercise.returns, arrays, strict=True)
    )


def in_another_order(case, mistaken=False):
    """The results are right, or as one known mistake gives them, but not where they belong."""
    exercise, returned = case.exercise, case.returned
    if any(c.expected is None or _as_parts(c.outcome.value, exercise) is None for c in returned):
        return
    names = list(exercise.returns)
    orders = [*permutations(range(len(names)))]
    for order in orders[mistaken:]:
        turned = [_in_order(order, c, exercise) for c in returned]
        made = mistakes(exercise, turned) if mistaken else []
        if made or (not mistaken and all(_all_right(exercise, c) for c in turned)):
            yield from made
            if order != orders[0]:
                says = f"Your results come in another order: return first {names[0]}"
                yield Problem("order_of_results", f"{says}, then {', then '.join(names[1:])}.")
            return


def _in_order(order, c, exercise):
    parts = _as_parts(c.outcome.value, exercise)
    return c._replace(outcome=replace(c.outcome, value=tuple(parts[place] for place in order)))


def _all_right(exercise, c):
    for name, part in zip(exercise.returns, c.outcome.value, strict=True):
        array, wanted = number_array(part), c.expected[name]
        if array is None or array.shape != wanted.shape:
            return False
        if not _is(exercise.compared(name, array), wanted, c):
            return False
    return True


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

    With `every`, None as soon as one result is not like the mistake's. Where rounding decides what
    the mistake gives (it divides zero by zero, say), whatever is wrong is like it; in most trials,
    rounding must not.
    """
    like_it, right, spoiled, silent = {}, {}, {}, 0
    for c in returned:
        theirs = _like(m, c.trial.arguments)
        pair = [_as_parts(value, exercise) for value in (c.outcome.value, theirs)]
        if theirs is None or None in pair:
            return None
        named = []
        for name, a, b in zip(exercise.returns, *pair, strict=True):
            a, b = number_array(a), number_array(b)
            if a is None or b is None:
                return None
            named.append((name, exercise.compared(name, a), exercise.compared(name, b)))
        alike = all(same(a, b, tolerance(c.outcome.value)) for _, a, b in named)
        undecided = not alike and _rounding_decides(exercise, m, c, named)
        silent += undecided
        for name, a, b in named:
            wanted = None if c.expected is None else c.expected[name]
            if undecided and _is(a, wanted, c):
                b = a
            like = undecided or same(a, b, tolerance(c.outcome.value))
            like_it[name] = like_it.get(name, True) and like
            right[name] = right.get(name, True) and _is(a, wanted, c)
            spoiled[name] = spoiled.get(name, False) or not _is(b, wanted, c)
        if every and not all(like_it.values()):
            return None
    return (like_it, right, spoiled) if 2 * silent < len(returned) else None


def _rounding_decides(exercise, m, c, named):
    """Whether what the mistake gives depends on the last digits of the arguments of a trial."""
    value = _like(m, nudged(c.trial.arguments))
    parts = None if value is None else _as_parts(value, exercise)
    arrays = [number_array(part) for part in parts or ()]
    if len(arrays) != len(named) or any(a is None for a in arrays):
        return True
    return not all(
        same(exercise.compared(name, a), b) for a, (name, _, b) in zip(arrays, named, strict=True)
    )


def two_mistakes(case):
    """Two mistakes, of different stages, that give these numbers together.

    Where one of them does so with several others, nothing decides between these.
    """
    exercise, called = case.exercise, case.called
    with _quietly():
        looks = _FirstLook(exercise, called)
        fitting = [
            both
            for both, together in pairs(exercise.misconceptions)
            if looks(together) and _behaves(together, exercise, called)
        ]
        alone = {id(m) for both in fitting for m in both if _behaves(m.mistaken, exercise, called)}
    fitting = [both for both in fitting if not alone & {*map(id, both)}]
    if not fitting:
        return
    surest = max(fitting[0], key=lambda m: sum(m in both for both in fitting))
    others = [m for both in fitting if surest in both for m in both if m is not surest]
    others = list({m.says: m for m in others}.values())
    if len(others) == 1:
        yield _told(ONE, fitting[0][0])
        yield _told(OTHER, fitting[0][1])
    elif len(others) <= MOST_ALIKE:
        yield _told(ONE, surest)
        yield _one_of(others, f"{OTHER} one of these, which give the same numbers: ")
    else:
        yield _problem(surest)
        says = "That alone does not give your numbers. Look for a second mistake."
        yield Problem("second", says)


def _one_of(mistakes, begin):
    """One problem for several mistakes between which nothing decides."""
    letters = "abc"[:MOST_ALIKE]  # numbers in brackets are those of equations
    told = [f"({letter}) {m.says}" for letter, m in zip(letters, mistakes, strict=False)]
    return Problem(mistakes[0].id, f"{begin}{' '.join(told)}")


def slip(case):
    """A small change in one stage of the right answer that gives these numbers.

    Best in a stage that no variable shows to be right, last in one of which a right one is made.
    """
    right, before = case.stages.right, case.stages.before_right()
    made = sorted(_slips(case), key=lambda s: 2 * (s.part in before) or s.part in right)
    slip = next((s for s in made if _behaves(s.mistaken, case.exercise, case.called)), None)
    if slip is not None:
        yield Problem(
            f"{SLIP}{slip.part}",
            f"One change in the right answer gives exactly your numbers: {_said(slip)}",
            made=slip.mistaken,
        )


def mistake_and_slip(case):
    """A known mistake and a slip, of different stages, that give these numbers."""
    exercise, called = case.exercise, case.called
    made = _slips(case)
    if not made:
        return
    with _quietly():
        looks = _FirstLook(exercise, called)
        if not looks.can_tell:
            return
        made = looks.distinct(made)

        def give_it_together(one, other):
            both = joined(one.mistaken, other.mistaken)
            return both is not None and looks(both) and _behaves(both, exercise, called)

        for m in (m for m in exercise.misconceptions if is_of(exercise.stages, m.mistaken)):
            if slip := next((s for s in made if give_it_together(m, s)), None):
                yield _told(ONE, m)
                yield _told(OTHER, slip)
                return


def _told(before, one):
    """What is said of a known mistake or a slip that comes with another one."""
    known = isinstance(one, Misconception)
    says = f"{before} {one.says if known else _said(one)}"
    made = one.mistaken if before == ONE else None
    return Problem(one.id if known else f"{SLIP}{one.part}", says, made=made)


def suspects(exercise):
    """All known mistakes, then all slips."""
    return [*exercise.misconceptions, *(slips(exercise.stages) if exercise.stages else ())]


def _slips(case):
    return () if case.exercise.stages is None else slips(case.exercise.stages)


def _said(slip):
    """A slip in words: other changes can give the same numbers."""
    return f"in {slip.where}, {slip.says}. Yours may be another that does the same."


class _FirstLook:
    """A quick test of answers on one trial: most of thousands need no second one."""

    def __init__(self, exercise, called):
        self._exercise, self._c = exercise, _telling_first(called)[0]
        self._given = copied(self._c.trial.arguments).values()
        for value in self._given:
            if isinstance(value, np.ndarray):
                value.flags.writeable = False  # a change that writes into it stops
        self._came = self._results(self._c.outcome.value)
        self.can_tell = self._came is not None

    def __call__(self, answer):
        """Whether this answer may be theirs."""
        if not self.can_tell:  # there theirs raises, or gives what can't be compared
            return True
        results = self._of(answer)
        return results is not None and all(
            came.shape == other.shape and same(came, other)
            for came, other in zip(self._came, results, strict=True)
        )

    def distinct(self, slips):
        """The slips that show in this trial, and of those that show the same one."""
        right = self._key(self._of(slips[0].mistaken.made())) if slips else None
        found = {}
        for slip in slips:
            results = self._of(slip.mistaken)
            if results is not None and (key := self._key(results)) != right:
                found.setdefault((slip.part, key), slip)
        return list(found.values())

    def _of(self, answer):
        try:
            return self._results(answer(*self._given))
        except Exception:
            return None

    def _results(self, value):
        parts = None if value is None else _as_parts(value, self._exercise)
        arrays = None if parts is None else [number_array(part) for part in parts]
        if arrays is None or any(a is None for a in arrays):
            return None
        return [
            self._exercise.compared(*pair)
            for pair in zip(self._exercise.returns, arrays, strict=True)
        ]

    def _key(self, results):
        return tuple((a.shape, np.float32(a).tobytes()) for a in results)


def _behaves(answer, exercise, called):
    """Whether this answer gives the same in every trial: the same numbers or the same exception."""
    return all(_does_the_same(answer, exercise, c) for c in _telling_first(called))


def _telling_first(called):
    """Trials in an order that soon tells answers apart: not the first, which has round numbers."""
    return [*called[1:], called[0]]


def _does_the_same(answer, exercise, c):
    """In one trial: the same numbers up to rounding, or the same exception with the same text."""
    theirs, raised = _tried(answer, c.trial.arguments)
    if c.outcome.raised is not None:
        same_text = raised is not None and _gist(str(raised)) == _gist(c.outcome.raised.says)
        return same_text and type(raised).__name__ == c.outcome.raised.kind
    if raised is not None or theirs is None or c.outcome.value is None:
        return False
    pair = [_as_parts(value, exercise) for value in (c.outcome.value, theirs)]
    if None in pair:
        return False
    for name, a, b in zip(exercise.returns, *pair, strict=True):
        a, b = number_array(a), number_array(b)
        if a is None or b is None or a.shape != b.shape:
            return False
        a, b = exercise.compared(name, a), exercise.compared(name, b)
        if not same(a, b, tolerance(c.outcome.value)):
            return False
    return True


def that_raise(case):
    """Mistakes that raise the same exceptions in the same trials; best in the same words."""
    alike = [m for m in case.exercise.misconceptions if _raises_alike(m.mistaken, case)]
    literally = [m for m in alike if _raises_literally(m.mistaken, case)]
    return literally or alike


def known_that_raise(case):
    """One of those mistakes, or a choice of those that use what may stand in the line."""
    told = that_raise(case)
    told = list({m.says: m for m in told}.values())
    if len(told) > 1:
        told = [m for m in told if not case.stages.use_elsewhere(m.mistaken)] or told
    if len(told) > 1:
        yield _one_of(told, "Several known mistakes stop in this way. Is one of them yours? ")
    yield from (_problem(m) for m in told if len(told) == 1)


def _raises_literally(answer, case):
    return all(
        str(_tried(answer, c.trial.arguments)[1]).strip() == c.outcome.raised.says.strip()
        for c in case.raised
    )


def slip_that_raises(case):
    """A slip that raises the same exceptions in the same trials.

    An exception that comes of many mistakes in the same words says nothing without numbers.
    """
    if not case.usable and all(c.outcome.raised.kind in SAYS_LITTLE for c in case.raised):
        return
    for slip in _slips(case):
        if _raises_alike(slip.mistaken, case):
            says = f"The right answer stops in the same way after one change: {_said(slip)}"
            yield Problem(f"{SLIP}{slip.part}", says)
            return


def _raises_alike(answer, case):
    """Whether this answer raises the same, is never wrong where theirs is right, and may be it."""
    exercise, raised, usable = case.exercise, case.raised, case.usable
    if case.stages.exclude(answer):
        return False
    right = [c for c, value in usable if not any(_off(c, value, name) for name in value)]
    if not all(_does_the_same(answer, exercise, c) for c in raised):
        return False
    if any(c.outcome.raised.kind in SAYS_LITTLE for c in raised):
        return all(_does_the_same(answer, exercise, c) for c, _ in usable)
    return all(
        _tried(answer, c.trial.arguments)[1] is not None or _does_the_same(answer, exercise, c)
        for c in right
    )


def _gist(text):
    """What an exception says, without the words in which two functions of NumPy say the same."""
    for pattern in UNEQUAL_SIZES:
        if found := re.search(pattern, text):
            return sorted(found.groups())
    return text.strip()


def of_most_trials(case):
    """The known mistake that gives the numbers of nearly all trials, far more than any other."""
    exercise, found = case.exercise, {}
    for m in exercise.misconceptions:
        met = [_does_the_same(m.mistaken, exercise, c) for c in case.returned]
        shown = [differs_from_right(m.mistaken, exercise, c) for c in case.returned]
        missed = met.count(False)
        if sum(map(min, met, shown)) >= MOST_MET * missed:
            found[m.says] = min((missed, m), found.get(m.says, (missed, m)), key=lambda k: k[0])
    ranked = sorted(found.values(), key=lambda k: k[0])
    if ranked and (len(ranked) == 1 or ranked[1][0] >= 2 * ranked[0][0]):
        missed, m = ranked[0]
        in_all = len(case.called)
        yield _problem(m, f" That gives your numbers in {in_all - missed} of {in_all} trials.")


def unlike_another_call(case):
    """Called twice with the same arguments, the answer gives two results."""
    if case.again is None or given_up(case.again.outcome):
        return
    one, other = (c.outcome for c in (case.called[0], case.again))
    if _plainly_same(one.value, other.value) and _kind(one.raised) == _kind(other.raised):
        return
    yield Problem(
        "changes_with_calls",
        "Called twice with the same arguments, your function gives two results. Does it use "
        "random numbers, or something left over from an earlier call?",
    )


def _plainly_same(one, other):
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(one, other, equal_nan=True)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_plainly_same, one, other))
    return type(one) is type(other)


def _kind(raised):
    return raised and raised.kind


def in_lines(case):
    """Lines of theirs whose change is all that it takes."""
    lines = zip(case.repair.lines, case.repair.kinds, case.repair.repairs, strict=True)
    if needs := [_needs(*line) for line in lines]:
        says, left = "; ".join(needs), case.repair.left != NONE and len(needs) == 1
        then = "" if left else " Then all trials are right."
        yield Problem("line", f"{says[0].upper()}{says[1:]}.{then}")


def line_and_mistake(case):
    """A line of theirs, and the mistake whose numbers come when it is mended; or two lines."""
    case.repair = case.candidate.repair(deeper=True)
    yield from in_lines(case)
    if case.repair.left != NONE:
        yield _told(LEFT, suspects(case.exercise)[case.repair.left])


def parameters(case):
    """Parameters that are those of the task in another order, and nothing else wrong."""
    return in_lines(case) if case.repair.kinds == ("parameters",) else ()


def _needs(line, kind, repair):
    return (
        f"line {line} should give {repair}" if kind == VALUE else f"line {line} needs {KINDS[kind]}"
    )


def constant(case):
    """One and the same number, whatever the answer was given."""
    for name in case.exercise.returns:
        came = [value[name] for _, value in case.usable]
        numbers = {float(number) for array in came for number in np.ravel(array)}
        wanted = [c.expected and c.expected[name] for c, _ in case.usable]
        if len(came) > 2 and len(numbers) == 1 and np.isfinite([*numbers]) and numbers != {0.0}:
            if any(w is not None and not same(a, w) for a, w in zip(came, wanted, strict=True)):
                yield Problem(
                    "constant",
                    f"{name} is {numbers.pop():.4g} in every trial, whatever your function is "
                    "given. Which line makes it of the arguments, and is it what you return?",
                )


def rounded(case):
    """Results that are right but for decimals that are rounded or cut off, in all trials."""
    pairs = [(a, c.expected and c.expected[n]) for c, v in case.usable for n, a in v.items()]
    if any(wanted is None for _, wanted in pairs):
        return
    for places, how in product(range(4), (np.round, np.trunc)):
        unit = 10.0**-places
        telling = [np.abs(wanted).max(initial=0) > 2 * unit for _, wanted in pairs]
        if 2 * sum(telling) > len(telling) and all(_is_cut(how, unit, *pair) for pair in pairs):
            to = f"{places} decimals" if places else "whole numbers"
            says = f"Your results are the right ones, rounded or cut off to {to}."
            yield Problem("rounded", f"{says} Return them as they are.")
            return


def _is_cut(how, unit, came, wanted):
    """Whether it is the right result as whole multiples of a unit, where rounding is no tie."""
    cut = [unit * how(wanted / unit + shift) for shift in (-1e-6, 1e-6)]
    return np.logical_or(*(np.isclose(came, one, 0, CLOSE * unit) for one in cut)).all()


def approximate(case):
    """Right to some digits in every trial, and no more."""
    errors = {}
    for c, value in case.usable:
        if c.expected is None:
            return
        for name, came in value.items():
            wanted = c.expected[name]
            size = np.abs(wanted[np.isfinite(wanted)]).max(initial=0)
            with np.errstate(invalid="ignore"):
                apart = np.abs(came - wanted).max(initial=0)
            if size > 0 and not same(came, wanted, tolerance(c.outcome.value)):
                errors.setdefault(name, []).append(apart / size)
    if errors and 2 * min(map(len, errors.values())) > len(case.usable):
        worst = {name: max(some) for name, some in errors.items()}
        if max(worst.values()) < NEARLY:
            name = max(worst, key=worst.get)
            yield Problem(
                "approximate",
                f"{name} is nearly right: in every trial it deviates by at most "
                f"{100 * worst[name]:.2g} % of its largest value. Is something an approximation: a "
                "difference quotient, a rounded number, a small number added to a divisor, too few "
                "steps?",
            )


def by_result(exercise, returned):
    """The mistakes that show in the first result that each of them spoils.

    Where one gives all that it spoils, and another only its first, the other is no suspect. Nor is
    any where several give the first alone: it can't tell them from each other, nor from chance.
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
        told = whole.get(name, ())
        if not told and len({m.says for m in in_first.get(name, ())}) == 1:
            told = in_first[name]
        yield from map(_problem, told)


def _like(m, arguments):
    """What this mistake gives; None where it gives nothing."""
    return _tried(m.mistaken, arguments)[0]


def _tried(answer, arguments):
    """(what an answer gives, what it raises). Ours to trust: no watch beside it."""
    with _quietly():
        try:
            return answer(*copied(arguments).values()), None
        except Exception as error:  # some mistakes stop at some trials
            return None, error


@contextmanager
def _quietly():
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def _as_parts(value, exercise):
    """The results as a list, or None if there are not as many as wanted."""
    if len(exercise.returns) > 1 and not isinstance(value, (tuple, list)):
        return None
    parts = exercise.parts(value)
    return parts if len(parts) == len(exercise.returns) else None


def _is(part, wanted, c):
    return wanted is not None and same(part, wanted, tolerance(c.outcome.value))


def left_empty(case):
    """A result that is zero wherever it is wrong, as if it were prepared and not or partly filled.

    Where most trials are right, the zeros belong to some data and not to a loop.
    """
    usable, wrong = case.usable, case.wrong
    if 2 * len(wrong) <= len(usable):
        return
    for name in wrong[0][1]:
        seen = [(value[name], c.expected and c.expected[name]) for c, value in wrong]
        if any(expected is None for _, expected in seen):
            return
        seen = [pair for pair in seen if not same(*pair)]
        if all(np.asarray(right).dtype.kind in "iu" and not right.all() for _, right in seen):
            continue  # labels, of which zero is one
        if not seen or any(came[_off_at(came, expected)].any() for came, expected in seen):
            continue
        if any((np.isfinite(came) & (came != 0)).any() for came, _ in seen):
            says = (
                f"A part of {name} is right; the rest is zero. If a loop fills it: does the loop "
                "visit all points, or all pairs of them, and is `return` after the loop?"
            )
        elif not any(came.any() for came, _ in seen):
            says = (
                f"{name} is zero everywhere. If a loop fills it: does the loop run, and does it "
                "store what it computes? Or do you multiply by zero, or subtract equal things?"
            )
        else:  # infinite or no numbers besides zeros: no part of it has been computed rightly
            continue
        yield Problem("left_empty", says)


def others_off(case):
    """Whether results other than the one that was left empty are wrong."""
    says = f" {case.empty[0].says} "
    others = [name for name in case.exercise.returns if f" {name} " not in says]
    return any(_off(c, value, name) for c, value in case.usable for name in others)


def _off_at(came, expected):
    size = np.abs(expected[np.isfinite(expected)]).max(initial=0)
    with np.errstate(invalid="ignore"):
        return ~((came == expected) | (np.abs(came - expected) <= CLOSE * size))


def related(case, alone=False):
    """The answer as a multiple of the right one, or as a wrong sum of its addends.

    Of several results all others must be right, or `alone`: then nothing is said of them.
    """
    exercise, usable = case.exercise, case.usable
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
        return Problem(
            "negative",
            f"{name} is minus the right result: is a difference turned round, or a minus missing, "
            "or one too many?",
        )
    times, *how = _in_words(constant, letters)
    return Problem(
        "multiple",
        " ".join([f"{name} is {times} times the right result in every trial.", *how])
        + (" Everything else is right." if only else " Another result is wrong as well."),
    )


def _in_words(constant, letters):
    """A factor as one writes it, "2N/M", and what was done where only sizes are too many."""
    above, below = [], []
    for letter in letters.split(" * ") if letters else ():
        (below if letter.startswith("1/") else above).append(letter.removeprefix("1/"))
    whole = Fraction(constant).limit_denominator(4)
    sign = "-" if whole < 0 else ""
    above = [str(abs(whole.numerator))] * (abs(whole.numerator) != 1 or not above) + above
    below = [str(whole.denominator)] * (whole.denominator != 1) + below
    yield sign + " ".join(above) + ("/" + _bracketed(below) if below else "")
    if whole == 1:
        if below:
            yield f"You divided by {' and by '.join(below)} where the task does not."
        if above != ["1"]:
            says = f"by {' and by '.join(above)}"
            yield f"A division {says} is missing, or a multiplication is too many."


def _bracketed(factors):
    return factors[0] if len(factors) == 1 else f"({' '.join(factors)})"


def uses_globals(case):
    which = ", ".join(case.names)
    yield Problem(
        "uses_global",
        f"Your function reads {which} from the notebook and not from its arguments, so it works "
        "for those data only; the checker calls it with other data.",
    )
