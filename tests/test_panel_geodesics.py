"""The panel of shortest paths on the roll: its graph, its way from end to end, its words."""

import numpy as np
import pytest

from ukrlearn.panels import Geodesics


@pytest.fixture(scope="module")
def panel():
    shown = Geodesics(300)
    yield shown
    shown.close()


@pytest.fixture(autouse=True)
def from_the_start(panel):
    panel.reset()


def test_at_the_start_the_path_follows_the_sheet(panel):
    walk = panel.walk(**panel.state())
    assert not walk.is_short.any() and not walk.is_arc.any()
    assert walk.straight < walk.length < 1.2 * walk.straight and walk.score > 0.95


@pytest.mark.parametrize("change", [{"n_neighbors": 8}, {"noise": 1.0}, {"hole": 0.5}])
def test_each_control_makes_shortcuts_and_the_path_takes_one(panel, change):
    walk = panel.walk(**{**panel.state(), **change})
    assert walk.is_short.any() and walk.length < 0.8 * walk.straight
    assert "over 1 shortcut;" in panel.set(**change).summary()


def test_what_the_hand_has_moved_goes_along_into_a_copy_and_is_taken_back(panel):
    before = panel.summary()
    moved = panel.put(moved_points=[[5, 1.0, -9.0]]).summary()
    twin = panel.copy()
    assert twin.summary() == moved != before
    np.testing.assert_array_equal(panel.walk(6, 0.2, 0.0).Y, twin.walk(6, 0.2, 0.0).Y)
    assert panel.reset().summary() == before and twin.summary() == moved
    twin.close()
