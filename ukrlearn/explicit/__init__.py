"""The library's functions once more, one point and one sum at a time.

Same names, same meaning, plain lists and `math`: what a student reads first and what the tests
trust. Slow on purpose. Nothing here imports anything from the rest of the package.

`ukrlearn.explicit.matrices` has the papers' equations a third time, as matrices in NumPy.
"""

from ukrlearn.explicit import drur, sgd, si, ukr
from ukrlearn.explicit.drur import *  # noqa: F403
from ukrlearn.explicit.sgd import *  # noqa: F403
from ukrlearn.explicit.si import *  # noqa: F403
from ukrlearn.explicit.ukr import *  # noqa: F403

__all__ = [*ukr.__all__, *sgd.__all__, *drur.__all__, *si.__all__]
