"""The papers' data sets, each with its true latent coordinates.

Every generator returns ``(Y, t)``: the data, one point per row, and the true latent coordinate of
each row. ``t`` measures length along the curve or sheet (from 0 to 1 for a curve in one piece, in
the data's own units for sheets). So a perfect embedding equals ``t`` up to shift, rotation,
reflection and one scale. Each generator has a clean curve or surface, a function of ``t``:

>>> import numpy as np
>>> Y, t = noisy_spiral(random_state=0)
>>> clean = spiral_curve(np.linspace(0, 1, 1000))

``noise`` is the standard deviation of the Gaussian noise in each column; with ``noise=0`` the
points lie exactly on the curve. ``random_state`` is an int, a `numpy.random.RandomState` or None,
as in scikit-learn. NumPy has frozen this generator, so a seed gives the same data in every version.
"""

from importlib import import_module
from pkgutil import iter_modules

# The names come from __all__ of each module in this folder, so a new data set is listed only there.
__all__ = []
for _name in sorted(module.name for module in iter_modules(__path__)):
    _module = import_module(f"{__name__}.{_name}")
    _public = getattr(_module, "__all__", [])
    globals().update({name: getattr(_module, name) for name in _public})
    __all__ += _public
