"""Fresh answers to `ridge_leave_one_out`."""
import numpy as np
from scipy.spatial.distance import cdist


def right_closed_form(Y, X, gamma, penalty):
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    A = np.linalg.inv(K + penalty * np.eye(len(Y)))
    a = A.sum(axis=1)
    I_minus_H = penalty * (A - np.outer(a, a) / a.sum())
    return I_minus_H @ X / np.diag(I_minus_H)[:, None]


def right_really_refitted(Y, X, gamma, penalty):
    N = len(Y)
    out = np.zeros(X.shape)
    for n in range(N):
        keep = np.arange(N) != n
        K = np.exp(-gamma * cdist(Y[keep], Y[keep], "sqeuclidean")) + penalty * np.eye(N - 1)
        AX, A1 = np.linalg.solve(K, X[keep]), np.linalg.solve(K, np.ones(N - 1))
        c = AX.sum(axis=0) / A1.sum()
        W = AX - np.outer(A1, c)
        k = np.exp(-gamma * np.sum((Y[keep] - Y[n]) ** 2, axis=1))
        out[n] = X[n] - c - k @ W
    return out


def right_bordered_inverse(Y, X, gamma, penalty):
    N = len(Y)
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    big = np.ones((N + 1, N + 1))
    big[:N, :N] = K + penalty * np.eye(N)
    big[N, N] = 0
    G = np.linalg.inv(big)[:N, :N]
    return np.array([(G[n] @ X) / G[n, n] for n in range(N)])


def generalised_cross_validation(Y, X, gamma, penalty):
    N = len(Y)
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    A = np.linalg.inv(K + penalty * np.eye(N))
    a = A.sum(axis=1, keepdims=True)
    R = penalty * (A - a @ a.T / A.sum())
    return R @ X / (np.trace(R) / N)


def piece_of_the_inverse(Y, X, gamma, penalty):
    N = len(Y)
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    A = np.linalg.inv(K + penalty * np.eye(N))
    residuals = np.zeros(X.shape)
    for n in range(N):
        keep = np.delete(np.arange(N), n)
        A_n = A[np.ix_(keep, keep)]
        c = A_n.sum(axis=0) @ X[keep] / A_n.sum()
        W = A_n @ (X[keep] - c)
        residuals[n] = X[n] - (c + K[n, keep] @ W)
    return residuals


def denominator_without_axis(Y, X, gamma, penalty):
    K = np.exp(-gamma * cdist(Y, Y) ** 2)
    A = np.linalg.inv(K + penalty * np.eye(len(Y)))
    a = A.sum(axis=0)
    D = penalty * (A - np.outer(a, a) / A.sum())
    plain = D @ X
    return plain / np.diag(D)


def constant_of_everybody(Y, X, gamma, penalty):
    N = len(Y)
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    A = np.linalg.inv(K + penalty * np.eye(N))
    c = A.sum(axis=0) @ X / A.sum()
    res = np.empty_like(X, dtype=float)
    for n in range(N):
        o = np.arange(N) != n
        W = np.linalg.solve(K[np.ix_(o, o)] + penalty * np.eye(N - 1), X[o] - c)
        res[n] = X[n] - c - K[n, o] @ W
    return res


def h_not_complemented_and_gaussian_width(Y, X, gamma, penalty):
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / (2 * gamma**2))
    A = np.linalg.inv(K + penalty * np.eye(len(Y)))
    a = A.sum(axis=1)
    R = penalty * (A - np.outer(a, a) / a.sum())
    H = np.eye(len(Y)) - R
    return (X - H @ X) / np.diag(H)[:, None]


def mean_as_constant_and_sign(Y, X, gamma, penalty):
    N = len(Y)
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    A = np.linalg.inv(K + penalty * np.eye(N))
    R = penalty * A @ (np.eye(N) - 1 / N)
    f = X - R @ X
    return (f - X) / np.diag(R)[:, None]


RIGHT = [right_closed_form, right_really_refitted, right_bordered_inverse]
WRONG = [
    (generalised_cross_validation, ["divides all residuals by the mean of 1 - H_nn (generalised cross-validation) instead of each by its own"]),
    (piece_of_the_inverse, ["deletes row and column n of the inverse A instead of inverting the matrix without them"]),
    (denominator_without_axis, ["divides the (N, q) residuals by an (N,) array without a new axis (raises unless q is 1 or N)"]),
    (constant_of_everybody, ["keeps the constant of the fit to all points instead of giving f_-n one of its own"]),
    (h_not_complemented_and_gaussian_width, ["divides by H_nn instead of 1 - H_nn", "uses exp(-d²/(2 gamma²)) as if gamma were a width"]),
    (mean_as_constant_and_sign, ["takes the mean of the places for the constant c", "sign reversed: f minus x"]),
]
