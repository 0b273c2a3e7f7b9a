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


RIGHT = [
    in_loops,
    in_logarithms,
    with_base_two,
    with_scipy,
    as_a_product,
    in_single_precision,
]


def _by_loop(
    power=lambda value, greatest, nu: (value / greatest) ** nu,
    shares=lambda w: [x / sum(w) for x in w],
    addend=lambda p, w: -p * math.log(p) if p > 0 else 0,
    end=lambda H, N: math.exp(H),
):
    """With one of the steps exchanged."""

    def number(values, nu):
        values = values.tolist()
        w = [power(value, max(values), nu) for value in values]
        p = shares(w)
        return end(sum(addend(a, b) for a, b in zip(p, w, strict=True)), len(values))

    return number


def first_try(values, nu):
    p = values**nu / np.sum(values**nu)
    return np.exp(-np.sum(p * np.log(p)))


def first_try_scaled(values, nu):
    w = np.power(values / np.amax(values), nu)
    p = w / w.sum()
    return np.e ** np.dot(p, np.log(1 / p))


def not_scaled(values, nu):
    p = np.zeros(len(values))
    for i, value in enumerate(values):
        p[i] = value**nu / np.sum(values**nu)
    return np.exp(sum(-x * np.log(x) for x in p if x > 0))


def entropy_only(values, nu):
    p = values**nu / np.sum(values**nu)
    return -np.sum(p * np.log(p))


def perplexity_in_bits(values, nu):
    p = (values / max(values)) ** nu
    p = p[p > 0] / p.sum()
    return 2 ** entropy(p)


def normalised_first(values, nu):
    p = (values / values.sum()) ** nu
    return np.exp(-np.sum(xlogy(p, p)))


def scipys_entropy(values, nu):
    """As scipy normalises by itself, this looks right; nu is lost."""
    return np.exp(entropy(values * nu))


def inverse_simpson(values, nu):
    w = (values / values.max()) ** nu
    return w.sum() ** 2 / (w @ w)


def trace_of_power(values, nu):
    return sum(value**nu for value in values / max(values))


def soft(values, nu):
    z = np.exp(nu * values - nu * values.max())
    return np.exp(entropy(z))


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


def with_epsilon(values, nu):
    w = values**nu
    p = w / w.sum()
    return np.exp(-np.sum(p * np.log(p + 1e-12)))


# written with fresh eyes, from the exercise's text alone


def two_to_the_nats(values, nu):
    p = (values / values.max()) ** nu
    p = p / p.sum()
    p = p[p > 0]
    return 2 ** (-np.sum(p * np.log(p)))


def nu_before_the_sum(values, nu):
    p = values / values.sum()
    p = p[p > 0]
    return np.exp(-nu * np.sum(p * np.log(p)))


def small_number_added(values, nu):
    p = values**nu
    p = p / (p.sum() + 1e-8)
    return float(np.exp(-np.sum(p * np.log(p + 1e-8))))


def first_power_then_greatest(values, nu):
    p = (values / values.max()) ** nu
    p = p[p > 0]
    return np.exp(-np.sum(p * np.log(p)))


def _of_weights(w):
    p = w / w.sum()
    p = p[p > 0]
    return np.exp(-np.sum(p * np.log(p)))


def in_units_of_the_first(values, nu):
    with np.errstate(all="ignore"):
        return _of_weights((values / values[0]) ** nu)


def in_units_of_the_last(values, nu):
    with np.errstate(all="ignore"):
        return _of_weights((values / values[-1]) ** nu)


def root_for_power(values, nu):
    return _of_weights((values / values.max()) ** (1 / nu if nu else 0))


def mean_of_the_rest(values, nu):
    p = (values / values.max()) ** nu
    p = p / p.sum()
    p = p[p > 0]
    return np.exp(-np.mean(p * np.log(p)))


def small_shares_dropped(values, nu):
    p = (values / values.max()) ** nu
    p = p / p.sum()
    p = p[p > 0.001]
    return np.exp(-np.sum(p * np.log(p)))


def whole_part(values, nu):
    return int(_of_weights((values / values.max()) ** nu))


WRONG = [
    ("underflow_to_nan", with_epsilon),
    ("divided_by_n", _by_loop(shares=lambda w: [x / len(w) for x in w])),
    ("shares_forgotten", _by_loop(addend=lambda p, w: -math.log(p) if p else 0)),
    ("zeros_and_underflow", first_try),
    ("zero_log_zero", first_try_scaled),
    ("underflow", not_scaled),
    ("entropy_itself", _by_loop(end=lambda H, N: H)),
    ("zeros_and_underflow", entropy_only),
    ("two_bases", _by_loop(addend=lambda p, w: -p * math.log2(p) if p else 0)),
    ("two_to_the_entropy", perplexity_in_bits),
    ("minus_forgotten", _by_loop(addend=lambda p, w: p * math.log(p) if p else 0)),
    ("not_normalised", _by_loop(shares=lambda w: w)),
    ("shares_before_power", normalised_first),
    ("logarithm_of_powers", _by_loop(addend=lambda p, w: -p * math.log(w) if w else 0)),
    (
        "nu_forgotten",
        _by_loop(power=lambda value, greatest, nu: value / greatest),
    ),
    (
        "nu_as_root_to_infinity",
        _by_loop(power=lambda v, top, nu: (v / top) ** (1 / nu) if nu else v == top),
    ),
    ("nu_too_late", powers_late),
    ("softmax", soft),
    ("participation_ratio", inverse_simpson),
    ("sum_of_weights", trace_of_power),
    ("positive_counted", rank),
    ("mean_for_sum", _by_loop(end=lambda H, N: math.exp(H / N))),
    ("whole", rounded),
    ("whole", cut),
    ("shape", one_of_each),
    ("less_than_one", below_one),
    ("changes_input", sorts_its_input),
    ("not_all_at_zero", one_less),
    ("more_than_there_are", one_more),
    ("equal_ones_miscounted", smoothed),
    ("multiple", share_of_all),
    ("not_all_at_zero", capped),
    ("nu_multiplied_to_nan", scipys_entropy),
    # written with fresh eyes, from the exercise's text alone
    ("two_to_the_entropy", two_to_the_nats),
    ("nu_too_late", nu_before_the_sum),
    ("underflow", small_number_added),
    ("not_normalised", first_power_then_greatest),
    ("first_for_greatest", in_units_of_the_first),
    ("last_for_greatest", in_units_of_the_last),
    ("nu_as_root_but_at_zero", root_for_power),
    ("mean_of_those_left", mean_of_the_rest),
    ("below_0.001_dropped", small_shares_dropped),
    ("whole", whole_part),
]
