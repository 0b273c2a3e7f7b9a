"""Data that the hand draws, a curve through them, and the way to an estimator and back."""

import numpy as np

from ukrlearn import metrics
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked
from ukrlearn.blocks.kernel_regression import predict
from ukrlearn.figures.house import MANIFOLD
from ukrlearn.panels._controls import Slider
from ukrlearn.panels._explorable import Explorable, pairs
from ukrlearn.ukr.reconstruction import squared_residuals

GRID = 400  # places along the curve


class DrawData(Explorable):
    """An empty plane to draw points on, and a button that fits a curve to them.

    Left: the points, coloured in the order of drawing, and the curve f(x; X). Right: the latent
    coordinate of each point and when it was drawn. The page puts the points in the order of the
    leading eigenvector of their affinity, [SGD] (12), chooses the length of the curve with the
    least leave-one-out error, and goes on with RPROP. A pointer on the left is projected onto the
    curve, and a pointer on the right shows f(x) for its x. Points that are drawn after the fit get
    the latent coordinates of their projections.

    The points can be given to an estimator, and its result to the panel, in later cells::

        panel = DrawData()
        model = UKR(n_components=1).fit(panel.points)
        panel.put(X=model.embedding_)

    Parameters
    ----------
    points : array of shape (N, 2), optional
        Points to begin with.

    Attributes
    ----------
    points : array of shape (N, 2)
        The data as the hand has left them.
    X : array of shape (N, 1) or None
        Latent coordinates, if a curve has been fitted.
    """

    title = "Draw your own data"
    script = "draw_data.js"
    pictures = {
        "data": dict(
            title="Data and curve",
            hand="draw points",
            xlabel="first number",
            ylabel="second number",
        ),
        "places": dict(
            title="Latent coordinate of each point",
            xlabel="latent coordinate x",
            ylabel="order in which it was drawn",
        ),
    }

    @checked(points=arguments.optional(arguments.squarable_with(2)))
    def __init__(self, points=None):
        self.points = pairs([] if points is None else points)
        self.X = None
        controls = {"scatter": Slider("scatter of new points", 0.0, 0.2, 0.02)}
        super().__init__(controls, size=(8.44, 3.9))

    @classmethod
    def example(cls):
        """A small example: an S, to be changed by hand."""
        t = np.linspace(-1, 1, 40)
        noise = 0.03 * np.random.RandomState(0).normal(size=(40, 2))
        return cls(np.column_stack([0.6 * np.sin(1.5 * np.pi * t), 0.8 * t]) + noise)

    def put(self, X=None, Y=None):
        """Show latent coordinates X, and the data Y if they are not those of the panel.

        X belongs to the rows of Y, as after ``UKR(n_components=1).fit(Y)``. Return the panel.
        """
        points = self.points if Y is None else pairs(Y, "Y")
        latent = [] if X is None else _column(X, len(points))
        return super().put(points=points, X=latent)

    def data(self):
        return {
            "points": self.points.tolist(),
            "X": [] if self.X is None else self.X.ravel().tolist(),
        }

    def take(self, out):
        points = pairs(out["points"])
        latent = np.ravel(out.get("X", []))
        self.X = _column(latent, len(points)) if len(latent) else None
        self.points = points

    def share(self, twin):
        twin.points, twin.X = self.points, self.X

    # The picture for places without a script

    def draw(self, figure):
        left, right = figure.subplots(1, 2)
        look = {"cmap": "cividis", "s": 16}
        self._dots = left.scatter([], [], c=[], **look)
        (self._curve,) = left.plot([], [], color=MANIFOLD, lw=2.2)
        self.write(left, "data")
        left.set_aspect("equal", adjustable="box")
        self._places = right.scatter([], [], c=[], **look)
        self.write(right, "places")
        self._shown = None  # the points and coordinates that the axes are made for
        return [self._dots, self._curve, self._places]

    def move(self, scatter):
        if self._shown is None or self._shown[0] is not self.points or self._shown[1] is not self.X:
            self._fit_axes()
        told = f"New points scatter by {scatter:.2g}."
        N = len(self.points)
        if N == 0:
            return f"There are no points yet. {told}"
        if self.X is None:
            return f"{N} point{'s' * (N > 1)}. No curve yet. {told}"
        if N < 3:
            return f"{N} point{'s' * (N > 1)}. {told}"
        error = squared_residuals(self.X, self.points).mean()
        order = metrics.order_recovered(self.X, np.arange(N)[:, None])
        return (
            f"{N} points. Leave-one-out error {error:.3g}. Order of drawing recovered: {order:.2f} "
            f"of 1. {told}"
        )

    def _fit_axes(self):
        """Draw the points and the curve as they are now."""
        number = np.arange(1, len(self.points) + 1)
        reach = 1.1 * np.abs(self.points).max(initial=1 / 1.1)
        self._dots.axes.set(xlim=(-reach, reach), ylim=(-reach, reach))
        latent = np.full(len(number), np.nan) if self.X is None else self.X[:, 0]
        for dots, offsets in (
            (self._dots, self.points),
            (self._places, np.column_stack([latent, number])),
        ):
            dots.set_offsets(offsets)
            dots.set_array(number)
            dots.set_clim(1, max(len(number), 2))
        ends = (-1.0, 1.0)
        self._curve.set_data([], [])
        if self.X is not None:
            ends = self.X.min(), self.X.max()
            grid = np.linspace(*ends, GRID)[:, None]
            self._curve.set_data(*predict(grid, self.X, self.points).T)
        margin = 0.05 * (ends[1] - ends[0]) or 1.0
        self._places.axes.set_xlim(ends[0] - margin, ends[1] + margin)
        self._places.axes.set_ylim(0, max(len(number) + 1, 10))
        self._shown = self.points, self.X
        self.redraw()


def _column(X, N):
    """One finite latent coordinate for each of N points."""
    X = arguments.numbers("X", X)
    if X.ndim == 2 and X.shape[1] != 1 or X.size != N:
        raise ValueError(
            f"X must have one column and a row for each of {N} points; got shape {X.shape}. Fit "
            "UKR(n_components=1), and pass the data as Y if they are not panel.points."
        )
    return X.reshape(-1, 1)
