"""R_cv: every point rebuilt without itself, by zeros on the diagonal."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.mistakes import (
    distance_mistakes,
    error_mistakes,
    kernel_mistakes,
    weight_mistakes,
    without_diagonal,
)
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.steps import (
    exponents,
    kernels,
    lengths,
    rebuilt,
    residuals,
    squares,
)
from ukrlearn.checks.trials import SIZES, data, within_reach
from ukrlearn.ukr import reconstruction


def reference(X, Y):
    return float(reconstruction.reconstruction_error(X, Y)[0])


def trials(seed):
    random = np.random.default_rng(seed)
    X, Y = np.array([[0.0], [1.0], [3.0]]), np.array([[1.0, 0.0], [2.0, 4.0], [0.0, 5.0]])
    made = [Trial("three points", dict(X=X, Y=Y))]
    X, Y = np.array([[0.0], [1.0], [1.0], [-2.0]]), np.array([[2, 0], [2, 0], [-1, 3], [-3, -3.0]])
    made.append(Trial("four points, with ties, centred", dict(X=X, Y=Y)))
    X = np.array([[-1.0, 0.0], [0.0, 2.0], [1.0, -2.0], [0.0, 0.0]])
    Y = np.array([[1.0, -2.0], [0.0, 0.0], [3.0, 1.0], [-4.0, 1.0]])
    made.append(Trial("four points of a plane, centred", dict(X=X, Y=Y)))
    for N, d, q in SIZES:
        X, Y = data(random, N, d, q)
        X = within_reach(X)
        made.append(Trial(f"N = {N}, d = {d}, q = {q}", dict(X=X, Y=Y)))
    twins = X.copy()
    twins[4], twins[7] = twins[2], twins[9]
    made.append(Trial("two points at the same place, twice", dict(X=twins, Y=Y)))
    same = Y.copy()
    same[4], same[7] = same[2], same[9]
    made.append(Trial("two data points are equal, twice", dict(X=X, Y=same)))
    alone = X.copy()
    alone[3] = X[X[:, 0].argmax()] + [3.5, 0, 0]
    made.append(Trial("one point far from the others", dict(X=alone, Y=Y)))
    made.append(Trial("latent points close together", dict(X=1e-3 * X, Y=Y)))
    made.append(Trial("data a million times larger", dict(X=X, Y=1e6 * Y)))
    made.append(Trial("data far from the origin", dict(X=X, Y=Y + 300)))
    X, Y = random.normal(size=(9, 2)), random.normal(size=(9, 3))
    X, Y = within_reach(X - X.mean(axis=0)), Y - Y.mean(axis=0)
    X[2], X[5], Y[3], Y[7] = 0, X[4], 0, Y[6]
    made.append(Trial("centred, with zeros and ties", dict(X=X, Y=Y)))
    return made


def others(kernels):
    """the kernel values K_nm with K_nn = 0"""
    return kernels - np.diag(np.diag(kernels))


def sums(others):
    """the sums of the rows of K without K_nn"""
    return np.sum(others, axis=1, keepdims=True)


def B(others, sums):
    """the weights B of the others"""
    return others / sums


def error(lengths):
    """the mean R_cv of the squared lengths"""
    return np.mean(lengths)


CROSS_VALIDATED = pipeline(
    "X Y", squares, exponents, kernels, others, sums, B, rebuilt, residuals, lengths, error
)


def _all(kernels):
    return kernels


def _plain(Y, kernels):
    return kernels @ Y / kernels.sum(axis=1, keepdims=True)


def _plain_error(X, Y):
    K = kernels(exponents(squares(X)))
    return np.sum((Y - _plain(Y, K)) ** 2) / len(Y)


def _zero_where(kernels, out):
    return np.where(out, 0, kernels)


def _another_left_out(step):
    """Kernel values without those of the row before, or after, each point."""

    def others(kernels):
        return kernels * (1 - np.roll(np.eye(len(kernels)), step, axis=1))

    return others


def _same_half(half):
    """Kernel values with zeros for all points of the same half."""

    def others(kernels):
        of = half(np.arange(len(kernels)), len(kernels))
        return _zero_where(kernels, of[:, None] == of)

    return others


def _residuals_of_some(others, Y, rebuilt):
    """A point that nobody rebuilds counts 0."""
    return np.where(others.any(axis=1, keepdims=True), Y - rebuilt, 0)


def _of_the_rest(kernels, Y):
    """The mean of the plain errors of the data without one of the points."""
    errors = []
    for n in range(len(Y)):
        K, some = np.delete(np.delete(kernels, n, 0), n, 1), np.delete(Y, n, 0)
        errors.append(np.sum((some - _plain(some, K)) ** 2) / len(some))
    return np.mean(errors)


def _squares_from_the_rest(X):
    """np.delete without an axis, which makes a row of numbers of the points."""
    return np.array([np.sum((X[n] - np.delete(X, n)) ** 2, axis=1) for n in range(len(X))])


def _generalised(lengths, B):
    return np.mean(lengths) / (1 - np.trace(B) / len(B)) ** 2


def _by_own_weight(power):
    def divided(residuals, B):
        return np.sum(residuals**2, axis=1) / (1 - B.diagonal()) ** power

    return divided


def _corrected(lengths):
    return np.mean(lengths) * (len(lengths) / (len(lengths) - 1)) ** 2


TWO_HALVES = (
    "You divide the points into two halves, and rebuild each point by the other half. R_cv leaves "
    "out one point at a time: point i is rebuilt by all N - 1 others."
)


EXERCISE = Exercise(
    name="leave_one_out",
    title="The leave-one-out error",
    lesson="04_leave_one_out",
    equations="[UKR] (10)",
    minutes=15,
    shapes={"X": "N q", "Y": "N d"},
    returns={"error": ""},
    trials=trials,
    reference=reference,
    stages=CROSS_VALIDATED,
    properties=(
        Property(
            "below_plain",
            "The error exceeds the one with every point in its own reconstruction: (10) > (8).",
            "Leaving points out can't lower the error: a point that helps to rebuild itself only "
            "pulls its reconstruction nearer. Yours is below the plain error R of (8).",
            lambda error, X, Y: error >= _plain_error(X, Y) * (1 - 1e-6),
            suspects=(
                ("B", "Do the weights of a row, without the point's own, sum to one?"),
                ("lengths", "Do you add the squares of all d differences?"),
                ("error", "Do you add up all N points?"),
            ),
        ),
        Property(
            "above_widest",
            "The error is at most the largest squared distance between two data points.",
            "A point is rebuilt by a weighted mean of the others, so no squared residual, and no mean "
            "of them, can exceed the largest squared distance between two data points. Yours does.",
            lambda error, X, Y: error <= np.sum((Y[:, None] - Y) ** 2, axis=2).max() * (1 + 1e-6),
            suspects=(
                ("B", "Do the weights of each row sum to one?"),
                ("error", "Do you take the mean over the N points?"),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "nothing_left_out",
            "This is the plain error R of (8): every point still helps to rebuild itself. A zero "
            "on the diagonal of the squared distances changes nothing, as they are already zero "
            "there; K(x_n - x_n) = K(0) = 1 must become 0.",
            CROSS_VALIDATED(others=_all),
        ),
        Misconception(
            "zeroed_too_late",
            "You take the point out of the numerator, but its weight is still in the sum that you "
            "divide by: the remaining weights sum to less than one. Take it out of K first; then "
            "sum and divide the rows.",
            CROSS_VALIDATED(others=_all, B=lambda others, sums: without_diagonal(others / sums)),
        ),
        Misconception(
            "left_out_below_only",
            "You leave the point out of the denominator and keep its term in the numerator. In "
            "f_{-i} the term j = i is missing in both.",
            CROSS_VALIDATED(B=lambda kernels, sums: kernels / sums),
        ),
        Misconception(
            "left_out_by_place",
            "You leave out every point with the same coordinates (or the kernel value 1), not "
            "only the point itself. Two points may share a place, and each may then rebuild the "
            "other: compare indices, not positions.",
            CROSS_VALIDATED(
                others=lambda kernels, X: _zero_where(kernels, np.all(X[:, None] == X, axis=2))
            ),
        ),
        Misconception(
            "left_out_by_data",
            "You leave out every point with the same data, not only the point itself. Two rows of "
            "Y may be equal, and each may then rebuild the other: compare indices.",
            CROSS_VALIDATED(
                others=lambda kernels, Y: _zero_where(kernels, np.all(Y[:, None] == Y, axis=2))
            ),
        ),
        Misconception(
            "itself_only",
            "Your error is always 0. Either you never add anything to it, or each point is "
            "rebuilt by itself alone: do you keep the diagonal of K in place of the rest?",
            CROSS_VALIDATED(error=lambda: 0.0),
        ),
        Misconception(
            "one_subtracted_everywhere",
            "You subtract 1 from every entry of K. The diagonal is then 0, but the nearest of the "
            "others weigh least. Remove the 1 from the diagonal only.",
            CROSS_VALIDATED(others=lambda kernels: kernels - 1),
        ),
        Misconception(
            "plain_corrected",
            "You scale the plain error by a factor of N. The weight of a point in its own "
            "reconstruction depends on its neighbours; it is 1/N only where all points lie in one "
            "place. Rebuild each point by the others.",
            CROSS_VALIDATED(others=_all, error=_corrected),
        ),
        Misconception(
            "earlier_points_only",
            "Each point is rebuilt by those before it only, and the first by none. All others "
            "count, later ones too: leave out only j = i.",
            CROSS_VALIDATED(
                others=lambda kernels: np.tril(kernels, -1), residuals=_residuals_of_some
            ),
        ),
        Misconception(
            "later_points_only",
            "Each point is rebuilt by those after it only, and the last by none. If you delete "
            "points: start from all N each time, so that the earlier ones return.",
            CROSS_VALIDATED(
                others=lambda kernels: np.triu(kernels, 1), residuals=_residuals_of_some
            ),
        ),
        Misconception(
            "divided_by_number",
            "You divide the kernel values by N - 1, the number of the others. Divide the weights "
            "of a weighted mean by their own sum.",
            CROSS_VALIDATED(sums=lambda X: len(X) - 1),
        ),
        Misconception(
            "all_weigh_the_same",
            "Every other point weighs the same: your error does not depend on X at all. With K, "
            "near points weigh more.",
            CROSS_VALIDATED(exponents=lambda squares: np.zeros_like(squares)),
        ),
        Misconception(
            "plain_over_n_minus_1",
            "This is the plain error with N - 1 in the place of N: every point still helps to "
            "rebuild itself. Leave each point out of its own weights, and take the mean over all "
            "N points.",
            CROSS_VALIDATED(
                others=_all, error=lambda lengths: np.sum(lengths) / (len(lengths) - 1)
            ),
        ),
        Misconception(
            "nearest_of_the_others",
            "You rebuild each point by the nearest of the others. All others count, the near ones "
            "more.",
            CROSS_VALIDATED(rebuilt=lambda others, Y: Y[others.argmax(axis=1)]),
        ),
        Misconception(
            "deleted_from_one_only",
            "You delete point i from one of X and Y and not from the other, so N - 1 rows meet N. "
            "Delete the same row from both.",
            CROSS_VALIDATED(rebuilt=lambda others, Y: np.delete(others[0], 0) @ Y),
        ),
        Misconception(
            "generalised",
            "You divide the plain residuals by one minus the mean of the diagonal of B: that is "
            "generalised cross-validation. It gives all points the same correction; R_cv "
            "leaves out each point itself, and that costs an isolated one more.",
            CROSS_VALIDATED(others=_all, error=_generalised),
        ),
        Misconception(
            "own_weight_not_squared",
            "You divide the plain squared residual by 1 - B_nn. The shortcut is right for the "
            "residual; its square is divided by (1 - B_nn)².",
            CROSS_VALIDATED(others=_all, lengths=_by_own_weight(1)),
        ),
        Misconception(
            "point_before_left_out",
            "You leave out the point before point i, not point i itself: do you count from 1 "
            "somewhere, and write i - 1? The rows are numbered from 0.",
            CROSS_VALIDATED(others=_another_left_out(-1)),
        ),
        Misconception(
            "point_after_left_out",
            "You leave out the point after point i, not point i itself. Which index do you delete, "
            "and which point do you rebuild?",
            CROSS_VALIDATED(others=_another_left_out(1)),
        ),
        Misconception(
            "two_halves_in_turn",
            TWO_HALVES,
            CROSS_VALIDATED(others=_same_half(lambda n, N: n % 2)),
        ),
        Misconception(
            "two_halves",
            TWO_HALVES,
            CROSS_VALIDATED(others=_same_half(lambda n, N: n < N // 2)),
        ),
        Misconception(
            "error_of_the_rest",
            "You delete point i and measure the error of those that remain. R_cv measures the "
            "error of the point that was left out, y_i against f_{-i}(x_i).",
            CROSS_VALIDATED(error=_of_the_rest),
        ),
        Misconception(
            "compared_with_plain",
            "You compare the reconstruction without the point with that with it. R_cv compares it "
            "with the data: y_i against f_{-i}(x_i).",
            CROSS_VALIDATED(residuals=lambda kernels, Y, rebuilt: _plain(Y, kernels) - rebuilt),
        ),
        Misconception(
            "delete_flattens",
            "Without an axis np.delete(X, n) makes one row of numbers of the points and takes out "
            "the number n. Take out a row: np.delete(X, n, axis=0).",
            CROSS_VALIDATED(squares=_squares_from_the_rest),
        ),
        *error_mistakes(CROSS_VALIDATED),
        *weight_mistakes(
            CROSS_VALIDATED,
            "identity_added",
            "diagonal_removed_late",
            "itself_not_in_the_sum",
            "half_of_the_pairs",
            "other_half_of_the_pairs",
            table="others",
        ),
        *kernel_mistakes(CROSS_VALIDATED),
        *distance_mistakes(CROSS_VALIDATED),
    ),
    hints=(
        "You need not fit N models. Compare f(x_n) with f_{-n}(x_n): which single term of the two "
        "sums, above and below, must go? Which entries of the N x N matrix K are these, for all "
        "n, and would a zero there do?",
        "K_nm = exp(-|x_n - x_m|²/2), but K_nn = 0. B = K with each row divided by its sum. Row n of "
        "B Y is point n rebuilt by the others. The error is 1/N times the sum of all squared entries "
        "of B Y - Y.",
        "Squared distances of all pairs: np.sum((X[:, None] - X) ** 2, axis=2). Then np.exp, then "
        "np.fill_diagonal(K, 0) on its own line, since it changes K and returns nothing. Then row "
        "sums with keepdims=True, and finally a sum divided by len(Y).",
    ),
)
