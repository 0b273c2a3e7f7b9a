"""Fresh answers to `rbf_jacobian`."""
import numpy as np
from scipy.spatial.distance import cdist


def sums_of_outer(x, centres, width, W):
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for n in range(len(x)):
        for m in range(len(centres)):
            v = centres[m] - x[n]
            J[n] += np.exp(-v @ v / (2 * width**2)) * np.outer(W[m], v)
    return J / width**2


def one_einsum(x, centres, width, W):
    v = centres[None, :, :] - x[:, None, :]
    phi = np.exp(-np.square(v).sum(axis=2) / (2 * width**2))
    return np.einsum("md,nm,nmq->ndq", W, phi, v) / width**2


def each_direction(x, centres, width, W):
    phi = np.exp(-0.5 * cdist(x / width, centres / width, "sqeuclidean"))
    columns = [(phi * np.subtract.outer(x[:, l], centres[:, l])) @ W for l in range(x.shape[1])]
    return -np.stack(columns, axis=-1) / width**2


def matlab_reshape(x, centres, width, W):
    v = centres[None] - x[:, None]
    phi = np.exp(-(v**2).sum(-1) / (2 * width**2))
    J = np.stack([(phi * v[:, :, l]) @ W for l in range(x.shape[1])], axis=1)
    return J.reshape(len(x), W.shape[1], x.shape[1]) / width**2


def forward_differences(x, centres, width, W):
    def f(z):
        return np.exp(-cdist(z, centres, "sqeuclidean") / (2 * width**2)) @ W

    eps = 0.01 * width
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for l in range(x.shape[1]):
        step = np.zeros(x.shape[1])
        step[l] = eps
        J[:, :, l] = (f(x + step) - f(x)) / eps
    return J


def own_coordinate_only(x, centres, width, W):
    v = centres[None, :, :] - x[:, None, :]
    phi = np.exp(-(v**2) / (2 * width**2))
    return np.einsum("nmq,nmq,md->ndq", phi, v, W) / width**2


def wrong_index(x, centres, width, W):
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for n in range(len(x)):
        for m in range(len(centres)):
            v = centres[m] - x[n]
            hill = np.exp(-np.sum(v**2) / (2 * width**2))
            J[n] += W[n][:, None] * v[None, :] * hill / width**2
    return J


def last_centre_wins(x, centres, width, W):
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for n, xn in enumerate(x):
        for m, mu in enumerate(centres):
            phi = np.exp(-np.linalg.norm(xn - mu) ** 2 / (2 * width**2))
            J[n] = phi * np.outer(W[m], mu - xn)
    return J / width


def shares_of_hills(x, centres, width, W):
    v = x[:, None, :] - centres[None, :, :]
    phi = np.exp(-(v**2).sum(axis=-1) / (2 * width**2))
    phi = phi / phi.sum(axis=1, keepdims=True)
    return np.einsum("nm,md,nmq->ndq", phi, W, v) / width**2


RIGHT = [sums_of_outer, one_einsum, each_direction]
WRONG = [
    (matlab_reshape, ["turns (N, q, d) into (N, d, q) by reshape instead of a transposition"]),
    (forward_differences, ["returns forward differences with a coarse step instead of the exact derivative"]),
    (own_coordinate_only, ["computes the height of a hill from one coordinate of the vector instead of its whole length"]),
    (wrong_index, ["takes the weight of number n (the position) instead of number m (the centre)"]),
    (last_centre_wins, ["overwrites J for each centre instead of adding", "divides by the width instead of its square"]),
    (shares_of_hills, ["divides the heights of the hills by their sum, as in a weighted mean", "turns the vector round: from the centre to the position"]),
]
