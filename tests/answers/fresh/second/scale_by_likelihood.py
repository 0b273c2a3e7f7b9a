"""Fresh answers to `scale_by_likelihood`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import logsumexp


def right_direct(X, h):
    N, q = X.shape
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / (2 * h**2))
    np.fill_diagonal(K, 0)
    p = K.sum(axis=1) / ((N - 1) * h**q)
    return np.mean(np.log(p))


def right_logsumexp(X, h):
    N, q = X.shape
    exponent = -cdist(X, X, "sqeuclidean") / (2 * h**2)
    exponent[np.arange(N), np.arange(N)] = -np.inf
    return logsumexp(exponent, axis=1).mean() - np.log(N - 1) - q * np.log(h)


def right_one_by_one(X, h):
    logs = []
    for n in range(len(X)):
        others = np.delete(X, n, axis=0)
        e = -0.5 * np.sum(((others - X[n]) / h) ** 2, axis=1)
        top = e.max()
        log_sum = top + np.log(np.exp(e - top).sum())
        logs.append(log_sum - np.log(len(others)) - X.shape[1] * np.log(h))
    return sum(logs) / len(logs)


def twins_removed(X, h):
    N, q = X.shape
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.where(t > 0, np.exp(-t / (2 * h**2)), 0)
    p = K.sum(axis=1) / ((N - 1) * h**q)
    return np.log(p).mean()


def ndim_for_q(X, h):
    N, q = len(X), X.ndim
    K = np.exp(-cdist(X, X, "sqeuclidean") / (2 * h**2)) - np.eye(N)
    p = K.sum(axis=1) / (N - 1) / h**q
    return np.mean(np.log(p))


def log_of_each_kernel(X, h):
    N, q = X.shape
    L = 0
    for n in range(N):
        for m in range(N):
            if m != n:
                t = np.sum((X[n] - X[m]) ** 2) / h**2
                L += np.log(np.exp(-t / 2) / h**q) / (N - 1)
    return L / N


def delete_flattens(X, h):
    N, q = X.shape
    logs = np.zeros(N)
    for n in range(N):
        rest = np.delete(X, n)
        t = np.sum((rest - X[n]) ** 2, axis=-1)
        p = np.sum(np.exp(-t / (2 * h**2))) / ((N - 1) * h**q)
        logs[n] = np.log(p)
    return logs.mean()


def total_density_and_h_multiplied(X, h):
    N, q = X.shape
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / h**2 / 2)
    np.fill_diagonal(K, 0)
    p = K.sum(axis=1) * h**q / (N - 1)
    return np.log(p.mean())


def decimal_log_and_bare_h(X, h):
    N = len(X)
    t = cdist(X, X) ** 2 / h**2
    K = np.exp(-t / 2)
    p = (K.sum(axis=1) - 1) / ((N - 1) * h)
    return np.log10(p).mean()


RIGHT = [right_direct, right_logsumexp, right_one_by_one]
WRONG = [
    (twins_removed, ["leaves out all points at distance zero, twins included, instead of only the point itself"]),
    (ndim_for_q, ["takes q from X.ndim, which is always 2, instead of the number of columns"]),
    (log_of_each_kernel, ["takes the logarithm of every single kernel before the sum over the others"]),
    (delete_flattens, ["np.delete without axis flattens X and removes one number, not one point (raises for q > 1)"]),
    (total_density_and_h_multiplied, ["takes the logarithm of the mean density instead of the mean of the logarithms", "multiplies by h^q instead of dividing"]),
    (decimal_log_and_bare_h, ["uses the logarithm to base 10", "divides by h instead of h^q"]),
]
