"""Data for trials: of all sizes different, asymmetric, small first, and of extreme scale."""

import numpy as np

SIZES = ((7, 3, 2), (5, 4, 1), (11, 2, 3))  # N, d, q: no two the same, so nothing passes by luck


def data(random, N, d, q):
    """X (N, q) and Y (N, d): skewed, off centre, axes of different size, some points alone."""
    X = random.gamma(1.5, size=(N, q)) * (1 + np.arange(q)) - 0.7
    Y = (
        np.sin(X @ random.normal(size=(q, d))) * (1 + np.arange(d))
        + 0.3 * random.normal(size=(N, d))
        + 2
    )
    return X, Y


def within_reach(X, distance=3.5):
    """X, shrunk if need be until each point has another one so near: no weight underflows."""
    apart = np.sqrt(np.sum((X[:, None] - X) ** 2, axis=2)) + np.diag(np.full(len(X), np.inf))
    return X * min(1, distance / apart.min(axis=1).max())


def mirrored(random, pairs, columns):
    """Points in opposite pairs, aimed at nothing, and two at the origin.

    So they are centred, and have rows of zeros and equal rows.
    """
    half = random.normal(size=(pairs, columns))
    return random.permutation(np.vstack([half, -half, np.zeros((2, columns))]))
