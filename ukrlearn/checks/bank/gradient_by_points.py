"""The gradient of R_cv as a sum over pairs of points: Q first, then the gradient."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.symmetries import moves_nothing, turns_nothing
from ukrlearn.checks.trials import SIZES, data, mirrored, within_reach
from ukrlearn.ukr import reconstruction


def reference(X, Y, B):
    left_out = not np.diagonal(B).any()
    _, gradient = reconstruction.reconstruction_error(X, Y, leave_one_out=left_out)
    return gradient, reconstruction.pair_forces(X, Y, leave_one_out=left_out)


def trials(seed):
    random = np.random.default_rng(seed)
    X, Y = np.array([[0.0], [1.0], [2.0]]), np.array([[1.0, 0.0], [2.0, 3.0], [0.0, 4.0]])
    made = [_trial("three points", X, Y)]
    X, Y = np.array([[0.0, 0], [1, 0], [0, 2], [-1, -1]]), np.array([[1.0], [0], [3], [-2]])
    made.append(_trial("four points of the plane", X, Y))
    for N, d, q in SIZES:
        X, Y = data(random, N, d, q)
        X = within_reach(X)
        made.append(_trial(f"N = {N}, d = {d}, q = {q}", X, Y))
    X, Y = mirrored(random, 3, 2), mirrored(random, 3, 3)
    made.append(_trial("centred points, some of them equal", X, random.permutation(Y)))
    made.append(_trial("the weights of R, with a diagonal", X, Y, leave_out=False))
    made.append(_trial("data a thousand times larger", X, 1e3 * Y))
    made.append(_trial("latent points close together", 0.1 * X, Y))
    made.append(_trial("latent points far from the origin", X + 50, Y))
    return made


def _trial(label, X, Y, leave_out=True):
    return Trial(label, dict(X=X, Y=Y, B=_weights(X, leave_out)))


def _weights(X, leave_out=True):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    if leave_out:
        np.fill_diagonal(K, 0)
    return K / K.sum(axis=1, keepdims=True)


def _error(X, Y, B):
    return np.sum((B @ Y - Y) ** 2) / len(Y)


def rebuilt(B, Y):
    """the reconstructions f_n"""
    return B @ Y


def residuals(rebuilt, Y):
    """the residuals f_n - y_n"""
    return rebuilt - Y


def M(residuals, Y):
    """M, the products (f_n - y_n) · y_m"""
    return residuals @ Y.T


def means(M, B):
    """the weighted means of the rows of M"""
    return np.sum(M * B, axis=1, keepdims=True)


def brackets(M, means):
    """the brackets of (30)"""
    return M - means


def pairs(B, brackets):
    """Q"""
    return B * brackets


def Q(pairs):
    """the Q that you return"""
    return pairs


def halves(pairs):
    """the sums Q_jm + Q_mj of (29)"""
    return pairs + pairs.T


def arms(X):
    """the differences x_m - x_j"""
    return X - X[:, None]


def forces(halves, arms):
    """the sum over m in (29)"""
    return np.sum(halves[:, :, None] * arms, axis=1)


def gradient(forces):
    """the gradient, the sum times 2/N"""
    return 2 / len(forces) * forces


GRADIENT = pipeline(
    "X Y B",
    rebuilt,
    residuals,
    M,
    means,
    brackets,
    pairs,
    Q,
    halves,
    arms,
    forces,
    gradient,
    returns="gradient Q",
)


def _lengths(arms):
    distance = np.sqrt(np.sum(arms**2, axis=2, keepdims=True))
    return np.where(distance > 0, distance, 1)


def addends(X, Y, B):
    """The terms of (29): both halves of each pair, and both parts of Q in each half."""
    slopes = M(residuals(rebuilt(B, Y), Y), Y)
    direct, through_sum = B * slopes, -B * means(slopes, B)
    factor, between = 2 / len(X), arms(X)
    return {
        "P M in the half Q_jm (the point's own reconstruction)": factor * forces(direct, between),
        "P times the row's sum of M B in the half Q_jm": factor * forces(through_sum, between),
        "P M in the half Q_mj (the reconstruction of the others)": factor
        * forces(direct.T, between),
        "P times the row's sum of M B in the half Q_mj": factor * forces(through_sum.T, between),
    }


def _multiplied_in_the_loop(halves, X):
    gradient = np.zeros(X.shape)
    for m in range(len(X)):
        gradient = 2 / len(X) * (gradient + halves[:, m, None] * (X[m] - X))
    return gradient


def _filled_like_the_data(halves, X, Y):
    gradient = np.zeros(Y.shape)
    for j in range(len(X)):
        for m in range(len(X)):
            gradient[j] += 2 / len(X) * (X[m] - X[j]) * halves[j, m]
    return gradient


def _halves_flat(halves, X):
    forces = np.zeros(X.shape)
    for j in range(len(X)):
        forces[j] = np.sum(halves[j] * (X - X[j]), axis=0)
    return forces


def _products_not_summed(residuals, Y):
    M = np.zeros((len(Y), len(Y)))
    for n in range(len(Y)):
        for m in range(len(Y)):
            M[n, m] = residuals[n] * Y[m]
    return M


def _downhill(values, X, Y, B):
    gradient, left_out = values[0], not np.diagonal(B).any()
    size = np.linalg.norm(gradient)
    if size == 0:
        return False
    step = 1e-4 * gradient / size
    before, after = (_error(x, Y, _weights(x, left_out)) for x in (X + step, X - step))
    return bool(after < before)


EXERCISE = Exercise(
    name="gradient_by_points",
    title="The gradient, pair by pair",
    lesson="06_gradient",
    equations="[UKR] (29), (30)",
    minutes=25,
    shapes={"X": "N q", "Y": "N d", "B": "N N"},
    returns={"gradient": "N q", "Q": "N N"},
    trials=trials,
    reference=reference,
    stages=GRADIENT,
    addends=addends,
    properties=(
        Property(
            "drifts",
            "The rows of the gradient sum to zero: moving all points together changes nothing.",
            "The rows of the gradient must sum to zero, because moving all points together changes "
            "no distance; yours do not. Points m and j act on each other with opposite signs.",
            lambda values, X, Y, B: moves_nothing(values[0]),
            suspects=(
                ("halves", "Is Q_jm + Q_mj the same for both of them?"),
                ("arms", "Does x_m - x_j change its sign from one to the other?"),
                ("forces", "Does each term get the same factor?"),
            ),
        ),
        Property(
            "rows_do_not_cancel",
            "Every row of Q sums to zero: more weight for one point is less for the others.",
            "For the Gaussian kernel every row of Q must sum to zero; yours do not. What one weight "
            "gains, the others of its row lose, since they sum to one.",
            lambda values, X, Y, B: bool(
                (np.abs(values[1].sum(axis=1)) <= 1e-4 * np.abs(values[1]).max() + 1e-300).all()
            ),
            suspects=(
                ("means", "Is what you subtract from M_nm the sum over l of M_nl B_nl?"),
                ("pairs", "Does B_nm multiply both parts of the bracket?"),
            ),
        ),
        Property(
            "turns",
            "The gradient does not turn the cloud: each force acts along the line between two points.",
            "The gradient turns the cloud of points as a whole, although a rotation changes no "
            "distance.",
            lambda values, X, Y, B: turns_nothing(values[0], X),
            suspects=(
                ("arms", "Does each term of (29) point along x_m - x_j?"),
                ("halves", "Is Q_jm + Q_mj the same for both points of a pair?"),
            ),
        ),
        Property(
            "uphill",
            "A small step along minus the gradient lowers the error.",
            "A small step along minus your gradient does not lower the error.",
            _downhill,
            suspects=(
                ("residuals", "Are your residuals f_n - y_n, in this order?"),
                ("pairs", "Is your Q right? Compare it with that of the smallest example."),
                ("arms", "Are your differences x_m - x_j, in this order?"),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "normalisation_forgotten",
            "The second part of (30) is missing in Q. Moving a point changes the sum that all "
            "weights of a row are divided by: from M_nm the weighted mean of row n, the sum over "
            "l of M_nl B_nl, must be subtracted.",
            GRADIENT(brackets=lambda M: M),
        ),
        Misconception(
            "normalisation_added",
            "You add the second part of (30) in Q; subtract it: the derivative of a quotient has "
            "a minus there.",
            GRADIENT(brackets=lambda M, means: M + means),
        ),
        Misconception(
            "normalisation_without_weight",
            "In Q you subtract the sum over l of M_nl B_nl without the factor P_nm in front of "
            "it. Both parts of (30) carry P_nm: points out of each other's reach feel nothing.",
            GRADIENT(pairs=lambda B, M, means: B * M - means),
        ),
        Misconception(
            "weight_forgotten",
            "The factor P_nm of (30) is missing in Q: it multiplies the whole bracket, and is "
            "B_nm here. Without it two distant points pull as strongly as neighbours.",
            GRADIENT(pairs=lambda brackets: brackets),
        ),
        Misconception(
            "mean_without_weights",
            "You subtract the plain mean of its row from M_nm. (30) has the mean weighted by "
            "B_nl: near points count more.",
            GRADIENT(means=lambda M: M.mean(axis=1, keepdims=True)),
        ),
        Misconception(
            "sum_without_weights",
            "You subtract the plain sum of its row from M_nm; each M_nl must be multiplied by "
            "B_nl first.",
            GRADIENT(means=lambda M: M.sum(axis=1, keepdims=True)),
        ),
        Misconception(
            "mean_of_products",
            "You subtract the mean of M_nl B_nl over l from M_nm; use the sum. The weights B_nl "
            "sum to one already: their sum is the weighted mean.",
            GRADIENT(means=lambda M, B: np.mean(M * B, axis=1, keepdims=True)),
        ),
        Misconception(
            "sum_over_column",
            "The sum in (30) runs over a column of M and B in your Q. The weights of one row "
            "share a total: n is fixed, l runs.",
            GRADIENT(means=lambda M, B: np.sum(M * B, axis=0)[:, None]),
        ),
        Misconception(
            "sum_of_the_other_row",
            "You subtract the weighted mean of row m from M_nm; use that of row n. The first "
            "index is n in both factors, and only l runs: M_nl B_nl.",
            GRADIENT(means=lambda M, B: np.sum(M * B, axis=1)),
        ),
        Misconception(
            "weights_of_the_other_row",
            "In the sum over l of (30) you take the weights of row m. M_nl and B_nl are both from "
            "row n: n is the rebuilt point.",
            GRADIENT(means=lambda M, B: M @ B.T),
        ),
        Misconception(
            "mean_unfinished",
            "You subtract the sum over l while it is still being added up: for the first m it "
            "holds only one term. Finish the sum in its own loop, then begin with Q_nm.",
            GRADIENT(means=lambda M, B: np.cumsum(M * B, axis=1)),
        ),
        Misconception(
            "one_sum_for_all",
            "In Q you subtract the same number everywhere: the sum runs over all pairs, or is not "
            "reset to zero for the next n. Each row has its own.",
            GRADIENT(means=lambda M, B: np.sum(M * B)),
        ),
        Misconception(
            "own_term_skipped",
            "In the sum over l you skip l = m. It runs over the whole row: the weight of m itself is "
            "divided by the same total.",
            GRADIENT(brackets=lambda M, B, means: M - (means - M * B)),
        ),
        Misconception(
            "residual_turned",
            "M has the opposite sign: it uses f_n - y_n, the reconstruction minus the data point. "
            "You took y_n - f_n, which turns the sign of all that follows.",
            GRADIENT(residuals=lambda Y, rebuilt: Y - rebuilt),
        ),
        Misconception(
            "reconstruction_for_residual",
            "Your M_nm uses f_n alone. It is the inner product of y_m with the residual f_n - "
            "y_n: a perfectly rebuilt point needs no force.",
            GRADIENT(residuals=lambda rebuilt: rebuilt),
        ),
        Misconception(
            "columns_rebuild",
            "You rebuild point n with column n of B. Row n holds the weights for it, and sums to one: f_n "
            "is the sum over m of B_nm y_m.",
            GRADIENT(rebuilt=lambda B, Y: B.T @ Y),
        ),
        Misconception(
            "residual_of_the_helper",
            "In M_nm you take the residual of point m and the data point n. Point n is the "
            "rebuilt one, so take the residual of n; the weight B_nm multiplies y_m.",
            GRADIENT(M=lambda residuals, Y: Y @ residuals.T),
        ),
        Misconception(
            "residual_times_residual",
            "M_nm is the inner product of a residual and a data point, not of two residuals: the "
            "weight B_nm multiplies y_m.",
            GRADIENT(M=lambda residuals: residuals @ residuals.T),
        ),
        Misconception(
            "residual_times_reconstruction",
            "M_nm is the inner product of the residual of n with the data point y_m, not with its "
            "reconstruction f_m: the weight B_nm multiplies y_m.",
            GRADIENT(M=lambda residuals, rebuilt: residuals @ rebuilt.T),
        ),
        Misconception(
            "slope_halved",
            "Q is half of what it should be. For the Gaussian the slope dK/dt is -K/2, and P has "
            "a factor -2, (27): P is B itself, (35).",
            GRADIENT(pairs=lambda B, brackets: B * brackets / 2),
        ),
        Misconception(
            "own_half_only",
            "In the gradient you use Q_jm alone: a point then moves for the sake of "
            "its own reconstruction only. It also helps to rebuild the others: add Q_mj.",
            GRADIENT(halves=lambda pairs: pairs),
        ),
        Misconception(
            "others_half_only",
            "In the gradient you use Q_mj alone: a point then moves for the sake of the others "
            "only. Its own reconstruction, Q_jm, is missing.",
            GRADIENT(halves=lambda pairs: pairs.T),
        ),
        Misconception(
            "unfinished",
            "You use Q before it is complete: when you add up for "
            "point j, the rows after j are still zero. Finish Q in its own loops, then begin with "
            "the gradient.",
            GRADIENT(halves=lambda pairs: pairs + np.triu(pairs).T),
        ),
        Misconception(
            "half_of_the_pairs",
            "In the gradient of point j you visit only the points after j. That is "
            "enough if you give the opposite to point m at the same time; otherwise m runs over "
            "all.",
            GRADIENT(forces=lambda halves, arms: forces(np.triu(halves), arms)),
        ),
        Misconception(
            "overwritten",
            "In the gradient only the last point of the loop is left: each term "
            "overwrites the previous one. Add with +=.",
            GRADIENT(forces=lambda halves, arms: halves[:, -1:] * arms[:, -1]),
        ),
        Misconception(
            "own_half_doubled",
            "In the gradient you use Q_jm twice in place of Q_jm + Q_mj. Q is not "
            "symmetric: m does not help n as n helps m.",
            GRADIENT(halves=lambda pairs: 2 * pairs),
        ),
        Misconception(
            "halves_subtracted",
            "In the gradient you subtract one half from the other; add them: Q_jm + "
            "Q_mj. Two points share one spring.",
            GRADIENT(halves=lambda pairs: pairs - pairs.T),
        ),
        Misconception(
            "position_for_difference",
            "In the gradient you add up positions x_m; (29) has differences x_m - x_j. A force "
            "must not depend on where the origin lies.",
            GRADIENT(arms=lambda X: 0 * X[:, None] + X),
        ),
        Misconception(
            "direction_only",
            "In the gradient you divide x_m - x_j by its length. (29) has the whole "
            "difference: the kernel depends on the squared distance, whose slope grows with it.",
            GRADIENT(arms=lambda X: arms(X) / _lengths(arms(X))),
        ),
        Misconception(
            "factor_in_loop",
            "You multiply by 2/N inside the loop, and so shrink the first terms again "
            "and again. Multiply once, after the loop.",
            GRADIENT(forces=_multiplied_in_the_loop, gradient=lambda forces: forces),
        ),
        Misconception(
            "pairs_counted_twice",
            "In the gradient every pair counts twice. Do you add Q_jm + Q_mj to its own transpose, "
            "or visit each pair from both sides, or is the 2 there twice?",
            GRADIENT(halves=lambda pairs: 2 * (pairs + pairs.T)),
        ),
        Misconception(
            "symmetrised",
            "The Q that you return is Q + Qᵀ: keep the sum of both halves under "
            "another name, and return the Q of (30).",
            GRADIENT(Q=lambda pairs: pairs + pairs.T),
        ),
        Misconception(
            "two_signs",
            "Two signs are turned, and cancel in the gradient: your Q uses y_n - f_n, and your "
            "differences are x_j - x_m. Change both: f_n - y_n in (30), x_m - x_j in (29).",
            GRADIENT(residuals=lambda Y, rebuilt: Y - rebuilt, arms=lambda X: X[:, None] - X),
        ),
        Misconception(
            "exchanged",
            "The two results are in the wrong order: first the gradient, then Q.",
            lambda X, Y, B: GRADIENT()(X, Y, B)[::-1],
        ),
        Misconception(
            "mean_forgotten",
            "The gradient lacks the factor 1/N: R_cv is the mean over the points.",
            GRADIENT(gradient=lambda forces: 2 * forces),
        ),
        Misconception(
            "two_forgotten",
            "The factor 2 of (29) is missing in the gradient. It comes from the square in the error.",
            GRADIENT(gradient=lambda forces: forces / len(forces)),
        ),
        Misconception(
            "mean_over_all",
            "You divide the gradient by N d. R_cv is the mean over the N points "
            "and the sum over the d columns.",
            GRADIENT(gradient=lambda forces, Y: 2 / Y.size * forces),
        ),
        Misconception(
            "weights_of_the_column",
            "In the sum over l of (30) you take the weights of column n, B_ln. Those of row n belong "
            "there, B_nl: they say how point n is rebuilt, and sum to one.",
            GRADIENT(means=lambda M, B: np.sum(M * B.T, axis=1, keepdims=True)),
        ),
        Misconception(
            "slopes_of_the_column",
            "In the sum over l of (30) you take column n of M, M_ln. Row n belongs there, M_nl: n is "
            "the rebuilt point, and only l runs.",
            GRADIENT(means=lambda M, B: np.sum(M.T * B, axis=1, keepdims=True)),
        ),
        Misconception(
            "sum_not_reset",
            "The sum over l in (30) grows from point to point: set it to 0 for each n, inside the "
            "loop over n.",
            GRADIENT(means=lambda M, B: np.cumsum(np.sum(M * B, axis=1))[:, None]),
        ),
        Misconception(
            "own_product_subtracted",
            "From M_nm you subtract M_nm B_nm alone. (30) has a sum over all l there, the weighted "
            "mean of the whole row n.",
            GRADIENT(means=lambda M, B: M * B),
        ),
        Misconception(
            "weights_squared",
            "In Q the weight comes twice. P_nm is B_nm, and B_nm stands before the bracket of (30) "
            "once.",
            GRADIENT(pairs=lambda B, brackets: B**2 * brackets),
        ),
        Misconception(
            "weight_transposed",
            "Before the bracket of (30) you have B_mn. P_nm is B_nm: the weight of m in the "
            "reconstruction of n.",
            GRADIENT(pairs=lambda B, brackets: B.T * brackets),
        ),
        Misconception(
            "slope_doubled",
            "Your Q is twice what it should be. In (30) P is B itself, (35); the factor 2 comes only "
            "in (29), before the sum.",
            GRADIENT(pairs=lambda B, brackets: 2 * B * brackets),
        ),
        Misconception(
            "divided_again",
            "You divide the reconstructions by N. The weights of a row of B sum to one already, so "
            "the sum over m of B_nm y_m is the mean.",
            GRADIENT(rebuilt=lambda B, Y: B @ Y / len(Y)),
        ),
        Misconception(
            "data_alone",
            "Your M_nm is the inner product of two data points. The first factor must be the "
            "residual f_n - y_n.",
            GRADIENT(M=lambda Y: Y @ Y.T),
        ),
        Misconception(
            "products_of_columns",
            "You multiply a residual by the matrix Y, not by its transpose. M_nm needs the inner "
            "product of the residual of n with row m of Y: (B Y - Y) Yᵀ, or Y times the residual. "
            "Or you have Y @ B, where B @ Y rebuilds the points.",
            GRADIENT(M=lambda residuals, Y: residuals @ Y),
        ),
        Misconception(
            "products_not_summed",
            "You multiply a residual and a data point entry by entry, which leaves d numbers. M_nm "
            "is one number, their inner product: sum over the d entries, or use @.",
            GRADIENT(M=_products_not_summed),
        ),
        Misconception(
            "halves_flat",
            "You multiply a row of N numbers with the differences x_m - x_j, of shape (N, q): NumPy "
            "lays the row along the q columns. Make it a column with [:, None], or use @.",
            GRADIENT(forces=_halves_flat),
        ),
        Misconception(
            "like_the_data",
            "Your gradient has the shape of Y. It moves latent points, so it needs the shape of X, a "
            "row of q numbers for each point.",
            GRADIENT(forces=_filled_like_the_data, gradient=lambda forces: forces),
        ),
        Misconception(
            "differences_turned",
            "Your differences in (29) are x_j - x_m, or a minus stands before the sum. (29) has x_m - "
            "x_j. If you wanted to go downhill: the descent turns the sign, not the gradient.",
            GRADIENT(arms=lambda X: X[:, None] - X),
        ),
        Misconception(
            "entries_counted",
            "You divide the gradient by N q, the number of entries of X (X.size). R_cv is the mean "
            "over the N points: divide by len(X).",
            GRADIENT(gradient=lambda forces: 2 / forces.size * forces),
        ),
        Misconception(
            "no_factor",
            "The whole factor 2/N before the sum in (29) is missing.",
            GRADIENT(gradient=lambda forces: forces),
        ),
        Misconception(
            "divided_by_others",
            "You divide by N - 1. R_cv is the mean over all N points; each of them is rebuilt.",
            GRADIENT(gradient=lambda forces: 2 / (len(forces) - 1) * forces),
        ),
    ),
    hints=(
        "Would point n be rebuilt better or worse if y_m got more weight? M_nm answers that, for "
        "each pair. And if x_m comes nearer to x_n, whose weights in row n change: that of m alone? "
        "Q_nm answers that. Which numbers of Q does point j then have a part in?",
        "f_n = sum over m of B_nm y_m. M_nm = (f_n - y_n) · y_m. Q_nm = B_nm (M_nm - c_n) with c_n = sum "
        "over l of M_nl B_nl. The gradient at j is 2/N times the sum over m of (x_m - x_j)(Q_jm + Q_mj).",
        "Three stages: all of M in two loops, residual = B[n] @ Y - Y[n] in the outer one; all of Q in two "
        "loops, c = M[n] @ B[n] in the outer one; then, with Q complete, two loops over j and m that add "
        "to gradient[j]. The factor 2/N at the end.",
    ),
)
