"""Partial credit: what is right counts, what zeros would get does not, and rules hold."""

import numpy as np
import pytest

from ukrlearn import checks
from ukrlearn.blocks import kernel_regression
from ukrlearn.checks import _scoring, bank
from ukrlearn.checks.exercise import Exercise, Property, Trial


@pytest.fixture(autouse=True)
def work(tmp_path, monkeypatch):
    monkeypatch.setenv("UKRLEARN_WORK", str(tmp_path))
    return tmp_path


def toy(**other):
    """The shares of the entries of each row: four trials with right values, and one of zeros."""

    def trials(seed):
        random = np.random.default_rng(seed)
        made = [Trial(f"N = {N}", dict(Y=random.uniform(1, 2, (N, 3)), c=1.0)) for N in (2, 3, 4)]
        made.append(Trial("c = 5", dict(Y=random.uniform(1, 2, (3, 3)), c=5.0)))
        return [*made, Trial("c = 0", dict(Y=random.uniform(1, 2, (3, 3)), c=0.0))]

    given = dict(
        name="toy",
        title="Shares",
        lesson="01_kernel_regression",
        equations="",
        minutes=1,
        shapes={"Y": "N d", "c": ""},
        returns={"shares": "N d"},
        trials=trials,
        reference=lambda Y, c: c * Y / Y.sum(axis=1, keepdims=True),
        properties=(
            Property("sum", "They sum to c.", "They don't.", lambda P, Y, c: sums_to(P, c)),
            Property("finite", "No nan.", "nan.", lambda P, Y, c: bool(np.isfinite(P).all())),
        ),
        hints=("One.",),
        points=4,
    )
    return Exercise(**{**given, **other})


def sums_to(P, c):
    return np.allclose(P.sum(axis=1), c)


@pytest.fixture
def added(monkeypatch):
    def add(**other):
        monkeypatch.setitem(bank._added, "toy", toy(**other))

    add()
    return add


def score(answer):
    report = checks.check("toy", answer)
    assert report.passed == (report.score == 1)
    return report.score


def right(Y, c):
    return c * Y / Y.sum(axis=1, keepdims=True)


def factor_forgotten(Y, c):
    return Y / Y.sum(axis=1, keepdims=True)


def equal(Y, c):
    return np.full(Y.shape, c / 3)


def changes(Y, c):
    Y /= Y.sum(axis=1, keepdims=True)
    return c * Y


def raises_later(Y, c):
    if c == 5:
        raise KeyError("c")
    return right(Y, c)


ANSWERS = {
    "right": (right, 1.0),
    # 3 of the 4 trials whose right values are not zero; the sum fails, and finite counts nowhere
    "a trial wrong": (factor_forgotten, 0.75 * 3 / 4),
    "a property alone": (equal, 0.25),
    "zeros": (lambda Y, c: np.zeros(Y.shape), 0.0),
    "nan": (lambda Y, c: np.full(Y.shape, np.nan), 0.0),
    "another shape": (lambda Y, c: Y[0], 0.0),
    "nothing": (lambda Y, c: None, 0.0),
    "a rule broken": (changes, _scoring.MOST),
    # 3 of 4 trials, and the property in 4 of 5
    "raises in one": (raises_later, 0.75 * 3 / 4 + 0.25 * 4 / 5),
    "no function": (3, 0.0),
}


@pytest.mark.parametrize(("answer", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_three_quarters_are_for_trials_and_a_quarter_for_properties(added, answer, expected):
    assert score(answer) == pytest.approx(min(expected, 0.75) if expected < 1 else 1)


def test_without_properties_the_trials_decide(added):
    added(properties=())
    assert score(factor_forgotten) == 3 / 4 and score(equal) == 0


def test_without_a_reference_the_properties_decide(added):
    added(reference=None)
    assert score(equal) == 1 and score(factor_forgotten) == 0


def test_whoever_lets_the_library_compute_gets_nothing():
    def asks(x, X, Y, h):
        return kernel_regression.predict(x / h, X / h, Y)

    report = checks.check("nadaraya_watson", asks)
    assert report.diagnoses == ("library",) and report.score == 0


def half_missing(x, X, Y, h):
    weights = np.exp(-np.sum((x[:, None] - X) ** 2, axis=2) / h**2)
    return weights @ Y / weights.sum(axis=1, keepdims=True)


def nearest(x, X, Y, h):
    return Y[((x[:, None] - X) ** 2).sum(axis=2).argmin(axis=1)]


@pytest.mark.parametrize(
    ("answer", "stages"), [(half_missing, 5), (nearest, 1)], ids=["a known mistake", "none needed"]
)
def test_stages_that_a_mistake_leaves_and_the_result_needs_are_right(answer, stages):
    (work, *_) = checks.check("nadaraya_watson", answer).findings.rubric
    assert f"{stages * 7.5 / 6:.3g} of 7.5 for {stages} of 6 stages that are right" in work


def test_a_guess_has_what_its_properties_are_worth():
    mean = lambda x, X, Y, h: np.tile(Y.mean(axis=0), (len(x), 1))
    assert 0.25 < checks.check("nadaraya_watson", mean).score < 0.35  # and one right trial


def test_points_are_a_share_of_those_of_the_exercise_and_no_try(added, work, capsys):
    assert checks.points("toy", right, seeds=(1, 2)) == 4.0
    assert "passed" in capsys.readouterr().out
    assert checks.points("toy", factor_forgotten, seeds=(1, 2)) == 2.25
    assert "not yet" in capsys.readouterr().out
    assert checks.points("no such exercise", right) == 0.0
    assert list(work.iterdir()) == []
