"""Decks of slides: questions before answers, pictures with words, no host asked."""

import re

import nbformat
import pytest
from bs4 import BeautifulSoup

from tools import pages, slides
from tools.guide import questions

UNITS = ["03_reconstruction_error", "13_your_own_data"]
PIXEL = "data:image/png;base64,iVBORw0KGgo="


@pytest.fixture(scope="module", params=UNITS)
def deck(request):
    """(name, page, what is wrong) of a unit's deck."""
    (path,) = [path for path in slides.units() if path.stem == request.param]
    text, problems = slides.deck(path)
    return request.param, BeautifulSoup(text, "html.parser"), problems


def made(tmp_path, *cells):
    path = tmp_path / "03_made.ipynb"
    first = nbformat.v4.new_markdown_cell(
        "# A title\n\nWhat it is about.\n\n**Afterwards you can**\n\n- see *this*;\n- say that.\n\n"
        "**You need** nothing.\n\n## One (2 minutes)\n\nA first sentence. A second one."
    )
    last = nbformat.v4.new_markdown_cell("## Key points\n\n- All is $x_n$.\n\n**Notation**")
    nbformat.write(nbformat.v4.new_notebook(cells=[first, *cells, last]), path)
    text, problems = slides.deck(path)
    return BeautifulSoup(text, "html.parser"), problems


def kinds(soup):
    return [slide["class"][1] for slide in soup.select(".slide")]


def picture(page):
    output = nbformat.v4.new_output("display_data", {"text/html": page})
    return nbformat.v4.new_code_cell("show()", outputs=[output])


def test_a_deck_builds_without_a_problem(deck):
    name, soup, problems = deck
    assert problems == []
    assert kinds(soup)[:2] == ["first", "list"] and kinds(soup)[-1] == "list"
    assert "section" in kinds(soup) and "question" in kinds(soup)
    assert soup.select(".slide")[-1].h2.get_text() == "Key points"
    assert soup.main.find(string=re.compile(r"\$")) is None  # every formula is MathML


def test_every_question_comes_before_its_answer(deck):
    name, soup, _ = deck
    shown = soup.select(".slide.question")
    asked = questions(slides.ROOT / f"notebooks/{name}.py")
    assert len(shown) == len(asked) > 0
    for slide, question in zip(shown, asked, strict=True):
        assert "asked" in slide["class"]  # the style hides the answer until the next key
        inside = list(slide.descendants)
        answer = slide.select_one(".answer")
        assert inside.index(slide.h2) < inside.index(answer)
        options = [row.select_one(".letter").get_text() for row in slide.select(".options li")]
        assert options == list("ABCDEFGH"[: len(question.options)])
        if question.options:
            (right,) = slide.select(".right")
            letter = right.select_one(".letter").get_text()
            assert question.options["ABCDEFGH".index(letter)] == question.answer
            assert answer.get_text().startswith(f"{letter}: ")
        else:
            assert answer.get_text().startswith(str(question.answer))


def test_pictures_have_words_and_all_of_them_are_there(deck):
    name, soup, _ = deck
    notebook = nbformat.read(slides.ROOT / f"notebooks/{name}.ipynb", 4)
    expected = [alt for cell in notebook.cells for _, alt, _ in slides.pictures(cell)]
    assert [image["alt"] for image in soup.find_all("img")] == expected != []
    assert all(alt.strip() for alt in expected)


def test_a_deck_loads_nothing_and_runs_its_own_script_only(deck):
    _, soup, _ = deck
    (script,) = soup.find_all("script")
    assert script.get_text() == slides.SCRIPT and script.attrs == {}
    script.extract()
    assert list(pages.loaded(soup)) == []
    policy = soup.find("meta", attrs={"http-equiv": "Content-Security-Policy"})["content"]
    assert policy.startswith("default-src 'none'")
    rules = dict(rule.split(maxsplit=1) for rule in policy.split("; "))
    assert rules["script-src"] == pages.fingerprint(slides.SCRIPT) and "http" not in policy


def test_what_a_slide_takes_from_a_cell(tmp_path):
    ask = nbformat.v4.new_code_cell('predict("n", "How *many*?", number=True, answer=3)')
    frozen = f'<img alt="A panel." src="{PIXEL}"><p class="ukrlearn-frozen">Run it.</p>'
    check = nbformat.v4.new_markdown_cell("<details><summary>Check</summary>\n\nNo.\n\n</details>")
    soup, problems = made(tmp_path, ask, check, picture(frozen), picture(f'<img src="{PIXEL}">'))
    assert kinds(soup) == ["first", "list", "question", "section", "section", "list"]
    question, panel = soup.select(".question")[0], soup.select(".section")[0]
    assert question.h2.get_text() == "How many?" and "Write down a number" in question.get_text()
    assert "A first sentence. A second one." in question.get_text()
    assert "A panel: open it in the notebook" in panel.get_text()
    assert "Run it" not in soup.get_text() and "No." not in soup.get_text()
    assert problems == ["picture 2 has no text: end its cell with figures.show(figure, text)"]


def test_a_picture_as_png_takes_its_words_from_the_metadata(tmp_path):
    output = nbformat.v4.new_output("display_data", {"image/png": "iVBORw0KGgo="})
    output.metadata["image/png"] = {"alt": "A line."}
    soup, problems = made(tmp_path, nbformat.v4.new_code_cell("show()", outputs=[output]))
    assert problems == [] and [image["alt"] for image in soup.find_all("img")] == ["A line."]


def test_a_picture_that_is_there_twice_is_shown_once(tmp_path):
    both = picture(f'<img alt="A line." src="{PIXEL}">')
    both.outputs[0].data["image/png"] = "iVBORw0KGgo="
    soup, _ = made(tmp_path, both)
    assert len(soup.find_all("img")) == 1


def test_a_picture_from_elsewhere_is_a_problem(tmp_path):
    _, problems = made(tmp_path, picture('<img alt="A line." src="https://example.org/a.png">'))
    assert problems == ["it loads https://example.org/a.png"]


def test_words_stay_where_a_cell_has_none(tmp_path):
    table = nbformat.v4.new_markdown_cell("| a | b |\n|---|---|\n| 1 | 2 |")
    soup, _ = made(tmp_path, table, picture(f'<img alt="A line." src="{PIXEL}">'))
    assert "A first sentence." in soup.select_one(".section").get_text()


def test_a_section_without_a_picture_shows_its_words_and_its_formula(tmp_path):
    formula = nbformat.v4.new_markdown_cell("As follows:\n\n$$R = 1 \\tag{8}$$")
    soup, problems = made(tmp_path, formula)
    assert kinds(soup) == ["first", "list", "words", "list"] and problems == []
    words = soup.select_one(".words")
    assert words.math is not None and "(8)" in words.get_text()


def test_first_words():
    assert slides.first_words("- a\n- b\n\nSee [unit 3](x.ipynb). Then $a. B$ is so.") == (
        "See unit 3. Then $a. B$ is so."
    )
    assert slides.first_words("Move the slider. It is long.") == "It is long."
    assert slides.first_words("| a | b |") == ""
    long = "One sentence with ten words in it, neither more nor less. " * 9
    assert len(slides.first_words(long)) <= slides.MOST_LETTERS
