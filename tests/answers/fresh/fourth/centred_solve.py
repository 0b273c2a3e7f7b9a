"""Fresh answers to `centred_solve`."""
import numpy as np
from scipy.linalg import solve as scipy_solve
from scipy.spatial.distance import cdist


def as_in_the_text(X, Y, centres, width, penalty):
    def phi(x):
        return np.exp(-np.sum((x[:, None] - centres) ** 2, axis=2) / (2 * width**2))

    Phi, K = phi(X), phi(centres)
    Phi_mean, Y_mean = Phi.mean(axis=0), Y.mean(axis=0)
    P = Phi - Phi_mean
    W = np.linalg.solve(P.T @ P + penalty * K, P.T @ (Y - Y_mean))
    return W, Y_mean - Phi_mean @ W


def centring_matrix(X, Y, centres, width, penalty):
    N = len(X)
    H = np.eye(N) - np.full((N, N), 1.0 / N)
    Phi = np.exp(-cdist(X, centres, "sqeuclidean") / (2 * width**2))
    K = np.exp(-cdist(centres, centres, "sqeuclidean") / (2 * width**2))
    HPhi = H @ Phi
    W = scipy_solve(HPhi.T @ HPhi + penalty * K, HPhi.T @ (H @ Y))
    w = np.mean(Y - Phi @ W, axis=0)
    return W, w


def output_by_output(X, Y, centres, width, penalty):
    N, M, d = len(X), len(centres), Y.shape[1]

    def hill(a, b):
        return np.exp(-sum((s - t) ** 2 for s, t in zip(a, b)) / (2 * width * width))

    Phi = np.array([[hill(x, mu) for mu in centres] for x in X])
    K = np.array([[hill(m1, m2) for m2 in centres] for m1 in centres])
    Phi_c = Phi - sum(Phi) / N
    left = penalty * K
    for row in Phi_c:
        left = left + np.outer(row, row)
    W, w = np.zeros((M, d)), np.zeros(d)
    for k in range(d):
        y = Y[:, k] - Y[:, k].mean()
        W[:, k] = np.linalg.solve(left, Phi_c.T @ y)
        w[k] = np.mean(Y[:, k] - Phi @ W[:, k])
    return W, w


def ridge_on_weights(X, Y, centres, width, penalty):
    def basis(x):
        return np.exp(-np.sum((x[:, None] - centres) ** 2, axis=2) / (2 * width**2))

    Phi = basis(X)
    Pc, Yc = Phi - Phi.mean(axis=0), Y - Y.mean(axis=0)
    W = np.linalg.solve(Pc.T @ Pc + penalty * np.eye(len(centres)), Pc.T @ Yc)
    return W, np.mean(Y - Phi @ W, axis=0)


def only_data_centred(X, Y, centres, width, penalty):
    def basis(x):
        return np.exp(-np.sum((x[:, None] - centres) ** 2, axis=2) / (2 * width**2))

    Phi, K = basis(X), basis(centres)
    Yc = Y - Y.mean(axis=0)
    W = np.linalg.solve(Phi.T @ Phi + penalty * K, Phi.T @ Yc)
    w = (Y - Phi @ W).mean(axis=0)
    return W, w


def constant_is_mean(X, Y, centres, width, penalty):
    Phi = np.exp(-cdist(X, centres) ** 2 / (2 * width**2))
    K = np.exp(-cdist(centres, centres) ** 2 / (2 * width**2))
    w = Y.mean(axis=0)
    Pc = Phi - Phi.mean(axis=0)
    W = np.linalg.solve(Pc.T @ Pc + penalty * K, Pc.T @ (Y - w))
    return W, w


def penalise_with_phi(X, Y, centres, width, penalty):
    Phi = np.exp(-cdist(X, centres, "sqeuclidean") / (2 * width**2))
    Phi_c, Y_c = Phi - Phi.mean(axis=0), Y - Y.mean(axis=0)
    W = np.linalg.solve(Phi_c.T @ Phi_c + penalty * Phi, Phi_c.T @ Y_c)
    return W, np.mean(Y - Phi @ W, axis=0)


def mean_error_view(X, Y, centres, width, penalty):
    def basis(x):
        return np.exp(-np.sum((x[:, None] - centres) ** 2, axis=-1) / width**2)

    Phi, K = basis(X), basis(centres)
    m = Phi.mean(axis=0)
    A = (Phi - m).T @ (Phi - m) + len(X) * penalty * K
    W = np.linalg.solve(A, (Phi - m).T @ (Y - Y.mean(axis=0)))
    return W, Y.mean(axis=0) - m @ W


def one_mean_for_all(X, Y, centres, width, penalty):
    def basis(x):
        return np.exp(-np.sum((x[:, None] - centres) ** 2, axis=2) / (2 * width**2))

    Phi, K = basis(X), basis(centres)
    phi_mean, y_mean = Phi.mean(axis=0), Y.mean()
    P = Phi - phi_mean
    W = np.linalg.solve(P.T @ P + K, P.T @ (Y - y_mean))
    return W, y_mean - phi_mean @ W


RIGHT = [as_in_the_text, centring_matrix, output_by_output]
WRONG = [
    (ridge_on_weights, ["penalises with the identity matrix instead of K (the misprint of the paper)"]),
    (only_data_centred, ["centres only Y, and leaves Φ uncentred in the system (16)"]),
    (constant_is_mean, ["takes the mean of the data as the constant, without subtracting the mean of what the basis functions give"]),
    (penalise_with_phi, ["takes Φ (data to centres) in place of K (centres to centres) in the penalty"]),
    (mean_error_view, ["forgot the factor 2 in the exponent of the basis functions", "multiplies the penalty by the number of points"]),
    (one_mean_for_all, ["takes the mean of Y over all its entries instead of one mean for each column", "forgot to multiply K by the penalty"]),
]
