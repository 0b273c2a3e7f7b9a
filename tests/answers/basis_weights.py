"""Answers to exercise 3, the weights as a matrix."""

import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.special import softmax


def as_softmax(X):
    return softmax(-0.5 * cdist(X, X) ** 2, axis=1)


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


RIGHT = [as_softmax, from_pairs, in_single_precision, in_place_on_its_own]


def gauss(r):
    return np.exp(-0.5 * r**2)


def by_the_mean_of_the_row(X):
    K = gauss(cdist(X, X))
    return K / K.mean(axis=1, keepdims=True)


def centres_in_place(X):
    X -= X.mean(axis=0)
    return softmax(-(cdist(X, X) ** 2) / 2, axis=1)


def without_its_diagonal(X):
    return squareform(np.exp(-pdist(X, "sqeuclidean") / 2)) / len(X)


def one_row(X):
    return softmax(-(cdist(X[:1], X) ** 2) / 2, axis=1)[0]


def inverse_distances(X):
    r = cdist(X, X)
    W = 1 / (1 + r)
    return W / W.sum(axis=1, keepdims=True)


WRONG = [
    ("multiple", by_the_mean_of_the_row),
    ("changes_input", centres_in_place),
    ("divided_by_n", without_its_diagonal),
    ("shape", one_row),
    ("kernel_not_gaussian", inverse_distances),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    columns_normalised columns_normalised columns_normalised not_normalised not_normalised left_out
    left_out diagonal_removed_late divided_by_total half_missing distance_not_squared
    distance_not_squared_nor_halved sign_missing kernel_forgotten symmetric_normalisation
    unit_length half_of_the_pairs inner_products one_number_of_all mirrored_late
    divided_while_summing scaled_by_one_deviation gram_of_columns_twice summed_over_points
    columns_normalised columns_too absolute_differences_summed identity_added sum_not_reset
""".split()
