"""An answer, and what may be asked of it. All that it says is plain data."""

import ast
import inspect
import textwrap
from functools import cached_property

import numpy as np

from ukrlearn.checks._calling import OutOfTime, call, within
from ukrlearn.checks._plain import NOTED, About, Outcome, Repair, kind_of, short
from ukrlearn.checks._repairing import LIMIT, names_in, own_functions, repaired, searched
from ukrlearn.checks._stopping import article, not_started
from ukrlearn.checks.exercise import Problem

MOST_VALUE = 4000  # characters of an answer that is no function
MOST_SOURCE = 50_000  # and of one that is


class Candidate:
    """An answer to an exercise, which is looked at and called here, in this process."""

    def __init__(self, exercise, answer, trials):
        self._exercise, self._answer, self._trials = exercise, answer, trials
        self.seconds = exercise.seconds

    def about(self) -> About:
        """What can be said of the answer without calling it."""
        try:
            source = _source(self._answer)
        except Exception:  # no file holds it; or whatever an object of theirs raises
            source = ""
        if self._exercise.is_value:
            return About(source=source)
        problem = _no_candidate(self._exercise, self._answer, self._trials[0])
        if problem:
            return About(problem.id, problem.says, source)
        return About(source=source, globals=tuple(_globals_used(self._answer)))

    def call(self, number) -> Outcome:
        """What comes of one trial; of NOTED + its number, also what the variables have held.

        The first is watched, before an answer has kept any results. In an exercise that follows
        calls, they are noted in every trial.
        """
        results = len(self._exercise.returns)
        if self._exercise.is_value:
            return call(lambda: self._answer, {}, results)
        noted, number = number >= NOTED, number % NOTED
        follows = self._exercise.follows
        arguments = self._trials[number].arguments
        noted = noted or follows is not None
        watched, most = number == 0 and not noted, self._exercise.seconds
        return call(self._answer, arguments, results, watched, noted, follows, most)

    @cached_property
    def _search(self):
        return searched(self._exercise, self._answer, self._trials)

    def repair(self, deeper=False) -> Repair:
        """Which of its lines are wrong, as far as small changes can prove it."""
        try:
            return within(LIMIT, repaired, self._search, deeper) if self._search else Repair()
        except OutOfTime:
            return Repair()


def _source(answer):
    """What was handed in, as text: a function's source, or the beginning of a value."""
    if not callable(answer):
        return short(repr(answer), MOST_VALUE)
    source = inspect.getsource(answer)
    return source if len(source) <= MOST_SOURCE else ""


def _no_candidate(exercise, answer, trial):
    """Why this is nothing that can be called on the trials, or None."""
    if not callable(answer):
        return Problem(
            "no_function",
            f'check("{exercise.name}", ...) needs your function itself; it got '
            f"{'nothing' if answer is None else article(kind_of(answer))}. Pass its name, without "
            "calling it: "
            f'check("{exercise.name}", my_function).',
        )
    try:
        return _not_theirs(answer) or _not_callable_so(exercise, answer, trial)
    except Exception as error:  # an object that raises when it is looked at
        return Problem(
            "no_function",
            f"{article(kind_of(answer)).capitalize()} that can't be looked at is no answer; pass a "
            f"function. Python says: {kind_of(error)}.",
        )


def _not_theirs(answer):
    """A function of the library, or one that nobody has written yet."""
    if str(getattr(inspect.unwrap(answer), "__module__", "")).partition(".")[0] == "ukrlearn":
        name = f"{answer.__module__}.{getattr(answer, '__qualname__', type(answer).__name__)}"
        return Problem(
            "library",
            f"This is the library's own function, {short(name)}. It is right, but it is not yours: "
            "write one that you could explain, and compare it with this one afterwards.",
        )
    return not_started() if _has_dots(answer) else None


def _has_dots(answer):
    """Whether the function still contains the dots of the stub, on a line of their own."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(answer)))
    except (OSError, TypeError, SyntaxError):
        return False  # a lambda in the middle of a line, a built-in
    return any(
        isinstance(line, ast.Expr)
        and isinstance(line.value, ast.Constant)
        and line.value.value is Ellipsis
        for line in ast.walk(tree)
    )


def _not_callable_so(exercise, answer, trial):
    """Whether it takes other arguments than those of the trials."""
    try:
        inspect.signature(answer).bind(*trial.arguments.values())
    except TypeError as error:
        return Problem(
            "signature",
            f"Your function must take {len(trial.arguments)} arguments, {exercise.call}, in this "
            f"order; their names are yours to choose. Python says: {short(str(error))}.",
        )
    except ValueError:
        pass  # a built-in that has no signature: the call will tell
    return None


def _globals_used(answer):
    """Names of data of the notebook that the function reads instead of its arguments."""
    used = (
        (name, function.__globals__.get(name))
        for function in own_functions(answer)
        for name in names_in(function.__code__)
    )
    return sorted({name for name, value in used if isinstance(value, (np.ndarray, list))})
