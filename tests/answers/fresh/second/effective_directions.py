"""Fresh answers to `effective_directions`."""
import math
import numpy as np
from scipy.stats import entropy


def right_vectorised(values, nu):
    powers = (values / np.max(values)) ** nu
    p = powers / powers.sum()
    p = p[p > 0]
    return np.exp(-np.sum(p * np.log(p)))


def right_scipy(values, nu):
    v = np.asarray(values, dtype=float)
    return float(np.exp(entropy((v / v.max()) ** nu)))


def right_plain_python(values, nu):
    top = float(max(values))
    w = [(float(v) / top) ** nu for v in values]
    total = math.fsum(w)
    n = 1.0
    for share in (a / total for a in w):
        if share > 0:
            n *= share ** (-share)
    return n


def participation_ratio(values, nu):
    v = (values / values.max()) ** nu
    p = v / v.sum()
    return 1 / np.sum(p**2)


def last_is_greatest(values, nu):
    powers = (values / values[-1]) ** nu
    p = powers / powers.sum()
    p = p[p > 0]
    return np.exp(-np.sum(p * np.log(p)))


def log_of_zero(values, nu):
    top = max(values)
    powers = [(v / top) ** nu for v in values]
    H = 0
    for w in powers:
        p = w / sum(powers)
        H -= p * math.log(p)
    return math.exp(H)


def shares_before_powers(values, nu):
    p = values / values.sum()
    p = p**nu
    p = p / p.sum()
    p = p[p != 0]
    return np.exp(-(p * np.log(p)).sum())


def bits_of_large_shares(values, nu):
    v = (values / values.max()) ** nu
    p = v / v.sum()
    p = p[p > 1e-3]
    return np.exp(-np.sum(p * np.log2(p)))


def powers_of_shares_without_trap(values, nu):
    p = values / values.max()
    p = p / p.sum()
    p = p**nu
    H = -np.sum(p * np.log(p))
    return np.exp(H)


RIGHT = [right_vectorised, right_scipy, right_plain_python]
WRONG = [
    (participation_ratio, ["computes the participation ratio 1 / sum of p² instead of the exponential of the entropy"]),
    (last_is_greatest, ["takes the last eigenvalue for the greatest, though they come in any order"]),
    (log_of_zero, ["does not leave out shares that are zero (math.log raises there)"]),
    (shares_before_powers, ["divides by the sum instead of the greatest eigenvalue before raising, so all powers may still vanish"]),
    (bits_of_large_shares, ["entropy in bits (log2), but exp of it", "leaves out small shares below 0.001, not only zero ones"]),
    (powers_of_shares_without_trap, ["does not leave out zero shares (0 log 0 becomes nan)", "raises the shares to nu without dividing by their new sum"]),
]
