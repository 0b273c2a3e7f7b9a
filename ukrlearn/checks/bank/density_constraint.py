"""How far each latent point is inside the domain of the density constraint."""

import numpy as np

from ukrlearn.blocks import kernel_regression
from ukrlearn.blocks.density_kernels import DensityKernel
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.mistakes import distance_mistakes
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.steps import squares
from ukrlearn.checks.trials import SIZES, data


def reference(X, eta, kernel):
    record = DensityKernel(kernel.__name__, kernel, slope=None)
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


def kernels(squares, kernel):
    """the kernel values of all pairs"""
    return kernel(squares)


def totals(kernels):
    """the sums of the kernel values over j"""
    return np.sum(kernels, axis=1)


def p(totals, X):
    """the densities p(x_i)"""
    return totals / len(X)


def threshold(eta, kernel):
    """the threshold η K(0)"""
    return eta * kernel(0.0)


def slack(p, threshold):
    """the differences p(x_i) - η K(0)"""
    return p - threshold


SLACK = pipeline("X eta kernel", squares, kernels, totals, p, threshold, slack)


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


def _some_columns(which):
    def some(squares, kernel):
        K = np.zeros_like(squares)
        K[:, which] = kernel(squares[:, which])
        return K

    return some


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


EXERCISE = Exercise(
    name="density_constraint",
    title="The density constraint, for every point",
    lesson="05_density_constraint",
    equations="[UKR] (3), (7), (9)",
    minutes=15,
    shapes={"X": "N q", "eta": "", "kernel": ""},
    returns={"slack": "N"},
    trials=trials,
    reference=reference,
    stages=SLACK,
    properties=(
        Property(
            "threshold_off",
            "No slack is below K(0)/N - η K(0), where a point sees only itself, and none above "
            "K(0) - η K(0), where all points are in one place.",
            "Your slack is off by the same amount at every point, so the differences between the "
            "densities are right. What you subtract is not η K(0).",
            _threshold_right,
            suspects=(
                ("threshold", "Is it η times kernel(0), the value at the squared distance 0?"),
            ),
        ),
        Property(
            "out_of_bounds",
            "No slack is below K(0)/N - η K(0), where a point sees only itself, and none above "
            "K(0) - η K(0), where all points are in one place.",
            "Every point sees at least itself, so its density is at least K(0)/N; and it is at "
            "most K(0), if all are in one place. Subtract η K(0) for the bounds of the slack; "
            "yours breaks them.",
            _bounded,
            suspects=(("p", "Does p(x_i) alone lie between K(0)/N and K(0)? Print it."),),
        ),
    ),
    misconceptions=(
        Misconception(
            "mean_over_points",
            "You return one number, the mean over all points. A crowd with a high density then "
            "hides the one point that is far outside. (9) holds for each point, so return N "
            "numbers.",
            SLACK(slack=lambda p, threshold: np.mean(p - threshold)),
        ),
        Misconception(
            "mean_given_to_all",
            "All your numbers are equal, to the mean over all points. A crowd with a high density then "
            "hides the one point that is far outside. Each point has its own density: over "
            "which axis do you average?",
            SLACK(totals=lambda kernels: np.full(len(kernels), kernels.sum() / len(kernels))),
        ),
        Misconception(
            "least_only",
            "You return only the least slack. It decides whether X obeys the constraint, but not "
            "which points have to move. Return all N.",
            SLACK(slack=lambda p, threshold: np.min(p - threshold)),
        ),
        Misconception(
            "kernel_at_zero_forgotten",
            "You subtract η, not η K(0). The threshold is a share of the greatest possible "
            "density, K(0). It is 1 for exp(-t/2), but not for every kernel.",
            SLACK(threshold=lambda eta: eta),
        ),
        Misconception(
            "relative_density",
            "You divide p by K(0) first. That changes no sign, and so no verdict on X; but the "
            "slack of (7) is in the units of p itself: p(x_i) - η K(0).",
            SLACK(slack=lambda p, threshold, kernel: (p - threshold) / kernel(0.0)),
        ),
        Misconception(
            "share_of_the_room",
            "You divide by (1 - η) K(0), as for a barrier that is 1 at best. The slack of (7) is "
            "only the difference p(x_i) - η K(0).",
            SLACK(
                slack=lambda p, threshold, eta, kernel: (p - threshold) / (kernel(0.0) * (1 - eta))
            ),
        ),
        Misconception(
            "itself_left_out",
            "You leave each point out of its own density. In (3) and (7) it counts: an isolated "
            "point has the density K(0)/N, not 0. Leaving points out is another cure, for the "
            "error.",
            SLACK(totals=_without_itself),
        ),
        Misconception(
            "itself_left_out_of_n",
            "You leave each point out of its own density, and average over the N - 1 others. In "
            "(3) and (7) all N count: an isolated point has the density K(0)/N, not 0.",
            SLACK(totals=_without_itself, p=lambda totals, X: totals / (len(X) - 1)),
        ),
        Misconception(
            "threshold_not_subtracted",
            "These are the densities p(x_i) themselves. The slack is how far they exceed the "
            "threshold: subtract η K(0).",
            SLACK(threshold=lambda: 0.0),
        ),
        Misconception(
            "mean_forgotten",
            "You return a number for each pair of points. The density of point i is the mean of row i "
            "of the kernel values; subtract the threshold from that.",
            SLACK(totals=lambda kernels: kernels, p=lambda totals: totals),
        ),
        Misconception(
            "exponential_before_kernel",
            "You put exp(-t/2) into the kernel, and so apply two kernels in succession. The "
            "argument `kernel` is the whole K(t): give it the squared distances.",
            SLACK(kernels=lambda squares, kernel: kernel(gaussian(squares))),
        ),
        Misconception(
            "sum_not_mean",
            "You sum the kernel values and do not divide by N. The density (3) is their mean; a sum "
            "grows with the number of points, η K(0) does not.",
            SLACK(p=lambda totals: totals),
        ),
        Misconception(
            "threshold_times_n",
            "You multiply the threshold by N. That would belong to sums of kernel values; p(x_i) is "
            "their mean, so subtract η K(0).",
            SLACK(threshold=lambda X, eta, kernel: eta * kernel(0.0) * len(X)),
        ),
        Misconception(
            "threshold_divided_too",
            "You divide the threshold by N as well. Only the kernel values are averaged: subtract "
            "η K(0) after the division by N, not before.",
            SLACK(threshold=lambda X, eta, kernel: eta * kernel(0.0) / len(X)),
        ),
        Misconception(
            "mean_before_kernel",
            "You average the squared distances and put one number into the kernel. The order matters: "
            "first N kernel values, then their mean.",
            SLACK(kernels=_of_mean_distance),
        ),
        Misconception(
            "kernel_of_each_coordinate",
            "You compute a kernel for each coordinate and average over coordinates too, which is "
            "right only for q = 1. The squares of the q differences are added first; their sum "
            "goes into one kernel.",
            _of_each_coordinate(totals=lambda kernels: kernels.sum(axis=1).mean(axis=1)),
        ),
        Misconception(
            "half_of_the_pairs",
            "Point i sees only itself and the points after it: your second loop begins at i, or "
            "half of the matrix is empty. In its density all N points count.",
            SLACK(kernels=lambda squares, kernel: np.triu(kernel(squares))),
        ),
        Misconception(
            "rows_normalised",
            "You divide each row of kernel values by its sum, as for weights. The mean of a row "
            "is then always 1/N. For a density, take the mean of the kernel values themselves.",
            SLACK(totals=lambda kernels: np.ones(len(kernels))),
        ),
        Misconception(
            "share_of_greatest",
            "You compare with the greatest density among the points. (7) compares with K(0), "
            "which does not depend on X: otherwise all points could move apart together and still "
            "be allowed.",
            SLACK(threshold=lambda eta, p: eta * p.max()),
        ),
        Misconception(
            "density_at_zero",
            "You compare with the density at the position x = 0. K(0) is the kernel's value for "
            "the distance 0, kernel(0): it does not depend on the points.",
            SLACK(threshold=lambda X, eta, kernel: eta * kernel(np.sum(X**2, axis=1)).mean()),
        ),
        Misconception(
            "verdict_only",
            "You return whether each point obeys. The slack is a number: the surplus, or, if "
            "negative, the deficit. Leave out the comparison and return the difference.",
            SLACK(slack=lambda p, threshold: p >= threshold),
        ),
        Misconception(
            "clipped_at_zero",
            "You cut the slack off at 0. Negative numbers say how far outside a point is; a way "
            "back needs them.",
            SLACK(slack=lambda p, threshold: np.maximum(p - threshold, 0)),
        ),
        Misconception(
            "violations_only",
            "You return the deficit where the constraint is broken, and 0 elsewhere. The slack is "
            "p(x_i) - η K(0) for every point, positive inside.",
            SLACK(slack=lambda p, threshold: np.maximum(threshold - p, 0)),
        ),
        Misconception(
            "distance_not_squared",
            "You put the distance into the kernel. Kernels of this course are functions of the squared "
            "distance t = |x_i - x_j|².",
            SLACK(squares=lambda X: np.sqrt(squares(X))),
        ),
        Misconception(
            "half_put_in",
            "You halve the squared distance first. The 1/2 of exp(-t/2) is part of the kernel: "
            "give it t itself.",
            SLACK(kernels=lambda squares, kernel: kernel(squares / 2)),
        ),
        Misconception(
            "kernel_ignored",
            "You always use exp(-t/2), whatever kernel is given. Call the argument: kernel(t) for the "
            "density, kernel(0) for its greatest value.",
            SLACK(kernels=lambda squares: gaussian(squares), threshold=lambda eta: eta),
        ),
        Misconception(
            "sign_turned",
            "You subtract the density from the threshold. The slack is the surplus, positive "
            "inside the domain: the density minus the threshold.",
            SLACK(slack=lambda p, threshold: threshold - p),
        ),
        Misconception(
            "surplus_cut_off",
            "You set the slack to 0 where the constraint is obeyed. The surplus counts, too: it "
            "says how far inside a point is.",
            SLACK(slack=lambda p, threshold: np.minimum(p - threshold, 0)),
        ),
        Misconception(
            "quotient",
            "You divide the density by the threshold. The slack is a difference: p(x_i) - η K(0).",
            SLACK(slack=lambda p, threshold: p / threshold),
        ),
        Misconception(
            "quotient_minus_one",
            "You divide by the threshold: the surplus as a share of it. The slack is the "
            "difference itself, p(x_i) - η K(0).",
            SLACK(slack=lambda p, threshold: p / threshold - 1),
        ),
        Misconception(
            "kernel_of_eta",
            "You subtract K(η), the kernel's value at the squared distance η. The threshold is a "
            "share of the greatest value: η times K(0).",
            SLACK(threshold=lambda eta, kernel: kernel(eta)),
        ),
        Misconception(
            "density_at_mean_point",
            "You compare with the density at the mean of the points. K(0) is the kernel's value "
            "for the distance 0, kernel(0): it does not depend on the points.",
            SLACK(
                threshold=lambda X, eta, kernel: (
                    eta * kernel(np.sum((X - X.mean(axis=0)) ** 2, axis=1)).mean()
                )
            ),
        ),
        Misconception(
            "mean_density_for_the_greatest",
            "You compare with the mean density of the points. (7) compares with K(0), which does "
            "not depend on X.",
            SLACK(threshold=lambda eta, p: eta * p.mean()),
        ),
        Misconception(
            "kernel_of_mean_point",
            "You measure the distance of each point to the mean of the points. A density is a "
            "mean of N kernel values, one for each point: take the distances to all of them.",
            SLACK(squares=_to_mean_point),
        ),
        Misconception(
            "divided_by_n_minus_1",
            "You divide by N - 1. Nothing is left out here: p(x_i) is the mean of all N kernel "
            "values, the point's own included.",
            SLACK(p=lambda totals, X: totals / (len(X) - 1)),
        ),
        Misconception(
            "other_half_of_the_pairs",
            "Point i sees only itself and the points before it: your second loop ends at i, or "
            "half of the matrix is empty. In its density all N points count.",
            SLACK(kernels=lambda squares, kernel: np.tril(kernel(squares))),
        ),
        Misconception(
            "first_point_forgotten",
            "The first point is in no density. Where does your loop over j begin? In Python the "
            "first row is number 0.",
            SLACK(kernels=_some_columns(slice(1, None))),
        ),
        Misconception(
            "last_point_forgotten",
            "The last point is in no density. Where does your loop over j end? range(N) already "
            "stops before N.",
            SLACK(kernels=_some_columns(slice(-1))),
        ),
        Misconception(
            "sum_not_reset",
            "The sum of the kernel values grows from point to "
            "point: set it to 0 for each point, inside the loop over i.",
            SLACK(totals=lambda kernels: np.cumsum(kernels.sum(axis=1))),
        ),
        Misconception(
            "kernels_multiplied",
            "You compute a kernel for each coordinate and multiply them. That is K(t) only for "
            "exp(-t/2), and `kernel` may be another one: add the squares of the q differences, "
            "and give their sum to the kernel.",
            _of_each_coordinate(kernels=lambda squares, kernel: np.prod(kernel(squares), axis=2)),
        ),
        Misconception(
            "kernels_of_coordinates_added",
            "You compute a kernel for each coordinate and add them. The squares of the q "
            "differences are added first; their sum goes into one kernel.",
            _of_each_coordinate(totals=lambda kernels: kernels.sum(axis=(1, 2))),
        ),
        Misconception(
            "product_of_densities",
            "You compute a density for each coordinate and multiply them, as if the coordinates "
            "were independent. The squares of the q differences are added first; their sum goes "
            "into one kernel.",
            _of_each_coordinate(p=lambda totals, X: np.prod(totals / len(X), axis=1)),
        ),
        Misconception(
            "exponent_put_in",
            "You give the kernel -t/2. The minus and the 1/2 of exp(-t/2) are part of the kernel: "
            "give it t itself.",
            SLACK(kernels=lambda squares, kernel: kernel(-squares / 2)),
        ),
        Misconception(
            "kernel_ignored_in_the_density",
            "Your density always uses exp(-t/2), whatever kernel is given. Call the argument: "
            "kernel(t).",
            SLACK(kernels=lambda squares: gaussian(squares)),
        ),
        Misconception(
            "kernel_forgotten",
            "You take the mean of the squared distances, with no kernel: it is large where no "
            "points are. Call kernel(t) first.",
            SLACK(kernels=lambda squares: squares),
        ),
        Misconception(
            "share_of_the_density",
            "You multiply the density by η, and not K(0). The threshold is a share of the "
            "greatest possible density: p(x_i) - η K(0).",
            SLACK(slack=lambda p, eta, kernel: eta * p - kernel(0.0)),
        ),
        *distance_mistakes(SLACK),
    ),
    hints=(
        "Take a point with no other point anywhere near: what is its density, if it sees only "
        "itself? And what is the density of a point where all N lie in one place? Where between "
        "these two does the threshold lie?",
        "p(x_i) is the mean over j of K(|x_i - x_j|²), the point itself included. The threshold is η "
        "times K(0). Slack: p(x_i) minus threshold, one for each i, whatever its sign.",
        "Squared distances of all pairs, shape (N, N); their kernel(...); the mean over axis=1; "
        "minus eta * kernel(0). Take no mean, minimum or comparison after that.",
    ),
)
