"""Latent points with vanishing R that have learnt nothing: an open exercise, judged by results."""

import numpy as np

from ukrlearn import datasets, metrics
from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.texts import exercise
from ukrlearn.ukr.reconstruction import squared_residuals

Y = datasets.noisy_spiral(30, noise=0.03, random_state=17)[0]  # the points of lesson 03
N = len(Y)
VARIANCE = float(Y.var(axis=0).sum())
VANISHED = 1e-6  # R below this
NOTHING = 0.8  # R_cv / variance at the best scale of X; random orders have more than .85
WITHIN_REACH = 1.5  # a distance at which K is still a third of K(0)
IN_ORDER = 0.25  # below this most of the order is there


def trials(seed):
    return [Trial("your latent points", {"N": N})]


def _errors(X):
    """R, R_cv, and R_cv at the best scale of X."""
    plain, left_out = (squared_residuals(X, Y, leave_one_out=one).mean() for one in (False, True))
    return float(plain), float(left_out), VARIANCE * metrics.loo_reconstruction(X, Y)


def _lacks(X):
    """Why the answer fails: one reason for each demand that is not met."""
    apart = np.sqrt(np.sum((X[:, None] - X) ** 2, axis=2))[np.triu_indices(N, 1)]
    lacks = {_points_lack(X, apart), _break_lacks(X, apart), _ignorance_lacks(X)}
    return lacks - {None}


def _points_lack(X, apart):
    if apart.max() <= 1e-9 * np.abs(X).max(initial=1e-100):
        return "one_place"
    return "twins" if apart.min() <= 1e-9 * apart.max() else None


def _break_lacks(X, apart):
    residuals = squared_residuals(X, Y, leave_one_out=False)
    if residuals.mean() < VANISHED:
        return None
    if residuals.mean() > 0.9 * VARIANCE and apart.max() < WITHIN_REACH:
        return "shrunk"
    return "a_few_left" if (residuals > VANISHED).mean() < 0.4 else "within_reach"


def _ignorance_lacks(X):
    *_, at_best = _errors(X)
    if at_best >= NOTHING * VARIANCE:
        return None
    if _holds_the_data(X):
        return "copied"
    return "in_order" if at_best < IN_ORDER * VARIANCE else "half_learnt"


def _holds_the_data(X):
    """Whether Y can be read from X by a linear function."""
    with_one = np.column_stack([X / np.abs(X).max(), np.ones(N)])
    rebuilt = with_one @ np.linalg.lstsq(with_one, Y)[0]
    return np.sum((Y - rebuilt) ** 2) < 0.01 * N * VARIANCE


def _too_large(X):
    return np.abs(X).max(initial=0) > 1e100


def _unless(reason):
    def holds(X, N):
        if X.shape[1] == 0 or _too_large(X):
            return reason != ("astronomical" if X.shape[1] else "one_place")
        return reason not in _lacks(X)

    return holds


def _was_computed(X, N):
    return X.shape[1] > 0 and not _too_large(X)


def outcome(X, N):
    if not _was_computed(X, N):
        return "No errors were computed for these latent points."
    plain, left_out, at_best = _errors(X)
    return (
        f"R = {plain:.2g}, and with each point left out R_cv = {left_out:.2g}. At its best scale "
        f"your X reaches R_cv = {at_best:.2g}. If all points are rebuilt as their mean, R is "
        f"{VARIANCE:.2g}."
    )


EXERCISE = exercise(
    "break_it",
    lesson="03_reconstruction_error",
    equations="[UKR] (8), (10)",
    minutes=10,
    shapes={"N": ""},
    returns={"X": "N q"},
    trials=trials,
    is_value=True,
    outcome=outcome,
    properties=(
        Property("one_place", holds=_unless("one_place")),
        Property("twins", holds=_unless("twins")),
        Property("astronomical", holds=_unless("astronomical")),
        Property("shrunk", holds=_unless("shrunk"), tests=_was_computed),
        Property("a_few_left", holds=_unless("a_few_left"), tests=_was_computed),
        Property("within_reach", holds=_unless("within_reach"), tests=_was_computed),
        Property("copied", holds=_unless("copied"), tests=_was_computed),
        Property("in_order", holds=_unless("in_order"), tests=_was_computed),
        Property("half_learnt", holds=_unless("half_learnt"), tests=_was_computed),
    ),
)
