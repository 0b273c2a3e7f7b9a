"""Fresh answers to `basis_weights`."""
import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform


def right_keepdims(X):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.exp(-t / 2)
    return K / K.sum(axis=1, keepdims=True)


def right_rows(X):
    B = []
    for xn in X:
        k = np.exp(-0.5 * np.sum((X - xn) ** 2, axis=1))
        B.append(k / k.sum())
    return np.array(B)


def right_pdist(X):
    K = np.exp(-squareform(pdist(X, "sqeuclidean")) / 2)
    return (K / K.sum(axis=0)).T


def divides_columns(X):
    t = ((X[:, None] - X) ** 2).sum(axis=2)
    K = np.exp(-0.5 * t)
    return K / K.sum(axis=1)


def without_itself(X):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    np.fill_diagonal(K, 0)
    return K / K.sum(axis=1)[:, None]


def standardises_first(X):
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    t = np.sum((Z[:, None, :] - Z[None, :, :]) ** 2, axis=-1)
    K = np.exp(-t / 2)
    return K / K.sum(axis=1, keepdims=True)


def one_total(X):
    N = len(X)
    K = np.zeros((N, N))
    for n in range(N):
        for m in range(N):
            K[n, m] = np.exp(-np.dot(X[n] - X[m], X[n] - X[m]) / 2)
    return K / np.sum(K)


def distance_and_columns(X):
    K = np.exp(-cdist(X, X) / 2)
    sums = K.sum(axis=0, keepdims=True)
    return K / sums


def no_half_late_zeros(X):
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1))
    B = K / K.sum(axis=1, keepdims=True)
    B[np.diag_indices(len(X))] = 0
    return B


RIGHT = [right_keepdims, right_rows, right_pdist]
WRONG = [
    (divides_columns, ["divides column m by the sum of row m (row sums without keepdims broadcast along the wrong axis), so columns sum to one instead of rows"]),
    (without_itself, ["leaves each point out of its own reconstruction (zeros on the diagonal of K)"]),
    (standardises_first, ["standardises the latent points before computing distances, although the scale of X is the bandwidth"]),
    (one_total, ["divides by the sum of the whole matrix instead of the sum of each row"]),
    (distance_and_columns, ["puts the distance into the kernel instead of its square", "divides by the column sums instead of the row sums"]),
    (no_half_late_zeros, ["forgot the factor 1/2 in the kernel", "sets the diagonal of the weights to zero after dividing"]),
]
