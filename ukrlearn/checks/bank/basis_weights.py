"""B, the weights of all points in all reconstructions, as one matrix."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.mistakes import (
    distance_mistakes,
    kernel_mistakes,
    weight_mistakes,
    without_diagonal,
)
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.steps import B, exponents, kernels, squares, sums
from ukrlearn.checks.trials import SIZES, data
from ukrlearn.ukr import reconstruction


def reference(X):
    return reconstruction.weight_matrix(X, leave_one_out=False)


def trials(seed):
    random = np.random.default_rng(seed)
    made = [Trial("three points", dict(X=np.array([[0.0], [1.0], [3.0]])))]
    plane = np.array([[-1.0, 0.0], [0.0, 2.0], [1.0, -2.0], [0.0, 0.0]])
    made.append(Trial("four points of a plane, centred", dict(X=plane)))
    for N, _, q in SIZES:
        X, _ = data(random, N, 1, q)
        made.append(Trial(f"N = {N}, q = {q}", dict(X=X)))
    made.append(Trial("two points in one place", dict(X=np.vstack([X, X[4]]))))
    made.append(Trial("points close together", dict(X=0.1 * X)))
    made.append(Trial("points far apart", dict(X=2.5 * X)))
    made.append(Trial("far from zero", dict(X=X + 200.0)))
    X = random.normal(size=(9, 2))
    X -= X.mean(axis=0)
    X[2], X[5] = 0, X[4]
    made.append(Trial("centred, with a zero and a tie", dict(X=X)))
    return made


WEIGHTS = pipeline("X", squares, exponents, kernels, sums, B)


def _left_out(exponents):
    return without_diagonal(np.exp(exponents))


def _by_largest(X):
    G = X @ X.T
    return G - G.max(axis=1, keepdims=True)


def _bandwidth_is_one(B, X):
    """False where log K is t times a number, and this is not -1/2."""
    with np.errstate(all="ignore"):
        K, t = B / B.diagonal()[:, None], squares(X)
        usable = (t > 0) & (K > 1e-3) & np.isfinite(K)
        ratio = -2 * np.log(K[usable]) / t[usable]
    if len(ratio) < 6:
        return True
    middle = np.median(ratio)
    same = np.abs(ratio - middle).max() <= 1e-2 * abs(middle)
    return bool(not same or abs(middle - 1) <= 1e-2)


def _gaussian_but_for_sums(B, X):
    K = B / B.diagonal()[:, None]  # since K(0) = 1
    return bool(np.abs(K - kernels(exponents(squares(X)))).max() <= 5e-3)


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
    stages=WEIGHTS,
    properties=(
        Property(
            "rows_sum_to_one",
            "Every row sums to one.",
            "The weights that rebuild a point are shares of one whole: every row must sum to one. "
            "Yours do not; print B.sum(axis=1).",
            lambda B, X: bool(np.allclose(B.sum(axis=1), 1, atol=1e-4)),
            suspects=(("sums", "Is each row divided by its own sum?"),),
        ),
        Property(
            "negative_weights",
            "No weight is negative.",
            "Some of your weights are negative. Kernel values are positive, and so are their sums.",
            lambda B, X: bool((B >= 0).all()),
            suspects=(("kernels", "Is the exponential in your K?"),),
        ),
        Property(
            "other_bandwidth",
            "With each row divided by its diagonal entry, B holds the right kernel values.",
            "Your kernel is Gaussian, but its exponent is not -t/2: t = |x_n - x_m|² is "
            "multiplied by something else.",
            _bandwidth_is_one,
            suspects=(
                (
                    "squares",
                    "Do you scale X, or take a mean over coordinates? The only bandwidth here is "
                    "1: X keeps the units it comes in.",
                ),
            ),
        ),
        Property(
            "kernel_not_gaussian",
            "With each row divided by its diagonal entry, B holds the right kernel values.",
            "With each row divided by its diagonal entry, B must hold the kernel values "
            "exp(-t/2), since K(0) = 1; yours does not.",
            _gaussian_but_for_sums,
            suspects=(
                ("kernels", "What is K for one pair, by hand, and what on the diagonal?"),
                ("sums", "Do you divide a whole row by one and the same number?"),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "left_out",
            "Your diagonal is zero: you leave each point out of its own reconstruction. That is "
            "the matrix for R_cv, a few exercises later. In this B every point helps to rebuild "
            "itself, with K(0) = 1.",
            WEIGHTS(kernels=_left_out),
        ),
        Misconception(
            "inner_products",
            "You put inner products into the exponential, as attention does. Here distance "
            "counts, not direction: use -t/2 with t = |x_n - x_m|², so no point is nearer to x_n "
            "than x_n itself.",
            WEIGHTS(exponents=_by_largest),
        ),
        *weight_mistakes(WEIGHTS),
        *kernel_mistakes(WEIGHTS),
        *distance_mistakes(WEIGHTS),
    ),
    hints=(
        "Between X and B stand two more N x N matrices. Which of the three, squared distances, "
        "kernel values, weights, are symmetric, and which step treats rows and columns "
        "differently?",
        "t_nm = |x_n - x_m|², K_nm = exp(-t_nm / 2), and B_nm = K_nm divided by the sum of row n "
        "of K. The diagonal of K is 1; keep it.",
        "X[:, None] - X has shape (N, N, q): square, and sum over the last axis. After the "
        "exponential, sum over axis=1 with keepdims=True; the result has shape (N, 1) and divides "
        "each row by its own sum.",
    ),
)
