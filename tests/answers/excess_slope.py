"""Right and wrong answers to the exercise `excess_slope`, as learners write them."""

import numpy as np
from scipy.stats import linregress
from sklearn.linear_model import LinearRegression


def in_base_ten(sizes, errors, floor):
    return linregress(np.log10(sizes), np.log10(np.mean(errors - floor, axis=1))).slope


def by_regression(sizes, errors, floor):
    line = LinearRegression().fit(np.log(sizes)[:, None], np.log(errors.mean(1) - floor))
    return line.coef_[0]


def as_least_squares(sizes, errors, floor):
    A = np.column_stack([np.log2(sizes), np.ones(len(sizes))])
    return np.linalg.lstsq(A, np.log2(np.einsum("sn->s", errors) / errors.shape[1] - floor))[0][0]


def in_single_precision(sizes, errors, floor):
    excess = (errors - floor).astype(np.float32).mean(axis=1)
    x, y = np.log(sizes.astype(np.float32)), np.log(excess)
    return np.cov(x, y)[0, 1] / np.var(x, ddof=1)


RIGHT = [in_base_ten, by_regression, as_least_squares, in_single_precision]


def _fit(x, y):
    with np.errstate(all="ignore"):
        if not (np.isfinite(x).all() and np.isfinite(y).all()):
            return float("nan")
        return linregress(x, y).slope


def by_columns(sizes, errors, floor):
    return [_fit(np.log(sizes), np.log(column - floor)) for column in errors.T]


def numbers_of_polyfit(sizes, errors, floor):
    return np.polyfit(np.log(sizes), np.log(errors.mean(axis=1) - floor), 1)


def subtracts_in_place(sizes, errors, floor):
    errors -= floor
    return _fit(np.log(sizes), np.log(errors.mean(axis=1)))


def a_parabola(sizes, errors, floor):
    """The first coefficient, of the square."""
    return np.polyfit(np.log(sizes), np.log(errors.mean(axis=1) - floor), 2)[0]


WRONG = [
    ("shape", by_columns),
    ("shape", numbers_of_polyfit),
    ("changes_input", subtracts_in_place),
    ("exact_power_missed", a_parabola),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    floor_forgotten least_error_as_floor logarithms_first negative_left_out logarithms_first
    median_for_mean best_repeat first_repeat no_logarithm_of_m no_logarithms two_bases
    two_bases_turned axes_exchanged through_origin intercept only_the_ends mean_of_pieces
""".split()
