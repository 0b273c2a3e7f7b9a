"""Fresh answers to `gtm_responsibilities`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import logsumexp


def shifted(Y, values, temperature):
    D = np.sum((Y[:, None, :] - values[None, :, :]) ** 2, axis=2)
    E = np.exp(-(D - D.min(axis=1, keepdims=True)) / temperature)
    return E / E.sum(axis=1, keepdims=True)


def with_logs(Y, values, temperature):
    L = -cdist(Y, values, "sqeuclidean") / temperature
    return np.exp(L - logsumexp(L, axis=1)[:, None])


def ratios(Y, values, temperature):
    R = []
    for y in Y:
        d = [float(np.dot(y - v, y - v)) for v in values]
        least = min(d)
        e = [np.exp((least - x) / temperature) for x in d]
        total = sum(e)
        R.append([x / total for x in e])
    return np.array(R)


def tiny_number_below(Y, values, temperature):
    D = cdist(Y, values, "sqeuclidean")
    E = np.exp(-D / temperature)
    return E / (E.sum(axis=1, keepdims=True) + 1e-300)


def smallest_of_all(Y, values, temperature):
    D = ((Y[:, None] - values[None]) ** 2).sum(axis=-1)
    D = D - D.min()
    R = np.exp(-D / temperature)
    R /= R.sum(axis=1)[:, None]
    return R


def each_code_is_one(Y, values, temperature):
    D = cdist(Y, values) ** 2
    D -= D.min(axis=0)
    E = np.exp(-D / temperature)
    return E / E.sum(axis=0)


def codes_in_rows(Y, values, temperature):
    D = np.sum((Y - values[:, None]) ** 2, axis=2)
    E = np.exp((D.min(axis=0) - D) / temperature)
    return E / E.sum(axis=0)


def gaussian_of_distance(Y, values, temperature):
    D = np.linalg.norm(Y[:, None] - values, axis=2)
    D = D - np.min(D, axis=1, keepdims=True)
    E = np.exp(-D / (2 * temperature))
    return E / np.sum(E, axis=1, keepdims=True)


def pairs_in_step(Y, values, temperature):
    R = np.zeros((len(Y), len(values)))
    for k in range(len(values)):
        R[:, k] = np.exp(-((Y - values[k]) ** 2).sum(axis=1) / temperature**2)
    for i in range(len(Y)):
        R[i] /= R[i].sum()
    return R


RIGHT = [shifted, with_logs, ratios]
WRONG = [
    (tiny_number_below, ["adds a tiny number to the sum instead of shifting the exponents: a point far from all values gets no shares at all"]),
    (smallest_of_all, ["subtracts the smallest distance of the whole matrix instead of each row's own"]),
    (each_code_is_one, ["normalises over the points (columns) instead of over the codes"]),
    (codes_in_rows, ["returns the transpose: codes in rows, points in columns"]),
    (gaussian_of_distance, ["uses the distance instead of its square", "divides by 2T instead of T"]),
    (pairs_in_step, ["squares the temperature", "does not shift the exponents: 0/0 for a point far from all values"]),
]
