"""The border between an estimator and its user: what belongs to whom, and what may cross.

A fitted model owns its data: nothing that the user changes afterwards changes the model. The user
owns what was passed: nothing in a fit changes it. And only numbers that are finite come out.
"""

from contextlib import contextmanager

import numpy as np

from ukrlearn.blocks.descent import Step
from ukrlearn.estimators._arguments import validate_data

# NumPy's own settings. A user's np.seterr(all="raise") would make an error of each kernel value
# that underflows to zero.
DEFAULTS = dict(divide="warn", over="warn", under="ignore", invalid="warn")

SMALLEST_SQUARABLE = 1e-150  # squares of smaller numbers lose digits, or become zero

_being_fitted = {}


def with_default_errors(method):
    """The method, under NumPy's own settings for floating-point errors."""
    return np.errstate(**DEFAULTS)(method)


@contextmanager
def fitting(model):
    """A fit, which only one thread at a time may run; with NumPy's settings for errors."""
    mine = object()
    if _being_fitted.setdefault(id(model), mine) is not mine:  # atomic
        raise RuntimeError(
            f"this {type(model).__name__} is being fitted already, by another thread or by the fit "
            "that called this function. Fit a copy of it, sklearn.base.clone(model)."
        )
    try:
        with np.errstate(**DEFAULTS):
            yield
    finally:
        del _being_fitted[id(model)]


def owned(model, Y, *y, **options):
    """Validated data as a float array that only the model has; or a pair, with labels or targets.

    The data are copied once: either by a conversion to float64, or explicitly.
    """
    return validate_data(model, Y, *y, copy=True, **options)


def demand_differences(Y):
    """ValueError if the rows differ by so little that squares of their differences vanish.

    For estimators whose parameters and attributes are in the units of squared distances.
    """
    greatest = float(np.ptp(Y, axis=0).max(initial=0.0))
    if 0 < greatest < SMALLEST_SQUARABLE:
        raise ValueError(
            f"the rows of Y must differ by more than {SMALLEST_SQUARABLE:g}, or the squares of "
            f"their distances vanish; they differ by {greatest:.3g}. Multiply Y by a constant "
            "first."
        )


def read_only(step):
    """A step for a callback, with arrays that cannot be written to.

    The latent points are views, so a descent may still change its own arrays. Maps are constant
    records, and their arrays are locked themselves.
    """
    if not hasattr(step, "_fields"):  # from a descent of the user
        step = Step(step.X, step.error, getattr(step, "gradient", None))
    for value in step:
        for array in getattr(value, "__dict__", {}).values():
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
    views = {
        name: _view(value)
        for name, value in zip(step._fields, step, strict=True)
        if isinstance(value, np.ndarray)
    }
    return step._replace(**views)


def _view(array):
    view = array.view()
    view.flags.writeable = False
    return view


def demand_finite(model, learnt):
    """ValueError if a fit ends with latent points or errors that are not finite numbers."""
    for name, value in learnt.items():
        if name != "embedding_" and "error" not in name:
            continue
        wrong = np.sum(~np.isfinite(value))
        if wrong:
            raise ValueError(
                f"the fit of this {type(model).__name__} must end with finite numbers; "
                f"{wrong} of {np.size(value)} in {name} are infinite or NaN. Pass another init, "
                "or fewer moves; if kernel, data_kernel or descent are your own, test them."
            )
