"""Stochastic neighbour embedding and spectral gradient descent, [SGD].

Points with similar data move together at first. An affinity of the data says which points belong
together (`affinity`), and its eigenvectors define filters for gradients (`filters`).
`SpectralGuidance` decides which filter each move uses.
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
    falling_by_one,
    falling_geometrically,
    growing_by_one,
    leading_directions,
    perplexity,
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
    "perplexity",
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
