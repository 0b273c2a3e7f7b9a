"""Answers to exercise 6, the density constraint for every point."""

import math

import numpy as np
from scipy.spatial.distance import pdist, squareform


def from_pairs(X, eta, kernel):
    K = kernel(squareform(pdist(X, "sqeuclidean")))
    return K.sum(axis=0) / len(K) - eta * K.diagonal()


def in_single_precision(X, eta, kernel):
    X = X.astype(np.float32)
    p = np.mean(kernel(((X[:, None] - X) ** 2).sum(axis=-1)), axis=-1)
    return (p - eta * kernel(0)).astype(np.float32)


def checked_and_in_place(X, eta, kernel):
    if not 0 < eta < 1:
        raise ValueError("eta must lie between 0 and 1")
    X = np.array(X)
    X -= X.mean(axis=0)
    slack = np.full(len(X), -eta * kernel(0.0))
    for z in X:
        slack += kernel(np.sum((X - z) ** 2, axis=1)) / len(X)
    return slack


RIGHT = [from_pairs, in_single_precision, checked_and_in_place]


def densities(X, kernel, power=2):
    p = np.zeros(len(X))
    for i in range(len(X)):
        for j in range(len(X)):
            p[i] += kernel(math.dist(X[i], X[j]) ** power) / len(X)
    return p


def all_obey(X, eta, kernel):
    return bool(np.all(densities(X, kernel) >= eta * kernel(0)))


def spoils_the_points(X, eta, kernel):
    for j in range(X.shape[1]):
        X[:, j] -= X[:, j].mean()
    return densities(X, kernel) - eta * kernel(0)


# written with fresh eyes, from the exercise's text alone


def kernel_at_one(X, eta, kernel):
    d2 = ((X[:, None] - X) ** 2).sum(axis=2)
    return kernel(d2).mean(axis=1) - eta * kernel(1)


WRONG = [
    ("shape", all_obey),
    ("changes_input", spoils_the_points),
    # written with fresh eyes, from the exercise's text alone
    ("slip: threshold", kernel_at_one),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    mean_over_points mean_given_to_all least_only kernel_at_zero_forgotten relative_density
    itself_left_out_of_n itself_left_out sum_not_mean sign_turned verdict_only clipped_at_zero
    violations_only share_of_greatest distance_not_squared kernel_ignored exponential_before_kernel
    mean_forgotten kernel_of_mean_point quotient threshold_divided_too mean_before_kernel
    threshold_times_n
""".split()
