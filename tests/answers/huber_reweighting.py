"""Right and wrong answers to the exercise `huber_reweighting`, as learners write them."""

import math

import numpy as np
from scipy.special import huber as scipy_huber


def plain(Y, f, sigma):
    s = np.sqrt(np.sum((Y - f) ** 2, axis=1))
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    w = 1 / (2 * np.maximum(s, sigma))
    return cost, w, w @ Y / w.sum()


def by_loops(Y, f, sigma):
    cost, w = [], []
    for y in Y:
        s = math.dist(y, f)
        if s <= sigma:
            cost.append(s * s / 2 / sigma)
            w.append(1 / 2 / sigma)
        else:
            cost.append(s - sigma / 2)
            w.append(0.5 / s)
    centre = [sum(a * y[k] for a, y in zip(w, Y, strict=True)) / sum(w) for k in range(len(f))]
    return cost, w, centre


def with_masks(Y, f, sigma):
    r = np.array(Y) - f
    s = np.linalg.norm(r, axis=-1)
    far = s > sigma
    cost, w = s**2 / 2 / sigma, np.ones(len(s)) / (2 * sigma)
    cost[far] = s[far] - sigma / 2
    w[far] = 1 / (2 * s[far])
    return cost, w, np.average(Y, axis=0, weights=w)


def by_a_step(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    w = np.minimum(1 / sigma, 1 / np.where(s == 0, sigma, s)) / 2
    centre = f + np.einsum("n,nd->d", w, Y - f) / np.sum(w)
    return [scipy_huber(sigma, s) / sigma, w, centre]


def in_single_precision(Y, f, sigma):
    Y, f, sigma = Y.astype(np.float32), f.astype(np.float32), np.float32(sigma)
    s = np.sqrt(((Y - f) ** 2).sum(1))
    w = 1 / (2 * np.maximum(s, sigma))
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    return cost, w, (w[:, None] * Y).sum(0) / w.sum()


def by_minimum(Y, f, sigma):
    s = np.array([np.hypot.reduce(y - f) for y in Y])
    w = 0.5 / np.maximum(s, sigma)
    cut = np.minimum(s, sigma)
    cost = cut * (s - cut / 2) / sigma
    return cost, w, np.average(Y, axis=0, weights=w)


RIGHT = [plain, by_loops, with_masks, by_a_step, in_single_precision, by_minimum]


def _step(
    size=lambda r: np.sqrt(np.sum(r**2, axis=1)),
    near=lambda s, sigma: s <= sigma,
    square=lambda s, sigma: s**2 / (2 * sigma),
    straight=lambda s, sigma: s - sigma / 2,
    inner=lambda s, sigma: 1 / (2 * sigma) + 0 * s,
    outer=lambda s, sigma: 1 / (2 * np.where(s > 0, s, 1)),
    mean=lambda w, Y: w @ Y / np.sum(w),
):
    """`plain`, with one piece exchanged."""

    def step(Y, f, sigma):
        s = size(Y - f)
        within = near(s, sigma)
        cost = np.where(within, square(s, sigma), straight(s, sigma))
        w = np.where(within, inner(s, sigma), outer(s, sigma))
        return cost, w, mean(w, Y)

    return step


def each_column(Y, f, sigma):
    r = abs(Y - f)
    c = np.where(r <= sigma, r**2 / 2 / sigma, r - sigma / 2).sum(1)
    w = 0.5 / np.maximum(r, sigma)
    return c, w.mean(1), (w * Y).sum(0) / w.sum(0)


def weights_per_column(Y, f, sigma):
    r = abs(Y - f)
    w = 0.5 / np.maximum(r, sigma)
    return np.where(r <= sigma, r**2 / 2 / sigma, r - sigma / 2), w, (w * Y).sum(0) / w.sum(0)


def one_mean_cost(Y, f, sigma):
    cost, w, centre = plain(Y, f, sigma)
    return cost.mean(), w, centre


def distance_to_the_mean(Y, f, sigma):
    return plain(Y, Y.mean(0), sigma)


def shifts_the_data(Y, f, sigma):
    Y -= f
    cost, w, centre = plain(Y, 0 * f, sigma)
    return cost, w, centre + f


def textbook(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    w = np.minimum(1, sigma / np.maximum(s, 1e-300))
    return scipy_huber(sigma, s), w, w @ Y / w.sum()


def huber_weights(Y, f, sigma):
    cost, w, centre = plain(Y, f, sigma)
    return cost, np.minimum(1, 2 * sigma * w), centre


def until_settled(Y, f, sigma):
    """Many steps in place of one."""
    cost, w, centre = plain(Y, f, sigma)
    for _ in range(50):
        _, w, centre = plain(Y, centre, sigma)
    return cost, w, centre


def forgets_the_cost(Y, f, sigma):
    return plain(Y, f, sigma)[1:]


def equal_values(Y, f, sigma):
    """Equal values in place of equal slopes."""
    s = np.linalg.norm(Y - f, axis=1)
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    w = np.full(len(s), 1 / (2 * sigma))
    w[s > 0] = cost[s > 0] / s[s > 0] ** 2
    return cost, w, w @ Y / w.sum()


def nothing_at_zero(Y, f, sigma):
    """Afraid of 0/0."""
    s = np.linalg.norm(Y - f, axis=1)
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    slope = np.minimum(s / sigma, 1)
    w = np.divide(slope, 2 * s, out=np.zeros_like(s), where=s > 0)
    return cost, w, np.sum(w[:, None] * Y, axis=0) / np.sum(w)


def doubled_and_relative(Y, f, sigma):
    """Two mistakes: the 2 is lost, and f is not added back."""
    D = Y - f
    s = np.sqrt(np.sum(D**2, axis=1))
    near = s <= sigma
    cost = np.where(near, s**2 / (2 * sigma), s - sigma / 2)
    w = np.where(near, 1 / sigma, 1 / np.maximum(s, 1e-12))
    return cost, w, (w[:, None] * D).sum(axis=0) / w.sum()


WRONG = [
    ("column_by_column", each_column),
    ("shape", weights_per_column),
    ("shape", one_mean_cost),
    ("wrong_type", forgets_the_cost),
    ("about_the_mean", distance_to_the_mean),
    ("summed_distances", _step(size=lambda r: np.abs(r).sum(1))),
    ("squared_distance", _step(size=lambda r: (r**2).sum(1))),
    ("square_against_sigma", _step(near=lambda s, sigma: s**2 <= sigma)),
    ("offset_forgotten", _step(straight=lambda s, sigma: s)),
    ("half_forgotten", _step(square=lambda s, sigma: s**2 / sigma)),
    ("sigma_squared", _step(square=lambda s, sigma: (s / sigma) ** 2 / 2)),
    ("squared_cost", _step(straight=lambda s, sigma: s**2 / (2 * sigma))),
    ("weights_doubled", _step(inner=lambda s, sigma: 1 / sigma, outer=lambda s, sigma: 1 / s)),
    ("weights_at_most_one", huber_weights),
    ("other_scale", _step(square=lambda s, q: s**2 / 2, straight=lambda s, q: q * (s - q / 2))),
    ("slope_for_weight", _step(inner=lambda s, sigma: s / sigma, outer=lambda s, sigma: 1.0)),
    ("secant", _step(outer=lambda s, q: (s - q / 2) / np.where(s > 0, s, 1) ** 2)),
    ("far_ones_dropped", _step(outer=lambda s, sigma: 0 * s)),
    ("all_alike", _step(outer=lambda s, sigma: 1 / (2 * sigma))),
    ("divided_by_n", _step(mean=lambda w, Y: w @ Y / len(Y))),
    ("not_divided", _step(mean=lambda w, Y: w @ Y)),
    ("plain_mean", _step(mean=lambda w, Y: np.mean(Y, axis=0))),
    ("weights_squared", _step(mean=lambda w, Y: np.average(Y, axis=0, weights=w * w))),
    ("changes_input", shifts_the_data),
    ("textbook", textbook),
    ("weights_repeated", until_settled),
    # written with fresh eyes, from the exercise's text alone
    ("secant", equal_values),
    ("no_weight_at_zero", nothing_at_zero),
    ("weights_doubled", doubled_and_relative),
]
