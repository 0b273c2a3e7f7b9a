"""Pictures of data, latent spaces and manifolds, each drawn onto the Axes it is given.

Nothing here fits anything, and nothing touches pyplot, so no figure is left behind. Every function
takes the Axes first and returns the artists that it drew: a panel keeps them and moves them
(``set_data``, ``set_offsets``) instead of drawing again. `blank` makes figures in the house style.

>>> figure, ax = blank()
>>> points = data(ax, [[0, 0], [1, 2], [2, 0]])
>>> ax.get_title(), ax.get_xlabel()
('Data', '$y_1$')
"""

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import wraps
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib import rc_context, rc_params_from_file
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.ticker import (
    LogLocator,
    MaxNLocator,
    NullFormatter,
    NullLocator,
    ScalarFormatter,
)
from scipy.spatial import cKDTree

from ukrlearn import kernel_regression
from ukrlearn.density_kernels import DensityKernel, gaussian

__all__ = [
    "COLORS",
    "MARKERS",
    "bars",
    "blank",
    "candidate_table",
    "curve",
    "data",
    "error_curve",
    "latent",
    "latent_density",
    "latent_map",
    "lines",
    "manifold",
    "manifold_grid",
    "manifold_grid_of",
    "manifold_of",
    "matrix",
    "order",
    "patches",
    "sampled_manifold",
    "show",
    "springs",
    "style",
]

_STYLE = rc_params_from_file(Path(__file__).with_name("ukrlearn.mplstyle"), False, False)

COLORS = tuple(_STYLE["axes.prop_cycle"].by_key()["color"])
MARKERS = ("o", "^", "s", "D", "v", "P", "X")

_POINT = "#8c9aa8"  # data: present, and behind the manifold
_MANIFOLD = COLORS[1]
_TRUTH = "#444444"
_DASHES = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)))


def style():
    """The course's matplotlib settings, as a context manager: ``with figures.style(): ...``"""
    return rc_context(_STYLE)


def _in_style(draw):
    """The drawing function, made independent of the settings of whoever calls it."""

    @wraps(draw)
    def drawn(ax, *arguments, **options):
        with style():
            return draw(ax, *arguments, **options)

    return drawn


def blank(n_rows=1, n_columns=1, *, size=None, projection=None):
    """A new figure, without pyplot, and its Axes.

    Parameters
    ----------
    n_rows, n_columns : int, default=1
    size : (float, float), optional
        Inches; by default 4 x 3.2 for each Axes.
    projection : None or "3d", or a list with one entry for each Axes

    Returns
    -------
    figure : matplotlib.figure.Figure
    axes : Axes, or ndarray of shape (n_rows * n_columns,) of them
    """
    n_axes = n_rows * n_columns
    projections = [projection] * n_axes if projection in (None, "3d") else list(projection)
    if len(projections) != n_axes:
        raise ValueError(
            f"projection must have one entry for each of the {n_axes} Axes; got {projection!r}."
        )
    with style():
        figure = Figure(figsize=size or (4 * n_columns, 3.2 * n_rows))
        axes = [
            figure.add_subplot(n_rows, n_columns, place + 1, projection=projections[place])
            for place in range(n_axes)
        ]
    return figure, axes[0] if n_axes == 1 else np.array(axes)


@dataclass(frozen=True)
class Picture:
    """A finished figure with its text: what the last line of a cell shows."""

    figure: Figure
    text: str  # what a reader who does not see it needs to know, numbers included

    def __repr__(self):
        return self.text

    def png(self, dpi=None):
        """The picture as the bytes of a PNG file."""
        file = io.BytesIO()
        with style():
            # Equal units change the limits and with them the labels that the layout has measured:
            # one drawing for the limits, one for the picture.
            self.figure.draw_without_rendering()
            self.figure.savefig(file, format="png", dpi=dpi or "figure")
        return file.getvalue()

    def _repr_mimebundle_(self, include=None, exclude=None):
        """A PNG with the text as its alternative; the text alone where pictures are not shown."""
        # Shown at 100 dots an inch, stored with more: sharp on fine screens.
        shown = {"alt": self.text, "width": round(self.figure.get_figwidth() * 100)}
        return {"image/png": self.png(dpi=150)}, {"image/png": shown}


def show(figure, text):
    """The figure and its alternative text, as something that a notebook displays.

    >>> figure, ax = blank()
    >>> show(figure, "An empty pair of axes.").text
    'An empty pair of axes.'
    """
    if not text.strip():
        raise ValueError("text must say what the figure shows; got nothing.")
    return Picture(figure, text)


# --------------------------------------------------------------------------------- points, curves


@_in_style
def data(ax, Y, t=None, *, labels=None, names=None, title="Data"):
    """Points in data space, coloured by a coordinate t or marked by class.

    Parameters
    ----------
    ax : Axes
        With projection="3d" if Y has three columns.
    Y : array-like of shape (N, 2) or (N, 3)
    t : array-like of shape (N,), optional
        Colours, from dark (small) to bright.
    labels : array-like of shape (N,), optional
        Classes: a colour and a marker each, and a legend.
    names : sequence of str, optional
        What the legend calls the classes, in sorted order of the labels.
    title : str

    Returns
    -------
    points : PathCollection, or a list of one for each class
    """
    return _points(ax, Y, t, labels, names, title, letter="y")


@_in_style
def latent(ax, X, t=None, *, labels=None, names=None, title="Latent coordinates"):
    """Points in a latent space of two or three dimensions; otherwise as `data`."""
    return _points(ax, X, t, labels, names, title, letter="x")


@_in_style
def order(ax, x, t, *, title="Latent order"):
    """Latent against true coordinate: a rising or falling line if the order was recovered.

    Parameters
    ----------
    ax : Axes
    x, t : array-like of shape (N,) or (N, 1)
        Latent and true coordinate.
    title : str

    Returns
    -------
    points : PathCollection
        Coloured by t, as in ``data(ax, Y, t)``.
    """
    x, t = np.ravel(x), np.ravel(t)
    points = ax.scatter(t, x, c=t, s=_area(ax, len(x)), cmap="viridis", linewidths=0)
    _finish(ax, title, ("true coordinate $t$", "latent coordinate $x$"))
    return points


@_in_style
def curve(ax, points, *, label="clean curve"):
    """A curve through points in their order, dashed: the truth beside a manifold.

    Parameters
    ----------
    ax : Axes
    points : array-like of shape (M, 2) or (M, 3)
        Rows of NaN interrupt the curve.
    label : str
        For a legend; none is drawn.

    Returns
    -------
    line : Line2D or Line3D
    """
    points = np.asarray(points, dtype=float)
    _check_columns(ax, points, "points")
    (line,) = ax.plot(*points.T, color=_TRUTH, linewidth=1, linestyle=(0, (4, 2)), label=label)
    return line


def _points(ax, Y, t, labels, names, title, letter):
    Y = np.asarray(Y, dtype=float)
    _check_columns(ax, Y, letter.upper())
    look = {"s": _area(ax, len(Y)), "linewidths": 0}
    if ax.name == "3d":
        look["depthshade"] = False  # colour means t or class, not distance
    if labels is not None:
        drawn = _classes(ax, Y, labels, names, look)
    elif t is not None:
        drawn = ax.scatter(*Y.T, c=np.ravel(t), cmap="viridis", **look)
    else:
        drawn = ax.scatter(*Y.T, color=_POINT, **look)
    _finish(ax, title, [f"${letter}_{j + 1}$" for j in range(Y.shape[1])])
    _equal_units(ax)
    return drawn


def _classes(ax, Y, labels, names, look):
    """One scatter for each class, with its own colour and marker, and a legend."""
    labels = np.asarray(labels)
    classes = np.unique(labels)
    names = [str(c) for c in classes] if names is None else list(names)
    if len(names) != len(classes):
        raise ValueError(
            f"names must name the {len(classes)} classes in labels; got {len(names)} names."
        )
    drawn = [
        ax.scatter(*Y[labels == c].T, color=color, marker=marker, label=name, **look)
        for c, name, color, marker in zip(classes, names, cycle(COLORS), cycle(MARKERS))
    ]
    _legend(ax, below=3)
    return drawn


# -------------------------------------------------------------------------------------- manifolds


def manifold_grid(X, Y, kernel: DensityKernel = gaussian, *, density_threshold=None, n_grid=None):
    """A grid of latent positions and their images f(x; X), [UKR] (2).

    The grid spans the smallest to the largest latent coordinate. The manifold does not exist where
    the density is too low ([UKR] (7)): there, and where no kernel reaches, the images are NaN.

    Parameters
    ----------
    X : array-like of shape (N, q)
        Latent points, q = 1 or 2.
    Y : array-like of shape (N, d)
        Data.
    kernel : DensityKernel, default=gaussian
    density_threshold : float, optional
        η: only p(x) ≥ η K(0) is kept.
    n_grid : int, optional
        Positions along the longer axis; the other has as many as make the cells square, but at
        least 8. By default 600 on a curve, 40 on a surface.

    Returns
    -------
    x : ndarray of shape (n_grid, 1) or (n_first, n_second, 2)
        Positions.
    f : ndarray of shape (n_grid, d) or (n_first, n_second, d)
        Their images.
    """
    X, Y = _latent_points(X, (1, 2)), np.asarray(Y, dtype=float)
    n_grid = n_grid or (600 if X.shape[1] == 1 else 40)
    x = _map_grid(X, n_grid)
    flat = x.reshape(-1, X.shape[1])
    f = kernel_regression.predict(flat, X, Y, kernel)
    density = kernel_regression.latent_density(flat, X, kernel)
    f[(density < (density_threshold or 0) * kernel.at_zero) | (density == 0)] = np.nan
    return x, f.reshape(*x.shape[:-1], Y.shape[1])


def _map_grid(X, n_grid):
    """Latent positions with square cells, n_grid along the longer axis, at least 8 along any."""
    extent = np.ptp(X, axis=0)
    share = extent / extent.max() if extent.max() > 0 else np.ones(X.shape[1])
    return _grid(X, np.maximum(np.rint(n_grid * share), min(n_grid, 8)).astype(int))


@_in_style
def manifold(
    ax,
    X,
    Y,
    kernel: DensityKernel = gaussian,
    *,
    density_threshold=None,
    n_grid=None,
    color=_MANIFOLD,
    label="manifold",
):
    """The manifold f(x; X) in data space: [UKR] figures 1 and 2.

    A line for a one-dimensional latent space, a net of latent grid lines for a two-dimensional one.
    Draw `data` first: it sets title and labels.

    Parameters
    ----------
    ax : Axes
        With projection="3d" if Y has three columns.
    X : array-like of shape (N, 1) or (N, 2)
        Latent points.
    Y : array-like of shape (N, 2) or (N, 3)
        Data. A surface needs three columns.
    kernel, density_threshold, n_grid
        As in `manifold_grid`.
    color : color
    label : str
        For a legend; none is drawn.

    Returns
    -------
    line : Line2D or Line3D, or Poly3DCollection for a surface
        To move a line: ``line.set_data(*f.T)``, in 3-D ``line.set_data_3d(*f.T)``, with f from
        `manifold_grid`.
    """
    Y = np.asarray(Y, dtype=float)
    _check_columns(ax, Y, "Y")
    _, f = manifold_grid(X, Y, kernel, density_threshold=density_threshold, n_grid=n_grid)
    return _line_or_net(ax, f, color, label)


@_in_style
def manifold_of(ax, f, X, *, n_grid=None, reach=None, color=_MANIFOLD, label="manifold"):
    """The image of latent space under any map f, such as a network of [DRUR].

    Parameters
    ----------
    ax : Axes
        With projection="3d" if the data have three columns.
    f : callable
        Latent positions (M, q) -> data (M, d), d = 2 or 3; a surface needs three.
    X : array-like of shape (N, q)
        Latent points, q = 1 or 2: the image is drawn from the least to the greatest of them.
    n_grid, reach
        As in `manifold_grid_of`.
    color, label
        As in `manifold`.

    Returns
    -------
    line : Line2D or Line3D, or Poly3DCollection for a surface
        To move a net: ``net.set_verts(patches(f))``, with f from `manifold_grid_of`.
    """
    _, image = manifold_grid_of(f, X, n_grid=n_grid, reach=reach)
    _check_columns(ax, image.reshape(-1, image.shape[-1]), "f(x)")
    return _line_or_net(ax, image, color, label)


def manifold_grid_of(f, X, *, n_grid=None, reach=None):
    """A grid of latent positions over the range of X, and their images under any map f.

    Parameters
    ----------
    f : callable
        Latent positions (M, q) -> data (M, d).
    X : array-like of shape (N, 1) or (N, 2)
        Latent points.
    n_grid : int, optional
        As in `manifold_grid`; by default 600 on a curve, 24 on a surface.
    reach : float, optional
        Positions that are further than this from all latent points are left out: f knows nothing
        there. In steps of the grid.

    Returns
    -------
    x : ndarray of shape (n_grid, 1) or (n_first, n_second, 2)
        Positions.
    image : ndarray of shape (n_grid, d) or (n_first, n_second, d)
        Their images; NaN where nothing is near.
    """
    X = _latent_points(X, (1, 2))
    x = _map_grid(X, n_grid or (600 if X.shape[1] == 1 else 24))
    flat = x.reshape(-1, X.shape[1])
    image = np.array(f(flat), dtype=float)
    if reach is not None:
        step = np.ptp(X, axis=0).max() / (max(x.shape[:-1]) - 1)
        distance, _ = cKDTree(X).query(flat)
        image[distance > reach * step] = np.nan
    return x, image.reshape(*x.shape[:-1], -1)


def _line_or_net(ax, f, color, label):
    """A manifold from its values on a latent grid."""
    if f.ndim == 2:
        (drawn,) = ax.plot(*f.T, color=color, linewidth=2.2, label=label)
    elif ax.name == "3d":
        drawn = _net(ax, f, color, label)
    else:
        raise ValueError(
            "A two-dimensional manifold needs data of 3 columns; got 2. Use latent_density or "
            "sampled_manifold, or pass one latent column."
        )
    if not ax.get_title():
        _finish(ax, "Manifold", [f"$y_{j + 1}$" for j in range(f.shape[-1])])
    return drawn


def _net(ax, f, color, label):
    """The surface through a grid of points, translucent, with its grid lines."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    cells = patches(f)
    net = Poly3DCollection(
        cells,
        facecolors=(*to_rgb(color), 0.15),
        edgecolors=(*to_rgb(color), 0.6),
        linewidths=0.5,
        label=label,
    )
    ax.add_collection3d(net)
    if len(cells):
        ax.auto_scale_xyz(*cells.reshape(-1, 3).T)
    return net


def patches(f):
    """The corners (M, 4, 3) of the cells of a grid of points (n, m, 3), but of those with NaN."""
    corners = np.stack([f[:-1, :-1], f[1:, :-1], f[1:, 1:], f[:-1, 1:]], axis=2)
    cells = corners.reshape(-1, 4, f.shape[-1])
    return cells[np.isfinite(cells).all(axis=(1, 2))]


class DensityArtists(NamedTuple):
    """What `latent_density` drew."""

    density: Any  # QuadMesh, or the Line2D of p for one latent dimension
    contour: Any  # where p(x) = η K(0); None without a threshold
    points: Any  # the latent points


@_in_style
def latent_density(
    ax,
    X,
    kernel: DensityKernel = gaussian,
    *,
    density_threshold=None,
    n_grid=120,
    title="Latent density",
):
    """The latent density p(x) / K(0) with the points, and the contour p(x) = η K(0).

    [UKR] (3), (7) and figures 4a, 4b. For a one-dimensional latent space p is a curve above the
    points, and the threshold a horizontal line.

    Parameters
    ----------
    ax : Axes
    X : array-like of shape (N, 1) or (N, 2)
        Latent points.
    kernel : DensityKernel, default=gaussian
    density_threshold : float, optional
        η, for the contour.
    n_grid : int, default=120
        Positions along each axis.
    title : str

    Returns
    -------
    drawn : DensityArtists (density, contour, points)
    """
    X = _latent_points(X, (1, 2))
    x = _grid(X, n_grid, margin=0.12)
    p = kernel_regression.latent_density(x.reshape(-1, X.shape[1]), X, kernel) / kernel.at_zero
    if X.shape[1] == 1:
        (density,) = ax.plot(x[:, 0], p, color=COLORS[0], label="$p(x) / K(0)$")
        floor = np.zeros(len(X)) - 0.04 * p.max()
        (points,) = ax.plot(X[:, 0], floor, "|", color=_POINT, markersize=6, markeredgewidth=0.6)
        contour = None
        if density_threshold is not None:
            contour = ax.axhline(density_threshold, color=_MANIFOLD, linewidth=1.4, label=r"$\eta$")
            _legend(ax)
        _finish(ax, title, ("$x_1$", "$p(x) / K(0)$"))
        return DensityArtists(density, contour, points)

    p = p.reshape(n_grid, n_grid)
    density = ax.pcolormesh(
        x[:, 0, 0], x[0, :, 1], p.T, cmap="cividis", shading="gouraud", vmin=0, rasterized=True
    )
    points = ax.scatter(*X.T, s=0.5 * _area(ax, len(X)), color="white", linewidths=0, alpha=0.8)
    contour = _threshold_contour(ax, x, p, density_threshold, color=_MANIFOLD)
    _finish(ax, title, ("$x_1$", "$x_2$"))
    ax.set_aspect("equal", adjustable="box")
    return DensityArtists(density, contour, points)


@_in_style
def sampled_manifold(
    ax,
    X,
    Y,
    image_shape,
    kernel: DensityKernel = gaussian,
    *,
    n_grid=12,
    title="Sampled manifold",
):
    """The images f(x; X) on a grid of latent positions, dimmed by density: [UKR] figure 4.

    Ink is scaled from the smallest to the largest value in Y, then by p(x) / max p: images fade
    into the paper where there are no data.

    Parameters
    ----------
    ax : Axes
    X : array-like of shape (N, 2)
        Latent points.
    Y : array-like of shape (N, d)
        Images, one a row.
    image_shape : (int, int)
        Height and width; their product is d.
    kernel : DensityKernel, default=gaussian
    n_grid : int, default=12
        Images along each axis.
    title : str

    Returns
    -------
    image : AxesImage
        Ink between 0 and 1.
    """
    X, Y = _latent_points(X, (2,)), np.asarray(Y, dtype=float)
    height, width = image_shape
    if height * width != Y.shape[1]:
        raise ValueError(
            f"image_shape must multiply to the {Y.shape[1]} columns of Y; got {image_shape}."
        )
    x = _grid(X, n_grid)
    flat = x.reshape(-1, 2)
    f = kernel_regression.predict(flat, X, Y, kernel)
    density = kernel_regression.latent_density(flat, X, kernel)
    paper, full = Y.min(), Y.max()
    ink = (f - paper) / ((full - paper) or 1) * (density / density.max())[:, None]
    # (x₁, x₂, row, column) -> rows of the page from the top (largest x₂), columns from the left,
    # with a pixel of paper between two images.
    ink = np.pad(ink.reshape(n_grid, n_grid, height, width), [(0, 0), (0, 0), (0, 1), (0, 1)])
    height, width = height + 1, width + 1
    page = ink[:, ::-1].transpose(1, 2, 0, 3).reshape(n_grid * height, n_grid * width)
    # Each image is centred on its latent position.
    step = np.ptp(X, axis=0) / (n_grid - 1) if n_grid > 1 else np.ones(2)
    low, high = x[0, 0] - step / 2, x[-1, -1] + step / 2
    image = ax.imshow(
        page,
        cmap="gray_r",
        vmin=0,
        vmax=1,
        extent=(low[0], high[0], low[1], high[1]),
        aspect=(step[0] / width) / (step[1] / height),
        interpolation="nearest",
    )
    _finish(ax, title, ("$x_1$", "$x_2$"))
    return image


class MapArtists(NamedTuple):
    """What `latent_map` drew."""

    points: list  # a PathCollection for each class
    regions: Any  # QuadMesh: the class of each position, in pale colours
    borders: list  # a QuadContourSet for each class that has a border
    contour: Any  # where p(x) = η K(0); None without a threshold


@_in_style
def latent_map(
    ax,
    X,
    labels,
    classifier,
    *,
    trained_on=None,
    kernel: DensityKernel = gaussian,
    density_threshold=None,
    names=None,
    n_grid=150,
    title="Classes in latent space",
):
    """Latent points by class, with the borders that a classifier draws: [UKR] figures 5c, 5f.

    Parameters
    ----------
    ax : Axes
    X : array-like of shape (N, 2)
        Latent coordinates, such as the projections of test data.
    labels : array-like of shape (N,)
        Their classes: a colour and a marker each.
    classifier : object with ``predict``, or callable
        Latent positions (M, 2) -> classes (M,), already fitted.
    trained_on : array-like of shape (M, 2), optional
        The latent points that make the density, if these are not X.
    kernel : DensityKernel, default=gaussian
    density_threshold : float, optional
        η, for the contour p(x) = η K(0).
    names : sequence of str, optional
        What the legend calls the classes, in sorted order of the labels.
    n_grid : int, default=150
        Positions along each axis at which the classifier is asked.
    title : str

    Returns
    -------
    drawn : MapArtists (points, regions, borders, contour)
    """
    X = _latent_points(X, (2,))
    centres = X if trained_on is None else _latent_points(trained_on, (2,))
    x = _grid(np.concatenate([X, centres]), n_grid, margin=0.08)
    flat = x.reshape(-1, 2)
    predict = getattr(classifier, "predict", classifier)
    answer = np.asarray(predict(flat)).reshape(n_grid, n_grid)

    classes = np.unique(labels)
    pale = np.array([1 - 0.22 * (1 - np.array(to_rgb(c))) for c in COLORS])
    shade = np.ones((n_grid, n_grid, 3))
    for c, color in zip(classes, cycle(pale)):
        shade[answer == c] = color
    regions = ax.pcolormesh(
        x[:, 0, 0], x[0, :, 1], shade.transpose(1, 0, 2), shading="nearest", rasterized=True
    )
    borders = []
    for c in classes:
        inside = (answer == c).astype(float)
        if 0 < inside.mean() < 1:
            borders.append(
                ax.contour(x[:, 0, 0], x[0, :, 1], inside.T, [0.5], colors=_TRUTH, linewidths=0.9)
            )
    contour = None
    if density_threshold is not None:
        p = kernel_regression.latent_density(flat, centres, kernel) / kernel.at_zero
        contour = _threshold_contour(
            ax, x, p.reshape(n_grid, n_grid), density_threshold, color="black", linestyles="--"
        )
    points = _classes(ax, X, labels, names, {"s": 1.3 * _area(ax, len(X)), "linewidths": 0})
    _finish(ax, title, ("$x_1$", "$x_2$"))
    ax.set_aspect("equal", adjustable="box")
    return MapArtists(points, regions, borders, contour)


def _threshold_contour(ax, x, p, density_threshold, color, linestyles="-"):
    """The line p(x) = η K(0), if η is given and p / K(0) crosses it."""
    if density_threshold is None or not p.min() < density_threshold < p.max():
        return None
    return ax.contour(
        x[:, 0, 0],
        x[0, :, 1],
        p.T,
        [density_threshold],
        colors=color,
        linewidths=1.4,
        linestyles=linestyles,
    )


# ----------------------------------------------------------------------------------------- charts


@_in_style
def error_curve(ax, histories, *, title="Error during the descent", label="$R_{cv}$"):
    """Errors against steps, on a logarithmic scale.

    Parameters
    ----------
    ax : Axes
    histories : array-like of shape (n_steps,), or mapping of name to such
        Errors of one run or of several.
    title, label : str
        `label` says what the error is.

    Returns
    -------
    lines : list of Line2D
    """
    if not isinstance(histories, Mapping):
        histories = {None: histories}
    drawn = []
    for (name, errors), color, dash in zip(histories.items(), cycle(COLORS), cycle(_DASHES)):
        errors = np.asarray(errors, dtype=float)
        drawn += ax.plot(np.arange(len(errors)), errors, color=color, linestyle=dash, label=name)
    _finish(ax, title, ("step", label))
    _log_scale(ax)
    ax.grid(True, axis="y")
    if None not in histories:
        _legend(ax)
    return drawn


@_in_style
def lines(ax, x, curves, *, title, across, up, log="", markers=False):
    """Named curves over one axis, told apart by colour and by dashes (and markers, if wanted).

    Parameters
    ----------
    ax : Axes
    x : array-like of shape (M,)
    curves : mapping of name to array-like of shape (M,)
        Names may hold LaTeX. A single one called "" gets no legend.
    title, across, up : str
        `across` and `up` label the axes.
    log : {"", "x", "y", "xy"}
        Which axes are logarithmic.
    markers : bool, default=False
        A marker at each value: for few of them, or for what was measured.

    Returns
    -------
    lines : list of Line2D
    """
    looks = zip(cycle(COLORS), cycle(_DASHES), cycle(MARKERS))
    drawn = []
    for (name, y), (color, dash, marker) in zip(curves.items(), looks, strict=False):
        look = {"color": color, "linestyle": dash, "marker": marker if markers else None}
        drawn += ax.plot(x, np.asarray(y, dtype=float), label=name, **look)
    _finish(ax, title, (across, up))
    for axis in log:
        _log_scale(ax, axis)
    ax.grid(True, axis="y")
    if any(curves):
        _legend(ax)
    return drawn


@_in_style
def matrix(ax, M, *, title):
    """A matrix of numbers for pairs of points, such as affinities, with a colour bar.

    Parameters
    ----------
    ax : Axes
    M : array-like of shape (N, N)
    title : str

    Returns
    -------
    image : AxesImage
    """
    image = ax.imshow(M, interpolation="nearest")
    ax.figure.colorbar(image, ax=ax, shrink=0.85)
    _finish(ax, title, ("point $j$", "point $i$"))
    return image


class SpringArtists(NamedTuple):
    """What `springs` drew."""

    pulls: Any  # LineCollection
    pushes: Any  # LineCollection
    arrows: Any  # Quiver: the sum of the forces on each point


@_in_style
def springs(ax, X, stiffness, *, labels=None, title):
    """Forces between latent points: Σ_m stiffness_nm (x_m - x_n) acts on point n.

    Lines that pull are blue and solid, those that push orange and dashed; the thicker, the stronger
    the force. Each arrow is the sum of the forces on its point; the longest has a third of the
    picture's size.

    Parameters
    ----------
    ax : Axes
    X : array-like of shape (N, 2)
    stiffness : array-like of shape (N, N)
        Symmetric. Positive: the two points pull each other nearer.
    labels : array-like of shape (N,), optional
        Classes: a colour and a marker each.
    title : str

    Returns
    -------
    drawn : SpringArtists (pulls, pushes, arrows)
    """
    X, stiffness = _latent_points(X, (2,)), np.asarray(stiffness, dtype=float)
    n, m = np.triu_indices(len(X), 1)
    force = np.abs(stiffness[n, m]) * np.linalg.norm(X[n] - X[m], axis=1)
    width = 5 * force / (force.max() or 1)
    drawn = []
    kinds = ((1, COLORS[0], "-", "pulls"), (-1, COLORS[1], (0, (2, 1.2)), "pushes"))
    for sign, color, dash, name in kinds:
        seen = (sign * stiffness[n, m] > 0) & (width > 0.05)
        ends = np.stack([X[n[seen]], X[m[seen]]], axis=1)
        lines = LineCollection(ends, linewidths=width[seen], colors=color, linestyles=[dash])
        drawn.append(ax.add_collection(lines))
        ax.plot([], [], color=color, linestyle=dash, linewidth=2.5, label=name)
    total = stiffness @ X - stiffness.sum(axis=1, keepdims=True) * X
    longest = np.linalg.norm(total, axis=1).max() or 1
    arrows = total / longest * np.ptp(X, axis=0).max() / 3
    look = {"angles": "xy", "scale_units": "xy", "scale": 1, "width": 0.008, "zorder": 3}
    drawn.append(ax.quiver(*X.T, *arrows.T, color="black", **look))
    if labels is None:
        ax.scatter(*X.T, color=_POINT, s=30, zorder=4)
    else:
        for c, marker in zip(np.unique(labels), cycle(MARKERS)):
            at = X[np.asarray(labels) == c].T
            ax.scatter(*at, s=40, color="white", edgecolors="black", marker=marker, zorder=4)
    ax.update_datalim(X + arrows)
    ax.autoscale_view()
    _finish(ax, title, ("$x_1$", "$x_2$"))
    _equal_units(ax)
    _legend(ax, below=2)
    return SpringArtists(*drawn)


def bars(x, low, high):
    """Vertical bars as the coordinates of one line with gaps: drawn far faster than one by one.

    >>> line, = blank()[1].plot(*bars([1, 2], [0, 0], [3, 4]))
    >>> line.get_xydata()[0], line.get_xydata()[1]
    (array([1., 0.]), array([1., 3.]))
    """
    x, low, high = (np.asarray(values, dtype=float) for values in (x, low, high))
    gap = np.full(len(x), np.nan)
    return np.stack([x, x, gap], axis=1).ravel(), np.stack([low, high, gap], axis=1).ravel()


class CandidateArtists(NamedTuple):
    """What `candidate_table` drew."""

    scaled: list  # Line2D: errors of the scaled candidates, one for each family of starts
    refined: Any  # Line2D: errors after the race; None if nothing was refined
    chosen: Any  # Line2D: ring around the chosen one; None if none was


@_in_style
def candidate_table(ax, starts, *, title="Candidates", label="$R_{cv}$"):
    """Cross-validation errors of all candidate starts, as [UKR] figure 3.

    Candidates whose name ends in a number, such as ``LLE(10)``, are a family, drawn as a line over
    their number of neighbours; all others are horizontal lines. If there is no family, each
    candidate gets a row of its own. Filled markers: after scaling. Open diamonds: after the race.
    The ring marks the chosen one.

    Parameters
    ----------
    ax : Axes
    starts : sequence of records
        With fields (or keys) ``name``, ``cv_error``, and optionally ``refined`` and ``chosen``.
        Candidates without a finite error are counted in the title.
    title, label : str

    Returns
    -------
    drawn : CandidateArtists (scaled, refined, chosen)
    """
    table = [_candidate(start) for start in starts]
    shown = [row for row in table if np.isfinite(row.cv_error)]
    if not shown:
        raise ValueError(f"starts must hold a candidate with a finite cv_error; got {len(table)}.")
    families = {}
    for row in shown:
        families.setdefault(row.family, []).append(row)

    failed = len(table) - len(shown)
    title = f"{title} ({failed} left out)" if failed else title
    if any(row.neighbors is not None for row in shown):
        scaled, place = _candidates_over_neighbors(ax, families)
        across = False
        _finish(ax, title, ("neighbours $K$", label))
    else:
        scaled, place = _candidates_in_rows(ax, shown)
        across = True
        _finish(ax, title, (label, ""))

    refined = chosen = None
    raced = [row for row in shown if np.isfinite(row.refined)]
    if all(row.refined == row.cv_error for row in raced):
        raced = []  # a race of no steps
    if raced:
        for row in raced:
            steps = [(place[row], row.cv_error), (place[row], row.refined)]
            ends = np.array([step[::-1] if across else step for step in steps])
            ax.plot(*ends.T, color=_TRUTH, linewidth=0.8, zorder=1)
        ends = np.array([(place[row], row.refined) for row in raced]).T
        (refined,) = ax.plot(
            *(ends[::-1] if across else ends), "D", color=_TRUTH, markerfacecolor="white"
        )
        refined.set_label("raced")
    winners = [row for row in shown if row.chosen]
    if winners:
        at = [(place[row], row.refined if row in raced else row.cv_error) for row in winners]
        at = np.array(at).T
        (chosen,) = ax.plot(*(at[::-1] if across else at), "o", color=_MANIFOLD)
        chosen.set(markerfacecolor="none", markersize=11, markeredgewidth=1.6)
        chosen.set_label("chosen")
    _log_scale(ax, axis="x" if across else "y")
    ax.grid(True, axis="x" if across else "y")
    _legend(ax, below=3)
    return CandidateArtists(scaled, refined, chosen)


class _Candidate(NamedTuple):
    name: str
    family: str
    neighbors: float | None
    cv_error: float
    refined: float
    chosen: bool


def _candidate(start):
    """One row of the table of starts, its name taken apart into family and neighbours."""
    field = start.get if isinstance(start, Mapping) else lambda key, *_: getattr(start, key, *_)
    name = field("name", "")
    match = re.match(r"(.*?)[\s(=:_-]*(?:K\s*=\s*|n_neighbors\s*=\s*)?(\d+)\)?$", name)
    family, neighbors = (match[1], float(match[2])) if match else (name, None)
    error, refined = field("cv_error", np.nan), field("refined", np.nan)
    as_number = [np.nan if value is None else float(value) for value in (error, refined)]
    return _Candidate(name, family, neighbors, *as_number, bool(field("chosen", False)))


def _candidates_over_neighbors(ax, families):
    """A line over K for each family; the rest horizontal, with their place at the largest K."""
    numbers = [row.neighbors for rows in families.values() for row in rows if row.neighbors]
    lines, place = [], {}
    looks = zip(families.items(), cycle(COLORS), cycle(MARKERS))
    for (family, rows), color, marker in looks:
        if rows[0].neighbors is None:
            for row in rows:
                place[row] = max(numbers)
                line = ax.axhline(row.cv_error, color=color, linewidth=1.2, linestyle=(0, (4, 2)))
                line.set_label(row.name)
                lines.append(line)
        else:
            rows = sorted(rows, key=lambda row: row.neighbors)
            place |= {row: row.neighbors for row in rows}
            K, error = [row.neighbors for row in rows], [row.cv_error for row in rows]
            lines += ax.plot(K, error, color=color, marker=marker, linewidth=1.2, label=family)
    return lines, place


def _candidates_in_rows(ax, shown):
    """A row for each candidate, the first on top."""
    place = {row: float(number) for number, row in enumerate(shown)}
    errors = [row.cv_error for row in shown]
    line = ax.plot(errors, range(len(shown)), "o", color=COLORS[0], label="scaled")
    ax.set_yticks(range(len(shown)), [row.name for row in shown])
    ax.set_ylim(len(shown) - 0.5, -0.5)
    return line, place


# ---------------------------------------------------------------------------------------- helpers


def _grid(X, n_grid, margin=0.0):
    """Positions (n_grid, ..., q) over the range of X, widened by a share of it on each side."""
    low, high = X.min(axis=0), X.max(axis=0)
    wider = margin * np.where(high > low, high - low, 1)
    n_grid = np.broadcast_to(n_grid, X.shape[1])
    axes = map(np.linspace, low - wider, high + wider, n_grid)
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)


def _area(ax, n_points):
    """Marker area that keeps 100 points visible and 2000 apart, smaller on small Axes."""
    width, height = ax.figure.get_size_inches() * ax.get_position().size
    shrink = np.clip(min(width, height) / 2.5, 0.7, 1)
    return float(shrink**2 * np.clip(2400 / max(n_points, 1), 5, 16))


def _latent_points(X, columns):
    X = np.asarray(X, dtype=float)
    X = X[:, None] if X.ndim == 1 else X
    if X.ndim != 2 or X.shape[1] not in columns:
        raise ValueError(
            f"X must have {' or '.join(map(str, columns))} columns to be drawn here; got shape "
            f"{X.shape}. Choose columns, as in X[:, :2]."
        )
    return X


def _check_columns(ax, Y, name):
    wanted = 3 if ax.name == "3d" else 2
    if Y.ndim != 2 or Y.shape[1] != wanted:
        advice = (
            'make the Axes with projection="3d"'
            if Y.ndim == 2 and Y.shape[1] == 3
            else f"choose columns, as in {name}[:, :{wanted}]"
        )
        raise ValueError(
            f"{name} must have {wanted} columns to be drawn on these Axes; got shape {Y.shape}: "
            f"{advice}."
        )


def _finish(ax, title, axis_labels):
    """Title, axis labels, and few enough ticks for a small picture."""
    ax.set_title(title)
    axes = [ax.xaxis, ax.yaxis, *([ax.zaxis] if ax.name == "3d" else [])]
    for axis, text in zip(axes, axis_labels, strict=True):
        axis.set_label_text(text)
        if isinstance(axis.get_major_locator(), MaxNLocator):
            axis.set_major_locator(MaxNLocator(3 if ax.name == "3d" else 5, steps=[1, 2, 5, 10]))
    if ax.name == "3d":
        ax.tick_params(pad=-1)
        for axis in axes:
            axis.labelpad = -4
            axis.pane.set_facecolor("white")


def _equal_units(ax):
    """A unit is as long on every axis: distances may be read off."""
    if ax.name == "3d":
        # Zoomed out a little: layouts do not know how much room the labels of 3-D axes take.
        ax.set_box_aspect(np.ptp(np.reshape(ax.get_w_lims(), (3, 2)), axis=1), zoom=0.8)
    else:
        ax.set_aspect("equal", adjustable="datalim")


def _log_scale(ax, axis="y"):
    """A logarithmic axis; with plain numbers for labels unless it spans decades."""
    getattr(ax, f"set_{axis}scale")("log")
    low, high = getattr(ax, f"get_{axis}lim")()
    ticks = getattr(ax, f"{axis}axis")
    if high / low < 300:
        few = MaxNLocator(5, steps=[1, 2, 5, 10]) if high / low < 8 else LogLocator(subs=(1, 2, 5))
        ticks.set_major_locator(few)
        ticks.set_minor_locator(NullLocator())
        plain = ScalarFormatter(useOffset=False)
        plain.set_scientific(False)
        ticks.set_major_formatter(plain)
    ticks.set_minor_formatter(NullFormatter())


def _legend(ax, *, below=0):
    """A legend where lines leave room, or below the axis, in so many columns."""
    room = {"loc": "best", "borderaxespad": 0.3}
    if below:
        # The distance is in units of the font, and so clears the axis label at any size.
        room = {"loc": "upper center", "bbox_to_anchor": (0.5, 0), "ncols": below}
        room |= {"borderaxespad": 4.6, "fontsize": 7.5}
    legend = ax.legend(
        **room,
        labelspacing=0.3,
        handletextpad=0.4,
        columnspacing=0.9,
        frameon=not below,
        framealpha=0.8,
        edgecolor="none",
    )
    for handle in legend.legend_handles:
        if hasattr(handle, "set_sizes"):
            handle.set_sizes([24])
