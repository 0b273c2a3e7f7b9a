"""Data on which PCA with homotopy beats every nonlinear start, decided by a contest."""

import warnings
from functools import lru_cache, partial

import numpy as np

from ukrlearn.blocks import descent, starts
from ukrlearn.checks.exercise import Exercise, Property, Trial
from ukrlearn.ukr import homotopy
from ukrlearn.ukr.reconstruction import reconstruction_error, squared_residuals

FEWEST, MOST = 16, 40  # points
ENOUGH = 0.8  # of the best rival's error: at least a fifth lower
NEIGHBORS = (4, 6, 9)
RIVALS = {"Isomap": starts.isomap, "LLE": starts.lle, "Laplacian": starts.laplacian_eigenmaps}
MOVES = 200  # of every descent, after the homotopy or from the start
TIE = 1.05  # whose errors differ by less than this factor, neither has won


def trials(seed):
    return [Trial("your data", {})]


def contest(Y):
    """R_cv as a share of the variance, {name: share}, of PCA with homotopy and of each rival.

    The paper's scheme: the coordinates of Isomap, LLE and Laplacian eigenmaps, each at its
    best scale, and 200 RPROP moves from there; the principal component unfolded in seven stages of
    100 moves, and then the same. A rival whose graph falls apart has no start: infinity.
    """
    Y = starts.normalised(np.asarray(Y, dtype=float), per_axis=False)
    objective, shape = partial(reconstruction_error, Y=Y), (len(Y), 1)
    error = lambda X: squared_residuals(X, Y).mean()
    reached = {"PCA": _lowest(objective, _unfolded(objective, starts.pca(Y, 1)))}
    for family, make in RIVALS.items():
        for K in NEIGHBORS:
            start = starts.Start(f"{family} (K = {K})", partial(make, Y, 1, K))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # pieces of graphs that were joined
                X = starts.scaled_candidate(start, shape, error).X
            reached[start.name] = np.inf if X is None else _lowest(objective, X)
    variance = np.mean(np.sum(Y**2, axis=1))
    return {name: float(value / variance) for name, value in reached.items()}


def _unfolded(objective, X):
    """X after the seven stages of falling density threshold, step 4 of [UKR] 2.3."""
    for _, steps in homotopy.homotopy_stages(objective, X):
        X = descent.last(descent.best_so_far(steps)).X
    return X


def _lowest(objective, X):
    steps = descent.until_flat(descent.at_most(descent.rprop(objective, X), MOVES), 1e-4, 30)
    return descent.last(descent.best_so_far(steps)).error


@lru_cache(maxsize=16)
def _contest_of(shape, numbers):
    return contest(np.frombuffer(numbers).reshape(shape))


def _results(Y):
    """(R_cv of PCA, name of the best rival, its R_cv), as shares of the variance."""
    reached = _contest_of(Y.shape, np.ascontiguousarray(Y, dtype=float).tobytes())
    best = min((name for name in reached if name != "PCA"), key=reached.get)
    return reached["PCA"], best, reached[best]


def _unfit(Y):
    """Why there can be no contest on these data; None if there can."""
    if not 2 <= Y.shape[1] <= 3:
        return "columns"
    if len(Y) < FEWEST:
        return "too_few"
    if len(Y) > MOST:
        return "too_many"
    unit = np.abs(Y).max()
    Y = Y / (unit or 1)
    Y = Y - Y.mean(axis=0)
    size = np.abs(Y).max()
    if size <= 1e-9:
        return "one_place"
    Y = Y / size
    apart = np.sqrt(np.sum((Y[:, None] - Y) ** 2, axis=2)) + np.diag(np.full(len(Y), np.inf))
    if apart.min() < 1e-6:
        return "twins"
    spread = np.linalg.svd(Y, compute_uv=False)
    if spread[0] ** 2 > 0.995 * np.sum(spread**2):
        return "straight"
    return None


def _verdict(Y):
    """The first property that the data lack, or None."""
    if reason := _unfit(Y):
        return reason
    of_pca, _, of_best = _results(Y)
    if of_pca <= ENOUGH * of_best:
        return None
    if _mirrored(Y) and _spellbound(Y):
        return "mirrored"
    return "lost" if of_pca > TIE * of_best else "too_close"


def _mirrored(Y):
    """Whether the first principal component puts points exactly on top of each other."""
    x = np.sort(starts.normalised(starts.pca(Y, 1))[:, 0])
    return np.mean(np.diff(x) < 1e-6) > 0.1


def _spellbound(Y):
    """Whether PCA ends much lower with a trace of noise: then twins have stopped it."""
    noise = 0.01 * Y.std() * np.random.RandomState(0).normal(size=Y.shape)
    return _results(Y + noise)[0] < 0.5 * _results(Y)[0]


def _unless(reason):
    return lambda Y: _verdict(Y) != reason


def outcome(Y):
    if _unfit(Y):
        return "No contest was held on these data."
    of_pca, best, of_best = _results(Y)
    said = f"R_cv as a share of the variance: PCA with homotopy {of_pca:.4f}, best nonlinear start "
    said += f"{best} {of_best:.4f}. "
    if of_pca < of_best:
        return said + f"PCA is lower by {1 - of_pca / of_best:.0%}; at least 20% are needed."
    return said + f"{best} is lower by {1 - of_best / of_pca:.0%}."


FIT = "The data allow a contest."
WON = "PCA with homotopy ends lower than every nonlinear start, by a fifth or more."

EXERCISE = Exercise(
    name="pca_wins",
    title="Data for the underdog",
    lesson="08_starts_and_scales",
    equations="[UKR] 2.3 step 4, (10)",
    minutes=25,
    shapes={},
    returns={"Y": "N d"},
    trials=trials,
    is_value=True,
    outcome=outcome,
    properties=(
        Property(
            "columns",
            FIT,
            "Y must have two or three columns, one point a row. With one column the data are "
            "their own latent coordinate; with more than three the checker can't draw them.",
            _unless("columns"),
        ),
        Property(
            "too_few",
            FIT,
            f"These are too few points: a graph of neighbours with K = {NEIGHBORS[-1]} needs more than "
            f"that to have a shape. Take at least {FEWEST}.",
            _unless("too_few"),
        ),
        Property(
            "too_many",
            FIT,
            f"These are too many points: ten descents have to run within a second. Take at most {MOST}; "
            "the shape decides, not the number.",
            _unless("too_many"),
        ),
        Property(
            "one_place",
            FIT,
            "All your points are the same. Every start rebuilds them without error, so nobody "
            "wins.",
            _unless("one_place"),
        ),
        Property(
            "twins",
            FIT,
            "Some of your points are equal. Each twin rebuilds the other without error, whatever "
            "the shape is, and graphs of neighbours connect twins only. Move them apart.",
            _unless("twins"),
        ),
        Property(
            "straight",
            FIT,
            "Your data lie on a straight line. There PCA is right from the start, but so are its "
            "rivals: on a line all methods find the same order. Bend it.",
            _unless("straight"),
        ),
        Property(
            "mirrored",
            WON,
            "Your data are a perfect mirror image of themselves, and the first principal "
            "component puts twins exactly on top of each other. Twins get the same gradient at "
            "each move, so nothing ever separates them. Noise of a hundredth of the size does.",
            _unless("mirrored"),
        ),
        Property(
            "lost",
            WON,
            "A nonlinear start has won. It has found an order of your points that PCA did not "
            "show. Look for a single curve (no cloud, no sheet, no separate pieces) without a "
            "first or last point, so that there is no right order to find.",
            _unless("lost"),
        ),
        Property(
            "too_close",
            WON,
            "PCA with homotopy and the best rival are too close to call: PCA must win by a fifth, "
            "as less may be luck. Is your curve open? Then all methods end with about the same "
            "order: close it. If it is already closed, strengthen what hurts the rivals, and take "
            "more points.",
            _unless("too_close"),
        ),
    ),
    hints=(
        "All three rivals do the same: they look for the coordinate that changes least between "
        "neighbours. On which shape does such a coordinate put two distant points in one place?",
        "On a closed curve. A walk around it returns to its start, so a coordinate without a jump "
        "must rise on one side and fall on the other: the ring is folded flat. The homotopy has "
        "no coordinate to keep. It may cut the ring.",
        f"{FEWEST} to {MOST} points, evenly spaced on a circle: angles 2πn/N, cosine and sine as columns. "
        "Add noise of a hundredth or less: enough to break the symmetry, too little to help the others.",
    ),
)
