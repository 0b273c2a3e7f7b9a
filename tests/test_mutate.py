"""The names in the tool that mutates modules: an example that does not run teaches nothing."""

import ast
import re

import pytest

from tools import mutate

EXAMPLES = {*mutate.EXAMPLES, *re.findall(r"tools/mutate\.py (\S+)", mutate.__doc__)}


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
    for path in (mutate.ROOT / "ukrlearn").glob(f"**/{module}.py"):
        source = path.read_text(encoding="utf-8")
        lines = source.splitlines()
        for *_, node in mutate.places(ast.parse(source)):
            text = lines[node.lineno - 1].strip() if hasattr(node, "lineno") else ""
            found |= {f"{module} | {text} | {change}" for change, _ in mutate.replacements(node)}
    return found
