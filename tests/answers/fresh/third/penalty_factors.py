"""Fresh answers to `penalty_factors`."""
import numpy as np


def penalties_matrix(X, Y):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    T = (K - np.diag(np.diag(K))).sum(axis=1)
    S = (1 + 1 / T) ** 2
    f = K @ Y / K.sum(axis=1, keepdims=True)
    return S, S * np.sum((Y - f) ** 2, axis=1)


def penalties_loop(X, Y):
    N = len(X)
    S, terms = np.empty(N), np.empty(N)
    for i in range(N):
        k = [np.exp(-0.5 * np.sum((X[i] - X[j]) ** 2)) for j in range(N)]
        T = sum(k[j] for j in range(N) if j != i)
        S[i] = (1.0 + 1.0 / T) ** 2
        f = sum(k[j] * Y[j] for j in range(N)) / (T + 1.0)
        terms[i] = S[i] * np.sum((Y[i] - f) ** 2)
    return S, terms


def penalties_by_leaving_out(X, Y):
    K = np.exp(-0.5 * np.square(X[:, None, :] - X[None, :, :]).sum(-1))
    np.fill_diagonal(K, 0.0)
    T = K.sum(1)
    without = np.einsum("ij,jd->id", K, Y) / T[:, None]
    terms = np.einsum("id,id->i", Y - without, Y - without)
    return ((T + 1) / T) ** 2, terms


def penalties_everyone(X, Y):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    T = K.sum(axis=1)
    S = (1 + 1 / T) ** 2
    f = K @ Y / T[:, None]
    return S, S * np.sum((Y - f) ** 2, axis=1)


def penalties_twice(X, Y):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    np.fill_diagonal(K, 0)
    T = K.sum(axis=1)
    S = (1 + 1 / T) ** 2
    f = K @ Y / T[:, None]
    return S, S * np.sum((Y - f) ** 2, axis=1)


def penalties_unsquared(X, Y):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    T = K.sum(axis=1) - 1
    S = 1 + 1 / T
    f = (K / K.sum(axis=1)[:, None]).dot(Y)
    return S, S * ((Y - f) ** 2).sum(axis=1)


def penalties_entries(X, Y):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    others = K.sum(axis=1) - np.diag(K)
    S = (1 + 1 / others) ** 2
    B = K / K.sum(axis=1, keepdims=True)
    return S, S * (Y - B @ Y) ** 2


def penalties_square_inside(X, Y):
    N = len(X)
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    T = np.array([sum(K[i, j] for j in range(N) if j != i) for i in range(N)])
    S = 1 + (1 / T) ** 2
    f = K @ Y / K.sum(axis=1, keepdims=True)
    return S, (S * np.sum((Y - f) ** 2, axis=1)).mean()


def penalties_mean_T(X, Y):
    N = len(X)
    d2 = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.exp(-d2)
    T = (K.sum(axis=1) - 1) / (N - 1)
    S = (1 + 1 / T) ** 2
    f = K @ Y / K.sum(axis=1, keepdims=True)
    r2 = np.sum((Y - f) ** 2, axis=1)
    return S, S * r2


RIGHT = [penalties_matrix, penalties_loop, penalties_by_leaving_out]
WRONG = [
    (penalties_everyone, ["the point itself is counted in T"]),
    (penalties_twice, ["rebuilds the points without themselves, so that leaving out is counted twice in the terms"]),
    (penalties_unsquared, ["forgot to square the bracket in S"]),
    (penalties_entries, ["does not sum the squared residuals over the columns of the data before multiplying by S"]),
    (penalties_square_inside, ["squares only the fraction 1/T instead of the whole bracket", "returns the mean of the terms instead of the terms"]),
    (penalties_mean_T, ["forgot the factor 1/2 in the kernel", "takes the mean over the others for T instead of the sum"]),
]
