"""Graphs, arcs, shortest paths and scaling of [SI], against loops and identities."""

import numpy as np
import pytest
from helpers import assert_close, each, random_motion, read_only, up_to_sign
from joblib import parallel_config
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from ukrlearn.explicit import si as explicit
from ukrlearn.si import geodesics
from ukrlearn.si.dissimilarity import Euclidean, WithLabels, mean_squared_distance
from ukrlearn.si.geodesics import (
    agglomerate,
    all_pairs,
    classical_mds,
    elbow,
    geodesic_distances,
    negative_share,
    neighbor_graph,
    residual_variances,
    shortest_path,
    spanning_tree,
)
from ukrlearn.si.isomap import agglomerative_isomap, spread_landmarks

RANDOM = np.random.default_rng(3)
ONE = read_only(RANDOM.normal(size=(14, 3)))
# Three groups that two neighbours do not connect, at distances that are all different.
SHIFTS = np.repeat([[0.0, 0, 0], [9, 1, 0], [3, 14, 2]], [5, 4, 5], axis=0)
GROUPS = read_only(RANDOM.normal(size=(14, 3)) + SHIFTS)
FOUR_TO_TEN = read_only(
    RANDOM.normal(size=(40, 2)) + np.repeat(30 * RANDOM.normal(size=(8, 2)), 5, 0)
)


def dense(lengths):
    """Lengths of edges with infinity where there is none."""
    full = np.full(lengths.shape, np.inf)
    entries = lengths.tocoo()
    full[entries.row, entries.col] = entries.data
    return full


def of_loops(edges):
    full = np.full((len(edges), len(edges)), np.inf)
    for i, row in enumerate(edges):
        for j, length in row.items():
            full[i, j] = length
    return full


def as_sets(arcs):
    return {frozenset(map(int, arc)) for arc in arcs}


# ---- step 1 -------------------------------------------------------------------------------------


@each("h", [1, 3, 13])
@each("Y", [ONE, GROUPS], ids=["one group", "three groups"])
def test_the_graph_is_that_of_the_loops(Y, h):
    Q = explicit.euclidean_distances(Y.tolist())
    assert_close(Euclidean(Y)[:], Q)
    np.testing.assert_allclose(
        dense(neighbor_graph(Euclidean(Y), h)), of_loops(explicit.neighbor_graph(Q, h)), rtol=1e-13
    )


def test_a_matrix_and_the_rows_of_a_record_give_the_same_graph():
    one, other = (neighbor_graph(Q, 4) for Q in (Euclidean(ONE), cdist(ONE, ONE)))
    assert (dense(one) == dense(other)).all()


def test_blocks_of_rows_change_nothing(monkeypatch):
    whole = agglomerative_isomap(Euclidean(GROUPS), 2, 2)
    monkeypatch.setattr("ukrlearn.si.geodesics.BLOCK", 40)
    in_blocks = agglomerative_isomap(Euclidean(GROUPS), 2, 2)
    assert (whole.X == in_blocks.X).all() and (whole.graph.arcs == in_blocks.graph.arcs).all()


def test_duplicates_are_joined_by_edges_of_length_zero():
    Y = np.vstack([ONE, ONE[:3]])
    lengths = neighbor_graph(Euclidean(Y), 2)
    assert dense(lengths)[0, 14] == 0 and dense(lengths)[14, 0] == 0
    G = geodesic_distances(agglomerate(lengths, Euclidean(Y)).lengths)
    assert G[0, 14] == 0 and np.isfinite(G).all()
    assert_close(G[0], G[14])


# ---- step 2 -------------------------------------------------------------------------------------


@pytest.mark.parametrize("Y, h", [(GROUPS, 2), (GROUPS, 1), (FOUR_TO_TEN, 3)])
def test_one_spanning_tree_has_the_arcs_of_merging_the_closest_components(Y, h):
    Q = explicit.euclidean_distances(Y.tolist())
    edges = explicit.neighbor_graph(Q, h)
    components = explicit.components(edges)
    arcs = explicit.agglomerate(Q, edges)
    graph = agglomerate(neighbor_graph(Euclidean(Y), h), Euclidean(Y))
    assert len(arcs) == max(components) and len(arcs) >= 2
    assert as_sets(graph.arcs) == as_sets(arcs)
    assert_close(graph.arc_lengths, [Q[i][j] for i, j in arcs])  # in the order of merging
    assert (graph.components == components).all()
    np.testing.assert_allclose(dense(graph.lengths), of_loops(edges), rtol=1e-13)


def test_all_pairs_join_every_two_components_where_they_are_closest():
    Q = cdist(FOUR_TO_TEN, FOUR_TO_TEN)
    tree = agglomerate(neighbor_graph(Q, 3), Q, spanning_tree)
    every = agglomerate(neighbor_graph(Q, 3), Q, all_pairs)
    count = tree.components.max() + 1
    assert len(tree.arcs) == count - 1 and len(every.arcs) == count * (count - 1) / 2
    assert as_sets(tree.arcs) < as_sets(every.arcs)
    for (i, j), length in zip(every.arcs, every.arc_lengths, strict=True):
        a, b = (tree.components == tree.components[k] for k in (i, j))
        assert length == Q[i, j] == Q[np.ix_(a, b)].min()
    assert (geodesic_distances(every.lengths) <= geodesic_distances(tree.lengths) + 1e-12).all()


def test_components_at_distance_zero_are_joined():
    Y = np.repeat([[0.0, 0], [5, 5]], 4, axis=0)
    ends = np.array([0, 1, 2, 3, 4, 5, 6, 7]), np.array([1, 0, 3, 2, 5, 4, 7, 6])
    pairs = csr_array((np.zeros(8), ends), shape=(8, 8))  # equal points in several components
    for choose, count in ((spanning_tree, 3), (all_pairs, 6)):
        graph = agglomerate(pairs, Euclidean(Y), choose)
        assert len(graph.arcs) == count and graph.components.max() == 3
        assert_close(geodesic_distances(graph.lengths), cdist(Y, Y))


# ---- step 3 -------------------------------------------------------------------------------------


@pytest.mark.parametrize("Y, h", [(ONE, 2), (GROUPS, 2), (FOUR_TO_TEN, 3)])
def test_geodesics_are_those_of_both_loops(Y, h):
    Q = explicit.euclidean_distances(Y.tolist())
    edges = explicit.neighbor_graph(Q, h)
    explicit.agglomerate(Q, edges)
    G = geodesic_distances(agglomerate(neighbor_graph(Euclidean(Y), h), Euclidean(Y)).lengths)
    assert_close(G, explicit.floyd_warshall(edges))
    assert_close(G, [explicit.dijkstra(edges, i) for i in range(len(Y))])


def test_geodesics_in_parallel_and_from_some_points_are_the_same():
    lengths = agglomerate(neighbor_graph(Euclidean(GROUPS), 2), Euclidean(GROUPS)).lengths
    G = geodesic_distances(lengths)
    with parallel_config(backend="threading"):
        assert (geodesic_distances(lengths, n_jobs=2) == G).all()
    assert (geodesic_distances(lengths, [3, 0]) == G[[3, 0]]).all()


def test_the_points_of_a_shortest_path_are_joined_by_edges_of_its_length():
    lengths = agglomerate(neighbor_graph(Euclidean(GROUPS), 2), Euclidean(GROUPS)).lengths
    G, edges = geodesic_distances(lengths), dense(lengths)
    path = shortest_path(lengths, 0, 13)
    assert path[0] == 0 and path[-1] == 13 and len(path) > 3
    steps = [edges[i, j] for i, j in zip(path, path[1:], strict=False)]
    assert sum(steps) == pytest.approx(G[0, 13], rel=1e-12)
    assert shortest_path(lengths, 5, 5) == [5]


# ---- step 4 -------------------------------------------------------------------------------------


def test_scaling_is_that_of_the_loops_and_of_the_matrix_form():
    G = cdist(ONE, ONE, "cityblock")
    scaling = classical_mds(G, 3)
    assert_close(
        up_to_sign(np.array(explicit.classical_mds(G.tolist(), 3)), scaling.X), scaling.X, 1e-10
    )
    S = np.array(explicit.double_centred(G.tolist()))
    N = len(G)
    B = np.eye(N) - 1 / N
    assert_close(S, -B @ G**2 @ B / 2)
    assert_close(scaling.eigenvalues, np.linalg.eigvalsh(S)[::-1][:3], 1e-10)
    assert_close(S @ scaling.X, scaling.X * scaling.eigenvalues, 1e-10)


@pytest.mark.parametrize("dense", [True, False])
def test_the_greatest_entry_of_every_coordinate_is_positive(dense, monkeypatch):
    monkeypatch.setattr(geodesics, "DENSE", 200 if dense else 3)
    for seed in range(4):
        points = np.random.default_rng(seed).normal(size=(16, 3))
        X = classical_mds(cdist(points, points), 3).X
        assert (X.max(axis=0) == np.abs(X).max(axis=0)).all()


def test_euclidean_distances_give_the_points_back_up_to_motion():
    D = cdist(ONE, ONE)
    X = classical_mds(D, 3).X
    assert_close(cdist(X, X), D, 1e-10)
    assert negative_share(D) < 1e-13
    more = classical_mds(D, 5)  # there is no fourth dimension
    assert_close(more.eigenvalues[3:], [0, 0])
    assert (more.X[:, 3:] == 0).all() and (more.axes[:, 3:] == 0).all()


def test_large_and_small_matrices_are_scaled_alike(monkeypatch):
    G = cdist(FOUR_TO_TEN, FOUR_TO_TEN, "cityblock")
    small = classical_mds(G, 3)
    monkeypatch.setattr("ukrlearn.si.geodesics.DENSE", 10)
    assert_close(classical_mds(G, 3).X, small.X, 1e-9)


def test_the_negative_share_counts_eigenvalues_below_zero():
    G = cdist(ONE, ONE, "cityblock")
    values, _ = explicit.symmetric_eigen(explicit.double_centred(G.tolist()))
    values = np.array(values)
    expected = -values[values < 0].sum() / np.abs(values).sum()
    assert expected > 0.01
    assert negative_share(G) == pytest.approx(expected, rel=1e-9)


def test_points_that_were_scaled_are_placed_where_they_are():
    G = cdist(ONE, ONE, "cityblock")
    scaling = classical_mds(G, 2)
    assert_close(scaling.place(G), scaling.X, 1e-10)
    new = np.linalg.norm(ONE - 0.3, axis=1)
    expected = explicit.place_by_distances(new.tolist(), G.tolist(), 2)
    assert_close(np.abs(scaling.place(new[None])[0]), np.abs(expected), 1e-10)


# ---- everything in turn -------------------------------------------------------------------------


def test_procedure_a_isomap_is_that_of_the_loops():
    labels = np.arange(14) % 3
    Q = WithLabels(GROUPS, labels, 0.5, mean_squared_distance(GROUPS))
    loops = explicit.label_distances(
        GROUPS.tolist(), labels.tolist(), 0.5, mean_squared_distance(GROUPS)
    )
    expected = np.array(explicit.agglomerative_isomap(loops, 3, 2))
    X = agglomerative_isomap(Q, 3, 2).X
    assert_close(up_to_sign(expected, X), X, 1e-9)


def test_all_points_as_landmarks_are_no_landmarks():
    whole = agglomerative_isomap(Euclidean(GROUPS), 2, 3)
    landmarks = agglomerative_isomap(Euclidean(GROUPS), 2, 3, landmarks=np.arange(14))
    assert_close(landmarks.X, whole.X, 1e-10)


def test_landmarks_are_spread_and_different():
    Y = np.vstack([RANDOM.normal(size=(300, 2)), [[50.0, 0], [0, 50]]])
    chosen = spread_landmarks(Y, 10, seed=1)
    assert len(set(chosen)) == 10 and {300, 301} <= set(chosen)
    nearest = np.sort(cdist(Y[chosen], Y[chosen]), axis=1)[:, 1]
    assert nearest.min() >= cdist(Y, Y[chosen]).min(axis=1).max()  # no other is farther from all


# ---- dimension ----------------------------------------------------------------------------------


def test_residual_variances_are_those_of_the_loops():
    G = cdist(ONE, ONE, "cityblock")
    X = classical_mds(G, 3).X
    expected = [explicit.residual_variance(G.tolist(), X[:, :d].tolist()) for d in (1, 2, 3)]
    assert_close(residual_variances(G, X), [1.0, *expected], 1e-9)
    some = np.array([4, 9, 2])
    of_some = residual_variances(G[some], X, some)
    D = cdist(X[some], X)
    off = np.ones(D.shape, dtype=bool)
    off[np.arange(3), some] = False
    assert of_some[-1] == pytest.approx(1 - np.corrcoef(G[some][off], D[off])[0, 1] ** 2)


def test_nothing_is_left_where_all_distances_are_equal():
    assert (residual_variances(1.0 - np.eye(4), np.zeros((4, 2))) == 0).all()
    assert (residual_variances(np.zeros((4, 4)), np.zeros((4, 2))) == 0).all()
    assert elbow([0, 0, 0]) == 1


def test_a_second_dimension_that_explains_little_still_counts():
    assert elbow([1.0, 0.014, 0.0005, 0.0004, 0.0004]) == 2
    assert elbow([1.0, 1e-9, 1e-12, 1e-15]) == 1  # what is explained to six digits is explained


@pytest.mark.parametrize("dimension", [1, 2, 4])
def test_the_elbow_is_at_the_dimension_of_a_box(dimension):
    for seed in range(3):
        box = np.random.default_rng(seed).uniform(size=(300, dimension))
        Y = box @ random_motion(6, seed)[:dimension]
        found = agglomerative_isomap(Euclidean(Y), 8, 8)
        assert elbow(residual_variances(found.geodesics, found.X)) == dimension
