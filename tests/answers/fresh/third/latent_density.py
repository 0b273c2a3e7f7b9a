"""Fresh answers to `latent_density`."""
import math

import numpy as np
from scipy.spatial.distance import cdist


def density_broadcast(x, X, h):
    d2 = ((x[:, None] - X) ** 2).sum(axis=2)
    return np.exp(-d2 / (2 * h**2)).mean(axis=1)


def density_loops(x, X, h):
    p = np.zeros(len(x))
    for m in range(len(x)):
        total = 0.0
        for n in range(len(X)):
            r2 = sum((float(a) - float(b)) ** 2 for a, b in zip(x[m], X[n]))
            total += math.exp(-0.5 * r2 / h**2)
        p[m] = total / len(X)
    return p


def density_scipy(x, X, h):
    K = np.exp(-0.5 * cdist(x / h, X / h, "sqeuclidean"))
    return K @ np.full(len(X), 1 / len(X))


def density_h_not_squared(x, X, h):
    d2 = np.sum((x[:, None] - X) ** 2, axis=2)
    K = np.exp(-d2 / (2 * h))
    return K.mean(axis=1)


def density_textbook(x, X, h):
    N, q = X.shape
    d2 = np.sum((x[:, None] - X) ** 2, axis=2)
    K = np.exp(-d2 / (2 * h**2)) / (2 * np.pi * h**2) ** (q / 2)
    return np.mean(K, axis=1)


def density_coordinates_averaged(x, X, h):
    diff = x[:, None, :] - X[None, :, :]
    d2 = (diff**2).mean(axis=-1)
    return np.exp(-d2 / (2 * h**2)).mean(axis=1)


def density_pairs(x, X, h):
    d2 = np.sum((x - X) ** 2, axis=1)
    return np.exp(-d2 / (2 * h**2))


def density_not_itself_sum(x, X, h):
    p = []
    for place in x:
        d2 = np.sum((X - place) ** 2, axis=1)
        others = d2[d2 > 0]
        p.append(np.sum(np.exp(-others / (2 * h**2))))
    return np.array(p)


def density_by_position(x, X, h):
    distance = np.linalg.norm(x[:, None] - X, axis=2)
    K = np.exp(-(distance / h) ** 2)
    return K.mean(axis=0)


RIGHT = [density_broadcast, density_loops, density_scipy]
WRONG = [
    (density_h_not_squared, ["divides by 2h in the exponent, does not square the bandwidth"]),
    (density_textbook, ["puts the textbook factor (2 pi h^2)^(-q/2) in front of the kernel"]),
    (density_coordinates_averaged, ["takes the mean of the squared differences over the coordinates instead of their sum"]),
    (density_pairs, ["compares position i with latent point i only, instead of with all latent points, so there is no mean"]),
    (density_not_itself_sum, ["leaves out latent points that lie exactly at the position", "sums the kernel values instead of taking their mean"]),
    (density_by_position, ["forgot the factor 1/2 in the exponent", "takes the mean over the positions instead of over the latent points"]),
]
