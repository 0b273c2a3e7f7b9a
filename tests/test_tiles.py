"""Tiles: each pair within reach lies in exactly one tile of its row, and few others do."""

import numpy as np
import pytest
from helpers import each, read_only

from ukrlearn.blocks import tiles
from ukrlearn.blocks.tiles import tiles_within, worth_tiling

REACH = 0.3


def some_points(N=400, q=2, seed=0):
    return read_only(np.random.default_rng(seed).uniform(size=(N, q)))


@each("reach", [0.0, REACH, 10.0])
@each("q", [1, 2, 3])
def test_every_point_is_a_row_once_and_sees_all_within_its_reach(q, reach):
    X = some_points(q=q)
    found = list(tiles_within(X, reach))
    assert len(found) > 1
    rows = np.concatenate([tile.rows for tile in found])
    assert np.array_equal(np.sort(rows), np.arange(len(X)))
    for rows, columns in found:
        assert len(rows) <= tiles.LEAF
        assert np.array_equal(columns[: len(rows)], rows)
        assert len(np.unique(columns)) == len(columns)
        t = ((X[rows, None] - X) ** 2).sum(axis=-1)
        near = np.flatnonzero((t <= reach**2).any(axis=0))
        assert np.isin(near, columns).all()
        gap = np.maximum(np.maximum(X[rows].min(axis=0) - X, X - X[rows].max(axis=0)), 0)
        expected = np.flatnonzero(
            (gap**2).sum(axis=1) <= reach**2
        )  # a box, not its corners' square
        assert np.array_equal(np.sort(columns), np.union1d(rows, expected))


def test_equal_points_are_tiled_too():
    found = list(tiles_within(np.zeros((200, 2)), REACH))
    assert sum(len(tile.rows) for tile in found) == 200
    assert all(len(tile.columns) == 200 for tile in found)


@pytest.mark.parametrize("scale", [1e150, 1e160, 1e300])
def test_points_far_apart_see_only_their_own_tile(scale):
    X = np.vstack([some_points(150), scale * (1 + some_points(150, seed=1))])
    for rows, columns in tiles_within(X, REACH):
        if rows.min() >= 150:
            assert np.isin(columns, np.append(rows, np.arange(150))).all()
            assert len(columns) < 300
    assert all(len(tile.columns) == len(tile.rows) for tile in tiles_within(X[150:], REACH))


def test_only_tiles_within_reach_are_searched_and_points_exactly_at_the_reach_belong(monkeypatch):
    monkeypatch.setattr(tiles, "LEAF", 64)
    searched, ranges = [], tiles._ranges
    spy = lambda starts, ends: searched.append(len(starts)) or ranges(starts, ends)
    monkeypatch.setattr(tiles, "_ranges", spy)
    for rows, columns in tiles_within(np.arange(1024.0)[:, None], 1.0):
        expected = np.arange(max(rows.min() - 1, 0), min(rows.max() + 2, 1024))
        assert np.array_equal(np.sort(columns), expected)
    assert len(searched) == 16 and sum(searched) == 2 * 16 - 2  # one on each side


def test_tiles_are_worth_it_for_many_points_and_a_short_reach():
    X = some_points(501)
    assert worth_tiling(X, 0.1)
    assert not worth_tiling(X[:-1], 0.1)
    assert not worth_tiling(X, 0.4)  # .8² > 1/2
    assert worth_tiling(X * [1, 9], 0.4)  # .8 x .8 / 9
    assert not worth_tiling(X, np.inf)
    assert not worth_tiling(np.zeros_like(X), 0.1)
    assert worth_tiling(1e308 * (X - 0.5) * 3, 1.0)  # the extent overflows


def test_tiles_are_worth_it_if_they_hold_fewer_than_half_of_all_pairs():
    along = np.linspace(0, 1, 501)[:, None]
    assert not worth_tiling(4 * along, 1.0)  # 2 of 4
    assert worth_tiling(4.1 * along, 1.0)
    assert worth_tiling(along * [0, 5], 1.0)  # all of the first axis, 2 of 5 along the second
