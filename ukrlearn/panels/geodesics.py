"""Shortest paths along a graph of neighbours on the Swiss roll, and edges that cut across turns."""

from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from matplotlib.collections import LineCollection
from scipy.spatial.distance import cdist

from ukrlearn import datasets, figures, metrics
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked
from ukrlearn.course import notation
from ukrlearn.panels._controls import Slider
from ukrlearn.panels._explorable import MOST, Explorable, rounded
from ukrlearn.si import geodesics
from ukrlearn.si.isomap import agglomerative_isomap

LENGTH, HEIGHT = 90.0, 21.0  # of the sheet
MOST_NEIGHBORS, MOST_NOISE, LARGEST_HOLE = 15, 2.0, 0.5
WINDOW = np.array([50.0, 28.0])  # half the sides of the lower right picture

_EDGE, _SHORT, _ARC, _PATH = "#9aa7b4", figures.COLORS[1], figures.COLORS[2], "#222222"


class Walk(NamedTuple):
    """A graph on the roll, the way from end to end, and the coordinates made from all ways."""

    Y: np.ndarray  # (N, 3), data
    t: np.ndarray  # (N, 2), true coordinates on the sheet
    edges: np.ndarray  # (E, 2), the pairs of points that are joined, arcs included
    is_short: np.ndarray  # (E,), whether an edge joins two turns of the roll
    is_arc: np.ndarray  # (E,), whether an edge was added to connect the graph
    path: list  # points on the way from the inner to the outer end
    length: float  # of this way
    straight: float  # the straight line between its ends, on the sheet
    X: np.ndarray  # (N, 2), Isomap's coordinates, turned to fit t
    score: float  # the share of the variance of t that X explains


LEAST = 10  # points


class Geodesics(Explorable):
    """The shortest path along a graph of neighbours, from the inner to the outer end of a roll.

    Left: the roll, seen from its end, with the edges of the graph. An edge that joins two turns is
    a shortcut, drawn thick: its ends are more than half a turn apart along the roll. Drag a point
    into the gap between two turns to open one. Upper right: the same edges on the sheet, unrolled.
    Arcs that were added to connect the graph are dotted. Lower right: the coordinates that Isomap
    makes of the lengths of all paths, turned to fit the sheet and scaled to fit the picture; colour
    is the true position along the roll.

    Sliders change the number of neighbours, the noise (the same directions, longer) and the size
    of a hole in the middle of the sheet, as a share of its sides.

    Parameters
    ----------
    n_samples : int
        Points on the roll before the hole takes its share.
    n_neighbors : int
        Initial number of neighbours.
    random_state : int

    Attributes
    ----------
    moved_points : array of shape (K, 3)
        The points that the hand has moved: their numbers, and how far along y₁ and y₃.
    """

    title = "Geodesics"
    script = "geodesics.js"
    moved = "moved_points"
    pictures = {
        "roll": dict(
            title="The roll, seen from its end", hand="drag a point", xlabel="y₁", ylabel="y₃",
            legend=["shortest path", "shortcut", "added arc", "edge"],
        ),
        "sheet": dict(
            title="The same graph on the sheet, unrolled", xlabel="position along the roll",
            ylabel="height",
        ),
        "map": dict(title="What Isomap makes of the path lengths"),
    }  # fmt: skip

    @checked(
        n_samples=partial(arguments.whole_number, least=LEAST, most=MOST),
        n_neighbors=partial(arguments.whole_number, least=2, most=MOST_NEIGHBORS),
        random_state=arguments.random_state,
    )
    def __init__(self, n_samples=300, *, n_neighbors=6, random_state=0):
        random = np.random.RandomState(random_state)
        self._t = random.uniform(size=(n_samples, 2)) * [LENGTH, HEIGHT]
        self._t[:2] = [[0.5, HEIGHT / 2], [LENGTH - 0.5, HEIGHT / 2]]  # the ends of the path
        self._clean = datasets.swiss_roll_surface(self._t)
        self._blur = random.normal(size=self._clean.shape)
        self._walks = lru_cache(64)(self._walk)
        self.moved_points = self._first = np.empty((0, 3))
        controls = {
            "n_neighbors": Slider(
                notation.label("n_neighbors"), 2, MOST_NEIGHBORS, n_neighbors, whole=True
            ),
            "noise": Slider("noise", 0.0, MOST_NOISE, 0.2, steps=20),
            "hole": Slider("hole", 0.0, LARGEST_HOLE, 0.0, steps=5),
        }
        super().__init__(controls, size=(8.44, 4.7))

    @classmethod
    def example(cls):
        """Two hundred points, six neighbours."""
        return cls(200)

    def data(self):
        places = {"t": self._t, "clean": self._clean, "blur": self._blur}
        return {name: rounded(of, 9) for name, of in places.items()}

    def _use(self, moved):
        """Make these the points that the hand has moved."""
        rows = arguments.numbers("moved_points", moved)
        numbers = set(rows.ravel()[::3])
        if len(rows.ravel()) != 3 * len(numbers) or not numbers <= set(range(len(self._t))):
            raise ValueError(
                "moved_points must have three columns, and its first one numbers of points, each "
                f"once, 0 to {len(self._t) - 1}; got {arguments.shown(moved)}."
            )
        self.moved_points = rows.reshape(-1, 3)

    # What is computed

    def walk(self, n_neighbors, noise, hole):
        """The `Walk` with these settings, of the points as the hand has left them."""
        return self._walks(n_neighbors, noise, hole, tuple(map(tuple, self.moved_points)))

    def _walk(self, n_neighbors, noise, hole, moved):
        kept = np.abs(2 * self._t / [LENGTH, HEIGHT] - 1).max(axis=1) >= hole
        Y = self._clean + noise * self._blur
        for n, across, up in moved:
            Y[int(n)] += [across, 0, up]
        t, Y = self._t[kept], Y[kept]
        found = agglomerative_isomap(cdist(Y, Y), 2, n_neighbors)
        lengths = found.graph.lengths.tocoo()
        edges = np.column_stack([lengths.row, lengths.col])[lengths.row < lengths.col]
        angle = np.linalg.norm(self._clean[kept][:, [0, 2]], axis=1)  # on this roll, the radius
        is_short = np.abs(np.diff(angle[edges], axis=1)[:, 0]) > np.pi
        joined = set(map(tuple, np.sort(found.graph.arcs, axis=1).tolist()))
        is_arc = np.array([tuple(edge) in joined for edge in edges.tolist()])
        return Walk(
            Y, t, edges, is_short, is_arc,
            geodesics.shortest_path(found.graph.lengths, 0, 1),
            found.geodesics[0, 1],
            float(np.linalg.norm(t[0] - t[1])),
            _turned(found.X, t),
            metrics.procrustes_r2(found.X, t),
        )  # fmt: skip

    # The picture

    def draw(self, figure):
        figure.set_layout_engine("none")  # places by hand: Axes with equal units confuse layouts
        places = ([0.065, 0.235, 0.4, 0.69], [0.545, 0.7, 0.44, 0.23], [0.545, 0.075, 0.44, 0.44])
        roll, sheet, map_ = axes = [figure.add_axes(place) for place in places]
        for name, ax in zip(self.pictures, axes, strict=True):
            self.write(ax, name)
        roll.set(xlim=(-12, 15.5), ylim=(-14, 17), aspect="equal")
        sheet.set(xlim=(-4, LENGTH + 4), ylim=(-4, HEIGHT + 4), aspect="equal")
        map_.set(xlim=(-WINDOW[0], WINDOW[0]), ylim=(-WINDOW[1], WINDOW[1]), aspect="equal")
        map_.set(xticks=[], yticks=[])  # the size of the map is not shown, only its shape
        looks = (_SHORT, 3.4, "-"), (_ARC, 3.2, ":"), (_EDGE, 0.5, "-")
        self._edges = [
            [ax.add_collection(LineCollection([], color=color, lw=lw, ls=ls, zorder=lw))
             for color, lw, ls in looks]
            for ax in (roll, sheet)
        ]  # fmt: skip
        look = dict(color=_PATH, lw=1.5, ms=3.2, zorder=4)
        self._paths = [ax.plot([], [], "o-", **look)[0] for ax in (roll, sheet)]
        look = dict(cmap="viridis", vmin=0, vmax=LENGTH, s=9, linewidths=0, zorder=2)
        self._points = [ax.scatter([0], [0], c=[0], **look) for ax in axes]
        below = dict(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2, frameon=False)
        roll.legend([self._paths[0], *self._edges[0]], self.pictures["roll"]["legend"], **below)
        return [*self._edges[0], *self._edges[1], *self._points, *self._paths]

    def move(self, n_neighbors, noise, hole):
        walk = self.walk(n_neighbors, noise, hole)
        kinds = walk.is_short, walk.is_arc, ~walk.is_short & ~walk.is_arc
        fitting = 0.94 * np.min(2 * WINDOW / np.ptp(walk.X, axis=0))
        places = (walk.Y[:, [0, 2]], walk.t, fitting * walk.X)
        for points, at in zip(self._points, places, strict=True):
            points.set_offsets(at)
            points.set_array(walk.t[:, 0])
        for of_kinds, path, at in zip(self._edges, self._paths, places, strict=False):
            for lines, those in zip(of_kinds, kinds, strict=True):
                lines.set_segments(at[walk.edges[those]])
            path.set_data(*at[walk.path].T)
        return _in_words(walk, n_neighbors)


def _turned(X, t):
    """X, rotated or reflected to fit t, its extent centred at the origin."""
    U, _, V = np.linalg.svd((X - X.mean(axis=0)).T @ (t - t.mean(axis=0)))
    X = X @ U @ V
    return X - (X.min(axis=0) + X.max(axis=0)) / 2


def _in_words(walk, n_neighbors):
    shorts, arcs = int(walk.is_short.sum()), int(walk.is_arc.sum())
    taken = set(map(frozenset, zip(walk.path[:-1], walk.path[1:], strict=True)))
    jumps = sum(frozenset(edge) in taken for edge in walk.edges[walk.is_short].tolist())
    pieces = f"; {arcs} added, because it was in {arcs + 1} pieces" if arcs else ", in one piece"
    joined = {0: "No edge joins", 1: "1 edge joins"}.get(shorts, f"{shorts} edges join")
    way = f", over {jumps} shortcut{'s' * (jumps > 1)}" if jumps else ""
    return (
        f"{len(walk.Y)} points, {n_neighbors} neighbours each: {len(walk.edges)} edges{pieces}. "
        f"{joined} two turns of the roll. From the inner to the outer end the path is "
        f"{walk.length:.1f} long{way}; a straight line on the sheet is {walk.straight:.1f}. "
        f"Isomap's coordinates explain {walk.score:.1%} of the variance on the sheet."
    )
