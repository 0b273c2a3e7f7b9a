"""Distances that know the labels, [SI] (1), without overflow."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import staged

SIZES = ((7, 3, 2), (6, 4, 3), (11, 2, 2))  # N, d, number of classes
GREATEST = (
    1200.0  # of e² / β in the trial of long distances: exp overflows at 709, its root at 1419
)
SMALLEST = 1e-6  # rounding of a root of a difference near zero


def reference(Y, labels, alpha, times):
    s = _over_unit(_squares(Y), times)
    return np.where(_alike(labels), _same(s), _other(s, alpha))


def _squares(Y):
    return np.sum((Y[:, None] - Y) ** 2, axis=2)


def _mean_square(E2):
    N = len(E2)
    return E2.sum() / (N * (N - 1))


def _over_unit(E2, times):
    return E2 / (times * _mean_square(E2))


def _alike(labels):
    return labels[:, None] == labels


def _same(s):
    return np.sqrt(-np.expm1(-s))


def _other(s, alpha):
    return np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s))


def trials(seed):
    random = np.random.default_rng(seed)
    line = dict(Y=np.array([[0.0], [1.0], [2.0]]), labels=np.array([1, 1, 2]), alpha=0.5, times=0.5)
    made = [Trial("three points on a line, β = 1", line)]
    for N, d, classes in SIZES:
        Y = random.gamma(1.5, size=(N, d)) * (1 + np.arange(d)) + 2
        labels = random.permutation(np.arange(N) % classes) * 3 - 1
        arguments = dict(
            Y=Y, labels=labels, alpha=random.uniform(0.3, 0.9), times=random.uniform(0.6, 1.6)
        )
        made.append(Trial(f"N = {N}, d = {d}, {classes} classes", arguments))
    made.append(Trial("α = 0", dict(arguments, alpha=0.0)))
    made.append(Trial("a large unit, so that α counts", dict(arguments, times=30.0)))
    made.append(Trial("data a thousand times larger", dict(arguments, Y=1000 * Y)))
    centred = Y - Y.mean(axis=0)
    centred[0] = 0
    made.append(Trial("data around the origin", dict(arguments, Y=centred)))
    twins = Y.copy()
    twins[1] = twins[0]
    twins[3] = twins[2]
    of_twins = labels.copy()
    of_twins[:4] = [2, 2, 2, 5]  # the second pair of equal points has different labels
    made.append(Trial("equal points", dict(arguments, Y=twins, labels=of_twins)))
    alone = np.where(np.arange(N) == 4, 7, 3)
    made.append(Trial("a class with one member", dict(arguments, labels=alone)))
    made.append(Trial("a single class", dict(arguments, labels=np.full(N, 4))))
    E2 = _squares(Y)
    ends = np.unravel_index(E2.argmax(), E2.shape)
    far = np.where(np.arange(N) == ends[0], 1, 2)  # the longest distance is between classes
    small = E2.max() / (GREATEST * _mean_square(E2))
    made.append(Trial("a tiny unit, long distances", dict(arguments, labels=far, times=small)))
    return made


@staged
def _made(
    squares=_squares,
    over_unit=_over_unit,
    alike=_alike,
    same=lambda s, alpha: _same(s),
    other=_other,
    combined=np.where,
):
    """The reference with some of its stages exchanged."""

    def distances(Y, labels, alpha, times):
        s = over_unit(squares(Y), times)
        return combined(alike(labels), same(s, alpha), other(s, alpha))

    return distances


def _unit(unit):
    """Another unit in place of the mean square: of the squared distances."""
    return lambda E2, times: E2 / (times * unit(E2))


def _pairs(E2):
    return E2[np.triu_indices(len(E2), 1)]


def _literal(s, alpha):
    return np.sqrt(np.exp(s) - alpha)


def _clipped(s, alpha):
    return np.sqrt(np.exp(np.minimum(s, 700)) - alpha)


def _replaced(s, alpha):
    return np.sqrt(np.nan_to_num(np.exp(s)) - alpha)


def _symmetric(Q, **given):
    return bool(np.allclose(Q, Q.T, rtol=1e-4, atol=1e-9))


def _within_one(Q, Y, labels, alpha, times):
    within = Q[_alike(labels)]
    return bool((within >= 0).all() and (within <= 1 + SMALLEST).all())


def _gap(Q, Y, labels, alpha, times):
    between = Q[~_alike(labels)]
    return bool((between >= np.sqrt(1 - alpha) * (1 - 1e-3)).all())


def _all_finite(Q, **given):
    return bool(np.isfinite(Q).all())


def _zero_to_itself(Q, **given):
    return bool((np.abs(np.diagonal(Q)) < 1e-3).all())


EXERCISE = Exercise(
    name="label_distance",
    title="A distance that knows the labels",
    lesson="29_labels_inside",
    equations="[SI] (1)",
    minutes=20,
    shapes={"Y": "N d", "labels": "N", "alpha": "", "times": ""},
    returns={"Q": "N N"},
    trials=trials,
    reference=reference,
    properties=(
        Property(
            "finite",
            "All distances are finite.",
            "Some distances are infinite or no numbers. exp(e²/β) is too large for a computer where "
            "e²/β > 709, but its root is not: take the root before you form the exponential.",
            _all_finite,
        ),
        Property(
            "symmetric",
            "The matrix Q is symmetric.",
            "Q is not symmetric, but (1) does not ask which of the two points comes first. Is the "
            "same comparison made for (i, j) and (j, i)?",
            _symmetric,
        ),
        Property(
            "zero_to_itself",
            "The distance of a point to itself is zero.",
            "The diagonal of Q is not zero. A point has its own label and e = 0, so the first case "
            "of (1) gives √(1 - 1) = 0.",
            _zero_to_itself,
        ),
        Property(
            "within_one",
            "Distances within a class are between 0 and 1.",
            "Some distances within a class are above 1 or below 0. The first case of (1) is the root "
            "of 1 minus a number between 0 and 1.",
            _within_one,
        ),
        Property(
            "gap",
            "Distances between classes are at least √(1 - α).",
            "Some distances between classes are below √(1 - α). At e = 0 the second case of (1) is "
            "√(exp(0) - α), and it grows from there.",
            _gap,
        ),
    ),
    misconceptions=(
        Misconception(
            "overflow",
            "The formula is right, but you form exp(e²/β), which is infinite for e²/β > 709. Use that "
            "√(exp(s) - α) = exp(s/2) √(1 - α exp(-s)): no factor overflows before the result does.",
            _made(other=_literal),
        ),
        Misconception(
            "clipped",
            "You cut the exponent off, so all long distances become equal and their order is lost. "
            "Nothing needs to be cut: √(exp(s) - α) = exp(s/2) √(1 - α exp(-s)).",
            _made(other=_clipped),
        ),
        Misconception(
            "replaced",
            "You replace infinite values by a large number, so all long distances become equal and "
            "their order is lost. √(exp(s) - α) = exp(s/2) √(1 - α exp(-s)) is finite as it is.",
            _made(other=_replaced),
        ),
        Misconception(
            "alpha_dropped",
            "For long distances α does not matter, but for short ones it does: exp(s/2) alone is the "
            "second case without α. A factor √(1 - α exp(-s)) is missing.",
            _made(other=lambda s, alpha: np.exp(s / 2)),
        ),
        Misconception(
            "alpha_outside",
            "You subtract α after the root. In (1) it stands under the root.",
            _made(other=lambda s, alpha: np.exp(s / 2) - alpha),
        ),
        Misconception(
            "alpha_added",
            "You add α under the root. (1) subtracts it: α makes distances between classes shorter.",
            _made(other=lambda s, alpha: np.exp(s / 2) * np.sqrt(1 + alpha * np.exp(-s))),
        ),
        Misconception(
            "alpha_not_damped",
            "In exp(s/2) √(1 - α exp(-s)) you left out the last exponential: √(1 - α) is right only at "
            "e = 0. What remains of α / exp(s) for long distances?",
            _made(other=lambda s, alpha: np.exp(s / 2) * np.sqrt(1 - alpha)),
        ),
        Misconception(
            "alpha_half_damped",
            "Your factor is √(1 - α exp(-s/2)). Pull all of exp(s) out of the root: exp(s/2) before it, and "
            "α / exp(s) = α exp(-s) within it.",
            _made(other=lambda s, alpha: np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s / 2))),
        ),
        Misconception(
            "alpha_in_both",
            "You use α in both cases. The first case of (1), for equal labels, has none.",
            _made(same=lambda s, alpha: np.sqrt(1 - alpha * np.exp(-s))),
        ),
        Misconception(
            "one_for_alpha",
            "In the second case you subtract 1 where (1) subtracts α.",
            _made(other=lambda s, alpha: np.exp(s / 2) * np.sqrt(1 - np.exp(-s))),
        ),
        Misconception(
            "cases_exchanged",
            "The two cases are exchanged: equal labels get the growing distances. Points of one class "
            "should come closer together.",
            _made(same=_other, other=lambda s, alpha: _same(s)),
        ),
        Misconception(
            "roots_forgotten",
            "Both cases lack their root: you return q², not q.",
            _made(
                same=lambda s, alpha: -np.expm1(-s),
                other=lambda s, alpha: np.exp(s) - alpha,
            ),
        ),
        Misconception(
            "first_root_forgotten",
            "The first case lacks its root: 1 - exp(-e²/β) is q², not q.",
            _made(same=lambda s, alpha: -np.expm1(-s)),
        ),
        Misconception(
            "not_squared",
            "You divide e by β, not e². Both exponents of (1) contain the squared distance.",
            _made(over_unit=lambda E2, times: np.sqrt(E2) / (times * _mean_square(E2))),
        ),
        Misconception(
            "mean_distance",
            "Your β is the mean distance: the paper's choice, which depends on the unit of the data. "
            "Here β is `times` the mean of the squared distances.",
            _made(over_unit=_unit(lambda E2: np.sqrt(_pairs(E2)).mean())),
        ),
        Misconception(
            "mean_distance_squared",
            "Your β is the square of the mean distance. Take the mean of the squares: squaring comes "
            "first.",
            _made(over_unit=_unit(lambda E2: np.sqrt(_pairs(E2)).mean() ** 2)),
        ),
        Misconception(
            "root_mean_square",
            "Your β is the root of the mean square, a length. e²/β has no unit only if β is the mean "
            "square itself.",
            _made(over_unit=_unit(lambda E2: np.sqrt(_mean_square(E2)))),
        ),
        Misconception(
            "diagonal_counted",
            "Your mean counts the N zeros on the diagonal, the distances of points to themselves. A "
            "pair is two different points: divide the sum by N (N - 1).",
            _made(over_unit=_unit(np.mean)),
        ),
        Misconception(
            "pairs_counted_twice",
            "You add every pair twice, as (i, j) and as (j, i), and divide by N (N - 1) / 2, which "
            "counts it once. Your β is twice too large.",
            _made(over_unit=_unit(lambda E2: 2 * _mean_square(E2))),
        ),
        Misconception(
            "half_the_pairs",
            "Your β is half of the mean square. Either add each pair once and divide by N (N - 1) / 2, "
            "or add it twice and divide by N (N - 1). (The total variance is near half of it too.)",
            _made(over_unit=_unit(lambda E2: _mean_square(E2) / 2)),
        ),
        Misconception(
            "total_variance",
            "Your β is the sum of the variances of the columns. The mean squared distance of pairs is "
            "2 N / (N - 1) times as large.",
            _made(over_unit=_unit(lambda E2: np.mean(E2) / 2)),
        ),
        Misconception(
            "times_forgotten",
            "You did not use the argument `times`: β is `times` the mean squared distance.",
            _made(over_unit=lambda E2, times: E2 / _mean_square(E2)),
        ),
        Misconception(
            "times_upside_down",
            "You divide the mean square by `times`. β is `times` the mean squared distance, so that a "
            "large value makes e²/β small.",
            _made(over_unit=lambda E2, times: E2 * times / _mean_square(E2)),
        ),
        Misconception(
            "median",
            "Your β uses the median of the squared distances. It is their mean.",
            _made(over_unit=_unit(lambda E2: np.median(_pairs(E2)))),
        ),
        Misconception(
            "exponent_sign",
            "The first case has the sign of "
            "the exponent wrong: 1 - exp(+s) is negative. The exponent is -e²/β.",
            _made(same=lambda s, alpha: np.sqrt(np.abs(1 - np.exp(s)))),
        ),
        Misconception(
            "labels_as_numbers",
            "You treat labels as numbers, for instance by their product or their sign. Labels are names: "
            "only ask whether two of them are equal.",
            _made(alike=lambda labels: labels[:, None] * labels > 0),
        ),
        Misconception(
            "alpha_outside_literal",
            "Two things: α stands under the root in (1), and you subtract it outside; and exp(e²/β) "
            "overflows, its root exp(e²/2β) does not.",
            _made(other=lambda s, alpha: np.sqrt(np.exp(s)) - alpha),
        ),
        Misconception(
            "exchanged_literal",
            "Two things: the two cases are exchanged, equal labels should get the first; and exp(e²/β) "
            "overflows where e²/β > 709.",
            _made(same=_literal, other=lambda s, alpha: _same(s)),
        ),
        Misconception(
            "diagonal_counted_literal",
            "Two things: the mean counts the N zeros on the diagonal, so β is too small; and exp(e²/β) "
            "overflows where e²/β > 709.",
            _made(over_unit=_unit(np.mean), other=_literal),
        ),
        Misconception(
            "mean_distance_literal",
            "Two things: β is `times` the mean of the *squared* distances; and exp(e²/β) overflows "
            "where e²/β > 709.",
            _made(over_unit=_unit(lambda E2: np.sqrt(_pairs(E2)).mean()), other=_literal),
        ),
    ),
    hints=(
        "At which e²/β does exp(e²/β) stop being a number, and at which does its square root? Take "
        "√(exp(s) - α) and pull exp(s) out of the root.",
        "With s = e²/β: the first case is √(1 - exp(-s)). The second is exp(s/2) √(1 - α exp(-s)), "
        "in which no factor overflows before the result does. β is `times` the mean of e² over all "
        "pairs of different points.",
        "E2 = np.sum((Y[:, None] - Y) ** 2, axis=2) holds all squared distances. Its sum over "
        "N (N - 1) is their mean. labels[:, None] == labels says which pairs have the same label, "
        "and np.where(same, first, second) puts the two cases together.",
    ),
)
