"""Fresh answers to `affinity`."""
import numpy as np
from scipy.spatial.distance import cdist


def as_the_comments_say(Y, h, G, nu):
    K = np.exp(-((Y[:, None] - Y[None]) ** 2).sum(axis=2) / h)
    root = np.sqrt(K.sum(axis=1))
    M = K / root[:, None] / root[None, :]
    lam, V = np.linalg.eigh(M)
    power = np.maximum(lam, 0) ** nu
    p = power / power.sum()
    return M, V @ (p[:, None] * (V.T @ G))


def diagonal_matrices(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / h)
    D = np.diag(K.sum(axis=0) ** -0.5)
    M = D @ K @ D
    M = (M + M.T) / 2
    values, vectors = np.linalg.eigh(M)
    values = np.clip(values, 0, None)
    power = vectors @ np.diag(values**nu) @ vectors.T
    return M, power @ G / np.sum(values**nu)


def term_by_term(Y, h, G, nu):
    N = len(Y)
    K = np.array([[np.exp(-np.dot(a - b, a - b) / h) for b in Y] for a in Y])
    M = np.empty((N, N))
    for i in range(N):
        for j in range(N):
            M[i, j] = K[i, j] / np.sqrt(K[i].sum() * K[j].sum())
    lam, V = np.linalg.eigh(M)
    weights = [max(float(l), 0.0) ** nu for l in lam]
    total = sum(weights)
    guided = np.zeros(G.shape)
    for k in range(N):
        guided += weights[k] / total * np.outer(V[:, k], V[:, k] @ G)
    return M, guided


def only_rows(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / h)
    M = K / K.sum(axis=1, keepdims=True)
    lam, V = np.linalg.eigh(M)
    lam = np.clip(lam, 0, None) ** nu
    return M, V @ ((lam / lam.sum())[:, None] * (V.T @ G))


def h_squared(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y) ** 2 / h**2)
    d = 1 / np.sqrt(K.sum(axis=1))
    M = d[:, None] * K * d
    lam, V = np.linalg.eigh(M)
    p = np.maximum(lam, 0) ** nu
    p = p / p.sum()
    return M, (V * p) @ V.T @ G


def trace_of_M(Y, h, G, nu):
    K = np.exp(-((Y[:, None] - Y) ** 2).sum(-1) / h)
    s = np.sqrt(K.sum(axis=1))
    M = K / np.outer(s, s)
    lam, V = np.linalg.eigh(M)
    lam = np.where(lam > 0, lam, 0)
    guided = V @ np.diag(lam**nu) @ V.T @ G / np.trace(M)
    return M, guided


def power_of_matrix(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / h)
    root = np.sqrt(K.sum(axis=1))
    M = K / np.outer(root, root)
    P = np.linalg.matrix_power(M, nu)
    return M, P @ G / np.trace(P)


def star_star(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / h)
    root = np.sqrt(K.sum(axis=1))
    M = K / (root[:, None] * root[None, :])
    guided = (M**nu) @ G
    return M, guided


def rows_as_vectors(Y, h, G, nu):
    K = np.exp(-np.sum((Y[:, None] - Y[None]) ** 2, axis=-1) / h)
    np.fill_diagonal(K, 0)
    root = np.sqrt(np.sum(K, axis=1))
    M = K / root[:, None] / root
    lam, V = np.linalg.eigh(M)
    p = np.clip(lam, 0, None) ** nu
    p /= p.sum()
    return M, V.T @ (p[:, None] * (V @ G))


RIGHT = [as_the_comments_say, diagonal_matrices, term_by_term]
WRONG = [
    (only_rows, ["divides only by the row sums (D^-1 K), instead of by both roots"]),
    (h_squared, ["squares h, which is already in squared units"]),
    (trace_of_M, ["divides by the trace of M instead of the trace of its power"]),
    (power_of_matrix, ["uses matrix_power, which works for whole powers only"]),
    (star_star, ["raises each entry of M to the power instead of the matrix", "does not divide by the trace"]),
    (rows_as_vectors, ["sets the diagonal of K to zero", "takes the rows of V for the eigenvectors instead of the columns"]),
]
