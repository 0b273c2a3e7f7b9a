"""What the tests of [RPM] share."""

import numpy as np
from helpers import read_only


def arc(N=120, noise=0.1, seed=0):
    """Points near an arc of the unit circle."""
    random = np.random.default_rng(seed)
    angle = 2.4 * random.uniform(-1, 1, N)
    clean = np.column_stack([np.cos(angle), np.sin(angle)])
    return read_only(clean + noise * random.normal(size=clean.shape))


def sheet(N=150, d=5, noise=0.05, seed=0):
    """Points near a bent sheet in d dimensions."""
    random = np.random.default_rng(seed)
    t = random.uniform(-1, 1, (N, 2))
    bent = np.column_stack([t, np.sin(2 * t[:, 0]) * t[:, 1]])
    return read_only(bent @ random.normal(size=(3, d)) + noise * random.normal(size=(N, d)))


def blobs(N=90, k=3, d=2, seed=0):
    """Points around k centres."""
    random = np.random.default_rng(seed)
    centres = 4 * random.normal(size=(k, d))
    return read_only(centres[random.integers(k, size=N)] + random.normal(size=(N, d)))
