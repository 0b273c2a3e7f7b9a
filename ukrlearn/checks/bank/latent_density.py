"""p(x), the density of the latent points: a mean of kernels."""

import numpy as np

from ukrlearn.blocks import kernel_regression
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.trials import SIZES, data


def reference(x, X, h):
    return kernel_regression.latent_density(x / h, X / h)


def trials(seed):
    random = np.random.default_rng(seed)
    X = np.array([[0.0], [1.0], [3.0]])
    made = [Trial("three points, two positions", dict(x=np.array([[1.0], [2.0]]), X=X, h=2.0))]
    for M, (N, _, q) in zip((4, 2, 6), SIZES, strict=True):
        X, _ = data(random, N, 1, q)
        x = random.normal(size=(M, q)) + 0.5
        h = random.uniform(0.6, 0.9) if q == 1 else random.uniform(1.2, 1.6)
        made.append(Trial(f"{N} points, {M} positions, q = {q}", dict(x=x, X=X, h=h)))
    x = X[:4] + 0.05 * random.normal(size=(4, 3))
    made.append(Trial("latent space in other units", dict(x=1e3 * x, X=1e3 * X, h=700.0)))
    away = X[np.argmax(X.sum(axis=1))] + random.uniform(2.0, 3.0, size=(5, 3))
    made.append(Trial("positions far from all points", dict(x=away, X=X, h=0.8)))
    together = np.tile(X[:1], (6, 1))
    made.append(Trial("all points in one place", dict(x=x, X=together, h=1.3)))
    made.append(Trial("positions at latent points", dict(x=X[2:7].copy(), X=X, h=1.1)))
    return made


def _squares(x, X):
    return np.sum((x[:, None] - X) ** 2, axis=2)


def _kernels(x, X, h):
    return np.exp(-_squares(x, X) / (2 * h**2))


def _density(x, X, h):
    return _kernels(x, X, h).mean(axis=1)


def _of_exponent(exponent):
    """The mean of exp(exponent(t, h))."""

    def density(x, X, h):
        return np.exp(exponent(_squares(x, X), h)).mean(axis=1)

    return density


def _per_coordinate(x, X, h):
    return np.exp(-((x[:, None] - X) ** 2) / (2 * h**2)).mean(axis=(1, 2))


def _of_mean_point(x, X, h):
    return _kernels(x, X.mean(axis=0, keepdims=True), h)[:, 0]


def _as_shares(x, X, h):
    p = _density(x, X, h)
    return p / p.sum()


def _itself_unseen(x, X, h):
    return np.where(_squares(x, X) == 0, 0, _kernels(x, X, h)).mean(axis=1)


def _highest_is_one(x, X, h):
    p = _density(x, X, h)
    return p / p.max()


def _gram_without_two(x, X, h):
    squares = np.sum(x**2, axis=1)[:, None] + np.sum(X**2, axis=1) - x @ X.T
    return np.exp(-squares / (2 * h**2)).mean(axis=1)


def _between(p, x, X, h):
    nearest = _kernels(x, X, h).max(axis=1)
    rounding = 1e-3 * nearest + 1e-5 * nearest.max()
    return bool((p <= nearest + rounding).all() and (p >= nearest / len(X) - rounding).all())


def _counts_of_one_place(p, x, X, h):
    """False where all points lie in one place, and p is a multiple of their common kernel value."""
    if np.ptp(X, axis=0).any():
        return True
    ratio = p / _kernels(x, X[:1], h)[:, 0]
    constant = np.ptp(ratio) <= 1e-2 * np.abs(ratio).max()
    return bool(not constant or abs(ratio[0] - 1) <= 1e-2)


EXERCISE = Exercise(
    name="latent_density",
    title="The density of the latent points",
    lesson="01_kernel_regression",
    equations="[UKR] (3)",
    minutes=10,
    shapes={"x": "M q", "X": "N q", "h": ""},
    returns={"p": "M"},
    trials=trials,
    reference=reference,
    properties=(
        Property(
            "out_of_range",
            "Every p(x) lies between 0 and K(0) = 1.",
            "p(x) is a mean of kernel values, which lie between 0 and K(0) = 1; some of yours do "
            "not. What do you divide by?",
            lambda p, x, X, h: bool((p >= 0).all() and (p <= 1 + 1e-4).all()),
        ),
        Property(
            "miscounted",
            "Every p(x) lies between the kernel value of the nearest point and one N-th of it.",
            "Where all latent points lie in one place, all N kernel values are equal, and their "
            "mean is this value; yours is a multiple of it. Do you add up as many kernel values "
            "as you divide by? The rows of X are numbered 0 to N - 1, and range(N) already stops "
            "before N.",
            _counts_of_one_place,
        ),
        Property(
            "not_a_mean",
            "Every p(x) lies between the kernel value of the nearest point and one N-th of it.",
            "A mean of N kernel values is at most the greatest of them, that of the nearest "
            "point, and at least one N-th of it. Yours is not: print the kernel values for one "
            "position.",
            _between,
        ),
    ),
    misconceptions=(
        Misconception(
            "sum_not_mean",
            "You add up the kernel values and do not divide by N. p(x) is their mean: twice as many "
            "points in the same places must not change it.",
            lambda x, X, h: _kernels(x, X, h).sum(axis=1),
        ),
        Misconception(
            "constant_included",
            "You divide by (2πh²)^(q/2), so that the integral is 1: a density in the strict "
            "sense. Here K(0) = 1, without any constant: the course needs only shares p(x)/K(0), "
            "where a constant cancels.",
            lambda x, X, h: _density(x, X, h) / (2 * np.pi * h**2) ** (X.shape[1] / 2),
        ),
        Misconception(
            "constant_of_one_dimension",
            "You divide by h and the square root of 2π, as for a bell curve over one dimension. No "
            "constant belongs here: K(0) = 1, so that p(x) = 1 where all points lie in one place.",
            lambda x, X, h: _density(x, X, h) / (np.sqrt(2 * np.pi) * h),
        ),
        Misconception(
            "divided_by_h_q",
            "You divide by h to the power of q, as in textbooks on density estimation. Here K is not "
            "scaled, K(0) = 1: the bandwidth enters through the distances and nowhere else.",
            lambda x, X, h: _density(x, X, h) / h ** X.shape[1],
        ),
        Misconception(
            "h_not_squared",
            "You divide the squared distance by 2h and not by 2h². Square both: |x - x_n|/h is a "
            "number without units, and so is its square.",
            _of_exponent(lambda t, h: -t / (2 * h)),
        ),
        Misconception(
            "multiplied_by_h_squared",
            "Your exponent is multiplied by h², not divided: a larger h makes your hills "
            "narrower. In Python a / 2 * b is (a / 2) * b; put the whole denominator in brackets.",
            _of_exponent(lambda t, h: -t / 2 * h**2),
        ),
        Misconception(
            "two_squared_too",
            "You square the 2 as well: (2h)² is 4h². In the exponent only h is squared, 2h². Your "
            "hills are too wide, by the square root of 2.",
            _of_exponent(lambda t, h: -t / (2 * h) ** 2),
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 in exp(-|x - x_n|²/(2h²)) is missing: your hills are too narrow, by "
            "the square root of 2.",
            _of_exponent(lambda t, h: -t / h**2),
        ),
        Misconception(
            "h_forgotten",
            "Your result does not depend on the bandwidth h. Put h below the squared distance: "
            "exp(-|x - x_n|²/(2h²)).",
            _of_exponent(lambda t, h: -t / 2),
        ),
        Misconception(
            "distance_not_squared",
            "The exponent contains the distance, not its square. Every point then carries a tent "
            "with a sharp top; a Gaussian hill is round.",
            _of_exponent(lambda t, h: -np.sqrt(t) / (2 * h**2)),
        ),
        Misconception(
            "distance_not_squared_over_h",
            "The exponent contains |x - x_n|/h, not half its square. Every point then carries a "
            "tent with a sharp top; a Gaussian hill is round.",
            _of_exponent(lambda t, h: -np.sqrt(t) / h),
        ),
        Misconception(
            "sign_missing",
            "The minus in the exponent is missing: the density now grows with the distance from the "
            "points.",
            _of_exponent(lambda t, h: t / (2 * h**2)),
        ),
        Misconception(
            "mean_over_positions",
            "You take the mean over the positions x, and get one number for each latent point. "
            "Average over the latent points: one number for each position.",
            lambda x, X, h: _kernels(x, X, h).mean(axis=0),
        ),
        Misconception(
            "kernel_of_each_coordinate",
            "You compute a kernel for each coordinate and average over coordinates too. The "
            "squares of the q differences are added first; their sum goes into one kernel.",
            _per_coordinate,
        ),
        Misconception(
            "mean_before_kernel",
            "You average the squared distances and put one number into the kernel. The order "
            "matters: first N kernel values, then their mean.",
            lambda x, X, h: np.exp(-_squares(x, X).mean(axis=1) / (2 * h**2)),
        ),
        Misconception(
            "kernel_of_mean_point",
            "You measure the distance to the mean of the latent points. That gives one hill; (3) "
            "is the mean of N hills, one over each latent point.",
            _of_mean_point,
        ),
        Misconception(
            "divided_by_n_minus_1",
            "You divide by N - 1. Nothing is left out here: all N points count, and p(x) is their "
            "mean.",
            lambda x, X, h: _kernels(x, X, h).sum(axis=1) / (len(X) - 1),
        ),
        Misconception(
            "shares_of_positions",
            "You divide by the sum over the positions, so that they add up to one. p(x) depends "
            "on x and the latent points alone: asking at one more place must not change it.",
            _as_shares,
        ),
        Misconception(
            "highest_is_one",
            "You divide by the greatest density among the positions, so that it becomes 1. p(x) "
            "depends on x and the latent points alone: asking at one more place must not change "
            "it.",
            _highest_is_one,
        ),
        Misconception(
            "itself_unseen",
            "You leave out a latent point at the position itself. (3) leaves nothing out: a point "
            "at distance 0 counts with K(0) = 1.",
            _itself_unseen,
        ),
        Misconception(
            "last_point_only",
            "Only the last latent point is in your p(x), divided by N: the loop overwrites the "
            "others. Add up all N kernel values.",
            lambda x, X, h: _kernels(x, X, h)[:, -1] / len(X),
        ),
        Misconception(
            "first_point_forgotten",
            "The first latent point is not in your mean. Where does your loop over the points "
            "begin? In Python the first row is number 0.",
            lambda x, X, h: _kernels(x, X[1:], h).sum(axis=1) / len(X),
        ),
        Misconception(
            "first_coordinate_only",
            "Your distances use only the first latent coordinate, which suffices only for q = 1. "
            "All q of them count: sum their squared differences.",
            lambda x, X, h: _density(x[:, :1], X[:, :1], h),
        ),
        Misconception(
            "gram_without_two",
            "You take |x|² + |x_n|² - x·x_n for the squared distance. The binomial formula has "
            "twice the inner product; without the 2, a point is at a distance from itself.",
            _gram_without_two,
        ),
        Misconception(
            "nearest_only",
            "You return the kernel value of the nearest latent point. p(x) is the mean over all "
            "N; distant ones lower it.",
            lambda x, X, h: _kernels(x, X, h).max(axis=1),
        ),
    ),
    hints=(
        "Imagine a hill of height 1 over each latent point. At a position x look up the heights of all "
        "N hills. Their mean is p(x).",
        "The height of hill n at x is exp(-t / (2h²)), where t is the sum of the q squared differences "
        "between x and x_n. Add the N heights, divide by N.",
        "With arrays: x[:, None] - X holds all differences, of shape (M, N, q). Square them and sum "
        "over the last axis; take the exponential; take the mean over the axis of the N points, which "
        "is axis 1.",
    ),
)
