"""B, the weights of all points in all reconstructions, as one matrix."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.trials import SIZES, data
from ukrlearn.ukr import reconstruction


def reference(X):
    return reconstruction.weight_matrix(X, leave_one_out=False)


def trials(seed):
    random = np.random.default_rng(seed)
    made = [Trial("three points", dict(X=np.array([[0.0], [1.0], [3.0]])))]
    for N, _, q in SIZES:
        X, _ = data(random, N, 1, q)
        made.append(Trial(f"N = {N}, q = {q}", dict(X=X)))
    made.append(Trial("two points in one place", dict(X=np.vstack([X, X[4]]))))
    made.append(Trial("points close together", dict(X=0.1 * X)))
    made.append(Trial("points far apart", dict(X=2.5 * X)))
    made.append(Trial("far from zero", dict(X=X + 200.0)))
    return made


def _squares(X):
    return np.sum((X[:, None] - X) ** 2, axis=2)


def _kernels(X):
    return np.exp(-_squares(X) / 2)


def _in_rows(K):
    return K / K.sum(axis=1, keepdims=True)


def _left_out(X):
    K = _kernels(X)
    np.fill_diagonal(K, 0)
    return _in_rows(K)


def _symmetric(X):
    K = _kernels(X)
    root = np.sqrt(K.sum(axis=1))
    return K / np.outer(root, root)


def _unit_length(X):
    K = _kernels(X)
    return K / np.linalg.norm(K, axis=1, keepdims=True)


def _per_coordinate(X):
    return _in_rows(np.exp(-((X[:, None] - X) ** 2) / 2).sum(axis=2))


def _inner_products(X):
    G = X @ X.T
    return _in_rows(np.exp(G - G.max(axis=1, keepdims=True)))


def _one_number_of_all(X):
    return _in_rows(np.full((len(X), len(X)), np.exp(-_squares(X).sum() / 2)))


def _gram_of_columns_twice(X):
    squares = np.sum(X**2, axis=1)
    return _in_rows(np.exp(-(squares + squares - 2 * X @ X.T) / 2))


def _mirrored_late(X):
    B = np.triu(_in_rows(_kernels(X)))
    return B + np.triu(B, 1).T


def _divided_while_summing(X):
    K = _kernels(X)
    for n, m in np.ndindex(K.shape):
        K[n, m] /= K[n].sum()
    return K


def _sum_not_reset(X):
    K = _kernels(X)
    return K / np.cumsum(K.sum(axis=1))[:, None]


def _columns_too(X):
    B = _in_rows(_kernels(X))
    return B / B.sum(axis=0)


def _bandwidth_is_one(B, X):
    """False where log K is t times a number, and this is not -1/2."""
    with np.errstate(all="ignore"):
        K, t = B / B.diagonal()[:, None], _squares(X)
        usable = (t > 0) & (K > 1e-3) & np.isfinite(K)
        ratio = -2 * np.log(K[usable]) / t[usable]
    if len(ratio) < 6:
        return True
    middle = np.median(ratio)
    same = np.abs(ratio - middle).max() <= 1e-2 * abs(middle)
    return bool(not same or abs(middle - 1) <= 1e-2)


def _gaussian_but_for_sums(B, X):
    K = B / B.diagonal()[:, None]  # since K(0) = 1
    return bool(np.abs(K - _kernels(X)).max() <= 5e-3)


EXERCISE = Exercise(
    name="basis_weights",
    title="The weights as a matrix",
    lesson="02_unsupervised",
    equations="[UKR] (2), (23)",
    minutes=15,
    shapes={"X": "N q"},
    returns={"B": "N N"},
    trials=trials,
    reference=reference,
    properties=(
        Property(
            "rows_sum_to_one",
            "Every row sums to one.",
            "The weights that rebuild a point are shares of one whole: every row must sum to one. "
            "Yours do not; print B.sum(axis=1).",
            lambda B, X: bool(np.allclose(B.sum(axis=1), 1, atol=1e-4)),
        ),
        Property(
            "negative_weights",
            "No weight is negative.",
            "Some of your weights are negative. Kernel values are positive, and so are their sums.",
            lambda B, X: bool((B >= 0).all()),
        ),
        Property(
            "other_bandwidth",
            "With each row divided by its diagonal entry, B holds the right kernel values.",
            "Your kernel is Gaussian, but its exponent is not -t/2: t = |x_n - x_m|² is "
            "multiplied by something else. The only bandwidth here is 1: X keeps the units it "
            "comes in.",
            _bandwidth_is_one,
        ),
        Property(
            "kernel_not_gaussian",
            "With each row divided by its diagonal entry, B holds the right kernel values.",
            "With each row divided by its diagonal entry, B must hold the kernel values "
            "exp(-t/2), since K(0) = 1; yours does not. Before you look at the sums, check K for "
            "one pair by hand, then the diagonal.",
            _gaussian_but_for_sums,
        ),
    ),
    misconceptions=(
        Misconception(
            "columns_normalised",
            "Your columns sum to one, not your rows, but row n belongs to the rebuilt point. Have "
            "the sums lost an axis? Then NumPy divides column by column; keepdims=True or [:, "
            "None] keeps them a column. Or do you return the transpose, as the paper does?",
            lambda X: _in_rows(_kernels(X)).T,
        ),
        Misconception(
            "not_normalised",
            "These are the kernel values K, not yet the weights. Divide each row by its own sum "
            "(dividing by its greatest entry, K(0) = 1, changes nothing).",
            _kernels,
        ),
        Misconception(
            "left_out",
            "Your diagonal is zero: you leave each point out of its own reconstruction. That is "
            "the matrix for R_cv, a few exercises later. In this B every point helps to rebuild "
            "itself, with K(0) = 1.",
            _left_out,
        ),
        Misconception(
            "diagonal_removed_late",
            "You have set the diagonal to zero after dividing by the row sums. Here nothing is "
            "left out; and if a point is left out, set its zero before you divide the rows.",
            lambda X: _in_rows(_kernels(X)) * (1 - np.eye(len(X))),
        ),
        Misconception(
            "divided_by_total",
            "You divide by the sum of the whole matrix: all N² entries together sum to one. Each row "
            "needs its own sum, because each point has its own weighted mean.",
            lambda X: _kernels(X) / _kernels(X).sum(),
        ),
        Misconception(
            "divided_by_n",
            "You divide by the number of points N. That gives the terms of the density (3). Weights "
            "are divided by their own sum, which differs from row to row.",
            lambda X: _kernels(X) / len(X),
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 in exp(-t/2) is missing: all latent points seem further apart than they "
            "are, by the square root of 2.",
            lambda X: _in_rows(np.exp(-_squares(X))),
        ),
        Misconception(
            "distance_not_squared",
            "The distance stands in the exponent, not its square: K(t) = exp(-t/2) with t = |x_n - "
            "x_m|². Is there a square root too many?",
            lambda X: _in_rows(np.exp(-np.sqrt(_squares(X)) / 2)),
        ),
        Misconception(
            "distance_not_squared_nor_halved",
            "Your kernel exp(-|x_n - x_m|) has neither the square nor the 1/2 of the Gaussian: K(t) = "
            "exp(-t/2) with t = |x_n - x_m|².",
            lambda X: _in_rows(np.exp(-np.sqrt(_squares(X)))),
        ),
        Misconception(
            "sign_missing",
            "The minus in the exponent is missing: distant points now have the greatest weights.",
            lambda X: _in_rows(np.exp(_squares(X) / 2)),
        ),
        Misconception(
            "kernel_forgotten",
            "Your weights are proportional to the squared distances: there is no kernel, and a point "
            "has no weight for itself. Put t into exp(-t/2) before you divide.",
            lambda X: _in_rows(_squares(X)),
        ),
        Misconception(
            "inner_products",
            "You put inner products into the exponential, as attention does. Here distance "
            "counts, not direction: use -t/2 with t = |x_n - x_m|², so no point is nearer to x_n "
            "than x_n itself.",
            _inner_products,
        ),
        Misconception(
            "half_of_the_pairs",
            "You fill only half of the matrix, the pairs with m not below n. K is symmetric, but "
            "its other half must be there too: every point helps to rebuild every other.",
            lambda X: _in_rows(np.triu(_kernels(X))),
        ),
        Misconception(
            "kernel_of_each_coordinate",
            "You compute a kernel for each coordinate and add them. The squares of the q "
            "differences are added first; their sum goes into one kernel.",
            _per_coordinate,
        ),
        Misconception(
            "symmetric_normalisation",
            "You divide by the roots of both sums, of the row and of the column, as in spectral "
            "clustering. The matrix is then symmetric, but its rows are not shares of one whole. "
            "Divide by the row's sum alone.",
            _symmetric,
        ),
        Misconception(
            "unit_length",
            "You scale each row to length one: its squares sum to one. The weights themselves "
            "must sum to one, or a weighted mean of equal points is not that point.",
            _unit_length,
        ),
        Misconception(
            "one_number_of_all",
            "You reduce the differences of all pairs to one number, so all weights are equal, or "
            "0/0. sum and norm need the axis of the q coordinates, the last one: one number for "
            "each pair.",
            _one_number_of_all,
        ),
        Misconception(
            "gram_of_columns_twice",
            "In |x_n|² + |x_m|² - 2 x_n·x_m you add |x_m|² twice: row + row is a row again. One of "
            "the two must be a column.",
            _gram_of_columns_twice,
        ),
        Misconception(
            "absolute_differences_summed",
            "You add up the absolute differences of the q coordinates and square their sum: that "
            "is the city-block distance, right only for q = 1. Square each difference, then add.",
            lambda X: _in_rows(np.exp(-(np.abs(X[:, None] - X).sum(axis=2) ** 2) / 2)),
        ),
        Misconception(
            "identity_added",
            "Your diagonal counts twice: K(0) = 1 is in K already, since the exponential of 0 is "
            "1. Add nothing.",
            lambda X: _in_rows(_kernels(X) + np.eye(len(X))),
        ),
        Misconception(
            "mirrored_late",
            "You compute one half of the weights and mirror it. K is symmetric, B is not: its two "
            "halves are divided by different sums. If you mirror, mirror K, and divide "
            "afterwards.",
            _mirrored_late,
        ),
        Misconception(
            "divided_while_summing",
            "You divide a row entry by entry, and recompute its sum each time, when some entries "
            "are already divided. Take the sum first, keep it, and divide the whole row by it.",
            _divided_while_summing,
        ),
        Misconception(
            "sum_not_reset",
            "Only your first row sums to one. The sum grows from row to row: set it to 0 for each "
            "row, inside the loop over the rows.",
            _sum_not_reset,
        ),
        Misconception(
            "columns_too",
            "You divide the columns by their sums as well, after the rows: then the rows no "
            "longer sum to one. Column m holds what point m gives to all points; m may give more "
            "than it gets.",
            _columns_too,
        ),
    ),
    hints=(
        "There are three N x N matrices: squared distances, kernel values, weights. Only the last "
        "step treats rows and columns differently.",
        "t_nm = |x_n - x_m|², K_nm = exp(-t_nm / 2), and B_nm = K_nm divided by the sum of row n "
        "of K. The diagonal of K is 1; keep it.",
        "X[:, None] - X has shape (N, N, q): square, and sum over the last axis. After the "
        "exponential, sum over axis=1 with keepdims=True; the result has shape (N, 1) and divides "
        "each row by its own sum.",
    ),
)
