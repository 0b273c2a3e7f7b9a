"""Fresh answers to `project_onto_curve`."""
import numpy as np


def kernel(z, nodes, width):
    """The bumps at places z, an array of shape (len(z), M)."""
    return np.exp(-((z[:, None] - nodes) ** 2) / (2 * width**2))


def codes_arrays(Y, alpha, nodes, width, grid, before):
    def cost(z):
        return np.sum((Y - kernel(z, nodes, width) @ alpha) ** 2, axis=1)

    on_grid = np.sum((Y[:, None] - kernel(grid, nodes, width) @ alpha) ** 2, axis=2)
    z = grid[on_grid.argmin(axis=1)]
    z = np.where(cost(before) <= on_grid.min(axis=1), before, z)
    bumps = kernel(z, nodes, width)
    r = Y - bumps @ alpha
    J = (bumps * (nodes - z[:, None]) / width**2) @ alpha
    JJ = np.sum(J * J, axis=1)
    step = np.divide(np.sum(J * r, axis=1), JJ, out=np.zeros(len(Y)), where=JJ > 0)
    moved = np.clip(z + step, -1, 1)
    return np.where(cost(moved) < cost(z), moved, z)


def codes_loop(Y, alpha, nodes, width, grid, before):
    def f(z):
        return np.exp(-((z - nodes) ** 2) / (2 * width**2)) @ alpha

    out = np.zeros(len(Y))
    for n, y in enumerate(Y):
        places = [before[n], *grid]
        zeta = min(places, key=lambda z: np.sum((y - f(z)) ** 2))
        J = ((nodes - zeta) / width**2 * np.exp(-((zeta - nodes) ** 2) / (2 * width**2))) @ alpha
        r = y - f(zeta)
        if J @ J > 0:
            new = min(1.0, max(-1.0, zeta + (J @ r) / (J @ J)))
            if np.sum((y - f(new)) ** 2) < r @ r:
                zeta = new
        out[n] = zeta
    return out


def codes_candidates(Y, alpha, nodes, width, grid, before):
    N = len(Y)
    places = np.concatenate([np.tile(grid, (N, 1)), before[:, None]], axis=1)

    def residuals(z):
        curve = kernel(z.ravel(), nodes, width) @ alpha
        return Y[:, None, :] - curve.reshape(z.shape + (-1,))

    best = np.argmin(np.einsum("nld,nld->nl", residuals(places), residuals(places)), axis=1)
    z = places[np.arange(N), best]
    r = residuals(z[:, None])[:, 0]
    J = np.einsum("nm,nm,md->nd", kernel(z, nodes, width), (nodes[None, :] - z[:, None]), alpha) / width**2
    new, ok = z.copy(), np.any(J != 0, axis=1)
    new[ok] += np.einsum("nd,nd->n", J[ok], r[ok]) / np.einsum("nd,nd->n", J[ok], J[ok])
    new = np.maximum(np.minimum(new, 1), -1)
    r_new = residuals(new[:, None])[:, 0]
    worse = ~(np.sum(r_new**2, axis=1) < np.sum(r**2, axis=1))
    new[worse] = z[worse]
    return new


def codes_grid_only(Y, alpha, nodes, width, grid, before):
    f = lambda z: kernel(z, nodes, width) @ alpha
    cost = np.sum((Y[:, None] - f(grid)) ** 2, axis=2)
    z = grid[cost.argmin(axis=1)]
    r = Y - f(z)
    J = ((nodes - z[:, None]) / width**2 * kernel(z, nodes, width)) @ alpha
    new = np.clip(z + np.sum(J * r, axis=1) / np.sum(J**2, axis=1), -1, 1)
    better = np.sum((Y - f(new)) ** 2, axis=1) < np.sum(r**2, axis=1)
    return np.where(better, new, z)


def codes_all_or_nothing(Y, alpha, nodes, width, grid, before):
    f = lambda z: kernel(z, nodes, width) @ alpha
    cost = np.sum((Y[:, None] - f(grid)) ** 2, axis=2)
    old = np.sum((Y - f(before)) ** 2, axis=1)
    z = np.where(old < cost.min(axis=1), before, grid[cost.argmin(axis=1)])
    r = Y - f(z)
    J = ((nodes - z[:, None]) / width**2 * kernel(z, nodes, width)) @ alpha
    new = np.clip(z + np.sum(J * r, axis=1) / np.sum(J**2, axis=1), -1, 1)
    if np.sum((Y - f(new)) ** 2) < np.sum(r**2):
        return new
    return z


def codes_of_others(Y, alpha, nodes, width, grid, before):
    f = lambda z: kernel(z, nodes, width) @ alpha
    places = np.append(grid, before)
    cost = np.sum((Y[:, None] - f(places)) ** 2, axis=2)
    z = places[cost.argmin(axis=1)]
    r = Y - f(z)
    J = ((nodes - z[:, None]) / width**2 * kernel(z, nodes, width)) @ alpha
    new = np.clip(z + np.sum(J * r, axis=1) / np.sum(J**2, axis=1), -1, 1)
    better = np.sum((Y - f(new)) ** 2, axis=1) < np.sum(r**2, axis=1)
    return np.where(better, new, z)


def codes_clip_to_grid(Y, alpha, nodes, width, grid, before):
    f = lambda z: kernel(z, nodes, width) @ alpha
    cost = np.sum((Y[:, None] - f(grid)) ** 2, axis=2)
    old = np.sum((Y - f(before)) ** 2, axis=1)
    z = np.where(old < cost.min(axis=1), before, grid[cost.argmin(axis=1)])
    r = Y - f(z)
    J = ((nodes - z[:, None]) / width**2 * kernel(z, nodes, width)) @ alpha
    new = np.clip(z + np.sum(J * r, axis=1) / np.sum(J**2, axis=1), grid.min(), grid.max())
    better = np.sum((Y - f(new)) ** 2, axis=1) < np.sum(r**2, axis=1)
    return np.where(better, new, z)


def codes_always_step(Y, alpha, nodes, width, grid, before):
    f = lambda z: kernel(z, nodes, width) @ alpha
    cost = np.sum((Y[:, None] - f(grid)) ** 2, axis=2)
    old = np.sum((Y - f(before)) ** 2, axis=1)
    z = np.where(old < cost.min(axis=1), before, grid[cost.argmin(axis=1)])
    r = Y - f(z)
    J = ((nodes - z[:, None]) * kernel(z, nodes, width)) @ alpha
    return np.clip(z + np.sum(J * r, axis=1) / np.sum(J**2, axis=1), -1, 1)


def codes_gradient_step(Y, alpha, nodes, width, grid, before):
    def f(z):
        return kernel(z, nodes, width) @ alpha

    on_grid = np.sum((Y - f(grid)[:, None]) ** 2, axis=2)
    old = np.sum((Y - f(before)) ** 2, axis=1)
    z = np.where(old < on_grid.min(axis=0), before, grid[on_grid.argmin(axis=0)])
    r = Y - f(z)
    J = ((nodes - z[:, None]) / width**2 * kernel(z, nodes, width)) @ alpha
    new = z + np.sum(J * r, axis=1)
    better = np.sum((Y - f(new)) ** 2, axis=1) < np.sum(r**2, axis=1)
    return np.where(better, new, z)


RIGHT = [codes_arrays, codes_loop, codes_candidates]
WRONG = [
    (codes_grid_only, ["looks at the grid only and forgets the old code"]),
    (codes_all_or_nothing, ["keeps or rejects the step for all points together, by the sum of their distances, instead of each point for itself"]),
    (codes_of_others, ["lets every point choose among the old codes of all points instead of its own only"]),
    (codes_clip_to_grid, ["stops the step at the ends of the grid instead of at -1 and 1"]),
    (codes_always_step, ["takes the step even where it makes the distance larger", "forgot to divide the slope of the bumps by the squared width"]),
    (codes_gradient_step, ["does not divide the step by J^T J, a gradient step of length one", "does not stop at the ends of [-1, 1]"]),
]
