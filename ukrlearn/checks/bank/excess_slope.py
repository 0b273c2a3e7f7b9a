"""The exponent with which the excess error falls, from repeats at several numbers of points."""

import numpy as np
from scipy.optimize import minimize_scalar

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.rpm import learning_rates


def reference(sizes, errors, floor):
    return learning_rates.excess_slope(sizes, errors, floor)


def trials(seed):
    random = np.random.default_rng(seed)
    by_hand = dict(
        sizes=np.array([10.0, 100.0]),
        errors=np.array([[10.0, 4.0, 7.0], [2.5, 3.5, 1.5]]),
        floor=2.0,
    )
    uneven = dict(
        sizes=np.array([10.0, 100.0, 1000.0]),
        errors=np.array([[0.0, 4.0, 29.0, 15.0], [7.0, 1.0, 3.0, 9.0], [1.0, 3.0, 5.0, 7.0]]),
        floor=2.0,
    )
    made = [Trial("two sizes, three repeats", by_hand)]
    made.append(Trial("three sizes, four repeats", uneven))
    for S, n, floor in ((4, 6, 0.3), (5, 3, 1.7), (3, 7, 0.05)):
        sizes = 7.0 * np.cumprod(random.integers(2, 5, size=S))
        arguments = dict(sizes=sizes, errors=_errors(random, sizes, n, floor), floor=floor)
        made.append(Trial(f"{S} sizes, {n} repeats", arguments))
    lucky = _errors(random, sizes, 7, 0.05)
    lucky[:, 2] = 0.05 - 0.1 * (lucky.mean(axis=1) - 0.05)  # luckier than the best there is
    made.append(Trial("some repeats below the floor", dict(arguments, errors=lucky)))
    exact = 0.6 + 4 * sizes[:, None] ** -0.5 * np.array([0.5, 1.0, 1.5, 1.0])
    made.append(Trial("an exact power, m^(-1/2)", dict(sizes=sizes, errors=exact, floor=0.6)))
    made.append(Trial("a floor of zero", dict(sizes=sizes, errors=exact - 0.6, floor=0.0)))
    equal = exact.copy()
    equal[0, 1:3] = equal[0, 0]
    equal[1] = np.array([0, 0, 2, 2]) * equal[1].mean()  # two errors are zero, below the floor
    equal[2] = equal[2].mean()
    made.append(Trial("equal repeats", dict(sizes=sizes, errors=equal, floor=0.6)))
    rising = dict(sizes=sizes, errors=0.6 + sizes[:, None] ** 0.3 * exact[[0]], floor=0.6)
    made.append(Trial("an excess that grows", rising))
    backwards = random.permutation(len(sizes))
    if (backwards == np.arange(len(sizes))).all():
        backwards = backwards[::-1]
    shuffled = dict(sizes=sizes[backwards], errors=lucky[backwards], floor=0.05)
    made.append(Trial("sizes in any order", shuffled))
    units = dict(sizes=sizes, errors=1e6 * lucky, floor=0.05e6)
    made.append(Trial("errors a million times larger", units))
    return made


def _errors(random, sizes, n, floor):
    """Skewed repeats whose mean excess falls roughly, not exactly, like a power."""
    power = random.uniform(0.4, 1.1)
    level = 3 * sizes**-power * np.exp(0.2 * random.normal(size=len(sizes)))
    luck = random.gamma(0.8, size=(len(sizes), n))
    return floor + level[:, None] * luck / luck.mean(axis=1, keepdims=True)


def excesses(errors, floor):
    """the excess of each repeat"""
    return errors - floor


def excess(excesses):
    """the mean excess of each size"""
    return excesses.mean(axis=1)


def log_sizes(sizes):
    """the logarithms of m"""
    return np.log(sizes)


def log_excess(excess):
    """the logarithms of the excess"""
    return np.log(excess)


def slope(log_sizes, log_excess):
    """the slope of the fitted line"""
    return float(_line(log_sizes, log_excess)[0])


SLOPE = pipeline("sizes errors floor", excesses, excess, log_sizes, log_excess, slope)


def _line(x, y):
    """Slope and constant by least squares; nan where no line can be fitted, without LAPACK's words."""
    fits = np.isfinite(x).all() and np.isfinite(y).all() and np.any(x)
    if len(x) == len(y) and not fits:
        return np.full(2, np.nan)
    return np.polyfit(x, y, 1)


# Mistakes


def _mean_of_positive(excesses):
    return np.array([row[row > 0].mean() for row in excesses])


def _mean_log_of_positive(excesses):
    return np.array([np.log(row[row > 0]).mean() for row in excesses])


def _through_origin(log_sizes, log_excess):
    return log_sizes @ log_excess / (log_sizes @ log_sizes)


def _ends(x, y):
    return (y[-1] - y[0]) / (x[-1] - x[0])


def _mean_of_pieces(log_sizes, log_excess):
    return np.mean(np.diff(log_excess) / np.diff(log_sizes))


def _power_of_least_squares(sizes, excess):
    """The exponent of c m^a with the least squared distance from the excess itself."""
    m = np.log(sizes / sizes.max())

    def distance(a):
        power = np.exp(a * m - (a * m).max())
        return np.sum((excess - power * (power @ excess) / (power @ power)) ** 2)

    rates = np.linspace(-4, 4, 81)
    best = rates[np.argmin([distance(a) for a in rates])]
    found = minimize_scalar(distance, bracket=(best - 0.1, best, best + 0.1), tol=1e-12)
    return float(found.x)


def _raised_to(least):
    """Logarithms of single excesses, those below replaced."""
    return SLOPE(
        excess=lambda excesses: np.log(np.maximum(excesses, least)).mean(axis=1),
        log_excess=lambda excess: excess,
    )


EXERCISE = Exercise(
    name="excess_slope",
    title="The slope of the excess error",
    lesson="26_how_many_points",
    equations="[RPM] proposition 6",
    minutes=15,
    shapes={"sizes": "S", "errors": "S n", "floor": ""},
    returns={"slope": ""},
    trials=trials,
    reference=reference,
    stages=SLOPE,
    properties=(
        Property(
            "not_a_number",
            "The slope is a number, even if single repeats are below the floor.",
            "Your slope is not a number in every trial. The mean excess of each size is positive, so "
            "its logarithm exists; that of a single repeat may not.",
            lambda slope, **given: bool(np.isfinite(slope)),
            suspects=(
                ("excess", "Do you take the mean over the repeats before any logarithm?"),
                ("excesses", "Do you subtract the floor before you take a logarithm?"),
            ),
        ),
        Property(
            "exact_power_missed",
            "An exact power of m has its exponent as slope.",
            "For an excess of exactly m^(-1/2) (in the mean over repeats) your slope is not -1/2.",
            lambda slope, sizes, errors, floor: (
                np.ptp((errors.mean(axis=1) - floor) * np.sqrt(sizes)) > 1e-9 * np.abs(errors).max()
                or abs(slope + 0.5) < 2e-3
            ),
            suspects=(
                ("excess", "Is your excess the mean over the repeats minus the floor?"),
                ("log_sizes", "Do you take the logarithm of m?"),
                ("log_excess", "Do you take the logarithm of the excess, to the same base?"),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "floor_forgotten",
            "Your slope is that of the error itself, which levels off at R[f*]: it is too flat. "
            "Subtract the floor before you take the logarithm. (Afterwards it would only move "
            "the line.)",
            SLOPE(excesses=lambda errors: errors),
        ),
        Misconception(
            "floor_added",
            "You add the floor. The excess is the error *minus* the floor.",
            SLOPE(excesses=lambda errors, floor: errors + floor),
        ),
        Misconception(
            "least_error_as_floor",
            "You subtract the least error that you see in the table. The floor is R[f*], and it "
            "is given: the least of many noisy errors is another number, often below it.",
            SLOPE(excesses=lambda errors: errors - errors.min()),
        ),
        Misconception(
            "least_mean_as_floor",
            "You subtract the least mean error. The floor is R[f*], and it is given; of the "
            "least mean error nothing would be left, and nothing has no logarithm.",
            SLOPE(excess=lambda errors: errors.mean(axis=1) - errors.mean(axis=1).min()),
        ),
        Misconception(
            "ratio_to_floor",
            "You divide by the floor, or subtract its logarithm, which is the same. The excess "
            "is a difference of errors: subtract the floor first, then take the logarithm.",
            SLOPE(excesses=lambda errors, floor: errors / floor),
        ),
        Misconception(
            "relative_to_floor",
            "You divide the excess by the floor. A constant factor moves the line up or down and "
            "leaves its slope, but a floor of zero can't divide.",
            SLOPE(excesses=lambda errors, floor: (errors - floor) / floor),
        ),
        Misconception(
            "logarithms_first",
            "You take logarithms (or whole slopes) before the mean over repeats. Repeats below "
            "the floor have none, and the mean of logarithms follows the luckiest repeats. Mean "
            "first, then logarithm.",
            SLOPE(
                excess=lambda excesses: np.log(excesses).mean(axis=1),
                log_excess=lambda excess: excess,
            ),
        ),
        Misconception(
            "negative_left_out",
            "You take logarithms first, and leave out repeats below the floor, which have none. "
            "That keeps the unlucky ones. Take the mean of all repeats, and then its logarithm.",
            SLOPE(excess=_mean_log_of_positive, log_excess=lambda excess: excess),
        ),
        Misconception(
            "lucky_left_out",
            "You leave out the repeats below the floor. That keeps the unlucky ones, and their "
            "mean is too large: good and bad luck must cancel. Take the mean of all repeats; it "
            "has a logarithm.",
            SLOPE(excess=_mean_of_positive),
        ),
        Misconception(
            "absolute_values",
            "You take the absolute value of each excess, so that it has a logarithm. A repeat "
            "below the floor then counts as one above it. Take the mean over repeats first.",
            SLOPE(excesses=lambda errors, floor: np.abs(errors - floor)),
        ),
        Misconception(
            "clipped_at_zero",
            "You replace negative excesses by zero before the mean. The mean is then too large: "
            "good and bad luck must cancel.",
            SLOPE(excesses=lambda errors, floor: np.maximum(errors - floor, 0)),
        ),
        Misconception(
            "squared_excess",
            "You square the excess of each repeat. The errors are what falls; their excess is "
            "averaged as it is.",
            SLOPE(excesses=lambda errors, floor: (errors - floor) ** 2),
        ),
        Misconception(
            "median_for_mean",
            "You take the median over the repeats. The theory is about the expected error: the "
            "mean.",
            SLOPE(excess=lambda excesses: np.median(excesses, axis=1)),
        ),
        Misconception(
            "geometric_mean",
            "You take the geometric mean of the errors. The theory is about the expected error: "
            "the arithmetic mean.",
            SLOPE(excess=lambda errors, floor: np.exp(np.log(errors).mean(axis=1)) - floor),
        ),
        Misconception(
            "best_repeat",
            "You take the best repeat of each size. The theory is about the mean.",
            SLOPE(excess=lambda excesses: excesses.min(axis=1)),
        ),
        Misconception(
            "worst_repeat",
            "You take the worst repeat of each size. The theory is about the mean.",
            SLOPE(excess=lambda excesses: excesses.max(axis=1)),
        ),
        Misconception(
            "first_repeat",
            "You use one repeat of each size. Take the mean over all.",
            SLOPE(excess=lambda excesses: excesses[:, 0]),
        ),
        Misconception(
            "last_repeat",
            "You use the last repeat of each size. Take the mean over all.",
            SLOPE(excess=lambda excesses: excesses[:, -1]),
        ),
        Misconception(
            "mean_over_sizes",
            "Your mean runs over the sizes (axis 0), which leaves one number for each repeat. "
            "Each size has its own mean, over its repeats: axis=1.",
            SLOPE(excess=lambda excesses: excesses.mean(axis=0)),
        ),
        Misconception(
            "sum_of_errors",
            "You sum the errors over the repeats and subtract the floor once. The excess is the "
            "*mean* error minus the floor.",
            SLOPE(excess=lambda errors, floor: errors.sum(axis=1) - floor),
        ),
        Misconception(
            "no_logarithm_of_m",
            "You take the logarithm of the excess but not of m: the slope of an exponential law. "
            "A power of m is a line over log m.",
            SLOPE(log_sizes=lambda sizes: sizes),
        ),
        Misconception(
            "no_logarithm_of_excess",
            "You take the logarithm of m but not of the excess. Both axes are logarithmic.",
            SLOPE(log_excess=lambda excess: excess),
        ),
        Misconception(
            "no_logarithms",
            "You fit a line to the numbers themselves. A power is a line only in logarithms of "
            "both.",
            SLOPE(log_sizes=lambda sizes: sizes, log_excess=lambda excess: excess),
        ),
        Misconception(
            "two_bases",
            "You take different logarithms on the two axes. Either base will do, but only one.",
            SLOPE(log_sizes=lambda sizes: np.log10(sizes)),
        ),
        Misconception(
            "two_bases_turned",
            "You take different logarithms on the two axes. Either base will do, but only one.",
            SLOPE(log_excess=lambda excess: np.log10(excess)),
        ),
        Misconception(
            "one_added",
            "You take the logarithm of 1 + excess. That is nearly the excess itself where it is "
            "small, and no line over log m: the mean excess is positive, so its logarithm needs "
            "no help.",
            SLOPE(log_excess=lambda excess: np.log1p(excess)),
        ),
        Misconception(
            "axes_exchanged",
            "You fit log m over the log of the excess. The slope is that of log excess over log m.",
            SLOPE(slope=lambda log_sizes, log_excess: _line(log_excess, log_sizes)[0]),
        ),
        Misconception(
            "sign",
            "Your slope has the wrong sign: an excess that falls has a negative slope.",
            SLOPE(slope=lambda log_sizes, log_excess: -_line(log_sizes, log_excess)[0]),
        ),
        Misconception(
            "through_origin",
            "Your line passes through the origin. That sets the constant in front of the power "
            "to one: fit a constant, too.",
            SLOPE(slope=_through_origin),
        ),
        Misconception(
            "intercept",
            "You return the constant of the line, not its slope: `np.polyfit` gives the slope "
            "first.",
            SLOPE(slope=lambda log_sizes, log_excess: _line(log_sizes, log_excess)[1]),
        ),
        Misconception(
            "only_the_ends",
            "You join the first and the last size. Use all of them: least squares, `np.polyfit`.",
            SLOPE(slope=lambda log_sizes, log_excess: _ends(log_sizes, log_excess)),
        ),
        Misconception(
            "last_two",
            "You take the slope between the last two sizes. Use all of them: least squares, "
            "`np.polyfit`.",
            SLOPE(slope=lambda log_sizes, log_excess: _ends(log_sizes[-2:], log_excess[-2:])),
        ),
        Misconception(
            "mean_of_pieces",
            "You take the mean of the slopes between neighbouring sizes, or np.gradient. Fit one "
            "line to all sizes by least squares.",
            SLOPE(slope=_mean_of_pieces),
        ),
        Misconception(
            "power_of_least_squares",
            "You fit c m^a to the excess itself, without logarithms. There the smallest sizes, "
            "with the largest excess, decide alone. The task is a line by least squares in the "
            "logarithms, where all sizes count.",
            SLOPE(slope=_power_of_least_squares),
        ),
        Misconception(
            "clipped_1e-6",
            "You replace excesses that are not positive by a small number, and then take "
            "logarithms (or whole slopes) before the mean over repeats. The small number "
            "decides the result. Mean first, then logarithm.",
            _raised_to(1e-6),
        ),
        Misconception(
            "clipped_1e-8",
            "You replace excesses that are not positive by a small number, and then take "
            "logarithms (or whole slopes) before the mean over repeats. The small number "
            "decides the result. Mean first, then logarithm.",
            _raised_to(1e-8),
        ),
        Misconception(
            "clipped_1e-10",
            "You replace excesses that are not positive by a small number, and then take "
            "logarithms (or whole slopes) before the mean over repeats. The small number "
            "decides the result. Mean first, then logarithm.",
            _raised_to(1e-10),
        ),
        Misconception(
            "clipped_1e-12",
            "You replace excesses that are not positive by a small number, and then take "
            "logarithms (or whole slopes) before the mean over repeats. The small number "
            "decides the result. Mean first, then logarithm.",
            _raised_to(1e-12),
        ),
        Misconception(
            "clipped_1e-15",
            "You replace excesses that are not positive by a small number, and then take "
            "logarithms (or whole slopes) before the mean over repeats. The small number "
            "decides the result. Mean first, then logarithm.",
            _raised_to(1e-15),
        ),
        Misconception(
            "clipped_1e-16",
            "You replace excesses that are not positive by a small number, and then take "
            "logarithms (or whole slopes) before the mean over repeats. The small number "
            "decides the result. Mean first, then logarithm.",
            _raised_to(1e-16),
        ),
    ),
    hints=(
        "If excess = c m^a, what is log excess? Which curve is that over log m, and where is a?",
        "The excess of one size is `errors.mean(axis=1) - floor`: first the mean over repeats, then the "
        "difference, then the logarithm. Why in this order?",
        "`np.polyfit(x, y, 1)` returns slope and constant of the line y over x, by least squares.",
    ),
)
