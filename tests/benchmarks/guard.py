"""Six ratios that a change must not worsen unnoticed: `make bench-guard` compares them."""

import re

import numpy as np
import objective
from contest import SETS
from measuring import side_by_side, table
from sklearn.manifold import TSNE

from ukrlearn import UKR, datasets, metrics
from ukrlearn.blocks.kernel_regression import predict

TITLE = "Six ratios to guard"
WORSE = 1.2  # times the kept ratio: a failure
SMALL = "100 irises", "300 digits", "Swiss roll, 600"


def measured(quick):
    rows = [[name, f"{ratio():.3f}"] for name, ratio in RATIOS.items() if not quick]
    return (
        "Least processor times of rounds in turns; t-SNE is scikit-learn's; means are geometric. "
        f"`make bench-guard` measures the\nsame again, and fails when one is {WORSE:g} times as "
        f"large.\n\n{table(['', 'ratio'], rows)}"
    )


def compared(results):
    """A table of each ratio beside the one in RESULTS.md, and how many are worse."""
    section = results.partition(f"## {TITLE}\n")[2].partition("\n## ")[0]
    kept = {name: float(value) for name, value in re.findall(r"\| (.+?) +\| ([\d.]+) +\|", section)}
    if kept.keys() != RATIOS.keys():
        raise SystemExit("RESULTS.md has other ratios. Keep these first: run.py --only guard.")
    rows, worse = [], 0
    for name, ratio in RATIOS.items():
        now, most = ratio(), WORSE * kept[name]
        if now > most:  # once more: someone else's work may have disturbed it
            now = min(now, ratio())
        worse += now > most
        rows.append([name, kept[name], f"{now:.3f}", "*worse*" if now > most else "holds"])
    return table(["", "kept", "now", ""], rows), worse


def over(function, other):
    """The time of a function in units of another's."""
    seconds = side_by_side(rounds=2, at_least=0.02, function=function, other=other)
    return seconds["function"].min() / seconds["other"].min()


def over_tsne(Y, **options):
    fit = lambda model: lambda: model.fit(Y)
    return over(fit(UKR(random_state=0, **options)), fit(TSNE(random_state=0)))


def mean(ratio):
    return float(np.exp(np.mean([np.log(ratio(SETS[name](0).Y)) for name in SMALL])))


def r_cv_over_tsne(Y):
    ours, its = (method(random_state=0).fit_transform(Y) for method in (UKR, TSNE))
    return metrics.loo_reconstruction(ours, Y) / metrics.loo_reconstruction(its, Y)


def growth():
    many, few = (SETS[name](0).Y for name in ("10,000 distorted digits", "digits"))
    model = UKR(random_state=0)
    return over(lambda: model.fit(many), lambda: model.fit(few))


def placing():
    Y, _ = datasets.swiss_roll(2000, random_state=0)
    model = UKR(init="pca", max_iter=20, tol=0).fit(Y[:1000])
    x = model.transform(Y[1000:])
    return over(lambda: model.transform(Y[1000:]), lambda: predict(x, model.embedding_, Y[:1000]))


RATIOS = {
    "error and gradient over the floor, N = 1000, d = 12": lambda: (
        objective.ratios((1000, 12, 2), 7)[1].middle
    ),
    f"fit over t-SNE's, mean of {'; '.join(SMALL)}": lambda: mean(over_tsne),
    "their R_cv over that of t-SNE": lambda: mean(r_cv_over_tsne),
    "fit of a spiral of 300 points over t-SNE's, n_components=1": lambda: over_tsne(
        datasets.noisy_spiral(300, random_state=0)[0], n_components=1
    ),
    "fit of 10,000 distorted digits over that of 1437 digits": growth,
    "transform of 1000 new rows, N = 1000, over f of them": placing,
}
