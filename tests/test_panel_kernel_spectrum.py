"""The panel of spectra and rates."""

import numpy as np
import pytest
from helpers import example_of

from ukrlearn.panels import KernelSpectrum
from ukrlearn.panels.kernel_spectrum import GAUSSIAN, LENGTH, SIZES, SPLINE
from ukrlearn.rpm import learning_rates

panel = example_of(KernelSpectrum, "module")


@pytest.fixture(autouse=True)
def from_the_start(panel):
    panel.reset()


def test_no_width_of_a_gaussian_guarantees_a_better_rate(panel):
    narrow, wide = (panel.spectrum(GAUSSIAN, width).bound for width in (0.2, 2.0))
    np.testing.assert_array_equal(narrow, wide)
    assert "from 2.4e+07 points on" in panel.set(width=0.3).summary()


def test_the_ring_is_where_the_bounds_cross(panel):
    at, height = (values[0] for values in panel._ring.get_data())
    bound = panel.spectrum(GAUSSIAN, 1.0).bound
    kegl = SIZES**-learning_rates.KEGL
    assert ((bound < kegl) == (at < SIZES))[SIZES > 100].all()
    assert height == pytest.approx(at**-learning_rates.KEGL)


def test_who_is_never_below_has_no_ring(panel):
    panel.set(kernel=LENGTH)
    assert len(panel._ring.get_xdata()) == 0 and "never below" in panel.summary()
    panel.set(kernel=SPLINE)
    assert len(panel._ring.get_xdata()) == 0 and "always" in panel.summary()
