"""Responsibilities of a GTM: a softmax of squared distances that neither over- nor underflows."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
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
    made = [Trial("three points, two codes", three)]
    for N, K, d, T in SIZES:
        Y = random.normal(size=(N, d)) * (1 + 0.5 * np.arange(d)) + 0.7
        values = random.normal(size=(K, d)) + 0.5
        made.append(Trial(f"N = {N}, K = {K}, d = {d}", dict(Y=Y, values=values, temperature=T)))
    values = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 2.0], [1.0, 0.0], [0.3, -0.4]])
    Y = np.vstack([np.zeros((1, 2)), random.normal(size=(2, 2))])
    Y -= Y.mean(axis=0) * [[0], [1.5], [1.5]]  # centred, and the first row stays zero
    ties = dict(Y=Y, values=values, temperature=0.9)
    made.append(Trial("a point at the origin, two equal values", ties))
    N, K = 4, 6
    Y, values = random.normal(size=(N, 3)), random.normal(size=(K, 3))
    made.append(Trial("a high temperature", dict(Y=Y, values=values, temperature=50.0)))
    made.append(Trial("a low temperature", dict(Y=Y, values=values, temperature=0.5)))
    units = dict(Y=1e3 * Y, values=1e3 * values, temperature=2e6)
    made.append(Trial("data a thousand times larger", units))
    on_line = np.column_stack([random.normal(size=(K, 2)), np.zeros(K)])
    Y = np.vstack([Y, [0.3, -0.2, FAR], [0.1, 0.4, -FAR]])
    made.append(Trial("two points far from all values", dict(Y=Y, values=on_line, temperature=1.0)))
    all_far = dict(Y=Y[[4, 4, 5]] * [1.5, 0.8, 1.0] + [[0.2, 0, 0], [0, 0.5, 0], [0, 0, 0]],
                   values=on_line, temperature=1.0)  # fmt: skip
    made.append(Trial("all points far from all values", all_far))
    return made


# Right parts, and mistakes


def _squared(Y, values):
    return np.sum((Y[:, None] - values) ** 2, axis=2)


def _exponents(Y, values, T):
    return -_squared(Y, values) / T


def _shifted(E):
    return np.exp(E - E.max(axis=1, keepdims=True))


def _rows(W):
    return W / W.sum(axis=1, keepdims=True)


def _made(exponents=_exponents, weights=_shifted, shares=_rows):
    """Responsibilities with one stage exchanged."""

    def answer(Y, values, temperature):
        with np.errstate(all="ignore"):
            return shares(weights(exponents(Y, values, temperature)))

    return answer


UNDERFLOW = (
    "For points far from all values every exponential is zero in floating point, and 0/0 is nan. "
    "Subtract the smallest squared distance of each point first: numerator and denominator change "
    "by the same factor, so no share changes."
)


def _both(id_, says, **stage):
    """A mistake, and the same beside exponentials that underflow."""
    return (
        Misconception(id_, says, _made(**stage)),
        Misconception(f"{id_}_and_underflow", f"{says} Also: {UNDERFLOW}",
                      _made(**{"weights": np.exp, **stage})),
    )  # fmt: skip


def _one_hot(W):
    R = np.zeros_like(W)
    R[np.arange(len(W)), W.argmax(axis=1)] = 1
    return R


def _log_rows(W):
    return np.log(_rows(W))


def _inverse(Y, values, temperature):
    return _rows(1 / (_squared(Y, values) + temperature))


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
    properties=(
        Property(
            "not_a_number",
            "All responsibilities are numbers, for far points too.",
            UNDERFLOW,
            _finite,
        ),
        Property(
            "rows_do_not_sum_to_one",
            "The responsibilities of each point sum to one.",
            "The rows of your R do not sum to one. Each point is shared among the codes: divide "
            "by the sum over k of the same point i.",
            lambda R, **given: bool((np.abs(np.nansum(R, axis=1) - 1) < 1e-3).all()),
        ),
        Property(
            "nearest_is_not_first",
            "The nearest value has the greatest responsibility.",
            "Somewhere the greatest responsibility does not belong to the nearest value. Look at the "
            "sign of the exponent, and at the axis over which you sum.",
            lambda R, Y, values, **given: bool(
                (
                    np.take_along_axis(R, _squared(Y, values).argmin(axis=1)[:, None], 1)[:, 0]
                    >= R.max(axis=1) - 1e-6
                ).all()
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "shift_of_all",
            "You subtract one number for all points, the smallest of all squared distances. Points "
            "far from all values still get exponentials of zero, and 0/0. Each point needs its own "
            "smallest distance: axis=1, keepdims=True.",
            _made(weights=lambda E: np.exp(E - E.max())),
        ),
        Misconception("underflow", UNDERFLOW, _made(weights=np.exp)),
        Misconception(
            "shift_of_columns",
            "You subtract the smallest distance of each *code*, a column. This changes the ratios "
            "within a row. Subtract the smallest distance of each point: axis=1.",
            _made(weights=lambda E: np.exp(E - E.max(axis=0))),
        ),
        Misconception(
            "far_points_lost",
            "Points far from all values belong to nobody in your R: a small number in the denominator, "
            "or a zero in place of nan, hides 0/0 and leaves a row of zeros. Subtract the smallest "
            "squared distance of each point before the exponential; then there is nothing to hide.",
            _made(weights=np.exp, shares=lambda W: np.nan_to_num(_rows(W))),
        ),
        Misconception(
            "distance_not_squared",
            "The exponent has the distance and not its square. A normal distribution has the "
            "squared distance in its exponent.",
            _made(exponents=lambda Y, values, T: -np.sqrt(_squared(Y, values)) / T),
        ),
        *_both(
            "half",
            "You divide by 2T. In this course T is 2/β, so the 1/2 of the normal distribution is in "
            "it already: the exponent is -|y - f|²/T.",
            exponents=lambda Y, values, T: -_squared(Y, values) / (2 * T),
        ),
        *_both(
            "temperature_squared",
            "You divide by T². T is in units of a squared distance already.",
            exponents=lambda Y, values, T: -_squared(Y, values) / T**2,
        ),
        *_both(
            "as_width",
            "You divide by 2T², as if the temperature were a standard deviation. The exponent is "
            "-|y - f|²/T.",
            exponents=lambda Y, values, T: -_squared(Y, values) / (2 * T**2),
        ),
        *_both(
            "temperature_multiplied",
            "You multiply by the temperature. High temperatures must make the shares more equal, "
            "so divide.",
            exponents=lambda Y, values, T: -_squared(Y, values) * T,
        ),
        *_both(
            "temperature_forgotten",
            "Your shares do not depend on the temperature. The exponent is -|y - f|²/T.",
            exponents=lambda Y, values, T: -_squared(Y, values),
        ),
        *_both(
            "mean_of_squares",
            "You take the mean of the squared differences over the d columns. The squared distance "
            "is their sum.",
            exponents=lambda Y, values, T: -np.mean((Y[:, None] - values) ** 2, axis=2) / T,
        ),
        *_both(
            "sign",
            "The sign of your exponent is wrong: the farthest value has the greatest share.",
            exponents=lambda Y, values, T: _squared(Y, values) / T,
        ),
        Misconception(
            "columns_sum_to_one",
            COLUMNS,
            _made(weights=lambda E: np.exp(E - E.max(axis=0)), shares=lambda W: W / W.sum(axis=0)),
        ),
        Misconception("columns_after_rows", COLUMNS, _made(shares=lambda W: W / W.sum(axis=0))),
        Misconception(
            "all_sum_to_one",
            ALL,
            _made(weights=lambda E: np.exp(E - E.max()), shares=lambda W: W / W.sum()),
        ),
        Misconception("all_after_rows", ALL, _made(shares=lambda W: W / W.sum())),
        *_both(
            "not_normalised",
            "You have not divided by the sum over the codes. Responsibilities of a point sum to one.",
            shares=lambda W: W,
        ),
        *_both(
            "logarithms",
            "You return the logarithms of the responsibilities.",
            shares=_log_rows,
        ),
        Misconception(
            "hard",
            "You give each point to its nearest code. That is the limit of T = 0, k-means' rule. "
            "At higher temperatures the others have shares, too.",
            _made(shares=_one_hot),
        ),
        Misconception(
            "inverse_distances",
            "You weight by inverse squared distances. Gaussian noise asks for exp(-|y - f|²/T).",
            _inverse,
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
