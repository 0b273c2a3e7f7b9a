"""Fresh answers to `effective_directions`."""
import math

import numpy as np
from scipy.special import entr, logsumexp


def effective_numpy(values, nu):
    powers = (np.asarray(values) / np.max(values)) ** nu
    p = powers / powers.sum()
    p = p[p > 0]
    return np.exp(-np.sum(p * np.log(p)))


def effective_loop(values, nu):
    top = float(max(values))
    powers = [(float(v) / top) ** nu for v in values]
    total = sum(powers)
    entropy = 0.0
    for power in powers:
        share = power / total
        if share > 0.0:
            entropy -= share * math.log(share)
    return math.exp(entropy)


def effective_logs(values, nu):
    values = np.array(values, dtype=float)
    if nu == 0:
        return float(len(values))
    positive = values[values > 0]
    log_powers = nu * (np.log(positive) - np.log(positive.max()))
    p = np.exp(log_powers - logsumexp(log_powers))
    return float(np.exp(entr(p).sum()))


def effective_small_underflow(values, nu):
    powers = values**nu
    p = powers / powers.sum()
    p = p[p > 0]
    return np.exp(-np.sum(p * np.log(p)))


def effective_mathlog(values, nu):
    powers = [(v / max(values)) ** nu for v in values]
    shares = [power / sum(powers) for power in powers]
    return math.exp(-sum(p * math.log(p) for p in shares))


def effective_participation(values, nu):
    powers = (values / values.max()) ** nu
    p = powers / powers.sum()
    return 1 / np.sum(p**2)


def effective_first_is_greatest(values, nu):
    powers = (values / values[0]) ** nu
    p = powers / np.sum(powers)
    p = p[p > 0]
    return np.exp(-np.sum(p * np.log(p)))


def effective_entropy_bits(values, nu):
    powers = (values / values.max()) ** nu
    p = powers / powers.sum()
    p = p[p > 0.01]
    return np.exp(-np.sum(p * np.log2(p)))


def effective_share_then_power(values, nu):
    p = values / values.sum()
    p = p**nu
    p = p[p != 0]
    return -np.sum(p * np.log(p))


RIGHT = [effective_numpy, effective_loop, effective_logs]
WRONG = [
    (effective_small_underflow, ["does not divide by the greatest eigenvalue before raising to the power, so that all powers may vanish"]),
    (effective_mathlog, ["does not leave out shares that are zero before the logarithm"]),
    (effective_participation, ["takes one over the sum of the squared shares instead of the exponential of the entropy"]),
    (effective_first_is_greatest, ["takes the first eigenvalue for the greatest, as if they were sorted"]),
    (effective_entropy_bits, ["mixes the logarithm to base 2 with the exponential to base e", "leaves out small shares below 0.01, not only those that are zero"]),
    (effective_share_then_power, ["turns the eigenvalues into shares before the power and does not divide by the sum afterwards", "returns the entropy without its exponential"]),
]
