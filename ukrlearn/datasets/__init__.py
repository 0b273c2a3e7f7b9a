"""The papers' data sets, each with its true latent coordinates.

Every generator returns ``(Y, t)``: the data, one point per row, and the true latent coordinate of
each row. ``t`` measures length along the curve or sheet (from 0 to 1 for a curve in one piece, in
the data's own units for sheets). So a perfect embedding equals ``t`` up to shift, rotation,
reflection and one scale. Each generator has a clean curve or surface, a function of ``t``:

>>> Y, t = noisy_spiral(random_state=0)
>>> clean = spiral_curve(np.linspace(0, 1, 1000))

``noise`` is the standard deviation of the Gaussian noise in each column; with ``noise=0`` the
points lie exactly on the curve. ``random_state`` is an int, a `numpy.random.RandomState` or None,
as in scikit-learn. NumPy has frozen this generator, so a seed gives the same data in every version.
"""

from ukrlearn.datasets.curves import (
    circle_curve,
    disconnected_curve,
    disconnected_curves,
    helix_curve,
    noisy_helix,
    noisy_spiral,
    partitioned_circle,
    spiral_curve,
)
from ukrlearn.datasets.images import digits, rotated_digits
from ukrlearn.datasets.oil_flow import load_oil_flow, oil_flow_paths, simulated_oil_flow
from ukrlearn.datasets.surfaces import s_curve, s_curve_surface, swiss_roll, swiss_roll_surface

__all__ = [
    "circle_curve",
    "digits",
    "disconnected_curve",
    "disconnected_curves",
    "helix_curve",
    "load_oil_flow",
    "noisy_helix",
    "noisy_spiral",
    "oil_flow_paths",
    "partitioned_circle",
    "rotated_digits",
    "s_curve",
    "s_curve_surface",
    "simulated_oil_flow",
    "spiral_curve",
    "swiss_roll",
    "swiss_roll_surface",
]
