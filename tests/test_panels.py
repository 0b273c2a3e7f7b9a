"""Panels, driven without a browser: values, pictures, bad input, several at once."""

import io

import numpy as np
import pytest
from PIL import Image

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


def controls(panel, name):
    """The slider and the text box of one value, as a browser would move them."""
    box, slider = panel._own_widgets[name]
    return slider, box


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


def test_each_value_has_its_own_picture_and_the_same_value_the_same(panel):
    first = panel.png()
    second = panel.set(bandwidth=9.0).png()
    assert first != second
    assert panel.reset().png() == first
    assert panel.set(bandwidth=9.0).png() == second


def test_slider_and_box_follow_each_other(panel):
    slider, box = controls(panel, "bandwidth")
    slider.value = 4.0
    assert (box.value, panel.state()) == ("4", {"bandwidth": 4.0})
    box.value = "0.25"
    assert (slider.value, panel.state()) == (0.25, {"bandwidth": 0.25})


@pytest.mark.parametrize("log", [False, True])
def test_a_slider_that_rounds_by_itself_moves_nothing_and_one_step_does(log):
    control = Slider("bandwidth", 1.0, 101.0, 30.0, log=log, steps=10)
    step = 101 ** (1 / 10) if log else 10.0
    half = step**0.5 if log else 5.0
    away = (lambda part: 30 * part) if log else (lambda part: 30 + part)
    assert control.is_rounded(away(0.999 * half), 30.0)
    assert not control.is_rounded(away(1.001 * half), 30.0)
    assert not control.is_rounded("30.1", 30.0)  # typed: meant


@pytest.mark.parametrize("log", [False, True])
def test_a_slider_stands_at_the_step_that_is_nearest(log):
    control = Slider("bandwidth", 1.0, 100.0, 30.0, log=log, steps=4)
    steps = 10 ** np.linspace(0, 2, 5) if log else np.linspace(1, 100, 5)
    for value in (1.0, 1.3, 9.0, 42.0, 99.0, 100.0):
        scale = np.log if log else np.asarray
        nearest = steps[np.argmin(np.abs(scale(steps) - scale(value)))]
        assert control.nearest_step(value) == pytest.approx(nearest)
    assert Slider("points", 1, 9, 3, whole=True).nearest_step(7) == 7


def test_what_is_typed_between_two_steps_stays(panel):
    slider, box = controls(panel, "bandwidth")
    box.value = "4.01"
    slider.value = 4.0  # what a browser answers
    assert (box.value, panel.state()) == ("4.01", {"bandwidth": 4.01})


def test_what_a_browser_sends_back_late_is_not_taken_for_a_move(panel):
    slider, box = controls(panel, "bandwidth")
    panel.set(bandwidth=3.7).set(bandwidth=11.0)
    late = slider.__class__(min=slider.min, max=slider.max, step=slider.step, value=3.7).value
    slider.value = late * (1 + 1e-9)  # its answer to the first value
    assert panel.state() == {"bandwidth": 11.0} and box.value == "11"
    assert slider.value == pytest.approx(11.0, rel=0.04)
    slider.value = late * (1 + 1e-9)  # the same once more can only be a reader
    assert panel.state()["bandwidth"] == pytest.approx(3.7, rel=1e-6)


@pytest.mark.parametrize("typed", ["nan", "much", "", "-1", "1e9", "inf"])
def test_a_bad_entry_is_answered_and_the_last_picture_stays(panel, typed):
    before, picture = panel.state(), panel._picture.value
    controls(panel, "bandwidth")[1].value = typed
    assert "bandwidth h must be" in panel._message.value
    assert 'role="alert"' in panel._message.value
    assert (panel.state(), panel._picture.value) == (before, picture)


def test_the_picture_carries_the_summary_as_its_alternative_text(panel):
    assert f'alt="{panel.summary()}"' in panel._picture.value


def test_setting_an_unknown_slider_names_those_that_exist(panel):
    with pytest.raises(ValueError, match="has the controls bandwidth; got eta"):
        panel.set(eta=0.5)


def test_errors_in_a_panel_surface(panel, monkeypatch):
    def broken(**_):
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(panel, "move", broken)
    with pytest.raises(ZeroDivisionError):
        controls(panel, "bandwidth")[0].value = 2.0


def test_two_panels_do_not_disturb_each_other(panel):
    other = LatentScale(panel._X, panel._Y)
    before = panel.png()
    other.set(bandwidth=20)
    assert panel.png() == before
    other.close()


def test_the_extremes_of_all_sliders_are_drawn(panel):
    pictures = []
    for bandwidth in (1 / 32, 32):
        pictures.append(np.asarray(Image.open(io.BytesIO(panel.set(bandwidth=bandwidth).png()))))
    assert all(np.isfinite(panel._curve.get_data()[0]))
    assert (pictures[0] != pictures[1]).any()


def test_observers_do_not_grow(panel):
    slider, _ = controls(panel, "bandwidth")
    count = lambda: len(slider._trait_notifiers["value"]["change"])
    before = count()
    for h in (1.0, 2.0, 3.0):
        panel.set(bandwidth=h)
    panel.reset()
    assert count() == before


def test_without_a_kernel_the_bundle_still_has_picture_and_words(panel):
    bundle, _ = panel._repr_mimebundle_()
    assert bundle["text/plain"] == panel.summary()
    assert bundle["image/png"]


def test_a_slider_says_what_is_wrong_with_a_value():
    slider = Slider("neighbours K", 1, 9, 3, whole=True)
    assert slider.checked("4") == 4
    with pytest.raises(ValueError, match="neighbours K must be a whole number; got 'x'"):
        slider.checked("x")
    with pytest.raises(ValueError, match="must be between 1 and 9; got 10"):
        slider.checked(10)
