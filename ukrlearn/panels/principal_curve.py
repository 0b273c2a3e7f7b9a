"""A principal curve and what it costs, [RPM] (12), after each projection and each adaptation."""

from functools import lru_cache

import numpy as np

from ukrlearn import datasets, figures, metrics
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked
from ukrlearn.blocks.descent import at_most
from ukrlearn.course import notation
from ukrlearn.figures.house import MANIFOLD, POINT
from ukrlearn.panels._controls import Choice, Slider
from ukrlearn.panels._explorable import Explorable, demand_different, demand_few, pairs, rounded
from ukrlearn.rpm import adaptation
from ukrlearn.rpm.index_sets import Box, at_border
from ukrlearn.rpm.kernels import Gaussian
from ukrlearn.rpm.maps import Basis
from ukrlearn.rpm.principal_manifold import principal_manifold
from ukrlearn.rpm.quantization import Step

MEAN, SUM = "mean error (33)", "sum of errors (figure 1)"
HALF_STEPS = 30
_ALONG = np.linspace(-1, 1, 401)[:, None]


class PrincipalCurve(Explorable):
    """A curve f through the middle of points that the hand moves, and its penalty λ.

    Left: the points, the clean curve (dashed) if it is known, and f. Rings mark the points whose
    code is on the border of [-1, 1], that is, at an end of the curve. Right, in the page: R_emp, λQ
    and their sum R_reg after the first 30 half steps, which are projections (30) and adaptations
    (33) in turn, from the start (35). The penalty λ multiplies Q either beside the mean error, as
    (12) and (33) have it, or beside the sum of all errors, which makes it N times weaker.

    A large penalty shortens the curve to a point. A small one lets it run after the noise, all the
    more with a small kernel width. From some number of nodes on, more of them change nothing.

    Parameters
    ----------
    Y : array of shape (N, 2)
        Data.
    clean : array of shape (M, 2), optional
        The curve that the data come from, for comparison.

    Attributes
    ----------
    points : array of shape (N, 2)
        The data as the hand has left them. `panel.put(points=...)` shows others.
    """

    title = "Principal curve"
    script = "principal_curve.js"
    moved = "points"
    pictures = {
        "data": dict(
            title="Points and curve", hand="drag points",
            legend=["fitted curve f", "point at an end of the curve"],
        )
    }  # fmt: skip
    further = {
        "errors": dict(
            title="What the curve costs", xlabel="half step (odd: projection, even: adaptation)",
            ylabel="error or penalty", legend=["error R_emp", "penalty λQ", "sum R_reg"],
        )
    }  # fmt: skip

    @checked(Y=arguments.squarable, clean=arguments.array(2, columns=2))
    def __init__(self, Y, clean=None):
        if Y.ndim != 2 or Y.shape[1] != 2:
            raise ValueError(f"Y must have two columns; got shape {Y.shape}.")
        demand_few("Y", Y, least=2)
        demand_different("Y", Y)
        self.points = self._first = Y
        self._clean = clean
        self._runs = lru_cache(32)(self._run)
        controls = {
            "penalty": Slider(notation.label("penalty"), 1e-5, 10.0, 0.5, log=True, steps=60),
            "width": Slider(notation.label("width"), 0.1, 2.0, 1.0, log=True, steps=40),
            "nodes": Slider(notation.label("n_basis"), 2, 40, 10, whole=True),
            "beside": Choice("penalty added to the", (MEAN, SUM), MEAN),
        }
        super().__init__(controls, size=(8.44, 4.2))

    @classmethod
    def example(cls):
        """A noisy arc, as in figure 1."""
        Y, _ = datasets.noisy_arc(150, random_state=0)
        return cls(Y, datasets.arc_curve(np.linspace(0, 1, 400)))

    def data(self):
        return {
            "points": self.points.tolist(),
            "clean": None if self._clean is None else rounded(self._clean),
            "mean": MEAN,
            "half_steps": HALF_STEPS,
        }

    def _use(self, points):
        points = pairs(points)
        if len(points) != len(self._first):
            raise ValueError(f"points must have {len(self._first)} rows; got {len(points)}.")
        self.points = points

    def steps(self, penalty, beside, width, nodes) -> list[Step]:
        """The half steps from the start on; λ and Q are those of (12)."""
        return self._runs(penalty, beside, width, nodes, self.points.tobytes())

    def _run(self, penalty, beside, width, nodes, points):
        Y = np.frombuffer(points).reshape(-1, 2)
        lattice = Box(1).lattice(nodes)
        if beside == SUM:
            penalty = penalty / len(Y)
        fit = adaptation.quadratic(Basis(Gaussian(width), lattice), penalty)
        return list(at_most(principal_manifold(Y, Box(1), fit, lattice), HALF_STEPS - 1))

    def draw(self, figure):
        ax, names = figure.subplots(), self.pictures["data"]["legend"]
        self.write(ax, "data")
        if self._clean is not None:
            figures.curve(ax, self._clean)
        look = dict(mfc="none", mec=figures.COLORS[0], ms=8)
        (self._points,) = ax.plot(*self._first.T, "o", color=POINT, ms=4)
        (self._curve,) = ax.plot([], [], color=MANIFOLD, lw=2.6, label=names[0])
        (self._border,) = ax.plot([], [], "o", label=names[1], **look)
        ax.set_aspect("equal")
        ax.set_autoscale_on(False)
        ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
        return [self._points, self._border, self._curve]

    def move(self, penalty, width, nodes, beside):
        steps = self.steps(penalty, beside, width, nodes)
        end = steps[-1]
        curve = end.f(_ALONG)
        outside = at_border(Box(1), end.Z)
        self._points.set_data(*self.points.T)
        self._curve.set_data(*curve.T)
        self._border.set_data(*self.points[outside].T)
        errors = np.array([step.error for step in steps])
        length = np.linalg.norm(np.diff(curve, axis=0), axis=1).sum()
        rises = int(np.sum(np.diff(errors) > 1e-12 * errors[0]))
        text = (
            f"After {len(steps)} half steps R_emp = {end.distortion:.4f}, λQ = {end.penalty:.4f}, "
            f"R_reg = {end.error:.4f}; R_reg has risen {rises} times. The curve is {length:.2f} "
            f"long, and {outside.mean():.0%} of the points are at its ends."
        )
        if self._clean is not None:
            apart = (
                metrics.distance_to_curve(self._clean, curve)
                + metrics.distance_to_curve(curve, self._clean)
            ) / 2
            text += f" On average it is {apart:.3f} away from the clean curve."
        return text
