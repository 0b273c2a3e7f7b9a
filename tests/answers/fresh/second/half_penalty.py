"""Fresh answers to `half_penalty`."""
import numpy as np


def plain(nodes, V, K, penalty):
    M = len(nodes)
    aims = (nodes - nodes.mean(axis=0)) @ V.T
    return np.linalg.solve(K + penalty * M / 2 * np.eye(M), aims)


def through_eigenvectors(nodes, V, K, penalty):
    M = nodes.shape[0]
    z0 = nodes.sum(axis=0) / M
    aims = np.array([V @ (z - z0) for z in nodes])
    lam, U = np.linalg.eigh(K)
    return U @ np.diag(1 / (lam + 0.5 * M * penalty)) @ U.T @ aims


def scaled_system(nodes, V, K, penalty):
    M, d = len(nodes), V.shape[0]
    A = K / M
    A[np.diag_indices(M)] += penalty / 2
    centred = nodes - np.mean(nodes, axis=0, keepdims=True)
    alpha = np.zeros((M, d))
    for c in range(d):
        alpha[:, c] = np.linalg.solve(A, centred @ V[c] / M)
    return alpha


def scalar_mean(nodes, V, K, penalty):
    M = len(nodes)
    aims = (nodes - nodes.mean()) @ V.T
    return np.linalg.solve(K + penalty * M / 2 * np.eye(M), aims)


def unit_directions(nodes, V, K, penalty):
    M = len(nodes)
    U = V / np.linalg.norm(V, axis=0)
    aims = (nodes - nodes.mean(axis=0)) @ U.T
    return np.linalg.solve(K + penalty * M / 2 * np.eye(M), aims)


def columns_are_points(nodes, V, K, penalty):
    M = len(nodes)
    aims = V @ (nodes - nodes.mean(axis=0))
    return np.linalg.solve(K + penalty * M / 2 * np.eye(M), aims.T)


def one_sided_division(nodes, V, K, penalty):
    M = len(nodes)
    aims = (nodes - nodes.mean(axis=0)) @ V.T
    left = 2 / M * K @ K + penalty * K
    return np.linalg.lstsq(left, 2 / M * aims, rcond=None)[0]


def midrange_and_dimension(nodes, V, K, penalty):
    z0 = (nodes.min(axis=0) + nodes.max(axis=0)) / 2
    aims = (nodes - z0) @ V.T
    return np.linalg.solve(K + penalty * len(V) / 2 * np.eye(len(K)), aims)


def interpolate_then_shrink(nodes, V, K, penalty):
    M = len(nodes)
    aims = nodes @ V.T
    alpha = np.linalg.lstsq(K, aims, rcond=None)[0]
    return alpha / (1 + penalty * M / 2)


RIGHT = [plain, through_eigenvectors, scaled_system]
WRONG = [
    (scalar_mean, ["takes the mean of all coordinates of all nodes (no axis), a single number, for z_0"]),
    (unit_directions, ["scales the columns of V to length one, so the aims lose their size"]),
    (columns_are_points, ["multiplies V with the nodes as rows, without the transposition"]),
    (one_sided_division, ["forgets the factor K on the right-hand side when setting the slope to zero"]),
    (midrange_and_dimension, ["takes the middle between the extreme nodes for their mean", "multiplies the penalty by the dimension of the data instead of the number of nodes"]),
    (interpolate_then_shrink, ["does not subtract the mean of the nodes", "interpolates the aims and shrinks the coefficients afterwards, instead of adding the penalty to K"]),
]
