"""Fresh answers to `gradient_by_points`."""
import numpy as np


def all_loops(X, Y, B):
    N = len(X)
    Q = np.zeros((N, N))
    for n in range(N):
        residual = sum(B[n, m] * Y[m] for m in range(N)) - Y[n]
        M = [float(residual @ Y[m]) for m in range(N)]
        mean = sum(M[l] * B[n, l] for l in range(N))
        for m in range(N):
            Q[n, m] = B[n, m] * (M[m] - mean)
    gradient = np.zeros((N, X.shape[1]))
    for j in range(N):
        for m in range(N):
            gradient[j] += (X[m] - X[j]) * (Q[j, m] + Q[m, j])
    return 2 / N * gradient, Q


def matrices(X, Y, B):
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1, keepdims=True))
    S = Q + Q.T
    gradient = S @ X - S.sum(axis=1)[:, None] * X
    return gradient * 2 / len(X), Q


def einsums(X, Y, B):
    r = np.einsum("nm,md->nd", B, Y) - Y
    M = np.einsum("nd,md->nm", r, Y)
    Q = B * (M - np.einsum("nl,nl->n", M, B)[:, None])
    diff = X[None, :, :] - X[:, None, :]
    gradient = np.einsum("jmq,jm->jq", diff, Q) + np.einsum("jmq,mj->jq", diff, Q)
    return 2.0 * gradient / X.shape[0], Q


def one_direction(X, Y, B):
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - np.sum(M * B, axis=1)[:, None])
    gradient = np.zeros(X.shape)
    for j in range(len(X)):
        for m in range(len(X)):
            gradient[j] += (X[m] - X[j]) * Q[j, m]
    return 2 * gradient / len(X), Q


def plain_mean(X, Y, B):
    N = len(X)
    Q = np.zeros(B.shape)
    for n in range(N):
        r = B[n] @ Y - Y[n]
        M = Y @ r
        Q[n] = B[n] * (M - M.mean())
    S = Q + Q.T
    gradient = np.array([2 / N * (S[j] @ (X - X[j])) for j in range(N)])
    return gradient, Q


def column_of_B(X, Y, B):
    f = B @ Y
    M = (f - Y) @ Y.T
    Q = np.zeros_like(B)
    for n in range(len(Y)):
        Q[n] = B[n] * (M[n] - M[n] @ B[:, n])
    diff = X[None] - X[:, None]
    gradient = 2 / len(X) * np.sum(diff * (Q + Q.T)[:, :, None], axis=1)
    return gradient, Q


def like_Y(X, Y, B):
    N = len(X)
    residual = B @ Y - Y
    Q = np.zeros((N, N))
    for n in range(N):
        M = Y @ residual[n]
        Q[n] = B[n] * (M - B[n] @ M)
    gradient = np.zeros(Y.shape)
    for j in range(N):
        for m in range(N):
            gradient[j] += (X[m] - X[j]) * (Q[j, m] + Q[m, j])
    return gradient * 2 / N, Q


def transposed_and_one_over_N(X, Y, B):
    M = (B.T @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1)[:, None])
    S = Q + Q.T
    gradient = (S @ X - S.sum(axis=1)[:, None] * X) / len(X)
    return gradient, Q


def no_P_no_N(X, Y, B):
    Q = np.zeros(B.shape)
    f = B @ Y
    for n in range(len(Y)):
        products = (f[n] - Y[n]) @ Y.T
        Q[n] = products - np.dot(products, B[n])
    gradient = np.zeros(X.shape)
    for j, xj in enumerate(X):
        for m, xm in enumerate(X):
            gradient[j] += 2 * (xm - xj) * (Q[j, m] + Q[m, j])
    return gradient, Q


RIGHT = [all_loops, matrices, einsums]
WRONG = [
    (one_direction, ["adds only Q[j, m] and forgets Q[m, j], the other direction of the pair"]),
    (plain_mean, ["subtracts the plain mean of the row of M instead of the mean weighted by B"]),
    (column_of_B, ["weights the mean of M by the column of B instead of by its row"]),
    (like_Y, ["makes the gradient with the shape of Y instead of X"]),
    (transposed_and_one_over_N, ["rebuilds the points with the transpose of B", "forgot the factor 2 before the sum"]),
    (no_P_no_N, ["forgot the factor P = B in Q", "does not divide the gradient by N"]),
]
