"""Right and wrong answers to the exercise `centred_solve`, as learners write them."""

import math

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.spatial.distance import cdist


def phi_of(x, centres, width):
    return np.exp(-((cdist(x, centres) / width) ** 2) / 2)


def as_printed(X, Y, centres, width, penalty):
    """(16) to the letter."""
    Phi, K = phi_of(X, centres, width), phi_of(centres, centres, width)
    N, one = len(X), np.ones((len(X), 1))
    left = Phi.T @ Phi + penalty * K - (Phi.T @ one) @ (Phi.T @ one).T / N
    W = np.linalg.inv(left) @ Phi.T @ (np.eye(N) - one @ one.T / N) @ Y
    return W, np.mean(Y - Phi @ W, axis=0)


def with_a_column_of_ones(X, Y, centres, width, penalty):
    """The constant as one more function, which nobody penalises."""
    M = len(centres)
    Phi = np.hstack([phi_of(X, centres, width), np.ones((len(X), 1))])
    K = np.zeros((M + 1, M + 1))
    K[:M, :M] = phi_of(centres, centres, width)
    both = np.linalg.solve(Phi.T @ Phi + penalty * K, Phi.T @ Y)
    return [both[:M].tolist(), both[M].tolist()]


def by_loops(X, Y, centres, width, penalty):
    phi = lambda x, mu: math.exp(-sum((x - mu) ** 2) / (2 * width**2))
    N, M, d = len(X), len(centres), Y.shape[1]
    P = np.array([[phi(x, mu) for mu in centres] for x in X])
    mean = [sum(P[n, m] for n in range(N)) / N for m in range(M)]
    A, B = np.zeros((M, M)), np.zeros((M, d))
    for m in range(M):
        for k in range(M):
            A[m, k] = penalty * phi(centres[m], centres[k])
            A[m, k] += sum((P[n, m] - mean[m]) * (P[n, k] - mean[k]) for n in range(N))
        for k in range(d):
            B[m, k] = sum((P[n, m] - mean[m]) * Y[n, k] for n in range(N))
    W = np.linalg.solve(A, B)
    return W, np.array([np.mean(Y[:, k]) - np.dot(mean, W[:, k]) for k in range(d)])


def as_least_squares(X, Y, centres, width, penalty):
    """The penalty as more rows of a tall system, with the root of K."""
    Phi, K = phi_of(X, centres, width), phi_of(centres, centres, width)
    root = np.linalg.cholesky(K).T
    tall = np.vstack([Phi - Phi.mean(0), math.sqrt(penalty) * root])
    W = np.linalg.lstsq(tall, np.vstack([Y - Y.mean(0), np.zeros((len(K), Y.shape[1]))]))[0]
    return W, Y.mean(0) - Phi.mean(0) @ W


def in_single_precision(X, Y, centres, width, penalty):
    X, Y, centres = (a.astype(np.float32) for a in (X, Y, centres))
    squares = lambda a, b: np.sum((a[:, None] - b) ** 2, axis=-1)
    Phi = np.exp(squares(X, centres) / np.float32(-2 * width**2))
    K = np.exp(squares(centres, centres) / np.float32(-2 * width**2))
    P = Phi - Phi.mean(axis=0)
    W = np.linalg.solve(P.T @ P + np.float32(penalty) * K, P.T @ (Y - Y.mean(axis=0)))
    return W, Y.mean(axis=0) - Phi.mean(axis=0) @ W


def checked_by_cholesky(X, Y, centres, width, penalty):
    X, Y = np.array(X, dtype=float), np.array(Y, dtype=float)
    if len(X) != len(Y) or width <= 0:
        raise ValueError("X and Y belong together")
    Phi = phi_of(X, centres, width)
    mean_phi, mean_y = Phi.mean(axis=0), Y.mean(axis=0)
    Phi -= mean_phi
    Y -= mean_y
    A = Phi.T @ Phi
    A += penalty * phi_of(centres, centres, width)
    W = cho_solve(cho_factor(A), Phi.T @ Y)
    return W, mean_y - mean_phi @ W


RIGHT = [
    as_printed,
    with_a_column_of_ones,
    by_loops,
    as_least_squares,
    in_single_precision,
    checked_by_cholesky,
]


def _printed(
    phi=phi_of,
    K=lambda phi, c, s: phi(c, c, s),
    left=lambda A, G, p, N: A + p * G,
    corrected=lambda total, N: np.outer(total, total) / N,
    data=lambda Y: Y - np.mean(Y, 0),
    constant=lambda Y, f: np.mean(Y - f, 0),
):
    """(16) as it is printed, with one piece exchanged."""

    def fit(X, Y, centres, width, penalty):
        Phi, N = phi(X, centres, width), len(X)
        A = left(Phi.T @ Phi, K(phi, centres, width), penalty, N) - corrected(Phi.sum(0), N)
        W = np.linalg.inv(A) @ (Phi.T @ data(Y))
        return W, constant(Y, Phi @ W)

    return fit


def misprint(phi, centres, width):
    return np.diag([phi(c[None], c[None], width)[0, 0] for c in centres])


def literal_ones(phi, centres, width):
    K = np.zeros((len(centres), len(centres)))
    for m in range(len(centres)):
        K[m, :] = phi(centres[[m]], centres[[m]], width)[0, 0]
    return K


def ridge(X, Y, centres, width, penalty):
    from sklearn.linear_model import Ridge

    f = Ridge(alpha=penalty).fit(phi_of(X, centres, width), Y)
    return f.coef_.T, f.intercept_


def ones_column_ridge(X, Y, centres, width, penalty):
    M = len(centres)
    Phi = np.c_[phi_of(X, centres, width), np.ones(len(X))]
    K = np.zeros((M + 1, M + 1))
    K[:M, :M], K[M, M] = phi_of(centres, centres, width), 1
    W = np.linalg.solve(Phi.T @ Phi + penalty * K, Phi.T @ Y)
    return W[:M], W[M]


def centred_by_row(X, Y, centres, width, penalty):
    Phi = phi_of(X, centres, width)
    P = (Phi.T - Phi.mean(axis=1)).T
    W = np.linalg.solve(P.T @ P + penalty * phi_of(centres, centres, width), P.T @ Y)
    return W, Y.mean(axis=0) - Phi.mean(axis=0) @ W


def mean_without_axis(X, Y, centres, width, penalty):
    Phi = phi_of(X, centres, width)
    P, r = Phi - np.mean(Phi), Y - np.mean(Y)
    A = np.dot(P.T, P) + penalty * phi_of(centres, centres, width)
    W = np.linalg.inv(A).dot(P.T).dot(r)
    return W, [np.mean(column) for column in (Y - Phi @ W).T]


def constant_without_axis(X, Y, centres, width, penalty):
    W, _ = as_printed(X, Y, centres, width, penalty)
    return W, np.mean(Y - phi_of(X, centres, width) @ W)


def subtracts_mean_of_y(X, Y, centres, width, penalty):
    w = sum(Y) / len(Y)
    Phi = phi_of(X, centres, width)
    A = Phi.T @ Phi + penalty * phi_of(centres, centres, width)
    return np.linalg.solve(A, Phi.T @ (Y - w)), w


def mean_of_centred(X, Y, centres, width, penalty):
    """w by (15), but with the centred features."""
    Phi = phi_of(X, centres, width)
    Phi = Phi - Phi.mean(axis=0)
    W = np.linalg.solve(Phi.T @ Phi + penalty * phi_of(centres, centres, width), Phi.T @ Y)
    return W, np.mean(Y - Phi @ W, axis=0)


def only_W(X, Y, centres, width, penalty):
    return as_printed(X, Y, centres, width, penalty)[0]


def constant_as_row(X, Y, centres, width, penalty):
    W, w = as_printed(X, Y, centres, width, penalty)
    return W, w[None]


def weights_as_columns(X, Y, centres, width, penalty):
    W, w = as_printed(X, Y, centres, width, penalty)
    return W.T, w


def kernel_of_points(X, Y, centres, width, penalty):
    """K of all points: N x N does not fit."""
    Phi = phi_of(X, centres, width)
    P = Phi - Phi.mean(axis=0)
    W = np.linalg.solve(P.T @ P + penalty * phi_of(X, X, width), P.T @ Y)
    return W, Y.mean(axis=0) - Phi.mean(axis=0) @ W


def centres_in_place(X, Y, centres, width, penalty):
    Phi = phi_of(X, centres, width)
    mean = Y.mean(axis=0)
    Y -= mean
    P = Phi - Phi.mean(axis=0)
    W = np.linalg.solve(P.T @ P + penalty * phi_of(centres, centres, width), P.T @ Y)
    return W, mean - Phi.mean(axis=0) @ W


def misprint_and_wrong_constant(X, Y, centres, width, penalty):
    return ridge(X, Y, centres, width, penalty)[0], Y.mean(axis=0)


def root_of_penalty(X, Y, centres, width, penalty):
    """No known mistake: the properties speak."""
    return as_printed(X, Y, centres, width, math.sqrt(penalty))


# written with fresh eyes, from the exercise's text alone


def _deviations(X, Y, centres, width):
    """Phi, its deviations, K, and the deviations of the data."""
    Phi, K = phi_of(X, centres, width), phi_of(centres, centres, width)
    return Phi, Phi - Phi.mean(axis=0), K, Y - Y.mean(axis=0)


def mean_of_data_for_w(X, Y, centres, width, penalty):
    _, P, K, Yc = _deviations(X, Y, centres, width)
    return np.linalg.solve(P.T @ P + penalty * K, P.T @ Yc), Y.mean(axis=0)


def ones_beside_phi(X, Y, centres, width, penalty):
    Phi = np.hstack([phi_of(X, centres, width), np.ones((len(X), 1))])
    M = len(centres)
    K = np.eye(M + 1)
    K[:M, :M] = phi_of(centres, centres, width)
    V = np.linalg.solve(Phi.T @ Phi + penalty * K, Phi.T @ Y)
    return V[:-1], V[-1]


def divided_by_deviation(X, Y, centres, width, penalty):
    Phi, P, K, Yc = _deviations(X, Y, centres, width)
    P = P / Phi.std(axis=0)
    W = np.linalg.solve(P.T @ P + penalty * K, P.T @ Yc)
    return W, (Y - Phi @ W).mean(axis=0)


def one_number_for_w(X, Y, centres, width, penalty):
    Phi, P, K, Yc = _deviations(X, Y, centres, width)
    W = np.linalg.solve(P.T @ P + penalty * K, P.T @ Yc)
    return W, np.mean(Y - Phi @ W)


def constant_of_deviations(X, Y, centres, width, penalty):
    _, P, K, Yc = _deviations(X, Y, centres, width)
    W = np.linalg.solve(P.T @ P + penalty * K, P.T @ Yc)
    return W, np.mean(Yc - P @ W, axis=0)


def means_of_rows(X, Y, centres, width, penalty):
    Phi, _, K, _ = _deviations(X, Y, centres, width)
    P, Yc = Phi - Phi.mean(axis=1, keepdims=True), Y - Y.mean(axis=1, keepdims=True)
    W = np.linalg.solve(P.T @ P + penalty * K, P.T @ Yc)
    return W, (Y - Phi @ W).mean(axis=0)


def products_for_kernel(X, Y, centres, width, penalty):
    Phi, P, _, Yc = _deviations(X, Y, centres, width)
    W = np.linalg.solve(P.T @ P + penalty * (Phi.T @ Phi), P.T @ Yc)
    return W, (Y - Phi @ W).mean(axis=0)


def everything_centred(X, Y, centres, width, penalty):
    Phi, P, K, Yc = _deviations(X, Y, centres, width)
    W = np.linalg.solve(P.T @ P + penalty * (K - K.mean(axis=0)), P.T @ Yc)
    return W, (Y - Phi @ W).mean(axis=0)


WRONG = [
    ("ones_on_diagonal", _printed(K=misprint)),
    ("ones_on_diagonal", ridge),
    ("ones_everywhere", _printed(K=literal_ones)),
    ("penalty_forgotten", _printed(left=lambda A, G, p, N: A)),
    ("lambda_forgotten", _printed(left=lambda A, G, p, N: A + G)),
    ("penalty_subtracted", _printed(left=lambda A, G, p, N: A - p * G)),
    ("penalty_times_n", _printed(left=lambda A, G, p, N: A + N * p * G)),
    ("penalty_over_n", _printed(left=lambda A, G, p, N: A + p * G / N)),
    ("penalty_halved", _printed(left=lambda A, G, p, N: A + 0.5 * p * G)),
    ("penalty_doubled", _printed(left=lambda A, G, p, N: A + 2 * p * G)),
    ("one_over_n_forgotten", _printed(corrected=lambda total, N: np.outer(total, total))),
    ("means_added", _printed(corrected=lambda total, N: -np.outer(total, total) / N)),
    ("only_data_centred", _printed(corrected=lambda total, N: 0)),
    ("nothing_centred", _printed(corrected=lambda total, N: 0, data=lambda Y: Y)),
    (
        "no_constant",
        _printed(
            corrected=lambda total, N: 0, data=lambda Y: Y, constant=lambda Y, f: 0 * Y.mean(0)
        ),
    ),
    ("data_not_centred", _printed(data=lambda Y: Y)),
    ("constant_zero", _printed(constant=lambda Y, f: np.zeros(Y.shape[1]))),
    ("constant_is_mean", _printed(constant=lambda Y, f: np.mean(Y, 0))),
    ("constant_is_mean", mean_of_centred),
    ("constant_sign", _printed(constant=lambda Y, f: np.mean(Y + f, 0))),
    ("constant_summed", _printed(constant=lambda Y, f: sum(Y - f))),
    ("half_missing", _printed(phi=lambda x, c, s: np.exp(-((cdist(x, c) / s) ** 2)))),
    ("width_not_squared", _printed(phi=lambda x, c, s: np.exp(-(cdist(x, c) ** 2) / 2 / s))),
    ("distance_not_squared", _printed(phi=lambda x, c, s: np.exp(-cdist(x, c) / 2 / s**2))),
    ("constant_penalised", ones_column_ridge),
    ("rows_alone_centred", centred_by_row),
    ("mean_of_data_first", subtracts_mean_of_y),
    ("one_mean_for_all", mean_without_axis),
    ("shape", constant_without_axis),
    ("wrong_type", only_W),
    ("shape", constant_as_row),
    ("weights_transposed", weights_as_columns),
    ("kernel_of_the_data", kernel_of_points),
    ("changes_input", centres_in_place),
    ("ones_on_diagonal", misprint_and_wrong_constant),
    ("penalty_rooted", root_of_penalty),
    # written with fresh eyes, from the exercise's text alone
    ("constant_is_mean", mean_of_data_for_w),
    ("constant_penalised", ones_beside_phi),
    ("standardised", divided_by_deviation),
    ("shape", one_number_for_w),
    ("constant_zero", constant_of_deviations),
    ("rows_centred_in_both", means_of_rows),
    ("gram_for_kernel", products_for_kernel),
    ("kernel_centred", everything_centred),
    ("penalty_squared", _printed(left=lambda A, G, p, N: A + p**2 * G)),
    ("width_multiplied", _printed(phi=lambda x, c, s: np.exp(-(cdist(x, c) ** 2) / 2 * s**2))),
    ("two_squared_too", _printed(phi=lambda x, c, s: np.exp(-(cdist(x, c) ** 2) / (2 * s) ** 2))),
]
