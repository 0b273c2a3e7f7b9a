"""A concept test for each paper, in two forms: what a learner is asked, and what a class has said.

Before both forms are complete nothing tells right from wrong, because a first test must not teach.
"""

import json

import numpy as np

from ukrlearn.checks import _review, _work
from ukrlearn.checks._prediction import Prediction, written_in
from ukrlearn.course.writing import read_file

PAPERS, FORMS = ("ukr", "sgd", "drur", "rpm", "si"), ("A", "B")


def items(paper, form) -> dict[str, Prediction]:
    """The questions of a form, by key."""
    asked = written_in("concepts.md").items()
    return {key: one for key, one in asked if key.startswith(f"{paper}/") and key[-1] == form}


class Item(Prediction):
    """A question of a concept test; the first answer to it stays."""

    entries = staticmethod(_work.read_concepts)

    def remember(self, guess, *_):
        _work.note_concept(self.key, **({"skipped": True} if guess is None else {"guess": guess}))

    def outcome(self, guess):
        """That it was kept; how many are right, below the last; the answer, after both forms."""
        paper, entries = self.key.partition("/")[0], self.entries()
        both = all(items(paper, form).keys() <= entries.keys() for form in FORMS)
        told = super().outcome(guess) if both else "<p>Your answer is kept.</p>"
        mine = items(paper, self.key[-1])
        if self.key != list(mine)[-1]:
            return told
        right = sum(entries.get(key, {}).get("guess") == item.answer for key, item in mine.items())
        then = "Run the cells of both forms again: they now show the answers." if both else ""
        return f"{told}<p>{right} of {len(mine)} are right. {then}</p>"

    def __repr__(self):
        return "\n  - ".join([f"{self.label}: {self.question}", *self.options])


class ConceptTest(_review.Review):
    """Twelve questions on a paper ("ukr", "sgd", "drur", "rpm", "si"), as form "A" or "B".

    As the last line of a cell it asks one after the other. One form is meant for before the course,
    the other for after: right answers are told when both are complete.
    """

    text = "The concept test appears here when this cell runs in JupyterLab."

    def __init__(self, paper, form):
        for name, value, of in (("paper", paper, PAPERS), ("form", form, FORMS)):
            if value not in of:
                raise ValueError(f"{name} must be one of {', '.join(of)}; got {value!r}.")
        asked = (vars(one) for one in items(paper, form).values())
        made = (Item(**one | {"label": f"Question {n}"}) for n, one in enumerate(asked, 1))
        self.asked = [(item, "", "", False) for item in made]


def as_file(code) -> str:
    """What the learner has chosen, in the order of the answers; "" if there is nothing yet."""
    entries = {key: one for key, one in _work.read_concepts().items() if "/" in key}
    said = [(key, one.get("guess", ""), one.get("date", "")[:10]) for key, one in entries.items()]
    return json.dumps({"code": code, "answers": said}, indent=1) if said else ""


def analysis(folder):
    """Lines on a folder of such files: gains, items, and the wrong options that were taken."""
    learners, known = {}, written_in("concepts.md")  # {code: {key: option}}, as they were answered
    for path in sorted(folder.rglob("*.json")):
        try:
            told = json.loads(read_file(path, 10**6))
            said = {key: str(option) for key, option, day in told["answers"] if key in known}
            learners.setdefault(str(told["code"]), {}).update(said)
        except (ValueError, LookupError, TypeError, RecursionError) as problem:
            yield f"Left out: {path.name} must be of export_concept_test(); {problem!r}"
    for paper in PAPERS:
        yield from _of_paper(paper, learners)


def _of_paper(paper, learners):
    scores, lines = ({}, {}), []  # before and after
    for form in FORMS:
        asked, sittings = items(paper, form), ([], [])
        for code, said in learners.items():
            if asked.keys() <= said.keys():  # whole forms only
                after = form != next(key[-1] for key in said if key.startswith(f"{paper}/"))
                sittings[after].append([said[key] for key in asked])
                scores[after][code] = np.mean([said[key] == asked[key].answer for key in asked])
        lines += _of_items(asked, *sittings) if any(sittings) else []
    both = np.array([(scores[0][one], scores[1][one]) for one in scores[0] if one in scores[1]])
    if lines:
        told = "\n[{}] learners: {} before, {} after, {} of them both"
        yield told.format(paper.upper(), *map(len, scores), len(both))
        if len(both) > 1 and both[:, 0].mean() < 1:
            told = "right {:.0%} before, {:.0%} after; normalised gain {:.2f} ({:.2f} to {:.2f})"
            yield told.format(*both.mean(axis=0), gain(*both.T), *interval(*both.T))
        yield f"{'':22}before  after  discrimination"
    yield from lines


def gain(before, after):
    """Hake's normalised gain of a class: the share of what was wrong before that is right after."""
    room = 1 - before.mean(axis=-1)
    return (after - before).mean(axis=-1) / np.where(room > 0, room, np.nan)


def interval(before, after, draws=4000):
    """Where the gain of 95 in 100 classes lies that are drawn from this one, with replacement."""
    draw = np.random.RandomState(0).randint(len(before), size=(draws, len(before)))
    return np.nanpercentile(gain(before[draw], after[draw]), [2.5, 97.5])


def discrimination(tables):
    """Of each item the correlation with the rest of the score, within each sitting."""
    right = np.vstack([table - table.mean(axis=0) for table in tables])
    rest = right.sum(axis=1, keepdims=True) - right
    size = np.sqrt((right**2).sum(axis=0) * (rest**2).sum(axis=0))
    return (right * rest).sum(axis=0) / np.where(size > 0, size, 1)


def _of_items(asked, *sittings):
    """A line for each item, and one for each wrong option that was taken."""
    answers = np.array([item.answer for item in asked.values()])
    rows = [np.array(chosen, dtype=object).reshape(-1, len(answers)) for chosen in sittings]
    links = discrimination([(table == answers).astype(float) for table in rows if len(table)])
    for k, (key, item) in enumerate(asked.items()):
        taken = [list(table[:, k]) for table in rows]
        shares = (f"{one.count(item.answer) / len(one):.0%}" if one else "-" for one in taken)
        yield "{:22}{:>6}{:>7}{:>16.2f}".format(key.partition("/")[2], *shares, links[k])
        for option in [*item.tempts, ""]:
            if any(counts := [one.count(option) for one in taken]):
                yield "{:>28}{:>7}   {}".format(*counts, option or "(skipped)")
