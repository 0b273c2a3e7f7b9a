"""The projection of one data point, [DRUR] (7), step by step, by four methods."""

from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from contourpy import contour_generator
from matplotlib.collections import LineCollection
from matplotlib.colors import LogNorm
from matplotlib.ticker import MaxNLocator

from ukrlearn import drur, figures
from ukrlearn.blocks import arguments, descent
from ukrlearn.blocks.arguments import checked
from ukrlearn.blocks.gauss_newton import NETWORK, projection_objective
from ukrlearn.blocks.networks import cluster_centres, fit_rbf, spacing
from ukrlearn.panels._base import Replay
from ukrlearn.panels._controls import Choice, Slider
from ukrlearn.panels._explorable import Explorable, demand_varying

GAUSS_NEWTON, NEWTON = "Gauss-Newton", "Newton"
DESCENT, FIXED_POINT = "gradient descent", "fixed point"
METHODS = (GAUSS_NEWTON, NEWTON, DESCENT, FIXED_POINT)
STEPS = 30
GRID = 70  # positions along each axis at which E is evaluated for its contours
LEVELS = np.geomspace(0.02, 12, 18)  # contours of E, in units of the data's mean squared size
FLOOR = 1e-11  # the lowest value in the chart, in the same units; below it, rounding decides
MARGIN = 0.25  # the latent plane extends beyond the latent points by this share on each side
ROUND = np.linspace(0, 2 * np.pi, 90)

_DATA, _HERE, _OF_F = "#222222", figures.COLORS[1], figures.COLORS[2]


class Path(NamedTuple):
    """The path of a method from the start."""

    x: np.ndarray  # (STEPS + 1, 2)
    E: np.ndarray  # (STEPS + 1,), (7)
    taken: np.ndarray  # (STEPS,), the fraction of each step that was taken


class GaussNewton(Explorable, Replay):
    """The latent point x of one data point y on its way down E(x) = |y - f(x)|² + |x - F(y)|² (7).

    The large picture is the latent plane with contours of E(x), the start, F(y), and the steps of
    the four methods. In the page, the start and the data point can be dragged, and the sheet can be
    turned. The dashed ellipse is a contour of the quadratic model of E on which the next step of
    the chosen method is based; the step leads to its centre. Gauss-Newton's model has the Hessian
    2 (I + JᵀJ) (11). Newton's model has the true Hessian (9), which need not be positive definite;
    if it is not, there is no ellipse, and the step may lead uphill. The fixed-point iteration
    x ← F(y) + Jᵀ(y - f(x)), which solves (8) = 0, uses a model with the Hessian 2 I, a circle.
    Gradient descent uses a line search instead of a model, and evaluates f several times per step.

    The small pictures are the sheet f with y and f(x) and, for all four methods up to this step,
    the difference between E and its lowest value. A method that ends in another valley stays above
    zero. Gauss-Newton halves a step that would raise E; Newton and the fixed-point iteration have
    no such safeguard here.

    Parameters
    ----------
    f, F : RBFNetwork
        The maps from the plane to space, and back.
    X : array of shape (N, 2)
        Latent points to which f and F were fitted.
    Y : array of shape (N, 3)
        Data.
    point : int
        Initial data point.
    start : (float, float), optional
        Initial x; by default the first latent point.
    """

    title = "Gauss-Newton"
    script = "gauss_newton.js"
    pictures = {
        "plane": dict(
            title="Latent plane: contours of E(x)",
            xlabel="x₁",
            ylabel="x₂",
            legend=["start", "F(y)", "data point y"],
        ),
        "space": dict(title="Data space: the sheet f"),
        "errors": dict(title="E minus its lowest value (log scale)", xlabel="step"),
    }
    rate = 3

    @checked(
        f=NETWORK,
        F=NETWORK,
        X=arguments.squarable,
        Y=arguments.squarable,
        point=arguments.count_from_zero,
        start=arguments.place,
    )
    def __init__(self, f, F, X, Y, *, point=0, start=None):
        if X.ndim != 2 or Y.ndim != 2 or (X.shape[1], Y.shape[1]) != (2, 3) or len(X) != len(Y):
            raise ValueError(
                "X must have two columns, and Y three columns and as many rows (a sheet in space); "
                f"got shapes {X.shape} and {Y.shape}."
            )
        demand_varying("X", X)
        self._f, self._F, self._X, self._Y = f, F, X, Y
        low, high = X.min(axis=0), X.max(axis=0)
        margin = MARGIN * (high - low)
        self._low, self._high = low - margin, high + margin
        self._axes = [np.linspace(self._low[j], self._high[j], GRID) for j in (0, 1)]
        self._grid = np.stack(np.meshgrid(*self._axes), axis=-1).reshape(-1, 2)
        self._sheet = f(self._grid)
        self._unit = np.sum(Y.var(axis=0))
        self._size = np.sqrt(np.mean((X - X.mean(axis=0)) ** 2))
        self.paths = lru_cache(64)(self._paths)
        self.lowest = lru_cache(64)(self._lowest)
        start = np.clip(X[0] if start is None else start, self._low, self._high)
        controls = {
            "frame": Slider("step", 0, STEPS, 0, whole=True),
            "method": Choice("method", METHODS, GAUSS_NEWTON),
            "point": Slider("data point", 0, len(X) - 1, point, whole=True),
            "offset": Slider("moved off the sheet", -1.0, 1.0, 0.0),
            "x1": Slider("start at x1", self._low[0], self._high[0], float(start[0])),
            "x2": Slider("start at x2", self._low[1], self._high[1], float(start[1])),
        }
        super().__init__(controls, size=(8.44, 4.7))

    @classmethod
    def example(cls):
        """An S-shaped sheet, with equal variances of the coordinates as from spectral methods."""
        from ukrlearn import datasets

        Y, t = datasets.s_curve(200, height=3.0, random_state=0)
        Y = (Y - Y.mean(axis=0)) / np.sqrt(Y.var(axis=0).sum())
        X = (t - t.mean(axis=0)) / t.std(axis=0) * np.sqrt(0.125)
        maps = []
        for inputs, outputs, multiple in ((X, Y, 2), (Y, X, 6)):
            centres = cluster_centres(inputs, 30)
            maps.append(fit_rbf(inputs, outputs, centres, multiple * spacing(centres), 1e-3))
        return cls(*maps, X, Y, point=120, start=(0.0, -0.28))

    def data(self):
        return {
            **{name: _network(maps) for name, maps in (("f", self._f), ("F", self._F))},
            "X": self._X.tolist(),
            "Y": self._Y.tolist(),
            "low": self._low.tolist(),
            "high": self._high.tolist(),
            "unit": float(self._unit),
            "size": float(self._size),
            "steps": STEPS,
            "levels": LEVELS.tolist(),
            "floor": FLOOR,
        }

    # What is computed

    def data_point(self, point, offset):
        """y (1, 3), moved along the normal of the sheet, and F(y) (1, 2)."""
        _, J = self._f.with_jacobian(self._X[[point]])
        normal = np.cross(*J[0].T)
        y = self._Y[[point]] + offset * normal / (np.linalg.norm(normal) or 1.0)
        return y, self._F(y)

    def energy(self, x, y, F_y):
        """E(x) of (7) at positions x (M, 2)."""
        return projection_objective(self._f(x), x, y, F_y)

    def energy_and_gradient(self, x, y, F_y):
        """E(x) and ∇E(x), (8), at one position x (1, 2)."""
        f, J = self._f.with_jacobian(x)
        return projection_objective(f, x, y, F_y)[0], 2 * (-(y - f) @ J[0] + x - F_y)  # (7), (8)

    def model(self, method, x, y):
        """Half of the Hessian, (2, 2), in the model for a method's next step from x (1, 2)."""
        f, J = self._f.with_jacobian(x)
        if method == FIXED_POINT:
            return np.eye(2)
        if method == NEWTON:
            return np.eye(2) + J[0].T @ J[0] - self._f.second_derivatives(x, y - f)[0]  # (9), (10)
        return np.eye(2) + J[0].T @ J[0]  # (11)

    def _paths(self, point, offset, x1, x2):
        """The `Path` of each method."""
        y, F_y = self.data_point(point, offset)
        start = np.array([[x1, x2]])
        found = {}
        for method in METHODS:
            if method == DESCENT:
                objective = partial(self.energy_and_gradient, y=y, F_y=F_y)
                steps = descent.at_most(descent.gradient_descent(objective, start), STEPS)
                x, taken = np.vstack([step.X for step in steps]), np.ones(STEPS)
            else:
                x, taken = self._way(method, start, y, F_y)
            found[method] = Path(x, self.energy(x, y, F_y), taken)
        return found

    def _way(self, method, x, y, F_y):
        """Positions (STEPS + 1, 2), and the fraction of each step that was taken."""
        way, taken = [x], []
        for _ in range(STEPS):
            half = self.energy_and_gradient(x, y, F_y)[1][0] / 2
            step = -np.linalg.lstsq(self.model(method, x, y), half, rcond=None)[0]  # (12)
            if method == GAUSS_NEWTON:
                there = drur.project(self._f, x, y, F_y, 1, 0, self._size).X  # backtracking
            else:
                there = x + step
            length = np.linalg.norm(step)
            taken.append(np.linalg.norm(there - x) / length if length > 1e-9 * self._size else 1.0)
            x = there
            way.append(x)
        return np.vstack(way), np.array(taken)

    def _lowest(self, point, offset):
        """The lowest E found from the best position of the grid and from F(y)."""
        y, F_y = self.data_point(point, offset)
        best = self._grid[[np.argmin(projection_objective(self._sheet, self._grid, y, F_y))]]
        starts = np.vstack([best, F_y])
        ys, F_ys = np.vstack([y, y]), np.vstack([F_y, F_y])
        return drur.project(self._f, starts, ys, F_ys, 200, 0, self._size).error.min()

    # The picture

    def draw(self, figure):
        grid = figure.add_gridspec(2, 2, width_ratios=(1, 1.2), height_ratios=(1.5, 1))
        of_data = figure.add_subplot(grid[0, 0], projection="3d")
        of_errors = figure.add_subplot(grid[1, 0])
        plane = figure.add_subplot(grid[:, 1])
        moving = [*self._draw_space(of_data), *self._draw_plane(plane)]
        moving += self._draw_errors(of_errors)
        figure.draw_without_rendering()  # layout computed once, so that Axes do not shift
        figure.set_layout_engine("none")
        return moving

    def _draw_space(self, ax):
        figures.data(ax, self._Y, title=self.pictures["space"]["title"])
        figures.manifold_of(ax, self._f, self._X, n_grid=18)
        sides = [high - low for low, high in (ax.get_xlim(), ax.get_ylim(), ax.get_zlim())]
        ax.set_box_aspect(sides, zoom=1.15)
        ax.view_init(16, -68)
        for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
            axis.labelpad = -14
            axis.set_major_locator(MaxNLocator(3))
            axis.set_ticklabels([])  # the units of the sheet do not matter here
        (self._gap,) = ax.plot([], [], [], ":", color=_DATA, lw=1.2)
        (self._trace,) = ax.plot([], [], [], ".-", color=_DATA, lw=1.4, ms=4)
        (self._y,) = ax.plot([], [], [], "*", ms=11, color=_DATA, mec="white")
        (self._f_x,) = ax.plot([], [], [], "o", ms=7, color=_HERE, mec="white")
        return [self._gap, self._trace, self._y, self._f_x]

    def _draw_plane(self, ax):
        figures.latent(ax, self._X)
        self.write(ax, "plane")
        ax.set(xlim=(self._low[0], self._high[0]), ylim=(self._low[1], self._high[1]))
        ax.set_aspect("equal", adjustable="box")
        norm = LogNorm(LEVELS[0] * self._unit, LEVELS[-1] * self._unit)
        self._contours = LineCollection([], lw=1.1, norm=norm, cmap="viridis", zorder=1)
        ax.add_collection(self._contours)
        ax.figure.colorbar(self._contours, ax=ax, shrink=0.7, label="E of the contour")
        (self._ellipse,) = ax.plot([], [], "--", color=_HERE, lw=1.4)
        (self._path,) = ax.plot([], [], ".-", color=_DATA, lw=1.5, ms=7, zorder=4)
        look = dict(ls="", zorder=5)
        (self._start,) = ax.plot([], [], marker="s", ms=8, mfc="white", mec=_DATA, **look)
        self._start.set(clip_on=False, in_layout=False)  # not cut off at the border
        (self._F_y,) = ax.plot([], [], marker="^", ms=10, color=_OF_F, mec="white", **look)
        (self._x,) = ax.plot([], [], marker="o", ms=8, color=_HERE, mec="white", **look)
        self._y.set_linestyle("")
        ax.legend(
            [self._start, self._F_y, self._y, self._path, self._x, self._ellipse],
            [*self.pictures["plane"]["legend"], "steps", "x and f(x)", "model of E"],
            loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=3, frameon=False,
        )  # fmt: skip
        return [
            self._contours, self._ellipse, self._path, self._start, self._F_y, self._x,
        ]  # fmt: skip

    def _draw_errors(self, ax):
        low, high = FLOOR * self._unit, 10 * LEVELS[-1] * self._unit
        ax.set(yscale="log", ylim=(low / 3, high), xlim=(-0.5, STEPS + 0.5))
        self.write(ax, "errors")
        ax.set_yticks([10.0**k for k in range(-12, 2, 3)])
        ax.grid(True, axis="y")
        looks = zip(METHODS, figures.COLORS, figures.MARKERS, ("-", "--", "-.", ":"), strict=False)
        self._lines = {
            method: ax.plot([], [], ls=dash, marker=marker, ms=3.5, color=color, label=method)[0]
            for method, color, marker, dash in looks
        }
        (self._now,) = ax.plot([], [], "o", ms=10, mfc="none", mec=_DATA, mew=1.6)
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.32), ncols=2, frameon=False)
        return [*self._lines.values(), self._now]

    def move(self, frame, method, point, offset, x1, x2):
        y, F_y = self.data_point(point, offset)
        paths = self.paths(point, offset, x1, x2)
        path = paths[method]
        x = path.x[[frame]]
        A, half = self.model(method, x, y), self.energy_and_gradient(x, y, F_y)[1][0] / 2
        self._show_plane(path.x[: frame + 1], y, F_y)
        self._show_model(method, x[0], A, half)
        self._show_space(path.x[: frame + 1], y)
        lowest = self._show_errors(paths, method, frame, point, offset)
        damped = self.model(GAUSS_NEWTON, x, y)
        words = [
            f"Data point {point}, {method}, step {frame}: x = ({x[0, 0]:.3f}, {x[0, 1]:.3f}), "
            f"E = {path.E[frame]:.5f}, |∇E| = {2 * np.linalg.norm(half):.2g};",
            f"the lowest E is {lowest:.5f}.",
            _step_in_words(method, path.taken, frame),
            _hessian_in_words(damped, self.model(NEWTON, x, y)),
            f"E after {frame} steps:",
            ", ".join(f"{name} {paths[name].E[frame]:.5f}" for name in METHODS) + ".",
        ]
        return " ".join(filter(None, words))

    def _show_plane(self, way, y, F_y):
        E = projection_objective(self._sheet, self._grid, y, F_y).reshape(GRID, GRID)
        lines = contour_generator(*self._axes, E)
        of_levels = [(level, lines.lines(level)) for level in LEVELS * self._unit]
        self._contours.set_segments([line for _, lines in of_levels for line in lines])
        self._contours.set_array([level for level, lines in of_levels for _ in lines])
        self._path.set_data(*way.T)
        self._start.set_data(*way[:1].T)
        self._x.set_data(*way[-1:].T)
        self._F_y.set_data(*F_y.T)

    def _show_model(self, method, x, A, half):
        """Show the contour through x of the quadratic model; the step leads to its centre."""
        values, V = np.linalg.eigh(A)
        if method == DESCENT or values[0] <= 0:
            self._ellipse.set_data([], [])
            return
        step = -V @ ((V.T @ half) / values)
        radius = np.sqrt(max(step @ A @ step, 0.0))
        circle = np.stack([np.cos(ROUND), np.sin(ROUND)]) / np.sqrt(values)[:, None]
        self._ellipse.set_data(*((x + step)[:, None] + radius * V @ circle))

    def _show_space(self, way, y):
        f = self._f(way)
        self._trace.set_data_3d(*f.T)
        self._f_x.set_data_3d(*f[-1:].T)
        self._y.set_data_3d(*y.T)
        self._gap.set_data_3d(*np.vstack([y, f[-1:]]).T)

    def _show_errors(self, paths, method, frame, point, offset):
        lowest = min(self.lowest(point, offset), *(path.E.min() for path in paths.values()))
        for name, line in self._lines.items():
            above = np.maximum(paths[name].E - lowest, FLOOR * self._unit)
            line.set_data(range(frame + 1), above[: frame + 1])
            line.set_linewidth(2.4 if name == method else 1.1)
            if name == method:
                self._now.set_data([frame], [above[frame]])
        return lowest


def _network(network):
    """The numbers of a map, for the page."""
    parts = {name: getattr(network, name).tolist() for name in ("centres", "W", "bias")}
    return {"width": float(network.width), **parts}


def _step_in_words(method, taken, frame):
    if method != GAUSS_NEWTON or frame == 0:
        return ""
    share = taken[frame - 1]
    if share > 0.99:
        return "The last step was taken in full."
    return f"1/{round(1 / share)} of the last step was taken." if share else "No step was taken."


def _hessian_in_words(damped, true):
    low, high = np.linalg.eigvalsh(damped)
    least, _ = np.linalg.eigvalsh(true)
    kind = "positive definite" if least > 0 else "not positive definite"
    return (
        f"I + JᵀJ has eigenvalues {low:.2f} and {high:.2f}, condition {high / low:.1f}; the true "
        f"Hessian is {kind} here (its lower eigenvalue is {2 * least:.2f})."
    )
