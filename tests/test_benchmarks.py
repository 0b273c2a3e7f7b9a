"""The benchmarks run. What they measure is for `make bench`: times never decide a test."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS = ROOT / "tests" / "benchmarks"
RESULTS = BENCHMARKS / "RESULTS.md"


def test_a_quick_section_prints_a_table_with_its_conditions_and_keeps_nothing():
    before = RESULTS.read_bytes()
    finished = subprocess.run(
        [sys.executable, BENCHMARKS / "run.py", "--quick", "--only", "digits"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.startswith("## Images of digits")
    assert "| gaussian |" in finished.stdout and "| quartic  |" in finished.stdout
    assert "Load average" in finished.stdout and "numpy" in finished.stdout
    assert RESULTS.read_bytes() == before


def test_the_committed_table_has_every_section():
    sources = [path.read_text(encoding="utf-8") for path in BENCHMARKS.glob("*.py")]
    titles = [title for source in sources for title in re.findall(r'^TITLE = "(.*)"', source, re.M)]
    headings = re.findall(r"^## (.*)", RESULTS.read_text(encoding="utf-8"), re.M)
    assert sorted(headings) == sorted(titles)


@pytest.mark.parametrize(
    ("paper", "title"),
    [("SGD", "Spectral gradient descent: claims of [SGD]"), ("DRUR", "Parametric DRUR")],
)
def test_an_appendix_quotes_the_claims_of_its_paper_as_they_were_measured(paper, title):
    results = RESULTS.read_text(encoding="utf-8")
    section = results.split(f"## {title}\n")[1]
    source = (ROOT / "notebooks" / f"appendix_{paper.lower()}.py").read_text(encoding="utf-8")
    between = source.split(f"# <!-- claims [{paper}] -->\n")[1]
    between = between.split("# <!-- end of claims -->")[0]
    quoted = cells([line[2:] for line in between.splitlines() if line.startswith("# |")])
    head, _, *rows = quoted
    place = head.index("where")  # behind the number of the claim; the unit comes last
    shown = [row[place : place + 5] for row in rows]
    assert shown == [row[1:6] for row in cells(rows_of_first_table(section))[2:]]


def rows_of_first_table(text):
    """From the heading on, to the first line that is no row."""
    table = text[text.index("\n|") + 1 :]
    return table[: table.index("\n\n")].splitlines()


def cells(rows):
    """Rows of a table in markdown, without what only aligns them."""
    return [[cell.strip(" -") for cell in row.split("|")] for row in rows]
