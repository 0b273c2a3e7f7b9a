"""One update of iRprop-: step sizes from signs, and the move."""

import numpy as np

from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise
from ukrlearn.checks.trials import SIZES

LEAST, MOST = 1e-9, 10.0


def reference(gradient, previous, step):
    """What one turn of the loop in `descent.rprop` does with backtrack=False."""
    return STEP()(gradient, previous, step)


def trials(seed):
    random = np.random.default_rng(seed)
    column = lambda *numbers: np.array(numbers, dtype=float)[:, None]
    made = [
        _trial("three points", column(4, -2, 3), column(1, 5, 0), column(1, 4, 2)),
        _trial("a gradient of zero", column(0, -6, 1), column(3, 2, 7), column(2, 1, 4)),
    ]
    for N, _, q in SIZES:
        gradient = random.normal(size=(N, q)) * np.exp(random.uniform(-2, 2, (N, q)))
        previous = random.normal(size=(N, q)) * np.exp(random.uniform(-2, 2, (N, q)))
        previous[1], previous[2], previous[3] = 0, -2 * gradient[2], 0.7 * gradient[3]
        gradient[0, 0] = 0
        step = np.exp(random.uniform(-2, 1, (N, q)))
        made.append(_trial(f"N = {N}, q = {q}", gradient, previous, step))
    ties = column(2, 2, 0, 0, -3), column(0, 2, 0, 5, 3), column(4, 4, 2, 2, 1)
    made.append(_trial("equal entries and zeros", *ties))
    made.append(_trial("gradients a million times larger", 1e6 * gradient, 1e6 * previous, step))
    made.append(_trial("gradients a million times smaller", 1e-6 * gradient, 1e-6 * previous, step))
    made.append(
        _trial("steps near the greatest", column(2, -1, 3), column(1, 4, -2), column(9, 6, 8))
    )
    tiny = 1e-9 * column(1.5, 4, 1)
    made.append(_trial("steps near the least", column(2, 5, -1), column(-1, -3, -2), tiny))
    least = 1e-200 * column(2, -1, 3), 1e-200 * column(1, 5, -2), column(1, 4, 2)
    made.append(_trial("gradients that are almost zero", *least, at_last=True))
    return made


def _trial(label, gradient, previous, step, **how):
    return Trial(label, dict(gradient=gradient, previous=previous, step=step), **how)


def _agreement(gradient, previous):
    return np.sign(gradient) * np.sign(previous)


STEP = pipeline(
    "gradient previous step",
    returns="move new_step",
    agreement=_agreement,
    grown=lambda agreement, step: np.where(
        agreement > 0, 1.2 * step, np.where(agreement < 0, 0.5 * step, step)
    ),
    new_step=lambda grown: np.clip(grown, 1e-9, 10.0),
    lengths=lambda new_step: new_step,
    directions=lambda gradient: -np.sign(gradient),
    moving=lambda agreement: agreement >= 0,
    move=lambda directions, lengths, moving: directions * lengths * moving,
)


def _grown(growth=1.2, shrink=0.5):
    """A wrong growth or shrinking."""
    return STEP(
        grown=lambda agreement, step: np.where(
            agreement > 0, growth * step, np.where(agreement < 0, shrink * step, step)
        )
    )


def _agreed(rule):
    """Another agreement, which decides both the step sizes and the standstill."""
    return STEP(agreement=rule)


def _by_an_if(gradient, previous):
    return 1 if gradient * previous > 0 else -1  # raises, for arrays


def _same(one, other):
    return bool(np.allclose(one, other, rtol=1e-3, atol=0))


def _stood_still(value, gradient, previous, step):
    return not np.any(value[0][_agreement(gradient, previous) < 0])


def _downhill(value, gradient, previous, step):
    return bool((value[0] * gradient <= 0).all())


def _as_long_as_step(value, gradient, previous, step):
    here = (gradient != 0) & (_agreement(gradient, previous) >= 0)
    return _same(np.abs(value[0])[here], value[1][here])


def _still_without_slope(value, gradient, previous, step):
    return not np.any(value[0][gradient == 0])


def _within_limits(value, gradient, previous, step):
    return bool((value[1] >= 0.999 * LEAST).all() and (value[1] <= 1.001 * MOST).all())


def _rule(which, factor):
    """The rule for new step sizes where `which` agreement holds; limits are a separate rule."""

    def holds(value, gradient, previous, step):
        wanted = factor * step
        here = which(_agreement(gradient, previous)) & (wanted > LEAST) & (wanted < MOST)
        return _same(value[1][here], wanted[here])

    return holds


_BY_PRODUCTS = _agreed(lambda gradient, previous: gradient * previous)

MISTAKES = (
    STEP.mistake("moves_on_turn", moving=lambda: 1),
    STEP.mistake(
        "unit_direction", directions=lambda gradient: -gradient / np.linalg.norm(gradient)
    ),
    STEP.mistake("old_step", lengths=lambda step: step),
    STEP.mistake("other_limits", new_step=lambda grown: np.clip(grown, 1e-6, 50.0)),
    Misconception("factors_swapped", mistaken=_grown(growth=0.5, shrink=1.2)),
    *STEP.mistakes(
        "agreement",
        zero_agrees=lambda gradient, previous: np.where(gradient * previous >= 0, 1, -1),
        zero_turns=lambda gradient, previous: np.where(gradient * previous > 0, 1, -1),
        one_for_all=lambda gradient, previous: np.sum(gradient * previous),
        one_per_point=lambda gradient, previous: np.sum(gradient * previous, axis=1, keepdims=True),
        signs_compared=lambda gradient, previous: np.where(
            np.sign(gradient) == np.sign(previous), 1, -1
        ),
        if_on_arrays=_by_an_if,
    ),
    STEP.mistake("limits_forgotten", new_step=lambda grown: grown),
    STEP.mistake("limits_too_late", lengths=lambda grown: grown),
    STEP.mistake("limits_interchanged", new_step=lambda grown: np.clip(grown, MOST, LEAST)),
    Misconception("never_grows", mistaken=_grown(growth=1.0)),
    Misconception("never_shrinks", mistaken=_grown(shrink=1.0)),
    STEP.mistake("by_previous", directions=lambda previous: -np.sign(previous)),
    Misconception("halved_twice", mistaken=_grown(shrink=0.25)),
    Misconception("divided_by_growth", mistaken=_grown(shrink=1 / 1.2)),
    Misconception("product_vanishes", mistaken=lambda *given: _BY_PRODUCTS(*given)),
)


EXERCISE = exercise(
    "rprop",
    lesson="07_going_down",
    equations="[UKR] 2.3",
    minutes=20,
    shapes={"gradient": "N q", "previous": "N q", "step": "N q"},
    returns={"move": "N q", "new_step": "N q"},
    trials=trials,
    reference=reference,
    stages=STEP,
    properties=(
        Property("climbs", holds=_downhill),
        Property("no_standstill", holds=_stood_still),
        Property("move_is_not_step", holds=_as_long_as_step),
        Property("moves_without_slope", holds=_still_without_slope),
        Property("wrong_growth", holds=_rule(lambda agreement: agreement > 0, 1.2)),
        Property("wrong_shrinking", holds=_rule(lambda agreement: agreement < 0, 0.5)),
        Property("zero_changes_step", holds=_rule(lambda agreement: agreement == 0, 1.0)),
        Property("beyond_limits", holds=_within_limits),
    ),
    misconceptions=MISTAKES,
)
