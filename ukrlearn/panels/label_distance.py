"""Distances that know the labels, [SI] (1), and what training and held-out points say of them."""

import warnings
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
from ukrlearn.panels._controls import Choice, Slider
from ukrlearn.panels._explorable import Explorable, demand_few, demand_varying, rounded
from ukrlearn.panels._remembered import Remembered
from ukrlearn.si.dissimilarity import label_distance, mean_squared_distance

STANDARDISED, RAW = "standardised columns", "raw columns"
SHUFFLED = "standardised, shuffled labels"
BETA = 1000.0  # β ranges from 1/1000 of the mean squared distance to 100 times as much
FARTHEST = 3.2  # the longest distance in the picture, in units of the root mean square
LOWEST, HIGHEST = 0.02, 1e4  # distances with labels in the picture
NEIGHBORS = 10  # of each point in the graph
LEAST = 6  # points: 5-NN needs another
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


class LabelDistance(Explorable):
    """Distances with labels (1), the embedding that they lead to, and two judgements of it.

    Left: the two cases of (1) over the Euclidean distance, with handles for α and β, and in the
    page how many pairs of training points are at which distance. Right: the embedding of the
    training points (filled) with the edges between classes and the arcs that join components, and
    the held-out points (hollow) where kernel ridge regression sends them. Training points look
    separate even if their labels are shuffled: drag one to another class, and it stays there.
    Held-out points are judged by their true labels.

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

    Attributes
    ----------
    relabelled : array of shape (K, 2)
        The training points that the hand has given another class: their numbers, and the classes.
    """

    title = "Labels in the distance"
    script = "label_distance.js"
    moved = "relabelled"
    pictures = {
        "curves": dict(
            title="Equation (1)", hand="drag α and β", ylabel=notation.label("label_distance"),
            legend=["different classes", "same class"],
        ),
        "embedding": dict(
            title="Embedding", hand="drag a point to another class",
            legend=["held out", "arc", "edge between classes"],
        ),
    }  # fmt: skip
    further = {
        "pairs": dict(
            title="Pairs of training points", xlabel="distance e, root mean square = 1",
            ylabel="pairs",
        )
    }  # fmt: skip

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
        demand_few("Y", Y, least=LEAST)
        demand_varying("Y", Y)
        centre, spread = Y.mean(axis=0), Y.std(axis=0)
        shuffled = np.random.RandomState(seed).permutation(labels)
        even, new_even = (Y - centre) / spread, (new - centre) / spread
        self.versions = {
            STANDARDISED: _bottles(even, labels, new_even, truth),
            RAW: _bottles(Y, labels, new, truth),
            SHUFFLED: _bottles(even, shuffled, new_even, truth),
        }
        self._fits = Remembered(64)
        self.relabelled = self._first = np.empty((0, 2), dtype=int)
        controls = {
            "alpha": Slider(notation.label("alpha"), 0.0, 0.99, 0.5, steps=99),
            "beta": Slider(notation.label("beta"), 1 / BETA, 100.0, 1.0, log=True),
            "version": Choice("data", (STANDARDISED, RAW, SHUFFLED), STANDARDISED),
        }
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

    def data(self):
        raw, classes = self.versions[RAW], np.unique(self.versions[RAW].labels)
        place = lambda labels: np.searchsorted(classes, labels).tolist()
        return {
            "Y": rounded(raw.Y),
            "new_points": rounded(raw.new),
            "labels": place(raw.labels),
            "shuffled": place(self.versions[SHUFFLED].labels),
            "truth": place(raw.truth),
            "classes": list(zip(self._names, _CLASSES[: len(classes)], strict=True)),
            "neighbors": NEIGHBORS,
            "raw": RAW,
            "mixed": SHUFFLED,
        }

    def _use(self, relabelled):
        rows = arguments.numbers("relabelled", relabelled).reshape(-1)
        numbers, classes, first = rows[::2], rows[1::2], self.versions[RAW].labels
        known = np.isin(numbers, range(len(first))).all()
        known &= np.isin(classes, range(len(self._names))).all()
        if len(numbers) != len(classes) or not known:
            raise ValueError(
                "relabelled must have two columns: numbers of training points, 0 to "
                f"{len(first) - 1}, and of classes, 0 to {len(self._names) - 1}; got "
                f"{arguments.shown(relabelled)}."
            )
        self.relabelled = rows.astype(int).reshape(-1, 2)

    def bottles(self, version):
        """A version of the data with the labels that the hand has left."""
        one = self.versions[version]
        labels = one.labels.copy()
        for n, label in self.relabelled:
            labels[n] = np.unique(one.labels)[label]
        return _bottles(one.Y, labels, one.new, one.truth)

    def fitted(self, alpha, beta, version):
        """What these settings lead to, a `Fit`."""
        key = alpha, beta, version, self.relabelled.tobytes()
        return self._fits.get_or_make(key, lambda: self._fit(alpha, beta, self.bottles(version)))

    def _fit(self, alpha, beta, one):
        model = AgglomerativeIsomap(2, n_neighbors=NEIGHBORS, alpha=alpha, beta=beta * one.unit)
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
        of_curves, of_points = figure.subplots(1, 2, width_ratios=(1, 1.15))
        self._e = np.linspace(0, FARTHEST, 400)
        looks = dict(color=_OTHER, ls="--"), dict(color=_SAME)
        named = zip(self.pictures["curves"]["legend"], looks, strict=True)
        self._curves = [of_curves.plot([], [], label=name, **look)[0] for name, look in named]
        self.write(of_curves, "curves")
        of_curves.set(yscale="log", ylim=(LOWEST, HIGHEST), xlim=(0, FARTHEST))
        of_curves.legend(loc="upper left", frameon=False)
        return [*self._curves, *self._draw_points(of_points)]

    def _draw_points(self, ax):
        self.write(ax, "embedding")
        ax.set(xlim=(-1.25, 1.25), ylim=(-1.25, 1.25), xticks=[], yticks=[], aspect="equal")
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
            handles, [*self._names, *self.pictures["embedding"]["legend"]],
            loc="upper center", bbox_to_anchor=(0.5, -0.02), ncols=3, frameon=False,
        )  # fmt: skip
        self._said = ax.text(0.5, 0.985, "", transform=ax.transAxes, ha="center", va="top")
        self._said.set_bbox(dict(facecolor="white", edgecolor="none", alpha=0.8, pad=1.5))
        return [self._between, self._arcs, *self._trained, *self._held, self._said]

    def move(self, alpha, beta, version):
        one, found = self.bottles(version), self.fitted(alpha, beta, version)
        for line, same in zip(self._curves, (False, True), strict=True):
            q = label_distance(self._e**2, np.full(self._e.shape, same), alpha, beta)
            line.set_data(self._e, np.clip(q, LOWEST / 10, 10 * HIGHEST))
        self._between.set_segments(found.between)
        self._arcs.set_segments(found.arcs)
        for k, label in enumerate(np.unique(one.labels)):
            self._trained[k].set_data(*found.X[one.labels == label].T)
            self._held[k].set_data(*found.new[one.truth == label].T)
        self._said.set_text(f"5-NN: training {found.training:.1%}, held out {found.held_out:.1%}")
        return self._words(alpha, beta, version, one, found)

    def _words(self, alpha, beta, version, one, found):
        joined = "1 arc" if len(found.arcs) == 1 else f"{len(found.arcs)} arcs"
        parts = "1 component" if found.components == 1 else f"{found.components} components"
        K = len(self.relabelled)
        by_hand = f", {K} label{'s' * (K > 1)} by hand" if K else ""
        between = len(found.between) - len(found.arcs)
        text = (
            f"{version[0].upper()}{version[1:]}{by_hand}, α = {alpha:.2f}, β = {beta:.3g} times "
            "the mean squared distance. Distances within a class are at most "
            f"{found.within:.3g}, between classes {found.shortest:.3g} to {found.longest:.3g}. "
            f"{len(one.Y)} training points: {parts}, {joined} added, {between} other edges between "
            f"classes. 5-NN in the embedding finds the class of {found.training:.1%} of the "
            f"training points and of {found.held_out:.1%} of the {len(one.new)} held-out points. "
            f"On the data themselves it finds {one.direct:.1%} of the held-out points."
        )
        if found.longest > VANISHING:
            text += " Distances within classes vanish beside those between classes."
        return text


def _bottles(Y, labels, new, truth):
    direct = KNeighborsClassifier().fit(Y, labels).score(new, truth)
    return Bottles(Y, labels, new, truth, mean_squared_distance(Y), direct)
