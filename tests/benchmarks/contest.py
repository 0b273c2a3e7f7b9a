"""The data sets on which UKR and its rivals are compared, and the scores that judge their maps.

Nothing here fits a map, so what was measured of a rival stays true when one of our
estimators changes.
"""

from typing import NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter, map_coordinates
from scipy.spatial import cKDTree
from sklearn import datasets as bundled
from sklearn.preprocessing import scale

from ukrlearn import datasets, metrics

JUDGED = 2000  # points for trustworthiness and continuity; ranks are among all


# Data: each function draws N rows for the fit and a quarter as many new ones


class Draw(NamedTuple):
    Y: np.ndarray
    labels: np.ndarray | None  # of classes
    truth: np.ndarray | None  # coordinates
    new: np.ndarray  # rows that no method sees


def drawn(Y, labels, truth, N, seed):
    """N of these rows, and a quarter as many others, at random; four fifths if N is None."""
    order = np.random.default_rng(seed).permutation(len(Y))
    N = 4 * len(Y) // 5 if N is None else N
    old, new = order[:N], order[N : N + N // 4]
    of_fit = lambda values: None if values is None else values[old]
    return Draw(Y[old], of_fit(labels), of_fit(truth), Y[new])


def real(load, N=None, prepare=scale):
    """A data set that scikit-learn brings."""

    def draw(seed):
        Y, target = load(return_X_y=True)
        return drawn(prepare(Y), target, None, N, seed)

    return draw


def simulated(make, N, with_labels=False):
    """make(rows, random_state) -> rows, and their true coordinates or labels."""

    def draw(seed):
        Y, known = make(N + N // 4, random_state=seed)
        return drawn(Y, *((known, None) if with_labels else (None, known)), N, seed)

    return draw


def diabetics(return_X_y):
    Y, _ = bundled.load_diabetes(return_X_y=return_X_y)
    return Y, None  # its target is no class


def distorted(N):
    """Images of digits, each turned, shifted, zoomed and bent a little at random."""

    def draw(seed):
        random = np.random.default_rng(seed)
        Y, labels = bundled.load_digits(return_X_y=True)
        which = np.arange(N + N // 4) % len(Y)
        copies = np.empty((len(which), 64))
        pixels = np.stack(np.meshgrid(np.arange(8.0), np.arange(8.0), indexing="ij")) - 3.5
        for n, image in enumerate(Y[which].reshape(-1, 8, 8)):
            angle = np.deg2rad(random.uniform(-12, 12))
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            shift = random.uniform(-0.6, 0.6, 2)[:, None, None]
            bent = 1.2 * gaussian_filter(random.normal(size=(2, 8, 8)), (0, 2, 2))
            at = np.tensordot(random.uniform(0.93, 1.07) * turn, pixels, 1) + 3.5 + shift + bent
            copies[n] = map_coordinates(image, at, order=1).ravel()
        return drawn(copies, labels[which], None, N, seed)

    return draw


def s_curve_with_a_hole(N, random_state):
    Y, t = datasets.s_curve(2 * N, random_state=random_state)
    middle = (t.max(axis=0) + t.min(axis=0)) / 2
    around = np.linalg.norm((t - middle) / np.ptp(t, axis=0), axis=1) > 0.2
    return Y[around][:N], t[around][:N]


def loops(N, random_state):
    """Five sevens, each turned through a full circle: closed curves in 256 columns."""
    Y, _ = datasets.rotated_digits(5, N // 5, random_state=random_state)
    return Y, np.repeat(np.arange(5), N // 5)


def blobs(N, random_state):
    return bundled.make_blobs(N, n_features=50, centers=20, random_state=random_state)


SETS = {
    "100 irises": real(bundled.load_iris, 100),
    "wine": real(bundled.load_wine),
    "300 digits": real(bundled.load_digits, 300, np.asarray),
    "oil flow, 300": simulated(datasets.simulated_oil_flow, 300, with_labels=True),
    "320 diabetics": real(diabetics, 320),
    "turned sevens, 360": simulated(loops, 360, with_labels=True),
    "400 tumours": real(bundled.load_breast_cancer, 400),
    "S-curve, 400": simulated(datasets.s_curve, 400),
    "Swiss roll, 600": simulated(datasets.swiss_roll, 600),
    "800 digits": real(bundled.load_digits, 800, np.asarray),
    "blobs in 50 dimensions": simulated(blobs, 800, with_labels=True),
    "oil flow": simulated(datasets.simulated_oil_flow, 1000, with_labels=True),
    "S-curve with a hole": simulated(s_curve_with_a_hole, 1000),
    "Swiss roll": simulated(datasets.swiss_roll, 1000),
    "digits": real(bundled.load_digits, None, np.asarray),
    "10,000 distorted digits": distorted(10_000),
    "100,000 distorted digits": distorted(100_000),
}


def draws_of(data):
    """Twenty; fewer where a draw takes minutes."""
    return {"10,000 distorted digits": 10, "100,000 distorted digits": 3}.get(data, 20)


# Scores: heading -> function of the draw and of the coordinates, and whether more is better. A
# score that does not exist for the data is None.


def r_cv(draw, X):
    """At 100,000, that of every tenth point."""
    some = slice(None, None, max(1, len(X) // 10_000))
    return metrics.loo_reconstruction(X[some], draw.Y[some])


def trustworthiness(draw, X):
    return metrics.trustworthiness(X, draw.Y, 10, n_points=min(JUDGED, len(X)))


def continuity(draw, X):
    return metrics.continuity(X, draw.Y, 10, n_points=min(JUDGED, len(X)))


def one_nn(draw, X):
    if draw.labels is None:
        return None
    near = cKDTree(X).query(X, 2)[1]
    others = np.where(near[:, 0] == np.arange(len(X)), near[:, 1], near[:, 0])
    return float(np.mean(draw.labels[others] == draw.labels))


def r2(draw, X):
    return None if draw.truth is None else metrics.procrustes_r2(X, draw.truth)


def held_out(draw, X):
    return metrics.held_out_error(X, draw.Y, draw.new)


SCORES = {
    "R_cv": (r_cv, False),
    "held out": (held_out, False),
    "trustworthiness": (trustworthiness, True),
    "continuity": (continuity, True),
    "1-NN": (one_nn, True),
    "R²": (r2, True),
}
