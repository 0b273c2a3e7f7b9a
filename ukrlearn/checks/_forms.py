"""Forms with buttons, for front ends that have widgets. Loaded only where one is shown."""

from pathlib import Path

import anywidget
import traitlets
from IPython.display import display

from ukrlearn.checks import _report

HERE = Path(__file__).parent
VIEW = "application/vnd.jupyter.widget-view+json"


def show(widget):
    """Show a widget and no text beside it: a notebook that is opened later shows nothing twice."""
    bundle = widget._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    display({VIEW: data[VIEW]}, raw=True)


CSS = (HERE / "forms.css").read_text(encoding="utf-8") + _report.COLOURS


class Buttons(anywidget.AnyWidget):
    """A row of buttons: {text: what to do}."""

    _esm = (HERE / "buttons.js").read_text(encoding="utf-8")
    _css = CSS
    texts = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(self, actions):
        self._actions = dict(actions)
        super().__init__(texts=list(actions))
        self.on_msg(self._press)

    def _press(self, _, content, buffers):
        try:
            self._actions[content["pressed"]]()
        finally:
            self.send({"done": True})


class PredictionForm(anywidget.AnyWidget):
    """The form of one prediction: open until the learner commits or skips, and again when due."""

    _esm = (HERE / "prediction.js").read_text(encoding="utf-8")
    _css = CSS
    label = traitlets.Unicode().tag(sync=True)
    slug = traitlets.Unicode().tag(sync=True)
    kind = traitlets.Unicode().tag(sync=True)
    question = traitlets.Unicode().tag(sync=True)
    options = traitlets.List(traitlets.Unicode()).tag(sync=True)
    hides = traitlets.Int().tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)
    outcome = traitlets.Unicode().tag(sync=True)  # empty before there is one
    phase = traitlets.Unicode("open").tag(sync=True)  # or "done"

    def __init__(self, prediction, where=None, today="", due=False):
        self.prediction, self.where_and_when = prediction, (where, today)
        known = () if due else prediction.remembered()
        super().__init__(
            label=prediction.label,
            slug=prediction.slug if where is None else "review",
            kind=prediction.kind,
            question=_report.marked(prediction.question),
            options=[_report.marked(option) for option in prediction.options],
            hides=prediction.hides,
            outcome=prediction.outcome(*known) if known else "",
            phase="done" if known else "open",
        )
        self.on_msg(self._answer)

    def _answer(self, _, content, buffers):
        """React to what the reader does: commit, skip or begin again."""
        if content["do"] == "again":
            self.phase = "open"
            return
        guess = None
        if content["do"] == "commit":
            try:
                guess = self.prediction.parsed(content["guess"])
            except ValueError as problem:
                self.message = str(problem)
                self.send({"open": True})
                return
        with _report.collected() as parts:
            self.prediction.remember(guess, *self.where_and_when)
        problems = _report.as_html(parts) if parts else ""
        self.outcome = self.prediction.outcome(guess) + problems
        self.phase = "done"
