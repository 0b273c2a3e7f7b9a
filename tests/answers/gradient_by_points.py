"""Answers to exercise 9, the gradient pair by pair."""

import numpy as np


def as_matrices(X, Y, B):
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / len(X) * (S @ X - np.diag(S.sum(axis=1)) @ X), Q


def every_pair_once(X, Y, B):
    """Action and reaction: what one point gets, the other gives."""
    N = len(X)
    f = B @ Y
    Q = np.array([[B[n, m] * np.dot(f[n] - Y[n], Y[m] - f[n]) for m in range(N)] for n in range(N)])
    gradient = np.zeros_like(X)
    for j in range(N):
        for m in range(j):
            force = 2 / N * (Q[j, m] + Q[m, j]) * (X[m] - X[j])
            gradient[j] += force
            gradient[m] -= force
    return [gradient, Q]


def by_the_quotient_rule(X, Y, B):
    """(24) with (28), every weight by every point; Q besides."""
    N = len(X)
    M = (B @ Y - Y) @ Y.T
    gradient = np.zeros(X.shape)
    for j in range(N):
        for n in range(N):
            for m in range(N):
                slope = B[n, m] * (X[m] - X[n]) * (int(n == j) - int(m == j))
                inner = int(n == j) * (B[n] @ (X - X[n])) - B[n, j] * (X[j] - X[n])
                gradient[j] += 2 / N * M[n, m] * (slope - B[n, m] * inner)
    return gradient, B * (M - np.sum(M * B, axis=1)[:, None])


RIGHT = [as_matrices, every_pair_once, by_the_quotient_rule]


def _looped(
    slope=lambda r, f, Y, n, m: r[n] @ Y[m],
    pair=None,
    force=lambda Q, j, m: Q[j, m] + Q[m, j],
    arm=lambda X, j, m: X[m] - X[j],
    before=lambda N, d: 2 / N,
):
    """Honest loops with a part exchanged."""
    pair = pair or (lambda B, M, n, m: B[n, m] * (M[n, m] - sum(M[n] * B[n])))

    def both(X, Y, B):
        N, d = Y.shape
        f = np.array([sum(B[n, m] * Y[m] for m in range(N)) for n in range(N)])
        r = f - Y
        M, Q, gradient = np.zeros((N, N)), np.zeros((N, N)), np.zeros(X.shape)
        for n in range(N):
            for m in range(N):
                M[n, m] = slope(r, f, Y, n, m)
        for n in range(N):
            for m in range(N):
                Q[n, m] = pair(B, M, n, m)
        for j in range(N):
            for m in range(N):
                gradient[j] += before(N, d) * force(Q, j, m) * arm(X, j, m)
        return gradient, Q

    return both


def half_with_normalisation(X, Y, B):
    """Q right; the gradient takes one half of it from a Q before the correction."""
    N = len(X)
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1)[:, None])
    gradient = np.zeros(X.shape)
    for j in range(N):
        for m in range(N):
            gradient[j] += 2 / N * (Q[j, m] + B[m, j] * M[m, j]) * (X[m] - X[j])
    return gradient, Q


def others_half_turned(X, Y, B):
    """Q_mj with the correction added: one addend has the wrong sign."""
    N = len(X)
    M = (B @ Y - Y) @ Y.T
    c = (M * B).sum(axis=1)
    Q = B * (M - c[:, None])
    gradient = np.zeros(X.shape)
    for j in range(N):
        for m in range(N):
            gradient[j] += 2 / N * (Q[j, m] + B[m, j] * (M[m, j] + c[m])) * (X[m] - X[j])
    return gradient, Q


def own_part_twice(X, Y, B):
    """The direct part of the own half comes twice."""
    N = len(X)
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1)[:, None])
    S = Q + Q.T + B * M
    return 2 / N * (S @ X - S.sum(axis=1)[:, None] * X), Q


def only_the_gradient(X, Y, B):
    return as_matrices(X, Y, B)[0]


def gradient_in_columns(X, Y, B):
    gradient, Q = as_matrices(X, Y, B)
    return gradient.T, Q


def residual_in_place(X, Y, B):
    f = B @ Y
    M = (f - Y) @ Y.T
    for n in range(len(X)):
        B[n] *= M[n] - M[n] @ B[n]
    S = B + B.T
    return 2 / len(X) * (S @ X - S.sum(axis=1, keepdims=True) * X), B.copy()


WRONG = [
    ("multiple", _looped(before=lambda N, d: 4 / N**2)),
    ("missing: P times the row's sum of M B in the half Q_mj", half_with_normalisation),
    ("sign: P times the row's sum of M B in the half Q_mj", others_half_turned),
    ("factor: P M in the half Q_jm (the point's own reconstruction)", own_part_twice),
    ("wrong_type", only_the_gradient),
    ("slip: gradient", gradient_in_columns),
    ("changes_input", residual_in_place),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    one_sum_for_all half_of_the_pairs overwritten normalisation_without_weight mean_without_weights
    sum_over_column sum_of_the_other_row own_term_skipped residual_turned residual_times_residual
    residual_times_reconstruction own_half_only others_half_only halves_subtracted
    position_for_difference direction_only mean_forgotten two_forgotten mean_over_all
    differences_turned unfinished weight_forgotten factor_in_loop columns_rebuild symmetrised
    mean_unfinished product_in_the_sum two_signs
""".split()
