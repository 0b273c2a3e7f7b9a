"""Fresh answers to `adapt_manifold`."""
import numpy as np
from scipy.linalg import lu_factor, lu_solve
from scipy.spatial.distance import cdist


def normal_equations(zeta, Y, nodes, width, penalty):
    K = np.exp(-cdist(zeta, nodes, "sqeuclidean") / (2 * width**2))
    Kz = np.exp(-cdist(nodes, nodes, "sqeuclidean") / (2 * width**2))
    return np.linalg.solve(K.T @ K + len(Y) * penalty / 2 * Kz, K.T @ Y)


def slope_of_the_mean(zeta, Y, nodes, width, penalty):
    def k(a, b):
        return np.array([[np.exp(-np.sum((p - r) ** 2) / 2 / width**2) for r in b] for p in a])

    Kc, Kn = k(zeta, nodes), k(nodes, nodes)
    left = 2 / len(zeta) * Kc.T.dot(Kc) + penalty * Kn
    right = 2 / len(zeta) * Kc.T.dot(Y)
    return lu_solve(lu_factor(left), right)


def column_by_column(zeta, Y, nodes, width, penalty):
    N, M, d = len(zeta), len(nodes), Y.shape[1]
    A, b = np.zeros((M, M)), np.zeros((M, d))
    for n in range(N):
        row = np.exp(-((nodes - zeta[n]) ** 2).sum(axis=1) / (2 * width**2))
        A += np.outer(row, row) / N
        b += np.outer(row, Y[n]) / N
    for j in range(M):
        A[:, j] += penalty / 2 * np.exp(-((nodes - nodes[j]) ** 2).sum(axis=1) / (2 * width**2))
    return np.column_stack([np.linalg.solve(A, b[:, c]) for c in range(d)])


def sum_instead_of_mean(zeta, Y, nodes, width, penalty):
    K = np.exp(-cdist(zeta, nodes) ** 2 / (2 * width**2))
    Kz = np.exp(-cdist(nodes, nodes) ** 2 / (2 * width**2))
    return np.linalg.solve(K.T @ K + penalty / 2 * Kz, K.T @ Y)


def counts_the_nodes(zeta, Y, nodes, width, penalty):
    kernel = lambda a, b: np.exp(-((a[:, None] - b[None]) ** 2).sum(-1) / (2 * width**2))
    K, Kz = kernel(zeta, nodes), kernel(nodes, nodes)
    N = len(Kz)
    return np.linalg.solve(K.T @ K + N * penalty / 2 * Kz, K.T @ Y)


def ridge(zeta, Y, nodes, width, penalty):
    K = np.exp(-cdist(zeta, nodes, "sqeuclidean") / (2 * width**2))
    I = np.eye(len(nodes))
    return np.linalg.solve(K.T @ K + penalty * len(zeta) / 2 * I, K.T @ Y)


def multiplied_away_the_transpose(zeta, Y, nodes, width, penalty):
    K = np.exp(-cdist(zeta, nodes, "sqeuclidean") / (2 * width**2))
    Kz = np.exp(-cdist(nodes, nodes, "sqeuclidean") / (2 * width**2))
    A = K + len(Y) * penalty / 2 * Kz
    return np.linalg.solve(A, Y)


def centred_and_narrow(zeta, Y, nodes, width, penalty):
    K = np.exp(-cdist(zeta, nodes, "sqeuclidean") / width**2)
    Kz = np.exp(-cdist(nodes, nodes, "sqeuclidean") / width**2)
    Y = Y - Y.mean(axis=0)
    return np.linalg.solve(K.T @ K + len(Y) * penalty / 2 * Kz, K.T @ Y)


def whole_penalty_with_minus(zeta, Y, nodes, width, penalty):
    s = 2 * width**2
    K = np.exp(-cdist(zeta, nodes, "sqeuclidean") / s)
    Kz = np.exp(-cdist(nodes, nodes, "sqeuclidean") / s)
    A = K.T @ K - len(Y) * penalty * Kz
    return np.linalg.lstsq(A, K.T @ Y, rcond=None)[0]


RIGHT = [normal_equations, slope_of_the_mean, column_by_column]
WRONG = [
    (sum_instead_of_mean, ["forgot the number of points N at the penalty (sum instead of mean of the errors)"]),
    (counts_the_nodes, ["multiplies the penalty by the number of nodes instead of the number of points"]),
    (ridge, ["puts the identity matrix in place of K_z in the penalty"]),
    (multiplied_away_the_transpose, ["cancels K_zeta^T from the system as if it were square, so it solves (K_zeta + N lambda/2 K_z) alpha = Y"]),
    (centred_and_narrow, ["forgot the factor 2 in the kernel's exponent", "subtracts the mean of the data, although there is no constant"]),
    (whole_penalty_with_minus, ["lost the factor 1/2 of the penalty", "the penalty has the wrong sign"]),
]
