"""How good is an embedding? Compared with its data, compared with the truth, and as a model.

The first argument is the latent coordinates ``X``, and the second is what they are compared with. A
single column may be given as a vector. The best score is 1; the best distance or error is 0.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist
from scipy.stats import rankdata
from sklearn.neighbors import KNeighborsRegressor

from ukrlearn.blocks.arguments import (
    array,
    checked,
    columns,
    count,
    record,
    same_length,
    same_shape,
    shown,
    switch,
)
from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.scales import best_scale, normalised, some_points, varying
from ukrlearn.blocks.units import power_of_two
from ukrlearn.ukr.reconstruction import squared_residuals

__all__ = [
    "continuity",
    "distance_to_curve",
    "held_out_error",
    "loo_reconstruction",
    "order_recovered",
    "orders_recovered",
    "procrustes_r2",
    "projection_error",
    "trustworthiness",
    "two_way",
]

_ENTRIES_HELD = 1_000_000  # the most distances kept in memory at a time: 8 MB
_FAR = 10  # times the usual distance to the k-th neighbour: so far off, a point is set aside
_FEW = 50  # of so many points, one may be set aside


class TwoWay(NamedTuple):
    """The shares of variance that stay unexplained in both directions: 0 is best."""

    back: float
    forth: float


@checked(same_length("X", "Y"), X=columns, Y=columns, n_points=count)
def trustworthiness(X, Y, n_neighbors=5, *, n_points=None):
    """Are latent neighbours also neighbours in the data? 1 if all are; false neighbours lower it.

        T(k) = 1 - 2 / (N k (2N - 3k - 1)) Σ_i Σ_{j ∈ U_k(i)} (r(i, j) - k)

    Here r(i, j) is the rank of j among the data neighbours of i (the nearest has rank 1), and
    U_k(i) holds the k nearest latent neighbours of i that are not among its k nearest data
    neighbours. A random embedding scores about 0.5. The score is due to Venna and Kaski, 2001. It
    equals `sklearn.manifold.trustworthiness`, but ranks are computed once for many k. Neighbours at
    equal distances are ranked in row order.

    Parameters
    ----------
    X : array-like of shape (N, q)
        Latent coordinates.
    Y : array-like of shape (N, d)
        Data.
    n_neighbors : int or array-like of int, default=5
        k, or several k for a curve over k. Each k must be below N / 2, beyond which T may leave the
        range from 0 to 1.
    n_points : int, optional
        Judge the neighbours of so many points only, drawn at random, always the same ones. Their
        ranks are still those among all N points. By default, all points are judged.

    Returns
    -------
    score : float, or ndarray with the shape of n_neighbors

    Notes
    -----
    Time grows as N² (d + log N), or with `n_points` as N `n_points` (d + log N). A few rows of
    distances at a time are in memory, and two tables of N times the largest k. There is no N x N
    array as long as k is small.

    Examples
    --------
    >>> trustworthiness([[0], [1], [2], [3], [4], [5]], [[0], [1], [2], [3], [4], [5]], [1, 2])
    array([1., 1.])
    """
    return _rank_agreement(X, Y, n_neighbors, n_points)


@checked(same_length("X", "Y"), X=columns, Y=columns, n_points=count)
def continuity(X, Y, n_neighbors=5, *, n_points=None):
    """Are data neighbours also latent neighbours? 1 if all are; torn neighbourhoods lower it.

    Trustworthiness with the roles of X and Y exchanged. A map that folds distant parts onto each
    other loses trustworthiness; one that tears loses continuity.

    Parameters
    ----------
    X : array-like of shape (N, q)
        Latent coordinates.
    Y : array-like of shape (N, d)
        Data.
    n_neighbors : int or array-like of int, default=5
        As in `trustworthiness`.
    n_points : int, optional
        As in `trustworthiness`.

    Returns
    -------
    score : float, or ndarray with the shape of n_neighbors
    """
    return _rank_agreement(Y, X, n_neighbors, n_points)


@checked(same_length("X", "Y"), X=columns, Y=columns, n_neighbors=count)
def two_way(X, Y, n_neighbors=10) -> TwoWay:
    """Can the map be read both ways? The share of Y that X leaves unexplained, and that of X by Y.

        back  = Σ_i |y_i - mean of y_j over the k latent neighbours j of i|² / Σ_i |y_i - ȳ|²
        forth = Σ_i |x_i - mean of x_j over the k data neighbours j of i|² / Σ_i |x_i - x̄|²

    No point helps to predict itself. The best share is 0; a map that says nothing has about 1. One
    direction alone can be won by a bad map: a one-dimensional tour through the data, or small
    groups of similar points thrown anywhere, have like points side by side. But where such a map
    puts a point cannot be told from the data. To judge maps by both ways of reading is the idea of
    [DRUR]; the two shares are compared side by side and never added. A map that was chosen by
    either should be judged by `evaluation.held_out`.

    Parameters
    ----------
    X : array-like of shape (N, q)
        Latent coordinates. The scores do not depend on their scale, rotation and place, but on the
        scale of single axes.
    Y : array-like of shape (N, d)
        Data.
    n_neighbors : int, default=10
        k, the same in both directions. It must be below N / 2.

    Returns
    -------
    scores : TwoWay
        The named tuple (back, forth).

    Notes
    -----
    A point whose k-th neighbour is more than ten times as far away as usual (in X or in Y) is set
    aside, so that one outlier does not decide. At most one point in fifty is, the most lonely
    first; all others count. Neighbours at equal distances are ranked in row order. Time grows as
    N² (d + log N). A few rows of distances at a time are in memory.

    Examples
    --------
    >>> t = np.linspace(0, 6, 60)
    >>> circle = np.column_stack([np.cos(t), np.sin(t)])
    >>> line, folded = two_way(t, circle), two_way(np.abs(t - 3), circle)
    >>> line.back < 0.1 < 0.4 < folded.back and folded.forth < 0.1
    True
    """
    if n_neighbors >= len(X) / 2:
        raise ValueError(
            f"n_neighbors must be less than half the {len(X)} points; got {n_neighbors}. Use fewer "
            "neighbours."
        )
    by_X, by_Y = _neighbors(X, n_neighbors), _neighbors(Y, n_neighbors)
    aside = np.union1d(_far_off(X, by_X), _far_off(Y, by_Y))
    if len(aside):
        X, Y = np.delete(X, aside, axis=0), np.delete(Y, aside, axis=0)
        by_X, by_Y = _neighbors(X, n_neighbors), _neighbors(Y, n_neighbors)
    X, Y = _centred(X), _centred(Y)
    for name, values in (("X", X), ("Y", Y)):
        if not np.any(values):
            raise ValueError(f"{name} must vary: all its rows are equal, but for far points.")
    return TwoWay(_unexplained(Y, by_X), _unexplained(X, by_Y))


@checked(same_length("X", "Y"), X=columns, Y=columns, Y_new=columns, n_neighbors=count)
def held_out_error(X, Y, Y_new, n_neighbors=10):
    """How well does a map rebuild rows that it never saw? The share of their variance that is lost.

    All methods are treated alike, whether they have a `transform` or not: a new row is placed where
    its nearest neighbour in the data is, and is rebuilt there by the mean of the k mapped rows
    nearest to that place. A method's own way of placing new rows, and a choice of k for each
    method, are not judged.

        Σ_i |y_i - mean of y_j over the k mapped rows j nearest to x_n(i)|² / Σ_i |y_i - ȳ|²

    Here i counts the new rows, n(i) is the mapped row that is nearest to row i, and ȳ is the mean
    of the mapped rows. `evaluation.held_out` takes the new rows from the folds of a
    cross-validation.

    Parameters
    ----------
    X : array-like of shape (N, q)
        Latent coordinates of the mapped rows.
    Y : array-like of shape (N, d)
        The mapped rows.
    Y_new : array-like of shape (M, d)
        Rows that have not influenced the map.
    n_neighbors : int, default=10
        k, at most N.

    Returns
    -------
    share : float
        0 is best; the mean of the mapped rows scores about 1.
    """
    if n_neighbors > len(Y) or Y_new.shape[1] != Y.shape[1]:
        raise ValueError(
            f"Y must have at least n_neighbors={n_neighbors} rows, and as many columns as Y_new "
            f"({Y_new.shape[1]}); got shape {shown(Y.shape)}."
        )
    unit = power_of_two(np.vstack([Y, Y_new]))  # in which no square overflows
    X, Y, Y_new = X / power_of_two(X), Y / unit, Y_new / unit
    variance = np.sum((Y_new - Y.mean(axis=0)) ** 2)
    if not variance:
        raise ValueError("Y_new must vary about the mean of Y: there is no variance to explain.")
    placed = KNeighborsRegressor(1).fit(Y, X).predict(Y_new)
    missed = np.sum((KNeighborsRegressor(n_neighbors).fit(X, Y).predict(placed) - Y_new) ** 2)
    return float(missed / variance)


@checked(same_length("x", "t"), x=columns, t=columns)
def order_recovered(x, t):
    """Does x put the points into the order of t? |Spearman's rank correlation|.

        |corr(rank x, rank t)|

    The score is 1 for any monotone relation, rising or falling, because an embedding may be
    reflected. It is 0 if x is constant. On a *closed* curve, t has no first point. An embedding
    that opens the circle at another point is equally good but scores less; there, measure t from
    the opening of the embedding.

    Parameters
    ----------
    x : array-like of shape (N,) or (N, 1)
        Latent coordinate.
    t : array-like of shape (N,) or (N, 1)
        True coordinate.

    Returns
    -------
    score : float

    Examples
    --------
    >>> order_recovered([3.0, 2.0, 1.0], [0.1, 0.2, 0.9])
    1.0
    """
    if x.shape[1] != 1 or t.shape[1] != 1:
        raise ValueError(
            f"x and t must have one column each; got {x.shape[1]} and {t.shape[1]}. Pass one column"
            " at a time, or use orders_recovered for sheets."
        )
    rank_x, rank_t = rankdata(x) - (len(x) + 1) / 2, rankdata(t) - (len(t) + 1) / 2
    size = np.sqrt((rank_x @ rank_x) * (rank_t @ rank_t))
    return float(min(abs(rank_x @ rank_t) / size, 1)) if size > 0 else 0.0


@checked(same_length("X", "t"), X=columns, t=columns)
def orders_recovered(X, t):
    """For each coordinate of a sheet: does X, turned to fit t, put the points into its order?

        |corr(rank (XA)_j, rank t_j)|,  j = 1, ..., q

    A is the rotation or reflection that best fits X to t, as in `procrustes_r2`. The scores are 1
    even if the sheet is stretched unevenly along its sides. The score of a lost coordinate is about
    0.

    Parameters
    ----------
    X, t : array-like of shape (N, q)
        Latent and true coordinates.

    Returns
    -------
    scores : ndarray of shape (q,)

    Examples
    --------
    >>> t = np.array([[0, 0], [1, 2], [2, 1], [5, 3]])
    >>> quarter_turn = np.array([[0, -1], [1, 0]])
    >>> orders_recovered(t @ quarter_turn, t)
    array([1., 1.])
    """
    if X.shape[1] != t.shape[1]:
        raise ValueError(
            f"X and t must have the same number of columns; got {X.shape[1]} and {t.shape[1]}. "
            "Pass the columns that belong together."
        )
    U, _, V = np.linalg.svd(_centred(X).T @ _centred(t))
    turned = _in_units(X) @ U @ V
    return np.array([order_recovered(x, s) for x, s in zip(turned.T, t.T, strict=True)])


@checked(same_length("X", "t"), X=columns, t=columns)
def procrustes_r2(X, t):
    """Share of the variance of the true coordinates that X explains, up to similarity.

        R² = 1 - min Σ_i |t_i - (s A x_i + b)|² / Σ_i |t_i - t̄|²

    over all scales s, rotations or reflections A, and shifts b. For centred X and t, the singular
    values σ of Xᵀt give the minimum: R² = (Σ σ)² / (|X|² |t|²). R² is 0 if X is constant. If one
    table has fewer columns, zeros replace its missing columns. R² is symmetric in X and t, and
    equals 1 minus the disparity of `scipy.spatial.procrustes`.

    Parameters
    ----------
    X : array-like of shape (N, q) or (N,)
        Latent coordinates.
    t : array-like of shape (N, p) or (N,)
        True coordinates.

    Returns
    -------
    score : float

    Examples
    --------
    >>> square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    >>> quarter_turn = np.array([[0, -1], [1, 0]])
    >>> round(procrustes_r2(3 * square @ quarter_turn + 5, square), 12)
    1.0
    """
    X, t = _centred(X), _centred(t)
    size = np.linalg.norm(X) * np.linalg.norm(t)
    if not np.any(t):
        raise ValueError("t must not be constant: there is no variance to explain.")
    if not np.any(X):
        return 0.0
    return float(min((np.linalg.norm(X.T @ t, ord="nuc") / size) ** 2, 1))


@checked(Y=columns, curve=array(2, finite=False), squared=switch)
def distance_to_curve(Y, curve, *, squared=False):
    """Mean distance from points to a curve: how well a manifold follows the truth.

        1/N Σ_i min_s |y_i - c(s)|,    with squared=True  1/N Σ_i min_s |y_i - c(s)|²

    The curve c is the polygon through the given points. A tree finds the nearest vertex, and then
    the nearest position on its two segments is computed. The result is exact if the vertices lie
    closer together than the branches of the curve.

    Parameters
    ----------
    Y : array-like of shape (N, d)
        Points, such as the reconstructions of a model.
    curve : array-like of shape (M, d)
        Points on the curve, in order, such as ``spiral_curve(np.linspace(0, 1, 2000))``. Rows that
        are not finite break the curve into pieces. To close it, repeat the first point at the end.
    squared : bool, default=False

    Returns
    -------
    distance : float

    Examples
    --------
    >>> distance_to_curve([[0.5, 1.0], [3.0, 0.0]], [[0, 0], [1, 0], [2, 0]])
    1.0
    """
    if curve.shape[1] != Y.shape[1]:
        raise ValueError(
            f"curve must have the {Y.shape[1]} columns of Y; got shape {curve.shape}. Pass points"
            " on the curve, one per row."
        )
    on_curve = np.isfinite(curve).all(axis=1)
    curve = np.where(on_curve[:, None], curve, np.nan)  # differences of infinities are not allowed
    unit = power_of_two(np.append(Y, curve[on_curve]))
    Y, curve = Y / unit, curve / unit  # so that squares stay finite
    moves_on = np.any(np.diff(curve, axis=0, prepend=np.nan) != 0, axis=1)
    curve = curve[moves_on]  # a repeated point would hide one of its two segments
    on_curve = np.isfinite(curve).all(axis=1)
    if not on_curve.any():
        raise ValueError(f"curve must hold at least one finite point; got {len(curve)} rows.")

    vertices = np.flatnonzero(on_curve)
    distance, nearest = KDTree(curve[vertices]).query(Y)
    shortest, nearest = distance**2, vertices[nearest]
    for neighbor in (nearest - 1, nearest + 1):
        beside = np.clip(neighbor, 0, len(curve) - 1)
        beside = np.where(on_curve[beside], beside, nearest)  # a missing segment has length 0
        start, along = curve[nearest], curve[beside] - curve[nearest]
        length = np.sum(along**2, axis=1)
        place = np.sum((Y - start) * along, axis=1) / np.where(length > 0, length, 1)
        foot = start + np.clip(place, 0, 1)[:, None] * along
        shortest = np.minimum(shortest, np.sum((Y - foot) ** 2, axis=1))
    if squared:
        return _squared_in_data_units(np.mean(shortest), unit)
    return float(np.mean(np.sqrt(shortest)) * unit)


@checked(
    same_length("Y", "Y_projected"), same_shape("Y", "Y_projected"), Y=columns, Y_projected=columns
)
def projection_error(Y, Y_projected):
    """Mean squared distance from points to their projections, as in [UKR] table 1.

        1/N Σ_i |y_i - ŷ_i|²,   ŷ_i = f(x_i; X) with x_i from (19)

    Parameters
    ----------
    Y : array-like of shape (N, d)
        Points, usually new ones.
    Y_projected : array-like of shape (N, d)
        Their images on the manifold: ``model.inverse_transform(model.transform(Y))``.

    Returns
    -------
    error : float

    Examples
    --------
    >>> projection_error([[0.0, 0.0], [1.0, 1.0]], [[3.0, 4.0], [1.0, 1.0]])
    12.5
    """
    unit = power_of_two(np.append(Y, Y_projected))
    apart = Y / unit - Y_projected / unit  # the difference itself may overflow
    smaller = power_of_two(apart)
    mean = np.mean(np.sum((apart / smaller) ** 2, axis=1))
    return _squared_in_data_units(mean, unit * smaller)


@checked(same_length("X", "Y"), X=columns, Y=columns, kernel=record(DensityKernel))
def loo_reconstruction(X, Y, kernel=gaussian):
    """How well do latent neighbours rebuild each point? 0: perfectly, 1: no better than the mean.

        min_s R_cv(s X) / (total variance of Y)

    R_cv is the leave-one-out error, [UKR] (10), and the best scale s acts as the kernel's
    bandwidth. It says how well the coordinates of any method describe the data at their best
    resolution, without a number of neighbours to choose. But it is what UKR minimises, and so no
    neutral judge of UKR; and it asks in one direction only, so a torn map may win. `two_way` asks
    in both. The share may slightly exceed 1, because the mean of the other points predicts a point
    worse than the mean of all points.

    Parameters
    ----------
    X : array-like of shape (N, q)
        Latent coordinates; only their shape matters, not their scale.
    Y : array-like of shape (N, d)
        Data.
    kernel : DensityKernel

    Returns
    -------
    score : float

    Notes
    -----
    R_cv is computed about thirty times, each in time N² d, and a few times more if some points lie
    far from all others, which may cost the score their share but no more. Above N = 1500, only 750
    points are used in the search for the scale.

    Examples
    --------
    >>> import numpy as np
    >>> t = np.linspace(0, 6, 60)[:, None]
    >>> Y = np.hstack([np.cos(t), np.sin(t)])
    >>> loo_reconstruction(t, Y) < 0.01 < 0.3 < loo_reconstruction(Y[:, :1], Y)
    True
    """
    X, Y = normalised(X, per_axis=False), normalised(Y, per_axis=False)
    if not np.any(Y):
        raise ValueError("Y must vary: all its rows are equal, so any X rebuilds them.")
    points = some_points(len(Y))
    error = lambda X: squared_residuals(X, Y, kernel, points=points).mean()
    finest = 1 / _typical_spacing(X)
    scale = best_scale(X, error, kernel, per_axis=False, points=points, finest=finest).scale
    variance = np.mean(np.sum(Y**2, axis=1))
    return float(squared_residuals(X * scale, Y, kernel).mean() / variance)


def _typical_spacing(X):
    """The median distance from a point to the nearest one elsewhere; infinite if there is none.

    X has a size of about one, so shorter distances than 1e-16 are due to rounding.
    """
    apart = KDTree(np.unique(X, axis=0)).query(X, 2)[0].max(axis=1)
    return max(float(np.median(apart)), 1e-16)


def _neighbors(points, k):
    """The k nearest others of each point, nearest first, (N, k)."""
    points, all_of_them = _in_units(points), np.arange(len(points))
    blocks = np.array_split(all_of_them, -(-(len(points) ** 2) // _ENTRIES_HELD))
    return np.vstack([_order(points, rows)[:, 1 : k + 1] for rows in blocks])


def _far_off(points, neighbors):
    """The points that are set aside, see `two_way`."""
    points = _in_units(points)
    reach = np.linalg.norm(points - points[neighbors[:, -1]], axis=1)
    loneliest = np.argsort(-reach, kind="stable")[: len(points) // _FEW]
    return loneliest[reach[loneliest] > _FAR * np.median(reach)]


def _unexplained(values, neighbors):
    """The share of the squares of centred values that the means over neighbours leave."""
    means = sum(values[one] for one in neighbors.T) / neighbors.shape[1]
    return float(np.sum((means - values) ** 2) / np.sum(values**2))


def _rank_agreement(near, judge, n_neighbors, n_points):
    """T(k) of the neighbours in `near`, ranked by `judge`; see `trustworthiness`."""
    N = len(near)
    near, judge = _in_units(near), _in_units(judge)
    k = np.asarray(n_neighbors)
    if k.dtype.kind not in "iu":
        raise TypeError(
            f"n_neighbors must be an int or an array of ints; got {shown(n_neighbors)}."
        )
    if k.size == 0 or k.min() < 1 or k.max() >= N / 2:
        came = n_neighbors if 0 < k.size < 10 else f"{k.size} values"
        raise ValueError(
            f"n_neighbors must be at least 1 and less than half the {N} points; got {came}. Use"
            " fewer neighbours."
        )
    judged = np.arange(N)
    if n_points is not None and n_points < N:
        judged = np.random.RandomState(0).choice(N, n_points, replace=False)
    # At k, a pair with rank a in `near` and rank b in `judge` costs b - k, if a <= k < b.
    # Row a - 1 of `met_by` counts the ranks up to a.
    met_by = _co_ranking(near, judge, judged, int(k.max())).cumsum(axis=0)
    excess = np.arange(N)
    cost = np.array([met_by[a - 1, a:] @ excess[: N - a] for a in k.ravel()], dtype=float)
    score = 1 - 2 * cost.reshape(k.shape) / (len(judged) * k * (2 * N - 3 * k - 1.0))
    return float(score) if score.ndim == 0 else score


def _co_ranking(near, judge, judged, k_max):
    """How many pairs have rank a in `near` (row a - 1) and rank b in `judge` (column b).

    The first point of each pair is one of those `judged`.
    """
    N = len(near)
    counts = np.zeros(k_max * N, dtype=np.int64)
    block = max(1, _ENTRIES_HELD // N)
    for first in range(0, len(judged), block):
        rows = judged[first : first + block]
        neighbors = _order(near, rows)[:, 1 : k_max + 1]
        rank = np.empty((len(rows), N), dtype=np.int64)
        np.put_along_axis(rank, _order(judge, rows), np.arange(N)[None, :], axis=1)
        rank = np.take_along_axis(rank, neighbors, axis=1)  # column a - 1: rank of neighbour a
        counts += np.bincount((rank + N * np.arange(k_max)).ravel(), minlength=k_max * N)
    return counts.reshape(k_max, N)


def _order(points, rows):
    """For each of the rows, all points by growing distance: itself first, ties by index."""
    distance = cdist(points[rows], points, "sqeuclidean")
    distance[np.arange(len(rows)), rows] = -1
    return np.argsort(distance, axis=1, kind="stable")


def _in_units(values):
    """Values in a unit in which their squared differences neither overflow nor vanish.

    Constant columns become zero. Dividing by a power of two is exact, so distances keep their order
    and their ties.
    """
    values = varying(values)
    return values / power_of_two(values)


def _centred(values):
    """Columns minus their means, in a unit in which squares stay finite."""
    values = _in_units(values)
    return values - values.mean(axis=0)


def _squared_in_data_units(mean, unit):
    """A mean of squares, times the square of its unit; ValueError if a float cannot hold it."""
    result = float(mean) * unit * unit  # not unit**2, which may overflow where the product does not
    if not np.isfinite(result):
        raise ValueError(
            "Y must not be so far away that squared distances exceed 1e308. Divide Y, and what it "
            "is compared with, by a constant first."
        )
    return result
