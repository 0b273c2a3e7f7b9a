"""A weighted mean of places for new points, even far ones, and for training points left out."""

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import staged
from ukrlearn.si import grnn as library

SIZES = ((9, 3, 2, 5), (7, 4, 1, 3), (12, 2, 3, 6))  # N, d, q, M: no two the same in a trial
FAR = 60.0  # widths: no weight is left without a shift of the exponents
ALONE = 50.0  # a weight so many powers of e smaller than another does not count


def reference(y, Y, X, width):
    return library.grnn(y, Y, X, width), library.grnn_left_out(Y, X, width)


def trials(seed):
    random = np.random.default_rng(seed)
    three = dict(
        y=np.array([[1.0], [3.0]]),
        Y=np.array([[0.0], [2.0], [3.0]]),
        X=np.array([[10.0, 0.0], [20.0, 1.0], [60.0, 4.0]]),
        width=1.0,
    )
    made = [Trial("three points, two new ones", three)]
    for N, d, q, M in SIZES:
        Y = 1.2 * random.normal(size=(N, d)) * (1 + 0.3 * np.arange(d)) + 0.5
        X = 3 * random.normal(size=(N, q)) + 4 + np.arange(q)
        y = Y[:M] + 0.8 * random.normal(size=(M, d))
        arguments = dict(y=y, Y=Y, X=X, width=random.uniform(0.8, 1.3))
        made.append(Trial(f"N = {N}, M = {M}, d = {d}, q = {q}", arguments))
    centred = dict(arguments, Y=Y - Y.mean(axis=0), X=X - X.mean(axis=0))
    centred["Y"][4] = 0
    made.append(Trial("data and places centred at the origin, a row of zeros", centred))
    towards = random.normal(size=(M, d))
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    distance = FAR * (2 + np.arange(M))[:, None]
    far = dict(arguments, y=Y.mean(axis=0) + distance * towards)
    made.append(Trial("all new points far from the data", far))
    alone = Y.copy()
    alone[3] += FAR
    made.append(Trial("one training point far from the others", dict(arguments, Y=alone)))
    spread = Y * FAR
    made.append(Trial("all points far from each other", dict(arguments, Y=spread, y=FAR * y)))
    twins = Y.copy()
    twins[4], twins[7] = twins[2], twins[9]
    made.append(Trial("two training points are equal, twice", dict(arguments, Y=twins)))
    units = dict(arguments, y=1e3 * y, Y=1e3 * Y, width=1e3 * arguments["width"])
    made.append(Trial("data in other units", units))
    made.append(Trial("places a million times larger", dict(arguments, X=1e6 * X)))
    return made


# Mistakes, each in one of four stages: exponents, shift and exp, the mean, leaving out


def _exponents(y, Y, width):
    return -cdist(y, Y, "sqeuclidean") / (2 * width**2)


def _weights(exponent):
    return np.exp(exponent - exponent.max(axis=1, keepdims=True))


def _mean(K, X):
    return K @ X / K.sum(axis=1, keepdims=True)


def _without_own(exponent, X, weights, mean):
    exponent = exponent.copy()
    np.fill_diagonal(exponent, -np.inf)
    return mean(weights(exponent), X)


@staged
def _with(exponents=_exponents, weights=_weights, mean=_mean, left_out=_without_own):
    """The right answer, with some stages exchanged."""

    def answer(y, Y, X, width):
        with np.errstate(all="ignore"):
            f = mean(weights(exponents(y, Y, width)), X)
            return f, left_out(exponents(Y, Y, width), X, weights, mean)

    return answer


def _of_distance(exponent):
    """Other exponents, of distance and width."""
    return _with(lambda y, Y, width: exponent(cdist(y, Y), width))


def _own_too(exponent, X, weights, mean):
    return mean(weights(exponent), X)


def _zero_after_exp(exponent, X, weights, mean):
    """The own weight is the largest, so the shift is zero."""
    K = weights(exponent)
    np.fill_diagonal(K, 0)
    return mean(K, X)


def _zero_after_division(exponent, X, weights, mean):
    K = weights(exponent)
    B = K / K.sum(axis=1, keepdims=True)
    np.fill_diagonal(B, 0)
    return B @ X


def _own_weight_one(exponent, X, weights, mean):
    """A zero in the exponent, not in the weight: after the shift it counts as the nearest."""
    exponent = exponent.copy()
    np.fill_diagonal(exponent, -np.inf)
    exponent -= exponent.max(axis=1, keepdims=True)
    np.fill_diagonal(exponent, 0)
    return mean(np.exp(exponent), X)


def _equal_rows_too(exponent, X, weights, mean):
    return mean(weights(np.where(exponent == 0, -np.inf, exponent)), X)


def _differences(exponent, X, weights, mean):
    return X - _without_own(exponent, X, weights, mean)


def _far(fallback):
    """Where no weight is left, another value."""

    def mean(K, X):
        f = _mean(K, X)
        return np.where(np.isfinite(f), f, fallback(X))

    return _with(weights=np.exp, mean=mean)


def _nearest(K, X):
    return X[K.argmax(axis=1)]


def _columns_normalised(K, X):
    return (K / K.sum(axis=0)) @ X


def _one_shift(exponent):
    return np.exp(exponent - exponent.max())


def _swapped(y, Y, X, width):
    return reference(y, Y, X, width)[::-1]


def _roles(y, Y, X, width):
    f, _ = reference(y, Y, X, width)
    return f, library.grnn_left_out(X, X, width)


def _inside(result, y, Y, X, width):
    slack = 2e-3 * np.abs(X).max()
    return all((f >= X.min(0) - slack).all() and (f <= X.max(0) + slack).all() for f in result)


def _far_go_to_the_nearest(result, y, Y, X, width):
    exponent = _exponents(y, Y, width)
    ordered = np.sort(exponent, axis=1)
    clear = ordered[:, -1] - ordered[:, -2] > ALONE
    nearest = X[exponent.argmax(axis=1)]
    return bool((np.abs(result[0] - nearest)[clear] <= 2e-3 * np.abs(X).max()).all())


EXERCISE = Exercise(
    name="grnn",
    title="A place for a new point",
    lesson="30_where_new_points_go",
    equations="[SI] section 1",
    minutes=20,
    shapes={"y": "M d", "Y": "N d", "X": "N q", "width": ""},
    returns={"f": "M q", "left_out": "N q"},
    trials=trials,
    reference=reference,
    properties=(
        Property(
            "outside",
            "All places lie within the smallest box around the places of the data.",
            "A weighted mean with weights that sum to one can't leave the smallest box around the "
            "places X; yours does. Divide by the sum of the same weights as in the numerator.",
            _inside,
        ),
        Property(
            "far_not_nearest",
            "A point with one training point clearly nearest goes to the place of that point.",
            "Where one training point is clearly the nearest, it has nearly all the weight, however "
            "far away it is. Your place is another. Which weight is the largest of each row?",
            _far_go_to_the_nearest,
        ),
    ),
    misconceptions=(
        Misconception(
            "no_shift",
            "Far from the data every weight is zero in the computer, and you divide zero by zero. "
            "Subtract the largest exponent of each row before exp: the factor cancels.",
            _with(weights=np.exp),
        ),
        Misconception(
            "one_shift_for_all",
            "You subtract the largest exponent of the whole matrix. Rows of far points still "
            "vanish. Each row has its own largest exponent: max(axis=1, keepdims=True).",
            _with(weights=_one_shift),
        ),
        Misconception(
            "far_to_origin",
            "Where all weights vanish you get 0: from a small number added to the sum, or from "
            "nan_to_num. That is a wrong place, not a missing one. The mean exists: shift the exponents.",
            _far(lambda X: 0.0),
        ),
        Misconception(
            "far_to_mean",
            "Where all weights vanish you take the mean of all places. The weights are not equal "
            "there, only too small for the computer: shift the exponents.",
            _far(lambda X: X.mean(axis=0)),
        ),
        Misconception(
            "own_point_counts",
            "In left_out each training point still counts for itself. Its own exponent must be "
            "minus infinity, so that its weight is zero: np.fill_diagonal(exponent, -np.inf).",
            _with(left_out=_own_too),
        ),
        Misconception(
            "zero_after_exp",
            "You set the diagonal to zero after the shift. The own exponent was the largest, so the "
            "shift was 0, and a point far from the others has no weight left. Leave out first.",
            _with(left_out=_zero_after_exp),
        ),
        Misconception(
            "zero_after_division",
            "You set the diagonal to zero after dividing by the sums. Then the sums still contain "
            "the own weight, and the weights of the others no longer sum to one.",
            _with(left_out=_zero_after_division),
        ),
        Misconception(
            "own_exponent_zero",
            "You put zeros on the diagonal of the exponents. exp(0) is 1, so the own point weighs "
            "as much as the nearest other. A weight of zero needs the exponent minus infinity.",
            _with(left_out=_own_weight_one),
        ),
        Misconception(
            "equal_points_left_out",
            "You leave out all training points at distance zero. Another point with the same data "
            "is not point n: leave out by number, the diagonal, not by distance.",
            _with(left_out=_equal_rows_too),
        ),
        Misconception(
            "differences_returned",
            "Your left_out holds the differences x_n - f_-n(y_n). The places f_-n(y_n) themselves are "
            "asked for.",
            _with(left_out=_differences),
        ),
        Misconception(
            "results_swapped",
            "Your two results are in the wrong order: first f of the new points, then left_out.",
            _swapped,
        ),
        Misconception(
            "weights_from_places",
            "In left_out your weights come from distances between places. Nobody knows the place of "
            "a new point: the weights come from the data Y, and the places X are averaged.",
            _roles,
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 is missing in exp(-|y - y_n|²/2σ²).",
            _of_distance(lambda r, s: -((r / s) ** 2)),
        ),
        Misconception(
            "width_not_squared",
            "You divide the squared distance by 2σ and not by 2σ². Square both: |y - y_n|/σ is a "
            "number without units.",
            _of_distance(lambda r, s: -(r**2) / (2 * s)),
        ),
        Misconception(
            "width_multiplied",
            "Your exponent is multiplied by σ². In Python a / 2 * b is (a / 2) * b: put the whole "
            "denominator in brackets.",
            _of_distance(lambda r, s: -(r**2) / 2 * s**2),
        ),
        Misconception(
            "width_forgotten",
            "Your result does not depend on the width σ: divide the squared distance by 2σ².",
            _of_distance(lambda r, s: -(r**2) / 2),
        ),
        Misconception(
            "distance_not_squared",
            "The exponent contains the distance, not its square. Remove the square root.",
            _of_distance(lambda r, s: -r / (2 * s**2)),
        ),
        Misconception(
            "sign_missing",
            "The minus in the exponent is missing: the farthest training point weighs most.",
            _with(lambda y, Y, s: -_exponents(y, Y, s)),
        ),
        Misconception(
            "first_column_only",
            "Your distances use only the first column of the data. Sum the squared differences of "
            "all d columns.",
            _with(lambda y, Y, s: _exponents(y[:, :1], Y[:, :1], s)),
        ),
        Misconception(
            "nearest_only",
            "You return the place of the nearest training point. All points count, near ones more.",
            _with(mean=_nearest),
        ),
        Misconception(
            "columns_normalised",
            "You divide by sums over the new points. The weights of each new point must sum to one: "
            "sum over the training points, axis=1.",
            _with(mean=_columns_normalised),
        ),
        Misconception(
            "not_normalised",
            "The weights are not divided by their sum. After the shift the largest is 1, and a sum "
            "of places is no place: divide by the sum of the weights of each row.",
            _with(mean=lambda K, X: K @ X),
        ),
        Misconception(
            "divided_by_n",
            "You divide by the number of training points. Divide by the sum of the weights.",
            _with(mean=lambda K, X: K @ X / len(X)),
        ),
        Misconception(
            "no_shift_half_missing",
            "Two mistakes: the factor 1/2 is missing in the exponent, and far from the data you "
            "divide zero by zero. Mend the exponent first, then shift it by its largest value.",
            _with(lambda y, Y, s: 2 * _exponents(y, Y, s), weights=np.exp),
        ),
        Misconception(
            "no_shift_own_counts",
            "Two mistakes: in left_out each point counts for itself, and far from the data you "
            "divide zero by zero. Leave the own point out, then shift by the largest exponent.",
            _with(weights=np.exp, left_out=_own_too),
        ),
    ),
    hints=(
        "Where is the regression of lesson 01 in this formula? Which of its two arguments were "
        "latent points there, and what are they here? And which number could you add to all "
        "exponents of a row without a change of the mean?",
        "E = -|y - y_n|²/2σ², shape (M, N). K = exp(E - the largest entry of each row); f is K X with "
        "each row divided by the sum of the row of K. For left_out take E of the training points with "
        "themselves, put -inf on its diagonal, and do the same.",
        "E = -np.sum((y[:, None] - Y) ** 2, axis=2) / (2 * width**2). Then E.max(axis=1, "
        "keepdims=True). For the other result use Y in place of y, and np.fill_diagonal(E, -np.inf) "
        "on a line of its own before the largest entries are taken.",
    ),
)
