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


def by_cholesky(nodes, V, K, penalty):
    A = K + np.diag(np.full(len(K), 0.5 * penalty * len(K)))
    return cho_solve(cho_factor(A), (nodes - nodes.mean(axis=0)) @ V.T)


def in_single_precision(nodes, V, K, penalty):
    nodes, V, K = (a.astype(np.float32) for a in (nodes, V, K))
    A = K + np.float32(penalty * len(K) / 2) * np.eye(len(K), dtype=np.float32)
    return np.linalg.solve(A, (nodes - nodes.mean(axis=0)) @ V.T)


RIGHT = [plain, uncancelled, by_eigenvectors, by_cholesky, in_single_precision]


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
    ("penalty_subtracted", _start(factor=lambda p, M: -p * M / 2)),
    ("slip: alpha", turned),
    ("v_not_transposed", with_rows_of_v),
    ("changes_input", nodes_in_place),
    ("changes_input", kernel_in_place),
    ("slope_left", root_of_penalty),
    # written with fresh eyes, from the exercise's text alone
    ("nodes_not_centred", uncentred_and_doubled),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    as_printed half_forgotten half_and_m_forgotten divided_by_m over_m added_everywhere
    added_everywhere kernel_in_penalty plane_returned independent_nodes independent_nodes
    nodes_not_centred one_mean_for_all rows_centred first_node values_returned values_returned
    multiplied entries_inverted data_dimension
""".split()
