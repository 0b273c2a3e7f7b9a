"""The panel of points and lines: its alternation, its starts, and what broken readings do."""

import numpy as np
import pytest
from helpers import assert_close, example_of

from ukrlearn.panels import Quantizer
from ukrlearn.panels.quantizer import ONE_LINE, THREE_POINTS

panel = example_of(Quantizer, "module")


@pytest.fixture(autouse=True)
def from_the_start(panel):
    panel.reset()


def end(panel, *, cost="squared", codes=ONE_LINE, reading=2.0, start=0):
    return panel.steps(cost, codes, reading, start)[-1]


def test_lines_have_no_l1_cost_and_the_picture_stays(panel):
    panel.set(codes=ONE_LINE)
    before = panel.png()
    with pytest.raises(ValueError, match="choose squared or Huber"):
        panel.set(cost="L1")
    assert panel.png() == before and panel.state()["cost"] == "squared"


def test_codes_that_the_hand_has_placed_are_the_start_that_they_replace(panel):
    at = [[0.1, 0.2, 1.0, 0.0], [0.5, 0.5, 1.0, 0.0], [2.0, 0.5, 1.0, 0.0]]
    panel.put(placed={"codes": THREE_POINTS, "start": 0, "at": at})
    assert_close(end(panel, codes=THREE_POINTS).f.C[:, 0].round(1), [0.2, 0.9, 2.0])
    assert_close(panel.steps("squared", THREE_POINTS, 2.0, 0)[0].f.C, np.array(at)[:, :2])
    assert "start by hand" in panel.summary() == panel.copy().summary()
    assert "start 1," in panel.set(start=1).summary()
    for codes, start in ((ONE_LINE, 0), (THREE_POINTS, 77), (THREE_POINTS, np.inf)):
        with pytest.raises(ValueError, match="placed must be None or have"):
            panel.put(placed={"codes": codes, "start": start, "at": at})
