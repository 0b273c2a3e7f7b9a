"""Fresh answers to `half_penalty`."""
import numpy as np


def direct(nodes, V, K, penalty):
    M = len(nodes)
    aims = (nodes - nodes.mean(axis=0)) @ V.T
    return np.linalg.solve(K + M * penalty / 2 * np.eye(M), aims)


def by_eigenvectors(nodes, V, K, penalty):
    aims = np.array([V @ (z - np.mean(nodes, axis=0)) for z in nodes])
    kappa, U = np.linalg.eigh(K)
    return U @ ((U.T @ aims) / (kappa + 0.5 * penalty * len(nodes))[:, None])


def both_sides_divided(nodes, V, K, penalty):
    z0 = sum(nodes) / len(nodes)
    A = np.array(K, dtype=float) * (2 / len(nodes))
    for i in range(len(nodes)):
        A[i, i] += penalty
    B = np.einsum("dq,iq->id", V, nodes - z0) * 2 / len(nodes)
    return np.linalg.inv(A) @ B


def as_printed(nodes, V, K, penalty):
    Z = nodes - nodes.mean(axis=0)
    return np.linalg.solve(penalty / 2 * np.eye(len(K)) + K, Z @ V.T)


def half_in_q_forgotten(nodes, V, K, penalty):
    M = len(nodes)
    aims = (nodes - nodes.mean(axis=0)).dot(V.T)
    A = K + M * penalty * np.identity(M)
    return np.linalg.solve(A, aims)


def one_mean_for_all(nodes, V, K, penalty):
    M = nodes.shape[0]
    aims = (nodes - np.mean(nodes)) @ V.T
    return np.linalg.solve(K + penalty * M / 2 * np.eye(M), aims)


def v_not_transposed(nodes, V, K, penalty):
    M = len(nodes)
    aims = (nodes - nodes.mean(axis=0)) @ V
    return np.linalg.solve(K + M * penalty / 2 * np.eye(M), aims)


def kernel_twice_not_centred(nodes, V, K, penalty):
    M = len(nodes)
    aims = nodes @ V.T
    return np.linalg.solve(K + M * penalty / 2 * K, aims)


def values_with_m_below(nodes, V, K, penalty):
    M = len(nodes)
    aims = (nodes - nodes.mean(axis=0)) @ V.T
    alpha = np.linalg.solve(K + penalty / (2 * M) * np.eye(M), aims)
    return K @ alpha


RIGHT = [direct, by_eigenvectors, both_sides_divided]
WRONG = [
    (as_printed, ["took the printed system, without the number of nodes M at the penalty"]),
    (half_in_q_forgotten, ["lost the factor 1/2: M lambda instead of M lambda / 2"]),
    (one_mean_for_all, ["subtracts the mean of all numbers in nodes instead of the mean of each column"]),
    (v_not_transposed, ["multiplies by V instead of its transpose for the aims"]),
    (kernel_twice_not_centred, ["adds the penalty times K instead of the identity", "does not subtract the mean of the nodes in the aims"]),
    (values_with_m_below, ["divides the penalty by M instead of multiplying", "returns the values f(z_i) = K alpha instead of alpha"]),
]
