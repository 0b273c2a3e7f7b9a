"""Fresh answers to `sne_gradient`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax


def right_matrix(X, P):
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    Q = K / K.sum(axis=1, keepdims=True)
    W = P + P.T - Q - Q.T
    return 2 / len(X) * (W.sum(axis=1, keepdims=True) * X - W @ X)


def right_loops(X, P):
    N = len(X)
    Q = np.zeros((N, N))
    for i in range(N):
        for j in range(N):
            Q[i, j] = np.exp(-np.sum((X[i] - X[j]) ** 2))
        Q[i] /= sum(Q[i])
    gradient = np.zeros(X.shape)
    for l in range(N):
        for i in range(N):
            gradient[l] += (P[i, l] + P[l, i] - Q[l, i] - Q[i, l]) * (X[l] - X[i])
    return gradient * 2 / N


def right_einsum(X, P):
    A = P - softmax(-cdist(X, X, "sqeuclidean"), axis=1)
    diff = X[:, None] - X[None]
    return np.einsum("li,liq->lq", A + A.T, diff) * (2 / X.shape[0])


def row_sums_not_a_column(X, P):
    K = np.exp(-cdist(X, X, "sqeuclidean"))
    Q = K / K.sum(axis=1, keepdims=True)
    W = P + P.T - Q - Q.T
    gradient = 2 / len(X) * (W.sum(axis=1) * X - W @ X)
    return gradient


def takes_them_as_symmetric(X, P):
    N = len(X)
    K = np.exp(-cdist(X, X, "sqeuclidean"))
    Q = K / K.sum(axis=1)[:, None]
    gradient = np.zeros(X.shape)
    for l in range(N):
        gradient[l] = 4 / N * np.sum((P[l] - Q[l])[:, None] * (X[l] - X), axis=0)
    return gradient


def nobody_chooses_itself(X, P):
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1))
    np.fill_diagonal(K, 0)
    Q = K / K.sum(axis=1, keepdims=True)
    W = P + P.T - Q - Q.T
    return (W.sum(axis=1)[:, None] * X - W @ X) * 2 / len(X)


def gaussian_with_a_half(X, P):
    Q = softmax(-0.5 * cdist(X, X, "sqeuclidean"), axis=1)
    W = (P + P.T) - (Q + Q.T)
    return 2 / len(X) * (np.diag(W.sum(axis=1)) - W) @ X


def one_sum_for_all_and_no_2(X, P):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2))
    Q = K / K.sum()
    W = P + P.T - Q - Q.T
    gradient = np.zeros_like(X)
    for l in range(len(X)):
        for i in range(len(X)):
            gradient[l] += W[l, i] * (X[l] - X[i])
    return gradient / len(X)


def no_N_and_no_own_part(X, P):
    K = np.exp(-cdist(X, X, "sqeuclidean"))
    Q = K / K.sum(axis=1, keepdims=True)
    W = P + P.T - Q - Q.T
    gradient = -2 * W @ X
    return gradient


RIGHT = [right_matrix, right_loops, right_einsum]
WRONG = [
    (row_sums_not_a_column, ["multiplies the row sums of shape (N,) with X without making them a column (broadcasting error for two or more latent coordinates)"]),
    (takes_them_as_symmetric, ["takes P and Q as symmetric: uses 2 (P_li - Q_li) instead of P_il + P_li - Q_li - Q_il"]),
    (nobody_chooses_itself, ["leaves k = i out of the sum in Q, although a point may choose itself"]),
    (gaussian_with_a_half, ["adds a factor 1/2 in the exponent of the kernel, which SNE does not have"]),
    (one_sum_for_all_and_no_2, ["divides by the sum of all kernel values instead of the sum of each row", "forgot the 2 in the factor 2/N"]),
    (no_N_and_no_own_part, ["forgot to divide by N", "forgot the part with x_l: sums only the products of the brackets with the x_i"]),
]
