"""Fresh answers to `affinity`."""
import numpy as np
from scipy.linalg import eigh
from scipy.spatial.distance import cdist


def along_the_recipe(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / h)
    root = np.sqrt(K.sum(axis=1))
    M = K / root[:, None] / root[None, :]
    lam, V = np.linalg.eigh(M)
    p = np.maximum(lam, 0) ** nu
    p = p / p.sum()
    return M, V @ (p[:, None] * (V.T @ G))


def diagonal_matrices(Y, h, G, nu):
    diff = Y[:, None, :] - Y[None, :, :]
    K = np.exp(-np.sum(diff * diff, axis=-1) / h)
    D = np.diag(1 / np.sqrt(np.sum(K, axis=0)))
    M = D @ K @ D
    values, V = eigh((M + M.T) / 2)
    values[values < 0] = 0
    power = V @ np.diag(values**nu) @ V.T
    return M, power @ G / np.trace(power)


def one_direction_after_the_other(Y, h, G, nu):
    N = len(Y)
    K = np.array([[np.exp(-np.sum((a - b) ** 2) / h) for b in Y] for a in Y])
    s = K.sum(axis=1)
    M = np.zeros((N, N))
    for i in range(N):
        for j in range(N):
            M[i, j] = K[i, j] / np.sqrt(s[i] * s[j])
    lam, V = np.linalg.eigh(M)
    weights = [max(float(v), 0.0) ** nu for v in lam]
    guided = np.zeros(np.shape(G))
    for i in range(N):
        guided += weights[i] * np.outer(V[:, i], V[:, i] @ G)
    return M, guided / sum(weights)


def two_h_squared(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / (2 * h**2))
    r = np.sqrt(K.sum(axis=1))
    M = K / np.outer(r, r)
    lam, V = np.linalg.eigh(M)
    p = np.clip(lam, 0, None) ** nu
    return M, V @ np.diag(p / p.sum()) @ V.T @ G


def entries_to_the_power(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / h)
    r = np.sqrt(K.sum(axis=1))
    M = K / np.outer(r, r)
    power = M**nu
    return M, power @ G / np.trace(power)


def trace_of_m(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y) ** 2 / h)
    d = K.sum(axis=1) ** -0.5
    M = d[:, None] * K * d
    lam, V = np.linalg.eigh(M)
    lam = np.maximum(lam, 0)
    guided = V @ ((lam**nu / lam.sum())[:, None] * (V.T @ G))
    return M, guided


def whole_powers(Y, h, G, nu):
    K = np.exp(-((Y[:, None] - Y[None]) ** 2).sum(-1) / h)
    r = np.sqrt(K.sum(axis=1, keepdims=True))
    M = K / r / r.T
    P = np.linalg.matrix_power(M, nu)
    return M, P @ G / np.trace(P)


def empty_diagonal_no_trace(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / h)
    np.fill_diagonal(K, 0)
    r = np.sqrt(K.sum(axis=1))
    M = K / r[:, None] / r
    lam, V = np.linalg.eigh(M)
    lam = np.where(lam < 0, 0, lam)
    return M, V @ np.diag(lam**nu) @ V.T @ G


def rows_only_and_basis_mixed_up(Y, h, G, nu):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / h)
    M = K / K.sum(axis=1, keepdims=True)
    lam, V = np.linalg.eigh(M)
    p = np.maximum(lam, 0) ** nu
    p /= p.sum()
    guided = V.T @ (p[:, None] * (V @ G))
    return M, guided


RIGHT = [along_the_recipe, diagonal_matrices, one_direction_after_the_other]
WRONG = [
    (two_h_squared, ["divides the squared distance by 2h^2 instead of h (h is in squared units)"]),
    (entries_to_the_power, ["raises every entry of M to the power nu instead of taking the matrix power"]),
    (trace_of_m, ["divides by the trace of M instead of the trace of M^nu"]),
    (whole_powers, ["uses matrix_power, which takes whole exponents only"]),
    (empty_diagonal_no_trace, ["sets the diagonal of K to zero", "does not divide by the trace"]),
    (rows_only_and_basis_mixed_up, ["divides by the row sums only, instead of by the roots of both row and column sum", "swaps V and V^T when going to the eigenvectors and back"]),
]
