"""Fresh answers to `adapt_manifold`."""
import numpy as np
from scipy.spatial.distance import cdist


def normal_equations(zeta, Y, nodes, width, penalty):
    K = np.exp(-cdist(zeta, nodes, "sqeuclidean") / (2 * width**2))
    Kz = np.exp(-cdist(nodes, nodes, "sqeuclidean") / (2 * width**2))
    return np.linalg.solve(K.T @ K + penalty * len(Y) / 2 * Kz, K.T @ Y)


def slope_set_to_zero(zeta, Y, nodes, width, penalty):
    N = Y.shape[0]

    def k(a, b):
        return np.exp(-0.5 * np.sum(((a - b) / width) ** 2))

    K_zeta = np.array([[k(z, node) for node in nodes] for z in zeta])
    K_z = np.array([[k(a, b) for b in nodes] for a in nodes])
    left = 2 / N * K_zeta.T @ K_zeta + penalty * K_z
    alpha = np.zeros((len(nodes), Y.shape[1]))
    for c in range(Y.shape[1]):
        alpha[:, c] = np.linalg.solve(left, 2 / N * K_zeta.T @ Y[:, c])
    return alpha


def sums_over_points(zeta, Y, nodes, width, penalty):
    gram = lambda A, B: np.exp(-((A[:, None] - B[None]) ** 2).sum(-1) / (2 * width**2))
    left = penalty / 2 * gram(nodes, nodes)
    right = np.zeros((len(nodes), Y.shape[1]))
    for row, y in zip(gram(zeta, nodes), Y):
        left = left + np.outer(row, row) / len(Y)
        right = right + np.outer(row, y) / len(Y)
    return np.linalg.solve(left, right)


def _kernel(A, B, width):
    return np.exp(-cdist(A, B, "sqeuclidean") / (2 * width**2))


def nodes_counted(zeta, Y, nodes, width, penalty):
    K, Kz = _kernel(zeta, nodes, width), _kernel(nodes, nodes, width)
    N = len(nodes)
    return np.linalg.solve(K.T @ K + N * penalty / 2 * Kz, K.T @ Y)


def kernel_ridge(zeta, Y, nodes, width, penalty):
    Kz = _kernel(nodes, nodes, width)
    return np.linalg.solve(Kz + penalty * len(Y) / 2 * np.eye(len(nodes)), Y)


def centred_data(zeta, Y, nodes, width, penalty):
    K, Kz = _kernel(zeta, nodes, width), _kernel(nodes, nodes, width)
    Yc = Y - Y.mean(axis=0)
    return np.linalg.solve(K.T @ K / len(Y) + penalty / 2 * Kz, K.T @ Yc / len(Y))


def punished_values(zeta, Y, nodes, width, penalty):
    K, Kz = _kernel(zeta, nodes, width), _kernel(nodes, nodes, width)
    A = K.T @ K + 0.5 * penalty * len(zeta) * Kz.T @ Kz
    return np.linalg.solve(A, K.T @ Y)


def shares_and_no_half(zeta, Y, nodes, width, penalty):
    K, Kz = _kernel(zeta, nodes, width), _kernel(nodes, nodes, width)
    K = K / K.sum(axis=1, keepdims=True)
    return np.linalg.solve(K.T @ K + penalty * len(Y) * Kz, K.T @ Y)


def variance_and_values(zeta, Y, nodes, width, penalty):
    K = np.exp(-cdist(zeta, nodes, "sqeuclidean") / (2 * width))
    Kz = np.exp(-cdist(nodes, nodes, "sqeuclidean") / (2 * width))
    alpha = np.linalg.solve(K.T @ K + penalty * len(Y) / 2 * Kz, K.T @ Y)
    return Kz @ alpha


RIGHT = [normal_equations, slope_set_to_zero, sums_over_points]
WRONG = [
    (nodes_counted, ["takes the number of nodes for N instead of the number of data"]),
    (kernel_ridge, ["solves the kernel ridge system of the nodes as if there were one node for each point, and never uses the codes"]),
    (centred_data, ["subtracts the mean of the data first, though there is no constant f_0"]),
    (punished_values, ["punishes the squared values of the curve at the nodes, K_z^T K_z, instead of K_z"]),
    (shares_and_no_half, ["divides the kernel values of each code by their sum", "loses the factor 1/2 of the penalty"]),
    (variance_and_values, ["takes the width for a variance in the exponent", "returns the values of the curve at the nodes instead of the coefficients"]),
]
