"""Right and wrong answers to the exercise `label_distance`, as learners write them."""

import math

import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform


def by_pdist(Y, labels, alpha, times):
    e2 = pdist(Y, "sqeuclidean")
    s = squareform(e2 / (times * e2.mean()))
    Q = np.sqrt(-np.expm1(-s))
    apart = np.not_equal.outer(labels, labels)
    Q[apart] = np.exp(s[apart] / 2 + np.log1p(-alpha * np.exp(-s[apart])) / 2)
    return Q


def by_variance(Y, labels, alpha, times):
    N = len(Y)
    beta = times * 2 * N / (N - 1) * Y.var(axis=0).sum()
    s = cdist(Y, Y) ** 2 / beta
    Q = np.zeros((N, N))
    for i in range(N):
        for j in range(i):
            if labels[i] == labels[j]:
                Q[i, j] = Q[j, i] = np.sqrt(1 - np.exp(-s[i, j]))
            else:
                Q[i, j] = Q[j, i] = np.sqrt(1 - alpha * np.exp(-s[i, j])) * np.exp(s[i, j] / 2)
    return Q


def in_long_double(Y, labels, alpha, times):
    """The printed formula, in numbers with a longer exponent."""
    wide = np.asarray(Y, dtype=np.longdouble)
    e2 = np.sum((wide[:, None] - wide) ** 2, axis=2)
    s = e2 / (times * e2.sum() / (len(Y) * (len(Y) - 1)))
    same = np.asarray(labels)[:, None] == labels
    return np.where(same, np.sqrt(1 - np.exp(-s)), np.sqrt(np.exp(s) - alpha)).astype(float)


def by_logarithm(Y, labels, alpha, times):
    d = pdist(Y, "sqeuclidean")
    s = d / d.mean() / times
    i, j = np.triu_indices(len(Y), 1)
    q = np.exp(0.5 * (s + np.log1p(-alpha * np.exp(-s))))
    same = np.asarray(labels)[i] == np.asarray(labels)[j]
    q[same] = np.sqrt(-np.expm1(-s[same]))
    return squareform(q)


def literal_where_it_can_be(Y, labels, alpha, times):
    e2 = np.einsum("ijk,ijk->ij", Y[:, None] - Y, Y[:, None] - Y)
    i, j = np.triu_indices(len(Y), 1)
    s = e2 / (times * np.mean(e2[i, j]))
    short = np.minimum(s, 500)
    other = np.where(s < 500, np.sqrt(np.exp(short) - alpha), np.exp(s / 2))
    return np.where(np.equal.outer(labels, labels), np.sqrt(1 - np.exp(-s)), other)


RIGHT = [literal_where_it_can_be, by_pdist, by_variance, in_long_double, by_logarithm]


def _written(
    unit=lambda e2: np.sum(e2) / (len(e2) * (len(e2) - 1)),
    beta=lambda times, unit: times * unit,
    exponent=lambda e2, beta: e2 / beta,
    first=lambda s, a: np.sqrt(1 - np.exp(-s)),
    second=lambda s, a: np.exp(s / 2) * np.sqrt(1 - a * np.exp(-s)),
    same=lambda labels: np.equal.outer(labels, labels),
):
    """A right answer with one piece exchanged."""

    def distances(Y, labels, alpha, times):
        e2 = cdist(Y, Y, "sqeuclidean")
        s = exponent(e2, beta(times, unit(e2)))
        return np.where(same(labels), first(s, alpha), second(s, alpha))

    return distances


def with_math_exp(Y, labels, alpha, times):
    """Python's own exponential raises where NumPy's is infinite."""
    N, beta = len(Y), times * pdist(Y, "sqeuclidean").mean()
    Q = np.zeros((N, N))
    for i in range(N):
        for j in range(N):
            e2 = np.sum((Y[i] - Y[j]) ** 2)
            if labels[i] == labels[j]:
                Q[i, j] = math.sqrt(1 - math.exp(-e2 / beta))
            else:
                Q[i, j] = math.sqrt(math.exp(e2 / beta) - alpha)
    return Q


def upper_half(Y, labels, alpha, times):
    return np.triu(by_pdist(Y, labels, alpha, times))


def only_below_the_diagonal(Y, labels, alpha, times):
    """The loop visits j < i, and the rest stays Euclidean."""
    E, i, j = cdist(Y, Y), *np.tril_indices(len(Y))
    E[i, j] = by_pdist(Y, labels, alpha, times)[i, j]
    return E


def infinite_diagonal(Y, labels, alpha, times):
    Q = by_pdist(Y, labels, alpha, times)
    np.fill_diagonal(Q, np.inf)
    return Q


def condensed(Y, labels, alpha, times):
    return squareform(by_pdist(Y, labels, alpha, times), checks=False)


def scaled_in_place(Y, labels, alpha, times):
    Q = by_pdist(Y, labels, alpha, times)
    Y /= math.sqrt(times)
    return Q


def diagonal_and_clip(Y, labels, alpha, times):
    """Two mistakes: the diagonal in the mean, and a clipped exponent."""
    sq = ((Y[:, None] - Y[None]) ** 2).sum(-1)
    s = sq / (times * sq.mean())
    s = np.minimum(s, 700)
    same = labels[:, None] == labels[None]
    return np.where(same, np.sqrt(1 - np.exp(-s)), np.sqrt(np.exp(s) - alpha))


WRONG = [
    ("raises", with_math_exp),
    (
        "mean_distance",
        _written(
            unit=lambda e2: squareform(np.sqrt(e2), checks=False).mean(),
            second=lambda s, a: np.sqrt(np.exp(s) - a),
        ),
    ),
    (
        "diagonal_counted",
        _written(unit=np.mean, second=lambda s, a: np.sqrt(np.exp(s) - a)),
    ),
    ("left_empty", upper_half),
    ("symmetric", only_below_the_diagonal),
    ("not_finite", infinite_diagonal),
    ("shape", condensed),
    ("changes_input", scaled_in_place),
    # written with fresh eyes, from the exercise's text alone
    ("diagonal_counted", diagonal_and_clip),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    overflow overflow clipped replaced alpha_outside alpha_outside_literal alpha_not_damped
    alpha_in_both cases_exchanged first_root_forgotten not_squared mean_distance
    mean_distance_squared diagonal_counted total_variance times_upside_down median labels_as_numbers
    alpha_half_damped
""".split()
