"""Fresh answers to `centred_solve`."""
import numpy as np
from scipy.spatial.distance import cdist


def textbook(X, Y, centres, width, penalty):
    def phi(x):
        return np.exp(-np.sum((x[:, None] - centres) ** 2, axis=2) / (2 * width**2))

    Phi, K = phi(X), phi(centres)
    Pc, Yc = Phi - Phi.mean(axis=0), Y - Y.mean(axis=0)
    W = np.linalg.solve(Pc.T @ Pc + penalty * K, Pc.T @ Yc)
    return W, (Y - Phi @ W).mean(axis=0)


def with_bordered_system(X, Y, centres, width, penalty):
    N, M = len(X), len(centres)
    Phi = np.exp(-cdist(X, centres, "sqeuclidean") / (2 * width**2))
    K = np.exp(-cdist(centres, centres, "sqeuclidean") / (2 * width**2))
    offset = Y.mean(axis=0)
    A = np.zeros((M + 1, M + 1))
    A[:M, :M] = Phi.T @ Phi + penalty * K
    A[:M, M] = A[M, :M] = Phi.sum(axis=0)
    A[M, M] = N
    right = np.vstack([Phi.T @ (Y - offset), (Y - offset).sum(axis=0)])
    solution = np.linalg.solve(A, right)
    return solution[:M], solution[M] + offset


def one_output_at_a_time(X, Y, centres, width, penalty):
    basis = lambda x: np.array([[np.exp(-0.5 * ((a - c) @ (a - c)) / width**2) for c in centres] for a in x])
    Phi, K = basis(X), basis(centres)
    C = np.eye(len(X)) - 1 / len(X)
    A = (C @ Phi).T @ (C @ Phi) + penalty * K
    columns = [np.linalg.solve(A, (C @ Phi).T @ (C @ y)) for y in Y.T]
    W = np.stack(columns, axis=1)
    return W, Y.mean(axis=0) - Phi.mean(axis=0) @ W


def row_means(X, Y, centres, width, penalty):
    phi = lambda x: np.exp(-cdist(x, centres, "sqeuclidean") / (2 * width**2))
    Phi, K = phi(X), phi(centres)
    Pc, Yc = Phi - Phi.mean(axis=1), Y - Y.mean(axis=0)
    W = np.linalg.solve(Pc.T @ Pc + penalty * K, Pc.T @ Yc)
    return W, (Y - Phi @ W).mean(axis=0)


def constant_is_mean(X, Y, centres, width, penalty):
    phi = lambda x: np.exp(-cdist(x, centres, "sqeuclidean") / (2 * width**2))
    Phi, K = phi(X), phi(centres)
    w = Y.mean(axis=0)
    Pc = Phi - Phi.mean(axis=0)
    W = np.linalg.solve(Pc.T @ Pc + penalty * K, Pc.T @ (Y - w))
    return W, w


def penalty_for_each_point(X, Y, centres, width, penalty):
    phi = lambda x: np.exp(-np.sum((x[:, None] - centres) ** 2, axis=2) / (2 * width**2))
    Phi, K = phi(X), phi(centres)
    Pc, Yc = Phi - Phi.mean(axis=0), Y - Y.mean(axis=0)
    W = np.linalg.solve(Pc.T @ Pc + len(X) * penalty * K, Pc.T @ Yc)
    return W, np.mean(Y - Phi @ W, axis=0)


def centred_data_only(X, Y, centres, width, penalty):
    phi = lambda x: np.exp(-cdist(x, centres, "sqeuclidean") / (2 * width**2))
    Phi, K = phi(X), phi(centres)
    Yc = Y - Y.mean(axis=0)
    W = np.linalg.solve(Phi.T @ Phi + penalty * K, Phi.T @ Yc)
    w = (Y - Phi @ W).mean(axis=0)
    return W, w


def plain_ridge(X, Y, centres, width, penalty):
    phi = lambda x: np.exp(-cdist(x, centres, "sqeuclidean") / width**2)
    Phi = phi(X)
    Pc, Yc = Phi - Phi.mean(axis=0), Y - Y.mean(axis=0)
    W = np.linalg.solve(Pc.T @ Pc + penalty * np.eye(len(centres)), Pc.T @ Yc)
    return W, (Y - Phi @ W).mean(axis=0)


def constant_of_centred(X, Y, centres, width, penalty):
    phi = lambda x: np.exp(-cdist(x, centres, "sqeuclidean") / (2 * width))
    Phi, K = phi(X), phi(centres)
    Pc, Yc = Phi - Phi.mean(axis=0), Y - Y.mean(axis=0)
    W = np.linalg.solve(Pc.T @ Pc + penalty * K, Pc.T @ Yc)
    return W, (Yc - Pc @ W).mean(axis=0)


RIGHT = [textbook, with_bordered_system, one_output_at_a_time]
WRONG = [
    (row_means, ["subtracts the mean of each row of Phi instead of each column"]),
    (constant_is_mean, ["takes the mean of the data for the constant, without subtracting the mean of the basis functions"]),
    (penalty_for_each_point, ["multiplies the penalty by the number of points"]),
    (centred_data_only, ["centres the data, but not the basis functions"]),
    (plain_ridge, ["penalises with the identity matrix instead of K", "forgot the factor 1/2 in the exponent of the basis functions"]),
    (constant_of_centred, ["does not square the width", "computes the constant from the centred quantities, so that it is always zero"]),
]
