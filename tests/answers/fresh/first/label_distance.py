"""Fresh answers to `label_distance`."""
import math

import numpy as np
from scipy.spatial.distance import pdist, squareform


def factored(Y, labels, alpha, times):
    t = np.sum((Y[:, None] - Y) ** 2, axis=2)
    N = len(Y)
    s = t / (times * t.sum() / (N * (N - 1)))
    same = np.sqrt(-np.expm1(-s))
    different = np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s))
    return np.where(labels[:, None] == labels, same, different)


def through_logarithms(Y, labels, alpha, times):
    t = pdist(Y, "sqeuclidean")
    s = t / np.mean(t) / times
    i, j = np.triu_indices(len(Y), 1)
    agree = labels[i] == labels[j]
    q = np.empty(len(s))
    q[agree] = np.sqrt(1 - np.exp(-s[agree]))
    far = s[~agree]
    q[~agree] = np.exp(0.5 * (far + np.log1p(-alpha * np.exp(-far))))
    return squareform(q)


def two_loops(Y, labels, alpha, times):
    N = len(Y)
    squares = {(i, j): float(np.sum((Y[i] - Y[j]) ** 2)) for i in range(N) for j in range(i)}
    beta = times * sum(squares.values()) / len(squares)
    Q = np.zeros((N, N))
    for (i, j), t in squares.items():
        s = t / beta
        if labels[i] == labels[j]:
            Q[i, j] = math.sqrt(1 - math.exp(-s))
        elif s < 50:
            Q[i, j] = math.sqrt(math.exp(s) - alpha)
        else:
            Q[i, j] = math.exp(s / 2)
        Q[j, i] = Q[i, j]
    return Q


def mean_with_zeros(Y, labels, alpha, times):
    t = np.sum((Y[:, None] - Y) ** 2, axis=2)
    s = t / (times * t.mean())
    different = np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s))
    return np.where(labels[:, None] == labels, np.sqrt(1 - np.exp(-s)), different)


def capped(Y, labels, alpha, times):
    t = np.sum((Y[:, None] - Y) ** 2, axis=2)
    beta = times * t[~np.eye(len(Y), dtype=bool)].mean()
    s = np.minimum(t / beta, 700)
    different = np.sqrt(np.exp(s) - alpha)
    return np.where(labels[:, None] == labels, np.sqrt(1 - np.exp(-s)), different)


def by_one_hot(Y, labels, alpha, times):
    t = squareform(pdist(Y, "sqeuclidean"))
    s = t / (times * pdist(Y, "sqeuclidean").mean())
    one_hot = np.eye(labels.max() + 1)[labels]
    same = one_hot @ one_hot.T > 0
    different = np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s))
    return np.where(same, np.sqrt(1 - np.exp(-s)), different)


def alpha_not_divided(Y, labels, alpha, times):
    t = np.sum((Y[:, None] - Y) ** 2, axis=2)
    s = t / (times * t.sum() / (len(Y) ** 2 - len(Y)))
    different = np.exp(s / 2) * np.sqrt(1 - alpha)
    return np.where(labels[:, None] == labels, np.sqrt(1 - np.exp(-s)), different)


def of_plain_distances(Y, labels, alpha, times):
    e = pdist(Y)
    s = squareform(e) / (times * np.mean(e))
    different = np.sqrt(np.exp(s)) - alpha
    return np.where(labels[:, None] == labels, np.sqrt(1 - np.exp(-s)), different)


def swapped_unit(Y, labels, alpha, times):
    t = np.sum((Y[:, None] - Y) ** 2, axis=2)
    s = t / times
    near = np.sqrt(1 - np.exp(-s))
    far = np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s))
    return np.where(labels[:, None] == labels, far, near)


RIGHT = [factored, through_logarithms, two_loops]
WRONG = [
    (mean_with_zeros, ["takes the mean over all N^2 entries, with the zeros of the diagonal"]),
    (capped, ["caps the exponent at 700, so that all larger distances become equal, instead of rewriting the root"]),
    (by_one_hot, ["uses the labels as indices, although they may be any whole numbers"]),
    (alpha_not_divided, ["took exp(s) out of the root without dividing alpha by it"]),
    (of_plain_distances, ["uses distances and their mean instead of squared distances", "subtracts alpha outside of the root"]),
    (swapped_unit, ["takes times itself for beta, without the mean of the squared distances", "swapped the two cases"]),
]
