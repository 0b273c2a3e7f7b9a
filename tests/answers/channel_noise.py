"""Right and wrong answers to the exercise `channel_noise`, as learners write them."""

import numpy as np


def by_loops(Y, f, slopes, bends, sigma):
    total = 0.0
    for y, value, slope, bend in zip(Y, f, slopes, bends, strict=True):
        for j in range(len(y)):
            total += (y[j] - value[j]) ** 2
            total += sigma**2 * slope[j] ** 2 + sigma**2 * (value[j] - y[j]) * bend[j]
    return total / len(Y)


def with_einsum(Y, f, slopes, bends, sigma):
    r = Y - f
    inner = lambda a, b: np.einsum("nd,nd->", a, b) / len(Y)
    return inner(r, r) + sigma**2 * (inner(slopes, slopes) - inner(r, bends))


def by_two_shakes(Y, f, slopes, bends, sigma):
    """Noise of plus or minus σ has the same variance; what it adds beyond is of fourth order."""
    error = lambda xi: np.mean(np.sum((Y - f - xi * slopes - xi**2 / 2 * bends) ** 2, axis=1))
    return (error(sigma) + error(-sigma)) / 2 - sigma**4 / 4 * np.mean(np.sum(bends**2, axis=1))


def norms(Y, f, slopes, bends, sigma):
    one = np.linalg.norm(Y - f) ** 2
    two = np.linalg.norm(slopes) ** 2 + np.vdot(f - Y, bends)
    return np.float64((one + sigma * sigma * two) / Y.shape[0])


def in_single_precision(Y, f, slopes, bends, sigma):
    Y, f, slopes, bends = (a.astype(np.float32) for a in (Y, f, slopes, bends))
    each = np.sum((Y - f) ** 2 + np.float32(sigma**2) * (slopes**2 + (f - Y) * bends), axis=1)
    return each.mean()


RIGHT = [by_loops, with_einsum, by_two_shakes, norms, in_single_precision]


def _mean(each):
    return np.mean(np.sum(each, axis=1))


def _made(formula):
    """The mean over points of the sum over columns of a formula in r = f - y."""
    return lambda Y, f, slopes, bends, sigma: _mean(formula(f - Y, slopes, bends, sigma))


def simulated(Y, f, slopes, bends, sigma):
    """Honest, but not the second order, and random."""
    xi = sigma * np.random.default_rng(0).normal(size=200)
    apart = [(Y - f - x * slopes - x**2 / 2 * bends) ** 2 for x in xi]
    return np.mean(np.sum(apart, axis=2))


def per_point(Y, f, slopes, bends, sigma):
    return np.sum((Y - f) ** 2 + sigma**2 * (slopes**2 + (f - Y) * bends), axis=1)


def mean_of_all(Y, f, slopes, bends, sigma):
    return np.mean((Y - f) ** 2 + sigma**2 * (slopes**2 + (f - Y) * bends))


def exact_for_normal_noise(Y, f, slopes, bends, sigma):
    return by_loops(Y, f, slopes, bends, sigma) + 3 / 4 * sigma**4 * np.mean((bends**2).sum(1))


def two_shakes_unrepaired(Y, f, slopes, bends, sigma):
    error = lambda xi: _mean((Y - f - xi * slopes - xi**2 / 2 * bends) ** 2)
    return 0.5 * error(sigma) + 0.5 * error(-sigma)


def lengths(Y, f, slopes, bends, sigma):
    r = np.linalg.norm(Y - f, axis=1) ** 2
    s = np.linalg.norm(slopes, axis=1)
    return np.mean(r + sigma**2 * (s + ((f - Y) * bends).sum(axis=1)))


def root(Y, f, slopes, bends, sigma):
    return np.sqrt(max(by_loops(Y, f, slopes, bends, sigma), 0))


def centres_its_input(Y, f, slopes, bends, sigma):
    Y -= f
    return _mean(Y**2 + sigma**2 * (slopes**2 - Y * bends))


def always_some_noise(Y, f, slopes, bends, sigma):
    return by_loops(Y, f, slopes, bends, sigma) + 0.1 * _mean(slopes**2)


WRONG = [
    ("factor_of_the_paper", _made(lambda r, s, b, g: r**2 + 2 * g**2 * (s**2 + r * b / 2))),
    ("factor_of_40", _made(lambda r, s, b, g: r**2 + 2 * g**2 * s**2)),
    ("both_doubled", _made(lambda r, s, b, g: r**2 + 2 * g**2 * (s**2 + r * b))),
    ("both_halved", _made(lambda r, s, b, g: r**2 + g**2 / 2 * (s**2 + r * b))),
    ("bend_forgotten", _made(lambda r, s, b, g: r**2 + g**2 * s**2)),
    ("slope_forgotten", _made(lambda r, s, b, g: r**2 + g**2 * r * b)),
    ("bend_sign", _made(lambda r, s, b, g: r**2 + g**2 * (s**2 - r * b))),
    ("bend_halved", _made(lambda r, s, b, g: r**2 + g**2 * (s**2 + r * b / 2))),
    ("bend_halved_and_sign", _made(lambda r, s, b, g: r**2 + g**2 * (s**2 - 0.5 * r * b))),
    ("bend_doubled", _made(lambda r, s, b, g: r**2 + g**2 * (s**2 + 2 * r * b))),
    ("slope_halved", _made(lambda r, s, b, g: r**2 + g**2 * (s**2 / 2 + r * b))),
    ("sigma_not_squared", _made(lambda r, s, b, g: r**2 + g * (s**2 + r * b))),
    ("sigma_forgotten", _made(lambda r, s, b, g: r**2 + s**2 + r * b)),
    ("fourth_order", exact_for_normal_noise),
    ("fourth_order_by_squares", two_shakes_unrepaired),
    ("what_noise_adds", _made(lambda r, s, b, g: g**2 * (s**2 + r * b))),
    ("sum_over_points", lambda *given: per_point(*given).sum()),
    ("mean_over_columns", mean_of_all),
    ("length_for_square", lengths),
    ("bend_with_slope", _made(lambda r, s, b, g: r**2 + g**2 * (s**2 + s * b))),
    ("size_of_bend", _made(lambda r, s, b, g: r**2 + g**2 * (s**2 + b**2))),
    ("shape", per_point),
    ("changes_input", centres_its_input),
    ("noise_when_quiet", always_some_noise),
    ("noise_when_quiet", root),
]
