"""Fresh answers to `latent_density`."""
import math

import numpy as np
from scipy.spatial.distance import cdist


def density_broadcast(x, X, h):
    difference = x[:, None] - X
    t = np.sum(difference**2, axis=2)
    return np.exp(-t / (2 * h**2)).mean(axis=1)


def density_cdist(x, X, h):
    K = np.exp(-0.5 * cdist(x / h, X / h, "sqeuclidean"))
    return K @ np.ones(len(X)) / len(X)


def density_loops(x, X, h):
    p = []
    for position in x:
        total = 0.0
        for point in X:
            t = sum((float(a) - float(b)) ** 2 for a, b in zip(position, point))
            total += math.exp(-t / (2 * h * h))
        p.append(total / len(X))
    return np.array(p)


def mean_of_columns(x, X, h):
    d2 = ((x[:, None] - X) ** 2).sum(axis=-1)
    K = np.exp(-d2 / (2 * h**2))
    return np.mean(K, axis=0)


def row_by_row(x, X, h):
    d2 = np.sum((x - X) ** 2, axis=1)
    K = np.exp(-d2 / (2 * h**2))
    return np.ones(len(x)) * K.mean()


def nearest_hill(x, X, h):
    d2 = cdist(x, X) ** 2
    return np.exp(-d2 / (2 * h**2)).max(axis=1)


def unsquared(x, X, h):
    dist = np.linalg.norm(x[:, None, :] - X[None, :, :], axis=2)
    K = np.exp(-dist / (2 * h**2))
    return K.mean(axis=1)


def sum_and_plain_h(x, X, h):
    p = np.zeros(len(x))
    for xn in X:
        p += np.exp(-np.sum((x - xn) ** 2, axis=1) / (2 * h))
    return p


def coordinatewise(x, X, h):
    K = np.exp(-((x[:, None] - X) ** 2) / h**2)
    return K.mean(axis=(1, 2))


RIGHT = [density_broadcast, density_cdist, density_loops]
WRONG = [
    (mean_of_columns, ["takes the mean over the positions instead of over the latent points"]),
    (row_by_row, ["subtracts x and X row by row instead of forming all pairs"]),
    (nearest_hill, ["takes the greatest kernel value instead of the mean of all"]),
    (unsquared, ["puts the distance into the kernel, not its square"]),
    (sum_and_plain_h, ["does not square the bandwidth", "adds up the kernels without dividing by N"]),
    (coordinatewise, ["averages one-dimensional kernels over the coordinates instead of using the distance of the vectors", "forgot the factor 1/2 in the exponent"]),
]
