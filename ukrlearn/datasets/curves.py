"""Curves with noise: spiral, helix, circle, and a curve in pieces."""

import numpy as np
from sklearn.utils import check_random_state

from ukrlearn.blocks.arguments import (
    checked,
    count,
    random_state,
    share,
)
from ukrlearn.datasets._shared import blur, demand_length, noise_level, positions

__all__ = [
    "arc_curve",
    "circle_curve",
    "disconnected_curve",
    "disconnected_curves",
    "helix_curve",
    "noisy_arc",
    "noisy_helix",
    "noisy_spiral",
    "partitioned_circle",
    "spiral_curve",
]

# ------------------------------------------------------------------------------------------ curves


ALONG_CURVE = positions()


@checked(t=ALONG_CURVE)
def spiral_curve(t):
    """The spiral of [UKR] figure 1, without noise, at the fraction t of its length.

    y(θ) = r (cos θ, sin θ),  r = 0.2 + θ / 4π,  0 ≤ θ ≤ 4π: two whorls, radius 0.2 to 1.2. θ(t) is
    the angle at which the curve has reached the fraction t of its arc length.

    Parameters
    ----------
    t : array-like of shape (M,)
        Between 0 (inner end) and 1 (outer end).

    Returns
    -------
    Y : ndarray of shape (M, 2)

    Examples
    --------
    >>> spiral_curve([0.0, 1.0]).round(12) + 0.0
    array([[0.2, 0. ],
           [1.2, 0. ]])
    """
    # With φ = θ + 0.8π the spiral is Archimedes' r = φ / 4π, whose arc length is known.
    first, last = 0.8 * np.pi, 4.8 * np.pi
    start, end = _archimedean_length(first), _archimedean_length(last)
    length = start + (end - start) * t
    demand_length(length, start)
    phi = _archimedean_angle(length)
    theta = phi - first
    return phi[:, None] / (4 * np.pi) * np.column_stack([np.cos(theta), np.sin(theta)])


@checked(n_samples=count, noise=noise_level, random_state=random_state)
def noisy_spiral(n_samples=300, *, noise=0.05, random_state=None):
    """The "noisy spiral" of [UKR] section 4.1, figures 1 and 2.

    t is uniform on [0, 1]; Y = `spiral_curve` (t) + noise. Two whorls, radius 0.2 to 1.2.

    Departures: the paper does not say how the sample is spread along the curve. A sample uniform in
    arc length, as here, gives the paper's errors; uniform in the angle, points crowd the inner
    whorl.

    Parameters
    ----------
    n_samples : int, default=300
    noise : float, default=0.05
    random_state : int, RandomState or None

    Returns
    -------
    Y : ndarray of shape (n_samples, 2)
    t : ndarray of shape (n_samples,)
        Fraction of the curve's length, 0 at the inner end.
    """
    random = check_random_state(random_state)
    t = random.uniform(size=n_samples)
    return blur(spiral_curve(t), noise, random), t


@checked(t=ALONG_CURVE)
def helix_curve(t):
    """The helix of [SGD] figure 3, without noise: y(t) = (cos 4πt, sin 4πt, 4t).

    Its speed is constant, so t is the fraction of the length.

    Parameters
    ----------
    t : array-like of shape (M,)
        Between 0 (bottom) and 1 (top).

    Returns
    -------
    Y : ndarray of shape (M, 3)

    Examples
    --------
    >>> helix_curve([0.0, 0.5, 1.0]).round(12) + 0.0
    array([[1., 0., 0.],
           [1., 0., 2.],
           [1., 0., 4.]])
    """
    return np.column_stack([np.cos(4 * np.pi * t), np.sin(4 * np.pi * t), 4 * t])


@checked(n_samples=count, noise=noise_level, random_state=random_state)
def noisy_helix(n_samples=300, *, noise=0.1, random_state=None):
    """The "noisy helix" of [SGD] section 6.1, figure 3.

    t is uniform on [0, 1]; Y = `helix_curve` (t) + noise. Two turns of radius 1 over a height of 4.

    Departures: the paper gives neither the formula nor the noise. Those used here reproduce its
    learning curves.

    Parameters
    ----------
    n_samples : int, default=300
    noise : float, default=0.1
    random_state : int, RandomState or None

    Returns
    -------
    Y : ndarray of shape (n_samples, 3)
    t : ndarray of shape (n_samples,)
        Fraction of the curve's length, 0 at the bottom.
    """
    random = check_random_state(random_state)
    t = random.uniform(size=n_samples)
    return blur(helix_curve(t), noise, random), t


@checked(t=ALONG_CURVE)
def circle_curve(t):
    """The unit circle y(t) = (cos 2πt, sin 2πt); t and t + 1 are the same point.

    Parameters
    ----------
    t : array-like of shape (M,)

    Returns
    -------
    Y : ndarray of shape (M, 2)

    Examples
    --------
    >>> circle_curve([0.0, 0.25]).round(12)
    array([[1., 0.],
           [0., 1.]])
    """
    return np.column_stack([np.cos(2 * np.pi * t), np.sin(2 * np.pi * t)])


@checked(t=ALONG_CURVE)
def arc_curve(t):
    """An arc of 275° on the unit circle: y(t) = (cos 4.8 (t - ½), sin 4.8 (t - ½)).

    Parameters
    ----------
    t : array-like of shape (M,)
        Between 0 and 1.

    Returns
    -------
    Y : ndarray of shape (M, 2)

    Examples
    --------
    >>> arc_curve([0.5])
    array([[1., 0.]])
    """
    angle = 4.8 * (t - 0.5)
    return np.column_stack([np.cos(angle), np.sin(angle)])


@checked(n_samples=count, noise=noise_level, random_state=random_state)
def noisy_arc(n_samples=300, *, noise=0.1, random_state=None):
    """A noisy arc as in [RPM] figure 1: t is uniform on [0, 1], Y = `arc_curve` (t) + noise.

    Departures: the paper gives no formula.

    Parameters
    ----------
    n_samples : int, default=300
    noise : float, default=0.1
    random_state : int, RandomState or None

    Returns
    -------
    Y : ndarray of shape (n_samples, 2)
    t : ndarray of shape (n_samples,)
        Fraction of the curve's length.
    """
    random = check_random_state(random_state)
    t = random.uniform(size=n_samples)
    return blur(arc_curve(t), noise, random), t


@checked(n_samples=count, n_arcs=count, gap=share, noise=noise_level, random_state=random_state)
def partitioned_circle(n_samples=150, *, n_arcs=3, gap=0.3, noise=0.05, random_state=None):
    """The "partitioned circle" of [SGD] figure 1: clusters in the shape of circular arcs.

    Arc k is t ∈ [k, k + 1 - gap] / n_arcs of `circle_curve`, with t uniform on it. As in the paper,
    all arcs have equally many points, and rows are sorted by arc. ``np.floor(t * n_arcs)`` is the
    index of the arc.

    Departures: the paper shows three arcs without giving their size. The 50 points per arc, the gap
    and the noise are our choice. ``gap=0`` closes the circle.

    Parameters
    ----------
    n_samples : int, default=150
    n_arcs : int, default=3
    gap : float in [0, 1), default=0.3
        Share of the circle that is left empty.
    noise : float, default=0.05
    random_state : int, RandomState or None

    Returns
    -------
    Y : ndarray of shape (n_samples, 2)
    t : ndarray of shape (n_samples,)
        Fraction of the full turn.
    """
    random = check_random_state(random_state)
    arc = np.arange(n_samples) * n_arcs // n_samples
    t = (arc + (1 - gap) * random.uniform(size=n_samples)) / n_arcs
    return blur(circle_curve(t), noise, random), t


@checked(t=ALONG_CURVE)
def disconnected_curve(t):
    """A chain of interlocking half circles of radius 1, without noise.

    With k = ⌊t⌋ and s = t - k, piece k runs from left to right, over the top when k is even and
    through the bottom when it is odd:

        y(t) = (1.25 k - cos πs,        sin πs)    k even
        y(t) = (1.25 k - cos πs,  0.4 - sin πs)    k odd.

    A NaN in t gives a row of NaN, which `metrics.distance_to_curve` and matplotlib read as a gap.

    Parameters
    ----------
    t : array-like of shape (M,)

    Returns
    -------
    Y : ndarray of shape (M, 2)

    Examples
    --------
    >>> disconnected_curve([0.0, 0.5, 1.5]).round(12) + 0.0
    array([[-1.  ,  0.  ],
           [ 0.  ,  1.  ],
           [ 1.25, -0.6 ]])
    """
    piece = np.floor(t)
    angle = np.pi * (t - piece)
    across = 1.25 * piece - np.cos(angle)
    up = np.where(piece % 2 == 0, np.sin(angle), 0.4 - np.sin(angle))
    return np.column_stack([across, up])


@checked(n_samples=count, n_curves=count, noise=noise_level, random_state=random_state)
def disconnected_curves(n_samples=700, *, n_curves=3, noise=0.05, random_state=None):
    """Noisy, disconnected curves that overlap in the first principal component.

    t is uniform on [0, n_curves); Y = `disconnected_curve` (t) + noise. ``np.floor(t)`` is the
    index of the curve.

    Departures: [DRUR] figure 3 has 700 points on curves whose formulas are not printed. The curves
    here serve the same purpose: they are curved clusters that the projection puts on top of each
    other.

    Parameters
    ----------
    n_samples : int, default=700
    n_curves : int, default=3
    noise : float, default=0.05
    random_state : int, RandomState or None

    Returns
    -------
    Y : ndarray of shape (n_samples, 2)
    t : ndarray of shape (n_samples,)
        Index of the curve plus the fraction of its length.
    """
    random = check_random_state(random_state)
    t = n_curves * random.uniform(size=n_samples)
    return blur(disconnected_curve(t), noise, random), t


def _archimedean_length(angle):
    """Arc length of the spiral r = angle from its centre: (φ √(1 + φ²) + arsinh φ) / 2."""
    return (angle * np.sqrt(1 + angle**2) + np.arcsinh(angle)) / 2


def _archimedean_angle(length):
    """The angle at which the spiral r = angle has the given length: Newton's method.

    The function is convex and rising, and √(2 length) lies above its root, so the steps fall
    towards the root and never overshoot. Beyond the first half turn, six steps reach the last bit;
    ten cost hardly more.
    """
    angle = np.sqrt(2 * length)
    for _ in range(10):
        angle = angle - (_archimedean_length(angle) - length) / np.sqrt(1 + angle**2)
    return angle
