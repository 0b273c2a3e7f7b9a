"""Answers to exercise 1, the weighted mean f(x)."""

import math

import numpy as np


def in_plain_loops(positions, latent, data, width):
    result = []
    for p in positions:
        numerator, denominator = [0.0] * data.shape[1], 0.0
        for centre, point in zip(latent, data, strict=True):
            squared = sum((a - b) ** 2 for a, b in zip(p, centre, strict=True))
            weight = math.exp(-squared / (2 * width * width))
            denominator += weight
            for k, value in enumerate(point):
                numerator[k] += weight * value
        result.append([n / denominator for n in numerator])
    return result


def with_einsum(x, X, Y, h):
    difference = (x[:, None, :] - X[None, :, :]) / h
    K = np.exp(-0.5 * np.einsum("imq,imq->im", difference, difference))
    return np.einsum("im,md->id", K, Y) / np.einsum("im->i", K)[:, None]


def in_single_precision(x, X, Y, h):
    x, X, Y = (a.astype(np.float32) for a in (x, X, Y))
    K = np.exp(-((x[:, None] - X) ** 2).sum(-1) / np.float32(2 * h**2))
    return (K @ Y) / K.sum(1, keepdims=True)


def checked_and_in_place(x, X, Y, h):
    if h <= 0:
        raise ValueError("h must be positive")
    x, X = x.copy(), X.copy()
    x /= h
    X /= h
    K = np.exp(-0.5 * ((x[:, None] - X) ** 2).sum(axis=-1))
    K /= K.sum(axis=1)[:, None]
    return K @ Y


RIGHT = [in_plain_loops, with_einsum, in_single_precision, checked_and_in_place]


def _looped(weight, after=lambda total, n: total):
    def f(x, X, Y, h):
        out = np.zeros((len(x), Y.shape[1]))
        for i in range(len(x)):
            total = 0
            for m in range(len(X)):
                w = weight(np.linalg.norm(x[i] - X[m]), h)
                out[i] = out[i] + w * Y[m]
                total = total + w
            out[i] = out[i] / after(total, len(X))
        return out

    return f


def gauss(r, h):
    return np.exp(-0.5 * (r / h) ** 2)


def returns_one_too_early(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(len(x)):
        w = np.array([gauss(np.linalg.norm(x[i] - X[m]), h) for m in range(len(X))])
        f[i] = (w[:, None] * Y).sum(axis=0) / w.sum()
        return f


def only_the_first_column(x, X, Y, h):
    return np.array(
        [np.average(Y[:, 0], weights=gauss(np.linalg.norm(p - X, axis=1), h)) for p in x]
    )


def centres_the_data_in_place(x, X, Y, h):
    mean = Y.mean(axis=0)
    Y -= mean
    w = np.exp(-((x[:, None] - X) ** 2).sum(2) / (2 * h**2))
    return w @ Y / w.sum(1, keepdims=True) + mean


def transposed(x, X, Y, h):
    return with_einsum(x, X, Y, h).T


def minus(x, X, Y, h):
    return -with_einsum(x, X, Y, h)


# written with fresh eyes, from the exercise's text alone


def brackets_missing(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(len(x)):
        total = 0
        for m in range(len(X)):
            w = np.exp(-np.sum((x[i] - X[m]) ** 2) / 2 * h**2)
            f[i] += w * Y[m]
            total += w
        f[i] /= total
    return f


def total_begun_once(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    total = 0
    for i in range(len(x)):
        for m in range(len(X)):
            k = np.exp(-np.sum((x[i] - X[m]) ** 2) / (2 * h**2))
            f[i] = f[i] + k * Y[m]
            total = total + k
        f[i] = f[i] / total
    return f


def divides_in_the_inner_loop(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(len(x)):
        s = 0.0
        for m in range(len(X)):
            w = np.exp(-((x[i] - X[m]) ** 2).sum() / (2 * h**2))
            s += w
            f[i] += w * Y[m]
            f[i] /= s
    return f


def first_coordinate(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(len(x)):
        above, below = 0, 0
        for m in range(len(X)):
            k = np.exp(-((x[i, 0] - X[m, 0]) ** 2) / (2 * h**2))
            above = above + k * Y[m]
            below = below + k
        f[i] = above / below
    return f


def square_of_the_sum(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(len(x)):
        w = np.array([np.exp(-(np.sum(x[i] - xm) ** 2) / (2 * h**2)) for xm in X])
        f[i] = w @ Y / w.sum()
    return f


def begins_at_one(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(0, len(x)):
        s = 0
        for m in range(1, len(X)):
            w = np.exp(-np.dot(x[i] - X[m], x[i] - X[m]) / (2 * h**2))
            s += w
            f[i] += w * Y[m]
        f[i] /= s
    return f


def ends_one_too_early(x, X, Y, h):
    def one(position):
        numbers = range(len(X) - 1)
        w = [gauss(np.linalg.norm(position - X[m]), h) for m in numbers]
        return sum(w[m] * Y[m] for m in numbers) / sum(w)

    return np.array([one(position) for position in x])


def skips_its_own_number(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(len(x)):
        norm = 0
        for m in range(len(X)):
            if i == m:
                continue
            w = np.exp(-np.sum((x[i] - X[m]) ** 2) / (2 * h**2))
            norm += w
            f[i] += w * Y[m]
        f[i] /= norm
    return f


def assigns_for_adding(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(len(x)):
        total = 0
        for m in range(len(X)):
            weight = np.exp(-np.sum((x[i] - X[m]) ** 2) / (2 * h**2))
            f[i] = weight * Y[m]
            total += weight
        f[i] = f[i] / total
    return f


def padded_to_be_safe(x, X, Y, h):
    K = np.exp(-((x[:, None] - X) ** 2).sum(-1) / (2 * h**2))
    return K @ Y / (K.sum(1, keepdims=True) + 1e-3)


def over_h(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(len(x)):
        w = np.exp(-((x[i] - X) ** 2).sum(axis=1) / h)
        f[i] = np.average(Y, axis=0, weights=w)
    return f


def as_many_rows_as_data(x, X, Y, h):
    f = np.zeros(Y.shape)
    for n in range(len(x)):
        k = np.exp(-(np.linalg.norm(x[n] - X, axis=1) ** 2) / (2 * h**2))
        f[n] = np.sum(k[:, None] * Y, axis=0) / np.sum(k)
    return f


def average_without_axis(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(len(x)):
        w = np.exp(-np.sum((X - x[i]) ** 2, axis=1) / (2 * h**2))
        f[i] = np.average(Y, weights=w)
    return f


WRONG = [
    ("not_normalised", _looped(gauss, lambda total, n: 1)),
    ("divided_by_n", _looped(gauss, lambda total, n: n)),
    ("h_not_squared", _looped(lambda r, h: np.exp(-(r**2) / (2 * h)))),
    ("half_missing", _looped(lambda r, h: np.exp(-(r**2) / h**2))),
    ("distance_not_squared", _looped(lambda r, h: np.exp(-r / (2 * h**2)))),
    ("sign_missing", _looped(lambda r, h: np.exp(r**2 / (2 * h**2)))),
    ("left_empty", returns_one_too_early),
    ("shape", only_the_first_column),
    ("changes_input", centres_the_data_in_place),
    ("slip: f", transposed),
    ("negative", minus),
    # written with fresh eyes, from the exercise's text alone
    ("multiplied_by_h_squared", brackets_missing),
    ("sum_not_reset", total_begun_once),
    ("divided_at_each_step", divides_in_the_inner_loop),
    ("first_coordinate_only", first_coordinate),
    ("squared_after_sum", square_of_the_sum),
    ("first_point_forgotten", begins_at_one),
    ("last_point_forgotten", ends_one_too_early),
    ("same_number_skipped", skips_its_own_number),
    ("last_term_only", assigns_for_adding),
    ("weights_no_shares", padded_to_be_safe),
    ("divided_by_h_alone", over_h),
    ("shape", as_many_rows_as_data),
    ("raises", average_without_axis),
]
