"""B, the weights of all points in all reconstructions, as one matrix."""

import numpy as np

from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.mistakes import distance_mistakes, kernel_mistakes, weight_mistakes
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.steps import B, exponents, kernels, squares, sums
from ukrlearn.checks.texts import exercise
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


MISTAKES = (
    WEIGHTS.mistake("inner_products", exponents=_by_largest),
    *weight_mistakes(WEIGHTS),
    *kernel_mistakes(WEIGHTS),
    *distance_mistakes(WEIGHTS),
)


EXERCISE = exercise(
    "basis_weights",
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
            "rows_sum_to_one", holds=lambda B, X: bool(np.allclose(B.sum(axis=1), 1, atol=1e-4))
        ),
        Property("negative_weights", holds=lambda B, X: bool((B >= 0).all())),
        Property("other_bandwidth", holds=_bandwidth_is_one),
        Property("kernel_not_gaussian", holds=_gaussian_but_for_sums),
    ),
    misconceptions=MISTAKES,
)
