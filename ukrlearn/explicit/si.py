"""[SI] in loops: Orsenigo, Vercellis: Kernel Ridge Regression for Out-of-Sample Mapping in
Supervised Manifold Learning, 2012.

A matrix is a list of rows. Q[i][j] is the dissimilarity of points i and j, G[i][j] the length of
the shortest path between them. A graph is a list of dictionaries: edges[i][j] is the length of the
edge between i and j, and both directions are stored.
"""

import math

from ukrlearn.explicit.drur import _solution
from ukrlearn.explicit.ukr import squared_distance

__all__ = [
    "euclidean_distances",
    "label_distance",
    "label_distances",
    "neighbor_graph",
    "components",
    "closest_components",
    "agglomerate",
    "dijkstra",
    "floyd_warshall",
    "matrix_product",
    "double_centred",
    "symmetric_eigen",
    "classical_mds",
    "agglomerative_isomap",
    "residual_variance",
    "place_by_distances",
    "ridge_weights",
    "ridge_predict",
    "ridge_left_out",
    "grnn",
    "grnn_left_out",
]


# Dissimilarities


def euclidean_distances(Y):
    """E with E[i][j] = |y_i - y_j|."""
    return [[math.sqrt(squared_distance(y, z)) for z in Y] for y in Y]


def label_distance(e, same, alpha, beta):
    """q of two points at distance e, with the same label or with different labels, (1)."""
    if same:
        return math.sqrt(1 - math.exp(-(e**2) / beta))  # (1), first case
    return math.sqrt(math.exp(e**2 / beta) - alpha)  # (1), second case


def label_distances(Y, labels, alpha, beta):
    """Q of all pairs, (1). A point is at distance zero from itself."""
    E = euclidean_distances(Y)
    return [
        [label_distance(e, a == b, alpha, beta) for e, b in zip(row, labels, strict=True)]
        for row, a in zip(E, labels, strict=True)
    ]


# The graph: steps 1 and 2 of procedure A-Isomap


def neighbor_graph(Q, h):
    """Step 1: i and j are joined if one of them is among the h nearest neighbours of the other."""
    edges = [{} for _ in Q]
    for i, row in enumerate(Q):
        others = sorted((j for j in range(len(Q)) if j != i), key=lambda j: row[j])
        for j in others[:h]:
            edges[i][j] = edges[j][i] = row[j]
    return edges


def components(edges):
    """component[i]: the number of the connected component that point i belongs to."""
    component = [None] * len(edges)
    count = 0
    for start in range(len(edges)):
        if component[start] is not None:
            continue
        waiting = [start]
        while waiting:
            i = waiting.pop()
            if component[i] is None:
                component[i] = count
                waiting.extend(edges[i])
        count += 1
    return component


def closest_components(Q, component):
    """The closest pair of points that belong to different components."""
    best = None
    for i in range(len(Q)):
        for j in range(i):
            if component[i] != component[j] and (best is None or Q[i][j] < Q[best[0]][best[1]]):
                best = (j, i)
    return best


def agglomerate(Q, edges):
    """Step 2: the arcs that join the components, closest pair first, in the order of merging.

    The arcs are added to `edges`.
    """
    arcs = []
    component = components(edges)
    while max(component) > 0:
        i, j = closest_components(Q, component)
        edges[i][j] = edges[j][i] = Q[i][j]
        arcs.append((i, j))
        component = components(edges)
    return arcs


# Geodesic distances: step 3


def dijkstra(edges, source):
    """Lengths of the shortest paths from one point to all: the nearest unsettled point is next."""
    length = [math.inf] * len(edges)
    length[source] = 0.0
    unsettled = set(range(len(edges)))
    while unsettled:
        i = min(unsettled, key=lambda k: length[k])
        unsettled.remove(i)
        for j, step in edges[i].items():
            length[j] = min(length[j], length[i] + step)
    return length


def floyd_warshall(edges):
    """G, the lengths of all shortest paths: is the way through k shorter than the best so far?"""
    N = len(edges)
    G = [[0.0 if i == j else edges[i].get(j, math.inf) for j in range(N)] for i in range(N)]
    for k in range(N):
        for i in range(N):
            for j in range(N):
                G[i][j] = min(G[i][j], G[i][k] + G[k][j])
    return G


# Classical multidimensional scaling: step 4


def matrix_product(A, B):
    """A B."""
    columns = list(zip(*B, strict=True))
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in A
    ]


def double_centred(G):
    """S = -B K B / 2 with K_ij = G_ij² and B_ij = δ_ij - 1/N: the paper's matrix form."""
    N = len(G)
    K = [[g**2 for g in row] for row in G]
    B = [[(i == j) - 1 / N for j in range(N)] for i in range(N)]
    return [[-s / 2 for s in row] for row in matrix_product(matrix_product(B, K), B)]


def symmetric_eigen(S, sweeps=30):
    """Eigenvalues, greatest first, and eigenvectors (as rows), by Jacobi's rotations.

    A rotation in the plane of coordinates i and j makes S[i][j] zero. It spoils earlier zeros, but
    the sum of squares off the diagonal falls each time.
    """
    N = len(S)
    S = [list(row) for row in S]
    V = [[float(i == j) for j in range(N)] for i in range(N)]
    for _ in range(sweeps):
        for i in range(N):
            for j in range(i + 1, N):
                if S[i][j] != 0:
                    angle = math.atan2(2 * S[i][j], S[j][j] - S[i][i]) / 2
                    _rotate(S, V, i, j, math.cos(angle), math.sin(angle))
    order = sorted(range(N), key=lambda k: -S[k][k])
    return [S[k][k] for k in order], [V[k] for k in order]


def _rotate(S, V, i, j, c, s):
    for k in range(len(S)):  # S R
        S[k][i], S[k][j] = c * S[k][i] - s * S[k][j], s * S[k][i] + c * S[k][j]
    for rows in (S, V):  # Rᵀ S and Rᵀ V
        rows[i], rows[j] = (
            [c * a - s * b for a, b in zip(rows[i], rows[j], strict=True)],
            [s * a + c * b for a, b in zip(rows[i], rows[j], strict=True)],
        )


def classical_mds(G, d):
    """z_ip = √λ_p v_ip for the d greatest eigenvalues of S, negative ones counted as zero."""
    values, vectors = symmetric_eigen(double_centred(G))
    return [[math.sqrt(max(values[p], 0)) * vectors[p][i] for p in range(d)] for i in range(len(G))]


def agglomerative_isomap(Q, d, h):
    """Procedure A-Isomap(Q, d, h)."""
    edges = neighbor_graph(Q, h)  # step 1
    agglomerate(Q, edges)  # step 2
    return classical_mds(floyd_warshall(edges), d)  # steps 3 and 4


def residual_variance(G, X):
    """1 - r², r the correlation of geodesic distances and distances in the embedding."""
    D = euclidean_distances(X)
    pairs = [(G[i][j], D[i][j]) for i in range(len(G)) for j in range(i)]
    mean_g = sum(g for g, _ in pairs) / len(pairs)
    mean_d = sum(d for _, d in pairs) / len(pairs)
    var_g = sum((g - mean_g) ** 2 for g, _ in pairs)
    var_d = sum((d - mean_d) ** 2 for _, d in pairs)
    return 1 - sum((g - mean_g) * (d - mean_d) for g, d in pairs) ** 2 / (var_g * var_d)


def place_by_distances(lengths, G, d):
    """Coordinates of a new point whose geodesic distances to the points of G are known.

    z_p = v_p · (mean of K over its rows - squared lengths) / (2 √λ_p): for a training point this
    is its own coordinate, because v_p is an eigenvector of S.
    """
    values, vectors = symmetric_eigen(double_centred(G))
    N = len(G)
    mean = [sum(G[m][n] ** 2 for m in range(N)) / N for n in range(N)]
    return [
        sum(vectors[p][n] * (mean[n] - lengths[n] ** 2) for n in range(N))
        / (2 * math.sqrt(values[p]))
        for p in range(d)
    ]


# Where new points go: kernel ridge regression and general regression neural networks


def _kernel(y, z, gamma):
    return math.exp(-gamma * squared_distance(y, z))


def ridge_weights(Y, Z, gamma, penalty):
    """W = (K + λI)⁻¹ Z with K_nm = exp(-γ |y_n - y_m|²), one column of Z at a time."""
    A = [[_kernel(y, z, gamma) + penalty * (y is z) for z in Y] for y in Y]
    columns = [_solution(A, column) for column in zip(*Z, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]


def ridge_predict(y, Y, W, gamma):
    """f(y) = Σ_n w_n exp(-γ |y - y_n|²)."""
    return [sum(_kernel(y, Y[n], gamma) * W[n][p] for n in range(len(Y))) for p in range(len(W[0]))]


def ridge_left_out(n, Y, Z, gamma, penalty):
    """What the fit to all points but n predicts for point n: fitted once more, without it."""
    others, targets = Y[:n] + Y[n + 1 :], Z[:n] + Z[n + 1 :]
    return ridge_predict(Y[n], others, ridge_weights(others, targets, gamma, penalty), gamma)


def grnn(y, Y, Z, width):
    """f(y) = Σ_n z_n K_n / Σ_n K_n with K_n = exp(-|y - y_n|² / 2σ²).

    The least distance is taken out of all exponents, which cancels: far from the data all K_n
    would otherwise be zero.
    """
    t = [squared_distance(y, z) / (2 * width**2) for z in Y]
    K = [math.exp(min(t) - s) for s in t]
    return [sum(k * z[p] for k, z in zip(K, Z, strict=True)) / sum(K) for p in range(len(Z[0]))]


def grnn_left_out(n, Y, Z, width):
    """What all points but n say of point n."""
    return grnn(Y[n], Y[:n] + Y[n + 1 :], Z[:n] + Z[n + 1 :], width)
