"""Fresh answers to `rbf_jacobian`."""
import numpy as np


def outer_loops(x, centres, width, W):
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for n in range(len(x)):
        for m in range(len(centres)):
            to_centre = centres[m] - x[n]
            height = np.exp(-to_centre @ to_centre / (2 * width**2))
            J[n] += height * np.outer(W[m], to_centre)
    return J / width**2


def one_einsum(x, centres, width, W):
    diff = centres[None, :, :] - x[:, None, :]
    phi = np.exp(-(diff**2).sum(axis=-1) / (2 * width**2))
    return np.einsum("md,nm,nmq->ndq", W, phi, diff) / width**2


def column_by_column(x, centres, width, W):
    from scipy.spatial.distance import cdist

    hills = np.exp(-0.5 * cdist(x / width, centres / width, "sqeuclidean"))
    columns = []
    for l in range(x.shape[1]):
        slope = hills * (centres[:, l] - x[:, l : l + 1]) / width**2
        columns.append(slope @ W)
    return np.stack(columns, axis=2)


def from_centre_to_x(x, centres, width, W):
    diff = x[:, None] - centres
    h = np.exp(-np.sum(diff**2, axis=2) / (2 * width**2))
    return np.einsum("nm,md,nmq->ndq", h, W, diff) / width**2


def one_over_width(x, centres, width, W):
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for n, place in enumerate(x):
        for mu, w in zip(centres, W):
            v = mu - place
            J[n] += w[:, None] * v[None, :] * np.exp(-np.sum(v**2) / (2 * width**2))
    return J / width


def shares_of_hills(x, centres, width, W):
    diff = centres[None] - x[:, None]
    phi = np.exp(-np.sum(diff**2, axis=2) / (2 * width**2))
    phi = phi / phi.sum(axis=1, keepdims=True)
    return W.T @ (phi[:, :, None] * diff) / width**2


def weight_of_position(x, centres, width, W):
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for n in range(len(x)):
        for m in range(len(centres)):
            v = centres[m] - x[n]
            J[n] += np.outer(W[n], v) * np.exp(-(v @ v) / (2 * width**2))
    return J / width**2


def gradient_layout(x, centres, width, W):
    diff = centres[None] - x[:, None]
    phi = np.exp(-np.sum(diff**2, axis=-1) / width**2)
    return np.einsum("nmq,nm,md->nqd", diff, phi, W) / width**2


def unit_arrows(x, centres, width, W):
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for n in range(len(x)):
        for m in range(len(centres)):
            v = centres[m] - x[n]
            length = np.sqrt(np.sum(v**2))
            if length > 0:
                J[n] += np.exp(-(length**2) / (2 * width**2)) * np.outer(W[m], v / length)
    return J


RIGHT = [outer_loops, one_einsum, column_by_column]
WRONG = [
    (from_centre_to_x, ["takes x - mu instead of mu - x, so the sign of J is wrong"]),
    (one_over_width, ["divides by the width instead of its square"]),
    (shares_of_hills, ["divides the heights of the hills by their sum, as in a Nadaraya-Watson mean"]),
    (weight_of_position, ["takes the weight with the index of the position instead of that of the centre (W[n] for W[m])"]),
    (gradient_layout, ["forgot the factor 2 under the exponent of the hills", "returns the transposed matrices, one row for each latent coordinate"]),
    (unit_arrows, ["multiplies by the unit vector towards the centre instead of the vector itself", "forgot the factor 1/width² in front of the sum"]),
]
