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


def mean_square(Y):
    t = np.sum((Y[:, None] - Y) ** 2, axis=2)
    return t.sum() / (len(Y) * (len(Y) - 1))


def fold_arrays(Y, labels, train, test, multiples):
    mean, std = Y[train].mean(axis=0), Y[train].std(axis=0)
    A, B = (Y[train] - mean) / std, (Y[test] - mean) / std
    gammas = np.asarray(multiples) / mean_square(A)
    shares = [left_out_share(A, labels[train], g) for g in gammas]
    gamma = gammas[int(np.argmax(shares))]
    return np.mean(vote(A, labels[train], B, gamma) == labels[test]), gamma


def fold_loop(Y, labels, train, test, multiples):
    Z = Y.astype(float)
    for column in range(Y.shape[1]):
        known = Y[train, column]
        Z[:, column] = (Y[:, column] - np.mean(known)) / np.std(known)
    unit = pdist(Z[train], "sqeuclidean").mean()
    best, gamma = -1, None
    for multiple in multiples:
        share = left_out_share(Z[train], labels[train], multiple / unit)
        if share > best:
            best, gamma = share, multiple / unit
    found = 0
    for n in test:
        found += vote(Z[train], labels[train], Z[n][None], gamma)[0] == labels[n]
    return found / len(test), gamma


def fold_known_unit(Y, labels, train, test, multiples):
    """After standardising, the mean square of all pairs is 2 d T / (T - 1)."""
    T, d = len(train), Y.shape[1]
    Z = (Y - np.mean(Y[train], axis=0)) / np.std(Y[train], axis=0)
    unit = 2 * d * T / (T - 1)
    gamma = max((m / unit for m in multiples), key=lambda g: left_out_share(Z[train], labels[train], g))
    hits = vote(Z[train], labels[train], Z[test], gamma) == labels[test]
    return float(hits.mean()), float(gamma)


def fold_standardise_all(Y, labels, train, test, multiples):
    Z = (Y - Y.mean(axis=0)) / Y.std(axis=0)
    gammas = multiples / mean_square(Z[train])
    gamma = gammas[np.argmax([left_out_share(Z[train], labels[train], g) for g in gammas])]
    return np.mean(vote(Z[train], labels[train], Z[test], gamma) == labels[test]), gamma


def fold_each_its_own(Y, labels, train, test, multiples):
    A, B = Y[train], Y[test]
    A = (A - A.mean(axis=0)) / A.std(axis=0)
    B = (B - B.mean(axis=0)) / B.std(axis=0)
    gammas = multiples / mean_square(A)
    gamma = gammas[np.argmax([left_out_share(A, labels[train], g) for g in gammas])]
    return np.mean(vote(A, labels[train], B, gamma) == labels[test]), gamma


def fold_train_first(Y, labels, train, test, multiples):
    T = len(train)
    mean, std = Y[train].mean(axis=0), Y[train].std(axis=0)
    Z = (Y - mean) / std
    gammas = multiples / mean_square(Z[train])
    gamma = gammas[np.argmax([left_out_share(Z[train], labels[train], g) for g in gammas])]
    predicted = vote(Z[train], labels[train], Z[T:], gamma)
    return np.mean(predicted == labels[test]), gamma


def fold_best_on_test(Y, labels, train, test, multiples):
    mean, std = Y[train].mean(axis=0), Y[train].std(axis=0)
    A, B = (Y[train] - mean) / std, (Y[test] - mean) / std
    gammas = multiples / mean_square(A)
    shares = [np.mean(vote(A, labels[train], B, g) == labels[test]) for g in gammas]
    best = np.argmax(shares)
    return shares[best], gammas[best]


def fold_see_themselves(Y, labels, train, test, multiples):
    mean, std = Y[train].mean(axis=0), Y[train].std(axis=0)
    A, B = (Y[train] - mean) / std, (Y[test] - mean) / std
    t = np.sum((A[:, None] - A) ** 2, axis=2)
    gammas = multiples / t.mean()
    shares = [np.mean(vote(A, labels[train], A, g) == labels[train]) for g in gammas]
    gamma = gammas[np.argmax(shares)]
    return np.mean(vote(A, labels[train], B, gamma) == labels[test]), gamma


def fold_unit_of_raw(Y, labels, train, test, multiples):
    unit = mean_square(Y[train])
    Z = (Y - Y[train].mean(axis=0)) / Y[train].std(axis=0)
    shares = np.array([left_out_share(Z, labels, m / unit) for m in multiples])
    gamma = multiples[shares.argmax()] / unit
    predicted = vote(Z[train], labels[train], Z[test], gamma)
    return np.mean(predicted == labels[test]), gamma


RIGHT = [fold_arrays, fold_loop, fold_known_unit]
WRONG = [
    (fold_standardise_all, ["standardises with mean and standard deviation of all rows, the test rows included"]),
    (fold_each_its_own, ["standardises the test rows by their own mean and standard deviation instead of those of the training rows"]),
    (fold_train_first, ["takes all rows after the first T for the test rows, as if the training rows came first"]),
    (fold_best_on_test, ["chooses gamma by the share of test points that is found"]),
    (fold_see_themselves, ["chooses gamma by the votes of training points about themselves, nothing left out", "counts the zeros of the diagonal in the mean squared distance"]),
    (fold_unit_of_raw, ["computes the unit before the columns are standardised", "chooses gamma by the left-out share of all points, the test points included"]),
]
