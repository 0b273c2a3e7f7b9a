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


def unit(x, l, i):
    length = np.linalg.norm(x[l] - x[i])
    return (x[l] - x[i]) / length if length > 0 else 0 * x[l]


def not_divided(X):
    K = np.empty((len(X), len(X)))
    for i, x in enumerate(X):
        K[i] = np.exp(-np.square(x - X).sum(axis=1))
    return K


def with_roots(X):
    K = np.array([[np.exp(-np.linalg.norm(x - z)) for z in X] for x in X])
    return (K.T / K.sum(axis=1)).T


def t_sne_tail(X):
    Q = np.array([[1 / (1 + np.sum((x - z) ** 2)) for z in X] for x in X])
    return Q / Q.sum(axis=1)[:, None]


def t_sne_of_textbooks(X, P):
    N = len(X)
    P = (P + P.T) / (2 * N)
    num = 1 / (1 + np.array([[np.sum((x - z) ** 2) for z in X] for x in X]))
    Q = num / np.sum(num)
    dY = np.zeros(X.shape)
    for i in range(N):
        weight = (P - Q)[:, i] * num[:, i]
        dY[i] = 4 * np.sum(np.tile(weight, (X.shape[1], 1)).T * (X[i] - X), 0)
    return dY


def kernel_once_more(X, P):
    K = not_divided(X)
    Q = K / K.sum(axis=1)[:, None]
    W = (P + P.T - Q - Q.T) * K
    return 2 / len(X) * np.einsum("li,liq->lq", W, X[:, None] - X)


def without_x_l(X, P):
    W = P - _q_by_loops(X)
    return -2 / len(X) * (W @ X + W.T @ X)


def one_x_l(X, P):
    W = P - _q_by_loops(X)
    return 2 / len(X) * (X - (W + W.T).dot(X))


def descent_direction(X, P):
    W = _q_by_loops(X) - P
    W = W + W.transpose()
    return 2 / len(X) * (W.sum(axis=1).reshape(-1, 1) * X - W @ X)


def column_lost(X, P):
    W = P - _q_by_loops(X)
    W = W + W.T
    return 2 / len(X) * (W.sum(axis=1) * X - W @ X)


def numbers_swapped(X, P):
    """P_il counted twice, P_li forgotten."""
    Q = _q_by_loops(X)
    W = 2 * P.T - Q - Q.T
    return 2 / len(X) * (W.sum(axis=1)[:, None] * X - W @ X)


def one_sign(X, P):
    Q = _q_by_loops(X)
    W = P + P.T - Q + Q.T
    return 2 / len(X) * (W.sum(axis=1)[:, None] * X - W @ X)


def q_once(X, P):
    Q = _q_by_loops(X)
    W = P + P.T - Q
    return 2 / len(X) * (W.sum(axis=1)[:, None] * X - W @ X)


def error_too(X, P):
    Q = _q_by_loops(X)
    return np.sum(P * np.log(np.where(P > 0, P, 1) / Q)) / len(X), with_einsum(X, P)


def shifts_its_input(X, P):
    X -= X.mean(axis=0)
    return with_einsum(X, P)


def divides_twice(X, P):
    return with_einsum(X, P) / len(X)


def logarithms(X, P):
    Q = _q_by_loops(X)
    with np.errstate(all="ignore"):
        W = np.log(P) - np.log(Q)
    return 2 / len(X) * ((W + W.T).sum(axis=1)[:, None] * X - (W + W.T) @ X)


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


def last_one_stays(X, P):
    Q, gradient = _q_by_loops(X), np.zeros(X.shape)
    for l in range(len(X)):
        for i in range(len(X)):
            bracket = P[i, l] + P[l, i] - Q[l, i] - Q[i, l]
            gradient[l] = 2 / len(X) * bracket * (X[l] - X[i])
    return gradient


def triangle(X, P):
    Q, gradient = _q_by_loops(X), np.zeros(X.shape)
    for l in range(len(X)):
        for i in range(l):
            bracket = P[i, l] + P[l, i] - Q[l, i] - Q[i, l]
            gradient[l] += 2 / len(X) * bracket * (X[l] - X[i])
    return gradient


def returns_in_the_loop(X, P):
    Q, gradient = _q_by_loops(X), np.zeros(X.shape)
    for l in range(len(X)):
        for i in range(len(X)):
            bracket = P[i, l] + P[l, i] - Q[l, i] - Q[i, l]
            gradient[l] += 2 / len(X) * bracket * (X[l] - X[i])
        return gradient


def one_sum_of_w(X, P):
    W = P - _q_by_loops(X)
    W = W + W.T
    return 2 / len(X) * (X * W.sum() - W @ X)


def sum_then_square(X):
    K = np.array([[np.exp(-(np.sum(np.abs(x - z)) ** 2)) for z in X] for x in X])
    return K / K.sum(axis=1, keepdims=True)


# written with fresh eyes, from the exercise's text alone


def _bracket(X, P):
    Q = np.exp(-np.sum((X[:, None] - X[None]) ** 2, axis=2))
    Q = Q / Q.sum(axis=1, keepdims=True)
    return P + P.T - Q - Q.T


def without_itself(X, P):
    K = np.exp(-np.sum((X[:, None] - X[None]) ** 2, axis=2))
    np.fill_diagonal(K, 0)
    Q = K / K.sum(axis=1, keepdims=True)
    W = P + P.T - Q - Q.T
    return 2 / len(X) * np.einsum("li,lik->lk", W, X[:, None] - X[None])


def one_index_order(X, P):
    Q, gradient = _q_by_loops(X), np.zeros(X.shape)
    for l in range(len(X)):
        for i in range(len(X)):
            gradient[l] += (P[i, l] + P[i, l] - Q[i, l] - Q[i, l]) * (X[l] - X[i])
    return 2 / len(X) * gradient


def half_of_the_pairs(X, P):
    W, gradient = _bracket(X, P), np.zeros(X.shape)
    for l in range(len(X)):
        for i in range(l + 1, len(X)):
            gradient[l] += W[l, i] * (X[l] - X[i])
    return 2 / len(X) * gradient


def columns_for_points(X, P):
    W = _bracket(X, P)
    return 2 / X.shape[1] * (W.sum(axis=1, keepdims=True) * X - W @ X)


def bracket_times_q(X, P):
    Q = _q_by_loops(X)
    W = _bracket(X, P) * Q
    return 2 / len(X) * (W.sum(axis=1, keepdims=True) * X - W @ X)


def heavy_tails_by_rows(X, P):
    K = 1 / (1 + np.sum((X[:, None] - X[None]) ** 2, axis=2))
    Q = K / K.sum(axis=1, keepdims=True)
    W = (P + P.T - Q - Q.T) * K
    return 2 / len(X) * (W.sum(axis=1, keepdims=True) * X - W @ X)


def nothing_in_front(X, P):
    W = _bracket(X, P)
    return (np.diag(W.sum(axis=1)) - W) @ X


WRONG = [
    ("not_added_up", last_one_stays),
    ("earlier_points_only", triangle),
    ("left_empty", returns_in_the_loop),
    ("centre_forgotten", one_sum_of_w),
    ("city_block", _springs(sum_then_square)),
    ("half_in_kernel", _springs(lambda X: _q_by_loops(X, 2.0))),
    ("distance_not_squared", _springs(with_roots)),
    ("not_normalised", _springs(not_divided)),
    ("one_sum_for_all", _springs(lambda X: not_divided(X) / sum(sum(not_divided(X))))),
    ("itself_excluded", _springs(lambda X: _q_by_loops(X - X.mean(), with_itself=False))),
    ("student_kernel", _springs(t_sne_tail)),
    ("t_sne", t_sne_of_textbooks),
    ("own_choices_only", _springs(bracket=lambda p, q, l, i: p[l, i] - q[l, i])),
    ("others_choices_only", _springs(bracket=lambda p, q, l, i: p[i, l] - q[i, l])),
    ("choices_doubled", _springs(bracket=lambda p, q, l, i: 2 * (p[l, i] - q[l, i]))),
    (
        "choices_subtracted",
        _springs(bracket=lambda p, q, l, i: p[l, i] - p[i, l] + q[i, l] - q[l, i]),
    ),
    ("added", _springs(bracket=lambda p, q, l, i: p[l, i] + p[i, l] + q[i, l] + q[l, i])),
    ("pull_only", _springs(bracket=lambda p, q, l, i: p[l, i] + p[i, l])),
    ("kernel_times_bracket", kernel_once_more),
    ("centre_forgotten", without_x_l),
    ("centre_once", one_x_l),
    ("sums_of_positions", _springs(arm=lambda x, l, i: x[l] + x[i])),
    ("unit_directions", _springs(arm=unit)),
    ("mean_forgotten", _springs(before=lambda N: 2)),
    ("two_missing", _springs(before=lambda N: 1 / N)),
    ("sign_turned", descent_direction),
    ("sign_turned", _springs(arm=lambda x, l, i: x[i] - x[l])),
    ("row_sums_flat", column_lost),
    ("factor: P_il (x_l - x_i)", numbers_swapped),
    ("q_transpose_added", one_sign),
    ("q_once", q_once),
    ("wrong_type", error_too),
    ("changes_input", shifts_its_input),
    ("mean_twice", divides_twice),
    ("logarithms", logarithms),
    ("half_in_kernel", half_without_mean),
    ("half_in_kernel", half_and_one_sided),
    ("not_rotation_free", by_spread),
    ("uphill", rising),
    # written with fresh eyes, from the exercise's text alone
    ("itself_excluded", without_itself),
    ("slip: brackets", one_index_order),
    ("later_points_only", half_of_the_pairs),
    ("columns_for_points", columns_for_points),
    ("choices_times_bracket", bracket_times_q),
    ("t_sne_by_rows", heavy_tails_by_rows),
    ("front_forgotten", nothing_in_front),
]
