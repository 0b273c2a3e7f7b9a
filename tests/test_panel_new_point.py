"""The panel that maps a new point: its numbers are the library's, far points go where it says."""

import re

import numpy as np
import pytest

from ukrlearn.estimators.maps import GRNNMap, KernelRidgeMap
from ukrlearn.panels import NewPoint
from ukrlearn.panels.new_point import GRNN, KRR


@pytest.fixture(scope="module")
def shared():
    shown = NewPoint.example()
    yield shown
    shown.close()


@pytest.fixture
def panel(shared):
    return shared.reset()


def landed(panel):
    x = re.search(r"It lands at \((.*?), (.*?)\)", panel.summary())
    return np.array([float(x[1]), float(x[2])])


def error_told(panel):
    return float(re.search(r"leave-one-out error (\S+);", panel.summary())[1])


@pytest.mark.parametrize("mapping", [KRR, GRNN])
def test_the_place_and_the_error_are_those_of_the_library(panel, mapping):
    panel.set(mapping=mapping, width=0.2, penalty=0.01, y1=-1.1, y2=0.4)
    model = KernelRidgeMap(0.5 / 0.2**2, 0.01) if mapping == KRR else GRNNMap(0.2)
    model.fit(panel._Y, panel._X)
    np.testing.assert_allclose(landed(panel), model.predict([[-1.1, 0.4]])[0], atol=5.1e-3)
    assert error_told(panel) == pytest.approx(model.left_out_error_, abs=5.1e-5)
    assert panel._here.get_ydata()[0] == pytest.approx(model.left_out_error_, rel=1e-6)
    np.testing.assert_allclose(np.ravel(panel._place.get_data()), landed(panel), atol=5.1e-3)


def test_far_points_go_to_the_origin_or_to_the_place_of_the_nearest(panel):
    panel.set(y1=-2.5, y2=-2.0, width=0.3, mapping=KRR)
    assert np.linalg.norm(landed(panel)) < 0.02
    assert "of class left. It lands" in panel.summary()  # the nearest training point
    assert panel.summary().endswith("of class top.")  # the class around the origin
    panel.set(mapping=GRNN)
    nearest = np.argmin(np.sum((panel._Y - [-2.5, -2.0]) ** 2, axis=1))
    np.testing.assert_allclose(landed(panel), panel._X[nearest], atol=0.1)
    assert panel.summary().endswith("of class left.")


def test_the_panel_opens_at_the_width_and_penalty_with_the_least_error(panel):
    state = panel.state()
    tried = [panel.error(KRR, w, 10.0**k) for w in panel._widths for k in range(-6, 2)]
    assert panel.error(KRR, state["width"], state["penalty"]) == min(tried)
    assert not state["everywhere"]
    assert np.all(panel._regions.get_array() == 1)


def test_the_colours_are_the_classes_next_to_the_places(panel):
    panel.set(everywhere=True, mapping=KRR, width=0.2)
    shades = np.asarray(panel._regions.get_array())
    far = shades[0, 0]  # the corner, far from all data
    top = panel._names.index("top")
    np.testing.assert_allclose(far, panel._shades[top])
    near = np.argmin(np.sum((panel._grid - panel._Y[0]) ** 2, axis=1))
    left = panel._names.index("left")
    np.testing.assert_allclose(shades.reshape(-1, 3)[near], panel._shades[left])


def test_the_curve_of_errors_follows_the_penalty(panel):
    before = panel.set(penalty=1e-6)._curves[KRR].get_ydata().copy()
    after = panel.set(penalty=10.0)._curves[KRR].get_ydata()
    k = np.argmin(before)
    assert after[k] > 10 * before[k]
    expected = KernelRidgeMap(0.5 / panel._widths[k] ** 2, 10.0).fit(panel._Y, panel._X)
    assert after[k] == pytest.approx(expected.left_out_error_)
