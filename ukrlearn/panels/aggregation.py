"""Why moving together helps: gradients of clusters before and after guidance, [SGD] 3.2."""

import numpy as np

from ukrlearn import figures, sgd
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked
from ukrlearn.course import notation
from ukrlearn.estimators.guidance import SpectralGuidance
from ukrlearn.panels._base import Panel
from ukrlearn.panels._controls import Choice, Slider
from ukrlearn.sgd import neighbor_embedding

SOFT, HARD = "soft: powers ν", "hard: l directions"
SEEDS = 100
REACH = 3.1  # half the width of the visible latent space, in standard deviations of the start
ARROW = 0.55  # root mean square length of the arrows, in standard deviations of the start


class Aggregation(Panel):
    """The first move of stochastic neighbour embedding, plain and guided, as in [SGD] figure 2.

    Left: the latent points at a random start, each with an arrow along minus its gradient. Points
    of one cluster of the data share a colour and a marker; their arrows point in all directions.
    Middle: the aggregated direction of each eigenvector (14), multiplied by its weight. All start
    at one origin; the leading ones are dark. Right: the same points with the guided gradient, (15)
    or (17), under which points of one cluster move together. The slider
    starts at ν = 0, which is the plain gradient. Arrows on the left and the right are scaled to the
    same root mean square, as in the line search.

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
    """

    title = "Aggregation"
    main = ("nu", "seed")

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
        self._labels, self._clusters = labels, np.unique(labels)
        self._spread = spread
        self._objective = neighbor_embedding.objective(Y, h)
        self._spectrum = SpectralGuidance(h=h).spectrum(Y)
        N = len(Y)
        controls = {
            "nu": Slider(notation.label("nu"), 0, 10, 0, steps=100),
            "l": Slider(notation.label("l"), 1, N, 2, whole=True),
            "cut": Choice("kind of guidance", (SOFT, HARD), SOFT),
            "seed": Slider("seed of the start", 0, SEEDS - 1, 3, whole=True),
        }
        super().__init__(controls, size=(8.44, 3.4))

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

    def draw(self, figure):
        of_plain, of_directions, of_guided = figure.subplots(1, 3)
        self._points, self._arrows = [], []
        looks = list(zip(self._clusters, figures.COLORS * 9, figures.MARKERS * 9, strict=False))
        titles = ("Plain: minus the gradient", "Guided: moving together")
        for ax, title in zip((of_plain, of_guided), titles, strict=True):
            reach = (-REACH * self._spread, REACH * self._spread)
            ax.set(xlim=reach, ylim=reach, xlabel="$x_1$", title=title)
            ax.set_aspect("equal", adjustable="box")
            for cluster, color, marker in looks:
                points = ax.scatter([], [], s=30, color=color, marker=marker, lw=0)
                points.set_label(f"cluster {cluster:g}")
                members = self._labels == cluster
                nothing = np.zeros(members.sum())
                arrows = ax.quiver(nothing, nothing, nothing, nothing, color=color, **_SCALE)
                self._points.append((points, members))
                self._arrows.append((arrows, members))
        of_plain.set_ylabel("$x_2$")
        handles = [points for points, _ in self._points[: len(looks)]]
        of_directions.set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), xticks=[], yticks=[])
        of_directions.set_aspect("equal", adjustable="box")
        of_directions.set(title="Aggregated directions", xlabel="the longest has length 1")
        of_directions.spines[:].set_visible(False)
        of_directions.axhline(0, color="#e4e4e4", lw=0.8, zorder=0)
        of_directions.axvline(0, color="#e4e4e4", lw=0.8, zorder=0)
        figure.legend(handles=handles, ncols=len(looks), frameon=False, loc="outside lower center")
        zeros = np.zeros(len(self._spectrum.values))
        look = {"cmap": "viridis", **_SCALE, "width": 0.011, "minshaft": 1.5, "minlength": 0.3}
        self._directions = of_directions.quiver(zeros, zeros, zeros, zeros, zeros, **look)
        self._directions.set_clim(0, min(len(zeros), 12))
        drawn = [artist for artist, _ in self._arrows + self._points]
        return [*drawn, self._directions]

    def move(self, nu, l, cut, seed):
        X = self.start(seed)
        _, gradient = self._objective(X)
        bend = self.filter(nu, l, cut)
        guided = bend(gradient)
        half = len(self._points) // 2
        for k, movements in enumerate((-gradient, -guided)):
            size = np.sqrt(np.mean(np.sum(movements**2, axis=1))) or 1.0
            shown = movements * (ARROW * self._spread / size)
            those = slice(k * half, (k + 1) * half)
            for (points, members), (arrows, _) in zip(
                self._points[those], self._arrows[those], strict=True
            ):
                points.set_offsets(X[members])
                arrows.set_offsets(X[members])
                arrows.set_UVC(*shown[members].T)
        A = -bend.weights[:, None] * (self._spectrum.vectors.T @ gradient)  # (14), weighted
        length = np.linalg.norm(A, axis=1)
        A /= length.max() or 1.0
        order = np.argsort(-np.arange(len(A)))  # the leading directions on top
        self._directions.set_UVC(*A[order].T, np.minimum(order, 10))

        name = f"l = {l}" if cut == HARD else f"ν = {nu:.3g}"
        share = np.sum(guided * gradient) / (
            np.linalg.norm(guided) * np.linalg.norm(gradient) or 1.0
        )
        return (
            f"Seed {seed}, {name}: {bend.directions:.1f} of {len(X)} directions are effectively "
            "free. Mean cosine between the movements of two points of a cluster: plain "
            f"{self.agreement(-gradient):.2f}, guided {self.agreement(-guided):.2f}. The guided "
            f"gradient has a cosine of {share:.2f} with the plain one, so it leads downhill."
        )


_SCALE = {"angles": "xy", "scale_units": "xy", "scale": 1, "width": 0.007, "headwidth": 4.5}
