"""Fresh answers to `ridge_leave_one_out`."""
import numpy as np
from scipy.spatial.distance import cdist


def closed_form(Y, X, gamma, penalty):
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    A = np.linalg.inv(K + penalty * np.eye(len(Y)))
    a = A.sum(axis=1)
    G = A - np.outer(a, a) / a.sum()
    return G @ X / np.diag(G)[:, None]


def really_refitted(Y, X, gamma, penalty):
    N = len(Y)
    residuals = np.zeros(X.shape)
    for n in range(N):
        rest = [m for m in range(N) if m != n]
        K = np.exp(-gamma * cdist(Y[rest], Y[rest], "sqeuclidean")) + penalty * np.eye(N - 1)
        u, V = np.linalg.solve(K, np.ones(N - 1)), np.linalg.solve(K, X[rest])
        c = V.sum(axis=0) / u.sum()
        k = np.exp(-gamma * np.sum((Y[rest] - Y[n]) ** 2, axis=1))
        residuals[n] = X[n] - c - k @ (V - np.outer(u, c))
    return residuals


def bordered(Y, X, gamma, penalty):
    N = len(Y)
    system = np.ones((N + 1, N + 1))
    system[:N, :N] = np.exp(-gamma * cdist(Y, Y, "sqeuclidean")) + penalty * np.eye(N)
    system[N, N] = 0
    inverse = np.linalg.inv(system)[:N, :N]
    return np.einsum("nm,mq->nq", inverse, X) / inverse.diagonal().reshape(N, 1)


def constant_of_all(Y, X, gamma, penalty):
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    A = np.linalg.inv(K + penalty * np.eye(len(Y)))
    c = A.sum(axis=0) @ X / A.sum()
    W = A @ (X - c)
    return W / np.diag(A)[:, None]


def centred_places(Y, X, gamma, penalty):
    N = len(Y)
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    A = np.linalg.inv(K + penalty * np.eye(N))
    IH = penalty * A @ (np.eye(N) - 1 / N)
    return IH @ X / np.diag(IH)[:, None]


def without_constant(Y, X, gamma, penalty):
    N = len(Y)
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    H = K @ np.linalg.inv(K + penalty * np.eye(N))
    return (X - H @ X) / (1 - np.diag(H))[:, None]


def average_leverage(Y, X, gamma, penalty):
    N = len(Y)
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    A = np.linalg.inv(K + penalty * np.eye(N))
    a = A.sum(axis=1)
    IH = penalty * (A - np.outer(a, a) / a.sum())
    return IH @ X / (np.trace(IH) / N)


def plain_of_lengths(Y, X, gamma, penalty):
    K = np.exp(-gamma * cdist(Y, Y))
    A = np.linalg.inv(K + penalty * np.eye(len(Y)))
    c = A.sum(axis=0) @ X / A.sum()
    return penalty * A @ (X - c)


def divided_by_H(Y, X, gamma, penalty):
    N = len(Y)
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    A = np.linalg.inv(K + penalty * np.eye(N))
    a = A.sum(axis=1)
    H = np.eye(N) - penalty * (A - np.outer(a, a) / a.sum())
    return (H @ X - X) / np.diag(H)[:, None]


RIGHT = [closed_form, really_refitted, bordered]
WRONG = [
    (constant_of_all, ["divides by the diagonal of lambda A, so the constant is not refitted without the point"]),
    (centred_places, ["takes the mean of the places for the constant"]),
    (without_constant, ["fits without any constant"]),
    (average_leverage, ["divides all residuals by the mean of 1 - H_nn, as in generalised cross-validation"]),
    (plain_of_lengths, ["puts the distance into the kernel, not its square", "returns the plain residuals, not divided by 1 - H_nn"]),
    (divided_by_H, ["divides by H_nn instead of 1 - H_nn", "returns f minus x, the wrong sign"]),
]
