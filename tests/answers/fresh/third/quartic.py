"""Fresh answers to `quartic`."""
import numpy as np
from scipy.spatial.distance import cdist


def quartic_arrays(X):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    bracket = np.maximum(1 - t, 0)
    slope = -2 * bracket
    return slope, -2 * slope / np.sum(bracket**2, axis=1, keepdims=True)


def quartic_loops(X):
    N = len(X)
    slope, P = np.zeros((N, N)), np.zeros((N, N))
    for n in range(N):
        total = 0.0
        for m in range(N):
            t = sum((a - b) ** 2 for a, b in zip(X[n], X[m]))
            if t < 1:
                slope[n, m] = 2 * t - 2
                total += (1 - t) ** 2
        P[n] = -2 * slope[n] / total
    return slope, P


def quartic_by_36(X):
    t = cdist(X, X, "sqeuclidean")
    root = np.where(t < 1, 1 - t, 0.0)
    K = root * root
    P = 4 * root / K.sum(1)[:, None]
    return -P * K.sum(1)[:, None] / 2, P


def quartic_of_distance(X):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    r = np.sqrt(t)
    bracket = np.clip(1 - t, 0, None)
    slope = -4 * r * bracket
    K = bracket**2
    return slope, -2 * slope / K.sum(axis=1, keepdims=True)


def quartic_slope_goes_on(X):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.where(t < 1, (1 - t) ** 2, 0)
    slope = -2 * (1 - t)
    return slope, -2 * slope / K.sum(axis=1, keepdims=True)


def quartic_neighbours_only(X):
    slope, P = [], []
    for x in X:
        t = np.sum((X - x) ** 2, axis=1)
        near = t[t < 1]
        K = (1 - near) ** 2
        slope.append(-2 * (1 - near))
        P.append(4 * (1 - near) / K.sum())
    return np.array(slope), np.array(P)


def quartic_absolute(X):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    bracket = np.abs(1 - t)
    K = bracket**2
    slope = -2 * bracket
    P = -2 * slope / K.sum(axis=1, keepdims=True)
    return slope, P


def quartic_without_self(X):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    bracket = np.maximum(1 - t, 0)
    np.fill_diagonal(bracket, 0)
    K = bracket**2
    slope = 2 * bracket
    total = K.sum(axis=1, keepdims=True)
    return slope, -2 * slope / np.where(total > 0, total, 1)


def quartic_paper(X):
    d = np.linalg.norm(X[:, None] - X, axis=2)
    bracket = np.maximum(0, 1 - d)
    slope = -2 * bracket
    K = bracket**2
    return slope, -2 * slope / K.sum(axis=0)


RIGHT = [quartic_arrays, quartic_loops, quartic_by_36]
WRONG = [
    (quartic_of_distance, ["differentiates the kernel with respect to the distance instead of the squared distance"]),
    (quartic_slope_goes_on, ["does not set the slope to zero where the kernel has ended"]),
    (quartic_neighbours_only, ["keeps only the neighbours in each row, so rows have different lengths"]),
    (quartic_absolute, ["takes the absolute value of 1 - t for the bracket instead of its positive part"]),
    (quartic_without_self, ["leaves the point itself out of the matrices and the sum", "forgot the minus sign of the inner derivative"]),
    (quartic_paper, ["uses the distance instead of the squared distance", "divides by the sums of the columns instead of the rows"]),
]
