"""The ν slider: a descent guided by the spectrum of the data, beside a plain descent."""

import asyncio
import time
import warnings
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import chain, repeat

import numpy as np
from matplotlib.ticker import NullFormatter

from ukrlearn import figures, sgd
from ukrlearn.blocks import arguments, descent, starts
from ukrlearn.blocks.arguments import checked, same_length
from ukrlearn.blocks.kernel_regression import predict
from ukrlearn.course import notation
from ukrlearn.estimators.guidance import SCHEDULES as OF_GUIDANCE
from ukrlearn.estimators.guidance import SpectralGuidance
from ukrlearn.metrics import order_recovered, procrustes_r2
from ukrlearn.panels._base import Replay
from ukrlearn.panels._controls import Choice, Slider
from ukrlearn.panels._remembered import Remembered
from ukrlearn.sgd.filters import Deflation
from ukrlearn.ukr.reconstruction import reconstruction_error

CONSTANT_NU, CONSTANT_L = "constant nu", "constant l"
SCHEDULES = (*(s for s in OF_GUIDANCE if s != "constant"), CONSTANT_NU, CONSTANT_L)
WITH_NU = ("nu", "nu-hold", "nu-geometric", "deflation", CONSTANT_NU)
WITH_L = ("l", "l-doubling", CONSTANT_L)
SEEDS = 30
SPECTRA, RUNS = 12, 24  # the sizes of the caches
PATIENCE = 0.04  # seconds for which a slider may wait for iterations
POSITIONS = 200  # at which the curve is evaluated, besides the latent points
START = 0.6  # the position of iteration 0 on a logarithmic axis
COLORS = {"plain": figures.COLORS[0], "guided": figures.COLORS[1]}
FAINT = {"lw": 0.8, "alpha": 0.35, "zorder": 1}


@dataclass(eq=False)
class _Run:
    """A descent whose iterations are computed on demand."""

    steps: object  # an iterator
    X: list = field(default_factory=list)
    errors: list = field(default_factory=list)
    kept: bool = False  # whether it stays visible when another run is chosen

    def reaches(self, frame):
        return len(self.X) > frame

    def go_on(self):
        step = next(self.steps)
        self.X.append(step.X)
        self.errors.append(step.error)


MOST_MOVES, LARGEST_NU = 100_000, 20


def _nu(name, value):
    if arguments.not_negative(name, value) > LARGEST_NU:
        raise ValueError(f"{name} must be at most {LARGEST_NU}; got {arguments.shown(value)}.")
    return float(value)


def _one_or_two(name, value):
    if arguments.count(name, value) > 2:
        raise ValueError(f"{name} must be 1 or 2; got {arguments.shown(value)}.")
    return int(value)


class Guidance(Replay):
    """Spectral guidance, [SGD] 3 and 4, one iteration at a time, beside the plain descent.

    Both descents begin at the same small random start, which "seed" chooses. Upper left: their
    errors on logarithmic axes; earlier runs, with other seeds or settings, remain as faint lines.
    Lower left: the weights of the eigenvectors in the next move (shaded), λ^ν or 1 for the l
    leading ones, and the eigenvalues (grey). The dotted line is the effective number of directions.
    Right: the current state of both descents; the curves f(x; X) in data space for one latent
    dimension, the latent points for two.

    Iterations are computed when they are needed, and only once. A change of h needs an
    eigendecomposition; a change of ν, l, schedule or seed does not. If only ν is set and the
    current schedule has no ν, a schedule with ν is chosen; the same holds for l. "Another seed"
    switches to the next seed and plays.

    Parameters
    ----------
    Y : array of shape (N, d)
        Data; with one latent dimension, d must be 2 or 3.
    t : array of shape (N,) or (N, 2), optional
        True coordinates, for colours and for the score in the summary.
    n_components : 1 or 2
        Dimensions of latent space.
    objective : callable, optional
        X -> (error, gradient); by default the leave-one-out error of unsupervised kernel
        regression. Pass ``neighbor_embedding.objective(Y, h)`` for stochastic neighbour embedding.
    error : str
        The name of the error.
    h : float
        Initial bandwidth of the affinity (12).
    nu : float
        Initial ν.
    spread : float
        Standard deviation of the random start.
    moves : int
        Number of iterations.
    """

    title = "Guidance"
    rate = 25

    @checked(
        same_length("Y", "t"),
        Y=arguments.squarable,
        t=arguments.columns,
        n_components=_one_or_two,
        objective=arguments.function,
        error=arguments.text,
        h=arguments.positive,
        nu=_nu,
        spread=arguments.positive,
        moves=partial(arguments.whole_number, least=1, most=MOST_MOVES),
    )
    def __init__(
        self,
        Y,
        t=None,
        n_components=1,
        objective=None,
        error="$R_{cv}$",
        *,
        h=1.0,
        nu=10,
        spread=0.1,
        moves=200,
    ):
        self._Y = Y
        if Y.ndim != 2 or len(Y) < 3 or (n_components == 1 and Y.shape[1] not in (2, 3)):
            raise ValueError(
                "Y must have at least three rows and, for one latent dimension, two or three "
                f"columns; got shape {Y.shape}. Use n_components=2, or choose columns."
            )
        self._q, self._error = n_components, error
        self._t = None if t is None else np.reshape(t, (len(Y), -1))
        own = objective and descent.demand_objective(objective)
        self._objective = own or partial(reconstruction_error, Y=Y)
        self._spread, self._moves = spread, moves
        self.spectrum = lru_cache(SPECTRA)(self._spectrum)
        self._stages = lru_cache(4)(self._filters)
        self._runs, self._shown = Remembered(RUNS), ()
        self._patience, self._goal = np.inf, None
        controls = {
            "frame": Slider("iteration", 0, moves, 0, whole=True),
            "nu": Slider(notation.label("nu"), 0, LARGEST_NU, nu, steps=200),
            "h": Slider(notation.label("h"), h / 50, h * 50, h, log=True, steps=100),
            "l": Slider(notation.label("l"), 1, len(Y), 1, whole=True),
            "schedule": Choice("schedule of guidance", SCHEDULES, "nu"),
            "seed": Slider("seed of the start", 0, SEEDS - 1, 0, whole=True),
        }
        super().__init__(
            controls, (8.44, 4.4), {"Another seed": lambda panel: panel.another_seed()}
        )

    @classmethod
    def example(cls):
        from ukrlearn import datasets

        return cls(*datasets.noisy_helix(150, random_state=0), moves=100)

    # What is computed

    def _spectrum(self, h):
        """The spectrum at a bandwidth."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the picture shows isolated points anyway
            return SpectralGuidance(h=h).spectrum(self._Y)

    def guidance(self):
        """The current settings, for ``UKR(guidance=...)`` or ``SNE(guidance=...)``."""
        return _guidance(**{name: self._values[name] for name in ("nu", "h", "l", "schedule")})

    def history(self):
        """Errors of the plain and the guided run up to the current iteration."""
        return {
            name: list(run.errors[: self._values["frame"] + 1])
            for name, run in zip(("plain", "guided"), self._shown, strict=True)
        }

    def latent_points(self):
        """Latent points (N, q) of the plain and the guided run at the current iteration."""
        return {
            name: run.X[self._values["frame"]].copy()
            for name, run in zip(("plain", "guided"), self._shown, strict=True)
        }

    def _filters(self, guidance):
        """The filters of the schedule, and the filter of all later moves (None: plain gradient)."""
        filters, later = guidance.stages(self.spectrum(guidance.h), self._q)
        return filters, next(iter(later), None)

    def _filter(self, guidance, frame):
        """The filter of the move after this iteration; a deflation is shown without deflating."""
        spectrum = self.spectrum(guidance.h)
        filters, later = self._stages(guidance)
        bend = filters[frame] if frame < len(filters) else later
        if bend is None:
            return sgd.plain(spectrum)
        return sgd.powers(spectrum, bend.nu) if isinstance(bend, Deflation) else bend

    def _run(self, guidance, seed):
        """The run with these settings, with the iterations computed so far; None is unguided."""
        return self._runs.get_or_make((guidance, seed), lambda: self._new_run(guidance, seed))

    def _new_run(self, guidance, seed):
        filters = ()
        if guidance is not None:
            filters, later = self._stages(guidance)
            filters = chain(filters, () if later is None else repeat(later))
        X0 = starts.random((len(self._Y), self._q), self._spread, seed)
        method = sgd.guided(descent.gradient_descent, filters)
        return _Run(method(self._objective, X0))

    def _compute(self, runs, frame):
        """Compute both runs to this iteration, or as far as time allows; return how far."""
        end = time.perf_counter() + self._patience
        known = min(len(run.X) for run in runs)
        for reached in range(max(known - 1, 0), frame):
            for run in runs:
                while not run.reaches(reached + 1):
                    run.go_on()
            if time.perf_counter() > end and reached + 1 < frame:
                self._goal = frame
                return reached + 1
        for run in runs:
            while not run.reaches(frame):
                run.go_on()
        self._goal = None
        return frame

    # What the reader does

    def set(self, **values):
        """As in every panel; setting only ν or only l chooses a schedule that uses it."""
        # While ν, h or l are dragged, runs are not kept. A run is kept if it is stepped or played,
        # or if the seed or the schedule changes after it.
        keep = values.keys() & {"frame", "seed", "schedule"}
        self._keep(keep)
        if "schedule" not in values and ("nu" in values) != ("l" in values):
            present = self._values["schedule"]
            if "nu" in values and present not in WITH_NU:
                values["schedule"] = CONSTANT_NU if present == CONSTANT_L else "nu"
            if "l" in values and present not in WITH_L:
                values["schedule"] = CONSTANT_L if present == CONSTANT_NU else "l"
        if "frame" not in values and self._goal is not None:
            values["frame"] = self._goal
        super().set(**values)
        self._keep(keep)
        return self

    def _keep(self, keep):
        for run in self._shown if keep else ():
            run.kept = True

    def reset(self):
        """Go back to the initial state, and forget all earlier runs."""
        self.pause()
        self._runs.clear()
        self._shown = ()
        self._show_errors_from(self._lowest)
        return super().reset()

    def share(self, twin):
        """The same runs, with marks of its own on those that stay visible."""
        twin._runs = Remembered(RUNS)
        twin._runs.update({key: replace(run) for key, run in self._runs.items()})

    def copy(self):
        twin = super().copy()
        twin._show_errors_from(self._low)
        twin._refresh()
        return twin

    def another_seed(self):
        """Switch to the next seed, and play from its start."""
        self.set(seed=(self._values["seed"] + 1) % SEEDS, frame=0)
        self.play()

    def play(self):
        """Play all iterations from here, or from the start if this is the last one."""
        if self._goal is not None:
            self.pause()
        if self._values["frame"] == self._moves:
            self.set(frame=0)
        super().play()

    def pause(self):
        self._goal = None
        super().pause()

    def _by_hand(self, name, sent):
        """Compute many iterations a few at a time, so that nothing blocks."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return super()._by_hand(name, sent)
        self._hurriedly(super()._by_hand, name, sent)
        if self._goal is not None and self._playing is None:
            self._playing = asyncio.get_running_loop().create_task(self._catch_up())

    def _hurriedly(self, action, *values, **named):
        """Perform the action within a time limit; `_goal` is the iteration still to be reached."""
        self._patience = PATIENCE
        try:
            action(*values, **named)
        finally:
            self._patience = np.inf

    async def _catch_up(self):
        try:
            while self._goal is not None:
                goal, self._goal = self._goal, None
                self._hurriedly(self._answer, "frame", super().set, frame=goal)
                await asyncio.sleep(0.01)
        finally:
            if self._playing is asyncio.current_task():
                self._playing = None

    # The picture

    def draw(self, figure):
        grid = figure.add_gridspec(2, 3, width_ratios=(1.15, 1, 1))
        of_errors = self._of_errors = figure.add_subplot(grid[0, 0])
        of_weights = figure.add_subplot(grid[1, 0])
        flat = self._q == 2 or self._Y.shape[1] == 2
        of_runs = [
            figure.add_subplot(grid[:, k], projection=None if flat else "3d") for k in (1, 2)
        ]
        drawn = [*self._draw_errors(of_errors), *self._draw_weights(of_weights)]
        self._places = [
            self._draw_place(ax, name, color)
            for ax, (name, color) in zip(of_runs, COLORS.items(), strict=True)
        ]
        # The layout is computed once; otherwise new limits would shift the Axes slightly.
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        return [*drawn, *self._places]

    def _draw_errors(self, ax):
        start, _ = self._objective(starts.random((len(self._Y), self._q), self._spread, 0))
        ticks = [10**k for k in range(int(np.log10(self._moves)) + 1)]
        ax.set(xscale="log", yscale="log", xlim=(START * 0.92, self._moves * 1.1))
        ax.set(ylim=(start / 300, start * 1.5), xlabel="iteration", ylabel=self._error)
        ax.set_xticks([START, *ticks], ["start", *(f"{tick:d}" for tick in ticks)])
        ax.xaxis.set_minor_formatter(NullFormatter())
        ax.set_title("Errors of both descents")
        ax.grid(True, axis="y")
        self._lowest = self._low = start / 300
        self._faint = [ax.plot([], [], color=color, **FAINT)[0] for color in COLORS.values()]
        dashes = {"plain": (0, (5, 1.5)), "guided": "-"}
        self._lines = [
            ax.plot([], [], color=color, ls=dashes[name], lw=2, label=name)[0]
            for name, color in COLORS.items()
        ]
        looks = zip(figures.MARKERS, COLORS.values(), strict=False)
        self._dots = [ax.plot([], [], look, ms=7, color=color)[0] for look, color in looks]
        ax.legend(loc="lower left", framealpha=0.8, edgecolor="none")
        return [*self._faint, *self._lines, *self._dots]

    def _draw_weights(self, ax):
        ax.set(xscale="log", xlim=(0.9, 1.1 * len(self._Y)), ylim=(0, 1.06))
        ax.set(xlabel=notation.label("eigenvectors"), ylabel="weight (grey: eigenvalue)")
        ax.set_title("Weights in the next move")
        ax.grid(True, axis="y")
        ticks = [10**k for k in range(int(np.log10(len(self._Y))) + 1)]
        ax.set_xticks(ticks, [f"{tick:d}" for tick in ticks])
        self._shade = ax.fill_between([], [], color=COLORS["guided"], alpha=0.3, lw=0)
        (self._values_line,) = ax.plot([], [], color="#666666", lw=1.3)
        (self._weights_line,) = ax.plot([], [], color=COLORS["guided"], lw=2)
        (self._free,) = ax.plot([], [], ":", color="#222222", lw=1.4)
        look = {"ha": "right", "va": "top", "transform": ax.transAxes}
        self._words = ax.text(0.98, 0.93, "", **look)
        lines = [self._values_line, self._weights_line, self._free]
        return [self._shade, *lines, self._words]

    def _draw_place(self, ax, name, color):
        """The moving part of a run: its curve in data space, or its latent points."""
        if self._q == 1:
            figures.data(ax, self._Y, title=name.capitalize())
            if ax.name == "3d":
                ax.patch.set_visible(False)  # it would hide a label of the Axes beside it
                ax.set_title(name.capitalize(), y=1.2)  # the box is higher than its Axes
                ax.view_init(elev=18, azim=-60)
                ax.set_box_aspect(np.ptp(np.reshape(ax.get_w_lims(), (3, 2)), axis=1), zoom=1.35)
            (place,) = ax.plot(*self._Y[:0].T, color=color, lw=2)
        else:
            t = np.zeros(len(self._Y)) if self._t is None else self._t[:, 0]
            ax.set(xlim=(-1.08, 1.08), ylim=(-1.08, 1.08), xticks=[], yticks=[])
            ax.set(xlabel="$x_1$", ylabel="$x_2$", title=name.capitalize())
            ax.set_aspect("equal", adjustable="box")
            place = ax.scatter(*np.zeros((2, len(t))), c=t, s=14, cmap="viridis", linewidths=0)
        return place

    def move(self, frame, nu, h, l, schedule, seed):
        guidance = _guidance(nu, h, l, schedule)
        runs = self._run(None, seed), self._run(guidance, seed)
        frame = self._values["frame"] = self._compute(runs, frame)
        if runs != self._shown:
            self._shown = runs
            self._show_earlier()
        for run, line, dot in zip(runs, self._lines, self._dots, strict=True):
            x = np.maximum(np.arange(frame + 1), START)
            line.set_data(x, run.errors[: frame + 1])
            dot.set_data(x[-1:], run.errors[frame : frame + 1])
        errors = [run.errors[frame] for run in runs]
        while min(errors) < self._low:
            self._show_errors_from(self._low / 10)
        bend = self._filter(guidance, frame)
        self._show_weights(bend, self.spectrum(h))
        for run, place in zip(runs, self._places, strict=True):
            self._show_place(run.X[frame], place)

        extents = [np.ptp(run.X[frame], axis=0).max() for run in runs]
        name = self._error.translate(str.maketrans("", "", "${}"))
        earlier = len(self._earlier())
        return (
            f"Iteration {frame}, seed {seed}: {name} plain {errors[0]:.4f}, guided "
            f"{errors[1]:.4f}.{self._score(runs, frame)} Their latent points extend over "
            f"{extents[0]:.3g} and {extents[1]:.3g}. {_in_words(nu, l, schedule)}, h = {h:.3g}: "
            f"the next guided move has {bend.directions:.1f} of {len(self._Y)} directions "
            f"effectively free.{f' Runs drawn faintly: {earlier}.' if earlier else ''}"
        )

    def _score(self, runs, frame):
        """A sentence on how well true coordinates are recovered; empty if they are unknown."""
        if self._t is None or self._t.shape[1] != self._q:
            return ""
        name, score = "Order", order_recovered
        if self._q == 2:
            name, score = "Procrustes R²", procrustes_r2
        plain, guided = (score(run.X[frame], self._t) for run in runs)
        return f" {name} recovered: plain {plain:.3f}, guided {guided:.3f}."

    def _earlier(self):
        """The keys of earlier runs that stay visible."""
        return [
            key
            for key, run in self._runs.items()
            if run.kept and run not in self._shown and len(run.X) > 1
        ]

    def _show_earlier(self):
        """Draw the faint lines of earlier runs: one line with gaps for each kind of run."""
        for kind, line in enumerate(self._faint):
            x, y = [np.nan], [np.nan]
            for key in self._earlier():
                if (key[0] is not None) == kind:
                    errors = self._runs[key].errors
                    x += [START, *range(1, len(errors)), np.nan]
                    y += [*errors, np.nan]
            line.set_data(x, y)

    def _show_errors_from(self, low):
        if low != self._low:
            self._low = low
            self._of_errors.set_ylim(bottom=low)
            self.redraw()

    def _show_weights(self, bend, spectrum):
        N, known = len(self._Y), len(bend.weights)
        number = np.arange(1, N + 1)
        weights = np.append(bend.weights, np.full(N - known, bend.of_rest))
        values = np.append(spectrum.values, np.full(N - known, spectrum.rest))
        self._values_line.set_data(number, values)
        outline = np.concatenate([number, number[::-1]]), np.append(weights, np.zeros(N))
        self._shade.set_verts([np.column_stack(outline)])
        self._weights_line.set_data(number, weights)
        self._free.set_data([bend.directions] * 2, [0, 1.06])
        self._words.set_text(f"{bend.directions:.1f} of {N} directions")

    def _show_place(self, X, place):
        if self._q == 2:
            X = X - X.mean(axis=0)
            reach = np.abs(X).max() or 1.0
            place.set_offsets(X / reach)
            return
        grid = np.linspace(X.min(), X.max(), POSITIONS)
        f = predict(np.sort(np.append(grid, X))[:, None], X, self._Y)
        set_data = place.set_data_3d if self._Y.shape[1] == 3 else place.set_data
        set_data(*f.T)


def _guidance(nu, h, l, schedule):
    """These settings as a record; fields that the schedule does not use keep their defaults."""
    settings = {"nu": nu} if schedule in WITH_NU else {}
    if schedule in WITH_L:
        settings["l"] = l
    kind = "constant" if schedule in (CONSTANT_NU, CONSTANT_L) else schedule
    return SpectralGuidance(h=h, schedule=kind, **settings)


def _in_words(nu, l, schedule):
    if schedule in WITH_NU:
        return f"Schedule {schedule} from ν = {nu:.3g}"
    return f"Schedule {schedule} from l = {l}" if schedule in WITH_L else f"Schedule {schedule}"
