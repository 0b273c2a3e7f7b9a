"""Fresh answers to `effective_directions`."""
import math

import numpy as np
from scipy.special import entr, xlogy


def with_mask(values, nu):
    powers = (values / np.max(values)) ** nu
    p = powers / powers.sum()
    p = p[p > 0]
    return np.exp(-np.sum(p * np.log(p)))


def in_logarithms(values, nu):
    values = np.asarray(values, dtype=float)
    weights = np.exp(xlogy(nu, values / values.max()))
    return float(np.exp(entr(weights / weights.sum()).sum()))


def plain_python(values, nu):
    top = max(values)
    powers = [(float(v) / float(top)) ** nu for v in values]
    total = math.fsum(powers)
    entropy = 0.0
    for power in powers:
        if power / total > 0:
            entropy -= power / total * math.log(power / total)
    return math.exp(entropy)


def scaled_in_place(values, nu):
    values /= values.max()
    p = values**nu
    p = p / p.sum()
    p = p[p > 0]
    return np.exp(-(p * np.log(p)).sum())


def first_is_greatest(values, nu):
    powers = (values / values[0]) ** nu
    p = powers / powers.sum()
    p = p[p > 0]
    return np.exp(-np.sum(p * np.log(p)))


def shares_then_power(values, nu):
    p = (values / np.sum(values)) ** nu
    p = p[p > 0]
    return np.exp(-np.sum(p * np.log(p)))


def no_limit(values, nu):
    powers = (values / np.max(values)) ** nu
    p = powers / powers.sum()
    entropy = -np.sum(p * np.log(p))
    return np.exp(entropy)


def two_bases(values, nu):
    powers = values**nu
    p = powers / powers.sum()
    p = p[p > 0]
    return 2 ** (-np.sum(p * np.log(p)))


def participation(values, nu):
    weights = nu * values / np.max(values)
    p = weights / weights.sum()
    return 1 / np.sum(p**2)


RIGHT = [with_mask, in_logarithms, plain_python]
WRONG = [
    (scaled_in_place, ["divides the caller's eigenvalues in place"]),
    (first_is_greatest, ["takes the first eigenvalue for the greatest one"]),
    (shares_then_power, ["raises the shares to the power and does not make them sum to one again"]),
    (no_limit, ["does not leave out the zero shares, 0 log 0 becomes nan"]),
    (two_bases, ["raises 2 to an entropy in natural logarithms", "does not divide by the greatest eigenvalue, so that all powers may vanish"]),
    (participation, ["multiplies by nu instead of raising to the power nu", "returns one over the sum of squared shares instead of the exponential of the entropy"]),
]
