"""Fresh answers to `gradient_matrix`."""
import numpy as np
from scipy.spatial.distance import pdist, squareform


def gradient_literal(X, Y):
    N = len(X)
    K = squareform(np.exp(-pdist(X, "sqeuclidean") / 2))
    B = K / K.sum(axis=1, keepdims=True)
    one = np.ones((N, 1))
    M = (B - np.eye(N)) @ Y @ Y.T
    Q = B * (M - (M * B) @ one @ one.T)
    S = Q + Q.T
    return 2 / N * (S - np.diag((S @ one)[:, 0])) @ X


def gradient_short(X, Y):
    t = ((X[:, None] - X) ** 2).sum(axis=2)
    K = np.exp(-t / 2)
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / len(X) * (S @ X - S.sum(axis=1, keepdims=True) * X)


def gradient_pair_by_pair(X, Y):
    N = len(X)
    G = np.zeros(X.shape)
    for n in range(N):
        k = np.exp(-0.5 * np.sum((X - X[n]) ** 2, axis=1))
        k[n] = 0.0
        b = k / k.sum()
        f = b @ Y
        for m in range(N):
            force = b[m] * np.dot(Y[n] - f, Y[m] - f) * (X[n] - X[m])
            G[n] += force
            G[m] -= force
    return 2.0 * G / N


def gradient_uphill(X, Y):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.exp(-t / 2) * (1 - np.eye(len(X)))
    B = K / K.sum(axis=1, keepdims=True)
    M = (Y - B @ Y) @ Y.T
    Q = B * (M - np.sum(M * B, axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / len(X) * (S @ X - S.sum(axis=1, keepdims=True) * X)


def gradient_one_sided(X, Y):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.exp(-t / 2)
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - np.sum(M * B, axis=1, keepdims=True))
    return 2 / len(X) * (Q @ X - Q.sum(axis=1, keepdims=True) * X)


def gradient_everyone(X, Y):
    N = len(X)
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.exp(-t / 2)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B - np.eye(N)) @ (Y @ Y.T)
    Q = B * (M - np.sum(M * B, axis=1)[:, None])
    S = Q + Q.T
    return 2 / N * (S - np.diag(S.sum(axis=1))) @ X


def gradient_flat_sums(X, Y):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.exp(-t / 2)
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - np.sum(M * B, axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / len(X) * (S @ X - S.sum(axis=1) * X)


def gradient_matmul(X, Y):
    N = len(X)
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.exp(-t / 2)
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M @ B).sum(axis=1, keepdims=True))
    S = Q + Q.T
    return 1 / N * (S @ X - S.sum(axis=1, keepdims=True) * X)


def gradient_no_diag(X, Y):
    N = len(X)
    d2 = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.exp(-0.5 * d2) - np.eye(N)
    B = K / K.sum(axis=0)
    M = (B - np.eye(N)) @ Y @ Y.T
    Q = B * (M - np.outer((M * B).sum(axis=1), np.ones(N)))
    return 2 / N * (Q + Q.T) @ X


RIGHT = [gradient_literal, gradient_short, gradient_pair_by_pair]
WRONG = [
    (gradient_uphill, ["takes Y - BY instead of BY - Y in M, so the gradient has the wrong sign"]),
    (gradient_one_sided, ["uses Q alone, forgot to add its transpose"]),
    (gradient_everyone, ["keeps the diagonal of K, so points help to rebuild themselves"]),
    (gradient_flat_sums, ["multiplies X by the row sums (N,) without making them a column"]),
    (gradient_matmul, ["multiplies M and B as matrices instead of entry by entry", "has 1/N in front instead of 2/N"]),
    (gradient_no_diag, ["divides the columns of K by their sums instead of the rows", "forgot the diagonal matrix of the row sums in the final formula"]),
]
