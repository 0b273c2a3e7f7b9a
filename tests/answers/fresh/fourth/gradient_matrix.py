"""Fresh answers to `gradient_matrix`."""
import numpy as np
from scipy.spatial.distance import cdist


def right_matrices(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / len(X) * (S @ X - S.sum(axis=1, keepdims=True) * X)


def right_literal(X, Y):
    N = len(X)
    one = np.ones((N, 1))
    t = np.array([[np.sum((a - b) ** 2) for b in X] for a in X])
    K = np.exp(-t / 2) * (1 - np.eye(N))
    B = K / (K @ one)
    M = (B - np.eye(N)) @ Y @ Y.T
    Q = B * (M - (M * B) @ one @ one.T)
    S = Q + Q.T
    return 2 / N * (S - np.diag((S @ one)[:, 0])) @ X


def right_pairs(X, Y):
    N = len(X)
    diff = X[None] - X[:, None]
    t = np.einsum("nmq,nmq->nm", diff, diff)
    t[np.arange(N), np.arange(N)] = np.inf
    B = np.exp(-(t - t.min(axis=1)[:, None]) / 2)
    B /= B.sum(axis=1)[:, None]
    F = B @ Y
    # M_nm - sum_l B_nl M_nl = (f_n - y_n) . (y_m - f_n)
    M = np.einsum("nd,nmd->nm", F - Y, Y[None] - F[:, None])
    Q = B * M
    return 2 / N * np.einsum("nm,nmq->nq", Q + Q.T, diff)


def subtracts_one_everywhere(X, Y):
    K = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(-1))
    np.fill_diagonal(K, 0)
    B = K / K.sum(1)[:, None]
    M = (B - 1) @ Y @ Y.T
    Q = B * (M - (M * B).sum(1)[:, None])
    S = Q + Q.T
    return 2 / len(X) * (S @ X - S.sum(1)[:, None] * X)


def star_as_matrix_product(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B - np.eye(len(X))) @ Y @ Y.T
    Q = B @ (M - (M * B).sum(axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / len(X) * (S - np.diag(S.sum(axis=1))) @ X


def diag_of_a_column(X, Y):
    N = len(X)
    K = np.exp(-cdist(X, X) ** 2 / 2) - np.eye(N)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B - np.eye(N)) @ Y @ Y.T
    Q = B * (M - np.sum(M * B, axis=1, keepdims=True))
    A = Q + Q.T
    A = A - np.diag(A.sum(axis=1, keepdims=True))
    return (2 / N) * (A @ X)


def keeps_itself(X, Y):
    t = np.sum((X[:, None] - X[None]) ** 2, axis=2)
    K = np.exp(-t / 2)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / len(X) * (S @ X - S.sum(axis=1, keepdims=True) * X)


def wrong_residual_and_diagonal_forgotten(X, Y):
    N = len(X)
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    M = (Y - B @ Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1, keepdims=True))
    return 2 / N * (Q + Q.T) @ X


def no_half_and_only_Q(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean"))
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1, keepdims=True))
    return 2 / len(X) * (Q @ X - Q.sum(axis=1, keepdims=True) * X)


RIGHT = [right_matrices, right_literal, right_pairs]
WRONG = [
    (subtracts_one_everywhere, ["writes B - 1, which subtracts one from every entry, instead of the identity matrix B - I"]),
    (star_as_matrix_product, ["takes the star P * [...] as a matrix product instead of entry by entry"]),
    (diag_of_a_column, ["gives np.diag a column of shape (N, 1), which returns only its first entry instead of a diagonal matrix of the row sums"]),
    (keeps_itself, ["does not set the diagonal of K to zero: no point is left out of its own reconstruction"]),
    (wrong_residual_and_diagonal_forgotten, ["residual with the wrong sign: (I - B) Y instead of (B - I) Y", "forgot the term with diag([Q + Q^T] 1)"]),
    (no_half_and_only_Q, ["forgot the factor 1/2 in the kernel", "uses Q alone instead of Q + Q^T"]),
]
