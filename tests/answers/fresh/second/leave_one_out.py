"""Fresh answers to `leave_one_out`."""
import numpy as np
from scipy.spatial.distance import cdist


def delete_each(X, Y):
    total = 0.0
    for i in range(len(X)):
        Xi, Yi = np.delete(X, i, axis=0), np.delete(Y, i, axis=0)
        k = np.exp(-0.5 * ((Xi - X[i]) ** 2).sum(axis=1))
        f = k @ Yi / k.sum()
        total += ((Y[i] - f) ** 2).sum()
    return total / len(X)


def zero_diagonal(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    return np.mean(np.sum((Y - B @ Y) ** 2, axis=1))


def log_weights(X, Y):
    E = -0.5 * np.sum((X[:, None] - X) ** 2, axis=-1)
    E[np.diag_indices(len(X))] = -np.inf
    E = E - E.max(axis=1, keepdims=True)
    W = np.exp(E)
    res = Y - np.einsum("ij,jd->id", W, Y) / W.sum(axis=1)[:, np.newaxis]
    return float(np.linalg.norm(res) ** 2 / len(Y))


def deletes_the_neighbour(X, Y):
    R = 0
    for i in range(len(X)):
        Xi = np.delete(X, i - 1, axis=0)
        Yi = np.delete(Y, i - 1, axis=0)
        k = np.exp(-np.sum((Xi - X[i]) ** 2, axis=1) / 2)
        R += np.sum((Y[i] - k @ Yi / k.sum()) ** 2)
    return R / len(X)


def generalised_cv(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    B = K / K.sum(axis=1, keepdims=True)
    N = len(X)
    residual = (Y - B @ Y) / (1 - np.trace(B) / N)
    return np.sum(residual**2) / N


def drops_everything_at_distance_zero(X, Y):
    D2 = cdist(X, X, "sqeuclidean")
    K = np.where(D2 > 0, np.exp(-D2 / 2), 0)
    B = K / K.sum(axis=1)[:, None]
    return ((Y - B @ Y) ** 2).sum(axis=1).mean()


def assigned_fill_diagonal(X, Y):
    K = np.exp(-cdist(X, X) ** 2 / 2)
    K = np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    return np.mean(np.sum((Y - B @ Y) ** 2, axis=1))


def two_halves_per_coordinate(X, Y):
    odd = np.arange(len(X)) % 2
    R = 0.0
    for i in range(len(X)):
        others = odd != odd[i]
        k = np.exp(-np.sum((X[others] - X[i]) ** 2, axis=1) / 2)
        R += np.mean((Y[i] - k @ Y[others] / k.sum()) ** 2)
    return R / len(X)


def sample_variance_of_lengths(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    K -= np.eye(len(K))
    f = K @ Y / K.sum(axis=1, keepdims=True)
    lengths = np.linalg.norm(Y - f, axis=1)
    return lengths.sum() / (len(Y) - 1)


RIGHT = [delete_each, zero_diagonal, log_weights]
WRONG = [
    (deletes_the_neighbour, ["counts from 1 and so deletes point i - 1 instead of point i"]),
    (generalised_cv, ["takes the shortcut of generalised cross validation, with the mean of the diagonal of B for all points, instead of leaving each point out"]),
    (drops_everything_at_distance_zero, ["recognises the point itself by its distance zero, and so drops other points at the same latent place too"]),
    (assigned_fill_diagonal, ["assigns the result of np.fill_diagonal, which is None"]),
    (two_halves_per_coordinate, ["rebuilds each point by the other half of the data (two-fold) instead of all other points", "takes the mean over coordinates too, instead of the sum of their squares"]),
    (sample_variance_of_lengths, ["adds up the lengths of the residuals, not their squares", "divides by N - 1 instead of N"]),
]
