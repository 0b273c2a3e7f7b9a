"""Fresh answers to `centred_solve`."""
import numpy as np
import scipy.linalg
from scipy.spatial.distance import cdist


def weights_plain(X, Y, centres, width, penalty):
    def bumps(x):
        t = np.sum((x[:, None] - centres) ** 2, axis=2)
        return np.exp(-t / (2 * width**2))

    Phi, K = bumps(X), bumps(centres)
    Phi_c = Phi - Phi.mean(axis=0)
    Y_c = Y - Y.mean(axis=0)
    W = np.linalg.solve(Phi_c.T @ Phi_c + penalty * K, Phi_c.T @ Y_c)
    return W, np.mean(Y - Phi @ W, axis=0)


def weights_by_output(X, Y, centres, width, penalty):
    Phi = np.exp(-0.5 * cdist(X / width, centres / width, "sqeuclidean"))
    K = np.exp(-0.5 * cdist(centres / width, centres / width, "sqeuclidean"))
    m, y = Phi.mean(0), Y.mean(0)
    lu = scipy.linalg.lu_factor((Phi - m).T @ (Phi - m) + penalty * K)
    columns = []
    for k in range(Y.shape[1]):
        columns.append(scipy.linalg.lu_solve(lu, (Phi - m).T @ (Y[:, k] - y[k])))
    W = np.stack(columns, axis=1)
    return W, y - m @ W


def weights_bordered(X, Y, centres, width, penalty):
    """Weights and constant as unknowns of one larger system."""
    N, M = len(X), len(centres)
    Phi, K = np.empty((N, M)), np.empty((M, M))
    for m, c in enumerate(centres):
        Phi[:, m] = np.exp(-np.sum((X - c) ** 2, axis=1) / (2 * width * width))
        K[:, m] = np.exp(-np.sum((centres - c) ** 2, axis=1) / (2 * width * width))
    start, base = Y.mean(axis=0), Phi.mean(axis=0)
    F = np.hstack([Phi - base, np.ones((N, 1))])
    A = F.T @ F
    A[:M, :M] += penalty * K
    both = np.linalg.solve(A, F.T @ (Y - start))
    return both[:M], both[M] + start - both[:M].T @ base


def weights_misprint(X, Y, centres, width, penalty):
    def phi(x):
        return np.exp(-np.sum((x[:, None] - centres) ** 2, axis=2) / (2 * width**2))

    Phi = phi(X)
    Phi_c, Y_c = Phi - Phi.mean(axis=0), Y - Y.mean(axis=0)
    W = np.linalg.solve(Phi_c.T @ Phi_c + penalty * np.eye(len(centres)), Phi_c.T @ Y_c)
    return W, (Y - Phi @ W).mean(axis=0)


def weights_mean_of_data(X, Y, centres, width, penalty):
    def phi(x):
        return np.exp(-np.sum((x[:, None] - centres) ** 2, axis=2) / (2 * width**2))

    Phi, K = phi(X), phi(centres)
    Phi_c = Phi - Phi.mean(axis=0)
    Y_c = Y - Y.mean(axis=0)
    W = np.linalg.solve(Phi_c.T @ Phi_c + penalty * K, Phi_c.T @ Y_c)
    w = Y.mean(axis=0)
    return W, w


def weights_not_centred(X, Y, centres, width, penalty):
    def phi(x):
        return np.exp(-np.sum((x[:, None] - centres) ** 2, axis=2) / (2 * width**2))

    Phi, K = phi(X), phi(centres)
    W = np.linalg.solve(Phi.T @ Phi + penalty * K, Phi.T @ Y)
    w = np.mean(Y - Phi @ W, axis=0)
    return W, w


def weights_kernel_of_data(X, Y, centres, width, penalty):
    def gauss(a, b):
        return np.exp(-np.sum((a[:, None] - b) ** 2, axis=2) / (2 * width**2))

    Phi, K = gauss(X, centres), gauss(X, X)
    Phi_c = Phi - Phi.mean(axis=0)
    Y_c = Y - Y.mean(axis=0)
    W = np.linalg.solve(Phi_c.T @ Phi_c + penalty * K, Phi_c.T @ Y_c)
    return W, (Y - Phi @ W).mean(axis=0)


def weights_one_constant(X, Y, centres, width, penalty):
    def phi(x):
        return np.exp(-np.sum((x[:, None] - centres) ** 2, axis=2) / width**2)

    Phi, K = phi(X), phi(centres)
    Phi_c, Y_c = Phi - Phi.mean(axis=0), Y - Y.mean(axis=0)
    W = np.linalg.solve(Phi_c.T @ Phi_c + penalty * K, Phi_c.T @ Y_c)
    return W, np.mean(Y - Phi @ W)


def weights_mean_square(X, Y, centres, width, penalty):
    N = len(X)

    def phi(x):
        return np.exp(-np.sum((x[:, None] - centres) ** 2, axis=2) / (2 * width**2))

    Phi, K = phi(X), phi(centres)
    Phi_c, Y_c = Phi - Phi.mean(axis=0), Y - Y.mean(axis=0)
    W = np.linalg.solve(Phi_c.T @ Phi_c / N + penalty * K, Phi_c.T @ Y_c / N)
    return W, np.mean(Y - Phi_c @ W, axis=0)


RIGHT = [weights_plain, weights_by_output, weights_bordered]
WRONG = [
    (weights_misprint, ["uses the identity instead of K in the penalty"]),
    (weights_mean_of_data, ["takes the mean of the data for the constant and forgets to subtract the mean of the network's part"]),
    (weights_not_centred, ["solves the system with Phi and Y as they are, without subtracting their column means"]),
    (weights_kernel_of_data, ["makes K from the pairs of data points instead of the pairs of centres"]),
    (weights_one_constant, ["forgot the factor 2 in the denominator of the basis functions", "takes the mean residual over all outputs together, one constant instead of d"]),
    (weights_mean_square, ["divides the data part by N, so that the penalty counts N times as much", "uses the centred Phi in the constant"]),
]
