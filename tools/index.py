"""The index of the course and the README's list of lessons, from what the lessons themselves say.

    python tools/index.py write    bring titles, minutes, the list and the badge up to date
    python tools/index.py check    say what is out of date, and which tracks are wrong

In `notebooks/course.py` the titles and minutes of lessons, appendices and exercises come from their
sources; equations, descriptions and tracks are written by hand. A track is wrong if a lesson comes
before one that it needs, or if its minutes are not the sum of its lessons' and exercises' minutes.
In the README the list of lessons is written anew. The badge that opens the course in Binder is
written into both where pyproject.toml names the repository, under [tool.ukrlearn].
"""

import argparse
import re
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
FIRST = "notebooks/00_start_here.ipynb"
TOLERANCE = 0.1  # of the minutes that a track states
# Hosts for which Binder has an address of its own; it fetches all others by git.
BINDER = {"github.com": "gh", "gitlab.com": "gl"}
BADGE = "[![Open the first lesson in Binder](https://mybinder.org/badge_logo.svg)]({address})"

_LESSON_ROW = re.compile(r"\| \[(\d\d) [^|]*\]\((\w+)\.ipynb\) \| (\d+) \| (.*) \|")
_APPENDIX_ROW = re.compile(r"\| \[[^|]*\]\((appendix_\w+)\.ipynb\) \| (.*) \|")
_EXERCISE_ROW = re.compile(
    r"\| \[\w+ [^|]*\]\(\.\./exercises/(\w+)\.ipynb\) \| \d+ \| \d\d \| (.*) \|"
)
_TRACK_ROW = re.compile(r"\| (\d+) \| ([^|]+) \| (\[[^|]*) \| ([^|]+) \|")
_PAPER = re.compile(r"\| lesson \| minutes \| .* of \[(\w+)\] \|")
_LINK = re.compile(r"\]\((?:\.\./)?(?:notebooks/|exercises/)?(\w+)\.ipynb\)")


class Page(NamedTuple):
    """What a lesson, an appendix or an exercise says of itself."""

    title: str
    minutes: int
    needs: tuple[str, ...]  # numbers of the lessons that must come before


class Track(NamedTuple):
    """A row of the table of tracks; stops are names of lessons and exercises, in order."""

    minutes: int
    name: str
    stops: tuple[str, ...]


# ---- what the sources say -----------------------------------------------------------------------


def words_of(path):
    """The first cell of a source in percent format, which is Markdown."""
    first = re.split(r"^# %%", path.read_text(encoding="utf-8"), flags=re.M)[1]
    return re.sub(r"^# ?", "", first.partition("\n")[2], flags=re.M).strip()


def page_of(text):
    """What the first cell of a page says of its title, its minutes and what it needs."""
    title = re.match(r"# (.+)", text)[1]
    flat = " ".join(text.split())
    minutes = re.search(r"\*\*Time\*\* (\d+)", flat)
    needs = re.search(r"\*\*You need\*\* (.*?)(?=\*\*|$)", flat)
    return Page(title, int(minutes[1]) if minutes else 0, needed(needs[1] if needs else ""))


def needed(text):
    """Numbers of the lessons that a text demands; those that only "help" are not demanded."""
    found = []
    for sentence in re.split(r"(?<=[.;]) ", text):
        if re.search(r"\bhelps?\b", sentence):
            continue
        marked = re.sub(r"\[[^\]]*\]\((?:\.\./notebooks/)?(\d\d)_\w+\.ipynb\)", r"§\1", sentence)
        marked = re.sub(r"\b(?:lesson|unit)s? (?=\d\d\b)", "§", marked)
        for numbers in re.findall(r"§\d\d(?:(?:,? and |, | to )§?\d\d\b)*", marked):
            found += _expanded(numbers.replace("§", ""))
    return tuple(dict.fromkeys(found))


def _expanded(text):
    """The numbers in "04, 06 to 08 and 12"."""
    for first, last in re.findall(r"(\d\d)(?: to (\d\d))?", text):
        yield from (f"{number:02}" for number in range(int(first), int(last or first) + 1))


def pages(root=None):
    """All lessons, appendices and exercises, by the names of their files."""
    root = root or ROOT
    sources = [
        *root.glob("notebooks/[0-9][0-9]_*.py"),
        *root.glob("notebooks/appendix_*.py"),
        *root.glob("exercises/[0-9]*_*.py"),
    ]
    return {path.stem: page_of(words_of(path)) for path in sorted(sources)}


# ---- the tables of the index --------------------------------------------------------------------


def lessons_by_paper(index):
    """The names of lessons in the tables of the index, by paper, in order."""
    papers, paper = {}, None
    for line in index.splitlines():
        line = line.removeprefix("# ")
        if head := _PAPER.fullmatch(line):
            paper = papers.setdefault(head[1], [])
        elif row := _LESSON_ROW.fullmatch(line):
            paper.append(row[2])
    return papers


def tracks(index):
    """The tracks of the index. "[00](...) to [04](...)" is all lessons between."""
    order = [name for names in lessons_by_paper(index).values() for name in names]
    found = []
    for line in index.splitlines():
        row = _TRACK_ROW.fullmatch(line.removeprefix("# "))
        if row is None or _LINK.search(row[3]) is None:
            continue
        stops = []
        for linked in re.split(r"\), ", row[3]):
            ends = _LINK.findall(linked if linked.endswith(")") else f"{linked})")
            if " to [" in linked:
                first, last = (order.index(end) for end in ends)
                ends = order[first : last + 1]
            stops += ends
        found.append(Track(int(row[1]), row[2], tuple(stops)))
    return found


def track_problems(track, known):
    """What is wrong with a track, in sentences."""
    said = f"the track of {track.minutes} minutes, {track.name}"
    missing = [stop for stop in track.stops if stop not in known]
    if missing:
        yield f"{said}, takes {', '.join(missing)}, which does not exist"
        return
    seen = set()
    for stop in track.stops:
        lacking = [number for number in known[stop].needs if number not in seen]
        if lacking:
            yield f"{said}, takes {stop} without {', '.join(lacking)}"
        seen.add(stop[:2])
    total = sum(known[stop].minutes for stop in track.stops)
    if abs(total - track.minutes) > TOLERANCE * track.minutes:
        yield f"{said}: its lessons and exercises take {total} minutes"


def refreshed_index(index, known, repository):
    """The source of the index with titles and minutes as the pages state them."""
    lines = [_refreshed_row(line, known) for line in index.splitlines(keepends=True)]
    return _with_badge("".join(lines), repository, "# ")


def _refreshed_row(line, known):
    text = line.removeprefix("# ").rstrip("\n")
    if (row := _LESSON_ROW.fullmatch(text)) and row[2] in known:
        page = known[row[2]]
        text = f"| [{row[1]} {page.title}]({row[2]}.ipynb) | {page.minutes} | {row[4]} |"
    elif (row := _APPENDIX_ROW.fullmatch(text)) and row[1] in known:
        text = f"| [{known[row[1]].title}]({row[1]}.ipynb) | {row[2]} |"
    elif (row := _EXERCISE_ROW.fullmatch(text)) and row[1] in known:
        page = known[row[1]]
        number, title = re.fullmatch(r"Exercise (\w+): (.*)", page.title).groups()
        link = f"[{number} {title[0].upper()}{title[1:]}](../exercises/{row[1]}.ipynb)"
        text = f"| {link} | {page.minutes} | {page.needs[0]} | {row[2]} |"
    else:
        return line
    return f"# {text}\n"


# ---- the README ---------------------------------------------------------------------------------


def refreshed_readme(readme, index, known, repository):
    """The README with the list of the lessons that exist, and with the badge or without it."""
    papers = []
    for paper, names in lessons_by_paper(index).items():
        links = [
            f"[{name[:2]} {known[name].title.partition(':')[0]}](notebooks/{name}.ipynb)"
            for name in names
            if name in known
        ]
        papers.append(f"- **[{paper}]** " + ",\n  ".join(links))
    listed = _between("lessons", readme, "\n".join(papers))
    return _with_badge(listed, repository)


def _between(mark, text, content, prefix=""):
    """The text with other content between <!-- mark --> and <!-- end of mark -->."""
    begin, end = f"{prefix}<!-- {mark} -->\n", f"{prefix}<!-- end of {mark} -->"
    before, found, rest = text.partition(begin)
    _, ended, after = rest.partition(end)
    if not (found and ended):
        raise ValueError(f"it must hold the lines {begin.strip()!r} and {end!r}")
    return f"{before}{begin}{prefix + content + chr(10) if content else ''}{end}{after}"


def _with_badge(text, repository, prefix=""):
    badge = BADGE.format(address=binder_address(repository)) if repository else ""
    return _between("badge", text, badge, prefix)


def binder_address(repository, place=FIRST):
    """Where Binder opens a notebook, else the first lesson, of a repository with this address."""
    parts = urlsplit(repository)
    path = parts.path.strip("/").removesuffix(".git")
    if parts.scheme != "https" or not parts.hostname or "/" not in path or parts.query:
        raise ValueError(
            "repository in [tool.ukrlearn] must be an address such as "
            f"https://github.com/OWNER/NAME, or empty; got {repository!r}"
        )
    kind = BINDER.get(parts.hostname, "git")
    whole = {"gh": path, "gl": quote(path, ""), "git": quote(repository, "")}[kind]
    return f"https://mybinder.org/v2/{kind}/{whole}/HEAD?urlpath=lab/tree/{place}"


def repository_of(root=None):
    """The public address of the repository that pyproject.toml states; "" if there is none yet."""
    project = tomllib.loads(((root or ROOT) / "pyproject.toml").read_text(encoding="utf-8"))
    return project["tool"]["ukrlearn"]["repository"]


# ---- together -----------------------------------------------------------------------------------


def refreshed(root=None):
    """(path, text as it should be) of the two files."""
    root = root or ROOT
    known, repository = pages(root), repository_of(root)
    index, readme = root / "notebooks/course.py", root / "README.md"
    tables = refreshed_index(index.read_text(encoding="utf-8"), known, repository)
    listed = refreshed_readme(readme.read_text(encoding="utf-8"), tables, known, repository)
    return [(index, tables), (readme, listed)]


def problems(root=None):
    """What is wrong with the index and cannot be written by this tool, in sentences."""
    root = root or ROOT
    index, known = (root / "notebooks/course.py").read_text(encoding="utf-8"), pages(root)
    listed = [name for names in lessons_by_paper(index).values() for name in names]
    listed += [row[1] for row in _rows(_APPENDIX_ROW, index)]
    listed += [row[1] for row in _rows(_EXERCISE_ROW, index)]
    for name in listed:
        if name not in known:
            yield f"the index lists {name}, which does not exist"
    for name in known:
        if name not in listed:
            yield f"the index does not list {name}"
    for name, page in known.items():
        if re.match(r"\d\d_", name) and not page.title.startswith("Exercise"):
            for number in page.needs:
                if number >= name[:2]:
                    yield f"{name} needs lesson {number}, which does not come before it"
    for track in tracks(index):
        yield from track_problems(track, known)


def _rows(pattern, index):
    lines = (line.removeprefix("# ") for line in index.splitlines())
    return [row for row in map(pattern.fullmatch, lines) if row]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("action", choices=("write", "check"))
    action = parser.parse_args(arguments).action
    found = []
    for path, text in refreshed():
        if path.read_text(encoding="utf-8") != text:
            if action == "write":
                path.write_text(text, encoding="utf-8")
                print(f"{path.relative_to(ROOT)} is written anew")
            else:
                found.append(f"{path.relative_to(ROOT)} is out of date; run: make index")
    found += problems()
    print("\n".join(found) or "The index says what the lessons say.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
