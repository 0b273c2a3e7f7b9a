"""Fresh answers to `ridge_leave_one_out`."""
import numpy as np
from scipy.spatial.distance import cdist


def residuals_matrix(Y, X, gamma, penalty):
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    A = np.linalg.inv(K + penalty * np.eye(len(Y)))
    a = A.sum(axis=1)
    G = A - np.outer(a, a) / a.sum()
    return G @ X / np.diag(G)[:, None]


def residuals_refit(Y, X, gamma, penalty):
    N = len(Y)
    out = np.zeros(X.shape)
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    for n in range(N):
        rest = [m for m in range(N) if m != n]
        C = K[np.ix_(rest, rest)] + penalty * np.eye(N - 1)
        u, V = np.linalg.solve(C, np.ones(N - 1)), np.linalg.solve(C, X[rest])
        c = V.sum(axis=0) / u.sum()
        out[n] = X[n] - c - K[n, rest] @ (V - u[:, None] * c)
    return out


def residuals_hat(Y, X, gamma, penalty):
    N = Y.shape[0]
    sq = np.array([[np.dot(a - b, a - b) for b in Y] for a in Y])
    border = np.zeros((N + 1, N + 1))
    border[:N, :N] = np.exp(-gamma * sq) + penalty * np.eye(N)
    border[:N, N] = border[N, :N] = 1.0
    inverse = np.linalg.inv(border)[:N, :N]
    weights = inverse @ X
    return np.array([weights[n] / inverse[n, n] for n in range(N)])


def residuals_constant_kept(Y, X, gamma, penalty):
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    A = np.linalg.inv(K + penalty * np.eye(len(Y)))
    c = A.sum(axis=0) @ X / A.sum()
    W = A @ (X - c)
    H = K @ A
    return penalty * W / (1 - np.diag(H))[:, None]


def residuals_mean_constant(Y, X, gamma, penalty):
    N = len(Y)
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    A = np.linalg.inv(K + penalty * np.eye(N))
    mean = np.ones((N, N)) / N
    H = mean + K @ A @ (np.eye(N) - mean)
    return (X - H @ X) / (1 - np.diag(H))[:, None]


def residuals_own_weight_dropped(Y, X, gamma, penalty):
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    A = np.linalg.inv(K + penalty * np.eye(len(Y)))
    c = A.sum(axis=0) @ X / A.sum()
    W = A @ (X - c)
    K0 = K - np.diag(np.diag(K))
    return X - (c + K0 @ W)


def residuals_delete(Y, X, gamma, penalty):
    d = Y.shape[1]
    result = []
    for n in range(len(Y)):
        others = np.delete(Y, n).reshape(-1, d)
        places = np.delete(X, n, axis=0)
        K = np.exp(-gamma * cdist(others, others, "sqeuclidean"))
        A = np.linalg.inv(K + penalty * np.eye(len(others)))
        c = A.sum(axis=0) @ places / A.sum()
        W = A @ (places - c)
        k = np.exp(-gamma * np.sum((others - Y[n]) ** 2, axis=1))
        result.append(X[n] - c - k @ W)
    return np.array(result)


def residuals_squared_denominator(Y, X, gamma, penalty):
    N = len(Y)
    K = np.exp(-np.sum((Y[:, None] - Y) ** 2, axis=2) / (2 * gamma**2))
    A = np.linalg.inv(K + penalty * np.eye(N))
    a = A.sum(axis=1)
    G = penalty * (A - np.outer(a, a) / a.sum())
    return G @ X / np.diag(G)[:, None] ** 2


def residuals_no_constant(Y, X, gamma, penalty):
    N = len(Y)
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    H = K @ np.linalg.inv(K + penalty * np.eye(N))
    return (H @ X - X) / (1 - np.diag(H))[:, None]


RIGHT = [residuals_matrix, residuals_refit, residuals_hat]
WRONG = [
    (residuals_constant_kept, ["leaves the constant out of H in the denominator, as if it did not depend on the left-out point"]),
    (residuals_mean_constant, ["takes the mean of the places for the constant"]),
    (residuals_own_weight_dropped, ["only drops the point's own term from the sum and keeps weights and constant of the fit to all points"]),
    (residuals_delete, ["deletes a point from Y by np.delete without an axis"]),
    (residuals_squared_denominator, ["uses gamma as a bandwidth, exp(-d^2 / (2 gamma^2)), instead of exp(-gamma d^2)", "divides by the square of 1 - H_nn"]),
    (residuals_no_constant, ["fits without any constant", "returns f minus x instead of x minus f"]),
]
