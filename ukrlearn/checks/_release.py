"""The exercises as a course of nbgrader: one assignment each, for an instructor to hand out.

Made from the solution notebooks, which only a checkout holds. What a learner writes is a solution
cell; below the check they see stands a cell with points, whose hidden tests check again, with data
that nobody has seen.
"""

import json
import re
from pathlib import Path

from ukrlearn.checks import bank

CONFIGURATION = '''\
"""nbgrader, for the exercises of ukrlearn. In this folder:

    nbgrader generate_assignment 01_nadaraya_watson --create   release/, to be handed out
    nbgrader autograde 01_nadaraya_watson --create             grades submitted/STUDENT/...
    nbgrader generate_feedback 01_nadaraya_watson

Points come from the cell below the check; its hidden tests use seeds of their own. Students' code
runs in the same process as the tests: look at what surprises you.
"""

c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "ukrlearn"
c.ClearSolutions.code_stub = {"python": "..."}
c.ExecutePreprocessor.timeout = 120
'''
SEEDS = (101, 102, 103)


def release(checkout: Path) -> dict[str, bytes]:
    """The files of the release by their names."""
    solutions = sorted((checkout / "exercises" / "solutions").glob("*.ipynb"))
    if not solutions:
        raise FileNotFoundError(
            f"An instructor's release is made from the solutions; {checkout} holds none. Run the "
            "command in a checkout of ukrlearn."
        )
    files = {"nbgrader_config.py": CONFIGURATION.encode()}
    for path in solutions:
        notebook = assignment(json.loads(path.read_text(encoding="utf-8")), path.stem)
        text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
        files[f"source/{path.stem}/{path.name}"] = text.encode()
    return files


def assignment(notebook, stem):
    """The solution notebook with the marks of nbgrader, and a cell with points."""
    exercise = bank.find(stem.partition("_")[2])
    cells = []
    for number, cell in enumerate(notebook["cells"]):
        source = "".join(cell["source"])
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
        "from ukrlearn.checks import check\n"
        "\n"
        f"for seed in {SEEDS}:\n"
        f'    report = check("{exercise.name}", {submitted}, seed=seed)\n'
        "    assert report.passed, report.diagnoses\n"
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
