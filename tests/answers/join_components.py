"""Right and wrong answers to the exercise `join_components`, as learners write them."""

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform


def to_the_letter(D, component):
    """The closest pair again and again, with all distances looked at each time."""
    label, arcs = component.copy(), []
    while len(set(label)) > 1:
        apart = np.where(label[:, None] == label, np.inf, D)
        i, j = np.unravel_index(np.argmin(apart), apart.shape)
        arcs.append([i, j])
        label[label == label[i]] = label[j]
    return np.array(arcs, dtype=int).reshape(-1, 2)


def with_parents(D, component):
    """Union and find."""
    parent = {c: c for c in component.tolist()}

    def root(c):
        while parent[c] != c:
            c = parent[c]
        return c

    arcs = []
    i, j = np.triu_indices(len(D), 1)
    for n in np.argsort(D[i, j]):
        a, b = root(int(component[i[n]])), root(int(component[j[n]]))
        if a != b:
            parent[a] = b
            arcs.append((j[n], i[n]))
    return np.array(arcs).reshape(-1, 2)


def as_floats(D, component):
    return to_the_letter(D.astype(np.float32), component).astype(float)


def by_single_linkage(D, component):
    """Distances within a component are below all others; then a dendrogram has the merges."""
    same = component[:, None] == component
    apart = np.where(same, 0.0, 1.0 + D)
    heights = linkage(squareform(apart, checks=False), "single")[:, 2]
    arcs, label = [], component.copy()
    for height in heights[heights > 0]:
        for i, j in np.argwhere(np.isclose(apart, height, rtol=1e-9)):
            if label[i] != label[j]:
                arcs.append((i, j))
                label[label == label[j]] = label[i]
                break
    return np.array(arcs, dtype=int).reshape(-1, 2)


RIGHT = [to_the_letter, with_parents, as_floats, by_single_linkage]


def closest_of(D, component, a, b):
    rows, columns = np.flatnonzero(component == a), np.flatnonzero(component == b)
    part = D[np.ix_(rows, columns)]
    i, j = np.unravel_index(part.argmin(), part.shape)
    return part.min(), int(rows[i]), int(columns[j])


def every_pair(D, component):
    C = component.max() + 1
    found = sorted(closest_of(D, component, a, b) for a in range(C) for b in range(a))
    return np.array([arc for _, *arc in found], dtype=int).reshape(-1, 2)


def shortest_pairs(D, component):
    return every_pair(D, component)[: component.max()]


def along_the_numbers(D, component):
    C = component.max() + 1
    found = [closest_of(D, component, c, c + 1)[1:] for c in range(C - 1)]
    return np.array(found, dtype=int).reshape(-1, 2)


def to_zero(D, component):
    found = sorted(closest_of(D, component, 0, c) for c in range(1, component.max() + 1))
    return np.array([arc for _, *arc in found], dtype=int).reshape(-1, 2)


def nearest_once(D, component):
    C, found = component.max() + 1, set()
    for a in range(C):
        others = [closest_of(D, component, min(a, b), max(a, b)) for b in range(C) if b != a]
        found |= {min(others)} if others else set()
    return np.array([arc for _, *arc in sorted(found)], dtype=int).reshape(-1, 2)


def flat(D, component):
    return to_the_letter(D, component).ravel()


def in_place(D, component):
    arcs = []
    for _ in range(len(np.unique(component)) - 1):
        apart = np.where(component[:, None] == component, np.inf, D)
        i, j = np.unravel_index(np.argmin(apart), apart.shape)
        arcs.append((i, j))
        component[component == component[i]] = component[j]
    return np.array(arcs, dtype=int).reshape(-1, 2)


WRONG = [
    ("all_pairs", every_pair),
    ("cycles_allowed", shortest_pairs),
    ("order_of_labels", along_the_numbers),
    ("all_to_the_first", to_zero),
    ("each_to_its_nearest", nearest_once),
    ("shape", flat),
    ("changes_input", in_place),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    without_merging one_point_of_pairs_apart farthest by_means longest_first components_named
    first_arc_only grown_from_one
""".split()
