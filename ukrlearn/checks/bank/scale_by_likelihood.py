"""The leave-one-out log likelihood of latent points, whose maximum is a bandwidth."""

import numpy as np

from ukrlearn.blocks import starts
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.trials import SIZES, data, mirrored


def reference(X, h):
    return starts.log_likelihood_of_left_out(X, h)


def trials(seed):
    random = np.random.default_rng(seed)
    made = [
        Trial("three points", dict(X=np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]]), h=2.0)),
        Trial("four points on a line", dict(X=np.array([[0.0], [1.0], [3.0], [4.0]]), h=0.5)),
        Trial("four points, two of them equal", dict(X=np.array([[0.0], [3], [0], [2]]), h=2.0)),
    ]
    for N, d, q in SIZES:
        X, _ = data(random, N, d, q)
        h = random.uniform(0.3, 0.5) * _farthest_neighbour(X)  # all sums well above rounding
        made.append(Trial(f"N = {N}, q = {q}", dict(X=X, h=h)))
    X = mirrored(random, 5, 3)
    h = 0.4 * _farthest_neighbour(X)
    made.append(Trial("centred points, two of them at the origin", dict(X=X, h=h)))
    made.append(Trial("latent space in other units", dict(X=1e5 * X, h=9e4 * h)))
    made.append(Trial("points close together", dict(X=1e-3 * X, h=0.002 * h)))
    lone = np.vstack([X, X[X[:, 0].argmax()] + 5 * h / np.sqrt(q)])
    made.append(Trial("a point far from all others", dict(X=lone, h=h)))
    twice = np.vstack([X, X[[1, 6]]])
    made.append(Trial("two points recorded twice", dict(X=twice, h=h)))
    return made


def _farthest_neighbour(X):
    """The distance to the nearest neighbour of the most isolated point."""
    t = squares(X)
    np.fill_diagonal(t, np.inf)
    return np.sqrt(t.min(axis=1).max())


def squares(X):
    """the squared distances |x_n - x_m|²"""
    return np.sum((X[:, None] - X) ** 2, axis=2)


def t(squares, h):
    """t, the squared distances in units of h"""
    return squares / h**2


def kernels(t):
    """the kernels K(t)"""
    return np.exp(-t / 2)


def others(kernels):
    """the kernels without the term m = n"""
    return kernels - np.diag(np.diag(kernels))


def totals(others):
    """the sums of kernels over m"""
    return np.sum(others, axis=1)


def count(X):
    """the number of terms, N - 1"""
    return len(X) - 1


def volume(X, h):
    """the volume, h to the power q"""
    return h ** X.shape[1]


def densities(totals, count, volume):
    """the densities p_n"""
    return totals / (count * volume)


def logs(densities):
    """the logarithms of the densities"""
    return np.log(densities)


def log_likelihood(logs):
    """the mean of the logarithms"""
    return np.mean(logs)


LIKELIHOOD = pipeline(
    "X h",
    squares,
    t,
    kernels,
    others,
    totals,
    count,
    volume,
    densities,
    logs,
    log_likelihood,
)


def _distinct(X):
    return np.unique(X, axis=0)


def _squares_from_the_rest(X):
    """np.delete without an axis, which makes a row of numbers of the points."""
    return np.array([[np.sum((np.delete(X, n) - X[n]) ** 2, axis=-1)] for n in range(len(X))])


def _others_by_their_distance(kernels, squares):
    N = len(squares)
    return kernels[squares > 0].reshape(N, N - 1)


def _mean_log_kernels(t, volume):
    away = ~np.eye(len(t), dtype=bool)
    return np.sum(-t / 2, axis=1, where=away) / (len(t) - 1) - np.log(volume)


def _sum_log_kernels(t, count, volume):
    return np.sum(-t / 2, axis=1) - np.log(count * volume)


def _between_bounds(side):
    def holds(value, X, h):
        N, q = X.shape
        K = others(kernels(t(squares(X), h)))
        if side == "above":
            return bool(value <= -q * np.log(h) + 1e-3)
        with np.errstate(divide="ignore"):
            nearest = np.mean(np.log(K.max(axis=1))) - np.log(N - 1) - q * np.log(h)
        return bool(value >= nearest - 1e-3 * max(1, abs(nearest)))

    return holds


EXERCISE = Exercise(
    name="scale_by_likelihood",
    title="The likelihood of a bandwidth",
    lesson="08_starts_and_scales",
    equations="[UKR] section 4",
    minutes=20,
    shapes={"X": "N q", "h": ""},
    returns={"log_likelihood": ""},
    trials=trials,
    reference=reference,
    stages=LIKELIHOOD,
    properties=(
        Property(
            "too_likely",
            "No point is more likely than if all others lay exactly on it.",
            "Your value is larger than -q log h, which is what it would be if all points lay in "
            "one place.",
            _between_bounds("above"),
            suspects=(
                ("others", "Does each inner sum leave out the point itself?"),
                ("densities", "Is each sum divided by N - 1 and by h to the power q?"),
                ("logs", "Is a small number added inside the logarithm?"),
            ),
        ),
        Property(
            "less_than_nearest",
            "Every point is at least as likely as its nearest neighbour alone makes it.",
            "Your value is less than what the nearest neighbours alone contribute, although all "
            "terms of the inner sums are positive.",
            _between_bounds("below"),
            suspects=(
                ("kernels", "Is the exponent right?"),
                ("densities", "What is each sum divided by?"),
                ("logs", "Is the logarithm that of the whole sum?"),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "itself_counted",
            "A point helps to explain itself: the term m = n, which is K(0) = 1, must stay out of "
            "the sum. With it the best h is zero, since each point then explains itself "
            "perfectly.",
            LIKELIHOOD(others=lambda kernels: kernels),
        ),
        Misconception(
            "itself_counted_over_n",
            "This is the density of all N points, the point itself among them. Leave the term m = n "
            "out of the sum; N - 1 terms remain, and the sum is divided by N - 1.",
            LIKELIHOOD(others=lambda kernels: kernels, count=lambda X: len(X)),
        ),
        Misconception(
            "divided_by_n",
            "The inner sum has N - 1 terms, and you divide it by N. (Only the outer mean is over N "
            "points.)",
            LIKELIHOOD(count=lambda X: len(X)),
        ),
        Misconception(
            "not_divided",
            "The inner sum is not divided by its number of terms, N - 1. The maximum stays where "
            "it is, but values for data of different size can no longer be compared.",
            LIKELIHOOD(count=lambda: 1),
        ),
        Misconception(
            "volume_forgotten",
            "The factor 1/h**q is missing. A wider kernel must be lower, so that its mass stays "
            "the same; without it the best h is infinite.",
            LIKELIHOOD(volume=lambda: 1.0),
        ),
        Misconception(
            "volume_of_one_axis",
            "You divide by h and not by h**q. A kernel in q dimensions that is twice as wide covers "
            "2**q times the volume. X has q columns.",
            LIKELIHOOD(volume=lambda h: h),
        ),
        Misconception(
            "volume_squared",
            "You divide by h to the power 2q. The h² belongs below the squared distance; the volume "
            "of the kernel grows with h**q.",
            LIKELIHOOD(volume=lambda X, h: h ** (2 * X.shape[1])),
        ),
        Misconception(
            "volume_multiplied",
            "You multiply by h**q (or add q log h to the logarithm); divide by it. Mind the "
            "brackets: a / b * c multiplies by c.",
            LIKELIHOOD(densities=lambda totals, count, volume: totals / count * volume),
        ),
        Misconception(
            "axes_for_columns",
            "You divide by h², whatever X is. The power is q, the number of columns, X.shape[1]; X.ndim is "
            "the number of axes of the array, which is always 2.",
            LIKELIHOOD(volume=lambda h: h**2),
        ),
        Misconception(
            "left_out_by_place",
            "You leave out every point at distance zero, not only the point itself. If a point "
            "was recorded twice, its twin belongs to the sum. Compare the indices m and n.",
            LIKELIHOOD(others=lambda kernels, squares: np.where(squares == 0, 0, kernels)),
        ),
        Misconception(
            "twins_merged",
            "You remove rows of X that occur twice. Each row counts: a point recorded twice makes "
            "its place twice as likely.",
            LIKELIHOOD(
                squares=lambda X: squares(_distinct(X)), count=lambda X: len(_distinct(X)) - 1
            ),
        ),
        Misconception(
            "one_taken_off_late",
            "You divide first and then subtract the point's own kernel value, 1. Subtract it from "
            "the sum, and divide the rest by (N - 1) h**q.",
            LIKELIHOOD(
                others=lambda kernels: kernels,
                densities=lambda totals, count, volume: totals / (count * volume) - 1,
            ),
        ),
        Misconception(
            "one_divided",
            "Brackets are missing: you divide only the 1 of the point itself by (N - 1) h**q. "
            "Divide the whole difference.",
            LIKELIHOOD(
                others=lambda kernels: kernels,
                densities=lambda totals, count, volume: totals - 1 / (count * volume),
            ),
        ),
        Misconception(
            "normalised_first",
            "You divide each row of kernels by its own sum. Then all sums are 1, and no point is "
            "less likely than another. Use the undivided kernels.",
            LIKELIHOOD(totals=lambda X: np.ones(len(X))),
        ),
        Misconception(
            "h_not_squared",
            "You divide the squared distance by h and not by h². Distance and bandwidth have the same "
            "unit, and both are squared.",
            LIKELIHOOD(t=lambda squares, h: squares / h),
        ),
        Misconception(
            "h_times",
            "You multiply the squared distance by h². A larger bandwidth must make points look nearer "
            "to each other: divide. In Python a / 2 * b is (a / 2) * b; put the whole denominator in "
            "brackets, / (2 * h**2).",
            LIKELIHOOD(t=lambda squares, h: squares * h**2),
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 in the Gaussian kernel K(t) = exp(-t/2) is missing.",
            LIKELIHOOD(kernels=lambda t: np.exp(-t)),
        ),
        Misconception(
            "distance_not_squared",
            "The exponent contains the distance, not its square. K is a function of the squared "
            "distance, t = |x_n - x_m|²/h².",
            LIKELIHOOD(t=lambda squares, h: np.sqrt(squares) / h),
        ),
        Misconception(
            "distance_over_square",
            "You divide the distance by h² without squaring the distance. Square both: t is |x_n "
            "- x_m|²/h².",
            LIKELIHOOD(t=lambda squares, h: np.sqrt(squares) / h**2),
        ),
        Misconception(
            "log_of_mean",
            "You take the logarithm of the mean density. First take the logarithm of each point's "
            "density: one very unlikely point must be able to spoil the whole.",
            LIKELIHOOD(
                logs=lambda densities: densities, log_likelihood=lambda logs: np.log(np.mean(logs))
            ),
        ),
        Misconception(
            "no_logarithm",
            "This is the mean density itself: the logarithm of each point's density is missing.",
            LIKELIHOOD(logs=lambda densities: densities),
        ),
        Misconception(
            "one_added",
            "You add 1 to each density before the logarithm (np.log1p does so). Take the "
            "logarithm of the density itself; it may be far below zero.",
            LIKELIHOOD(logs=lambda densities: np.log1p(densities)),
        ),
        Misconception(
            "logs_inside",
            "You take the logarithm of each kernel and average over pairs. The logarithm of a sum is "
            "not the sum of logarithms: first add up K over m, then take the logarithm.",
            LIKELIHOOD(logs=_mean_log_kernels),
        ),
        Misconception(
            "sum_over_points",
            "You add up the logarithms of all points. The task asks for the mean: 1/N is missing.",
            LIKELIHOOD(log_likelihood=lambda logs: np.sum(logs)),
        ),
        Misconception(
            "product_of_points",
            "You multiply the densities of all points: that is the likelihood itself. For many points "
            "it is too small for any computer. The mean of the logarithms says the same.",
            LIKELIHOOD(log_likelihood=lambda densities: np.prod(densities)),
        ),
        Misconception(
            "logarithm_to_ten",
            "This is the logarithm to the base 10. Use the natural one, np.log.",
            LIKELIHOOD(logs=lambda densities: np.log10(densities)),
        ),
        Misconception(
            "constant_of_kernel",
            "You have added the constant of the normal density, (2π)**(q/2). That makes a true "
            "density, but the task uses K(t) = exp(-t/2): the constant moves no maximum. Leave it "
            "out.",
            LIKELIHOOD(volume=lambda X, h: (2 * np.pi) ** (X.shape[1] / 2) * volume(X, h)),
        ),
        Misconception(
            "nearest_alone",
            "You take the largest kernel of each row. All other points count: sum over m.",
            LIKELIHOOD(totals=lambda others: np.max(others, axis=1)),
        ),
        Misconception(
            "sign_turned",
            "This is minus the log likelihood, a loss. Here larger is better; remove the minus.",
            LIKELIHOOD(log_likelihood=lambda logs: -np.mean(logs)),
        ),
        Misconception(
            "left_out_by_selection",
            "You select the distances above zero and expect N - 1 in every row. A point that was "
            "recorded twice has a twin at distance zero, which belongs to its sum: leave out by "
            "index, m = n, not by distance.",
            LIKELIHOOD(others=_others_by_their_distance),
        ),
        Misconception(
            "delete_flattens",
            "Without an axis np.delete(X, n) makes one row of numbers of the points and takes out "
            "the number n. Take out a row: np.delete(X, n, axis=0).",
            LIKELIHOOD(squares=_squares_from_the_rest, others=lambda kernels: kernels),
        ),
        Misconception(
            "rows_for_columns",
            "You take N for q: h has the power of the number of rows. q is the number of columns, "
            "X.shape[1].",
            LIKELIHOOD(volume=lambda X, h: h ** len(X)),
        ),
        Misconception(
            "shape_swapped",
            "N and q are swapped. X.shape is (N, q), in this order: the sum is divided by N - 1, and h "
            "has the power q.",
            LIKELIHOOD(count=lambda X: X.shape[1] - 1, volume=lambda X, h: h ** len(X)),
        ),
        Misconception(
            "h_forgotten_in_kernel",
            "In the kernel the bandwidth h is missing: t is the squared distance divided by h².",
            LIKELIHOOD(t=lambda squares: squares),
        ),
        Misconception(
            "exponent_sign",
            "The minus in the exponent is missing: distant points now count most.",
            LIKELIHOOD(kernels=lambda t: np.exp(t / 2)),
        ),
        Misconception(
            "log_before_division",
            "You divide the logarithm of the sum by (N - 1) h**q. Divide the sum first, then take "
            "the logarithm of the quotient.",
            LIKELIHOOD(
                densities=lambda totals, count, volume: np.log(totals) / (count * volume),
                logs=lambda densities: densities,
            ),
        ),
        Misconception(
            "log_kernels_summed",
            "You add up the logarithms of the kernels over m. The logarithm of a sum is not the sum "
            "of logarithms: first add up K over m, then take the logarithm.",
            LIKELIHOOD(logs=_sum_log_kernels),
        ),
        Misconception(
            "outer_mean_by_others",
            "You divide the sum of the logarithms by N - 1. That is the number of terms of the inner "
            "sum; the outer mean is over N points.",
            LIKELIHOOD(log_likelihood=lambda logs: np.sum(logs) / (len(logs) - 1)),
        ),
        Misconception(
            "inner_mean",
            "You take the mean over m of N kernels, and divide by N - 1 once more. Add the kernels "
            "up; one division by N - 1 makes the mean.",
            LIKELIHOOD(totals=lambda others: np.mean(others, axis=1)),
        ),
        Misconception(
            "one_sum_for_all",
            "You add up all pairs before you take the logarithm. Each point has a density of its "
            "own: sum over m only, with an axis.",
            LIKELIHOOD(totals=lambda others: np.sum(others)),
        ),
        Misconception(
            "first_coordinate_only",
            "Your distances use only the first column of X. All q of them count: sum their squared "
            "differences.",
            LIKELIHOOD(squares=lambda X: squares(X[:, :1])),
        ),
        Misconception(
            "squared_after_sum",
            "You add up the differences of the q coordinates and square their sum, so that they can "
            "cancel. Square each difference, then add.",
            LIKELIHOOD(squares=lambda X: np.sum(X[:, None] - X, axis=2) ** 2),
        ),
        Misconception(
            "mean_of_squares",
            "You take the mean of the squared differences over the columns. The squared distance is "
            "their sum.",
            LIKELIHOOD(squares=lambda X: np.mean((X[:, None] - X) ** 2, axis=2)),
        ),
        Misconception(
            "absolute_differences",
            "You add up absolute differences over the columns. |x_n - x_m|² adds up their squares.",
            LIKELIHOOD(squares=lambda X: np.sum(np.abs(X[:, None] - X), axis=2)),
        ),
        Misconception(
            "one_dimension",
            "X - X.T makes all differences for q = 1 only. For q coordinates make an array of "
            "differences with three axes, X[:, None] - X, square it, and sum over the last axis.",
            LIKELIHOOD(squares=lambda X: (X - X.T) ** 2),
        ),
    ),
    hints=(
        "If point n were hidden, how likely would the others make its place? What happens to that "
        "number when the kernels become twice as wide in q dimensions? And why is a logarithm taken "
        "of each point's number before the mean?",
        "With t = |x_n - x_m|²/h²: p_n is the sum of exp(-t/2) over all m except n, divided by "
        "(N - 1) * h**q. The result is the mean of log p_n over n.",
        "As a matrix: K = np.exp(-t / 2) for all pairs, zeros on its diagonal, row sums, divide, "
        "np.log, mean. N, q = X.shape gives both numbers. As loops: skip m == n in the inner one.",
    ),
)
