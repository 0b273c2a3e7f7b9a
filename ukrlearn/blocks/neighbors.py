"""Pairs of points closer than the radius of a compact kernel, from a tree, never an N x N array."""

from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree


class Pairs(NamedTuple):
    """Index arrays of neighbours and their squared distances t, in an order near in memory."""

    rows: np.ndarray
    columns: np.ndarray
    t: np.ndarray

    def where(self, keep):
        """Those pairs for which keep is true."""
        return Pairs(*(field[keep] for field in self))

    def renamed(self, order):
        """The same pairs, with point order[k] called k."""
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        return Pairs(rank[self.rows], rank[self.columns], self.t)


def build_tree(X) -> cKDTree:
    """A tree that is quick to build; unbalanced nodes do no harm to range queries."""
    return cKDTree(X, balanced_tree=False, compact_nodes=False)


def pairs_within(tree: cKDTree, radius: float) -> Pairs:
    """All pairs i < j of the tree's own points with |x_i - x_j| <= radius."""
    found = tree.query_pairs(radius, _norm(tree), output_type="ndarray")
    return _with_distances(found[:, 0], found[:, 1], tree.data, tree.data)


def pairs_between(x, tree: cKDTree, radius: float) -> Pairs:
    """All pairs (row of x, point of the tree) with distance <= radius."""
    other = build_tree(x)
    found = other.sparse_distance_matrix(tree, radius, _norm(other, tree), output_type="ndarray")
    return _with_distances(found["i"], found["j"], x, tree.data)


def _norm(*trees):
    """Which p-norm to search in: the Euclidean one, unless a tree would refuse its squares.

    Where they overflow, the greatest difference of a coordinate serves. It finds some pairs too
    many, for which a kernel of that radius is zero.
    """
    greatest = max(np.abs([tree.mins, tree.maxes]).max(initial=0) for tree in trees)
    return 2 if greatest < 1e150 else np.inf


def _with_distances(rows, columns, x, X):
    t = np.zeros(len(rows))
    for axis in range(X.shape[1]):  # one coordinate at a time: no (pairs, q) temporary
        t += np.square(x[rows, axis] - X[columns, axis])
    return Pairs(rows, columns, t)


def mostly_neighbors(tree: cKDTree, radius: float) -> bool:
    """Whether more than one pair in sixteen is closer than the radius, judged by some 60 points.

    Then rows of all distances, a block at a time, are faster than lists of pairs with their
    indices, and take less memory.
    """
    some = tree.data[:: max(1, tree.n // 60)]
    found = tree.query_ball_point(some, radius, _norm(tree), return_length=True)
    return found.mean() > tree.n / 16
