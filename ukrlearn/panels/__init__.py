"""Sliders wired to functions: the only place that knows ipywidgets.

A panel is shown by being the last line of a cell. It can also be driven without a mouse:

    panel.set(bandwidth=0.5)    panel.state()    panel.summary()    panel.figure()    panel.reset()
"""

from ukrlearn.panels.base import Panel, Replay
from ukrlearn.panels.controls import Choice, Slider, Switch
from ukrlearn.panels.latent_scale import LatentScale

__all__ = ["Choice", "LatentScale", "Panel", "Replay", "Slider", "Switch"]
