"""The panel Untangle from Python: what the page gets, and what comes back from it."""

import numpy as np
import pytest

from ukrlearn import datasets
from ukrlearn.panels import Untangle
from ukrlearn.sgd import affinity


@pytest.fixture(scope="module")
def spiral():
    Y, t = datasets.noisy_spiral(80, noise=0.03, random_state=1)
    return Y, t


@pytest.fixture
def panel(spiral):
    made = Untangle(*spiral, h=0.05)
    yield made
    made.close()


def test_the_page_gets_the_data_the_start_and_the_leading_eigenvectors(panel, spiral):
    given = panel.given()
    np.testing.assert_allclose(given["Y"], spiral[0], atol=1e-6)
    np.testing.assert_allclose(given["X"], panel.X, atol=1e-6)
    assert min(given["t"]) == 0 and max(given["t"]) == 1
    M = affinity.clustering_affinity(spiral[0], 0.05)
    V, values = np.array(given["vectors"]), np.array(given["values"])
    assert V.shape == (80, 60) and len(values) == 80
    second = np.linalg.eigvalsh(M)[-2]  # the first belongs to the constant, which is removed
    np.testing.assert_allclose(M @ V[:, 0], second * V[:, 0], atol=1e-3)
    np.testing.assert_allclose(V.T @ V, np.eye(60), atol=1e-4)


def test_what_the_hand_has_made_comes_back_and_changes_the_words(panel, spiral):
    before = panel.summary()
    order = np.argsort(np.argsort(spiral[1]))
    panel._view.out = {"X": (order / 3.0).tolist(), "Y": (spiral[0] + 0.5).ravel().tolist()}
    assert panel.X.shape == (80, 1) and panel.X[:, 0].tolist() == (order / 3.0).tolist()
    np.testing.assert_allclose(panel.points, spiral[0] + 0.5)
    assert panel.summary() != before and "order recovered: 1.000" in panel.summary()


def test_points_can_be_put_and_a_copy_keeps_them(panel):
    panel.put(X=panel.X * 2, Y=panel.points + 1)
    twin = panel.copy()
    np.testing.assert_allclose(twin.X, panel.X)
    np.testing.assert_allclose(twin.points, panel.points)
    twin.put(X=twin.X + 1)
    assert not np.allclose(twin.X, panel.X)
    twin.close()


def test_a_wider_bandwidth_raises_the_error_of_a_good_order(panel, spiral):
    panel.put(X=150 * spiral[1][:, None])
    errors = [
        float(panel.set(bandwidth=h).summary().split("error ")[1].split(";")[0]) for h in (1, 10)
    ]
    assert errors[1] > 3 * errors[0]
