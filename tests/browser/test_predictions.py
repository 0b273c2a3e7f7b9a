"""Predictions as a learner meets them: asked, answered, hidden until then, and kept."""

import json
from pathlib import Path

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe

from ukrlearn import checks
from ukrlearn.checks import _review

FIRST = """\
from ukrlearn.checks import predictions
predict = predictions("00_test")"""
CHOICE = """\
predict(
    "choice", "Which of $R$ and $R_{cv}$ of `UKR` falls to $0$?",
    options=["$R$, at small $h$", "neither", "both"], answer="$R$, at small $h$",
    because="Each point is then made from itself: $f(x) = y$.", hides=2,
)"""
NUMBER = 'predict("number", "How many?", number=True, answer=30, within=2, because="Count.")'
WORDS = 'predict("words", "Why?", words=True, answer="Because it is so.", hides=1)'
CHECK = "<details><summary><b>Check</b></summary>\n\nThe check of $x^2$.\n\n</details>"
LATER = [f"print('further down {number}')" for number in range(40)]
CELLS = [
    *(FIRST, CHOICE, "print('first result')", CHECK, "print('second result')", CHECK),
    *("print('third result')", CHECK, NUMBER, WORDS, "print('fourth result')", *LATER),
]
FORM = ".ukrlearn-predict"
PLACEHOLDER = """() => [...document.querySelectorAll('.jp-Cell-outputWrapper')].filter(node =>
    getComputedStyle(node, '::after').content.includes('The result appears here')).length"""


def run(reader, cells, folder):
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    book = nbformat.v4.new_notebook(cells=cells, metadata=kernel)
    nbformat.write(book, folder / "lesson.ipynb")
    reader.open(f"{folder.name}/lesson.ipynb", width=1280, height=800).run_all()


@pytest.fixture
def lesson(reader, course):
    """A long notebook with three predictions in a folder without work, run to its end."""
    folder = course / "predictions"
    folder.mkdir(exist_ok=True)
    work = folder / "ukrlearn-work.json"
    work.unlink(missing_ok=True)
    cells = [
        (nbformat.v4.new_markdown_cell if text == CHECK else nbformat.v4.new_code_cell)(text)
        for text in CELLS
    ]
    cells[1].metadata["jupyter"] = {"source_hidden": True}  # as tools/notebooks.py folds them
    run(reader, cells, folder)
    reader.page.locator(FORM).nth(2).wait_for()
    reader.page.locator(FORM).nth(0).scroll_into_view_if_needed()  # else it is not drawn
    reader.work = lambda: json.loads(work.read_text())["predictions"]
    return reader


def seen(page, text):
    return page.get_by_text(text, exact=True).first.is_visible()


def serious(page):
    found = Axe().run(page, {"include": [[FORM]]}).response["violations"]
    return [
        (v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in ("serious", "critical")
    ]


def tab_to(page, text, most=12):
    """Presses Tab until the button has the focus; MathJax lets it rest on formulas too."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == text:
            return
    raise AssertionError(f"no way to {text}")


def test_a_choice_hides_the_results_until_it_is_made(lesson):
    page, form = lesson.page, lesson.page.locator(FORM).nth(0)
    assert not seen(page, "first result") and not seen(page, "second result")
    assert page.get_by_text("made from itself").filter(visible=True).count() == 0
    assert seen(page, "third result")
    assert page.locator("details:visible").count() == 1  # that of the third result
    assert page.evaluate(PLACEHOLDER) == 3  # two, and that of the question for words
    assert form.locator("mjx-container").count() == 5
    assert form.locator("code").inner_text() == "UKR"
    assert page.locator(".ukrlearn-prediction:visible").count() == 0  # the text without a kernel
    assert serious(page) == []
    ids = page.eval_on_selector_all(f"{FORM} p[id]", "nodes => nodes.map(node => node.id)")
    assert len(set(ids)) == 3

    form.get_by_role("button", name="Commit").click()
    form.get_by_text("Choose one of the options first").wait_for()
    assert not seen(page, "first result")

    form.get_by_role("radio", name="neither").check()
    top = form.bounding_box()["y"]
    form.get_by_role("button", name="Commit").click()
    form.get_by_text("✗ Not so.").wait_for()
    assert abs(form.bounding_box()["y"] - top) < 5  # nothing jumps
    said = form.inner_text()
    assert "You said neither; the answer is" in said and "made from itself" in said
    assert seen(page, "first result") and seen(page, "second result")
    assert page.locator("details:visible").count() == 3
    assert form.locator(".ukrlearn-outcome mjx-container").count() == 3
    assert serious(page) == []
    entry = lesson.work()["00_test/choice"]
    assert entry["guess"] == "neither" and entry["right"] is False

    form.get_by_role("button", name="Predict again").click()
    form.get_by_role("button", name="Skip").wait_for()
    assert not seen(page, "first result")
    form.get_by_role("button", name="Skip").click()
    form.get_by_text("Skipped.").wait_for()
    assert seen(page, "first result") and lesson.work()["00_test/choice"]["skipped"]

    lesson.page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    lesson.run_all()  # what was said is shown at once
    form.get_by_text("Skipped.").wait_for()
    assert seen(page, "first result")


def test_a_form_that_is_drawn_again_keeps_what_was_chosen(browser):
    source = (Path(checks.__file__).parent / "prediction.js").read_text(encoding="utf-8")
    page = browser.new_page()
    state = dict(
        dict(slug="a", phase="open", question="Which?", hides=0, message="", outcome="Right."),
        kind="options",
        options=["one", "two"],
    )
    page.evaluate(
        """async ([source, state]) => {
            const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
            const { default: form } = await import(url);
            const heard = new Set(), sent = [];
            const happens = (event) =>
                [...heard].forEach(([name, what]) => name === event && what());
            const model = {
                get: (name) => state[name],
                set: (name, value) => { state[name] = value; happens("change:" + name); },
                on: (name, what) => heard.add([name, what]),
                off: (name, what) => heard.forEach((one) => one[1] === what && heard.delete(one)),
                send: (what) => sent.push(what),
            };
            const view = () => form.render({ model, el: document.body });
            const phase = (to) => model.set("phase", to);
            const refuse = (message) => { state.message = message; happens("msg:custom"); };
            Object.assign(window, { view, phase, refuse, heard, sent });
            window.gone = view();
        }""",
        [source, state],
    )
    page.get_by_role("radio", name="two").check()
    page.get_by_role("radio", name="two").evaluate("node => (node.first = true)")
    page.evaluate("phase('open')")
    assert page.get_by_role("radio", name="two").is_checked()
    assert page.get_by_role("radio", name="two").evaluate("node => node.first")  # the same still

    page.get_by_role("button", name="Skip").click()
    page.evaluate("document.body.replaceChildren(); void view()")  # as another view of the cell
    assert page.get_by_role("status").inner_text().startswith("Waiting for the kernel")
    page.evaluate("refuse('Not yet.'); gone()")
    assert page.get_by_role("status").inner_text() == "Not yet."
    assert page.evaluate("heard.size") == 3  # those of the view that is left
    assert page.get_by_role("radio", name="two").is_checked()
    page.get_by_role("button", name="Commit").click()
    assert page.evaluate("sent[1]") == {"do": "commit", "guess": 1}

    page.evaluate("phase('done')")
    page.get_by_text("Right.").wait_for()
    page.evaluate("phase('open')")
    assert page.locator("input:checked").count() == 0
    assert page.get_by_role("status").inner_text() == ""
    page.close()


def test_a_question_that_is_gone_hides_nothing(lesson):
    page = lesson.page
    assert not seen(page, "first result")
    page.evaluate("""() => {
        const cells = window.jupyterapp.shell.currentWidget.content;
        cells.widgets[1].model.sharedModel.setSource('print("no question")');
        cells.activeCellIndex = 1 }""")
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-cell')")
    page.get_by_text("first result", exact=True).first.wait_for()
    assert page.evaluate(PLACEHOLDER) == 1  # that of the question for words


def test_with_the_keyboard_alone(lesson):
    page, forms = lesson.page, lesson.page.locator(FORM)
    forms.nth(0).get_by_role("radio").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    tab_to(page, "Commit")
    page.keyboard.press("Enter")
    forms.nth(0).get_by_text("✓ Right.").wait_for()
    assert "✓ Right." in page.evaluate("document.activeElement.textContent")
    assert lesson.work()["00_test/choice"]["right"] is True

    forms.nth(1).scroll_into_view_if_needed()
    box = forms.nth(1).get_by_role("textbox", name="Predict How many?")
    box.focus()
    page.keyboard.type("many")
    page.keyboard.press("Enter")
    forms.nth(1).get_by_text("It must be a number").wait_for()
    box.fill("3")
    page.keyboard.press("Enter")
    forms.nth(1).get_by_text("10 times as much").wait_for()
    tab_to(page, "Predict again")
    page.keyboard.press("Space")
    box.fill("31")
    page.keyboard.press("Enter")
    forms.nth(1).get_by_text("✓ Right.").wait_for()

    forms.nth(2).scroll_into_view_if_needed()
    assert not seen(page, "fourth result")
    forms.nth(2).get_by_role("textbox", name="Predict Why?").focus()
    page.keyboard.type("I do not know")
    tab_to(page, "Commit")
    page.keyboard.press("Enter")
    forms.nth(2).get_by_text("Because it is so.").wait_for()
    assert "I do not know" in forms.nth(2).inner_text() and seen(page, "fourth result")
    assert lesson.work()["00_test/words"]["right"] is None


def test_a_lesson_that_was_saved_and_opened_again_can_be_read(lesson):
    page = lesson.page
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    lesson.open("predictions/lesson.ipynb", width=1280, height=800)
    page.locator(".ukrlearn-prediction:visible").first.wait_for()
    page.get_by_text("Answer", exact=True).first.click()
    assert page.get_by_text("R, at small h. Each point").is_visible()
    page.locator(".jp-OutputArea-output.jupyter-widgets").first.wait_for(state="attached")
    page.wait_for_timeout(1000)  # for the manager of widgets to give up
    assert page.get_by_text("Error displaying widget").count() > 0
    assert page.get_by_text("Error displaying widget").filter(visible=True).count() == 0
    says = """() => [...document.querySelectorAll('.jp-OutputArea-child')].filter(node =>
        getComputedStyle(node, '::after').content.includes('Run this cell to answer')).length"""
    assert page.evaluate(says) == 3
    assert seen(page, "first result") and page.evaluate(PLACEHOLDER) == 0


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_verdicts_can_be_read_in_both_themes(lesson, theme):
    change = "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })"
    page = lesson.page
    page.evaluate(change, theme)
    page.wait_for_function(
        "light => document.body.dataset.jpThemeLight === light and !document.querySelector("
        "'#jupyterlab-splash')".replace(" and ", " && "),
        arg="false" if "Dark" in theme else "true",
    )
    try:
        for number, guess in ((0, "neither"), (0, "$R$")):
            form = page.locator(FORM).nth(number)
            form.get_by_role("radio").nth(0 if guess == "$R$" else 1).check()
            form.get_by_role("button", name="Commit").click()
            form.get_by_text("✓ Right." if guess == "$R$" else "✗ Not so.").wait_for()
            assert serious(page) == []
            form.get_by_role("button", name="Predict again").click()
            form.get_by_role("radio").first.wait_for()
    finally:
        page.evaluate(change, "JupyterLab Light")
        page.wait_for_function("document.body.dataset.jpThemeLight === 'true'")
        page.wait_for_timeout(1500)  # two changes at once make JupyterLab throw


def test_a_review_asks_one_question_after_the_other(reader, course):
    work = course / "review" / "ukrlearn-work.json"
    work.parent.mkdir(exist_ok=True)
    tables = {"exercises": {}, "predictions": {"00_start_here/other": {"date": "2026-01-01"}}}
    work.write_text(json.dumps({"format": 1, **tables}))
    cell = nbformat.v4.new_code_cell('from ukrlearn.checks import review\nreview("01")')
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(
        nbformat.v4.new_notebook(cells=[cell], metadata=kernel), work.with_name("a.ipynb")
    )
    reader.open("review/a.ipynb", width=1280, height=800).run_all()
    form, other = (reader.page.locator(FORM).nth(number) for number in (0, 1))
    form.get_by_text("From lesson 00, start here").wait_for()
    assert other.is_hidden() and not seen(reader.page, _review.TEXT)
    form.get_by_role("button", name="Skip").click()
    other.get_by_role("radio").nth(1).check()
    assert form.get_by_role("button").count() == 0 and serious(reader.page) == []
    other.get_by_role("button", name="Commit").click()
    other.get_by_text("Not so.").wait_for()
    kept = json.loads(work.read_text())["predictions"].values()
    assert [entry.get("known") for entry in kept] == [None, False, False]
