"""Reconstruction error of UKR and its gradient: the objective that UKR minimises.

R(X) = 1/N Σ_n |y_n - f(x_n; X)|², [UKR] (8), or R_cv(X), (10), which leaves each point out of its
own reconstruction. Rows here are the paper's columns, so B, P, M and Q are the transposes of the
paper's. Value and gradient are computed together because they share B. Here (23) to (32) are
arranged for speed; `ukrlearn.explicit.matrices.ukr` has them in the paper's form, one statement for
each equation.
"""

import math
import threading
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn.blocks.density_kernels import NEGLIGIBLE, DensityKernel, gaussian
from ukrlearn.blocks.kernel_regression import (
    LEAST_TOTAL,
    demand_others,
    kernel_rows,
    row_blocks,
)
from ukrlearn.blocks.springs import Springs
from ukrlearn.blocks.tiles import tiles_within, worth_tiling

ALL = slice(None)
LEAST_OF_PRECISION = {np.dtype(np.float64): LEAST_TOTAL, np.dtype(np.float32): 1e-15}
FAR = {np.dtype(np.float64): 200.0, np.dtype(np.float32): 30.0}  # for distances by a product
LEAST_BAND = 90_000  # entries: what a band may take of the cache, since its memory stays
LEAST_SHARE = 1e-10  # of the sum of a row that may lie beyond the reach of the kernel


def reconstruction_error(X, Y, kernel: DensityKernel = gaussian, leave_one_out=True, groups=None):
    """R_cv(X) of [UKR] (10), or R(X) of (8), with its gradient (32).

    Parameters
    ----------
    X : array of shape (N, q)
        Latent points.
    Y : array of shape (N, d)
        Data. In single precision (float32), all that is done for pairs of points is in single
        precision too, which takes six tenths of the time.
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
    return ReconstructionError(DataSpace(Y), kernel, leave_one_out, groups)(X)


def reconstruction_error_gram(
    X, G, kernel: DensityKernel = gaussian, leave_one_out=True, groups=None
):
    """The same error and gradient from inner products alone, [UKR] (13), (14).

    R(X) = 1/N tr(V G Vᵀ) with V = B - I. G (N, N) is the Gram matrix of any Mercer kernel. The
    kernel may also be only conditionally positive definite: rows of V sum to zero, so constants
    cancel.
    """
    return ReconstructionError(FeatureSpace(G), kernel, leave_one_out, groups)(X)


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
    left_out, alone = _exclusion(True, groups), np.empty(len(X), dtype=bool)
    for rows, columns in tiles_within(X, kernel.radius):
        K = kernel.value(cdist(X[rows], X[columns], "sqeuclidean"))
        K[left_out(rows, columns)] = 0
        alone[rows] = ~K.any(axis=1)
    return alone


@dataclass(frozen=True)
class DataSpace:
    """What the error needs from data Y (N, d): residuals and their products with the data."""

    Y: np.ndarray

    def targets(self, rows, columns=ALL):
        """The data that the points of a block should reproduce."""
        return self.Y[rows]

    def weighted(self, K):
        """Σ_m K_nm y_m of each row."""
        return K @ self._with_ones[:, :-1]

    def sums(self, K, columns=ALL):
        """Σ_m K_nm y_m and Σ_m K_nm of each row, by one product."""
        of_both = K @ self._with_ones[columns]
        return of_both[:, :-1], of_both[:, -1]

    def over_rows(self, weighted, total, targets, columns=ALL, out=None):
        """Squared residuals of a block of rows, and (M_nm - c_n) / total_n.

        c_n = Σ_m M_nm B_nm of (31) is ⟨residual_n, f_n⟩, since Σ_m B_nm y_m = f_n. That saves a
        second pass over the block. An extra column in the product subtracts c_n, which saves a
        third.
        """
        f = weighted / total[:, None]  # (2)
        residual = f - targets
        factors = np.column_stack([residual, -np.vecdot(residual, f)])
        factors /= total[:, None]
        Q = np.matmul(factors, self._with_ones[columns].T, out=out)
        return np.vecdot(residual, residual), Q

    def over_isolated(self, points, groups):
        """Squared residuals of points without neighbours, which the mean of the others rebuilds."""
        residual = _means_of_others(self.Y, points, groups) - self.Y[points]
        return np.vecdot(residual, residual)

    @property
    def precision(self):
        """The type of the numbers of a tile."""
        return _precision_of(self.Y)

    @cached_property
    def _with_ones(self):
        return np.column_stack([self.Y, np.ones(len(self.Y), dtype=self.precision)])


@dataclass(frozen=True)
class FeatureSpace:
    """What the error needs from a Gram matrix G (N, N), with V = B - I and M = V G, [UKR] (13)."""

    G: np.ndarray

    @property
    def precision(self):
        """The type of the numbers of a tile."""
        return _precision_of(self.G)

    def targets(self, rows, columns=ALL):
        """k(y_n, y_m) of the points of a block with the columns, and k(y_n, y_n)."""
        return self.G[rows][:, columns], np.diagonal(self.G)[rows]

    def weighted(self, K):
        """K itself: f is known by its weights only."""
        return K

    def sums(self, K, columns=ALL):
        """K itself, and Σ_m K_nm of each row."""
        return K, K.sum(axis=1)

    def over_rows(self, weighted, total, targets, columns=ALL, out=None):
        """Squared residuals of a block of rows, and (M_nm - c_n) / total_n."""
        with_all, with_itself = targets
        B = weighted / total[:, None]
        M = np.matmul(B, self.G[columns][:, columns], out=out)
        M -= with_all
        c = np.vecdot(M, B)
        squares = c - np.vecdot(with_all, B) + with_itself  # |f|² - 2⟨Φ(y), f⟩ + |Φ(y)|²
        M -= c[:, None]
        M /= total[:, None]
        return squares, M

    def over_isolated(self, points, groups):
        """As in `DataSpace`, one block of points at a time."""
        squares, identity = np.empty(len(points)), np.eye(len(self.G))
        for rows in row_blocks(len(points), len(self.G)):
            some = points[rows]
            V = _means_of_others(identity, some, groups)
            V[np.arange(len(some)), some] -= 1
            squares[rows] = np.vecdot(V @ self.G, V)
        return squares


@dataclass(frozen=True)
class ReconstructionError:
    """R or R_cv of the data in a space, as an objective: X -> error and gradient.

    The pairs of points are taken one tile at a time, so that its arrays stay in cache. The large
    ones lie in memory that the next tile and the next evaluation use again: memory that is freed in
    between comes back as page faults, which at N = 300 took as long as the arithmetic. Each thread
    has memory of its own, and only sums over tiles leave an evaluation.
    """

    space: DataSpace | FeatureSpace
    kernel: DensityKernel = gaussian
    leave_one_out: bool = True
    groups: np.ndarray | None = None

    def __call__(self, X):
        """R_cv(X) of (10), or R(X) of (8), with its gradient (32)."""
        # A translation does not change the error. Near the origin, (32) loses fewer digits.
        X = X - X.mean(axis=0)
        space, kernel = self.space, self.kernel
        left_out = _exclusion(self.leave_one_out, self.groups)
        springs, squares = Springs.between(X, space.precision), 0.0
        numbers, faint, isolated = np.arange(len(X)), [], []
        tiled = worth_tiling(X, kernel.reach)
        # What lies beyond the reach adds less than N NEGLIGIBLE K(0) to the sum of a row.
        beyond = len(X) * NEGLIGIBLE * kernel.at_zero if tiled and not kernel.compact else 0
        least = np.float64(max(beyond / LEAST_SHARE, LEAST_OF_PRECISION[space.precision]))
        for rows, columns, t in self._tiles(X) if tiled else self._bands(X):
            points = numbers[rows]
            K, steepness = kernel.with_steepness(t)
            absent = left_out(points, columns)
            if absent is not None:
                K[absent] = 0
                steepness[absent] = 0
            weighted, total = space.sums(K, columns)
            if total.min() < least:
                alone = (total == 0) & kernel.compact
                clear = total >= least
                isolated.append(points[alone])
                faint.append(points[~(clear | alone)])
                rows, weighted, total = points[clear], weighted[clear], total[clear]
                steepness = steepness[clear]
            Q = self._memory("Q", steepness.shape)
            of_rows, Q = space.over_rows(weighted, total, space.targets(rows, columns), columns, Q)
            Q *= steepness  # (27), (31)
            squares += of_rows.sum(dtype=float)
            springs.add(rows, Q, columns)
        if faint:
            squares += self._over_faint(np.concatenate(faint), X, left_out, springs)
            squares += space.over_isolated(np.concatenate(isolated), self.groups).sum()
        return float(squares / len(X)), 2 / len(X) * springs.forces()  # (8), (10); (32)

    def _tiles(self, X):
        """Rows, columns and squared distances of tiles without what the kernel does not reach."""
        for rows, columns in tiles_within(X, self.kernel.reach):
            yield rows, columns, self._pair_by_pair(X[rows], X[columns])

    def _bands(self, X):
        """The same with all columns, so that one product gives the distances if it is precise."""
        N, precision = len(X), self.space.precision
        near = np.abs(X).max() < FAR[precision]
        if near:
            squares, ones = np.vecdot(X, X), np.ones(N)
            left = np.column_stack([-2 * X, squares, ones]).astype(precision, copy=False)
            right = np.vstack([X.T, ones, squares]).astype(precision, copy=False)
        for rows in row_blocks(N, N, LEAST_BAND):
            if near:
                t = self._memory("t", (rows.stop - rows.start, N))
                np.matmul(left[rows], right, out=t)
                if not self.kernel.exponential:
                    np.abs(t, out=t)  # rounding may bring it below zero
                yield rows, ALL, t
            else:
                yield rows, ALL, self._pair_by_pair(X[rows], X)

    def _pair_by_pair(self, x, X):
        """Squared distances; those that are too large for single precision become infinite."""
        with np.errstate(over="ignore"):
            return cdist(x, X, "sqeuclidean").astype(self.space.precision, copy=False)

    def _over_faint(self, points, X, left_out, springs):
        """(23)-(32) of rows whose kernel values nearly vanish; their sum of squares."""
        squares = 0.0
        for block in row_blocks(len(points), len(X)):
            rows = points[block]
            K, steepness, total, _ = kernel_rows(X[rows], X, self.kernel, left_out(rows))
            weighted, targets = self.space.weighted(K), self.space.targets(rows)
            of_rows, Q = self.space.over_rows(weighted, total, targets)
            Q *= steepness  # (27), (31)
            squares += of_rows.sum()
            springs.add(rows, Q)
        return squares

    @cached_property
    def _memory(self):
        return Memory(self.space.precision)


class Memory(threading.local):
    """Arrays by name, each in the memory of the last one of that name; one set for each thread."""

    def __init__(self, precision):
        self.precision, self.kept = precision, {}

    def __call__(self, name, shape):
        size = math.prod(shape)
        if name not in self.kept or len(self.kept[name]) < size:
            self.kept[name] = np.empty(size, self.precision)
        return self.kept[name][:size].reshape(shape)

    def __reduce__(self):
        return Memory, (self.precision,)  # a copy begins with none


def _precision_of(values):
    """Single precision if the values have it; whole numbers and all else count as double."""
    return np.dtype(np.float32 if values.dtype == np.float32 else np.float64)


def _exclusion(leave_one_out, groups):
    """A function: indices of points -> index arrays of the zeros in their rows of B.

    Its second argument is the columns of a tile, which begin with the points themselves.
    """
    if groups is not None:
        groups = np.asarray(groups)

    def left_out(points, columns=ALL):
        if not leave_one_out:
            return None
        if groups is None:
            numbered = np.arange(len(points))
            return numbered, points if columns is ALL else numbered
        return np.nonzero(groups[points, None] == groups[columns])

    return left_out


def _means_of_others(Y, points, groups):
    """For each of the points, the mean of the points not left out with it: f without neighbours."""
    if groups is None:
        left_out, size = Y[points], np.ones((len(points), 1))
    else:
        _, group, sizes = np.unique(groups, return_inverse=True, return_counts=True)
        of_group = np.stack([np.bincount(group, y) for y in Y.T], axis=1)
        left_out, size = of_group[group[points]], sizes[group[points], None]
    demand_others(size, len(Y))
    return (Y.sum(axis=0) - left_out) / (len(Y) - size)
