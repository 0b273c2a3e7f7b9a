"""The panel that fits anew for each position of its slider."""

from functools import partial

import numpy as np
import pytest

from ukrlearn import datasets
from ukrlearn.blocks import descent
from ukrlearn.blocks.kernel_regression import predict
from ukrlearn.panels import Refit
from ukrlearn.ukr.reconstruction import reconstruction_error


@pytest.fixture(scope="module")
def panel():
    Y, t = datasets.noisy_spiral(60, random_state=0)
    shown = Refit(30 * t[:, None], Y, moves=20)
    yield shown
    shown.close()


def test_the_steps_are_rprop_from_the_start_at_this_bandwidth(panel):
    objective = partial(reconstruction_error, Y=panel._Y)
    steps = list(descent.at_most(descent.rprop(objective, panel._X / 2), 20))
    shown = panel.steps(2.0)
    np.testing.assert_array_equal(shown[0].X, panel._X / 2)
    assert [step.error for step in shown] == list(np.minimum.accumulate([s.error for s in steps]))


def test_the_summary_and_the_error_curve_have_the_same_numbers(panel):
    panel.set(bandwidth=0.5)
    errors = panel._errors.get_ydata()
    assert len(errors) == 21
    assert f"R_cv = {errors[0]:.5f}; after 20 RPROP steps {errors[-1]:.5f}" in panel.summary()


def test_the_curves_are_the_models_before_and_after(panel):
    panel.set(bandwidth=4.0)
    steps = panel.steps(4.0)
    for line, step in zip(panel._curves, (steps[0], steps[-1]), strict=True):
        grid = np.linspace(step.X.min(), step.X.max(), 600)[:, None]
        np.testing.assert_array_equal(
            np.stack(line.get_data(), axis=1), predict(grid, step.X, panel._Y)
        )
