"""Points of data space and of latent space, and the order of a curve."""

import numpy as np

from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import same_length, same_shape
from ukrlearn.figures.house import (
    POINT,
    TRUTH,
    area,
    check_columns,
    class_looks,
    drawing,
    equal_units,
    finish,
    legend,
    palette_name,
)

# --------------------------------------------------------------------------------- points, curves


COLOURED = dict(
    t=arguments.column, labels=arguments.labels, names=arguments.names, palette=palette_name
)


@drawing(same_length("Y", "t", "labels"), Y=arguments.table, **COLOURED)
def data(ax, Y, t=None, *, labels=None, names=None, palette=None, title="Data"):
    """Points in data space, coloured by a coordinate t or marked by class.

    Parameters
    ----------
    ax : Axes
        With projection="3d" if Y has three columns.
    Y : array-like of shape (N, 2) or (N, 3)
    t : array-like of shape (N,), optional
        Colours, from dark (small) to bright (large).
    labels : array-like of shape (N,), optional
        Classes, each drawn with its own colour and marker, and listed in a legend.
    names : sequence of str, optional
        The names of the classes in the legend, in sorted order of the labels.
    palette : str, optional
        The data set of the classes, such as "oil_flow": a name that `figures.palette` takes.
    title : str

    Returns
    -------
    points : PathCollection, or a list of one for each class
    """
    return _points(ax, Y, t, labels, (names, palette), title, letter="y")


@drawing(same_length("X", "t", "labels"), X=arguments.table, **COLOURED)
def latent(ax, X, t=None, *, labels=None, names=None, palette=None, title="Latent coordinates"):
    """Points in a latent space of two or three dimensions; otherwise as `data`."""
    return _points(ax, X, t, labels, (names, palette), title, letter="x")


@drawing(same_shape("x", "t"), x=arguments.column, t=arguments.column)
def order(ax, x, t, *, title="Latent order"):
    """Latent coordinate against true coordinate: a monotone line if the order was recovered.

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
    points = ax.scatter(t, x, c=t, s=area(ax, len(x)), cmap="viridis", linewidths=0)
    finish(ax, title, ("true coordinate $t$", "latent coordinate $x$"))
    return points


@drawing(points=arguments.array(2, finite=False))
def curve(ax, points, *, label="clean curve"):
    """A dashed curve through points in their order, such as the true curve beside a manifold.

    Parameters
    ----------
    ax : Axes
    points : array-like of shape (M, 2) or (M, 3)
        Rows of NaN interrupt the curve.
    label : str
        The name in a legend; no legend is drawn here.

    Returns
    -------
    line : Line2D or Line3D
    """
    points = np.asarray(points, dtype=float)
    check_columns(ax, points, "points")
    (line,) = ax.plot(*points.T, color=TRUTH, linewidth=1, linestyle=(0, (4, 2)), label=label)
    return line


def _points(ax, Y, t, labels, names, title, letter):
    Y = np.asarray(Y, dtype=float)
    check_columns(ax, Y, letter.upper())
    look = {"s": area(ax, len(Y)), "linewidths": 0}
    if ax.name == "3d":
        look["depthshade"] = False  # colour means t or class, not distance
    if labels is not None:
        drawn = _classes(ax, Y, labels, *names, look)
    elif t is not None:
        drawn = ax.scatter(*Y.T, c=np.ravel(t), cmap="viridis", **look)
    else:
        drawn = ax.scatter(*Y.T, color=POINT, **look)
    finish(ax, title, [f"${letter}_{j + 1}$" for j in range(Y.shape[1])])
    equal_units(ax)
    return drawn


def _classes(ax, Y, labels, names, palette, look):
    """One scatter for each class, with its own colour and marker, and a legend."""
    labels = np.asarray(labels)
    drawn = [
        ax.scatter(*Y[labels == c].T, color=color, marker=marker, label=name, **look)
        for c, name, color, marker in class_looks(labels, names, palette)
    ]
    legend(ax, below=3)
    return drawn
