"""Affinity matrices, which say which points of the data belong together, [SGD] 3.2.

Each matrix is (N, N), symmetric and positive semidefinite, so a step along minus its product with a
gradient still leads downhill.
"""

import numpy as np
from scipy.sparse import coo_array, eye_array
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from ukrlearn.blocks.arguments import checked, count, positive, squarable
from ukrlearn.blocks.mercer_kernels import centred

NEIGHBORS = 8  # for the automatic bandwidth


# Affinities: (N, N), symmetric, positive semidefinite


@checked(Y=squarable, h=positive)
def clustering_affinity(Y, h):
    """M = D^-1/2 K D^-1/2 with K_ij = exp(-|y_i - y_j|² / h) and D its row sums, [SGD] (12).

    K keeps its diagonal of ones, unlike in Ng, Jordan and Weiss. Without the diagonal, M has
    negative eigenvalues, and a guided step may lead uphill. The greatest eigenvalue is 1. Its
    eigenvector is the square root of the row sums, and nearly constant.

    Examples
    --------
    >>> clustering_affinity(np.array([[0.0], [0.0], [9.0]]), 1.0).round(3)
    array([[0.5, 0.5, 0. ],
           [0.5, 0.5, 0. ],
           [0. , 0. , 1. ]])
    """
    return normalised_and_constant(gaussian_similarities(Y, h))[0]


@checked(Y=squarable, h=positive)
def kernel_pca_affinity(Y, h):
    """(I - eeᵀ) K (I - eeᵀ) with e = 1 / √N, [SGD] (21): the kernel matrix, centred."""
    return centred(gaussian_similarities(Y, h))


@checked(Y=squarable, n_neighbors=count)
def neighbor_affinity(Y, n_neighbors=10):
    """(I + D^-1/2 A D^-1/2) / 2 of the graph A of nearest neighbours: sparse, for large N.

    A_ij is 1 if i is among the nearest neighbours of j, or j among those of i. The eigenvalues of
    the normalised graph lie in [-1, 1]; averaging it with the identity moves them to [0, 1].
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


@checked(Y=squarable)
def typical_bandwidth(Y):
    """A bandwidth h for (12) at which the median point gives its eighth neighbour the weight 1/e.

    This h is small enough to keep two turns of a spiral apart, and large enough that noise does not
    cut the curve. It is a compromise, tested only on curves: try several h on your own data.

    Examples
    --------
    >>> typical_bandwidth(np.arange(50.0)[:, None])
    16.0
    """
    distance, _ = cKDTree(Y).query(Y, [min(NEIGHBORS, len(Y) - 1) + 1])  # a list: two axes
    positive = distance[distance > 0]
    return float(np.median(positive) ** 2) if len(positive) else 1.0


def normalised_and_constant(K):
    """M (12) of a kernel matrix, and the unit eigenvector along D^1/2 1, with eigenvalue 1."""
    root = np.sqrt(K.sum(axis=1))
    K /= root
    K /= root[:, None]
    return K, root / np.linalg.norm(root)


def graph_affinity_and_constant(A):
    """(I + D^-1/2 A D^-1/2) / 2 of a graph, and the unit eigenvector along D^1/2 1."""
    A = A.tocoo()
    root = np.sqrt(A.sum(axis=0))
    i, j = A.coords
    M = coo_array((1 / (root[i] * root[j]), (i, j)), shape=A.shape)
    return ((eye_array(len(root)) + M) / 2).tocsr(), root / np.linalg.norm(root)


def gaussian_similarities(Y, h):
    K = cdist(Y, Y, "sqeuclidean")
    with np.errstate(over="ignore"):  # infinitely far apart in units of h: no similarity
        K /= -h
    return np.exp(K, out=K)
