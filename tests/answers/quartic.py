"""Answers to the exercise on the slope of the quartic kernel and P."""

import math

import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform


def in_plain_loops(points):
    N = len(points)
    slope, P = [[0.0] * N for _ in range(N)], [[0.0] * N for _ in range(N)]
    for n in range(N):
        total = 0.0
        for m in range(N):
            t = sum((a - b) ** 2 for a, b in zip(points[n], points[m], strict=True))
            if t < 1:
                slope[n][m] = -2 * (1 - t)
                total += (1 - t) ** 2
        for m in range(N):
            P[n][m] = -2 * slope[n][m] / total
    return slope, P


def by_masking(X):
    t = squareform(pdist(X, "sqeuclidean"))
    K = np.where(t < 1, (1 - t) ** 2, 0)
    return np.where(t < 1, 2 * t - 2, 0), 4 * np.sqrt(K) / K.sum(1)[:, None]  # (36)


def with_einsum(X):
    difference = X[:, None] - X[None]
    a = (1 - np.einsum("nmq,nmq->nm", difference, difference)).clip(min=0)
    return [-2 * a, np.einsum("nm,n->nm", 4 * a, 1 / np.einsum("nm,nm->n", a, a))]


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


RIGHT = [
    in_plain_loops,
    by_masking,
    with_einsum,
    in_single_precision,
    checked_and_point_by_point,
]


def _looped(kernel, derivative, weight=lambda d, total, K: -2 * d / total):
    """Point by point, from K and dK/dt as functions of the distance r."""

    def both(X):
        slope, P = np.zeros((len(X), len(X))), np.zeros((len(X), len(X)))
        for n in range(len(X)):
            K = [kernel(math.dist(X[n], X[m])) for m in range(len(X))]
            for m in range(len(X)):
                slope[n, m] = derivative(math.dist(X[n], X[m]))
                P[n, m] = weight(slope[n, m], sum(K), K[m])
        return slope, P

    return both


def K_right(r):
    return (1 - r**2) ** 2 if r < 1 else 0.0


def slope_right(r):
    return -2 * (1 - r**2) if r < 1 else 0.0


def sums_of_the_other_axis(X):
    t = cdist(X, X) ** 2
    a = np.where(t > 1, 0, 1 - t)
    return -2 * a, 4 * a / np.sum(a * a, axis=0)


def zeros_on_the_diagonal(X):
    t = cdist(X, X) ** 2
    np.fill_diagonal(t, 2)  # out of reach
    a = np.clip(1 - t, 0, None)
    return -2 * a, 4 * a / np.sum(a**2, axis=1)[:, None]


def only_the_slope(X):
    return -2 * np.clip(1 - cdist(X, X) ** 2, 0, None)


def in_the_other_order(X):
    return by_masking(X)[::-1]


def centres_in_place(X):
    X -= X.mean(axis=0)
    return by_masking(X)


def P_turned_too_often(X):
    slope, P = by_masking(X)
    return slope, -P


def clips_at_one_too_late(X):
    t = cdist(X, X) ** 2
    K = (1 - t) ** 2
    K[K < 0] = 0
    slope = -2 * (1 - t)
    slope[slope > 0] = 0
    return slope, -2 * slope / K.sum(axis=1, keepdims=True)


def wrong_slope_and_right_P(X):
    r = cdist(X, X)
    a = np.clip(1 - r * r, 0, None)
    return -4 * r * a, 4 * a / (a**2).sum(1, keepdims=True)  # (36) as printed


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
    ("not_clipped", _looped(lambda r: (1 - r**2) ** 2, lambda r: -2 * (1 - r**2))),
    ("clipped_after_square", clips_at_one_too_late),
    ("slope_not_clipped", _looped(K_right, lambda r: -2 * (1 - r**2))),
    ("inner_derivative", _looped(K_right, lambda r: -slope_right(r))),
    ("two_missing", _looped(K_right, lambda r: slope_right(r) / 2)),
    ("power_kept", _looped(K_right, lambda r: -2 * K_right(r))),
    ("slope_by_distance", _looped(K_right, lambda r: 2 * r * slope_right(r))),
    ("slope_by_distance_alone", wrong_slope_and_right_P),
    ("of_distance", _looped(lambda r: max(1 - r, 0) ** 2, lambda r: -2 * max(1 - r, 0))),
    ("columns_normalised", sums_of_the_other_axis),
    ("left_out", zeros_on_the_diagonal),
    ("factor_left_away", _looped(K_right, slope_right, lambda d, total, K: d / total)),
    ("root_forgotten", _looped(K_right, slope_right, lambda d, total, K: 4 * K / total)),
    ("P_is_B", _looped(K_right, slope_right, lambda d, total, K: K / total)),
    ("not_normalised", _looped(K_right, slope_right, lambda d, total, K: 4 * K**0.5)),
    ("root_of_weights", _looped(K_right, slope_right, lambda d, total, K: 4 * (K / total) ** 0.5)),
    ("slope_not_clipped_alone", lambda X: (-2 + 2 * cdist(X, X) ** 2, by_masking(X)[1])),
    ("first_column", lambda X: by_masking(X[:, :1])),
    ("left_empty", upper_triangle_only),
    ("library", by_the_library),
    ("minus_of_27_missing", P_turned_too_often),
    ("wrong_type", only_the_slope),
    ("changes_input", centres_in_place),
    ("order_of_results", in_the_other_order),
]


# written with fresh eyes, from the exercise's text alone
def _of_brackets(slope, P):
    """Both results from the brackets b of all pairs."""

    def both(X):
        b = np.maximum(1 - ((X[:, None] - X) ** 2).sum(axis=2), 0)
        return slope(b), P(b, (b**2).sum(axis=1, keepdims=True))

    return both


def leaves_itself_out(X):
    b = np.maximum(1 - np.sum((X[:, None] - X[None]) ** 2, axis=2), 0)
    np.fill_diagonal(b, 0)
    total = (b**2).sum(axis=1, keepdims=True)
    total[total == 0] = 1
    return -2 * b, 4 * b / total


def into_integers(X):
    N = len(X)
    slope, P = np.zeros((N, N), dtype=int), np.zeros((N, N))
    for n in range(N):
        total = 0
        for m in range(N):
            b = max(0, 1 - np.sum((X[n] - X[m]) ** 2))
            slope[n, m] = -2 * b
            total += b**2
        P[n] = -2 * slope[n] / total
    return slope, P


def sums_lose_their_axis(X):
    b = np.clip(1 - ((X[:, None] - X) ** 2).sum(axis=2), 0, None)
    return -2 * b, 4 * b / (b * b).sum(axis=1)


WRONG += [
    ("left_out_and_mended", leaves_itself_out),
    ("whole_numbers", into_integers),
    ("columns_normalised", sums_lose_their_axis),
    ("two_of_27_missing", _of_brackets(lambda b: -2 * b, lambda b, total: 2 * b / total)),
    ("kernel_for_slope", _of_brackets(lambda b: b**2, lambda b, total: 4 * b / total)),
    ("slope_as_for_gaussian", _of_brackets(lambda b: -(b**2) / 2, lambda b, total: b**2 / total)),
    ("sum_of_roots", _of_brackets(lambda b: -2 * b, lambda b, _: 4 * b / b.sum(1, keepdims=True))),
]
