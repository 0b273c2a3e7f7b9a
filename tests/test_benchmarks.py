"""The benchmarks run. What they measure is for `make bench`: times never decide a test."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUN = ROOT / "tests" / "benchmarks" / "run.py"
RESULTS = RUN.with_name("RESULTS.md")


def quick_run(section):
    """What a quick run of one section prints."""
    finished = subprocess.run(
        [sys.executable, RUN, "--quick", "--only", section],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=250,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_a_section_runs_and_prints_a_table_with_its_conditions_and_keeps_nothing():
    before = RESULTS.read_bytes()
    printed = quick_run("objective")
    assert printed.startswith("## Error and gradient, Gaussian kernel\n")
    assert "| 1000, 12, 2 |" in printed
    assert "Load average" in printed and "numpy" in printed
    assert RESULTS.read_bytes() == before


def test_the_committed_table_has_every_section():
    sys.path.insert(0, str(RUN.parent))
    try:
        import run
    finally:
        sys.path.remove(str(RUN.parent))
    titles = [line for line in RESULTS.read_text("utf-8").splitlines() if line.startswith("## ")]
    assert len(titles) == len(run.SECTIONS)


def test_the_committed_table_tells_nothing_of_the_machine_but_its_processor():
    kept = RESULTS.read_text("utf-8")
    assert "/home" not in kept and "/root" not in kept and "http" not in kept
