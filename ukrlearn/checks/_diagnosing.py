"""Finds out what is wrong with an answer, and says the likeliest first."""

import difflib
import warnings
from dataclasses import replace

import numpy as np

from ukrlearn.checks._apart import apart
from ukrlearn.checks._calling import copied
from ukrlearn.checks._candidate import NOTED
from ukrlearn.checks._comparing import number_array, same, tolerance, where
from ukrlearn.checks._explaining import approximate, explanations
from ukrlearn.checks._replaying import Stages
from ukrlearn.checks._scoring import holds, score
from ukrlearn.checks._stopping import (
    SMALL,
    Called,
    changes_input,
    given_up,
    numbers_in,
    stopped,
    stops,
    wanted_shape,
    wrong_kind,
)
from ukrlearn.checks.exercise import Example, Exercise, Findings, Problem

MOST_STOPPED = 3  # trials without a result: an endless loop in all of 18 would cost too much
FOLLOWING = ("not_finite", "shape", "transposed")  # from a mistake that gives the same numbers


def examine(exercise: Exercise, answer, seed=0, run=apart) -> Findings:
    """All findings about an answer, which is looked at and called where `run` says.

    `run` is a context manager that takes an exercise, an answer and trials, and gives a candidate.
    """
    trials = exercise.trials(seed)
    with run(exercise, answer, trials) as candidate:
        about = candidate.about()
        if about.problem:
            problem = Problem(about.problem, about.says)
            return Findings(problems=(problem,), answer=about.source)
        trials = trials[:1] if exercise.is_value else trials
        called = _called(exercise, candidate, trials)
        findings = _judged(exercise, called, candidate, about.globals, len(trials))
    return replace(findings, answer=about.source)


def _called(exercise, candidate, trials):
    """What comes of the trials, until it is clear that the answer does not work.

    One that ends its process would end the next one too, and one that waits costs a minute. The
    others go on: where an answer stops in some trials only, the rest shows its mistake.
    """
    called = []
    for number, trial in enumerate(trials):
        outcome = candidate.call(number)
        called.append(Called(trial, outcome, _expected(exercise, trial)))
        if outcome.ended or outcome.waited or sum(map(stopped, called)) == MOST_STOPPED:
            break
    return called


def _expected(exercise, trial):
    if exercise.reference is None:
        return None
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        value = exercise.reference(*copied(trial.arguments).values())
    named = zip(exercise.returns, exercise.parts(value), strict=True)
    return {name: exercise.compared(name, np.asarray(part)) for name, part in named}


def _judged(exercise, called, candidate, names, all_trials):
    problems = [*stops(exercise, called), *wrong_kind(exercise, called)]
    changed = sorted({name for c in called for name in c.outcome.changed})
    if changed:
        problems.append(changes_input(changed))
    explained, located, example, held, right_stages = [], [], None, [], ()
    returned = [c for c in called if not stopped(c)]
    values = [(c, _values(exercise, c)) for c in returned]
    usable = [(c, value) for c, value in values if value is not None]
    wrong = [(c, value) for c, value in usable if not _right(c, value)]
    broken = _broken(exercise, usable)
    if wrong or problems or broken:
        stages = Stages(exercise, _noted(exercise, called, candidate, values))
        right_stages = stages.right
        explained = explanations(exercise, called, returned, usable, wrong, names, stages)
        if not explained and exercise.retold is not None:
            explained = [(p, True) for p in exercise.retold(returned)]
        example = _example(wrong or (usable if broken else []))
        all_right = not wrong and len(usable) == len(called)
        if not all_right and not any(is_exact for _, is_exact in explained):
            explained += [(p, False) for p in stages.shown_mistakes()]
            located = [] if broken else [*approximate(exercise, usable)]
            if wrong or len(returned) < len(called):
                located += stages.located(_wrong_results(exercise, wrong))
    else:
        problems += _luck(exercise, called, candidate)
    if len(usable) == len(called):
        doubted = {p.says for p in broken}  # properties may share a statement: it holds if all do
        tested = [p for p in exercise.properties if _could_fail(p, usable)]
        held += dict.fromkeys(p.says for p in tested if p.says not in doubted)
    problems = [*_in_order(explained, problems, broken, right_stages), *located]
    if wrong and not any(is_exact for _, is_exact in explained):
        problems.append(_unexplained(exercise, usable, wrong))
    notes = (*_outcome(exercise, usable), *_notes(called))
    share = score(exercise, called, usable, wrong, broken, problems, all_trials)
    return Findings(tuple(held), tuple(problems), example, notes, score=share)


def _noted(exercise, called, candidate, values):
    """A trial that went wrong, once more, with what the variables hold; None if there is none.

    It has too many numbers to be computed by hand; as many wrong results as there are; and as few
    round numbers as can be: where a width is 2, its square is its double. So it tells stages apart.
    """
    if exercise.stages is None:
        return None
    right = [c for c, value in values if value is not None and _right(c, value)]
    untold = [c for c in called if given_up(c.outcome)]
    off = [n for n, c in enumerate(called) if not any(c is other for other in right + untold)]
    if not off:
        return None
    large = [n for n in off if numbers_in(called[n]) > SMALL]
    compared = {id(c): [(c, value)] for c, value in values if value is not None and c.expected}
    wrong = lambda n: len(_wrong_results(exercise, compared.get(id(called[n]), [])))
    telling = lambda n: (-wrong(n), _round_arguments(called[n].trial))
    chosen = min(large, key=telling, default=off[0])
    return called[chosen]._replace(outcome=candidate.call(NOTED + chosen))


def _round_arguments(trial):
    """How many arguments hold nothing but whole numbers."""
    arrays = (number_array(value) for value in trial.arguments.values())
    return sum(a is not None and bool((a == np.round(a)).all()) for a in arrays)


def _wrong_results(exercise, wrong):
    """The names of results that are wrong in some trial; all where nothing could be compared."""
    names = {
        name
        for c, value in wrong
        for name in value
        if not same(value[name], c.expected[name], tolerance(c.outcome.value))
    }
    return names or set(exercise.returns)


def _could_fail(p, usable):
    """Whether a property says anything of these trials: some other numbers would not have it."""
    if p.tests is not None:
        return any(p.tests(*value.values(), **c.trial.arguments) for c, value in usable)
    random = np.random.default_rng(0)
    for c, value in usable:
        others = {name: _disturbed(part, random) for name, part in value.items()}
        if not holds(p, c, others):
            return True
    return False


def _disturbed(part, random):
    """Other numbers of the same size in the same shape."""
    size = np.abs(part[np.isfinite(part)]).max(initial=0) or 1.0
    return np.where(np.isfinite(part), part, 0) + size * random.normal(size=part.shape)


def _in_order(explained, problems, broken, right_stages):
    """Explained mistakes first, then what prevents a comparison, then properties.

    Where a mistake explains every number, what the numbers lack follows from it: one cause is told.
    """
    exact = [p for p, is_exact in explained if is_exact]
    guessed = [p for p, is_exact in explained if not is_exact]
    broken = [_lacking(p, right_stages) for p in broken if not exact]
    problems = [p for p in problems if not (exact and p.id in FOLLOWING)]
    ordered = [*exact, *problems, *guessed, *broken]
    by_text = {p.says: p for p in reversed(ordered)}.values()
    return list({p.id: p for p in by_text}.values())[::-1]


def _lacking(p, right_stages):
    """A property that is lacking, and questions about the stages that were not seen to be right."""
    questions = [question for stage, question in p.suspects if stage not in right_stages]
    return Problem(p.id, " ".join([p.otherwise, *questions]))


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
        if array is None or array.shape != wanted_shape(exercise, c, name, array):
            return None
        if exercise.is_value and not np.isfinite(array).all():
            return None
        found[name] = exercise.compared(name, array)
    return found


def _right(c, value):
    if c.expected is None:
        return True
    close = tolerance(c.outcome.value)
    return all(same(value[name], c.expected[name], close) for name in value)


def _broken(exercise, usable):
    """Properties that some trial lacks."""
    return [p for p in exercise.properties if not all(holds(p, c, value) for c, value in usable)]


def _luck(exercise, called, candidate):
    """What a right answer must not do either: differ from call to call, be the library's."""
    if exercise.is_value:
        return
    first = called[0]
    again = Called(first.trial, candidate.call(0), first.expected)
    if given_up(again.outcome):
        yield from stops(exercise, [again])
        return
    value, before = _values(exercise, again), _values(exercise, first)
    if value is None or any(not np.array_equal(value[k], before[k]) for k in value):
        yield Problem(
            "changes_with_calls",
            "Called twice with the same arguments, your function gives two results. Does it use "
            "random numbers, or something left over from an earlier call?",
        )
    used = {name for c in (*called, again) for name in c.outcome.modules} - {*exercise.may_use}
    if exercise.may_use or any(callable(value) for value in first.trial.arguments.values()):
        used -= {"density_kernels"}  # comes with the functions that may be called
    if "checks.bank" in used:
        yield Problem(
            "library",
            "The numbers are right, but they come from the checker, which your function asks for "
            "the solution. Write the formula yourself.",
        )
    elif used:
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
    settings = dict.fromkeys(name for c in called for name in c.outcome.settings)
    if settings:
        yield f"Your function changed {' and '.join(settings)}; the checker put that back."
    warned = dict.fromkeys(text for c in called for text in c.outcome.warned)
    if warned:
        yield "Python warned: " + "; ".join(list(warned)[:3])


def nearest_names(name, names):
    return difflib.get_close_matches(str(name), names, 3, 0.4)
