"""Neighbour embedding with Student's kernel: loops, differences, the grid, and what it keeps."""

from functools import partial

import numpy as np
import pytest
from helpers import assert_close, blocks_of, differences, remainder_order
from sklearn.manifold import trustworthiness

from ukrlearn import explicit
from ukrlearn.blocks import starts, student_embedding
from ukrlearn.blocks.student_embedding import (
    Graph,
    affordable,
    embedded,
    neighbor_graph,
    repulsion_of_pairs,
    repulsion_on_grid,
    student_embedding_error,
)

Y = np.random.default_rng(0).normal(size=(12, 4))
X = np.random.default_rng(1).normal(size=(12, 2))


def as_matrix(graph, N):
    P = np.zeros((N, N))
    P[graph.i, graph.j] = P[graph.j, graph.i] = graph.p
    return P


def test_an_edge_has_the_weights_that_both_of_its_ends_give_it():
    # On a line at 0, 1, 3 the nearest are 1, 0 and 1, with weight 1, and 3, 3 and 0 with 1/2.
    i, j, p = neighbor_graph(np.array([[0.0], [1.0], [3.0]]), 2)
    assert i.tolist() == [0, 0, 1] and j.tolist() == [1, 2, 2]
    assert_close(p, np.array([1 + 1, 1 / 2 + 1 / 2, 1 / 2 + 1]) / (2 * 3 * 3 / 2))
    assert 2 * neighbor_graph(Y, 3).p.sum() == pytest.approx(1)


@pytest.mark.parametrize("exaggeration", [1.0, 12.0])
def test_error_and_gradient_are_those_of_the_loops(exaggeration, monkeypatch):
    monkeypatch.setattr(student_embedding, "row_blocks", blocks_of(5))
    graph = neighbor_graph(Y, 3)
    P = as_matrix(graph, 12).tolist()
    error, gradient = student_embedding_error(X, graph, exaggeration)
    expected, of_loops = explicit.student_embedding_error(X.tolist(), P, exaggeration)
    assert error == pytest.approx(expected, rel=1e-12)
    assert_close(gradient, of_loops)
    value = lambda X: explicit.student_embedding_error(X.tolist(), P, exaggeration)[0]
    assert_close(gradient, differences(value, X), rtol=1e-8)
    objective = partial(student_embedding_error, graph=graph, exaggeration=exaggeration)
    assert remainder_order(objective, X) == pytest.approx(2, abs=0.1)


def test_the_error_is_zero_where_both_distributions_agree():
    # All six pairs at the corners of a simplex have the same q, and this graph the same p.
    corners = np.eye(4)
    i, j = np.triu_indices(4, k=1)
    error, gradient = student_embedding_error(corners, Graph(i, j, np.full(6, 1 / 12)))
    assert error == pytest.approx(0, abs=1e-14)
    assert np.abs(gradient).max() < 1e-14


@pytest.mark.parametrize("q", [1, 2, 3])
def test_the_grid_approaches_the_sum_over_pairs_as_its_cells_shrink(q, monkeypatch):
    monkeypatch.setattr(student_embedding, "NODES", {q: (5, 400)})
    points = np.random.default_rng(q).normal(size=(300, q)) * {1: 12, 2: 8, 3: 3}[q]
    exact, Z = repulsion_of_pairs(points)
    errors = []
    for cell in (1.0, 0.5, 0.25):
        monkeypatch.setattr(student_embedding, "CELL", cell)
        on_grid, Z_grid = repulsion_on_grid(points)
        errors.append(np.sqrt(np.mean((on_grid - exact) ** 2) / np.mean(exact**2)))
        assert Z_grid == pytest.approx(Z, rel=0.05)
    assert errors[0] < 0.3 and errors[1] < errors[0] / 3 and errors[2] < 0.02


def test_points_far_from_each_other_add_nothing_to_the_sum_over_pairs():
    _, Z = repulsion_on_grid(1000.0 * np.arange(10)[:, None])
    assert 0 <= Z < 0.5


@pytest.mark.parametrize("apart", [0.0, 1e-13, 1e-11])
def test_points_in_one_place_repel_each_other_with_all_their_weight(apart):
    forces, Z = repulsion_on_grid(3 + apart * X)
    assert Z == pytest.approx(12 * 11, rel=1e-4)
    assert np.abs(forces).max() < 1e-3


def test_far_points_meet_no_limit_of_the_grid():
    points = np.vstack([X, X + 1e5])
    forces, Z = repulsion_on_grid(points)
    assert np.isfinite(forces).all() and np.isfinite(Z)


@pytest.mark.parametrize("pairs", [0, 10**9], ids=["grid", "pairs"])
def test_clusters_of_many_dimensions_stay_together(pairs, monkeypatch):
    monkeypatch.setattr(student_embedding, "PAIRS_OF_A_NODE", pairs)
    random = np.random.default_rng(5)
    labels = np.repeat(np.arange(8), 40)
    data = 4 * random.normal(size=(8, 20))[labels] + random.normal(size=(320, 20))
    found = embedded(data, starts.pca(data, 2))
    assert trustworthiness(data, found, n_neighbors=10) > 0.95
    assert np.array_equal(found, embedded(data, starts.pca(data, 2)))
    centres = np.array([found[labels == c].mean(axis=0) for c in range(8)])
    nearest = np.argmin(((found[:, None] - centres) ** 2).sum(axis=2), axis=1)
    assert np.mean(nearest == labels) > 0.98


def test_100_moves_with_exaggeration_come_before_150_without(monkeypatch):
    data, start = (np.random.default_rng(d).normal(size=(20, d)) + 5 for d in (6, 2))
    stages, heavy_ball = [], student_embedding.descent.heavy_ball

    def spy(objective, X0, **options):
        steps = []
        stages.append((objective, X0, options, steps))
        for step in heavy_ball(objective, X0, **options):
            steps.append(step)
            yield step

    monkeypatch.setattr(student_embedding.descent, "heavy_ball", spy)
    found = embedded(data, start)
    centred = start - start.mean(axis=0)
    (early, first, options, moves), (late, second, other_options, other_moves) = stages
    assert_close(first, 0.01 * centred / centred[:, 0].std())
    assert options == dict(rate=20 / 12, momentum=0.5) and len(moves) == 1 + 100
    assert np.array_equal(second, moves[-1].X)
    assert other_options == dict(rate=20, momentum=0.8) and len(other_moves) == 1 + 150
    assert np.array_equal(found, other_moves[-1].X)
    graph = neighbor_graph(data, 15)
    for objective, factor in ((early, 12.0), (late, 1.0)):
        assert objective(start)[0] == student_embedding_error(start, graph, factor)[0]


@pytest.mark.parametrize("first", [0.0, 3.0])
def test_a_start_without_extent_along_the_first_axis_is_not_scaled(first):
    flat = np.column_stack([np.full(20, first), np.arange(20.0)])
    data = np.random.default_rng(0).normal(size=(20, 3))
    found = embedded(data, flat, moves=(0, 0))
    assert_close(found, 0.01 * (flat - flat.mean(axis=0)))


@pytest.mark.parametrize(
    ("N", "q", "way"),
    [
        *((328, 2, "pairs"), (329, 2, "grid")),  # 30 (2 30)² = 328.6²
        *((1385, 3, "pairs"), (1386, 3, "grid")),  # 30 (2 20)³ = 1385.6²
        (1386, 4, "pairs"),
    ],
)
def test_many_points_repel_each_other_on_a_grid_of_up_to_three_axes(N, q, way, monkeypatch):
    ways = []
    for name, label in (("repulsion_of_pairs", "pairs"), ("repulsion_on_grid", "grid")):
        stub = lambda X, label=label: ways.append(label) or (np.zeros_like(X), 1.0)
        monkeypatch.setattr(student_embedding, name, stub)
    points = np.random.default_rng(0).normal(size=(N, q))
    embedded(points, points, moves=(0, 0))
    assert set(ways) == {way}


def test_without_a_grid_3000_points_are_affordable():
    assert affordable(3000, 4) and not affordable(3001, 4)
    assert all(affordable(10**6, q) for q in (1, 2, 3))


@pytest.mark.parametrize(
    ("q", "least", "most"), [(1, 30, 20_000), (2, 30, 800), (3, 20, 64)], ids=["1", "2", "3"]
)
def test_cells_of_the_grid_are_one_width_long_unless_they_are_too_few_or_too_many(q, least, most):
    for extent, cells in ((10.0, least), (50.5, 51), (1e9, most)):
        points = np.zeros((2, q))
        points[1, -1] = extent
        n, cell, spread = student_embedding._spread(points)
        assert n == cells + 3  # cubic polynomials need a node before the first cell, two after
        assert cell == pytest.approx(extent / cells, rel=2e-6) and cell * cells > extent
        assert spread.shape == (n**q, 2)


@pytest.mark.parametrize("q", [1, 2, 3])
def test_points_are_spread_with_weights_that_keep_their_cubic_moments(q):
    points = np.random.default_rng(0).uniform(-7, 9, size=(20, q))
    n, cell, spread = student_embedding._spread(points)
    nodes = cell * (np.indices([n] * q).reshape(q, -1).T - 1)  # the first is one before the least
    for power in range(4):
        moments = spread.T @ nodes**power
        np.testing.assert_allclose(
            moments, (points - points.min(axis=0)) ** power, rtol=1e-4, atol=0.01
        )


def test_too_few_points_and_too_many_dimensions_are_refused():
    for N in (10, 15):
        says = f"15 neighbours need more than 15 points; got N={N}"
        with pytest.raises(ValueError, match=says):
            embedded(np.zeros((N, 4)), np.zeros((N, 2)))
    with pytest.raises(ValueError, match="in 4 dimensions is limited to 3000 points; got N=3001"):
        embedded(np.zeros((3001, 5)), np.zeros((3001, 4)))


def test_pairs_are_summed_where_the_grid_would_be_larger(monkeypatch):
    taken = []
    for name in ("repulsion_of_pairs", "repulsion_on_grid"):
        spy = lambda X, name=name: taken.append(name) or (np.zeros_like(X), 1.0)
        monkeypatch.setattr(student_embedding, name, spy)
    random = np.random.default_rng(0)
    for N, q, extent in ((1000, 2, 60), (300, 2, 60), (1000, 2, 700), (4000, 3, 80), (9000, 3, 80)):
        student_embedding.repulsion_in_least_time(extent * random.uniform(size=(N, q)))
    of_grid = [name == "repulsion_on_grid" for name in taken]
    assert of_grid == [True, False, False, False, True]
