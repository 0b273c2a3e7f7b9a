"""Fresh answers to `quartic`."""
import numpy as np
from scipy.spatial.distance import cdist


def right_maximum(X):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    bracket = np.maximum(1 - t, 0)
    slope = -2 * bracket
    P = -2 * slope / np.sum(bracket**2, axis=1, keepdims=True)
    return slope, P


def right_loops(X):
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


def right_clipped_distance(X):
    t = np.minimum(cdist(X, X, "sqeuclidean"), 1.0)
    K = (1 - t) ** 2
    root = np.sqrt(K)
    return -2 * root, np.diag(4 / K.sum(axis=0)) @ root


def slope_over_distance(X):
    r = cdist(X, X)
    bracket = np.maximum(1 - r**2, 0)
    slope = -4 * r * bracket
    K = bracket**2
    P = -2 * slope / K.sum(axis=1, keepdims=True)
    return slope, P


def flat_at_the_top(X):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    a = np.clip(1 - t, 0, None)
    slope = -2 * a
    np.fill_diagonal(slope, 0)
    P = -2 * slope / (a**2).sum(axis=1)[:, None]
    return slope, P


def finite_difference(X):
    def K(t):
        return np.where(t < 1, (1 - t) ** 2, 0.0)
    t = cdist(X, X, "sqeuclidean")
    dt = 1e-2
    slope = (K(t + dt) - K(t)) / dt
    P = -2 * slope / K(t).sum(axis=1, keepdims=True)
    return slope, P


def papers_columns(X):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    bracket = (1 - t) * (t < 1)
    K = bracket**2
    slope = -2 * bracket
    P = -2 * slope / K.sum(axis=1)
    return slope, P


def support_in_each_coordinate_and_rows_to_one(X):
    diff = np.abs(X[:, None] - X)
    t = np.sum(diff**2, axis=2)
    bracket = np.where((diff < 1).all(axis=2), 1 - t, 0)
    slope = -2 * bracket
    P = -2 * slope
    P = P / P.sum(axis=1, keepdims=True)
    return slope, P


def others_only_and_squared_bracket(X):
    t = cdist(X, X, "sqeuclidean")
    K = np.maximum(1 - t, 0) ** 2
    slope = -2 * K
    others = K.sum(axis=1) - np.diag(K)
    P = 4 * np.sqrt(K) / np.where(others > 0, others, 1)[:, None]
    return slope, P


RIGHT = [right_maximum, right_loops, right_clipped_distance]
WRONG = [
    (slope_over_distance, ["differentiates with respect to the distance instead of the squared distance"]),
    (flat_at_the_top, ["sets the slope to zero on the diagonal, as if the kernel were flat at t = 0"]),
    (finite_difference, ["approximates the derivative by a finite difference of step 0.01"]),
    (papers_columns, ["divides the columns instead of the rows by the sums of K (P transposed, broadcasting without keepdims)"]),
    (support_in_each_coordinate_and_rows_to_one, ["ends the kernel where a single coordinate differs by 1 instead of the distance (a square, with negative brackets in its corners)", "divides P by its own row sums instead of the row sums of K"]),
    (others_only_and_squared_bracket, ["leaves the point itself out of the sum of K", "takes -2K as slope, forgetting that the power falls by one"]),
]
