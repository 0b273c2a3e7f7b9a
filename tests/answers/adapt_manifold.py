"""Right and wrong answers to the exercise `adapt_manifold`, as learners write them."""

import math

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.spatial.distance import cdist


def k(a, b, width):
    return np.exp(-((cdist(a, b) / width) ** 2) / 2)


def by_loops(zeta, Y, nodes, width, penalty):
    bump = lambda a, b: math.exp(-sum((a - b) ** 2) / (2 * width**2))
    m, M = len(Y), len(nodes)
    A = np.zeros((M, M))
    for i in range(M):
        for j in range(M):
            A[i, j] = penalty * m / 2 * bump(nodes[i], nodes[j])
            A[i, j] += sum(bump(z, nodes[i]) * bump(z, nodes[j]) for z in zeta)
    B = [[sum(bump(zeta[n], node) * y[n] for n in range(m)) for y in Y.T] for node in nodes]
    return np.linalg.solve(A, B).tolist()


def with_inverse_and_mean(zeta, Y, nodes, width, penalty):
    K = k(zeta, nodes, width)
    A = penalty / 2 * k(nodes, nodes, width) + K.T @ K / len(Y)
    return np.linalg.inv(A) @ K.T @ Y / len(Y)


def as_least_squares(zeta, Y, nodes, width, penalty):
    """The penalty as more rows of a tall system."""
    root = np.linalg.cholesky(k(nodes, nodes, width)).T
    tall = np.vstack([k(zeta, nodes, width), math.sqrt(penalty * len(Y) / 2) * root])
    return np.linalg.lstsq(tall, np.vstack([Y, np.zeros((len(nodes), Y.shape[1]))]), rcond=None)[0]


def in_single_precision(zeta, Y, nodes, width, penalty):
    zeta, Y, nodes = (a.astype(np.float32) for a in (zeta, Y, nodes))
    squares = lambda a, b: np.sum((a[:, None] - b) ** 2, axis=-1)
    K = np.exp(squares(zeta, nodes) / np.float32(-2 * width**2))
    K_z = np.exp(squares(nodes, nodes) / np.float32(-2 * width**2))
    return np.linalg.solve(K.T @ K + np.float32(penalty * len(Y) / 2) * K_z, K.T @ Y)


def by_einsum_and_cholesky(zeta, Y, nodes, width, penalty):
    K = k(zeta, nodes, width)
    A = np.einsum("ni,nj->ij", K, K)
    A += 0.5 * penalty * Y.shape[0] * k(nodes, nodes, width)
    return cho_solve(cho_factor(A), np.einsum("nj,nd->jd", K, Y))


def column_by_column(zeta, Y, nodes, width, penalty):
    K, K_z = k(zeta, nodes, width), k(nodes, nodes, width)
    A = K.T.dot(K) + 0.5 * penalty * len(zeta) * K_z
    return np.column_stack([np.linalg.solve(A, K.T.dot(y)) for y in Y.T])


RIGHT = [
    by_loops,
    with_inverse_and_mean,
    as_least_squares,
    in_single_precision,
    by_einsum_and_cholesky,
    column_by_column,
]


def _solved(left=None, right=None, kernel=k):
    """One piece of (33) exchanged; m points, M nodes."""

    def answer(zeta, Y, nodes, width, penalty):
        K, G, m = kernel(zeta, nodes, width), kernel(nodes, nodes, width), len(zeta)
        A = K.T @ K + penalty * m / 2 * G if left is None else left(K, G, penalty, m)
        B = K.T @ Y if right is None else right(K, G, Y)
        return np.linalg.pinv(A) @ B

    return answer


def sklearn_ridge(zeta, Y, nodes, width, penalty):
    from sklearn.linear_model import Ridge

    return Ridge(alpha=penalty, fit_intercept=False).fit(k(zeta, nodes, width), Y).coef_.T


def with_constant(zeta, Y, nodes, width, penalty):
    K = k(zeta, nodes, width)
    C = np.eye(len(Y)) - 1 / len(Y)
    return np.linalg.inv(K.T @ C @ K + penalty * len(Y) / 2 * k(nodes, nodes, width)) @ K.T @ C @ Y


def kernel_of_points(zeta, Y, nodes, width, penalty):
    """K of the codes with each other: N x N does not fit."""
    K = k(zeta, nodes, width)
    return np.linalg.solve(K.T @ K + penalty * len(Y) / 2 * k(zeta, zeta, width), K.T @ Y)


def transposed(zeta, Y, nodes, width, penalty):
    return by_einsum_and_cholesky(zeta, Y, nodes, width, penalty).T


def curve_at_points(zeta, Y, nodes, width, penalty):
    return k(zeta, nodes, width) @ column_by_column(zeta, Y, nodes, width, penalty)


def scales_in_place(zeta, Y, nodes, width, penalty):
    zeta /= width
    return column_by_column(zeta, Y, nodes / width, 1.0, penalty)


def kernel_times_k_twice(zeta, Y, nodes, width, penalty):
    G = k(nodes, nodes, width)
    return _solved(lambda K, _, p, m: K.T @ K + p * m / 2 * G.T @ G)(zeta, Y, nodes, width, penalty)


def root_of_penalty(zeta, Y, nodes, width, penalty):
    """No known mistake: the property speaks."""
    return column_by_column(zeta, Y, nodes, width, math.sqrt(penalty))


def first_row_only(zeta, Y, nodes, width, penalty):
    return column_by_column(zeta[1:], Y[1:], nodes, width, penalty)


WRONG = [
    ("lambda_alone", _solved(lambda K, G, p, m: K.T @ K + p * G)),
    ("half_forgotten", _solved(lambda K, G, p, m: K.T @ K + p * m * G)),
    ("sum_for_mean", _solved(lambda K, G, p, m: 2 * K.T @ K + p * G, lambda K, G, Y: 2 * K.T @ Y)),
    ("nodes_for_points", _solved(lambda K, G, p, m: K.T @ K + p * len(G) / 2 * G)),
    ("half_twice", _solved(lambda K, G, p, m: K.T @ K + p * m / 4 * G)),
    ("divided_by_points", _solved(lambda K, G, p, m: K.T @ K + p / 2 / m * G)),
    ("lambda_over_points", _solved(lambda K, G, p, m: K.T @ K + p / m * G)),
    ("ridge", _solved(lambda K, G, p, m: K.T @ K + p * m / 2 * np.eye(len(G)))),
    ("plain_ridge", sklearn_ridge),
    ("codes_for_nodes", _solved(lambda K, G, p, m: (1 + p * m / 2) * K.T @ K)),
    ("nodes_for_codes", _solved(lambda K, G, p, m: G.T @ G + p * m / 2 * G)),
    ("swapped", _solved(lambda K, G, p, m: G.T @ G + p * m / 2 * K.T @ K)),
    ("kernel_squared", kernel_times_k_twice),
    ("kernel_on_left", _solved(lambda K, G, p, m: G + p * m / 2 * np.eye(len(G)))),
    ("penalty_forgotten", _solved(lambda K, G, p, m: K.T @ K)),
    ("lambda_forgotten", _solved(lambda K, G, p, m: K.T @ K + m / 2 * G)),
    ("penalty_subtracted", _solved(lambda K, G, p, m: K.T @ K - p * m / 2 * G)),
    ("penalty_squared", _solved(lambda K, G, p, m: K.T @ K + p * p * m / 2 * G)),
    (
        "right_divided",
        _solved(lambda K, G, p, m: K.T @ K + p / 2 * G, lambda K, G, Y: K.T @ Y / len(Y)),
    ),
    ("left_divided", _solved(lambda K, G, p, m: K.T @ K / m + p / 2 * G)),
    ("centred", with_constant),
    ("data_centred", _solved(right=lambda K, G, Y: K.T @ (Y - Y.mean(axis=0)))),
    ("values", curve_at_points),
    ("half_missing", _solved(kernel=lambda a, b, s: np.exp(-((cdist(a, b) / s) ** 2)))),
    ("width_not_squared", _solved(kernel=lambda a, b, s: np.exp(-(cdist(a, b) ** 2) / 2 / s))),
    ("distance_not_squared", _solved(kernel=lambda a, b, s: np.exp(-cdist(a, b) / 2 / s**2))),
    ("kernel_of_codes", kernel_of_points),
    ("slip: alpha", transposed),
    ("changes_input", scales_in_place),
    ("penalty_rooted", root_of_penalty),
    ("slope_left", first_row_only),
    ("ridge", _solved(lambda K, G, p, m: K.T @ K + p * m / 2 * np.diag(np.diag(G)))),
]
