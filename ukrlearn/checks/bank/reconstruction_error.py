"""R, the error of rebuilding all points with nothing left out."""

import numpy as np

from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.mistakes import (
    distance_mistakes,
    error_mistakes,
    kernel_mistakes,
    weight_mistakes,
)
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.steps import B, exponents, kernels, lengths, rebuilt, residuals, squares, sums
from ukrlearn.checks.texts import exercise
from ukrlearn.checks.trials import SIZES, data
from ukrlearn.ukr import reconstruction


def reference(X, Y):
    return reconstruction.squared_residuals(X, Y, leave_one_out=False).mean()


def trials(seed):
    random = np.random.default_rng(seed)
    X, Y = np.array([[0.0], [1.0], [3.0]]), np.array([[1.0, 0.0], [2.0, 4.0], [0.0, 5.0]])
    made = [Trial("three points", dict(X=X, Y=Y))]
    plane = np.array([[-1.0, 0.0], [0.0, 2.0], [1.0, -2.0], [0.0, 0.0]])
    Y = np.array([[1.0, -2.0], [0.0, 0.0], [3.0, 1.0], [-4.0, 1.0]])
    made.append(Trial("four points of a plane, centred", dict(X=plane, Y=Y)))
    for N, d, q in SIZES:
        X, Y = data(random, N, d, q)
        made.append(Trial(f"N = {N}, d = {d}, q = {q}", dict(X=X, Y=Y)))
    made.append(Trial("data a million times larger", dict(X=X, Y=1e6 * Y)))
    made.append(Trial("data far from zero", dict(X=X, Y=Y + 100.0)))
    made.append(Trial("latent points close together", dict(X=0.05 * X, Y=Y)))
    made.append(Trial("latent points further apart", dict(X=2.0 * X, Y=Y)))
    made.append(Trial("latent points nearly in one place", dict(X=1e-3 * X, Y=Y)))
    X, Y = random.normal(size=(9, 2)), random.normal(size=(9, 3))
    X, Y = X - X.mean(axis=0), Y - Y.mean(axis=0)
    X[2], X[5], Y[3], Y[7] = 0, X[4], 0, Y[6]
    made.append(Trial("centred, with zeros and ties", dict(X=X, Y=Y)))
    return made


ERROR = pipeline(
    "X Y",
    squares=squares,
    exponents=exponents,
    kernels=kernels,
    sums=sums,
    B=B,
    rebuilt=rebuilt,
    residuals=residuals,
    lengths=lengths,
    R=lambda lengths: np.mean(lengths),
)


def _variance(Y):
    return np.sum((Y - Y.mean(axis=0)) ** 2) / len(Y)


def _within_reach(R, X, Y):
    """At most the mean squared distance of each point from the one furthest from it."""
    furthest = np.sum((Y[:, None] - Y) ** 2, axis=2).max(axis=1)
    return bool(0 <= R <= furthest.mean() * (1 + 1e-3))


def _in_one_place(R, X, Y):
    apart = np.ptp(X, axis=0).max() > 0.05
    return bool(apart or np.isclose(R, _variance(Y), rtol=3e-3))


MISTAKES = (
    *error_mistakes(ERROR),
    *weight_mistakes(ERROR),
    *kernel_mistakes(ERROR),
    *distance_mistakes(ERROR),
)


EXERCISE = exercise(
    "reconstruction_error",
    lesson="03_reconstruction_error",
    equations="[UKR] (8)",
    minutes=15,
    shapes={"X": "N q", "Y": "N d"},
    returns={"R": ""},
    trials=trials,
    reference=reference,
    stages=ERROR,
    properties=(
        Property("beyond_reach", holds=_within_reach),
        Property("not_variance_in_one_place", holds=_in_one_place),
    ),
    misconceptions=MISTAKES,
)
