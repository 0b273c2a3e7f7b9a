"""Nadaraya-Watson regression from latent space to data space, and the latent density behind it.

All functions take any number of latent positions x (M, q) and the latent points X (N, q) that carry
the data Y (N, d). Sums over a compact kernel run over neighbours found in a tree. All other sums
run over blocks of rows small enough to stay in cache. Neither way holds an M x N array.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.neighbors import build_tree, mostly_neighbors, pairs_between

# A row of kernel values with a smaller sum has lost its digits to underflow. The limit lies far
# above the smallest normal number, so that 1 / total and its square stay finite.
LEAST_TOTAL = 1e-150


def weights(x, X, kernel: DensityKernel = gaussian):
    """The weights of all data points at each position: B, whose rows sum to one.

    B_mn = K(x_m - x_n) / Σ_k K(x_m - x_k), the b of [UKR] (2), transposed.

    Where all kernel values underflow, an exponential kernel gives its exact limit: the nearest
    neighbour gets all the weight. A compact kernel has no neighbours there, and all points get the
    same weight.

    Returns
    -------
    B : array of shape (M, N)

    Examples
    --------
    >>> weights(np.array([[0.0], [1e6]]), np.array([[-1.0], [1.0], [1.0]]))
    array([[0.33333333, 0.33333333, 0.33333333],
           [0.        , 0.5       , 0.5       ]])
    """
    rows = kernel_rows(x, X, kernel)
    return rows.K / rows.total[:, None]


def predict(x, X, Y, kernel: DensityKernel = gaussian):
    """The forward map f(x; X) = Σ_n b_n(x) y_n, [UKR] (2): a weighted mean of the data.

    Weights are never negative, so every f(x) lies in the convex hull of Y. A position that no
    kernel reaches is mapped to the mean of the data.

    Parameters
    ----------
    x : array of shape (M, q)
        Where to evaluate.
    X : array of shape (N, q)
        Latent points.
    Y : array of shape (N, d)
        Data.

    Returns
    -------
    f : array of shape (M, d)
    """
    f = np.empty((len(x), Y.shape[1]))
    if kernel.compact:
        tree = build_tree(X)
        if not mostly_neighbors(tree, kernel.radius):
            K, total = _sparse_rows(x, tree, kernel)
            reached = total > 0
            f[:] = Y.mean(axis=0)
            f[reached] = (K @ Y)[reached] / total[reached, None]  # (2)
            return f
    for rows in row_blocks(len(x), len(X)):
        K, _, total, _ = kernel_rows(x[rows], X, kernel)
        f[rows] = K @ Y / total[:, None]  # (2)
    return f


def latent_density(x, X, kernel: DensityKernel = gaussian):
    """p(x; X) = 1/N Σ_n K(x - x_n), [UKR] (3), without K's normalising constant.

    The constant would cancel in p(x) / K(0), which is all that the constraint (7) needs.

    Returns
    -------
    p : array of shape (M,), between 0 and K(0)

    Examples
    --------
    >>> latent_density(np.zeros((1, 2)), np.array([[0.0, 0.0], [1e9, 0.0]]))
    array([0.5])
    """
    if kernel.compact:
        tree = build_tree(X)
        if not mostly_neighbors(tree, kernel.radius):
            return _sparse_rows(x, tree, kernel)[1] / len(X)  # (3)
    p = np.empty(len(x))
    for rows in row_blocks(len(x), len(X)):
        K, _ = kernel.with_steepness(cdist(x[rows], X, "sqeuclidean"))  # quick if it underflows
        p[rows] = K.mean(axis=1)  # (3)
    return p


def density_gradient(x, X, kernel: DensityKernel = gaussian):
    """∇p(x) = 1/N Σ_n 2 K'(t_n) (x - x_n), shape (M, q)."""
    gradient = np.empty_like(x, dtype=float)
    for rows in row_blocks(len(x), len(X)):
        _, steepness = kernel.with_steepness(cdist(x[rows], X, "sqeuclidean"))
        gradient[rows] = steepness @ X - steepness.sum(axis=1, keepdims=True) * x[rows]
    return gradient / len(X)


def weights_jacobian(x, X, kernel: DensityKernel = gaussian):
    """∂b_n/∂x_j at each position, [UKR] (6) and (22).

    With ∇_j K_n = P_n (x_nj - x_j) total, it is ∇_j K_n / total - b_n Σ_k ∇_j K_k / total.

    Returns
    -------
    J_b : array of shape (M, N, q)
        Its sums over n are zero, because the weights sum to one everywhere.
    """
    K, steepness, total, _ = kernel_rows(x, X, kernel)
    B = K / total[:, None]
    slopes = (steepness / total[:, None])[:, :, None] * (X[None] - x[:, None])  # ∇K / (N p)
    return slopes - B[:, :, None] * slopes.sum(axis=1, keepdims=True)  # (22)


def predict_jacobian(x, X, Y, kernel: DensityKernel = gaussian):
    """∂f_k/∂x_j at each position: `Y.T @ weights_jacobian`, without forming the latter.

    Returns
    -------
    J : array of shape (M, d, q)
    """
    N, d = Y.shape
    q = X.shape[1]
    products = np.hstack([Y, *(Y * X[:, [j]] for j in range(q)), X])
    J = np.empty((len(x), d, q))
    for rows in row_blocks(len(x), N):
        K, steepness, total, _ = kernel_rows(x[rows], X, kernel)
        f = K @ Y / total[:, None]
        P = steepness / total[:, None]
        moments = P @ products
        mean_slope = moments[:, -q:] - P.sum(axis=1, keepdims=True) * x[rows]
        for j in range(q):
            of_data = moments[:, (j + 1) * d : (j + 2) * d] - moments[:, :d] * x[rows, j, None]
            J[rows, :, j] = of_data - f * mean_slope[:, [j]]
    return J


def similarities(K_yY, x, X, kernel: DensityKernel = gaussian):
    """⟨Φ(y), f(x; X)⟩ = Σ_n k(y, y_n) b_n(x), [UKR] (16), for all y and all x.

    Parameters
    ----------
    K_yY : array of shape (L, N)
        k(y, y_n) for L data points y; a Mercer kernel of `mercer_kernels`.

    Returns
    -------
    array of shape (L, M)
    """
    return predict(x, X, K_yY.T, kernel).T  # a linear combination of inner products


class KernelRows(NamedTuple):
    """Kernel values of a block of positions against all points."""

    K: np.ndarray  # (M, N), numerators of B (23)
    steepness: np.ndarray  # (M, N), -2 K', numerators of P (27); may be the same array as K
    total: np.ndarray  # (M,), row sums of K, all positive
    density: np.ndarray  # (M,), p (3), which may be zero


def kernel_rows(x, X, kernel, left_out=None) -> KernelRows:
    """K and -2 K' of a block of positions against all points, with the row sums of K.

    The hard cases are decided here, once for all functions. If the sum of a row underflows and the
    kernel is exponential, the row is a softmax: shifting t by its smallest value only changes a
    common factor. With any other kernel, the position has no neighbours: all weights are equal, and
    the slope is zero.

    Parameters
    ----------
    left_out : pair of index arrays, optional
        Entries (row, column) that do not contribute, such as the diagonal in leave-one-out.
    """
    K, steepness = kernel.with_steepness(cdist(x, X, "sqeuclidean"))
    if left_out is not None:
        K[left_out] = 0
        steepness[left_out] = 0
    total = K.sum(axis=1)
    rows = KernelRows(K, steepness, total, total / len(X))
    if total.min(initial=np.inf) < LEAST_TOTAL:
        return _with_faint_rows_mended(rows, x, X, kernel, left_out)
    return rows


def _with_faint_rows_mended(rows, x, X, kernel, left_out):
    K, steepness, total, density = rows
    faint = np.flatnonzero(total < LEAST_TOTAL)
    absent = np.zeros(K.shape, dtype=bool)
    if left_out is not None:
        absent[left_out] = True
    absent = absent[faint]
    demand_others(absent.sum(axis=1), len(X))
    near = total[faint] > 0
    if kernel.exponential:
        t = cdist(x[faint], X, "sqeuclidean")
        t[absent] = np.inf
        least = t.min(axis=1)
        near = np.isfinite(least)  # |x - x'|² itself may overflow
        mended = faint[near]
        K[mended], steepness[mended] = kernel.with_steepness(t[near] - least[near, None])
    elif near.any():  # a common factor, so that 1 / total does not overflow
        mended = faint[near]
        steepness = steepness.copy()  # may be K itself
        steepness[mended] /= total[mended, None]
        K[mended] /= total[mended, None]
    isolated = faint[~near]
    if len(isolated):
        steepness = steepness.copy()  # for the Gaussian it is K
        steepness[isolated] = 0
        K[isolated] = ~absent[~near]
    total = total.copy()
    total[faint] = K[faint].sum(axis=1)
    return KernelRows(K, steepness, total, density)


def demand_others(left_out, N):
    """ValueError if all N points are left out together with some point."""
    if np.max(left_out, initial=0) == N:
        raise ValueError(
            "each point must be rebuilt from at least one other point; leaving out all "
            f"{N} points leaves none. Leave out fewer, or give more points."
        )


def row_blocks(n_rows, n_columns, least=30_000):
    """Slices of rows: a few arrays of n_columns columns stay in cache, and BLAS has enough work."""
    # By default, blocks of small N take at most 240 KB. When larger arrays are freed, glibc may
    # return their memory each time, and at N = 300 the page faults took longer than the arithmetic.
    size = max(least // n_columns, min(100, max(16, 2**19 // n_columns)))
    for start in range(0, n_rows, size):
        yield slice(start, min(start + size, n_rows))


def _sparse_rows(x, tree, kernel):
    """K(x - x_n) as a sparse array, and its row sums."""
    rows, columns, t = pairs_between(x, tree, kernel.radius)
    K = csr_array((kernel.value(t), (rows, columns)), shape=(len(x), tree.n))
    return K, K.sum(axis=1)
