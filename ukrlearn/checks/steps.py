"""Steps that several exercises share, for a `pipeline`: from latent points to residuals.

Each takes the earlier ones by their names. An exercise that needs another one in the middle, with
other words or another argument, writes its own beside these. Below stand the mistakes that learners
make in the first two steps, whatever comes after them.
"""

from inspect import signature

import numpy as np

from ukrlearn.checks.exercise import Misconception


def squares(X):
    """the squared distances |x_n - x_m|²"""
    return np.sum((X[:, None] - X) ** 2, axis=2)


def kernels(squares):
    """the kernel values K = exp(-|x_n - x_m|²/2)"""
    return np.exp(-squares / 2)


def sums(kernels):
    """the sums of the rows of K"""
    return np.sum(kernels, axis=1, keepdims=True)


def B(kernels, sums):
    """the weights B"""
    return kernels / sums


def rebuilt(B, Y):
    """the reconstructions B Y"""
    return B @ Y


def residuals(Y, rebuilt):
    """the residuals Y - B Y"""
    return Y - rebuilt


def lengths(residuals):
    """the squared lengths |y_n - f(x_n)|² of the residuals"""
    return np.sum(residuals**2, axis=1)


# The kernel matrix of points that are left out of their own reconstructions


def others(kernels):
    """the kernel values with zeros on the diagonal"""
    return kernels - np.diag(np.diag(kernels))


# What goes wrong in the distances and in the kernel


def _differences(x, X):
    return x[:, None] - X


def _inner_product_once(x, X):
    return np.sum(x**2, axis=1)[:, None] + np.sum(X**2, axis=1) - x @ X.T


def _row_twice(x, X):
    square = np.sum(X**2, axis=1)
    return square + square - 2 * x @ X.T


DISTANCES = (
    (
        "first_coordinate_only",
        "Your distances use only the first latent coordinate, which suffices only for q = 1. All "
        "q of them count: sum their squared differences.",
        lambda x, X: _differences(x, X)[:, :, 0] ** 2,
    ),
    (
        "squared_after_sum",
        "You add up the differences of the q coordinates and square their sum, so that they can "
        "cancel. That is right only for q = 1. Square each difference, then add.",
        lambda x, X: _differences(x, X).sum(axis=2) ** 2,
    ),
    (
        "absolute_differences_summed",
        "You add up the absolute differences of the q coordinates and square their sum: that is "
        "the city-block distance, right only for q = 1. Square each difference, then add.",
        lambda x, X: np.abs(_differences(x, X)).sum(axis=2) ** 2,
    ),
    (
        "city_block",
        "Your kernel gets the sum of the absolute differences of the q coordinates. A squared "
        "distance is the sum of their squares.",
        lambda x, X: np.abs(_differences(x, X)).sum(axis=2),
    ),
    (
        "largest_coordinate_only",
        "Your distances use only the largest of the q differences of coordinates. All q of them "
        "count: sum their squares.",
        lambda x, X: np.max(_differences(x, X) ** 2, axis=2),
    ),
    (
        "mean_over_coordinates",
        "You take the mean over the q coordinates, so your squared distances are too small by the "
        "factor q. A squared distance is the sum of the q squared differences.",
        lambda x, X: np.mean(_differences(x, X) ** 2, axis=2),
    ),
    (
        "standardised",
        "You divide the latent coordinates by their standard deviations first. Latent distances "
        "count as they are: if all latent points move apart, the kernel values must fall.",
        lambda x, X: np.sum((_differences(x, X) / X.std(axis=0)) ** 2, axis=2),
    ),
    (
        "one_number_of_all",
        "You reduce the differences of all pairs to one number, so all kernel values are equal. "
        "sum and norm need the axis of the q coordinates, the last one: one number for each pair.",
        lambda x, X: np.full((len(x), len(X)), np.sum(_differences(x, X) ** 2)),
    ),
    (
        "transposed_difference",
        "You subtract X.T, which gives the differences of all pairs only for q = 1. Give one of "
        "the two a new axis: x[:, None] - X has the shape (M, N, q). Square, and sum over the "
        "last axis.",
        lambda x, X: (x - X.T) ** 2,
    ),
    (
        "row_by_row",
        "You subtract row by row: row 0 from row 0, row 1 from row 1. You need all pairs: x[:, "
        "None] - X has the shape (M, N, q). Square, and sum over the last axis.",
        lambda x, X: np.sum((x - X) ** 2, axis=1),
    ),
    (
        "reshaped_not_transposed",
        "You turn a table of N rows and M columns with reshape. The numbers keep their old order "
        "and come to lie at wrong places: .T moves each to its own.",
        lambda x, X: np.sum(_differences(X, x) ** 2, axis=2).reshape(len(x), len(X)),
    ),
    (
        "gram_without_two",
        "You take |a|² + |b|² - a·b for the squared distance of a and b. The binomial formula has "
        "twice the inner product; without the 2, a point is at a distance from itself.",
        _inner_product_once,
    ),
    (
        "gram_of_columns_twice",
        "In |x_n|² + |x_m|² - 2 x_n·x_m you add |x_m|² twice: row + row is a row again. One of "
        "the two must be a column.",
        _row_twice,
    ),
)


ONE_SET = {
    "row_by_row",
    "reshaped_not_transposed",
}  # what nobody does where the points have distances to themselves
TWO_SETS = {"gram_of_columns_twice"}


def distance_mistakes(made, *others):
    """Misconceptions about the step `squares` of (X) or of (x, X), all but the `others`."""
    two = "x" in signature(made.parts["squares"]).parameters
    unlikely = {*others, *(TWO_SETS if two else ONE_SET)}
    for id_, says, wrong in DISTANCES:
        if id_ not in unlikely:
            yield Misconception(id_, says, made(squares=wrong if two else _to_itself(wrong)))


def _to_itself(wrong):
    return lambda X: wrong(X, X)


def kernel_mistakes(made, *others):
    """Misconceptions about the step `kernels` of (squares), all but the `others`."""
    for id_, says, exchanged in KERNELS:
        if id_ not in others:
            yield Misconception(id_, says, made(**exchanged))


KERNELS = (
    (
        "half_missing",
        "The factor 1/2 in the kernel exp(-t/2) is missing: all latent points seem further apart "
        "than they are, by the square root of 2.",
        dict(kernels=lambda squares: np.exp(-squares)),
    ),
    (
        "sign_missing",
        "The minus in the exponent is missing: distant points now have the greatest kernel values.",
        dict(kernels=lambda squares: np.exp(squares / 2)),
    ),
    (
        "kernel_forgotten",
        "You use the squared distances themselves, with no kernel: near points count least, and a "
        "point has no weight for itself. Put t into exp(-t/2) first.",
        dict(kernels=lambda squares: squares),
    ),
    (
        "distance_not_squared",
        "The exponent contains the distance, not its square: K(t) = exp(-t/2) with t = |x_n - "
        "x_m|². Is there a square root too many?",
        dict(squares=lambda X: np.sqrt(squares(X))),
    ),
    (
        "distance_not_squared_nor_halved",
        "Your kernel exp(-|x_n - x_m|) has neither the square nor the 1/2 of the Gaussian: K(t) = "
        "exp(-t/2) with t = |x_n - x_m|².",
        dict(squares=lambda X: 2 * np.sqrt(squares(X))),
    ),
    (
        "kernel_of_each_coordinate",
        "You compute a kernel for each coordinate and add them. The squares of the q differences "
        "are added first; their sum goes into one kernel.",
        dict(
            squares=lambda X: _differences(X, X) ** 2,
            kernels=lambda squares: np.exp(-squares / 2).sum(axis=2),
        ),
    ),
)
