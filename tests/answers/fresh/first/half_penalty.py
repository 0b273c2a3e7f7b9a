"""Fresh answers to `half_penalty`."""
import numpy as np
import scipy.linalg


def cancelled_K(nodes, V, K, penalty):
    M = len(nodes)
    aims = (nodes - nodes.mean(axis=0)) @ V.T
    return np.linalg.solve(K + penalty * M / 2 * np.eye(M), aims)


def aim_by_aim(nodes, V, K, penalty):
    z0 = sum(nodes) / len(nodes)
    aims = [V @ (z - z0) for z in nodes]
    A = K.astype(float)
    for i in range(len(nodes)):
        A[i, i] += len(nodes) * penalty / 2
    return np.linalg.inv(A) @ np.array(aims)


def by_eigenvectors(nodes, V, K, penalty):
    M = len(nodes)
    aims = np.einsum("dq,iq->id", V, nodes - nodes.mean(axis=0, keepdims=True))
    lam, U = scipy.linalg.eigh(K)
    return U @ ((U.T @ aims) / (lam + 0.5 * M * penalty)[:, None])


def as_printed(nodes, V, K, penalty):
    aims = (nodes - nodes.mean(axis=0)) @ V.T
    return np.linalg.solve(penalty / 2 * np.eye(len(K)) + K, aims)


def no_half(nodes, V, K, penalty):
    M = len(nodes)
    aims = (V @ (nodes - nodes.mean(axis=0)).T).T
    return np.linalg.solve(K + M * penalty * np.eye(M), aims)


def not_centred(nodes, V, K, penalty):
    M = K.shape[0]
    A = K + 0.5 * penalty * M * np.identity(M)
    return scipy.linalg.solve(A, nodes @ V.T)


def V_as_it_is(nodes, V, K, penalty):
    M = len(nodes)
    z0 = nodes.mean(axis=0)
    return np.linalg.solve(K + M * penalty / 2 * np.eye(M), (nodes - z0) @ V)


def K_for_one(nodes, V, K, penalty):
    M = len(nodes)
    aims = (nodes - nodes[0]) @ V.T
    A = K + M * penalty / 2 * K
    return np.linalg.lstsq(A, aims, rcond=None)[0]


def one_mean_for_all(nodes, V, K, penalty):
    M = len(nodes)
    d = V.shape[0]
    aims = (nodes - np.mean(nodes)) @ V.T
    return np.linalg.solve(K + d * penalty / 2 * np.eye(M), aims)


RIGHT = [cancelled_K, aim_by_aim, by_eigenvectors]
WRONG = [
    (as_printed, ["solves the printed system: the number of nodes M is missing beside the penalty"]),
    (no_half, ["forgot the factor 1/2 of Q"]),
    (not_centred, ["does not subtract the mean of the nodes in the aims"]),
    (V_as_it_is, ["multiplies the nodes by V instead of its transpose"]),
    (K_for_one, ["puts K in place of the identity matrix in the penalty", "subtracts the first node instead of the mean of the nodes"]),
    (one_mean_for_all, ["takes one mean over all coordinates of the nodes instead of one for each", "multiplies the penalty by the dimension d instead of the number of nodes M"]),
]
