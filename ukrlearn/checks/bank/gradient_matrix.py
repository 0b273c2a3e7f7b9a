"""The gradient of R_cv in matrix form."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.symmetries import moves_nothing, turns_nothing
from ukrlearn.checks.trials import SIZES, data, within_reach
from ukrlearn.ukr import reconstruction


def reference(X, Y):
    return reconstruction.reconstruction_error(X, Y)[1]


def trials(seed):
    random = np.random.default_rng(seed)
    X, Y = np.array([[0.0], [1.0], [2.0]]), np.array([[1.0, 0.0], [2.0, 3.0], [0.0, 4.0]])
    made = [Trial("three points", dict(X=X, Y=Y))]
    for N, d, q in SIZES:
        X, Y = data(random, N, d, q)
        X = within_reach(X)
        made.append(Trial(f"N = {N}, d = {d}, q = {q}", dict(X=X, Y=Y)))
    made.append(Trial("data a thousand times larger", dict(X=X, Y=1e3 * Y)))
    made.append(Trial("latent points close together", dict(X=0.1 * X, Y=Y)))
    made.append(Trial("latent points far from the origin", dict(X=X + 50, Y=Y)))
    return made


def _weights(X, leave_out=True):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    if leave_out:
        np.fill_diagonal(K, 0)
    return K / K.sum(axis=1, keepdims=True)


def _slopes(B, Y):
    """M."""
    return (B @ Y - Y) @ Y.T


def _pairs(B, M):
    """Q of (31), with P = B."""
    return B * (M - np.sum(M * B, axis=1, keepdims=True))


def _gradient(S, X, factor=2.0):
    """(32)."""
    return factor / len(X) * (S @ X - S.sum(axis=1, keepdims=True) * X)


def addends(X, Y):
    """The terms of (32): Q X, Qᵀ X and the diagonal, and both parts of Q in each of them."""
    B = _weights(X)
    M = _slopes(B, Y)
    made = {}
    for words, part in (
        ("P * M", B * M),
        ("P * (M * B) 11ᵀ", -B * np.sum(M * B, axis=1, keepdims=True)),
    ):
        diagonal = (part + part.T).sum(axis=1, keepdims=True)
        made[f"{words} in Q X"] = 2 / len(X) * part @ X
        made[f"{words} in Qᵀ X"] = 2 / len(X) * part.T @ X
        made[f"{words} in the diagonal of the row sums"] = -2 / len(X) * diagonal * X
    return made


def _wrong_weights(weights):
    def gradient(X, Y):
        B = weights(X)
        Q = _pairs(B, _slopes(B, Y))
        return _gradient(Q + Q.T, X)

    return gradient


def _wrong_pairs(pairs):
    """A wrong Q, and the gradient from it."""

    def gradient(X, Y):
        B = _weights(X)
        Q = pairs(B, _slopes(B, Y), Y)
        return _gradient(Q + Q.T, X)

    return gradient


def _wrong_end(end):
    """The right Q, and another end."""

    def gradient(X, Y):
        B = _weights(X)
        return end(_pairs(B, _slopes(B, Y)), X)

    return gradient


def _right(X, Y):
    return _wrong_weights(_weights)(X, Y)


def _zeroed_too_late(X):
    B = _weights(X, leave_out=False)
    np.fill_diagonal(B, 0)
    return B


def _weights_of_plain_distances(X):
    K = np.exp(-np.sqrt(np.sum((X[:, None] - X) ** 2, axis=2)) / 2)
    np.fill_diagonal(K, 0)
    return K / K.sum(axis=1, keepdims=True)


def _columns_normalised(X):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    np.fill_diagonal(K, 0)
    return K / K.sum(axis=0)


def _p_not_normalised(X, Y):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    B = _weights(X)
    M = _slopes(B, Y)
    Q = (K - np.eye(len(X))) * (M - np.sum(M * B, axis=1, keepdims=True))
    return _gradient(Q + Q.T, X)


def _error(X, Y):
    return np.sum((_weights(X) @ Y - Y) ** 2) / len(Y)


def _downhill(gradient, X, Y):
    size = np.linalg.norm(gradient)
    step = 1e-4 * gradient / size if size > 0 else 0 * X
    return bool(_error(X - step, Y) < _error(X + step, Y))


EXERCISE = Exercise(
    name="gradient_matrix",
    title="The gradient as a matrix product",
    lesson="06_gradient",
    equations="[UKR] (31), (32)",
    minutes=25,
    shapes={"X": "N q", "Y": "N d"},
    returns={"gradient": "N q"},
    trials=trials,
    reference=reference,
    addends=addends,
    properties=(
        Property(
            "not_translation_free",
            "The rows of the gradient sum to zero: moving all points together changes nothing.",
            "The rows of the gradient must sum to zero, since moving all points together changes "
            "no distance. Yours do not: look at S X minus the row sums of S times X.",
            lambda gradient, X, Y: moves_nothing(gradient),
        ),
        Property(
            "not_rotation_free",
            "The gradient does not turn the cloud: every force acts along the line between two points.",
            "The gradient turns the cloud of points as a whole, although a rotation changes no "
            "distance. Is S symmetric? With S = Q + Qᵀ two points act on each other along the "
            "line between them.",
            lambda gradient, X, Y: turns_nothing(gradient, X),
        ),
        Property(
            "uphill",
            "A small step along minus the gradient lowers the error R_cv.",
            "A small step along minus your gradient does not lower R_cv. Is a sign turned?",
            _downhill,
        ),
    ),
    misconceptions=(
        Misconception(
            "nothing_left_out",
            "This is the gradient of R, not of R_cv: the diagonal of K must be zero before the rows "
            "are normalised, so that no point helps to rebuild itself.",
            _wrong_weights(lambda X: _weights(X, leave_out=False)),
        ),
        Misconception(
            "zeroed_too_late",
            "You put zeros on the diagonal of B after dividing the rows by their sums: the rows "
            "no longer sum to one. Put the zeros into K, then divide.",
            _wrong_weights(_zeroed_too_late),
        ),
        Misconception(
            "columns_normalised",
            "The columns of your B sum to one, but the rows must. Row n rebuilds point n. "
            "K.sum(axis=1) needs keepdims=True to stay a column.",
            _wrong_weights(_columns_normalised),
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 in the kernel exp(-|x - x'|²/2) is missing, but P is still B.",
            _wrong_weights(lambda X: _weights(np.sqrt(2) * X)),
        ),
        Misconception(
            "distance_not_squared",
            "The kernel gets the distance, not its square: it must be exp(-|x - x'|²/2), whose "
            "slope makes P what (35) says.",
            _wrong_weights(_weights_of_plain_distances),
        ),
        Misconception(
            "normalisation_forgotten",
            "The term from the normalisation is missing: moving a point changes the sum that all "
            "weights of a row are divided by. In (31) the row sum of M * B is subtracted from M.",
            _wrong_pairs(lambda B, M, Y: B * M),
        ),
        Misconception(
            "normalisation_added",
            "You add the row sums of M * B to M; subtract them: the derivative of a quotient has "
            "a minus there.",
            _wrong_pairs(lambda B, M, Y: B * (M + np.sum(M * B, axis=1, keepdims=True))),
        ),
        Misconception(
            "normalisation_without_p",
            "You subtract the row sums of M * B from P * M. In (31) they are subtracted from M, and P "
            "multiplies the whole bracket: mind the parentheses.",
            _wrong_pairs(lambda B, M, Y: B * M - np.sum(M * B, axis=1, keepdims=True)),
        ),
        Misconception(
            "sum_without_weights",
            "You subtract the plain row sums of M. (31) has the row sums of M * B, the means "
            "weighted by B. (The matrix product M @ B gives the plain sums too: the rows of B sum "
            "to one.)",
            _wrong_pairs(lambda B, M, Y: B * (M - M.sum(axis=1, keepdims=True))),
        ),
        Misconception(
            "mean_without_weights",
            "You subtract the plain row means of M. (31) has the row sums of M * B: the means "
            "weighted by B.",
            _wrong_pairs(lambda B, M, Y: B * (M - M.mean(axis=1, keepdims=True))),
        ),
        Misconception(
            "keepdims_forgotten",
            "Your Q subtracts the sum over row m in place of row n. NumPy repeats an array of "
            "shape (N,) in every row: with keepdims=True the sum stays a column.",
            _wrong_pairs(lambda B, M, Y: B * (M - np.sum(M * B, axis=1))),
        ),
        Misconception(
            "sum_over_column",
            "In Q the sums run over the columns of M * B (axis=0). The weights of one row share a "
            "total: axis=1.",
            _wrong_pairs(lambda B, M, Y: B * (M - np.sum(M * B, axis=0)[:, None])),
        ),
        Misconception(
            "one_sum_for_all",
            "You subtract one number from all of M in Q, the sum over the whole matrix M * B. "
            "Each row has its own: axis=1, keepdims=True.",
            _wrong_pairs(lambda B, M, Y: B * (M - np.sum(M * B))),
        ),
        Misconception(
            "matrix_product_for_entries",
            "Between P and the bracket (or between M and B) you have a matrix product @. The star in (31) "
            "multiplies entry by entry: one number for each pair.",
            _wrong_pairs(lambda B, M, Y: B @ (M - np.sum(M * B, axis=1, keepdims=True))),
        ),
        Misconception(
            "products_for_stars",
            "You take both stars of (31) as matrix products @. The star multiplies entry by "
            "entry, *: one number for each pair.",
            _wrong_pairs(lambda B, M, Y: B @ (M - np.sum(M @ B, axis=1, keepdims=True))),
        ),
        Misconception(
            "mean_of_products",
            "You subtract the mean of each row of M * B from M; use the sum. The weights in a row "
            "of B sum to one already: their sum is the weighted mean.",
            _wrong_pairs(lambda B, M, Y: B * (M - np.mean(M * B, axis=1, keepdims=True))),
        ),
        Misconception(
            "m_transposed",
            "You use the transpose of M. Row n of M belongs to the residual of point n: M = (B Y - Y) Yᵀ, "
            "in this order.",
            _wrong_pairs(lambda B, M, Y: _pairs(B, M.T)),
        ),
        Misconception(
            "reconstruction_for_residual",
            "Your M uses the reconstructions B Y alone. It must use the residuals B Y - Y: a "
            "perfectly rebuilt point needs no force.",
            _wrong_pairs(lambda B, M, Y: _pairs(B, B @ Y @ Y.T)),
        ),
        Misconception(
            "columns_rebuild",
            "You rebuild the points with Bᵀ Y, from the columns of B. Row n holds the weights for "
            "point n, and sums to one: B Y.",
            _wrong_pairs(lambda B, M, Y: _pairs(B, (B.T @ Y - Y) @ Y.T)),
        ),
        Misconception(
            "residual_times_residual",
            "Your M is residuals times residuals. The second factor must be the data: the weight "
            "B_nm multiplies y_m.",
            _wrong_pairs(lambda B, M, Y: _pairs(B, (B @ Y - Y) @ (B @ Y - Y).T)),
        ),
        Misconception(
            "p_not_normalised",
            "Your P is K. For the Gaussian it is B, (35): the slopes are divided by the row sums "
            "as well.",
            _p_not_normalised,
        ),
        Misconception(
            "q_not_symmetric",
            "You use Q in place of S = Q + Qᵀ. A point moves its own reconstruction (its row of Q) and "
            "that of the others (its column): both belong to the gradient.",
            _wrong_end(lambda Q, X: _gradient(Q, X)),
        ),
        Misconception(
            "q_transposed",
            "You use Qᵀ alone in place of S = Q + Qᵀ: you have the point's influence on the "
            "others' reconstruction, but not on its own.",
            _wrong_end(lambda Q, X: _gradient(Q.T, X)),
        ),
        Misconception(
            "q_doubled",
            "You use 2 Q in place of S = Q + Qᵀ, as if Q were symmetric. m does not help n as n "
            "helps m.",
            _wrong_end(lambda Q, X: _gradient(2 * Q, X)),
        ),
        Misconception(
            "halves_subtracted",
            "You use Q - Qᵀ in place of S = Q + Qᵀ. Two points share one spring.",
            _wrong_end(lambda Q, X: _gradient(Q - Q.T, X)),
        ),
        Misconception(
            "diagonal_forgotten",
            "The second part of (32) is missing: subtract the row sums of S times X from S X, "
            "since the kernel depends on differences x_n - x_m. Use the row sums of S: the "
            "diagonal of S, the row sums of Q alone, and the sum over all of S are zero here.",
            _wrong_end(lambda Q, X: 2 / len(X) * (Q + Q.T) @ X),
        ),
        Misconception(
            "diagonal_added",
            "You add the row sums of S times X; subtract them: (32) stands for sums over x_m - "
            "x_n.",
            _wrong_end(lambda Q, X: 4 / len(X) * (Q + Q.T) @ X - _gradient(Q + Q.T, X)),
        ),
        Misconception(
            "sum_over_columns",
            "You subtract the same vector from every row. Each point needs its own: row n of X "
            "times the sum of row n of S. With keepdims=True the sum stays a column.",
            _wrong_end(lambda Q, X: 2 / len(X) * ((Q + Q.T) @ X - (Q + Q.T).sum(axis=0) @ X)),
        ),
        Misconception(
            "row_sums_everywhere",
            "You subtract the row sums from every entry of S before the product with X. In (32) "
            "they are only on the diagonal: subtract the column of row sums times X, entry by "
            "entry, from S X.",
            _wrong_end(
                lambda Q, X: 2 / len(X) * (Q + Q.T - (Q + Q.T).sum(axis=1, keepdims=True)) @ X
            ),
        ),
        Misconception(
            "factor_on_first_part",
            "Only S X is multiplied by 2/N, and the row sums of S times X are not. In (32) the "
            "factor multiplies the whole difference: use brackets.",
            _wrong_end(
                lambda Q, X: 2 / len(X) * (Q + Q.T) @ X - (Q + Q.T).sum(axis=1, keepdims=True) * X
            ),
        ),
        Misconception(
            "mean_forgotten",
            "1/N is missing: R_cv is the mean over the points.",
            lambda X, Y: len(X) * _right(X, Y),
        ),
        Misconception(
            "mean_over_all",
            "You divide by N d. R_cv is the mean of a squared length over the N points: over the "
            "d columns it is a sum.",
            lambda X, Y: _right(X, Y) / Y.shape[1],
        ),
        Misconception(
            "two_missing",
            "A factor 2 is missing: the one of (32), which comes from the square in the error; or "
            "you take the mean (Q + Qᵀ)/2, but S is the sum; or the 2 in P. For the Gaussian the "
            "slope dK/dt is -K/2, and P in (27) is minus twice the slope over the row sum, so "
            "that P = B.",
            lambda X, Y: _right(X, Y) / 2,
        ),
    ),
    hints=(
        "Five matrices, in this order: K with a zero diagonal, B, P, M, Q. For the Gaussian "
        "kernel P is B itself. All are N x N tables with one number for each pair; look at their "
        "shapes.",
        "B = K with each row divided by its sum. M = (B Y - Y) Yᵀ. Q = P * (M - c), with c_n the sum of "
        "row n of M * B (31). S = Q + Qᵀ. Then 2/N times (S X - D X), where D is diagonal and holds the "
        "row sums of S (32).",
        "The star is *, matrix products are @. Both sums run over axis=1 with keepdims=True, so that they "
        "stay columns. D X needs no N x N matrix: the column of the row sums of S, times X.",
    ),
)
