"""Every panel as a reader sees it, in JupyterLab, in a real browser."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser import lab
from tests.test_panel_sweep import CLASSES

NOTEBOOK = "panels.ipynb"
PANEL = ".jp-OutputArea-output .jupyter-widgets"


@pytest.fixture
def shown(reader, course, request):
    """A panel, alone on its page. All panels share one notebook and one kernel."""
    if reader.name != NOTEBOOK:
        lab.write_notebook(course / NOTEBOOK, "")
        reader.open(NOTEBOOK, width=1100, height=900)
    name = request.param.__name__
    reader.run_only(f"from ukrlearn.panels import {name}\n{name}.example()")
    reader.settled()
    assert reader.page.locator(".jp-OutputArea-child").count() == 1  # the panel before is gone
    return reader


each_panel = pytest.mark.parametrize(
    "shown", CLASSES, indirect=True, ids=[cls.__name__ for cls in CLASSES]
)


@each_panel
def test_a_panel_shows_its_picture_follows_the_keyboard_and_is_accessible(shown):
    page = shown.page
    assert len(shown.settled()) >= 1
    sliders = page.locator(f"{PANEL} [role=slider]")
    values = lambda: [slider.get_attribute("aria-valuenow") for slider in sliders.all()]
    for handle in sliders.all():
        value, highest = (float(handle.get_attribute(f"aria-value{a}")) for a in ("now", "max"))
        away, back = "ArrowRight", "ArrowLeft"
        if value >= highest:
            away, back = back, away
        first, second = shown.press(handle, away)
        assert second != first  # the picture, or the words that go with it
        there = values()
        shown.press(handle, back)  # not always to the first value, which may lie between two steps
        _, again = shown.press(handle, away)
        if values() == there:  # some sliders take others with them
            assert again == second  # same values, same pixels
    assert_accessible(page)


def assert_accessible(page):
    """No serious or critical finding of axe-core in what we made.

    The handles of ipywidgets' sliders are left out: JupyterLab gives them no accessible name, and
    we can't. That is why each has a labelled text box beside it, which is checked here.
    """
    results = Axe().run(page, {"include": [[PANEL]], "exclude": [[".noUi-target"]]})
    serious = [
        (violation["id"], violation["help"], [node["html"][:150] for node in violation["nodes"]])
        for violation in results.response["violations"]
        if violation["impact"] in ("serious", "critical")
    ]
    assert serious == []


@pytest.mark.parametrize("shown", CLASSES[:1], indirect=True)
def test_typing_nonsense_is_answered_in_the_panel(shown):
    box = shown.page.locator(f"{PANEL} input[type=text]").first
    before = shown.settled()
    box.fill("nan")
    box.press("Enter")
    alert = shown.page.locator(f"{PANEL} [role=alert]")
    alert.wait_for(timeout=10_000)
    assert "must be" in alert.inner_text()
    assert shown.settled() == before
