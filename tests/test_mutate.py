"""The names in the tool that mutates modules: an example that does not run teaches nothing."""

import ast
import re

import numpy as np
import pytest
from answers import grnn
from helpers import each

from tools import mutate
from ukrlearn.checks import _diagnosing, bank
from ukrlearn.checks._apart import here
from ukrlearn.checks._case import Case

EXAMPLES = {*mutate.EXAMPLES, *re.findall(r"tools/mutate\.py (\w\S*)", mutate.__doc__)}


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_an_example_names_a_module_that_has_tests(name):
    assert mutate.tests_of(mutate.find(name))


def test_the_tests_of_modules_with_several_exist():
    named = {test for tests in mutate.TESTS.values() for test in tests}
    named |= set(re.findall(r"test_\w+\.py", mutate.__doc__))
    assert {test for test in named if not (mutate.ROOT / "tests" / test).exists()} == set()


@pytest.mark.parametrize(
    ("name", "says"), [("nothing", "it names none"), ("projec*", "it names .*, panels/projection")]
)
def test_what_names_no_module_or_several_is_refused(name, says):
    with pytest.raises(SystemExit, match=says):
        mutate.find(name)


def test_a_module_without_tests_of_its_own_needs_them_named():
    with pytest.raises(SystemExit, match="There is no tests/test__base.py; name the tests"):
        mutate.tests_of(mutate.find("panels/_base"))


def test_each_equivalent_mutant_is_still_one_of_its_module_and_has_a_reason():
    _, *lines = filter(None, mutate.EQUIVALENT.read_text(encoding="utf-8").splitlines())
    assert len(lines) == len(set(lines))
    places = {module: places_of(module) for module in {line.split(" | ")[0] for line in lines}}
    for line in lines:
        where, _, reason = line.rpartition(" | ")
        assert where in places[line.split(" | ")[0]], f"{line}: no such mutant; delete the line"
        assert reason


def places_of(module):
    """All mutants of the modules with this name, as the list of equivalent mutants writes them."""
    found = set()
    if (exercise := module.removeprefix("answers/")) != module:
        return {f"{module} | {text} | {of}" for text, of, _ in mutate.mutated_answers(exercise)}
    for path in (mutate.ROOT / "ukrlearn").glob(f"**/{module}.py"):
        source = path.read_text(encoding="utf-8")
        lines = source.splitlines()
        for *_, node in mutate.places(ast.parse(source)):
            text = lines[node.lineno - 1].strip() if hasattr(node, "lineno") else ""
            found |= {f"{module} | {text} | {change}" for change, _ in mutate.replacements(node)}
    return found


# A sample of what `python tools/mutate.py --answers NAME` does in full.
PER_EXERCISE = 2


def passes(name, made):
    """Whether a mutant is right in all trials; nobody asks what is wrong with one that is not."""
    exercise = bank.find(name)
    trials = exercise.trials(0)
    try:
        answer = made()
    except Exception:
        return False
    with here(exercise, answer, trials) as candidate:
        called = _diagnosing._called(exercise, candidate, trials)
        case = Case(exercise, called, candidate, ())
    return case.all_right and not case.broken and not case.changed


def test_the_verdict_on_a_mutant_names_its_mistake():
    mistake, wrong = grnn.WRONG[1]
    assert mutate.verdict("grnn", lambda: grnn.RIGHT[0]) == ("accepted", "")
    assert mutate.verdict("grnn", lambda: wrong) == ("named", mistake)
    assert mutate.verdict("grnn", lambda: 1 / 0) == ("raises", "")


# Where properties alone decide, as of a descent, another way may be right.
FUNCTIONS = [name for name in bank.NAMES if bank.find(name).reference is not None]


@each("name", FUNCTIONS)
def test_no_mutant_of_a_solution_is_accepted(name):
    made = list(mutate.mutated_answers(name))
    known = mutate.EQUIVALENT.read_text(encoding="utf-8")
    random = np.random.default_rng(len(made))
    for number in random.choice(len(made), min(PER_EXERCISE, len(made)), replace=False):
        text, change, answer = made[number]
        if f"\nanswers/{name} | {text} | {change} | " not in known:
            assert not passes(name, answer), (text, change)
