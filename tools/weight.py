"""Counts the lines of each part beside its budget in pyproject.toml; exits 1 above a budget.

python tools/weight.py
"""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PARTS = {
    "package": ("ukrlearn/*.py", "ukrlearn/*.md"),
    "of it, exercises": ("ukrlearn/checks/*.py", "ukrlearn/checks/*.md"),
    "JavaScript": ("ukrlearn/*.js",),
    "tests": ("tests/*.py",),
    "tools": ("tools/*.py", "tools/*.js", "tools/*.css", "tools/*.sh"),
}


def lines_of(patterns):
    """The number of lines in the files below these patterns that git tracks."""
    files = subprocess.check_output(["git", "ls-files", "-z", *patterns], cwd=ROOT, text=True)
    paths = [ROOT / name for name in files.split("\0") if name]
    return sum(path.read_bytes().count(b"\n") for path in paths if path.exists())


def main():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    budget = settings["tool"]["ukrlearn"]["budget"]
    weights = {part: lines_of(patterns) for part, patterns in PARTS.items()}
    for part, lines in weights.items():
        print(f"{part:17} {lines:7,} of {budget[part]:7,} lines")
    heavy = [part for part, lines in weights.items() if lines > budget[part]]
    if heavy:
        sys.exit(f"Over budget: {', '.join(heavy)}. What a change adds, it removes elsewhere.")


if __name__ == "__main__":
    main()
