"""Fresh answers to `l1_gram`."""
import numpy as np
from scipy.linalg import eigh
from scipy.spatial.distance import cdist


def by_cityblock(Y):
    size = np.abs(Y).sum(axis=1)
    G = (size[:, None] + size - cdist(Y, Y, "cityblock")) / 2
    values, V = np.linalg.eigh(G)
    F = V @ np.diag(np.sqrt(np.maximum(values, 0))) @ V.T
    return G, F


def by_loops(Y):
    N = len(Y)
    G = np.zeros((N, N))
    for n in range(N):
        for m in range(N):
            G[n, m] = 0.5 * sum(abs(a) + abs(b) - abs(a - b) for a, b in zip(Y[n], Y[m]))
    lam, V = eigh(G)
    F = np.zeros((N, N))
    for k in range(N):
        if lam[k] > 0:
            F += np.sqrt(lam[k]) * np.outer(V[:, k], V[:, k])
    return G, F


def common_part(Y):
    A, B = Y[:, None, :], Y[None, :, :]
    common = np.minimum(np.abs(A), np.abs(B)) * (A * B > 0)
    G = common.sum(axis=-1)
    values, V = np.linalg.eigh(G)
    roots = np.where(values > 0, values, 0) ** 0.5
    return G, (V * roots) @ V.T


def _gram(Y):
    size = np.abs(Y).sum(axis=1)
    return (size[:, None] + size[None, :] - cdist(Y, Y, "cityblock")) / 2


def matlab_sqrt(Y):
    G = _gram(Y)
    F = np.sqrt(np.maximum(G, 0))
    return G, F


def by_cholesky(Y):
    G = _gram(Y)
    return G, np.linalg.cholesky(G)


def centred_like_mds(Y):
    D = cdist(Y, Y, "cityblock")
    J = np.eye(len(Y)) - 1 / len(Y)
    G = -J @ D @ J / 2
    values, V = np.linalg.eigh(G)
    return G, V * np.sqrt(np.clip(values, 0, None)) @ V.T


def keeps_d_directions(Y):
    G = _gram(Y)
    values, V = np.linalg.eigh(G)
    d = Y.shape[1]
    values[:-d] = 0
    values[values < 0] = 0
    return G, V @ np.diag(np.sqrt(values)) @ V.T


def size_of_the_matrix_and_pca_features(Y):
    size = np.linalg.norm(Y, 1)
    G = (size + size - cdist(Y, Y, "cityblock")) / 2
    values, V = np.linalg.eigh(G)
    return G, V * np.sqrt(np.maximum(values, 0))


def signed_and_rows(Y):
    N = len(Y)
    s = np.abs(Y).sum(axis=1)
    G = np.empty((N, N))
    for i in range(N):
        for j in range(N):
            G[i, j] = (s[i] + s[j] - abs((Y[i] - Y[j]).sum())) / 2
    values, V = np.linalg.eigh(G)
    root = np.sqrt(np.where(values < 0, 0, values))
    return G, V.T @ np.diag(root) @ V


RIGHT = [by_cityblock, by_loops, common_part]
WRONG = [
    (matlab_sqrt, ["takes the root of every entry of G instead of the root of the matrix"]),
    (by_cholesky, ["takes the Cholesky factor, which is not the symmetric root and fails when an eigenvalue is zero"]),
    (centred_like_mds, ["centres the distance matrix twice (multidimensional scaling) instead of using the kernel with the sizes"]),
    (keeps_d_directions, ["keeps as many eigenvalues as the data have columns and sets the others to zero"]),
    (size_of_the_matrix_and_pca_features, ["calls np.linalg.norm(Y, 1) without an axis: one number, the norm of the matrix, for all sizes", "forgets the last V^T, so F is not symmetric"]),
    (signed_and_rows, ["takes the absolute value after summing over the coordinates in the distance", "reads the eigenvectors from the rows of V"]),
]
