"""Right and wrong answers to the exercise `scale_by_likelihood`, as learners write them."""

import math

import numpy as np


def by_deleting(X, h):
    logs = []
    for n, x in enumerate(X):
        rest = np.delete(X, n, axis=0) / h
        t = ((rest - x / h) ** 2).sum(axis=1)
        logs.append(np.log(np.exp(-t / 2).mean()) - X.shape[1] * np.log(h))
    return np.mean(logs)


def with_log_sum_exp(X, h):
    Z = np.asarray(X, dtype=float) / h
    exponent = -0.5 * np.einsum("nmj,nmj->nm", Z[:, None] - Z, Z[:, None] - Z)
    np.fill_diagonal(exponent, -np.inf)
    top = exponent.max(axis=1)
    logs = top + np.log(np.exp(exponent - top[:, None]).sum(axis=1))
    return float(logs.mean() - np.log(len(X) - 1) - X.shape[1] * np.log(h))


def single_precision(X, h):
    X = (X - X.mean(axis=0)).astype(np.float32) / np.float32(h)
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1) / 2)
    total = K.sum(axis=1) - K.diagonal()  # a lone point's sum would be lost in this difference
    np.fill_diagonal(K, 0)
    total = K.sum(axis=1, out=total)
    return np.float32(np.log(total).mean() - np.log(len(X) - 1) - X.shape[1] * np.log(h))


def validating_and_recursive(X, h):
    X = [list(map(float, row)) for row in X]
    if not h > 0 or len(X) < 2:
        raise ValueError("h must be positive, and two points are the least")

    def of_others(n, m=0):
        if m == len(X):
            return 0.0
        here = 0.0 if m == n else math.exp(-(math.dist(X[n], X[m]) ** 2) / (2 * h * h))
        return here + of_others(n, m + 1)

    p = [of_others(n) / (len(X) - 1) / h ** len(X[0]) for n in range(len(X))]
    return math.fsum(map(math.log, p)) / len(p)


RIGHT = [by_deleting, with_log_sum_exp, single_precision, validating_and_recursive]


def _loops(X, h, kernel, skip=True, count=None, volume=None):
    N, q = X.shape
    logs = []
    for n in range(N):
        s = 0
        for m in range(N):
            if skip and m == n:
                continue
            s += kernel(np.linalg.norm(X[n] - X[m]))
        logs.append(math.log(s / ((N - 1 if count is None else count) * (volume or h**q))))
    return sum(logs) / N


def squared_twice_forgotten(X, h):
    return _loops(X, h, lambda r: np.exp(-(r**2) / (2 * h)))


def one_for_each_point(X, h):
    p = []
    for n in range(len(X)):
        rest = np.concatenate([X[:n], X[n + 1 :]])
        t = np.sum((rest - X[n]) ** 2, axis=1) / h**2
        p.append(np.mean(np.exp(-t / 2)) / h ** X.shape[1])
    return np.log(p)


def diagonal_times_zero_in_log(X, h):
    K = np.exp(-0.5 * np.sum((X[:, None] - X) ** 2, -1) / h**2) * (1 - np.eye(len(X)))
    with np.errstate(divide="ignore"):
        return np.log(K).sum(axis=1).mean() - X.shape[1] * np.log(h)


def itself_and_no_volume(X, h):  # two mistakes
    return _loops(X, h, lambda r: np.exp(-(r**2) / (2 * h**2)), skip=False, volume=1.0, count=1)


# written with fresh eyes, from the exercise's text alone


def _kernels(X, h):
    return np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / (2 * h**2)) - np.eye(len(X))


def safe_logarithm(X, h):
    N, q = X.shape
    return np.mean(np.log(_kernels(X, h).sum(axis=1) / ((N - 1) * h**q) + 1e-12))


WRONG = [
    ("h_not_squared", squared_twice_forgotten),
    ("shape", one_for_each_point),
    ("not_finite", diagonal_times_zero_in_log),
    ("itself_counted", itself_and_no_volume),
    # written with fresh eyes, from the exercise's text alone
    ("too_likely", safe_logarithm),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    itself_counted itself_counted_over_n divided_by_n volume_of_one_axis half_missing
    sum_over_points log_of_mean left_out_by_place volume_multiplied volume_multiplied
    axes_for_columns one_added distance_over_square
""".split()
