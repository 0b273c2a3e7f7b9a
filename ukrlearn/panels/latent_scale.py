"""The scale of latent space as the bandwidth, from memorising the data to their mean."""

import numpy as np

from ukrlearn import datasets, figures
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked, same_length
from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.kernel_regression import predict
from ukrlearn.course import notation
from ukrlearn.panels._base import Panel
from ukrlearn.panels._controls import Slider
from ukrlearn.ukr.reconstruction import squared_residuals

WIDEST = 32.0  # bandwidths range from 1/32 to 32 times the fitted one


class LatentScale(Panel):
    """One latent coordinate, with a slider for the bandwidth h of K(|x - x'|² / h²).

    Left: the data and the curve f(x; X / h). Right: the errors R and R_cv over h, with the position
    of the slider. For small h, each point is its own reconstruction, so R vanishes but R_cv does
    not. For large h, the curve shrinks to the mean of the data.

    Parameters
    ----------
    X : array of shape (N, 1)
        Latent points; h = 1 is the bandwidth with which they were learnt.
    Y : array of shape (N, 2)
        Data.
    """

    title = "Bandwidth"

    @checked(
        same_length("X", "Y"),
        X=arguments.squarable_with(1),
        Y=arguments.squarable_with(2),
        kernel=arguments.record(DensityKernel),
    )
    def __init__(self, X, Y, kernel: DensityKernel = gaussian):
        self._X, self._Y, self._kernel = X, Y, kernel
        self._grid = np.linspace(self._X.min(), self._X.max(), 600)[:, None]
        slider = Slider(notation.label("bandwidth"), 1 / WIDEST, WIDEST, 1.0, log=True, steps=120)
        super().__init__({"bandwidth": slider}, size=(8.44, 3.7))

    @classmethod
    def example(cls):
        """A small example: the noisy spiral at its true coordinates, at its lowest R_cv."""
        Y, t = datasets.noisy_spiral(random_state=0)
        return cls(150 * t[:, None], Y)

    def errors(self, bandwidth):
        """R (8) and R_cv (10) of the latent points at this bandwidth."""
        X = self._X / bandwidth
        return tuple(
            squared_residuals(X, self._Y, self._kernel, leave_one_out).mean()
            for leave_one_out in (False, True)
        )

    def draw(self, figure):
        of_data, of_errors = figure.subplots(1, 2)
        figures.data(of_data, self._Y, title="Data and curve")
        (self._curve,) = of_data.plot([], [], color=figures.COLORS[1], lw=2.2)
        bandwidths = np.geomspace(1 / WIDEST, WIDEST, 61)
        errors = np.array([self.errors(h) for h in bandwidths])
        for k, (name, look) in enumerate((("$R$, no point left out", "--"), ("$R_{cv}$", "-"))):
            of_errors.plot(
                bandwidths, errors[:, k], look, color=figures.COLORS[2 - 2 * k], label=name
            )
        of_errors.set(
            xscale="log",
            yscale="log",
            xlabel=notation.label("bandwidth"),
            ylabel="mean squared error",
            title="Errors",
            ylim=(max(errors[:, 1].min() / 30, 1e-6), errors.max() * 2),
        )
        of_errors.legend(loc="lower right")
        (self._here,) = of_errors.plot([], [], "o-", color="#222222", lw=1, ms=6)
        return [self._curve, self._here]

    def move(self, bandwidth):
        curve = predict(self._grid / bandwidth, self._X / bandwidth, self._Y, self._kernel)
        plain, left_out = self.errors(bandwidth)
        self._curve.set_data(*curve.T)
        self._here.set_data([bandwidth, bandwidth], [max(plain, 1e-12), left_out])
        return (
            f"Bandwidth {bandwidth:.3g}: reconstruction error R = {plain:.5f}, "
            f"leave-one-out error R_cv = {left_out:.5f}."
        )
