"""Fresh answers to `leave_one_out`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax


def zero_diagonal(X, Y):
    K = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=-1))
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    return np.sum((Y - B @ Y) ** 2) / len(Y)


def really_delete(X, Y):
    total = 0.0
    for i in range(len(X)):
        others, targets = np.delete(X, i, axis=0), np.delete(Y, i, axis=0)
        e = -np.sum((others - X[i]) ** 2, axis=1) / 2
        k = np.exp(e - e.max())
        residual = Y[i] - k @ targets / k.sum()
        total += residual @ residual
    return total / len(X)


def minus_infinity(X, Y):
    E = -cdist(X, X, metric="sqeuclidean") / 2
    E[np.diag_indices(len(X))] = -np.inf
    rebuilt = softmax(E, axis=1) @ Y
    return float(np.mean(np.linalg.norm(Y - rebuilt, axis=1) ** 2))


def zeros_too_late(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    B = K / K.sum(axis=1, keepdims=True)
    np.fill_diagonal(B, 0)
    return np.mean(np.sum((Y - B @ Y) ** 2, axis=1))


def twins_vanish(X, Y):
    D2 = cdist(X, X, "sqeuclidean")
    K = np.where(D2 > 0, np.exp(-D2 / 2), 0.0)
    f = K @ Y / K.sum(axis=1)[:, None]
    return np.mean(np.sum((Y - f) ** 2, axis=1))


def mean_over_all_numbers(X, Y):
    K = np.exp(-cdist(X, X) ** 2 / 2) * (1 - np.eye(len(X)))
    f = (K / K.sum(axis=1, keepdims=True)) @ Y
    return np.mean((Y - f) ** 2)


def fill_diagonal_returns_none(X, Y):
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1) / 2)
    K = np.fill_diagonal(K, 0)
    K = K / K.sum(axis=1, keepdims=True)
    return ((Y - K @ Y) ** 2).sum(axis=1).mean()


def lengths_without_the_half(X, Y):
    N = len(X)
    error = 0
    for i in range(N):
        up, down = 0, 0
        for j in range(N):
            if j != i:
                k = np.exp(-np.sum((X[i] - X[j]) ** 2))
                up = up + k * Y[j]
                down += k
        error += np.linalg.norm(Y[i] - up / down)
    return error / N


def columns_and_sum(X, Y):
    D = X[:, None, :] - X[None, :, :]
    K = np.exp(-np.einsum("ijk,ijk->ij", D, D) / 2)
    K -= np.eye(len(K))
    B = K / K.sum(axis=0)
    return np.sum((Y - B @ Y) ** 2)


RIGHT = [zero_diagonal, really_delete, minus_infinity]
WRONG = [
    (zeros_too_late, ["sets the diagonal to zero after the rows have been divided by their sums"]),
    (twins_vanish, ["leaves out every point with the same latent place, not only the point itself"]),
    (mean_over_all_numbers, ["takes the mean over points and coordinates instead of the mean of squared lengths"]),
    (fill_diagonal_returns_none, ["takes the result of np.fill_diagonal, which is None"]),
    (lengths_without_the_half, ["forgot the factor 1/2 in the kernel", "adds up distances, not squared distances"]),
    (columns_and_sum, ["divides columns by their sums instead of rows", "returns the sum over the points instead of the mean"]),
]
