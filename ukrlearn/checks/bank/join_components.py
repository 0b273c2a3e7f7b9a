"""The arcs that join the components of a graph: the closest two again and again."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial

SIZES = ((9, 4), (11, 5), (8, 2))  # N, C


def reference(D, component):
    return _merged(D, component)


def comparable(name, array):
    """Arcs without regard to which end comes first."""
    return np.sort(array, axis=1) if array.ndim == 2 else array


def trials(seed):
    random = np.random.default_rng(seed)
    line = np.array([0.0, 1.0, 4.0 + random.integers(2), 11.0 + random.integers(2)])
    on_line = dict(D=np.abs(line[:, None] - line), component=np.array([0, 0, 1, 2]))
    made = [Trial("four points on a line, three components", on_line)]
    for N, C in SIZES:
        for number in range(2):
            made.append(Trial(f"N = {N}, {C} components, {number + 1}", _islands(random, N, C)))
    made.append(Trial("two of three components far away", _two_near_two(random)))
    touching = _islands(random, 9, 3)
    first, second = (np.flatnonzero(touching["component"] == c)[0] for c in (0, 2))
    touching["D"][first, second] = touching["D"][second, first] = 0.0
    made.append(Trial("two components with a point in common", touching))
    whole = dict(D=_distances(random.normal(size=(5, 2))), component=np.zeros(5, dtype=int))
    made.append(Trial("connected already", whole))
    return made


def _distances(Y):
    return np.sqrt(np.sum((Y[:, None] - Y) ** 2, axis=2))


def _islands(random, N, C):
    """Points in groups, numbered at random; every component has a member."""
    component = random.permutation(np.concatenate([np.arange(C), random.integers(C, size=N - C)]))
    centres = 6 * random.normal(size=(C, 2))
    return dict(D=_distances(centres[component] + random.normal(size=(N, 2))), component=component)


def _two_near_two(random):
    """Components 0, 1, 2 near each other, 3 far away: the shortest three arcs form a cycle."""
    corners = np.array([[0.0, 0], [4, 0], [2, 3.4], [25, 1]])
    component = np.repeat([2, 0, 3, 1], [2, 3, 2, 3])
    Y = corners[component] + 0.4 * random.normal(size=(10, 2))
    return dict(D=_distances(Y), component=component)


def _pairs(D, component):
    """(distance, i, j) of all pairs of points in different components, closest first."""
    i, j = np.triu_indices(len(D), 1)
    apart = component[i] != component[j]
    i, j = i[apart], j[apart]
    order = np.argsort(D[i, j], kind="stable")
    return [(D[i[n], j[n]], int(i[n]), int(j[n])) for n in order]


def _as_arcs(found):
    return np.array(found, dtype=int).reshape(-1, 2)


def _merged(D, component, whole=True, farthest=False, skip_zero=False):
    """Kruskal's way: pairs in order; those within what is already joined are passed over."""
    label, arcs = np.array(component), []
    pairs = _pairs(D, component)
    for distance, i, j in pairs[::-1] if farthest else pairs:
        if label[i] == label[j] or (skip_zero and distance == 0):
            continue
        arcs.append((i, j))
        if whole:
            label[label == label[j]] = label[i]
        else:
            label[j] = label[i]
    return _as_arcs(arcs)


def _closest(D, component):
    """For each pair of components (a, b), a < b, its closest pair of points."""
    best = {}
    for distance, i, j in _pairs(D, component):
        key = tuple(sorted((int(component[i]), int(component[j]))))
        best.setdefault(key, (distance, i, j))
    return best


def _all_pairs(D, component):
    return _as_arcs([(i, j) for _, i, j in sorted(_closest(D, component).values())])


def _cycles_allowed(D, component):
    return _all_pairs(D, component)[: len(np.unique(component)) - 1]


def _without_merging(D, component):
    found = _pairs(D, component)[: len(np.unique(component)) - 1]
    return _as_arcs([(i, j) for _, i, j in found])


def _in_order_of_labels(D, component):
    best, labels = _closest(D, component), np.unique(component)
    found = [
        best[tuple(pair)] for pair in zip(labels[:-1].tolist(), labels[1:].tolist(), strict=True)
    ]
    return _as_arcs([(i, j) for _, i, j in found])


def _all_to_the_first(D, component):
    best, labels = _closest(D, component), np.unique(component).tolist()
    found = sorted(best[labels[0], label] for label in labels[1:])
    return _as_arcs([(i, j) for _, i, j in found])


def _each_to_its_nearest(D, component):
    best, found = _closest(D, component), set()
    labels = np.unique(component).tolist()
    for label in labels if len(labels) > 1 else []:
        found.add(min(value for pair, value in best.items() if label in pair))
    return _as_arcs([(i, j) for _, i, j in sorted(found)])


def _grown_from_one(D, component):
    """Prim's way: the same arcs in another order."""
    labels = np.unique(component).tolist()
    inside, arcs = {labels[0]}, []
    while len(inside) < len(labels):
        _, i, j = next(
            p
            for p in _pairs(D, component)
            if (component[p[1]] in inside) != (component[p[2]] in inside)
        )
        inside |= {int(component[i]), int(component[j])}
        arcs.append((i, j))
    return _as_arcs(arcs)


def _components_named(D, component):
    return np.asarray(component)[_merged(D, component)].reshape(-1, 2)


def _by_means(D, component):
    """Which components are merged is decided by mean distances."""
    label, arcs = np.array(component), []
    while len(names := np.unique(label)) > 1:
        pairs = [(a, b) for n, a in enumerate(names) for b in names[n + 1 :]]
        a, b = min(pairs, key=lambda p: D[np.ix_(label == p[0], label == p[1])].mean())
        arcs.append(next((i, j) for _, i, j in _pairs(D, label) if {label[i], label[j]} == {a, b}))
        label[label == b] = a
    return _as_arcs(arcs)


def _right_number(arcs, D, component):
    return len(arcs) == len(np.unique(component)) - 1


def _connects(arcs, D, component):
    label = np.array(component)
    for i, j in np.asarray(arcs).astype(int):
        label[label == label[j]] = label[i]
    return len(np.unique(label)) == 1


def _ascending(arcs, D, component):
    lengths = [D[i, j] for i, j in np.asarray(arcs).astype(int)]
    return bool(np.all(np.diff(lengths) >= 0))


EXERCISE = Exercise(
    name="join_components",
    title="Arcs that join components",
    lesson="28_pieces_and_rings",
    equations="[SI] 2.1, step 2",
    minutes=20,
    shapes={"D": "N N", "component": "N"},
    returns={"arcs": "C-1 2"},
    trials=trials,
    reference=reference,
    comparable=comparable,
    properties=(
        Property(
            "number_of_arcs",
            "There is one arc fewer than there are components.",
            "The number of arcs is wrong. Each arc merges two components into one, so from C components to a single one it takes C - 1.",
            _right_number,
        ),
        Property(
            "not_connected",
            "The arcs connect everything.",
            "Your arcs leave the graph in pieces. After an arc, *all* points of both components belong together; arcs between "
            "them are then of no use.",
            _connects,
        ),
        Property(
            "not_ascending",
            "Arcs come in the order of their lengths.",
            "Your arcs are not in the order of their lengths. If the two closest components are merged each time, no later arc is shorter.",
            _ascending,
        ),
    ),
    misconceptions=(
        Misconception(
            "all_pairs",
            "You join every two components, as scikit-learn does. The paper merges: once two components "
            "are joined, they are one, and only C - 1 arcs are needed.",
            _all_pairs,
        ),
        Misconception(
            "cycles_allowed",
            "You take the C - 1 closest *pairs of components*. Three components near each other then use three "
            "arcs, and a distant one stays alone. Merge after each arc.",
            _cycles_allowed,
        ),
        Misconception(
            "without_merging",
            "You take the C - 1 closest pairs of points in different components, and may join the same two "
            "components twice. Merge them after each arc.",
            _without_merging,
        ),
        Misconception(
            "one_point_relabelled",
            "After an arc you give the new label to one end only. All points of its component belong to the "
            "merged one: `label[label == label[j]] = label[i]`.",
            lambda D, component: _merged(D, component, whole=False),
        ),
        Misconception(
            "order_of_labels",
            "You join component 0 with 1, 1 with 2, and so on. The numbers of components mean nothing; "
            "distances decide.",
            _in_order_of_labels,
        ),
        Misconception(
            "all_to_the_first",
            "You join every component with the first one. Each should be joined to whatever is closest.",
            _all_to_the_first,
        ),
        Misconception(
            "each_to_its_nearest",
            "You join each component with its nearest one, once. Two pairs that are near each other then stay apart: "
            "go on until one component is left.",
            _each_to_its_nearest,
        ),
        Misconception(
            "farthest",
            "You join the farthest points. Take the smallest distance, not the greatest.",
            lambda D, component: _merged(D, component, farthest=True),
        ),
        Misconception(
            "by_means",
            "You compare components by their mean distance. The paper's distance of two components is that of their closest points.",
            _by_means,
        ),
        Misconception(
            "grown_from_one",
            "Your arcs are right, but in another order: you let one component grow (Prim's method). The paper merges the "
            "two closest of *all* components, so the shortest arc comes first.",
            _grown_from_one,
        ),
        Misconception(
            "longest_first",
            "Your arcs are right but in reverse: the shortest comes first.",
            lambda D, component: _merged(D, component)[::-1],
        ),
        Misconception(
            "components_named",
            "You return numbers of components. An arc joins two *points*: return their indices.",
            _components_named,
        ),
        Misconception(
            "zero_passed_over",
            "You pass over distances of zero. Points of different components may be in the same place, and the arc between them has "
            "length 0.",
            lambda D, component: _merged(D, component, skip_zero=True),
        ),
    ),
    hints=(
        "There are C components. How many are left after the first arc? So how many arcs will there be?",
        "Go through all pairs of points, the closest first. Skip a pair if both have the same label. Otherwise it is an arc, and the "
        "two components get the same label.",
        "Begin with label = component.copy(); i, j = np.triu_indices(len(D), 1); for n in np.argsort(D[i, j]): if the labels of i[n] and j[n] "
        "differ, append the pair, and set label[label == label[j[n]]] = label[i[n]]. Return np.array(arcs, dtype=int).reshape(-1, 2).",
    ),
)
