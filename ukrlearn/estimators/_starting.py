"""What estimators do with `init`, and with rows of data that are equal."""

from copy import deepcopy
from functools import partial

import numpy as np
from sklearn.utils import check_random_state

from ukrlearn.blocks import starts
from ukrlearn.blocks.starts import Start
from ukrlearn.estimators import _arguments
from ukrlearn.ukr.reconstruction import squared_residuals


def entrants(init, data, coordinates, shape, random_state):
    """The starts that `init` stands for, and those of "auto" that are left out.

    Parameters
    ----------
    init : str, array, object with fit_transform, callable, or list of these
    data : array of shape (N, d)
        What objects and callables are given.
    coordinates : array of shape (N, m)
        What the built-in starts are made of: the data in other units, or points of feature space.
    shape : (int, int)
        N and q.
    """
    # A fit is the same each time, also for those who did not ask for it.
    random = check_random_state(0 if random_state is None else random_state)
    seed = random.randint(2**31 - 1)
    found, left_out = [], []
    if isinstance(init, list) and not init:
        raise ValueError('init must not be an empty list. Name a start, or pass "auto".')
    for k, one in enumerate(init if isinstance(init, list) else [init]):
        if isinstance(one, str) and one in starts.NAMES:
            of_name, missing = starts.built_in(one, coordinates, shape[1], seed)
            if not of_name:
                raise ValueError(
                    f"init={one!r} needs more points for its neighborhoods; got N={shape[0]} "
                    f'with n_components={shape[1]}. Pass init="pca".'
                )
            found += of_name
            left_out += missing
        elif _arguments.is_array(one):
            X = _arguments.latent_points(f"init[{k}]", one, shape)
            found.append(Start(f"array {k}", partial(np.copy, X), per_axis=False))
        elif hasattr(one, "fit_transform") and not isinstance(one, type):
            # A copy is fitted: estimators leave what they are given as it was.
            make = partial(deepcopy(one).fit_transform, data)
            found.append(Start(type(one).__name__, make, per_axis=False))
        elif callable(one) and not isinstance(one, type):
            name = getattr(one, "__name__", type(one).__name__)
            found.append(Start(name, partial(one, data), per_axis=False))
        else:
            names = ", ".join(map(repr, (*starts.NAMES, "random")))
            raise ValueError(
                f"init must be one of {names}, an array, an object with fit_transform, a "
                f"callable or a list of these; got {one!r}."
            )
    return found, left_out


def in_words(left_out, N):
    """That "auto" has left starts out."""
    return (
        f'At N={N} init="auto" leaves out, for memory or time: '
        f"{', '.join(candidate.name for candidate in left_out)}. Name one to have it."
    )


def mean_squared_residual(X, Y, kernel, groups, points):
    """R_cv at some of the points: what the search for a scale looks at."""
    return squared_residuals(X, Y, kernel, True, groups, points).mean()


def equal_rows(Y):
    """A label for each row, the same for equal ones; None if all differ."""
    first, labels = {}, np.empty(len(Y), dtype=int)
    for n, key in enumerate(_row_keys(Y)):
        labels[n] = first.setdefault(key, len(first))
    return labels if len(first) < len(Y) else None


def rows_in(table, Y):
    """For each row of Y the first equal row of the table, or -1."""
    where = {}
    for n, key in enumerate(_row_keys(table)):
        where.setdefault(key, n)
    return np.array([where.get(key, -1) for key in _row_keys(Y)], dtype=int)


def _row_keys(Y):
    """Rows as bytes; adding 0 makes -0.0 and 0.0 the same."""
    return (row.tobytes() for row in np.ascontiguousarray(Y + 0.0))
