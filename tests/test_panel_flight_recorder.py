"""The flight recorder: what is shown is what was recorded, and a restart goes on from there."""

import numpy as np
import pytest
from helpers import example_of

from ukrlearn import UKR, datasets
from ukrlearn.blocks import descent
from ukrlearn.panels import FlightRecorder
from ukrlearn.panels.flight_recorder import RESTARTED
from ukrlearn.ukr.reconstruction import reconstruction_error, squared_residuals, weight_matrix

panel = example_of(FlightRecorder)


def test_it_holds_one_run_for_each_descent_all_from_one_start(panel):
    assert set(panel._runs) == {*descent.by_name, RESTARTED}
    starts = [steps[0].X for steps in panel._runs.values()]
    assert all(np.array_equal(X, starts[0]) for X in starts)
    assert panel._controls["frame"].high == 60


def test_the_summary_has_the_numbers_of_the_step(panel):
    panel.set(frame=30, run="l-bfgs", point=5)
    step = panel._runs["l-bfgs"][30]
    error, _ = reconstruction_error(step.X, panel._Y)
    weights = weight_matrix(step.X)[5]
    residual = np.sqrt(squared_residuals(step.X, panel._Y)[5])
    said = panel.summary()
    assert said.startswith(
        f"Step 30 of l-bfgs: error {error:.5f}. Point 5 at x = {step.X[5, 0]:.2f}"
    )
    assert f"about {1 / np.sum(weights**2):.1f} others, mostly point {weights.argmax()} " in said
    assert f"(weight {weights.max():.2f}), with a residual of {residual:.3f}" in said


def test_the_bars_are_the_row_of_weights(panel):
    panel.set(frame=10, run="rprop", point=7)
    x, height = panel._weights.get_data()
    X = panel._runs["rprop"][10].X
    np.testing.assert_allclose(x[::3], X[:, 0] - X[7, 0])
    np.testing.assert_allclose(height[1::3], weight_matrix(X)[7], atol=1e-12)


def test_stepping_goes_on_to_the_end_and_stops(panel):
    panel.set(frame=59)
    assert panel.step() and panel.state()["frame"] == 60
    assert not panel.step()


def test_a_restart_gives_the_latent_points_and_a_run_from_there(panel):
    panel.set(frame=20, run="gradient")
    X = panel.restart()
    np.testing.assert_array_equal(X, panel._runs["gradient"][20].X)
    assert panel.state()["run"] == RESTARTED
    anew = panel._runs[RESTARTED]
    assert len(anew) == len(panel._runs["gradient"])
    np.testing.assert_array_equal(anew[20].X, X)
    following = list(
        descent.at_most(descent.rprop(lambda X: reconstruction_error(X, panel._Y), X), 5)
    )
    np.testing.assert_array_equal(anew[25].X, following[5].X)
    assert "(RPROP restarted at step 20 of gradient)" in panel.summary()
    model = UKR(n_components=1, init=X, max_iter=0).fit(panel._Y)
    assert model.cv_error_ == pytest.approx(panel._runs["gradient"][20].error)


def test_restarts_can_be_restarted_and_are_forgotten_on_reset(panel):
    panel.set(frame=20, run="rprop").restart()
    panel.set(frame=40)
    panel.restart()
    assert "(RPROP restarted at step 40 of restarted)" in panel.summary()
    panel.reset()
    panel.set(run=RESTARTED)
    assert "the same as the first run until you restart" in panel.summary()


def test_a_restart_at_the_last_step_is_that_step(panel):
    panel.set(frame=60, run="l-bfgs")
    np.testing.assert_array_equal(panel.restart(), panel._runs["l-bfgs"][60].X)


def test_a_run_that_has_ended_stays_where_it_ended():
    Y, t = datasets.noisy_spiral(30, random_state=0)
    steps = list(
        descent.at_most(descent.rprop(lambda X: reconstruction_error(X, Y), 9 * t[:, None]), 8)
    )
    panel = FlightRecorder({"long": steps, "short": steps[:4]}, Y)
    panel.set(frame=8, run="short")
    assert f"Step 8 of short: error {steps[3].error:.5f}" in panel.summary()
    panel.set(frame=8).restart()
    panel.close()


def test_the_history_of_a_model_can_be_replayed():
    Y, _ = datasets.noisy_spiral(40, random_state=0)
    model = UKR(n_components=1, init="isomap", max_iter=5, record=True).fit(Y)
    panel = FlightRecorder({"UKR": model.history_}, Y)
    assert panel.step()
    panel.close()
