"""Fresh answers to `penalty_factors`."""
import numpy as np
from scipy.spatial.distance import cdist


def right_two_matrices(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    others = K.copy()
    np.fill_diagonal(others, 0)
    T = others.sum(axis=1)
    S = (1 + 1 / T) ** 2
    f = K @ Y / K.sum(axis=1, keepdims=True)
    return S, S * np.sum((Y - f) ** 2, axis=1)


def right_loops(X, Y):
    N = len(X)
    S, terms = np.zeros(N), np.zeros(N)
    for i in range(N):
        T, g = 0.0, np.zeros(Y.shape[1])
        for j in range(N):
            if j != i:
                k = np.exp(-0.5 * np.sum((X[i] - X[j]) ** 2))
                T += k
                g += k * (Y[i] - Y[j])
        S[i] = (1 + 1 / T) ** 2
        terms[i] = S[i] * np.sum((g / (T + 1)) ** 2)
    return S, terms


def right_by_weights(X, Y):
    t = ((X[:, None] - X) ** 2).sum(axis=2)
    K = np.exp(-t / 2)
    B = K / K.sum(axis=1)[:, None]
    rest = np.where(np.eye(len(X), dtype=bool), 0, B).sum(axis=1)
    S = rest**-2.0
    terms = S * np.einsum("nd,nd->n", B @ Y - Y, B @ Y - Y)
    return S, terms


def T_with_itself(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    T = K.sum(axis=1)
    S = (1 + 1 / T) ** 2
    f = K @ Y / T[:, None]
    return S, S * ((Y - f) ** 2).sum(axis=1)


def penalised_twice(X, Y):
    K = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=-1))
    np.fill_diagonal(K, 0)
    T = K.sum(axis=1)
    S = (1 + 1 / T) ** 2
    f = K @ Y / T[:, None]
    return S, S * ((Y - f) ** 2).sum(axis=1)


def factor_not_squared(X, Y):
    K = np.exp(-cdist(X, X) ** 2 / 2)
    T = K.sum(axis=1) - np.diag(K)
    S = 1 + 1 / T
    R = Y - (K / K.sum(axis=1, keepdims=True)) @ Y
    return S, S * (R * R).sum(axis=1)


def S_inside_the_square(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    T = K.sum(axis=1) - 1
    S = (1 + 1 / T) ** 2
    f = K @ Y / (T + 1)[:, None]
    return S, np.sum((S[:, None] * (Y - f)) ** 2, axis=1)


def square_on_fraction_and_lengths(X, Y):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    T = K.sum(axis=1) - 1
    S = 1 + (1 / T) ** 2
    f = K @ Y / K.sum(axis=1, keepdims=True)
    return S, S * np.linalg.norm(Y - f, axis=1)


def no_half_and_mean_of_data(X, Y):
    N = len(X)
    S, terms = np.zeros(N), np.zeros(N)
    for i in range(N):
        T = sum(np.exp(-np.sum((X[i] - X[j]) ** 2)) for j in range(N) if j != i)
        S[i] = (1 + 1 / T) ** 2
        terms[i] = S[i] * np.sum((Y[i] - Y.mean(axis=0)) ** 2)
    return S, terms


RIGHT = [right_two_matrices, right_loops, right_by_weights]
WRONG = [
    (T_with_itself, ["T contains the point itself (the whole row sum of K)"]),
    (penalised_twice, ["uses the leave-one-out reconstructions instead of the plain ones, so isolation is penalised twice"]),
    (factor_not_squared, ["forgot to square the factor: S = 1 + 1/T"]),
    (S_inside_the_square, ["multiplies the residuals by S before squaring, so S counts twice (S^2 times the squared residual)"]),
    (square_on_fraction_and_lengths, ["squares only the fraction K(0)/T, not the whole bracket", "multiplies S by the length of the residual instead of its square"]),
    (no_half_and_mean_of_data, ["forgot the factor 1/2 in the kernel", "takes the distance to the mean of the data instead of the residual to the reconstruction f(x_i)"]),
]
