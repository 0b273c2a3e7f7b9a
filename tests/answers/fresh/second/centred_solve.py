"""Fresh answers to `centred_solve`."""
import numpy as np
from scipy.spatial.distance import cdist


def right_solve(X, Y, centres, width, penalty):
    def phi(x):
        return np.exp(-np.sum((x[:, None] - centres) ** 2, axis=2) / (2 * width**2))

    Phi, K = phi(X), phi(centres)
    Pc, Yc = Phi - Phi.mean(axis=0), Y - Y.mean(axis=0)
    W = np.linalg.solve(Pc.T @ Pc + penalty * K, Pc.T @ Yc)
    return W, np.mean(Y - Phi @ W, axis=0)


def right_bordered_system(X, Y, centres, width, penalty):
    N, M = len(X), len(centres)
    F = np.exp(-cdist(X, centres, "sqeuclidean") / (2 * width**2))
    K = np.exp(-cdist(centres, centres, "sqeuclidean") / (2 * width**2))
    A = np.zeros((M + 1, M + 1))
    A[:M, :M] = F.T @ F + penalty * K
    A[:M, M] = A[M, :M] = F.sum(axis=0)
    A[M, M] = N
    right = np.vstack([F.T @ Y, Y.sum(axis=0, keepdims=True)])
    solution = np.linalg.solve(A, right)
    return solution[:M], solution[M]


def right_least_squares_stacked(X, Y, centres, width, penalty):
    bump = lambda a, b: np.exp(-0.5 * np.sum(((a - b) / width) ** 2))
    Phi = np.array([[bump(x, c) for c in centres] for x in X])
    K = np.array([[bump(b, c) for c in centres] for b in centres])
    values, vectors = np.linalg.eigh(K)
    root = np.sqrt(penalty * np.maximum(values, 0))[:, None] * vectors.T
    top = np.vstack([Phi - Phi.mean(axis=0), root])
    target = np.vstack([Y - Y.mean(axis=0), np.zeros((len(centres), Y.shape[1]))])
    W = np.linalg.lstsq(top, target, rcond=None)[0]
    return W, Y.mean(axis=0) - Phi.mean(axis=0) @ W


def scaled_as_in_r(X, Y, centres, width, penalty):
    phi = lambda x: np.exp(-cdist(x, centres, "sqeuclidean") / (2 * width**2))
    Phi, K = phi(X), phi(centres)
    Pc = (Phi - Phi.mean(axis=0)) / Phi.std(axis=0)
    Yc = Y - Y.mean(axis=0)
    W = np.linalg.solve(Pc.T @ Pc + penalty * K, Pc.T @ Yc)
    w = np.mean(Y - Phi @ W, axis=0)
    return W, w


def one_mean_for_all_outputs(X, Y, centres, width, penalty):
    def basis(x):
        t = np.sum((x[:, None] - centres) ** 2, axis=2)
        return np.exp(-t / (2 * width**2))
    Phi = basis(X)
    Phi_c = Phi - Phi.mean(axis=0)
    Y_c = Y - Y.mean()
    W = np.linalg.solve(Phi_c.T @ Phi_c + penalty * basis(centres), Phi_c.T @ Y_c)
    w = Y.mean() - Phi.mean(axis=0) @ W
    return W, w


def kernel_centred_twice(X, Y, centres, width, penalty):
    g = lambda a: np.exp(-cdist(a, centres) ** 2 / (2 * width**2))
    Phi, K = g(X), g(centres)
    M = len(centres)
    J = np.eye(M) - np.ones((M, M)) / M
    Kc = J @ K @ J
    Phi_c = Phi - Phi.mean(axis=0)
    Y_c = Y - Y.mean(axis=0)
    W = np.linalg.lstsq(Phi_c.T @ Phi_c + penalty * Kc, Phi_c.T @ Y_c, rcond=None)[0]
    w = (Y - Phi @ W).mean(axis=0)
    return W, w


def kernel_at_the_data(X, Y, centres, width, penalty):
    def phi(x):
        return np.exp(-np.sum((x[:, None] - centres) ** 2, axis=-1) / (2 * width**2))
    Phi = phi(X)
    K = phi(X)
    Pc = Phi - Phi.mean(axis=0)
    Yc = Y - Y.mean(axis=0)
    W = np.linalg.solve(Pc.T @ Pc + penalty * K, Pc.T @ Yc)
    return W, (Y - Phi @ W).mean(axis=0)


def wrong_width_and_penalty_per_point(X, Y, centres, width, penalty):
    N = len(X)
    phi = lambda x: np.exp(-np.sum((x[:, None] - centres) ** 2, axis=2) / width**2)
    Phi = phi(X)
    Pc = Phi - Phi.mean(axis=0)
    A = Pc.T @ Pc + N * penalty * phi(centres)
    W = np.linalg.solve(A, Pc.T @ (Y - Y.mean(axis=0)))
    return W, np.mean(Y - Phi @ W, axis=0)


def half_centred_with_mean_constant(X, Y, centres, width, penalty):
    phi = lambda x: np.exp(-cdist(x, centres, "sqeuclidean") / (2 * width**2))
    Phi, K = phi(X), phi(centres)
    w = Y.mean(axis=0)
    W = np.linalg.solve(Phi.T @ Phi + penalty * K, Phi.T @ (Y - w))
    return W, w


RIGHT = [right_solve, right_bordered_system, right_least_squares_stacked]
WRONG = [
    (scaled_as_in_r, ["divides the centred columns of Phi by their standard deviations (scale() of R) before solving"]),
    (one_mean_for_all_outputs, ["takes one mean over all entries of Y instead of one for each column"]),
    (kernel_centred_twice, ["double-centres K as well, though only the basis functions at the data are centred"]),
    (kernel_at_the_data, ["computes K at the data instead of the centres (raises unless M = N)"]),
    (wrong_width_and_penalty_per_point, ["divides by σ² instead of 2σ² in the basis functions", "multiplies the penalty by N"]),
    (half_centred_with_mean_constant, ["does not centre Phi", "takes the mean of Y for the constant, without subtracting the mean of the network"]),
]
