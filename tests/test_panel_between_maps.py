"""The panel between F(y) and the nearest place: both ends are what the models say."""

import numpy as np
import pytest
from helpers import example_of

from ukrlearn import UKR, ParametricDRUR, datasets
from ukrlearn.panels import BetweenMaps

panel = example_of(BetweenMaps, "module")


@pytest.fixture(scope="module")
def models():
    Y, t = datasets.noisy_arc(120, random_state=0)
    drur = ParametricDRUR(1, init=t[:, None], n_basis=12, max_iter=5, refine=False).fit(Y)
    return Y, drur, UKR(1, init=t[:, None], max_iter=30).fit(Y)


def test_it_opens_at_the_place_of_the_map_to_latent_space(models):
    panel, (_, drur, _) = BetweenMaps.example(), models
    expected = drur.inverse_transform(drur.transform(panel._new))
    assert panel.state() == {"share": 0}
    np.testing.assert_allclose(panel.places(0), expected, rtol=1e-9)
    np.testing.assert_allclose(np.transpose(panel._dots.get_data()), expected, rtol=1e-9)


def test_half_way_it_is_the_refined_place_of_the_estimator(panel, models):
    Y, drur, _ = models
    refined = ParametricDRUR(**{**drur.get_params(), "refine": True}).fit(Y)
    expected = refined.inverse_transform(refined.transform(panel._new))
    far = np.linalg.norm(panel.places(0.5) - expected, axis=1)
    assert np.median(far) < 0.005  # the search of the panel is on a grid, and looks everywhere


def test_at_the_end_no_place_on_the_curve_is_nearer(panel):
    nearest = np.linalg.norm(panel._new[:, None] - panel._curve, axis=2).min(axis=1)
    reached = np.linalg.norm(panel._new - panel.places(1.0), axis=1)
    assert (reached <= nearest + 1e-3).all()
    assert all(np.diff(panel._errors) <= 1e-12)


def test_the_places_of_ukr_are_its_projections_and_the_numbers_are_told(panel, models):
    _, _, ukr = models
    places = ukr.inverse_transform(ukr.transform(panel._new))
    error = np.mean(np.sum((panel._new - places) ** 2, axis=1))
    assert f"UKR's curve it is {error:.4f}" in panel.set(share=1.0).summary()
    assert f"of {panel.error(1.0):.4f} from their places" in panel.summary()


def test_models_of_other_data_are_refused(models):
    Y, drur, ukr = models
    with pytest.raises(ValueError, match="ukr must be fitted to Y with n_components=1; got no fit"):
        BetweenMaps(drur, UKR(1), Y, Y[:3])
    with pytest.raises(ValueError, match="drur must be fitted to Y with n_components=1"):
        BetweenMaps(drur, ukr, Y[:50], Y[:3])
