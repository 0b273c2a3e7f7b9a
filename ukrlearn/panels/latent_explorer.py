"""A latent map of images: the image f(x) under the pointer, its neighbours, and walks."""

import numpy as np
from matplotlib.patheffects import withStroke

from ukrlearn import figures
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked, same_length
from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.kernel_regression import latent_density, weights
from ukrlearn.course import notation
from ukrlearn.panels._controls import Slider
from ukrlearn.panels._explorable import Explorable, in_the_page, packed, rounded
from ukrlearn.ukr.density_constraint import relative_density

GRID = 12  # images along each axis of the map
NEIGHBORS_SHOWN = 6

_HERE, _NEAR = figures.COLORS[1], figures.COLORS[2]


class LatentExplorer(Explorable):
    """A map of latent space: the pointer is the latent position x, and its image f(x) follows.

    Left: images f(x) on a grid of positions, which fade where the density is low, as in the paper's
    figure 4. The shade is the density, and ends where it falls below the threshold η. Right: the
    decoded image f(x) (2) at the ring, the density p(x) / K(0) (3) as a bar with the threshold, and
    the nearest training images in latent space, with their weights in f(x). Where the density is
    low, one training image has nearly all of the weight, and f(x) is hardly a new image.

    A click holds the position, and another one releases it. Drag to draw a path; the position then
    walks along it. Arrow keys move the position, with Shift by one image of the map; Enter adds it
    to a path, W walks along the path, and Escape forgets it.

    More controls take image files of the reader. The page makes a map of them, of which Python does
    not hear. For a map of more or larger images, fit a model and pass its embedding here.

    Parameters
    ----------
    X : array of shape (N, 2)
        Latent points.
    Y : array of shape (N, height * width)
        Images, one per row.
    image_shape : (int, int)
        Height and width.
    threshold : float, optional
        η; by default the lowest density of a training point, as in step 6 of the paper's scheme.

    Attributes
    ----------
    path : array of shape (M, 2)
        The corners of the path that was drawn last; `put(path=...)` shows another one.
    """

    title = "Latent explorer"
    script = "latent_explorer.js"
    moved = "path"
    pictures = {
        "map": dict(title="Map", hand="move over it, or draw a path", xlabel="x₁", ylabel="x₂"),
        "image": dict(title="Image at the ring", legend=["Nearest, with weights"]),
    }

    @checked(
        same_length("X", "Y"),
        X=arguments.squarable,
        Y=arguments.squarable,
        image_shape=arguments.image_shape,
        kernel=arguments.record(DensityKernel),
        threshold=arguments.share_above_zero,
    )
    def __init__(self, X, Y, image_shape, kernel: DensityKernel = gaussian, threshold=None):
        self._X, self._Y, self._kernel = X, Y, in_the_page(kernel)
        self._shape = tuple(image_shape)
        if self._X.shape[1:] != (2,):
            raise ValueError(f"X must have two columns; got shape {self._X.shape}.")
        density = relative_density(self._X, kernel)
        self._threshold = density.min() if threshold is None else threshold
        self._greatest = density.max()
        self._low, self._high = self._X.min(axis=0), self._X.max(axis=0)
        self._stride = (self._high - self._low) / (GRID - 1)
        first = self._X[np.argmax(density)]
        sliders = {
            f"x{j + 1}": Slider(
                f"{notation.label('x')} x{j + 1}", self._low[j], self._high[j], first[j]
            )
            for j in (0, 1)
        }
        self.path = self._first = np.empty((0, 2))
        super().__init__(sliders, size=(8.44, 4.2))

    @classmethod
    def example(cls):
        """A small, fast example: twos at their first two principal components."""
        from ukrlearn import datasets
        from ukrlearn.blocks import scales, starts

        Y, _ = datasets.digits(2, n_samples=80, random_state=0)
        return cls(4 * scales.normalised(starts.pca(Y, 2)), Y, (8, 8))

    def go(self, right, up):
        """Move by these numbers of images, at most to the border, and return the panel."""
        here = np.array([self._values["x1"], self._values["x2"]])
        x1, x2 = np.clip(here + self._stride * [right, up], self._low, self._high)
        return self.set(x1=x1, x2=x2)

    def data(self):
        return {
            "X": rounded(self._X),
            "Y": packed(self._Y),
            "shape": list(map(int, self._shape)),
            "kernel": self._kernel.name,
            "threshold": float(self._threshold),
            "grid": GRID,
            "shown": NEIGHBORS_SHOWN,
        }

    def _use(self, path):
        self.path = _path(path)

    def look(self, x1, x2):
        """The image f(x), p(x) / K(0), the nearest points and all weights at a position."""
        x = np.array([[x1, x2]])
        b = weights(x, self._X, self._kernel)[0]
        density = latent_density(x, self._X, self._kernel)[0] / self._kernel.at_zero
        nearest = np.argsort(np.sum((self._X - x) ** 2, axis=1), kind="stable")[:NEIGHBORS_SHOWN]
        return b @ self._Y, density, nearest, b

    def draw(self, figure):
        left, middle, right = figure.subfigures(1, 3, width_ratios=[4.4, 2.3, 2.3])
        of_grid = left.add_subplot()
        figures.sampled_manifold(of_grid, self._X, self._Y, self._shape, self._kernel, n_grid=GRID)
        self.write(of_grid, "map")
        outline = dict(path_effects=[withStroke(linewidth=4, foreground="white")])
        (self._near,) = of_grid.plot([], [], "s", mfc="none", mec=_NEAR, ms=9, mew=2, **outline)
        (self._here,) = of_grid.plot([], [], "o", mfc="none", mec=_HERE, ms=17, mew=3, **outline)

        of_image, of_density = middle.subplots(2, 1, height_ratios=[5, 1])
        self._image = self._blank(of_image)
        self.write(of_image, "image")
        of_image.title.set_color(_HERE)
        (self._bar,) = of_density.barh([0], [0], height=0.6, color=figures.COLORS[0])
        border = of_density.axvline(self._threshold, color="#222222", ls="--", lw=1.6)
        of_density.set(
            title="Density $p(x) / K(0)$",
            xlabel="dashed: threshold η",
            xlim=(0, 1.15 * self._greatest),
            ylim=(-0.5, 0.5),
            yticks=[],
        )
        of_density.locator_params("x", nbins=4)

        right.suptitle(*self.pictures["image"]["legend"], size=10, weight="bold", color=_NEAR)
        axes = right.subplots(NEIGHBORS_SHOWN // 2, 2).ravel()
        self._images = [self._blank(ax) for ax in axes]
        for ax in axes:
            ax.set_xlabel(" ")  # reserves room for the text that changes
        self._shares = [
            ax.text(0.5, -0.06, "", transform=ax.transAxes, ha="center", va="top", in_layout=False)
            for ax in axes
        ]
        points = [self._near, self._here]
        return [*points, self._image, self._bar, border, *self._images, *self._shares]

    def move(self, x1, x2):
        image, density, nearest, b = self.look(x1, x2)
        self._here.set_data([x1], [x2])
        self._near.set_data(*self._X[nearest].T)
        self._image.set_data(image.reshape(self._shape))
        self._bar.set_width(density)
        for shown, share, n in zip(self._images, self._shares, nearest, strict=False):
            shown.set_data(self._Y[n].reshape(self._shape))
            share.set_text(f"no. {n}: {100 * b[n]:.0f} %")
        where = "inside" if density >= self._threshold else "outside"
        return (
            f"Position ({x1:.2f}, {x2:.2f}): density p/K(0) = {density:.4f}, {where} the domain "
            f"p/K(0) ≥ η = {self._threshold:.4f}. Nearest training image: no. {nearest[0]}, with "
            f"{100 * b[nearest[0]]:.0f} % of the weight; the nearest {len(nearest)} together "
            f"{100 * b[nearest].sum():.0f} %."
        )

    def _blank(self, ax):
        """An empty image to be filled; ink ranges from the lowest to the highest value in Y."""
        ax.set(xticks=[], yticks=[])
        for spine in ax.spines.values():
            spine.set(visible=True, color="#bbbbbb")
        return ax.imshow(
            np.full(self._shape, self._Y.min()), cmap="gray_r", vmin=self._Y.min(),
            vmax=self._Y.max(), interpolation="nearest",
        )  # fmt: skip


def _path(corners):
    """Finite corners in two columns; the path may be empty."""
    corners = arguments.numbers("path", corners)
    if corners.size and (corners.ndim != 2 or corners.shape[1] != 2):
        raise ValueError(f"path must have two columns; got shape {corners.shape}.")
    return corners.reshape(-1, 2)
