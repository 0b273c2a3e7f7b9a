"""A weighted mean of places for new points, even far ones, and for training points left out."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
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


def squares(squares_of, y, Y):
    """the squared distances of the new points"""
    return squares_of(y, Y)


def own_squares(squares_of, Y):
    """the squared distances of the training points"""
    return squares_of(Y, Y)


def exponents_of(width):
    """the exponents"""

    def exponents(squares):
        return -squares / (2 * width**2)

    return exponents


def exponents(exponents_of, squares):
    """the exponents of the new points"""
    return exponents_of(squares)


def own_exponents(exponents_of, own_squares):
    """the exponents of the training points"""
    return exponents_of(own_squares)


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


def shifted(shift_of, exponents):
    """the shifted exponents of the new points"""
    return shift_of(exponents)


def shifted_others(shift_of, others):
    """the shifted exponents without the own point"""
    return shift_of(others)


def K(shifted):
    """the weights of the new points"""
    return np.exp(shifted)


def K_others(shifted_others):
    """the weights of left_out"""
    return np.exp(shifted_others)


def mean_of(X):
    """the weighted mean"""

    def mean(K):
        return K @ X / K.sum(axis=1, keepdims=True)

    return mean


def f(mean_of, K):
    """the places f"""
    return mean_of(K)


def left_out(mean_of, K_others):
    """the places left_out"""
    return mean_of(K_others)


GRNN = pipeline(
    "y Y X width",
    squares_of, squares, own_squares, exponents_of, exponents, own_exponents, others,
    shift_of, shifted, shifted_others, K, K_others, mean_of, f, left_out,
    returns="f left_out",
)  # fmt: skip


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


NOT_TURNED = (
    "You measure the distances to the places X. In this regression data and places have changed "
    "parts: distances are between data, y and Y, and the places X are averaged."
)
NO_SHIFT = (
    "Far from the data every weight is zero in the computer, and you divide zero by zero. Subtract "
    "the largest exponent of each row before exp: the factor cancels."
)
ONE_SHIFT = (
    "You subtract the largest exponent of the whole matrix. Rows of far points still vanish. Each "
    "row has its own largest exponent: max(axis=1, keepdims=True)."
)
TO_ORIGIN = (
    "Where all weights vanish you get 0: from a small number added to the sum, or from nan_to_num. "
    "That is a wrong place, not a missing one. The mean exists: shift the exponents."
)
TO_MEAN = (
    "Where all weights vanish you take the mean of all places. The weights are not equal there, only "
    "too small for the computer: shift the exponents."
)
EARLIER = (
    "In left_out you take only the points before n. All other points count, those after it too."
)
PLACES_KEPT = (
    "For left_out you leave point n out of the weights, but not out of X: they have different numbers "
    "of rows. Leave it out of both."
)


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
    stages=GRNN,
    properties=(
        Property(
            "outside",
            "All places lie within the smallest box around the places of the data.",
            "A weighted mean with weights that sum to one can't leave the smallest box around the "
            "places X; yours does.",
            _inside,
            (("left_out", "Do you divide by the sum of the same weights as in the numerator?"),),
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
        Misconception("no_shift", NO_SHIFT, GRNN(shift_of=_none)),
        Misconception("no_shift_in_f", "In f: " + NO_SHIFT, GRNN(f=_unshifted_f(mean_of))),
        Misconception("one_shift_for_all", ONE_SHIFT, GRNN(shift_of=lambda: _one_shift)),
        Misconception(
            "one_shift_for_all_in_f",
            "In f: " + ONE_SHIFT,
            GRNN(f=lambda mean_of, exponents: mean_of(np.exp(_one_shift(exponents)))),
        ),
        Misconception("far_to_origin", TO_ORIGIN, GRNN(shift_of=_none, mean_of=_fallback(_zero))),
        Misconception(
            "far_to_origin_in_f",
            "In f: " + TO_ORIGIN,
            GRNN(f=_unshifted_f(_fallback(_zero))),
        ),
        Misconception(
            "far_to_origin_in_left_out",
            "In left_out: " + TO_ORIGIN,
            GRNN(left_out=_unshifted_left_out(_fallback(_zero))),
        ),
        Misconception("far_to_mean", TO_MEAN, GRNN(shift_of=_none, mean_of=_fallback(_mean))),
        Misconception(
            "far_to_mean_in_f",
            "In f: " + TO_MEAN,
            GRNN(f=_unshifted_f(_fallback(_mean))),
        ),
        Misconception(
            "far_to_mean_in_left_out",
            "In left_out: " + TO_MEAN,
            GRNN(left_out=_unshifted_left_out(_fallback(_mean))),
        ),
        Misconception(
            "small_number_added",
            TO_ORIGIN,
            GRNN(shift_of=_none, mean_of=_more_in_the_sum),
        ),
        Misconception(
            "small_number_added_in_f",
            "In f: " + TO_ORIGIN,
            GRNN(f=_unshifted_f(_more_in_the_sum)),
        ),
        Misconception(
            "own_point_counts",
            "In left_out each training point still counts for itself. Its own exponent must be "
            "minus infinity, so that its weight is zero: np.fill_diagonal(exponent, -np.inf). (A "
            "zero in the exponent leaves out nothing: exp(0) is 1.)",
            GRNN(others=lambda own_exponents: own_exponents),
        ),
        Misconception(
            "zero_after_exp",
            "In left_out the exponents are not shifted by the largest one of the *other* points, "
            "and a point far from them has no weight left. If you set the diagonal to zero after "
            "the shift, the own exponent was the largest, and the shift was 0. Leave out first, "
            "then shift.",
            GRNN(
                others=lambda own_exponents: own_exponents,
                K_others=lambda shifted_others: _no_diagonal(np.exp(shifted_others)),
            ),
        ),
        Misconception(
            "zero_after_division",
            "You set the diagonal to zero after dividing by the sums. Then the sums still contain "
            "the own weight, and the weights of the others no longer sum to one.",
            GRNN(others=lambda own_exponents: own_exponents, left_out=_zero_after_division),
        ),
        Misconception(
            "own_exponent_zero",
            "You put zeros on the diagonal of the shifted exponents. exp(0) is 1, so the own "
            "point weighs as much as the nearest other. A weight of zero needs the exponent minus "
            "infinity.",
            GRNN(K_others=lambda shifted_others: K_others(_no_diagonal(shifted_others))),
        ),
        Misconception(
            "equal_points_left_out",
            "You leave out all training points at distance zero. Another point with the same data "
            "is not point n: leave out by number, the diagonal, not by distance.",
            GRNN(others=lambda own_exponents: _without(own_exponents, own_exponents == 0)),
        ),
        Misconception(
            "earlier_points_only",
            EARLIER,
            GRNN(others=_earlier),
        ),
        Misconception(
            "earlier_points_only_first_kept",
            EARLIER,
            GRNN(
                others=_earlier,
                left_out=lambda mean_of, K_others, X: np.vstack([X[:1], mean_of(K_others)[1:]]),
            ),
        ),
        Misconception(
            "same_number_left_out",
            "For new point n you leave out training point n. New points and training points are "
            "numbered independently: for f nothing is left out.",
            GRNN(exponents=_same_number),
        ),
        Misconception(
            "first_point_left_out",
            "In left_out you leave out the same point each time. For point n leave out point n.",
            GRNN(
                others=lambda own_exponents: _without(
                    own_exponents, np.arange(len(own_exponents)) == 0
                )
            ),
        ),
        Misconception(
            "differences_returned",
            "Your left_out holds the differences x_n - f_-n(y_n). The places f_-n(y_n) themselves "
            "are asked for.",
            GRNN(left_out=lambda mean_of, K_others, X: X - mean_of(K_others)),
        ),
        Misconception(
            "negative_differences",
            "Your left_out holds the differences f_-n(y_n) - x_n. The places f_-n(y_n) themselves "
            "are asked for.",
            GRNN(left_out=lambda mean_of, K_others, X: mean_of(K_others) - X),
        ),
        Misconception(
            "results_swapped",
            "Your two results are in the wrong order: first f of the new points, then left_out.",
            lambda *given: reference(*given)[::-1],
        ),
        Misconception(
            "weights_from_places",
            "In left_out your weights come from distances between places. Nobody knows the place "
            "of a new point: the weights come from the data Y, and the places X are averaged.",
            GRNN(own_squares=lambda squares_of, X: squares_of(X, X)),
        ),
        Misconception(
            "not_turned_round",
            NOT_TURNED,
            GRNN(squares_of=lambda X: lambda points, Y: squares_of()(points, X)),
        ),
        Misconception(
            "data_averaged",
            "You average the data Y. A new point goes to the mean of the places: average X.",
            GRNN(mean_of=lambda Y: mean_of(Y)),
        ),
        Misconception(
            "all_places_kept",
            PLACES_KEPT,
            GRNN(left_out=_all_places),
        ),
        Misconception(
            "all_places_kept_by_rows",
            PLACES_KEPT,
            GRNN(left_out=_all_places_by_rows),
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 is missing in exp(-|y - y_n|²/2σ²).",
            _of_squares(lambda t, s: -t / s**2),
        ),
        Misconception(
            "width_not_squared",
            "You divide the squared distance by 2σ and not by 2σ². Square both: |y - y_n|/σ is a "
            "number without units.",
            _of_squares(lambda t, s: -t / (2 * s)),
        ),
        Misconception(
            "divided_by_width_alone",
            "You divide the squared distance by σ alone. Divide by 2σ²: |y - y_n|/σ is a number "
            "without units, and so is its square; and the 2 is missing.",
            _of_squares(lambda t, s: -t / s),
        ),
        Misconception(
            "width_multiplied",
            "Your exponent is multiplied by σ². In Python a / 2 * b is (a / 2) * b: put the whole "
            "denominator in brackets.",
            _of_squares(lambda t, s: -t / 2 * s**2),
        ),
        Misconception(
            "denominator_squared",
            "You square the 2 along with the width: (2σ)² is 4σ². The denominator is 2σ².",
            _of_squares(lambda t, s: -t / (2 * s) ** 2),
        ),
        Misconception(
            "width_forgotten",
            "Your result does not depend on the width σ: divide the squared distance by 2σ².",
            _of_squares(lambda t, s: -t / 2),
        ),
        Misconception(
            "width_and_half_forgotten",
            "Your exponents are the squared distances alone: divide them by 2σ².",
            _of_squares(lambda t, s: -t),
        ),
        Misconception(
            "distance_not_squared",
            "The exponent contains the distance, not its square. Remove the square root.",
            _squares(lambda points, Y: np.sqrt(squares_of()(points, Y))),
        ),
        Misconception(
            "width_to_the_fourth",
            "You square the exponent's width twice. The denominator is 2σ².",
            _of_squares(lambda t, s: -t / (2 * s**4)),
        ),
        Misconception(
            "sign_missing",
            "The minus in the exponent is missing: the farthest training point weighs most.",
            _of_squares(lambda t, s: t / (2 * s**2)),
        ),
        Misconception(
            "weights_are_exponents",
            "You use the exponents as weights, with no exp: put them into exp.",
            GRNN(K=lambda shifted: shifted, K_others=lambda shifted_others: shifted_others),
        ),
        Misconception(
            "first_column_only",
            "Your distances use only the first column of the data. Sum the squared differences of "
            "all d columns.",
            _squares(lambda points, Y: squares_of()(points[:, :1], Y[:, :1])),
        ),
        Misconception(
            "squared_after_sum",
            "You add up the differences of the d columns and square their sum, so that they can "
            "cancel. Square each difference, then add.",
            _squares(lambda points, Y: np.sum(points[:, None] - Y, axis=2) ** 2),
        ),
        Misconception(
            "city_block",
            "Your distances are sums of absolute differences. The exponent has the sum of the "
            "squared differences.",
            _squares(lambda points, Y: np.sum(np.abs(points[:, None] - Y), axis=2)),
        ),
        Misconception(
            "mean_of_columns",
            "You take the mean over the d columns, so your squared distances are too small by the "
            "factor d. A squared distance is the sum of the squared differences.",
            _squares(lambda points, Y: np.mean((points[:, None] - Y) ** 2, axis=2)),
        ),
        Misconception(
            "nearest_only",
            "You return the place of the nearest training point. All points count, near ones more.",
            GRNN(mean_of=lambda X: lambda K: X[K.argmax(axis=1)]),
        ),
        Misconception(
            "mean_of_all",
            "Every training point weighs the same, however far away it is: where does y enter "
            "your weights?",
            _of_squares(lambda t, s: 0 * t),
        ),
        Misconception(
            "columns_normalised",
            "You divide by sums over the new points. The weights of each new point must sum to "
            "one: sum over the training points, axis=1.",
            GRNN(mean_of=lambda X: lambda K: (K / K.sum(axis=0)) @ X),
        ),
        Misconception(
            "one_sum",
            "You divide by the sum of all weights of all points. The weights of each point must "
            "sum to one: sum over the training points, axis=1.",
            GRNN(mean_of=lambda X: lambda K: K @ X / K.sum()),
        ),
        Misconception(
            "not_normalised",
            "The weights are not divided by their sum. After the shift the largest is 1, and a "
            "sum of places is no place: divide by the sum of the weights of each row.",
            GRNN(mean_of=lambda X: lambda K: K @ X),
        ),
        Misconception(
            "divided_by_n",
            "You divide by the number of training points. Divide by the sum of the weights.",
            GRNN(mean_of=lambda X: lambda K: K @ X / len(X)),
        ),
        Misconception(
            "one_more_in_the_sum",
            "You add 1 to the sum of the weights, or start it at 1. Divide by the sum of the same "
            "weights as in the numerator, and nothing else.",
            GRNN(mean_of=lambda X: lambda K: K @ X / (1 + K.sum(axis=1, keepdims=True))),
        ),
        Misconception(
            "left_out_over_n_minus_1",
            "In left_out you divide by N - 1. Divide by the sum of the weights of the others.",
            GRNN(left_out=lambda K_others, X: K_others @ X / (len(X) - 1)),
        ),
        Misconception(
            "small_number_added_in_left_out",
            "In left_out: " + TO_ORIGIN,
            GRNN(left_out=_unshifted_left_out(_more_in_the_sum)),
        ),
        Misconception(
            "shifted_by_smallest",
            "You subtract the smallest exponent of each row. The largest weight can then be "
            "infinite. Subtract the largest exponent, so that the largest weight is 1.",
            GRNN(
                shift_of=lambda: lambda exponents: exponents - exponents.min(axis=1, keepdims=True)
            ),
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
