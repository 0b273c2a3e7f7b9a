"""The leave-one-out log likelihood of latent points, whose maximum is a bandwidth."""

import numpy as np

from ukrlearn.blocks import scales
from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise
from ukrlearn.checks.trials import SIZES, data, mirrored


def reference(X, h):
    return scales.log_likelihood_of_left_out(X, h)


def trials(seed):
    random = np.random.default_rng(seed)
    made = [
        Trial("three points", dict(X=np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]]), h=2.0)),
        Trial("four points on a line", dict(X=np.array([[0.0], [1.0], [3.0], [4.0]]), h=0.5)),
        Trial("four points, two of them equal", dict(X=np.array([[0.0], [3], [0], [2]]), h=2.0)),
    ]
    for N, d, q in SIZES:
        X, _ = data(random, N, d, q)
        h = random.uniform(0.3, 0.5) * _farthest_neighbour(X)  # all sums well above rounding
        made.append(Trial(f"N = {N}, q = {q}", dict(X=X, h=h)))
    X = mirrored(random, 5, 3)
    h = 0.4 * _farthest_neighbour(X)
    made.append(Trial("centred points, two of them at the origin", dict(X=X, h=h)))
    made.append(Trial("latent space in other units", dict(X=1e5 * X, h=9e4 * h)))
    made.append(Trial("points close together", dict(X=1e-3 * X, h=0.002 * h)))
    lone = np.vstack([X, X[X[:, 0].argmax()] + 5 * h / np.sqrt(q)])
    made.append(Trial("a point far from all others", dict(X=lone, h=h)))
    twice = np.vstack([X, X[[1, 6]]])
    made.append(Trial("two points recorded twice", dict(X=twice, h=h)))
    return made


def _farthest_neighbour(X):
    """The distance to the nearest neighbour of the most isolated point."""
    t = LIKELIHOOD.squares(X)
    np.fill_diagonal(t, np.inf)
    return np.sqrt(t.min(axis=1).max())


LIKELIHOOD = pipeline(
    "X h",
    squares=lambda X: np.sum((X[:, None] - X) ** 2, axis=2),
    t=lambda squares, h: squares / h**2,
    kernels=lambda t: np.exp(-t / 2),
    others=lambda kernels: kernels - np.diag(np.diag(kernels)),
    totals=lambda others: np.sum(others, axis=1),
    count=lambda X: len(X) - 1,
    volume=lambda X, h: h ** X.shape[1],
    densities=lambda totals, count, volume: totals / (count * volume),
    logs=lambda densities: np.log(densities),
    log_likelihood=lambda logs: np.mean(logs),
)


def _squares_from_the_rest(X):
    """np.delete without an axis, which makes a row of numbers of the points."""
    return np.array([[np.sum((np.delete(X, n) - X[n]) ** 2, axis=-1)] for n in range(len(X))])


def _others_by_their_distance(kernels, squares):
    N = len(squares)
    return kernels[squares > 0].reshape(N, N - 1)


def _mean_log_kernels(t, volume):
    away = ~np.eye(len(t), dtype=bool)
    return np.sum(-t / 2, axis=1, where=away) / (len(t) - 1) - np.log(volume)


def _sum_log_kernels(t, count, volume):
    return np.sum(-t / 2, axis=1) - np.log(count * volume)


def _between_bounds(side):
    def holds(value, X, h):
        N, q = X.shape
        K = LIKELIHOOD.others(LIKELIHOOD.kernels(LIKELIHOOD.t(LIKELIHOOD.squares(X), h)))
        if side == "above":
            return bool(value <= -q * np.log(h) + 1e-3)
        with np.errstate(divide="ignore"):
            nearest = np.mean(np.log(K.max(axis=1))) - np.log(N - 1) - q * np.log(h)
        return bool(value >= nearest - 1e-3 * max(1, abs(nearest)))

    return holds


MISTAKES = (
    LIKELIHOOD.mistake(
        "itself_counted_over_n", others=lambda kernels: kernels, count=lambda X: len(X)
    ),
    LIKELIHOOD.mistake("axes_for_columns", volume=lambda h: h**2),
    LIKELIHOOD.mistake(
        "left_out_by_place", others=lambda kernels, squares: np.where(squares == 0, 0, kernels)
    ),
    LIKELIHOOD.mistake("distance_over_square", t=lambda squares, h: np.sqrt(squares) / h**2),
    LIKELIHOOD.mistake(
        "log_of_mean",
        logs=lambda densities: densities,
        log_likelihood=lambda logs: np.log(np.mean(logs)),
    ),
    LIKELIHOOD.mistake("one_added", logs=lambda densities: np.log1p(densities)),
    LIKELIHOOD.mistake("logs_inside", logs=_mean_log_kernels),
    LIKELIHOOD.mistake("product_of_points", log_likelihood=lambda densities: np.prod(densities)),
    LIKELIHOOD.mistake("left_out_by_selection", others=_others_by_their_distance),
    LIKELIHOOD.mistake(
        "delete_flattens", squares=_squares_from_the_rest, others=lambda kernels: kernels
    ),
    LIKELIHOOD.mistake(
        "shape_swapped", count=lambda X: X.shape[1] - 1, volume=lambda X, h: h ** len(X)
    ),
    LIKELIHOOD.mistake("log_kernels_summed", logs=_sum_log_kernels),
    LIKELIHOOD.mistake(
        "outer_mean_by_others", log_likelihood=lambda logs: np.sum(logs) / (len(logs) - 1)
    ),
    LIKELIHOOD.mistake("one_dimension", squares=lambda X: (X - X.T) ** 2),
)


EXERCISE = exercise(
    "scale_by_likelihood",
    lesson="08_starts_and_scales",
    equations="[UKR] section 4",
    minutes=20,
    shapes={"X": "N q", "h": ""},
    returns={"log_likelihood": ""},
    trials=trials,
    reference=reference,
    stages=LIKELIHOOD,
    properties=(
        Property("too_likely", holds=_between_bounds("above")),
        Property("less_than_nearest", holds=_between_bounds("below")),
    ),
    misconceptions=MISTAKES,
)
