"""Data on which PCA with homotopy beats every nonlinear start, decided by a contest."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree, shortest_path

from ukrlearn.blocks import scales, starts
from ukrlearn.checks import contest
from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.texts import exercise

FEWEST, MOST = 16, 40  # points
ENOUGH = 0.8  # of the best rival's error: at least a fifth lower
TIE = 1.05  # whose errors differ by less than this factor, neither has won


def trials(seed):
    return [Trial("your data", {})]


@lru_cache(maxsize=16)
def _contest_of(shape, numbers):
    return contest.held(np.frombuffer(numbers).reshape(shape))


def _results(Y):
    """(R_cv of PCA, name of the best rival, its R_cv), as shares of the variance."""
    runs = _contest_of(Y.shape, np.ascontiguousarray(Y, dtype=float).tobytes())
    best = min((name for name in runs if name != "PCA"), key=lambda name: runs[name].share)
    return runs["PCA"].share, best, runs[best].share


def _unfit(Y):
    """All that makes a contest on these data impossible; empty where there can be one."""
    few, many = len(Y) < FEWEST, len(Y) > MOST
    unfit = [("columns", not 2 <= Y.shape[1] <= 3), ("too_few", few), ("too_many", many)]
    unit = np.abs(Y).max()
    Y = Y / (unit or 1)
    Y = Y - Y.mean(axis=0)
    size = np.abs(Y).max()
    if size <= 1e-9:
        unfit.append(("one_place", True))
    elif not many:
        Y = Y / size
        apart = np.sqrt(np.sum((Y[:, None] - Y) ** 2, axis=2)) + np.diag(np.full(len(Y), np.inf))
        spread = np.linalg.svd(Y, compute_uv=False)
        straight = Y.shape[1] > 1 and spread[0] ** 2 > 0.995 * np.sum(spread**2)
        unfit += [("twins", apart.min() < 1e-6), ("straight", straight)]
    return [reason for reason, holds in unfit if holds]


def _verdict(Y):
    """The first property that the data lack, or None."""
    if reasons := _unfit(Y):
        return reasons[0]
    of_pca, _, of_best = _results(Y)
    if of_pca <= ENOUGH * of_best:
        return None
    if _mirrored(Y) and _spellbound(Y):
        return "mirrored"
    if (shape := _tree(Y).shape) != "closed":
        return shape
    return "lost" if of_pca > TIE * of_best else "too_close"


class _Tree(NamedTuple):
    """The shortest tree that joins all points, as far as it tells the shape."""

    shape: str
    chained: int  # points on the longest chain through it
    gap: float  # between the ends of that chain, in longest steps along it


def _tree(Y):
    Y = Y / np.abs(Y).max()
    apart = np.sqrt(np.sum((Y[:, None] - Y) ** 2, axis=2))
    tree = minimum_spanning_tree(apart)
    steps = np.sort(tree.data)
    hops = shortest_path(tree, directed=False, unweighted=True)
    one, other = np.unravel_index(hops.argmax(), hops.shape)
    on_chain = hops[one] + hops[other] == hops[one, other]
    gap = apart[one, other] / steps[-1]
    if steps[-1] > 4 * np.median(steps) and steps[-2] > 0 and _falls_apart(tree, steps[-1]):
        shape = "pieces"
    elif on_chain.mean() < 0.8:
        shape = "no_curve"
    else:
        shape = "open_curve" if gap > 3 else "closed"
    return _Tree(shape, int(on_chain.sum()), float(gap))


def _falls_apart(tree, longest):
    """Whether the longest step joins two pieces of at least three points."""
    kept = tree.copy()
    kept.data[kept.data == longest] = 0
    kept.eliminate_zeros()
    _, piece = connected_components(kept, directed=False)
    return np.bincount(piece).min() >= 3


def _mirrored(Y):
    """Whether the first principal component puts points exactly on top of each other."""
    x = np.sort(scales.normalised(starts.pca(Y, 1))[:, 0])
    return np.mean(np.diff(x) < 1e-6) > 0.1


def _spellbound(Y):
    """Whether PCA ends much lower with a trace of noise: then twins have stopped it."""
    noise = 0.01 * Y.std() * np.random.RandomState(0).normal(size=Y.shape)
    return contest.of_pca(Y + noise, turns=1).share < 0.5 * _results(Y)[0]


def _unless(reason):
    return lambda Y: _verdict(Y) != reason


def _fit_unless(reason):
    return lambda Y: reason not in _unfit(Y)


def _was_held(Y):
    return not _unfit(Y)


def _always(Y):
    return True


def outcome(Y):
    if _unfit(Y):
        return "No contest was held on these data."
    of_pca, best, of_best = _results(Y)
    said = (
        f"R_cv as a share of the variance, the median over {contest.TURNS} turns of your data: PCA "
        f"with homotopy {of_pca:.4f}, best nonlinear start {best} {of_best:.4f}. "
    )
    if of_pca <= ENOUGH * of_best:
        return said + f"PCA is lower by {1 - of_pca / of_best:.0%}; 20% are needed."
    if of_pca < of_best:
        said += f"PCA is lower by {1 - of_pca / of_best:.0%}; at least 20% are needed."
    else:
        said += f"{best} is lower by {1 - of_best / of_pca:.0%}."
    tree = _tree(Y)
    return said + (
        f" In the shortest tree that joins your points, the longest chain holds {tree.chained} of "
        f"{len(Y)} points, and its two ends are {tree.gap:.1f} longest steps apart."
    )


# What the third hint says was measured, 20 draws each, half with noise .003, half .01: circles
# win in none at N = 16 and 18, 2 at 20, 11 at 22, 14 at 24, 20 at 28 and 32, 19 at 36 and 40.
EXERCISE = exercise(
    "pca_wins",
    lesson="08_starts_and_scales",
    equations="[UKR] 2.3 step 4, (10)",
    minutes=25,
    shapes={},
    returns={"Y": "N d"},
    trials=trials,
    is_value=True,
    outcome=outcome,
    properties=(
        Property("columns", holds=_fit_unless("columns"), tests=_always),
        Property("too_few", holds=_fit_unless("too_few"), tests=_always),
        Property("too_many", holds=_fit_unless("too_many"), tests=_always),
        Property("one_place", holds=_fit_unless("one_place"), tests=_always),
        Property("twins", holds=_fit_unless("twins"), tests=_always),
        Property("straight", holds=_fit_unless("straight"), tests=_always),
        Property("mirrored", holds=_unless("mirrored"), tests=_was_held),
        Property("open_curve", holds=_unless("open_curve"), tests=_was_held),
        Property("no_curve", holds=_unless("no_curve"), tests=_was_held),
        Property("pieces", holds=_unless("pieces"), tests=_was_held),
        Property("lost", holds=_unless("lost"), tests=_was_held),
        Property("too_close", holds=_unless("too_close"), tests=_was_held),
    ),
)
