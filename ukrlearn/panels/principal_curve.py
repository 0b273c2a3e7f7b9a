"""A principal curve and what it costs, [RPM] (12), after each projection and each adaptation."""

from functools import lru_cache

import numpy as np

from ukrlearn import datasets, figures, metrics
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked
from ukrlearn.blocks.descent import at_most
from ukrlearn.course import notation
from ukrlearn.panels._base import Panel
from ukrlearn.panels._controls import Choice, Slider
from ukrlearn.rpm import adaptation
from ukrlearn.rpm.index_sets import Box, at_border
from ukrlearn.rpm.kernels import Gaussian
from ukrlearn.rpm.maps import Basis
from ukrlearn.rpm.principal_manifold import principal_manifold
from ukrlearn.rpm.quantization import Step

MEAN, SUM = "mean error (33)", "sum of errors (figure 1)"
HALF_STEPS = 30
FLOOR = 1e-6  # the lowest value in the chart

_FIT, _BORDER = figures.COLORS[1], figures.COLORS[0]
_ALONG = np.linspace(-1, 1, 401)[:, None]


class PrincipalCurve(Panel):
    """A curve f through the middle of points, fitted anew for each position of the sliders.

    Left: the points, the clean curve (dashed) if it is known, and f. Triangles mark the points
    whose code is on the border of [-1, 1], that is, at an end of the curve. Right: R_emp, λQ and
    their sum R_reg after the first 30 half steps, which are projections (30) and adaptations (33)
    in turn, from the start (35). The penalty λ multiplies Q either beside the mean error, as (12)
    and (33) have it, or beside the sum of all errors, which makes it N times weaker.

    A large penalty shortens the curve to a point. A small one lets it run after the noise, all the
    more with a small kernel width. From some number of nodes on, more of them change nothing.

    Parameters
    ----------
    Y : array of shape (N, 2)
        Data.
    clean : array of shape (M, 2), optional
        The curve that the data come from, for comparison.
    """

    title = "Principal curve"
    main = ("penalty", "width")

    @checked(Y=arguments.squarable, clean=arguments.array(2, columns=2, finite=False))
    def __init__(self, Y, clean=None):
        self._Y = Y
        if self._Y.ndim != 2 or self._Y.shape[1] != 2:
            raise ValueError(f"Y must have two columns; got shape {self._Y.shape}.")
        self._clean = None if clean is None else clean
        self.steps = lru_cache(32)(self._steps)
        controls = {
            "penalty": Slider(
                notation.label("penalty"), 1e-5, 10.0, 0.5, log=True, steps=60, refits=True
            ),
            "beside": Choice("penalty added to the", (MEAN, SUM), MEAN),
            "width": Slider(
                notation.label("width"), 0.1, 2.0, 1.0, log=True, steps=40, refits=True
            ),
            "nodes": Slider(notation.label("n_basis"), 2, 40, 10, whole=True, refits=True),
        }
        super().__init__(controls, size=(8.44, 4.2))

    @classmethod
    def example(cls):
        """A noisy arc, as in figure 1."""
        Y, _ = datasets.noisy_arc(150, random_state=0)
        return cls(Y, datasets.arc_curve(np.linspace(0, 1, 400)))

    def _steps(self, penalty, beside, width, nodes) -> list[Step]:
        """The half steps from the start on; λ and Q are those of (12)."""
        lattice = Box(1).lattice(nodes)
        if beside == SUM:
            penalty = penalty / len(self._Y)
        fit = adaptation.quadratic(Basis(Gaussian(width), lattice), penalty)
        return list(at_most(principal_manifold(self._Y, Box(1), fit, lattice), HALF_STEPS - 1))

    def draw(self, figure):
        of_data, of_errors = figure.subplots(1, 2)
        figures.data(of_data, self._Y, title="Points and curve")
        if self._clean is not None:
            figures.curve(of_data, self._clean)
        (self._border,) = of_data.plot(
            [], [], "^", ms=4.5, color=_BORDER, label="point at an end of the curve"
        )
        (self._curve,) = of_data.plot([], [], color=_FIT, lw=2.6, label="fitted curve f")
        of_data.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=2, frameon=False)

        names = ("$R_{emp}$, the error", "$λQ$, the penalty", "$R_{reg}$, their sum")
        looks = zip(names, ((0, (5, 1.5)), (0, (1.2, 1.2)), "-"), (0, 2, 1), strict=True)
        self._lines = [
            of_errors.plot([], [], ls=dash, color=figures.COLORS[k], label=name)[0]
            for name, dash, k in looks
        ]
        variance = self._Y.var(axis=0).sum()
        of_errors.set(
            xlim=(1, HALF_STEPS),
            yscale="log",
            ylim=(variance / 2000, variance * 3),
            xlabel="half step (odd: projection, even: adaptation)",
            ylabel="error or penalty",
            title="What the curve costs",
        )
        of_errors.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=3, frameon=False)
        return [self._border, self._curve, *self._lines]

    def move(self, penalty, beside, width, nodes):
        steps = self.steps(penalty, beside, width, nodes)
        end = steps[-1]
        curve = end.f(_ALONG)
        self._curve.set_data(*curve.T)
        outside = at_border(Box(1), end.Z)
        self._border.set_data(*self._Y[outside].T)
        parts = np.array([(step.distortion, step.penalty, step.error) for step in steps])
        for line, part in zip(self._lines, parts.T, strict=True):
            line.set_data(np.arange(1, len(part) + 1), np.maximum(part, FLOOR))
        length = np.linalg.norm(np.diff(curve, axis=0), axis=1).sum()
        rises = int(np.sum(np.diff(parts[:, 2]) > 1e-12 * parts[0, 2]))
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
