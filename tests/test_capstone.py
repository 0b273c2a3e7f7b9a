"""A file of one's own from the answers that passed: what it holds, and how it does in the race."""

import inspect
import linecache
import runpy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tools import fresh
from ukrlearn import checks
from ukrlearn.checks import _collecting, _racing, _work, bank

PIECES = _collecting.pieces()
FILE = Path("my_ukr.py")


@pytest.fixture(autouse=True)
def work(tmp_path, monkeypatch):
    """A learner's folder, and a race on the spiral alone."""
    monkeypatch.delenv("UKRLEARN_WORK")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_racing, "races", lambda seed, all=_racing.races: [*all(seed)][:1])


def hand_in(answer, of):
    _work.note_check(of, True, [], inspect.getsource(answer), _collecting.piece(answer))


def hand_in_all(*but):
    """What a stranger has handed in, as if checked in a notebook; all of it passes elsewhere."""
    for exercise in {*PIECES.values()} - {*but}:
        hand_in(fresh.answers("first", exercise).RIGHT[-1], of=exercise)


def collected():
    checks.collect()
    return FILE.read_text()


def test_the_answers_of_a_stranger_become_a_file_that_keeps_up_with_the_library():
    hand_in_all()
    text = collected()
    assert "missing" not in text and "ukrlearn" not in text
    report = checks.check("my_ukr")
    for says in "The spiral: it keeps up with the library.", "now your own CSV":
        assert report.passed and says in report.text, report.text
    assert [ax.get_title()[12:] for ax in report.figure.figure.axes] == ["yours", "the library’s"]


def test_a_missing_or_wrong_piece_is_found_by_name(capsys):
    hand_in_all("gradient_matrix")
    for function, says in _collecting.missing(_collecting.BARE.read_text()).items():
        exercise = PIECES[function]
        assert (
            says == f"{function} is missing: pass exercise {bank.number_of(exercise)}, {exercise}."
        )
    says = "gradient_as_matrix is missing: pass exercise 10, gradient_matrix."
    text = collected()
    assert "6 of 7 pieces" in (told := capsys.readouterr().out) and says in told
    with pytest.raises(NotImplementedError, match=says):
        runpy.run_path(FILE)["gradient_as_matrix"](None, None)
    FILE.write_text(text + "\n\ndef density(x, X, h):\n    return 0 * x[:, 0]\n")
    report = checks.check("my_ukr")
    assert report.diagnoses == ("density", "gradient_as_matrix")
    for told in "density must pass exercise 2, latent_density.", says:
        assert told in " ".join(report.text.split())


def test_an_edited_file_is_kept_and_one_that_only_grows_is_not(capsys):
    collected()
    hand_in_all("rprop")
    grown = collected()
    assert [*Path().glob("my*")] == [FILE]
    FILE.write_text(grown + "# mine\n")
    assert collected() == grown
    assert Path("my_ukr.before.py").read_text() == grown + "# mine\n"
    assert "it is now my_ukr.before.py" in " ".join(capsys.readouterr().out.split())


def test_what_is_borrowed_slow_or_worse_is_told(monkeypatch):
    assert checks.check("my_ukr").diagnoses == ("no_file",)
    hand_in_all()
    text = collected()
    monkeypatch.setattr(_collecting, "pieces", dict)  # they are looked at above
    monkeypatch.setattr(_racing, "RACE", replace(_racing.RACE, seconds=5))
    for more, diagnosis, says in (
        ("\nimport ukrlearn.estimators\n", "library", "`import ukrlearn.estimators` takes it"),
        (
            "\nfit = lambda Y, *_: sys.modules['ukrlearn'].UKR(1).fit(Y)\n",
            "library",
            "but fit calls it.",
        ),
        ("\nfit = lambda *_: (1, abs, abs)\n", "shape", "must give X, f and F within 5 sec"),
        ("\n1 +", "raises", "must run from top to bottom. Python says: SyntaxError"),
        ("\ndef fit(*_):\n    while True:\n        pass", "endless", "within 5 seconds of"),
        ("\nstart = lambda Y, q: Y[:, :q]\n", "spiral", "The spiral: your error must be at most"),
    ):
        FILE.write_text(text + more)
        report = checks.check("my_ukr")
        assert (report.diagnoses, report.passed) == ((diagnosis,), False), report.text
        assert says in " ".join(report.text.split()), report.text


def test_helpers_constants_and_imports_come_along_under_names_of_their_own():
    scope = {"__name__": "notebook", "np": np, "TWO": 2.0, "exp": np.exp, "k": 7}
    for name, source in {
        "latent_density": "def bump(t, h):\n    return exp(-t / (TWO * h**2))\n\n\n"
        "def p(x, X, h):\n    k = bump(np.sum((x[:, None] - X) ** 2, axis=2), h)\n"
        "    return k.mean(axis=1)\n",
        "leave_one_out": "def bump(t):\n    return 0 * t\n\n\np = lambda X, Y: bump(Y).sum()\n",
    }.items():
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        exec(compile(source, name, "exec"), scope)
        hand_in(scope["p"], of=name)
    text = collected()
    assert "from numpy import exp\n" in text and "TWO = 2.0\n" in text and "k = 7" not in text
    file, x = runpy.run_path(FILE), np.arange(3.0)[:, None]
    np.testing.assert_allclose(file["density"](x[:1], x, 1.0), np.mean(np.exp(-(x[:, 0] ** 2) / 2)))
    assert file["leave_one_out_error"](x, x) == 0
