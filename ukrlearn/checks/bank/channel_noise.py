"""The expected squared error after a noisy channel, to second order."""

from dataclasses import dataclass

import numpy as np

from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise
from ukrlearn.rpm import robust_coding

SIZES = ((5, 3, 0.3), (7, 2, 0.8), (4, 6, 0.15))  # N, d, σ: N and d differ in every trial


@dataclass(frozen=True)
class _Parabolas:
    """For every code its own parabola, so that value, slope and bend are what we want."""

    f: np.ndarray
    slopes: np.ndarray
    bends: np.ndarray

    def residual(self, Z, Y):
        return Y - self.f

    def with_jacobian(self, Z):
        return self.f, (self.slopes + Z * self.bends)[:, :, None]


def reference(Y, f, slopes, bends, sigma):
    curve = _Parabolas(f, slopes, bends)
    return robust_coding.predicted_distortion(curve, np.zeros((len(Y), 1)), Y, sigma)


def trials(seed):
    random = np.random.default_rng(seed)
    three = dict(
        Y=np.array([[1.0, 0.0], [0.0, 3.0], [2.0, 2.0]]),
        f=np.array([[0.0, 0.0], [0.0, 2.0], [3.0, 2.0]]),
        slopes=np.array([[0.0, 2.0], [3.0, 0.0], [1.0, 2.0]]),
        bends=np.array([[-1.0, 0.0], [0.0, 5.0], [1.0, 1.0]]),
        sigma=2.0,
    )
    made = [Trial("three points", three)]
    for N, d, sigma in SIZES:
        Y = random.normal(size=(N, d)) * (1 + np.arange(d)) + 0.5
        f = Y + 0.6 * random.normal(size=(N, d))
        slopes, bends = random.normal(size=(2, N, d)) + 0.4
        arguments = dict(Y=Y, f=f, slopes=slopes, bends=bends, sigma=sigma)
        made.append(Trial(f"N = {N}, d = {d}, σ = {sigma}", arguments))
    straight = dict(arguments, bends=np.zeros_like(bends))
    made.append(Trial("a straight line", straight))
    resting = dict(arguments, slopes=np.zeros_like(slopes))
    made.append(Trial("a curve that stands still", resting))
    made.append(Trial("no noise", dict(arguments, sigma=0.0)))
    made.append(Trial("points on the curve", dict(arguments, f=Y.copy())))
    centred = {k: v - v.mean(axis=0) for k, v in arguments.items() if k in ("Y", "f")}
    centred["Y"][0] = 0
    made.append(Trial("a centred curve, a point at the origin", {**arguments, **centred}))
    equal = {k: v - v.mean(axis=0) for k, v in arguments.items() if k != "sigma"}
    for rows in equal.values():
        rows[0], rows[1] = 0, rows[2]
    made.append(Trial("two equal points, one at rest", dict(equal, sigma=sigma)))
    towards = dict(arguments, slopes=0.3 * slopes, bends=4 * (Y - f), sigma=0.6)
    made.append(Trial("a curve that bends towards its points", towards))
    large = {k: 1e4 * v for k, v in arguments.items() if k != "sigma"}
    made.append(Trial("data ten thousand times larger", {**large, "sigma": sigma}))
    return made


ERROR = pipeline(
    "Y f slopes bends sigma",
    residuals=lambda Y, f: Y - f,
    distance=lambda residuals: np.sum(residuals**2, axis=1),
    slope=lambda slopes: np.sum(slopes**2, axis=1),
    bend=lambda residuals, bends: np.sum(-residuals * bends, axis=1),
    variance=lambda sigma: sigma**2,
    slope_term=lambda variance, slope: variance * slope,
    bend_term=lambda variance, bend: variance * bend,
    each=lambda distance, slope_term, bend_term: distance + slope_term + bend_term,
    error=lambda each: float(np.mean(each)),
)


# Mistakes


def _squares(rows):
    return np.sum(rows**2, axis=1)


def _factors(a=1.0, b=1.0):
    """The answer with other factors of the slope's and of the bend's term."""
    terms = {}
    if a != 1:
        terms["slope_term"] = lambda variance, slope: a * variance * slope
    if b != 1:
        terms["bend_term"] = lambda variance, bend: b * variance * bend
    return ERROR(**terms)


def _with_more(more):
    """The answer with a further term in the error of each point."""
    return ERROR(
        each=lambda distance, slope_term, bend_term, residuals, slopes, bends, sigma: (
            distance + slope_term + bend_term + more(residuals, slopes, bends, sigma)
        )
    )


def _linear(residuals, slopes, bends, sigma):
    return -2 * sigma * np.sum(residuals * slopes, axis=1)


def _lengths(residuals, bends):
    return np.linalg.norm(residuals, axis=1) * np.linalg.norm(bends, axis=1)


def _on_the_curve(error, Y, f, slopes, sigma):
    wanted = sigma**2 * ERROR.slope(slopes).mean()
    return not np.array_equal(Y, f) or abs(error - wanted) <= 2e-3 * wanted


MISTAKES = (
    ERROR.mistake(
        "matrix_product", bend=lambda residuals, bends: np.sum(-residuals @ bends, axis=1)
    ),
    Misconception("factor_of_40", mistaken=_factors(a=2, b=0)),
    Misconception("bend_halved_and_sign", mistaken=_factors(b=-0.5)),
    Misconception(
        "fourth_order",
        mistaken=_with_more(lambda r, slopes, bends, sigma: 0.75 * sigma**4 * _squares(bends)),
    ),
    Misconception(
        "fourth_order_by_squares",
        mistaken=_with_more(lambda r, slopes, bends, sigma: 0.25 * sigma**4 * _squares(bends)),
    ),
    ERROR.mistake("mean_over_columns", error=lambda each, Y: float(each.sum() / Y.size)),
    ERROR.mistake("bend_with_slope", bend=lambda slopes, bends: np.sum(slopes * bends, axis=1)),
    ERROR.mistake("size_of_bend", bend=lambda bends: _squares(bends)),
    ERROR.mistake("lengths_multiplied", bend=lambda residuals, bends: -_lengths(residuals, bends)),
    ERROR.mistake("lengths_multiplied_and_added", bend=_lengths),
    ERROR.mistake("bend_with_values", bend=lambda f, bends: np.sum(f * bends, axis=1)),
    ERROR.mistake("bend_with_data", bend=lambda Y, bends: -np.sum(Y * bends, axis=1)),
    ERROR.mistake(
        "cross_term_forgotten", bend_term=lambda bends, sigma: sigma**4 * _squares(bends) / 4
    ),
    ERROR.mistake("fourth_power_at_bend", bend_term=lambda sigma, bend: sigma**4 * bend),
    Misconception("linear_term_kept", mistaken=_with_more(_linear)),
    Misconception("linear_term_added", mistaken=_with_more(lambda *given: -_linear(*given))),
    *ERROR.mistakes(
        "each",
        mean_place=lambda residuals, bends, sigma: _squares(residuals - sigma**2 / 2 * bends),
        never_helps=lambda distance, slope_term, bend_term: (
            distance + np.maximum(slope_term + bend_term, 0)
        ),
    ),
    ERROR.mistake("sigma_at_bend", bend_term=lambda sigma, bend: sigma * bend),
    ERROR.mistake("sigma_at_slope", slope_term=lambda sigma, slope: sigma * slope),
    ERROR.mistake("first_point_only", error=lambda each: float(each[0] / len(each))),
    ERROR.mistake("first_point_alone", error=lambda each: float(each[0])),
    ERROR.mistake("last_point_only", error=lambda each: float(each[-1] / len(each))),
    ERROR.mistake("last_point_alone", error=lambda each: float(each[-1])),
)


EXERCISE = exercise(
    "channel_noise",
    lesson="25_noisy_codes",
    equations="[RPM] (38) to (40)",
    minutes=20,
    shapes={"Y": "N d", "f": "N d", "slopes": "N d", "bends": "N d", "sigma": ""},
    returns={"error": ""},
    trials=trials,
    reference=reference,
    stages=ERROR,
    properties=(
        Property(
            "noise_when_quiet",
            holds=lambda error, Y, f, sigma, **given: (
                sigma != 0 or abs(error - _squares(Y - f).mean()) <= 2e-3 * _squares(Y - f).mean()
            ),
        ),
        Property(
            "bend_on_the_curve",
            holds=lambda error, Y, f, slopes, sigma, **given: _on_the_curve(
                error, Y, f, slopes, sigma
            ),
        ),
    ),
    misconceptions=MISTAKES,
)
