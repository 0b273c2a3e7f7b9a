"""Fresh answers to `leave_one_out`."""
import numpy as np
from scipy.spatial.distance import cdist


def right_diagonal(X, Y):
    K = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(-1))
    np.fill_diagonal(K, 0.0)
    B = K / K.sum(axis=1, keepdims=True)
    return np.sum((Y - B @ Y) ** 2) / len(Y)


def right_delete(X, Y):
    errors = []
    for i in range(len(X)):
        rest, data = np.delete(X, i, axis=0), np.delete(Y, i, axis=0)
        t = ((rest - X[i]) ** 2).sum(axis=1)
        w = np.exp(-(t - t.min()) / 2)
        f = w @ data / w.sum()
        errors.append(np.sum((Y[i] - f) ** 2))
    return np.mean(errors)


def right_infinite_distance(X, Y):
    t = cdist(X, X, "sqeuclidean")
    t = np.where(np.eye(len(X), dtype=bool), np.inf, t)
    W = np.exp(-0.5 * (t - t.min(axis=1)[:, None]))
    F = np.einsum("ij,jd->id", W, Y) / np.einsum("ij->i", W)[:, None]
    return float(((Y - F) ** 2).sum(axis=1).mean())


def zeros_too_late(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    B = K / K.sum(axis=1, keepdims=True)
    np.fill_diagonal(B, 0)
    return np.mean(np.sum((Y - B @ Y) ** 2, axis=1))


def zero_distances(X, Y):
    D = ((X[:, None] - X) ** 2).sum(axis=2)
    np.fill_diagonal(D, 0)
    K = np.exp(-D / 2)
    B = K / K.sum(axis=1)[:, None]
    return ((Y - B @ Y) ** 2).sum(axis=1).mean()


def jackknife(X, Y):
    N = len(X)
    total = 0
    for i in range(N):
        keep = np.arange(N) != i
        Xi, Yi = X[keep], Y[keep]
        K = np.exp(-cdist(Xi, Xi, "sqeuclidean") / 2)
        f = K @ Yi / K.sum(axis=1, keepdims=True)
        total += np.mean(np.sum((Yi - f) ** 2, axis=1))
    return total / N


def delete_flattens(X, Y):
    R = 0.0
    for i in range(len(X)):
        rest = np.delete(X, i)
        others = np.delete(Y, i)
        w = np.exp(-((rest - X[i]) ** 2) / 2)
        f = w @ others / w.sum()
        R += np.sum((Y[i] - f) ** 2)
    return R / len(X)


def no_half_and_sum(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean"))
    K = K - np.diag(np.diag(K))
    f = (K @ Y) / K.sum(axis=1, keepdims=True)
    return ((Y - f) ** 2).sum()


def columns_and_lengths(X, Y):
    K = np.exp(-0.5 * np.sum((X[:, None] - X[None]) ** 2, axis=2))
    K *= 1 - np.eye(len(X))
    B = K / K.sum(axis=1)
    return np.mean(np.sqrt(np.sum((Y - B @ Y) ** 2, axis=1)))


RIGHT = [right_diagonal, right_delete, right_infinite_distance]
WRONG = [
    (zeros_too_late, ["sets the diagonal to zero after the rows have been divided by their sums, so the weights no longer sum to one"]),
    (zero_distances, ["sets the diagonal of the squared distances to zero instead of that of the kernel: every point still counts for itself"]),
    (jackknife, ["deletes one point at a time and computes the plain error of the remaining points, instead of rebuilding the deleted point from the others"]),
    (delete_flattens, ["calls np.delete without axis=0, which flattens X and Y (error with more than one column)"]),
    (no_half_and_sum, ["forgot the factor 1/2 in the kernel", "returns the sum over the points instead of the mean"]),
    (columns_and_lengths, ["divides columns instead of rows by the sums (row sums without keepdims)", "averages the lengths of the residuals instead of their squares"]),
]
