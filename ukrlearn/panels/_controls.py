"""Declarations of the controls of a panel: numbers, choices and switches."""

import math
from dataclasses import dataclass

import ipywidgets as widgets

from ukrlearn.blocks.arguments import shown

LABEL = {"description_width": "initial"}  # labels are words and need room


@dataclass(frozen=True)
class Slider:
    """A number that the reader changes with a slider, or types into the box beside it."""

    label: str
    low: float
    high: float
    value: float
    log: bool = False  # whether steps are equal factors; the box shows the value itself
    steps: int = 100
    whole: bool = False
    refits: bool = False  # whether updates are slow, and wait until the slider is released

    def widgets(self):
        """The text box, whose label screen readers announce, and the slider."""
        return self._box(), self._slider()

    def _slider(self):
        common = dict(
            value=self.value,
            readout=False,
            continuous_update=not self.refits,
            layout=widgets.Layout(width="16em"),
        )
        if self.whole:
            return widgets.IntSlider(min=int(self.low), max=int(self.high), **common)
        if self.log:
            low, high = math.log10(self.low), math.log10(self.high)
            step = (high - low) / self.steps
            return widgets.FloatLogSlider(min=low, max=high, step=step, **common)
        step = (self.high - self.low) / self.steps
        return widgets.FloatSlider(min=self.low, max=self.high, step=step, **common)

    def _box(self):
        return widgets.Text(
            value=self.shown(self.value),
            description=self.label,
            continuous_update=False,
            style=LABEL,
            layout=widgets.Layout(width=f"{len(self.label) * 0.62 + 7:.0f}em"),
        )

    def nearest_step(self, value):
        """The nearest value that a slider can show.

        Otherwise a browser would round by itself and report the value, as if the reader had moved
        the slider.
        """
        if self.whole:
            return value
        low, high, value = (self._along(number) for number in (self.low, self.high, value))
        step = (high - low) / self.steps
        place = low + step * round((value - low) / step)
        return min(max(10**place if self.log else place, self.low), self.high)

    def is_rounded(self, new, value):
        """Whether the new value is just the old value, rounded to the nearest step."""
        if self.whole or isinstance(new, str):
            return False
        low, high, new, value = map(self._along, (self.low, self.high, new, value))
        return abs(new - value) < 0.5001 * (high - low) / self.steps

    def _along(self, value):
        """The position of a value along the slider."""
        return math.log10(value) if self.log else value

    def shown(self, value):
        """The number as the box shows it."""
        return f"{value:d}" if self.whole else f"{value:.4g}"

    def show(self, value, pair):
        """Show the value in both widgets."""
        box, slider = pair
        slider.value = self.nearest_step(value)
        box.value = self.shown(value)

    def checked(self, value):
        """The value as a number within the range, or a ValueError that says what is wrong."""
        kind = "a whole number" if self.whole else "a number"
        try:
            number = float(value)
            if self.whole and number != int(number):
                raise ValueError
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"{self.label} must be {kind}; got {shown(value)}.") from None
        slack = 1e-9 * max(abs(self.low), abs(self.high))  # for rounding errors
        if not self.low - slack <= number <= self.high + slack:
            raise ValueError(
                f"{self.label} must be between {self.shown(self.low)} and {self.shown(self.high)}; "
                f"got {shown(value)}."
            )
        number = min(max(number, self.low), self.high)
        return int(number) if self.whole else number


class _Exact:
    """A control that shows every value exactly."""

    def is_rounded(self, new, value):
        """Always False, since nothing is rounded."""
        return False


@dataclass(frozen=True)
class Choice(_Exact):
    """One of several words."""

    label: str
    options: tuple[str, ...]
    value: str

    def widgets(self):
        box = widgets.Dropdown(
            options=self.options,
            value=self.value,
            description=self.label,
            style=LABEL,
            layout=widgets.Layout(width="auto"),
        )
        return (box,)

    def show(self, value, own):
        own[0].value = value

    def checked(self, value):
        if value not in self.options:
            raise ValueError(
                f"{self.label} must be one of {', '.join(self.options)}; got {shown(value)}."
            )
        return value


@dataclass(frozen=True)
class Switch(_Exact):
    """Yes or no."""

    label: str
    value: bool

    def widgets(self):
        return (
            widgets.Checkbox(
                value=self.value,
                description=self.label,
                indent=False,
                style=LABEL,
                layout=widgets.Layout(width="auto", margin="2px 14px 2px 2px"),
            ),
        )

    def show(self, value, own):
        own[0].value = value

    def checked(self, value):
        if value not in (True, False):
            raise ValueError(f"{self.label} must be True or False; got {shown(value)}.")
        return bool(value)
