"""Fresh answers to `nadaraya_watson`."""
import numpy as np
from scipy.spatial.distance import cdist


def two_loops(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(len(x)):
        top = np.zeros(Y.shape[1])
        bottom = 0.0
        for m in range(len(X)):
            diff = x[i] - X[m]
            weight = np.exp(-np.dot(diff, diff) / (2 * h**2))
            top = top + weight * Y[m]
            bottom += weight
        f[i] = top / bottom
    return f


def broadcast(x, X, Y, h):
    d2 = ((x[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    K = np.exp(-0.5 * d2 / h**2)
    return (K / K.sum(axis=1, keepdims=True)) @ Y


def with_average(x, X, Y, h):
    D = cdist(x, X) / h
    rows = []
    for d in D:
        # the same factor in all the weights of a position cancels
        w = np.exp((d.min() ** 2 - d**2) / 2)
        rows.append(np.average(Y, axis=0, weights=w))
    return np.array(rows)


def total_goes_on(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    total = 0.0
    for i in range(len(x)):
        for m in range(len(X)):
            k = np.exp(-np.sum((x[i] - X[m]) ** 2) / (2 * h**2))
            f[i] += k * Y[m]
            total += k
        f[i] /= total
    return f


def exponent_without_two(x, X, Y, h):
    sq = cdist(x, X, "sqeuclidean")
    w = np.exp(-sq / h**2)
    w /= w.sum(axis=1)[:, None]
    return np.einsum("im,md->id", w, Y)


def share_among_positions(x, X, Y, h):
    d2 = np.sum((x[:, None] - X[None]) ** 2, axis=-1)
    K = np.exp(-d2 / (2 * h * h))
    return (K / K.sum(axis=0)) @ Y


def visits_len_x(x, X, Y, h):
    n = len(x)
    f = np.zeros((n, Y.shape[1]))
    for i in range(n):
        s = 0
        for m in range(n):
            k = np.exp(-((x[i] - X[m]) ** 2).sum() / (2 * h**2))
            f[i] += k * Y[m]
            s += k
        f[i] = f[i] / s
    return f


def distance_and_N(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i, pos in enumerate(x):
        for xm, ym in zip(X, Y):
            f[i] += np.exp(-np.linalg.norm(pos - xm) / (2 * h**2)) * ym
    return f / len(X)


def first_column_h(x, X, Y, h):
    difference = x[:, [0]] - X[:, 0]
    K = np.exp(-(difference**2) / (2 * h))
    return K @ Y / K.sum(1)[:, None]


RIGHT = [two_loops, broadcast, with_average]
WRONG = [
    (total_goes_on, ["the sum of the weights is not set back to zero for each new position"]),
    (exponent_without_two, ["forgot the 2 in the denominator of the exponent"]),
    (share_among_positions, ["normalises the weights over the positions (columns) instead of over the latent points"]),
    (visits_len_x, ["the inner loop runs over the number of positions instead of the number of latent points"]),
    (distance_and_N, ["uses the distance instead of its square in the kernel",
                      "divides by the number of points instead of the sum of the weights"]),
    (first_column_h, ["takes only the first latent coordinate for the distance", "h is not squared in the kernel"]),
]
