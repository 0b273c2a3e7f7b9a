"""Kernel regression with known inputs: the effect of the bandwidth, and how to choose it."""

from dataclasses import replace

import numpy as np

from ukrlearn import figures
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked
from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.kernel_regression import predict, weights
from ukrlearn.course import notation
from ukrlearn.panels._controls import Slider, Switch
from ukrlearn.panels._explorable import Explorable, demand_few, in_the_page, pairs
from ukrlearn.sgd.filters import perplexity
from ukrlearn.ukr.reconstruction import squared_residuals

TRIALS = 121  # bandwidths, the best of which has the score to beat


class Bandwidth(Explorable):
    """Points (x_n, y_n) to be moved, drawn and erased, and the bandwidth h of K(|x - x'|² / h²).

    Left: the data with the curve f(x) and, below, the weight of every point at the place under the
    pointer, or at the chosen point. Thin blue lines lead from each point to its reconstruction
    without itself. Right: the mean squared error without leaving points out (R), and with each
    point left out of its own reconstruction (R_cv), of the bandwidths that have been tried. The
    score to beat is the least R_cv of many bandwidths. For small h, each point counts only for
    itself. For large h, all points count equally everywhere.

    The picture for places where no script runs shows the errors of all bandwidths.

    Parameters
    ----------
    x : array of shape (N,)
        Inputs.
    y : array of shape (N,)
        Outputs.
    kernel : DensityKernel, default=gaussian
        One of those that the page can compute: gaussian, quartic or student.
    bandwidth : float, optional
        Initial bandwidth; by default a tenth of the range of x.
    point : int, optional
        Initially chosen point, counted from 1 in the order of x; by default a middle point.

    Attributes
    ----------
    points : array of shape (N, 2)
        The data as the hand has left them, by x. `panel.put(points=...)` shows others.
    """

    title = "Bandwidth of kernel regression"
    script = "bandwidth.js"
    moved = "points"
    pictures = {
        "data": dict(title="Data and curve", ylabel="output y"),
        "weights": dict(
            title="Weights at the pink line (root scale)", xlabel="input x", ylabel="weight"
        ),
        "errors": dict(
            title="Errors",
            hand="try bandwidths",
            xlabel=notation.label("bandwidth"),
            ylabel="mean squared error",
        ),
    }

    @checked(
        x=arguments.numbers_or_nan,
        y=arguments.numbers_or_nan,
        kernel=arguments.record(DensityKernel),
        bandwidth=arguments.positive,
        point=arguments.count,
    )
    def __init__(self, x, y, kernel: DensityKernel = gaussian, *, bandwidth=None, point=None):
        if x.ndim != 1 or x.shape != y.shape or not _drawable(x, y):
            raise ValueError(
                "x and y must be vectors of finite numbers with the same length, and x must vary; "
                f"got shapes {x.shape} and {y.shape}. Drop missing values, and pass one column."
            )
        demand_few("x", x)
        self._kernel = in_the_page(kernel)
        span, N = np.ptp(x), len(x)
        low, high = span / 300, span * 2
        self._bandwidths = np.geomspace(low, high, TRIALS)
        self._use(np.column_stack([x, y]))
        self._first = self.points
        self._point = Slider("chosen point", 1, N, point or N // 2, whole=True)
        controls = {
            "bandwidth": Slider(
                notation.label("bandwidth"), low, high, bandwidth or span / 10, log=True
            ),
            "point": self._point,
            "left_out": Switch("leave the chosen point out", False),
        }
        super().__init__(controls, size=(8.44, 4.7))

    @classmethod
    def example(cls):
        """A small example: a noisy sine at 40 inputs."""
        random = np.random.RandomState(0)
        x = random.uniform(size=40)
        return cls(x, np.sin(2 * np.pi * x) + 0.2 * random.normal(size=40))

    def _use(self, points):
        """Make these the data."""
        points = pairs(points, "points")
        if len(points) < 2:
            raise ValueError(f"points must have two rows or more; got {len(points)}.")
        self.points = points[np.argsort(points[:, 0], kind="stable")]
        self._X, self._Y = self.points[:, :1], self.points[:, 1:]
        margin = 0.03 * (np.ptp(self._X) or 1.0)
        self._grid = np.linspace(self._X.min() - margin, self._X.max() + margin, 500)

    def data(self):
        return {"points": self.points.tolist(), "kernel": self._kernel.name}

    def take(self, out):
        super().take(out)
        N = len(self.points)
        slider = replace(self._point, high=N, value=min(self._point.value, N))
        self._controls["point"] = slider
        self._values["point"] = min(self._values["point"], N)
        attributes, controls, *others = self._begun
        self._begun = attributes, {**controls, "point": slider}, *others  # for copies

    def errors(self, bandwidth):
        """R, the mean squared error without leaving points out, and R_cv at this bandwidth."""
        X = self._X / bandwidth
        return tuple(
            squared_residuals(X, self._Y, self._kernel, leave_one_out).mean()
            for leave_one_out in (False, True)
        )

    def weights(self, bandwidth, point, left_out=False):
        """The weights of all points at the chosen point; its own weight is 0 if it is left out."""
        chosen, others = self._chosen_and_others(point, left_out)
        b = np.zeros(len(self._X))
        b[others] = weights(chosen / bandwidth, self._X[others] / bandwidth, self._kernel)[0]
        return b

    def draw(self, figure):
        layout = figure.add_gridspec(2, 2, height_ratios=(2, 1), width_ratios=(1.5, 1))
        of_data = figure.add_subplot(layout[0, 0])
        of_weights = figure.add_subplot(layout[1, 0], sharex=of_data)
        of_errors = figure.add_subplot(layout[:, 1])
        self._draw_data(of_data)
        self._draw_weights(of_weights)
        self._draw_errors(of_errors)
        of_data.tick_params(labelbottom=False)
        self._shown = None  # the data that the axes are made for
        chosen = dict(color=figures.COLORS[3], lw=1, alpha=0.5, zorder=1)
        self._positions = [ax.axvline(0, **chosen) for ax in (of_data, of_weights)]
        return [
            *self._positions,
            self._dots,
            self._curve,
            self._residual,
            self._ring,
            self._bars,
            self._here,
        ]

    def _draw_data(self, ax):
        (self._dots,) = ax.plot([], [], "o", color="#8c9aa8", label="data")
        (self._curve,) = ax.plot([], [], color=figures.COLORS[1], lw=2.2, label="curve f(x)")
        look = dict(color=figures.COLORS[3], zorder=3)
        (self._residual,) = ax.plot([], [], lw=2.2, label="its error", **look)
        (self._ring,) = ax.plot(
            [], [], "o", ms=9, mfc="none", mew=1.8, label="chosen point", **look
        )
        self.write(ax, "data")

    def _draw_weights(self, ax):
        (self._bars,) = ax.plot([], [], color=figures.COLORS[0], lw=2.6, solid_capstyle="butt")
        # On a square root scale, N equal weights of 1/N are visible beside a weight of 1.
        ax.set_yscale("function", functions=(lambda b: np.sqrt(np.maximum(b, 0)), np.square))
        ax.set(ylim=(0, 1), yticks=(0, 0.05, 0.2, 0.5, 1))
        self.write(ax, "weights")

    def _draw_errors(self, ax):
        names = "$R_{cv}$, each point left out", "$R$, no point left out"
        self._lines = [
            ax.plot([], [], look, color=figures.COLORS[color], label=name)[0]
            for name, look, color in zip(names, ("-", "--"), (0, 2), strict=True)
        ]
        ax.set(
            xscale="log",
            yscale="log",
            xlim=(self._bandwidths[0] / 1.4, self._bandwidths[-1] * 1.4),
        )
        self.write(ax, "errors")
        ax.legend(loc="lower right", framealpha=0.8, edgecolor="none")
        (self._here,) = ax.plot([], [], "o-", color="#222222", lw=1, ms=6)

    def _fit_axes(self):
        """Make the axes for the data as they are now."""
        x, y = self.points.T
        self._dots.set_data(x, y)
        room = 0.15 * (np.ptp(y) or 1.0)
        ax = self._dots.axes
        ax.set(xlim=self._grid[[0, -1]], ylim=(y.min() - room, y.max() + room))
        ax.legend(loc="upper right", ncols=2, framealpha=0.8, edgecolor="none")
        self._errors = np.array([self.errors(h) for h in self._bandwidths])
        for k, line in zip((1, 0), self._lines, strict=True):
            line.set_data(self._bandwidths, np.maximum(self._errors[:, k], 1e-12))
        ends = max(self._errors[:, 1].min(), 1e-12) / 50, max(self._errors.max(), 1e-9) * 2
        self._lines[0].axes.set_ylim(*ends)
        self._shown = self.points
        self.redraw()

    def move(self, bandwidth, point, left_out):
        if self._shown is not self.points:
            self._fit_axes()
        plain, cv = self.errors(bandwidth)
        chosen, others = self._chosen_and_others(point, left_out)
        x, y = self._X[point - 1, 0], self._Y[point - 1, 0]
        b = self.weights(bandwidth, point, left_out)
        f = float(b @ self._Y[:, 0])
        X, Y = self._X[others], self._Y[others]
        curve = predict(self._grid[:, None] / bandwidth, X / bandwidth, Y, self._kernel)

        self._curve.set_data(self._grid, curve[:, 0])
        self._ring.set_data([x], [y])
        self._residual.set_data([x, x], [y, f])
        for line in self._positions:
            line.set_xdata([x, x])
        self._bars.set_data(*figures.bars(self._X[:, 0], np.zeros_like(b), b))
        self._here.set_data([bandwidth, bandwidth], [max(plain, 1e-12), cv])
        how = "without itself" if left_out else f"with a weight of {b[point - 1]:.3f} of its own"
        return (
            f"Bandwidth {bandwidth:.3g}: error R = {plain:.4f}, leave-one-out error R_cv = "
            f"{cv:.4f}. Point {point} at x = {x:.3f}, y = {y:.3f} is rebuilt as {f:.3f} {how}, "
            f"from about {perplexity(b):.1f} points. The score to beat is "
            f"{self._errors[:, 1].min():.4f}."
        )

    def _chosen_and_others(self, point, left_out):
        """The position of the chosen point, and the indices of the points that contribute."""
        others = np.arange(len(self._X))
        return self._X[[point - 1]], np.delete(others, point - 1) if left_out else others


def _drawable(x, y):
    return bool(np.isfinite(x).all() and np.isfinite(y).all() and np.ptp(x) > 0)
