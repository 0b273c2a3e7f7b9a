"""Regularized principal manifolds: the whole method on one page.

[RPM] is Smola, Mika, Schölkopf and Williamson, "Regularized Principal
Manifolds", 2001. A number in brackets is an equation of the paper. A curve
f(z) = sum_j alpha_j k(z_j, z) runs through the data Y (N, d), which have one
point in each row and the mean zero. Its codes zeta (N,), a position in
[-1, 1] for each point, and its coefficients alpha (M, d) are found in turn.
"""

import numpy as np


def noisy_arc(N, random):
    """Points near an arc of 275 degrees, as in figure 1."""
    angle = 4.8 * (random.uniform(size=N) - 0.5)
    clean = np.column_stack([np.cos(angle), np.sin(angle)])
    return clean + 0.1 * random.normal(size=(N, 2))


def kernel(z, nodes, width):
    """k(z_j, z) for each position z and each node z_j, below (14)."""
    return np.exp(-((z[:, None] - nodes) ** 2) / (2 * width**2))


def value(z, alpha, nodes, width):
    """f(z), (31): the way back from codes to data."""
    return kernel(z, nodes, width) @ alpha


def objective(zeta, alpha, Y, nodes, width, penalty):
    """R_reg, (29): the mean squared distance, and how much f bends, (17)."""
    miss = np.sum((Y - value(zeta, alpha, nodes, width)) ** 2, axis=1)
    bending = np.sum(alpha * value(nodes, alpha, nodes, width)) / 2
    return np.mean(miss) + penalty * bending


def start_coefficients(nodes, V, K, penalty):
    """alpha near the plane with the columns of V as axes, (35).

    Departure: the paper prints penalty / 2, which lacks the factor M.
    """
    aims = (nodes - nodes.mean(axis=0)) @ V.T
    A = K + penalty * len(nodes) / 2 * np.eye(len(nodes))
    return np.linalg.solve(A, aims)


def coefficients(zeta, Y, nodes, width, penalty):
    """Adaptation: the alpha with the least R_reg for these codes, (33).

    The matrix is nearly singular, so the smallest solution is taken.
    """
    K_zeta, K_z = kernel(zeta, nodes, width), kernel(nodes, nodes, width)
    A = penalty * len(Y) / 2 * K_z + K_zeta.T @ K_zeta
    return np.linalg.lstsq(A, K_zeta.T @ Y, rcond=1e-14)[0]


def codes(Y, alpha, nodes, width, grid, before):
    """Projection, (30): the best of the grid and the code before, refined.

    It serves new points, too. The last move is a Gauss-Newton step, which is
    kept where it leads nearer.
    """
    f = lambda z: value(z, alpha, nodes, width)
    cost = lambda z: np.sum((Y - f(z)) ** 2, axis=1)
    on_grid = np.sum((Y[:, None] - f(grid)) ** 2, axis=2)
    zeta = grid[on_grid.argmin(axis=1)]
    zeta = np.where(cost(before) < cost(zeta), before, zeta)
    toward = (nodes - zeta[:, None]) / width**2
    J = (kernel(zeta, nodes, width) * toward) @ alpha
    step = np.sum(J * (Y - f(zeta)), axis=1) / np.sum(J**2, axis=1)
    moved = np.clip(zeta + step, -1, 1)
    return np.where(cost(moved) < cost(zeta), moved, zeta)


def alternate(Y, alpha, nodes, width, penalty, rounds=100):
    """The last alpha and codes, and R_reg after each round: it never rises."""
    grid, errors = np.linspace(-1, 1, 401), []
    zeta = np.zeros(len(Y))
    for _ in range(rounds):
        zeta = codes(Y, alpha, nodes, width, grid, zeta)
        alpha = coefficients(zeta, Y, nodes, width, penalty)
        errors.append(objective(zeta, alpha, Y, nodes, width, penalty))
    return alpha, zeta, errors


def principal_axis(Y):
    """The first principal direction, two standard deviations long: V."""
    _, s, directions = np.linalg.svd(Y, full_matrices=False)
    return 2 * s[0] / np.sqrt(len(Y)) * directions[:1].T


if __name__ == "__main__":
    random = np.random.default_rng(0)
    Y, new = noisy_arc(300, random), noisy_arc(300, random)
    Y, new = Y - Y.mean(axis=0), new - Y.mean(axis=0)
    nodes, width, penalty = np.linspace(-1, 1, 20), 0.5, 1e-3
    K, V = kernel(nodes, nodes, width), principal_axis(Y)
    start = start_coefficients(nodes[:, None], V, K, penalty)
    alpha, zeta, errors = alternate(Y, start, nodes, width, penalty)
    grid = np.linspace(-1, 1, 2001)
    z = codes(new, alpha, nodes, width, grid, np.zeros(len(new)))
    miss = np.sum((new - value(z, alpha, nodes, width)) ** 2, axis=1)
    print(f"R_reg {errors[0]:.4f}, then {errors[-1]:.4f}")
    print(f"squared distance of new points {np.mean(miss):.4f}")
