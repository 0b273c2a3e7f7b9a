"""The course as a web site: build/site, for any web server, or for a folder without a network.

    python tools/site.py [PAGE ...]    all pages, if no name is given

Lessons, exercises, the glossary, the report of claims and the reference become pages that need
neither a kernel nor another host. Explorables live in them: a page holds their data, and their
script takes the place of the picture. Of other panels a page holds frames, and a slider goes
through them. Everything is inside the page, and its content security policy names each script by
its fingerprint and forbids the rest, so the same file works from a server and from a folder. (A
module that stands in a file of its own would not: browsers refuse it in a folder.)

tools/pages.py turns notebooks into text, tools/live.py asks panels for their data and frames,
tools/reference.py reads the docstrings, and tools/search.py indexes the words.
"""

import argparse
import base64
import io
import json
import os
import re
import subprocess
import sys
from html import escape
from pathlib import Path
from typing import NamedTuple

import nbformat
from bs4 import BeautifulSoup
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools import index, mathfont, notebooks, pages, search  # noqa: E402
from ukrlearn.checks import bank  # noqa: E402
from ukrlearn.checks._report import marked  # noqa: E402
from ukrlearn.panels._explorable import joined  # noqa: E402

TARGET = ROOT / "build" / "site"
WEB = Path(__file__).parent / "web"
OPENS_WITH = "Untangle"  # the explorable of the front page
HEADLINE = "300 points in no order. Watch a curve find it."
ABOUT = (
    "ukrlearn is a course and a Python library: you build five methods that find the few numbers "
    "behind many, from their papers, in lessons whose pictures you can move and exercises that "
    "name your mistake. You need NumPy, derivatives and matrices, and nothing about manifolds."
)
WAYS = {  # page: what one comes for, and what one finds
    "00_start_here": ("Learn", "Begin with lesson 00. On these pages nothing has to be installed."),
    "instructors": ("Teach", "Plans, exercises that are graded, and a guide for each lesson."),
    "13_your_own_data": ("Use it on your data", "From a table to a map, and how far to trust it."),
}
PICTURES = {  # of each paper: lesson, and how the text of the picture begins
    "UKR": ("09_projection", "A smooth curve"),
    "SGD": ("16_moving_together", "The same data"),
    "DRUR": ("20_rescue_the_roll", "Noise 20"),
    "RPM": ("25_noisy_codes", "150 points"),
    "SI": ("27_graphs_and_geodesics", "300 points"),
}
DOCUMENTS = {  # files of the repository that are pages, besides lessons and exercises
    "report": ("tests/benchmarks/REPORT.md", "What the papers claim, measured"),
    "results": ("tests/benchmarks/RESULTS.md", "All measurements"),
    "instructors": ("exercises/INSTRUCTORS.md", "For instructors"),
    "cluster": ("CLUSTER.md", "Beyond one machine"),
}
NAVIGATION = {
    "course": "Course",
    "course#Exercises": "Exercises",
    "glossary": "Glossary",
    "api": "Reference",
    "report": "Report",
}
FACTS = ("Afterwards you can", "You need", "Time", "Contents")  # what a page says of itself first
TABLES = ("course", "glossary")  # notebooks whose code is of no interest
VERDICTS = {"holds": "holds", "open": "open-verdict", "the opposite": "opposite"}
ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath "
    "d='M16 16c2-3 7-1 6 4s-10 7-14 1S8 4 17 5s14 11 9 20' fill='none' stroke='%23d55e00' "
    "stroke-width='4' stroke-linecap='round'/%3E%3C/svg%3E"
)


class Page(NamedTuple):
    """A page before it has a frame."""

    name: str
    title: str
    soup: BeautifulSoup
    kicker: str = ""
    before: str = ""  # the name of the page to read before, and after
    after: str = ""
    lives: tuple = ()  # panels
    kind: str = ""


# ---- the frame ----------------------------------------------------------------------------------


def asset(name):
    return (WEB / name).read_text(encoding="utf-8")


def live_script(script):
    """The module that brings all explorables of one kind on a page to life."""
    bare = re.sub(r"^\s*(//.*|/\*\*((?!\*/)[\s\S])*\*/)\n", "", joined(script), flags=re.M)
    return bare + asset("live.js").replace("SCRIPT", script)


def framed(page, titles, data=None):
    """The whole page, as text, and what a browser would fetch or run against our will."""
    scripts = [("", "{\n" + asset("review.js") + asset("page.js") + "}\n")]
    kinds = sorted({one.get("script", "") for one in page.lives})
    scripts += [("module", live_script(kind) if kind else asset("frames.js")) for kind in kinds]
    body = [_header(page), _text(page, titles), _footer()]
    if data is not None:
        body.append(_data(data, ' id="search-index"'))
        scripts.append(("module", asset("search.js")))
    prints = [pages.fingerprint(script) for _, script in scripts]
    first, *others = (
        f"<script{f' type={kind}' if kind else ''}>{script}</script>" for kind, script in scripts
    )
    letters = "".join(math.get_text() for math in page.soup.find_all("math"))
    style = asset("style.css") + (mathfont.face(letters) if letters else "")
    text = f"""<!DOCTYPE html>
<html lang="en"><head>
<meta http-equiv="Content-Security-Policy" content="{pages.policy(prints)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(page.title)} - ukrlearn</title>
<link rel="icon" href="{ICON}">
<style>{style}</style>
{first}
</head>
<body class="{page.kind}">
{"".join(body)}
{"".join(others)}
</body></html>
"""
    return text, list(pages.loaded(BeautifulSoup(text, "html.parser"), prints))


def _header(page):
    links = "".join(
        f'<a href="{_address(name)}"'
        f"{' aria-current=page' if name == page.name else ''}>{escape(label)}</a>"
        for name, label in NAVIGATION.items()
    )
    return (
        '<a class="skip" href="#content">To the text</a>'
        '<header class="site"><a class="home" href="index.html">ukrlearn</a>'
        f'<nav aria-label="site">{links}</nav>'
        '<form role="search" hidden><input type="search" name="q" placeholder="Search" '
        'aria-label="Search this site" aria-keyshortcuts="/"></form>'
        '<button type="button" class="theme" aria-pressed="false" hidden>Dark</button></header>'
    )


def _address(name):
    page, mark, place = name.partition("#")
    return f"{page}.html{mark}{place}"


def _text(page, titles):
    heads = [(h["id"], pages.bare(h)) for h in page.soup.select("h2[id]")]
    toc = ""
    if len(heads) > 2 and not page.kind:
        items = "".join(f'<li><a href="#{place}">{escape(text)}</a></li>' for place, text in heads)
        toc = (
            f'<nav class="toc" aria-label="on this page"><p>On this page</p><ol>{items}</ol></nav>'
        )
    kicker = f'<p class="kicker">{escape(page.kicker)}</p>' if page.kicker else ""
    ways = "".join(
        f'<a rel="{rel}" href="{name}.html"><span>{word}</span>{escape(titles[name])}</a>'
        for rel, word, name in (("prev", "Before", page.before), ("next", "Next", page.after))
        if name
    )
    if ways:
        ways = f'<nav class="ways" aria-label="before and next">{ways}</nav>'
    return f'{toc}<main id="content" tabindex="-1">{kicker}{page.soup}{ways}</main>'


def _footer():
    return (
        '<footer class="site">ukrlearn, a course and a library. All of this page is in one file: '
        "it asks no other host for anything.</footer>"
    )


def _data(data, attributes=""):
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json"{attributes}>{text}</script>'


# ---- what pages hold ----------------------------------------------------------------------------


def asked(paths, panels=()):
    """What tools/live.py says of the panels of these notebooks, and of these explorables."""
    command = [sys.executable, str(ROOT / "tools" / "live.py"), *map(str, paths)]
    for name in panels:
        command += ["--panel", name]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, env=environment)
    return json.loads(done.stdout)


def enliven(soup, lives):
    """Put the data of explorables around their pictures, and frames in the place of others."""
    for one in lives:
        cell = soup.find(id=f"cell-id={one['cell']}")
        picture = cell.select_one(".jp-Cell-outputWrapper")
        if picture is None:  # not executed
            picture = BeautifulSoup(f"<div>{one.get('picture')}</div>", "html.parser").div
            cell.append(picture)
        if "axes" in one:
            picture.replace_with(BeautifulSoup(_frames(one), "html.parser"))
        else:
            picture["class"] = "picture"
            picture.wrap(soup.new_tag("div", attrs={"class": "live", "data-script": one["script"]}))
            picture.insert_before(BeautifulSoup(_given(one), "html.parser"))
        code = cell.select_one("details.code") or pages.fold(soup, cell, pages.CODE)
        cell.append(code.extract())


def _given(one):
    return _data({"given": one["given"], "values": one["values"]})


def _frames(one):
    """Controls of the page; one picture, of which one frame is seen; and its words."""
    fields = []
    for axis in one["axes"]:
        label, values, at = escape(axis["label"]), axis["values"], axis["at"]
        if axis["kind"] == "slider":
            fields.append(
                f"<label>{label} <output>{escape(values[at])}</output>"
                f'<input type="range" aria-label="{label}" max="{len(values) - 1}" value="{at}" '
                f'data-values="{escape(json.dumps(values))}"></label>'
            )
        elif axis["kind"] == "switch":
            fields.append(f'<label><input type="checkbox"{" checked" * at}> {label}</label>')
        else:
            options = "".join(
                f'<option value="{k}"{" selected" * (k == at)}>{escape(value)}</option>'
                for k, value in enumerate(values)
            )
            fields.append(f"<label>{label} <select>{options}</select></label>")
    words, (width, height) = escape(one["summaries"][one["at"]]), one["size"]
    place = 100 * one["at"] / (len(one["summaries"]) - 1)
    others = f"In JupyterLab you also change: {escape('; '.join(one['others']))}."
    return (
        f'<div class="frames" style="--at: {place}%">'
        f'<div class="controls" hidden>{"".join(fields)}</div>'
        f'<img alt="{words}" src="{one["image"]}" data-cuts="{" ".join(map(str, one["cuts"]))}" '
        f'style="aspect-ratio: {width} / {height}">'
        f'<p class="words" aria-live="polite">{words}</p>'
        f"{f'<p>{others}</p>' if one['others'] else ''}"
        f"{_data(one['summaries'])}</div>"
    )


def arrange(soup):
    """The beginning of a lesson or an exercise as it is read: a sentence, and facts in a list."""
    title = soup.find("h1")
    lead = title.find_next_sibling("p") if title else None
    if lead is not None and not lead.find("strong"):
        lead["class"] = "lead"
    heads = {pages.bare(h): h["id"] for h in soup.select("h2[id]")}
    told = [p for p in soup.select("p") if _begins_with_a_fact(p)]
    if told:
        rows = "".join(_facts(paragraph, heads) for paragraph in told)
        made = BeautifulSoup(f'<dl class="facts">{rows}</dl>', "html.parser")
        told[0].replace_with(made)
        for other in told[1:]:
            other.decompose()


def _begins_with_a_fact(paragraph):
    """Other paragraphs mention facts, and one that says no more is the heading of a list."""
    text = paragraph.get_text(strip=True)
    name = paragraph.strong and paragraph.strong.get_text()
    return name in FACTS and text.startswith(name) and text != name


def _facts(paragraph, heads):
    rows = []
    for node in paragraph.contents:
        if node.name == "strong":
            rows.append([node.get_text(), ""])
        elif rows:
            rows[-1][1] += str(node)
    for row in rows:
        if row[0] == "Contents":
            parts = (" ".join(part.split()) for part in row[1].split("·"))
            row[1] = " · ".join(
                f'<a href="#{heads[part]}">{part}</a>' if part in heads else part for part in parts
            )
    return "".join(f"<dt>{name}</dt><dd>{text.strip()}</dd>" for name, text in rows)


def equations_of(lessons, papers, covered):
    """The numbered equations of all lessons by (paper, number); each gets a place on its page.

    Where several lessons show an equation, it is that of the lesson that covers it.
    """
    found = {}
    for page in lessons:
        for block in page.soup.select(".equation:has(.tag)"):
            number = block.select_one(".tag").get_text().strip("()")
            block["id"] = f"eq-{number}"
            key = papers.get(page.name), number
            known = found.get(key, ("",))[0].partition(".")[0]
            better = number in covered.get(page.name, ()) and number not in covered.get(known, ())
            if key[0] and (not known or better):
                copy = BeautifulSoup(str(block), "html.parser")
                del copy.find(class_="equation")["id"]
                found[key] = f"{page.name}.html#eq-{number}", str(copy)
    return found


def exercise(path, addresses, repository=""):
    """The text of an exercise without its solution, how to open it, and its hints one by one."""
    notebook = notebooks.for_learners(notebooks.read_source(path))
    soup, problems = pages.article(notebook, path.parent, addresses)
    arrange(soup)
    place = f"exercises/{path.stem}.ipynb"
    command = f"--LabApp.default_url=/lab/tree/{place}"
    binder = repository and (
        f'<p><a href="{index.binder_address(repository, place)}">Open it in Binder</a>, where '
        "nothing has to be installed.</p>"
    )
    how = (
        '<div class="open"><p>You solve this exercise in JupyterLab, where a checker tells you '
        f"which mistake you made.</p>{binder}<p>In a checkout, this command opens it:</p>"
        f'<pre tabindex="0">make lab LABFLAGS={command}</pre>'
        "<p>With the package installed:</p>"
        f'<pre tabindex="0">ukrlearn lab -- {command}</pre></div>'
    )
    (soup.select_one(".facts") or soup.h1).insert_after(BeautifulSoup(how, "html.parser"))
    stuck = soup.find(lambda tag: tag.name == "p" and tag.get_text().startswith("Stuck?"))
    pages.fold(soup, soup.select_one(".jp-CodeCell"), "The imports")
    told = hints(bank.find(path.stem.partition("_")[2]).hints)
    stuck.replace_with(
        BeautifulSoup(f'<div class="hints"><p>Stuck?</p>{told}</div>', "html.parser")
    )
    return soup, problems


def hints(texts, number=1):
    """Folded, the next one inside the one before."""
    if not texts:
        return ""
    return (
        f"<details><summary>Hint {number} of {number + len(texts) - 1}</summary>"
        f"<p>{marked(texts[0])}</p>{hints(texts[1:], number + 1)}</details>"
    )


def document(name, addresses):
    """A Markdown file of the repository."""
    path = ROOT / DOCUMENTS[name][0]
    soup, problems = pages.markdown(path.read_text(encoding="utf-8"), path.parent, addresses)
    for cell in soup.find_all("td", string=list(VERDICTS)):
        cell["class"] = f"verdict {VERDICTS[cell.string]}"
    return soup, problems


def front(papers, titles, minutes, live, books):
    """The first page: an explorable that plays, what this is, three ways in, the course."""
    groups = []
    for paper, about, names in papers:
        items = "".join(
            f'<li><a href="{name}.html">{name[:2]} {escape(titles[name])}</a>'
            f"<span>{minutes[name]} min</span></li>"
            for name in names
            if name in titles
        )
        head = f"<h2><span>{paper}</span>{escape(about)}</h2>{picture(books, *PICTURES[paper])}"
        groups.append(f"<div>{head}<ol>{items}</ol></div>")
    ways = "".join(
        f'<a href="{name}.html"><strong>{word}</strong>{escape(text)}</a>'
        for name, (word, text) in WAYS.items()
    )
    live["given"]["play"] = True
    html = (
        f"<h1>{HEADLINE}</h1>"
        f'<div class="live" data-script="{live["script"]}">{_given(live)}'
        f'<div class="picture">{live["picture"]}</div></div>'
        f'<p class="about">{ABOUT}</p><div class="begin">{ways}</div>'
        f'<div class="papers">{"".join(groups)}</div>'
        '<div class="start"><h2 id="your-own-machine">On your own machine</h2>'
        "<p>In JupyterLab you can also change the code and do the "
        '<a href="course.html#Exercises">exercises</a>. In a checkout of the repository:</p>'
        '<pre tabindex="0">make lab</pre></div>'
    )
    soup = BeautifulSoup(html, "html.parser")
    for note in soup.select(".ukrlearn-frozen"):
        note.decompose()
    return Page("index", "Nonlinear dimensionality reduction", soup, lives=(live,), kind="front")


def picture(books, lesson, begins):
    """The picture of a lesson whose text begins with these words; none if it was not executed."""
    outputs = (o for cell in books[lesson].cells for o in cell.get("outputs", ()))
    for html in (output.get("data", {}).get("text/html", "") for output in outputs):
        found = BeautifulSoup(html, "html.parser").find("img", alt=re.compile(re.escape(begins)))
        if found:
            link = f'<a class="shown" href="{lesson}.html" aria-hidden="true" tabindex="-1">'
            return f'{link}<img src="{smaller(found["src"], 640)}" alt="" loading="lazy"></a>'
    return ""


def opened(src):
    return Image.open(io.BytesIO(base64.b64decode(src.partition(",")[2])))


def smaller(src, width=None):
    """The same picture in fewer bytes, pixel for pixel where no width is asked for."""
    found = opened(src).convert("RGB")
    if width:
        found.thumbnail((width, width))
    found.save(small := io.BytesIO(), "webp", quality=80 if width else 100, lossless=not width)
    made = f"data:image/webp;base64,{base64.b64encode(small.getvalue()).decode()}"
    return min(src, made, key=len)


def papers_of_the_course():
    """(paper, what it is about, lessons) in the order of the course."""
    text = (ROOT / "notebooks" / "course.py").read_text(encoding="utf-8")
    about = dict(re.findall(r"^# ### \[(\w+)\]: (.+)$", text, re.M))
    by_paper = index.lessons_by_paper(text)
    return [(name, about[name][:1].upper() + about[name][1:], by_paper[name]) for name in by_paper]


def equations_of_the_course():
    """The numbers of the equations that each lesson covers, as the course page lists them."""
    text = (ROOT / "notebooks" / "course.py").read_text(encoding="utf-8")
    rows = re.findall(r"^# \| \[.*?\]\((\w+)\.ipynb\) \| \d+ \| (.*?) \|$", text, re.M)
    covered = {}
    for name, listed in rows:
        spans = re.findall(r"\((\d+)\)(?: to \((\d+)\))?", listed)
        covered[name] = {
            str(k) for first, last in spans for k in range(int(first), int(last or first) + 1)
        }
    return covered


# ---- all of it ----------------------------------------------------------------------------------


class Site:
    """The pages of the course, made as they are asked for."""

    def __init__(self):
        self.lessons = {path.stem: path for path in pages.lessons()}
        self.notebooks = {
            name: nbformat.read(path, as_version=4) for name, path in self.lessons.items()
        }
        sources = (ROOT / "exercises").glob("[0-9]*.py")
        self.exercises = {f"exercise_{path.stem}": path for path in sorted(sources)}
        self.papers = papers_of_the_course()
        self.titles = {name: pages.title_of(book) for name, book in self.notebooks.items()}
        self.titles |= {name: _title_of_source(path) for name, path in self.exercises.items()}
        self.minutes = {name: page.minutes for name, page in index.pages().items()}
        self.addresses = {path.resolve(): f"{name}.html" for name, path in self.lessons.items()}
        for name, path in self.exercises.items():
            self.addresses[path.with_suffix(".ipynb").resolve()] = f"{name}.html"
        for name, (path, _) in DOCUMENTS.items():
            self.addresses[(ROOT / path).resolve()] = f"{name}.html"
        self.problems = []

    def names(self):
        """All pages that can be asked for; "api" stands for the whole reference."""
        return [*self.lessons, *self.exercises, *DOCUMENTS, "api"]

    def pages(self, wanted):
        """The pages of these names, the front page first."""
        chosen = [name for name in self.lessons if name in wanted]
        told = asked([self.lessons[name] for name in chosen], [OPENS_WITH])
        yield front(self.papers, self.titles, self.minutes, told[OPENS_WITH][0], self.notebooks)
        lessons = [self._lesson(name, tuple(told[name])) for name in chosen]
        of_paper = {name: paper for paper, _, names in self.papers for name in names}
        known = equations_of(lessons, of_paper, equations_of_the_course())
        yield from lessons
        yield from (self._exercise(name) for name in self.exercises if name in wanted)
        yield from (self._document(name) for name in DOCUMENTS if name in wanted)
        if "api" in wanted:
            yield from self._reference(known)

    def _lesson(self, name, lives):
        path = self.lessons[name]
        soup, problems = pages.article(self.notebooks[name], path.parent, self.addresses)
        self._note(name, problems)
        arrange(soup)
        enliven(soup, lives)
        for image in soup.select("img[src^='data:image/png']"):
            if cuts := opened(image["src"]).info.get("cuts"):
                image["data-cuts"] = cuts
            image["src"] = smaller(image["src"])
        if name in TABLES:
            for code in soup.select(".jp-CodeCell .jp-Cell-inputWrapper"):
                code.decompose()  # it makes the tables
        paper = next((f"[{paper}]" for paper, _, names in self.papers if name in names), "")
        kicker = f"{paper} · lesson {name[:2]}" if paper else ""
        return Page(name, self.titles[name], soup, kicker, *_ways(list(self.lessons), name), lives)

    def _exercise(self, name):
        repository = index.repository_of(ROOT)
        soup, problems = exercise(self.exercises[name], self.addresses, repository)
        self._note(name, problems)
        return Page(name, self.titles[name], soup, "Exercise", *_ways(list(self.exercises), name))

    def _document(self, name):
        soup, problems = document(name, self.addresses)
        self._note(name, problems)
        return Page(name, DOCUMENTS[name][1], soup, kind="document")

    def _reference(self, known):
        from tools import reference  # it imports all of the library

        equations = {key: reference.Equation(html, place) for key, (place, html) in known.items()}
        for entry in reference.entries(equations):
            kicker = "Reference" if entry.name != "api" else ""
            soup = BeautifulSoup(f"<h1>{escape(entry.title)}</h1>{entry.html}", "html.parser")
            self.problems += [f"{entry.name}: {problem}" for problem in pages.loaded(soup)]
            yield Page(entry.name, entry.title, soup, kicker)

    def _note(self, name, problems):
        self.problems += [f"{name}: {problem}" for problem in problems]


def _title_of_source(path):
    return re.search(r"^# # (.+)$", path.read_text(encoding="utf-8"), re.M)[1].replace("`", "")


def _ways(names, name):
    """The pages before and after this one."""
    at = names.index(name)
    return names[at - 1] if at else "", names[at + 1] if at + 1 < len(names) else ""


def build(wanted=None, target=TARGET):
    """Write the pages, and return their names and what is wrong, in sentences."""
    site = Site()
    wanted = set(wanted or site.names())
    target.mkdir(parents=True, exist_ok=True)
    sections, written = [], []
    for page in site.pages(wanted):
        text, problems = framed(page, site.titles)
        site.problems += [f"{page.name}: {problem}" for problem in problems]
        (target / f"{page.name}.html").write_text(text, encoding="utf-8")
        written.append(page.name)
        for template in page.soup.select(".review"):
            template.decompose()  # other units have these words
        if page.kind != "front":
            sections += search.sections_of(f"{page.name}.html", page.title, page.soup)
    found = Page("search", "Search", BeautifulSoup(SEARCH, "html.parser"))
    text, problems = framed(found, site.titles, search.index_of(sections))
    (target / "search.html").write_text(text, encoding="utf-8")
    return [*written, "search"], [*site.problems, *problems]


SEARCH = (
    "<h1>Search</h1><noscript><p>Search needs JavaScript. The course page lists all lessons.</p>"
    '</noscript><p class="found" role="status"></p><ol class="results"></ol>'
)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="PAGE", help="e.g. 00_start_here, report, api")
    wanted = {Path(name).stem for name in parser.parse_args(arguments).names}
    unknown = wanted - set(Site().names())
    if unknown:
        sys.exit(f"No page named {', '.join(sorted(unknown))}.")
    written, problems = build(wanted)
    print("\n".join(problems) or f"{len(written)} pages in {TARGET.relative_to(ROOT)}.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
