"""The notebook tool, and the gate that committed notebooks pass through (nbval)."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from helpers import each

from tools import notebooks as tool

ROOT = Path(__file__).resolve().parent.parent
FEWEST_NOTEBOOKS = 26

SOURCE = """\
# %% [markdown]
# # A title

# %%
import ipywidgets

print("printed")
print("in two pieces")

# %% tags=["nbval-ignore-output"]
object()

# %%
panel = ipywidgets.HTML("<b>bold</b>")
panel

# %%
def f(x):
    return x


print("same")

# %%
1 + 1

# %%
1 + 1
"""


@pytest.fixture
def course(tmp_path, monkeypatch):
    """An empty course; the tool works on it."""
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    (tmp_path / "notebooks").mkdir()
    return tmp_path / "notebooks"


@pytest.fixture
def lesson(course):
    (course / "lesson.py").write_text(SOURCE)
    return course / "lesson.py"


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """The lesson's notebook, executed once for all tests that look at it or damage a copy."""
    source = tmp_path_factory.mktemp("executed") / "lesson.py"
    source.write_text(SOURCE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tool, "ROOT", source.parent)
        return tool.build(source)[0].read_bytes()


@pytest.fixture
def built(lesson, executed):
    lesson.with_suffix(".ipynb").write_bytes(executed)
    return lesson


def rewrite(path, change):
    """Change a notebook file through `change(notebook)`, without nbformat's silent repairs."""
    notebook = nbformat.v4.reads(path.read_text())
    change(notebook)
    path.write_text(json.dumps(notebook))


def test_building_twice_gives_the_same_bytes_where_outputs_are_the_same(lesson):
    lesson.write_text(SOURCE.replace("object()", "3"))
    first = tool.build(lesson)[0].read_bytes()
    assert tool.build(lesson)[0].read_bytes() == first


def test_a_built_notebook_is_complete_and_holds_nothing_random(built):
    notebook = nbformat.read(built.with_suffix(".ipynb"), as_version=nbformat.NO_CONVERT)
    assert tool.problems(built) == []
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids), "two equal cells have ids of their own"
    title, printed, tagged, widget, _, result, _ = notebook.cells
    assert title.cell_type == "markdown"
    assert [output.text for output in printed.outputs] == ["printed\nin two pieces\n"]
    assert tagged.metadata == {"tags": ["nbval-ignore-output"]}
    assert set(widget.outputs[0].data) == {"text/plain"}
    assert result.outputs[0].data["text/plain"] == "2"


PREDICTION = """\
# %%
from ukrlearn.checks import predictions

predict = predictions("lesson")

# %% tags=["nbval-ignore-output"]
predict("one", "Is it $x$?", options=["yes", "no"], answer="no", hides=1)

# %% tags=["aside"]
assert predict
"""


def test_a_prediction_keeps_its_text_alone_and_its_code_is_folded(course):
    (course / "lesson.py").write_text(PREDICTION)
    tool.build(course / "lesson.py")
    assert tool.problems(course / "lesson.py") == []
    first, asked, aside = nbformat.read(course / "lesson.ipynb", nbformat.NO_CONVERT).cells
    assert first.metadata == {}
    assert asked.metadata["jupyter"] == {"source_hidden": True}  # the answer stands in the code
    assert aside.metadata == {"tags": ["aside"], "jupyter": {"source_hidden": True}}
    assert aside.execution_count == 3  # it runs all the same
    (output,) = asked.outputs
    assert (
        set(output.data) == {"text/html", "text/plain"} and "<details>" in output.data["text/html"]
    )


def test_outputs_are_kept_where_only_words_have_changed(built, monkeypatch):
    source, notebook = built, built.with_suffix(".ipynb")
    before = nbformat.read(notebook, 4)
    monkeypatch.setattr(tool, "execute", lambda *given: pytest.fail("it was executed"))
    source.write_text(SOURCE.replace("# # A title", "# # Another title\n#\n# With words."))
    tool.build(source, keep_outputs=True)
    after = nbformat.read(notebook, 4)
    assert after.cells[0].source.startswith("# Another title\n\nYou can read")
    assert tool.without_start_line(after.cells[0].source) == "# Another title\n\nWith words."
    assert after.cells[1:] == before.cells[1:]
    assert tool.problems(source) == []
    executions = []
    monkeypatch.setattr(tool, "execute", lambda *given: executions.append(given))
    source.write_text(SOURCE.replace('print("same")', 'print("other")'))
    tool.build(source, keep_outputs=True)
    source.write_text(SOURCE.replace('tags=["nbval-ignore-output"]', ""))
    tool.build(source, keep_outputs=True)
    assert len(executions) == 2


def test_inserting_a_cell_changes_no_other_id(lesson):
    before = [cell.id for cell in tool.read_source(lesson).cells]
    lesson.write_text(SOURCE.replace("# %%\nimport", "# %%\nfirst = 1\n\n# %%\nimport"))
    after = [cell.id for cell in tool.read_source(lesson).cells]
    assert len(after) == len(before) + 1 and [*after[:1], *after[2:]] == before


# ---- the line that says how to start ------------------------------------------------------------


def started(path, *code, title="# # A title"):
    """The first cell made from a source with this code."""
    cells = "".join(f"\n\n# %%\n{part}" for part in code)
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"# %% [markdown]\n{title}\n#\n# Words.{cells}\n")
    return tool.read_source(path).cells[0].source


@pytest.mark.parametrize(
    ("code", "gain"),
    [
        ("from ukrlearn.panels import LatentScale", "Then the pictures get sliders."),
        ("from ukrlearn import datasets, panels", "Then the pictures get sliders."),
        ('predict = predictions("a")', "Then the questions take your answers."),
        (
            'from ukrlearn import panels\npredict = predictions("a")',
            "Then the questions take your answers and the pictures get sliders.",
        ),
    ],
)
def test_a_lesson_says_below_its_title_how_to_start_and_what_that_brings(course, code, gain):
    lines = started(course / "a.py", "x = 1", code).split("\n\n")
    assert (lines[0], lines[2]) == ("# A title", "Words.") and lines[1].endswith(gain)
    plain = re.sub(r"</?button.*?>", "", lines[1])  # a front end that knows no buttons
    assert plain.startswith("**To start**, press Run all cells or choose **Run > Run All Cells**")


def test_a_page_with_nothing_to_move_or_answer_need_not_be_run(course):
    title, line, words = started(course / "a.py", "print(1)").split("\n\n")
    assert (title, words) == ("# A title", "Words.")
    assert line.startswith("You can read this page without running it. To run it yourself, press <")


def test_an_exercise_says_where_to_write(course):
    first = started(course.parent / "exercises" / "01_a.py", "f = 1")
    assert "\n\nWords." in first and "Then write your code in place of the dots" in first
    assert "sliders" not in first


def test_without_code_or_title_there_is_no_line(course):
    assert started(course / "a.py") == "# A title\n\nWords."
    assert started(course / "a.py", "x = 1", title="# No title").startswith("No title\n\nWords.")
    assert started(course / "a.py", "x = 1", title="# ## Second").startswith("## Second\n\nWords.")


def test_the_button_carries_commands_that_a_reader_s_jupyterlab_understands(course):
    first = started(course / "a.py", "x = 1")
    command, arguments = re.search(
        r"<button data-commandlinker-command=\"(.*?)\" data-commandlinker-args='(.*?)'>", first
    ).groups()
    assert command == "apputils:run-all-enabled"
    assert json.loads(arguments)["commands"][0] == "notebook:run-all-cells"


@each("source", tool.sources(), ids=lambda path: path.stem)
def test_the_line_is_not_in_the_source_and_can_be_taken_out_again(source):
    written = tool.jupytext.read(source, fmt="py:percent").cells[0].source
    made = tool.read_source(source).cells[0].source
    assert "Run All Cells**" not in written and tool.without_start_line(made) == written
    assert (made != written) == bool(tool.code_cells(tool.read_source(source)))


def edit_source(notebook):
    notebook.cells[1].source += "\nprint('edited by hand')"


def drop_tag(notebook):
    del notebook.cells[2].metadata["tags"]


def turn_into_text(notebook):
    notebook.cells[-1] = nbformat.v4.new_markdown_cell("1 + 1", id=notebook.cells[-1].id)


def rename_cell(notebook):
    notebook.cells[0].id = "other"


def drop_cell(notebook):
    del notebook.cells[-1]


def keep_widgets(notebook):
    notebook.metadata["widgets"] = {}


def strip_counts(notebook):
    notebook.cells[1].execution_count = None


def double_ids(notebook):
    notebook.cells[-1].id = notebook.cells[-2].id


def show_error(notebook):
    notebook.cells[1].outputs = [
        nbformat.v4.new_output("error", ename="E", evalue="v", traceback=[])
    ]


def show_widget(notebook):
    notebook.cells[3].outputs[0].data[tool.WIDGET] = {"model_id": "0" * 32}


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (edit_source, "cell 2: source differs"),
        (drop_tag, "cell 3: metadata differs"),
        (turn_into_text, "cell 7: cell_type differs"),
        (rename_cell, "cell 1: id differs"),
        (drop_cell, "it has 6 cells, its source 7"),
        (keep_widgets, "its metadata must be"),
        (strip_counts, "must be counted 1 to 6"),
        (double_ids, "not a valid notebook"),
        (show_error, "shows an error: E: v"),
        (show_widget, "model id"),
    ],
)
def test_check_finds(built, change, found):
    rewrite(built.with_suffix(".ipynb"), change)
    assert any(found in problem for problem in tool.problems(built)), tool.problems(built)
    assert tool.main(["check"]) == 1


def test_check_finds_a_long_cell(built):
    code = "\n".join(f"x{i} = {i}" for i in range(tool.MOST_LINES + 1))
    built.write_text(f"# %%\n{code}\n")
    tool.build(built)
    assert tool.problems(built) == ["cell 1 has 21 lines of code; 20 are the most"]


def test_check_finds_a_missing_notebook_and_one_without_a_source(lesson, course, capsys):
    (course / "orphan.ipynb").write_text("{}")
    assert tool.main(["check"]) == 1
    out = capsys.readouterr().out
    assert "lesson.ipynb is missing" in out
    assert "orphan.ipynb has no source orphan.py" in out


def test_an_unknown_name_is_refused(course):
    with pytest.raises(SystemExit, match="No source named nothing"):
        tool.main(["build", "nothing"])


def test_a_lesson_that_raises_is_not_written(course):
    (course / "bad.py").write_text("# %%\n1 / 0\n")
    with pytest.raises(Exception, match="ZeroDivisionError"):
        tool.build(course / "bad.py")
    assert not (course / "bad.ipynb").exists()


# ---- the gate -----------------------------------------------------------------------------------


def run_nbval(path):
    """nbval as `make test` runs it, on one notebook; its exit code and closing line."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "--nbval"]
    command += [
        "--nbval-cell-timeout",
        "120",
        "--nbval-sanitize-with",
        ROOT / "tests/nbval.cfg",
        path,
    ]
    environment = {key: os.environ[key] for key in os.environ if not key.startswith("PYTEST_")}
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    return result.returncode, result.stdout.strip().splitlines()[-1]


def test_nbval_fails_a_notebook_that_was_broken_on_purpose(built):
    def break_it(notebook):
        _, printed, _, widget, _, result, last = notebook.cells
        printed.outputs[0].text = "another text\n"
        widget.source += "\npanel.observe(lambda change: 1 / 0)\npanel.value = 'moved'"
        result.outputs[0].data["text/plain"] = "3"
        last.source = "raise ValueError"

    rewrite(built.with_suffix(".ipynb"), break_it)
    code, closing_line = run_nbval(built.with_suffix(".ipynb"))
    assert code == 1
    assert re.search(r"\b4 failed, 2 passed\b", closing_line), closing_line


def test_make_test_hands_every_notebook_to_nbval():
    given = ("MAKE", "TESTS")  # to the make that runs this test, perhaps
    environment = {key: os.environ[key] for key in os.environ if not key.startswith(given)}
    planned = subprocess.check_output(
        ["make", "--dry-run", "test"], cwd=ROOT, env=environment, text=True
    )
    present = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
    assert len(present) >= FEWEST_NOTEBOOKS
    assert "--nbval " in planned
    assert [name for name in present if f"notebooks/{name}" not in planned] == []
