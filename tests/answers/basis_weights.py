"""Answers to exercise 3, the weights as a matrix."""

import math

import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.special import softmax


def in_plain_loops(latent):
    rows = []
    for x in latent:
        values = [
            math.exp(-sum((a - b) ** 2 for a, b in zip(x, z, strict=True)) / 2) for z in latent
        ]
        total = sum(values)
        rows.append([value / total for value in values])
    return rows


def as_softmax(X):
    return softmax(-0.5 * cdist(X, X) ** 2, axis=1)


def with_einsum(X):
    difference = X[:, None, :] - X[None, :, :]
    K = np.exp(-np.einsum("nmq,nmq->nm", difference, difference) / 2)
    return np.einsum("nm,n->nm", K, 1 / np.einsum("nm->n", K))


def from_pairs(X):
    K = squareform(np.exp(-pdist(X, "sqeuclidean") / 2)) + np.eye(len(X))
    return (K / K.sum(axis=0)).T


def in_single_precision(X):
    X = (X - X.mean(axis=0)).astype(np.float32)
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2)
    return K / K.sum(axis=1)[:, np.newaxis]


def in_place_on_its_own(X):
    X = np.array(X, dtype=float, copy=True)
    if X.ndim != 2:
        raise ValueError("X must have rows and columns")
    X -= X[0]
    B = np.empty((len(X), len(X)))
    for n in range(len(X)):
        B[n] = np.exp(-0.5 * np.sum((X - X[n]) ** 2, axis=1))
        B[n] /= B[n].sum()
    return B


RIGHT = [
    in_plain_loops,
    as_softmax,
    with_einsum,
    from_pairs,
    in_single_precision,
    in_place_on_its_own,
]


def _looped(kernel, skip_itself=False):
    def weights(X):
        N = len(X)
        B = np.zeros((N, N))
        for n in range(N):
            for m in range(N):
                if not (skip_itself and n == m):
                    B[n, m] = kernel(math.dist(X[n], X[m]))
            B[n, :] /= B[n, :].sum()
        return B

    return weights


def gauss(r):
    return np.exp(-0.5 * r**2)


def without_keepdims(X):
    K = gauss(cdist(X, X))
    return K / K.sum(axis=1)


def sums_of_columns(X):
    K = gauss(cdist(X, X))
    for m in range(len(X)):
        K[:, m] = K[:, m] / K[:, m].sum()
    return K


def shares_of_everything(X):
    K = gauss(cdist(X, X))
    return K / np.sum(K)


def only_kernels(X):
    K = np.zeros((len(X), len(X)))
    for n, x in enumerate(X):
        for m, z in enumerate(X):
            K[n, m] = math.exp(-((x - z) @ (x - z)) / 2)
    return K


def upper_half_only(X):
    N = len(X)
    K = np.zeros((N, N))
    for n in range(N):
        for m in range(n, N):
            K[n, m] = gauss(math.dist(X[n], X[m]))
    return K / K.sum(axis=1, keepdims=True)


def diagonal_filled_with_zero(X):
    K = gauss(cdist(X, X))
    np.fill_diagonal(K, 0)
    return K / K.sum(axis=1, keepdims=True)


def diagonal_zero_at_the_end(X):
    K = gauss(cdist(X, X))
    B = K / K.sum(axis=1, keepdims=True)
    for n in range(len(B)):
        B[n][n] = 0
    return B


def by_the_mean_of_the_row(X):
    K = gauss(cdist(X, X))
    return K / K.mean(axis=1, keepdims=True)


def by_the_greatest(X):
    K = gauss(cdist(X, X))
    return K / K.max(axis=1, keepdims=True)


def laplacian_habit(X):
    K = gauss(cdist(X, X))
    D = np.diag(K.sum(axis=1) ** -0.5)
    return D @ K @ D


def centres_in_place(X):
    X -= X.mean(axis=0)
    return softmax(-(cdist(X, X) ** 2) / 2, axis=1)


def inner_products(X):
    return softmax(X @ X.T, axis=1)


def without_its_diagonal(X):
    return squareform(np.exp(-pdist(X, "sqeuclidean") / 2)) / len(X)


def one_row(X):
    return softmax(-(cdist(X[:1], X) ** 2) / 2, axis=1)[0]


def axis_zero_softmax(X):
    return softmax(-(cdist(X, X) ** 2) / 2, axis=0)


def inverse_distances(X):
    r = cdist(X, X)
    W = 1 / (1 + r)
    return W / W.sum(axis=1, keepdims=True)


def divided_by_row_lengths(X):
    return np.array([k / np.sqrt((k**2).sum()) for k in gauss(cdist(X, X))])


# written with fresh eyes, from the exercise's text alone


def norm_without_axis(X):
    d = np.linalg.norm(X[:, None] - X)
    K = np.exp(-(d**2) / 2) * np.ones((len(X), len(X)))
    return K / K.sum(axis=1, keepdims=True)


def mirrored_after_dividing(X):
    N, K = len(X), np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2)
    B = np.zeros((N, N))
    for n in range(N):
        for m in range(n, N):
            B[n, m] = K[n, m] / K[n].sum()
            B[m, n] = B[n, m]
    return B


def sum_anew_for_each_entry(X):
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2)
    for n in range(len(K)):
        for m in range(len(K)):
            K[n, m] = K[n, m] / K[n].sum()
    return K


def own_bandwidth(X):
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=-1) / (2 * X.std() ** 2))
    return K / K.sum(axis=1, keepdims=True)


def row_plus_row(X):
    squares = np.sum(X**2, axis=1)
    K = np.exp(-(squares + squares - 2 * X @ X.T) / 2)
    return K / K.sum(axis=1, keepdims=True)


def summed_over_points(X):
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=1) / 2)
    return K / K.sum(axis=1, keepdims=True)


def as_in_the_paper(X):
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=-1) / 2)
    return (K / K.sum(axis=1, keepdims=True)).T


def rows_then_columns(X):
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=-1) / 2)
    B = K / K.sum(axis=1, keepdims=True)
    return B / B.sum(axis=0, keepdims=True)


def square_of_absolute_sums(X):
    K = np.exp(-(np.abs(X[:, None] - X).sum(axis=2) ** 2) / 2)
    return K / K.sum(axis=1, keepdims=True)


def one_more_on_the_diagonal(X):
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=-1) / 2)
    K = K + np.eye(len(X))  # K(0) = 1
    return K / K.sum(axis=1, keepdims=True)


def total_begun_once(X):
    N = len(X)
    B = np.zeros((N, N))
    total = 0
    for n in range(N):
        for m in range(N):
            B[n, m] = np.exp(-((X[n] - X[m]) ** 2).sum() / 2)
            total += B[n, m]
        B[n] = B[n] / total
    return B


WRONG = [
    ("columns_normalised", without_keepdims),
    ("columns_normalised", sums_of_columns),
    ("columns_normalised", axis_zero_softmax),
    ("not_normalised", only_kernels),
    ("not_normalised", by_the_greatest),
    ("left_out", diagonal_filled_with_zero),
    ("left_out", _looped(gauss, skip_itself=True)),
    ("diagonal_removed_late", diagonal_zero_at_the_end),
    ("divided_by_total", shares_of_everything),
    ("multiple", by_the_mean_of_the_row),
    ("half_missing", _looped(lambda r: math.exp(-r * r))),
    ("distance_not_squared", _looped(lambda r: math.exp(-r / 2))),
    ("distance_not_squared_nor_halved", _looped(lambda r: math.exp(-r))),
    ("sign_missing", _looped(lambda r: np.exp(r**2 / 2))),
    ("kernel_forgotten", _looped(lambda r: r**2)),
    ("symmetric_normalisation", laplacian_habit),
    ("unit_length", divided_by_row_lengths),
    ("half_of_the_pairs", upper_half_only),
    ("changes_input", centres_in_place),
    ("inner_products", inner_products),
    ("divided_by_n", without_its_diagonal),
    ("shape", one_row),
    ("kernel_not_gaussian", inverse_distances),
    # written with fresh eyes, from the exercise's text alone
    ("one_number_of_all", norm_without_axis),
    ("mirrored_late", mirrored_after_dividing),
    ("divided_while_summing", sum_anew_for_each_entry),
    ("scaled_by_one_deviation", own_bandwidth),
    ("gram_of_columns_twice", row_plus_row),
    ("summed_over_points", summed_over_points),
    ("columns_normalised", as_in_the_paper),
    ("columns_too", rows_then_columns),
    ("absolute_differences_summed", square_of_absolute_sums),
    ("identity_added", one_more_on_the_diagonal),
    ("sum_not_reset", total_begun_once),
]
