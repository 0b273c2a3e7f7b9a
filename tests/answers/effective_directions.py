"""Answers to exercise 20, the effective number of directions."""

import math

import numpy as np
from scipy.special import logsumexp, xlogy
from scipy.stats import entropy


def in_loops(values, nu):
    greatest = max(values)
    weights = [(float(value) / float(greatest)) ** nu for value in values]
    total = sum(weights)
    H = 0.0
    for weight in weights:
        if weight > 0:
            H -= weight / total * math.log(weight / total)
    return math.exp(H)


def in_logarithms(values, nu):
    """A softmax of nu log λ: nothing can underflow."""
    if nu == 0:
        return len(values)
    log_w = nu * np.log(values[values > 0])
    log_p = log_w - logsumexp(log_w)
    return np.exp(-np.sum(np.exp(log_p) * log_p))


def with_base_two(values, nu):
    w = np.divide(values, np.max(values)) ** nu
    p = w / np.sum(w)
    bits = np.zeros_like(p)
    np.log2(p, out=bits, where=p > 0)
    return 2.0 ** -(p @ bits)


def with_scipy(values, nu):
    return float(np.exp(entropy((values / values.max()) ** nu)))


def as_a_product(values, nu):
    """The weighted geometric mean of 1/p."""
    values = np.array(values, dtype=float)
    if (values < 0).any() or not values.any():
        raise ValueError("eigenvalues must be positive or zero")
    values /= values.max()
    np.power(values, nu, out=values)
    values /= values.sum()
    return np.prod(values**-values)


def in_single_precision(values, nu):
    w = (values / values.max()).astype(np.float32) ** np.float32(nu)
    p = w / w.sum(dtype=np.float32)
    return np.exp(-xlogy(p, p).sum())


RIGHT = [in_loops, in_logarithms, with_base_two, with_scipy, as_a_product, in_single_precision]


def entropy_only(values, nu):
    p = values**nu / np.sum(values**nu)
    return -np.sum(p * np.log(p))


def rank(values, nu):
    return np.count_nonzero(values**nu)


def rounded(values, nu):
    return round(in_loops(values, nu))


def powers_late(values, nu):
    return pow(in_loops(values, 1), nu)


def one_of_each(values, nu):
    """An entropy for each direction, and no sum."""
    p = (values / values.max()) ** nu
    p = p / p.sum()
    return np.exp(-xlogy(p, p))


def cut(values, nu):
    """Directions above a tenth of the leading one."""
    return float(np.sum((values / values.max()) ** nu > 0.1))


def below_one(values, nu):
    """Two mistakes."""
    p = (values / values.max()) ** nu
    return -np.sum(xlogy(p, p)) / len(p)


def sorts_its_input(values, nu):
    values.sort()
    values /= values[-1]
    return in_loops(values, nu)


def one_less(values, nu):
    return in_loops(values, nu) - 1


def one_more(values, nu):
    return in_loops(values, nu) + 1


def smoothed(values, nu):
    """A little is added, so that no logarithm is infinite: too much."""
    p = (values / values.max()) ** nu + 0.01
    p = p / p.sum()
    return np.exp(-(p * np.log(p)).sum())


def share_of_all(values, nu):
    return in_loops(values, nu) / len(values)


def capped(values, nu):
    return min(in_loops(values, nu), len(values) - 1)


# written with fresh eyes, from the exercise's text alone


def _of_weights(w):
    p = w / w.sum()
    p = p[p > 0]
    return np.exp(-np.sum(p * np.log(p)))


def whole_part(values, nu):
    return int(_of_weights((values / values.max()) ** nu))


WRONG = [
    ("zeros_and_underflow", entropy_only),
    ("nu_too_late", powers_late),
    ("positive_counted", rank),
    ("rounded", rounded),
    ("whole", cut),
    ("shape", one_of_each),
    ("less_than_one", below_one),
    ("changes_input", sorts_its_input),
    ("not_all_at_zero", one_less),
    ("more_than_there_are", one_more),
    ("equal_ones_miscounted", smoothed),
    ("multiple", share_of_all),
    ("not_all_at_zero", capped),
    # written with fresh eyes, from the exercise's text alone
    ("rounded", whole_part),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    underflow_to_nan divided_by_n zeros_and_underflow zero_log_zero underflow entropy_itself
    two_bases two_to_the_entropy shares_before_power logarithm_of_powers nu_as_root_to_infinity
    softmax participation_ratio sum_of_weights nu_multiplied_to_nan two_to_the_entropy nu_too_late
    underflow first_for_greatest last_for_greatest nu_as_root_but_at_zero mean_of_those_left
    below_0.001_dropped
""".split()
