"""Huber's cost, the weights of the squares that touch it, and the centre that they give."""

import numpy as np

from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise
from ukrlearn.rpm import costs

LOOSE = 2e-3  # of the largest value: single precision is no mistake
SIZES = ((7, 3), (5, 2), (11, 4))  # N, d


def reference(Y, f, sigma):
    cost = costs.huber(sigma)
    w = cost.weights(Y - f)
    return cost(Y - f), w[:, 0], (w * Y).sum(axis=0) / w.sum()


def trials(seed):
    random = np.random.default_rng(seed)
    four = np.array([[3.0, 4.0], [1.0, 0.0], [0.0, 2.0], [-6.0, 8.0]])
    made = [Trial("four points", dict(Y=four, f=np.array([0.0, 0.0]), sigma=2.0))]
    near = np.array([[3.0, 0.0], [0.0, 0.0], [6.0, 8.0], [0.0, -3.0], [1.0, 0.0]])
    made.append(Trial("five points", dict(Y=near, f=np.array([0.0, 0.0]), sigma=4.0)))
    for N, d in SIZES:
        Y = random.gamma(1.2, size=(N, d)) * (1 + np.arange(d)) - 0.4
        f = Y.mean(axis=0) + 0.3 * random.normal(size=d)
        sigma = np.median(np.linalg.norm(Y - f, axis=1)) * random.uniform(0.7, 0.95)
        made.append(Trial(f"N = {N}, d = {d}", dict(Y=Y, f=f, sigma=sigma)))
    made.append(Trial("all points near", dict(Y=Y, f=f, sigma=1000 * sigma)))
    least = np.linalg.norm(Y - f, axis=1).min()
    made.append(Trial("all points far but one", dict(Y=Y, f=f, sigma=1.01 * least)))
    on_it = np.vstack([Y, f])
    made.append(Trial("a point at the centre", dict(Y=on_it, f=f, sigma=sigma)))
    made.append(Trial("an outlier", dict(Y=np.vstack([Y, f + 500]), f=f, sigma=sigma)))
    centred = np.vstack([Y - Y.mean(axis=0), np.zeros((2, d)), Y[:1] - Y.mean(axis=0)])
    origin = dict(Y=centred, f=np.zeros(d), sigma=sigma)
    made.append(Trial("around the origin, with equal rows and zeros", origin))
    made.append(Trial("a thousand times larger", dict(Y=1e3 * Y, f=1e3 * f, sigma=1e3 * sigma)))
    return made


HUBER = pipeline(
    "Y f sigma",
    returns="cost w centre",
    differences=lambda Y, f: Y - f,
    s=lambda differences: np.linalg.norm(differences, axis=1),
    near=lambda s, sigma: s <= sigma,
    square=lambda s, sigma: s**2 / (2 * sigma),
    straight=lambda s, sigma: s - sigma / 2,
    cost=lambda near, square, straight: np.where(near, square, straight),
    inner=lambda sigma: 1 / (2 * sigma),
    outer=lambda s: 1 / (2 * s),
    w=lambda near, inner, outer: np.where(near, inner, outer),
    weighted=lambda w, Y: w @ Y,
    total=lambda w: w.sum(),
    centre=lambda weighted, total: weighted / total,
)


# Mistakes in a stage


def _slope(s, sigma):
    return np.minimum(s / sigma, 1)


def _by_robust_scale(differences):
    """As in R's rlm: in units of the median, which makes it a standard deviation for a Gaussian."""
    sizes = HUBER.s(differences)
    return sizes / (1.4826 * np.median(sizes))


def _columnwise(Y, f, sigma):
    r = np.abs(Y - f)
    w = 1 / (2 * np.maximum(r, sigma))
    pieces = np.where(r <= sigma, r**2 / (2 * sigma), r - sigma / 2)
    return pieces.sum(axis=1), w.mean(axis=1), (w * Y).sum(axis=0) / w.sum(axis=0)


def _costs(Y, f, sigma):
    return HUBER()(Y, f, sigma)[0]


def _touches(result, Y, f, sigma):
    """w s² + const lies above the cost everywhere, and touches it at the distances."""
    c, w, _ = result
    sizes = HUBER.s(Y - f)
    other = np.linspace(0, 1.5, 40)[:, None] * sizes.max() + sigma * 1e-3
    above = c + w * (other**2 - sizes**2)
    slack = LOOSE * np.abs(above).max()
    wanted = np.where(other <= sigma, other**2 / (2 * sigma), other - sigma / 2)
    return bool((above >= wanted - slack).all())


def _lowers(result, Y, f, sigma):
    return bool(_costs(Y, result[2], sigma).mean() <= _costs(Y, f, sigma).mean() + 1e-9)


def _is_weighted_mean(result, Y, f, sigma):
    _, w, centre = result
    pull = np.sum(w[:, None] * (Y - centre), axis=0)
    size = np.sum(np.abs(w)[:, None] * (np.abs(Y) + np.abs(f)), axis=0)
    return bool((np.abs(pull) <= LOOSE * size).all())


def _at_rest(Y, f, sigma):
    """The centre after so many steps that none moves it."""
    for _ in range(100):
        weights = 1 / (2 * np.maximum(np.linalg.norm(Y - f, axis=1), sigma))
        f = weights @ Y / weights.sum()
    return f


def _weights_at_rest(Y, f, sigma):
    rest = _at_rest(Y, f, sigma)
    return (_costs(Y, f, sigma), HUBER()(Y, rest, sigma)[1], rest)


MISTAKES = (
    HUBER.mistake("weights_along_columns", weighted=lambda w, Y: (w * Y).sum(axis=0)),
    Misconception("column_by_column", mistaken=_columnwise),
    HUBER.mistake("about_the_mean", differences=lambda Y: Y - Y.mean(axis=0)),
    HUBER.mistake("average_without_axis", centre=lambda Y, w: np.average(Y, weights=w)),
    HUBER.mistake("from_the_median", differences=lambda Y: Y - np.median(Y, axis=0)),
    HUBER.mistake("robust_scale", s=_by_robust_scale),
    HUBER.mistake(
        "median_scale", s=lambda differences: HUBER.s(differences) / np.median(HUBER.s(differences))
    ),
    HUBER.mistake("relative_distances", s=lambda differences, sigma: HUBER.s(differences) / sigma),
    HUBER.mistake("mean_squares", s=lambda differences: np.sqrt(np.mean(differences**2, axis=1))),
    HUBER.mistake("largest_difference", s=lambda differences: np.abs(differences).max(axis=1)),
    HUBER.mistake("summed_distances", s=lambda differences: np.abs(differences).sum(axis=1)),
    HUBER.mistake("square_against_sigma", near=lambda s, sigma: s**2 <= sigma),
    HUBER.mistake("weights_swapped", w=lambda near, inner, outer: np.where(near, outer, inner)),
    HUBER.mistake("straight_times_sigma", straight=lambda s, sigma: sigma * (s - sigma / 2)),
    HUBER.mistake(
        "other_scale",
        cost=lambda sigma, near, square, straight: sigma * HUBER.cost(near, square, straight),
    ),
    HUBER.mistake("sigma_squared", square=lambda s, sigma: s**2 / (2 * sigma**2)),
    HUBER.mistake("far_weights_sigma", outer=lambda s, sigma: sigma / s),
    HUBER.mistake("far_weights_sigma_half", outer=lambda s, sigma: sigma / (2 * s)),
    HUBER.mistake("far_weights_squared", outer=lambda s: 1 / (2 * s**2)),
    HUBER.mistake("far_weights_one", outer=lambda s: np.full(len(s), 0.5)),
    HUBER.mistake("cost_for_weight", w=lambda cost: cost),
    HUBER.mistake("weights_at_most_one", w=lambda s, sigma: np.minimum(1, sigma / s)),
    HUBER.mistake("slope_for_weight", w=lambda s, sigma: _slope(s, sigma)),
    HUBER.mistake("half_slope_for_weight", w=lambda s, sigma: _slope(s, sigma) / 2),
    HUBER.mistake("secant", outer=lambda s, straight: straight / s**2),
    HUBER.mistake("zero_by_zero", w=lambda s, sigma: _slope(s, sigma) / (2 * s)),
    HUBER.mistake("zero_by_zero_doubled", w=lambda s, sigma: _slope(s, sigma) / s),
    HUBER.mistake("secant_everywhere", w=lambda s, cost: cost / s**2),
    HUBER.mistake("inverse_everywhere", w=lambda s: 1 / (2 * np.maximum(s, 1e-12))),
    HUBER.mistake("all_alike", outer=lambda s, inner: np.full(len(s), inner)),
    HUBER.mistake("half_the_way", centre=lambda weighted, total, f: (f + weighted / total) / 2),
    HUBER.mistake("divided_by_n", total=lambda w: len(w)),
    HUBER.mistake("median", centre=lambda Y: np.median(Y, axis=0)),
    HUBER.mistake("plain_mean", centre=lambda Y: Y.mean(axis=0)),
    HUBER.mistake("weights_squared", centre=lambda Y, w: w**2 @ Y / np.sum(w**2)),
    HUBER.mistake("step_returned", centre=lambda weighted, total, f: weighted / total - f),
    HUBER.mistake("centre_stays", centre=lambda f: f),
    HUBER.mistake("old_centre_added", centre=lambda weighted, total, f: f + weighted / total),
    Misconception(
        "repeated", mistaken=lambda Y, f, sigma: (*HUBER()(Y, f, sigma)[:2], _at_rest(Y, f, sigma))
    ),
    Misconception(
        "all_repeated", mistaken=lambda Y, f, sigma: HUBER()(Y, _at_rest(Y, f, sigma), sigma)
    ),
    HUBER.mistake(
        "distances_of_columns", s=lambda differences: np.linalg.norm(differences, axis=0)
    ),
    Misconception("weights_repeated", mistaken=_weights_at_rest),
)


EXERCISE = exercise(
    "huber_reweighting",
    lesson="22_one_functional",
    equations="[RPM] (8)",
    minutes=20,
    shapes={"Y": "N d", "f": "d", "sigma": ""},
    returns={"cost": "N", "w": "N", "centre": "d"},
    trials=trials,
    reference=reference,
    stages=HUBER,
    properties=(
        Property("not_lower", holds=_lowers),
        Property("not_touching", holds=_touches),
        Property("not_balanced", holds=_is_weighted_mean),
    ),
    misconceptions=MISTAKES,
)
