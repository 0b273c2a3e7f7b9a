"""The papers' data sets, each with the truth that produced it.

Every generator returns ``(Y, t)``: the data, one point a row, and the true latent coordinate of
each row. ``t`` measures length along the curve or sheet (from 0 to 1 for a curve in one piece, in
the data's own units for sheets), so a perfect embedding is ``t`` up to shift, rotation, reflection
and one scale. Beside each generator stands the clean curve or surface, a plain function of ``t``:

>>> Y, t = noisy_spiral(random_state=0)
>>> clean = spiral_curve(np.linspace(0, 1, 1000))

``noise`` is the standard deviation of the Gaussian noise in each column; with ``noise=0`` the
points lie on the curve exactly. ``random_state`` is an int, a `numpy.random.RandomState` or None,
as in scikit-learn: NumPy has frozen that generator, so a seed means the same data in every version.
"""

from numbers import Integral, Real
from pathlib import Path

import numpy as np
from scipy.ndimage import map_coordinates
from sklearn.utils import check_random_state

__all__ = [
    "circle_curve",
    "digits",
    "disconnected_curve",
    "disconnected_curves",
    "helix_curve",
    "load_oil_flow",
    "noisy_helix",
    "noisy_spiral",
    "oil_flow_paths",
    "partitioned_circle",
    "rotated_digits",
    "s_curve",
    "s_curve_surface",
    "simulated_oil_flow",
    "spiral_curve",
    "swiss_roll",
    "swiss_roll_surface",
]

# ------------------------------------------------------------------------------------------ curves


def spiral_curve(t):
    """The spiral of [UKR] figure 1, without noise, at the fraction t of its length.

    y(θ) = r (cos θ, sin θ),  r = 0.2 + θ / 4π,  0 ≤ θ ≤ 4π: two whorls, radius 0.2 to 1.2. At the
    angle θ(t) the fraction t of the arc length lies behind.

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
    phi = _archimedean_angle(start + (end - start) * np.asarray(t, dtype=float))
    theta = phi - first
    return phi[:, None] / (4 * np.pi) * np.column_stack([np.cos(theta), np.sin(theta)])


def noisy_spiral(n_samples=300, *, noise=0.05, random_state=None):
    """The "noisy spiral" of [UKR] section 4.1, figures 1 and 2.

    t is uniform on [0, 1]; Y = `spiral_curve` (t) + noise. Two whorls, radius 0.2 to 1.2.

    Departures: the paper does not say how the sample is spread along the curve. Uniform in arc
    length, as here, gives the paper's errors; uniform in the angle crowds the inner whorl.

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
    _check_count(n_samples=n_samples)
    random = check_random_state(random_state)
    t = random.uniform(size=n_samples)
    return _blur(spiral_curve(t), noise, random), t


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
    t = np.asarray(t, dtype=float)
    return np.column_stack([np.cos(4 * np.pi * t), np.sin(4 * np.pi * t), 4 * t])


def noisy_helix(n_samples=300, *, noise=0.1, random_state=None):
    """The "noisy helix" of [SGD] section 6.1, figure 3.

    t is uniform on [0, 1]; Y = `helix_curve` (t) + noise. Two turns of radius 1 over a height of 4.

    Departures: the paper prints neither formula nor noise. These reproduce its learning curves.

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
    _check_count(n_samples=n_samples)
    random = check_random_state(random_state)
    t = random.uniform(size=n_samples)
    return _blur(helix_curve(t), noise, random), t


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
    t = np.asarray(t, dtype=float)
    return np.column_stack([np.cos(2 * np.pi * t), np.sin(2 * np.pi * t)])


def partitioned_circle(n_samples=150, *, n_arcs=3, gap=0.3, noise=0.05, random_state=None):
    """The "partitioned circle" of [SGD] figure 1: clusters in the shape of circular arcs.

    Arc k is t ∈ [k, k + 1 - gap] / n_arcs of `circle_curve`, with t uniform on it; the points are
    shared out evenly and sorted by arc, as in the paper. ``np.floor(t * n_arcs)`` is the arc.

    Departures: the paper shows three arcs without their measures; 50 points each, gap and noise are
    chosen here. ``gap=0`` closes the circle.

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
    _check_count(n_samples=n_samples, n_arcs=n_arcs)
    _check_share(gap=gap)
    random = check_random_state(random_state)
    arc = np.arange(n_samples) * n_arcs // n_samples
    t = (arc + (1 - gap) * random.uniform(size=n_samples)) / n_arcs
    return _blur(circle_curve(t), noise, random), t


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
    t = np.asarray(t, dtype=float)
    piece = np.floor(t)
    angle = np.pi * (t - piece)
    across = 1.25 * piece - np.cos(angle)
    up = np.where(piece % 2 == 0, np.sin(angle), 0.4 - np.sin(angle))
    return np.column_stack([across, up])


def disconnected_curves(n_samples=700, *, n_curves=3, noise=0.05, random_state=None):
    """Noisy, disconnected curves that the first principal component folds over each other.

    t is uniform on [0, n_curves); Y = `disconnected_curve` (t) + noise. ``np.floor(t)`` is the
    number of the curve.

    Departures: [DRUR] figure 3 has 700 points on curves whose formulas are not printed. These play
    the same part: clusters with a shape each, one above the other in the projection.

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
        Number of the curve plus the fraction of its length.
    """
    _check_count(n_samples=n_samples, n_curves=n_curves)
    random = check_random_state(random_state)
    t = n_curves * random.uniform(size=n_samples)
    return _blur(disconnected_curve(t), noise, random), t


def _archimedean_length(angle):
    """Arc length of the spiral r = angle from its centre: (φ √(1 + φ²) + arsinh φ) / 2."""
    return (angle * np.sqrt(1 + angle**2) + np.arcsinh(angle)) / 2


def _archimedean_angle(length):
    """The angle at which the spiral r = angle has the given length: Newton's method.

    √(2 length) lies above the root of a convex, rising function: the steps fall towards it and
    never overshoot. Six reach the last bit beyond the first half turn; ten are as cheap.
    """
    angle = np.sqrt(2 * length)
    for _ in range(10):
        angle = angle - (_archimedean_length(angle) - length) / np.sqrt(1 + angle**2)
    return angle


# ------------------------------------------------------------------------------------------ sheets


def s_curve_surface(t):
    """The S-shaped sheet, without noise: y(t) = (sin t₁, t₂, sign(t₁) (cos t₁ - 1)).

    Rolled up without stretching: t₁ is the arc length along the S, counted from its middle, and t₂
    the height, so distances along the sheet are distances in t.

    Parameters
    ----------
    t : array-like of shape (M, 2)
        t₁ between -1.5π and 1.5π.

    Returns
    -------
    Y : ndarray of shape (M, 3)
    """
    t = np.asarray(t, dtype=float)
    along, height = t[:, 0], t[:, 1]
    return np.column_stack([np.sin(along), height, np.sign(along) * (np.cos(along) - 1)])


def s_curve(n_samples=500, *, noise=0.05, height=2.0, hole=0.0, random_state=None):
    """The "noisy s-curve" of [SGD] figure 4, with its true sheet coordinates.

    t is uniform on the rectangle [-1.5π, 1.5π] x [0, height], minus the hole;
    Y = `s_curve_surface` (t) + noise. The shape is that of `sklearn.datasets.make_s_curve`, which
    returns only t₁.

    Parameters
    ----------
    n_samples : int, default=500
        Number of points, whether or not there is a hole.
    noise : float, default=0.05
    height : float, default=2.0
    hole : float in [0, 1), default=0.0
        A rectangle in the middle of the sheet stays empty: this share of each of its sides.
    random_state : int, RandomState or None

    Returns
    -------
    Y : ndarray of shape (n_samples, 3)
    t : ndarray of shape (n_samples, 2)
        Isometric coordinates on the sheet: length along the S, height.
    """
    _check_count(n_samples=n_samples)
    _check_positive(height=height)
    random = check_random_state(random_state)
    along, up = _uniform_on_a_frame(n_samples, hole, random).T
    t = np.column_stack([1.5 * np.pi * along, height * (1 + up) / 2])
    return _blur(s_curve_surface(t), noise, random), t


def swiss_roll_surface(t):
    """The Swiss roll, without noise: y(t) = (θ cos θ, t₂, θ sin θ).

    The roll begins at θ = 1.5π, and t₁ is the arc length from there: with
    L(θ) = (θ √(1 + θ²) + arsinh θ) / 2, the angle solves L(θ) = L(1.5π) + t₁. So distances along
    the sheet are distances in t. (θ itself, which scikit-learn's `make_swiss_roll` returns, is
    stretched: a radian is three times as long outside as inside.)

    Parameters
    ----------
    t : array-like of shape (M, 2)
        t₁ ≥ 0, length along the roll; t₂, the height.

    Returns
    -------
    Y : ndarray of shape (M, 3)
    """
    t = np.asarray(t, dtype=float)
    theta = _archimedean_angle(_archimedean_length(1.5 * np.pi) + t[:, 0])
    return np.column_stack([theta * np.cos(theta), t[:, 1], theta * np.sin(theta)])


def swiss_roll(n_samples=1000, *, noise=0.3, length=90.0, height=21.0, hole=0.0, random_state=None):
    """The Swiss roll of [DRUR] figures 4 to 8 and 10, with its true sheet coordinates.

    t is uniform on the rectangle [0, length] x [0, height], minus the hole;
    Y = `swiss_roll_surface` (t) + noise.

    The roll makes one and a half turns, 2π apart. Its default size is that of
    `sklearn.datasets.make_swiss_roll`, but here it is evenly covered. ``height=50`` gives the wider
    sheet of the paper, in whose units its figures state noise ("10 = 1/5 of the shorter side").
    With the same number of points it is the harder one, for they lie further apart. ``hole=0.457``
    leaves out the area of the 209 of 1000 points that figure 8 lacks.

    Parameters
    ----------
    n_samples : int, default=1000
        Number of points, whether or not there is a hole.
    noise : float, default=0.3
    length, height : float, default=90.0 and 21.0
        The sheet, measured flat.
    hole : float in [0, 1), default=0.0
        A rectangle in the middle of the sheet stays empty: this share of each of its sides.
    random_state : int, RandomState or None

    Returns
    -------
    Y : ndarray of shape (n_samples, 3)
    t : ndarray of shape (n_samples, 2)
        Isometric coordinates on the sheet: length along the roll, height.
    """
    _check_count(n_samples=n_samples)
    _check_positive(length=length, height=height)
    random = check_random_state(random_state)
    t = (1 + _uniform_on_a_frame(n_samples, hole, random)) / 2 * [length, height]
    return _blur(swiss_roll_surface(t), noise, random), t


def _uniform_on_a_frame(n_samples, hole, random):
    """n_samples uniform points of the square [-1, 1]² outside the square [-hole, hole]²."""
    _check_share(hole=hole)
    points = np.empty((0, 2))
    while len(points) < n_samples:
        draw = random.uniform(-1, 1, size=(n_samples, 2))
        points = np.concatenate([points, draw[np.abs(draw).max(axis=1) >= hole]])
    return points[:n_samples]


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
        _check_count(n_samples=n_samples)
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
    _check_count(n_digits=n_digits, n_angles=n_angles, n_pixels=n_pixels)
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
    return _blur(Y, noise, random), np.tile(t, n_digits)


# ---------------------------------------------------------------------------------------- oil flow

OIL_FLOW_CONFIGURATIONS = ("homogeneous", "annular", "stratified")

# Six beams cross a pipe of radius 1: three vertical ones at x, then three horizontal ones at y.
_VERTICAL_BEAMS = np.array([5 / 6, 1 / 2, 1 / 6])
_HORIZONTAL_BEAMS = np.array([-1 / 2, 0, 1 / 2])

# Attenuation per pipe radius of hard and soft photons (rows) in water and in oil (columns), gas is
# transparent; and the number of photons sent per beam and energy. Water and oil differ little, and
# in nearly the same proportion at both energies: the two equations are almost parallel, so that
# 1.2 water + oil is measured to 0.003, but water - oil only to 0.1.
_ATTENUATION = np.array([[0.21, 0.20], [1.14, 0.95]])
_PHOTONS = 7e5


def oil_flow_paths(fractions, labels):
    """Lengths of the six beams in water and in oil: the oil flow data without noise.

    A pipe of radius 1 holds water, oil and gas in the shares w, o, g of its cross-section. A beam
    at distance c from the centre is 2√(1 - c²) long, and of that lie in water and in oil:

    0. *homogeneous*: the shares w and o;
    1. *annular* (water at the wall, then oil, gas in the middle): what is left of the chord by the
       circles of radius √(1 - w) and √g;
    2. *stratified* (water below, oil, gas above): what is below the level that cuts off the share
       w, and between that and the level that cuts off w + o. The level h cuts off the share
       1/2 + (h √(1 - h²) + arcsin h) / π. A horizontal beam is in one phase altogether: as a level
       passes it, the data jumps. This breaks class 2 into pieces ([RPM] figure 4 counts five).

    Parameters
    ----------
    fractions : array-like of shape (M, 3)
        Shares of water, oil and gas, each row with sum 1.
    labels : array-like of shape (M,)
        0, 1 or 2, the place in ``OIL_FLOW_CONFIGURATIONS``.

    Returns
    -------
    Y : ndarray of shape (M, 12)
        Water, oil of the vertical beams at x = 5/6, 1/2, 1/6, then of the horizontal beams at
        y = -1/2, 0, 1/2.

    Examples
    --------
    A pipe full of water: the chords themselves.

    >>> oil_flow_paths([[1, 0, 0]], [0]).round(3) + 0.0
    array([[1.106, 0.   , 1.732, 0.   , 1.972, 0.   , 1.732, 0.   , 2.   ,
            0.   , 1.732, 0.   ]])
    """
    fractions = np.asarray(fractions, dtype=float)
    labels = np.asarray(labels)
    if fractions.ndim != 2 or fractions.shape[1] != 3 or labels.shape != fractions.shape[:1]:
        raise ValueError(
            "fractions must have three columns (water, oil, gas) and as many rows as there are "
            f"labels; got shapes {fractions.shape} and {labels.shape}."
        )
    if not (np.all(fractions >= 0) and np.allclose(fractions.sum(axis=1), 1)):
        raise ValueError(
            "fractions must be at least 0 with sum 1 in each row; got a smallest entry of "
            f"{fractions.min():.3g} and sums from {fractions.sum(axis=1).min():.3g} to "
            f"{fractions.sum(axis=1).max():.3g}. Divide each row by its sum."
        )
    if not np.all(np.isin(labels, (0, 1, 2))):
        raise ValueError(
            f"labels must be 0, 1 or 2 for {', '.join(OIL_FLOW_CONFIGURATIONS)}; "
            f"got {np.unique(labels)}."
        )
    paths = np.stack([_homogeneous(fractions), _annular(fractions), _stratified(fractions)])
    return paths[labels.astype(int), np.arange(len(labels))].reshape(-1, 12)


def simulated_oil_flow(
    n_samples=1000,
    *,
    n_photons=_PHOTONS,
    composition="published",
    return_fractions=False,
    random_state=None,
):
    """The "oil flow" data of [UKR] section 4.3 and [RPM] section 8, simulated from its physics.

    Each sample picks one of the three configurations and a composition at random. Through the pipe
    go the six beams of `oil_flow_paths`, at two photon energies. By Beer and Lambert's law the
    detector expects n exp(-a_w · water - a_o · oil) of the n photons sent; it counts a Poisson
    number of them; and from the two logarithms the two path lengths are recovered by solving two
    linear equations:

        count_e ~ Poisson(n exp(-a_ew water - a_eo oil)),   e = hard, soft
        a_ew ŵ + a_eo ô = -log(count_e / n).

    Per pipe radius, a = 0.21 (water) and 0.20 (oil) for hard photons, 1.14 and 0.95 for soft ones;
    n = 700,000. These constants and the beams' places were fitted by maximum likelihood to 50 rows
    of the published set. What follows agrees with the paper too: 1-nearest-neighbour classification
    on two principal components errs in 14 to 20 % of test points (paper, table 3: 15.2 %), a kernel
    density classifier in 8 to 15 % (12.0 %). Do not standardise the columns: the papers' figures
    hold for the raw ones.

    Parameters
    ----------
    n_samples : int, default=1000
        Draw train and test set with two different seeds.
    n_photons : float, default=7e5
        Photons sent per beam and energy, at least 1. ``np.inf`` leaves no noise at all.
    composition : {"published", "flat"}, default="published"
        How the shares of water, oil and gas are drawn: "published" divides three numbers uniform on
        [0, 1] by their sum, which is how the published set is spread; "flat" is uniform over all
        compositions, with more extreme ones, and harder (PCA errs in 38 to 42 %).
    return_fractions : bool, default=False
    random_state : int, RandomState or None

    Returns
    -------
    Y : ndarray of shape (n_samples, 12)
        Measured water, oil of each beam, in the order of `oil_flow_paths`.
    labels : ndarray of shape (n_samples,)
        0 homogeneous, 1 annular, 2 stratified.
    fractions : ndarray of shape (n_samples, 3)
        Shares of water, oil, gas. Only with return_fractions=True.
    """
    _check_count(n_samples=n_samples)
    if not (isinstance(n_photons, Real) and n_photons >= 1):
        raise ValueError(
            f"n_photons must be a number of at least 1; got {n_photons=}. Pass np.inf for no noise."
        )
    random = check_random_state(random_state)
    labels = random.randint(3, size=n_samples)
    if composition == "published":
        fractions = random.uniform(size=(n_samples, 3))
        fractions /= fractions.sum(axis=1, keepdims=True)
    elif composition == "flat":
        fractions = random.dirichlet([1, 1, 1], size=n_samples)
    else:
        raise ValueError(f'composition must be "published" or "flat"; got {composition=}.')

    Y = oil_flow_paths(fractions, labels)
    if np.isfinite(n_photons):
        expected = n_photons * np.exp(-Y.reshape(-1, 2) @ _ATTENUATION.T)
        # A dark detector is read as one photon, the longest path that it can report.
        counts = np.maximum(random.poisson(expected), 1)
        Y = np.linalg.solve(_ATTENUATION, -np.log(counts / n_photons).T).T.reshape(-1, 12)
    return (Y, labels, fractions) if return_fractions else (Y, labels)


def load_oil_flow(folder, subset="train", *, return_fractions=False):
    """The published "oil flow" set of [UKR] section 4.3, read from its text files.

    The set is not ours to ship. Its archive, 3PhData, holds for each of Trn, Vdn and Tst three text
    files: DataTrn.txt (1000 x 12), DataTrnLbls.txt (1000 x 3, one-hot: homogeneous, annular,
    stratified) and DataTrnFrctns.txt (1000 x 2: water, oil). Unpack it into a folder.

    Parameters
    ----------
    folder : path
    subset : {"train", "validation", "test"}, default="train"
    return_fractions : bool, default=False

    Returns
    -------
    Y : ndarray of shape (N, 12)
    labels : ndarray of shape (N,)
        0 homogeneous, 1 annular, 2 stratified, as in `simulated_oil_flow`.
    fractions : ndarray of shape (N, 3)
        Shares of water, oil, gas. Only with return_fractions=True.
    """
    names = {"train": "Trn", "validation": "Vdn", "test": "Tst"}
    if subset not in names:
        raise ValueError(f'subset must be "train", "validation" or "test"; got {subset=}.')
    stem = Path(folder) / f"Data{names[subset]}"

    Y = _read_table(f"{stem}.txt", n_columns=12)
    one_hot = _read_table(f"{stem}Lbls.txt", n_columns=3, n_rows=len(Y))
    if not (np.all(np.isin(one_hot, (0, 1))) and np.all(one_hot.sum(axis=1) == 1)):
        raise ValueError(
            f"Each row of {stem}Lbls.txt must hold a single 1 and zeros; row "
            f"{np.argmax((one_hot.sum(axis=1) != 1) | ~np.isin(one_hot, (0, 1)).all(axis=1)) + 1}"
            " does not. Unpack the archive again."
        )
    labels = one_hot.argmax(axis=1)
    if not return_fractions:
        return Y, labels
    liquids = _read_table(f"{stem}Frctns.txt", n_columns=2, n_rows=len(Y))
    return Y, labels, np.column_stack([liquids, 1 - liquids.sum(axis=1)])


def _homogeneous(fractions):
    """Paths (M, 6, 2) in water and oil when the phases are mixed: shares of the whole chord."""
    chords = _chords(np.ones(1), np.abs([*_VERTICAL_BEAMS, *_HORIZONTAL_BEAMS]))
    return chords[:, :, None] * fractions[:, None, :2]


def _annular(fractions):
    """Paths (M, 6, 2) in water and oil when these are rings around the gas."""
    beams = np.abs([*_VERTICAL_BEAMS, *_HORIZONTAL_BEAMS])
    within_wall = _chords(np.ones(1), beams)
    within_water = _chords(np.sqrt(1 - fractions[:, 0]), beams)
    within_oil = _chords(np.sqrt(fractions[:, 2]), beams)
    return np.stack([within_wall - within_water, within_water - within_oil], axis=2)


def _stratified(fractions):
    """Paths (M, 6, 2) in water and oil when these are layers below the gas."""
    surface = np.column_stack([_level(fractions[:, 0]), _level(1 - fractions[:, 2])])
    half = np.sqrt(1 - _VERTICAL_BEAMS[:, None] ** 2)
    vertical = np.clip(surface[:, None, :], -half, half) + half
    whole = 2 * np.sqrt(1 - _HORIZONTAL_BEAMS[:, None] ** 2)
    horizontal = whole * (_HORIZONTAL_BEAMS[:, None] < surface[:, None, :])
    below = np.concatenate([vertical, horizontal], axis=1)  # below the water's, the oil's surface
    return np.stack([below[:, :, 0], below[:, :, 1] - below[:, :, 0]], axis=2)


def _chords(radius, distance):
    """Chords (M, B) that circles of the given radii (M,) cut out of lines at distances (B,)."""
    return 2 * np.sqrt(np.maximum(radius[:, None] ** 2 - distance**2, 0))


def _level(share):
    """The height h under which lies the given share of the unit disc.

    With h = sin φ the share is 1/2 + (2φ + sin 2φ) / 2π, flat at both ends, where Newton's method
    would leap out of the interval: bisection, to the last bit.
    """
    low, high = np.full(share.shape, -np.pi / 2), np.full(share.shape, np.pi / 2)
    for _ in range(60):
        middle = (low + high) / 2
        too_high = 0.5 + (2 * middle + np.sin(2 * middle)) / (2 * np.pi) > share
        low, high = np.where(too_high, low, middle), np.where(too_high, middle, high)
    return np.sin((low + high) / 2)


def _read_table(path, n_columns, n_rows=None):
    """The numbers of a text file, which must have so many columns and rows."""
    if not Path(path).is_file():
        raise FileNotFoundError(
            f"{path} must be a file of the published oil flow set, and is not there. Unpack 3PhData"
            " into that folder, or use simulated_oil_flow(), which needs no files."
        )
    try:
        table = np.loadtxt(path, ndmin=2)
    except ValueError as error:
        raise ValueError(
            f"{path} must hold rows of {n_columns} numbers; reading stopped with: {error}"
        ) from error
    expected = (len(table) if n_rows is None else n_rows, n_columns)
    if table.shape != expected:
        raise ValueError(
            f"{path} must hold {expected[0]} rows of {n_columns} numbers; got {table.shape[0]} rows"
            f" of {table.shape[1]}. Unpack the archive again."
        )
    return table


# ------------------------------------------------------------------------------------------ checks


def _blur(Y, noise, random):
    """Y plus Gaussian noise of the given standard deviation."""
    if not (isinstance(noise, Real) and 0 <= noise < np.inf):
        raise ValueError(
            f"noise must be a finite number of at least 0; got {noise=}. Pass 0 for clean data."
        )
    return Y + noise * random.standard_normal(Y.shape) if noise else Y


def _check_count(**arguments):
    for name, value in arguments.items():
        if not isinstance(value, Integral) or isinstance(value, bool):
            raise TypeError(
                f"{name} must be an integer; got {name}={value!r} of type {type(value).__name__}."
            )
        if value < 1:
            raise ValueError(f"{name} must be at least 1; got {name}={value}.")


def _check_positive(**arguments):
    for name, value in arguments.items():
        if not (isinstance(value, Real) and 0 < value < np.inf):
            raise ValueError(f"{name} must be a finite number above 0; got {name}={value!r}.")


def _check_share(**arguments):
    for name, value in arguments.items():
        if not (isinstance(value, Real) and 0 <= value < 1):
            raise ValueError(f"{name} must be a number in [0, 1); got {name}={value!r}.")
