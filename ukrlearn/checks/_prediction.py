"""Predict, commit, reveal: a question that takes an answer before the result appears."""

import ast
import math
import re
from dataclasses import dataclass, field
from functools import cache
from html import escape
from numbers import Real
from pathlib import Path

from ukrlearn.checks import _report, _work

KINDS = "options", "number", "words"
_WITHOUT_KERNEL = _report.without_kernel(
    ".ukrlearn-prediction", ".ukrlearn-predict", "Run this cell to answer here."
)


@dataclass(frozen=True)
class Prediction:
    """A question with its answer. As the last line of a cell it shows itself as a form.

    Without a kernel, on a page or on paper, it is the question, with the answer behind a disclosure
    element.
    """

    key: str
    question: str
    answer: object
    because: str
    kind: str  # one of KINDS
    options: tuple[str, ...] = ()
    within: float | None = None
    hides: int = 0
    tempts: dict = field(default_factory=dict)  # {option: why one would choose it}
    label: str = "Predict"  # or where it comes back from

    entries = staticmethod(_work.read_predictions)  # the table that keeps what was said

    def parsed(self, given):
        """A guess as text or number; a ValueError says what must come."""
        if self.kind == "options":
            if given is None:
                raise ValueError("Choose one of the options first, or skip the question.")
            return self.options[given]
        text = str(given or "").strip()
        if not text:
            raise ValueError(f"Type {self._wanted} first, or skip the question.")
        if self.kind == "words":
            return text[: _work.MOST_SOURCE]
        return number(text)

    @property
    def _wanted(self):
        return "a number" if self.kind == "number" else "a few words"

    def is_right(self, guess):
        """Whether the guess is right; None for words, which nobody judges."""
        if self.kind == "words":
            return None
        if self.kind == "number":
            return abs(guess - self.answer) <= (self.within or 0)
        return guess == self.answer

    def remembered(self):
        """What the learner said on an earlier run: (guess or None if skipped), or no tuple."""
        entry = self.entries().get(self.key, {})
        if entry.get("skipped"):
            return (None,)
        guess = entry.get("guess")
        if guess is None or (self.kind == "options" and guess not in self.options):
            return ()  # nothing, or a guess at what the question was once
        try:
            return (number(guess) if self.kind == "number" else guess,)
        except ValueError:
            return ()

    def remember(self, guess, *where_and_when):
        """Keep a guess, or None for a skipped question, with the learner's progress."""
        said = {"skipped": True}
        if guess is not None:
            said = {"guess": _written(guess), "right": self.is_right(guess)}
        _work.note_prediction(self.key, *where_and_when, **said)

    def outcome(self, guess):
        """The guess beside the truth, as HTML; None for a skipped question."""
        truth = f"<strong>{_marked(self.answer)}</strong>"
        because = f"<p>{_report.marked(self.because)}</p>" if self.because else ""
        if self.kind == "words":
            yours = "You skipped this question." if guess is None else _marked(guess)
            return (
                f"<dl><div><dt>You said</dt><dd>{yours}</dd></div>"
                f"<div><dt>The answer</dt><dd>{_marked(self.answer)}</dd></div></dl>{because}"
            )
        if guess is None:
            return f"<p>Skipped. The answer is {truth}.</p>{because}"
        right = self.is_right(guess)
        sign = ("right", "✓ Right.") if right else ("wrong", "✗ Not so.")
        verdict = '<span class="ukrlearn-{}">{}</span>'.format(*sign)
        said = f"You said <strong>{_marked(guess)}</strong>"
        if guess == self.answer:
            return f"<p>{verdict} {said}.</p>{because}"
        beside = self._beside(guess) if self.kind == "number" else ""
        tempts = f"<p>{_report.marked(self.tempts[guess])}</p>" if guess in self.tempts else ""
        return f"<p>{verdict} {said}; the answer is {truth}{beside}.</p>{tempts}{because}"

    def _beside(self, guess):
        """How far a number is from the truth, in words."""
        if self.is_right(guess):
            return f", and whatever is within {_written(self.within)} of it counts as right"
        if guess and self.answer / guess >= 1.5:
            return f", {_written(round(self.answer / guess, 1))} times as much"
        if self.answer and guess / self.answer >= 1.5:
            return f": your number is {_written(round(guess / self.answer, 1))} times too large"
        return ": your number is too " + ("small" if guess < self.answer else "large")

    @property
    def name(self):
        """What it is called within its lesson."""
        return self.key.rpartition("/")[2]

    @property
    def slug(self):
        """The key as part of a CSS class."""
        return re.sub(r"\W", "-", self.key, flags=re.ASCII)

    def __repr__(self):
        options = "".join(f"\n  - {option}" for option in self.options)
        return f"{self.label}: {self.question}{options}\nAnswer: {self._answered(_written)}"

    def _repr_html_(self):
        """Without a kernel: the question, and the answer behind a disclosure element.

        On the course's web site, tools/web/page.js makes a form of it.
        """
        options = "".join(f"<li>{_marked(option)}</li>" for option in self.options)
        tempts = "".join(
            f'<p class="ukrlearn-tempts" data-option="{self.options.index(option)}">'
            f"<em>{_marked(option)}</em>? <span>{_marked(why)}</span></p>"
            for option, why in self.tempts.items()
        )
        judged = {"key": self.key, "kind": self.kind, "within": self.within or 0}
        judged["answer"] = self.options.index(self.answer) if self.options else self.answer
        data = " ".join(f'data-{name}="{escape(str(value))}"' for name, value in judged.items())
        return (
            f'<div class="ukrlearn-prediction ukrlearn-static-{self.slug}" {data}>'
            f"<style>{_WITHOUT_KERNEL}</style>"
            f"<p><strong>{self.label}</strong> {_marked(self.question)}</p>"
            + (f"<ul>{options}</ul>" if options else "")
            + f"<details><summary>Answer</summary><p>{self._answered(_in_spans)}</p>{tempts}"
            "</details></div>"
        )

    def _answered(self, form):
        end = "" if _written(self.answer).endswith((".", "!", "?")) else "."
        return f"{form(self.answer)}{end} {form(self.because)}".rstrip()

    def _ipython_display_(self):
        """The text and the form are outputs of their own: a saved notebook keeps the text.

        While the form is alive, its style hides the text.
        """
        if not _report.in_notebook():
            print(repr(self))
            return
        from IPython.display import display

        display({"text/html": self._repr_html_(), "text/plain": repr(self)}, raw=True)
        try:
            from ukrlearn.checks import _forms
        except ImportError:  # no widgets here: the text is the question
            return
        _forms.show(_forms.PredictionForm(self))


def number(text):
    """A number that somebody typed."""
    try:
        value = float(text.replace(",", ".").replace("−", "-"))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"It must be a number such as 0.25 or 1e-3; got {text[:40]!r}.")
    return value


def _written(value):
    """Text as it is; a number with four digits."""
    if isinstance(value, str):
        return value
    if value == int(value) and abs(value) < 1e9:
        return str(int(value))
    return f"{value:.4g}" if 1e-4 <= abs(value) < 1e4 else f"{value:.3e}"


def _marked(value):
    return _report.marked(_written(value))


def _in_spans(value):
    return f"<span>{_marked(value)}</span>" if value != "" else ""


def predictions(lesson):
    """A function that asks for predictions in this lesson, and keeps them in the work file.

        predict = predictions("03_reconstruction_error")
        predict("memorise", "Which error goes to zero?", options=[...], answer=...)

    `name` must be unique within the lesson. Exactly one of `options`, `number` and `words` says
    what the learner gives. A number is right if it is at most `within` away from the answer; words
    are not judged. In JupyterLab the outputs of the next `hides` code cells appear only after the
    learner has committed or skipped. `tempts` says of each wrong option in turn why one would
    choose it. All texts may hold `code` and $formulas$.
    """

    def predict(
        name,
        question,
        *,
        answer,
        because="",
        options=(),
        number=False,
        words=False,
        within=None,
        hides=0,
        tempts=(),
    ):
        chosen = [kind for kind, on in zip(KINDS, (options, number, words), strict=True) if on]
        if len(chosen) != 1:
            raise ValueError("Exactly one of options, number and words must be given.")
        (kind,) = chosen
        if kind == "options" and (answer not in options or len(set(options)) != len(options)):
            raise ValueError(
                f"answer must be one of the options, which must differ; got {answer!r} and "
                f"{list(options)!r}."
            )
        if kind == "number" and (not isinstance(answer, Real) or not math.isfinite(answer)):
            raise ValueError(f"answer must be a number; got {answer!r}.")
        if within is not None and (kind != "number" or not within >= 0):
            raise ValueError(f"within must be at least 0, and is for numbers only; got {within!r}.")
        if type(hides) is not int or not 0 <= hides < 20:
            raise ValueError(f"hides must be a number of cells from 0 to 19; got {hides!r}.")
        key, options = f"{lesson}/{name}", tuple(options or ())
        wrong = [option for option in options if option != answer]
        if tempts and len(tempts) != len(wrong):
            raise ValueError(f"tempts must say one thing of each of {wrong}; got {list(tempts)}.")
        tempts = dict(zip(wrong, tempts, strict=False))
        return Prediction(key, question, answer, because, kind, options, within, hides, tempts)

    return predict


def question_of(code, lesson="") -> Prediction | None:
    """The prediction that a code cell asks for."""
    if not code.lstrip().startswith("predict("):
        return None
    call = ast.parse(code.strip()).body[0].value
    given = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
    return predictions(lesson)(*map(ast.literal_eval, call.args), **given)


@cache
def written_in(file) -> dict[str, Prediction | None]:
    """The questions of a file, with options in the order of the alphabet; None if only named."""
    found, unit = {}, ""
    for line in Path(__file__).with_name(file).read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            unit, *named = re.findall(r"[\w-]+", line)
            found.update({f"{unit}/{name}": None for name in named})
        elif told := re.fullmatch(r"- `([\w-]+)`: (.+) \| (.+) \| (.+)", line):
            name, *made = told.groups()
            found[f"{unit}/{name}"] = unit, name, *made, (tempts := {})
        elif told := re.fullmatch(r"  - (.+) \| (.+)", line):
            tempts[told[1]] = told[2]
        elif unit and line:
            raise ValueError(f"{file} must have a question or a wrong option; it has {line!r}.")
    return {key: made and _made(*made) for key, made in found.items()}


def _made(unit, name, question, answer, because, tempts):
    whys = [tempts[option] for option in sorted(tempts)]
    told = {"options": sorted([answer, *tempts]), "because": because, "tempts": whys}
    return predictions(unit)(name, question, answer=answer, **told)
