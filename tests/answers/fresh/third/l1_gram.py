"""Fresh answers to `l1_gram`."""
import numpy as np
from scipy.spatial.distance import cdist


def broadcast(Y):
    size = np.abs(Y).sum(axis=1)
    D = np.abs(Y[:, None, :] - Y[None, :, :]).sum(axis=-1)
    G = 0.5 * (size[:, None] + size[None, :] - D)
    lam, V = np.linalg.eigh(G)
    lam = np.clip(lam, 0, None)
    return G, (V * np.sqrt(lam)) @ V.T


def common_part(Y):
    # per coordinate (|a| + |b| - |a - b|)/2 is the smaller size if the signs agree, else nothing
    N = len(Y)
    G = np.zeros((N, N))
    for n in range(N):
        same = Y * Y[n] > 0
        G[n] = np.where(same, np.minimum(np.abs(Y), np.abs(Y[n])), 0.0).sum(axis=1)
    values, vectors = np.linalg.eigh(G)
    F = np.zeros((N, N))
    for value, v in zip(values, vectors.T):
        if value > 0:
            F += np.sqrt(value) * np.outer(v, v)
    return G, F


def city_block(Y):
    sizes = np.linalg.norm(Y, ord=1, axis=1)
    G = (np.add.outer(sizes, sizes) - cdist(Y, Y, "cityblock")) / 2
    w, V = np.linalg.eigh(G)
    root = np.diag(np.sqrt(np.maximum(w, 0)))
    return G, V @ root @ V.T


def cholesky(Y):
    s = np.abs(Y).sum(axis=1)
    G = (s[:, None] + s - cdist(Y, Y, "cityblock")) / 2
    F = np.linalg.cholesky(G)
    return G, F


def negative_roots(Y):
    size = np.sum(np.abs(Y), axis=1)
    N = len(Y)
    G = np.zeros((N, N))
    for n in range(N):
        for m in range(N):
            G[n, m] = (size[n] + size[m] - np.sum(np.abs(Y[n] - Y[m]))) / 2
    lam, V = np.linalg.eigh(G)
    return G, V @ np.diag(lam**0.5) @ V.T


def centred_first(Y):
    Z = Y - Y.mean(axis=0)
    s = np.abs(Z).sum(axis=1)
    G = (s[:, None] + s[None, :] - cdist(Z, Z, "cityblock")) / 2
    lam, V = np.linalg.eigh(G)
    return G, V @ np.diag(np.sqrt(np.maximum(lam, 0))) @ V.T


def vectors_in_rows(Y):
    size = np.abs(Y).sum(axis=1)
    G = (size[:, None] + size - np.abs(Y[:, None] - Y).sum(-1)) / 2
    lam, V = np.linalg.eigh(G)
    lam[lam < 0] = 0
    F = V.T @ np.diag(np.sqrt(lam)) @ V
    return G, F


def euclidean_and_half_a_product(Y):
    size = np.linalg.norm(Y, axis=1)
    G = (size[:, None] + size[None, :] - cdist(Y, Y)) / 2
    lam, V = np.linalg.eigh(G)
    lam = np.maximum(lam, 0)
    return G, V @ np.diag(np.sqrt(lam))


def no_half_no_root(Y):
    s = np.abs(Y).sum(axis=1, keepdims=True)
    G = s + s.T - cdist(Y, Y, "cityblock")
    w, V = np.linalg.eigh(G)
    w = np.where(w < 0, 0, w)
    F = (V * w) @ V.T
    return G, F


RIGHT = [broadcast, common_part, city_block]
WRONG = [
    (cholesky, ["takes the Cholesky factor instead of the symmetric root"]),
    (negative_roots, ["does not lift slightly negative eigenvalues to zero before the root"]),
    (centred_first, ["subtracts the mean of the data before computing the kernel"]),
    (vectors_in_rows, ["multiplies V^T diag V instead of V diag V^T (takes the eigenvectors for rows)"]),
    (euclidean_and_half_a_product, ["uses Euclidean lengths and distances instead of the L1 norm", "stops at V diag(sqrt(lambda)) and forgets the factor V^T"]),
    (no_half_no_root, ["forgot the factor 1/2 of the kernel", "forgot the root of the eigenvalues"]),
]
