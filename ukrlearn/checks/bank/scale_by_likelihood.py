"""The leave-one-out log likelihood of latent points, whose maximum is a bandwidth."""

import numpy as np

from ukrlearn.blocks import starts
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.trials import SIZES, data


def reference(X, h):
    return starts.log_likelihood_of_left_out(X, h)


def trials(seed):
    random = np.random.default_rng(seed)
    made = [
        Trial("three points", dict(X=np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]]), h=2.0)),
        Trial("four points on a line", dict(X=np.array([[0.0], [1.0], [3.0], [4.0]]), h=0.5)),
    ]
    for N, d, q in SIZES:
        X, _ = data(random, N, d, q)
        h = random.uniform(0.3, 0.5) * _farthest_neighbour(X)  # all sums well above rounding
        made.append(Trial(f"N = {N}, q = {q}", dict(X=X, h=h)))
    made.append(Trial("latent space in other units", dict(X=1e5 * X, h=9e4 * h)))
    made.append(Trial("points close together", dict(X=1e-3 * X, h=0.002 * h)))
    lone = np.vstack([X, X[X[:, 0].argmax()] + 5 * h / np.sqrt(q)])
    made.append(Trial("a point far from all others", dict(X=lone, h=h)))
    twice = np.vstack([X, X[[1, 6]]])
    made.append(Trial("two points recorded twice", dict(X=twice, h=h)))
    return made


def _squares(X):
    return np.sum((X[:, None] - X) ** 2, axis=2)


def _farthest_neighbour(X):
    """The distance to the nearest neighbour of the most isolated point."""
    t = _squares(X)
    np.fill_diagonal(t, np.inf)
    return np.sqrt(t.min(axis=1).max())


def _kernel(X, h, leave_out=True, t=None, power=0.5):
    K = np.exp(-power * (_squares(X) / h**2 if t is None else t))
    if leave_out:
        np.fill_diagonal(K, 0)
    return K


def _densities(X, h, K=None, of=None):
    """p_{-n}(x_n) with the divisor `of` in place of N - 1."""
    N, q = X.shape
    K = _kernel(X, h) if K is None else K
    return K.sum(axis=1) / ((N - 1 if of is None else of) * h**q)


def _mean_log(*arguments, **options):
    return np.mean(np.log(_densities(*arguments, **options)))


def _logs_inside(X, h):
    N, q = X.shape
    pairs = ~np.eye(N, dtype=bool)
    return np.mean((-_squares(X) / (2 * h**2))[pairs]) - q * np.log(h)


def _nearest_alone(X, h):
    N, q = X.shape
    return np.mean(np.log(_kernel(X, h).max(axis=1) / ((N - 1) * h**q)))


def _others_by_place(X, h):
    K = _kernel(X, h)
    K[_squares(X) == 0] = 0
    return _mean_log(X, h, K)


def _brackets_lost(X, h):
    N, q = X.shape
    return np.mean(np.log(_kernel(X, h, leave_out=False).sum(axis=1) - 1 / ((N - 1) * h**q)))


def _between_bounds(side):
    def holds(value, X, h):
        N, q = X.shape
        K = _kernel(X, h)
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
    properties=(
        Property(
            "too_likely",
            "No point is more likely than if all others lay exactly on it.",
            "Your value is larger than -q log h, which is what it would be if all points lay in "
            "one place. Has each inner sum N - 1 terms, without the point itself, and is it "
            "divided by N - 1 and by h to the power q? Is a small number added inside the "
            "logarithm? It drowns very small densities.",
            _between_bounds("above"),
        ),
        Property(
            "less_than_nearest",
            "Every point is at least as likely as its nearest neighbour alone makes it.",
            "Your value is less than what the nearest neighbours alone contribute. All terms of the "
            "inner sum are positive, so adding the others can only raise it. Look at the exponent, and "
            "at what the sum is divided by.",
            _between_bounds("below"),
        ),
    ),
    misconceptions=(
        Misconception(
            "itself_counted",
            "A point helps to explain itself: the term m = n, which is K(0) = 1, must stay out of "
            "the sum. With it the best h is zero, since each point then explains itself "
            "perfectly.",
            lambda X, h: _mean_log(X, h, _kernel(X, h, leave_out=False)),
        ),
        Misconception(
            "itself_counted_over_n",
            "This is the density of all N points, the point itself among them. Leave the term m = n "
            "out of the sum; N - 1 terms remain, and the sum is divided by N - 1.",
            lambda X, h: _mean_log(X, h, _kernel(X, h, leave_out=False), of=len(X)),
        ),
        Misconception(
            "divided_by_n",
            "The inner sum has N - 1 terms, and you divide it by N. (The outer mean over N points "
            "is right.)",
            lambda X, h: _mean_log(X, h, of=len(X)),
        ),
        Misconception(
            "not_divided",
            "The inner sum is not divided by its number of terms, N - 1. The maximum stays where "
            "it is, but values for data of different size can no longer be compared.",
            lambda X, h: _mean_log(X, h, of=1),
        ),
        Misconception(
            "volume_forgotten",
            "The factor 1/h**q is missing. A wider kernel must be lower, so that its mass stays "
            "the same; without it the best h is infinite.",
            lambda X, h: _mean_log(X, h) + X.shape[1] * np.log(h),
        ),
        Misconception(
            "volume_of_one_axis",
            "You divide by h and not by h**q. A kernel in q dimensions that is twice as wide covers "
            "2**q times the volume. X has q columns.",
            lambda X, h: _mean_log(X, h) + (X.shape[1] - 1) * np.log(h),
        ),
        Misconception(
            "volume_squared",
            "You divide by h to the power 2q. The h² belongs below the squared distance; the volume "
            "of the kernel grows with h**q.",
            lambda X, h: _mean_log(X, h) - X.shape[1] * np.log(h),
        ),
        Misconception(
            "volume_multiplied",
            "You multiply by h**q (or add q log h to the logarithm); divide by it. Mind the "
            "brackets: a / b * c multiplies by c.",
            lambda X, h: _mean_log(X, h) + 2 * X.shape[1] * np.log(h),
        ),
        Misconception(
            "axes_for_columns",
            "You divide by h², whatever X is. The power is q, the number of columns, X.shape[1]; X.ndim is "
            "the number of axes of the array, which is always 2.",
            lambda X, h: _mean_log(X, h) + (X.shape[1] - 2) * np.log(h),
        ),
        Misconception(
            "left_out_by_place",
            "You leave out every point at distance zero, not only the point itself. If a point "
            "was recorded twice, its twin belongs to the sum. Compare the indices m and n.",
            _others_by_place,
        ),
        Misconception(
            "twins_merged",
            "You remove rows of X that occur twice. Each row counts: a point recorded twice makes "
            "its place twice as likely.",
            lambda X, h: _mean_log(np.unique(X, axis=0), h),
        ),
        Misconception(
            "one_taken_off_late",
            "You divide first and then subtract the point's own kernel value, 1. Subtract it from "
            "the sum, and divide the rest by (N - 1) h**q.",
            lambda X, h: np.mean(np.log(_densities(X, h, _kernel(X, h, leave_out=False)) - 1)),
        ),
        Misconception(
            "one_divided",
            "Brackets are missing: you divide only the 1 of the point itself by (N - 1) h**q. "
            "Divide the whole difference.",
            _brackets_lost,
        ),
        Misconception(
            "normalised_first",
            "You divide each row of kernels by its own sum. Then all sums are 1, and no point is "
            "less likely than another. Use the undivided kernels.",
            lambda X, h: -np.log(len(X) - 1) - X.shape[1] * np.log(h),
        ),
        Misconception(
            "h_not_squared",
            "You divide the squared distance by h and not by h². Distance and bandwidth have the same "
            "unit, and both are squared.",
            lambda X, h: _mean_log(X, h, _kernel(X, h, t=_squares(X) / h)),
        ),
        Misconception(
            "h_times",
            "You multiply distances by h. A larger bandwidth must make points look nearer to each "
            "other: divide.",
            lambda X, h: _mean_log(X, h, _kernel(X, h, t=_squares(X) * h**2)),
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 in the Gaussian kernel K(t) = exp(-t/2) is missing.",
            lambda X, h: _mean_log(X, h, _kernel(X, h, power=1.0)),
        ),
        Misconception(
            "distance_not_squared",
            "The exponent contains the distance, not its square. K is a function of the squared "
            "distance, t = |x_n - x_m|²/h².",
            lambda X, h: _mean_log(X, h, _kernel(X, h, t=np.sqrt(_squares(X)) / h)),
        ),
        Misconception(
            "distance_over_square",
            "You divide the distance by h² without squaring the distance. Square both: t is |x_n "
            "- x_m|²/h².",
            lambda X, h: _mean_log(X, h, _kernel(X, h, t=np.sqrt(_squares(X)) / h**2)),
        ),
        Misconception(
            "log_of_mean",
            "You take the logarithm of the mean density. First take the logarithm of each point's "
            "density: one very unlikely point must be able to spoil the whole.",
            lambda X, h: np.log(np.mean(_densities(X, h))),
        ),
        Misconception(
            "no_logarithm",
            "This is the mean density itself: the logarithm of each point's density is missing.",
            lambda X, h: np.mean(_densities(X, h)),
        ),
        Misconception(
            "one_added",
            "You add 1 to each density before the logarithm (np.log1p does so). Take the "
            "logarithm of the density itself; it may be far below zero.",
            lambda X, h: np.mean(np.log1p(_densities(X, h))),
        ),
        Misconception(
            "logs_inside",
            "You take the logarithm of each kernel and average over pairs. The logarithm of a sum is "
            "not the sum of logarithms: first add up K over m, then take the logarithm.",
            _logs_inside,
        ),
        Misconception(
            "sum_over_points",
            "You add up the logarithms of all points. The task asks for the mean: 1/N is missing.",
            lambda X, h: len(X) * _mean_log(X, h),
        ),
        Misconception(
            "product_of_points",
            "You multiply the densities of all points: that is the likelihood itself. For many points "
            "it is too small for any computer. The mean of the logarithms says the same.",
            lambda X, h: np.prod(_densities(X, h)),
        ),
        Misconception(
            "logarithm_to_ten",
            "This is the logarithm to the base 10. Use the natural one, np.log.",
            lambda X, h: _mean_log(X, h) / np.log(10),
        ),
        Misconception(
            "constant_of_kernel",
            "You have added the constant of the normal density, (2π)**(q/2). That makes a true "
            "density, but the task uses K(t) = exp(-t/2): the constant moves no maximum. Leave it "
            "out.",
            lambda X, h: _mean_log(X, h) - X.shape[1] / 2 * np.log(2 * np.pi),
        ),
        Misconception(
            "nearest_alone",
            "You take the largest kernel of each row. All other points count: sum over m.",
            _nearest_alone,
        ),
        Misconception(
            "sign_turned",
            "This is minus the log likelihood, a loss. Here larger is better; remove the minus.",
            lambda X, h: -_mean_log(X, h),
        ),
    ),
    hints=(
        "Go point by point. The others say how likely point n is: take the mean of their N - 1 "
        "kernels, divided by the volume h**q. Then take the logarithm, and finally the mean over "
        "the points.",
        "With t = |x_n - x_m|²/h²: p_n is the sum of exp(-t/2) over all m except n, divided by "
        "(N - 1) * h**q. The result is the mean of log p_n over n.",
        "As a matrix: K = np.exp(-t / 2) for all pairs, zeros on its diagonal, row sums, divide, "
        "np.log, mean. N, q = X.shape gives both numbers. As loops: skip m == n in the inner one.",
    ),
)
