"""The factors S by which leaving points out raises squared residuals, and the terms of R_cv."""

import numpy as np

from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.mistakes import (
    distance_mistakes,
    kernel_mistakes,
    residual_mistakes,
    weight_mistakes,
    without_diagonal,
)
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.steps import B, exponents, kernels, lengths, rebuilt, residuals, squares, sums
from ukrlearn.checks.texts import exercise
from ukrlearn.checks.trials import SIZES, data, within_reach
from ukrlearn.ukr import reconstruction


def reference(X, Y):
    return reconstruction.penalty_factors(X), reconstruction.squared_residuals(X, Y)


def trials(seed):
    random = np.random.default_rng(seed)
    X, Y = np.array([[0.0], [1.0], [2.0]]), np.array([[1.0, 0.0], [2.0, 4.0], [0.0, 6.0]])
    made = [Trial("three points", dict(X=X, Y=Y))]
    X = np.array([[-1.0, 0.0], [0.0, 2.0], [1.0, -2.0], [0.0, 0.0]])
    Y = np.array([[1.0, -2.0], [0.0, 0.0], [3.0, 1.0], [-4.0, 1.0]])
    made.append(Trial("four points of a plane, centred", dict(X=X, Y=Y)))
    for N, d, q in SIZES:
        X, Y = data(random, N, d, q)
        X = within_reach(0.6 * X)
        made.append(Trial(f"N = {N}, d = {d}, q = {q}", dict(X=X, Y=Y)))
    twins = X.copy()
    twins[4], twins[7] = twins[2], twins[9]
    made.append(Trial("two points at the same place, twice", dict(X=twins, Y=Y)))
    made.append(Trial("latent points close together", dict(X=1e-3 * X, Y=Y)))
    lattice = 2.5 * np.arange(6.0)[:, None] + 0.3 * random.normal(size=(6, 1))
    made.append(Trial("every point nearly alone", dict(X=lattice, Y=Y[:6])))
    made.append(Trial("data a million times larger", dict(X=X, Y=1e6 * Y)))
    one_place = dict(X=np.ones((3, 1)), Y=np.array([[0.0], [3.0], [6.0]]))  # the middle one fits
    made.append(Trial("three points at one place, one of them rebuilt perfectly", one_place))
    X, Y = random.normal(size=(9, 2)), random.normal(size=(9, 3))
    X, Y = within_reach(X - X.mean(axis=0)), Y - Y.mean(axis=0)
    X[2], X[5], Y[3], Y[7] = 0, X[4], 0, Y[6]
    made.append(Trial("centred, with zeros and ties", dict(X=X, Y=Y)))
    return made


PENALTIES = pipeline(
    "X Y",
    returns="S terms",
    squares=squares,
    exponents=exponents,
    kernels=kernels,
    T=lambda kernels: np.sum(kernels, axis=1) - np.diag(kernels),
    sums=sums,
    B=B,
    rebuilt=rebuilt,
    residuals=residuals,
    lengths=lengths,
    S=lambda T: (1 + 1 / T) ** 2,
    terms=lambda S, lengths: S * lengths,
)


def _plain_squares(X, Y):
    K = kernels(exponents(squares(X)))
    return lengths(Y - K @ Y / sums(K))


def _without_itself(kernels):
    others = without_diagonal(kernels)
    return others / sums(others)


def _left_out_by_place(X, kernels):
    return np.where(np.all(X[:, None] == X, axis=2), 0, kernels).sum(axis=1)


MISTAKES = (
    PENALTIES.mistake("square_inside", S=lambda T: 1 + 1 / T**2),
    PENALTIES.mistake("upside_down", S=lambda T: (T / (T + 1)) ** 2),
    PENALTIES.mistake("mean_for_sum", T=lambda kernels: PENALTIES.T(kernels) / len(kernels)),
    PENALTIES.mistake(
        "mean_of_others_for_sum", T=lambda kernels: PENALTIES.T(kernels) / (len(kernels) - 1)
    ),
    PENALTIES.mistake("density_ratio", S=lambda T: ((len(T) - 1) / len(T) * (1 + 1 / T)) ** 2),
    PENALTIES.mistake(
        "all_in_one", T=lambda kernels: np.full(len(kernels), PENALTIES.T(kernels).sum())
    ),
    PENALTIES.mistake("left_out_by_place", T=_left_out_by_place),
    PENALTIES.mistake("normalised_first", S=lambda T: (1 + (T + 1) / T) ** 2),
    PENALTIES.mistake("distances_summed", T=lambda squares: squares.sum(axis=1)),
    PENALTIES.mistake("charged_twice", B=_without_itself),
    PENALTIES.mistake("root_charged", terms=lambda S, lengths: np.sqrt(S) * lengths),
    PENALTIES.mistake("divided_by_factor", terms=lambda S, lengths: lengths / S),
    PENALTIES.mistake("mean_taken_early", terms=lambda S, lengths: S * lengths / len(S)),
    PENALTIES.mistake("itself_subtracted_twice", T=lambda kernels: PENALTIES.T(kernels) - 1),
    PENALTIES.mistake("reciprocal_alone", S=lambda T: 1 / T),
    PENALTIES.mistake("mean_returned", terms=lambda S, lengths: np.mean(S * lengths)),
    PENALTIES.mistake(
        "factors_along_columns",
        lengths=lambda residuals: residuals**2,
        terms=lambda S, lengths: np.sum(S * lengths, axis=1),
    ),
    *residual_mistakes(PENALTIES, "mean_over_all", "lengths_not_squared", "row_times_table"),
    *weight_mistakes(
        PENALTIES,
        "identity_added",
        "half_of_the_pairs",
        "other_half_of_the_pairs",
        "first_point_forgotten",
        "last_point_forgotten",
    ),
    *kernel_mistakes(PENALTIES),
    *distance_mistakes(PENALTIES),
)


EXERCISE = exercise(
    "penalty_factors",
    lesson="04_leave_one_out",
    equations="[UKR] (11), (12)",
    minutes=20,
    shapes={"X": "N q", "Y": "N d"},
    returns={"S": "N", "terms": "N"},
    trials=trials,
    reference=reference,
    stages=PENALTIES,
    properties=(
        Property(
            "factor_too_small",
            holds=lambda values, X, Y: bool(
                (values[0] >= (len(X) / (len(X) - 1)) ** 2 * (1 - 1e-6)).all()
            ),
        ),
        Property(
            "terms_do_not_fit",
            holds=lambda values, X, Y: bool(
                np.allclose(
                    values[1],
                    values[0] * _plain_squares(X, Y),
                    rtol=3e-3,
                    atol=1e-6 * np.max(values[1]),
                )
            ),
        ),
    ),
    misconceptions=MISTAKES,
)
