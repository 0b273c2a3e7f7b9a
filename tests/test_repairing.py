"""A wrong line is quoted where a change there makes all trials right; more is told in steps."""

import ast
import linecache

import numpy as np
import pytest
from helpers import each

from tools import fresh
from ukrlearn import checks
from ukrlearn.checks import _exam, bank
from ukrlearn.checks._apart import apart, here
from ukrlearn.checks._diagnosing import examine
from ukrlearn.checks._edits import applied, edits
from ukrlearn.checks._report import Report

SOURCE = """\
import numpy as np

def density(x, X, h):
    D = ((x[:, None] - X) ** 2).sum(axis=2)
    K = np.exp(-D / (2 * h**2))
    return mean_of_rows(K)

def mean_of_rows(K):
    total, n = 0, 0
    while n < K.shape[1]:
        total, n = total + K[:, n], n + 1
    return total / n
"""


def answer(*changes):
    source = SOURCE
    for old, new in changes:
        assert source.count(old) >= 1
        source = source.replace(old, new)
    filename, scope = f"<cell {changes}>", {"__name__": "notebook"}
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(compile(source, filename, "exec"), scope)
    return scope["density"]


def repair(*changes, run=here):
    return examine(bank.find("latent_density"), answer(*changes), 0, run).repair


@each(
    "changes, lines",
    [
        ([("h**2", "h")], "5"),
        ([("axis=2", "axis=1")], "4"),
        ([("x[:, None] - X", "x - X")], "4"),
        ([("-D", "D")], "5"),
        ([("total / n", "total / len(K)")], "12"),  # in a function that it calls
        (  # two differences: in Python they share one node
            [("total, n = total + K[:, n], n + 1", "total -= K[:, n]\n        n += 1 - 0")],
            "11",
        ),
        ([("(x, X, h)", "(X, x, h)")], "3"),
        ([("np.exp(-D / (2 * h**2))", "1 / (1 + np.cosh(D) * h)")], "5"),  # only a stage is known
        ([("h**2", "h"), ("return mean_of_rows(K)", "return K.sum(axis=1)")], "5 6"),
        ([("total / n", "total + n / 3"), ("h**2", "h + 7"), ("axis=2", "axis=1")], ""),
        ([("(2 * h**2)", "(7 * h**2)")], "5"),  # a number that the solution has
        ([("K[:, n]", "K[n]"), ("h**2", "8 + h - 8")], ""),  # no results in one trial: no proof
    ],
)
def test_the_wrong_lines_are_found(changes, lines):
    assert " ".join(repair(*changes).lines) == lines


FIRST_ONLY = "((x[:, None] - X) ** 2).sum(axis=2)", "(x[:, 0][:, None] - X[:, 0]) ** 2"


@each("run", [here, apart])
def test_a_line_is_quoted_where_one_known_mistake_is_left_after_it(run):
    wrong = answer(FIRST_ONLY, ("total / n", "total * n"))
    found = examine(bank.find("latent_density"), wrong, 0, run)
    assert [p.id for p in found.problems] == ["line", "first_coordinate_only"]
    assert found.repair.lines == ("12",) and found.repair.repairs == ("`return total / n`",)
    told = " ".join(Report(bank.find("latent_density"), found).text.split())
    assert "those of a single mistake" in told and "all 10 trials" not in told
    zeros = answer(FIRST_ONLY, ("total / n", "total * 0"))  # agrees with all that gives zeros
    assert examine(bank.find("latent_density"), zeros, 0, run).repair.left == -1


def test_right_numbers_that_pass_by_luck_prove_no_line():
    source = "def B(X):\n    D = np.sum((X[:, None] - X) ** 2, axis=2)\n    K = np.exp(-D / 7)\n"
    source += "    total = np.sqrt(K.sum(axis=1))\n    return K / total[:, None]\n"
    linecache.cache["<cell B>"] = (len(source), None, source.splitlines(True), "<cell B>")
    exec(compile(source, "<cell B>", "exec"), scope := {"np": np, "__name__": "notebook"})
    found = examine(bank.find("basis_weights"), scope["B"], 0, here)
    assert found.repair.lines == ("3", "4")  # not the first alone, were it the weights themselves


@each("number, lines", [(25, "12"), (63, ""), (75, "5 10"), (217, "22"), (259, ""), (311, "")])
def test_no_change_of_a_right_line_that_cancels_a_mistake_is_told(number, lines):
    line = fresh.lines("sixth")[number]
    found = fresh.findings(line["exercise"], fresh.made("sixth", line))
    assert " ".join(found.repair.lines) == lines
    assert (found.problems[0].id == "rounded") == (number == 311)


def test_a_line_is_quoted_and_its_repair_is_told_from_another_process():
    found = repair(("h**2", "h"), run=apart)
    assert found == repair(("h**2", "h")) and found.trials == 10
    assert found.texts == ("K = np.exp(-D / (2 * h))",)
    assert found.repairs == ("`K = np.exp(-D / (2 * h ** 2))`",)
    assert repair() == repair(("h**2", "h**2.0"))  # nothing is wrong: nothing is looked for


def test_what_has_no_source_or_is_no_plain_function_has_no_lines():
    exercise = bank.find("latent_density")
    scope = {"np": np}
    exec("def density(x, X, h):\n    return np.exp(-h) * x[:, 0]", scope)
    for wrong in (
        scope["density"],
        np.vectorize(lambda x, X, h: 1.5, signature="(m,q),(n,q),()->(m)"),
    ):
        assert examine(exercise, wrong, 0, here).repair.lines == ()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("UKRLEARN_WORK", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def test_the_cause_and_the_repair_come_one_after_the_other(capsys):
    report = checks.check("latent_density", answer(("h**2", "h")))
    assert report.diagnoses == ("h_not_squared",)  # for programs, all at once
    said = []
    for _ in range(3):
        said.append(" ".join(capsys.readouterr().out.split()))
        checks.hint("latent_density")
    first, cause, repaired = said
    assert "Look at line 5: `K = np.exp(-D / (2 * h))`. With one change there, all 10" in first
    assert "expected p = " in first and "Square both" not in first and "h ** 2" not in first
    assert "Square both" in cause and "h ** 2" not in cause and "h ** 2" in repaired
    assert "Hint 1 of 3" in capsys.readouterr().out
    assert report.next_step("a cell") is report.next_step("a cell") is None
    checks.check("latent_density", answer())
    assert "Next: exercise 3, The weights as a matrix." in capsys.readouterr().out


def test_what_an_answer_gives_may_be_predicted_first(capsys):
    checks.check("latent_density", answer(("h**2", "h")), predict=True)
    asked = capsys.readouterr().out
    assert "h = " in asked and "p = " not in asked and "Predict it" in asked
    checks.hint("latent_density")
    assert "yours    p = " in capsys.readouterr().out


@pytest.mark.parametrize("most", ["witness", "place", "cause"])
def test_an_exam_goes_as_far_as_the_instructor_lets_it(most, tmp_path, capsys):
    (tmp_path / _exam.FILE).write_text(_exam.NOTICE.replace("Show: witness", f"Show: {most}"))
    report = checks.check("latent_density", answer(("h**2", "h")))
    assert report.diagnoses == () and not report.steps and "expected p = " in report.text
    assert ("Look at line 5" in report.text) == (most != "witness")
    assert ("Square both" in report.text) == (most == "cause")
    checks.hint("latent_density")
    assert "This is an exam: there are no hints." in capsys.readouterr().out


LOOPS = """\
def density(x, X, h):
    return [
        np.mean([np.exp(-np.sum((a - b) ** 2) / (2 * h**2)) for b in X]) for a in x
    ]
"""


def test_a_right_answer_with_loops_within_loops_is_told_the_product(capsys):
    filename, scope = "<cell loops>", {"np": np, "__name__": "notebook"}
    linecache.cache[filename] = (len(LOOPS), None, LOOPS.splitlines(True), filename)
    exec(compile(LOOPS, filename, "exec"), scope)
    for right, is_told in ((scope["density"], True), (answer(), False)):
        assert checks.check("latent_density", right).passed
        assert ("Without loops" in capsys.readouterr().out) == is_told


def test_no_change_puts_a_list_into_itself():
    """NumPy takes all memory for an array of such a list, and no limit of time ends it."""
    lines = "def f(X):", "S = [0]", "for x in X:", "    S.append(x)", "    S[0] = x", "return S"
    tree, made = ast.parse("\n    ".join(lines)), set()
    for edit in edits(tree, ["X"]):
        with applied(edit):
            made |= {line.strip() for line in ast.unparse(tree).splitlines()}
    assert {"S.append(X)", "S[0] = X"} <= made
    assert not made & {"S.append(S)", "S[0] = S"}
