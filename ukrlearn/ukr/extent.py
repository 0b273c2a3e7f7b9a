"""The size of a UKR manifold, and its bounds, [UKR] (5) and (21)."""

from typing import NamedTuple

import numpy as np

from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.kernel_regression import latent_density, predict_jacobian, weights_jacobian


class Extent(NamedTuple):
    """The size of a manifold (length, area or volume) and its upper bounds."""

    measured: float  # ∫ √det(JᵀJ) dx; for q = 1 the curve's length, left of (5)
    by_integral: float  # |Y|₂^q ∫ |J_b|₂^q dx, right of (21); middle of (5)
    by_greatest_slope: float  # |Y|₂^q max |J_b|₂^q ∫ dx, right of (5)


def latent_grid(X, per_axis=200):
    """A regular grid over the bounding box of the latent points, and the volume of one cell.

    Returns
    -------
    x : array of shape (per_axis**q, q)
        Centres of the cells.
    cell : float
    """
    low, high = X.min(axis=0), X.max(axis=0)
    width = (high - low) / per_axis
    axes = [a + w * (np.arange(per_axis) + 0.5) for a, w in zip(low, width, strict=True)]
    x = np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1)
    return x, float(np.prod(width))


def manifold_extent(X, Y, kernel: DensityKernel = gaussian, threshold=0.0, per_axis=None) -> Extent:
    """Length, area or volume of the manifold over the domain p(x) >= η K(0), with its bounds.

    A lower bound on the density bounds the slopes of the basis functions and the size of the
    domain, and therefore the manifold. That is the purpose of the constraint (7).

    Departure: in (5), |Y|₂ is the norm of the data as given. A translation of the data changes this
    norm but not the size of the manifold, so the data are centred, which gives the tightest bound.

    Parameters
    ----------
    threshold : float
        η; 0 means the whole bounding box of the latent points.
    per_axis : int, optional
        Grid cells along each latent axis; by default 2000 for curves and 60 for surfaces.

    Examples
    --------
    >>> X = np.linspace(0, 5, 50)[:, None]
    >>> line = manifold_extent(X, np.hstack([X, 2 * X]))
    >>> line.measured < line.by_integral < line.by_greatest_slope
    True
    """
    q = X.shape[1]
    per_axis = per_axis or {1: 2000, 2: 60}.get(q, 20)
    x, cell = latent_grid(X, per_axis)
    if threshold > 0:
        x = x[latent_density(x, X, kernel) >= threshold * kernel.at_zero]
    return extent_from_stretches(stretches(x, X, Y, kernel), cell, data_norm(Y) ** q)


class Stretches(NamedTuple):
    """The factors by which cells of latent space grow when they are mapped, one per position."""

    of_manifold: np.ndarray  # √det(JᵀJ); for a curve, its speed |Y b'(x)|
    of_weights: np.ndarray  # |J_b|₂^q


def stretches(x, X, Y, kernel: DensityKernel = gaussian) -> Stretches:
    """The integrands of (5) and (21) at positions x (M, q), without the norm of the data."""
    q = X.shape[1]
    of_manifold, of_weights = np.empty(len(x)), np.empty(len(x))
    for some in np.array_split(np.arange(len(x)), max(1, len(x) * len(X) * q // 2**20)):
        J = predict_jacobian(x[some], X, Y, kernel)
        of_manifold[some] = np.sqrt(np.linalg.det(np.swapaxes(J, 1, 2) @ J).clip(min=0))
        J_b = weights_jacobian(x[some], X, kernel)
        # |J_b|₂² is the greatest eigenvalue of J_bᵀ J_b (q, q), which is much cheaper than an SVD.
        squares = np.linalg.eigvalsh(np.swapaxes(J_b, 1, 2) @ J_b)[:, -1].clip(min=0)
        of_weights[some] = squares ** (q / 2)
    return Stretches(of_manifold, of_weights)


def extent_from_stretches(stretched: Stretches, cell, norm) -> Extent:
    """The size of a manifold and its bounds, summed over the cells of the domain.

    Parameters
    ----------
    cell : float
        The volume of one cell.
    norm : float
        |Y|₂^q.
    """
    of_manifold, of_weights = stretched
    return Extent(
        float(of_manifold.sum() * cell),
        float(norm * of_weights.sum() * cell),  # (21)
        float(norm * of_weights.max(initial=0.0) * len(of_weights) * cell),
    )


def data_norm(Y) -> float:
    """|Y|₂ of the centred data: their greatest singular value."""
    return float(np.linalg.norm(Y - Y.mean(axis=0), ord=2))
