"""Fresh answers to `gtm_responsibilities`."""
import math

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import logsumexp


def minus_the_smallest(Y, values, temperature):
    d2 = ((Y[:, None, :] - values[None, :, :]) ** 2).sum(axis=2)
    d2 = d2 - d2.min(axis=1, keepdims=True)
    R = np.exp(-d2 / temperature)
    return R / R.sum(axis=1, keepdims=True)


def in_logarithms(Y, values, temperature):
    a = -cdist(Y, values, "sqeuclidean") / temperature
    return np.exp(a - logsumexp(a, axis=1, keepdims=True))


def pure_python(Y, values, temperature):
    R = np.zeros((len(Y), len(values)))
    for i, y in enumerate(Y):
        squares = [float(np.sum((y - v) ** 2)) for v in values]
        least = min(squares)
        e = [math.exp((least - s) / temperature) for s in squares]
        R[i] = [v / sum(e) for v in e]
    return R


def one_minimum_for_all(Y, values, temperature):
    D = cdist(Y, values, "sqeuclidean")
    D = D - D.min()
    R = np.exp(-D / temperature)
    R = R / R.sum(axis=1)[:, None]
    return R


def tiny_number_below(Y, values, temperature):
    E = np.exp(-cdist(Y, values, "sqeuclidean") / temperature)
    R = E / (E.sum(axis=1, keepdims=True) + 1e-12)
    return R


def minimum_as_a_row(Y, values, temperature):
    d2 = ((Y[:, None] - values) ** 2).sum(axis=-1)
    d2 = d2 - d2.min(axis=1)
    E = np.exp(-d2 / temperature)
    return E / E.sum(axis=1, keepdims=True)


def two_temperatures(Y, values, temperature):
    R = np.zeros((len(Y), len(values)))
    for i in range(len(Y)):
        d2 = np.sum((values - Y[i]) ** 2, axis=1)
        w = np.exp(-(d2 - d2.min()) / (2 * temperature))
        R[i] = w / w.sum()
    return R


def shares_of_a_code_by_length(Y, values, temperature):
    d = cdist(Y, values)
    d -= d.min(axis=1, keepdims=True)
    R = np.exp(-d / temperature)
    return R / R.sum(axis=0)


def largest_and_squared_temperature(Y, values, temperature):
    d2 = cdist(Y, values, "sqeuclidean")
    d2 = d2 - d2.max(axis=1, keepdims=True)
    E = np.exp(-d2 / temperature**2)
    return E / E.sum(axis=1, keepdims=True)


RIGHT = [minus_the_smallest, in_logarithms, pure_python]
WRONG = [
    (one_minimum_for_all, ["subtracts the smallest distance of the whole matrix instead of that of each row"]),
    (tiny_number_below, ["adds a tiny number to the sum instead of shifting, so far points get no shares"]),
    (minimum_as_a_row, ["subtracts the row minima without keepdims, so they fall on columns or do not fit"]),
    (two_temperatures, ["divides by 2T instead of T"]),
    (shares_of_a_code_by_length, ["takes the distance instead of its square", "divides columns by their sums instead of rows"]),
    (largest_and_squared_temperature, ["divides by T squared", "subtracts the largest distance of each row instead of the smallest, so the exponentials overflow"]),
]
