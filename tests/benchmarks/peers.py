"""What a user would pick instead: UKR and its rivals on sixteen data sets, twenty draws of each.

    python tests/benchmarks/run.py --only peers --sets wine digits --methods UKR t-SNE --draws 3

prints a part. Rivals are measured if they are installed; `make bench` installs them, as the extra
`peers`. Each draw is in build/peers.jsonl as soon as it is measured, and the next run goes on from
there: a map of ours is made again when code that it may need has changed, a rival's when its
version has, and all are judged again when the scores have. Times are ratios to a yardstick that
runs beside them every time. So a run may be stopped, and parts may be measured at the same time,
before `run.py --only peers` makes the section of them.
"""

import argparse
import base64
import hashlib
import importlib.util
import inspect
import json
import sys
import time
import warnings
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from contest import JUDGED, SCORES, SETS, draws_of
from measuring import extremes, judged, table
from provenance import HERE, ROOT, essence, fingerprint
from sklearn import datasets as bundled
from sklearn.decomposition import PCA
from sklearn.ensemble import IsolationForest
from sklearn.manifold import TSNE, Isomap, LocallyLinearEmbedding
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import LocalOutlierFactor

from ukrlearn import SNE, UKR, ParametricDRUR, figures

TITLE = "What a user would pick instead"
PICTURE = Path(__file__).with_name("peers.png")
KEPT = ROOT / "build" / "peers.jsonl"


SHOWN = [  # in the picture
    *("800 digits", "Swiss roll, 600", "S-curve, 400", "oil flow", "turned sevens, 360"),
    *("blobs in 50 dimensions", "wine"),
]


# Methods: what is imported, how the estimator is made, and the most points for which it is tried


class Method(NamedTuple):
    module: str
    make: object  # (seed, the module) -> estimator
    most: int = 20_000


METHODS = {
    "UKR": Method("ukrlearn", lambda seed, _: UKR(random_state=seed), 10**6),
    "DRUR": Method("ukrlearn", lambda seed, _: ParametricDRUR(random_state=seed)),
    "t-SNE": Method("sklearn", lambda seed, _: TSNE(random_state=seed)),
    "UKR on t-SNE": Method("ukrlearn", lambda seed, _: UKR(init=TSNE(random_state=seed)), 2000),
    "openTSNE": Method("openTSNE", lambda seed, its: its.TSNE(random_state=seed, n_jobs=1)),
    "UMAP": Method("umap", lambda seed, its: its.UMAP(random_state=seed, n_jobs=1), 10**6),
    "densMAP": Method(
        "umap", lambda seed, its: its.UMAP(densmap=True, random_state=seed, n_jobs=1)
    ),
    "PaCMAP": Method("pacmap", lambda seed, its: its.PaCMAP(random_state=seed), 10**6),
    "LocalMAP": Method("pacmap", lambda seed, its: its.LocalMAP(random_state=seed), 10**6),
    "TriMap": Method("trimap", lambda seed, its: its.TRIMAP(verbose=False), 10**6),  # takes no seed
    "SNE": Method("ukrlearn", lambda seed, _: SNE(random_state=seed), 2000),
    "PCA": Method("sklearn", lambda seed, _: PCA(2), 10**6),
    "Isomap": Method("sklearn", lambda seed, _: Isomap(n_neighbors=10), 2000),
    "LLE": Method(
        "sklearn", lambda seed, _: LocallyLinearEmbedding(n_neighbors=12, random_state=seed), 2000
    ),
}


YARDSTICKS = "t-SNE", "PaCMAP", "PCA"  # times are ratios to the first that is tried


def available():
    modules = {method.module for method in METHODS.values()}
    missing = {module for module in modules if importlib.util.find_spec(module) is None}
    return [name for name, method in METHODS.items() if method.module not in missing]


def yardstick(N):
    tried = [name for name in available() if METHODS[name].most >= N]
    return next(name for name in YARDSTICKS if name in tried)


@cache
def code_of(name, beside):
    """Two words: one changes with whatever a map may depend on, one with whatever judges it."""
    method = METHODS[name]
    module = importlib.import_module(method.module)
    ours = fingerprint("peers") if method.module == "ukrlearn" else ""
    makes = inspect.getsource(method.make), getattr(module, "__version__", ""), beside, ours
    judges = fingerprint("contest"), essence((HERE / "contest.py").read_text())
    word = lambda texts: hashlib.sha256("".join(texts).encode()).hexdigest()[:12]
    return word(makes), word(judges)


def embedded(name, Y, seed):
    """Coordinates, as floats; with its defaults, `n_components=2`, and in one thread."""
    method = METHODS[name]
    model = method.make(seed, importlib.import_module(method.module))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = model.fit_transform(Y) if hasattr(model, "fit_transform") else model.fit(Y)
    return np.asarray(fitted, dtype=float)


# Measuring


def measure(sets, methods, draws, keep=True):
    """Records of all runs, those of earlier calls included; a line on stderr for each draw."""
    kept, runs, warm = {}, [], set()
    for line in KEPT.read_text().splitlines() if keep and KEPT.exists() else []:
        run = json.loads(line)
        kept[run["set"], run["draw"], run["method"], run["made"]] = run
    for draw in range(max(map(draws, sets))):  # so that a run that is stopped has some of all sets
        for data in [data for data in sets if draw < draws(data)]:
            sample = SETS[data](draw)
            beside = yardstick(len(sample.Y))
            tried = [name for name in methods if len(sample.Y) <= METHODS[name].most]
            keys = {name: (data, draw, name, code_of(name, beside)[0]) for name in tried}
            new = {}
            if missing := [name for name in tried if keys[name] not in kept]:
                unit = seconds_of(beside, sample, draw, warm)[0]
                for name in missing:
                    names = dict(zip(("set", "draw", "method", "made"), keys[name], strict=True))
                    new[keys[name]] = names | mapped(name, sample, draw, unit, warm)
            for name, key in keys.items():
                run, judge = new.get(key) or kept[key], code_of(name, beside)[1]
                if run.get("judge") != judge:
                    new[key] = run | {"judge": judge} | scores_of(run, sample)
            kept |= new
            if new:
                print(time.strftime("%H:%M"), data, "draw", draw, file=sys.stderr, flush=True)
            if new and keep:
                KEPT.parent.mkdir(exist_ok=True)
                with KEPT.open("a") as file:
                    file.writelines(json.dumps(run) + "\n" for run in new.values())
            runs += [kept[key] for key in keys.values()]
    return runs


def seconds_of(name, sample, seed, warm):
    """Of the processor, and the coordinates."""
    size = name, sample.Y.shape
    if size not in warm and METHODS[name].module not in ("ukrlearn", "sklearn"):
        embedded(name, sample.Y, seed)  # numba compiles what the first call of this size needs
    warm.add(size)
    start = time.process_time()
    X = embedded(name, sample.Y, seed)
    return time.process_time() - start, X


def mapped(name, sample, seed, unit, warm):
    """The coordinates, as text, and the time over the yardstick's."""
    try:
        seconds, X = seconds_of(name, sample, seed, warm)
    except Exception as problem:  # of a rival; the others must not wait for its authors
        return {"failed": f"{type(problem).__name__}: {problem}"[:200]}
    return {"time": seconds / unit, "X": base64.b64encode(X.astype("f4").tobytes()).decode()}


def coordinates_of(run):
    return np.frombuffer(base64.b64decode(run["X"]), "f4").reshape(-1, 2).astype(float)


def scores_of(run, sample):
    if "failed" in run:
        return {}
    X = coordinates_of(run)
    return {heading: score(sample, X) for heading, (score, _) in SCORES.items()}


def measured(quick):
    if quick:
        return report(measure(["wine"], ["UKR", "t-SNE", "PCA"], lambda data: 1, keep=False))
    runs = measure(list(SETS), available(), draws_of)
    draw_picture(runs)
    return f"{report(runs)}\n{outliers(range(10))}"


def part(arguments):
    """Tables of some sets, methods or draws."""
    parser = argparse.ArgumentParser(prog="run.py --only peers")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS), metavar="SET")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=available())
    parser.add_argument("--draws", type=int, default=20)
    wanted = parser.parse_args(arguments)
    draws = lambda data: min(wanted.draws, draws_of(data))
    return report(measure(wanted.sets, wanted.methods, draws))


# Tables


def report(runs):
    values = {}  # (heading, set, method) -> {draw: value}
    for run in runs:
        for heading in HEADINGS:
            if run.get(heading) is not None:
                of = values.setdefault((heading, run["set"], run["method"]), {})
                of[run["draw"]] = run[heading]
    names = lambda key: list(dict.fromkeys(run[key] for run in runs))
    sets, methods = names("set"), names("method")
    missing = [name for name in METHODS if name not in available()]
    failed = sorted({f"{r['method']} on {r['set']}: {r['failed']}" for r in runs if "failed" in r})
    rows = [[name, *(balance(values, h, sets, name) for h in HEADINGS)] for name in methods[1:]]
    tables = [
        f"{title}:\n\n{table_of(values, heading, sets, methods)}"
        for heading, title in HEADINGS.items()
        if any(key[0] == heading for key in values)
    ]
    return (
        "Each method with its defaults, n_components=2, one thread. Medians of draws: new data, or "
        "other rows of real data,\nand another seed. Irises, wine, diabetics and tumours are "
        "standardised. **Bold: better than UKR**, by a sign test of\nthe draws at 5 % (15 of 20, 9 "
        "of 10). A dash: no such score, or too slow to try. Times are processor time after a\ncall "
        "that compiles. The first table counts data sets: UKR is better – it may be chance – *the "
        "rival is better*.\n\n"
        f"{table(['', *HEADINGS], rows)}\n"
        + (f"Not installed here: {', '.join(missing)}.\n\n" if missing else "")
        + "".join(f"Failed: {line}.\n\n" for line in failed)
        + "\n".join(tables)
    )


HEADINGS = {
    "time": "Time, in units of t-SNE's; of PaCMAP's at 100,000",
    "held out": "Error of held-out rows, as a share of their variance; less is better",
    "R_cv": "R_cv, which UKR minimises, as a share of the variance; less is better",
    "trustworthiness": f"Trustworthiness, k = 10, judged on {JUDGED} points if there are more",
    "continuity": "Continuity, likewise",
    "1-NN": "1-NN: the share of points whose nearest neighbour in the plane has their label",
    "R²": "R²: Procrustes, with the true coordinates",
}


def in_favour(values, heading, data, name):
    """For each draw whether the rival is better than UKR; equals count for nobody."""
    ours, its = (values.get((heading, data, method), {}) for method in ("UKR", name))
    sign = 1 if SCORES.get(heading, (None, False))[1] else -1
    gains = [sign * (its[draw] - ours[draw]) for draw in ours.keys() & its.keys()]
    return [gain > 0 for gain in gains if gain]


def verdict(values, heading, data, name):
    better = in_favour(values, heading, data, name)
    return judged(better)[-1] if better else "open"


def balance(values, heading, sets, name):
    tried = [data for data in sets if (heading, data, name) in values]
    verdicts = [verdict(values, heading, data, name) for data in tried]
    counts = [verdicts.count(what) for what in ("the opposite", "open", "holds")]
    return "{} – {} – *{}*".format(*counts) if tried else "–"


def table_of(values, heading, sets, methods):
    rows = []
    for data in [data for data in sets if (heading, data, "UKR") in values]:
        ours = values[heading, data, "UKR"]
        row = [data, len(ours)]
        for name in methods:
            its = values.get((heading, data, name))
            if its is None:
                row.append("–")
            else:
                row.append(f"{np.median([*its.values()]):.{2 if heading == 'time' else 3}f}")
            if its is not None and verdict(values, heading, data, name) == "holds":
                row[-1] = f"**{row[-1]}**"
        rows.append(row)
    return table(["", "draws", *methods], rows)


# Outliers


def outliers(classes):
    """Is a digit unlike those of the fit? Each class in turn is kept out of the fit."""
    found = {}
    for unknown in classes:
        for name, area in areas(unknown).items():
            found.setdefault(name, []).append(area)
    rows = [[name, f"{extremes(areas):.3f}"] for name, areas in found.items()]
    return (
        "Outliers: fitted to four fifths of nine classes of digits; the last fifth against the "
        "tenth class, by the area under the ROC\ncurve; median of "
        f"{len(classes)} classes (least–greatest).\n\n{table(['score', 'area'], rows)}"
    )


def areas(unknown):
    Y, labels = bundled.load_digits(return_X_y=True)
    known = np.flatnonzero(labels != unknown)
    test = np.arange(len(known)) % 5 == 4
    train, like, unlike = Y[known[~test]], Y[known[test]], Y[labels == unknown]
    candidates = np.vstack([like, unlike])
    truth = np.repeat([0, 1], [len(like), len(unlike)])
    model = UKR().fit(train)
    X = model.transform(candidates)
    distance = np.sum((model.inverse_transform(X) - candidates) ** 2, axis=1)
    neighbors = LocalOutlierFactor(novelty=True).fit(train)
    forest = IsolationForest(random_state=0).fit(train)
    scores = {
        "UKR: distance to the manifold": distance,
        "UKR: latent density": -model.density(X),
        "local outlier factor": -neighbors.score_samples(candidates),
        "isolation forest": -forest.score_samples(candidates),
    }
    return {name: roc_auc_score(truth, score) for name, score in scores.items()}


# The picture


def draw_picture(runs):
    """Embeddings of the first draw side by side: a row for each data set, a column a method."""
    first = [run for run in runs if run["draw"] == 0 and "X" in run]
    found = {(run["set"], run["method"]): coordinates_of(run) for run in first}
    names = [name for name in METHODS if any((data, name) in found for data in SHOWN)]
    size = 1.5 * len(names), 1.6 * len(SHOWN)
    figure, axes = figures.blank(len(SHOWN), len(names), size=size)
    grid = np.reshape(axes, (len(SHOWN), len(names)))
    for row, data in zip(grid, SHOWN, strict=True):
        sample = SETS[data](0)
        colour = sample.labels if sample.truth is None else sample.truth[:, 0]
        for ax, name in zip(row, names, strict=True):
            ax.set(xticks=[], yticks=[])
            if data == SHOWN[0]:
                ax.set_title(name)
            if ax is row[0]:
                ax.set_ylabel(data.replace(" ", "\n", 1))
            if (data, name) in found:
                X = found[data, name]
                cmap = "tab10" if sample.truth is None else "viridis"
                ax.scatter(*X.T, c=colour, s=800 / len(X), cmap=cmap, linewidths=0)
            else:
                ax.text(0.5, 0.5, "too slow", ha="center", va="center", transform=ax.transAxes)
    words = "Seven data sets, embedded by each method."
    PICTURE.write_bytes(figures.show(figure, words).png(dpi=80))
