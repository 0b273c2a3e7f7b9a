"""The checker itself: nothing that a learner hands in hurts it, and what it says helps."""

import json
import re
import sys
from dataclasses import replace

import numpy as np
import pytest
from helpers import each

import ukrlearn
from ukrlearn import checks
from ukrlearn.blocks import kernel_regression
from ukrlearn.checks import (
    Misconception,
    Property,
    _calling,
    _candidate,
    _release,
    _report,
    _work,
    bank,
)
from ukrlearn.checks._apart import here
from ukrlearn.checks._calling import OutOfTime, call, within
from ukrlearn.checks._comparing import counts_of_addends, factor_between, same, where
from ukrlearn.checks._diagnosing import examine
from ukrlearn.checks._explaining import _made, by_result
from ukrlearn.checks._rules import RULES
from ukrlearn.checks._stopping import Called
from ukrlearn.checks.exercise import Exercise, Trial
from ukrlearn.checks.stages import pairs, staged
from ukrlearn.checks.symmetries import moves_nothing, turns_nothing
from ukrlearn.course import copying

X = np.array([[0.0], [1.0], [3.0]])
scale = 5.0
table = np.ones((3, 2))


@pytest.fixture(autouse=True)
def work(tmp_path, monkeypatch):
    monkeypatch.setenv("UKRLEARN_WORK", str(tmp_path))
    return tmp_path


@pytest.fixture
def toy(monkeypatch):
    """An exercise as simple as can be: the row sums of a matrix, weighted."""

    def trials(seed):
        random = np.random.default_rng(seed)
        made = [Trial("by hand", dict(Y=np.array([[1.0, 2.0], [0.0, 4.0], [1.0, 1.0]]), c=3.0))]
        for N, d in ((5, 3), (7, 4)):
            Y = random.normal(size=(N, d))
            made.append(Trial(f"N = {N}", dict(Y=Y, c=random.uniform(1, 2))))
        return made

    exercise = Exercise(
        name="toy",
        title="Row sums",
        lesson="",
        equations="",
        minutes=1,
        shapes={"Y": "N d", "c": ""},
        returns={"sums": "N"},
        trials=trials,
        reference=lambda Y, c: c * Y.sum(axis=1),
        addends=lambda Y, c: {"the first column": c * Y[:, 0], "the rest": c * Y[:, 1:].sum(1)},
        misconceptions=(
            Misconception("maximum", "You take the largest.", lambda Y, c: c * Y.max(axis=1)),
        ),
        hints=("One.", "Two.", "Three."),
    )
    monkeypatch.setitem(bank._added, "toy", exercise)
    return exercise


def found(answer, **options):
    """The diagnoses of an answer to the toy exercise."""
    return checks.check("toy", answer, **options).diagnoses


def right(Y, c):
    return c * Y.sum(axis=1)


# ---- what a learner may hand in -----------------------------------------------------------------


def endless(Y, c):
    while True:
        try:
            np.sum(Y)
        except:  # noqa: E722
            pass


def endless_and_loud(Y, c):
    while True:
        print("still here")


def in_place(Y, c):
    Y *= c
    return Y.sum(axis=1)


def with_a_global(Y, c):
    return c * table.sum(axis=1)


def with_dots(Y, c):
    sums = np.zeros(len(Y))
    ...
    return sums


def raising_late(Y, c):
    if len(Y) == 7:
        return 1 / 0
    return c * Y.sum(axis=1)


def with_an_exit(Y, c):
    sys.exit(3)


def counting(Y, c, calls=[]):  # noqa: B006
    calls.append(1)
    return c * Y.sum(axis=1) + len(calls) * 1e-9


HANDED_IN = {
    "a number": (5, "no_function"),
    "its result": (right(np.ones((3, 2)), 1.0), "no_function"),
    "nothing": (None, "no_function"),
    "too few arguments": (lambda Y: Y, "signature"),
    "too many arguments": (lambda Y, c, extra: Y, "signature"),
    "the library's": (kernel_regression.predict, "library"),
    "dots": (with_dots, "not_started"),
    "not implemented": (lambda Y, c: (_ for _ in ()).throw(NotImplementedError), "not_started"),
    "no result": (lambda Y, c: None, "returns_nothing"),
    "text": (lambda Y, c: "five", "wrong_type"),
    "a list of unequal rows": (lambda Y, c: [[1], [1, 2]], "wrong_type"),
    "complex numbers": (lambda Y, c: right(Y, c) + 1j, "wrong_type"),
    "two things": (lambda Y, c: (right(Y, c), 1), "wrong_type"),
    "one sum": (lambda Y, c: c * Y.sum(), "shape"),
    "a column": (lambda Y, c: right(Y, c)[:, None], "shape"),
    "NaN": (lambda Y, c: right(Y, c) * np.nan, "not_finite"),
    "infinity": (lambda Y, c: right(Y, c) + np.inf, "not_finite"),
    "changed input": (in_place, "changes_input"),
    "a global": (with_a_global, "uses_global"),
    "an exit": (with_an_exit, "raises"),
    "a known mistake": (lambda Y, c: c * np.sort(Y, axis=1)[:, -1], "maximum"),
    "minus": (lambda Y, c: -right(Y, c), "negative"),
    "twice": (lambda Y, c: 2 * right(Y, c), "multiple"),
    "a mean": (lambda Y, c: c * Y.mean(axis=1), "multiple"),
    "not the first": (lambda Y, c: c * Y[:, 1:].sum(axis=1), "missing: the first column"),
    "a sign": (lambda Y, c: c * (Y.sum(axis=1) - 2 * Y[:, 0]), "sign: the first column"),
    "a column too often": (lambda Y, c: c * (Y.sum(axis=1) + Y[:, 0]), "factor: the first column"),
    "half of it": (lambda Y, c: right(Y, c) * (np.arange(len(Y)) < 2), "left_empty"),
    "noise": (lambda Y, c: right(Y, c) + np.random.normal(size=len(Y)), "changes_with_calls"),
    "one number": (lambda Y, c: np.full(len(Y), 0.7), "constant"),
    "dots in the place of a value": (lambda Y, c: ..., "not_started"),
    "dots that are added to": (lambda Y, c: 1 + (...), "not_started"),
    "a little noise": (lambda Y, c: right(Y, c) + 1e-9 * np.random.default_rng().normal(),
                       "changes_with_calls"),
    "a memory": (counting, "changes_with_calls"),
}  # fmt: skip


@each("case", HANDED_IN)
def test_a_wrong_answer_is_told_what_it_is(toy, case):
    answer, diagnosis = HANDED_IN[case]
    assert found(answer)[0] == diagnosis


@each("answer", [
    right,
    lambda data, factor: [factor * sum(row) for row in data],
    lambda Y, c: (c * Y.astype(np.float32)).sum(axis=1),
    np.vectorize(lambda row, c: c * sum(row), signature="(d),()->()"),
    lambda *given: right(*given),
    lambda Y, c: right(Y, c) + 0j,  # as np.linalg.eig gives since NumPy 2.5
    lambda Y, c=1.0, verbose=False: right(Y, c),
])  # fmt: skip
def test_a_right_answer_passes_whatever_its_form(toy, answer):
    report = checks.check("toy", answer)
    assert report.passed and report and report.diagnoses == ()


def test_an_error_is_shown_at_the_learners_line(toy):
    report = checks.check("toy", raising_late)
    assert report.diagnoses[0] == "raises"
    assert "`return 1 / 0`" in report.text and "ZeroDivisionError" in report.text
    assert "N = 7" in report.text and "Traceback" not in report.text


@pytest.mark.parametrize("answer", [endless, endless_and_loud])
def test_an_endless_loop_is_stopped(toy, answer, monkeypatch):
    monkeypatch.setattr(_calling, "SECONDS", 0.2)
    assert found(answer) == ("endless",)


def test_time_runs_out_only_for_what_is_late():
    assert within(5, lambda a: a + 1, 2) == 3
    with pytest.raises(OutOfTime):
        within(0.05, lambda: [None for _ in iter(int, 1)])
    assert sum(range(10**5)) > 0  # no interrupt is left over
    with pytest.raises(KeyError):
        within(5, lambda: {}["missing"])


def test_printing_plotting_and_random_numbers_leave_no_trace(toy, capsys):
    pyplot = pytest.importorskip("matplotlib.pyplot")

    def busy(Y, c):
        print("hello from inside")
        pyplot.figure()
        np.random.seed(1)
        return right(Y, c)

    before = np.random.get_state()[1].copy()
    report = checks.check("toy", busy)
    assert report.passed and pyplot.get_fignums() == []
    assert (np.random.get_state()[1] == before).all()
    assert "printed (first call): hello from inside" in report.text
    assert "closed them" in report.text
    assert capsys.readouterr().out.count("hello") == 1


def test_an_answer_that_calls_the_library_is_recognised():
    def borrowed(x, X, Y, h):
        return kernel_regression.predict(x / h, X / h, Y)

    report = checks.check("nadaraya_watson", borrowed)
    assert report.diagnoses == ("library",) and "kernel_regression" in report.text


def test_trials_that_are_right_are_told_from_wrong_ones(toy):
    report = checks.check("toy", lambda Y, c: right(Y, c) + (len(Y) == 7) * np.arange(len(Y)))
    assert report.diagnoses == ("values",)
    assert "1 of 3 trials" in report.text and "Wrong: N = 7" in report.text


def test_the_example_shows_what_is_said_and_where_none_does_it_does_not_claim_to(toy, monkeypatch):
    @staged
    def made(size=np.sum, weight=lambda c: c):
        return lambda Y, c: weight(c) * size(Y, axis=1)

    known = (
        Misconception("maximum", "You take the largest.", made(size=np.max)),
        Misconception("root", "You take the root of c.", made(weight=np.sqrt)),
    )
    column = Trial("one column", dict(Y=np.ones((2, 1)), c=4.0))  # there no sum is a mistake
    by_hand, *large = toy.trials(0)
    for trials, says in (
        ([column, by_hand, *large], "An example where yours is wrong (by hand):"),  # two count
        ([column, large[1]], "An example where yours is wrong (one column):"),
    ):
        exercise = replace(toy, misconceptions=known, addends=None, trials=lambda seed, t=trials: t)
        monkeypatch.setitem(bank._added, "toy", exercise)
        report = checks.check("toy", lambda Y, c: np.sqrt(c) * Y.max(axis=1))
        assert report.diagnoses == ("maximum", "root") and says in report.text


def test_numbers_are_told_with_as_many_digits_as_it_takes_to_tell_them_apart(toy):
    text = checks.check("toy", lambda Y, c: right(Y, c) + 1e-3 * (c == 3)).text
    assert "expected sums = [9, 12, 6]" in text and "yours    sums = [9.001, 12.001, 6.001]" in text


def test_a_mistake_in_nearly_all_trials_is_named_with_their_number(toy, monkeypatch):
    many = lambda seed: [t for k in range(4) for t in toy.trials(seed + k)[1:]]
    monkeypatch.setitem(bank._added, "toy", replace(toy, trials=many, addends=None))
    first = many(0)[0].arguments["c"]
    report = checks.check("toy", lambda Y, c: (c + (c == first)) * Y.max(axis=1))
    assert report.diagnoses[0] == "maximum" and "in 7 of 8 trials" in " ".join(report.text.split())
    halves = lambda Y, c: (c + (len(Y) == 5)) * Y.max(axis=1)
    assert "maximum" not in found(halves)


def test_a_trial_at_last_is_asked_only_of_what_is_right_so_far(toy, monkeypatch):
    last = Trial("at last", dict(Y=np.ones((2, 2)), c=1.0), at_last=True)
    trials = lambda seed: [*toy.trials(seed), last]
    monkeypatch.setitem(bank._added, "toy", replace(toy, trials=trials))
    assert "3 of 3 trials" in checks.check("toy", lambda Y, c: right(Y, c) + Y[:, 0] ** 2).text
    assert found(right) == ()
    assert "1 of 4 trials" in checks.check("toy", lambda Y, c: right(Y, c) + (len(Y) == 2)).text


@each(
    "given, says",
    [
        (("latent_density",), 'check("latent_density", my_function)'),
        ((2, right), 'check("latent_density", right)'),
        ((right,), 'check("NAME", right)'),
        ((right, "latent_density"), 'check("latent_density", right)'),
    ],
)
def test_who_calls_check_in_another_way_is_told_how(given, says, capsys):
    checks.check(*given)
    assert says in capsys.readouterr().out


@pytest.mark.parametrize("name", bank.NAMES)
def test_results_in_another_order_are_told_in_every_exercise(name):
    exercise = bank.find(name)
    if len(exercise.returns) > 1 and exercise.reference is not None:
        turned = lambda *given: exercise.reference(*given)[::-1]
        assert [p.id for p in examine(exercise, turned, 0, here).problems] == ["order_of_results"]


def test_the_smallest_example_is_shown_with_both_values(toy):
    text = checks.check("toy", lambda Y, c: c * Y.max(axis=1)).text
    assert "by hand" in text
    assert re.search(r"expected sums = \[9, 12, 6\]", text)
    assert re.search(r"yours    sums = \[6, 12, 3\]", text)


def test_data_that_a_library_reads_are_not_the_notebooks(toy):
    scope = {}
    exec(
        "from scipy.optimize import curve_fit\n"
        "def answer(Y, c):\n"
        "    return curve_fit(lambda t, a: a * t, range(len(Y)), Y[:, 0])[0] + Y[:, 0]\n",
        scope,
    )
    assert "uses_global" not in found(scope["answer"])


def test_an_instructor_adds_a_misconception_of_their_own(toy):
    def smallest(Y, c):
        return c * Y.min(axis=1)

    assert found(smallest)[0] == "values"
    bank.add_misconception("toy", Misconception("minimum", "You take the least.", smallest))
    assert found(lambda Y, c: c * np.sort(Y, axis=1)[:, 0])[0] == "minimum"
    with pytest.raises(ValueError, match="no_such"):
        bank.add_misconception("no_such", toy.misconceptions[0])


def test_without_a_reference_the_properties_decide(toy, monkeypatch):
    free = Exercise(
        name="toy", title="Any positive numbers", lesson="", equations="", minutes=1,
        shapes={"Y": "N d", "c": ""}, returns={"z": "N"}, trials=toy.trials, hints=(),
        properties=(
            Property("positive", "All are positive.", "Some are not positive.",
                     lambda z, Y, c: (z > 0).all()),
        ),
    )  # fmt: skip
    monkeypatch.setitem(bank._added, "toy", free)
    assert found(lambda Y, c: np.ones(len(Y))) == ()
    assert found(lambda Y, c: -np.ones(len(Y))) == ("positive",)
    assert found(lambda Y, c: np.ones(2)) == ("shape",)


def pair_exercise(trials, monkeypatch):
    """Two results, the second made from the first."""
    exercise = Exercise(
        name="toy", title="Sums and shares", lesson="", equations="", minutes=1,
        shapes={"Y": "N d", "c": ""}, returns={"sums": "N", "shares": "N"}, trials=trials,
        reference=lambda Y, c: shared(c * Y.sum(axis=1)), hints=(),
        misconceptions=(
            Misconception("maximum", "You take the largest.", lambda Y, c: shared(c * Y.max(1))),
        ),
        properties=(
            Property("fragile", "A property that may fail on odd numbers.", "It does not hold.",
                     lambda values, Y, c: 1 / int(values[0][0] != 0) == 1),
        ),
    )  # fmt: skip
    monkeypatch.setitem(bank._added, "toy", exercise)


def shared(sums):
    return sums, sums / np.abs(sums).sum()


def test_of_several_results_the_first_tells_the_mistake(toy, monkeypatch):
    pair_exercise(toy.trials, monkeypatch)
    largest = lambda Y, c: c * np.sort(Y, axis=1)[:, -1]
    assert found(lambda Y, c: shared(right(Y, c))) == ()
    assert found(lambda Y, c: shared(largest(Y, c)))[0] == "maximum"
    by_hand = found(lambda Y, c: (largest(Y, c), shared(right(Y, c))[1]))
    assert by_hand[0] == "maximum"  # the second is right by another way
    two_mistakes = found(lambda Y, c: (largest(Y, c), largest(Y, c) ** 2))
    assert two_mistakes[0] == "maximum"
    assert found(lambda Y, c: right(Y, c))[0] == "wrong_type"


def test_a_mistake_must_be_made_in_every_trial_and_explain_all_that_is_wrong(toy, monkeypatch):
    pair_exercise(toy.trials, monkeypatch)
    exercise = bank.find("toy")
    (mistake,) = exercise.misconceptions
    largest = lambda Y, c: c * Y.max(axis=1)

    def called(answer):
        return [
            Called(
                t,
                call(answer, t.arguments, 2),
                dict(zip(exercise.returns, right_pair(t), strict=True)),
            )
            for t in exercise.trials(0)
        ]

    made = lambda answer, **how: _made(exercise, mistake, called(answer), **how)

    right_pair = lambda t: exercise.reference(**t.arguments)
    only_last = lambda Y, c: shared(largest(Y, c) if len(Y) == 7 else right(Y, c))
    second_wrong = lambda Y, c: (largest(Y, c), largest(Y, c) ** 2)
    second_right = lambda Y, c: (largest(Y, c), shared(right(Y, c))[1])
    assert made(mistake.mistaken) and made(mistake.mistaken, in_part=True)
    assert not made(only_last) and not made(only_last, in_part=True)
    assert made(second_right, in_part=True) and not made(second_right)
    assert not made(second_wrong, in_part=True)
    assert [p.id for p in by_result(exercise, called(second_wrong))] == ["maximum"]


def test_two_mistakes_of_two_stages_are_both_named_the_earlier_first(toy, monkeypatch):
    @staged
    def made(size=np.sum, weight=lambda c: c):
        return lambda Y, c: weight(c) * size(Y, axis=1)

    late = Misconception("root", "You take the root of c.", made(weight=np.sqrt))
    known = (
        late,
        Misconception("squared", "You square c.", made(weight=np.square)),
        Misconception("maximum", "You take the largest.", made(np.max)),
        Misconception("unstaged", "You return ones.", lambda Y, c: np.ones(len(Y))),
    )
    joined = [[m.id for m in both] for both, _ in pairs(known)]
    assert joined == [["maximum", "root"], ["maximum", "squared"]]  # no two of one stage
    monkeypatch.setitem(bank._added, "toy", replace(toy, misconceptions=known, addends=None))
    assert found(lambda Y, c: np.sqrt(c) * Y.max(axis=1))[:2] == ("maximum", "root")
    assert found(lambda Y, c: np.sqrt(c) * Y.sum(axis=1)) == ("root",)
    assert found(lambda Y, c: np.cbrt(c) * Y.max(axis=1))[0] not in {"maximum", "root"}


def test_two_results_with_a_mistake_each_are_both_named(toy, monkeypatch):
    pair_exercise(toy.trials, monkeypatch)
    sums = lambda Y, c: right(Y, c)
    known = (
        Misconception("all", "Both are of the largest.", lambda Y, c: shared(c * Y.max(axis=1))),
        Misconception("sums", "Your sums are largest values.",
                      lambda Y, c: (c * Y.max(axis=1), shared(sums(Y, c))[1])),
        Misconception("rooted", "Your shares are roots.",
                      lambda Y, c: (sums(Y, c), np.sqrt(np.abs(shared(sums(Y, c))[1])))),
    )  # fmt: skip
    exercise = replace(bank.find("toy"), misconceptions=known)
    monkeypatch.setitem(bank._added, "toy", exercise)
    answer = lambda Y, c: (c * Y.max(axis=1), np.sqrt(np.abs(shared(sums(Y, c))[1])))
    assert found(answer)[:2] == ("sums", "rooted")  # "all" says more than is so


def test_results_in_another_order_are_told_with_a_mistake_in_them_or_without(toy, monkeypatch):
    pair_exercise(toy.trials, monkeypatch)
    largest = lambda Y, c: shared(c * Y.max(axis=1))[::-1]
    assert found(lambda Y, c: shared(right(Y, c))[::-1]) == ("order_of_results",)
    assert found(largest)[:2] == ("maximum", "order_of_results")
    assert "order_of_results" not in found(lambda Y, c: (right(Y, c), right(Y, c)))


def test_a_factor_claims_that_all_else_is_right_only_where_it_is(toy, monkeypatch):
    pair_exercise(toy.trials, monkeypatch)
    says = lambda answer: examine(bank.find("toy"), answer).problems[0].says
    alone = says(lambda Y, c: (2 * right(Y, c), shared(right(Y, c))[1]))
    assert "2 times" in alone and "Everything else is right" in alone
    both = says(lambda Y, c: (2 * right(Y, c), right(Y, c) ** 2))
    assert "2 times" in both and "else is right" not in both


def test_a_trace_shows_the_rules_in_order_and_what_each_has_found(toy, monkeypatch):
    report = checks.check("toy", lambda Y, c: 2 * right(Y, c), trace=True)
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    assert [name for name, _ in report.findings.trace] == names
    came = dict(report.findings.trace)
    assert came["known mistake"] == "nothing" and came["a multiple, or one term"] == "multiple"
    assert came["it stops"] == "nothing" and came["slip"] == "not asked"
    lines = [line.split() for line in report.text.splitlines()[-len(names) :]]
    assert lines == [[*name.split(), *what.split()] for name, what in report.findings.trace]
    assert "not asked" not in checks.check("toy", right).text
    monkeypatch.setenv("UKRLEARN_EXAM", "1")
    assert "not asked" not in checks.check("toy", right, trace=True).text


def test_zeros_in_a_few_trials_are_no_unfinished_loop(toy):
    assert found(lambda Y, c: right(Y, c) * ((len(Y) < 7) | (Y[:, 0] > 0)))[0] != "left_empty"


def test_single_precision_may_round_more(toy):
    rough = eval("lambda Y, c: right(Y, c) * (1 + 5e-4 * np.cos(np.arange(len(Y))))", globals())
    assert found(rough) == ("approximate", "values")
    assert found(lambda Y, c: rough(Y, c).astype(np.float32)) == ()


def test_a_property_that_fails_on_odd_numbers_does_not_stop_a_check(toy, monkeypatch):
    pair_exercise(toy.trials, monkeypatch)
    odd = lambda Y, c: np.arange(len(Y)) * (1.0 + right(Y, c))
    assert "fragile" in found(lambda Y, c: shared(odd(Y, c)))


# ---- comparing ----------------------------------------------------------------------------------


def test_equal_up_to_rounding():
    assert same([1.0, np.nan], [1.0 + 1e-9, np.nan])
    assert not same([1.0, np.nan], [1.0, 2.0])
    assert not same([1.0], [1.0, 1.0])
    assert same([1e6, 1e-9], [1e6, 0.0]) and not same([1.0], [1.001])
    assert same([np.inf], [np.inf]) and not same([np.inf], [-np.inf])


@each(
    "factor, expected",
    [
        (lambda N, h: 1.0, None),
        (lambda N, h: -1.0, (-1, "")),
        (lambda N, h: 2 / N, (2, "1/N")),
        (lambda N, h: -0.5 * h**2, (-0.5, "h**2")),
        (lambda N, h: N * h, (1, "N * h")),
        (lambda N, h: N + h, None),
        (lambda N, h: 0.0, None),
    ],
)
def test_a_factor_is_found_by_its_letters(factor, expected):
    random = np.random.default_rng(0)
    pairs = []
    for N, h in ((5, 0.3), (7, 1.9), (11, 0.8)):
        wanted = random.normal(size=(N, 2))
        pairs.append((factor(N, h) * wanted, wanted, {"N": N, "h": h}, 1e-9))
    assert factor_between(pairs) == expected


def test_a_factor_is_found_where_an_argument_is_zero():
    wanted = np.arange(1.0, 5.0)
    pairs = [(3 * wanted, wanted, {"N": 4, "nu": 0.0}, 1e-9)]
    assert factor_between(pairs) == (3, "")


def test_addends_are_counted_and_others_are_not_explained():
    random = np.random.default_rng(0)
    addends = {"one": random.normal(size=(6, 2)), "two": random.normal(size=(6, 2))}
    counts = counts_of_addends([(2 * addends["one"] - addends["two"], addends)])
    assert counts == pytest.approx({"one": 2, "two": -1})
    assert counts_of_addends([(random.normal(size=(6, 2)), addends)]) is None
    assert counts_of_addends([(np.full((6, 2), np.nan), addends)]) is None


def test_what_moves_or_turns_the_points_is_noticed():
    points = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]])
    pair = np.zeros((3, 2))
    pair[0], pair[1] = [1, 0], [-1, 0]  # along the line between two points
    across = pair[:, ::-1]  # a pair of forces across it
    assert moves_nothing(pair) and turns_nothing(pair, points)
    assert moves_nothing(across) and not turns_nothing(across, points)
    assert not moves_nothing(pair + [0.1, 0])
    assert moves_nothing(0 * pair) and turns_nothing(0 * pair, points)


def test_where_it_differs():
    right = np.arange(9.0).reshape(3, 3)
    assert "Only the diagonal" in where(right + np.eye(3), right)
    assert "The diagonal is right" in where(right + 1 - np.eye(3), right)
    assert "only row 1" in where(right + np.array([[0], [1], [0]]), right)
    assert "only column 2" in where((right + [0, 0, 1])[:2], right[:2])
    assert where(right + 1, right) == "" == where(np.array(1.0), np.array(2.0))


# ---- hints, progress, work ----------------------------------------------------------------------


def test_hints_come_one_at_a_time_and_then_all(toy, capsys):
    for word in ("One.", "Two.", "Three."):
        checks.hint("toy")
        said = capsys.readouterr().out
        assert word in said and said.count(".") == 1
    checks.hint("toy")
    said = capsys.readouterr().out
    assert all(word in said for word in ("One.", "Two.", "Three.")) and 'reveal("toy")' in said
    assert _work.read()["toy"]["hints"] == 3


def test_reveal_asks_twice(capsys):
    for expected, shown in (("unread", False), ("Really?", False), ("a solution", True)):
        checks.reveal("nadaraya_watson")
        said = capsys.readouterr().out
        assert expected in said and ("np.exp" in said) == shown
    assert "###" not in said
    assert _work.read()["nadaraya_watson"]["revealed"] is True


def test_a_release_without_solutions_says_so(toy, capsys):
    checks.reveal("toy")
    assert "holds no solutions" in capsys.readouterr().out


def test_a_name_that_is_none_gets_the_nearest(capsys):
    assert checks.check("nadarya_watson", right) is None
    checks.hint("nadarya_watson")
    checks.reveal(3)
    said = capsys.readouterr().out
    assert said.count("Do you mean 'nadaraya_watson'?") == 2 and '"basis_weights"' in said


def test_progress_counts_what_has_passed(toy, capsys):
    found(lambda Y, c: None)
    found(right)
    passed, of_all = checks.progress()
    said = capsys.readouterr().out
    assert (passed, of_all) == (1, len(bank.NAMES) + 1)
    assert re.search(r"✓ +toy +1 min  passed on \d{4}-\d\d-\d\d: 2 tries\n", said)
    assert re.search(r"\n +1 nadaraya_watson +\d+ min  not begun\n", said)
    assert "Next: exercise 1 " in said and "(lesson 01, kernel regression)." in said
    entry = _work.read()["toy"]
    assert entry["tries"] == 2 and entry["found"] == []
    assert "c * Y.sum(axis=1)" in entry["right_answer"]


def test_the_day_of_the_first_pass_is_kept(toy):
    _work.note("toy", passed="2020-01-01T00:00")
    found(right)
    assert _work.read()["toy"]["passed"] == "2020-01-01T00:00"


def test_an_answer_that_is_no_function_is_kept_as_text():
    checks.check("break_it", np.arange(30.0)[:, None])
    assert _work.read()["break_it"]["answer"].startswith("array([[ 0.]")
    checks.check("break_it", np.arange(30_000.0)[:, None])
    assert len(_work.read()["break_it"]["answer"]) <= _candidate.MOST_VALUE + 3


def test_a_later_failure_does_not_take_a_pass_back(toy):
    found(right)
    found(lambda Y, c: None)
    entry = _work.read()["toy"]
    assert "passed" in entry and entry["found"] == ["returns_nothing"]
    assert "c * Y.sum(axis=1)" in entry["right_answer"]


def test_work_is_saved_and_restored_with_backups(work, toy, monkeypatch, tmp_path_factory, capsys):
    found(right)
    (work / "01.ipynb").write_text("mine")
    path = checks.save_work()
    assert path.name == "ukrlearn-work.zip"
    assert checks.save_work().name == "ukrlearn-work-2.zip"  # the older one stays
    elsewhere = tmp_path_factory.mktemp("binder")
    monkeypatch.setenv("UKRLEARN_WORK", str(elsewhere))
    (elsewhere / "01.ipynb").write_text("as delivered")
    written = checks.restore_work(path)
    assert sorted(written) == ["01.ipynb", "ukrlearn-work.json"]
    assert (elsewhere / "01.ipynb").read_text() == "mine"
    assert (elsewhere / "01.before.ipynb").read_text() == "as delivered"
    assert "passed" in _work.read()["toy"]
    assert "01.before.ipynb" in capsys.readouterr().out
    assert checks.restore_work(path) == []  # all of it is here already
    assert not (elsewhere / "01-2.before.ipynb").exists()


def test_what_is_no_zip_is_told(work, capsys):
    (work / "ukrlearn-work.zip").write_text("no zip")
    assert checks.restore_work() is None
    assert checks.restore_work("missing.zip") is None
    said = " ".join(capsys.readouterr().out.split())
    assert "must be a zip that save_work() made" in said and "There is no missing.zip" in said


# ---- what is shown ------------------------------------------------------------------------------


def test_the_form_in_a_notebook_says_the_same_and_is_escaped(toy):
    report = checks.check("toy", lambda Y, c: "<b>five</b>")
    form = _report.as_html([*report.parts, ("paragraph", '`a < b` and check("toy", f)')])
    assert "<code>a &lt; b</code>" in form and '<code>check("toy", f)</code>' in form
    assert form.startswith("<div role='status'") and form.count("<div") == form.count("</div") == 1
    assert re.search("class='ukrlearn-wrong'>✗ .*not yet", form)  # in colour and in words
    passed = _report.as_html(checks.check("toy", right).parts)
    assert re.search("class='ukrlearn-right'>✓ .*passed", passed)
    for colours in (form, passed):
        assert _report.COLOURS in colours
    assert "color" not in _report.as_html([("title", "A hint")]).replace("currentColor", "")


def test_a_report_tells_all_that_was_found(toy):
    def largest_in_place(Y, c):
        Y.sort(axis=1)
        return c * Y[:, -1]

    report = checks.check("toy", largest_in_place)
    assert report.diagnoses == ("maximum", "changes_input")
    text = " ".join(report.text.split())
    assert text.index("You take the largest") < text.index("Also found")
    assert text.index("Also found") < text.index("changes what it was given: Y")
    assert 'hint("toy")' in text


def test_a_report_shows_itself_once(toy, capsys):
    report = checks.check("toy", right)
    assert capsys.readouterr().out.count("passed") == 1
    assert report._ipython_display_() is None
    assert repr(report) == "<toy: passed>"


def test_checks_load_no_jupyter():
    import subprocess

    code = "import ukrlearn.checks as c; c.hint('nadaraya_watson'); import sys; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert {"IPython", "matplotlib", "ipywidgets"}.isdisjoint(loaded)
    assert ukrlearn.checks is checks


# ---- for instructors ----------------------------------------------------------------------------


def test_a_release_needs_the_solutions(tmp_path):
    with pytest.raises(FileNotFoundError, match="checkout"):
        _release.release(tmp_path)


def test_every_assignment_has_points_a_solution_and_hidden_tests():
    files = _release.release(copying.course_folder())
    assert b"course_id" in files.pop("nbgrader_config.py")
    assert len(files) == len(bank.NAMES)
    for content in files.values():
        cells = json.loads(content)["cells"]
        marks = [c["metadata"]["nbgrader"] for c in cells if "nbgrader" in c["metadata"]]
        assert sum(m["grade"] for m in marks) == 1
        assert sum(m["solution"] for m in marks) >= 1
        assert len({m["grade_id"] for m in marks}) == len(marks)
        (graded,) = [c for c in cells if c["metadata"].get("nbgrader", {}).get("grade")]
        assert "### BEGIN HIDDEN TESTS" in graded["source"]
        assert graded["metadata"]["nbgrader"]["points"] >= 1
        assert all(not c.get("outputs") for c in cells)
