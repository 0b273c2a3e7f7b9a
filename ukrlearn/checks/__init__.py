"""Exercises that check themselves: what is right, what is not, and which mistake it is.

    check("nadaraya_watson", my_function)   says what held, what did not, and why
    hint("nadaraya_watson")                 the next hint
    reveal("nadaraya_watson")               asks twice, then shows the worked solution
    progress()                              how far you are, and what comes next
    review()                                questions about what you have learnt, when they are due
    collect()                               your right answers as one file, my_ukr.py
    check("my_ukr")                         which fits three data sets, beside the library
    save_work(), restore_work()             one zip, for machines that forget (Binder)
    concept_test("ukr", "A")                twelve questions on a paper; export_concept_test()
    contribute_attempts()                   wrong answers without a name, to improve the checks

The exercises themselves are the notebooks in exercises/; the misconceptions that the checker knows
are in `ukrlearn.checks.bank`, one module each with a Markdown file of texts.
"""

import json
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ukrlearn.checks import (
    _app,
    _collecting,
    _diagnosing,
    _exam,
    _map,
    _report,
    _review,
    _work,
    bank,
)
from ukrlearn.checks._concepts import ConceptTest as concept_test
from ukrlearn.checks._prediction import predictions
from ukrlearn.checks._report import Report
from ukrlearn.checks._sharing import contribute_attempts, export_concept_test
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
    "collect",
    "concept_test",
    "contribute_attempts",
    "export_concept_test",
    "hint",
    "points",
    "predictions",
    "progress",
    "restore_work",
    "reveal",
    "review",
    "save_work",
]


def check(name, answer=None, *, seed=0, trace=False, predict=False) -> Report:
    """Check an answer to the exercise of that name: show what was found, and return it.

    The answer runs in a copy of this process, with limits on processor time, memory and what it
    prints. There it can fail in any way and set what it likes: here, nothing changes. It can read
    files, but not write them, and it starts no programs: so Linux itself sees to it, where its
    kernel has Landlock, but elsewhere an answer that sets out to get around that can do so. On
    Windows, where processes can't be copied, answers run here: endless loops in Python are stopped,
    but calls of C that don't return, and crashes, stop the notebook.

    Parameters
    ----------
    name : str
        Of an exercise; or "my_ukr", the file that `collect` has written.
    answer : callable, or what the exercise asks for
        Your function itself, not what it returns. A file needs none.
    seed : int
        Of the random trials. A right answer passes with any.
    trace : bool
        For who maintains the checker: show as well which rules of diagnosis were asked, in their
        order, and what each has found.
    predict : bool
        Whether the example keeps back what your function gives: predict it, then ask for a hint.
    """
    if isinstance(name, str) and name == _collecting.NAME:
        from ukrlearn.checks import _racing  # loads estimators and figures

        return _racing.judged(seed)
    exercise = _exercise(name, answer)
    if exercise is None:
        return None
    report = _examined(exercise, answer, seed, trace, predict)
    if _report.is_shown_in_notebook():
        _show_with_buttons(report, answer, seed, predict)
    else:
        _report.show(report.parts)
    return report


def _examined(exercise, answer, seed, trace=False, predict=False):
    """A report, noted as one try."""
    findings = _diagnosing.examine(exercise, answer, seed)
    then = _map.following(exercise.name) if findings.passed else ()
    report = Report(exercise, findings, _exam.most(), trace, then, predict)
    piece = _collecting.piece(answer) if report.passed else ""
    source = report.findings.answer
    _work.note_check(exercise.name, report.passed, report.diagnoses, source, piece)
    _latest[exercise.name] = report
    return report


_latest = {}  # the last report on each exercise, whose steps `hint` shows


def _show_with_buttons(report, answer, seed, predict):
    exercise = report.exercise
    current, called = _app.latest(answer)

    def again():
        parts = _examined(exercise, current(), seed, predict=predict).parts
        if called:
            says = f"Checked: `{called}` as its cell was last run."
            return [*parts, ("paragraph", says)]
        return parts

    helps = {} if _exam.is_on() else {"Next hint": hint, "Solution": reveal}
    helps = {text: partial(give, exercise.name) for text, give in helps.items()}
    _app.show(report.parts, again, helps, {"Show progress": progress, "Save work": save_work})


def hint(name):
    """Show the next hint of an exercise; after the last one, all of them again.

    After a check that quotes a line, the first are about this line: the cause, then the repair.
    A cell that runs again shows the same hint again: the next comes with the button, or in a new
    cell.
    """
    exercise = _exercise(name)
    if exercise is None or _exam.refuses("hints"):
        return
    number, place = len(exercise.hints), _app.place()
    if name in _latest and (step := _latest[name].next_step(place)):
        _report.show(step)
        return
    seen = _work.count(exercise.name, "hints", most=number, place=place)
    if seen < number:
        parts = [("title", f"Hint {seen + 1} of {number}"), ("paragraph", exercise.hints[seen])]
        if place and seen + 1 < number:
            where = "The button Next hint below the check gives the next, or the same call in a new"
            parts.append(("paragraph", f"{where} cell. This cell keeps this one."))
    else:
        parts = [("title", f"These were all {number} hints")]
        parts += [("item", text) for text in exercise.hints]
        parts += [("paragraph", f'reveal("{exercise.name}") shows a worked solution.')]
    _report.show(parts)


def reveal(name):
    """Ask twice; then show the worked solution, if this release of the course holds it.

    As with hints, a cell that runs again shows the same again.
    """
    exercise = _exercise(name)
    if exercise is None or _exam.refuses("solutions"):
        return
    solution = worked_solution(exercise)
    if solution is None:
        where = "This release of the course holds no solutions; your instructor has them."
        _report.show([("title", exercise.title), ("paragraph", where)])
        return
    known = _work.read().get(exercise.name, {})
    left = max(0, len(exercise.hints) - known.get("hints", 0))
    place = _app.place()
    asked = _work.count(exercise.name, "asked", place=place)
    again = f'To go on, run reveal("{exercise.name}") again.'
    if place:
        again = again.replace(" again.", " in a new cell, or press Solution below the check.")
    elif _report.is_collecting():
        again = "To go on, press Solution again."
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


def points(name, answer, *, seeds=(0,)) -> float:
    """The points of an answer, for the cells that nbgrader grades; shows the worst report, too.

    They are a share of the exercise's points: the mean of `Report.score` over the seeds. Nothing is
    noted as a try.
    """
    exercise = _exercise(name)
    if exercise is None:
        return 0.0
    reports = [Report(exercise, _diagnosing.examine(exercise, answer, seed)) for seed in seeds]
    worst = min(reports, key=lambda report: report.score)
    earned = round(exercise.points * sum(r.score for r in reports) / len(reports), 3)
    title = ("title", f"Points: {earned:g} of {exercise.points}")
    _report.show([*worst.parts, title, *(("item", line) for line in worst.findings.rubric)])
    return earned


class Progress(NamedTuple):
    """How many have passed, of how many. Shown already: the end of a cell shows nothing."""

    passed: int
    of_all: int

    def _ipython_display_(self):
        pass


def progress():
    """Show all exercises with what you have reached and what comes next; (passed, of all)."""
    known, exercises = _work.read(), bank.exercises()
    _report.show([*_map.parts(exercises, known), *_review.standing(_work.read_predictions())])
    return Progress(sum("passed" in known.get(e.name, {}) for e in exercises), len(exercises))


def review(lesson="", *, today=""):
    """Ask what is due `today`: five questions, or three of earlier lessons where one opens."""
    return _review.Review(lesson, today)


def collect():
    """Write the answers that have passed into one file of your own, my_ukr.py, which fits data.

    It takes exercises 1, 2, 7 and 10 to 13. A piece that has not passed is marked, and calling it
    names its exercise. Run it again with each answer that passes: a file that you have edited is
    kept, as my_ukr.before.py.
    """
    known, path = _work.read(), _collecting.path()
    text, pieces = _collecting.assembled(known), _collecting.pieces()
    try:
        kept = _collecting.collected(text)
    except FileProblem as problem:
        _report.show([("title", "Nothing collected"), ("paragraph", str(problem))])
        return None
    missing = _collecting.missing(text)
    number = len(pieces) - len(missing)
    parts = [("title", f"{path.name}: {number} of {len(pieces)} pieces are yours")]
    for function, says in missing.items():
        if "passed" in known.get(pieces[function], {}):
            says += " It has passed, but its code was not kept: check a function made by def."
        parts.append(("item", says))
    if kept:
        parts.append(("paragraph", f"You had edited the file. As it was, it is now {kept.name}."))
    says = f'It lies {_map.where()}. check("{_collecting.NAME}") fits three data sets with it.'
    _report.show([*parts, ("paragraph", says)])
    return Saved(path)


class Saved(type(Path())):
    """A path that was shown already: the end of a cell shows nothing."""

    def _ipython_display_(self):
        pass


class Restored(list):
    """Names that were shown already: the end of a cell shows nothing."""

    def _ipython_display_(self):
        pass


def save_work(path=None):
    """Write your progress and the notebooks of this folder into one zip, to be downloaded.

    Save the notebook first (Ctrl+S): what is taken is what lies on the disk. Where that is not what
    was checked last, it says so. An older zip stays.
    """
    try:
        saved = _work.save(path)
    except FileProblem as problem:
        _report.show([("title", "Nothing saved"), ("paragraph", str(problem))])
        return None
    names = ", ".join(saved.names) or "nothing yet"
    parts = [
        ("title", f"Saved: {saved.path.name}"),
        ("paragraph", f"It holds {names}."),
        (
            "paragraph",
            f"It lies {_map.where()}; on this machine, that is {saved.path.resolve()}. In the file "
            "browser, right-click it and Download.",
        ),
        (
            "paragraph",
            f"On another machine: put it into the same folder, run "
            f"{_restoring(saved.path.name)} in any notebook there, and it is all back.",
        ),
    ]
    parts += _unsaved() if _report.in_notebook() else []
    _report.show(parts + _problems("Left out:", saved))
    return Saved(saved.path)


def _unsaved():
    """A request to save the notebook, where the answers that were checked are not on the disk."""
    checked = {
        name: entry["answer"]
        for name, entry in _work.read().items()
        if "answer" in entry and not getattr(bank.find(name), "is_value", True)
    }
    missing = _work.in_no_notebook(checked)
    if not missing:
        return []
    return [
        (
            "paragraph",
            f"The notebooks in it do not hold what you checked last for {', '.join(missing)}: save "
            "the notebook (Ctrl+S), then run save_work() again. Until then, the answers as they "
            f"were checked are in {_work.FILE} only.",
        )
    ]


def _restoring(name):
    call = "restore_work()" if name == _work.ZIP else f'restore_work("{name}")'
    return f"`from ukrlearn.checks import restore_work; {call}`"


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
    return Restored(restored.names)


def _problems(title, carried):
    if not carried.problems:
        return []
    return [("paragraph", title), *(("item", problem) for problem in carried.problems)]


def _exercise(name, answer=None):
    """The exercise, or None after saying what there is instead of one of that name."""
    exercise = bank.find(name) if isinstance(name, str) else None
    if exercise is not None:
        return exercise
    says, and_then = f"There is no exercise named {name!r}.", f"There are: {', '.join(bank.NAMES)}."
    numbered = [known for known in bank.NAMES if bank.number_of(known) == str(name)]
    if callable(name):
        known = answer if answer in bank.NAMES else "NAME"
        says = f'The name comes first, then your function: check("{known}", {_called(name)}).'
    elif numbered:
        says = f'Exercise {name} is asked for by its name, "{numbered[0]}".'
        if callable(answer):
            and_then = f'So: check("{numbered[0]}", {_called(answer)}).'
    elif near := _diagnosing.nearest_names(name, bank.NAMES):
        says += f" Do you mean {' or '.join(map(repr, near))}?"
    _report.show([("title", says), ("paragraph", and_then)])
    return None


def _called(function):
    return getattr(function, "__name__", "my_function")
