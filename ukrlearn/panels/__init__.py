"""Sliders wired to functions: the only place that knows ipywidgets.

A panel is shown by being the last line of a cell. It can also be driven without a mouse:

    panel.set(bandwidth=0.5)    panel.state()    panel.summary()    panel.figure()    panel.reset()
"""

from ukrlearn.panels.aggregation import Aggregation
from ukrlearn.panels.bandwidth import Bandwidth
from ukrlearn.panels.base import Panel, Replay
from ukrlearn.panels.collapse import Collapse
from ukrlearn.panels.controls import Choice, Slider, Switch
from ukrlearn.panels.density_constraint import DensityConstraint
from ukrlearn.panels.eigenvectors import Eigenvectors
from ukrlearn.panels.flight_recorder import FlightRecorder
from ukrlearn.panels.gauss_newton import GaussNewton
from ukrlearn.panels.gradient import Gradient
from ukrlearn.panels.guidance import Guidance
from ukrlearn.panels.homotopy import Homotopy
from ukrlearn.panels.latent_explorer import LatentExplorer
from ukrlearn.panels.latent_scale import LatentScale
from ukrlearn.panels.own_data import OwnData
from ukrlearn.panels.penalties import Penalties
from ukrlearn.panels.projection import Projection
from ukrlearn.panels.referee import Referee
from ukrlearn.panels.refit import Refit
from ukrlearn.panels.rescue_the_roll import RescueTheRoll
from ukrlearn.panels.scale_landscape import ScaleLandscape

__all__ = [
    "Aggregation",
    "Bandwidth",
    "Choice",
    "Collapse",
    "DensityConstraint",
    "Eigenvectors",
    "FlightRecorder",
    "GaussNewton",
    "Gradient",
    "Guidance",
    "Homotopy",
    "LatentExplorer",
    "LatentScale",
    "OwnData",
    "Panel",
    "Penalties",
    "Projection",
    "Referee",
    "Refit",
    "Replay",
    "RescueTheRoll",
    "ScaleLandscape",
    "Slider",
    "Switch",
]
