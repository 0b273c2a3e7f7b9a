"""Neighbour embedding with Student's kernel: loops, differences, the grid, and what it keeps."""

from functools import partial

import numpy as np
import pytest
from helpers import assert_close, blocks_of, differences, random_motion, remainder_order
from sklearn.manifold import trustworthiness

from ukrlearn import explicit, starts
from ukrlearn.blocks import student_embedding
from ukrlearn.blocks.student_embedding import (
    Graph,
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


def test_motions_of_latent_space_do_not_change_the_error():
    graph = neighbor_graph(Y, 3)
    moved = X @ random_motion(2) + 7
    assert student_embedding_error(moved, graph)[0] == pytest.approx(
        student_embedding_error(X, graph)[0], rel=1e-12
    )


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


def test_too_few_points_and_too_many_dimensions_are_refused():
    with pytest.raises(ValueError, match="15 neighbours need more than 15 points; got N=10"):
        embedded(Y[:10], X[:10])
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
