"""Reconstruction error of UKR and its gradient: the objective that UKR minimises.

R(X) = 1/N Σ_n |y_n - f(x_n; X)|², [UKR] (8), or R_cv(X), (10), which leaves each point out of its
own reconstruction. Rows here are the paper's columns, so B, P, M and Q are the transposes of the
paper's. Value and gradient are computed together because they share B. Here (23) to (32) are
arranged for speed; `ukrlearn.explicit.matrices.ukr` has them in the paper's form, one statement for
each equation.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import coo_array
from scipy.spatial.distance import cdist

from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.kernel_regression import demand_others, kernel_rows, row_blocks
from ukrlearn.blocks.neighbors import build_tree, mostly_neighbors, pairs_within
from ukrlearn.blocks.springs import Springs


def reconstruction_error(X, Y, kernel: DensityKernel = gaussian, leave_one_out=True, groups=None):
    """R_cv(X) of [UKR] (10), or R(X) of (8), with its gradient (32).

    Parameters
    ----------
    X : array of shape (N, q)
        Latent points.
    Y : array of shape (N, d)
        Data.
    leave_one_out : bool
        Whether each point is left out of its own reconstruction. If not, and if all rows of X
        differ, the error has no minimum: it falls to zero as X is scaled up. If yes, the same can
        happen for data with repeated rows: leave equal rows out together, by `groups`.
    groups : array of shape (N,), optional
        Leave-k-out: points with equal labels are also left out of each other's reconstruction. Use
        it for time series whose neighbours are nearly equal, or for repeated measurements.

    Returns
    -------
    error : float
    gradient : array of shape (N, q)

    Notes
    -----
    A point without neighbours (compact kernel, or squared distances that overflow) is rebuilt by
    the mean of the other points, and no force acts on it. The paper does not discuss this case; the
    mean is the limit for η → 1. No denominator contains an epsilon.

    Examples
    --------
    >>> error, gradient = reconstruction_error(np.array([[0.0], [1.0]]), np.array([[0.0], [2.0]]))
    >>> error
    4.0
    """
    return _error_and_gradient(X, DataSpace(Y), kernel, leave_one_out, groups)


def reconstruction_error_gram(
    X, G, kernel: DensityKernel = gaussian, leave_one_out=True, groups=None
):
    """The same error and gradient from inner products alone, [UKR] (13), (14).

    R(X) = 1/N tr(V G Vᵀ) with V = B - I. G (N, N) is the Gram matrix of any Mercer kernel. The
    kernel may also be only conditionally positive definite: rows of V sum to zero, so constants
    cancel.
    """
    return _error_and_gradient(X, FeatureSpace(G), kernel, leave_one_out, groups)


def weight_matrix(X, kernel: DensityKernel = gaussian, leave_one_out=True, groups=None):
    """B(X) of [UKR] (8), or its leave-one-out version of (10): (N, N), rows sum to one."""
    left_out = _exclusion(leave_one_out, groups)
    K, _, total, _ = kernel_rows(X, X, kernel, left_out(np.arange(len(X))))
    return K / total[:, None]  # (23)


def squared_residuals(
    X, Y, kernel: DensityKernel = gaussian, leave_one_out=True, groups=None, points=None
):
    """|y_n - f(x_n)|² of each point: the terms whose mean is R or R_cv.

    Parameters
    ----------
    points : array of indices, optional
        Only these points; the mean over them estimates the error at lower cost.
    """
    left_out = _exclusion(leave_one_out, groups)
    points = np.arange(len(X)) if points is None else np.asarray(points)
    squares = np.empty(len(points))
    for rows in row_blocks(len(points), len(X)):
        some = points[rows]
        K, _, total, _ = kernel_rows(X[some], X, kernel, left_out(some))
        squares[rows] = np.sum((K @ Y / total[:, None] - Y[some]) ** 2, axis=1)
    return squares


def pair_forces(X, Y, kernel: DensityKernel = gaussian, leave_one_out=True):
    """The whole matrix Q of [UKR] (31), to look at the forces that make up the gradient.

    With S = Q + Q.T, the gradient at point n is 2/N Σ_m S_nm (x_m - x_n), (29): one term for each
    other point, along the line between the two. Q_nm comes from the reconstruction of point n, to
    which m contributes, and Q_mn from the reconstruction of point m. Descents never need the whole
    matrix; `reconstruction_error` does not form it.

    Returns
    -------
    Q : array of shape (N, N)
    """
    left_out = _exclusion(leave_one_out, None)
    K, steepness, total, _ = kernel_rows(X, X, kernel, left_out(np.arange(len(X))))
    B = K / total[:, None]  # (23)
    P = steepness / total[:, None]  # (27)
    M = (B @ Y - Y) @ Y.T  # below (24)
    return P * (M - np.sum(M * B, axis=1, keepdims=True))  # (31)


def penalty_factors(X, kernel: DensityKernel = gaussian):
    """S_n = (1 + K(0) / Σ_{m≠n} K(x_n - x_m))², [UKR] (12): the penalty on isolated points.

    R_cv is the mean of S_n times the squared residuals of R, (11). S_n is infinite for a point
    without neighbours.

    Examples
    --------
    >>> penalty_factors(np.zeros((5, 1)))
    array([1.5625, 1.5625, 1.5625, 1.5625, 1.5625])
    """
    itself, others = _exclusion(True, None), np.empty(len(X))
    for rows in row_blocks(len(X), len(X)):
        K = kernel.value(cdist(X[rows], X, "sqeuclidean"))
        K[itself(np.arange(rows.start, rows.stop))] = 0
        others[rows] = K.sum(axis=1)
    with np.errstate(divide="ignore", over="ignore"):
        return (1 + kernel.at_zero / others) ** 2  # (12)


def isolated_points(X, kernel: DensityKernel = gaussian, groups=None):
    """Which points have no neighbour, so that they are rebuilt by the mean of the other points."""
    if not kernel.compact:
        return np.zeros(len(X), dtype=bool)
    i, j, t = pairs_within(build_tree(X), kernel.radius)
    seen = kernel.value(t) > 0
    if groups is not None:
        groups = np.asarray(groups)
        seen &= groups[i] != groups[j]
    alone = np.ones(len(X), dtype=bool)
    alone[i[seen]] = alone[j[seen]] = False
    return alone


@dataclass(frozen=True)
class DataSpace:
    """What the error needs from data Y (N, d): residuals and their products with the data."""

    Y: np.ndarray

    def targets(self, rows):
        """The data that the points of a block should reproduce."""
        return self.Y[rows]

    def over_rows(self, K, total, targets):
        """Squared residuals of a block of rows, and (M_nm - c_n) / total_n.

        c_n = Σ_m M_nm B_nm of (31) is ⟨residual_n, f_n⟩, since Σ_m B_nm y_m = f_n. That saves a
        second pass over the block. An extra column in the product subtracts c_n, which saves a
        third.
        """
        f = K @ self.Y / total[:, None]  # (2)
        residual = f - targets
        c = np.vecdot(residual, f)
        factors = np.column_stack([residual, -c]) / total[:, None]
        return np.vecdot(residual, residual), factors @ self._with_ones.T

    def ordered(self, order):
        """This space with the points in another order."""
        return DataSpace(self.Y[order])

    def over_pairs(self, K, total, pairs, own_weight, groups):
        """As `over_rows`, for pairs (i, j): the sum, the entries at (i, j), and those at (j, i)."""
        i, j, _ = pairs
        seen, total = total > 0, np.where(total > 0, total, 1)
        K = coo_array((K, (i, j)), shape=(len(total), len(total)))
        f = (K @ self.Y + K.T @ self.Y + own_weight * self.Y) / total[:, None]  # (2)
        if not seen.all():
            f[~seen] = _means_of_others(self.Y, groups)[~seen]
        residual = f - self.Y
        c = np.vecdot(residual, f) / total
        factors = residual / total[:, None]
        at_ij, at_ji = -c[i], -c[j]
        for some in row_blocks(len(i), self.Y.shape[1]):
            at_ij[some] += np.vecdot(factors[i[some]], self.Y[j[some]])
            at_ji[some] += np.vecdot(factors[j[some]], self.Y[i[some]])
        return np.vdot(residual, residual), at_ij, at_ji

    @cached_property
    def _with_ones(self):
        return np.column_stack([self.Y, np.ones(len(self.Y))])


@dataclass(frozen=True)
class FeatureSpace:
    """What the error needs from a Gram matrix G (N, N), with V = B - I and M = V G, [UKR] (13)."""

    G: np.ndarray

    def targets(self, rows):
        """k(y_n, y_m) of the points of a block with all points, and k(y_n, y_n)."""
        return self.G[rows], np.diagonal(self.G)[rows]

    def over_rows(self, K, total, targets):
        """Squared residuals of a block of rows, and (M_nm - c_n) / total_n."""
        with_all, with_itself = targets
        B = K / total[:, None]
        M = B @ self.G - with_all
        c = np.vecdot(M, B)
        squares = c - np.vecdot(with_all, B) + with_itself  # |f|² - 2⟨Φ(y), f⟩ + |Φ(y)|²
        M -= c[:, None]
        M /= total[:, None]
        return squares, M

    def ordered(self, order):
        """This space with the points in another order."""
        return FeatureSpace(self.G[np.ix_(order, order)])

    def over_pairs(self, K, total, pairs, own_weight, groups):
        """As in `DataSpace`; it takes Σ_n (neighbours of n)² products, [UKR] appendix B."""
        i, j, _ = pairs
        G = self.G
        rows, columns, K = np.append(i, j), np.append(j, i), np.append(K, K)
        by_row = np.argsort(rows, kind="stable")
        ends = np.cumsum(np.bincount(rows, minlength=len(G)))
        entries, squares = np.zeros(len(rows)), 0.0
        for n in np.flatnonzero(total > 0):
            mine = by_row[ends[n - 1] if n else 0 : ends[n]]
            near = columns[mine]
            b, b_own = K[mine] / total[n], own_weight / total[n]
            m = b @ G[np.ix_(near, near)] - (1 - b_own) * G[n, near]
            m_own = b @ G[near, n] - (1 - b_own) * G[n, n]
            c = m @ b + m_own * b_own
            squares += c - m_own
            entries[mine] = (m - c) / total[n]
        isolated = np.flatnonzero(total == 0)
        if len(isolated):
            identity = np.eye(len(G))
            V = (_means_of_others(identity, groups) - identity)[isolated]
            squares += np.vdot(V @ G, V)
        return squares, entries[: len(i)], entries[len(i) :]


def _error_and_gradient(X, space, kernel, leave_one_out, groups):
    """The error and its gradient; a compact kernel with few neighbours takes the sparse way."""
    # A translation does not change the error. Near the origin, (32) loses fewer digits.
    X = X - X.mean(axis=0)
    groups = None if groups is None else np.asarray(groups)
    if kernel.compact:
        tree = build_tree(X)
        if not mostly_neighbors(tree, kernel.radius):
            # In the order of the tree's leaves, neighbours are also close in memory.
            order = tree.indices
            groups = None if groups is None else groups[order]
            pairs = pairs_within(tree, kernel.radius).renamed(order)
            ordered = X[order], space.ordered(order)
            error, of_ordered = _over_pairs(*ordered, kernel, leave_one_out, groups, pairs)
            gradient = np.empty_like(X)
            gradient[order] = of_ordered
            return error, gradient
    return _over_blocks(X, space, kernel, _exclusion(leave_one_out, groups))


def _over_blocks(X, space, kernel, left_out):
    """(23)-(32) for one block of rows at a time, so that arrays with N columns stay in cache."""
    N = len(X)
    springs = Springs.between(X)
    squares = 0.0
    for rows in row_blocks(N, N):
        K, steepness, total, _ = kernel_rows(
            X[rows], X, kernel, left_out(np.arange(rows.start, rows.stop))
        )
        of_rows, Q = space.over_rows(K, total, space.targets(rows))
        Q *= steepness  # (27), (31)
        squares += of_rows.sum()
        springs.add(rows, Q)
    return float(squares / N), 2 / N * springs.forces()  # (8), (10); (32)


def _over_pairs(X, space, kernel, leave_one_out, groups, pairs):
    """(23)-(32) from neighbours only: time and memory grow with the number of pairs."""
    N = len(X)
    if leave_one_out and groups is not None:
        pairs = pairs.where(groups[pairs.rows] != groups[pairs.columns])
    i, j, t = pairs
    own_weight = 0.0 if leave_one_out else kernel.at_zero
    K, steepness = kernel.with_steepness(t.copy())
    total = np.bincount(i, K, N) + np.bincount(j, K, N) + own_weight
    squares, at_ij, at_ji = space.over_pairs(K, total, pairs, own_weight, groups)
    S = steepness * (at_ij + at_ji)  # (27), (31)
    gradient = np.empty_like(X)
    for axis, x in enumerate(X.T):
        force = S * (x[j] - x[i])
        gradient[:, axis] = np.bincount(i, force, N) - np.bincount(j, force, N)
    return float(squares / N), 2 / N * gradient  # (8), (10); (32)


def _exclusion(leave_one_out, groups):
    """A function: indices of points -> index arrays of the zeros in their rows of B."""
    if not leave_one_out:
        return lambda points: None
    if groups is None:
        return lambda points: (np.arange(len(points)), points)
    groups = np.asarray(groups)
    return lambda points: np.nonzero(groups[points, None] == groups)


def _means_of_others(Y, groups):
    """For each point, the mean of the points not left out with it: f without neighbours."""
    if groups is None:
        of_group, size = Y, np.ones((len(Y), 1))
    else:
        _, group, sizes = np.unique(groups, return_inverse=True, return_counts=True)
        of_group = np.stack([np.bincount(group, y) for y in Y.T], axis=1)[group]
        size = sizes[group, None]
    demand_others(size, len(Y))
    return (Y.sum(axis=0) - of_group) / (len(Y) - size)
