"""Spectral gradient descent: the whole method on one page.

[SGD] is Memisevic and Hinton, "Improving Dimensionality Reduction with
Spectral Gradient Descent", 2005. A number in brackets is an equation of the
paper. Before each of the first moves, the gradient is filtered by an affinity
of the data, so points that belong together move together, and find an order
from a random start. Data Y (N, d) and latent points X (N, q) have one point
in each row. New points and the way back to the data are those of [UKR].
"""

import numpy as np
from scipy.special import softmax, xlogy


def noisy_helix(N, random):
    """Points on two turns around a tower, figure 3."""
    t = random.uniform(size=N)
    angle = 4 * np.pi * t
    clean = np.column_stack([np.cos(angle), np.sin(angle), 4 * t])
    return clean + 0.1 * random.normal(size=(N, 3)), t


def squared_distances(A, B):
    return np.sum((A[:, None] - B) ** 2, axis=2)


def neighbour_probabilities(Y, h=1.0):
    """P of the data, (1), and Q of latent points, (2)."""
    return softmax(-squared_distances(Y, Y) / h, axis=1)


def sne_error(X, P):
    """E, (3): how far the rows of Q are from those of P."""
    return np.sum(xlogy(P, P / neighbour_probabilities(X))) / len(X)


def sne_gradient(X, P):
    """The gradient of E, (4)."""
    W = P - neighbour_probabilities(X)
    W = W + W.T
    return 2 / len(X) * (W.sum(axis=1, keepdims=True) * X - W @ X)


def left_out_weights(X):
    """The weights of (5), where no point counts for itself."""
    t = squared_distances(X, X)
    np.fill_diagonal(t, np.inf)
    return softmax(-t, axis=1)


def ukr_error(X, Y):
    """E of kernel regression, (6), with each point left out."""
    return np.sum((left_out_weights(X) @ Y - Y) ** 2) / len(X)


def ukr_gradient(X, Y):
    """The gradient of (6): [UKR] (31) and (32), for the kernel of (5)."""
    B = left_out_weights(X)
    M = (B @ Y - Y) @ Y.T
    Q = 2 * B * (M - np.sum(M * B, axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / len(X) * (S @ X - S.sum(axis=1, keepdims=True) * X)


def affinity(Y, h):
    """M, (12): who belongs together."""
    K = np.exp(-squared_distances(Y, Y) / h)
    root = np.sqrt(K.sum(axis=1))
    return K / root[:, None] / root


def guided_gradient(Y, h, G, nu):
    """G, weighted along each eigenvector of M by its eigenvalue, (16)."""
    values, V = np.linalg.eigh(affinity(Y, h))
    values[-1] = 0  # of the eigenvector that moves all points alike
    weights = np.maximum(values, 0) ** nu  # of M to the power of nu, (17)
    return V @ (weights[:, None] / weights.sum() * (V.T @ G))


def stepped(X, G, error, length):
    """X moved along -G, and the step's length, which adapts, section 3.4.

    It is doubled while that lowers the error, and halved until it is no rise.
    """
    unit = G / (np.sqrt(np.mean(G**2)) or 1)
    after = lambda length: error(X - length * unit)
    while after(2 * length) < after(length):
        length *= 2
    while after(length) > error(X):
        length /= 2
    return X - length * unit, length


def descend(X, error, gradient, Y, h=1.0, nu=10, moves=200):
    """The way downhill, guided until nu has fallen to zero."""
    path, length = [X], 0.05
    for k in range(moves):
        G = gradient(path[-1])
        if nu > k:
            G = guided_gradient(Y, h, G, nu - k)
        X, length = stepped(path[-1], G, error, 2 * length)
        path.append(X)
    return path


if __name__ == "__main__":
    random = np.random.default_rng(0)
    Y, t = noisy_helix(300, random)
    start = 0.1 * random.normal(size=(300, 1))
    error, gradient = (lambda X: ukr_error(X, Y)), lambda X: ukr_gradient(X, Y)
    for name, nu in ("plain", 0), ("guided", 10):
        X = descend(start, error, gradient, Y, nu=nu)[-1]
        ranks = np.argsort(np.argsort([X[:, 0], t], axis=1), axis=1)
        order = abs(np.corrcoef(ranks)[0, 1])
        print(f"{name}: error {error(X):.4f}, order recovered {order:.3f}")
