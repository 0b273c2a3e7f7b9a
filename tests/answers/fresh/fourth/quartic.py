"""Fresh answers to `quartic`."""
import numpy as np
from scipy.spatial.distance import cdist


def right_maximum(X):
    t = ((X[:, None] - X) ** 2).sum(axis=2)
    bracket = np.maximum(1 - t, 0)
    slope = -2 * bracket
    K = bracket**2
    return slope, -2 * slope / K.sum(axis=1, keepdims=True)


def right_if(X):
    N = len(X)
    slope, P = np.zeros((N, N)), np.zeros((N, N))
    for n in range(N):
        total = 0.0
        for m in range(N):
            t = float(np.sum((X[n] - X[m]) ** 2))
            if t < 1:
                slope[n, m] = -2 * (1 - t)
                total += (1 - t) ** 2
        for m in range(N):
            P[n, m] = -2 * slope[n, m] / total
    return slope, P


def right_roots(X):
    t = cdist(X, X, "sqeuclidean")
    K = np.where(t < 1, (1 - t) ** 2, 0.0)
    P = (4 * np.sqrt(K).T / K.sum(axis=1)).T
    return -2 * np.sqrt(K), P


def slope_never_ends(X):
    t = np.sum((X[:, None] - X) ** 2, axis=-1)
    slope = -2 * (1 - t)
    K = np.maximum(1 - t, 0) ** 2
    return slope, -2 * slope / K.sum(axis=1, keepdims=True)


def derivative_by_distance(X):
    r = cdist(X, X)
    a = np.clip(1 - r**2, 0, None)
    slope = -4 * r * a
    return slope, -2 * slope / (a**2).sum(axis=1)[:, None]


def sums_of_columns(X):
    t = cdist(X, X, "sqeuclidean")
    a = np.maximum(0, 1 - t)
    slope = -2 * a
    K = a * a
    return slope, -2 * slope / np.sum(K, axis=1)


def absolute_value_bracket(X):
    t = cdist(X, X, "sqeuclidean")
    a = np.abs(1 - t)
    slope = -2 * a
    return slope, -2 * slope / (a**2).sum(axis=1, keepdims=True)


def plus_sign_and_bracket_sum(X):
    t = ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    a = (1 - t) * (t < 1)
    slope = 2 * a
    P = -2 * slope / a.sum(axis=1, keepdims=True)
    return slope, P


def unsquared_without_the_2(X):
    N = len(X)
    slope = np.zeros((N, N))
    P = np.zeros((N, N))
    for n in range(N):
        a = np.maximum(1 - np.linalg.norm(X - X[n], axis=1), 0)
        slope[n] = -2 * a
        P[n] = -slope[n] / np.sum(a**2)
    return slope, P


RIGHT = [right_maximum, right_if, right_roots]
WRONG = [
    (slope_never_ends, ["does not cut off the slope where 1 - t is negative"]),
    (derivative_by_distance, ["differentiates with respect to the distance r instead of the squared distance t (chain rule: -4 r [1 - r^2])"]),
    (sums_of_columns, ["divides the entries of column m by the sum of row m (row sums without keepdims)"]),
    (absolute_value_bracket, ["reads the bracket [a]_+ as the absolute value instead of the positive part"]),
    (plus_sign_and_bracket_sum, ["wrong sign of the derivative: forgot the inner derivative -1", "sums the brackets [1 - t] instead of the kernel values [1 - t]^2"]),
    (unsquared_without_the_2, ["uses distances instead of squared distances for t", "forgot the factor 2 in P"]),
]
