"""The map of the exercises: what was reached, what comes next, and links that lead somewhere."""

from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from ukrlearn import checks
from ukrlearn.checks import _map, _report, _work, bank


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A learner's copy of the course, in its folder of exercises."""
    monkeypatch.delenv("UKRLEARN_WORK")
    for part in ("exercises", "notebooks"):
        (tmp_path / part).mkdir()
    for exercise in bank.exercises():
        number = bank.padded_number(exercise.name)
        (tmp_path / f"exercises/{number}_{exercise.name}.ipynb").touch()
        (tmp_path / f"notebooks/{exercise.lesson}.ipynb").touch()
    (tmp_path / "notebooks/00_start_here.ipynb").touch()
    monkeypatch.chdir(tmp_path / "exercises")
    return tmp_path


def shown():
    parts = list(_map.parts(bank.exercises(), _work.read()))
    return _report.as_text(parts), BeautifulSoup(_report.as_html(parts), "html.parser")


@pytest.mark.parametrize("here", ["exercises", "notebooks", "."])
def test_every_row_leads_to_its_exercise_and_lesson(folder, monkeypatch, here):
    monkeypatch.chdir(folder / here)
    _, page = shown()
    rows = page.select("tbody tr")
    assert len(rows) == len(bank.NAMES)
    for row in rows:
        exercise, lesson = (folder / here / link["href"] for link in row.find_all("a"))
        assert exercise.resolve().parent == (folder / "exercises").resolve() and exercise.exists()
        assert lesson.resolve().parent == (folder / "notebooks").resolve() and lesson.exists()
    assert [cell.get_text() for cell in page.select("th[scope=col]")] == [
        "Exercise", "Lesson", "Time", "You",
    ]  # fmt: skip


def test_without_the_course_beside_it_there_are_no_dead_links(tmp_path, monkeypatch):
    (tmp_path / "alone").mkdir()
    monkeypatch.chdir(tmp_path / "alone")
    # The folders above are not looked through further than one.
    (tmp_path / "alone/deeper").mkdir()
    monkeypatch.chdir(tmp_path / "alone/deeper")
    text, page = shown()
    assert not page.find_all("a") and "1 The weighted mean f(x)" in page.get_text()


def test_lessons_come_in_order_and_the_next_follows_the_last_that_passed():
    text, page = shown()
    lessons = [row.find_all("td")[1].get_text() for row in page.select("tbody tr")]
    assert lessons == sorted(lessons)
    assert "Next: exercise 1 The weighted mean f(x) (lesson 01, kernel regression)." in text
    _work.note("reconstruction_error", passed="2026-02-03T04:05", tries=2)
    _work.note("latent_density", tries=1, hints=2)
    text, page = shown()
    assert "1 of 40 exercises passed" in text and "Next: exercise 5 " in text
    assert "✓  4 reconstruction_error" in text and "passed on 2026-02-03: 2 tries" in text
    assert "begun: 1 try, 2 hints" in text
    (passed,) = page.select("td.ukrlearn-right")
    assert passed.get_text() == "✓ passed on 2026-02-03: 2 tries"  # in colour and in words


def test_after_the_last_one_comes_what_was_left_out_and_then_nothing():
    exercises = bank.exercises()
    known = {exercise.name: {"passed": "2026"} for exercise in exercises}
    assert _map.next_one(exercises, known) is None
    assert "Next" not in _report.as_text(list(_map.parts(exercises, known)))
    del known["rprop"]
    assert _map.next_one(exercises, known).name == "rprop"


@pytest.mark.parametrize(
    ("here", "says"), [("exercises", "in the folder exercises"), (".", "in the topmost folder")]
)
def test_it_says_where_the_work_lies(folder, monkeypatch, here, says, capsys):
    monkeypatch.chdir(folder / here)
    assert _map.where() == says
    path = checks.save_work()
    said = capsys.readouterr().out
    assert str(path.resolve()) in said.replace("\n", "")
    said = " ".join(said.split())
    assert says in said
    assert "from ukrlearn.checks import restore_work; restore_work()" in said
    checks.save_work()
    assert 'restore_work("ukrlearn-work-2.zip")' in " ".join(capsys.readouterr().out.split())


def test_what_was_shown_already_is_not_repeated_at_the_end_of_a_cell(folder):
    from IPython.core.formatters import DisplayFormatter

    formatter = DisplayFormatter()
    saved = checks.save_work()
    for value in (checks.progress(), saved, checks.restore_work(saved)):
        assert formatter.format(value) == ({}, {})  # it shows itself, and shows nothing
    assert isinstance(saved, Path) and checks.progress() == (0, len(bank.NAMES))


def test_a_call_in_a_cell_counts_once():
    assert [_work.count("rprop", "hints", 3, place) for place in ("a 0", "a 1", "a 0")] == [0, 1, 0]
    assert _work.read()["rprop"]["hints"] == 2
    assert _work.count("rprop", "hints", 3) == 2  # without a place every call counts
    assert _work.count("rprop", "asked", place="a 0") == 0  # another question of the same cell
    assert _work.count("rprop", "hints", 3, "a 1") == 1 and _work.read()["rprop"]["hints"] == 3


def test_an_exercise_without_a_lesson_comes_last():
    from dataclasses import replace

    own = replace(bank.find("rprop"), name="own", lesson="", title="Own")
    text = _report.as_text(list(_map.parts([own, bank.find("rprop")], {})))
    assert text.index("Lesson 07") < text.index("Other exercises") < text.index("own ")
