"""The course as a whole: the index names every lesson and every equation, and tells the truth."""

import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
LESSONS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
INDEX = LESSONS[0]


def words_of(path):
    """All Markdown of a lesson."""
    cells = nbformat.read(path, 4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def rows_of_index():
    """(lesson, minutes, equations) of each row of the table in the index."""
    found = re.findall(r"^\| \[.*?\]\((\w+)\.ipynb\) \| (\d+) \| (.*) \|$", words_of(INDEX), re.M)
    return [(name, int(minutes), numbers(text)) for name, minutes, text in found]


def numbers(text):
    """Equation numbers in a text; "(23) to (36)" is all between."""
    found = {int(number) for number in re.findall(r"\((\d+)\)", text)}
    for first, last in re.findall(r"\((\d+)\) to \((\d+)\)", text):
        found |= set(range(int(first), int(last) + 1))
    return found


def test_the_index_lists_every_lesson_and_so_does_the_readme():
    assert [name for name, _, _ in rows_of_index()] == [path.stem for path in LESSONS]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\(notebooks/(\w+)\.ipynb\)", readme) == [path.stem for path in LESSONS]


def test_every_equation_of_the_paper_is_in_some_lesson():
    covered = set().union(*(equations for _, _, equations in rows_of_index()))
    assert covered == set(range(1, 38))


@pytest.mark.parametrize(("name", "minutes", "equations"), rows_of_index())
def test_a_lesson_has_the_equations_and_the_minutes_that_the_index_says(name, minutes, equations):
    cells = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", 4).cells
    text = "\n".join(cell.source for cell in cells)
    present = numbers(text) | {int(n) for n in re.findall(r"\\tag\{(\d+)\}", text)}
    assert equations - present == set()
    stated = re.search(
        r"\*\*Time\*\*\s+(\d+)", " ".join(words_of(LESSONS[0].with_stem(name)).split())
    )
    assert int(stated.group(1)) == minutes


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_follows_the_template(path):
    text = words_of(path)
    assert len(re.findall(r"^# ", text, re.M)) == 1
    for part in (
        "**Afterwards you can**",
        "**You need**",
        "**Time**",
        "**Contents**",
        "**Predict**",
    ):
        assert part in text, part
    for part in ("**Check**", "**Covered**", "**Further**"):
        assert part in text, part
    assert "Key points" in text


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_links_between_lessons_lead_somewhere(path):
    for target in re.findall(r"\]\(([\w./]+\.ipynb)\)", words_of(path)):
        assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_picture_says_in_words_what_it_shows(path):
    for cell in nbformat.read(path, 4).cells:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                alt = output.metadata.get("image/png", {}).get("alt", "")
                assert len(alt.split()) >= 5, cell.source[:80]
