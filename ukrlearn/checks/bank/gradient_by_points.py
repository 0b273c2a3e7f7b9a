"""The gradient of R_cv as a sum over pairs of points: Q first, then the gradient."""

import numpy as np

from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.mistakes import slope_mistakes
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.steps import SLOPES
from ukrlearn.checks.symmetries import moves_nothing, turns_nothing
from ukrlearn.checks.texts import exercise
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


GRADIENT = pipeline(
    "X Y B",
    returns="gradient Q",
    **SLOPES,
    pairs=lambda B, brackets: B * brackets,
    Q=lambda pairs: pairs,
    halves=lambda pairs: pairs + pairs.T,
    arms=lambda X: X - X[:, None],
    forces=lambda halves, arms: np.sum(halves[:, :, None] * arms, axis=1),
    gradient=lambda forces: 2 / len(forces) * forces,
)


def _lengths(arms):
    distance = np.sqrt(np.sum(arms**2, axis=2, keepdims=True))
    return np.where(distance > 0, distance, 1)


def addends(X, Y, B):
    """The terms of (29): both halves of each pair, and both parts of Q in each half."""
    slopes = GRADIENT.M(GRADIENT.residuals(GRADIENT.rebuilt(B, Y), Y), Y)
    direct, through_sum = B * slopes, -B * GRADIENT.means(slopes, B)
    factor, between = 2 / len(X), GRADIENT.arms(X)
    return {
        "P M in the half Q_jm (the point's own reconstruction)": factor
        * GRADIENT.forces(direct, between),
        "P times the row's sum of M B in the half Q_jm": factor
        * GRADIENT.forces(through_sum, between),
        "P M in the half Q_mj (the reconstruction of the others)": factor
        * GRADIENT.forces(direct.T, between),
        "P times the row's sum of M B in the half Q_mj": factor
        * GRADIENT.forces(through_sum.T, between),
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


MISTAKES = (
    GRADIENT.mistake("products_of_columns", M=lambda residuals, Y: residuals @ Y),
    GRADIENT.mistake("normalisation_without_weight", pairs=lambda B, M, means: B * M - means),
    *slope_mistakes(GRADIENT),
    GRADIENT.mistake("mean_unfinished", means=lambda M, B: np.cumsum(M * B, axis=1)),
    GRADIENT.mistake("own_term_skipped", brackets=lambda M, B, means: M - (means - M * B)),
    GRADIENT.mistake("unfinished", halves=lambda pairs: pairs + np.triu(pairs).T),
    GRADIENT.mistake(
        "half_of_the_pairs", forces=lambda halves, arms: GRADIENT.forces(np.triu(halves), arms)
    ),
    GRADIENT.mistake("overwritten", forces=lambda halves, arms: halves[:, -1:] * arms[:, -1]),
    GRADIENT.mistake("position_for_difference", arms=lambda X: 0 * X[:, None] + X),
    GRADIENT.mistake(
        "direction_only", arms=lambda X: GRADIENT.arms(X) / _lengths(GRADIENT.arms(X))
    ),
    GRADIENT.mistake(
        "factor_in_loop", forces=_multiplied_in_the_loop, gradient=lambda forces: forces
    ),
    GRADIENT.mistake("symmetrised", Q=lambda pairs: pairs + pairs.T),
    GRADIENT.mistake(
        "two_signs", residuals=lambda Y, rebuilt: Y - rebuilt, arms=lambda X: X[:, None] - X
    ),
    GRADIENT.mistake("mean_over_all", gradient=lambda forces, Y: 2 / Y.size * forces),
    GRADIENT.mistake("weights_squared", pairs=lambda B, brackets: B**2 * brackets),
    GRADIENT.mistake("divided_again", rebuilt=lambda B, Y: B @ Y / len(Y)),
    GRADIENT.mistake("products_not_summed", M=_products_not_summed),
    GRADIENT.mistake("halves_flat", forces=_halves_flat),
    GRADIENT.mistake("like_the_data", forces=_filled_like_the_data, gradient=lambda forces: forces),
)


EXERCISE = exercise(
    "gradient_by_points",
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
        Property("drifts", holds=lambda values, X, Y, B: moves_nothing(values[0])),
        Property(
            "rows_do_not_cancel",
            holds=lambda values, X, Y, B: bool(
                (np.abs(values[1].sum(axis=1)) <= 1e-4 * np.abs(values[1]).max() + 1e-300).all()
            ),
        ),
        Property("turns", holds=lambda values, X, Y, B: turns_nothing(values[0], X)),
        Property("uphill", holds=_downhill),
    ),
    misconceptions=MISTAKES,
)
