"""Fresh answers to `quartic`."""
import numpy as np
from scipy.spatial.distance import cdist


def bracket(X):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    a = np.maximum(1 - t, 0)
    slope = -2 * a
    return slope, -2 * slope / np.sum(a**2, axis=1, keepdims=True)


def roots(X):
    t = cdist(X, X, "sqeuclidean")
    K = np.where(t < 1, (1 - t) ** 2, 0.0)
    root = np.sqrt(K)
    P = 4 * root / K.sum(axis=1).reshape(-1, 1)
    return root * -2.0, P


def pair_by_pair(X):
    N = X.shape[0]
    slope, P = np.zeros((N, N)), np.zeros((N, N))
    for n in range(N):
        total = 0.0
        for m in range(N):
            rest = 1.0 - float(np.dot(X[n] - X[m], X[n] - X[m]))
            if rest > 0:
                slope[n, m] = -2 * rest
                total += rest * rest
        P[n] = -2 * slope[n] / total
    return slope, P


def endless(X):
    t = cdist(X, X, "sqeuclidean")
    K = (1 - t) ** 2
    slope = -2 * (1 - t)
    return slope, -2 * slope / K.sum(axis=1, keepdims=True)


def one_dimensional(X):
    t = (X - X.T) ** 2
    a = np.clip(1 - t, 0, None)
    slope = -2 * a
    P = -2 * slope / (a**2).sum(axis=1, keepdims=True)
    return slope, P


def by_distance(X):
    d = cdist(X, X)
    a = np.maximum(1 - d**2, 0)
    slope = -4 * d * a
    return slope, -2 * slope / np.sum(a**2, axis=1, keepdims=True)


def slope_runs_on(X):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.maximum(1 - t, 0) ** 2
    slope = -2 * (1 - t)
    P = -2 * slope / K.sum(axis=1)[:, None]
    return slope, P


def strangers_only(X):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    a = np.maximum(1 - t, 0)
    slope = -2 * a
    K = a**2
    total = K.sum(axis=1) - K.diagonal()
    return slope, -slope / total[:, None]


def outer_only(X):
    t = cdist(X, X, "sqeuclidean")
    a = np.maximum(1 - t, 0)
    slope = 2 * a
    K = a**2
    return slope, 2 * slope / K.sum(axis=1)


RIGHT = [bracket, roots, pair_by_pair]
WRONG = [
    (endless, ["does not cut off the bracket where 1 - t is negative"]),
    (one_dimensional, ["forms the differences as X - X^T, which is right only for one latent dimension"]),
    (by_distance, ["differentiates with respect to the distance instead of the squared distance"]),
    (slope_runs_on, ["cuts off the kernel, but not its slope"]),
    (strangers_only, ["leaves the point itself out of the sum of K", "forgot the factor 2 in P"]),
    (outer_only, ["forgot the inner derivative -1 of the slope", "divides every column instead of every row by its sum of K (kept no axis)"]),
]
