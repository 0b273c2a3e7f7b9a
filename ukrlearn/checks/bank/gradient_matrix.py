"""The gradient of R_cv in matrix form."""

import numpy as np

from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.symmetries import moves_nothing, turns_nothing
from ukrlearn.checks.texts import exercise
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


MISTAKES = (
    GRADIENT.mistake("nothing_left_out", K=lambda kernels: kernels),
    GRADIENT.mistake(
        "zeroed_too_late", K=lambda kernels: kernels, B=lambda K, sums: _zero_diagonal(K / sums)
    ),
    GRADIENT.mistake("columns_normalised", sums=lambda K: np.sum(K, axis=0)),
    GRADIENT.mistake("half_missing", kernels=lambda squares: np.exp(-squares)),
    GRADIENT.mistake("distance_not_squared", squares=lambda X: np.sqrt(squares(X))),
    GRADIENT.mistake("normalisation_forgotten", brackets=lambda M: M),
    GRADIENT.mistake("normalisation_added", brackets=lambda M, means: M + means),
    GRADIENT.mistake("normalisation_without_p", Q=lambda P, M, means: P * M - means),
    GRADIENT.mistake("sum_without_weights", means=lambda M: M.sum(axis=1, keepdims=True)),
    GRADIENT.mistake("mean_without_weights", means=lambda M: M.mean(axis=1, keepdims=True)),
    GRADIENT.mistake("keepdims_forgotten", means=lambda M, B: np.sum(M * B, axis=1)),
    GRADIENT.mistake("sum_over_column", means=lambda M, B: np.sum(M * B, axis=0)[:, None]),
    GRADIENT.mistake("one_sum_for_all", means=lambda M, B: np.sum(M * B)),
    GRADIENT.mistake("matrix_product_for_entries", Q=lambda P, brackets: P @ brackets),
    GRADIENT.mistake(
        "products_for_stars",
        means=lambda M, B: np.sum(M @ B, axis=1, keepdims=True),
        Q=lambda P, brackets: P @ brackets,
    ),
    GRADIENT.mistake("mean_of_products", means=lambda M, B: np.mean(M * B, axis=1, keepdims=True)),
    GRADIENT.mistake("m_transposed", M=lambda residuals, Y: Y @ residuals.T),
    GRADIENT.mistake("reconstruction_for_residual", residuals=lambda rebuilt: rebuilt),
    GRADIENT.mistake("columns_rebuild", rebuilt=lambda B, Y: B.T @ Y),
    GRADIENT.mistake("residual_times_residual", M=lambda residuals: residuals @ residuals.T),
    GRADIENT.mistake("p_not_normalised", P=lambda K: K),
    GRADIENT.mistake("q_not_symmetric", S=lambda Q: Q),
    GRADIENT.mistake("q_transposed", S=lambda Q: Q.T),
    GRADIENT.mistake("q_doubled", S=lambda Q: 2 * Q),
    GRADIENT.mistake("halves_subtracted", S=lambda Q: Q - Q.T),
    GRADIENT.mistake("diagonal_forgotten", DX=lambda X: 0 * X),
    GRADIENT.mistake("diagonal_added", difference=lambda SX, DX: SX + DX),
    GRADIENT.mistake("sum_over_columns", DX=lambda S, X: S.sum(axis=1) @ X),
    GRADIENT.mistake(
        "row_sums_everywhere",
        SX=lambda S, X: (S - np.sum(S, axis=1, keepdims=True)) @ X,
        DX=lambda X: 0 * X,
    ),
    GRADIENT.mistake(
        "factor_on_first_part",
        SX=lambda S, X: 2 / len(X) * S @ X,
        gradient=lambda difference: difference,
    ),
    GRADIENT.mistake("mean_forgotten", gradient=lambda difference: 2 * difference),
    GRADIENT.mistake("mean_over_all", gradient=lambda difference, Y: 2 / Y.size * difference),
    GRADIENT.mistake("two_missing", gradient=lambda difference: difference / len(difference)),
    GRADIENT.mistake("no_factor", gradient=lambda difference: difference),
    GRADIENT.mistake(
        "entries_counted", gradient=lambda difference: 2 / difference.size * difference
    ),
    GRADIENT.mistake(
        "divided_by_others", gradient=lambda difference: 2 / (len(difference) - 1) * difference
    ),
    GRADIENT.mistake("four_for_two", gradient=lambda difference: 4 / len(difference) * difference),
    GRADIENT.mistake("sign_turned", difference=lambda SX, DX: DX - SX),
    GRADIENT.mistake("column_sums", means=lambda M, B: np.sum(M * B, axis=0)),
    GRADIENT.mistake("product_in_the_sum", means=lambda M, B: M @ B.T),
    GRADIENT.mistake("product_subtracted", means=lambda M, B: M * B),
    GRADIENT.mistake(
        "weights_transposed", means=lambda M, B: np.sum(M * B.T, axis=1, keepdims=True)
    ),
    GRADIENT.mistake("p_forgotten", P=lambda: 1.0),
    GRADIENT.mistake("p_transposed", P=lambda B: B.T),
    GRADIENT.mistake("not_normalised", B=lambda K: K),
    GRADIENT.mistake("one_sum_in_b", sums=lambda K: np.sum(K)),
    GRADIENT.mistake("divided_by_n", sums=lambda K: len(K)),
    GRADIENT.mistake("sign_missing", kernels=lambda squares: np.exp(squares / 2)),
    GRADIENT.mistake("data_for_latent", squares=lambda Y: squares(Y)),
    GRADIENT.mistake("squared_after_sum", squares=lambda X: np.sum(X[:, None] - X, axis=2) ** 2),
    GRADIENT.mistake("one_dimension", squares=lambda X: (X - X.T) ** 2),
    GRADIENT.mistake(
        "residual_times_reconstruction", M=lambda residuals, rebuilt: residuals @ rebuilt.T
    ),
    GRADIENT.mistake("gram_of_columns", M=lambda B, Y: (B - np.eye(len(B))) @ (Y.T @ Y)),
    GRADIENT.mistake("products_of_columns", M=lambda residuals, Y: residuals.T @ Y),
    GRADIENT.mistake("transpose_missing", M=lambda residuals, Y: residuals @ Y),
    GRADIENT.mistake("products_not_summed", M=lambda residuals, Y: residuals * Y),
    GRADIENT.mistake("row_sums_flat", DX=lambda S, X: S.sum(axis=1) * X),
    GRADIENT.mistake(
        "one_subtracted_everywhere", residuals=lambda rebuilt, Y: rebuilt - Y.sum(axis=0)
    ),
    GRADIENT.mistake("entries_for_product", SX=lambda S, X: S * X),
)


EXERCISE = exercise(
    "gradient_matrix",
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
        Property("not_translation_free", holds=lambda gradient, X, Y: moves_nothing(gradient)),
        Property("not_rotation_free", holds=lambda gradient, X, Y: turns_nothing(gradient, X)),
        Property("uphill", holds=_downhill),
    ),
    misconceptions=MISTAKES,
)
