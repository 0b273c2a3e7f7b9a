"""The table of symbols: every name in it exists, and what readers see is taken from it."""

import ast
import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest
from helpers import each

import ukrlearn
from ukrlearn import panels
from ukrlearn.course import copying, glossary, notation


@pytest.fixture(scope="module")
def fitted():
    Y, _ = ukrlearn.datasets.noisy_spiral(30, random_state=0)
    return ukrlearn.UKR(1, init="pca", max_iter=0).fit(Y)


@each("row", notation.REGISTRY, ids=lambda row: row.code)
def test_every_name_in_the_table_exists(row, fitted):
    if not row.home:
        return
    first, *rest = row.home.split(".")
    thing = fitted if first == "UKR" else ukrlearn
    rest = rest if first == "UKR" else [first, *rest]
    for name in rest:
        if isinstance(thing, ModuleType) and not hasattr(thing, name):
            importlib.import_module(f"{thing.__name__}.{name}")
        fields = getattr(thing, "__dataclass_fields__", {})
        assert hasattr(thing, name) or name in fields, row.home
        thing = getattr(thing, name, None)


def test_names_are_not_doubled():
    codes = [row.code for row in notation.REGISTRY]
    assert len(set(codes)) == len(codes)


def test_every_row_has_a_letter_in_some_paper_or_says_that_it_has_none():
    for row in notation.REGISTRY:
        has_letter = any(getattr(row, paper) for paper in notation.PAPERS)
        assert has_letter or "not in the papers" in row.meaning, row.code


def test_a_table_shows_the_paper_s_letters():
    shown = notation.table("B", "density_threshold")._repr_markdown_()
    assert r"$\mathbf{B}$" in shown and r"$\eta$" in shown and "`density_threshold`" in shown
    assert len(shown.splitlines()) == 4


@pytest.mark.parametrize("paper", notation.PAPERS)
def test_without_names_a_table_holds_what_the_paper_has_a_letter_for(paper):
    rows = notation.table(paper=paper).rows
    assert rows == tuple(row for row in notation.REGISTRY if getattr(row, paper))
    assert rows


def test_an_unknown_name_lists_those_that_exist():
    with pytest.raises(ValueError, match="code must be a name of the notation, Y, X.*; got 'Z'"):
        notation.table("Z")
    with pytest.raises(ValueError, match="paper must be one of ukr, sgd"):
        notation.table(paper="pca")


def test_a_bar_in_a_meaning_does_not_end_the_cell_of_a_table():
    for shown in (notation.table("bandwidth"), glossary.letters("h"), glossary.symbols()):
        lines = shown._repr_markdown_().replace(r"\|", "").splitlines()
        assert len({line.count("|") for line in lines}) == 1
        assert any("x - x'" in line for line in lines)


# ---- the glossary -------------------------------------------------------------------------------


def lesson(folder, name, *sources):
    cells = [{"cell_type": "code", "source": source} for source in sources]
    cells.append({"cell_type": "markdown", "source": ["notation.table('N')"]})
    (folder / f"{name}.ipynb").write_text(json.dumps({"cells": cells}))


@pytest.fixture
def lessons(tmp_path):
    """Three lessons with tables of notation, and an appendix."""
    lesson(tmp_path, "02_later", 'notation.table("P", "M", paper="ukr")', "x = 1")
    lesson(tmp_path, "01_first", ["from ukrlearn import notation\n", 'notation.table("Y", "M")'])
    lesson(tmp_path, "14_last", 'notation.table(\n    *("h", "Y"),\n    *("G",),\n)')
    lesson(tmp_path, "appendix_ukr", 'notation.table("N", "Y")')
    return tmp_path


def test_the_first_lesson_with_a_symbol_is_found(lessons):
    first = {code: path.stem for code, path in glossary.first_lessons(lessons).items()}
    assert first.pop("ukr", None) is None
    assert first == {
        **{"Y": "01_first", "M": "01_first", "P": "02_later"},
        **{"h": "14_last", "G": "14_last", "N": "appendix_ukr"},
    }


def test_the_glossary_has_each_symbol_with_its_letter_in_each_paper(lessons):
    head, rows = glossary.symbols(lessons)
    assert head == ("meaning", "code", "[UKR]", "[SGD]", "[DRUR]", "[RPM]", "[SI]", "lesson")
    assert [row[1] for row in rows] == [f"`{symbol.code}`" for symbol in notation.REGISTRY]
    (n_basis,) = [row for row in rows if row[1] == "`n_basis`"]
    assert n_basis[2:] == ("", "", "$M$", "$M$", "", "")
    (data,) = [row for row in rows if row[1] == "`Y`"]
    (number,) = [row for row in rows if row[1] == "`N`"]
    assert number[-1] == "[appendix](appendix_ukr.ipynb)"
    assert data[-1] == "[01](01_first.ipynb)" and data[5:7] == (r"$\mathbf{X}$", "$x_i$")


def test_letters_are_listed_with_all_their_meanings_in_the_order_of_the_lessons(lessons):
    head, rows = glossary.letters("h", "P", folder=lessons)
    assert head == ("letter", "meaning", "where", "lesson")
    said = [(letter, where, link[1:3]) for letter, _, where, link in rows]
    assert said == [
        ("$h$", "[SGD]", "14"),
        ("$h$", "the course", ""),
        ("$h$", "[SI]", ""),
        ("$P$", "[UKR]", "02"),
        ("$P$", "[SGD]", "14"),
        ("$P$", "[SGD]", ""),
    ]


def test_every_symbol_is_in_some_lesson_s_table():
    first = glossary.first_lessons()
    lacking = [symbol.code for symbol in notation.REGISTRY if symbol.code not in first]
    assert lacking == [], "add them to notation.table in the lessons that explain them"


def test_the_page_shows_what_the_glossary_says_of_these_lessons():
    folder = copying.course_folder() / "notebooks"
    cells = json.loads((folder / "glossary.ipynb").read_text(encoding="utf-8"))["cells"]
    shown = [
        "".join(output["data"]["text/markdown"])
        for cell in cells
        for output in cell.get("outputs", ())
        if "text/markdown" in output.get("data", {})
    ]
    assert shown == [
        glossary.letters("h", "P", "Q", "M", "K")._repr_markdown_(),
        glossary.symbols()._repr_markdown_(),
    ]


# ---- what sliders and axes say ------------------------------------------------------------------

LETTERS = {word for row in notation.REGISTRY for word in row.label.split()[1:] if len(word) == 1}
PANELS = sorted(Path(panels.__file__).parent.glob("*.py"))


def words_for_readers(path):
    """(line, text, whether of a control) of each label that a panel writes out."""
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(call, ast.Call):
            continue
        is_control = ast.unparse(call.func) in ("Slider", "Choice", "Switch")
        said = call.args[:1] if is_control else []
        said += [word.value for word in call.keywords if word.arg in ("xlabel", "ylabel")]
        for text in (part for word in said for part in written_out(word)):
            yield call.lineno, text.strip(), is_control


def written_out(node):
    """The strings of an expression that are not arguments of a call in it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif not isinstance(node, ast.Call):
        for child in ast.iter_child_nodes(node):
            yield from written_out(child)


@each("path", PANELS, ids=lambda path: path.stem)
def test_a_panel_takes_the_names_of_symbols_from_the_table(path):
    labels = {row.label for row in notation.REGISTRY if set(row.label.split()) & LETTERS}
    labels |= {notation.label(code) for code in ("scale", "eigenvectors", "x", "q")}
    for line, text, is_control in words_for_readers(path):
        by_hand = text in labels or (is_control and LETTERS & set(text.split()))
        assert not by_hand, f"{path.name}:{line} writes {text!r}: use notation.label"


def test_letters_of_labels_are_those_that_sliders_show():
    assert {"h", "η", "ν", "l", "λ"} <= LETTERS and "a" not in LETTERS


def test_a_change_in_the_table_reaches_the_slider_and_its_messages(monkeypatch):
    row = notation.symbol("nu")._replace(label="exponent ν")
    monkeypatch.setitem(notation._BY_CODE, "nu", row)
    panel = panels.Aggregation.example()
    assert panel.given()["controls"]["nu"]["label"] == "exponent ν"
    with pytest.raises(ValueError, match="exponent ν must be between"):
        panel.set(nu=-1)
    panel.close()


def test_no_two_symbols_of_a_paper_have_the_same_label():
    for paper in notation.PAPERS:
        labels = [row.label for row in notation.table(paper=paper).rows if row.label]
        assert len(set(labels)) == len(labels), paper


def test_labels_of_bandwidths_scales_and_thresholds():
    label = notation.label
    assert label("scale") == "scale"
    assert label("bandwidth") == label("h") == "bandwidth h"  # of latent space; of data, in [SGD]
    assert label("bandwidth", of="the start") == "bandwidth of the start h"
    assert label("density_threshold") == "density threshold η"
    with pytest.raises(ValueError, match="no label for 'threshold'; give it one"):
        label("threshold")
