"""What a learner sees: plain text first, the same as a tidy form in notebooks."""

import contextlib
import contextvars
import html
import re
import sys
import textwrap
from dataclasses import replace

import numpy as np

from ukrlearn.checks._comparing import same
from ukrlearn.checks._edits import VALUE
from ukrlearn.checks._plain import NONE

PREDICT = "What does your function give for it? Predict it, then compare with the next hint."
STEPS = "witness", "place", "cause", "repair"  # how far a report and its hints may go
WIDTH = 88
MOST_WIDTH = 76  # of numbers in one line
MOST_LINES = 25
TRACE_WIDTH = 36  # of the names of rules
# At least 4.5:1 against the page, light and dark. The words say the same without colours.
COLOURS = (
    ".ukrlearn-right { color: #0b6b2d; font-weight: bold; } "
    ".ukrlearn-wrong { color: #a61b1b; font-weight: bold; } "
    'body[data-jp-theme-light="false"] .ukrlearn-right, .vscode-dark .ukrlearn-right '
    "{ color: #7be39b; } "
    'body[data-jp-theme-light="false"] .ukrlearn-wrong, .vscode-dark .ukrlearn-wrong '
    "{ color: #ff9d9d; }"
)


def without_kernel(text, form, says):
    """A style that says what to do where a form was.

    In a notebook that was saved and opened again, JupyterLab shows an error in the place of the
    form, which stands below the text.
    """
    child = ".jp-OutputArea-child"
    ruin = f"{child}:has({text}) + {child}:has(> .jupyter-widgets):not(:has({form}))"
    return (
        f'{ruin} > * {{ display: none; }} {ruin}::after {{ content: "{says}"; padding: 0.3em 0; }}'
    )


WITHOUT_KERNEL = without_kernel(
    ".ukrlearn-report", ".ukrlearn-buttons", "Run this cell again for its buttons."
)


class Report:
    """What `check` found. It was shown already; kept, it can be looked at.

    Attributes
    ----------
    passed : bool
    diagnoses : tuple of str
        Short names of what is wrong, the likeliest first.
    score : float
        From 0 to 1: 3/4 for right stages or trials, 1/4 for the properties that hold.
    steps : list
        What `hint` tells one at a time, where the report quotes a line: its cause and its repair.
    text : str
        What was shown.
    """

    def __init__(self, exercise, findings, most=STEPS[-1], trace=False, then=(), predict=False):
        self.exercise, self.findings, shown = exercise, findings, findings
        self.passed, self.score = findings.passed, findings.score
        self.diagnoses = tuple(p.id for p in findings.problems) if most == STEPS[-1] else ()
        self.steps = list(_steps(findings)) if most == STEPS[-1] else []
        if predict and most == STEPS[-1] and findings.example is not None:
            came = [("title", "What it gives"), ("table", _example_text(findings.example))]
            self.steps.insert(0, came)
            unseen = replace(findings.example, came={})
            shown = replace(findings, example=unseen, notes=(PREDICT, *findings.notes))
        self._told = {}  # their numbers by the places that show them
        self.parts = [*_parts(exercise, shown, most, len(self.steps)), *then]
        if trace and most == STEPS[-1]:
            asked = (f"{name:<{TRACE_WIDTH}} {came}" for name, came in findings.trace)
            self.parts += [("paragraph", "The rules in their order:"), ("table", "\n".join(asked))]
        self.text = as_text(self.parts)

    def next_step(self, place=""):
        """The next step, in parts; in the same place the same again. None after the last."""
        number = self._told.setdefault(place or object(), len(self._told))
        return self.steps[number] if number < len(self.steps) else None

    def __repr__(self):
        verdict = "passed" if self.passed else f"not yet: {', '.join(self.diagnoses)}"
        return f"<{self.exercise.name}: {verdict}>"

    def __bool__(self):
        return self.passed

    def _ipython_display_(self):
        """Shows nothing: check() has shown the report, and the end of a cell would repeat it."""


def _parts(exercise, findings, most, steps):
    """(kind, text) in order; kinds: right, wrong, title, item, paragraph, table, both.

    First the witness, then the place, or the cause where no place is known; what else is known
    comes in steps. What is said at the end is left out first where the whole would be too long.
    """
    told = list(findings.problems)
    if most == STEPS[0]:
        told = []
    elif most == STEPS[1] or (findings.repair.lines and most != STEPS[2]):
        told = list(findings.seen)
    others, held = told[1:], list(findings.held) if most == STEPS[-1] else []
    examples = [findings.example] if findings.example is not None else []
    end = [("paragraph", note) for note in findings.notes]
    if most != STEPS[-1]:
        end.append(("paragraph", f"In this exam, check says no more than the {most}."))
    elif not findings.passed and (number := steps + len(exercise.hints)):
        says = f'Stuck? hint("{exercise.name}") gives {number} hints, one at a time.'
        end.append(("paragraph", says))
    place = list(_place(findings.repair)) if most != STEPS[0] else []
    body = lambda *some: [*_parts_with(exercise, findings, told[:1], place, *some), *end]
    fits = lambda parts: len(as_text(parts).splitlines()) <= MOST_LINES
    if not fits(body(others[:1], [], examples)):
        examples = []  # it would leave no room for what else was found
    while True:
        parts = body(others, held, examples)
        left = held or others or examples
        if not left or fits(parts):
            return parts
        left.pop()


def _parts_with(exercise, findings, first, place, others, held, examples):
    if findings.passed:
        yield "right", f"✓ {exercise.title}: passed."
    else:
        yield "wrong", f"✗ {exercise.title}: not yet."
    for problem in first:
        yield "paragraph", problem.says
    for example in examples:
        shows = example.shows and first == list(findings.problems[:1])
        what = "The smallest example that shows it" if shows else "An example where yours is wrong"
        yield "paragraph", f"{what} ({example.trial.label}):"
        yield "table", _example_text(example)
    yield from place
    if others:
        yield "paragraph", "Also found:"
        for problem in others:
            yield "item", problem.says
    if held:
        yield "paragraph", "What held:"
        for says in held:
            yield "item", says


def _place(repair):
    """The learner's own lines that are wrong."""
    lines = [f"line {n}: `{t}`" for n, t in zip(repair.lines, repair.texts, strict=True)]
    right = f"all {repair.trials} trials are right"
    if len(lines) == 1:
        needs = "the right numbers" if VALUE in repair.kinds else "one change"
        if repair.left != NONE:
            right = "your numbers are those of a single mistake"
        yield "paragraph", f"Look at {lines[0]}. With {needs} there, {right}."
    elif lines:
        yield "paragraph", f"Look at two lines. With one change in each, {right}."
        yield from (("item", line) for line in lines)


def _steps(findings):
    """What is told after the place, one at a time: the cause, and what makes the lines right."""
    repair = findings.repair
    causes = [p for p in findings.problems if p not in findings.seen]
    if VALUE not in repair.kinds:  # what the results lack comes of the lines
        causes = [p for p in causes if p not in findings.lacking] or causes
    if repair.lines and causes:
        yield [("title", "The likeliest cause"), *(("item", p.says) for p in causes)]
    if repair.lines and VALUE not in repair.kinds:
        lines = zip(repair.lines, repair.repairs, strict=True)
        yield [("title", "The repair"), *(("item", f"Line {n}: {says}") for n, says in lines)]


def _example_text(example):
    lines = list(example.trial.arguments.items())
    told = [f"{name} = {number_text(value, len(name) + 3)}" for name, value in lines]
    for name, value in example.came.items():
        if example.expected is None:
            told.append(f"yours    {name} = {number_text(value, len(name) + 12)}")
        else:
            told += _both_texts(name, example.expected[name], value)
    return "\n".join(told)


def _both_texts(name, expected, came):
    """The right numbers and theirs, with as many digits as it takes to tell them apart."""
    if same(came, expected):
        return [f"right    {name} = {number_text(came, len(name) + 12)}"]
    both = zip(np.ravel(expected), np.ravel(came), strict=True)
    pairs = [(x, y) for x, y in both if not same(x, y)]
    for digits in range(4, 18):
        if all(f"{x:.{digits}g}" != f"{y:.{digits}g}" for x, y in pairs):
            break
    texts = [number_text(value, len(name) + 12, digits) for value in (expected, came)]
    return [f"expected {name} = {texts[0]}", f"yours    {name} = {texts[1]}"]


def number_text(value, indent=0, digits=4):
    """Numbers in short: nested lists, few digits, rows below each other where they are many."""
    if callable(value):
        return getattr(value, "__name__", type(value).__name__)
    array = np.asarray(value)
    if array.dtype.kind not in "fiub":
        return repr(value)
    short = {"float_kind": lambda x: f"{x:.{digits}g}"}
    text = np.array2string(array, separator=", ", prefix=" " * indent, formatter=short)
    in_one_line = " ".join(text.split())
    return in_one_line if indent + len(in_one_line) <= MOST_WIDTH else text.replace("\n\n", "\n")


def as_text(parts):
    lines = []
    for kind, text in parts:
        if kind == "table":
            lines.append(textwrap.indent(text, "    "))
        elif kind == "both":
            lines.append(text[0])
        elif kind == "item":
            lines.append(_filled(text, initial_indent="  - ", subsequent_indent="    "))
        else:
            lines.append(_filled(text))
    return "\n".join(lines)


def _filled(text, **indents):
    """Lines of text; the name of a file is not broken at a hyphen."""
    return textwrap.fill(text, WIDTH, break_on_hyphens=False, **indents)


def as_html(parts):
    """The same for a notebook: follows its colours, is announced by screen readers."""
    pieces, items = [], []
    if {"right", "wrong", "both"} & {kind for kind, _ in parts}:
        pieces.append(f"<style>{COLOURS} {WITHOUT_KERNEL}</style>")
    for kind, text in [*parts, ("end", "")]:
        if items and kind != "item":
            pieces.append(f"<ul style='margin: 0.2em 0'>{''.join(items)}</ul>")
            items = []
        if kind == "title":
            pieces.append(f"<p style='margin: 0.2em 0'><strong>{marked(text)}</strong></p>")
        elif kind in ("right", "wrong"):
            pieces.append(f"<p style='margin: 0.2em 0' class='ukrlearn-{kind}'>{marked(text)}</p>")
        elif kind == "both":
            pieces.append(text[1])
        elif kind == "item":
            items.append(f"<li>{marked(text)}</li>")
        elif kind == "table":
            pieces.append(f"<pre style='margin: 0.4em 0 0.4em 1.5em'>{html.escape(text)}</pre>")
        elif kind == "paragraph":
            pieces.append(f"<p style='margin: 0.4em 0; max-width: 46em'>{marked(text)}</p>")
    style = "border-left: 4px solid currentColor; padding: 0.2em 0 0.2em 1em; line-height: 1.45"
    return f"<div role='status' class='ukrlearn-report' style='{style}'>{''.join(pieces)}</div>"


def marked(text):
    """Escaped, with `code` and calls of ours as code."""
    escaped = html.escape(text, quote=False)
    escaped = re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped)
    return re.sub(r"\b((?:check|hint|reveal)\(\"[^)]*\))", r"<code>\1</code>", escaped)


_COLLECTING = contextvars.ContextVar("_COLLECTING", default=None)


@contextlib.contextmanager
def collected():
    """Within the block nothing is shown: yields the list of what would have been."""
    parts = []
    token = _COLLECTING.set(parts)
    try:
        yield parts
    finally:
        _COLLECTING.reset(token)


def show(parts):
    """Show in a notebook as a form, elsewhere as text."""
    if (collecting := _COLLECTING.get()) is not None:
        collecting.extend(parts)
    elif in_notebook():
        from IPython.display import display

        display(bundle(parts), raw=True)
    else:
        print(as_text(parts))


def bundle(parts):
    """What a notebook is sent."""
    return {"text/plain": as_text(parts), "text/html": as_html(parts)}


def is_collecting():
    """Whether a button asks, and not a cell."""
    return _COLLECTING.get() is not None


def is_shown_in_notebook():
    """Whether `show` would show a form now."""
    return _COLLECTING.get() is None and in_notebook()


def in_notebook():
    """Whether a kernel runs this: IPython is not imported to find out."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and hasattr(shell, "kernel")
