"""Fresh answers to `l1_gram`."""
import numpy as np
from scipy.spatial.distance import cdist


def broadcast(Y):
    size = np.abs(Y).sum(axis=1)
    D = np.abs(Y[:, None, :] - Y[None, :, :]).sum(axis=2)
    G = (size[:, None] + size[None, :] - D) / 2
    lam, V = np.linalg.eigh(G)
    F = (V * np.sqrt(np.clip(lam, 0, None))) @ V.T
    return G, F


def loops_and_outer(Y):
    N = len(Y)
    G = np.zeros((N, N))
    for n in range(N):
        for m in range(N):
            G[n, m] = 0.5 * (np.sum(abs(Y[n])) + np.sum(abs(Y[m])) - np.sum(abs(Y[n] - Y[m])))
    F = np.zeros((N, N))
    values, vectors = np.linalg.eigh(G)
    for k in range(N):
        if values[k] > 0:
            F += np.sqrt(values[k]) * np.outer(vectors[:, k], vectors[:, k])
    return G, F


def with_scipy(Y):
    zero = np.zeros((1, Y.shape[1]))
    size = cdist(Y, zero, "cityblock")
    G = 0.5 * (size + size.T - cdist(Y, Y, "cityblock"))
    w, U = np.linalg.eigh(G)
    w = np.where(w < 0, 0, w)
    return G, U @ np.diag(w**0.5) @ U.T


def half_way(Y):
    size = np.abs(Y).sum(1)
    G = 0.5 * (size[:, None] + size - cdist(Y, Y, "cityblock"))
    lam, V = np.linalg.eigh(G)
    lam[lam < 0] = 0
    return G, V @ np.diag(np.sqrt(lam))


def triangle(Y):
    s = np.linalg.norm(Y, ord=1, axis=1)
    G = (s[:, None] + s[None] - cdist(Y, Y, metric="cityblock")) / 2
    F = np.linalg.cholesky(G)
    return G, F


def straight_root(Y):
    a = np.sum(np.abs(Y), axis=1)
    D = np.array([[np.sum(np.abs(u - v)) for v in Y] for u in Y])
    G = (a.reshape(-1, 1) + a.reshape(1, -1) - D) / 2
    lam, V = np.linalg.eigh(G)
    F = V @ np.diag(np.sqrt(lam)) @ V.T
    return G, F


def sizes_by_norm(Y):
    size = np.linalg.norm(Y, axis=1)
    D = np.sum(np.abs(Y[:, None] - Y), axis=-1)
    G = 0.5 * (size[:, None] + size[None, :] - D)
    lam, V = np.linalg.eigh(G)
    lam = np.maximum(lam, 0)
    return G, V * np.sqrt(lam) @ V.T


def no_half_no_root(Y):
    size = np.abs(Y).sum(axis=1)
    G = size[:, None] + size[None, :] - np.abs(Y[:, None] - Y[None]).sum(axis=-1)
    lam, V = np.linalg.eigh(G)
    lam = np.clip(lam, 0, None)
    F = V @ np.diag(lam) @ V.T
    return G, F


def entry_by_entry(Y):
    total = Y.sum(axis=1)
    D = cdist(Y, Y, "cityblock")
    G = (total[:, None] + total[None, :] - D) / 2
    F = np.sqrt(np.maximum(G, 0))
    return G, F


RIGHT = [broadcast, loops_and_outer, with_scipy]
WRONG = [
    (half_way, ["forgot the last V^T: F is V times the roots, not the symmetric root"]),
    (triangle, ["takes the Cholesky factor instead of the symmetric root (and it does not exist if an eigenvalue is zero)"]),
    (straight_root, ["takes roots of slightly negative eigenvalues instead of counting them as zero"]),
    (sizes_by_norm, ["takes the Euclidean length for the sizes of the points instead of the L1 size"]),
    (no_half_no_root, ["forgot the factor 1/2 in the kernel", "does not take the roots of the eigenvalues"]),
    (entry_by_entry, ["adds up the coordinates without absolute values for the sizes", "takes the root of each entry of G instead of the root of the matrix"]),
]
