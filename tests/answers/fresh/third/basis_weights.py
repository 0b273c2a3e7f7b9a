"""Fresh answers to `basis_weights`."""
import math

import numpy as np
from scipy.spatial.distance import cdist


def keepdims(X):
    diff = X[:, np.newaxis, :] - X[np.newaxis, :, :]
    K = np.exp(-0.5 * np.sum(diff**2, axis=-1))
    return K / K.sum(axis=1, keepdims=True)


def lists(X):
    rows = []
    for a in X:
        k = [math.exp(-sum((p - q) ** 2 for p, q in zip(a, b)) / 2) for b in X]
        s = sum(k)
        rows.append([v / s for v in k])
    return np.array(rows)


def transposed_twice(X):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    return (K.T / K.sum(axis=1)).T


def sums_along_the_wrong_side(X):
    D2 = ((X[:, None] - X[None]) ** 2).sum(-1)
    K = np.exp(-D2 / 2)
    sums = K.sum(axis=1)
    return K / sums


def without_itself(X):
    K = np.exp(-cdist(X, X) ** 2 / 2)
    np.fill_diagonal(K, 0)
    return K / K.sum(axis=1)[:, None]


def x_minus_x_transposed(X):
    D2 = (X - X.T) ** 2
    K = np.exp(-D2 / 2)
    return K / K.sum(axis=1, keepdims=True)


def divided_by_everything(X):
    N = len(X)
    K = np.zeros((N, N))
    for n in range(N):
        for m in range(N):
            K[n, m] = np.exp(-np.sum((X[n] - X[m]) ** 2) / 2)
    return K / np.sum(K)


def both_roots_no_half(X):
    K = np.exp(-cdist(X, X, "sqeuclidean"))
    r = np.sqrt(K.sum(axis=1))
    return K / np.outer(r, r)


def standardised_and_unsquared(X):
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    K = np.exp(-cdist(Z, Z) / 2)
    return K / K.sum(axis=1, keepdims=True)


RIGHT = [keepdims, lists, transposed_twice]
WRONG = [
    (sums_along_the_wrong_side, ["divides each column by its sum instead of each row (sums without keepdims)"]),
    (without_itself, ["leaves the point itself out (zero diagonal)"]),
    (x_minus_x_transposed, ["takes X - X.T as all differences, which only works for one latent coordinate"]),
    (divided_by_everything, ["divides by the sum of the whole matrix instead of the sum of each row"]),
    (both_roots_no_half, ["forgot the factor 1/2 in the kernel", "divides by the roots of the row and the column sum (symmetric normalisation) instead of by the row sum"]),
    (standardised_and_unsquared, ["standardises the latent points first, although their scale is the bandwidth", "did not square the distance in the kernel"]),
]
