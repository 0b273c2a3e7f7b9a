"""Responsibilities of a GTM: a softmax of squared distances that neither over- nor underflows."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.rpm import gtm

SIZES = ((5, 3, 2, 0.7), (4, 7, 3, 2.5), (6, 4, 1, 0.4))  # N, K, d, T: no two sizes the same
FAR = 60.0  # from all values: exp(-3600) is zero in floating point


def reference(Y, values, temperature):
    return gtm.responsibilities(Y, values, temperature)[0]


def trials(seed):
    random = np.random.default_rng(seed)
    three = dict(
        Y=np.array([[0.0], [1.0], [3.0]]),
        values=np.array([[0.0], [1.0]]),
        temperature=1 / np.log(2),
    )
    far = dict(
        Y=np.array([[0.0, 0.0], [2.0, -40.0]]),
        values=np.array([[0.0, 0.0], [2.0, 0.0], [60.0, 0.0]]),
        temperature=2.0,
    )
    made = [Trial("three points, two codes", three), Trial("a near point and a far one", far)]
    for N, K, d, T in SIZES:
        Y = random.normal(size=(N, d)) * (1 + 0.5 * np.arange(d)) + 0.7
        values = random.normal(size=(K, d)) + 0.5
        made.append(Trial(f"N = {N}, K = {K}, d = {d}", dict(Y=Y, values=values, temperature=T)))
    values = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 2.0], [1.0, 0.0], [0.3, -0.4]])
    Y = np.vstack([np.zeros((1, 2)), random.normal(size=(2, 2))])
    Y -= Y.mean(axis=0) * [[0], [1.5], [1.5]]  # centred, and the first row stays zero
    ties = dict(Y=Y, values=values, temperature=0.9)
    made.append(Trial("a point at the origin, two equal values", ties))
    Y = np.vstack([Y, Y[1:2]])
    values -= values.mean(axis=0)
    ties = dict(Y=Y, values=np.vstack([values, np.zeros((1, 2))]), temperature=1.4)
    made.append(Trial("two equal points, centred values and one at the origin", ties))
    N, K = 4, 6
    Y, values = random.normal(size=(N, 3)), random.normal(size=(K, 3))
    made.append(Trial("a high temperature", dict(Y=Y, values=values, temperature=50.0)))
    made.append(Trial("a low temperature", dict(Y=Y, values=values, temperature=0.5)))
    units = dict(Y=1e3 * Y, values=1e3 * values, temperature=2e6)
    made.append(Trial("data a thousand times larger", units))
    apart = np.sqrt([5.0, 14.0, 19.0, 21.0, 23.0, 28.0, 35.0, 50.0, 100.0, 500.0, 690.0, 700.0])
    away = np.column_stack([np.zeros(len(apart)), apart])
    near = np.array([[0.2, 0.1], [0.0, -0.1], [-0.1, 0.05]])
    made.append(
        Trial("points farther and farther away", dict(Y=away, values=near, temperature=1.0))
    )
    spread = dict(
        Y=np.array([[0.0, 1.0], [50.0, 2.0]]),
        values=np.array([[0.0, 0.0], [60.0, 0.0], [0.0, 70.0]]),
        temperature=1.0,
    )
    made.append(Trial("values far from each other", spread))
    on_line = np.column_stack([random.normal(size=(K, 2)), np.zeros(K)])
    Y = np.vstack([Y, [0.3, -0.2, FAR], [0.1, 0.4, -FAR]])
    made.append(Trial("two points far from all values", dict(Y=Y, values=on_line, temperature=1.0)))
    all_far = dict(Y=Y[[4, 4, 5]] * [1.5, 0.8, 1.0] + [[0.2, 0, 0], [0, 0.5, 0], [0, 0, 0]],
                   values=on_line, temperature=1.0)  # fmt: skip
    made.append(Trial("all points far from all values", all_far))
    return made


def squares(Y, values):
    """the squared distances |y - f_k|²"""
    return np.sum((Y[:, None] - values) ** 2, axis=2)


def exponents(squares, temperature):
    """the exponents -|y - f_k|²/T"""
    return -squares / temperature


def shifted(exponents):
    """the exponents, less the largest of each row"""
    return exponents - exponents.max(axis=1, keepdims=True)


def weights(shifted):
    """the exponentials"""
    return np.exp(shifted)


def totals(weights):
    """the sums that you divide by"""
    return weights.sum(axis=1, keepdims=True)


def R(weights, totals):
    """the responsibilities"""
    return weights / totals


SHARES = pipeline("Y values temperature", squares, exponents, shifted, weights, totals, R)


# Mistakes

UNDERFLOW = (
    "For points far from all values every exponential is zero in floating point, and 0/0 is nan. "
    "Subtract the smallest squared distance of each point first: numerator and denominator change "
    "by the same factor, so no share changes."
)


def _unshifted(exponents):
    return exponents


def _one_hot(squares):
    return np.eye(squares.shape[1])[squares.argmin(axis=1)]


def _far_evenly(weights, totals):
    lost = totals[:, 0] == 0
    shares = weights / np.where(totals > 0, totals, 1)
    shares[lost] = 1 / weights.shape[1]
    return shares


def _far_to_nearest(weights, totals, squares):
    return np.where(totals > 0, weights / np.where(totals > 0, totals, 1), _one_hot(squares))


def _piled_up(Y, values):
    """The values are subtracted one after the other, and never added again."""
    return np.sum((Y[:, None] - np.cumsum(values, axis=0)) ** 2, axis=2)


SMALLS = ("1e-6", "1e-8", "1e-9", "1e-10", "1e-12", "1e-15", "1e-16", "1e-300")
SMALL_ADDED = (
    "You add a small number to the sums that you divide by. That hides 0/0: points far from all "
    "values belong to nobody, and their rows do not sum to one. Subtract the smallest squared "
    "distance of each point before the exponential; then each sum is at least 1."
)
CUTS = (50, 100, 500, 700)
CUT = (
    "You cut exponents off at some number, so that all values beyond it look equally far. Subtract "
    "the largest exponent of each point instead: then the nearest value has the exponential 1, and "
    "nothing must be cut."
)


def _small(number):
    return SHARES(
        shifted=_unshifted,
        totals=lambda weights: weights.sum(axis=1, keepdims=True) + number,
    )


def _cut(number):
    return SHARES(shifted=lambda exponents: np.maximum(exponents, -number))


COLUMNS = (
    "In your R each column sums to one: the points are shares of a code. It must be the other way "
    "round: the codes are shares of a point, so sum over axis=1."
)
ALL = (
    "You divide by the sum over all points and codes. Each point has its own sum: axis=1, "
    "keepdims=True."
)


def _finite(R, **given):
    return bool(np.isfinite(R).all())


def _rows_sum_to_one(R, **given):
    return bool((np.abs(np.nansum(R, axis=1) - 1) < 1e-3).all())


def _nearest_has_most(R, Y, values, **given):
    nearest = squares(Y, values).argmin(axis=1)[:, None]
    return bool((np.take_along_axis(R, nearest, 1)[:, 0] >= R.max(axis=1) - 1e-6).all())


EXERCISE = Exercise(
    name="gtm_responsibilities",
    title="Who is responsible?",
    lesson="25_noisy_codes",
    equations="[RPM] 6.1, (36)",
    minutes=15,
    shapes={"Y": "N d", "values": "K d", "temperature": ""},
    returns={"R": "N K"},
    trials=trials,
    reference=reference,
    stages=SHARES,
    properties=(
        Property(
            "not_a_number",
            "All responsibilities are numbers, for far points too.",
            "Some responsibilities are not numbers.",
            _finite,
            suspects=(
                (
                    "shifted",
                    "For a point far from all values every exponential may be zero in floating "
                    "point: do you divide 0 by 0?",
                ),
            ),
        ),
        Property(
            "rows_do_not_sum_to_one",
            "The responsibilities of each point sum to one.",
            "The rows of your R do not sum to one in every trial. Each point is shared among the "
            "codes.",
            _rows_sum_to_one,
            suspects=(("totals", "Do you divide by the sum over k of the same point i?"),),
        ),
        Property(
            "nearest_is_not_first",
            "The nearest value has the greatest responsibility.",
            "Somewhere the greatest responsibility does not belong to the nearest value.",
            _nearest_has_most,
            suspects=(
                ("squares", "Do your squared distances pair row i of Y with row k of the values?"),
                ("exponents", "Does your exponent fall with the distance?"),
                ("totals", "Do you divide all entries of a row by the same number?"),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "shift_of_all",
            "You subtract one number for all points, the smallest of all squared distances. "
            "Points far from all values still get exponentials of zero, and 0/0. Each point "
            "needs its own smallest distance: axis=1, keepdims=True.",
            SHARES(shifted=lambda exponents: exponents - exponents.max()),
        ),
        Misconception(
            "underflow",
            UNDERFLOW,
            SHARES(shifted=_unshifted),
        ),
        Misconception(
            "shift_of_columns",
            "You subtract the smallest distance of each *code*, a column. That changes the "
            "ratios within a row. Subtract the smallest distance of each point: axis=1, "
            "keepdims=True.",
            SHARES(shifted=lambda exponents: exponents - exponents.max(axis=0)),
        ),
        Misconception(
            "flat_array",
            "You subtract a flat array of N numbers, or divide by one, and numpy lays it along "
            "the columns. As a column of shape (N, 1) it meets the rows: keepdims=True, or `[:, "
            "None]`.",
            SHARES(shifted=lambda exponents: exponents - exponents.max(axis=1)),
        ),
        Misconception(
            "far_points_lost",
            "Points far from all values belong to nobody in your R: a zero in place of nan "
            "hides 0/0 and leaves a row of zeros. Subtract the smallest squared distance of "
            "each point before the exponential; then there is nothing to hide.",
            SHARES(
                shifted=_unshifted,
                R=lambda weights, totals: weights / np.where(totals > 0, totals, 1),
            ),
        ),
        *(
            Misconception(f"small_number_{small}", SMALL_ADDED, _small(float(small)))
            for small in SMALLS
        ),
        *(Misconception(f"exponents_cut_{cut}", CUT, _cut(cut)) for cut in CUTS),
        Misconception(
            "far_points_evenly",
            "You give a point that is far from all values equal shares. It has a nearest value "
            "all the same, and the ratios of its exponentials exist, though each of them is "
            "zero in floating point. Subtract the smallest squared distance of each point "
            "before the exponential.",
            SHARES(shifted=_unshifted, R=_far_evenly),
        ),
        Misconception(
            "far_points_to_nearest",
            "You give a point that is far from all values to the nearest one alone. The ratios "
            "of its exponentials exist, though each of them is zero in floating point. Subtract "
            "the smallest squared distance of each point before the exponential.",
            SHARES(shifted=_unshifted, R=_far_to_nearest),
        ),
        Misconception(
            "distance_not_squared",
            "The exponent has the distance and not its square. A normal distribution has the "
            "squared distance in its exponent.",
            SHARES(squares=lambda Y, values: np.sqrt(squares(Y, values))),
        ),
        Misconception(
            "squared_twice",
            "You square the squared distance once more. The exponent is -|y - f|²/T.",
            SHARES(squares=lambda Y, values: squares(Y, values) ** 2),
        ),
        Misconception(
            "half",
            "You divide by 2T. In this course T is 2/β, so the 1/2 of the normal distribution "
            "is in it already: the exponent is -|y - f|²/T.",
            SHARES(exponents=lambda squares, temperature: -squares / (2 * temperature)),
        ),
        Misconception(
            "temperature_squared",
            "You divide by T². T is in units of a squared distance already.",
            SHARES(exponents=lambda squares, temperature: -squares / temperature**2),
        ),
        Misconception(
            "as_width",
            "You divide by 2T², as if the temperature were a standard deviation. The exponent "
            "is -|y - f|²/T.",
            SHARES(exponents=lambda squares, temperature: -squares / (2 * temperature**2)),
        ),
        Misconception(
            "root_of_temperature",
            "You divide by the root of T. T is in units of a squared distance, so the exponent "
            "is -|y - f|²/T.",
            SHARES(exponents=lambda squares, temperature: -squares / np.sqrt(temperature)),
        ),
        Misconception(
            "temperature_multiplied",
            "You multiply by the temperature. High temperatures must make the shares more "
            "equal, so divide.",
            SHARES(exponents=lambda squares, temperature: -squares * temperature),
        ),
        Misconception(
            "half_multiplied",
            "You multiply by T/2, as if T were an inverse variance. High temperatures must make "
            "the shares more equal: the exponent is -|y - f|²/T.",
            SHARES(exponents=lambda squares, temperature: -squares * temperature / 2),
        ),
        Misconception(
            "temperature_forgotten",
            "Your shares do not depend on the temperature. The exponent is -|y - f|²/T.",
            SHARES(exponents=lambda squares: -squares),
        ),
        Misconception(
            "half_for_temperature",
            "Your exponent is -|y - f|²/2, without the temperature. It is -|y - f|²/T.",
            SHARES(exponents=lambda squares: -squares / 2),
        ),
        Misconception(
            "temperature_afterwards",
            "You subtract the smallest squared distance from exponents that are divided by T "
            "already. For far points the difference is not near zero then, and the exponentials "
            "over- or underflow. Divide both by T.",
            SHARES(
                shifted=lambda exponents, squares: exponents + squares.min(axis=1, keepdims=True)
            ),
        ),
        Misconception(
            "mean_of_squares",
            "You take the mean of the squared differences over the d columns. The squared "
            "distance is their sum.",
            SHARES(squares=lambda Y, values: np.mean((Y[:, None] - values) ** 2, axis=2)),
        ),
        Misconception(
            "first_column_only",
            "Your distances use only the first of the d columns. All of them count: sum their "
            "squared differences.",
            SHARES(squares=lambda Y, values: (Y[:, None] - values)[:, :, 0] ** 2),
        ),
        Misconception(
            "squared_after_sum",
            "You add up the differences of the d columns and square their sum, so that they can "
            "cancel. Square each difference, then add.",
            SHARES(squares=lambda Y, values: (Y[:, None] - values).sum(axis=2) ** 2),
        ),
        Misconception(
            "absolute_differences",
            "You add up absolute differences. The squared distance is the sum of their squares.",
            SHARES(squares=lambda Y, values: np.abs(Y[:, None] - values).sum(axis=2)),
        ),
        Misconception(
            "differences_pile_up",
            "You subtract the values from the same array one after the other, so that the "
            "differences pile up. Each value is subtracted from the data themselves: begin with "
            "a fresh difference for each code.",
            SHARES(squares=_piled_up),
        ),
        Misconception(
            "inner_products",
            "Your exponent has the inner products of points and values. The squared distance "
            "has |y|² - 2⟨y, f⟩ + |f|².",
            SHARES(exponents=lambda Y, values, temperature: Y @ values.T / temperature),
        ),
        Misconception(
            "sign",
            "The sign of your exponent is wrong: the farthest value has the greatest share.",
            SHARES(exponents=lambda squares, temperature: squares / temperature),
        ),
        Misconception(
            "sign_of_shift",
            "You add the smallest squared distance where you should subtract it. Then exponents "
            "get twice as large instead of smaller.",
            SHARES(shifted=lambda exponents: exponents + exponents.max(axis=1, keepdims=True)),
        ),
        Misconception(
            "largest_distance_subtracted",
            "You subtract the largest distance of each row. Then the nearest value has the "
            "largest exponential, which can overflow. Subtract the smallest: every exponent is "
            "then 0 or less.",
            SHARES(shifted=lambda exponents: exponents - exponents.min(axis=1, keepdims=True)),
        ),
        Misconception(
            "columns_sum_to_one",
            COLUMNS,
            SHARES(
                shifted=lambda exponents: exponents - exponents.max(axis=0),
                totals=lambda weights: weights.sum(axis=0),
            ),
        ),
        Misconception(
            "columns_after_rows",
            COLUMNS,
            SHARES(totals=lambda weights: weights.sum(axis=0)),
        ),
        Misconception(
            "all_sum_to_one",
            ALL,
            SHARES(
                shifted=lambda exponents: exponents - exponents.max(),
                totals=lambda weights: weights.sum(),
            ),
        ),
        Misconception(
            "all_after_rows",
            ALL,
            SHARES(totals=lambda weights: weights.sum()),
        ),
        Misconception(
            "not_normalised",
            "You have not divided by the sum over the codes, or you have divided by the "
            "greatest exponential of each point. Responsibilities of a point sum to one.",
            SHARES(R=lambda weights: weights),
        ),
        Misconception(
            "densities",
            "You return the exponentials as they are. Divide those of each point by their sum "
            "over the codes: its responsibilities sum to one. Before you do: for far points all "
            "of them are zero in floating point, so subtract the smallest squared distance of "
            "each point first.",
            SHARES(shifted=_unshifted, R=lambda weights: weights),
        ),
        Misconception(
            "mean_for_sum",
            "You divide by the mean over the codes. Divide by the sum, and the responsibilities "
            "of a point sum to one.",
            SHARES(totals=lambda weights: weights.mean(axis=1, keepdims=True)),
        ),
        Misconception(
            "logarithms",
            "You return the logarithms of the responsibilities.",
            SHARES(R=lambda weights, totals: np.log(weights / totals)),
        ),
        Misconception(
            "hard",
            "You give each point to its nearest code. That is the limit of T = 0, k-means' "
            "rule. At higher temperatures the others have shares, too.",
            SHARES(R=_one_hot),
        ),
        Misconception(
            "inverse_distances",
            "You weight by inverse squared distances. Gaussian noise asks for exp(-|y - f|²/T).",
            SHARES(weights=lambda squares, temperature: 1 / (squares + temperature)),
        ),
        Misconception(
            "transposed_result",
            "Your R has a row for each code. It must have a row for each point: R[i, k].",
            SHARES(R=lambda weights, totals: (weights / totals).T),
        ),
        Misconception(
            "shifted_by_mean",
            "You subtract the mean distance of each row. The nearest value can then still have "
            "an exponential that overflows. Subtract the smallest: every exponent is then 0 or "
            "less.",
            SHARES(shifted=lambda exponents: exponents - exponents.mean(axis=1, keepdims=True)),
        ),
        Misconception(
            "shifted_after_exp",
            "You subtract the greatest exponential of each row from the exponentials. The shift"
            " belongs into the exponent, before exp: there it is a factor that cancels.",
            SHARES(
                shifted=_unshifted,
                weights=lambda shifted: (
                    np.exp(shifted) - np.exp(shifted).max(axis=1, keepdims=True)
                ),
            ),
        ),
        Misconception(
            "divided_by_nearest",
            "You divide the squared distances of each row by the smallest one. That changes "
            "their differences. Subtract it: then numerator and denominator change by the same "
            "factor.",
            SHARES(
                shifted=lambda exponents, squares, temperature: (
                    -squares / squares.min(axis=1, keepdims=True) / temperature
                )
            ),
        ),
    ),
    hints=(
        "What is the share of a code, if only its squared distance and that of the nearest code are "
        "known, and there are no others? Write it as a function of the *difference* of the two.",
        "The squared distances are an N x K array: `np.sum((Y[:, None] - values)**2, axis=2)`. From "
        "each row subtract its minimum, with keepdims=True.",
        "`W = np.exp((least - squared) / temperature)` has a one in every row, so its row sums are at "
        "least one. Divide by them.",
    ),
    may_use=(),
)
