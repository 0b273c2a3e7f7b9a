"""Fresh answers to `label_distance`."""
import numpy as np
from scipy.spatial.distance import pdist, squareform


def right_factored(Y, labels, alpha, times):
    t = np.sum((Y[:, None] - Y) ** 2, axis=2)
    N = len(Y)
    s = t / (times * t.sum() / (N * (N - 1)))
    same = labels[:, None] == labels
    return np.where(same, np.sqrt(-np.expm1(-s)), np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s)))


def right_two_regimes(Y, labels, alpha, times):
    pairs = pdist(Y, "sqeuclidean")
    s = squareform(pairs) / (times * pairs.mean())
    Q = np.zeros(s.shape)
    same = np.equal.outer(np.asarray(labels), np.asarray(labels))
    Q[same] = np.sqrt(1 - np.exp(-s[same]))
    far = ~same & (s > 300)
    near = ~same & ~far
    Q[near] = np.sqrt(np.exp(s[near]) - alpha)
    Q[far] = np.exp(s[far] / 2)
    return Q


def right_loops(Y, labels, alpha, times):
    N = len(Y)
    t = np.array([[np.sum((a - b) ** 2) for b in Y] for a in Y])
    beta = times * np.mean([t[i, j] for i in range(N) for j in range(i)])
    Q = np.zeros((N, N))
    for i in range(N):
        for j in range(N):
            s = t[i, j] / beta
            if labels[i] == labels[j]:
                Q[i, j] = (1 - np.exp(-s)) ** 0.5
            else:
                half = np.exp(s / 2)
                Q[i, j] = half * np.sqrt(1 - alpha / half / half)
    return Q


def unit_between_classes(Y, labels, alpha, times):
    t = np.sum((Y[:, None] - Y) ** 2, axis=2)
    same = labels[:, None] == labels[None, :]
    pairs = ~np.eye(len(Y), dtype=bool)
    if not same.all():
        pairs = ~same
    s = t / (times * t[pairs].mean())
    inner = np.sqrt(1 - np.exp(-s))
    outer = np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s))
    return np.where(same, inner, outer)


def root_term_by_term(Y, labels, alpha, times):
    d2 = squareform(pdist(Y, "sqeuclidean"))
    beta = times * pdist(Y, "sqeuclidean").mean()
    s = d2 / beta
    Q = np.exp(s / 2) - np.sqrt(alpha)
    same = labels[:, None] == labels
    Q[same] = np.sqrt(1 - np.exp(-s[same]))
    return Q


def cut_off_at_700(Y, labels, alpha, times):
    t = np.sum((Y[:, None] - Y) ** 2, axis=2)
    beta = times * t[np.triu_indices(len(Y), 1)].mean()
    s = np.minimum(t / beta, 700)
    return np.where(labels[:, None] == labels, np.sqrt(1 - np.exp(-s)), np.sqrt(np.exp(s) - alpha))


def one_hot_labels(Y, labels, alpha, times):
    N = len(Y)
    t = np.sum((Y[:, None] - Y) ** 2, axis=2)
    s = t / (times * t.sum() / (N * (N - 1)))
    onehot = np.zeros((N, len(np.unique(labels))))
    onehot[np.arange(N), labels] = 1
    same = onehot @ onehot.T
    within = np.sqrt(1 - np.exp(-s))
    between = np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s))
    return same * within + (1 - same) * between


def squared_mean_with_alpha_everywhere(Y, labels, alpha, times):
    e = pdist(Y)
    beta = times * e.mean() ** 2
    s = squareform(e) ** 2 / beta
    same = labels[:, None] == labels
    Q_same = np.sqrt(np.maximum(1 - alpha - np.exp(-s), 0))
    Q_other = np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s))
    return np.where(same, Q_same, Q_other)


def diagonal_in_mean_and_alpha_scaled(Y, labels, alpha, times):
    t = np.sum((Y[:, None] - Y) ** 2, axis=2)
    s = t / (times * np.mean(t))
    Q = np.where(labels[:, None] == labels, np.sqrt(1 - np.exp(-s)), np.exp(s / 2) * np.sqrt(1 - alpha))
    return Q


RIGHT = [right_factored, right_two_regimes, right_loops]
WRONG = [
    (unit_between_classes, ["takes the unit from pairs with different labels only instead of all pairs of different points"]),
    (root_term_by_term, ["takes the root of each term: exp(s/2) - sqrt(alpha)"]),
    (cut_off_at_700, ["cuts e²/β off at 700, so all distances beyond become equal"]),
    (one_hot_labels, ["uses the labels as column numbers 0, 1, ... (raises for other whole numbers)"]),
    (squared_mean_with_alpha_everywhere, ["takes the square of the mean distance instead of the mean of the squared distances", "subtracts alpha for equal labels too"]),
    (diagonal_in_mean_and_alpha_scaled, ["takes the mean over the whole matrix, with the zeros of the diagonal", "takes exp(s) out of the root without dividing alpha by it"]),
]
