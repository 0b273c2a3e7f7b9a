"""Rescue the roll: a Swiss roll whose latent points are lost in noise, and come back."""

import numpy as np

from ukrlearn.panels._controls import Slider, Switch
from ukrlearn.panels._rounds import Rounds, Run

COARSE = 10  # rounds with a stiff f: the coarse recipe, and
STIFF = 1e-3  # its penalty


class RescueTheRoll(Rounds):
    """True sheet coordinates with noise are the start; rounds of DRUR find the sheet again.

    Left the latent points, coloured by the true length along the sheet, every other stripe across
    it pale, and the outline of the true sheet, dashed. In the middle the data in the same colours
    and the net of f over the latent points. Right what is missing in R² from the truth, over the
    rounds so far. Play runs through the rounds; "noise" draws a new start and keeps the round.

    Parameters
    ----------
    Y : array of shape (N, 3)
        Data.
    t : array of shape (N, 2)
        True coordinates: lengths along the sheet, from 0 on.
    noise : int
        Standard deviation, to begin with, in the units of t.
    n_basis : int
        Of f and of F.
    penalty : float
        λ; with the coarse recipe it is 1e-3.
    rounds : int
    seed : int
        Of the noise.
    """

    title = "Rescue the roll"
    names = ("1 - R²",)

    def __init__(self, Y, t, noise=20, n_basis=30, penalty=1e-5, rounds=20, seed=1):
        self._n_basis, self._penalty, self._seed = n_basis, penalty, seed
        controls = {
            "frame": Slider("round", 0, rounds, 0, whole=True),
            "noise": Slider("noise of the start", 0, 80, noise, whole=True, refits=True),
            "recipe": Switch("coarse recipe", False),
        }
        super().__init__(Y, t, controls)

    @classmethod
    def example(cls):
        from ukrlearn import datasets

        Y, t = datasets.swiss_roll(300, length=90.0, height=50.0, random_state=0)
        return cls(Y, t, rounds=6)

    def start(self, noise):
        """The true coordinates with noise."""
        random = np.random.RandomState(self._seed)
        return self._t + noise * random.normal(size=self._t.shape)

    def _new_run(self, noise, recipe):
        coarse, penalty = (COARSE, STIFF) if recipe else (0, self._penalty)
        return Run(self._Y, self.start(noise), self._n_basis, penalty, coarse)

    def limits(self, key):
        """All but the outermost points of the start, and the whole true sheet."""
        X = self.start(key["noise"])
        low = np.minimum(np.percentile(X, 0.5, axis=0), -8)
        high = np.maximum(np.percentile(X, 99.5, axis=0), self._t.max(axis=0) + 8)
        return tuple(zip(low.tolist(), high.tolist(), strict=True))

    def _draw_chart(self):
        drawn = super()._draw_chart()
        self._chart.set(ylim=(5e-4, 1.1), title="Missing in R²")
        return drawn

    def curves(self, key, frame):
        return [[max(1 - self.r2(key, k), 5e-4) for k in range(frame + 1)]]

    def words(self, key, frame):
        run = self.run(key)
        step = run.step(frame)
        how = " with the coarse recipe" if key["recipe"] else ""
        whole = f"; {step.full_steps:.1%} of the Gauss-Newton steps whole" if frame else ""
        return (
            f"Noise {key['noise']}, round {frame}{how}: R² = {self.r2(key, frame):.4f}, order of "
            f"both coordinates at least {self.order(key, frame):.3f}{whole}. Spread of the latent "
            f"points {run.spread(frame):.3f} of the start's; objective {step.error:.3g}."
        )
