"""Fresh answers to `scale_by_likelihood`."""
import math

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import logsumexp


def likelihood_matrix(X, h):
    N, q = X.shape
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / (2 * h**2))
    np.fill_diagonal(K, 0)
    p = K.sum(axis=1) / ((N - 1) * h**q)
    return np.log(p).mean()


def likelihood_in_logs(X, h):
    N, q = X.shape
    exponent = -0.5 * cdist(X, X, "sqeuclidean") / h**2
    exponent[np.arange(N), np.arange(N)] = -np.inf
    return float(np.mean(logsumexp(exponent, axis=1)) - math.log(N - 1) - q * math.log(h))


def likelihood_loop(X, h):
    N, q = len(X), len(X[0])
    logs = []
    for n in range(N):
        others = np.delete(X, n, axis=0)
        t = np.sum(((others - X[n]) / h) ** 2, axis=1)
        logs.append(np.log(np.mean(np.exp(-t / 2)) / h**q))
    return sum(logs) / N


def likelihood_log_of_mean(X, h):
    N, q = X.shape
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / (2 * h**2))
    np.fill_diagonal(K, 0)
    p = K.sum(axis=1) / ((N - 1) * h**q)
    return np.log(p.mean())


def likelihood_twins_removed(X, h):
    N, q = X.shape
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / (2 * h**2))
    others = K[K < 1].reshape(N, N - 1)
    p = others.sum(axis=1) / ((N - 1) * h**q)
    return np.mean(np.log(p))


def likelihood_h_once(X, h):
    N = len(X)
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / (2 * h**2))
    np.fill_diagonal(K, 0)
    return np.mean(np.log(K.sum(axis=1) / ((N - 1) * h)))


def likelihood_cushion(X, h):
    N, q = X.shape
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / (2 * h**2))
    np.fill_diagonal(K, 0)
    p = K.sum(axis=1) / ((N - 1) * h**q)
    return np.mean(np.log(p + 1e-3))


def likelihood_self(X, h):
    N, q = X.shape
    total = 0
    for x in X:
        t = np.sum((X - x) ** 2, axis=1) / h**2
        p = np.exp(-t / 2).sum() / ((N - 1) * h**q)
        total += np.log(p)
    return total


def likelihood_rows(X, h):
    N = X.shape[0]
    d = np.linalg.norm(X[:, None] - X, axis=2)
    K = np.exp(-d / (2 * h**2))
    np.fill_diagonal(K, 0)
    p = K.sum(axis=1) / (N * h ** X.shape[1])
    return np.log(p).mean()


RIGHT = [likelihood_matrix, likelihood_in_logs, likelihood_loop]
WRONG = [
    (likelihood_log_of_mean, ["takes the logarithm of the mean density instead of the mean of the logarithms"]),
    (likelihood_twins_removed, ["removes all kernel values that are 1 instead of the diagonal only, so other points at the same place are lost too"]),
    (likelihood_h_once, ["divides by h instead of h to the power q"]),
    (likelihood_cushion, ["adds a small number to the density before the logarithm, for safety"]),
    (likelihood_self, ["lets each point help itself", "sums the logarithms instead of taking their mean"]),
    (likelihood_rows, ["puts the distance instead of the squared distance into the kernel", "divides by N instead of N - 1"]),
]
