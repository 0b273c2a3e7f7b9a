"""f(x), the weighted mean of Nadaraya and Watson, by loops."""

import numpy as np

from ukrlearn.blocks import density_kernels, kernel_regression
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.mistakes import cut_off, distance_mistakes, only_columns
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.trials import SIZES, data


def reference(x, X, Y, h):
    return kernel_regression.predict(x / h, X / h, Y, density_kernels.gaussian)


def trials(seed):
    random = np.random.default_rng(seed)
    X, Y = np.array([[0.0], [1.0], [3.0]]), np.array([[1.0, 0.0], [2.0, 4.0], [0.0, 5.0]])
    made = [Trial("three points, one position", dict(x=np.array([[0.5]]), X=X, Y=Y, h=2.0))]
    x = np.array([[0.0, 0.0], [2.0, -1.0], [-2.0, 3.0]])
    X = np.array([[-1.0, 0.0], [0.0, 2.0], [1.0, -2.0], [0.0, 0.0]])
    Y = np.array([[1.0, -2.0], [0.0, 0.0], [3.0, 1.0], [-4.0, 1.0]])
    made.append(Trial("four points of a plane, centred", dict(x=x, X=X, Y=Y, h=1.0)))
    for M, (N, d, q) in zip((4, 2, 6), SIZES, strict=True):
        X, Y = data(random, N, d, q)
        x = random.normal(size=(M, q)) + 0.5
        h = random.uniform(0.6, 1.6)
        made.append(Trial(f"{N} points, {M} positions", dict(x=x, X=X, Y=Y, h=h)))
    x = X[:4] + 0.05 * random.normal(size=(4, q))
    made.append(Trial("latent space in other units", dict(x=1e3 * x, X=1e3 * X, Y=Y, h=700.0)))
    made.append(Trial("data a million times larger", dict(x=x, X=X, Y=1e6 * Y, h=0.8)))
    equal = np.tile([3.0, -2.0], (N, 1))
    made.append(Trial("all data points equal", dict(x=x, X=X, Y=equal, h=0.8)))
    X, Y = X - X.mean(axis=0), Y - Y.mean(axis=0)
    X[3], Y[5], X[7] = 0, 0, X[6]
    x = np.vstack([random.normal(size=(5, q)), X[2:4], X[2:3]])
    made.append(Trial("centred, with zeros and ties", dict(x=x, X=X, Y=Y, h=1.2)))
    return made


def squares(x, X):
    """the squared distances |x - x_m|²"""
    return np.sum((x[:, None] - X) ** 2, axis=2)


def exponents(squares, h):
    """the exponents -|x - x_m|²/(2h²)"""
    return -squares / (2 * h**2)


def kernels(exponents):
    """the kernels K(x, x_m)"""
    return np.exp(exponents)


def numerators(kernels, Y):
    """the sums of K(x, x_m) y_m"""
    return kernels @ Y


def totals(kernels):
    """the sums of K(x, x_m) that you divide by"""
    return kernels.sum(axis=1, keepdims=True)


def f(numerators, totals):
    """the quotient f(x)"""
    return numerators / totals


MEAN = pipeline("x X Y h", squares, exponents, kernels, numerators, totals, f)


def _divided_at_each_step(kernels, Y):
    f = np.zeros((len(kernels), Y.shape[1]))
    for k, total, y in zip(kernels.T, np.cumsum(kernels, axis=1).T, Y, strict=True):
        f = (f + k[:, None] * y) / total[:, None]
    return f


def _divided_by_the_sum_so_far(kernels, Y):
    return kernels / np.cumsum(kernels, axis=1) @ Y


SUMS_WITHOUT_AXIS = (
    "You divide an array of M rows by the sums of shape (M,). NumPy pairs them with its columns, "
    "not with its rows: keepdims=True or [:, None] keeps the sums a column."
)
CUT_OFF = (
    "You set the kernel to zero beyond some multiple of h. The Gaussian has no edge: every data "
    "point counts, a distant one very little."
)


def _row_times_table(kernels, Y):
    """Each row of weights, of shape (N,), times a table of shape (N, d)."""
    return np.array([np.sum(row * Y, axis=0) for row in kernels])


def _same_number_skipped(exponents):
    kernels = np.exp(exponents)
    np.fill_diagonal(kernels, 0)
    return kernels


def _equal_data_return(f, x, X, Y, h):
    return bool(np.ptp(Y, axis=0).any() or np.allclose(f, Y[0], rtol=1e-4))


EXERCISE = Exercise(
    name="nadaraya_watson",
    title="The weighted mean f(x)",
    lesson="01_kernel_regression",
    equations="[UKR] (2)",
    minutes=15,
    shapes={"x": "M q", "X": "N q", "Y": "N d", "h": ""},
    returns={"f": "M d"},
    trials=trials,
    reference=reference,
    stages=MEAN,
    properties=(
        Property(
            "weights_no_shares",
            "Where all data points are equal, every f(x) is that point: the weights sum to one.",
            "Where all data points are equal, every f(x) must be that point; yours is not: your "
            "weights do not sum to one.",
            _equal_data_return,
            suspects=(
                (
                    "totals",
                    "Is your divisor the sum of the same N weights and nothing else? Does it start "
                    "at 0 for each position, and do you use it once, after the last point?",
                ),
            ),
        ),
        Property(
            "outside",
            "Every f(x) lies within the smallest box around the data.",
            "f(x) is a weighted mean of data points with weights that sum to one, so it can't "
            "leave the smallest box around the data; yours does.",
            lambda f, x, X, Y, h: bool(
                (f >= Y.min(axis=0) - 1e-5 * np.abs(Y).max()).all()
                and (f <= Y.max(axis=0) + 1e-5 * np.abs(Y).max()).all()
            ),
            suspects=(
                ("numerators", "Is the upper sum weight times Y[m], over all m?"),
                ("totals", "Is the divisor the sum of the same weights?"),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "not_normalised",
            "The weights are not divided by their sum. The sum of K(x, x_m) y_m grows with the "
            "number of points near x; a mean divides it by the sum of K(x, x_m).",
            MEAN(f=lambda numerators: numerators),
        ),
        Misconception(
            "divided_by_n",
            "You divide by the number of points N. Divide the weights of a weighted mean by their "
            "own sum, the sum of K(x, x_m) over m.",
            MEAN(totals=lambda X: len(X)),
        ),
        Misconception(
            "h_not_squared",
            "You divide the squared distance by 2h and not by 2h². Square both: |x - x_m|/h is a "
            "number without units, and so is its square.",
            MEAN(exponents=lambda squares, h: -squares / (2 * h)),
        ),
        Misconception(
            "divided_by_h_alone",
            "You divide the squared distance by h alone. Divide by 2h²: |x - x_m|/h is a number "
            "without units, and so is its square; and the 2 is missing.",
            MEAN(exponents=lambda squares, h: -squares / h),
        ),
        Misconception(
            "multiplied_by_h_squared",
            "Your exponent is multiplied by h², not divided: a larger h makes the mean more "
            "local. In Python a / 2 * b is (a / 2) * b; put the whole denominator in brackets.",
            MEAN(exponents=lambda squares, h: -squares / 2 * h**2),
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 in exp(-|x - x_m|²/(2h²)) is missing. Your mean has the bandwidth h "
            "divided by the square root of 2.",
            MEAN(exponents=lambda squares, h: -squares / h**2),
        ),
        Misconception(
            "h_forgotten",
            "Your result does not depend on the bandwidth h. Put h below the squared distance: "
            "exp(-|x - x_m|²/(2h²)).",
            MEAN(exponents=lambda squares: -squares / 2),
        ),
        Misconception(
            "distance_not_squared",
            "The exponent contains the distance, not its square. exp(-|x - x_m|/...) has a kink "
            "at every data point; the Gaussian kernel has none.",
            MEAN(squares=lambda x, X: np.sqrt(squares(x, X))),
        ),
        Misconception(
            "columns_normalised",
            "You divide by the sum over the positions and not over the data points. Each position "
            "x has its own weights, which must sum to one: sum over m.",
            MEAN(
                numerators=lambda kernels, Y: kernels / kernels.sum(axis=0) @ Y,
                totals=lambda: 1.0,
            ),
        ),
        Misconception(
            "sign_missing",
            "The minus in the exponent is missing: distant points now weigh most.",
            MEAN(exponents=lambda squares, h: squares / (2 * h**2)),
        ),
        Misconception(
            "mean_of_all",
            "Every data point weighs the same: you get the mean of Y, whatever x is. Where does x "
            "enter your weights?",
            MEAN(kernels=lambda squares: np.ones_like(squares)),
        ),
        Misconception(
            "nearest_only",
            "You return the nearest data point. All points count, the near ones more.",
            MEAN(f=lambda squares, Y: Y[squares.argmin(axis=1)]),
        ),
        Misconception(
            "sum_not_reset",
            "The sum of the weights grows from position to "
            "position: set it to 0 for each position, inside the loop over the positions.",
            MEAN(totals=lambda kernels: np.cumsum(kernels.sum(axis=1))[:, None]),
        ),
        Misconception(
            "last_term_only",
            "The numerator of your f(x) holds only the last data point: each "
            "`f[i] =` replaces the previous value. Add to f[i].",
            MEAN(numerators=lambda kernels, Y: kernels[:, -1:] * Y[-1]),
        ),
        Misconception(
            "same_number_skipped",
            "For position i you leave out data point i. Positions and data are numbered independently "
            "here, and nothing is left out: all N points count for each position.",
            MEAN(kernels=_same_number_skipped),
        ),
        Misconception(
            "two_squared_too",
            "You square the 2 as well: (2h)² is 4h². In the exponent only h is squared, 2h². Your "
            "mean has the bandwidth h times the square root of 2.",
            MEAN(exponents=lambda squares, h: -squares / (2 * h) ** 2),
        ),
        Misconception(
            "kernel_of_each_coordinate",
            "You compute a kernel for each coordinate and add them. The squares of the q "
            "differences are added first; their sum goes into one kernel.",
            MEAN(
                squares=lambda x, X: (x[:, None] - X) ** 2,
                kernels=lambda exponents: np.exp(exponents).sum(axis=2),
            ),
        ),
        Misconception(
            "kernel_forgotten",
            "You weigh with the squared distances themselves: the most distant points weigh most. "
            "Put them into exp(-|x - x_m|²/(2h²)) first.",
            MEAN(kernels=lambda squares: squares),
        ),
        Misconception(
            "inverse_distance",
            "You weigh with 1/|x - x_m|, which is infinite at a data point. The weights here are "
            "exp(-|x - x_m|²/(2h²)), at most 1.",
            MEAN(kernels=lambda squares: 1 / np.sqrt(squares)),
        ),
        Misconception("cut_off_at_h", CUT_OFF, MEAN(kernels=cut_off(1))),
        Misconception("cut_off_at_2h", CUT_OFF, MEAN(kernels=cut_off(2))),
        Misconception("cut_off_at_3h", CUT_OFF, MEAN(kernels=cut_off(3))),
        Misconception(
            "first_point_forgotten",
            "The first data point has no weight in your means. Where does your loop over the "
            "points begin? In Python the first row is number 0.",
            MEAN(kernels=only_columns(lambda M: slice(1, None))),
        ),
        Misconception(
            "last_point_forgotten",
            "The last data point has no weight in your means. Where does your loop over the "
            "points end? The rows of X are numbered 0 to N - 1, and range(N) already stops before "
            "N.",
            MEAN(kernels=only_columns(lambda M: slice(-1))),
        ),
        Misconception(
            "as_many_points_as_positions",
            "Your loop over the data points makes as many steps as there are positions. There are "
            "M positions x and N points in X: the inner loop runs to len(X).",
            MEAN(kernels=only_columns(lambda M: slice(M))),
        ),
        Misconception(
            "divided_by_greatest",
            "You divide by the greatest weight. Then no weight exceeds one, but they do not sum "
            "to one: divide by their sum.",
            MEAN(totals=lambda kernels: kernels.max(axis=1, keepdims=True)),
        ),
        Misconception(
            "divided_by_all",
            "You divide by the sum of the weights of all positions together. Each position x has "
            "its own weights, which must sum to one: sum over m only.",
            MEAN(totals=lambda kernels: kernels.sum()),
        ),
        Misconception(
            "divided_at_each_step",
            "You divide inside the loop over the data points, so that each step divides what "
            "earlier steps have divided already. First add up all N points; then divide once.",
            MEAN(numerators=_divided_at_each_step, totals=lambda: 1.0),
        ),
        Misconception(
            "divided_by_the_sum_so_far",
            "You divide each weight by the sum of the weights so far, while that sum still grows. "
            "Add up all N weights first; then divide by their sum.",
            MEAN(numerators=_divided_by_the_sum_so_far, totals=lambda: 1.0),
        ),
        Misconception(
            "points_not_reset",
            "The sum of weight times Y[m] grows from position "
            "to position: set it to 0 for each position, inside the loop over the positions.",
            MEAN(numerators=lambda kernels, Y: np.cumsum(kernels @ Y, axis=0)),
        ),
        Misconception(
            "both_sums_not_reset",
            "Both sums, of weights and of weight times Y[m], "
            "grow from position to position: set them to 0 for each position, inside the loop "
            "over the positions.",
            MEAN(
                numerators=lambda kernels, Y: np.cumsum(kernels @ Y, axis=0),
                totals=lambda kernels: np.cumsum(kernels.sum(axis=1))[:, None],
            ),
        ),
        Misconception(
            "h_twice",
            "You divide by h twice: once you scale the positions or the distances, and then the "
            "exponent again. |x - x_m|²/(2h²) has h² once.",
            MEAN(exponents=lambda squares, h: -squares / (2 * h**4)),
        ),
        Misconception(
            "own_data_point",
            "For position i you add weight times Y[i], so the weights cancel and you get Y[i]. "
            "Weight m belongs to data point m: add weight * Y[m].",
            MEAN(f=lambda x, Y: Y[: len(x)]),
        ),
        Misconception(
            "last_weight_only",
            "You divide by the last weight alone: the divisor is replaced at each step of the "
            "loop. Add up all N weights.",
            MEAN(totals=lambda kernels: kernels[:, -1:]),
        ),
        Misconception(
            "last_data_point",
            "You get the last data point for every position: both sums are replaced at each step "
            "of the loop. Add to them.",
            MEAN(f=lambda x, Y: np.repeat(Y[-1:], len(x), axis=0)),
        ),
        Misconception(
            "sums_without_axis",
            SUMS_WITHOUT_AXIS,
            MEAN(totals=lambda kernels: kernels.sum(axis=1)),
        ),
        Misconception(
            "row_times_table",
            "You multiply a row of weights, of shape (N,), with Y, of shape (N, d): NumPy lays the "
            "weights along the columns of Y. Weight m belongs to row m: make the weights a column "
            "with [:, None], or use the product of matrices, weights @ Y.",
            MEAN(numerators=_row_times_table),
        ),
        Misconception(
            "shares_without_axis",
            SUMS_WITHOUT_AXIS,
            MEAN(
                numerators=lambda kernels, Y: kernels / kernels.sum(axis=1) @ Y,
                totals=lambda: 1.0,
            ),
        ),
        *distance_mistakes(MEAN),
    ),
    hints=(
        "Take one position x, and two data points with weights 3 and 1: what is their weighted "
        "mean, and what do you divide by? Now, with N points, which numbers take the place of 3 "
        "and 1, and which of them is near 1, which near 0?",
        "The weight of point m is exp(-t / (2 * h**2)) with t = sum((x - X[m])**2), divided by the sum "
        "of the weights over all m.",
        "Two loops are enough: for i in range(len(x)) and for m in range(len(X)). In the inner "
        "loop add weight * Y[m] to a sum of points and weight to a sum of weights; then divide "
        "the first by the second.",
    ),
)
