"""The library's functions again, written with one point and one sum at a time.

Names and meanings are the same, but the code uses only plain lists and `math`. Students read these
functions first, and tests compare the library with them. They are slow on purpose. Nothing here
imports anything from the rest of the package.

`ukrlearn.explicit.matrices` has the papers' equations a third time, as matrices in NumPy.
"""

from ukrlearn.explicit import drur, rpm, sgd, si, ukr
from ukrlearn.explicit.drur import *  # noqa: F403
from ukrlearn.explicit.rpm import *  # noqa: F403
from ukrlearn.explicit.sgd import *  # noqa: F403
from ukrlearn.explicit.si import *  # noqa: F403
from ukrlearn.explicit.ukr import *  # noqa: F403

__all__ = [*ukr.__all__, *sgd.__all__, *drur.__all__, *rpm.__all__, *si.__all__]
