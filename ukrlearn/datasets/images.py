"""Images of handwritten digits, plain and turned."""

import numpy as np
from scipy.ndimage import map_coordinates
from sklearn.utils import check_random_state

from ukrlearn.datasets._checking import blur, check_count

__all__ = [
    "digits",
    "rotated_digits",
]

# ------------------------------------------------------------------------------------------ images


def digits(label=2, *, n_samples=None, random_state=None):
    """Handwritten digits of one class, as in [UKR] section 4.2, pixels scaled to [-1, 1].

    scikit-learn's bundled images, 8 x 8 = 64 pixels, paper -1 and ink 1; about 180 per class.

    Departures: the paper has the 731 twos of the USPS set, 16 x 16; OpenML holds it as "USPS" for
    those who are online. There is no true latent coordinate: the classes are returned instead.

    Parameters
    ----------
    label : int, list of int or None, default=2
        Which class or classes; None takes all ten.
    n_samples : int, optional
        Draw so many images without replacement. None takes all, in their order.
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
    # Imported here: sklearn.datasets costs more than everything else in this module together.
    from sklearn.datasets import load_digits

    bundled = load_digits()
    wanted = range(10) if label is None else np.atleast_1d(label)
    if not len(wanted) or not np.all(np.isin(wanted, bundled.target_names)):
        raise ValueError(
            f"label must be a digit from 0 to 9, a list of those, or None for all; got {label=}."
        )
    rows = np.flatnonzero(np.isin(bundled.target, wanted))
    if n_samples is not None:
        check_count(n_samples=n_samples)
        if n_samples > len(rows):
            raise ValueError(
                f"n_samples must be at most the {len(rows)} images with {label=}; got {n_samples=}."
                " Ask for fewer, or for more classes."
            )
        rows = check_random_state(random_state).choice(rows, n_samples, replace=False)
    return bundled.data[rows] / 8 - 1, bundled.target[rows]


def rotated_digits(n_digits=1, n_angles=90, *, label=7, n_pixels=16, noise=0.0, random_state=None):
    """Handwritten sevens turned through the full circle, after [DRUR] figure 9.

    n_digits images of one class are drawn; each is rotated anticlockwise about its centre by
    t = j 360 / n_angles degrees, j = 0, 1, ..., and so traces a closed loop in pixel space. Row
    i n_angles + j is digit i at the j-th angle. Pixels from -1 (paper) to 1 (ink), before noise.

    Departures: the paper has 220 MNIST sevens of 28 x 28 pixels, in steps of 4 degrees; here they
    are scikit-learn's 8 x 8 ones, magnified by splines so that turning does not ruin them.

    Parameters
    ----------
    n_digits : int, default=1
        How many different images; each becomes n_angles rows.
    n_angles : int, default=90
        Steps of a full turn; 90 are the paper's steps of 4 degrees.
    label : int, default=7
        The class. Zero and eight look the same after half a turn.
    n_pixels : int, default=16
        Side of the images.
    noise : float, default=0.0
    random_state : int, RandomState or None

    Returns
    -------
    Y : ndarray of shape (n_digits * n_angles, n_pixels**2)
    t : ndarray of shape (n_digits * n_angles,)
        The angle in degrees, 0 ≤ t < 360.
    """
    check_count(n_digits=n_digits, n_angles=n_angles, n_pixels=n_pixels)
    random = check_random_state(random_state)
    originals, _ = digits(label, n_samples=n_digits, random_state=random)
    t = 360 / n_angles * np.arange(n_angles)

    # Each pixel of the turned image asks the original for its value at the place it came from. The
    # frame is 10 original pixels wide: corners of the 8 x 8 square that leave it are paper anyway.
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
    # Cubic splines overshoot a little at the edges of the ink.
    Y = np.clip(loops, -1, 1).reshape(n_digits * n_angles, n_pixels**2)
    return blur(Y, noise, random), np.tile(t, n_digits)
