"""Shared by all generators: noise, and the check of positions on a curve or sheet."""

from functools import partial

import numpy as np

from ukrlearn.blocks.arguments import array, number, shown

FARTHEST = 1e9  # beyond, sines have hardly a right digit
size = partial(number, above=0, below=FARTHEST)
noise_level = partial(number, above=0, below=FARTHEST, or_equal=True)


def blur(Y, noise, random):
    """Y plus Gaussian noise of the given standard deviation."""
    return Y + noise * random.standard_normal(Y.shape) if noise else Y


def demand_length(length, start):
    """ValueError if a position lies before the centre of a spiral, where its length is 0."""
    if (length < 0).any():
        raise ValueError(
            f"t must not lie before the centre of the spiral, at a length of {start:.4g} before "
            f"t=0; got a length of {start - np.nanmin(length):.4g}."
        )


def positions(columns=None):
    """A check of positions on a curve, or on a sheet if there are columns; NaN makes a gap."""
    of_shape = array(1 if columns is None else 2, columns=columns, finite=False)

    def check(name, value):
        t = of_shape(name, value)
        if np.abs(t[~np.isnan(t)]).max(initial=0) > FARTHEST:
            raise ValueError(
                f"{name} must hold numbers up to {FARTHEST:g}, or NaN for gaps; got {shown(value)}."
            )
        return t

    return check
