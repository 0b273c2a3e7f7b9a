"""Every exercise against a bank of answers: right ones pass, wrong ones are told which mistake."""

import contextlib
import dataclasses
import functools
import importlib
import io
import json
import linecache
import os
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
from answers import diagnoses
from helpers import each

from tools import fresh
from ukrlearn.checks import _calling, _diagnosing, _report, bank
from ukrlearn.checks._apart import apart, here
from ukrlearn.checks._calling import copied
from ukrlearn.checks._comparing import nudged, same
from ukrlearn.course import copying

ROOT = Path(__file__).resolve().parent.parent
ALL_SOURCES = sorted((ROOT / "exercises").glob("*.py"))
SOURCES = [  # without these two nothing can be tried; the first test tells
    path
    for path in ALL_SOURCES
    if (name := path.stem.partition("_")[2]) in bank.NAMES
    and (ROOT / "tests/answers" / f"{name}.py").exists()
]
NAMES = [path.stem.partition("_")[2] for path in SOURCES]
SEEDS = range(5)
FEWEST_EXERCISES = 16
FEWEST_MISCONCEPTIONS = 6
FEWEST_RIGHT = 3
FEWEST_WRONG = 6


def answers(name):
    return importlib.import_module(f"answers.{name}")


@functools.cache
def rehearsed(name):
    """The exercise, which makes its trials once for each seed: answers are given copies of them."""
    exercise = bank.find(name)
    return dataclasses.replace(exercise, trials=functools.cache(exercise.trials))


class Kept:
    """An answer of ours that remembers its results: a hundred others are compared with them."""

    def __init__(self, answer):
        self._answer, self._results = answer, {}

    def __call__(self, *given):
        key = tuple((v.shape, v.tobytes()) if isinstance(v, np.ndarray) else v for v in given)
        if key not in self._results:
            try:
                self._results[key] = self._answer(*given), None
            except Exception as error:  # some mistakes stop at some trials
                self._results[key] = None, error
        value, error = self._results[key]
        if error is not None:
            raise error
        return value

    def __getattr__(self, name):  # made, exchanged, values
        return getattr(self._answer, name)


@functools.cache
def remembering(name):
    """The same exercise, whose right answer and mistakes are computed once for each trial."""
    exercise = rehearsed(name)
    known = [dataclasses.replace(m, mistaken=Kept(m.mistaken)) for m in exercise.misconceptions]
    right = exercise.reference and Kept(exercise.reference)
    return dataclasses.replace(exercise, reference=right, misconceptions=tuple(known))


def examined(name, answer, seed=0, run=here):
    """What is found, without a word on the screen.

    The thousands of answers of the bank are ours and run in this process, which takes a third of
    the time. The checks in the notebooks, and two answers to each exercise, run where a learner's
    do.
    """
    return _diagnosing.examine(remembering(name), answer, seed, run)


@functools.cache
def first_of(name, kind):
    """The first answer of the bank of this kind, RIGHT or WRONG, and what is found in it here.

    Two tests ask for it: what is told, and whether a copy tells the same.
    """
    first = getattr(answers(name), kind)[0]
    answer = first[1] if kind == "WRONG" else first
    return answer, examined(name, answer)


def code_cells(path):
    return [cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]


def exercise_cells(source, kind):
    folder = source.parent / "solutions" if kind == "solution" else source.parent
    return code_cells(folder / f"{source.stem}.ipynb")


def run(cells):
    """Run the cells of a notebook here; (its names, what it said)."""
    scope, said = {"__name__": "notebook"}, io.StringIO()
    with contextlib.redirect_stdout(said):
        for number, cell in enumerate(cells):
            _run_cell(cell, f"<cell {number} of {id(scope)}>", scope)
    return scope, said.getvalue()


def _run_cell(cell, filename, scope):
    """As a kernel does it: the source can be looked up by inspect."""
    linecache.cache[filename] = (len(cell), None, cell.splitlines(True), filename)
    exec(compile(cell, filename, "exec"), scope)


# ---- what there is ------------------------------------------------------------------------------


def test_every_exercise_has_a_source_a_checker_and_answers():
    assert len(NAMES) >= FEWEST_EXERCISES
    assert ALL_SOURCES == SOURCES
    assert list(bank.NAMES) == NAMES
    numbers = [path.stem.partition("_")[0] for path in SOURCES]
    assert len(set(numbers)) == len(numbers)
    assert all(re.fullmatch(r"\d\d[a-z]?", number) for number in numbers)
    assert {path.stem for path in (ROOT / "tests/answers").glob("[!_]*.py")} == set(NAMES)


def test_an_inserted_exercise_renumbers_nothing(tmp_path, monkeypatch):
    (tmp_path / "exercises").mkdir()
    for stem in ("02_quartic", "01b_affinity", "01_rprop"):
        (tmp_path / "exercises" / f"{stem}.ipynb").touch()
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(copying, "course_folder", lambda: tmp_path)
        importlib.reload(bank)
    try:
        assert bank.NAMES[:3] == ("rprop", "affinity", "quartic")
        assert [bank.number_of(name) for name in bank.NAMES[:4]] == ["1", "1b", "2", ""]
        assert set(bank.NAMES) == set(NAMES)  # those without a notebook come last
    finally:
        importlib.reload(bank)


@pytest.mark.parametrize("name", NAMES)
def test_an_exercise_is_complete(name):
    exercise = bank.find(name)
    assert exercise.name == name
    assert (ROOT / "notebooks" / f"{exercise.lesson}.ipynb").exists()
    assert len(exercise.hints) == 3
    assert len(exercise.misconceptions) + len(exercise.properties) >= FEWEST_MISCONCEPTIONS
    ids = [one.id for one in (*exercise.misconceptions, *exercise.properties)]
    assert len(set(ids)) == len(ids)
    assert len(answers(name).RIGHT) >= FEWEST_RIGHT
    assert len(diagnoses(answers(name))) >= FEWEST_WRONG
    assert set(getattr(answers(name), "EQUAL", ())) <= {one.id for one in exercise.misconceptions}


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_the_text_of_an_exercise_follows_the_template(source):
    exercise = bank.find(source.stem.partition("_")[2])
    cells = nbformat.read(source.with_suffix(".ipynb"), 4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert re.findall(r"^# (.*)", text, re.M)[0].startswith(
        f"Exercise {bank.number_of(exercise.name)}: "
    )
    assert len(re.findall(r"^# ", text, re.M)) == 1
    for part in ("**Afterwards you can**", "**You need**", "**Time**"):
        assert part in text, part
    assert int(re.search(r"\*\*Time\*\*\s+(\d+)", text)[1]) == exercise.minutes
    assert f"../notebooks/{exercise.lesson}.ipynb" in text
    assert "hint(" in text and "reveal(" in text and "progress()" in text
    for target in re.findall(r"\]\(([^)#]+\.ipynb)", text):
        assert (source.parent / target).exists(), target


# ---- what is said of a wrong answer -------------------------------------------------------------

ABOUT_NUMBERS = ("values", "located", "approximate")  # said only where nothing explains the numbers


def assert_consistent(name, findings):
    """Nothing that is said of an answer excludes anything else, and all of it can be read."""
    exercise = bank.find(name)
    ids = [problem.id for problem in findings.problems]
    says = " ".join(problem.says for problem in findings.problems)
    assert len(set(ids)) == len(ids)
    lacking = {p.says for p in exercise.properties if p.id in ids}
    assert not lacking & set(findings.held)
    for alone in ("verything else is right", "exactly your num"):
        if alone in says:
            assert not set(ids) & set(ABOUT_NUMBERS), (alone, ids)
            assert not {p.id for p in exercise.properties} & set(ids), (alone, ids)
    words = getattr(exercise.stages, "words", {})
    seen = next((p.says for p in findings.problems if p.id == "located"), "").partition(" Not f")[0]
    for m in exercise.misconceptions:
        if m.id in ids and "located" in ids:
            exchanged = getattr(m.mistaken, "exchanged", {})
            assert not [part for part in exchanged if f"{words.get(part)} (`" in seen], (m.id, seen)
    lines = _report.Report(exercise, findings).text.splitlines()
    assert len(lines) <= _report.MOST_LINES, "\n".join(lines)


# ---- right answers, wrong answers ---------------------------------------------------------------


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_the_solution_passes_with_every_seed(source):
    name = source.stem.partition("_")[2]
    cells = exercise_cells(source, "solution")
    scope, _ = run([cell for cell in cells if "report.passed" not in cell])
    assert scope["report"].passed, scope["report"].text
    answer = scope[submitted(cells, name)]
    for seed in SEEDS:
        findings = examined(name, answer, seed, here if seed else apart)
        assert findings.passed, findings.problems


def submitted(cells, name):
    """The name of what a notebook hands in."""
    (found,) = set(re.findall(rf'check\("{name}", (\w+)\)', "\n".join(cells)))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_honest_rewrites_are_accepted(name, record_property):
    rejected, right = [], answers(name).RIGHT
    for number, answer in enumerate(right):
        for seed in SEEDS:
            is_first = number == seed == 0
            found = first_of(name, "RIGHT")[1] if is_first else examined(name, answer, seed)
            if not found.passed:
                rejected.append((number, found.problems))
                break
    record_property("exercise", (name, "right", len(right), len(right) - len(rejected), 0))
    assert not rejected


def told(name, findings, diagnosis):
    """Whether a wrong answer is rejected, and what is wrong with what is said of it."""
    ids = [problem.id for problem in findings.problems]
    fault = "" if ids[:1] == [diagnosis] else f"expected {diagnosis}, found {ids}"
    try:
        assert_consistent(name, findings)
    except AssertionError as inconsistent:
        fault += f" inconsistent: {inconsistent}"
    return not findings.passed, fault


def judge(name, verdicts, record_property):
    """Keep the sums for the matrix, and tell of all that were not told their mistake first."""
    rejected = sum(rejected for _, rejected, _ in verdicts)
    faults = [f"{which}: {fault}" for which, _, fault in verdicts if fault]
    numbers = len(verdicts), rejected, len(verdicts) - len(faults)
    record_property("exercise", (name, "wrong", *numbers))
    assert not faults, "\n".join(faults)
    assert rejected == len(verdicts)


@pytest.mark.parametrize("name", NAMES)
def test_wrong_answers_are_told_their_mistake_first(name, record_property):
    verdicts = []
    for number, (diagnosis, wrong) in enumerate(answers(name).WRONG):
        # Two seeds for all would take a minute more.
        found = examined(name, wrong, number % 2) if number else first_of(name, "WRONG")[1]
        verdicts.append((f"WRONG[{number}]", *told(name, found, diagnosis)))
    judge(name, verdicts, record_property)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="answers run in the kernel itself")
@each("kind", ["RIGHT", "WRONG"])
@each("name", NAMES)
def test_answers_of_the_bank_are_told_the_same_in_a_copy(name, kind):
    answer, found = first_of(name, kind)
    there, those = (
        [[(p.id, p.says) for p in f.problems], f.held, f.notes]
        for f in (examined(name, answer, run=apart), found)
    )
    assert there == those


# Answers that strangers wrote from the notebooks alone: a sample, one set for each exercise.
# `python tools/fresh.py SET` looks at all of them.
SAMPLE = {name: fresh.SETS[number % len(fresh.SETS)] for number, name in enumerate(NAMES)}


@pytest.mark.parametrize("name", [name for name in NAMES if name in fresh.names(SAMPLE[name])])
def test_answers_of_strangers_are_judged_as_they_were(name):
    which = SAMPLE[name]
    given, judged = fresh.answers(which, name), fresh.verdicts()[which][name]
    for answer in given.RIGHT:
        assert examined(name, answer).passed, answer.__name__
    random = np.random.default_rng(len(name))
    for number in random.choice(len(given.WRONG), 2, replace=False):
        found = examined(name, given.WRONG[number][0])
        assert not found.passed
        assert set(fresh.first_ids(found)) == set(judged[number]["first"]), (
            "The verdict is out of date: judge anew, see fresh.py"
        )


@pytest.mark.parametrize("name", NAMES)
def test_misconceptions_are_diagnosed_as_themselves(name, record_property, monkeypatch):
    # Mistakes of ours come to an end, so that no thread need watch their time.
    monkeypatch.setattr(_calling, "within", lambda seconds, function, *given: function(*given))
    exercise = bank.find(name)
    verdicts = []
    for mistake in exercise.misconceptions:
        # Wrapped: a function of ukrlearn would be recognised as the library's. It rounds otherwise,
        # as another processor does, or another way to write the same.
        if exercise.is_value:
            answer = mistake.mistaken(**exercise.trials(0)[0].arguments)
        else:
            names = {"like": mistake.mistaken, "rounded": rounded}
            answer = eval("lambda *given: like(*rounded(given))", names)
        verdicts.append((mistake.id, *told(name, examined(name, answer), mistake.id)))
    judge(name, verdicts, record_property)


def rounded(given):
    return nudged(dict(enumerate(given))).values()


@pytest.mark.parametrize("name", [name for name in NAMES if not bank.find(name).is_value])
def test_no_trial_has_ties_or_values_at_a_rounding_border(name, monkeypatch):
    """What another order of equal numbers would change, or the last digits of the arguments."""
    exercise, ties = rehearsed(name), []

    def backwards(a, axis=-1, kind=None, **options):
        """An order in which equal numbers stand in the opposite one: nobody promises which."""
        order = argsort(a, axis=axis, kind="stable")
        if kind is not None or options:
            return order
        values = np.take_along_axis(np.ravel(a) if axis is None else np.asarray(a), order, axis)
        if not np.any(np.diff(values, axis=axis or 0) == 0):
            return order
        ties.append(values)
        last = np.shape(values)[axis or 0] - 1
        return last - argsort(np.flip(a, axis), axis=axis, kind="stable")

    def results(answer, arguments):
        try:
            with np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
                parts = exercise.parts(answer(*copied(arguments).values()))
            return [exercise.compared(*p) for p in zip(exercise.returns, parts, strict=True)]
        except Exception:  # wrong answers may stop
            return []

    def agree(one, other):
        return len(one) == len(other) and all(map(same, one, other))

    argsort = np.argsort
    known = [m.mistaken for m in exercise.misconceptions]
    known += [wrong for diagnosis, wrong in answers(name).WRONG if diagnosis != "endless"]
    for trial in exercise.trials(0):
        if exercise.reference is not None:
            right = results(exercise.reference, trial.arguments)
            assert agree(right, results(exercise.reference, nudged(trial.arguments))), trial.label
        for answer in (exercise.reference or known[0], *known):
            with monkeypatch.context() as patched:
                patched.setattr(np, "argsort", backwards)
                ties.clear()
                other = results(answer, trial.arguments)
            if ties:
                assert agree(results(answer, trial.arguments), other), (trial.label, answer)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_the_empty_exercise_fails_and_says_what_to_do(source):
    cells = exercise_cells(source, "learner")
    scope, said = run(cells)  # from the first cell to the last, and nothing raises
    report = scope["report"]
    assert not report.passed
    assert report.diagnoses[0] in ("not_started", "returns_nothing"), report.text
    assert "not yet" in said and "Traceback" not in said


@pytest.mark.parametrize("name", NAMES)
def test_hints_and_diagnoses_are_sentences(name):
    exercise = bank.find(name)
    said = [*exercise.hints, *(m.says for m in exercise.misconceptions)]
    said += [text for p in exercise.properties for text in (p.says, p.otherwise)]
    for text in said:
        assert text[0].isupper() or not text[:2].isalpha(), text  # "f(x) is ..."
        assert text.rstrip()[-1] in ".?!):`", text
        assert "  " not in text and len(text) > 20, text


# ---- nothing leaks ------------------------------------------------------------------------------


def solution_lines(source):
    """Lines of code that stand between the marks of a solution and say something."""
    found = []
    for cell in exercise_cells(source, "solution"):
        for region in re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", cell, re.S):
            found += [line.strip() for line in region.splitlines()]
    return [line for line in found if len(line) > 12 and line[0] != "#" and line[-1] != "("]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_no_line_of_a_solution_is_in_the_learners_notebook(source):
    lines = solution_lines(source)
    assert lines
    text = json.dumps(nbformat.read(source.with_suffix(".ipynb"), 4))
    for line in lines:
        assert json.dumps(line)[1:-1] not in text, line
    assert "SOLUTION" not in text


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_stub_and_solution_differ_only_where_the_solution_stands(source):
    learner, solution = exercise_cells(source, "learner"), exercise_cells(source, "solution")
    region = re.compile(r"### BEGIN SOLUTION\n.*?### END SOLUTION", re.S)
    assert [region.sub("...", cell) for cell in solution] == learner
    assert sum("### BEGIN SOLUTION" in cell for cell in solution) >= 1


def test_the_course_folder_of_a_learner_holds_no_solution(tmp_path):
    copying.copy_course(ROOT, tmp_path)
    copied = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len([path for path in copied if path.parent.name == "exercises"]) == len(SOURCES)
    everything = "\n".join(path.read_text(encoding="utf-8") for path in copied)
    assert "### BEGIN SOLUTION" not in everything
    assert not any("solutions" in path.parts for path in copied)


# ---- the bank -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_first_trial_can_be_read_by_hand_and_sizes_differ(name):
    exercise = bank.find(name)
    trials = exercise.trials(0)
    assert all(np.size(v) <= 16 for v in trials[0].arguments.values() if not callable(v))
    if exercise.is_value:
        return
    assert len(trials) >= 4
    assert all(list(t.arguments) == list(exercise.shapes) for t in trials)
    again, others = exercise.trials(0), exercise.trials(1)
    assert all(equal_arguments(a, b) for a, b in zip(trials, again, strict=True))
    assert not all(equal_arguments(a, b) for a, b in zip(trials, others, strict=True))


def equal_arguments(one, other):
    return all(
        callable(a) or np.array_equal(a, b)
        for a, b in zip(one.arguments.values(), other.arguments.values(), strict=True)
    )


@pytest.mark.parametrize("name", [name for name in NAMES if bank.find(name).addends])
def test_addends_add_up(name):
    exercise = bank.find(name)
    for trial in exercise.trials(3):
        whole = exercise.reference(**trial.arguments)
        whole = whole[0] if isinstance(whole, tuple) else whole
        assert same(sum(exercise.addends(**trial.arguments).values()), whole)
