"""The base of all panels: controls, a picture that is partly redrawn, a summary, and messages.

A panel declares its controls. Its method `draw` draws the picture once, and `move` updates it. The
picture is an Agg canvas without pyplot. After a change, only the artists that move are drawn again,
onto a stored background. The picture is sent as one PNG, with the summary as alternative text.
"""

import asyncio
import base64
import html
import io
from collections import deque
from functools import partial

import ipywidgets as widgets
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from ukrlearn import figures

PNG_EFFORT = 1  # zlib's fastest level, because a slider needs a picture soon, not a small file
DOTS = 100  # per inch
BREATH = 0.005  # seconds between two frames, in which the kernel can answer


class Panel:
    """The base of all panels. Subclasses define `draw` and `move`.

    Parameters
    ----------
    controls : dict of str to Slider, Choice or Switch
        The keys are the names that `set`, `state` and `move` use.
    size : (float, float)
        In inches, at 100 dots per inch.
    buttons : dict of str to callable
        Further buttons, by their text. "Reset" is always there.
    """

    title = ""

    def __init__(self, controls, size=(8, 3.4), buttons=None):
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
        self._build_widgets(buttons or {})
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

    def redraw(self):
        """Redraw the background; `move` calls it after changing limits, titles or other artists."""
        self._background = None

    # For readers and tests

    def set(self, **values):
        """Set controls to these values, as if by hand, and return the panel."""
        unknown = set(values) - set(self._controls)
        if unknown:
            raise ValueError(
                f"{type(self).__name__} has the controls {', '.join(self._controls)}; got "
                f"{', '.join(sorted(unknown))}."
            )
        checked = {name: self._controls[name].checked(value) for name, value in values.items()}
        before = self._values
        self._values = {**before, **checked}
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

    def summary(self):
        """A description of the picture in words and numbers."""
        return self._summary

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
        data = self.widget._repr_mimebundle_()
        data["text/plain"] = self._summary
        data["image/png"] = base64.b64encode(self.png()).decode()
        return data, {"image/png": {"alt": self._summary}}

    # Wiring

    def _build_widgets(self, buttons):
        self._picture, self._message = widgets.HTML(), widgets.HTML()
        self._own_widgets = {name: control.widgets() for name, control in self._controls.items()}
        self._told = {name: deque([control.value], 100) for name, control in self._controls.items()}
        for name, own in self._own_widgets.items():
            for widget in own:
                widget.observe(partial(self._by_hand, name), "value")
        groups = [widgets.HBox(own) for own in self._own_widgets.values()]
        for text, press in {**buttons, "Reset": self.reset}.items():
            groups.append(_button(text, partial(self._answer, press)))
        # With width and height as attributes, the browser reserves room in this proportion before
        # the picture arrives, even on a narrow page. Nothing jumps when the picture is replaced.
        width, height = (round(DOTS * inches) for inches in self._figure.get_size_inches())
        self._img = f'<img width="{width}" height="{height}" style="max-width: 100%; height: auto" '
        self.widget = widgets.VBox(
            [
                widgets.HBox(groups, layout=widgets.Layout(flex_flow="row wrap")),
                self._picture,
                self._message,
            ]
        )
        self._showing = False

    def _by_hand(self, name, change):
        """React to a control that was moved by hand, and ignore values that a browser rounded.

        A browser rounds values to its own steps and sends them back. The rounded values arrive
        late, since messages wait while cells run, and by then the panel may have other values.
        """
        is_rounded = partial(self._controls[name].is_rounded, change.new)
        if self._showing or is_rounded(self._values[name]):
            return
        told = self._told[name]
        if (of := next(filter(is_rounded, told), None)) is not None:
            told.remove(of)  # each value is sent back once
            self._show_values()
            return
        self._answer(self.set, **{name: change.new})

    def _answer(self, action, *values, **named):
        """Perform the reader's action; if it fails, show why and keep the picture."""
        try:
            action(*values, **named)
        except Exception as problem:
            self._tell(str(problem), "alert")
            if not isinstance(problem, ValueError):
                raise  # not the reader's mistake, so tests and logs must show it too
        finally:
            for told in self._told.values():
                told.clear()  # no cell is running, so no message can be late

    def _show_values(self):
        """Show the values in all widgets, without triggering their callbacks."""
        self._showing = True
        try:
            for name, own in self._own_widgets.items():
                self._controls[name].show(self._values[name], own)
                self._told[name].append(self._values[name])
        finally:
            self._showing = False

    def _refresh(self):
        with figures.style():
            summary = self.move(**self._values)
            if self._background is None:
                self._keep_background()
            self._canvas.restore_region(self._background)
            for artist in self._artists:
                artist.axes.draw_artist(artist)
        self._summary = summary
        picture = base64.b64encode(self.png()).decode()
        text = html.escape(summary, quote=True)
        self._picture.value = f'{self._img}alt="{text}" src="data:image/png;base64,{picture}">'
        self._tell(summary, "status")

    def _keep_background(self):
        """Draw everything except the moving artists once; this also fixes limits and layout."""
        for artist in self._artists:
            artist.set_animated(True)
        self._canvas.draw()
        self._background = self._canvas.copy_from_bbox(self._figure.bbox)

    def _tell(self, text, role):
        self._message.value = f'<p role="{role}">{html.escape(text)}</p>'


class Replay(Panel):
    """A panel that replays frames, with a control named `frame`.

    The buttons Step, Play and Pause move this control. No timer runs while nothing plays.
    """

    rate = 20  # the most frames per second

    def __init__(self, controls, size=(8, 3.4), buttons=None):
        players = {"Step": self.step, "Play": self.play, "Pause": self.pause}
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


def _button(text, press):
    button = widgets.Button(description=text, layout=widgets.Layout(width="auto"))
    button.on_click(lambda _: press())
    return button


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
