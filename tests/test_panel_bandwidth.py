"""The bandwidth panel: its numbers are the library's, its weights a softmax."""

import numpy as np
import pytest
from helpers import example_of

from ukrlearn.blocks.density_kernels import quartic
from ukrlearn.blocks.kernel_regression import predict, weights
from ukrlearn.panels import Bandwidth
from ukrlearn.ukr.reconstruction import reconstruction_error, weight_matrix

panel = example_of(Bandwidth)


def test_the_summary_has_the_errors_of_the_library(panel):
    panel.set(bandwidth=0.05)
    plain, cv = (
        reconstruction_error(panel._X / 0.05, panel._Y, leave_one_out=k)[0] for k in (False, True)
    )
    assert f"R = {plain:.4f}, leave-one-out error R_cv = {cv:.4f}." in panel.summary()


def test_the_weights_are_a_row_of_b(panel):
    B = weights(panel._X / 0.1, panel._X / 0.1)
    np.testing.assert_allclose(panel.weights(0.1, 7), B[6], rtol=1e-12)
    B = weight_matrix(panel._X / 0.1)
    b = panel.weights(0.1, 7, left_out=True)
    assert b[6] == 0
    np.testing.assert_allclose(b, B[6], rtol=1e-12)


def test_leaving_the_chosen_point_out_changes_the_curve_as_deleting_it_does(panel):
    panel.set(bandwidth=0.05, point=12, left_out=True)
    x, f = panel._curve.get_data()
    X, Y = np.delete(panel._X, 11, axis=0), np.delete(panel._Y, 11, axis=0)
    np.testing.assert_array_equal(f, predict(x[:, None] / 0.05, X / 0.05, Y)[:, 0])
    assert "without itself" in panel.summary()


def test_at_the_ends_a_point_counts_for_itself_alone_or_like_all_others(panel):
    slider = panel._controls["bandwidth"]
    panel.set(bandwidth=slider.high)
    assert "from about 40.0 points" in panel.summary()
    assert panel.weights(slider.high, 5).max() < 1.2 / 40
    assert panel.weights(slider.low, 5)[4] > 0.99


def test_the_least_leave_one_out_error_is_inside_the_range(panel):
    best = panel._errors[:, 1].argmin()
    assert 0 < best < len(panel._bandwidths) - 1
    assert panel._errors[:, 0].argmin() == 0


def test_a_compact_kernel_and_unsorted_inputs_are_drawn():
    x = np.array([3.0, 1.0, 2.0, 9.0])
    panel = Bandwidth(x, x**2, quartic, bandwidth=1.5, point=4)
    assert "x = 9.000, y = 81.000 is rebuilt as 81.000 with a weight of 1.000" in panel.summary()
    panel.set(left_out=True)  # nobody is near: the mean of the others
    assert "rebuilt as 4.667 without itself, from about 3.0 points" in panel.summary()
    panel.close()


def test_the_page_gets_the_data_and_gives_back_what_the_hand_made(panel):
    given = panel.given()
    np.testing.assert_array_equal(given["points"], np.hstack([panel._X, panel._Y]))
    assert (given["kernel"], given["controls"]["point"]["value"]) == ("gaussian", 20)
    before = panel.png(), panel.summary(), panel._errors
    panel._view.out = {"points": [2.0, 1.0, 0.5, 3.0, 1.0, 2.0]}  # as the page sends them
    np.testing.assert_array_equal(panel.points, [[0.5, 3], [1, 2], [2, 1]])
    assert panel.state()["point"] == 3 and panel.png() != before[0]
    plain, cv = panel.errors(panel.state()["bandwidth"])
    assert f"R = {plain:.4f}, leave-one-out error R_cv = {cv:.4f}." in panel.summary()
    twin = panel.copy()
    assert (twin.summary(), twin.png()) == (panel.summary(), panel.png())
    twin.close()
    panel.reset()
    assert panel.state()["point"] == 20 and panel.summary() == before[1]
    np.testing.assert_array_equal(panel._dots.get_xydata(), given["points"])
    np.testing.assert_array_equal(panel._errors, before[2])


def test_points_can_be_put_and_what_is_no_point_is_refused(panel):
    points = np.column_stack([np.arange(5.0), np.arange(5.0) ** 2])
    assert panel.put(points=points[::-1]) is panel
    np.testing.assert_array_equal(panel.points, points)
    assert panel._view.out == {"points": points[::-1].tolist()}
    number = panel._view.put["number"]
    panel.put(points=points[::-1])
    assert panel._view.put == panel._view.out | {"number": number + 1}, "the page must notice"
    for wrong, why in (([[0.0, np.nan]] * 3, "finite"), ([1, 2, 3], "two columns"),
                       ([[1, 2]], "two rows or more"), ("text", "two columns")):  # fmt: skip
        with pytest.raises(ValueError, match=why):
            panel.put(points=wrong)
    np.testing.assert_array_equal(panel.points, points)
    assert panel.set(point=5).state()["point"] == 5


def test_outputs_that_are_all_equal_are_drawn():
    panel = Bandwidth(np.arange(5.0), np.ones(5))
    assert "error R = 0.0000, leave-one-out error R_cv = 0.0000" in panel.summary()
    panel.close()


def test_a_point_that_does_not_exist_is_refused(panel):
    before = panel.png()
    with pytest.raises(ValueError, match="chosen point must be between 1 and 40; got 41"):
        panel.set(point=41)
    assert panel.png() == before
