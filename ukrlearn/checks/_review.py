"""Questions that come back: those on key points, in review.md, and predictions that were made.

A unit has begun once one of its questions was answered, and then its key questions are due. After a
right answer a question rests for three units or three days, whichever is over first; after any
other, for one. No day has the same question twice. tools/web/review.js does the same on the site.
"""

import json
import re
from dataclasses import replace
from datetime import date
from functools import cache
from importlib.util import find_spec

from ukrlearn.checks import _map, _report, _work
from ukrlearn.checks._prediction import Prediction, question_of, written_in
from ukrlearn.course.copying import course_folder

REST, AT_OPENING, ANYWHERE = 3, 3, 5  # units or days; questions
TEXT = "Questions about earlier units appear here when they are due."


def questions() -> dict[str, Prediction | None]:
    """What can come back, by key, in the order of the course; None is a lesson's prediction."""
    return written_in("review.md")


@cache
def question(key) -> Prediction | None:
    """The question of that key, from review.md or from its lesson; None if neither has it now."""
    lesson, asked = key.partition("/")[0], [questions()[key]]
    path = course_folder() / "notebooks" / f"{lesson}.ipynb"
    if asked == [None] and path.exists():
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        asked = [question_of("".join(cell["source"]), lesson) for cell in cells]
    kept = [q for q in asked if q is not None and q.key == key]
    return replace(kept[0], hides=0, label=f"From {_map.lesson_name(lesson)}") if kept else None


def chosen(entries, today, lesson="", most=ANYWHERE) -> tuple[list[str], list[str]]:
    """Keys of what was asked at this opening of a lesson already, and of what to ask besides.

    So a cell that runs again shows the same. Of what is due, key questions come first, but one
    place at an opening is for a prediction; first what is not known, then what was asked least.
    """
    begun = _work.begun(entries)
    now = len({*begun, lesson} - {""})
    asked, due = [], ([], [])
    for number, (key, own) in enumerate(questions().items()):
        unit, entry = key.partition("/")[0], entries.get(key, {})
        if unit not in begun or (lesson and unit >= lesson) or not (own or entry):
            continue
        last = entry.get("date", begun[unit])[:10]
        days = (date.fromisoformat(today[:10]) - date.fromisoformat(last)).days
        known = entry.get("known", False)
        if entry and days == 0:
            asked += [key] if lesson and entry.get("at") == now else []
        elif not entry or max(now - entry.get("at", 0), days) >= (REST if known else 1):
            rank = entry.get("times", 0) if known else 0
            due[own is None].append((rank, last, number, key))
    keys, made = ([key for *_, key in sorted(some)] for some in due)
    room = max(most - len(asked), 0)
    first = room - min(len(made), 1 if lesson else 0)
    return asked, [*keys[:first], *made, *keys[first:]][:room]


class Review:
    """What is due. As the last line of a cell it shows itself as forms, which can be skipped.

    The text is always the same, so that a saved notebook keeps nobody's questions.
    """

    text = TEXT

    def __init__(self, lesson, today):
        if not isinstance(lesson, str) or not re.fullmatch(r"(\d\d.*)?", lesson):
            raise ValueError(f"lesson must be the number of a unit, such as '07'; got {lesson!r}.")
        today = str(today)  # a date will do
        try:
            date.fromisoformat((today or _work.now())[:10])
        except ValueError:
            raise ValueError(f"today must be a day such as '2026-01-31'; got {today!r}.") from None
        most = AT_OPENING if lesson else ANYWHERE
        asked, due = chosen(_work.read_predictions(), today or _work.now(), lesson, most)
        self.asked = [(q, lesson, today, k in due) for k in asked + due if (q := question(k))]

    def __repr__(self):
        return "\n\n".join([self.text, *(repr(one[0]) for one in self.asked)])

    def _ipython_display_(self):
        if not (_report.in_notebook() and find_spec("anywidget")):
            print(repr(self))
            return
        from ipywidgets import VBox

        from ukrlearn.checks import _forms

        style = _report.without_kernel(".ukrlearn-static-review", ".ukrlearn-predict", "Run this.")
        html = f'<div class="ukrlearn-static-review"><style>{style}</style>{self.text}</div>'
        _forms.display({"text/html": html, "text/plain": self.text}, raw=True)
        if self.asked:
            _forms.show(VBox([_forms.PredictionForm(*one) for one in self.asked]))


def standing(entries, today=""):
    """The lessons whose questions are strong, and those where one fades, as part of a report."""
    due = chosen(entries, today or _work.now(), most=len(questions()))[1]
    asked = [key for key in questions() if key in entries]
    fading = {key[:2] for key in asked if key in due or not entries[key].get("known")}
    strong = {key[:2] for key in asked} - fading
    if asked:
        told = [f"lessons {', '.join(sorted(of))}" if of else "none" for of in (strong, fading)]
        says = f"What you have learnt is strong in {told[0]}, and fades in {told[1]}."
        yield "paragraph", f"{says} review() asks what fades."
