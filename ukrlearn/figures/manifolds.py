"""Fitted manifolds in data space, and their domain in latent space."""

from typing import Any, NamedTuple

import numpy as np
from matplotlib.colors import to_rgb
from scipy.spatial import cKDTree

from ukrlearn.blocks import arguments, kernel_regression
from ukrlearn.blocks.arguments import checked, same_length
from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.figures.house import (
    COLORS,
    MANIFOLD,
    POINT,
    TRUTH,
    area,
    check_columns,
    class_looks,
    drawing,
    finish,
    grid,
    latent_points,
    legend,
    palette_name,
)
from ukrlearn.figures.points import _classes

# -------------------------------------------------------------------------------------- manifolds


IN_LATENT_SPACE = dict(
    X=arguments.columns,
    kernel=arguments.record(DensityKernel),
    density_threshold=arguments.not_negative,
    n_grid=arguments.count,
)
OF_MANIFOLD = dict(Y=arguments.table, **{**IN_LATENT_SPACE, "density_threshold": arguments.share})
OF_MAP = dict(
    f=arguments.function, X=arguments.columns, n_grid=arguments.count, reach=arguments.positive
)


@checked(same_length("X", "Y"), **OF_MANIFOLD)
def manifold_grid(X, Y, kernel: DensityKernel = gaussian, *, density_threshold=None, n_grid=None):
    """A grid of latent positions and their images f(x; X), [UKR] (2).

    The grid spans the range of the latent coordinates. The manifold does not exist where the
    density is too low, [UKR] (7). Images are NaN there, and where no kernel reaches.

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
        Positions along the longer axis. The shorter axis has enough positions to make cells square,
        but at least 8. By default 600 for a curve, 40 for a surface.

    Returns
    -------
    x : ndarray of shape (n_grid, 1) or (n_first, n_second, 2)
        Positions.
    f : ndarray of shape (n_grid, d) or (n_first, n_second, d)
        Their images.
    """
    X, Y = latent_points(X, (1, 2)), np.asarray(Y, dtype=float)
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
    return grid(X, np.maximum(np.rint(n_grid * share), min(n_grid, 8)).astype(int))


@drawing(same_length("X", "Y"), **OF_MANIFOLD)
def manifold(
    ax,
    X,
    Y,
    kernel: DensityKernel = gaussian,
    *,
    density_threshold=None,
    n_grid=None,
    color=MANIFOLD,
    label="manifold",
):
    """The manifold f(x; X) in data space, as in [UKR] figures 1 and 2.

    A one-dimensional latent space gives a line, and a two-dimensional one a net of latent grid
    lines. Draw `data` first, because it sets title and labels.

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
        The name in a legend; no legend is drawn here.

    Returns
    -------
    line : Line2D or Line3D, or Poly3DCollection for a surface
        To move a line, call ``line.set_data(*f.T)``, or ``line.set_data_3d(*f.T)`` in 3-D, with f
        from `manifold_grid`.
    """
    Y = np.asarray(Y, dtype=float)
    check_columns(ax, Y, "Y")
    _, f = manifold_grid(X, Y, kernel, density_threshold=density_threshold, n_grid=n_grid)
    return _line_or_net(ax, f, color, label)


@drawing(**OF_MAP)
def manifold_of(ax, f, X, *, n_grid=None, reach=None, color=MANIFOLD, label="manifold"):
    """The image of latent space under any map f, such as a network of [DRUR].

    Parameters
    ----------
    ax : Axes
        With projection="3d" if the data have three columns.
    f : callable
        Latent positions (M, q) -> data (M, d), d = 2 or 3; a surface needs three.
    X : array-like of shape (N, q)
        Latent points, q = 1 or 2. The image is drawn over their range.
    n_grid, reach
        As in `manifold_grid_of`.
    color, label
        As in `manifold`.

    Returns
    -------
    line : Line2D or Line3D, or Poly3DCollection for a surface
        To move a net, call ``net.set_verts(patches(f))`` with f from `manifold_grid_of`.
    """
    _, image = manifold_grid_of(f, X, n_grid=n_grid, reach=reach)
    check_columns(ax, image.reshape(-1, image.shape[-1]), "f(x)")
    return _line_or_net(ax, image, color, label)


@checked(**OF_MAP)
def manifold_grid_of(f, X, *, n_grid=None, reach=None):
    """A grid of latent positions over the range of X, and their images under any map f.

    Parameters
    ----------
    f : callable
        Latent positions (M, q) -> data (M, d).
    X : array-like of shape (N, 1) or (N, 2)
        Latent points.
    n_grid : int, optional
        As in `manifold_grid`; by default 600 for a curve, 24 for a surface.
    reach : float, optional
        In steps of the grid. Positions farther than this from all latent points are left out,
        because f is not determined by data there.

    Returns
    -------
    x : ndarray of shape (n_grid, 1) or (n_first, n_second, 2)
        Positions.
    image : ndarray of shape (n_grid, d) or (n_first, n_second, d)
        Their images; NaN for positions that are left out.
    """
    X = latent_points(X, (1, 2))
    x = _map_grid(X, n_grid or (600 if X.shape[1] == 1 else 24))
    flat = x.reshape(-1, X.shape[1])
    try:
        image = f(flat)
    except (ValueError, TypeError) as problem:
        raise ValueError(
            f"f must take latent positions with the {X.shape[1]} columns of X; {problem}"
        ) from problem
    image = np.array(arguments.numbers("f: its values", image, finite=False))
    if image.shape[:1] != flat.shape[:1]:
        raise ValueError(
            f"f must return a row of data for each of {len(flat)} positions; got shape "
            f"{image.shape}."
        )
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
            "A two-dimensional manifold needs data with 3 columns; got 2. Use latent_density or "
            "sampled_manifold, or pass one latent column."
        )
    if not ax.get_title():
        finish(ax, "Manifold", [f"$y_{j + 1}$" for j in range(f.shape[-1])])
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


@checked(f=arguments.array(3, columns=None, finite=False))
def patches(f):
    """The corners (M, 4, 3) of all cells without NaN in a grid of points (n, m, 3)."""
    corners = np.stack([f[:-1, :-1], f[1:, :-1], f[1:, 1:], f[:-1, 1:]], axis=2)
    cells = corners.reshape(-1, 4, f.shape[-1])
    return cells[np.isfinite(cells).all(axis=(1, 2))]


class DensityArtists(NamedTuple):
    """What `latent_density` drew."""

    density: Any  # QuadMesh, or the Line2D of p for one latent dimension
    contour: Any  # where p(x) = η K(0); None without a threshold
    points: Any  # the latent points


@drawing(**IN_LATENT_SPACE)
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

    [UKR] (3), (7) and figures 4a, 4b. If latent space is one-dimensional, p is a curve above the
    points, and the threshold is a horizontal line.

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
    X = latent_points(X, (1, 2))
    x = grid(X, n_grid, margin=0.12)
    p = kernel_regression.latent_density(x.reshape(-1, X.shape[1]), X, kernel) / kernel.at_zero
    if X.shape[1] == 1:
        (density,) = ax.plot(x[:, 0], p, color=COLORS[0], label="$p(x) / K(0)$")
        floor = np.zeros(len(X)) - 0.04 * p.max()
        (points,) = ax.plot(X[:, 0], floor, "|", color=POINT, markersize=6, markeredgewidth=0.6)
        contour = None
        if density_threshold is not None:
            contour = ax.axhline(density_threshold, color=MANIFOLD, linewidth=1.4, label=r"$\eta$")
            legend(ax)
        finish(ax, title, ("$x_1$", "$p(x) / K(0)$"))
        return DensityArtists(density, contour, points)

    p = p.reshape(n_grid, n_grid)
    density = ax.pcolormesh(
        x[:, 0, 0], x[0, :, 1], p.T, cmap="cividis", shading="gouraud", vmin=0, rasterized=True
    )
    points = ax.scatter(*X.T, s=0.5 * area(ax, len(X)), color="white", linewidths=0, alpha=0.8)
    contour = _threshold_contour(ax, x, p, density_threshold, color=MANIFOLD)
    finish(ax, title, ("$x_1$", "$x_2$"))
    ax.set_aspect("equal", adjustable="box")
    return DensityArtists(density, contour, points)


@drawing(
    same_length("X", "Y"),
    image_shape=arguments.image_shape,
    **{name: check for name, check in OF_MANIFOLD.items() if name != "density_threshold"},
)
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
    """The images f(x; X) on a grid of latent positions, dimmed by density, as in [UKR] figure 4.

    Ink ranges from the smallest to the largest value in Y. It is then multiplied by p(x) / max p,
    so that images fade where there are no data.

    Parameters
    ----------
    ax : Axes
    X : array-like of shape (N, 2)
        Latent points.
    Y : array-like of shape (N, d)
        Images, one per row.
    image_shape : (int, int)
        Height and width, whose product is d.
    kernel : DensityKernel, default=gaussian
    n_grid : int, default=12
        Images along each axis.
    title : str

    Returns
    -------
    image : AxesImage
        Ink between 0 and 1.
    """
    X, Y = latent_points(X, (2,)), np.asarray(Y, dtype=float)
    if not np.ptp(X, axis=0).all():
        raise ValueError("X must vary in both columns to be drawn as a map; one is constant.")
    height, width = image_shape
    if height * width != Y.shape[1]:
        raise ValueError(
            f"image_shape must multiply to the {Y.shape[1]} columns of Y; got {image_shape}."
        )
    x = grid(X, n_grid)
    flat = x.reshape(-1, 2)
    f = kernel_regression.predict(flat, X, Y, kernel)
    density = kernel_regression.latent_density(flat, X, kernel)
    paper, full = Y.min(), Y.max()
    ink = (f - paper) / ((full - paper) or 1) * (density / density.max())[:, None]
    # (x₁, x₂, row, column) -> rows of the page from the top (largest x₂) and columns from the left,
    # with one pixel of paper between images.
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
    finish(ax, title, ("$x_1$", "$x_2$"))
    return image


class MapArtists(NamedTuple):
    """What `latent_map` drew."""

    points: list  # a PathCollection for each class
    regions: Any  # QuadMesh: the class of each position, in pale colours
    borders: list  # a QuadContourSet for each class that has a border
    contour: Any  # where p(x) = η K(0); None without a threshold


def _classifier(name, value):
    """A fitted classifier, or a function."""
    if isinstance(value, type) or not (callable(value) or hasattr(value, "predict")):
        raise TypeError(
            f"{name} must be a fitted classifier or a callable; got {arguments.shown(value)}."
        )
    return value


@drawing(
    same_length("X", "labels"),
    labels=arguments.labels,
    classifier=_classifier,
    trained_on=arguments.columns,
    names=arguments.names,
    palette=palette_name,
    **IN_LATENT_SPACE,
)
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
    palette=None,
    n_grid=150,
    title="Classes in latent space",
):
    """Latent points by class, with the borders of a classifier, as in [UKR] figures 5c and 5f.

    Parameters
    ----------
    ax : Axes
    X : array-like of shape (N, 2)
        Latent coordinates, such as the projections of test data.
    labels : array-like of shape (N,)
        Their classes, each drawn with its own colour and marker.
    classifier : object with ``predict``, or callable
        Latent positions (M, 2) -> classes (M,); already fitted.
    trained_on : array-like of shape (M, 2), optional
        The latent points that define the density, if they are not X.
    kernel : DensityKernel, default=gaussian
    density_threshold : float, optional
        η, for the contour p(x) = η K(0).
    names : sequence of str, optional
        The names of the classes in the legend, in sorted order of the labels.
    palette : str, optional
        The data set of the classes, as in `data`.
    n_grid : int, default=150
        Positions along each axis at which the classifier predicts.
    title : str

    Returns
    -------
    drawn : MapArtists (points, regions, borders, contour)
    """
    X = latent_points(X, (2,))
    centres = X if trained_on is None else latent_points(trained_on, (2,), "trained_on")
    x = grid(np.concatenate([X, centres]), n_grid, margin=0.08)
    flat = x.reshape(-1, 2)
    predict = getattr(classifier, "predict", classifier)
    answer = np.asarray(predict(flat))
    if answer.shape != (len(flat),):
        raise ValueError(
            f"classifier must predict a class for each of {len(flat)} positions; got shape "
            f"{answer.shape}."
        )
    answer = answer.reshape(n_grid, n_grid)

    classes = np.unique(labels)
    shade = np.ones((n_grid, n_grid, 3))
    for c, _, color, _ in class_looks(labels, names, palette):
        shade[answer == c] = 1 - 0.22 * (1 - np.array(to_rgb(color)))
    regions = ax.pcolormesh(
        x[:, 0, 0], x[0, :, 1], shade.transpose(1, 0, 2), shading="nearest", rasterized=True
    )
    borders = []
    for c in classes:
        inside = (answer == c).astype(float)
        if 0 < inside.mean() < 1:
            borders.append(
                ax.contour(x[:, 0, 0], x[0, :, 1], inside.T, [0.5], colors=TRUTH, linewidths=0.9)
            )
    contour = None
    if density_threshold is not None:
        p = kernel_regression.latent_density(flat, centres, kernel) / kernel.at_zero
        contour = _threshold_contour(
            ax, x, p.reshape(n_grid, n_grid), density_threshold, color="black", linestyles="--"
        )
    points = _classes(ax, X, labels, names, palette, {"s": 1.3 * area(ax, len(X)), "linewidths": 0})
    finish(ax, title, ("$x_1$", "$x_2$"))
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
