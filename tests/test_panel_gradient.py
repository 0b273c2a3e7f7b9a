"""The panel of the gradient: its addends are those of (32), its differences those of the error."""

import numpy as np
import pytest
from helpers import example_of

from ukrlearn import explicit
from ukrlearn.blocks import density_kernels
from ukrlearn.panels import Gradient
from ukrlearn.panels.gradient import BOTH, HELPER, REBUILT
from ukrlearn.ukr.reconstruction import reconstruction_error

panel = example_of(Gradient, "module")


@pytest.mark.parametrize("leave_one_out", [True, False])
def test_all_addends_of_a_point_sum_to_its_gradient(panel, leave_one_out):
    _, gradient = reconstruction_error(panel.X, panel._Y, leave_one_out=leave_one_out)
    for point in (0, 12, 69):
        total = panel.addends(point, BOTH, leave_one_out).sum(axis=0)
        np.testing.assert_allclose(total, gradient[point], atol=1e-15)


def test_the_two_halves_make_the_whole(panel):
    halves = panel.addends(12, REBUILT) + panel.addends(12, HELPER)
    np.testing.assert_allclose(halves, panel.addends(12), atol=1e-18)


def test_what_one_point_does_to_another_comes_back_with_the_opposite_sign(panel):
    np.testing.assert_allclose(panel.addends(12)[30], -panel.addends(30)[12], atol=1e-18)


def test_the_summary_has_the_numbers_of_the_loops(panel):
    panel.set(point=30, addends=BOTH, step=1e-5, leave_one_out=True)
    _, gradient = explicit.reconstruction_error(panel.X.tolist(), panel._Y.tolist())
    first, second = gradient[30]
    said = f"({first:.6f}, {second:.6f})"
    assert f"gradient {said}, sum of the addends shown {said}" in panel.summary()


def test_differences_agree_at_a_middling_step_only(panel):
    _, gradient = reconstruction_error(panel.X, panel._Y)
    off = [np.linalg.norm(panel.difference(30, h) - gradient[30]) for h in (1.0, 1e-5, 1e-10)]
    assert off[1] < 1e-8 * np.linalg.norm(gradient[30])
    assert off[0] > 1e3 * off[1] and off[2] > 10 * off[1]


def test_the_chain_ends_at_the_arrow_only_with_all_addends(panel):
    ends = {}
    for part in (BOTH, REBUILT):
        panel.set(point=30, addends=part, step=1e-5, leave_one_out=True)
        ends[part] = panel._chain.get_segments()[-1][-1] - panel._tip.get_xydata()[0]
    np.testing.assert_allclose(ends[BOTH], 0, atol=1e-12)
    assert np.linalg.norm(ends[REBUILT]) > 0.05


def test_a_point_that_feels_nothing_is_shown_as_such():
    X = np.array([[0.0, 0.0], [0.5, 0.0], [0.0, 0.5], [9.0, 9.0]])
    panel = Gradient(X, np.arange(8.0).reshape(4, 2) ** 2, density_kernels.quartic)
    panel.set(point=3)
    assert "gradient (0.000000, 0.000000)" in panel.summary()
    panel.close()


def test_the_page_gets_the_points_and_gives_back_where_they_have_gone(panel):
    panel.set(point=30, addends=BOTH, step=1e-5, leave_one_out=True)
    first, before = panel.X, panel.png()
    given = panel.given()
    np.testing.assert_array_equal(given["X"], first)
    np.testing.assert_array_equal(given["Y"], panel._Y)
    moved = first + 0.1 * np.random.default_rng(0).normal(size=first.shape)
    panel._view.out = {"X": moved.ravel().tolist(), "error": 1.0}  # as the page sends them
    np.testing.assert_array_equal(panel.X, moved)
    error, gradient = reconstruction_error(moved, panel._Y)
    assert panel.summary().startswith(f"Error R_cv = {error:.4g}. Point 30: gradient (")
    np.testing.assert_allclose(panel.addends(30).sum(axis=0), gradient[30], atol=1e-15)
    assert panel.png() != before
    twin = panel.copy()
    assert twin.summary() == panel.summary() and twin.X is not panel.X
    np.testing.assert_array_equal(twin._dots.get_offsets(), moved)
    twin.close()
    panel.reset()
    assert panel.X is first
    for wrong, why in ((moved[1:], "a row for each of 70"), (moved * np.nan, "finite")):
        with pytest.raises(ValueError, match=why):
            panel.put(X=wrong)
    panel.put(X=moved).reset()
    assert panel._view.put["X"] == first.tolist()
