"""The panel that walks through a latent space of images."""

import base64
import json

import numpy as np
import pytest

from ukrlearn import datasets
from ukrlearn.blocks import scales, starts
from ukrlearn.blocks.density_kernels import quartic
from ukrlearn.blocks.kernel_regression import latent_density, predict, weights
from ukrlearn.panels import LatentExplorer


@pytest.fixture
def panel():
    Y, _ = datasets.digits(2, n_samples=60, random_state=0)
    shown = LatentExplorer(4 * scales.normalised(starts.pca(Y, 2)), Y, (8, 8))
    yield shown
    shown.close()


def test_the_picture_in_the_middle_is_the_forward_map(panel):
    panel.set(x1=1.0, x2=-0.5)
    f = predict(np.array([[1.0, -0.5]]), panel._X, panel._Y)
    np.testing.assert_allclose(panel._image.get_array(), f.reshape(8, 8), rtol=1e-12)


def test_the_summary_has_the_numbers_of_the_library(panel):
    panel.set(x1=2.0, x2=1.0)
    x = np.array([[2.0, 1.0]])
    b = weights(x, panel._X)[0]
    nearest = np.argsort(np.linalg.norm(panel._X - x, axis=1))
    assert f"p/K(0) = {latent_density(x, panel._X)[0]:.4f}" in panel.summary()
    assert f"no. {nearest[0]}, with {100 * b[nearest[0]]:.0f} % of the weight" in panel.summary()
    assert f"together {100 * b[nearest[:6]].sum():.0f} %" in panel.summary()
    shown = [np.ravel(image.get_array()) for image in panel._images]
    np.testing.assert_array_equal(shown, panel._Y[nearest[:6]])


def test_it_starts_at_the_point_of_greatest_density(panel):
    densest = np.argmax(latent_density(panel._X, panel._X))
    np.testing.assert_allclose(list(panel.state().values()), panel._X[densest])


@pytest.mark.parametrize(
    ("right", "up", "name", "sign"),
    [(-1, 0, "x1", -1), (1, 0, "x1", 1), (0, 1, "x2", 1), (0, -1, "x2", -1)],
)
def test_going_moves_by_one_image_of_the_grid(panel, right, up, name, sign):
    panel.set(x1=0.0, x2=0.0).go(right, up)
    stride = panel._stride[0 if name == "x1" else 1]
    assert panel.state() == pytest.approx({"x1": 0.0, "x2": 0.0, name: sign * stride})


def test_going_stops_at_the_border(panel):
    for _ in range(30):
        panel.go(-1, 1)
    assert panel.state() == pytest.approx({"x1": panel._low[0], "x2": panel._high[1]})


def test_the_page_gets_the_images_to_half_a_step(panel):
    given = panel.given()
    assert len(json.dumps(given)) < 40_000
    steps = np.frombuffer(base64.b64decode(given["Y"]["steps"]), "<u2")
    low, high = given["Y"]["low"], given["Y"]["high"]
    images = low + steps * (high - low) / 65535
    np.testing.assert_allclose(images, panel._Y.ravel(), atol=0.51 * (high - low) / 65535)
    np.testing.assert_allclose(given["X"], panel._X, atol=1e-6)
    assert (given["shape"], given["kernel"]) == ([8, 8], "gaussian")


def test_images_that_are_all_the_same_can_be_sent_too():
    panel = LatentExplorer(np.eye(4)[:, :2], np.full((4, 4), 3.0), (2, 2))
    assert panel.given()["Y"]["low"] == panel.given()["Y"]["high"] == 3
    panel.close()


def test_a_path_comes_from_the_page_and_from_the_kernel(panel):
    panel._view.out = {"path": [[0.0, 1.0], [1.0, 1.5]]}
    np.testing.assert_array_equal(panel.path, [[0, 1], [1, 1.5]])
    panel.put(path=np.array([[2.0, 1.0]]))
    assert panel._view.put["path"] == [[2.0, 1.0]]
    twin = panel.copy()
    np.testing.assert_array_equal(twin.path, [[2, 1]])
    twin.close()
    with pytest.raises(ValueError, match="path must be finite"):
        panel.put(path=[[0.0, float("nan")]])
    panel.put(path=[])
    assert panel.path.shape == (0, 2)


def test_outside_the_domain_is_said(panel):
    panel.set(x1=panel._low[0], x2=panel._low[1])
    assert "outside the domain" in panel.summary()
    assert "inside the domain" in panel.reset().summary()


def test_where_no_compact_kernel_reaches_the_mean_is_shown():
    Y, _ = datasets.digits(2, n_samples=60, random_state=0)
    panel = LatentExplorer(4 * scales.normalised(starts.pca(Y, 2)), Y, (8, 8), quartic)
    panel.set(x1=panel._low[0], x2=panel._low[1])
    assert "density p/K(0) = 0.0000" in panel.summary()
    np.testing.assert_allclose(np.ravel(panel._image.get_array()), Y.mean(axis=0))
    panel.close()
