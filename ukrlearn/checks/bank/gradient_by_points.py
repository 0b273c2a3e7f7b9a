"""The gradient of R_cv as a sum over pairs of points: Q first, then the gradient."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.symmetries import moves_nothing, turns_nothing
from ukrlearn.checks.trials import SIZES, data, within_reach
from ukrlearn.ukr import reconstruction


def reference(X, Y, B):
    left_out = not np.diagonal(B).any()
    _, gradient = reconstruction.reconstruction_error(X, Y, leave_one_out=left_out)
    return gradient, reconstruction.pair_forces(X, Y, leave_one_out=left_out)


def trials(seed):
    random = np.random.default_rng(seed)
    X, Y = np.array([[0.0], [1.0], [2.0]]), np.array([[1.0, 0.0], [2.0, 3.0], [0.0, 4.0]])
    made = [_trial("three points", X, Y)]
    for N, d, q in SIZES:
        X, Y = data(random, N, d, q)
        X = within_reach(X)
        made.append(_trial(f"N = {N}, d = {d}, q = {q}", X, Y))
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


def _slopes(Y, B):
    """M."""
    return (B @ Y - Y) @ Y.T


def _centred(M, B):
    return M - np.sum(M * B, axis=1, keepdims=True)


def _pairs(Y, B):
    """Q of (30), with P = B."""
    return B * _centred(_slopes(Y, B), B)


def _forces(S, X):
    """Sum over m of S_jm (x_m - x_j)."""
    return np.sum(S[:, :, None] * (X - X[:, None]), axis=1)


def _gradient(X, Q):
    return 2 / len(X) * _forces(Q + Q.T, X)


def _distances(X):
    distance = np.sqrt(np.sum((X[:, None] - X) ** 2, axis=2))
    return np.where(distance > 0, distance, 1)


def addends(X, Y, B):
    """The terms of (29): both halves of each pair, and both parts of Q in each half."""
    M = _slopes(Y, B)
    direct, through_sum = B * M, -B * np.sum(M * B, axis=1, keepdims=True)
    factor = 2 / len(X)
    return {
        "P M in the half Q_jm (the point's own reconstruction)": factor * _forces(direct, X),
        "P times the row's sum of M B in the half Q_jm": factor * _forces(through_sum, X),
        "P M in the half Q_mj (the reconstruction of the others)": factor * _forces(direct.T, X),
        "P times the row's sum of M B in the half Q_mj": factor * _forces(through_sum.T, X),
    }


def _wrong_pairs(pairs):
    """A wrong Q, and the gradient from it."""

    def both(X, Y, B):
        Q = pairs(_slopes(Y, B), X, Y, B)
        return _gradient(X, Q), Q

    return both


def _wrong_slopes(slopes):
    """A wrong M, and all that follows from it."""
    return _wrong_pairs(lambda M, X, Y, B: B * _centred(slopes(X, Y, B), B))


def _wrong_sum(gradient):
    """The right Q, a wrong gradient."""

    def both(X, Y, B):
        Q = _pairs(Y, B)
        return gradient(X, Y, Q), Q

    return both


def _wrong_result(Q_of):
    """The right gradient, but another Q returned."""

    def both(X, Y, B):
        Q = _pairs(Y, B)
        return _gradient(X, Q), Q_of(Q)

    return both


def _factor_in_loop(X, Y, Q):
    gradient = np.zeros(X.shape)
    for m in range(len(X)):
        force = (Q[:, m] + Q[m])[:, None] * (X[m] - X)
        gradient = 2 / len(X) * (gradient + force)
    return gradient


def _self_excluded_from_sum(M, X, Y, B):
    rest = np.sum(M * B, axis=1, keepdims=True) - M * B
    return B * (M - rest)


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
    addends=addends,
    properties=(
        Property(
            "drifts",
            "The rows of the gradient sum to zero: moving all points together changes nothing.",
            "The rows of the gradient must sum to zero, because moving all points together "
            "changes no distance. Points m and j act on each other with opposite signs: is Q_jm + "
            "Q_mj the same for both, does x_m - x_j change its sign, and does each term get the "
            "same factor?",
            lambda values, X, Y, B: moves_nothing(values[0]),
        ),
        Property(
            "rows_do_not_cancel",
            "Every row of Q sums to zero: more weight for one point is less for the others.",
            "For the Gaussian kernel every row of Q must sum to zero: what one weight gains, the "
            "others of its row lose, since they sum to one. Look at all of (30): what is "
            "subtracted from M_nm, and the factor P_nm before both.",
            lambda values, X, Y, B: bool(
                (np.abs(values[1].sum(axis=1)) <= 1e-4 * np.abs(values[1]).max() + 1e-300).all()
            ),
        ),
        Property(
            "turns",
            "The gradient does not turn the cloud: each force acts along the line between two points.",
            "The gradient turns the cloud of points as a whole, although a rotation changes no "
            "distance. Each term of (29) must point along x_m - x_j, all q coordinates with the "
            "same factor.",
            lambda values, X, Y, B: turns_nothing(values[0], X),
        ),
        Property(
            "uphill",
            "A small step along minus the gradient lowers the error.",
            "A small step along minus your gradient does not lower the error. Is a sign turned? "
            "If Q is already wrong, begin there: compare it with the right Q of the smallest "
            "example.",
            _downhill,
        ),
    ),
    misconceptions=(
        Misconception(
            "normalisation_forgotten",
            "The second part of (30) is missing in Q. Moving a point changes the sum that all "
            "weights of a row are divided by: from M_nm the weighted mean of row n, the sum over "
            "l of M_nl B_nl, must be subtracted.",
            _wrong_pairs(lambda M, X, Y, B: B * M),
        ),
        Misconception(
            "normalisation_added",
            "You add the second part of (30) in Q; subtract it: the derivative of a quotient has "
            "a minus there.",
            _wrong_pairs(lambda M, X, Y, B: B * (M + np.sum(M * B, axis=1, keepdims=True))),
        ),
        Misconception(
            "normalisation_without_weight",
            "In Q you subtract the sum over l of M_nl B_nl without the factor P_nm in front of "
            "it. Both parts of (30) carry P_nm: points out of each other's reach feel nothing.",
            _wrong_pairs(lambda M, X, Y, B: B * M - np.sum(M * B, axis=1, keepdims=True)),
        ),
        Misconception(
            "weight_forgotten",
            "The factor P_nm of (30) is missing in Q: it multiplies the whole bracket, and is "
            "B_nm here. Without it two distant points pull as strongly as neighbours.",
            _wrong_pairs(lambda M, X, Y, B: _centred(M, B)),
        ),
        Misconception(
            "mean_without_weights",
            "You subtract the plain mean of its row from M_nm. (30) has the mean weighted by "
            "B_nl: near points count more.",
            _wrong_pairs(lambda M, X, Y, B: B * (M - M.mean(axis=1, keepdims=True))),
        ),
        Misconception(
            "sum_without_weights",
            "You subtract the plain sum of its row from M_nm; each M_nl must be multiplied by "
            "B_nl first.",
            _wrong_pairs(lambda M, X, Y, B: B * (M - M.sum(axis=1, keepdims=True))),
        ),
        Misconception(
            "mean_of_products",
            "You subtract the mean of M_nl B_nl over l from M_nm; use the sum. The weights B_nl "
            "sum to one already: their sum is the weighted mean.",
            _wrong_pairs(lambda M, X, Y, B: B * (M - np.mean(M * B, axis=1, keepdims=True))),
        ),
        Misconception(
            "sum_over_column",
            "The sum in (30) runs over a column of M and B in your Q. The weights of one row "
            "share a total: n is fixed, l runs.",
            _wrong_pairs(lambda M, X, Y, B: B * (M - np.sum(M * B, axis=0)[:, None])),
        ),
        Misconception(
            "sum_of_the_other_row",
            "You subtract the weighted mean of row m from M_nm; use that of row n. The first "
            "index is n in both factors, and only l runs: M_nl B_nl.",
            _wrong_pairs(lambda M, X, Y, B: B * (M - np.sum(M * B, axis=1))),
        ),
        Misconception(
            "weights_of_the_other_row",
            "In the sum over l of (30) you take the weights of row m. M_nl and B_nl are both from "
            "row n: n is the rebuilt point.",
            _wrong_pairs(lambda M, X, Y, B: B * (M - M @ B.T)),
        ),
        Misconception(
            "mean_unfinished",
            "You subtract the sum over l while it is still being added up: for the first m it "
            "holds only one term. Finish the sum in its own loop, then begin with Q_nm.",
            _wrong_pairs(lambda M, X, Y, B: B * (M - np.cumsum(M * B, axis=1))),
        ),
        Misconception(
            "one_sum_for_all",
            "In Q you subtract the same number everywhere: the sum runs over all pairs, or is not "
            "reset to zero for the next n. Each row has its own.",
            _wrong_pairs(lambda M, X, Y, B: B * (M - np.sum(M * B))),
        ),
        Misconception(
            "own_term_skipped",
            "In the sum over l you skip l = m. It runs over the whole row: the weight of m itself is "
            "divided by the same total.",
            _wrong_pairs(_self_excluded_from_sum),
        ),
        Misconception(
            "residual_turned",
            "M has the opposite sign: it uses f_n - y_n, the reconstruction minus the data point. "
            "You took y_n - f_n, so your gradient points downhill.",
            _wrong_slopes(lambda X, Y, B: -_slopes(Y, B)),
        ),
        Misconception(
            "reconstruction_for_residual",
            "Your M_nm uses f_n alone. It is the inner product of y_m with the residual f_n - "
            "y_n: a perfectly rebuilt point needs no force.",
            _wrong_slopes(lambda X, Y, B: B @ Y @ Y.T),
        ),
        Misconception(
            "columns_rebuild",
            "You rebuild point n with column n of B. Row n holds the weights for it, and sums to one: f_n "
            "is the sum over m of B_nm y_m.",
            _wrong_slopes(lambda X, Y, B: (B.T @ Y - Y) @ Y.T),
        ),
        Misconception(
            "residual_of_the_helper",
            "In M_nm you take the residual of point m and the data point n. Point n is the "
            "rebuilt one, so take the residual of n; the weight B_nm multiplies y_m.",
            _wrong_slopes(lambda X, Y, B: _slopes(Y, B).T),
        ),
        Misconception(
            "residual_times_residual",
            "M_nm is the inner product of a residual and a data point, not of two residuals: the "
            "weight B_nm multiplies y_m.",
            _wrong_slopes(lambda X, Y, B: (B @ Y - Y) @ (B @ Y - Y).T),
        ),
        Misconception(
            "residual_times_reconstruction",
            "M_nm is the inner product of the residual of n with the data point y_m, not with its "
            "reconstruction f_m: the weight B_nm multiplies y_m.",
            _wrong_slopes(lambda X, Y, B: (B @ Y - Y) @ (B @ Y).T),
        ),
        Misconception(
            "slope_halved",
            "Q is half of what it should be. For the Gaussian the slope dK/dt is -K/2, and P has "
            "a factor -2, (27): P is B itself, (35).",
            _wrong_pairs(lambda M, X, Y, B: B * _centred(M, B) / 2),
        ),
        Misconception(
            "own_half_only",
            "Q is right. In the gradient you use Q_jm alone: a point then moves for the sake of "
            "its own reconstruction only. It also helps to rebuild the others: add Q_mj.",
            _wrong_sum(lambda X, Y, Q: 2 / len(X) * _forces(Q, X)),
        ),
        Misconception(
            "others_half_only",
            "Q is right. In the gradient you use Q_mj alone: a point then moves for the sake of the others "
            "only. Its own reconstruction, Q_jm, is missing.",
            _wrong_sum(lambda X, Y, Q: 2 / len(X) * _forces(Q.T, X)),
        ),
        Misconception(
            "unfinished",
            "Q is right in the end, but you use it before it is complete: when you add up for "
            "point j, the rows after j are still zero. Finish Q in its own loops, then begin with "
            "the gradient.",
            _wrong_sum(lambda X, Y, Q: 2 / len(X) * _forces(Q + np.triu(Q).T, X)),
        ),
        Misconception(
            "half_of_the_pairs",
            "Q is right. In the gradient of point j you visit only the points after j. That is "
            "enough if you give the opposite to point m at the same time; otherwise m runs over "
            "all.",
            _wrong_sum(lambda X, Y, Q: 2 / len(X) * _forces(np.triu(Q + Q.T), X)),
        ),
        Misconception(
            "overwritten",
            "Q is right. In the gradient only the last point of the loop is left: each term "
            "overwrites the previous one. Add with +=.",
            _wrong_sum(lambda X, Y, Q: 2 / len(X) * (Q[:, -1] + Q[-1])[:, None] * (X[-1] - X)),
        ),
        Misconception(
            "own_half_doubled",
            "Q is right. In the gradient you use Q_jm twice in place of Q_jm + Q_mj. Q is not "
            "symmetric: m does not help n as n helps m.",
            _wrong_sum(lambda X, Y, Q: 4 / len(X) * _forces(Q, X)),
        ),
        Misconception(
            "halves_subtracted",
            "Q is right. In the gradient you subtract one half from the other; add them: Q_jm + "
            "Q_mj. Two points share one spring.",
            _wrong_sum(lambda X, Y, Q: 2 / len(X) * _forces(Q - Q.T, X)),
        ),
        Misconception(
            "position_for_difference",
            "Q is right. In the gradient you add up positions x_m; (29) has differences x_m - x_j. A force "
            "must not depend on where the origin lies.",
            _wrong_sum(lambda X, Y, Q: 2 / len(X) * (Q + Q.T) @ X),
        ),
        Misconception(
            "direction_only",
            "Q is right. In the gradient you divide x_m - x_j by its length. (29) has the whole "
            "difference: the kernel depends on the squared distance, whose slope grows with it.",
            _wrong_sum(lambda X, Y, Q: 2 / len(X) * _forces((Q + Q.T) / _distances(X), X)),
        ),
        Misconception(
            "factor_in_loop",
            "Q is right. You multiply by 2/N inside the loop, and so shrink the first terms again "
            "and again. Multiply once, after the loop.",
            _wrong_sum(_factor_in_loop),
        ),
        Misconception(
            "pairs_counted_twice",
            "Q is right, and the gradient is twice too large. Do you add Q_jm + Q_mj to its own "
            "transpose, or each pair from both sides, or is the 2 there twice?",
            _wrong_sum(lambda X, Y, Q: 2 * _gradient(X, Q)),
        ),
        Misconception(
            "symmetrised",
            "The gradient is right. But your Q is Q + Qᵀ: keep the sum of both halves under "
            "another name, and return the Q of (30).",
            _wrong_result(lambda Q: Q + Q.T),
        ),
        Misconception(
            "two_signs",
            "The gradient is right, because two signs cancel: your Q uses y_n - f_n, and your "
            "differences are x_j - x_m. Change both: f_n - y_n in (30), x_m - x_j in (29).",
            _wrong_result(lambda Q: -Q),
        ),
        Misconception(
            "exchanged",
            "Both results are right, in the wrong order: the gradient first, then Q.",
            lambda X, Y, B: (_pairs(Y, B), _gradient(X, _pairs(Y, B))),
        ),
        Misconception(
            "mean_forgotten",
            "Q is right, but the gradient lacks the factor 1/N: R_cv is the mean over the points.",
            _wrong_sum(lambda X, Y, Q: 2 * _forces(Q + Q.T, X)),
        ),
        Misconception(
            "two_forgotten",
            "Q is right, but the factor 2 of (29) is missing. It comes from the square in the error.",
            _wrong_sum(lambda X, Y, Q: _forces(Q + Q.T, X) / len(X)),
        ),
        Misconception(
            "mean_over_all",
            "Q is right, but you divide the gradient by N d. R_cv is the mean over the N points "
            "and the sum over the d columns.",
            _wrong_sum(lambda X, Y, Q: 2 / Y.size * _forces(Q + Q.T, X)),
        ),
    ),
    hints=(
        "Go from the error to the weights, then from the weights to the points. First, for each "
        "pair: would point n be rebuilt better or worse if y_m got more weight? That is M_nm. "
        "Q_nm says what happens if the two points come nearer.",
        "f_n = sum over m of B_nm y_m. M_nm = (f_n - y_n) · y_m. Q_nm = B_nm (M_nm - c_n) with c_n = sum "
        "over l of M_nl B_nl. The gradient at j is 2/N times the sum over m of (x_m - x_j)(Q_jm + Q_mj).",
        "Three stages: all of M in two loops, residual = B[n] @ Y - Y[n] in the outer one; all of Q in two "
        "loops, c = M[n] @ B[n] in the outer one; then, with Q complete, two loops over j and m that add "
        "to gradient[j]. The factor 2/N at the end.",
    ),
)
