"""A picture that the reader draws, with a slider."""

import numpy as np

from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked
from ukrlearn.panels._base import Panel
from ukrlearn.panels._controls import Slider


class OwnPicture(Panel):
    """A picture of your own with a slider, and below it your own words.

    The whole picture is drawn again for each value, so what takes long is best computed before.

    Parameters
    ----------
    draw : callable
        ``draw(figure, value)`` draws on an empty figure of matplotlib, and returns what the picture
        shows at this value, in words with numbers.
    slider : Slider
    """

    title = "Your own picture"

    @checked(draw=arguments.function, slider=arguments.record(Slider))
    def __init__(self, draw, slider):
        self._draw = draw
        super().__init__({"value": slider}, size=(8.44, 3.6))

    @classmethod
    def example(cls):
        """A sine."""

        def draw(figure, periods):
            figure.subplots().plot(np.sin(np.linspace(0, 2 * np.pi * periods, 200)))
            return f"A sine with {periods:.2f} periods."

        return cls(draw, Slider("number of periods", 0.5, 4.0, 1.0))

    def draw(self, figure):
        return []

    def move(self, value):
        self._figure.clear()
        self.redraw()
        words = self._draw(self._figure, value)
        if not isinstance(words, str) or not words.strip():
            raise ValueError(
                f"draw must return what the picture shows, in words; got {arguments.shown(words)}."
            )
        return words
