"""The panel of shortest paths on the roll: its graph, its way from end to end, its words."""

import numpy as np
import pytest
from helpers import assert_close
from scipy.spatial.distance import cdist
from sklearn.manifold import Isomap

from ukrlearn import metrics
from ukrlearn.explicit import si as loops
from ukrlearn.panels import Geodesics


@pytest.fixture(scope="module")
def panel():
    shown = Geodesics(300)
    yield shown
    shown.close()


@pytest.fixture(autouse=True)
def from_the_start(panel):
    panel.reset()


def test_the_graph_and_the_way_are_those_of_the_loops():
    small = Geodesics(40, n_neighbors=3)
    walk = small.walk(3, 0.2, 0.0)
    edges = loops.neighbor_graph(loops.euclidean_distances(walk.Y.tolist()), 3)
    arcs = loops.agglomerate(loops.euclidean_distances(walk.Y.tolist()), edges)
    expected = {frozenset((i, j)) for i, row in enumerate(edges) for j in row}
    assert {frozenset(edge) for edge in walk.edges.tolist()} == expected
    added = {frozenset(edge) for edge in walk.edges[walk.is_arc].tolist()}
    assert added == {frozenset(arc) for arc in arcs}
    assert walk.length == pytest.approx(loops.dijkstra(edges, 0)[1])
    steps = np.diff(walk.Y[walk.path], axis=0)
    assert np.linalg.norm(steps, axis=1).sum() == pytest.approx(walk.length)
    assert (walk.path[0], walk.path[-1]) == (0, 1)
    small.close()


def test_its_coordinates_are_those_of_scikit_learn(panel):
    walk = panel.walk(6, 0.2, 0.0)
    theirs = Isomap(n_neighbors=6, n_components=2).fit_transform(walk.Y)
    assert_close(cdist(walk.X, walk.X), cdist(theirs, theirs), rtol=1e-6)
    assert walk.score == pytest.approx(metrics.procrustes_r2(theirs, walk.t))


def test_at_the_start_the_path_follows_the_sheet(panel):
    walk = panel.walk(**panel.state())
    assert not walk.is_short.any() and not walk.is_arc.any()
    assert walk.straight < walk.length < 1.2 * walk.straight and walk.score > 0.95


@pytest.mark.parametrize("change", [{"n_neighbors": 8}, {"noise": 1.0}, {"hole": 0.5}])
def test_each_control_makes_shortcuts_and_the_path_takes_one(panel, change):
    walk = panel.walk(**{**panel.state(), **change})
    assert walk.is_short.any() and walk.length < 0.8 * walk.straight
    assert "over 1 shortcut;" in panel.set(**change).summary()


def test_a_shortcut_joins_points_far_apart_on_the_sheet_and_near_in_space(panel):
    walk = panel.walk(10, 0.2, 0.0)
    apart = lambda Z: np.linalg.norm(np.diff(Z[walk.edges], axis=1)[:, 0], axis=1)
    assert apart(walk.t)[walk.is_short].min() > 20 > apart(walk.t)[~walk.is_short].max()
    assert apart(walk.Y)[walk.is_short].max() < 12


def test_noise_only_lengthens_the_same_deviations(panel):
    clean, one, two = (panel.walk(6, noise, 0.0).Y for noise in (0.0, 1.0, 2.0))
    assert_close(two - clean, 2 * (one - clean))


def test_a_hole_takes_its_share_of_the_points_from_the_middle(panel):
    t = panel.walk(6, 0.2, 0.4).t
    assert (np.abs(2 * t / [90, 21] - 1).max(axis=1) >= 0.4).all()
    assert 0.7 < len(t) / 300 < 0.95


def test_few_neighbours_need_arcs_which_are_drawn_and_counted(panel):
    panel.set(n_neighbors=2)
    walk = panel.walk(2, 0.2, 0.0)
    arcs = int(walk.is_arc.sum())
    assert arcs > 0 and f"{arcs} added, because it was in {arcs + 1} pieces" in panel.summary()
    drawn = panel._arcs[1].get_xydata().reshape(-1, 3, 2)[:, :2]
    assert_close(drawn, walk.t[walk.edges[walk.is_arc]])


def test_the_summary_has_the_numbers(panel):
    walk = panel.walk(8, 0.2, 0.0)
    said = panel.set(n_neighbors=8).summary()
    assert f"300 points, 8 neighbours each: {len(walk.edges)} edges, in one piece" in said
    assert f"{walk.is_short.sum()} edges join two turns" in said
    assert f"path is {walk.length:.1f} long" in said and f"explain {walk.score:.1%}" in said
