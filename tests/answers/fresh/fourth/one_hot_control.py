"""Fresh answers to `one_hot_control`."""
import numpy as np
from scipy.spatial.distance import cdist


def as_written(Y, labels, new, gamma, penalty):
    def kernel(a, b):
        return np.exp(-gamma * np.sum((a[:, None] - b) ** 2, axis=2))

    names = np.unique(labels)
    Z = (labels[:, None] == names).astype(float)
    shares = Z.mean(axis=0)
    W = np.linalg.solve(kernel(Y, Y) + penalty * np.eye(len(Y)), Z - shares)
    scores = shares + kernel(new, Y) @ W
    return scores, names[scores.argmax(axis=1)]


def smoother_first(Y, labels, new, gamma, penalty):
    names, which = np.unique(labels, return_inverse=True)
    Z = np.eye(len(names))[which.ravel()]
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    k = np.exp(-gamma * cdist(Y, new, "sqeuclidean"))
    K[np.diag_indices(len(Y))] += penalty
    smoother = np.linalg.solve(K, k).T
    zbar = np.bincount(which.ravel()) / len(Y)
    scores = zbar + smoother @ (Z - zbar)
    return scores, np.take(names, np.argmax(scores, axis=1))


def class_by_class(Y, labels, new, gamma, penalty):
    N, M = len(Y), len(new)
    names = sorted(set(np.asarray(labels).tolist()))
    A = np.zeros((N, N))
    for i in range(N):
        for j in range(N):
            A[i, j] = np.exp(-gamma * np.sum((Y[i] - Y[j]) ** 2)) + penalty * (i == j)
    scores = np.zeros((M, len(names)))
    for c, name in enumerate(names):
        z = np.array([1.0 if l == name else 0.0 for l in labels])
        w = np.linalg.solve(A, z - z.mean())
        for m in range(M):
            hills = np.exp(-gamma * np.sum((Y - new[m]) ** 2, axis=1))
            scores[m, c] = z.mean() + hills @ w
    classes = np.array([names[int(np.argmax(row))] for row in scores])
    return scores, classes


def without_means(Y, labels, new, gamma, penalty):
    names = np.unique(labels)
    Z = np.where(labels[:, None] == names, 1.0, 0.0)
    K = np.exp(-gamma * cdist(Y, Y) ** 2)
    W = np.linalg.solve(K + penalty * np.eye(len(Y)), Z)
    scores = np.exp(-gamma * cdist(new, Y) ** 2) @ W
    return scores, names[scores.argmax(axis=1)]


def column_numbers(Y, labels, new, gamma, penalty):
    names = np.unique(labels)
    Z = (labels[:, None] == names) * 1.0
    mean = Z.mean(axis=0)
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    k = np.exp(-gamma * np.sum((new[:, None] - Y) ** 2, axis=2))
    scores = mean + k @ np.linalg.inv(K + penalty * np.eye(len(K))) @ (Z - mean)
    return scores, np.argmax(scores, axis=1)


def labels_as_index(Y, labels, new, gamma, penalty):
    names = np.unique(labels)
    Z = np.zeros((len(Y), len(names)))
    for n, label in enumerate(labels):
        Z[n, label] = 1
    zbar = Z.mean(axis=0)
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    W = np.linalg.solve(K + penalty * np.eye(len(Y)), Z - zbar)
    scores = zbar + np.exp(-gamma * cdist(new, Y, "sqeuclidean")) @ W
    return scores, names[scores.argmax(axis=1)]


def order_of_appearance(Y, labels, new, gamma, penalty):
    names = []
    for label in labels:
        if label not in names:
            names.append(label)
    names = np.array(names)
    Z = (labels[:, None] == names).astype(float)
    zbar = Z.mean(axis=0)
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    W = np.linalg.solve(K + penalty * np.eye(len(Y)), Z - zbar)
    scores = zbar + np.exp(-gamma * cdist(new, Y, "sqeuclidean")) @ W
    return scores, names[scores.argmax(axis=1)]


def interpolated(Y, labels, new, gamma, penalty):
    names = np.unique(labels)
    Z = (labels[:, None] == names).astype(float)
    zbar = Z.mean(axis=0)
    K = np.exp(-gamma * cdist(Y, Y))
    W = np.linalg.lstsq(K, Z - zbar, rcond=None)[0]
    scores = zbar + np.exp(-gamma * cdist(new, Y)) @ W
    return scores, names[scores.argmax(axis=1)]


def equal_shares(Y, labels, new, gamma, penalty):
    names = np.unique(labels)
    Z = (labels[:, None] == names).astype(float)
    zbar = Z.mean(axis=1, keepdims=True)
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    k = np.exp(-gamma * np.sum((new[:, None] - Y) ** 2, axis=2))
    W = np.linalg.solve(K + len(Y) * penalty * np.eye(len(Y)), Z - zbar)
    scores = zbar[0] + k @ W
    return scores, names[scores.argmax(axis=1)]


RIGHT = [as_written, smoother_first, class_by_class]
WRONG = [
    (without_means, ["leaves out the shares z̄ altogether: regresses the labels uncentred and adds no mean to the scores"]),
    (column_numbers, ["returns the number of the column instead of the label of the class"]),
    (labels_as_index, ["uses the labels themselves as numbers of columns, although they may be any whole numbers"]),
    (order_of_appearance, ["puts the columns in the order in which the classes appear instead of the sorted order"]),
    (interpolated, ["uses the distance instead of its square in the kernel", "forgot the penalty in the system"]),
    (equal_shares, ["takes the mean of each row of Z (1/C for every class) instead of the mean of each column", "multiplies the penalty by the number of points"]),
]
