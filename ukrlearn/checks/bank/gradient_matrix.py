"""The gradient of R_cv in matrix form."""

import numpy as np

from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.mistakes import slope_mistakes, without_diagonal
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.steps import SLOPES
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


GRADIENT = pipeline(
    "X Y",
    squares=lambda X: np.sum((X[:, None] - X) ** 2, axis=2),
    kernels=lambda squares: np.exp(-squares / 2),
    K=lambda kernels: kernels - np.diag(np.diag(kernels)),
    sums=lambda K: np.sum(K, axis=1, keepdims=True),
    B=lambda K, sums: K / sums,
    P=lambda B: B,
    **SLOPES,
    Q=lambda P, brackets: P * brackets,
    S=lambda Q: Q + Q.T,
    SX=lambda S, X: S @ X,
    DX=lambda S, X: np.sum(S, axis=1, keepdims=True) * X,
    difference=lambda SX, DX: SX - DX,
    gradient=lambda difference: 2 / len(difference) * difference,
)


def _weights(X):
    others = GRADIENT.K(GRADIENT.kernels(GRADIENT.squares(X)))
    return GRADIENT.B(others, GRADIENT.sums(others))


def addends(X, Y):
    """The terms of (32): Q X, Qᵀ X and the diagonal, and both parts of Q in each of them."""
    weights = _weights(X)
    slopes = GRADIENT.M(GRADIENT.residuals(GRADIENT.rebuilt(weights, Y), Y), Y)
    made = {}
    for words, part in (
        ("P * M", weights * slopes),
        ("P * (M * B) 11ᵀ", -weights * GRADIENT.means(slopes, weights)),
    ):
        diagonal = (part + part.T).sum(axis=1, keepdims=True)
        made[f"{words} in Q X"] = 2 / len(X) * part @ X
        made[f"{words} in Qᵀ X"] = 2 / len(X) * part.T @ X
        made[f"{words} in the diagonal of the row sums"] = -2 / len(X) * diagonal * X
    return made


def _error(X, Y):
    return np.sum((_weights(X) @ Y - Y) ** 2) / len(Y)


def _downhill(gradient, X, Y):
    size = np.linalg.norm(gradient)
    step = 1e-4 * gradient / size if size > 0 else 0 * X
    return bool(_error(X - step, Y) < _error(X + step, Y))


MISTAKES = (
    GRADIENT.mistake("gram_of_columns", M=lambda B, Y: (B - np.eye(len(B))) @ (Y.T @ Y)),
    GRADIENT.mistake("transpose_missing", M=lambda residuals, Y: residuals @ Y),
    GRADIENT.mistake(
        "zeroed_too_late", K=lambda kernels: kernels, B=lambda K, sums: without_diagonal(K / sums)
    ),
    GRADIENT.mistake("normalisation_without_p", Q=lambda P, M, means: P * M - means),
    *slope_mistakes(GRADIENT),
    GRADIENT.mistake("p_not_normalised", P=lambda K: K),
    GRADIENT.mistake("sum_over_columns", DX=lambda S, X: S.sum(axis=1) @ X),
    GRADIENT.mistake("mean_over_all", gradient=lambda difference, Y: 2 / Y.size * difference),
    GRADIENT.mistake("column_sums", means=lambda M, B: np.sum(M * B, axis=0)),
    GRADIENT.mistake("p_forgotten", P=lambda: 1.0),
    GRADIENT.mistake("one_sum_in_b", sums=lambda K: np.sum(K)),
    GRADIENT.mistake("divided_by_n", sums=lambda K: len(K)),
    GRADIENT.mistake("data_for_latent", squares=lambda Y: GRADIENT.squares(Y)),
    GRADIENT.mistake("one_dimension", squares=lambda X: (X - X.T) ** 2),
    GRADIENT.mistake("products_not_summed", M=lambda residuals, Y: residuals * Y),
    GRADIENT.mistake(
        "one_subtracted_everywhere", residuals=lambda rebuilt, Y: rebuilt - Y.sum(axis=0)
    ),
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
