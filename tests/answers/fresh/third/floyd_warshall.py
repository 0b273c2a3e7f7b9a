"""Fresh answers to `floyd_warshall`."""
import heapq

import numpy as np
from scipy.sparse import csgraph


def three_loops(edges):
    N = len(edges)
    G = np.array(edges, dtype=float)
    for i in range(N):
        G[i, i] = 0
    for k in range(N):
        for i in range(N):
            for j in range(N):
                if G[i, k] + G[k, j] < G[i, j]:
                    G[i, j] = G[i, k] + G[k, j]
    return G


def paths_of_twice_as_many_edges(edges):
    G = edges.astype(float).copy()
    np.fill_diagonal(G, 0)
    edges_allowed = 1
    while edges_allowed < len(G):
        G = np.array([np.min(row[:, None] + G, axis=0) for row in G]).reshape(G.shape)
        edges_allowed *= 2
    return G


def dijkstra(edges):
    N = len(edges)
    G = np.full((N, N), np.inf)
    for start in range(N):
        queue, done = [(0.0, start)], set()
        while queue:
            length, here = heapq.heappop(queue)
            if here in done:
                continue
            done.add(here)
            G[start, here] = length
            for there in range(N):
                if there != here and np.isfinite(edges[here, there]):
                    heapq.heappush(queue, (length + edges[here, there], there))
    return G


def way_point_inside(edges):
    G = edges.copy()
    np.fill_diagonal(G, 0)
    for i in range(len(G)):
        for j in range(len(G)):
            for k in range(len(G)):
                G[i, j] = min(G[i, j], G[i, k] + G[k, j])
    return G


def library_drops_zeros(edges):
    G = csgraph.floyd_warshall(edges, directed=True)
    np.fill_diagonal(G, 0)
    return G


def counted_from_one(edges):
    N = len(edges)
    G = edges.copy()
    for n in range(N):
        G[n, n] = 0
    for k in range(1, N + 1):
        for i in range(N):
            for j in range(N):
                G[i, j] = min(G[i, j], G[i, k] + G[k, j])
    return G


def the_same_array(edges):
    G = edges
    np.fill_diagonal(G, 0)
    for k in range(len(G)):
        G[:] = np.minimum(G, G[:, k][:, None] + G[k])
    return G


def both_ways_and_last_missing(edges):
    G = np.minimum(edges, edges.T)
    np.fill_diagonal(G, 0)
    for k in range(len(G) - 1):
        G = np.minimum(G, G[:, [k]] + G[[k], :])
    return G


def one_stop_and_round_trips(edges):
    N = len(edges)
    G = edges.copy()
    for k in range(N):
        for i in range(N):
            for j in range(N):
                G[i, j] = min(G[i, j], edges[i, k] + edges[k, j])
    return G


RIGHT = [three_loops, paths_of_twice_as_many_edges, dijkstra]
WRONG = [
    (way_point_inside, ["the loop over the way points is the innermost instead of the outermost"]),
    (library_drops_zeros, ["lets scipy treat edges of length 0 as no edge"]),
    (counted_from_one, ["counts the way points from 1 to N, leaves out point 0 and runs over the end"]),
    (the_same_array, ["works on the array of the caller instead of a copy"]),
    (both_ways_and_last_missing, ["makes one-way streets passable in both directions", "never tries the last point as a way point"]),
    (one_stop_and_round_trips, ["adds original edges instead of best paths so far, so only one stop is allowed", "forgot to set the diagonal to zero"]),
]
