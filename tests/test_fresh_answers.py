"""The answers that strangers wrote are whole; what is said of them stands in test_exercises.py."""

import builtins
import dis
import itertools

import pytest

from tools import fresh
from ukrlearn.checks import bank

RIGHT, WRONG = 3, 6


def test_each_set_has_answers_to_every_exercise():
    for which in fresh.SETS:
        assert fresh.names(which) == sorted(bank.NAMES)


def test_all_wrong_answers_have_a_verdict():
    judged = fresh.verdicts()
    for which, name in itertools.product(fresh.SETS, bank.NAMES):
        given, verdicts = fresh.answers(which, name), judged[which][name]
        numbers = len(given.RIGHT), len(given.WRONG), len(verdicts)
        assert numbers == (RIGHT, WRONG, WRONG), (which, name)
        assert {one["verdict"] for one in verdicts} <= {*fresh.VERDICTS}, (which, name)


@pytest.mark.parametrize("which", fresh.SETS)
def test_no_answer_lost_an_import(which):
    given = (fresh.answers(which, name) for name in bank.NAMES)
    for answer in (one for g in given for one in (*g.RIGHT, *(wrong for wrong, _ in g.WRONG))):
        if code := getattr(answer, "__code__", None):
            used = {i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL"}
            assert used <= {*answer.__globals__, *vars(builtins)}, answer.__name__
