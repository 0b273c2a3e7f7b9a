"""What all panels share: controls, a picture that is redrawn in part, a summary, an error area.

A panel declares its sliders and says how its picture is drawn once (`draw`) and moved afterwards
(`move`). The picture is an Agg canvas without pyplot; of a change only the artists that move are
drawn again, onto a kept background, and sent as one PNG whose alternative text is the summary.
"""

import base64
import html
import io
from dataclasses import dataclass

import ipywidgets as widgets
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from ukrlearn import figures

PNG_EFFORT = 1  # zlib's least: a slider needs a picture now, not a small file


@dataclass(frozen=True)
class Slider:
    """A number that the reader may move, by the slider or by typing into the box beside it."""

    label: str
    low: float
    high: float
    value: float
    log: bool = False  # steps are equal factors; the box shows the value itself
    steps: int = 100
    whole: bool = False
    refits: bool = False  # too slow to follow every position: waits until the slider rests

    def widget(self):
        """The slider itself; its value is read from the box beside it."""
        common = dict(
            value=self.value,
            readout=False,
            continuous_update=not self.refits,
            layout=widgets.Layout(width="16em"),
        )
        if self.whole:
            return widgets.IntSlider(min=int(self.low), max=int(self.high), **common)
        if self.log:
            low, high = np.log10(self.low), np.log10(self.high)
            return widgets.FloatLogSlider(
                min=low, max=high, step=(high - low) / self.steps, **common
            )
        step = (self.high - self.low) / self.steps
        return widgets.FloatSlider(min=self.low, max=self.high, step=step, **common)

    def box(self):
        """The labelled text box: it, unlike the slider, has a name that a screen reader reads."""
        return widgets.Text(
            value=self.shown(self.value),
            description=self.label,
            continuous_update=False,
            style={"description_width": "initial"},
            layout=widgets.Layout(width=f"{len(self.label) * 0.62 + 8:.0f}em"),
        )

    def shown(self, value):
        return f"{value:d}" if self.whole else f"{value:.4g}"

    def checked(self, value):
        """The value as a number within the range; ValueError says what is wrong with it."""
        try:
            number = int(value) if self.whole else float(value)
        except (TypeError, ValueError):
            kind = "a whole number" if self.whole else "a number"
            raise ValueError(f"{self.label} must be {kind}; got {value!r}.") from None
        if not self.low <= number <= self.high:
            raise ValueError(
                f"{self.label} must be between {self.shown(self.low)} and {self.shown(self.high)}; "
                f"got {value!r}."
            )
        return number


class Panel:
    """The base of all panels. Subclasses define `sliders`, `draw` and `move`.

    Parameters
    ----------
    sliders : dict of str to Slider
        By the name that `set` and `state` use.
    size : (float, float)
        Inches at 100 dots an inch.
    """

    title = ""

    def __init__(self, sliders, size=(8, 3.4)):
        self._sliders = dict(sliders)
        self._values = {name: slider.value for name, slider in self._sliders.items()}
        with figures.style():
            self._figure = Figure(figsize=size)
            self._canvas = FigureCanvasAgg(self._figure)
            self._artists = self.draw(self._figure)
        self._background = None
        self._summary = ""
        self._build_widgets()
        self._refresh()

    # For subclasses

    def draw(self, figure):
        """Draws everything once; returns the artists that `move` changes."""
        raise NotImplementedError

    def move(self, **values):
        """Moves the artists to the values of the sliders; returns the summary, with its numbers."""
        raise NotImplementedError

    # For readers and tests

    def set(self, **values):
        """Move sliders to these values, as if by hand; returns the panel."""
        unknown = set(values) - set(self._sliders)
        if unknown:
            raise ValueError(
                f"{type(self).__name__} has the sliders {', '.join(self._sliders)}; got "
                f"{', '.join(sorted(unknown))}."
            )
        checked = {name: self._sliders[name].checked(value) for name, value in values.items()}
        self._values.update(checked)
        self._show_values()
        self._refresh()
        return self

    def state(self):
        """The values of all sliders."""
        return dict(self._values)

    def reset(self):
        """Back to the values of the beginning; returns the panel."""
        return self.set(**{name: slider.value for name, slider in self._sliders.items()})

    def summary(self):
        """What the picture shows, in words and numbers."""
        return self._summary

    def figure(self):
        """The picture as it is now, as a matplotlib figure: for print, and without a kernel."""
        for artist in self._artists:
            artist.set_animated(False)
        return self._figure

    def png(self):
        """The picture as it is now, as bytes of a PNG file."""
        file = io.BytesIO()
        pixels = np.asarray(self._canvas.buffer_rgba())[..., :3]
        Image.fromarray(pixels).save(file, "png", compress_level=PNG_EFFORT)
        return file.getvalue()

    def close(self):
        """Frees the widgets; the panel can't be shown afterwards."""
        for slider, box in self._controls.values():
            slider.unobserve_all()
            box.unobserve_all()
        for widget in (self.widget, *_below(self.widget)):
            widget.close()

    def _repr_mimebundle_(self, **_):
        """The widget where there is a kernel; else the picture and the summary."""
        bundle = self.widget._repr_mimebundle_()
        bundle["text/plain"] = self._summary
        bundle["image/png"] = base64.b64encode(self.png()).decode()
        return bundle

    # Wiring

    def _build_widgets(self):
        self._picture, self._message = widgets.HTML(), widgets.HTML()
        self._controls = {
            name: (slider.widget(), slider.box()) for name, slider in self._sliders.items()
        }
        for name, (slider, box) in self._controls.items():
            slider.observe(lambda change, name=name: self._moved(name, change["new"]), "value")
            box.observe(lambda change, name=name: self._moved(name, change["new"]), "value")
        reset = widgets.Button(description="Reset", layout=widgets.Layout(width="6em"))
        reset.on_click(lambda _: self.reset())
        rows = [widgets.HBox([box, slider]) for slider, box in self._controls.values()]
        wide = widgets.Layout(flex_flow="row wrap", align_items="center")
        height = f"{self._figure.get_figheight() * 100:.0f}px"  # fixed: nothing jumps
        self._picture.layout = widgets.Layout(height=height, overflow="visible")
        self.widget = widgets.VBox(
            [widgets.HBox([*rows, reset], layout=wide), self._picture, self._message]
        )
        self._showing = False

    def _moved(self, name, value):
        """A control was moved by hand: a bad value is answered, and the last picture stays."""
        if self._showing:
            return
        try:
            self.set(**{name: value})
        except ValueError as problem:
            self._message.value = f'<p role="alert">{html.escape(str(problem))}</p>'

    def _show_values(self):
        """Slider and box of each value agree, without setting each other off."""
        self._showing = True
        try:
            for name, (slider, box) in self._controls.items():
                slider.value = self._values[name]
                box.value = self._sliders[name].shown(self._values[name])
        finally:
            self._showing = False

    def _refresh(self):
        with figures.style():
            self._summary = self.move(**self._values)
            if self._background is None:
                self._keep_background()
            self._canvas.restore_region(self._background)
            for artist in self._artists:
                artist.axes.draw_artist(artist) if artist.axes else artist.draw(
                    self._canvas.get_renderer()
                )
        picture = base64.b64encode(self.png()).decode()
        text = html.escape(self._summary, quote=True)
        width = self._figure.get_figwidth() * 100
        self._picture.value = (
            f'<img width="{width:.0f}" alt="{text}" src="data:image/png;base64,{picture}">'
        )
        self._message.value = f'<p role="status">{text}</p>'

    def _keep_background(self):
        """Everything but the artists that move, drawn once: limits and layout are fixed by it."""
        for artist in self._artists:
            artist.set_animated(True)
        self._canvas.draw()
        self._background = self._canvas.copy_from_bbox(self._figure.bbox)


def _below(widget):
    """All widgets inside a container."""
    for child in getattr(widget, "children", ()):
        yield child
        yield from _below(child)
