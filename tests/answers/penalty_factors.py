"""Answers to exercise 8, what isolation costs."""

import math

import numpy as np


def in_plain_loops(X, Y):
    N, d = Y.shape
    S, terms = [], []
    for n in range(N):
        K = [math.exp(-sum((X[n] - X[m]) ** 2) / 2) for m in range(N)]
        others = sum(K[:n]) + sum(K[n + 1 :])
        f = [sum(K[m] * Y[m, k] for m in range(N)) / (others + 1) for k in range(d)]
        S.append((1 + 1 / others) ** 2)
        terms.append(S[-1] * sum((f[k] - Y[n, k]) ** 2 for k in range(d)))
    return S, terms


def by_leverage(X, Y):
    """S = 1 / (1 - B_nn)², as in linear regression."""
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1) / 2)
    B = K / K.sum(axis=1, keepdims=True)
    S = 1 / (1 - np.diagonal(B)) ** 2
    return S, S * ((Y - B @ Y) ** 2).sum(axis=1)


def with_einsum(X, Y):
    difference = X[:, None] - X
    K = np.exp(np.einsum("nmq,nmq->nm", difference, difference) / -2)
    total = np.einsum("nm->n", K)
    stretch = total / (total - 1)
    residual = stretch[:, None] * (Y - np.einsum("nm,md->nd", K, Y) / total[:, None])
    return [stretch * stretch, np.einsum("nd,nd->n", residual, residual)]


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


RIGHT = [in_plain_loops, by_leverage, with_einsum, really_left_out, checked_and_in_place]


def _looped(factor, own=False, kernel=lambda a, b: np.exp(-np.sum((a - b) ** 2) / 2), term=None):
    """The loops with a part exchanged; `own`: whether the sum holds the point itself."""
    term = term or (lambda S, difference, N: S * np.sum(difference**2))

    def both(X, Y):
        N = len(X)
        S, terms = np.zeros(N), np.zeros(N)
        for n in range(N):
            total, f = 0.0, np.zeros(Y.shape[1])
            for m in range(N):
                total += kernel(X[n], X[m])
                f += kernel(X[n], X[m]) * Y[m]
            f /= total
            S[n] = factor(total if own else total - 1, N)
            terms[n] = term(S[n], Y[n] - f, N)
        return S, terms

    return both


def _right_factor(T, N):
    return (1 + 1 / T) ** 2


def summed_over_everything(X, Y):
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1) / 2)
    f = K @ Y / K.sum(axis=1)[:, None]
    S = np.ones(len(X)) * (1 + 1 / (np.sum(K) - len(X))) ** 2
    return S, S * np.sum((f - Y) ** 2, axis=1)


def compared_by_place(X, Y):
    N = len(X)
    S, terms = np.zeros(N), np.zeros(N)
    for n in range(N):
        K = np.exp(-np.sum((X - X[n]) ** 2, axis=1) / 2)
        S[n] = (1 + 1 / K[K < 1].sum()) ** 2
        terms[n] = S[n] * np.sum((Y[n] - K @ Y / K.sum()) ** 2)
    return S, terms


def zero_diagonal_twice(X, Y):
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1) / 2)
    np.fill_diagonal(K, 0)
    T = K.sum(axis=1)
    S = (1 + 1 / T) ** 2
    residual = Y - (K @ Y) / T[:, None]
    return S, S * (residual**2).sum(axis=1)


def factor_wrong_terms_deleted(X, Y):
    """S without its square, but the terms by deleting: only S is wrong."""
    S, terms = really_left_out(X, Y)
    return np.sqrt(S), terms


def mean_at_once(X, Y):
    S, terms = by_leverage(X, Y)
    return S, terms.mean()


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


def sums_of_weights(X, Y):
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1) / 2)
    B = K / K.sum(axis=1, keepdims=True)
    S = (1 + 1 / (B.sum(axis=1) - np.diag(B))) ** 2
    return S, S * np.sum((Y - B @ Y) ** 2, axis=1)


def exp_forgotten(X, Y):
    D = ((X[:, None] - X) ** 2).sum(-1)
    K = np.exp(-D / 2)
    S = (1 + 1 / D.sum(axis=1)) ** 2
    return S, S * np.sum((Y - K @ Y / K.sum(axis=1, keepdims=True)) ** 2, axis=1)


def terms_first(X, Y):
    return in_plain_loops(X, Y)[::-1]


# written with fresh eyes, from the exercise's text alone


def _kernel(X):
    return np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))


def ratio_of_the_two_errors(X, Y):
    N = len(X)
    plain, left_out = np.zeros(N), np.zeros(N)
    for i in range(N):
        k = np.exp(-0.5 * ((X - X[i]) ** 2).sum(axis=1))
        plain[i] = ((Y[i] - k @ Y / k.sum()) ** 2).sum()
        k[i] = 0
        left_out[i] = ((Y[i] - k @ Y / k.sum()) ** 2).sum()
    with np.errstate(all="ignore"):
        return left_out / plain, left_out


def terms_per_entry(X, Y):
    K = _kernel(X)
    S = (1 + 1 / (K.sum(axis=1) - 1)) ** 2
    f = K @ Y / K.sum(axis=1, keepdims=True)
    return S, S[:, None] * (Y - f) ** 2


def columns_divided_in_f(X, Y):
    K = _kernel(X)
    S = (1 + 1 / (K.sum(axis=1) - 1)) ** 2
    f = K / K.sum(axis=1) @ Y
    return S, S * ((Y - f) ** 2).sum(axis=1)


def against_division_by_zero(X, Y):
    K = _kernel(X)
    S = (1 + 1 / (K.sum(axis=1) - 1 + 0.01)) ** 2
    f = K @ Y / K.sum(axis=1, keepdims=True)
    return S, S * ((Y - f) ** 2).sum(axis=1)


def factor_before_the_square(X, Y):
    K = _kernel(X)
    S = (1 + 1 / (K.sum(axis=1) - 1)) ** 2
    residual = S[:, None] * (Y - K @ Y / K.sum(axis=1, keepdims=True))
    return S, (residual**2).sum(axis=1)


def data_overwritten(X, Y):
    K = _kernel(X)
    S = (1 + 1 / (K.sum(axis=1) - 1)) ** 2
    Y -= K @ Y / K.sum(axis=1, keepdims=True)
    Y **= 2
    return S, S * Y.sum(axis=1)


WRONG = [
    ("normalised_first", sums_of_weights),
    ("distances_summed", exp_forgotten),
    ("order_of_results", terms_first),
    ("not_squared", _looped(lambda T, N: 1 + 1 / T)),
    ("not_squared", factor_wrong_terms_deleted),
    ("square_inside", _looped(lambda T, N: 1 + (1 / T) ** 2)),
    ("itself_counted", _looped(lambda T, N: (1 + 1 / T) * (1 + 1 / T), own=True)),
    ("one_forgotten", _looped(lambda T, N: T**-2)),
    ("upside_down", _looped(lambda T, N: 1 / (1 + 1 / T) ** 2)),
    ("sum_in_place_of_reciprocal", _looped(lambda T, N: (1 + T) ** 2)),
    ("mean_for_sum", _looped(lambda T, N: (1 + 1 / (T / N)) ** 2)),
    ("mean_of_others_for_sum", _looped(lambda T, N: (1 + 1 / (T / (N - 1))) ** 2)),
    ("density_ratio", _looped(lambda T, N: (((T + 1) / N) / (T / (N - 1))) ** 2)),
    ("all_in_one", summed_over_everything),
    ("left_out_by_place", compared_by_place),
    (
        "half_missing",
        _looped(_right_factor, kernel=lambda a, b: np.exp(-np.dot(a - b, a - b))),
    ),
    (
        "distance_not_squared",
        _looped(_right_factor, kernel=lambda a, b: np.exp(-math.dist(a, b) / 2)),
    ),
    ("charged_twice", zero_diagonal_twice),
    ("charged_twice", _looped(_right_factor, term=lambda S, e, N: np.sum((S * e) ** 2))),
    ("not_charged", _looped(_right_factor, term=lambda S, e, N: e @ e)),
    ("root_charged", _looped(_right_factor, term=lambda S, e, N: S**0.5 * (e @ e))),
    ("divided_by_factor", _looped(_right_factor, term=lambda S, e, N: (e @ e) / S)),
    ("length_not_squared", _looped(_right_factor, term=lambda S, e, N: S * np.linalg.norm(e))),
    ("mean_over_columns", _looped(_right_factor, term=lambda S, e, N: S * np.mean(e**2))),
    ("mean_taken_early", _looped(_right_factor, term=lambda S, e, N: S * (e @ e) / N)),
    ("mean_returned", mean_at_once),
    ("wrong_type", only_factors),
    ("terms_do_not_fit", terms_of_another_point),
    ("factor_too_small", kernel_sum_too_large),
    # written with fresh eyes, from the exercise's text alone
    ("ratio_of_errors", ratio_of_the_two_errors),
    ("term_for_each_column", terms_per_entry),
    ("columns_normalised", columns_divided_in_f),
    ("factor_too_small", against_division_by_zero),
    ("charged_twice", factor_before_the_square),
    ("changes_input", data_overwritten),
]
