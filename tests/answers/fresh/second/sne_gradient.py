"""Fresh answers to `sne_gradient`."""
import numpy as np
from scipy.spatial.distance import cdist


def right_matrix(X, P):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2))
    Q = K / K.sum(axis=1, keepdims=True)
    W = P + P.T - Q - Q.T
    return 2 / len(X) * (W.sum(axis=1, keepdims=True) * X - W @ X)


def right_two_loops(X, P):
    N = len(X)
    Q = []
    for i in range(N):
        k = [np.exp(-np.dot(X[i] - X[j], X[i] - X[j])) for j in range(N)]
        Q.append([value / sum(k) for value in k])
    gradient = np.zeros(X.shape)
    for l in range(N):
        for i in range(N):
            force = P[i, l] + P[l, i] - Q[l][i] - Q[i][l]
            gradient[l] += 2 / N * force * (X[l] - X[i])
    return gradient


def right_einsum_of_differences(X, P):
    e = np.exp(-cdist(X, X, "sqeuclidean"))
    D = P - e / e.sum(axis=1)[:, None]
    difference = X[:, None, :] - X[None, :, :]
    return (np.einsum("li,liq->lq", D, difference) + np.einsum("il,liq->lq", D, difference)) * 2 / X.shape[0]


def one_sum_for_all(X, P):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2))
    Q = K / np.sum(K)
    W = P + P.T - Q - Q.T
    return 2 / len(X) * (W.sum(axis=1)[:, None] * X - W @ X)


def choices_changed(X, P):
    N = len(X)
    K = np.exp(-cdist(X, X) ** 2)
    Q = K / K.sum(axis=1, keepdims=True)
    P += P.T
    P -= Q + Q.T
    gradient = 2 / N * (np.diag(P.sum(axis=1)) - P) @ X
    return gradient


def half_symmetrised(X, P):
    N = len(X)
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2))
    Q = K / K.sum(axis=1, keepdims=True)
    sym = (P + P.T) / 2
    gradient = np.zeros_like(X, dtype=float)
    for l in range(N):
        gradient[l] = 2 / N * ((sym[l] - Q[l] - Q[:, l]) @ (X[l] - X))
    return gradient


def row_sums_along_columns(X, P):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2))
    Q = K / K.sum(axis=1, keepdims=True)
    W = P + P.T - Q - Q.T
    gradient = 2 / len(X) * (W.sum(axis=1) * X - W @ X)
    return gradient


def as_in_tsne(X, P):
    t = 1 / (1 + cdist(X, X, "sqeuclidean"))
    Q = t / t.sum(axis=1, keepdims=True)
    W = P + P.T - Q - Q.T
    return 4 / len(X) * (W.sum(axis=1)[:, None] * X - W @ X)


def own_choice_forbidden_one_way(X, P):
    N = len(X)
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2))
    np.fill_diagonal(K, 0)
    Q = K / K.sum(axis=1, keepdims=True)
    W = 2 * (P - Q)
    return 2 / N * (W.sum(axis=1, keepdims=True) * X - W @ X)


RIGHT = [right_matrix, right_two_loops, right_einsum_of_differences]
WRONG = [
    (one_sum_for_all, ["divides the kernel by the sum over all pairs instead of each row by its own sum"]),
    (choices_changed, ["changes the caller's P in place"]),
    (half_symmetrised, ["uses the mean of P and its transpose instead of their sum"]),
    (row_sums_along_columns, ["multiplies the (N,) row sums with (N, q) without a new axis (raises unless q is 1 or N; wrong shape for q = 1)"]),
    (as_in_tsne, ["uses the heavy-tailed kernel 1/(1 + d²) of t-SNE instead of the Gaussian", "puts the factor 4 of t-SNE in place of 2"]),
    (own_choice_forbidden_one_way, ["forbids a point to choose itself (zero diagonal)", "takes 2(P - Q) instead of adding the transposes"]),
]
