"""Texts of pages: pictures with words, formulas that are understood, no host asked."""

import base64
import re
from xml.etree import ElementTree

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from helpers import each

from tools import pages
from tools.index import BADGE, binder_address
from tools.mathml import formula
from tools.notebooks import TO_READ, TO_START
from ukrlearn.checks import predictions
from ukrlearn.figures.house import html_of

LESSON = "12_referee"
EXERCISES = [path.with_suffix(".ipynb") for path in (pages.ROOT / "exercises").glob("[0-9]*_*.py")]
PIXEL = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()


def addresses():
    """A page for each lesson."""
    return {path.resolve(): f"{path.stem}.html" for path in pages.lessons()}


@pytest.fixture(scope="module")
def lesson():
    """One lesson: its notebook and the text of its page."""
    (path,) = [path for path in pages.lessons() if path.stem == LESSON]
    notebook = nbformat.read(path, as_version=4)
    soup, _ = pages.article(notebook, path.parent, addresses())
    return notebook, soup


def made(folder, *cells):
    """The problems and the text of a notebook of these cells."""
    known = {(folder / "13_your_own_data.ipynb").resolve(): "13_your_own_data.html"}
    notebook = nbformat.v4.new_notebook(cells=list(cells))
    soup, problems = pages.article(notebook, folder, known)
    return problems, soup


def picture(text=None, note=""):
    """A cell that shows a picture as `figures.show` does, or one without a text."""
    page = f'<img src="data:image/png;base64,{PIXEL}">'
    if text:
        page = html_of(np.zeros((2, 2, 3), np.uint8), text, 300, note)
    output = nbformat.v4.new_output("display_data", {"text/html": page})
    return nbformat.v4.new_code_cell("show()", outputs=[output])


def words(source):
    return nbformat.v4.new_markdown_cell(source)


@each("path", pages.lessons(), ids=lambda path: path.stem)
def test_every_lesson_becomes_a_page_with_words_for_all_its_pictures(path):
    site = {**addresses(), **{exercise: "x.html" for exercise in EXERCISES}}
    _, problems = pages.article(nbformat.read(path, as_version=4), path.parent, site)
    assert problems == []


def test_every_picture_says_what_its_figure_said(lesson):
    notebook, soup = lesson
    texts = [
        BeautifulSoup(output.data["text/html"], "html.parser").img["alt"]
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if "<img" in output.get("data", {}).get("text/html", "")
    ]
    drawing = re.compile(r"figures\.show\(|ukrlearn\.panels import")
    assert len(texts) == sum(bool(drawing.search(cell.source)) for cell in notebook.cells) >= 3
    assert [image["alt"] for image in soup.find_all("img")] == texts


def test_formulas_are_mathml_and_equations_have_their_numbers(lesson):
    _, soup = lesson
    assert len(soup.find_all("math")) > 10
    assert "(10)" in [tag.get_text() for tag in soup.select(".equation .tag")]
    assert not [node for node in soup.select(".jp-RenderedMarkdown p") if "$" in node.get_text()]


def test_a_text_has_one_heading_and_a_keyboards_way_into_what_scrolls(lesson):
    _, soup = lesson
    assert len(soup.find_all("h1")) == 1
    assert not soup.select('a[href$=".ipynb"]')
    assert all(block.has_attr("tabindex") for block in soup.select(".jp-CodeCell pre, .scroll"))
    assert not soup.select(".jp-InputPrompt, .jp-OutputPrompt, .jp-Collapser, .anchor-link")


def test_a_prediction_stands_with_its_formulas_and_its_answer_behind_a_disclosure(tmp_path):
    asked = predictions(LESSON)(
        "memorise", "Is $R < 1$ or `$HOME`?", options=["$h$", "no"], answer="no", because="$x^2$."
    )
    data = {"text/html": asked._repr_html_(), "text/plain": repr(asked)}
    output = nbformat.v4.new_output("display_data", data)
    problems, soup = made(
        tmp_path, words("# One"), nbformat.v4.new_code_cell("a", outputs=[output])
    )
    assert problems == []
    question = soup.select_one(".ukrlearn-prediction")
    assert len(question.find_all("math")) == 3 and question.code.get_text() == "$HOME"
    assert question.details.summary.get_text() == "Answer"
    assert "predict" not in soup.get_text()  # the code would tell the answer
    assert question.details.math and "no." in question.details.get_text()


def test_a_page_does_not_say_how_to_run_what_cannot_be_run(tmp_path):
    for line in (f"{TO_START} Then the pictures get sliders.", TO_READ):
        problems, soup = made(tmp_path, words(f"# One\n\n{line}\n\nWords."))
        assert problems == [] and not soup.find("button")
        assert "run" not in soup.text.lower() and "Words." in soup.text


def test_a_badge_becomes_a_link_that_fetches_no_picture(tmp_path):
    badge = BADGE.format(address=binder_address("https://github.com/me/course"))
    problems, soup = made(tmp_path, words(f"# One\n\n{badge}"))
    assert problems == [] and not soup.find("img")
    assert soup.find("a", string="Open the first lesson in Binder")["href"].startswith("https:")


def test_pages_come_in_the_order_of_reading(tmp_path, monkeypatch):
    names = [
        "course",
        "00_a",
        "14_b",
        "appendix_ukr",
        "appendix_sgd",
        "appendix_si",
        "x",
        "glossary",
    ]
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    (tmp_path / "notebooks").mkdir()
    for name in sorted(names):
        (tmp_path / "notebooks" / f"{name}.ipynb").touch()
    assert [path.stem for path in pages.lessons()] == names


def test_a_picture_without_words_is_a_problem(tmp_path):
    problems, _ = made(tmp_path, words("# One"), picture(), picture("A dot."))
    assert len(problems) == 2
    assert problems[0] == "Alternative text is missing on 1 image(s).", "nbconvert's own warning"
    assert problems[1].startswith("picture 1 has no text")
    problems, _ = made(tmp_path, words("# One\n\n![](data:image/png;base64,AAAA)"))
    assert problems == ["picture 1 has no text: end its cell with figures.show(figure, text)"]


def test_words_of_a_picture_are_escaped(tmp_path):
    problems, soup = made(tmp_path, words("# One"), picture('a "b" <c> & d'))
    assert problems == []
    assert (soup.img["alt"], soup.img["width"]) == ('a "b" <c> & d', "300")


def test_a_page_does_not_ask_to_run_a_cell(tmp_path):
    problems, soup = made(tmp_path, words("# One"), picture("A panel.", "Run the cell."))
    assert problems == []
    assert soup.img["alt"] == "A panel." and "Run the cell" not in soup.get_text()


def test_a_formula_that_is_not_understood_is_a_problem(tmp_path):
    problems, _ = made(tmp_path, words("# One\n\nLet $x \\unheard y$ be."))
    assert "\\unheard in the formula 'x \\\\unheard y' is not known" in problems[0]
    problems, _ = made(tmp_path, words("# One\n\n$$x \\tag{1}$$\n\nand `$code$` stays."))
    assert problems == []


def test_links_lead_to_pages_or_files_or_are_problems(tmp_path):
    (tmp_path / "there.txt").touch()
    (tmp_path / "exercise.ipynb").touch()
    source = (
        "# One\n\n[a](13_your_own_data.ipynb#x) [b](there.txt) [c](https://x.y) [d](lost.ipynb) "
        "[to do](exercise.ipynb)"
    )
    problems, soup = made(tmp_path, words(source))
    assert problems == ["it links to lost.ipynb, which does not exist"]
    assert soup.find("a")["href"] == "13_your_own_data.html#x"
    assert "to do" in soup.text and not soup.find("a", string="to do")  # it has no page


@each(
    "html, problem",
    [
        ('<img alt="x" src="https://host/x.png">', "it loads https://host/x.png"),
        ('<img alt="x" src="//host/x.png">', "it loads //host/x.png"),
        ('<img alt="x" src="x.png">', "it loads x.png"),
        (
            '<img alt="x" srcset="data:image/png;base64,AA 1x, https://h/x 2x">',
            "it loads https://h/x",
        ),
        ('<img alt="x" srcset="https://h/x">', "it loads https://h/x"),
        ('<video poster="https://h/x"></video>', "it loads https://h/x"),
        ('<video src="https://h/x"></video>', "it loads https://h/x"),
        ('<audio><source src="https://h/x"></audio>', "it loads https://h/x"),
        ('<video><track src="https://h/x"></video>', "it loads https://h/x"),
        ('<object data="data:image/svg+xml,x"></object>', "it holds '<object data="),
        ('<object data="https://h/x"></object>', "it loads https://h/x"),
        ('<embed src="https://h/x">', "it loads https://h/x"),
        ('<iframe src="https://h/x"></iframe>', "it loads https://h/x"),
        ("<iframe srcdoc=\"<img src='https://h/x'>\"></iframe>", "it loads https://h/x"),
        ('<link rel="stylesheet" href="https://h/x">', "it loads https://h/x"),
        ('<svg><image href="https://h/x"></image></svg>', "it loads https://h/x"),
        ('<svg><use xlink:href="https://h/x#a"></use></svg>', "it loads https://h/x#a"),
        ('<table background="https://h/x"></table>', "it loads https://h/x"),
        ('<form action="https://h/x"></form>', "it loads https://h/x"),
        ('<a href="#a" ping="https://h/x">x</a>', "it loads https://h/x"),
        ("<style>@import 'https://h/x';</style>", "it loads https://h/x"),
        ("<style>@IMPORT url(https://h/x);</style>", "it loads https://h/x"),
        ("<style>@import/**/url('//h/x')</style>", "it loads //h/x"),
        ("<style>a { background: u\\72l( 'https://h/x' ) }</style>", "it loads https://h/x"),
        ("<style>@font-face { src: url(https://h/x) }</style>", "it loads https://h/x"),
        ("<p style=\"background: url('https://h/x')\">x</p>", "it loads https://h/x"),
        ("<p style=\"background: image-set('https://h/x' 1x)\">x</p>", "it loads https://h/x"),
        ('<a href="javascript:go()">x</a>', "it runs href='javascript:go()'"),
        ('<a href=" jAva\tscript:go()">x</a>', "it runs href='"),
        ('<a href="data:text/html,x">x</a>', "it runs href='data:text/html,x'"),
        ('<p onclick="go()">x</p>', "it runs onclick='go()'"),
        ("<script>go()</script>", "it holds '<script>go()"),
        ('<base href="https://h/">', "it holds '<base"),
        ('<meta http-equiv="Refresh" content="0; url=https://h/x">', "it goes on to 0; url=https"),
    ],
)
def test_what_a_page_would_load_or_run_is_a_problem(html, problem):
    problems = list(pages.loaded(BeautifulSoup(html, "html.parser")))
    assert any(said.startswith(problem) for said in problems), problems


def test_a_page_that_would_ask_a_host_is_a_problem(tmp_path):
    problems, _ = made(tmp_path, words('# One\n\n<img alt="x" srcset="https://host/x.png 2x">'))
    assert problems == ["it loads https://host/x.png"]


@pytest.mark.parametrize(
    "html",
    [
        '<a href="https://h/x">x</a><a href="other.html#a">x</a>',
        '<img src="data:image/png;base64,AA==" srcset="data:image/png;base64,AA== 2x">',
        "<style>a { mask: url(#a); background: url('data:image/png;base64,AA') }</style>",
        "<p>javascript: is a word, and so is @import url(https://h/x)</p>",
        '<p style="color: red" class="on" data-src="https://h/x">x</p>',
    ],
)
def test_links_and_what_a_page_has_inside_are_no_problem(html):
    assert list(pages.loaded(BeautifulSoup(html, "html.parser"))) == []


def test_a_script_may_run_if_it_is_inside_and_known_by_its_fingerprint():
    inside = BeautifulSoup("<script type='module'>go()</script>", "html.parser")
    known = [pages.fingerprint("go()")]
    assert known == ["'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw='"]
    assert list(pages.loaded(inside, known)) == []
    for html in ("<script>go( )</script>", "<script src='go.js'></script>"):
        assert list(pages.loaded(BeautifulSoup(html, "html.parser"), known)) != []
    data = BeautifulSoup('<script type="application/json">{}</script>', "html.parser")
    assert list(pages.loaded(data)) == []


# ---- formulas -----------------------------------------------------------------------------------


@each(
    "latex, inside",
    [
        ("x", "<mi>x</mi>"),
        ("12.5", "<mn>12.5</mn>"),
        ("-a", "<mo>−</mo><mi>a</mi>"),
        ("a < b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
        ("x_n^2", "<msubsup><mi>x</mi><mi>n</mi><mn>2</mn></msubsup>"),
        ("x^2_n", "<msubsup><mi>x</mi><mi>n</mi><mn>2</mn></msubsup>"),
        ("K'", "<msup><mi>K</mi><mi>′</mi></msup>"),
        ("x_{ij}", "<msub><mi>x</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>"),
        (r"\frac12", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        ("x^12", "<msup><mi>x</mi><mn>1</mn></msup><mn>2</mn>"),
        (r"\frac{1}{N}", "<mfrac><mrow><mn>1</mn></mrow><mrow><mi>N</mi></mrow></mfrac>"),
        (r"\sum_n^N", "<munderover><mo>∑</mo><mi>n</mi><mi>N</mi></munderover>"),
        (r"\int_0", "<msub><mo>∫</mo><mn>0</mn></msub>"),
        (r"\mathbf{Y}", "<mi>𝐘</mi>"),
        (r"R_{\mathrm{cv}}", "<mtext>cv</mtext>"),
        (r"\text{if } x", "<mtext>if\xa0</mtext><mi>x</mi>"),
        (r"\mathcal{X}\mathbb{R}", "<mi>𝒳</mi><mi>ℝ</mi>"),
        (r"\bigl( x \bigr)", 'fence="true" minsize="1.2em" maxsize="1.2em">(</mo>'),
        (r"\bigl\{ x \bigr\}", 'minsize="1.2em" maxsize="1.2em">{</mo><mi>x</mi>'),
        (r"\left| x \right.", 'lspace="0" rspace="0">|</mo><mi>x</mi><mo stretchy="true"'),
        (r"\|y\|", 'stretchy="false" lspace="0" rspace="0">‖</mo><mi>y</mi>'),
        (r"\arg\min_x", "<mi>arg</mi><munder><mo>min</mo><mi>x</mi></munder>"),
        (r"\hat x", '<mover accent="true"><mi>x</mi><mo>^</mo></mover>'),
        (r"\begin{aligned} a &= b \\ c &= d \end{aligned}", "</mtd></mtr><mtr><mtd columnalign"),
        (r"\begin{cases} a \\[4pt] b \end{cases}", '</mtr><mtr><mtd columnalign="left"><mi>b</mi>'),
    ],
)
def test_formulas(latex, inside):
    assert inside in formula(latex, display=True).mathml
    ElementTree.fromstring(formula(latex).mathml)


def test_a_tag_is_the_number_and_not_part_of_the_formula():
    found = formula(r"x \tag{7}", display=True)
    assert found.tag == "7"
    assert (
        found.mathml == '<math display="block" alttext="x \\tag{7}"><mrow><mi>x</mi></mrow></math>'
    )


@each(
    "latex, message",
    [
        (r"\unheard", "is not known to latex2mathml"),
        ("{x", "lacks a brace"),
        ("x}", "lacks a brace"),
        (r"\frac{1}", "ends too early"),
        (r"\left( x", "is not understood: ExtraLeftOrMissingRight"),
        (r"\begin{circus} x \end{circus}", "environment 'circus' is not known"),
    ],
)
def test_what_is_not_understood_is_said(latex, message):
    with pytest.raises(ValueError, match=message):
        formula(latex)


def test_code_that_only_checks_or_draws_is_folded_on_a_page(tmp_path):
    check, drawn = nbformat.v4.new_code_cell("assert 1 < 2"), picture("A dot.")
    for cell in (check, drawn):
        cell.metadata["tags"] = ["aside"]
    problems, soup = made(tmp_path, check, drawn, nbformat.v4.new_code_cell("1 + 1"))
    assert problems == []
    of_check, of_picture = soup.select("details.code")
    assert of_check.summary.get_text() == "A check in code" and "assert" in of_check.get_text()
    assert of_picture.summary.get_text() == "The code of this picture" and not of_picture.img
