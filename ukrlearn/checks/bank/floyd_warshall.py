"""The lengths of all shortest paths, by asking for each point whether the way through it helps."""

import numpy as np

from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.stages import staged
from ukrlearn.checks.texts import exercise

SIZES = (6, 9)


def reference(edges):
    G = np.array(edges, dtype=float)
    np.fill_diagonal(G, 0)
    for k in range(len(G)):
        G = np.minimum(G, G[:, [k]] + G[[k]])
    return G


def trials(seed):
    random = np.random.default_rng(seed)
    none = np.inf
    four = np.full((4, 4), none)
    four[0, 1], four[1, 2], four[0, 2] = 4, 1, 7
    four[2, 3], four[3, 0] = 2 + random.integers(3), 6
    made = [Trial("four towns, one-way streets", dict(edges=four))]
    islands = np.full((4, 4), none)
    islands[0, 1], islands[1, 0], islands[2, 3] = 0, 3, 2
    made.append(Trial("two islands, and a street of length zero", dict(edges=islands)))
    made.append(Trial("a chain of seven, numbered at random", dict(edges=_chain(random, 7))))
    for N in SIZES:
        made.append(Trial(f"N = {N} towns, one-way streets", dict(edges=_streets(random, N, 0.35))))
    free = _streets(random, 8, 0.4)
    free[tuple(np.argwhere(np.isfinite(free))[::4].T)] = 0
    made.append(Trial("some streets of length zero", dict(edges=free)))
    equal = np.where(_streets(random, 6, 0.4) < none, 2.0, none)
    made.append(Trial("streets of equal length", dict(edges=equal)))
    hub = np.full(
        (6, 6), none
    )  # lengths can't be centred; a row of zeros is a town with free streets
    hub[1], hub[2, 1], hub[2, 3], hub[4, 2], hub[3, 0] = 0, 4, 1, 2.5, 1
    np.fill_diagonal(hub, none)
    made.append(Trial("a town with free streets to all, and one without streets", dict(edges=hub)))
    apart = np.full((7, 7), none)
    apart[:3, :3], apart[3:, 3:] = _streets(random, 3, 0.8), _streets(random, 4, 0.6)
    made.append(Trial("two islands", dict(edges=apart)))
    made.append(Trial("another unit of length", dict(edges=1e6 * _streets(random, 5, 0.5))))
    return made


def _streets(random, N, share):
    """Lengths of random one-way streets; a ring makes sure that long paths exist."""
    edges = np.where(random.random((N, N)) < share, random.uniform(3, 12, (N, N)), np.inf)
    around = random.permutation(N)
    edges[around, np.roll(around, 1)] = random.uniform(1, 2, N)
    np.fill_diagonal(edges, np.inf)
    return edges


def _chain(random, N):
    edges = np.full((N, N), np.inf)
    along = random.permutation(N)
    while np.all(np.diff(along) > 0):
        along = random.permutation(N)
    edges[along[:-1], along[1:]] = edges[along[1:], along[:-1]] = random.uniform(1, 3, N - 1)
    return edges


def lengths(edges):
    """the lengths of the edges"""
    return np.array(edges, dtype=float)


def start(lengths):
    """the matrix before the loops"""
    G = lengths.copy()
    np.fill_diagonal(G, 0)
    return G


def points(N):
    """the points k that a way may lead through"""
    return range(N)


def legs(G, k):
    """the two legs of the way through k"""
    return G[:, [k]], G[[k]]


def way(first, second):
    """the length of the way through k"""
    return first + second


def kept(old, new):
    """the choice between the old length and that of the way through k"""
    return np.minimum(old, new)


def loops(G, points, legs, way, kept):
    """the loops"""
    for k in points:
        G = kept(G, way(*legs(G, k)))
    return G


def result(G):
    """the matrix after the loops"""
    return G


@staged
def PATHS(
    lengths=lengths, start=start, points=points, legs=legs,
    way=way, kept=kept, loops=loops, result=result,
):  # fmt: skip
    """All shortest paths; any part can be exchanged."""

    def answer(edges):
        G = start(lengths(edges))
        return result(loops(G, points(len(G)), legs, way, kept))

    return answer


# Mistakes


def _ordered(order):
    """Three loops in some order: order(a, b, c) -> i, j, k, the first being the outermost."""

    def loops(G, points, legs, way, kept):
        G, N = G.copy(), len(G)
        at = {"i": range(N), "j": range(N), "k": points}
        for a in at[order[0]]:
            for b in at[order[1]]:
                for c in at[order[2]]:
                    now = dict(zip(order, (a, b, c), strict=True))
                    i, j, k = now["i"], now["j"], now["k"]
                    first, second = legs(G, k)
                    G[i, j] = kept(G[i, j], way(first[i, 0], second[0, j]))
        return G

    return loops


def _legs_of_edges(first, second):
    """Loops in which a leg is always a single edge."""

    def loops(G, points, legs, way, kept):
        edges = G
        for k in points:
            now, once = legs(G, k), legs(edges, k)
            G = kept(G, way((once if first else now)[0], (once if second else now)[1]))
        return G

    return loops


def _without(rows, columns):
    """Loops over i and j that leave out some rows or columns."""

    def loops(G, points, legs, way, kept):
        G = G.copy()
        for k in points:
            G[rows, columns] = kept(G, way(*legs(G, k)))[rows, columns]
        return G

    return loops


def _wrong_end(G, k):
    return G[:, [k]], G[:, k][None]


def _wrong_beginning(G, k):
    return G[k][:, None], G[[k]]


def _replaced(old, new):
    return np.where(new < np.inf, new, old)


def _for_none(value):
    return PATHS(result=lambda G: np.where(np.isfinite(G), G, value))


def _large(number):
    return PATHS(lengths=lambda edges: np.where(np.isfinite(edges), edges, number))


LARGE = ("999", "9999", "1e5", "1e6", "1e8", "1e9", "1e10", "1e12")


def _zero_diagonal(G, edges):
    return bool((np.abs(np.diag(G)) == 0).all())


def _not_longer(G, edges):
    return bool((G <= edges * (1 + 1e-3)).all())


def _triangles(G, edges):
    through = np.min(G[:, :, None] + G[None, :, :], axis=1)
    return bool((G <= through * (1 + 1e-3)).all())


def _none_is_infinite(G, edges):
    return not np.isfinite(G[np.isinf(reference(edges))]).any()


def _product(first, second):
    with np.errstate(invalid="ignore"):
        return first * second


def _smaller(old, new):
    """As Python's min: what is no number is never smaller."""
    return np.where(new < old, new, old)


def _mirrored_loops(G, points, legs, way, kept):
    G, N = G.copy(), len(G)
    for k in points:
        for i in range(N):
            for j in range(i + 1, N):
                first, second = legs(G, k)
                G[i, j] = G[j, i] = kept(G[i, j], way(first[i, 0], second[0, j]))
    return G


MISTAKES = (
    PATHS.mistake("k_innermost", loops=_ordered("ijk")),
    PATHS.mistake("k_in_the_middle", loops=_ordered("ikj")),
    PATHS.mistake("j_outermost", loops=_ordered("jki")),
    PATHS.mistake("diagonal_kept", start=lambda lengths: lengths),
    PATHS.mistake("two_way", lengths=lambda edges: np.minimum(edges, edges.T)),
    PATHS.mistake("two_way_at_the_end", result=lambda G: np.minimum(G, G.T)),
    PATHS.mistake("mirrored", result=lambda G: np.where(np.tri(len(G), dtype=bool), G.T, G)),
    PATHS.mistake("wrong_end", legs=_wrong_end),
    PATHS.mistake("wrong_beginning", legs=_wrong_beginning),
    PATHS.mistake("flat_legs", legs=lambda G, k: (G[:, k], G[k])),
    PATHS.mistake("zero_is_none", lengths=lambda edges: np.where(edges == 0, np.inf, edges)),
    PATHS.mistake("two_edges", loops=_legs_of_edges(True, True)),
    PATHS.mistake("second_leg_an_edge", loops=_legs_of_edges(False, True)),
    PATHS.mistake("first_leg_an_edge", loops=_legs_of_edges(True, False)),
    PATHS.mistake("overwritten", loops=_ordered("kij"), kept=_replaced),
    PATHS.mistake("overwritten_by_none", loops=_ordered("kij"), kept=lambda old, new: new),
    PATHS.mistake("longest_leg", way=lambda first, second: np.maximum(first, second)),
    PATHS.mistake("last_forgotten", points=lambda N: range(N - 1)),
    PATHS.mistake("first_forgotten", points=lambda N: range(1, N)),
    PATHS.mistake("first_row_forgotten", loops=_without(slice(1, None), slice(None))),
    PATHS.mistake("last_row_forgotten", loops=_without(slice(-1), slice(None))),
    PATHS.mistake("first_column_forgotten", loops=_without(slice(None), slice(1, None))),
    PATHS.mistake("last_column_forgotten", loops=_without(slice(None), slice(-1))),
    PATHS.mistake("one_point_only", points=lambda N: range(1)),
    PATHS.mistake("edges_counted", lengths=lambda edges: np.where(np.isfinite(edges), 1.0, np.inf)),
    Misconception("zero_for_none", mistaken=_for_none(0.0)),
    Misconception("minus_one_for_none", mistaken=_for_none(-1.0)),
    PATHS.mistake(
        "zero_edges_for_none", lengths=lambda edges: np.where(np.isfinite(edges), edges, 0)
    ),
    *(Misconception(f"large_number_{large}", mistaken=_large(float(large))) for large in LARGE),
    PATHS.mistake("legs_turned", legs=lambda G, k: (G[k][:, None], G[:, k][None])),
    PATHS.mistake("legs_multiplied", way=_product, kept=_smaller),
    PATHS.mistake("one_half_mirrored", loops=_mirrored_loops),
)


EXERCISE = exercise(
    "floyd_warshall",
    lesson="27_graphs_and_geodesics",
    equations="[SI] 2.1, step 3",
    minutes=15,
    shapes={"edges": "N N"},
    returns={"G": "N N"},
    trials=trials,
    reference=reference,
    stages=PATHS,
    properties=(
        Property("number_for_none", holds=_none_is_infinite),
        Property("diagonal", holds=_zero_diagonal),
        Property("longer_than_edge", holds=_not_longer),
        Property("shorter_way", holds=_triangles),
    ),
    misconceptions=MISTAKES,
)
