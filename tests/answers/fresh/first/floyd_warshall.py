"""Fresh answers to `floyd_warshall`."""
import heapq

import numpy as np
from scipy.sparse.csgraph import shortest_path


def three_loops(edges):
    G = np.array(edges, dtype=float)
    N = len(G)
    for i in range(N):
        G[i, i] = 0
    for k in range(N):
        for i in range(N):
            for j in range(N):
                if G[i, k] + G[k, j] < G[i, j]:
                    G[i, j] = G[i, k] + G[k, j]
    return G


def one_loop(edges):
    G = edges.astype(float)
    np.fill_diagonal(G, 0)
    for k in range(len(G)):
        G = np.minimum(G, G[:, [k]] + G[[k], :])
    return G


def dijkstra_from_each(edges):
    N = len(edges)
    G = np.full((N, N), np.inf)
    for start in range(N):
        heap, done = [(0.0, start)], set()
        while heap:
            length, i = heapq.heappop(heap)
            if i in done:
                continue
            done.add(i)
            G[start, i] = length
            for j in range(N):
                if j not in done and edges[i, j] < np.inf:
                    heapq.heappush(heap, (length + edges[i, j], j))
    return G


def way_point_inside(edges):
    G = edges.copy()
    np.fill_diagonal(G, 0)
    N = len(G)
    for i in range(N):
        for j in range(N):
            for k in range(N):
                G[i, j] = min(G[i, j], G[i, k] + G[k, j])
    return G


def on_the_original(edges):
    G = edges
    for n in range(len(G)):
        G[n, n] = 0
    for k in range(len(G)):
        for i in range(len(G)):
            G[i] = np.minimum(G[i], G[i, k] + G[k])
    return G


def scipy_does_it(edges):
    graph = np.where(np.isinf(edges), 0, edges)
    return shortest_path(graph, method="FW", directed=True)


def large_number(edges):
    G = np.where(np.isfinite(edges), edges, 1e6)
    np.fill_diagonal(G, 0)
    for k in range(len(G)):
        G = np.minimum(G, G[:, k][:, None] + G[k][None, :])
    return G


def both_ways(edges):
    G = np.minimum(edges, edges.T)
    for k in range(len(G)):
        for i in range(len(G)):
            for j in range(len(G)):
                G[i, j] = min(G[i, j], G[i, k] + G[k, j])
    return G


def two_edges_at_most(edges):
    start = edges.copy()
    np.fill_diagonal(start, 0)
    G = start.copy()
    for k in range(len(G)):
        G = np.minimum(G, start[:, k, None] + start[None, k, :])
    G[np.isinf(G)] = 0
    return G


RIGHT = [three_loops, one_loop, dijkstra_from_each]
WRONG = [
    (way_point_inside, ["the loop over the way points k is the innermost instead of the outermost"]),
    (on_the_original, ["works in `edges` itself instead of a copy"]),
    (scipy_does_it, ["marks missing edges by zero, so that edges of length 0 are lost"]),
    (large_number, ["replaces inf by a large finite number, so that missing paths are not inf"]),
    (both_ways, ["makes one-way streets two-way", "forgot the zeros on the diagonal"]),
    (two_edges_at_most, ["always adds the original edges, so that paths have two edges at most", "returns 0 where there is no path"]),
]
