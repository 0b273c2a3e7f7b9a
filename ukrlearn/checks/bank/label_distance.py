"""Distances that know the labels, [SI] (1), without overflow."""

import numpy as np

from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise

SIZES = ((7, 3, 2), (6, 4, 3), (11, 2, 2))  # N, d, number of classes
GREATEST = (
    1200.0  # of e² / β in the trial of long distances: exp overflows at 709, its root at 1419
)
SMALLEST = 1e-6  # rounding of a root of a difference near zero


def reference(Y, labels, alpha, times):
    s = _squares(Y) / (times * _mean_square(_squares(Y)))
    within = np.sqrt(-np.expm1(-s))
    between = np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s))
    return np.where(_alike(labels), within, between)


def _squares(Y):
    return np.sum((Y[:, None] - Y) ** 2, axis=2)


def _mean_square(E2):
    N = len(E2)
    return E2.sum() / (N * (N - 1))


def _alike(labels):
    return labels[:, None] == labels


def trials(seed):
    random = np.random.default_rng(seed)
    line = dict(Y=np.array([[0.0], [1.0], [2.0]]), labels=np.array([1, 1, 2]), alpha=0.5, times=0.5)
    made = [Trial("three points on a line, β = 1", line)]
    long = dict(line, times=0.0025)
    made.append(Trial("three points on a line, e²/β up to 800", long))
    cross = np.array([[0.0, 0.0], [0.0, 0.0], [3.0, 4.0], [-5.0, 0.0]])
    of_cross = dict(Y=cross, labels=np.array([-1, 2, 2, -1]), alpha=0.75, times=2.0)
    made.append(Trial("four points around the origin, two of them in it", of_cross))
    for N, d, classes in SIZES:
        Y = random.gamma(1.5, size=(N, d)) * (1 + np.arange(d)) + 2
        labels = random.permutation(np.arange(N) % classes) * 3 - 1
        arguments = dict(
            Y=Y, labels=labels, alpha=random.uniform(0.3, 0.9), times=random.uniform(0.6, 1.6)
        )
        made.append(Trial(f"N = {N}, d = {d}, {classes} classes", arguments))
    made.append(Trial("α = 0", dict(arguments, alpha=0.0)))
    made.append(Trial("a large unit, so that α counts", dict(arguments, times=30.0)))
    made.append(Trial("data a thousand times larger", dict(arguments, Y=1000 * Y)))
    centred = Y - Y.mean(axis=0)
    centred[0] = 0
    made.append(Trial("data around the origin", dict(arguments, Y=centred)))
    twins = Y.copy()
    twins[1] = twins[0]
    twins[3] = twins[2]
    of_twins = labels.copy()
    of_twins[:4] = [2, 2, 2, 5]  # the second pair of equal points has different labels
    made.append(Trial("equal points", dict(arguments, Y=twins, labels=of_twins)))
    alone = np.where(np.arange(N) == 4, 7, 3)
    made.append(Trial("a class with one member", dict(arguments, labels=alone)))
    made.append(Trial("a single class", dict(arguments, labels=np.full(N, 4))))
    E2 = _squares(Y)
    ends = np.unravel_index(E2.argmax(), E2.shape)
    far = np.where(np.arange(N) == ends[0], 1, 2)  # the longest distance is between classes
    small = E2.max() / (GREATEST * _mean_square(E2))
    made.append(Trial("a tiny unit, long distances", dict(arguments, labels=far, times=small)))
    return made


def mean_square(squares):
    """the mean of e² over all pairs of different points"""
    N = len(squares)
    return np.sum(squares) / (N * (N - 1))


CASES = pipeline(
    "Y labels alpha times",
    squares=lambda Y: np.sum((Y[:, None] - Y) ** 2, axis=2),
    mean_square=mean_square,
    beta=lambda mean_square, times: times * mean_square,
    s=lambda squares, beta: squares / beta,
    within=lambda s: np.sqrt(1 - np.exp(-s)),
    root=lambda s: np.exp(s / 2),
    damping=lambda s, alpha: np.sqrt(1 - alpha * np.exp(-s)),
    product=lambda root, damping: root * damping,
    between=lambda product: product,
    alike=lambda labels: labels[:, None] == labels,
    Q=lambda alike, within, between: np.where(alike, within, between),
)


# Mistakes


def _pairs(squares):
    return squares[np.triu_indices(len(squares), 1)]


def _too_long(s):
    with np.errstate(over="ignore"):
        return np.isinf(np.exp(s))


def _infinite(s, product):
    """exp(s) is formed before its root is taken."""
    return np.where(_too_long(s), np.inf, product)


def _replaced(s, product):
    return np.where(_too_long(s), np.sqrt(np.finfo(float).max), product)


def _clipped(most):
    """Exponents cut off, in both cases; the first one is 1 there to all digits."""
    return CASES(s=lambda squares, beta: np.minimum(squares / beta, most))


def _of_pairs(which):
    """The mean over pairs with the same or with different labels; over all if there are none."""

    def mean_square(squares, labels):
        chosen = which(labels) & ~np.eye(len(squares), dtype=bool)
        return squares[chosen if chosen.any() else ~np.eye(len(squares), dtype=bool)].mean()

    return CASES(mean_square=mean_square)


def _as_indices(labels):
    """Rows of an identity matrix; a negative label counts from its end."""
    one_hot = np.eye(labels.max() + 1)[labels]
    return one_hot @ one_hot.T > 0


def _as_rows(labels):
    return np.eye(len(np.unique(labels)))[labels]


def _as_columns(labels):
    one_hot = np.zeros((len(labels), len(np.unique(labels))))
    one_hot[np.arange(len(labels)), labels] = 1
    return one_hot @ one_hot.T > 0


def _symmetric(Q, **given):
    return bool(np.allclose(Q, Q.T, rtol=1e-4, atol=1e-9))


def _within_one(Q, Y, labels, alpha, times):
    within = Q[_alike(labels)]
    return bool((within >= 0).all() and (within <= 1 + SMALLEST).all())


def _gap(Q, Y, labels, alpha, times):
    between = Q[~_alike(labels)]
    return bool((between >= np.sqrt(1 - alpha) * (1 - 1e-3)).all())


def _all_finite(Q, **given):
    return bool(np.isfinite(Q).all())


def _zero_to_itself(Q, **given):
    return bool((np.abs(np.diagonal(Q)) < 1e-3).all())


MISTAKES = (
    CASES.mistake("overflow", between=_infinite),
    Misconception("clipped", mistaken=_clipped(700)),
    Misconception("clipped_at_709", mistaken=_clipped(709)),
    Misconception("clipped_at_600", mistaken=_clipped(600)),
    Misconception("clipped_at_500", mistaken=_clipped(500)),
    CASES.mistake("replaced", between=_replaced),
    CASES.mistake("long_as_zero", between=lambda s, product: np.where(_too_long(s), 0, product)),
    CASES.mistake("alpha_outside", product=lambda root, alpha: root - alpha),
    CASES.mistake("root_of_each_term", product=lambda root, alpha: root - np.sqrt(alpha)),
    CASES.mistake(
        "alpha_half_damped", damping=lambda s, alpha: np.sqrt(1 - alpha * np.exp(-s / 2))
    ),
    CASES.mistake("alpha_in_both", within=lambda s, alpha: np.sqrt(1 - alpha * np.exp(-s))),
    CASES.mistake("alpha_from_both", within=lambda s, alpha: np.sqrt(1 - np.exp(-s) - alpha)),
    CASES.mistake(
        "alpha_from_both_clipped",
        within=lambda s, alpha: np.sqrt(np.maximum(1 - np.exp(-s) - alpha, 0)),
    ),
    CASES.mistake("alpha_for_one", within=lambda s, alpha: np.sqrt(np.abs(alpha - np.exp(-s)))),
    CASES.mistake(
        "cases_exchanged", Q=lambda alike, within, between: CASES.Q(alike, between, within)
    ),
    CASES.mistake("root_of_exponent", root=lambda s: np.exp(np.sqrt(s))),
    CASES.mistake("not_squared", s=lambda squares, beta: np.sqrt(squares) / beta),
    CASES.mistake("beta_squared", s=lambda squares, beta: squares / beta**2),
    CASES.mistake("mean_distance", mean_square=lambda squares: np.sqrt(_pairs(squares)).mean()),
    CASES.mistake(
        "mean_distance_squared", mean_square=lambda squares: np.sqrt(_pairs(squares)).mean() ** 2
    ),
    CASES.mistake("zeros_left_out", mean_square=lambda squares: squares[squares > 0].mean()),
    CASES.mistake("total_variance", mean_square=lambda squares: np.mean(squares) / 2),
    CASES.mistake("sum_for_mean", mean_square=lambda squares: squares.sum()),
    CASES.mistake("sum_of_pairs", mean_square=lambda squares: squares.sum() / 2),
    CASES.mistake("per_column", mean_square=lambda squares, Y: mean_square(squares) / Y.shape[1]),
    Misconception("of_classes_apart", mistaken=_of_pairs(lambda labels: ~CASES.alike(labels))),
    Misconception("of_each_class", mistaken=_of_pairs(CASES.alike)),
    CASES.mistake("greatest", mean_square=lambda squares: squares.max()),
    CASES.mistake("median", mean_square=lambda squares: np.median(_pairs(squares))),
    CASES.mistake("times_upside_down", beta=lambda mean_square, times: mean_square / times),
    CASES.mistake("times_squared", beta=lambda mean_square, times: times**2 * mean_square),
    CASES.mistake("exponent_sign", within=lambda s: np.sqrt(np.abs(1 - np.exp(s)))),
    CASES.mistake("labels_as_numbers", alike=lambda labels: labels[:, None] * labels > 0),
    CASES.mistake("labels_as_indices", alike=_as_indices),
    CASES.mistake("labels_as_rows", alike=_as_rows),
    CASES.mistake("labels_as_columns", alike=_as_columns),
    CASES.mistake(
        "alpha_outside_literal", product=lambda root, alpha: root - alpha, between=_infinite
    ),
    CASES.mistake(
        "one_for_alpha_literal", damping=lambda s: np.sqrt(1 - np.exp(-s)), between=_infinite
    ),
    CASES.mistake("within_halved", within=lambda s: np.sqrt(1 - np.exp(-s / 2))),
    CASES.mistake("standardised", squares=lambda Y: CASES.squares(Y / Y.std(axis=0))),
)


EXERCISE = exercise(
    "label_distance",
    lesson="29_labels_inside",
    equations="[SI] (1)",
    minutes=20,
    shapes={"Y": "N d", "labels": "N", "alpha": "", "times": ""},
    returns={"Q": "N N"},
    trials=trials,
    reference=reference,
    stages=CASES,
    properties=(
        Property("finite", holds=_all_finite),
        Property("symmetric", holds=_symmetric),
        Property("zero_to_itself", holds=_zero_to_itself),
        Property("within_one", holds=_within_one),
        Property("gap", holds=_gap),
    ),
    misconceptions=MISTAKES,
)
