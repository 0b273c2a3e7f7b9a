"""The order in which an answer is diagnosed: one table of named rules.

The rules are asked in turn. `when` says whether a rule concerns the case as it stands, `finds`
gives its problems, and `place` says where they come in the report. Most causes are looked for only
where nothing explains the answer yet: a rule comes before those that it makes needless. One change
of the right answer is looked for before two, known mistakes before slips.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ukrlearn.checks import _explaining as look
from ukrlearn.checks._case import Case, wrong_results
from ukrlearn.checks._comparing import same, tolerance, where
from ukrlearn.checks._scoring import holds
from ukrlearn.checks._stopping import changes_input, given_up, stops, wrong_kind
from ukrlearn.checks.exercise import Problem
from ukrlearn.checks.stages import is_of, right_parts

CAUSE = "cause"  # explains every number
SYMPTOM = "symptom"  # what prevents a comparison, or breaks a rule of the course
GUESS = "guess"  # explains a part
LACKING = "lacking"  # a property; where there is a cause, it follows from it
LINE = "line"  # of theirs: a change there makes every number right; properties may say more
WHERE = "where"  # the numbers differ, and what is right
ORDER = (CAUSE, SYMPTOM, GUESS, LACKING, LINE)  # WHERE comes last
FOLLOWING = ("not_finite", "shape", "transposed")  # from a mistake that gives the same numbers


class Rule(NamedTuple):
    """A place to look for what is wrong with an answer."""

    name: str
    when: Callable  # case -> whether this is asked
    finds: Callable  # case -> problems
    place: str = CAUSE


def _is_wrong(c):
    return bool(c.wrong or c.broken) or c.has(SYMPTOM)


def _open(c):
    """Nothing explains what is wrong."""
    return _is_wrong(c) and not c.has(CAUSE, LINE, GUESS)


def _differs(c):
    return _open(c) and c.differs


def _differs_only(c):
    """Numbers are wrong, and nothing was raised."""
    return _open(c) and bool(c.wrong) and not c.raised


def _raises(c):
    return _open(c) and bool(c.raised)


def _in_part(c):
    """Of several results, some are wrong, and no cause gives all of them."""
    return _open(c) and bool(c.wrong) and len(c.exercise.returns) > 1


def _unnamed(c):
    return _is_wrong(c) and not c.all_right and not c.has(CAUSE)


def _second_may_be_found(c):
    return _open(c) and (c.wrong or c.raised) and c.tells and not [*look.approximate(c)]


def _unsure(c):
    return _unnamed(c) and not c.has(LINE)


RULES = (
    Rule("called twice", lambda c: True, look.unlike_another_call),
    Rule("it stops", lambda c: True, lambda c: stops(c.exercise, c.called), SYMPTOM),
    Rule("type or shape", lambda c: True, lambda c: wrong_kind(c.exercise, c.called), SYMPTOM),
    Rule("arguments changed", lambda c: c.changed, lambda c: [changes_input(c.changed)], SYMPTOM),
    Rule(
        "results in another order",
        lambda c: _is_wrong(c) and not c.raised and len(c.exercise.returns) > 1,
        look.in_another_order,
    ),
    Rule("parameters in another order", _open, look.parameters),
    Rule("known mistake", lambda c: _open(c) and not c.raised, lambda c: c.fit),
    Rule("constant", _differs_only, look.constant),
    Rule("rounded", _differs_only, look.rounded),
    Rule(
        "known mistake that stops there too",
        lambda c: _raises(c) and c.fit,
        lambda c: c.fit_and_stop,
    ),
    Rule("two mistakes, one fits results", lambda c: _raises(c) and c.fit, lambda c: c.two),
    Rule("mistake of most trials", lambda c: _raises(c) and c.fits_alone, lambda c: c.fit),
    Rule(
        "data of the notebook, results wrong",
        lambda c: _open(c) and c.names and c.wrong,
        look.uses_globals,
    ),
    Rule("data of the notebook", lambda c: _open(c) and c.names, look.uses_globals, GUESS),
    Rule(
        "left empty, all else right",
        _differs_only,
        lambda c: c.empty if c.empty and not look.others_off(c) else (),
    ),
    Rule(
        "a multiple, or one term", _differs_only, lambda c: c.related if len(c.related) == 1 else ()
    ),
    Rule("slip", lambda c: _differs(c) and c.tells, lambda c: _known_instead(c, c.slip)),
    Rule(
        "known mistake, results in another order",
        lambda c: _open(c) and not c.raised and len(c.exercise.returns) > 1,
        lambda c: look.in_another_order(c, mistaken=True),
    ),
    Rule("two mistakes", lambda c: _differs(c) and c.tells, lambda c: c.two),
    Rule(
        "a line, and the mistake left after it",
        lambda c: _second_may_be_found(c) and not c.repair.lines,
        look.line_and_mistake,
    ),
    Rule("several terms", _differs_only, lambda c: c.related),  # known mistakes say more
    Rule("left empty", _differs_only, lambda c: c.empty),
    Rule(
        "mistake and slip",
        lambda c: _open(c) and c.wrong and c.tells,
        lambda c: _known_instead(c, look.mistake_and_slip(c)),
    ),
    Rule("known mistake that stops", _raises, look.known_that_raise),
    Rule(
        "slip, results all right",
        lambda c: _raises(c) and c.returned,
        lambda c: _known_instead(c, c.slip),
    ),
    Rule("two mistakes, results all right", lambda c: _raises(c) and c.returned, lambda c: c.two),
    Rule("slip that stops", _raises, lambda c: _known_instead(c, look.slip_that_raises(c))),
    Rule(
        "known mistake in one result",
        _in_part,
        lambda c: look.mistakes(c.exercise, c.returned, in_part=True),
    ),
    Rule(
        "known mistakes, result by result",
        _in_part,
        lambda c: look.by_result(c.exercise, c.returned),
        GUESS,
    ),
    Rule("repaired lines", _differs_only, look.in_lines, LINE),
    Rule("repaired lines, no result", lambda c: _open(c) and not c.all_right, look.in_lines, GUESS),
    Rule("a multiple in one result", _in_part, lambda c: look.related(c, alone=True), GUESS),
    Rule(
        "the exercise's own",
        lambda c: _open(c) and c.exercise.retold,
        lambda c: c.exercise.retold(c.returned),
    ),
    Rule("known mistake in most trials", _differs_only, look.of_most_trials, GUESS),
    Rule("mistake in a variable", _unnamed, lambda c: c.stages.shown_mistakes(), GUESS),
    Rule(
        "property",
        lambda c: c.broken and not c.has(CAUSE),
        lambda c: [_lacking(p, c.stages.right) for p in _broken_by_numbers(c)],
        LACKING,
    ),
    Rule("approximation", lambda c: _unsure(c) and not c.broken, look.approximate, WHERE),
    Rule(
        "right variables",
        lambda c: _unsure(c) and (c.wrong or len(c.returned) < len(c.called)),
        lambda c: c.stages.located(wrong_results(c.exercise, c.wrong), _spoiled(c)),
        WHERE,
    ),
    Rule("wrong trials", lambda c: _unsure(c) and c.wrong, lambda c: _unexplained(c), WHERE),
    Rule("luck", lambda c: not _is_wrong(c), lambda c: _luck(c), SYMPTOM),
)


def diagnosed(c: Case):
    """(problems, the likeliest first; the trace: (name of a rule, what came of it) in order)."""
    trace = []
    for rule in RULES:
        if not rule.when(c):
            trace.append((rule.name, "not asked"))
            continue
        found = list(rule.finds(c))
        c.found += [(rule.place, problem) for problem in found]
        trace.append((rule.name, ", ".join(problem.id for problem in found) or "nothing"))
    return _in_order(c), tuple(trace)


def right_stages(c: Case):
    """The stages that are right: known mistakes leave them, or a variable has held them."""
    causes, seen = [p for place, p in c.found if place == CAUSE], {*c.stages.right}
    # A guess can look like a slip: the mean of all data is as if all distances were zero.
    known = all(is_of(c.exercise.stages, p.made) and look.SLIP not in p.id for p in causes)
    if causes and known:
        right = set.intersection(*(right_parts(p.made) for p in causes)) | seen
        return right.difference(*(p.made.exchanged for p in causes))
    return seen


def _in_order(c):
    """Causes first, then what prevents a comparison, guesses, properties, and what differs where.

    Where a mistake explains every number, what the numbers lack follows from it: one cause is told.
    """
    skipped = FOLLOWING if c.has(CAUSE) else ()
    ordered = [
        p
        for place in ORDER
        for where_, p in c.found
        if where_ == place and not (place == SYMPTOM and p.id in skipped)
    ]
    by_text = {p.says: p for p in reversed(ordered)}.values()
    told = list({p.id: p for p in by_text}.values())[::-1]
    return [*told, *(p for place, p in c.found if place == WHERE)]


def _known_instead(c, found):
    """The known mistakes that fit the results, where one slip of the same stage is all of it."""
    found = list(found)
    (id_, *others) = [p.id for p in found] or [""]
    if others or not id_.startswith(look.SLIP):
        return found
    stage = {id_.removeprefix(look.SLIP)}
    at_it = {
        m.id for m in c.exercise.misconceptions if stage == {*getattr(m.mistaken, "exchanged", ())}
    }
    return [p for p in c.fit if p.id in at_it] or found


def _broken_by_numbers(c):
    """The properties that are lacking where a result holds numbers: that it does not is said."""
    told = any(p.id == "not_finite" for _, p in c.found)
    holding = [v for v in c.usable if not (told and any(np.isnan(a).any() for a in v[1].values()))]
    return [p for p in c.broken if not all(holds(p, *one) for one in holding)]


def _lacking(p, right_stages):
    """A property that is lacking, and questions about the stages that were not seen to be right."""
    questions = [question for stage, question in p.suspects if stage not in right_stages]
    return Problem(p.id, " ".join([p.otherwise, *questions]))


def _luck(c):
    """What a right answer must not do either: be the library's."""
    exercise, called = c.exercise, c.called
    if exercise.is_value:
        return
    first, again = called[0], c.again
    if given_up(again.outcome):
        yield from stops(exercise, [again])
        return
    used = {name for one in (*called, again) for name in one.outcome.modules} - {*exercise.may_use}
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


def _spoiled(c):
    """The stages in which known mistakes were found."""
    return {part for _, p in c.found for part in getattr(p.made, "exchanged", ())}


def _unexplained(case):
    """Where the values differ: in which trials, at which points."""
    usable, wrong = case.usable, case.wrong
    c, value = wrong[0]
    name = next(n for n in value if not same(value[n], c.expected[n], tolerance(c.outcome.value)))
    differs = lambda other, v: (
        not same(v[name], other.expected[name], tolerance(other.outcome.value))
    )
    wrong = [(other, v) for other, v in wrong if differs(other, v)]
    right = [other.trial.label for other, v in usable if not differs(other, v)]
    says = f"The values of {name} differ in {len(wrong)} of {len(usable)} trials."
    if right:
        says += f" Right: {'; '.join(right)}. Wrong: {'; '.join(w.trial.label for w, _ in wrong)}."
    says += where(value[name], c.expected[name])
    yield Problem("values", says, c.trial)
