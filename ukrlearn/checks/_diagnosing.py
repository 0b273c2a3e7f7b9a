"""Finds out what is wrong with an answer, and says the likeliest first."""

import ast
import difflib
import inspect
import textwrap
from typing import NamedTuple

import numpy as np

from ukrlearn.checks._calling import Outcome, call, modules_called, where_raised
from ukrlearn.checks._comparing import number_array, same, tolerance, where
from ukrlearn.checks._explaining import explanations
from ukrlearn.checks.exercise import Example, Exercise, Findings, Problem, Property, Trial

SMALL = 16  # numbers at most in arguments and results that are shown


class Called(NamedTuple):
    """A trial, what came of it, and what should have come."""

    trial: Trial
    outcome: Outcome
    expected: dict | None  # by the names of Exercise.returns; None if the properties decide


def examine(exercise: Exercise, answer, seed=0) -> Findings:
    """All findings about an answer."""
    trials = exercise.trials(seed)
    if exercise.is_value:
        called = [Called(trials[0], call(lambda: answer, {}), None)]
        return _judged(exercise, called, None)
    if problem := _no_candidate(exercise, answer, trials[0]):
        return Findings(problems=(problem,))
    called = []
    for trial in trials:
        outcome = call(answer, trial.arguments)
        called.append(Called(trial, outcome, _expected(exercise, trial)))
        if outcome.endless or sum(c.outcome.raised is not None for c in called) == 3:
            break
    return _judged(exercise, called, answer)


def _no_candidate(exercise, answer, trial):
    """Why this is nothing that can be called on the trials, or None."""
    if not callable(answer):
        return Problem(
            "no_function",
            f'check("{exercise.name}", ...) needs your function itself; it got '
            f"{_article(type(answer).__name__)}. Pass its name, without calling it: "
            f'check("{exercise.name}", my_function).',
        )
    if str(getattr(inspect.unwrap(answer), "__module__", "")).partition(".")[0] == "ukrlearn":
        name = f"{answer.__module__}.{getattr(answer, '__qualname__', type(answer).__name__)}"
        return Problem(
            "library",
            f"This is the library's own function, {name}. It is right, and it is not yours: write "
            "one that you could explain, and compare it with this one afterwards.",
        )
    if _has_dots(answer):
        return _not_started()
    try:
        inspect.signature(answer).bind(*trial.arguments.values())
    except TypeError as error:
        return Problem(
            "signature",
            f"Your function must take {len(trial.arguments)} arguments, {exercise.call}, in this "
            f"order; their names are yours to choose. Python says: {error}.",
        )
    except ValueError:
        pass  # a built-in that has no signature: the call will tell
    return None


def _has_dots(answer):
    """Whether the dots of the stub stand in the function still, as a line of their own."""
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


def _expected(exercise, trial):
    if exercise.reference is None:
        return None
    outcome = call(exercise.reference, trial.arguments)
    if outcome.raised is not None:
        raise outcome.raised  # ours to mend
    return dict(zip(exercise.returns, exercise.parts(outcome.value), strict=True))


def _judged(exercise, called, answer):
    problems = [*_stops(exercise, called), *_wrong_kind(exercise, called)]
    changed = sorted({name for c in called for name in c.outcome.changed})
    if changed:
        problems.append(_changes(changed))
    explained, example, held = [], None, []
    returned = [c for c in called if c.outcome.raised is None and not c.outcome.endless]
    values = [(c, _values(exercise, c)) for c in returned]
    usable = [(c, value) for c, value in values if value is not None]
    wrong = [(c, value) for c, value in usable if not _right(c, value)]
    broken = _broken(exercise, usable)
    if wrong or problems or broken:
        explained = explanations(exercise, returned, usable, wrong, answer)
        example = _example(wrong or (usable if broken else []))
    else:
        problems += _luck(exercise, called, answer)
    doubted = {p.says for p in broken}  # properties may share a statement: it holds if all do
    held += dict.fromkeys(p.says for p in exercise.properties if usable and p.says not in doubted)
    problems = _in_order(explained, problems, broken)
    if wrong:
        problems.append(_unexplained(exercise, usable, wrong))
    notes = (*_outcome(exercise, usable), *_notes(called))
    return Findings(tuple(held), tuple(problems), example, notes)


def _in_order(explained, problems, broken):
    """Explained mistakes first, then what stands in the way of comparing, then properties.

    Where a mistake explains every number, what the numbers lack follows from it: one cause is told.
    """
    exact = [p for p, is_exact in explained if is_exact]
    guessed = [p for p, is_exact in explained if not is_exact]
    broken = [Problem(p.id, p.otherwise) for p in broken if not exact]
    ordered = [*exact, *problems, *guessed, *broken]
    return list({p.id: p for p in reversed(ordered)}.values())[::-1]


# What stops a comparison


def _stops(exercise, called):
    for c in called:
        if c.outcome.endless:
            yield Problem(
                "endless",
                f"Your function did not come back within seconds ({c.trial.label}) and was "
                "stopped. Look at your loops: which condition ends them, and can it become true?",
                c.trial,
            )
    raised = {}
    for c in called:
        if (error := c.outcome.raised) is not None:
            raised.setdefault((type(error), where_raised(error)), c)
    for (kind, line), c in raised.items():
        if kind is NotImplementedError:
            yield _not_started()
            continue
        error = c.outcome.raised
        at = f" at {line}" if line else ""
        number = sum(other.outcome.raised is not None for other in called)
        always = "in every trial" if number == len(called) else f"in this trial: {c.trial.label}"
        yield Problem(
            "raises",
            f"Your function stops{at}, {always}. Python says: {kind.__name__}: {error}"
            + _after_nothing(error),
            c.trial,
        )


def _after_nothing(error):
    """Where None was taken for an array: who gives None."""
    if "'NoneType'" not in str(error):
        return ""
    return (
        ". A name holds None there: what changes its argument returns nothing, such as "
        "np.fill_diagonal, a.sort or a list's append; so does a function without `return`."
    )


def _not_started():
    return Problem(
        "not_started",
        "The dots stand in your function still: replace them by your code, then run that cell and "
        "this one again.",
    )


def _wrong_kind(exercise, called):
    """Problems with type, shape and finiteness, one of each sort."""
    found = {}
    for c in called:
        if c.outcome.raised is not None or c.outcome.endless:
            continue
        for problem in _kind_of_one(exercise, c):
            found.setdefault(problem.id, problem)
    return found.values()


def _kind_of_one(exercise, c):
    value = c.outcome.value
    names = list(exercise.returns)
    if (value is None or value is Ellipsis) and exercise.is_value:
        yield Problem(
            "returns_nothing",
            f"There is no answer yet. It must be {_wanted(exercise, c.trial)}: run the cell in "
            "which you make it, then this one.",
        )
        return
    if value is None or value is Ellipsis:
        yield Problem(
            "returns_nothing",
            f"Your function returns nothing yet. It must return {_wanted(exercise, c.trial)}: is "
            "the line with `return` written, and does every way through the function reach it?",
            c.trial,
        )
        return
    if len(names) > 1 and not (isinstance(value, (tuple, list)) and len(value) == len(names)):
        yield Problem(
            "wrong_type",
            f"Your function must return {len(names)} things, {', '.join(names)}; it returned "
            f"{_article(type(value).__name__)}.",
            c.trial,
        )
        return
    for name, part in zip(names, exercise.parts(value), strict=True):
        yield from _kind_of_part(exercise, c, name, part)


def _kind_of_part(exercise, c, name, part):
    array = number_array(part)
    if array is None and isinstance(part, tuple) and len(exercise.returns) == 1:
        says = f"Only {name} must come back, by itself; it came as one of {len(part)} things."
        yield Problem("wrong_type", says, c.trial)
        return
    if array is None:
        yield Problem(
            "wrong_type",
            f"{name} must consist of real numbers; came {_article(type(part).__name__)}.",
            c.trial,
        )
        return
    wanted = _shape(exercise, c, name, array)
    if array.shape != wanted:
        yield _wrong_shape(exercise, c, name, array, wanted)
    if not np.isfinite(array).all():
        yield Problem(
            "not_finite",
            f"{name} holds {_first_odd(array)} ({c.trial.label}). Where do you divide, take a "
            "root, a logarithm or an exponential, and what can come there?",
            c.trial,
        )


def _wrong_shape(exercise, c, name, array, wanted):
    letters = exercise.returns[name].split()
    if exercise.is_value:
        sizes = exercise.sizes(c.trial.arguments)
        known = " and ".join(f"{x} = {sizes[x]}" for x in letters if x in sizes)
        says = f"{name} must have the shape {_shape_text(letters)}{known and ' with ' + known}; "
        says += f"yours is {array.shape}."
        if array.ndim == 1 and len(letters) == 2:
            says += f" {name}[:, None] makes a column of a row of numbers."
        return Problem("shape", says, c.trial)
    must = f"have the shape {_shape_text(letters)} = {wanted}" if letters else "be one number"
    as_many = array.size == int(np.prod(wanted))
    known = "" if as_many else _as_letters(exercise, c, array)
    says = f"{name} must {must}; yours is {array.shape}{known} ({c.trial.label})."
    if array.shape == wanted[::-1]:
        says += " That is its transpose: which index is the row?"
    elif as_many:
        says += " The numbers are as many, but arranged otherwise."
    elif array.shape == ():
        says += " A sum or a mean went over too many axes."
    return Problem("transposed" if array.shape == wanted[::-1] else "shape", says, c.trial)


def _as_letters(exercise, c, array):
    """What a wrong shape is in letters, if the sizes of this trial tell: ", which is (N, q)"."""
    sizes = exercise.sizes(c.trial.arguments)
    names = [name for letters in exercise.shapes.values() for name in letters.split()]
    found = [[n for n in dict.fromkeys(names) if sizes[n] == size] for size in array.shape]
    if not found or any(len(fitting) != 1 for fitting in found):
        return ""
    return f", which is {_shape_text([fitting[0] for fitting in found])}"


def _shape_text(letters):
    return f"({', '.join(letters)}{',' if len(letters) == 1 else ''})"


def _shape(exercise, c, name, array):
    """What the shape must be. A letter that no argument has stands for any size."""
    if c.expected is not None:
        return np.shape(c.expected[name])
    letters = exercise.returns[name].split()
    any_size = dict(zip(letters, array.shape, strict=False))
    sizes = exercise.sizes(c.trial.arguments)
    return tuple(sizes.get(letter, any_size.get(letter, 0)) for letter in letters)


def _wanted(exercise, trial):
    return " and ".join(
        f"{name}, {'an array of shape ' + _shape_text(letters.split()) if letters else 'a number'}"
        for name, letters in exercise.returns.items()
    )


def _first_odd(array):
    at = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
    return f"{array[at]} at {list(at)}" if at else f"{array}"


def _changes(names):
    which = ", ".join(names)
    return Problem(
        "changes_input",
        f"Your function changes what it was given: {which}. The caller's arrays are not yours. "
        f"Look for += and for `{names[0]}[...] =`, and work on a copy. A row taken out, "
        f"v = {names[0]}[0], is no copy either.",
    )


# Whether the values are right


def _values(exercise, c):
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
        if array is None or array.shape != _shape(exercise, c, name, array):
            return None
        if exercise.is_value and not np.isfinite(array).all():
            return None
        found[name] = array
    return found


def _right(c, value):
    if c.expected is None:
        return True
    close = tolerance(c.outcome.value)
    return all(same(value[name], c.expected[name], close) for name in value)


def _broken(exercise, usable):
    """Properties that some trial lacks."""
    return [p for p in exercise.properties if not all(_holds(p, c, value) for c, value in usable)]


def _holds(p: Property, c, value):
    values = list(value.values())
    result = values[0] if len(values) == 1 else values
    with np.errstate(all="ignore"):
        try:
            return bool(p.holds(result, **c.trial.arguments))
        except (ArithmeticError, ValueError, np.linalg.LinAlgError):
            return False  # of numbers as odd as that it can't hold


def _luck(exercise, called, answer):
    """What a right answer must not do either: differ from call to call, be the library's."""
    if answer is None:
        return
    first = called[0]
    again = call(answer, first.trial.arguments)
    value = _values(exercise, Called(first.trial, again, first.expected))
    before = _values(exercise, first)
    if value is None or any(not np.array_equal(value[k], before[k]) for k in value):
        yield Problem(
            "changes_with_calls",
            "Called twice with the same arguments, your function gives two results. Does it use "
            "random numbers, or something that an earlier call has left behind?",
        )
    used = modules_called(answer, first.trial.arguments) - {"checks", *exercise.may_use}
    if exercise.may_use or any(callable(value) for value in first.trial.arguments.values()):
        used -= {"density_kernels"}  # comes with the functions that may be called
    if used:
        yield Problem(
            "library",
            f"The numbers are right, but they come from the library: your function calls "
            f"ukrlearn.{', ukrlearn.'.join(sorted(used))}. Write the formula yourself.",
        )


def _unexplained(exercise, usable, wrong):
    """Where the values differ: in which trials, at which points."""
    c, value = wrong[0]
    name = next(n for n in value if not same(value[n], c.expected[n], tolerance(c.outcome.value)))
    right = [other.trial.label for other, v in usable if _right(other, v)]
    says = f"The values of {name} differ in {len(wrong)} of {len(usable)} trials."
    if right:
        says += f" Right: {'; '.join(right)}. Wrong: {'; '.join(w.trial.label for w, _ in wrong)}."
        says += _right_where_one(exercise, usable)
    says += where(value[name], c.expected[name])
    return Problem("values", says, c.trial)


def _right_where_one(exercise, usable):
    """Sizes of which every trial is right where they are 1, and none where they are not."""
    letters = dict.fromkeys(" ".join(exercise.shapes.values()).split())
    sizes = [(exercise.sizes(c.trial.arguments), _right(c, value)) for c, value in usable]
    telling = [n for n in letters if all((s[n] == 1) == right for s, right in sizes)]
    return "".join(f" It is right where {n} = 1, and only there." for n in telling)


# What is shown besides


def _example(wrong):
    for c, value in wrong:
        numbers = [np.size(a) for a in (*c.trial.arguments.values(), *value.values())]
        if max(numbers, default=0) <= SMALL:
            return Example(c.trial, c.expected, value)
    return None


def _outcome(exercise, usable):
    """What the answer reaches on the first trial, in the exercise's own words."""
    if exercise.outcome is not None and usable:
        c, value = usable[0]
        values = list(value.values())
        result = values[0] if len(values) == 1 else values
        yield exercise.outcome(result, **c.trial.arguments)


def _notes(called):
    printed = next((c.outcome.printed for c in called if c.outcome.printed.strip()), "")
    if printed:
        first = printed.strip().splitlines()[:5]
        yield "Your function printed (first call): " + " | ".join(first)
    if any(c.outcome.figures for c in called):
        yield "Your function opened figures; the checker closed them."
    warned = dict.fromkeys(text for c in called for text in c.outcome.warned)
    if warned:
        yield "Python warned: " + "; ".join(list(warned)[:3])


def _article(word):
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def nearest_names(name, names):
    return difflib.get_close_matches(str(name), names, 3, 0.4)
