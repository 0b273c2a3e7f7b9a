"""Right and wrong answers to the exercise `half_penalty`, as learners write them."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve


def plain(nodes, V, K, penalty):
    M = len(nodes)
    T = (nodes - nodes.mean(axis=0)) @ V.T
    return np.linalg.solve(penalty * M / 2 * np.eye(M) + K, T)


def uncancelled(nodes, V, K, penalty):
    """The slope with its K on both sides."""
    M = len(K)
    T = (V @ (nodes - np.mean(nodes, axis=0)).T).T
    return np.linalg.lstsq(2 / M * K @ K + penalty * K, 2 / M * K @ T, rcond=None)[0]


def by_eigenvectors(nodes, V, K, penalty):
    values, U = np.linalg.eigh(K)
    T = np.einsum("mq,dq->md", nodes - nodes.mean(0), V)
    return U @ ((U.T @ T) / (values + penalty * len(K) / 2)[:, None])


def column_by_column(nodes, V, K, penalty):
    A = K.copy()
    for j in range(len(A)):
        A[j, j] += penalty * len(A) / 2
    z_0 = sum(nodes) / len(nodes)
    alpha = np.zeros((len(nodes), len(V)))
    for k in range(len(V)):
        alpha[:, k] = np.linalg.inv(A) @ [V[k] @ (z - z_0) for z in nodes]
    return alpha.tolist()


def by_cholesky(nodes, V, K, penalty):
    A = K + np.diag(np.full(len(K), 0.5 * penalty * len(K)))
    return cho_solve(cho_factor(A), (nodes - nodes.mean(axis=0)) @ V.T)


def in_single_precision(nodes, V, K, penalty):
    nodes, V, K = (a.astype(np.float32) for a in (nodes, V, K))
    A = K + np.float32(penalty * len(K) / 2) * np.eye(len(K), dtype=np.float32)
    return np.linalg.solve(A, (nodes - nodes.mean(axis=0)) @ V.T)


def node_by_node(nodes, V, K, penalty):
    z0 = sum(nodes) / len(nodes)
    T = np.array([V @ (z - z0) for z in nodes])
    w, U = np.linalg.eigh(K)
    return U @ ((U.T @ T) / (w + len(nodes) * penalty / 2)[:, None])


RIGHT = [
    plain,
    uncancelled,
    by_eigenvectors,
    column_by_column,
    by_cholesky,
    in_single_precision,
    node_by_node,
]


def _start(
    factor=lambda p, M: p * M / 2,
    one=np.eye,
    left=lambda K: K,
    right=lambda K, T: T,
    middle=lambda z: z.mean(axis=0),
    end=np.linalg.solve,
):
    """`plain`, with one piece exchanged."""

    def start(nodes, V, K, penalty):
        M = len(nodes)
        T = (nodes - middle(nodes)) @ V.T
        return end(factor(penalty, M) * one(M) + left(K), right(K, T))

    return start


def ridge(nodes, V, K, penalty):
    from sklearn.linear_model import Ridge

    T = (nodes - nodes.mean(axis=0)) @ V.T
    fitted = Ridge(alpha=penalty * len(nodes) / 2, fit_intercept=False).fit(K, T)
    return np.reshape(fitted.coef_, (len(V), -1)).T


def as_in_33(nodes, V, K, penalty):
    """(33) with nodes as codes; its m taken for the number of data columns."""
    T = (nodes - nodes.mean(axis=0)) @ V.T
    d = len(V)
    return np.linalg.solve(penalty * d / 2 * K + K.T @ K, K.T @ T)


def kernel_twice(nodes, V, K, penalty):
    T = (nodes - nodes.mean(axis=0)) @ V.T
    return np.linalg.solve(K + penalty * len(nodes) / 2 * K, T)


def values_of_f(nodes, V, K, penalty):
    return K @ plain(nodes, V, K, penalty)


def turned(nodes, V, K, penalty):
    return plain(nodes, V, K, penalty).T


def with_rows_of_v(nodes, V, K, penalty):
    return np.linalg.solve(K + penalty * len(K) / 2 * np.eye(len(K)), (nodes - nodes.mean(0)) @ V)


def nodes_in_place(nodes, V, K, penalty):
    nodes -= nodes.mean(axis=0)
    return np.linalg.solve(K + penalty * len(K) / 2 * np.eye(len(K)), nodes @ V.T)


def kernel_in_place(nodes, V, K, penalty):
    K[np.diag_indices(len(K))] += penalty * len(K) / 2
    return np.linalg.solve(K, (nodes - nodes.mean(axis=0)) @ V.T)


def root_of_penalty(nodes, V, K, penalty):
    """No known mistake: the properties speak."""
    return plain(nodes, V, K, np.sqrt(penalty))


def uncentred_and_doubled(nodes, V, K, penalty):
    """Two mistakes: z_0 and the half are missing."""
    M = len(nodes)
    return np.linalg.solve(K + penalty * M * np.eye(M), nodes @ V.T)


WRONG = [
    ("as_printed", _start(factor=lambda p, M: p / 2)),
    ("half_forgotten", _start(factor=lambda p, M: p * M)),
    ("half_and_m_forgotten", _start(factor=lambda p, M: p)),
    ("divided_by_m", _start(factor=lambda p, M: p / M / 2)),
    ("over_m", _start(factor=lambda p, M: p / M)),
    ("quarter", _start(factor=lambda p, M: p * M / 4)),
    ("doubled", _start(factor=lambda p, M: 2 * p * M)),
    ("penalty_forgotten", _start(factor=lambda p, M: 0)),
    ("penalty_subtracted", _start(factor=lambda p, M: -p * M / 2)),
    ("added_everywhere", _start(one=lambda M: 1)),
    ("added_everywhere", _start(one=lambda M: np.ones((M, M)))),
    ("kernel_in_penalty", kernel_twice),
    ("plane_returned", _start(end=lambda A, T: T)),
    ("independent_nodes", ridge),
    ("independent_nodes", _start(left=lambda K: K @ K, right=lambda K, T: K @ T)),
    ("nodes_not_centred", _start(middle=lambda z: 0)),
    ("one_mean_for_all", _start(middle=np.mean)),
    ("rows_centred", _start(middle=lambda z: z.mean(axis=1)[:, None])),
    ("first_node", _start(middle=lambda z: z[:1])),
    ("values_returned", _start(right=lambda K, T: K @ T)),
    ("values_returned", values_of_f),
    ("multiplied", _start(end=lambda A, T: A @ T)),
    ("entries_inverted", _start(end=lambda A, T: A**-1.0 @ T)),
    ("slip: alpha", turned),
    ("v_not_transposed", with_rows_of_v),
    ("changes_input", nodes_in_place),
    ("changes_input", kernel_in_place),
    ("data_dimension", as_in_33),
    ("slope_left", root_of_penalty),
    # written with fresh eyes, from the exercise's text alone
    ("nodes_not_centred", uncentred_and_doubled),
]
