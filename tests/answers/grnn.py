"""Right and wrong answers to the exercise `grnn`, as learners write them."""

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import logsumexp, softmax


def by_softmax(y, Y, X, width):
    own = -cdist(Y, Y, "sqeuclidean") / (2 * width**2)
    own[np.eye(len(Y), dtype=bool)] = -np.inf
    return softmax(-cdist(y, Y, "sqeuclidean") / (2 * width**2), axis=1) @ X, softmax(own, 1) @ X


def by_logsumexp_and_delete(y, Y, X, width):
    def f(point, Y, X):
        E = -0.5 * np.sum(((point - Y) / width) ** 2, axis=1)
        return np.exp(E - logsumexp(E)) @ X

    rest = [f(Y[n], np.delete(Y, n, 0), np.delete(X, n, 0)) for n in range(len(Y))]
    return np.array([f(point, Y, X) for point in y]), np.array(rest)


def in_single_precision(y, Y, X, width):
    y, Y, X = (a.astype(np.float32) for a in (y, Y, X))

    def means(points, own=False):
        D = (points[:, None, :] - Y[None, :, :]) / np.float32(width)
        E = np.einsum("mnd,mnd->mn", D, D) / np.float32(-2)
        if own:
            np.fill_diagonal(E, -np.inf)
        K = np.exp(E - E.max(axis=1)[:, None])
        return np.einsum("mn,nq->mq", K, X) / np.einsum("mn->m", K)[:, None]

    return means(y), means(Y, own=True)


def by_delete(y, Y, X, width):
    def place(p, Y, X):
        s = np.linalg.norm(Y - p, axis=1) / width
        w = np.exp(-(s - s.min()) * (s + s.min()) / 2)
        return sum(a * b for a, b in zip(w, X, strict=True)) / sum(w)

    f = np.array([place(p, Y, X) for p in y])
    out = [place(Y[n], np.delete(Y, n, 0), np.delete(X, n, 0)) for n in range(len(Y))]
    return f, np.array(out)


RIGHT = [by_softmax, by_logsumexp_and_delete, in_single_precision, by_delete]


def only_f(y, Y, X, width):
    return by_softmax(y, Y, X, width)[0]


def unnormalised(divisor):
    def f(y, Y, X, width):
        parts = []
        for a in (y, Y):
            E = -cdist(a, Y, "sqeuclidean") / (2 * width**2)
            if a is Y:
                np.fill_diagonal(E, -np.inf)
            parts.append(np.exp(E - E.max(1, keepdims=True)) @ X / divisor(X))
        return parts

    return f


def data_centred_in_place(y, Y, X, width):
    Y -= Y.mean(axis=0)
    return by_softmax(y, Y, X, width)


def transposed(y, Y, X, width):
    f, left_out = by_softmax(y, Y, X, width)
    return f.T, left_out.T


def unshifted_and_half(y, Y, X, width):
    K, L = np.exp(-((cdist(y, Y) / width) ** 2)), np.exp(-((cdist(Y, Y) / width) ** 2))
    np.fill_diagonal(L, 0)
    return K @ X / K.sum(1)[:, None], L @ X / L.sum(1)[:, None]


def unshifted_and_own(y, Y, X, width):
    K, L = (np.exp(-(cdist(a, Y) ** 2) / (2 * width**2)) for a in (y, Y))
    return K @ X / K.sum(1)[:, None], L @ X / L.sum(1)[:, None]


def mean_of_all(y, Y, X, width):
    """No known mistake: the properties speak."""
    return np.tile(X.mean(axis=0), (len(y), 1)), np.tile(X.mean(axis=0), (len(Y), 1))


def no_half_and_own(y, Y, X, width):
    """Two mistakes: the 2 is missing, and a zero is put in the exponent."""

    def means(E):
        K = np.exp(E - E.max(axis=1, keepdims=True))
        return K @ X / K.sum(axis=1, keepdims=True)

    E = -np.sum((y[:, None] - Y) ** 2, axis=2) / width**2
    F = -np.sum((Y[:, None] - Y) ** 2, axis=2) / width**2
    np.fill_diagonal(F, 0)
    return means(E), means(F)


WRONG = [
    ("wrong_type", only_f),
    ("not_normalised", unnormalised(lambda X: 1)),
    ("divided_by_n", unnormalised(len)),
    ("changes_input", data_centred_in_place),
    ("transposed", transposed),
    ("half_missing", unshifted_and_half),
    ("own_point_counts", unshifted_and_own),
    ("mean_of_all", mean_of_all),
    # written with fresh eyes, from the exercise's text alone
    ("half_missing", no_half_and_own),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    no_shift far_to_origin far_to_origin one_shift_for_all own_point_counts zero_after_exp
    zero_after_division equal_points_left_out differences_returned weights_from_places half_missing
    width_not_squared width_multiplied width_forgotten distance_not_squared sign_missing
    nearest_only columns_normalised zero_after_exp equal_points_left_out far_to_mean
""".split()
