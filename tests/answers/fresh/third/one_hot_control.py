"""Fresh answers to `one_hot_control`."""
import numpy as np
from scipy.spatial.distance import cdist


def eye_of_the_inverse(Y, labels, new, gamma, penalty):
    names, where = np.unique(labels, return_inverse=True)
    Z = np.eye(len(names))[where]
    shares = Z.mean(axis=0)
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    W = np.linalg.solve(K + penalty * np.eye(len(Y)), Z - shares)
    scores = shares + np.exp(-gamma * cdist(new, Y, "sqeuclidean")) @ W
    return scores, names[scores.argmax(axis=1)]


def class_by_class(Y, labels, new, gamma, penalty):
    def kernel(A, B):
        return np.exp(-gamma * ((A[:, None, :] - B[None, :, :]) ** 2).sum(axis=2))

    names = sorted(set(np.asarray(labels).tolist()))
    A = kernel(Y, Y) + penalty * np.eye(len(Y))
    k = kernel(new, Y)
    scores = np.zeros((len(new), len(names)))
    for c, name in enumerate(names):
        z = np.array([1.0 if label == name else 0.0 for label in labels])
        scores[:, c] = z.mean() + k @ np.linalg.solve(A, z - z.mean())
    classes = np.array([names[int(np.argmax(row))] for row in scores])
    return scores, classes


def by_eigenvectors(Y, labels, new, gamma, penalty):
    names = np.unique(labels)
    Z = (np.asarray(labels)[:, None] == names[None, :]).astype(float)
    mean = Z.sum(axis=0) / len(Z)
    lam, U = np.linalg.eigh(np.exp(-gamma * cdist(Y, Y) ** 2))
    W = (U / (lam + penalty)) @ U.T @ (Z - mean)
    scores = np.array([mean + np.exp(-gamma * np.sum((Y - y) ** 2, axis=1)) @ W for y in new])
    return scores, np.take(names, np.argmax(scores, axis=1))


def column_numbers(Y, labels, new, gamma, penalty):
    names = np.unique(labels)
    Z = (labels[:, None] == names).astype(float)
    z = Z.mean(axis=0)
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    k = np.exp(-gamma * cdist(new, Y, "sqeuclidean"))
    scores = z + k @ np.linalg.solve(K + penalty * np.eye(len(Y)), Z - z)
    return scores, np.argmax(scores, axis=1)


def order_of_appearance(Y, labels, new, gamma, penalty):
    names = list(dict.fromkeys(labels.tolist()))
    Z = np.zeros((len(Y), len(names)))
    for n, label in enumerate(labels.tolist()):
        Z[n, names.index(label)] = 1
    z = Z.mean(axis=0)
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    W = np.linalg.solve(K + penalty * np.eye(len(Y)), Z - z)
    scores = z + np.exp(-gamma * cdist(new, Y, "sqeuclidean")) @ W
    return scores, np.array(names)[scores.argmax(axis=1)]


def label_is_the_column(Y, labels, new, gamma, penalty):
    N, classes = len(Y), np.unique(labels)
    Z = np.zeros((N, len(classes)))
    Z[np.arange(N), labels] = 1
    zbar = Z.mean(axis=0)
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    W = np.linalg.solve(K + penalty * np.eye(N), Z - zbar)
    scores = zbar + np.exp(-gamma * cdist(new, Y, "sqeuclidean")) @ W
    return scores, classes[np.argmax(scores, axis=1)]


def shares_added_but_not_removed(Y, labels, new, gamma, penalty):
    names, inverse = np.unique(labels, return_inverse=True)
    Z = np.eye(len(names))[inverse]
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    W = np.linalg.inv(K + penalty * np.eye(len(Y))) @ Z
    scores = Z.mean(axis=0) + np.exp(-gamma * cdist(new, Y, "sqeuclidean")) @ W
    return scores, names[scores.argmax(axis=1)]


def unsquared_with_n_penalties(Y, labels, new, gamma, penalty):
    names, inverse = np.unique(labels, return_inverse=True)
    Z = np.eye(len(names))[inverse]
    z = Z.mean(axis=0)
    N = len(Y)
    K = np.exp(-gamma * cdist(Y, Y))
    W = np.linalg.solve(K + N * penalty * np.eye(N), Z - z)
    scores = z + np.exp(-gamma * cdist(new, Y)) @ W
    return scores, names[scores.argmax(axis=1)]


def no_means_but_chances(Y, labels, new, gamma, penalty):
    names = np.unique(labels)
    Z = 1.0 * (labels[:, None] == names[None])
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    W = np.linalg.solve(K + penalty * np.eye(len(K)), Z)
    scores = np.exp(-gamma * cdist(new, Y, "sqeuclidean")) @ W
    scores = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return scores, names[scores.argmax(axis=1)]


RIGHT = [eye_of_the_inverse, class_by_class, by_eigenvectors]
WRONG = [
    (column_numbers, ["returns the number of the column instead of the label"]),
    (order_of_appearance, ["orders the columns by first appearance instead of sorted labels"]),
    (label_is_the_column, ["uses the labels themselves as column numbers, as if they were 0 ... C-1"]),
    (shares_added_but_not_removed, ["does not subtract the shares from Z before solving, but adds them to the scores"]),
    (unsquared_with_n_penalties, ["did not square the distance in the kernel", "multiplies the penalty by the number of points"]),
    (no_means_but_chances, ["leaves out the shares altogether", "turns the scores into chances by a softmax"]),
]
