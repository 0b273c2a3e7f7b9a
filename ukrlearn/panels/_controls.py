"""Declarations of the controls of a panel: numbers, choices and switches.

Each control has `part`, its description for the page; `seen`, a value as the page shows it;
`moved`, the value that the page has sent; `checked`, the value if it is possible; `sweep`, values
from one end to the other; and `shown`, a value as text.
"""

import math
from dataclasses import dataclass

from ukrlearn.blocks.arguments import shown


@dataclass(frozen=True)
class Slider:
    """A number that the reader changes with a slider, or types into the box beside it."""

    label: str
    low: float
    high: float
    value: float
    log: bool = False  # whether steps are equal factors; the page shows the value itself
    steps: int = 100
    whole: bool = False
    refits: bool = False  # whether updates are slow, and wait until the slider is released

    def part(self):
        """The slider for the page, with the text of each step; whole numbers count from `low`."""
        texts = None if self.whole else [self.shown(self.at(k)) for k in range(self.last + 1)]
        low = int(self.low) if self.whole else None
        return {
            "kind": "slider", "label": self.label, "last": self.last, "texts": texts, "low": low,
            "refits": self.refits,
        }  # fmt: skip

    @property
    def last(self):
        """The number of the last step; the first one is 0."""
        return int(self.high) - int(self.low) if self.whole else self.steps

    def at(self, step):
        """The value of a step."""
        if self.whole:
            return int(self.low) + step
        low, high = self._along(self.low), self._along(self.high)
        place = low + (high - low) * step / self.last
        return min(max(10**place if self.log else place, self.low), self.high)

    def nearest_step(self, value):
        """The step that is nearest to a value along the slider."""
        if self.whole:
            return value - int(self.low)
        low, high, value = (self._along(number) for number in (self.low, self.high, value))
        return round((value - low) / (high - low) * self.last)

    def sweep(self, value, n):
        """At most n values from end to end; this value takes the place of the nearest."""
        if n < 2:
            raise ValueError(f"{self.label} must have at least two values in a sweep; got {n}.")
        steps = sorted({round(k * self.last / (n - 1)) for k in range(n)})
        away = lambda k: abs(self._along(self.at(steps[k])) - self._along(value))
        nearest = min(range(len(steps)), key=away)
        return [value if k == nearest else self.at(step) for k, step in enumerate(steps)]

    def _along(self, value):
        """The position of a value along the slider."""
        return math.log10(value) if self.log else value

    def shown(self, value):
        """The number as the page shows it."""
        return f"{value:d}" if self.whole else f"{value:.4g}"

    def seen(self, value):
        """The text of a value, and the step at which the slider stands."""
        return {"text": self.shown(value), "step": self.nearest_step(value)}

    def moved(self, sent):
        """What was typed, or the value of the step to which the slider was moved."""
        return self.at(sent["step"]) if "step" in sent else sent["text"]

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


@dataclass(frozen=True)
class Choice:
    """One of several words."""

    label: str
    options: tuple[str, ...]
    value: str

    def part(self):
        return {"kind": "choice", "label": self.label, "options": list(self.options)}

    def sweep(self, value, n):
        return list(self.options)

    def shown(self, value):
        return value

    def seen(self, value):
        return value

    def moved(self, sent):
        return sent["value"]

    def checked(self, value):
        if value not in self.options:
            raise ValueError(
                f"{self.label} must be one of {', '.join(self.options)}; got {shown(value)}."
            )
        return value


@dataclass(frozen=True)
class Switch:
    """Yes or no."""

    label: str
    value: bool

    def part(self):
        return {"kind": "switch", "label": self.label}

    def sweep(self, value, n):
        return [False, True]

    def shown(self, value):
        return "yes" if value else "no"

    def seen(self, value):
        return value

    def moved(self, sent):
        return sent["value"]

    def checked(self, value):
        if value not in (True, False):
            raise ValueError(f"{self.label} must be True or False; got {shown(value)}.")
        return bool(value)
