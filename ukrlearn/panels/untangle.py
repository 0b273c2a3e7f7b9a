"""Untangle: a curve through points in no order, which finds the order while one watches."""

import numpy as np

from ukrlearn import datasets, metrics
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked
from ukrlearn.blocks.kernel_regression import predict
from ukrlearn.course import notation
from ukrlearn.estimators.guidance import SpectralGuidance
from ukrlearn.figures.house import MANIFOLD
from ukrlearn.panels._controls import Slider, Switch
from ukrlearn.panels._explorable import Explorable, demand_few, rounded
from ukrlearn.ukr.reconstruction import squared_residuals

LEADING = 60  # eigenvectors that the page gets; the others are represented by their mean
FEWEST = 1.2  # directions at the start


class Untangle(Explorable):
    """Latent points in random order, a Play button, and points that the hand can drag.

    Left: the data and the curve f(x; X). Right: the latent coordinate of each point and its true
    place, which form a line when the order is found. Playing follows the gradient of R_cv, guided
    as in [SGD]: at first points may only move together, in few directions. Then each moves by
    itself, while the curve goes from coarse to fine, which opens the folds at its ends.

    Parameters
    ----------
    Y : array of shape (N, 2)
        Data.
    t : array of shape (N,)
        The true place of each point along the curve, for the colours and the right picture only.
    h : float, optional
        The squared distance at which two data points count as related, [SGD] (12).
    random_state : int
        For the random latent points.

    Attributes
    ----------
    X : array of shape (N, 1)
        The latent points as they are now in the page.
    points : array of shape (N, 2)
        The data as the hand has moved them.
    """

    title = "Untangle"
    script = "untangle.js"
    pictures = {
        "data": dict(title="Data and curve", xlabel="first number", ylabel="second number"),
        "order": dict(
            title="Has the curve found the order?",
            xlabel="latent coordinate of the point",
            ylabel="true place along the curve",
        ),
    }

    @checked(
        Y=arguments.squarable_with(2),
        t=arguments.vector,
        h=arguments.positive,
        random_state=arguments.random_state,
    )
    def __init__(self, Y, t, h=0.02, random_state=0):
        demand_few("Y", Y, least=3)
        if len(t) != len(Y):
            raise ValueError(f"t must have a number for each row of Y; got {len(t)} for {len(Y)}.")
        self.points = np.array(Y)
        self._t = (t - t.min()) / (np.ptp(t) or 1.0)
        self.X = 0.3 * np.random.RandomState(random_state).normal(size=(len(Y), 1))
        self._spectrum = SpectralGuidance(h=h).spectrum(self.points)
        controls = {
            "directions": Slider("freedom of movement", FEWEST, float(len(Y)), FEWEST, log=True),
            "auto": Switch("grows by itself", True),
            "bandwidth": Slider(notation.label("bandwidth"), 0.1, 10.0, 1.0, log=True),
        }
        super().__init__(controls, size=(8.44, 3.9))

    @classmethod
    def example(cls):
        """A small example: the noisy spiral."""
        Y, t = datasets.noisy_spiral(300, noise=0.03, random_state=0)
        return cls(Y, np.ravel(t))

    def data(self):
        return {
            "Y": rounded(self.points),
            "X": rounded(self.X),
            "t": rounded(self._t),
            "then": "Drag a point, and the curve follows.",
            "values": rounded(self._spectrum.values, 9),
            "vectors": rounded(self._spectrum.vectors[:, :LEADING]),
        }

    def take(self, out):
        X = self._rows("X", out["X"], 1) if "X" in out else self.X
        points = self._rows("Y", out["Y"], 2) if "Y" in out else self.points
        self.X, self.points = X, points

    def _rows(self, name, values, columns):
        """Numbers for each point; the page sends them in one list."""
        values, N = arguments.numbers(name, values), len(self.points)
        if values.size != N * columns:
            raise ValueError(
                f"{name} must have shape {(N, columns)}, with a row for each point; got shape "
                f"{values.shape}."
            )
        return values.reshape(N, columns)

    def share(self, twin):
        twin.X, twin.points = self.X.copy(), self.points.copy()

    # The picture for places without a script

    def draw(self, figure):
        left, right = figure.subplots(1, 2)
        self._dots = left.scatter(*self.points.T, c=self._t, cmap="cividis", s=14)
        (self._curve,) = left.plot([], [], color=MANIFOLD, lw=2.2)
        self.write(left, "data")
        left.set_aspect("equal", adjustable="datalim")
        self._places = right.scatter(self.X[:, 0], self._t, c=self._t, cmap="cividis", s=12)
        self.write(right, "order")
        return [self._dots, self._curve, self._places]

    def move(self, directions, auto, bandwidth):
        X, Y = self.X / bandwidth, self.points
        grid = np.linspace(X.min(), X.max(), 400)[:, None]
        self._dots.set_offsets(Y)
        self._curve.set_data(*predict(grid, X, Y).T)
        self._places.set_offsets(np.column_stack([self.X[:, 0], self._t]))
        margin = 0.05 * np.ptp(self.X) + 1e-9
        limits = self.X.min() - margin, self.X.max() + margin
        if self._places.axes.get_xlim() != limits:
            self._places.axes.set_xlim(*limits)
            self.redraw()
        error = squared_residuals(X, Y).mean()
        # Never rounded up to 1; but an order that rounding alone keeps from it, by 1e-12, is right.
        order = np.floor(1000 * metrics.order_recovered(self.X, self._t[:, None]) + 1e-9) / 1000
        grows = ", and in more while it plays" if auto else ""
        rounded = float(f"{directions:.3g}")  # 1000 would be 1e+03
        return (
            f"Leave-one-out error {error:.3g}; order recovered: {order:.3f} of 1. The points may "
            f"move in {rounded:g} directions{grows}."
        )
