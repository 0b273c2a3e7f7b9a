"""The teaching guide, a page and a deck of slides for each unit: exercises/guide, build/slides.

`python tools/guide.py` brings the pages up to date and makes the decks.

What the sources know stands between marks. Between `<!-- unit NAME -->` and `<!-- end of unit NAME
-->` stand where its notebook and its deck are, the minutes of a unit, what it needs, its sections,
its questions and its exercises, and in full the questions to vote on. Between
`<!-- exercise NAME -->` and `<!-- end of exercise NAME -->` stand the minutes of an exercise, the
mistakes that its collected answers make, the most frequent first, what its points are for, and its
question to think about.
All else is written by hand.
"""

import functools
import importlib
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from answers import diagnoses  # noqa: E402

from tools import index, slides  # noqa: E402
from ukrlearn.checks import _diagnosing, _scoring, bank, texts  # noqa: E402
from ukrlearn.checks._apart import here  # noqa: E402
from ukrlearn.checks._prediction import question_of  # noqa: E402

GUIDE = "exercises/guide"  # a folder
MOST_MISTAKES = 5
# What the checks find in answers to any exercise, in the words of this guide.
ANYWHERE = {
    "changes_input": "The function changes one of its arguments.",
    "endless": "The function does not return.",
    "left_empty": "Part of the result is never filled.",
    "located": "No known mistake explains the values; the check says which variables are right.",
    "library": "The function of the library is handed in.",
    "multiple": "The result is a constant multiple of the right one.",
    "negative": "The result has the wrong sign.",
    "not_finite": "The result holds infinity or nan.",
    "order_of_results": "The results are right, but in another order.",
    "raises": "The function stops with an error.",
    "returns_nothing": "Nothing is returned.",
    "shape": "The result has the wrong shape.",
    "transposed": "The result is transposed.",
    "uses_global": "A variable of the notebook is used in place of an argument.",
    "values": "The values differ, and no known mistake explains it.",
    "wrong_type": "The result is of another type than asked for.",
}
_MARKED = re.compile(
    r"^<!-- (unit|exercise) (\w+) -->\n.*?^<!-- end of \1 \2 -->$", re.MULTILINE | re.DOTALL
)


def cells_of(path):
    """("markdown" or "code", text) of each cell of a source."""
    for cell in re.split(r"^# %%", path.read_text(encoding="utf-8"), flags=re.M)[1:]:
        head, _, body = cell.partition("\n")
        if "[markdown]" in head:
            yield "markdown", re.sub(r"^# ?", "", body, flags=re.M).strip()
        else:
            yield "code", body.strip()


def questions(path):
    """All questions of a lesson, in order."""
    asked = (question_of(text) for kind, text in cells_of(path) if kind == "code")
    return [question for question in asked if question]


def sections(path):
    """(title, minutes or None) of each section of a lesson, without the key points."""
    words = "\n".join(text for kind, text in cells_of(path) if kind == "markdown")
    found = re.findall(r"^## (.+?)(?: \((\d+) minutes?\))?$", words, flags=re.M)
    return [(title, int(minutes) if minutes else None) for title, minutes in found][:-1]


def to_think_about(path):
    """What an exercise leaves its reader to think about."""
    words = "\n\n".join(text for kind, text in cells_of(path) if kind == "markdown")
    return " ".join(re.search(r"\*\*To think about\*\*: (.+?)(?:\n\n|$)", words, re.S)[1].split())


def first_sentence(text):
    return re.split(r"(?<=[.!?]) ", text, maxsplit=1)[0]


def said_of(exercise, mistake):
    """What the check says first about a mistake."""
    causes = texts.read(texts.FOLDER / "bank" / f"{exercise.name}.md").causes
    known = {id_: says for id_, says in causes.items() if "{" not in first_sentence(says)}
    known |= {m.id: m.says for m in exercise.misconceptions}
    known |= {p.id: p.otherwise for p in exercise.properties}
    if mistake.startswith("slip: "):
        words = exercise.stages.words[mistake.removeprefix("slip: ")]
        return f"A slip in the code: the check says what is changed in {words}."
    if ":" in mistake:  # of the microscope, which splits a gradient into its addends
        kind, _, words = mistake.partition(": ")
        return (
            f"One term has a wrong {kind}: {words}." if kind != "missing" else f"Missing: {words}."
        )
    says = known.get(mistake) or ANYWHERE.get(mistake)
    return first_sentence(says or _found_in_an_answer(exercise.name, mistake))


@functools.cache
def _found_in_an_answer(name, mistake):
    """What the check says of a mistake that it infers from what the answer did."""
    wrong = importlib.import_module(f"answers.{name}").WRONG
    answer = next(answer for found, answer in wrong if found == mistake)
    problems = _diagnosing.examine(bank.find(name), answer, run=here).problems
    return next(problem.says for problem in problems if problem.id == mistake)


def mistakes(name):
    """(times, mistake) of the wrong answers that were collected, the most frequent first."""
    exercise = bank.find(name)
    counted = Counter(diagnoses(importlib.import_module(f"answers.{name}")))
    known = [mistake.id for mistake in exercise.misconceptions]  # the usual ones first
    place = {found: place for place, found in enumerate([*known, *sorted(set(counted) - {*known})])}
    frequent = sorted(counted, key=lambda found: (-counted[found], place[found]))
    return [(counted[found], found) for found in frequent]


# ---- what stands between the marks --------------------------------------------------------------


def for_a_room(text, name):
    """The names of the questions that a unit's part of the guide puts to a room."""
    found = re.search(r"^\*\*In a room\*\* (.+?)(?:\n\n|\Z)", part(text, "unit", name), re.M | re.S)
    return re.findall(r"`([\w-]+)`", found[1]) if found else []


def unit_block(path, known, text):
    page, room = known[path.stem], for_a_room(text, path.stem)
    listed = ", ".join(
        f"{title} {minutes}" if minutes else title for title, minutes in sections(path)
    )
    names = ", ".join(f"`{question.name}`" for question in questions(path))
    after = [
        str(int(name[:2]))
        for name in known
        if (ROOT / f"exercises/{name}.py").exists() and known[name].needs[:1] == (path.stem[:2],)
    ]
    lines = [
        f"[Notebook](../../notebooks/{path.stem}.ipynb) · slides `build/slides/{path.stem}.html`",
        f"**{page.minutes} minutes**: {listed}.",
        f"**Needs** {', '.join(page.needs) or 'no other unit'}. **Questions** {names or 'none'}. "
        f"**Exercises** {', '.join(after) or 'none'}.",
    ]
    rows = [
        f"| `{question.name}` | {_cell(question.question)} | {_cell(_options(question))} |"
        for question in questions(path)
        if question.name in room
    ]
    table = ["| vote on | question | options, **the right one** |", "|---|---|---|", *rows]
    return "  \n".join(lines) + "\n\n" + "\n".join(table)


def _options(question):
    options = question.options or (str(question.answer),)
    marked = (f"**{option}**" if option == str(question.answer) else option for option in options)
    return " · ".join(marked)


def _cell(text):
    return text.replace("|", r"\|")


def rubric(exercise):
    """What the points of an exercise are for, as `ukrlearn.checks._scoring` gives them."""
    words = exercise.stages.words if exercise.stages else {}
    properties = dict.fromkeys(p.says.rstrip(".") for p in exercise.properties)
    parts = [
        (_scoring.WORK, "stages", [says or f"`{name}`" for name, says in words.items()]),
        (_scoring.PROPERTIES, "properties", [*properties]),
    ]
    parts = [part for part in parts if part[2]]
    each = exercise.points / sum(weight for weight, *_ in parts)
    return " ".join(f"{each * w:g} for the {what}: {'; '.join(all_)}." for w, what, all_ in parts)


def exercise_block(path, known, text):
    page, name = known[path.stem], path.stem.partition("_")[2]
    found, exercise = mistakes(name), bank.find(name)
    rows = [
        f"| {times} | `{mistake}` | {_cell(said_of(exercise, mistake))} |"
        for times, mistake in found[:MOST_MISTAKES]
    ]
    total = sum(times for times, _ in found)
    return "\n".join(
        [
            f"**{page.minutes} minutes**, after unit {page.needs[0]}. {total} wrong answers were "
            f"collected, with {len(found)} different mistakes.",
            "",
            "| times | mistake | what the check says first |",
            "|---|---|---|",
            *rows,
            "",
            f"**Rubric** of {exercise.points} points, in equal shares: {rubric(exercise)}",
            "",
            f"> **To think about**: {to_think_about(path)}",
        ]
    )


def refreshed(text, known=None):
    """A page of the guide with all that stands between marks written anew."""
    known = known or index.pages(ROOT)

    def block(mark):
        kind, name = mark[1], mark[2]
        folder, made = {
            "unit": ("notebooks", unit_block),
            "exercise": ("exercises", exercise_block),
        }[kind]
        path = ROOT / folder / f"{name}.py"
        if not path.exists():
            raise ValueError(f"{GUIDE} has a mark for {name}, which is not in {folder}")
        return f"<!-- {kind} {name} -->\n{made(path, known, text)}\n<!-- end of {kind} {name} -->"

    return _MARKED.sub(block, text)


def written():
    """{path: text} of all pages, in the order of the units."""
    paths = sorted((ROOT / GUIDE).glob("[0-9]*.md"))
    return {path: path.read_text(encoding="utf-8") for path in paths}


def marks(text):
    """(kind, name) of all marks, in order."""
    return [(mark[1], mark[2]) for mark in _MARKED.finditer(text)]


def part(text, kind, name):
    """What is written by hand about a unit or an exercise: from its mark to the next heading."""
    _, found, rest = text.partition(f"<!-- end of {kind} {name} -->\n")
    if not found:
        raise ValueError(f"{GUIDE} must have a part for {kind} {name}")
    return re.split(r"^#", rest, maxsplit=1, flags=re.M)[0].strip()


def late(text, name):
    """The sections of a unit to skip when late, in that order."""
    found = re.search(r"^\*\*When late\*\* (.+?)(?:\n\n|\Z)", part(text, "unit", name), re.M | re.S)
    return re.findall(r"\*([^*]+)\*", " ".join(found[1].split())) if found else []


def main():
    pages = written()
    for path, text in pages.items():
        path.write_text(refreshed(text), encoding="utf-8")
    problems = slides.build(slides.units())
    print("\n".join(problems) or f"{len(pages)} pages and decks are up to date.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
