"""Fresh answers to `gradient_by_points`."""
import numpy as np


def right_loops(X, Y, B):
    N = len(X)
    Q = np.zeros(B.shape)
    for n in range(N):
        residual = B[n] @ Y - Y[n]
        M = [residual @ Y[m] for m in range(N)]
        mean = sum(B[n, l] * M[l] for l in range(N))
        for m in range(N):
            Q[n, m] = B[n, m] * (M[m] - mean)
    gradient = np.zeros(X.shape)
    for j in range(N):
        for m in range(N):
            gradient[j] += 2 / N * (X[m] - X[j]) * (Q[j, m] + Q[m, j])
    return gradient, Q


def right_matrices(X, Y, B):
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / len(X) * (S @ X - S.sum(axis=1)[:, None] * X), Q


def right_einsum(X, Y, B):
    E = np.einsum("nm,md->nd", B, Y) - Y
    M = np.einsum("nd,md->nm", E, Y)
    Q = B * (M - np.einsum("nl,nl->n", M, B)[:, None])
    diff = X[None, :, :] - X[:, None, :]
    return np.einsum("jmq,jm->jq", diff, Q + Q.T) * 2.0 / X.shape[0], Q


def difference_the_wrong_way(X, Y, B):
    N = len(X)
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - np.sum(M * B, axis=1)[:, None])
    gradient = np.zeros(X.shape)
    for j in range(N):
        for m in range(N):
            gradient[j] += (X[j] - X[m]) * (Q[j, m] + Q[m, j])
    return 2 / N * gradient, Q


def residual_times_residual(X, Y, B):
    N = len(X)
    E = B @ Y - Y
    Q = np.zeros((N, N))
    for n in range(N):
        M = np.array([E[n] @ E[m] for m in range(N)])
        Q[n] = B[n] * (M - M @ B[n])
    S = Q + Q.T
    gradient = np.array([(S[j][:, None] * (X - X[j])).sum(axis=0) for j in range(N)]) * 2 / N
    return gradient, Q


def mean_over_the_column(X, Y, B):
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - np.sum(M * B, axis=0))
    diff = X[None] - X[:, None]
    gradient = 2 / len(X) * np.sum(diff * (Q + Q.T)[:, :, None], axis=1)
    return gradient, Q


def gradient_in_data_space(X, Y, B):
    N = Y.shape[0]
    M = np.dot(B @ Y - Y, Y.T)
    Q = B * (M - np.sum(M * B, axis=1, keepdims=True))
    gradient = np.zeros(Y.shape)
    for j in range(N):
        for m in range(N):
            gradient[j] += (X[m] - X[j]) * (Q[j, m] + Q[m, j])
    return gradient * 2 / N, Q


def one_direction_one_over_N(X, Y, B):
    N = len(X)
    Q = np.zeros(B.shape)
    for n in range(N):
        r = B[n] @ Y - Y[n]
        M = Y @ r
        Q[n] = B[n] * (M - B[n] @ M)
    gradient = np.zeros(X.shape)
    for j in range(N):
        for m in range(N):
            gradient[j] += (X[m] - X[j]) * Q[m, j]
    return gradient / N, Q


def plain_mean_no_N(X, Y, B):
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - M.mean(axis=1, keepdims=True))
    S = Q + Q.T
    gradient = 2 * (S @ X - np.diag(S.sum(axis=1)) @ X)
    return gradient, Q


RIGHT = [right_loops, right_matrices, right_einsum]
WRONG = [
    (difference_the_wrong_way, ["takes the difference x_j - x_m instead of x_m - x_j in (29)"]),
    (residual_times_residual, ["multiplies the residual of n with the residual of m instead of the data point y_m in (24)"]),
    (mean_over_the_column, ["subtracts the weighted sums of the columns of M*B instead of the rows"]),
    (gradient_in_data_space, ["makes the gradient with the shape of the data Y instead of the latent points X (shape error when q and d differ)"]),
    (one_direction_one_over_N, ["adds only Q_mj, not Q_jm + Q_mj", "forgot the 2 in the factor 2/N"]),
    (plain_mean_no_N, ["subtracts the plain mean of each row of M instead of the mean weighted by B", "forgot to divide by N"]),
]
