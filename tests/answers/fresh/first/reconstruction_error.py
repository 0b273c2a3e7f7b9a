"""Fresh answers to `reconstruction_error`."""
import numpy as np
from scipy.spatial.distance import cdist


def error_matrices(X, Y):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.exp(-t / 2)
    B = K / K.sum(axis=1, keepdims=True)
    return np.sum((Y - B @ Y) ** 2) / len(Y)


def error_point_by_point(X, Y):
    R = 0.0
    for n in range(len(X)):
        weights = np.array([np.exp(-0.5 * np.dot(X[n] - x, X[n] - x)) for x in X])
        f = np.average(Y, axis=0, weights=weights)
        R += np.dot(Y[n] - f, Y[n] - f)
    return R / len(X)


def error_norm(X, Y):
    K = np.exp(-0.5 * cdist(X, X) ** 2)
    F = np.linalg.solve(np.diag(K.sum(axis=0)), K @ Y)
    return np.linalg.norm(Y - F, "fro") ** 2 / X.shape[0]


def wrong_broadcast(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    B = K / K.sum(axis=1)
    return np.sum((Y - B @ Y) ** 2) / len(Y)


def all_entries(X, Y):
    t = ((X[:, None] - X) ** 2).sum(axis=2)
    B = np.exp(-t / 2)
    B = B / B.sum(axis=1)[:, None]
    return np.mean((Y - B @ Y) ** 2)


def starred(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    B = K / K.sum(axis=1, keepdims=True)
    residual = Y - B * Y
    return (residual**2).sum() / len(Y)


def with_others_only(X, Y):
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2)
    np.fill_diagonal(K, 0)
    f = K @ Y / K.sum(axis=1, keepdims=True)
    return np.sum((Y - f) ** 2, axis=1).mean()


def narrow_and_total(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean"))
    B = K / K.sum(axis=1, keepdims=True)
    return np.linalg.norm(Y - B @ Y) ** 2


def lengths(X, Y):
    d = np.sqrt(np.sum((X[:, None] - X) ** 2, axis=2))
    K = np.exp(-d / 2)
    B = K / K.sum(axis=1, keepdims=True)
    return np.mean(np.linalg.norm(Y - B @ Y, axis=1))


RIGHT = [error_matrices, error_point_by_point, error_norm]
WRONG = [
    (wrong_broadcast, ["divides by row sums without keeping the axis, so the columns of B sum to one"]),
    (all_entries, ["takes the mean over all N d entries instead of dividing by the number of points"]),
    (starred, ["multiplies B and Y entry by entry instead of as matrices"]),
    (with_others_only, ["leaves each point out of its own reconstruction"]),
    (narrow_and_total, ["forgot the factor 1/2 in the kernel", "does not divide by the number of points"]),
    (lengths, ["puts the distance into the kernel, not its square", "averages the lengths of the residuals, not their squares"]),
]
