"""Dissimilarities of points, a block of rows at a time: Euclidean, or with labels, [SI] (1).

The procedures of `geodesics` read a dissimilarity matrix through ``len(Q)`` and ``Q[rows]`` only.
An array is such a matrix. So are the records below, which compute rows on request and never hold an
N x N array.
"""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn.blocks.kernel_regression import row_blocks

LONGEST = 1e30  # beyond this length the second case of (1) continues along a tangent
MOST = 1e30  # the greatest e² / β; greater values are lowered to it


@dataclass(frozen=True)
class Euclidean:
    """Q_ij = |y_i - y_j|."""

    Y: np.ndarray  # (N, d)

    def __len__(self):
        return len(self.Y)

    def __getitem__(self, rows):
        return cdist(self.Y[rows], self.Y)


@dataclass(frozen=True)
class WithLabels:
    """Q_ij of [SI] (1): short between points of one class, long between classes."""

    Y: np.ndarray  # (N, d)
    labels: np.ndarray  # (N,)
    alpha: float
    beta: float

    def __len__(self):
        return len(self.Y)

    def __getitem__(self, rows):
        squared = cdist(self.Y[rows], self.Y, "sqeuclidean")
        same = self.labels[rows, None] == self.labels
        return label_distance(squared, same, self.alpha, self.beta)


def label_distance(squared, same, alpha, beta):
    """Dissimilarities from squared Euclidean distances and equality of labels, [SI] (1).

    Two points of one class have the dissimilarity √(1 - exp(-e²/β)), which grows with e from 0 to
    1. Two points of different classes have √(exp(e²/β) - α), which grows from √(1 - α) without
    limit.

    Departures: the exponential is not formed, because it overflows where e²/β > 709. The second
    case is exp(½ e²/β) √(1 - α exp(-e²/β)), and from 1e30 on it continues along the tangent of
    its logarithm. It still grows there, so the order of all distances is that of (1). α is under
    the root, as printed.

    Parameters
    ----------
    squared : array
        e².
    same : array of bool
        Where the labels agree.
    alpha : float in [0, 1)
        Greater values bring classes closer together. From 1 on, the root would not be real for
        small distances.
    beta : float
        The unit of e². With `mean_squared_distance` the result does not depend on the scale of Y.

    Examples
    --------
    >>> label_distance(np.array([0.0, 1.0, 1.0, 1e5]), np.array([True, True, False, False]), 0.5, 1)
    array([0.00000000e+00, 7.95060098e-01, 1.48938975e+00, 4.99319224e+34])
    """
    with np.errstate(over="ignore"):
        s = np.minimum(squared / beta, MOST)
    within = -np.expm1(-s)  # 1 - exp(-e²/β)
    half = s / 2
    printed = np.minimum(half, np.log(LONGEST))
    between = np.exp(printed) * (1 + half - printed) * np.sqrt(1 - alpha + alpha * within)
    return np.where(same, np.sqrt(within), between)  # (1)


def mean_squared_distance(Y):
    """The mean of e² over all pairs: 2N/(N-1) times the total variance. The default β.

    Departures: the paper sets β to the mean distance. Then e²/β has a unit, and (1) depends on
    whether lengths are in metres or in feet.
    """
    N = len(Y)
    return 2 * N / (N - 1) * float(np.sum(Y.var(axis=0)))


def mean_distance(Y):
    """The mean of e over all pairs: the paper's β."""
    N = len(Y)
    total = sum(cdist(Y[rows], Y).sum() for rows in row_blocks(N, N))
    return float(total) / (N * (N - 1))
