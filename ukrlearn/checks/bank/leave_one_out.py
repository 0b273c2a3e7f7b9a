"""R_cv: every point rebuilt without itself, by zeros on the diagonal."""

import numpy as np

from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.mistakes import (
    distance_mistakes,
    error_mistakes,
    kernel_mistakes,
    weight_mistakes,
    without_diagonal,
)
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.steps import exponents, kernels, lengths, rebuilt, residuals, squares
from ukrlearn.checks.texts import exercise
from ukrlearn.checks.trials import SIZES, data, within_reach
from ukrlearn.ukr import reconstruction


def reference(X, Y):
    return float(reconstruction.reconstruction_error(X, Y)[0])


def trials(seed):
    random = np.random.default_rng(seed)
    X, Y = np.array([[0.0], [1.0], [3.0]]), np.array([[1.0, 0.0], [2.0, 4.0], [0.0, 5.0]])
    made = [Trial("three points", dict(X=X, Y=Y))]
    X, Y = np.array([[0.0], [1.0], [1.0], [-2.0]]), np.array([[2, 0], [2, 0], [-1, 3], [-3, -3.0]])
    made.append(Trial("four points, with ties, centred", dict(X=X, Y=Y)))
    X = np.array([[-1.0, 0.0], [0.0, 2.0], [1.0, -2.0], [0.0, 0.0]])
    Y = np.array([[1.0, -2.0], [0.0, 0.0], [3.0, 1.0], [-4.0, 1.0]])
    made.append(Trial("four points of a plane, centred", dict(X=X, Y=Y)))
    for N, d, q in SIZES:
        X, Y = data(random, N, d, q)
        X = within_reach(X)
        made.append(Trial(f"N = {N}, d = {d}, q = {q}", dict(X=X, Y=Y)))
    twins = X.copy()
    twins[4], twins[7] = twins[2], twins[9]
    made.append(Trial("two points at the same place, twice", dict(X=twins, Y=Y)))
    same = Y.copy()
    same[4], same[7] = same[2], same[9]
    made.append(Trial("two data points are equal, twice", dict(X=X, Y=same)))
    alone = X.copy()
    alone[3] = X[X[:, 0].argmax()] + [3.5, 0, 0]
    made.append(Trial("one point far from the others", dict(X=alone, Y=Y)))
    made.append(Trial("latent points close together", dict(X=1e-3 * X, Y=Y)))
    made.append(Trial("data a million times larger", dict(X=X, Y=1e6 * Y)))
    made.append(Trial("data far from the origin", dict(X=X, Y=Y + 300)))
    X, Y = random.normal(size=(9, 2)), random.normal(size=(9, 3))
    X, Y = within_reach(X - X.mean(axis=0)), Y - Y.mean(axis=0)
    X[2], X[5], Y[3], Y[7] = 0, X[4], 0, Y[6]
    made.append(Trial("centred, with zeros and ties", dict(X=X, Y=Y)))
    return made


CROSS_VALIDATED = pipeline(
    "X Y",
    squares=squares,
    exponents=exponents,
    kernels=kernels,
    others=lambda kernels: kernels - np.diag(np.diag(kernels)),
    sums=lambda others: np.sum(others, axis=1, keepdims=True),
    B=lambda others, sums: others / sums,
    rebuilt=rebuilt,
    residuals=residuals,
    lengths=lengths,
    error=lambda lengths: np.mean(lengths),
)


def _all(kernels):
    return kernels


def _plain(Y, kernels):
    return kernels @ Y / kernels.sum(axis=1, keepdims=True)


def _plain_error(X, Y):
    K = kernels(exponents(squares(X)))
    return np.sum((Y - _plain(Y, K)) ** 2) / len(Y)


def _zero_where(kernels, out):
    return np.where(out, 0, kernels)


def _another_left_out(step):
    """Kernel values without those of the row before, or after, each point."""

    def others(kernels):
        return kernels * (1 - np.roll(np.eye(len(kernels)), step, axis=1))

    return others


def _same_half(half):
    """Kernel values with zeros for all points of the same half."""

    def others(kernels):
        of = half(np.arange(len(kernels)), len(kernels))
        return _zero_where(kernels, of[:, None] == of)

    return others


def _residuals_of_some(others, Y, rebuilt):
    """A point that nobody rebuilds counts 0."""
    return np.where(others.any(axis=1, keepdims=True), Y - rebuilt, 0)


def _of_the_rest(kernels, Y):
    """The mean of the plain errors of the data without one of the points."""
    errors = []
    for n in range(len(Y)):
        K, some = np.delete(np.delete(kernels, n, 0), n, 1), np.delete(Y, n, 0)
        errors.append(np.sum((some - _plain(some, K)) ** 2) / len(some))
    return np.mean(errors)


def _squares_from_the_rest(X):
    """np.delete without an axis, which makes a row of numbers of the points."""
    return np.array([np.sum((X[n] - np.delete(X, n)) ** 2, axis=1) for n in range(len(X))])


def _generalised(lengths, B):
    return np.mean(lengths) / (1 - np.trace(B) / len(B)) ** 2


def _by_own_weight(power):
    def divided(residuals, B):
        return np.sum(residuals**2, axis=1) / (1 - B.diagonal()) ** power

    return divided


def _corrected(lengths):
    return np.mean(lengths) * (len(lengths) / (len(lengths) - 1)) ** 2


MISTAKES = (
    CROSS_VALIDATED.mistake(
        "zeroed_too_late", others=_all, B=lambda others, sums: without_diagonal(others / sums)
    ),
    CROSS_VALIDATED.mistake("left_out_below_only", B=lambda kernels, sums: kernels / sums),
    *CROSS_VALIDATED.mistakes(
        "others",
        left_out_by_place=lambda kernels, X: _zero_where(kernels, np.all(X[:, None] == X, axis=2)),
        left_out_by_data=lambda kernels, Y: _zero_where(kernels, np.all(Y[:, None] == Y, axis=2)),
    ),
    CROSS_VALIDATED.mistake("plain_corrected", others=_all, error=_corrected),
    CROSS_VALIDATED.mistake(
        "earlier_points_only",
        others=lambda kernels: np.tril(kernels, -1),
        residuals=_residuals_of_some,
    ),
    CROSS_VALIDATED.mistake("divided_by_number", sums=lambda X: len(X) - 1),
    CROSS_VALIDATED.mistake(
        "nearest_of_the_others", rebuilt=lambda others, Y: Y[others.argmax(axis=1)]
    ),
    CROSS_VALIDATED.mistake(
        "deleted_from_one_only", rebuilt=lambda others, Y: np.delete(others[0], 0) @ Y
    ),
    CROSS_VALIDATED.mistake("generalised", others=_all, error=_generalised),
    CROSS_VALIDATED.mistake("own_weight_not_squared", others=_all, lengths=_by_own_weight(1)),
    CROSS_VALIDATED.mistake("point_before_left_out", others=_another_left_out(-1)),
    CROSS_VALIDATED.mistake("point_after_left_out", others=_another_left_out(1)),
    CROSS_VALIDATED.mistake("two_halves_in_turn", others=_same_half(lambda n, N: n % 2)),
    CROSS_VALIDATED.mistake("two_halves", others=_same_half(lambda n, N: n < N // 2)),
    CROSS_VALIDATED.mistake("error_of_the_rest", error=_of_the_rest),
    CROSS_VALIDATED.mistake(
        "compared_with_plain", residuals=lambda kernels, Y, rebuilt: _plain(Y, kernels) - rebuilt
    ),
    CROSS_VALIDATED.mistake("delete_flattens", squares=_squares_from_the_rest),
    *error_mistakes(CROSS_VALIDATED),
    *weight_mistakes(
        CROSS_VALIDATED,
        "identity_added",
        "diagonal_removed_late",
        "itself_not_in_the_sum",
        "half_of_the_pairs",
        "other_half_of_the_pairs",
        table="others",
    ),
    *kernel_mistakes(CROSS_VALIDATED),
    *distance_mistakes(CROSS_VALIDATED),
)


EXERCISE = exercise(
    "leave_one_out",
    lesson="04_leave_one_out",
    equations="[UKR] (10)",
    minutes=15,
    shapes={"X": "N q", "Y": "N d"},
    returns={"error": ""},
    trials=trials,
    reference=reference,
    stages=CROSS_VALIDATED,
    properties=(
        Property("below_plain", holds=lambda error, X, Y: error >= _plain_error(X, Y) * (1 - 1e-6)),
        Property(
            "above_widest",
            holds=lambda error, X, Y: (
                error <= np.sum((Y[:, None] - Y) ** 2, axis=2).max() * (1 + 1e-6)
            ),
        ),
    ),
    misconceptions=MISTAKES,
)
