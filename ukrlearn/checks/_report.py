"""What a learner sees: plain text first, the same as a tidy form in notebooks."""

import contextlib
import contextvars
import html
import re
import sys
import textwrap

import numpy as np

from ukrlearn.checks.exercise import Exercise, Findings

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
        From 0 to 1: half for the trials with right values, half for the properties that hold.
    text : str
        What was shown.
    """

    def __init__(self, exercise: Exercise, findings: Findings, brief=False, trace=False):
        self.exercise, self.findings = exercise, findings
        self.passed, self.score = findings.passed, findings.score
        self.diagnoses = tuple(problem.id for problem in findings.problems)
        self.parts = list(_parts(exercise, findings))
        if brief:
            self.parts = [self.parts[0], ("paragraph", "In an exam, check says no more.")]
        elif trace:
            asked = (f"{name:<{TRACE_WIDTH}} {came}" for name, came in findings.trace)
            self.parts += [("paragraph", "The rules in their order:"), ("table", "\n".join(asked))]
        self.text = as_text(self.parts)

    def __repr__(self):
        verdict = "passed" if self.passed else f"not yet: {', '.join(self.diagnoses)}"
        return f"<{self.exercise.name}: {verdict}>"

    def __bool__(self):
        return self.passed

    def _ipython_display_(self):
        """Shows nothing: check() has shown the report, and the end of a cell would repeat it."""


def _parts(exercise, findings):
    """(kind, text) in order; kinds: right, wrong, title, item, paragraph, table, both.

    What is said at the end is left out first where the whole would be too long to be read.
    """
    others, held = list(findings.problems[1:]), list(findings.held)
    examples = [findings.example] if findings.example is not None else []
    told = lambda *some: list(_parts_with(exercise, findings, *some))
    fits = lambda parts: len(as_text(parts).splitlines()) <= MOST_LINES
    if not fits(told(others[:1], [], examples)):
        examples = []  # it would leave no room for what else was found
    while True:
        parts = told(others, held, examples)
        left = held or others or examples
        if not left or fits(parts):
            return parts
        left.pop()


def _parts_with(exercise, findings, others, held, examples):
    if findings.passed:
        yield "right", f"✓ {exercise.title}: passed."
    else:
        yield "wrong", f"✗ {exercise.title}: not yet."
    if findings.problems:
        yield "paragraph", findings.problems[0].says
    for example in examples:
        yield "paragraph", f"The smallest example that shows it ({example.trial.label}):"
        yield "table", _example_text(example)
    if others:
        yield "paragraph", "Also found:"
        for problem in others:
            yield "item", problem.says
    if held:
        yield "paragraph", "What held:"
        for says in held:
            yield "item", says
    for note in findings.notes:
        yield "paragraph", note
    if not findings.passed and exercise.hints:
        number = len(exercise.hints)
        yield "paragraph", f'Stuck? hint("{exercise.name}") gives {number} hints, one at a time.'


def _example_text(example):
    lines = list(example.trial.arguments.items())
    for name, value in example.came.items():
        if example.expected is not None:
            lines.append((f"expected {name}", example.expected[name]))
        lines.append((f"yours    {name}", value))
    return "\n".join(f"{name} = {number_text(value, len(name) + 3)}" for name, value in lines)


def number_text(value, indent=0):
    """Numbers in short: nested lists, four digits, rows below each other where they are many."""
    if callable(value):
        return getattr(value, "__name__", type(value).__name__)
    array = np.asarray(value)
    if array.dtype.kind not in "fiub":
        return repr(value)
    short = {"float_kind": lambda x: f"{x:.4g}"}
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
