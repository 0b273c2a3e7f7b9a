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


def _chain(
    weights=lambda X: _kernel(X) / np.sum(_kernel(X), axis=1).reshape(-1, 1),
    slopes=lambda B, Y: (B @ Y - Y).dot(Y.T),
    pairs=lambda B, M: B * M - B * np.sum(B * M, axis=1).reshape(-1, 1),
    both=lambda Q: Q.T + Q,
    end=lambda S, X: (S - np.diag(S.sum(axis=1))) @ X,
    before=lambda N, d: 2 / N,
):
    """The five matrices in another arrangement, with one of the steps exchanged."""

    def gradient(X, Y):
        B = weights(X)
        Q = pairs(B, slopes(B, Y))
        return before(*Y.shape) * end(both(Q), X)

    return gradient


def zero_after_division(X):
    K = _kernel(X, out=False)
    B = K / K.sum(axis=1)[:, None]
    for n in range(len(X)):
        B[n, n] = 0
    return B


def columns_of_ones(S, X):
    return S @ X - np.sum(S, axis=1) @ X


def column_trap(B, M):
    c = np.array([M[n] @ B[n] for n in range(len(M))])
    return B * (M - c)


def laplacian_of_one_half(X, Y):
    """Both halves in S X, but only the own one in the diagonal."""
    B = _kernel(X) / _kernel(X).sum(axis=1)[:, None]
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1)[:, None])
    return 2 / len(X) * ((Q + Q.T) @ X - Q.sum(axis=1)[:, None] * X)


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


def downhill_already(X, Y):
    return -np.asarray(in_loops(X, Y))


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


def kernel_for_p(X, Y):
    K = _kernel(X)
    B = (K.T / K.sum(axis=1)).T
    M = (B @ Y - Y) @ Y.T
    Q = K * (M - (M * B).sum(axis=1)[:, None])
    return 2 / len(X) * (Q + Q.T - np.diag((Q + Q.T).sum(axis=0))) @ X


# written with fresh eyes, from the exercise's text alone


def _b(X):
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2)
    np.fill_diagonal(K, 0)
    return K / K.sum(axis=1, keepdims=True)


def _s(X, Y):
    B = _b(X)
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1, keepdims=True))
    return Q + Q.T


def matrix_products_everywhere(X, Y):
    N = len(X)
    B, one = _b(X), np.ones((N, N))
    M = (B - np.eye(N)) @ Y @ Y.T
    Q = B @ (M - (M @ B) @ one)
    S = Q + Q.T
    return 2 / N * (S - np.diag(S.sum(axis=1))) @ X


def mean_for_the_sum(X, Y):
    B = _b(X)
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).mean(axis=1, keepdims=True))
    S = Q + Q.T
    return 2 / len(X) * (S @ X - S.sum(axis=1, keepdims=True) * X)


def plain_distances(X, Y):
    K = np.exp(-np.linalg.norm(X[:, None] - X, axis=2) / 2) - np.eye(len(X))
    B = K / K.sum(axis=1)[:, None]
    M = (B @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1)[:, None])
    return 2 / len(X) * (Q + Q.T - np.diag((Q + Q.T).sum(axis=1))) @ X


def rebuilt_from_columns(X, Y):
    B = _b(X)
    M = (B.T @ Y - Y) @ Y.T
    Q = B * (M - (M * B).sum(axis=1)[:, None])
    return 2 / len(X) * (Q + Q.T - np.diag((Q + Q.T).sum(axis=1))) @ X


def braces_lost(X, Y):
    S = _s(X, Y)
    return 2 / len(X) * S @ X - S.sum(axis=1, keepdims=True) * X


def one_vector_of_ones(X, Y):
    N = len(X)
    B = _b(X)
    M = (B - np.eye(N)) @ Y @ Y.T
    Q = B * (M - (M * B) @ np.ones(N))
    S = Q + Q.T
    return 2 / N * (S - np.diag(S @ np.ones(N))) @ X


def row_sums_as_a_row(X, Y):
    S = _s(X, Y)
    return 2 / len(X) * (S - S.sum(axis=1)) @ X


def result_of_fill_diagonal(X, Y):
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2)
    B = K / K.sum(axis=1, keepdims=True)
    B = np.fill_diagonal(B, 0)
    M = (B - np.eye(len(X))) @ Y @ Y.T
    Q = B * (M - (M * B).sum(axis=1, keepdims=True))
    return 2 / len(X) * (Q + Q.T) @ X


WRONG = [
    ("p_not_normalised", kernel_for_p),
    ("row_sums_everywhere", _chain(end=lambda S, X: (S - S.sum(axis=1)[:, None]) @ X)),
    (
        "nothing_left_out",
        _chain(weights=lambda X: _kernel(X, False) / _kernel(X, False).sum(axis=1)[:, None]),
    ),
    ("zeroed_too_late", _chain(weights=zero_after_division)),
    ("columns_normalised", _chain(weights=lambda X: _kernel(X) / sum(_kernel(X)))),
    ("half_missing", _chain(weights=lambda X: _kernel(X) ** 2 / (_kernel(X) ** 2).sum(1)[:, None])),
    ("normalisation_forgotten", _chain(pairs=lambda B, M: np.multiply(B, M))),
    (
        "normalisation_added",
        _chain(pairs=lambda B, M: B * M + B * np.sum(B * M, axis=1).reshape(-1, 1)),
    ),
    ("normalisation_without_p", _chain(pairs=lambda B, M: B * M - np.diag(M @ B.T)[:, None])),
    ("sum_without_weights", _chain(pairs=lambda B, M: B * (M.T - np.sum(M, axis=1)).T)),
    ("sum_without_weights", _chain(pairs=lambda B, M: B * (M.T - (M @ B).sum(axis=1)).T)),
    ("mean_without_weights", _chain(pairs=lambda B, M: B * (M.T - np.mean(M.T, axis=0)).T)),
    ("keepdims_forgotten", _chain(pairs=column_trap)),
    (
        "sum_over_column",
        _chain(pairs=lambda B, M: B * (M - np.diag(M.T @ B).reshape(-1, 1))),
    ),
    ("one_sum_for_all", _chain(pairs=lambda B, M: B * (M - np.vdot(M, B)))),
    (
        "matrix_product_for_entries",
        _chain(pairs=lambda B, M: B @ (M - np.sum(B * M, axis=1).reshape(-1, 1))),
    ),
    ("m_transposed", _chain(slopes=lambda B, Y: Y @ (B @ Y - Y).T)),
    ("reconstruction_for_residual", _chain(slopes=lambda B, Y: (B @ Y).dot(Y.T))),
    ("residual_times_residual", _chain(slopes=lambda B, Y: np.inner(B @ Y - Y, B @ Y - Y))),
    ("q_not_symmetric", _chain(both=lambda Q: Q)),
    ("q_transposed", _chain(both=np.transpose)),
    ("q_doubled", _chain(both=lambda Q: Q + Q)),
    ("halves_subtracted", _chain(both=lambda Q: Q - Q.T)),
    ("diagonal_forgotten", _chain(end=lambda S, X: S @ X)),
    ("diagonal_forgotten", _chain(end=lambda S, X: (S - np.diag(np.diag(S))) @ X)),
    ("diagonal_forgotten", _chain(end=lambda S, X: S @ X - np.sum(S) * X)),
    ("diagonal_added", _chain(end=lambda S, X: (S + np.diag(S.sum(axis=1))) @ X)),
    ("sum_over_columns", _chain(end=columns_of_ones)),
    ("mean_forgotten", _chain(before=lambda N, d: 2)),
    ("mean_over_all", _chain(before=lambda N, d: 2 / (N * d))),
    ("two_missing", _chain(before=lambda N, d: 1 / N)),
    ("two_missing", _chain(both=lambda Q: (Q + Q.T) / 2)),
    ("sign_turned", _chain(slopes=lambda B, Y: (Y - B @ Y) @ Y.T)),
    ("sign_turned", downhill_already),
    ("multiple", divided_by_n_squared),
    ("missing: P * (M * B) 11ᵀ in Qᵀ X", transposed_half_uncorrected),
    ("factor: P * M in Q X", q_twice_in_front),
    ("slip: gradient", columns_for_rows),
    ("wrong_type", with_the_error),
    ("changes_input", centred_in_place),
    ("diagonal_forgotten", laplacian_of_one_half),
    ("not_normalised", unnormalised),
    ("not_rotation_free", in_units_of_the_spread),
    ("uphill", one_residual_for_all),
    # written with fresh eyes, from the exercise's text alone
    ("products_for_stars", matrix_products_everywhere),
    ("mean_of_products", mean_for_the_sum),
    ("distance_not_squared", plain_distances),
    ("columns_rebuild", rebuilt_from_columns),
    ("factor_on_first_part", braces_lost),
    ("keepdims_forgotten", one_vector_of_ones),
    ("sum_over_columns", row_sums_as_a_row),
    ("raises", result_of_fill_diagonal),
]
