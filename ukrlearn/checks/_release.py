"""The exercises as a course of nbgrader: one assignment each, for an instructor to hand out.

Made from the solution notebooks, which only a checkout holds. What a learner writes is a solution
cell; below the check they see stands a cell with points, whose hidden tests check again, with data
that nobody has seen.
"""

import json
import re
from pathlib import Path

from ukrlearn.checks import _exam, _map, bank

CONFIGURATION = '''\
"""nbgrader, for the exercises of ukrlearn. In this folder:

    nbgrader generate_assignment 01_nadaraya_watson --create   release/, to be handed out
    nbgrader autograde 01_nadaraya_watson --create             grades submitted/STUDENT/...
    nbgrader generate_feedback 01_nadaraya_watson

Points come from the cell below the check; its hidden tests use seeds of their own. Three
quarters are for right stages or trials, a quarter for the properties that hold; whoever lets the
library compute gets none. Students' code runs in the same process as the tests: look at what
surprises you.
"""

c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "ukrlearn"
c.ClearSolutions.code_stub = {"python": "..."}
c.ExecutePreprocessor.timeout = 120
'''
SEEDS = (101, 102, 103)


def release(checkout: Path, exam=False) -> dict[str, bytes]:
    """The files of the release by their names; an exam has neither hints nor solutions."""
    solutions = sorted((checkout / "exercises" / "solutions").glob("*.ipynb"))
    if not solutions:
        raise FileNotFoundError(
            f"An instructor's release is made from the solutions; {checkout} holds none. Run the "
            "command in a checkout of ukrlearn."
        )
    files = {"nbgrader_config.py": CONFIGURATION.encode()}
    for path in solutions:
        notebook = assignment(json.loads(path.read_text(encoding="utf-8")), path.stem, exam)
        text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
        files[f"source/{path.stem}/{path.name}"] = text.encode()
        if exam:
            files[f"source/{path.stem}/{_exam.FILE}"] = _exam.NOTICE.encode()
    return files


def assignment(notebook, stem, exam=False):
    """The solution notebook with the marks of nbgrader, and a cell with points."""
    exercise = bank.find(stem.partition("_")[2])
    cells = []
    for number, cell in enumerate(notebook["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            source = _without_links(_without_help(source) if exam else source)
            cell = {**cell, "source": source}
        elif exam:
            source = re.sub(r"\b(hint|reveal),\s+", "", source)  # from the line of imports
            cell = {**cell, "source": source}
        if cell["cell_type"] == "code":
            cell = {**cell, "outputs": [], "execution_count": None}
        if "### BEGIN SOLUTION" in source:
            kind = {"solution": True}
        elif cell["cell_type"] == "code":
            kind = {"locked": True}
        else:
            kind = None
        cells.append(_marked(cell, f"{exercise.name}-{number}", **kind) if kind else cell)
        if submitted := re.search(rf'check\("{exercise.name}", (\w+)\)', source):
            cells.append(_graded(exercise, submitted[1]))
    return {**notebook, "cells": cells}


def _without_help(text):
    """The text of an exam: without the paragraph that says where hints and solutions are."""
    paragraphs = re.split(r"\n{2,}", text)
    return "\n\n".join(p for p in paragraphs if "hint(" not in p and "reveal(" not in p)


def _without_links(text):
    """Words in place of links to notebooks, which lead nowhere from a student's assignment."""
    return re.sub(r"\[([^\]]+)\]\((?:[^)\s]*/)?([\w-]+)\.ipynb[^)]*\)", _in_words, text)


def _in_words(link):
    """The words of the link, with the title of what it has led to unless they say it."""
    words, stem = link[1], link[2]
    exercise = bank.find(stem.partition("_")[2])
    title = f'"{exercise.title}"' if exercise else _map.lesson_name(stem).partition(", ")[2]
    said = title.strip('"').lower() in words.lower() or not re.search(r"\d\s*$", words)
    return words if said or not title else f"{words} ({title})"


def _marked(cell, grade_id, *, points=None, grade=False, solution=False, locked=False):
    mark = {
        "grade": grade,
        "grade_id": grade_id,
        "locked": locked,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    if points is not None:
        mark["points"] = points
    return {**cell, "metadata": {**cell["metadata"], "nbgrader": mark}}


def _graded(exercise, submitted):
    """The cell with points: nothing to read for a student, other data for the grader."""
    source = (
        f"# {exercise.points} points: the same check, with other data.\n"
        "### BEGIN HIDDEN TESTS\n"
        "from ukrlearn.checks import points\n"
        "\n"
        f'points("{exercise.name}", {submitted}, seeds={SEEDS})\n'
        "### END HIDDEN TESTS"
    )
    cell = {
        "cell_type": "code",
        "execution_count": None,
        "id": f"points-{exercise.name}"[:64],
        "metadata": {},
        "outputs": [],
        "source": source,
    }
    return _marked(cell, f"{exercise.name}-points", points=exercise.points, grade=True, locked=True)
