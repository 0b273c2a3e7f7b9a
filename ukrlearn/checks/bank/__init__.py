"""The exercises, in the order of the course. Each module holds one `EXERCISE`.

An instructor's own mistakes go in with ``add_misconception("name", Misconception(...))``, whole
exercises with ``add(exercise)``.
"""

from dataclasses import replace
from importlib import import_module

from ukrlearn.checks.exercise import Exercise, Misconception

NAMES = (
    "nadaraya_watson",
    "latent_density",
    "basis_weights",
    "reconstruction_error",
    "break_it",
    "density_constraint",
    "leave_one_out",
    "penalty_factors",
    "gradient_by_points",
    "gradient_matrix",
    "rprop",
    "scale_by_likelihood",
    "projection",
    "quartic",
    "l1_gram",
    "homotopy_stage",
    "pca_wins",
    "sne_gradient",
    "affinity",
    "effective_directions",
    "rbf_jacobian",
    "centred_solve",
    "gauss_newton",
)
_added: dict[str, Exercise] = {}


def find(name) -> Exercise | None:
    """The exercise of that name; None if there is none."""
    if name in _added:
        return _added[name]
    if name not in NAMES:
        return None
    return import_module(f"{__name__}.{name}").EXERCISE


def exercises():
    """All of them, in order."""
    return [find(name) for name in dict.fromkeys([*NAMES, *_added])]


def add(exercise: Exercise):
    """Let `check` know an exercise of your own, or your version of one."""
    _added[exercise.name] = exercise


def add_misconception(name, misconception: Misconception):
    """Let the checker of an exercise recognise one more mistake, before the ones it knows."""
    exercise = find(name)
    if exercise is None:
        raise ValueError(f"name must be one of {', '.join(NAMES)}; got {name!r}.")
    add(replace(exercise, misconceptions=(misconception, *exercise.misconceptions)))
