"""Fresh answers to `project_onto_curve`."""
import numpy as np


def kernel(z, nodes, width):
    """The bumps at places z, an array of shape (len(z), M)."""
    return np.exp(-((z[:, None] - nodes) ** 2) / (2 * width**2))


def right_vectorised(Y, alpha, nodes, width, grid, before):
    f = lambda z: kernel(z, nodes, width) @ alpha
    cost = lambda z: np.sum((Y - f(z)) ** 2, axis=1)
    on_grid = np.sum((Y[:, None] - f(grid)) ** 2, axis=2)
    start = grid[on_grid.argmin(axis=1)]
    start = np.where(cost(before) < on_grid.min(axis=1), before, start)
    J = ((nodes - start[:, None]) / width**2 * kernel(start, nodes, width)) @ alpha
    r = Y - f(start)
    bottom = np.sum(J * J, axis=1)
    step = np.sum(J * r, axis=1) / np.where(bottom > 0, bottom, 1)
    end = np.clip(start + step, -1, 1)
    return np.where(cost(end) < cost(start), end, start)


def right_point_by_point(Y, alpha, nodes, width, grid, before):
    def curve(z):
        return np.exp(-((z - nodes) ** 2) / (2 * width**2)) @ alpha

    zeta = []
    for y, old in zip(Y, before):
        cost = lambda z: np.sum((y - curve(z)) ** 2)
        z = min([*grid, old], key=cost)
        J = ((nodes - z) / width**2 * np.exp(-((z - nodes) ** 2) / (2 * width**2))) @ alpha
        if J @ J > 0:
            new = min(1.0, max(-1.0, z + J @ (y - curve(z)) / (J @ J)))
            if cost(new) < cost(z):
                z = new
        zeta.append(z)
    return np.array(zeta, dtype=float)


def right_candidate_table(Y, alpha, nodes, width, grid, before):
    N, L = len(Y), len(grid)
    places = np.column_stack([np.tile(grid, (N, 1)), before])
    f = (kernel(places.ravel(), nodes, width) @ alpha).reshape(N, L + 1, -1)
    start = places[np.arange(N), np.linalg.norm(Y[:, None] - f, axis=2).argmin(axis=1)]
    G = kernel(start, nodes, width)
    r = Y - G @ alpha
    J = (G * np.subtract.outer(start, nodes)) @ alpha / -(width**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        new = np.clip(start + np.einsum("nd,nd->n", J, r) / np.einsum("nd,nd->n", J, J), -1, 1)
    after = np.sum((Y - kernel(new, nodes, width) @ alpha) ** 2, axis=1)
    zeta = start.copy()
    lower = after < np.sum(r**2, axis=1)
    zeta[lower] = new[lower]
    return zeta


def old_codes_of_everybody(Y, alpha, nodes, width, grid, before):
    places = np.concatenate([grid, before])
    F = kernel(places, nodes, width) @ alpha
    cost = np.sum((Y[:, None] - F) ** 2, axis=2)
    z = places[cost.argmin(axis=1)]
    B = kernel(z, nodes, width)
    r = Y - B @ alpha
    J = (B * (nodes - z[:, None]) / width**2) @ alpha
    z2 = np.clip(z + np.sum(J * r, axis=1) / np.sum(J * J, axis=1), -1, 1)
    c2 = np.sum((Y - kernel(z2, nodes, width) @ alpha) ** 2, axis=1)
    return np.where(c2 < cost.min(axis=1), z2, z)


def looked_up_in_the_grid(Y, alpha, nodes, width, grid, before):
    N = len(Y)
    zeta = np.zeros(N)
    f_grid = kernel(grid, nodes, width) @ alpha
    f_old = kernel(before, nodes, width) @ alpha
    for n in range(N):
        costs = np.sum((Y[n] - np.vstack([f_grid, f_old[n]])) ** 2, axis=1)
        z = grid[np.argmin(costs)]
        bump = np.exp(-((z - nodes) ** 2) / (2 * width**2))
        r = Y[n] - bump @ alpha
        J = ((nodes - z) / width**2 * bump) @ alpha
        new = np.clip(z + J @ r / (J @ J), -1, 1)
        c = np.sum((Y[n] - kernel(np.array([new]), nodes, width)[0] @ alpha) ** 2)
        zeta[n] = new if c < costs.min() else z
    return zeta


def no_step_beyond_the_end(Y, alpha, nodes, width, grid, before):
    f = lambda z: kernel(z, nodes, width) @ alpha
    dist = lambda z: np.sum((Y - f(z)) ** 2, axis=1)
    costs = np.stack([dist(np.full(len(Y), g)) for g in grid] + [dist(before)])
    best = costs.argmin(axis=0)
    z = np.array([before[n] if b == len(grid) else grid[b] for n, b in enumerate(best)])
    J = ((nodes - z[:, None]) / width**2 * kernel(z, nodes, width)) @ alpha
    new = z + np.sum(J * (Y - f(z)), axis=1) / np.sum(J**2, axis=1)
    ok = (np.abs(new) <= 1) & (dist(new) < dist(z))
    z[ok] = new[ok]
    return z


def all_or_nothing(Y, alpha, nodes, width, grid, before):
    def cost(z):
        return np.sum((Y - kernel(z, nodes, width) @ alpha) ** 2, axis=1)
    table = np.sum((Y[:, None, :] - (kernel(grid, nodes, width) @ alpha)[None]) ** 2, axis=-1)
    z = grid[np.argmin(table, axis=1)]
    z = np.where(cost(before) < cost(z), before, z)
    K = kernel(z, nodes, width)
    J = ((nodes[None] - z[:, None]) / width**2 * K) @ alpha
    r = Y - K @ alpha
    new = np.clip(z + (J * r).sum(1) / (J * J).sum(1), -1, 1)
    if cost(new).sum() < cost(z).sum():
        return new
    return z


def common_denominator_unchecked(Y, alpha, nodes, width, grid, before):
    f_grid = kernel(grid, nodes, width) @ alpha
    d_grid = np.sum((Y[:, None] - f_grid) ** 2, axis=2)
    d_old = np.sum((Y - kernel(before, nodes, width) @ alpha) ** 2, axis=1)
    z = np.where(d_old < d_grid.min(axis=1), before, grid[d_grid.argmin(axis=1)])
    K = kernel(z, nodes, width)
    J = ((nodes - z[:, None]) / width**2 * K) @ alpha
    r = Y - K @ alpha
    step = np.sum(J * r, axis=1) / np.sum(J * J)
    return np.clip(z + step, -1, 1)


def forgot_the_past_and_the_width(Y, alpha, nodes, width, grid, before):
    f_grid = kernel(grid, nodes, width) @ alpha
    table = np.sum((Y[:, None] - f_grid) ** 2, axis=2)
    z = grid[table.argmin(axis=1)]
    K = kernel(z, nodes, width)
    J = ((nodes - z[:, None]) * K) @ alpha
    r = Y - K @ alpha
    new = np.clip(z + np.sum(J * r, axis=1) / np.sum(J**2, axis=1), -1, 1)
    after = np.sum((Y - kernel(new, nodes, width) @ alpha) ** 2, axis=1)
    return np.where(after < table.min(axis=1), new, z)


RIGHT = [right_vectorised, right_point_by_point, right_candidate_table]
WRONG = [
    (old_codes_of_everybody, ["offers every point the old codes of all points as starting places, not only its own"]),
    (looked_up_in_the_grid, ["looks up the best candidate in the grid even where it is the old code (raises IndexError there)"]),
    (no_step_beyond_the_end, ["rejects a step that leads out of [-1, 1] instead of stopping at the end"]),
    (all_or_nothing, ["accepts or rejects the steps of all points together by their total cost"]),
    (common_denominator_unchecked, ["divides by the sum of J² over all points instead of each point's own", "keeps the step without checking that the distance falls"]),
    (forgot_the_past_and_the_width, ["does not consider the old code as a start", "forgets to divide the slope by σ²"]),
]
