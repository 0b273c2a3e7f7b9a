"""Tiles: blocks of neighbouring points, each with all points within a kernel's reach of it.

Sums over pairs of points that are close to each other become small dense matrices, one for each
leaf of a tree. Whatever lies beyond the reach is never computed, and BLAS does the rest.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

LEAF = 64  # the most points of a tile
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
    in_order = X[order]
    starts = np.append(0, ends[:-1])
    low = np.minimum.reduceat(in_order, starts)
    high = np.maximum.reduceat(in_order, starts)
    for leaf, (start, end) in enumerate(zip(starts, ends, strict=True)):
        near = ((low <= high[leaf] + reach) & (high >= low[leaf] - reach)).all(axis=1)
        near[leaf] = False
        others = np.flatnonzero(np.repeat(near, ends - starts))
        x = in_order[others]
        gap = np.maximum(np.maximum(low[leaf] - x, x - high[leaf]), 0)
        with np.errstate(over="ignore", under="ignore"):
            others = others[np.vecdot(gap, gap) <= reach**2]
        yield Tile(order[start:end], order[np.concatenate([np.arange(start, end), others])])


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
