"""[SI] supervised agglomerative Isomap and the maps for new points, on top of the shared blocks.

Reading order: `dissimilarity` (distances, with labels too), `geodesics` (graph, shortest paths,
multidimensional scaling), `isomap` (all steps in turn, with or without landmarks), `grnn`. [DRUR]
also uses kernel ridge regression: `blocks.kernel_ridge`.
"""
