"""The slope of the quartic kernel, and the matrix P that it makes."""

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn.blocks.density_kernels import quartic
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.trials import SIZES, data


def reference(X):
    t = cdist(X, X, "sqeuclidean")
    K, steepness = quartic.with_steepness(t.copy())
    return quartic.slope(t), steepness / K.sum(axis=1, keepdims=True)


def trials(seed):
    random = np.random.default_rng(seed)
    made = [Trial("three points", dict(X=np.array([[0.0], [0.5], [2.0]])))]
    for N, _, q in SIZES:
        X, _ = data(random, N, 2, q)
        X = X / _distance_of_share(X, random.uniform(0.4, 0.6))
        made.append(Trial(f"N = {N}, q = {q}", dict(X=X)))
    made.append(Trial("points close together", dict(X=1e-2 * X)))
    made.append(Trial("latent space moved by 100", dict(X=X + 100)))
    alone = np.vstack([0.7 * X, X.max(axis=0) + 3])
    made.append(Trial("a single point", dict(X=alone)))
    return made


def _distance_of_share(X, share):
    """The distance that this share of the pairs does not reach."""
    return np.quantile(np.sqrt(_squares(X)[np.triu_indices(len(X), 1)]), share)


def _squares(X):
    return np.sum((X[:, None] - X) ** 2, axis=2)


def _bracket(X):
    return np.maximum(1 - _squares(X), 0)


def _row_sums(K):
    return K.sum(axis=1, keepdims=True)


def _made_of(slope, K):
    """Both results from a slope and kernel values."""
    with np.errstate(all="ignore"):
        return slope, -2 * slope / _row_sums(K)


def _right(X):
    return _made_of(-2 * _bracket(X), _bracket(X) ** 2)


def _with_slope(slope):
    return lambda X: _made_of(slope(X), _bracket(X) ** 2)


def _with_P(P):
    """The right slope, and another P from the bracket a and K."""

    def like(X):
        a = _bracket(X)
        with np.errstate(all="ignore"):
            return -2 * a, P(a, a**2)

    return like


def _not_clipped(X):
    a = 1 - _squares(X)
    return _made_of(-2 * a, a**2)


def _clipped_after_square(X):
    a = 1 - _squares(X)
    return _made_of(-2 * np.maximum(a, 0), a**2)


def _slope_not_clipped(X):
    return _made_of(-2 * (1 - _squares(X)), _bracket(X) ** 2)


def _cut_at_one_half(X):
    a = np.maximum(1 - _squares(X) / 2, 0)
    return _made_of(-a, a**2)


def _of_distance(X):
    a = np.maximum(1 - np.sqrt(_squares(X)), 0)
    return _made_of(-2 * a, a**2)


def _left_out(slope_too):
    def like(X):
        a = _bracket(X)
        K = a**2
        np.fill_diagonal(K, 0)
        if slope_too:
            np.fill_diagonal(a, 0)
        return _made_of(-2 * a, K)

    return like


def _by_squares(t):
    a = np.maximum(1 - t, 0)
    return _made_of(-2 * a, a**2)


def _t_squared(X):
    t = _squares(X)
    a = np.maximum(1 - t**2, 0)
    return _made_of(-4 * t * a, a**2)


def _counted(X):
    K = (_squares(X) < 1).astype(float)
    return _made_of(-2 * K, K)


def _gaussian_slope(X):
    K = np.exp(-_squares(X) / 2)
    return _made_of(-K / 2, K)


def _holds_zeros(value, X):
    far = _squares(X) > 1.0001
    return not any(np.abs(part[far]).any() for part in value)


def _cut_to_whole(X):
    slope = np.trunc(-2 * _bracket(X))
    return _made_of(slope, _bracket(X) ** 2)


def _left_out_and_mended(X):
    """The leave-one-out matrices, guarded against division by zero at an isolated point."""
    a = _bracket(X)
    np.fill_diagonal(a, 0)
    total = _row_sums(a**2)
    return -2 * a, 4 * a / np.where(total > 0, total, 1)


def _slope_sign(value, X):
    return bool((value[0] <= 0).all())


def _P_sign(value, X):
    return bool((value[1] >= 0).all())


def _own_between(value, X):
    own = np.diagonal(value[1])
    return bool((own > 3.99 / len(X)).all() and (own < 4.01).all())


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
    properties=(
        Property(
            "sees_too_far",
            "Points at a distance of more than 1 don't see each other: their entries are 0.",
            "Your matrices have entries for pairs at a distance of more than 1. There K is zero, "
            "so its slope is zero too.",
            _holds_zeros,
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
            "Some entries of your P are negative. P is -2 times the slope, and the slope is not "
            "positive, so the two signs cancel.",
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
        Misconception(
            "slope_not_clipped",
            "K is cut off at t = 1, but your slope is not: it continues as -2(1 - t), which is "
            "positive there. Where K is flat, its slope is zero.",
            _slope_not_clipped,
        ),
        Misconception(
            "not_clipped",
            "The + of the bracket is missing: a negative 1 - t counts as 0. Without the + the "
            "square gives distant points weight again, and more with distance. Look at two points "
            "at distance 2: t = 4, and (1 - t)² would be 9.",
            _not_clipped,
        ),
        Misconception(
            "clipped_after_square",
            "You cut K off at 0 after squaring. A square is never negative, so nothing is cut, "
            "and far points weigh more than near ones. First cut off the bracket, then square it.",
            _clipped_after_square,
        ),
        Misconception(
            "inner_derivative",
            "The slope has the wrong sign: the inner derivative of 1 - t, which is -1, is "
            "missing. The square of the bracket alone would give 2(1 - t).",
            lambda X: (2 * _bracket(X), -4 * _bracket(X) / _row_sums(_bracket(X) ** 2)),
        ),
        Misconception(
            "two_missing",
            "The factor 2 is missing in the slope. When a square is differentiated, its exponent "
            "comes down as a factor.",
            _with_slope(lambda X: -_bracket(X)),
        ),
        Misconception(
            "power_kept",
            "Your slope still has the square of the bracket in it. The derivative of a² contains "
            "a to the power one.",
            _with_slope(lambda X: -2 * _bracket(X) ** 2),
        ),
        Misconception(
            "kernel_for_slope",
            "Your P is right, but your first result is K itself, not its slope. Return dK/dt: "
            "differentiate (1 - t)² with respect to t.",
            lambda X: (_bracket(X) ** 2, _right(X)[1]),
        ),
        Misconception(
            "slope_as_for_gaussian",
            "Your slope is -K/2. That rule holds for exp(-t/2) only, whose derivative is itself "
            "times -1/2. The quartic kernel is a square: differentiate (1 - t)² by the chain "
            "rule.",
            lambda X: _made_of(-(_bracket(X) ** 2) / 2, _bracket(X) ** 2),
        ),
        Misconception(
            "whole_numbers",
            "Your slopes are whole numbers, with the decimals cut off: an array of integers can't "
            "hold anything else. Use floats, as np.zeros does without dtype=int.",
            _cut_to_whole,
        ),
        Misconception(
            "slope_by_distance",
            "You have differentiated with respect to the distance r, not t = r²: that gives an "
            "extra factor 2r. The paper's f' is the derivative with respect to t, and (27) relies "
            "on it.",
            _with_slope(lambda X: -4 * np.sqrt(_squares(X)) * _bracket(X)),
        ),
        Misconception(
            "of_distance",
            "You put the distance into the bracket. The kernel is (1 - t)² with the squared distance "
            "t: don't take the root.",
            _of_distance,
        ),
        Misconception(
            "halved",
            "The 1/2 in your bracket is that of the Gaussian kernel, exp(-t/2). The quartic "
            "bracket is 1 - t, and ends at distance 1.",
            _cut_at_one_half,
        ),
        Misconception(
            "absolute_bracket",
            "You take the absolute value of the bracket. The + means: zero where it is negative. "
            "The absolute value lets points beyond distance 1 count again.",
            lambda X: _made_of(-2 * np.abs(1 - _squares(X)), (1 - _squares(X)) ** 2),
        ),
        Misconception(
            "counted",
            "Your kernel is 1 for all neighbours within distance 1. It must fall there, as (1 - t)², from "
            "1 to 0.",
            _counted,
        ),
        Misconception(
            "power_four",
            "You take the fourth power of the bracket. The kernel is called quartic because it "
            "contains the distance to the power four; the bracket 1 - t is only squared.",
            lambda X: _made_of(-4 * _bracket(X) ** 3, _bracket(X) ** 4),
        ),
        Misconception(
            "t_squared_again",
            "You square t inside the bracket. t is a squared distance already.",
            _t_squared,
        ),
        Misconception(
            "mean_over_columns",
            "You take the mean over the columns of X. The squared distance is the sum of the squared "
            "differences, over all columns.",
            lambda X: _by_squares(_squares(X) / X.shape[1]),
        ),
        Misconception(
            "first_column",
            "Your distances use only the first column of X. The squared distance adds up the "
            "squares of all columns.",
            lambda X: _by_squares(_squares(X[:, :1])),
        ),
        Misconception(
            "city_block",
            "You add up absolute differences. The squared distance adds up their squares.",
            lambda X: _by_squares(cdist(X, X, "cityblock")),
        ),
        Misconception(
            "slope_normalised",
            "You divide the slope by the row sums as well. The slope belongs to the kernel alone; "
            "divide only in P.",
            lambda X: (-2 * _bracket(X) / _row_sums(_bracket(X) ** 2), _right(X)[1]),
        ),
        Misconception(
            "integral_one",
            "Your kernel has the factor 15/16, which makes its integral one in one dimension. "
            "Here K(t) = [1 - t]₊² without it. The factor cancels in P, but not in the slope.",
            lambda X: _made_of(-2 * 15 / 16 * _bracket(X), 15 / 16 * _bracket(X) ** 2),
        ),
        Misconception(
            "gaussian",
            "These are the Gaussian kernel and its slope. Here K is the quartic one, the square of "
            "the bracket 1 - t, which is zero beyond distance 1.",
            _gaussian_slope,
        ),
        Misconception(
            "columns_normalised",
            "You divide each column by a sum; divide each row by its own. Row n of P belongs to "
            "the reconstruction of point n, and so does the sum of K over its neighbours. Check "
            "keepdims, or the axis of the sum.",
            _with_P(lambda a, K: 4 * a / K.sum(axis=0)),
        ),
        Misconception(
            "not_normalised",
            "Your P is the numerator only. Divide each row by the sum of K over that row.",
            _with_P(lambda a, K: 4 * a),
        ),
        Misconception(
            "all_in_one_sum",
            "You divide by the sum of all kernel values. Each row of P has its own sum, over its "
            "row of K.",
            _with_P(lambda a, K: 4 * a / K.sum()),
        ),
        Misconception(
            "factor_left_away",
            "P lacks the factor -2 of (27): you divide the slope itself by the row sums. The -2 comes "
            "from the inner derivative of the squared distance.",
            _with_P(lambda a, K: -2 * a / _row_sums(K)),
        ),
        Misconception(
            "two_of_27_missing",
            "Your P is half of the right one: it is minus the slope, divided. The numerator of "
            "(27) is -2 times the slope; with the 2 in the slope this makes the 4 of (36).",
            _with_P(lambda a, K: 2 * a / _row_sums(K)),
        ),
        Misconception(
            "minus_of_27_missing",
            "Your P has the wrong sign: it is 2 times the slope, divided, and the factor of (27) "
            "is -2. The slope is negative; P must not be.",
            _with_P(lambda a, K: -4 * a / _row_sums(K)),
        ),
        Misconception(
            "root_alone",
            "Your P is √K over the row sum of K, and the factor 4 is missing. It is 2 times 2: one "
            "from the slope, -2√K, and one from the -2 of (27).",
            _with_P(lambda a, K: a / _row_sums(K)),
        ),
        Misconception(
            "sum_of_roots",
            "You divide by the row sums of √K. The numerator of (36) is the root, but the "
            "denominator is the sum of K itself, as for B.",
            _with_P(lambda a, K: 4 * a / _row_sums(a)),
        ),
        Misconception(
            "root_of_weights",
            "You take the root of K after dividing by the sum, so the sum gets a root too. In "
            "(36) only the numerator has one.",
            _with_P(lambda a, K: 4 * np.sqrt(K / _row_sums(K))),
        ),
        Misconception(
            "root_forgotten",
            "This P is 4 times B: the root is missing. (36) has √K in the numerator, because the "
            "slope of a square is not a square.",
            _with_P(lambda a, K: 4 * K / _row_sums(K)),
        ),
        Misconception(
            "P_is_B",
            "Your P is the matrix of weights B. P = B holds for the Gaussian kernel only (35), "
            "whose slope times -2 is the kernel itself. The quartic kernel differs: see (36).",
            _with_P(lambda a, K: K / _row_sums(K)),
        ),
        Misconception(
            "sum_without_itself",
            "You leave the point itself out of the row sum. That is leave-one-out; here nothing "
            "is left out, and K(0) = 1 counts. Otherwise a point without neighbours would divide "
            "by zero.",
            _left_out(slope_too=False),
        ),
        Misconception(
            "left_out",
            "Your diagonals are zero, as for the leave-one-out error. Here nothing is left out: the slope "
            "at t = 0 is -2, and K(0) = 1 counts in each row sum.",
            _left_out(slope_too=True),
        ),
        Misconception(
            "left_out_and_mended",
            "Your diagonals are zero, as for the leave-one-out error, and you have repaired the "
            "sum of any row of K that is then empty. Here nothing is left out: the slope at t = 0 "
            "is -2, and with K(0) = 1 no row is ever empty.",
            _left_out_and_mended,
        ),
        Misconception(
            "order_of_results",
            "The two results are in the wrong order: first the slope, then P.",
            lambda X: _right(X)[::-1],
        ),
    ),
    hints=(
        "Call the bracket a = [1 - t]₊. The kernel is a², its slope is a multiple of a, and so is "
        "the numerator of P. So first compute the bracket, for all pairs of points.",
        "The slope: differentiate (1 - t)² with respect to t, with the chain rule, and insert the "
        "cut-off bracket. P_nm is -2 times the slope at (n, m), divided by the sum of K over row "
        "n.",
        "Cut off with np.maximum(1 - t, 0). With that matrix a: the slope is a times a negative "
        "number, K is a times a. To divide, keep the sums as a column: K.sum(axis=1, "
        "keepdims=True).",
    ),
)
