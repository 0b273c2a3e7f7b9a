"""Right and wrong answers to the exercise `project_onto_curve`, as learners write them."""

import numpy as np
from scipy.spatial.distance import cdist


def f(z, alpha, nodes, width):
    return np.exp(-((np.subtract.outer(z, nodes) / width) ** 2) / 2) @ alpha


def slope(z, alpha, nodes, width):
    apart = np.subtract.outer(z, nodes)
    return (-apart / width**2 * np.exp(-((apart / width) ** 2) / 2)) @ alpha


def with_cdist_and_where(Y, alpha, nodes, width, grid, before):
    cost = lambda z: ((Y - f(z, alpha, nodes, width)) ** 2).sum(axis=1)
    squares = cdist(Y, f(grid, alpha, nodes, width), "sqeuclidean")
    z = np.where(cost(before) <= squares.min(1), before, grid[squares.argmin(1)])
    J = slope(z, alpha, nodes, width)
    r = Y - f(z, alpha, nodes, width)
    there = np.clip(z + np.einsum("nd,nd->n", J, r) / np.einsum("nd,nd->n", J, J), -1, 1)
    return np.where(cost(there) <= cost(z), there, z)


def in_single_precision(Y, alpha, nodes, width, grid, before):
    Y, alpha, nodes, grid, before = (a.astype(np.float32) for a in (Y, alpha, nodes, grid, before))
    return with_cdist_and_where(Y, alpha, nodes, np.float32(width), grid, before).astype(np.float32)


def by_least_squares(Y, alpha, nodes, width, grid, before):
    """The step as a least-squares problem of each point."""
    found = np.empty(len(Y))
    for n, y in enumerate(Y):
        tried = np.append(grid, before[n])
        distances = np.linalg.norm(y - f(tried, alpha, nodes, width), axis=1)
        z = tried[distances.argmin()]
        J = slope(np.array([z]), alpha, nodes, width).T
        r = y - f(np.array([z]), alpha, nodes, width)[0]
        there = np.clip(z + np.linalg.lstsq(J, r, rcond=None)[0][0], -1, 1)
        nearer = np.linalg.norm(y - f(np.array([there]), alpha, nodes, width)) < distances.min()
        found[n] = there if nearer else z
    return found


RIGHT = [with_cdist_and_where, in_single_precision, by_least_squares]


def _answer(
    start=lambda grid_best, better, before: np.where(better, before, grid_best),
    f=f,
    slope=slope,
    step=lambda J, r: (J * r).sum(1) / (J * J).sum(1),
    clip=lambda z: np.clip(z, -1, 1),
    choose=lambda new, old, there, z: np.where(new < old, there, z),
):
    """with_cdist_and_where with one piece exchanged."""

    def project(Y, alpha, nodes, width, grid, before):
        cost = lambda z: ((Y - f(z, alpha, nodes, width)) ** 2).sum(axis=1)
        squares = cdist(Y, f(grid, alpha, nodes, width), "sqeuclidean")
        z = start(grid[squares.argmin(1)], cost(before) < squares.min(1), before)
        there = clip(z + step(slope(z, alpha, nodes, width), Y - f(z, alpha, nodes, width)))
        return choose(cost(there), cost(z), there, z)

    return project


def wrong_axis(Y, alpha, nodes, width, grid, before):
    return grid[cdist(Y, f(grid, alpha, nodes, width)).argmin(axis=0) % len(grid)]


def changes_codes(Y, alpha, nodes, width, grid, before):
    before[:] = with_cdist_and_where(Y, alpha, nodes, width, grid, before)
    return before


def mean_of_both(Y, alpha, nodes, width, grid, before):
    """No known mistake: the property speaks."""
    return (with_cdist_and_where(Y, alpha, nodes, width, grid, before) + grid[0]) / 2


def no_old_code_nothing_clipped(Y, alpha, nodes, width, grid, before):  # two mistakes
    start = lambda best, better, before: best
    take = lambda new, old, there, z: there
    return _answer(start=start, clip=lambda z: z, choose=take)(Y, alpha, nodes, width, grid, before)


WRONG = [
    ("shape", wrong_axis),
    ("changes_input", changes_codes),
    ("rises", mean_of_both),
    ("before_ignored", no_old_code_nothing_clipped),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    before_ignored grid_ignored before_compared_last step_always all_or_none not_clipped
    clipped_to_grid wrapped backwards gradient_step divided_by_length slope_without_width
    values_for_slopes two_steps codes_of_others farthest half_missing coefficients_for_values images
""".split()
