"""Pairs of neighbours: against all distances, and where squared distances overflow."""

import numpy as np
import pytest
from helpers import read_only

from ukrlearn.blocks import neighbors
from ukrlearn.blocks.neighbors import build_tree, mostly_neighbors, pairs_between

RADIUS = 0.4


def some_points(N=80, q=2, seed=0):
    return read_only(np.random.default_rng(seed).uniform(-1, 1, size=(N, q)))


def as_list(pairs):
    return list(zip(pairs.rows.tolist(), pairs.columns.tolist(), strict=True))


def as_set(pairs):
    return set(as_list(pairs))


def squared_distances(x, X):
    return ((x[:, None] - X) ** 2).sum(axis=-1)


@pytest.mark.parametrize("q", [1, 2, 3])
def test_pairs_between_are_all_of_them_once(q):
    x, X = some_points(30, q, seed=1), some_points(q=q)
    pairs = pairs_between(x, build_tree(X), RADIUS)
    t = squared_distances(x, X)
    near = np.argwhere(t <= RADIUS**2)
    assert as_set(pairs) == set(map(tuple, near.tolist()))
    assert len(pairs.rows) == len(near)
    np.testing.assert_allclose(pairs.t, t[pairs.rows, pairs.columns], rtol=1e-13)


def test_duplicates_are_pairs_at_distance_zero():
    X = np.zeros((3, 2))
    pairs = pairs_between(X[:1], build_tree(X), RADIUS)
    assert as_set(pairs) == {(0, 0), (0, 1), (0, 2)} and np.all(pairs.t == 0)


def test_no_pairs_are_empty_arrays():
    X = 10.0 * np.arange(4)[:, None]
    pairs = pairs_between(X + 5, build_tree(X), 1.0)
    assert all(len(field) == 0 for field in pairs)


def test_mostly_neighbors_counts_one_pair_in_sixteen():
    # On a regular line of 320 points each sees 2k + 1 within k + 1/2 steps, fewer at the ends.
    tree = build_tree(np.arange(320.0)[:, None])
    assert not mostly_neighbors(tree, 9.5)  # 19 < 320 / 16
    assert mostly_neighbors(tree, 10.5)  # 21, at the ends 11, on average just above 20
    assert not mostly_neighbors(build_tree(np.repeat(np.arange(16.0), 20)[:, None]), 0.5)  # 20
    assert not mostly_neighbors(build_tree(1e3 * some_points()), 1.0)
    assert mostly_neighbors(build_tree(some_points()), 9.0)


def test_mostly_neighbors_looks_at_some_points_of_many_only(monkeypatch):
    asked = []

    class Tree:
        data, n = np.zeros((6000, 1)), 6000
        mins = maxes = np.zeros(1)

        def query_ball_point(self, some, *_, **__):
            asked.append(len(some))
            return np.zeros(len(some))

    assert not mostly_neighbors(Tree(), 1.0)
    Tree.data, Tree.n = np.zeros((50, 1)), 50
    mostly_neighbors(Tree(), 1.0)
    assert asked == [60, 50]


@pytest.mark.parametrize("scale", [1e149, 1e151, 1e160, 1e300])
def test_far_away_points_do_not_upset_the_tree(scale):
    X = np.vstack([some_points(20), scale * some_points(5, seed=3)])
    pairs = pairs_between(X, build_tree(X), RADIUS)
    near = {pair for pair, t in zip(as_list(pairs), pairs.t, strict=True) if t <= RADIUS**2}
    expected = np.argwhere(squared_distances(X[:20], X[:20]) <= RADIUS**2).tolist()
    assert near == {*map(tuple, expected), *((far, far) for far in range(20, 25))}
    assert np.isfinite(pairs.t).all()
    # Positions far away from a tree whose own points are near.
    assert len(pairs_between(X[20:], build_tree(X[:20]), RADIUS).t) == 0
    assert not mostly_neighbors(build_tree(scale * some_points()), RADIUS)


def test_ordinary_points_are_searched_in_the_euclidean_norm():
    assert neighbors._norm(build_tree(some_points())) == 2
    assert neighbors._norm(build_tree(some_points()), build_tree(1e151 * some_points())) == np.inf
    assert neighbors._norm(build_tree(np.array([[-9.9e149], [0.0]]))) == 2
    assert neighbors._norm(build_tree(np.array([[-1e150], [0.0]]))) == np.inf
