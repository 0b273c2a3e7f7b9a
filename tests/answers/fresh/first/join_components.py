"""Fresh answers to `join_components`."""
import numpy as np


def sorted_pairs(D, component):
    c = np.array(component)
    i, j = np.triu_indices(len(D), 1)
    arcs = []
    for n in np.argsort(D[i, j], kind="stable"):
        a, b = i[n], j[n]
        if c[a] != c[b]:
            arcs.append((a, b))
            c[c == c[b]] = c[a]
    return np.array(arcs, dtype=int).reshape(-1, 2)


def smallest_again_and_again(D, component):
    c = component.copy()
    count = len(np.unique(c)) - 1
    arcs = np.zeros((count, 2), dtype=int)
    for n in range(count):
        foreign = np.where(c[:, None] != c[None, :], D, np.inf)
        a, b = np.unravel_index(np.argmin(foreign), D.shape)
        arcs[n] = a, b
        c = np.where(c == c[b], c[a], c)
    return arcs


def forest_of_parents(D, component):
    parent = {int(name): int(name) for name in component}

    def root(name):
        return name if parent[name] == name else root(parent[name])

    N = len(component)
    pairs = sorted((float(D[i, j]), i, j) for i in range(N) for j in range(i))
    arcs = np.empty((0, 2), dtype=int)
    for _, i, j in pairs:
        r, s = root(int(component[i])), root(int(component[j]))
        if r != s:
            parent[r] = s
            arcs = np.vstack([arcs, [i, j]])
    return arcs


def renames_the_callers(D, component):
    arcs = []
    i, j = np.triu_indices(len(D), 1)
    order = np.argsort(D[i, j])
    for a, b in zip(i[order], j[order]):
        if component[a] != component[b]:
            arcs.append([a, b])
            component[component == component[b]] = component[a]
    return np.array(arcs, dtype=int).reshape(-1, 2)


def renames_one_point(D, component):
    c = component.copy()
    arcs = []
    N = len(D)
    pairs = sorted([(D[i, j], i, j) for i in range(N) for j in range(i + 1, N)])
    for d, i, j in pairs:
        if c[i] != c[j]:
            arcs.append([i, j])
            c[j] = c[i]
    return np.array(arcs, dtype=int).reshape(-1, 2)


def along_the_numbers(D, component):
    names = np.unique(component)
    arcs = np.zeros((len(names) - 1, 2), dtype=int)
    for n in range(len(names) - 1):
        a = np.flatnonzero(component == names[n])
        b = np.flatnonzero(component == names[n + 1])
        i, j = np.unravel_index(D[np.ix_(a, b)].argmin(), (len(a), len(b)))
        arcs[n] = a[i], b[j]
    lengths = D[arcs[:, 0], arcs[:, 1]]
    return arcs[np.argsort(lengths)]


def sorted_at_the_end(D, component):
    c = component.copy()
    arcs = []
    while len(set(c.tolist())) > 1:
        E = D.copy()
        E[c[:, None] == c] = np.inf
        a, b = np.unravel_index(E.argmin(), E.shape)
        arcs.append([a, b])
        c[c == c[a]] = c[b]
    arcs = np.array(arcs)
    return arcs[np.argsort(D[arcs[:, 0], arcs[:, 1]])]


def complete_linkage(D, component):
    arcs = []
    while len(np.unique(component)) > 1:
        best = None
        for a in np.unique(component):
            for b in np.unique(component):
                if a < b:
                    i, j = np.flatnonzero(component == a), np.flatnonzero(component == b)
                    block = D[np.ix_(i, j)]
                    r, s = np.unravel_index(block.argmax(), block.shape)
                    if best is None or block[r, s] < best[0]:
                        best = block[r, s], i[r], j[s], a, b
        arcs.append(best[1:3])
        component[component == best[4]] = best[3]
    return np.array(arcs, dtype=int).reshape(-1, 2)


def nearest_of_each(D, component):
    names = np.unique(component)
    arcs = []
    for a in names:
        inside = np.flatnonzero(component == a)
        outside = np.flatnonzero(component != a)
        if len(outside):
            block = D[np.ix_(inside, outside)]
            i, j = np.unravel_index(block.argmin(), block.shape)
            arcs.append((component[inside[i]], component[outside[j]]))
    return np.array(arcs[: len(names) - 1], dtype=int).reshape(-1, 2)


RIGHT = [sorted_pairs, smallest_again_and_again, forest_of_parents]
WRONG = [
    (renames_the_callers, ["changes the caller's array `component`"]),
    (renames_one_point, ["after an arc only the joined point gets the new number, not its whole component"]),
    (along_the_numbers, ["joins each component to the one with the next number instead of to the closest"]),
    (sorted_at_the_end, ["forgot the case of a single component: an empty list of arcs cannot be indexed with two indices"]),
    (complete_linkage, ["takes the greatest distance between two components, not the smallest, as their distance", "changes the caller's array `component`"]),
    (nearest_of_each, ["joins each component once to its nearest neighbour, without merging", "returns the numbers of the components instead of the points"]),
]
