"""Some whole lessons, run in JupyterLab, in a real browser."""

import re

import pytest

PLACE = """() => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    const outer = notebook.node.querySelector('.jp-WindowedPanel-outer') || notebook.node;
    const code = notebook.widgets.filter(cell => cell.model.type === 'code');
    return {
        cell: notebook.activeCellIndex,
        selected: notebook.widgets.filter(cell => notebook.isSelected(cell)).length,
        scrolled: outer.scrollTop,
        not_run: code.filter(cell => cell.model.executionCount === null).length,
        edited: window.jupyterapp.shell.currentWidget.context.model.dirty,
    } }"""


@pytest.mark.parametrize("lesson", ["00_start_here", "02_unsupervised", "04_leave_one_out"])
def test_a_whole_lesson_runs_as_a_reader_runs_it(read, lesson):
    reader = read(f"{lesson}.ipynb", height=6000)
    assert len(reader.settled()) >= 3
    assert reader.page.locator(".jp-Notebook-cell.jp-CodeCell").count() >= 5


def press_start(reader):
    reader.page.get_by_role("button", name="Run all cells", exact=True).click()


def wait_until_back_at_the_top(reader):
    """All cells have run, and the reader sees the title again."""
    reader.page.wait_for_function(
        f"() => {{ const now = ({PLACE})(); return now.cell === 0 && !now.not_run }}"
    )
    reader.settled()
    place = reader.page.evaluate(PLACE)
    assert place["scrolled"] < 100 and place["selected"] == 0
    assert reader.page.locator("h1").first.is_visible()


def test_the_start_button_brings_sliders_without_a_question(reader):
    reader.open("00_start_here.ipynb", width=1280, height=800)
    assert reader.page.locator(".ukr").count() == 0  # a picture, frozen
    press_start(reader)
    wait_until_back_at_the_top(reader)
    assert reader.page.locator(".jp-Dialog").count() == 0
    reader.page.locator(".ukr").first.wait_for(state="attached")


def test_in_a_notebook_that_nobody_signed_the_button_asks_first(reader, course):
    lesson = (course / "00_start_here.ipynb").read_text(encoding="utf-8")
    changed = lesson.replace("In ten minutes", "In ten long minutes")
    assert changed != lesson  # a copy of what is signed would be trusted
    (course / "unsigned.ipynb").write_text(changed, encoding="utf-8")
    reader.open("unsigned.ipynb", width=1280, height=800)
    press_start(reader)
    dialog = reader.page.locator(".jp-Dialog")
    dialog.wait_for()
    assert re.search("not trusted", dialog.inner_text())
    dialog.get_by_role("button", name="Run Once").click()
    wait_until_back_at_the_top(reader)
