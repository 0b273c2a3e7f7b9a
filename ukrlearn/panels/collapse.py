"""The penalty, and an objective without a minimum: latent points shrink, flatten and collapse."""

import numpy as np

from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked, same_length
from ukrlearn.course import notation
from ukrlearn.panels._controls import Slider
from ukrlearn.panels._rounds import Rounds, Run

MARGIN = 0.06


class Collapse(Rounds):
    """DRUR's result for a penalty λ and a number of rounds, always from the same start.

    Left: the latent points, with fixed limits, and the outline of the true sheet. Middle: the net
    of f. Right, over the rounds: the objective (1) and the spread of X, both relative to the start,
    and 1 - R². The first two curves fall as long as rounds go on; the third does not.

    Parameters
    ----------
    Y : array of shape (N, 3)
        Data.
    t : array of shape (N, 2)
        True coordinates: lengths along the sheet, starting at 0.
    X : array of shape (N, 2)
        The start.
    n_basis : int
        Number of basis functions of f and of F.
    rounds : int
    """

    title = "Collapse"
    swept = ("penalty", "frame")
    names = ("objective", "spread of X", "1 - R²")

    @checked(
        same_length("Y", "t", "X"),
        Y=arguments.squarable,
        t=arguments.squarable,
        X=arguments.squarable,
        n_basis=arguments.count,
        rounds=arguments.count,
    )
    def __init__(self, Y, t, X, n_basis=30, rounds=50):
        self._start, self._n_basis = X, n_basis
        controls = {
            "penalty": Slider(
                notation.label("penalty"), 1e-7, 1e2, 1e-5, log=True, steps=27, refits=True
            ),
            "frame": Slider("round", 0, rounds, 0, whole=True),
        }
        super().__init__(Y, t, controls)

    @classmethod
    def example(cls):
        from ukrlearn import datasets

        Y, t = datasets.swiss_roll(250, length=90.0, height=50.0, random_state=0)
        X = t + 10 * np.random.RandomState(1).normal(size=t.shape)
        return cls(Y, t, X, rounds=6)

    def _new_run(self, penalty):
        return Run(self._Y, self._start, self._n_basis, penalty)

    def limits(self, key):
        """Limits that include the whole start."""
        low, high = self._start.min(axis=0), self._start.max(axis=0)
        low, high = low - MARGIN * (high - low), high + MARGIN * (high - low)
        return tuple(zip(low.tolist(), high.tolist(), strict=True))

    def _draw_chart(self):
        drawn = super()._draw_chart()
        self._chart.set(ylim=(5e-4, 2), title="Over the rounds")
        self._chart.legend(loc="lower left", framealpha=0.8, edgecolor="none")
        return drawn

    def curves(self, key, frame):
        run, rounds = self.run(key), range(frame + 1)
        start = run.step(0).error
        return [
            [run.step(k).error / start for k in rounds],
            [run.spread(k) for k in rounds],
            [max(1 - self.r2(key, k), 5e-4) for k in rounds],
        ]

    def words(self, key, frame):
        run = self.run(key)
        step = run.step(frame)
        return (
            f"Penalty λ = {key['penalty']:.3g}, round {frame}: objective {step.error:.4g} "
            f"(of f {step.f_error:.3g}, of F {step.F_error:.3g}, penalty {step.penalty:.3g}); "
            f"spread of X relative to the start {run.spread(frame):.3f}; R² = "
            f"{self.r2(key, frame):.4f}."
        )
