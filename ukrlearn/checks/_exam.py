"""Exams: in a folder that holds the file below, there are neither hints nor solutions.

It is a notice, not a lock: whoever has the library can read it, as they can read the papers.
"""

import os
import re
from pathlib import Path

from ukrlearn.checks import _report

FILE = "ukrlearn-exam.txt"
NOTICE = """\
This folder is an exam. As long as this file lies beside the notebook, check() says only whether an
answer passes and shows an example in which it is wrong; there are neither hints nor solutions.
Show: witness
Instead of witness, the line above may say place (the wrong line, too) or cause (what is wrong).
"""


def is_on() -> bool:
    """Whether the notebook that runs is part of an exam."""
    return bool(os.environ.get("UKRLEARN_EXAM")) or Path(FILE).exists()


def most() -> str:
    """How far a report and its hints may go: one of `STEPS`."""
    if not is_on():
        return _report.STEPS[-1]
    text = Path(FILE).read_text(encoding="utf-8", errors="replace") if Path(FILE).exists() else ""
    wanted = re.search(rf"^Show: ({'|'.join(_report.STEPS[:-1])})\b", text, re.M)
    return wanted[1] if wanted else _report.STEPS[0]


def refuses(what) -> bool:
    """Whether this is an exam; then it says that there are no hints, or solutions."""
    if is_on():
        _report.show([("title", f"This is an exam: there are no {what}.")])
    return is_on()
