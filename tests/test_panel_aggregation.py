"""The aggregation panel: the arrows are gradients of the library, before and after its filters."""

import numpy as np
import pytest

from ukrlearn import SpectralGuidance, neighbor_embedding, sgd
from ukrlearn.panels import Aggregation
from ukrlearn.panels.aggregation import HARD, SOFT


@pytest.fixture
def panel():
    shown = Aggregation.example()
    yield shown
    shown.close()


def gradients(panel):
    """Of the library, for the values on show: plain and guided, (N, 2) each."""
    values = panel.state()
    from ukrlearn import datasets

    Y, _ = datasets.partitioned_circle(36, random_state=0)
    P = neighbor_embedding.neighbor_probabilities(Y, 0.3)
    X = panel.start(values["seed"])
    _, G = neighbor_embedding.neighbor_embedding_error(X, P)
    spectrum = SpectralGuidance(h=0.3).spectrum(Y)
    if values["cut"] == HARD:
        return G, sgd.leading_directions(spectrum, values["l"])(G)
    return G, sgd.powers(spectrum, values["nu"])(G)


def mean_cosine(movements):
    """Over pairs within the three clusters of twelve, by loops."""
    cosines = []
    for i in range(36):
        for j in range(i):
            if i // 12 == j // 12:
                a, b = movements[i], movements[j]
                cosines.append(a @ b / np.sqrt((a @ a) * (b @ b)))
    return np.mean(cosines)


@pytest.mark.parametrize("values", [{"nu": 2}, {"nu": 0.5, "seed": 7}, {"l": 2}, {"l": 5}])
def test_the_summary_has_the_cosines_and_the_directions(panel, values):
    panel.set(**values)
    plain, guided = gradients(panel)
    said = panel.summary()
    assert f"plain {mean_cosine(-plain):.2f}, guided {mean_cosine(-guided):.2f}." in said
    directions = panel.filter(**{k: panel.state()[k] for k in ("nu", "l", "cut")}).directions
    assert f"{directions:.1f} of 36 directions" in said
    cosine = np.vdot(plain, guided) / np.linalg.norm(plain) / np.linalg.norm(guided)
    assert f"a cosine of {cosine:.2f}" in said and cosine > 0


def test_guidance_makes_clusters_move_together_over_the_seeds(panel):
    better = []
    for seed in range(20):
        plain, guided = gradients(panel.set(seed=seed, nu=10))
        better.append(mean_cosine(guided) - mean_cosine(plain))
    assert np.median(better) > 0.5 and np.min(better) > 0


@pytest.mark.parametrize("values", [{"nu": 0}, {"l": 36}])
def test_at_these_ends_guidance_changes_nothing(panel, values):
    panel.set(**values)
    plain, guided = gradients(panel)
    np.testing.assert_array_equal(plain, guided)
    half = len(panel._arrows) // 2
    for (left, _), (right, _) in zip(panel._arrows[:half], panel._arrows[half:], strict=True):
        np.testing.assert_array_equal(left.U, right.U)
    assert "36.0 of 36 directions" in panel.summary()


def test_the_arrows_are_the_movements_at_equal_size(panel):
    panel.set(nu=3)
    for k, movements in enumerate(-gradient for gradient in gradients(panel)):
        drawn = np.zeros((36, 2))
        half = len(panel._arrows) // 2
        for arrows, members in panel._arrows[k * half : (k + 1) * half]:
            drawn[members] = np.column_stack([arrows.U, arrows.V])
        scale = np.linalg.norm(drawn) / np.linalg.norm(movements)
        np.testing.assert_allclose(drawn, scale * movements, atol=1e-12)
        assert np.linalg.norm(drawn) == pytest.approx(0.55 * 0.5 * 6)


def test_the_aggregated_directions_are_weighted_sums(panel):
    panel.set(l=3)
    plain, _ = gradients(panel)
    A = -panel._spectrum.vectors[:, :3].T @ plain
    U, V = panel._directions.U[::-1], panel._directions.V[::-1]
    drawn = np.column_stack([U, V])
    np.testing.assert_allclose(drawn[:3], A / np.linalg.norm(A, axis=1).max(), atol=1e-12)
    np.testing.assert_array_equal(drawn[3:], 0)


def test_a_slider_chooses_its_kind_of_guidance_and_a_choice_stays(panel):
    assert panel.set(l=4).state()["cut"] == HARD
    assert panel.set(nu=4).state()["cut"] == SOFT
    assert panel.set(l=6, cut=SOFT).state()["cut"] == SOFT
    assert panel.set(cut=HARD).state() == {"nu": 4, "l": 6, "cut": HARD, "seed": 3}


def test_no_slider_needs_another_eigendecomposition(panel, monkeypatch):
    def none(*_, **__):
        raise AssertionError("an eigendecomposition")

    monkeypatch.setattr(np.linalg, "eigh", none)
    for values in ({"nu": 7.3}, {"l": 9}, {"seed": 12}):
        panel.set(**values)


def test_bad_values_leave_the_last_picture(panel):
    before = panel.png()
    with pytest.raises(ValueError, match="strength of guidance ν must be between 0 and 10; got 11"):
        panel.set(nu=11)
    assert panel.png() == before


def test_data_without_labels_for_all_are_refused():
    with pytest.raises(ValueError, match="labels one entry per row"):
        Aggregation(np.zeros((5, 2)), np.zeros(4))
