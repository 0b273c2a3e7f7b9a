"""The library's functions once more, one point and one sum at a time.

Same names, same meaning, plain lists and `math`: what a student reads first and what the tests
trust. Slow on purpose. Nothing here imports anything from the rest of the package.
"""

from ukrlearn.explicit.ukr import *  # noqa: F403
from ukrlearn.explicit.ukr import __all__  # noqa: F401
