"""Answers that strangers wrote from the notebooks alone: right ones pass, wrong ones do not.

A sample, one set for each exercise; `python tools/fresh.py SET` looks at all of them.
"""

import builtins
import dis
import itertools

import numpy as np
import pytest

from tools import fresh
from ukrlearn.checks import bank

RIGHT, WRONG = 3, 6
SAMPLE = {name: fresh.SETS[number % len(fresh.SETS)] for number, name in enumerate(bank.NAMES)}


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


@pytest.mark.parametrize("name", bank.NAMES)
def test_answers_are_judged_as_they_were(name):
    which = SAMPLE[name]
    given, judged = fresh.answers(which, name), fresh.verdicts()[which][name]
    for answer in given.RIGHT:
        assert fresh.findings(name, answer).passed, answer.__name__
    random = np.random.default_rng(len(name))
    for number in random.choice(WRONG, 2, replace=False):
        found = fresh.findings(name, given.WRONG[number][0])
        assert not found.passed
        told = fresh.first_ids(found)
        assert set(told) == set(judged[number]["first"]), (
            "The verdict is out of date: judge anew, see fresh.py"
        )
