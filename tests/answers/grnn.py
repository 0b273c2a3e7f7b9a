"""Right and wrong answers to the exercise `grnn`, as learners write them."""

import math

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import logsumexp, softmax


def by_loops(y, Y, X, width):
    def place(point, others):
        t = [sum((a - b) ** 2 for a, b in zip(point, Y[n], strict=True)) for n in others]
        K = [math.exp((min(t) - s) / (2 * width**2)) for s in t]
        return [
            sum(k * X[n, p] for k, n in zip(K, others, strict=True)) / sum(K)
            for p in range(X.shape[1])
        ]

    N = range(len(Y))
    return (
        [place(point, list(N)) for point in y],
        [place(Y[n], [m for m in N if m != n]) for n in N],
    )


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


RIGHT = [by_loops, by_softmax, by_logsumexp_and_delete, in_single_precision, by_delete]


def _answer(square=lambda a, b: ((a[:, None] - b) ** 2).sum(-1), scale=None, own="before"):
    scale = scale or (lambda t, s: -t / (2 * s * s))

    def f(y, Y, X, width):
        E, own_E = scale(square(y, Y), width), scale(square(Y, Y), width)
        if own == "before":
            own_E = np.where(np.eye(len(Y)) > 0, -np.inf, own_E)
        K = np.exp(E - np.max(E, axis=1, keepdims=True))
        L = np.exp(own_E - np.max(own_E, axis=1, keepdims=True))
        if own == "after":
            L -= np.diag(np.diag(L))
        with np.errstate(all="ignore"):
            B = L / (L.sum(1)[:, None])
            if own == "late":
                B = B - np.diag(np.diag(B))
            return K @ X / (K.sum(1)[:, None]), B @ X

    return f


def unshifted(y, Y, X, width):
    K = np.exp(-(cdist(y, Y) ** 2) / (2 * width**2))
    L = np.exp(-(cdist(Y, Y) ** 2) / (2 * width**2))
    np.fill_diagonal(L, 0)
    return K @ X / K.sum(1)[:, None], L @ X / L.sum(1)[:, None]


def unshifted_with_epsilon(y, Y, X, width):
    K = np.exp(-(cdist(y, Y) ** 2) / (2 * width**2))
    L = np.exp(-(cdist(Y, Y) ** 2) / (2 * width**2))
    np.fill_diagonal(L, 0)
    return K @ X / (K.sum(1)[:, None] + 1e-300), L @ X / (L.sum(1)[:, None] + 1e-300)


def unshifted_nan_to_num(y, Y, X, width):
    with np.errstate(all="ignore"):
        return tuple(np.nan_to_num(part) for part in unshifted(y, Y, X, width))


def unshifted_nan_to_mean(y, Y, X, width):
    with np.errstate(all="ignore"):
        parts = unshifted(y, Y, X, width)
    return [np.where(np.isnan(part), X.mean(axis=0), part) for part in parts]


def shifted_by_one_number(y, Y, X, width):
    E, L = -(cdist(y, Y) ** 2) / (2 * width**2), -(cdist(Y, Y) ** 2) / (2 * width**2)
    np.fill_diagonal(L, -np.inf)
    K, L = np.exp(E - np.max(E)), np.exp(L - np.max(L))
    return K @ X / K.sum(1)[:, None], L @ X / L.sum(1)[:, None]


def zeros_in_the_exponent(y, Y, X, width):
    f, _ = by_softmax(y, Y, X, width)
    E = -cdist(Y, Y, "sqeuclidean") / (2 * width**2)
    E[np.diag_indices(len(E))] = -np.inf
    E = E - E.max(1)[:, None]
    E[np.diag_indices(len(E))] = 0
    return f, np.exp(E) @ X / np.exp(E).sum(1, keepdims=True)


def equal_rows_left_out(y, Y, X, width):
    f, _ = by_softmax(y, Y, X, width)
    t = cdist(Y, Y, "sqeuclidean")
    t[t == 0] = np.inf
    return f, softmax(-t / (2 * width**2), axis=1) @ X


def differences(y, Y, X, width):
    f, left_out = by_softmax(y, Y, X, width)
    return f, X - left_out


def other_order(y, Y, X, width):
    f, left_out = by_softmax(y, Y, X, width)
    return left_out, f


def only_f(y, Y, X, width):
    return by_softmax(y, Y, X, width)[0]


def turned_back(y, Y, X, width):
    f, _ = by_softmax(y, Y, X, width)
    E = -cdist(X, X, "sqeuclidean") / (2 * width**2)
    np.fill_diagonal(E, -np.inf)
    return f, softmax(E, axis=1) @ X


def one_neighbour(y, Y, X, width):
    t = cdist(Y, Y)
    np.fill_diagonal(t, np.inf)
    return X[cdist(y, Y).argmin(1)], X[t.argmin(1)]


def softmax_over_points(y, Y, X, width):
    def K(a, own=False):
        E = -cdist(a, Y, "sqeuclidean") / (2 * width**2)
        if own:
            np.fill_diagonal(E, -np.inf)
        return np.exp(E - E.max(1, keepdims=True))

    K, L = K(y), K(Y, True)
    return K / K.sum(0) @ X, L / L.sum(0) @ X


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


def own_weight_removed(y, Y, X, width):
    def weights(a):
        E = -cdist(a, Y, "sqeuclidean") / (2 * width**2)
        return np.exp(E - E.max(axis=1, keepdims=True))

    K = weights(y)
    L = weights(Y)
    np.fill_diagonal(L, 0)
    return K @ X / K.sum(axis=1)[:, None], L @ X / L.sum(axis=1)[:, None]


def copies_left_out(y, Y, X, width):
    def means(E):
        K = np.exp(E - E.max(axis=1, keepdims=True))
        return K @ X / K.sum(axis=1, keepdims=True)

    E = -cdist(y, Y, "sqeuclidean") / (2 * width**2)
    F = -cdist(Y, Y, "sqeuclidean") / (2 * width**2)
    F[F == 0] = -np.inf
    return means(E), means(F)


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
    ("no_shift", unshifted),
    ("far_to_origin", unshifted_with_epsilon),
    ("far_to_origin", unshifted_nan_to_num),
    ("far_to_mean", unshifted_nan_to_mean),
    ("one_shift_for_all", shifted_by_one_number),
    ("own_point_counts", _answer(own="never")),
    ("zero_after_exp", _answer(own="after")),
    ("zero_after_division", _answer(own="late")),
    ("own_exponent_zero", zeros_in_the_exponent),
    ("equal_points_left_out", equal_rows_left_out),
    ("differences_returned", differences),
    ("order_of_results", other_order),
    ("wrong_type", only_f),
    ("weights_from_places", turned_back),
    ("half_missing", _answer(scale=lambda t, s: -t / s**2)),
    ("width_not_squared", _answer(scale=lambda t, s: -t / 2 / s)),
    ("width_multiplied", _answer(scale=lambda t, s: -t / 2 * s**2)),
    ("width_forgotten", _answer(scale=lambda t, s: -t / 2)),
    ("distance_not_squared", _answer(scale=lambda t, s: -np.sqrt(t) / (2 * s**2))),
    ("sign_missing", _answer(scale=lambda t, s: t / (2 * s**2))),
    ("first_column_only", _answer(square=lambda a, b: (a[:, None, 0] - b[:, 0]) ** 2)),
    ("nearest_only", one_neighbour),
    ("columns_normalised", softmax_over_points),
    ("not_normalised", unnormalised(lambda X: 1)),
    ("divided_by_n", unnormalised(len)),
    ("changes_input", data_centred_in_place),
    ("transposed", transposed),
    ("half_missing", unshifted_and_half),
    ("own_point_counts", unshifted_and_own),
    ("mean_of_all", mean_of_all),
    # written with fresh eyes, from the exercise's text alone
    ("zero_after_exp", own_weight_removed),
    ("equal_points_left_out", copies_left_out),
    ("half_missing", no_half_and_own),
]
