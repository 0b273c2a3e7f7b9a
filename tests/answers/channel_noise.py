"""Right and wrong answers to the exercise `channel_noise`, as learners write them."""

import numpy as np


def by_loops(Y, f, slopes, bends, sigma):
    total = 0.0
    for y, value, slope, bend in zip(Y, f, slopes, bends, strict=True):
        for j in range(len(y)):
            total += (y[j] - value[j]) ** 2
            total += sigma**2 * slope[j] ** 2 + sigma**2 * (value[j] - y[j]) * bend[j]
    return total / len(Y)


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


RIGHT = [by_loops, by_two_shakes, norms, in_single_precision]


def _mean(each):
    return np.mean(np.sum(each, axis=1))


def per_point(Y, f, slopes, bends, sigma):
    return np.sum((Y - f) ** 2 + sigma**2 * (slopes**2 + (f - Y) * bends), axis=1)


def root(Y, f, slopes, bends, sigma):
    return np.sqrt(max(by_loops(Y, f, slopes, bends, sigma), 0))


def centres_its_input(Y, f, slopes, bends, sigma):
    Y -= f
    return _mean(Y**2 + sigma**2 * (slopes**2 - Y * bends))


def always_some_noise(Y, f, slopes, bends, sigma):
    return by_loops(Y, f, slopes, bends, sigma) + 0.1 * _mean(slopes**2)


WRONG = [
    ("shape", per_point),
    ("changes_input", centres_its_input),
    ("noise_when_quiet", always_some_noise),
    ("noise_when_quiet", root),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    factor_of_the_paper factor_of_40 bend_forgotten slope_forgotten bend_sign bend_halved
    bend_halved_and_sign bend_doubled slope_halved sigma_not_squared fourth_order
    fourth_order_by_squares what_noise_adds sum_over_points mean_over_columns bend_with_slope
    size_of_bend
""".split()
