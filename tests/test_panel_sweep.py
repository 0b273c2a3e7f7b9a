"""Every panel, through everything: extremes, reset, twice at once, bad values, static form."""

import contextlib
import re
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from ipywidgets.widgets.widget import _instances
from matplotlib.text import Text

from tests.helpers import by_hand
from ukrlearn import panels
from ukrlearn.panels import Choice, Panel, Slider, Switch
from ukrlearn.panels._explorable import JS, Explorable

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


def test_each_control_is_drawn_at_its_extremes_changes_something_and_is_reset(panel, no_pyplot):
    first = panel.reset().png(), panel.summary(), panel.state()
    for name, control in panel._controls.items():
        seen = {(panel.reset().png(), panel.summary())}
        for value in extremes(control):
            panel.set(**{name: value})
            assert panel.state()[name] == value
            assert panel.summary()
            assert "nan" not in panel.summary().lower().split()
            seen.add((panel.png(), panel.summary()))
        assert len(seen) > 1, f"{name} changes neither the picture nor the summary"
    panel.reset()
    assert (panel.png(), panel.summary(), panel.state()) == first


def test_all_controls_at_their_extremes_together(panel):
    for end in (0, -1):
        panel.set(**{name: extremes(c)[end] for name, c in panel._controls.items()})
        assert panel.summary()
    panel.reset()


def test_every_control_has_words_that_say_what_it_is(panel):
    for control in panel._controls.values():
        assert isinstance(control, (Slider, Choice, Switch))
        assert len(control.label) > 2, "letters alone do not tell a reader what moves"


def test_a_bad_value_is_refused_by_its_label_and_the_last_picture_stays(panel):
    before = panel.reset().png(), panel.state()
    for name, control in panel._controls.items():
        beyond = ["nonsense"]
        if isinstance(control, Slider):
            beyond += [control.low - 1, control.high + 1, float("nan")]
        for bad in beyond:
            with pytest.raises(ValueError, match=f"^{re.escape(control.label)} must be "):
                panel.set(**{name: bad})
    assert (panel.png(), panel.state()) == before


def test_a_bad_value_by_hand_is_answered_and_the_last_picture_stays(panel):
    panel.reset()
    if isinstance(panel, Explorable):  # a page that sends nonsense is at fault, and nothing moves
        before = panel.state()
        for name in panel._controls:
            with pytest.raises(ValueError):
                panel._view.values = {name: "nan"}
            assert panel.state() == before
        return
    for name, control in panel._controls.items():
        if isinstance(control, Slider):
            before = panel._view.picture
            by_hand(panel, name, text="nan")
            assert (panel._view.message["role"], panel._view.message["control"]) == ("alert", name)
            assert panel._view.picture == before
            panel.reset()
            assert panel._view.message["role"] == "status"


def test_a_second_panel_of_the_kind_is_independent_and_leaves_no_widget_model(panel, no_pyplot):
    panel.reset()
    before, models = panel.png(), set(_instances)
    other = type(panel).example()
    assert len(set(_instances) - models) >= 2
    for name, control in other._controls.items():
        other.set(**{name: extremes(control)[-1]})
    assert panel.png() == before
    other.close()
    other.close()  # once more does no harm
    assert [type(_instances[model]).__name__ for model in set(_instances) - models] == []
    assert panel.widget.model_id in _instances


@contextlib.contextmanager
def fits_begun():
    """The functions that fit models in the block; what a drawing solves is not among them."""
    fits = []

    def note(frame, event, _):
        module, name = frame.f_globals.get("__name__", ""), frame.f_code.co_name
        is_model = module.startswith(("ukrlearn.estimators", "ukrlearn.rpm", "ukrlearn.drur"))
        if event == "call" and is_model and name.lstrip("_").startswith("fit"):
            fits.append(f"{module}.{name}")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield fits
    finally:
        sys.setprofile(before)


def test_a_copy_is_the_same_independent_and_computes_no_fit_again(panel, no_pyplot):
    panel.reset()
    for name, control in panel._controls.items():
        panel.set(**{name: extremes(control)[-1]})
        break
    at_first = panel.png(), panel.state(), panel.summary()
    models = set(_instances)
    with fits_begun() as fits:
        twin = panel.copy()
    assert fits == []
    assert (twin.png(), twin.state(), twin.summary()) == at_first
    assert type(twin) is type(panel)
    for name, control in twin._controls.items():
        twin.set(**{name: extremes(control)[0]})
    twin.reset()
    assert (panel.png(), panel.state(), panel.summary()) == at_first
    panel.reset()
    assert (twin.png(), twin.summary()) == (panel.png(), panel.summary())
    twin.close()
    assert set(_instances) <= models
    panel.set(**panel.state())  # still alive


def test_the_static_form_has_a_picture_and_its_words(panel):
    panel.reset()
    data, _ = panel._repr_mimebundle_()
    page = BeautifulSoup(data["text/html"], "html.parser")
    assert data["text/plain"] == page.img["alt"] == panel.summary()
    assert len(page.img["src"]) > 1000 and "image/png" not in data
    assert "run the first cell" in page.p.text


def test_the_main_control_of_a_panel_for_kernels_gives_frames_for_the_site(panel):
    if not isinstance(panel, Explorable):
        frames = panel.reset().frames(n=8)
        assert 2 <= len(frames.summaries) == len(frames.pictures) <= 8
        assert frames.summaries[frames.at] == panel.summary()


def test_a_panel_fits_beside_a_lesson_and_has_one_or_two_main_controls(panel):
    width, height = panel._figure.get_size_inches()
    assert width <= 8.44 and height <= 4.7
    if isinstance(panel, Explorable):
        return  # tests/browser/test_explorables.py counts them in the page
    main = [part["name"] for part in panel._view.parts["controls"] if part["main"]]
    assert 1 <= len(main) <= 2


def test_letters_in_the_picture_are_large_enough_to_read(panel):
    for text in panel._figure.findobj(Text):
        if text.get_visible() and text.get_text().strip():
            assert text.get_fontsize() * 100 / 72 >= 12, text.get_text()


def test_the_docstring_says_what_there_is_to_see(panel):
    assert len(type(panel).__doc__.split()) > 20


EXPLORABLES = [cls for cls in CLASSES if issubclass(cls, Explorable)]
OF_ITS_OWN = r'\b(?:title|hand|xlabel|ylabel|label|legend): ["`]|\b[xy]label = ["`]'
PICTURE = r'(?:stage\.plot\("|given\.pictures\.|given\.pictures\[.*")(\w+)'


@pytest.mark.parametrize("panel", EXPLORABLES, indirect=True)
def test_words_are_said_once_for_the_page_and_for_the_picture_where_no_script_runs(panel):
    script = (JS / panel.script).read_text(encoding="utf-8")
    names = set(panel.given()["pictures"])
    assert set(re.findall(PICTURE, script)) == names
    frozen = {text.get_text() for text in panel._figure.findobj(Text) if text.get_text()}
    for said in panel.pictures.values():
        words = [said[part] for part in ("title", "xlabel", "ylabel") if part in said]
        assert {*words, *said.get("legend", [])} <= frozen
    assert not re.findall(OF_ITS_OWN, script)
    assert frozen & set(re.findall(r'"([^"\n]*\w[^"\n]*)"', script)) <= names
