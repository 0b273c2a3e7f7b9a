"""The factors S by which leaving points out raises squared residuals, and the terms of R_cv."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.trials import SIZES, data, within_reach
from ukrlearn.ukr import reconstruction


def reference(X, Y):
    return reconstruction.penalty_factors(X), reconstruction.squared_residuals(X, Y)


def trials(seed):
    random = np.random.default_rng(seed)
    X, Y = np.array([[0.0], [1.0], [2.0]]), np.array([[1.0, 0.0], [2.0, 4.0], [0.0, 6.0]])
    made = [Trial("three points", dict(X=X, Y=Y))]
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
    return made


def _kernel(X, power=2, factor=0.5):
    distance = np.sqrt(np.sum((X[:, None] - X) ** 2, axis=2))
    return np.exp(-factor * distance**power)


def _others(X, **options):
    """T_n, the sum over the others."""
    K = _kernel(X, **options)
    np.fill_diagonal(K, 0)
    return K.sum(axis=1)


def _residual(X, Y, leave_out=False, **options):
    K = _kernel(X, **options)
    if leave_out:
        np.fill_diagonal(K, 0)
    return K @ Y / K.sum(axis=1, keepdims=True) - Y


def _squares(X, Y, **options):
    return np.sum(_residual(X, Y, **options) ** 2, axis=1)


def _factors(X):
    return (1 + 1 / _others(X)) ** 2


def _wrong_factors(factors):
    """S from the sums over the others, and the terms with it."""

    def both(X, Y):
        S = factors(_others(X), len(X))
        return S, S * _squares(X, Y)

    return both


def _wrong_terms(terms):
    return lambda X, Y: (_factors(X), terms(_factors(X), X, Y))


def _wrong_kernel(**options):
    def both(X, Y):
        S = (1 + 1 / _others(X, **options)) ** 2
        return S, S * _squares(X, Y, **options)

    return both


def _left_out_by_place(X, Y):
    K = _kernel(X)
    K[np.all(X[:, None] == X, axis=2)] = 0
    S = (1 + 1 / K.sum(axis=1)) ** 2
    return S, S * _squares(X, Y)


def _ratio_of_errors(X, Y):
    left_out = _squares(X, Y, leave_out=True)
    return left_out / _squares(X, Y), left_out


def _columns_divided(S, X, Y):
    K = _kernel(X)
    return S * np.sum((K / K.sum(axis=1) @ Y - Y) ** 2, axis=1)


def _distances_summed(X, Y):
    S = (1 + 1 / np.sum((X[:, None] - X) ** 2, axis=(1, 2))) ** 2
    return S, S * _squares(X, Y)


def _all_in_one(X, Y):
    S = np.full(len(X), (1 + 1 / _others(X).sum()) ** 2)
    return S, S * _squares(X, Y)


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
    properties=(
        Property(
            "factor_too_small",
            "No factor is below (N/(N-1))², its value where all points share one place.",
            "Some factor is too small. The others give at most K(0) each, so their sum is at most "
            "N - 1, and S can't be below (N/(N-1))². Does your T hold more than the others give: "
            "the point itself, or a small number against division by zero? That number hides "
            "isolated points.",
            lambda values, X, Y: bool(
                (values[0] >= (len(X) / (len(X) - 1)) ** 2 * (1 - 1e-6)).all()
            ),
        ),
        Property(
            "terms_do_not_fit",
            "Your terms are your S times the plain squared residuals, as (11) says.",
            "Your terms are not your S times the plain squared residuals |y_n - f(x_n)|², "
            "although (11) says so. Is the point still in its own f(x_n)? Do you divide each row "
            "of K by its own sum, and sum over the d columns?",
            lambda values, X, Y: bool(
                np.allclose(
                    values[1],
                    values[0] * _squares(X, Y),
                    rtol=3e-3,
                    atol=1e-6 * np.max(values[1]),
                )
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "not_squared",
            "The square of (12) is missing in S. The residual itself is stretched by 1 + "
            "K(0)/T_n, so its square is stretched by this, squared.",
            _wrong_factors(lambda T, N: 1 + 1 / T),
        ),
        Misconception(
            "square_inside",
            "You square K(0)/T_n and then add 1. In (12) the whole bracket is squared.",
            _wrong_factors(lambda T, N: 1 + 1 / T**2),
        ),
        Misconception(
            "itself_counted",
            "The sum below K(0) in (12) is over the others only; yours includes the point itself, "
            "K(0) = 1. Then even an isolated point would pay only a factor 4.",
            _wrong_factors(lambda T, N: (1 + 1 / (T + 1)) ** 2),
        ),
        Misconception(
            "one_forgotten",
            "The 1 in front of K(0)/T_n is missing in S. In a crowd the factor must approach 1; "
            "yours approaches 0.",
            _wrong_factors(lambda T, N: 1 / T**2),
        ),
        Misconception(
            "upside_down",
            "Your S is 1/S. T/(T + K(0)) leads from the left-out residual to the plain one; here "
            "you need the reverse. Where a point is isolated the factor must be large.",
            _wrong_factors(lambda T, N: (T / (T + 1)) ** 2),
        ),
        Misconception(
            "sum_in_place_of_reciprocal",
            "You have 1 + T_n/K(0) in the bracket: the fraction is upside down. The more the "
            "others give, the smaller the factor must be.",
            _wrong_factors(lambda T, N: (1 + T) ** 2),
        ),
        Misconception(
            "mean_for_sum",
            "Below K(0) you have a mean over the points; (12) has a sum. The more neighbours a "
            "point has, the less it pays: a mean ignores their number.",
            _wrong_factors(lambda T, N: (1 + N / T) ** 2),
        ),
        Misconception(
            "mean_of_others_for_sum",
            "Below K(0) you have the mean over the N - 1 others; (12) has the sum. The more "
            "neighbours a point has, the less it pays: a mean ignores their number.",
            _wrong_factors(lambda T, N: (1 + (N - 1) / T) ** 2),
        ),
        Misconception(
            "density_ratio",
            "This is the ratio of densities (p/p_-n)², which is S up to a factor (N/(N-1))². Use "
            "the sum of (12) and not the means.",
            _wrong_factors(lambda T, N: ((N - 1) / N * (1 + 1 / T)) ** 2),
        ),
        Misconception(
            "all_in_one",
            "Every point gets the same factor: you sum K over all pairs. Each point has its own sum over "
            "the others, one for each row: axis=1.",
            _all_in_one,
        ),
        Misconception(
            "left_out_by_place",
            "In S you leave out every point with the same coordinates (or the kernel value 1), "
            "not only the point itself. Compare indices, not positions.",
            _left_out_by_place,
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 in the kernel exp(-|x - x'|²/2) is missing.",
            _wrong_kernel(factor=1.0),
        ),
        Misconception(
            "distance_not_squared",
            "The kernel gets the distance, not its square: it must be exp(-|x - x'|²/2).",
            _wrong_kernel(power=1),
        ),
        Misconception(
            "normalised_first",
            "Your S sums weights that are already divided by their total, so the sum is always "
            "below 1. (12) has the kernel values themselves.",
            _wrong_factors(lambda T, N: (1 + (T + 1) / T) ** 2),
        ),
        Misconception(
            "distances_summed",
            "Your S sums squared distances. It must sum kernel values exp(-|x_i - x_j|²/2): the "
            "farther the others, the less they give.",
            _distances_summed,
        ),
        Misconception(
            "ratio_of_errors",
            "You compute S as a quotient of two squared residuals. That is 0/0 where a point is "
            "rebuilt perfectly. By (12) S needs no data, only latent points.",
            _ratio_of_errors,
        ),
        Misconception(
            "exchanged",
            "Both results are right, in the wrong order: S first, then the terms.",
            lambda X, Y: (_factors(X) * _squares(X, Y), _factors(X)),
        ),
        Misconception(
            "charged_twice",
            "S is right, but the terms contain it twice. Either your residuals already leave the "
            "point out, or you square S with the residual. S multiplies the plain squared "
            "residual, with the point in its own f(x_n), once.",
            _wrong_terms(lambda S, X, Y: S * _squares(X, Y, leave_out=True)),
        ),
        Misconception(
            "not_charged",
            "S is right, but the terms are the plain squared residuals, without S.",
            _wrong_terms(lambda S, X, Y: _squares(X, Y)),
        ),
        Misconception(
            "root_charged",
            "S is right, but you multiply the squared residual by its root. The root belongs to "
            "the residual, S to its square.",
            _wrong_terms(lambda S, X, Y: np.sqrt(S) * _squares(X, Y)),
        ),
        Misconception(
            "divided_by_factor",
            "S is right, but you divide by it. The left-out residual is the larger one.",
            _wrong_terms(lambda S, X, Y: _squares(X, Y) / S),
        ),
        Misconception(
            "length_not_squared",
            "S is right, but it multiplies the length |y_n - f(x_n)| and not its square.",
            _wrong_terms(lambda S, X, Y: S * np.sqrt(_squares(X, Y))),
        ),
        Misconception(
            "columns_divided",
            "S is right. In f(x_n) you divide the columns of K by the sums of the rows: NumPy "
            "repeats an array of shape (N,) in every row. Divide each row by its own sum, as a "
            "column.",
            _wrong_terms(_columns_divided),
        ),
        Misconception(
            "term_for_each_column",
            "S is right, but you have a term for each column of Y. Each point has one term: sum "
            "the squared differences over the d columns, axis=1.",
            _wrong_terms(lambda S, X, Y: S[:, None] * _residual(X, Y) ** 2),
        ),
        Misconception(
            "mean_over_columns",
            "S is right, but the terms are too small by d: a squared length is the sum over the d columns, "
            "not their mean.",
            _wrong_terms(lambda S, X, Y: S * _squares(X, Y) / Y.shape[1]),
        ),
        Misconception(
            "mean_taken_early",
            "S is right, but the terms are already divided by N. Their mean must be R_cv, so do "
            "not divide them.",
            _wrong_terms(lambda S, X, Y: S * _squares(X, Y) / len(X)),
        ),
    ),
    hints=(
        "S needs only latent points: for each n, add up what the others give. The terms need the "
        "plain residuals of lesson 03, with each point in its own reconstruction; nothing is left "
        "out there.",
        "T_n = sum over m ≠ n of exp(-|x_n - x_m|²/2), and S_n = (1 + 1/T_n)². With the full K, f = K Y "
        "with each row divided by its sum, T_n + 1. Then terms_n = S_n |y_n - f_n|².",
        "K.sum(axis=1) holds the point itself, which gives exactly 1: subtract it for T. Squared "
        "lengths of the rows of f - Y: square, then sum over axis=1. Return both results, S "
        "first.",
    ),
)
