"""A weighted mean of places for new points, even far ones, and for training points left out."""

import numpy as np

from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise
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
    far = dict(
        y=np.array([[2.0], [5000.0]]), Y=np.array([[1.0], [3.0], [1000.0]]),
        X=np.array([[4.0], [2.0], [7.0]]), width=1.0,
    )  # fmt: skip
    made.append(Trial("three points, one of them far away", far))
    plane = dict(
        y=np.array([[0.0, 1.0], [4.0, -2.0]]),
        Y=np.array([[0.0, 0.0], [0.0, 0.0], [3.0, 1.0], [-1.0, 4.0]]),
        X=np.array([[-4.0], [0.0], [8.0], [-4.0]]), width=2.0,
    )  # fmt: skip
    made.append(Trial("four points in the plane, two of them equal", plane))
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


def squares_of():
    """the squared distances"""

    def squares(points, Y):
        return np.sum((points[:, None] - Y) ** 2, axis=2)

    return squares


def exponents_of(width):
    """the exponents"""

    def exponents(squares):
        return -squares / (2 * width**2)

    return exponents


def others(own_exponents):
    """the exponents without the own point"""
    others = np.array(own_exponents)
    np.fill_diagonal(others, -np.inf)
    return others


def shift_of():
    """the shift of the exponents"""

    def shift(exponents):
        return exponents - exponents.max(axis=1, keepdims=True)

    return shift


def mean_of(X):
    """the weighted mean"""

    def mean(K):
        return K @ X / K.sum(axis=1, keepdims=True)

    return mean


GRNN = pipeline(
    "y Y X width",
    returns="f left_out",
    squares_of=squares_of,
    squares=lambda squares_of, y, Y: squares_of(y, Y),
    own_squares=lambda squares_of, Y: squares_of(Y, Y),
    exponents_of=exponents_of,
    exponents=lambda exponents_of, squares: exponents_of(squares),
    own_exponents=lambda exponents_of, own_squares: exponents_of(own_squares),
    others=others,
    shift_of=shift_of,
    shifted=lambda shift_of, exponents: shift_of(exponents),
    shifted_others=lambda shift_of, others: shift_of(others),
    K=lambda shifted: np.exp(shifted),
    K_others=lambda shifted_others: np.exp(shifted_others),
    mean_of=mean_of,
    f=lambda mean_of, K: mean_of(K),
    left_out=lambda mean_of, K_others: mean_of(K_others),
)


# Mistakes


def _exponents(y, Y, width):
    return exponents_of(width)(squares_of()(y, Y))


def _squares(distances):
    """Other squared distances, of points (M, d) and data (N, d)."""
    return GRNN(squares_of=lambda: distances)


def _of_squares(change):
    """Other exponents, of squared distances and the width."""
    return GRNN(exponents_of=lambda width: lambda squares: change(squares, width))


def _without(own_exponents, left):
    return np.where(left, -np.inf, own_exponents)


def _no_diagonal(K):
    return np.where(np.eye(len(K), dtype=bool), 0, K)


def _earlier(own_exponents):
    return _without(own_exponents, ~np.tri(len(own_exponents), k=-1, dtype=bool))


def _zero_after_division(mean_of, K_others, X):
    B = K_others / K_others.sum(axis=1, keepdims=True)
    return _no_diagonal(B) @ X


def _same_number(exponents_of, squares):
    exponents = exponents_of(squares)
    np.fill_diagonal(exponents, -np.inf)
    return exponents


def _fallback(value):
    """A mean, and where no weight is left another value."""

    def mean_of(X):
        def mean(K):
            f = K @ X / K.sum(axis=1, keepdims=True)
            return np.where(np.isfinite(f), f, value(X))

        return mean

    return mean_of


def _all_places(mean_of, K_others, X):
    """A point is left out of the weights, and its place is not."""
    return K_others[:, 1:] @ X


def _all_places_by_rows(mean_of, K_others, X):
    return np.sum(K_others[0, 1:, None] * X, axis=0)


def _one_shift(exponents):
    return exponents - exponents.max()


def _none():
    """No shift."""
    return lambda exponents: exponents


def _more_in_the_sum(X):
    """A mean of weights with a small number added to their sum."""
    return lambda K: K @ X / (K.sum(axis=1, keepdims=True) + 1e-12)


def _unshifted_f(mean_of):
    """f of weights that are not shifted; a mistake of f alone, whatever `K` was on the way."""
    return lambda exponents, X: mean_of(X)(np.exp(exponents))


def _unshifted_left_out(mean_of):
    return lambda others, X: mean_of(X)(np.exp(others))


def _zero(X):
    return 0.0


def _mean(X):
    return X.mean(axis=0)


def _inside(result, y, Y, X, width):
    slack = 2e-3 * np.abs(X).max()
    return all((f >= X.min(0) - slack).all() and (f <= X.max(0) + slack).all() for f in result)


def _far_go_to_the_nearest(result, y, Y, X, width):
    exponent = _exponents(y, Y, width)
    ordered = np.sort(exponent, axis=1)
    clear = ordered[:, -1] - ordered[:, -2] > ALONE
    nearest = X[exponent.argmax(axis=1)]
    return bool((np.abs(result[0] - nearest)[clear] <= 2e-3 * np.abs(X).max()).all())


MISTAKES = (
    GRNN.mistake("no_shift_in_f", f=_unshifted_f(mean_of)),
    GRNN.mistake(
        "one_shift_for_all_in_f",
        f=lambda mean_of, exponents: mean_of(np.exp(_one_shift(exponents))),
    ),
    GRNN.mistake("far_to_origin", shift_of=_none, mean_of=_fallback(_zero)),
    GRNN.mistake("far_to_origin_in_f", f=_unshifted_f(_fallback(_zero))),
    *GRNN.mistakes(
        "left_out",
        far_to_origin_in_left_out=_unshifted_left_out(_fallback(_zero)),
        far_to_mean_in_left_out=_unshifted_left_out(_fallback(_mean)),
        differences_returned=lambda mean_of, K_others, X: X - mean_of(K_others),
        negative_differences=lambda mean_of, K_others, X: mean_of(K_others) - X,
        all_places_kept=_all_places,
        all_places_kept_by_rows=_all_places_by_rows,
        left_out_over_n_minus_1=lambda K_others, X: K_others @ X / (len(X) - 1),
        small_number_added_in_left_out=_unshifted_left_out(_more_in_the_sum),
    ),
    GRNN.mistake("far_to_mean", shift_of=_none, mean_of=_fallback(_mean)),
    GRNN.mistake("far_to_mean_in_f", f=_unshifted_f(_fallback(_mean))),
    GRNN.mistake("small_number_added", shift_of=_none, mean_of=_more_in_the_sum),
    GRNN.mistake("small_number_added_in_f", f=_unshifted_f(_more_in_the_sum)),
    GRNN.mistake(
        "zero_after_exp",
        others=lambda own_exponents: own_exponents,
        K_others=lambda shifted_others: _no_diagonal(np.exp(shifted_others)),
    ),
    GRNN.mistake(
        "zero_after_division",
        others=lambda own_exponents: own_exponents,
        left_out=_zero_after_division,
    ),
    GRNN.mistake(
        "equal_points_left_out",
        others=lambda own_exponents: _without(own_exponents, own_exponents == 0),
    ),
    GRNN.mistake("earlier_points_only", others=_earlier),
    GRNN.mistake(
        "earlier_points_only_first_kept",
        others=_earlier,
        left_out=lambda mean_of, K_others, X: np.vstack([X[:1], mean_of(K_others)[1:]]),
    ),
    GRNN.mistake("same_number_left_out", exponents=_same_number),
    GRNN.mistake("weights_from_places", own_squares=lambda squares_of, X: squares_of(X, X)),
    GRNN.mistake(
        "not_turned_round", squares_of=lambda X: lambda points, Y: squares_of()(points, X)
    ),
    GRNN.mistake("data_averaged", mean_of=lambda Y: mean_of(Y)),
    Misconception("divided_by_width_alone", mistaken=_of_squares(lambda t, s: -t / s)),
    Misconception("width_multiplied", mistaken=_of_squares(lambda t, s: -t / 2 * s**2)),
    Misconception(
        "distance_not_squared",
        mistaken=_squares(lambda points, Y: np.sqrt(squares_of()(points, Y))),
    ),
    GRNN.mistake("nearest_only", mean_of=lambda X: lambda K: X[K.argmax(axis=1)]),
    Misconception("mean_of_all", mistaken=_of_squares(lambda t, s: 0 * t)),
    GRNN.mistake("columns_normalised", mean_of=lambda X: lambda K: (K / K.sum(axis=0)) @ X),
    GRNN.mistake("divided_by_n", mean_of=lambda X: lambda K: K @ X / len(X)),
)


EXERCISE = exercise(
    "grnn",
    lesson="30_where_new_points_go",
    equations="[SI] section 1",
    minutes=20,
    shapes={"y": "M d", "Y": "N d", "X": "N q", "width": ""},
    returns={"f": "M q", "left_out": "N q"},
    trials=trials,
    reference=reference,
    stages=GRNN,
    properties=(
        Property("outside", holds=_inside),
        Property("far_not_nearest", holds=_far_go_to_the_nearest),
    ),
    misconceptions=MISTAKES,
)
