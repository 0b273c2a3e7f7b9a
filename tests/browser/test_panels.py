"""Every panel as a reader sees it, in JupyterLab, in a real browser."""

import ast

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser import lab
from tests.test_panel_sweep import CLASSES as ALL
from ukrlearn.panels import Slider
from ukrlearn.panels._explorable import Explorable

NOTEBOOK = "panels.ipynb"
OUTPUT = ".jp-OutputArea-output"
PANEL = f"{OUTPUT} .ukr-panel"
WIDTH, HEIGHT = 1280, 800  # of the window
WIDEST, TALLEST = 844, 640  # a panel in it, with its further controls closed
EXPLORABLES = [cls for cls in ALL if issubclass(cls, Explorable)]  # see test_explorables.py, too
CLASSES = [cls for cls in ALL if cls not in EXPLORABLES]


@pytest.fixture
def shown(reader, course, request):
    """A panel, alone on its page. All panels share one notebook and one kernel."""
    if reader.name != NOTEBOOK:
        lab.write_notebook(course / NOTEBOOK, "")
        reader.open(NOTEBOOK, width=WIDTH, height=HEIGHT)
    name = request.param.__name__
    reader.run_only(f"from ukrlearn.panels import {name}\npanel = {name}.example()\npanel")
    reader.page.locator(PANEL).wait_for()
    reader.settled()
    assert reader.page.locator(".jp-OutputArea-child").count() == 1  # the panel before is gone
    return reader


each_panel = pytest.mark.parametrize(
    "shown", CLASSES, indirect=True, ids=[cls.__name__ for cls in CLASSES]
)

LEFT_OVER = """rows => rows.map(row => row.getBoundingClientRect().right
    - Math.max(...[...row.children].map(child => child.getBoundingClientRect().right)))"""


def spoken(page):
    """(name, value) of each slider, as screen readers tell them.

    The name is from the browser's accessibility tree, which DevTools shows without aria-valuetext.
    """
    client = page.context.new_cdp_session(page)
    nodes = client.send("Accessibility.getFullAXTree")["nodes"]
    client.detach()
    names = [
        node["name"]["value"]
        for node in nodes
        if not node["ignored"] and node["role"]["value"] == "slider"
    ]
    sliders = page.locator(f"{PANEL} input[type=range]:visible").all()
    values = [slider.get_attribute("aria-valuetext") for slider in sliders]
    return list(zip(names, values, strict=True))


def named(page):
    """(label, text in the box) of each visible slider."""
    return [
        (one.locator("label").inner_text(), one.locator("input[type=text]").input_value())
        for one in page.locator(f"{PANEL} .ukr-slider:visible").all()
    ]


@each_panel
def test_a_panel_shows_its_picture_follows_the_keyboard_and_is_accessible(shown):
    page = shown.page
    assert len(shown.settled()) >= 1
    box = page.locator(OUTPUT).bounding_box()
    assert box["height"] <= TALLEST and page.locator(PANEL).bounding_box()["width"] <= WIDEST
    for more in page.locator(f"{PANEL} button[aria-expanded=false]").all():
        more.press("Enter")
    rows = page.locator(f"{PANEL} .ukr-row", has=page.locator(".ukr-slider"))
    assert max(rows.evaluate_all(LEFT_OVER), default=0) < 1
    sliders = page.locator(f"{PANEL} input[type=range]")
    assert spoken(page) == named(page) and len(named(page)) == sliders.count()
    values = lambda: [slider.input_value() for slider in sliders.all()]
    for handle in sliders.all():
        away, back = "ArrowRight", "ArrowLeft"
        if float(handle.input_value()) >= float(handle.get_attribute("max")):
            away, back = back, away
        first, second = shown.press(handle, away)
        assert second != first  # the picture, or the words that go with it
        there = values()
        shown.press(handle, back)  # not always to the first value, which may lie between two steps
        _, again = shown.press(handle, away)
        if values() == there:  # some sliders take others with them
            assert again == second  # same values, same pixels
    assert spoken(page) == named(page)
    assert_accessible(page)


def assert_accessible(page):
    """No serious or critical finding of axe-core in what we made."""
    results = Axe().run(page, {"include": [[OUTPUT]]})
    serious = [
        (violation["id"], violation["help"], [node["html"][:150] for node in violation["nodes"]])
        for violation in results.response["violations"]
        if violation["impact"] in ("serious", "critical")
    ]
    assert serious == []


@pytest.mark.parametrize("cls", EXPLORABLES, ids=lambda cls: cls.__name__)
def test_an_explorable_and_its_kernel_agree(reader, course, cls):
    if reader.name != NOTEBOOK:
        lab.write_notebook(course / NOTEBOOK, "")
        reader.open(NOTEBOOK, width=WIDTH, height=HEIGHT)
    name = cls.__name__
    reader.run_only(f"from ukrlearn.panels import {name}\npanel = {name}.example()\npanel")
    sliders = reader.page.locator(f"{OUTPUT} .ukr input[type=range]:not(.ukr-past)")
    sliders.first.wait_for(state="attached")
    reader.settled()
    box = reader.page.locator(f"{OUTPUT} .ukr").bounding_box()
    assert box["height"] <= TALLEST and box["width"] <= WIDEST
    output = reader.page.locator(OUTPUT).filter(has=reader.page.locator(".ukr"))
    heights = output.evaluate("output => [output.scrollHeight, output.clientHeight]")
    assert heights[0] == heights[1]  # else the output scrolls inside itself, and takes the wheel
    for more in reader.page.locator(f"{OUTPUT} .ukr details").all():
        more.evaluate("details => { details.open = true; }")
    before = sliders.first.get_attribute("aria-valuetext")
    sliders.first.press("ArrowRight")
    seen = sliders.first.get_attribute("aria-valuetext")
    assert seen != before
    reader.run_at_the_end("print(panel.state())\npanel.reset()\nNone")
    said = reader.page.locator(f"{OUTPUT} pre").last.inner_text()
    values = list(ast.literal_eval(said).values())
    assert any(isinstance(v, (int, float)) and abs(v - float(seen)) < 0.006 for v in values)
    reader.page.wait_for_function(
        "([handle, text]) => handle.getAttribute('aria-valuetext') === text",
        arg=[sliders.first.element_handle(), before],
    )
    active = "() => window.jupyterapp.shell.currentWidget.content.activeCellIndex"
    cell = reader.page.evaluate(active)
    for canvas in reader.page.locator(f"{OUTPUT} .ukr canvas").all():
        canvas.press("ArrowUp")  # is for the picture, not for the notebook
    assert reader.page.evaluate(active) in (0, cell)
    assert reader.errors() == []


def test_a_picture_without_a_kernel_has_its_words_even_where_outputs_are_not_trusted(
    reader, course
):
    panel = CLASSES[0].example()
    bundle, _ = panel._repr_mimebundle_()
    data = {kind: bundle[kind] for kind in ("text/plain", "text/html")}  # as committed
    output = nbformat.v4.new_output("execute_result", data, execution_count=1)
    lab.write_notebook(course / "frozen.ipynb", "panel", [output])
    reader.open("frozen.ipynb", width=WIDTH, height=HEIGHT)
    picture = reader.page.locator(f"{OUTPUT} img")
    assert picture.get_attribute("alt") == panel.summary()
    assert picture.evaluate("image => image.complete && image.naturalWidth") == 844
    assert (
        "picture of the panel before anything is moved" in reader.page.locator(OUTPUT).inner_text()
    )
    panel.close()


@pytest.mark.parametrize("shown", [CLASSES[0], CLASSES[-1]], indirect=True)
def test_in_the_dark_theme_words_can_be_read_and_pictures_stay_white(shown):
    page = shown.page
    try:
        shown.dress("Dark")
        for more in page.locator(f"{PANEL} button[aria-expanded=false]").all():
            more.click()
        assert_accessible(page)
        color = "element => getComputedStyle(element).color.match(/\\d+/g).slice(0, 3).map(Number)"
        assert min(page.locator(f"{PANEL} [role=status]").evaluate(color)) > 180
    finally:
        shown.dress("Light")


@pytest.mark.parametrize("shown", CLASSES[:1], indirect=True)
def test_typing_nonsense_is_answered_in_the_panel(shown):
    box = shown.page.locator(f"{PANEL} input[type=text]").first
    before = shown.settled()
    box.fill("nan")
    box.press("Enter")
    alert = shown.page.locator(f"{PANEL} [role=alert]:not(:empty)")
    alert.wait_for()
    assert "must be" in alert.inner_text()
    assert box.get_attribute("aria-describedby") == alert.get_attribute("id")
    assert (box.input_value(), box.get_attribute("aria-invalid")) == ("nan", "true")
    assert shown.settled() == before
    picture = shown.page.locator(f"{PANEL} img").bounding_box()
    assert alert.bounding_box()["y"] + alert.bounding_box()["height"] <= picture["y"]
    box.fill("1")
    box.press("Enter")
    alert.wait_for(state="detached")
    assert box.get_attribute("aria-invalid") is None


@pytest.mark.parametrize("shown", CLASSES[:1], indirect=True)
def test_a_slider_dragged_faster_than_the_kernel_ends_where_it_was_released(shown, course):
    page, released = shown.page, course / "released"
    shown.run_at_the_end(
        "import pathlib, time\nmove, moves = panel.move, []\n"
        "def slowly(**values):\n"
        "    moves.append(values)\n"
        "    while not pathlib.Path('released').exists():\n"
        "        time.sleep(.01)\n"
        "    return move(**values)\n"
        "panel.move = slowly"
    )
    handle = page.locator(f"{PANEL} input[type=range]").first
    box = handle.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 10, middle)
    page.mouse.down()
    for k in range(60):
        page.mouse.move(box["x"] + 10 + 2 * k, middle)
    page.mouse.up()
    released.touch()
    shown.settled()
    at = int(handle.input_value())
    panel = CLASSES[0].example()
    name = next(name for name, c in panel._controls.items() if isinstance(c, Slider))
    panel.close()
    shown.run_at_the_end(
        f"control = panel._controls['{name}']\n"
        f"print(control.nearest_step(panel.state()['{name}']), len(moves), "
        f"control.nearest_step(moves[-1]['{name}']))"
    )
    text = page.locator(".jp-OutputArea-output pre").last.inner_text().split()
    assert int(text[0]) == int(text[2]) == at
    assert int(text[1]) == 2  # positions passed while the kernel was busy are skipped
