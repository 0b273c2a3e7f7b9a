"""Fresh answers to `sne_gradient`."""
import numpy as np
from scipy.spatial.distance import pdist, squareform


def sne_matrices(X, P):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2))
    Q = K / K.sum(axis=1, keepdims=True)
    W = P + P.T - Q - Q.T
    return 2 / len(X) * (W.sum(axis=1)[:, None] * X - W @ X)


def sne_loops(X, P):
    N = len(X)
    Q = np.zeros((N, N))
    for i in range(N):
        for j in range(N):
            Q[i, j] = np.exp(-np.sum((X[i] - X[j]) ** 2))
        Q[i] /= Q[i].sum()
    gradient = np.zeros((N, X.shape[1]))
    for l in range(N):
        for i in range(N):
            gradient[l] += (P[i, l] + P[l, i] - Q[l, i] - Q[i, l]) * (X[l] - X[i])
    return gradient * 2 / N


def sne_einsum(X, P):
    K = np.eye(len(X)) + squareform(np.exp(-pdist(X, "sqeuclidean")))
    D = P - K / K.sum(1)[:, None]
    away = X[:, None, :] - X[None, :, :]
    return np.einsum("li,liq->lq", D + D.T, away) * (2.0 / X.shape[0])


def sne_no_self(X, P):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2))
    np.fill_diagonal(K, 0)
    Q = K / K.sum(axis=1, keepdims=True)
    W = P + P.T - Q - Q.T
    return 2 / len(X) * (W.sum(axis=1, keepdims=True) * X - W @ X)


def sne_all_pairs_one(X, P):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2))
    Q = K / K.sum()
    W = P + P.T - Q - Q.T
    return 2 / len(X) * (W.sum(axis=1, keepdims=True) * X - W @ X)


def sne_missing_axis(X, P):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2))
    Q = K / K.sum(axis=1, keepdims=True)
    W = P + P.T - Q - Q.T
    gradient = 2 / len(X) * np.sum(W * (X[:, None] - X), axis=1)
    return gradient


def sne_forward_only(X, P):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2))
    Q = K / K.sum(axis=1, keepdims=True)
    W = 2 * (P - Q)
    gradient = np.zeros_like(X)
    for l in range(len(X)):
        gradient[l] = 2 / len(X) * W[l] @ (X[l] - X)
    return gradient


def sne_student(X, P):
    K = 1 / (1 + np.sum((X[:, None] - X) ** 2, axis=2))
    Q = K / K.sum(axis=1, keepdims=True)
    W = P + P.T - Q - Q.T
    return 2 * (W.sum(axis=1, keepdims=True) * X - W @ X)


def sne_half_width(X, P):
    N = len(X)
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    Q = K / K.sum(axis=1, keepdims=True)
    W = P + P.T - Q - Q.T
    gradient = np.array([sum(W[l, i] * (X[i] - X[l]) for i in range(N)) for l in range(N)])
    return 2 / N * gradient


RIGHT = [sne_matrices, sne_loops, sne_einsum]
WRONG = [
    (sne_no_self, ["does not let a point choose itself, the sum in Q leaves k = i out"]),
    (sne_all_pairs_one, ["divides the kernel by the sum over all pairs instead of each row by its own sum"]),
    (sne_missing_axis, ["multiplies the (N, N) brackets with the (N, N, q) differences without a third axis"]),
    (sne_forward_only, ["uses 2(P - Q) of the point's own choices and forgets the choices of the others (the transposes)"]),
    (sne_student, ["uses the kernel of t-SNE, 1/(1 + d^2), instead of the exponential", "does not divide by N"]),
    (sne_half_width, ["has a factor 1/2 in the exponent of Q", "takes x_i - x_l instead of x_l - x_i, the wrong sign"]),
]
