"""Fresh answers to `project_onto_curve`."""
import numpy as np


def kernel(z, nodes, width):
    """The bumps at places z, an array of shape (len(z), M)."""
    return np.exp(-((z[:, None] - nodes) ** 2) / (2 * width**2))


def three_moves(Y, alpha, nodes, width, grid, before):
    f = lambda z: kernel(z, nodes, width) @ alpha
    on_grid = np.sum((Y[:, None] - f(grid)) ** 2, axis=2)
    best = on_grid.argmin(axis=1)
    cost, zeta = on_grid.min(axis=1), grid[best].astype(float)
    old = np.sum((Y - f(before)) ** 2, axis=1)
    zeta, cost = np.where(old < cost, before, zeta), np.minimum(old, cost)
    J = (kernel(zeta, nodes, width) * (nodes - zeta[:, None]) / width**2) @ alpha
    r, JJ = Y - f(zeta), np.sum(J * J, axis=1)
    step = np.divide(np.sum(J * r, axis=1), JJ, out=np.zeros(len(Y)), where=JJ > 0)
    new = np.clip(zeta + step, -1, 1)
    return np.where(np.sum((Y - f(new)) ** 2, axis=1) < cost, new, zeta)


def one_by_one(Y, alpha, nodes, width, grid, before):
    def f(z):
        return np.exp(-((z - nodes) ** 2) / (2 * width**2)) @ alpha

    def cost(z, y):
        return float(np.sum((y - f(z)) ** 2))

    zeta = []
    for y, old in zip(Y, before):
        z = min([*grid, old], key=lambda place: cost(place, y))
        slope = ((nodes - z) / width**2 * np.exp(-((z - nodes) ** 2) / (2 * width**2))) @ alpha
        if slope @ slope > 0:
            moved = min(1.0, max(-1.0, z + slope @ (y - f(z)) / (slope @ slope)))
            if cost(moved, y) < cost(z, y):
                z = moved
        zeta.append(float(z))
    return np.array(zeta)


def by_candidates(Y, alpha, nodes, width, grid, before):
    N = len(Y)

    def costs(places):
        b = np.exp(-((places[..., None] - nodes) ** 2) / (2 * width**2))
        return np.linalg.norm(b @ alpha - Y[:, None], axis=2) ** 2

    places = np.column_stack([np.broadcast_to(grid, (N, len(grid))), before])
    zeta = np.take_along_axis(places, costs(places).argmin(axis=1)[:, None], 1)[:, 0]
    bumps = kernel(zeta, nodes, width)
    J = np.einsum("nm,nm,md->nd", bumps, (nodes - zeta[:, None]) / width**2, alpha)
    top, below = np.einsum("nd,nd->n", J, Y - bumps @ alpha), np.einsum("nd,nd->n", J, J)
    moved = zeta + np.where(below == 0, 0, top / np.where(below == 0, 1, below))
    both = np.stack([zeta, np.minimum(np.maximum(moved, -1), 1)], axis=1)
    return both[np.arange(N), costs(both).argmin(axis=1)]


def forgetful(Y, alpha, nodes, width, grid, before):
    f = lambda z: kernel(z, nodes, width) @ alpha
    on_grid = np.sum((Y[:, None] - f(grid)) ** 2, axis=2)
    zeta = grid[on_grid.argmin(axis=1)]
    J = (kernel(zeta, nodes, width) * (nodes - zeta[:, None]) / width**2) @ alpha
    r, JJ = Y - f(zeta), np.sum(J * J, axis=1)
    new = np.clip(zeta + np.sum(J * r, axis=1) / np.maximum(JJ, 1e-300), -1, 1)
    return np.where(np.sum((Y - f(new)) ** 2, axis=1) < np.sum(r**2, axis=1), new, zeta)


def trusting(Y, alpha, nodes, width, grid, before):
    f = lambda z: kernel(z, nodes, width) @ alpha
    on_grid = np.sum((Y[:, None] - f(grid)) ** 2, axis=2)
    old = np.sum((Y - f(before)) ** 2, axis=1)
    zeta = np.where(old < on_grid.min(axis=1), before, grid[on_grid.argmin(axis=1)])
    J = (kernel(zeta, nodes, width) * (nodes - zeta[:, None]) / width**2) @ alpha
    JJ = np.sum(J * J, axis=1)
    step = np.sum(J * (Y - f(zeta)), axis=1) / np.where(JJ > 0, JJ, 1)
    return np.clip(zeta + step, -1, 1)


def everyones_old_codes(Y, alpha, nodes, width, grid, before):
    f = lambda z: kernel(z, nodes, width) @ alpha
    places = np.concatenate([grid, before])
    cost = np.sum((Y[:, None] - f(places)) ** 2, axis=2)
    zeta = places[cost.argmin(axis=1)]
    J = (kernel(zeta, nodes, width) * (nodes - zeta[:, None]) / width**2) @ alpha
    JJ = np.sum(J * J, axis=1)
    new = zeta + np.sum(J * (Y - f(zeta)), axis=1) / np.where(JJ > 0, JJ, 1)
    new = np.clip(new, -1, 1)
    better = np.sum((Y - f(new)) ** 2, axis=1) < cost.min(axis=1)
    return np.where(better, new, zeta)


def step_from_the_old(Y, alpha, nodes, width, grid, before):
    f = lambda z: kernel(z, nodes, width) @ alpha
    on_grid = np.sum((Y[:, None] - f(grid)) ** 2, axis=2)
    old = np.sum((Y - f(before)) ** 2, axis=1)
    zeta = np.where(old < on_grid.min(axis=1), before, grid[on_grid.argmin(axis=1)])
    J = (kernel(before, nodes, width) * (nodes - before[:, None]) / width**2) @ alpha
    JJ = np.sum(J * J, axis=1)
    step = np.sum(J * (Y - f(before)), axis=1) / np.where(JJ > 0, JJ, 1)
    new = np.clip(before + step, -1, 1)
    better = np.sum((Y - f(new)) ** 2, axis=1) < np.sum((Y - f(zeta)) ** 2, axis=1)
    return np.where(better, new, zeta)


def common_verdict(Y, alpha, nodes, width, grid, before):
    f = lambda z: kernel(z, nodes, width) @ alpha
    on_grid = np.sum((Y[:, None] - f(grid)) ** 2, axis=2)
    old = np.sum((Y - f(before)) ** 2, axis=1)
    zeta = np.where(old < on_grid.min(axis=1), before, grid[on_grid.argmin(axis=1)])
    J = (kernel(zeta, nodes, width) * (nodes - zeta[:, None]) / width**2) @ alpha
    r, JJ = Y - f(zeta), np.sum(J * J, axis=1)
    new = zeta + np.sum(J * r, axis=1) / np.where(JJ > 0, JJ, 1)
    if np.sum((Y - f(new)) ** 2) < np.sum(r**2):
        zeta = new
    return zeta


def backwards(Y, alpha, nodes, width, grid, before):
    f = lambda z: kernel(z, nodes, width) @ alpha
    on_grid = np.sum((Y[:, None] - f(grid)) ** 2, axis=2)
    old = np.sum((Y - f(before)) ** 2, axis=1)
    zeta = np.where(old < on_grid.min(axis=1), before, grid[on_grid.argmin(axis=1)])
    J = (kernel(zeta, nodes, width) * (zeta[:, None] - nodes) / width**2) @ alpha
    r, JJ = Y - f(zeta), np.sum(J * J, axis=1)
    new = zeta + np.sum(J * r, axis=1) / np.where(JJ > 0, JJ, 1)
    new = np.clip(new, grid[0], grid[-1])
    return np.where(np.sum((Y - f(new)) ** 2, axis=1) < np.sum(r**2, axis=1), new, zeta)


RIGHT = [three_moves, one_by_one, by_candidates]
WRONG = [
    (forgetful, ["does not consider the point's old code"]),
    (trusting, ["keeps the step even if it makes the distance larger"]),
    (everyones_old_codes, ["lets each point choose among the old codes of all points"]),
    (step_from_the_old, ["takes the Gauss-Newton step from the old code, not from the best place found"]),
    (common_verdict, ["decides for all points together whether the step is kept", "does not stop at the ends of [-1, 1]"]),
    (backwards, ["has the sign of the slope of the bumps reversed", "stops at the ends of the grid instead of at -1 and 1"]),
]
