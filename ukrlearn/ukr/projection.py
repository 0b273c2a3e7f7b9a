"""Latent coordinates of new data, [UKR] (19)."""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array

from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.descent import rprop_step
from ukrlearn.blocks.kernel_regression import kernel_rows, latent_density, predict, row_blocks
from ukrlearn.blocks.neighbors import build_tree, mostly_neighbors, pairs_between
from ukrlearn.ukr.density_constraint import SLACK_FLOOR, barrier_of_slack
from ukrlearn.ukr.reconstruction import DataSpace, FeatureSpace

FIRST_STEP = 0.1  # in units of the kernel's width
NEIGHBORS = 30  # of a position, about: blocks of rows are made for so many
SETTLED = 1e-5  # a row whose steps are all shorter has converged: its error is flat to 1e-10


class Projection(NamedTuple):
    """Latent positions of new data, squared distances to the manifold, and latent densities."""

    x: np.ndarray
    squares: np.ndarray
    density: np.ndarray


class Evaluation(NamedTuple):
    """|y - f(x)|² and p(x) at one position per row, each with its gradient."""

    squares: np.ndarray
    gradient: np.ndarray
    density: np.ndarray
    density_gradient: np.ndarray


def project(
    targets, X, Y, kernel: DensityKernel = gaussian, threshold=0.0, *, max_iter=60, paths=None
) -> Projection:
    """argmin_x |y - f(x; X)|² subject to p(x) >= η K(0), for all rows y at once.

    Each row starts at the training point whose reconstruction is nearest, and RPROP minimises the
    error plus a barrier for the constraint. The result is the best feasible position that each row
    visited. So the constraint holds exactly, and no row ends worse than it started. Rows do not
    influence each other, and rows that have converged cost no further time.

    Parameters
    ----------
    targets : array of shape (M, d)
        New data.
    threshold : float
        η of (7). At least one training point must satisfy the constraint.
    max_iter : int
        Maximum number of RPROP steps.
    paths : list, optional
        The positions (M, q) at the start and after each step are appended to it, for drawing.
    """
    return DataManifold(X, Y, kernel).project(targets, threshold, max_iter, paths)


@dataclass(frozen=True)
class Manifold:
    """What data are projected to; what does not depend on them is computed once, when needed."""

    X: np.ndarray
    data: np.ndarray  # Y, or G in feature space
    kernel: DensityKernel = gaussian

    def __getstate__(self):  # in feature space, the rest is as large as G: copies compute it again
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def density(self):
        """p(x_n) of all points."""
        return latent_density(self.X, self.X, self.kernel)

    @cached_property
    def _tree(self):
        """A tree of the points, if the kernel reaches few of them."""
        tree = build_tree(self.X) if self.kernel.compact else None
        return tree if tree and not mostly_neighbors(tree, self.kernel.radius) else None

    def project(self, targets, threshold=0.0, max_iter=60, paths=None) -> Projection:
        """Positions of new data as in `project`."""
        X, kernel, tree = self.X, self.kernel, self._tree
        known = self._known(targets)
        M, allowed = len(known), np.flatnonzero(self.density >= threshold * kernel.at_zero)
        if not len(allowed):
            raise ValueError(
                f"density_threshold={threshold:.6g} must not exceed the greatest p(x_n)/K(0) of "
                f"the training points, {self.density.max() / kernel.at_zero:.6g}; above it, the "
                "manifold is empty. Choose a lower threshold."
            )
        found = Projection(np.empty((M, X.shape[1])), np.empty(M), np.empty(M))
        track = None if paths is None else np.empty((max_iter + 1, M, X.shape[1]))
        squares_of = lambda rows: self._squares(targets, rows)
        nearest, gain = _starts(squares_of, known, allowed, len(X))
        for rows in row_blocks(M, len(X) if tree is None else NEIGHBORS):
            indices = np.arange(rows.start, rows.stop)
            block = _descend(
                X[nearest[rows]],
                1e-3 * gain[rows].clip(min=0),  # so the barrier acts only near the border
                lambda some, x, indices=indices: self._evaluate(x, targets, indices[some]),
                threshold * kernel.at_zero,
                kernel.at_zero,
                max_iter,
                None if track is None else track[:, rows],
            )
            for all_rows, of_block in zip(found, block, strict=True):
                all_rows[rows] = of_block
        if paths is not None:
            paths.extend(track)
        return found


@dataclass(frozen=True)
class DataManifold(Manifold):
    """The manifold in data space; what is projected are rows (M, d)."""

    _space = cached_property(lambda self: DataSpace(self.data))

    @cached_property
    def _reconstructions(self):
        f = predict(self.X, self.X, self.data, self.kernel)
        return f, np.vecdot(f, f)

    def _known(self, targets):
        return np.ones(len(targets), dtype=bool)

    def _squares(self, targets, rows):
        return _squared_distances(targets[rows], *self._reconstructions)

    def _evaluate(self, x, targets, rows):
        y, X, kernel, tree = targets[rows], self.X, self.kernel, self._tree
        if tree is None:
            return _evaluate_in_space(x, y, X, self._space, kernel)
        return _evaluate_over_neighbors(x, y, X, self.data, kernel, tree)


@dataclass(frozen=True)
class FeatureManifold(Manifold):
    """The manifold in feature space; what is projected are pairs of k(y, y_n) (M, N), k(y, y) (M,).

    k(y, y) shifts the squared distances but does not change where they are smallest. If it is
    unknown, pass zeros: the positions are right, and the squares lack this constant.
    """

    _tree = None

    @cached_property
    def _reconstructions(self):
        B = predict(self.X, self.X, np.eye(len(self.X)), self.kernel)
        return B, np.vecdot(B @ self.data, B)  # |f(x_n)|²

    def _known(self, targets):
        return targets[1] != 0

    def _squares(self, targets, rows):
        with_all, with_itself = targets
        B, sizes = self._reconstructions
        return sizes - 2 * with_all[rows] @ B.T + with_itself[rows, None]

    def _evaluate(self, x, targets, rows):
        of_rows, space = tuple(part[rows] for part in targets), FeatureSpace(self.data)
        return _evaluate_in_space(x, of_rows, self.X, space, self.kernel)


def squared_distance_to_image(x, targets, X, Y, kernel: DensityKernel = gaussian):
    """|y_m - f(x_m)|² for each pair of rows, and its gradient with respect to x_m.

    Returns
    -------
    squares : array of shape (M,)
    gradient : array of shape (M, q)
    """
    squares, gradient = np.empty(len(x)), np.empty(np.shape(x))
    for rows in row_blocks(len(x), len(X)):
        of_rows = _evaluate_in_space(x[rows], targets[rows], X, DataSpace(Y), kernel)
        squares[rows], gradient[rows] = of_rows.squares, of_rows.gradient
    return squares, gradient


def _starts(squares_of, known, allowed, N):
    """For each row the training point to start from, and how far the error of the row may fall.

    Without k(y, y) the squares lack a constant, so their spread stands in for them.
    """
    nearest, gain = np.empty(len(known), dtype=int), np.empty(len(known))
    for rows in row_blocks(len(known), N):
        squares = squares_of(np.arange(rows.start, rows.stop))
        if len(allowed) < N:
            squares = squares[:, allowed]
        places = np.argmin(squares, axis=1)
        nearest[rows], gain[rows] = allowed[places], squares[np.arange(len(places)), places]
        if not known[rows].all():
            spread = squares.mean(axis=1) - gain[rows]
            gain[rows] = np.where(known[rows], gain[rows], 0.3 * spread)
    return nearest, gain


def _squared_distances(Y, Z, sizes_of_Z):
    """|y - z|² for all pairs, by one matrix product; rounding may bring it a little below zero."""
    squares = -2 * Y @ Z.T
    squares += sizes_of_Z
    squares += np.vecdot(Y, Y)[:, None]
    return squares


def _descend(x, weight, evaluate, least_density, at_zero, max_iter, track):
    """The best feasible position of each row, by iRprop- on squares + weight * barrier."""
    here = evaluate(np.arange(len(x)), x)
    best = Projection(x.copy(), here.squares.copy(), here.density.copy())
    if track is not None:
        track[:] = x
    if least_density >= at_zero:  # all latent points coincide, and the domain is that point
        return best
    step, before = np.full_like(x, FIRST_STEP), np.zeros_like(x)
    active = np.arange(len(x))
    for iteration in range(max_iter):
        slack = (here.density - least_density) / (at_zero - least_density)
        _, slope = barrier_of_slack(slack, SLACK_FLOOR)
        pressure = weight[active] * slope / (at_zero - least_density)
        gradient = here.gradient + pressure[:, None] * here.density_gradient
        sign = np.sign(gradient)
        turned = sign * before < 0
        step = rprop_step(step, sign, before, least=SETTLED / 2, most=5.0)
        before = np.where(turned, 0, sign)
        moving = (step > SETTLED).any(axis=1) & (before != 0).any(axis=1) | turned.any(axis=1)
        x = x - before * step
        x, step, before, active = x[moving], step[moving], before[moving], active[moving]
        if not len(active):
            break
        here = evaluate(active, x)
        better = (here.squares < best.squares[active]) & (here.density >= least_density)
        improved = active[better]
        best.x[improved] = x[better]
        best.squares[improved] = here.squares[better]
        best.density[improved] = here.density[better]
        if track is not None:
            track[iteration + 1 :, active] = x
    return best


def _evaluate_in_space(x, targets, X, space, kernel):
    """A block of rows against all training points; the algebra of (31), (32) for x alone."""
    K, steepness, total, density = kernel_rows(x, X, kernel)
    squares, A = space.over_rows(space.weighted(K), total, targets)
    A *= steepness
    gradient = 2 * (A @ X - A.sum(axis=1, keepdims=True) * x)
    slope = (steepness @ X - steepness.sum(axis=1, keepdims=True) * x) / len(X)
    return Evaluation(squares, gradient, density, slope)


def _evaluate_over_neighbors(x, targets, X, Y, kernel, tree):
    """The same where the kernel reaches only neighbours."""
    M, N = len(x), len(X)
    m, n, t = pairs_between(x, tree, kernel.radius)
    K, steepness = kernel.with_steepness(t)
    density = np.bincount(m, K, M)
    total = np.where(density > 0, density, 1)
    f = coo_array((K, (m, n)), shape=(M, N)) @ Y / total[:, None]
    if not density.all():
        f[density == 0] = Y.mean(axis=0)
    residual = f - targets
    c = np.vecdot(residual, f)
    A = np.empty(len(m))
    for some in row_blocks(len(m), Y.shape[1]):
        A[some] = np.vecdot(residual[m[some]], Y[n[some]]) - c[m[some]]
    A *= steepness / total[m]
    gradient, slope = np.empty_like(x), np.empty_like(x)
    for axis in range(x.shape[1]):
        apart = X[n, axis] - x[m, axis]
        gradient[:, axis] = 2 * np.bincount(m, A * apart, M)
        slope[:, axis] = np.bincount(m, steepness * apart, M) / N
    return Evaluation(np.vecdot(residual, residual), gradient, density / N, slope)
