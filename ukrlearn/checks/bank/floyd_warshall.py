"""The lengths of all shortest paths, by asking for each point whether the way through it helps."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import staged

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
LARGE_NUMBER = (
    "You replace `inf` by a large number and never put it back, so a missing path seems to have a "
    "length; and where lengths are larger than your number it is taken for a way. Keep `inf`: "
    "sums and minima work with it."
)


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


EXERCISE = Exercise(
    name="floyd_warshall",
    title="All shortest paths",
    lesson="27_graphs_and_geodesics",
    equations="[SI] 2.1, step 3",
    minutes=15,
    shapes={"edges": "N N"},
    returns={"G": "N N"},
    trials=trials,
    reference=reference,
    stages=PATHS,
    properties=(
        Property(
            "number_for_none",
            "Where no path leads from i to j, G is infinite.",
            "For some points no path leads from i to j, and your G[i, j] is a number all the same, "
            "where `inf` belongs.",
            _none_is_infinite,
            suspects=(
                (
                    "lengths",
                    "Did you replace `inf` by a large number, or by 0, and not put it back?",
                ),
                (
                    "loops",
                    "Or does your code copy G[i, j] to G[j, i], as if all streets led both ways?",
                ),
            ),
        ),
        Property(
            "diagonal",
            "Each point is at distance zero from itself.",
            "The diagonal of G is not zero. There is no edge from a point to itself, so the diagonal "
            "of `edges` is infinite; but you are already there, and the way has length 0.",
            _zero_diagonal,
            suspects=(("start", "Do you set the diagonal to zero before the loops?"),),
        ),
        Property(
            "longer_than_edge",
            "No path is longer than the edge between its ends.",
            "A path in G is longer than the edge between its two ends. The edge is a path, too.",
            _not_longer,
            suspects=(
                ("start", "Does G begin as a copy of `edges`?"),
                ("kept", "Does a way through k replace an entry only where it is shorter?"),
            ),
        ),
        Property(
            "shorter_way",
            "No way through a third point is shorter.",
            "For some points i, k, j the way through k, G[i, k] + G[k, j], is shorter than your "
            "G[i, j].",
            _triangles,
            suspects=(
                ("loops", "Is k your outermost loop, and does it run over all points?"),
                ("way", "Does a way through k have two legs, of which you add the lengths?"),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "k_innermost",
            "Your innermost loop is over k. Then G[i, j] is settled once for all, with ways "
            "through k that are not the shortest yet. Everything through k must be updated "
            "before the next k: k is the *outermost* loop.",
            PATHS(loops=_ordered("ijk")),
        ),
        Misconception(
            "k_in_the_middle",
            "Your loop over k is the second one. For point i all k are used before the rows of "
            "later points are ready. k is the *outermost* loop.",
            PATHS(loops=_ordered("ikj")),
        ),
        Misconception(
            "j_outermost",
            "Your loop over j is the outermost, with k in the middle. Later columns are not "
            "ready when they are needed. k is the *outermost* loop.",
            PATHS(loops=_ordered("jki")),
        ),
        Misconception(
            "diagonal_kept",
            "You never set the diagonal to zero. G[i, i] then is the shortest round trip, or "
            "infinite.",
            PATHS(start=lambda lengths: lengths),
        ),
        Misconception(
            "two_way",
            "You treat every street as two-way. `edges[i, j]` leads from i to j only.",
            PATHS(lengths=lambda edges: np.minimum(edges, edges.T)),
        ),
        Misconception(
            "two_way_at_the_end",
            "You take the shorter of the ways there and back. Streets may be one-way: G[i, j] "
            "and G[j, i] are two numbers.",
            PATHS(result=lambda G: np.minimum(G, G.T)),
        ),
        Misconception(
            "mirrored",
            "You copy one half of G to the other. Streets may be one-way: G[i, j] and G[j, i] "
            "are two numbers.",
            PATHS(result=lambda G: np.where(np.tri(len(G), dtype=bool), G.T, G)),
        ),
        Misconception(
            "reversed",
            "Your G is transposed: G[i, j] leads from i to j, as `edges[i, j]` does.",
            PATHS(result=lambda G: G.T),
        ),
        Misconception(
            "wrong_end",
            "The second leg runs the wrong way: you add G[i, k] and G[j, k]. From k one goes on "
            "to j, G[k, j].",
            PATHS(legs=_wrong_end),
        ),
        Misconception(
            "wrong_beginning",
            "The first leg runs the wrong way: you add G[k, i] and G[k, j]. One comes from i to "
            "k, G[i, k].",
            PATHS(legs=_wrong_beginning),
        ),
        Misconception(
            "flat_legs",
            "You add column k and row k as two flat arrays, which gives one sum for each point. "
            "All pairs are wanted: a column of shape (N, 1) plus a row, `G[:, [k]] + G[k]`.",
            PATHS(legs=lambda G, k: (G[:, k], G[k])),
        ),
        Misconception(
            "zero_is_none",
            "You take a length of zero for a missing edge. Two points in the same place are "
            "joined by an edge of length 0; only `inf` means that there is none. (SciPy's dense "
            "graphs have this trap.)",
            PATHS(lengths=lambda edges: np.where(edges == 0, np.inf, edges)),
        ),
        Misconception(
            "two_edges",
            "You find paths of at most two edges: every way through k uses the original edges. "
            "Use the G that earlier k have already shortened.",
            PATHS(loops=_legs_of_edges(True, True)),
        ),
        Misconception(
            "second_leg_an_edge",
            "Your second leg is a single edge, edges[k, j]. From k the shortest way to j may "
            "lead through other points: G[k, j].",
            PATHS(loops=_legs_of_edges(False, True)),
        ),
        Misconception(
            "first_leg_an_edge",
            "Your first leg is a single edge, edges[i, k]. The shortest way from i to k may "
            "lead through other points: G[i, k].",
            PATHS(loops=_legs_of_edges(True, False)),
        ),
        Misconception(
            "overwritten",
            "You replace G[i, j] by every way through k, longer ones too. Keep the smaller of "
            "both.",
            PATHS(loops=_ordered("kij"), kept=_replaced),
        ),
        Misconception(
            "overwritten_by_none",
            "You replace G[i, j] by the length of the way through k, whether it is shorter, "
            "longer or `inf`. Keep the smaller of both.",
            PATHS(loops=_ordered("kij"), kept=lambda old, new: new),
        ),
        Misconception(
            "longest_leg",
            "You take the longer of the two legs, not their sum. That answers another question: "
            "how long is the longest edge that one must travel?",
            PATHS(way=lambda first, second: np.maximum(first, second)),
        ),
        Misconception(
            "last_forgotten",
            "Your loop over k leaves out the last point. Paths may lead through every point.",
            PATHS(points=lambda N: range(N - 1)),
        ),
        Misconception(
            "first_forgotten",
            "Your loop over k leaves out point 0. Paths may lead through every point.",
            PATHS(points=lambda N: range(1, N)),
        ),
        Misconception(
            "first_row_forgotten",
            "Your loops leave out point 0 as a beginning: its row of G stays as it was. i and j "
            "run over all points.",
            PATHS(loops=_without(slice(1, None), slice(None))),
        ),
        Misconception(
            "last_row_forgotten",
            "Your loops leave out the last point as a beginning: its row of G stays as it was. "
            "i and j run over all points.",
            PATHS(loops=_without(slice(-1), slice(None))),
        ),
        Misconception(
            "first_column_forgotten",
            "Your loops leave out point 0 as an end: its column of G stays as it was. i and j "
            "run over all points.",
            PATHS(loops=_without(slice(None), slice(1, None))),
        ),
        Misconception(
            "last_column_forgotten",
            "Your loops leave out the last point as an end: its column of G stays as it was. i "
            "and j run over all points.",
            PATHS(loops=_without(slice(None), slice(-1))),
        ),
        Misconception(
            "one_point_only",
            "You return after the first k: `return` stands inside the loop. Paths may lead "
            "through every point.",
            PATHS(points=lambda N: range(1)),
        ),
        Misconception(
            "edges_counted",
            "You count edges. The length of a path is the sum of their lengths.",
            PATHS(lengths=lambda edges: np.where(np.isfinite(edges), 1.0, np.inf)),
        ),
        Misconception(
            "zero_for_none",
            "Where there is no path you have 0, which says that the points are in the same "
            "place. No path has length `inf`.",
            _for_none(0.0),
        ),
        Misconception(
            "minus_one_for_none",
            "Where there is no path you have -1, which any later minimum would prefer. No path "
            "has length `inf`.",
            _for_none(-1.0),
        ),
        Misconception(
            "zero_edges_for_none",
            "You begin with 0 where there is no edge. Then each way through it is free. No edge "
            "has length `inf`.",
            PATHS(lengths=lambda edges: np.where(np.isfinite(edges), edges, 0)),
        ),
        *(
            Misconception(f"large_number_{large}", LARGE_NUMBER, _large(float(large)))
            for large in LARGE
        ),
        Misconception(
            "legs_turned",
            "You add the way from k to i and that from j to k, G[k, i] + G[j, k]. Streets may "
            "be one-way: the first leg is G[i, k], the second G[k, j].",
            PATHS(legs=lambda G, k: (G[k][:, None], G[:, k][None])),
        ),
        Misconception(
            "legs_multiplied",
            "You multiply the two legs. Lengths add up: G[i, k] + G[k, j].",
            PATHS(way=_product, kept=_smaller),
        ),
        Misconception(
            "one_half_mirrored",
            "You compute only the pairs with i below j and copy each to the other side, as if "
            "every street led both ways. G[i, j] and G[j, i] differ: let both loops run over "
            "all points.",
            PATHS(loops=_mirrored_loops),
        ),
    ),
    hints=(
        "Suppose you know the lengths of all shortest paths that lead through points 0 to k - 1 only. Now point k may be used "
        "as well. Which two known lengths do you have to add?",
        "A copy of `edges` with zeros on the diagonal is the start. For k, the new G[i, j] is the smaller of G[i, j] and "
        "G[i, k] + G[k, j], for all i and j. Which of the three loops must be outermost?",
        "It is: for k in range(N): for i in range(N): for j in range(N): G[i, j] = min(G[i, j], G[i, k] + "
        "G[k, j]). Infinity needs no special case: inf + 1 is inf.",
    ),
)
