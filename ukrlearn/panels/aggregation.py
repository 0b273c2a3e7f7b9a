"""Why moving together helps: gradients of clusters before and after guidance, [SGD] 3.2."""

import numpy as np

from ukrlearn import figures, sgd
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked
from ukrlearn.course import notation
from ukrlearn.estimators.guidance import SpectralGuidance
from ukrlearn.panels._controls import Choice, Slider
from ukrlearn.panels._explorable import Explorable, demand_few, rounded
from ukrlearn.sgd import neighbor_embedding

SOFT, HARD = "soft: powers ν", "hard: l directions"
SEEDS, SEED = 100, 3
EXTENT = (
    2.8  # at least half the width of the visible latent space, in standard deviations of the start
)
ARROW = 0.55  # root mean square length of the arrows, in standard deviations of the start
LEADING = 120  # eigenvectors that the page gets; the others are represented by their mean
SHOWN = 36  # aggregated directions in the strip, at most


class Aggregation(Explorable):
    """Moves of stochastic neighbour embedding, plain and guided, as in [SGD] figure 2.

    Left: the latent points at a random start, each with an arrow along minus its gradient. Points
    of one cluster of the data share a colour; their arrows point in all directions. Right: the same
    points with the guided gradient, (15) or (17), under which points of one cluster move together.
    Below: the aggregated direction of each eigenvector (14), multiplied by its weight. The slider
    starts at ν = 0, which is the plain gradient. Arrows on the left and the right are scaled to the
    same root mean square, as in the line search. The points can be dragged in both pictures, and
    the arrows follow. "Shake" takes the next start, and "Move" follows the guided gradient.

    The start is wider than in a fit, as in the paper's drawing. With spread=0.1, the points hardly
    influence each other, and the plain movements agree to some extent, because each point moves
    towards the mean of its neighbours.

    Parameters
    ----------
    Y : array of shape (N, d)
        Data.
    labels : array of shape (N,)
        The cluster of each point, for colours and the summary only; the guidance does not use it.
    h : float
        Bandwidth of the affinity (12) and of the neighbour probabilities (1).
    spread : float
        Standard deviation of the start.

    Attributes
    ----------
    X : array of shape (N, 2)
        The latent points as they are now in the page.
    """

    title = "Aggregation"
    script = "aggregation.js"
    pictures = {
        "plain": dict(title="Each for itself: −G", xlabel="x₁", ylabel="x₂"),
        "guided": dict(title="Moving together: −Ĝ", xlabel="x₁", ylabel="x₂"),
        "strip": dict(title="Aggregated directions, weighted", xlabel="number of the eigenvector"),
    }

    @checked(
        Y=arguments.squarable,
        labels=arguments.labels,
        h=arguments.positive,
        spread=arguments.positive,
    )
    def __init__(self, Y, labels, h=0.3, spread=0.5):
        if Y.ndim != 2 or len(Y) < 3 or labels.shape != (len(Y),):
            raise ValueError(
                "Y must have at least three rows, and labels one entry per row; got shapes "
                f"{Y.shape} and {labels.shape}."
            )
        demand_few("Y", Y)
        self._Y, self._h, self._spread = Y, h, spread
        self._labels, self._clusters = labels, np.unique(labels)
        self._by_hand = None  # the seed of a start, and the points that were moved from there
        self._objective = neighbor_embedding.objective(Y, h)
        self._spectrum = _leading(SpectralGuidance(h=h).spectrum(Y), LEADING)
        N = len(Y)
        controls = {
            "nu": Slider(notation.label("nu"), 0, 10, 0, steps=100),
            "l": Slider(notation.label("l"), 1, N, 2, whole=True),
            "cut": Choice("kind of guidance", (SOFT, HARD), SOFT),
            "seed": Slider("seed of the start", 0, SEEDS - 1, SEED, whole=True),
        }
        super().__init__(controls, size=(8.44, 4.7))

    @classmethod
    def example(cls):
        from ukrlearn import datasets

        Y, t = datasets.partitioned_circle(36, random_state=0)
        return cls(Y, np.floor(3 * t))

    def set(self, **values):
        """As in every panel; setting only ν makes the guidance soft, and setting only l hard."""
        if "cut" not in values and ("nu" in values) != ("l" in values):
            values["cut"] = SOFT if "nu" in values else HARD
        return super().set(**values)

    def reset(self):
        """As in every panel; points go back to the start too."""
        self._view.out = {}
        self._by_hand = None
        super().reset()
        self._send(X=None)
        return self

    def data(self):
        return {
            "Y": rounded(self._Y),
            "h": self._h,
            "clusters": np.searchsorted(self._clusters, self._labels).tolist(),
            "spread": self._spread,
            "moved": self._by_hand and {"seed": self._by_hand[0], "X": self._by_hand[1].tolist()},
            "values": rounded(self._spectrum.values, 9),
            "vectors": rounded(self._spectrum.vectors),
            "rest": self._spectrum.rest,
        }

    def put(self, *, X):
        """Show these latent points, (N, 2), and return the panel."""
        X = arguments.numbers("X", X)
        if X.shape != (len(self._labels), 2):
            raise ValueError(
                f"X must hold finite numbers in shape {(len(self._labels), 2)}; got shape "
                f"{X.shape}."
            )
        self._view.out = {"X": X.tolist(), "seed": self._values["seed"]}
        self._send(**self._view.out)
        return self

    def take(self, out):
        self._by_hand = None
        if "X" in out:
            self._by_hand = out["seed"], np.reshape(out["X"], (-1, 2)).astype(float)

    def share(self, twin):
        twin._by_hand = self._by_hand

    @property
    def X(self):
        return self._points_of(self._values["seed"])

    def _points_of(self, seed):
        """The start of a seed, or the points that were moved from there."""
        return self._by_hand[1] if self._is_by_hand(seed) else self.start(seed)

    def _is_by_hand(self, seed):
        return self._by_hand is not None and self._by_hand[0] == seed

    def start(self, seed):
        """The latent points (N, 2) of a seed."""
        random = np.random.RandomState(seed)
        return self._spread * random.normal(size=(len(self._labels), 2))

    def filter(self, nu, l, cut):
        """The filter of gradients at these values, a `sgd.Filter`."""
        if cut == HARD:
            return sgd.leading_directions(self._spectrum, l)
        return sgd.powers(self._spectrum, nu)

    def agreement(self, movements):
        """Mean cosine between the movements of two points, over all pairs within clusters."""
        length = np.linalg.norm(movements, axis=1, keepdims=True)
        unit = np.divide(movements, length, out=np.zeros_like(movements), where=length > 0)
        cosines = []
        for cluster in self._clusters:
            of_cluster = unit[self._labels == cluster]
            i, j = np.triu_indices(len(of_cluster), 1)
            cosines.append(np.sum(of_cluster[i] * of_cluster[j], axis=1))
        return float(np.mean(np.concatenate(cosines)))

    # The picture for places without a script

    def draw(self, figure):
        grid = figure.add_gridspec(2, 2, height_ratios=(4, 1))
        of_plain, of_guided = (figure.add_subplot(grid[0, k]) for k in (0, 1))
        strip = figure.add_subplot(grid[1, :])
        numbers = np.searchsorted(self._clusters, self._labels)
        colors = [figures.COLORS[k % len(figures.COLORS)] for k in numbers]
        self._points, self._arrows = [], []
        for ax, name in ((of_plain, "plain"), (of_guided, "guided")):
            self.write(ax, name)
            reach = EXTENT * self._spread
            ax.set(xlim=(-reach, reach), ylim=(-reach, reach))
            ax.set_aspect("equal", adjustable="box")
            nothing = np.zeros(len(self._labels))
            look = dict(color=colors, **_SCALE)
            self._points.append(ax.scatter(nothing, nothing, s=26, color=colors, lw=0))
            self._arrows.append(ax.quiver(nothing, nothing, nothing, nothing, **look))
        number = min(self._spectrum.vectors.shape[1], SHOWN)
        strip.set(xlim=(0, number + 1), ylim=(-1.1, 1.1), yticks=[])
        self.write(strip, "strip")
        strip.axhline(0, color="#e4e4e4", lw=0.8, zorder=0)
        of_each = np.arange(1, number + 1), *np.zeros((3, number))
        inches = 0.4  # the longest arrow
        look = dict(angles="uv", scale_units="inches", scale=1 / inches, color=figures.COLORS[0])
        self._directions = strip.quiver(*of_each, width=0.0025, headwidth=4.5, **look)
        figure.draw_without_rendering()  # layout computed once, so that Axes do not shift
        figure.set_layout_engine("none")
        return [*self._points, *self._arrows, self._directions]

    def move(self, nu, l, cut, seed):
        X = self._points_of(seed)
        _, gradient = self._objective(X)
        bend = self.filter(nu, l, cut)
        guided = bend(gradient)
        reach = max(EXTENT * self._spread, 1.08 * np.abs(X).max())
        for points, arrows, movements in zip(
            self._points, self._arrows, (-gradient, -guided), strict=True
        ):
            size = np.sqrt(np.mean(np.sum(movements**2, axis=1))) or 1.0
            points.set_offsets(X)
            arrows.set_offsets(X)
            arrows.set_UVC(*(movements * (ARROW * self._spread / size)).T)
            if points.axes.get_xlim() != (-reach, reach):
                points.axes.set(xlim=(-reach, reach), ylim=(-reach, reach))
                self.redraw()
        A = -bend.weights[:, None] * (self._spectrum.vectors.T @ gradient)  # (14), weighted
        A = A[:SHOWN] / (np.linalg.norm(A[:SHOWN], axis=1).max() or 1.0)
        self._directions.set_UVC(*A.T)

        name = f"l = {l}" if cut == HARD else f"ν = {nu:.3g}"
        where = f"Moved from seed {seed}" if self._is_by_hand(seed) else f"Seed {seed}"
        share = np.sum(guided * gradient) / (
            np.linalg.norm(guided) * np.linalg.norm(gradient) or 1.0
        )
        return (
            f"{where}, {name}: {bend.directions:.1f} of {len(X)} directions are effectively "
            "free. Mean cosine between the movements of two points of a cluster: plain "
            f"{self.agreement(-gradient):.2f}, guided {self.agreement(-guided):.2f}. The guided "
            f"gradient has a cosine of {share:.2f} with the plain one, so it leads downhill."
        )


def _leading(spectrum, number):
    """The spectrum with at most so many eigenvectors, and the mean of the other eigenvalues."""
    if len(spectrum.values) <= number:
        return spectrum
    rest = float(spectrum.values[number:].mean())
    return sgd.Spectrum(spectrum.values[:number], spectrum.vectors[:, :number], rest)


_SCALE = {"angles": "xy", "scale_units": "xy", "scale": 1, "width": 0.007, "headwidth": 4.5}
