"""Fresh answers to `effective_directions`."""
import math

import numpy as np
from scipy.special import xlogy
from scipy.stats import entropy


def right_steps(values, nu):
    powers = (np.asarray(values) / np.max(values)) ** nu
    p = powers / powers.sum()
    p = p[p > 0]
    return np.exp(-np.sum(p * np.log(p)))


def right_scipy(values, nu):
    values = np.asarray(values, dtype=float)
    return float(np.exp(entropy((values / values.max()) ** nu)))


def right_other_algebra(values, nu):
    top = max(values)
    w = [(v / top) ** nu for v in values]
    Z = math.fsum(w)
    # -sum p log p = log Z - sum w log w / Z
    return Z * math.exp(-math.fsum(float(xlogy(v, v)) for v in w) / Z)


def powers_of_raw_values(values, nu):
    powers = values**nu
    p = powers / powers.sum()
    p = p[p > 0]
    n = np.exp(-np.sum(p * np.log(p)))
    return n


def one_over_sum_of_squares(values, nu):
    powers = (values / values.max()) ** nu
    p = powers / np.sum(powers)
    return 1 / np.sum(p**2)


def log_of_zero(values, nu):
    top = max(values)
    powers = [(v / top) ** nu for v in values]
    total = sum(powers)
    H = 0.0
    for w in powers:
        p = w / total
        H -= p * math.log(p)
    return math.exp(H)


def shares_before_the_power(values, nu):
    values = values / np.max(values)
    p = (values / values.sum()) ** nu
    p = p[p != 0]
    n = np.exp(-(p * np.log(p)).sum())
    return n


def exponential_weights_and_entropy(values, nu):
    w = np.exp(nu * (values - values.max()))
    p = w / w.sum()
    p = p[p > 0]
    return -np.sum(p * np.log(p))


def without_the_first_and_plus(values, nu):
    v = np.sort(np.asarray(values) / np.max(values))[:-1]
    p = v**nu / np.sum(v**nu)
    p = p[p > 0]
    return np.exp(np.sum(p * np.log(p)))


RIGHT = [right_steps, right_scipy, right_other_algebra]
WRONG = [
    (powers_of_raw_values, ["does not divide by the greatest eigenvalue, so all powers vanish (underflow) for small eigenvalues and a large nu"]),
    (one_over_sum_of_squares, ["computes 1 / sum p^2 (participation ratio) instead of the exponential of the entropy"]),
    (log_of_zero, ["does not leave out shares that are zero (math.log(0) raises an error)"]),
    (shares_before_the_power, ["divides by the sum before raising to nu and not after, so the shares do not sum to one"]),
    (exponential_weights_and_entropy, ["weights exp(nu * lambda) instead of the power lambda^nu", "returns the entropy, not its exponential"]),
    (without_the_first_and_plus, ["leaves out the greatest eigenvalue as if it were trivial", "forgot the minus sign in the entropy"]),
]
