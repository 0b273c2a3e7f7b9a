"""[SGD] in matrices: stochastic neighbour embedding (1)-(4) and the guided gradients (12)-(21).

Y (N, d) holds the data and X (N, q) the latent points, one point per row. Row n of a gradient
(N, q) is the movement ∂E/∂x_n, (13).
"""

import numpy as np

__all__ = [
    "gaussian_kernel",
    "neighbor_probabilities",
    "neighbor_embedding_error",
    "clustering_affinity",
    "kernel_pca_affinity",
    "leading_directions",
    "powers",
    "deflation",
]


# Stochastic neighbour embedding


def gaussian_kernel(Y, h):
    """exp(-|y_i - y_j|² / h) for all pairs: the numerators of (1), and K of (12)."""
    return np.exp(-np.sum((Y[:, None] - Y) ** 2, axis=-1) / h)


def neighbor_probabilities(Y, h=1.0):
    """P (1) of the data; Q (2) of latent points, with h = 1. A point may choose itself."""
    K = gaussian_kernel(Y, h)
    return K / K.sum(axis=1, keepdims=True)  # (1), (2)


def neighbor_embedding_error(X, P):
    """E (3), and its gradient (4)."""
    N, Q = len(X), neighbor_probabilities(X)  # (2)
    error = np.sum(P * np.log(P / Q)) / N  # (3)
    W = P - Q
    W = W + W.T
    gradient = 2 / N * (W.sum(axis=1, keepdims=True) * X - W @ X)  # (4)
    return error, gradient


# Affinities of the data


def clustering_affinity(Y, h):
    """M (12), the kernel matrix divided by the roots of its row sums on both sides."""
    K = gaussian_kernel(Y, h)
    root = np.diag(K.sum(axis=1) ** -0.5)  # D^(-1/2)
    return root @ K @ root  # (12)


def kernel_pca_affinity(Y, h):
    """The centred kernel matrix, (21)."""
    N = len(Y)
    e = np.ones((N, 1)) / np.sqrt(N)
    I = np.eye(N)
    return (I - e @ e.T) @ gaussian_kernel(Y, h) @ (I - e @ e.T)  # (21)


# Guided gradients


def leading_directions(gradient, V_l):
    """The gradient projected on l eigenvectors, the columns of V_l (N, l), (15)."""
    A = V_l.T @ gradient  # (14)
    return V_l @ A  # (15)


def powers(gradient, M, nu):
    """The gradient times an integer power of the affinity, (16) with M of (17)."""
    M = np.linalg.matrix_power(M, nu)
    M = M / np.trace(M)  # (17)
    return M @ gradient  # (16)


def deflation(gradient, M, nu):
    """The simulated power method, (18)-(20): an eigenvector for each latent coordinate.

    Departure: (19) as printed subtracts a number. It needs the outer product g gᵀ, divided by the
    squared length of g because g is not a unit vector.
    """
    columns = []
    for g in gradient.T:
        g = np.linalg.matrix_power(M, nu) @ g  # (18)
        eigenvalue = g @ M @ g / (g @ g)  # (20)
        M = M - eigenvalue * np.outer(g, g) / (g @ g)  # (19)
        columns.append(g)
    return np.column_stack(columns)
