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
    mean, std = Y[train].mean(axis=0), np.std(Y[train], axis=0)
    A, B = (Y[train] - mean) / std, (Y[test] - mean) / std
    D = np.sum((A[:, None] - A) ** 2, axis=2)
    unit = D.sum() / (len(A) * (len(A) - 1))
    gammas = np.asarray(multiples) / unit
    shares = [left_out_share(A, labels[train], g) for g in gammas]
    gamma = gammas[int(np.argmax(shares))]
    share = np.mean(vote(A, labels[train], B, gamma) == labels[test])
    return share, gamma


def with_pdist(Y, labels, train, test, multiples):
    known, truth = labels[train], labels[test]
    spread = Y[train].std(axis=0)
    seen = Y[train] / spread
    hidden = Y[test] / spread - seen.mean(axis=0)
    seen = seen - seen.mean(axis=0)
    unit = pdist(seen, "sqeuclidean").mean()
    best, gamma = -1.0, None
    for m in multiples:
        found = left_out_share(seen, known, m / unit)
        if found > best:
            best, gamma = found, m / unit
    hits = sum(int(a == b) for a, b in zip(vote(seen, known, hidden, gamma), truth))
    return hits / len(truth), gamma


def by_variances(Y, labels, train, test, multiples):
    T = len(train)
    part = Y[train]
    centre = part.sum(axis=0) / T
    size = np.sqrt(((part - centre) ** 2).sum(axis=0) / T)
    Z = (Y - centre) / size
    unit = 2 * np.sum(Z[train] ** 2) / (T - 1)
    candidates = [m / unit for m in multiples]
    gamma = max(candidates, key=lambda g: left_out_share(Z[train], labels[train], g))
    return (vote(Z[train], labels[train], Z[test], gamma) == labels[test]).mean(), gamma


def scaled_by_everybody(Y, labels, train, test, multiples):
    Z = (Y - Y.mean(axis=0)) / Y.std(axis=0)
    A, B = Z[train], Z[test]
    unit = pdist(A, "sqeuclidean").mean()
    shares = [left_out_share(A, labels[train], m / unit) for m in multiples]
    gamma = multiples[np.argmax(shares)] / unit
    return np.mean(vote(A, labels[train], B, gamma) == labels[test]), gamma


def best_on_the_test(Y, labels, train, test, multiples):
    mean, std = Y[train].mean(axis=0), Y[train].std(axis=0)
    A, B = (Y[train] - mean) / std, (Y[test] - mean) / std
    unit = pdist(A, "sqeuclidean").mean()
    gammas = multiples / unit
    shares = [np.mean(vote(A, labels[train], B, g) == labels[test]) for g in gammas]
    best = np.argmax(shares)
    return shares[best], gammas[best]


def all_but_the_test(Y, labels, train, test, multiples):
    rest = np.setdiff1d(np.arange(len(Y)), test)
    mean, std = Y[rest].mean(axis=0), Y[rest].std(axis=0)
    A, B = (Y[rest] - mean) / std, (Y[test] - mean) / std
    unit = pdist(A, "sqeuclidean").mean()
    shares = [left_out_share(A, labels[rest], m / unit) for m in multiples]
    gamma = multiples[np.argmax(shares)] / unit
    return np.mean(vote(A, labels[rest], B, gamma) == labels[test]), gamma


def last_of_the_best(Y, labels, train, test, multiples):
    mean, std = Y[train].mean(axis=0), Y[train].std(axis=0)
    A, B = (Y[train] - mean) / std, (Y[test] - mean) / std
    D = np.sum((A[:, None] - A) ** 2, axis=2)
    unit = D.sum() / (len(D) ** 2 - len(D))
    top = 0
    for m in multiples:
        share = left_out_share(A, labels[train], m / unit)
        if share >= top:
            top, gamma = share, m / unit
    return np.mean(vote(A, labels[train], B, gamma) == labels[test]), gamma


def each_part_for_itself(Y, labels, train, test, multiples):
    def standard(part):
        spread = part.std(axis=0)
        return (part - part.mean(axis=0)) / np.where(spread > 0, spread, 1)

    A, B = standard(Y[train]), standard(Y[test])
    unit = pdist(np.vstack([A, B]), "sqeuclidean").mean()
    shares = [left_out_share(A, labels[train], m / unit) for m in multiples]
    gamma = multiples[np.argmax(shares)] / unit
    return np.mean(vote(A, labels[train], B, gamma) == labels[test]), gamma


def own_votes(Y, labels, train, test, multiples):
    mean, std = Y[train].mean(axis=0), Y[train].std(axis=0)
    A, B = (Y[train] - mean) / std, (Y[test] - mean) / std
    unit = pdist(A, "sqeuclidean").mean()
    known = labels[train]
    shares = [np.mean(vote(A, known, A, m / unit) == known) for m in multiples]
    best = multiples[np.argmax(shares)]
    return np.mean(vote(A, known, B, best / unit) == labels[test]), best


RIGHT = [four_steps, with_pdist, by_variances]
WRONG = [
    (scaled_by_everybody, ["standardises with means and deviations of all rows, test points included"]),
    (best_on_the_test, ["chooses γ by the share of test points that is found instead of the left-out share of the training points"]),
    (all_but_the_test, ["takes all rows outside the test part as training rows, also those that belong to neither part"]),
    (last_of_the_best, ["takes the last instead of the first of several equally good γ"]),
    (each_part_for_itself, ["standardises the test points with their own means and deviations", "computes the unit from training and test points together"]),
    (own_votes, ["chooses γ by the votes of the training points with each point's own vote included", "returns the multiple instead of γ"]),
]
