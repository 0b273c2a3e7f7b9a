"""A deck of slides for each unit, made from its notebook: build/slides, by `make guide`.

A deck has a title, what one can do afterwards, each section with its pictures and its first
sentence, each prediction as a question whose answer comes on the next key, and the key points. It
is one file that loads nothing: formulas are MathML, pictures are inside. Arrow keys turn the pages;
in print every page is there, with the answers.
"""

import re
from html import escape
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup
from nbconvert.filters.markdown_mistune import markdown2html_mistune

from tools import pages
from ukrlearn.checks._prediction import question_of

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "build" / "slides"
STYLE, SCRIPT = (
    Path(__file__).with_suffix(suffix).read_text(encoding="utf-8") for suffix in (".css", ".js")
)
MOST_LETTERS = 230  # of the words beside a picture
DENSE = 430  # letters on a question's slide, from which on they are smaller
POLICY = pages.policy([pages.fingerprint(SCRIPT)])
_SECTION = re.compile(r"^## (.+?)(?: \(\d+ minutes?\))?$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_NOT_HERE = re.compile(r"\b(cells?|panel|sliders?|below)\b")  # what only the notebook has
_NO_WORDS = re.compile(  # a list, a table, a formula, the end of a lesson
    r"[#|<>!*-] |[|<(]|\$\$|\d+\. |\*\*(?:Notation|Covered|Further)"
)


def units():
    """The notebooks that have a deck."""
    return [path for path in pages.lessons() if re.match(r"\d\d_", path.stem)]


# ---- what a notebook has to show ----------------------------------------------------------------


def first_words(text):
    """The first sentences of the first paragraph, without links; formulas stay whole."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if not _NO_WORDS.match(paragraph):
            break
    else:
        return ""
    words = _LINK.sub(r"\1", " ".join(paragraph.split()))
    words = re.split(r" ?\$\$", words)[0]
    taken = ""
    for sentence in re.split(r"(?<=[.!?]) (?=[^a-z])", words):
        if _NOT_HERE.search(sentence):
            continue
        whole = taken.count("$") % 2 == 0
        if taken and whole and len(f"{taken} {sentence}") > MOST_LETTERS:
            break
        taken = f"{taken} {sentence}".strip()
    return re.sub(r":$", ".", taken)


def first_formula(text):
    """The first formula of a text that has a line of its own."""
    found = re.search(r"\$\$.+?\$\$", text, re.S)
    return found[0] if found else ""


def pictures(cell):
    """(source, text, is a panel) of all pictures that a code cell shows."""
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        for image in BeautifulSoup(data.get("text/html", ""), "html.parser").find_all("img"):
            yield image["src"], image.get("alt", ""), "ukrlearn-frozen" in data["text/html"]
        if "image/png" in data and "<img" not in data.get("text/html", ""):
            alt = output.get("metadata", {}).get("image/png", {}).get("alt", "")
            yield f"data:image/png;base64,{data['image/png'].strip()}", alt, False


def listed(text):
    """The first list of a text."""
    items = re.search(r"^- .*?(?=\n\n(?!- )|\Z)", text, re.M | re.S)
    return _LINK.sub(r"\1", items[0]) if items else ""


def slides_of(notebook):
    """(kind, fields) of all slides, in the order in which they are shown."""
    first = pages.without_start_line(notebook.cells[0].source)
    title = pages.title_of(notebook)
    lead = re.split(r"\n\s*\n", first)[1]
    yield "first", {"title": title, "text": " ".join(lead.split())}
    yield (
        "list",
        {"title": "Afterwards you can", "text": listed(first.partition("**Afterwards")[2])},
    )
    section = words = opening = formula = ""
    shown = True
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            text = first if cell is notebook.cells[0] else cell.source
            if "<details>" in text:
                continue
            for title, part in _parts(text):
                if title is None:
                    words = first_words(part) or words
                    formula = formula or first_formula(part)
                    continue
                if not shown and opening:
                    yield "words", {"title": section, "text": f"{opening}\n\n{formula}"}
                if title == "Key points":
                    yield "list", {"title": title, "text": listed(part)}
                    return
                section, shown, formula = title, False, first_formula(part)
                words = opening = first_words(part)
            continue
        question = question_of(cell.source)
        if question:
            yield "question", {"title": section, "text": words, "question": question}
            words, shown = "", True
        for source, alt, live in pictures(cell):
            fields = {"source": source, "alt": alt, "live": live}
            yield "section", {"title": section, "text": words, **fields}
            words, shown = "", True


def _parts(text):
    """(title of a section or None, its text) of a Markdown cell."""
    pieces = _SECTION.split(text)
    if not pieces[0].startswith("# "):
        yield None, pieces[0]
    yield from zip(pieces[1::2], pieces[2::2], strict=True)


# ---- how it is shown ----------------------------------------------------------------------------


def rendered(text):
    """Markdown as HTML in which `pages` finds the formulas."""
    return f'<div class="jp-RenderedMarkdown">{markdown2html_mistune(text)}</div>'


def inline(text):
    """The same without a paragraph around it."""
    made = BeautifulSoup(markdown2html_mistune(str(text)), "html.parser")
    for paragraph in made.find_all("p"):
        paragraph.unwrap()
    return f'<span class="jp-RenderedMarkdown">{str(made).strip()}</span>'


def _question(question, title, text):
    head = f'<p class="kicker">{inline(title)}</p>'
    if text:
        head += f'<div class="before">{rendered(text)}</div>'
    head += f"<h2>{inline(question.question)}</h2>"
    answer = question.answer
    if question.options:
        rows = []
        for letter, option in zip("ABCDEFGH", question.options, strict=False):
            right = option == question.answer
            mark = '<span class="mark">✓ right</span>' if right else ""
            answer = f"{letter}: {option}" if right else answer
            rows.append(
                f'<li class="{"right" if right else "wrong"}"><span class="letter">{letter}</span>'
                f"{inline(option)}{mark}</li>"
            )
        choice = f'<ol class="options">{"".join(rows)}</ol>'
    else:
        what = "an answer" if isinstance(answer, str) else "a number"
        choice = f'<p class="write">Write down {what} before you look.</p>'
    because = f"<p>{inline(question.because)}</p>" if question.because else ""
    told = f'<div class="answer"><p><strong>{inline(answer)}</strong></p>{because}</div>'
    return head + choice + told


def slide(kind, number, of, unit, fields):
    """One slide as HTML; `unit` is its number and its title."""
    title, text = fields["title"], fields["text"]
    if kind == "first":
        body = f'<p class="kicker">Unit {unit[:2]}</p><h1>{inline(title)}</h1>{rendered(text)}'
    elif kind == "question":
        body = _question(fields["question"], title, text)
    elif kind == "section":
        body = f"<h2>{inline(title)}</h2>{rendered(text) if text else ''}"
        image = f'<img src="{fields["source"]}" alt="{escape(fields["alt"])}">'
        body += f'<div class="picture">{image}</div>'
        if fields["live"]:
            body += '<p class="note">A panel: open it in the notebook and move it.</p>'
    else:
        body = f"<h2>{inline(title)}</h2>{rendered(text)}"
    state = ""
    if kind == "question":
        asked = fields["question"]
        letters = len(
            "".join([text, asked.question, *asked.options, str(asked.answer), asked.because])
        )
        state = " asked dense" if letters > DENSE else " asked"
    label = f'aria-roledescription="slide" aria-label="{number} of {of}" tabindex="-1"'
    foot = f'<p class="foot"><span>{escape(unit)}</span><span>{number} / {of}</span></p>'
    return f'<section class="slide {kind}{state}" id="s{number}" {label}>{body}{foot}</section>'


def deck(path):
    """The deck of one unit, and what is wrong with it, in sentences."""
    notebook = nbformat.read(path, as_version=4)
    made = list(slides_of(notebook))
    unit = f"{path.stem[:2]} {pages.title_of(notebook)}"
    body = "\n".join(
        slide(kind, number, len(made), unit, fields)
        for number, (kind, fields) in enumerate(made, start=1)
    )
    soup = BeautifulSoup(
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(pages.title_of(notebook))} - slides - ukrlearn</title>"
        f"<style>{STYLE}</style></head>"
        f'<body><main>{body}</main><div class="bar" aria-hidden="true"></div></body></html>',
        "html.parser",
    )
    problems = [*pages._pictures(soup), *pages._formulas(soup), *pages.loaded(soup)]
    for place in soup.select(".jp-RenderedMarkdown"):
        place.unwrap()
    script = soup.new_tag("script")
    script.string = SCRIPT
    soup.body.append(script)
    return str(soup), problems


def build(paths, target=TARGET):
    """Writes the decks; what is wrong, in sentences."""
    target.mkdir(parents=True, exist_ok=True)
    problems = []
    for path in paths:
        text, wrong = deck(path)
        problems += [f"{path.stem}: {problem}" for problem in wrong]
        (target / f"{path.stem}.html").write_text(text, encoding="utf-8")
    return problems
