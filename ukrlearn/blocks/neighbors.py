"""Pairs of points within the radius of a compact kernel, from a tree: no N x N array is formed."""

from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree


class Pairs(NamedTuple):
    """Index arrays of neighbouring points, and their squared distances t."""

    rows: np.ndarray
    columns: np.ndarray
    t: np.ndarray


def build_tree(X) -> cKDTree:
    """A tree that is quick to build; unbalanced nodes do not slow down range queries."""
    return cKDTree(X, balanced_tree=False, compact_nodes=False)


def pairs_between(x, tree: cKDTree, radius: float) -> Pairs:
    """All pairs (row of x, point of the tree) with distance <= radius."""
    other = build_tree(x)
    found = other.sparse_distance_matrix(tree, radius, _norm(other, tree), output_type="ndarray")
    return _with_distances(found["i"], found["j"], x, tree.data)


def _norm(*trees):
    """The p-norm for the search: Euclidean, unless squared distances overflow in a tree.

    If they do, the search uses the greatest difference of any coordinate. It finds some extra
    pairs, but a kernel of that radius is zero for them.
    """
    greatest = max(np.abs([tree.mins, tree.maxes]).max(initial=0) for tree in trees)
    return 2 if greatest < 1e150 else np.inf


def _with_distances(rows, columns, x, X):
    t = np.zeros(len(rows))
    for axis in range(X.shape[1]):  # one coordinate at a time: no (pairs, q) temporary
        t += np.square(x[rows, axis] - X[columns, axis])
    return Pairs(rows, columns, t)


def mostly_neighbors(tree: cKDTree, radius: float) -> bool:
    """Whether more than one pair in sixteen is closer than the radius, judged by about 60 points.

    If so, computing all distances in blocks of rows is faster than lists of pairs with their
    indices, and takes less memory.
    """
    some = tree.data[:: max(1, tree.n // 60)]
    found = tree.query_ball_point(some, radius, _norm(tree), return_length=True)
    return found.mean() > tree.n / 16
