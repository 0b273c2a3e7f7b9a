"""Fresh answers to `find_the_leak`."""
import numpy as np
from scipy.spatial.distance import pdist


def vote(Y, labels, new, gamma):
    """The class of each new point (M,), by a vote of the points Y."""
    K = np.exp(-gamma * np.sum((new[:, None] - Y) ** 2, axis=2))
    classes = np.unique(labels)
    return classes[(K @ (labels[:, None] == classes)).argmax(axis=1)]


def left_out_share(Y, labels, gamma):
    """The share of points whose class the votes of all other points find."""
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    np.fill_diagonal(K, 0)
    classes = np.unique(labels)
    return np.mean(classes[(K @ (labels[:, None] == classes)).argmax(axis=1)] == labels)


def right_standard(Y, labels, train, test, multiples):
    mean, std = Y[train].mean(axis=0), np.std(Y[train], axis=0)
    A, B = (Y[train] - mean) / std, (Y[test] - mean) / std
    gammas = np.asarray(multiples) / pdist(A, "sqeuclidean").mean()
    shares = [left_out_share(A, labels[train], g) for g in gammas]
    gamma = gammas[int(np.argmax(shares))]
    return np.mean(vote(A, labels[train], B, gamma) == labels[test]), gamma


def right_best_so_far(Y, labels, train, test, multiples):
    known, answers = Y[train], labels[train]
    centre = known.mean(axis=0)
    width = np.std(known, axis=0)
    known = (known - centre) / width
    T = len(known)
    unit = 0.0
    for a in known:
        for b in known:
            unit += np.sum((a - b) ** 2) / (T * (T - 1))
    best, gamma = -1, None
    for m in multiples:
        share = left_out_share(known, answers, m / unit)
        if share > best:
            best, gamma = share, m / unit
    found = vote(known, answers, (Y[test] - centre) / width, gamma)
    return sum(found == labels[test]) / len(test), gamma


def right_unit_by_algebra(Y, labels, train, test, multiples):
    scaled = (Y - Y[train].mean(axis=0)) / Y[train].std(axis=0)
    inner, outer = scaled[train], scaled[test]
    T = len(train)
    unit = 2 * T / (T - 1) * inner.var(axis=0).sum()
    gamma = max((m / unit for m in multiples), key=lambda g: left_out_share(inner, labels[train], g))
    return float((vote(inner, labels[train], outer, gamma) == labels[test]).mean()), gamma


def test_by_its_own_mean(Y, labels, train, test, multiples):
    scale = lambda A: (A - A.mean(axis=0)) / np.std(A, axis=0)
    A, B = scale(Y[train]), scale(Y[test])
    gammas = multiples / pdist(A, "sqeuclidean").mean()
    shares = [left_out_share(A, labels[train], g) for g in gammas]
    gamma = gammas[np.argmax(shares)]
    share = np.mean(vote(A, labels[train], B, gamma) == labels[test])
    return share, gamma


def sd_of_r_before_the_unit(Y, labels, train, test, multiples):
    mean, sd = Y[train].mean(axis=0), Y[train].std(axis=0, ddof=1)
    A, B = (Y[train] - mean) / sd, (Y[test] - mean) / sd
    unit = np.mean(pdist(A, "sqeuclidean"))
    best = np.argmax([left_out_share(A, labels[train], m / unit) for m in multiples])
    gamma = multiples[best] / unit
    return np.mean(vote(A, labels[train], B, gamma) == labels[test]), gamma


def voters_judge_themselves(Y, labels, train, test, multiples):
    m, s = np.mean(Y[train], axis=0), np.std(Y[train], axis=0)
    A = (Y[train] - m) / s
    B = (Y[test] - m) / s
    unit = pdist(A, "sqeuclidean").mean()
    best_share = -1
    for multiple in multiples:
        g = multiple / unit
        share = np.mean(vote(A, labels[train], A, g) == labels[train])
        if share > best_share:
            best_share, gamma = share, g
    return np.mean(vote(A, labels[train], B, gamma) == labels[test]), gamma


def everyone_else_is_test(Y, labels, train, test, multiples):
    rest = np.setdiff1d(np.arange(len(Y)), train)
    mean, std = Y[train].mean(axis=0), Y[train].std(axis=0)
    A, B = (Y[train] - mean) / std, (Y[rest] - mean) / std
    gammas = np.array(multiples) / pdist(A, "sqeuclidean").mean()
    gamma = gammas[np.argmax([left_out_share(A, labels[train], g) for g in gammas])]
    return np.mean(vote(A, labels[train], B, gamma) == labels[rest]), gamma


def unit_of_raw_data_last_of_ties(Y, labels, train, test, multiples):
    unit = pdist(Y[train], "sqeuclidean").mean()
    mean, std = Y[train].mean(axis=0), Y[train].std(axis=0)
    A, B = (Y[train] - mean) / std, (Y[test] - mean) / std
    best = -1
    for m in multiples:
        s = left_out_share(A, labels[train], m / unit)
        if s >= best:
            best, gamma = s, m / unit
    return (vote(A, labels[train], B, gamma) == labels[test]).mean(), gamma


def all_rows_choose_and_multiple_returned(Y, labels, train, test, multiples):
    mean, std = Y[train].mean(axis=0), Y[train].std(axis=0)
    scaled = (Y - mean) / std
    unit = pdist(scaled[train], "sqeuclidean").mean()
    shares = [left_out_share(scaled, labels, m / unit) for m in multiples]
    best = multiples[np.argmax(shares)]
    found = vote(scaled[train], labels[train], scaled[test], best / unit)
    return np.mean(found == labels[test]), best


RIGHT = [right_standard, right_best_so_far, right_unit_by_algebra]
WRONG = [
    (test_by_its_own_mean, ["standardises the test points by their own mean and standard deviation instead of the training part's"]),
    (sd_of_r_before_the_unit, ["divides by the standard deviation with N - 1, as sd() in R, instead of np.std"]),
    (voters_judge_themselves, ["chooses gamma by votes in which each training point also votes for itself, instead of the left-out share"]),
    (everyone_else_is_test, ["tests on all rows that are not in train instead of the rows of test"]),
    (unit_of_raw_data_last_of_ties, ["computes the unit before standardising", "takes the last of several equally good multiples"]),
    (all_rows_choose_and_multiple_returned, ["chooses gamma by the left-out share of all rows, test points included", "returns the multiple instead of gamma"]),
]
