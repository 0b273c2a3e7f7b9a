"""Rescue the roll: DRUR recovers the latent points of a Swiss roll from a noisy start."""

from functools import partial

import numpy as np

from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked, same_length
from ukrlearn.panels._controls import Slider, Switch
from ukrlearn.panels._rounds import Rounds, Run

COARSE = 10  # rounds with a stiff f: the coarse recipe, and
STIFF = 1e-3  # its penalty


LOUDEST = 80


class RescueTheRoll(Rounds):
    """The start is the true sheet coordinates with noise; rounds of DRUR recover the sheet.

    Left: the latent points, coloured by the true length along the sheet, with every other stripe
    across it pale; the dashed line is the outline of the true sheet. Middle: the data in the same
    colours, and the net of f over the latent points. Right: 1 - R² over the rounds so far. Play
    runs through the rounds. "noise" draws a new start and keeps the round.

    Parameters
    ----------
    Y : array of shape (N, 3)
        Data.
    t : array of shape (N, 2)
        True coordinates: lengths along the sheet, starting at 0.
    noise : int
        Initial standard deviation of the noise, in the units of t.
    n_basis : int
        Number of basis functions of f and of F.
    penalty : float
        λ; in the first ten rounds of the coarse recipe it is 1e-3.
    rounds : int
    seed : int
        Seed of the noise.
    """

    title = "Rescue the roll"
    names = ("1 - R²",)

    @checked(
        same_length("Y", "t"),
        Y=arguments.squarable,
        t=arguments.squarable,
        noise=partial(arguments.whole_number, least=0, most=LOUDEST),
        n_basis=arguments.count,
        penalty=arguments.not_negative,
        rounds=arguments.count,
        seed=arguments.seed,
    )
    def __init__(self, Y, t, noise=20, n_basis=30, penalty=1e-5, rounds=20, seed=1):
        self._n_basis, self._penalty, self._seed = n_basis, penalty, seed
        controls = {
            "frame": Slider("round", 0, rounds, 0, whole=True),
            "noise": Slider("noise of the start", 0, LOUDEST, noise, whole=True, refits=True),
            "recipe": Switch("first ten rounds with a stiff sheet", False),
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
        """Limits that include all but the outermost points of the start, and the true sheet."""
        X = self.start(key["noise"])
        low = np.minimum(np.percentile(X, 0.5, axis=0), -8)
        high = np.maximum(np.percentile(X, 99.5, axis=0), self._t.max(axis=0) + 8)
        return tuple(zip(low.tolist(), high.tolist(), strict=True))

    def _draw_chart(self):
        drawn = super()._draw_chart()
        self._chart.set(ylim=(5e-4, 1.1), title="1 - R² over the rounds")
        return drawn

    def curves(self, key, frame):
        return [[max(1 - self.r2(key, k), 5e-4) for k in range(frame + 1)]]

    def words(self, key, frame):
        run = self.run(key)
        step = run.step(frame)
        how = " with the coarse recipe" if key["recipe"] else ""
        whole = f"; {step.full_steps:.1%} of Gauss-Newton steps taken in full" if frame else ""
        return (
            f"Noise {key['noise']}, round {frame}{how}: R² = {self.r2(key, frame):.4f}, order of "
            f"both coordinates at least {self.order(key, frame):.3f}{whole}. Spread of the latent "
            f"points relative to the start {run.spread(frame):.3f}; objective {step.error:.3g}."
        )
