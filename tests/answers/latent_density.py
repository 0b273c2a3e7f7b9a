"""Answers to exercise 2, the density of the latent points."""

import math

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import logsumexp


def in_plain_loops(positions, latent, width):
    densities = []
    for p in positions:
        heights = []
        for centre in latent:
            squared = sum((a - b) ** 2 for a, b in zip(p, centre, strict=True))
            heights.append(math.exp(-squared / (2 * width**2)))
        densities.append(sum(heights) / len(heights))
    return densities


def with_cdist(x, X, h):
    return np.mean(np.exp(-0.5 * cdist(x / h, X / h, "sqeuclidean")), axis=1)


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
    in_plain_loops,
    with_cdist,
    by_expanding_the_square,
    in_logarithms,
    in_single_precision,
    product_of_coordinates_checked,
]


def _looped(height, after=lambda total, X, h: total / len(X)):
    def p(x, X, h):
        out = np.zeros(len(x))
        for i in range(len(x)):
            for n in range(len(X)):
                out[i] += height(np.linalg.norm(x[i] - X[n]), h)
            out[i] = after(out[i], X, h)
        return out

    return p


def gauss(r, h):
    return np.exp(-0.5 * (r / h) ** 2)


def forgets_the_first_point(x, X, h):
    p = np.zeros(len(x))
    for i in range(len(x)):
        for n in range(1, len(X)):
            p[i] += gauss(np.linalg.norm(x[i] - X[n]), h)
    return p / len(X)


def overwrites(x, X, h):
    p = np.zeros(len(x))
    for i in range(len(x)):
        for n in range(len(X)):
            p[i] = gauss(np.linalg.norm(x[i] - X[n]), h) / len(X)
    return p


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


def first_coordinate_only(x, X, h):
    return np.exp(-((x[:, [0]] - X[:, 0]) ** 2) / (2 * h**2)).mean(axis=1)


def constant_times(x, X, h):
    q = X.shape[1]
    return sum(gauss(np.linalg.norm(x - point, axis=1), h) for point in X) / (
        len(X) * math.sqrt((2 * math.pi) ** q) * h**q
    )


def says_it_but_does_not_return(x, X, h):
    p = gauss(cdist(x, X), h).mean(axis=1)
    print(p)


def over_the_wrong_axis(x, X, h):
    return np.array([gauss(np.linalg.norm(x - point, axis=1), h).mean() for point in X])


def without_half_and_without_n(x, X, h):
    return np.sum(np.exp(-(cdist(x, X) ** 2) / h**2), axis=1)


X_of_the_notebook = np.array([[0.0], [1.0], [5.0]])


def of_the_notebook(x, X, h):
    return gauss(np.abs(x[:, :1] - X_of_the_notebook[:, 0]), h).mean(axis=1)


# written with fresh eyes, from the exercise's text alone


def highest_is_one(x, X, h):
    p = np.exp(-0.5 * cdist(x, X) ** 2 / h**2).mean(axis=1)
    p /= p.max()
    return p


def zero_distance_dropped(x, X, h):
    d2 = np.sum((x[:, None] - X) ** 2, axis=2)
    K = np.exp(-d2 / (2 * h**2))
    K[d2 == 0] = 0
    return K.mean(axis=1)


def binomial_without_its_two(x, X, h):
    d2 = (x**2).sum(1)[:, None] + (X**2).sum(1) - x @ X.T
    return np.exp(-d2 / (2 * h * h)).mean(1)


def last_only(x, X, h):
    out = []
    for a in x:
        for b in X:
            k = np.exp(-(np.linalg.norm(a - b) ** 2) / (2 * h**2))
        out.append(k / len(X))
    return np.array(out)


def divided_by_the_positions(x, X, h):
    p = np.zeros(len(x))
    for i in range(len(x)):
        for n in range(len(X)):
            p[i] += np.exp(-np.sum((x[i] - X[n]) ** 2) / (2 * h**2))
    return p / len(x)


def sum_of_python(x, X, h):
    return sum(np.exp(-((x[:, None] - X) ** 2).sum(-1) / (2 * h**2))) / len(X)


def differences_by_transposing(x, X, h):
    return np.exp(-((x - X.T) ** 2) / (2 * h**2)).mean(axis=1)


def forgets_the_last_point(x, X, h):
    return sum(gauss(np.linalg.norm(x - X[n], axis=1), h) for n in range(len(X) - 1)) / len(X)


WRONG = [
    ("sum_not_mean", _looped(gauss, lambda total, X, h: total)),
    ("constant_included", constant_times),
    (
        "constant_of_one_dimension",
        _looped(lambda r, h: gauss(r, h) / (h * np.sqrt(2 * np.pi))),
    ),
    ("divided_by_h_q", _looped(gauss, lambda s, X, h: s / len(X) / h ** X.shape[1])),
    ("divided_by_h", _looped(gauss, lambda total, X, h: total / (len(X) * h))),
    ("h_not_squared", _looped(lambda r, h: np.exp(-(r**2) / 2 / h))),
    ("multiplied_by_h_squared", _looped(lambda r, h: np.exp(-(r**2) / 2 * h**2))),
    ("two_squared_too", _looped(lambda r, h: np.exp(-((r / (2 * h)) ** 2)))),
    ("half_missing", _looped(lambda r, h: np.exp(-((r / h) ** 2)))),
    ("h_forgotten", _looped(lambda r, h: np.exp(-(r**2) / 2))),
    ("distance_not_squared", _looped(lambda r, h: np.exp(-r / (2 * h**2)))),
    ("sign_missing", _looped(lambda r, h: np.exp(0.5 * (r / h) ** 2))),
    ("divided_by_n_minus_1", _looped(gauss, lambda s, X, h: s / (len(X) - 1))),
    ("mean_over_positions", over_the_wrong_axis),
    ("half_missing", without_half_and_without_n),
    ("first_point_forgotten", forgets_the_first_point),
    ("last_point_only", overwrites),
    ("left_empty", returns_inside_the_loop),
    ("shape", one_number),
    ("shape", keeps_a_column),
    ("changes_input", scales_in_place),
    ("first_coordinate_only", first_coordinate_only),
    ("returns_nothing", says_it_but_does_not_return),
    ("uses_global", of_the_notebook),
    # written with fresh eyes, from the exercise's text alone
    ("highest_is_one", highest_is_one),
    ("itself_unseen", zero_distance_dropped),
    ("gram_without_two", binomial_without_its_two),
    ("last_point_only", last_only),
    ("divided_by_number_of_positions", divided_by_the_positions),
    ("sum_over_positions", sum_of_python),
    ("transposed_difference", differences_by_transposing),
    ("last_point_forgotten", forgets_the_last_point),
]
