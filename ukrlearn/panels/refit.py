"""A slider that refits: the start of a descent decides where it ends."""

from functools import partial

import numpy as np

from ukrlearn import datasets, figures
from ukrlearn.blocks import arguments, descent
from ukrlearn.blocks.arguments import checked, same_length
from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.kernel_regression import predict
from ukrlearn.course import notation
from ukrlearn.panels._base import Panel
from ukrlearn.panels._controls import Slider
from ukrlearn.ukr.reconstruction import reconstruction_error

MOST_MOVES = 100_000


class Refit(Panel):
    """One start with a slider for its bandwidth h, and 100 RPROP steps from there.

    Left: the curve of the start X / h, and the curve after the steps. Right: R_cv along the steps.
    From a small bandwidth, the curve stays wiggly; from a large bandwidth, it unfolds from the
    mean. The descent moves the points, but changes their overall scale only slowly.

    Parameters
    ----------
    X : array of shape (N, 1)
        Initial latent points; h = 1 leaves them unchanged.
    Y : array of shape (N, 2)
        Data.
    moves : int
        RPROP steps for each position of the slider.
    """

    title = "Start and refit"

    @checked(
        same_length("X", "Y"),
        X=arguments.squarable_with(1),
        Y=arguments.squarable_with(2),
        kernel=arguments.record(DensityKernel),
        moves=partial(arguments.whole_number, least=1, most=MOST_MOVES),
    )
    def __init__(self, X, Y, kernel: DensityKernel = gaussian, moves=100):
        self._X, self._Y, self._kernel = X, Y, kernel
        self._moves = moves
        slider = Slider(
            notation.label("bandwidth", of="the start"), 1 / 16, 16.0, 1.0, log=True, steps=80
        )
        super().__init__({"bandwidth": slider}, size=(8.44, 3.7))

    @classmethod
    def example(cls):
        """The noisy spiral from its true coordinates, near their best scale."""
        Y, t = datasets.noisy_spiral(random_state=0)
        return cls(60 * t[:, None], Y)

    def steps(self, bandwidth):
        """The start at this bandwidth, followed by the best step so far after each step."""
        objective = partial(reconstruction_error, Y=self._Y, kernel=self._kernel)
        steps = descent.at_most(descent.rprop(objective, self._X / bandwidth), self._moves)
        return list(descent.best_so_far(steps))

    def draw(self, figure):
        of_data, of_errors = figure.subplots(1, 2)
        figures.data(of_data, self._Y, title="Data and curves")
        curves = [
            of_data.plot([], [], look, color=figures.COLORS[k], lw=width, label=name)[0]
            for k, look, width, name in ((0, "--", 1.5, "start"), (1, "-", 2.2, "after the steps"))
        ]
        of_data.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2, frameon=False)
        (self._errors,) = of_errors.plot([], [], "-", color=figures.COLORS[1])
        variance = self._Y.var(axis=0).sum()
        of_errors.set(
            xlim=(0, self._moves),
            yscale="log",
            ylim=(variance / 2000, variance * 2),
            xlabel="RPROP step",
            ylabel="$R_{cv}$",
            title="Leave-one-out error",
        )
        self._curves = curves
        return [*curves, self._errors]

    def move(self, bandwidth):
        steps = self.steps(bandwidth)
        first, last = steps[0], steps[-1]
        for line, step in zip(self._curves, (first, last), strict=True):
            grid = np.linspace(step.X.min(), step.X.max(), 600)[:, None]
            line.set_data(*predict(grid, step.X, self._Y, self._kernel).T)
        errors = [step.error for step in steps]
        self._errors.set_data(range(len(errors)), errors)
        return (
            f"Start with bandwidth {bandwidth:.3g}: R_cv = {first.error:.5f}; after "
            f"{len(steps) - 1} RPROP steps {last.error:.5f}, and the latent points span "
            f"{np.ptp(last.X):.0f} kernel widths."
        )
