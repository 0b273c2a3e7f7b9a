"""Fresh answers to `penalty_factors`."""
import numpy as np
from scipy.spatial.distance import cdist


def right_vectorised(X, Y):
    K = np.exp(-0.5 * np.sum((X[:, None] - X) ** 2, axis=2))
    others = K.copy()
    np.fill_diagonal(others, 0)
    S = (1 + 1 / others.sum(axis=1)) ** 2
    F = K @ Y / K.sum(axis=1, keepdims=True)
    return S, S * np.sum((Y - F) ** 2, axis=1)


def right_point_by_point(X, Y):
    N = len(X)
    S, terms = np.zeros(N), np.zeros(N)
    for i in range(N):
        T, numerator = 0.0, np.array(Y[i], dtype=float)
        for j in range(N):
            if j != i:
                k = np.exp(-np.sum((X[i] - X[j]) ** 2) / 2)
                T += k
                numerator += k * Y[j]
        S[i] = (1 + 1 / T) ** 2
        f = numerator / (T + 1)
        terms[i] = S[i] * np.dot(Y[i] - f, Y[i] - f)
    return S, terms


def right_ratio_of_sums(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    T = np.where(np.eye(len(X), dtype=bool), 0, K).sum(axis=0)
    S = np.square((T + 1) / T)
    residual = Y - (K / (T + 1)[:, None]).dot(Y)
    return S, np.einsum("i,id,id->i", S, residual, residual)


def square_inside(X, Y):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    T = K.sum(axis=1) - np.diag(K)
    S = 1 + (1 / T) ** 2
    f = K @ Y / K.sum(axis=1)[:, None]
    return S, S * ((Y - f) ** 2).sum(axis=1)


def already_left_out(X, Y):
    K = np.exp(-cdist(X, X) ** 2 / 2)
    np.fill_diagonal(K, 0)
    T = K.sum(axis=1)
    S = (1 + 1 / T) ** 2
    B = K / T[:, None]
    residual = Y - B @ Y
    return S, S * np.sum(residual**2, axis=1)


def mean_of_others(X, Y):
    N = len(X)
    S = np.zeros(N)
    terms = np.zeros(N)
    for i in range(N):
        k = np.exp(-0.5 * np.sum((X - X[i]) ** 2, axis=1))
        T = np.mean(np.delete(k, i))
        S[i] = (1 + 1 / T) ** 2
        f = k @ Y / k.sum()
        terms[i] = S[i] * np.sum((Y[i] - f) ** 2)
    return S, terms


def factors_along_columns(X, Y):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    T = (K - np.eye(len(X))).sum(axis=1)
    S = (1 + 1 / T) ** 2
    F = (K / K.sum(axis=1, keepdims=True)) @ Y
    terms = (S * (Y - F) ** 2).sum(axis=1)
    return S, terms


def divided_by_others_only_and_lengths(X, Y):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    T = (K - np.eye(len(K))).sum(axis=1)
    S = (1 + 1 / T) ** 2
    F = K @ Y / T[:, None]
    return S, S * np.linalg.norm(Y - F, axis=1)


def own_help_in_T_and_swapped(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    T = np.sum(K, axis=1)
    S = (1 + 1.0 / T) ** 2
    f = K.dot(Y) / T.reshape(-1, 1)
    terms = S * np.sum((Y - f) ** 2, 1)
    return terms, S


RIGHT = [right_vectorised, right_point_by_point, right_ratio_of_sums]
WRONG = [
    (square_inside, ["squares only the quotient K(0)/T instead of 1 + K(0)/T"]),
    (already_left_out, ["multiplies leave-one-out residuals by S instead of plain ones (zeroes the diagonal of the K used for rebuilding)"]),
    (mean_of_others, ["T is the mean of the others' kernel values instead of their sum"]),
    (factors_along_columns, ["multiplies (N,) factors with (N, d) squares before summing, so they run along the columns (raises if d is neither 1 nor N)"]),
    (divided_by_others_only_and_lengths, ["divides the reconstruction by T instead of T + K(0), so the weights do not sum to one", "takes the lengths of the residuals, not their squares"]),
    (own_help_in_T_and_swapped, ["counts the point itself in T", "returns the terms first and the factors second"]),
]
