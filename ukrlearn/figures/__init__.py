"""Pictures of data, latent spaces and manifolds, each drawn onto given Axes.

Nothing here fits a model or uses pyplot, so no figure stays open. The first argument of every
function is the Axes, and it returns the artists that it drew. A panel keeps the artists and moves
them (``set_data``, ``set_offsets``) instead of drawing again. `blank` makes figures in the course's
style.

Each data set with classes has one palette, the same in all figures, panels and lessons:
``figures.palette("oil_flow")`` has the colours, markers and names of its classes, and
``figures.latent(ax, X, labels=labels, palette="oil_flow")`` uses them.

>>> figure, ax = blank()
>>> points = data(ax, [[0, 0], [1, 2], [2, 0]])
>>> ax.get_title(), ax.get_xlabel()
('Data', '$y_1$')
"""

from ukrlearn.figures.charts import (
    bars,
    candidate_table,
    error_curve,
    lines,
    matrix,
    springs,
    verdicts,
)
from ukrlearn.figures.house import COLORS, MARKERS, blank, palette, show, style
from ukrlearn.figures.manifolds import (
    latent_density,
    latent_map,
    manifold,
    manifold_grid,
    manifold_grid_of,
    manifold_of,
    patches,
    sampled_manifold,
)
from ukrlearn.figures.points import curve, data, latent, order

__all__ = [
    "COLORS",
    "MARKERS",
    "bars",
    "blank",
    "candidate_table",
    "curve",
    "data",
    "error_curve",
    "latent",
    "latent_density",
    "latent_map",
    "lines",
    "manifold",
    "manifold_grid",
    "manifold_grid_of",
    "manifold_of",
    "matrix",
    "order",
    "palette",
    "patches",
    "sampled_manifold",
    "show",
    "springs",
    "style",
    "verdicts",
]
