"""Fresh answers to `adapt_manifold`."""
import numpy as np
import scipy.linalg
from scipy.spatial.distance import cdist


def textbook(zeta, Y, nodes, width, penalty):
    K_zeta = np.exp(-cdist(zeta, nodes, "sqeuclidean") / (2 * width**2))
    K_z = np.exp(-cdist(nodes, nodes, "sqeuclidean") / (2 * width**2))
    A = K_zeta.T @ K_zeta + len(Y) * penalty / 2 * K_z
    return np.linalg.solve(A, K_zeta.T @ Y)


def slope_as_it_stands(zeta, Y, nodes, width, penalty):
    def k(a, b):
        return np.exp(-(((a[:, None, :] - b[None, :, :]) / width) ** 2).sum(axis=2) / 2)

    N = len(zeta)
    Kc, Kn = k(zeta, nodes), k(nodes, nodes)
    left = 2 / N * np.einsum("ni,nj->ij", Kc, Kc) + penalty * Kn
    right = 2 / N * np.einsum("ni,nd->id", Kc, Y)
    return scipy.linalg.solve(left, right)


def by_loops(zeta, Y, nodes, width, penalty):
    N, M = len(zeta), len(nodes)
    kernel = lambda u, v: np.exp(-np.sum((u - v) ** 2) / (2 * width * width))
    A = np.zeros((M, M))
    for i in range(M):
        for j in range(M):
            A[i, j] = penalty * kernel(nodes[i], nodes[j]) / 2
            for n in range(N):
                A[i, j] += kernel(zeta[n], nodes[i]) * kernel(zeta[n], nodes[j]) / N
    b = np.array([sum(kernel(zeta[n], nodes[i]) * Y[n] for n in range(N)) / N for i in range(M)])
    lu = scipy.linalg.lu_factor(A)
    return np.column_stack([scipy.linalg.lu_solve(lu, column) for column in b.T])


def sum_instead_of_mean(zeta, Y, nodes, width, penalty):
    A = np.exp(-cdist(zeta, nodes, "sqeuclidean") / (2 * width**2))
    B = np.exp(-cdist(nodes, nodes, "sqeuclidean") / (2 * width**2))
    return np.linalg.solve(A.T @ A + penalty / 2 * B, A.T @ Y)


def ridge(zeta, Y, nodes, width, penalty):
    N, M = len(zeta), len(nodes)
    K = np.exp(-cdist(zeta, nodes, "sqeuclidean") / (2 * width**2))
    return np.linalg.solve(K.T @ K + N * penalty / 2 * np.eye(M), K.T @ Y)


def centred(zeta, Y, nodes, width, penalty):
    K_zeta = np.exp(-cdist(zeta, nodes, "sqeuclidean") / (2 * width**2))
    K_z = np.exp(-cdist(nodes, nodes, "sqeuclidean") / (2 * width**2))
    Y = Y - Y.mean(axis=0)
    A = 2 / len(Y) * K_zeta.T @ K_zeta + penalty * K_z
    return np.linalg.solve(A, 2 / len(Y) * K_zeta.T @ Y)


def nodes_first(zeta, Y, nodes, width, penalty):
    K_zeta = np.exp(-((nodes[:, None] - zeta[None]) ** 2).sum(axis=2) / (2 * width**2))
    K_z = np.exp(-((nodes[:, None] - nodes[None]) ** 2).sum(axis=2) / (2 * width**2))
    left = K_zeta.T @ K_zeta + len(Y) * penalty / 2 * K_z
    return np.linalg.solve(left, K_zeta.T @ Y)


def counts_nodes(zeta, Y, nodes, width, penalty):
    K_zeta = np.exp(-cdist(zeta, nodes, "sqeuclidean") / width**2)
    K_z = np.exp(-cdist(nodes, nodes, "sqeuclidean") / width**2)
    M = len(nodes)
    return np.linalg.solve(K_zeta.T @ K_zeta + M * penalty / 2 * K_z, K_zeta.T @ Y)


def free_fit(zeta, Y, nodes, width, penalty):
    K = np.exp(-cdist(zeta, nodes) / (2 * width**2))
    alpha, *_ = np.linalg.lstsq(K, Y, rcond=None)
    return alpha


RIGHT = [textbook, slope_as_it_stands, by_loops]
WRONG = [
    (sum_instead_of_mean, ["forgot the number of points N beside the penalty: treats the error as a sum, not a mean"]),
    (ridge, ["penalises the coefficients with the identity matrix instead of K_z"]),
    (centred, ["subtracts the mean of the data first, although there is no constant f0"]),
    (nodes_first, ["makes K_zeta with nodes in rows and codes in columns, the transpose of what is needed"]),
    (counts_nodes, ["multiplies the penalty by the number of nodes instead of the number of points", "forgot the 2 in the exponent of the kernel"]),
    (free_fit, ["leaves out the penalty", "uses the distance instead of its square in the kernel"]),
]
