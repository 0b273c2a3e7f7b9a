"""Fresh answers to `join_components`."""
import numpy as np


def kruskal(D, component):
    label = np.array(component)
    i, j = np.triu_indices(len(D), 1)
    arcs = []
    for p in np.argsort(D[i, j], kind="stable"):
        a, b = i[p], j[p]
        if label[a] != label[b]:
            arcs.append((a, b))
            label[label == label[b]] = label[a]
    return np.array(arcs, dtype=int).reshape(-1, 2)


def smallest_again_and_again(D, component):
    now = np.array(component)
    arcs = np.zeros((len(np.unique(now)) - 1, 2), dtype=int)
    for t in range(len(arcs)):
        outside = np.where(now[:, None] != now[None, :], D, np.inf)
        i, j = np.unravel_index(np.argmin(outside), D.shape)
        arcs[t] = i, j
        now = np.where(now == now[j], now[i], now)
    return arcs


def union_find(D, component):
    parent = {int(c): int(c) for c in component}

    def root(c):
        while parent[c] != c:
            c = parent[c]
        return c

    N = len(D)
    pairs = sorted((D[i][j], i, j) for i in range(N) for j in range(i))
    arcs = np.empty((0, 2), dtype=int)
    for _, i, j in pairs:
        a, b = root(int(component[i])), root(int(component[j]))
        if a != b:
            parent[a] = b
            arcs = np.vstack([arcs, [[i, j]]])
    return arcs


def grows_from_the_first(D, component):
    inside = np.array(component) == component[0]
    arcs = []
    while not inside.all():
        here, there = np.flatnonzero(inside), np.flatnonzero(~inside)
        block = D[np.ix_(here, there)]
        a, b = np.unravel_index(block.argmin(), block.shape)
        arcs.append([here[a], there[b]])
        inside = inside | (component == component[there[b]])
    return np.array(arcs, dtype=int).reshape(-1, 2)


def closest_on_average(D, component):
    groups = [np.flatnonzero(component == c) for c in np.unique(component)]
    arcs = []
    while len(groups) > 1:
        best = None
        for a in range(len(groups)):
            for b in range(a):
                apart = D[np.ix_(groups[a], groups[b])].mean()
                if best is None or apart < best[0]:
                    best = apart, a, b
        _, a, b = best
        block = D[np.ix_(groups[a], groups[b])]
        i, j = np.unravel_index(block.argmin(), block.shape)
        arcs.append([groups[a][i], groups[b][j]])
        groups[b] = np.concatenate([groups[b], groups[a]])
        del groups[a]
    return np.array(arcs, dtype=int).reshape(-1, 2)


def list_of_members(D, component):
    C = len(set(component.tolist()))
    members = [[] for _ in range(C)]
    for n, c in enumerate(component):
        members[c].append(n)
    where = list(range(C))
    arcs = []
    N = len(D)
    for _, i, j in sorted((D[i, j], i, j) for i in range(N) for j in range(i + 1, N)):
        a, b = where[component[i]], where[component[j]]
        if a != b:
            arcs.append([i, j])
            where = [a if w == b else w for w in where]
    return np.array(arcs, dtype=int).reshape(-1, 2)


def plain_array(D, component):
    now = component.copy()
    arcs = []
    while len(np.unique(now)) > 1:
        masked = D + np.where(now[:, None] == now, np.inf, 0)
        i, j = divmod(int(masked.argmin()), len(D))
        arcs.append([i, j])
        now[now == now[i]] = now[j]
    return np.array(arcs)


def next_in_line(D, component):
    now = component.copy()
    arcs = []
    for i in np.argsort([D[n, n + 1] for n in range(len(D) - 1)]):
        if now[i] != now[i + 1]:
            arcs.append([component[i], component[i + 1]])
            now[now == now[i + 1]] = now[i]
    return np.array(arcs, dtype=int).reshape(-1, 2)


def sorted_by_index(D, component):
    label = component.copy()
    i, j = np.triu_indices(len(D), 1)
    arcs = []
    for p in np.argsort(D[i, j]):
        a, b = i[p], j[p]
        if label[a] != label[b]:
            arcs.append((int(a), int(b)))
            label[b] = label[a]
    return np.array(sorted(arcs), dtype=int).reshape(-1, 2)


RIGHT = [kruskal, smallest_again_and_again, union_find]
WRONG = [
    (grows_from_the_first, ["grows one piece from the first point's component instead of joining the two closest pieces wherever they are, so the order of the arcs is wrong"]),
    (closest_on_average, ["chooses the two components by their mean distance instead of by their closest points"]),
    (list_of_members, ["takes for granted that the components are numbered 0 to C - 1"]),
    (plain_array, ["forgot the case of a single component: returns an array of shape (0,) instead of (0, 2)"]),
    (next_in_line, ["looks only at pairs of points with consecutive indices", "returns the numbers of the components instead of the indices of the points"]),
    (sorted_by_index, ["after an arc gives the new number to one point only instead of its whole component", "returns the arcs sorted by index instead of in the order in which they were found"]),
]
