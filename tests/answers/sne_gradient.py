"""Answers to exercise 18, the gradient of SNE."""

import numpy as np


def _q_by_loops(X, divisor=1.0, with_itself=True):
    N = len(X)
    Q = np.zeros((N, N))
    for i in range(N):
        for j in range(N):
            if with_itself or i != j:
                Q[i, j] = np.exp(-np.dot(X[i] - X[j], X[i] - X[j]) / divisor)
        Q[i] /= Q[i].sum()
    return Q


def in_loops(X, P):
    N, q = X.shape
    Q = _q_by_loops(X)
    gradient = [[0.0] * q for _ in range(N)]
    for l in range(N):
        for i in range(N):
            for k in range(q):
                bracket = P[i, l] + P[l, i] - Q[l, i] - Q[i, l]
                gradient[l][k] += 2 / N * bracket * (X[l, k] - X[i, k])
    return gradient


def with_einsum(X, P):
    difference = X[:, None] - X[None]
    K = np.exp(-np.einsum("liq,liq->li", difference, difference))
    W = P - K / np.einsum("li->l", K)[:, None]
    return 2 / len(X) * np.einsum("li,liq->lq", W + W.T, difference)


def as_laplacian(X, P):
    X = X - X.mean(axis=0)
    size = np.sum(X**2, axis=1)
    t = np.maximum(size[:, None] + size - 2 * X @ X.T, 0)
    log_q = -t - np.log(np.exp(-t).sum(axis=1, keepdims=True))
    W = P - np.exp(log_q)
    W = W + W.T
    return 2 / len(X) * (np.diag(W.sum(axis=0)) - W) @ X


def rows_of_w_sum_to_zero(X, P):
    """The row sums of P - Q are zero; those of its columns remain."""
    Q = np.exp(-((X[:, None, :] - X[None, :, :]) ** 2).sum(-1))
    Q /= Q.sum(1)[:, None]
    W = P - Q
    return (2 / len(X)) * (W.sum(axis=0)[:, None] * X - (W + W.T).dot(X))


def in_single_precision(X, P):
    X, P = (X - X.mean(axis=0)).astype(np.float32), P.astype(np.float32)
    Q = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    Q /= Q.sum(axis=1, keepdims=True)
    W = P - Q
    W = W + W.T
    return np.float32(2 / len(X)) * (W.sum(axis=1, keepdims=True) * X - W @ X)


def columns_in_q(X, P):
    """Q's transpose: as good, since it is added anyway."""
    X, P = np.array(X, dtype=float), np.array(P, dtype=float)
    assert P.shape == (len(X), len(X))
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=-1))
    W = P + P.T
    W -= K / K.sum(axis=0)
    W -= (K / K.sum(axis=0)).T
    gradient = np.empty_like(X)
    for l in range(len(X)):
        gradient[l] = W[l] @ (X[l] - X)
    gradient *= 2 / len(X)
    return gradient


RIGHT = [
    in_loops,
    with_einsum,
    as_laplacian,
    rows_of_w_sum_to_zero,
    in_single_precision,
    columns_in_q,
]


def _springs(
    choices=_q_by_loops,
    bracket=lambda p, q, l, i: p[i, l] + p[l, i] - q[l, i] - q[i, l],
    arm=lambda x, l, i: x[l] - x[i],
    before=lambda N: 2 / N,
):
    """(4) by loops, with one of its parts exchanged."""

    def gradient(X, P):
        Q, found = choices(X), np.zeros(X.shape)
        for l in range(len(X)):
            for i in range(len(X)):
                found[l] += before(len(X)) * bracket(P, Q, l, i) * arm(X, l, i)
        return found

    return gradient


def column_lost(X, P):
    W = P - _q_by_loops(X)
    W = W + W.T
    return 2 / len(X) * (W.sum(axis=1) * X - W @ X)


def numbers_swapped(X, P):
    """P_il counted twice, P_li forgotten."""
    Q = _q_by_loops(X)
    W = 2 * P.T - Q - Q.T
    return 2 / len(X) * (W.sum(axis=1)[:, None] * X - W @ X)


def error_too(X, P):
    Q = _q_by_loops(X)
    return np.sum(P * np.log(np.where(P > 0, P, 1) / Q)) / len(X), with_einsum(X, P)


def shifts_its_input(X, P):
    X -= X.mean(axis=0)
    return with_einsum(X, P)


def half_and_one_sided(X, P):
    """Two mistakes: the other kernel, and only the point's own choices."""
    W = P - _q_by_loops(X, divisor=2)
    return 2 / len(X) * (W.sum(axis=1)[:, None] * X - W @ X)


def half_without_mean(X, P):
    """Two mistakes, the second a factor."""
    return len(X) * np.asarray(_springs(lambda X: _q_by_loops(X, divisor=2.0))(X, P))


def by_spread(X, P):
    return np.asarray(in_loops(X, P)) / np.std(X, axis=0)


def rising(X, P):
    """Two mistakes: squares in the bracket, and the sign."""
    Q = _q_by_loops(X)
    W = Q**2 - P**2
    return 2 / len(X) * ((W + W.T).sum(axis=1)[:, None] * X - (W + W.T) @ X)


def returns_in_the_loop(X, P):
    Q, gradient = _q_by_loops(X), np.zeros(X.shape)
    for l in range(len(X)):
        for i in range(len(X)):
            bracket = P[i, l] + P[l, i] - Q[l, i] - Q[i, l]
            gradient[l] += 2 / len(X) * bracket * (X[l] - X[i])
        return gradient


# written with fresh eyes, from the exercise's text alone


def one_index_order(X, P):
    Q, gradient = _q_by_loops(X), np.zeros(X.shape)
    for l in range(len(X)):
        for i in range(len(X)):
            gradient[l] += (P[i, l] + P[i, l] - Q[i, l] - Q[i, l]) * (X[l] - X[i])
    return 2 / len(X) * gradient


WRONG = [
    ("left_empty", returns_in_the_loop),
    ("row_sums_flat", column_lost),
    ("factor: P_il (x_l - x_i)", numbers_swapped),
    ("wrong_type", error_too),
    ("changes_input", shifts_its_input),
    ("half_in_kernel", half_without_mean),
    ("half_in_kernel", half_and_one_sided),
    ("not_rotation_free", by_spread),
    ("uphill", rising),
    # written with fresh eyes, from the exercise's text alone
    ("slip: brackets", one_index_order),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    earlier_points_only centre_forgotten half_in_kernel one_sum_for_all itself_excluded
    student_kernel t_sne own_choices_only choices_doubled kernel_times_bracket centre_forgotten
    unit_directions mean_forgotten two_missing sign_turned sign_turned q_transpose_added q_once
    mean_twice logarithms itself_excluded later_points_only columns_for_points choices_times_bracket
""".split()
