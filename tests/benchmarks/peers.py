"""What a user would pick instead: UKR and its rivals on sixteen data sets, twenty draws of each.

    python tests/benchmarks/run.py --only peers --sets wine digits --methods UKR t-SNE --draws 3

prints a part. Rivals are measured if they are installed; `make bench` installs them, as the extra
`peers`. Each draw is in build/peers.jsonl as soon as it is measured, and the next run goes on from
there, unless code that UKR or the scores need has changed. So a run may be stopped, and parts may
be measured at the same time, before `run.py --only peers` makes the section of them.
"""

import argparse
import importlib.util
import json
import sys
import time
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np
from measuring import extremes, judged, table
from provenance import ROOT, fingerprint
from scipy.ndimage import gaussian_filter, map_coordinates
from scipy.spatial import cKDTree
from sklearn import datasets as bundled
from sklearn.decomposition import PCA
from sklearn.ensemble import IsolationForest
from sklearn.manifold import TSNE, Isomap, LocallyLinearEmbedding
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import LocalOutlierFactor
from sklearn.preprocessing import scale

from ukrlearn import SNE, UKR, ParametricDRUR, datasets, figures, metrics

TITLE = "What a user would pick instead"
PICTURE = Path(__file__).with_name("peers.png")
KEPT = ROOT / "build" / "peers.jsonl"

JUDGED = 2000  # points for trustworthiness and continuity; ranks are among all


# Data: each function draws N rows for the fit and a quarter as many new ones


class Draw(NamedTuple):
    Y: np.ndarray
    labels: np.ndarray | None  # of classes
    truth: np.ndarray | None  # coordinates
    new: np.ndarray  # rows that no method sees


def drawn(Y, labels, truth, N, seed):
    """N of these rows, and a quarter as many others, at random; four fifths if N is None."""
    order = np.random.default_rng(seed).permutation(len(Y))
    N = 4 * len(Y) // 5 if N is None else N
    old, new = order[:N], order[N : N + N // 4]
    of_fit = lambda values: None if values is None else values[old]
    return Draw(Y[old], of_fit(labels), of_fit(truth), Y[new])


def real(load, N=None, prepare=scale):
    """A data set that scikit-learn brings."""

    def draw(seed):
        Y, target = load(return_X_y=True)
        return drawn(prepare(Y), target, None, N, seed)

    return draw


def simulated(make, N, with_labels=False):
    """make(rows, random_state) -> rows, and their true coordinates or labels."""

    def draw(seed):
        Y, known = make(N + N // 4, random_state=seed)
        return drawn(Y, *((known, None) if with_labels else (None, known)), N, seed)

    return draw


def diabetics(return_X_y):
    Y, _ = bundled.load_diabetes(return_X_y=return_X_y)
    return Y, None  # its target is no class


def distorted(N):
    """Images of digits, each turned, shifted, zoomed and bent a little at random."""

    def draw(seed):
        random = np.random.default_rng(seed)
        Y, labels = bundled.load_digits(return_X_y=True)
        which = np.arange(N + N // 4) % len(Y)
        copies = np.empty((len(which), 64))
        pixels = np.stack(np.meshgrid(np.arange(8.0), np.arange(8.0), indexing="ij")) - 3.5
        for n, image in enumerate(Y[which].reshape(-1, 8, 8)):
            angle = np.deg2rad(random.uniform(-12, 12))
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            shift = random.uniform(-0.6, 0.6, 2)[:, None, None]
            bent = 1.2 * gaussian_filter(random.normal(size=(2, 8, 8)), (0, 2, 2))
            at = np.tensordot(random.uniform(0.93, 1.07) * turn, pixels, 1) + 3.5 + shift + bent
            copies[n] = map_coordinates(image, at, order=1).ravel()
        return drawn(copies, labels[which], None, N, seed)

    return draw


def s_curve_with_a_hole(N, random_state):
    Y, t = datasets.s_curve(2 * N, random_state=random_state)
    middle = (t.max(axis=0) + t.min(axis=0)) / 2
    around = np.linalg.norm((t - middle) / np.ptp(t, axis=0), axis=1) > 0.2
    return Y[around][:N], t[around][:N]


def loops(N, random_state):
    """Five sevens, each turned through a full circle: closed curves in 256 columns."""
    Y, _ = datasets.rotated_digits(5, N // 5, random_state=random_state)
    return Y, np.repeat(np.arange(5), N // 5)


def blobs(N, random_state):
    return bundled.make_blobs(N, n_features=50, centers=20, random_state=random_state)


SETS = {
    "100 irises": real(bundled.load_iris, 100),
    "wine": real(bundled.load_wine),
    "300 digits": real(bundled.load_digits, 300, np.asarray),
    "oil flow, 300": simulated(datasets.simulated_oil_flow, 300, with_labels=True),
    "320 diabetics": real(diabetics, 320),
    "turned sevens, 360": simulated(loops, 360, with_labels=True),
    "400 tumours": real(bundled.load_breast_cancer, 400),
    "S-curve, 400": simulated(datasets.s_curve, 400),
    "Swiss roll, 600": simulated(datasets.swiss_roll, 600),
    "800 digits": real(bundled.load_digits, 800, np.asarray),
    "blobs in 50 dimensions": simulated(blobs, 800, with_labels=True),
    "oil flow": simulated(datasets.simulated_oil_flow, 1000, with_labels=True),
    "S-curve with a hole": simulated(s_curve_with_a_hole, 1000),
    "Swiss roll": simulated(datasets.swiss_roll, 1000),
    "digits": real(bundled.load_digits, None, np.asarray),
    "10,000 distorted digits": distorted(10_000),
    "100,000 distorted digits": distorted(100_000),
}
SHOWN = [  # in the picture
    *("digits", "10,000 distorted digits", "Swiss roll", "S-curve with a hole", "oil flow"),
    *("blobs in 50 dimensions", "wine"),
]


def draws_of(data):
    """Twenty; fewer where a draw takes minutes."""
    return {"10,000 distorted digits": 10, "100,000 distorted digits": 3}.get(data, 20)


# Methods: what is imported if it is no part of scikit-learn or ours, how the estimator is made, and
# the most points for which it is tried


class Method(NamedTuple):
    module: str | None
    make: object  # (seed, the module) -> estimator
    most: int = 20_000


METHODS = {
    "UKR": Method(None, lambda seed, _: UKR(random_state=seed), 10**6),
    "DRUR": Method(None, lambda seed, _: ParametricDRUR(random_state=seed)),
    "t-SNE": Method(None, lambda seed, _: TSNE(random_state=seed)),
    "UKR on t-SNE": Method(None, lambda seed, _: UKR(init=TSNE(random_state=seed)), 2000),
    "openTSNE": Method("openTSNE", lambda seed, its: its.TSNE(random_state=seed, n_jobs=1)),
    "UMAP": Method("umap", lambda seed, its: its.UMAP(random_state=seed, n_jobs=1), 10**6),
    "densMAP": Method(
        "umap", lambda seed, its: its.UMAP(densmap=True, random_state=seed, n_jobs=1)
    ),
    "PaCMAP": Method("pacmap", lambda seed, its: its.PaCMAP(random_state=seed), 10**6),
    "LocalMAP": Method("pacmap", lambda seed, its: its.LocalMAP(random_state=seed), 10**6),
    "TriMap": Method("trimap", lambda seed, its: its.TRIMAP(verbose=False), 10**6),  # takes no seed
    "SNE": Method(None, lambda seed, _: SNE(random_state=seed), 2000),
    "PCA": Method(None, lambda seed, _: PCA(2), 10**6),
    "Isomap": Method(None, lambda seed, _: Isomap(n_neighbors=10), 2000),
    "LLE": Method(
        None, lambda seed, _: LocallyLinearEmbedding(n_neighbors=12, random_state=seed), 2000
    ),
}


def available():
    modules = {method.module for method in METHODS.values() if method.module}
    missing = {module for module in modules if importlib.util.find_spec(module) is None}
    return [name for name, method in METHODS.items() if method.module not in missing]


def embedded(name, Y, seed):
    """Coordinates, as floats; with its defaults, `n_components=2`, and in one thread."""
    module = METHODS[name].module
    model = METHODS[name].make(seed, module and importlib.import_module(module))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = model.fit_transform(Y) if hasattr(model, "fit_transform") else model.fit(Y)
    return np.asarray(fitted, dtype=float)


# Scores: heading -> function of the draw and of the coordinates, and whether more is better. A
# score that does not exist for the data is None.


def r_cv(draw, X):
    """At 100,000, that of every tenth point."""
    some = slice(None, None, max(1, len(X) // 10_000))
    return metrics.loo_reconstruction(X[some], draw.Y[some])


def trustworthiness(draw, X):
    return metrics.trustworthiness(X, draw.Y, 10, n_points=min(JUDGED, len(X)))


def continuity(draw, X):
    return metrics.continuity(X, draw.Y, 10, n_points=min(JUDGED, len(X)))


def one_nn(draw, X):
    if draw.labels is None:
        return None
    near = cKDTree(X).query(X, 2)[1]
    others = np.where(near[:, 0] == np.arange(len(X)), near[:, 1], near[:, 0])
    return float(np.mean(draw.labels[others] == draw.labels))


def r2(draw, X):
    return None if draw.truth is None else metrics.procrustes_r2(X, draw.truth)


SCORES = {
    "R_cv": (r_cv, False),
    "trustworthiness": (trustworthiness, True),
    "continuity": (continuity, True),
    "1-NN": (one_nn, True),
    "R²": (r2, True),
}


# Measuring


def measure(sets, methods, draws, keep=True):
    """Records of all runs, those of earlier calls included; a line on stderr for each draw."""
    code, runs, warm = fingerprint("peers"), {}, set()
    for line in KEPT.read_text().splitlines() if keep and KEPT.exists() else []:
        run = json.loads(line)
        if run["code"] == code:
            runs[run["set"], run["draw"], run["method"]] = run
    for draw in range(max(map(draws, sets))):  # so that a run that is stopped has some of all sets
        for data in [data for data in sets if draw < draws(data)]:
            sample = SETS[data](draw)
            tried = [name for name in methods if len(sample.Y) <= METHODS[name].most]
            if all((data, draw, name) in runs for name in tried):
                continue
            for name in tried:  # all of them, because ratios of times need one run
                scores = scores_of(name, sample, draw, warm=(data, name) in warm)
                run = {"code": code, "set": data, "draw": draw, "method": name, **scores}
                runs[data, draw, name] = run
                warm.add((data, name))
            if keep:
                KEPT.parent.mkdir(exist_ok=True)
                with KEPT.open("a") as file:
                    file.writelines(json.dumps(runs[data, draw, name]) + "\n" for name in tried)
            print(time.strftime("%H:%M"), data, "draw", draw, file=sys.stderr, flush=True)
    return [run for run in runs.values() if run["set"] in sets and run["method"] in methods]


def scores_of(name, sample, seed, warm):
    """Processor seconds, scores, and the coordinates of the first draw, for the picture."""
    try:
        if not warm and METHODS[name].module:
            embedded(name, sample.Y, seed)  # numba compiles what the first call of this size needs
        start = time.process_time()
        X = embedded(name, sample.Y, seed)
        scores = {"seconds": time.process_time() - start}
        scores |= {heading: score(sample, X) for heading, (score, _) in SCORES.items()}
    except Exception as problem:  # of a rival; the others must not wait for its authors
        return {"failed": f"{type(problem).__name__}: {problem}"[:200]}
    return scores | ({"X": X.round(3).tolist()} if seed == 0 and len(X) <= 10_000 else {})


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
        for heading in ("seconds", *SCORES):
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
    "seconds": "Time, in units of UKR's",
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
            elif heading == "seconds" and name == "UKR":
                row.append(f"{np.median([*its.values()]):.2f} s")
            elif heading == "seconds":
                row.append(f"{np.median([its[d] / ours[d] for d in ours.keys() & its.keys()]):.2f}")
            else:
                row.append(f"{np.median([*its.values()]):.3f}")
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
    found = {(run["set"], run["method"]): run["X"] for run in runs if "X" in run}
    names = [name for name in METHODS if any((data, name) in found for data in SHOWN)]
    size = 1.5 * len(names), 1.6 * len(SHOWN)
    figure, axes = figures.blank(len(SHOWN), len(names), size=size)
    for row, data in zip(axes, SHOWN, strict=True):
        sample = SETS[data](0)
        colour = sample.labels if sample.truth is None else sample.truth[:, 0]
        for ax, name in zip(row, names, strict=True):
            ax.set(xticks=[], yticks=[])
            if row is axes[0]:
                ax.set_title(name)
            if ax is row[0]:
                ax.set_ylabel(data.replace(" ", "\n", 1))
            if (data, name) in found:
                X = np.array(found[data, name])
                cmap = "tab10" if sample.truth is None else "viridis"
                ax.scatter(*X.T, c=colour, s=800 / len(X), cmap=cmap, linewidths=0)
            else:
                ax.text(0.5, 0.5, "too slow", ha="center", va="center", transform=ax.transAxes)
    words = "Seven data sets, embedded by each method."
    PICTURE.write_bytes(figures.show(figure, words).png(dpi=80))
