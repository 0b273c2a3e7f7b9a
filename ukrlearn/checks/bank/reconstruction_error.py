"""R, the error of rebuilding all points with nothing left out."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.trials import SIZES, data
from ukrlearn.ukr import reconstruction


def reference(X, Y):
    return reconstruction.squared_residuals(X, Y, leave_one_out=False).mean()


def trials(seed):
    random = np.random.default_rng(seed)
    X, Y = np.array([[0.0], [1.0], [3.0]]), np.array([[1.0, 0.0], [2.0, 4.0], [0.0, 5.0]])
    made = [Trial("three points", dict(X=X, Y=Y))]
    for N, d, q in SIZES:
        X, Y = data(random, N, d, q)
        made.append(Trial(f"N = {N}, d = {d}, q = {q}", dict(X=X, Y=Y)))
    made.append(Trial("data a million times larger", dict(X=X, Y=1e6 * Y)))
    made.append(Trial("data far from zero", dict(X=X, Y=Y + 100.0)))
    made.append(Trial("latent points close together", dict(X=0.05 * X, Y=Y)))
    made.append(Trial("latent points further apart", dict(X=2.0 * X, Y=Y)))
    made.append(Trial("latent points nearly in one place", dict(X=1e-3 * X, Y=Y)))
    return made


def _kernels(X, exponent=lambda t: -t / 2):
    return np.exp(exponent(np.sum((X[:, None] - X) ** 2, axis=2)))


def _in_rows(K):
    return K / K.sum(axis=1, keepdims=True)


def _residual(X, Y):
    return Y - _in_rows(_kernels(X)) @ Y


def _error(B, Y):
    return np.sum((Y - B @ Y) ** 2) / len(Y)


def _left_out(X, Y):
    K = _kernels(X)
    np.fill_diagonal(K, 0)
    return _error(_in_rows(K), Y)


def _mean_of_others_at_zero(X, Y):
    B = _in_rows(_kernels(X))
    np.fill_diagonal(B, 0)
    return _error(B, Y)


def _variance(Y):
    return np.sum((Y - Y.mean(axis=0)) ** 2) / len(Y)


def _within_reach(R, X, Y):
    """At most the mean squared distance of each point from the one furthest from it."""
    furthest = np.sum((Y[:, None] - Y) ** 2, axis=2).max(axis=1)
    return bool(0 <= R <= furthest.mean() * (1 + 1e-3))


def _in_one_place(R, X, Y):
    apart = np.ptp(X, axis=0).max() > 0.05
    return bool(apart or np.isclose(R, _variance(Y), rtol=3e-3))


EXERCISE = Exercise(
    name="reconstruction_error",
    title="The reconstruction error R",
    lesson="03_reconstruction_error",
    equations="[UKR] (8)",
    minutes=15,
    shapes={"X": "N q", "Y": "N d"},
    returns={"R": ""},
    trials=trials,
    reference=reference,
    properties=(
        Property(
            "beyond_reach",
            "R is not negative, and not larger than weighted means of the data can make it.",
            "Every point is rebuilt as a weighted mean of data, so its error can't exceed the "
            "extent of the data; your R is larger, or negative. Do your weights sum to one, and "
            "is every difference squared?",
            _within_reach,
        ),
        Property(
            "not_variance_in_one_place",
            "Where all latent points lie nearly in one place, R is the variance of the data.",
            "Where all latent points lie in one place, everything is rebuilt as the mean, and R must "
            "be the variance of the data, summed over its columns. Try your function there.",
            _in_one_place,
        ),
    ),
    misconceptions=(
        Misconception(
            "left_out",
            "This is R_cv: you leave each point out of its own reconstruction. R leaves nothing out: "
            "the diagonal of K stays 1.",
            _left_out,
        ),
        Misconception(
            "diagonal_removed_late",
            "You set the diagonal of B to zero after dividing by the row sums. R leaves nothing "
            "out; and if a point is left out, set its zero first, so that the rows still sum to "
            "one.",
            _mean_of_others_at_zero,
        ),
        Misconception(
            "mean_over_all",
            "You divide by N d: a mean over all entries. R is the mean over the N points of the "
            "squared length |y_n - f(x_n)|²; sum the squares over the d columns.",
            lambda X, Y: np.mean(_residual(X, Y) ** 2),
        ),
        Misconception(
            "sum_not_mean",
            "The division by N is missing: R is the mean of the squared distances, not their sum.",
            lambda X, Y: np.sum(_residual(X, Y) ** 2),
        ),
        Misconception(
            "lengths_not_squared",
            "You average the distances |y_n - f(x_n)|. R averages their squares: take no square "
            "root of a point's sum.",
            lambda X, Y: np.linalg.norm(_residual(X, Y), axis=1).mean(),
        ),
        Misconception(
            "root_taken",
            "You take the square root at the end. R itself is the mean of the squares: it has the "
            "units of the data squared, and can be compared with their variance.",
            lambda X, Y: np.sqrt(np.sum(_residual(X, Y) ** 2) / len(Y)),
        ),
        Misconception(
            "root_of_mean_over_all",
            "This is the root of the mean over all N d entries, the usual RMSE. R has no root, "
            "and sums the squares over the d columns: it is the mean over points of a squared "
            "length.",
            lambda X, Y: np.sqrt(np.mean(_residual(X, Y) ** 2)),
        ),
        Misconception(
            "norm_not_squared",
            "You divide the norm of Y - BY by N without squaring it. (8) has its square: the sum "
            "of all squared entries, over N.",
            lambda X, Y: np.linalg.norm(_residual(X, Y)) / len(Y),
        ),
        Misconception(
            "spectral_norm",
            "You take the greatest singular value of Y - BY, which is what norm(..., 2) means for a "
            "matrix. The F in (8) stands for Frobenius: the sum of all squared entries.",
            lambda X, Y: np.linalg.norm(_residual(X, Y), 2) ** 2 / len(Y),
        ),
        Misconception(
            "absolute_differences",
            "You add absolute differences. R adds squares, so a point with twice the error counts "
            "four times.",
            lambda X, Y: np.abs(_residual(X, Y)).sum() / len(Y),
        ),
        Misconception(
            "squared_too_late",
            "You average the differences first and square afterwards, so that errors to the left and "
            "to the right cancel. Square each difference, then take the mean.",
            lambda X, Y: np.sum(_residual(X, Y).mean(axis=0) ** 2),
        ),
        Misconception(
            "squares_forgotten",
            "You add the differences as they are, so that errors to the left and to the right "
            "cancel. Square each difference first.",
            lambda X, Y: np.sum(_residual(X, Y)) / len(Y),
        ),
        Misconception(
            "sum_squared",
            "You square the sum of all differences, so that errors to the left and to the right cancel. "
            "np.sum(...) ** 2 squares one number; the square of each entry belongs inside.",
            lambda X, Y: np.sum(_residual(X, Y)) ** 2 / len(Y),
        ),
        Misconception(
            "variance_of_residuals",
            "You take the variance of the differences, which subtracts their mean first. An error that "
            "all points share is an error too: add the squares of the differences themselves.",
            lambda X, Y: np.sum(np.var(_residual(X, Y), axis=0)),
        ),
        Misconception(
            "divided_by_n_minus_1",
            "You divide by N - 1, as for an estimate of a variance. You estimate no mean from "
            "these differences: R is their mean square over all N points.",
            lambda X, Y: np.sum(_residual(X, Y) ** 2) / (len(Y) - 1),
        ),
        Misconception(
            "half_in_front",
            "Everything is right except a factor 1/2. Some textbooks put it in front of squared "
            "errors to save a 2 in the gradient; (8) has none.",
            lambda X, Y: np.sum(_residual(X, Y) ** 2) / len(Y) / 2,
        ),
        Misconception(
            "share_of_variance",
            "You divide by the variance of the data. That gives the unexplained share, a useful "
            "number, but R keeps the units of the data squared.",
            lambda X, Y: np.sum(_residual(X, Y) ** 2) / len(Y) / _variance(Y),
        ),
        Misconception(
            "columns_normalised",
            "You divide K by the sums of its columns, not of its rows. Row n of B holds the "
            "weights that rebuild point n, and must sum to one: keepdims=True keeps the sums a "
            "column.",
            lambda X, Y: _error(_in_rows(_kernels(X)).T, Y),
        ),
        Misconception(
            "not_normalised",
            "You rebuild with the kernel values K themselves. Divide each row by its sum to get "
            "weights.",
            lambda X, Y: _error(_kernels(X), Y),
        ),
        Misconception(
            "weights_from_data",
            "Your weights come from distances between data points. The data are rebuilt; X, in "
            "latent space, decides which points are near.",
            lambda X, Y: _error(_in_rows(_kernels(Y)), Y),
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 in the kernel exp(-t/2) is missing: the latent points seem further apart "
            "than they are, and R comes out too small.",
            lambda X, Y: _error(_in_rows(_kernels(X, lambda t: -t)), Y),
        ),
        Misconception(
            "distance_not_squared",
            "Your kernel contains the latent distance, not its square: K(t) = exp(-t/2) with t = "
            "|x_n - x_m|².",
            lambda X, Y: _error(_in_rows(_kernels(X, lambda t: -np.sqrt(t) / 2)), Y),
        ),
    ),
    hints=(
        "Three steps: the weights B of all points in all reconstructions, the reconstructions, the "
        "mean of N squared distances. No step leaves anything out.",
        "B_nm = K_nm / Σ_l K_nl with K_nm = exp(-|x_n - x_m|² / 2). Point n is rebuilt as the sum of "
        "B_nm y_m over m. Then 1/N times the sum over n, and over all d columns, of squares.",
        "B @ Y holds all reconstructions. Subtract them from Y, square every entry, np.sum over "
        "everything, and divide once by len(Y).",
    ),
)
