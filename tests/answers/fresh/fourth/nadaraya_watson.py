"""Fresh answers to `nadaraya_watson`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax


def right_two_loops(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(len(x)):
        total = 0.0
        for m in range(len(X)):
            k = np.exp(-np.sum((x[i] - X[m]) ** 2) / (2 * h**2))
            f[i] += k * Y[m]
            total += k
        f[i] /= total
    return f


def right_softmax(x, X, Y, h):
    return softmax(-cdist(x, X, "sqeuclidean") / (2 * h * h), axis=1) @ Y


def right_einsum(x, X, Y, h):
    diff = (x[:, None, :] - X[None, :, :]) / h
    D = np.einsum("mnq,mnq->mn", diff, diff)
    W = np.exp(-0.5 * D)
    return np.einsum("mn,nd->md", W, Y) / W.sum(1)[:, None]


def bandwidth_not_squared(x, X, Y, h):
    d2 = ((x[:, None] - X) ** 2).sum(-1)
    K = np.exp(-d2 / (2 * h))
    return K @ Y / K.sum(axis=1, keepdims=True)


def total_never_reset(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    total = 0
    for i in range(len(x)):
        for m in range(len(X)):
            w = np.exp(-np.sum((x[i] - X[m]) ** 2) / (2 * h**2))
            f[i] += w * Y[m]
            total += w
        f[i] = f[i] / total
    return f


def sums_over_positions(x, X, Y, h):
    K = np.exp(-cdist(x, X) ** 2 / (2 * h**2))
    K = K / np.sum(K, axis=0)
    return np.dot(K, Y)


def loops_over_latent_points(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(len(X)):
        k = np.array([np.exp(-((x[i] - p) ** 2).sum() / (2 * h**2)) for p in X])
        f[i] = (k[:, None] * Y).sum(axis=0) / k.sum()
    return f


def no_half_no_division(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i, pos in enumerate(x):
        for xm, ym in zip(X, Y):
            f[i] += np.exp(-np.sum((pos - xm) ** 2) / h**2) * ym
    return f


def distance_and_max(x, X, Y, h):
    dist = np.linalg.norm(x[:, None, :] - X[None, :, :], axis=2)
    K = np.exp(-dist / (2 * h**2))
    return K @ Y / K.max(axis=1)[:, None]


RIGHT = [right_two_loops, right_softmax, right_einsum]
WRONG = [
    (bandwidth_not_squared, ["divides the squared distance by 2h instead of 2h^2 (h not squared)"]),
    (total_never_reset, ["does not set the sum of the weights back to zero for each new position, so it runs on over all positions"]),
    (sums_over_positions, ["divides each weight by the sum over the positions (columns) instead of the sum over the latent points (rows)"]),
    (loops_over_latent_points, ["runs the outer loop over the number of latent points N instead of the number of positions M (index error, or rows left zero)"]),
    (no_half_no_division, ["forgot the factor 1/2 in the kernel", "does not divide by the sum of the weights"]),
    (distance_and_max, ["puts the distance into the kernel instead of its square", "divides by the largest weight instead of the sum of the weights"]),
]
