"""Fresh answers to `latent_density`."""
import numpy as np
from scipy.spatial.distance import cdist


def right_two_loops(x, X, h):
    p = np.zeros(len(x))
    for m in range(len(x)):
        total = 0.0
        for n in range(len(X)):
            d = x[m] - X[n]
            total += np.exp(-0.5 * np.dot(d, d) / h**2)
        p[m] = total / len(X)
    return p


def right_cdist(x, X, h):
    t = cdist(x, X, "sqeuclidean")
    return np.exp(-t / (2 * h**2)).mean(axis=1)


def right_product_of_dimensions(x, X, h):
    K = np.ones((len(x), len(X)))
    for a, b in zip(x.T, X.T):
        K = K * np.exp(-0.5 * (np.subtract.outer(a, b) / h) ** 2)
    return K @ np.full(len(X), 1 / len(X))


def matlab_precedence(x, X, h):
    diff = x[:, None] - X
    sqdist = np.sum(diff**2, axis=2)
    K = np.exp(-sqdist / 2 * h**2)
    return np.mean(K, axis=1)


def product_of_marginals(x, X, h):
    p = np.ones(len(x))
    for j in range(X.shape[1]):
        d = x[:, j][:, None] - X[:, j]
        p *= np.mean(np.exp(-(d**2) / (2 * h**2)), axis=1)
    return p


def scaled_to_peak(x, X, h):
    D = np.linalg.norm(x[:, None, :] - X[None, :, :], axis=-1)
    p = np.exp(-(D**2) / (2 * h**2)).sum(axis=1)
    return p / p.max()


def only_lines(x, X, h):
    dist = x - X.T
    kernel = np.exp(-(dist**2) / (2 * h * h))
    return kernel.mean(axis=1)


def no_coincident_points_and_variance(x, X, h):
    out = []
    for pos in x:
        t = ((X - pos) ** 2).sum(axis=1)
        t = t[t > 0]
        out.append(np.exp(-t / (2 * h)).sum() / len(X))
    return np.array(out)


def reshaped_and_dnorm(x, X, h):
    t = cdist(X, x) ** 2
    K = np.exp(-t / (2 * h**2)) / (np.sqrt(2 * np.pi) * h)
    return K.reshape(len(x), len(X)).mean(axis=1)


RIGHT = [right_two_loops, right_cdist, right_product_of_dimensions]
WRONG = [
    (matlab_precedence, ["multiplies by h² instead of dividing by it (-t / 2 * h**2)"]),
    (product_of_marginals, ["takes the mean over the points in each coordinate separately and multiplies these densities, instead of multiplying the kernels of one point first"]),
    (scaled_to_peak, ["scales p so that its greatest value among the positions is 1, instead of taking the mean"]),
    (only_lines, ["subtracts X.T from x, which works for one latent dimension only (raises or mixes coordinates else)"]),
    (no_coincident_points_and_variance, ["leaves out latent points that lie exactly at the position", "takes h for the variance: divides by 2h instead of 2h²"]),
    (reshaped_and_dnorm, ["reshapes the (N, M) matrix to (M, N) instead of transposing it", "divides by sqrt(2 pi) h, as a normal density does"]),
]
