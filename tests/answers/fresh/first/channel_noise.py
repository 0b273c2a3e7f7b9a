"""Fresh answers to `channel_noise`."""
import numpy as np


def three_terms(Y, f, slopes, bends, sigma):
    r = Y - f
    per_point = np.sum(r**2, axis=1) + sigma**2 * (np.sum(slopes**2, axis=1) - np.sum(r * bends, axis=1))
    return per_point.mean()


def by_polynomials(Y, f, slopes, bends, sigma):
    moments = np.array([1.0, 0.0, sigma**2])
    total = 0.0
    for a, b, c in zip((Y - f).ravel(), slopes.ravel(), bends.ravel()):
        residual = [a, -b, -0.5 * c]
        total += np.convolve(residual, residual)[:3] @ moments
    return total / len(Y)


def inner_products(Y, f, slopes, bends, sigma):
    N = Y.shape[0]
    quiet = np.vdot(Y - f, Y - f)
    slope = np.einsum("nd,nd", slopes, slopes)
    bend = np.trace((f - Y) @ bends.T)
    return float(quiet + sigma * sigma * (slope + bend)) / N


def bends_towards(Y, f, slopes, bends, sigma):
    r = Y - f
    extra = np.sum(slopes**2, axis=1) + np.sum(r * bends, axis=1)
    return np.mean(np.sum(r**2, axis=1) + sigma**2 * extra)


def half_a_bend(Y, f, slopes, bends, sigma):
    r = Y - f
    extra = (slopes**2).sum(axis=1) - 0.5 * (r * bends).sum(axis=1)
    return np.mean((r**2).sum(axis=1) + sigma**2 * extra)


def to_the_end(Y, f, slopes, bends, sigma):
    r = Y - f
    error = np.sum(r**2, axis=1) + sigma**2 * np.sum(slopes**2 - r * bends, axis=1)
    error = error + 3 * sigma**4 / 4 * np.sum(bends**2, axis=1)
    return error.mean()


def of_the_mean_place(Y, f, slopes, bends, sigma):
    received = f + sigma**2 / 2 * bends
    return np.mean(np.sum((Y - received) ** 2, axis=1))


def slope_alone(Y, f, slopes, bends, sigma):
    return np.mean((Y - f) ** 2 + sigma**2 * slopes**2)


def deviations(Y, f, slopes, bends, sigma):
    r = Y - f
    error = 0
    for i in range(len(Y)):
        error += r[i] @ r[i] + sigma * (slopes[i] @ slopes[i] - r[i] @ bends[i])
    return error


RIGHT = [three_terms, by_polynomials, inner_products]
WRONG = [
    (bends_towards, ["has the wrong sign of the bend term"]),
    (half_a_bend, ["forgot that the mixed term of the square comes twice, so the bend has the factor 1/2"]),
    (to_the_end, ["keeps a term of fourth order in the noise"]),
    (of_the_mean_place, ["takes the squared distance from the mean received place instead of the mean of the squared distances"]),
    (slope_alone, ["leaves out the bend term", "takes the mean over the coordinates as well as over the points"]),
    (deviations, ["multiplies by sigma instead of its square", "adds up the points without dividing by N"]),
]
