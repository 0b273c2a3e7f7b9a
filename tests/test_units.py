"""Each unit keeps what the course promises: it is short, and asks before it answers."""

import ast
import re
from pathlib import Path

import jupytext
import numpy as np
from helpers import each

from tools.notebooks import is_aside

ROOT = Path(__file__).resolve().parent.parent
UNITS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.py"))
SOURCES = [*UNITS, *sorted((ROOT / "notebooks").glob("appendix_*.py"))]
MOST_WORDS, MOST_LINES, WIDEST = 1500, 150, 844
CHECK = "<details><summary><b>Check</b></summary>"
EVIDENCE = "<details><summary><b>How sure are we?</b></summary>"  # folded, not counted

each_unit = each("path", UNITS, ids=lambda path: path.stem)
each_source = each("path", SOURCES, ids=lambda path: path.stem)


def cells_of(path, kind=None):
    cells = jupytext.read(path, fmt="py:percent").cells
    return [cell for cell in cells if kind in (None, cell.cell_type)]


def asks(cell):
    """Whether a code cell only asks for a prediction."""
    return cell.cell_type == "code" and cell.source.startswith("predict(")


def hidden_by(cell):
    """How many outputs a prediction holds back."""
    (call,) = [statement.value for statement in ast.parse(cell.source).body]
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    return ast.literal_eval(named["hides"]) if "hides" in named else 0


def names_read(code):
    """The names that the statements use before they set them, in order."""
    read, known = set(), set()
    for statement in ast.parse(code).body:
        nodes = list(ast.walk(statement))
        own = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        own |= {n.arg for n in nodes if isinstance(n, ast.arg)}
        loaded = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        read |= loaded - known - (own if isinstance(statement, ast.FunctionDef) else set())
        known |= names_set(statement)
    return read


def names_set(statement):
    """The names that a statement leaves behind."""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return {statement.name}
    return {
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def all_names_set(code):
    return set().union(*map(names_set, ast.parse(code).body))


def test_names_are_read_and_set_as_python_does():
    code = "import numpy as np\nx = [k for k in y]\ndef f(a):\n    return a + z\nf(x)"
    assert all_names_set(code) >= {"np", "x", "f"}
    assert names_read("a = b\nc = a + d") == {"b", "d"}


def words_in(text):
    return len(re.sub(r"\$\$.*?\$\$|\$[^$]*\$", " F ", text, flags=re.S).split())


def words_asked(cell):
    """How many words the question of a prediction and its options have."""
    (call,) = [statement.value for statement in ast.parse(cell.source).body]
    shown = call.args[1:] + [k.value for k in call.keywords if k.arg == "options"]
    return words_in(" ".join(map(str, np.hstack([ast.literal_eval(part) for part in shown]))))


def read_in(path):
    """(words, lines of code, panels) that a reader of a unit meets, without what is folded."""
    told = [c.source for c in cells_of(path, "markdown") if not c.source.startswith(EVIDENCE)]
    code = [c.source for c in cells_of(path, "code") if not asks(c) and not is_aside(c)]
    imports = r"^(import .*|from [^(\n]*|from .*\([^)]*\)|review\(.*)$"
    shown = re.sub(imports, "", "\n".join(code), flags=re.M)
    lines = [line for line in shown.splitlines() if re.search(r"\w", line)]  # not a bracket
    panels = re.findall(r"^from ukrlearn\.panels import", "\n".join(code), flags=re.M)
    return words_in("\n".join(told)), len(lines), len(panels)


@each_unit
def test_a_unit_has_at_most_1500_words_and_150_lines_of_code(path):
    words, lines, _ = read_in(path)
    assert words <= MOST_WORDS and lines <= MOST_LINES


@each_unit
def test_a_stated_minute_is_90_words_or_12_lines_of_code_or_a_panel(path):
    words, lines, panels = read_in(path)
    words -= words_in(cells_of(path)[-1].source.partition("**Covered**")[2])  # and further reading
    words += sum(map(words_asked, filter(asks, cells_of(path))))
    text = path.read_text(encoding="utf-8")
    stated = int(re.search(r"\*\*Time\*\*[\s#]+(\d+)", text)[1])
    assert words / 90 + lines / 12 + panels <= stated
    of_sections = re.findall(r"^# ## .* \((\d+) minutes?\)$", text, flags=re.M)
    assert sum(map(int, of_sections)) == stated


@each_unit
def test_a_panels_cell_needs_only_itself_and_the_first_one(path):
    first, *others = cells_of(path, "code")
    given = all_names_set(first.source) | set(dir(__builtins__)) | set(__builtins__)
    for cell in others:
        if re.search(r"^from ukrlearn\.panels import", cell.source, re.M):
            assert names_read(cell.source) - given == set(), cell.source


@each_source
def test_a_panel_stays_as_it_was_designed(path):
    for cell in cells_of(path, "code"):
        moved = re.findall(r"\bpanel\.(?:set|load|step|play|reset)\(", cell.source)
        assert not moved, f"work on panel.copy(): {cell.source}"


@each_source
def test_every_prediction_is_taken_before_its_answer(path):
    text = "\n".join(cell.source for cell in cells_of(path, "markdown"))
    assert "**Predict" not in text, "a prediction takes an answer: predict(...)"
    assert "**Check**" not in text, "an answer stands behind a disclosure element"
    names = []
    code = cells_of(path, "code")
    for place, cell in enumerate(code):
        if asks(cell):
            assert "nbval-ignore-output" in cell.metadata.get("tags", [])
            names.append(re.match(r'predict\(\s*"([a-z0-9-]+)"', cell.source)[1])
            held_back = code[place + 1 : place + 1 + hidden_by(cell)]
            assert len(held_back) == hidden_by(cell)
            for other in held_back:
                assert "ukrlearn.panels" not in other.source, "a panel is there to be moved"
    assert len(set(names)) == len(names)
    if names:
        assert f'predictions("{path.stem}")' in code[0].source


@each_source
def test_a_check_is_alone_in_its_cell_so_that_it_can_be_held_back(path):
    for cell in cells_of(path, "markdown"):
        if CHECK in cell.source:
            assert cell.source.startswith(CHECK) and cell.source.endswith("</details>")
            assert cell.source.count("<details>") == 1


@each_unit
def test_every_unit_asks_for_a_prediction(path):
    assert any(map(asks, cells_of(path))), path.stem


@each_source
def test_figures_are_drawn_for_the_width_at_which_they_are_shown(path):
    import nbformat

    for cell in nbformat.read(path.with_suffix(".ipynb"), 4).cells:
        for output in cell.get("outputs", []):
            html = output.get("data", {}).get("text/html", "")
            for width in re.findall(r'<img [^>]*width="(\d+)"', "".join(html)):
                assert int(width) <= WIDEST, cell.source[:80]
