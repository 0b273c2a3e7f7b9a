"""Images of handwritten digits: upright, rotated, and on a wall that a camera passes."""

import numpy as np
from scipy.ndimage import gaussian_filter, map_coordinates
from sklearn.utils import check_random_state

from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import (
    checked,
    count,
    random_state,
)
from ukrlearn.datasets._shared import blur, noise_level, positions

__all__ = [
    "camera_curve",
    "camera_on_a_rail",
    "digits",
    "rotated_digits",
]

# ------------------------------------------------------------------------------------------ images


def _label(name, value):
    """A digit or several."""
    digits = np.atleast_1d(value) if np.ndim(value) < 2 and np.size(value) else np.array([None])
    if digits.dtype.kind not in "iu" or not np.isin(digits, range(10)).all():
        raise ValueError(
            f"{name} must be a digit from 0 to 9, a list of digits, or None for all; got "
            f"{arguments.shown(value)}."
        )
    return value


@checked(label=arguments.optional(_label), n_samples=count, random_state=random_state)
def digits(label=2, *, n_samples=None, random_state=None):
    """Handwritten digits of one class, as in [UKR] section 4.2, pixels scaled to [-1, 1].

    The images are those bundled with scikit-learn, 8 x 8 = 64 pixels, with about 180 per class.
    Paper is -1 and ink is 1.

    Departures: the paper uses the 731 twos of the USPS set, 16 x 16 pixels, which OpenML provides
    as "USPS". There is no true latent coordinate, so the classes are returned instead.

    Parameters
    ----------
    label : int, list of int or None, default=2
        Which class or classes; None means all ten.
    n_samples : int, optional
        Number of images to draw without replacement. None returns all, in their original order.
    random_state : int, RandomState or None
        Used only when n_samples is given.

    Returns
    -------
    Y : ndarray of shape (N, 64)
    labels : ndarray of shape (N,)

    Examples
    --------
    >>> Y, labels = digits(label=2)
    >>> Y.shape, float(Y.min()), float(Y.max())
    ((177, 64), -1.0, 1.0)
    """
    # Imported here because sklearn.datasets takes longer to load than the rest of this module.
    from sklearn.datasets import load_digits

    bundled = load_digits()
    wanted = range(10) if label is None else np.atleast_1d(label)
    rows = np.flatnonzero(np.isin(bundled.target, wanted))
    if n_samples is not None:
        if n_samples > len(rows):
            raise ValueError(
                f"n_samples must be at most the {len(rows)} images with {label=}; got {n_samples=}."
                " Ask for fewer, or for more classes."
            )
        rows = check_random_state(random_state).choice(rows, n_samples, replace=False)
    return bundled.data[rows] / 8 - 1, bundled.target[rows]


@checked(
    n_digits=count,
    n_angles=count,
    label=arguments.optional(_label),
    n_pixels=count,
    noise=noise_level,
    random_state=random_state,
)
def rotated_digits(n_digits=1, n_angles=90, *, label=7, n_pixels=16, noise=0.0, random_state=None):
    """Handwritten sevens rotated through a full turn, after [DRUR] figure 9.

    n_digits images of one class are drawn. Each is rotated anticlockwise about its centre by
    t = j 360 / n_angles degrees, j = 0, 1, ..., and so traces a closed loop in pixel space. Row
    i n_angles + j is digit i at the j-th angle. Before noise, pixels range from -1 (paper) to 1
    (ink).

    Departures: the paper uses 220 MNIST sevens of 28 x 28 pixels, in steps of 4 degrees. Here they
    are scikit-learn's 8 x 8 sevens, magnified by splines to keep their shape under rotation.

    Parameters
    ----------
    n_digits : int, default=1
        Number of different images; each gives n_angles rows.
    n_angles : int, default=90
        Number of steps in a full turn; 90 gives the paper's steps of 4 degrees.
    label : int, default=7
        The class. Zero and eight look the same after half a turn.
    n_pixels : int, default=16
        Side length of the images.
    noise : float, default=0.0
    random_state : int, RandomState or None

    Returns
    -------
    Y : ndarray of shape (n_digits * n_angles, n_pixels**2)
    t : ndarray of shape (n_digits * n_angles,)
        The angle in degrees, 0 ≤ t < 360.
    """
    random = check_random_state(random_state)
    originals, _ = digits(label, n_samples=n_digits, random_state=random)
    t = 360 / n_angles * np.arange(n_angles)

    # Each pixel of the rotated image looks up the place in the original from which it came. The
    # frame is 10 original pixels wide; corners of the 8 x 8 square that leave it are only paper.
    grid = (np.arange(n_pixels) + 0.5) * (10 / n_pixels) - 5
    down, right = np.meshgrid(grid, grid, indexing="ij")
    turn = np.deg2rad(t)[:, None, None]
    rows = np.cos(turn) * down + np.sin(turn) * right + 3.5
    columns = np.cos(turn) * right - np.sin(turn) * down + 3.5
    loops = [
        map_coordinates(
            seven.reshape(8, 8), [rows, columns], order=3, mode="grid-constant", cval=-1
        )
        for seven in originals
    ]
    # Cubic splines overshoot slightly at the edges of the ink.
    Y = np.clip(loops, -1, 1).reshape(n_digits * n_angles, n_pixels**2)
    return blur(Y, noise, random), np.tile(t, n_digits)


FRAME = 12  # pixels on each side of the camera's image
WALL = (3, 1, 4)  # the digits on the wall


@checked(t=positions())
def camera_curve(t):
    """What the camera of `camera_on_a_rail` sees from positions t, without noise.

    Three handwritten digits hang side by side on a wall, slightly out of focus. The camera looks at
    12 x 12 pixels of the wall; at t = 0 it is at the left end of its rail, at t = 1 at the right
    end, 16 pixels further. Between pixels the wall is interpolated by cubic splines.

    Parameters
    ----------
    t : array-like of shape (M,)
        Positions on the rail. Beyond its ends the border of the wall goes on; NaN makes a gap.

    Returns
    -------
    Y : ndarray of shape (M, 144)
        Images, row by row; paper is about -1 and ink about 1.
    """
    drawn = [digits(label)[0][0].reshape(8, 8) for label in WALL]
    wall = gaussian_filter(np.pad(np.hstack(drawn), 2, constant_values=-1.0), 1)
    gaps = np.isnan(t)
    left = np.where(gaps, 0, t) * (wall.shape[1] - FRAME)
    down, right = np.meshgrid(np.arange(FRAME), np.arange(FRAME), indexing="ij")
    columns = left[:, None, None] + right
    rows = np.broadcast_to(down, columns.shape)
    images = map_coordinates(wall, [rows, columns], order=3, mode="nearest")
    images[gaps] = np.nan
    return images.reshape(len(t), FRAME**2)


@checked(n_samples=count, noise=noise_level, random_state=random_state)
def camera_on_a_rail(n_samples=200, *, noise=0.1, random_state=None):
    """Images of a wall, taken by a camera from random positions on a rail.

    t is uniform on [0, 1]; Y = `camera_curve` (t) + noise. The images lie on a curve in pixel space
    that the first principal component folds: it orders hardly anything.

    Parameters
    ----------
    n_samples : int, default=200
    noise : float, default=0.1
    random_state : int, RandomState or None

    Returns
    -------
    Y : ndarray of shape (n_samples, 144)
    t : ndarray of shape (n_samples,)
        Positions on the rail. Unlike the length along other curves, equal distances on the rail are
        only roughly equally long in pixel space.
    """
    random = check_random_state(random_state)
    t = random.uniform(size=n_samples)
    return blur(camera_curve(t), noise, random), t
