"""Fresh answers to `reconstruction_error`."""
import numpy as np
from scipy.spatial.distance import pdist, squareform


def error_matrix(X, Y):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.exp(-t / 2)
    B = K / K.sum(axis=1, keepdims=True)
    return np.sum((Y - B @ Y) ** 2) / len(Y)


def error_loop(X, Y):
    total = 0.0
    for n in range(len(X)):
        weights = np.array([np.exp(-0.5 * np.dot(X[n] - x, X[n] - x)) for x in X])
        f = weights.dot(Y) / weights.sum()
        total += np.dot(Y[n] - f, Y[n] - f)
    return total / len(X)


def error_frobenius(X, Y):
    K = squareform(np.exp(-0.5 * pdist(X, "sqeuclidean"))) + np.eye(len(X))
    residuals = Y - (K @ Y) / (K @ np.ones((len(X), 1)))
    return np.linalg.norm(residuals, "fro") ** 2 / X.shape[0]


def error_mean_of_entries(X, Y):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.exp(-t / 2)
    B = K / K.sum(axis=1, keepdims=True)
    return np.mean((Y - B @ Y) ** 2)


def error_columns(X, Y):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.exp(-t / 2)
    B = K / K.sum(axis=1)
    R = Y - B @ Y
    return np.sum(R * R) / len(X)


def error_no_square(X, Y):
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1) / 2)
    B = K / K.sum(axis=1)[:, None]
    return np.linalg.norm(Y - B @ Y) / len(X)


def error_weights_times_rows(X, Y):
    R = 0
    for x, y in zip(X, Y):
        w = np.exp(-np.sum((X - x) ** 2, axis=1) / 2)
        f = np.sum(w * Y, axis=0) / np.sum(w)
        R += np.sum((y - f) ** 2)
    return R / len(X)


def error_others(X, Y):
    K = np.exp(-np.linalg.norm(X[:, None] - X, axis=2) / 2)
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    return np.sum((Y - B @ Y) ** 2) / len(X)


def error_not_normalised(X, Y):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    B = np.exp(-t / 2)
    return ((Y - B @ Y) ** 2).sum()


RIGHT = [error_matrix, error_loop, error_frobenius]
WRONG = [
    (error_mean_of_entries, ["takes the mean over all N*d entries instead of dividing the sum by the number of points N"]),
    (error_columns, ["divides K by its row sums without keeping the axis, so that the columns of B sum to one instead of the rows"]),
    (error_no_square, ["divides the Frobenius norm by N without squaring it"]),
    (error_weights_times_rows, ["multiplies the weights (N,) with the data (N, d) without giving the weights a column axis"]),
    (error_others, ["uses the distance instead of the squared distance in the kernel", "leaves each point out of its own reconstruction"]),
    (error_not_normalised, ["uses the kernel values as weights without dividing the rows by their sums", "does not divide by the number of points"]),
]
