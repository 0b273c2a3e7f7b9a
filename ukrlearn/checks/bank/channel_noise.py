"""The expected squared error after a noisy channel, to second order."""

from dataclasses import dataclass

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
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
    by_hand = dict(
        Y=np.array([[1.0, 0.0], [0.0, 3.0]]),
        f=np.array([[0.0, 0.0], [0.0, 2.0]]),
        slopes=np.array([[0.0, 2.0], [3.0, 0.0]]),
        bends=np.array([[-1.0, 0.0], [0.0, 5.0]]),
        sigma=0.5,
    )
    made = [Trial("two points", by_hand)]
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
    towards = dict(arguments, slopes=0.3 * slopes, bends=4 * (Y - f), sigma=0.6)
    made.append(Trial("a curve that bends towards its points", towards))
    large = {k: 1e4 * v for k, v in arguments.items() if k != "sigma"}
    made.append(Trial("data ten thousand times larger", {**large, "sigma": sigma}))
    return made


# Right parts, and mistakes


def _distance(Y, f):
    return np.sum((Y - f) ** 2, axis=1)


def _slope(slopes):
    return np.sum(slopes**2, axis=1)


def _bend(Y, f, bends):
    return np.sum((f - Y) * bends, axis=1)


def _made(
    distance=_distance,
    slope=_slope,
    bend=_bend,
    factor=lambda sigma: sigma**2,
    total=lambda each: float(each.mean()),
    a=1.0,
    b=1.0,
    more=lambda bends, sigma: 0.0,
):
    """The expected error with one stage exchanged; a and b are factors of slope and bend."""

    def answer(Y, f, slopes, bends, sigma):
        noise = factor(sigma) * (a * slope(slopes) + b * bend(Y, f, bends))
        return total(distance(Y, f) + noise + more(bends, sigma))

    return answer


def _fourth(bends, sigma):
    """E ξ⁴ |f''|²/4 for normal noise."""
    return 0.75 * sigma**4 * np.sum(bends**2, axis=1)


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
    properties=(
        Property(
            "noise_when_quiet",
            "Without noise it is the mean squared distance.",
            "With σ = 0 your result is not the mean squared distance of points and curve. Every other "
            "term must have the factor σ².",
            lambda error, Y, f, sigma, **given: (
                sigma != 0 or abs(error - _distance(Y, f).mean()) <= 2e-3 * _distance(Y, f).mean()
            ),
        ),
        Property(
            "bend_on_the_curve",
            "Where the points lie on the curve, the bend costs nothing.",
            "For points on the curve, f = y, your bend term does not vanish. It is the inner product of "
            "f - y and f''.",
            lambda error, Y, f, slopes, sigma, **given: (
                not np.array_equal(Y, f)
                or abs(error - sigma**2 * _slope(slopes).mean())
                <= 2e-3 * sigma**2 * _slope(slopes).mean()
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "factor_of_the_paper",
            "You have 2σ² (|f'|² + ½⟨f - y, f''⟩), as (39) is printed. The slope term is too large by "
            "a factor 2: expand |y - f - ξf' - ½ξ²f''|² and collect what has ξ². The square of ξf' "
            "is there once.",
            _made(a=2.0),
        ),
        Misconception(
            "factor_of_40",
            "You have 2σ² |f'|², as (40) is printed: no bend, and twice the slope term. Here the bend "
            "counts, and the square of ξf' has the factor 1.",
            _made(a=2.0, b=0.0),
        ),
        Misconception(
            "both_doubled",
            "Both terms are twice too large: the factor of slope and bend is σ², not 2σ².",
            _made(a=2.0, b=2.0),
        ),
        Misconception(
            "both_halved",
            "Both terms are only half of what they should be. The slope term is the square of ξf', and the "
            "½ of the bend is cancelled by the 2 of the cross term.",
            _made(a=0.5, b=0.5),
        ),
        Misconception(
            "bend_forgotten",
            "The bend term is missing. For a good curve it is small, as (40) says, but here the curves "
            "are not good: add σ² ⟨f - y, f''⟩.",
            _made(b=0.0),
        ),
        Misconception(
            "slope_forgotten",
            "The slope term is missing: σ² |f'|².",
            _made(a=0.0),
        ),
        Misconception(
            "bend_sign",
            "Your bend term has the wrong sign: it is ⟨f - y, f''⟩, not ⟨y - f, f''⟩. A curve that bends "
            "towards its point makes noise *cheaper*.",
            _made(b=-1.0),
        ),
        Misconception(
            "bend_halved",
            "Your bend term is half of what it should be. The ½ of ½ξ²f'' meets the factor 2 of the "
            "cross term in the square.",
            _made(b=0.5),
        ),
        Misconception(
            "bend_halved_and_sign",
            "Your bend term has the wrong sign and half its size: the cross term of f - y and ½ξ²f'' is "
            "2 · ½ ξ² ⟨f - y, f''⟩.",
            _made(b=-0.5),
        ),
        Misconception(
            "bend_doubled",
            "Your bend term is twice what it should be. The 2 of the cross term cancels the ½ of ½ξ²f''.",
            _made(b=2.0),
        ),
        Misconception(
            "slope_halved",
            "Your slope term is half of what it should be: ξf' has no ½ in the expansion.",
            _made(a=0.5),
        ),
        Misconception(
            "sigma_not_squared",
            "You multiply by σ. The mean of ξ² is its variance σ².",
            _made(factor=lambda sigma: sigma),
        ),
        Misconception(
            "sigma_forgotten",
            "Slope and bend have no factor: the variance σ² of the noise is missing.",
            _made(factor=lambda sigma: 1.0),
        ),
        Misconception(
            "fourth_order",
            "You have kept the square of ½ξ²f'', which is of fourth order: its mean depends on more of "
            "the noise than its variance. The task is the second order.",
            _made(more=_fourth),
        ),
        Misconception(
            "fourth_order_by_squares",
            "You have kept the square of ½ξ²f'', and taken σ⁴ for the mean of ξ⁴. It is of fourth order; "
            "the task is the second order.",
            _made(more=lambda bends, sigma: sigma**4 * np.sum(bends**2, axis=1) / 4),
        ),
        Misconception(
            "what_noise_adds",
            "This is what noise *adds*. The error has the squared distance |y - f|² besides.",
            _made(distance=lambda Y, f: 0.0),
        ),
        Misconception(
            "sum_over_points",
            "You sum over the points. The error is a mean: divide by N.",
            _made(total=lambda each: float(each.sum())),
        ),
        Misconception(
            "mean_over_columns",
            "You take the mean over the d columns as well. Squared distances and inner products are "
            "sums over columns; the mean is over the points alone.",
            lambda Y, f, slopes, bends, sigma: reference(Y, f, slopes, bends, sigma) / Y.shape[1],
        ),
        Misconception(
            "length_for_square",
            "Your slope term has |f'|, a length. It is squared.",
            _made(slope=lambda slopes: np.linalg.norm(slopes, axis=1)),
        ),
        Misconception(
            "slope_summed_first",
            "You sum the columns of f' and square the sum. Square first: |f'|² is the sum of squares.",
            _made(slope=lambda slopes: np.sum(slopes, axis=1) ** 2),
        ),
        Misconception(
            "square_of_mean_slope",
            "You take the mean of f' over the points, and square that. Every point has its own squared "
            "slope; the mean comes last.",
            _made(slope=lambda slopes: np.full(len(slopes), np.sum(slopes.mean(axis=0) ** 2))),
        ),
        Misconception(
            "bend_with_slope",
            "Your bend term has ⟨f', f''⟩. It is the residual that meets f'': ⟨f - y, f''⟩.",
            lambda Y, f, slopes, bends, sigma: float(
                np.mean(
                    _distance(Y, f) + sigma**2 * (_slope(slopes) + np.sum(slopes * bends, axis=1))
                )
            ),
        ),
        Misconception(
            "size_of_bend",
            "Your bend term is |f''|². It is the inner product ⟨f - y, f''⟩, which may be negative.",
            _made(bend=lambda Y, f, bends: np.sum(bends**2, axis=1)),
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
