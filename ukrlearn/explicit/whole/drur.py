"""Dimensionality reduction by unsupervised regression: the whole method.

[DRUR] is Carreira-Perpiñán and Lu, "Parametric Dimensionality Reduction by
Unsupervised Regression", 2010. A number in brackets is an equation of the
paper. A network f maps latent points to data, a network F maps data to latent
points, and both share the latent points, which start at the coordinates of
another method. Data Y (N, d) and latent points X (N, q) are rows.
"""

import numpy as np
from scipy.cluster.vq import kmeans2
from scipy.spatial import procrustes

PENALTY = 1e-5


def swiss_roll(N, random):
    """Points on a rolled sheet of 90 x 50, and their places on the sheet."""
    angle = np.linspace(1.5 * np.pi, 6 * np.pi, 4000)
    length = (angle * np.sqrt(1 + angle**2) + np.arcsinh(angle)) / 2
    t = random.uniform(size=(N, 2)) * [90, 50]
    roll = np.interp(t[:, 0], length - length[0], angle)
    sides = [roll * np.cos(roll), t[:, 1], roll * np.sin(roll)]
    return np.column_stack(sides) + 0.3 * random.normal(size=(N, 3)), t


def of_size(size, A):
    return size * (A - A.mean(axis=0)) / np.sqrt(np.sum(A.var(axis=0)))


def basis(x, centres, width):
    """The Gaussian basis functions at positions x, below (13)."""
    t = np.sum((x[:, None] - centres) ** 2, axis=2)
    return np.exp(-t / (2 * width**2))


def weights(X, Y, centres, width, penalty):
    """W and w of the network from X to Y for which (14) is least."""
    Phi, K = basis(X, centres, width), basis(centres, centres, width)
    P = Phi - Phi.mean(axis=0)
    A, B = P.T @ P + penalty * K, P.T @ (Y - Y.mean(axis=0))
    W = np.linalg.lstsq(A, B, rcond=1e-14)[0]  # (16)
    return W, Y.mean(axis=0) - Phi.mean(axis=0) @ W  # (15)


def values(x, centres, width, W, w):
    """f, or F, at positions x, (13): the way back, or that of new points."""
    return basis(x, centres, width) @ W + w


def jacobian(x, centres, width, W):
    """The Jacobian of (13) at every position, an array (N, d, q), (17)."""
    toward = (centres - x[:, None]) / width**2
    return np.einsum("nm,md,nmq->ndq", basis(x, centres, width), W, toward)


def network(X, Y, multiples, slack=0, M=30):
    """Adaptation: a network from X to Y, as (centres, width, W, w).

    The width is the widest of those multiples of the spacing of the centres
    that predict left-out fifths of the points as well as the best one, up to
    so many standard errors.
    """
    centres = kmeans2(X, M, minit="++", seed=0)[0]
    apart = np.linalg.norm(centres[:, None] - centres, axis=2)
    widths = np.mean(np.sort(apart)[:, 1]) * np.array(multiples)
    errors = np.empty((len(widths), len(X)))
    for k, width in enumerate(widths):
        for fold in range(5):
            out = np.arange(len(X)) % 5 == fold
            found = weights(X[~out], Y[~out], centres, width, PENALTY)
            miss = Y[out] - values(X[out], centres, width, *found)
            errors[k, out] = np.sum(miss**2, axis=1)
    excess = errors - errors[errors.mean(axis=1).argmin()]
    most = slack * excess.std(axis=1) / np.sqrt(len(X))
    width = widths[excess.mean(axis=1) <= most].max()
    return centres, width, *weights(X, Y, centres, width, PENALTY)


def gauss_newton(f, J, X, Y, F_Y):
    """The step of every point, (12)."""
    Jt = J.transpose(0, 2, 1)
    right = Jt @ (Y - f)[..., None] + (F_Y - X)[..., None]
    return np.linalg.solve(np.eye(X.shape[1]) + Jt @ J, right)[..., 0]


def project(X, Y, F_Y, f, moves=4):
    """Projection: every point goes downhill in (7), f and F stay fixed."""
    squares = lambda A: np.sum(A**2, axis=1, keepdims=True)
    E = lambda X: squares(Y - values(X, *f)) + squares(X - F_Y)  # (7)
    X = np.where(E(F_Y) < E(X), F_Y, X)
    for _ in range(moves):
        step = gauss_newton(values(X, *f), jacobian(X, *f[:3]), X, Y, F_Y)
        for _ in range(10):
            step = np.where(E(X + step) > E(X), step / 2, step)
        X = np.where(E(X + step) < E(X), X + step, X)
    return X


def alternate(X, Y, rounds=10):
    """Latent points and both maps after some rounds of figure 1."""
    F = network(Y, X, (2, 3, 4, 6, 8, 12, 16, 24))
    X = values(Y, *F)
    for _ in range(rounds):
        F = *F[:2], *weights(Y, X, *F[:2], PENALTY)
        f = network(X, Y, (2, 3, 4, 6, 8, 12), slack=10)
        X = project(X, Y, values(Y, *F), f)
    return X, f, F


if __name__ == "__main__":
    random = np.random.default_rng(0)
    Y, t = swiss_roll(1000, random)
    start = t + 20 * random.normal(size=t.shape)
    X, f, F = alternate(of_size(0.5, start), of_size(1, Y))
    before, after = (1 - procrustes(t, found)[2] for found in (start, X))
    print(f"share of the sheet recovered: {before:.3f}, then {after:.4f}")
