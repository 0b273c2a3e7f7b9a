"""A code that is sent through a noisy channel: a smooth curve against space-filling ones."""

from functools import lru_cache

import numpy as np
from matplotlib.collections import LineCollection
from scipy.stats import norm

from ukrlearn import datasets, figures
from ukrlearn.blocks import arguments, descent
from ukrlearn.blocks.arguments import checked
from ukrlearn.course import notation
from ukrlearn.panels._base import Panel
from ukrlearn.panels._controls import Choice, Slider
from ukrlearn.rpm import adaptation, kernels
from ukrlearn.rpm.index_sets import Box
from ukrlearn.rpm.maps import Basis
from ukrlearn.rpm.principal_manifold import principal_manifold
from ukrlearn.rpm.robust_coding import space_filling

SMOOTH = "smooth curve"
ORDERS = {"coarse": 2, "middle": 3, "fine": 4}  # of Hilbert's curve, 4^order corners
QUIET, LOUD = 0.0005, 0.3  # σ
LEVELS = norm.ppf((np.arange(31) + 0.5) / 31)  # stand for the noise, over σ
LEVELS = LEVELS / LEVELS.std()
SIGMAS = np.geomspace(QUIET, LOUD, 31)
SENT = 24  # points whose way through the channel is drawn
FINE = np.linspace(-1, 1, 2001)[:, None]


class NoisyChannel(Panel):
    """Points of the plane, each sent as one number z that arrives as z + ξ, [RPM] (36) to (38).

    Left: the data, the curve of all reconstructions f(z), and some points with a line to what
    arrives in their place. Right: the mean squared error for each curve, up to the noise σ of the
    slider. Without noise the finest of the space-filling curves is the best one. A little noise
    carries a code past many of its turns, to a part of the plane that has nothing to do with the
    point.

    Parameters
    ----------
    Y : array of shape (N, 2)
    f : map
        The smooth curve.
    Z : array of shape (N, 1)
        The codes of Y on it.
    """

    title = "Noisy channel"

    @checked(Y=arguments.squarable, f=arguments.function, Z=arguments.squarable)
    def __init__(self, Y, f, Z):
        self._Y = Y
        if self._Y.ndim != 2 or self._Y.shape[1] != 2 or np.shape(Z) != (len(self._Y), 1):
            raise ValueError(
                "Y must have two columns, and Z one column and as many rows; got shapes "
                f"{self._Y.shape} and {np.shape(Z)}."
            )
        image = f(Z)
        if np.shape(image) != self._Y.shape:
            raise ValueError(
                f"f must map the codes Z to data of shape {self._Y.shape}; got "
                f"{arguments.shown(image)}."
            )
        self._codes = {SMOOTH: (f, Z)}
        for name, order in ORDERS.items():
            filling = space_filling(self._Y, order)
            self._codes[f"{name} space-filling curve"] = filling, filling.nearest(self._Y)
        self._shown = np.linspace(0, len(self._Y) - 1, min(SENT, len(self._Y))).astype(int)
        random = np.random.RandomState(0)
        self._xi = np.clip(random.normal(size=(len(self._shown), 1)), -2, 2)
        self.error = lru_cache(512)(self._error)  # R_noise of a code at this noise, (38)
        self._errors = {
            name: np.array([self.error(name, sigma) for sigma in SIGMAS]) for name in self._codes
        }
        controls = {
            "noise": Slider(notation.label("code_noise"), QUIET, LOUD, QUIET, log=True, steps=120),
            "curve": Choice("code", tuple(self._codes), list(self._codes)[-1]),
        }
        super().__init__(controls, size=(8.44, 4.4))

    @classmethod
    def example(cls):
        """A noisy arc, and a principal curve through it."""
        Y, _ = datasets.noisy_arc(150, random_state=0)
        basis = Basis(kernels.Gaussian(1.0), Box(1).lattice(10))
        fit = adaptation.quadratic(basis, 1e-3)
        end = descent.last(descent.at_most(principal_manifold(Y, Box(1), fit, basis.nodes), 40))
        return cls(Y, end.f, Box(1).project(end.f, Y).Z)

    def _error(self, curve, noise):
        f, Z = self._codes[curve]
        received = (Z[:, None] + noise * LEVELS[:, None]).reshape(-1, 1)
        apart = np.repeat(self._Y, len(LEVELS), axis=0) - f(received)
        return float(np.mean(np.sum(apart**2, axis=1)))

    def draw(self, figure):
        of_data, of_errors = figure.subplots(1, 2)
        figures.data(of_data, self._Y, title="What arrives")
        (self._curve,) = of_data.plot(
            [], [], color=figures.COLORS[0], lw=1.1, alpha=0.7, label="all f(z)"
        )
        self._ways = of_data.add_collection(LineCollection([], colors="#222222", linewidths=0.9))
        look = dict(ls="", ms=6, mec="white")
        (self._sent,) = of_data.plot([], [], marker="o", color="#222222", label="point", **look)
        (self._received,) = of_data.plot(
            [], [], marker="D", color=figures.COLORS[1], label="arrives as", **look
        )
        filling = self._codes[list(self._codes)[-1]][0].vertices
        of_data.update_datalim(filling)
        of_data.margins(0.08)
        of_data.autoscale_view()
        below = dict(loc="upper center", bbox_to_anchor=(0.5, -0.16), frameon=False)
        of_data.legend(ncols=3, columnspacing=1.0, **below)
        self._lines = {}
        looks = zip(figures.COLORS, ("-", "--", "-.", ":"), figures.MARKERS, strict=False)
        for name, (color, dash, marker) in zip(self._codes, looks, strict=False):
            (line,) = of_errors.plot(
                [], [], dash, color=color, marker=marker, ms=5, markevery=3, label=name
            )
            self._lines[name] = line
        every = np.concatenate(list(self._errors.values()))
        of_errors.set(
            xscale="log",
            yscale="log",
            xlim=(QUIET / 1.2, LOUD * 1.2),
            ylim=(every.min() / 1.5, every.max() * 1.5),
            xlabel=notation.label("code_noise"),
            ylabel="mean squared error",
            title="Error, up to the noise that you chose",
        )
        of_errors.grid(True, axis="y")
        of_errors.legend(ncols=2, columnspacing=0.7, handlelength=1.2, handletextpad=0.4, **below)
        (self._here,) = of_errors.plot([], [], "o", ms=11, mfc="none", mec="#222222", mew=1.6)
        figure.draw_without_rendering()  # equal units change the limits, and so the layout
        return [
            self._curve, self._ways, self._sent, self._received, *self._lines.values(), self._here,
        ]  # fmt: skip

    def move(self, noise, curve):
        f, Z = self._codes[curve]
        sent = self._Y[self._shown]
        received = f(Z[self._shown] + noise * self._xi)
        self._curve.set_data(*f(FINE).T)
        self._ways.set_segments(np.stack([sent, received], axis=1))
        self._sent.set_data(*sent.T)
        self._received.set_data(*received.T)
        until = SIGMAS <= noise * (1 + 1e-9)
        for name, line in self._lines.items():
            line.set_data(SIGMAS[until], self._errors[name][until])
        error = self.error(curve, noise)
        self._here.set_data([noise], [error])
        quiet = self.error(curve, 0.0)
        best = min(self._codes, key=lambda name: self.error(name, noise))
        return (
            f"Noise σ = {noise:.3g}. {curve.capitalize()}: mean squared error {error:.2g}, "
            f"{quiet:.2g} without noise. Lowest at this noise: {best}, "
            f"{self.error(best, noise):.2g}."
        )
