"""The texts of the exercises: Markdown beside the modules, and what is said of a faulty file."""

import numpy as np
import pytest

from ukrlearn.checks import bank, texts
from ukrlearn.checks._case import Case
from ukrlearn.checks.exercise import Misconception, Property
from ukrlearn.checks.stages import pipeline

WHOLE = """# Weighted means

## Stages

- `K`: the kernel values
- `sums`: their sums

## Mistakes

- `no_exp` (`K`: `exp` is left out): You take distances.
- `no_sum`, `no_mean`: You don't
  divide.

## Causes

- `late`: It stops after {moves:g} moves.

## Properties

Weights sum to one.
- `not_one`: Yours sum to more.
  - `sums`: Do you divide rows?
  - `K`: Is it exp?
- `not_all`: Some rows sum to less.

Weights are positive.
- `negative`: Some are negative.

## Hints

1. What must a row sum to?
2. Divide it.
"""


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """Writes the texts of an exercise "toy", and makes the exercise."""
    monkeypatch.setattr(texts, "FOLDER", tmp_path)
    (tmp_path / "bank").mkdir()
    (tmp_path / "mistakes.md").write_text("# Shared\n\n## Mistakes\n\n- `no_sum`: Shared.\n")

    def made(text, mistakes=("no_sum", "no_mean"), lacking=("not_all", "not_one", "negative")):
        texts.read.cache_clear()
        (tmp_path / "bank" / "toy.md").write_text(text)
        return texts.exercise(
            "toy",
            lesson="",
            equations="",
            minutes=1,
            shapes={},
            returns={},
            trials=None,
            stages=pipeline("t", K=lambda t: np.exp(-t), sums=lambda K: np.sum(K)),
            misconceptions=tuple(Misconception(id_) for id_ in mistakes),
            properties=tuple(Property(id_) for id_ in lacking),
        )

    yield made
    texts.read.cache_clear()


def test_an_exercise_is_told_by_its_file_in_the_order_of_its_module(toy):
    exercise = toy(WHOLE)
    assert exercise.title == "Weighted means"
    assert exercise.hints == ("What must a row sum to?", "Divide it.")
    assert exercise.stages.words == {"K": "the kernel values", "sums": "their sums"}
    assert exercise.misconceptions[0].mistaken(3.0) == -3
    assert [(m.id, m.says) for m in exercise.misconceptions] == [
        ("no_exp", "You take distances."),
        ("no_sum", "You don't divide."),
        ("no_mean", "You don't divide."),
    ]
    less, more, negative = exercise.properties
    assert (less.says, less.otherwise, less.suspects) == (
        "Weights sum to one.",
        "Some rows sum to less.",
        (),
    )
    assert more.says == less.says
    assert more.suspects == (("sums", "Do you divide rows?"), ("K", "Is it exp?"))
    assert negative.says == "Weights are positive."
    assert texts.cause("toy", "late", moves=3).says == "It stops after 3 moves."


def test_a_mistake_without_a_text_of_its_own_has_the_shared_one_and_comes_last(toy):
    *_, m = toy(WHOLE.replace("`no_sum`, ", "")).misconceptions
    assert m.says == "Shared."


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("`K`: the", "`k`: the", "every stage of its module; it has nothing on K"),
        ("- `K`: the", "- `k`: t.\n- `K`: the", "there is no stage k"),
        ("  - `K`: Is", "  - `B`: Is", "there is no stage B"),
        (
            "`no_exp` (`K`: `exp` is left out): You take distances.",
            "`no_mean` (`K`: `exp` is left out)",
            "make each mistake once, in code or as a slip; both have no_mean",
        ),
        ("`no_sum`, `no_mean`", "`no_sum`", "every mistake of its module; it has nothing on no_me"),
        ("`no_mean`", "`no_men`, `no_mean`", "there is no mistake no_men. Correct the name"),
        ("`negative`", "`negativ`", "every property of its module; it has nothing on negative"),
        ("`no_mean`", "`no_sum`", "line 11: an id must have one text; got a second one for no_"),
        ("- `not_all`", "- `not_one`", "line 24: an id must have one text"),
        ("  - `K`", "  - `sums`", "line 23: an id must have one text; got a second one for sums"),
        (
            "## Hints",
            "## Tips",
            "line 29: a line must be a section (Stages, Mistakes, Causes, Prop",
        ),
        ("2. Divide", "\nDivide", "line 33: .* got Divide it"),
        ("`late`: It", "late: It", "line 16: "),
        ("Weights sum to one.\n", "", "line 20: .* a statement above its properties"),
    ],
)
def test_a_faulty_file_is_named_with_what_must_hold_and_what_came(toy, old, new, says):
    assert old in WHOLE
    with pytest.raises(ValueError, match=says.replace("(", r"\(")) as raised:
        toy(WHOLE.replace(old, new))
    assert str(raised.value).startswith("toy.md")


def test_a_slip_that_the_stage_does_not_have_is_told_when_an_answer_is_checked(toy):
    exercise = toy(WHOLE.replace("`exp` is", "`log` is"))
    with pytest.raises(ValueError, match="`log` is left out, which is 0 of: .*`exp` is left out"):
        Case(exercise, [], None, ())


def test_every_exercise_has_texts_and_no_file_is_left_over():
    names = {path.stem for path in (texts.FOLDER / "bank").glob("*.md")}
    assert names == set(bank.NAMES)
    shared = texts.read(texts.FOLDER / "mistakes.md").mistakes
    used = {m.id for exercise in bank.exercises() for m in exercise.misconceptions}
    assert set(shared) <= used
    for exercise in bank.exercises():
        Case(exercise, [], None, ())  # all slips are found
