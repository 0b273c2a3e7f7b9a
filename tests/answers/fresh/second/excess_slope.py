"""Fresh answers to `excess_slope`."""
import numpy as np
from scipy.optimize import curve_fit


def right_polyfit(sizes, errors, floor):
    excess = errors.mean(axis=1) - floor
    return np.polyfit(np.log(sizes), np.log(excess), 1)[0]


def right_centred_sums(sizes, errors, floor):
    x = [np.log10(m) for m in sizes]
    y = [np.log10(sum(row) / len(row) - floor) for row in errors]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    top = sum((a - mx) * (b - my) for a, b in zip(x, y))
    return top / sum((a - mx) ** 2 for a in x)


def right_design_matrix(sizes, errors, floor):
    A = np.column_stack([np.ones(len(sizes)), np.log(sizes)])
    b = np.log(np.mean(errors, axis=1) - floor)
    (log_c, a), *_ = np.linalg.lstsq(A, b, rcond=None)
    return a


def second_coefficient(sizes, errors, floor):
    y = np.log(errors.mean(axis=1) - floor)
    coefficients = np.polyfit(np.log(sizes), y, 1)
    slope = coefficients[1]
    return slope


def no_intercept(sizes, errors, floor):
    x = np.log(sizes)
    y = np.log(np.mean(errors, axis=1) - floor)
    slope = np.linalg.lstsq(x[:, None], y, rcond=None)[0]
    return slope[0]


def mean_of_the_pieces(sizes, errors, floor):
    x = np.log(sizes)
    y = np.log(errors.mean(axis=1) - floor)
    return np.mean(np.diff(y) / np.diff(x))


def mean_over_sizes(sizes, errors, floor):
    mean_error = np.mean(errors, axis=0)
    excess = mean_error - floor
    slope, intercept = np.polyfit(np.log(sizes), np.log(excess), 1)
    return slope


def median_and_logs_subtracted(sizes, errors, floor):
    typical = np.median(errors, axis=1)
    y = np.log(typical) - np.log(floor)
    return np.polyfit(np.log(sizes), y, 1)[0]


def absolute_repeats_in_plain_units(sizes, errors, floor):
    excess = np.abs(errors - floor).mean(axis=1)
    x = np.log(sizes)
    a, b = np.polyfit(x, np.log(excess), 1)
    power = lambda m, c, s: c * (m / sizes[0]) ** s
    (c, slope), _ = curve_fit(power, np.asarray(sizes, float), excess, p0=[excess[0], a], maxfev=20000)
    return slope


RIGHT = [right_polyfit, right_centred_sums, right_design_matrix]
WRONG = [
    (second_coefficient, ["returns the intercept (second coefficient of polyfit) instead of the slope"]),
    (no_intercept, ["fits a line through the origin, without the constant log c"]),
    (mean_of_the_pieces, ["takes the mean of the slopes between neighbouring sizes instead of a least-squares line"]),
    (mean_over_sizes, ["takes the mean over the sizes instead of the repeats (axis 0; raises unless n = S)"]),
    (median_and_logs_subtracted, ["takes the median of the repeats instead of their mean", "subtracts the logarithm of the floor instead of the floor before the logarithm"]),
    (absolute_repeats_in_plain_units, ["takes the absolute excess of every repeat before the mean, so repeats below the floor count as positive", "fits the power law by least squares to the excess itself instead of its logarithm"]),
]
