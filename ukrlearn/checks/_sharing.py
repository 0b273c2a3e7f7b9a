"""What a learner may hand in without a name: answers to the concept tests, and wrong attempts."""

import ast
import json
import re
import secrets
import textwrap

from ukrlearn.checks import _concepts, _report, _work
from ukrlearn.course.writing import FileProblem, user_path, write_whole

CONSENT = (
    "It holds no name, no time of day and no name of a file, but a random code, drawn on this "
    "machine. Nothing is sent: whether you hand it in, and to whom, is up to you; whoever collects "
    "such files may know whose each was. It is plain text: read it first. If you agree, run"
)


def export_concept_test(path=None, *, consent=False):
    """Write your answers to the concept tests into a file without a name, if you consent."""
    what = "A file of what you chose in the concept tests, for measuring what a course teaches: "
    what += "your answers in their order, with the day of each. The code joins your two tests."
    if _agrees(consent, what, "export_concept_test"):
        code = _work.read_concepts().get("code", {}).get("guess") or secrets.token_hex(8)
        if text := _concepts.as_file(code):
            _work.note_concept("code", guess=code)  # once, so that files match
        _write(path, f"concepts-{code}.json", text)


def contribute_attempts(path=None, *, consent=False):
    """Write your wrong answers to exercises into a file without a name, if you consent."""
    what = "A file of the last wrong functions that check() has seen, to improve the checks. "
    what += "Comments and texts are taken out; the names of functions and variables stay."
    if _agrees(consent, what, "contribute_attempts"):
        known = sorted(_work.read().items())
        told = [(name, anonymous(text)) for name, entry in known for text in entry.get("wrong", [])]
        lines = (json.dumps({"exercise": name, **one}) + "\n" for name, one in told if one)
        _write(path, f"attempts-{secrets.token_hex(8)}.jsonl", "".join(lines))


def _agrees(consent, what, name):
    if consent is not True:
        text = f"{what} {CONSENT} `{name}(consent=True)`."
        _report.show([("title", "Nothing is written yet"), ("paragraph", text)])
    return consent is True


def _write(path, name, text):
    try:
        if not text:
            raise FileProblem("There is nothing to write: no answer is kept here.")
        path = user_path(path) if path else _work.folder() / name
        kept = write_whole(path, text.encode("utf-8", "backslashreplace"), backup="before")
        told = f"What was there before is now {kept.name}." if kept else "Read it."
        _report.show([("title", f"Written: {path}"), ("paragraph", told)])
    except FileProblem as problem:
        _report.show([("title", "Nothing written"), ("paragraph", str(problem))])


# An answer may need these texts: names of distances and norms, and patterns of einsum.
NEEDED = r"(sq)?euclidean|cityblock|fro|ij|[a-z]{0,4}(,[a-z]{0,4})*->[a-z]{0,4}"
KNOWN = r"(numpy|scipy|sklearn|math|itertools|functools)[\w.]*"
HEAD = "import numpy as np\nfrom scipy.spatial.distance import cdist, pdist, squareform\n\n\n"


def anonymous(source):
    """A function as tests/answers/fresh has it, without comments and texts; None if it can't be."""
    try:
        (function,) = ast.parse(textwrap.dedent(source)).body
        name, function.decorator_list = function.name, []  # AttributeError if it is none
        for node in ast.walk(function):
            value = getattr(node, "value", None)
            if isinstance(value, (str, bytes)) and not re.fullmatch(NEEDED, str(value)):
                node.value = type(value)()
        text = re.sub(r"^ *(''|(\"\")+)\n", "", ast.unparse(function), flags=re.M)  # docstrings
    except (SyntaxError, ValueError, AttributeError, RecursionError, MemoryError):
        return None
    for line in re.findall(r"^ *((?:from|import) .*)", text, re.M):
        if not re.fullmatch(rf"from {KNOWN} import .*|import {KNOWN}( as \w+)?", line):
            return None  # a file of theirs
    return {"answer": name, "mistakes": ["not judged"], "source": f"{HEAD}{text}\n"}
