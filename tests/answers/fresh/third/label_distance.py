"""Fresh answers to `label_distance`."""
import math

import numpy as np
from scipy.spatial.distance import pdist, squareform


def label_arrays(Y, labels, alpha, times):
    N = len(Y)
    e2 = np.sum((Y[:, None] - Y) ** 2, axis=2)
    s = e2 / (times * e2.sum() / (N * (N - 1)))
    within = np.sqrt(1 - np.exp(-s))
    between = np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s))
    return np.where(labels[:, None] == labels, within, between)


def label_loops(Y, labels, alpha, times):
    N = len(Y)
    e2 = [[float(np.sum((a - b) ** 2)) for b in Y] for a in Y]
    beta = times * np.mean([e2[i][j] for i in range(N) for j in range(N) if i != j])
    Q = np.zeros((N, N))
    for i in range(N):
        for j in range(N):
            s = e2[i][j] / beta
            if labels[i] == labels[j]:
                Q[i, j] = math.sqrt(-math.expm1(-s))
            else:
                Q[i, j] = math.exp(s / 2) * math.sqrt(1 - alpha * math.exp(-s))
    return Q


def label_condensed(Y, labels, alpha, times):
    e2 = pdist(Y, "sqeuclidean")
    s = e2 / (times * e2.mean())
    i, j = np.triu_indices(len(Y), 1)
    same = np.asarray(labels)[i] == np.asarray(labels)[j]
    q = np.empty(len(s))
    q[same] = np.sqrt(-np.expm1(-s[same]))
    q[~same] = np.exp(0.5 * (s[~same] + np.log1p(-alpha * np.exp(-s[~same]))))
    return squareform(q)


def label_math_exp(Y, labels, alpha, times):
    N = len(Y)
    e2 = np.sum((Y[:, None] - Y) ** 2, axis=2)
    beta = times * e2.sum() / (N * (N - 1))
    Q = np.zeros((N, N))
    for i in range(N):
        for j in range(N):
            if labels[i] == labels[j]:
                Q[i, j] = math.sqrt(1 - math.exp(-e2[i, j] / beta))
            else:
                Q[i, j] = math.sqrt(math.exp(e2[i, j] / beta) - alpha)
    return Q


def label_mean_with_diagonal(Y, labels, alpha, times):
    e2 = np.sum((Y[:, None] - Y) ** 2, axis=2)
    s = e2 / (times * e2.mean())
    within = np.sqrt(1 - np.exp(-s))
    between = np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s))
    return np.where(labels[:, None] == labels, within, between)


def label_transposed(Y, labels, alpha, times):
    N = len(Y)
    e2 = np.sum((Y[:, None] - Y) ** 2, axis=2)
    s = e2 / (times * e2.sum() / (N * N - N))
    same = labels == labels.T
    return np.where(same, np.sqrt(1 - np.exp(-s)), np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s)))


def label_root_by_terms(Y, labels, alpha, times):
    N = len(Y)
    e2 = np.sum((Y[:, None] - Y) ** 2, axis=2)
    beta = times * e2[~np.eye(N, dtype=bool)].mean()
    s = e2 / beta
    Q = np.where(labels[:, None] == labels[None, :], np.sqrt(1 - np.exp(-s)), np.exp(s / 2) - np.sqrt(alpha))
    return Q


def label_capped_mean_distance(Y, labels, alpha, times):
    N = len(Y)
    e = np.linalg.norm(Y[:, None] - Y, axis=2)
    beta = times * (e.sum() / (N * (N - 1))) ** 2
    s = np.minimum(e**2 / beta, 700)
    return np.where(labels[:, None] == labels, np.sqrt(1 - np.exp(-s)), np.sqrt(np.exp(s) - alpha))


def label_no_root(Y, labels, alpha, times):
    e2 = np.sum((Y[:, None] - Y) ** 2, axis=2)
    beta = e2[e2 > 0].mean() / times
    s = e2 / beta
    different = labels[:, None] != labels
    return np.where(different, np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s)), 1 - np.exp(-s))


RIGHT = [label_arrays, label_loops, label_condensed]
WRONG = [
    (label_math_exp, ["computes exp(s) before the root, which overflows for large distances"]),
    (label_mean_with_diagonal, ["takes the mean of all N*N entries, with the zeros of the diagonal, for beta"]),
    (label_transposed, ["compares labels with labels.T, which for a vector is itself, so all pairs count as the same class"]),
    (label_root_by_terms, ["takes the root of each term of the difference, exp(s/2) - sqrt(alpha)"]),
    (label_capped_mean_distance, ["squares the mean distance instead of taking the mean of the squares", "cuts the exponent off at 700 to avoid the overflow"]),
    (label_no_root, ["divides the mean square by times instead of multiplying", "forgot the root for pairs of the same label"]),
]
