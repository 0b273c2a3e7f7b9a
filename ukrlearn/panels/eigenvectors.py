"""What the eigenvectors of an affinity reveal about the data, [SGD] 3.1 and figure 1."""

from functools import lru_cache

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn import figures
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked, same_length
from ukrlearn.course import notation
from ukrlearn.panels._base import Panel
from ukrlearn.panels._controls import Slider
from ukrlearn.sgd.affinity import clustering_affinity, typical_bandwidth
from ukrlearn.sgd.filters import decompose

VECTORS = 20  # the number of eigenvectors that can be chosen
VALUES = 30  # the number of eigenvalues that are drawn
REACHES = (2.4, 6.0, 24.0)  # limits of the axis of entries; a constant vector has entries of 1
SIGNED = "PuOr_r"


class Eigenvectors(Panel):
    """The affinity M, [SGD] (12), its spectrum, and one eigenvector, for data in clusters.

    Left: the data, coloured by the entries of the chosen eigenvector. At the right bandwidth, each
    cluster has one colour. Upper middle: the same entries, with points sorted by cluster. They are
    multiplied by √N, so that a constant vector is 1, and form one level per cluster. Lower middle:
    the eigenvalues; as many are near 1 as there are clusters, followed by a gap. Right: the matrix
    M with its blocks. If h is too small, every point is its own cluster; if h is too large, all
    points form one cluster.

    Parameters
    ----------
    Y : array of shape (N, 2)
        Data.
    labels : array of shape (N,)
        The cluster of each point.
    order : array of shape (N,), optional
        Order of the points within their clusters.
    h : float, optional
        Initial bandwidth. By default, the median point gives its eighth neighbour the weight 1/e.
    """

    title = "Eigenvectors"

    @checked(
        same_length("Y", "order"),
        Y=arguments.squarable,
        labels=arguments.labels,
        order=arguments.vector,
        h=arguments.positive,
    )
    def __init__(self, Y, labels, order=None, h=None):
        if Y.ndim != 2 or Y.shape[1] != 2 or len(Y) < 4 or labels.shape != (len(Y),):
            raise ValueError(
                "Y must have two columns and at least four rows, and labels one entry per row; got "
                f"shapes {Y.shape} and {labels.shape}."
            )
        rows = np.lexsort((np.zeros(len(Y)) if order is None else order, labels))
        self._Y, self._labels = Y[rows], labels[rows]
        self._clusters = np.unique(labels)
        self.spectrum = lru_cache(16)(self._spectrum)
        start = typical_bandwidth(Y) if h is None else h
        most = min(VECTORS, len(Y))
        controls = {
            "h": Slider(notation.label("h"), start / 50, start * 500, start, log=True, steps=108),
            "vector": Slider(notation.label("eigenvectors"), 1, most, 1, whole=True),
        }
        super().__init__(controls, size=(8.44, 4.4))

    @classmethod
    def example(cls):
        from ukrlearn import datasets

        Y, t = datasets.partitioned_circle(random_state=0)
        return cls(Y, np.floor(3 * t), t, h=0.3)

    def _spectrum(self, h):
        """M (N, N), its eigenvalues in descending order, and its eigenvectors as columns.

        Points are in the order of the picture. The nearly constant eigenvector always comes first,
        even if others share its eigenvalue 1.
        """
        M = clustering_affinity(self._Y, h)
        constant = np.sqrt(np.exp(-cdist(self._Y, self._Y, "sqeuclidean") / h).sum(axis=1))
        constant /= np.linalg.norm(constant)
        raised = decompose(
            M + np.outer(constant, constant)
        )  # its eigenvalue is 2: alone, and first
        values, V = 2 * raised.values, raised.vectors
        values[0] -= 1
        V = V * np.where(
            V.T @ np.linspace(1, 0, len(V)) < 0, -1, 1
        )  # signs are arbitrary: fix them
        return M, values, V

    def share_between(self, v):
        """The share of the variance of entries between clusters; 1 if constant on each cluster.

        The share is 0 for a vector that is constant over all points.
        """
        levels = np.zeros_like(v)
        for cluster in self._clusters:
            members = self._labels == cluster
            levels[members] = v[members].mean()
        return float(levels.var() / v.var()) if v.var() > 1e-12 / len(v) else 0.0

    def draw(self, figure):
        grid = figure.add_gridspec(2, 3, width_ratios=(1.1, 1.2, 1))
        of_data = figure.add_subplot(grid[:, 0])
        self._of_entries = figure.add_subplot(grid[0, 1])
        of_values = figure.add_subplot(grid[1, 1])
        of_matrix = figure.add_subplot(grid[:, 2])
        N = len(self._Y)
        figures.data(of_data, self._Y, title="Data, coloured by the entries")
        for points in list(of_data.collections):
            points.remove()
        look = {"cmap": SIGNED, "linewidths": 0.5, "edgecolors": "#555555"}
        self._points = of_data.scatter(*self._Y.T, c=np.zeros(N), s=26, **look)

        ax = self._of_entries
        self._entries = ax.scatter(np.arange(N), np.zeros(N), c=np.zeros(N), s=13, **look)
        borders = np.flatnonzero(self._labels[1:] != self._labels[:-1]) + 0.5
        for border in borders:
            ax.axvline(border, color="#777777", lw=0.8, ls=":")
            of_matrix.axvline(border, color="white", lw=0.6, ls=":")
            of_matrix.axhline(border, color="white", lw=0.6, ls=":")
        ax.axhline(0, color="#777777", lw=0.6)
        ax.set(xlim=(-0.02 * N, 1.02 * N), xlabel="point, cluster after cluster")
        ax.set(ylabel=r"entry $\cdot\ \sqrt{N}$", title="Entries of the eigenvector")
        self._reach = None
        self._fit_entries(0.0)

        shown = min(VALUES, N)
        (self._values_line,) = of_values.plot([], [], "o-", color=figures.COLORS[0], ms=3.5, lw=1)
        (self._chosen,) = of_values.plot([], [], "o", ms=10, mfc="none", mec="#222222", mew=1.6)
        of_values.set(xlim=(0, shown + 1), ylim=(-0.05, 1.08), title="Eigenvalues of M")
        of_values.set(xlabel="number $j$", ylabel=r"$\lambda_j$")
        of_values.grid(True, axis="y")

        self._image = of_matrix.imshow(np.zeros((N, N)), interpolation="nearest")
        of_matrix.set(title="The matrix M", xlabel="point", ylabel="point")
        # The layout is computed once; otherwise new limits would shift the Axes slightly.
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        drawn = [self._points, self._entries, self._values_line, self._chosen, self._image]
        return [*drawn, *of_matrix.lines]

    def move(self, h, vector):
        M, values, V = self.spectrum(h)
        v = V[:, vector - 1] * np.sqrt(len(V))
        largest = np.abs(v).max()
        self._fit_entries(largest)
        for artist in (self._points, self._entries):
            artist.set_array(v)
            artist.set_clim(-largest, largest)
        self._entries.set_offsets(np.column_stack([np.arange(len(v)), v]))
        shown = np.arange(1, min(VALUES, len(v)) + 1)
        self._values_line.set_data(shown, values[: len(shown)])
        self._chosen.set_data([vector], [values[vector - 1]])
        self._image.set_data(M)
        self._image.set_clim(0, M.max())

        levels = ", ".join(f"{v[self._labels == c].mean():.2f}" for c in self._clusters)
        falls = values[: len(shown)] - np.append(values[1 : len(shown)], values[len(shown) - 1])
        widest = int(np.argmax(falls))
        gap = (
            f"the widest gap follows number {widest + 1} ({values[widest]:.3f} to "
            f"{values[widest + 1]:.3f})"
            if falls[widest] > 0.01
            else "they have no gap: all are nearly equal"
        )
        return (
            f"h = {h:.3g}, eigenvector {vector}: eigenvalue {values[vector - 1]:.3f}. Mean entries "
            f"times √N in the {len(self._clusters)} clusters: {levels}; "
            f"{100 * self.share_between(v):.0f} % of the variance of the entries lies between "
            f"clusters. Of the first {len(shown)} eigenvalues {gap}; the greatest entry of M is "
            f"{M.max():.3f}."
        )

    def _fit_entries(self, largest):
        """Set limits that include all entries, and change them only if necessary."""
        reach = next((r for r in REACHES if largest < r), 1.1 * largest)
        if reach != self._reach:
            tick = np.floor(reach) if reach < 3 else np.floor(reach / 1.15)
            self._of_entries.set(ylim=(-reach, reach), yticks=[-tick, 0, tick])
            self._reach = reach
            self.redraw()
