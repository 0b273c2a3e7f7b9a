"""Fresh answers to `gtm_responsibilities`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax


def shifted(Y, values, temperature):
    D = np.sum((Y[:, None, :] - values[None, :, :]) ** 2, axis=2)
    R = np.exp(-(D - D.min(axis=1, keepdims=True)) / temperature)
    return R / R.sum(axis=1, keepdims=True)


def ratios(Y, values, temperature):
    R = np.zeros((len(Y), len(values)))
    for i, y in enumerate(Y):
        d = np.array([(y - v) @ (y - v) for v in values])
        nearest = min(d)
        shares = [np.exp((nearest - one) / temperature) for one in d]
        R[i] = np.array(shares) / sum(shares)
    return R


def with_softmax(Y, values, temperature):
    return softmax(-cdist(Y, values, "sqeuclidean") / temperature, axis=1)


def as_printed(Y, values, temperature):
    D = np.sum((Y[:, None] - values) ** 2, axis=2)
    E = np.exp(-D / temperature)
    return E / E.sum(axis=1, keepdims=True)


def smallest_of_all(Y, values, temperature):
    D = cdist(Y, values) ** 2
    D = D - D.min()
    E = np.exp(-D / temperature)
    return E / np.sum(E, axis=1)[:, None]


def sum_without_axis(Y, values, temperature):
    D = ((Y[:, None] - values) ** 2).sum(axis=2)
    R = np.exp(-(D.T - D.min(axis=1)).T / temperature)
    R = R / R.sum(axis=1)
    return R


def gaussian(Y, values, temperature):
    D = ((Y[:, None] - values) ** 2).sum(axis=-1)
    logs = -D / (2 * temperature)
    logs = logs - logs.max(axis=1, keepdims=True)
    R = np.exp(logs)
    return R / R.sum(axis=1, keepdims=True)


def best_has_one(Y, values, temperature):
    D = cdist(Y, values)
    return np.exp(-(D - D.min(axis=1, keepdims=True)) / temperature)


def cold_and_far(Y, values, temperature):
    D = np.sum((Y[:, None] - values) ** 2, axis=2)
    R = np.exp((D - D.max(axis=1, keepdims=True)) * temperature)
    return R / R.sum(axis=1, keepdims=True)


RIGHT = [shifted, ratios, with_softmax]
WRONG = [
    (as_printed, ["does not subtract the smallest distance of each row: 0/0 for points far from all values"]),
    (smallest_of_all, ["subtracts the smallest distance of the whole table instead of the smallest one of each row"]),
    (sum_without_axis, ["divides by the row sums without keeping their axis, so columns are divided instead of rows"]),
    (gaussian, ["divides by 2T instead of T in the exponent"]),
    (best_has_one, ["uses the distances instead of the squared distances", "does not divide by the sum of the row, so the nearest value has share one"]),
    (cold_and_far, ["forgot the minus sign in the exponent: the farthest value gets the greatest share", "multiplies by the temperature instead of dividing by it"]),
]
