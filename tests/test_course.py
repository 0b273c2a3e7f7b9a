"""The course as a whole: the index names every lesson and every equation, and tells the truth."""

import re
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from helpers import each

from tools import index

ROOT = Path(__file__).resolve().parent.parent
LESSONS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
APPENDICES = sorted((ROOT / "notebooks").glob("appendix_*.ipynb"))
INDEX = ROOT / "notebooks" / "course.ipynb"
GLOSSARY = ROOT / "notebooks" / "glossary.ipynb"
PAGES = [*LESSONS, *APPENDICES, INDEX, GLOSSARY]
LAST_EQUATION = {"UKR": 37, "SGD": 21, "DRUR": 20, "RPM": 96, "SI": 1}


def words_of(path):
    """All Markdown of a lesson."""
    cells = nbformat.read(path, 4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def rows_of_index():
    """(lesson, minutes, paper, equations) of each row of the tables in the index, one a paper."""
    rows, paper = [], None
    for line in words_of(INDEX).splitlines():
        if head := re.match(r"\| lesson \| minutes \| equations and results of \[(\w+)\] \|", line):
            paper = head[1]
        elif row := re.match(r"\| \[\d\d .*?\]\((\w+)\.ipynb\) \| (\d+) \| (.*) \|$", line):
            rows.append((row[1], int(row[2]), paper, numbers(row[3])))
    return rows


def numbers(text):
    """Equation numbers in a text; "(23) to (36)" is all between."""
    found = {int(number) for number in re.findall(r"\((\d+)\)", text)}
    for first, last in re.findall(r"\((\d+)\) to \((\d+)\)", text):
        found |= set(range(int(first), int(last) + 1))
    return found


def numbers_of_appendix(paper):
    """The equations that the index ascribes to the appendix of a paper."""
    pattern = rf"\(appendix_{paper.lower()}\.ipynb\) \| \[{paper}\] (.*) \|"
    return numbers(re.search(pattern, words_of(INDEX))[1])


def test_the_course_has_all_its_pages():
    names = [path.stem[:2] for path in LESSONS]
    assert names == [f"{number:02}" for number in range(31)]
    papers = [paper.lower() for paper in LAST_EQUATION]
    assert sorted(path.stem for path in APPENDICES) == sorted(f"appendix_{p}" for p in papers)


def test_the_index_and_the_readme_say_what_the_lessons_say():
    for path, text in index.refreshed():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run make index"
    assert list(index.problems()) == []


TRACKS = index.tracks((ROOT / "notebooks" / "course.py").read_text(encoding="utf-8"))


def test_there_are_tracks_from_a_lesson_to_half_a_semester():
    minutes = {track.minutes for track in TRACKS}
    assert {45, 60, 90, 180, 300} <= minutes and max(minutes) > 500
    (longest,) = [track for track in TRACKS if track.minutes == max(minutes)]
    assert list(longest.stops) == [path.stem for path in LESSONS]


def test_the_first_lesson_is_short_and_leads_on():
    text = words_of(LESSONS[0])
    assert "| lesson |" not in text and "notation.table" not in text
    for target in ("course", "glossary", "01_kernel_regression"):
        assert f"]({target}.ipynb)" in text


@pytest.mark.parametrize(("paper", "last"), LAST_EQUATION.items())
def test_every_equation_of_a_paper_is_in_some_lesson(paper, last):
    covered = set().union(*(numbers for _, _, of, numbers in rows_of_index() if of == paper))
    covered |= numbers_of_appendix(paper)
    assert covered == set(range(1, last + 1))


@each("name, minutes, paper, equations", rows_of_index())
def test_a_lesson_has_the_equations_and_the_minutes_that_the_index_says(
    name, minutes, paper, equations
):
    cells = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", 4).cells
    text = "\n".join(cell.source for cell in cells)
    for other in set(LAST_EQUATION) - {paper}:  # "(9) of [UKR]" is not [SGD] (9)
        text = re.sub(rf"\[{other}\](?:,? \(\d+\))+|\(\d+\) of \[{other}\]", "", text)
    present = numbers(text) | {int(n) for n in re.findall(r"\\tag\{(\d+)\}", text)}
    assert equations - present == set()
    stated = re.search(r"\*\*Time\*\*\s+(\d+)", words_of(INDEX.with_stem(name)))
    assert int(stated.group(1)) == minutes


@pytest.mark.parametrize("paper", LAST_EQUATION)
def test_an_appendix_has_the_equations_that_the_index_says(paper):
    text = words_of(INDEX.with_stem(f"appendix_{paper.lower()}"))
    present = numbers(text) | {int(n) for n in re.findall(r"\\tag\{(\d+)\}", text)}
    assert numbers_of_appendix(paper) - present == set()


@each("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_follows_the_template(path):
    text = words_of(path)
    assert len(re.findall(r"^# ", text, re.M)) == 1
    for part in ("**Afterwards you can**", "**You need**", "**Time**", "**Contents**"):
        assert part in text, part
    code = "\n".join(cell.source for cell in nbformat.read(path, 4).cells)
    assert "**Predict**" in text or "predict(" in code
    assert "**Check**" in text or "<summary><b>Check</b>" in text
    for part in ("**Covered**", "**Further**"):
        assert part in text, part
    assert "Key points" in text


@each("path", PAGES, ids=lambda path: path.stem)
def test_every_picture_says_in_words_what_it_shows(path):
    for cell in nbformat.read(path, 4).cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            assert "image/png" not in data, "JupyterLab shows no words with it: use figures.show"
            for image in BeautifulSoup(data.get("text/html", ""), "html.parser").find_all("img"):
                assert len(image.get("alt", "").split()) >= 5, cell.source[:80]


EXERCISES = sorted((ROOT / "exercises").glob("*.ipynb"))


@each("path", EXERCISES, ids=lambda path: path.stem)
def test_an_exercise_is_linked_from_its_lesson(path):
    lesson = re.search(r"\*\*You need\*\*.*?\(\.\./notebooks/(\w+\.ipynb)\)", words_of(path), re.S)[
        1
    ]
    assert f"../exercises/{path.name}" in words_of(ROOT / "notebooks" / lesson)


@each("path", [*LESSONS, *EXERCISES], ids=lambda path: path.stem)
def test_a_link_to_an_exercise_has_its_number(path):
    text = " ".join(words_of(path).split())
    links = re.findall(r"\[exercise (\w+)[^\]]*\]\((?:\.\./exercises/)?(\w+)\.ipynb\)", text, re.I)
    for number, stem in links:
        assert stem.partition("_")[0].lstrip("0") == number
        assert (ROOT / "exercises" / f"{stem}.ipynb").exists()
    if path in EXERCISES[:-1]:
        assert links, "an exercise links to the next one"
