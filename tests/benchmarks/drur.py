"""DRUR on the Swiss roll: what it restores, over ten draws; its time in N and in d; its memory."""

import time

import numpy as np
from measuring import at_least, at_most, extremes, in_fresh_process, table
from scipy.stats import spearmanr

from ukrlearn import ParametricDRUR, datasets, metrics

# Small matrices: two threads would mostly wait for each other.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
POOR_START = dict(max_iter=20, coarse=10, penalty=1e-3)


def measured(quick):
    return "\n".join([quality(quick), time_in_N(quick), time_in_d(quick)])


def quality(quick):
    seeds = range(1 if quick else 10)
    N, many = (300, 1000) if quick else (1000, 20_000)
    rows = [
        row("noise 10, 10 rounds", seeds, 0.998, N, 10, max_iter=10),
        row("noise 10, 20 rounds", seeds, 0.998, N, 10, max_iter=20),
        row("noise 20, 10 rounds", seeds, 0.992, N, 20, max_iter=10),
        row("noise 20, 20 rounds", seeds, 0.992, N, 20, max_iter=20),
        row("noise 60, the recipe", seeds, None, N, 60, **POOR_START),
        row("noise 60, without it", seeds, None, N, 60, max_iter=20),
        row(f"N = {many}, d = 100, noise 10", seeds[:3], 0.999, many, 10, 97, 2, n_basis=70),
    ]
    headings = [
        "",
        "R², start",
        "R², fit",
        "asked",
        "ordered",
        "full steps",
        "spread, last / first",
    ]
    return (
        f"Sheet of 50 x 90, N = {N}, 30 basis functions if not said otherwise, starts from the "
        "true sheet with noise. Procrustes R², median (least–greatest). Ordered: both rank "
        "correlations above .95. Full steps: the least share in any round.\n\n"
        + table(headings, rows)
    )


def row(name, seeds, asked, N, noise, beside=0, max_iter=10, **options):
    runs = [run(seed, N, noise, beside, max_iter=max_iter, **options) for seed in seeds]
    start, fit, order, full, spread = np.transpose(runs)
    return [
        name,
        f"{np.median(start):.3f}",
        f"{extremes(fit):.4f}",
        at_least(asked, extremes(fit)) if asked else "",
        f"{np.sum(order > 0.95)} of {len(runs)}",
        f"{extremes(full):.3f}",
        f"{np.median(spread):.2f}",
    ]


def run(seed, N, noise, beside, **options):
    """R² of start and fit, the lesser rank correlation, full steps, what the spread has become."""
    Y, t, X = roll(seed, N, noise, beside)
    model = ParametricDRUR(init=X, **options).fit(Y)
    rounds = model.history_[1:]
    return [
        metrics.procrustes_r2(X, t),
        metrics.procrustes_r2(model.embedding_, t),
        least_order(model.embedding_, t),
        min(step.full_steps for step in rounds),
        rounds[-1].spread / rounds[0].spread,
    ]


def roll(seed, N, noise, beside=0):
    """Data with so many more columns of noise .5, the true sheet, and a start."""
    Y, t = datasets.swiss_roll(N, length=90.0, height=50.0, random_state=seed)
    random = np.random.RandomState(seed + 1)
    X = t + noise * random.normal(size=t.shape)
    return np.hstack([Y, 0.5 * random.normal(size=(N, beside))]), t, X


def least_order(X, t):
    """The lesser of both rank correlations, X turned to fit t."""
    U, _, V = np.linalg.svd((X - X.mean(axis=0)).T @ (t - t.mean(axis=0)))
    return min(abs(spearmanr(x, s)[0]) for x, s in zip((X @ U @ V).T, t.T, strict=True))


def time_in_N(quick):
    sizes = [500, 1000, 2000] if quick else [1000, 10_000, 100_000]
    runs = [timed(N, 3) for N in sizes]
    seconds = [run.value[0] for run in runs]
    rows = [
        [N, f"{run.value[0]:.2f}", f"{run.value[1]:.4f}", f"{run.gigabytes:.2f}"]
        for N, run in zip(sizes, runs, strict=True)
    ]
    checks = [
        ["last / last but one", f"{seconds[-1] / seconds[-2]:.1f}"],
        ["slope over all", f"{slope(sizes, seconds):.2f}"],
        ["memory at the largest N, GB", f"{runs[-1].gigabytes:.2f}"],
    ]
    asked = [
        at_most(12, seconds[-1] / seconds[-2]),
        at_most(1.1, slope(sizes, seconds)),
        at_most(1, runs[-1].gigabytes),
    ]
    checks = [[*check, mark] for check, mark in zip(checks, asked, strict=True)]
    headings = ["N", "processor seconds", "R²", "peak memory, GB (process)"]
    return (
        "Time in N: d = 3, 70 basis functions, 10 rounds, noise 10, one process each.\n\n"
        f"{table(headings, rows)}\n{table(['', '', 'asked'], checks)}"
    )


def time_in_d(quick):
    sizes = [20, 50] if quick else [100, 300, 1000, 3000, 5000]
    seconds = [timed(500, d).value[0] for d in sizes]
    steepest = slope(sizes, seconds)
    rows = [[d, f"{s:.2f}"] for d, s in zip(sizes, seconds, strict=True)]
    rows.append(["slope over all", f"{steepest:.2f}, asked {at_most(1.1, steepest)}"])
    rows.append(["slope at the end", f"{slope(sizes[-2:], seconds[-2:]):.2f}"])
    return f"Time in d: N = 500, 70 basis functions, 10 rounds.\n\n{table(['d', 'seconds'], rows)}"


def timed(N, d):
    return in_fresh_process("drur", "seconds_and_r2", N, d, environment=ONE_THREAD)


def slope(sizes, seconds):
    """The exponent of a power law through all points."""
    return np.polyfit(np.log(sizes), np.log(seconds), 1)[0]


def seconds_and_r2(N, d):
    Y, t, X = roll(0, N, 10, d - 3)
    ParametricDRUR(init=X[:200], n_basis=10, max_iter=1).fit(Y[:200])  # what is loaded only once
    start = time.process_time()
    model = ParametricDRUR(init=X, n_basis=70, max_iter=10).fit(Y)
    return time.process_time() - start, metrics.procrustes_r2(model.embedding_, t)


if __name__ == "__main__":
    print(measured(quick=False))
