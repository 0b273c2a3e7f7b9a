"""The initial coordinates that the parameter `init` asks for: all that decides about it is here."""

import warnings
from copy import deepcopy
from functools import partial

import numpy as np
from sklearn.utils import check_random_state

from ukrlearn.blocks import starts
from ukrlearn.blocks.arguments import shown
from ukrlearn.blocks.starts import Candidate, Start
from ukrlearn.estimators import _arguments

NAMES = ("auto", "pca", "kpca", "lle", "isomap", "spectral", "neighbors")
MOST_FOR_DENSE_STARTS = 4000  # for more points, N x N arrays (Isomap, KPCA) exceed 128 MB each
MOST_FOR_EIGENMAPS = 20_000  # for more, the sparse eigenproblems of LLE and eigenmaps take minutes

# What "auto" tries in UKR besides PCA. On a line, the numbers of neighbours decide about the order,
# and neighbour embedding has no way to move points past each other.
ON_A_LINE = {"lle": [8, 10], "isomap": [6, 8, 12], "spectral": [6, 8, 10, 12, 15, 20]}
ON_A_SHEET = {"lle": [12], "isomap": [6, 8, 12, 15]}


def short_list(Y, q) -> list[Start]:
    """The starts that a race needs: a few, of all kinds but kernel PCA."""
    names = ["pca", "isomap", "lle", "spectral"] + ["neighbors"] * (q > 1)
    of_kind = starts.families(Y, q, ON_A_LINE if q == 1 else ON_A_SHEET)
    return [start for name in names for start in of_kind[name]]


def entrants(
    model, data, coordinates, q, spread, principal_components="PCA", short=False
) -> list[Start | Candidate]:
    """What the parameter `init` of a model stands for: starts, and rows of the table without one.

    Coordinates that are given without a choice are such a row, and so is a start that is left out.

    Parameters
    ----------
    data : array of shape (N, d)
        The input of objects and callables.
    coordinates : array of shape (N, m)
        The input of built-in starts: the data in other units, or points of feature space.
    spread : float
        The standard deviation of a random start.
    principal_components : str
        The name of principal components in this space.
    short : bool
        Whether "auto" is the list of a race, or all that is affordable.
    """
    shape, asked_for = (len(data), q), model.init
    given = lambda name, X: [Candidate(name, X, np.ones(q), chosen=True)]
    if _arguments.is_array(asked_for):
        X = _arguments.latent_points("init", asked_for, shape)
        return given("given", X)
    if isinstance(asked_for, str) and asked_for == "random":
        X = starts.random(shape, spread, model.random_state)
        return given("random", X)
    if not np.ptp(data, axis=0).any():  # the mean rebuilds such data exactly
        return given("all points equal", np.zeros(shape))
    asked_for = asked_for if isinstance(asked_for, list) else [asked_for]
    if not asked_for:
        raise ValueError('init must not be an empty list. Name a start, or pass "auto".')
    found, left_out = [], []
    for k, one in enumerate(asked_for):
        if not (isinstance(one, str) and one in NAMES):
            found.append(_of_the_user(one, k, data, shape))
        elif one == "auto" and short:
            found += short_list(coordinates, q)
        else:
            of_kind = starts.families(coordinates, q)
            names, missing = _affordable(of_kind, len(data)) if one == "auto" else ([one], [])
            found += [start for name in names for start in of_kind[name]]
            left_out += [start.row for name in missing for start in of_kind[name]]
            if names == [one] and not of_kind[one]:
                raise ValueError(
                    f"init={one!r} needs more points for its neighborhoods; got N={len(data)} "
                    f'with n_components={q}. Pass init="pca".'
                )
    if left_out:
        warnings.warn(
            f'At N={len(data)} init="auto" leaves out starts that need too much memory or time: '
            f"{', '.join(row.name for row in left_out)}. To use one, name it in init.",
            UserWarning,
            stacklevel=5,
        )
    note = f"left out: needs too much memory or time at N={len(data)}"
    renamed = lambda row: row._replace(name=principal_components) if row.linear else row
    found = [start._replace(row=renamed(start.row)) for start in found]
    return [row._replace(note=note) for row in left_out] + found


def _affordable(of_kind, N):
    """The kinds of starts that are fast enough for N points, and the kinds that are not.

    Neighbour embedding is tried only if it is asked for: it is meant for clusters, not for sheets.
    """
    missing = ["kpca", "isomap"] if N > MOST_FOR_DENSE_STARTS else []
    missing += ["lle", "spectral"] if N > MOST_FOR_EIGENMAPS else []
    return [name for name in of_kind if name not in (*missing, "neighbors")], missing


def seed_of(random_state):
    """A seed; without a random state always the same one, so that a fit can be repeated."""
    random = check_random_state(0 if random_state is None else random_state)
    return random.randint(2**31 - 1)


def _of_the_user(one, k, data, shape):
    """The start that an array, an object or a callable stands for; it is scaled as a whole."""
    own = lambda name, make: Start(Candidate(name), make, per_axis=False)
    if _arguments.is_array(one):
        X = _arguments.latent_points(f"init[{k}]", one, shape)
        return own(f"array {k}", partial(np.copy, X))
    if hasattr(one, "fit_transform") and not isinstance(one, type):
        # A copy is fitted, because an estimator must not change its parameters.
        make = partial(_of_a_copy, deepcopy(one).fit_transform, data)
        return own(type(one).__name__, make)
    if callable(one) and not isinstance(one, type):
        name = getattr(one, "__name__", type(one).__name__)
        return own(name, partial(_of_a_copy, one, data))
    names = ", ".join(map(repr, (*NAMES, "random")))
    raise ValueError(
        f"init must be one of {names}, an array, an object with fit_transform, a callable or a "
        f"list of these; got {shown(one)}."
    )


def _of_a_copy(make, data):
    """Coordinates from the user's own method, which may overwrite the data it is given."""
    return make(data.copy())
