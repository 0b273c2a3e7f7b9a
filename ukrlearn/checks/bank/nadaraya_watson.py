"""f(x), the weighted mean of Nadaraya and Watson, by loops."""

import numpy as np

from ukrlearn.blocks import density_kernels, kernel_regression
from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.mistakes import bandwidth_mistakes, distance_mistakes
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise
from ukrlearn.checks.trials import SIZES, data


def reference(x, X, Y, h):
    return kernel_regression.predict(x / h, X / h, Y, density_kernels.gaussian)


def trials(seed):
    random = np.random.default_rng(seed)
    X, Y = np.array([[0.0], [1.0], [3.0]]), np.array([[1.0, 0.0], [2.0, 4.0], [0.0, 5.0]])
    made = [Trial("three points, one position", dict(x=np.array([[0.5]]), X=X, Y=Y, h=2.0))]
    x = np.array([[0.0, 0.0], [2.0, -1.0], [-2.0, 3.0]])
    X = np.array([[-1.0, 0.0], [0.0, 2.0], [1.0, -2.0], [0.0, 0.0]])
    Y = np.array([[1.0, -2.0], [0.0, 0.0], [3.0, 1.0], [-4.0, 1.0]])
    made.append(Trial("four points of a plane, centred", dict(x=x, X=X, Y=Y, h=1.0)))
    for M, (N, d, q) in zip((4, 2, 6), SIZES, strict=True):
        X, Y = data(random, N, d, q)
        x = random.normal(size=(M, q)) + 0.5
        h = random.uniform(0.6, 1.6)
        made.append(Trial(f"{N} points, {M} positions", dict(x=x, X=X, Y=Y, h=h)))
    x = X[:4] + 0.05 * random.normal(size=(4, q))
    made.append(Trial("latent space in other units", dict(x=1e3 * x, X=1e3 * X, Y=Y, h=700.0)))
    made.append(Trial("data a million times larger", dict(x=x, X=X, Y=1e6 * Y, h=0.8)))
    equal = np.tile([3.0, -2.0], (N, 1))
    made.append(Trial("all data points equal", dict(x=x, X=X, Y=equal, h=0.8)))
    X, Y = X - X.mean(axis=0), Y - Y.mean(axis=0)
    X[3], Y[5], X[7] = 0, 0, X[6]
    x = np.vstack([random.normal(size=(5, q)), X[2:4], X[2:3]])
    made.append(Trial("centred, with zeros and ties", dict(x=x, X=X, Y=Y, h=1.2)))
    return made


MEAN = pipeline(
    "x X Y h",
    squares=lambda x, X: np.sum((x[:, None] - X) ** 2, axis=2),
    exponents=lambda squares, h: -squares / (2 * h**2),
    kernels=lambda exponents: np.exp(exponents),
    numerators=lambda kernels, Y: kernels @ Y,
    totals=lambda kernels: kernels.sum(axis=1, keepdims=True),
    f=lambda numerators, totals: numerators / totals,
)


def _divided_at_each_step(kernels, Y):
    f = np.zeros((len(kernels), Y.shape[1]))
    for k, total, y in zip(kernels.T, np.cumsum(kernels, axis=1).T, Y, strict=True):
        f = (f + k[:, None] * y) / total[:, None]
    return f


def _divided_by_the_sum_so_far(kernels, Y):
    return kernels / np.cumsum(kernels, axis=1) @ Y


def _row_times_table(kernels, Y):
    """Each row of weights, of shape (N,), times a table of shape (N, d)."""
    return np.array([np.sum(row * Y, axis=0) for row in kernels])


def _equal_data_return(f, x, X, Y, h):
    return bool(np.ptp(Y, axis=0).any() or np.allclose(f, Y[0], rtol=1e-4))


MISTAKES = (
    MEAN.mistake("divided_by_n", totals=lambda X: len(X)),
    MEAN.mistake(
        "columns_normalised",
        numerators=lambda kernels, Y: kernels / kernels.sum(axis=0) @ Y,
        totals=lambda: 1.0,
    ),
    MEAN.mistake("nearest_only", f=lambda squares, Y: Y[squares.argmin(axis=1)]),
    MEAN.mistake("last_term_only", numerators=lambda kernels, Y: kernels[:, -1:] * Y[-1]),
    MEAN.mistake(
        "kernel_of_each_coordinate",
        squares=lambda x, X: (x[:, None] - X) ** 2,
        kernels=lambda exponents: np.exp(exponents).sum(axis=2),
    ),
    MEAN.mistake("inverse_distance", kernels=lambda squares: 1 / np.sqrt(squares)),
    MEAN.mistake("divided_by_all", totals=lambda kernels: kernels.sum()),
    MEAN.mistake("divided_at_each_step", numerators=_divided_at_each_step, totals=lambda: 1.0),
    MEAN.mistake(
        "divided_by_the_sum_so_far", numerators=_divided_by_the_sum_so_far, totals=lambda: 1.0
    ),
    MEAN.mistake("own_data_point", f=lambda x, Y: Y[: len(x)]),
    MEAN.mistake("last_weight_only", totals=lambda kernels: kernels[:, -1:]),
    MEAN.mistake("last_data_point", f=lambda x, Y: np.repeat(Y[-1:], len(x), axis=0)),
    MEAN.mistake("sums_without_axis", totals=lambda kernels: kernels.sum(axis=1)),
    MEAN.mistake("row_times_table", numerators=_row_times_table),
    *bandwidth_mistakes(MEAN),
    *distance_mistakes(MEAN),
)


EXERCISE = exercise(
    "nadaraya_watson",
    lesson="01_kernel_regression",
    equations="[UKR] (2)",
    minutes=15,
    shapes={"x": "M q", "X": "N q", "Y": "N d", "h": ""},
    returns={"f": "M d"},
    trials=trials,
    reference=reference,
    stages=MEAN,
    properties=(
        Property("weights_no_shares", holds=_equal_data_return),
        Property(
            "outside",
            holds=lambda f, x, X, Y, h: bool(
                (f >= Y.min(axis=0) - 1e-5 * np.abs(Y).max()).all()
                and (f <= Y.max(axis=0) + 1e-5 * np.abs(Y).max()).all()
            ),
        ),
    ),
    misconceptions=MISTAKES,
)
