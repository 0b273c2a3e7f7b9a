"""Equal rows of data, which share one latent position."""

import numpy as np


def equal_rows(Y):
    """A label for each row, the same for equal ones; None if all differ."""
    first, labels = {}, np.empty(len(Y), dtype=int)
    for n, key in enumerate(_row_keys(Y)):
        labels[n] = first.setdefault(key, len(first))
    return labels if len(first) < len(Y) else None


def rows_in(table, Y):
    """For each row of Y, the index of the first equal row of the table, or -1."""
    # Sums of equal rows are equal, and hardly any others are. Whole numbers make them exact.
    near = np.flatnonzero(np.isin(_sums_of_bits(table), _sums_of_bits(Y)))
    where = {}
    for n, key in zip(near, _row_keys(table[near]), strict=True):
        where.setdefault(key, n)
    return np.array([where.get(key, -1) for key in _row_keys(Y)], dtype=int)


def _sums_of_bits(Y):
    """Σ_k k bits(y_k) of each row, modulo 2⁶⁴."""
    bits = (np.ascontiguousarray(Y, dtype=float) + 0.0).view(np.uint64)
    return bits @ np.arange(1, Y.shape[1] + 1, dtype=np.uint64)


def _row_keys(Y):
    """Rows as bytes; adding 0 makes -0.0 and 0.0 the same."""
    return (row.tobytes() for row in np.ascontiguousarray(Y + 0.0))
