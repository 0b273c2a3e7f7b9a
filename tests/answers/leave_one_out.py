"""Answers to exercise 7, the leave-one-out error."""

import math

import numpy as np


def by_deleting(X, Y):
    total = 0.0
    for n in range(len(X)):
        others = np.delete(X, n, axis=0)
        data = np.delete(Y, n, axis=0)
        weight = np.exp(-np.sum((others - X[n]) ** 2, axis=1) / 2)
        total += np.sum((Y[n] - weight @ data / weight.sum()) ** 2)
    return total / len(X)


def in_plain_loops(X, Y):
    X, Y = X.tolist(), Y.tolist()
    error = 0.0
    for i, x in enumerate(X):
        above, below = [0.0] * len(Y[0]), 0.0
        for j, z in enumerate(X):
            if j == i:
                continue
            w = math.exp(-sum((a - b) ** 2 for a, b in zip(x, z, strict=True)) / 2)
            below += w
            above = [s + w * y for s, y in zip(above, Y[j], strict=True)]
        error += sum((s / below - y) ** 2 for s, y in zip(above, Y[i], strict=True))
    return error / len(X)


def with_einsum(X, Y):
    difference = X[:, None] - X
    K = np.exp(-np.einsum("nmq,nmq->nm", difference, difference) / 2)
    K -= np.eye(len(X))
    residual = Y - np.einsum("nm,md->nd", K, Y) / np.einsum("nm->n", K)[:, None]
    return np.einsum("nd,nd->", residual, residual) / len(X)


def by_penalties(X, Y):
    """R with a factor on each term, (11)."""
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1) / 2)
    B = K / K.sum(1, keepdims=True)
    return np.mean(np.sum((B @ Y - Y) ** 2, axis=1) / (1 - np.diag(B)) ** 2)


def as_softmax(X, Y):
    score = -((X[:, None] - X) ** 2).sum(-1) / 2
    score[np.diag_indices(len(X))] = -np.inf
    K = np.exp(score - score.max(axis=1, keepdims=True))
    B = K / K.sum(axis=1, keepdims=True)
    return np.linalg.norm(B @ Y - Y) ** 2 / len(X)


def in_single_precision(X, Y):
    if X.ndim != 2 or len(X) != len(Y):
        raise ValueError("X and Y must have as many rows as each other")
    X, mean = X.astype(np.float32), Y.mean(axis=0)
    Y = (Y - mean).astype(np.float32)
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1) / np.float32(2))
    np.fill_diagonal(K, 0)
    K /= K.sum(axis=1)[:, None]
    return np.float32(((K @ Y - Y) ** 2).sum() / len(X))


RIGHT = [
    by_deleting,
    in_plain_loops,
    with_einsum,
    by_penalties,
    as_softmax,
    in_single_precision,
]


def _looped(weight, skip=lambda X, i, j: i == j, below=None, loss=None, share=None):
    """The honest loops, with a part exchanged."""
    below = below or (lambda weights: sum(weights))
    loss = loss or (lambda difference: np.sum(difference**2))
    share = share or (lambda total, N, d: total / N)

    def error(X, Y):
        total = 0
        for i in range(len(X)):
            weights, f = [], np.zeros(Y.shape[1])
            for j in range(len(X)):
                if not skip(X, i, j):
                    weights.append(weight(X[i], X[j]))
                    f = f + weights[-1] * Y[j]
            f = f / below(weights)
            total = total + loss(Y[i] - f)
        return share(total, len(X), Y.shape[1])

    return error


def _gauss(a, b):
    return np.exp(-0.5 * np.linalg.norm(a - b) ** 2)


def zeros_into_the_distances(X, Y):
    D = np.zeros((len(X), len(X)))
    for i in range(len(X)):
        for j in range(len(X)):
            D[i, j] = 0 if i == j else np.sum((X[i] - X[j]) ** 2)
    K = np.exp(-D / 2)
    f = np.array([K[i] @ Y / sum(K[i]) for i in range(len(X))])
    return np.sum((Y - f) ** 2) / len(X)


def weights_then_zero(X, Y):
    error = 0
    for i, x in enumerate(X):
        b = np.exp(-((X - x) ** 2).sum(axis=1) / 2)
        b = b / b.sum()
        b[i] = 0
        error += ((Y[i] - b @ Y) ** 2).sum()
    return error / len(Y)


def subtracted_below(X, Y):
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=-1) / 2)
    f = K.dot(Y) / (K.sum(axis=1) - 1).reshape(-1, 1)
    return ((f - Y) ** 2).sum(axis=1).mean()


def keepdims_missing(X, Y):
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=-1) / 2)
    for i in range(len(K)):
        K[i, i] = 0
    B = K / K.sum(axis=1)
    return ((Y - B @ Y) ** 2).sum() / len(Y)


def numpy_mean(X, Y):
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=-1) / 2) - np.eye(len(X))
    B = (K.T / K.sum(axis=1)).T
    return np.mean((Y - B @ Y) ** 2)


def no_points_deleted_from_data(X, Y):
    """Two mistakes: the plain error, and a mean over all numbers."""
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=-1) / 2)
    return np.mean((Y - K / K.sum(axis=1, keepdims=True) @ Y) ** 2)


def for_each_point(X, Y):
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=-1) / 2) - np.eye(len(X))
    return np.sum((Y - K @ Y / K.sum(axis=1, keepdims=True)) ** 2, axis=1)


def residual_sign_lost(X, Y):
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=-1) / 2) - np.eye(len(X))
    return -np.sum((Y - K @ Y / K.sum(axis=1, keepdims=True)) ** 2) / len(X)


def diagonal_given_away(X, Y):
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=-1) / 2)
    K = np.fill_diagonal(K, 0)
    return np.sum((Y - K @ Y / K.sum(axis=1, keepdims=True)) ** 2) / len(X)


def last_point_only(X, Y):
    for i in range(len(X)):
        K = np.exp(-((X - X[i]) ** 2).sum(axis=1) / 2)
        K[i] = 0
        error = np.sum((K @ Y / K.sum() - Y[i]) ** 2)
    return error / len(X)


def neighbour_before_only(X, Y):
    """Leaves out all later points as well; no misconception is that."""
    K = np.tril(np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=-1) / 2), -1)
    K[0] = 1
    return np.sum((Y - K @ Y) ** 2) / len(X) + np.sum(Y**2)


def zeroed_in_place(X, Y):
    X -= X.mean(axis=0)
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1) / 2)
    np.fill_diagonal(K, 0)
    return np.sum((K / K.sum(axis=1, keepdims=True) @ Y - Y) ** 2) / len(X)


def one_column(X, Y):
    K = np.exp(-((X[:, :1] - X[:, :1].T) ** 2) / 2) - np.eye(len(X))
    return np.sum((Y - K @ Y / K.sum(axis=1, keepdims=True)) ** 2) / len(X)


def total_variance(X, Y):
    return sum(np.dot(y - sum(Y) / len(Y), y - sum(Y) / len(Y)) for y in Y) / len(Y)


# written with fresh eyes, from the exercise's text alone


def mask_by_data(X, Y):
    errors = []
    for i in range(len(X)):
        keep = (Y != Y[i]).any(axis=1)
        w = np.exp(-0.5 * ((X[keep] - X[i]) ** 2).sum(axis=1))
        errors.append(((Y[i] - w @ Y[keep] / w.sum()) ** 2).sum())
    return np.mean(errors)


def keeps_the_diagonal(X, Y):
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2) * np.eye(len(X))
    B = K / K.sum(axis=1, keepdims=True)
    return np.mean(np.sum((Y - B @ Y) ** 2, axis=1))


def only_the_data_deleted(X, Y):
    total = 0
    for i in range(len(X)):
        others = Y.copy()
        others[i] = 0
        w = np.exp(-0.5 * ((X - X[i]) ** 2).sum(axis=1))
        total += np.sum((Y[i] - w @ others / w.sum()) ** 2)
    return total / len(X)


def own_weight_below(X, Y):
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2)
    np.fill_diagonal(K, 0)
    B = K / (1 + K.sum(axis=1, keepdims=True))
    return np.sum((Y - B @ Y) ** 2) / len(Y)


def one_less_everywhere(X, Y):
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2) - 1
    B = K / K.sum(axis=1, keepdims=True)
    return np.sum((Y - B @ Y) ** 2) / len(Y)


def plain_times_a_factor(X, Y):
    N, K = len(X), np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2)
    B = K / K.sum(axis=1, keepdims=True)
    return np.sum((Y - B @ Y) ** 2) / N * (N / (N - 1)) ** 2


def only_earlier_points(X, Y):
    error = 0.0
    for i in range(1, len(X)):
        above, below = 0.0, 0.0
        for j in range(i):
            k = np.exp(-np.sum((X[i] - X[j]) ** 2) / 2)
            above = above + k * Y[j]
            below = below + k
        error += np.sum((Y[i] - above / below) ** 2)
    return error / len(X)


def deleted_for_good(X, Y):
    error, rest_X, rest_Y = 0, X, Y
    for i in range(len(X) - 1):
        rest_X = np.delete(rest_X, 0, axis=0)
        rest_Y = np.delete(rest_Y, 0, axis=0)
        w = np.exp(-0.5 * ((rest_X - X[i]) ** 2).sum(axis=1))
        error += np.sum((Y[i] - w @ rest_Y / w.sum()) ** 2)
    return error / len(X)


def flattened_by_delete(X, Y):
    error = 0
    for i in range(len(X)):
        rest_X, rest_Y = np.delete(X, i), np.delete(Y, i)
        w = np.exp(-0.5 * ((rest_X[:, None] - X[i]) ** 2).sum(axis=1))
        error += np.sum((Y[i] - w @ rest_Y / w.sum()) ** 2)
    return error / len(X)


def least_of_all_points(X, Y):
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2)
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    return np.sum((Y - B @ Y) ** 2, axis=1).min()


WRONG = [
    ("first_coordinate_only", one_column),
    ("mean_of_data", total_variance),
    ("nothing_left_out", zeros_into_the_distances),
    ("nothing_left_out", _looped(_gauss, skip=lambda X, i, j: False)),
    ("nothing_left_out", no_points_deleted_from_data),
    ("zeroed_too_late", weights_then_zero),
    ("left_out_below_only", subtracted_below),
    ("left_out_by_place", _looped(_gauss, skip=lambda X, i, j: np.array_equal(X[i], X[j]))),
    ("columns_normalised", keepdims_missing),
    ("not_normalised", _looped(_gauss, below=lambda weights: 1)),
    ("divided_by_number", _looped(_gauss, below=lambda weights: len(weights))),
    ("all_weigh_the_same", _looped(lambda a, b: 1)),
    ("mean_over_all", numpy_mean),
    ("mean_over_all", _looped(_gauss, loss=lambda difference: np.mean(difference**2))),
    ("sum_not_mean", _looped(_gauss, share=lambda total, N, d: total)),
    ("divided_by_n_minus_1", _looped(_gauss, share=lambda total, N, d: total / (N - 1))),
    ("lengths_not_squared", _looped(_gauss, loss=np.linalg.norm)),
    ("root_taken", _looped(_gauss, share=lambda total, N, d: (total / N) ** 0.5)),
    ("absolute_differences", _looped(_gauss, loss=lambda difference: sum(abs(difference)))),
    ("half_missing", _looped(lambda a, b: math.exp(-np.dot(a - b, a - b)))),
    ("distance_not_squared", _looped(lambda a, b: math.exp(-math.dist(a, b) / 2))),
    ("half_in_front", _looped(_gauss, share=lambda total, N, d: total / (2 * N))),
    ("negative", residual_sign_lost),
    ("shape", for_each_point),
    ("raises", diagonal_given_away),
    ("changes_input", zeroed_in_place),
    ("earlier_points_only", neighbour_before_only),
    ("last_point_only", last_point_only),
    # written with fresh eyes, from the exercise's text alone
    ("left_out_by_data", mask_by_data),
    ("itself_only", keeps_the_diagonal),
    ("zeroed_too_late", only_the_data_deleted),
    ("zeroed_too_late", own_weight_below),
    ("one_subtracted_everywhere", one_less_everywhere),
    ("plain_corrected", plain_times_a_factor),
    ("earlier_points_only", only_earlier_points),
    ("later_points_only", deleted_for_good),
    ("raises", flattened_by_delete),
    ("below_plain", least_of_all_points),
]
