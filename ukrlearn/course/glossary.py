"""The glossary: each symbol with its letters in all papers, and the lesson that explains it first.

The symbols are those of `notation`. The lessons are read: each ends with a cell that calls
`notation.table` with the symbols that it has used. Symbols of no lesson may be in an appendix.
"""

import ast
import json
import re
from pathlib import Path
from typing import NamedTuple

from ukrlearn.course.copying import course_folder
from ukrlearn.course.notation import PAPERS, REGISTRY, in_a_cell

# In the order in which the course reads them.
ORDER = ("ukr", "sgd", "drur", "rpm", "si")


class Table(NamedTuple):
    """Rows of words, which a notebook shows as a table."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def _repr_markdown_(self):
        lines = [self.head, ("---",) * len(self.head), *self.rows]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def __repr__(self):
        return f"{len(self.rows)} rows: {', '.join(self.head)}"


def symbols(folder: Path | None = None) -> Table:
    """All symbols: meaning, name in the code, letter in each paper, first lesson.

    Parameters
    ----------
    folder : Path or None
        The folder of the lessons; by default that of the course.
    """
    first = first_lessons(folder)
    rows = [
        (
            in_a_cell(row.meaning),
            f"`{row.code}`",
            *(_as_formula(getattr(row, paper)) for paper in ORDER),
            _link(first.get(row.code)),
        )
        for row in REGISTRY
    ]
    return Table(("meaning", "code", *(PAPERS[paper] for paper in ORDER), "lesson"), tuple(rows))


def letters(*chosen: str, folder: Path | None = None) -> Table:
    """The meanings of each of these letters in the order of the lessons, and the papers' names."""
    first = first_lessons(folder)
    rows = [
        (_as_formula(letter), in_a_cell(row.meaning), whose, _link(first.get(row.code)))
        for letter in chosen
        for whose, row in sorted(
            _meanings(letter), key=lambda pair: first.get(pair[1].code, Path("~")).stem
        )
    ]
    return Table(("letter", "meaning", "where", "lesson"), tuple(rows))


def _meanings(letter: str):
    """(paper, symbol) where the paper writes the symbol with this letter, or else the code does."""
    for row in REGISTRY:
        papers = [PAPERS[paper] for paper in ORDER if letter in _letters_of(getattr(row, paper))]
        if papers:
            yield ", ".join(papers), row
        elif not any(getattr(row, paper) for paper in ORDER) and row.label.endswith(f" {letter}"):
            yield "the course", row


def _letters_of(latex: str) -> set[str]:
    """The letters of a symbol without typeface, indices and arguments.

    >>> sorted(_letters_of(r"\\mathbf{G}, \\mathbf{K}(\\mathbf{Y})")), _letters_of(r"q_{ij}")
    (['G', 'K'], {'q'})
    """
    plain = re.sub(r"\\(?:mathbf|mathrm)\{(\w+)\}", r"\1", latex)
    return {re.split(r"[_(\[]", part)[0].strip() for part in plain.split(", ")}


def first_lessons(folder: Path | None = None) -> dict[str, Path]:
    """The first lesson, or else appendix, with a symbol in its table of notation, by its code."""
    folder = course_folder() / "notebooks" if folder is None else Path(folder)
    first: dict[str, Path] = {}
    lessons, appendices = folder.glob("[0-9][0-9]_*.ipynb"), folder.glob("appendix_*.ipynb")
    for path in (*sorted(lessons), *sorted(appendices)):
        for code in _codes_in(path):
            first.setdefault(code, path)
    return first


def _codes_in(path: Path) -> list[str]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    sources = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    calls = [
        node
        for source in sources
        if "notation.table(" in source
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "notation.table"
    ]
    parts = (part for call in calls for argument in call.args for part in ast.walk(argument))
    return [part.value for part in parts if isinstance(part, ast.Constant)]


def _as_formula(latex: str) -> str:
    return f"${latex}$" if latex else ""


def _link(lesson: Path | None) -> str:
    if lesson is None:
        return ""
    number = lesson.stem.partition("_")[0]  # of an appendix, the word
    return f"[{number}]({lesson.name})"
