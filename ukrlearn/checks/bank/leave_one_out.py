"""R_cv: every point rebuilt without itself, by zeros on the diagonal."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.trials import SIZES, data, within_reach
from ukrlearn.ukr import reconstruction


def reference(X, Y):
    return float(reconstruction.reconstruction_error(X, Y)[0])


def trials(seed):
    random = np.random.default_rng(seed)
    X, Y = np.array([[0.0], [1.0], [3.0]]), np.array([[1.0, 0.0], [2.0, 4.0], [0.0, 5.0]])
    made = [Trial("three points", dict(X=X, Y=Y))]
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
    return made


def _kernel(X, power=2, factor=0.5):
    distance = np.sqrt(np.sum((X[:, None] - X) ** 2, axis=2))
    return np.exp(-factor * distance**power)


def _others(X, **options):
    K = _kernel(X, **options)
    np.fill_diagonal(K, 0)
    return K


def _rows(K):
    return K / K.sum(axis=1, keepdims=True)


def _squares(B, Y, rebuilt=slice(None)):
    return np.sum((B @ Y - Y[rebuilt]) ** 2, axis=1)


def _with(kernel):
    """R_cv from another kernel matrix, but otherwise right."""
    return lambda X, Y: _squares(_rows(kernel(X)), Y).mean()


def _zeroed_too_late(X, Y):
    B = _rows(_kernel(X))
    np.fill_diagonal(B, 0)
    return _squares(B, Y).mean()


def _left_out_below_only(X, Y):
    K = _kernel(X)
    return _squares(K / _others(X).sum(axis=1, keepdims=True), Y).mean()


def _left_out_by_place(X):
    K = _kernel(X)
    K[np.all(X[:, None] == X, axis=2)] = 0
    return K


def _left_out_by_data(X, Y):
    K = _kernel(X)
    K[np.all(Y[:, None] == Y, axis=2)] = 0
    return _squares(_rows(K), Y).mean()


def _over_triangle(triangle):
    """R_cv where only earlier, or only later, points rebuild; a point without any counts 0."""

    def error(X, Y):
        K = triangle(_others(X))
        some = K.any(axis=1)
        return _squares(_rows(K[some]), Y, some).sum() / len(Y)

    return error


def _plain_corrected(X, Y):
    N = len(Y)
    return _squares(_rows(_kernel(X)), Y).mean() * (N / (N - 1)) ** 2


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
    properties=(
        Property(
            "below_plain",
            "The error exceeds the one with every point in its own reconstruction: (10) > (8).",
            "Leaving points out can't lower the error: a point that helps to rebuild itself only "
            "pulls its reconstruction nearer. Yours is below the plain error R of (8). Do the "
            "weights of a row, without the point's own, sum to one? Do you add up all N points "
            "and all d coordinates?",
            lambda error, X, Y: error >= _squares(_rows(_kernel(X)), Y).mean() * (1 - 1e-6),
        ),
        Property(
            "above_widest",
            "The error is at most the largest squared distance between two data points.",
            "A point is rebuilt by a weighted mean of the others, so no squared residual, and no mean "
            "of them, can exceed the largest squared distance between two data points. Yours does: "
            "look at the sum of the weights in each row, and at the mean over the N points.",
            lambda error, X, Y: error <= np.sum((Y[:, None] - Y) ** 2, axis=2).max() * (1 + 1e-6),
        ),
    ),
    misconceptions=(
        Misconception(
            "nothing_left_out",
            "This is the plain error R of (8): every point still helps to rebuild itself. A zero "
            "on the diagonal of the squared distances changes nothing, as they are already zero "
            "there; K(x_n - x_n) = K(0) = 1 must become 0.",
            lambda X, Y: _squares(_rows(_kernel(X)), Y).mean(),
        ),
        Misconception(
            "zeroed_too_late",
            "You take the point out of the numerator, but its weight is still in the sum that you "
            "divide by: the remaining weights sum to less than one. Take it out of K first; then "
            "sum and divide the rows.",
            _zeroed_too_late,
        ),
        Misconception(
            "left_out_below_only",
            "You leave the point out of the denominator and keep its term in the numerator. In "
            "f_{-i} the term j = i is missing in both.",
            _left_out_below_only,
        ),
        Misconception(
            "left_out_by_place",
            "You leave out every point with the same coordinates (or the kernel value 1), not "
            "only the point itself. Two points may share a place, and each may then rebuild the "
            "other: compare indices, not positions.",
            _with(_left_out_by_place),
        ),
        Misconception(
            "left_out_by_data",
            "You leave out every point with the same data, not only the point itself. Two rows of "
            "Y may be equal, and each may then rebuild the other: compare indices.",
            _left_out_by_data,
        ),
        Misconception(
            "itself_only",
            "Your error is always 0. Either you never add anything to it, or each point is "
            "rebuilt by itself alone: do you keep the diagonal of K in place of the rest?",
            lambda X, Y: 0.0,
        ),
        Misconception(
            "one_subtracted_everywhere",
            "You subtract 1 from every entry of K. The diagonal is then 0, but the nearest of the "
            "others weigh least. Remove the 1 from the diagonal only.",
            lambda X, Y: _squares(_rows(_kernel(X) - 1), Y).mean(),
        ),
        Misconception(
            "plain_corrected",
            "You scale the plain error by a factor of N. The weight of a point in its own "
            "reconstruction depends on its neighbours; it is 1/N only where all points lie in one "
            "place. Rebuild each point by the others.",
            _plain_corrected,
        ),
        Misconception(
            "earlier_points_only",
            "Each point is rebuilt by those before it only, and the first by none. All others "
            "count, later ones too: leave out only j = i.",
            _over_triangle(np.tril),
        ),
        Misconception(
            "later_points_only",
            "Each point is rebuilt by those after it only, and the last by none. If you delete "
            "points: start from all N each time, so that the earlier ones return.",
            _over_triangle(np.triu),
        ),
        Misconception(
            "last_point_only",
            "Only the last point's error is in your result: the loop overwrites the others. Add "
            "up all N of them.",
            lambda X, Y: _squares(_rows(_others(X)), Y)[-1] / len(Y),
        ),
        Misconception(
            "columns_normalised",
            "You divide by the sums of the columns. Point n is rebuilt with row n of the weights, "
            "so each row must sum to one. K.sum(axis=1) alone divides along the wrong axis: "
            "keepdims=True keeps it a column.",
            lambda X, Y: _squares(_others(X) / _others(X).sum(axis=0), Y).mean(),
        ),
        Misconception(
            "not_normalised",
            "The weights are not divided by their sum, so f is not a mean: it grows with the "
            "number of nearby points.",
            lambda X, Y: _squares(_others(X), Y).mean(),
        ),
        Misconception(
            "divided_by_number",
            "You divide the kernel values by N - 1, the number of the others. Divide the weights "
            "of a weighted mean by their own sum.",
            lambda X, Y: _squares(_others(X) / (len(X) - 1), Y).mean(),
        ),
        Misconception(
            "all_weigh_the_same",
            "Every other point weighs the same: your error does not depend on X at all. With K, "
            "near points weigh more.",
            _with(lambda X: 1.0 - np.eye(len(X))),
        ),
        Misconception(
            "mean_over_all",
            "You take the mean over all N d numbers. (10) has the squared length of each difference, "
            "a sum over the d columns, and the mean over the N points only: divide by len(Y).",
            lambda X, Y: _with(_others)(X, Y) / Y.shape[1],
        ),
        Misconception(
            "mean_forgotten",
            "You return the sum over the points; 1/N is missing. Without it, no two data sets of "
            "different size can be compared.",
            lambda X, Y: _with(_others)(X, Y) * len(Y),
        ),
        Misconception(
            "others_counted",
            "You divide by N - 1. Leaving a point out changes which points rebuild it, not how "
            "many are rebuilt: take the mean over all N.",
            lambda X, Y: _with(_others)(X, Y) * len(Y) / (len(Y) - 1),
        ),
        Misconception(
            "length_not_squared",
            "You take the mean of the lengths |y - f|, not of their squares.",
            lambda X, Y: np.sqrt(_squares(_rows(_others(X)), Y)).mean(),
        ),
        Misconception(
            "rooted",
            "You take the square root of the mean. (10) has none: R_cv is in squared units of the data.",
            lambda X, Y: np.sqrt(_with(_others)(X, Y)),
        ),
        Misconception(
            "absolute",
            "You add up the absolute differences of the coordinates in place of their squares.",
            lambda X, Y: np.abs(_rows(_others(X)) @ Y - Y).sum(axis=1).mean(),
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 in the kernel exp(-|x - x'|²/2) is missing.",
            _with(lambda X: _others(X, factor=1.0)),
        ),
        Misconception(
            "distance_not_squared",
            "The kernel gets the distance, not its square: it must be exp(-|x - x'|²/2). Remove "
            "the square root.",
            _with(lambda X: _others(X, power=1)),
        ),
        Misconception(
            "first_coordinate_only",
            "Your squared distances use only the first latent coordinate. All q of them count: "
            "sum over the last axis.",
            _with(lambda X: _others(X[:, :1])),
        ),
        Misconception(
            "mean_of_data",
            "Every point is rebuilt as the mean of all data: your error is their total variance, "
            "whatever X is. Where does X enter your weights?",
            lambda X, Y: np.sum((Y - Y.mean(axis=0)) ** 2) / len(Y),
        ),
        Misconception(
            "weights_from_data",
            "Your weights come from distances between data points. The data are rebuilt; X, in "
            "latent space, decides which points are near.",
            lambda X, Y: _squares(_rows(_others(Y - Y.mean(axis=0))), Y).mean(),
        ),
    ),
    hints=(
        "You need not fit N models. The sums for f(x_n) have one term too many, above and below: "
        "that of point n itself. Which entries of the N x N matrix K are these?",
        "K_nm = exp(-|x_n - x_m|²/2), but K_nn = 0. B = K with each row divided by its sum. Row n of "
        "B Y is point n rebuilt by the others. The error is 1/N times the sum of all squared entries "
        "of B Y - Y.",
        "Squared distances of all pairs: np.sum((X[:, None] - X) ** 2, axis=2). Then np.exp, then "
        "np.fill_diagonal(K, 0) on its own line, since it changes K and returns nothing. Then row "
        "sums with keepdims=True, and finally a sum divided by len(Y).",
    ),
)
