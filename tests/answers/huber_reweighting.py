"""Right and wrong answers to the exercise `huber_reweighting`, as learners write them."""

import numpy as np
from scipy.special import huber as scipy_huber


def plain(Y, f, sigma):
    s = np.sqrt(np.sum((Y - f) ** 2, axis=1))
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    w = 1 / (2 * np.maximum(s, sigma))
    return cost, w, w @ Y / w.sum()


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


RIGHT = [plain, by_a_step, in_single_precision, by_minimum]


def weights_per_column(Y, f, sigma):
    r = abs(Y - f)
    w = 0.5 / np.maximum(r, sigma)
    return np.where(r <= sigma, r**2 / 2 / sigma, r - sigma / 2), w, (w * Y).sum(0) / w.sum(0)


def one_mean_cost(Y, f, sigma):
    cost, w, centre = plain(Y, f, sigma)
    return cost.mean(), w, centre


def shifts_the_data(Y, f, sigma):
    Y -= f
    cost, w, centre = plain(Y, 0 * f, sigma)
    return cost, w, centre + f


def forgets_the_cost(Y, f, sigma):
    return plain(Y, f, sigma)[1:]


def doubled_and_relative(Y, f, sigma):
    """Two mistakes: the 2 is lost, and f is not added back."""
    D = Y - f
    s = np.sqrt(np.sum(D**2, axis=1))
    near = s <= sigma
    cost = np.where(near, s**2 / (2 * sigma), s - sigma / 2)
    w = np.where(near, 1 / sigma, 1 / np.maximum(s, 1e-12))
    return cost, w, (w[:, None] * D).sum(axis=0) / w.sum()


WRONG = [
    ("shape", weights_per_column),
    ("shape", one_mean_cost),
    ("wrong_type", forgets_the_cost),
    ("changes_input", shifts_the_data),
    # written with fresh eyes, from the exercise's text alone
    ("weights_doubled", doubled_and_relative),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    column_by_column about_the_mean summed_distances squared_distance square_against_sigma
    offset_forgotten half_forgotten sigma_squared weights_doubled weights_at_most_one other_scale
    slope_for_weight secant far_ones_dropped all_alike divided_by_n plain_mean weights_squared
    weights_repeated secant
""".split()
