"""The papers' data sets, each with the truth that produced it.

Every generator returns ``(Y, t)``: the data, one point a row, and the true latent coordinate of
each row. ``t`` measures length along the curve or sheet (from 0 to 1 for a curve in one piece, in
the data's own units for sheets), so a perfect embedding is ``t`` up to shift, rotation, reflection
and one scale. Beside each generator stands the clean curve or surface, a plain function of ``t``:

>>> Y, t = noisy_spiral(random_state=0)
>>> clean = spiral_curve(np.linspace(0, 1, 1000))

``noise`` is the standard deviation of the Gaussian noise in each column; with ``noise=0`` the
points lie on the curve exactly. ``random_state`` is an int, a `numpy.random.RandomState` or None,
as in scikit-learn: NumPy has frozen that generator, so a seed means the same data in every version.
"""

from ukrlearn.datasets.curves import (
    arc_curve,
    circle_curve,
    disconnected_curve,
    disconnected_curves,
    helix_curve,
    noisy_arc,
    noisy_helix,
    noisy_spiral,
    partitioned_circle,
    spiral_curve,
)
from ukrlearn.datasets.images import digits, rotated_digits
from ukrlearn.datasets.oil_flow import load_oil_flow, oil_flow_paths, simulated_oil_flow
from ukrlearn.datasets.surfaces import (
    s_curve,
    s_curve_surface,
    spherical_cap,
    spherical_cap_surface,
    swiss_roll,
    swiss_roll_surface,
)

__all__ = [
    "arc_curve",
    "circle_curve",
    "digits",
    "disconnected_curve",
    "disconnected_curves",
    "helix_curve",
    "load_oil_flow",
    "noisy_arc",
    "noisy_helix",
    "noisy_spiral",
    "oil_flow_paths",
    "partitioned_circle",
    "rotated_digits",
    "s_curve",
    "s_curve_surface",
    "simulated_oil_flow",
    "spherical_cap",
    "spherical_cap_surface",
    "spiral_curve",
    "swiss_roll",
    "swiss_roll_surface",
]
