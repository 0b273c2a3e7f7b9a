"""The collapse panel: what falls with the objective, and what does not."""

import numpy as np
import pytest

from ukrlearn import ParametricDRUR, datasets, metrics
from ukrlearn.panels import Collapse

Y, t = datasets.swiss_roll(250, length=90.0, height=50.0, random_state=0)
START = t + 10 * np.random.RandomState(1).normal(size=t.shape)


@pytest.fixture(scope="module")
def panel():
    shown = Collapse(Y, t, START, rounds=8)
    yield shown
    shown.close()


@pytest.mark.parametrize("penalty", [1e-7, 1e-2, 1e2])
def test_each_penalty_is_a_fit_of_the_estimator(panel, penalty):
    panel.reset().set(penalty=penalty, frame=5)
    model = ParametricDRUR(init=START, penalty=penalty, max_iter=5).fit(Y)
    np.testing.assert_array_equal(panel.latent_points(), model.embedding_)
    r2 = metrics.procrustes_r2(model.embedding_, t)
    assert f"objective {model.history_[-1].error:.4g}" in panel.summary()
    assert f"R² = {r2:.4f}" in panel.summary()


def test_the_curves_are_the_history_of_the_fit(panel):
    panel.reset().set(frame=6)
    history = ParametricDRUR(init=START, max_iter=6).fit(Y).history_
    objective, spread, missing = (line.get_ydata() for line in panel._lines)
    errors = np.array([step.error for step in history])
    spreads = np.array([step.spread for step in history])
    np.testing.assert_allclose(objective, errors / errors[0], rtol=1e-5)
    np.testing.assert_allclose(spread, spreads / spreads[0], rtol=1e-5)
    assert missing[0] == pytest.approx(1 - metrics.procrustes_r2(START, t))


def test_the_limits_never_change(panel):
    panel.reset()
    limits = panel._plane.get_xlim(), panel._plane.get_ylim()
    for penalty in (1e-7, 1e2):
        panel.set(penalty=penalty, frame=8)
        assert (panel._plane.get_xlim(), panel._plane.get_ylim()) == limits
