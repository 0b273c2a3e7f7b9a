"""The initial coordinates that the parameter `init` asks for."""

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


def entrants(init, data, coordinates, shape, random_state, principal_components="PCA"):
    """The starts that `init` stands for, and the starts that "auto" leaves out.

    Parameters
    ----------
    init : str, array, object with fit_transform, callable, or list of these
    data : array of shape (N, d)
        The input of objects and callables.
    coordinates : array of shape (N, m)
        The input of built-in starts: the data in other units, or points of feature space.
    shape : (int, int)
        N and q.
    principal_components : str
        The name of principal components in this space.
    """
    asked_for = init if isinstance(init, list) else [init]
    if not asked_for:
        raise ValueError('init must not be an empty list. Name a start, or pass "auto".')
    seed = seed_of(random_state)
    found, left_out = [], []
    for k, one in enumerate(asked_for):
        if isinstance(one, str) and one in NAMES:
            of_name, missing = _named(one, coordinates, shape, seed)
            found += of_name
            left_out += missing
        else:
            found.append(_of_the_user(one, k, data, shape))
    return [s._replace(name=principal_components) if s.linear else s for s in found], left_out


def seed_of(random_state):
    """A seed; without a random state always the same one, so that a fit can be repeated."""
    random = check_random_state(0 if random_state is None else random_state)
    return random.randint(2**31 - 1)


def _named(name, coordinates, shape, seed):
    """The starts that a name stands for, and the candidates that "auto" leaves out."""
    N, q = shape
    families = starts.families(coordinates, q, seed)
    if name == "auto":
        return starts.affordable(families, N)
    if not families[name]:
        raise ValueError(
            f"init={name!r} needs more points for its neighborhoods; got N={N} with "
            f'n_components={q}. Pass init="pca".'
        )
    return families[name], []


def _of_the_user(one, k, data, shape):
    """The start that an array, an object or a callable stands for; it is scaled as a whole."""
    if _arguments.is_array(one):
        X = _arguments.latent_points(f"init[{k}]", one, shape)
        return Start(f"array {k}", partial(np.copy, X), per_axis=False)
    if hasattr(one, "fit_transform") and not isinstance(one, type):
        # A copy is fitted, because an estimator must not change its parameters.
        make = partial(_of_a_copy, deepcopy(one).fit_transform, data)
        return Start(type(one).__name__, make, per_axis=False)
    if callable(one) and not isinstance(one, type):
        name = getattr(one, "__name__", type(one).__name__)
        return Start(name, partial(_of_a_copy, one, data), per_axis=False)
    names = ", ".join(map(repr, (*NAMES, "random")))
    raise ValueError(
        f"init must be one of {names}, an array, an object with fit_transform, a callable or a "
        f"list of these; got {shown(one)}."
    )


def _of_a_copy(make, data):
    """Coordinates from the user's own method, which may overwrite the data it is given."""
    return make(data.copy())


def given_or_random_start(model, shape, spread):
    """(name, X) if `init` is an array or "random", which keep their scale; otherwise None."""
    if _arguments.is_array(model.init):
        return "given", _arguments.latent_points("init", model.init, shape)
    if isinstance(model.init, str) and model.init == "random":
        return "random", starts.random(shape, spread, model.random_state)
    return None


def start_of_constant_data(shape):
    """The start for data that do not vary, which the mean rebuilds exactly."""
    return Candidate("all points equal", np.zeros(shape), np.ones(shape[1]), 0.0, chosen=True)


def warn_of_skipped_starts(left_out, N):
    """Warn of the starts that "auto" leaves out."""
    if left_out:
        warnings.warn(
            f'At N={N} init="auto" leaves out starts that need too much memory or time: '
            f"{', '.join(candidate.name for candidate in left_out)}. To use one, name it in init.",
            UserWarning,
            stacklevel=5,
        )
