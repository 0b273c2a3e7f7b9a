"""What an exercise is made of: trials, misconceptions, properties, hints. All of it is data.

A checker knows nothing of any one exercise. It calls the learner's function on the trials, compares
with the reference, and looks for the explanation of a difference among the misconceptions: wrong
answers in code, run on the same trials. An answer that equals one of them has made its mistake.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ukrlearn.checks._plain import Repair


@dataclass(frozen=True)
class Misconception:
    """A mistake that learners make: what to tell them, and a function that makes it."""

    id: str
    says: str = ""  # the diagnosis, to the learner: what they did, why it is wrong, what to look at
    mistaken: Callable | None = None  # makes the mistake; takes what the reference takes


@dataclass(frozen=True)
class Property:
    """What every right answer has, whatever its form."""

    id: str
    says: str = ""  # when it holds: "The weights of every row sum to one."
    otherwise: str = ""  # when it does not: the diagnosis, which claims no cause
    holds: Callable | None = None  # (value, **arguments) -> bool
    suspects: tuple = ()  # (stage, question): asked unless this stage was seen to be right
    tests: Callable | None = None  # (value, **arguments) -> whether it was tested; None: try it


@dataclass(frozen=True)
class Trial:
    """Arguments to call an answer with, by name and in order."""

    label: str  # "three points", "data a million times larger"
    arguments: dict
    at_last: bool = (
        False  # asked only of what is right in all trials before: where rounding decides
    )


@dataclass(frozen=True)
class Exercise:
    """One exercise, as its checker sees it. What the learner reads stands in exercises/."""

    name: str
    title: str
    lesson: str  # "01_kernel_regression"
    equations: str  # "[UKR] (2)"
    minutes: int
    shapes: dict  # of the arguments, in order: {"x": "M q", "X": "N q", "h": ""}
    returns: dict  # the same of what comes back: {"f": "M d"}; several for a tuple
    trials: Callable  # seed -> list of Trial, the smallest first
    hints: tuple
    reference: Callable | None = None  # None: the properties alone decide
    stages: Callable | None = None  # makes answers in stages: a `pipeline`, or what is `staged`
    misconceptions: tuple = ()
    properties: tuple = ()
    addends: Callable | None = None  # arguments -> {words: array}, whose sum is the first result
    is_value: bool = False  # the answer is no function but what a function would return
    comparable: Callable | None = None  # (name, array) -> array: one of several right results
    outcome: Callable | None = None  # (value, **arguments) -> what it reaches, told in any case
    follows: Callable | None = None  # of the library: answers call it, on a way that is then noted
    retold: Callable | None = None  # [Called] -> Problems: causes that all ways taken show
    without_loops: str = ""  # what could stand in the place of loops within loops
    seconds: float | None = None  # of processor time for a call, if not as for all exercises
    may_use: tuple = ()  # modules of ukrlearn that an answer may call
    points: int = 10

    @property
    def call(self):
        """How the learner's function is called: "my_function(x, X, Y, h)"."""
        return f"({', '.join(self.shapes)})"

    def parts(self, value):
        """The results as a list, one for each name of `returns`."""
        return list(value) if len(self.returns) > 1 else [value]

    def compared(self, name, array):
        """A result as it is compared: eigenvectors, say, without regard to their signs."""
        return array if self.comparable is None else self.comparable(name, array)

    def sizes(self, arguments):
        """What the letters of the shapes are in these arguments; numbers by their own names."""
        found = {}
        for name, letters in self.shapes.items():
            value = arguments[name]
            if letters:
                found.update(zip(letters.split(), np.shape(value), strict=True))
            elif isinstance(value, (int, float)) and not isinstance(value, bool):
                found[name] = value
        return found


@dataclass(frozen=True)
class Problem:
    """One finding against an answer."""

    id: str
    says: str
    trial: Trial | None = None
    made: Callable | None = None  # an answer that makes this mistake and no other


@dataclass(frozen=True)
class Example:
    """A small trial in which the answer is wrong."""

    trial: Trial
    expected: dict | None
    came: dict
    shows: bool = False  # whether the first finding can be seen in it


@dataclass(frozen=True)
class Findings:
    """All that the examination of one answer has found; problems in order of likelihood."""

    held: tuple = ()
    problems: tuple = ()
    example: Example | None = None
    notes: tuple = field(default=())
    answer: str = ""  # what was handed in, as text
    repair: Repair = Repair()
    lacking: tuple = ()  # problems that no proof of a line leaves open
    seen: tuple = ()  # problems that claim no cause: what prevents a comparison, say
    score: float = 0.0  # from 0 to 1, for partial credit; see _scoring.py
    rubric: tuple = ()  # lines that say what the score of an answer that does not pass is made of
    trace: tuple = ()  # (rule, what came of it), in the order of _rules.py

    @property
    def passed(self):
        return not self.problems
