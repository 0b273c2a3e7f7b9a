"""The search for mistakes in stages: one change, two, and what the learner's variables hold."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from helpers import each

from ukrlearn.checks import Misconception, Property, _candidate, _slips
from ukrlearn.checks._apart import apart, here
from ukrlearn.checks._diagnosing import examine
from ukrlearn.checks._plain import Outcome, Repair, packed, unpacked
from ukrlearn.checks._rules import _known_instead
from ukrlearn.checks.exercise import Exercise, Problem, Trial
from ukrlearn.checks.stages import is_of, joined, pairs, pipeline, staged


def squares(x, X):
    """the squared distances"""
    return (x[:, None] - X) ** 2


def kernels(squares, h):
    """the kernels"""
    return np.exp(-squares / (2 * h**2))


def weights(kernels):
    """the weights"""
    return kernels / kernels.sum(axis=1, keepdims=True)


def f(weights, Y):
    """the weighted mean"""
    return weights @ Y


MEAN = pipeline("x X Y h", squares, kernels, weights, f)
ROOT = Misconception(
    "root", "You take the distance.", MEAN(squares=lambda x, X: abs(x[:, None] - X))
)
HALF = Misconception("half", "The half is missing.", MEAN(kernels=lambda squares: np.exp(-squares)))
COLUMNS = Misconception(
    "columns",
    "You divide by the sums of columns.",
    MEAN(weights=lambda kernels: kernels / kernels.sum(axis=0)),
)


def trials(seed):
    random = np.random.default_rng(seed)
    X, Y = np.array([0.0, 2.0]), np.array([0.0, 1.0])
    made = [Trial("by hand", dict(x=np.array([1.0]), X=X, Y=Y, h=1.0))]
    for M, N in ((4, 9), (5, 7)):
        x, X, Y = random.normal(size=M), random.normal(size=N), random.normal(size=N)
        made.append(Trial(f"N = {N}", dict(x=x, X=X, Y=Y, h=random.uniform(0.5, 1))))
    return made


EXERCISE = Exercise(
    name="mean",
    title="A mean",
    lesson="",
    equations="",
    minutes=1,
    shapes={"x": "M", "X": "N", "Y": "N", "h": ""},
    returns={"f": "M"},
    trials=trials,
    reference=MEAN(),
    stages=MEAN,
    misconceptions=(COLUMNS, HALF, ROOT),
    hints=("One?", "Two.", "Three."),
)


@pytest.fixture(autouse=True)
def no_line_is_known(monkeypatch):
    """Variables are looked at where no repair proves the place."""
    monkeypatch.setattr(_candidate, "repaired", lambda *given: Repair())


def problems(answer, exercise=EXERCISE):
    return examine(exercise, answer, run=here).problems


def ids(answer, exercise=EXERCISE):
    return [problem.id for problem in problems(answer, exercise)]


def told(answer, exercise=EXERCISE):
    return " ".join(problem.says for problem in problems(answer, exercise))


# ---- making answers -----------------------------------------------------------------------------


def test_a_pipeline_computes_its_steps_in_order_and_shows_them():
    x, X, Y, h = trials(0)[1].arguments.values()
    K = np.exp(-((x[:, None] - X) ** 2) / (2 * h**2))
    np.testing.assert_allclose(MEAN()(x, X, Y, h), K @ Y / K.sum(axis=1))
    values = MEAN().values(x, X, Y, h)
    np.testing.assert_allclose(values["kernels"], K)
    assert MEAN.words["weights"] == "the weights" and list(MEAN.parts)[0] == "squares"


def test_a_pipeline_returns_what_it_is_asked_for():
    both = pipeline("x X Y h", squares, kernels, weights, f, returns="f weights")
    first, second = both()(*trials(0)[1].arguments.values())
    assert first.shape == (4,) and second.shape == (4, 9)


def test_what_is_no_step_is_refused():
    with pytest.raises(ValueError, match="Only squares, kernels, weights, f can be exchanged"):
        MEAN(kernel=np.exp)
    with pytest.raises(ValueError, match="returns must name steps; got g"):
        pipeline("x X Y h", squares, returns="g")
    with pytest.raises(ValueError, match="squares must use arguments or earlier steps; got f"):
        MEAN(squares=lambda f: f)


def test_mistakes_of_the_same_step_or_of_two_makers_are_not_joined():
    @staged
    def other(size=np.sum):
        return lambda *given: size(given[0])

    assert [[m.id for m in both] for both, _ in pairs((COLUMNS, HALF, ROOT))] == [
        ["half", "columns"], ["root", "columns"], ["root", "half"]
    ]  # fmt: skip
    assert joined(HALF.mistaken, MEAN(kernels=lambda squares: squares)) is None
    assert joined(HALF.mistaken, other(np.max)) is None
    assert is_of(MEAN, HALF.mistaken)
    assert not any((is_of(MEAN, MEAN()), is_of(other, HALF.mistaken), is_of(None, np.sum)))


# ---- slips --------------------------------------------------------------------------------------


@each(
    "part, says, changed",
    [
        ("squares", "an exponent is left out", lambda x, X: x[:, None] - X),
        ("squares", "a sum stands where a difference belongs", lambda x, X: (x[:, None] + X) ** 2),
        ("kernels", "a minus sign is left out", lambda s, h: np.exp(s / (2 * h**2))),
        ("kernels", "`exp` is left out", lambda s, h: -s / (2 * h**2)),
        ("kernels", "4 stands where 2 belongs", lambda s, h: np.exp(-s / (4 * h**2))),
        ("weights", "`max` stands where `sum` belongs", lambda K: K / K.max(axis=1, keepdims=True)),
        ("weights", "axis 0 stands where axis 1 belongs",
         lambda K: K / K.sum(axis=0, keepdims=True)),
        ("weights", "the last column is left out, as if a loop ended too early",
         lambda K: np.where(np.arange(K.shape[1]) < K.shape[1] - 1, weights(K), 0)),
    ],
)  # fmt: skip
def test_a_slip_computes_what_it_says(part, says, changed):
    arguments = trials(0)[1].arguments.values()
    slips = [s for s in _slips.slips(MEAN) if (s.part, s.says) == (part, says)]
    wanted = MEAN(**{part: _named(changed, MEAN.parts[part])})(*arguments)
    assert any(np.allclose(s.mistaken(*arguments), wanted) for s in slips), says


def _named(changed, like):
    """The function with the names of parameters that a pipeline looks for."""
    return _slips.wraps(like)(lambda *given: changed(*given))


def test_slips_are_made_from_formulas_as_from_functions():
    written = pipeline(
        "x X Y h",
        squares=lambda x, X: (x[:, None] - X) ** 2,
        kernels=lambda squares, h: np.exp(-squares / (2 * h**2)),
        weights=lambda kernels: (
            kernels / kernels.sum(axis=1, keepdims=True)
        ),
        f=lambda weights, Y: weights @ Y,
    )  # fmt: skip
    of = lambda made: [(s.part, s.says) for s in _slips.slips(made) if s.part != "f"]
    assert of(written) == of(MEAN) and ("kernels", "`exp` is left out") in of(written)
    assert np.array_equal(written.weights(np.eye(2)), np.eye(2))


def test_sums_of_squares_have_their_own_slips():
    made = pipeline("X", lengths=lambda X: np.sum(X**2, axis=1), mean=lambda lengths, X: len(X))
    X = np.array([[1.0, -3.0], [2.0, 4.0]])
    came = {s.says: s.mistaken.exchanged[s.part] for s in _slips.slips(made)}
    assert came["a sum is squared, not each of its terms"](X).tolist() == [4, 36]
    assert came["absolute values stand where squares belong"](X).tolist() == [4, 6]
    assert came["a sum of absolute values is squared"](X).tolist() == [16, 36]
    assert came["only the first term of a sum counts"](X).tolist() == [1, 4]
    assert came["one less is counted"](X[0], X) == 1
    assert came["all entries are counted"](X[0], X) == 4


def test_slips_have_words_and_differ_from_the_right_answer():
    arguments = trials(0)[1].arguments.values()
    right, differing = MEAN()(*arguments), 0
    for slip in _slips.slips(MEAN):
        assert slip.where == MEAN.words[slip.part] and slip.says[0] not in " ." and slip.says
        with np.errstate(all="ignore"):
            try:
                came = slip.mistaken(*arguments)
            except Exception:
                continue
        differing += came.shape != right.shape or not np.allclose(came, right)
    assert differing > 60


def test_no_slip_is_made_from_a_loop_without_an_end():
    def halved(X):
        """the halves"""
        while X.max() > 1:
            X = X / 2
        return X

    changes = {s.says for s in _slips.slips(pipeline("X", halved))}
    assert changes == {says for says, _ in _slips.OF_VALUES}


# ---- what is found ------------------------------------------------------------------------------


def test_one_change_is_named_by_its_stage():
    def answer(x, X, Y, h):
        K = np.exp(-((x[:, None] - X) ** 2) / (2 * h**3))
        return K @ Y / K.sum(axis=1)

    (problem,) = problems(answer)
    assert problem.id == "slip: kernels"
    assert "in the kernels, the exponent 3 stands where the exponent 2 belongs" in problem.says


def test_two_known_mistakes_are_named_and_not_three():
    def answer(x, X, Y, h):
        K = np.exp(-np.abs(x[:, None] - X) / (2 * h**2))
        return K / K.sum(axis=0) @ Y

    def with_a_third(x, X, Y, h):
        K = np.exp(-np.abs(x[:, None] - X))
        return K / K.sum(axis=0) @ Y

    assert ids(answer) == ["root", "columns"]
    assert not {"root", "half", "columns"} & {*ids(with_a_third)}  # three are not searched for
    assert "Right among them" not in told(with_a_third)


def test_a_mistake_and_a_slip_are_both_named():
    def answer(x, X, Y, h):
        K = np.exp(-np.abs(x[:, None] - X) / (2 * h**2))
        return K[:, 1:] @ Y[1:] / K[:, 1:].sum(axis=1)

    assert ids(answer) == ["root", "slip: kernels"]
    assert "the first column is left out" in problems(answer)[1].says


def test_a_mistake_that_raises_the_same_is_named():
    def answer(x, X, Y, h):
        t = (x - X) ** 2
        K = np.exp(-t / (2 * h**2))
        return np.tile(K @ Y / K.sum(), len(x))

    first, second, *_ = problems(answer)
    assert first.id == "slip: squares" and "an axis of length one is missing" in first.says
    assert second.id == "raises"
    assert "There x has the shape (M,) = (4,), X has the shape (N,) = (9,)." in second.says


@pytest.mark.parametrize("times", [np.dot, np.matmul])
def test_a_mistake_is_known_by_its_exception_in_the_words_of_any_function(times):
    other = Misconception("turned", "It is turned.", MEAN(f=lambda weights, Y: weights.T @ Y))

    def answer(x, X, Y, h):
        K = np.exp(-((x[:, None] - X) ** 2) / (2 * h**2))
        return times((K / K.sum(axis=1, keepdims=True)).T, Y)

    assert ids(answer, replace(EXERCISE, misconceptions=(HALF, other)))[0] == "turned"


def test_a_stage_that_was_right_is_no_cause_of_an_exception():
    turned = MEAN(kernels=lambda squares, h: kernels(squares, h).T)
    other = Misconception("turned", "It is turned.", turned)

    def answer(x, X, Y, h):
        K = np.exp(-((x[:, None] - X) ** 2) / (2 * h**2))
        return (K.T / K.sum()) @ Y

    says = told(answer, replace(EXERCISE, misconceptions=(other,)))
    assert "It is turned." not in says and "gives exactly your numbers" not in says
    assert "stops in the same way" in says and "In the kernels" not in says


def test_a_slip_in_a_result_of_the_wrong_shape_is_found():
    def answer(x, X, Y, h):
        K = np.exp(-((x[:, None] - X) ** 2) / (2 * h**2))
        return K / K.sum(axis=1, keepdims=True) * Y

    (only,) = problems(answer)  # the wrong shape follows from it
    assert only.id == "slip: f" and "a product stands where a matrix product belongs" in only.says


def test_an_answer_that_only_changes_what_it_is_given_is_told_no_more():
    def answer(x, X, Y, h):
        f = MEAN()(x, X, Y, h)
        Y += 1
        return f

    assert ids(answer) == ["changes_input"]


def test_an_approximation_is_told_as_one():
    right = MEAN()
    assert ids(lambda x, X, Y, h: 1.001 * right(x, X, Y, h) + 1e-3 * h)[0] == "approximate"


# ---- what the variables hold --------------------------------------------------------------------


def unknown(values):
    """A mistake that is no slip and no misconception."""
    return np.sort(values**3, axis=-1) + 0.1 * np.cos(values)


def test_right_variables_are_told_and_the_first_that_is_missing():
    def answer(x, X, Y, h):
        D = np.abs(x[:, None] - X)
        K = np.exp(-(D**2) / (2 * h**2))
        return unknown(K) @ Y

    says = told(answer)
    assert "Right among them: the kernels (`K`)." in says  # D is not squared, or not yet
    assert "Not found among them: the weights; the weighted mean." in says


def test_what_is_one_step_from_a_right_value_is_not_called_right():
    def answer(x, X, Y, h):
        t = (x[:, None] - X) ** 2
        K = np.exp(-t / h**2)  # the half is missing: these are the squares of the kernels
        return unknown(K * h) @ Y

    says = told(answer)
    assert "Right among them: the squared distances (`t`)." in says and "kernels (`K`)" not in says


def test_stages_are_seen_row_by_row_and_in_functions_of_the_learner():
    def kernel(t, h):
        return np.exp(-t / (2 * h**2))

    def answer(x, X, Y, h):
        sums = []
        for n in range(len(x)):
            row = kernel((x[n] - X) ** 2, h)
            sums.append(unknown(row) @ Y)
        return np.array(sums)

    assert "the kernels (`row`)" in told(answer) or "the kernels (`kernel(...)`)" in told(answer)


def test_a_known_mistake_is_shown_by_a_variable_where_another_one_hides_it():
    def answer(x, X, Y, h):
        K = np.exp(-((x[:, None] - X) ** 2))
        return unknown(K) @ Y

    first = problems(answer)[0]
    assert first.id == "half" and "Your `K` shows it." in first.says


def test_a_step_on_the_right_way_is_no_mistake():
    def answer(x, X, Y, h):
        D = np.abs(x[:, None] - X)
        t = D**2
        return unknown(np.exp(-t / (2 * h**2))) @ Y

    assert "root" not in ids(answer)


def spread(squares, h):
    """the squared distances in units of h"""
    return squares / h


def total(spread, Y):
    """the sum of hills"""
    return np.exp(-spread) @ Y


def test_a_factor_of_a_right_value_is_no_mistake():
    sums = pipeline("x X Y h", squares, spread, total)
    forgotten = Misconception(
        "forgotten", "You forget h.", sums(spread=lambda squares: squares + 0)
    )
    exercise = replace(EXERCISE, stages=sums, reference=sums(), misconceptions=(forgotten,))

    def answer(x, X, Y, h):
        t = (x[:, None] - X) ** 2
        unit = np.full(t.shape, 1 / h)
        return unknown(np.exp(-t * unit)) @ Y

    assert "forgotten" not in ids(answer, exercise)


def test_a_suspect_that_was_seen_to_be_right_is_not_asked_about():
    lacking = Property(
        "bounded",
        "Every f(x) is at most 2.",
        "Some f(x) exceeds 2.",
        lambda f, **_: bool((np.abs(f) <= 2).all()),
        suspects=(("kernels", "Is K right?"), ("weights", "Do the weights sum to one?")),
    )
    exercise = replace(EXERCISE, properties=(lacking,))

    def answer(x, X, Y, h):
        K = np.exp(-((x[:, None] - X) ** 2) / (2 * h**2))
        return 9 + unknown(K) @ Y

    says = told(answer, exercise)
    assert "Some f(x) exceeds 2. Do the weights sum to one?" in says and "Is K right?" not in says


def test_a_property_that_nothing_could_lack_is_not_said_to_hold():
    idle = Property("idle", "Something holds.", "It fails.", lambda f, **_: True)
    telling = Property("small", "It is small.", "No.", lambda f, **_: bool((abs(f) < 9).all()))
    exercise = replace(EXERCISE, properties=(idle, telling))
    wrong = lambda x, X, Y, h: 0.4 * np.sin(X[0] * np.arange(len(x)) ** 3)
    assert examine(exercise, wrong, run=here).held == ()
    strict = replace(telling, holds=lambda f, **_: bool((abs(f) < 0.5).all()))
    held = examine(replace(exercise, properties=(idle, strict)), wrong, run=here).held
    assert held == ("It is small.",)


def test_what_was_seen_comes_through_between_processes():
    seen = (("K", np.eye(2)), ("t", np.array(0.5)))
    back = unpacked(Outcome, packed(Outcome(seen=seen)))
    assert [name for name, _ in back.seen] == ["K", "t"]
    assert np.array_equal(back.seen[0][1], np.eye(2)) and back.seen[1][1] == 0.5

    def answer(x, X, Y, h):
        K = np.exp(-((x[:, None] - X) ** 2) / (2 * h**2))
        return unknown(K) @ Y

    there = [p.says for p in examine(EXERCISE, answer, run=apart).problems]
    assert there == [p.says for p in problems(answer)]
    assert any("the kernels (`K`)" in says for says in there)


# ---- what only happens to fit ------------------------------------------------------------------

RAISES = Misconception(
    "raises_here", "You lose an axis.", MEAN(weights=lambda kernels: kernels / kernels.sum(axis=1))
)
UNIT = Misconception("unit", "You forget h.", MEAN(kernels=lambda squares: np.exp(-squares / 2)))


def test_two_mistakes_of_which_one_stops_are_both_named():
    def single(seed):
        by_hand, *others = trials(seed)
        return [replace(by_hand, arguments=by_hand.arguments | dict(x=np.array([0.2]))), *others]

    exercise = replace(EXERCISE, misconceptions=(RAISES, ROOT, HALF), trials=single)

    def answer(x, X, Y, h):
        K = np.exp(-((x[:, None] - X) ** 2))
        return K / K.sum(axis=1) @ Y

    assert ids(answer, exercise)[:2] == ["half", "raises_here"]


def test_a_mistake_that_fits_one_small_result_is_not_named_where_the_rest_stops():
    def answer(x, X, Y, h):
        if len(X) > 2:
            return x @ X
        return UNIT.mistaken(x, X, Y, h) + HALF.mistaken(x, X, Y, h) - MEAN()(x, X, Y, h)

    exercise = replace(EXERCISE, misconceptions=(HALF, COLUMNS))
    assert not {"half", "columns"} & {*ids(answer, exercise)}


def test_a_second_mistake_of_several_is_told_as_a_choice():
    first = Misconception("first", "The first.", MEAN(kernels=lambda squares: 2 + 0 * squares))
    second = Misconception("second", "The second.", MEAN(kernels=lambda squares: 3 + 0 * squares))
    summed = Misconception("sum", "You add 1.", MEAN(f=lambda weights, Y: weights @ Y + 1))
    exercise = replace(EXERCISE, misconceptions=(first, second, summed))
    both = joined(first.mistaken, summed.mistaken)
    one, other = problems(lambda *given: both(*given), exercise)
    assert one.id == "sum" and "(a) The first. (b) The second." in other.says


def test_a_mistake_whose_stages_are_not_in_the_line_does_not_stop_it():
    other = Misconception(
        "other", "You lose an axis of Y.", MEAN(f=lambda weights, Y: weights * Y[:, None])
    )
    exercise = replace(EXERCISE, misconceptions=(RAISES, other))

    def answer(x, X, Y, h):
        K = np.exp(-((x[:, None] - X) ** 2) / (2 * h**2))
        sums = np.ones(len(x))
        nearest = np.argsort(X) + 0.0
        return (sums + nearest) @ K

    assert "raises_here" not in ids(answer, exercise)


def test_variables_are_looked_at_where_numbers_are_not_round():
    def with_round_numbers(seed):
        whole = np.arange(9.0)
        first, *others = trials(seed)
        return [first, Trial("round", dict(x=whole, X=whole, Y=whole**2, h=2.0)), *others]

    def answer(x, X, Y, h):
        K = np.exp(-((x[:, None] - X) ** 2) / (2 * h**2))
        return unknown(K) @ Y

    assert "(Seen in this trial: N = 9.)" in told(
        answer, replace(EXERCISE, trials=with_round_numbers)
    )


def test_infinities_that_were_given_are_not_blamed_on_a_division():
    given = Trial("a row", dict(X=np.array([1.0, np.inf, 7.0])))
    exercise = Exercise(
        name="least", title="Least", lesson="", equations="", minutes=1, shapes={"X": "N"},
        returns={"f": "N"}, trials=lambda seed: [given], hints=("One?", "Two.", "Three."),
        reference=lambda X: np.minimum(X, 5),
    )  # fmt: skip
    assert "not_finite" not in ids(lambda X: X + 1, exercise)
    assert ids(lambda X: X - X, exercise)[0] == "not_finite"


# ---- what variables prove -----------------------------------------------------------------------


def test_a_variable_is_credited_with_the_first_of_two_equal_stages_only():
    def positive(squares):
        """the squares that are positive"""
        return np.maximum(squares, 0)

    def kernels(positive, h):
        """the kernels"""
        return np.exp(-positive / (2 * h**2))

    def answer(x, X, Y, h):
        t = (x[:, None] - X) ** 2
        return np.cos(np.exp(-t / h**2)) @ Y

    made = pipeline("x X Y h", squares, positive, kernels, weights, f)
    says = told(answer, replace(EXERCISE, stages=made, misconceptions=()))
    assert "Right among them: the squared distances (`t`). Not found" in says
    assert "the squares that are positive" in says.partition("Not found")[2]


def test_a_loop_over_an_argument_selects_nothing_from_it():
    def nearest(x, X):
        """the nearest rows"""
        return X[abs(x[:, None] - X.T).argmin(axis=1)]

    def f(nearest):
        """their cubes"""
        return nearest**3

    def rows(seed):
        random = np.random.default_rng(seed)
        return [
            Trial(f"N = {N}", dict(x=random.normal(size=M), X=random.normal(size=(N, 1))))
            for M, N in ((4, 9), (5, 7), (3, 12))
        ]

    def walks(x, X):
        for row in X:
            row = np.cos(row)
        return np.tan(X[: len(x)])

    def selects(x, X):
        found = []
        for place in x:
            row = X[abs(place - X[:, 0]).argmin()]
            found.append(np.cos(row))
        return np.array(found)

    made = pipeline("x X", nearest, f)
    exercise = replace(
        EXERCISE, shapes={"x": "M", "X": "N 1"}, returns={"f": "M 1"}, trials=rows, reference=made()
    )
    exercise = replace(exercise, stages=made, misconceptions=())
    assert "the nearest rows (`row`)" not in told(walks, exercise)
    assert "Right among them: the nearest rows (`row`)" in told(selects, exercise)


def test_nothing_is_missed_among_variables_after_an_exception():
    def answer(x, X, Y, h):
        t = (x[:, None] - X) ** 2
        return np.linalg.cholesky(t) @ Y

    says = told(answer)
    assert "Right among them: the squared distances (`t`)." in says and "Not found" not in says


def test_a_slip_in_one_place_of_several_says_so():
    def doubled(squares, h):
        """the kernels"""
        return np.exp(-squares / h) * squares.max() / h

    def single(squares):
        """the kernels"""
        return np.exp(-squares)

    several = _slips.slips(pipeline("x X Y h", squares, doubled))
    once = _slips.slips(pipeline("x X Y h", squares, single))
    assert "squares is transposed in one of its 2 places" in [slip.says for slip in several]
    assert "h stands where squares belongs in one of its 2 places" in [s.says for s in several]
    assert "squares is transposed" in [slip.says for slip in once]


def test_a_known_mistake_of_the_stage_is_told_instead_of_a_slip():
    slip = [Problem("slip: weights", "A slip.")]
    columns, half = (Problem(m.id, m.says) for m in (COLUMNS, HALF))
    told = lambda found, fit: _known_instead(SimpleNamespace(exercise=EXERCISE, fit=fit), found)
    assert told(slip, [half, columns]) == [columns]
    assert told(slip, [half]) == slip
    assert told([half], [columns]) == [half]
    assert told([], [columns]) == []
