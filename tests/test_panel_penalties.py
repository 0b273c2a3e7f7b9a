"""The panel of leave-one-out penalties: its numbers are the library's, wherever points go."""

import numpy as np
import pytest
from helpers import example_of

from ukrlearn.blocks import density_kernels
from ukrlearn.panels import Penalties
from ukrlearn.ukr.reconstruction import penalty_factors, reconstruction_error, squared_residuals

panel = example_of(Penalties)


def dragged(panel):
    point, x = panel.state()["point"], panel.state()["x"]
    X = panel._X.copy()
    X[point] = x
    return X, point


def test_the_summary_has_the_numbers_of_the_library(panel):
    panel.set(point=20, x=25.0)
    X, n = dragged(panel)
    plain, left_out = (squared_residuals(X, panel._Y, leave_one_out=out)[n] for out in (0, 1))
    R, R_cv = (reconstruction_error(X, panel._Y, leave_one_out=out)[0] for out in (0, 1))
    said = panel.summary()
    assert f"penalty factor S = {penalty_factors(X)[n]:.3g} " in said
    assert f"term {plain:.5f} in R and {left_out:.5f} in R_cv" in said
    assert said.endswith(f"R = {R:.5f}, R_cv = {R_cv:.5f}.")


def test_a_newly_chosen_point_starts_where_it_was_learnt(panel):
    panel.set(x=3.0)
    panel.set(point=7)
    assert panel.state()["x"] == panel._X[7, 0]
    assert "The move affects no other point" in panel.summary()


def test_the_term_of_a_point_is_its_penalty_times_its_plain_term(panel):
    panel.set(point=11, x=28.0)
    plain, left_out = (tips.get_offsets()[:, 1] for tips in panel._tips)
    X, _ = dragged(panel)
    expected = penalty_factors(X) * squared_residuals(X, panel._Y, leave_one_out=False)
    np.testing.assert_allclose(left_out, expected, rtol=1e-9)
    np.testing.assert_allclose(plain, penalty_factors(X))


@pytest.mark.parametrize("end", [0, -1])
def test_dragging_to_either_end_isolates_a_point(panel, end):
    panel.set(x=float(panel._grid[end, 0]))
    X, n = dragged(panel)
    assert penalty_factors(X)[n] > 1e4
    assert panel._tips[0].get_offsets()[n, 1] == 100  # the bar ends at the edge of the picture


def test_a_compact_kernel_may_leave_a_point_alone():
    x = np.linspace(0, 5, 30)[:, None]
    panel = Penalties(x, np.hstack([x, x**2]), density_kernels.quartic)
    panel.set(x=9.0)
    assert "S = infinite" in panel.summary()
    assert np.isfinite(panel._tips[1].get_offsets()).all()
    panel.close()
