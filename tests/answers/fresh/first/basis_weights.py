"""Fresh answers to `basis_weights`."""
import numpy as np
from scipy.spatial.distance import cdist, pdist
from scipy.special import softmax


def loops(X):
    N = len(X)
    B = np.empty((N, N))
    for n in range(N):
        for m in range(N):
            B[n, m] = np.exp(-np.sum((X[n] - X[m]) ** 2) / 2)
        B[n] = B[n] / B[n].sum()
    return B


def keepdims(X):
    K = np.exp(-0.5 * np.square(X[:, None, :] - X[None, :, :]).sum(axis=-1))
    return K / K.sum(axis=1, keepdims=True)


def soft(X):
    return softmax(-cdist(X, X, "sqeuclidean") / 2, axis=1)


def sums_along_wrong_side(X):
    D = cdist(X, X)
    K = np.exp(-(D**2) / 2)
    return K / K.sum(axis=1)


def not_itself(X):
    d2 = ((X[:, None] - X) ** 2).sum(2)
    K = np.exp(-d2 / 2)
    np.fill_diagonal(K, 0)
    return K / K.sum(axis=1)[:, None]


def kernel_of_norm(X):
    dist = np.linalg.norm(X[:, None] - X[None], axis=-1)
    K = np.exp(-dist / 2)
    return K / np.sum(K, axis=1, keepdims=True)


def condensed(X):
    d2 = pdist(X, "sqeuclidean")
    K = np.exp(-d2 / 2)
    return K / K.sum(axis=1, keepdims=True)


def whole_is_one(X):
    K = np.exp(-cdist(X, X, "sqeuclidean"))
    return K / K.sum()


def both_roots(X):
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    K = np.exp(-cdist(Z, Z, "sqeuclidean") / 2)
    root = np.sqrt(K.sum(axis=1))
    return K / np.outer(root, root)


RIGHT = [loops, keepdims, soft]
WRONG = [
    (sums_along_wrong_side, ["divides each column by its sum instead of each row: the row sums broadcast along the wrong axis"]),
    (not_itself, ["sets the diagonal to zero, so that a point does not help to rebuild itself"]),
    (kernel_of_norm, ["uses the distance instead of its square in the kernel"]),
    (condensed, ["uses the condensed vector of distances from pdist as if it were a square matrix"]),
    (whole_is_one, ["forgot the factor 1/2 in the exponent", "divides by the sum of the whole matrix instead of each row's own"]),
    (both_roots, ["standardises X before it computes the distances",
                  "divides by the roots of row and column sums (symmetric) instead of by the row sum"]),
]
