"""The effective number of directions that a power of a spectrum leaves free."""

import math

import numpy as np

from ukrlearn import sgd
from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise


def reference(values, nu):
    spectrum = sgd.Spectrum(values / values.max(), np.eye(len(values)))
    return sgd.powers(spectrum, nu).directions


MANY = 40  # small eigenvalues beside large ones: each hardly counts, together they do


def trials(seed):
    random = np.random.default_rng(seed)
    made = [Trial("three eigenvalues", dict(values=np.array([4.0, 2.0, 1.0]), nu=1.0))]
    for N, nu in ((5, 1.0), (7, 3.0), (11, 2.5), (6, 0.5)):
        values = random.beta(0.7, 1.5, size=N) + 0.01
        made.append(Trial(f"{N} eigenvalues, nu = {nu}", dict(values=values, nu=nu)))
    made.append(Trial("nu = 0", dict(values=values, nu=0.0)))
    made.append(Trial("ties and zeros", dict(values=np.array([2.0, 0, 5, 2, 1, 0]), nu=2.0)))
    equal = np.array([0.0, 3, 0, 3, 3, 0])
    made.append(Trial("three equal ones, the rest zero", dict(values=equal, nu=2.0)))
    middle = random.permutation(np.append(random.uniform(0.2, 1, size=5), 0.0))
    some = np.concatenate([[0.0], middle, random.uniform(0.2, 1, size=1)])  # ends on a positive one
    made.append(Trial("two of eight are zero", dict(values=some, nu=1.5)))
    small = np.insert(3e-3 * random.uniform(0.5, 1, size=MANY), [3, 9, 11], [0.7, 1.0, 0.9])
    made.append(Trial("three large and many small", dict(values=small, nu=1.0)))
    leading = 1 - np.sort(random.uniform(0, 0.02, size=9))
    made.append(Trial("a very high power", dict(values=1e-4 * leading, nu=400.0)))
    made.append(
        Trial("small ones, a high power", dict(values=1e-4 * np.array([4.0, 2, 4]), nu=120.0))
    )
    made.append(Trial("eigenvalues a million times larger", dict(values=1e6 * some, nu=1.5)))
    made.append(Trial("nu = 0, two of eight are zero", dict(values=some, nu=0.0), at_last=True))
    return made


# The stages


NUMBER = pipeline(
    "values nu",
    scaled=lambda values: values / values.max(),
    weights=lambda scaled, nu: scaled**nu,
    p=lambda weights: weights / weights.sum(),
    logs=lambda p: np.log(p),
    terms=lambda p, logs: np.where(p > 0, p * logs, 0),
    entropy=lambda terms: -terms.sum(),
    directions=lambda entropy: np.exp(entropy),
)


def _shares(values, nu):
    return NUMBER.p(NUMBER.weights(NUMBER.scaled(values), nu))


def _entropy(shares):
    shares = shares[shares > 0]
    return NUMBER.entropy(NUMBER.terms(shares, NUMBER.logs(shares)))


def _product(p, logs):
    return p * logs


def _nan_stays(p, logs):
    return np.where(p == 0, 0, p * logs)


def _by_math(p):
    return np.array([math.log(share) for share in p])  # raises at zero, where NumPy warns


def _over(at):
    return lambda values: values / values[at]


def _of_shares_above(least):
    return lambda p, logs: np.where(p > least, p * logs, 0)


def _none_dropped(n, values, nu):
    """Whether n is not the number for the greatest shares alone, unchanged or rescaled."""
    p = np.sort(_shares(values, nu))[::-1]
    p = p[p > 0]
    if len(set(p)) < len(p):
        return True  # equal ones: anything could be meant
    for k in range(2, len(p)):
        for kept in (p[:k], p[:k] / p[:k].sum()):
            made = np.exp(_entropy(kept))
            if abs(n - made) <= 1e-8 * made and abs(made - np.exp(_entropy(p))) > 1e-5 * made:
                return False
    return True


MISTAKES = (
    NUMBER.mistake("zeros_and_underflow", scaled=lambda values: values, terms=_product),
    NUMBER.mistake("underflow", scaled=lambda values: values),
    NUMBER.mistake("underflow_to_nan", scaled=lambda values: values, terms=_nan_stays),
    NUMBER.mistake("two_to_the_entropy", directions=lambda entropy: 2.0**entropy),
    NUMBER.mistake(
        "shares_before_power",
        scaled=lambda values: values / values.sum(),
        p=lambda weights: weights,
    ),
    NUMBER.mistake("logarithm_of_powers", logs=lambda weights: np.log(weights)),
    NUMBER.mistake("logarithm_without_nu", logs=lambda values: np.log(values / values.sum())),
    NUMBER.mistake("nu_multiplied", weights=lambda scaled, nu: nu * scaled),
    NUMBER.mistake("nu_as_root", weights=lambda scaled, nu: scaled ** (1 / nu)),
    NUMBER.mistake(
        "nu_as_root_but_at_zero", weights=lambda scaled, nu: scaled ** (1 / nu if nu else 0)
    ),
    NUMBER.mistake(
        "nu_too_late",
        weights=lambda scaled: scaled,
        directions=lambda entropy, nu: np.exp(nu * entropy),
    ),
    NUMBER.mistake(
        "softmax",
        scaled=lambda values: values - values.max(),
        weights=lambda scaled, nu: np.exp(nu * scaled),
    ),
    NUMBER.mistake("participation_ratio", directions=lambda p: 1 / np.sum(p**2)),
    NUMBER.mistake("sum_of_weights", directions=lambda weights: weights.sum()),
    NUMBER.mistake("positive_counted", directions=lambda p: np.sum(p > 0)),
    NUMBER.mistake("divided_by_n", p=lambda weights: weights / len(weights)),
    NUMBER.mistake("mean_of_those_left", entropy=lambda p, terms: -terms.sum() / np.sum(p > 0)),
    NUMBER.mistake("zeros_raise", logs=_by_math),
    NUMBER.mistake("sum_for_greatest", scaled=lambda values: values / values.sum()),
    NUMBER.mistake(
        "sum_for_greatest_to_nan", scaled=lambda values: values / values.sum(), terms=_nan_stays
    ),
    NUMBER.mistake(
        "nu_multiplied_to_nan", weights=lambda scaled, nu: nu * scaled, terms=_nan_stays
    ),
    NUMBER.mistake("softmax_of_scaled", weights=lambda scaled, nu: np.exp(nu * scaled)),
    NUMBER.mistake(
        "nu_as_root_to_infinity", weights=lambda scaled, nu: scaled ** (1 / nu if nu else np.inf)
    ),
    *(
        NUMBER.mistake(f"{which}_for_greatest", scaled=_over(at))
        for which, at in (("first", 0), ("last", -1))
    ),
    *(
        NUMBER.mistake(f"below_{least}_dropped", terms=_of_shares_above(least))
        for least in (0.1, 0.05, 0.01, 1e-3)
    ),
)


EXERCISE = exercise(
    "effective_directions",
    lesson="16_moving_together",
    equations="[SGD] (17), and the number of lesson 16",
    minutes=15,
    shapes={"values": "N", "nu": ""},
    returns={"directions": ""},
    trials=trials,
    reference=reference,
    stages=NUMBER,
    properties=(
        Property("small_ones_dropped", holds=_none_dropped),
        Property(
            "whole",
            holds=lambda n, values, nu: (
                len(values) <= MANY or not bool(abs(n - np.round(n)) <= 1e-9)
            ),
        ),
        Property(
            "more_than_there_are", holds=lambda n, values, nu: bool(n <= len(values) * (1 + 1e-4))
        ),
        Property("less_than_one", holds=lambda n, values, nu: bool(n >= 1 - 1e-4)),
        Property(
            "not_all_at_zero",
            holds=lambda n, values, nu: nu != 0 or bool(abs(n - len(values)) <= 1e-4 * len(values)),
        ),
        Property(
            "equal_ones_miscounted",
            holds=lambda n, values, nu: (
                nu == 0 or len(set(values[values > 0])) > 1 or bool(abs(n - 3) <= 1e-4)
            ),
        ),
    ),
    misconceptions=MISTAKES,
)
