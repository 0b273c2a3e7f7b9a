"""Sliders wired to functions: the only place that knows ipywidgets.

A panel is shown by being the last line of a cell. It can also be driven without a mouse:

    panel.set(bandwidth=0.5)    panel.state()    panel.summary()    panel.figure()    panel.reset()

``probe = panel.copy()`` is a second panel with the same data and values, and without new fits: move
the copy, and the panel that a reader sees stays where it is.

Each panel is a module of this folder with a class of the same name: `LatentScale` is in
`latent_scale`. Modules that begin with an underscore hold what panels share.
"""

from importlib import import_module
from pkgutil import iter_modules

from ukrlearn.panels._base import Panel, Replay
from ukrlearn.panels._controls import Choice, Slider, Switch

_MODULES = {
    module.name.title().replace("_", ""): module.name
    for module in iter_modules(__path__)
    if not module.name.startswith("_")
}
__all__ = ["Choice", "Panel", "Replay", "Slider", "Switch", *_MODULES]


def __getattr__(name):
    if name in _MODULES:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted(__all__)
