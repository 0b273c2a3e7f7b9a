"""Points, or lines, in place of data: project and adapt in turn, [RPM] examples 1 to 4."""

from functools import lru_cache

import numpy as np
from matplotlib.collections import LineCollection

from ukrlearn import figures
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked
from ukrlearn.blocks.descent import at_most
from ukrlearn.panels._controls import Choice, Slider
from ukrlearn.panels._explorable import Explorable, demand_different, demand_few
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


class Quantizer(Explorable):
    """Data described by points or lines, half step by half step, while some readings are broken.

    Left: the data. Each point has the colour of its code, and a thin line leads to what the code
    stands for. A projection gives every point its best code, and an adaptation refits the points or
    lines to their data. Rings mark the broken readings, which the slider moves along the horizontal
    axis. Drag a code, or the handle that turns a line, to begin there. Right, in the page: the
    empirical quantization error (3) after each half step, relative to the start; it never rises.

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

    Attributes
    ----------
    placed : dict or None
        The start by hand: `codes`, the number of the `start` that it replaces, and `at`, for each
        code its place x, y and, for lines, a direction dx, dy.
    """

    title = "Quantizer"
    script = "quantizer.js"
    moved = "placed"
    pictures = {
        "data": dict(
            title="Data and their codes", hand="drag a code",
            legend=["code 1", "code 2", "code 3", "broken reading"],
        ),
    }  # fmt: skip
    further = {
        "errors": dict(
            title="Error, half step by half step", xlabel="half step",
            ylabel="cost, relative to the start", legend=["projection", "adaptation"],
        )
    }  # fmt: skip

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
        demand_few("Y", Y)
        demand_different("Y", Y)
        self._Y, self._broken = Y, broken
        self.placed = self._first = None
        self.pictures = {
            **self.pictures,
            "data": {**self.pictures["data"], "xlabel": names[0], "ylabel": names[1]},
        }
        low, high = Y[:, 0].min(), Y[:, 0].max() + 2 * np.ptp(Y[:, 0])
        if reach is not None:
            low, high = reach
        if not low <= reading <= high:
            raise ValueError(
                f"reading must be in the range of the slider, {low:.4g} to {high:.4g}; got "
                f"reading={reading:.4g}. Pass another reach."
            )
        self._runs = lru_cache(32)(self._run)
        controls = {
            "frame": Slider("half step", 0, HALF_STEPS, 0, whole=True),
            "reading": Slider("broken readings at", low, high, reading, steps=50),
            "codes": Choice("codes", tuple(CODES), THREE_POINTS),
            "cost": Choice("cost", tuple(COSTS), "squared"),
            "start": Slider("start", 0, STARTS - 1, 0, whole=True),
        }
        ends = np.array([[*Y.min(axis=0)], [*Y.max(axis=0)]])
        ends[:, 0] = min(low, ends[0, 0]), max(high, ends[1, 0])
        self._edges = (ends + np.outer([-1, 1], np.ptp(ends, axis=0) * [0.05, 0.09])).T
        super().__init__(controls, size=(8.44, 4.4))

    @classmethod
    def example(cls):
        """Pixels of a photograph of a temple; every tenth has a broken blue sensor."""
        from sklearn.datasets import load_sample_image

        pixels = load_sample_image("china.jpg").reshape(-1, 3) / 255
        some = np.random.RandomState(0).permutation(len(pixels))[:200]
        names = "blue reading of a pixel", "red reading"
        return cls(pixels[some][:, [2, 0]], np.arange(20), names, reading=2.0, reach=(0.0, 2.0))

    def data(self):
        drawn = lambda codes: [self._drawn(codes, start) for start in range(STARTS)]
        return {
            "Y": self._Y.tolist(),
            "broken": self._broken.tolist(),
            "starts": {
                codes: [{"rows": n.tolist(), "directions": v.tolist()} for n, v in drawn(codes)]
                for codes in CODES
            },
            "lines": LINES,
            "sigma": SIGMA,
            "x": self._edges[0].tolist(),
            "y": self._edges[1].tolist(),
        }

    def _use(self, placed):
        """Begin at codes that the hand has placed."""
        if placed is not None:
            try:
                codes, start = placed["codes"], placed["start"]
                at = np.array(placed["at"], dtype=float).reshape(CODES[codes], 4)
                if start not in range(STARTS) or not np.isfinite(at).all():
                    raise ValueError
            except (TypeError, KeyError, ValueError):
                raise ValueError(
                    "placed must be None or have `codes`, a `start` of the slider, and `at` with "
                    f"x, y, dx, dy of each code, finite numbers; got {arguments.shown(placed)}."
                ) from None
            placed = {"codes": codes, "start": start, "at": at.tolist()}
        self.placed = placed

    # What is computed

    def readings(self, reading):
        """The data (N, 2) with the broken readings at this value."""
        Y = self._Y.copy()
        Y[self._broken, 0] = reading
        return Y

    def _drawn(self, codes, start):
        """The rows of Y and the directions at which a start begins."""
        random, k = np.random.RandomState(start), CODES[codes]
        rows = random.permutation(len(self._Y))[:k]
        angle = random.uniform(0, np.pi, k)
        return rows, np.column_stack([np.cos(angle), np.sin(angle)])

    def _is_placed(self, codes, start):
        placed = self.placed or {}
        return (codes, start) == (placed.get("codes"), placed.get("start"))

    def steps(self, cost, codes, reading, start):
        """The steps of the library's alternation, a list of `rpm.quantization.Step`."""
        if cost == "L1" and codes in LINES:
            raise ValueError(
                "Lines need a cost of the distance between a point and its place on the line: "
                "choose squared or Huber. The L1 cost is for points."
            )
        at = np.ravel(self.placed["at"]).tolist() if self._is_placed(codes, start) else ()
        return self._runs(cost, codes, reading, start, tuple(at))

    def _run(self, cost, codes, reading, start, at):
        Y = self.readings(reading)
        rows, directions = self._drawn(codes, start)
        some, directions = np.hsplit(np.reshape(at, (-1, 4)), 2) if at else (Y[rows], directions)
        k = CODES[codes]
        index_set, f, fit = Labels(k), Codebook(some), adaptation.fit_constants
        if codes == ONE_LINE:
            index_set, f, fit = Space(1), Affine(some[0], directions), adaptation.fit_affine
        elif codes in LINES:
            f, fit = Planes(some, directions[:, None]), adaptation.fit_planes
        return list(at_most(quantize(Y, f, index_set, fit, COSTS[cost]), HALF_STEPS))

    # The picture

    def draw(self, figure):
        ax = figure.subplots()
        self.write(ax, "data")
        ax.set(xlim=self._edges[0], ylim=self._edges[1], aspect="equal")
        self._residuals = ax.add_collection(LineCollection([], colors=_THIN, lw=0.7, zorder=1))
        self._lines = ax.add_collection(LineCollection([], lw=2.2, zorder=2))
        self._points = [
            ax.plot([], [], marker, ms=4.5, color=color, mew=0)[0] for color, marker in LOOKS
        ]
        (self._rings,) = ax.plot([], [], "o", ms=9, mfc="none", mec=_INK, zorder=4)
        self._centres = ax.scatter([], [], s=170, edgecolors=_INK, zorder=5)
        ax.legend(
            [*self._points, self._rings], self.pictures["data"]["legend"],
            loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=4, frameon=False,
        )  # fmt: skip
        return [self._residuals, self._lines, *self._points, self._rings, self._centres]

    def move(self, frame, reading, codes, cost, start):
        steps = self.steps(cost, codes, reading, start)
        step, Y = steps[frame], self.readings(reading)
        label = step.Z if step.Z.ndim == 1 else np.zeros(len(Y), int)
        feet = Y - step.f.residual(step.Z, Y)
        self._residuals.set_segments(np.stack([Y, feet], axis=1))
        self._rings.set_data(*Y[self._broken].T)
        centres, directions = _places(step.f)
        for k, points in enumerate(self._points):
            points.set_data(*Y[label == k].T)
        colors = [color for color, _ in LOOKS[: len(centres)]]
        self._centres.set(offsets=centres, facecolors=colors)
        far = FAR * directions if directions is not None else np.empty((0, 2))
        ends = centres[: len(far)] - far, centres[: len(far)] + far
        self._lines.set(segments=np.stack(ends, axis=1), colors=colors)
        return self._in_words(steps, frame, label, cost, codes, reading, start)

    def _in_words(self, steps, frame, label, cost, codes, reading, start):
        step = steps[frame]
        centres, directions = _places(step.f)
        share = step.error / steps[0].error if steps[0].error else 1.0
        begun = "by hand" if self._is_placed(codes, start) else start
        words = [
            f"{codes.capitalize()}, cost {cost}, start {begun}, half step {frame} "
            f"({step.half}): the error is {step.error:.4f}, {share:.0%} of the "
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


def _places(f):
    """Points of a map, (k, 2), and unit directions if they are lines, otherwise None."""
    if isinstance(f, Codebook):
        return f.C, None
    if isinstance(f, Affine):
        return f.offset[None], f.B / (np.linalg.norm(f.B) or 1.0)
    return f.centres, f.directions[:, 0]
