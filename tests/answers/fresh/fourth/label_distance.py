"""Fresh answers to `label_distance`."""
import math

import numpy as np
from scipy.spatial.distance import pdist, squareform


def vectorised(Y, labels, alpha, times):
    labels = np.asarray(labels)
    e2 = np.sum((Y[:, None] - Y[None]) ** 2, axis=2)
    N = len(Y)
    s = e2 / (times * e2.sum() / (N * (N - 1)))
    near = np.sqrt(-np.expm1(-s))
    far = np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s))
    return np.where(labels[:, None] == labels, near, far)


def pairs_in_a_row(Y, labels, alpha, times):
    e2 = pdist(Y, "sqeuclidean")
    s = squareform(e2 / (times * e2.mean()))
    Q = np.sqrt(1 - np.exp(-s))
    for i in range(len(Y)):
        other = np.asarray(labels) != labels[i]
        Q[i, other] = np.exp((s[i, other] + np.log1p(-alpha * np.exp(-s[i, other]))) / 2)
    return Q


def double_loop(Y, labels, alpha, times):
    N = len(Y)
    e2 = {(i, j): sum((a - b) ** 2 for a, b in zip(Y[i], Y[j])) for i in range(N) for j in range(i)}
    beta = times * sum(e2.values()) / len(e2)
    Q = np.zeros((N, N))
    for (i, j), square in e2.items():
        s = square / beta
        if labels[i] == labels[j]:
            Q[i, j] = math.sqrt(1 - math.exp(-s))
        else:
            Q[i, j] = math.exp(s / 2) * math.sqrt(1 - alpha * math.exp(-s))
        Q[j, i] = Q[i, j]
    return Q


def mean_with_diagonal(Y, labels, alpha, times):
    e2 = ((Y[:, None] - Y) ** 2).sum(axis=2)
    s = e2 / (times * e2.mean())
    same = labels[:, None] == labels
    return np.where(same, np.sqrt(1 - np.exp(-s)), np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s)))


def straight_from_formula(Y, labels, alpha, times):
    N = len(Y)
    e2 = squareform(pdist(Y, "sqeuclidean"))
    beta = times * e2.sum() / (N * (N - 1))
    Q = np.zeros((N, N))
    for i in range(N):
        for j in range(N):
            if labels[i] == labels[j]:
                Q[i, j] = math.sqrt(1 - math.exp(-e2[i, j] / beta))
            else:
                Q[i, j] = math.sqrt(math.exp(e2[i, j] / beta) - alpha)
    return Q


def square_of_mean(Y, labels, alpha, times):
    e = pdist(Y)
    s = squareform(e**2 / (times * e.mean() ** 2))
    far = np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s))
    return np.where(labels[:, None] == labels[None, :], np.sqrt(1 - np.exp(-s)), far)


def root_of_each_part(Y, labels, alpha, times):
    e2 = pdist(Y, "sqeuclidean")
    s = squareform(e2) / (times * np.mean(e2))
    same = np.equal.outer(labels, labels)
    Q = np.exp(s / 2) - np.sqrt(alpha)
    Q[same] = np.sqrt(1 - np.exp(-s[same]))
    return Q


def beta_is_times(Y, labels, alpha, times):
    e2 = np.sum((Y[:, None] - Y) ** 2, axis=2)
    s = e2 / times
    near = 1 - np.exp(-s)
    far = np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s))
    return np.where(labels[:, None] == labels, near, far)


def swapped_cases(Y, labels, alpha, times):
    e = squareform(pdist(Y))
    N = len(Y)
    beta = times * np.sum(e**2) / (N * (N - 1))
    s = e / beta
    same = labels[:, None] == labels
    return np.where(same, np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s)), np.sqrt(1 - np.exp(-s)))


RIGHT = [vectorised, pairs_in_a_row, double_loop]
WRONG = [
    (mean_with_diagonal, ["takes the mean of the squared distances with the zeros on the diagonal"]),
    (straight_from_formula, ["computes exp(e²/β) itself, which overflows for far points of different labels"]),
    (square_of_mean, ["takes the square of the mean distance instead of the mean of the squared distances for β"]),
    (root_of_each_part, ["takes the root of each part of the difference: exp(s/2) - sqrt(alpha)"]),
    (beta_is_times, ["takes times itself as β, without the mean squared distance", "forgot the root in the case of the same label"]),
    (swapped_cases, ["swaps the cases of same and different labels", "uses the distance instead of its square in the exponents"]),
]
