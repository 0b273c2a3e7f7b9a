"""Checks of what users pass, and the conversion of strings into objects."""

from functools import partial
from numbers import Integral, Real

import numpy as np
from scipy.sparse import issparse

from ukrlearn.blocks import density_kernels, mercer_kernels
from ukrlearn.blocks.density_kernels import DensityKernel
from ukrlearn.estimators._masked import demand_unmasked
from ukrlearn.estimators.guidance import MATRICES, SCHEDULES, SpectralGuidance

LARGEST_SQUARABLE = 1e150  # squares of greater numbers do not fit into float64
LEAST = np.finfo(float).tiny
LONGEST = 1000  # the most moves of a schedule: the weights of every move are kept in memory


def density_kernel(kernel) -> DensityKernel:
    """The kernel of this name, or the user's own kernel after a test."""
    if isinstance(kernel, str):
        if kernel not in density_kernels.by_name:
            names = ", ".join(map(repr, density_kernels.by_name))
            raise ValueError(f"kernel must be one of {names} or a DensityKernel; got {kernel!r}.")
        return density_kernels.by_name[kernel]
    return density_kernels.check_kernel(kernel)


def is_auto(value):
    """Whether the value leaves the choice to the estimator."""
    return isinstance(value, str) and value == "auto"


def one_of(name, value, table):
    """table[value] for a string, the value itself if it is callable."""
    if isinstance(value, str) and value in table:
        return table[value]
    if callable(value):
        return value
    names = ", ".join(map(repr, table))
    raise ValueError(f"{name} must be one of {names} or a callable; got {value!r}.")


def whole_number(name, value, least):
    """The value as an int; booleans are refused."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be a whole number; got {value!r}.")
    if value < least:
        raise ValueError(f"{name} must be at least {least}; got {name}={value}.")
    return int(value)


def number(name, value, *, above=-np.inf, below=np.inf, or_equal=False):
    """The value as a float strictly between two limits; `or_equal` includes the lower limit."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number; got {value!r}.")
    inside = (value >= above if or_equal else value > above) and value < below
    if not inside:
        least = f"at least {above:g}" if or_equal else f"above {above:g}"
        most = f"below {below:g}" if np.isfinite(below) else "finite"
        raise ValueError(f"{name} must be {least} and {most}; got {name}={value!r}.")
    return float(value)


def demand_callback(value):
    """TypeError unless the value is callable or None."""
    if value is not None and not callable(value):
        raise TypeError(f"callback must be callable or None; got {value!r}.")


def guidance(value):
    """None, or a `SpectralGuidance` with valid fields."""
    if value is None:
        return None
    if not isinstance(value, SpectralGuidance):
        raise TypeError(f"guidance must be None or a SpectralGuidance; got {value!r}.")
    _demand_bandwidth(value.h)
    number("guidance: nu", value.nu, above=0, below=LONGEST, or_equal=True)
    if value.l is not None:
        whole_number("guidance: l", value.l, least=1)
    if whole_number("guidance: steps", value.steps, least=2) > LONGEST:
        raise ValueError(f"guidance: steps must be at most {LONGEST}; got {value.steps}.")
    if value.schedule not in SCHEDULES:
        names = ", ".join(map(repr, SCHEDULES))
        raise ValueError(f"guidance: schedule must be one of {names}; got {value.schedule!r}.")
    if not (is_array(value.matrix) or issparse(value.matrix)):
        one_of("guidance: matrix", value.matrix, {name: name for name in MATRICES})
    return value


def _demand_bandwidth(h):
    """ValueError or TypeError unless h is "auto" or a positive number."""
    if not isinstance(h, str):
        number("guidance: h", h, above=0)
    elif h != "auto":
        raise ValueError(f'guidance: h must be "auto" or a number; got {h!r}.')


def density_threshold(value):
    """η as a number, or as a function of the densities at the training points."""
    if isinstance(value, str):
        if value == "min":
            return np.min
        try:
            percent = float(value.removesuffix("%")) if value.endswith("%") else np.nan
        except ValueError:
            percent = np.nan
        if not 0 <= percent < 100:
            raise ValueError(
                'density_threshold must be "min", a percentage of training points such as "10%", '
                f"or a number in (0, 1); got {value!r}."
            )
        return partial(np.quantile, q=percent / 100)
    return number("density_threshold", value, above=0, below=1)


def left_out(value, N):
    """Whether points are left out, and the labels of groups if several are left out together."""
    if np.ndim(value):
        demand_unmasked(value, "leave_out")
        labels = np.asarray(value)
        if labels.shape != (N,) or np.any(labels != labels):
            raise ValueError(
                f"leave_out must hold one label for each of the {N} points; got shape "
                f"{labels.shape} with {np.sum(labels != labels)} NaN."
            )
        try:
            different, groups = np.unique(labels, return_inverse=True)
        except TypeError as problem:
            raise TypeError(f"leave_out must hold labels of one type: {problem}.") from None
        if len(different) < 2:
            raise ValueError(
                "leave_out must hold at least two different labels, or no point is left to rebuild "
                f"another; all {N} labels are {different[0]!r}."
            )
        return True, groups
    k = whole_number("leave_out", value, least=0)
    if k >= N:
        raise ValueError(f"leave_out={k} must be less than the {N} points. Leave out fewer.")
    return k > 0, np.arange(N) // k if k > 1 else None


def thresholds(name, value, default):
    """A decreasing sequence in (0, 1): the default for True and "auto", None for False."""
    if value is False:
        return None
    if value is True or (isinstance(value, str) and value == "auto"):
        return default
    if isinstance(value, str) or np.ndim(value) != 1 or not len(value):
        raise ValueError(
            f'{name} must be "auto", True, False or a decreasing list of numbers in (0, 1); got '
            f"{value!r}."
        )
    steps = tuple(map(partial(number, name, above=0, below=1), value))
    if np.any(np.diff(steps) >= 0):
        raise ValueError(f"{name} must decrease from step to step; got {value!r}.")
    return steps


def is_array(value):
    """Whether a value is an array, a data frame or a tensor, rather than a list."""
    return hasattr(value, "__array__")


def latent_points(name, X, shape):
    """Latent points from the user as a finite float array of this shape."""
    demand_unmasked(X, name)
    try:
        X = np.array(X, dtype=float)
    except (TypeError, ValueError) as problem:
        raise TypeError(f"{name} must hold numbers only: {problem}.") from None
    if X.shape != shape:
        raise ValueError(
            f"{name} must have one row per point and n_components columns, {shape}; got {X.shape}."
        )
    if not np.isfinite(X).all():
        raise ValueError(f"{name} must be finite; it contains NaN or infinity.")
    demand_representable(X, name)
    return X


def demand_representable(Y, name="Y", remedy=None):
    """ValueError if squared distances could overflow."""
    largest = np.abs(Y).max(initial=0.0)
    if largest > LARGEST_SQUARABLE:
        raise ValueError(
            f"{name} must not hold numbers beyond {LARGEST_SQUARABLE:g}, whose squares overflow; "
            f"its largest magnitude is {largest:.3g}. "
            f"{remedy or f'Divide {name} by a constant first.'}"
        )


def demand_gram_matrix(G):
    """ValueError unless G is square, symmetric and conditionally positive semidefinite."""
    if G.shape[0] != G.shape[1]:
        raise ValueError(
            f"a precomputed Gram matrix must be square; got shape {G.shape}. Pass k(y_n, y_m) of "
            "all training pairs to fit, and the (M, N) values k(new, training) to transform."
        )
    largest = np.abs(G).max(initial=0.0)
    asymmetry = np.abs(G - G.T).max(initial=0.0)
    if asymmetry > 1e-8 * largest:
        n, m = np.unravel_index(np.argmax(np.abs(G - G.T)), G.shape)
        raise ValueError(
            f"a Gram matrix must be symmetric; got G[{n}, {m}]={G[n, m]:.6g} but "
            f"G[{m}, {n}]={G[m, n]:.6g}. If the difference is noise, pass (G + G.T) / 2."
        )
    eigenvalues = np.linalg.eigvalsh(mercer_kernels.centred(G / max(largest, LEAST)))
    rounding = 4 * len(G) * np.finfo(float).eps  # what centring leaves far from the origin
    if eigenvalues[0] < -max(1e-8 * eigenvalues[-1], rounding):
        share = -eigenvalues[eigenvalues < 0].sum() / np.abs(eigenvalues).sum()
        raise ValueError(
            "a Gram matrix must be conditionally positive semidefinite; after centring, "
            f"{share:.1%} of the absolute sum of the eigenvalues is negative. Are these distances? "
            "For squared distances D pass -D / 2, or clip the negative eigenvalues."
        )
