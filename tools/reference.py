"""The reference of the library, from its docstrings, as parts of web pages.

Each estimator and each module that users import has a page. Docstrings follow numpydoc. Where they
cite an equation, its number leads to the lesson that explains it, and the equation is shown below.
"""

import inspect
import re
import sys
from html import escape
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import NamedTuple

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonConsoleLexer, PythonLexer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import ukrlearn  # noqa: E402

PAPERS = ("UKR", "SGD", "DRUR", "RPM", "SI")
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.M)
LISTS = ("Parameters", "Attributes", "Returns", "Yields", "Raises")
WIDEST = 78  # characters of a signature on one line
MOST_EQUATIONS = 6  # below one entry
_CODE = re.compile(r"``(.+?)``|`(.+?)`", re.S)
_INDEXED = re.compile(r"(?<![\w.])([^\W\d_])_(\{[^{}]+\}|[^\W_]{1,3})(?![\w(]*_)(?!\w)")
_CITED = re.compile(rf"\[({'|'.join(PAPERS)})\]|\((\d+[a-z]?)\)")


class Equation(NamedTuple):
    """A numbered equation as a lesson shows it."""

    html: str
    address: str

    @property
    def where(self):
        """The lesson, in words."""
        number = re.match(r"\d\d", self.address)
        return f"lesson {number[0]}" if number else "an appendix"


class Entry(NamedTuple):
    """A page of the reference."""

    name: str  # of its file
    title: str
    summary: str
    html: str


class Writer:
    """Docstrings as HTML. Remembers which equations an entry cites."""

    def __init__(self, equations, paper=None):
        self.equations, self.paper, self.cited = equations, paper, []

    def inline(self, text):
        """Words, code, letters with indices, and numbers of equations."""
        parts, end = [], 0
        for code in _CODE.finditer(text):
            parts.append(self._plain(text[end : code.start()]))
            parts.append(f"<code>{escape(code[1] or code[2])}</code>")
            end = code.end()
        return "".join([*parts, self._plain(text[end:])])

    def _plain(self, text):
        text = _INDEXED.sub(_indexed, escape(text, quote=False))
        return _CITED.sub(self._cited, text)

    def _cited(self, found):
        if found[1]:
            self.paper = found[1]
            return found[0]
        key = self.paper, found[2]
        if key not in self.equations:
            return found[0]
        if key not in self.cited:
            self.cited.append(key)
        return f'<a href="{self.equations[key].address}">({found[2]})</a>'

    def blocks(self, text):
        """Paragraphs, lists, sessions of Python, and what is indented."""
        made = []
        for block in re.split(r"\n\s*\n", inspect.cleandoc(f"\n{text}")):
            lines = block.rstrip().splitlines()
            if not lines:
                continue
            if lines[0].lstrip().startswith(">>>"):
                made.append(coloured(inspect.cleandoc(f"\n{block}"), PythonConsoleLexer()))
            elif all(line.startswith("    ") for line in lines):
                words = _INDEXED.sub(_indexed, escape(inspect.cleandoc(f"\n{block}"), quote=False))
                made.append(f'<pre tabindex="0">{words}</pre>')
            elif re.match(r"- ", lines[0]):
                items = re.split(r"^- ", "\n".join(lines), flags=re.M)[1:]
                shown = (f"<li>{self.inline(' '.join(item.split()))}</li>" for item in items)
                made.append(f"<ul>{''.join(shown)}</ul>")
            else:
                made.append(f"<p>{self.inline(' '.join(line.strip() for line in lines))}</p>")
        return "".join(made)

    def listed(self, text):
        """The items of a section: a name and a type, and below them a description."""
        items = re.split(r"^(?=\S)", text.strip("\n"), flags=re.M)[1:]
        made = []
        for item in items:
            head, _, rest = item.partition("\n")
            name, colon, kind = head.partition(" : ")
            kind = f' <span class="type">{self.inline(kind)}</span>' if colon else ""
            names = ", ".join(f"<code>{escape(one)}</code>" for one in name.split(", "))
            made.append(f"<dt>{names}{kind}</dt><dd>{self.blocks(rest)}</dd>")
        return f"<dl>{''.join(made)}</dl>"

    def docstring(self, text):
        """All of a docstring, and below it the equations that it cites."""
        first, *rest = SECTION.split(text)
        made = [self.blocks(first)]
        for name, body in zip(rest[::2], rest[1::2], strict=True):
            made.append(f'<p class="rubric">{name}</p>')
            made.append(self.listed(body) if name in LISTS else self.blocks(body))
        return "".join(made) + self.shown_equations()

    def shown_equations(self):
        shown = [self.equations[key] for key in self.cited[:MOST_EQUATIONS]]
        self.cited = []
        if not shown:
            return ""
        return f'<div class="cited"><p class="rubric">Equations</p>{_joined(shown)}</div>'


def _joined(equations):
    return "".join(
        f'{equation.html}<p class="from"><a href="{equation.address}">explained in '
        f"{equation.where}</a></p>"
        for equation in equations
    )


def _indexed(found):
    return f"<i>{found[1]}</i><sub>{found[2].strip('{}')}</sub>"


def coloured(code, lexer):
    """Code with its colours, reachable by a keyboard where it scrolls."""
    spans = highlight(code, lexer, HtmlFormatter(nowrap=True))
    return f'<div class="highlight"><pre tabindex="0">{spans}</pre></div>'


# ---- what there is ------------------------------------------------------------------------------


def estimators():
    """The classes that `ukrlearn` itself offers."""
    return [name for name in ukrlearn.__all__ if inspect.isclass(getattr(ukrlearn, name))]


def modules():
    """The modules that users import: those `ukrlearn` itself offers, and the mathematics."""
    offered = [name for name in ukrlearn.__all__ if inspect.ismodule(getattr(ukrlearn, name))]
    packages = {module.name for module in iter_modules(ukrlearn.__path__) if module.ispkg}
    inner = [
        f"{folder}.{module.name}"
        for folder in sorted(packages - {*offered, "course", "estimators"})
        for module in iter_modules(import_module(f"ukrlearn.{folder}").__path__)
    ]
    return [*sorted(offered), "course.notation", "course.tables", *inner]


def members(module):
    """Public functions and classes of a module, in the order of its text or of its list.

    A package that lists nothing has those of its modules.
    """
    listed = getattr(module, "__all__", None)
    names = listed or [
        name
        for name, thing in vars(module).items()
        if getattr(thing, "__module__", "").startswith(module.__name__) and name[0] != "_"
    ]
    if not names:
        parts = (part.name for part in iter_modules(module.__path__) if part.name[0] != "_")
        for name in parts:
            inner = import_module(f"{module.__name__}.{name}")
            yield from ((f"{name}.{own}", thing) for own, thing in members(inner))
    for name in names:
        if callable(thing := getattr(module, name)):
            yield name, thing


def paper_of(thing):
    """The paper of a module by its folder or its docstring, or None."""
    module = inspect.getmodule(thing)
    for part in module.__name__.split("."):
        if part.upper() in PAPERS:
            return part.upper()
    found = re.search(rf"\[({'|'.join(PAPERS)})\]", inspect.getdoc(thing) or module.__doc__ or "")
    return found[1] if found else None


def _signature(name, thing):
    try:
        text = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return ""
    text = re.sub(r"<function (\w+) at 0x\w+>", r"\1", text)
    text = re.sub(r" at 0x[0-9a-f]+", "", text)
    text = re.sub(r"(?:[A-Za-z_]\w*\.)+(\w+)", r"\1", text)
    if len(name) + len(text) > WIDEST:
        text = re.sub(r"^\(|, (?=[\w*]+(?:[:=,)]|$))", lambda gap: f"{gap[0].rstrip()}\n    ", text)
    return coloured(f"{name}{text}", PythonLexer())


def _section(rank, name, thing, writer, prefix=""):
    place = f"{prefix}{name}"
    doc = inspect.getdoc(thing) or ""
    return (
        f'<section class="entry"><h{rank} id="{place}"><code>{escape(name)}</code></h{rank}>'
        f"{_signature(name.rpartition('.')[2], thing)}{writer.docstring(doc)}</section>"
    )


def methods(kind, inherited=True):
    """Public methods and properties of a class that the library itself has written about."""
    names = dir(kind) if inherited else [name for name in vars(kind)]
    for name in names:
        thing = inspect.getattr_static(kind, name)
        function = getattr(thing, "fget", None) or getattr(thing, "__func__", None) or thing
        ours = getattr(function, "__module__", None) or ""
        if name[0] != "_" and ours.startswith("ukrlearn") and inspect.getdoc(function):
            yield name, function


def _class_page(name, equations):
    kind = getattr(ukrlearn, name)
    writer = Writer(equations, paper_of(kind))
    parts = [_signature(name, kind), writer.docstring(inspect.getdoc(kind))]
    parts.append('<h2 id="methods">Methods</h2>')
    parts += [_section(3, *method, writer) for method in methods(kind)]
    return Entry(f"api_{name}", name, summary(kind), "".join(parts))


def _module_page(name, equations):
    module = import_module(f"ukrlearn.{name}")
    writer = Writer(equations, paper_of(module))
    parts = [writer.docstring(module.__doc__ or "")]
    for inner, thing in members(module):
        writer.paper = paper_of(thing) if inspect.getmodule(thing) else writer.paper
        parts.append(_section(2, inner, thing, writer))
        if inspect.isclass(thing):
            own = methods(thing, inherited=False)
            parts += [_section(3, *method, writer, f"{inner}.") for method in own]
    return Entry(f"api_{name}", f"ukrlearn.{name}", summary(module), "".join(parts))


def summary(thing):
    """The first sentence of a docstring."""
    text = " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())
    return re.split(r"(?<=\.) ", text)[0]


def entries(equations):
    """All pages of the reference, its index first."""
    classes = [_class_page(name, equations) for name in estimators()]
    others = [_module_page(name, equations) for name in modules()]
    writer = Writer(equations)

    def table(pages):
        rows = (
            f'<dt><a href="{page.name}.html"><code>{escape(page.title)}</code></a></dt>'
            f"<dd>{writer.inline(page.summary)}</dd>"
            for page in pages
        )
        return f'<dl class="overview">{"".join(rows)}</dl>'

    about = writer.blocks(SECTION.split(inspect.getdoc(ukrlearn))[0])
    html = (
        f'{about}<h2 id="estimators">Estimators</h2>{table(classes)}'
        f'<h2 id="modules">Modules</h2>{table(others)}'
    )
    return [Entry("api", "Reference", "What can be imported.", html), *classes, *others]
