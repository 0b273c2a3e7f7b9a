"""The effective number of directions that a power of a spectrum leaves free."""

import numpy as np

from ukrlearn import sgd
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial


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
    equal = np.array([0.0, 3, 0, 3, 3, 0])
    made.append(Trial("three equal ones, the rest zero", dict(values=equal, nu=2.0)))
    middle = random.permutation(np.append(random.uniform(0.2, 1, size=5), 0.0))
    some = np.concatenate([[0.0], middle, random.uniform(0.2, 1, size=1)])  # ends on a positive one
    made.append(Trial("two of eight are zero", dict(values=some, nu=1.5)))
    small = np.insert(3e-3 * random.uniform(0.5, 1, size=MANY), [3, 9, 11], [0.7, 1.0, 0.9])
    made.append(Trial("three large and many small", dict(values=small, nu=1.0)))
    leading = 1 - np.sort(random.uniform(0, 0.02, size=9))
    made.append(Trial("a very high power", dict(values=1e-4 * leading, nu=200.0)))
    made.append(Trial("eigenvalues a million times larger", dict(values=1e6 * some, nu=1.5)))
    return made


# Right parts, and mistakes


def _scaled(values, nu):
    return (values / values.max()) ** nu


def _unscaled(values, nu):
    return values**nu


def _sum(p, q, logarithm=np.log):
    """Σ p log q without zeros, where there are any."""
    return np.sum(p[p > 0] * logarithm(q[p > 0]))


def _sum_with_zeros(p, q, logarithm=np.log):
    return np.sum(p * logarithm(q))


def _sum_but_nan(p, q):
    return np.sum(np.where(p == 0, 0, p * np.log(q)))


def _shares(values, nu):
    weights = _scaled(values, nu)
    return weights / weights.sum()


def _entropy(shares):
    return -_sum(shares, shares)


def _quietly(number):
    def silent(values, nu):
        with np.errstate(all="ignore"):
            return number(values, nu)

    return silent


ZEROS = (
    "A share of zero makes your sum nan: 0 times log 0 is 0 times minus infinity. The limit is 0, "
    "so leave such shares out of the sum."
)
UNDERFLOW = (
    "Small eigenvalues raised to a power of 200 are all zero in floating point, and then you divide "
    "zero by zero, or take its logarithm. Only ratios count: divide the eigenvalues by the greatest "
    "before you raise them."
)
TRAPS = {  # what stands beside a mistake, as often as not
    "": ("", _scaled, _sum),
    "_and_zeros": (f" Also: {ZEROS}", _scaled, _sum_with_zeros),
    "_and_underflow": (f" Also: {UNDERFLOW}", _unscaled, _sum),
    "_and_both": (f" Also: {ZEROS} {UNDERFLOW}", _unscaled, _sum_with_zeros),
}


def _with_traps(id_, says, number, but=()):
    """The mistake number(weights, sum), with and without the two traps."""

    def like(powers, total):
        return _quietly(lambda values, nu: number(powers(values, nu), total))

    return tuple(
        Misconception(id_ + trap, says + besides, like(powers, total))
        for trap, (besides, powers, total) in TRAPS.items()
        if trap not in but
    )


def _right(w, total):
    p = w / w.sum()
    return np.exp(-total(p, p))


def _entropy_itself(w, total):
    p = w / w.sum()
    return -total(p, p)


def _two_bases(w, total):
    p = w / w.sum()
    return np.exp(-total(p, p, np.log2))


def _two_to_the_entropy(w, total):
    p = w / w.sum()
    return 2 ** -total(p, p)


def _divided_by_one_of_them(at):
    return _quietly(lambda values, nu: _right((values / values[at]) ** nu, _sum))


def _minus_forgotten(w, total):
    p = w / w.sum()
    return np.exp(total(p, p))


def _not_normalised(w, total):
    return np.exp(-total(w, w))


def _logarithm_of_powers(w, total):
    return np.exp(-total(w / w.sum(), w))


def _mean_for_sum(w, total):
    p = w / w.sum()
    return np.exp(-total(p, p) / len(p))


def _participation(w, total):
    p = w / w.sum()
    return 1 / np.sum(p**2)


def _share_before_power(values, nu):
    shares = (values / values.sum()) ** nu
    return np.exp(_entropy(shares))


def _logarithm_of_values(values, nu):
    values = values[values > 0]
    return np.exp(-np.sum(_shares(values, nu) * np.log(values / values.sum())))


def _softmax(values, nu):
    weights = np.exp(nu * (values - values.max()))
    return np.exp(_entropy(weights / weights.sum()))


def _multiplied(values, nu):
    weights = nu * values
    return np.exp(_entropy(weights / weights.sum())) if nu else np.nan


def _power_of_the_number(values, nu):
    return np.exp(_entropy(_shares(values, 1.0))) ** nu


def _root(values, nu):
    shares = _shares(values, 1 / nu if nu else np.inf)
    return np.exp(_entropy(shares))


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
    properties=(
        Property(
            "small_ones_dropped",
            "Small shares count too.",
            "You leave out small shares. Leave out only zeros: forty shares of a thousandth make "
            "4 per cent together, and raise the number.",
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
            _quietly(lambda values, nu: _right(_unscaled(values, nu), _sum_with_zeros)),
        ),
        Misconception(
            "zero_log_zero",
            ZEROS,
            _quietly(lambda values, nu: _right(_scaled(values, nu), _sum_with_zeros)),
        ),
        Misconception(
            "underflow",
            UNDERFLOW,
            _quietly(lambda values, nu: _right(_unscaled(values, nu), _sum)),
        ),
        Misconception(
            "underflow_to_nan",
            UNDERFLOW,
            _quietly(lambda values, nu: _right(_unscaled(values, nu), _sum_but_nan)),
        ),
        *_with_traps(
            "entropy_itself",
            "You return the entropy. The exponential is missing: n equal shares have the entropy "
            "log n, and should count n.",
            _entropy_itself,
        ),
        *_with_traps(
            "two_bases",
            "You mix two bases: the logarithm has base 2, the exponential base e. Take the same for both; "
            "which one does not matter.",
            _two_bases,
        ),
        *_with_traps(
            "two_to_the_entropy",
            "You mix two bases: the logarithm is natural, but you raise 2 to the entropy. Take "
            "the same base for both; which one does not matter.",
            _two_to_the_entropy,
        ),
        *_with_traps(
            "minus_forgotten",
            "The minus in front of the sum is missing. Logarithms of shares are negative, an "
            "entropy is not; you get 1 over the right number.",
            _minus_forgotten,
        ),
        *_with_traps(
            "not_normalised",
            "Your p_i do not sum to one: they are the powers themselves. An entropy needs shares, "
            "so divide each power by the sum of all powers.",
            _not_normalised,
        ),
        Misconception(
            "shares_before_power",
            "You divide by the sum first and raise to nu afterwards, so your p_i no longer sum to "
            "one. The power comes first.",
            _quietly(_share_before_power),
        ),
        *_with_traps(
            "logarithm_of_powers",
            "Your logarithm contains the powers and not their shares. Both p_i in p_i log p_i are "
            "the same number, divided by the sum.",
            _logarithm_of_powers,
        ),
        Misconception(
            "logarithm_without_nu",
            "The p_i inside your logarithm lack nu, and the p_i before it have nu. Both must be "
            "the same number.",
            _quietly(_logarithm_of_values),
        ),
        Misconception(
            "nu_forgotten",
            "Your number does not depend on nu. Raise the eigenvalues to nu before you compute "
            "shares.",
            lambda values, nu: np.exp(_entropy(_shares(values, 1.0))),
        ),
        Misconception(
            "nu_multiplied",
            "You multiply the eigenvalues by nu; the factor cancels as soon as you divide by the sum. nu "
            "is a power.",
            _multiplied,
        ),
        Misconception(
            "nu_as_root",
            "You raise to 1/nu. A large nu must increase the differences and leave fewer "
            "directions free.",
            _quietly(_root),
        ),
        Misconception(
            "nu_as_root_but_at_zero",
            "You raise to 1/nu. A large nu must increase the differences and leave fewer "
            "directions free.",
            _quietly(lambda values, nu: _root(values, nu) if nu else float(len(values))),
        ),
        Misconception(
            "nu_too_late",
            "You raise the finished number to nu, or multiply the entropy by nu, which is the "
            "same. Raise the eigenvalues, before anything else.",
            _power_of_the_number,
        ),
        Misconception(
            "softmax",
            "You take exp(nu λ) for the weight, a softmax. The weight in (17) is λ to the power nu, which is "
            "exp(nu log λ). Yours would change with the units of λ.",
            _softmax,
        ),
        *_with_traps(
            "participation_ratio",
            "One over the sum of squared shares counts directions too (the participation ratio of "
            "physics), and it agrees for equal shares. The task asks for the exponential of the "
            "entropy; it gives small shares more say.",
            _participation,
            but=("_and_zeros", "_and_both"),
        ),
        Misconception(
            "sum_of_weights",
            "You add up the weights in units of the greatest. That counts equal weights rightly "
            "too, but the task asks for the exponential of the entropy.",
            lambda values, nu: np.sum((values / values.max()) ** nu),
        ),
        *_with_traps(
            "positive_counted",
            "You count the weights that are not zero. A hundred tiny ones are not a hundred "
            "directions: each should count by its share.",
            lambda w, total: np.sum(w > 0),
            but=("_and_zeros", "_and_both"),
        ),
        *_with_traps(
            "divided_by_n",
            "You divide the powers by N. Shares are divided by their own sum, so that they sum to one.",
            lambda w, total: np.exp(-total(w / len(w), w / len(w))),
        ),
        *_with_traps(
            "shares_forgotten",
            "You add up the logarithms alone. In the entropy each log p_i is weighted by its p_i.",
            lambda w, total: np.exp(-total(1.0 * (w > 0), w / w.sum())),
            but=("_and_zeros", "_and_both"),
        ),
        *_with_traps(
            "mean_for_sum",
            "You take the mean of p_i log p_i over the directions. The p_i are weights already: "
            "take the sum.",
            _mean_for_sum,
        ),
        *_with_traps(
            "mean_of_those_left",
            "You take the mean of p_i log p_i over the shares that are not zero. The p_i are "
            "weights already: take the sum.",
            lambda w, total: _right(w, lambda p, q: total(p, q) / np.sum(p > 0)),
            but=("_and_zeros", "_and_both"),
        ),
        *(
            Misconception(
                f"{which}_for_greatest",
                f"You divide by the {which} eigenvalue as if it were the greatest. They come in any order, so it "
                "may be zero: look for the greatest.",
                like,
            )
            for which, at in (("first", 0), ("last", -1))
            for like in (_divided_by_one_of_them(at),)
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
