"""[UKR]: the paper's claims about the scheme of section 2.3, over draws of their own.

Tables 1 to 3 have sections of their own; the report card puts all of them together.
"""

from functools import partial

import numpy as np
from measuring import extremes, judged, over, quartiles, side_by_side, table

from ukrlearn import UKR, datasets, metrics
from ukrlearn.blocks import descent, race, starts
from ukrlearn.blocks.descent import rprop
from ukrlearn.ukr.projection import project
from ukrlearn.ukr.reconstruction import reconstruction_error

TITLE = "The scheme of section 2.3: claims of [UKR]"

SEEDS = 10
NEIGHBORS = range(4, 15)  # of LLE, section 4.1
RIGHT = 0.95  # rank correlation above which an order is right
STAGES = (0, 200, 500, 1000)  # RPROP steps, table 1
GRAPHS = (46, 61, 101)  # neighbours of LLE on the oil flow data, section 4.3


def measured(quick):
    seeds = range(2 if quick else SEEDS)
    N = 100 if quick else 300
    spirals = over(seeds, spiral, N)
    pipes = over(seeds, oil, N, 2 * N if quick else 1000)
    cost = quartiles(cost_of_leaving_out(3 if quick else 15))
    share, cut = [run["best is right"] for run in spirals], lambda key: [r[key] for r in spirals]
    error, new = np.array(cut("R_cv")), np.array(cut("new"))
    late = error[:, 3] / error[:, 2]
    lle, pca = np.array(cut("lle")), np.array(cut("pca"))
    unfolded, direct = (np.array([run[key] for run in pipes]) for key in ("homotopy", "direct"))
    graph, linear = (np.array([run[key] for run in pipes]) for key in ("graph", "linear"))
    whole = extremes([run["connected"] for run in pipes])
    rows = [
        ["2.2", "leaving out one point costs nothing (error and gradient, at most a tenth more)",
         f"time over that without leaving out {cost:.2f}", "",
         "holds" if cost.middle <= 1.1 else "the opposite"],
        ["2.3, fig. 1", "of twelve scaled starts the one with the least R_cv has the right order",
         f"some start has it in {sum(cut('any is right'))} of {len(share)}", *judged(share)],
        ["2.3, fig. 1", "a start from LLE has a lower R_cv than the principal component",
         f"{extremes(lle):.4f}; principal component {extremes(pca):.4f}", *judged(lle < pca)],
        ["4.1, table 1", "R_cv falls at every stage (.00429, .00189, .00182, .00178)",
         ", ".join(f"{m:.5f}" for m in np.median(error, axis=0)),
         *judged((np.diff(error) < 0).all(axis=1))],
        ["4.1, table 1", "and so does the error of new points (.00287, .00244, .00237, .00232)",
         ", ".join(f"{m:.5f}" for m in np.median(new, axis=0)),
         *judged((np.diff(new) < 0).all(axis=1))],
        ["4.1, table 1", "at least that ends lower than it began",
         f"{np.median(new[:, 0]):.5f} → {np.median(new[:, -1]):.5f}",
         *judged(new[:, -1] < new[:, 0])],
        ["4.1, fig. 2", "R_cv stays almost unchanged between 500 and 1000 steps (by less than 5 %)",
         f"ratio {extremes(late):.3f}", *judged(late > 0.95)],
        ["4.3", "on the oil flow data every LLE start has a greater R_cv than the components",
         f"least {extremes(graph):.2f} of {whole:.0f} connected graphs; "
         f"components {extremes(linear):.2f}",
         *judged(graph > linear)],
        ["2.3, 4.3", "homotopy leads from the components to a lower R_cv than the descent alone",
         f"{extremes(unfolded):.3f}; descent alone {extremes(direct):.3f}",
         *judged(unfolded < direct)],
    ]  # fmt: skip
    return (
        f"Seeds 0 to {seeds[-1]}, one draw each, N = {N}; medians, with the least and greatest in "
        "brackets. Noisy spiral as in\nsection 4.1: principal component and LLE with "
        f"{NEIGHBORS[0]} to {NEIGHBORS[-1]} neighbours, each scaled to its least R_cv; RPROP from "
        "the best of\nthem, without a race; 1000 new points. After 0, 200, 500 and 1000 steps. Oil "
        "flow: the simulation; LLE with "
        f"{', '.join(map(str, GRAPHS))} neighbours at N = 1000, homotopy\nwith the paper's "
        "thresholds and 300 steps. Verdicts by a sign test at "
        "5 %.\n\n" + table(["where", "the paper says", "ours", "seeds in favour", "verdict"], rows)
    )


def spiral(seed, N):
    """Sections 2.3 and 4.1 on one draw."""
    Y, t = datasets.noisy_spiral(N, random_state=seed)
    new, _ = datasets.noisy_spiral(1000, random_state=1000 + seed)
    made = [starts.Start(starts.Candidate("PCA"), lambda Y=Y: starts.pca(Y, 1))]
    lle = lambda K: starts.Start(starts.Candidate(f"LLE({K})"), partial(starts.lle, Y, 1, K))
    made += [lle(K) for K in NEIGHBORS]
    left_out = lambda X: reconstruction_error(X, Y)[0]
    found = [c for c in race.scaled(made, (N, 1), left_out) if c.X is not None]
    right = [metrics.order_recovered(c.X, t) > RIGHT for c in found]
    errors = [left_out(c.X) for c in found]
    best = int(np.argmin(errors))
    steps = rprop(partial(reconstruction_error, Y=Y), found[best].X)
    on_the_way = list(descent.best_so_far(descent.at_most(steps, STAGES[-1])))
    stages = [on_the_way[min(k, len(on_the_way) - 1)] for k in STAGES]
    return {
        "best is right": right[best],
        "any is right": any(right),
        "pca": errors[0],
        "lle": min(errors[1:]),
        "R_cv": [step.error for step in stages],
        "new": [error_of_new(step.X, Y, new) for step in stages],
    }


def error_of_new(X, Y, new):
    """The mean squared distance of new points to the curve, within the least density of X."""
    model = UKR(n_components=1, init=X, max_iter=0).fit(Y)
    return float(project(new, X, Y, threshold=model.density_threshold_).squares.mean())


def oil(seed, N, of_graphs):
    """Section 4.3 on one draw; graphs of neighbours need more points than the descent."""
    Y, _ = datasets.simulated_oil_flow(of_graphs, random_state=seed)
    left_out = lambda X: reconstruction_error(X, Y)[0]
    made = [starts.Start(starts.Candidate("PCA"), lambda: starts.pca(Y, 2))]
    lle = lambda K: starts.Start(starts.Candidate(f"LLE({K})"), partial(starts.lle, Y, 2, K))
    made += [lle(K) for K in GRAPHS]
    found = list(race.scaled(made, (of_graphs, 2), left_out))
    errors = [candidate.cv_error for candidate in found]
    Y, _ = datasets.simulated_oil_flow(N, random_state=seed)
    options = dict(init="pca", max_iter=300, random_state=0)
    return {
        "linear": errors[0],
        "connected": sum(np.isfinite(errors[1:])),
        "graph": min(errors[1:]),
        "homotopy": UKR(homotopy=True, **options).fit(Y).cv_error_,
        "direct": UKR(homotopy=False, **options).fit(Y).cv_error_,
    }


def cost_of_leaving_out(rounds):
    """Time of R_cv and its gradient over that of R, N = 1000."""
    random = np.random.default_rng(0)
    X, Y = random.normal(size=(1000, 2)), random.normal(size=(1000, 12))
    seconds = side_by_side(
        rounds,
        left_out=partial(reconstruction_error, X, Y),
        plain=partial(reconstruction_error, X, Y, leave_one_out=False),
    )
    return seconds["left_out"] / seconds["plain"]
