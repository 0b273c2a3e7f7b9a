"""Mistakes that learners make in the common `steps`, whatever an exercise makes of them.

Each function takes a maker of answers and gives misconceptions about some of its steps, all but
those named: about the distances, the kernel, the weights, the residuals.
"""

from inspect import Parameter, Signature, signature

import numpy as np

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


DISTANCES = {
    "first_coordinate_only": lambda x, X: _differences(x, X)[:, :, 0] ** 2,
    "squared_after_sum": lambda x, X: _differences(x, X).sum(axis=2) ** 2,
    "absolute_differences_summed": lambda x, X: np.abs(_differences(x, X)).sum(axis=2) ** 2,
    "city_block": lambda x, X: np.abs(_differences(x, X)).sum(axis=2),
    "largest_coordinate_only": lambda x, X: np.max(_differences(x, X) ** 2, axis=2),
    "mean_over_coordinates": lambda x, X: np.mean(_differences(x, X) ** 2, axis=2),
    "standardised": lambda x, X: _scaled(x, X, X.std(axis=0)),
    "standardised_by_n_minus_1": lambda x, X: _scaled(x, X, X.std(axis=0, ddof=1)),
    "scaled_by_one_deviation": lambda x, X: _scaled(x, X, X.std()),
    "scaled_by_range": lambda x, X: _scaled(x, X, np.ptp(X, axis=0)),
    "one_number_of_all": lambda x, X: np.full((len(x), len(X)), np.sum(_differences(x, X) ** 2)),
    "transposed_difference": lambda x, X: (x - X.T) ** 2,
    "row_by_row": lambda x, X: np.sum((x - X) ** 2, axis=1),
    "reshaped_not_transposed": lambda x, X: np.sum(_differences(X, x) ** 2, axis=2).reshape(
        len(x), len(X)
    ),
    "summed_over_points": lambda x, X: np.sum(_differences(x, X) ** 2, axis=1),
    "one_long_row": _one_long_row,
    "gram_without_two": _inner_product_once,
    "gram_of_columns_twice": _row_twice,
}


ONE_SET = {
    "row_by_row",
    "reshaped_not_transposed",
}  # what nobody does where the points have distances to themselves
TWO_SETS = {"gram_of_columns_twice", "one_long_row"}


def distance_mistakes(made, *others):
    """Misconceptions about the step `squares` of (X) or of (x, X), all but the `others`."""
    two = "x" in signature(made.parts["squares"]).parameters
    unlikely = {*others, *(TWO_SETS if two else ONE_SET)}
    for id_, wrong in DISTANCES.items():
        if id_ not in unlikely:
            yield made.mistake(id_, squares=wrong if two else _to_itself(wrong))


def _to_itself(wrong):
    return lambda X: wrong(X, X)


def kernel_mistakes(made, *others):
    """Misconceptions about the steps from `squares` to `kernels`, all but the `others`."""
    for id_, exchanged in KERNELS.items():
        if id_ not in others:
            yield made.mistake(id_, **exchanged)


def bandwidth_mistakes(made):
    """Misconceptions about the steps `exponents` and `kernels` of (x, X) with a bandwidth h."""
    return (made.mistake(id_, **exchanged) for id_, exchanged in BANDWIDTHS.items())


def _same_number_skipped(exponents):
    kernels = np.exp(exponents)
    np.fill_diagonal(kernels, 0)
    return kernels


BANDWIDTHS = {
    "divided_by_h_alone": dict(exponents=lambda squares, h: -squares / h),
    "kernel_forgotten": dict(kernels=lambda squares: squares),
    "cut_off_at_h": dict(kernels=cut_off(1)),
    "cut_off_at_2h": dict(kernels=cut_off(2)),
    "cut_off_at_3h": dict(kernels=cut_off(3)),
    "same_number_skipped": dict(kernels=_same_number_skipped),
}
KERNELS = {
    "half_missing": dict(exponents=lambda squares: -squares),
    "sign_missing": dict(exponents=lambda squares: squares / 2),
    "kernel_forgotten": dict(kernels=lambda squares: squares),
    "distance_not_squared": dict(exponents=lambda squares: -np.sqrt(squares) / 2),
    "distance_not_squared_nor_halved": dict(exponents=lambda squares: -np.sqrt(squares)),
    "kernel_of_each_coordinate": dict(
        squares=lambda X: _differences(X, X) ** 2,
        kernels=lambda exponents: np.exp(exponents).sum(axis=2),
    ),
}


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
    for id_, exchanged in WEIGHTS.items():
        if id_ not in others:
            steps = {name: _with_table(step, table) for name, step in exchanged.items()}
            yield made.mistake(id_, **steps)


def _with_table(step, table):
    """The same step with another table in the place of `kernels`."""
    old = signature(step).parameters
    names = [table if name == "kernels" else name for name in old]

    def of_table(*given):
        return step(*given)

    of_table.__signature__ = Signature([Parameter(n, Parameter.POSITIONAL_ONLY) for n in names])
    return of_table


WEIGHTS = {
    "columns_normalised": dict(sums=lambda kernels: kernels.sum(axis=0)),
    "not_normalised": dict(B=lambda kernels: kernels),
    "divided_by_total": dict(sums=lambda kernels: kernels.sum()),
    "divided_by_n": dict(sums=lambda X: len(X)),
    "diagonal_removed_late": dict(B=lambda kernels, sums: without_diagonal(kernels / sums)),
    "itself_not_in_the_sum": dict(sums=lambda kernels: sums(without_diagonal(kernels))),
    "identity_added": dict(kernels=lambda exponents: np.exp(exponents) + np.eye(len(exponents))),
    "half_of_the_pairs": dict(kernels=lambda exponents: np.triu(np.exp(exponents))),
    "other_half_of_the_pairs": dict(kernels=lambda exponents: np.tril(np.exp(exponents))),
    "first_point_forgotten": dict(kernels=only_columns(lambda N: slice(1, None))),
    "last_point_forgotten": dict(kernels=only_columns(lambda N: slice(-1))),
    "symmetric_normalisation": dict(sums=_roots_of_both_sums),
    "unit_length": dict(sums=lambda kernels: np.linalg.norm(kernels, axis=1, keepdims=True)),
    "divided_by_sum_of_squares": dict(sums=lambda kernels: sums(kernels**2)),
    "sum_not_reset": dict(sums=lambda kernels: np.cumsum(kernels.sum(axis=1))[:, None]),
    "columns_too": dict(B=_columns_too),
    "mirrored_late": dict(B=_mirrored_late),
    "divided_while_summing": dict(B=_divided_while_summing),
}


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
    for id_, exchanged in RESIDUALS.items():
        if id_ not in others:
            yield made.mistake(id_, **exchanged)


def error_mistakes(made, *others):
    """The same, and misconceptions about the last step, the mean of the `lengths`."""
    yield from residual_mistakes(made, *others)
    last = list(made.parts)[-1]
    for id_, wrong in MEANS.items():
        if id_ not in others:
            yield made.mistake(id_, **{last: wrong})


RESIDUALS = {
    "mean_over_all": dict(lengths=lambda residuals: np.mean(residuals**2, axis=1)),
    "lengths_not_squared": dict(lengths=lambda residuals: np.linalg.norm(residuals, axis=1)),
    "absolute_differences": dict(lengths=lambda residuals: np.abs(residuals).sum(axis=1)),
    "columns_cancel": dict(lengths=lambda residuals: np.sum(residuals, axis=1) ** 2),
    "squares_forgotten": dict(lengths=lambda residuals: np.sum(residuals, axis=1)),
    "first_column_only": dict(lengths=lambda residuals: residuals[:, 0] ** 2),
    "mean_of_data": dict(
        rebuilt=lambda Y: np.repeat(Y.mean(axis=0, keepdims=True), len(Y), axis=0)
    ),
    "rebuilt_twice": dict(rebuilt=lambda B, Y: B @ (B @ Y)),
    "sums_without_axis": dict(rebuilt=lambda B, Y, sums: (B * sums) @ Y / np.ravel(sums)),
    "rebuilt_in_turn": dict(rebuilt=_rebuilt_in_turn),
    "row_times_table": dict(rebuilt=_row_times_table),
    "latent_points_rebuilt": dict(rebuilt=lambda B, X: B @ X),
    "entry_by_entry": dict(rebuilt=lambda B, Y: B * Y),
    "weights_from_data": dict(squares=lambda Y: squares(Y)),
}
MEANS = {
    "sum_not_mean": lambda lengths: np.sum(lengths),
    "root_taken": lambda lengths: np.sqrt(np.mean(lengths)),
    "root_of_mean_over_all": lambda residuals: np.sqrt(np.mean(residuals**2)),
    "norm_itself": lambda residuals: np.linalg.norm(residuals),
    "norm_not_squared": lambda residuals: np.linalg.norm(residuals) / len(residuals),
    "spectral_norm": lambda residuals: np.linalg.norm(residuals, 2) ** 2 / len(residuals),
    "squared_too_late": lambda residuals: np.sum(residuals.mean(axis=0) ** 2),
    "sum_squared": lambda residuals: np.sum(residuals) ** 2 / len(residuals),
    "variance_of_residuals": lambda residuals: np.sum(np.var(residuals, axis=0)),
    "variance_of_all": lambda residuals: np.var(residuals),
    "divided_by_n_minus_1": lambda lengths: np.sum(lengths) / (len(lengths) - 1),
    "divided_by_d": lambda residuals: np.sum(residuals**2) / residuals.shape[1],
    "half_in_front": lambda lengths: np.mean(lengths) / 2,
    "share_of_variance": lambda lengths, Y: np.mean(lengths) / _variance(Y),
    "share_of_squares": lambda lengths, Y: np.sum(lengths) / np.sum(Y**2),
    "begun_at_one": lambda lengths: np.sum(lengths[1:]) / len(lengths),
    "ended_too_early": lambda lengths: np.sum(lengths[:-1]) / len(lengths),
    "last_point_only": lambda lengths: lengths[-1] / len(lengths),
    "first_point_only": lambda lengths: lengths[0] / len(lengths),
}


# What goes wrong in the slopes that the gradient is made of


def slope_mistakes(made):
    """Misconceptions about the steps `M` and `means`."""
    return (made.mistake(id_, **exchanged) for id_, exchanged in SLOPES.items())


SLOPES = {
    "mean_without_weights": dict(means=lambda M: M.mean(axis=1, keepdims=True)),
    "sum_over_column": dict(means=lambda M, B: np.sum(M * B, axis=0)[:, None]),
    "one_sum_for_all": dict(means=lambda M, B: np.sum(M * B)),
    "product_in_the_sum": dict(means=lambda M, B: M @ B.T),
    "product_subtracted": dict(means=lambda M, B: M * B),
    "residual_times_reconstruction": dict(M=lambda residuals, rebuilt: residuals @ rebuilt.T),
}
