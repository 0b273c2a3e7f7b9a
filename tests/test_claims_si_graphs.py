"""What lessons 27 and 30 say of graphs and geodesics in [SI], on draws that no lesson shows."""

import numpy as np
import pytest

from ukrlearn import AgglomerativeIsomap, datasets, metrics
from ukrlearn.blocks import scales, starts
from ukrlearn.si import geodesics
from ukrlearn.ukr.reconstruction import squared_residuals

RIGHT = 0.995  # rank correlation above which an order is right
BETWEEN = [[0.0, 0.575]]  # halfway between two turns of the spiral


def embedded(Y, h, q=1, **options):
    return AgglomerativeIsomap(q, n_neighbors=h, mapping="nystroem", **options).fit(Y)


def crossings(graph, t):
    """Edges and arcs whose ends are more than half a turn of the spiral apart."""
    angle = 4 * np.pi * (np.linalg.norm(datasets.spiral_curve(t), axis=1) - 0.2)
    i, j = graph.lengths.nonzero()
    return np.sum(np.abs(angle[i] - angle[j]) > np.pi) // 2


@pytest.mark.parametrize("h", [4, 10])
def test_the_order_of_the_spiral_is_right_exactly_where_nothing_crosses_the_gap(h):
    seen = []
    for seed in range(4000, 4012):
        Y, t = datasets.noisy_spiral(300, random_state=seed)
        model = embedded(Y, h)
        right = metrics.order_recovered(model.embedding_, t) > RIGHT
        assert right == (crossings(model.graph_, t) == 0), seed
        seen.append(right)
    assert sum(seen) >= 9 if h == 4 else 2 <= sum(seen) <= 9


def test_one_point_between_two_turns_spoils_the_order_and_the_error():
    for seed in (4000, 4001, 4002, 4003, 4004, 4005):
        Y, t = datasets.noisy_spiral(300, random_state=seed)
        X = embedded(Y, 10).embedding_
        if metrics.order_recovered(X, t) < RIGHT:
            continue
        spoiled = embedded(np.vstack([Y, BETWEEN]), 10).embedding_[:300]
        assert metrics.order_recovered(spoiled, t) < 0.95
        assert best_error(spoiled, Y) > 10 * best_error(X, Y)


def best_error(X, Y):
    error = lambda X: squared_residuals(X, Y).mean()
    return scales.best_scale(scales.normalised(X), error).error


def test_isomap_sorts_photographs_that_principal_components_do_not():
    for seed in range(30, 38):
        images, degrees = datasets.rotated_digits(1, 180, label=7, random_state=seed)
        photos = images[:90] + 0.5 * np.random.RandomState(seed).normal(size=(90, 256))
        found = metrics.order_recovered(embedded(photos, 4).embedding_, degrees[:90])
        assert found > 0.99 > 0.95 > metrics.order_recovered(starts.pca(photos, 1), degrees[:90])


def test_the_tree_opens_a_ring_in_pieces_and_arcs_between_all_pairs_close_it():
    for seed in range(30, 38):
        Y, t = datasets.partitioned_circle(150, gap=0.3, random_state=seed)
        tree, closed = (embedded(Y, 4, 2, arcs=arcs) for arcs in ("tree", "all-pairs"))
        x = tree.embedding_[:, 0]
        assert max(metrics.order_recovered(x, (t - third / 3) % 1) for third in range(3)) > 0.99
        assert geodesics.elbow(tree.residual_variances(5)) == 1
        assert geodesics.elbow(closed.residual_variances(5)) == 2
        assert tree.negative_share() < 0.02 < 0.1 < closed.negative_share()
