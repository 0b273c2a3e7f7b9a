"""Panels, driven without a browser: values, pictures, bad input, several at once."""

import base64
import io

import numpy as np
import pytest
from bs4 import BeautifulSoup
from PIL import Image

from tests.helpers import by_hand
from ukrlearn import datasets
from ukrlearn.blocks.kernel_regression import predict
from ukrlearn.panels import LatentScale, Slider
from ukrlearn.ukr.reconstruction import reconstruction_error


@pytest.fixture
def panel():
    Y, t = datasets.noisy_spiral(60, random_state=0)
    shown = LatentScale(30 * t[:, None], Y)
    yield shown
    shown.close()


def test_the_summary_has_the_numbers_of_the_library(panel):
    panel.set(bandwidth=2.0)
    errors = [reconstruction_error(panel._X / 2, panel._Y, leave_one_out=k)[0] for k in (0, 1)]
    assert panel.summary() == (
        f"Bandwidth 2: reconstruction error R = {errors[0]:.5f}, "
        f"leave-one-out error R_cv = {errors[1]:.5f}."
    )


def test_the_curve_is_the_forward_map_at_this_bandwidth(panel):
    panel.set(bandwidth=3.0)
    x, y = panel._curve.get_data()
    expected = predict(panel._grid / 3, panel._X / 3, panel._Y)
    np.testing.assert_array_equal(np.stack([x, y], axis=1), expected)


def test_the_page_sees_the_step_and_the_text_of_what_is_set_or_moved(panel):
    slider = panel._controls["bandwidth"]
    by_hand(panel, "bandwidth", step=slider.nearest_step(4.0))
    h = panel.state()["bandwidth"]
    assert h == slider.at(slider.nearest_step(4.0)) and abs(np.log(h / 4)) < np.log(2) / 20
    by_hand(panel, "bandwidth", text="0.25")
    assert panel.state() == {"bandwidth": 0.25}
    assert panel._view.values == {"bandwidth": {"text": "0.25", "step": slider.nearest_step(0.25)}}


@pytest.mark.parametrize("log", [False, True])
def test_a_slider_has_equal_steps_and_stands_at_the_one_that_is_nearest(log):
    control = Slider("bandwidth", 1.0, 100.0, 30.0, log=log, steps=4)
    steps = 10 ** np.linspace(0, 2, 5) if log else np.linspace(1, 100, 5)
    np.testing.assert_allclose([control.at(k) for k in range(5)], steps)
    assert [control.nearest_step(control.at(k)) for k in range(5)] == list(range(5))
    for value in (1.0, 1.3, 9.0, 42.0, 99.0, 100.0):
        scale = np.log if log else np.asarray
        assert control.nearest_step(value) == np.argmin(np.abs(scale(steps) - scale(value)))


def test_a_slider_of_whole_numbers_has_a_step_for_each():
    control = Slider("points", 3, 9, 4, whole=True)
    assert (control.last, control.at(0), control.at(4), control.nearest_step(7)) == (6, 3, 7, 4)
    assert isinstance(control.at(2), int)


@pytest.mark.parametrize("log", [False, True])
def test_the_page_has_the_true_value_of_every_step_as_text(log):
    control = Slider("bandwidth", 1 / 32, 32.0, 1.0, log=log, steps=10)
    part = control.part()
    assert [float(text) for text in part["texts"]] == pytest.approx(
        [control.at(step) for step in range(11)], rel=6e-4
    )
    assert part["last"] == 10 and part["texts"][0] == "0.03125"


def test_every_question_of_the_page_is_answered_even_if_it_fails(panel, monkeypatch):
    answers = []
    monkeypatch.setattr(panel._view, "send", answers.append)
    by_hand(panel, "bandwidth", text="2", asked="a-1")
    by_hand(panel, "bandwidth", text="much", asked="a-2")
    monkeypatch.setattr(panel, "move", lambda **_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        by_hand(panel, "bandwidth", text="3", asked="a-3")
    assert answers == [{"answered": f"a-{k}"} for k in (1, 2, 3)]


@pytest.mark.parametrize("typed", ["nan", "much", "", "-1", "1e9", "inf"])
def test_a_bad_entry_is_answered_and_the_last_picture_stays(panel, typed):
    before, picture = panel.state(), panel._view.picture
    by_hand(panel, "bandwidth", text=typed)
    message = panel._view.message
    assert "bandwidth h must be" in message["text"]
    assert (message["role"], message["control"]) == ("alert", "bandwidth")
    assert (panel.state(), panel._view.picture) == (before, picture)
    by_hand(panel, "bandwidth", text="2")
    assert panel._view.message == {"text": panel.summary(), "role": "status", "control": None}


def test_setting_an_unknown_slider_names_those_that_exist(panel):
    with pytest.raises(ValueError, match="has the controls bandwidth; got eta"):
        panel.set(eta=0.5)


def test_without_a_kernel_the_bundle_still_has_picture_words_and_says_what_it_is(panel):
    bundle, _ = panel._repr_mimebundle_()
    assert bundle["text/plain"] == panel.summary()
    page = BeautifulSoup(bundle["text/html"], "html.parser")
    assert (page.img["alt"], page.img["width"]) == (panel.summary(), "844")
    image = base64.b64decode(page.img["src"].removeprefix("data:image/png;base64,"))
    frozen = np.asarray(Image.open(io.BytesIO(image)).convert("RGB")).astype(int)
    shown = np.asarray(Image.open(io.BytesIO(panel.png()))).astype(int)
    assert np.mean(np.abs(frozen - shown).max(axis=-1) > 24) < 0.003
    assert len(image) < 0.5 * len(panel.png())
    assert "picture of the panel before anything is moved" in page.p.text
