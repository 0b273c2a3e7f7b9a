"""The base of all panels: controls, a picture that is partly redrawn, a summary, and messages.

A panel declares its controls. Its method `draw` draws the picture once, and `move` updates it. The
picture is an Agg canvas without pyplot. After a change, only the artists that move are drawn again,
onto a stored background. The picture is sent as one PNG, with the summary as alternative text.
The page's half of a panel is panel.js.
"""

import asyncio
import base64
import io

import ipywidgets as widgets
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from ukrlearn import figures
from ukrlearn.blocks import arguments
from ukrlearn.figures.house import html_of
from ukrlearn.panels._controls import Slider
from ukrlearn.panels._frames import frames_of
from ukrlearn.panels._view import View

PNG_EFFORT = 1  # zlib's fastest level, because a slider needs a picture soon, not a small file
DOTS = 100  # per inch
BREATH = 0.005  # seconds between two frames, in which the kernel can answer
FROZEN = (  # below the picture of a panel that has no kernel
    "This is a picture of the panel before anything is moved. To get its sliders and buttons, run "
    "the first cell of this notebook and then this cell (select it and press Shift+Enter)."
)


class Panel:
    """The base of all panels. Subclasses define `draw` and `move`.

    Parameters
    ----------
    controls : dict of str to Slider, Choice or Switch
        The keys are the names that `set`, `state` and `move` use.
    size : (float, float)
        In inches, at 100 dots per inch; at most 8.44 wide.
    buttons : dict of str to callable
        Further buttons, by their text; each is called with the panel. "Reset" is always there.

    The attribute `main` names the controls that are always visible, by default the first two. The
    others appear after "More controls" is pressed. The attribute `swept` names those that move in
    `frames`, by default the first slider.
    """

    title = ""
    main = None
    swept = ()

    def __init__(self, controls, size=(8, 3.4), buttons=None):
        self._begun = dict(self.__dict__), controls, size, buttons
        self._controls = dict(controls)
        self._values = {
            name: control.checked(control.value) for name, control in self._controls.items()
        }
        self._background = None
        self._summary = ""
        with figures.style():
            self._figure = Figure(figsize=size, dpi=DOTS)
            self._canvas = FigureCanvasAgg(self._figure)
            self._artists = list(self.draw(self._figure))
        self._buttons = {**(buttons or {}), "Reset": lambda panel: panel.reset()}
        self._build_widgets()
        self._refresh()

    # For subclasses

    def draw(self, figure):
        """Draw everything once, and return the artists that `move` changes."""
        raise NotImplementedError

    def move(self, **values):
        """Move the artists to the values of the controls, and return the summary with its numbers.

        If the values cannot be shown, raise a ValueError that says why; the last picture stays.
        """
        raise NotImplementedError

    def share(self, twin):
        """Give a copy, before it is drawn, what has changed here besides the controls' values."""

    def redraw(self):
        """Redraw the background; `move` calls it after changing limits, titles or other artists."""
        self._background = None

    # For readers and tests

    def set(self, **values):
        """Set controls to these values, as if by hand, and return the panel."""
        self._demand_controls(values)
        checked = {name: self._controls[name].checked(value) for name, value in values.items()}
        before = self._values
        self._values = {**before, **checked}
        with self._view.hold_sync():
            try:
                self._refresh()
            except Exception:
                self._values = before
                raise
            finally:
                self._show_values()
        return self

    def state(self):
        """The values of all controls."""
        return dict(self._values)

    def reset(self):
        """Set all controls to their initial values, and return the panel."""
        return self.set(**{name: control.value for name, control in self._controls.items()})

    def copy(self):
        """A panel with the same data and values, independent of this one and not yet shown.

        Nothing is fitted again: both share what has been computed so far.
        """
        attributes, *arguments = self._begun
        twin = object.__new__(type(self))
        twin.__dict__.update(attributes)
        self.share(twin)
        Panel.__init__(twin, *arguments)
        return twin.set(**self._values)

    def summary(self):
        """A description of the picture in words and numbers."""
        return self._summary

    def frames(self, slider=None, n=24):
        """Pictures, with their summaries, of a copy whose control `slider` moves; n at most.

        By default the controls that the attribute `swept` names move; several move as a grid. The
        values of a slider are evenly spread, and its present value takes the place of the nearest.
        Choices and switches take all their values, however many these are.
        """
        sliders = [name for name, one in self._controls.items() if isinstance(one, Slider)]
        names = (slider,) if isinstance(slider, str) else slider or self.swept or sliders[:1]
        if not names:
            raise ValueError(f"{type(self).__name__} has no slider; name the control that moves.")
        self._demand_controls(names)
        controls = {name: self._controls[name] for name in names}
        return frames_of(self, controls, arguments.whole_number("n", n, 2))

    def figure(self):
        """The current picture with its text, for print and for pages without a kernel."""
        for artist in self._artists:
            artist.set_animated(False)
        return figures.show(self._figure, self._summary)

    def png(self):
        """The current picture as the bytes of a PNG file."""
        file = io.BytesIO()
        pixels = np.asarray(self._canvas.buffer_rgba())[..., :3]
        Image.fromarray(pixels).save(file, "png", compress_level=PNG_EFFORT)
        return file.getvalue()

    def close(self):
        """Free the widgets; the panel cannot be shown afterwards."""
        for widget in _with_parts(self.widget):
            widget.unobserve_all()
            widget.close()

    def _repr_mimebundle_(self, **_):
        """The widget if there is a kernel, otherwise the picture with the summary as its text."""
        data, metadata = self._widget_bundle()
        width = round(DOTS * self._figure.get_figwidth())
        pixels = np.asarray(self._canvas.buffer_rgba())[..., :3]
        data["text/plain"] = self._summary
        data["text/html"] = html_of(pixels, self._summary, width, FROZEN)
        return data, metadata

    # Wiring

    def _demand_controls(self, names):
        unknown = set(names) - set(self._controls)
        if unknown:
            raise ValueError(
                f"{type(self).__name__} has the controls {', '.join(self._controls)}; got "
                f"{', '.join(sorted(unknown))}."
            )

    def _build_widgets(self):
        main = self.main or tuple(self._controls)[:2]
        width, height = (round(DOTS * inches) for inches in self._figure.get_size_inches())
        self._view = View(
            parts={
                "title": self.title,
                "controls": [
                    {"name": name, "main": name in main, **control.part()}
                    for name, control in self._controls.items()
                ],
                "buttons": list(self._buttons),
                "width": width,
                "height": height,
            }
        )
        self._view.on_msg(self._heard)
        self.widget = self._view
        self._show_values()

    def _widget_bundle(self):
        bundle = self.widget._repr_mimebundle_()
        return bundle if isinstance(bundle, tuple) else (bundle, {})

    def _heard(self, _, sent, __=None):
        """React to a control that was moved or a button that was pressed in the page."""
        try:
            if "press" in sent:
                self._answer(None, self._buttons[sent["press"]], self)
            else:
                self._by_hand(sent["control"], sent)
        finally:
            self._view.send({"answered": sent.get("asked")})

    def _by_hand(self, name, sent):
        self._answer(name, self.set, **{name: self._controls[name].moved(sent)})

    def _answer(self, control, action, *values, **named):
        """Perform the reader's action; if it fails, show why and keep the picture."""
        try:
            action(*values, **named)
        except Exception as problem:
            self._tell(str(problem), "alert", control)
            if not isinstance(problem, ValueError):
                raise  # not the reader's mistake, so tests and logs must show it too

    def _show_values(self):
        self._view.values = {
            name: control.seen(self._values[name]) for name, control in self._controls.items()
        }

    def _refresh(self):
        with figures.style():
            summary = self.move(**self._values)
            if self._background is None:
                self._keep_background()
            self._canvas.restore_region(self._background)
            for artist in self._artists:
                artist.axes.draw_artist(artist)
        self._summary = summary
        self._show_picture()
        self._tell(summary, "status")

    def _show_picture(self):
        self._view.alt = self._summary
        self._view.picture = f"data:image/png;base64,{base64.b64encode(self.png()).decode()}"

    def _keep_background(self):
        """Draw everything except the moving artists once; this also fixes limits and layout."""
        for artist in self._artists:
            artist.set_animated(True)
        self._canvas.draw()
        self._background = self._canvas.copy_from_bbox(self._figure.bbox)

    def _tell(self, text, role, control=None):
        self._view.message = {"text": text, "role": role, "control": control}


class Replay(Panel):
    """A panel that replays frames, with a control named `frame`.

    The buttons Step, Play and Pause move this control. No timer runs while nothing plays.
    """

    rate = 20  # the most frames per second

    def __init__(self, controls, size=(8, 3.4), buttons=None):
        players = {
            "Step": lambda panel: panel.step(),
            "Play": lambda panel: panel.play(),
            "Pause": lambda panel: panel.pause(),
        }
        self._playing = None
        super().__init__(controls, size, {**players, **(buttons or {})})

    def step(self):
        """Go on to the next frame, if there is one, and return whether there was."""
        frame, last = self._values["frame"], self._controls["frame"].high
        if frame >= last:
            return False
        self.set(frame=frame + 1)
        return True

    def play(self):
        """Play all frames from here in the kernel's own loop, without blocking other controls."""
        if self._playing is None:
            self._playing = asyncio.get_running_loop().create_task(self._play())

    def pause(self):
        """Stop playing at the current frame."""
        if self._playing is not None:
            self._playing.cancel()
            self._playing = None

    def close(self):
        self.pause()
        super().close()

    async def _play(self):
        clock = asyncio.get_running_loop().time
        try:
            due = clock()
            while self.step():
                # Keep in step with the clock, but always leave the kernel some time between frames.
                due = max(due + 1 / self.rate, clock() + BREATH)
                await asyncio.sleep(due - clock())
        finally:
            if self._playing is asyncio.current_task():
                self._playing = None


def _with_parts(widget):
    """A widget and all that it refers to; not only children, also layouts and styles are models."""
    found, waiting = set(), [widget]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            for name in one.keys:
                value = getattr(one, name)
                parts = value if isinstance(value, (list, tuple)) else [value]
                waiting += [part for part in parts if isinstance(part, widgets.Widget)]
    return found
