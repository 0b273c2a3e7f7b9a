"""What a notebook shows below a check: the report, buttons, and what the buttons say.

Each is an output of its own. The texts are outputs that can be updated, not widgets: a saved
notebook keeps them, and JupyterLab follows their links.
"""

from collections import Counter
from functools import partial

from ukrlearn.checks import _report

_run = {"id": None, "calls": Counter()}  # the run of a cell, and what it has called so far


def show(parts, again, *groups):
    """Show a report, and buttons: one to check again, others for {text: function that shows}.

    `again` gives the parts of a new report. Each group of buttons has an output of its own, so that
    what one group says stays when another is pressed.
    """
    from IPython.display import display

    report = display(_report.bundle(parts), raw=True, display_id=True)
    try:
        from ukrlearn.checks import _forms
    except ImportError:  # no widgets here; the same can be had by calls
        return

    def check_again():
        with _report.collected() as said:
            parts = again()
        report.update(_report.bundle([*parts, *said]), raw=True)
        for answer in answers:
            answer.update(EMPTY, raw=True)

    def say(action, place):
        with _report.collected() as said:
            action()
        answers[place].update(_report.bundle(said), raw=True)

    buttons = {"Check again": check_again}
    for place, actions in enumerate(groups):
        buttons |= {text: partial(say, action, place) for text, action in actions.items()}
    _forms.show(_forms.Buttons(buttons))
    answers = [display(EMPTY, raw=True, display_id=True) for _ in groups]


EMPTY = {"text/plain": "", "text/html": ""}


def latest(thing):
    """A function that gives what the notebook now calls by the name of this thing, and the name.

    A thing without a name in the notebook stays itself.
    """
    from IPython import get_ipython

    variables = get_ipython().user_ns
    names = [n for n, value in variables.items() if value is thing and not n.startswith("_")]
    own = getattr(thing, "__name__", None)
    name = own if own in names else next(iter(names), None)
    return (lambda: variables.get(name, thing)), name


def place():
    """Which call in which cell this is, the same when the cell runs again; "" outside of cells."""
    if not _report.is_shown_in_notebook():
        return ""
    from IPython import get_ipython

    request = get_ipython().kernel.get_parent("shell")
    cell = request.get("metadata", {}).get("cellId")
    if not cell:
        return ""
    run = request["header"]["msg_id"]
    if run != _run["id"]:
        _run.update(id=run, calls=Counter())
    number = _run["calls"][cell]
    _run["calls"][cell] += 1
    return f"{cell} {number}"[:180]
