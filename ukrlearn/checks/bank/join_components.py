"""The arcs that join the components of a graph: the closest two again and again."""

import numpy as np

from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise

SIZES = ((9, 4), (11, 5), (8, 2))  # N, C
ON_A_LINE = (  # four points and their components: with more, D is too large to be shown
    ("three near points and one far", [0, 1, 3, 20], [2, 0, 3, 1]),
    ("two pairs on a line", [0, 2, 10, 11], [0, 1, 2, 3]),
    ("two pairs, numbered from right to left", [11, 9, 1, 0], [0, 1, 2, 3]),
    ("two points of one component in the middle", [0, 1, 3, 7], [1, 0, 0, 2]),
    ("one component with a distant point", [0, 5, 8, 30], [1, 0, 2, 0]),
    ("connected already", [0, 2, 3, 7], [0, 0, 0, 0]),
    ("components with the numbers 7, -2 and 3", [0, 1, 4, 9], [7, -2, -2, 3]),
)


def reference(D, component):
    return KRUSKAL()(D, component)


def comparable(name, array):
    """Arcs without regard to which end comes first."""
    return np.sort(array, axis=1) if array.ndim == 2 else array


def trials(seed):
    """Arcs must have no rivals: so no two distances between components are equal.

    D and the labels have no origin, and a row of zeros in D would mean that all points are equal;
    equal points stand in one component, or are the only ones of two. No two pairs have the same
    distance at all: who sorts them in another way still has one order.
    """
    random = np.random.default_rng(seed)
    line = np.array([0.0, 1.0, 4.0 + random.integers(2), 11.0 + random.integers(2)])
    on_line = dict(D=_on_line(line), component=np.array([0, 0, 1, 2]))
    made = [Trial("four points on a line, three components", on_line)]
    for N, C in SIZES:
        for number in range(2):
            made.append(Trial(f"N = {N}, {C} components, {number + 1}", _islands(random, N, C)))
    made.append(Trial("two of three components far away", _two_near_two(random)))
    touching = _islands(random, 9, 3)
    first, second = (np.flatnonzero(touching["component"] == c)[0] for c in (0, 2))
    touching["D"][first, second] = touching["D"][second, first] = 0.0
    made.append(Trial("nine points, two components with one in common", touching))
    named = dict(touching, component=np.array([40, -7, 3])[touching["component"]])
    made.append(Trial("components with the numbers 40, -7 and 3", named))
    for label, places, component in ON_A_LINE:
        D = _on_line(np.array(places, dtype=float))
        made.append(Trial(label, dict(D=D, component=np.array(component))))
    common = _on_line(np.array([0.0, 1, 4, 6]))
    common[:2, :2] = 0.0  # as if they were one point, but no other distances are equal
    label = "two components with a point in common"
    return [*made, Trial(label, dict(D=common, component=np.array([0, 1, 1, 2])))]


def _on_line(places):
    return np.abs(places[:, None] - places)


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


def pairs(distances):
    """the pairs of points in the order of their distances"""
    i, j = np.triu_indices(len(distances), 1)
    order = np.argsort(distances[i, j], kind="stable")
    return np.stack([i[order], j[order]], axis=1)


def found(pairs, component):
    """the search for arcs among the pairs, in which components become one"""
    label, arcs = np.array(component), []
    for i, j in pairs:
        a, b = sorted((label[i], label[j]))
        if a < b:
            arcs.append((i, j, a, b))
            label[label == b] = a
    return arcs


KRUSKAL = pipeline(
    "D component",
    distances=lambda D: D,
    pairs=pairs,
    found=found,
    arcs=lambda found: np.array([arc[:2] for arc in found], dtype=int).reshape(-1, 2),
)


# Mistakes in the search


def _keeping_the_label_of(end):
    """The same search, with another of the two labels kept."""

    def found(pairs, component):
        label, arcs = np.array(component), []
        for pair in pairs:
            i, j = pair
            if label[i] != label[j]:
                arcs.append((i, j, label[i], label[j]))
                label[label == label[pair[1 - end]]] = label[pair[end]]
        return arcs

    return found


def _labels_as_numbers(table):
    """Labels are looked up in a table of C entries."""

    def found(pairs, component):
        group, arcs = table(len(np.unique(component))), []
        for i, j in pairs:
            a, b = group[component[i]], group[component[j]]
            if a != b:
                arcs.append((i, j))
                for c in range(len(group)):
                    group[c] = a if group[c] == b else group[c]
        return arcs

    return found


def _of_single_points(pairs):
    return found(pairs, np.arange(pairs.max() + 1))


def _one_point(first_changes, again, enough, first=False):
    """One end alone gets the new label.

    `first` looks only at pairs that were apart at first; `again` looks through all pairs from the
    first one for each arc; `enough` tells from labels and the number of arcs that are still due
    when to stop.
    """

    def found(pairs, component):
        label, arcs, number = np.array(component), [], 0
        pairs = _apart(pairs, component) if first else pairs
        due = _due(component)
        while number < len(pairs) and len(arcs) < 2 * len(pairs):
            if enough(label, due - len(arcs)):
                break
            i, j = pairs[number]
            number += 1
            if label[i] != label[j]:
                arcs.append((i, j))
                label[i if first_changes else j] = label[j if first_changes else i]
                number = 0 if again else number
        return arcs

    return KRUSKAL(found=found)


def _never(label, due):
    return False


def _no_arc_due(label, due):
    return due == 0


def _one_label(label, due):
    return len(np.unique(label)) == 1


ONE_POINT = {  # the loops in which learners do it
    "one_point_relabelled": _one_point(False, False, _never),
    "one_point_of_pairs_apart": _one_point(False, False, _never, first=True),
    "other_point_of_pairs_apart": _one_point(True, False, _never, first=True),
    "other_point_relabelled": _one_point(True, False, _never),
    "one_point_relabelled_counted": _one_point(False, False, _no_arc_due),
    "other_point_relabelled_counted": _one_point(True, False, _no_arc_due),
    "one_point_relabelled_each_time": _one_point(False, True, _one_label),
    "other_point_relabelled_each_time": _one_point(True, True, _one_label),
    "one_point_relabelled_some_times": _one_point(False, True, _no_arc_due),
    "other_point_relabelled_some_times": _one_point(True, True, _no_arc_due),
}


def _apart(pairs, component):
    """The pairs of points of different components."""
    return [(i, j) for i, j in pairs if component[i] != component[j]]


def _closest(pairs, component):
    """For each pair of components {a, b} its closest pair of points, in ascending order."""
    best = {}
    for i, j in _apart(pairs, component):
        best.setdefault(frozenset((int(component[i]), int(component[j]))), (i, j))
    return best


def _all_pairs(pairs, component):
    return list(_closest(pairs, component).values())


def _due(component):
    return len(np.unique(component)) - 1


def _first_of_all_pairs(pairs, component):
    return _all_pairs(pairs, component)[: _due(component)]


def _without_merging(pairs, component):
    return _apart(pairs, component)[: _due(component)]


def _by_first_labels(pairs, component):
    label, arcs = np.array(component), []
    for i, j in pairs:
        if label[i] != label[j]:
            arcs.append((i, j))
            label[label == component[j]] = component[i]
    return arcs


def _chained(pairs, component):
    """From each component to the nearest of those that are still to come, beginning with 0."""
    here, left, arcs = component.min(), set(component.tolist()), []
    left.remove(here)
    while left:
        i, j = next(
            (i, j)
            for i, j in pairs
            if (component[i] == here and component[j] in left)
            or (component[j] == here and component[i] in left)
        )
        arcs.append((i, j))
        here = component[j] if component[i] == here else component[i]
        left.remove(here)
    return arcs


def _within(pairs, component):
    return [(i, j) for i, j in pairs if component[i] == component[j]]


def _in_order_of_labels(pairs, component):
    best, labels = _closest(pairs, component), np.unique(component).tolist()
    return [best[frozenset(both)] for both in zip(labels[:-1], labels[1:], strict=True)]


def _to_the_first(pairs, component):
    best, first = _closest(pairs, component), component.min()
    return [arc for both, arc in best.items() if first in both]


def _to_the_first_in_turn(pairs, component):
    best, labels = _closest(pairs, component), np.unique(component).tolist()
    return [best[frozenset((labels[0], label))] for label in labels[1:]]


def _to_that_of_point_0(pairs, component):
    best = _closest(pairs, component)
    return [arc for both, arc in best.items() if component[0] in both]


def _each_to_its_nearest(twice=True, last=True):
    """For each component the closest pair: a set in ascending order, or by component."""

    def found(pairs, component):
        labels = np.unique(component).tolist()
        apart = _apart(pairs, component)
        arcs = [
            next((i, j) for i, j in apart if label in (component[i], component[j]))
            for label in (labels if last else labels[:-1])
            if len(labels) > 1
        ]
        if twice:
            return arcs
        chosen = {(int(i), int(j)) for i, j in arcs}
        return [(i, j) for i, j in apart if (int(i), int(j)) in chosen]

    return found


def _grown_from(seed):
    """Prim's way: the same arcs in another order."""

    def found(pairs, component):
        inside, arcs = {component[seed(component)]}, []
        while len(inside) < len(np.unique(component)):
            i, j = next(
                (i, j) for i, j in pairs if (component[i] in inside) != (component[j] in inside)
            )
            inside |= {component[i], component[j]}
            arcs.append((i, j))
        return arcs

    return found


def _by(measure, arc):
    """Which two are merged is decided by another measure of their distances; `arc` joins them."""

    def found(distances, component):
        label, arcs = np.array(component), []
        while len(names := np.unique(label)) > 1:
            a, b = min(
                ((a, b) for n, a in enumerate(names) for b in names[n + 1 :]),
                key=lambda both: measure(distances[np.ix_(label == both[0], label == both[1])]),
            )
            A, B = np.flatnonzero(label == a), np.flatnonzero(label == b)
            between = distances[np.ix_(A, B)]
            i, j = np.unravel_index(arc(between), between.shape)
            arcs.append((A[i], B[j], a, b))
            label[label == b] = a
        return arcs

    return found


def _by_rank(pairs, arcs):
    """Arcs in the order of the pairs."""
    rank = {tuple(pair): n for n, pair in enumerate(pairs)}
    return sorted(arcs, key=lambda arc: rank[tuple(arc)])


# Mistakes in the arcs that are returned


def _labels_then(found):
    """The labels that the two ends of an arc had before they were merged."""
    return np.array([arc[2:] for arc in found], dtype=int).reshape(-1, 2)


def _ends(found):
    return [arc[:2] for arc in found]


def _sorted_without_arcs(distances, found):
    arcs = np.array(_ends(found), dtype=int)
    return arcs[np.argsort(distances[arcs[:, 0], arcs[:, 1]])]


NOTHING_TO_JOIN = {  # what is done with an empty list
    "single_component_indexed": _sorted_without_arcs,
    "single_component_concatenated": lambda found: np.vstack(_ends(found)),
    "single_component_stacked": lambda found: np.stack(_ends(found)),
    "single_component_shape": lambda found: np.array(_ends(found)),
}


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


MISTAKES = (
    KRUSKAL.mistake("all_pairs", found=_all_pairs),
    KRUSKAL.mistake("every_pair_of_points", found=_apart),
    KRUSKAL.mistake("cycles_allowed", found=_first_of_all_pairs),
    KRUSKAL.mistake("without_merging", found=_without_merging),
    KRUSKAL.mistake("within_components", found=_within),
    *(Misconception(id_, mistaken=mistaken) for id_, mistaken in ONE_POINT.items()),
    KRUSKAL.mistake("relabelled_by_component", found=_by_first_labels),
    KRUSKAL.mistake("order_of_labels", found=_in_order_of_labels),
    KRUSKAL.mistake(
        "order_of_labels_sorted",
        found=lambda pairs, component: _by_rank(pairs, _in_order_of_labels(pairs, component)),
    ),
    KRUSKAL.mistake("all_to_the_first", found=_to_the_first),
    KRUSKAL.mistake("all_to_the_first_in_turn", found=_to_the_first_in_turn),
    KRUSKAL.mistake("chained", found=_chained),
    KRUSKAL.mistake("all_to_that_of_point_0", found=_to_that_of_point_0),
    KRUSKAL.mistake("each_to_its_nearest", found=_each_to_its_nearest(twice=False)),
    KRUSKAL.mistake("each_to_its_nearest_in_turn", found=_each_to_its_nearest()),
    KRUSKAL.mistake("each_but_the_last_to_its_nearest", found=_each_to_its_nearest(last=False)),
    KRUSKAL.mistake("farthest", pairs=lambda distances: pairs(-distances)),
    KRUSKAL.mistake("by_means", found=_by(np.mean, np.argmin)),
    KRUSKAL.mistake(
        "first_points_joined", found=_by(lambda between: between[0, 0], lambda between: 0)
    ),
    KRUSKAL.mistake("by_farthest", found=_by(np.max, np.argmin)),
    KRUSKAL.mistake("farthest_joined", found=_by(np.max, np.argmax)),
    KRUSKAL.mistake("grown_from_one", found=_grown_from(np.argmin)),
    KRUSKAL.mistake("grown_from_point_0", found=_grown_from(lambda component: 0)),
    *KRUSKAL.mistakes(
        "arcs",
        longest_first=lambda found: KRUSKAL.arcs(found)[::-1],
        in_order_of_points=lambda found: KRUSKAL.arcs(
            sorted(tuple(sorted(map(int, arc))) for arc in found)
        ),
        components_named=lambda found, component: component[KRUSKAL.arcs(found)],
        components_named_when_joined=_labels_then,
        counted_from_one=lambda found: KRUSKAL.arcs(found) + 1,
        both_directions=lambda found: np.repeat(KRUSKAL.arcs(found), 2, axis=0),
        last_arc_missing=lambda found: KRUSKAL.arcs(found[:-1]),
        first_arc_only=lambda found: KRUSKAL.arcs(found[:1]),
    ),
    *(
        KRUSKAL.mistake(
            f"components_named_when_joined_{end}",
            found=_keeping_the_label_of(end),
            arcs=_labels_then,
        )
        for end in (0, 1)
    ),
    KRUSKAL.mistake("components_ignored", found=_of_single_points),
    KRUSKAL.mistake("labels_as_indices", found=_labels_as_numbers(lambda C: list(range(C)))),
    KRUSKAL.mistake("labels_as_indices_of_array", found=_labels_as_numbers(np.arange)),
    KRUSKAL.mistake("zero_passed_over", distances=lambda D: np.where(D == 0, np.inf, D)),
    *(KRUSKAL.mistake(id_, arcs=mistaken) for id_, mistaken in NOTHING_TO_JOIN.items()),
)


EXERCISE = exercise(
    "join_components",
    lesson="28_pieces_and_rings",
    equations="[SI] 2.1, step 2",
    minutes=20,
    shapes={"D": "N N", "component": "N"},
    returns={"arcs": "C-1 2"},
    trials=trials,
    reference=reference,
    stages=KRUSKAL,
    comparable=comparable,
    properties=(
        Property("number_of_arcs", holds=_right_number),
        Property("not_connected", holds=_connects),
        Property("not_ascending", holds=_ascending),
    ),
    misconceptions=MISTAKES,
)
