"""The lengths of all shortest paths, by asking for each point whether the way through it helps."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial

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
    made.append(Trial("a chain of seven, numbered at random", dict(edges=_chain(random, 7))))
    for N in SIZES:
        made.append(Trial(f"N = {N} towns, one-way streets", dict(edges=_streets(random, N, 0.35))))
    free = _streets(random, 8, 0.4)
    free[tuple(np.argwhere(np.isfinite(free))[::4].T)] = 0
    made.append(Trial("some streets of length zero", dict(edges=free)))
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


def _started(edges):
    G = np.array(edges, dtype=float)
    np.fill_diagonal(G, 0)
    return G


def _loops(order, through=lambda G, i, j, k: G[i, k] + G[k, j], start=_started, points=range):
    """Three loops in some order: order(a, b, c) -> i, j, k, the first being the outermost."""

    def answer(edges):
        G = start(edges)
        N = len(G)
        for a in points(N):
            for b in range(N):
                for c in range(N):
                    i, j, k = order(a, b, c)
                    G[i, j] = min(G[i, j], through(G, i, j, k))
        return G

    return answer


def _outermost(a, b, c):
    return b, c, a


def _two_edges(edges):
    G = _started(edges)
    return np.min(G[:, :, None] + G[None, :, :], axis=1)


def _zero_is_none(edges):
    G = np.where(np.asarray(edges) == 0, np.inf, edges)
    return reference(G)


def _hops(edges):
    return reference(np.where(np.isfinite(edges), 1.0, np.inf))


def _not_infinite(value):
    def answer(edges):
        G = reference(edges)
        return np.where(np.isfinite(G), G, value)

    return answer


def _overwritten(edges):
    G = _started(edges)
    for k in range(len(G)):
        for i in range(len(G)):
            for j in range(len(G)):
                if G[i, k] + G[k, j] < np.inf:
                    G[i, j] = G[i, k] + G[k, j]
    return G


def _zero_diagonal(G, edges):
    return bool((np.abs(np.diag(G)) == 0).all())


def _not_longer(G, edges):
    return bool((G <= edges * (1 + 1e-3)).all())


def _triangles(G, edges):
    through = np.min(G[:, :, None] + G[None, :, :], axis=1)
    return bool((G <= through * (1 + 1e-3)).all())


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
    properties=(
        Property(
            "diagonal",
            "Each point is at distance zero from itself.",
            "The diagonal of G is not zero. There is no edge from a point to itself, so the diagonal of `edges` "
            "is infinite; but you are already there, and the way has length 0. Set it before the loops.",
            _zero_diagonal,
        ),
        Property(
            "longer_than_edge",
            "No path is longer than the edge between its ends.",
            "A path in G is longer than the edge between its two ends. The edge is a path too: G begins as `edges`, and "
            "a way through k replaces an entry only if it is shorter.",
            _not_longer,
        ),
        Property(
            "shorter_way",
            "No way through a third point is shorter.",
            "For some points i, k, j the way through k, G[i, k] + G[k, j], is shorter than your G[i, j]. So not all ways "
            "have been tried, or not in time.",
            _triangles,
        ),
    ),
    misconceptions=(
        Misconception(
            "k_innermost",
            "Your innermost loop is over k. Then G[i, j] is settled once for all, with ways through k that are "
            "not the shortest yet. Everything through k must be updated before the next k: k is the *outermost* loop.",
            _loops(lambda a, b, c: (a, b, c)),
        ),
        Misconception(
            "k_in_the_middle",
            "Your loop over k is the second one. For point i all k are used before the rows of later points "
            "are ready. k is the *outermost* loop.",
            _loops(lambda a, b, c: (a, c, b)),
        ),
        Misconception(
            "j_outermost",
            "Your loop over j is the outermost, with k in the middle. Later columns are not ready when "
            "they are needed. k is the *outermost* loop.",
            _loops(lambda a, b, c: (c, a, b)),
        ),
        Misconception(
            "diagonal_kept",
            "You never set the diagonal to zero. G[i, i] then is the shortest round trip, or infinite.",
            _loops(_outermost, start=lambda edges: np.array(edges, dtype=float)),
        ),
        Misconception(
            "two_way",
            "You treat every street as two-way. `edges[i, j]` leads from i to j only.",
            lambda edges: reference(np.minimum(edges, np.transpose(edges))),
        ),
        Misconception(
            "reversed",
            "Your G is transposed: G[i, j] leads from i to j, as `edges[i, j]` does.",
            lambda edges: reference(edges).T,
        ),
        Misconception(
            "wrong_end",
            "The second leg runs the wrong way: you add G[i, k] and G[j, k]. From k one goes on to j, G[k, j].",
            _loops(_outermost, through=lambda G, i, j, k: G[i, k] + G[j, k]),
        ),
        Misconception(
            "zero_is_none",
            "You take a length of zero for a missing edge. Two points in the same place are joined by an edge of length 0; "
            "only `inf` means that there is none. (SciPy's dense graphs have this trap.)",
            _zero_is_none,
        ),
        Misconception(
            "two_edges",
            "You find paths of at most two edges: every way through k uses the original edges. Use the G that "
            "earlier k have already shortened.",
            _two_edges,
        ),
        Misconception(
            "overwritten",
            "You replace G[i, j] by every way through k, longer ones too. Keep the smaller of both.",
            _overwritten,
        ),
        Misconception(
            "longest_leg",
            "You take the longer of the two legs, not their sum. That answers another question: how long is the longest edge "
            "that one must travel?",
            _loops(_outermost, through=lambda G, i, j, k: max(G[i, k], G[k, j])),
        ),
        Misconception(
            "last_forgotten",
            "Your loop over k leaves out the last point. Paths may lead through every point.",
            _loops(_outermost, points=lambda N: range(N - 1)),
        ),
        Misconception(
            "first_forgotten",
            "Your loop over k leaves out point 0. Paths may lead through every point.",
            _loops(_outermost, points=lambda N: range(1, N)),
        ),
        Misconception(
            "edges_counted",
            "You count edges. The length of a path is the sum of their lengths.",
            _hops,
        ),
        Misconception(
            "zero_for_none",
            "Where there is no path you have 0, which says that the points are in the same place. No path has "
            "length `inf`.",
            _not_infinite(0.0),
        ),
        Misconception(
            "minus_one_for_none",
            "Where there is no path you have -1, which any later minimum would prefer. No path has length `inf`.",
            _not_infinite(-1.0),
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
