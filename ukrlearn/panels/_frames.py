"""Frames: what a panel shows while its main controls go through their ranges, for the site."""

import io
import math
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
from PIL import Image

from ukrlearn.panels._controls import Slider


class Frames(NamedTuple):
    """A picture and its summary for all values of the controls; the last one changes fastest."""

    axes: list  # of each control: kind, label, texts of its values, place of the present one
    at: int  # the frame of the panel as it stands
    pictures: np.ndarray  # (frames, height, width, 3)
    summaries: list


def frames_of(panel, controls, n):
    """At most n frames of a copy of the panel; `controls` is a dictionary of those that move."""
    own = tuple(panel.state()[name] for name in controls)
    sliders = [c for c in controls.values() if isinstance(c, Slider)]
    others = math.prod(len(c.sweep(c.value, n)) for c in controls.values() if c not in sliders)
    each = int((n / others) ** (1 / max(len(sliders), 1)))
    values = [c.sweep(v, each) for c, v in zip(controls.values(), own, strict=True)]
    places = list(product(*values))
    twin, pictures, summaries = panel.copy(), [], []
    try:
        for place in places:
            twin.set(**dict(zip(controls, place, strict=True)))
            pictures.append(picture_of(twin))
            summaries.append(twin.summary())
    finally:
        twin.close()
    axes = []
    grid = np.reshape(pictures, (*map(len, values), -1))
    for k, control in enumerate(controls.values()):
        if any((one == other).all() for one, other in pairwise(np.moveaxis(grid, k, 0))):
            raise ValueError(
                f"Each value of {control.label} must change the picture of {panel.title}, and not "
                "all do. Move another control, or take fewer frames."
            )
        texts, at = [control.shown(value) for value in values[k]], values[k].index(own[k])
        kind, label = control.part()["kind"], control.label
        axes.append({"kind": kind, "label": label, "values": texts, "at": at})
    at = places.index(own)
    if (picture_of(panel) != pictures[at]).any():
        raise ValueError(
            f"The picture of {panel.title} must depend on its values alone, but it has changed "
            "while others were shown. Move another control."
        )
    return Frames(axes, at, np.stack(pictures), summaries)


def picture_of(panel):
    return np.asarray(Image.open(io.BytesIO(panel.png())))
