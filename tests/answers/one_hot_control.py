"""Right and wrong answers to the exercise `one_hot_control`, as learners write them."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.spatial.distance import cdist


def by_sklearn(Y, labels, new, gamma, penalty):
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.preprocessing import LabelBinarizer

    names = np.unique(labels)
    Z = LabelBinarizer().fit_transform(labels)
    if len(names) == 2:
        Z = np.hstack([1 - Z, Z])
    mean = Z.mean(axis=0)
    f = KernelRidge(kernel="rbf", gamma=gamma, alpha=penalty).fit(Y, Z - mean)
    scores = f.predict(new) + mean
    return scores, names[np.argmax(scores, axis=1)]


def by_return_inverse(Y, labels, new, gamma, penalty):
    names, index = np.unique(labels, return_inverse=True)
    Z = np.eye(len(names))[index]
    centre = np.bincount(index) / len(index)
    K = np.exp(-gamma * cdist(Y, Y) ** 2)
    W = cho_solve(cho_factor(K + np.diag(np.full(len(Y), penalty))), Z - centre)
    scores = np.exp(-gamma * cdist(new, Y) ** 2) @ W + centre
    return [scores, names.take(scores.argmax(1))]


def by_eigenvectors(Y, labels, new, gamma, penalty):
    names = np.unique(labels)
    Z = np.equal.outer(labels, names) * 1.0
    mean = Z.mean(0)
    values, V = np.linalg.eigh(np.exp(-gamma * cdist(Y, Y, "sqeuclidean")))
    W = V @ ((V.T @ (Z - mean)) / (values[:, None] + penalty))
    scores = mean + np.einsum("mn,nc->mc", np.exp(-gamma * cdist(new, Y, "sqeuclidean")), W)
    return scores, names[[np.flatnonzero(row == row.max())[0] for row in scores]]


def in_single_precision(Y, labels, new, gamma, penalty):
    Y, new = Y.astype(np.float32), new.astype(np.float32)
    k = lambda A, B: np.exp(np.float32(-gamma) * np.sum((A[:, None] - B) ** 2, axis=2))
    names = np.unique(labels)
    Z = (labels[:, None] == names).astype(np.float32)
    W = np.linalg.solve(k(Y, Y) + np.float32(penalty) * np.eye(len(Y), dtype="f"), Z - Z.mean(0))
    scores = k(new, Y) @ W + Z.mean(0)
    return scores, names[scores.argmax(1)]


def gram_of(A, B, gamma):
    return np.exp(-gamma * cdist(A, B, "sqeuclidean"))


RIGHT = [by_sklearn, by_return_inverse, by_eigenvectors, in_single_precision]


def _written(
    K=lambda A, B, gamma: np.exp(-gamma * cdist(A, B, "sqeuclidean")),
    Z=lambda labels, names: (labels[:, None] == names).astype(float),
    mean=lambda Z: Z.mean(axis=0),
    system=lambda K, penalty: K + penalty * np.eye(len(K)),
    back=lambda scores, mean: scores + mean,
    told=lambda scores, names: names[scores.argmax(axis=1)],
):
    """A right answer with one piece exchanged."""

    def predicted(Y, labels, new, gamma, penalty):
        names = np.unique(labels)
        targets = Z(labels, names)
        centre = mean(targets)
        W = np.linalg.pinv(system(K(Y, Y, gamma), penalty), rcond=1e-13) @ (targets - centre)
        scores = back(K(new, Y, gamma) @ W, centre)
        return scores, told(scores, names)

    return predicted


no_mean = lambda Z: 0 * Z[0]


def labels_regressed(Y, labels, new, gamma, penalty):
    """The labels as numbers: one column."""
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean")) + penalty * np.eye(len(Y))
    f = np.exp(-gamma * cdist(new, Y, "sqeuclidean")) @ np.linalg.solve(K, labels - labels.mean())
    return f + labels.mean(), np.round(f + labels.mean())


def over_points(Y, labels, new, gamma, penalty):
    scores, _ = by_return_inverse(Y, labels, new, gamma, penalty)
    return scores, scores.argmax(axis=0)


def transposed(Y, labels, new, gamma, penalty):
    scores, classes = by_return_inverse(Y, labels, new, gamma, penalty)
    return scores.T, classes


def classes_alone(Y, labels, new, gamma, penalty):
    return by_return_inverse(Y, labels, new, gamma, penalty)[1]


def labels_in_place(Y, labels, new, gamma, penalty):
    scores, classes = by_return_inverse(Y, labels, new, gamma, penalty)
    labels -= labels.min()
    return scores, classes


def halved(scores, mean):
    return mean + scores / 2


def no_shares_and_columns(Y, labels, new, gamma, penalty):
    """Two mistakes: the shares are not added, and columns for labels."""
    names, idx = np.unique(labels, return_inverse=True)
    Z = np.eye(len(names))[idx]
    W = np.linalg.inv(gram_of(Y, Y, gamma) + penalty * np.eye(len(Y))) @ (Z - Z.mean(axis=0))
    scores = gram_of(new, Y, gamma) @ W
    return scores, scores.argmax(axis=1)


WRONG = [
    (
        "not_centred",
        _written(mean=no_mean, told=lambda scores, names: scores.argmax(axis=1)),
    ),
    ("order_of_results", lambda *given: by_return_inverse(*given)[::-1]),
    ("shape", labels_regressed),
    ("line", over_points),
    ("transposed", transposed),
    ("wrong_type", classes_alone),
    ("changes_input", labels_in_place),
    ("slip: products", _written(back=halved)),
    # written with fresh eyes, from the exercise's text alone
    ("mean_not_added", no_shares_and_columns),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    index_told order_of_appearance not_centred mean_not_added mean_only_added one_mean
    penalty_forgotten penalty_everywhere penalty_times_n penalty_squared penalty_subtracted
    one_instead_of_penalty no_system not_squared gamma_forgotten gamma_divides gamma_as_width
    gamma_halved gamma_squared plus_and_minus clipped order_of_appearance
""".split()
