"""A new point and the place to which a regression sends it in latent space."""

from functools import lru_cache
from itertools import cycle

import numpy as np
from matplotlib.colors import to_rgb
from scipy.spatial.distance import cdist

from ukrlearn import figures
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked
from ukrlearn.blocks.kernel_regression import predict
from ukrlearn.blocks.kernel_ridge import ridge_path
from ukrlearn.course import notation
from ukrlearn.panels._base import Panel
from ukrlearn.panels._controls import Choice, Slider, Switch
from ukrlearn.ukr.reconstruction import squared_residuals

KRR, GRNN = "KRR, kernel ridge regression", "GRNN, weighted mean"
WIDTHS = np.geomspace(1 / 64, 2, 36)  # at which errors are drawn, over the size of the data
GRID = 60  # positions along each axis of the data plane whose places are computed
BEYOND = 0.9  # the plane extends beyond the data by this share of their extent on each side
MOST = 300  # training points: each update has to be quick

_NEW, _PALE = "#222222", 0.25


class NewPoint(Panel):
    """A new point y, moved by two sliders, and its place f(y) under a regression from data to X.

    Left: the data plane with the training points of several classes and the new point. Middle:
    latent space with the given places of the training points, the origin, and the place of the new
    point. Right: the leave-one-out error of both regressions over the width σ, with the position of
    the slider. With the switch, each position of the data plane gets the colour of the class next
    to its place.

    A general regression neural network (GRNN) is the weighted mean Σ_n z_n K_n / Σ_n K_n with
    K_n = exp(-|y - y_n|² / 2σ²); far points go to the place of the nearest training point. Kernel
    ridge regression (KRR) is Σ_n w_n K_n with weights that a penalty λ keeps small; far points go
    to the origin, whatever lies there.

    Parameters
    ----------
    Y : array of shape (N, 2)
        Data.
    X : array of shape (N, 2)
        The places of the data in latent space.
    labels : array of shape (N,)
        Their classes.
    y : (float, float), optional
        The new point at first; by default the first training point.
    """

    title = "Where a new point goes"
    swept = ("y2", "mapping", "everywhere")

    @checked(
        Y=arguments.squarable, X=arguments.squarable, labels=arguments.labels, y=arguments.place
    )
    def __init__(self, Y, X, labels, *, y=None):
        self._Y, self._X = Y, X
        self._labels = labels
        if self._Y.ndim != 2 or self._Y.shape[1] != 2 or self._X.shape != self._Y.shape:
            raise ValueError(
                "Y and X must have two columns each and the same number of rows; got shapes "
                f"{self._Y.shape} and {self._X.shape}."
            )
        if len(self._labels) != len(self._Y) or not 3 <= len(self._Y) <= MOST:
            raise ValueError(
                f"The panel needs a label for each of 3 to {MOST} points; got {len(self._Y)} "
                f"points and {len(self._labels)} labels."
            )
        low, high = self._Y.min(axis=0), self._Y.max(axis=0)
        margin = BEYOND * (high - low).max()
        self._low, self._high = low - margin, high + margin
        axes = [np.linspace(self._low[j], self._high[j], GRID) for j in (0, 1)]
        self._grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
        self._size = np.sqrt(self._Y.var(axis=0).sum())
        self._widths = self._size * WIDTHS
        self._path = lru_cache(48)(lambda width: ridge_path(self._Y, width))
        self._grnn_errors = [self.error(GRNN, width, 0) for width in self._widths]
        y = np.clip(self._Y[0] if y is None else y, self._low, self._high)
        width, penalty = self.best()
        controls = {
            "y1": Slider("new point y1", self._low[0], self._high[0], float(y[0])),
            "y2": Slider("new point y2", self._low[1], self._high[1], float(y[1])),
            "mapping": Choice("regression", (KRR, GRNN), KRR),
            "width": Slider(
                notation.label("width"), self._widths[0], self._widths[-1], width, log=True
            ),
            "penalty": Slider(notation.label("penalty"), 1e-6, 10.0, penalty, log=True),
            "everywhere": Switch("colour the plane by where its points go", False),
        }
        super().__init__(controls, size=(8.44, 3.9))

    @classmethod
    def example(cls):
        """An arch of three classes, unrolled by Isomap; the origin lies in the middle class."""
        from ukrlearn.estimators.isomap import AgglomerativeIsomap

        random = np.random.RandomState(0)
        t = np.sort(random.uniform(0, 1, 90))
        angle = np.deg2rad(215 - 250 * t)
        Y = np.column_stack([np.cos(angle), np.sin(angle)]) + 0.07 * random.normal(size=(90, 2))
        X = AgglomerativeIsomap(2, n_neighbors=6).fit(Y).embedding_
        X *= np.sign(X[-1, 0])  # from left to right, as the arch
        names = np.array(["left", "top", "right"])[np.minimum((3 * t).astype(int), 2)]
        return cls(Y, X, names, y=(-1.3, -0.9))

    # What is computed

    def place(self, y, mapping, width, penalty):
        """f(y) at data points y (M, 2)."""
        if mapping == GRNN:
            return predict(y / width, self._Y / width, self._X)
        return self._path(width).fit(self._X, penalty)(y)

    def error(self, mapping, width, penalty):
        """The mean squared error of training points, each predicted by all others."""
        if mapping == GRNN:  # R_cv of [UKR] with data and latent space exchanged
            return float(squared_residuals(self._Y / width, self._X).mean())
        residuals = self._path(width).left_out_residuals(self._X, penalty)
        return float(np.mean(np.sum(residuals**2, axis=1)))

    def best(self):
        """The width and penalty at which KRR has the least leave-one-out error."""
        tried = [(width, 10.0**k) for width in self._widths for k in range(-6, 2)]
        width, penalty = min(tried, key=lambda one: self.error(KRR, *one))
        return float(width), penalty

    def class_at(self, x):
        """The class of the training point whose place is nearest to latent positions x (M, 2)."""
        return self._labels[cdist(x, self._X).argmin(axis=1)]

    # The picture

    def draw(self, figure):
        plane, latent, errors = figure.subplots(1, 3, width_ratios=(1.15, 1.15, 1))
        moving = [*self._draw_plane(plane), *self._draw_latent(latent), *self._draw_errors(errors)]
        figure.legend(
            [*self._points, self._new, self._origin],
            [f"class {name}" for name in self._names] + ["new point", "origin"],
            loc="outside lower center", ncols=3 + (len(self._names) > 3), frameon=False,
        )  # fmt: skip
        return moving

    def _draw_plane(self, ax):
        self._names = list(dict.fromkeys(self._labels.tolist()))  # in their order in the data
        number = [self._names.index(label) for label in self._labels.tolist()]
        self._points = figures.data(ax, self._Y, labels=number, title="Data plane")
        ax.get_legend().remove()
        ax.set(xlim=(self._low[0], self._high[0]), ylim=(self._low[1], self._high[1]))
        ax.set_aspect("equal", adjustable="box")
        colors = [color for _, color in zip(self._names, cycle(figures.COLORS))]
        self._shades = np.array([1 - _PALE * (1 - np.array(to_rgb(c))) for c in colors])
        self._regions = ax.imshow(
            np.ones((GRID, GRID, 3)),
            origin="lower",
            extent=(self._low[0], self._high[0], self._low[1], self._high[1]),
            zorder=0,
        )
        (self._new,) = ax.plot([], [], "X", ms=10, color=_NEW, mec="white", zorder=6)
        return [self._regions, *self._points, self._new]

    def _draw_latent(self, ax):
        number = [self._names.index(label) for label in self._labels.tolist()]
        figures.latent(ax, self._X, labels=number, title="Latent space")
        ax.get_legend().remove()
        reach = 1.15 * np.abs(self._X).max()
        ax.set(xlim=(-reach, reach), ylim=(-reach, reach))
        ax.set_aspect("equal", adjustable="box")
        (self._origin,) = ax.plot(0, 0, "+", ms=13, mew=1.6, color=_NEW, zorder=5)
        (self._place,) = ax.plot([], [], "X", ms=10, color=_NEW, mec="white", zorder=6)
        return [self._place]

    def _draw_errors(self, ax):
        self._curves = {
            KRR: ax.plot([], [], "-", color=figures.COLORS[0], lw=1.8, label="KRR")[0],
            GRNN: ax.plot(
                self._widths, self._grnn_errors, "--", color=figures.COLORS[1], lw=1.8, label="GRNN"
            )[0],
        }
        variance = np.sum(self._X.var(axis=0))
        ax.set(
            xscale="log",
            yscale="log",
            xlim=(self._widths[0], self._widths[-1]),
            ylim=(0.5 * min(self.error(KRR, *self.best()), *self._grnn_errors), 4 * variance),
            xlabel=notation.label("width"),
            title="Leave-one-out error",
        )
        ax.legend(loc="lower left")
        (self._here,) = ax.plot([], [], "o", ms=8, mfc="none", mec=_NEW, mew=1.8)
        return [self._curves[KRR], self._here]

    def move(self, y1, y2, mapping, width, penalty, everywhere):
        y = np.array([[y1, y2]])
        x, error = self.place(y, mapping, width, penalty), self.error(mapping, width, penalty)
        errors = [self.error(KRR, one, penalty) for one in self._widths]
        self._curves[KRR].set_data(self._widths, errors)
        self._here.set_data([width], [error])
        self._new.set_data(*y.T)
        self._place.set_data(*x.T)
        self._regions.set_data(self._colours(mapping, width, penalty, everywhere))
        least = min(errors if mapping == KRR else self._grnn_errors)
        apart = cdist(y, self._Y)[0]
        of_penalty = f", penalty {penalty:.2g}" if mapping == KRR else ""
        return (
            f"{mapping.split(',')[0]}, width {width:.2g} (γ = {0.5 / width**2:.3g}){of_penalty}: "
            f"leave-one-out error {error:.4f}; over all widths {min(least, error):.4f} at best. "
            f"The new point ({y1:.2f}, {y2:.2f}) is {apart.min():.2f} away from the nearest "
            f"training point, of class {self._labels[apart.argmin()]}. It lands at "
            f"({x[0, 0]:.2f}, {x[0, 1]:.2f}), {np.linalg.norm(x):.2f} from the origin, and the "
            f"nearest place there is of class {self.class_at(x)[0]}."
        )

    def _colours(self, mapping, width, penalty, everywhere):
        """The colour of each position of the data plane, (GRID, GRID, 3)."""
        if not everywhere:
            return np.ones((GRID, GRID, 3))
        classes = self.class_at(self.place(self._grid, mapping, width, penalty))
        number = np.array([self._names.index(label) for label in classes.tolist()])
        return self._shades[number].reshape(GRID, GRID, 3)
