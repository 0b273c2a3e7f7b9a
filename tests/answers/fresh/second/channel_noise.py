"""Fresh answers to `channel_noise`."""
import numpy as np


def right_vectorised(Y, f, slopes, bends, sigma):
    r = Y - f
    per_point = np.sum(r**2, axis=1) + sigma**2 * (np.sum(slopes**2, axis=1) - np.sum(r * bends, axis=1))
    return per_point.mean()


def right_polynomials(Y, f, slopes, bends, sigma):
    total = 0.0
    for n in range(len(Y)):
        for j in range(Y.shape[1]):
            c = np.array([Y[n, j] - f[n, j], -slopes[n, j], -bends[n, j] / 2])
            square = np.convolve(c, c)
            total += square[0] + square[2] * sigma**2
    return total / len(Y)


def right_einsum(Y, f, slopes, bends, sigma):
    N = Y.shape[0]
    r = Y - f
    quiet = np.einsum("nd,nd", r, r)
    rise = np.einsum("nd,nd", slopes, slopes) - np.einsum("nd,nd", r, bends)
    return float((quiet + sigma * sigma * rise) / N)


def fourth_order_kept(Y, f, slopes, bends, sigma):
    r = Y - f
    a = np.sum(r**2, axis=1)
    b = np.sum(slopes**2, axis=1) - np.sum(r * bends, axis=1)
    c = np.sum(bends**2, axis=1) / 4
    return np.mean(a + sigma**2 * b + 3 * sigma**4 * c)


def lengths_for_inner_product(Y, f, slopes, bends, sigma):
    r = Y - f
    dist = np.linalg.norm(r, axis=1)
    bend = np.linalg.norm(bends, axis=1)
    slope = np.linalg.norm(slopes, axis=1)
    return np.mean(dist**2 + sigma**2 * (slope**2 - dist * bend))


def noise_is_sigma(Y, f, slopes, bends, sigma):
    error = 0
    for y, g, s, b in zip(Y, f, slopes, bends):
        r = y - g
        error += r @ r - 2 * sigma * (r @ s) + sigma**2 * (s @ s - r @ b)
    return error / len(Y)


def matrix_product(Y, f, slopes, bends, sigma):
    N = len(Y)
    r = Y - f
    first = np.sum(r**2)
    second = np.sum(slopes**2)
    third = np.trace(r @ bends)
    return (first + sigma**2 * (second - third)) / N


def squared_sum_and_half_bend(Y, f, slopes, bends, sigma):
    r = Y - f
    slope_term = np.sum(slopes, axis=1) ** 2
    bend_term = 0.5 * np.sum(r * bends, axis=1)
    return np.mean(np.sum(r**2, axis=1) + sigma**2 * (slope_term - bend_term))


def rise_only_by_entries(Y, f, slopes, bends, sigma):
    r = Y - f
    return np.mean(sigma**2 * (slopes**2 - r * bends))


RIGHT = [right_vectorised, right_polynomials, right_einsum]
WRONG = [
    (fourth_order_kept, ["keeps the term of fourth order (3σ⁴ times a quarter of the squared bend, for normal noise)"]),
    (lengths_for_inner_product, ["multiplies the lengths of residual and bend instead of taking their inner product"]),
    (noise_is_sigma, ["keeps the term linear in ξ, with σ in place of its mean 0"]),
    (matrix_product, ["multiplies residuals and bends as matrices instead of taking inner products of rows (raises unless N = d)"]),
    (squared_sum_and_half_bend, ["squares the sum of the slope's components instead of summing their squares", "keeps the factor 1/2 at the bend"]),
    (rise_only_by_entries, ["returns only what the noise adds, without the error of the quiet channel", "takes the mean over all entries instead of the points"]),
]
