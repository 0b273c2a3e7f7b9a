"""The names in the tool that mutates modules: an example that does not run teaches nothing."""

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
