"""The projection of a new point: its descent on the squared distance, and its final position."""

import numpy as np

from ukrlearn import figures
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked, same_length
from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.kernel_regression import latent_density, predict
from ukrlearn.course import notation
from ukrlearn.panels._base import Panel
from ukrlearn.panels._controls import Slider, Switch
from ukrlearn.ukr.density_constraint import relative_density
from ukrlearn.ukr.projection import project

BEYOND = 6.0  # kernel widths that are drawn beyond the outermost latent points
CLOSE = 2.5  # kernel widths on each side of the start in the enlarged view
NEAR = 1.1  # times the threshold: positions with a lower density count as the border

_POINT, _PLACE, _PATH = "#222222", figures.COLORS[0], figures.COLORS[2]


class Projection(Panel):
    """A new point y moved by two sliders, and its projection (19) onto a fitted curve.

    Left: the data plane with the point, the start of its descent (the nearest reconstruction of a
    training point), its way along the curve, and its final place. Right, over the latent coordinate
    x: the squared distance |y - f(x)|² with its valleys; the density p(x) / K(0), which must not
    fall below η; and an enlarged view of the squared distance with each step of the descent. With
    the constraint, the curve exists only where the density is high enough. Without it, the curve
    continues beyond the last points and through all gaps.

    Parameters
    ----------
    X : array of shape (N, 1)
        Latent points.
    Y : array of shape (N, 2)
        Data.
    threshold : float, optional
        η; by default the lowest density of a training point, as in step 6 of the paper's scheme.
    """

    title = "Projection of a new point"
    swept = ("threshold",)

    @checked(
        same_length("X", "Y"),
        X=arguments.squarable,
        Y=arguments.squarable,
        kernel=arguments.record(DensityKernel),
        threshold=arguments.share_above_zero,
    )
    def __init__(self, X, Y, kernel: DensityKernel = gaussian, threshold=None):
        self._X, self._Y, self._kernel = X, Y, kernel
        if self._X.shape[1:] != (1,) or self._Y.shape[1:] != (2,):
            raise ValueError(
                "X must have one column and Y two columns (a curve in the plane); got shapes "
                f"{self._X.shape} and {self._Y.shape}. Choose columns, as in Y[:, :2]."
            )
        density = relative_density(self._X, kernel)
        least = density.min() if threshold is None else threshold
        low, high = self._X.min() - BEYOND, self._X.max() + BEYOND
        self._grid = np.linspace(low, high, 1200)[:, None]
        self._curve = predict(self._grid, self._X, self._Y, kernel)
        self._density = latent_density(self._grid, self._X, kernel) / kernel.at_zero
        self._low, self._high = self._Y.min(axis=0), self._Y.max(axis=0)
        extent = self._high - self._low
        margin = 0.25 * np.where(extent > 0, extent, 1)
        self._low, self._high = self._low - margin, self._high + margin
        first = self._low + 0.8 * (self._high - self._low)
        controls = {
            f"y{j + 1}": Slider(f"new point y{j + 1}", self._low[j], self._high[j], first[j])
            for j in (0, 1)
        }
        highest = max(0.9 * density.max(), least)
        controls["threshold"] = Slider(
            notation.label("density_threshold"), least / 10, highest, least, log=True, steps=60
        )
        controls["constraint"] = Switch("density constraint", True)
        super().__init__(controls, size=(8.44, 4.5))

    @classmethod
    def example(cls):
        """A small, fast example: an arc with a gap."""
        t = np.append(np.linspace(0, 1.2, 30), np.linspace(1.8, 3, 30))[:, None]
        return cls(8 * t, np.hstack([np.cos(t), np.sin(t)]))

    def place(self, y, threshold):
        """The projection (19) of one point: the latent positions on its way, and the result."""
        paths = []
        found = project(
            np.asarray([y], float), self._X, self._Y, self._kernel, threshold, paths=paths
        )
        way = np.array(paths)[:, 0]
        moved = np.flatnonzero(np.any(np.diff(way, axis=0), axis=1))
        return way[: moved[-1] + 2 if len(moved) else 1], found

    def draw(self, figure):
        grid = figure.add_gridspec(3, 2, width_ratios=[1.1, 1])
        plane = figure.add_subplot(grid[:, 0])
        whole, density, close = (figure.add_subplot(grid[row, 1]) for row in range(3))
        figures.data(plane, self._Y, title="Data plane")
        plane.set(xlim=(self._low[0], self._high[0]), ylim=(self._low[1], self._high[1]))
        plane.set_aspect("equal", adjustable="box")
        top = 0.45 * np.sum((self._high - self._low) ** 2)
        whole.set(title="Squared distance $|y - f(x)|^2$", ylim=(-0.1 * top, top))
        whole.tick_params(labelbottom=False)
        density.plot(self._grid[:, 0], self._density, color=figures.COLORS[0], lw=1.4)
        density.set(
            title="Latent density $p(x) / K(0)$ and threshold η",
            xlabel="latent coordinate $x$",
            yscale="log",
            ylim=(self._controls["threshold"].low / 3, 2 * self._density.max()),
        )
        for ax in (whole, density):
            ax.set_xlim(self._grid[0, 0], self._grid[-1, 0])
        close.set(
            title="Squared distance, close to the start",
            xlabel="$x$ minus start",
            xlim=(-CLOSE, CLOSE),
            ylim=(-0.15, 1.1),
            yticks=[],
        )
        self._manifold, self._valley, self._slope = (
            ax.plot([], [], color=figures.COLORS[1], lw=1.8)[0] for ax in (plane, whole, close)
        )
        (self._gap,) = plane.plot([], [], "--", color=_POINT, lw=1)
        self._way, self._descent = (
            ax.plot([], [], ".-", color=_PATH, lw=1.6, ms=6)[0] for ax in (plane, close)
        )
        (self._border,) = density.plot([], [], "--", color=figures.COLORS[1], lw=1.4)
        self._point = _mark(plane, "X", _POINT, 9)
        self._starts = [_mark(ax, "s", _PATH, 7) for ax in (plane, whole, close)]
        self._places = [_mark(ax, "D", _PLACE, 7) for ax in (plane, whole, density, close)]
        figure.legend(
            [self._point, self._starts[0], self._way, self._places[0], self._manifold],
            ["new point y", "start", "way", "place", "curve f(x)"],
            loc="outside lower left", ncols=5, frameon=False,
        )  # fmt: skip
        lines = [self._manifold, self._valley, self._slope, self._gap, self._way, self._descent]
        return [*lines, self._border, self._point, *self._starts, *self._places]

    def move(self, y1, y2, threshold, constraint):
        y, eta = np.array([y1, y2]), threshold if constraint else 0.0
        way, found = self.place(y, eta)
        start, x = way[0, 0], found.x[0, 0]
        density = found.density[0] / self._kernel.at_zero
        f = predict(np.vstack([way, found.x]), self._X, self._Y, self._kernel)
        squares = np.sum((f - y) ** 2, axis=1)
        self._border.set_data(self._grid[[0, -1], 0], [threshold] * 2)
        self._border.set_visible(constraint)

        curve = np.where(self._density[:, None] >= eta, self._curve, np.nan)
        self._manifold.set_data(*curve.T)
        self._gap.set_data(*np.stack([y, f[-1]], axis=1))
        self._way.set_data(*f[:-1].T)
        self._valley.set_data(self._grid[:, 0], np.sum((curve - y) ** 2, axis=1))
        heights = self._show_close(y, eta, way[:, 0], squares)

        _put(self._point, y)
        starts = f[0], (start, squares[0]), (0, heights[0])
        places = f[-1], (x, squares[-1]), (x, max(density, 1e-300)), (x - start, heights[-1])
        for mark, at in zip(self._starts + self._places, starts + places, strict=True):
            _put(mark, at)
        return (
            f"New point ({y1:.2f}, {y2:.2f}). Start x = {start:.2f}, {len(way) - 1} steps, place "
            f"x = {x:.2f} with f(x) = ({f[-1, 0]:.2f}, {f[-1, 1]:.2f}), squared distance "
            f"{squares[-1]:.4f}. Density p/K(0) = {density:.4f}, "
            + (_domain(density, threshold) if constraint else "no constraint.")
        )

    def _show_close(self, y, eta, way, squares):
        """Draw the enlarged view, scaled to heights from 0 to 1; return the heights of the path."""
        x = np.linspace(way[0] - CLOSE, way[0] + CLOSE, 121)[:, None]
        valley = np.sum((predict(x, self._X, self._Y, self._kernel) - y) ** 2, axis=1)
        density = latent_density(x, self._X, self._kernel) / self._kernel.at_zero
        valley[density < eta] = np.nan
        low, high = np.nanmin([*valley, *squares]), np.nanmax([*valley, *squares])
        heights = lambda values: (values - low) / max(high - low, 1e-12)
        self._slope.set_data(x - way[0], heights(valley))
        self._descent.set_data(way - way[0], heights(squares[:-1]))
        return heights(squares)


def _domain(density, threshold):
    where = "on the border of" if density < NEAR * threshold else "inside"
    return f"{where} the domain p/K(0) ≥ η = {threshold:.4f}."


def _mark(ax, marker, color, size):
    """A marker that moves; the start is hollow, so that the place remains visible."""
    face = "none" if marker == "s" else color
    look = dict(ls="", marker=marker, ms=size, mfc=face, mec=color, zorder=6)
    return ax.plot([], [], **look)[0]


def _put(mark, place):
    mark.set_data(*np.reshape(place, (2, 1)))
