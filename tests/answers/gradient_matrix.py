"""Answers to exercise 10, the gradient as a matrix product."""

import numpy as np


def in_loops(X, Y):
    N = len(X)
    K = [[np.exp(-np.sum((X[n] - X[m]) ** 2) / 2) * (n != m) for m in range(N)] for n in range(N)]
    B = np.array([[value / sum(row) for value in row] for row in K])
    f = B @ Y
    gradient = np.zeros(X.shape)
    for n in range(N):
        for m in range(N):
            q = B[n, m] * np.dot(f[n] - Y[n], Y[m] - f[n])
            gradient[n] += q * (X[m] - X[n])
            gradient[m] += q * (X[n] - X[m])
    return (2 / N * gradient).tolist()


def with_einsum(X, Y):
    difference = X[:, None] - X
    K = np.exp(-np.einsum("nmq,nmq->nm", difference, difference) / 2) - np.eye(len(X))
    B = K / np.einsum("nm->n", K)[:, None]
    residual = np.einsum("nm,md->nd", B, Y) - Y
    M = np.einsum("nd,md->nm", residual, Y)
    Q = np.einsum("nm,nm->nm", B, M - np.einsum("nl,nl->n", M, B)[:, None])
    return -2 / len(X) * np.einsum("nm,nmq->nq", Q + Q.T, difference)


def as_laplacian(X, Y):
    """(32) to the letter, with its diagonal matrix."""
    N, one = len(X), np.ones((len(X), 1))
    size = np.sum(X**2, axis=1, keepdims=True)
    K = np.exp(-(size @ one.T + one @ size.T - 2 * X @ X.T) / 2)
    K[np.arange(N), np.arange(N)] = 0
    B = np.diag(1 / (K @ one)[:, 0]) @ K
    M = (B - np.eye(N)) @ Y @ Y.T
    Q = B * (M - (M * B) @ one @ one.T)
    return 2 / N * (Q + Q.T - np.diag(((Q + Q.T) @ one)[:, 0])) @ X


def in_single_precision(X, Y):
    X, Y = (X - X.mean(axis=0)).astype(np.float32), (Y - Y.mean(axis=0)).astype(np.float32)
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1) / np.float32(2))
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    M = (B @ Y - Y) @ Y.T
    S = B * (M - (M * B).sum(axis=1, keepdims=True))
    S = S + S.T
    return np.float32(2 / len(X)) * (S @ X - S.sum(axis=1, keepdims=True) * X)


def checked_and_in_place(X, Y):
    X, Y = np.array(X, dtype=float), np.array(Y, dtype=float)
    assert len(X) == len(Y)
    B = np.exp(-((X[:, None] - X) ** 2).sum(axis=-1) / 2)
    np.fill_diagonal(B, 0)
    B /= B.sum(axis=1, keepdims=True)
    f = B @ Y
    f -= Y
    Q = f @ Y.T
    Q -= np.sum(Q * B, axis=1, keepdims=True)
    Q *= B
    Q += Q.T.copy()
    Q -= np.diag(Q.sum(axis=0))
    Q *= 2 / len(X)
    return Q @ X


RIGHT = [in_loops, with_einsum, as_laplacian, in_single_precision, checked_and_in_place]


def _kernel(X, out=True):
    N = len(X)
    K = np.empty((N, N))
    for n in range(N):
        for m in range(N):
            K[n, m] = 0 if out and n == m else np.exp(-0.5 * sum((X[n] - X[m]) ** 2))
    return K


def transposed_half_uncorrected(X, Y):
    B = _kernel(X) / _kernel(X).sum(axis=1)[:, None]
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1)[:, None])
    S = Q + (B * M).T
    return 2 / len(X) * (S @ X - (Q + Q.T).sum(axis=1)[:, None] * X)


def q_twice_in_front(X, Y):
    B = _kernel(X) / _kernel(X).sum(axis=1)[:, None]
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1)[:, None])
    S = Q + Q.T
    return 2 / len(X) * ((S + B * M) @ X - S.sum(axis=1)[:, None] * X)


def divided_by_n_squared(X, Y):
    return np.asarray(in_loops(X, Y)) / len(X)


def columns_for_rows(X, Y):
    return with_einsum(X, Y).T


def with_the_error(X, Y):
    return 1.0, with_einsum(X, Y)


def centred_in_place(X, Y):
    Y -= Y.mean(axis=0)
    return with_einsum(X, Y)


def unnormalised(X, Y):
    """Two mistakes: no sum below, and the half of the others forgotten."""
    K = _kernel(X)
    M = (K @ Y - Y) @ Y.T
    Q = K * M
    return 2 / len(X) * (Q @ X - Q.sum(axis=1)[:, None] * X)


def in_units_of_the_spread(X, Y):
    return with_einsum(X, Y) / X.std(axis=0)


def one_residual_for_all(X, Y):
    """Two mistakes that keep action and reaction: M from the mean residual."""
    B = _kernel(X) / _kernel(X).sum(axis=1)[:, None]
    M = np.outer(np.ones(len(X)), (B @ Y - Y).mean(axis=0) @ Y.T)
    S = -(B * M**2 + (B * M**2).T)
    return 2 / len(X) * (S @ X - S.sum(axis=1)[:, None] * X)


# written with fresh eyes, from the exercise's text alone


def result_of_fill_diagonal(X, Y):
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2)
    B = K / K.sum(axis=1, keepdims=True)
    B = np.fill_diagonal(B, 0)
    M = (B - np.eye(len(X))) @ Y @ Y.T
    Q = B * (M - (M * B).sum(axis=1, keepdims=True))
    return 2 / len(X) * (Q + Q.T) @ X


WRONG = [
    ("multiple", divided_by_n_squared),
    ("missing: P * (M * B) 11ᵀ in Qᵀ X", transposed_half_uncorrected),
    ("factor: P * M in Q X", q_twice_in_front),
    ("slip: gradient", columns_for_rows),
    ("wrong_type", with_the_error),
    ("changes_input", centred_in_place),
    ("not_normalised", unnormalised),
    ("not_rotation_free", in_units_of_the_spread),
    ("uphill", one_residual_for_all),
    # written with fresh eyes, from the exercise's text alone
    ("raises", result_of_fill_diagonal),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    p_not_normalised nothing_left_out zeroed_too_late columns_normalised half_missing
    normalisation_without_p sum_without_weights sum_without_weights mean_without_weights
    sum_over_column one_sum_for_all matrix_product_for_entries reconstruction_for_residual
    q_not_symmetric q_doubled diagonal_forgotten diagonal_forgotten diagonal_forgotten
    sum_over_columns mean_over_all two_missing two_missing sign_turned sign_turned
    diagonal_forgotten sum_over_columns
""".split()
