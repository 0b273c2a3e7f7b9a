"""What a user would pick instead: other methods on seven data sets, and the time of a default fit.

UMAP and openTSNE are measured if they are installed (the extra `peers` of pyproject.toml). Each
method first fits 300 points unmeasured, so that what is compiled on the first call does not count.
"""

import importlib.util
import time
from pathlib import Path

import numpy as np
from measuring import at_least, at_most, extremes, in_fresh_process, quartiles, table
from scipy.ndimage import gaussian_filter, map_coordinates
from scipy.spatial import cKDTree
from sklearn.datasets import load_digits, load_wine, make_blobs
from sklearn.decomposition import PCA
from sklearn.ensemble import IsolationForest
from sklearn.manifold import TSNE, Isomap, LocallyLinearEmbedding
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import KNeighborsClassifier, LocalOutlierFactor
from sklearn.preprocessing import scale

from ukrlearn import SNE, UKR, ParametricDRUR, datasets, figures, metrics

TITLE = "What a user would pick instead"
PICTURE = Path(__file__).with_name("peers.png")

JUDGED = 2000  # points for trustworthiness and continuity; ranks are among all


# Data: (Y, labels or None, true coordinates or None)


def digits(N=None):
    Y, labels = load_digits(return_X_y=True)
    return (Y, labels, None) if N is None else (*distorted(Y, labels, N), None)


def distorted(Y, labels, N, seed=0):
    """N copies of images of 8 x 8 pixels, turned, shifted, zoomed and bent a little at random."""
    random = np.random.default_rng(seed)
    copies = np.empty((N, 64))
    pixels = np.stack(np.meshgrid(np.arange(8.0), np.arange(8.0), indexing="ij")) - 3.5
    for n in range(N):
        angle = np.deg2rad(random.uniform(-12, 12))
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        shift = random.uniform(-0.6, 0.6, 2)[:, None, None]
        bent = 1.2 * gaussian_filter(random.normal(size=(2, 8, 8)), (0, 2, 2))
        at = np.tensordot(random.uniform(0.93, 1.07) * turn, pixels, 1) + 3.5 + shift + bent
        copies[n] = map_coordinates(Y[n % len(Y)].reshape(8, 8), at, order=1).ravel()
    return copies, labels[np.arange(N) % len(Y)]


def roll():
    Y, t = datasets.swiss_roll(1000, random_state=0)
    return Y, None, t


def s_curve_with_a_hole():
    Y, t = datasets.s_curve(1000, random_state=0)
    middle = (t.max(axis=0) + t.min(axis=0)) / 2
    around = np.linalg.norm((t - middle) / np.ptp(t, axis=0), axis=1) > 0.2
    return Y[around], None, t[around]


def oil_flow():
    Y, labels = datasets.simulated_oil_flow(1000, random_state=0)
    return Y, labels, None


def blobs():
    Y, labels = make_blobs(1000, n_features=50, centers=20, random_state=0)
    return Y, labels, None


def wine():
    Y, labels = load_wine(return_X_y=True)
    return scale(Y), labels, None


DATA = {
    "digits": digits,
    "10,000 distorted digits": lambda: digits(10_000),
    "Swiss roll": roll,
    "S-curve with a hole": s_curve_with_a_hole,
    "oil flow": oil_flow,
    "blobs in 50 dimensions": blobs,
    "wine": wine,
}


# Methods: a function that makes the estimator, and the most points for which it is tried


def umap():
    from umap import UMAP

    return UMAP(random_state=0, n_jobs=1)


def open_tsne():
    from openTSNE import TSNE

    return TSNE(random_state=0, n_jobs=1)


METHODS = {
    "UKR": (UKR, 10**6),
    "DRUR": (ParametricDRUR, 10**6),
    "t-SNE": (lambda: TSNE(random_state=0), 20_000),
    "openTSNE": (open_tsne, 10**6),
    "UMAP": (umap, 10**6),
    "SNE": (SNE, 2000),
    "PCA": (lambda: PCA(2), 10**6),
    "Isomap": (lambda: Isomap(n_neighbors=10), 2000),
    "LLE": (lambda: LocallyLinearEmbedding(n_neighbors=12, random_state=0), 2000),
}
NEEDS = {"openTSNE": "openTSNE", "UMAP": "umap"}


def available():
    return [name for name in METHODS if name not in NEEDS or _installed(NEEDS[name])]


def _installed(module):
    return importlib.util.find_spec(module) is not None


# What is measured


def measured(quick):
    chosen = ["wine"] if quick else list(DATA)
    runs = {
        data: {
            name: in_fresh_process("peers", "run", data, name)
            for name in available()
            if len(DATA[data]()[0]) <= METHODS[name][1]
        }
        for data in chosen
    }
    tables = [f"{data}:\n\n{_table_of(of_data)}" for data, of_data in runs.items()]
    missing = [name for name in METHODS if name not in available()]
    if not quick:
        draw(runs)
    return (
        "Every fifth point is kept back as new, and each method is fitted to the others with its "
        "defaults, n_components=2, one\nthread. R_cv is a share of the variance, at the best "
        f"scale; trustworthiness and continuity (k = 10) are judged on {JUDGED} points,\nif there "
        "are more. 1-NN: the share of points whose nearest neighbour in the plane has their label. "
        "R²: Procrustes, with the\ntruth. New: the share of new points for which the nearest point "
        "of the fit has their label. Back: the squared error of new\npoints that are placed and "
        "mapped back, as a share of the variance. A dash: the method cannot do this.\n"
        + (f"Not installed here: {', '.join(missing)}.\n" if missing else "")
        + "\n"
        + "\n".join(tables)
        + f"\n{outliers(range(1) if quick else range(10))}\n{times(quick)}"
    )


def _table_of(runs):
    rows = []
    for name, child in runs.items():
        scores = child.value["scores"]
        shown = [f"{scores[key]:.3f}" if key in scores else "–" for key in KEYS[1:]]
        rows.append([name, f"{scores['seconds']:.1f}", f"{child.gigabytes:.2f}", *shown])
    return table(["", "s", "GB", "R_cv", "trust", "cont.", "1-NN", "R²", "new", "back"], rows)


KEYS = ("seconds", "r_cv", "trust", "continuity", "one_nn", "r2", "new", "back")


def run(data, name):
    """Scores of one method on one data set, and its embedding."""
    Y, labels, truth = DATA[data]()
    new = np.arange(len(Y)) % 5 == 4
    make = METHODS[name][0]
    fitted(make(), Y[~new][:300])
    start = time.process_time()
    model, X = fitted(make(), Y[~new])
    scores = {"seconds": time.process_time() - start}
    scores["r_cv"] = metrics.loo_reconstruction(X, Y[~new])
    few = dict(n_neighbors=10, n_points=JUDGED)
    scores["trust"] = metrics.trustworthiness(X, Y[~new], **few)
    scores["continuity"] = metrics.continuity(X, Y[~new], **few)
    if truth is not None:
        scores["r2"] = metrics.procrustes_r2(X, truth[~new])
    if labels is not None:
        scores["one_nn"] = float(np.mean(labels[~new][nearest_other(X)] == labels[~new]))
    if hasattr(model, "transform"):
        Z = np.asarray(model.transform(Y[new]))
        if labels is not None:
            nearest = KNeighborsClassifier(1).fit(X, labels[~new])
            scores["new"] = nearest.score(Z, labels[new])
        if hasattr(model, "inverse_transform"):
            error = np.mean(np.sum((model.inverse_transform(Z) - Y[new]) ** 2, axis=1))
            scores["back"] = error / np.var(Y[~new], axis=0).sum()
    return {"scores": {key: float(value) for key, value in scores.items()}, "X": X.tolist()}


def fitted(model, Y):
    """The model with its map for new points, if it has one, and the embedding."""
    if hasattr(model, "fit_transform"):
        X = model.fit_transform(Y)
    else:  # openTSNE: the fit returns the embedding, which has a transform
        model = X = model.fit(Y)
    return model, np.asarray(X, dtype=float)


def nearest_other(X):
    """The nearest other point of each point."""
    near = cKDTree(X).query(X, 2)[1]
    return np.where(near[:, 0] == np.arange(len(X)), near[:, 1], near[:, 0])


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
    Y, labels, _ = digits()
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


# Time


# (images, rival, how many times the rival's time, 1-NN)
ASKED = ((1797, "t-SNE", 0.8, 0.98), (10_000, "t-SNE", 0.25, 0.95), (100_000, "UMAP", 1, 0.98))


def times(quick):
    """Whole fits in turns: UKR against what users would take at that size."""
    rows = []
    for N, rival, most, least in ASKED[: 1 if quick else None]:
        if rival not in available():
            continue
        rounds = 1 if quick or N == 100_000 else 3
        runs = {"UKR": [], rival: []}
        for _ in range(rounds):
            for name, of_name in runs.items():
                of_name.append(in_fresh_process("peers", "timed", name, N))
        seconds = {name: seconds_of(of_name) for name, of_name in runs.items()}
        ratio = quartiles(seconds["UKR"] / seconds[rival])
        for name, of_name in runs.items():
            scores = of_name[-1].value
            asked = [f"{ratio:.2f} {at_most(most, ratio)}", at_least(least, scores["one_nn"])]
            rows.append(
                [
                    f"{N:,}",
                    name,
                    f"{np.median(seconds[name]):.1f} s",
                    asked[0] if name == "UKR" else "",
                    f"{of_name[-1].gigabytes:.2f}",
                    f"{scores['r_cv']:.4f}",
                    f"{scores['trust']:.4f}",
                    f"{scores['one_nn']:.4f} {asked[1] if name == 'UKR' else ''}",
                ]
            )
    headings = ["digits", "", "fit", "x the rival's", "GB", "R_cv", "trust", "1-NN"]
    return (
        "The default fit of all images, in turns: processor time, the median of three (of one at "
        "100,000). R_cv at the best scale of\neach; at 100,000 it is that of every tenth point, "
        f"for both.\n\n{table(headings, rows)}"
    )


def seconds_of(runs):
    return np.array([child.value["seconds"] for child in runs])


def timed(name, N):
    """Seconds of a fit after one that compiles what is compiled, and scores of the embedding."""
    Y, labels, _ = digits(None if N == 1797 else N)
    make = METHODS[name][0]
    fitted(make(), Y[:300])
    start = time.process_time()
    _, X = fitted(make(), Y)
    seconds = time.process_time() - start
    some = slice(None, None, max(1, N // 10_000))
    return {
        "seconds": seconds,
        "r_cv": metrics.loo_reconstruction(X[some], Y[some]),
        "trust": metrics.trustworthiness(X, Y, n_neighbors=10, n_points=JUDGED),
        "one_nn": float(np.mean(labels[nearest_other(X)] == labels)),
    }


# The picture


def draw(runs):
    """All embeddings side by side: a row for each data set, a column for each method."""
    names = available()
    figure, axes = figures.blank(len(runs), len(names), size=(1.5 * len(names), 1.6 * len(runs)))
    axes = np.reshape(axes, (len(runs), len(names)))
    for row, (data, of_data) in zip(axes, runs.items(), strict=True):
        _, labels, truth = DATA[data]()
        kept = np.arange(len(DATA[data]()[0])) % 5 != 4
        colour = (labels if truth is None else truth[:, 0])[kept]
        for ax, name in zip(row, names, strict=True):
            ax.set(xticks=[], yticks=[])
            if data == next(iter(runs)):
                ax.set_title(name)
            if ax is row[0]:
                ax.set_ylabel(data.replace(" ", "\n", 1))
            if name in of_data:
                X = np.array(of_data[name].value["X"])
                size = 800 / len(X)
                cmap = "tab10" if truth is None else "viridis"
                ax.scatter(*X.T, c=colour, s=size, cmap=cmap, linewidths=0)
            else:
                ax.text(0.5, 0.5, "too slow", ha="center", va="center", transform=ax.transAxes)
    words = "Seven data sets, embedded by each method."
    PICTURE.write_bytes(figures.show(figure, words).png(dpi=100))
