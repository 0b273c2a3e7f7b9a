"""The quartic kernel: cost and memory that grow with the number of neighbours."""

import time
from functools import partial

import direct
import numpy as np
from measuring import (
    HEADINGS,
    at_least,
    at_most,
    in_fresh_process,
    quartiles,
    settled,
    side_by_side,
    table,
)
from scipy.spatial import cKDTree

from ukrlearn import UKR, datasets
from ukrlearn.blocks.density_kernels import quartic, quartic_slope, quartic_value
from ukrlearn.ukr.reconstruction import reconstruction_error

TITLE = "Error and gradient, quartic kernel"


def measured(quick):
    ratio, tables = growth(quick)
    says = "with finite support time grows with the pairs that see each other, not with N²"
    ours = f"ten times the points: {ratio:.1f} times as long"
    claim = ["B", says, ours, *settled("7 rounds", ratio.middle <= 14)]
    return f"{table(HEADINGS, [claim])}\n{against_dense(quick)}\n{tables}"


def against_dense(quick):
    """1000 points in 12 dimensions: pairs of neighbours against (23)-(32) on full matrices."""
    rows = []
    for about, gain in ((20, 5), (10, 10)):
        seconds = in_fresh_process("compact", "seconds_of", about, 3 if quick else 15).value
        library, dense = np.array(seconds["library"]), np.array(seconds["direct"])
        faster = quartiles(dense / library)
        rows.append(
            [
                f"{neighbors(square(about)):.1f}",
                f"{1000 * np.median(library):.2f} ms",
                f"{faster:.1f}",
                at_least(gain, faster),
            ]
        )
    headings = ["neighbours a point", "time", "x faster than direct, dense", "asked"]
    return f"N = 1000, d = 12, q = 2, X uniform on a square:\n\n{table(headings, rows)}"


def seconds_of(about, rounds):
    X, Y = square(about), np.random.default_rng(1).normal(size=(1000, 12))
    seconds = side_by_side(
        rounds,
        library=partial(reconstruction_error, X, Y, quartic),
        direct=partial(direct.error_and_gradient, X, Y, quartic_value, quartic_slope),
    )
    return {name: list(values) for name, values in seconds.items()}


def square(about, N=1000):
    """Uniform points, on a square so large that one in its middle sees about so many others."""
    return np.random.default_rng(0).uniform(size=(N, 2)) * np.sqrt(N * np.pi / about)


def growth(quick):
    """A Swiss roll on its true sheet: a step, and a fit from there, at N and at ten times N.

    How much longer the steps of ten times the points take, and the tables.
    """
    small, large, steps = (1000, 10_000, 10) if quick else (10_000, 100_000, 100)
    problems = {N: roll_on_its_sheet(N) for N in (small, large)}
    seconds = side_by_side(
        rounds=3 if quick else 7,
        **{str(N): partial(reconstruction_error, X, Y, quartic) for N, (X, Y) in problems.items()},
    )
    ratio = quartiles(seconds[str(large)] / seconds[str(small)])
    rows = []
    for N, (X, _) in problems.items():
        child = in_fresh_process("compact", "fit_of_roll", N, steps)
        took, done, before, after = child.value
        rows.append(
            [
                N,
                f"{neighbors(X):.1f}",
                f"{1000 * np.median(seconds[str(N)]):.0f} ms",
                f"{took:.1f} s, {done} steps",
                f"{before:.3f} → {after:.3f}",
                f"{child.gigabytes:.2f} GB",
                at_most(1.5, child.gigabytes),
            ]
        )
    headings = ["N", "neighbours a point", "a step", "fit", "R_cv", "peak memory", "asked"]
    return ratio, (
        "Swiss roll, X its true sheet coordinates, scaled to have these neighbours. Fit and "
        'memory are those\nof `UKR(kernel="quartic", init=X, max_iter='
        f"{steps}, tol=0)` in a process of its own.\n\n{table(headings, rows)}\n"
        f"At ten times the points a step costs {ratio:.1f} times as much: {at_most(14, ratio)}.\n"
    )


def fit_of_roll(N, steps):
    X, Y = roll_on_its_sheet(N)
    start = time.perf_counter()
    model = UKR(kernel="quartic", init=X, max_iter=steps, tol=0).fit(Y)
    return time.perf_counter() - start, model.n_iter_, model.history_[0].error, model.cv_error_


def roll_on_its_sheet(N, about=20):
    """True sheet coordinates, scaled so that a point sees about so many others, and the data."""
    Y, t = datasets.swiss_roll(N, random_state=0)
    return t * np.sqrt(N * np.pi / (about * np.prod(np.ptp(t, axis=0)))), Y


def neighbors(X):
    """How many others a point sees within the radius of the kernel, on average."""
    tree = cKDTree(X)
    return tree.count_neighbors(tree, quartic.radius) / len(X) - 1
