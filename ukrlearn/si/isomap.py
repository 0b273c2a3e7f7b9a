"""Agglomerative Isomap, [SI] sections 2 and 3, of all points or by landmarks."""

from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn.blocks.kernel_regression import row_blocks
from ukrlearn.si.geodesics import (
    Graph,
    Scaling,
    agglomerate,
    classical_mds,
    geodesic_distances,
    neighbor_graph,
    spanning_tree,
)


class Isomap(NamedTuple):
    """The result of procedure A-Isomap."""

    X: np.ndarray  # (N, q)
    graph: Graph
    geodesics: np.ndarray  # (L, N), from the landmarks to all points
    landmarks: np.ndarray  # (L,), indices; all points if no landmarks were given
    scaling: Scaling  # of the landmarks


def agglomerative_isomap(
    Q, n_components, n_neighbors, choose_arcs=spanning_tree, landmarks=None, n_jobs=None
) -> Isomap:
    """Procedure A-Isomap(Q, d, h), [SI] 2.1.

    Parameters
    ----------
    Q : array of shape (N, N), or `dissimilarity.Euclidean`, or `dissimilarity.WithLabels`
    choose_arcs : callable
        `geodesics.spanning_tree` or `geodesics.all_pairs`.
    landmarks : array of L indices, optional
        Paths start at these points only, and multidimensional scaling uses only these. All other
        points are placed by their distances to them. Memory is L x N instead of N x N.
    """
    graph = agglomerate(neighbor_graph(Q, n_neighbors), Q, choose_arcs)  # steps 1 and 2
    G = geodesic_distances(graph.lengths, landmarks, n_jobs)  # step 3
    if landmarks is None:
        scaling = classical_mds(G, n_components)  # step 4
        return Isomap(scaling.X, graph, G, np.arange(len(G)), scaling)
    scaling = classical_mds(G[:, landmarks], n_components)
    return Isomap(scaling.place(G.T), graph, G, np.asarray(landmarks), scaling)


def spread_landmarks(Y, count, seed=0):
    """Indices of points that are far from each other: each is farthest from all previous ones.

    Random landmarks would crowd where the data are dense, and miss sparse parts.
    """
    first = np.random.RandomState(seed).randint(len(Y))
    chosen, distance = [first], cdist(Y, Y[[first]], "sqeuclidean")[:, 0]
    while len(chosen) < count:
        chosen.append(int(np.argmax(distance)))
        np.minimum(distance, cdist(Y, Y[chosen[-1:]], "sqeuclidean")[:, 0], out=distance)
    return np.sort(chosen)


def geodesics_of_new(Y_new, Y, G, n_neighbors):
    """Distances (M, L) of new points to the landmarks of G (L, N), through their neighbours.

    Paths begin at the h nearest training points of a new point; the shortest path counts.
    """
    found = np.empty((len(Y_new), len(G)))
    for rows in row_blocks(len(Y_new), len(Y)):
        D = cdist(Y_new[rows], Y)
        nearest = np.argpartition(D, n_neighbors - 1, axis=1)[:, :n_neighbors]
        steps = np.take_along_axis(D, nearest, axis=1)
        for row, exits, lengths in zip(range(rows.start, rows.stop), nearest, steps, strict=True):
            found[row] = np.min(G[:, exits] + lengths, axis=1)
    return found
