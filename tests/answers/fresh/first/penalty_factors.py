"""Fresh answers to `penalty_factors`."""
import numpy as np
from scipy.spatial.distance import cdist


def penalties_masks(X, Y):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    others = K * (1 - np.eye(len(X)))
    T = others.sum(axis=1)
    S = (1 + 1 / T) ** 2
    f = K @ Y / K.sum(axis=1)[:, None]
    return S, S * np.sum((Y - f) ** 2, axis=1)


def penalties_loop(X, Y):
    S, terms = [], []
    for i, x in enumerate(X):
        k = np.exp(-0.5 * np.sum((X - x) ** 2, axis=1))
        T = np.delete(k, i).sum()
        S.append((1 + 1 / T) ** 2)
        residual = Y[i] - k @ Y / k.sum()
        terms.append(S[-1] * (residual @ residual))
    return np.array(S), np.array(terms)


def penalties_from_left_out(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    np.fill_diagonal(K, 0.0)
    T = K.sum(axis=1)
    left_out = Y - np.einsum("nm,md->nd", K, Y) / T[:, None]
    return ((T + 1) / T) ** 2, np.einsum("nd,nd->n", left_out, left_out)


def twice_punished(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    np.fill_diagonal(K, 0)
    T = K.sum(axis=1)
    S = (1 + 1 / T) ** 2
    f = K @ Y / T[:, None]
    return S, S * ((Y - f) ** 2).sum(axis=1)


def self_in_T(X, Y):
    K = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
    T = K.sum(axis=1)
    S = (1 + 1 / T) ** 2
    f = K @ Y / T[:, None]
    return S, S * ((Y - f) ** 2).sum(axis=1)


def flat_factors(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    T = (K - np.diag(np.diag(K))).sum(axis=1)
    S = (1 + 1 / T) ** 2
    B = K / K.sum(axis=1, keepdims=True)
    weighted = S * (Y - B @ Y) ** 2
    return S, weighted.sum(axis=1)


def factor_not_squared(X, Y):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    T = np.sum(np.where(np.eye(len(X), dtype=bool), 0, K), axis=1)
    S = 1 + 1 / T
    B = K / K.sum(axis=1, keepdims=True)
    return S, S * np.sum((Y - B @ Y) ** 2, axis=1)


def lengths_and_wide(X, Y):
    d = cdist(X, X)
    K = np.exp(-d / 2)
    f = K @ Y / K.sum(axis=1, keepdims=True)
    np.fill_diagonal(K, 0)
    S = (1 + 1 / K.sum(axis=1)) ** 2
    return S, S * np.linalg.norm(Y - f, axis=1)


def upside_down(X, Y):
    N = len(X)
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    f = K @ Y / K.sum(axis=1, keepdims=True)
    T = (K * (1 - np.eye(N))).sum(axis=1)
    S = (1 + T) ** 2
    return S, S * np.sum((Y - f) ** 2, axis=1) / N


RIGHT = [penalties_masks, penalties_loop, penalties_from_left_out]
WRONG = [
    (twice_punished, ["multiplies leave-one-out residuals by S, so isolation is punished twice"]),
    (self_in_T, ["counts the point itself in T"]),
    (flat_factors, ["multiplies S with the matrix of squared residuals without a new axis, before the sum over coordinates"]),
    (factor_not_squared, ["forgot the square of the bracket in (12)"]),
    (lengths_and_wide, ["puts the distance into the kernel, not its square", "multiplies S with the length of the residual, not its square"]),
    (upside_down, ["turned the fraction K(0)/T upside down", "divides the terms by N although their mean is taken later"]),
]
