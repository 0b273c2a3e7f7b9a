"""Fresh answers to `gradient_by_points`."""
import numpy as np


def loops_right(X, Y, B):
    N = len(X)
    Q = np.zeros((N, N))
    for n in range(N):
        f = sum(B[n, m] * Y[m] for m in range(N))
        M = np.array([np.dot(f - Y[n], Y[m]) for m in range(N)])
        mean = np.dot(M, B[n])
        for m in range(N):
            Q[n, m] = B[n, m] * (M[m] - mean)
    gradient = np.zeros(X.shape)
    for j in range(N):
        for m in range(N):
            gradient[j] += (X[m] - X[j]) * (Q[j, m] + Q[m, j])
    return gradient * 2 / N, Q


def vectorised_right(X, Y, B):
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - np.sum(M * B, axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / len(X) * (S @ X - S.sum(axis=1)[:, None] * X), Q


def einsum_right(X, Y, B):
    residual = np.einsum("nm,md->nd", B, Y) - Y
    M = np.einsum("nd,md->nm", residual, Y)
    centred = M - np.einsum("nl,nl->n", M, B)[:, None]
    Q = np.multiply(B, centred)
    differences = X[None, :, :] - X[:, None, :]
    return np.einsum("jmq,jm->jq", differences, Q + Q.T) * (2.0 / X.shape[0]), Q


def adds_transpose_in_place(X, Y, B):
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1)[:, None])
    S = Q
    S += Q.T.copy()
    G = np.zeros(X.shape)
    for j in range(len(X)):
        G[j] = S[j] @ (X - X[j])
    return 2 / len(X) * G, Q


def each_pair_once(X, Y, B):
    N = len(X)
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1, keepdims=True))
    G = np.zeros(X.shape)
    for j in range(N):
        for m in range(j + 1, N):
            G[j] += 2 / N * (X[m] - X[j]) * (Q[j, m] + Q[m, j])
    return G, Q


def matlab_length(X, Y, B):
    Q = np.zeros(B.shape)
    F = B @ Y
    for n in range(len(Y)):
        M = Y @ (F[n] - Y[n])
        Q[n] = B[n] * (M - M @ B[n])
    S = Q + Q.T
    return 2 / X.size * (S @ X - np.diag(S.sum(axis=1)) @ X), Q


def missing_transpose(X, Y, B):
    N = len(Y)
    Q = np.zeros((N, N))
    for n in range(N):
        r = B[n] @ Y - Y[n]
        M = r @ Y
        Q[n] = B[n] * (M - B[n] @ M)
    G = np.zeros(X.shape)
    for j in range(N):
        G[j] = 2 / N * (Q[j] + Q[:, j]) @ (X - X[j])
    return G, Q


def own_data_and_plain_mean(X, Y, B):
    N = len(X)
    F = B @ Y
    M = np.array([[(F[n] - Y[n]) @ Y[m] for m in range(N)] for n in range(N)])
    Q = B * (M - M.mean(axis=1)[:, None])
    G = np.zeros(X.shape)
    for j in range(N):
        for m in range(N):
            G[j] += (X[m] - X[j]) * (Q[j, m] - Q[m, j])
    return 2 * G / N, Q


def one_sided_products(X, Y, B):
    F = B @ Y
    M = (F - Y) @ F.T
    Q = B * (M - np.sum(M * B, axis=1)[:, None])
    G = np.array([2 / len(X) * Q[j] @ (X - X[j]) for j in range(len(X))])
    return G, Q


RIGHT = [loops_right, vectorised_right, einsum_right]
WRONG = [
    (adds_transpose_in_place, ["adds the transpose to Q in place (S is the same array), so the returned Q is Q + Q^T"]),
    (each_pair_once, ["counts every pair once: visits only the points after j, so the pair does not act on its other end"]),
    (matlab_length, ["divides by the number of entries of X, N times q, instead of the number of points"]),
    (missing_transpose, ["multiplies the residual by Y instead of its transpose: one sum per column of the data, not one product per point"]),
    (own_data_and_plain_mean, ["subtracts the plain mean of the row of M instead of the one weighted by B", "takes the difference of Q and its transpose instead of the sum"]),
    (one_sided_products, ["multiplies the residuals with the rebuilt points f_m instead of the data y_m", "forgets Q_mj: counts only what point j's own row says"]),
]
