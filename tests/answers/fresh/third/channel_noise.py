"""Fresh answers to `channel_noise`."""
import numpy as np


def expected_arrays(Y, f, slopes, bends, sigma):
    r = Y - f
    per_point = np.sum(r**2, axis=1) + sigma**2 * (np.sum(slopes**2, axis=1) - np.sum(r * bends, axis=1))
    return per_point.mean()


def expected_two_points(Y, f, slopes, bends, sigma):
    """A noise of +1 or -1; the square is expanded as a polynomial of the noise."""
    total = 0.0
    for y, value, slope, bend in zip(Y, f, slopes, bends):
        for component in range(len(y)):
            p = np.array([y[component] - value[component], -slope[component], -bend[component] / 2])
            square = np.convolve(p, p)
            total += square[0] + square[2] * sigma**2
    return total / len(Y)


def expected_einsum(Y, f, slopes, bends, sigma):
    N = Y.shape[0]
    quiet = np.einsum("nd,nd->", Y - f, Y - f)
    curvature = 2 * np.vdot(slopes, slopes) + 2 * np.vdot(f - Y, bends)
    return float(quiet + 0.5 * sigma * sigma * curvature) / N


def expected_bend_added(Y, f, slopes, bends, sigma):
    r = Y - f
    e = np.sum(r**2, axis=1) + sigma**2 * np.sum(slopes**2, axis=1) + sigma**2 * np.sum(r * bends, axis=1)
    return np.mean(e)


def expected_paper(Y, f, slopes, bends, sigma):
    r = Y - f
    quiet = np.sum(r**2, axis=1)
    slope = np.sum(slopes**2, axis=1)
    bend = np.sum(r * bends, axis=1)
    return np.mean(quiet + sigma**2 * (slope - bend / 2))


def expected_never_helps(Y, f, slopes, bends, sigma):
    r = Y - f
    rise = np.sum(slopes**2, axis=1) - np.sum(r * bends, axis=1)
    return np.mean(np.sum(r**2, axis=1) + sigma**2 * np.maximum(rise, 0))


def expected_matrix_product(Y, f, slopes, bends, sigma):
    r = Y - f
    inner = r @ bends
    e = np.sum(r**2, axis=1) + sigma**2 * (np.sum(slopes**2, axis=1) - inner)
    return np.mean(e)


def expected_lengths(Y, f, slopes, bends, sigma):
    r = np.linalg.norm(Y - f, axis=1)
    s = np.linalg.norm(slopes, axis=1)
    b = np.linalg.norm(bends, axis=1)
    return np.mean(r**2 + sigma * (s**2 - r * b))


def expected_fourth_order(Y, f, slopes, bends, sigma):
    r = Y - f
    e = r**2 + sigma**2 * (slopes**2 - r * bends) + 0.75 * sigma**4 * bends**2
    return e.mean()


RIGHT = [expected_arrays, expected_two_points, expected_einsum]
WRONG = [
    (expected_bend_added, ["adds the bend term instead of subtracting it"]),
    (expected_paper, ["gives the bend term half of its factor, forgets that the cross term comes twice"]),
    (expected_never_helps, ["believes that noise never helps and sets the rise of a point to zero where it is negative"]),
    (expected_matrix_product, ["multiplies residuals and bends as matrices instead of taking the inner product point by point"]),
    (expected_lengths, ["multiplies the lengths of residual and bend instead of their inner product", "uses sigma instead of its square as the variance of the noise"]),
    (expected_fourth_order, ["keeps the term of fourth order of a Gaussian noise", "takes the mean over all entries instead of summing over the coordinates of a point"]),
]
