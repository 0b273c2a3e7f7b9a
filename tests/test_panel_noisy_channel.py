"""The panel of the noisy channel: its errors, and who is best at which noise."""

import numpy as np
import pytest
from helpers import example_of

from ukrlearn.panels import NoisyChannel
from ukrlearn.panels.noisy_channel import SIGMAS, SMOOTH
from ukrlearn.rpm.robust_coding import noisy_distortion

FINE = "fine space-filling curve"

panel = example_of(NoisyChannel, "module")


@pytest.fixture(autouse=True)
def from_the_start(panel):
    panel.reset()


def test_it_opens_where_the_finest_curve_is_best(panel):
    assert panel.state() == {"noise": SIGMAS[0], "curve": FINE}
    assert "Lowest at this noise: fine space-filling curve" in panel.summary()


@pytest.mark.parametrize("curve", [SMOOTH, FINE])
def test_the_error_is_that_of_a_simulation(panel, curve):
    f, Z = panel._codes[curve]
    xi = 0.02 * np.random.RandomState(1).normal(size=(3000, 1))
    simulated = noisy_distortion(f, Z, panel._Y, xi)
    assert panel.error(curve, 0.02) == pytest.approx(simulated, rel=0.05)


def test_the_chart_shows_nothing_beyond_the_noise_that_was_chosen(panel):
    assert len(panel._lines[SMOOTH].get_xdata()) == 1
    panel.set(noise=0.02)
    assert panel._lines[SMOOTH].get_xdata().max() <= 0.02
    panel.set(noise=0.3)
    assert len(panel._lines[SMOOTH].get_xdata()) == len(SIGMAS)


def test_what_arrives_is_the_curve_at_the_noisy_code(panel):
    panel.set(noise=0.1, curve=SMOOTH)
    f, Z = panel._codes[SMOOTH]
    received = np.column_stack(panel._received.get_data())
    assert np.allclose(received, f(Z[panel._shown] + 0.1 * panel._xi))
