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
    as_least_squares,
    in_single_precision,
    checked_by_cholesky,
]


def ridge(X, Y, centres, width, penalty):
    from sklearn.linear_model import Ridge

    f = Ridge(alpha=penalty).fit(phi_of(X, centres, width), Y)
    return f.coef_.T, f.intercept_


def constant_without_axis(X, Y, centres, width, penalty):
    W, _ = as_printed(X, Y, centres, width, penalty)
    return W, np.mean(Y - phi_of(X, centres, width) @ W)


def only_W(X, Y, centres, width, penalty):
    return as_printed(X, Y, centres, width, penalty)[0]


def constant_as_row(X, Y, centres, width, penalty):
    W, w = as_printed(X, Y, centres, width, penalty)
    return W, w[None]


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


# written with fresh eyes, from the exercise's text alone


def _deviations(X, Y, centres, width):
    """Phi, its deviations, K, and the deviations of the data."""
    Phi, K = phi_of(X, centres, width), phi_of(centres, centres, width)
    return Phi, Phi - Phi.mean(axis=0), K, Y - Y.mean(axis=0)


def one_number_for_w(X, Y, centres, width, penalty):
    Phi, P, K, Yc = _deviations(X, Y, centres, width)
    W = np.linalg.solve(P.T @ P + penalty * K, P.T @ Yc)
    return W, np.mean(Y - Phi @ W)


WRONG = [
    ("shape", constant_without_axis),
    ("wrong_type", only_W),
    ("shape", constant_as_row),
    ("kernel_of_the_data", kernel_of_points),
    ("changes_input", centres_in_place),
    ("ones_on_diagonal", misprint_and_wrong_constant),
    # written with fresh eyes, from the exercise's text alone
    ("shape", one_number_for_w),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    ones_on_diagonal ones_on_diagonal lambda_forgotten penalty_times_n penalty_over_n means_added
    only_data_centred nothing_centred no_constant data_not_centred constant_zero constant_is_mean
    constant_summed half_missing width_not_squared distance_not_squared constant_penalised
    mean_of_data_first one_mean_for_all penalty_rooted constant_is_mean constant_penalised
    standardised gram_for_kernel penalty_squared constant_is_mean constant_zero
""".split()
