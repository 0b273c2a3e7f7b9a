"""Masked arrays, which no estimator accepts."""

import numpy as np


def demand_unmasked(table, name):
    """TypeError for a masked array, or a list of masked rows: NumPy would use what is hidden."""
    rows = table if isinstance(table, (list, tuple)) else ()
    if any(isinstance(part, np.ma.MaskedArray) for part in (table, *rows)):
        raise TypeError(
            f"{name} must not be a masked array, because its hidden values would be used. Leave "
            f"out the rows with hidden values, {name}[~{name}.mask.any(axis=1)].data, or fill them "
            f"in, {name}.filled(...)."
        )
