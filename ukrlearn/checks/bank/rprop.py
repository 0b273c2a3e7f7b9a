"""One update of iRprop-: step sizes from signs, and the move."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
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
    return made


def _trial(label, gradient, previous, step):
    return Trial(label, dict(gradient=gradient, previous=previous, step=step))


def agreement(gradient, previous):
    """the products of the two gradients' signs"""
    return np.sign(gradient) * np.sign(previous)


def grown(agreement, step):
    """the step sizes before the limits"""
    return np.where(agreement > 0, 1.2 * step, np.where(agreement < 0, 0.5 * step, step))


def new_step(grown):
    """the new step sizes"""
    return np.clip(grown, 1e-9, 10.0)


def lengths(new_step):
    """the lengths of the moves"""
    return new_step


def directions(gradient):
    """the directions of the moves, minus the gradient's signs"""
    return -np.sign(gradient)


def moving(agreement):
    """the choice of the coordinates that move"""
    return agreement >= 0


def move(directions, lengths, moving):
    """the moves"""
    return directions * lengths * moving


STEP = pipeline(
    "gradient previous step",
    agreement,
    grown,
    new_step,
    lengths,
    directions,
    moving,
    move,
    returns="move new_step",
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
    return not np.any(value[0][gradient * previous < 0])


def _downhill(value, gradient, previous, step):
    return bool((value[0] * gradient <= 0).all())


def _as_long_as_step(value, gradient, previous, step):
    here = (gradient != 0) & (gradient * previous >= 0)
    return _same(np.abs(value[0])[here], value[1][here])


def _still_without_slope(value, gradient, previous, step):
    return not np.any(value[0][gradient == 0])


def _within_limits(value, gradient, previous, step):
    return bool((value[1] >= 0.999 * LEAST).all() and (value[1] <= 1.001 * MOST).all())


def _rule(which, factor):
    """The rule for new step sizes where `which` agreement holds; limits are a separate rule."""

    def holds(value, gradient, previous, step):
        wanted = factor * step
        here = which(gradient * previous) & (wanted > LEAST) & (wanted < MOST)
        return _same(value[1][here], wanted[here])

    return holds


EXERCISE = Exercise(
    name="rprop",
    title="One step of RPROP",
    lesson="07_going_down",
    equations="[UKR] 2.3",
    minutes=20,
    shapes={"gradient": "N q", "previous": "N q", "step": "N q"},
    returns={"move": "N q", "new_step": "N q"},
    trials=trials,
    reference=reference,
    stages=STEP,
    properties=(
        Property(
            "climbs",
            "No coordinate moves uphill.",
            "Some coordinates move uphill: where the gradient is positive, the move must be negative.",
            _downhill,
        ),
        Property(
            "no_standstill",
            "Where the sign has changed, the coordinate stands still once.",
            "Where the sign has changed, the move must be zero: the coordinate overran a minimum, "
            "and tries the shorter step from here next time.",
            _stood_still,
        ),
        Property(
            "move_is_not_step",
            "Where a coordinate moves, it moves by its new step size.",
            "Some moves do not have the length of the new step size. Only the sign of the "
            "gradient enters the move.",
            _as_long_as_step,
        ),
        Property(
            "moves_without_slope",
            "Where the gradient is zero, the coordinate does not move.",
            "Where the gradient is zero some coordinates move. Zero has no sign, and np.sign(0) "
            "is 0: it points nowhere. A choice between two signs needs a third case.",
            _still_without_slope,
        ),
        Property(
            "wrong_growth",
            "A step size grows by 1.2 where the sign stays.",
            "Where gradient and previous have the same sign, the new step size must be 1.2 times "
            "the old one; yours is not.",
            _rule(lambda agreement: agreement > 0, 1.2),
        ),
        Property(
            "wrong_shrinking",
            "A step size is halved where the sign has changed.",
            "Where gradient and previous have opposite signs, the new step size must be half the old "
            "one. Yours is not.",
            _rule(lambda agreement: agreement < 0, 0.5),
        ),
        Property(
            "zero_changes_step",
            "A step size stays the same where one of the two gradients is zero.",
            "Where one of the two gradients is zero, the sign has neither stayed nor changed: the "
            "step size must stay the same. Yours does not.",
            _rule(lambda agreement: agreement == 0, 1.0),
        ),
        Property(
            "beyond_limits",
            "All step sizes lie between 1e-9 and 10.",
            "Some step sizes lie below 1e-9 or above 10. Without limits, a coordinate that has "
            "settled never wakes up again, and one on a slope runs away.",
            _within_limits,
        ),
    ),
    misconceptions=(
        Misconception(
            "moves_on_turn",
            "You also move where the sign has changed, by the halved step. iRprop- stands still "
            "there once: the coordinate has just overrun a minimum. Set the move to zero there.",
            STEP(moving=lambda: 1),
        ),
        Misconception(
            "length_counts",
            "You multiply the step size by the gradient. RPROP takes only its sign: the step size "
            "alone is the length of the move.",
            STEP(directions=lambda gradient: -gradient),
        ),
        Misconception(
            "unit_direction",
            "You divide the gradient by its length. Then small components still move little. RPROP "
            "gives each coordinate its own sign, -1, 0 or 1.",
            STEP(directions=lambda gradient: -gradient / np.linalg.norm(gradient)),
        ),
        Misconception(
            "old_step",
            "You move by the old step size. First update the step sizes, then move by the new "
            "ones.",
            STEP(lengths=lambda step: step),
        ),
        Misconception(
            "other_limits",
            "Your limits are 1e-6 and 50, as in the paper that introduced RPROP. Here the step sizes "
            "lie between 1e-9 and 10.",
            STEP(new_step=lambda grown: np.clip(grown, 1e-6, 50.0)),
        ),
        Misconception(
            "factors_swapped",
            "Your steps grow where the sign changes and shrink where it stays. An equal sign "
            "means that the minimum is still ahead, so go faster.",
            _grown(growth=0.5, shrink=1.2),
        ),
        Misconception(
            "zero_agrees",
            "You let the step grow where the product of the two gradients is zero, too. After a "
            "change of sign `previous` is zero, and the step must stay short once: use > 0, not "
            ">= 0.",
            _agreed(lambda gradient, previous: np.where(gradient * previous >= 0, 1, -1)),
        ),
        Misconception(
            "zero_turns",
            "You treat a product of zero as a change of sign. There are three cases, not two: "
            "positive grows, negative shrinks, zero keeps the step size and moves by it.",
            _agreed(lambda gradient, previous: np.where(gradient * previous > 0, 1, -1)),
        ),
        Misconception(
            "limits_forgotten",
            "The limits 1e-9 and 10 have no effect on your new step sizes. Apply them after the "
            "growth and the halving; and store what np.clip returns, which changes nothing in "
            "place.",
            STEP(new_step=lambda grown: grown),
        ),
        Misconception(
            "limits_too_late",
            "You move before you apply the limits of the step sizes, and so too far or not far "
            "enough. First the limits, then the move.",
            STEP(lengths=lambda grown: grown),
        ),
        Misconception(
            "least_forgotten",
            "The lower limit is missing: no step size may ever be below 1e-9.",
            STEP(new_step=lambda grown: np.minimum(grown, MOST)),
        ),
        Misconception(
            "most_forgotten",
            "The upper limit is missing: no step size may be above 10.",
            STEP(new_step=lambda grown: np.maximum(grown, LEAST)),
        ),
        Misconception(
            "limits_interchanged",
            "The two limits are swapped, so that all your new step sizes are 1e-9. np.clip takes "
            "the lower limit first, then the upper; by hand, a step size is at least 1e-9 "
            "(np.maximum) and at most 10 (np.minimum).",
            STEP(new_step=lambda grown: np.clip(grown, MOST, LEAST)),
        ),
        Misconception(
            "move_clipped",
            "You put the limits on the move. They belong to the step sizes: a move may be "
            "negative, or zero after a change of sign.",
            STEP(
                new_step=lambda grown: grown,
                move=lambda directions, lengths, moving: np.clip(
                    directions * lengths * moving, LEAST, MOST
                ),
            ),
        ),
        Misconception(
            "one_for_all",
            "You sum the products of the two gradients over all coordinates, so that all grow or "
            "all shrink. Each coordinate decides for itself, with its own step size.",
            _agreed(lambda gradient, previous: np.sum(gradient * previous)),
        ),
        Misconception(
            "one_per_point",
            "You sum the products over the columns, so that all coordinates of a point share one "
            "decision. Each coordinate of each point has its own.",
            _agreed(lambda gradient, previous: np.sum(gradient * previous, axis=1, keepdims=True)),
        ),
        Misconception(
            "first_coordinate_decides",
            "The first coordinate of each point decides for all its columns. Each coordinate of "
            "each point has its own gradient and its own case.",
            _agreed(lambda gradient, previous: (gradient * previous)[:, :1]),
        ),
        Misconception(
            "still_on_zero",
            "You also stand still where the product is zero. A coordinate stands still once, "
            "after a change of sign: then `previous` is zero, and in this third case it must move "
            "again.",
            STEP(moving=lambda agreement: agreement > 0),
        ),
        Misconception(
            "never_grows",
            "Your steps shrink and never grow. Where the sign stays they must become 1.2 times as "
            "long, or a descent that starts with short steps never gets anywhere. Does a second "
            "np.where start from the old steps again?",
            _grown(growth=1.0),
        ),
        Misconception(
            "never_shrinks",
            "Your steps grow and never shrink. Halve them where the sign changes, or the points "
            "jump across the minimum for ever.",
            _grown(shrink=1.0),
        ),
        Misconception(
            "step_lost",
            "Where the sign changes you set the step size itself to zero. Only the move is zero "
            "there; the step size is halved, and used next time.",
            STEP(new_step=lambda agreement, grown: np.where(agreement < 0, 0, new_step(grown))),
        ),
        Misconception(
            "uphill",
            "You move in the direction of the gradient, which is uphill. The minus is missing.",
            STEP(directions=lambda gradient: np.sign(gradient)),
        ),
        Misconception(
            "by_previous",
            "You move against the sign of the previous gradient. It only decides whether the step "
            "grows; the current gradient gives the way down.",
            STEP(directions=lambda previous: -np.sign(previous)),
        ),
        Misconception(
            "lengths_compared",
            "You compare the lengths of the two gradients. RPROP compares their signs: the "
            "product of the two is positive, negative or zero.",
            STEP(
                agreement=lambda gradient, previous: np.abs(previous) - np.abs(gradient),
                moving=lambda: 1,
            ),
        ),
        Misconception(
            "signs_compared",
            "You ask whether the two signs are equal, and treat everything else as a change. Zero is "
            "a third case, for it has no sign: where one of the two gradients is zero the step size "
            "stays, and the coordinate moves by it.",
            _agreed(
                lambda gradient, previous: np.where(np.sign(gradient) == np.sign(previous), 1, -1)
            ),
        ),
        Misconception(
            "gradient_alone",
            "The sign of the gradient alone decides whether your steps grow. The question is "
            "whether it is the same as that of `previous`: take the product of the two.",
            STEP(agreement=lambda gradient: np.sign(gradient)),
        ),
        Misconception(
            "goes_back",
            "Where the sign has changed you go back the way you came. iRprop- stands still there "
            "once: the move is zero.",
            STEP(
                move=lambda directions, lengths, moving, previous, step: np.where(
                    moving, directions * lengths, np.sign(previous) * step
                )
            ),
        ),
        Misconception(
            "halved_twice",
            "Where the sign has changed you take a quarter of the step. Do you halve it twice?",
            _grown(shrink=0.25),
        ),
        Misconception(
            "divided_by_growth",
            "Where the sign has changed you divide the step by 1.2. Halve it: steps shrink faster "
            "than they grow.",
            _grown(shrink=1 / 1.2),
        ),
        Misconception(
            "if_on_arrays",
            "You ask one `if` about a whole array. Each coordinate has its own answer: choose entry "
            "by entry with np.where, or loop over the entries.",
            STEP(agreement=_by_an_if),
        ),
        Misconception(
            "order_of_results",
            "The two results are in the wrong order: first the move, then the new step sizes.",
            lambda gradient, previous, step: STEP()(gradient, previous, step)[::-1],
        ),
    ),
    hints=(
        "A ball rolls in a valley. What do you know if the slope below it points the other way than "
        "a move ago, and what if it points the same way? Which third case is there?",
        "New step: 1.2 s where the product is positive, s/2 where it is negative, s where it is "
        "zero; then limit it to [1e-9, 10]. Move: minus the sign of the gradient times the new "
        "step, and zero where the product is negative.",
        "Four lines. np.where(condition, one, other) chooses entry by entry, np.clip(a, least, "
        "most) limits, np.sign gives the signs. In this order: the product; the new step, by two "
        "nested np.where and a clip; the move; and zeros in the move where the product is "
        "negative.",
    ),
)
