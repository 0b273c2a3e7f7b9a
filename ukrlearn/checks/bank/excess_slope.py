"""The exponent with which the excess error falls, from repeats at several numbers of points."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
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
    made = [Trial("two sizes, three repeats", by_hand)]
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


# Right parts, and mistakes


def _fit(x, y):
    return np.polyfit(x, y, 1)[0]


def _made(
    excess=lambda errors, floor: errors.mean(axis=1) - floor,
    x=np.log,
    y=np.log,
    slope=_fit,
):
    """The slope with one stage exchanged."""

    def answer(sizes, errors, floor):
        with np.errstate(all="ignore"):
            made = y(excess(errors, floor))
            if not np.isfinite(made).all():
                return float("nan")
            return float(slope(x(sizes), made))

    return answer


def _logs_first(errors, floor):
    return np.log(errors - floor).mean(axis=1)


def _positive_logs_first(sizes, errors, floor):
    """Those that are below the floor are left out."""
    with np.errstate(all="ignore"):
        logs = np.log(errors - floor)
        means = [row[np.isfinite(row)].mean() if np.isfinite(row).any() else np.nan for row in logs]
    return float(_fit(np.log(sizes), means)) if np.isfinite(means).all() else float("nan")


def _through_origin(x, y):
    return (x @ y) / (x @ x)


def _ends(x, y):
    return (y[-1] - y[0]) / (x[-1] - x[0])


def _mean_of_pieces(x, y):
    return np.mean(np.diff(y) / np.diff(x))


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
    properties=(
        Property(
            "not_a_number",
            "The slope is a number, even if single repeats are below the floor.",
            "Your slope is not a number. Some repeats are luckier than the best curve, their excess is "
            "negative, and has no logarithm. Take the mean over the repeats first.",
            lambda slope, **given: bool(np.isfinite(slope)),
        ),
        Property(
            "exact_power_missed",
            "An exact power of m has its exponent as slope.",
            "For an excess of exactly m^(-1/2) (in the mean over repeats) your slope is not -1/2. Look "
            "in turn at the mean, the floor, the logarithms and the fit.",
            lambda slope, sizes, errors, floor: (
                np.ptp((errors.mean(axis=1) - floor) * np.sqrt(sizes)) > 1e-9 * np.abs(errors).max()
                or abs(slope + 0.5) < 2e-3
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "floor_forgotten",
            "You fit the error itself. It levels off at R[f*], so its slope is too flat: subtract the "
            "floor first.",
            _made(excess=lambda errors, floor: errors.mean(axis=1)),
        ),
        Misconception(
            "floor_added",
            "You add the floor. The excess is the error *minus* the floor.",
            _made(excess=lambda errors, floor: errors.mean(axis=1) + floor),
        ),
        Misconception(
            "least_error_as_floor",
            "You subtract the least error that you see in the table. The floor is R[f*], and it is "
            "given: the least of many noisy errors is another number, often below it.",
            _made(excess=lambda errors, floor: errors.mean(axis=1) - errors.min()),
        ),
        Misconception(
            "ratio_to_floor",
            "You divide by the floor. The excess is a difference: the error minus the floor.",
            lambda sizes, errors, floor: (
                _made(excess=lambda errors, floor: errors.mean(axis=1) / floor)(
                    sizes, errors, floor
                )
                if floor
                else float("nan")
            ),
        ),
        Misconception(
            "logarithms_first",
            "You take logarithms (or whole slopes) before the mean over repeats. Repeats below the floor have none, and "
            "the mean of logarithms follows the luckiest repeats. Mean first, then logarithm.",
            _made(excess=_logs_first, y=lambda logs: logs),
        ),
        Misconception(
            "negative_left_out",
            "You take logarithms first, and leave out repeats below the floor, which have none. That "
            "keeps the unlucky ones. Take the mean of all repeats, and then its logarithm.",
            _positive_logs_first,
        ),
        Misconception(
            "absolute_values",
            "You take the absolute value of each excess, so that it has a logarithm. A repeat below the "
            "floor then counts as one above it. Take the mean over repeats first.",
            _made(excess=lambda errors, floor: np.abs(errors - floor).mean(axis=1)),
        ),
        Misconception(
            "clipped_at_zero",
            "You replace negative excesses by zero before the mean. The mean is then too large: good and "
            "bad luck must cancel.",
            _made(excess=lambda errors, floor: np.maximum(errors - floor, 0).mean(axis=1)),
        ),
        Misconception(
            "median_for_mean",
            "You take the median over the repeats. The theory is about the expected error: the mean.",
            _made(excess=lambda errors, floor: np.median(errors, axis=1) - floor),
        ),
        Misconception(
            "best_repeat",
            "You take the best repeat of each size. The theory is about the mean.",
            _made(excess=lambda errors, floor: errors.min(axis=1) - floor),
        ),
        Misconception(
            "first_repeat",
            "You use one repeat of each size. Take the mean over all.",
            _made(excess=lambda errors, floor: errors[:, 0] - floor),
        ),
        Misconception(
            "no_logarithm_of_m",
            "You take the logarithm of the excess but not of m: the slope of an exponential law. A power "
            "of m is a line over log m.",
            _made(x=lambda sizes: sizes),
        ),
        Misconception(
            "no_logarithm_of_excess",
            "You take the logarithm of m but not of the excess. Both axes are logarithmic.",
            _made(y=lambda excess: excess),
        ),
        Misconception(
            "no_logarithms",
            "You fit a line to the numbers themselves. A power is a line only in logarithms of both.",
            _made(x=lambda sizes: sizes, y=lambda excess: excess),
        ),
        Misconception(
            "two_bases",
            "You take different logarithms on the two axes. Either base will do, but only one.",
            _made(x=np.log10),
        ),
        Misconception(
            "two_bases_turned",
            "You take different logarithms on the two axes. Either base will do, but only one.",
            _made(y=np.log10),
        ),
        Misconception(
            "axes_exchanged",
            "You fit log m over the log of the excess. The slope is that of log excess over log m.",
            _made(slope=lambda x, y: _fit(y, x)),
        ),
        Misconception(
            "sign",
            "Your slope has the wrong sign: an excess that falls has a negative slope.",
            _made(slope=lambda x, y: -_fit(x, y)),
        ),
        Misconception(
            "through_origin",
            "Your line passes through the origin. That sets the constant in front of the power to one: "
            "fit a constant, too.",
            _made(slope=_through_origin),
        ),
        Misconception(
            "intercept",
            "You return the constant of the line, not its slope: `np.polyfit` gives the slope first.",
            _made(slope=lambda x, y: np.polyfit(x, y, 1)[1]),
        ),
        Misconception(
            "only_the_ends",
            "You join the first and the last size. Use all of them: least squares, `np.polyfit`.",
            _made(slope=_ends),
        ),
        Misconception(
            "mean_of_pieces",
            "You take the mean of the slopes between neighbouring sizes, or np.gradient. Fit one line to "
            "all sizes by least squares.",
            _made(slope=_mean_of_pieces),
        ),
    ),
    hints=(
        "If excess = c m^a, what is log excess? Which curve is that over log m, and where is a?",
        "The excess of one size is `errors.mean(axis=1) - floor`: first the mean over repeats, then the "
        "difference, then the logarithm. Why in this order?",
        "`np.polyfit(x, y, 1)` returns slope and constant of the line y over x, by least squares.",
    ),
)
