"""Mistakes that learners make in the common `steps`, whatever an exercise makes of them.

Each function takes a maker of answers and gives misconceptions about some of its steps, all but
those named: about the distances, the kernel, the weights, the residuals.
"""

from inspect import Parameter, Signature, signature

import numpy as np

from ukrlearn.checks.exercise import Misconception
from ukrlearn.checks.steps import squares, sums


def only_columns(which):
    """`kernels` of some of the points: of those that `which` gives for the number of positions."""

    def some(exponents):
        K = np.zeros_like(exponents)
        columns = which(len(exponents))
        K[:, columns] = np.exp(exponents[:, columns])
        return K

    return some


def cut_off(widths):
    """`kernels` that are zero beyond so many bandwidths."""

    def near(exponents):
        return np.where(exponents < -(widths**2) / 2, 0, np.exp(exponents))

    return near


# What goes wrong in the distances and in the kernel


def _differences(x, X):
    return x[:, None] - X


def _inner_product_once(x, X):
    return np.sum(x**2, axis=1)[:, None] + np.sum(X**2, axis=1) - x @ X.T


def _one_long_row(x, X):
    return np.sum(_differences(x, X) ** 2, axis=2)[np.triu_indices(len(X), 1)]


def _row_twice(x, X):
    square = np.sum(X**2, axis=1)
    return square + square - 2 * x @ X.T


def _scaled(x, X, unit):
    return np.sum((_differences(x, X) / unit) ** 2, axis=2)


SCALED = (
    "You divide the latent coordinates by their standard deviations or their range first. Latent "
    "distances count as they are: if all latent points move apart, the kernel values must fall."
)
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
    ("standardised", SCALED, lambda x, X: _scaled(x, X, X.std(axis=0))),
    ("standardised_by_n_minus_1", SCALED, lambda x, X: _scaled(x, X, X.std(axis=0, ddof=1))),
    ("scaled_by_one_deviation", SCALED, lambda x, X: _scaled(x, X, X.std())),
    ("scaled_by_range", SCALED, lambda x, X: _scaled(x, X, np.ptp(X, axis=0))),
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
        "summed_over_points",
        "You sum the squared differences over axis 1, the points. The differences have the shape "
        "(M, N, q), or (N, N, q): sum over the q coordinates, axis 2.",
        lambda x, X: np.sum(_differences(x, X) ** 2, axis=1),
    ),
    (
        "one_long_row",
        "What you sum over axis 1 has one axis only; the kernel values of all pairs need two, a "
        "row for each point. pdist returns its pairs in one long row, and squareform(...) makes "
        "the table of it. A sum over too many axes loses one, too.",
        _one_long_row,
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
TWO_SETS = {"gram_of_columns_twice", "one_long_row"}


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
    """Misconceptions about the steps from `squares` to `kernels`, all but the `others`."""
    for id_, says, exchanged in KERNELS:
        if id_ not in others:
            yield Misconception(id_, says, made(**exchanged))


KERNELS = (
    (
        "half_missing",
        "The factor 1/2 in the kernel exp(-t/2) is missing: all latent points seem further apart "
        "than they are, by the square root of 2.",
        dict(exponents=lambda squares: -squares),
    ),
    (
        "sign_missing",
        "The minus in the exponent is missing: distant points now have the greatest kernel values.",
        dict(exponents=lambda squares: squares / 2),
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
        dict(exponents=lambda squares: -np.sqrt(squares) / 2),
    ),
    (
        "distance_not_squared_nor_halved",
        "Your kernel exp(-|x_n - x_m|) has neither the square nor the 1/2 of the Gaussian: K(t) = "
        "exp(-t/2) with t = |x_n - x_m|².",
        dict(exponents=lambda squares: -np.sqrt(squares)),
    ),
    (
        "kernel_of_each_coordinate",
        "You compute a kernel for each coordinate and add them. The squares of the q differences "
        "are added first; their sum goes into one kernel.",
        dict(
            squares=lambda X: _differences(X, X) ** 2,
            kernels=lambda exponents: np.exp(exponents).sum(axis=2),
        ),
    ),
)


# What goes wrong between kernel values and weights


def without_diagonal(table):
    return table - np.diag(np.diag(table))


def _roots_of_both_sums(kernels):
    root = np.sqrt(kernels.sum(axis=1))
    return np.outer(root, root)


def _mirrored_late(kernels, sums):
    B = np.triu(kernels / sums)
    return B + np.triu(B, 1).T


def _divided_while_summing(kernels):
    K = kernels.copy()
    for n, m in np.ndindex(K.shape):
        K[n, m] /= K[n].sum()
    return K


def _columns_too(kernels, sums):
    B = kernels / sums
    return B / B.sum(axis=0)


def weight_mistakes(made, *others, table="kernels"):
    """Misconceptions about the steps from `kernels` to `B`, all but the `others`.

    The `table` is what `sums` and `B` are made of: kernel values, or those with zeros among them.
    """
    for id_, says, exchanged in WEIGHTS:
        if id_ not in others:
            steps = {name: _with_table(step, table) for name, step in exchanged.items()}
            yield Misconception(id_, says, made(**steps))


def _with_table(step, table):
    """The same step with another table in the place of `kernels`."""
    old = signature(step).parameters
    names = [table if name == "kernels" else name for name in old]

    def of_table(*given):
        return step(*given)

    of_table.__signature__ = Signature([Parameter(n, Parameter.POSITIONAL_ONLY) for n in names])
    return of_table


WEIGHTS = (
    (
        "columns_normalised",
        "You divide K by the sums of its columns, not of its rows. Row n of B holds the weights "
        "that rebuild point n, and must sum to one. Have the sums lost an axis? keepdims=True or "
        "[:, None] keeps them a column. Or do you use the transpose of B, as the paper does?",
        dict(sums=lambda kernels: kernels.sum(axis=0)),
    ),
    (
        "not_normalised",
        "You use the kernel values K themselves for weights. Divide each row by its own sum "
        "(dividing by its greatest entry, K(0) = 1, changes nothing).",
        dict(B=lambda kernels: kernels),
    ),
    (
        "divided_by_total",
        "You divide by the sum of the whole matrix: all N² entries together sum to one. Each row "
        "needs its own sum, because each point has its own weighted mean.",
        dict(sums=lambda kernels: kernels.sum()),
    ),
    (
        "divided_by_n",
        "You divide the kernel values by the number of points N, as for the density (3). Weights "
        "are divided by their own sum, which differs from row to row.",
        dict(sums=lambda X: len(X)),
    ),
    (
        "diagonal_removed_late",
        "You set the diagonal to zero after dividing by the row sums. Here nothing is left out; "
        "and if a point is left out, set its zero before you divide the rows.",
        dict(B=lambda kernels, sums: without_diagonal(kernels / sums)),
    ),
    (
        "itself_not_in_the_sum",
        "Your weights have the point itself, but the sum that you divide by does not: the rows "
        "sum to more than one. The sum runs over all points, the point itself included.",
        dict(sums=lambda kernels: sums(without_diagonal(kernels))),
    ),
    (
        "identity_added",
        "The diagonal of your K counts twice: K(0) = 1 is in K already, since the exponential of "
        "0 is 1. Add nothing.",
        dict(kernels=lambda exponents: np.exp(exponents) + np.eye(len(exponents))),
    ),
    (
        "half_of_the_pairs",
        "You fill only half of the matrix K, the pairs with m not below n. K is symmetric, but "
        "its other half must be there too: every point helps to rebuild every other.",
        dict(kernels=lambda exponents: np.triu(np.exp(exponents))),
    ),
    (
        "other_half_of_the_pairs",
        "You fill only half of the matrix K, the pairs with m not above n. K is symmetric, but "
        "its other half must be there too: every point helps to rebuild every other.",
        dict(kernels=lambda exponents: np.tril(np.exp(exponents))),
    ),
    (
        "first_point_forgotten",
        "Point 0 has no weight: it helps to rebuild nobody. Where does your loop over m begin? In "
        "Python the first row is number 0.",
        dict(kernels=only_columns(lambda N: slice(1, None))),
    ),
    (
        "last_point_forgotten",
        "The last point has no weight: it helps to rebuild nobody. Where does your loop over m "
        "end? range(N) already stops before N.",
        dict(kernels=only_columns(lambda N: slice(-1))),
    ),
    (
        "symmetric_normalisation",
        "You divide by the roots of both sums, of the row and of the column, as in spectral "
        "clustering. The matrix is then symmetric, but its rows are not shares of one whole. "
        "Divide by the row's sum alone.",
        dict(sums=_roots_of_both_sums),
    ),
    (
        "unit_length",
        "You scale each row to length one: its squares sum to one. The weights themselves must "
        "sum to one, or a weighted mean of equal points is not that point.",
        dict(sums=lambda kernels: np.linalg.norm(kernels, axis=1, keepdims=True)),
    ),
    (
        "divided_by_sum_of_squares",
        "You divide each row by the sum of its squares. The weights themselves must sum to one: "
        "divide by the sum of the kernel values.",
        dict(sums=lambda kernels: sums(kernels**2)),
    ),
    (
        "sum_not_reset",
        "The sum of the kernel values grows from row to row: set it to 0 for each row, inside the "
        "loop over the rows.",
        dict(sums=lambda kernels: np.cumsum(kernels.sum(axis=1))[:, None]),
    ),
    (
        "columns_too",
        "You divide the columns by their sums as well, after the rows: then the rows no longer "
        "sum to one. Column m holds what point m gives to all points; m may give more than it "
        "gets.",
        dict(B=_columns_too),
    ),
    (
        "mirrored_late",
        "You compute one half of the weights and mirror it. K is symmetric, B is not: its two "
        "halves are divided by different sums. If you mirror, mirror K, and divide afterwards.",
        dict(B=_mirrored_late),
    ),
    (
        "divided_while_summing",
        "You divide a row entry by entry, and recompute its sum each time, when some entries are "
        "already divided. Take the sum first, keep it, and divide the whole row by it.",
        dict(B=_divided_while_summing),
    ),
)


# What goes wrong in the residuals and in their mean


def _rebuilt_in_turn(B, Y):
    F = Y.astype(float)
    for n, weights in enumerate(B):
        F[n] = weights @ F
    return F


def _row_times_table(kernels, Y):
    """Each row of weights, of shape (N,), times a table of shape (N, d)."""
    return np.array([np.sum(row * Y, axis=0) / row.sum() for row in kernels])


def _variance(Y):
    return np.sum((Y - Y.mean(axis=0)) ** 2) / len(Y)


def residual_mistakes(made, *others):
    """Misconceptions about the steps `rebuilt`, `residuals` and `lengths`, all but the `others`."""
    for id_, says, exchanged in RESIDUALS:
        if id_ not in others:
            yield Misconception(id_, says, made(**exchanged))


def error_mistakes(made, *others):
    """The same, and misconceptions about the last step, the mean of the `lengths`."""
    yield from residual_mistakes(made, *others)
    last = list(made.parts)[-1]
    for id_, says, wrong in MEANS:
        if id_ not in others:
            yield Misconception(id_, says, made(**{last: wrong}))


RESIDUALS = (
    (
        "mean_over_all",
        "You take the mean over all N d entries. A squared length is a sum over the d columns; "
        "the mean is over the N points only: divide by len(Y).",
        dict(lengths=lambda residuals: np.mean(residuals**2, axis=1)),
    ),
    (
        "lengths_not_squared",
        "You average the lengths |y_n - f|. The error averages their squares: take no square root "
        "of a point's sum.",
        dict(lengths=lambda residuals: np.linalg.norm(residuals, axis=1)),
    ),
    (
        "absolute_differences",
        "You add absolute differences. The error adds squares, so a point with twice the error "
        "counts four times.",
        dict(lengths=lambda residuals: np.abs(residuals).sum(axis=1)),
    ),
    (
        "columns_cancel",
        "You add the d differences of a point and square their sum, so that they can cancel. That "
        "is right only for d = 1. Square each difference, then add.",
        dict(lengths=lambda residuals: np.sum(residuals, axis=1) ** 2),
    ),
    (
        "squares_forgotten",
        "You add the differences as they are, so that errors to the left and to the right cancel. "
        "Square each difference first.",
        dict(lengths=lambda residuals: np.sum(residuals, axis=1)),
    ),
    (
        "first_column_only",
        "Only the first column of Y is in your error. A squared length is the sum of the squares "
        "of all d differences.",
        dict(lengths=lambda residuals: residuals[:, 0] ** 2),
    ),
    (
        "mean_of_data",
        "Every point is rebuilt as the mean of all data, whatever X is. Where does X enter your "
        "weights?",
        dict(rebuilt=lambda Y: np.repeat(Y.mean(axis=0, keepdims=True), len(Y), axis=0)),
    ),
    (
        "rebuilt_twice",
        "You apply B twice: you rebuild points that are rebuilt already. One product, B @ Y, "
        "rebuilds all of them.",
        dict(rebuilt=lambda B, Y: B @ (B @ Y)),
    ),
    (
        "sums_without_axis",
        "You divide an array of N rows by the sums of shape (N,). NumPy pairs them with its "
        "columns, not with its rows: keepdims=True or [:, None] keeps the sums a column.",
        dict(rebuilt=lambda B, Y, sums: (B * sums) @ Y / np.ravel(sums)),
    ),
    (
        "rebuilt_in_turn",
        "You overwrite the data while you rebuild them, so that later points are rebuilt from "
        "points that are rebuilt already. Keep Y as it is, and put what you rebuild into an array "
        "of its own.",
        dict(rebuilt=_rebuilt_in_turn),
    ),
    (
        "row_times_table",
        "You multiply a row of weights, of shape (N,), with Y, of shape (N, d): NumPy lays the "
        "weights along the columns of Y. Weight m belongs to row m: make the weights a column with "
        "[:, None], or use the product of matrices, weights @ Y.",
        dict(rebuilt=_row_times_table),
    ),
    (
        "latent_points_rebuilt",
        "You multiply B and X: that gives weighted means of latent points. The data are rebuilt: "
        "B @ Y.",
        dict(rebuilt=lambda B, X: B @ X),
    ),
    (
        "entry_by_entry",
        "You multiply B and Y entry by entry. Row n of the product must be the sum of B_nm y_m "
        "over m, the product of two matrices: B @ Y.",
        dict(rebuilt=lambda B, Y: B * Y),
    ),
    (
        "weights_from_data",
        "Your weights come from distances between data points. The data are rebuilt; X, in latent "
        "space, decides which points are near.",
        dict(squares=lambda Y: squares(Y)),
    ),
)
MEANS = (
    (
        "sum_not_mean",
        "You return the sum over the points; 1/N is missing. Without it, no two data sets of "
        "different size can be compared.",
        lambda lengths: np.sum(lengths),
    ),
    (
        "root_taken",
        "You take the square root at the end. The error itself is the mean of the squares: it has "
        "the units of the data squared, and can be compared with their variance.",
        lambda lengths: np.sqrt(np.mean(lengths)),
    ),
    (
        "root_of_mean_over_all",
        "This is the root of the mean over all N d entries, the usual RMSE. The error here has no "
        "root, and sums the squares over the d columns: it is the mean over points of a squared "
        "length.",
        lambda residuals: np.sqrt(np.mean(residuals**2)),
    ),
    (
        "norm_itself",
        "You return the norm of the residuals. The formula has its square, the sum of all squared "
        "entries, over N.",
        lambda residuals: np.linalg.norm(residuals),
    ),
    (
        "norm_not_squared",
        "You divide the norm of the residuals by N without squaring it. The formula has its "
        "square: the sum of all squared entries, over N.",
        lambda residuals: np.linalg.norm(residuals) / len(residuals),
    ),
    (
        "spectral_norm",
        "You take the greatest singular value of the residuals, which is what norm(..., 2) means "
        "for a matrix. The norm here is that of Frobenius: the sum of all squared entries.",
        lambda residuals: np.linalg.norm(residuals, 2) ** 2 / len(residuals),
    ),
    (
        "squared_too_late",
        "You average the differences over the points first and square afterwards, so that errors "
        "to the left and to the right cancel. Square each difference, then take the mean.",
        lambda residuals: np.sum(residuals.mean(axis=0) ** 2),
    ),
    (
        "sum_squared",
        "You square the sum of all differences, so that errors to the left and to the right "
        "cancel. np.sum(...) ** 2 squares one number; the square of each entry belongs inside.",
        lambda residuals: np.sum(residuals) ** 2 / len(residuals),
    ),
    (
        "variance_of_residuals",
        "You take the variance of the differences, which subtracts their mean first. An error "
        "that all points share is an error too: add the squares of the differences themselves.",
        lambda residuals: np.sum(np.var(residuals, axis=0)),
    ),
    (
        "variance_of_all",
        "You take the variance of all N d differences: it subtracts their mean first, and divides "
        "by N d. Add the squares of the differences themselves, and divide by N.",
        lambda residuals: np.var(residuals),
    ),
    (
        "divided_by_n_minus_1",
        "You divide by N - 1. All N points are rebuilt, so the mean of their squared lengths is "
        "the sum over N.",
        lambda lengths: np.sum(lengths) / (len(lengths) - 1),
    ),
    (
        "divided_by_d",
        "You divide by the number of columns d. The mean is over the N points, the rows of Y: "
        "divide by len(Y).",
        lambda residuals: np.sum(residuals**2) / residuals.shape[1],
    ),
    (
        "half_in_front",
        "Your error is half of the right one. Some textbooks put 1/2 in front of squared errors "
        "to save a 2 in the gradient; here there is none.",
        lambda lengths: np.mean(lengths) / 2,
    ),
    (
        "share_of_variance",
        "You divide by the variance of the data. That gives the unexplained share, a useful "
        "number, but the error here keeps the units of the data squared.",
        lambda lengths, Y: np.mean(lengths) / _variance(Y),
    ),
    (
        "share_of_squares",
        "You divide by the sum of the squared data. That gives a relative error, but the error "
        "here keeps the units of the data squared.",
        lambda lengths, Y: np.sum(lengths) / np.sum(Y**2),
    ),
    (
        "begun_at_one",
        "The first point's error is not in your result. Where does your loop over the points "
        "begin? In Python the first row is number 0.",
        lambda lengths: np.sum(lengths[1:]) / len(lengths),
    ),
    (
        "ended_too_early",
        "The last point's error is not in your result. Where does your loop over the points end? "
        "range(N) already stops before N.",
        lambda lengths: np.sum(lengths[:-1]) / len(lengths),
    ),
    (
        "last_point_only",
        "Only the last point's error is in your result: the loop overwrites the others. Add up "
        "all N of them.",
        lambda lengths: lengths[-1] / len(lengths),
    ),
    (
        "first_point_only",
        "Only the first point's error is in your result. Does your function return inside the "
        "loop? Add up all N of them first.",
        lambda lengths: lengths[0] / len(lengths),
    ),
)
