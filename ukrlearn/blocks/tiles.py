"""Tiles: blocks of neighbouring points, each with all points within a kernel's reach of it.

Sums over pairs of points that are close to each other become small dense matrices, one for each
leaf of a tree. Whatever lies beyond the reach is never computed, and BLAS does the rest.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

LEAF = 128  # the most points of a tile
FEW = 500  # up to so many points, the tree takes longer than the pairs that it saves


class Tile(NamedTuple):
    """Indices of points."""

    rows: np.ndarray
    columns: np.ndarray  # first the rows themselves, then the other points within their reach


def worth_tiling(X, reach: float) -> bool:
    """Whether fewer than half of all pairs can be expected in tiles, judged by the extent of X."""
    if len(X) <= FEW or not np.isfinite(reach):
        return False
    with np.errstate(over="ignore"):
        extent = np.ptp(X, axis=0)
    return bool(np.prod(2 * reach / np.maximum(extent, 2 * reach)) < 0.5)


def tiles_within(X, reach: float) -> Iterator[Tile]:
    """Tiles whose rows are all points, once each.

    Parameters
    ----------
    X : array of shape (N, q)
    reach : float
        The columns of a tile are the points no further than this from the box around its rows.

    Examples
    --------
    >>> [tile] = tiles_within(np.array([[0.0], [3.0], [1.0]]), 1.0)
    >>> tile.columns
    array([0, 1, 2])
    """
    tree = cKDTree(X, leafsize=LEAF, compact_nodes=False)
    order, ends = tree.indices, _ends_of_leaves(tree)
    starts = np.append(0, ends[:-1])
    in_order = X[order].T  # one axis after the other: comparisons of long rows are quick
    low = np.minimum.reduceat(in_order, starts, axis=1)
    high = np.maximum.reduceat(in_order, starts, axis=1)
    for leaf, (start, end) in enumerate(zip(starts, ends, strict=True)):
        near = np.ones(len(starts), dtype=bool)
        for axis in range(X.shape[1]):
            near &= low[axis] <= high[axis, leaf] + reach
            near &= high[axis] >= low[axis, leaf] - reach
        near[leaf] = False
        others = _ranges(starts[near], ends[near])
        squares = np.zeros(len(others))
        with np.errstate(over="ignore", under="ignore"):
            for axis, x in enumerate(in_order):
                x = x[others]
                gap = np.maximum(low[axis, leaf] - x, x - high[axis, leaf])
                squares += np.square(np.maximum(gap, 0, out=gap))
            others = others[squares <= reach**2]
        yield Tile(order[start:end], order[np.append(np.arange(start, end), others)])


def _ranges(starts, ends):
    """All the numbers from each start up to its end."""
    sizes = ends - starts
    before = np.cumsum(sizes) - sizes
    return np.arange(sizes.sum()) + np.repeat(starts - before, sizes)


def _ends_of_leaves(tree):
    """Where the leaves end in the order of the tree's indices."""
    ends, nodes = [], [tree.tree]
    while nodes:
        node = nodes.pop()
        if node.lesser is None:
            ends.append(node.end_idx)
        else:
            nodes += [node.greater, node.lesser]
    return np.array(ends)
