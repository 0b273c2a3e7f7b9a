"""An answer that was called on its trials, with all that the rules of diagnosis ask of it."""

import warnings
from functools import cached_property

import numpy as np

from ukrlearn.checks import _explaining
from ukrlearn.checks._calling import copied
from ukrlearn.checks._comparing import number_array, same, tolerance
from ukrlearn.checks._plain import NOTED, Repair
from ukrlearn.checks._replaying import Stages
from ukrlearn.checks._scoring import holds
from ukrlearn.checks._stopping import SMALL, given_up, numbers_in, stopped, wanted_shape


class Case:
    """What came of the trials, and what was found so far. What takes time is computed when asked.

    The `names` are those of data of the notebook that the answer reads.
    """

    def __init__(self, exercise, called, candidate, names):
        self.exercise, self.called, self.candidate, self.names = exercise, called, candidate, names
        self.found = []  # (place, problem)
        for m in exercise.misconceptions:
            getattr(m.mistaken, "exchanged", None)  # a name of a slip that is none is told now
        self.returned = [c for c in called if not stopped(c)]
        self.raised = [c for c in called if c.outcome.raised is not None]
        self.values = [(c, values(exercise, c)) for c in self.returned]
        self.usable = [(c, value) for c, value in self.values if value is not None]
        self.wrong = [(c, value) for c, value in self.usable if not is_right(c, value)]
        self.broken = [
            p
            for p in exercise.properties
            if not all(holds(p, c, value) for c, value in self.usable)
        ]
        self.changed = sorted({name for c in called for name in c.outcome.changed})
        self.differs = bool(self.wrong) or len(self.usable) < len(self.returned)
        self.all_right = not self.wrong and len(self.usable) == len(called)

    @cached_property
    def again(self):
        """The first trial, called once more after all others; None after one that was given up."""
        if self.exercise.is_value or any(given_up(c.outcome) for c in self.called):
            return None
        return self.called[0]._replace(outcome=self.candidate.call(0))

    def has(self, *places):
        """Whether something was found that belongs there."""
        return any(place in places for place, _ in self.found)

    @cached_property
    def stages(self):
        """What the variables held in one trial, beside the right stages."""
        return Stages(self.exercise, self._noted())

    @cached_property
    def fit(self):
        """The known mistakes that give these results."""
        return _explaining.mistakes(self.exercise, self.returned)

    @cached_property
    def fit_and_stop(self):
        """Those of them that stop in the same trials."""
        stops = _explaining.that_raise(self)
        ids = {m.id for m in stops}
        return [p for p in self.fit if p.id in ids]

    @property
    def fits_alone(self):
        """Whether one mistake gives most of the trials, some of them large."""
        is_alone = len({p.says for p in self.fit}) == 1
        large = any(numbers_in(c) > SMALL for c in self.returned)
        return is_alone and large and 2 * len(self.returned) > len(self.called)

    @cached_property
    def two(self):
        """Two known mistakes that give this together."""
        return [*_explaining.two_mistakes(self)]

    @cached_property
    def repair(self):
        """The lines of theirs that are wrong, as far as a change there makes all trials right."""
        if self.all_right and not self.broken and not self.changed:
            return Repair()
        if any(given_up(c.outcome) for c in self.called):
            return Repair()
        if any(c.outcome.value is None for c in self.returned):
            return Repair()
        return self.candidate.repair()

    @cached_property
    def slip(self):
        """A slip that gives this."""
        return [*_explaining.slip(self)]

    @cached_property
    def empty(self):
        """A result that was left empty."""
        return [*_explaining.left_empty(self)]

    @cached_property
    def related(self):
        """The answer as a multiple of the right one, or as a sum of its addends."""
        return [*_explaining.related(self)]

    @cached_property
    def tells(self):
        """Whether results can tell one mistake from another."""
        return any(_explaining.tells(c.outcome.value, self.exercise) for c in self.returned)

    def _noted(self):
        """A trial that went wrong, once more, with what the variables hold; None if there is none.

        It has too many numbers to be computed by hand; as many wrong results as there are; and as
        few round numbers as can be: where a width is 2, its square is its double. So it tells
        stages apart.
        """
        called = self.called
        if self.exercise.stages is None:
            return None
        right = [c for c, value in self.values if value is not None and is_right(c, value)]
        told = right + [c for c in called if given_up(c.outcome)]
        off = [n for n, c in enumerate(called) if not any(c is other for other in told)]
        if not off:
            return None
        large = [n for n in off if numbers_in(called[n]) > SMALL]
        compared = {id(c): [(c, value)] for c, value in self.usable if c.expected}
        wrong = lambda n: len(wrong_results(self.exercise, compared.get(id(called[n]), [])))
        telling = lambda n: (-wrong(n), round_arguments(called[n].trial))
        chosen = min(large, key=telling, default=off[0])
        return called[chosen]._replace(outcome=self.candidate.call(NOTED + chosen))


def round_arguments(trial):
    """How many arguments hold nothing but whole numbers."""
    arrays = (number_array(value) for value in trial.arguments.values())
    return sum(a is not None and bool((a == np.round(a)).all()) for a in arrays)


def wrong_results(exercise, wrong):
    """The names of results that are wrong in some trial; all where nothing could be compared."""
    names = {
        name
        for c, value in wrong
        for name in value
        if not same(value[name], c.expected[name], tolerance(c.outcome.value))
    }
    return names or set(exercise.returns)


def values(exercise, c):
    """The result of a trial by name, if type and shape allow to compare; else None."""
    value = c.outcome.value
    try:
        parts = exercise.parts(value)
    except TypeError:
        return None
    if len(parts) != len(exercise.returns):
        return None
    found = {}
    for name, part in zip(exercise.returns, parts, strict=True):
        array = number_array(part)
        if array is None or array.shape != wanted_shape(exercise, c, name, array):
            return None
        if exercise.is_value and not np.isfinite(array).all():
            return None
        found[name] = exercise.compared(name, array)
    return found


def expected(exercise, trial):
    """The right results of a trial, by name; None where properties decide."""
    if exercise.reference is None:
        return None
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        value = exercise.reference(*copied(trial.arguments).values())
    named = zip(exercise.returns, exercise.parts(value), strict=True)
    return {name: exercise.compared(name, np.asarray(part)) for name, part in named}


def is_right(c, value):
    """Whether the results of a trial, by name or None, are right as far as they can be compared."""
    if value is None:
        return False
    if c.expected is None:
        return True
    close = tolerance(c.outcome.value)
    return all(same(value[name], c.expected[name], close) for name in value)
