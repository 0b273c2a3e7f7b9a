"""The penalty factors of [UKR] (12), by which leave-one-out penalises isolated points."""

import numpy as np
from matplotlib.colors import LogNorm

from ukrlearn import figures
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked
from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.kernel_regression import predict
from ukrlearn.course import notation
from ukrlearn.panels._base import Panel
from ukrlearn.panels._controls import Slider
from ukrlearn.ukr.reconstruction import penalty_factors, squared_residuals

MARGIN = 4.0  # how far a point may be dragged beyond the others, in kernel widths
HIGHEST = 100.0  # bars of greater factors end at this value, the upper edge
LEAST, GREATEST = 1e-5, 10.0  # the limits for terms of the error


class Penalties(Panel):
    """Drag one latent point, and see how leave-one-out penalises its isolation.

    Left: the data, coloured by the penalty factor S, and the curve. Lines join the chosen point to
    its reconstructions with and without itself. Upper right: the factors S over the latent
    coordinate. Lower right: a bar for each point, from its term |y - f(x)|² in R to its term
    S |y - f(x)|² in R_cv. The scale is logarithmic, so the length of a bar shows S. The grey bars
    in the background show the values before dragging.

    If you drag a point beyond the others, its own residual in R falls, but its S rises by more. If
    you drag it past other points, their terms in both errors get worse.

    Parameters
    ----------
    X : array of shape (N, 1)
        Latent points. The panel numbers them from 0 in the order of their coordinates.
    Y : array of shape (N, 2)
        Data.
    kernel : DensityKernel, default=gaussian
    """

    title = "Leave-one-out penalties"
    swept = ("x",)

    @checked(X=arguments.squarable, Y=arguments.squarable, kernel=arguments.record(DensityKernel))
    def __init__(self, X, Y, kernel: DensityKernel = gaussian):
        if X.ndim != 2 or X.shape[1] != 1 or Y.shape != (len(X), 2):
            raise ValueError(
                "X must have one column, and Y two columns and as many rows; got shapes "
                f"{X.shape} and {Y.shape}. Choose columns, as in X[:, :1]."
            )
        order = np.argsort(X[:, 0])
        self._X, self._Y, self._kernel = X[order], Y[order], kernel
        self._before = self._measured(self._X)
        low, high = self._X[0, 0] - MARGIN, self._X[-1, 0] + MARGIN
        self._grid = np.linspace(low, high, 500)[:, None]
        middle = len(X) // 2
        controls = {
            "point": Slider("chosen point", 0, len(X) - 1, middle, whole=True),
            "x": Slider(f"its {notation.label('X')}", low, high, self._X[middle, 0], steps=200),
        }
        super().__init__(controls, size=(8.44, 4.3))

    @classmethod
    def example(cls):
        from ukrlearn import datasets

        Y, t = datasets.noisy_spiral(60, noise=0.03, random_state=0)
        return cls(30 * t[:, None], Y)

    def set(self, **values):
        """As in every panel; a newly chosen point starts at its learnt coordinate."""
        if "point" in values and "x" not in values:
            point = self._controls["point"].checked(values["point"])
            values["x"] = self._X[point, 0]
        return super().set(**values)

    def _measured(self, X):
        """S, the terms of R, and the terms of R_cv."""
        terms = [squared_residuals(X, self._Y, self._kernel, out) for out in (False, True)]
        return penalty_factors(X, self._kernel), *terms

    def draw(self, figure):
        grid = figure.add_gridspec(2, 2, width_ratios=(1, 1.25))
        of_data = figure.add_subplot(grid[:, 0])
        of_factors = figure.add_subplot(grid[0, 1])
        of_terms = figure.add_subplot(grid[1, 1], sharex=of_factors)
        colors = {"cmap": "viridis", "norm": LogNorm(1, 10, clip=True)}
        factors, plain, left_out = self._before

        self._points = figures.data(of_data, self._Y, factors, title="Data, by penalty factor S")
        self._points.set(**colors, sizes=[26])
        (self._curve,) = of_data.plot([], [], color=figures.COLORS[1], lw=1.6)
        look = {"color": "#222222", "lw": 1, "markevery": [1], "ms": 7}
        (self._with,) = of_data.plot([], [], "o-", mfc="white", label="f with it", **look)
        (self._without,) = of_data.plot([], [], "X:", label="f without it", **look)
        (self._ring,) = of_data.plot([], [], "o", ms=11, mfc="none", mec="#222222", mew=1.6)
        spread = np.ptp(self._Y, axis=0).max()
        middle = (self._Y.min(axis=0) + self._Y.max(axis=0)) / 2
        of_data.set(
            xlim=middle[0] + np.array([-0.58, 0.58]) * spread,
            ylim=middle[1] + np.array([-0.58, 0.58]) * spread,
        )
        of_data.set_aspect("equal", adjustable="box")
        of_data.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2, frameon=False)

        x = self._X[:, 0]
        grey = {"color": "#d5d9de", "lw": 4, "solid_capstyle": "butt"}
        of_factors.plot(*figures.bars(x, np.ones(len(x)), _up_to(HIGHEST, factors)), **grey)
        of_terms.plot(*figures.bars(x, _shown(plain), _shown(left_out)), **grey)
        look = {"color": "#222222", "lw": 1, "solid_capstyle": "butt", "clip_on": False}
        self._stems = [ax.plot([], [], **look)[0] for ax in (of_factors, of_terms)]
        look = {"s": 22, "zorder": 3, "clip_on": False, **colors}
        self._tips = [ax.scatter(x, x, c=factors, **look) for ax in (of_factors, of_terms)]
        look = {"ms": 10, "mfc": "none", "mec": "#222222", "mew": 1.6, "clip_on": False}
        self._rings = [ax.plot([], [], "o", **look)[0] for ax in (of_factors, of_terms)]
        of_factors.set(
            yscale="log",
            ylim=(1, HIGHEST),
            yticks=(1, 2, 5, 10, 20, 50, 100),
            yticklabels=("1", "2", "5", "10", "20", "50", "more"),
            xlim=(self._grid[0, 0] - 1, self._grid[-1, 0] + 1),
            ylabel="penalty factor $S$",
            title="The penalty on isolation",
        )
        of_terms.set(
            yscale="log",
            ylim=(LEAST, GREATEST),
            xlabel="latent coordinate $x$",
            ylabel=r"$|y - f|^2$ to $S\,|y - f|^2$",
        )
        of_factors.tick_params(labelbottom=False)
        for ax in (of_factors, of_terms):
            ax.minorticks_off()
        self._errors = of_terms.text(
            0.5, 1.0, "", transform=of_terms.transAxes, ha="center", va="bottom", fontsize=10
        )
        joined = [self._curve, self._points, self._with, self._without, self._ring]
        return [*joined, *self._stems, *self._tips, *self._rings, self._errors]

    def move(self, point, x):
        X = self._X.copy()
        X[point] = x
        factors, plain, left_out = self._measured(X)
        y, others = self._Y[point], np.arange(len(X)) != point
        with_it = predict(X[[point]], X, self._Y, self._kernel)[0]
        without = predict(X[[point]], X[others], self._Y[others], self._kernel)[0]

        self._curve.set_data(*predict(self._grid, X, self._Y, self._kernel).T)
        self._points.set_array(factors)
        self._ring.set_data([y[0]], [y[1]])
        self._with.set_data(*np.stack([y, with_it]).T)
        self._without.set_data(*np.stack([y, without]).T)
        low, high = _shown(plain), _shown(left_out)
        ends = (np.ones(len(X)), _up_to(HIGHEST, factors)), (low, high)
        for (foot, tip), stems, tips, ring in zip(
            ends, self._stems, self._tips, self._rings, strict=True
        ):
            stems.set_data(*figures.bars(X[:, 0], foot, tip))
            tips.set_offsets(np.column_stack([X[:, 0], tip]))
            tips.set_array(factors)
            ring.set_data([x], [tip[point]])
        R, R_cv = plain.mean(), left_out.mean()
        self._errors.set_text(f"$R$ = {R:.5f}     $R_{{cv}}$ = {R_cv:.5f}")
        return (
            f"Point {point} at x = {x:.2f} (learnt: {self._X[point, 0]:.2f}): penalty factor "
            f"S = {_in_words(factors[point])} (before: {_in_words(self._before[0][point])}), term "
            f"{plain[point]:.5f} in R and {left_out[point]:.5f} in R_cv. "
            f"{self._of_others(point, left_out)} R = {R:.5f}, R_cv = {R_cv:.5f}."
        )

    def _of_others(self, point, left_out):
        """A sentence about the other point that the move affects most."""
        change = left_out - self._before[2]
        change[point] = 0
        most = np.argmax(np.abs(change))
        if change[most] == 0:
            return "The move affects no other point."
        return (
            f"The move affects point {most} most: its term in R_cv went from "
            f"{self._before[2][most]:.5f} to {left_out[most]:.5f}."
        )


def _up_to(highest, values):
    return np.minimum(values, highest)


def _shown(terms):
    return np.clip(terms, LEAST, GREATEST)


def _in_words(factor):
    return f"{factor:.3g}" if np.isfinite(factor) else "infinite"
