"""How far each latent point is inside the domain of the density constraint."""

import numpy as np

from ukrlearn.blocks import kernel_regression
from ukrlearn.blocks.density_kernels import DensityKernel
from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.mistakes import distance_mistakes
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.steps import squares
from ukrlearn.checks.texts import exercise
from ukrlearn.checks.trials import SIZES, data


def reference(X, eta, kernel):
    record = DensityKernel(kernel.__name__, kernel, slope=np.zeros_like)
    return kernel_regression.latent_density(X, X, record) - eta * record.at_zero


def gaussian(t):
    return np.exp(-np.asarray(t) / 2)


def gaussian_of_integral_one(t):  # over the plane
    return np.exp(-np.asarray(t) / 2) / (2 * np.pi)


def student(t):
    return 3 / (1 + np.asarray(t))


def quartic(t):
    return 15 / 16 * np.maximum(1 - np.asarray(t), 0) ** 2


def trials(seed):
    random = np.random.default_rng(seed)
    X = np.array([[0.0], [1.0], [3.0]])
    made = [Trial("three points", dict(X=X, eta=0.5, kernel=gaussian))]
    plane = np.array([[-1.0, 0.0], [0.0, 2.0], [1.0, -2.0], [0.0, 0.0]])
    label = "four points of a plane, centred, kernel student"
    made.append(Trial(label, dict(X=plane, eta=0.3, kernel=student)))
    for (N, _, q), kernel in zip(SIZES, (gaussian_of_integral_one, quartic, student), strict=True):
        X, _ = data(random, N, 1, q)
        label = f"N = {N}, q = {q}, kernel {kernel.__name__}"
        made.append(Trial(label, dict(X=X, eta=_divides(X, kernel), kernel=kernel)))
    made.append(Trial("a high threshold", dict(X=X, eta=0.9, kernel=student)))
    made.append(Trial("points close together", dict(X=0.01 * X, eta=0.9, kernel=gaussian)))
    alone = np.vstack([0.05 * X, [[40.0, -30.0, 20.0]]])
    made.append(Trial("a single point", dict(X=alone, eta=0.1, kernel=gaussian_of_integral_one)))
    X = random.normal(size=(9, 2))
    X -= X.mean(axis=0)
    X[2], X[5] = 0, X[4]
    label = "centred, with a zero and a tie, kernel student"
    made.append(Trial(label, dict(X=X, eta=0.3, kernel=student)))
    return made


def _divides(X, kernel):
    """A threshold in the middle of the largest gap, which some points obey and others do not."""
    p = np.sort(_density(X, kernel)) / kernel(0.0)
    n = int(np.argmax(np.diff(p)))
    return round(float(p[n] + p[n + 1]) / 2, 4)


SLACK = pipeline(
    "X eta kernel",
    squares=squares,
    kernels=lambda squares, kernel: kernel(squares),
    totals=lambda kernels: np.sum(kernels, axis=1),
    p=lambda totals, X: totals / len(X),
    threshold=lambda eta, kernel: eta * kernel(0.0),
    slack=lambda p, threshold: p - threshold,
)


def _density(X, kernel):
    return kernel(squares(X)).mean(axis=1)


def _without_itself(kernels):
    return kernels.sum(axis=1) - kernels.diagonal()


def _to_mean_point(X):
    to_mean = np.sum((X - X.mean(axis=0)) ** 2, axis=1, keepdims=True)
    return np.repeat(to_mean, len(X), axis=1)


def _of_mean_distance(squares, kernel):
    return np.repeat(kernel(squares.mean(axis=1, keepdims=True)), len(squares), axis=1)


def _of_each_coordinate(**exchanged):
    """The squares as a table for each coordinate, and what becomes of these tables."""
    return SLACK(squares=lambda X: (X[:, None] - X) ** 2, **exchanged)


def _threshold_right(slack, X, eta, kernel):
    """False where the slack is off by the same amount at all points, which differ in density."""
    p, K_0 = _density(X, kernel), float(kernel(0.0))
    off = slack - (p - eta * K_0)
    if np.ptp(p) < 0.05 * K_0 or np.ptp(off) > 1e-2 * np.ptp(p):
        return True
    return bool(np.abs(off).max() <= 1e-2 * K_0)


def _bounded(slack, X, eta, kernel):
    K_0 = float(kernel(0.0))
    least, most = K_0 / len(X) - eta * K_0, K_0 - eta * K_0
    near = 1e-3 * K_0
    return bool((slack >= least - near).all() and (slack <= most + near).all())


MISTAKES = (
    SLACK.mistake("mean_over_points", slack=lambda p, threshold: np.mean(p - threshold)),
    SLACK.mistake(
        "mean_given_to_all",
        totals=lambda kernels: np.full(len(kernels), kernels.sum() / len(kernels)),
    ),
    SLACK.mistake("least_only", slack=lambda p, threshold: np.min(p - threshold)),
    SLACK.mistake(
        "relative_density", slack=lambda p, threshold, kernel: (p - threshold) / kernel(0.0)
    ),
    SLACK.mistake("itself_left_out", totals=_without_itself),
    SLACK.mistake(
        "itself_left_out_of_n", totals=_without_itself, p=lambda totals, X: totals / (len(X) - 1)
    ),
    SLACK.mistake("mean_forgotten", totals=lambda kernels: kernels, p=lambda totals: totals),
    SLACK.mistake(
        "exponential_before_kernel", kernels=lambda squares, kernel: kernel(gaussian(squares))
    ),
    SLACK.mistake("threshold_times_n", threshold=lambda X, eta, kernel: eta * kernel(0.0) * len(X)),
    SLACK.mistake(
        "threshold_divided_too", threshold=lambda X, eta, kernel: eta * kernel(0.0) / len(X)
    ),
    SLACK.mistake("mean_before_kernel", kernels=_of_mean_distance),
    SLACK.mistake("share_of_greatest", threshold=lambda eta, p: eta * p.max()),
    SLACK.mistake("verdict_only", slack=lambda p, threshold: p >= threshold),
    SLACK.mistake("violations_only", slack=lambda p, threshold: np.maximum(threshold - p, 0)),
    SLACK.mistake("half_put_in", kernels=lambda squares, kernel: kernel(squares / 2)),
    SLACK.mistake(
        "kernel_ignored", kernels=lambda squares: gaussian(squares), threshold=lambda eta: eta
    ),
    SLACK.mistake("surplus_cut_off", slack=lambda p, threshold: np.minimum(p - threshold, 0)),
    SLACK.mistake("quotient", slack=lambda p, threshold: p / threshold),
    SLACK.mistake("quotient_minus_one", slack=lambda p, threshold: p / threshold - 1),
    SLACK.mistake("kernel_of_eta", threshold=lambda eta, kernel: kernel(eta)),
    SLACK.mistake("mean_density_for_the_greatest", threshold=lambda eta, p: eta * p.mean()),
    SLACK.mistake("kernel_of_mean_point", squares=_to_mean_point),
    Misconception(
        "kernels_multiplied",
        mistaken=_of_each_coordinate(
            kernels=lambda squares, kernel: np.prod(kernel(squares), axis=2)
        ),
    ),
    SLACK.mistake("exponent_put_in", kernels=lambda squares, kernel: kernel(-squares / 2)),
    SLACK.mistake("kernel_ignored_in_the_density", kernels=lambda squares: gaussian(squares)),
    SLACK.mistake("kernel_forgotten", kernels=lambda squares: squares),
    SLACK.mistake("share_of_the_density", slack=lambda p, eta, kernel: eta * p - kernel(0.0)),
    *distance_mistakes(SLACK),
)


EXERCISE = exercise(
    "density_constraint",
    lesson="05_density_constraint",
    equations="[UKR] (3), (7), (9)",
    minutes=15,
    shapes={"X": "N q", "eta": "", "kernel": ""},
    returns={"slack": "N"},
    trials=trials,
    reference=reference,
    stages=SLACK,
    properties=(
        Property("threshold_off", holds=_threshold_right),
        Property("out_of_bounds", holds=_bounded),
    ),
    misconceptions=MISTAKES,
)
