"""Fresh answers to `leave_one_out`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax


def one_by_one(X, Y):
    N = len(X)
    errors = []
    for i in range(N):
        others = np.arange(N) != i
        k = np.exp(-0.5 * np.sum((X[others] - X[i]) ** 2, axis=1))
        f = k @ Y[others] / k.sum()
        errors.append(np.sum((Y[i] - f) ** 2))
    return np.mean(errors)


def zero_diagonal(X, Y):
    d2 = np.sum((X[:, None, :] - X[None, :, :]) ** 2, axis=-1)
    K = np.exp(-d2 / 2)
    np.fill_diagonal(K, 0.0)
    B = K / K.sum(axis=1, keepdims=True)
    return ((Y - B @ Y) ** 2).sum() / len(Y)


def soft_minus_inf(X, Y):
    E = -cdist(X, X, "sqeuclidean") / 2
    E[np.diag_indices(len(E))] = -np.inf
    rest = softmax(E, axis=1) @ Y - Y
    return float(np.einsum("nd,nd->n", rest, rest).mean())


def zeros_too_late(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    B = K / K.sum(axis=1)[:, None]
    np.fill_diagonal(B, 0)
    return np.mean(np.sum((Y - B @ Y) ** 2, axis=1))


def mean_of_everything(X, Y):
    D = np.linalg.norm(X[:, None] - X, axis=2)
    K = np.exp(-(D**2) / 2)
    np.fill_diagonal(K, 0)
    f = (K @ Y) / K.sum(axis=1, keepdims=True)
    return np.mean((Y - f) ** 2)


def no_zero_distances(X, Y):
    D = cdist(X, X, "sqeuclidean")
    K = np.where(D > 0, np.exp(-D / 2), 0)
    K = K / K.sum(axis=1, keepdims=True)
    return np.sum((K @ Y - Y) ** 2, axis=1).mean()


def mean_length(X, Y):
    K = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(-1))
    K = K - np.eye(len(X))
    f = K @ Y / K.sum(axis=1)[:, None]
    return np.linalg.norm(Y - f, axis=1).mean()


def summed_and_narrow(X, Y):
    error = 0
    for i in range(len(X)):
        top, bottom = 0, 0
        for j in range(len(X)):
            if j != i:
                k = np.exp(-np.sum((X[i] - X[j]) ** 2))
                top, bottom = top + k * Y[j], bottom + k
        error += np.sum((Y[i] - top / bottom) ** 2)
    return error


def root_and_count(X, Y):
    N = len(X)
    K = np.exp(-cdist(X, X) ** 2 / 2)
    np.fill_diagonal(K, 0)
    f = K @ Y / (N - 1)
    return np.sqrt(np.mean(np.sum((Y - f) ** 2, axis=1)))


RIGHT = [one_by_one, zero_diagonal, soft_minus_inf]
WRONG = [
    (zeros_too_late, ["sets the diagonal to zero after the rows have been divided"]),
    (mean_of_everything, ["takes the mean over points and coordinates, so the error is d times too small"]),
    (no_zero_distances, ["leaves out all points at distance zero, not only the point itself"]),
    (mean_length, ["averages the lengths of the residuals, not their squares"]),
    (summed_and_narrow, ["forgot the factor 1/2 in the kernel", "does not divide the sum over the points by N"]),
    (root_and_count, ["divides by the number of other points instead of the sum of their weights",
                      "returns the root of the mean square"]),
]
