"""The instructor's release works with nbgrader: a right answer gets its points, no other does."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ukrlearn import checks
from ukrlearn.__main__ import main

ROOT = Path(__file__).resolve().parent.parent
ASSIGNMENT = "01_nadaraya_watson"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A folder as the command makes it, with one assignment generated."""
    folder = tmp_path_factory.mktemp("grading")
    assert main(["lab", "--instructor", str(folder)]) == 0
    nbgrader(folder, "generate_assignment", ASSIGNMENT, "--create")
    return folder


def nbgrader(folder, *arguments):
    scripts = str(Path(sys.executable).parent)  # nbgrader calls alembic by its name
    environment = {**os.environ, "PATH": scripts + os.pathsep + os.environ["PATH"]}
    result = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr[-2000:]


def notebook(folder, *parts):
    return json.loads((folder.joinpath(*parts) / f"{ASSIGNMENT}.ipynb").read_text(encoding="utf-8"))


def mark(cell):
    return cell["metadata"].get("nbgrader", {})


def test_what_students_get_holds_no_solution_and_no_hidden_test(course):
    released = notebook(course, "release", ASSIGNMENT)
    text = json.dumps(released)
    assert "SOLUTION" not in text and "HIDDEN" not in text and "weight * Y[m]" not in text
    (solution,) = [c for c in released["cells"] if mark(c).get("solution")]
    learners = json.loads((ROOT / "exercises" / f"{ASSIGNMENT}.ipynb").read_text(encoding="utf-8"))
    assert "".join(solution["source"]) in ["".join(c["source"]) for c in learners["cells"]]
    (points,) = [c for c in released["cells"] if mark(c).get("grade")]
    assert mark(points)["points"] == 10


NOT_DIVIDED = """\
def weighted_mean(x, X, Y, h):
    weights = np.exp(-((x[:, None] - X[None]) ** 2).sum(axis=2) / (2 * h**2))
    return weights @ Y
"""
HALF_MISSING = """\
def weighted_mean(x, X, Y, h):
    weights = np.exp(-((x[:, None] - X[None]) ** 2).sum(axis=2) / h**2)
    return weights @ Y / weights.sum(axis=1, keepdims=True)
"""
ZEROS = "def weighted_mean(x, X, Y, h):\n    return np.zeros((len(x), Y.shape[1]))\n"


def test_links_of_a_release_are_words(course):
    for path in sorted(course.glob("source/*/*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        text = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
        assert not re.search(r"\]\([^)]*\.ipynb", text), path.stem
    cells = notebook(course, "release", ASSIGNMENT)["cells"]
    text = " ".join("".join("".join(cell["source"]) for cell in cells).split())
    assert "lesson 01 (kernel regression)" in text
    assert 'exercise 2 ("The density of the latent points")' in text


def test_points_go_to_who_has_solved_it_and_some_to_who_has_nearly(course):
    source, released = (notebook(course, part, ASSIGNMENT) for part in ("source", "release"))
    answers = {mark(c)["grade_id"]: c["source"] for c in source["cells"] if mark(c).get("solution")}
    others = {
        "half": NOT_DIVIDED,
        "slip": HALF_MISSING,
        "zeros": ZEROS,
        "broken": "def weighted_mean(x, X, Y, h) return",
    }
    for student in ("right", "cheat", "untouched", *others):
        handed_in = json.loads(json.dumps(released))
        for cell in handed_in["cells"]:
            if student == "right" and mark(cell).get("solution"):
                cell["source"] = answers[mark(cell)["grade_id"]]
            if student in others and mark(cell).get("solution"):
                cell["source"] = others[student]
            if student == "cheat" and mark(cell).get("grade"):
                cell["source"] = "assert True"
        folder = course / "submitted" / student / ASSIGNMENT
        folder.mkdir(parents=True)
        (folder / f"{ASSIGNMENT}.ipynb").write_text(json.dumps(handed_in), encoding="utf-8")
    nbgrader(course, "autograde", ASSIGNMENT, "--create")
    nbgrader(course, "export")
    with open(course / "grades.csv", encoding="utf-8") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert scores.pop("half") == 6.25  # 5 of 6 stages, and none of the properties
    assert scores.pop("slip") == 7.5  # 5 of 6 stages and all properties, but it does not pass
    assert 0 <= scores.pop("zeros") < 1
    assert scores == {"right": 10, "cheat": 0, "broken": 0, "untouched": 0}
    nbgrader(course, "generate_feedback", ASSIGNMENT)
    page = course / "feedback" / "half" / ASSIGNMENT / f"{ASSIGNMENT}.html"
    seen = " ".join(re.sub("<[^>]+>", " ", page.read_text(encoding="utf-8")).split())
    assert "Score: 6.25 / 10.0" in seen and "Look at line 3: return weights @ Y" in seen
    assert (
        "Points: 6.25 of 10" in seen
        and "6.25 of 7.5 for 5 of 6 stages that are right: the squared" in seen
    )
    assert "0 of 2.5 for 0 of 2 properties that hold" in seen and "the quotient f(x)" not in seen


def test_an_exam_has_neither_hints_nor_solutions(tmp_path, monkeypatch, capsys):
    assert main(["lab", "--instructor", "--exam", str(tmp_path)]) == 0
    nbgrader(tmp_path, "generate_assignment", ASSIGNMENT, "--create")
    for path in sorted(tmp_path.glob("source/*/*.ipynb")):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\bhint|\breveal|Next hint", text), path.stem
        assert (path.parent / "ukrlearn-exam.txt").exists()
    folder = tmp_path / "release" / ASSIGNMENT
    assert (folder / "ukrlearn-exam.txt").exists()
    cells = notebook(tmp_path, "release", ASSIGNMENT)["cells"]
    code = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    monkeypatch.chdir(folder)
    scope = {}
    exec(code[0], scope)  # its imports still hold
    capsys.readouterr()
    checks.hint("nadaraya_watson")
    checks.reveal("nadaraya_watson")
    said = capsys.readouterr().out
    assert "This is an exam: there are no hints." in said
    assert "This is an exam: there are no solutions." in said and "np.exp" not in said
    exec("import numpy as np\n" + HALF_MISSING, scope)
    checks.check("nadaraya_watson", scope["weighted_mean"])
    said = " ".join(capsys.readouterr().out.split())
    assert said.endswith("In this exam, check says no more than the witness.")


def test_an_exam_is_for_instructors(capsys):
    with pytest.raises(SystemExit):
        main(["lab", "--exam"])
    assert "--exam needs --instructor" in capsys.readouterr().err


def test_a_release_that_was_edited_is_kept(course, tmp_path, capsys):
    folder = tmp_path / "again"
    shutil.copytree(course, folder)
    path = folder / "source" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    edited = json.loads(path.read_text(encoding="utf-8"))
    edited["cells"][0]["source"] = "# My own words"
    path.write_text(json.dumps(edited), encoding="utf-8")
    assert main(["lab", "--instructor", str(folder)]) == 0
    assert "kept as you changed it" in capsys.readouterr().out
    assert json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"] == "# My own words"


def test_a_wheel_without_solutions_says_that_it_needs_a_checkout(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("ukrlearn.course.copying.course_folder", lambda: tmp_path)
    assert main(["lab", "--instructor", str(tmp_path / "new")]) == 1
    assert "checkout" in capsys.readouterr().err
