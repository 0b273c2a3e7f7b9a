"""A replay of an optimisation: every step of several descents, with one point in detail."""

import numpy as np

from ukrlearn import figures
from ukrlearn.blocks import arguments, descent
from ukrlearn.blocks.arguments import checked
from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.kernel_regression import kernel_rows, predict
from ukrlearn.panels._base import Replay
from ukrlearn.panels._controls import Choice, Slider
from ukrlearn.ukr.reconstruction import reconstruction_error

RESTARTED = "restarted"
NEIGHBORS_DRAWN = 12
REACH = 6.0  # visible latent space on each side of the followed point, in kernel widths


def _steps(name, value):
    """Records with latent points."""
    if isinstance(value, str) or not hasattr(value, "__len__") or not len(value):
        raise TypeError(f"{name} must be a list of steps; got {arguments.shown(value)}.")
    if not all(hasattr(step, "X") and hasattr(step, "error") for step in value):
        raise TypeError(f"{name} must hold records with the fields X and error.")
    return list(value)


class FlightRecorder(Replay):
    """Several descents step by step, with one run and one of its points in detail.

    Left: the data and the curve of the chosen run at this step. A line joins the followed point to
    its leave-one-out reconstruction, and the points that contribute to it are marked; larger
    markers mean greater weights. Upper right: its row of weights over the latent coordinate. Lower
    right: the errors of all runs up to this step.

    "Restart from here" starts RPROP again at the current step, with new step sizes. The run
    "restarted" continues from there, for comparison with the others. `restart` also returns the
    latent points, for ``UKR(init=...)``.

    Parameters
    ----------
    runs : mapping of str to sequence
        Recorded steps of each run: records with the fields ``X`` (N, 1) and ``error``, such as
        those of a descent, or of ``UKR(record=True).fit(Y).history_``.
    Y : array of shape (N, 2)
        Data.
    kernel : DensityKernel, default=gaussian
    """

    title = "Flight recorder"

    @checked(
        runs=arguments.mapping(_steps),
        Y=arguments.squarable,
        kernel=arguments.record(DensityKernel),
    )
    def __init__(self, runs, Y, kernel: DensityKernel = gaussian):
        self._Y, self._kernel = Y, kernel
        if RESTARTED in runs:
            raise ValueError(f"runs must not name a run {RESTARTED!r}; got {list(runs)}.")
        self._runs = runs
        for name, steps in self._runs.items():
            shapes = {None if step.X is None else np.shape(step.X) for step in steps}
            if shapes != {(len(self._Y), 1)} or self._Y.shape[1:] != (2,):
                raise ValueError(
                    f"The steps of run {name!r} must have latent points X with one column, and Y "
                    f"must have two columns and as many rows; got shapes {shapes} and "
                    f"{self._Y.shape}. For a model, fit it with n_components=1 and record=True."
                )
        self._first = next(iter(self._runs))
        self._last = max(len(steps) for steps in self._runs.values()) - 1
        self._origin = None
        controls = {
            "frame": Slider("step", 0, max(self._last, 1), 0, whole=True),
            "run": Choice("method", (*self._runs, RESTARTED), self._first),
            "point": Slider("point to follow", 0, len(self._Y) - 1, len(self._Y) // 2, whole=True),
        }
        super().__init__(
            controls, (8.44, 4.4), {"Restart from here": lambda panel: panel.restart()}
        )

    @classmethod
    def of_descents(cls, X, Y, kernel: DensityKernel = gaussian, moves=200):
        """A panel with all descents of the library from the same start."""

        def objective(X):
            return reconstruction_error(X, Y, kernel)

        runs = {
            name: list(descent.at_most(method(objective, X), moves))
            for name, method in descent.by_name.items()
        }
        return cls(runs, Y, kernel)

    @classmethod
    def example(cls):
        from ukrlearn import datasets

        Y, t = datasets.noisy_spiral(80, random_state=0)
        random = np.random.RandomState(0)
        X = 25 * t[:, None] + 0.7 * random.normal(size=(80, 1))
        return cls.of_descents(X, Y, moves=60)

    def steps(self, run):
        """The recorded steps of a run."""
        return list(self._runs[run])

    def restart(self):
        """Restart RPROP at the current step, and return its latent points (N, 1)."""
        run, frame = self._values["run"], self._values["frame"]
        X = self._at(run, frame).X
        frame = min(frame, len(self._runs[run]) - 1)

        def objective(X):
            return reconstruction_error(X, self._Y, self._kernel)

        anew = list(descent.at_most(descent.rprop(objective, X), max(self._last - frame, 0)))
        self._show_restarted([*self._runs[run][:frame], *anew], f"at step {frame} of {run}")
        self.set(run=RESTARTED)
        return np.array(X)

    def reset(self):
        """Go back to the initial state, and forget the restarted run."""
        self._show_restarted(self._runs[self._first], None)
        return super().reset()

    def share(self, twin):
        """The same runs, and the restarted one."""
        twin._runs, twin._origin = dict(self._runs), self._origin

    def _show_restarted(self, steps, origin):
        """Store these steps as the run "restarted", which is the first run before any restart."""
        self._runs[RESTARTED], self._origin = steps, origin

    def _at(self, run, frame):
        """The step of a run at this frame; after its end, the last step."""
        steps = self._runs[run]
        return steps[min(frame, len(steps) - 1)]

    def draw(self, figure):
        grid = figure.add_gridspec(2, 2, width_ratios=(1, 1.25))
        of_data = figure.add_subplot(grid[:, 0])
        of_weights = figure.add_subplot(grid[0, 1])
        of_errors = figure.add_subplot(grid[1, 1])

        figures.data(of_data, self._Y, title="Data and curve")
        spread = np.ptp(self._Y, axis=0).max()
        middle = (self._Y.min(axis=0) + self._Y.max(axis=0)) / 2
        of_data.set(
            xlim=middle[0] + np.array([-0.56, 0.56]) * spread,
            ylim=middle[1] + np.array([-0.56, 0.56]) * spread,
        )
        of_data.set_aspect("equal", adjustable="box")
        (self._curve,) = of_data.plot([], [], color=figures.COLORS[1], lw=2)
        self._neighbors = of_data.scatter([], [], color=figures.COLORS[0], marker="s", zorder=3)
        (self._residual,) = of_data.plot([], [], "-", color="#222222", lw=1.2)
        (self._ring,) = of_data.plot([], [], "o", ms=11, mfc="none", mec="#222222", mew=1.6)
        (self._foot,) = of_data.plot([], [], "X", ms=8, color="#222222")

        of_weights.axvline(0, color="#222222", lw=0.8, ls=":")
        of_weights.set(
            xlim=(-REACH, REACH),
            ylim=(-0.06, 1),
            xlabel="latent coordinate, relative to the followed point",
            ylabel="weight",
            title="Weights in its reconstruction",
        )
        self._rug, self._weights = (
            of_weights.plot([], [], **look)[0]
            for look in (
                {"marker": "|", "ls": "", "color": "#8c9aa8", "ms": 7, "mew": 0.8},
                {"color": figures.COLORS[0], "lw": 2.5, "solid_capstyle": "butt"},
            )
        )

        errors = {
            name: [step.error for step in steps]
            for name, steps in self._runs.items()
            if name != RESTARTED
        }
        drawn = figures.error_curve(of_errors, errors, title="Errors of all runs")
        self._lines = dict(zip(errors, drawn, strict=True))
        (self._lines[RESTARTED],) = of_errors.plot([], [], color="#222222", lw=1.2, label=RESTARTED)
        low, high = min(map(min, errors.values())), max(map(max, errors.values()))
        of_errors.set(ylim=(low * 0.8, high * 1.2), xlim=(-0.02 * self._last, 1.02 * self._last))
        of_errors.legend(loc="upper right", ncols=2, framealpha=0.8, edgecolor="none")
        (self._now,) = of_errors.plot([], [], color="#444444", lw=0.8, ls=":")
        (self._dots,) = of_errors.plot([], [], "o", ms=5, color="#444444")
        (self._dot,) = of_errors.plot([], [], "o", ms=10, mfc="none", mec="#222222", mew=1.6)
        self._limits = of_errors.get_ylim()
        self._show_restarted(self._runs.get(RESTARTED, self._runs[self._first]), self._origin)
        return [
            self._curve, self._neighbors, self._residual, self._ring, self._foot, self._rug,
            self._weights, *self._lines.values(), self._now, self._dots, self._dot,
        ]  # fmt: skip

    def move(self, frame, run, point):
        step = self._at(run, frame)
        X, x, y = step.X, step.X[[point]], self._Y[point]
        itself = np.array([0]), np.array([point])
        K, _, total, _ = kernel_rows(x, X, self._kernel, itself)
        weights = K[0] / total[0]
        f = weights @ self._Y
        nearest = np.argsort(-weights, kind="stable")[: min(NEIGHBORS_DRAWN, len(X) - 1)]
        self._show_point(X, point, weights, f, nearest)

        grid = np.linspace(X.min(), X.max(), 500)[:, None]
        self._curve.set_data(*predict(grid, X, self._Y, self._kernel).T)
        shown = [name for name in self._runs if name != RESTARTED or self._origin]
        for name, line in self._lines.items():
            steps = self._runs[name][: frame + 1] if name in shown else []
            line.set_data(range(len(steps)), [step.error for step in steps])
        self._dots.set_data([frame] * len(shown), [self._at(name, frame).error for name in shown])
        self._dot.set_data([frame], [step.error])
        self._now.set_data([frame, frame], self._limits)

        errors = ", ".join(f"{name} {self._at(name, frame).error:.5f}" for name in shown)
        effective = 1 / np.sum(weights**2)
        no_restart = "the same as the first run until you restart"
        began = f" (RPROP restarted {self._origin})" if self._origin else f" ({no_restart})"
        return (
            f"Step {frame} of {run}{began if run == RESTARTED else ''}: error {step.error:.5f}. "
            f"Point {point} at x = {x[0, 0]:.2f} is rebuilt by about {effective:.1f} others, "
            f"mostly point {nearest[0]} (weight {weights[nearest[0]]:.2f}), with a residual of "
            f"{np.linalg.norm(f - y):.3f}. "
            f"All runs at this step: {errors}."
        )

    def _show_point(self, X, point, weights, f, nearest):
        y = self._Y[point]
        self._neighbors.set_offsets(self._Y[nearest])
        self._neighbors.set_sizes(90 * weights[nearest] / weights.max())
        self._residual.set_data(*np.stack([y, f]).T)
        self._ring.set_data(*y[:, None])
        self._foot.set_data(*f[:, None])
        apart = X[:, 0] - X[point, 0]
        self._rug.set_data(apart, np.full(len(X), -0.03))
        self._weights.set_data(*figures.bars(apart, 0 * weights, weights))
