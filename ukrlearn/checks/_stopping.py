"""What keeps an answer from being compared: exceptions, endless loops, wrong types and shapes."""

from typing import NamedTuple

import numpy as np

from ukrlearn.checks import _calling
from ukrlearn.checks._comparing import number_array
from ukrlearn.checks._plain import NoNumbers, Outcome
from ukrlearn.checks.exercise import Problem, Trial

SMALL = 16  # numbers at most in arguments and results that are shown


class Called(NamedTuple):
    """A trial, what came of it, and what should have come."""

    trial: Trial
    outcome: Outcome
    expected: dict | None  # by the names of Exercise.returns; None if the properties decide


def numbers_in(c):
    """How many numbers there are in the arguments of a trial."""
    return sum(map(np.size, c.trial.arguments.values()))


def stopped(c):
    """Whether there is no result."""
    return c.outcome.raised is not None or given_up(c.outcome)


def given_up(outcome):
    """Whether a call was ended from outside, or has ended the process that it ran in."""
    return outcome.endless or outcome.waited or bool(outcome.ended)


def stops(exercise, called):
    """Problems with calls that gave no result, one of each sort."""
    for c in called:
        if c.outcome.endless:
            yield endless(f" ({c.trial.label})", c.trial)
        if c.outcome.waited:
            yield waits(f" ({c.trial.label})", c.trial)
        if c.outcome.ended:
            yield ended(c.outcome.ended, f" ({c.trial.label})", c.trial)
    raised = {}
    for c in called:
        if c.outcome.raised is not None:
            raised.setdefault((c.outcome.raised.kind, c.outcome.raised.line), c)
    for c in raised.values():
        yield _raises(exercise, c, called)


def endless(where="", trial=None):
    return Problem(
        "endless",
        f"Your function did not return within seconds{where} and was stopped. Look at your loops: "
        "which condition ends them, and can it become true?",
        trial,
    )


def waits(where="", trial=None):
    return Problem(
        "waits",
        f"The checker waited {_calling.WAITS:.0f} seconds for your function{where} and saw it use "
        "almost no processor time, then stopped it. It does not compute: what does it wait for? A "
        "time.sleep, a lock, another thread?",
        trial,
    )


def ended(how, where="", trial=None):
    return Problem(
        "ended",
        f"Your function did not return{where}: {how}. It ran in a copy of Python; your notebook "
        "goes on. An answer ends with `return`, and does nothing but compute its result.",
        trial,
    )


def _raises(exercise, c, called):
    error = c.outcome.raised
    if error.kind == NotImplementedError.__name__ or "'ellipsis'" in error.says:
        return not_started()
    at = f" at {error.line}" if error.line else ""
    number = sum(other.outcome.raised is not None for other in called)
    always = "in every trial" if number == len(called) else f"in this trial: {c.trial.label}"
    python = f"{error.kind}: {error.says}" if error.says else error.kind
    id_, because = "raises", f"Python says: {python.strip()}{_after_nothing(error.says)}"
    if error.kind == "Refused":
        id_, because = "refused", f"{error.says} An answer computes its result, and no more."
    elif error.kind == MemoryError.__name__:
        id_, because = "memory", f"It needs too much memory. How large are its arrays? {because}"
    says = f"Your function stops{at}, {always}. {because}{_shapes_met(exercise, c)}"
    return Problem(id_, says, c.trial)


def _shapes_met(exercise, c):
    """The shapes of the arrays in the line that raised, and the sizes of the trial.

    Only of an argument is it known what its axes are; another axis may be as long by chance.
    """
    shapes = c.outcome.raised.shapes
    if not shapes:
        return ""
    known = {name: _own_letters(exercise, c, name, shape) for name, shape in shapes}
    told = ", ".join(
        f"{name} has the shape {f'{_shape_text(known[name])} = ' if known[name] else ''}{shape}"
        for name, shape in shapes
    )
    sizes = exercise.sizes(c.trial.arguments)
    letters = dict.fromkeys(" ".join(exercise.shapes.values()).split())
    here = ", ".join(f"{n} = {sizes[n]}" for n in letters if n in sizes)
    return f". There {told}." if all(known.values()) else f". There {told}; in this trial {here}."


def _after_nothing(says):
    """What may have returned None, where None was used as an array."""
    if "'NoneType'" not in says:
        return ""
    return (
        ". A name holds None there. Functions that change their argument return nothing, such as "
        "np.fill_diagonal, a.sort or a list's append; nor does a function without `return`."
    )


def not_started():
    return Problem(
        "not_started",
        "Your function still contains `...`: replace it with your code, then run that cell and "
        "this one again.",
    )


def wrong_kind(exercise, called):
    """Problems with type, shape and finiteness, one of each sort."""
    found = {}
    for c in called:
        if stopped(c):
            continue
        for problem in _kind_of_one(exercise, c):
            found.setdefault(problem.id, problem)
    return found.values()


def _kind_of_one(exercise, c):
    value = c.outcome.value
    names = list(exercise.returns)
    if value is None and exercise.is_value:
        yield Problem(
            "returns_nothing",
            f"There is no answer yet. It must be {_wanted(exercise, c.trial)}: run the cell in "
            "which you make it, then run this one.",
        )
        return
    if value is None:
        yield Problem(
            "returns_nothing",
            f"Your function returns nothing yet. It must return {_wanted(exercise, c.trial)}: did "
            "you write the line with `return`, and does every path through the function reach it?",
            c.trial,
        )
        return
    if len(names) > 1 and not isinstance(value, tuple):
        yield Problem(
            "wrong_type",
            f"Your function must return {len(names)} things, {', '.join(names)}; it returned "
            f"{article(value.kind if isinstance(value, NoNumbers) else 'array')}.",
            c.trial,
        )
        return
    for name, part in zip(names, exercise.parts(value), strict=True):
        yield from _kind_of_part(exercise, c, name, part)


def _kind_of_part(exercise, c, name, part):
    if isinstance(part, NoNumbers):
        yield _no_numbers(exercise, c, name, part)
        return
    array = number_array(part)
    wanted = wanted_shape(exercise, c, name, array)
    if array.shape != wanted:
        yield _wrong_shape(exercise, c, name, array, wanted)
    odd = ~np.isfinite(array)
    if c.expected is not None and array.shape == wanted:  # infinite where it should be
        odd &= np.isnan(array) | np.isfinite(c.expected[name])
        if any(np.isinf(a).any() for a in _arrays(c)):  # that is not where it has come from
            odd &= np.isnan(array)
    if odd.any():
        yield Problem(
            "not_finite",
            f"{name} holds {_first_odd(array, odd)} ({c.trial.label}). Where do you divide, take a "
            "root, a logarithm or an exponential, and which values can occur there?",
            c.trial,
        )


OF_KIND = {  # what a teacher says about results that still have to be computed
    "function": " Call it, and return what it gives.",
    "method": " The brackets of a call are missing.",
    "builtin_function_or_method": " The brackets of a call are missing.",
    "generator": " `yield` makes one, and so does (... for ... in ...): collect its numbers in an "
    "array, and return that.",
}


def _arrays(c):
    """The arguments of a trial that are arrays of real numbers."""
    arrays = (number_array(value) for value in c.trial.arguments.values())
    return [array for array in arrays if array is not None]


def _no_numbers(exercise, c, name, part):
    if part.kind == "ellipsis":
        return not_started()
    if part.shape:
        says = f"{name} has far too many numbers: yours has the shape {part.shape}."
        return Problem("shape", says, c.trial)
    if part.things and len(exercise.returns) == 1:
        says = f"Your function must return {name} alone; it returned {part.things} things."
    else:
        says = f"{name} must consist of real numbers; it is {article(part.kind)}."
        says += OF_KIND.get(part.kind, "")
    return Problem("wrong_type", says, c.trial)


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
    elif array.shape == ():
        says += " Do you take a sum or a mean over too many axes?"
    return Problem("transposed" if array.shape == wanted[::-1] else "shape", says, c.trial)


def _as_letters(exercise, c, array):
    """What a wrong shape is in letters, if the sizes of this trial tell: ", which is (N, q)"."""
    letters = _letters_of(exercise, c, array.shape)
    return f", which is {_shape_text(letters)}" if letters else ""


def _own_letters(exercise, c, name, shape):
    """The letters of an argument that still has its shape; else None."""
    letters = exercise.shapes.get(name, "").split()
    return letters if letters and np.shape(c.trial.arguments[name]) == shape else None


def _letters_of(exercise, c, shape):
    """The letters of a shape where the sizes of this trial leave no choice; else None.

    One less than a size is a choice, too: what is left where one point is left out; and so are the
    pairs. A one leaves a choice, as any axis may have come down to it; so does a number of the
    trial.
    """
    sizes = exercise.sizes(c.trial.arguments)
    names = {name for letters in exercise.shapes.values() for name in letters.split()}
    known = sizes | {f"{name} - 1": sizes[name] - 1 for name in names}
    known |= {f"{name} ({name} - 1)/2": sizes[name] * (sizes[name] - 1) // 2 for name in names}
    found = [[n for n in known if known[n] == size != 1] for size in shape]
    if not found or any(len(fitting) != 1 or fitting[0] in {*sizes} - names for fitting in found):
        return None
    letters = [fitting[0] for fitting in found]
    return None if any(f"{letter} - 1" in letters for letter in letters) else letters


def _shape_text(letters):
    return f"({', '.join(letters)}{',' if len(letters) == 1 else ''})"


def wanted_shape(exercise, c, name, array):
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


def _first_odd(array, odd):
    at = tuple(int(i) for i in np.argwhere(odd)[0])
    return f"{array[at]} at {list(at)}" if at else f"{array}"


def changes_input(names):
    which = ", ".join(names)
    return Problem(
        "changes_input",
        f"Your function changes what it was given: {which}. The caller's arrays are not yours. "
        f"Look for += and for `{names[0]}[...] =`, and work on a copy. A row of a "
        "table, as in v = table[0], is not a copy either.",
    )


def article(word):
    return f"{'an' if word[:1] in 'aeiou' else 'a'} {word}"
