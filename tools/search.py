"""The index by which the search page finds words, without a server."""

import re
import unicodedata
from collections import Counter, defaultdict
from typing import NamedTuple

from bs4 import NavigableString

from tools.pages import bare

TITLE, HEADING = 12, 6  # a word there counts as often as so many in the text
MOST = 20  # times that a word counts in one section
EXCERPT = 180  # characters of a section that a result shows
LONGEST = 40  # characters of a word
BLOCKS = ("p", "li", "td", "th", "dt", "dd", "pre", "div", "summary", "option")
APART = ["h1", "h2", "h3", "script", "style", "math"]
DIGITS = 3  # of a number; longer ones are results, not names


class Section(NamedTuple):
    """A part of a page below one heading."""

    page: str
    place: str  # the id of its heading, empty at the top of a page
    title: str  # of the page
    heading: str
    text: str


def words_of(text):
    """The words of a text without accents and capitals; tools/web/search.js does the same.

    >>> words_of("R_cv at the Kernel's bandwidth: Schölkopf")
    ['r_cv', 'at', 'the', 'kernel', 's', 'bandwidth', 'scholkopf']
    """
    bare = unicodedata.normalize("NFKD", text)
    return re.findall(r"\w+", re.sub("[\u0300-\u036f]", "", bare).lower())


def sections_of(page, title, soup):
    """The sections of a page: at its top, and below each heading of the second and third rank."""
    parts = [("", "", [])]
    for node in soup.descendants:
        if node.name in ("h2", "h3"):
            parts.append((node.get("id", ""), bare(node), []))
        elif node.name == "math":
            parts[-1][2].append(node.get_text())
        elif node.name in BLOCKS:
            parts[-1][2].append(" ")
        elif type(node) is NavigableString and not node.find_parent(APART):
            parts[-1][2].append(str(node))
    for place, heading, texts in parts:
        text = " ".join("".join(texts).split())
        if text or heading:
            yield Section(page, place, title, heading, text)


def index_of(sections):
    """What search.js reads: sections to show, and for each word [section, weight, ...]."""
    index = defaultdict(list)
    for number, section in enumerate(sections):
        weights = Counter(words_of(section.text))
        weights.update({word: HEADING for word in words_of(section.heading)})
        weights.update({word: TITLE for word in words_of(section.title) if not section.heading})
        for word, weight in weights.items():
            if len(word) <= (DIGITS if word.isdigit() else LONGEST):
                index[word] += [number, min(weight, MOST)]
    shown = [section._asdict() | {"text": _start(section.text)} for section in sections]
    return {"sections": shown, "index": dict(sorted(index.items()))}


def _start(text):
    """The first words of a section."""
    if len(text) <= EXCERPT:
        return text
    return text[:EXCERPT].rpartition(" ")[0] + " …"
