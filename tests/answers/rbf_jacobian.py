"""Right and wrong answers to the exercise `rbf_jacobian`, as learners write them."""

import math

import numpy as np
from scipy.spatial.distance import cdist


def one_matrix_product(x, centres, width, W):
    """J_n = Wᵀ diag(φ) (μ - x) / σ²."""
    phi = np.exp(-0.5 * (cdist(x, centres) / width) ** 2)
    return np.stack([W.T @ (p[:, None] * (centres - a)) for p, a in zip(phi, x, strict=True)]) / (
        width * width
    )


def two_sums(x, centres, width, W):
    """The sum with the centres, minus x times f."""
    phi = np.exp(-cdist(x, centres, "sqeuclidean") / (2 * width**2))
    f = phi @ W
    J = np.empty((*f.shape, x.shape[1]))
    for l in range(x.shape[1]):
        J[:, :, l] = phi @ (W * centres[:, [l]]) - f * x[:, [l]]
    J /= width**2
    return J


def single_precision(x, centres, width, W):
    x, centres, W = (np.asarray(a, dtype=np.float32) for a in (x, centres, W))
    away = x[:, None, :] - centres
    phi = np.exp(-np.einsum("nmq,nmq->nm", away, away) / np.float32(2 * width**2))
    return -np.einsum("nm,nmq,md->ndq", phi, away, W) / np.float32(width**2)


def checked_and_in_place(x, centres, width, W):
    x, centres = np.array(x, dtype=float), np.array(centres, dtype=float)
    if centres.shape[1] != x.shape[1] or len(W) != len(centres) or width <= 0:
        raise ValueError("shapes")
    x /= width
    centres /= width
    toward = centres[None] - x[:, None]
    phi = np.exp(-(toward**2).sum(-1) / 2)
    toward *= phi[:, :, None]
    return np.swapaxes(np.swapaxes(toward, 1, 2) @ W, 1, 2) / width


RIGHT = [one_matrix_product, two_sums, single_precision, checked_and_in_place]


def _looped(
    phi=lambda v, s: math.exp(-(v @ v) / (2 * s * s)),
    bracket=lambda x, mu: mu - x,
    product=lambda w, v: np.outer(w, v),
    before=lambda s: 1 / s**2,
    position=lambda x, n: x[n],
):
    """Loops over positions and centres, one piece of them exchanged."""

    def jacobian(x, centres, width, W):
        J = []
        for n in range(len(x)):
            here, total = position(x, n), 0
            for mu, w in zip(centres, W, strict=True):
                size = phi(here - mu, width)
                total = total + size * product(w, bracket(here, mu))
            J.append(before(width) * total)
        return np.array(J)

    return jacobian


def returned_too_early(x, centres, width, W):
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    right = one_matrix_product(x, centres, width, W)
    for n in range(len(x)):
        J[n] = right[n]
        return J


def outer_turned(x, centres, width, W):
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for n in range(len(x)):
        for m in range(len(centres)):
            v = centres[m] - x[n]
            J[n] += np.exp(-(v @ v) / (2 * width**2)) * np.outer(v, W[m])
    return J / width**2


def adds_x(x, centres, width, W):
    return _looped(bracket=lambda x, mu: mu + x)(x, centres, width, W)


def away_and_no_width(x, centres, width, W):
    return _looped(bracket=lambda x, mu: x - mu, before=lambda s: 1)(x, centres, width, W)


def away_and_too_narrow(x, centres, width, W):
    narrow = lambda v, s: math.exp(-(v @ v) / s**2)
    return _looped(phi=narrow, bracket=lambda x, mu: x - mu)(x, centres, width, W)


def moves_x(x, centres, width, W):
    J = one_matrix_product(x, centres, width, W)
    x -= x.mean(axis=0) + 1
    return J


def values_only(x, centres, width, W):
    return np.exp(-(cdist(x, centres) ** 2) / (2 * width**2)) @ W


def nan_at_centre(x, centres, width, W):
    """By way of the distance: the derivative of the root is 0/0 on a centre."""
    v = centres[None] - x[:, None]
    size = np.sqrt((v**2).sum(-1, keepdims=True))
    with np.errstate(invalid="ignore"):
        slope = np.exp(-(size**2) / (2 * width**2)) * size / width**2 * (v / size)
    return np.einsum("md,nmq->ndq", W, slope)


# written with fresh eyes, from the exercise's text alone


def width_for_its_square(x, centres, width, W):
    v = centres[None] - x[:, None]
    phi = np.exp(-(v**2).sum(axis=-1) / (2 * width))
    return np.einsum("nm,md,nmq->ndq", phi, W, v) / width


def entry_by_entry(x, centres, width, W):
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    for n in range(len(x)):
        for m in range(len(centres)):
            v = centres[m] - x[n]
            J[n] += (W[m] * v) * np.exp(-v @ v / (2 * width**2))
    return J / width**2


def coarse_differences(x, centres, width, W):
    def f(p):
        return np.exp(-((p[:, None] - centres) ** 2).sum(axis=-1) / (2 * width**2)) @ W

    steps = 0.1 * np.eye(x.shape[1])
    return np.stack([(f(x + step) - f(x)) / 0.1 for step in steps], axis=2)


WRONG = [
    ("left_empty", returned_too_early),
    ("outer_turned", outer_turned),
    ("shape", values_only),
    ("sign: the sum of w_m φ_m (-x)ᵀ / σ²", adds_x),
    ("multiple", away_and_no_width),
    ("half_missing", away_and_too_narrow),
    ("changes_input", moves_x),
    ("not_finite", nan_at_centre),
    # written with fresh eyes, from the exercise's text alone
    ("exponent_width_not_squared", width_for_its_square),
    ("entry_by_entry", entry_by_entry),
    ("difference_quotient", coarse_differences),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    points_away width_forgotten width_not_squared half_missing exponent_width_not_squared
    distance_not_squared transposed position_forgotten normalised unit_vectors last_centre
    divided_each_time positions_summed position_forgotten reshaped divided_at_each_centre
""".split()
