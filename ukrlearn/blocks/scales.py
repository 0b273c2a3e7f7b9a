"""The scale of latent coordinates, which is the kernel's bandwidth: [UKR] 2.3, step 2."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize, minimize_scalar
from scipy.spatial.distance import cdist
from scipy.special import logsumexp

from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.kernel_regression import row_blocks
from ukrlearn.blocks.units import power_of_two


def varying(X):
    """X with constant columns replaced by zeros."""
    return np.where(np.any(X != X[:1], axis=0), X, 0)


def normalised(X, per_axis=True):
    """Coordinates with mean 0 and variance 1.

    Departure: the paper normalises to X Xᵀ = I, so that the best factors grow with √N.

    Parameters
    ----------
    per_axis : bool
        True: variance 1 on each axis, and 0 on an axis that does not vary. False: mean variance 1
        over all axes, which keeps the shape.
    """
    X = _centred(X)
    if not per_axis:
        spread = np.sqrt(np.mean(X**2))
        return X / spread if spread > 0 else X
    spread = X.std(axis=0)
    flat = spread <= 1e-12 * max(spread.max(initial=0.0), np.finfo(float).tiny)
    return np.where(flat, 0, X / np.where(flat, 1, spread))


def _centred(X):
    """X with mean 0, in a unit in which squares neither overflow nor underflow."""
    X = varying(X)  # otherwise rounding would make constants vary
    X = X / power_of_two(X)
    return X - X.mean(axis=0)


def log_likelihood_of_left_out(X, h, kernel: DensityKernel = gaussian, points=None):
    """Mean of log p_{-n}(x_n) with bandwidth h: likelihood cross-validation, [UKR] section 4.

    1/N Σ_n log( 1/((N - 1) h^q) Σ_{m≠n} K(|x_n - x_m|² / h²) ), up to K's normalising constant. It
    is minus infinity if a point has no neighbour.

    Parameters
    ----------
    points : array of indices, optional
        Leave out only these points, which estimates the mean at lower cost.
    """
    N, q = X.shape
    points = np.arange(N) if points is None else points
    logs = np.empty(len(points))
    for rows in row_blocks(len(points), N):
        t = cdist(X[points[rows]], X, "sqeuclidean") / h**2
        itself = np.arange(len(t)), points[rows]
        if kernel.exponential:  # K(t) = K(0) exp(c t), computed without underflow
            rate = np.log(float(kernel(np.ones(1))[0]) / kernel.at_zero)
            t *= rate
            t[itself] = -np.inf
            logs[rows] = logsumexp(t, axis=1) + np.log(kernel.at_zero)
        else:
            K = kernel.value(t)
            K[itself] = 0
            with np.errstate(divide="ignore"):
                logs[rows] = np.log(K.sum(axis=1))
    return float(logs.mean() - np.log(N - 1) - q * np.log(h))


def likelihood_bandwidth(X, kernel: DensityKernel = gaussian, points=None):
    """The bandwidth that maximises the left-out likelihood, searched on a logarithmic scale.

    A compact kernel must be wide enough for every point that is left out to have a neighbour;
    otherwise the likelihood is zero.
    """
    N, q = X.shape
    typical = np.sqrt(np.mean(X.var(axis=0))) * N ** (-1 / (q + 4))
    lowest = typical / 100
    if kernel.compact:
        from scipy.spatial import cKDTree

        nearest = cKDTree(X).query(X if points is None else X[points], k=2)[0][:, 1]
        lowest = max(lowest, nearest.max() / kernel.radius * (1 + 1e-6))
    loss = lambda log_h: -log_likelihood_of_left_out(X, np.exp(log_h), kernel, points)
    found = minimize_scalar(
        loss,
        bounds=(np.log(lowest), np.log(max(lowest, typical) * 10)),
        method="bounded",
        options={"xatol": 0.05},
    )
    return float(np.exp(found.x))


class Scaling(NamedTuple):
    """The result of a search for the scale of normalised coordinates."""

    scale: np.ndarray
    error: float
    path: list  # (scale, error) of every trial, in order


def best_scale(
    X, error, kernel: DensityKernel = gaussian, per_axis=True, points=None, finest=0.0
) -> Scaling:
    """Factors for the axes of X that minimise R_cv, [UKR] 2.3 step 2.

    The likelihood bandwidth gives a first factor, a coarse ladder around it finds the right basin,
    and Nelder-Mead refines the logarithms of the factors.

    Parameters
    ----------
    X : array of shape (N, q)
        Normalised coordinates.
    error : callable
        X -> R_cv(X).
    per_axis : bool
        One factor for each axis, as in the paper, or one for all axes, which keeps the shape.
    finest : float
        The ladder climbs at least to this factor: a few far points make the first one too small.
    """
    N, q = X.shape
    path = []

    def error_at(log_factors):
        scale = np.broadcast_to(np.exp(log_factors), q)
        path.append((scale.copy(), error(X * scale)))
        return path[-1][1]

    if not np.any(X):
        error_at(np.zeros(1))
        return Scaling(*path[0], path)
    first = -np.log(likelihood_bandwidth(X, kernel, points))
    top = np.log2(finest) - first / np.log(2) if finest > 0 else 0.0
    ladder = first + np.log(2) * np.arange(-3, max(4, np.ceil(top) + 1))
    start = ladder[np.argmin([error_at(step) for step in ladder])]
    dimension = q if per_axis else 1
    corner = np.full(dimension, start)
    minimize(
        error_at,
        corner,
        method="Nelder-Mead",
        options={
            "initial_simplex": np.vstack([corner, corner + 0.3 * np.eye(dimension)]),
            "xatol": 0.02,
            "fatol": 1e-4 * min(value for _, value in path),
            "maxfev": 25 * dimension,
        },
    )
    scale, least = min(path, key=lambda tried: tried[1])
    return Scaling(scale, least, path)


def some_points(N, about=750):
    """Evenly spaced points that represent all N in the search for a scale; None for small N."""
    return None if N <= 2 * about else np.arange(0, N, N // about)
