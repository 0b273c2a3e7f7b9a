"""Distances that know the labels, [SI] (1), and what training and held-out points say of them."""

import warnings
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from matplotlib.collections import LineCollection
from scipy.spatial.distance import cdist
from sklearn.neighbors import KNeighborsClassifier

from ukrlearn import figures
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked, same_length
from ukrlearn.course import notation
from ukrlearn.estimators.isomap import AgglomerativeIsomap
from ukrlearn.panels._base import Panel
from ukrlearn.panels._controls import Choice, Slider
from ukrlearn.si.dissimilarity import label_distance, mean_distance, mean_squared_distance

STANDARDISED, RAW = "standardised columns", "raw columns"
SHUFFLED = "standardised, shuffled labels"
BETA = 1000.0  # β ranges from 1/1000 of the mean squared distance to 100 times as much
FARTHEST = 3.2  # the longest distance in the picture, in units of the root mean square
LOWEST, HIGHEST = 0.02, 1e4  # distances with labels in the picture
VANISHING = 1e6  # from here on, distances within classes vanish beside those between classes

_CLASSES = figures.palette("wine").colors
_SAME, _OTHER, _ARC, _EDGE = "#222222", figures.COLORS[3], "#222222", "#aab4bf"


class Bottles(NamedTuple):
    """One version of the data."""

    Y: np.ndarray  # (N, d), training points
    labels: np.ndarray  # (N,)
    new: np.ndarray  # (M, d), held-out points
    truth: np.ndarray  # (M,), their labels, never shuffled
    unit: float  # mean squared distance of the training points
    direct: float  # share of held-out points that 5-NN finds without an embedding


class Fit(NamedTuple):
    """What one setting leads to."""

    X: np.ndarray  # (N, 2), training points in the embedding; the farthest has length 1
    new: np.ndarray  # (M, 2), held-out points in the same units
    between: np.ndarray  # (K, 2, 2), edges of the graph that join two classes
    arcs: np.ndarray  # (A, 2, 2), the arcs that were added
    components: int  # before arcs were added
    within: float  # the longest distance within a class
    shortest: float  # the shortest distance between classes
    longest: float  # and the longest one
    training: float  # share of training points whose class 5-NN finds in the embedding
    held_out: float  # the same of held-out points


class LabelDistance(Panel):
    """Distances with labels (1), the embedding that they lead to, and two judgements of it.

    Upper left: the two cases of (1) over the Euclidean distance. Lower left: how many pairs of
    training points are at which distance. Right: the embedding of the training points (filled)
    with the edges between classes and the arcs that join components, and the held-out points
    (hollow) where kernel ridge regression sends them. Training points look separate even if their
    labels are shuffled. Held-out points are judged by their true labels.

    Parameters
    ----------
    Y : array of shape (N, d)
        Training points, not standardised.
    labels : array of shape (N,)
    new : array of shape (M, d)
        Held-out points.
    truth : array of shape (M,)
        Their labels.
    names : sequence of str, optional
        Names of the classes, in sorted order of the labels.
    seed : int
        Shuffles the labels.
    """

    title = "Labels in the distance"

    @checked(
        same_length("Y", "labels"),
        same_length("new", "truth"),
        Y=arguments.squarable,
        labels=arguments.labels,
        new=arguments.squarable,
        truth=arguments.labels,
        names=arguments.names,
        seed=arguments.seed,
    )
    def __init__(self, Y, labels, new, truth, names=None, seed=0):
        self._names = [str(c) for c in np.unique(labels)] if names is None else list(names)
        if not 2 <= len(np.unique(labels)) <= len(_CLASSES):
            raise ValueError(
                f"labels must have two to {len(_CLASSES)} classes; got {len(np.unique(labels))}."
            )
        centre, spread = Y.mean(axis=0), Y.std(axis=0)
        shuffled = np.random.RandomState(seed).permutation(labels)
        even, new_even = (Y - centre) / spread, (new - centre) / spread
        self.versions = {
            STANDARDISED: _bottles(even, labels, new_even, truth),
            RAW: _bottles(Y, labels, new, truth),
            SHUFFLED: _bottles(even, shuffled, new_even, truth),
        }
        self.fitted = lru_cache(64)(self._fitted)
        self._drawn = None
        controls = {
            "alpha": Slider(notation.label("alpha"), 0.0, 0.99, 0.5, steps=99, refits=True),
            "beta": Slider(
                notation.label("beta"),
                1 / BETA, 100.0, 1.0, log=True, steps=100, refits=True,
            ),
            "version": Choice("data", (STANDARDISED, RAW, SHUFFLED), STANDARDISED),
        }  # fmt: skip
        super().__init__(controls, size=(8.44, 4.4))

    @classmethod
    def example(cls):
        """Wines of three growers: 118 bottles to train on, 60 held out."""
        from sklearn.datasets import load_wine
        from sklearn.model_selection import train_test_split

        parts = train_test_split(
            *load_wine(return_X_y=True), test_size=60, stratify=load_wine().target, random_state=0
        )
        Y, new, labels, truth = parts
        return cls(Y, labels, new, truth, names=("grower 1", "grower 2", "grower 3"))

    def paper_beta(self, version):
        """The paper's β, the mean distance, in the slider's unit."""
        one = self.versions[version]
        return mean_distance(one.Y) / one.unit

    def _fitted(self, alpha, beta, version):
        one = self.versions[version]
        model = AgglomerativeIsomap(2, alpha=alpha, beta=beta * one.unit)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # too long distances: the summary says so
            model.fit(one.Y, one.labels)
        X, new = model.embedding_, model.map(one.new)
        size = np.abs(X).max() or 1.0
        lengths = model.graph_.lengths.tocoo()
        crosses = (one.labels[lengths.row] != one.labels[lengths.col]) & (lengths.row < lengths.col)
        pairs = np.column_stack([lengths.row, lengths.col])[crosses]
        same = one.labels[:, None] == one.labels
        Q = label_distance(cdist(one.Y, one.Y, "sqeuclidean"), same, alpha, beta * one.unit)
        near = KNeighborsClassifier().fit(X / size, one.labels)
        return Fit(
            X / size, new / size, X[pairs] / size, X[model.graph_.arcs] / size,
            int(model.graph_.components.max()) + 1,
            Q[same].max(), Q[~same].min(), Q[~same].max(),
            near.score(X / size, one.labels), near.score(new / size, one.truth),
        )  # fmt: skip

    def draw(self, figure):
        grid = figure.add_gridspec(2, 2, height_ratios=(1.9, 1), width_ratios=(1, 1.15))
        of_curves = figure.add_subplot(grid[0, 0])
        of_pairs = figure.add_subplot(grid[1, 0], sharex=of_curves)
        of_points = figure.add_subplot(grid[:, 1])
        self._e = np.linspace(0, FARTHEST, 400)
        self._curves = [
            *of_curves.plot([], [], color=_OTHER, ls="--", label="different classes"),
            *of_curves.plot([], [], color=_SAME, label="same class"),
        ]
        of_curves.set(
            title="Equation (1)", yscale="log", ylim=(LOWEST, HIGHEST), xlim=(0, FARTHEST),
            ylabel=notation.label("label_distance"),
        )  # fmt: skip
        of_curves.tick_params(labelbottom=False)
        of_curves.legend(loc="upper left", frameon=False)
        (self._of_others,) = of_pairs.plot([], [], color=_OTHER, ls="--", lw=1.5)
        (self._of_same,) = of_pairs.plot([], [], color=_SAME, lw=1.5)
        of_pairs.set(xlabel="distance e, root mean square = 1", ylabel="pairs", ylim=(0, None))
        self._of_pairs = of_pairs
        artists = self._draw_points(of_points)
        self._count_pairs(self.versions[STANDARDISED])
        figure.draw_without_rendering()  # layout computed once, so that Axes do not shift
        figure.set_layout_engine("none")
        return [*self._curves, self._of_others, self._of_same, *artists]

    def _draw_points(self, ax):
        ax.set(title="Embedding", xlim=(-1.25, 1.25), ylim=(-1.25, 1.25), xticks=[], yticks=[])
        ax.set_aspect("equal")
        self._between = ax.add_collection(LineCollection([], colors=_EDGE, lw=0.6, zorder=1))
        self._arcs = ax.add_collection(LineCollection([], colors=_ARC, lw=2.2, zorder=2))
        self._trained, self._held = [], []
        for k, name in enumerate(self._names):
            color, marker = _CLASSES[k], figures.MARKERS[k]
            look = dict(marker=marker, ls="", clip_on=True)
            self._trained += ax.plot([], [], color=color, ms=4, mec="none", label=name, **look)
            self._held += ax.plot([], [], mfc="none", mec=color, ms=7.5, mew=1.4, zorder=4, **look)
        handles = [*self._trained, *ax.plot([], [], "o", mfc="none", mec=_ARC, ms=7.5)]
        handles += [*ax.plot([], [], color=_ARC, lw=2.2), *ax.plot([], [], color=_EDGE, lw=1)]
        ax.legend(
            handles, [*self._names, "held out", "arc", "edge between classes"],
            loc="upper center", bbox_to_anchor=(0.5, -0.02), ncols=3, frameon=False,
        )  # fmt: skip
        self._said = ax.text(0.5, 0.985, "", transform=ax.transAxes, ha="center", va="top")
        self._said.set_bbox(dict(facecolor="white", edgecolor="none", alpha=0.8, pad=1.5))
        return [self._between, self._arcs, *self._trained, *self._held, self._said]

    def move(self, alpha, beta, version):
        one, found = self.versions[version], self.fitted(alpha, beta, version)
        for line, same in zip(self._curves, (False, True), strict=True):
            q = label_distance(self._e**2, np.full(self._e.shape, same), alpha, beta)
            line.set_data(self._e, np.clip(q, LOWEST / 10, 10 * HIGHEST))
        if self._drawn != version:
            self._count_pairs(one)
            self._drawn = version
        self._between.set_segments(found.between)
        self._arcs.set_segments(found.arcs)
        for k, label in enumerate(np.unique(one.labels)):
            self._trained[k].set_data(*found.X[one.labels == label].T)
            self._held[k].set_data(*found.new[one.truth == label].T)
        self._said.set_text(f"5-NN: training {found.training:.1%}, held out {found.held_out:.1%}")
        return self._words(alpha, beta, version, one, found)

    def _count_pairs(self, one):
        """Histograms of the Euclidean distances of training points."""
        e = np.sqrt(cdist(one.Y, one.Y, "sqeuclidean") / one.unit)
        upper = np.triu(np.ones(e.shape, dtype=bool), 1)
        same = one.labels[:, None] == one.labels
        edges = np.linspace(0, FARTHEST, 41)
        middles, highest = (edges[1:] + edges[:-1]) / 2, 0
        for line, chosen in ((self._of_same, same), (self._of_others, ~same)):
            counts, _ = np.histogram(e[upper & chosen], edges)
            line.set_data(middles, counts)
            highest = max(highest, counts.max())
        self._of_pairs.set_ylim(0, 1.08 * highest)
        self.redraw()

    def _words(self, alpha, beta, version, one, found):
        joined = "1 arc" if len(found.arcs) == 1 else f"{len(found.arcs)} arcs"
        parts = "1 component" if found.components == 1 else f"{found.components} components"
        text = (
            f"{version[0].upper()}{version[1:]}, α = {alpha:.2f}, β = {beta:.3g} times the mean "
            f"squared distance. Distances within a class are at most {found.within:.3g}, between "
            f"classes {found.shortest:.3g} to {found.longest:.3g}. {len(one.Y)} training points: "
            f"{parts}, {joined} added, {len(found.between) - len(found.arcs)} other edges between "
            "classes. "
            f"5-NN in the embedding finds the class of {found.training:.1%} of the training points "
            f"and of {found.held_out:.1%} of the {len(one.new)} held-out points. On the data "
            f"themselves it finds {one.direct:.1%} of the held-out points."
        )
        if found.longest > VANISHING:
            text += " Distances within classes vanish beside those between classes."
        return text


def _bottles(Y, labels, new, truth):
    direct = KNeighborsClassifier().fit(Y, labels).score(new, truth)
    return Bottles(Y, labels, new, truth, mean_squared_distance(Y), direct)
