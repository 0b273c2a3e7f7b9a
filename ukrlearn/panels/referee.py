"""Three judges of an embedding, and what each of them charges for a damage done to it."""

import numpy as np

from ukrlearn import datasets, figures, metrics
from ukrlearn.panels._base import Panel
from ukrlearn.panels._controls import Choice, Slider

STRIPS = 6  # what "tear" cuts a sheet into
STEPS = 10  # amounts of damage that are judged beforehand, besides none

LEAST = 5e-4  # the picture's lowest loss; what is less is drawn there

JUDGES = {  # what they charge, by the words of the legend and of the summary
    "1 - trustworthiness": lambda X, Y: 1 - metrics.trustworthiness(X, Y, 5),
    "1 - continuity": lambda X, Y: 1 - metrics.continuity(X, Y, 5),
    "share not rebuilt": metrics.loo_reconstruction,
}


def fold(X, amount, random):
    """The right end folded back over the rest, along a line that moves from the end to the middle.

    >>> fold(np.array([[-1.0], [0.0], [1.0]]), 1.0, None).ravel()
    array([-1.,  0., -1.])
    """
    line = X[:, 0].max() - amount * np.ptp(X[:, 0]) / 2
    folded = X.copy()
    folded[:, 0] = np.where(X[:, 0] > line, 2 * line - X[:, 0], X[:, 0])
    return folded


def tear(X, amount, random):
    """Cut into strips; every second one is pulled up, until it clears the others."""
    share = (X[:, 0] - X[:, 0].min()) / np.ptp(X[:, 0])
    strip = np.minimum((STRIPS * share).astype(int), STRIPS - 1)
    torn = X.copy()
    torn[:, 1] += amount * 2 * np.ptp(X[:, 1]) * (strip % 2)
    return torn


def stretch(X, amount, random):
    """The ends drawn out, by up to ten times, and the middle left; the order is kept."""
    middle, half = X[:, 0].mean(), np.ptp(X[:, 0]) / 2
    rate = max(3 * amount, 1e-6)
    stretched = X.copy()
    stretched[:, 0] = middle + half * np.sinh(rate * (X[:, 0] - middle) / half) / rate
    return stretched


def blur(X, amount, random):
    """Noise on both coordinates, up to the spread of the narrower one."""
    return X + amount * X.std(axis=0).min() * random.normal(size=X.shape)


DAMAGES = {"fold": fold, "tear": tear, "stretch": stretch, "blur": blur}


class Referee(Panel):
    """An embedding that is known to be right is damaged, and three judges say what they see.

    Left: the coordinates with the damage, coloured by the true first one. Right, on a logarithmic
    scale and over the amount of damage: what is missing from trustworthiness and from continuity
    of five neighbours, and the share of the data that the latent neighbours do not rebuild
    (`metrics.loo_reconstruction`). A fold is charged by the first and the third judge, a tear by
    the second, an uneven stretch by nobody much.

    Parameters
    ----------
    X : array of shape (N, 2)
        The undamaged coordinates.
    Y : array of shape (N, d)
        Data.
    """

    title = "Three judges"

    def __init__(self, X, Y):
        self._X, self._Y = np.asarray(X, dtype=float), np.asarray(Y, dtype=float)
        self._losses, self._known = {}, {}
        controls = {
            "damage": Choice("damage", tuple(DAMAGES), "fold"),
            "amount": Slider("amount of damage", 0.0, 1.0, 0.0, steps=2 * STEPS),
        }
        self._shown = None
        super().__init__(controls, size=(9, 3.6))

    @classmethod
    def example(cls):
        """A small one: the s-curve at its true coordinates."""
        Y, t = datasets.s_curve(100, random_state=0)
        return cls(t, Y)

    def damaged(self, damage, amount):
        """The coordinates after this damage; the noise is the same every time."""
        return DAMAGES[damage](self._X, amount, np.random.RandomState(0))

    def losses(self, damage, amount):
        """What the three judges charge, by name; 0 is best."""
        key = damage, round(amount, 6)
        if key not in self._losses:
            X = self.damaged(damage, amount)
            self._losses[key] = {name: judge(X, self._Y) for name, judge in JUDGES.items()}
        return self._losses[key]

    def draw(self, figure):
        of_latent, of_losses = figure.subplots(1, 2)
        self._points = figures.latent(of_latent, self._X, self._X[:, 0])
        self._of_latent = of_latent
        self._lines, self._dots = [], []
        looks = zip(JUDGES, ("--", ":", "-"), ("^", "s", "o"), (0, 2, 1), strict=True)
        for name, dash, marker, color in looks:
            look = dict(color=figures.COLORS[color])
            self._lines += of_losses.plot([], [], dash, label=name, **look)
            self._dots += of_losses.plot([], [], marker, ms=7, **look)
        of_losses.set(
            xlim=(-0.03, 1.03),
            yscale="log",
            ylim=(0.9 * LEAST, 1.3),
            xlabel="amount of damage",
            ylabel="loss, 0 is best",
            title="What the judges charge",
        )
        of_losses.grid(True, axis="y")
        of_losses.legend(loc="upper left", framealpha=0.8, edgecolor="none")
        return [self._points, *self._lines, *self._dots]

    def move(self, damage, amount):
        X = self.damaged(damage, amount)
        self._points.set_offsets(X)
        if damage != self._shown:
            self._show(damage)
        losses = self.losses(damage, amount)
        for dot, loss in zip(self._dots, losses.values(), strict=True):
            dot.set_data([amount], [max(loss, LEAST)])
        said = ", ".join(f"{name} = {loss:.4f}" for name, loss in losses.items())
        return f"Damage: {damage}, amount {amount:.2f}. {said[0].upper() + said[1:]}."

    def _show(self, damage):
        """Curves and limits of this kind of damage, which then stay."""
        amounts = np.linspace(0, 1, STEPS + 1)
        if damage not in self._known:
            judged = [tuple(self.losses(damage, amount).values()) for amount in amounts]
            self._known[damage] = np.maximum(judged, LEAST)
        for line, curve in zip(self._lines, self._known[damage].T, strict=True):
            line.set_data(amounts, curve)
        everywhere = np.concatenate([self.damaged(damage, amount) for amount in (0.0, 0.5, 1.0)])
        low, high = everywhere.min(axis=0), everywhere.max(axis=0)
        room = 0.05 * (high - low).max()
        self._of_latent.set(xlim=(low[0] - room, high[0] + room))
        self._of_latent.set(ylim=(low[1] - room, high[1] + room), aspect="auto")
        if self._shown is None:  # the layout is found once: nothing jumps from damage to damage
            figure = self._of_latent.figure
            figure.get_layout_engine().set(w_pad=0.12)  # wider numbers may come beside the axis
            figure.draw_without_rendering()
            figure.set_layout_engine("none")
        self._shown = damage
        self.redraw()
