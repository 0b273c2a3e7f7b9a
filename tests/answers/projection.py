"""Right and wrong answers to the exercise `projection`, as learners write them."""

import math

import numpy as np
from scipy.spatial.distance import cdist


def by_loops(Y_new, grid, X, Y, threshold):
    x = np.empty((len(Y_new), grid.shape[1]))
    for m in range(len(Y_new)):
        least = math.inf
        for position in grid:
            K = [math.exp(-sum((position - X[n]) ** 2) / 2) for n in range(len(X))]
            if sum(K) / len(X) < threshold:
                continue
            f = sum(K[n] * Y[n] for n in range(len(X))) / sum(K)
            square = sum((Y_new[m] - f) ** 2)
            if square < least:
                least, x[m] = square, position
    return x


def with_einsum_and_infinity(Y_new, grid, X, Y, threshold):
    v = grid[:, None] - X[None]
    K = np.exp(np.einsum("lnq,lnq->ln", v, v) / -2)
    f = np.einsum("ln,nd->ld", K, Y) / np.einsum("ln->l", K)[:, None]
    r = Y_new[:, None] - f[None]
    cost = np.einsum("mld,mld->ml", r, r) + np.where(K.sum(1) / K.shape[1] < threshold, np.inf, 0)
    return np.take(grid, cost.argmin(1), axis=0)


def single_precision(Y_new, grid, X, Y, threshold):
    Y_new, grid, X, Y = (a.astype(np.float32) for a in (Y_new, grid, X, Y))
    K = np.exp(-((grid[:, None] - X) ** 2).sum(-1) / 2)
    keep = K.mean(1) >= threshold
    f = (K @ Y / K.sum(1, keepdims=True))[keep]
    return grid[keep][((Y_new[:, None] - f) ** 2).sum(-1).argmin(1)]


def sorted_lists_with_validation(Y_new, grid, X, Y, threshold):
    if grid.shape[1] != X.shape[1]:
        raise ValueError("grid and X must have as many columns")
    domain = []
    for x in grid.tolist():
        K = np.exp([-(math.dist(x, z) ** 2) / 2 for z in X.tolist()])
        if np.mean(K) >= threshold:
            domain.append((x, K @ Y / np.sum(K)))
    return [min(domain, key=lambda place: math.dist(y, place[1]))[0] for y in Y_new]  # noqa: B023


RIGHT = [by_loops, with_einsum_and_infinity, single_precision, sorted_lists_with_validation]


def _f_and_p(grid, X, Y):
    f, p = [], []
    for x in grid:
        w = np.exp(-0.5 * ((X - x) ** 2).sum(axis=1))
        f.append(w.dot(Y) / w.sum())
        p.append(w.sum() / len(X))
    return np.array(f), np.array(p)


def wrong_axis(Y_new, grid, X, Y, threshold):
    f, p = _f_and_p(grid, X, Y)
    cost = cdist(Y_new, f)
    return grid[np.argmin(cost, axis=0) % len(grid)]


def refined_beyond_the_grid(Y_new, grid, X, Y, threshold):
    x = by_loops(Y_new, grid, X, Y, threshold)
    return x + 0.01 * (grid[0] - x)


def no_constraint_no_denominator(Y_new, grid, X, Y, threshold):  # two mistakes
    return grid[cdist(Y_new, np.exp(-cdist(grid, X, "sqeuclidean") / 2) @ Y).argmin(axis=1)]


# written with fresh eyes, from the exercise's text alone


def _distances(Y_new, f):
    return ((Y_new[:, None] - f) ** 2).sum(axis=2)


def mean_over_the_positions(Y_new, grid, X, Y, threshold):
    f, p = _f_and_p(grid, X, Y)
    allowed = p * len(X) / len(grid) >= threshold
    return grid[allowed][_distances(Y_new, f[allowed]).argmin(axis=1)]


def one_place_for_all(Y_new, grid, X, Y, threshold):
    f, p = _f_and_p(grid, X, Y)
    some, f = grid[p >= threshold], f[p >= threshold]
    return some[np.argmin(_distances(Y_new, f))]


def stops_at_the_first_valley(Y_new, grid, X, Y, threshold):
    f, p = _f_and_p(grid, X, Y)
    some, f = grid[p >= threshold], f[p >= threshold]
    found = []
    for y in Y_new:
        i = 0
        while i + 1 < len(f) and np.sum((y - f[i + 1]) ** 2) < np.sum((y - f[i]) ** 2):
            i += 1
        found.append(some[i])
    return np.array(found)


WRONG = [
    ("constraint_forgotten", wrong_axis),
    ("not_on_grid", refined_beyond_the_grid),
    ("not_normalised", no_constraint_no_denominator),
    # written with fresh eyes, from the exercise's text alone
    ("divided_by_positions", mean_over_the_positions),
    ("raises", one_place_for_all),
    ("nearer_exists", stops_at_the_first_valley),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    constraint_forgotten index_among_allowed indices density_not_divided nearest_data
    nearest_reconstruction not_normalised absolute_differences forced_inside_afterwards farthest
    images forbidden_cost_nothing columns_normalised nan_where_forbidden largest_kernel half_missing
    nearest_new_point
""".split()
