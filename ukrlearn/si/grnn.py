"""General regression neural networks: from data to latent space as a weighted mean, [SI].

f(y) = Σ_n z_n K_n / Σ_n K_n with K_n = exp(-|y - y_n|² / 2σ²). [UKR] uses the same map from
latent space to data, and the same function computes both. Far from all data the value is that of
the nearest point.
"""

import numpy as np

from ukrlearn.blocks.density_kernels import gaussian
from ukrlearn.blocks.kernel_regression import kernel_rows, predict, row_blocks


def grnn(y, Y, Z, width):
    """f at data points y (M, d), from training data Y (N, d) at Z (N, q): (M, q)."""
    return predict(y / width, Y / width, Z, gaussian)


def grnn_left_out(Y, Z, width, points=None):
    """The prediction for each training point, or for some, from all other points: (M, q).

    A zero on the diagonal of K leaves the point itself out.
    """
    points = np.arange(len(Y)) if points is None else points
    said, scaled = np.empty((len(points), Z.shape[1])), Y / width
    for rows in row_blocks(len(points), len(Y)):
        own = np.arange(len(points[rows])), points[rows]
        K, _, total, _ = kernel_rows(scaled[points[rows]], scaled, gaussian, left_out=own)
        said[rows] = K @ Z / total[:, None]
    return said
