"""Rescue the roll: DRUR recovers the latent points of a Swiss roll from a noisy start."""

from functools import partial

import numpy as np
from matplotlib.colors import to_hex

from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked, same_length
from ukrlearn.panels._controls import Slider, Switch
from ukrlearn.panels._explorable import Explorable, demand_varying, packed, rounded
from ukrlearn.panels._rounds import PICTURES, Rounds, Run

COARSE = 10  # rounds with a stiff f: the coarse recipe, and
STIFF = 1e-3  # its penalty
LOUDEST = 80  # noise
SENT = range(20, LOUDEST + 1, 20)  # noises whose rounds the page gets
NODES = 31, 9  # of the net that the page shows, along the sheet and across
ROOM = 1_000_000  # bytes, about, of all runs that the page gets at once
KEY = "noise", "recipe"  # the controls that belong to a run
FAR = 0.1  # of the sheet's longer side: points further from their true place are defects


class RescueTheRoll(Explorable, Rounds):
    """The start is the true sheet coordinates with noise; rounds of DRUR recover the sheet.

    Left: the latent points, coloured by the true length along the sheet, with every other stripe
    across it pale. The dashed line is the outline of the true sheet, turned and scaled to fit the
    points. Right: the data in the same colours, which the hand can turn, the image of the true
    sheet under f as a net, and 1 - R² of all rounds. Play runs through the rounds.

    A thin line leads from each defect to its true place; a defect is a point that is further away
    from it than a tenth of the sheet's longer side. Point at a point in one picture, and it is
    marked in both, with its error in words. "Next defect" or the keys N and P go through the
    defects, the worst first. Arrow keys turn the roll.

    The page gets the rounds from several starts at once, and asks for those of other settings.

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

    Attributes
    ----------
    point : int or None
        The number of the point that was pointed at last; `put(point=...)` points at another.
    """

    title = "Rescue the roll"
    script = "rescue_the_roll.js"
    pictures = {
        **PICTURES,
        "chart": PICTURES["chart"] | dict(title="1 − R² (log scale)"),
    }
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
        demand_varying("t", t)
        self._n_basis, self._penalty, self._seed = n_basis, penalty, seed
        self.point, self._sent, self._asked = None, {}, None
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

    def errors(self):
        """The distance (N,) of each latent point of the current picture from its true place.

        True places are turned, mirrored, scaled and shifted as a whole, to fit the latent points.
        """
        X = self.latent_points()
        return np.linalg.norm(X - carried(self._t, self._t, X), axis=1)

    def data(self):
        keys = [{"noise": self._controls["noise"].value, "recipe": False}]
        keys += [{"noise": noise, "recipe": False} for noise in SENT]
        runs = [self._run_for_page(keys[0])]
        most = max(1, ROOM // len(runs[0]["X"]["steps"]))
        runs += [self._run_for_page(key) for key in keys[1:most] if key != keys[0]]
        return {
            "Y": rounded(self._Y, 4),
            "t": rounded(self._t, 4),
            "colors": [to_hex(color) for color in self._colors()],
            "noises": [SENT[0], SENT[-1], SENT.step],
            "nodes": list(NODES),
            "far": self._far,
            "runs": runs,
        }

    def take(self, out):
        if "point" in out:
            self.point = self._checked_point(out["point"])
        if "asked" in out and out["asked"] != self._asked:
            self._asked = out["asked"]
            key = {name: self._controls[name].checked(out["asked"][name]) for name in KEY}
            self._send(run=self._run_for_page(key))

    def share(self, twin):
        twin.point = self.point

    def _checked_point(self, point):
        N = len(self._t)
        return arguments.optional(partial(arguments.whole_number, least=0, most=N - 1))(
            "point", point
        )

    def _run_for_page(self, key):
        """All rounds of a run, in numbers that need little room; computed once."""
        name = tuple(key[part] for part in KEY)
        if name not in self._sent:
            run, rounds = self.run(key), range(self._controls["frame"].high + 1)
            sides = [
                np.linspace(0, end, n) for end, n in zip(self._t.max(axis=0), NODES, strict=True)
            ]
            nodes = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, 2)
            self._sent[name] = {
                **key,
                "X": packed([run.points(k) for k in rounds]),
                "net": packed([run.surface(k)(nodes) for k in rounds]),
                "unexplained": rounded([1 - self.r2(key, k) for k in rounds]),
                "words": [self.words(key, k) for k in rounds],
            }
        return self._sent[name]

    @property
    def _far(self):
        return float(FAR * self._t.max())

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
        self._chart.set(ylim=(5e-4, 1.1))
        self.write(self._chart, "chart")
        return drawn

    def curves(self, key, frame):
        return [[max(1 - self.r2(key, k), 5e-4) for k in range(frame + 1)]]

    def words(self, key, frame):
        run = self.run(key)
        step, X = run.step(frame), run.points(frame)
        errors = np.linalg.norm(X - carried(self._t, self._t, X), axis=1)
        defects = np.count_nonzero(errors > self._far)
        how = " with the coarse recipe" if key["recipe"] else ""
        whole = f"; {step.full_steps:.1%} of Gauss-Newton steps taken in full" if frame else ""
        return (
            f"Noise {key['noise']}, round {frame}{how}: R² = {self.r2(key, frame):.4f}, order of "
            f"both coordinates at least {self.order(key, frame):.3f}{whole}. Spread of the latent "
            f"points relative to the start {run.spread(frame):.3f}; objective {step.error:.3g}. "
            f"{defects} of {len(X)} points are further than {self._far:.3g} from their true place."
        )


def carried(places, t, X):
    """Places of a sheet, turned, mirrored, scaled and shifted as it takes to bring t closest to X.

    This is the similarity behind `metrics.procrustes_r2`.
    """
    center = t.mean(axis=0)
    U, sizes, V = np.linalg.svd((t - center).T @ (X - X.mean(axis=0)))
    scale = sizes.sum() / np.sum((t - center) ** 2)
    return X.mean(axis=0) + scale * (places - center) @ U @ V
