"""What a panel shows in the page: one widget, whose other half is panel.js."""

from pathlib import Path

import anywidget
from traitlets import Bool, Dict, Unicode

FOLDER = Path(__file__).parent


class View(anywidget.AnyWidget):
    """Controls, a message below them, and a picture with its text.

    The page sends {"control": name} with a "step", a "text" or a "value", or {"press": text}. It
    waits for {"answered": number} before it sends the next one.
    """

    _esm = (FOLDER / "panel.js").read_text(encoding="utf-8")
    _css = (FOLDER / "panel.css").read_text(encoding="utf-8")
    parts = Dict().tag(sync=True)  # the title, the controls, the texts of buttons, the size
    values = Dict().tag(sync=True)  # by the name of the control, as its `seen` returns them
    message = Dict().tag(sync=True)  # text, role, and the control that it is about
    picture = Unicode().tag(sync=True)  # a data URL
    alt = Unicode().tag(sync=True)
    more = Bool(False).tag(sync=True)  # whether the further controls are visible
