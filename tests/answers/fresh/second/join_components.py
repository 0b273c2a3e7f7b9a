"""Fresh answers to `join_components`."""
import numpy as np


def sorted_pairs(D, component):
    label = np.array(component)
    i, j = np.triu_indices(len(D), 1)
    arcs = []
    for e in np.argsort(D[i, j], kind="stable"):
        a, b = i[e], j[e]
        if label[a] != label[b]:
            arcs.append((a, b))
            label[label == label[b]] = label[a]
    return np.array(arcs, dtype=int).reshape(-1, 2)


def closest_pair_each_time(D, component):
    label = component.copy()
    arcs = np.zeros((0, 2), dtype=int)
    while len(np.unique(label)) > 1:
        different = label[:, None] != label[None, :]
        open_pairs = np.where(different, D, np.inf)
        a, b = np.unravel_index(np.argmin(open_pairs), D.shape)
        arcs = np.vstack([arcs, [a, b]])
        label = np.where(label == label[b], label[a], label)
    return arcs


def sets_of_points(D, component):
    groups = [set(np.flatnonzero(component == c).tolist()) for c in sorted(set(component.tolist()))]
    arcs = []
    while len(groups) > 1:
        best = None
        for g in range(len(groups)):
            for h in range(g + 1, len(groups)):
                for a in groups[g]:
                    for b in groups[h]:
                        if best is None or D[a, b] < best[0]:
                            best = (D[a, b], a, b, g, h)
        _, a, b, g, h = best
        arcs.append([a, b])
        groups[g] |= groups.pop(h)
    return np.array(arcs, dtype=int) if arcs else np.empty((0, 2), dtype=int)


def relabels_one_point(D, component):
    label = component.copy()
    C = len(np.unique(component))
    i, j = np.triu_indices(len(D), 1)
    order = np.argsort(D[i, j])
    arcs = []
    for a, b in zip(i[order], j[order]):
        if len(arcs) < C - 1 and label[a] != label[b]:
            arcs.append([a, b])
            label[b] = label[a]
    return np.array(arcs, dtype=int).reshape(-1, 2)


def grows_from_the_first(D, component):
    inside = component == component[0]
    arcs = []
    while not inside.all():
        ins, outs = np.flatnonzero(inside), np.flatnonzero(~inside)
        block = D[np.ix_(ins, outs)]
        a, b = np.unravel_index(block.argmin(), block.shape)
        arcs.append([ins[a], outs[b]])
        inside = inside | (component == component[outs[b]])
    return np.array(arcs, dtype=int).reshape(-1, 2)


def no_arcs_to_stack(D, component):
    label = component.copy()
    arcs = []
    while len(set(label)) > 1:
        W = np.where(label[:, None] == label, np.inf, D)
        a, b = divmod(int(W.argmin()), len(D))
        arcs.append(np.array([a, b]))
        label[label == label[b]] = label[a]
    return np.vstack(arcs)


def mean_linkage(D, component):
    label = component.copy()
    arcs = []
    while len(np.unique(label)) > 1:
        names = np.unique(label)
        pairs = [(D[np.ix_(label == g, label == h)].mean(), g, h) for g in names for h in names if g < h]
        _, g, h = min(pairs)
        G, H = np.flatnonzero(label == g), np.flatnonzero(label == h)
        a, b = np.unravel_index(D[np.ix_(G, H)].argmin(), (len(G), len(H)))
        arcs.append((G[a], H[b]))
        label[H] = g
    return np.array(arcs, dtype=int).reshape(-1, 2)


def every_component_its_neighbour(D, component):
    arcs = []
    names = np.unique(component)
    for c in names[:-1]:
        mine, others = np.flatnonzero(component == c), np.flatnonzero(component != c)
        block = D[mine][:, others]
        a, b = np.unravel_index(np.argmin(block), block.shape)
        arcs.append([mine[a] + 1, others[b] + 1])
    return np.array(arcs, dtype=int).reshape(-1, 2)


def names_of_components(D, component):
    label = np.array(component)
    W = np.array(D, dtype=float)
    W[W == 0] = np.inf
    arcs = []
    for c in range(len(np.unique(label)) - 1):
        M = np.where(label[:, None] == label[None, :], np.inf, W)
        a, b = np.unravel_index(M.argmin(), M.shape)
        arcs.append([component[a], component[b]])
        label[label == label[b]] = label[a]
    return np.array(arcs, dtype=int).reshape(-1, 2)


RIGHT = [sorted_pairs, closest_pair_each_time, sets_of_points]
WRONG = [
    (relabels_one_point, ["gives the new component to the joined point only, not to all points of its component"]),
    (grows_from_the_first, ["always extends the component of the first point, so the arcs do not come in the order of the closest pairs"]),
    (no_arcs_to_stack, ["does not think of a single component: there is nothing to stack"]),
    (mean_linkage, ["joins the components with the least mean distance instead of the closest pair of points"]),
    (every_component_its_neighbour, ["joins each component to its nearest neighbour without joining them one after the other", "counts the points from 1"]),
    (names_of_components, ["returns the numbers of the components instead of the points", "takes a distance of zero between two points for a missing one"]),
]
