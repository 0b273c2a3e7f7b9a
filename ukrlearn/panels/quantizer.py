"""Points, or lines, in place of data: project and adapt in turn, [RPM] examples 1 to 4."""

from functools import lru_cache

import numpy as np
from matplotlib.collections import LineCollection

from ukrlearn import figures
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked
from ukrlearn.blocks.descent import at_most
from ukrlearn.panels._base import Replay
from ukrlearn.panels._controls import Choice, Slider
from ukrlearn.rpm import adaptation, costs
from ukrlearn.rpm.index_sets import Labels, Space
from ukrlearn.rpm.maps import Affine, Codebook, Planes
from ukrlearn.rpm.quantization import quantize

HALF_STEPS = 24
STARTS = 10
SIGMA = 0.1  # where Huber's cost turns from a square to a straight line
COSTS = {"squared": costs.squared, "L1": costs.l1, "Huber": costs.huber(SIGMA)}
ONE_POINT, THREE_POINTS = "one point", "three points"
ONE_LINE, TWO_LINES = "one line", "two lines"
CODES = {ONE_POINT: 1, THREE_POINTS: 3, ONE_LINE: 1, TWO_LINES: 2}
LINES = (ONE_LINE, TWO_LINES)
FAR = 10.0  # lines are drawn this far to both sides, beyond the picture's edges
LOOKS = tuple(zip(figures.COLORS[:3], ("o", "^", "s"), strict=True))

_INK, _THIN = "#222222", "#b9c2cb"


def _rows(name, value):
    """Numbers of rows."""
    rows = np.asarray(value) if np.size(value) else np.empty(0, dtype=int)
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or (rows < 0).any():
        raise TypeError(f"{name} must hold numbers of rows; got {arguments.shown(value)}.")
    return rows


def _rows_of_Y(given):
    if len(given["broken"]) and given["broken"].max() >= len(given["Y"]):
        raise ValueError(
            f"broken must hold rows of Y, less than {len(given['Y'])}; got {given['broken'].max()}."
        )
    if len(given.get("names", "xy")) != 2:
        raise ValueError(f"names must hold two names; got {len(given['names'])}.")


class Quantizer(Replay):
    """Data described by points or lines, half step by half step, while some readings are broken.

    Left: the data. Each point has the colour and marker of its code, and a thin line leads to what
    the code stands for. A projection gives every point its best code, and an adaptation refits
    the points or lines to their data. Rings mark the broken readings, which the slider moves
    along the horizontal axis. Right: the empirical quantization error (3) after each half step,
    relative to the start; it never rises.

    One point and three points are the mean and k-means (or their robust versions), one line is PCA,
    and two lines are k-planes. Lines need a cost of the distance, so they have no L1 version.

    Parameters
    ----------
    Y : array of shape (N, 2)
        Data.
    broken : array of int
        The rows whose first column the slider sets.
    names : (str, str)
        What the columns are.
    reading : float
        The initial value of the broken readings.
    reach : (float, float)
        The range of the slider.
    """

    title = "Quantizer"
    rate = 3

    @checked(
        _rows_of_Y,
        Y=arguments.squarable,
        broken=_rows,
        names=arguments.names,
        reading=arguments.number,
        reach=arguments.place,
    )
    def __init__(self, Y, broken, names=("first reading", "second reading"), reading=1, reach=None):
        if Y.ndim != 2 or Y.shape[1] != 2 or len(Y) <= max(CODES.values()):
            raise ValueError(
                f"Y must have two columns and more than {max(CODES.values())} rows; got shape "
                f"{Y.shape}."
            )
        self._Y, self._broken, self._names = Y, broken, names
        low, high = Y[:, 0].min(), Y[:, 0].max() + 2 * np.ptp(Y[:, 0])
        if reach is not None:
            low, high = reach
        if not low <= reading <= high:
            raise ValueError(
                f"reading must be in the range of the slider, {low:.4g} to {high:.4g}; got "
                f"reading={reading:.4g}. Pass another reach."
            )
        self.steps = lru_cache(32)(self._steps)
        controls = {
            "frame": Slider("half step", 0, HALF_STEPS, 0, whole=True),
            "cost": Choice("cost", tuple(COSTS), "squared"),
            "codes": Choice("codes", tuple(CODES), THREE_POINTS),
            "reading": Slider("broken readings at", low, high, reading, steps=50, refits=True),
            "start": Slider("start", 0, STARTS - 1, 0, whole=True, refits=True),
        }
        self._edges = [
            (min(low, Y[:, 0].min()), max(high, Y[:, 0].max())),
            (Y[:, 1].min(), Y[:, 1].max()),
        ]
        super().__init__(controls, size=(8.44, 4.4))

    @classmethod
    def example(cls):
        """Pixels of a photograph of a temple; every tenth has a broken blue sensor."""
        from sklearn.datasets import load_sample_image

        pixels = load_sample_image("china.jpg").reshape(-1, 3) / 255
        some = np.random.RandomState(0).permutation(len(pixels))[:200]
        names = "blue reading of a pixel", "red reading"
        return cls(pixels[some][:, [2, 0]], np.arange(20), names, reading=2.0, reach=(0.0, 2.0))

    # What is computed

    def data(self, reading):
        """The data (N, 2) with the broken readings at this value."""
        Y = self._Y.copy()
        Y[self._broken, 0] = reading
        return Y

    def begun(self, codes, Y, start):
        """Index set, map and fit of these codes; the map at this start."""
        random, k = np.random.RandomState(start), CODES[codes]
        some = Y[random.permutation(len(Y))[:k]]
        angle = random.uniform(0, np.pi, k)
        directions = np.column_stack([np.cos(angle), np.sin(angle)])
        if codes == ONE_LINE:
            return Space(1), Affine(some[0], directions), adaptation.fit_affine
        if codes in LINES:
            return Labels(k), Planes(some, directions[:, None]), adaptation.fit_planes
        return Labels(k), Codebook(some), adaptation.fit_constants

    def _steps(self, cost, codes, reading, start):
        """The steps of the library's alternation, a list of `rpm.quantization.Step`."""
        if cost == "L1" and codes in LINES:
            raise ValueError(
                "Lines need a cost of the distance between a point and its place on the line: "
                "choose squared or Huber. The L1 cost is for points."
            )
        Y = self.data(reading)
        index_set, f, fit = self.begun(codes, Y, start)
        return list(at_most(quantize(Y, f, index_set, fit, COSTS[cost]), HALF_STEPS))

    # The picture

    def draw(self, figure):
        left, right = figure.subplots(1, 2, width_ratios=(1.75, 1))
        moving = [*self._draw_data(left), *self._draw_errors(right)]
        figure.draw_without_rendering()  # layout computed once, so that Axes do not shift
        figure.set_layout_engine("none")
        return moving

    def _draw_data(self, ax):
        (left, right), (low, high) = self._edges
        across, up = 0.05 * (right - left), 0.09 * (high - low)
        ax.set(xlim=(left - across, right + across), ylim=(low - up, high + up))
        ax.set_aspect("equal", adjustable="box")
        ax.set(xlabel=self._names[0], ylabel=self._names[1], title="Data and their codes")
        self._residuals = LineCollection([], colors=_THIN, lw=0.7, zorder=1)
        ax.add_collection(self._residuals)
        self._lines = [ax.plot([], [], color=color, lw=2.2, zorder=2)[0] for color, _ in LOOKS]
        self._points = [
            ax.plot([], [], ls="", marker=marker, ms=4.5, color=color, mew=0, zorder=3)[0]
            for color, marker in LOOKS
        ]
        (self._rings,) = ax.plot([], [], ls="", marker="o", ms=9, mfc="none", mec=_INK, zorder=4)
        self._centres = [
            ax.plot([], [], marker=marker, ms=13, color=color, mec=_INK, mew=1.8, zorder=5)[0]
            for color, marker in LOOKS
        ]
        ax.legend(
            [*self._points, self._rings], ["code 1", "code 2", "code 3", "broken reading"],
            loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=4, frameon=False,
        )  # fmt: skip
        return [self._residuals, *self._lines, *self._points, self._rings, *self._centres]

    def _draw_errors(self, ax):
        ax.set(xlim=(-0.8, HALF_STEPS + 0.8), ylim=(0, 1.06), xlabel="half step")
        ax.set(ylabel="cost, relative to the start", title="Error, half step by half step")
        ax.grid(True, axis="y")
        (self._fall,) = ax.plot([], [], color="#777777", lw=1.2)
        look = dict(ls="", ms=5.5, mew=0)
        (self._projected,) = ax.plot([], [], marker="v", color=figures.COLORS[3], **look)
        (self._adapted,) = ax.plot([], [], marker="D", color=figures.COLORS[4], **look)
        (self._now,) = ax.plot([], [], "o", ms=12, mfc="none", mec=_INK, mew=1.6)
        ax.legend(
            [self._projected, self._adapted], ["projection", "adaptation"],
            loc="upper right", frameon=True, framealpha=0.9, edgecolor="none",
        )  # fmt: skip
        return [self._fall, self._projected, self._adapted, self._now]

    def move(self, frame, cost, codes, reading, start):
        steps = self.steps(cost, codes, reading, start)
        step, Y = steps[frame], self.data(reading)
        label = step.Z if step.Z.ndim == 1 else np.zeros(len(Y), int)
        self._show_data(Y, label, step)
        self._show_errors(steps, frame)
        return self._in_words(steps, frame, label, cost, codes, reading, start)

    def _show_data(self, Y, label, step):
        feet = Y - step.f.residual(step.Z, Y)
        self._residuals.set_segments(np.stack([Y, feet], axis=1))
        self._rings.set_data(*Y[self._broken].T)
        centres, directions = _places(step.f)
        for k in range(len(LOOKS)):
            self._points[k].set_data(*Y[label == k].T)
            shown = k < len(centres)
            is_line = shown and directions is not None
            ends = [centres[k] + s * directions[k] for s in (-FAR, FAR)] if is_line else []
            self._lines[k].set_data(*np.reshape(ends, (-1, 2)).T)
            at = [] if is_line or not shown else [centres[k]]
            self._centres[k].set_data(*np.reshape(at, (-1, 2)).T)

    def _show_errors(self, steps, frame):
        share = relative(steps)
        self._fall.set_data(range(frame + 1), share[: frame + 1])
        self._projected.set_data(range(0, frame + 1, 2), share[: frame + 1 : 2])
        self._adapted.set_data(range(1, frame + 1, 2), share[1 : frame + 1 : 2])
        self._now.set_data([frame], [share[frame]])

    def _in_words(self, steps, frame, label, cost, codes, reading, start):
        step = steps[frame]
        centres, directions = _places(step.f)
        words = [
            f"{codes.capitalize()}, cost {cost}, start {start}, half step {frame} "
            f"({step.half}): the error is {step.error:.4f}, {relative(steps)[frame]:.0%} of the "
            f"start. {len(self._broken)} of {len(label)} readings are broken, at {reading:.3g}."
        ]
        for k, centre in enumerate(centres):
            own = label == k
            broken = int(own[self._broken].sum())
            place = f"at ({centre[0]:.2f}, {centre[1]:.2f})"
            if directions is not None:
                tilt = np.degrees(np.arctan2(*directions[k][::-1])) % 180
                place = f"through ({centre[0]:.2f}, {centre[1]:.2f}), tilted by {tilt:.0f}°"
            words.append(f"Code {k + 1} {place}: {own.sum()} points, {broken} of them broken.")
        return " ".join(words)


def relative(steps):
    """The error of every step over that of the first."""
    errors = np.array([step.error for step in steps])
    return errors / errors[0] if errors[0] else np.ones(len(errors))


def _places(f):
    """Points of a map, (k, 2), and unit directions if they are lines, otherwise None."""
    if isinstance(f, Codebook):
        return f.C, None
    if isinstance(f, Affine):
        return f.offset[None], f.B / (np.linalg.norm(f.B) or 1.0)
    return f.centres, f.directions[:, 0]
