"""The effective number of directions that a power of a spectrum leaves free."""

import math

import numpy as np

from ukrlearn import sgd
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline


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
    return made


# The stages


def scaled(values):
    """the eigenvalues over the greatest"""
    return values / values.max()


def weights(scaled, nu):
    """the powers of the eigenvalues"""
    return scaled**nu


def p(weights):
    """the shares p_i"""
    return weights / weights.sum()


def logs(p):
    """the logarithms of the shares"""
    return np.log(p)


def terms(p, logs):
    """the terms p_i log p_i"""
    return np.where(p > 0, p * logs, 0)


def entropy(terms):
    """the entropy"""
    return -terms.sum()


def directions(entropy):
    """the exponential of the entropy"""
    return np.exp(entropy)


NUMBER = pipeline("values nu", scaled, weights, p, logs, terms, entropy, directions)


def _shares(values, nu):
    return p(weights(scaled(values), nu))


def _entropy(shares):
    shares = shares[shares > 0]
    return entropy(terms(shares, logs(shares)))


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


ZEROS = (
    "A share of zero makes your sum nan: 0 times log 0 is 0 times minus infinity. The limit is 0, "
    "so leave such shares out of the sum."
)
UNDERFLOW = (
    "Small eigenvalues raised to a high power are all zero in floating point, and then you divide "
    "zero by zero, or take its logarithm. Only ratios count: divide the eigenvalues by the greatest "
    "before you raise them."
)
NU_MULTIPLIED = (
    "You multiply the eigenvalues by nu; the factor cancels as soon as you divide by the sum. nu is "
    "a power."
)
DROPPED = (
    "You leave out small shares. Leave out only zeros: forty shares of a thousandth make 4 per cent "
    "together, and raise the number."
)


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


EXERCISE = Exercise(
    name="effective_directions",
    title="The effective number of directions",
    lesson="16_moving_together",
    equations="[SGD] (17), and the number of lesson 16",
    minutes=15,
    shapes={"values": "N", "nu": ""},
    returns={"directions": ""},
    trials=trials,
    reference=reference,
    stages=NUMBER,
    properties=(
        Property(
            "small_ones_dropped",
            "Small shares count too.",
            DROPPED,
            _none_dropped,
        ),
        Property(
            "whole",
            "The number need not be whole.",
            "Your number is always whole: do you count, or round? It should say how *unequal* the "
            "weights are: 4, 2, 1 lie between three equal ones and a single one.",
            lambda n, values, nu: len(values) <= MANY or not bool(abs(n - np.round(n)) <= 1e-9),
        ),
        Property(
            "more_than_there_are",
            "The number never exceeds the N directions that there are.",
            "Your number exceeds N, the number of directions. N equal shares give N, and no other "
            "shares give more: do yours sum to one?",
            lambda n, values, nu: bool(n <= len(values) * (1 + 1e-4)),
        ),
        Property(
            "less_than_one",
            "The number is never less than one.",
            "Your number is less than one, but one direction is always free, the leading one. Look at "
            "the sign of the entropy, and at the exponential.",
            lambda n, values, nu: bool(n >= 1 - 1e-4),
        ),
        Property(
            "not_all_at_zero",
            "With nu = 0 all N directions are free.",
            "With nu = 0 every power is one, all shares are equal, and the number must be N: the plain "
            "gradient. Yours is not.",
            lambda n, values, nu: nu != 0 or bool(abs(n - len(values)) <= 1e-4 * len(values)),
        ),
        Property(
            "equal_ones_miscounted",
            "Three equal eigenvalues and zeros count as three.",
            "Three equal eigenvalues and zeros must count as three, whatever nu is: the zeros "
            "have no share. Yours do not.",
            lambda n, values, nu: (
                nu == 0 or len(set(values[values > 0])) > 1 or bool(abs(n - 3) <= 1e-4)
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "zeros_and_underflow",
            f"There are two things besides the formula. {ZEROS} {UNDERFLOW}",
            NUMBER(scaled=lambda values: values, terms=_product),
        ),
        Misconception(
            "zero_log_zero",
            ZEROS,
            NUMBER(terms=_product),
        ),
        Misconception(
            "underflow",
            UNDERFLOW,
            NUMBER(scaled=lambda values: values),
        ),
        Misconception(
            "underflow_to_nan",
            UNDERFLOW,
            NUMBER(scaled=lambda values: values, terms=_nan_stays),
        ),
        Misconception(
            "entropy_itself",
            "You return the entropy. The exponential is missing: n equal shares have the entropy "
            "log n, and should count n.",
            NUMBER(directions=lambda entropy: entropy),
        ),
        Misconception(
            "two_bases",
            "You mix two bases: the logarithm has base 2, the exponential base e. Take the same for both; "
            "which one does not matter.",
            NUMBER(logs=lambda p: np.log2(p)),
        ),
        Misconception(
            "two_to_the_entropy",
            "You mix two bases: the logarithm is natural, but you raise 2 to the entropy. Take "
            "the same base for both; which one does not matter.",
            NUMBER(directions=lambda entropy: 2.0**entropy),
        ),
        Misconception(
            "minus_forgotten",
            "The minus in front of the sum is missing. Logarithms of shares are negative, an "
            "entropy is not: without the minus, you get 1 over a number of directions.",
            NUMBER(entropy=lambda terms: terms.sum()),
        ),
        Misconception(
            "not_normalised",
            "Your p_i do not sum to one: they are the powers themselves. An entropy needs shares, "
            "so divide each power by the sum of all powers.",
            NUMBER(p=lambda weights: weights),
        ),
        Misconception(
            "shares_before_power",
            "You divide by the sum first and raise to nu afterwards, so your p_i no longer sum to "
            "one. The power comes first.",
            NUMBER(scaled=lambda values: values / values.sum(), p=lambda weights: weights),
        ),
        Misconception(
            "logarithm_of_powers",
            "Your logarithm contains the powers and not their shares. Both p_i in p_i log p_i are "
            "the same number, divided by the sum.",
            NUMBER(logs=lambda weights: np.log(weights)),
        ),
        Misconception(
            "logarithm_without_nu",
            "The p_i inside your logarithm lack nu, and the p_i before it have nu. Both must be "
            "the same number.",
            NUMBER(logs=lambda values: np.log(values / values.sum())),
        ),
        Misconception(
            "nu_forgotten",
            "Your number does not depend on nu. Raise the eigenvalues to nu before you compute "
            "shares.",
            NUMBER(weights=lambda scaled: scaled),
        ),
        Misconception(
            "nu_multiplied",
            NU_MULTIPLIED,
            NUMBER(weights=lambda scaled, nu: nu * scaled),
        ),
        Misconception(
            "nu_as_root",
            "You raise to 1/nu. A large nu must increase the differences and leave fewer "
            "directions free.",
            NUMBER(weights=lambda scaled, nu: scaled ** (1 / nu)),
        ),
        Misconception(
            "nu_as_root_but_at_zero",
            "You raise to 1/nu. A large nu must increase the differences and leave fewer "
            "directions free.",
            NUMBER(weights=lambda scaled, nu: scaled ** (1 / nu if nu else 0)),
        ),
        Misconception(
            "nu_too_late",
            "You raise the finished number to nu, or multiply the entropy by nu, which is the "
            "same. Raise the eigenvalues, before anything else.",
            NUMBER(
                weights=lambda scaled: scaled, directions=lambda entropy, nu: np.exp(nu * entropy)
            ),
        ),
        Misconception(
            "softmax",
            "You take exp(nu λ) for the weight, a softmax. The weight in (17) is λ to the power nu, which is "
            "exp(nu log λ). Yours would change with the units of λ.",
            NUMBER(
                scaled=lambda values: values - values.max(),
                weights=lambda scaled, nu: np.exp(nu * scaled),
            ),
        ),
        Misconception(
            "participation_ratio",
            "One over the sum of squared shares counts directions too (the participation ratio of "
            "physics), and it agrees for equal shares. The task asks for the exponential of the "
            "entropy; it gives small shares more say.",
            NUMBER(directions=lambda p: 1 / np.sum(p**2)),
        ),
        Misconception(
            "sum_of_weights",
            "You add up the weights in units of the greatest. That counts equal weights rightly "
            "too, but the task asks for the exponential of the entropy.",
            NUMBER(directions=lambda weights: weights.sum()),
        ),
        Misconception(
            "positive_counted",
            "You count the weights that are not zero. A hundred tiny ones are not a hundred "
            "directions: each should count by its share.",
            NUMBER(directions=lambda p: np.sum(p > 0)),
        ),
        Misconception(
            "divided_by_n",
            "You divide the powers by N. Shares are divided by their own sum, so that they sum to one.",
            NUMBER(p=lambda weights: weights / len(weights)),
        ),
        Misconception(
            "shares_forgotten",
            "You add up the logarithms alone. In the entropy each log p_i is weighted by its p_i.",
            NUMBER(terms=lambda p, logs: np.where(p > 0, logs, 0)),
        ),
        Misconception(
            "mean_for_sum",
            "You take the mean of p_i log p_i over the directions. The p_i are weights already: "
            "take the sum.",
            NUMBER(entropy=lambda terms: -terms.mean()),
        ),
        Misconception(
            "mean_of_those_left",
            "You take the mean of p_i log p_i over the shares that are not zero. The p_i are "
            "weights already: take the sum.",
            NUMBER(entropy=lambda p, terms: -terms.sum() / np.sum(p > 0)),
        ),
        Misconception(
            "zeros_raise",
            "Your logarithm stops at a share of zero, as math.log does. The limit of p log p is 0 there, so leave such "
            "shares out of the sum.",
            NUMBER(logs=_by_math),
        ),
        Misconception(
            "sum_for_greatest",
            "You divide the eigenvalues by their sum before you raise them. That changes no share, "
            "but many shares are far below one, and to a high power they all vanish, so that you "
            "divide zero by zero. Divide by the greatest: then one weight is always 1.",
            NUMBER(scaled=lambda values: values / values.sum()),
        ),
        Misconception(
            "sum_for_greatest_to_nan",
            "You divide the eigenvalues by their sum before you raise them. That changes no share, "
            "but many shares are far below one, and to a high power they all vanish, so that you "
            "divide zero by zero. Divide by the greatest: then one weight is always 1.",
            NUMBER(scaled=lambda values: values / values.sum(), terms=_nan_stays),
        ),
        Misconception(
            "nu_multiplied_to_nan",
            NU_MULTIPLIED,
            NUMBER(weights=lambda scaled, nu: nu * scaled, terms=_nan_stays),
        ),
        Misconception(
            "softmax_of_scaled",
            "You take the exponential of nu times the scaled eigenvalue for the weight, a softmax. The "
            "weight in (17) is λ to the power nu.",
            NUMBER(weights=lambda scaled, nu: np.exp(nu * scaled)),
        ),
        Misconception(
            "nu_as_root_to_infinity",
            "You raise to 1/nu. A large nu must increase the differences and leave fewer "
            "directions free.",
            NUMBER(weights=lambda scaled, nu: scaled ** (1 / nu if nu else np.inf)),
        ),
        Misconception(
            "least_for_greatest",
            "You divide by the least eigenvalue as if it were the greatest. It may be zero, and then "
            "powers become infinite: look for the greatest.",
            NUMBER(scaled=lambda values: values / values.min()),
        ),
        *(
            Misconception(
                f"{which}_for_greatest",
                f"You divide by the {which} eigenvalue as if it were the greatest. They come in any "
                "order, so it may be zero: look for the greatest.",
                NUMBER(scaled=_over(at)),
            )
            for which, at in (("first", 0), ("last", -1))
        ),
        *(
            Misconception(
                f"below_{least}_dropped",
                DROPPED,
                NUMBER(terms=_of_shares_above(least)),
            )
            for least in (0.1, 0.05, 0.01, 1e-3)
        ),
    ),
    hints=(
        "Turn the weights into shares of one, as in an election. If n shares are equal, the "
        "answer must be n. Which function of the shares does that?",
        "Weights: the eigenvalues over the greatest one, to the power nu. Shares p: weights over "
        "their sum. Entropy: minus the sum of p log p over all p that are not zero. The answer: e "
        "to the entropy.",
        "Four lines: weights, shares, shares[shares > 0], and numpy.exp of minus a numpy.sum. "
        "Dividing by values.max() before the power keeps all weights from vanishing.",
    ),
)
