"""Shared by all generators: noise, and checks of arguments."""

from numbers import Integral, Real

import numpy as np

# ------------------------------------------------------------------------------------------ checks


def blur(Y, noise, random):
    """Y plus Gaussian noise of the given standard deviation."""
    if not (isinstance(noise, Real) and 0 <= noise < np.inf):
        raise ValueError(
            f"noise must be a finite number, 0 or greater; got {noise=}. Pass 0 for clean data."
        )
    return Y + noise * random.standard_normal(Y.shape) if noise else Y


def check_count(**arguments):
    for name, value in arguments.items():
        if not isinstance(value, Integral) or isinstance(value, bool):
            raise TypeError(
                f"{name} must be an integer; got {name}={value!r} of type {type(value).__name__}."
            )
        if value < 1:
            raise ValueError(f"{name} must be at least 1; got {name}={value}.")


def check_positive(**arguments):
    for name, value in arguments.items():
        if not (isinstance(value, Real) and 0 < value < np.inf):
            raise ValueError(f"{name} must be a finite number above 0; got {name}={value!r}.")


def check_share(**arguments):
    for name, value in arguments.items():
        if not (isinstance(value, Real) and 0 <= value < 1):
            raise ValueError(f"{name} must be a number in [0, 1); got {name}={value!r}.")
