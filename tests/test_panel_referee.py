"""The panel of three judges: what it shows is what the metrics say, of each damage."""

import numpy as np
import pytest

from ukrlearn import metrics
from ukrlearn.panels.referee import DAMAGES, LEAST, Referee


@pytest.fixture(scope="module")
def panel():
    shown = Referee.example()
    yield shown
    shown.close()


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_summary_has_the_numbers_of_the_metrics(panel, damage):
    panel.set(damage=damage, amount=0.5)
    X = panel.damaged(damage, 0.5)
    numbers = [
        1 - metrics.trustworthiness(X, panel._Y, 5),
        1 - metrics.continuity(X, panel._Y, 5),
        metrics.loo_reconstruction(X, panel._Y),
    ]
    for number in numbers:
        assert f"= {number:.4f}" in panel.summary()
    shown = [dot.get_ydata()[0] for dot in panel._dots]
    np.testing.assert_allclose(shown, np.maximum(numbers, LEAST))


@pytest.mark.parametrize("damage", DAMAGES)
def test_without_an_amount_nothing_is_damaged(panel, damage):
    np.testing.assert_allclose(panel.damaged(damage, 0.0), panel._X, atol=1e-9)


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
    trust, continuity, not_rebuilt = range(3)
    assert at["fold"][trust] > 0.2 and at["fold"][not_rebuilt] > 0.8
    assert at["fold"][continuity] < 0.05
    assert at["tear"][continuity] > 4 * untouched[continuity]
    assert at["tear"][trust] < 2 * at["tear"][continuity] / 3
    assert at["tear"][not_rebuilt] < 3 * untouched[not_rebuilt]
    assert min(at["blur"]) > 0.05


def test_the_same_damage_is_the_same_picture_and_is_judged_once(panel):
    first = panel.set(damage="blur", amount=0.7).png()
    judged = len(panel._losses)
    panel.set(damage="fold").set(damage="blur", amount=0.7)
    assert panel.png() == first
    assert len(panel._losses) <= judged + 2


def test_an_unknown_damage_is_refused_and_the_picture_stays(panel):
    before = panel.png()
    with pytest.raises(ValueError, match="damage must be one of fold, tear, stretch, blur"):
        panel.set(damage="hammer")
    assert panel.png() == before
