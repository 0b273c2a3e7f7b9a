"""Sheets in space: the S-curve and the Swiss roll, with or without a hole."""

import numpy as np
from sklearn.utils import check_random_state

from ukrlearn.blocks.arguments import (
    checked,
    count,
    random_state,
    share,
)
from ukrlearn.datasets._shared import blur, demand_length, noise_level, positions, size
from ukrlearn.datasets.curves import _archimedean_angle, _archimedean_length

__all__ = [
    "s_curve",
    "s_curve_surface",
    "spherical_cap",
    "spherical_cap_surface",
    "swiss_roll",
    "swiss_roll_surface",
]

# ------------------------------------------------------------------------------------------ sheets


ON_SHEET = positions(columns=2)


@checked(t=ON_SHEET)
def s_curve_surface(t):
    """The S-shaped sheet, without noise: y(t) = (sin t₁, t₂, sign(t₁) (cos t₁ - 1)).

    The sheet is bent without stretching: t₁ is the arc length along the S, measured from its
    middle, and t₂ is the height. So distances along the sheet are distances in t.

    Parameters
    ----------
    t : array-like of shape (M, 2)
        t₁ between -1.5π and 1.5π.

    Returns
    -------
    Y : ndarray of shape (M, 3)
    """
    along, height = t[:, 0], t[:, 1]
    return np.column_stack([np.sin(along), height, np.sign(along) * (np.cos(along) - 1)])


@checked(n_samples=count, noise=noise_level, height=size, hole=share, random_state=random_state)
def s_curve(n_samples=500, *, noise=0.05, height=2.0, hole=0.0, random_state=None):
    """The "noisy s-curve" of [SGD] figure 4, with its true sheet coordinates.

    t is uniform on the rectangle [-1.5π, 1.5π] x [0, height], minus the hole;
    Y = `s_curve_surface` (t) + noise. `sklearn.datasets.make_s_curve` has the same shape, but
    returns only t₁.

    Parameters
    ----------
    n_samples : int, default=500
        Number of points, with or without a hole.
    noise : float, default=0.05
    height : float, default=2.0
    hole : float in [0, 1), default=0.0
        Size of an empty rectangle in the middle of the sheet, as a share of each of its sides.
    random_state : int, RandomState or None

    Returns
    -------
    Y : ndarray of shape (n_samples, 3)
    t : ndarray of shape (n_samples, 2)
        Isometric coordinates on the sheet: length along the S, height.
    """
    random = check_random_state(random_state)
    along, up = _uniform_on_a_frame(n_samples, hole, random).T
    t = np.column_stack([1.5 * np.pi * along, height * (1 + up) / 2])
    return blur(s_curve_surface(t), noise, random), t


@checked(t=ON_SHEET)
def swiss_roll_surface(t):
    """The Swiss roll, without noise: y(t) = (θ cos θ, t₂, θ sin θ).

    The roll begins at θ = 1.5π, and t₁ is the arc length from there: with
    L(θ) = (θ √(1 + θ²) + arsinh θ) / 2, the angle solves L(θ) = L(1.5π) + t₁. So distances along
    the sheet are distances in t. (scikit-learn's `make_swiss_roll` returns θ instead, which is not
    isometric: a radian is three times as long at the outer end as at the inner end.)

    Parameters
    ----------
    t : array-like of shape (M, 2)
        t₁ ≥ 0, length along the roll; t₂, the height.

    Returns
    -------
    Y : ndarray of shape (M, 3)
    """
    start = _archimedean_length(1.5 * np.pi)
    demand_length(start + t[:, 0], start)
    theta = _archimedean_angle(start + t[:, 0])
    return np.column_stack([theta * np.cos(theta), t[:, 1], theta * np.sin(theta)])


@checked(
    n_samples=count,
    noise=noise_level,
    length=size,
    height=size,
    hole=share,
    random_state=random_state,
)
def swiss_roll(n_samples=1000, *, noise=0.3, length=90.0, height=21.0, hole=0.0, random_state=None):
    """The Swiss roll of [DRUR] figures 4 to 8 and 10, with its true sheet coordinates.

    t is uniform on the rectangle [0, length] x [0, height], minus the hole;
    Y = `swiss_roll_surface` (t) + noise.

    The roll makes one and a half turns, 2π apart. By default it has the size of
    `sklearn.datasets.make_swiss_roll`, but here points cover the sheet evenly. ``height=50`` gives
    the wider sheet of the paper, whose figures state noise in the same units ("10 = 1/5 of the
    shorter side"). The wider sheet is harder with the same number of points, because they lie
    further apart. ``hole=0.457`` leaves out the area of the 209 of 1000 points that are missing in
    figure 8.

    Parameters
    ----------
    n_samples : int, default=1000
        Number of points, with or without a hole.
    noise : float, default=0.3
    length, height : float, default=90.0 and 21.0
        Size of the flat sheet.
    hole : float in [0, 1), default=0.0
        Size of an empty rectangle in the middle of the sheet, as a share of each of its sides.
    random_state : int, RandomState or None

    Returns
    -------
    Y : ndarray of shape (n_samples, 3)
    t : ndarray of shape (n_samples, 2)
        Isometric coordinates on the sheet: length along the roll, height.
    """
    random = check_random_state(random_state)
    t = (1 + _uniform_on_a_frame(n_samples, hole, random)) / 2 * [length, height]
    return blur(swiss_roll_surface(t), noise, random), t


def _uniform_on_a_frame(n_samples, hole, random):
    """n_samples uniform points of the square [-1, 1]² outside the square [-hole, hole]²."""
    points = np.empty((0, 2))
    while len(points) < n_samples:
        draw = random.uniform(-1, 1, size=(n_samples, 2))
        points = np.concatenate([points, draw[np.abs(draw).max(axis=1) >= hole]])
    return points[:n_samples]


@checked(t=ON_SHEET)
def spherical_cap_surface(t):
    """A piece of the unit sphere: y(t) is at the distance |t| from the pole, in the direction of t.

    Distances to the pole along the sphere equal distances to the origin in t. Other distances
    differ, because a sphere cannot be unrolled.

    Parameters
    ----------
    t : array-like of shape (M, 2)

    Returns
    -------
    Y : ndarray of shape (M, 3)

    Examples
    --------
    >>> spherical_cap_surface([[0.0, 0.0], [np.pi / 2, 0.0]]).round(12)
    array([[0., 0., 1.],
           [1., 0., 0.]])
    """
    r = np.linalg.norm(t, axis=1)
    return np.column_stack([np.sinc(r / np.pi)[:, None] * t, np.cos(r)])


@checked(n_samples=count, noise=noise_level, extent=size, random_state=random_state)
def spherical_cap(n_samples=500, *, noise=0.05, extent=1.0, random_state=None):
    """A noisy piece of a sphere, as the surface in [RPM] figure 1.

    t is uniform on [-extent, extent]²; Y = `spherical_cap_surface` (t) + noise.

    Departures: the paper gives no formula.

    Parameters
    ----------
    n_samples : int, default=500
    noise : float, default=0.05
    extent : float, default=1.0
        Half the side of the square, in radians.
    random_state : int, RandomState or None

    Returns
    -------
    Y : ndarray of shape (n_samples, 3)
    t : ndarray of shape (n_samples, 2)
    """
    random = check_random_state(random_state)
    t = random.uniform(-extent, extent, size=(n_samples, 2))
    return blur(spherical_cap_surface(t), noise, random), t
