"""The aggregation panel: the arrows are gradients of the library, before and after its filters."""

import numpy as np
import pytest
from helpers import example_of

from ukrlearn import SpectralGuidance, sgd
from ukrlearn.panels import Aggregation
from ukrlearn.panels.aggregation import HARD, SOFT
from ukrlearn.sgd import neighbor_embedding

panel = example_of(Aggregation)


def gradients(panel):
    """Of the library, for the values on show: plain and guided, (N, 2) each."""
    values = panel.state()
    from ukrlearn import datasets

    Y, _ = datasets.partitioned_circle(36, random_state=0)
    P = neighbor_embedding.neighbor_probabilities(Y, 0.3)
    X = panel.X
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
    left, right = panel._arrows
    np.testing.assert_array_equal(left.U, right.U)
    np.testing.assert_array_equal(left.V, right.V)
    assert "36.0 of 36 directions" in panel.summary()


def test_the_arrows_are_the_movements_at_equal_size(panel):
    panel.set(nu=3)
    for arrows, gradient in zip(panel._arrows, gradients(panel), strict=True):
        movements = -gradient
        drawn = np.column_stack([arrows.U, arrows.V])
        scale = np.linalg.norm(drawn) / np.linalg.norm(movements)
        np.testing.assert_allclose(drawn, scale * movements, atol=1e-12)
        assert np.linalg.norm(drawn) == pytest.approx(0.55 * 0.5 * 6)


def test_the_aggregated_directions_are_weighted_sums(panel):
    panel.set(l=3)
    plain, _ = gradients(panel)
    A = -panel._spectrum.vectors[:, :3].T @ plain
    drawn = np.column_stack([panel._directions.U, panel._directions.V])
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


def test_points_that_the_hand_moved_belong_to_their_seed_until_reset(panel):
    X = panel.start(3) + 0.25
    X[4] = 1.0, -1.0
    panel._view.out = {"X": X.ravel().tolist(), "seed": 3}
    np.testing.assert_array_equal(panel.X, X)
    assert panel.summary().startswith("Moved from seed 3")
    plain, guided = gradients(panel.set(nu=2))
    assert f"plain {mean_cosine(-plain):.2f}, guided {mean_cosine(-guided):.2f}." in panel.summary()
    twin = panel.copy()
    np.testing.assert_array_equal(twin.X, X)
    assert twin.summary() == panel.summary()
    twin.close()
    np.testing.assert_array_equal(panel.set(seed=4).X, panel.start(4))
    np.testing.assert_array_equal(panel.set(seed=3).X, X)
    np.testing.assert_array_equal(panel.reset().X, panel.start(3))
    assert panel.summary().startswith("Seed 3, ")


def test_the_kernel_can_put_points_more_than_once(panel):
    X = panel.start(9)
    told = []
    panel._view.observe(lambda change: told.append(change["new"]["X"]), "put")
    for _ in range(2):
        panel.put(X=X)
    assert told == [X.tolist()] * 2
    np.testing.assert_array_equal(panel._points[0].get_offsets(), panel.start(3))
    panel.summary()
    np.testing.assert_array_equal(panel._points[1].get_offsets(), X)
    assert panel.put(X=10 * X)._points[0].axes.get_xlim()[1] < np.abs(10 * X).max()
    panel.summary()
    assert panel._points[0].axes.get_xlim()[1] > np.abs(10 * X).max()


@pytest.mark.parametrize("X", [np.zeros((35, 2)), np.full((36, 2), np.nan), [1.0, 2.0]])
def test_points_that_do_not_fit_are_refused(panel, X):
    with pytest.raises(ValueError, match=r"X must be finite|finite numbers in shape \(36, 2\)"):
        panel.put(X=X)


def test_the_page_gets_a_spectrum_of_bounded_size(monkeypatch):
    from ukrlearn import datasets
    from ukrlearn.panels import aggregation

    monkeypatch.setattr(aggregation, "LEADING", 20)
    Y, t = datasets.partitioned_circle(36, random_state=0)
    panel = Aggregation(Y, np.floor(3 * t))
    given = panel.given()
    assert np.shape(given["vectors"]) == (36, 20) and len(given["values"]) == 20
    full = SpectralGuidance(h=0.3).spectrum(Y).values
    assert given["rest"] == pytest.approx(full[20:].mean())
    panel.close()
