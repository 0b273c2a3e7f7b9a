"""Nearest neighbours: exact for few points, nearly so from cells."""

import numpy as np
import pytest

from ukrlearn import explicit
from ukrlearn.blocks import nearest
from ukrlearn.blocks.nearest import nearest_centre, nearest_neighbors


def cloud(N, d, seed=0):
    return np.random.default_rng(seed).normal(size=(N, d)) + 5


def sets(found):
    return [set(row) for row in np.asarray(found).tolist()]


@pytest.mark.parametrize("k", [1, 3, 19])
def test_neighbors_are_those_of_the_loops_in_order(k):
    Y = cloud(20, 3)
    assert nearest_neighbors(Y, k).tolist() == explicit.nearest_neighbors(Y.tolist(), k)


@pytest.mark.parametrize("k", [1, 2, 30, 298])
def test_neighbors_far_from_the_origin_are_the_least_of_all_distances(k):
    Y = np.random.default_rng(2).permutation(np.arange(301.0))[:, None]
    gaps = np.abs(Y - Y.T) + np.diag(np.full(301, np.inf))
    expected = np.take_along_axis(gaps, np.argsort(gaps, axis=1)[:, :k], axis=1)
    found = nearest_neighbors(Y + 1e9, k)
    assert np.array_equal(np.take_along_axis(gaps, found, axis=1), expected)


@pytest.mark.parametrize("N", [500, 1200])
def test_blocks_hold_each_row_once_and_all_columns(N):
    blocks = list(nearest._blocks(N))
    assert np.array_equal(np.concatenate([rows for rows, _ in blocks]), np.arange(N))
    assert all(len(rows) <= 500 and len(columns) == N for rows, columns in blocks)


def test_more_than_20_000_points_are_searched_three_times_in_cells(monkeypatch):
    searched = []
    monkeypatch.setattr(nearest, "_blocks", lambda N: searched.append("all"))
    monkeypatch.setattr(nearest, "_cells", lambda *_: searched.append("cells"))
    of_rows = lambda _, Y, k: np.arange(len(Y) * k).reshape(-1, k) % len(Y)
    monkeypatch.setattr(nearest, "_nearest_within", of_rows)
    nearest_neighbors(np.zeros((20_000, 1)), 2)
    assert searched == ["all"]
    nearest_neighbors(np.zeros((20_001, 1)), 2)
    assert searched == ["all", "cells", "cells", "cells"]


def test_cells_have_100_points_on_average_and_are_searched_with_the_15_nearest():
    Y = cloud(3000, 2)
    cells = list(nearest._cells(Y, 10, np.random.RandomState(0)))
    assert len(cells) == 30
    assert np.array_equal(np.sort(np.concatenate([rows for rows, _ in cells])), np.arange(3000))
    for rows, columns in cells:
        searched = [np.isin(others, columns) for others, _ in cells]
        assert np.isin(rows, columns).all() and len(np.unique(columns)) == len(columns)
        assert all(some.all() or not some.any() for some in searched)
        assert sum(some.all() for some in searched) == 16


def test_if_each_point_is_a_landmark_its_cell_is_searched_with_the_15_nearest_points(monkeypatch):
    monkeypatch.setattr(nearest, "CELL", 1)
    Y = np.vstack([cloud(60, 2) - 5, np.full((4, 2), 99.0)])  # landmarks on copies: empty cells
    cells = list(nearest._cells(Y, 10, np.random.RandomState(0)))
    gaps = ((Y[:, None] - Y) ** 2).sum(axis=2)
    assert sorted(rows.tolist() for rows, _ in cells) == [[n] for n in range(60)] + [
        [*range(60, 64)]
    ]
    for rows, columns in cells:
        if len(rows) == 1:
            assert set(columns.tolist()) == set(np.argsort(gaps[rows[0]])[:16].tolist())


@pytest.mark.parametrize(("k", "searched"), [(3, 4), (4, 8), (7, 8), (8, 16)])
def test_twice_as_many_cells_are_searched_if_they_hold_too_few_points(k, searched, monkeypatch):
    monkeypatch.setattr(nearest, "CELL", 1)
    monkeypatch.setattr(nearest, "PROBED", 4)
    cells = nearest._cells(cloud(60, 2), k, np.random.RandomState(0))
    assert {len(columns) for _, columns in cells} == {searched}


def test_landmarks_move_to_the_means_of_their_cells(monkeypatch):
    class Landmarks:
        def choice(self, N, n, replace):
            return np.array([0, 3])

    monkeypatch.setattr(nearest, "CELL", 3)
    # First 0 and 2 are in the cell of 0, and all others in that of 5. Their means are 1 and 6.65,
    # and 3.4 lies closer to 1. It would not lie closer to 0 than to 6.65, nor than to 5.
    Y = np.array([[0.0], [2.0], [3.4], [5.0], [9.0], [9.2]])
    cells = [rows.tolist() for rows, _ in nearest._cells(Y, 2, Landmarks())]
    assert cells == [[0, 1, 2], [3, 4, 5]]


def test_cells_find_nearly_all_neighbors_of_clustered_data(monkeypatch):
    random = np.random.default_rng(1)
    Y = random.normal(size=(40, 8))[random.integers(0, 40, 3000)] + cloud(3000, 8)
    exact = sets(nearest_neighbors(Y, 10))
    monkeypatch.setattr(nearest, "EXACT", 100)
    found = sets(nearest_neighbors(Y, 10))
    recall = np.mean([len(a & b) / 10 for a, b in zip(exact, found, strict=True)])
    assert recall > 0.99
    assert all(len(row) == 10 and n not in row for n, row in enumerate(found))
    found = nearest_neighbors(Y, 10)
    t = ((Y[found] - Y[:, None]) ** 2).sum(axis=-1)
    assert np.all(np.diff(t, axis=1) > -1e-4)  # the nearest first, in single precision
    assert np.array_equal(found, nearest_neighbors(Y, 10))  # the same cells each time
    monkeypatch.setattr(nearest, "PARTITIONS", 1)
    of_one = sets(nearest_neighbors(Y, 10))
    assert np.mean([len(a & b) / 10 for a, b in zip(exact, of_one, strict=True)]) < recall


def test_copies_in_one_cell_do_not_leave_a_point_without_neighbors(monkeypatch):
    monkeypatch.setattr(nearest, "EXACT", 100)
    monkeypatch.setattr(nearest, "PROBED", 1)
    Y = np.vstack([np.zeros((150, 2)), cloud(350, 2)])
    found = nearest_neighbors(Y, 120)
    assert all(len(set(row)) == 120 for row in found.tolist())


def test_the_nearest_centre_is_found_in_blocks(monkeypatch):
    monkeypatch.setattr(nearest, "BLOCK", 7)
    Y, centres = cloud(30, 2), cloud(5, 2, seed=3)
    expected = np.argmin(((Y[:, None] - centres) ** 2).sum(axis=2), axis=1)
    assert np.array_equal(nearest_centre(Y, centres), expected)


@pytest.mark.parametrize("k", [0, 20, 21])
def test_there_must_be_as_many_other_points(k):
    with pytest.raises(ValueError, match=f"k must be at least 1 and less than N=20; got k={k}"):
        nearest_neighbors(cloud(20, 2), k)
