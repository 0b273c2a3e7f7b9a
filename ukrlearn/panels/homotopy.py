"""The homotopy of [UKR] 2.3 step 4: latent points unfold while the density threshold falls."""

from functools import partial

import numpy as np
from contourpy import contour_generator
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap, to_hex

from ukrlearn import figures
from ukrlearn.blocks import arguments, descent, scales, starts
from ukrlearn.blocks.arguments import checked, same_length
from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.kernel_regression import latent_density
from ukrlearn.figures.house import class_looks, palette_name
from ukrlearn.panels._base import Replay
from ukrlearn.panels._controls import Slider
from ukrlearn.panels._explorable import (
    Explorable,
    demand_different,
    demand_few,
    in_the_page,
    packed,
    rounded,
)
from ukrlearn.ukr import homotopy
from ukrlearn.ukr.density_constraint import relative_density
from ukrlearn.ukr.reconstruction import reconstruction_error, squared_residuals

CELLS = 72  # along each axis of the picture of the density
DOMAIN = ListedColormap(["#ffffff", "#e3eefa"])
BORDER = "#53657a"
ROOM = 200_000  # bytes, about, of all points that the page gets; it mixes steps between them


def _falling(name, value):
    """Falling numbers between 0 and 1."""
    thresholds = arguments.vector(name, value)
    if not (0 < thresholds.min() and thresholds.max() < 1 and (np.diff(thresholds) < 0).all()):
        raise ValueError(
            f"{name} must fall from step to step, between 0 and 1; got {arguments.shown(value)}."
        )
    return tuple(map(float, thresholds))


class Homotopy(Explorable, Replay):
    """Principal components, contracted almost to a point, unfold stage by stage.

    Left: the latent points at this step, by class, and the feasible set p(x) >= η K(0) of the stage
    (shaded, with its border). The radius of the circle in the corner is the kernel's width. The
    picture shows the room that the points need in the end; the button "Zoom in" follows them. The
    last stage has no threshold; its border is that of step 6, the highest threshold with all points
    inside. Upper right: R_cv up to this step; the dashed line is a descent that starts directly
    from the scaled principal components. Lower right: the lowest density of all points, which never
    falls below the staircase of thresholds.

    The page gets all steps, or so many of them as fit into a megabyte, and mixes those between.

    Parameters
    ----------
    Y : array of shape (N, d)
        Data.
    labels : array of shape (N,), optional
        Classes, for colours and markers only.
    kernel : DensityKernel, default=gaussian
    thresholds : sequence of float
        Falling values of η, one per stage.
    moves, last_moves : int
        Number of RPROP steps of each stage, and of the last stage without a threshold.
    palette : str, optional
        The data set of the classes, such as "oil_flow": a name that `figures.palette` takes.
    """

    title = "Homotopy"
    script = "homotopy.js"
    pictures = {
        "map": dict(title="Latent points and the room they may use", xlabel="x₁", ylabel="x₂"),
        "errors": dict(title="R_cv, step by step", legend=["homotopy", "direct descent"]),
        "constraint": dict(
            title="The constraint (log scale)",
            xlabel="step",
            ylabel="p(x) / K(0)",
            legend=["lowest density of all points", "threshold η"],
        ),
    }

    @checked(
        same_length("Y", "labels"),
        Y=arguments.squarable,
        labels=arguments.labels,
        kernel=arguments.record(DensityKernel),
        thresholds=_falling,
        moves=arguments.count,
        last_moves=arguments.count,
        palette=palette_name,
    )
    def __init__(
        self,
        Y,
        labels=None,
        kernel: DensityKernel = gaussian,
        thresholds=homotopy.PAPER_THRESHOLDS,
        moves=50,
        last_moves=150,
        palette=None,
    ):
        self._Y, self._kernel = Y, in_the_page(kernel)
        self._labels = np.zeros(len(self._Y), dtype=int) if labels is None else labels
        if len(self._Y) < 4 or self._Y.ndim != 2 or len(self._labels) != len(self._Y):
            raise ValueError(
                "Y must have at least four rows, and labels one entry per row; got shapes "
                f"{self._Y.shape} and {self._labels.shape}."
            )
        demand_few("Y", self._Y)
        demand_different("Y", self._Y)
        self._thresholds, self._palette = tuple(thresholds), palette
        self._record(moves, last_moves)
        last = len(self._X) - 1
        controls = {
            "frame": Slider("step", 0, last, 0, whole=True),
            "stage": Slider("stage", 1, len(self._thresholds) + 1, 1, whole=True),
        }
        super().__init__(controls, size=(8.44, 4.4))

    @classmethod
    def example(cls):
        from ukrlearn import datasets

        Y, labels = datasets.simulated_oil_flow(60, random_state=0)
        return cls(Y, labels, moves=12, last_moves=20, palette="oil_flow")

    def _record(self, moves, last_moves):
        """Compute all steps of all stages, and those of the direct descent."""
        objective = partial(reconstruction_error, Y=self._Y, kernel=self._kernel)
        self._X, self._stage_of = [], []
        components = scales.normalised(starts.pca(self._Y, 2))
        X = components
        stages = homotopy.homotopy_stages(
            objective, components, self._kernel, self._thresholds, moves
        )
        for stage, (_, steps) in enumerate(stages, 1):
            best = descent.Best()
            for step in best.of(steps):
                self._X.append(step.X)
                self._stage_of.append(stage)
            X = best.step.X
        for step in descent.at_most(descent.rprop(objective, X), last_moves):
            self._X.append(step.X)
            self._stage_of.append(len(self._thresholds) + 1)
        self._errors = [squared_residuals(X, self._Y, self._kernel).mean() for X in self._X]
        self._least = [relative_density(X, self._kernel).min() for X in self._X]
        scaled = scales.best_scale(
            components, lambda X: squared_residuals(X, self._Y, self._kernel).mean(), self._kernel
        )
        direct = descent.at_most(
            descent.rprop(objective, components * scaled.scale), len(self._X) - 1
        )
        self._direct = [step.error for step in direct]

    def data(self):
        steps, N = len(self._X), len(self._Y)
        every = int(np.ceil(8 * steps * N / 3 * 2 / ROOM))  # 8/3 bytes for each number
        frames = sorted(
            {*range(0, steps, every), *map(self._last_of, range(1, len(self._thresholds) + 2))}
        )
        looks = class_looks(self._labels, of=self._palette)
        colors = {label: to_hex(color) for label, _, color, _ in looks}
        return {
            "frames": frames,
            "X": packed([self._X[frame] for frame in frames]),
            "colors": [colors[label] for label in self._labels.tolist()],
            "classes": [[str(name), to_hex(color)] for _, name, color, _ in looks],
            "kernel": self._kernel.name,
            "thresholds": list(self._thresholds),
            "stage_of": self._stage_of,
            "errors": rounded(self._errors),
            "direct": rounded(self._direct),
            "least": rounded(self._least, 9),
            "words": [self._words(*step) for step in enumerate(self._stage_of)],
        }

    def ends(self):
        """(η, R_cv, lowest density) at the end of each stage; η is None for the last stage."""
        rows = []
        for stage, eta in enumerate((*self._thresholds, None), 1):
            frame = self._last_of(stage)
            rows.append((eta, self._errors[frame], float(self._least[frame])))
        return rows

    def points(self, stage):
        """Latent points (N, 2) at the end of a stage; stage 0 is the contracted start."""
        return self._X[self._last_of(stage) if stage else 0].copy()

    def direct_error(self):
        """The best R_cv of the descent from the scaled principal components."""
        return min(self._direct)

    def _last_of(self, stage):
        return len(self._stage_of) - 1 - self._stage_of[::-1].index(stage)

    def set(self, **values):
        """As in every panel; setting a stage shows its end, and setting a step sets its stage."""
        if "frame" in values:
            frame = self._controls["frame"].checked(values["frame"])
            values["stage"] = self._stage_of[frame]
        elif "stage" in values:
            values["frame"] = self._last_of(self._controls["stage"].checked(values["stage"]))
        return super().set(**values)

    def draw(self, figure):
        grid = figure.add_gridspec(2, 2, width_ratios=(1.15, 1))
        self._of_points = figure.add_subplot(grid[:, 0])
        of_errors = figure.add_subplot(grid[0, 1])
        of_densities = figure.add_subplot(grid[1, 1], sharex=of_errors)

        ax = self._of_points
        self._image = ax.imshow(
            np.zeros((CELLS, CELLS)),
            origin="lower",
            cmap=DOMAIN,
            vmin=0,
            vmax=1,
            extent=(0, 1, 0, 1),
            interpolation="nearest",
            zorder=0,
        )
        self._border = ax.add_collection(LineCollection([], color=BORDER, lw=1.4))
        self._classes = [
            (
                self._labels == label,
                ax.scatter([], [], s=18, color=color, marker=marker, lw=0, label=name),
            )
            for label, name, color, marker in class_looks(self._labels, of=self._palette)
        ]
        if len(self._classes) > 1:
            ax.legend(
                loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=3, frameon=False,
                handletextpad=0.2, columnspacing=1,
            )  # fmt: skip
        (self._circle,) = ax.plot([], [], color="#222222", lw=1)
        self.write(ax, "map")
        ax.set_aspect("equal", adjustable="box")
        self._shown_stage = None

        steps = np.arange(len(self._X))
        names = self.pictures["errors"]["legend"]
        errors = dict(zip(names, (self._errors, self._direct), strict=True))
        curves_so_far = figures.error_curve(of_errors, errors)
        self.write(of_errors, "errors")
        of_errors.set(xlabel="", xlim=(-0.02 * len(steps), 1.02 * len(steps)))
        of_errors.tick_params(labelbottom=False)
        stairs = [
            self._thresholds[k - 1] if k <= len(self._thresholds) else np.nan
            for k in self._stage_of
        ]
        said = self.pictures["constraint"]
        curves = dict(zip(said["legend"], (self._least, stairs), strict=True))
        words = {"title": said["title"], "across": said["xlabel"], "up": said["ylabel"]}
        curves_so_far += figures.lines(of_densities, steps, curves, **words, log="y")[:1]
        for ax in (of_errors, of_densities):
            ax.set_autoscale_on(False)
        self._so_far = [(line, *line.get_data()) for line in curves_so_far]
        self._dots = []
        for ax, values in ((of_errors, self._errors), (of_densities, self._least)):
            (dot,) = ax.plot([], [], "o", ms=10, mfc="none", mec="#222222", mew=1.6)
            self._dots.append((dot, values))
        self._zoom(1)
        # The layout is computed once; otherwise each zoom would shift the Axes slightly.
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        points = [scatter for _, scatter in self._classes]
        return [
            self._image,
            self._border,
            *points,
            self._circle,
            *curves_so_far,
            *(dot for dot, _ in self._dots),
        ]

    def move(self, frame, stage):
        X = self._X[frame]
        if stage != self._shown_stage:
            self._zoom(stage)
        threshold = self._threshold(frame, stage)
        p = latent_density(self._grid, X, self._kernel) / self._kernel.at_zero
        p = p.reshape(CELLS, CELLS)
        self._image.set_data(p >= threshold)
        axes = self._grid.reshape(CELLS, CELLS, 2)
        lines = contour_generator(axes[..., 0], axes[..., 1], p).lines(threshold)
        self._border.set_segments(lines)
        for of_class, scatter in self._classes:
            scatter.set_offsets(X[of_class])
        for line, steps, values in self._so_far:
            line.set_data(steps[: frame + 1], values[: frame + 1])
        for dot, values in self._dots:
            dot.set_data([frame], [values[frame]])
        return self._words(frame, stage)

    def _threshold(self, frame, stage):
        """η of the stage; in the last one that of step 6."""
        last = stage > len(self._thresholds)
        return float(self._least[frame]) if last else self._thresholds[stage - 1]

    def _words(self, frame, stage):
        X, threshold = self._X[frame], self._threshold(frame, stage)
        named = (
            f"no threshold (step 6 would give η = {threshold:.4f})"
            if stage > len(self._thresholds)
            else f"η = {threshold:g}"
        )
        return (
            f"Step {frame}, stage {stage} of {len(self._thresholds) + 1}, {named}: R_cv = "
            f"{self._errors[frame]:.4f}, lowest density {self._least[frame]:.4f} K(0); the points "
            f"extend over {np.ptp(X, axis=0).max():.1f} kernel widths. Directly, without stages, "
            f"R_cv would be {self._direct[frame]:.4f} by now."
        )

    def _zoom(self, stage):
        """Set limits that include a whole stage; the scale only changes between stages."""
        X = np.concatenate([X for X, s in zip(self._X, self._stage_of, strict=True) if s == stage])
        low, high = X.min(axis=0), X.max(axis=0)
        half = 0.56 * (high - low).max() + 0.8
        middle = (low + high) / 2
        low, high = middle - half, middle + half
        # The density is evaluated at the centre of each cell of the picture.
        cells = [
            a + (b - a) * (np.arange(CELLS) + 0.5) / CELLS for a, b in zip(low, high, strict=True)
        ]
        self._grid = np.stack(np.meshgrid(*cells), axis=-1).reshape(-1, 2)
        self._image.set_extent((low[0], high[0], low[1], high[1]))
        self._of_points.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
        angle = np.linspace(0, 2 * np.pi, 60)
        corner = low + 1 + 0.05 * half
        self._circle.set_data(corner[0] + np.cos(angle), corner[1] + np.sin(angle))
        self._shown_stage = stage
        self.redraw()
