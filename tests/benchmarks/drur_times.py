"""Figure 10 of [DRUR], ours: processor time in N and in d, and memory, each in a fresh process."""

import time
import warnings

import numpy as np
from drur_projection import roll
from measuring import at_most, in_fresh_process, table

from ukrlearn import UKR, NonparametricDRUR, ParametricDRUR, metrics
from ukrlearn.estimators.baselines import GPLVMBaseline

# Small matrices: two threads would mostly wait for each other.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
SIZES = {
    "pDRUR": [1000, 10_000, 100_000],
    "nDRUR": [250, 500, 1000, 2000, 4000],
    "GPLVM": [250, 500, 1000, 2000],
    "UKR, gaussian": [1000, 2000, 4000, 8000],
    "UKR, quartic": [1000, 10_000, 100_000],
}
QUICK = {"pDRUR": [500, 1000, 2000], **{name: [60, 120] for name in list(SIZES)[1:]}}
DIMENSIONS = [100, 300, 1000, 3000, 5000]
SEEN = 20  # latent neighbours of a point under the quartic kernel


def all_times(quick):
    sizes = QUICK if quick else SIZES
    return {
        "N": {name: [timed(name, N, 3) for N in sizes[name]] for name in sizes},
        "sizes": sizes,
        "d": [timed("pDRUR", 500, d) for d in ([20, 50] if quick else DIMENSIONS)],
        "dimensions": [20, 50] if quick else DIMENSIONS,
    }


def timed(name, N, d):
    return in_fresh_process("drur_times", "seconds_and_r2", name, N, d, environment=ONE_THREAD)


def seconds_and_r2(name, N, d):
    Y, t, X = roll(0, N, 10, d - 3)
    few = 60
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ten moves are no end of a descent
        model_of(name, X[:few], t[:few]).fit(Y[:few])  # what is loaded only once
        start = time.process_time()
        model = model_of(name, X, t).fit(Y)
        seconds = time.process_time() - start
    return seconds, metrics.procrustes_r2(model.embedding_, t)


def model_of(name, X, t):
    """Ten rounds or moves of each method, from the same noisy start."""
    spacing = np.sqrt(np.prod(np.ptp(t, axis=0)) / len(t))
    radius = spacing * np.sqrt(SEEN / np.pi)
    if name == "pDRUR":
        return ParametricDRUR(init=X, n_basis=min(70, len(X) // 2), max_iter=10)
    if name == "nDRUR":
        return NonparametricDRUR(init=X, max_iter=10)
    if name == "GPLVM":
        return GPLVMBaseline(init=X, max_iter=10)
    kernel = name.removeprefix("UKR, ")
    X = X / (radius if kernel == "quartic" else 2 * spacing)
    return UKR(init=X, kernel=kernel, max_iter=10, tol=0)


def slope(sizes, runs, last=None):
    """The exponent of a power law through the points; of the last so many if wanted."""
    seconds = [run.value[0] for run in runs]
    keep = slice(None) if last is None else slice(-last, None)
    return np.polyfit(np.log(sizes[keep]), np.log(seconds[keep]), 1)[0]


def tables(times):
    of_N, sizes = times["N"], times["sizes"]
    rows = [
        [
            name,
            N,
            f"{run.value[0]:.2f}",
            f"{run.value[0] / N * 1000:.3f}",
            f"{run.value[1]:.4f}",
            f"{run.gigabytes:.2f}",
        ]
        for name in of_N
        for N, run in zip(sizes[name], of_N[name], strict=True)
    ]
    slopes = [
        [name, f"{slope(sizes[name], runs):.2f}", f"{slope(sizes[name], runs, last=2):.2f}"]
        for name, runs in of_N.items()
    ]
    ours, steepest = of_N["pDRUR"], slope(sizes["pDRUR"], of_N["pDRUR"])
    in_d = slope(times["dimensions"], times["d"])
    ratio = ours[-1].value[0] / ours[-2].value[0]
    checks = [
        ["pDRUR, time at the largest N over the last but one", f"{ratio:.1f}", at_most(12, ratio)],
        ["pDRUR, slope in N", f"{steepest:.2f}", at_most(1.1, steepest)],
        ["pDRUR, slope in d", f"{in_d:.2f}", at_most(1.1, in_d)],
        [
            "pDRUR, memory at the largest N, GB",
            f"{ours[-1].gigabytes:.2f}",
            at_most(1, ours[-1].gigabytes),
        ],
    ]
    by_d = [
        [d, f"{run.value[0]:.2f}", f"{run.gigabytes:.2f}"]
        for d, run in zip(times["dimensions"], times["d"], strict=True)
    ]
    headings = ["", "N", "processor seconds", "a thousand points", "R²", "peak memory, GB"]
    return (
        "Figure 10, ours. Swiss roll, d = 3, noise 10 on the start, seed 0, one process each; the "
        "memory is that of the process.\npDRUR: 70 basis functions, 10 rounds; nDRUR: 10 rounds; "
        "GPLVM and UKR: 10 moves, which is far from their end (the paper's UKR runs its\nhomotopy)."
        f" UKR, quartic: a width that shows each point about {SEEN} others, without N x N arrays.\n"
        f"\n{table(headings, rows)}\n"
        "Slopes, log time over log N: through all points, and of the last two.\n\n"
        f"{table(['', 'all', 'last two'], slopes)}\n"
        "Time of pDRUR in d, N = 500, 70 basis functions, 10 rounds.\n\n"
        f"{table(['d', 'processor seconds', 'peak memory, GB'], by_d)}\n"
        f"{table(['', 'measured', 'asked'], checks)}"
    )
