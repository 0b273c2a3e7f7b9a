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
