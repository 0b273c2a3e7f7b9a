"""Fresh answers to `nadaraya_watson`."""
import numpy as np
from scipy.spatial.distance import cdist


def two_loops(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(len(x)):
        total = 0.0
        for m in range(len(X)):
            diff = x[i] - X[m]
            k = np.exp(-np.dot(diff, diff) / (2 * h**2))
            f[i] += k * Y[m]
            total += k
        f[i] /= total
    return f


def broadcasting(x, X, Y, h):
    d2 = ((x[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    K = np.exp(-0.5 * d2 / h**2)
    return (K @ Y) / K.sum(axis=1, keepdims=True)


def averages_row_by_row(x, X, Y, h):
    K = np.exp(-((cdist(x, X) / h) ** 2) / 2)
    return np.array([np.average(Y, axis=0, weights=row) for row in K])


def no_two_in_the_exponent(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(len(x)):
        w = np.array([np.exp(-np.sum((x[i] - X[m]) ** 2) / h**2) for m in range(len(X))])
        f[i] = w @ Y / w.sum()
    return f


def plain_distance(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(len(x)):
        weights = 0
        for m in range(len(X)):
            r = np.linalg.norm(x[i] - X[m])
            k = np.exp(-r / (2 * h**2))
            f[i] += k * Y[m]
            weights += k
        f[i] = f[i] / weights
    return f


def first_coordinate_only(x, X, Y, h):
    K = np.exp(-((x[:, 0][:, None] - X[:, 0]) ** 2) / (2 * h**2))
    K = K / K.sum(axis=1)[:, None]
    return K @ Y


def shares_over_the_positions(x, X, Y, h):
    K = np.exp(-cdist(x, X, "sqeuclidean") / (2 * h * h))
    B = K / K.sum(axis=0)
    return B @ Y


def running_total_and_plain_h(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    total = 0
    for i in range(len(x)):
        for m in range(len(X)):
            k = np.exp(-np.sum((x[i] - X[m]) ** 2) / (2 * h))
            f[i] += k * Y[m]
            total += k
        f[i] /= total
    return f


def city_block_and_divided_by_n(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i, position in enumerate(x):
        for place, y in zip(X, Y):
            a = np.abs(position - place).sum()
            f[i] += np.exp(-(a**2) / (2 * h**2)) * y
    return f / len(X)


RIGHT = [two_loops, broadcasting, averages_row_by_row]
WRONG = [
    (no_two_in_the_exponent, ["forgot the factor 2 in 2h^2 of the kernel"]),
    (plain_distance, ["did not square the distance in the kernel"]),
    (first_coordinate_only, ["uses only the first latent coordinate for the distance"]),
    (shares_over_the_positions, ["divides by the sum over the positions (columns) instead of over the latent points"]),
    (running_total_and_plain_h, ["does not set the sum of the weights back to zero for each position", "did not square h"]),
    (city_block_and_divided_by_n, ["squares the sum of absolute differences instead of the Euclidean distance (wrong for q > 1)",
                                   "divides by the number of points instead of the sum of the weights"]),
]
