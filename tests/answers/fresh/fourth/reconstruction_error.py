"""Fresh answers to `reconstruction_error`."""
import numpy as np
from scipy.spatial.distance import cdist


def right_frobenius(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    B = K / K.sum(axis=1, keepdims=True)
    return np.linalg.norm(Y - B @ Y, "fro") ** 2 / len(Y)


def right_point_by_point(X, Y):
    total = 0.0
    for xn, yn in zip(X, Y):
        k = np.exp(-0.5 * ((X - xn) ** 2).sum(axis=1))
        r = yn - k @ Y / k.sum()
        total += r @ r
    return total / len(X)


def right_trace(X, Y):
    N = X.shape[0]
    diff = X[:, None] - X[None]
    K = np.exp(-0.5 * np.einsum("nmq,nmq->nm", diff, diff))
    A = np.eye(N) - K / K.sum(axis=1).reshape(N, 1)
    E = A @ Y
    return float(np.einsum("nd,nd->", E, E)) / N


def mean_of_entries(X, Y):
    t = ((X[:, None] - X) ** 2).sum(2)
    K = np.exp(-t / 2)
    B = K / K.sum(1, keepdims=True)
    return np.mean((Y - B @ Y) ** 2)


def spectral_norm(X, Y):
    K = np.exp(-cdist(X, X) ** 2 / 2)
    B = K / K.sum(axis=1)[:, np.newaxis]
    return np.linalg.norm(Y - B @ Y, 2) ** 2 / len(Y)


def weighted_pair_distances(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    B = K / K.sum(axis=1, keepdims=True)
    R = 0
    for n in range(len(Y)):
        for m in range(len(Y)):
            R += B[n, m] * np.sum((Y[n] - Y[m]) ** 2)
    return R / len(Y)


def mixes_up_dimensions(X, Y):
    N, d = Y.shape
    K = np.zeros((N, N))
    for n in range(N):
        for m in range(N):
            t = 0
            for k in range(d):
                t += (X[n, k] - X[m, k]) ** 2
            K[n, m] = np.exp(-t / 2)
    f = K @ Y / K.sum(axis=1, keepdims=True)
    return ((Y - f) ** 2).sum() / N


def columns_and_sum(X, Y):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    B = K / K.sum(axis=0)
    return np.sum((Y - B @ Y) ** 2)


def no_half_unsquared(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean"))
    f = (K @ Y) / K.sum(axis=1, keepdims=True)
    return np.mean(np.linalg.norm(Y - f, axis=1))


RIGHT = [right_frobenius, right_point_by_point, right_trace]
WRONG = [
    (mean_of_entries, ["takes the mean over all N*d entries instead of dividing the sum by the number of points N"]),
    (spectral_norm, ["takes the spectral norm (ord=2) of the residual matrix instead of the Frobenius norm"]),
    (weighted_pair_distances, ["averages the squared distances between pairs of data with the weights, instead of the squared distance to the weighted mean"]),
    (mixes_up_dimensions, ["runs over the d data coordinates when computing distances of latent points, which have q coordinates (index error if d > q)"]),
    (columns_and_sum, ["divides by the column sums instead of the row sums of K", "returns the sum over the points instead of the mean"]),
    (no_half_unsquared, ["forgot the factor 1/2 in the kernel", "averages the distances instead of the squared distances"]),
]
