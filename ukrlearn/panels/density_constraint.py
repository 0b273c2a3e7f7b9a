"""The density constraint p(x) >= η K(0): where the manifold exists, and how large it can be."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from contourpy import contour_generator
from matplotlib.collections import LineCollection
from matplotlib.colors import LogNorm
from scipy.ndimage import label

from ukrlearn import datasets, figures
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked
from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.kernel_regression import latent_density, predict
from ukrlearn.course import notation
from ukrlearn.panels._controls import Choice, Slider
from ukrlearn.panels._explorable import (
    Explorable,
    demand_different,
    demand_few,
    demand_varying,
    in_the_page,
    rounded,
)
from ukrlearn.ukr.density_constraint import back_into_feasible_set, relative_density
from ukrlearn.ukr.extent import Stretches, data_norm, extent_from_stretches, latent_grid, stretches
from ukrlearn.ukr.reconstruction import squared_residuals

GREATEST = 0.99  # at η = 1 the domain would be a single point
CELLS = {1: 600, 2: 32}  # cells along each latent axis
RUNGS = {1: 0.9, 2: 0.8}  # the factor between successive shrinkages of the latent points
PIXELS = 72  # along each axis of the picture of the density
STAY, MOVE = "leave them", "draw all points together"
REMEMBERED = 24  # shrinkages


class DensityConstraint(Explorable):
    """A slider for the density threshold η of the latent domain p(x) >= η K(0), (7).

    Left: the data with the manifold, drawn only where it exists. As η grows, the manifold gets
    holes, breaks into pieces and vanishes. A surface can be turned by hand or by arrow keys. Right:
    the latent density p(x) / K(0) as a landscape. The threshold is the level of the sea, which the
    hand or arrow keys can move too, and the domain consists of the islands. Below: the size of the
    manifold (length of a curve, area of a surface) over η, with its two bounds (5), (21). The
    slider starts where the threshold has no effect. If all points are drawn together, they satisfy
    the constraint as in (9): they are contracted just enough, and the manifold shrinks to the mean
    of the data as η approaches 1.

    Parameters
    ----------
    X : array of shape (N, 1) or (N, 2)
        Latent points.
    Y : array of shape (N, 2) or (N, 3)
        Data: 2 columns for a curve, 3 for a surface.
    """

    title = "Density constraint"
    script = "density_constraint.js"

    @checked(
        X=arguments.numbers_or_nan,
        Y=arguments.numbers_or_nan,
        kernel=arguments.record(DensityKernel),
    )
    def __init__(self, X, Y, kernel: DensityKernel = gaussian):
        if X.ndim != 2 or X.shape[1] not in (1, 2) or Y.shape != (len(X), X.shape[1] + 1):
            raise ValueError(
                "X and Y must have 1 and 2 columns, or 2 and 3 columns, and the same number of "
                f"rows; got shapes {X.shape} and {Y.shape}."
            )
        if not (np.isfinite(X).all() and np.isfinite(Y).all()):
            raise ValueError("X and Y must be finite numbers. Drop rows with missing values.")
        demand_few("X", X)
        demand_varying("X", X)
        demand_different("Y", Y)
        self._X, self._Y, self._kernel = X - X.mean(axis=0), Y, in_the_page(kernel)
        self._q, self._norm = X.shape[1], data_norm(Y) ** X.shape[1]
        name, bound = (
            ("length of the curve", "bound (5)")
            if self._q == 1
            else ("area of the surface", "bound (21)")
        )
        of_density = dict(title="Latent density and threshold", xlabel="x₁", ylabel="x₂")
        if self._q == 1:
            of_density |= dict(
                hand="drag the sea", xlabel="latent coordinate x", ylabel="p(x) / K(0)"
            )
        self.pictures = {
            "data": dict(title="Data, and the manifold where it exists"),
            "density": of_density,
            "size": dict(
                title="Size of the manifold (log scales)",
                xlabel=notation.label("density_threshold"),
                legend=[name, f"{bound}, by the integral", f"{bound}, by the greatest slope"],
            ),
        }
        # For any threshold, some shrinkage is enough.
        least = back_into_feasible_set(self._X, GREATEST * 1.001, kernel)
        least = np.linalg.norm(least) / np.linalg.norm(self._X)
        rungs = max(2, int(np.log(least) / np.log(RUNGS[self._q])) + 2)
        self._factors = np.geomspace(1, least, rungs)
        self._least_densities = [relative_density(c * self._X, kernel).min() for c in self._factors]
        self._model = lru_cache(REMEMBERED)(self._computed)
        self._image = lru_cache(REMEMBERED)(self._density_image)
        low = 10.0 ** np.floor(np.log10(self._least_densities[0]) - 1)
        self._thresholds = np.geomspace(low, GREATEST, 50)
        self._extents = {
            where: [self.extent(eta, where) for eta in self._thresholds] for where in (STAY, MOVE)
        }
        controls = {
            "threshold": Slider(
                notation.label("density_threshold"),
                low,
                GREATEST,
                low,
                log=True,
                steps=150,
            ),
            "points": Choice("points below the threshold", (STAY, MOVE), STAY),
        }
        super().__init__(controls, size=(8.44, 4.6))

    @classmethod
    def example(cls):
        """A small example: 80 points of the noisy spiral at their true coordinates."""
        Y, t = datasets.noisy_spiral(80, noise=0.02, random_state=0)
        return cls(60 * t[:, None], Y)

    def data(self):
        return {
            "X": rounded(self._X, 9),
            "Y": rounded(self._Y),
            "kernel": self._kernel.name,
            "factors": list(map(float, self._factors)),
            "least": list(map(float, self._least_densities)),
            "thresholds": list(map(float, self._thresholds)),
            "extents": {where: [list(e) for e in found] for where, found in self._extents.items()},
            "norm": float(self._norm),
            "cells": CELLS[self._q],
        }

    def extent(self, threshold, points=STAY):
        """Size of the manifold at this threshold, and its bounds: an `extent.Extent`."""
        model = self._model(self._shrunk(threshold, points))
        inside = model.density >= threshold
        kept = Stretches(*(stretch[inside] for stretch in model.stretches))
        return extent_from_stretches(kept, model.cell, self._norm)

    def _shrunk(self, threshold, points):
        """The index of the shrinkage: 0 if the points stay, else the first feasible one."""
        if points == STAY:
            return 0
        return next(k for k, least in enumerate(self._least_densities) if least >= threshold)

    def _computed(self, k):
        """Everything that does not depend on η, for the latent points after shrinkage k."""
        X, Y, kernel = self._factors[k] * self._X, self._Y, self._kernel
        x, cell = latent_grid(X, CELLS[self._q])
        return _Model(
            X=X,
            x=x,
            f=predict(x, X, Y, kernel),
            density=latent_density(x, X, kernel) / kernel.at_zero,
            of_points=relative_density(X, kernel),
            stretches=stretches(x, X, Y, kernel),
            cell=cell,
            error=squared_residuals(X, Y, kernel, False).mean(),
        )

    def _density_image(self, k):
        """p / K(0) on a grid around the latent points, its axes, and its contour lines."""
        X = self._model(k).X
        margin = 0.15 * np.ptp(X, axis=0)
        axes = np.linspace(X.min(axis=0) - margin, X.max(axis=0) + margin, PIXELS).T
        x = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
        p = latent_density(x, X, self._kernel).reshape(PIXELS, PIXELS) / self._kernel.at_zero
        return p, axes, contour_generator(*axes, p)

    # The picture

    def draw(self, figure):
        surface = {"projection": "3d"} if self._q == 2 else {}
        layout = figure.add_gridspec(2, 2, width_ratios=(1.1, 1))
        of_data = figure.add_subplot(layout[:, 0], **surface)
        of_density, of_size = figure.add_subplot(layout[0, 1]), figure.add_subplot(layout[1, 1])
        figures.data(of_data, self._Y, title=self.pictures["data"]["title"])
        of_data.plot(*self._Y.mean(axis=0)[:, None], "P", color="#222222", ms=7)
        if self._q == 1:
            artists = self._draw_curve(of_data) + self._draw_density(of_density)
        else:
            artists = self._draw_surface(of_data) + self._draw_contour(of_density)
        return artists + self._draw_size(of_size)

    def _draw_curve(self, ax):
        (self._curve,) = ax.plot([], [], color=figures.COLORS[1], lw=2.4)
        return [self._curve]

    def _draw_surface(self, ax):
        self._net = figures.manifold(ax, self._X, self._Y, self._kernel, n_grid=8)
        return [self._net]

    def _draw_contour(self, ax):
        image, axes, _ = self._image(0)
        (self._box,) = ax.plot([], [], ":", color="#bbbbbb", lw=1)
        self._picture_of_density = ax.imshow(
            image,
            norm=LogNorm(self._thresholds[0], 1, clip=True),
            cmap="cividis",
            origin="lower",
            aspect="auto",
            interpolation="bilinear",
        )
        (self._points,) = ax.plot([], [], ".", color="white", ms=2.5, alpha=0.8)
        self._contour = ax.add_collection(LineCollection([], colors=figures.COLORS[1], lw=1.8))
        ax.set(
            xlim=axes[0][[0, -1]],
            ylim=axes[1][[0, -1]],
            facecolor="#00224e",  # the colour of zero density
        )
        self.write(ax, "density")
        return [self._picture_of_density, self._box, self._points, self._contour]

    def _draw_density(self, ax):
        model = self._model(0)
        reach = 0.52 * np.ptp(model.X)
        ax.set(
            xlim=(model.X.min() - 0.04 * reach, model.X.max() + 0.04 * reach),
            ylim=(self._thresholds[0] / 3, 1.3),
            yscale="log",
        )
        self.write(ax, "density")
        (self._density,) = ax.plot([], [], color=figures.COLORS[0], lw=1)
        (self._domain,) = ax.plot([], [], color=figures.COLORS[1], lw=2.4)
        (self._level,) = ax.plot(ax.get_xlim(), [1, 1], "--", color="#222222", lw=1.2)
        (self._points,) = ax.plot([], [], "|", color="#8c9aa8", ms=7, mew=0.7)
        self._floor = self._thresholds[0] / 2
        return [self._density, self._domain, self._level, self._points]

    def _draw_size(self, ax):
        looks = ((1, "-"), (0, (0, (5, 1.5))), (2, (0, (1.2, 1.2))))
        self._sizes = [
            ax.plot([], [], color=figures.COLORS[color], ls=dashes, label=name)[0]
            for name, (color, dashes) in zip(self.pictures["size"]["legend"], looks, strict=True)
        ]
        whole = self._extents[STAY][0]
        ax.set(
            xscale="log",
            yscale="log",
            xlim=(self._thresholds[0], 1),
            ylim=(whole.measured / 1e5, whole.by_greatest_slope * 10),
        )
        self.write(ax, "size")
        ax.legend(loc="lower left", framealpha=0.8, edgecolor="none")
        (self._here,) = ax.plot([], [], "o-", color="#222222", lw=1, ms=5)
        return [*self._sizes, self._here]

    def move(self, threshold, points):
        model = self._model(self._shrunk(threshold, points))
        inside = model.density >= threshold
        extent = self.extent(threshold, points)
        if self._q == 1:
            self._move_curve(model, inside, threshold)
        else:
            self._move_surface(model, inside)
            self._move_contour(self._shrunk(threshold, points), threshold)
        for line, values in zip(self._sizes, zip(*self._extents[points], strict=True), strict=True):
            line.set_data(self._thresholds, [value or np.nan for value in values])
        shown = [value for value in extent if value > 0]
        self._here.set_data([threshold] * len(shown), shown)
        return self._words(model, inside, threshold, extent)

    def _move_curve(self, model, inside, threshold):
        self._curve.set_data(*np.where(inside[:, None], model.f, np.nan).T)
        self._density.set_data(model.x[:, 0], model.density)
        self._domain.set_data(model.x[:, 0], np.where(inside, model.density, np.nan))
        self._level.set_ydata([threshold, threshold])
        self._points.set_data(model.X[:, 0], np.full(len(model.X), self._floor))

    def _move_surface(self, model, inside):
        self._net.axes.M = self._net.axes.get_proj()  # normally set when the whole Axes is drawn
        f = np.where(inside[:, None], model.f, np.nan).reshape(CELLS[2], CELLS[2], 3)
        corners = np.stack([f[:-1, :-1], f[1:, :-1], f[1:, 1:], f[:-1, 1:]], axis=2)
        patches = corners.reshape(-1, 4, 3)
        self._net.set_verts(patches[np.isfinite(patches).all(axis=(1, 2))])
        self._net.do_3d_projection()

    def _move_contour(self, k, threshold):
        image, (x, y), contours = self._image(k)
        self._picture_of_density.set_data(image)
        self._picture_of_density.set_extent((x[0], x[-1], y[0], y[-1]))
        self._contour.set_segments(contours.lines(threshold))
        X = self._model(k).X
        self._points.set_data(*X.T)
        (left, low), (right, high) = X.min(axis=0), X.max(axis=0)
        self._box.set_data([left, right, right, left, left], [low, low, high, high, low])

    def _words(self, model, inside, threshold, extent):
        size = "Length" if self._q == 1 else "Area"
        start = f"Density threshold η = {threshold:.3g}: "
        if not inside.any():
            return (
                f"{start}the greatest density is {model.density.max():.3g} K(0), so the domain is "
                "empty and there is no manifold."
            )
        grid = inside.reshape((CELLS[self._q],) * self._q)
        pieces = f"{(n := label(grid)[1])} {'piece' if n == 1 else 'pieces'}"
        if self._q == 2:
            holes = label(np.pad(~grid, 1, constant_values=True))[1] - 1
            pieces += f" with {holes} {'hole' if holes == 1 else 'holes'}"
        outside = int(np.sum(model.of_points < threshold))
        bounds = f"{_short(extent.by_integral)} and {_short(extent.by_greatest_slope)}"
        return (
            f"{start}{100 * inside.mean():.1f} % of the latent range, in {pieces}; {outside} of "
            f"{len(model.X)} latent points are outside. {size} {_short(extent.measured)}, bounds "
            f"{bounds}. Reconstruction error R = {model.error:.4f}."
        )


def _short(size):
    """The size with three digits, and without powers of ten for large numbers."""
    return f"{size:,.0f}" if size >= 1000 else f"{size:.3g}"


class _Model(NamedTuple):
    """Everything that does not depend on the threshold."""

    X: np.ndarray
    x: np.ndarray  # centres of the cells
    f: np.ndarray
    density: np.ndarray  # p / K(0) at the centres
    of_points: np.ndarray  # p / K(0) at the latent points
    stretches: Stretches
    cell: float
    error: float
