"""Fresh answers to `grnn`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax


def one_helper(y, Y, X, width):
    def means(E):
        K = np.exp(E - E.max(axis=1, keepdims=True))
        return K @ X / K.sum(axis=1, keepdims=True)

    scale = -2 * width**2
    among = cdist(Y, Y, "sqeuclidean") / scale
    np.fill_diagonal(among, -np.inf)
    return means(cdist(y, Y, "sqeuclidean") / scale), means(among)


def delete_each(y, Y, X, width):
    def place(point, data, places):
        d2 = np.sum((data - point) ** 2, axis=1)
        w = np.exp((d2.min() - d2) / (2 * width**2))
        return np.sum(w[:, None] * places, axis=0) / np.sum(w)

    f = np.array([place(a, Y, X) for a in y]).reshape(len(y), X.shape[1])
    out = [place(Y[n], np.delete(Y, n, axis=0), np.delete(X, n, axis=0)) for n in range(len(Y))]
    return f, np.array(out)


def scipys_softmax(y, Y, X, width):
    a = ((y[:, None] - Y[None]) ** 2).sum(axis=-1) / width**2 / 2
    b = ((Y[:, None] - Y[None]) ** 2).sum(axis=-1) / width**2 / 2
    b = np.where(np.eye(len(Y), dtype=bool), np.inf, b)
    return softmax(-a, axis=1) @ X, softmax(-b, axis=1) @ X


def itself_is_the_nearest(y, Y, X, width):
    def weights(A):
        E = -cdist(A, Y, "sqeuclidean") / (2 * width**2)
        return np.exp(E - E.max(axis=1, keepdims=True))

    K, L = weights(y), weights(Y)
    np.fill_diagonal(L, 0)
    return K @ X / K.sum(axis=1, keepdims=True), L @ X / L.sum(axis=1, keepdims=True)


def diagonal_everywhere(y, Y, X, width):
    def means(points):
        E = -cdist(points, Y, "sqeuclidean") / (2 * width**2)
        np.fill_diagonal(E, -np.inf)
        E = E - E.max(axis=1, keepdims=True)
        K = np.exp(E)
        return (K / K.sum(axis=1, keepdims=True)) @ X

    return means(y), means(Y)


def delete_without_axis(y, Y, X, width):
    def means(points, data, places):
        E = -((points[:, None] - data[None]) ** 2).sum(-1) / (2 * width**2)
        K = np.exp(E - E.max(axis=1, keepdims=True))
        return K @ places / K.sum(axis=1, keepdims=True)

    left_out = np.zeros(X.shape)
    for n in range(len(Y)):
        left_out[n] = means(Y[n : n + 1], np.delete(Y, n), np.delete(X, n))[0]
    return means(y, Y, X), left_out


def no_distance_no_vote(y, Y, X, width):
    def means(D2, leave):
        E = -D2 / (2 * width**2)
        if leave:
            E[D2 == 0] = -np.inf
        K = np.exp(E - E.max(axis=1)[:, None])
        return K @ X / K.sum(axis=1)[:, None]

    return means(cdist(y, Y, "sqeuclidean"), False), means(cdist(Y, Y, "sqeuclidean"), True)


def plain_ratio_narrow(y, Y, X, width):
    K = np.exp(-cdist(y, Y, "sqeuclidean") / width**2)
    L = np.exp(-cdist(Y, Y, "sqeuclidean") / width**2)
    L = L - np.eye(len(Y))
    return K @ X / K.sum(axis=1, keepdims=True), L @ X / L.sum(axis=1, keepdims=True)


def shifted_weights_late_zero(y, Y, X, width):
    def shares(A):
        E = -cdist(A, Y) / (2 * width**2)
        K = np.exp(E - E.max(axis=1, keepdims=True))
        return K / K.sum(axis=1, keepdims=True)

    B = shares(Y)
    B[np.arange(len(Y)), np.arange(len(Y))] = 0
    return shares(y) @ X, B @ X


RIGHT = [one_helper, delete_each, scipys_softmax]
WRONG = [
    (itself_is_the_nearest, ["for left_out shifts by the exponent of the point itself and removes it afterwards, so isolated points give 0/0"]),
    (diagonal_everywhere, ["leaves out training point n also for new point n"]),
    (delete_without_axis, ["calls np.delete without axis, which flattens the arrays"]),
    (no_distance_no_vote, ["leaves out all training points at distance zero (duplicates), not only the point itself"]),
    (plain_ratio_narrow, ["forgot the factor 2 in the exponent", "does not shift the exponents, so far points give 0/0"]),
    (shifted_weights_late_zero, ["did not square the distance in the exponent", "sets the diagonal to zero after the weights have been divided by their sum"]),
]
