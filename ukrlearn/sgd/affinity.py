"""Which points of the data belong together: affinity matrices, [SGD] 3.2.

Each is (N, N), symmetric and positive semidefinite, so that a gradient multiplied by it still leads
downhill.
"""

import numpy as np
from scipy.sparse import coo_array, eye_array
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from ukrlearn.blocks.mercer_kernels import centred

NEIGHBORS = 8  # for the automatic bandwidth


# Affinities: (N, N), symmetric, positive semidefinite


def clustering_affinity(Y, h):
    """M = D^-1/2 K D^-1/2 with K_ij = exp(-|y_i - y_j|² / h) and D its row sums, [SGD] (12).

    The diagonal of ones stays in K, unlike in Ng, Jordan and Weiss: without it M has negative
    eigenvalues, and a guided step may lead uphill. The greatest eigenvalue is 1; its eigenvector is
    the root of the row sums, nearly constant.

    Examples
    --------
    >>> clustering_affinity(np.array([[0.0], [0.0], [9.0]]), 1.0).round(3)
    array([[0.5, 0.5, 0. ],
           [0.5, 0.5, 0. ],
           [0. , 0. , 1. ]])
    """
    return normalised_and_constant(gaussian_similarities(Y, h))[0]


def kernel_pca_affinity(Y, h):
    """(I - eeᵀ) K (I - eeᵀ) with e = 1 / √N, [SGD] (21): the kernel matrix, centred."""
    return centred(gaussian_similarities(Y, h))


def neighbor_affinity(Y, n_neighbors=10):
    """(I + D^-1/2 A D^-1/2) / 2 of the graph A of nearest neighbours: sparse, for large N.

    A_ij is 1 if one of the two is among the other's nearest. The normalised graph alone has
    eigenvalues in [-1, 1]; half of the identity and half of it has them in [0, 1].
    """
    return graph_affinity_and_constant(neighbor_graph(Y, n_neighbors))[0]


def neighbor_graph(Y, n_neighbors):
    N = len(Y)
    _, near = cKDTree(Y).query(Y, min(n_neighbors, N - 1) + 1)
    points = np.repeat(np.arange(N), near.shape[1])
    A = coo_array((np.ones(near.size), (points, near.ravel())), shape=(N, N)).tocsr()
    A.setdiag(0)
    A.eliminate_zeros()
    return A.maximum(A.T)


def typical_bandwidth(Y):
    """An h for (12): a point weighs its eighth neighbour with 1/e, in the median.

    Small enough not to join two turns of a spiral, large enough that noise along the curve does not
    cut it. That is a compromise, and seen on curves only: try a few h on your own data.

    Examples
    --------
    >>> typical_bandwidth(np.arange(50.0)[:, None])
    16.0
    """
    distance, _ = cKDTree(Y).query(Y, min(NEIGHBORS, len(Y) - 1) + 1)
    positive = distance[:, -1][distance[:, -1] > 0]
    return float(np.median(positive) ** 2) if len(positive) else 1.0


def normalised_and_constant(K):
    """(12) of a kernel matrix, and its eigenvector D^1/2 1 of eigenvalue 1, at unit length."""
    root = np.sqrt(K.sum(axis=1))
    K /= root
    K /= root[:, None]
    return K, root / np.linalg.norm(root)


def graph_affinity_and_constant(A):
    """(I + D^-1/2 A D^-1/2) / 2 of a graph, and the same eigenvector."""
    A = A.tocoo()
    root = np.sqrt(A.sum(axis=0))
    i, j = A.coords
    M = coo_array((1 / (root[i] * root[j]), (i, j)), shape=A.shape)
    return ((eye_array(len(root)) + M) / 2).tocsr(), root / np.linalg.norm(root)


def gaussian_similarities(Y, h):
    K = cdist(Y, Y, "sqeuclidean")
    K /= -h
    return np.exp(K, out=K)
