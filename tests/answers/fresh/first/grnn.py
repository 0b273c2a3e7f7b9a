"""Fresh answers to `grnn`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax


def helper_twice(y, Y, X, width):
    def mean(E):
        w = np.exp(E - E.max(axis=1, keepdims=True))
        return w @ X / w.sum(axis=1, keepdims=True)

    E_new = -((y[:, None, :] - Y[None, :, :]) ** 2).sum(axis=2) / (2 * width**2)
    E_old = -((Y[:, None, :] - Y[None, :, :]) ** 2).sum(axis=2) / (2 * width**2)
    np.fill_diagonal(E_old, -np.inf)
    return mean(E_new), mean(E_old)


def one_place(point, data, places, width):
    d2 = np.array([np.dot(point - other, point - other) for other in data])
    w = np.exp((d2.min() - d2) / (2 * width**2))
    return np.sum(w[:, None] * places, axis=0) / np.sum(w)


def deleting(y, Y, X, width):
    f = np.array([one_place(point, Y, X, width) for point in y])
    left_out = np.zeros(X.shape)
    for n in range(len(Y)):
        left_out[n] = one_place(Y[n], np.delete(Y, n, axis=0), np.delete(X, n, axis=0), width)
    return f, left_out


def soft(y, Y, X, width):
    D = cdist(Y / width, Y / width, "sqeuclidean")
    D[np.eye(len(Y), dtype=bool)] = np.inf
    f = softmax(-cdist(y / width, Y / width, "sqeuclidean") / 2, axis=1) @ X
    return f, softmax(-D / 2, axis=1) @ X


def zero_for_nan(y, Y, X, width):
    K = np.exp(-cdist(y, Y, "sqeuclidean") / (2 * width**2))
    L = np.exp(-cdist(Y, Y, "sqeuclidean") / (2 * width**2))
    np.fill_diagonal(L, 0)
    with np.errstate(all="ignore"):
        f = np.nan_to_num(K @ X / K.sum(axis=1)[:, None])
        left_out = np.nan_to_num(L @ X / L.sum(axis=1)[:, None])
    return f, left_out


def itself_gives_the_shift(y, Y, X, width):
    def weights(points):
        E = -cdist(points, Y, "sqeuclidean") / (2 * width**2)
        return np.exp(E - E.max(axis=1, keepdims=True))

    K, L = weights(y), weights(Y)
    L = L - np.diag(np.diag(L))
    return K @ X / K.sum(axis=1, keepdims=True), L @ X / L.sum(axis=1, keepdims=True)


def helper_always_leaves_out(y, Y, X, width):
    def mean(points):
        E = -((points[:, None] - Y) ** 2).sum(axis=2) / (2 * width**2)
        for n in range(min(len(points), len(Y))):
            E[n, n] = -np.inf
        K = np.exp(E - E.max(axis=1)[:, None])
        return K @ X / K.sum(axis=1)[:, None]

    return mean(y), mean(Y)


def one_shift_for_all(y, Y, X, width):
    E = -cdist(y, Y, "sqeuclidean") / (2 * width**2)
    own = -cdist(Y, Y, "sqeuclidean") / (2 * width**2)
    np.fill_diagonal(own, -np.inf)
    K = np.exp(E - np.max(E))
    L = np.exp(own - np.max(own))
    return K @ X / K.sum(axis=1, keepdims=True), L @ X / L.sum(axis=1, keepdims=True)


def zero_in_the_exponent(y, Y, X, width):
    def mean(E):
        w = np.exp(E - E.max(axis=1, keepdims=True))
        return w @ X / w.sum(axis=1, keepdims=True)

    E = -cdist(y, Y, "sqeuclidean") / width**2
    own = -cdist(Y, Y, "sqeuclidean") / width**2
    np.fill_diagonal(own, 0)
    return mean(E), mean(own)


def data_for_places(y, Y, X, width):
    def mean(E):
        w = softmax(E, axis=1)
        return w @ Y

    own = -cdist(Y, Y, "sqeuclidean") / (2 * width)
    own[np.diag_indices(len(Y))] = -np.inf
    return mean(-cdist(y, Y, "sqeuclidean") / (2 * width)), mean(own)


RIGHT = [helper_twice, deleting, soft]
WRONG = [
    (zero_for_nan, ["does not shift the exponents, and puts zero where 0/0 comes out"]),
    (itself_gives_the_shift, ["shifts the exponents of the left-out means by the point's own exponent: the zero on the diagonal comes after the shift"]),
    (helper_always_leaves_out, ["leaves out training point n for new point n too"]),
    (one_shift_for_all, ["subtracts the largest exponent of the whole matrix instead of each row's own"]),
    (zero_in_the_exponent, ["sets the exponent of the left-out point to 0, which is the weight 1, instead of minus infinity", "forgot the 2 in the denominator of the exponent"]),
    (data_for_places, ["averages the data Y instead of the places X", "the width is not squared"]),
]
