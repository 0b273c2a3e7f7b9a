"""Answers to exercise 7, the leave-one-out error."""

import numpy as np


def by_deleting(X, Y):
    total = 0.0
    for n in range(len(X)):
        others = np.delete(X, n, axis=0)
        data = np.delete(Y, n, axis=0)
        weight = np.exp(-np.sum((others - X[n]) ** 2, axis=1) / 2)
        total += np.sum((Y[n] - weight @ data / weight.sum()) ** 2)
    return total / len(X)


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


RIGHT = [by_deleting, by_penalties, as_softmax, in_single_precision]


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


# written with fresh eyes, from the exercise's text alone


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
    ("nothing_left_out", no_points_deleted_from_data),
    ("negative", residual_sign_lost),
    ("shape", for_each_point),
    ("raises", diagonal_given_away),
    ("changes_input", zeroed_in_place),
    ("earlier_points_only", neighbour_before_only),
    # written with fresh eyes, from the exercise's text alone
    ("raises", flattened_by_delete),
    ("below_plain", least_of_all_points),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    first_coordinate_only mean_of_data nothing_left_out nothing_left_out zeroed_too_late
    left_out_below_only left_out_by_place columns_normalised not_normalised divided_by_number
    mean_over_all mean_over_all sum_not_mean divided_by_n_minus_1 lengths_not_squared root_taken
    absolute_differences half_missing distance_not_squared half_in_front last_point_only
    left_out_by_data zeroed_too_late zeroed_too_late plain_corrected earlier_points_only
""".split()
