"""Exercises that check themselves: what is right, what is not, and which mistake it is.

    check("nadaraya_watson", my_function)   says what held, what did not, and why
    hint("nadaraya_watson")                 the next hint
    reveal("nadaraya_watson")               asks twice, then shows the worked solution
    progress()                              how far you are
    save_work(), restore_work()             one zip, for machines that forget (Binder)

The exercises themselves are the notebooks in exercises/; the misconceptions that the checker knows
are in `ukrlearn.checks.bank`, one module each.
"""

import json
from pathlib import Path

from ukrlearn.checks import _diagnosing, _report, _work, bank
from ukrlearn.checks._prediction import predictions
from ukrlearn.checks._report import Report
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.course import copying
from ukrlearn.course.writing import FileProblem, kind, user_path

__all__ = [
    "Exercise",
    "Misconception",
    "Property",
    "Report",
    "Trial",
    "check",
    "hint",
    "predictions",
    "progress",
    "restore_work",
    "reveal",
    "save_work",
]


def check(name, answer, *, seed=0) -> Report:
    """Check an answer to the exercise of that name: show what was found, and return it.

    The answer runs in a copy of this process, with limits on time, memory and what it prints. There
    it can fail in any way and set what it likes: here, nothing changes. It can read files, but not
    write them, and it starts no processes. An answer that sets out to get around these limits can
    do so. On Windows, where processes can't be copied, answers run here: endless loops in Python
    are stopped, but calls of C that don't return, and crashes, stop the notebook.

    Parameters
    ----------
    name : str
    answer : callable, or what the exercise asks for
        Your function itself, not what it returns.
    seed : int
        Of the random trials. A right answer passes with any.
    """
    exercise = _exercise(name)
    if exercise is None:
        return None
    report = Report(exercise, _diagnosing.examine(exercise, answer, seed))
    _work.note_check(exercise.name, report.passed, report.diagnoses, report.findings.answer)
    _report.show(report.parts)
    return report


def hint(name):
    """Show the next hint of an exercise; after the last one, all of them again."""
    exercise = _exercise(name)
    if exercise is None:
        return
    number = len(exercise.hints)
    seen = _work.count(exercise.name, "hints", most=number)
    if seen < number:
        parts = [("title", f"Hint {seen + 1} of {number}"), ("paragraph", exercise.hints[seen])]
    else:
        parts = [("title", f"These were all {number} hints")]
        parts += [("item", text) for text in exercise.hints]
        parts += [("paragraph", f'reveal("{exercise.name}") shows a worked solution.')]
    _report.show(parts)


def reveal(name):
    """Ask twice; then show the worked solution, if this release of the course holds it."""
    exercise = _exercise(name)
    if exercise is None:
        return
    solution = worked_solution(exercise)
    if solution is None:
        where = "This release of the course holds no solutions; your instructor has them."
        _report.show([("title", exercise.title), ("paragraph", where)])
        return
    known = _work.read().get(exercise.name, {})
    left = max(0, len(exercise.hints) - known.get("hints", 0))
    asked = _work.count(exercise.name, "asked")
    again = f'To go on, run reveal("{exercise.name}") again.'
    if asked == 0:
        says = "The solution? You have read all hints; a drawing on paper often is the fourth."
        if left:
            says = f"The solution? {left} of {len(exercise.hints)} hints are still unread."
        parts = [("title", says), ("paragraph", again)]
    elif asked == 1:
        parts = [
            ("title", "Really? What you find yourself stays; what you read goes."),
            ("paragraph", again),
        ]
    else:
        parts = [
            ("title", f"{exercise.title}: a solution"),
            ("table", solution),
            ("paragraph", "Close it, wait an hour, and write it again without looking."),
        ]
        _work.note(exercise.name, revealed=True)
    _report.show(parts)


def worked_solution(exercise: Exercise):
    """The solution's code from the notebook that holds it, or None.

    That of the checkout, or one that an instructor has put into the learner's folder.
    """
    for folder in (copying.course_folder(), Path("..")):
        for path in sorted((folder / "exercises" / "solutions").glob(f"*_{exercise.name}.ipynb")):
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
            marked = [text for text in sources if "### BEGIN SOLUTION" in text]
            return "\n\n".join(_without_marks(text) for text in marked)
    return None


def _without_marks(text):
    return "\n".join(
        line for line in text.splitlines() if "### BEGIN" not in line and "### END" not in line
    )


def progress():
    """Show every exercise with what you have reached; returns (passed, of all)."""
    known = _work.read()
    rows, passed = [], 0
    for exercise in bank.exercises():
        number = bank.number_of(exercise.name)
        entry = known.get(exercise.name, {})
        passed += "passed" in entry
        rows.append(f"{'✓' if 'passed' in entry else ' '} {number:>2} {exercise.name:24} "
                    f"{exercise.minutes:3} min  {_so_far(entry)}".rstrip())  # fmt: skip
    _report.show(
        [
            ("title", f"{passed} of {len(rows)} exercises passed"),
            ("table", "\n".join(rows)),
            ("paragraph", f"Kept in {_work.FILE}, in this folder and nowhere else."),
        ]
    )
    return passed, len(rows)


def _so_far(entry):
    said = [_count(entry.get("tries"), "try", "tries"), _count(entry.get("hints"), "hint", "hints")]
    said.append("solution seen" if entry.get("revealed") else "")
    return ", ".join(filter(None, said))


def _count(number, one, many):
    return f"{number} {one if number == 1 else many}" if number else ""


def save_work(path=None):
    """Write your progress and the notebooks of this folder into one zip, to be downloaded.

    Save the notebook first (Ctrl+S): what is taken is what lies on the disk. An older zip stays.
    """
    try:
        saved = _work.save(path)
    except FileProblem as problem:
        _report.show([("title", "Nothing saved"), ("paragraph", str(problem))])
        return None
    names = ", ".join(saved.names) or "nothing yet"
    parts = [
        ("title", f"Saved: {saved.path.name}"),
        ("paragraph", f"It holds {names}. In the file browser, right-click it and Download."),
    ]
    _report.show(parts + _problems("Left out:", saved))
    return saved.path


def restore_work(path=None):
    """Bring back what `save_work` has saved. What differs here is kept beside, as *.before.*.

    Upload the zip into this folder first. Close other notebooks before, or reload them after.
    """
    try:
        path = user_path(path) if path else _work.folder() / _work.ZIP
        if not kind(path):
            raise FileProblem(
                f"There is no {path.name} here. Upload it with the file browser, then try again."
            )
        restored = _work.restore(path)
    except FileProblem as problem:
        _report.show([("title", "Nothing restored"), ("paragraph", str(problem))])
        return None
    nothing = "nothing" if restored.problems else "all of it was here already"
    parts = [("title", f"Restored: {', '.join(restored.names) or nothing}")]
    if restored.backups:
        backups = ", ".join(restored.backups)
        parts.append(("paragraph", f"What was here before is kept as {backups}."))
    if any(name.endswith(".ipynb") for name in restored.names):
        parts.append(("paragraph", "A notebook that is open: File, Reload Notebook from Disk."))
    _report.show(parts + _problems("Not restored:", restored))
    return restored.names


def _problems(title, carried):
    if not carried.problems:
        return []
    return [("paragraph", title), *(("item", problem) for problem in carried.problems)]


def _exercise(name):
    """The exercise, or None after saying that there is none of that name."""
    exercise = bank.find(name)
    if exercise is None:
        near = _diagnosing.nearest_names(name, bank.NAMES)
        says = f"There is no exercise named {name!r}."
        says += f" Do you mean {' or '.join(map(repr, near))}?" if near else ""
        _report.show([("title", says), ("paragraph", f"There are: {', '.join(bank.NAMES)}.")])
    return exercise
