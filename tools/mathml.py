"""LaTeX formulas as MathML, which browsers draw and screen readers speak: no script, no address.

latex2mathml translates. What it does not know it drops or leaves in place; here that is a
ValueError.
"""

import re
from functools import cache
from typing import NamedTuple
from xml.etree import ElementTree

from latex2mathml import commands
from latex2mathml.converter import Converter

# Spellings that latex2mathml does not know, and upright words, whose letters it would take apart.
OTHER_SPELLINGS = {
    r"\\(begin|end)\{aligned\}": r"\\\1{split}",
    r"\\mathrm\{([A-Za-z ]+)\}": r"\\text{\1}",
    r"\\\\\[[\d.]+(?:pt|em|ex)\]": r"\\\\",  # a line's end with space below it
}
LIMITS = r"(\\(?:min|max|lim|inf|sup))(?=\s*_)"  # they stand below, in a formula of its own line
LEFT_IN_PLACE = {r"\arg": "arg", r"\{": "{", r"\}": "}", r"\|": "‖"}
BARS = ("|", "‖")  # opening and closing bars look the same, and browsers take both for operators
PARTS = {"mfrac": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3}


class Formula(NamedTuple):
    """A formula as MathML, and the number that its \\tag gives it."""

    mathml: str
    tag: str = ""


@cache
def formula(latex, display=False) -> Formula:
    """The MathML of a formula.

    >>> formula("x_n").mathml
    '<math display="inline" alttext="x_n"><mrow><msub><mi>x</mi><mi>n</mi></msub></mrow></math>'
    """
    number = re.search(r"\\tag\{([^}]*)\}", latex)
    untagged = latex.replace(number[0], "") if number else latex
    math = _translated(untagged, display)
    for node in math.iter():
        node.text = LEFT_IN_PLACE.get(node.text, node.text)
        if node.tag == "mo" and node.text in BARS:
            node.set("lspace", "0")
            node.set("rspace", "0")
        _demand_meaning(node, latex)
    math.set("alttext", latex.strip())
    return Formula(ElementTree.tostring(math, encoding="unicode"), number[1] if number else "")


def _translated(latex, display):
    """The formula as a tree."""
    bare = re.sub(r"\\[^a-zA-Z]", "", latex)
    if bare.count("{") != bare.count("}"):
        raise ValueError(f"the formula {latex!r} lacks a brace.")
    for other, known in OTHER_SPELLINGS.items():
        latex = re.sub(other, known, latex)
    if display:
        latex = re.sub(LIMITS, r"\1\\limits", latex)
    for name in re.findall(r"\\begin\{(.*?)\}", latex):
        if f"\\{name}" not in commands.MATRICES:
            raise ValueError(f"the environment {name!r} is not known to latex2mathml.")
    converter = Converter(xmlns="", display="block" if display else "inline")
    try:
        return ElementTree.fromstring(converter.convert(latex))
    except Exception as problem:  # latex2mathml's errors have no base of their own, and no words
        raise ValueError(
            f"the formula {latex!r} is not understood: {type(problem).__name__} {problem}"
        ) from None


def _demand_meaning(node, latex):
    """A ValueError for what was left as LaTeX, and for a fraction or an index without its parts."""
    if "\\" in (node.text or ""):
        raise ValueError(f"{node.text} in the formula {latex!r} is not known to latex2mathml.")
    if len(node) != PARTS.get(node.tag, len(node)):
        raise ValueError(f"the formula {latex!r} ends too early: {node.tag} lacks a part.")
