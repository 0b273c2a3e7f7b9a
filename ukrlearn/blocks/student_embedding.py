"""Neighbour embedding with Student's kernel: attraction along a graph, repulsion of all pairs.

SNE [SGD] (1)-(4) with two changes, those of t-SNE: one distribution over all pairs of points, not
one for each point, and the heavy tails of w(t) = 1/(1 + t) in latent space. The data enter only by
their graph of nearest neighbours. With p_ij the weights of the graph, which sum to one,

    E(X) = Σ_ij p_ij log(p_ij / q_ij),   q_ij = w_ij / Z,   Z = Σ_{i≠j} w_ij,

    ∂E/∂x_i = 4 Σ_j (p_ij - q_ij) w_ij (x_i - x_j).

These are springs again: the graph pulls with p w, and all pairs push with q w. The repulsion of N
points is a sum over N² pairs, or a convolution on a grid, whose cost grows with N. The result is a
start for UKR: it keeps neighbours together where the data have clusters and no sheet.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from scipy import fft
from scipy.sparse import csc_array
from scipy.spatial.distance import cdist

from ukrlearn.blocks import descent
from ukrlearn.blocks.kernel_regression import row_blocks
from ukrlearn.blocks.nearest import nearest_neighbors

NEIGHBORS = 15
EARLY, LATE = 100, 150  # moves, with and without exaggeration
EXAGGERATION = 12.0
FIRST_SPREAD = 1e-2  # standard deviation of the first coordinate at the start
CELL = 1.0  # of the grid, in units of the kernel's width
NODES = {1: (30, 20_000), 2: (30, 800), 3: (20, 64)}  # least and most nodes of an axis, by q
MOST_EXACT = 3000  # points, where no grid can be had
PAIRS_OF_A_NODE = 30  # so many pairs take as long as a node of the grid


class Graph(NamedTuple):
    """Edges i < j of a graph, and the weight of each, counted once in each direction."""

    i: np.ndarray
    j: np.ndarray
    p: np.ndarray  # p_ij = p_ji; twice their sum is one


def neighbor_graph(Y, k=NEIGHBORS) -> Graph:
    """The graph that joins each point to its k nearest, the r-th of them with weight 1/r.

    An edge that both of its ends choose has the sum of two weights.
    """
    N = len(Y)
    near = nearest_neighbors(Y, k)
    ends = np.repeat(np.arange(N), k), near.ravel()
    weights = np.tile(1 / np.arange(1, k + 1), N)
    edges, of_end = np.unique(np.minimum(*ends) * N + np.maximum(*ends), return_inverse=True)
    return Graph(edges // N, edges % N, np.bincount(of_end, weights) / (2 * weights.sum()))


def student_embedding_error(X, graph, exaggeration=1.0, repulsion=None):
    """E(X) and its gradient, for a graph of neighbours.

    Parameters
    ----------
    X : array of shape (N, q)
    graph : Graph
    exaggeration : float
        Factor of all p in the attraction: E then has an additional (exaggeration - 1) Σ p log(1+t).
    repulsion : callable, optional
        X -> (Σ_m w_nm² (x_n - x_m), Z); by default `repulsion_of_pairs`.

    Returns
    -------
    error : float
    gradient : array of shape (N, q)

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [3.0]])
    >>> error, gradient = student_embedding_error(X, neighbor_graph(X, 1))
    >>> gradient.round(3)
    array([[ 0.033],
           [-0.025],
           [-0.008]])
    """
    i, j, p = graph
    apart = [x[i] - x[j] for x in np.ascontiguousarray(X.T)]
    t = sum(np.square(difference) for difference in apart)
    push, Z = (repulsion or repulsion_of_pairs)(X)
    error = 2 * (np.vdot(p, np.log(p)) + exaggeration * np.vdot(p, np.log1p(t))) + np.log(Z)
    gradient = -push / Z
    strength = exaggeration * p / (1 + t)
    for axis, difference in enumerate(apart):
        pull = strength * difference
        gradient[:, axis] += np.bincount(i, pull, len(X)) - np.bincount(j, pull, len(X))
    return float(error), 4 * gradient


def repulsion_in_least_time(X):
    """`repulsion_on_grid` for many points, or `repulsion_of_pairs` if the grid is too large.

    A single point far away from the others can make the grid large, and so can a third dimension.
    """
    N, q = X.shape
    nodes = (2 * _cells(X)) ** q
    return repulsion_of_pairs(X) if N**2 < PAIRS_OF_A_NODE * nodes else repulsion_on_grid(X)


def repulsion_of_pairs(X):
    """Σ_m w_nm² (x_n - x_m) for each n, and Z, the sum of w over all pairs of different points."""
    N = len(X)
    X_1 = np.column_stack([X, np.ones(N)])
    sums, Z = np.empty_like(X_1), -float(N)  # a point with itself: w = 1, and no force
    for rows in row_blocks(N, N):
        w = 1 / (1 + cdist(X[rows], X, "sqeuclidean"))
        Z += w.sum()
        w *= w
        sums[rows] = w @ X_1
    return sums[:, -1:] * X - sums[:, :-1], float(Z)


def repulsion_on_grid(X):
    """The same, with w interpolated between the nodes of a grid: time grows with N, not N².

    The points are spread onto a regular grid, by cubic polynomials along each axis. Sums over
    nodes are convolutions, computed by Fourier transforms, and the same polynomials lead back to
    the points. With nodes one width apart, as by default, forces deviate by up to a fifth (root
    mean square), and with half that distance by a twenty-fifth; a start needs no more. For up to
    three latent dimensions.
    """
    N, q = X.shape
    n, cell, spread = _spread(X)
    size = fft.next_fast_len(2 * n, real=True)
    offsets = np.minimum(np.arange(size), size - np.arange(size)) * cell
    t = sum(np.square(offset) for offset in np.meshgrid(*[offsets] * q, indexing="ij", sparse=True))
    w = (1 / (1 + t)).astype(np.float32)
    charges = np.column_stack([np.ones(N), X]).astype(np.float32)
    of_nodes = (spread @ charges).T.reshape(q + 1, *[n] * q)
    axes, shape, inside = range(1, q + 1), [size] * q, (slice(None), *[slice(n)] * q)
    transformed = fft.rfftn(of_nodes, shape, axes=axes)
    sums_w = fft.irfftn(transformed[:1] * fft.rfftn(w), shape, axes=axes)[inside]
    sums_w2 = fft.irfftn(transformed * fft.rfftn(w * w), shape, axes=axes)[inside]
    at_points = spread.T @ np.concatenate([sums_w, sums_w2]).reshape(q + 2, -1).T
    # A point's own w is 1. Interpolation may give less where a point is alone: that counts as none.
    Z = float(np.maximum(at_points[:, 0] - 1, 0).sum(dtype=float))
    return at_points[:, 1:2] * X - at_points[:, 2:], Z


def _spread(X):
    """Nodes of an axis, their distance, and the matrix (nodes, N) that spreads points onto them."""
    N, q = X.shape
    low, extent, cells = X.min(axis=0), np.ptp(X, axis=0).max(), _cells(X)
    # A little wider: the last point lies inside the last cell, and equal points have a cell too.
    cell, n = extent / cells * (1 + 1e-6) + 1e-12, cells + 3
    u = (X - low) / cell
    base = u.astype(int)
    f = (u - base).astype(np.float32)
    # Lagrange's polynomials with nodes at -1, 0, 1 and 2, which are nodes 0 to 3 after `base`.
    along = np.stack(
        [
            -f * (f - 1) * (f - 2) / 6,
            (f + 1) * (f - 1) * (f - 2) / 2,
            -(f + 1) * f * (f - 2) / 2,
            (f + 1) * f * (f - 1) / 6,
        ],
        axis=2,
    )
    weights, nodes, corners = along[:, 0], base[:, 0], np.arange(4)
    for axis in range(1, q):
        weights = (weights[:, :, None] * along[:, axis, None]).reshape(N, -1)
        nodes = nodes * n + base[:, axis]
        corners = np.add.outer(corners * n, np.arange(4)).ravel()
    nodes = np.add.outer(nodes.astype(np.int32), corners.astype(np.int32))
    ends = np.arange(0, N * 4**q + 1, 4**q, dtype=np.int32)
    return n, cell, csc_array((weights.ravel(), nodes.ravel(), ends), shape=(n**q, N))


def _cells(X):
    """The number of the grid's cells along each axis."""
    least, most = NODES[X.shape[1]]
    return int(np.clip(np.ceil(np.ptp(X, axis=0).max() / CELL), least, most))


def affordable(N, q) -> bool:
    """Whether N points can be embedded in q dimensions: beyond three there is no grid."""
    return q in NODES or N <= MOST_EXACT


def embedded(Y, X0, k=NEIGHBORS, moves=(EARLY, LATE)):
    """Coordinates that keep the k nearest neighbours, from the start X0: t-SNE's descent.

    Parameters
    ----------
    Y : array of shape (N, d)
    X0 : array of shape (N, q)
        Only its shape counts, since the descent begins close to the origin.
    moves : (int, int)
        Moves with exaggeration, and without.
    """
    N, q = X0.shape
    if not k < N:
        raise ValueError(f"{k} neighbours need more than {k} points; got N={N}.")
    if not affordable(N, q):
        raise ValueError(
            f"neighbour embedding in {q} dimensions is limited to {MOST_EXACT} points; got N={N}."
        )
    repulsion = repulsion_in_least_time if q in NODES else repulsion_of_pairs
    error = partial(student_embedding_error, graph=neighbor_graph(Y, k), repulsion=repulsion)
    X = X0 - X0.mean(axis=0)
    X = FIRST_SPREAD * X / (X[:, 0].std() or 1.0)
    for count, exaggeration, momentum in zip(moves, (EXAGGERATION, 1.0), (0.5, 0.8), strict=True):
        objective = partial(error, exaggeration=exaggeration)
        rate = N / EXAGGERATION if exaggeration > 1 else N
        steps = descent.heavy_ball(objective, X, rate=rate, momentum=momentum)
        X = descent.last(descent.at_most(steps, count)).X
    return X
