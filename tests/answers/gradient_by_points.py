"""Answers to exercise 9, the gradient pair by pair."""

import numpy as np


def in_plain_loops(X, Y, B):
    X, Y, B = X.tolist(), Y.tolist(), B.tolist()
    N, q, d = len(X), len(X[0]), len(Y[0])
    Q = []
    for n in range(N):
        residual = [sum(B[n][m] * Y[m][k] for m in range(N)) - Y[n][k] for k in range(d)]
        M = [sum(r * y for r, y in zip(residual, Y[m], strict=True)) for m in range(N)]
        mean = sum(m * b for m, b in zip(M, B[n], strict=True))
        Q.append([B[n][m] * (M[m] - mean) for m in range(N)])
    gradient = [
        [2 / N * sum((X[m][k] - X[j][k]) * (Q[j][m] + Q[m][j]) for m in range(N)) for k in range(q)]
        for j in range(N)
    ]
    return gradient, Q


def as_matrices(X, Y, B):
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / len(X) * (S @ X - np.diag(S.sum(axis=1)) @ X), Q


def with_einsum(X, Y, B):
    f = np.einsum("nm,md->nd", B, Y)
    M = np.einsum("nd,md->nm", f - Y, Y)
    Q = np.einsum("nm,nm->nm", B, M) - np.einsum("nm,nl,nl->nm", B, M, B)
    difference = X[None, :] - X[:, None]
    return 2 * np.einsum("jmq,jm->jq", difference, Q + Q.T) / len(X), Q


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


RIGHT = [in_plain_loops, as_matrices, with_einsum, every_pair_once, by_the_quotient_rule]


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


def _sum_without_own(B, M, n, m):
    total = 0
    for l in range(len(B)):
        if l != m:
            total += M[n, l] * B[n, l]
    return B[n, m] * (M[n, m] - total)


def _unit(X, j, m):
    return (X[m] - X[j]) / (np.linalg.norm(X[m] - X[j]) or 1)


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


def started_with_an_unfinished_q(X, Y, B):
    """Fills Q and uses it in the same loop, so that half of it is still zero."""
    N = len(X)
    Q, gradient = np.zeros((N, N)), np.zeros(X.shape)
    M = (B @ Y - Y) @ Y.T
    for n in range(N):
        for m in range(N):
            Q[n, m] = B[n, m] * (M[n, m] - M[n] @ B[n])
        for m in range(N):
            gradient[n] += 2 / N * (Q[n, m] + Q[m, n]) * (X[m] - X[n])
    return gradient, Q


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


def half_of_the_pairs(X, Y, B):
    _, Q = as_matrices(X, Y, B)
    gradient = np.zeros(X.shape)
    for j in range(len(X)):
        for m in range(j + 1, len(X)):
            gradient[j] += 2 / len(X) * (X[m] - X[j]) * (Q[j, m] + Q[m, j])
    return gradient, Q


def stored_not_added(X, Y, B):
    _, Q = as_matrices(X, Y, B)
    gradient = np.zeros(X.shape)
    for j in range(len(X)):
        for m in range(len(X)):
            gradient[j] = 2 / len(X) * (X[m] - X[j]) * (Q[j, m] + Q[m, j])
    return gradient, Q


# written with fresh eyes, from the exercise's text alone


def _q(Y, B):
    Q = np.zeros(B.shape)
    for n in range(len(Y)):
        products = Y @ (B[n] @ Y - Y[n])
        Q[n] = B[n] * (products - products @ B[n])
    return Q


def _sum_over_pairs(X, Q):
    gradient = np.zeros(X.shape)
    for j in range(len(X)):
        for m in range(len(X)):
            gradient[j] += (X[m] - X[j]) * (Q[j, m] + Q[m, j])
    return 2 / len(X) * gradient


def weight_lost(X, Y, B):
    Q = np.zeros(B.shape)
    for n in range(len(Y)):
        M = Y @ (B[n] @ Y - Y[n])
        Q[n] = M - B[n] @ M
    return _sum_over_pairs(X, Q), Q


def factor_in_the_loop(X, Y, B):
    Q, N = _q(Y, B), len(X)
    gradient = np.zeros(X.shape)
    for j in range(N):
        for m in range(N):
            gradient[j] += (X[m] - X[j]) * (Q[j, m] + Q[m, j])
            gradient[j] *= 2 / N
    return gradient, Q


def rebuilt_from_columns(X, Y, B):
    Q = np.zeros(B.shape)
    for n in range(len(Y)):
        M = Y @ (B[:, n] @ Y - Y[n])
        Q[n] = B[n] * (M - B[n] @ M)
    return _sum_over_pairs(X, Q), Q


def both_halves_as_q(X, Y, B):
    Q = _q(Y, B)
    Q = Q + Q.T
    gradient = np.zeros(X.shape)
    for j in range(len(X)):
        for m in range(len(X)):
            gradient[j] += 2 / len(X) * (X[m] - X[j]) * Q[j, m]
    return gradient, Q


def symmetrised_twice(X, Y, B):
    Q = _q(Y, B)
    return _sum_over_pairs(X, Q + Q.T), Q


def mean_still_running(X, Y, B):
    N = len(Y)
    Q = np.zeros(B.shape)
    for n in range(N):
        residual, mean = B[n] @ Y - Y[n], 0
        for m in range(N):
            M = residual @ Y[m]
            mean += M * B[n, m]
            Q[n, m] = B[n, m] * (M - mean)
    return _sum_over_pairs(X, Q), Q


def mean_of_the_products(X, Y, B):
    Q = np.zeros(B.shape)
    for n in range(len(Y)):
        M = Y @ (B[n] @ Y - Y[n])
        Q[n] = B[n] * (M - np.mean(M * B[n]))
    return _sum_over_pairs(X, Q), Q


def weighted_with_row_m(X, Y, B):
    Q = np.zeros(B.shape)
    for n in range(len(Y)):
        M = Y @ (B[n] @ Y - Y[n])
        for m in range(len(Y)):
            Q[n, m] = B[n, m] * (M[m] - B[m] @ M)
    return _sum_over_pairs(X, Q), Q


def two_signs_cancel(X, Y, B):
    Q, gradient = np.zeros(B.shape), np.zeros(X.shape)
    for n in range(len(Y)):
        M = Y @ (Y[n] - B[n] @ Y)
        Q[n] = B[n] * (M - B[n] @ M)
    for j in range(len(X)):
        for m in range(len(X)):
            gradient[j] += (X[j] - X[m]) * (Q[j, m] + Q[m, j])
    return gradient * 2 / len(X), Q


def q_first(X, Y, B):
    Q = _q(Y, B)
    return Q, _sum_over_pairs(X, Q)


WRONG = [
    ("one_sum_for_all", _looped(pair=lambda B, M, n, m: B[n, m] * (M[n, m] - np.sum(M * B)))),
    ("half_of_the_pairs", half_of_the_pairs),
    ("overwritten", stored_not_added),
    ("normalisation_forgotten", _looped(pair=lambda B, M, n, m: B[n, m] * M[n, m])),
    ("normalisation_added", _looped(pair=lambda B, M, n, m: B[n, m] * (M[n, m] + M[n] @ B[n]))),
    (
        "normalisation_without_weight",
        _looped(pair=lambda B, M, n, m: B[n, m] * M[n, m] - M[n] @ B[n]),
    ),
    ("mean_without_weights", _looped(pair=lambda B, M, n, m: B[n, m] * (M[n, m] - np.mean(M[n])))),
    ("sum_without_weights", _looped(pair=lambda B, M, n, m: B[n, m] * (M[n, m] - sum(M[n])))),
    ("sum_over_column", _looped(pair=lambda B, M, n, m: B[n, m] * (M[n, m] - M[:, n] @ B[:, n]))),
    ("sum_of_the_other_row", _looped(pair=lambda B, M, n, m: B[n, m] * (M[n, m] - M[m] @ B[m]))),
    ("own_term_skipped", _looped(pair=_sum_without_own)),
    ("residual_turned", _looped(slope=lambda r, f, Y, n, m: (Y[n] - f[n]) @ Y[m])),
    ("reconstruction_for_residual", _looped(slope=lambda r, f, Y, n, m: f[n] @ Y[m])),
    ("residual_of_the_helper", _looped(slope=lambda r, f, Y, n, m: sum(Y[n] * r[m]))),
    ("residual_times_residual", _looped(slope=lambda r, f, Y, n, m: r[n] @ r[m])),
    ("residual_times_reconstruction", _looped(slope=lambda r, f, Y, n, m: r[n] @ f[m])),
    (
        "slope_halved",
        _looped(pair=lambda B, M, n, m: 0.5 * B[n, m] * (M[n, m] - M[n] @ B[n])),
    ),
    ("own_half_only", _looped(force=lambda Q, j, m: Q[j, m])),
    ("others_half_only", _looped(force=lambda Q, j, m: Q[m, j])),
    ("own_half_doubled", _looped(force=lambda Q, j, m: 2 * Q[j, m])),
    ("halves_subtracted", _looped(force=lambda Q, j, m: Q[j, m] - Q[m, j])),
    ("position_for_difference", _looped(arm=lambda X, j, m: X[m])),
    ("direction_only", _looped(arm=_unit)),
    ("mean_forgotten", _looped(before=lambda N, d: 2)),
    ("two_forgotten", _looped(before=lambda N, d: 1 / N)),
    ("mean_over_all", _looped(before=lambda N, d: 2 / (N * d))),
    ("differences_turned", _looped(arm=lambda X, j, m: X[j] - X[m])),
    ("multiple", _looped(before=lambda N, d: 4 / N**2)),
    ("missing: P times the row's sum of M B in the half Q_mj", half_with_normalisation),
    ("sign: P times the row's sum of M B in the half Q_mj", others_half_turned),
    ("factor: P M in the half Q_jm (the point's own reconstruction)", own_part_twice),
    ("unfinished", started_with_an_unfinished_q),
    ("wrong_type", only_the_gradient),
    ("slip: gradient", gradient_in_columns),
    ("changes_input", residual_in_place),
    # written with fresh eyes, from the exercise's text alone
    ("weight_forgotten", weight_lost),
    ("factor_in_loop", factor_in_the_loop),
    ("columns_rebuild", rebuilt_from_columns),
    ("symmetrised", both_halves_as_q),
    ("pairs_counted_twice", symmetrised_twice),
    ("mean_unfinished", mean_still_running),
    ("mean_of_products", mean_of_the_products),
    ("product_in_the_sum", weighted_with_row_m),
    ("two_signs", two_signs_cancel),
    ("order_of_results", q_first),
]
