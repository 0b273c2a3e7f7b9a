"""How large a manifold is: measured, and its bounds (5) and (21)."""

import numpy as np
import pytest
from helpers import (
    TWINS,
    assert_close,
    curve,
    differences,
    each,
    every_kernel,
    gaussian,
    quartic,
    random_motion,
    read_only,
    small_problem,
    wide,
)

from ukrlearn import explicit
from ukrlearn.blocks.kernel_regression import latent_density, predict
from ukrlearn.ukr import extent
from ukrlearn.ukr.extent import data_norm, latent_grid, manifold_extent, stretches

X_CURVE, Y_CURVE = curve()
X_CURVE = read_only(3 * X_CURVE)


def test_grid_holds_the_centres_of_the_cells_of_the_box():
    X = np.array([[0.0, 10.0], [2.0, 40.0], [1.0, 20.0]])
    x, cell = latent_grid(X, 2)
    assert x.tolist() == [[0.5, 17.5], [0.5, 32.5], [1.5, 17.5], [1.5, 32.5]]
    assert cell == 1.0 * 15.0
    x, cell = latent_grid(X)
    assert len(x) == 200**2 and cell * len(x) == pytest.approx(2 * 30, rel=1e-12)
    x, cell = latent_grid(X[:, :1], 4)
    assert x.tolist() == [[0.25], [0.75], [1.25], [1.75]] and cell == 0.5


@every_kernel
def test_length_and_bounds_of_a_curve_are_those_of_the_loops(kernel):
    X, Y = X_CURVE[::6], Y_CURVE[::6] - Y_CURVE[::6].mean(axis=0)
    X = X / 3
    positions = np.linspace(X.min(), X.max(), 401)[:, None]
    norm = np.linalg.norm(Y, ord=2)
    of_loops = explicit.manifold_extent(positions, X, Y, norm, TWINS[kernel])
    assert manifold_extent(X, Y, kernel) == pytest.approx(of_loops, rel=1e-3)


def test_area_of_a_surface_is_that_of_the_triangles_through_many_of_its_points():
    axis = np.linspace(-1.5, 1.5, 12)
    X = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
    Y = np.column_stack([X, np.sin(2 * X[:, 0])])
    fine = np.linspace(-1.5, 1.5, 120)
    x = np.stack(np.meshgrid(fine, fine, indexing="ij"), axis=-1).reshape(-1, 2)
    f = predict(x, X, Y).reshape(120, 120, 3)
    a, b = np.diff(f, axis=0), np.diff(f, axis=1)
    lower = np.linalg.norm(np.cross(a[:, :-1], b[:-1]), axis=-1).sum() / 2
    upper = np.linalg.norm(np.cross(a[:, 1:], b[1:]), axis=-1).sum() / 2
    assert manifold_extent(X, Y).measured == pytest.approx(lower + upper, rel=1e-3)


@each("q", [1, 2])
@every_kernel
def test_stretches_are_those_of_singular_values_and_differences(kernel, q):
    X, Y = small_problem(q=q)
    x = 0.5 * X[:4]
    of_map = lambda z: explicit.predict([z], X, Y, TWINS[kernel])[0]
    of_manifold, of_weights = stretches(x, X, Y, kernel)
    for m in range(4):
        sizes = np.linalg.svd(differences(of_map, x[m]), compute_uv=False)
        assert of_manifold[m] == pytest.approx(np.prod(sizes), rel=1e-6)
        J_b = explicit.weights_jacobian([x[m]], X, TWINS[kernel])[0]
        assert of_weights[m] == pytest.approx(np.linalg.norm(J_b, ord=2) ** q, rel=1e-10)


def test_norm_of_the_data_is_the_greatest_singular_value_about_the_mean():
    covariance = np.cov(Y_CURVE.T, bias=True)
    expected = np.sqrt(60 * np.linalg.eigvalsh(covariance)[-1])
    assert data_norm(Y_CURVE + 9) == pytest.approx(expected, rel=1e-10)


@each("threshold", [0.0, 0.05, 0.3])
@every_kernel
def test_bounds_hold_in_their_order(kernel, threshold):
    random = np.random.default_rng(0)
    for q in (1, 2):
        X, Y = random.normal(size=(30, q)), random.normal(size=(30, 3))
        extent = manifold_extent(X, Y, kernel, threshold, per_axis=30)
        assert 0 <= extent.measured <= extent.by_integral <= extent.by_greatest_slope


def test_three_latent_dimensions_have_a_volume():
    axis = np.linspace(0, 2, 6)
    X = np.stack(np.meshgrid(axis, axis, axis), axis=-1).reshape(-1, 3)
    extent = manifold_extent(X, 2 * X)
    again = manifold_extent(X, 2 * X, per_axis=20)
    assert extent == again and 0 < extent.measured < extent.by_integral


def test_defaults_are_2000_cells_for_curves_and_60_by_60_for_surfaces():
    assert manifold_extent(X_CURVE, Y_CURVE) == manifold_extent(X_CURVE, Y_CURVE, per_axis=2000)
    X = np.random.default_rng(0).normal(size=(20, 2))
    assert manifold_extent(X, X) == manifold_extent(X, X, gaussian, 0.0, per_axis=60)


def test_a_higher_threshold_leaves_less_of_the_domain():
    low, high = np.quantile(latent_density(X_CURVE, X_CURVE), [0.3, 0.6])
    extents = [manifold_extent(X_CURVE, Y_CURVE, threshold=eta) for eta in (0, low, high)]
    for part in zip(*extents, strict=True):
        assert part[0] > part[1] > part[2] > 0
    nothing = manifold_extent(X_CURVE, Y_CURVE, threshold=0.999)
    assert nothing == (0, 0, 0)
    least = latent_density(latent_grid(X_CURVE, 2000)[0], X_CURVE).min()
    assert manifold_extent(X_CURVE, Y_CURVE, threshold=least * 0.999) == extents[0]


def test_positions_with_exactly_the_least_density_belong_to_the_domain():
    X, Y = np.array([[0.0], [1.0]]), np.array([[0.0], [3.0]])
    both = (0.9375**2 + 0.4375**2) / 2  # p at 1/4 and 3/4, the centres of two cells, over K(0)
    assert manifold_extent(X, Y, quartic, both, per_axis=2).measured > 0
    assert manifold_extent(X, Y, quartic, both * (1 + 1e-15), per_axis=2) == (0, 0, 0)
    both = ((63 / 64) ** 3 + (55 / 64) ** 3) / 2
    assert manifold_extent(X, Y, wide, 0.999 * both, per_axis=2).measured > 0
    assert manifold_extent(X, Y, wide, 1.001 * both, per_axis=2) == (0, 0, 0)


def test_blocks_of_positions_hold_a_million_derivatives_of_weights(monkeypatch):
    sizes = []
    slopes = lambda x, X, *_: np.zeros((len(x), 1, X.shape[1]))
    monkeypatch.setattr(extent, "predict_jacobian", slopes)
    spy = lambda x, X, *_: sizes.append(len(x)) or slopes(x, X)
    monkeypatch.setattr(extent, "weights_jacobian", spy)
    stretches(np.zeros((4096, 2)), np.zeros((1024, 2)), None)
    assert sizes == [512] * 8  # 512 * 1024 * 2 = 2**20
    sizes.clear()
    stretches(np.zeros((100, 2)), np.zeros((1024, 2)), None)
    assert sizes == [100]


def test_extent_follows_the_scale_of_the_data_and_no_motion():
    extent = manifold_extent(X_CURVE, Y_CURVE)
    moved = manifold_extent(-X_CURVE + 7, Y_CURVE @ random_motion(2) + 100)
    assert_close(moved, extent, rtol=1e-8)
    assert_close(manifold_extent(X_CURVE, 5 * Y_CURVE), 5 * np.array(extent), rtol=1e-10)
    X = np.random.default_rng(0).normal(size=(20, 2))
    surface = np.array(manifold_extent(X, X))
    assert_close(manifold_extent(X, 5 * X), 25 * surface, rtol=1e-10)


def test_one_place_has_no_extent():
    assert manifold_extent(np.ones((4, 1)), np.eye(4)) == (0, 0, 0)
