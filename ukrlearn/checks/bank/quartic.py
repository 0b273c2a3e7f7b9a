"""The slope of the quartic kernel, and the matrix P that it makes."""

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn.blocks.density_kernels import quartic
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.trials import SIZES, data, mirrored


def reference(X):
    t = cdist(X, X, "sqeuclidean")
    K, steepness = quartic.with_steepness(t.copy())
    return quartic.slope(t), steepness / K.sum(axis=1, keepdims=True)


def trials(seed):
    random = np.random.default_rng(seed)
    made = [Trial("three points", dict(X=np.array([[0.0], [0.5], [2.0]])))]
    X = np.array([[0.0, 0.0], [0.75, 0.75], [0.5, 0.0]])  # whole numbers would be out of reach
    made.append(Trial("three points of the plane", dict(X=X)))
    for N, _, q in SIZES:
        X, _ = data(random, N, 2, q)
        X = X / _distance_of_share(X, random.uniform(0.4, 0.6))
        made.append(Trial(f"N = {N}, q = {q}", dict(X=X)))
    centred = mirrored(random, 3, 2)
    centred = centred / _distance_of_share(centred, 0.5)
    made.append(Trial("centred points, some of them equal", dict(X=centred)))
    made.append(Trial("points close together", dict(X=1e-2 * X)))
    made.append(Trial("latent space moved by 100", dict(X=X + 100)))
    alone = np.vstack([0.7 * X, X.max(axis=0) + 3])
    made.append(Trial("a single point", dict(X=alone)))
    return made


def _distance_of_share(X, share):
    """The distance that this share of the pairs does not reach."""
    return np.quantile(np.sqrt(t(X)[np.triu_indices(len(X), 1)]), share)


def t(X):
    """the squared distances t"""
    return np.sum((X[:, None] - X) ** 2, axis=2)


def gaps(t):
    """the differences 1 - t"""
    return 1 - t


def brackets(gaps):
    """the brackets [1 - t]₊"""
    return np.maximum(gaps, 0)


def K(brackets):
    """the kernel values K"""
    return brackets**2


def slopes(brackets):
    """the slope K'(t)"""
    return -2 * brackets


def numerators(slopes):
    """the numerators of (27), -2 times the slope"""
    return -2 * slopes


def sums(K):
    """the row sums of K"""
    return np.sum(K, axis=1, keepdims=True)


def slope(slopes):
    """the slope that you return"""
    return slopes


def P(numerators, sums):
    """P"""
    return numerators / sums


QUARTIC = pipeline("X", t, gaps, brackets, K, slopes, numerators, sums, slope, P, returns="slope P")


def _zero_diagonal(K):
    return K - np.diag(np.diag(K))


def _mended(sums):
    return np.where(sums > 0, sums, 1)


def _box(gaps, X):
    return np.where((np.abs(X[:, None] - X) < 1).all(axis=2), gaps, 0)


def _by_coordinates(X):
    return np.prod(np.maximum(1 - (X[:, None] - X) ** 2, 0), axis=2)


def _wrong_slopes():
    """Each wrong slope twice: P follows from it, or P was made by (36) and is right."""
    for id_, says, wrong in (
        (
            "slope_not_clipped",
            "K is cut off at t = 1, but your slope is not: it continues as -2(1 - t), which is "
            "positive there. Where K is flat, its slope is zero.",
            lambda gaps: -2 * gaps,
        ),
        (
            "inner_derivative",
            "The slope has the wrong sign: the inner derivative of 1 - t, which is -1, is "
            "missing. The square of the bracket alone would give 2(1 - t).",
            lambda brackets: 2 * brackets,
        ),
        (
            "two_missing",
            "The factor 2 is missing in the slope. When a square is differentiated, its exponent "
            "comes down as a factor.",
            lambda brackets: -brackets,
        ),
        (
            "two_and_sign_missing",
            "Your slope is the bracket itself. When a square is differentiated, its exponent comes "
            "down as a factor, and the inner derivative of 1 - t is -1.",
            lambda brackets: brackets,
        ),
        (
            "power_kept",
            "Your slope still has the square of the bracket in it. The derivative of a² contains "
            "a to the power one.",
            lambda K: -2 * K,
        ),
        (
            "slope_as_for_gaussian",
            "Your slope is -K/2. That rule holds for exp(-t/2) only, whose derivative is itself "
            "times -1/2. The quartic kernel is a square: differentiate (1 - t)² by the chain "
            "rule.",
            lambda K: -K / 2,
        ),
        (
            "slope_by_distance",
            "You have differentiated with respect to the distance r, not t = r²: that gives an "
            "extra factor 2r. The paper's f' is the derivative with respect to t, and (27) relies "
            "on it.",
            lambda t, brackets: -4 * np.sqrt(t) * brackets,
        ),
        (
            "slope_by_distance_without_two",
            "Your slope has the distance as a factor: it is differentiated with respect to the "
            "distance, not to t. The paper's f' is the derivative with respect to t, and (27) relies "
            "on it.",
            lambda t, brackets: -2 * np.sqrt(t) * brackets,
        ),
        (
            "squared_distance_as_factor",
            "Your slope has t as a factor. The inner derivative of 1 - t with respect to t is -1, "
            "and nothing else.",
            lambda t, brackets: -2 * t * brackets,
        ),
        (
            "flat_on_the_diagonal",
            "Your slope is zero on the diagonal. At t = 0 the slope with respect to t is -2; it would be "
            "zero only with respect to the distance.",
            lambda brackets: -2 * _zero_diagonal(brackets),
        ),
        (
            "whole_numbers",
            "Your slopes are whole numbers, with the decimals cut off: an array of integers can't "
            "hold anything else. Use floats, as np.zeros does without dtype=int.",
            lambda brackets: np.trunc(-2 * brackets),
        ),
    ):
        yield Misconception(id_, says, QUARTIC(slopes=wrong))
        says += " (Your P does not have this mistake.)"
        yield Misconception(f"{id_}_alone", says, QUARTIC(slope=wrong))


def _holds_zeros(value, X):
    far = t(X) > 1.0001
    return not any(np.abs(part[far]).any() for part in value)


def _slope_sign(value, X):
    return bool((value[0] <= 0).all())


def _P_sign(value, X):
    return bool((value[1] >= 0).all())


def _own_between(value, X):
    """With room for approximations, of which there is a better word."""
    own = np.diagonal(value[1])
    return bool((own > 3.9 / len(X)).all() and (own < 4.1).all())


EXERCISE = Exercise(
    name="quartic",
    title="The quartic kernel: slope and P",
    lesson="10_digits",
    equations="[UKR] (27), (34), (36)",
    minutes=15,
    shapes={"X": "N q"},
    returns={"slope": "N N", "P": "N N"},
    trials=trials,
    reference=reference,
    stages=QUARTIC,
    properties=(
        Property(
            "sees_too_far",
            "Points at a distance of more than 1 don't see each other: their entries are 0.",
            "Your matrices have entries for pairs at a distance of more than 1. There K is zero, "
            "so its slope is zero too.",
            _holds_zeros,
            suspects=(
                ("t", "Are your squared distances right?"),
                ("brackets", "Is the bracket zero where 1 - t is negative?"),
            ),
        ),
        Property(
            "slope_rises",
            "The slope is never positive, since K falls.",
            "Your slope is positive somewhere. K falls with t, from 1 at t = 0 to 0 at t = 1, so dK/dt "
            "can't be above zero.",
            _slope_sign,
        ),
        Property(
            "P_negative",
            "No entry of P is negative.",
            "Some entries of your P are negative. P is -2 times the slope over a sum of kernel "
            "values, and the right slope is not positive, so the two signs cancel.",
            _P_sign,
        ),
        Property(
            "own_entry",
            "The diagonal of P lies between 4/N and 4.",
            "The diagonal of your P leaves the range from 4/N to 4. A point is at distance 0 from "
            "itself, so the numerator there is 4. The row sum of K lies between 1, for an "
            "isolated point, and N, for all in one place.",
            _own_between,
        ),
    ),
    misconceptions=(
        *_wrong_slopes(),
        Misconception(
            "not_clipped",
            "The + of the bracket is missing: a negative 1 - t counts as 0. Without the + the "
            "square gives distant points weight again, and more with distance. Look at two points "
            "at distance 2: t = 4, and (1 - t)² would be 9.",
            QUARTIC(brackets=lambda gaps: gaps),
        ),
        Misconception(
            "clipped_after_square",
            "You cut K off at 0 after squaring. A square is never negative, so nothing is cut, "
            "and far points weigh more than near ones. First cut off the bracket, then square it.",
            QUARTIC(K=lambda gaps: gaps**2),
        ),
        Misconception(
            "kernel_for_slope",
            "Your first result is K itself, not its slope. Return dK/dt: "
            "differentiate (1 - t)² with respect to t.",
            QUARTIC(slope=lambda K: K),
        ),
        Misconception(
            "of_distance",
            "You put the distance into the bracket. The kernel is (1 - t)² with the squared distance "
            "t: don't take the root.",
            QUARTIC(gaps=lambda t: 1 - np.sqrt(t)),
        ),
        Misconception(
            "halved",
            "The 1/2 in your bracket is that of the Gaussian kernel, exp(-t/2). The quartic "
            "bracket is 1 - t, and ends at distance 1.",
            QUARTIC(gaps=lambda t: 1 - t / 2, slopes=lambda brackets: -brackets),
        ),
        Misconception(
            "absolute_bracket",
            "You take the absolute value of the bracket. The + means: zero where it is negative. "
            "The absolute value lets points beyond distance 1 count again.",
            QUARTIC(brackets=lambda gaps: np.abs(gaps)),
        ),
        Misconception(
            "counted",
            "Your kernel is 1 for all neighbours within distance 1. It must fall there, as (1 - t)², from "
            "1 to 0.",
            QUARTIC(brackets=lambda t: (t < 1).astype(float)),
        ),
        Misconception(
            "power_four",
            "You take the fourth power of the bracket. The kernel is called quartic because it "
            "contains the distance to the power four; the bracket 1 - t is only squared.",
            QUARTIC(K=lambda brackets: brackets**4, slopes=lambda brackets: -4 * brackets**3),
        ),
        Misconception(
            "t_squared_again",
            "You square t inside the bracket. t is a squared distance already.",
            QUARTIC(gaps=lambda t: 1 - t**2, slopes=lambda t, brackets: -4 * t * brackets),
        ),
        Misconception(
            "mean_over_columns",
            "You take the mean over the columns of X. The squared distance is the sum of the squared "
            "differences, over all columns.",
            QUARTIC(t=lambda X: np.mean((X[:, None] - X) ** 2, axis=2)),
        ),
        Misconception(
            "first_column",
            "Your distances use only the first column of X. The squared distance adds up the "
            "squares of all columns.",
            QUARTIC(t=lambda X: t(X[:, :1])),
        ),
        Misconception(
            "city_block",
            "You add up absolute differences. The squared distance adds up their squares.",
            QUARTIC(t=lambda X: np.sum(np.abs(X[:, None] - X), axis=2)),
        ),
        Misconception(
            "slope_normalised",
            "You divide the slope by the row sums as well. The slope belongs to the kernel alone; "
            "divide only in P.",
            QUARTIC(slope=lambda slopes, sums: slopes / sums),
        ),
        Misconception(
            "integral_one",
            "Your kernel has the factor 15/16, which makes its integral one in one dimension. "
            "Here K(t) = [1 - t]₊² without it. The factor cancels in P, but not in the slope.",
            QUARTIC(
                K=lambda brackets: 15 / 16 * brackets**2, slopes=lambda brackets: -15 / 8 * brackets
            ),
        ),
        Misconception(
            "gaussian",
            "These are the Gaussian kernel and its slope. Here K is the quartic one, the square of "
            "the bracket 1 - t, which is zero beyond distance 1.",
            QUARTIC(K=lambda t: np.exp(-t / 2), slopes=lambda K: -K / 2),
        ),
        Misconception(
            "columns_normalised",
            "You divide each column by a sum; divide each row by its own. Row n of P belongs to "
            "the reconstruction of point n, and so does the sum of K over its neighbours. Check "
            "keepdims, or the axis of the sum.",
            QUARTIC(sums=lambda K: np.sum(K, axis=0)),
        ),
        Misconception(
            "not_normalised",
            "Your P is the numerator only. Divide each row by the sum of K over that row.",
            QUARTIC(P=lambda numerators: numerators),
        ),
        Misconception(
            "all_in_one_sum",
            "You divide by the sum of all kernel values. Each row of P has its own sum, over its "
            "row of K.",
            QUARTIC(sums=lambda K: np.sum(K)),
        ),
        Misconception(
            "factor_left_away",
            "P lacks the factor -2 of (27): you divide the slope itself by the row sums. The -2 comes "
            "from the inner derivative of the squared distance.",
            QUARTIC(numerators=lambda slopes: slopes),
        ),
        Misconception(
            "two_of_27_missing",
            "Your P is half of the right one: it is minus the slope, divided. The numerator of "
            "(27) is -2 times the slope; with the 2 in the slope this makes the 4 of (36).",
            QUARTIC(numerators=lambda slopes: -slopes),
        ),
        Misconception(
            "minus_of_27_missing",
            "Your P has the wrong sign: it is 2 times the slope, divided, and the factor of (27) "
            "is -2. The slope is negative; P must not be.",
            QUARTIC(numerators=lambda slopes: 2 * slopes),
        ),
        Misconception(
            "root_alone",
            "Your P is √K over the row sum of K, and the factor 4 is missing. It is 2 times 2: one "
            "from the slope, -2√K, and one from the -2 of (27).",
            QUARTIC(numerators=lambda K: np.sqrt(K)),
        ),
        Misconception(
            "sum_of_roots",
            "You divide by the row sums of the bracket, √K. The numerator of (36) is the root, but the "
            "denominator is the sum of K itself, as for B.",
            QUARTIC(sums=lambda brackets: np.sum(brackets, axis=1, keepdims=True)),
        ),
        Misconception(
            "root_of_weights",
            "You take the root of K after dividing by the sum, so the sum gets a root too. In "
            "(36) only the numerator has one.",
            QUARTIC(P=lambda K, sums: 4 * np.sqrt(K / sums)),
        ),
        Misconception(
            "root_forgotten",
            "This P is 4 times B: the root is missing. (36) has √K in the numerator, because the "
            "slope of a square is not a square.",
            QUARTIC(numerators=lambda K: 4 * K),
        ),
        Misconception(
            "P_is_B",
            "Your P is the matrix of weights B. P = B holds for the Gaussian kernel only (35), "
            "whose slope times -2 is the kernel itself. The quartic kernel differs: see (36).",
            QUARTIC(numerators=lambda K: K),
        ),
        Misconception(
            "sum_without_itself",
            "You leave the point itself out of the row sum. That is leave-one-out; here nothing "
            "is left out, and K(0) = 1 counts. Otherwise a point without neighbours would divide "
            "by zero.",
            QUARTIC(sums=lambda K: np.sum(_zero_diagonal(K), axis=1, keepdims=True)),
        ),
        Misconception(
            "left_out",
            "Your diagonals are zero, as for the leave-one-out error. Here nothing is left out: the slope "
            "at t = 0 is -2, and K(0) = 1 counts in each row sum.",
            QUARTIC(brackets=lambda gaps: _zero_diagonal(np.maximum(gaps, 0))),
        ),
        Misconception(
            "left_out_and_mended",
            "Your diagonals are zero, as for the leave-one-out error, and you have repaired the "
            "sum of any row of K that is then empty. Here nothing is left out: the slope at t = 0 "
            "is -2, and with K(0) = 1 no row is ever empty.",
            QUARTIC(
                brackets=lambda gaps: _zero_diagonal(np.maximum(gaps, 0)),
                P=lambda numerators, sums: numerators / _mended(sums),
            ),
        ),
        Misconception(
            "order_of_results",
            "The two results are in the wrong order: first the slope, then P.",
            lambda X: QUARTIC()(X)[::-1],
        ),
        Misconception(
            "halved_alone",
            "The 1/2 in your bracket is that of the Gaussian kernel, exp(-t/2). The quartic bracket "
            "is 1 - t, and ends at distance 1.",
            QUARTIC(gaps=lambda t: 1 - t / 2),
        ),
        Misconception(
            "t_squared_alone",
            "You square t inside the bracket. t is a squared distance already.",
            QUARTIC(gaps=lambda t: 1 - t**2),
        ),
        Misconception(
            "kernel_cubed",
            "Your K is the third power of the bracket. The quartic kernel is its square.",
            QUARTIC(K=lambda brackets: brackets**3, slopes=lambda brackets: -3 * brackets**2),
        ),
        Misconception(
            "box_support",
            "Your kernel ends where a single coordinate differs by 1: in a square, not in a circle. "
            "The bracket of (34) is zero where t, the whole squared distance, exceeds 1.",
            QUARTIC(brackets=_box),
        ),
        Misconception(
            "product_of_coordinates",
            "You multiply the brackets of the single coordinates. (34) has one bracket, 1 - t, with "
            "the whole squared distance t.",
            QUARTIC(brackets=_by_coordinates),
        ),
        Misconception(
            "rows_to_one",
            "You divide P by its own row sums, so that its rows sum to one. (27) divides by the row "
            "sums of K.",
            QUARTIC(sums=lambda numerators: np.sum(numerators, axis=1, keepdims=True)),
        ),
        Misconception(
            "sums_of_slopes",
            "You divide by the row sums of the slope. (27) divides by the row sums of K.",
            QUARTIC(sums=lambda brackets: np.sum(-2 * brackets, axis=1, keepdims=True)),
        ),
        Misconception(
            "mean_of_the_row",
            "You divide by the mean of each row of K. (27) has the sum there.",
            QUARTIC(sums=lambda K: np.mean(K, axis=1, keepdims=True)),
        ),
        Misconception(
            "sum_without_itself_mended",
            "You leave the point itself out of the row sum, and have repaired the sums that are then "
            "zero. Here nothing is left out, and with K(0) = 1 no sum is ever zero.",
            QUARTIC(sums=lambda K: _mended(np.sum(_zero_diagonal(K), axis=1, keepdims=True))),
        ),
        Misconception(
            "P_without_diagonal",
            "The diagonal of your P is zero. Nothing is left out here: at t = 0 the slope is -2, so "
            "the numerator is 4.",
            QUARTIC(P=lambda numerators, sums: _zero_diagonal(numerators / sums)),
        ),
        Misconception(
            "factor_twice",
            "Your numerators are twice too large. -2 times the slope -2[1 - t]₊ is 4[1 - t]₊; nothing "
            "else is doubled.",
            QUARTIC(numerators=lambda slopes: -4 * slopes),
        ),
        Misconception(
            "squared_after_sum",
            "You add up the differences of the q coordinates and square their sum, so that they can "
            "cancel. Square each difference, then add.",
            QUARTIC(t=lambda X: np.sum(X[:, None] - X, axis=2) ** 2),
        ),
        Misconception(
            "one_dimension",
            "X - X.T makes all differences for q = 1 only. For q coordinates make an array of "
            "differences with three axes, X[:, None] - X, square it, and sum over the last axis.",
            QUARTIC(t=lambda X: (X - X.T) ** 2),
        ),
    ),
    hints=(
        "Call the bracket a = [1 - t]₊. If the kernel is a², which power of a does its slope have, and "
        "which sign? What is that slope at t = 0, and what beyond t = 1? And how does √K in (36) "
        "come from it?",
        "The slope: differentiate (1 - t)² with respect to t, with the chain rule, and insert the "
        "cut-off bracket. P_nm is -2 times the slope at (n, m), divided by the sum of K over row "
        "n.",
        "Cut off with np.maximum(1 - t, 0). With that matrix a: the slope is a times a negative "
        "number, K is a times a. To divide, keep the sums as a column: K.sum(axis=1, "
        "keepdims=True).",
    ),
)
