"""Quality on the noisy spiral: table 1 of [UKR], over ten draws."""

import numpy as np
from measuring import at_least, at_most, extremes, table

from ukrlearn import UKR, datasets, metrics
from ukrlearn.blocks import descent

TITLE = "Noisy spiral: table 1 of [UKR]"

STEPS = (0, 200, 500, 1000)
PAPER = (
    ("[UKR], R_cv", ".00429", "", ".00189", ".00182", ".00178"),
    ("[UKR], new points", ".00287", "", ".00244", ".00237", ".00232"),
)


def measured(quick):
    seeds = range(1 if quick else 10)
    runs = [run(seed) for seed in seeds]
    order = [r["order"] for r in runs]
    right = sum(rho > 0.95 for rho in order)
    final = extremes([r["final"] for r in runs])
    projected = extremes([r["projected"] for r in runs])
    results = [
        [
            "order right: Spearman > .95",
            f"{right} of {len(runs)}",
            at_least(0.9, right / len(runs)),
        ],
        ["R_cv", f"{final:.5f}", f"{at_most(0.002, final)}, aim .0018"],
        ["projection error of 3000 new points", f"{projected:.5f}", at_most(0.0025, projected)],
    ]
    columns = [
        "",
        "chosen start",
        "after the race",
        *(f"{steps} steps later" for steps in STEPS[1:]),
    ]
    course = [
        [label, *(f"{median:.5f}" for median in np.median([r[key] for r in runs], axis=0))]
        for label, key in (("R_cv", "course"), ("new points", "course_new"))
    ]
    by_seed = [
        [seed, r["start"], f"{rho:.3f}", f"{r['final']:.5f}", f"{r['projected']:.5f}", r["moves"]]
        for seed, rho, r in zip(seeds, order, runs, strict=True)
    ]
    return (
        f"N = 300, seeds 0 to {seeds[-1]}, `UKR(n_components=1)` with its defaults:\n\n"
        f"{table(['', 'median (least–greatest)', 'asked'], results)}\n"
        "Medians on the way: the race makes up to 210 steps, after it come 1000 without a stopping "
        "rule; the best so far at each.\nThe paper has one draw and no race.\n\n"
        f"{table(columns, [*course, *PAPER])}\n"
        + table(["seed", "start", "Spearman", "R_cv", "new points", "steps"], by_seed)
    )


def run(seed):
    """Everything about one draw."""
    Y, t = datasets.noisy_spiral(300, random_state=seed)
    new, _ = datasets.noisy_spiral(3000, random_state=1000 + seed)
    model = UKR(n_components=1, random_state=0, record=True).fit(Y)
    chosen = next(candidate for candidate in model.starts_ if candidate.chosen)
    begin = next(frame.X for frame in model.history_ if frame.stage == "descent")
    longer = UKR(n_components=1, init=begin, max_iter=STEPS[-1], tol=0, record=True).fit(Y)
    steps = [frame for frame in longer.history_ if frame.stage == "descent"]
    best = list(descent.best_so_far(steps))
    on_the_way = [chosen.X, *(best[k].X for k in STEPS)]
    models = [UKR(n_components=1, init=X, max_iter=0).fit(Y) for X in on_the_way]
    return {
        "order": metrics.order_recovered(model.embedding_, t),
        "final": model.cv_error_,
        "projected": error_of_new(model, new),
        "start": chosen.name,
        "moves": model.n_iter_,
        "course": [m.cv_error_ for m in models],
        "course_new": [error_of_new(m, new) for m in models],
    }


def error_of_new(model, new):
    return metrics.projection_error(new, model.inverse_transform(model.transform(new)))
