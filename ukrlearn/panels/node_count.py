"""The number of basis functions of a principal curve, with two regularisers, [RPM] 6.1."""

from functools import lru_cache

import numpy as np

from ukrlearn import datasets, figures
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked
from ukrlearn.blocks.descent import at_most, last
from ukrlearn.course import notation
from ukrlearn.panels._base import Panel
from ukrlearn.panels._controls import Slider
from ukrlearn.rpm import adaptation
from ukrlearn.rpm.index_sets import Box
from ukrlearn.rpm.kernels import Gaussian
from ukrlearn.rpm.maps import Basis
from ukrlearn.rpm.principal_manifold import principal_manifold

WIDTH = 1.0
HALF_STEPS = 20
NORM, RIDGE = "½ ‖Pf‖²", "½ Σ|α|²"

_FITS = {NORM: adaptation.quadratic, RIDGE: adaptation.ridge}
_ALONG = np.linspace(-1, 1, 401)[:, None]


class NodeCount(Panel):
    """The same points, penalty and number M of basis functions, with two regularisers.

    Left: the roughness of the curve itself is penalised, (13) with (17), which takes into account
    that basis functions overlap. Right: the squares of the coefficients are, as in GTM. From some
    M on the left curve stands still. The right one gets longer with each further basis function,
    since the same curve is cheaper to write with more of them.

    Parameters
    ----------
    Y : array of shape (N, 2)
        Data.
    clean : array of shape (M, 2), optional
        The curve that the data come from, for comparison.
    """

    title = "Number of nodes"

    @checked(Y=arguments.squarable, clean=arguments.array(2, columns=2, finite=False))
    def __init__(self, Y, clean=None):
        self._Y = Y
        if self._Y.ndim != 2 or self._Y.shape[1] != 2:
            raise ValueError(f"Y must have two columns; got shape {self._Y.shape}.")
        self._clean = None if clean is None else clean
        self.curve = lru_cache(64)(self._curve)
        label = notation.label
        controls = {
            "nodes": Slider(label("n_basis"), 5, 80, 10, whole=True, refits=True),
            "penalty": Slider(label("penalty"), 1e-3, 1.0, 0.1, log=True, steps=30, refits=True),
        }
        super().__init__(controls, size=(8.44, 4.2))

    @classmethod
    def example(cls):
        """A noisy arc, as in figure 1."""
        Y, _ = datasets.noisy_arc(100, random_state=0)
        return cls(Y, datasets.arc_curve(np.linspace(0, 1, 400)))

    def _curve(self, regularizer, nodes, penalty):
        """Values of f along [-1, 1]."""
        lattice = Box(1).lattice(nodes)
        fit = _FITS[regularizer](Basis(Gaussian(WIDTH), lattice), penalty)
        return last(at_most(principal_manifold(self._Y, Box(1), fit, lattice), HALF_STEPS)).f(
            _ALONG
        )

    def draw(self, figure):
        self._lines = {}
        words = (
            (NORM, f"Penalty on the curve, {NORM}"),
            (RIDGE, f"Penalty on the coefficients, {RIDGE}"),
        )
        for ax, (regularizer, title) in zip(figure.subplots(1, 2), words, strict=True):
            figures.data(ax, self._Y, title=title)
            if self._clean is not None:
                figures.curve(ax, self._clean)
            (line,) = ax.plot([], [], color=figures.COLORS[1], lw=2.2, label="fitted curve f")
            self._lines[regularizer] = line
            ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=2, frameon=False)
        return list(self._lines.values())

    def move(self, nodes, penalty):
        lengths = []
        for regularizer, line in self._lines.items():
            curve = self.curve(regularizer, nodes, penalty)
            line.set_data(*curve.T)
            lengths.append(np.linalg.norm(np.diff(curve, axis=0), axis=1).sum())
        text = (
            f"With {nodes} basis functions the curve is {lengths[0]:.2f} long with the penalty on "
            f"the curve, {lengths[1]:.2f} with the penalty on the coefficients."
        )
        if self._clean is not None:
            true = np.linalg.norm(np.diff(self._clean, axis=0), axis=1).sum()
            text += f" The clean curve is {true:.2f} long."
        return text
