"""Every panel, through everything: extremes, reset, twice at once, bad values, static form."""

from pathlib import Path

import pytest
from ipywidgets.widgets.widget import _instances

from ukrlearn import panels
from ukrlearn.panels import Choice, Panel, Slider, Switch

SHARED = {"Choice", "Panel", "Replay", "Slider", "Switch"}
CLASSES = [getattr(panels, name) for name in panels.__all__ if name not in SHARED]


@pytest.fixture(scope="module", params=CLASSES, ids=lambda cls: cls.__name__)
def panel(request):
    shown = request.param.example()
    yield shown
    shown.close()


def extremes(control):
    """The values at which a control is most likely to go wrong."""
    if isinstance(control, Slider):
        return [control.low, control.high]
    if isinstance(control, Choice):
        return list(control.options)
    return [True, False]


def test_every_module_of_the_folder_is_a_panel_or_begins_with_an_underscore():
    files = {path.stem for path in Path(panels.__file__).parent.glob("[!_]*.py")}
    assert {cls.__module__.rpartition(".")[2] for cls in CLASSES} == files
    assert all(issubclass(cls, Panel) and callable(cls.example) for cls in CLASSES)


def test_an_unknown_panel_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Curtain'"):
        panels.Curtain  # noqa: B018
    assert set(panels.__all__) == set(dir(panels))


def test_each_control_is_drawn_at_its_extremes_and_reset_brings_all_back(panel, no_pyplot):
    panel.reset()
    first = panel.png(), panel.summary(), panel.state()
    for name, control in panel._controls.items():
        for value in extremes(control):
            panel.set(**{name: value})
            assert panel.state()[name] == value
            assert panel.summary()
            assert "nan" not in panel.summary().lower().split()
    panel.reset()
    assert (panel.png(), panel.summary(), panel.state()) == first


def test_all_controls_at_their_extremes_together(panel):
    for end in (0, -1):
        panel.set(**{name: extremes(c)[end] for name, c in panel._controls.items()})
        assert panel.summary()
    panel.reset()


def test_each_control_changes_something(panel):
    panel.reset()
    for name, control in panel._controls.items():
        seen = {(panel.reset().png(), panel.summary())}
        for value in extremes(control):
            panel.set(**{name: value})
            seen.add((panel.png(), panel.summary()))
        assert len(seen) > 1, f"{name} changes neither the picture nor the summary"
    panel.reset()


def test_every_control_has_words_that_say_what_it_is(panel):
    for control in panel._controls.values():
        assert isinstance(control, (Slider, Choice, Switch))
        assert len(control.label) > 2, "letters alone do not tell a reader what moves"


def test_a_bad_value_by_hand_is_answered_and_the_last_picture_stays(panel):
    panel.reset()
    for name, control in panel._controls.items():
        if isinstance(control, Slider):
            before = panel._picture.value
            panel._own_widgets[name][0].value = "nan"
            assert 'role="alert"' in panel._message.value
            assert panel._picture.value == before
            panel.reset()
            assert 'role="status"' in panel._message.value


def test_a_second_panel_of_the_kind_is_independent_and_leaves_no_widget_model(panel, no_pyplot):
    panel.reset()
    before, models = panel.png(), set(_instances)
    other = type(panel).example()
    assert len(set(_instances) - models) > 20
    for name, control in other._controls.items():
        other.set(**{name: extremes(control)[-1]})
    assert panel.png() == before
    other.close()
    other.close()  # once more does no harm
    assert [type(_instances[model]).__name__ for model in set(_instances) - models] == []
    assert panel.widget.model_id in _instances


def test_observers_do_not_grow(panel):
    def count():
        return sum(
            len(notifiers.get("change", []))
            for own in panel._own_widgets.values()
            for widget in own
            for notifiers in widget._trait_notifiers.values()
        )

    before = count()
    for _ in range(3):
        panel.reset()
    assert count() == before


def test_the_static_form_has_a_picture_and_its_words(panel):
    panel.reset()
    data, metadata = panel._repr_mimebundle_()
    assert data["text/plain"] == metadata["image/png"]["alt"] == panel.summary()
    assert len(data["image/png"]) > 1000


def test_the_docstring_says_what_there_is_to_see(panel):
    assert len(type(panel).__doc__.split()) > 20
