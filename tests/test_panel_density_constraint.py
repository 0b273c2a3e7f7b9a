"""The density constraint panel: sizes are the library's, for curves and for surfaces."""

import json

import numpy as np
import pytest
from helpers import example_of

from ukrlearn import datasets
from ukrlearn.panels import DensityConstraint
from ukrlearn.panels.density_constraint import CELLS, MOVE
from ukrlearn.ukr.density_constraint import relative_density
from ukrlearn.ukr.extent import manifold_extent
from ukrlearn.ukr.reconstruction import reconstruction_error

panel = example_of(DensityConstraint, "module")


@pytest.fixture(scope="module")
def surface():
    Y, t = datasets.s_curve(300, noise=0.05, hole=0.4, random_state=0)
    shown = DensityConstraint(4 * t, Y)
    yield shown
    shown.close()


@pytest.mark.parametrize("threshold", [0.001, 0.03, 0.05])
def test_size_and_bounds_are_those_of_the_library(panel, surface, threshold):
    for shown in (panel, surface):
        cells = CELLS[shown._X.shape[1]]
        expected = manifold_extent(shown._X, shown._Y, threshold=threshold, per_axis=cells)
        np.testing.assert_allclose(shown.extent(threshold), expected, rtol=1e-9)


def test_the_summary_has_the_numbers(panel):
    panel.reset().set(threshold=0.03)
    extent = panel.extent(0.03)
    error = reconstruction_error(panel._X, panel._Y, leave_one_out=False)[0]
    outside = np.sum(relative_density(panel._X) < 0.03)
    assert f"Length {extent.measured:.3g}, bounds {extent.by_integral:.3g} and" in panel.summary()
    assert f"; {outside} of 80 latent points are outside" in panel.summary()
    assert panel.summary().endswith(f"R = {error:.4f}.")


def test_the_manifold_is_drawn_where_the_density_reaches_the_threshold(panel):
    panel.reset().set(threshold=0.03)
    drawn = np.isfinite(panel._curve.get_xdata())
    assert np.array_equal(drawn, panel._density.get_ydata() >= 0.03)
    assert 0 < drawn.sum() < len(drawn)


def test_above_the_greatest_density_there_is_no_manifold(panel):
    panel.reset().set(threshold=0.9)
    assert "the domain is empty" in panel.summary()
    assert not np.isfinite(panel._curve.get_xdata()).any()


@pytest.mark.parametrize("threshold", [0.02, 0.3, 0.99])
def test_moved_inside_every_latent_point_obeys_the_constraint(panel, threshold):
    panel.set(threshold=threshold, points=MOVE)
    X = panel._points.get_xdata()[:, None]
    assert relative_density(X).min() >= threshold
    assert "0 of 80 latent points are outside" in panel.summary()


def test_a_surface_is_perforated(surface):
    surface.reset().set(threshold=0.008)
    assert "in 1 piece with 1 hole;" in surface.summary()
    assert "Area" in surface.summary()
    surface.set(threshold=surface._controls["threshold"].high)
    assert "no manifold" in surface.summary()
    surface.reset()


def test_the_page_gets_points_sizes_and_ways_to_draw_points_together(panel):
    given = panel.given()
    np.testing.assert_allclose(given["X"], panel._X, atol=1e-9)
    assert given["extents"][MOVE][20] == list(panel.extent(given["thresholds"][20], MOVE))
    for factor, least in zip(given["factors"], given["least"], strict=True):
        assert relative_density(factor * panel._X).min() == pytest.approx(least)
    assert (given["cells"], given["kernel"]) == (600, "gaussian")
    assert len(json.dumps(given)) < 50_000
