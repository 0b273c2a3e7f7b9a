"""Fresh answers to `affinity`."""
import numpy as np
from scipy.spatial.distance import cdist


def with_eigh(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / h)
    root = np.sqrt(K.sum(axis=1))
    M = K / np.outer(root, root)
    values, V = np.linalg.eigh(M)
    p = np.maximum(values, 0) ** nu
    p = p / p.sum()
    return M, V @ (p[:, None] * (V.T @ G))


def with_loops(Y, h, G, nu):
    N = len(Y)
    K = np.array([[np.exp(-np.sum((Y[i] - Y[j]) ** 2) / h) for j in range(N)] for i in range(N)])
    d = [sum(K[i]) for i in range(N)]
    M = np.zeros((N, N))
    for i in range(N):
        for j in range(N):
            M[i, j] = K[i, j] / np.sqrt(d[i]) / np.sqrt(d[j])
    lam, V = np.linalg.eigh((M + M.T) / 2)
    lam[lam < 0] = 0.0
    guided = np.zeros(G.shape)
    for k in range(N):
        v = V[:, k]
        guided += lam[k] ** nu * np.outer(v, v @ G)
    return M, guided / np.sum(lam**nu)


def with_power_matrix(Y, h, G, nu):
    diff = Y[:, None] - Y[None]
    K = np.exp(-np.einsum("ijd,ijd->ij", diff, diff) / h)
    D = np.diag(1 / np.sqrt(K.sum(0)))
    M = D @ K @ D
    s, V = np.linalg.eigh(M)
    power = V @ np.diag(np.clip(s, 0, None) ** nu) @ V.T
    return M, power @ G / np.trace(power)


def _affinity(Y, h):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / h)
    s = np.sqrt(K.sum(axis=1, keepdims=True))
    return K / s / s.T


def whole_powers(Y, h, G, nu):
    M = _affinity(Y, h)
    P = np.linalg.matrix_power(M, nu)
    return M, P @ G / np.trace(P)


def power_of_entries(Y, h, G, nu):
    M = _affinity(Y, h)
    P = M**nu
    return M, P @ G / np.trace(P)


def normalised_first(Y, h, G, nu):
    M = _affinity(Y, h)
    lam, V = np.linalg.eigh(M)
    lam = np.maximum(lam, 0)
    p = (lam / lam.sum()) ** nu
    return M, V @ np.diag(p) @ V.T @ G


def loop_over_rows_of_V(Y, h, G, nu):
    M = _affinity(Y, h)
    lam, V = np.linalg.eigh(M)
    p = np.maximum(lam, 0) ** nu
    p /= p.sum()
    guided = np.zeros(G.shape)
    for weight, v in zip(p, V):
        guided += weight * np.outer(v, v @ G)
    return M, guided


def random_walk_and_first_weight(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / h)
    s = np.sqrt(K.sum(axis=1))
    M = K / s[:, None] / s[:, None]
    lam, V = np.linalg.eig(M)
    lam, V = np.maximum(lam.real, 0), V.real
    p = lam**nu / lam.max() ** nu
    return M, V @ np.diag(p) @ np.linalg.inv(V) @ G


def sd_bandwidth_per_column(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / (2 * h**2))
    s = np.sqrt(K.sum(axis=0))
    M = K / np.outer(s, s)
    lam, V = np.linalg.eigh(M)
    p = np.where(lam > 0, lam, 0) ** nu
    guided = V @ np.diag(p / p.sum()) @ V.T @ G
    return M, guided / np.linalg.norm(guided, axis=0) * np.linalg.norm(G, axis=0)


RIGHT = [with_eigh, with_loops, with_power_matrix]
WRONG = [
    (whole_powers, ["uses matrix_power, which knows whole powers only"]),
    (power_of_entries, ["raises the entries of M to the power instead of the matrix"]),
    (normalised_first, ["divides the eigenvalues by their sum before raising them to the power, so the weights do not sum to one"]),
    (loop_over_rows_of_V, ["takes the rows of V for the eigenvectors"]),
    (random_walk_and_first_weight, ["divides by the root of the row sum twice, instead of once by that of the row and once by that of the column", "divides by the greatest power of an eigenvalue instead of the trace"]),
    (sd_bandwidth_per_column, ["takes h for a standard deviation, with 2 h^2 in the exponent", "scales the guided gradient back to the length of the gradient"]),
]
