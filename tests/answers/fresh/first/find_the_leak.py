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


def four_steps(Y, labels, train, test, multiples):
    mean, deviation = Y[train].mean(axis=0), Y[train].std(axis=0)
    A, B = (Y[train] - mean) / deviation, (Y[test] - mean) / deviation
    unit = pdist(A, "sqeuclidean").mean()
    gammas = np.asarray(multiples) / unit
    gamma = gammas[np.argmax([left_out_share(A, labels[train], g) for g in gammas])]
    return np.mean(vote(A, labels[train], B, gamma) == labels[test]), gamma


def with_variances(Y, labels, train, test, multiples):
    T = len(train)
    Z = (Y - np.mean(Y[train], axis=0)) / np.std(Y[train], axis=0)
    unit = 2 * T / (T - 1) * Z[train].var(axis=0).sum()
    best_share, best_gamma = -1.0, None
    for multiple in multiples:
        share = left_out_share(Z[train], labels[train], multiple / unit)
        if share > best_share:
            best_share, best_gamma = share, multiple / unit
    found = vote(Z[train], labels[train], Z[test], best_gamma)
    return (found == labels[test]).sum() / len(test), best_gamma


def with_pairs(Y, labels, train, test, multiples):
    known, theirs = Y[train], labels[train]
    centre, scale = known.mean(axis=0), np.sqrt(((known - known.mean(axis=0)) ** 2).mean(axis=0))
    known, unknown = (known - centre) / scale, (Y[test] - centre) / scale
    i, j = np.triu_indices(len(train), 1)
    unit = np.mean(np.sum((known[i] - known[j]) ** 2, axis=1))
    gamma = max((m / unit for m in multiples), key=lambda g: left_out_share(known, theirs, g))
    hits = [vote(known, theirs, row[None], gamma)[0] == true for row, true in zip(unknown, labels[test])]
    return sum(hits) / len(hits), gamma


def everything_standardised(Y, labels, train, test, multiples):
    Z = (Y - Y.mean(axis=0)) / Y.std(axis=0)
    A, B = Z[train], Z[test]
    gammas = np.asarray(multiples) / pdist(A, "sqeuclidean").mean()
    gamma = gammas[np.argmax([left_out_share(A, labels[train], g) for g in gammas])]
    return np.mean(vote(A, labels[train], B, gamma) == labels[test]), gamma


def own_witnesses(Y, labels, train, test, multiples):
    mean, deviation = Y[train].mean(axis=0), Y[train].std(axis=0)
    A, B = (Y[train] - mean) / deviation, (Y[test] - mean) / deviation
    gammas = np.asarray(multiples) / pdist(A, "sqeuclidean").mean()
    shares = [np.mean(vote(A, labels[train], A, g) == labels[train]) for g in gammas]
    gamma = gammas[np.argmax(shares)]
    return np.mean(vote(A, labels[train], B, gamma) == labels[test]), gamma


def all_labels_vote(Y, labels, train, test, multiples):
    mean, deviation = Y[train].mean(axis=0), Y[train].std(axis=0)
    A, B = (Y[train] - mean) / deviation, (Y[test] - mean) / deviation
    gammas = np.asarray(multiples) / pdist(A, "sqeuclidean").mean()
    gamma = gammas[np.argmax([left_out_share(A, labels[train], g) for g in gammas])]
    return np.mean(vote(A, labels, B, gamma) == labels[test]), gamma


def each_part_for_itself(Y, labels, train, test, multiples):
    standardise = lambda A: (A - A.mean(axis=0)) / A.std(axis=0)
    A, B = standardise(Y[train]), standardise(Y[test])
    gammas = np.asarray(multiples) / pdist(A, "sqeuclidean").mean()
    gamma = gammas[np.argmax([left_out_share(A, labels[train], g) for g in gammas])]
    return np.mean(vote(A, labels[train], B, gamma) == labels[test]), gamma


def best_on_the_test(Y, labels, train, test, multiples):
    Z = (Y - Y[train].mean(axis=0)) / Y[train].std(axis=0)
    A, B = Z[train], Z[test]
    unit = np.mean(np.sum((A[:, None] - A) ** 2, axis=2))
    best = (-1, 0)
    for m in multiples:
        share = np.mean(vote(A, labels[train], B, m / unit) == labels[test])
        if share > best[0]:
            best = (share, m / unit)
    return best


def last_of_equals(Y, labels, train, test, multiples):
    Z = (Y - Y[train].mean(axis=0)) / Y[train].std(axis=0)
    unit = pdist(Z[np.concatenate([train, test])], "sqeuclidean").mean()
    best, gamma = 0, 0
    for m in multiples:
        share = left_out_share(Z[train], labels[train], m / unit)
        if share >= best:
            best, gamma = share, m / unit
    return np.mean(vote(Z[train], labels[train], Z[test], gamma) == labels[test]), gamma


RIGHT = [four_steps, with_variances, with_pairs]
WRONG = [
    (everything_standardised, ["standardises with mean and deviation of all rows, test rows included"]),
    (own_witnesses, ["chooses gamma while each training point votes for itself"]),
    (all_labels_vote, ["hands the labels of all rows to the vote, not those of the training part"]),
    (each_part_for_itself, ["standardises the test part with its own mean and deviation"]),
    (best_on_the_test, ["chooses gamma by the share on the test points", "includes the zero distances of the points to themselves in the unit"]),
    (last_of_equals, ["computes the unit from training and test points", "takes the last of several equally good values of gamma"]),
]
