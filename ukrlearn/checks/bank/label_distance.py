"""Distances that know the labels, [SI] (1), without overflow."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline

SIZES = ((7, 3, 2), (6, 4, 3), (11, 2, 2))  # N, d, number of classes
GREATEST = (
    1200.0  # of e² / β in the trial of long distances: exp overflows at 709, its root at 1419
)
SMALLEST = 1e-6  # rounding of a root of a difference near zero


def reference(Y, labels, alpha, times):
    s = _squares(Y) / (times * _mean_square(_squares(Y)))
    within = np.sqrt(-np.expm1(-s))
    between = np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s))
    return np.where(_alike(labels), within, between)


def _squares(Y):
    return np.sum((Y[:, None] - Y) ** 2, axis=2)


def _mean_square(E2):
    N = len(E2)
    return E2.sum() / (N * (N - 1))


def _alike(labels):
    return labels[:, None] == labels


def trials(seed):
    random = np.random.default_rng(seed)
    line = dict(Y=np.array([[0.0], [1.0], [2.0]]), labels=np.array([1, 1, 2]), alpha=0.5, times=0.5)
    made = [Trial("three points on a line, β = 1", line)]
    long = dict(line, times=0.0025)
    made.append(Trial("three points on a line, e²/β up to 800", long))
    cross = np.array([[0.0, 0.0], [0.0, 0.0], [3.0, 4.0], [-5.0, 0.0]])
    of_cross = dict(Y=cross, labels=np.array([-1, 2, 2, -1]), alpha=0.75, times=2.0)
    made.append(Trial("four points around the origin, two of them in it", of_cross))
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


def squares(Y):
    """the squared distances e²"""
    return np.sum((Y[:, None] - Y) ** 2, axis=2)


def mean_square(squares):
    """the mean of e² over all pairs of different points"""
    N = len(squares)
    return np.sum(squares) / (N * (N - 1))


def beta(mean_square, times):
    """the unit β"""
    return times * mean_square


def s(squares, beta):
    """the quotients s = e²/β"""
    return squares / beta


def within(s):
    """the first case √(1 - exp(-s))"""
    return np.sqrt(1 - np.exp(-s))


def root(s):
    """the root exp(s/2) of exp(s)"""
    return np.exp(s / 2)


def damping(s, alpha):
    """the factor √(1 - α exp(-s))"""
    return np.sqrt(1 - alpha * np.exp(-s))


def product(root, damping):
    """the second case √(exp(s) - α)"""
    return root * damping


def between(product):
    """the second case for long distances"""
    return product


def alike(labels):
    """the comparison of labels"""
    return labels[:, None] == labels


def Q(alike, within, between):
    """the two cases put together"""
    return np.where(alike, within, between)


CASES = pipeline(
    "Y labels alpha times",
    squares, mean_square, beta, s, within, root, damping, product, between, alike, Q,
)  # fmt: skip


# Mistakes


def _pairs(squares):
    return squares[np.triu_indices(len(squares), 1)]


def _too_long(s):
    with np.errstate(over="ignore"):
        return np.isinf(np.exp(s))


def _infinite(s, product):
    """exp(s) is formed before its root is taken."""
    return np.where(_too_long(s), np.inf, product)


def _replaced(s, product):
    return np.where(_too_long(s), np.sqrt(np.finfo(float).max), product)


def _clipped(most):
    """Exponents cut off, in both cases; the first one is 1 there to all digits."""
    return CASES(s=lambda squares, beta: np.minimum(squares / beta, most))


def _of_pairs(which):
    """The mean over pairs of points with the same or with different labels; of all if there are none."""

    def mean_square(squares, labels):
        chosen = which(labels) & ~np.eye(len(squares), dtype=bool)
        return squares[chosen if chosen.any() else ~np.eye(len(squares), dtype=bool)].mean()

    return CASES(mean_square=mean_square)


def _as_indices(labels):
    """Rows of an identity matrix; a negative label counts from its end."""
    one_hot = np.eye(labels.max() + 1)[labels]
    return one_hot @ one_hot.T > 0


def _as_rows(labels):
    return np.eye(len(np.unique(labels)))[labels]


def _as_columns(labels):
    one_hot = np.zeros((len(labels), len(np.unique(labels))))
    one_hot[np.arange(len(labels)), labels] = 1
    return one_hot @ one_hot.T > 0


CUT_OFF = (
    "You cut the exponent off, so all long distances become equal and their order is lost. "
    "Nothing needs to be cut: √(exp(s) - α) = exp(s/2) √(1 - α exp(-s))."
)
NAMES = (
    "You use labels as numbers of rows or columns. Labels are names, any whole numbers, negative "
    "ones included: only ask whether two of them are equal, labels[:, None] == labels."
)


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
    stages=CASES,
    properties=(
        Property(
            "finite",
            "All distances are finite.",
            "Some distances are infinite or no numbers. All of (1) can be computed for e²/β up to 1200.",
            _all_finite,
            (
                ("s", "Is your β `times` the mean of the squared distances?"),
                (
                    "between",
                    "Do you form exp(e²/β)? It is too large for a computer where e²/β > 709; its root "
                    "exp(e²/2β) is not.",
                ),
                ("within", "Is there a root of a negative number?"),
            ),
        ),
        Property(
            "symmetric",
            "The matrix Q is symmetric.",
            "Q is not symmetric, but (1) does not ask which of the two points comes first.",
            _symmetric,
            (("alike", "Is the same comparison made for (i, j) and (j, i)?"),),
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
            "You form exp(e²/β), which is infinite for a computer where e²/β > 709. Its root is not: "
            "use that √(exp(s) - α) = exp(s/2) √(1 - α exp(-s)): no factor overflows before the result "
            "does.",
            CASES(between=_infinite),
        ),
        Misconception(
            "clipped",
            CUT_OFF,
            _clipped(700),
        ),
        Misconception(
            "clipped_at_709",
            CUT_OFF,
            _clipped(709),
        ),
        Misconception(
            "clipped_at_600",
            CUT_OFF,
            _clipped(600),
        ),
        Misconception(
            "clipped_at_500",
            CUT_OFF,
            _clipped(500),
        ),
        Misconception(
            "replaced",
            "You replace infinite values by a large number, so all long distances become equal and "
            "their order is lost. √(exp(s) - α) = exp(s/2) √(1 - α exp(-s)) is finite as it is.",
            CASES(between=_replaced),
        ),
        Misconception(
            "long_as_zero",
            "Where exp(e²/β) is infinite, you put 0: the longest distances become the shortest. "
            "√(exp(s) - α) = exp(s/2) √(1 - α exp(-s)) is finite as it is.",
            CASES(between=lambda s, product: np.where(_too_long(s), 0, product)),
        ),
        Misconception(
            "alpha_dropped",
            "For long distances α does not matter, but for short ones it does: exp(s/2) alone is "
            "the second case without α. A factor √(1 - α exp(-s)) is missing.",
            CASES(damping=lambda: 1.0),
        ),
        Misconception(
            "alpha_outside",
            "You subtract α after the root. In (1) it stands under the root.",
            CASES(product=lambda root, alpha: root - alpha),
        ),
        Misconception(
            "root_of_each_term",
            "You take the root of each term: exp(s/2) - √α. The root of a difference is not the "
            "difference of the roots. Pull exp(s) out: exp(s/2) √(1 - α exp(-s)).",
            CASES(product=lambda root, alpha: root - np.sqrt(alpha)),
        ),
        Misconception(
            "alpha_added",
            "You add α under the root. (1) subtracts it: α makes distances between classes shorter.",
            CASES(damping=lambda s, alpha: np.sqrt(1 + alpha * np.exp(-s))),
        ),
        Misconception(
            "alpha_not_damped",
            "In exp(s/2) √(1 - α exp(-s)) you left out the last exponential: √(1 - α) is right only "
            "at e = 0. What remains of α / exp(s) for long distances?",
            CASES(damping=lambda alpha: np.sqrt(1 - alpha)),
        ),
        Misconception(
            "alpha_half_damped",
            "Your factor is √(1 - α exp(-s/2)). Pull all of exp(s) out of the root: exp(s/2) before "
            "it, and α / exp(s) = α exp(-s) within it.",
            CASES(damping=lambda s, alpha: np.sqrt(1 - alpha * np.exp(-s / 2))),
        ),
        Misconception(
            "damping_not_rooted",
            "Your second case is exp(s/2) (1 - α exp(-s)): the factor in brackets still stands "
            "under the root. √(exp(s) - α) = exp(s/2) √(1 - α exp(-s)).",
            CASES(damping=lambda s, alpha: 1 - alpha * np.exp(-s)),
        ),
        Misconception(
            "alpha_in_both",
            "You use α in both cases. The first case of (1), for equal labels, has none.",
            CASES(within=lambda s, alpha: np.sqrt(1 - alpha * np.exp(-s))),
        ),
        Misconception(
            "alpha_from_both",
            "You subtract α in both cases. The first case of (1), for equal labels, has none.",
            CASES(within=lambda s, alpha: np.sqrt(1 - np.exp(-s) - alpha)),
        ),
        Misconception(
            "alpha_from_both_clipped",
            "You subtract α in both cases. The first case of (1), for equal labels, has none.",
            CASES(within=lambda s, alpha: np.sqrt(np.maximum(1 - np.exp(-s) - alpha, 0))),
        ),
        Misconception(
            "alpha_for_one",
            "In the first case you have α where (1) has 1, so that a point is at a distance from "
            "itself.",
            CASES(within=lambda s, alpha: np.sqrt(np.abs(alpha - np.exp(-s)))),
        ),
        Misconception(
            "one_for_alpha",
            "In the second case you subtract 1 where (1) subtracts α.",
            CASES(damping=lambda s: np.sqrt(1 - np.exp(-s))),
        ),
        Misconception(
            "cases_exchanged",
            "The two cases are exchanged: equal labels get the growing distances. Points of one "
            "class should come closer together.",
            CASES(Q=lambda alike, within, between: Q(alike, between, within)),
        ),
        Misconception(
            "roots_forgotten",
            "Both cases lack their root: you return q², not q.",
            CASES(Q=lambda alike, within, between: Q(alike, within**2, between**2)),
        ),
        Misconception(
            "first_root_forgotten",
            "The first case lacks its root: 1 - exp(-e²/β) is q², not q.",
            CASES(within=lambda s: 1 - np.exp(-s)),
        ),
        Misconception(
            "second_root_forgotten",
            "The second case lacks its root: exp(e²/β) - α is q², not q.",
            CASES(between=lambda product: product**2),
        ),
        Misconception(
            "root_not_halved",
            "Your second case has exp(s) before the root. Pulled out of a root, exp(s) becomes "
            "exp(s/2).",
            CASES(root=lambda s: np.exp(s)),
        ),
        Misconception(
            "root_of_exponent",
            "The root of exp(s) is exp(s/2), not exp(√s).",
            CASES(root=lambda s: np.exp(np.sqrt(s))),
        ),
        Misconception(
            "not_squared",
            "You divide e by β, not e². Both exponents of (1) contain the squared distance.",
            CASES(s=lambda squares, beta: np.sqrt(squares) / beta),
        ),
        Misconception(
            "distances_only",
            "You have distances where (1) has their squares, in β and in the exponents.",
            CASES(squares=lambda Y: np.sqrt(squares(Y))),
        ),
        Misconception(
            "squared_twice",
            "You square e² once more.",
            CASES(squares=lambda Y: squares(Y) ** 2),
        ),
        Misconception(
            "city_block",
            "Your distances are sums of absolute differences. (1) has Euclidean distances: e² is "
            "the sum of the squared differences.",
            CASES(squares=lambda Y: np.sum(np.abs(Y[:, None] - Y), axis=2) ** 2),
        ),
        Misconception(
            "first_column_only",
            "Your distances use only the first column of Y. Sum the squared differences of all d "
            "columns.",
            CASES(squares=lambda Y: squares(Y[:, :1])),
        ),
        Misconception(
            "beta_squared",
            "You divide by β², as if β were a length. The exponents of (1) are e²/β.",
            CASES(s=lambda squares, beta: squares / beta**2),
        ),
        Misconception(
            "beta_multiplied",
            "You multiply e² by β. The exponents of (1) are e²/β.",
            CASES(s=lambda squares, beta: squares * beta),
        ),
        Misconception(
            "mean_distance",
            "Your β is the mean distance: the paper's choice, which depends on the unit of the "
            "data. Here β is `times` the mean of the squared distances.",
            CASES(mean_square=lambda squares: np.sqrt(_pairs(squares)).mean()),
        ),
        Misconception(
            "mean_distance_squared",
            "Your β is the square of the mean distance. Take the mean of the squares: squaring "
            "comes first.",
            CASES(mean_square=lambda squares: np.sqrt(_pairs(squares)).mean() ** 2),
        ),
        Misconception(
            "root_mean_square",
            "Your β is the root of the mean square, a length. e²/β has no unit only if β is the "
            "mean square itself.",
            CASES(mean_square=lambda squares: np.sqrt(mean_square(squares))),
        ),
        Misconception(
            "diagonal_counted",
            "Your mean counts the N zeros on the diagonal, the distances of points to themselves. A "
            "pair is two different points: divide the sum by N (N - 1).",
            CASES(mean_square=lambda squares: np.mean(squares)),
        ),
        Misconception(
            "zeros_left_out",
            "Your mean leaves out all distances of zero. Two different points may be equal: they "
            "are a pair, too. Leave out the diagonal only, by its place.",
            CASES(mean_square=lambda squares: squares[squares > 0].mean()),
        ),
        Misconception(
            "pairs_counted_twice",
            "Your β is twice too large. Either you divide by 2β, as in a Gaussian, or you add "
            "every pair twice, as (i, j) and as (j, i), and divide by N (N - 1) / 2, which counts "
            "it once.",
            CASES(mean_square=lambda squares: 2 * mean_square(squares)),
        ),
        Misconception(
            "half_the_pairs",
            "Your β is half of the mean square. Either add each pair once and divide by N (N - 1) / "
            "2, or add it twice and divide by N (N - 1). (The total variance is near half of it "
            "too.)",
            CASES(mean_square=lambda squares: mean_square(squares) / 2),
        ),
        Misconception(
            "total_variance",
            "Your β is half of the mean over all N² entries, which is the sum of the variances of "
            "the columns. There are N (N - 1) / 2 pairs of different points: the mean of their e² "
            "is 2 N / (N - 1) times as large.",
            CASES(mean_square=lambda squares: np.mean(squares) / 2),
        ),
        Misconception(
            "sum_for_mean",
            "Your β has the sum of the squared distances, not their mean: divide by the number of "
            "pairs.",
            CASES(mean_square=lambda squares: squares.sum()),
        ),
        Misconception(
            "sum_of_pairs",
            "Your β has the sum of the squared distances, not their mean: divide by the number of "
            "pairs.",
            CASES(mean_square=lambda squares: squares.sum() / 2),
        ),
        Misconception(
            "divided_by_n",
            "You divide the sum of the squared distances by the number of points. Divide by the "
            "number of pairs.",
            CASES(mean_square=lambda squares: squares.sum() / len(squares)),
        ),
        Misconception(
            "per_column",
            "Your mean is over the d columns too, so β is too small by the factor d. e² is the sum "
            "over the columns.",
            CASES(mean_square=lambda squares, Y: mean_square(squares) / Y.shape[1]),
        ),
        Misconception(
            "of_classes_apart",
            "Your mean is over pairs with different labels only. The unit belongs to all pairs of "
            "different points, whatever their labels.",
            _of_pairs(lambda labels: ~alike(labels)),
        ),
        Misconception(
            "of_each_class",
            "Your mean is over pairs with the same label only. The unit belongs to all pairs of "
            "different points, whatever their labels.",
            _of_pairs(alike),
        ),
        Misconception(
            "row_by_row",
            "Your mean is taken row by row, so every point has a β of its own. β is one number: the "
            "mean over all pairs.",
            CASES(
                mean_square=lambda squares: squares.sum(axis=1, keepdims=True) / (len(squares) - 1)
            ),
        ),
        Misconception(
            "greatest",
            "Your β has the greatest squared distance. It is their mean.",
            CASES(mean_square=lambda squares: squares.max()),
        ),
        Misconception(
            "median",
            "Your β uses the median of the squared distances. It is their mean.",
            CASES(mean_square=lambda squares: np.median(_pairs(squares))),
        ),
        Misconception(
            "times_forgotten",
            "You did not use the argument `times`: β is `times` the mean squared distance.",
            CASES(beta=lambda mean_square: mean_square),
        ),
        Misconception(
            "times_alone",
            "Your β is `times` alone, without the mean of the squared distances. So the result "
            "depends on the unit of the data.",
            CASES(beta=lambda times: times),
        ),
        Misconception(
            "times_upside_down",
            "You divide the mean square by `times`. β is `times` the mean squared distance, so that "
            "a large value makes e²/β small.",
            CASES(beta=lambda mean_square, times: mean_square / times),
        ),
        Misconception(
            "times_squared",
            "You square `times`. β is `times` the mean squared distance.",
            CASES(beta=lambda mean_square, times: times**2 * mean_square),
        ),
        Misconception(
            "exponent_sign",
            "The first case has the sign of the exponent wrong: 1 - exp(+s) is negative. The "
            "exponent is -e²/β.",
            CASES(within=lambda s: np.sqrt(np.abs(1 - np.exp(s)))),
        ),
        Misconception(
            "exponent_sign_root",
            "The first case has the sign of the exponent wrong: 1 - exp(+s) is negative and has no "
            "root. The exponent is -e²/β.",
            CASES(within=lambda s: np.sqrt(1 - np.exp(s))),
        ),
        Misconception(
            "one_case_for_all",
            "All pairs get the first case. Labels differ where labels[:, None] != labels; labels == "
            "labels.T compares each with itself only.",
            CASES(alike=lambda labels: np.ones((len(labels), len(labels)), dtype=bool)),
        ),
        Misconception(
            "second_for_all",
            "All pairs get the second case, those with the same label too.",
            CASES(alike=lambda labels: np.zeros((len(labels), len(labels)), dtype=bool)),
        ),
        Misconception(
            "labels_as_numbers",
            "You treat labels as numbers, for instance by their product or their sign. Labels are "
            "names: only ask whether two of them are equal.",
            CASES(alike=lambda labels: labels[:, None] * labels > 0),
        ),
        Misconception(
            "labels_as_indices",
            NAMES,
            CASES(alike=_as_indices),
        ),
        Misconception(
            "labels_as_rows",
            NAMES,
            CASES(alike=_as_rows),
        ),
        Misconception(
            "labels_as_columns",
            NAMES,
            CASES(alike=_as_columns),
        ),
        Misconception(
            "alpha_outside_literal",
            "Two things: α stands under the root in (1), and you subtract it outside; and exp(e²/β) "
            "overflows, its root exp(e²/2β) does not.",
            CASES(product=lambda root, alpha: root - alpha, between=_infinite),
        ),
        Misconception(
            "root_of_each_term_literal",
            "Two things: you take the root of each term, √exp(s) - √α, not of the difference; and "
            "exp(e²/β) overflows, its root exp(e²/2β) does not.",
            CASES(product=lambda root, alpha: root - np.sqrt(alpha), between=_infinite),
        ),
        Misconception(
            "alpha_added_literal",
            "Two things: you add α under the root, and (1) subtracts it; and exp(e²/β) overflows, its "
            "root exp(e²/2β) does not.",
            CASES(
                damping=lambda s, alpha: np.sqrt(1 + alpha * np.exp(-s)),
                between=_infinite,
            ),
        ),
        Misconception(
            "one_for_alpha_literal",
            "Two things: in the second case you subtract 1 where (1) subtracts α; and exp(e²/β) "
            "overflows, its root exp(e²/2β) does not.",
            CASES(damping=lambda s: np.sqrt(1 - np.exp(-s)), between=_infinite),
        ),
        Misconception(
            "within_halved",
            "Your first case has e²/2β in its exponent. (1) has e²/β there; the half belongs to"
            " exp(s/2), which stands before the root of the second case.",
            CASES(within=lambda s: np.sqrt(1 - np.exp(-s / 2))),
        ),
        Misconception(
            "standardised",
            "You divide the columns of Y by their standard deviations. (1) has the distances of"
            " the data as they are; β takes care of their unit.",
            CASES(squares=lambda Y: squares(Y / Y.std(axis=0))),
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
