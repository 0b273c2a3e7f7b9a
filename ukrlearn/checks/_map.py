"""The map that `progress` shows: all exercises by lesson, what was reached, and what comes next."""

import html
import os
from pathlib import Path

from ukrlearn.checks import _collecting, _work, bank
from ukrlearn.course import copying

LAST = "~"  # comes after all names of lessons
STYLE = "text-align: left; padding: 0.2em 1em 0.2em 0; vertical-align: top"


def state(entry) -> str:
    """How far an exercise is, in words."""
    said = [_count(entry.get("tries"), "try", "tries"), _count(entry.get("hints"), "hint", "hints")]
    said.append("solution seen" if entry.get("revealed") else "")
    rest = ", ".join(filter(None, said))
    if "passed" in entry:
        reached = f"passed on {entry['passed'][:10]}"
    else:
        reached = "begun" if rest else "not begun"
    return f"{reached}: {rest}" if rest else reached


def _count(number, one, many):
    return f"{number} {one if number == 1 else many}" if number else ""


def next_one(exercises, known):
    """The exercise to go on with: the one after the last that passed, or the first that has not."""
    passed = ["passed" in known.get(exercise.name, {}) for exercise in exercises]
    last = max((place for place, done in enumerate(passed) if done), default=-1)
    order = [*range(last + 1, len(exercises)), *range(last + 1)]
    return next((exercises[place] for place in order if not passed[place]), None)


def lesson_name(lesson) -> str:
    """ "03_reconstruction_error" as a reader calls it."""
    if not lesson:
        return "other exercises"
    number, _, words = lesson.partition("_")
    return f"lesson {number}, {words.replace('_', ' ')}"


def path_to(folder, name) -> str:
    """A relative link to a notebook of the learner's copy of the course; "" if there is none."""
    for start in (Path("."), Path("..")):
        if (start / folder / name).exists():
            return Path(os.path.relpath(start / folder / name)).as_posix()
    return name if Path(name).exists() else ""  # all notebooks in one folder, as nbgrader has them


def _link(text, folder, name):
    target = path_to(folder, name)
    text = html.escape(text)
    return f'<a href="{html.escape(target)}">{text}</a>' if target else text


def _exercise_link(exercise):
    number = bank.number_of(exercise.name)
    stem = f"{bank.padded_number(exercise.name)}_{exercise.name}.ipynb"
    return _link(f"{number} {exercise.title}".strip(), "exercises", stem)


def _lesson_link(lesson):
    return _link(lesson_name(lesson), "notebooks", f"{lesson}.ipynb")


def following(name):
    """The exercise after this one, as the end of a report; nothing after the last one."""
    rest = bank.NAMES[bank.NAMES.index(name) + 1 :] if name in bank.NAMES else ()
    for exercise in map(bank.find, rest[:1]):
        number = bank.number_of(exercise.name)
        linked = f"<p>Next: exercise {_exercise_link(exercise)}.</p>"
        yield "both", (f"Next: exercise {number}, {exercise.title}.", linked)


def parts(exercises, known):
    """What `progress` shows, as parts of a report; in the order of the lessons."""
    exercises = sorted(exercises, key=lambda exercise: exercise.lesson or LAST)
    passed = sum("passed" in known.get(exercise.name, {}) for exercise in exercises)
    yield "title", f"{passed} of {len(exercises)} exercises passed"
    following = next_one(exercises, known)
    if following is not None:
        number = bank.number_of(following.name)
        plain = f"Next: exercise {number} {following.title} ({lesson_name(following.lesson)})."
        linked = (
            f"<p>Next: exercise {_exercise_link(following)} ({_lesson_link(following.lesson)}).</p>"
        )
        yield "both", (" ".join(plain.split()), linked)
    yield "both", ("\n".join(_plain(exercises, known)), _table(exercises, known))
    if all("passed" in known.get(name, {}) for name in _collecting.pieces().values()):
        says = f'collect() makes one file of yours, and check("{_collecting.NAME}") races it.'
        yield "paragraph", f"All pieces of an unsupervised learner have passed: {says}"
    yield "paragraph", f"Kept in {_work.FILE}, {where()}, and nowhere else."


def where() -> str:
    """The folder of the work file, from the top of the course if it can be known."""
    try:
        folder = _work.folder().resolve()
        for top in (folder, *folder.parents):
            if (top / copying.MANIFEST).exists() or (top / copying.FIRST_LESSON).exists():
                inside = folder.relative_to(top).as_posix()
                return f"in the folder {inside}" if inside != "." else "in the topmost folder"
        return f"in the folder {folder.name}"
    except (OSError, RuntimeError):
        return "if its folder can be used"


def _by_lesson(exercises):
    lessons = dict.fromkeys(exercise.lesson for exercise in exercises)
    return {lesson: [e for e in exercises if e.lesson == lesson] for lesson in lessons}


def _plain(exercises, known):
    for lesson, some in _by_lesson(exercises).items():
        yield lesson_name(lesson).capitalize()
        for exercise in some:
            entry = known.get(exercise.name, {})
            mark = "✓" if "passed" in entry else " "
            number = bank.number_of(exercise.name)
            yield (
                f"  {mark} {number:>2} {exercise.name:24} {exercise.minutes:3} min  {state(entry)}"
            )


def _table(exercises, known):
    rows = []
    for lesson, some in _by_lesson(exercises).items():
        for exercise in some:
            entry = known.get(exercise.name, {})
            kind = ' class="ukrlearn-right"' if "passed" in entry else ""
            mark = "✓ " if "passed" in entry else ""
            rows.append(
                f"<tr><td style='{STYLE}'>{_exercise_link(exercise)}</td>"
                f"<td style='{STYLE}'>{_lesson_link(lesson)}</td>"
                f"<td style='{STYLE}'>{exercise.minutes} min</td>"
                f"<td style='{STYLE}'{kind}>{mark}{html.escape(state(entry))}</td></tr>"
            )
    head = "".join(
        f"<th scope='col' style='{STYLE}'>{name}</th>"
        for name in ("Exercise", "Lesson", "Time", "You")
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
