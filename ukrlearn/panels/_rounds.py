"""Shared by the panels of [DRUR]: a sheet, its latent points in each round, and the net of f."""

from functools import partial

import numpy as np
from matplotlib.ticker import NullLocator

from ukrlearn import drur, figures
from ukrlearn.blocks.units import Units
from ukrlearn.drur.rounds import RELATIVE_SIZE
from ukrlearn.metrics import orders_recovered, procrustes_r2
from ukrlearn.panels._base import Replay
from ukrlearn.panels._remembered import Remembered

KEPT, SCORES = 24, 5000  # numbers of runs and of single scores in the caches
NET, REACH = 22, 1.3  # cells along the longer side, and how far from points f is drawn, in cells
STRIPES = 5  # stripes of the sheet, along its second coordinate
START = 0.7  # the position of round 0 on a logarithmic axis
PICTURES = {
    "sheet": dict(title="Latent points", xlabel="x₁", ylabel="x₂"),
    "roll": dict(title="Data and net of f"),
    "chart": dict(xlabel="round", legend=["start"]),
}


class Run:
    """An alternation in the units of the start, whose rounds are computed on demand.

    Parameters
    ----------
    Y : array of shape (N, d)
    X : array of shape (N, 2)
        The start.
    n_basis, penalty, coarse
        As in `ParametricDRUR`.
    """

    def __init__(self, Y, X, n_basis, penalty, coarse=0):
        self._data, latent = Units.by_distance(Y), Units.by_distance(X)
        self._latent = Units(latent.mean, latent.size / RELATIVE_SIZE)
        fit_maps = partial(drur.rbf_maps, n_basis=n_basis, penalty=penalty)
        scaled = self._latent.into(X), self._data.into(Y)
        self._rounds = drur.alternation(*scaled, fit_maps, coarse)
        self._steps = []

    def step(self, k):
        """The k-th `drur.Round`, in the estimator's own units; 0 is the start."""
        while len(self._steps) <= k:
            self._steps.append(next(self._rounds))
        return self._steps[k]

    def points(self, k):
        """X after k rounds, in the units of the start."""
        return self._latent.out_of(self.step(k).X)

    def surface(self, k):
        """f of round k, from the units of the start to those of the data."""
        f = self.step(k).f
        return lambda x: self._data.out_of(f(self._latent.into(x)))

    def spread(self, k):
        """The spread of X after k rounds, relative to the start."""
        return self.step(k).spread / self.step(0).spread


class Rounds(Replay):
    """Left: latent points. Middle: the net of f in the data. Right: curves over the rounds.

    Subclasses define the run for the current controls (`_new_run`), the curves (`curves`) and the
    summary (`words`). Rounds are computed when they are first needed.

    Parameters
    ----------
    Y : array of shape (N, 3)
    t : array of shape (N, 2)
        True coordinates: lengths along the sheet, starting at 0.
    """

    rate = 4

    def __init__(self, Y, t, controls):
        self._Y, self._t = np.asarray(Y, dtype=float), np.asarray(t, dtype=float)
        if self._Y.shape != (len(self._Y), 3) or self._t.shape != (len(self._Y), 2):
            raise ValueError(
                "Y must have three columns, and t two columns and as many rows; got shapes "
                f"{self._Y.shape} and {self._t.shape}."
            )
        self._runs, self._scores = Remembered(KEPT), Remembered(SCORES)
        self._shown_limits = None
        super().__init__(controls, size=(8.44, 3.7))

    # For subclasses

    def _new_run(self, **key):
        raise NotImplementedError

    def curves(self, key, frame):
        """The values of each curve in rounds 0, ..., frame."""
        raise NotImplementedError

    def words(self, key, frame):
        """The summary."""
        raise NotImplementedError

    def limits(self, key):
        """The visible part of latent space: ((low, high), (low, high))."""
        raise NotImplementedError

    # What is computed

    def run(self, key):
        """The run with these settings, with the rounds computed so far."""
        name = tuple(sorted(key.items()))
        return self._runs.get_or_make(name, lambda: self._new_run(**key))

    def r2(self, key, frame):
        """Procrustes R² between X and the truth, computed once."""
        name = (*sorted(key.items()), frame)
        make = lambda: procrustes_r2(self.run(key).points(frame), self._t)
        return self._scores.get_or_make(name, make)

    def order(self, key, frame):
        """The lower of the two rank correlations between the coordinates and the truth."""
        return float(orders_recovered(self.run(key).points(frame), self._t).min())

    def latent_points(self):
        """The latent points (N, 2) of the current picture."""
        key = dict(self._values)
        frame = key.pop("frame")
        return self.run(key).points(frame)

    # The picture

    def draw(self, figure):
        grid = figure.add_gridspec(1, 3, width_ratios=(1.25, 1.1, 0.9))
        self._plane = figure.add_subplot(grid[0])
        box = figure.add_subplot(grid[1], projection="3d")
        self._chart = figure.add_subplot(grid[2])
        drawn = [*self._draw_plane(), *self._draw_box(box), *self._draw_chart()]
        # The layout is computed once; otherwise new limits would shift the Axes slightly.
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        return drawn

    def _draw_plane(self):
        ax, (length, height) = self._plane, self._t.max(axis=0)
        ax.set(**PICTURES["sheet"])
        ax.set_aspect("equal", adjustable="box")
        ax.set(xlim=(-100, 200), ylim=(-100, 150))  # gives the widest possible labels
        corners = np.array([[0, 0], [length, 0], [length, height], [0, height], [0, 0]])
        (frame,) = ax.plot(*corners.T, color="#444444", lw=1, ls=(0, (4, 2)))
        self._points = ax.scatter(*self._t.T, c=self._colors(), s=9, linewidths=0)
        return [self._points, frame]

    def _draw_box(self, ax):
        figures.data(ax, self._Y)
        ax.collections[0].set(facecolors=self._colors(), sizes=[3])
        ax.patch.set_visible(False)  # it would hide a label of the Axes beside it
        ax.set(xlabel="", ylabel="", zlabel="", xticklabels=[], yticklabels=[], zticklabels=[])
        ax.set_title(PICTURES["roll"]["title"], y=1.12)  # the box is higher than its Axes
        ax.view_init(elev=14, azim=-82)
        ax.set_box_aspect(np.ptp(np.reshape(ax.get_w_lims(), (3, 2)), axis=1), zoom=1.35)
        ax.set_autoscale_on(False)
        self._net = figures.manifold_of(ax, lambda x: self._Y[:1].repeat(len(x), 0), self._t)
        self._net.set(facecolor=(0, 0, 0, 0.03), linewidth=0.6)
        return [self._net]

    def _draw_chart(self):
        ax, said = self._chart, PICTURES["chart"]
        ax.set_xlabel(said["xlabel"])
        last = self._controls["frame"].high
        ax.set(xscale="log", yscale="log", xlim=(START * 0.85, last * 1.15))
        marks = [mark for mark in (1, 2, 5, 10, 20, 50, 100) if mark <= last]
        ax.set_xticks([START, *marks], [*said["legend"], *map(str, marks)])
        ax.xaxis.set_minor_locator(NullLocator())
        ax.grid(True, axis="y")
        looks = zip(self.names, figures.COLORS, figures.MARKERS, ("-", "--", ":"), strict=False)
        self._lines = [
            ax.plot([], [], color=color, marker=marker, ls=dash, ms=4, lw=1.4, label=name)[0]
            for name, color, marker, dash in looks
        ]
        ax.legend(loc="upper right", framealpha=0.8, edgecolor="none")
        return self._lines

    def _colors(self):
        """Colours for the length along the sheet; every other stripe across it is pale."""
        from matplotlib import colormaps

        along, up = (self._t / self._t.max(axis=0)).T
        colors = colormaps["viridis"](0.25 + 0.65 * along)[:, :3]  # seen on light and dark pages
        pale = np.floor(STRIPES * np.minimum(up, 0.999)) % 2 == 1
        colors[pale] = 1 - 0.42 * (1 - colors[pale])
        return colors

    def move(self, frame, **key):
        run = self.run(key)
        X = run.points(frame)
        if (limits := self.limits(key)) != self._shown_limits:
            self._plane.set(xlim=limits[0], ylim=limits[1])
            self._shown_limits = limits
            self.redraw()
        self._points.set_offsets(X)
        _, image = figures.manifold_grid_of(run.surface(frame), X, n_grid=NET, reach=REACH)
        self._net.set_verts(figures.patches(image))
        self._net.axes.M = self._net.axes.get_proj()  # normally set when the whole Axes is drawn
        self._net.do_3d_projection()
        x = np.maximum(np.arange(frame + 1), START)
        for line, values in zip(self._lines, self.curves(key, frame), strict=True):
            line.set_data(x, values)
        return self.words(key, frame)
