"""Responsibilities of a GTM: a softmax of squared distances that neither over- nor underflows."""

import numpy as np

from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise
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


SHARES = pipeline(
    "Y values temperature",
    squares=lambda Y, values: np.sum((Y[:, None] - values) ** 2, axis=2),
    exponents=lambda squares, temperature: -squares / temperature,
    shifted=lambda exponents: exponents - exponents.max(axis=1, keepdims=True),
    weights=lambda shifted: np.exp(shifted),
    totals=lambda weights: weights.sum(axis=1, keepdims=True),
    R=lambda weights, totals: weights / totals,
)


# Mistakes


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
CUTS = (50, 100, 500, 700)


def _small(number):
    return SHARES(
        shifted=_unshifted, totals=lambda weights: weights.sum(axis=1, keepdims=True) + number
    )


def _cut(number):
    return SHARES(shifted=lambda exponents: np.maximum(exponents, -number))


def _finite(R, **given):
    return bool(np.isfinite(R).all())


def _rows_sum_to_one(R, **given):
    return bool((np.abs(np.nansum(R, axis=1) - 1) < 1e-3).all())


def _nearest_has_most(R, Y, values, **given):
    nearest = SHARES.squares(Y, values).argmin(axis=1)[:, None]
    return bool((np.take_along_axis(R, nearest, 1)[:, 0] >= R.max(axis=1) - 1e-6).all())


MISTAKES = (
    *(Misconception(f"small_number_{small}", mistaken=_small(float(small))) for small in SMALLS),
    *(Misconception(f"exponents_cut_{cut}", mistaken=_cut(cut)) for cut in CUTS),
    SHARES.mistake("far_points_evenly", shifted=_unshifted, R=_far_evenly),
    SHARES.mistake("far_points_to_nearest", shifted=_unshifted, R=_far_to_nearest),
    *SHARES.mistakes(
        "exponents",
        temperature_squared=lambda squares, temperature: -squares / temperature**2,
        as_width=lambda squares, temperature: -squares / (2 * temperature**2),
        half_multiplied=lambda squares, temperature: -squares * temperature / 2,
        half_for_temperature=lambda squares: -squares / 2,
        inner_products=lambda Y, values, temperature: Y @ values.T / temperature,
    ),
    SHARES.mistake("differences_pile_up", squares=_piled_up),
    SHARES.mistake(
        "columns_sum_to_one",
        shifted=lambda exponents: exponents - exponents.max(axis=0),
        totals=lambda weights: weights.sum(axis=0),
    ),
    SHARES.mistake("columns_after_rows", totals=lambda weights: weights.sum(axis=0)),
    SHARES.mistake("all_after_rows", totals=lambda weights: weights.sum()),
    SHARES.mistake("densities", shifted=_unshifted, R=lambda weights: weights),
    SHARES.mistake("logarithms", R=lambda weights, totals: np.log(weights / totals)),
    SHARES.mistake("hard", R=_one_hot),
    SHARES.mistake(
        "inverse_distances", weights=lambda squares, temperature: 1 / (squares + temperature)
    ),
)


EXERCISE = exercise(
    "gtm_responsibilities",
    lesson="25_noisy_codes",
    equations="[RPM] 6.1, (36)",
    minutes=15,
    shapes={"Y": "N d", "values": "K d", "temperature": ""},
    returns={"R": "N K"},
    trials=trials,
    reference=reference,
    stages=SHARES,
    properties=(
        Property("not_a_number", holds=_finite),
        Property("rows_do_not_sum_to_one", holds=_rows_sum_to_one),
        Property("nearest_is_not_first", holds=_nearest_has_most),
    ),
    misconceptions=MISTAKES,
    may_use=(),
)
