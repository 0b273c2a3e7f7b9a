"""Stochastic neighbour embedding and spectral gradient descent, [SGD].

Points whose data are alike move together at first. An affinity of the data says which ones belong
together (`affinity`), and its eigenvectors give filters of gradients (`filters`). Which filter each
move gets, `SpectralGuidance` says.
"""

from ukrlearn.blocks.guided import guided
from ukrlearn.sgd.affinity import (
    clustering_affinity,
    kernel_pca_affinity,
    neighbor_affinity,
    typical_bandwidth,
)
from ukrlearn.sgd.filters import (
    Deflation,
    Filter,
    Spectrum,
    decompose,
    deflating,
    doubling,
    effective_number,
    falling_by_one,
    falling_geometrically,
    growing_by_one,
    leading_directions,
    plain,
    power_with,
    powers,
    spreading,
)

__all__ = [
    "Deflation",
    "Filter",
    "Spectrum",
    "clustering_affinity",
    "decompose",
    "deflating",
    "doubling",
    "effective_number",
    "falling_by_one",
    "falling_geometrically",
    "growing_by_one",
    "guided",
    "kernel_pca_affinity",
    "leading_directions",
    "neighbor_affinity",
    "plain",
    "power_with",
    "powers",
    "spreading",
    "typical_bandwidth",
]
