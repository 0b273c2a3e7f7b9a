"""Fresh answers to `ridge_leave_one_out`."""
import numpy as np
from scipy.spatial.distance import cdist


def closed_form(Y, X, gamma, penalty):
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    A = np.linalg.inv(K + penalty * np.eye(len(Y)))
    a = A.sum(axis=1)
    R = A - np.outer(a, a) / a.sum()
    return R @ X / np.diag(R)[:, None]


def bordered(Y, X, gamma, penalty):
    N = len(Y)
    big = np.ones((N + 1, N + 1))
    big[:N, :N] = np.exp(-gamma * cdist(Y, Y, "sqeuclidean")) + penalty * np.eye(N)
    big[N, N] = 0
    C = np.linalg.inv(big)[:N, :N]
    return (C @ X) / C.diagonal().reshape(-1, 1)


def refit_every_time(Y, X, gamma, penalty):
    out = np.zeros(X.shape)
    for n in range(len(Y)):
        rest = np.arange(len(Y)) != n
        K = np.exp(-gamma * cdist(Y[rest], Y[rest], "sqeuclidean"))
        M = K + penalty * np.eye(len(K))
        ones = np.linalg.solve(M, np.ones(len(K)))
        c = ones @ X[rest] / ones.sum()
        W = np.linalg.solve(M, X[rest] - c)
        k = np.exp(-gamma * np.sum((Y[rest] - Y[n]) ** 2, axis=1))
        out[n] = X[n] - c - k @ W
    return out


def constant_not_in_h(Y, X, gamma, penalty):
    N = len(Y)
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    A = np.linalg.inv(K + penalty * np.eye(N))
    c = A.sum(axis=0) @ X / A.sum()
    W = A @ (X - c)
    H = K @ A
    return penalty * W / (1 - np.diag(H))[:, None]


def constant_is_the_mean(Y, X, gamma, penalty):
    N = len(Y)
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    A = np.linalg.inv(K + penalty * np.eye(N))
    mean = np.full((N, N), 1 / N)
    rest = penalty * A @ (np.eye(N) - mean)
    return rest @ X / np.diag(rest)[:, None]


def not_divided(Y, X, gamma, penalty):
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    M = K + penalty * np.eye(len(Y))
    a = np.linalg.solve(M, np.ones(len(Y)))
    c = a @ X / a.sum()
    return penalty * np.linalg.solve(M, X - c)


def same_for_all(Y, X, gamma, penalty):
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    A = np.linalg.inv(K + penalty * np.eye(len(Y)))
    a = A.sum(axis=1, keepdims=True)
    R = penalty * (A - a @ a.T / a.sum())
    return R @ X / (np.trace(R) / len(Y))


def predicted_minus_true(Y, X, gamma, penalty):
    K = np.exp(-gamma * cdist(Y, Y))
    A = np.linalg.inv(K + penalty * np.eye(len(Y)))
    a = A.sum(axis=1)
    R = penalty * (A - np.outer(a, a) / a.sum())
    return -(R @ X) / np.diag(R)[:, None]


def old_constant(Y, X, gamma, penalty):
    N = len(Y)
    K = np.exp(-cdist(Y, Y, "sqeuclidean") / (2 * gamma**2))
    A = np.linalg.inv(K + penalty * np.eye(N))
    c = A.sum(axis=0) @ X / A.sum()
    out = []
    for n in range(N):
        others = [m for m in range(N) if m != n]
        M = K[np.ix_(others, others)] + penalty * np.eye(N - 1)
        W = np.linalg.solve(M, X[others] - c)
        out.append(X[n] - c - K[n, others] @ W)
    return np.array(out)


RIGHT = [closed_form, bordered, refit_every_time]
WRONG = [
    (constant_not_in_h, ["takes H = K A without the constant for the denominator 1 - H_nn"]),
    (constant_is_the_mean, ["takes the mean of the places as the constant c"]),
    (not_divided, ["returns the plain residuals, without dividing by 1 - H_nn"]),
    (same_for_all, ["divides all residuals by the mean of 1 - H_nn (as in generalised cross-validation) instead of each by its own"]),
    (predicted_minus_true, ["uses the distance instead of its square in the kernel", "wrong sign: prediction minus place"]),
    (old_constant, ["treats γ as a width: exp(-|y - y'|²/(2γ²)) instead of exp(-γ |y - y'|²)", "keeps the constant of the fit to all points when a point is left out"]),
]
