"""Fresh answers to `scale_by_likelihood`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import logsumexp


def likelihood_matrix(X, h):
    N, q = X.shape
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / (2 * h**2))
    np.fill_diagonal(K, 0)
    return np.mean(np.log(K.sum(axis=1) / ((N - 1) * h**q)))


def likelihood_logsumexp(X, h):
    N, q = X.shape
    exponents = -0.5 * cdist(X / h, X / h, "sqeuclidean")
    exponents[np.diag_indices(N)] = -np.inf
    return float(logsumexp(exponents, axis=1).mean() - np.log(N - 1) - q * np.log(h))


def likelihood_loop(X, h):
    total = 0.0
    for n in range(len(X)):
        others = np.concatenate([X[:n], X[n + 1 :]])
        t = ((others - X[n]) ** 2).sum(axis=1) / h**2
        total += np.log(np.mean(np.exp(-t / 2)) * h ** -float(X.shape[1]))
    return total / len(X)


def log_of_mean(X, h):
    N, q = X.shape
    K = np.exp(-cdist(X, X, "sqeuclidean") / (2 * h**2))
    np.fill_diagonal(K, 0)
    p = K.sum(axis=1) / ((N - 1) * h**q)
    return np.log(p.mean())


def positive_distances(X, h):
    N, q = X.shape
    t = cdist(X, X, "sqeuclidean") / h**2
    t = t[t > 0].reshape(N, N - 1)
    p = np.exp(-t / 2).sum(axis=1) / ((N - 1) * h**q)
    return np.log(p).mean()


def one_factor_h(X, h):
    N = len(X)
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / (2 * h**2)) * (1 - np.eye(N))
    return np.mean(np.log(K.sum(axis=1) / ((N - 1) * h)))


def own_witness(X, h):
    N, q = X.shape
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / h**2 / 2)
    p = K.mean(axis=1) / h**q
    return np.log(p).mean()


def summed_wrong_way(X, h):
    N, q = X.shape
    K = np.exp(-cdist(X, X, "sqeuclidean") / (2 * h**2))
    np.fill_diagonal(K, 0)
    p = K.sum(axis=1) * h**q / (N - 1)
    return np.sum(np.log(p))


def log_inside(X, h):
    N, q = X.shape
    t = cdist(X, X, "sqeuclidean") / h
    off = ~np.eye(N, dtype=bool)
    log_K = -t[off].reshape(N, N - 1) / 2
    return np.mean(log_K.mean(axis=1) - q * np.log(h))


RIGHT = [likelihood_matrix, likelihood_logsumexp, likelihood_loop]
WRONG = [
    (log_of_mean, ["takes the logarithm of the mean density instead of the mean of the logarithms"]),
    (positive_distances, ["leaves out all pairs at distance zero, twins too, instead of the point itself"]),
    (one_factor_h, ["divides by h instead of h to the power q"]),
    (own_witness, ["lets every point contribute to its own density"]),
    (summed_wrong_way, ["multiplies by h^q instead of dividing", "adds up the logarithms instead of taking their mean"]),
    (log_inside, ["does not square h in the kernel", "takes the mean of the logarithms of the kernels instead of the logarithm of their mean"]),
]
