"""Fresh answers to `join_components`."""
import numpy as np


def sorted_pairs(D, component):
    label = np.array(component)
    rows, columns = np.triu_indices(len(D), 1)
    arcs = []
    for k in np.argsort(D[rows, columns], kind="stable"):
        i, j = rows[k], columns[k]
        if label[i] != label[j]:
            arcs.append((i, j))
            label[label == label[j]] = label[i]
    return np.array(arcs, dtype=int).reshape(-1, 2)


def smallest_again_and_again(D, component):
    label = list(component)
    arcs = np.zeros((0, 2), dtype=int)
    while len(set(label)) > 1:
        a = np.array(label)
        forbidden = a[:, None] == a[None, :]
        i, j = np.unravel_index(np.argmin(np.where(forbidden, np.inf, D)), D.shape)
        arcs = np.vstack([arcs, [i, j]])
        old = label[j]
        label = [label[i] if c == old else c for c in label]
    return arcs


def union_find(D, component):
    parent = {c: c for c in np.unique(component).tolist()}

    def root(c):
        return c if parent[c] == c else root(parent[c])

    N = len(component)
    pairs = sorted((D[i, j], i, j) for i in range(N) for j in range(i))
    arcs = []
    for _, i, j in pairs:
        a, b = root(int(component[i])), root(int(component[j]))
        if a != b:
            parent[a] = b
            arcs.append([i, j])
    return np.array(arcs).reshape(len(arcs), 2).astype(int)


def only_the_end_point_moves(D, component):
    c = component.copy()
    arcs = []
    C = len(np.unique(component))
    order = np.dstack(np.unravel_index(np.argsort(D, axis=None), D.shape))[0]
    for i, j in order:
        if len(arcs) == C - 1:
            break
        if c[i] != c[j]:
            arcs.append([i, j])
            c[j] = c[i]
    return np.array(arcs, dtype=int).reshape(-1, 2)


def callers_labels_change(D, component):
    arcs = []
    N = len(D)
    while len(np.unique(component)) > 1:
        best, pair = np.inf, None
        for i in range(N):
            for j in range(i + 1, N):
                if component[i] != component[j] and D[i, j] < best:
                    best, pair = D[i, j], (i, j)
        arcs.append(pair)
        component[component == component[pair[1]]] = component[pair[0]]
    return np.array(arcs, dtype=int).reshape(-1, 2)


def labels_as_indices(D, component):
    C = len(np.unique(component))
    group = list(range(C))
    arcs = []
    i, j = np.triu_indices(len(D), 1)
    for k in np.argsort(D[i, j]):
        a, b = group[component[i[k]]], group[component[j[k]]]
        if a != b:
            arcs.append([i[k], j[k]])
            group = [a if g == b else g for g in group]
    return np.array(arcs, dtype=int).reshape(-1, 2)


def nothing_to_join(D, component):
    label = np.array(component)
    arcs = []
    while len(np.unique(label)) > 1:
        masked = np.where(label[:, None] != label[None, :], D, np.inf)
        i, j = np.unravel_index(masked.argmin(), D.shape)
        arcs.append([i, j])
        label[label == label[i]] = label[j]
    return np.array(arcs)


def every_component_for_itself(D, component):
    arcs = []
    for c in np.unique(component)[1:]:
        inside, outside = np.flatnonzero(component == c), np.flatnonzero(component != c)
        part = D[np.ix_(inside, outside)]
        a, b = np.unravel_index(part.argmin(), part.shape)
        arcs.append([inside[a], outside[b]])
    return np.array(arcs, dtype=int).reshape(-1, 2)


def farthest_points_and_component_numbers(D, component):
    groups = {int(c): list(np.flatnonzero(component == c)) for c in np.unique(component)}
    arcs = []
    while len(groups) > 1:
        names = list(groups)
        pairs = [(a, b) for a in names for b in names if a < b]
        a, b = min(pairs, key=lambda p: D[np.ix_(groups[p[0]], groups[p[1]])].max())
        arcs.append([a, b])
        groups[a] += groups.pop(b)
    return np.array(arcs, dtype=int).reshape(-1, 2)


RIGHT = [sorted_pairs, smallest_again_and_again, union_find]
WRONG = [
    (only_the_end_point_moves, ["after an arc only the end point gets the new label, not its whole component"]),
    (callers_labels_change, ["overwrites the component numbers of the caller"]),
    (labels_as_indices, ["uses the component numbers as indices, as if they were 0 ... C-1"]),
    (nothing_to_join, ["returns an array of shape (0,) instead of (0, 2) if there is only one component"]),
    (every_component_for_itself, ["does not merge components: every one takes its own nearest point outside", "returns the arcs in the order of the component numbers instead of the order of distances"]),
    (farthest_points_and_component_numbers, ["measures the distance of two components by their farthest points instead of their closest", "returns component numbers instead of indices of points"]),
]
