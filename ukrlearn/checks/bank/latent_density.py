"""p(x), the density of the latent points: a mean of kernels."""

import numpy as np

from ukrlearn.blocks import kernel_regression
from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.mistakes import bandwidth_mistakes, distance_mistakes
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise
from ukrlearn.checks.trials import SIZES, data


def reference(x, X, h):
    return kernel_regression.latent_density(x / h, X / h)


def trials(seed):
    random = np.random.default_rng(seed)
    X = np.array([[0.0], [1.0], [3.0]])
    made = [Trial("three points, two positions", dict(x=np.array([[1.0], [2.0]]), X=X, h=2.0))]
    x = np.array([[0.0, 0.0], [2.0, -1.0], [-2.0, 3.0]])
    X = np.array([[-1.0, 0.0], [0.0, 2.0], [1.0, -2.0], [0.0, 0.0]])
    made.append(Trial("four points of a plane, centred", dict(x=x, X=X, h=1.0)))
    for M, (N, _, q) in zip((4, 2, 6), SIZES, strict=True):
        X, _ = data(random, N, 1, q)
        x = random.normal(size=(M, q)) + 0.5
        h = random.uniform(0.6, 0.9) if q == 1 else random.uniform(1.2, 1.6)
        made.append(Trial(f"{N} points, {M} positions, q = {q}", dict(x=x, X=X, h=h)))
    x = X[:4] + 0.05 * random.normal(size=(4, 3))
    made.append(Trial("latent space in other units", dict(x=1e3 * x, X=1e3 * X, h=700.0)))
    away = X[np.argmax(X.sum(axis=1))] + random.uniform(2.0, 3.0, size=(5, 3))
    made.append(Trial("positions far from all points", dict(x=away, X=X, h=0.8)))
    together = np.tile(X[:1], (6, 1))
    made.append(Trial("all points in one place", dict(x=x, X=together, h=1.3)))
    made.append(Trial("positions at latent points", dict(x=X[2:7].copy(), X=X, h=1.1)))
    X = X - X.mean(axis=0)
    X[3], X[7] = 0, X[6]
    x = np.vstack([random.normal(size=(5, q)), X[2:4], X[2:3]])
    made.append(Trial("centred, with zeros and ties", dict(x=x, X=X, h=1.2)))
    return made


DENSITY = pipeline(
    "x X h",
    squares=lambda x, X: np.sum((x[:, None] - X) ** 2, axis=2),
    exponents=lambda squares, h: -squares / (2 * h**2),
    kernels=lambda exponents: np.exp(exponents),
    totals=lambda kernels: np.sum(kernels, axis=1),
    p=lambda totals, X: totals / len(X),
)


def _all_in_one_kernel(x, X):
    """The mean of the squared distances, once for each point."""
    return np.repeat(DENSITY.squares(x, X).mean(axis=1, keepdims=True), len(X), axis=1)


def _to_mean_point(x, X):
    return DENSITY.squares(x, np.repeat(X.mean(axis=0, keepdims=True), len(X), axis=0))


def _of_each_coordinate(**exchanged):
    """The exponents as a table for each coordinate, and what becomes of these tables."""
    return DENSITY(squares=lambda x, X: (x[:, None] - X) ** 2, **exchanged)


def _itself_unseen(exponents):
    return np.where(exponents == 0, 0, np.exp(exponents))


def _kernels(x, X, h):
    return DENSITY.kernels(DENSITY.exponents(DENSITY.squares(x, X), h))


def _between(p, x, X, h):
    nearest = _kernels(x, X, h).max(axis=1)
    rounding = 1e-3 * nearest + 1e-5 * nearest.max()
    return bool((p <= nearest + rounding).all() and (p >= nearest / len(X) - rounding).all())


def _counts_of_one_place(p, x, X, h):
    """False where all points lie in one place, and p is a multiple of their common kernel value."""
    if np.ptp(X, axis=0).any():
        return True
    ratio = p / _kernels(x, X[:1], h)[:, 0]
    constant = np.ptp(ratio) <= 1e-2 * np.abs(ratio).max()
    return bool(not constant or abs(ratio[0] - 1) <= 1e-2)


MISTAKES = (
    *DENSITY.mistakes(
        "kernels",
        constant_included=lambda exponents, X, h: (
            np.exp(exponents) / (2 * np.pi * h**2) ** (X.shape[1] / 2)
        ),
        constant_of_one_dimension=lambda exponents, h: np.exp(exponents) / (np.sqrt(2 * np.pi) * h),
        divided_by_h_q=lambda exponents, X, h: np.exp(exponents) / h ** X.shape[1],
        itself_unseen=_itself_unseen,
        constant_of_plane=lambda exponents, h: np.exp(exponents) / (2 * np.pi * h**2),
        divided_by_h=lambda exponents, h: np.exp(exponents) / h,
    ),
    DENSITY.mistake(
        "mean_over_positions",
        totals=lambda kernels: kernels.sum(axis=0),
        p=lambda totals, x: totals / len(x),
    ),
    Misconception(
        "kernel_of_each_coordinate",
        mistaken=_of_each_coordinate(p=lambda totals, X: totals.mean(axis=1) / len(X)),
    ),
    DENSITY.mistake("mean_before_kernel", squares=_all_in_one_kernel),
    DENSITY.mistake("kernel_of_mean_point", squares=_to_mean_point),
    DENSITY.mistake("shares_of_positions", p=lambda totals: totals / totals.sum()),
    DENSITY.mistake("highest_is_one", p=lambda totals: totals / totals.max()),
    DENSITY.mistake("last_point_only", totals=lambda kernels: kernels[:, -1]),
    DENSITY.mistake(
        "nearest_only", totals=lambda kernels: kernels.max(axis=1), p=lambda totals: totals
    ),
    DENSITY.mistake("h_times_distance", exponents=lambda squares, h: -squares / 2 * h),
    Misconception(
        "product_of_densities",
        mistaken=_of_each_coordinate(p=lambda totals, X: np.prod(totals / len(X), axis=1)),
    ),
    *bandwidth_mistakes(DENSITY),
    *distance_mistakes(DENSITY),
)


EXERCISE = exercise(
    "latent_density",
    lesson="01_kernel_regression",
    equations="[UKR] (3)",
    minutes=10,
    shapes={"x": "M q", "X": "N q", "h": ""},
    returns={"p": "M"},
    trials=trials,
    reference=reference,
    stages=DENSITY,
    properties=(
        Property(
            "out_of_range", holds=lambda p, x, X, h: bool((p >= 0).all() and (p <= 1 + 1e-4).all())
        ),
        Property("miscounted", holds=_counts_of_one_place),
        Property("not_a_mean", holds=_between),
    ),
    misconceptions=MISTAKES,
)
