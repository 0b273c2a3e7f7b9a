"""Fresh answers to `half_penalty`."""
import numpy as np


def derived(nodes, V, K, penalty):
    aims = (nodes - nodes.mean(axis=0)) @ V.T
    M = len(nodes)
    return np.linalg.solve(K + penalty * M / 2 * np.eye(M), aims)


def by_eigenvectors(nodes, V, K, penalty):
    M = nodes.shape[0]
    T = np.array([V @ (z - np.mean(nodes, axis=0)) for z in nodes])
    l, U = np.linalg.eigh(K)
    return U @ ((U.T @ T) / (l + M * penalty / 2)[:, None])


def coordinate_by_coordinate(nodes, V, K, penalty):
    M, q = nodes.shape
    d = V.shape[0]
    z0 = [sum(nodes[:, j]) / M for j in range(q)]
    A = 2 / M * np.array(K, dtype=float)
    A[np.arange(M), np.arange(M)] += penalty
    alpha = np.zeros((M, d))
    for k in range(d):
        aim = np.zeros(M)
        for i in range(M):
            aim[i] = sum(V[k, j] * (nodes[i, j] - z0[j]) for j in range(q))
        alpha[:, k] = np.linalg.solve(A, 2 / M * aim)
    return alpha


def trusting_the_paper(nodes, V, K, penalty):
    Z0 = nodes.mean(axis=0)
    return np.linalg.solve(penalty / 2 * np.eye(len(K)) + K, (nodes - Z0) @ V.T)


def without_half(nodes, V, K, penalty):
    M = len(nodes)
    aims = np.einsum("dq,mq->md", V, nodes - nodes.mean(axis=0))
    return np.linalg.solve(K + penalty * M * np.eye(M), aims)


def aims_from_zero(nodes, V, K, penalty):
    M = len(nodes)
    aims = nodes @ V.T
    A = K.copy().astype(float)
    A[np.diag_indices(M)] += penalty * M / 2
    return np.linalg.solve(A, aims)


def times_v(nodes, V, K, penalty):
    centred = nodes - nodes.mean(axis=0)
    aims = centred @ V
    M = len(nodes)
    return np.linalg.solve(K + M * penalty / 2 * np.eye(M), aims)


def from_first_node(nodes, V, K, penalty):
    M = len(nodes)
    aims = (nodes - nodes[0]) @ V.T
    return np.linalg.solve(K + penalty / (2 * M) * np.eye(M), aims)


def unit_directions(nodes, V, K, penalty):
    M = len(nodes)
    directions = V / np.linalg.norm(V, axis=0)
    aims = (nodes - nodes.mean(axis=0)) @ directions.T
    return np.linalg.solve(K + M * penalty / 2 * K, aims)


RIGHT = [derived, by_eigenvectors, coordinate_by_coordinate]
WRONG = [
    (trusting_the_paper, ["takes the printed system: λ/2 without the number of nodes M"]),
    (without_half, ["forgot the factor 1/2 of Q: the penalty enters with λM instead of λM/2"]),
    (aims_from_zero, ["does not subtract the mean z_0 of the nodes in the aims"]),
    (times_v, ["multiplies the nodes by V instead of its transpose"]),
    (from_first_node, ["divides the penalty by the number of nodes instead of multiplying: λ/(2M)", "measures the aims from the first node instead of the mean of the nodes"]),
    (unit_directions, ["keeps K in the penalty term although it was cancelled elsewhere: K instead of the identity matrix", "makes the columns of V unit vectors, so that the standard deviations are lost"]),
]
