"""Fresh answers to `basis_weights`."""
import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform


def three_lines(X):
    D2 = ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    K = np.exp(-D2 / 2)
    return K / K.sum(axis=1, keepdims=True)


def row_after_row(X):
    rows = []
    for x in X:
        k = np.array([np.exp(-0.5 * np.sum((x - other) ** 2)) for other in X])
        rows.append(k / np.sum(k))
    return np.array(rows)


def diagonal_matrix(X):
    K = np.exp(-0.5 * cdist(X, X, metric="sqeuclidean"))
    return np.diag(1 / (K @ np.ones(len(X)))) @ K


def forgets_own_weight(X):
    K = squareform(np.exp(-pdist(X) ** 2 / 2))
    return K / K.sum(axis=1)[:, None]


def scaled_like_R(X):
    Z = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    K = np.exp(-cdist(Z, Z) ** 2 / 2)
    return (K.T / K.sum(axis=1)).T


def works_for_one_column(X):
    D = X - X.T
    K = np.exp(-(D**2) / 2)
    return K / np.sum(K, axis=1, keepdims=True)


def rows_then_columns(X):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    B = K / K.sum(axis=1, keepdims=True)
    return B / B.sum(axis=0, keepdims=True)


def symmetric_cityblock(X):
    N = len(X)
    K = np.zeros((N, N))
    for n in range(N):
        for m in range(N):
            K[n, m] = np.exp(-(np.abs(X[n] - X[m]).sum() ** 2) / 2)
    s = np.sqrt(K.sum(axis=1))
    return K / s[:, None] / s[None, :]


def variance_two_and_total(X):
    K = np.exp(-cdist(X, X, "sqeuclidean"))
    B = np.empty_like(K)
    for n in range(len(K)):
        B[n] = K[n] / sum(sum(K))
    return B


RIGHT = [three_lines, row_after_row, diagonal_matrix]
WRONG = [
    (forgets_own_weight, ["expands the list of pairs to a matrix and so gets zeros instead of ones on the diagonal: no point helps to rebuild itself"]),
    (scaled_like_R, ["standardises X first, though the scale of X is the bandwidth"]),
    (works_for_one_column, ["takes X - X.T for the differences of all pairs, which is right for a single column only"]),
    (rows_then_columns, ["divides the columns by their sums after the rows, so the rows do not sum to one"]),
    (symmetric_cityblock, ["uses the square of the city block distance instead of the Euclidean one", "divides by the roots of the row and the column sum, which gives a symmetric matrix"]),
    (variance_two_and_total, ["forgot the factor 1/2 in the exponent", "divides by the sum over the whole matrix instead of the sum of the row"]),
]
