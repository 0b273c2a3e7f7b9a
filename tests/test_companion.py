"""UKR as the companion of any embedding: it keeps the coordinates, and adds maps and a score."""

import numpy as np
import pytest
from helpers import read_only
from sklearn.base import BaseEstimator
from sklearn.datasets import load_digits
from sklearn.manifold import TSNE, Isomap

from ukrlearn import UKR, metrics

DIGITS = load_digits().data[:300]
Y, NEW = read_only(DIGITS[:240], DIGITS[240:])
tsne = TSNE(random_state=0, perplexity=20, init="pca", max_iter=300)
isomap = Isomap(n_neighbors=12)
VARIANCE = Y.var(axis=0).sum()


@pytest.fixture(scope="module")
def coordinates():
    """Of both methods, made once."""
    return {"tsne": tsne.fit_transform(Y), "isomap": isomap.fit_transform(Y)}


class Remembered(BaseEstimator):
    """A method whose coordinates are known already; only fit_transform, like TSNE."""

    def __init__(self, X):
        self.X = X

    def fit_transform(self, Y, y=None):
        return self.X


@pytest.fixture(scope="module", params=["tsne", "isomap"])
def pair(request, coordinates):
    """The coordinates of a method, and its companion."""
    method = {"tsne": tsne, "isomap": isomap}[request.param]
    return coordinates[request.param], UKR(init=method, max_iter=0).fit(Y)


# ------------------------------------------------------------------ coordinates are kept


def test_coordinates_are_kept_up_to_scale_exactly(pair):
    X, companion = pair
    assert metrics.procrustes_r2(companion.embedding_, X) == pytest.approx(1, abs=1e-9)
    (start,) = companion.starts_
    assert np.ptp(start.scale) == 0, "one factor for all axes"


def test_it_adds_the_maps_a_density_and_a_score(pair):
    _, companion = pair
    x = companion.transform(NEW)
    assert x.shape == (60, 2)
    back = companion.inverse_transform(x)
    assert back.shape == NEW.shape
    assert metrics.projection_error(NEW, back) < 0.6 * VARIANCE
    assert np.all(companion.density(x) >= companion.density_threshold_)
    assert 0.1 * VARIANCE < companion.cv_error_ < 0.7 * VARIANCE
    np.testing.assert_array_equal(companion.transform(Y), companion.embedding_)


def test_new_points_land_among_their_like(coordinates):
    labels = load_digits().target[:300]
    companion = UKR(init=Remembered(coordinates["tsne"]), max_iter=0).fit(Y)
    distances = np.linalg.norm(companion.transform(NEW)[:, None] - companion.embedding_, axis=2)
    assert np.mean(labels[:240][distances.argmin(axis=1)] == labels[240:]) > 0.85


def test_with_steps_it_polishes_them(coordinates):
    kept = UKR(init=Remembered(coordinates["tsne"]), max_iter=0).fit(Y)
    polished = UKR(init=Remembered(coordinates["tsne"]), max_iter=60).fit(Y)
    assert polished.cv_error_ < 0.9 * kept.cv_error_
    trust = [metrics.trustworthiness(model.embedding_, Y) for model in (kept, polished)]
    assert trust[1] > trust[0] - 0.01


def test_it_works_in_feature_space_too():
    companion = UKR(data_kernel="l1", init=isomap, max_iter=0).fit(Y[:80])
    assert companion.transform(NEW[:3]).shape == (3, 2)


# ------------------------------------------------------------------ several methods, and failures


# ------------------------------------------------------------------ the score, without a model


def test_the_score_is_that_of_the_companion(pair):
    X, companion = pair
    score = metrics.loo_reconstruction(X, Y)
    assert score == pytest.approx(companion.cv_error_ / VARIANCE, rel=1e-3)


def test_coordinates_without_spread_score_as_the_mean():
    score = metrics.loo_reconstruction(np.zeros((240, 2)), Y)
    assert score == pytest.approx((240 / 239) ** 2)
