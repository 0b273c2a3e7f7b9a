"""The homotopy panel: each step obeys the threshold of its stage, and its numbers are R_cv."""

import base64

import numpy as np
import pytest
from helpers import example_of

from ukrlearn.panels import Homotopy, homotopy
from ukrlearn.ukr.reconstruction import reconstruction_error

panel = example_of(Homotopy, "module")


def test_the_summary_has_the_numbers_of_the_step(panel):
    panel.set(frame=30)
    error, _ = reconstruction_error(panel._X[30], panel._Y)
    assert f"R_cv = {error:.4f}, lowest density {panel._least[30]:.4f} K(0)" in panel.summary()
    assert "η = 0.1" in panel.summary()


def test_a_stage_is_shown_at_its_end_and_a_step_knows_its_stage(panel):
    panel.set(stage=2)
    assert panel.state() == {"frame": 25, "stage": 2}
    panel.set(frame=26)
    assert panel.state()["stage"] == 3


def test_the_points_of_a_stage_are_those_at_its_end(panel):
    assert np.ptp(panel.points(0), axis=0).max() < 0.5
    for stage, (_, error, _) in enumerate(panel.ends(), 1):
        assert reconstruction_error(panel.points(stage), panel._Y)[0] == pytest.approx(error)


def test_the_stages_end_lower_and_lower(panel):
    errors = [error for _, error, _ in panel.ends()]
    assert errors == sorted(errors, reverse=True)
    assert [eta for eta, _, _ in panel.ends()] == [0.5, 0.25, 0.1, 0.05, 0.025, 0.01, 0.005, None]


def test_the_border_is_where_the_density_is_the_threshold(panel):
    from ukrlearn.blocks.kernel_regression import latent_density

    panel.set(stage=3)
    X, threshold = panel._X[panel.state()["frame"]], 0.1
    border = np.vstack(panel._border.get_segments())
    np.testing.assert_allclose(latent_density(border, X), threshold, rtol=0.1)


def test_the_last_stage_shows_the_threshold_of_step_6(panel):
    panel.set(stage=8)
    assert f"step 6 would give η = {panel._least[-1]:.4f}" in panel.summary()


def test_the_page_gets_the_steps_and_their_words(panel):
    given = panel.given()
    assert given["frames"] == list(range(len(panel._X)))
    steps = np.frombuffer(base64.b64decode(given["X"]["steps"]), "<u2")
    step = (given["X"]["high"] - given["X"]["low"]) / 65535
    X = given["X"]["low"] + steps.reshape(len(panel._X), 60, 2) * step
    np.testing.assert_allclose(X, panel._X, atol=0.51 * step)
    for frame in (0, 40, len(panel._X) - 1):
        assert given["words"][frame] == panel.set(frame=frame).summary()
        assert given["errors"][frame] == pytest.approx(panel._errors[frame], abs=1e-6)
    assert given["classes"] and len(given["colors"]) == 60


def test_with_many_points_the_page_gets_some_steps_and_the_end_of_each_stage(panel, monkeypatch):
    monkeypatch.setattr(homotopy, "ROOM", 12_000)
    given = panel.given()
    assert len(given["X"]["steps"]) < 16_000 and len(given["words"]) == len(panel._X)
    ends = {panel._last_of(stage) for stage in range(1, 9)}
    assert {0} | ends <= set(given["frames"]) < set(range(len(panel._X)))


def test_the_page_moves_step_and_stage_together(panel):
    panel._view.values = {"frame": 26, "stage": 3}
    assert panel.state() == {"frame": 26, "stage": 3}
    assert panel.summary() == panel.given()["words"][26]
