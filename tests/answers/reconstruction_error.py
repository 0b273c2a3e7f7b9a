"""Answers to exercise 4, the reconstruction error R."""

import math

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax


def by_the_trace(X, Y):
    Y = Y - Y.mean(axis=0)
    V = np.eye(len(X)) - softmax(-cdist(X, X, "sqeuclidean") / 2, axis=1)
    return np.trace(V @ Y @ Y.T @ V.T) / len(X)


def in_single_precision(X, Y):
    X, Y = (X - X[0]).astype(np.float32), (Y - Y.mean(axis=0)).astype(np.float32)
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2)
    return np.mean(np.sum((Y - K @ Y / K.sum(axis=1, keepdims=True)) ** 2, axis=1))


def checked_as_an_array(X, Y):
    X, Y = np.array(X, float), np.array(Y, float)
    if len(X) != len(Y):
        raise ValueError("X and Y must have as many rows")
    total = np.zeros(())
    for x, y in zip(X, Y, strict=True):
        k = np.exp(-0.5 * ((X - x) ** 2).sum(axis=1))
        y -= np.average(Y.copy(), axis=0, weights=k) * 0  # changes a copy of the data, by nothing
        total += ((y - np.average(Y, axis=0, weights=k)) ** 2).sum()
    return total / len(X)


RIGHT = [by_the_trace, in_single_precision, checked_as_an_array]


def gauss(r):
    return np.exp(-0.5 * r**2)


def rebuilt(X, Y, kernel=gauss, without=()):
    """f(x_n), one point after the other."""
    f = np.zeros(Y.shape)
    for n in range(len(X)):
        use = [m for m in range(len(X)) if (n, m) not in without]
        w = np.array([kernel(math.dist(X[n], X[m])) for m in use])
        f[n] = w @ Y[use] / w.sum()
    return f


def squared_lengths(X, Y, **options):
    return [math.dist(y, f) ** 2 for y, f in zip(Y, rebuilt(X, Y, **options), strict=True)]


def leave_one_out_over_all(X, Y):
    return leave_one_out(X, Y) / Y.shape[1]


def leave_one_out(X, Y):
    without = {(n, n) for n in range(len(X))}
    return float(np.mean(squared_lengths(X, Y, without=without)))


def weights_not_divided_and_summed(X, Y):
    K = gauss(cdist(X, X))
    return np.sum((Y - K @ Y) ** 2)


def one_per_point(X, Y):
    return np.array(squared_lengths(X, Y))


def one_per_column(X, Y):
    return np.mean((Y - rebuilt(X, Y)) ** 2, axis=0)


def residual_in_place(X, Y):
    f = rebuilt(X, Y)
    Y -= f
    return np.sum(Y**2) / len(Y)


def minus_r(X, Y):
    return -np.mean(squared_lengths(X, Y))


# written with fresh eyes, from the exercise's text alone


def row_as_workspace(X, Y):
    N = X.shape[0]
    error = 0.0
    for n in range(N):
        f = Y[0]
        f *= 0
        s = 0.0
        for m in range(N):
            k = np.exp(-np.sum((X[n] - X[m]) ** 2) / 2)
            f += k * Y[m]
            s += k
        error += np.sum((Y[n] - f / s) ** 2)
    return error / N


def over_the_latent_numbers(X, Y):
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1) / 2)
    B = K / K.sum(axis=1, keepdims=True)
    return np.linalg.norm(Y - B @ Y, "fro") ** 2 / X.size


def rebuilds_the_latent_points(X, Y):
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1) / 2)
    B = K / K.sum(axis=1, keepdims=True)
    return np.sum((Y - B @ X) ** 2) / len(X)


WRONG = [
    ("left_out", leave_one_out_over_all),
    ("not_normalised", weights_not_divided_and_summed),
    ("shape", one_per_point),
    ("shape", one_per_column),
    ("changes_input", residual_in_place),
    ("negative", minus_r),
    # written with fresh eyes, from the exercise's text alone
    ("changes_input", row_as_workspace),
    ("multiple", over_the_latent_numbers),
    ("latent_points_rebuilt", rebuilds_the_latent_points),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    mean_over_all sum_not_mean lengths_not_squared root_taken root_of_mean_over_all norm_itself
    norm_not_squared spectral_norm left_out half_in_front half_missing distance_not_squared
    columns_normalised not_normalised absolute_differences squared_too_late variance_of_residuals
    squares_forgotten divided_by_n_minus_1 begun_at_one sum_squared weights_from_data
""".split()
