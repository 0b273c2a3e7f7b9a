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
sys.path.insert(0, str(BENCHMARKS))

import guard  # noqa: E402
import peers  # noqa: E402
import provenance  # noqa: E402

del sys.path[0]


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


def test_each_section_names_the_commit_that_was_measured():
    _, *sections = RESULTS.read_text(encoding="utf-8").split("\n## ")
    for section in sections:
        assert re.search(r"^\*\S+, \d+ s, commit [0-9a-f]{7,}\+?\. ", section, re.M), section[:60]


def test_a_section_depends_on_what_it_imports_at_any_remove():
    measured = [str(path.relative_to(ROOT)) for path in provenance.measured_files("spiral")]
    assert "ukrlearn/estimators/ukr.py" in measured  # a name that the package loads when asked
    assert "ukrlearn/ukr/reconstruction.py" in measured  # three imports further
    assert not [path for path in measured if "/si/" in path or "/panels/" in path]
    assert "tests/benchmarks/spiral.py" not in measured


def test_words_are_no_change_of_code():
    code = 'def f(x):\n    """Double."""\n    return 2 * x  # twice\n'
    assert provenance.essence(code) == provenance.essence("def f(x):\n    return 2 * x\n")
    assert provenance.essence(code) != provenance.essence(code.replace("2", "3"))


@pytest.mark.parametrize(("now", "worse"), [(1.19, 0), (1.21, 2)])
def test_the_guard_fails_for_a_ratio_that_is_a_fifth_worse(now, worse, monkeypatch):
    monkeypatch.setattr(guard, "RATIOS", {"time": lambda: 2 * now, "R_cv": lambda: 0.5 * now})
    rows = "| time | 2.000 |\n| R_cv | 0.500 |\n"
    table, count = guard.compared(
        f"## {guard.TITLE}\n\n|   | ratio |\n|---|---|\n{rows}\n## Next\n"
    )
    assert count == worse == table.count("*worse*")
    with pytest.raises(SystemExit, match="other ratios"):
        guard.compared(f"## {guard.TITLE}\n\n| time | 2.000 |\n")


def test_rivals_are_bold_where_a_sign_test_says_that_they_are_better():
    runs = [
        {"set": "wine", "draw": draw, "method": name, "time": s, "R_cv": r, "continuity": c}
        for draw in range(20)
        for name, s, r, c in (("UKR", 1, 0.5, 0.9), ("PCA", 0.1, 0.6 if draw < 6 else 0.4, 0.8))
    ]
    text = peers.report(runs)
    assert "| wine | 20    | 1.00 | **0.10** |" in text
    assert "| wine | 20    | 0.500 | 0.400 |" in text  # 14 of 20 may be chance
    assert "| wine | 20    | 0.900 | 0.800 |" in text  # more is better
    assert "| PCA | 0 – 0 – *1* | –        | 0 – 1 – *0* | –               | 1 – 0 – *0* |" in text
