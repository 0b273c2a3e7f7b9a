"""Quality on the noisy spiral: table 1 of [UKR], over twenty draws."""

import numpy as np
from measuring import HEADINGS, at_most, judged, over, quantiles, settled, table

from ukrlearn import UKR, datasets, metrics
from ukrlearn.blocks import descent

TITLE = "Noisy spiral: table 1 of [UKR]"

DRAWS = 20
STEPS = (0, 200, 500, 1000)
RIGHT = 0.95  # rank correlation above which an order is right
PAPER = (
    ("[UKR], R_cv", ".00429", "", ".00189", ".00182", ".00178"),
    ("[UKR], new points", ".00287", "", ".00244", ".00237", ".00232"),
)


def measured(quick):
    seeds = range(1 if quick else DRAWS)
    runs = over(seeds, run)
    order = np.array([r["order"] for r in runs])
    final, projected = (quantiles([r[key] for r in runs]) for key in ("final", "projected"))
    where, rests_on = "4.1, table 1", f"{len(runs)} draws"
    within = lambda theirs, ours: settled(rests_on, ours.low <= theirs <= ours.high)
    claims = [
        ["4.1, fig. 2", f"the curve follows the spiral (Spearman > {RIGHT})",
         f"all starts and the race: {quantiles(order):.3f}", *judged(order > RIGHT)],
        [where, "R_cv of .00178 at the end (within our 10-90 %)", f"{final:.5f}",
         *within(0.00178, final)],
        [where, "an error of .00232 for 3000 new points (within our 10-90 %)",
         f"{projected:.5f}", *within(0.00232, projected)],
    ]  # fmt: skip
    asked = [
        ["R_cv", f"{final:.5f}", f"{at_most(0.002, final)}, aim .0018"],
        ["projection error of 3000 new points", f"{projected:.5f}", at_most(0.0025, projected)],
    ]
    columns = ["", "chosen start", "after the race", *(f"{k} steps later" for k in STEPS[1:])]
    course = [
        [label, *(f"{median:.5f}" for median in np.median([r[key] for r in runs], axis=0))]
        for label, key in (("R_cv", "course"), ("new points", "course_new"))
    ]
    return (
        f"N = 300, seeds 0 to {seeds[-1]}, `UKR(n_components=1)` with its defaults:\n\n"
        f"{table(HEADINGS, claims)}\n{table(['', 'median (10–90 %)', 'asked'], asked)}\n"
        "Medians on the way: the race makes up to 210 steps, after it come 1000 without a stopping "
        "rule; the best so far at each.\nThe paper has one draw and no race.\n\n"
        f"{table(columns, [*course, *PAPER])}"
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
        "course": [m.cv_error_ for m in models],
        "course_new": [error_of_new(m, new) for m in models],
    }


def error_of_new(model, new):
    return metrics.projection_error(new, model.inverse_transform(model.transform(new)))
