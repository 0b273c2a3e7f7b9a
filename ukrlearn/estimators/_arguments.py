"""Checks of the parameters of estimators, and the conversion of strings into objects."""

from contextlib import contextmanager
from functools import partial

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import validation

from ukrlearn.blocks import arguments, density_kernels, mercer_kernels
from ukrlearn.blocks.arguments import LARGEST_SQUARABLE, number, one_of, shown, whole_number
from ukrlearn.blocks.density_kernels import DensityKernel
from ukrlearn.blocks.descent import by_name, demand_steps, passing_on_traits
from ukrlearn.estimators._masked import demand_unmasked
from ukrlearn.estimators.guidance import MATRICES, SCHEDULES, SpectralGuidance

LEAST = np.finfo(float).tiny
COMMON = {
    **dict.fromkeys(
        ("record", "refine", "with_itself", "fit_intercept"),
        arguments.switch,
    ),
    "verbose": arguments.verbosity,
    "callback": arguments.optional(arguments.function),
    "random_state": arguments.random_state,
    "n_jobs": arguments.workers,
}
FEW = 500  # characters of a message
LONGEST = 1000  # the most moves of a schedule: the weights of every move are kept in memory


def density_kernel(kernel) -> DensityKernel:
    """The kernel of this name, or the user's own kernel after a test."""
    if isinstance(kernel, str):
        if kernel not in density_kernels.by_name:
            names = ", ".join(map(repr, density_kernels.by_name))
            raise ValueError(
                f"kernel must be one of {names} or a DensityKernel; got {shown(kernel)}."
            )
        return density_kernels.by_name[kernel]
    return density_kernels.check_kernel(kernel)


def is_auto(value):
    """Whether the value leaves the choice to the estimator."""
    return isinstance(value, str) and value == "auto"


@contextmanager
def in_few_words(name):
    """scikit-learn's messages about a table: shortened, and with the name where they have none."""
    try:
        yield
    except OverflowError:
        raise ValueError(f"{name} must hold numbers that fit into float64.") from None
    except (TypeError, ValueError) as problem:
        words = str(problem)
        if len(words) <= FEW:
            raise
        half = FEW // 2
        raise type(problem)(f"{name}: {words[:half]} ... {words[-half:]}") from None


def validate_data(model, Y, *y, name="Y", **options):
    """Unmasked data as floats, by scikit-learn's `validate_data`; a pair, with labels or targets.

    Its messages call the data X, and are shortened.
    """
    demand_unmasked(Y, name)
    for labels in y:
        demand_unmasked(labels, "y")
    with in_few_words(name):
        return validation.validate_data(model, Y, *y, dtype=np.float64, **options)


def positions(name, X):
    """Unmasked latent positions as floats, by scikit-learn's `check_array`, in few words."""
    demand_unmasked(X, name)
    with in_few_words(name):
        return validation.check_array(X, dtype=np.float64, input_name=name)


def demand_common(model):
    """Check the parameters that mean the same in every estimator that has them."""
    for name in COMMON.keys() & model.get_params(deep=False).keys():
        COMMON[name](name, getattr(model, name))


def descent(value):
    """The descent of this name, or the user's own with a check of every step."""
    if isinstance(value, str) or not callable(value):
        return one_of("descent", value, by_name, or_callable=True)
    return value if value in by_name.values() else _with_checked_steps(value)


def _with_checked_steps(own):
    def checked_descent(objective, X0, **options):
        yield from demand_steps(own(objective, X0, **options), np.shape(X0))

    return passing_on_traits(own, checked_descent)


def guidance(value):
    """None, or a `SpectralGuidance` with valid fields."""
    if value is None:
        return None
    if not isinstance(value, SpectralGuidance):
        raise TypeError(f"guidance must be None or a SpectralGuidance; got {shown(value)}.")
    _demand_bandwidth(value.h)
    number("guidance: nu", value.nu, above=0, below=LONGEST, or_equal=True)
    if value.l is not None:
        whole_number("guidance: l", value.l, least=1)
    if whole_number("guidance: steps", value.steps, least=2) > LONGEST:
        raise ValueError(f"guidance: steps must be at most {LONGEST}; got {value.steps}.")
    arguments.choice(*SCHEDULES)("guidance: schedule", value.schedule)
    if not (is_array(value.matrix) or issparse(value.matrix)):
        names = {name: name for name in MATRICES}
        one_of("guidance: matrix", value.matrix, names, or_callable=True)
    return value


def _demand_bandwidth(h):
    """ValueError or TypeError unless h is "auto" or a positive number."""
    if not isinstance(h, str):
        number("guidance: h", h, above=0)
    elif h != "auto":
        raise ValueError(f'guidance: h must be "auto" or a number; got {shown(h)}.')


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
                f"or a number in (0, 1); got {shown(value)}."
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
                f"another; all {N} labels are {shown(different[0])}."
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
    if value is True or is_auto(value):
        return default
    if isinstance(value, str) or np.ndim(value) != 1 or not len(value):
        raise ValueError(
            f'{name} must be "auto", True, False or a decreasing list of numbers in (0, 1); got '
            f"{shown(value)}."
        )
    steps = tuple(map(partial(number, name, above=0, below=1), value))
    if np.any(np.diff(steps) >= 0):
        raise ValueError(f"{name} must decrease from step to step; got {shown(value)}.")
    return steps


def is_array(value):
    """Whether a value is an array, a data frame or a tensor, rather than a list."""
    return hasattr(value, "__array__")


def latent_points(name, X, shape):
    """Latent points from the user as a finite float array of this shape."""
    demand_unmasked(X, name)
    X = np.array(arguments.numbers_or_nan(name, X))
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
