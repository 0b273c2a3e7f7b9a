"""Right and wrong answers to the exercise `floyd_warshall`, as learners write them."""

import heapq
import math

import numpy as np


def three_loops(edges):
    N = len(edges)
    G = edges.copy()
    for i in range(N):
        G[i, i] = 0
    for k in range(N):
        for i in range(N):
            for j in range(N):
                if G[i, k] + G[k, j] < G[i, j]:
                    G[i, j] = G[i, k] + G[k, j]
    return G


def vectorised_in_single_precision(edges):
    G = np.where(np.eye(len(edges), dtype=bool), 0, edges).astype(np.float32)
    for k in range(len(G)):
        np.minimum(G, np.add.outer(G[:, k], G[k]), out=G)
    return G


def by_dijkstra(edges):
    """With a heap, from each point."""
    found = np.full(edges.shape, np.inf)
    for source in range(len(edges)):
        heap = [(0.0, source)]
        while heap:
            length, i = heapq.heappop(heap)
            if length >= found[source, i]:
                continue
            found[source, i] = length
            for j in range(len(edges)):
                if edges[i, j] < math.inf:
                    heapq.heappush(heap, (length + edges[i, j], j))
    return found


def by_doubling(edges):
    """Paths of 2, 4, 8 ... edges, by products with min for the sum."""
    G = np.minimum(edges, np.where(np.eye(len(edges)) > 0, 0.0, np.inf))
    for _ in range(len(edges).bit_length()):
        G = np.einsum("ij->ij", (G[:, :, None] + G[None]).min(axis=1))
    return G


def as_lists(edges):
    G = [[0 if i == j else float(e) for j, e in enumerate(row)] for i, row in enumerate(edges)]
    for k in range(len(G)):
        G = [[min(g, row[k] + G[k][j]) for j, g in enumerate(row)] for row in G]
    return G


RIGHT = [three_loops, as_lists, vectorised_in_single_precision, by_dijkstra, by_doubling]


def in_place(edges):
    np.fill_diagonal(edges, 0)
    for k in range(len(edges)):
        edges[:] = np.minimum(edges, edges[:, [k]] + edges[[k]])
    return edges


def from_one_point(edges):
    return three_loops(edges)[0]


WRONG = [
    ("changes_input", in_place),
    ("shape", from_one_point),
    ("diagonal", lambda edges: three_loops(edges) + np.diag(np.full(len(edges), 1e-2))),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    k_innermost k_in_the_middle j_outermost diagonal_kept two_way wrong_end zero_is_none two_edges
    overwritten longest_leg last_forgotten first_forgotten edges_counted zero_for_none
    minus_one_for_none
""".split()
