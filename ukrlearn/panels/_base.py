"""What all panels share: controls, a picture that is redrawn in part, a summary, messages.

A panel declares its controls and says how its picture is drawn once (`draw`) and moved afterwards
(`move`). The picture is an Agg canvas without pyplot; of a change only the artists that move are
drawn again, onto a kept background, and sent as one PNG whose alternative text is the summary.
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

PNG_EFFORT = 1  # zlib's least: a slider needs a picture now, not a small file
DOTS = 100  # an inch
BREATH = 0.005  # seconds between two frames, in which the kernel answers


class Panel:
    """The base of all panels. Subclasses define `draw` and `move`.

    Parameters
    ----------
    controls : dict of str to Slider, Choice or Switch
        By the names that `set`, `state` and `move` use.
    size : (float, float)
        Inches, at 100 dots an inch.
    buttons : dict of str to callable
        What else the reader may press, by the text on the button. "Reset" is always there.
    """

    title = ""

    def __init__(self, controls, size=(8, 3.4), buttons=None):
        self._controls = dict(controls)
        self._values = {name: control.value for name, control in self._controls.items()}
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
        """Draws everything once; returns the artists that `move` changes."""
        raise NotImplementedError

    def move(self, **values):
        """Moves the artists to the values of the controls; returns the summary, with its numbers.

        A ValueError says that these values can't be shown, and why: the last picture stays.
        """
        raise NotImplementedError

    def redraw(self):
        """To be called by `move` when it has changed what stays: limits, titles, other artists."""
        self._background = None

    # For readers and tests

    def set(self, **values):
        """Sets controls to these values, as if by hand; returns the panel."""
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
        """Back to the values of the beginning; returns the panel."""
        return self.set(**{name: control.value for name, control in self._controls.items()})

    def summary(self):
        """What the picture shows, in words and numbers."""
        return self._summary

    def figure(self):
        """The picture as it is now, with its text: for print, and without a kernel."""
        for artist in self._artists:
            artist.set_animated(False)
        return figures.show(self._figure, self._summary)

    def png(self):
        """The picture as it is now, as the bytes of a PNG file."""
        file = io.BytesIO()
        pixels = np.asarray(self._canvas.buffer_rgba())[..., :3]
        Image.fromarray(pixels).save(file, "png", compress_level=PNG_EFFORT)
        return file.getvalue()

    def close(self):
        """Frees the widgets; the panel can't be shown afterwards."""
        for widget in (*_below(self.widget), self.widget):
            widget.unobserve_all()
            widget.close()

    def _repr_mimebundle_(self, **_):
        """The widget where there is a kernel; else the picture, with the summary as its text."""
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
        # Width and height as attributes: room is kept in this proportion, also on a narrow page,
        # before the picture is there. Nothing jumps when it is replaced.
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
        """A control was moved by hand; or a browser says what it has made of a value.

        Browsers round to their own steps and send that back, and it comes late: while cells run,
        their messages wait, and the panel may have been told other values since.
        """
        is_rounded = partial(self._controls[name].is_rounded, change.new)
        if self._showing or is_rounded(self._values[name]):
            return
        told = self._told[name]
        if (of := next(filter(is_rounded, told), None)) is not None:
            told.remove(of)  # each value comes back once
            self._show_values()
            return
        self._answer(self.set, **{name: change.new})

    def _answer(self, action, *values, **named):
        """Does what the reader asked for; what cannot be done is said, and the picture stays."""
        try:
            action(*values, **named)
        except Exception as problem:
            self._tell(str(problem), "alert")
            if not isinstance(problem, ValueError):
                raise  # not the reader's mistake: it must also be seen in tests and logs
        finally:
            for told in self._told.values():
                told.clear()  # no cell is running: nothing can come late

    def _show_values(self):
        """All widgets show the values, without setting each other off."""
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
        """Everything but the artists that move, drawn once: limits and layout are fixed by it."""
        for artist in self._artists:
            artist.set_animated(True)
        self._canvas.draw()
        self._background = self._canvas.copy_from_bbox(self._figure.bbox)

    def _tell(self, text, role):
        self._message.value = f'<p role="{role}">{html.escape(text)}</p>'


class Replay(Panel):
    """A panel over the frames of something already computed: one control named `frame`.

    Step, Play and Pause move it. There is no timer while nothing plays.
    """

    rate = 20  # frames a second, at most

    def __init__(self, controls, size=(8, 3.4), buttons=None):
        players = {"Step": self.step, "Play": self.play, "Pause": self.pause}
        self._playing = None
        super().__init__(controls, size, {**players, **(buttons or {})})

    def step(self):
        """One frame on; after the last one nothing moves. Returns whether it moved."""
        frame, last = self._values["frame"], self._controls["frame"].high
        if frame >= last:
            return False
        self.set(frame=frame + 1)
        return True

    def play(self):
        """All frames from here, in the kernel's own loop, so that other controls stay alive."""
        if self._playing is None:
            self._playing = asyncio.get_running_loop().create_task(self._play())

    def pause(self):
        """Stops playing; the frame stays."""
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
                # In step with the clock, whatever a frame takes; never without a breath for others.
                due = max(due + 1 / self.rate, clock() + BREATH)
                await asyncio.sleep(due - clock())
        finally:
            if self._playing is asyncio.current_task():
                self._playing = None


def _button(text, press):
    button = widgets.Button(description=text, layout=widgets.Layout(width="auto"))
    button.on_click(lambda _: press())
    return button


def _below(widget):
    """All widgets inside a container."""
    for child in getattr(widget, "children", ()):
        yield from _below(child)
        yield child
