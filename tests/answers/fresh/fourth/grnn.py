"""Fresh answers to `grnn`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax


def two_calls(y, Y, X, width):
    def means(points, leave_out):
        E = -np.sum((points[:, None] - Y) ** 2, axis=2) / (2 * width**2)
        if leave_out:
            np.fill_diagonal(E, -np.inf)
        K = np.exp(E - E.max(axis=1, keepdims=True))
        return K @ X / K.sum(axis=1, keepdims=True)

    return means(y, False), means(Y, True)


def with_softmax(y, Y, X, width):
    f = softmax(-cdist(y, Y, "sqeuclidean") / (2 * width**2), axis=1) @ X
    D = cdist(Y, Y, "sqeuclidean")
    D[np.diag_indices(len(Y))] = np.inf
    return f, softmax(-D / (2 * width**2), axis=1) @ X


def point_by_point(y, Y, X, width):
    def place(point, data, places):
        d = np.array([np.sum((point - one) ** 2) for one in data])
        k = np.exp((d.min() - d) / (2 * width**2))
        return np.average(places, axis=0, weights=k)

    f = np.array([place(p, Y, X) for p in y])
    left_out = [place(Y[n], np.delete(Y, n, 0), np.delete(X, n, 0)) for n in range(len(Y))]
    return f, np.array(left_out)


def no_zero_distances(y, Y, X, width):
    def means(D):
        E = -D / (2 * width**2)
        K = np.exp(E - E.max(axis=1, keepdims=True))
        return K @ X / K.sum(axis=1, keepdims=True)

    D = cdist(Y, Y, "sqeuclidean")
    return means(cdist(y, Y, "sqeuclidean")), means(np.where(D == 0, np.inf, D))


def shift_then_remove(y, Y, X, width):
    def weights(points):
        E = -cdist(points, Y, "sqeuclidean") / (2 * width**2)
        return np.exp(E - E.max(axis=1, keepdims=True))

    K, L = weights(y), weights(Y)
    np.fill_diagonal(L, 0)
    return K @ X / K.sum(axis=1, keepdims=True), L @ X / L.sum(axis=1, keepdims=True)


def one_shift(y, Y, X, width):
    def means(E):
        K = np.exp(E - E.max())
        return (K @ X) / K.sum(axis=1)[:, None]

    new = -np.sum((y[:, None] - Y) ** 2, axis=2) / (2 * width**2)
    own = -np.sum((Y[:, None] - Y) ** 2, axis=2) / (2 * width**2)
    np.fill_diagonal(own, -np.inf)
    return means(new), means(own)


def nobody_left_out(y, Y, X, width):
    def means(points):
        out = []
        for p in points:
            e = -np.sum((Y - p) ** 2, axis=1) / (2 * width**2)
            k = np.exp(e - e.max())
            out.append(k @ X / k.sum())
        return np.array(out)

    return means(y), means(Y)


def half_left_out(y, Y, X, width):
    def weights(points):
        E = -cdist(points, Y, "sqeuclidean") / (2 * width)
        return np.exp(E - E.max(axis=1, keepdims=True))

    K, L = weights(y), weights(Y)
    f = K @ X / K.sum(axis=1, keepdims=True)
    return f, (L @ X - X) / L.sum(axis=1, keepdims=True)


def residuals(y, Y, X, width):
    def means(E):
        K = np.exp(E - E.max(axis=1, keepdims=True))
        return K @ X / K.sum(axis=1, keepdims=True)

    own = -cdist(Y, Y) / (2 * width**2)
    np.fill_diagonal(own, -np.inf)
    return means(-cdist(y, Y) / (2 * width**2)), X - means(own)


RIGHT = [two_calls, with_softmax, point_by_point]
WRONG = [
    (no_zero_distances, ["leaves out every point at distance zero, not only the point itself, so copies of a point are left out too"]),
    (shift_then_remove, ["subtracts the largest exponent before the own weight is removed, so an isolated point left out gives 0/0"]),
    (one_shift, ["subtracts the largest exponent of the whole table instead of that of each row"]),
    (nobody_left_out, ["does not leave the point out: its own weight counts in its prediction"]),
    (half_left_out, ["divides by 2σ instead of 2σ²", "takes the own point out of the numerator only, its weight stays in the denominator"]),
    (residuals, ["uses the distance instead of its square in the weights", "returns the residuals x_n - f_-n instead of the places f_-n"]),
]
