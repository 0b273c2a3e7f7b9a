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


def one_loop(edges):
    G = edges.astype(float).copy()
    np.fill_diagonal(G, 0.0)
    for k in range(G.shape[0]):
        G = np.minimum(G, G[:, k, None] + G[None, k, :])
    return G


def dijkstra(edges):
    N = len(edges)
    G = np.full((N, N), np.inf)
    for start in range(N):
        queue, done = [(0.0, start)], set()
        while queue:
            length, i = heapq.heappop(queue)
            if i in done:
                continue
            done.add(i)
            G[start, i] = length
            for j in range(N):
                if j not in done and np.isfinite(edges[i, j]):
                    heapq.heappush(queue, (length + edges[i, j], j))
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


def in_place(edges):
    G = edges
    np.fill_diagonal(G, 0)
    for k in range(len(G)):
        G[:] = np.minimum(G, G[:, [k]] + G[[k], :])
    return G


def two_way_streets(edges):
    G = np.minimum(edges, edges.T)
    np.fill_diagonal(G, 0)
    for k in range(len(G)):
        G = np.minimum(G, np.add.outer(G[:, k], G[k]))
    return G


def zero_means_no_edge(edges):
    G = np.where(edges > 0, edges, np.inf)
    np.fill_diagonal(G, 0)
    N = len(G)
    for k in range(N):
        for i in range(N):
            for j in range(N):
                G[i, j] = min(G[i, j], G[i, k] + G[k, j])
    return G


def one_stop(edges):
    G = edges.copy()
    N = len(edges)
    for k in range(N):
        for i in range(N):
            for j in range(N):
                G[i, j] = min(G[i, j], edges[i, k] + edges[k, j])
    return G


def longest_leg(edges):
    G = edges.copy()
    np.fill_diagonal(G, 0)
    N = len(G)
    for k in range(N - 1):
        for i in range(N):
            for j in range(N):
                way = max(G[i, k], G[k, j])
                if way < G[i, j]:
                    G[i, j] = way
    return G


RIGHT = [three_loops, one_loop, dijkstra]
WRONG = [
    (way_point_inside, ["the loop over the way points k is the innermost instead of the outermost"]),
    (in_place, ["works in edges itself instead of a copy, so the argument is changed"]),
    (two_way_streets, ["makes all streets two-way: takes the smaller of edges and its transpose"]),
    (zero_means_no_edge, ["treats edges of length 0 as missing"]),
    (one_stop, ["adds edges instead of the best ways so far, so a path has at most one way point", "forgot the zeros on the diagonal"]),
    (longest_leg, ["takes the longer of the two parts instead of their sum", "the loop over k leaves out the last point"]),
]
