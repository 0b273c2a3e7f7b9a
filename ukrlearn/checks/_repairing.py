"""Finds the wrong line of an answer: with a change there, and nowhere else, all trials are right.

The changes are made by rule in the learner's own source and tried where the answer runs. What makes
all trials right is a proof; nothing is guessed. Of two mistakes the first is found where what is
left after a change does the same as a known mistake; then the second is looked for. Where no small
change helps, a variable is given the right value of a stage: the first line at which that makes all
trials right is the wrong one, if all that it uses was right.
"""

import ast
import inspect
import sys
import textwrap
from dataclasses import replace
from functools import cached_property, partial
from itertools import product
from types import FunctionType, MethodType

import numpy as np

from ukrlearn.checks._calling import copied, is_unchanged, not_collecting, undisturbed
from ukrlearn.checks._case import expected, is_right, round_arguments, values
from ukrlearn.checks._comparing import number_array, same
from ukrlearn.checks._edits import (
    EXOTIC,
    FAR,
    SCALE,
    VALUE,
    Edit,
    all_applied,
    applied,
    count_turns,
    edits,
    gives_a_value,
    is_formula,
    is_stored,
    numbers_of,
    seen,
)
from ukrlearn.checks._explaining import suspects
from ukrlearn.checks._noting import is_theirs
from ukrlearn.checks._plain import NONE, Outcome, Repair, plain_result, short
from ukrlearn.checks._scoring import holds
from ukrlearn.checks._stopping import Called
from ukrlearn.checks.exercise import Misconception

# Work is counted in steps, lines of Python that run, and not in seconds: so no line is quoted on a
# fast machine only. To compile a change takes as long as CHANGE steps; a turn of a loop is TURN.
MOST_WORK, ALL_WORK, CHANGE, TURN = 1_000_000, 2_000_000, 60, 3
LIMIT = 10  # seconds of processor time, where single calls are slow
MOST_TURNS = 5_000  # of loops, in one trial
MOST_LINE = 160


def searched(exercise, answer, trials):
    """A search for the wrong lines of an answer; None where nothing can be looked for."""
    if not isinstance(answer, FunctionType) or not is_theirs(answer.__code__.co_filename):
        return None
    if exercise.reference is None:  # many results are right: that some change passes proves little
        return None
    try:
        return _Search(exercise, answer, trials)
    except (OSError, TypeError, SyntaxError, ValueError, AttributeError):
        return None  # its source can't be had


def repaired(search, deeper=False) -> Repair:
    """The wrong lines of an answer, and what makes them right; nothing where none is found.

    Deeper: two mistakes of which one may be left, known or a slip of the right answer.
    """
    found, left = [], NONE
    with undisturbed(), np.errstate(all="ignore"), not_collecting():
        if deeper:
            search.work, known = ALL_WORK, suspects(search.exercise)
            found, mistake = search.two(known)
            left = known.index(mistake) if found else NONE
        else:
            found = search.found()
    return Repair(
        lines=tuple(str(edit.line) for edit, _ in found),
        texts=tuple(short(search.text(*one), MOST_LINE) for one in found),
        repairs=tuple(short(_said(edit), MOST_LINE) for edit, _ in found),
        kinds=tuple(edit.kind for edit, _ in found),
        trials=len(search.trials),
        left=left,
    )


def _said(edit):
    """The repair in words."""
    if edit.says:
        return edit.says
    one = edit.of
    with applied(edit):
        text = f"`{ast.unparse(one).splitlines()[0]}`"
        if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == ast.unparse(one.value):
            return "Leave it out."
    if not hasattr(one, "body") and one.lineno < one.end_lineno:
        return f"the statement that begins in line {one.lineno} becomes {text}."
    return text


def own_functions(answer):
    """The functions of the notebook that an answer calls, itself the first."""
    seen, waiting = {}, [answer]
    notebook = getattr(inspect.unwrap(answer), "__globals__", None)
    while waiting:
        function = waiting.pop()
        if not isinstance(function, (FunctionType, MethodType)) or function.__code__ in seen:
            continue
        seen[function.__code__] = function
        if function.__globals__ is notebook and is_theirs(function.__code__.co_filename):
            waiting += [function.__globals__.get(name) for name in names_in(function.__code__)]
    return [f for f in seen.values() if f.__globals__ is notebook]


def names_in(code):
    """The names of globals and attributes in a function, and in those inside it."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if hasattr(constant, "co_names"):
            names |= names_in(constant)
    return names


def _steps(function):
    """The number of lines that run until it ends."""
    count, before = 0, sys.gettrace()

    def note(frame, event, argument):
        nonlocal count
        count += 1
        return note

    sys.settrace(note)
    try:
        function()
    finally:
        sys.settrace(before)
    return count


class _Search:
    """Changes of one answer, tried one after the other."""

    def __init__(self, exercise, answer, trials):
        self.exercise, self.trials, self._expected = exercise, trials, {}
        self._results = []  # of changes in the first trial: (edit, number of a tree, key)
        self.work, self._costs = ALL_WORK, {}
        self.scope = {
            "np": np,
            "_turn": self._turn,
            **answer.__globals__,
            **inspect.getclosurevars(answer).nonlocals,
        }
        self.trees, self._lines = [], []
        for function in reversed(own_functions(answer)):  # what is called stands first
            lines, start = inspect.getsourcelines(function)
            tree = ast.parse(textwrap.dedent("".join(lines)))
            ast.increment_lineno(tree, max(start, 1) - 1)
            count_turns(tree, "_turn")
            self.trees.append(tree)
            self._lines.append(dict(enumerate(lines, max(start, 1))))
        self._numbers = numbers_of(exercise)
        self._code = [_compiled(tree) for tree in self.trees]
        handed_in = self.trees[-1].body[0]
        self._name = handed_in.targets[0].id if is_formula(handed_in) else handed_in.name

    def _turn(self):
        """Called in each turn of a loop that a change may have made endless."""
        self._turns += 1
        self.work -= TURN
        if self._turns > MOST_TURNS:
            raise RecursionError("This loop has no end.")

    def text(self, edit, tree):
        """The line of a change as the learner wrote it."""
        return self._lines[tree].get(edit.line, "").strip()

    def found(self):
        """Pairs (edit, number of a tree): none, one, or those of two mistakes."""
        function, numbers = self.function(), range(len(self.trials))
        wrong = [n for n in numbers if not self.passes(function, n)]
        if not wrong:
            return []
        self._costs = {n: _steps(partial(self.came, function, n)) for n in numbers}
        first = min(wrong, key=lambda n: (round_arguments(self.trials[n]), self._costs[n]))
        self.order = [first, *(n for n in numbers if n != first)]
        stages, results = _Stages(self), self._results
        near, far = self._edits(stages)
        wrong = stages.wrong_line()
        if wrong:  # its changes first
            near.sort(key=lambda one: one[0].of is not wrong[0].of)
        single = self._single(near, results) or wrong or self._single(far, results)
        return [single] if single else self.two(self.exercise.misconceptions, alone=False)[0]

    def _single(self, made, results=None):
        """The first change after which all trials are right; adds to `results` what others give."""
        end = max(self.work - MOST_WORK, 0)
        for edit, tree in made:
            if self.work <= end:
                return None
            with applied(edit):
                function = self.function(tree)
                came = function and self.came(function, self.order[0])
                if not came:
                    continue
                if self._is_right(came) and all(self.passes(function, n) for n in self.order[1:]):
                    break
            if results is not None:
                key = None if came.outcome.changed else self._key(came)
                results.append((edit, tree, key))
        else:
            return None
        for other, number in made:  # where the statement is not needed at all, that is the repair
            if other.of is edit.of and other.kind == "statement":
                with applied(other):
                    function = self.function(number)
                    if function and all(self.passes(function, n) for n in self.order):
                        return other, number
        return edit, tree

    def two(self, mistakes, alone=True):
        """([(edit, number of a tree), ...], mistake): after a change, nothing but one of these.

        The lines are two where another change mends it, too; one, only `alone`, and where a known
        mistake is left: slips are so many that one of them fits by chance.
        """
        parts = sum(gives_a_value(n) for one in self.trees for n in ast.walk(one))
        for edit, tree, mistake in self._leaving(mistakes):
            # A far-fetched change is believed only where a second one then mends the answer.
            if alone and (parts == 1 or edit.cost >= EXOTIC or _loses(edit)):
                continue
            other = self._after(edit, tree)
            if other and other[0].line != edit.line:
                # What gives a right stage now is no suspect: so the first is looked for once more.
                again = self._after(*other)
                first = again if again and again[0].line != other[0].line else (edit, tree)
                return sorted([first, other], key=lambda one: one[0].line), mistake
            if alone and isinstance(mistake, Misconception):
                return [(edit, tree)], mistake
        return [], None

    def _after(self, edit, tree):
        """The change that puts all right after this one; None if there is none."""
        with applied(edit):
            self._code[tree], before = _compiled(self.trees[tree]), self._code[tree]
            other = self._single(sum(self._edits(_Stages(self)), []))
            self._code[tree] = before
        return other

    def _leaving(self, mistakes):
        """(edit, number of a tree, mistake) where a change leaves nothing but this mistake."""
        known, number = {}, self.order[0]
        for one in mistakes:
            known.setdefault(self._key(self.came(one.mistaken, number)), []).append(one)
            self.work -= CHANGE
        known.pop(None, None)
        known.pop(self._key(self.came(self.function(), number)), None)
        told, good = set(), self._good(self.function())
        for edit, tree, key in self._results:
            if key not in known or (edit.line, key) in told or self.work <= 0:
                continue
            with applied(edit):
                function = self.function(tree)
                fits = (m for m in known[key] if self._are_the_same(function, m.mistaken))
                one = next(fits, None)
                mended = one is not None and self._good(function) >= good
            if mended:
                told.add((edit.line, key))
                yield edit, tree, one

    def _good(self, function):
        """What is right of it, and what its results depend on in the first trial.

        A mended answer keeps both. A change that makes a mistake, or results useless, does not.
        """
        came = [(n, self.came(function, n)) for n in self.order]
        named = {n: values(self.exercise, c) or {} for n, c in came if c}
        good = {(n, k) for n, c in came if c for k, a in named[n].items() if same(a, c.expected[k])}
        good |= {
            (n, p.id)
            for n, c in came
            if c
            for p in self.exercise.properties
            if named[n] and holds(p, c, named[n])
        }
        good |= {k for results in named.values() for k, a in results.items() if a.any()}
        before = named.get(self.order[0], {})
        for argument, value in self.trials[self.order[0]].arguments.items():
            c = self.came(function, self.order[0], **{argument: _shaken(value)})
            after = c and values(self.exercise, c)
            good |= {(k, argument) for k in before if after and not same(before[k], after[k])}
        return good

    def _are_the_same(self, *answers):
        return all(
            len({self._key(self.came(answer, n)) for answer in answers}) == 1 for n in self.order
        )

    def _edits(self, stages):
        """Two lists of (edit, number of a tree), near and far: what is right is not changed."""
        wanted = list(self.exercise.shapes)
        made = [
            (e, n) for n, tree in enumerate(self.trees) for e in edits(tree, wanted, self._numbers)
        ]
        # Of the places for a factor, the last is the likeliest.
        made.sort(key=lambda one: (one[0].cost, -one[0].line * (one[0].cost == SCALE)))
        # A line that gives a right stage is no suspect, but for what should be done after it.
        right = lambda e, n: (n, e.line) in stages.right_lines and e.kind != "diagonal"
        made = [one for one in made if not right(*one)]
        return [[one for one in made if (one[0].cost >= FAR) == far] for far in (False, True)]

    def function(self, *changed):
        """The answer as its trees stand, of which some are changed; None where that is no code."""
        scope = dict(self.scope)
        self.work -= CHANGE
        try:
            for number, code in enumerate(self._code):
                exec(_compiled(self.trees[number]) if number in changed else code, scope)
        except Exception:
            return None
        return scope[self._name]

    def came(self, function, number, **other):
        """What comes of a trial, or of one with an argument changed; None where it stops."""
        trial, self._turns = self.trials[number], 0
        self.work -= self._costs.get(number, 0)
        given = copied({**trial.arguments, **other})
        try:
            value = plain_result(function(*given.values()), len(self.exercise.returns))
        except (Exception, SystemExit):
            return None
        if number not in self._expected:
            self._expected[number] = expected(self.exercise, trial)
        changed = tuple(k for k in given if not is_unchanged(given[k], trial.arguments[k]))
        return Called(trial, Outcome(value=value, changed=changed), self._expected[number])

    def passes(self, function, number):
        came = self.came(function, number)
        return came is not None and self._is_right(came)

    def _is_right(self, c):
        named = values(self.exercise, c)
        if c.outcome.changed or not is_right(c, named):
            return False
        if len(named) > 1 and not isinstance(c.outcome.value, tuple):  # an array with such rows
            return False
        return all(holds(p, c, named) for p in self.exercise.properties)

    def _key(self, c):
        """Results up to rounding; None where there are none that can be told apart."""
        named = c and values(self.exercise, c)
        if not named or any(np.isnan(a).any() for a in named.values()):
            return None
        size = max(np.abs(a[np.isfinite(a)]).max(initial=0) for a in named.values()) or 1.0
        rounded = ((a.shape, (np.round(a / size, 8) + 0.0).tobytes()) for a in named.values())
        return f"{size:.8g}", *rounded


class _Stages:
    """What the statements of an answer give, beside the right stages, in all trials."""

    def __init__(self, search):
        self._search, made = search, search.exercise.stages
        self.right_lines, self._right, self._held, self._active = set(), [], [], {}
        if not hasattr(made, "parts") or not hasattr(made(), "values"):
            return
        given = [copied(trial.arguments).values() for trial in search.trials]
        self._right = [_numbers(made().values(*arguments)) for arguments in given]
        self._tree, numbers = len(search.trees) - 1, range(len(search.trees))
        self._own = {getattr(tree.body[0], "name", "") for tree in search.trees}
        given_by = [(k, one) for k in numbers for one in ast.walk(search.trees[k])]
        given_by = [pair for pair in given_by if gives_a_value(pair[1])]
        given_by.sort(key=lambda pair: (-pair[0], pair[1].lineno))  # those of helpers come last
        self._of = [one for k, one in given_by if k == self._tree]
        search.scope["_see"] = self._see
        with all_applied([seen(one, n) for n, (_, one) in enumerate(given_by)]):
            self._function = search.function(*numbers)
        for n in range(len(search.trials)):
            self._now = {}
            search.came(self._function, n)
            self._held.append(self._now)
        self._right_ones = {k for k in range(len(self._of)) if self._is_right(k)}
        of_stages = {n for n in range(len(given_by)) if self._is_right(n, made.parts, in_part=True)}
        # What is returned, and is not accepted, lacks a stage or the shape.
        of_stages -= {n for n, one in enumerate(self._of) if isinstance(one, ast.Return)}
        self.right_lines = {(given_by[n][0], given_by[n][1].lineno) for n in of_stages}
        self._doubted = {*range(len(self._of))} - of_stages

    def _see(self, number, value):
        """What a statement gives: noted, or exchanged for what it should be."""
        if not isinstance(value, (np.ndarray, np.number, float, int)):
            return value
        self._now[number] = value
        wanted = self._active.get(number)
        fits = wanted is not None and np.size(wanted) == np.size(value)
        return np.reshape(wanted, np.shape(value)) if fits else value

    def _is_right(self, number, names=None, in_part=False):
        """Whether a statement gives one of these right ones, or its last row, in every trial."""
        trials = zip(self._held, self._right, strict=True)
        return all(
            number in held
            and any(
                _is_alike(held[number], right[k], in_part) for k in names or right if k in right
            )
            for held, right in trials
        )

    def wrong_line(self):
        """The first statement that makes all trials right if it gives a right stage instead.

        All that it uses must have been right, and what it gives must not.
        """
        if not self._right or self._function is None:
            return None
        first = self._search.order[0]
        held, right = self._held[first], self._right[first]
        doubted = self._doubted - self._wrongly_fed
        for number, part in product(held, self._search.exercise.stages.parts):
            if number not in doubted or part not in right:
                continue
            if np.size(held[number]) != right[part].size:
                continue
            one = self._of[number]
            if self._own & {n.id for n in ast.walk(one) if isinstance(n, ast.Name)}:
                continue  # the mistake may be in the function that it calls
            if all(self._passes(n, number, part) for n in self._search.order):
                if not self._goes_on_rightly(number, part):
                    return None
                words = self._search.exercise.stages.words.get(part) or part
                says = words.strip().rstrip(".")
                return Edit(FAR, VALUE, one.lineno, (), None, None, one, says), self._tree

    def _passes(self, trial, number, part):
        self._active = {number: self._right[trial].get(part)}
        return self._search.passes(self._function, trial)

    def _goes_on_rightly(self, number, part):
        """Whether what follows makes of larger numbers there what the right answer makes of them.

        Else right numbers may pass by luck: shares remain shares when they are normalised again.
        """
        search, first = self._search, self._search.order[0]
        right, exercise = self._right[first][part], search.exercise
        other = 1.1 * right
        self._active = {number: other}
        came = search.came(self._function, first)
        try:
            reference = exercise.stages(**{part: lambda: other})
            wanted = expected(replace(exercise, reference=reference), search.trials[first])
        except Exception:  # others are no numbers for this stage, or it is given by an argument
            return True
        return came is None or is_right(came._replace(expected=wanted), values(exercise, came))

    @cached_property
    def _wrongly_fed(self):
        """The numbers of statements that use numbers which were no right stage, nor sizes."""
        tree = self._search.trees[self._tree]
        stored = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and is_stored(n)]
        found, of = set(), dict.fromkeys(stored, False)  # what a loop makes is not seen
        for number, one in enumerate(self._of):
            names = {n.id for n in ast.walk(one.value) if isinstance(n, ast.Name)}
            if any(not of.get(name, True) for name in names):
                found.add(number)
            if isinstance(one, ast.Assign) and stored.count(one.targets[0].id) == 1:
                gave = [held[number] for held in self._held if number in held]
                sizes = gave and all(
                    np.ndim(value) == 0 and float(value).is_integer() for value in gave
                )
                of[one.targets[0].id] = sizes or number in self._right_ones
        return found


def _numbers(values):
    """Those of the stages that are arrays of numbers."""
    arrays = {name: number_array(value) for name, value in values.items()}
    return {name: array for name, array in arrays.items() if array is not None}


def _loses(edit):
    """Whether less is computed after a change: what is wrong there may have gone with it."""
    new = edit.new()
    if isinstance(new, list):
        return edit.kind in ("statement", "comparison")
    blurs = getattr(getattr(new, "func", None), "attr", "") == "sign"
    names = [sum(isinstance(n, ast.Name) for n in ast.walk(one)) for one in (edit.old, new)]
    return blurs or names[1] < names[0] - (edit.kind == "function")  # but its own name


def _shaken(value):
    """Other numbers in the place of these."""
    array = np.asarray(value)
    if array.dtype.kind == "f":
        return (np.flip(array) * np.linspace(1.3, 0.8, array.size).reshape(array.shape))[()]
    return np.flip(array) + (not array.ndim) if array.dtype.kind == "i" else value


def _is_alike(value, wanted, in_part=False):
    """Whether these are the same numbers; in part, as a loop has them at its end."""
    array = number_array(value)
    if array is None:
        return False
    if in_part and wanted.ndim and array.size * len(wanted) == wanted.size > array.size:
        wanted = wanted[-1]
    return array.size == wanted.size and same(array.ravel(), wanted.ravel())


def _compiled(tree):
    return compile(tree, "<repair>", "exec")
