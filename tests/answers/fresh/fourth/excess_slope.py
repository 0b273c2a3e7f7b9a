"""Fresh answers to `excess_slope`."""
import numpy as np
from scipy.stats import linregress


def polyfit(sizes, errors, floor):
    excess = errors.mean(axis=1) - floor
    return np.polyfit(np.log(sizes), np.log(excess), 1)[0]


def by_covariance(sizes, errors, floor):
    x = [np.log(float(m)) for m in sizes]
    y = [np.log(sum(row) / len(row) - floor) for row in errors]
    x_mean, y_mean = sum(x) / len(x), sum(y) / len(y)
    up = sum((a - x_mean) * (b - y_mean) for a, b in zip(x, y))
    return up / sum((a - x_mean) ** 2 for a in x)


def regression(sizes, errors, floor):
    lower = np.log10(sizes)
    upper = np.log10(np.mean(errors - floor, axis=1))
    return linregress(lower, upper).slope


def mean_of_logs(sizes, errors, floor):
    logs = np.log(errors - floor).mean(axis=1)
    return np.polyfit(np.log(sizes), logs, 1)[0]


def without_floor(sizes, errors, floor):
    y = np.log(np.mean(errors, axis=1))
    x = np.log(sizes)
    return np.sum((x - x.mean()) * (y - y.mean())) / np.sum((x - x.mean()) ** 2)


def second_number(sizes, errors, floor):
    excess = np.mean(errors, axis=1) - floor
    intercept, slope = np.polyfit(np.log(sizes), np.log(excess), 1)
    return slope


def mean_over_sizes(sizes, errors, floor):
    excess = errors.mean(axis=0) - floor
    x, y = np.log(sizes), np.log(excess)
    A = np.column_stack([x, np.ones(len(x))])
    return np.linalg.lstsq(A, y, rcond=None)[0][0]


def median_and_tens(sizes, errors, floor):
    excess = np.median(errors, axis=1) - floor
    slope, _ = np.polyfit(np.log10(sizes), np.log(excess), 1)
    return slope


def positive_ends(sizes, errors, floor):
    excess = []
    for row in errors:
        above = row[row > floor] - floor
        excess.append(above.mean())
    up = np.log(excess[-1]) - np.log(excess[0])
    return up / (np.log(sizes[-1]) - np.log(sizes[0]))


RIGHT = [polyfit, by_covariance, regression]
WRONG = [
    (mean_of_logs, ["averages too late: takes the logarithm of every single excess and then the mean"]),
    (without_floor, ["does not subtract the floor"]),
    (second_number, ["returns the intercept: took np.polyfit's numbers in the wrong order"]),
    (mean_over_sizes, ["takes the mean over the sizes (axis 0) instead of over the repeats"]),
    (median_and_tens, ["takes the median of the repeats instead of the mean", "mixes two logarithms: base 10 for the sizes and base e for the excess"]),
    (positive_ends, ["leaves out the repeats that lie below the floor", "takes the slope between the first and the last size instead of a least-squares line through all"]),
]
