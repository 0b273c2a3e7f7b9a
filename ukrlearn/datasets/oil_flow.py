"""The oil pipe of [UKR] 4.3: a simulator of its physics, and a reader of the published files."""

from pathlib import Path

import numpy as np
from sklearn.utils import check_random_state

from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import (
    array,
    checked,
    choice,
    count,
    random_state,
    same_length,
    switch,
)

__all__ = [
    "OIL_FLOW_CONFIGURATIONS",
    "load_oil_flow",
    "oil_flow_paths",
    "simulated_oil_flow",
]

# ---------------------------------------------------------------------------------------- oil flow

OIL_FLOW_CONFIGURATIONS = ("homogeneous", "annular", "stratified")

# Six beams cross a pipe of radius 1: three vertical ones at x, then three horizontal ones at y.
_VERTICAL_BEAMS = np.array([5 / 6, 1 / 2, 1 / 6])
_HORIZONTAL_BEAMS = np.array([-1 / 2, 0, 1 / 2])

# Attenuation per pipe radius of hard and soft photons (rows) in water and in oil (columns); gas is
# transparent. _PHOTONS is the number of photons sent per beam and energy. Water and oil differ
# little, and in nearly the same proportion at both energies. So the two equations are almost
# parallel: 1.2 water + oil is measured to 0.003, but water - oil only to 0.1.
_ATTENUATION = np.array([[0.21, 0.20], [1.14, 0.95]])
_PHOTONS = 7e5
FILES = {"train": "Trn", "validation": "Vdn", "test": "Tst"}
MOST_PHOTONS = 1e18  # beyond, NumPy cannot draw Poisson numbers


def _photons(name, value):
    """A number, or infinity for data without noise."""
    if isinstance(value, float) and value == np.inf:
        return value
    return arguments.number(name, value, above=1, below=MOST_PHOTONS, or_equal=True)


def _folder(name, value):
    """A path."""
    try:
        Path(value).exists()
    except (TypeError, ValueError, OSError):
        raise TypeError(f"{name} must be a path; got {arguments.shown(value)}.") from None
    return value


@checked(same_length("fractions", "labels"), fractions=array(2, columns=3), labels=arguments.labels)
def oil_flow_paths(fractions, labels):
    """The lengths of six beams in water and in oil: the oil flow data without noise.

    Water, oil and gas fill the fractions w, o and g of the cross-section of a pipe of radius 1. A
    beam at distance c from the centre crosses the pipe along a chord of length 2√(1 - c²). The
    parts of the chord in water and in oil depend on the configuration:

    0. *homogeneous*: the fractions w and o of the chord.
    1. *annular* (water at the wall, then oil, gas in the middle): water lies outside the circle of
       radius √(1 - w), and oil between this circle and the circle of radius √g.
    2. *stratified* (water below, then oil, gas above): water lies below the level that cuts off the
       fraction w, and oil between this level and the level that cuts off w + o. The level h cuts
       off the fraction 1/2 + (h √(1 - h²) + arcsin h) / π. A horizontal beam lies in a single
       phase, so the data jump when a level passes the beam. The jumps break class 2 into pieces
       ([RPM] figure 4 counts five).

    Parameters
    ----------
    fractions : array-like of shape (M, 3)
        Fractions of water, oil and gas; each row sums to 1.
    labels : array-like of shape (M,)
        0, 1 or 2, the index in ``OIL_FLOW_CONFIGURATIONS``.

    Returns
    -------
    Y : ndarray of shape (M, 12)
        Lengths in water and in oil, first for the vertical beams at x = 5/6, 1/2, 1/6, then for the
        horizontal beams at y = -1/2, 0, 1/2.

    Examples
    --------
    In a pipe full of water, the lengths are those of the chords:

    >>> oil_flow_paths([[1, 0, 0]], [0]).round(3) + 0.0
    array([[1.106, 0.   , 1.732, 0.   , 1.972, 0.   , 1.732, 0.   , 2.   ,
            0.   , 1.732, 0.   ]])
    """
    if not (np.all(fractions >= 0) and np.allclose(fractions.sum(axis=1), 1)):
        raise ValueError(
            "fractions must be at least 0 and sum to 1 in each row; got a smallest entry of "
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


@checked(
    n_samples=count,
    n_photons=_photons,
    composition=choice("published", "flat"),
    return_fractions=switch,
    random_state=random_state,
)
def simulated_oil_flow(
    n_samples=1000,
    *,
    n_photons=_PHOTONS,
    composition="published",
    return_fractions=False,
    random_state=None,
):
    """The "oil flow" data of [UKR] section 4.3 and [RPM] section 8, simulated from the physics.

    Each sample has a random configuration (one of three) and a random composition. The six beams of
    `oil_flow_paths` cross the pipe at two photon energies. By the Beer-Lambert law, the expected
    number of photons at the detector is n exp(-a_w · water - a_o · oil) if n photons are sent. The
    detector counts a Poisson number of photons. The logarithms of the two counts give two linear
    equations, which are solved for the two path lengths:

        count_e ~ Poisson(n exp(-a_ew water - a_eo oil)),   e = hard, soft
        a_ew ŵ + a_eo ô = -log(count_e / n).

    Per pipe radius, a = 0.21 (water) and 0.20 (oil) for hard photons, 1.14 and 0.95 for soft ones;
    n = 700,000. These constants and the positions of the beams were fitted by maximum likelihood to
    50 rows of the published set. The simulated data also agree with the paper in classification: on
    two principal components, the 1-nearest-neighbour classifier errs on 14 to 20 % of test points
    (15.2 % in table 3 of the paper), and a kernel density classifier on 8 to 15 % (12.0 %). Do not
    standardise the columns, because the papers' figures hold for raw columns.

    Parameters
    ----------
    n_samples : int, default=1000
        Draw training and test sets with two different seeds.
    n_photons : float, default=7e5
        Number of photons per beam and energy, at least 1. ``np.inf`` gives data without noise.
    composition : {"published", "flat"}, default="published"
        The distribution of the fractions of water, oil and gas. "published" divides three numbers
        uniform on [0, 1] by their sum, which is the distribution in the published set. "flat" is
        uniform over all compositions; extreme ones are more frequent, and classification is harder
        (with PCA, 38 to 42 % of test points are wrong).
    return_fractions : bool, default=False
    random_state : int, RandomState or None

    Returns
    -------
    Y : ndarray of shape (n_samples, 12)
        Measured lengths in water and in oil of each beam, in the order of `oil_flow_paths`.
    labels : ndarray of shape (n_samples,)
        0 homogeneous, 1 annular, 2 stratified.
    fractions : ndarray of shape (n_samples, 3)
        Fractions of water, oil and gas. Only with return_fractions=True.
    """
    random = check_random_state(random_state)
    labels = random.randint(3, size=n_samples)
    if composition == "published":
        fractions = random.uniform(size=(n_samples, 3))
        fractions /= fractions.sum(axis=1, keepdims=True)
    else:
        fractions = random.dirichlet([1, 1, 1], size=n_samples)

    Y = oil_flow_paths(fractions, labels)
    if np.isfinite(n_photons):
        expected = n_photons * np.exp(-Y.reshape(-1, 2) @ _ATTENUATION.T)
        # A detector that counts no photon is read as one photon, the longest measurable path.
        counts = np.maximum(random.poisson(expected), 1)
        Y = np.linalg.solve(_ATTENUATION, -np.log(counts / n_photons).T).T.reshape(-1, 12)
    return (Y, labels, fractions) if return_fractions else (Y, labels)


@checked(folder=_folder, subset=choice(*FILES), return_fractions=switch)
def load_oil_flow(folder, subset="train", *, return_fractions=False):
    """The published "oil flow" set of [UKR] section 4.3, read from its text files.

    We may not redistribute the set. Its archive, 3PhData, holds three text files for each of Trn,
    Vdn and Tst: DataTrn.txt (1000 x 12), DataTrnLbls.txt (1000 x 3, one-hot: homogeneous, annular,
    stratified) and DataTrnFrctns.txt (1000 x 2: water, oil). Unpack the archive into a folder.

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
        Fractions of water, oil and gas. Only with return_fractions=True.
    """
    stem = Path(folder) / f"Data{FILES[subset]}"

    Y = _read_table(f"{stem}.txt", n_columns=12)
    one_hot = _read_table(f"{stem}Lbls.txt", n_columns=3, n_rows=len(Y))
    if not (np.all(np.isin(one_hot, (0, 1))) and np.all(one_hot.sum(axis=1) == 1)):
        raise ValueError(
            f"Each row of {stem}Lbls.txt must hold one 1 and two zeros; row "
            f"{np.argmax((one_hot.sum(axis=1) != 1) | ~np.isin(one_hot, (0, 1)).all(axis=1)) + 1}"
            " does not. Unpack the archive again."
        )
    labels = one_hot.argmax(axis=1)
    if not return_fractions:
        return Y, labels
    liquids = _read_table(f"{stem}Frctns.txt", n_columns=2, n_rows=len(Y))
    return Y, labels, np.column_stack([liquids, 1 - liquids.sum(axis=1)])


def _homogeneous(fractions):
    """Paths (M, 6, 2) in water and oil when the phases are mixed: fractions of the whole chord."""
    chords = _chords(np.ones(1), np.abs([*_VERTICAL_BEAMS, *_HORIZONTAL_BEAMS]))
    return chords[:, :, None] * fractions[:, None, :2]


def _annular(fractions):
    """Paths (M, 6, 2) in water and oil when water and oil are rings around the gas."""
    beams = np.abs([*_VERTICAL_BEAMS, *_HORIZONTAL_BEAMS])
    within_wall = _chords(np.ones(1), beams)
    within_water = _chords(np.sqrt(1 - fractions[:, 0]), beams)
    within_oil = _chords(np.sqrt(fractions[:, 2]), beams)
    return np.stack([within_wall - within_water, within_water - within_oil], axis=2)


def _stratified(fractions):
    """Paths (M, 6, 2) in water and oil when water and oil are layers below the gas."""
    surface = np.column_stack([_level(fractions[:, 0]), _level(1 - fractions[:, 2])])
    half = np.sqrt(1 - _VERTICAL_BEAMS[:, None] ** 2)
    vertical = np.clip(surface[:, None, :], -half, half) + half
    whole = 2 * np.sqrt(1 - _HORIZONTAL_BEAMS[:, None] ** 2)
    horizontal = whole * (_HORIZONTAL_BEAMS[:, None] < surface[:, None, :])
    below = np.concatenate([vertical, horizontal], axis=1)  # below the surfaces of water and oil
    return np.stack([below[:, :, 0], below[:, :, 1] - below[:, :, 0]], axis=2)


def _chords(radius, distance):
    """Chords (M, B) that circles of the given radii (M,) cut out of lines at distances (B,)."""
    return 2 * np.sqrt(np.maximum(radius[:, None] ** 2 - distance**2, 0))


def _level(share):
    """The height h below which the given share of the unit disc lies.

    With h = sin φ, the share is 1/2 + (2φ + sin 2φ) / 2π. It is flat at both ends, where Newton's
    method would leave the interval, so h is found by bisection to the last bit.
    """
    low, high = np.full(share.shape, -np.pi / 2), np.full(share.shape, np.pi / 2)
    for _ in range(60):
        middle = (low + high) / 2
        too_high = 0.5 + (2 * middle + np.sin(2 * middle)) / (2 * np.pi) > share
        low, high = np.where(too_high, low, middle), np.where(too_high, middle, high)
    return np.sin((low + high) / 2)


def _read_table(path, n_columns, n_rows=None):
    """The numbers of a text file, which must have this many columns and rows."""
    if not Path(path).is_file():
        raise FileNotFoundError(
            f"{path} must be a file of the published oil flow set; it does not exist. Unpack "
            "3PhData into that folder, or use simulated_oil_flow(), which needs no files."
        )
    try:
        table = np.loadtxt(path, ndmin=2)
    except ValueError as error:
        raise ValueError(
            f"{path} must hold rows of {n_columns} numbers; reading it failed: {error}"
        ) from error
    expected = (len(table) if n_rows is None else n_rows, n_columns)
    if table.shape != expected:
        raise ValueError(
            f"{path} must hold {expected[0]} rows of {n_columns} numbers; got {table.shape[0]} rows"
            f" of {table.shape[1]}. Unpack the archive again."
        )
    return table
