"""Exams: in a folder that holds the file below, there are neither hints nor solutions.

It is a notice, not a lock: whoever has the library can read it, as they can read the papers.
"""

import os
from pathlib import Path

from ukrlearn.checks import _report

FILE = "ukrlearn-exam.txt"
NOTICE = """\
This folder is an exam. As long as this file lies beside the notebook, check() says only whether an
answer passes, and there are neither hints nor solutions.
"""


def is_on() -> bool:
    """Whether the notebook that runs is part of an exam."""
    return bool(os.environ.get("UKRLEARN_EXAM")) or Path(FILE).exists()


def refuses(what) -> bool:
    """Whether this is an exam; then it says that there are no hints, or solutions."""
    if is_on():
        _report.show([("title", f"This is an exam: there are no {what}.")])
    return is_on()
