"""Right and wrong answers to the exercise `adapt_manifold`, as learners write them."""

import math

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.spatial.distance import cdist


def k(a, b, width):
    return np.exp(-((cdist(a, b) / width) ** 2) / 2)


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
    by_einsum_and_cholesky,
    column_by_column,
    with_inverse_and_mean,
    as_least_squares,
    in_single_precision,
]


def _solved(left=None, right=None, kernel=k):
    """One piece of (33) exchanged; m points, M nodes."""

    def answer(zeta, Y, nodes, width, penalty):
        K, G, m = kernel(zeta, nodes, width), kernel(nodes, nodes, width), len(zeta)
        A = K.T @ K + penalty * m / 2 * G if left is None else left(K, G, penalty, m)
        B = K.T @ Y if right is None else right(K, G, Y)
        return np.linalg.pinv(A) @ B

    return answer


def kernel_of_points(zeta, Y, nodes, width, penalty):
    """K of the codes with each other: N x N does not fit."""
    K = k(zeta, nodes, width)
    return np.linalg.solve(K.T @ K + penalty * len(Y) / 2 * k(zeta, zeta, width), K.T @ Y)


def transposed(zeta, Y, nodes, width, penalty):
    return by_einsum_and_cholesky(zeta, Y, nodes, width, penalty).T


def scales_in_place(zeta, Y, nodes, width, penalty):
    zeta /= width
    return column_by_column(zeta, Y, nodes / width, 1.0, penalty)


def first_row_only(zeta, Y, nodes, width, penalty):
    return column_by_column(zeta[1:], Y[1:], nodes, width, penalty)


WRONG = [
    ("penalty_subtracted", _solved(lambda K, G, p, m: K.T @ K - p * m / 2 * G)),
    ("kernel_of_codes", kernel_of_points),
    ("slip: alpha", transposed),
    ("changes_input", scales_in_place),
    ("slope_left", first_row_only),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    lambda_alone half_forgotten sum_for_mean nodes_for_points lambda_over_points ridge plain_ridge
    codes_for_nodes nodes_for_codes kernel_squared kernel_on_left penalty_forgotten penalty_squared
    right_divided left_divided centred data_centred values half_missing width_not_squared
    distance_not_squared penalty_rooted ridge
""".split()
