"""The library's functions again, written with one point and one sum at a time.

Names and meanings are the same, but the code uses only plain lists and `math`. Students read these
functions first, and tests compare the library with them. They are slow on purpose. Nothing here
imports anything from the rest of the package.

`ukrlearn.explicit.matrices` has the papers' equations a third time, as matrices in NumPy.
"""

from importlib import import_module
from pkgutil import iter_modules

__all__ = []
for _module in iter_modules(__path__):
    if not _module.ispkg:
        _loops = import_module(f"{__name__}.{_module.name}")
        globals().update({name: getattr(_loops, name) for name in _loops.__all__})
        __all__ += _loops.__all__
