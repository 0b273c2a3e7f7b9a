"""All lessons as web pages that need neither a kernel nor a network: build/html.

    python tools/pages.py [NAME ...]    all lessons, if no name is given

nbconvert makes the pages; what it leaves to do is done here. Pictures get the alternative text that
our figures carry in the metadata of the output (nbconvert's own template leaves it out), formulas
become MathML, links between lessons lead to pages, and no page loads or runs anything: its content
security policy forbids browsers to. A picture without a text, a formula that is not understood, a
link to no lesson, or something that the policy would stop is an error.

(Not named html.py: beside a script of that name Python would not find its own module html.)
"""

import argparse
import logging
import re
import sys
from functools import cache
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

TARGET = ROOT / "build" / "html"
NO_TEXT = "No description has been provided for this image"  # nbconvert's, where there is none

TEMPLATE = """\
{%- extends 'index.html.j2' -%}
{%- block html_head_js -%}{%- endblock -%}
{%- block html_head_js_mathjax -%}{%- endblock -%}
{%- block html_head_js_mermaidjs -%}{%- endblock -%}
{%- block jupyter_widgets -%}{%- endblock -%}
"""

STYLE = """
body.jp-Notebook { max-width: 62em; margin: 0 auto; padding: 1em; font-family: sans-serif; }
nav.lessons { display: flex; gap: 1.5em; flex-wrap: wrap; padding: .5em 0 .5em 70px; }
nav.lessons a, .jp-RenderedHTMLCommon a:link, ul.lessons a { color: #0b57a4; }
nav.lessons a, .jp-RenderedHTMLCommon a:link { text-decoration: underline; }
a.skip { position: absolute; left: -999em; } a.skip:focus { position: static; }
.jp-OutputArea-output img { max-width: 100%; height: auto; background: white; }
.equation { display: flex; align-items: center; margin: .8em 0; overflow: auto hidden; }
.equation math { flex: 1; font-size: 1.1em; } .equation .tag { padding: 0 1em; }
mtd[columnalign=right] { text-align: right; padding-right: 0; }
mtd[columnalign=left] { text-align: left; padding-left: 0; }
body .jp-InputPrompt, body .jp-OutputPrompt { color: #595959 !important; opacity: 1 !important; }
body .highlight .mi, body .highlight .mf { color: #006400 !important; }
body .highlight .ow { color: #7a00b8 !important; }
body .highlight .c1 { color: #2f6060 !important; }
ul.lessons { line-height: 1.8; } ul.lessons .minutes { color: #595959; }
"""
# What a browser may use: pictures and fonts inside the page, and its styles. It fetches nothing and
# runs nothing.
POLICY = (
    "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'"
)
POLICY_TAG = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
PAPERS = ("ukr", "sgd", "drur", "rpm", "si")
_BADGE = re.compile(r"\[!\[([^\]]*)\]\(https://mybinder\.org/badge_logo\.svg\)\]")
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


def minutes_of(notebook):
    """What the lesson says of its time."""
    found = re.search(r"\*\*Time\*\* ([^.*\n]+)", notebook.cells[0].source)
    return found[1].strip() if found else ""


@cache
def _exporter():
    """One for all pages: it keeps its templates, which take a while to compile."""
    return HTMLExporter(
        extra_loaders=[DictLoader({"page.html.j2": TEMPLATE})], template_file="page.html.j2"
    )


def page(path, titles):
    """The page of one lesson, and what is wrong with it, in sentences."""
    notebook = nbformat.read(path, as_version=4)
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
    problems = [
        *complaints.said,
        *_pictures(soup),
        *_formulas(soup),
        *_links(soup, path, titles),
    ]
    problems += _loaded(soup)
    _furnish(soup, path, titles)
    return str(soup), problems


def _pictures(soup):
    for number, image in enumerate(soup.find_all("img"), start=1):
        if not image.get("alt", "").strip() or image["alt"] == NO_TEXT:
            yield f"picture {number} has no text: end its cell with figures.show(figure, text)"


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


def _links(soup, path, titles):
    """Links to lessons lead to their pages; those to other files of the repository must exist."""
    for link in soup.find_all("a", href=True):
        target = link["href"].partition("#")[0]
        if re.match(r"[a-z]+:", target) or not target:
            continue
        file = (path.parent / target).resolve()
        if file.suffix == ".ipynb" and file.stem in titles:
            link["href"] = link["href"].replace(".ipynb", ".html")
        elif not file.exists():
            yield f"it links to {target}, which does not exist"
        elif file.suffix == ".ipynb":
            link.unwrap()  # an exercise, which needs a kernel: its name stays


def _furnish(soup, path, titles):
    """Title, style, ways around, and a keyboard's way into what scrolls."""
    names = list(titles)
    place = names.index(path.stem)
    soup.head.insert(0, BeautifulSoup(POLICY_TAG, "html.parser"))
    soup.title.string = f"{titles[path.stem]} - ukrlearn"
    style = soup.new_tag("style")
    style.string = STYLE
    soup.head.append(style)
    around = '<a href="index.html">All lessons</a>'
    if place > 0:
        before = names[place - 1]
        around = f'<a rel="prev" href="{before}.html">Before: {escape(titles[before])}</a> {around}'
    if place + 1 < len(names):
        after = names[place + 1]
        around += f' <a rel="next" href="{after}.html">Next: {escape(titles[after])}</a>'
    main = soup.find("main")
    main["id"] = "content"
    main.insert_before(
        BeautifulSoup(
            '<a class="skip" href="#content">To the text</a>'
            f'<nav class="lessons" aria-label="lessons">{around}</nav>',
            "html.parser",
        )
    )
    for number, block in enumerate(soup.select(".jp-CodeCell pre, .equation"), start=1):
        block["tabindex"] = "0"
        if block.name == "pre":
            kind = "code" if block.find_parent(class_="jp-InputArea") else "output"
            block["role"], block["aria-label"] = "region", f"{kind} {number}"
    for mark in soup.select("a.anchor-link"):
        mark.decompose()
    for code in soup.select(".jp-CodeCell:has(.ukrlearn-prediction) .jp-Cell-inputWrapper"):
        code.decompose()  # it tells the answer, which the question hides
    for table in soup.select("table"):
        for head in table.select("thead th"):
            head["scope"] = "col"


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


def _loaded(soup):
    """What a browser would fetch or run if nothing kept it from doing so."""
    for tag in soup.find_all(True):
        if tag.name in EMBEDDED:
            yield f"it holds {str(tag)[:60]!r}"
        if tag.name == "style":
            yield from _loaded_by_style(tag.get_text())
        if tag.name == "meta" and tag.get("http-equiv", "").lower() == "refresh":
            yield f"it goes on to {tag.get('content')}"
        for key, value in tag.attrs.items():
            yield from _loaded_by_attribute(tag.name, key.lower(), value)


def _loaded_by_attribute(name, key, value):
    value = " ".join(value) if isinstance(value, list) else value
    address = re.sub(r"[\x00-\x20]", "", value)  # as browsers do: "java\nscript:" is a script
    if key.startswith("on") or _SCRIPT.match(address.lower()):
        yield f"it runs {key}={value[:60]!r}"
    elif key == "style":
        yield from _loaded_by_style(value)
    elif key == "srcdoc":
        yield from _loaded(BeautifulSoup(value, "html.parser"))
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


def index(titles, minutes):
    """The page that lists all lessons."""
    items = "\n".join(
        f'<li><a href="{name}.html">{escape(title)}</a> '
        f'<span class="minutes">{escape(minutes[name])}</span></li>'
        for name, title in titles.items()
    )
    return f"""<!DOCTYPE html>
<html lang="en"><head>{POLICY_TAG}<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<title>Lessons - ukrlearn</title><style>{STYLE}</style></head>
<body class="jp-Notebook"><main><h1>Lessons</h1>
<p>To read without a kernel: pictures with their texts, formulas, printed numbers. Sliders need
Jupyter; each panel is shown here as it stands before anything is moved.</p>
<ul class="lessons">
{items}
</ul></main></body></html>
"""


def build(paths, target=TARGET):
    """Writes the pages; what is wrong, in sentences."""
    notebooks = {path.stem: nbformat.read(path, as_version=4) for path in lessons()}
    titles = {name: title_of(notebook) for name, notebook in notebooks.items()}
    minutes = {name: minutes_of(notebook) for name, notebook in notebooks.items()}
    target.mkdir(parents=True, exist_ok=True)
    problems = []
    for path in paths:
        text, wrong = page(path, titles)
        problems += [f"{path.stem}: {problem}" for problem in wrong]
        (target / f"{path.stem}.html").write_text(text, encoding="utf-8")
    (target / "index.html").write_text(index(titles, minutes), encoding="utf-8")
    return problems


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="a lesson, e.g. 00_start_here")
    wanted = {Path(name).stem for name in parser.parse_args(arguments).names}
    unknown = wanted - {path.stem for path in lessons()}
    if unknown:
        sys.exit(f"No lesson named {', '.join(sorted(unknown))} in notebooks.")
    chosen = [path for path in lessons() if not wanted or path.stem in wanted]
    problems = build(chosen)
    print("\n".join(problems) or f"{len(chosen)} pages and an index in {TARGET.relative_to(ROOT)}.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
