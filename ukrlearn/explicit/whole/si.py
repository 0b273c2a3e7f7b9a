"""Supervised agglomerative Isomap and maps for new points, on one page.

[SI] is Orsenigo and Vercellis, "Kernel Ridge Regression for Out-of-Sample
Mapping in Supervised Manifold Learning", 2012, whose first pages are public:
a number in brackets is its equation, a step is one of its procedure A-Isomap.
Distances that know the labels make a graph, whose shortest paths become
coordinates. A regression maps new points, which have no label, to them. Data
Y (N, d) and coordinates X (N, q) have one point in each row.
"""

import numpy as np


def shells(N, random):
    """Points on three spheres, one within the other, and their labels."""
    labels = random.integers(3, size=N)
    direction = random.normal(size=(N, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    Y = (1 + labels[:, None]) * direction
    return Y + 0.2 * random.normal(size=(N, 3)), labels


def squared_distances(A, B):
    return np.sum((A[:, None] - B) ** 2, axis=2)


def label_distances(Y, labels, alpha, times):
    """Q, (1): short within a class, long between classes.

    Departure: beta is a multiple of the mean squared distance, not the mean
    distance, so the unit of length does not matter.
    """
    t = squared_distances(Y, Y)
    s = t / (times * t.sum() / (len(Y) * (len(Y) - 1)))
    within = np.sqrt(1 - np.exp(-s))
    between = np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s))
    return np.where(labels[:, None] == labels, within, between)


def neighbour_graph(Q, h):
    """Step 1: edges to the h nearest neighbours, infinite elsewhere."""
    near = np.argsort(Q, axis=1, kind="stable")[:, 1 : h + 1]
    edges = np.full(Q.shape, np.inf)
    rows = np.arange(len(Q))[:, None]
    edges[rows, near] = Q[rows, near]
    return np.minimum(edges, edges.T)


def joined(D, component):
    """Step 2: the shortest arcs that join all components."""
    label, arcs = component.copy(), []
    i, j = np.triu_indices(len(D), 1)
    for n in np.argsort(D[i, j], kind="stable"):
        if label[i[n]] != label[j[n]]:
            arcs.append((i[n], j[n]))
            label[label == label[j[n]]] = label[i[n]]
    return np.array(arcs, dtype=int).reshape(-1, 2)


def path_lengths(edges):
    """Step 3: the lengths of all shortest paths, by Floyd and Warshall."""
    G = np.array(edges, dtype=float)
    np.fill_diagonal(G, 0)
    for k in range(len(G)):
        G = np.minimum(G, G[:, k, None] + G[k])
    return G


def coordinates(squared, q):
    """Step 4: coordinates by multidimensional scaling, and what is lost."""
    S = squared - squared.mean(axis=0)
    S = -0.5 * (S - S.mean(axis=1, keepdims=True))
    values, V = np.linalg.eigh(S)
    share = -values[values < 0].sum() / (np.abs(values).sum() or 1)
    kept = np.maximum(values[::-1][:q], 0)
    return V[:, ::-1][:, :q] * np.sqrt(kept), share


def embedded(Q, q, h):
    """Procedure A-Isomap: coordinates (N, q) from dissimilarities."""
    edges = neighbour_graph(Q, h)
    component = np.isfinite(path_lengths(edges)).argmax(axis=1)
    i, j = joined(Q, component).T
    edges[i, j] = edges[j, i] = Q[i, j]
    return coordinates(path_lengths(edges) ** 2, q)[0]


def grnn(y, Y, X, width):
    """Places of new points as weighted means, and those left out."""

    def mean(points, away):
        exponent = -squared_distances(points, Y) / (2 * width**2) - away
        K = np.exp(exponent - exponent.max(axis=1, keepdims=True))
        return K @ X / K.sum(axis=1, keepdims=True)

    return mean(y, 0), mean(Y, np.diag(np.full(len(Y), np.inf)))


def kernel_ridge(y, Y, X, gamma, penalty):
    """Places of new points by kernel ridge regression, and a constant."""
    A = np.exp(-gamma * squared_distances(Y, Y)) + penalty * np.eye(len(Y))
    of_ones = np.linalg.solve(A, np.ones(len(Y)))
    constant = of_ones @ X / of_ones.sum()
    W = np.linalg.solve(A, X - constant)
    return np.exp(-gamma * squared_distances(y, Y)) @ W + constant


if __name__ == "__main__":
    random = np.random.default_rng(0)
    (Y, labels), (new, truth) = shells(200, random), shells(1000, random)
    X = embedded(label_distances(Y, labels, alpha=0.5, times=1), q=2, h=10)
    misses = lambda width: np.sum((X - grnn(new, Y, X, width)[1]) ** 2)
    width = min(np.geomspace(0.1, 2, 20), key=misses)
    gamma = len(Y) ** 2 / squared_distances(Y, Y).sum()
    maps = {"GRNN": grnn(new, Y, X, width)[0]}
    maps["kernel ridge"] = kernel_ridge(new, Y, X, gamma, penalty=1e-2)
    for name, x in maps.items():
        nearest = labels[squared_distances(x, X).argmin(axis=1)]
        print(f"{name}: {np.mean(nearest == truth):.3f} of new labels right")
