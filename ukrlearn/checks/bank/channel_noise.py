"""The expected squared error after a noisy channel, to second order."""

from dataclasses import dataclass

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
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


def residuals(Y, f):
    """the differences y - f"""
    return Y - f


def distance(residuals):
    """the squared distances |y - f|²"""
    return np.sum(residuals**2, axis=1)


def slope(slopes):
    """the squared slopes |f'|²"""
    return np.sum(slopes**2, axis=1)


def bend(residuals, bends):
    """the inner products ⟨f - y, f''⟩"""
    return np.sum(-residuals * bends, axis=1)


def variance(sigma):
    """the variance of the noise"""
    return sigma**2


def slope_term(variance, slope):
    """what the slope adds to each point"""
    return variance * slope


def bend_term(variance, bend):
    """what the bend adds to each point"""
    return variance * bend


def each(distance, slope_term, bend_term):
    """the error of each point"""
    return distance + slope_term + bend_term


def error(each):
    """the mean over the points"""
    return float(np.mean(each))


ERROR = pipeline(
    "Y f slopes bends sigma",
    residuals, distance, slope, bend, variance, slope_term, bend_term, each, error,
)  # fmt: skip


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
    wanted = sigma**2 * slope(slopes).mean()
    return not np.array_equal(Y, f) or abs(error - wanted) <= 2e-3 * wanted


EXERCISE = Exercise(
    name="channel_noise",
    title="What noise in the code costs",
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
            "Without noise it is the mean squared distance.",
            "With σ = 0 the error is the mean squared distance of points and curve; yours is not.",
            lambda error, Y, f, sigma, **given: (
                sigma != 0 or abs(error - _squares(Y - f).mean()) <= 2e-3 * _squares(Y - f).mean()
            ),
            suspects=(
                ("distance", "Do you add |y - f|² for each point, the sum over its d columns?"),
                ("error", "Do you take the mean over the N points, and over nothing else?"),
                ("bend_term", "Do the other terms vanish with σ?"),
            ),
        ),
        Property(
            "bend_on_the_curve",
            "Where the points lie on the curve, only the slope costs.",
            "For points on the curve, f = y, only the slope costs, and the error is σ² times the "
            "mean of |f'|². Yours is not.",
            lambda error, Y, f, slopes, sigma, **given: _on_the_curve(error, Y, f, slopes, sigma),
            suspects=(
                ("error", "Do you take the mean over the N points?"),
                ("slope", "Is |f'|² the sum of the squares of the d columns of f'?"),
                ("bend", "Is your bend term zero where f = y?"),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "factor_of_the_paper",
            "You have 2σ² (|f'|² + ½⟨f - y, f''⟩), as (39) is printed. The slope term is too large by "
            "a factor 2: expand |y - f - ξf' - ½ξ²f''|² and collect what has ξ². The square of ξf' "
            "is there once.",
            _factors(a=2),
        ),
        Misconception(
            "factor_of_40",
            "You have 2σ² |f'|², as (40) is printed: no bend, and twice the slope term. Here the bend "
            "counts, and the square of ξf' has the factor 1.",
            _factors(a=2, b=0),
        ),
        Misconception(
            "both_doubled",
            "Both terms have a factor 2 too many: the factor of slope and bend is σ², not 2σ².",
            ERROR(variance=lambda sigma: 2 * sigma**2),
        ),
        Misconception(
            "both_halved",
            "Both terms have a factor 1/2 too many. The slope term is the square of ξf', and the "
            "½ of the bend is cancelled by the 2 of the cross term.",
            ERROR(variance=lambda sigma: sigma**2 / 2),
        ),
        Misconception(
            "bend_forgotten",
            "The bend term is missing. For a good curve it is small, as (40) says, but here the curves "
            "are not good: add σ² ⟨f - y, f''⟩.",
            _factors(b=0),
        ),
        Misconception(
            "slope_forgotten",
            "The slope term is missing: σ² |f'|².",
            _factors(a=0),
        ),
        Misconception(
            "bend_sign",
            "Your bend term has the wrong sign: it is ⟨f - y, f''⟩, not ⟨y - f, f''⟩. A curve that bends "
            "towards its point makes noise *cheaper*.",
            _factors(b=-1),
        ),
        Misconception(
            "bend_halved",
            "Your bend term has a factor 1/2 too many. The ½ of ½ξ²f'' meets the factor 2 of the "
            "cross term in the square.",
            _factors(b=0.5),
        ),
        Misconception(
            "bend_halved_and_sign",
            "Your bend term has the wrong sign and half its size: the cross term of f - y and ½ξ²f'' is "
            "2 · ½ ξ² ⟨f - y, f''⟩.",
            _factors(b=-0.5),
        ),
        Misconception(
            "bend_doubled",
            "Your bend term has a factor 2 too many. The 2 of the cross term cancels the ½ of "
            "½ξ²f''.",
            _factors(b=2),
        ),
        Misconception(
            "slope_halved",
            "Your slope term has a factor 1/2 too many: ξf' has no ½ in the expansion.",
            _factors(a=0.5),
        ),
        Misconception(
            "sigma_not_squared",
            "You multiply by σ. The mean of ξ² is its variance σ².",
            ERROR(variance=lambda sigma: sigma),
        ),
        Misconception(
            "sigma_forgotten",
            "Slope and bend have no factor: the variance σ² of the noise is missing.",
            ERROR(variance=lambda: 1.0),
        ),
        Misconception(
            "fourth_order",
            "You have kept the square of ½ξ²f'', which is of fourth order: its mean depends on more of "
            "the noise than its variance. The task is the second order.",
            _with_more(lambda r, slopes, bends, sigma: 0.75 * sigma**4 * _squares(bends)),
        ),
        Misconception(
            "fourth_order_by_squares",
            "You have kept the square of ½ξ²f'', and taken σ⁴ for the mean of ξ⁴. It is of fourth order; "
            "the task is the second order.",
            _with_more(lambda r, slopes, bends, sigma: 0.25 * sigma**4 * _squares(bends)),
        ),
        Misconception(
            "what_noise_adds",
            "This is what noise *adds*. The error has the squared distance |y - f|² besides.",
            ERROR(distance=lambda residuals: np.zeros(len(residuals))),
        ),
        Misconception(
            "sum_over_points",
            "You sum over the points. The error is a mean: divide by N.",
            ERROR(error=lambda each: float(each.sum())),
        ),
        Misconception(
            "mean_over_columns",
            "You take the mean over the d columns as well. Squared distances and inner products are "
            "sums over columns; the mean is over the points alone.",
            ERROR(error=lambda each, Y: float(each.sum() / Y.size)),
        ),
        Misconception(
            "length_for_square",
            "Your slope term has |f'|, a length. It is squared.",
            ERROR(slope=lambda slopes: np.linalg.norm(slopes, axis=1)),
        ),
        Misconception(
            "slope_summed_first",
            "You sum the columns of f' and square the sum. Square first: |f'|² is the sum of squares.",
            ERROR(slope=lambda slopes: np.sum(slopes, axis=1) ** 2),
        ),
        Misconception(
            "square_of_mean_slope",
            "You take the mean of f' over the points, and square that. Every point has its own squared "
            "slope; the mean comes last.",
            ERROR(slope=lambda slopes: np.full(len(slopes), np.sum(slopes.mean(axis=0) ** 2))),
        ),
        Misconception(
            "bend_with_slope",
            "Your bend term has ⟨f', f''⟩. It is the residual that meets f'': ⟨f - y, f''⟩.",
            ERROR(bend=lambda slopes, bends: np.sum(slopes * bends, axis=1)),
        ),
        Misconception(
            "size_of_bend",
            "Your bend term is |f''|². It is the inner product ⟨f - y, f''⟩, which may be negative.",
            ERROR(bend=lambda bends: _squares(bends)),
        ),
        Misconception(
            "lengths_multiplied",
            "Your bend term has |y - f| |f''|, a product of lengths. The cross term of a square is an inner "
            "product: y - f and f'' may be at right angles, or point the same way.",
            ERROR(bend=lambda residuals, bends: -_lengths(residuals, bends)),
        ),
        Misconception(
            "lengths_multiplied_and_added",
            "Your bend term has |y - f| |f''|, a product of lengths. The cross term of a square is an inner "
            "product, ⟨f - y, f''⟩, which may be zero or negative.",
            ERROR(bend=_lengths),
        ),
        Misconception(
            "bend_with_values",
            "Your bend term has ⟨f, f''⟩. It is the residual that meets f'': ⟨f - y, f''⟩.",
            ERROR(bend=lambda f, bends: np.sum(f * bends, axis=1)),
        ),
        Misconception(
            "bend_with_data",
            "Your bend term has ⟨y, f''⟩. It is the residual that meets f'': ⟨f - y, f''⟩.",
            ERROR(bend=lambda Y, bends: -np.sum(Y * bends, axis=1)),
        ),
        Misconception(
            "matrix_product",
            "You multiply residuals and bends as matrices. The inner product of two rows is np.sum(a * b, axis=1), "
            "entry by entry.",
            ERROR(bend=lambda residuals, bends: np.sum(-residuals @ bends, axis=1)),
        ),
        Misconception(
            "cross_term_forgotten",
            "You square each of the three terms and leave out their cross terms. That of y - f and ½ξ²f'' has "
            "ξ² in it, σ² ⟨f - y, f''⟩ in the mean. The square of ½ξ²f'' is of fourth order.",
            ERROR(bend_term=lambda bends, sigma: sigma**4 * _squares(bends) / 4),
        ),
        Misconception(
            "cross_term_forgotten_normal",
            "You square each of the three terms and leave out their cross terms. That of y - f and ½ξ²f'' has "
            "ξ² in it, σ² ⟨f - y, f''⟩ in the mean. The square of ½ξ²f'' is of fourth order.",
            ERROR(bend_term=lambda bends, sigma: 0.75 * sigma**4 * _squares(bends)),
        ),
        Misconception(
            "fourth_power_at_bend",
            "Your bend term has σ⁴. The cross term of y - f and ½ξ²f'' has ξ² in it, and its mean σ².",
            ERROR(bend_term=lambda sigma, bend: sigma**4 * bend),
        ),
        Misconception(
            "linear_term_kept",
            "You have kept the term that is linear in ξ, with σ in place of ξ: -2σ ⟨y - f, f'⟩. The mean of ξ "
            "is 0, and so is that of this term.",
            _with_more(_linear),
        ),
        Misconception(
            "linear_term_added",
            "You have kept the term that is linear in ξ, with σ in place of ξ: 2σ ⟨y - f, f'⟩. The mean of ξ "
            "is 0, and so is that of this term.",
            _with_more(lambda *given: -_linear(*given)),
        ),
        Misconception(
            "sigma_for_noise",
            "You put σ in place of ξ and square: |y - f - σf' - ½σ²f''|². But ξ is random: square first, keep "
            "what has at most ξ², and take the mean; the mean of ξ is 0, that of ξ² is σ².",
            ERROR(
                each=lambda residuals, slopes, bends, sigma: _squares(
                    residuals - sigma * slopes - sigma**2 / 2 * bends
                )
            ),
        ),
        Misconception(
            "mean_place",
            "You take the squared distance from the mean of the received points, f + ½σ²f''. Asked for is the mean of "
            "the squared distances: square first, then take the mean over ξ. The spread along the slope counts, "
            "and the square of ½σ²f'' is of fourth order.",
            ERROR(
                each=lambda residuals, bends, sigma: _squares(residuals - sigma**2 / 2 * bends),
            ),
        ),
        Misconception(
            "noise_summed",
            "You take the mean of the squared distances only, and sum what the noise adds over the points. All of it is a "
            "mean over the N points.",
            ERROR(
                slope_term=lambda variance, slope: len(slope) * variance * slope,
                bend_term=lambda variance, bend: len(bend) * variance * bend,
            ),
        ),
        Misconception(
            "noise_mean_over_columns",
            "In what the noise adds you take the mean over the d columns as well. |f'|² and ⟨f - y, f''⟩ are sums "
            "over the columns; the mean is over the points alone.",
            ERROR(
                slope=lambda slopes: np.mean(slopes**2, axis=1),
                bend=lambda residuals, bends: np.mean(-residuals * bends, axis=1),
            ),
        ),
        Misconception(
            "root_taken",
            "You take the root at the end. The error is a mean of *squared* distances.",
            ERROR(error=lambda each: float(np.sqrt(np.mean(each)))),
        ),
        Misconception(
            "never_helps",
            "You set what noise adds to a point to zero where it is negative. Noise can help: "
            "where the curve bends towards its point it brings them nearer on average.",
            ERROR(
                each=lambda distance, slope_term, bend_term: (
                    distance + np.maximum(slope_term + bend_term, 0)
                )
            ),
        ),
        Misconception(
            "bend_never_helps",
            "You set the bend term to zero where it is negative. An inner product may have "
            "either sign: where the curve bends towards its point, noise becomes cheaper.",
            ERROR(bend=lambda residuals, bends: np.maximum(bend(residuals, bends), 0)),
        ),
        Misconception(
            "bend_without_sign",
            "You take the absolute value of the bend term. An inner product may have either "
            "sign: where the curve bends towards its point, noise becomes cheaper.",
            ERROR(bend=lambda residuals, bends: np.abs(bend(residuals, bends))),
        ),
        Misconception(
            "bend_of_absolute_values",
            "Your bend term sums absolute values of the products. An inner product sums the "
            "products with their signs, ⟨f - y, f''⟩.",
            ERROR(bend=lambda residuals, bends: np.sum(np.abs(residuals * bends), axis=1)),
        ),
        Misconception(
            "bend_of_absolute_values_subtracted",
            "Your bend term sums absolute values of the products. An inner product sums the "
            "products with their signs, ⟨f - y, f''⟩.",
            ERROR(bend=lambda residuals, bends: -np.sum(np.abs(residuals * bends), axis=1)),
        ),
        Misconception(
            "sigma_at_bend",
            "You multiply the bend term by σ. The cross term of y - f and ½ξ²f'' has ξ² in it, "
            "and its mean σ².",
            ERROR(bend_term=lambda sigma, bend: sigma * bend),
        ),
        Misconception(
            "sigma_at_slope",
            "You multiply the slope term by σ. The square of ξf' has ξ² in it, and its mean is σ².",
            ERROR(slope_term=lambda sigma, slope: sigma * slope),
        ),
        Misconception(
            "no_sigma_at_bend",
            "Your bend term has no factor: the variance σ² of the noise is missing there.",
            ERROR(bend_term=lambda bend: bend),
        ),
        Misconception(
            "no_sigma_at_slope",
            "Your slope term has no factor: the variance σ² of the noise is missing there.",
            ERROR(slope_term=lambda slope: slope),
        ),
        Misconception(
            "bend_of_means",
            "Your bend term multiplies the mean residual and the mean bend. Every point has its"
            " own inner product; the mean comes last.",
            ERROR(
                bend=lambda residuals, bends: np.full(
                    len(bends), -residuals.mean(axis=0) @ bends.mean(axis=0)
                )
            ),
        ),
        Misconception(
            "distance_not_squared",
            "Your first term is the distance |y - f|. It is squared.",
            ERROR(distance=lambda residuals: np.linalg.norm(residuals, axis=1)),
        ),
        Misconception(
            "first_point_only",
            "Only the first point is in your sum: does `return` stand within the loop? All N of"
            " them count.",
            ERROR(error=lambda each: float(each[0] / len(each))),
        ),
        Misconception(
            "first_point_alone",
            "Only the first point is in your mean: does `return` stand within the loop? All N "
            "of them count.",
            ERROR(error=lambda each: float(each[0])),
        ),
        Misconception(
            "last_point_only",
            "Only the last point is in your sum: the loop overwrites the others. Add up all N "
            "of them.",
            ERROR(error=lambda each: float(each[-1] / len(each))),
        ),
        Misconception(
            "last_point_alone",
            "Only the last point is in your mean: the loop overwrites the others. Add up all N "
            "of them.",
            ERROR(error=lambda each: float(each[-1])),
        ),
    ),
    hints=(
        "Write y - f(ζ + ξ) as (y - f) - ξf' - ½ξ²f''. Which products of two of these three terms "
        "have exactly ξ² in them?",
        "Two of them: the square of the second term, and twice the product of the first and the "
        "third. Their means over ξ are σ²|f'|² and -σ²⟨y - f, f''⟩.",
        "For each point add up `np.sum((Y - f)**2, axis=1)` and sigma**2 times "
        "`np.sum(slopes**2 + (f - Y) * bends, axis=1)`, then take the mean over the points.",
    ),
)
