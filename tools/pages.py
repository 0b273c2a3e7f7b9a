"""Notebooks and Markdown as parts of web pages that need neither a kernel nor a network.

nbconvert makes the HTML; what it leaves to do is done here. Pictures get the alternative text that
our figures carry in the metadata of the output (nbconvert's own template leaves it out), formulas
become MathML, links between files of the repository lead to their pages, and no page loads or runs
anything but what tools/site.py puts in. A picture without a text, a formula that is not understood,
a link to nothing, or something that a browser would fetch is an error. tools/site.py writes the
pages.
"""

import logging
import re
import sys
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup
from jinja2 import DictLoader
from nbconvert.exporters import HTMLExporter

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.mathml import formula  # noqa: E402
from tools.notebooks import without_start_line  # noqa: E402
from ukrlearn.checks import _review  # noqa: E402
from ukrlearn.checks._prediction import question_of  # noqa: E402

NO_TEXT = "No description has been provided for this image"  # nbconvert's, where there is none
CODE = "The code of this picture"
ASIDE = "How sure are we?"  # the heading of notes that stand in the margin where there is one
PAPERS = ("ukr", "sgd", "drur", "rpm", "si")
_BADGE = re.compile(r"\[!\[([^\]]*)\]\(https://mybinder\.org/badge_logo\.svg\)\]")
_BESIDE = re.compile(r'(\(?<math display="inline"(?:(?!</math>).)*</math>[.,;:!?)]+)', re.DOTALL)
_MATH = re.compile(r"\$\$(.+?)\$\$|\$([^$]+?)\$", re.DOTALL)


class Complaints(logging.Handler):
    """What nbconvert warns of."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.said = []

    def emit(self, record):
        self.said.append(record.getMessage())


def lessons():
    """The notebooks of the course, in the order of reading: the index first, the glossary last."""
    found = (ROOT / "notebooks").glob("*.ipynb")
    return sorted(found, key=lambda path: (_place(path.stem), path.stem))


def _place(name):
    """Where a page comes: index, lessons, appendices by paper, whatever else, glossary."""
    places = ("course", r"\d\d_.*", *(f"appendix_{paper}" for paper in PAPERS), "", "glossary")
    fits = [k for k, pattern in enumerate(places) if pattern and re.fullmatch(pattern, name)]
    return fits[0] if fits else places.index("")


def title_of(notebook):
    """The first heading."""
    for cell in notebook.cells:
        if found := re.search(r"^# (.+)$", cell.source, re.MULTILINE):
            return found[1].replace("`", "").replace("*", "")
    raise ValueError("a lesson must begin with a heading")


def bare(heading):
    """The words of a heading without its minutes."""
    return re.sub(r" \([^()]*minutes?\)$", "", " ".join(heading.get_text().split()))


@cache
def _exporter():
    """One for all pages: it keeps its templates, which take a while to compile."""
    return HTMLExporter(
        extra_loaders=[DictLoader({"part.html.j2": "{%- extends 'base.html.j2' -%}"})],
        template_file="part.html.j2",
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )


def article(notebook, folder, addresses):
    """The text of a page, as a tree, and what is wrong with it, in sentences.

    Parameters
    ----------
    notebook : NotebookNode
    folder : Path
        Where the notebook stands: its links are relative to this folder.
    addresses : dict of Path to str
        The page of each file that has one.
    """
    notebook = nbformat.from_dict(notebook)
    for cell in notebook.cells[:1]:
        cell.source = without_start_line(cell.source)  # nothing can be run here
        cell.source = _BADGE.sub(r"[\1]", cell.source)  # a link whose picture is not fetched
    exporter = _exporter()
    complaints = Complaints()
    exporter.log.addHandler(complaints)
    try:
        text, _ = exporter.from_notebook_node(notebook)
    finally:
        exporter.log.removeHandler(complaints)
    soup = BeautifulSoup(text, "html.parser")
    for note in soup.select(".ukrlearn-frozen"):
        note.decompose()  # it says how to run a cell, which a page cannot
    _questions(soup, notebook)
    problems = [
        *complaints.said,
        *_pictures(soup),
        *_formulas(soup),
        *_links(soup, folder, addresses),
    ]
    problems += loaded(soup)
    _furnish(soup)
    for bank in soup.select(".review > div"):
        bank.name = "template"  # which a browser keeps and does not show
    return soup, problems


def markdown(text, folder, addresses):
    """The same for a Markdown file."""
    cell = nbformat.v4.new_markdown_cell(text)
    return article(nbformat.v4.new_notebook(cells=[cell]), folder, addresses)


def _pictures(soup):
    for number, image in enumerate(soup.find_all("img"), start=1):
        if not image.get("alt", "").strip() or image["alt"] == NO_TEXT:
            yield f"picture {number} has no text: end its cell with figures.show(figure, text)"


def _questions(soup, notebook):
    """Questions as their cells ask them today, without the style that only JupyterLab needs."""
    lesson = re.search(r'predictions\("(\w+)"\)', str(notebook.cells)) or ("", "")
    for cell in notebook.cells:
        if cell.cell_type == "code" and (question := question_of(cell.source, lesson[1])):
            shown = soup.find(id=f"cell-id={cell.id}").select_one(".jp-Cell-outputWrapper")
            shown.replace_with(BeautifulSoup(question._repr_html_(), "html.parser"))
        elif unit := re.match(r'review\("(\w+)"\)', cell.source):
            shown = soup.find(id=f"cell-id={cell.id}").select_one(".jp-Cell-outputWrapper")
            shown.replace_with(_that_come_back(unit[1]))
    for style in soup.select(".ukrlearn-prediction style"):
        style.decompose()


def _that_come_back(unit):
    """The questions of earlier units, from which tools/web/page.js takes those that are due."""
    earlier = [key for key in _review.questions() if key < unit]
    asked = (_review.question(key)._repr_html_() for key in earlier)
    section = BeautifulSoup(
        f'<section class="review" data-unit="{unit}" hidden><p>Before you begin, a minute for '
        f"questions from earlier lessons. You may skip them.</p><div>{''.join(asked)}</div>"
        "</section>",
        "html.parser",
    )
    for place in section.select("[data-key]"):
        if _review.questions()[place["data-key"]] is None:
            place["data-again"] = ""
    return section


def _formulas(soup):
    """Formulas become MathML, outside of code."""
    for place in soup.select(".jp-RenderedMarkdown, .ukrlearn-prediction"):
        for node in list(place.find_all(string=_MATH)):
            if node.find_parent(["code", "pre"]) is None:
                try:
                    made = _MATH.sub(_as_mathml, escape(str(node), quote=False))
                except ValueError as problem:
                    yield str(problem)
                    continue
                made = _BESIDE.sub(r'<span class="whole">\1</span>', made)
                node.replace_with(BeautifulSoup(made, "html.parser"))
        for block in place.select("p > div.equation:only-child"):
            if not block.parent.get_text().replace(block.get_text(), "").strip():
                block.parent.unwrap()
        for block in place.select("p > div.equation"):
            block.name = "span"  # a paragraph can't hold a div
        left = [n for n in place.find_all(string=re.compile(r"\$")) if not n.find_parent("code")]
        for node in left:
            yield f"a formula was not understood near {node.strip()[:60]!r}"


def _as_mathml(match):
    latex = (match[1] or match[2]).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    made = formula(latex, display=match[1] is not None)
    if match[1] is None:
        return made.mathml
    tag = f'<span class="tag">({escape(made.tag)})</span>' if made.tag else ""
    return f'<div class="equation">{made.mathml}{tag}</div>'


def _links(soup, folder, addresses):
    """Links to files lead to their pages; a file without a page leaves its name, and must exist."""
    for link in soup.find_all("a", href=True):
        target, mark, place = link["href"].partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        if not target:  # Git hosts write the places of headings in small letters
            same = soup.find(id=re.compile(f"^{re.escape(place)}$", re.I)) if place else None
            link["href"] = mark + (same["id"] if same else place)
            continue
        file = (folder / target).resolve()
        if file in addresses:
            link["href"] = addresses[file] + mark + place
        elif file.exists():
            link.unwrap()
        else:
            yield f"it links to {target}, which does not exist"


def _furnish(soup):
    """A keyboard's way into what scrolls, and nothing that only JupyterLab needs."""
    for number, block in enumerate(soup.select(".jp-CodeCell pre, .equation"), start=1):
        block["tabindex"] = "0"
        if block.name == "pre":
            kind = "code" if block.find_parent(class_="jp-InputArea") else "output"
            if kind == "output" and re.search(r"\S {2,}[^\s#]", block.get_text()):
                block["class"] = "columns"  # which lines that are broken would tear
            block["role"], block["aria-label"] = "region", f"{kind} {number}"
    for mark in soup.select("a.anchor-link, .jp-Collapser"):
        mark.decompose()
    for code in soup.select(".jp-CodeCell:has(.ukrlearn-prediction) .jp-Cell-inputWrapper"):
        code.decompose()  # it tells the answer, which the question hides
    for cell in soup.select(".jp-CodeCell.celltag_aside"):
        is_picture = cell.select_one("img, svg") is not None
        fold(soup, cell, CODE if is_picture else "A check in code")
    for summary in soup.find_all("summary"):
        if summary.get_text() == ASIDE:
            summary.parent["class"] = "sure"
    for number, table in enumerate(soup.select("table"), start=1):
        for head in table.select("thead th"):
            head["scope"] = "col"
        table.wrap(
            soup.new_tag("div", attrs={"class": "scroll", "tabindex": "0", "role": "region"})
        )
        table.parent["aria-label"] = f"table {number}"


def fold(soup, cell, words):
    """The code of a cell within an element that opens and closes; returns it."""
    code = cell.select_one(".jp-Cell-inputWrapper")
    folded = code.wrap(soup.new_tag("details", attrs={"class": "code"}))
    folded.insert(0, BeautifulSoup(f"<summary>{words}</summary>", "html.parser"))
    return folded


FETCHED = (  # attributes whose addresses a browser fetches; with href, unless it is a link's
    *("src", "srcset", "imagesrcset", "poster", "data", "background", "manifest", "codebase"),
    *("archive", "classid", "action", "formaction", "ping", "lowsrc", "dynsrc", "xlink:href"),
)
LISTS = ("srcset", "imagesrcset")
EMBEDDED = ("script", "base", "iframe", "frame", "object", "embed", "applet")  # never in a page
_INSIDE = re.compile(r"data:(?!text/html)|#")  # the page itself has these
_SCRIPT = re.compile(r"(java|vb)script:|data:text/html")
_STYLE_ADDRESS = re.compile(
    r"""@import\s*(?:url\()?\s*["']?([^"');]+)"""
    r"""|\b(?:url|src)\(\s*["']?([^"')]*)"""
    r"""|\bimage(?:-set)?\(\s*["']([^"']*)""",
    re.IGNORECASE,
)


def fingerprint(script):
    """What a content security policy calls a script that may run."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def policy(prints):
    """What a browser may use: what is inside the page, and of scripts only those that are named."""
    return (
        "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; "
        f"script-src {' '.join(prints)}; base-uri 'none'; form-action 'none'"
    )


def loaded(soup, allowed=()):
    """What a browser would fetch or run if nothing kept it from doing so.

    `allowed` holds the fingerprints of scripts that may run.
    """
    for tag in soup.find_all(True):
        if tag.name in EMBEDDED and not _permitted(tag, allowed):
            yield f"it holds {str(tag)[:60]!r}"
        if tag.name == "style":
            yield from _loaded_by_style(tag.get_text())
        if tag.name == "meta" and tag.get("http-equiv", "").lower() == "refresh":
            yield f"it goes on to {tag.get('content')}"
        for key, value in tag.attrs.items():
            yield from _loaded_by_attribute(tag.name, key.lower(), value)


def _permitted(tag, allowed):
    """Whether it is data, or a script that is known, and in both cases inside the page."""
    if tag.name != "script" or tag.has_attr("src"):
        return False
    return tag.get("type") == "application/json" or fingerprint(tag.string or "") in allowed


def _loaded_by_attribute(name, key, value):
    value = " ".join(value) if isinstance(value, list) else value
    address = re.sub(r"[\x00-\x20]", "", value)  # as browsers do: "java\nscript:" is a script
    if key.startswith("on") or _SCRIPT.match(address.lower()):
        yield f"it runs {key}={value[:60]!r}"
    elif key == "style":
        yield from _loaded_by_style(value)
    elif key == "srcdoc":
        yield from loaded(BeautifulSoup(value, "html.parser"))
    elif key in LISTS:
        for one in re.split(r",\s+|,(?=\S+://|//)", value):
            yield from _unless_inside(one.split()[0] if one.split() else "")
    elif key in FETCHED or (key == "href" and name not in ("a", "area")):
        yield from _unless_inside(address)


def _loaded_by_style(style):
    style = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    style = re.sub(r"\\([0-9a-fA-F]{1,6})\s?", lambda code: chr(int(code[1], 16) % 0x110000), style)
    for found in _STYLE_ADDRESS.finditer(style):
        yield from _unless_inside(next(filter(None, found.groups()), "").strip())


def _unless_inside(address):
    if address and not _INSIDE.match(address.lower()):
        yield f"it loads {address}"
