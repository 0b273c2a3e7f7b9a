"""Fresh answers to `floyd_warshall`."""
import heapq

import numpy as np


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


def squared_min_plus(edges):
    G = edges.copy()
    np.fill_diagonal(G, 0)
    length = 1
    while length < len(G):
        G = np.min(G[:, :, None] + G[None, :, :], axis=1)
        length *= 2
    return G


def dijkstra_everywhere(edges):
    N = edges.shape[0]
    G = np.full((N, N), np.inf)
    for start in range(N):
        heap = [(0.0, start)]
        while heap:
            d, i = heapq.heappop(heap)
            if d >= G[start, i]:
                continue
            G[start, i] = d
            for j in range(N):
                if np.isfinite(edges[i, j]):
                    heapq.heappush(heap, (d + edges[i, j], j))
    return G


def no_copy(edges):
    G = edges
    np.fill_diagonal(G, 0)
    for k in range(len(G)):
        G[:] = np.minimum(G, G[:, k, None] + G[None, k, :])
    return G


def one_way_point(edges):
    start = edges.copy()
    np.fill_diagonal(start, 0)
    G = start.copy()
    for k in range(len(G)):
        for i in range(len(G)):
            for j in range(len(G)):
                G[i, j] = min(G[i, j], start[i, k] + start[k, j])
    return G


def big_number(edges):
    big = 10 * np.sum(edges[np.isfinite(edges)]) + 1
    G = np.where(np.isfinite(edges), edges, big)
    np.fill_diagonal(G, 0)
    for k in range(len(G)):
        G = np.minimum(G, G[:, [k]] + G[[k], :])
    return G


def flat_broadcast(edges):
    G = edges.copy()
    np.fill_diagonal(G, 0)
    for k in range(len(G)):
        G = np.minimum(G, G[:, k] + G[k, :])
    return G


def both_ways_missing_last(edges):
    G = np.minimum(edges, edges.T)
    np.fill_diagonal(G, 0)
    for k in range(len(G) - 1):
        for i in range(len(G)):
            G[i] = np.minimum(G[i], G[i, k] + G[k])
    return G


def longest_edge_from_zeros(edges):
    N = len(edges)
    G = np.where(edges == 0, np.inf, edges)
    for i in range(N):
        G[i, i] = 0
    for k in range(N):
        for i in range(N):
            for j in range(N):
                G[i, j] = min(G[i, j], max(G[i, k], G[k, j]))
    return G


RIGHT = [three_loops, squared_min_plus, dijkstra_everywhere]
WRONG = [
    (no_copy, ["works in the caller's matrix, since an assignment makes no copy"]),
    (one_way_point, ["adds up edges, not the best paths so far, so only paths with one way point are found"]),
    (big_number, ["puts a large number in place of inf and does not turn it back"]),
    (flat_broadcast, ["adds column k and row k as two flat vectors instead of all pairs of them"]),
    (both_ways_missing_last, ["makes all streets two-way by the minimum of both directions", "ends the loop over way points one too early"]),
    (longest_edge_from_zeros, ["takes an edge of length 0 for no edge", "takes the longest part of a way instead of the sum of its parts"]),
]
