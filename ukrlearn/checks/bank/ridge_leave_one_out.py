"""What kernel ridge regression with a constant says of each point without it, in closed form."""

import numpy as np

from ukrlearn.blocks.kernel_ridge import ridge_path
from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise

SIZES = ((9, 3, 2), (7, 4, 1), (12, 2, 3))  # N, d, q: no two the same in a trial


def reference(Y, X, gamma, penalty):
    path = ridge_path(Y, np.sqrt(0.5 / gamma))
    return path.left_out_residuals(X, penalty, intercept=True)


def trials(seed):
    random = np.random.default_rng(seed)
    Y, X = np.array([[0.0], [1.0], [3.0]]), np.array([[0.0, 1.0], [3.0, 2.0], [9.0, 7.0]])
    made = [Trial("three points", dict(Y=Y, X=X, gamma=0.5, penalty=1.0))]
    plane = dict(
        Y=np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 2.0], [-2.0, 1.0]]),
        X=np.array([[-6.0], [0.0], [2.0], [4.0]]), gamma=0.25, penalty=2.0,
    )  # fmt: skip
    made.append(Trial("four points in the plane, two of them equal", plane))
    for N, d, q in SIZES:
        Y = random.normal(size=(N, d)) * (1 + 0.3 * np.arange(d)) + 0.5
        X = 2 * random.normal(size=(N, q)) * (1 + np.arange(q)) + 3 + np.arange(q)
        gamma, penalty = random.uniform(0.3, 0.8), random.uniform(0.15, 0.6)
        made.append(
            Trial(f"N = {N}, d = {d}, q = {q}", dict(Y=Y, X=X, gamma=gamma, penalty=penalty))
        )
    arguments = made[-1].arguments
    centred = dict(arguments, Y=Y - Y.mean(axis=0), X=X - X.mean(axis=0))
    centred["Y"][4] = 0
    made.append(Trial("data and places centred at the origin, a row of zeros", centred))
    made.append(Trial("places far from the origin", dict(arguments, X=X + 50)))
    made.append(Trial("twenty times the penalty", dict(arguments, penalty=20 * penalty)))
    twins = Y.copy()
    twins[4], twins[7] = twins[2], twins[9]
    made.append(Trial("two data points are equal, twice", dict(arguments, Y=twins)))
    alone = Y.copy()
    alone[3] += 60
    made.append(Trial("one data point far from the others", dict(arguments, Y=alone)))
    units = dict(arguments, Y=1e3 * Y, gamma=1e-6 * gamma)
    made.append(Trial("data in other units", units))
    made.append(Trial("places a million times larger", dict(arguments, X=1e6 * X)))
    return made


RIDGE = pipeline(
    "Y X gamma penalty",
    squares=lambda Y: np.sum((Y[:, None] - Y) ** 2, axis=2),
    K=lambda squares, gamma: np.exp(-gamma * squares),
    strength=lambda penalty: penalty,
    system=lambda K, strength: K + strength * np.eye(len(K)),
    A=lambda system: np.linalg.inv(system),
    row_sums=lambda A: np.sum(A, axis=1),
    constant=lambda row_sums, X: row_sums @ X / np.sum(row_sums),
    W=lambda A, X, constant: A @ (X - constant),
    plain=lambda W, strength: strength * W,
    rest=lambda A, row_sums, strength: (
        strength * (A - np.outer(row_sums, row_sums) / np.sum(row_sums))
    ),
    divisors=lambda rest: np.diag(rest),
    residuals=lambda plain, divisors: plain / divisors[:, None],  # divided by 1 - H_nn
)


# Mistakes


def _divided(by):
    """Other divisors, made of the right ones."""
    return RIDGE(divisors=lambda rest: by(np.diag(rest)))


def _zero(X):
    return np.zeros(X.shape[1])


def _rest_without_constant(A, strength):
    return strength * A


def _refitted(K, system, X, inverse, constant):
    """x_n less the fit to the others, with other inverses or constants."""
    found = np.empty(X.shape)
    for n in range(len(X)):
        o = np.arange(len(X)) != n
        A = inverse(system, o)
        c = constant(A, X, o)
        found[n] = X[n] - c - K[n, o] @ A @ (X[o] - c)
    return found


def _piece_of_inverse(system, o):
    return np.linalg.inv(system)[np.ix_(o, o)]


def _constant_of_weights(A, X, o):
    return A.sum(axis=0) @ X[o] / A.sum()


def _not_all_plain(residuals, Y, X, gamma, penalty):
    """Without the point, the error is larger than with it."""
    plain = np.abs(RIDGE(residuals=lambda plain: plain)(Y, X, gamma, penalty))
    return bool((np.abs(residuals) >= plain - 2e-3 * np.abs(X).max()).all())


def _refitted_without_constant(K, strength, X):
    """The kernel terms alone predict the point that is left out."""
    N, left = len(X), np.zeros(X.shape)
    for n in range(N):
        o = np.arange(N) != n
        inverse = np.linalg.inv(K[np.ix_(o, o)] + strength * np.eye(N - 1))
        sums = inverse.sum(axis=1)
        left[n] = X[n] - K[n, o] @ inverse @ (X[o] - sums @ X[o] / sums.sum())
    return left


MISTAKES = (
    Misconception("divided_by_h", mistaken=_divided(lambda own: 1 - own)),
    Misconception("divided_by_sum", mistaken=_divided(lambda own: 2 - own)),
    Misconception("divided_by_mean", mistaken=_divided(lambda own: np.full(len(own), own.mean()))),
    Misconception("divided_by_trace", mistaken=_divided(lambda own: np.full(len(own), own.sum()))),
    Misconception("multiplied", mistaken=_divided(lambda own: 1 / own)),
    RIDGE.mistake("divided_by_row_sums", divisors=lambda A, strength: strength * A.sum(axis=1)),
    *RIDGE.mistakes(
        "residuals",
        predictions_returned=lambda plain, divisors, X: X - RIDGE.residuals(plain, divisors),
        fit_returned=lambda plain, X: X - plain,
        diagonal_of_h_dropped=lambda plain, divisors, X: plain + (1 - divisors)[:, None] * X,
        own_kernel_dropped=lambda plain, W, K: plain + np.diag(K)[:, None] * W,
        piece_of_the_inverse=lambda K, system, X: _refitted(
            K, system, X, _piece_of_inverse, _constant_of_weights
        ),
        constant_left_out_of_refit=_refitted_without_constant,
    ),
    RIDGE.mistake("fit_divided", plain=lambda W, strength, X: X - RIDGE.plain(W, strength)),
    RIDGE.mistake("penalty_missing_in_h", divisors=lambda rest, strength: np.diag(rest) / strength),
    RIDGE.mistake("no_constant", constant=_zero, rest=_rest_without_constant),
    RIDGE.mistake("mean_taken_off", constant=lambda X: X.mean(axis=0), rest=_rest_without_constant),
    RIDGE.mistake(
        "mean_for_constant",
        constant=lambda X: X.mean(axis=0),
        rest=lambda A, strength: strength * A @ (np.eye(len(A)) - 1 / len(A)),
    ),
    RIDGE.mistake("mean_for_constant_in_f", constant=lambda X: X.mean(axis=0)),
    RIDGE.mistake("constant_over_n", constant=lambda row_sums, X: row_sums @ X / len(X)),
    RIDGE.mistake(
        "share_of_constant_one_nth", divisors=lambda A, strength: strength * np.diag(A) - 1 / len(A)
    ),
    RIDGE.mistake(
        "constant_penalised",
        K=lambda squares, gamma: RIDGE.K(squares, gamma) + 1,
        constant=_zero,
        rest=_rest_without_constant,
    ),
    RIDGE.mistake("penalty_times_n", strength=lambda penalty, Y: penalty * len(Y)),
    RIDGE.mistake("penalty_over_n", strength=lambda penalty, Y: penalty / len(Y)),
    RIDGE.mistake("not_inverted", A=lambda system: system),
    RIDGE.mistake("inverted_by_entries", A=lambda system: 1 / system),
    RIDGE.mistake("gamma_halved", K=lambda squares, gamma: np.exp(-gamma * squares / 2)),
    RIDGE.mistake("gamma_as_width", K=lambda squares, gamma: np.exp(-squares / (2 * gamma**2))),
    RIDGE.mistake("gamma_as_whole_width", K=lambda squares, gamma: np.exp(-squares / gamma**2)),
    RIDGE.mistake("gamma_divides", K=lambda squares, gamma: np.exp(-squares / gamma)),
    RIDGE.mistake("gamma_squared", K=lambda squares, gamma: np.exp(-(gamma**2) * squares)),
    RIDGE.mistake("gamma_forgotten", K=lambda squares: np.exp(-squares)),
    RIDGE.mistake("sign_missing", K=lambda squares, gamma: np.exp(gamma * squares)),
    RIDGE.mistake("kernel_of_places", squares=lambda X: RIDGE.squares(X)),
    RIDGE.mistake(
        "normalised",
        K=lambda squares, gamma: (
            RIDGE.K(squares, gamma) / RIDGE.K(squares, gamma).sum(axis=1, keepdims=True)
        ),
    ),
    RIDGE.mistake(
        "penalty_after_inverse", A=lambda K, strength: np.linalg.inv(K) + strength * np.eye(len(K))
    ),
)


EXERCISE = exercise(
    "ridge_leave_one_out",
    lesson="30_where_new_points_go",
    equations="[SI] section 1",
    minutes=25,
    shapes={"Y": "N d", "X": "N q", "gamma": "", "penalty": ""},
    returns={"residuals": "N q"},
    trials=trials,
    reference=reference,
    stages=RIDGE,
    properties=(Property("smaller_than_plain", holds=_not_all_plain),),
    misconceptions=MISTAKES,
)
