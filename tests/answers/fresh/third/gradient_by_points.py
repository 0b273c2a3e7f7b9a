"""Fresh answers to `gradient_by_points`."""
import numpy as np


def q_with_loops(Y, B):
    N = len(Y)
    Q = np.zeros((N, N))
    for n in range(N):
        residual = B[n] @ Y - Y[n]
        products = Y @ residual
        mean = products @ B[n]
        for m in range(N):
            Q[n, m] = B[n, m] * (products[m] - mean)
    return Q


def all_loops(X, Y, B):
    Q = q_with_loops(Y, B)
    N = len(X)
    gradient = np.zeros(X.shape)
    for j in range(N):
        for m in range(N):
            gradient[j] += (X[m] - X[j]) * (Q[j, m] + Q[m, j])
    return 2 * gradient / N, Q


def laplacian_form(X, Y, B):
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - np.sum(M * B, axis=1, keepdims=True))
    S = Q + Q.T
    return (S @ X - S.sum(axis=1)[:, None] * X) * (2 / X.shape[0]), Q


def einstein(X, Y, B):
    r = np.einsum("nm,md->nd", B, Y) - Y
    M = np.einsum("nd,md->nm", r, Y)
    Q = B * M - B * np.einsum("nl,nl->n", M, B)[:, None]
    differences = X[None, :, :] - X[:, None, :]
    gradient = np.einsum("jmq,jm->jq", differences, Q) + np.einsum("jmq,mj->jq", differences, Q)
    return 2.0 * gradient / len(X), Q


def residual_the_other_way(X, Y, B):
    M = (Y - B @ Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1)[:, None])
    g = np.zeros(X.shape)
    for j in range(len(X)):
        for m in range(len(X)):
            g[j] += (X[m] - X[j]) * (Q[j, m] + Q[m, j])
    return 2 / len(X) * g, Q


def one_direction(X, Y, B):
    Q = q_with_loops(Y, B)
    gradient = np.zeros(X.shape)
    for j in range(len(X)):
        gradient[j] = 2 / len(X) * (Q[j] @ (X - X[j]))
    return gradient, Q


def mean_falls_on_columns(X, Y, B):
    f = B @ Y
    M = (f - Y) @ Y.T
    Q = B * (M - np.sum(M * B, axis=1))
    S = Q + Q.T
    return 2 / len(X) * (S @ X - np.diag(S.sum(axis=1)) @ X), Q


def unweighted_mean(X, Y, B):
    N = len(Y)
    Q = np.zeros((N, N))
    for n in range(N):
        M_n = Y @ (B[n] @ Y - Y[n])
        Q[n] = B[n] * (M_n - np.mean(M_n))
    S = Q + Q.T
    gradient = np.zeros(X.shape)
    for j in range(N):
        gradient[j] = 2 / N * sum(S[j, m] * (X[m] - X[j]) for m in range(N))
    return gradient, Q


def backwards_and_no_p(X, Y, B):
    M = (B @ Y - Y) @ Y.T
    Q = M - (M * B).sum(axis=1, keepdims=True)
    gradient = np.zeros(X.shape)
    for j in range(len(X)):
        for m in range(len(X)):
            gradient[j] += (X[j] - X[m]) * (Q[j, m] + Q[m, j])
    return 2 / len(X) * gradient, Q


def images_and_lost_two(X, Y, B):
    f = B @ Y
    M = (f - Y) @ f.T
    Q = B * (M - (M * B).sum(axis=1, keepdims=True))
    diff = X[None] - X[:, None]
    return np.sum(diff * (Q + Q.T)[:, :, None], axis=1) / len(X), Q


RIGHT = [all_loops, laplacian_form, einstein]
WRONG = [
    (residual_the_other_way, ["the residual has the wrong sign, y - f instead of f - y"]),
    (one_direction, ["takes only Q[j, m] and forgets Q[m, j] in the gradient"]),
    (mean_falls_on_columns, ["subtracts the weighted mean of row m from column m (no keepdims) instead of that of row n"]),
    (unweighted_mean, ["subtracts the plain mean of M instead of the mean weighted by B"]),
    (backwards_and_no_p, ["takes the difference x_j - x_m instead of x_m - x_j", "forgot to multiply Q by P = B"]),
    (images_and_lost_two, ["multiplies the residual by f_m instead of y_m in M", "forgot the factor 2 in front of the sum"]),
]
