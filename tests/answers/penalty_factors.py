"""Answers to exercise 8, what isolation costs."""

import numpy as np


def by_leverage(X, Y):
    """S = 1 / (1 - B_nn)², as in linear regression."""
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1) / 2)
    B = K / K.sum(axis=1, keepdims=True)
    S = 1 / (1 - np.diagonal(B)) ** 2
    return S, S * ((Y - B @ Y) ** 2).sum(axis=1)


def really_left_out(X, Y):
    """The terms without S: each point truly deleted."""
    N = len(X)
    S, terms = np.empty(N), np.empty(N)
    for n in range(N):
        K = np.exp(-((np.delete(X, n, 0) - X[n]) ** 2).sum(1) / 2)
        S[n] = (1 + 1 / K.sum()) ** 2
        terms[n] = ((Y[n] - K @ np.delete(Y, n, 0) / K.sum()) ** 2).sum()
    return S, terms


def checked_and_in_place(X, Y):
    X = np.array(X, dtype=float)
    if len(X) < 2:
        raise ValueError("at least two points")
    K = ((X[:, None] - X) ** 2).sum(-1)
    K *= -0.5
    np.exp(K, out=K)
    f = K @ Y
    f /= K.sum(axis=1, keepdims=True)
    np.fill_diagonal(K, 0)
    S = np.square(1 + 1 / K.sum(axis=1))
    f -= Y
    f *= f
    return S, S * f.sum(axis=1)


RIGHT = [by_leverage, really_left_out, checked_and_in_place]


def factor_wrong_terms_deleted(X, Y):
    """S without its square, but the terms by deleting: only S is wrong."""
    S, terms = really_left_out(X, Y)
    return np.sqrt(S), terms


def only_factors(X, Y):
    return by_leverage(X, Y)[0]


def terms_of_another_point(X, Y):
    S, terms = by_leverage(X, Y)
    return S, terms[::-1]


def kernel_sum_too_large(X, Y):
    """Counts the point itself five times."""
    S, terms = by_leverage(X, Y)
    T = 1 / (np.sqrt(S) - 1)
    return (1 + 1 / (T + 5)) ** 2, terms


# written with fresh eyes, from the exercise's text alone


def _kernel(X):
    return np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))


def against_division_by_zero(X, Y):
    K = _kernel(X)
    S = (1 + 1 / (K.sum(axis=1) - 1 + 0.01)) ** 2
    f = K @ Y / K.sum(axis=1, keepdims=True)
    return S, S * ((Y - f) ** 2).sum(axis=1)


def data_overwritten(X, Y):
    K = _kernel(X)
    S = (1 + 1 / (K.sum(axis=1) - 1)) ** 2
    Y -= K @ Y / K.sum(axis=1, keepdims=True)
    Y **= 2
    return S, S * Y.sum(axis=1)


WRONG = [
    ("not_squared", factor_wrong_terms_deleted),
    ("wrong_type", only_factors),
    ("terms_do_not_fit", terms_of_another_point),
    ("factor_too_small", kernel_sum_too_large),
    # written with fresh eyes, from the exercise's text alone
    ("factor_too_small", against_division_by_zero),
    ("changes_input", data_overwritten),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    normalised_first distances_summed not_squared square_inside itself_counted upside_down
    sum_in_place_of_reciprocal mean_for_sum mean_of_others_for_sum density_ratio all_in_one
    left_out_by_place half_missing distance_not_squared charged_twice charged_twice root_charged
    divided_by_factor length_not_squared mean_taken_early mean_returned columns_normalised
    charged_twice
""".split()
