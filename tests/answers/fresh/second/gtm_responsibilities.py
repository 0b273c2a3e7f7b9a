"""Fresh answers to `gtm_responsibilities`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import logsumexp, softmax


def subtract_row_minimum(Y, values, temperature):
    D = cdist(Y, values, "sqeuclidean")
    E = np.exp(-(D - D.min(axis=1, keepdims=True)) / temperature)
    return E / E.sum(axis=1, keepdims=True)


def log_shares(Y, values, temperature):
    logs = -((Y[:, None, :] - values[None, :, :]) ** 2).sum(axis=-1) / temperature
    return np.exp(logs - logsumexp(logs, axis=1)[:, None])


def lists(Y, values, temperature):
    R = []
    for y in Y:
        d = [float(np.sum((y - f) ** 2)) for f in values]
        e = [np.exp((min(d) - x) / temperature) for x in d]
        R.append([x / sum(e) for x in e])
    return np.array(R)


def global_minimum(Y, values, temperature):
    D = cdist(Y, values, "sqeuclidean")
    D = D - np.min(D)
    E = np.exp(-D / temperature)
    with np.errstate(all="ignore"):
        return E / E.sum(axis=1, keepdims=True)


def far_points_evenly(Y, values, temperature):
    E = np.exp(-cdist(Y, values, "sqeuclidean") / temperature)
    total = E.sum(axis=1, keepdims=True)
    even = np.full(E.shape, 1 / len(values))
    return np.where(total > 0, E / np.where(total > 0, total, 1), even)


def flat_minimum(Y, values, temperature):
    D = cdist(Y, values, "sqeuclidean")
    E = np.exp(-(D - D.min(axis=1)) / temperature)
    return E / E.sum(axis=1)[:, None]


def difference_in_place(Y, values, temperature):
    D = np.zeros((len(Y), len(values)))
    for k in range(len(values)):
        diff = Y
        diff -= values[k]
        D[:, k] = (diff**2).sum(axis=1)
    return softmax(-D / temperature, axis=1)


def variance_with_epsilon(Y, values, temperature):
    D = cdist(Y, values, "sqeuclidean")
    E = np.exp(-D / (2 * temperature**2))
    return E / (E.sum(axis=1, keepdims=True) + 1e-10)


def clipped_mean_coordinate(Y, values, temperature):
    D = np.mean((Y[:, None] - values[None]) ** 2, axis=2)
    E = np.exp(np.maximum(-D / temperature, -50))
    return E / E.sum(axis=1, keepdims=True)


RIGHT = [subtract_row_minimum, log_shares, lists]
WRONG = [
    (global_minimum, ["subtracts the smallest distance of the whole matrix instead of that of each row"]),
    (far_points_evenly, ["does not subtract anything and gives points far from all values equal shares, though they have a nearest value"]),
    (flat_minimum, ["loses the column shape of the row minima: subtracts them along the wrong axis"]),
    (difference_in_place, ["subtracts the values from the data in place, so the differences pile up and the caller's data change"]),
    (variance_with_epsilon, ["takes the temperature for a standard deviation (2 T^2)", "adds a small number to the sum to avoid 0/0, so far points get no shares"]),
    (clipped_mean_coordinate, ["takes the mean over the coordinates instead of the sum in the squared distance", "cuts the exponents off at -50, so all far values look alike"]),
]
