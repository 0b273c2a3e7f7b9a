"""Four judges of an embedding, and how each of them penalises damage to it."""

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn import datasets, figures, metrics
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked, same_length
from ukrlearn.panels._controls import Choice, Slider
from ukrlearn.panels._explorable import Explorable, demand_different, demand_few, demand_varying
from ukrlearn.panels._remembered import Remembered

NEIGHBORS = 5  # whose ranks are judged
AVERAGED = 10  # neighbours whose mean rebuilds a point; as in referee.js
STRIPS = 6  # the number of strips in "tear"
STEPS = 10  # the number of amounts of damage that are judged beforehand, besides none
AMOUNTS = np.linspace(0, 1, STEPS + 1)

LEAST = 5e-4  # the lowest loss in the picture; lower losses are drawn there

JUDGES = {  # the losses, by their names in the legend and the summary
    "1 - trustworthiness": lambda X, Y: 1 - metrics.trustworthiness(X, Y, NEIGHBORS),
    "1 - continuity": lambda X, Y: 1 - metrics.continuity(X, Y, NEIGHBORS),
    "back: data from map": lambda X, Y: metrics.two_way(X, Y, AVERAGED).back,
    "forth: map from data": lambda X, Y: metrics.two_way(X, Y, AVERAGED).forth,
}


def fold(X, amount, random):
    """X with its right end folded over the rest, at a line that moves from the end to the middle.

    >>> fold(np.array([[-1.0], [0.0], [1.0]]), 1.0, None).ravel()
    array([-1.,  0., -1.])
    """
    line = X[:, 0].max() - amount * np.ptp(X[:, 0]) / 2
    folded = X.copy()
    folded[:, 0] = np.where(X[:, 0] > line, 2 * line - X[:, 0], X[:, 0])
    return folded


def tear(X, amount, random):
    """X cut into strips, with every second strip moved up until it clears the others."""
    share = (X[:, 0] - X[:, 0].min()) / np.ptp(X[:, 0])
    strip = np.minimum((STRIPS * share).astype(int), STRIPS - 1)
    torn = X.copy()
    torn[:, 1] += amount * 2 * np.ptp(X[:, 1]) * (strip % 2)
    return torn


def stretch(X, amount, random):
    """X with its ends stretched up to ten times, and the middle unchanged; the order is kept."""
    middle, half = X[:, 0].mean(), np.ptp(X[:, 0]) / 2
    rate = max(3 * amount, 1e-6)
    stretched = X.copy()
    stretched[:, 0] = middle + half * np.sinh(rate * (X[:, 0] - middle) / half) / rate
    return stretched


def blur(X, amount, random):
    """X with noise in both coordinates, up to the spread of the narrower coordinate."""
    return X + amount * X.std(axis=0).min() * random.normal(size=X.shape)


DAMAGES = {"fold": fold, "tear": tear, "stretch": stretch, "blur": blur}
OTHER, TOUR = "the other embedding", "a tour on a line"  # as in referee.js


def tour(Y):
    """A short way through all rows of Y, as one coordinate (N, 1): the length up to each of them.

    From the first row always on to the nearest one that is left; then any stretch of the way is
    turned round that becomes shorter by it (2-opt), as long as there is one.

    >>> tour(np.array([[0.0], [3.0], [1.0]])).ravel()
    array([0., 3., 1.])
    """
    apart = cdist(Y, Y)
    way, left = [0], np.arange(len(Y)) > 0
    while left.any():
        way.append(int(np.argmin(np.where(left, apart[way[-1]], np.inf))))
        left[way[-1]] = False
    way, gained = np.array(way), True
    while gained:
        gained = False
        for i in range(1, len(way) - 1):
            here, ends, after = apart[way[i - 1]], way[i + 1 :], np.append(way[i + 2 :], -1)
            cut = np.where(after < 0, 0, apart[ends, after])  # the last row has none after it
            tied = np.where(after < 0, 0, apart[way[i], after])
            gain = here[way[i]] + cut - here[ends] - tied
            best = int(np.argmax(gain))
            if gain[best] > 1e-9 * here[way[i]]:  # less is rounding, and would never end
                way[i : i + 2 + best] = way[i : i + 2 + best][::-1].copy()
                gained = True
    x = np.empty((len(Y), 1))
    x[way, 0] = np.append(0, np.cumsum(apart[way[:-1], way[1:]]))
    return x


def laid_upon(X, target):
    """X moved, turned, mirrored and scaled so that it lies as near to the target as possible.

    >>> laid_upon(np.array([[0.0, 0.0], [0.0, 2.0]]), np.array([[5.0, 5.0], [6.0, 5.0]]))
    array([[5., 5.],
           [6., 5.]])
    """
    A, B = X - X.mean(axis=0), target - target.mean(axis=0)
    left, sizes, right = np.linalg.svd(A.T @ B)
    return target.mean(axis=0) + sizes.sum() / np.sum(A**2) * A @ (left @ right)


class Referee(Explorable):
    """Damage an embedding that is known to be right, or replace it, and see what four judges say.

    Two pictures: the right coordinates and the damaged ones, both coloured by the true first
    coordinate. Points that are brushed in one are marked in the other. Lines in the left picture
    lead from them to their five nearest neighbours after the damage, and lines in the right picture
    to their five nearest neighbours in the data: long lines are false and lost neighbours. Below,
    on a logarithmic scale over the amount of damage: 1 minus trustworthiness and 1 minus continuity
    of five neighbours, and both shares of `metrics.two_way`: what ten latent neighbours do not tell
    of the data, and what ten neighbours in the data do not tell of the map. The first and the third
    judge penalise a fold, the second and the fourth a tear. No judge penalises an uneven stretch
    much. A button replaces the map by a one-dimensional tour through the data.

    If another embedding is given, it is one of the choices. It is shown moved, turned and scaled to
    lie upon the right coordinates; the amount leads from these to it.

    Parameters
    ----------
    X : array of shape (N, 2)
        The undamaged coordinates.
    Y : array of shape (N, d)
        Data.
    other : array of shape (N, 2), optional
        Another embedding of the data.

    Attributes
    ----------
    brushed : array of int
        The numbers of the points that are brushed in the page.
    """

    title = "Four judges"
    script = "referee.js"
    moved = "brushed"
    pictures = {
        "right": dict(title="The right coordinates", xlabel="x₁", ylabel="x₂"),
        "damaged": dict(title="The same, damaged", xlabel="x₁", ylabel="x₂"),
        "losses": dict(
            title="Losses: lower is better (log scale)",
            xlabel="amount of damage",
            legend=list(JUDGES),
        ),
    }
    further = {
        "other": dict(title="Towards the other embedding"),
        "tour": dict(title="Towards a tour on a line"),
    }

    @checked(
        same_length("X", "Y", "other"),
        X=arguments.squarable_with(2),
        Y=arguments.squarable,
        other=arguments.optional(arguments.squarable_with(2)),
    )
    def __init__(self, X, Y, other=None):
        demand_few("X", X, least=2 * AVERAGED + 1)
        demand_varying("X", X)
        demand_different("Y", Y)
        line = tour(Y) * [[1.0, 0.0]]
        self._X, self._Y = X, Y
        self._others = {TOUR: X.mean(axis=0) + (line - line.mean(axis=0)) * X.std() / line.std()}
        if other is not None:
            demand_different("other", other)
            self._others[OTHER] = laid_upon(other, X)
        self._losses, self._known = Remembered(5000), {}
        self.brushed = self._first = np.array([], dtype=int)
        controls = {
            "damage": Choice("kind of damage", (*DAMAGES, *self._others), "fold"),
            "amount": Slider("amount of damage", 0.0, 1.0, 0.0, steps=2 * STEPS),
        }
        self._shown = None
        super().__init__(controls, size=(8.44, 4.6))

    @classmethod
    def example(cls):
        """A small example: the s-curve at its true coordinates."""
        Y, t = datasets.s_curve(100, random_state=0)
        return cls(t, Y)

    def data(self):
        return {
            "X": self._X.tolist(),
            "Y": self._Y.tolist(),
            "others": {name: other.tolist() for name, other in self._others.items()},
            "amounts": AMOUNTS.tolist(),
            "brushed": self.brushed.tolist(),
        }

    def _use(self, brushed):
        brushed = np.asarray(brushed)
        numbers = np.unique(brushed)
        if numbers.size and (
            numbers.dtype.kind not in "iu" or numbers[0] < 0 or numbers[-1] >= len(self._X)
        ):
            raise ValueError(
                f"brushed must hold numbers of points, 0 to {len(self._X) - 1}; got "
                f"{arguments.shown(brushed)}."
            )
        self.brushed = numbers.astype(int)

    def damaged(self, damage, amount):
        """The coordinates after this damage, always with the same noise."""
        if damage in self._others:
            return self._X + amount * (self._others[damage] - self._X)
        return DAMAGES[damage](self._X, amount, np.random.RandomState(0))

    def losses(self, damage, amount):
        """The losses of the four judges by name; 0 is best."""

        def judged():
            X = self.damaged(damage, amount)
            return {name: judge(X, self._Y) for name, judge in JUDGES.items()}

        return self._losses.get_or_make((damage, round(amount, 6)), judged)

    def errors(self, damage, amount):
        """Of each point, (N, 2): what the judges of ranks look at, for its five neighbours.

        The mean rank in the data of its neighbours after the damage, and the mean rank after the
        damage of its neighbours in the data.
        """
        after, true = _ranks(self.damaged(damage, amount)), _ranks(self._Y)
        found, wanted = after <= NEIGHBORS, true <= NEIGHBORS
        return np.column_stack(
            [(ranks * of).sum(axis=1) / NEIGHBORS for ranks, of in ((true, found), (after, wanted))]
        )

    # The picture for places without a script

    def draw(self, figure):
        grid = figure.add_gridspec(2, 2, height_ratios=(1.3, 1))
        of_right, of_latent = (figure.add_subplot(grid[0, k]) for k in (0, 1))
        of_losses = figure.add_subplot(grid[1, :])
        figures.latent(of_right, self._X, self._X[:, 0])
        of_right.set(aspect="auto")
        self._points = figures.latent(of_latent, self._X, self._X[:, 0])
        for ax, name in ((of_right, "right"), (of_latent, "damaged"), (of_losses, "losses")):
            self.write(ax, name)
        self._of_latent = of_latent
        self._marks = [ax.plot([], [], **_MARK)[0] for ax in (of_right, of_latent)]
        self._lines, self._dots = [], []
        looks = zip(JUDGES, ("--", ":", "-", "-."), "^soD", (0, 2, 1, 3), strict=True)
        for name, dash, marker, color in looks:
            look = dict(color=figures.COLORS[color])
            self._lines += of_losses.plot([], [], dash, label=name, **look)
            self._dots += of_losses.plot([], [], marker, ms=7, **look)
        of_losses.set(
            xlim=(-0.03, 1.03),
            yscale="log",
            ylim=(0.9 * LEAST, 1.3),
        )
        of_losses.grid(True, axis="y")
        of_losses.legend(loc="upper left", framealpha=0.8, edgecolor="none")
        return [self._points, *self._marks, *self._lines, *self._dots]

    def move(self, damage, amount):
        X = self.damaged(damage, amount)
        self._points.set_offsets(X)
        if damage != self._shown:
            self._show(damage)
        judged = AMOUNTS <= amount + 1e-9
        for line, curve in zip(self._lines, self._known[damage].T, strict=True):
            line.set_data(AMOUNTS[judged], curve[judged])
        losses = self.losses(damage, amount)
        for dot, loss in zip(self._dots, losses.values(), strict=True):
            dot.set_data([amount], [max(loss, LEAST)])
        for mark, places in zip(self._marks, (self._X, X), strict=True):
            mark.set_data(*places[self.brushed].T)
        text = ", ".join(f"{name} = {loss:.4f}" for name, loss in losses.items())
        return f"Damage: {damage}, amount {amount:.2f}. {text}.{self._of_brushed(damage, amount)}"

    def _of_brushed(self, damage, amount):
        if not len(self.brushed):
            return ""
        wrong, lost = self.errors(damage, amount)[self.brushed].mean(axis=0)
        return (
            f" Brushed points: {len(self.brushed)}. Their {NEIGHBORS} neighbours after the damage "
            f"have the mean rank {wrong:.1f} in the data, and their {NEIGHBORS} neighbours in the "
            f"data have the mean rank {lost:.1f} after the damage; {(NEIGHBORS + 1) // 2} is best."
        )

    def _show(self, damage):
        """Judge this kind of damage and set its limits."""
        if damage not in self._known:
            judged = [tuple(self.losses(damage, amount).values()) for amount in AMOUNTS]
            self._known[damage] = np.maximum(judged, LEAST)
        everywhere = np.concatenate([self.damaged(damage, amount) for amount in (0.0, 0.5, 1.0)])
        low, high = everywhere.min(axis=0), everywhere.max(axis=0)
        room = 0.05 * (high - low).max()
        said = {OTHER: self.further["other"], TOUR: self.further["tour"]}
        title = said.get(damage, self.pictures["damaged"])["title"]
        self._of_latent.set(title=title, xlim=(low[0] - room, high[0] + room))
        self._of_latent.set(ylim=(low[1] - room, high[1] + room), aspect="auto")
        if self._shown is None:  # the layout is computed once, so that nothing jumps
            figure = self._of_latent.figure
            figure.get_layout_engine().set(w_pad=0.12)  # room for wider numbers beside the axis
            figure.draw_without_rendering()
            figure.set_layout_engine("none")
        self._shown = damage
        self.redraw()


def _ranks(points):
    """The rank of each point (column) among the others of a point (row), N for itself, (N, N)."""
    distance = cdist(points, points, "sqeuclidean")
    np.fill_diagonal(distance, np.inf)
    return np.argsort(np.argsort(distance, axis=1, kind="stable"), axis=1) + 1


_MARK = dict(ls="", marker="o", ms=7, mfc="none", mec="#222222", mew=1.3)
