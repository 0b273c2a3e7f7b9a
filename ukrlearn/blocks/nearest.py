"""The nearest neighbours of all points, exactly for few points and from cells for many."""

import numpy as np

EXACT = 20_000  # up to so many points, all distances are computed
CELL = 100  # points of a cell, on average
PROBED = 16  # cells in which the neighbours of a point are sought
PARTITIONS = 3  # into cells about other landmarks each time: what one misses, another finds
BLOCK = 4096  # rows of distances at a time


def nearest_neighbors(Y, k, random_state=0):
    """The k nearest other points of each point, the nearest first: indices (N, k).

    Up to 20,000 points the result is exact. Beyond, every point belongs to the cell of its nearest
    landmark, and its neighbours are sought among the points of the 16 nearest cells, by matrix
    products. With three such partitions, about one neighbour in fifty is missed.

    Parameters
    ----------
    Y : array of shape (N, d)
    k : int
        Less than N.

    Examples
    --------
    >>> nearest_neighbors(np.array([[0.0], [1.0], [3.0]]), 2)
    array([[1, 2],
           [0, 2],
           [1, 0]])
    """
    N = len(Y)
    if not 0 < k < N:
        raise ValueError(f"k must be at least 1 and less than N={N}; got k={k}.")
    Y = np.ascontiguousarray(Y - Y.mean(axis=0), dtype=np.float32)
    if N <= EXACT:
        return _nearest_within(_blocks(N), Y, k)
    random = np.random.RandomState(random_state)
    found = _nearest_within(_cells(Y, k, random), Y, k)
    for _ in range(PARTITIONS - 1):
        found = _nearest_of_both(found, _nearest_within(_cells(Y, k, random), Y, k), Y)
    return found


def _nearest_within(blocks, Y, k):
    """The nearest of the columns for the rows of each block."""
    halves = np.vecdot(Y, Y) / 2
    found = np.empty((len(Y), k), dtype=int)
    for rows, columns in blocks:
        gaps = halves[columns] - Y[rows] @ Y[columns].T  # (|y - y'|² - |y|²) / 2
        gaps[rows[:, None] == columns] = np.inf
        found[rows] = columns[_places_of_least(gaps, k)]
    return found


def _nearest_of_both(some, others, Y):
    """The nearest of two lists of neighbours of each point."""
    found = np.empty_like(some)
    for start in range(0, len(Y), BLOCK):
        rows = slice(start, start + BLOCK)
        both = np.sort(np.concatenate([some[rows], others[rows]], axis=1), axis=1)
        apart = Y[both] - Y[rows, None]
        t = np.vecdot(apart, apart)
        t[:, 1:][both[:, 1:] == both[:, :-1]] = np.inf  # in both lists: it counts once
        found[rows] = np.take_along_axis(both, _places_of_least(t, some.shape[1]), axis=1)
    return found


def _places_of_least(values, k):
    """The columns of the k least entries of each row, the least first."""
    places = np.argpartition(values, k - 1, axis=1)[:, :k]
    order = np.argsort(np.take_along_axis(values, places, axis=1), axis=1)
    return np.take_along_axis(places, order, axis=1)


def nearest_centre(Y, centres):
    """For each row of Y, the index of the nearest of the centres."""
    halves = np.vecdot(centres, centres) / 2
    nearest = np.empty(len(Y), dtype=int)
    for start in range(0, len(Y), BLOCK):
        rows = slice(start, start + BLOCK)
        nearest[rows] = np.argmin(halves - Y[rows] @ centres.T, axis=1)
    return nearest


def _blocks(N):
    everybody = np.arange(N)
    for start in range(0, N, 500):
        yield everybody[start : start + 500], everybody


def _cells(Y, k, random):
    """For each cell: its points, and the points of the nearest cells, more than k of them."""
    n = len(Y) // CELL
    centres = Y[random.choice(len(Y), n, replace=False)]
    cell = nearest_centre(Y, centres)
    means = np.zeros_like(centres)  # one step of Lloyd's k-means makes the cells more even
    np.add.at(means, cell, Y)
    sizes = np.bincount(cell, minlength=n)
    centres = np.where(sizes[:, None] > 0, means / np.maximum(sizes, 1)[:, None], centres)
    cell = nearest_centre(Y, centres)
    order = np.argsort(cell, kind="stable")
    ends = np.cumsum(np.bincount(cell, minlength=n))
    members = np.split(order, ends[:-1])
    gaps = np.vecdot(centres, centres) / 2 - centres @ centres.T
    for c in np.flatnonzero([len(own) for own in members]):
        by_distance = np.argsort(gaps[c])
        probed = PROBED
        columns = np.concatenate([members[near] for near in by_distance[:probed]])
        while len(columns) <= k:  # copies may crowd into few cells
            probed *= 2
            columns = np.concatenate([members[near] for near in by_distance[:probed]])
        yield members[c], columns
