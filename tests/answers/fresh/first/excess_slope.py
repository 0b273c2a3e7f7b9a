"""Fresh answers to `excess_slope`."""
import math

import numpy as np


def with_polyfit(sizes, errors, floor):
    excess = np.mean(errors, axis=1) - floor
    return np.polyfit(np.log(sizes), np.log(excess), 1)[0]


def by_covariance(sizes, errors, floor):
    x = np.log(np.asarray(sizes, dtype=float))
    y = np.log([sum(row) / len(row) - floor for row in errors])
    x = x - x.mean()
    return float(x @ (y - y.mean()) / (x @ x))


def with_lstsq(sizes, errors, floor):
    log_m = [math.log10(m) for m in sizes]
    design = np.column_stack([np.ones(len(log_m)), log_m])
    target = np.log10((np.asarray(errors) - floor).mean(axis=1))
    (_, slope), *_ = np.linalg.lstsq(design, target, rcond=None)
    return slope


def logs_first(sizes, errors, floor):
    logs = np.log(errors - floor).mean(axis=1)
    return np.polyfit(np.log(sizes), logs, 1)[0]


def theory_says_none(sizes, errors, floor):
    excess = []
    for row in errors:
        e = row - floor
        excess.append(e[e > 0].mean())
    return np.polyfit(np.log(sizes), np.log(excess), 1)[0]


def over_columns(sizes, errors, floor):
    excess = errors.mean(axis=0) - floor
    slope, _ = np.polyfit(np.log(sizes), np.log(excess), 1)
    return slope


def from_end_to_end(sizes, errors, floor):
    y = np.log(errors.mean(axis=1) - floor)
    x = np.log(sizes)
    return (y[-1] - y[0]) / (x[-1] - x[0])


def half_logarithmic(sizes, errors, floor):
    y = np.log(errors.mean(axis=1))
    return np.polyfit(sizes, y, 1)[0]


def turned(sizes, errors, floor):
    y = np.log(np.median(errors, axis=1) - floor)
    x = np.log(sizes)
    return np.polyfit(y, x, 1)[0]


RIGHT = [with_polyfit, by_covariance, with_lstsq]
WRONG = [
    (logs_first, ["takes the logarithm of each repeat before averaging"]),
    (theory_says_none, ["leaves out the repeats below the floor"]),
    (over_columns, ["averages over the sizes instead of over the repeats"]),
    (from_end_to_end, ["draws the line through the first and the last point instead of fitting all by least squares"]),
    (half_logarithmic, ["does not subtract the floor", "does not take the logarithm of the sizes"]),
    (turned, ["fits log m over log excess, with the axes swapped", "takes the median of the repeats instead of their mean"]),
]
