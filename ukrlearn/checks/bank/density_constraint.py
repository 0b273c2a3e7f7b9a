"""How far each latent point is inside the domain of the density constraint."""

import numpy as np

from ukrlearn.blocks import kernel_regression
from ukrlearn.blocks.density_kernels import DensityKernel
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
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
    for (N, _, q), kernel in zip(SIZES, (gaussian_of_integral_one, quartic, student), strict=True):
        X, _ = data(random, N, 1, q)
        label = f"N = {N}, q = {q}, kernel {kernel.__name__}"
        made.append(Trial(label, dict(X=X, eta=_divides(X, kernel), kernel=kernel)))
    made.append(Trial("a high threshold", dict(X=X, eta=0.9, kernel=student)))
    made.append(Trial("points close together", dict(X=0.01 * X, eta=0.9, kernel=gaussian)))
    alone = np.vstack([0.05 * X, [[40.0, -30.0, 20.0]]])
    made.append(Trial("a single point", dict(X=alone, eta=0.1, kernel=gaussian_of_integral_one)))
    return made


def _divides(X, kernel):
    """A threshold in the middle of the largest gap, which some points obey and others do not."""
    p = np.sort(_density(X, kernel)) / kernel(0.0)
    n = int(np.argmax(np.diff(p)))
    return round(float(p[n] + p[n + 1]) / 2, 4)


def _squares(X):
    return np.sum((X[:, None] - X) ** 2, axis=2)


def _density(X, kernel):
    return kernel(_squares(X)).mean(axis=1)


def _slack(X, eta, kernel):
    return _density(X, kernel) - eta * kernel(0.0)


def _itself_left_out(among):
    def slack(X, eta, kernel):
        K = kernel(_squares(X))
        np.fill_diagonal(K, 0)
        return K.sum(axis=1) / (len(X) + among) - eta * kernel(0.0)

    return slack


def _of_greatest(X, eta, kernel):
    p = _density(X, kernel)
    return p - eta * p.max()


def _as_room(X, eta, kernel):
    return _slack(X, eta, kernel) / (kernel(0.0) * (1 - eta))


def _one_half_of_pairs(X, eta, kernel):
    return np.triu(kernel(_squares(X))).sum(axis=1) / len(X) - eta * kernel(0.0)


def _per_coordinate(X, eta, kernel):
    return kernel((X[:, None] - X) ** 2).mean(axis=(1, 2)) - eta * kernel(0.0)


def _rows_normalised(X, eta, kernel):
    return np.full(len(X), 1 / len(X) - eta * kernel(0.0))


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
    properties=(
        Property(
            "threshold_off",
            "No slack is below K(0)/N - η K(0), where a point sees only itself, and none above "
            "K(0) - η K(0), where all points are in one place.",
            "Your slack is off by the same amount at every point, so the differences between the "
            "densities are right. Look at what you subtract: η times kernel(0), the kernel's "
            "value at the squared distance 0.",
            _threshold_right,
        ),
        Property(
            "out_of_bounds",
            "No slack is below K(0)/N - η K(0), where a point sees only itself, and none above "
            "K(0) - η K(0), where all points are in one place.",
            "Every point sees at least itself, so its density is at least K(0)/N; and it is at "
            "most K(0), if all are in one place. Subtract η K(0) for the bounds of the slack; "
            "yours breaks them. Print p(x_i) alone first: if it lies between K(0)/N and K(0), "
            "look at the threshold.",
            _bounded,
        ),
    ),
    misconceptions=(
        Misconception(
            "mean_over_points",
            "You return one number, the mean over all points. A crowd with a high density then "
            "hides the one point that is far outside. (9) holds for each point, so return N "
            "numbers.",
            lambda X, eta, kernel: np.mean(_slack(X, eta, kernel)),
        ),
        Misconception(
            "mean_given_to_all",
            "All your numbers are equal, to the mean over all points. A crowd with a high density then "
            "hides the one point that is far outside. Each point has its own density: over "
            "which axis do you average?",
            lambda X, eta, kernel: np.full(len(X), np.mean(_slack(X, eta, kernel))),
        ),
        Misconception(
            "least_only",
            "You return only the least slack. It decides whether X obeys the constraint, but not "
            "which points have to move. Return all N.",
            lambda X, eta, kernel: np.min(_slack(X, eta, kernel)),
        ),
        Misconception(
            "kernel_at_zero_forgotten",
            "You subtract η, not η K(0). The threshold is a share of the greatest possible "
            "density, K(0). It is 1 for exp(-t/2), but not for every kernel.",
            lambda X, eta, kernel: _density(X, kernel) - eta,
        ),
        Misconception(
            "relative_density",
            "You divide p by K(0) first. The signs are right, and so is the verdict on X; but the "
            "slack of (7) is in the units of p itself: p(x_i) - η K(0).",
            lambda X, eta, kernel: _slack(X, eta, kernel) / kernel(0.0),
        ),
        Misconception(
            "share_of_the_room",
            "You divide by (1 - η) K(0), as for a barrier that is 1 at best. The slack of (7) is "
            "only the difference p(x_i) - η K(0).",
            _as_room,
        ),
        Misconception(
            "itself_left_out",
            "You leave each point out of its own density. In (3) and (7) it counts: an isolated "
            "point has the density K(0)/N, not 0. Leaving points out is the cure of the next "
            "lesson.",
            _itself_left_out(0),
        ),
        Misconception(
            "itself_left_out_of_n",
            "You leave each point out of its own density, and average over the N - 1 others. In "
            "(3) and (7) all N count: an isolated point has the density K(0)/N, not 0.",
            _itself_left_out(-1),
        ),
        Misconception(
            "threshold_not_subtracted",
            "These are the densities p(x_i) themselves. The slack is how far they exceed the "
            "threshold: subtract η K(0).",
            lambda X, eta, kernel: _density(X, kernel),
        ),
        Misconception(
            "mean_forgotten",
            "You return a number for each pair of points. The density of point i is the mean of row i "
            "of the kernel values; subtract the threshold from that.",
            lambda X, eta, kernel: kernel(_squares(X)) - eta * kernel(0.0),
        ),
        Misconception(
            "exponential_before_kernel",
            "You put exp(-t/2) into the kernel, and so apply two kernels in succession. The "
            "argument `kernel` is the whole K(t): give it the squared distances.",
            lambda X, eta, kernel: kernel(gaussian(_squares(X))).mean(axis=1) - eta * kernel(0.0),
        ),
        Misconception(
            "sum_not_mean",
            "You sum the kernel values and do not divide by N. The density (3) is their mean; a sum "
            "always exceeds η K(0), since each point contributes K(0) to itself.",
            lambda X, eta, kernel: kernel(_squares(X)).sum(axis=1) - eta * kernel(0.0),
        ),
        Misconception(
            "threshold_divided_too",
            "You divide the threshold by N as well. Only the kernel values are averaged: subtract "
            "η K(0) after the division by N, not before.",
            lambda X, eta, kernel: _density(X, kernel) - eta * kernel(0.0) / len(X),
        ),
        Misconception(
            "mean_before_kernel",
            "You average the squared distances and put one number into the kernel. The order matters: "
            "first N kernel values, then their mean.",
            lambda X, eta, kernel: kernel(_squares(X).mean(axis=1)) - eta * kernel(0.0),
        ),
        Misconception(
            "kernel_of_each_coordinate",
            "You compute a kernel for each coordinate and average over coordinates too, which is "
            "right only for q = 1. The squares of the q differences are added first; their sum "
            "goes into one kernel.",
            _per_coordinate,
        ),
        Misconception(
            "half_of_the_pairs",
            "Point i sees only itself and the points after it: your second loop begins at i, or "
            "half of the matrix is empty. In its density all N points count.",
            _one_half_of_pairs,
        ),
        Misconception(
            "rows_normalised",
            "You divide each row of kernel values by its sum, as for weights. The mean of a row "
            "is then always 1/N. For a density, take the mean of the kernel values themselves.",
            _rows_normalised,
        ),
        Misconception(
            "share_of_greatest",
            "You compare with the greatest density among the points. (7) compares with K(0), "
            "which does not depend on X: otherwise all points could move apart together and still "
            "be allowed.",
            _of_greatest,
        ),
        Misconception(
            "density_at_zero",
            "You compare with the density at the position x = 0. K(0) is the kernel's value for "
            "the distance 0, kernel(0): it does not depend on the points.",
            lambda X, eta, kernel: _density(X, kernel) - eta * kernel(np.sum(X**2, axis=1)).mean(),
        ),
        Misconception(
            "verdict_only",
            "You return whether each point obeys. The slack is a number: the surplus, or, if "
            "negative, the deficit. Leave out the comparison and return the difference.",
            lambda X, eta, kernel: _slack(X, eta, kernel) >= 0,
        ),
        Misconception(
            "clipped_at_zero",
            "You cut the slack off at 0. Negative numbers say how far outside a point is; a way "
            "back needs them.",
            lambda X, eta, kernel: np.maximum(_slack(X, eta, kernel), 0),
        ),
        Misconception(
            "violations_only",
            "You return the deficit where the constraint is broken, and 0 elsewhere. The slack is "
            "p(x_i) - η K(0) for every point, positive inside.",
            lambda X, eta, kernel: np.maximum(-_slack(X, eta, kernel), 0),
        ),
        Misconception(
            "distance_not_squared",
            "You put the distance into the kernel. Kernels of this course are functions of the squared "
            "distance t = |x_i - x_j|².",
            lambda X, eta, kernel: kernel(np.sqrt(_squares(X))).mean(axis=1) - eta * kernel(0.0),
        ),
        Misconception(
            "half_put_in",
            "You halve the squared distance first. The 1/2 of exp(-t/2) is part of the kernel: "
            "give it t itself.",
            lambda X, eta, kernel: kernel(_squares(X) / 2).mean(axis=1) - eta * kernel(0.0),
        ),
        Misconception(
            "kernel_ignored",
            "You always use exp(-t/2), whatever kernel is given. Call the argument: kernel(t) for the "
            "density, kernel(0) for its greatest value.",
            lambda X, eta, kernel: _density(X, gaussian) - eta,
        ),
    ),
    hints=(
        "Two numbers for each point: the density at that point, in which all N points count, and the "
        "threshold, the same for all. The slack is their difference.",
        "p(x_i) is the mean over j of K(|x_i - x_j|²), the point itself included. The threshold is η "
        "times K(0). Slack: p(x_i) minus threshold, one for each i, whatever its sign.",
        "Squared distances of all pairs, shape (N, N); their kernel(...); the mean over axis=1; "
        "minus eta * kernel(0). Take no mean, minimum or comparison after that.",
    ),
)
