"""Fresh answers to `grnn`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax


def called_twice(y, Y, X, width):
    def means(points, leave_out):
        E = -cdist(points, Y, "sqeuclidean") / (2 * width**2)
        if leave_out:
            np.fill_diagonal(E, -np.inf)
        K = np.exp(E - E.max(axis=1, keepdims=True))
        return K @ X / K.sum(axis=1, keepdims=True)

    return means(y, False), means(Y, True)


def really_left_out(y, Y, X, width):
    def mean_at(point, data, places):
        d = ((data - point) ** 2).sum(axis=1)
        k = np.exp((d.min() - d) / (2 * width**2))
        return (k[:, None] * places).sum(axis=0) / k.sum()

    f = np.array([mean_at(point, Y, X) for point in y])
    rest = [np.arange(len(Y)) != n for n in range(len(Y))]
    left_out = np.array([mean_at(Y[n], Y[rest[n]], X[rest[n]]) for n in range(len(Y))])
    return f, left_out


def with_softmax(y, Y, X, width):
    E = -0.5 * np.sum(((y[:, None] - Y[None]) / width) ** 2, axis=-1)
    own = -0.5 * np.sum(((Y[:, None] - Y[None]) / width) ** 2, axis=-1)
    own = np.where(np.eye(len(Y), dtype=bool), -np.inf, own)
    return softmax(E, axis=1) @ X, softmax(own, axis=1) @ X


def _means(E, X):
    K = np.exp(E - E.max(axis=1, keepdims=True))
    return K @ X / K.sum(axis=1, keepdims=True)


def zero_exponent(y, Y, X, width):
    E = -cdist(y, Y, "sqeuclidean") / (2 * width**2)
    E_own = -cdist(Y, Y, "sqeuclidean") / (2 * width**2)
    np.fill_diagonal(E_own, 0)
    return _means(E, X), _means(E_own, X)


def largest_weight_was_its_own(y, Y, X, width):
    f = _means(-cdist(y, Y, "sqeuclidean") / (2 * width**2), X)
    E = -cdist(Y, Y, "sqeuclidean") / (2 * width**2)
    K = np.exp(E - E.max(axis=1, keepdims=True))
    K[np.diag_indices(len(Y))] = 0
    with np.errstate(all="ignore"):
        return f, K @ X / K.sum(axis=1, keepdims=True)


def not_turned_round(y, Y, X, width):
    def means(points, skip):
        out = []
        for i, point in enumerate(points):
            e = -((point - X) ** 2).sum(axis=1) / (2 * width**2)
            if skip:
                e[i] = -np.inf
            k = np.exp(e - e.max())
            out.append(k @ X / k.sum())
        return np.array(out)

    return means(y, False), means(Y, True)


def no_other_at_distance_zero(y, Y, X, width):
    D = cdist(Y, Y, "sqeuclidean")
    E = np.where(D < 1e-12, -np.inf, -D / (2 * width**2))
    f = _means(-cdist(y, Y, "sqeuclidean") / (2 * width**2), X)
    with np.errstate(all="ignore"):
        return f, _means(E, X)


def one_maximum_past_only(y, Y, X, width):
    E = -cdist(y, Y, "sqeuclidean") / (2 * width**2)
    K = np.exp(E - E.max())
    with np.errstate(all="ignore"):
        f = K @ X / K.sum(axis=1, keepdims=True)
    left_out = X.astype(float)
    for n in range(1, len(Y)):
        e = -((Y[:n] - Y[n]) ** 2).sum(axis=1) / (2 * width**2)
        k = np.exp(e - e.max())
        left_out[n] = k @ X[:n] / k.sum()
    return f, left_out


def epsilon_and_residual(y, Y, X, width):
    K = np.exp(-cdist(y, Y, "sqeuclidean") / (2 * width**2))
    f = K @ X / (K.sum(axis=1, keepdims=True) + 1e-12)
    E = -cdist(Y, Y, "sqeuclidean") / (2 * width**2)
    E[np.diag_indices(len(Y))] = -np.inf
    return f, X - _means(E, X)


RIGHT = [called_twice, really_left_out, with_softmax]
WRONG = [
    (zero_exponent, ["sets the exponent of the own point to 0, which makes its weight 1, instead of minus infinity"]),
    (largest_weight_was_its_own, ["subtracts the largest exponent with the own point still included, so a lonely point has only zero weights left"]),
    (not_turned_round, ["measures the distances to the places X instead of the data Y: the regression is not turned round"]),
    (no_other_at_distance_zero, ["leaves out all points at distance zero, not only the point itself"]),
    (one_maximum_past_only, ["subtracts the largest exponent of the whole matrix instead of that of each row", "predicts a training point from the points before it only, not from all others"]),
    (epsilon_and_residual, ["adds a small number to the sum of the weights instead of shifting the exponents", "returns the leave-one-out residuals instead of the predictions"]),
]
