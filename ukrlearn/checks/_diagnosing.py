"""Finds out what is wrong with an answer, and says the likeliest first."""

import ast
import difflib
import textwrap
from dataclasses import replace

import numpy as np

from ukrlearn.checks._apart import apart
from ukrlearn.checks._case import Case, expected, is_right, values
from ukrlearn.checks._comparing import CLOSE, tolerance
from ukrlearn.checks._explaining import differs_from_right, shows
from ukrlearn.checks._plain import Repair, short
from ukrlearn.checks._rules import LACKING, SYMPTOM, WHERE, diagnosed, right_stages
from ukrlearn.checks._scoring import holds, score
from ukrlearn.checks._stopping import SMALL, Called, stopped
from ukrlearn.checks.exercise import Example, Exercise, Findings, Problem

LOOPS = ast.For, ast.While, ast.ListComp, ast.GeneratorExp
MOST_PRINTED = 60  # characters of a line that is told
MOST_STOPPED = 3  # trials without a result: an endless loop in all of 18 would cost too much


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
        findings = _findings(Case(exercise, called, candidate, about.globals), len(trials))
    if findings.passed and exercise.without_loops and _has_loops_within_loops(about.source):
        findings = replace(findings, notes=(*findings.notes, exercise.without_loops))
    return replace(findings, answer=about.source)


def _has_loops_within_loops(source):
    try:
        nodes = ast.walk(ast.parse(textwrap.dedent(source)))
    except SyntaxError:  # part of a longer statement
        return False
    inside = (set(ast.walk(node)) - {node} for node in nodes if isinstance(node, LOOPS))
    return any(isinstance(node, LOOPS) for nodes in inside for node in nodes)


def _called(exercise, candidate, trials):
    """What comes of the trials, until it is clear that the answer does not work.

    One that ends its process would end the next one too, and one that waits costs a minute. The
    others go on: where an answer stops in some trials only, the rest shows its mistake.
    """
    called = []
    for number, trial in enumerate(trials):
        if trial.at_last and not all(_is_done(exercise, c) for c in called):
            break
        outcome = candidate.call(number)
        called.append(Called(trial, outcome, expected(exercise, trial)))
        if outcome.ended or outcome.waited or sum(map(stopped, called)) == MOST_STOPPED:
            break
    return called


def _is_done(exercise, c):
    """Whether nothing is wrong with it, in double precision: single rounds in another way."""
    close = tolerance(c.outcome.value) == CLOSE
    return close and not c.outcome.changed and is_right(c, values(exercise, c))


def _findings(case, all_trials):
    problems, trace = diagnosed(case)
    exercise, usable, wrong, broken = case.exercise, case.usable, case.wrong, case.broken
    held = ()
    if len(usable) == len(case.called):
        doubted = {p.says for p in broken}  # properties may share a statement: it holds if all do
        tested = [p for p in exercise.properties if _could_fail(p, usable)]
        held = tuple(dict.fromkeys(p.says for p in tested if p.says not in doubted))
    example = _example(case, problems)
    notes = (*_outcome(exercise, usable), *_notes(case.called))
    right = right_stages(case) if problems else set()
    share, rubric = score(exercise, case.called, usable, wrong, broken, problems, all_trials, right)
    repair = case.repair if problems else Repair()
    seen = tuple(p for place, p in case.found if place == SYMPTOM)
    lacking = tuple(p for place, p in case.found if place in (LACKING, WHERE))
    more = dict(repair=repair, seen=seen, lacking=lacking, score=share, rubric=rubric, trace=trace)
    return Findings(held, tuple(problems), example, notes, **more)


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


# What is shown besides


def _example(case, problems):
    """The smallest trial that shows what is said first, or else one in which numbers are wrong."""
    small = []
    for c, value in case.wrong or (case.usable if case.broken else []):
        sizes = [np.size(a) for a in (*c.trial.arguments.values(), *value.values())]
        if max(sizes, default=0) <= SMALL:
            small.append((sum(sizes), c, value))
    small.sort(key=lambda one: one[0])
    lacking = [p for p in case.broken if problems and p.id == problems[0].id]
    made = problems[0].made if problems else None
    for _, c, value in small:
        if made is not None and shows(made, case.exercise, c):
            return Example(c.trial, c.expected, value, shows=True)
        if lacking and not all(holds(p, c, value) for p in lacking):
            return Example(c.trial, c.expected, value, shows=True)
    if made is not None:  # best one in which it counts, with what else is wrong
        small.sort(key=lambda one: not differs_from_right(made, case.exercise, one[1]))
    for _, c, value in small:
        if case.wrong or not all(holds(p, c, value) for p in case.broken):
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
        first = [short(line, MOST_PRINTED) for line in printed.strip().splitlines()[:5]]
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
