"""Right and wrong answers to the exercise `find_the_leak`, as learners write them."""

import numpy as np
from scipy.spatial.distance import cdist, pdist
from sklearn.preprocessing import StandardScaler


def votes(Y, labels, new, gamma):
    names = np.unique(labels)
    K = np.exp(-gamma * cdist(new, Y) ** 2)
    return names[np.argmax(K @ np.equal.outer(labels, names), axis=1)]


def left_out(Y, labels, gamma):
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    K[np.diag_indices(len(Y))] = 0
    names = np.unique(labels)
    return np.mean(names[np.argmax(K @ np.equal.outer(labels, names), axis=1)] == labels)


def with_scaler(Y, labels, train, test, multiples):
    scaler = StandardScaler().fit(Y[train])
    A, B = scaler.transform(Y[train]), scaler.transform(Y[test])
    unit = pdist(A, "sqeuclidean").mean()
    best = max(multiples / unit, key=lambda gamma: left_out(A, labels[train], gamma))
    return np.mean(votes(A, labels[train], B, best) == labels[test]), best


def by_refitting(Y, labels, train, test, multiples):
    """Leaving out by deleting; the unit from the variance."""
    A, a = Y[train], labels[train]
    low, spread = A.mean(0), A.std(0)
    A, B, T = (A - low) / spread, (Y[test] - low) / spread, len(A)
    gammas = np.asarray(multiples) * (T - 1) / (2 * T * np.sum(np.var(A, axis=0)))
    right = np.zeros(len(gammas), dtype=int)
    for k, gamma in enumerate(gammas):
        for n in range(T):
            others = np.arange(T) != n
            right[k] += votes(A[others], a[others], A[n : n + 1], gamma)[0] == a[n]
    gamma = gammas[right.argmax()]
    return [float((votes(A, a, B, gamma) == labels[test]).mean()), float(gamma)]


def by_the_constant(Y, labels, train, test, multiples):
    """The unit of standardised training rows is always the same number."""
    T, d = len(train), Y.shape[1]
    Z = (Y - np.mean(Y[train], 0)) / np.std(Y[train], 0)
    gammas = multiples * (T - 1) / (2 * T * d)
    order = np.argsort([-left_out(Z[train], labels[train], g) for g in gammas], kind="stable")
    gamma = gammas[order[0]]
    return np.mean(votes(Z[train], labels[train], Z[test], gamma) == labels[test]), gamma


def by_variance_of_columns(Y, labels, train, test, multiples):
    scaler = StandardScaler().fit(Y[train])
    A, B, y = scaler.transform(Y[train]), scaler.transform(Y[test]), labels[train]
    T = len(A)
    unit = 2 * T * np.sum(A.var(axis=0)) / (T - 1)
    gamma = max((m / unit for m in multiples), key=lambda g: left_out(A, y, g))
    return (votes(A, y, B, gamma) == labels[test]).sum() / len(test), gamma


RIGHT = [with_scaler, by_refitting, by_the_constant, by_variance_of_columns]


def _written(
    scale=lambda Y, train, test: StandardScaler().fit(Y[train]).transform(Y),
    unit=lambda Z, Y, train, test: pdist(Z[train], "sqeuclidean").mean(),
    judge=lambda Z, y, train, test, g: left_out(Z[train], y[train], g),
    best=lambda shares: int(np.argmax(shares)),
    share=lambda Z, y, train, test, g: np.mean(votes(Z[train], y[train], Z[test], g) == y[test]),
    told=lambda share, gamma, multiple: (share, gamma),
):
    """A right answer with one piece exchanged."""

    def fold(Y, labels, train, test, multiples):
        Z = scale(Y, train, test)
        gammas = multiples / unit(Z, Y, train, test)
        k = best([judge(Z, labels, train, test, gamma) for gamma in gammas])
        return told(share(Z, labels, train, test, gammas[k]), gammas[k], multiples[k])

    return fold


def all_scaled(Y, train, test):
    return StandardScaler().fit_transform(Y)


def unit_of_all(Z, Y, train, test):
    return pdist(Z, "sqeuclidean").mean()


def share_of_test(Z, y, train, test, gamma):
    return np.mean(votes(Z[train], y[train], Z[test], gamma) == y[test])


def only_share(Y, labels, train, test, multiples):
    return with_scaler(Y, labels, train, test, multiples)[0]


def scaled_in_place(Y, labels, train, test, multiples):
    Y -= Y[train].mean(axis=0)
    Y /= Y[train].std(axis=0)
    return with_scaler(Y, labels, train, test, multiples)


def second_best(shares):
    """No known mistake: the second of the best."""
    return int(np.argsort(-np.array(shares), kind="stable")[1])


def apart_and_last(Y, labels, train, test, multiples):
    """Two mistakes: the test part scaled by itself, and the last of equals."""
    A = (Y[train] - Y[train].mean(axis=0)) / Y[train].std(axis=0)
    B = (Y[test] - Y[test].mean(axis=0)) / Y[test].std(axis=0)
    unit = pdist(A, "sqeuclidean").mean()
    best = -1
    for m in multiples:
        share = left_out(A, labels[train], m / unit)
        if share >= best:
            best, gamma = share, m / unit
    return np.mean(votes(A, labels[train], B, gamma) == labels[test]), gamma


WRONG = [
    ("scaled_on_all", _written(scale=all_scaled, unit=unit_of_all)),
    ("scaled_on_all", _written(scale=all_scaled, judge=share_of_test)),
    ("choice_leaks", _written(best=second_best)),
    ("wrong_type", only_share),
    ("changes_input", scaled_in_place),
    # written with fresh eyes, from the exercise's text alone
    ("scaled_apart", apart_and_last),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    scaled_on_all scaled_apart scaled_on_all unit_of_all unit_of_test chosen_on_test chosen_on_all
    all_rows_vote own_votes not_standardised not_standardised unit_of_raw unit_with_diagonal
    unit_halved no_unit last_of_best multiple_told error_told all_judged median_for_mean unit_of_raw
    own_votes
""".split()
