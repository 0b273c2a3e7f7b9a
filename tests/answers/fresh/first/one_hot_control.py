"""Fresh answers to `one_hot_control`."""
import numpy as np
import scipy.linalg
from scipy.spatial.distance import cdist


def unique_and_equal(Y, labels, new, gamma, penalty):
    names = np.unique(labels)
    Z = (labels[:, None] == names[None, :]).astype(float)
    share = Z.mean(axis=0)
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    W = np.linalg.solve(K + penalty * np.eye(len(Y)), Z - share)
    scores = share + np.exp(-gamma * cdist(new, Y, "sqeuclidean")) @ W
    return scores, names[scores.argmax(axis=1)]


def inverse_and_eye(Y, labels, new, gamma, penalty):
    names, number, counts = np.unique(labels, return_inverse=True, return_counts=True)
    Z = np.eye(len(names))[number]
    mean = counts / len(labels)
    k = lambda A, B: np.exp(-gamma * np.sum((A[:, None] - B[None]) ** 2, axis=-1))
    A = k(Y, Y)
    A[np.diag_indices(len(Y))] += penalty
    W = scipy.linalg.solve(A, Z - mean)
    scores = mean + np.einsum("mn,nc->mc", k(new, Y), W)
    return scores, np.take(names, np.argmax(scores, axis=1))


def class_by_class(Y, labels, new, gamma, penalty):
    names = sorted(set(labels.tolist()))
    K = np.array([[np.exp(-gamma * np.sum((a - b) ** 2)) for b in Y] for a in Y])
    system = scipy.linalg.lu_factor(K + penalty * np.identity(len(Y)))
    scores = np.zeros((len(new), len(names)))
    for c, name in enumerate(names):
        z = np.where(labels == name, 1.0, 0.0)
        w = scipy.linalg.lu_solve(system, z - z.mean())
        for m, y in enumerate(new):
            scores[m, c] = z.mean() + w @ np.exp(-gamma * ((Y - y) ** 2).sum(axis=1))
    return scores, np.array([names[int(np.argmax(row))] for row in scores])


def number_of_class(Y, labels, new, gamma, penalty):
    names = np.unique(labels)
    Z = (labels[:, None] == names).astype(float)
    mean = Z.mean(axis=0)
    K = np.exp(-gamma * cdist(Y, Y) ** 2)
    W = np.linalg.solve(K + penalty * np.eye(len(K)), Z - mean)
    scores = np.exp(-gamma * cdist(new, Y) ** 2) @ W + mean
    return scores, np.argmax(scores, axis=1)


def mean_lost(Y, labels, new, gamma, penalty):
    names, idx = np.unique(labels, return_inverse=True)
    Z = np.eye(len(names))[idx]
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    W = np.linalg.inv(K + penalty * np.eye(len(Y))) @ (Z - Z.mean(axis=0))
    scores = np.exp(-gamma * cdist(new, Y, "sqeuclidean")) @ W
    return scores, names[scores.argmax(axis=1)]


def mean_only_at_the_end(Y, labels, new, gamma, penalty):
    names = np.unique(labels)
    Z = np.zeros((len(Y), len(names)))
    for c in range(len(names)):
        Z[labels == names[c], c] = 1
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    W = np.linalg.solve(K + penalty * np.eye(len(Y)), Z)
    scores = Z.mean(axis=0) + np.exp(-gamma * cdist(new, Y, "sqeuclidean")) @ W
    return scores, names[np.argmax(scores, axis=1)]


def eye_of_labels(Y, labels, new, gamma, penalty):
    names = np.unique(labels)
    Z = np.eye(len(names))[labels]
    share = Z.mean(axis=0)
    K = np.exp(-gamma * ((Y[:, None] - Y) ** 2).sum(axis=2))
    W = np.linalg.solve(K + penalty * np.eye(len(Y)), Z - share)
    scores = share + np.exp(-gamma * ((new[:, None] - Y) ** 2).sum(axis=2)) @ W
    return scores, names[scores.argmax(axis=1)]


def heavy_penalty(Y, labels, new, gamma, penalty):
    N = len(Y)
    names = np.unique(labels)
    Z = (labels[:, None] == names).astype(float)
    share = Z.sum(axis=0) / N
    K = np.exp(-gamma * np.linalg.norm(Y[:, None] - Y, axis=2))
    W = np.linalg.solve(K + N * penalty * np.eye(N), Z - share)
    scores = share + np.exp(-gamma * np.linalg.norm(new[:, None] - Y, axis=2)) @ W
    return scores, names[scores.argmax(axis=1)]


def plus_penalty(Y, labels, new, gamma, penalty):
    names = np.array(list(dict.fromkeys(labels.tolist())))
    Z = (labels[:, None] == names).astype(float)
    share = Z.mean(axis=0)
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    W = np.linalg.lstsq(K + penalty, Z - share, rcond=None)[0]
    scores = share + np.exp(-gamma * cdist(new, Y, "sqeuclidean")) @ W
    return scores, names[scores.argmax(axis=1)]


RIGHT = [unique_and_equal, inverse_and_eye, class_by_class]
WRONG = [
    (number_of_class, ["returns the column of the greatest score instead of the label of the class"]),
    (mean_lost, ["does not add the shares of the classes back to the scores"]),
    (mean_only_at_the_end, ["does not subtract the shares from Z before solving, but adds them to the scores"]),
    (eye_of_labels, ["uses the labels as column numbers, as if they were 0, 1, 2, ..."]),
    (heavy_penalty, ["multiplies the penalty by the number of points", "uses the distance instead of its square in the kernel"]),
    (plus_penalty, ["adds the penalty to all entries of K instead of the diagonal", "orders the classes by first appearance instead of sorted"]),
]
