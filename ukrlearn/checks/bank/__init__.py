"""The exercises, in the order of the course. Each module holds one `EXERCISE`,
whose texts stand in the Markdown file of the same name.

Order and numbers match the notebooks, exercises/NN_NAME.ipynb. A number stays for ever: an
exercise between 07 and 08 is 07b.

An instructor's own mistakes go in with ``add_misconception("name", Misconception(...))``, whole
exercises with ``add(exercise)``.
"""

from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules

from ukrlearn.checks.exercise import Exercise, Misconception
from ukrlearn.course import copying

_STEMS = sorted(path.stem for path in (copying.course_folder() / "exercises").glob("*_*.ipynb"))
_NUMBERS = {name: number for number, _, name in (stem.partition("_") for stem in _STEMS)}
_LAST = "~"  # comes after all digits
NAMES = tuple(
    sorted((m.name for m in iter_modules(__path__)), key=lambda name: _NUMBERS.get(name, _LAST))
)
_added: dict[str, Exercise] = {}


def find(name) -> Exercise | None:
    """The exercise of that name; None if there is none."""
    if name in _added:
        return _added[name]
    if name not in NAMES:
        return None
    return import_module(f"{__name__}.{name}").EXERCISE


def number_of(name) -> str:
    """The number of an exercise for learners, such as "7b"; "" for an exercise that was added."""
    return _NUMBERS.get(name, "").lstrip("0")


def padded_number(name) -> str:
    """The number as it stands in the name of the notebook, such as "07b"."""
    return _NUMBERS.get(name, "")


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
