"""Fresh answers to `one_hot_control`."""
import numpy as np
from scipy.spatial.distance import cdist


def straightforward(Y, labels, new, gamma, penalty):
    names = np.unique(labels)
    Z = (labels[:, None] == names).astype(float)
    share = Z.mean(axis=0)
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean"))
    W = np.linalg.solve(K + penalty * np.eye(len(Y)), Z - share)
    scores = share + np.exp(-gamma * cdist(new, Y, "sqeuclidean")) @ W
    return scores, names[scores.argmax(axis=1)]


def inverse_index(Y, labels, new, gamma, penalty):
    names, which, counts = np.unique(labels, return_inverse=True, return_counts=True)
    Z = np.eye(len(names))[which.ravel()]
    mean = counts / counts.sum()
    k = lambda A, B: np.exp(-gamma * ((A[:, None] - B[None]) ** 2).sum(axis=2))
    smoother = np.linalg.solve(k(Y, Y) + penalty * np.identity(len(Y)), k(Y, new)).T
    scores = mean[None] + smoother @ (Z - mean)
    return scores, np.take(names, np.argmax(scores, axis=1))


def class_after_class(Y, labels, new, gamma, penalty):
    names = sorted(set(labels.tolist()))
    N = len(Y)
    A = np.zeros((N, N))
    for n in range(N):
        for m in range(N):
            A[n, m] = np.exp(-gamma * np.sum((Y[n] - Y[m]) ** 2)) + (penalty if n == m else 0)
    scores = np.zeros((len(new), len(names)))
    for c, name in enumerate(names):
        z = np.array([1.0 if label == name else 0.0 for label in labels])
        w = np.linalg.solve(A, z - z.mean())
        for i in range(len(new)):
            scores[i, c] = z.mean() + w @ np.exp(-gamma * np.sum((Y - new[i]) ** 2, axis=1))
    classes = np.array([names[int(np.argmax(row))] for row in scores])
    return scores, classes


def _kernels(Y, new, gamma):
    return np.exp(-gamma * cdist(Y, Y) ** 2), np.exp(-gamma * cdist(new, Y) ** 2)


def sorted_as_text(Y, labels, new, gamma, penalty):
    levels = sorted(set(str(label) for label in labels))
    Z = np.array([[float(str(label) == level) for level in levels] for label in labels])
    mean = Z.mean(axis=0)
    K, k = _kernels(Y, new, gamma)
    scores = mean + k @ np.linalg.solve(K + penalty * np.eye(len(Y)), Z - mean)
    return scores, np.array([int(levels[c]) for c in scores.argmax(axis=1)])


def mean_of_everything(Y, labels, new, gamma, penalty):
    names = np.unique(labels)
    Z = (labels[:, None] == names[None, :]) * 1.0
    mean = Z.mean()
    K, k = _kernels(Y, new, gamma)
    scores = mean + k @ np.linalg.solve(K + penalty * np.eye(len(Y)), Z - mean)
    return scores, names[np.argmax(scores, axis=1)]


def labels_as_indices(Y, labels, new, gamma, penalty):
    names = np.unique(labels)
    Z = np.eye(len(names))[labels]
    mean = Z.mean(axis=0)
    K, k = _kernels(Y, new, gamma)
    scores = mean + k @ np.linalg.solve(K + penalty * np.eye(len(Y)), Z - mean)
    return scores, names[scores.argmax(axis=1)]


def probabilities(Y, labels, new, gamma, penalty):
    names = np.unique(labels)
    Z = (labels[:, None] == names).astype(float)
    mean = Z.mean(axis=0)
    K, k = _kernels(Y, new, gamma)
    scores = mean + k @ np.linalg.solve(K + penalty * np.eye(len(Y)), Z - mean)
    scores = np.clip(scores, 0, 1)
    return scores, names[scores.argmax(axis=1)]


def plus_minus_times_N(Y, labels, new, gamma, penalty):
    names = np.unique(labels)
    Z = np.where(labels[:, None] == names, 1.0, -1.0)
    mean = Z.mean(axis=0)
    K, k = _kernels(Y, new, gamma)
    W = np.linalg.solve(K + len(Y) * penalty * np.eye(len(Y)), Z - mean)
    scores = mean + k @ W
    return scores, names[scores.argmax(axis=1)]


def vote_and_lambda_everywhere(Y, labels, new, gamma, penalty):
    names = list(dict.fromkeys(labels.tolist()))
    Z = np.array([[label == name for name in names] for label in labels], dtype=float)
    mean = Z.mean(axis=0)
    K, k = _kernels(Y, new, gamma)
    W = np.linalg.lstsq(K + penalty, Z - mean, rcond=None)[0]
    scores = mean + k @ W
    return scores, np.array(names)[scores.argmax(axis=1)]


RIGHT = [straightforward, inverse_index, class_after_class]
WRONG = [
    (sorted_as_text, ["sorts the labels as text, so 10 comes before 9"]),
    (mean_of_everything, ["takes the mean of the whole matrix Z, without an axis, for the shares of all classes"]),
    (labels_as_indices, ["uses the labels as row numbers of an identity matrix, as if they were 0, 1, ..., C - 1"]),
    (probabilities, ["cuts the scores off at 0 and 1, as if they were probabilities"]),
    (plus_minus_times_N, ["codes the other classes by -1 instead of 0", "multiplies the penalty by the number of points"]),
    (vote_and_lambda_everywhere, ["puts the classes in the order of their first appearance instead of the sorted one", "adds the penalty to every entry of K instead of its diagonal"]),
]
