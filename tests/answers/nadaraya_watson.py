"""Answers to exercise 1, the weighted mean f(x)."""

import numpy as np


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


RIGHT = [with_einsum, in_single_precision, checked_and_in_place]


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


def padded_to_be_safe(x, X, Y, h):
    K = np.exp(-((x[:, None] - X) ** 2).sum(-1) / (2 * h**2))
    return K @ Y / (K.sum(1, keepdims=True) + 1e-3)


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
    ("left_empty", returns_one_too_early),
    ("shape", only_the_first_column),
    ("changes_input", centres_the_data_in_place),
    ("slip: f", transposed),
    ("negative", minus),
    # written with fresh eyes, from the exercise's text alone
    ("weights_no_shares", padded_to_be_safe),
    ("shape", as_many_rows_as_data),
    ("raises", average_without_axis),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    not_normalised divided_by_n h_not_squared half_missing distance_not_squared sum_not_reset
    divided_at_each_step first_coordinate_only squared_after_sum first_point_forgotten
    same_number_skipped last_term_only divided_by_h_alone
""".split()
