"""p(x), the density of the latent points: a mean of kernels."""

import numpy as np

from ukrlearn.blocks import kernel_regression
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.mistakes import cut_off, distance_mistakes, only_columns
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.trials import SIZES, data


def reference(x, X, h):
    return kernel_regression.latent_density(x / h, X / h)


def trials(seed):
    random = np.random.default_rng(seed)
    X = np.array([[0.0], [1.0], [3.0]])
    made = [Trial("three points, two positions", dict(x=np.array([[1.0], [2.0]]), X=X, h=2.0))]
    x = np.array([[0.0, 0.0], [2.0, -1.0], [-2.0, 3.0]])
    X = np.array([[-1.0, 0.0], [0.0, 2.0], [1.0, -2.0], [0.0, 0.0]])
    made.append(Trial("four points of a plane, centred", dict(x=x, X=X, h=1.0)))
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
    X = X - X.mean(axis=0)
    X[3], X[7] = 0, X[6]
    x = np.vstack([random.normal(size=(5, q)), X[2:4], X[2:3]])
    made.append(Trial("centred, with zeros and ties", dict(x=x, X=X, h=1.2)))
    return made


def squares(x, X):
    """the squared distances |x - x_n|²"""
    return np.sum((x[:, None] - X) ** 2, axis=2)


def exponents(squares, h):
    """the exponents -|x - x_n|²/(2h²)"""
    return -squares / (2 * h**2)


def kernels(exponents):
    """the kernel values K(x, x_n)"""
    return np.exp(exponents)


def totals(kernels):
    """the sums of the kernel values over n"""
    return np.sum(kernels, axis=1)


def p(totals, X):
    """the mean p(x)"""
    return totals / len(X)


DENSITY = pipeline("x X h", squares, exponents, kernels, totals, p)


def _all_in_one_kernel(x, X):
    """The mean of the squared distances, once for each point."""
    return np.repeat(squares(x, X).mean(axis=1, keepdims=True), len(X), axis=1)


def _to_mean_point(x, X):
    return squares(x, np.repeat(X.mean(axis=0, keepdims=True), len(X), axis=0))


def _of_each_coordinate(**exchanged):
    """The exponents as a table for each coordinate, and what becomes of these tables."""
    return DENSITY(squares=lambda x, X: (x[:, None] - X) ** 2, **exchanged)


def _itself_unseen(exponents):
    return np.where(exponents == 0, 0, np.exp(exponents))


def _same_number_skipped(exponents):
    kernels = np.exp(exponents)
    np.fill_diagonal(kernels, 0)
    return kernels


CUT_OFF = (
    "You set the kernel to zero beyond some multiple of h. The Gaussian has no edge: every latent "
    "point counts, a distant one very little."
)


def _kernels(x, X, h):
    return kernels(exponents(squares(x, X), h))


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
    stages=DENSITY,
    properties=(
        Property(
            "out_of_range",
            "Every p(x) lies between 0 and K(0) = 1.",
            "p(x) is a mean of kernel values, which lie between 0 and K(0) = 1; some of yours do "
            "not.",
            lambda p, x, X, h: bool((p >= 0).all() and (p <= 1 + 1e-4).all()),
            suspects=(
                ("kernels", "Is each kernel value between 0 and 1?"),
                ("p", "Do you divide their sum by N, and by nothing else?"),
            ),
        ),
        Property(
            "miscounted",
            "Every p(x) lies between the kernel value of the nearest point and one N-th of it.",
            "Where all latent points lie in one place, all N kernel values are equal, and their "
            "mean is this value; yours is a multiple of it.",
            _counts_of_one_place,
            suspects=(
                (
                    "totals",
                    "Do you add up as many kernel values as you divide by? The rows of X are "
                    "numbered 0 to N - 1, and range(N) already stops before N.",
                ),
            ),
        ),
        Property(
            "not_a_mean",
            "Every p(x) lies between the kernel value of the nearest point and one N-th of it.",
            "A mean of N kernel values is at most the greatest of them, that of the nearest "
            "point, and at least one N-th of it. Yours is not.",
            _between,
            suspects=(("kernels", "What are the N kernel values of one position, by hand?"),),
        ),
    ),
    misconceptions=(
        Misconception(
            "sum_not_mean",
            "You add up the kernel values and do not divide by N. p(x) is their mean: twice as many "
            "points in the same places must not change it.",
            DENSITY(p=lambda totals: totals),
        ),
        Misconception(
            "constant_included",
            "You divide by (2πh²)^(q/2), so that the integral is 1: a density in the strict "
            "sense. Here K(0) = 1, without any constant: the course needs only shares p(x)/K(0), "
            "where a constant cancels.",
            DENSITY(
                kernels=lambda exponents, X, h: (
                    np.exp(exponents) / (2 * np.pi * h**2) ** (X.shape[1] / 2)
                )
            ),
        ),
        Misconception(
            "constant_of_one_dimension",
            "You divide by h and the square root of 2π, as for a bell curve over one dimension. No "
            "constant belongs here: K(0) = 1, so that p(x) = 1 where all points lie in one place.",
            DENSITY(kernels=lambda exponents, h: np.exp(exponents) / (np.sqrt(2 * np.pi) * h)),
        ),
        Misconception(
            "divided_by_h_q",
            "You divide by h to the power of q, as in textbooks on density estimation. Here K is not "
            "scaled, K(0) = 1: the bandwidth enters through the distances and nowhere else.",
            DENSITY(kernels=lambda exponents, X, h: np.exp(exponents) / h ** X.shape[1]),
        ),
        Misconception(
            "h_not_squared",
            "You divide the squared distance by 2h and not by 2h². Square both: |x - x_n|/h is a "
            "number without units, and so is its square.",
            DENSITY(exponents=lambda squares, h: -squares / (2 * h)),
        ),
        Misconception(
            "multiplied_by_h_squared",
            "Your exponent is multiplied by h², not divided: a larger h makes your hills "
            "narrower. In Python a / 2 * b is (a / 2) * b; put the whole denominator in brackets.",
            DENSITY(exponents=lambda squares, h: -squares / 2 * h**2),
        ),
        Misconception(
            "two_squared_too",
            "You square the 2 as well: (2h)² is 4h². In the exponent only h is squared, 2h². Your "
            "hills are too wide, by the square root of 2.",
            DENSITY(exponents=lambda squares, h: -squares / (2 * h) ** 2),
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 in exp(-|x - x_n|²/(2h²)) is missing: your hills are too narrow, by "
            "the square root of 2.",
            DENSITY(exponents=lambda squares, h: -squares / h**2),
        ),
        Misconception(
            "h_forgotten",
            "Your result does not depend on the bandwidth h. Put h below the squared distance: "
            "exp(-|x - x_n|²/(2h²)).",
            DENSITY(exponents=lambda squares: -squares / 2),
        ),
        Misconception(
            "distance_not_squared",
            "The exponent contains the distance, not its square. Every point then carries a tent "
            "with a sharp top; a Gaussian hill is round.",
            DENSITY(squares=lambda x, X: np.sqrt(squares(x, X))),
        ),
        Misconception(
            "distance_not_squared_over_h",
            "The exponent contains |x - x_n|/h, not half its square. Every point then carries a "
            "tent with a sharp top; a Gaussian hill is round.",
            DENSITY(
                squares=lambda x, X: np.sqrt(squares(x, X)),
                exponents=lambda squares, h: -squares / h,
            ),
        ),
        Misconception(
            "sign_missing",
            "The minus in the exponent is missing: the density now grows with the distance from the "
            "points.",
            DENSITY(exponents=lambda squares, h: squares / (2 * h**2)),
        ),
        Misconception(
            "mean_over_positions",
            "You take the mean over the positions x, and get one number for each latent point. "
            "Average over the latent points: one number for each position.",
            DENSITY(
                totals=lambda kernels: kernels.sum(axis=0), p=lambda totals, x: totals / len(x)
            ),
        ),
        Misconception(
            "sum_over_positions",
            "You add up over the positions x, and get one number for each latent point. Add up "
            "over the latent points: one number for each position. In an (M, N) table they are "
            "axis 1.",
            DENSITY(totals=lambda kernels: kernels.sum(axis=0)),
        ),
        Misconception(
            "kernel_of_each_coordinate",
            "You compute a kernel for each coordinate and average over coordinates too. The "
            "squares of the q differences are added first; their sum goes into one kernel.",
            _of_each_coordinate(p=lambda totals, X: totals.mean(axis=1) / len(X)),
        ),
        Misconception(
            "mean_before_kernel",
            "You average the squared distances and put one number into the kernel. The order "
            "matters: first N kernel values, then their mean.",
            DENSITY(squares=_all_in_one_kernel),
        ),
        Misconception(
            "kernel_of_mean_point",
            "You measure the distance to the mean of the latent points. That gives one hill; (3) "
            "is the mean of N hills, one over each latent point.",
            DENSITY(squares=_to_mean_point),
        ),
        Misconception(
            "divided_by_n_minus_1",
            "You divide by N - 1. Nothing is left out here: all N points count, and p(x) is their "
            "mean.",
            DENSITY(p=lambda totals, X: totals / (len(X) - 1)),
        ),
        Misconception(
            "shares_of_positions",
            "You divide by the sum over the positions, so that they add up to one. p(x) depends "
            "on x and the latent points alone: asking at one more place must not change it.",
            DENSITY(p=lambda totals: totals / totals.sum()),
        ),
        Misconception(
            "highest_is_one",
            "You divide by the greatest density among the positions, so that it becomes 1. p(x) "
            "depends on x and the latent points alone: asking at one more place must not change "
            "it.",
            DENSITY(p=lambda totals: totals / totals.max()),
        ),
        Misconception(
            "itself_unseen",
            "You leave out a latent point at the position itself. (3) leaves nothing out: a point "
            "at distance 0 counts with K(0) = 1.",
            DENSITY(kernels=_itself_unseen),
        ),
        Misconception(
            "last_point_only",
            "Only the last latent point is in your p(x), divided by N: the loop overwrites the "
            "others. Add up all N kernel values.",
            DENSITY(totals=lambda kernels: kernels[:, -1]),
        ),
        Misconception(
            "first_point_forgotten",
            "The first latent point is not in your mean. Where does your loop over the points "
            "begin? In Python the first row is number 0.",
            DENSITY(kernels=only_columns(lambda M: slice(1, None))),
        ),
        Misconception(
            "nearest_only",
            "You return the kernel value of the nearest latent point. p(x) is the mean over all "
            "N; distant ones lower it.",
            DENSITY(totals=lambda kernels: kernels.max(axis=1), p=lambda totals: totals),
        ),
        Misconception(
            "h_times_distance",
            "You divide by 2 and multiply by h: in Python a / 2 * h is (a / 2) * h. Put the whole "
            "denominator 2h² in brackets.",
            DENSITY(exponents=lambda squares, h: -squares / 2 * h),
        ),
        Misconception(
            "divided_by_h_alone",
            "You divide the squared distance by h alone. Divide by 2h²: |x - x_n|/h is a number "
            "without units, and so is its square; and the 2 is missing.",
            DENSITY(exponents=lambda squares, h: -squares / h),
        ),
        Misconception(
            "kernels_of_coordinates_added",
            "You compute a kernel for each coordinate and add them. The squares of the q "
            "differences are added first; their sum goes into one kernel.",
            _of_each_coordinate(p=lambda totals, X: totals.sum(axis=1) / len(X)),
        ),
        Misconception(
            "product_of_densities",
            "You compute a density for each coordinate and multiply these q densities, as if the "
            "coordinates were independent. Each latent point has one hill: multiply, or add in "
            "the exponent, over the coordinates first, and then take the mean over the points.",
            _of_each_coordinate(p=lambda totals, X: np.prod(totals / len(X), axis=1)),
        ),
        Misconception(
            "divided_by_number_of_positions",
            "You divide by the number of positions M. Each p(x) is a mean of N kernel values: "
            "divide by N, the number of latent points.",
            DENSITY(p=lambda totals, x: totals / len(x)),
        ),
        Misconception(
            "kernel_forgotten",
            "You take the mean of the squared distances, with no kernel: it is large where no "
            "points are. Put each of them into exp(-|x - x_n|²/(2h²)) first.",
            DENSITY(kernels=lambda squares: squares),
        ),
        Misconception("cut_off_at_h", CUT_OFF, DENSITY(kernels=cut_off(1))),
        Misconception("cut_off_at_2h", CUT_OFF, DENSITY(kernels=cut_off(2))),
        Misconception("cut_off_at_3h", CUT_OFF, DENSITY(kernels=cut_off(3))),
        Misconception(
            "last_point_forgotten",
            "The last latent point is not in your mean. Where does your loop over the points end? "
            "The rows of X are numbered 0 to N - 1, and range(N) already stops before N.",
            DENSITY(kernels=only_columns(lambda M: slice(-1))),
        ),
        Misconception(
            "as_many_points_as_positions",
            "Your loop over the latent points makes as many steps as there are positions. There "
            "are M positions x and N points in X: the inner loop runs to len(X).",
            DENSITY(kernels=only_columns(lambda M: slice(M))),
        ),
        Misconception(
            "sum_not_reset",
            "The sum of the kernel values grows from position "
            "to position: set it to 0 for each position, inside the loop over the positions.",
            DENSITY(totals=lambda kernels: np.cumsum(kernels.sum(axis=1))),
        ),
        Misconception(
            "product_of_kernels",
            "You multiply the N kernel values. p(x) is their mean: add them, and divide by N.",
            DENSITY(totals=lambda kernels: np.prod(kernels, axis=1), p=lambda totals: totals),
        ),
        Misconception(
            "rows_normalised",
            "You divide the kernel values of each position by their own sum, as for weights. "
            "Their mean is then 1/N everywhere. For a density, take the mean of the kernel values "
            "themselves.",
            DENSITY(totals=lambda kernels: np.ones(len(kernels))),
        ),
        Misconception(
            "h_twice",
            "You divide by h twice: once you scale the positions or the distances, and then the "
            "exponent again. |x - x_n|²/(2h²) has h² once.",
            DENSITY(exponents=lambda squares, h: -squares / (2 * h**4)),
        ),
        Misconception(
            "constant_of_plane",
            "You divide by 2πh², as for a bell curve over a plane. No constant belongs here: "
            "K(0) = 1, so that p(x) = 1 where all points lie in one place.",
            DENSITY(kernels=lambda exponents, h: np.exp(exponents) / (2 * np.pi * h**2)),
        ),
        Misconception(
            "constant_without_h",
            "You divide by (2π)^(q/2), as textbooks do. No constant belongs here: K(0) = 1, so "
            "that p(x) = 1 where all points lie in one place.",
            DENSITY(
                kernels=lambda exponents, X: np.exp(exponents) / (2 * np.pi) ** (X.shape[1] / 2)
            ),
        ),
        Misconception(
            "divided_by_h",
            "You divide by N h, as in textbooks on density estimation. Here K is not scaled, K(0) "
            "= 1: the bandwidth enters through the distances and nowhere else.",
            DENSITY(kernels=lambda exponents, h: np.exp(exponents) / h),
        ),
        Misconception(
            "same_number_skipped",
            "For position i you leave out latent point i. Positions and latent points are "
            "numbered independently here, and nothing is left out: all N points count.",
            DENSITY(kernels=_same_number_skipped),
        ),
        Misconception(
            "density_of_positions",
            "You measure distances among the positions x and leave X out. p(x) says how many "
            "latent points are near x: take the distances from x to the rows of X.",
            DENSITY(squares=lambda x: squares(x, x), p=lambda totals: totals / len(totals)),
        ),
        *distance_mistakes(DENSITY),
        Misconception(
            "summed_and_averaged_over_points",
            "You sum the squared differences over axis 1, the points, and then average over the q "
            "coordinates. The differences have the shape (M, N, q): first sum over the q "
            "coordinates, axis 2, and average the kernel values over the points.",
            DENSITY(
                squares=lambda x, X: np.sum((x[:, None] - X) ** 2, axis=1),
                p=lambda totals, x: totals / x.shape[1],
            ),
        ),
    ),
    hints=(
        "Imagine a hill of height 1 over each latent point, and stand at the position x. How high "
        "is hill n there, if only |x - x_n| and h decide? How many heights do you have for one "
        "position, and for M positions?",
        "The height of hill n at x is exp(-t / (2h²)), where t is the sum of the q squared differences "
        "between x and x_n. Add the N heights, divide by N.",
        "With arrays: x[:, None] - X holds all differences, of shape (M, N, q). Square them and sum "
        "over the last axis; take the exponential; take the mean over the axis of the N points, which "
        "is axis 1.",
    ),
)
