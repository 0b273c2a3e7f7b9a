"""The scale of each start: R_cv over the scale, and the search in [UKR] 2.3 step 2."""

import numpy as np

from ukrlearn import figures
from ukrlearn.blocks import arguments, scales, starts
from ukrlearn.blocks.arguments import checked
from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.kernel_regression import predict
from ukrlearn.course import notation
from ukrlearn.panels._base import Replay
from ukrlearn.panels._controls import Choice, Slider
from ukrlearn.ukr.reconstruction import squared_residuals

LADDER = 7  # the number of first scales in `scales.best_scale`, a factor of two apart
POINTS = 61  # in each landscape


class ScaleLandscape(Replay):
    """The latent coordinates of several starts, and the best scale for each.

    Left: the data, and the curve of the chosen start at the chosen scale. Right: R_cv over the
    scale, with one line for each start. The vertical line marks the scale that the likelihood of
    the left-out points proposes. Each Step shows one more scale of the search: squares for the
    ladder around the proposal, dots for Nelder-Mead. You can also choose a scale with the slider.
    `table` returns all starts as rows, the best first.

    With a small scale the kernel is wide, and the curve shrinks to the mean. With a large scale,
    each point only has its nearest neighbour.

    Parameters
    ----------
    coordinates : mapping of str to array of shape (N, 1)
        Latent coordinates by the name of their start. Their scale does not matter.
    Y : array of shape (N, 2)
        Data.
    kernel : DensityKernel, default=gaussian
    """

    title = "Scale landscape"
    swept = ("scale", "start")

    @checked(
        coordinates=arguments.mapping(arguments.squarable),
        Y=arguments.squarable,
        kernel=arguments.record(DensityKernel),
    )
    def __init__(self, coordinates, Y, kernel: DensityKernel = gaussian):
        self._Y, self._kernel = Y, kernel
        self._X = {}
        for name, X in coordinates.items():
            if np.shape(X) != (len(self._Y), 1) or self._Y.shape[1:] != (2,):
                raise ValueError(
                    f"The coordinates of {name!r} must have one column, and Y two columns and as "
                    f"many rows; got shapes {np.shape(X)} and {self._Y.shape}."
                )
            self._X[name] = scales.normalised(X)
        self._found = {
            name: scales.best_scale(X, self._error, kernel) for name, X in self._X.items()
        }
        self._likely = {
            name: 1 / scales.likelihood_bandwidth(X, kernel) for name, X in self._X.items()
        }
        tried = [scale[0] for found in self._found.values() for scale, _ in found.path]
        low, high = min(*tried, 1.0) / 2, max(tried) * 2
        self._scales = np.geomspace(low, high, POINTS)
        self._landscapes = {
            name: np.array([self._error(X * scale) for scale in self._scales])
            for name, X in self._X.items()
        }
        first = next(iter(self._X))
        longest = max(len(found.path) for found in self._found.values())
        controls = {
            "frame": Slider("scales tried", 0, longest, 0, whole=True),
            "start": Choice("start", tuple(self._X), first),
            "scale": Slider(notation.label("scale"), low, high, 1.0, log=True, steps=150),
        }
        super().__init__(controls, size=(8.44, 4.1))

    @classmethod
    def example(cls):
        from ukrlearn import datasets

        Y, t = datasets.noisy_spiral(80, random_state=0)
        return cls({"PCA": starts.pca(Y, 1), "true coordinate": t[:, None]}, Y)

    def _error(self, X):
        return squared_residuals(X, self._Y, self._kernel).mean()

    def table(self):
        """The starts at their best scales, the best first, for `figures.candidate_table`."""
        best = min(self._found, key=lambda name: self._found[name].error)
        rows = [
            starts.Candidate(name, self._X[name] * scale, scale, error, chosen=name == best)
            for name, (scale, error, _) in self._found.items()
        ]
        return sorted(rows, key=lambda row: row.cv_error)

    def set(self, **values):
        """As in every panel; showing another trial or start also sets its scale."""
        if values.keys() & {"frame", "start"} and "scale" not in values:
            checked = {name: self._controls[name].checked(value) for name, value in values.items()}
            now = {**self._values, **checked}
            path = self._found[now["start"]].path
            if now["frame"]:
                values["scale"] = path[min(now["frame"], len(path)) - 1][0][0]
        return super().set(**values)

    def draw(self, figure):
        of_data, of_scales = figure.subplots(1, 2, width_ratios=(1, 1.25))
        figures.data(of_data, self._Y, title="Data and curve")
        spread = np.ptp(self._Y, axis=0).max()
        middle = (self._Y.min(axis=0) + self._Y.max(axis=0)) / 2
        of_data.set(
            xlim=middle[0] + np.array([-0.56, 0.56]) * spread,
            ylim=middle[1] + np.array([-0.56, 0.56]) * spread,
        )
        of_data.set_aspect("equal", adjustable="box")
        (self._curve,) = of_data.plot([], [], color=figures.COLORS[1], lw=2)

        words = {"title": "$R_{cv}$ of each start", "across": "scale", "up": "$R_{cv}$"}
        figures.lines(of_scales, self._scales, self._landscapes, **words, log="xy")
        of_scales.set(xlim=self._scales[[0, -1]])
        self._limits = of_scales.get_ylim()
        of_scales.set(ylim=self._limits)
        grey = {"color": "#444444", "lw": 0.9, "ls": ":"}
        (self._proposal,) = of_scales.plot([], [], **grey)
        (self._ladder,) = of_scales.plot([], [], "s", ms=7, mfc="none", mec="#222222", mew=1.2)
        (self._search,) = of_scales.plot([], [], ".-", ms=7, lw=0.7, color="#222222")
        (self._here,) = of_scales.plot([], [], "o", ms=11, mfc="none", mec="#222222", mew=1.8)
        return [self._curve, self._proposal, self._ladder, self._search, self._here]

    def move(self, frame, start, scale):
        X = self._X[start] * scale
        error = self._error(X)
        grid = np.linspace(X.min(), X.max(), 600)[:, None]
        self._curve.set_data(*predict(grid, X, self._Y, self._kernel).T)
        path = [(tried[0], value) for tried, value in self._found[start].path[:frame]]
        tried = np.array(path, dtype=float).reshape(-1, 2)
        self._ladder.set_data(*tried[:LADDER].T)
        self._search.set_data(*tried[LADDER:].T)
        self._here.set_data([scale], [error])
        likely = self._likely[start]
        self._proposal.set_data([likely, likely], self._limits)
        best, least, whole = self._found[start]
        text = f"{start} at scale {scale:.3g}: R_cv = {error:.5f}. "
        text += f"The likelihood proposes scale {likely:.3g}. "
        if frame < len(whole):
            return text + f"{len(path)} of {len(whole)} scales of the search are shown."
        return text + (
            f"All {len(whole)} scales of the search are shown; the best is {best[0]:.3g} with "
            f"R_cv = {least:.5f}."
        )
