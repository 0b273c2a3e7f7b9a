"""The words of an exercise. An instructor edits them in a Markdown file beside its module.

    # Weighted means                       the title

    ## Stages

    - `K`: the kernel values               what a stage computes

    ## Mistakes

    - `no_sum`: You don't divide.          what the check says of a mistake; `id`, `other` share one
    - `no_exp` (`K`: `exp` is left out): You use the distances themselves.

    ## Properties

    Weights sum to one.                    a statement, said where it holds
    - `not_one`: Yours sum to more.        the diagnosis where it doesn't
      - `sums`: Do you divide rows?        a question, unless this stage was seen to be right

    ## Hints

    1. What must a row of weights sum to?

    ## Without loops

    Use `K @ Y`.                           said of right answers that have loops within loops

In brackets stand the stage and the words of a slip, where a mistake is one: no code need make it. A
text may go on in the next line. `mistakes.md` has texts that several exercises share; what the
file of an exercise says of the same mistake goes before. Under `## Causes` stand texts with
{places} for what an exercise finds out itself, without a misconception.
"""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ukrlearn.checks._slips import Named
from ukrlearn.checks.exercise import Exercise, Misconception, Problem

FOLDER = Path(__file__).parent
SECTIONS = ("Stages", "Mistakes", "Causes", "Properties", "Hints", "Without loops")
_BEGINS = re.compile(r"#+ |\s*- |\d+\. ")
_TOLD = re.compile(
    r"- (?P<ids>`[^`]+`(?:, `[^`]+`)*)"
    r"(?: \(`(?P<stage>\w+)`: (?P<slip>.+?)\))?(?:: (?P<says>\S.*))?"
)


class Texts(NamedTuple):
    """What a file says; of a property its statement, its diagnosis and {stage: question}."""

    title: str
    stages: dict
    mistakes: dict
    slips: dict
    causes: dict
    properties: dict
    hints: list
    without_loops: str = ""


def exercise(name, **parts) -> Exercise:
    """An exercise whose title, hints, mistakes and properties are told by bank/NAME.md.

    Its mistakes are in the order of that file, those with shared texts last.
    """
    made = Exercise(name=name, title="", hints=(), **parts)
    path = FOLDER / "bank" / f"{name}.md"
    texts, shared = read(path), read(FOLDER / "mistakes.md").mistakes
    of_slips = [Misconception(i, mistaken=Named(made.stages, *s)) for i, s in texts.slips.items()]
    all_ids = [m.id for m in (*made.misconceptions, *of_slips)]
    if doubled := {id_ for id_ in all_ids if all_ids.count(id_) > 1}:
        raise ValueError(
            f"{path.name} and its module must make each mistake once, in code or as a slip; both "
            f"have {', '.join(sorted(doubled))}. Take one of them out."
        )
    known = {m.id: m for m in (*made.misconceptions, *of_slips)}
    known = {id_: known[id_] for id_ in (*texts.mistakes, *known) if id_ in known}
    mistakes = {id_: texts.mistakes.get(id_) or shared.get(id_) for id_ in known}
    properties = {p.id: texts.properties.get(p.id) for p in made.properties}
    _must_match(path, "mistake", mistakes, texts.mistakes)
    if made.stages is not None:
        words = made.stages.words
        said = {part: texts.stages.get(part) or words[part] for part in words}
        asked = [stage for *_, suspects in texts.properties.values() for stage in suspects]
        _must_match(path, "stage", said, [*texts.stages, *asked])
        words.update(texts.stages)
    _must_match(path, "property", properties, texts.properties)
    return replace(
        made,
        title=texts.title,
        hints=tuple(texts.hints),
        without_loops=texts.without_loops,
        misconceptions=tuple(replace(m, says=mistakes[m.id]) for m in known.values()),
        properties=tuple(
            replace(p, says=says, otherwise=otherwise, suspects=tuple(suspects.items()))
            for p, (says, otherwise, suspects) in zip(
                made.properties, properties.values(), strict=True
            )
        ),
    )


def cause(name, id_, **values) -> Problem:
    """What the file of an exercise says of a cause, with these values in its {places}."""
    path = FOLDER / "bank" / f"{name}.md"
    says = read(path).causes.get(id_)
    _must_match(path, "cause", {id_: says}, ())
    return Problem(id_, says.format(**values))


def _must_match(path, kind, needed, given):
    if missing := [id_ for id_, text in needed.items() if not text]:
        raise ValueError(
            f"{path.name} must say something of every {kind} of its module; it has nothing on "
            f"{', '.join(missing)}. Add a line that begins with - `{missing[0]}`:"
        )
    if unknown := [id_ for id_ in given if id_ not in needed]:
        raise ValueError(
            f"{path.name} must speak of what its module has; there is no {kind} "
            f"{', '.join(unknown)}. Correct the name, or take the line out."
        )


@cache
def read(path) -> Texts:
    """The texts of a file."""
    found = Texts("", {}, {}, {}, {}, {}, [])
    section = statement = suspects = None
    for number, line in _items(path.read_text(encoding="utf-8")):
        text = line.strip()
        told = _TOLD.fullmatch(text)
        told = told if told and (told["says"] or told["slip"]) else None
        if line.startswith("# "):
            found = found._replace(title=text[2:])
        elif text.removeprefix("## ") in SECTIONS:
            section = text[3:]
        elif section == "Hints" and (hint := re.fullmatch(r"\d+\. (.+)", text)):
            found.hints.append(hint[1])
        elif section in ("Stages", "Mistakes", "Causes") and told:
            if told["slip"]:
                _put(path, number, found.slips, told, (told["stage"], told["slip"]))
            if told["says"]:
                _put(path, number, getattr(found, section.lower()), told, told["says"])
        elif section == "Properties" and told and line[0] == " " and suspects is not None:
            _put(path, number, suspects, told, told["says"])
        elif section == "Properties" and told and statement:
            suspects = {}
            _put(path, number, found.properties, told, (statement, told["says"], suspects))
        elif section == "Without loops" and not _BEGINS.match(line):
            found = found._replace(without_loops=text)
        elif section == "Properties" and not _BEGINS.match(line):
            statement, suspects = text, None
        else:
            _wrong(
                path,
                number,
                f"a line must be a section ({', '.join(SECTIONS)}), a text behind its id, "
                "- `id`: text, a numbered hint, or a statement above its properties",
                text,
            )
    return found


def _items(text):
    """(number of its first line, what belongs together in one line), without empty lines."""
    item, begun = [], 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if item and (not line.strip() or _BEGINS.match(line)):
            yield begun, " ".join(item)
            item = []
        if line.strip():
            begun = begun if item else number
            item.append(line.strip() if item else line.rstrip())


def _put(path, number, where, told, text):
    for id_ in re.findall("`([^`]+)`", told["ids"]):
        if id_ in where:
            _wrong(path, number, "an id must have one text", f"a second one for {id_}")
        where[id_] = text


def _wrong(path, number, how, came):
    raise ValueError(f"{path.name}, line {number}: {how}; got {came[:60]}. Correct this line.")
