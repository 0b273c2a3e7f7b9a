"""The panel that projects a new point: its numbers are the library's, its constraint holds."""

import re

import numpy as np
import pytest

from ukrlearn import datasets
from ukrlearn.blocks.kernel_regression import latent_density, predict
from ukrlearn.panels import Projection
from ukrlearn.ukr.density_constraint import relative_density
from ukrlearn.ukr.projection import project


@pytest.fixture
def panel():
    Y, t = datasets.noisy_spiral(80, random_state=0)
    shown = Projection(60 * t[:, None], Y)
    yield shown
    shown.close()


def number(summary, name):
    return float(re.search(rf"{name} = (-?[\d.]+\d)", summary)[1])


def test_the_summary_has_the_numbers_of_the_library(panel):
    panel.set(y1=0.3, y2=-0.9)
    X, Y = panel._X, panel._Y
    found = project(np.array([[0.3, -0.9]]), X, Y, threshold=relative_density(X).min())
    f = predict(found.x, X, Y)[0]
    assert f"place x = {found.x[0, 0]:.2f} with f(x) = ({f[0]:.2f}, {f[1]:.2f})" in panel.summary()
    assert f"squared distance {found.squares[0]:.4f}" in panel.summary()
    assert number(panel.summary(), r"p/K\(0\)") == pytest.approx(found.density[0], abs=5e-5)


def test_the_start_is_the_nearest_reconstruction(panel):
    panel.set(y1=-0.4, y2=0.7)
    f = predict(panel._X, panel._X, panel._Y)
    nearest = np.argmin(np.sum((f - [-0.4, 0.7]) ** 2, axis=1))
    assert number(panel.summary(), "Start x") == pytest.approx(panel._X[nearest, 0], abs=5e-3)
    np.testing.assert_allclose(np.ravel(panel._starts[0].get_data()), f[nearest])


def test_the_way_starts_at_the_start_and_the_place_is_its_best_position(panel):
    y = np.array([0.5, 0.9])
    way, found = panel.place(y, 0.0)
    squares = np.sum((predict(way, panel._X, panel._Y) - y) ** 2, axis=1)
    assert found.squares[0] == pytest.approx(squares.min())
    assert np.any(way[1] != way[0])
    assert np.any(way[-1] != way[-2])  # standing still at the end is not part of the way


def test_the_curve_exists_where_the_density_allows_it(panel):
    high = panel._controls["threshold"].high
    panel.set(threshold=high / 2)
    drawn = np.isfinite(panel._manifold.get_data()[0])
    allowed = latent_density(panel._grid, panel._X) >= high / 2
    np.testing.assert_array_equal(drawn, allowed)
    assert 0 < drawn.sum() < len(drawn)
    panel.set(constraint=False)
    assert np.isfinite(panel._manifold.get_data()[0]).all()
    assert not panel._border.get_visible()
    assert panel.summary().endswith("no constraint.")


@pytest.mark.parametrize("y", [(0, 0), (1.2, 0), (-1, -1)])
def test_a_place_obeys_the_constraint_and_costs_no_less(panel, y):
    high = panel._controls["threshold"].high
    _, free = panel.place(y, 0.0)
    _, bound = panel.place(y, high)
    assert bound.density[0] >= high
    assert bound.squares[0] >= free.squares[0] - 1e-9


def test_the_border_of_the_domain_is_named():
    X = np.linspace(0, 9, 40)[:, None]
    panel = Projection(X, np.hstack([X, 0 * X]))
    panel.set(y1=panel._controls["y1"].high, y2=0.0)
    assert "on the border of the domain" in panel.summary()
    panel.set(y1=4.5)
    assert "inside the domain" in panel.summary()
    panel.close()


def test_a_threshold_of_ones_own_is_the_first_position_of_the_slider():
    X = np.linspace(0, 9, 40)[:, None]
    panel = Projection(X, np.hstack([X, X]), threshold=0.1)
    assert panel.state()["threshold"] == 0.1
    panel.close()
