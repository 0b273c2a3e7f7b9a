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
