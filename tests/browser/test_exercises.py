"""The first exercises as a newcomer does them: open, fail, hint, fix, pass, save and restore."""

import json
import shutil
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

ROOT = Path(__file__).resolve().parents[2]
FIRST = sorted(path.stem for path in (ROOT / "exercises").glob("0[1-5]_*.ipynb"))
_PANEL = "window.jupyterapp.shell.currentWidget"
_SOURCES = f"() => {_PANEL}.content.widgets.map(cell => cell.model.sharedModel.getSource())"
_WRITE = f"""([number, source]) =>
    {_PANEL}.content.widgets[number].model.sharedModel.setSource(source)"""
_SAVE = "() => window.jupyterapp.commands.execute('docmanager:save')"


class Learner:
    """A page with one exercise, and a pen."""

    def __init__(self, reader):
        self.reader, self.page = reader, reader.page

    def solve(self, solution):
        """Writes the solution into the cells that have dots."""
        sources = self.page.evaluate(_SOURCES)
        for number, (mine, right) in enumerate(zip(sources, solution, strict=False)):
            if "### BEGIN SOLUTION" in right:
                assert "..." in mine
                self.page.evaluate(_WRITE, [number, right])

    def type_at_the_end(self, source):
        """A new cell, run."""
        self.reader.run_at_the_end(source).settled()

    def said(self):
        """The words of all outputs."""
        return "\n".join(self.page.locator(".jp-OutputArea-output").all_inner_texts())


def cells(path):
    return ["".join(cell["source"]) for cell in json.loads(path.read_text())["cells"]]


def delivered(folder):
    """The exercises as a learner gets them."""
    folder.mkdir()
    for path in (ROOT / "exercises").glob("*.ipynb"):
        shutil.copy(path, folder)


@pytest.mark.parametrize("name", FIRST)
def test_a_newcomer_fails_asks_fixes_and_passes(read, course, name):
    delivered(course / name)
    learner = Learner(read(f"{name}/{name}.ipynb", height=2500))
    exercise = name.partition("_")[2]

    assert "not yet" in learner.said() and "passed" not in learner.said()
    learner.type_at_the_end(f'hint("{exercise}")')
    assert "Hint 1 of 3" in learner.said()

    learner.solve(cells(ROOT / f"exercises/solutions/{name}.ipynb"))
    learner.reader.run_all()
    learner.type_at_the_end("progress()")
    assert "passed." in learner.said() and "not yet" not in learner.said()
    assert "1 of " in learner.said()
    forms = {"include": [[".jp-OutputArea-output [role=status]"]]}
    found = Axe().run(learner.page, forms).response["violations"]
    assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == []

    learner.page.evaluate(_SAVE)
    learner.type_at_the_end("save_work()")
    assert "Saved: ukrlearn-work.zip" in learner.said()
    kept = json.loads((course / name / "ukrlearn-work.json").read_text())["exercises"][exercise]
    assert kept["passed"] and kept["hints"] >= 1
    is_value = name == "05_break_it"
    assert ("array" if is_value else "### BEGIN SOLUTION") in kept["right_answer"]


FORM = ".ukrlearn-buttons"
THEME = "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })"


def press(learner, text, then):
    """Presses a button below the check and waits for these words."""
    learner.page.locator(FORM).get_by_role("button", name=text).click()
    learner.page.locator("[role=status]", has_text=then).first.wait_for()


def test_the_buttons_below_a_check_do_what_the_calls_do(read, course):
    name = "01_nadaraya_watson"
    delivered(course / "buttons")
    (course / "notebooks").mkdir(exist_ok=True)
    for path in (ROOT / "notebooks").glob("0[01]_*.ipynb"):
        shutil.copy(path, course / "notebooks")
    learner = Learner(read(f"buttons/{name}.ipynb", height=2500))
    page, work = learner.page, course / "buttons" / "ukrlearn-work.json"
    page.locator(FORM).scroll_into_view_if_needed()
    press(learner, "Next hint", "Hint 1 of 3")
    press(learner, "Next hint", "Hint 2 of 3")
    press(learner, "Show progress", "0 of 40 exercises passed")
    assert "Hint 2 of 3" in learner.said()
    waiting = page.locator(FORM).get_by_text("Waiting for the kernel")
    waiting.wait_for(state="detached")
    press(learner, "Solution", "1 of 3 hints are still unread")
    assert json.loads(work.read_text())["exercises"]["nadaraya_watson"]["hints"] == 2

    learner.solve(cells(ROOT / f"exercises/solutions/{name}.ipynb"))
    number = next(
        n for n, source in enumerate(page.evaluate(_SOURCES)) if "### BEGIN SOLUTION" in source
    )
    page.evaluate(f"n => {{ {_PANEL}.content.activeCellIndex = n }}", number)
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-cell')")
    page.locator(FORM).scroll_into_view_if_needed()
    press(learner, "Check again", "passed.")
    assert "not yet" not in learner.said() and "as its cell was last run" in learner.said()

    press(learner, "Show progress", "1 of 40 exercises passed")
    assert "Next: exercise 2" in learner.said()
    rows = page.locator("[role=status] table tbody tr")
    assert rows.count() == 40 and "✓ passed on" in rows.nth(0).inner_text()
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        page.evaluate(THEME, theme)
        is_light = str("Light" in theme).lower()
        page.wait_for_function(f"document.body.dataset.jpThemeLight === '{is_light}'")
        page.wait_for_timeout(1500)  # two changes at once make JupyterLab throw
        forms = {"include": [["[role=status]"], [FORM]]}
        found = Axe().run(page, forms).response["violations"]
        assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == []
    press(learner, "Save work", "Saved: ukrlearn-work.zip")
    assert str(course / "buttons" / "ukrlearn-work.zip") in learner.said()
    assert "restore_work()" in learner.said()
    press(learner, "Show progress", "1 of 40 exercises passed")
    rows.nth(1).get_by_role("link").first.click()  # it leads to the notebook of exercise 2
    learner.reader.close("buttons/02_latent_density.ipynb")


def test_hints_in_a_notebook_do_not_count_up_when_all_is_run_again(read, course):
    delivered(course / "again")
    learner = Learner(read("again/01_nadaraya_watson.ipynb", height=2500))
    learner.type_at_the_end('hint("nadaraya_watson")\nhint("nadaraya_watson")')
    learner.type_at_the_end('reveal("nadaraya_watson")')
    learner.type_at_the_end("progress()")
    learner.type_at_the_end("save_work()")
    for _ in range(2):
        learner.reader.run_all()
        said = learner.said()
        assert "Hint 1 of 3" in said and "Hint 2 of 3" in said and "Hint 3" not in said
        assert "The solution? 1 of 3 hints are still unread" in said and "Really?" not in said
    learner.type_at_the_end('hint("nadaraya_watson")')
    assert "Hint 3 of 3" in learner.said()
    prompts = learner.page.locator(".jp-OutputPrompt").all_inner_texts()
    assert "".join(prompts).strip() == ""  # no cell ends on a repr

    page = learner.page
    page.evaluate(_SAVE)
    learner.reader.open("again/01_nadaraya_watson.ipynb", height=2500)
    page.get_by_text("Error displaying widget").first.wait_for(state="attached")
    assert page.get_by_text("Error displaying widget").filter(visible=True).count() == 0
    assert page.get_by_text("not yet.").first.is_visible()


def test_work_comes_back_on_a_new_machine(read, course):
    """After the tests above: the zip of the first exercise, in a folder as it was delivered."""
    name = FIRST[0]
    old, new = course / name, course / "new"
    delivered(new)
    shutil.copy(old / "ukrlearn-work.zip", new)
    learner = Learner(read(f"new/{FIRST[1]}.ipynb", height=2500))
    learner.type_at_the_end("from ukrlearn.checks import restore_work\nrestore_work()\nprogress()")
    assert "Restored" in learner.said() and "1 of " in learner.said()
    assert "### BEGIN SOLUTION" in "\n".join(cells(new / f"{name}.ipynb"))
    assert (new / f"{name}.before.ipynb").exists()
