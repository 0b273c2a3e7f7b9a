"""Fresh answers to `adapt_manifold`."""
import numpy as np
from scipy.spatial.distance import cdist


def slope_is_zero(zeta, Y, nodes, width, penalty):
    def kernel(a, b):
        return np.exp(-np.sum((a[:, None] - b) ** 2, axis=2) / (2 * width**2))

    K, Kz = kernel(zeta, nodes), kernel(nodes, nodes)
    return np.linalg.solve(K.T @ K + len(Y) * penalty / 2 * Kz, K.T @ Y)


def divided_by_n(zeta, Y, nodes, width, penalty):
    N = zeta.shape[0]
    Kc = np.exp(-cdist(zeta, nodes, "sqeuclidean") / (2 * width**2))
    Kn = np.exp(-cdist(nodes, nodes, "sqeuclidean") / (2 * width**2))
    left = 2 / N * Kc.T @ Kc + penalty * Kn
    right = 2 / N * Kc.T @ Y
    return np.linalg.lstsq(left, right, rcond=1e-15)[0]


def looped(zeta, Y, nodes, width, penalty):
    N, M = len(zeta), len(nodes)
    A, b = np.zeros((M, M)), np.zeros((M, Y.shape[1]))
    for n in range(N):
        k = np.array([np.exp(-np.sum((zeta[n] - z) ** 2) / (2 * width**2)) for z in nodes])
        A += np.outer(k, k) / N
        b += np.outer(k, Y[n]) / N
    for i in range(M):
        for j in range(M):
            gap = nodes[i] - nodes[j]
            A[i, j] += penalty / 2 * np.exp(-gap @ gap / (2 * width**2))
    return np.linalg.solve(A, b)


def sum_of_errors(zeta, Y, nodes, width, penalty):
    def kernel(a, b):
        return np.exp(-np.sum((a[:, None] - b) ** 2, axis=2) / (2 * width**2))

    K = kernel(zeta, nodes)
    return np.linalg.solve(K.T @ K + penalty / 2 * kernel(nodes, nodes), K.T @ Y)


def whole_penalty(zeta, Y, nodes, width, penalty):
    K_zeta = np.exp(-cdist(zeta, nodes) ** 2 / (2 * width**2))
    K_z = np.exp(-cdist(nodes, nodes) ** 2 / (2 * width**2))
    A = K_zeta.T @ K_zeta / len(zeta) + penalty * K_z
    return np.linalg.solve(A, K_zeta.T @ Y / len(zeta))


def ridge(zeta, Y, nodes, width, penalty):
    N, M = len(zeta), len(nodes)
    K = np.exp(-np.sum((zeta[:, None] - nodes) ** 2, axis=2) / (2 * width**2))
    return np.linalg.solve(K.T @ K + N * penalty / 2 * np.eye(M), K.T @ Y)


def cancelled_too_much(zeta, Y, nodes, width, penalty):
    K_zeta = np.exp(-cdist(zeta, nodes, "sqeuclidean") / (2 * width**2))
    K_z = np.exp(-cdist(nodes, nodes, "sqeuclidean") / (2 * width**2))
    return np.linalg.solve(K_zeta + len(Y) * penalty / 2 * K_z, Y)


def centred_curve(zeta, Y, nodes, width, penalty):
    def kernel(a, b):
        return np.exp(-np.sum((a[:, None] - b) ** 2, axis=2) / width**2)

    Y = Y - Y.mean(axis=0)
    K = kernel(zeta, nodes)
    A = K.T @ K + 0.5 * penalty * len(Y) * kernel(nodes, nodes)
    return np.linalg.solve(A, K.T @ Y)


def by_number_of_nodes(zeta, Y, nodes, width, penalty):
    M = len(nodes)
    K1 = np.exp(-cdist(zeta, nodes) / (2 * width**2))
    K2 = np.exp(-cdist(nodes, nodes) / (2 * width**2))
    return np.linalg.solve(K1.T @ K1 + M * penalty / 2 * K2, K1.T @ Y)


RIGHT = [slope_is_zero, divided_by_n, looped]
WRONG = [
    (sum_of_errors, ["forgot the number of points N in front of the penalty: takes the error as a sum instead of a mean"]),
    (whole_penalty, ["forgot the factor 1/2 of the penalty"]),
    (ridge, ["takes the identity matrix instead of K_z in the penalty"]),
    (cancelled_too_much, ["cancels K_ζ^T as if it were square: adds K_ζ and K_z, and solves for Y"]),
    (centred_curve, ["forgot the factor 2 in the exponent of the kernel", "subtracts the mean of the data although there is no constant"]),
    (by_number_of_nodes, ["multiplies the penalty by the number of nodes M instead of the number of points N", "puts the distance itself into the kernel instead of its square"]),
]
