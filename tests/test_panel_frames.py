"""Frames: a panel's main control goes through its range, and the panel stays as it is."""

import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances

from ukrlearn.panels import KernelSpectrum, LatentScale, OwnPicture
from ukrlearn.panels._frames import picture_of


def test_a_sweep_has_a_picture_and_words_for_each_value_and_leaves_the_panel_alone():
    panel = LatentScale.example().set(bandwidth=3.0)
    before, models = (panel.png(), panel.state(), panel._view.picture), set(_instances)
    frames = panel.frames(n=5)
    assert (panel.png(), panel.state(), panel._view.picture) == before
    assert set(_instances) == models
    values = [float(text) for text in frames.axes[0]["values"]]
    np.testing.assert_allclose(values, [1 / 32, 2**-2.5, 1, 3, 32], rtol=1e-3)
    assert frames.at == frames.axes[0]["at"] == 3
    for place, value in ((0, 1 / 32), (3, 3.0), (4, 32.0)):
        panel.set(bandwidth=value)
        assert (frames.pictures[place] == picture_of(panel)).all()
        assert frames.summaries[place] == panel.summary()
    assert len({bytes(picture) for picture in frames.pictures}) == 5
    panel.close()


def test_of_several_controls_the_last_changes_fastest_and_what_shows_nothing_is_refused():
    panel = KernelSpectrum("length")
    frames = panel.frames(n=6)
    assert "Length" in frames.summaries[frames.at] and "Gaussian" in frames.summaries[3]
    with pytest.raises(ValueError, match="width of the kernel must change the picture"):
        panel.frames("width", n=3)  # this kernel has no width
    with pytest.raises(ValueError, match="width of the kernel must have at least two values"):
        panel.frames(n=5)
    with pytest.raises(ValueError, match="has the controls kernel, width; got height"):
        panel.frames("height")
    panel.close()


def test_a_picture_that_depends_on_what_was_shown_before_is_refused():
    shown = []
    draw = lambda figure, _: shown.append(0) or figure.text(0.1, 0.5, len(shown)).get_text()
    panel = OwnPicture(draw, OwnPicture.example()._controls["value"])
    with pytest.raises(ValueError, match="Your own picture must depend on its values alone"):
        panel.frames(n=3)
    panel.close()
