"""Wrong values for every parameter of everything public: an answer, or a message that names it.

The table of calls is `surface`. Every wrong value that must be refused is tried. Values that are
right for a parameter after all are not tried on figures and panels, since drawing takes long; with
UKRLEARN_FULL_MATRIX=1 they are. ``python tests/surface.py`` prints the cells that fall short.
"""

import inspect
import os
from collections import Counter
from numbers import Integral

import numpy as np
import pytest
import surface
from helpers import each
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ukrlearn
from ukrlearn import SNE, UKR, datasets
from ukrlearn.blocks import arguments, descent
from ukrlearn.blocks.arguments import checked, shown

FULL = bool(os.environ.get("UKRLEARN_FULL_MATRIX"))
SLOW = ("figures", "panels")
FUZZED = 2000  # calls
PARTS = 4  # of the fuzz, so that a failure does not hide the others

# What is public and not called here, and why.
RECORDS = "a record that the library makes; it holds what it is given"
BASES = "a base, or a control of panels, for whoever writes a panel"
ELSEWHERE = {
    **dict.fromkeys(
        ("Deflation", "Filter", "Spectrum", "Kernels", "Maps", "Projected", "Round"), RECORDS
    ),
    **dict.fromkeys(("Choice", "Panel", "Replay", "Slider", "Switch"), BASES),
}
EXPORTED = ("datasets", "drur", "estimators", "figures", "metrics", "panels", "sgd")


# ------------------------------------------------------------------------------- the matrix


def test_everything_public_is_in_the_table():
    called = {call.name.split(".")[-1] for call in surface.CALLS}
    missing = [
        f"{folder}.{name}"
        for folder in EXPORTED
        for name in getattr(ukrlearn, folder).__all__
        if callable(getattr(getattr(ukrlearn, folder), name))
        and name not in called
        and name not in ELSEWHERE
    ]
    assert not missing
    classes = [name for name in ukrlearn.__all__ if inspect.isclass(getattr(ukrlearn, name))]
    assert set(classes) <= called and len(surface.WRONG) == 15


@pytest.mark.parametrize("group", [name for name in surface.GROUPS if FULL or name != "panels"])
def test_right_arguments_are_taken(group):
    for call in surface.GROUPS[group]:
        assert surface.judged(call, {}) == ("accepted", ""), call.name


@each("group", surface.GROUPS)
def test_a_wrong_value_is_refused_by_the_name_of_its_parameter(group):
    short = [
        f"{call.name}({parameter}={label}): {fault}"
        for call, parameter, label in surface.matrix(surface.GROUPS[group])
        if (FULL or group not in SLOW or label not in call.kinds[parameter])
        and (fault := surface.falls_short(call, parameter, label))
    ]
    assert not short, f"{len(short)} fall short: " + "; ".join(short[:10])


def test_the_judge_finds_what_falls_short():
    def careless(count=1, h=1.0, rows=(1.0,), table=None):
        if table is not None:
            raise ValueError("count is not table" * 1000)
        return [float(np.log(np.float64(h)))] * count * len(rows)

    call = surface.function(careless, {}, count="count", h="positive", rows="", table="?")
    verdicts = Counter(
        str(surface.falls_short(call, parameter, label)).split(":")[0]
        for _, parameter, label in surface.matrix([call])
    )
    wanted = {"raw exception", "accepted", "names no parameter", "long message", "None"}
    assert wanted <= set(verdicts)


# ------------------------------------------------------------------------------- the fuzz

_texts = st.text(max_size=5)
_numbers = st.one_of(
    st.integers(-3, 60),
    st.integers(10**12, 10**30),  # millions would be right, and would take minutes
    st.integers(-(10**30), -1),
    st.floats(),
    st.sampled_from([2**31, 2**63, 1e308, 5e-324, np.float32(2), np.int8(3), np.bool_(True), 2j]),
)
_shapes = st.sampled_from(
    [(), (0,), (1,), (3,), (14,), (14, 1), (14, 2), (14, 3), (2, 2, 2), (0, 2)]
)


@st.composite
def _arrays(draw):
    fill = draw(st.sampled_from([0.0, 1.0, -1.0, 1e200, np.nan, np.inf, True, "a", None, 2 + 1j]))
    return np.full(draw(_shapes), fill)


any_value = st.one_of(
    st.sampled_from(list(surface.WRONG.values())),
    _numbers,
    _texts,
    _arrays(),
    st.lists(st.one_of(_numbers, _texts), max_size=3),
    st.dictionaries(_texts, _numbers, max_size=2),
)
FUZZED_CALLS = [
    call for call in surface.CALLS if call.kinds and call not in surface.GROUPS["panels"]
]


@pytest.mark.parametrize("part", range(PARTS))
def test_random_calls_raise_nothing_raw(part):
    @settings(
        max_examples=FUZZED // PARTS,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def fuzz(data):
        call = data.draw(st.sampled_from(FUZZED_CALLS[part::PARTS]))
        names = st.lists(st.sampled_from(sorted(call.kinds)), min_size=1, max_size=2, unique=True)
        changed = {name: data.draw(any_value) for name in data.draw(names)}
        if "n_jobs" in changed and isinstance(changed["n_jobs"], Integral):
            changed["n_jobs"] = 0  # other numbers start processes
        verdict, details = surface.judged(call, changed, any_name=True)
        assert verdict in ("", "accepted", "not finite"), f"{call.name}: {verdict}: {details}"

    fuzz()


# ------------------------------------------------------------------------------- the mechanism


def test_checks_see_what_was_passed_and_the_function_gets_what_they_return():
    @checked(
        arguments.same_length("Y", "t"), Y=arguments.table, t=arguments.vector, h=arguments.positive
    )
    def f(Y, t=None, *, h="auto"):
        return Y, t, h

    Y, t, h = f([[1, 2]], [3], h=2)
    assert Y.dtype == t.dtype == float and h == 2.0
    assert f([[1]], None)[1:] == (None, "auto"), "the default is not checked"
    with pytest.raises(ValueError, match="Y and t must have the same number of rows; got 1 and 2"):
        f([[1]], [1, 2])
    with pytest.raises(TypeError, match=r"f\(\) missing 1 required positional argument: 'Y'"):
        f()
    with pytest.raises(TypeError, match="f has no parameter X"):
        checked(X=arguments.table)(f)
    assert f.__name__ == "f" and list(inspect.signature(f).parameters) == ["Y", "t", "h"]


class Unprintable:
    def __repr__(self):
        raise RuntimeError


def test_a_message_shows_any_value_in_few_characters():
    for value in (
        "x" * 10**6,
        10**400,
        -(10**5000),
        list(range(10**5)),
        Unprintable(),
        np.ones(999),
    ):
        assert len(shown(value)) < 200
    assert shown("rbf") == "'rbf'" and shown(0.1) == "0.1" and shown(-1) == "-1"


@each(
    "check, right, wrong",
    [
        (arguments.count, [1, np.int8(3), 2**31 - 1], [0, 2**31, 1.0, True, np.bool_(1), "1"]),
        (arguments.count_from_zero, [0], [-1]),
        (arguments.seed, [0, 2**32 - 1], [-1, 2**32]),
        (arguments.positive, [5e-324, 1e308, np.float32(1)], [0, np.inf, np.nan, 10**400, True]),
        (arguments.not_negative, [0, 0.0], [-5e-324, np.inf]),
        (arguments.share, [0, 0.999], [1, -1]),
        (arguments.share_above_zero, [0.5], [0, 1]),
        (arguments.number, [-1, 1e308], [np.nan, np.inf, -np.inf, 10**400, -(10**400), 1j]),
        (arguments.switch, [True, False, np.bool_(0)], [0, 1, None, np.nan, np.ones(2), len]),
        (arguments.verbosity, [0, 1, 11, True], [-1, 0.5, None]),
        (
            arguments.random_state,
            [None, 0, 7, np.random.RandomState(0)],
            [-1, True, 1.0, "0", 2**32],
        ),
        (arguments.workers, [None, -1, 1, 4], [0, True, 1.5, 10**400]),
        (
            arguments.labels,
            [[1, 2], ["a", "b"], [True, False]],
            [[], [["a"]], ["a", None], [np.nan]],
        ),
        (arguments.names, [["a"], ("a", "b")], ["ab", [], [1], {"a": 1}]),
        (arguments.columns, [[1, 2], [[1, 2]]], [1, [], [[]], [[[1]]], [np.inf], ["a"], [1j]]),
        (arguments.column, [[1, 2], [[1], [2]]], [[[1, 2]], []]),
        (arguments.square, [np.eye(2)], [np.ones((2, 3))]),
        (arguments.place, [(0, 1)], [(1,), (1, np.nan), 3]),
    ],
)
def test_checks_tell_right_from_wrong(check, right, wrong):
    for value in right:
        check("parameter", value)
    for value in wrong:
        with pytest.raises((TypeError, ValueError), match="parameter must"):
            check("parameter", value)


# ------------------------------------------------------------------------------- own descents

Y = datasets.noisy_spiral(30, random_state=0)[0]


def nan_after_one_step(objective, X0):
    for step in descent.gradient_descent(objective, X0):
        yield step
        yield step._replace(X=np.full_like(step.X, np.nan))


def without_end_and_sense(objective, X0):
    while True:
        yield 3


def of_another_shape(objective, X0):
    for step in descent.gradient_descent(objective, X0):
        yield step._replace(X=step.X[:-1])


def without_a_number(objective, X0):
    for step in descent.gradient_descent(objective, X0):
        yield step._replace(error="small")


@each("model", [UKR, SNE])
@each(
    "rubbish",
    [
        lambda objective, X0: None,
        nan_after_one_step,
        without_end_and_sense,
        of_another_shape,
        without_a_number,
    ],
)
def test_a_descent_that_yields_rubbish_is_named(model, rubbish):
    unfit = model(1, init="pca", max_iter=3, descent=rubbish)
    with pytest.raises((TypeError, ValueError), match="^descent must yield steps"):
        unfit.fit(Y)
    assert not hasattr(unfit, "embedding_")


def test_ones_own_descent_keeps_what_it_declares():
    from functools import partial

    model = dict(n_components=1, init="pca", max_iter=3, homotopy=False)
    own = partial(descent.lbfgs, memory=10)
    expected = UKR(**model, descent="l-bfgs").fit(Y).embedding_
    np.testing.assert_array_equal(UKR(**model, descent=own).fit(Y).embedding_, expected)
    guidance = ukrlearn.SpectralGuidance(steps=2)
    expected = UKR(**model, descent="l-bfgs", guidance=guidance).fit(Y).embedding_
    found = UKR(**model, descent=own, guidance=guidance).fit(Y).embedding_
    np.testing.assert_array_equal(found, expected)
