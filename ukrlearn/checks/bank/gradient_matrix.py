"""The gradient of R_cv in matrix form."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.symmetries import moves_nothing, turns_nothing
from ukrlearn.checks.trials import SIZES, data, mirrored, within_reach
from ukrlearn.ukr import reconstruction


def reference(X, Y):
    return reconstruction.reconstruction_error(X, Y)[1]


def trials(seed):
    random = np.random.default_rng(seed)
    X, Y = np.array([[0.0], [1.0], [2.0]]), np.array([[1.0, 0.0], [2.0, 3.0], [0.0, 4.0]])
    made = [Trial("three points", dict(X=X, Y=Y))]
    X, Y = np.array([[0.0, 0], [1, 0], [0, 2], [-1, -1]]), np.array([[1.0], [0], [3], [-2]])
    made.append(Trial("four points of the plane", dict(X=X, Y=Y)))
    for N, d, q in SIZES:
        X, Y = data(random, N, d, q)
        X = within_reach(X)
        made.append(Trial(f"N = {N}, d = {d}, q = {q}", dict(X=X, Y=Y)))
    centred = dict(X=mirrored(random, 3, 2), Y=mirrored(random, 3, 3))
    made.append(Trial("centred points, some of them equal", centred))
    made.append(Trial("data a thousand times larger", dict(X=X, Y=1e3 * Y)))
    made.append(Trial("latent points close together", dict(X=0.1 * X, Y=Y)))
    made.append(Trial("latent points far from the origin", dict(X=X + 50, Y=Y)))
    return made


def squares(X):
    """the squared distances |x_n - x_m|²"""
    return np.sum((X[:, None] - X) ** 2, axis=2)


def kernels(squares):
    """the kernel values exp(-|x_n - x_m|²/2)"""
    return np.exp(-squares / 2)


def K(kernels):
    """K, whose diagonal is zero"""
    return kernels - np.diag(np.diag(kernels))


def sums(K):
    """the row sums of K"""
    return np.sum(K, axis=1, keepdims=True)


def B(K, sums):
    """B"""
    return K / sums


def P(B):
    """P"""
    return B


def rebuilt(B, Y):
    """the reconstructions B Y"""
    return B @ Y


def residuals(rebuilt, Y):
    """the residuals B Y - Y"""
    return rebuilt - Y


def M(residuals, Y):
    """M, the residuals times Yᵀ"""
    return residuals @ Y.T


def means(M, B):
    """the row sums of M * B"""
    return np.sum(M * B, axis=1, keepdims=True)


def brackets(M, means):
    """the bracket of (31)"""
    return M - means


def Q(P, brackets):
    """Q"""
    return P * brackets


def S(Q):
    """Q + Qᵀ"""
    return Q + Q.T


def SX(S, X):
    """(Q + Qᵀ) X, the first part of (32)"""
    return S @ X


def DX(S, X):
    """the row sums of Q + Qᵀ times X, the second part of (32)"""
    return np.sum(S, axis=1, keepdims=True) * X


def difference(SX, DX):
    """the braces of (32) times X"""
    return SX - DX


def gradient(difference):
    """the gradient, with its factor 2/N"""
    return 2 / len(difference) * difference


GRADIENT = pipeline(
    "X Y",
    squares,
    kernels,
    K,
    sums,
    B,
    P,
    rebuilt,
    residuals,
    M,
    means,
    brackets,
    Q,
    S,
    SX,
    DX,
    difference,
    gradient,
)


def _weights(X):
    others = K(kernels(squares(X)))
    return B(others, sums(others))


def addends(X, Y):
    """The terms of (32): Q X, Qᵀ X and the diagonal, and both parts of Q in each of them."""
    weights = _weights(X)
    slopes = M(residuals(rebuilt(weights, Y), Y), Y)
    made = {}
    for words, part in (
        ("P * M", weights * slopes),
        ("P * (M * B) 11ᵀ", -weights * means(slopes, weights)),
    ):
        diagonal = (part + part.T).sum(axis=1, keepdims=True)
        made[f"{words} in Q X"] = 2 / len(X) * part @ X
        made[f"{words} in Qᵀ X"] = 2 / len(X) * part.T @ X
        made[f"{words} in the diagonal of the row sums"] = -2 / len(X) * diagonal * X
    return made


def _zero_diagonal(B):
    return B - np.diag(np.diag(B))


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
    stages=GRADIENT,
    addends=addends,
    properties=(
        Property(
            "not_translation_free",
            "The rows of the gradient sum to zero: moving all points together changes nothing.",
            "The rows of the gradient must sum to zero, since moving all points together changes "
            "no distance. Yours do not.",
            lambda gradient, X, Y: moves_nothing(gradient),
            suspects=(
                ("S", "Is S symmetric, Q + Qᵀ?"),
                ("DX", "Do you subtract the row sums of S, times X?"),
            ),
        ),
        Property(
            "not_rotation_free",
            "The gradient does not turn the cloud: every force acts along the line between two points.",
            "The gradient turns the cloud of points as a whole, although a rotation changes no "
            "distance.",
            lambda gradient, X, Y: turns_nothing(gradient, X),
            suspects=(
                ("S", "Is S symmetric? With S = Q + Qᵀ two points act on each other alike."),
                ("DX", "Do you subtract the row sums of S, times X?"),
            ),
        ),
        Property(
            "uphill",
            "A small step along minus the gradient lowers the error R_cv.",
            "A small step along minus your gradient does not lower R_cv.",
            _downhill,
            suspects=(
                ("residuals", "Are your residuals B Y - Y, in this order?"),
                ("Q", "Is your Q what (31) says?"),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "nothing_left_out",
            "This is the gradient of R, not of R_cv: the diagonal of K must be zero before the rows "
            "are normalised, so that no point helps to rebuild itself.",
            GRADIENT(K=lambda kernels: kernels),
        ),
        Misconception(
            "zeroed_too_late",
            "You put zeros on the diagonal of B after dividing the rows by their sums: the rows "
            "no longer sum to one. Put the zeros into K, then divide.",
            GRADIENT(K=lambda kernels: kernels, B=lambda K, sums: _zero_diagonal(K / sums)),
        ),
        Misconception(
            "columns_normalised",
            "The columns of your B sum to one, but the rows must. Row n rebuilds point n. "
            "K.sum(axis=1) needs keepdims=True to stay a column.",
            GRADIENT(sums=lambda K: np.sum(K, axis=0)),
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 in the kernel exp(-|x - x'|²/2) is missing, but P is still B.",
            GRADIENT(kernels=lambda squares: np.exp(-squares)),
        ),
        Misconception(
            "distance_not_squared",
            "The kernel gets the distance, not its square: it must be exp(-|x - x'|²/2), whose "
            "slope makes P what (35) says.",
            GRADIENT(squares=lambda X: np.sqrt(squares(X))),
        ),
        Misconception(
            "normalisation_forgotten",
            "The term from the normalisation is missing: moving a point changes the sum that all "
            "weights of a row are divided by. In (31) the row sum of M * B is subtracted from M.",
            GRADIENT(brackets=lambda M: M),
        ),
        Misconception(
            "normalisation_added",
            "You add the row sums of M * B to M; subtract them: the derivative of a quotient has "
            "a minus there.",
            GRADIENT(brackets=lambda M, means: M + means),
        ),
        Misconception(
            "normalisation_without_p",
            "You subtract the row sums of M * B from P * M. In (31) they are subtracted from M, and P "
            "multiplies the whole bracket: mind the parentheses.",
            GRADIENT(Q=lambda P, M, means: P * M - means),
        ),
        Misconception(
            "sum_without_weights",
            "You subtract the plain row sums of M. (31) has the row sums of M * B, the means "
            "weighted by B. (The matrix product M @ B gives the plain sums too: the rows of B sum "
            "to one.)",
            GRADIENT(means=lambda M: M.sum(axis=1, keepdims=True)),
        ),
        Misconception(
            "mean_without_weights",
            "You subtract the plain row means of M. (31) has the row sums of M * B: the means "
            "weighted by B.",
            GRADIENT(means=lambda M: M.mean(axis=1, keepdims=True)),
        ),
        Misconception(
            "keepdims_forgotten",
            "Your Q subtracts the sum over row m in place of row n. NumPy repeats an array of "
            "shape (N,) in every row: with keepdims=True the sum stays a column.",
            GRADIENT(means=lambda M, B: np.sum(M * B, axis=1)),
        ),
        Misconception(
            "sum_over_column",
            "In Q the sums run over the columns of M * B (axis=0). The weights of one row share a "
            "total: axis=1.",
            GRADIENT(means=lambda M, B: np.sum(M * B, axis=0)[:, None]),
        ),
        Misconception(
            "one_sum_for_all",
            "You subtract one number from all of M in Q, the sum over the whole matrix M * B. "
            "Each row has its own: axis=1, keepdims=True.",
            GRADIENT(means=lambda M, B: np.sum(M * B)),
        ),
        Misconception(
            "matrix_product_for_entries",
            "Between P and the bracket (or between M and B) you have a matrix product @. The star in (31) "
            "multiplies entry by entry: one number for each pair.",
            GRADIENT(Q=lambda P, brackets: P @ brackets),
        ),
        Misconception(
            "products_for_stars",
            "You take both stars of (31) as matrix products @. The star multiplies entry by "
            "entry, *: one number for each pair.",
            GRADIENT(
                means=lambda M, B: np.sum(M @ B, axis=1, keepdims=True),
                Q=lambda P, brackets: P @ brackets,
            ),
        ),
        Misconception(
            "mean_of_products",
            "You subtract the mean of each row of M * B from M; use the sum. The weights in a row "
            "of B sum to one already: their sum is the weighted mean.",
            GRADIENT(means=lambda M, B: np.mean(M * B, axis=1, keepdims=True)),
        ),
        Misconception(
            "m_transposed",
            "You use the transpose of M. Row n of M belongs to the residual of point n: M = (B Y - Y) Yᵀ, "
            "in this order.",
            GRADIENT(M=lambda residuals, Y: Y @ residuals.T),
        ),
        Misconception(
            "reconstruction_for_residual",
            "Your M uses the reconstructions B Y alone. It must use the residuals B Y - Y: a "
            "perfectly rebuilt point needs no force.",
            GRADIENT(residuals=lambda rebuilt: rebuilt),
        ),
        Misconception(
            "columns_rebuild",
            "You rebuild the points with Bᵀ Y, from the columns of B. Row n holds the weights for "
            "point n, and sums to one: B Y.",
            GRADIENT(rebuilt=lambda B, Y: B.T @ Y),
        ),
        Misconception(
            "residual_times_residual",
            "Your M is residuals times residuals. The second factor must be the data: the weight "
            "B_nm multiplies y_m.",
            GRADIENT(M=lambda residuals: residuals @ residuals.T),
        ),
        Misconception(
            "p_not_normalised",
            "Your P is K. For the Gaussian it is B, (35): the slopes are divided by the row sums "
            "as well.",
            GRADIENT(P=lambda K: K),
        ),
        Misconception(
            "q_not_symmetric",
            "You use Q in place of S = Q + Qᵀ. A point moves its own reconstruction (its row of Q) and "
            "that of the others (its column): both belong to the gradient.",
            GRADIENT(S=lambda Q: Q),
        ),
        Misconception(
            "q_transposed",
            "You use Qᵀ alone in place of S = Q + Qᵀ: you have the point's influence on the "
            "others' reconstruction, but not on its own.",
            GRADIENT(S=lambda Q: Q.T),
        ),
        Misconception(
            "q_doubled",
            "You use 2 Q in place of S = Q + Qᵀ, as if Q were symmetric. m does not help n as n "
            "helps m.",
            GRADIENT(S=lambda Q: 2 * Q),
        ),
        Misconception(
            "halves_subtracted",
            "You use Q - Qᵀ in place of S = Q + Qᵀ. Two points share one spring.",
            GRADIENT(S=lambda Q: Q - Q.T),
        ),
        Misconception(
            "diagonal_forgotten",
            "The second part of (32) is missing or zero: subtract the row sums of S times X from S X, "
            "since the kernel depends on differences x_n - x_m. Use the row sums of S: the "
            "diagonal of S, the row sums of Q alone, and the sum over all of S are zero here.",
            GRADIENT(DX=lambda X: 0 * X),
        ),
        Misconception(
            "diagonal_added",
            "You add the row sums of S times X; subtract them: (32) stands for sums over x_m - "
            "x_n.",
            GRADIENT(difference=lambda SX, DX: SX + DX),
        ),
        Misconception(
            "sum_over_columns",
            "You subtract the same vector from every row. Each point needs its own: row n of X "
            "times the sum of row n of S. With keepdims=True the sum stays a column.",
            GRADIENT(DX=lambda S, X: S.sum(axis=1) @ X),
        ),
        Misconception(
            "row_sums_everywhere",
            "You subtract the row sums from every entry of S before the product with X. In (32) "
            "they are only on the diagonal: subtract the column of row sums times X, entry by "
            "entry, from S X.",
            GRADIENT(
                SX=lambda S, X: (S - np.sum(S, axis=1, keepdims=True)) @ X,
                DX=lambda X: 0 * X,
            ),
        ),
        Misconception(
            "factor_on_first_part",
            "Only S X is multiplied by 2/N, and the row sums of S times X are not. In (32) the "
            "factor multiplies the whole difference: use brackets.",
            GRADIENT(SX=lambda S, X: 2 / len(X) * S @ X, gradient=lambda difference: difference),
        ),
        Misconception(
            "mean_forgotten",
            "1/N is missing: R_cv is the mean over the points.",
            GRADIENT(gradient=lambda difference: 2 * difference),
        ),
        Misconception(
            "mean_over_all",
            "You divide by N d. R_cv is the mean of a squared length over the N points: over the "
            "d columns it is a sum.",
            GRADIENT(gradient=lambda difference, Y: 2 / Y.size * difference),
        ),
        Misconception(
            "two_missing",
            "A factor 2 is missing: the one of (32), which comes from the square in the error; or "
            "you take the mean (Q + Qᵀ)/2, but S is the sum; or the 2 in P. For the Gaussian the "
            "slope dK/dt is -K/2, and P in (27) is minus twice the slope over the row sum, so "
            "that P = B.",
            GRADIENT(gradient=lambda difference: difference / len(difference)),
        ),
        Misconception(
            "no_factor",
            "The whole factor 2/N of (32) is missing.",
            GRADIENT(gradient=lambda difference: difference),
        ),
        Misconception(
            "entries_counted",
            "You divide by N q, the number of entries of X (X.size). R_cv is the mean over the N "
            "points: divide by len(X).",
            GRADIENT(gradient=lambda difference: 2 / difference.size * difference),
        ),
        Misconception(
            "divided_by_others",
            "You divide by N - 1. R_cv is the mean over all N points; each of them is rebuilt.",
            GRADIENT(gradient=lambda difference: 2 / (len(difference) - 1) * difference),
        ),
        Misconception(
            "four_for_two",
            "The gradient is twice as large as it should be: the factor is 4/N in place of 2/N, or "
            "S or P is doubled. S is Q + Qᵀ, and P is B.",
            GRADIENT(gradient=lambda difference: 4 / len(difference) * difference),
        ),
        Misconception(
            "sign_turned",
            "This is minus the gradient: the residuals are Y - B Y, or the difference in the braces "
            "of (32) is turned, or a minus stands in front. The residuals are B Y - Y, and the braces "
            "begin with Q. If you wanted to go downhill: the descent turns the sign, not the gradient.",
            GRADIENT(difference=lambda SX, DX: DX - SX),
        ),
        Misconception(
            "column_sums",
            "In Q you subtract from each column the sum of that column of M * B (axis=0). (M * B) 11ᵀ "
            "has the sum of row n everywhere in row n: axis=1, keepdims=True.",
            GRADIENT(means=lambda M, B: np.sum(M * B, axis=0)),
        ),
        Misconception(
            "product_in_the_sum",
            "In the sum of (31) you take the matrix product of M with Bᵀ. The star multiplies entry "
            "by entry: M_nl B_nl, then the sum over the row.",
            GRADIENT(means=lambda M, B: M @ B.T),
        ),
        Misconception(
            "product_subtracted",
            "You subtract M * B itself, entry by entry, from M. 11ᵀ behind it makes row sums of it: "
            "each entry of row n gets the sum of row n.",
            GRADIENT(means=lambda M, B: M * B),
        ),
        Misconception(
            "weights_transposed",
            "In the sum of (31) you take Bᵀ. M_nl and B_nl are both from row n: n is the rebuilt "
            "point.",
            GRADIENT(means=lambda M, B: np.sum(M * B.T, axis=1, keepdims=True)),
        ),
        Misconception(
            "p_forgotten",
            "The factor P is missing in Q: it multiplies the bracket of (31), and is B here. Without "
            "it two distant points pull as strongly as neighbours.",
            GRADIENT(P=lambda: 1.0),
        ),
        Misconception(
            "p_transposed",
            "Your P is Bᵀ. P is B, (35), with the same rows: row n holds the weights that rebuild "
            "point n.",
            GRADIENT(P=lambda B: B.T),
        ),
        Misconception(
            "not_normalised",
            "You don't divide the rows of K by their sums: B is K in all that follows.",
            GRADIENT(B=lambda K: K),
        ),
        Misconception(
            "one_sum_in_b",
            "You divide K by the sum of all its entries. Each row of B sums to one: divide by the sum "
            "of its own row, K.sum(axis=1, keepdims=True).",
            GRADIENT(sums=lambda K: np.sum(K)),
        ),
        Misconception(
            "divided_by_n",
            "In B you divide K by N, or take means of rows. Divide each row by its own sum, so that "
            "it sums to one.",
            GRADIENT(sums=lambda K: len(K)),
        ),
        Misconception(
            "sign_missing",
            "The minus in the exponent is missing: distant points now weigh most.",
            GRADIENT(kernels=lambda squares: np.exp(squares / 2)),
        ),
        Misconception(
            "data_for_latent",
            "You compute the distances from the data Y. The weights of UKR come from the latent "
            "points X.",
            GRADIENT(squares=lambda Y: squares(Y)),
        ),
        Misconception(
            "squared_after_sum",
            "You add up the differences of the q coordinates and square their sum, so that they can "
            "cancel. Square each difference, then add.",
            GRADIENT(squares=lambda X: np.sum(X[:, None] - X, axis=2) ** 2),
        ),
        Misconception(
            "one_dimension",
            "X - X.T makes all differences for q = 1 only. For q coordinates make an array of "
            "differences with three axes, X[:, None] - X, square it, and sum over the last axis.",
            GRADIENT(squares=lambda X: (X - X.T) ** 2),
        ),
        Misconception(
            "residual_times_reconstruction",
            "Your M is residuals times reconstructions. The second factor must be the data: the "
            "weight B_nm multiplies y_m.",
            GRADIENT(M=lambda residuals, rebuilt: residuals @ rebuilt.T),
        ),
        Misconception(
            "gram_of_columns",
            "You have Yᵀ Y, one number for each pair of columns. M needs Y Yᵀ, one number for each "
            "pair of points.",
            GRADIENT(M=lambda B, Y: (B - np.eye(len(B))) @ (Y.T @ Y)),
        ),
        Misconception(
            "products_of_columns",
            "You multiply the transposed residuals with Y: that gives a number for each pair of "
            "columns. M has one for each pair of points, residuals times Yᵀ.",
            GRADIENT(M=lambda residuals, Y: residuals.T @ Y),
        ),
        Misconception(
            "transpose_missing",
            "You multiply the residuals with Y, not with Yᵀ: (N, d) times (d, N) gives N x N, one "
            "number for each pair of points. Or you have Y @ B, where B @ Y rebuilds the points.",
            GRADIENT(M=lambda residuals, Y: residuals @ Y),
        ),
        Misconception(
            "products_not_summed",
            "You multiply residuals and data entry by entry, which leaves N x d numbers. M is a "
            "matrix product, residuals @ Y.T: N x N.",
            GRADIENT(M=lambda residuals, Y: residuals * Y),
        ),
        Misconception(
            "row_sums_flat",
            "The row sums of S are an array of shape (N,), which NumPy lays along the rows of X: its "
            "last axis meets the q columns. Keep them as a column of shape (N, 1): keepdims=True, or "
            "[:, None].",
            GRADIENT(DX=lambda S, X: S.sum(axis=1) * X),
        ),
        Misconception(
            "one_subtracted_everywhere",
            "You subtract 1 from every entry of B, not the identity matrix I, which has ones on the "
            "diagonal only: np.eye(N). (B - I) Y are the residuals B Y - Y.",
            GRADIENT(residuals=lambda rebuilt, Y: rebuilt - Y.sum(axis=0)),
        ),
        Misconception(
            "entries_for_product",
            "You multiply S and X entry by entry. S X is a matrix product, S @ X: each point gathers "
            "from all others.",
            GRADIENT(SX=lambda S, X: S * X),
        ),
    ),
    hints=(
        "K, B, P, M and Q are five tables: which shape must each have, and what does row n stand "
        "for? Which of the products in (31) and (32) keeps that shape entry by entry, and which sums "
        "over points? (For the Gaussian kernel P is B itself.)",
        "B = K with each row divided by its sum. M = (B Y - Y) Yᵀ. Q = P * (M - c), with c_n the sum of "
        "row n of M * B (31). S = Q + Qᵀ. Then 2/N times (S X - D X), where D is diagonal and holds the "
        "row sums of S (32).",
        "The star is *, matrix products are @. Both sums run over axis=1 with keepdims=True, so that they "
        "stay columns. D X needs no N x N matrix: the column of the row sums of S, times X.",
    ),
)
