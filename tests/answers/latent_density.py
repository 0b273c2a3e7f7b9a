"""Answers to exercise 2, the density of the latent points."""

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import logsumexp


def by_expanding_the_square(x, X, h):
    shift = X.mean(axis=0)  # else digits are lost
    x, X = (x - shift) / h, (X - shift) / h
    t = np.einsum("iq,iq->i", x, x)[:, None] + np.einsum("nq,nq->n", X, X) - 2 * x @ X.T
    return np.einsum("in->i", np.exp(-t / 2)) / X.shape[0]


def in_logarithms(x, X, h):
    return np.exp(logsumexp(-(cdist(x, X) ** 2) / (2 * h**2), axis=1) - np.log(len(X)))


def in_single_precision(x, X, h):
    x, X = np.float32(x) / np.float32(h), np.float32(X) / np.float32(h)
    return np.exp(-((x[:, None] - X) ** 2).sum(axis=-1) / 2).mean(axis=-1)


def product_of_coordinates_checked(x, X, h):
    x, X = np.asarray(x, dtype=float), np.array(X, dtype=float)
    if x.ndim != 2 or X.ndim != 2 or x.shape[1] != X.shape[1]:
        raise ValueError("x and X must have the same number of columns")
    K = np.ones((len(x), len(X)))
    for j in range(X.shape[1]):
        K *= np.exp(-(((x[:, [j]] - X[:, j]) / h) ** 2) / 2)
    return K.sum(axis=1) / len(X)


RIGHT = [
    by_expanding_the_square,
    in_logarithms,
    in_single_precision,
    product_of_coordinates_checked,
]


def gauss(r, h):
    return np.exp(-0.5 * (r / h) ** 2)


def returns_inside_the_loop(x, X, h):
    p = np.zeros(len(x))
    for i, position in enumerate(x):
        p[i] = np.mean([gauss(np.linalg.norm(position - point), h) for point in X])
        return p


def one_number(x, X, h):
    return np.mean(gauss(cdist(x, X), h))


def keeps_a_column(x, X, h):
    return gauss(cdist(x, X), h).mean(axis=1, keepdims=True)


def scales_in_place(x, X, h):
    x /= h
    X /= h
    return gauss(cdist(x, X), 1).mean(axis=1)


def says_it_but_does_not_return(x, X, h):
    p = gauss(cdist(x, X), h).mean(axis=1)
    print(p)


def without_half_and_without_n(x, X, h):
    return np.sum(np.exp(-(cdist(x, X) ** 2) / h**2), axis=1)


X_of_the_notebook = np.array([[0.0], [1.0], [5.0]])


def of_the_notebook(x, X, h):
    return gauss(np.abs(x[:, :1] - X_of_the_notebook[:, 0]), h).mean(axis=1)


# written with fresh eyes, from the exercise's text alone


def differences_by_transposing(x, X, h):
    return np.exp(-((x - X.T) ** 2) / (2 * h**2)).mean(axis=1)


WRONG = [
    ("half_missing", without_half_and_without_n),
    ("left_empty", returns_inside_the_loop),
    ("shape", one_number),
    ("shape", keeps_a_column),
    ("changes_input", scales_in_place),
    ("returns_nothing", says_it_but_does_not_return),
    ("uses_global", of_the_notebook),
    # written with fresh eyes, from the exercise's text alone
    ("transposed_difference", differences_by_transposing),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    sum_not_mean constant_included constant_of_one_dimension divided_by_h_q divided_by_h
    h_not_squared multiplied_by_h_squared half_missing distance_not_squared mean_over_positions
    last_point_only first_coordinate_only highest_is_one itself_unseen gram_without_two
    last_point_only
""".split()
