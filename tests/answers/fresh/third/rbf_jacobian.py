"""Fresh answers to `rbf_jacobian`."""
import numpy as np
from scipy.spatial.distance import cdist


def loops(x, centres, width, W):
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for n in range(len(x)):
        for m in range(len(centres)):
            v = centres[m] - x[n]
            J[n] += np.outer(W[m], v) * np.exp(-(v @ v) / (2 * width**2))
    return J / width**2


def einsum(x, centres, width, W):
    towards = centres[None, :, :] - x[:, None, :]
    phi = np.exp(-(towards**2).sum(axis=2) / (2 * width**2))
    return np.einsum("md,nm,nmq->ndq", W, phi, towards) / width**2


def two_products(x, centres, width, W):
    phi = np.exp(-0.5 * (cdist(x, centres) / width) ** 2)
    return np.stack([(W.T * p) @ (centres - a) / width**2 for p, a in zip(phi, x)])


def from_centre_to_x(x, centres, width, W):
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for n in range(len(x)):
        for m in range(len(centres)):
            v = x[n] - centres[m]
            J[n] += np.outer(W[m], v) * np.exp(-np.sum(v**2) / (2 * width**2))
    return J / width**2


def difference_quotient(x, centres, width, W):
    def f(a):
        return np.exp(-cdist(a, centres, "sqeuclidean") / (2 * width**2)) @ W

    eps = 0.01
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for l in range(x.shape[1]):
        shifted = x.astype(float).copy()
        shifted[:, l] += eps
        J[:, :, l] = (f(shifted) - f(x)) / eps
    return J


def row_times_column(x, centres, width, W):
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for n in range(len(x)):
        for m in range(len(centres)):
            v = centres[m] - x[n]
            height = np.exp(-np.dot(v, v) / (2 * width**2))
            J[n] += v[:, None] * W[m][None, :] * height
    return J / width**2


def width_not_squared(x, centres, width, W):
    V = centres - x[:, None, :]
    phi = np.exp(-np.sum(V * V, axis=-1) / (2 * width**2))
    return np.einsum("nm,md,nmq->ndq", phi, W, V) / width


def unit_vectors_no_two(x, centres, width, W):
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for n, a in enumerate(x):
        for mu, w in zip(centres, W):
            r = np.linalg.norm(mu - a)
            if r > 0:
                J[n] += np.outer(w, (mu - a) / r) * np.exp(-(r**2) / width**2)
    return J / width**2


def shares_without_the_last(x, centres, width, W):
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for n in range(len(x)):
        v = centres - x[n]
        phi = np.exp(-(v**2).sum(axis=1) / (2 * width**2))
        phi = phi / phi.sum()
        for m in range(len(centres) - 1):
            J[n] += phi[m] * np.outer(W[m], v[m])
    return J / width**2


RIGHT = [loops, einsum, two_products]
WRONG = [
    (from_centre_to_x, ["takes the vector x - mu instead of mu - x (wrong sign)"]),
    (difference_quotient, ["approximates the Jacobian by forward differences with a coarse step instead of computing it"]),
    (row_times_column, ["multiplies the outer product the wrong way round, q x d instead of d x q"]),
    (width_not_squared, ["divides by the width instead of its square"]),
    (unit_vectors_no_two, ["takes the unit vector towards the centre instead of the whole vector", "forgot the factor 2 in the exponent"]),
    (shares_without_the_last, ["divides the hills by their sum, as in kernel regression", "skips the last centre"]),
]
