"""Fresh answers to `latent_density`."""
import math

import numpy as np
from scipy.spatial.distance import cdist


def right_broadcast(x, X, h):
    d2 = ((x[:, None] - X) ** 2).sum(axis=2)
    return np.exp(-d2 / (2 * h**2)).mean(axis=1)


def right_lists(x, X, h):
    out = []
    for a in x:
        heights = [math.exp(-sum((u - v) ** 2 for u, v in zip(a, b)) / (2 * h * h)) for b in X]
        out.append(sum(heights) / len(heights))
    return np.array(out)


def right_per_coordinate(x, X, h):
    K = np.ones((len(x), len(X)))
    for k in range(X.shape[1]):
        K *= np.exp(-0.5 * (np.subtract.outer(x[:, k], X[:, k]) / h) ** 2)
    return K @ np.full(len(X), 1 / len(X))


def mean_over_positions(x, X, h):
    d2 = np.sum((x[:, None] - X) ** 2, axis=-1)
    return np.mean(np.exp(-d2 / (2 * h**2)), axis=0)


def textbook_density(x, X, h):
    q = X.shape[1]
    K = np.exp(-cdist(x, X, "sqeuclidean") / (2 * h**2))
    return K.mean(axis=1) / (2 * np.pi * h**2) ** (q / 2)


def product_of_coordinate_densities(x, X, h):
    p = np.ones(len(x))
    for k in range(x.shape[1]):
        d = x[:, k][:, None] - X[:, k][None, :]
        p = p * np.exp(-(d**2) / (2 * h**2)).mean(axis=1)
    return p


def row_by_row(x, X, h):
    d2 = ((x - X) ** 2).sum(axis=1)
    return np.exp(-d2 / (2 * h**2)) / len(X)


def plain_h_and_no_mean(x, X, h):
    p = np.zeros(len(x))
    for i in range(len(x)):
        for n in range(len(X)):
            p[i] += np.exp(-np.sum((x[i] - X[n]) ** 2) / (2 * h))
    return p


def kernel_of_mean_distance(x, X, h):
    d2 = cdist(x, X) ** 2
    return np.exp(-d2.mean(axis=1) / h**2)


RIGHT = [right_broadcast, right_lists, right_per_coordinate]
WRONG = [
    (mean_over_positions, ["takes the mean over the positions (axis 0) instead of over the latent points (each row)"]),
    (textbook_density, ["adds the textbook normalisation 1/(2 pi h^2)^(q/2), which the exercise leaves out"]),
    (product_of_coordinate_densities, ["averages over the points in each coordinate separately and multiplies the densities of the coordinates (product of means instead of mean of products)"]),
    (row_by_row, ["subtracts x and X row by row instead of forming all pairs (error when M and N differ)"]),
    (plain_h_and_no_mean, ["h is not squared in the kernel", "forgot to divide the sum by N"]),
    (kernel_of_mean_distance, ["averages the squared distances first and takes the kernel of the mean, instead of the mean of the kernels", "forgot the factor 1/2 in the exponent"]),
]
