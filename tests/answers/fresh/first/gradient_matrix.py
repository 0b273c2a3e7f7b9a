"""Fresh answers to `gradient_matrix`."""
import numpy as np
from scipy.spatial.distance import cdist


def gradient_by_equation(X, Y):
    N = len(X)
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B - np.eye(N)) @ Y @ Y.T
    Q = B * (M - (M * B) @ np.ones((N, N)))
    S = Q + Q.T
    return 2 / N * (S - np.diag(S @ np.ones(N))) @ X


def gradient_by_chain_rule(X, Y):
    N = len(X)
    gradient = np.zeros(X.shape)
    for n in range(N):
        k = np.exp(-np.sum((X - X[n]) ** 2, axis=1) / 2)
        k[n] = 0
        b = k / k.sum()
        f = b @ Y
        pull = 2 / N * b * ((Y - f) @ (f - Y[n]))
        for m in range(N):
            gradient[n] -= pull[m] * (X[n] - X[m])
            gradient[m] += pull[m] * (X[n] - X[m])
    return gradient


def gradient_no_diagonal(X, Y):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.where(np.eye(len(X)) == 1, 0.0, np.exp(-0.5 * t))
    B = K / K.sum(axis=0)[:, None]
    M = np.einsum("nd,md->nm", B @ Y - Y, Y)
    Q = B * (M - np.einsum("nm,nm->n", M, B)[:, None])
    S = Q + Q.T
    return (S @ X - S.sum(axis=1)[:, None] * X) * 2.0 / len(X)


def diagonal_kept(X, Y):
    N = len(X)
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - np.sum(M * B, axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / N * (S @ X - S.sum(axis=1, keepdims=True) * X)


def column_sums(X, Y):
    N = len(X)
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2) - np.eye(N)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B - np.eye(N)) @ Y @ Y.T
    Q = B * (M - np.sum(M * B, axis=0))
    S = Q + Q.T
    return 2 / N * (S - np.diag(S.sum(axis=1))) @ X


def one_sided(X, Y):
    N = len(X)
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    K[np.arange(N), np.arange(N)] = 0
    B = K / K.sum(axis=1)[:, None]
    M = (B - np.eye(N)) @ Y @ Y.T
    Q = B * (M - (M * B).sum(axis=1)[:, None])
    return 2 / N * (Q - np.diag(Q.sum(axis=1))) @ X


def other_gram(X, Y):
    N = len(X)
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B - np.eye(N)) @ (Y.T @ Y)
    Q = B * (M - np.sum(M * B, axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / N * (S - np.diag(S.sum(axis=1))) @ X


def no_residuals_half(X, Y):
    N = len(X)
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    M = B @ Y @ Y.T
    Q = B * (M - np.sum(M * B, axis=1, keepdims=True))
    S = Q + Q.T
    return (S @ X - S.sum(axis=1, keepdims=True) * X) / N


def matrix_product_uphill(X, Y):
    N = len(X)
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B - np.eye(N)) @ Y @ Y.T
    Q = B @ (M - (M * B).sum(axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / N * (np.diag(S.sum(axis=1)) - S) @ X


RIGHT = [gradient_by_equation, gradient_by_chain_rule, gradient_no_diagonal]
WRONG = [
    (diagonal_kept, ["forgot to set the diagonal of K to zero, so each point helps itself"]),
    (column_sums, ["subtracts the column sums of M * B instead of the row sums"]),
    (one_sided, ["uses Q alone, without its transpose"]),
    (other_gram, ["multiplies by Y^T Y instead of Y Y^T"]),
    (no_residuals_half, ["forgot to subtract the identity in M, so it uses reconstructions in place of residuals", "divides by N without the factor 2"]),
    (matrix_product_uphill, ["takes the matrix product of P and the bracket instead of multiplying entry by entry", "has the sign of the braces reversed"]),
]
