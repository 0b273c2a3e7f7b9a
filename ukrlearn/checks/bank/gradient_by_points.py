"""The gradient of R_cv as a sum over pairs of points: Q first, then the gradient."""

import numpy as np

from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
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


MISTAKES = (
    GRADIENT.mistake("normalisation_forgotten", brackets=lambda M: M),
    GRADIENT.mistake("normalisation_added", brackets=lambda M, means: M + means),
    GRADIENT.mistake("normalisation_without_weight", pairs=lambda B, M, means: B * M - means),
    GRADIENT.mistake("weight_forgotten", pairs=lambda brackets: brackets),
    GRADIENT.mistake("mean_without_weights", means=lambda M: M.mean(axis=1, keepdims=True)),
    GRADIENT.mistake("sum_without_weights", means=lambda M: M.sum(axis=1, keepdims=True)),
    GRADIENT.mistake("mean_of_products", means=lambda M, B: np.mean(M * B, axis=1, keepdims=True)),
    GRADIENT.mistake("sum_over_column", means=lambda M, B: np.sum(M * B, axis=0)[:, None]),
    GRADIENT.mistake("sum_of_the_other_row", means=lambda M, B: np.sum(M * B, axis=1)),
    GRADIENT.mistake("weights_of_the_other_row", means=lambda M, B: M @ B.T),
    GRADIENT.mistake("mean_unfinished", means=lambda M, B: np.cumsum(M * B, axis=1)),
    GRADIENT.mistake("one_sum_for_all", means=lambda M, B: np.sum(M * B)),
    GRADIENT.mistake("own_term_skipped", brackets=lambda M, B, means: M - (means - M * B)),
    GRADIENT.mistake("residual_turned", residuals=lambda Y, rebuilt: Y - rebuilt),
    GRADIENT.mistake("reconstruction_for_residual", residuals=lambda rebuilt: rebuilt),
    GRADIENT.mistake("columns_rebuild", rebuilt=lambda B, Y: B.T @ Y),
    GRADIENT.mistake("residual_of_the_helper", M=lambda residuals, Y: Y @ residuals.T),
    GRADIENT.mistake("residual_times_residual", M=lambda residuals: residuals @ residuals.T),
    GRADIENT.mistake(
        "residual_times_reconstruction", M=lambda residuals, rebuilt: residuals @ rebuilt.T
    ),
    GRADIENT.mistake("slope_halved", pairs=lambda B, brackets: B * brackets / 2),
    GRADIENT.mistake("own_half_only", halves=lambda pairs: pairs),
    GRADIENT.mistake("others_half_only", halves=lambda pairs: pairs.T),
    GRADIENT.mistake("unfinished", halves=lambda pairs: pairs + np.triu(pairs).T),
    GRADIENT.mistake(
        "half_of_the_pairs", forces=lambda halves, arms: forces(np.triu(halves), arms)
    ),
    GRADIENT.mistake("overwritten", forces=lambda halves, arms: halves[:, -1:] * arms[:, -1]),
    GRADIENT.mistake("own_half_doubled", halves=lambda pairs: 2 * pairs),
    GRADIENT.mistake("halves_subtracted", halves=lambda pairs: pairs - pairs.T),
    GRADIENT.mistake("position_for_difference", arms=lambda X: 0 * X[:, None] + X),
    GRADIENT.mistake("direction_only", arms=lambda X: arms(X) / _lengths(arms(X))),
    GRADIENT.mistake(
        "factor_in_loop", forces=_multiplied_in_the_loop, gradient=lambda forces: forces
    ),
    GRADIENT.mistake("pairs_counted_twice", halves=lambda pairs: 2 * (pairs + pairs.T)),
    GRADIENT.mistake("symmetrised", Q=lambda pairs: pairs + pairs.T),
    GRADIENT.mistake(
        "two_signs", residuals=lambda Y, rebuilt: Y - rebuilt, arms=lambda X: X[:, None] - X
    ),
    Misconception("exchanged", mistaken=lambda X, Y, B: GRADIENT()(X, Y, B)[::-1]),
    GRADIENT.mistake("mean_forgotten", gradient=lambda forces: 2 * forces),
    GRADIENT.mistake("two_forgotten", gradient=lambda forces: forces / len(forces)),
    GRADIENT.mistake("mean_over_all", gradient=lambda forces, Y: 2 / Y.size * forces),
    GRADIENT.mistake(
        "weights_of_the_column", means=lambda M, B: np.sum(M * B.T, axis=1, keepdims=True)
    ),
    GRADIENT.mistake(
        "slopes_of_the_column", means=lambda M, B: np.sum(M.T * B, axis=1, keepdims=True)
    ),
    GRADIENT.mistake("sum_not_reset", means=lambda M, B: np.cumsum(np.sum(M * B, axis=1))[:, None]),
    GRADIENT.mistake("own_product_subtracted", means=lambda M, B: M * B),
    GRADIENT.mistake("weights_squared", pairs=lambda B, brackets: B**2 * brackets),
    GRADIENT.mistake("weight_transposed", pairs=lambda B, brackets: B.T * brackets),
    GRADIENT.mistake("slope_doubled", pairs=lambda B, brackets: 2 * B * brackets),
    GRADIENT.mistake("divided_again", rebuilt=lambda B, Y: B @ Y / len(Y)),
    GRADIENT.mistake("data_alone", M=lambda Y: Y @ Y.T),
    GRADIENT.mistake("products_of_columns", M=lambda residuals, Y: residuals @ Y),
    GRADIENT.mistake("products_not_summed", M=_products_not_summed),
    GRADIENT.mistake("halves_flat", forces=_halves_flat),
    GRADIENT.mistake("like_the_data", forces=_filled_like_the_data, gradient=lambda forces: forces),
    GRADIENT.mistake("differences_turned", arms=lambda X: X[:, None] - X),
    GRADIENT.mistake("entries_counted", gradient=lambda forces: 2 / forces.size * forces),
    GRADIENT.mistake("no_factor", gradient=lambda forces: forces),
    GRADIENT.mistake("divided_by_others", gradient=lambda forces: 2 / (len(forces) - 1) * forces),
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
