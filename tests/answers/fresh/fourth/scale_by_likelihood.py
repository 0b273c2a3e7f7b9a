"""Fresh answers to `scale_by_likelihood`."""
import math

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import logsumexp


def right_diagonal(X, h):
    N, q = X.shape
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / (2 * h**2))
    np.fill_diagonal(K, 0)
    p = K.sum(axis=1) / ((N - 1) * h**q)
    return np.mean(np.log(p))


def right_logsumexp(X, h):
    N, q = X.shape
    E = -cdist(X, X, "sqeuclidean") / (2 * h * h)
    E[np.arange(N), np.arange(N)] = -np.inf
    return float(logsumexp(E, axis=1).mean() - math.log(N - 1) - q * math.log(h))


def right_point_by_point(X, h):
    total = 0.0
    for n in range(len(X)):
        rest = np.delete(X, n, axis=0)
        e = -0.5 * np.sum(((rest - X[n]) / h) ** 2, axis=1)
        top = e.max()
        total += top + math.log(sum(math.exp(v - top) for v in e))
        total -= math.log(len(rest)) + X.shape[1] * math.log(h)
    return total / len(X)


def forgets_the_power_q(X, h):
    N = len(X)
    K = np.exp(-cdist(X, X, "sqeuclidean") / (2 * h**2))
    np.fill_diagonal(K, 0)
    p = K.sum(axis=1) / ((N - 1) * h)
    return np.log(p).mean()


def log_of_the_mean(X, h):
    N, q = X.shape
    K = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2) / h**2) - np.eye(N)
    p = K.sum(axis=1) / (N - 1) / h**q
    return np.log(np.mean(p))


def log_of_each_kernel(X, h):
    N, q = X.shape
    L = 0
    for n in range(N):
        for m in range(N):
            if m != n:
                k = -np.sum((X[n] - X[m]) ** 2) / (2 * h**2)
                L += (k - q * np.log(h)) / (N - 1)
    return L / N


def zero_distance_instead_of_zero_kernel(X, h):
    N, q = X.shape
    t = cdist(X, X, "sqeuclidean") / h**2
    np.fill_diagonal(t, 0)
    p = np.exp(-t / 2).sum(axis=1) / ((N - 1) * h**q)
    return np.mean(np.log(p))


def N_and_sum(X, h):
    N, q = X.shape
    logs = []
    for n in range(N):
        others = X[np.arange(N) != n]
        k = np.exp(-((others - X[n]) ** 2).sum(axis=1) / (2 * h**2))
        logs.append(np.log(k.sum() / (N * h**q)))
    return sum(logs)


def no_half_log10(X, h):
    N, q = X.shape
    K = np.exp(-cdist(X, X, "sqeuclidean") / h**2)
    K[np.eye(N) == 1] = 0
    return np.log10(K.sum(axis=1) / ((N - 1) * h**q)).mean()


RIGHT = [right_diagonal, right_logsumexp, right_point_by_point]
WRONG = [
    (forgets_the_power_q, ["divides by h instead of h to the power q"]),
    (log_of_the_mean, ["takes the logarithm of the mean density instead of the mean of the logarithms"]),
    (log_of_each_kernel, ["takes the logarithm of every single kernel and averages these, instead of the logarithm of their sum"]),
    (zero_distance_instead_of_zero_kernel, ["sets the diagonal of the distances instead of the kernel to zero, so every point still helps itself"]),
    (N_and_sum, ["divides by N instead of N - 1", "returns the sum of the logarithms instead of their mean"]),
    (no_half_log10, ["forgot the factor 1/2 in the kernel", "uses the logarithm to base 10 instead of the natural one"]),
]
