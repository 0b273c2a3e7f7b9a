"""Graphs of neighbours, shortest paths, and coordinates from them: procedure A-Isomap of [SI].

There are four steps, with one function each: `neighbor_graph`, `agglomerate`, `geodesic_distances`
and `classical_mds`.
A dissimilarity matrix Q is anything with ``len(Q)`` and ``Q[rows]``, see `dissimilarity`.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from scipy.linalg import eigh
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from scipy.sparse.csgraph import dijkstra as _dijkstra
from scipy.sparse.linalg import eigsh

from ukrlearn.blocks.units import power_of_two

DENSE = 200  # for at most so many points, all eigenpairs are computed
BLOCK = 2**16  # entries of Q at a time; they stay in cache, which makes it three times as fast
EXPLAINED = 1e-6  # smaller residual variances count as zero


class Graph(NamedTuple):
    """A connected graph of neighbours, and the arcs that connected it."""

    lengths: csr_array  # (N, N), symmetric; a stored zero is an edge of length zero
    components: np.ndarray  # (N,), the component of each point before arcs were added
    arcs: np.ndarray  # (K, 2), the pairs of points that were joined
    arc_lengths: np.ndarray  # (K,)


# Step 1


def neighbor_graph(Q, n_neighbors) -> csr_array:
    """Step 1: points are joined if one of them is among the h nearest neighbours of the other.

    Returns
    -------
    csr_array of shape (N, N)
        Symmetric; its stored entries, zeros included, are the lengths of the edges.
    """
    N, h = len(Q), n_neighbors
    nearest, lengths = np.empty((N, h), dtype=np.int64), np.empty((N, h))
    for rows in _blocks(N):
        D = np.array(Q[rows], dtype=float)
        D[np.arange(len(D)), np.arange(rows.start, rows.stop)] = np.inf  # not its own neighbour
        nearest[rows] = np.argpartition(D, h - 1, axis=1)[:, :h]
        lengths[rows] = np.take_along_axis(D, nearest[rows], axis=1)
    return _symmetric(np.repeat(np.arange(N), h), nearest.ravel(), lengths.ravel(), N)


def _symmetric(i, j, lengths, N):
    """Both directions of each edge, each stored once. (A sum or a maximum would drop zeros.)"""
    low, high = np.minimum(i, j), np.maximum(i, j)
    _, first = np.unique(low * N + high, return_index=True)
    low, high, lengths = low[first], high[first], lengths[first]
    rows, columns = np.concatenate([low, high]), np.concatenate([high, low])
    return csr_array((np.concatenate([lengths, lengths]), (rows, columns)), shape=(N, N))


def _blocks(N):
    size = max(1, BLOCK // N)
    return [slice(start, min(start + size, N)) for start in range(0, N, size)]


# Step 2


def agglomerate(lengths, Q, choose_arcs: Callable | None = None) -> Graph:
    """Step 2: arcs between the closest points of components, until the graph is connected.

    Parameters
    ----------
    lengths : csr_array
        A graph, from `neighbor_graph`.
    Q : dissimilarities
    choose_arcs : callable
        Distances of components (C, C) -> pairs of components (K, 2). `spanning_tree` has the result
        of merging the two closest components again and again; `all_pairs` joins each pair.
    """
    count, components = connected_components(lengths, directed=False)
    if count == 1:
        return Graph(lengths, components, np.empty((0, 2), dtype=int), np.empty(0))
    apart, from_point = _component_distances(Q, components, count)
    pairs = (choose_arcs or spanning_tree)(apart)
    i = from_point[pairs[:, 0], pairs[:, 1]]
    arcs = np.column_stack([i, _nearest_members(Q, i, components, pairs[:, 1])])
    arc_lengths = apart[pairs[:, 0], pairs[:, 1]]
    old = lengths.tocoo()
    joined = _symmetric(
        np.concatenate([old.row, arcs[:, 0]]).astype(np.int64),
        np.concatenate([old.col, arcs[:, 1]]).astype(np.int64),
        np.concatenate([old.data, arc_lengths]),
        len(Q),
    )
    return Graph(joined, components, arcs, arc_lengths)


def spanning_tree(apart):
    """The C - 1 pairs of components that a minimum spanning tree joins, closest first.

    The tree depends only on the order of the distances, so they are replaced by their ranks. Ranks
    are never zero. Distances may be, and SciPy takes a zero for a missing edge.
    """
    i, j = np.triu_indices(len(apart), k=1)
    by_length = np.argsort(apart[i, j], kind="stable")
    ranks = np.zeros(apart.shape)
    ranks[i[by_length], j[by_length]] = np.arange(1, len(i) + 1)
    tree = minimum_spanning_tree(ranks).tocoo()
    order = np.argsort(tree.data)
    return np.column_stack([tree.row, tree.col])[order]


def all_pairs(apart):
    """Each pair of components, closest first. scikit-learn's Isomap joins all of them."""
    i, j = np.triu_indices(len(apart), k=1)
    order = np.argsort(apart[i, j], kind="stable")
    return np.column_stack([i, j])[order]


def _component_distances(Q, components, count):
    """Least distances of components (C, C), and the point of the first component that has it."""
    order = np.argsort(components, kind="stable")
    starts = np.searchsorted(components[order], np.arange(count))
    apart = np.full((count, count), np.inf)
    from_point = np.full((count, count), -1)
    for rows in _blocks(len(Q)):
        nearest = np.minimum.reduceat(Q[rows][:, order], starts, axis=1)  # (B, C)
        for point, distances in zip(range(rows.start, rows.stop), nearest, strict=True):
            own = components[point]
            closer = distances < apart[own]
            apart[own, closer] = distances[closer]
            from_point[own, closer] = point
    np.fill_diagonal(apart, 0)
    return apart, from_point


def _nearest_members(Q, points, components, of):
    """For each point, the nearest point of the given component."""
    found = [
        np.argmin(np.where(components == c, Q[[i]][0], np.inf))
        for i, c in zip(points, of, strict=True)
    ]
    return np.array(found, dtype=int)


# Step 3


def geodesic_distances(lengths, sources=None, n_jobs=None):
    """Lengths of the shortest paths from some points (or all) to all points, by Dijkstra.

    Returns
    -------
    G : array of shape (L, N)
        If all points are sources, the matrix is symmetric.
    """
    sources = np.arange(lengths.shape[0]) if sources is None else np.asarray(sources)
    jobs = effective_n_jobs(n_jobs)
    if jobs == 1:
        return _dijkstra(lengths, indices=sources)
    parts = np.array_split(sources, 4 * jobs)
    found = Parallel(n_jobs=n_jobs)(delayed(_dijkstra)(lengths, indices=part) for part in parts)
    return np.concatenate([part.reshape(-1, lengths.shape[0]) for part in found])


def shortest_path(lengths, source, target):
    """The points on the shortest path between two points, both ends included."""
    _, before = _dijkstra(lengths, indices=source, return_predecessors=True)
    path = [target]
    while path[-1] != source:
        path.append(int(before[path[-1]]))
    return path[::-1]


# Step 4


class Scaling(NamedTuple):
    """Coordinates from classical multidimensional scaling, and what placing other points needs."""

    X: np.ndarray  # (L, q)
    eigenvalues: np.ndarray  # (q,), greatest first, none below zero
    mean_squares: np.ndarray  # (L,), means over the rows of the squared distances
    axes: np.ndarray  # (L, q), v_p / √λ_p; zero where λ_p is

    def place(self, G):
        """Coordinates (M, q) of points with these distances (M, L).

        z_p = v_p · (mean squares - squared distances) / 2 √λ_p, the Nystroem extension. The points
        of the fit get their own coordinates.
        """
        return 0.5 * (self.mean_squares - np.square(G)) @ self.axes


def classical_mds(G, n_components) -> Scaling:
    """Step 4: X with X Xᵀ as near as possible to S = -½ B G² B, [SI] 2.1.

    Distances along a graph are not Euclidean, so S has negative eigenvalues (`negative_share`).
    They count as zero: a coordinate that belongs to one is zero for all points.

    Parameters
    ----------
    G : array of shape (L, L)
        Geodesic distances.
    """
    S, mean_squares, unit = _double_centred(G)
    L, q = len(S), n_components
    if L <= DENSE or q > L // 4:
        values, V = eigh(S, subset_by_index=[max(L - q, 0), L - 1])
    else:
        values, V = eigsh(S, k=q, which="LA", v0=np.linspace(1, 2, L))
    order = np.argsort(values)[::-1]
    values, V = np.maximum(values[order], 0) * unit**2, _with_signs(V[:, order])
    values[values <= values.max(initial=0) * L * np.finfo(float).eps] = 0
    roots = np.sqrt(values)
    axes = V * np.divide(1, roots, out=np.zeros_like(roots), where=roots > 0)
    return Scaling(V * roots, values, mean_squares, axes)


def _double_centred(G):
    """S in units of the greatest distance, the mean squared distances of the rows, and the unit."""
    unit = float(np.max(G)) or 1.0
    S = np.square(G / unit)
    mean_squares = S.mean(axis=0)
    S -= mean_squares
    S -= S.mean(axis=1, keepdims=True)
    S *= -0.5
    return S, mean_squares * unit**2, unit


def _with_signs(V):
    """Eigenvectors with their greatest entry positive: the same on every machine."""
    top = np.argmax(np.abs(V), axis=0)
    return V * np.where(V[top, np.arange(V.shape[1])] < 0, -1, 1)


def negative_share(G):
    """The share of negative eigenvalues of S in Σ|λ|; zero if G is Euclidean.

    It needs all eigenvalues, which takes N³ operations and as long as the rest of Isomap or longer.
    """
    values = np.linalg.eigvalsh(_double_centred(G)[0])
    total = np.abs(values).sum()
    return float(-values[values < 0].sum() / total) if total > 0 else 0.0


def residual_variances(G, X, sources=None):
    """1 - r² for the first 0, 1, ..., q coordinates of X, shape (q + 1,).

    r is the correlation between geodesic distances and distances in the embedding, over all pairs.
    Without coordinates nothing is explained, so the first value is 1. If all geodesic distances are
    equal, there is nothing to explain, and all values are 0.

    Parameters
    ----------
    G : array of shape (L, N)
        Geodesic distances from the sources to all points.
    X : array of shape (N, q)
    sources : array of L indices, optional
        All points if not given.
    """
    sources = np.arange(len(X)) if sources is None else np.asarray(sources)
    others = np.ones(G.shape, dtype=bool)
    others[np.arange(len(sources)), sources] = False
    G, X = G / power_of_two(G), X / power_of_two(X)  # r has no unit, and squares do not overflow
    lengths = G[others] - G[others].mean()
    if not lengths.any():
        return np.zeros(X.shape[1] + 1)
    squared, left = np.zeros(G.shape), [1.0]
    for x in X.T:
        squared += np.square(x[sources, None] - x)
        distances = np.sqrt(squared[others])
        distances -= distances.mean()
        sizes = np.sum(distances**2) * np.sum(lengths**2)
        left.append(1 - np.sum(lengths * distances) ** 2 / sizes if sizes > 0 else 1.0)
    return np.array(left)


def elbow(residuals):
    """The dimension at which the curve of residual variances flattens.

    On a logarithmic scale, the elbow is the value farthest below the straight line from the first
    to the last value. The logarithm is needed: a roll that is four times as long as wide has only
    .01 left after one dimension, and .0005 after two. The paper says "flattens" and no more.
    Compute more dimensions than you expect to need, or the curve has no flat part.

    Examples
    --------
    >>> elbow([1.0, 0.014, 0.0005, 0.0004, 0.0004])
    2
    """
    logs = np.log(np.maximum(residuals, EXPLAINED))
    line = np.linspace(logs[0], logs[-1], len(logs))
    return max(1, int(np.argmax(line - logs)))
