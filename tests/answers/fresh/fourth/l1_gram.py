"""Fresh answers to `l1_gram`."""
import numpy as np
from scipy.spatial.distance import cdist


def right_eigh(Y):
    size = np.abs(Y).sum(axis=1)
    D = np.abs(Y[:, None] - Y).sum(axis=2)
    G = (size[:, None] + size - D) / 2
    lam, V = np.linalg.eigh(G)
    lam = np.maximum(lam, 0)
    return G, V @ np.diag(np.sqrt(lam)) @ V.T


def right_sum_of_parts(Y):
    N = len(Y)
    G = np.zeros((N, N))
    for n in range(N):
        for m in range(N):
            G[n, m] = 0.5 * (sum(abs(Y[n])) + sum(abs(Y[m])) - sum(abs(Y[n] - Y[m])))
    values, vectors = np.linalg.eigh(G)
    F = np.zeros((N, N))
    for value, v in zip(values, vectors.T):
        if value > 0:
            F += np.sqrt(value) * np.outer(v, v)
    return G, F


def right_overlaps(Y):
    # per coordinate: the overlap of the two intervals between 0 and the numbers
    a, b = Y[:, None, :], Y[None, :, :]
    G = np.where(a * b > 0, np.minimum(np.abs(a), np.abs(b)), 0.0).sum(axis=2)
    lam, V = np.linalg.eigh(G)
    return G, np.einsum("nk,k,mk->nm", V, np.sqrt(lam.clip(min=0)), V)


def not_the_symmetric_root(Y):
    s = np.sum(np.abs(Y), axis=1)
    G = 0.5 * (s[:, None] + s[None, :] - cdist(Y, Y, "cityblock"))
    lam, V = np.linalg.eigh(G)
    lam[lam < 0] = 0
    return G, V * np.sqrt(lam)


def euclidean_sizes(Y):
    s = np.linalg.norm(Y, axis=1)
    G = 0.5 * (s[:, None] + s[None, :] - cdist(Y, Y, "cityblock"))
    lam, V = np.linalg.eigh(G)
    F = V @ np.diag(np.sqrt(np.maximum(lam, 0))) @ V.T
    return G, F


def root_of_every_entry(Y):
    s = np.abs(Y).sum(axis=1)
    D = np.sum(np.abs(Y[:, None] - Y[None]), axis=-1)
    G = (s[:, None] + s - D) / 2
    return G, np.sqrt(np.maximum(G, 0))


def drops_eigenvalues_only(Y):
    s = np.abs(Y).sum(axis=1)
    G = (s[:, None] + s - cdist(Y, Y, "cityblock")) / 2
    lam, V = np.linalg.eigh(G)
    lam = lam[lam > 1e-12 * lam.max()]
    F = V @ np.diag(np.sqrt(lam)) @ V.T
    return G, F


def no_half_and_transposed(Y):
    s = np.abs(Y).sum(axis=1)
    G = s[:, None] + s[None, :] - cdist(Y, Y, "cityblock")
    lam, V = np.linalg.eigh(G)
    lam = np.where(lam > 0, lam, 0)
    return G, V.T @ np.diag(np.sqrt(lam)) @ V


def euclidean_distance_no_root(Y):
    s = np.abs(Y).sum(axis=1)
    D = np.zeros((len(Y), len(Y)))
    for i in range(len(Y)):
        for j in range(len(Y)):
            D[i, j] = np.linalg.norm(Y[i] - Y[j])
    G = 0.5 * (s[:, None] + s[None, :] - D)
    lam, V = np.linalg.eigh(G)
    lam = np.maximum(lam, 0)
    return G, V @ np.diag(lam) @ V.T


RIGHT = [right_eigh, right_sum_of_parts, right_overlaps]
WRONG = [
    (not_the_symmetric_root, ["returns F = V diag(sqrt(lambda)), not the symmetric root: forgot the last factor V^T"]),
    (euclidean_sizes, ["measures the sizes of the points by the Euclidean norm instead of the L1 norm"]),
    (root_of_every_entry, ["takes the square root of every entry of G instead of the matrix root through the eigenvalues"]),
    (drops_eigenvalues_only, ["drops the eigenvalues that are not positive but keeps all eigenvectors (shape error when G is singular)"]),
    (no_half_and_transposed, ["forgot the factor 1/2 in the kernel", "puts F together as V^T diag V: takes the rows of V for the eigenvectors"]),
    (euclidean_distance_no_root, ["uses Euclidean distances between the points instead of L1 distances", "forgot the square roots of the eigenvalues, so F is G again"]),
]
