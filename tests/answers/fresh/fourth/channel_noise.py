"""Fresh answers to `channel_noise`."""
import numpy as np


def three_terms(Y, f, slopes, bends, sigma):
    r = Y - f
    base = np.sum(r**2, axis=1)
    slope = np.sum(slopes**2, axis=1)
    bend = np.sum(r * bends, axis=1)
    return np.mean(base + sigma**2 * (slope - bend))


def polynomials(Y, f, slopes, bends, sigma):
    total = 0.0
    for n in range(Y.shape[0]):
        for k in range(Y.shape[1]):
            gap = [Y[n, k] - f[n, k], -slopes[n, k], -bends[n, k] / 2]
            square = np.convolve(gap, gap)
            total += square[0] + square[2] * sigma**2
    return total / len(Y)


def inner_products(Y, f, slopes, bends, sigma):
    r = np.ravel(Y - f)
    whole = np.dot(r, r) + sigma**2 * (np.vdot(slopes, slopes) + np.vdot(f - Y, bends))
    return float(whole / len(f))


def half_bend(Y, f, slopes, bends, sigma):
    r = Y - f
    extra = np.sum(slopes**2, axis=1) - 0.5 * np.sum(r * bends, axis=1)
    return np.mean(np.sum(r**2, axis=1) + sigma**2 * extra)


def bend_added(Y, f, slopes, bends, sigma):
    total = 0
    for y, g, s, b in zip(Y, f, slopes, bends):
        r = y - g
        total += r @ r + sigma**2 * (s @ s + r @ b)
    return total / len(Y)


def fourth_order_too(Y, f, slopes, bends, sigma):
    r = Y - f
    v = sigma**2
    terms = r**2 + v * slopes**2 - v * r * bends + v**2 / 4 * bends**2
    return terms.sum(axis=1).mean()


def matrix_product(Y, f, slopes, bends, sigma):
    r = Y - f
    bend = (r @ bends).sum(axis=1)
    error = np.mean(np.sum(r**2, axis=1) + sigma**2 * (np.sum(slopes**2, axis=1) - bend))
    return error


def mean_over_entries(Y, f, slopes, bends, sigma):
    r = Y - f
    return np.mean(r**2 + sigma**2 * (0.5 * slopes**2 - r * bends))


def no_bend(Y, f, slopes, bends, sigma):
    plain = np.sum((Y - f) ** 2, axis=1)
    slope = np.sum(slopes, axis=1) ** 2
    return np.mean(plain + sigma**2 * slope)


RIGHT = [three_terms, polynomials, inner_products]
WRONG = [
    (half_bend, ["the bend term has the factor 1/2: forgot that the mixed product appears twice in the square"]),
    (bend_added, ["wrong sign of the bend term: adds the product of residual and bend"]),
    (fourth_order_too, ["keeps the term of fourth order, the squared bend times σ⁴/4, although only ξ² is to be kept"]),
    (matrix_product, ["takes a matrix product of residuals and bends instead of one inner product for each point"]),
    (mean_over_entries, ["averages over the coordinates too instead of summing over them", "the slope term has a factor 1/2"]),
    (no_bend, ["leaves out the bend term, as if it vanished with the mean of the noise", "sums the slope over the coordinates before squaring it"]),
]
