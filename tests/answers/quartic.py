"""Answers to the exercise on the slope of the quartic kernel and P."""

import math

import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform


def by_masking(X):
    t = squareform(pdist(X, "sqeuclidean"))
    K = np.where(t < 1, (1 - t) ** 2, 0)
    return np.where(t < 1, 2 * t - 2, 0), 4 * np.sqrt(K) / K.sum(1)[:, None]  # (36)


def in_single_precision(X):
    X = np.asarray(X - X.mean(axis=0), dtype=np.float32)
    t = ((X[:, None] - X) ** 2).sum(-1)
    t[t > 1] = 1
    K = (1 - t) ** 2
    return -2 * (1 - t), 4 * np.sqrt(K) / K.sum(axis=-1, keepdims=True)


def checked_and_point_by_point(X):
    X = np.array(X, dtype=float)
    if X.ndim != 2:
        raise ValueError("X must have two axes")
    slope, P = np.empty((len(X), len(X))), np.empty((len(X), len(X)))
    for n, x in enumerate(X):
        a = 1 - np.linalg.norm(X - x, axis=1) ** 2
        a[a < 0] = 0
        slope[n] = -2 * a
        P[n] = a
        P[n] *= 4 / (a @ a)
    return slope, P


RIGHT = [by_masking, in_single_precision, checked_and_point_by_point]


def slope_right(r):
    return -2 * (1 - r**2) if r < 1 else 0.0


def only_the_slope(X):
    return -2 * np.clip(1 - cdist(X, X) ** 2, 0, None)


def centres_in_place(X):
    X -= X.mean(axis=0)
    return by_masking(X)


def upper_triangle_only(X):
    slope, P = np.zeros((len(X), len(X))), by_masking(X)[1]
    for n in range(len(X)):
        for m in range(n, len(X)):
            slope[n, m] = slope_right(math.dist(X[n], X[m]))
    return slope, P


def by_the_library(X):
    from ukrlearn.blocks.density_kernels import quartic

    t = cdist(X, X, "sqeuclidean")
    return quartic.slope(t), -2 * quartic.slope(t) / quartic(t).sum(axis=1, keepdims=True)


WRONG = [
    ("left_empty", upper_triangle_only),
    ("library", by_the_library),
    ("wrong_type", only_the_slope),
    ("changes_input", centres_in_place),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    not_clipped clipped_after_square slope_not_clipped inner_derivative two_missing power_kept
    slope_by_distance slope_by_distance_alone of_distance columns_normalised root_forgotten P_is_B
    root_of_weights slope_not_clipped_alone left_out_and_mended whole_numbers columns_normalised
    two_of_27_missing kernel_for_slope slope_as_for_gaussian sum_of_roots
""".split()
