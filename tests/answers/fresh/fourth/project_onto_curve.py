"""Fresh answers to `project_onto_curve`."""
import numpy as np


def kernel(z, nodes, width):
    """The bumps at places z, an array of shape (len(z), M)."""
    return np.exp(-((z[:, None] - nodes) ** 2) / (2 * width**2))


def all_points_together(Y, alpha, nodes, width, grid, before):
    def f(z):
        return kernel(z, nodes, width) @ alpha

    def cost(z):
        return np.sum((Y - f(z)) ** 2, axis=1)

    on_grid = np.sum((Y[:, None] - f(grid)) ** 2, axis=2)
    zeta = grid[on_grid.argmin(axis=1)]
    zeta = np.where(cost(before) < on_grid.min(axis=1), before, zeta)
    r = Y - f(zeta)
    J = (kernel(zeta, nodes, width) * (nodes - zeta[:, None]) / width**2) @ alpha
    JJ = np.sum(J * J, axis=1)
    step = np.sum(J * r, axis=1) / np.where(JJ > 0, JJ, 1)
    trial = np.clip(zeta + step, -1, 1)
    return np.where(cost(trial) < cost(zeta), trial, zeta)


def one_after_the_other(Y, alpha, nodes, width, grid, before):
    zeta = np.zeros(len(Y))
    for n, y in enumerate(Y):
        places = np.append(grid, before[n])
        far = np.linalg.norm(y - kernel(places, nodes, width) @ alpha, axis=1) ** 2
        z = places[np.argmin(far)]
        bumps = np.exp(-((z - nodes) ** 2) / (2 * width**2))
        slope = ((nodes - z) / width**2 * bumps) @ alpha
        r = y - bumps @ alpha
        zeta[n] = z
        if slope @ slope > 0:
            new = min(1.0, max(-1.0, z + (slope @ r) / (slope @ slope)))
            there = y - np.exp(-((new - nodes) ** 2) / (2 * width**2)) @ alpha
            if there @ there < r @ r:
                zeta[n] = new
    return zeta


def with_candidates(Y, alpha, nodes, width, grid, before):
    N = len(Y)
    places = np.hstack([np.tile(grid, (N, 1)), np.reshape(before, (N, 1))])
    curve = np.exp(-((places[..., None] - nodes) ** 2) / (2 * width**2)) @ alpha
    gaps = Y[:, None, :] - curve
    squares = np.einsum("nld,nld->nl", gaps, gaps)
    rows, best = np.arange(N), squares.argmin(axis=1)
    start, r = places[rows, best], gaps[rows, best]
    t = nodes[None] - start[:, None]
    J = np.einsum("nm,md->nd", t * np.exp(-(t**2) / (2 * width**2)), alpha) / width**2
    top, below = np.einsum("nd,nd->n", J, r), np.einsum("nd,nd->n", J, J)
    step = np.divide(top, below, out=np.zeros(N), where=below > 0)
    end = np.maximum(-1, np.minimum(1, start + step))
    after = ((Y - kernel(end, nodes, width) @ alpha) ** 2).sum(axis=1)
    better = after < squares[rows, best]
    result = start.astype(float)
    result[better] = end[better]
    return result


def _nearest(Y, alpha, nodes, width, grid, before):
    places = np.hstack([np.tile(grid, (len(Y), 1)), before[:, None]])
    values = np.array([kernel(p, nodes, width) @ alpha for p in places])
    best = np.sum((Y[:, None] - values) ** 2, axis=2).argmin(axis=1)
    return places[np.arange(len(Y)), best]


def _cost(Y, z, alpha, nodes, width):
    return np.sum((Y - kernel(z, nodes, width) @ alpha) ** 2, axis=1)


def compared_with_old(Y, alpha, nodes, width, grid, before):
    z = _nearest(Y, alpha, nodes, width, grid, before)
    K = kernel(z, nodes, width)
    J = (K * (nodes - z[:, None])) @ alpha / width**2
    r = Y - K @ alpha
    JJ = np.sum(J**2, axis=1)
    new = np.clip(z + np.sum(J * r, axis=1) / np.where(JJ > 0, JJ, 1), -1, 1)
    better = _cost(Y, new, alpha, nodes, width) < _cost(Y, before, alpha, nodes, width)
    return np.where(better, new, before)


def every_step_taken(Y, alpha, nodes, width, grid, before):
    z = _nearest(Y, alpha, nodes, width, grid, before)
    K = kernel(z, nodes, width)
    J = (K * (nodes - z[:, None]) / width**2) @ alpha
    r = Y - K @ alpha
    JJ = np.sum(J**2, axis=1)
    step = np.sum(J * r, axis=1) / np.where(JJ > 0, JJ, 1)
    return np.clip(z + step, -1, 1)


def squares_over_points(Y, alpha, nodes, width, grid, before):
    z = _nearest(Y, alpha, nodes, width, grid, before)
    K = kernel(z, nodes, width)
    J = (K * (nodes - z[:, None]) / width**2) @ alpha
    r = Y - K @ alpha
    step = (J * r).sum(axis=1) / (J * J).sum(axis=0)
    new = np.clip(z + step, -1, 1)
    better = _cost(Y, new, alpha, nodes, width) < _cost(Y, z, alpha, nodes, width)
    return np.where(better, new, z)


def all_or_nobody(Y, alpha, nodes, width, grid, before):
    z = _nearest(Y, alpha, nodes, width, grid, before)
    K = kernel(z, nodes, width)
    J = (K * (nodes - z[:, None]) / width**2) @ alpha
    r = Y - K @ alpha
    JJ = np.sum(J**2, axis=1)
    new = np.clip(z + np.sum(J * r, axis=1) / np.where(JJ > 0, JJ, 1), -1, 1)
    if _cost(Y, new, alpha, nodes, width).sum() < _cost(Y, z, alpha, nodes, width).sum():
        return new
    return z


def only_from_the_old_place(Y, alpha, nodes, width, grid, before):
    zeta = np.array(before, dtype=float)
    for n in range(len(Y)):
        z = zeta[n : n + 1]
        K = kernel(z, nodes, width)
        J = ((nodes - z) / width**2 * K[0]) @ alpha
        r = Y[n] - K[0] @ alpha
        if J @ J == 0:
            continue
        new = z + (J @ r) / (J @ J)
        if np.sum((Y[n] - kernel(new, nodes, width)[0] @ alpha) ** 2) < r @ r:
            zeta[n] = new[0]
    return zeta


def length_of_slope(Y, alpha, nodes, width, grid, before):
    F = kernel(grid, nodes, width) @ alpha
    z = grid[np.argmin(np.sum((Y[:, None] - F) ** 2, axis=2), axis=1)]
    K = kernel(z, nodes, width)
    J = (K * (nodes - z[:, None]) / width**2) @ alpha
    r = Y - K @ alpha
    size = np.linalg.norm(J, axis=1)
    new = np.clip(z + np.sum(J * r, axis=1) / np.where(size > 0, size, 1), -1, 1)
    better = _cost(Y, new, alpha, nodes, width) < _cost(Y, z, alpha, nodes, width)
    return np.where(better, new, z)


RIGHT = [all_points_together, one_after_the_other, with_candidates]
WRONG = [
    (compared_with_old, ["compares the step with the old code instead of the place where the step began, and goes back to the old code"]),
    (every_step_taken, ["takes the step always, even if it makes the distance larger"]),
    (squares_over_points, ["sums J^T J over the points instead of over the coordinates"]),
    (all_or_nobody, ["decides for all points together by the sum of their distances, instead of each point for itself"]),
    (only_from_the_old_place, ["does not look at the grid, begins at the old code only", "does not stop at the ends -1 and 1"]),
    (length_of_slope, ["divides the step by the length of J instead of J^T J", "forgot the old code among the places to begin with"]),
]
