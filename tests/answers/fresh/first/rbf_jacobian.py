"""Fresh answers to `rbf_jacobian`."""
import numpy as np
from scipy.spatial.distance import cdist


def outer_products(x, centres, width, W):
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for n in range(len(x)):
        for m in range(len(centres)):
            v = centres[m] - x[n]
            height = np.exp(-(v @ v) / (2 * width**2))
            J[n] += height * np.outer(W[m], v)
    return J / width**2


def one_einsum(x, centres, width, W):
    v = (centres[None, :, :] - x[:, None, :]) / width
    phi = np.exp(-0.5 * (v**2).sum(axis=-1))
    return np.einsum("md,nm,nmq->ndq", W, phi, v) / width


def two_products(x, centres, width, W):
    phi = np.exp(-cdist(x, centres, "sqeuclidean") / (2 * width**2))
    J = []
    for position, hills in zip(x, phi):
        slopes = hills[:, None] * (centres - position) / width**2
        J.append(W.T @ slopes)
    return np.stack(J)


def from_centre_to_x(x, centres, width, W):
    phi = np.exp(-cdist(x, centres, "sqeuclidean") / (2 * width**2))
    diff = x[:, None, :] - centres[None, :, :]
    return np.einsum("nm,md,nmq->ndq", phi, W, diff) / width**2


def forward_difference(x, centres, width, W):
    def f(z):
        return np.exp(-cdist(z, centres, "sqeuclidean") / (2 * width**2)) @ W

    eps = 0.01
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for l in range(x.shape[1]):
        moved = x.copy()
        moved[:, l] += eps
        J[:, :, l] = (f(moved) - f(x)) / eps
    return J


def row_times_column(x, centres, width, W):
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for n, pos in enumerate(x):
        for mu, w in zip(centres, W):
            bracket = mu - pos
            phi = np.exp(-np.sum(bracket**2) / (2 * width**2))
            J[n] += phi * np.outer(bracket, w)
    return J / width**2


def width_once(x, centres, width, W):
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for n in range(len(x)):
        v = centres - x[n]
        phi = np.exp(-np.sum(v * v, axis=1) / (2 * width**2))
        J[n] = (W * phi[:, None]).T @ v / width
    return J


def long_hills(x, centres, width, W):
    v = centres[None] - x[:, None]
    phi = np.exp(-np.linalg.norm(v, axis=2) / (2 * width**2))
    return np.einsum("nm,md,nmq->ndq", phi, W, v)


def normalised_hills(x, centres, width, W):
    phi = np.exp(-cdist(x, centres, "sqeuclidean") / (2 * width**2))
    phi = phi / phi.sum(axis=1, keepdims=True)
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for n in range(len(x)):
        for m in range(len(centres)):
            J[n] += phi[n, m] * W[m][:, None] * (x[n] - centres[m])[None, :]
    return J / width**2


RIGHT = [outer_products, one_einsum, two_products]
WRONG = [
    (from_centre_to_x, ["takes the vector from the centre to x instead of from x to the centre: the sign is wrong"]),
    (forward_difference, ["approximates the Jacobian by one-sided differences with a coarse step, where the exact one is asked for"]),
    (row_times_column, ["multiplies in the wrong order: the outer product has q rows and d columns"]),
    (width_once, ["divides by the width instead of its square"]),
    (long_hills, ["uses the distance instead of its square in the hills", "forgot to divide by the square of the width"]),
    (normalised_hills, ["divides the hills by their sum, as in kernel regression", "takes the vector from the centre to x: wrong sign"]),
]
