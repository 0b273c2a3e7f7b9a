"""The factors S by which leaving points out raises squared residuals, and the terms of R_cv."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.mistakes import (
    distance_mistakes,
    kernel_mistakes,
    residual_mistakes,
    weight_mistakes,
    without_diagonal,
)
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.steps import (
    B,
    exponents,
    kernels,
    lengths,
    rebuilt,
    residuals,
    squares,
    sums,
)
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


def T(kernels):
    """the sums T_i of what the others give"""
    return np.sum(kernels, axis=1) - np.diag(kernels)


def S(T):
    """the factors S_i = (1 + 1/T_i)²"""
    return (1 + 1 / T) ** 2


def terms(S, lengths):
    """the products of S and the squared lengths"""
    return S * lengths


PENALTIES = pipeline(
    "X Y",
    squares,
    exponents,
    kernels,
    T,
    sums,
    B,
    rebuilt,
    residuals,
    lengths,
    S,
    terms,
    returns="S terms",
)


def _plain_squares(X, Y):
    K = kernels(exponents(squares(X)))
    return lengths(Y - K @ Y / sums(K))


def _without_itself(kernels):
    others = without_diagonal(kernels)
    return others / sums(others)


def _left_out_squares(kernels, Y):
    return lengths(Y - _without_itself(kernels) @ Y)


def _left_out_by_place(X, kernels):
    return np.where(np.all(X[:, None] == X, axis=2), 0, kernels).sum(axis=1)


EXERCISE = Exercise(
    name="penalty_factors",
    title="What isolation costs",
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
            "No factor is below (N/(N-1))², its value where all points share one place.",
            "Some factor is too small. The others give at most K(0) each, so their sum is at most "
            "N - 1, and S can't be below (N/(N-1))².",
            lambda values, X, Y: bool(
                (values[0] >= (len(X) / (len(X) - 1)) ** 2 * (1 - 1e-6)).all()
            ),
            suspects=(
                (
                    "T",
                    "Does your T hold more than the others give, such as the point itself?",
                ),
                (
                    "S",
                    "Do you add a small number against division by zero? It hides isolated points.",
                ),
            ),
        ),
        Property(
            "terms_do_not_fit",
            "Your terms are your S times the plain squared residuals, as (11) says.",
            "Your terms are not your S times the plain squared residuals |y_n - f(x_n)|², "
            "although (11) says so.",
            lambda values, X, Y: bool(
                np.allclose(
                    values[1],
                    values[0] * _plain_squares(X, Y),
                    rtol=3e-3,
                    atol=1e-6 * np.max(values[1]),
                )
            ),
            suspects=(
                ("B", "Is the point still in its own f(x_n), and each row of K over its sum?"),
                ("lengths", "Do you sum the squares over the d columns?"),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "not_squared",
            "The square of (12) is missing in S. The residual itself is stretched by 1 + "
            "K(0)/T_n, so its square is stretched by this, squared.",
            PENALTIES(S=lambda T: 1 + 1 / T),
        ),
        Misconception(
            "square_inside",
            "You square K(0)/T_n and then add 1. In (12) the whole bracket is squared.",
            PENALTIES(S=lambda T: 1 + 1 / T**2),
        ),
        Misconception(
            "itself_counted",
            "The sum below K(0) in (12) is over the others only; yours includes the point itself, "
            "K(0) = 1. Then even an isolated point would pay only a factor 4.",
            PENALTIES(T=lambda kernels: np.sum(kernels, axis=1)),
        ),
        Misconception(
            "one_forgotten",
            "The 1 in front of K(0)/T_n is missing in S. In a crowd the factor must approach 1; "
            "yours approaches 0.",
            PENALTIES(S=lambda T: 1 / T**2),
        ),
        Misconception(
            "upside_down",
            "Your S is 1/S. T/(T + K(0)) leads from the left-out residual to the plain one; here "
            "you need the reverse. Where a point is isolated the factor must be large.",
            PENALTIES(S=lambda T: (T / (T + 1)) ** 2),
        ),
        Misconception(
            "sum_in_place_of_reciprocal",
            "You have 1 + T_n/K(0) in the bracket: the fraction is upside down. The more the "
            "others give, the smaller the factor must be.",
            PENALTIES(S=lambda T: (1 + T) ** 2),
        ),
        Misconception(
            "mean_for_sum",
            "Below K(0) you have a mean over the points; (12) has a sum. The more neighbours a "
            "point has, the less it pays: a mean ignores their number.",
            PENALTIES(T=lambda kernels: T(kernels) / len(kernels)),
        ),
        Misconception(
            "mean_of_others_for_sum",
            "Below K(0) you have the mean over the N - 1 others; (12) has the sum. The more "
            "neighbours a point has, the less it pays: a mean ignores their number.",
            PENALTIES(T=lambda kernels: T(kernels) / (len(kernels) - 1)),
        ),
        Misconception(
            "density_ratio",
            "This is the ratio of densities (p/p_-n)², which is S up to a factor (N/(N-1))². Use "
            "the sum of (12) and not the means.",
            PENALTIES(S=lambda T: ((len(T) - 1) / len(T) * (1 + 1 / T)) ** 2),
        ),
        Misconception(
            "all_in_one",
            "Every point gets the same factor: you sum K over all pairs. Each point has its own sum over "
            "the others, one for each row: axis=1.",
            PENALTIES(T=lambda kernels: np.full(len(kernels), T(kernels).sum())),
        ),
        Misconception(
            "left_out_by_place",
            "In S you leave out every point with the same coordinates (or the kernel value 1), "
            "not only the point itself. Compare indices, not positions.",
            PENALTIES(T=_left_out_by_place),
        ),
        Misconception(
            "normalised_first",
            "Your S sums weights that are already divided by their total, so the sum is always "
            "below 1. (12) has the kernel values themselves.",
            PENALTIES(S=lambda T: (1 + (T + 1) / T) ** 2),
        ),
        Misconception(
            "distances_summed",
            "Your S sums squared distances. It must sum kernel values exp(-|x_i - x_j|²/2): the "
            "farther the others, the less they give.",
            PENALTIES(T=lambda squares: squares.sum(axis=1)),
        ),
        Misconception(
            "ratio_of_errors",
            "You compute S as a quotient of two squared residuals. That is 0/0 where a point is "
            "rebuilt perfectly. By (12) S needs no data, only latent points.",
            PENALTIES(
                S=lambda kernels, Y, lengths: _left_out_squares(kernels, Y) / lengths,
                terms=lambda kernels, Y: _left_out_squares(kernels, Y),
            ),
        ),
        Misconception(
            "exchanged",
            "You return the two results in the wrong order: S first, then the terms.",
            PENALTIES(
                S=lambda T, lengths: (1 + 1 / T) ** 2 * lengths,
                terms=lambda T: (1 + 1 / T) ** 2,
            ),
        ),
        Misconception(
            "charged_twice",
            "Your terms contain S twice. Either your residuals already leave the "
            "point out, or you square S with the residual. S multiplies the plain squared "
            "residual, with the point in its own f(x_n), once.",
            PENALTIES(B=_without_itself),
        ),
        Misconception(
            "not_charged",
            "Your terms are the plain squared residuals, without S.",
            PENALTIES(terms=lambda lengths: lengths),
        ),
        Misconception(
            "root_charged",
            "You multiply the squared residual by the root of S. The root belongs to "
            "the residual, S to its square.",
            PENALTIES(terms=lambda S, lengths: np.sqrt(S) * lengths),
        ),
        Misconception(
            "divided_by_factor",
            "You divide by S. The left-out residual is the larger one.",
            PENALTIES(terms=lambda S, lengths: lengths / S),
        ),
        Misconception(
            "length_not_squared",
            "Your S multiplies the length |y_n - f(x_n)| and not its square.",
            PENALTIES(lengths=lambda residuals: np.linalg.norm(residuals, axis=1)),
        ),
        Misconception(
            "term_for_each_column",
            "You have a term for each column of Y. Each point has one term: sum "
            "the squared differences over the d columns, axis=1.",
            PENALTIES(
                lengths=lambda residuals: residuals**2,
                terms=lambda S, lengths: S[:, None] * lengths,
            ),
        ),
        Misconception(
            "mean_over_columns",
            "Your terms are too small by the factor d: a squared length is the sum over the d columns, "
            "not their mean.",
            PENALTIES(lengths=lambda residuals: np.mean(residuals**2, axis=1)),
        ),
        Misconception(
            "mean_taken_early",
            "Your terms are already divided by N. Their mean must be R_cv, so do not divide them.",
            PENALTIES(terms=lambda S, lengths: S * lengths / len(S)),
        ),
        Misconception(
            "itself_subtracted_twice",
            "You take the point itself out of T twice: it is zero on the diagonal already when "
            "you subtract K(0) = 1. Do one of the two.",
            PENALTIES(T=lambda kernels: T(kernels) - 1),
        ),
        Misconception(
            "reciprocal_alone",
            "Your S is K(0)/T_n: the 1 in front of it is missing, and so is the square of the "
            "bracket. In a crowd the factor must approach 1; yours approaches 0.",
            PENALTIES(S=lambda T: 1 / T),
        ),
        Misconception(
            "minus_for_plus",
            "You have 1 - K(0)/T_n in the bracket. Leaving a point out raises its residual: the "
            "factor is (1 + K(0)/T_n)², never below 1.",
            PENALTIES(S=lambda T: (1 - 1 / T) ** 2),
        ),
        Misconception(
            "mean_returned",
            "Your second result is one number, the mean of the terms, which is R_cv. Return the "
            "terms themselves, one for each point.",
            PENALTIES(terms=lambda S, lengths: np.mean(S * lengths)),
        ),
        Misconception(
            "sum_returned",
            "Your second result is one number, the sum of the terms. Return the terms themselves, "
            "one for each point.",
            PENALTIES(terms=lambda S, lengths: np.sum(S * lengths)),
        ),
        Misconception(
            "factors_along_columns",
            "You multiply N numbers, of shape (N,), with a table of shape (N, d): NumPy lays them "
            "along the columns. If they are S: each point has one factor and one squared length, so "
            "sum the squares over the d columns first, axis=1. If they are weights: make them a "
            "column with [:, None], or use @.",
            PENALTIES(
                lengths=lambda residuals: residuals**2,
                terms=lambda S, lengths: np.sum(S * lengths, axis=1),
            ),
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
    ),
    hints=(
        "Which of the two results depends on X alone? And in which of the two sums, T and that below "
        "f(x_n), does the point itself count?",
        "T_n = sum over m ≠ n of exp(-|x_n - x_m|²/2), and S_n = (1 + 1/T_n)². With the full K, f = K Y "
        "with each row divided by its sum, T_n + 1. Then terms_n = S_n |y_n - f_n|².",
        "K.sum(axis=1) holds the point itself, which gives exactly 1: subtract it for T. Squared "
        "lengths of the rows of f - Y: square, then sum over axis=1. Return both results, S "
        "first.",
    ),
)
