"""The exponent with which the excess error falls, from repeats at several numbers of points."""

import numpy as np
from scipy.optimize import minimize_scalar

from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise
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


SLOPE = pipeline(
    "sizes errors floor",
    excesses=lambda errors, floor: errors - floor,
    excess=lambda excesses: excesses.mean(axis=1),
    log_sizes=lambda sizes: np.log(sizes),
    log_excess=lambda excess: np.log(excess),
    slope=lambda log_sizes, log_excess: float(_line(log_sizes, log_excess)[0]),
)


def _line(x, y):
    """Slope and constant by least squares; nan, without LAPACK's words, where no line fits."""
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


MISTAKES = (
    SLOPE.mistake("mean_over_sizes", excess=lambda excesses: excesses.mean(axis=0)),
    SLOPE.mistake("least_error_as_floor", excesses=lambda errors: errors - errors.min()),
    SLOPE.mistake(
        "least_mean_as_floor", excess=lambda errors: errors.mean(axis=1) - errors.mean(axis=1).min()
    ),
    SLOPE.mistake("ratio_to_floor", excesses=lambda errors, floor: errors / floor),
    SLOPE.mistake("relative_to_floor", excesses=lambda errors, floor: (errors - floor) / floor),
    SLOPE.mistake(
        "logarithms_first",
        excess=lambda excesses: np.log(excesses).mean(axis=1),
        log_excess=lambda excess: excess,
    ),
    SLOPE.mistake(
        "negative_left_out", excess=_mean_log_of_positive, log_excess=lambda excess: excess
    ),
    SLOPE.mistake("lucky_left_out", excess=_mean_of_positive),
    SLOPE.mistake("median_for_mean", excess=lambda excesses: np.median(excesses, axis=1)),
    SLOPE.mistake(
        "geometric_mean", excess=lambda errors, floor: np.exp(np.log(errors).mean(axis=1)) - floor
    ),
    SLOPE.mistake("best_repeat", excess=lambda excesses: excesses.min(axis=1)),
    SLOPE.mistake("worst_repeat", excess=lambda excesses: excesses.max(axis=1)),
    SLOPE.mistake("first_repeat", excess=lambda excesses: excesses[:, 0]),
    SLOPE.mistake("last_repeat", excess=lambda excesses: excesses[:, -1]),
    SLOPE.mistake("sum_of_errors", excess=lambda errors, floor: errors.sum(axis=1) - floor),
    SLOPE.mistake("no_logarithms", log_sizes=lambda sizes: sizes, log_excess=lambda excess: excess),
    SLOPE.mistake("two_bases", log_sizes=lambda sizes: np.log10(sizes)),
    SLOPE.mistake("two_bases_turned", log_excess=lambda excess: np.log10(excess)),
    SLOPE.mistake("one_added", log_excess=lambda excess: np.log1p(excess)),
    *SLOPE.mistakes(
        "slope",
        axes_exchanged=lambda log_sizes, log_excess: _line(log_excess, log_sizes)[0],
        through_origin=_through_origin,
        only_the_ends=lambda log_sizes, log_excess: _ends(log_sizes, log_excess),
        last_two=lambda log_sizes, log_excess: _ends(log_sizes[-2:], log_excess[-2:]),
        mean_of_pieces=_mean_of_pieces,
        power_of_least_squares=_power_of_least_squares,
    ),
    Misconception("clipped_1e-6", mistaken=_raised_to(1e-6)),
    Misconception("clipped_1e-8", mistaken=_raised_to(1e-8)),
    Misconception("clipped_1e-10", mistaken=_raised_to(1e-10)),
    Misconception("clipped_1e-12", mistaken=_raised_to(1e-12)),
    Misconception("clipped_1e-15", mistaken=_raised_to(1e-15)),
    Misconception("clipped_1e-16", mistaken=_raised_to(1e-16)),
)


EXERCISE = exercise(
    "excess_slope",
    lesson="26_how_many_points",
    equations="[RPM] proposition 6",
    minutes=15,
    shapes={"sizes": "S", "errors": "S n", "floor": ""},
    returns={"slope": ""},
    trials=trials,
    reference=reference,
    stages=SLOPE,
    properties=(
        Property("not_a_number", holds=lambda slope, **given: bool(np.isfinite(slope))),
        Property(
            "exact_power_missed",
            holds=lambda slope, sizes, errors, floor: (
                np.ptp((errors.mean(axis=1) - floor) * np.sqrt(sizes)) > 1e-9 * np.abs(errors).max()
                or abs(slope + 0.5) < 2e-3
            ),
        ),
    ),
    misconceptions=MISTAKES,
)
