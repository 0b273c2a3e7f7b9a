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


def as_lists(edges):
    G = [[0 if i == j else float(e) for j, e in enumerate(row)] for i, row in enumerate(edges)]
    for k in range(len(G)):
        G = [[min(g, row[k] + G[k][j]) for j, g in enumerate(row)] for row in G]
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


RIGHT = [three_loops, as_lists, vectorised_in_single_precision, by_dijkstra, by_doubling]


def _loops(order="kij", length=lambda G, i, j, k: G[i, k] + G[k, j], diagonal=True, skip=()):
    def answer(edges):
        G, N = edges.copy(), len(edges)
        if diagonal:
            G[np.arange(N), np.arange(N)] = 0.0
        for a in range(N):
            for b in range(N):
                for c in range(N):
                    at = dict(zip(order, (a, b, c), strict=True))
                    i, j, k = at["i"], at["j"], at["k"]
                    if k not in [s % N for s in skip]:
                        G[i, j] = min(G[i, j], length(G, i, j, k))
        return G

    return answer


def in_place(edges):
    np.fill_diagonal(edges, 0)
    for k in range(len(edges)):
        edges[:] = np.minimum(edges, edges[:, [k]] + edges[[k]])
    return edges


def from_one_point(edges):
    return three_loops(edges)[0]


def zeros_missing(edges):
    return three_loops(np.where(edges > 0, edges, np.inf))


def both_ways(edges):
    return three_loops(np.minimum(edges, edges.T))


def once(edges):
    G = edges.copy()
    np.fill_diagonal(G, 0)
    old = G.copy()
    for k in range(len(G)):
        G = np.minimum(G, old[:, [k]] + old[[k]])
    return G


def always_replaced(edges):
    G = edges.copy()
    np.fill_diagonal(G, 0)
    for k in range(len(G)):
        for i in range(len(G)):
            for j in range(len(G)):
                way = G[i, k] + G[k, j]
                if np.isfinite(way):
                    G[i, j] = way
    return G


WRONG = [
    ("k_innermost", _loops("ijk")),
    ("k_in_the_middle", _loops("ikj")),
    ("j_outermost", _loops("jki")),
    ("diagonal_kept", _loops(diagonal=False)),
    ("two_way", both_ways),
    ("reversed", lambda edges: three_loops(edges).T),
    ("wrong_end", _loops(length=lambda G, i, j, k: G[i, k] + G[j, k])),
    ("zero_is_none", zeros_missing),
    ("two_edges", once),
    ("overwritten", always_replaced),
    ("longest_leg", _loops(length=lambda G, i, j, k: max(G[i, k], G[k, j]))),
    ("last_forgotten", _loops(skip=(-1,))),
    ("first_forgotten", _loops(skip=(0,))),
    ("edges_counted", lambda edges: three_loops(np.where(edges < np.inf, 1.0, np.inf))),
    ("zero_for_none", lambda edges: np.nan_to_num(three_loops(edges), posinf=0.0)),
    ("minus_one_for_none", lambda edges: np.nan_to_num(three_loops(edges), posinf=-1.0)),
    ("changes_input", in_place),
    ("shape", from_one_point),
    ("diagonal", lambda edges: three_loops(edges) + np.diag(np.full(len(edges), 1e-2))),
]
