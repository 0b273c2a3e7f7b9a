"""The gradient of the reconstruction error, [UKR] (32), split into its terms."""

import numpy as np
from matplotlib.collections import LineCollection

from ukrlearn import figures
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked
from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.panels._controls import Choice, Slider, Switch
from ukrlearn.panels._explorable import Explorable, demand_few, in_the_page, pairs
from ukrlearn.ukr.reconstruction import pair_forces, reconstruction_error, squared_residuals

BOTH, REBUILT, HELPER = "all", "its own reconstruction, Q", "helping the others, transposed Q"
LONGEST = 0.16  # the longest arrow, as a share of latent space
SHOWN = 50  # the number of strongest addends; one more link in the chain stands for all others
THICKEST = 4.5  # the thickest line of an addend, in points
FRAME = 1.15  # half the width of the frame, relative to the extent of the chain
TOWARDS, AWAY = figures.COLORS[0], figures.COLORS[1]


class Gradient(Explorable):
    """Latent points to be moved by hand, where (32) would move them, and the terms of one of them.

    Left: the latent points, each with an arrow along minus its gradient, which points downhill. For
    the chosen point, there is one line for each addend of (32). It leads to a point that pulls the
    chosen point closer (solid blue) or pushes it away (dashed orange); thicker lines mean stronger
    forces. Right: the same addends head to tail, the largest first, and those beyond the fiftieth
    as one grey link. The whole chain ends at the end of the black line, at minus the gradient. The
    cross shows finite differences. It lies there too, unless their step is so large that the error
    is not linear over it, or so small that rounding dominates.

    In the page, the points can be dragged to lower the error by hand, and a button lets RPROP go on
    from there. A third picture shows the error after each move of both.

    Parameters
    ----------
    X : array of shape (N, 2)
        Latent points.
    Y : array of shape (N, d)
        Data.
    kernel : DensityKernel, default=gaussian
        One of those that the page can compute: gaussian, quartic or student.

    Attributes
    ----------
    X : array of shape (N, 2)
        The latent points as the hand or RPROP has left them. `panel.put(X=...)` shows others.
    """

    title = "Be the gradient"
    script = "gradient.js"
    moved = "X"
    pictures = {
        "points": dict(
            title="Downhill for each latent point",
            hand="drag it there",
            legend=["pulls it closer", "pushes it away"],
        ),
        "chain": dict(title="Forces on the chosen point, head to tail", xlabel="x₁", ylabel="x₂"),
    }
    further = {
        "history": dict(
            title="Error after each move",
            xlabel="moves",
            ylabel="error",
            legend=["by hand", "by RPROP"],
        )
    }

    @checked(X=arguments.squarable, Y=arguments.squarable, kernel=arguments.record(DensityKernel))
    def __init__(self, X, Y, kernel: DensityKernel = gaussian):
        if X.ndim != 2 or X.shape[1] != 2 or len(X) != len(Y):
            raise ValueError(
                "X must have two columns, and as many rows as Y; got shapes "
                f"{X.shape} and {Y.shape}. Choose columns, as in X[:, :2]."
            )
        demand_few("X", X, least=2)
        self._Y, self._kernel = Y, in_the_page(kernel)
        self._use(X)
        self._first = self.X
        start = int(np.argmax(np.linalg.norm(self._gradients[True], axis=1)))
        controls = {
            "point": Slider("chosen point", 0, len(X) - 1, start, whole=True),
            "addends": Choice("forces", (BOTH, REBUILT, HELPER), BOTH),
            "step": Slider("step of the finite differences", 1e-10, 1.0, 1e-5, log=True),
            "leave_one_out": Switch("leave each point out of its own reconstruction", True),
        }
        super().__init__(controls, size=(8.44, 4.5))

    @classmethod
    def example(cls):
        from ukrlearn import datasets

        Y, t = datasets.s_curve(70, height=6, random_state=0)
        random = np.random.RandomState(0)
        return cls(0.8 * t + 0.2 * random.normal(size=t.shape), Y)

    def _use(self, X):
        """Make these the latent points."""
        X = pairs(X, "X")
        if len(X) != len(self._Y):
            raise ValueError(f"X must have a row for each of {len(self._Y)} points; got {len(X)}.")
        self.X = X
        self._apart = X[None] - X[:, None]  # x_m - x_n
        self._errors, self._gradients, self._forces = {}, {}, {}
        for out in (True, False):
            self._errors[out], self._gradients[out] = reconstruction_error(
                X, self._Y, self._kernel, out
            )
            self._forces[out] = pair_forces(X, self._Y, self._kernel, out)  # (31)

    def data(self):
        return {
            "X": self.X.tolist(),
            "Y": self._Y.tolist(),
            "kernel": self._kernel.name,
        }

    def addends(self, point, part=BOTH, leave_one_out=True):
        """2/N (q_nm + q_mn) (x_m - x_n) for all m, or one of the two halves: (29), (32)."""
        Q = self._forces[leave_one_out]
        force = {
            BOTH: lambda: Q[point] + Q[:, point],
            REBUILT: lambda: Q[point],
            HELPER: lambda: Q[:, point],
        }[part]()
        return 2 / len(Q) * force[:, None] * self._apart[point]

    def difference(self, point, step, leave_one_out=True):
        """Central differences of the error with respect to the two coordinates of a point."""
        quotient = np.empty(2)
        for axis in range(2):
            ends = []
            for sign in (1, -1):
                X = self.X.copy()
                X[point, axis] += sign * step
                ends.append(squared_residuals(X, self._Y, self._kernel, leave_one_out).mean())
            quotient[axis] = (ends[0] - ends[1]) / (2 * step)
        return quotient

    def draw(self, figure):
        grid = figure.add_gridspec(2, 2, width_ratios=(1.35, 1), height_ratios=(3.4, 1))
        of_points = figure.add_subplot(grid[:, 0])
        of_chain = figure.add_subplot(grid[0, 1])
        of_numbers = figure.add_subplot(grid[1, 1])

        self._dots = figures.latent(of_points, self.X)
        self.write(of_points, "points")
        pull, push = self.pictures["points"]["legend"]
        self._shown = None  # the points that the axes are made for
        of_points.set_aspect("equal", adjustable="box")
        of_points.plot([], [], color=TOWARDS, lw=3, label=pull)
        of_points.plot([], [], color=AWAY, lw=3, ls=(0, (2, 1.2)), label=push)
        of_points.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=2, frameon=False)
        self._lines = of_points.add_collection(LineCollection([], zorder=1, capstyle="round"))
        self._arrows = of_points.quiver(
            *self.X.T,
            *self.X.T,
            angles="xy",
            scale_units="xy",
            scale=1,
            width=0.0045,
            color="#222222",
            zorder=3,
        )
        look = {"ms": 11, "mfc": "none", "mec": "#222222", "mew": 1.6}
        (self._ring,) = of_points.plot([], [], "o", **look)

        of_chain.set(xlim=(-FRAME, FRAME), ylim=(-FRAME, FRAME), xticks=[0], yticks=[0])
        self.write(of_chain, "chain")
        of_chain.set_aspect("equal", adjustable="box")
        of_chain.grid(True)
        self._chain = of_chain.add_collection(LineCollection([], lw=1.8, capstyle="round"))
        (self._whole,) = of_chain.plot([], [], color="#222222", lw=1)
        (self._tip,) = of_chain.plot([], [], "o", ms=7, color="#222222")
        look = {"ms": 11, "mew": 2, "color": figures.COLORS[2], "clip_on": False}
        (self._cross,) = of_chain.plot([], [], "x", **look)
        of_numbers.axis("off")
        self._numbers = of_numbers.text(
            0.5,
            1.0,
            "",
            transform=of_numbers.transAxes,
            family="monospace",
            fontsize=9,
            ha="center",
            va="top",
        )
        return [
            self._lines, self._dots, self._arrows, self._ring, self._chain, self._whole, self._tip,
            self._cross, self._numbers,
        ]  # fmt: skip

    def _fit_axes(self):
        """Make the axes for the points as they are now."""
        low, high = self.X.min(axis=0), self.X.max(axis=0)
        self._extent = (high - low).max() or 1.0
        middle, half = (low + high) / 2, 0.58 * np.maximum(high - low, 0.7 * self._extent)
        self._dots.set_offsets(self.X)
        self._arrows.set_offsets(self.X)
        ax = self._dots.axes
        ax.set(xlim=middle[0] + half[0] * np.array([-1, 1]))
        ax.set(ylim=middle[1] + half[1] * np.array([-1, 1]))
        self._shown = self.X
        self.redraw()

    def move(self, point, addends, step, leave_one_out):
        if self._shown is not self.X:
            self._fit_axes()
        gradient = self._gradients[leave_one_out]
        addend = self.addends(point, addends, leave_one_out)
        quotient = self.difference(point, step, leave_one_out)
        size = np.linalg.norm(addend, axis=1)
        towards = np.sum(addend * self._apart[point], axis=1) < 0  # minus the gradient moves it
        order = np.argsort(-size, kind="stable")
        order = order[size[order] > 1e-3 * size.max()][:SHOWN]
        self._show_points(point, gradient, size, towards, order)
        reach = self._show_chain(addend, gradient[point], quotient, towards, order)

        total = addend.sum(axis=0)
        deviation = np.linalg.norm(quotient - gradient[point])
        deviation /= np.linalg.norm(gradient[point]) or 1.0
        number = lambda vector: "  ".join(f"{value: .8f}" for value in vector)
        self._numbers.set_text(
            f"sum of addends {number(total)}\n"
            f"gradient (32)  {number(gradient[point])}\n"
            f"differences    {number(quotient)}\n"
            f"the axes end at {FRAME * reach:.2g}"
        )
        strongest = order[0] if len(order) else point
        name = "R_cv" if leave_one_out else "R"
        return (
            f"Error {name} = {self._errors[leave_one_out]:.4g}. Point {point}: gradient "
            f"({_sentence(gradient[point])}), sum of the addends shown ({_sentence(total)}), of "
            f"which {np.sum(towards & (size > 0))} pull it towards another point; the strongest "
            f"{'pulls it towards' if towards[strongest] else 'pushes it away from'} point "
            f"{strongest}. Differences with step {step:.1e} deviate by {deviation:.0e} of the "
            f"gradient's length."
        )

    def _show_points(self, point, gradient, size, towards, order):
        longest = np.linalg.norm(gradient, axis=1).max() or 1.0
        self._arrows.set_UVC(*(-gradient.T * LONGEST * self._extent / longest))
        self._ring.set_data(*self.X[[point]].T)
        here = np.broadcast_to(self.X[point], (len(order), 2))
        self._lines.set_segments(np.stack([here, self.X[order]], axis=1))
        self._lines.set_linewidths(THICKEST * size[order] / (size.max() or 1.0))
        _set_kinds(self._lines, towards[order])

    def _show_chain(self, addend, gradient, quotient, towards, order):
        places = np.vstack([np.zeros(2), -np.cumsum(addend[order], axis=0), -addend.sum(axis=0)])
        unit = max(np.abs(places).max(), np.abs(gradient).max()) or 1.0
        self._chain.set_segments(np.stack([places[:-1], places[1:]], axis=1) / unit)
        _set_kinds(self._chain, [*towards[order], None])
        self._whole.set_data(*np.stack([np.zeros(2), -gradient / unit]).T)
        self._tip.set_data(*(-gradient[:, None] / unit))
        self._cross.set_data(*np.clip(-quotient[:, None] / unit, -FRAME, FRAME))
        return unit


def _set_kinds(lines, towards):
    """Lines that pull become solid blue, lines that push dashed orange, and sums of both grey."""
    looks = {True: (TOWARDS, "-"), False: (AWAY, (0, (2, 1.2))), None: ("#8c9aa8", "-")}
    kinds = [looks[None if pulls is None else bool(pulls)] for pulls in towards]
    lines.set_color([color for color, _ in kinds])
    lines.set_linestyle([dash for _, dash in kinds])


def _sentence(vector):
    return ", ".join(f"{value:.6f}" for value in vector)
