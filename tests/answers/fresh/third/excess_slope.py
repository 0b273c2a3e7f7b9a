"""Fresh answers to `excess_slope`."""
import numpy as np
from scipy.stats import linregress


def slope_polyfit(sizes, errors, floor):
    excess = errors.mean(axis=1) - floor
    return np.polyfit(np.log(sizes), np.log(excess), 1)[0]


def slope_formula(sizes, errors, floor):
    u = [np.log10(float(m)) for m in sizes]
    v = [np.log10(sum(row) / len(row) - floor) for row in errors]
    mu, mv = sum(u) / len(u), sum(v) / len(v)
    top = sum((a - mu) * (b - mv) for a, b in zip(u, v))
    return top / sum((a - mu) ** 2 for a in u)


def slope_scipy(sizes, errors, floor):
    excess = np.mean(np.asarray(errors) - floor, axis=-1)
    return linregress(np.log2(sizes), np.log2(excess)).slope


def slope_late_mean(sizes, errors, floor):
    logs = np.log(errors - floor)
    y = logs.mean(axis=1)
    return np.polyfit(np.log(sizes), y, 1)[0]


def slope_ends(sizes, errors, floor):
    excess = errors.mean(axis=1) - floor
    x, y = np.log(sizes), np.log(excess)
    return (y[-1] - y[0]) / (x[-1] - x[0])


def slope_median(sizes, errors, floor):
    excess = np.median(errors, axis=1) - floor
    slope, constant = np.polyfit(np.log(sizes), np.log(excess), 1)
    return slope


def slope_of_columns(sizes, errors, floor):
    excess = errors.mean(axis=0) - floor
    slope, _ = np.polyfit(np.log(sizes), np.log(excess), 1)
    return slope


def slope_through_zero(sizes, errors, floor):
    y = np.log(errors.mean(axis=1))
    x = np.log(sizes)
    return np.sum(x * y) / np.sum(x * x)


def slope_colleague(sizes, errors, floor):
    means = []
    for row in errors:
        means.append(np.mean([e - floor for e in row if e > floor]))
    constant, slope = np.polyfit(np.log(sizes), np.log(means), 1)
    return slope


RIGHT = [slope_polyfit, slope_formula, slope_scipy]
WRONG = [
    (slope_late_mean, ["takes the logarithm of every single repeat first and averages the logarithms, instead of the logarithm of the mean"]),
    (slope_ends, ["takes the slope between the first and the last size only, not the least squares line"]),
    (slope_median, ["takes the median over the repeats instead of the mean"]),
    (slope_of_columns, ["takes the mean over the sizes instead of over the repeats"]),
    (slope_through_zero, ["does not subtract the floor", "fits a line through the origin, without a constant"]),
    (slope_colleague, ["leaves out the repeats below the floor before taking the mean", "mixes up the two results of polyfit and returns the constant instead of the slope"]),
]
