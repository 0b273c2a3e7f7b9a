"""Fresh answers to `reconstruction_error`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax


def right_broadcast(X, Y):
    K = np.exp(-0.5 * np.sum((X[:, None] - X) ** 2, axis=-1))
    B = K / K.sum(axis=1, keepdims=True)
    return np.sum((Y - B @ Y) ** 2) / len(Y)


def right_loops(X, Y):
    N = len(X)
    R = 0.0
    for n in range(N):
        weights = np.array([np.exp(-np.sum((X[n] - X[m]) ** 2) / 2) for m in range(N)])
        f = np.zeros(Y.shape[1])
        for m in range(N):
            f = f + weights[m] * Y[m] / weights.sum()
        R += np.sum((Y[n] - f) ** 2)
    return R / N


def right_softmax_einsum(X, Y):
    B = softmax(-cdist(X, X, "sqeuclidean") / 2, axis=1)
    residual = Y - np.einsum("nm,md->nd", B, Y)
    return np.einsum("nd,nd->", residual, residual) / X.shape[0]


def matlab_norm(X, Y):
    D2 = cdist(X, X) ** 2
    K = np.exp(-D2 / 2)
    B = K / K.sum(1)[:, None]
    N = Y.shape[0]
    return np.linalg.norm(Y - B @ Y, 2) ** 2 / N


def variance_of_residuals(X, Y):
    K = np.exp(-0.5 * np.sum((X[:, None] - X) ** 2, axis=2))
    B = (K.T / K.sum(axis=1)).T
    E = Y - B @ Y
    return E.var(axis=0).sum()


def rebuilt_in_turn(X, Y):
    N = len(Y)
    F = np.array(Y, dtype=float)
    for n in range(N):
        k = np.exp(-np.sum((X - X[n]) ** 2, axis=1) / 2)
        F[n] = k @ F / k.sum()
    return np.sum((Y - F) ** 2) / N


def star_product(X, Y):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    B = K / K.sum(axis=1, keepdims=True)
    residual = Y - B * Y
    return np.sum(residual**2) / len(Y)


def neighbours_in_data_space_over_all_numbers(X, Y):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / 2)
    B = K / K.sum(axis=1, keepdims=True)
    return np.mean((Y - B @ Y) ** 2)


def mean_of_lengths_with_total_weight(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    B = K / K.sum()
    r = Y - B @ Y
    return np.mean(np.sqrt(np.sum(r**2, axis=1)))


RIGHT = [right_broadcast, right_loops, right_softmax_einsum]
WRONG = [
    (matlab_norm, ["uses the spectral norm (largest singular value, as norm(A) in Matlab) instead of the Frobenius norm"]),
    (variance_of_residuals, ["takes the variance of the residuals, which subtracts their mean, instead of their mean square"]),
    (rebuilt_in_turn, ["overwrites the data while rebuilding, so that later points are rebuilt from already rebuilt ones"]),
    (star_product, ["multiplies B and Y entry by entry instead of as matrices (raises for most shapes)"]),
    (neighbours_in_data_space_over_all_numbers, ["computes the kernel from distances of the data instead of the latent points", "divides by N·d instead of N (mean over all entries)"]),
    (mean_of_lengths_with_total_weight, ["divides K by the sum of the whole matrix instead of by the row sums", "takes the mean of the residuals' lengths instead of their squares"]),
]
