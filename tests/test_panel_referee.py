"""The panel of four judges: what it shows is what the metrics say, of each damage."""

import numpy as np
import pytest
from helpers import example_of

from ukrlearn import metrics
from ukrlearn.panels.referee import DAMAGES, LEAST, OTHER, TOUR, Referee, laid_upon, tour

panel = example_of(Referee, "module")


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_summary_has_the_numbers_of_the_metrics(panel, damage):
    panel.set(damage=damage, amount=0.5)
    X = panel.damaged(damage, 0.5)
    numbers = [
        1 - metrics.trustworthiness(X, panel._Y, 5),
        1 - metrics.continuity(X, panel._Y, 5),
        *metrics.two_way(X, panel._Y),
    ]
    for number in numbers:
        assert f"= {number:.4f}" in panel.summary()
    shown = [dot.get_ydata()[0] for dot in panel._dots]
    np.testing.assert_allclose(shown, np.maximum(numbers, LEAST))


@pytest.mark.parametrize("damage", DAMAGES)
def test_without_an_amount_nothing_is_damaged(panel, damage):
    np.testing.assert_allclose(panel.damaged(damage, 0.0), panel._X, atol=1e-9)


def test_the_judges_compare_another_embedding_wherever_it_lies(panel):
    X, Y = panel._X, panel._Y
    other = X @ [[1.0, 0.0], [0.4, 0.2]] + 0.1 * np.sin(3 * X)
    turned = 7 * other @ [[0.6, -0.8], [-0.8, -0.6]] - 30  # and mirrored
    two = Referee(X, Y, turned).set(damage=OTHER, amount=1)
    losses = list(two.losses(OTHER, 1.0).values())
    wanted = 1 - metrics.trustworthiness(other, Y, 5), 1 - metrics.continuity(other, Y, 5)
    np.testing.assert_allclose(losses[:2], wanted)
    np.testing.assert_allclose(losses[2:], metrics.two_way(other, Y))
    shown = two.damaged(OTHER, 1.0)
    np.testing.assert_allclose(shown, laid_upon(other, X))
    assert np.sum((shown - X) ** 2) < np.sum((other - X) ** 2)
    np.testing.assert_array_equal(two.damaged(OTHER, 0.0), X)
    assert two.copy().summary() == two.summary() and OTHER in two.summary()
    assert OTHER not in panel._controls["damage"].options
    two.close()


def test_another_embedding_has_a_row_for_each_point_and_varies(panel):
    for other, why in ((panel._X[:-1], "same number of rows"), (0 * panel._X, "must vary")):
        with pytest.raises(ValueError, match=why):
            Referee(panel._X, panel._Y, other)


def test_a_fold_lays_the_right_half_onto_the_left(panel):
    folded, middle = panel.damaged("fold", 1.0), panel._X[:, 0].max() - np.ptp(panel._X[:, 0]) / 2
    assert folded[:, 0].max() <= middle
    left = panel._X[:, 0] <= middle
    np.testing.assert_array_equal(folded[left], panel._X[left])
    np.testing.assert_allclose(middle - folded[~left, 0], panel._X[~left, 0] - middle)


def test_a_tear_moves_whole_strips_and_a_stretch_keeps_the_order(panel):
    moved = panel.damaged("tear", 1.0) - panel._X
    assert set(moved[:, 0]) == {0.0}
    assert len(np.unique(moved[:, 1].round(9))) == 2
    stretched = panel.damaged("stretch", 1.0)
    np.testing.assert_array_equal(np.argsort(stretched[:, 0]), np.argsort(panel._X[:, 0]))


def test_each_judge_has_a_blind_spot(panel):
    at = {damage: list(panel.losses(damage, 1.0).values()) for damage in DAMAGES}
    untouched = list(panel.losses("fold", 0.0).values())
    trust, continuity, back, forth = range(4)
    assert at["fold"][trust] > 0.2 and at["fold"][back] > 0.8
    assert at["fold"][continuity] < 0.05 and at["fold"][forth] < at["fold"][back] / 10
    assert at["tear"][continuity] > 4 * untouched[continuity]
    assert at["tear"][forth] > 5 * untouched[forth]
    assert at["tear"][trust] < 2 * at["tear"][continuity] / 3
    assert at["tear"][back] < 3 * untouched[back]
    assert min(at["blur"]) > 0.05


def test_a_tour_visits_each_point_by_ways_that_no_turn_shortens():
    Y = np.random.default_rng(0).normal(size=(40, 3))
    x = tour(Y)[:, 0]
    way = np.argsort(x)
    length = lambda way: np.sum(np.linalg.norm(np.diff(Y[way], axis=0), axis=1))
    assert x[0] == x.min() == 0 and x.max() == pytest.approx(length(way))
    for i in range(1, 39):
        for j in range(i + 1, 40):
            turned = np.concatenate([way[:i], way[i : j + 1][::-1], way[j + 1 :]])
            assert length(turned) > length(way) - 1e-6


def test_a_tour_is_shown_as_wide_as_the_map_and_betrayed_by_the_second_way(panel):
    shown = panel.damaged(TOUR, 1.0)
    assert np.ptp(shown[:, 1]) == 0 and shown.std() == pytest.approx(panel._X.std(), rel=0.5)
    *_, forth = panel.losses(TOUR, 1.0).values()
    assert forth > 10 * list(panel.losses(TOUR, 0.0).values())[3]


def test_the_same_damage_is_the_same_picture_and_is_judged_once(panel):
    first = panel.set(damage="blur", amount=0.7).png()
    judged = len(panel._losses)
    panel.set(damage="fold").set(damage="blur", amount=0.7)
    assert panel.png() == first
    assert len(panel._losses) <= judged + 2


def test_an_unknown_damage_is_refused_and_the_picture_stays(panel):
    before = panel.png()
    with pytest.raises(ValueError, match="damage must be one of fold, tear, stretch, blur, a tour"):
        panel.set(damage="hammer")
    assert panel.png() == before


def test_the_ranks_of_a_point_are_counted_over_its_neighbours(panel):
    X, Y = panel.damaged("fold", 0.7), panel._Y
    found = panel.errors("fold", 0.7)

    def ranks(points, n):
        others = [m for m in range(len(points)) if m != n]
        others.sort(key=lambda m: np.sum((points[m] - points[n]) ** 2))
        return {m: rank for rank, m in enumerate(others, 1)}

    for n in range(0, len(X), 17):
        after, true = ranks(X, n), ranks(Y, n)
        nearest = [np.mean([b[m] for m, rank in a.items() if rank <= 5])
                   for a, b in ((after, true), (true, after))]  # fmt: skip
        np.testing.assert_allclose(found[n], nearest)


def test_what_the_page_brushed_is_marked_in_both_pictures_until_reset(panel):
    panel.set(damage="tear", amount=1.0)
    first = panel.png()
    panel._view.out = {"brushed": [2, 5, 7]}
    np.testing.assert_array_equal(panel.brushed, [2, 5, 7])
    said = panel.summary()
    wrong, lost = panel.errors("tear", 1.0)[[2, 5, 7]].mean(axis=0)
    assert "Brushed points: 3." in said and f"have the mean rank {wrong:.1f} in the data" in said
    assert f"mean rank {lost:.1f} after the damage" in said
    np.testing.assert_array_equal(panel._marks[0].get_xydata(), panel._X[[2, 5, 7]])
    np.testing.assert_array_equal(
        panel._marks[1].get_xydata(), panel.damaged("tear", 1.0)[[2, 5, 7]]
    )
    assert panel.png() != first
    twin = panel.copy()
    assert twin.summary() == said and twin.given()["brushed"] == [2, 5, 7]
    twin.close()
    assert "Brushed" not in panel.reset().summary()


def test_the_kernel_can_brush(panel):
    assert "Brushed points: 2." in panel.put(brushed=np.array([9, 1])).summary()
    assert sorted(panel._view.put["brushed"]) == [1, 9]
    panel.reset()


@pytest.mark.parametrize("numbers", [[-1], [100], [0.5], ["a"]])
def test_points_that_do_not_exist_cannot_be_brushed(panel, numbers):
    with pytest.raises(ValueError, match="numbers of points, 0 to 99"):
        panel.put(brushed=numbers)
