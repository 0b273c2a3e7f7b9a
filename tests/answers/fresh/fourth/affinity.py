"""Fresh answers to `affinity`."""
import numpy as np
from scipy.spatial.distance import cdist


def right_eigh(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / h)
    root = np.sqrt(K.sum(axis=1))
    M = K / root[:, None] / root[None, :]
    lam, V = np.linalg.eigh(M)
    p = np.maximum(lam, 0) ** nu
    p /= p.sum()
    return M, V @ (p[:, None] * (V.T @ G))


def right_svd(Y, h, G, nu):
    K = np.exp(-((Y[:, None] - Y) ** 2).sum(axis=2) / h)
    D = np.diag(1 / np.sqrt(K.sum(axis=1)))
    M = D @ K @ D
    M = (M + M.T) / 2
    U, s, _ = np.linalg.svd(M)
    power = s**nu
    return M, U @ np.diag(power / np.sum(power)) @ U.T @ G


def right_directions_one_by_one(Y, h, G, nu):
    N = len(Y)
    K = np.array([[np.exp(-np.dot(a - b, a - b) / h) for b in Y] for a in Y])
    d = [sum(row) for row in K]
    M = np.array([[K[i, j] / np.sqrt(d[i] * d[j]) for j in range(N)] for i in range(N)])
    values, vectors = np.linalg.eigh(M)
    powers = [max(value, 0.0) ** nu for value in values]
    guided = np.zeros(G.shape)
    for power, v in zip(powers, vectors.T):
        guided += power / sum(powers) * np.outer(v, v @ G)
    return M, guided


def without_roots(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / h)
    d = K.sum(axis=1)
    M = K / np.outer(d, d)
    lam, V = np.linalg.eigh(M)
    p = np.clip(lam, 0, None) ** nu
    return M, V @ np.diag(p / p.sum()) @ V.T @ G


def power_of_each_entry(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / h)
    r = np.sqrt(K.sum(axis=1))
    M = K / (r[:, None] * r)
    power = M**nu
    return M, power / np.trace(power) @ G


def whole_powers_only(Y, h, G, nu):
    K = np.exp(-np.sum((Y[:, None] - Y) ** 2, axis=-1) / h)
    D = np.diag(K.sum(axis=1) ** -0.5)
    M = D @ K @ D
    Mnu = np.linalg.matrix_power(M, nu)
    guided = Mnu @ G / np.trace(Mnu)
    return M, guided


def trace_of_M(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / h)
    s = 1 / np.sqrt(np.sum(K, axis=0))
    M = s[:, None] * K * s
    lam, V = np.linalg.eigh(M)
    lam[lam < 0] = 0
    guided = V @ np.diag(lam**nu) @ V.T @ G / np.trace(M)
    return M, guided


def squared_bandwidth_and_rows_of_V(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / (2 * h**2))
    r = np.sqrt(K.sum(axis=1))
    M = K / r[:, None] / r
    lam, V = np.linalg.eigh(M)
    p = np.maximum(lam, 0) ** nu
    p = p / p.sum()
    return M, V.T @ (p[:, None] * (V @ G))


def zero_diagonal_and_early_shares(Y, h, G, nu):
    K = np.exp(-((Y[:, None] - Y) ** 2).sum(axis=2) / h)
    np.fill_diagonal(K, 0)
    r = np.sqrt(K.sum(axis=1))
    M = K / np.outer(r, r)
    lam, V = np.linalg.eigh(M)
    lam = np.maximum(lam, 0)
    p = (lam / lam.sum()) ** nu
    guided = V @ (p[:, None] * (V.T @ G))
    return M, guided


RIGHT = [right_eigh, right_svd, right_directions_one_by_one]
WRONG = [
    (without_roots, ["divides by the row sums themselves instead of their square roots"]),
    (power_of_each_entry, ["raises every entry of M to the power nu instead of the matrix (its eigenvalues)"]),
    (whole_powers_only, ["uses np.linalg.matrix_power, which takes only whole numbers (TypeError for nu = 2.5)"]),
    (trace_of_M, ["divides by the trace of M instead of the trace of its power M^nu"]),
    (squared_bandwidth_and_rows_of_V, ["divides the squared distances by 2 h^2 instead of h, which is already in squared units", "takes the rows of V for the eigenvectors: V and V^T exchanged"]),
    (zero_diagonal_and_early_shares, ["sets the diagonal of K to zero, although the ones should stay", "divides the eigenvalues by their sum before raising them to nu, so the weights do not sum to one"]),
]
