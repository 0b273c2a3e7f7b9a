"""[SI] supervised agglomerative Isomap and the maps for new points, on top of the shared blocks.

Reading order: `dissimilarity` (distances, with labels too), `geodesics` (graph, shortest paths,
multidimensional scaling), `isomap` (all of it in turn, and by landmarks), `grnn`. Kernel ridge
regression is shared with [DRUR]: `blocks.kernel_ridge`.
"""
