"""The papers' data sets, each with the truth that produced it.

Every generator returns ``(Y, t)``: the data, one point a row, and the true latent coordinate of
each row. ``t`` measures length along the curve or sheet (from 0 to 1 for a curve in one piece, in
the data's own units for sheets), so a perfect embedding is ``t`` up to shift, rotation, reflection
and one scale. Beside each generator stands the clean curve or surface, a plain function of ``t``:

>>> import numpy as np
>>> Y, t = noisy_spiral(random_state=0)
>>> clean = spiral_curve(np.linspace(0, 1, 1000))

``noise`` is the standard deviation of the Gaussian noise in each column; with ``noise=0`` the
points lie on the curve exactly. ``random_state`` is an int, a `numpy.random.RandomState` or None,
as in scikit-learn: NumPy has frozen that generator, so a seed means the same data in every version.
"""

from importlib import import_module
from pkgutil import iter_modules

# Every module of this folder gives the names in its __all__: a new data set is listed nowhere else.
__all__ = []
for _name in sorted(module.name for module in iter_modules(__path__)):
    _module = import_module(f"{__name__}.{_name}")
    _public = getattr(_module, "__all__", [])
    globals().update({name: getattr(_module, name) for name in _public})
    __all__ += _public
