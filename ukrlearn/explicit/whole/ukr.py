"""Unsupervised kernel regression: the whole method on one page.

[UKR] is Meinicke, Klanke, Memisevic and Ritter, "Principal Surfaces from
Unsupervised Kernel Regression", 2005. A number in brackets is an equation of
the paper; the steps are those of its section 2.3, without the homotopy. Data
Y (N, d) and latent points X (N, q) have one point in each row. The kernel is
a Gaussian of width one, so the scale of X decides how smooth the surface is.
"""

import numpy as np
from scipy.optimize import minimize
from scipy.special import softmax


def noisy_spiral(N, random):
    """Points spread evenly along a spiral of two turns, figure 1."""
    angle = np.linspace(0, 4 * np.pi, 4000)
    spiral = (0.2 + angle / (4 * np.pi)) * np.exp(1j * angle)
    length = np.append(0, np.cumsum(np.abs(np.diff(spiral))))
    t = random.uniform(size=N)
    clean = np.interp(t * length[-1], length, spiral)
    noise = 0.05 * random.normal(size=(N, 2))
    return np.column_stack([clean.real, clean.imag]) + noise, t


def squared_distances(A, B):
    return np.sum((A[:, None] - B) ** 2, axis=2)


def weighted_mean(x, X, Y, h=1.0):
    """f(x; X), (2): the way back from latent positions to data."""
    return softmax(-squared_distances(x, X) / (2 * h**2), axis=1) @ Y


def density(x, X, h=1.0):
    """p(x), (3), in units of the kernel's peak."""
    return np.mean(np.exp(-squared_distances(x, X) / (2 * h**2)), axis=1)


def left_out_weights(X):
    """B, (10), (23): no point takes part in its own reconstruction."""
    t = squared_distances(X, X)
    np.fill_diagonal(t, np.inf)
    return softmax(-t / 2, axis=1)


def leave_one_out_error(X, Y):
    """R_cv, (10): the objective."""
    return np.sum((left_out_weights(X) @ Y - Y) ** 2) / len(Y)


def gradient_as_matrix(X, Y):
    """The gradient of R_cv, (32). With a Gaussian, P of (27) is B, (35)."""
    B = left_out_weights(X)
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - np.sum(M * B, axis=1, keepdims=True))  # (31)
    S = Q + Q.T
    return 2 / len(X) * (S @ X - S.sum(axis=1, keepdims=True) * X)


def lle(Y, q, K):
    """A start, step 1: locally linear embedding with K neighbours."""
    near = np.argsort(squared_distances(Y, Y), axis=1)[:, 1 : K + 1]
    A = np.eye(len(Y))
    for n, others in enumerate(near):
        G = (Y[others] - Y[n]) @ (Y[others] - Y[n]).T
        w = np.linalg.solve(G + 1e-3 * np.trace(G) * np.eye(K), np.ones(K))
        A[n, others] = -w / w.sum()
    return np.linalg.eigh(A.T @ A)[1][:, 1 : q + 1]


def scaled(X, Y):
    """X with the factors of its axes that make R_cv least, step 2."""
    X = X / X.std(axis=0)
    error = lambda logs: leave_one_out_error(X * np.exp(logs), Y)
    ladder = [np.full(X.shape[1], log) for log in np.linspace(0, 6, 25)]
    found = minimize(error, min(ladder, key=error), method="Nelder-Mead")
    return X * np.exp(found.x)


def rprop_step(gradient, previous, step):
    """The next move, which only the signs decide, and its lengths."""
    turned = np.sign(gradient) * np.sign(previous)
    step = step * np.where(turned > 0, 1.2, np.where(turned < 0, 0.5, 1.0))
    step = np.clip(step, 1e-9, 10)
    return np.where(turned < 0, 0, -np.sign(gradient) * step), step


def descend(X, Y, moves=1000):
    """The best X on the way downhill, step 5."""
    path, step, previous = [X], np.full(X.shape, 0.1), np.zeros(X.shape)
    for _ in range(moves):
        gradient = gradient_as_matrix(path[-1], Y)
        move, step = rprop_step(gradient, previous, step)
        previous = np.where(move == 0, 0, gradient)
        path.append(path[-1] + move)
    return min(path, key=lambda X: leave_one_out_error(X, Y))


def places(Y_new, grid, X, Y, threshold):
    """New points, (19): where in the grid their nearest allowed image is."""
    allowed = grid[density(grid, X) >= threshold]  # (7)
    f = weighted_mean(allowed, X, Y)
    return allowed[squared_distances(Y_new, f).argmin(axis=1)]


if __name__ == "__main__":
    random = np.random.default_rng(0)
    (Y, t), (new, _) = noisy_spiral(300, random), noisy_spiral(300, random)
    starts = [scaled(lle(Y, 1, K), Y) for K in range(4, 15)]
    X = descend(min(starts, key=lambda X: leave_one_out_error(X, Y)), Y)
    grid = np.linspace(X.min(), X.max(), 2000)[:, None]
    x = places(new, grid, X, Y, threshold=density(X, X).min())  # step 6
    print(f"leave-one-out error {leave_one_out_error(X, Y):.5f}")
    miss = np.sum((weighted_mean(x, X, Y) - new) ** 2, axis=1)
    print(f"squared distance of new points {np.mean(miss):.5f}")
    ranks = np.argsort(np.argsort([X[:, 0], t], axis=1), axis=1)
    print(f"order recovered {abs(np.corrcoef(ranks)[0, 1]):.3f}")
