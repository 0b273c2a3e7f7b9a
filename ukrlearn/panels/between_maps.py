"""Two ways to place a new point on a curve: evaluate F, or search for the nearest place."""

import numpy as np
from matplotlib.collections import LineCollection

from ukrlearn import figures
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked
from ukrlearn.estimators import UKR
from ukrlearn.estimators.drur import ParametricDRUR
from ukrlearn.panels._base import Panel
from ukrlearn.panels._controls import Slider

POSITIONS = 1500  # along the curve, at which the search looks
BEYOND = 0.15  # the search goes beyond the latent points by this share of their range
STEPS = 20


class BetweenMaps(Panel):
    """New points on the curves of DRUR and UKR, with a slider from F(y) to the nearest place.

    DRUR has a second map F, which places a point y in one evaluation, like the encoder of an
    autoencoder. UKR has no such map and searches for the nearest place on its curve, (19) of [UKR].
    Left: the curve f of DRUR; each new point is joined to f(x), where x has the least

        s |y - f(x)|² + (1 - s) |x - F(y)|².

    The slider sets s: at 0, x is F(y); at 1, f(x) is the nearest place on the curve. With equal
    weights this is (7) of [DRUR]. Middle: the same new points on the curve of UKR. Right: the mean
    squared distance of the new points from their places, up to the s of the slider.

    Parameters
    ----------
    drur : ParametricDRUR
        Fitted to data with two columns, with one latent dimension.
    ukr : UKR
        Fitted to the same data, with one latent dimension.
    Y : array of shape (N, 2)
        The data.
    new : array of shape (M, 2)
        New points.
    """

    title = "Between two maps"

    @checked(
        drur=arguments.record(ParametricDRUR),
        ukr=arguments.record(UKR),
        Y=arguments.squarable_with(2),
        new=arguments.squarable_with(2),
    )
    def __init__(self, drur, ukr, Y, new):
        for name, model in (("drur", drur), ("ukr", ukr)):
            X = getattr(model, "embedding_", None)
            if X is None or X.shape != (len(Y), 1):
                raise ValueError(
                    f"{name} must be fitted to Y with n_components=1; got "
                    f"{'no fit' if X is None else f'an embedding of shape {X.shape}'}."
                )
        self._Y, self._new = Y, new
        # The places of DRUR are compared in the units of its fit, in which (1) weighs both terms.
        y, X = drur._data.into(new), drur._latent.into(drur.embedding_)
        room = BEYOND * np.ptp(X)
        F_y = drur.F_(y)
        along = np.linspace(X.min() - room, X.max() + room, POSITIONS)[None]
        self._x = np.concatenate([np.repeat(along, len(new), axis=0), F_y], axis=1)  # F(y) is one
        f = drur.f_(self._x.reshape(-1, 1)).reshape(*self._x.shape, 2)
        self._far = np.sum((f - y[:, None]) ** 2, axis=2)  # |y - f(x)|²
        self._apart = (self._x - F_y) ** 2  # |x - F(y)|²
        self._images = drur._data.out_of(f.reshape(-1, 2)).reshape(f.shape)
        self._curve = drur.inverse_transform(np.linspace(*_ends(drur.embedding_), 400)[:, None])
        self._ukr_curve = ukr.inverse_transform(np.linspace(*_ends(ukr.embedding_), 400)[:, None])
        self._ukr_places = ukr.inverse_transform(ukr.transform(new))
        self._ukr_error = float(np.mean(np.sum((new - self._ukr_places) ** 2, axis=1)))
        self._shares = np.linspace(0, 1, STEPS + 1)
        self._errors = np.array([self.error(share) for share in self._shares])
        controls = {
            "share": Slider("s, from F(y) at 0 to the nearest place at 1", 0, 1, 0, steps=STEPS)
        }
        super().__init__(controls, size=(8.44, 3.6))

    @classmethod
    def example(cls):
        """A noisy arc, and new points that lie farther from it."""
        from ukrlearn import datasets

        Y, t = datasets.noisy_arc(120, random_state=0)
        new, _ = datasets.noisy_arc(14, noise=0.25, random_state=1)
        drur = ParametricDRUR(1, init=t[:, None], n_basis=12, max_iter=5).fit(Y)
        return cls(drur, UKR(1, init=t[:, None], max_iter=30).fit(Y), Y, new)

    def places(self, share):
        """The places f(x) (M, 2) on the curve of DRUR."""
        best = np.argmin(share * self._far + (1 - share) * self._apart, axis=1)
        return self._images[np.arange(len(best)), best]

    def error(self, share):
        """The mean squared distance between the new points and their places on DRUR's curve."""
        return float(np.mean(np.sum((self._new - self.places(share)) ** 2, axis=1)))

    def draw(self, figure):
        of_drur, of_ukr, of_errors = figure.subplots(1, 3, width_ratios=(1.1, 1.1, 1))
        moving = []
        for ax, title, curve in (
            (of_drur, "DRUR: curve f, with F", self._curve),
            (of_ukr, "UKR: nearest places", self._ukr_curve),
        ):
            figures.data(ax, self._Y, title=title)
            ax.plot(*curve.T, color=figures.COLORS[1], lw=2, label="curve")
            lines = ax.add_collection(LineCollection([], colors="#222222", linewidths=1))
            ax.plot(*self._new.T, "X", ms=7, color="#222222", mec="white", label="new point y")
            (places,) = ax.plot([], [], "o", ms=6, color=figures.COLORS[0], mec="white")
            places.set_label("its place")
            moving.append((lines, places))
        (self._lines, self._dots), (lines, dots) = moving
        lines.set_segments(np.stack([self._new, self._ukr_places], axis=1))
        dots.set_data(*self._ukr_places.T)
        figure.legend(
            *of_drur.get_legend_handles_labels(), loc="outside lower left", ncols=3, frameon=False
        )
        (self._error,) = of_errors.plot([], [], color=figures.COLORS[0], label="DRUR")
        (self._now,) = of_errors.plot([], [], "o", ms=9, mfc="none", mec="#222222", mew=1.6)
        of_errors.axhline(
            self._ukr_error, ls=(0, (5, 1.5)), color=figures.COLORS[2], lw=1.6, label="UKR"
        )
        of_errors.set(
            xlim=(-0.04, 1.04),
            ylim=(0, 1.15 * max(self._errors.max(), self._ukr_error)),
            xlabel="s",
            ylabel="mean squared distance",
            title="New points",
        )
        of_errors.legend(loc="lower left", framealpha=0.8, edgecolor="none")
        return [self._lines, self._dots, self._error, self._now]

    def move(self, share):
        places, error = self.places(share), self.error(share)
        self._lines.set_segments(np.stack([self._new, places], axis=1))
        self._dots.set_data(*places.T)
        until = self._shares <= share + 1e-9
        self._error.set_data(self._shares[until], self._errors[until])
        self._now.set_data([share], [error])
        where = {0: " (F(y) alone)", 1: " (the nearest place)"}.get(share, "")
        return (
            f"s = {share:.2f}{where}: {len(self._new)} new points lie at a mean squared distance "
            f"of {error:.4f} from their places on DRUR's curve; with F(y) alone it is "
            f"{self._errors[0]:.4f}. From the nearest places on UKR's curve it is "
            f"{self._ukr_error:.4f}."
        )


def _ends(X):
    return X.min(), X.max()
