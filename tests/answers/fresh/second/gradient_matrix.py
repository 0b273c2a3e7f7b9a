"""Fresh answers to `gradient_matrix`."""
import numpy as np
from scipy.spatial.distance import cdist


def right_no_diagonal_matrix(X, Y):
    K = np.exp(-0.5 * np.sum((X[:, None] - X) ** 2, axis=2))
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / len(X) * (S @ X - S.sum(axis=1)[:, None] * X)


def right_literal(X, Y):
    N = X.shape[0]
    one = np.ones((N, 1))
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2) * (1 - np.eye(N))
    B = np.diag(1 / (K @ one)[:, 0]) @ K
    M = (B - np.eye(N)) @ Y @ Y.T
    Q = B * (M - (M * B) @ one @ one.T)
    L = Q + Q.T - np.diag(((Q + Q.T) @ one)[:, 0])
    return 2 / N * L @ X


def right_loops_centred_data(X, Y):
    N = len(X)
    Yc = Y - Y.mean(axis=0)
    Q = np.zeros((N, N))
    for n in range(N):
        k = np.exp(-np.sum((X - X[n]) ** 2, axis=1) / 2)
        k[n] = 0
        b = k / k.sum()
        m = Yc @ (b @ Yc - Yc[n])
        Q[n] = b * (m - b @ m)
    grad = np.zeros(X.shape)
    for n in range(N):
        for l in range(N):
            grad[n] += (Q[n, l] + Q[l, n]) * (X[l] - X[n])
    return 2 * grad / N


def bracket_forgotten(X, Y):
    N = len(X)
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    K -= np.eye(N)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B - np.eye(N)) @ Y @ Y.T
    Q = B * M - np.sum(M * B, axis=1, keepdims=True)
    S = Q + Q.T
    return 2 / N * (S - np.diag(S.sum(axis=1))) @ X


def diag_of_the_matrix(X, Y):
    N = len(X)
    K = np.exp(-cdist(X, X) ** 2 / 2)
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1)[:, None]
    M = (B - np.eye(N)) @ Y @ Y.T
    Q = B * (M - np.outer((M * B).sum(1), np.ones(N)))
    S = Q + Q.T
    return (2 / N) * (S - np.diag(np.diag(S))) @ X


def diagonal_removed_afterwards(X, Y):
    N = len(X)
    K = np.exp(-0.5 * np.sum((X[:, None] - X) ** 2, axis=2))
    B = K / K.sum(axis=1, keepdims=True)
    np.fill_diagonal(B, 0)
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / N * (S @ X - S.sum(axis=1, keepdims=True) * X)


def covariance_of_columns(X, Y):
    N = len(X)
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    G = Y.T @ Y
    M = (B - np.eye(N)) @ G
    Q = B * (M - np.sum(M * B, axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / N * (S @ X - S.sum(axis=1, keepdims=True) * X)


def twice_q_and_size(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    np.fill_diagonal(K, 0.0)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1, keepdims=True))
    S = 2 * Q
    return 2 / X.size * (S @ X - S.sum(axis=1, keepdims=True) * X)


def kernel_as_p_and_rebuilt_twice(X, Y):
    N = len(X)
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    F = B @ Y
    M = (F - Y) @ F.T
    Q = K * (M - (M * B).sum(axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / N * (S @ X - S.sum(axis=1, keepdims=True) * X)


RIGHT = [right_no_diagonal_matrix, right_literal, right_loops_centred_data]
WRONG = [
    (bracket_forgotten, ["forgets the bracket of (31): multiplies only M by P, and not the row sums of M * B"]),
    (diag_of_the_matrix, ["subtracts the diagonal of Q + Q^T instead of the diagonal matrix of its row sums"]),
    (diagonal_removed_afterwards, ["sets the diagonal to zero after the rows have been normalised, so the rows of B do not sum to one"]),
    (covariance_of_columns, ["multiplies by Y^T Y instead of Y Y^T (raises unless d = N)"]),
    (twice_q_and_size, ["uses 2Q instead of Q + Q^T", "divides by N·q (X.size) instead of N"]),
    (kernel_as_p_and_rebuilt_twice, ["uses K, not divided by its row sums, as P", "multiplies the residuals by the reconstructions instead of the data in M"]),
]
