"""Right and wrong answers to the exercise `excess_slope`, as learners write them."""

import math

import numpy as np
from scipy.stats import linregress
from sklearn.linear_model import LinearRegression


def by_loops(sizes, errors, floor):
    x, y = [], []
    for m, row in zip(sizes, errors, strict=True):
        x.append(math.log(m))
        y.append(math.log(sum(row) / len(row) - floor))
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    up = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return up / sum((a - mean_x) ** 2 for a in x)


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


RIGHT = [by_loops, in_base_ten, by_regression, as_least_squares, in_single_precision]


def _fit(x, y):
    with np.errstate(all="ignore"):
        if not (np.isfinite(x).all() and np.isfinite(y).all()):
            return float("nan")
        return linregress(x, y).slope


def _made(excess=lambda e, r: np.mean(e, 1) - r, x=np.log, y=np.log, fit=_fit):
    """With one piece exchanged."""

    def answer(sizes, errors, floor):
        with np.errstate(all="ignore"):
            return fit(x(sizes), y(excess(errors, floor)))

    return answer


def of_each_error(sizes, errors, floor):
    """All points of the cloud in one fit: the same slope as the means of logarithms."""
    x = np.repeat(np.log(sizes), errors.shape[1])
    with np.errstate(all="ignore"):
        return _fit(x, np.log(errors - floor).ravel())


def by_columns(sizes, errors, floor):
    return [_fit(np.log(sizes), np.log(column - floor)) for column in errors.T]


def mean_of_columns(sizes, errors, floor):
    with np.errstate(all="ignore"):
        return np.mean([_fit(np.log(sizes), np.log(e - floor)) for e in errors.T])


def nan_mean(sizes, errors, floor):
    with np.errstate(all="ignore"):
        return _fit(np.log(sizes), np.nanmean(np.log(errors - floor), axis=1))


def numbers_of_polyfit(sizes, errors, floor):
    return np.polyfit(np.log(sizes), np.log(errors.mean(axis=1) - floor), 1)


def subtracts_in_place(sizes, errors, floor):
    errors -= floor
    return _fit(np.log(sizes), np.log(errors.mean(axis=1)))


def logarithm_of_floor(sizes, errors, floor):
    with np.errstate(all="ignore"):
        return _fit(np.log(sizes), np.log(errors.mean(axis=1)) - np.log(floor))


def a_parabola(sizes, errors, floor):
    """The first coefficient, of the square."""
    return np.polyfit(np.log(sizes), np.log(errors.mean(axis=1) - floor), 2)[0]


def gradient(sizes, errors, floor):
    x, y = np.log(sizes), np.log(errors.mean(axis=1) - floor)
    return np.mean(np.diff(y) / np.diff(x))


WRONG = [
    ("floor_forgotten", _made(excess=lambda e, r: np.mean(e, 1))),
    ("floor_added", _made(excess=lambda e, r: np.mean(e, 1) + r)),
    ("least_error_as_floor", _made(excess=lambda e, r: np.mean(e, 1) - np.min(e))),
    ("logarithms_first", of_each_error),
    ("negative_left_out", nan_mean),
    ("absolute_values", _made(excess=lambda e, r: np.mean(abs(e - r), 1))),
    ("clipped_at_zero", _made(excess=lambda e, r: np.mean((e - r).clip(0), 1))),
    ("logarithms_first", mean_of_columns),
    ("median_for_mean", _made(excess=lambda e, r: np.median(e, 1) - r)),
    ("best_repeat", _made(excess=lambda e, r: np.min(e, 1) - r)),
    ("first_repeat", _made(excess=lambda e, r: e[:, 0] - r)),
    ("no_logarithm_of_m", _made(x=np.array)),
    ("no_logarithm_of_excess", _made(y=np.array)),
    ("no_logarithms", _made(x=np.array, y=np.array)),
    ("two_bases", _made(x=np.log10)),
    ("two_bases_turned", _made(y=np.log10)),
    ("axes_exchanged", _made(fit=lambda x, y: _fit(y, x))),
    ("sign", _made(fit=lambda x, y: -_fit(x, y))),
    ("through_origin", _made(fit=lambda x, y: np.sum(x * y) / np.sum(x**2))),
    ("intercept", _made(fit=lambda x, y: linregress(x, y).intercept)),
    ("only_the_ends", _made(fit=lambda x, y: (y[-1] - y[0]) / (x[-1] - x[0]))),
    ("mean_of_pieces", gradient),
    ("shape", by_columns),
    ("shape", numbers_of_polyfit),
    ("changes_input", subtracts_in_place),
    ("exact_power_missed", a_parabola),
]
