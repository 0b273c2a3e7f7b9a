"""The scale of coordinates: as by brute force, and found in time."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from helpers import (
    TWINS,
    assert_close,
    blocks_of,
    curve,
    each,
    every_kernel,
    gaussian,
    name,
    quartic,
    read_only,
    steep,
    student,
    student_3,
    wide,
)
from scipy.stats import gaussian_kde

from ukrlearn import explicit
from ukrlearn.blocks import scales
from ukrlearn.ukr.reconstruction import squared_residuals

T, Y = curve(N=60)
random = np.random.default_rng(0)
CLOUD = read_only(random.normal(size=(50, 5)) * [3, 2, 1, 0.5, 0.2] + 4)


def error_of(Y, kernel=gaussian):
    return partial(cv_error, Y=Y, kernel=kernel)


def cv_error(X, Y, kernel):
    return float(squared_residuals(X, Y, kernel).mean())


def test_normalised_coordinates_have_mean_zero_and_variance_one_or_none():
    X = np.column_stack([CLOUD, np.full(50, 3.3), 1e-9 * CLOUD[:, 0]])
    Z = scales.normalised(X)
    assert_close(Z.mean(axis=0) + 1, np.ones(7))
    assert_close(Z.var(axis=0), [1, 1, 1, 1, 1, 0, 1], rtol=1e-9)
    assert not scales.normalised(np.full((4, 2), 7.0)).any()
    assert not scales.normalised(np.zeros((4, 2))).any()
    # An axis that is rounding of the others is flat, not a direction.
    column = scales.normalised(CLOUD[:, :1])
    noise = np.hstack([column, 0.7e-12 * column, 1.4e-12 * column])
    assert scales.normalised(noise).any(axis=0).tolist() == [True, False, True]


@pytest.mark.parametrize("scale", [2.0**-900, 2.0**900])
@pytest.mark.parametrize("per_axis", [True, False])
def test_normalised_coordinates_do_not_depend_on_the_unit(per_axis, scale):
    scaled = scales.normalised(scale * CLOUD, per_axis)
    assert np.array_equal(scaled, scales.normalised(CLOUD, per_axis))


def test_columns_that_do_not_vary_become_zero():
    assert scales.varying(np.array([[1.0, 5.0], [2.0, 5.0]])).tolist() == [[1, 0], [2, 0]]


def test_normalising_all_axes_together_keeps_the_shape():
    Z = scales.normalised(CLOUD, per_axis=False)
    centred = CLOUD - CLOUD.mean(axis=0)
    assert Z.var(axis=0).mean() == pytest.approx(1, rel=1e-12)
    assert_close(Z / Z[0, 0], centred / centred[0, 0])
    assert not scales.normalised(np.full((4, 2), 7.0), per_axis=False).any()


@every_kernel
def test_left_out_likelihood_is_that_of_the_loops(kernel, monkeypatch):
    monkeypatch.setattr(scales, "row_blocks", blocks_of(4))
    X = 0.3 * CLOUD[:11, :2]
    for h in (0.9, 1.0, 2.7):
        expected = explicit.log_likelihood_of_left_out(X, h, TWINS[kernel])
        actual = scales.log_likelihood_of_left_out(X, h, kernel)
        assert actual == pytest.approx(expected, rel=1e-12)
        some = scales.log_likelihood_of_left_out(X, h, kernel, np.array([3, 8]))
        each = [scales.log_likelihood_of_left_out(X, h, kernel, np.array([n])) for n in (3, 8)]
        assert some == pytest.approx(np.mean(each), rel=1e-12)
        everyone = scales.log_likelihood_of_left_out(X, h, kernel, np.arange(11))
        assert everyone == pytest.approx(expected, rel=1e-12)


def test_left_out_likelihood_is_scipys_with_each_point_deleted():
    X, h = CLOUD[:15, :1], 0.7
    logs = []
    for n in range(15):
        others = np.delete(X, n, axis=0)
        density = gaussian_kde(others.T, bw_method=h / others.std(ddof=1))
        logs.append(density.logpdf(X[n])[0])
    expected = np.mean(logs) + np.log(2 * np.pi) / 2  # the constant of the normal density
    assert scales.log_likelihood_of_left_out(X, h) == pytest.approx(expected, rel=1e-10)


def test_likelihood_of_points_far_apart_is_exact_where_the_kernel_underflows():
    X = np.array([[0.0], [100.0]])
    assert scales.log_likelihood_of_left_out(X, 1.0) == pytest.approx(-5000, rel=1e-14)
    assert scales.log_likelihood_of_left_out(X, 1.0, steep) == pytest.approx(-10_000 + np.log(3))
    assert scales.log_likelihood_of_left_out(X, 1.0, quartic) == -np.inf


@each("kernel", [gaussian, quartic, student_3, steep, wide], ids=name)
@each("q", [1, 2])
def test_likelihood_bandwidth_is_that_of_brute_force(kernel, q):
    X = scales.normalised(CLOUD[:, :q])
    grid = np.geomspace(1e-3, 20, 600)
    likelihood = [scales.log_likelihood_of_left_out(X, h, kernel) for h in grid]
    h = scales.likelihood_bandwidth(X, kernel)
    assert h == pytest.approx(grid[np.argmax(likelihood)], rel=0.1)
    assert scales.log_likelihood_of_left_out(X, h, kernel) > max(likelihood) - 5e-3


def test_a_kernel_without_finite_mass_has_no_likely_bandwidth_but_the_search_ends():
    # Student's kernel with one degree of freedom falls like 1 / t: in two dimensions its integral
    # diverges, the likelihood rises as h falls, and the lowest bandwidth tried comes out.
    X = scales.normalised(CLOUD[:, :2])
    h = scales.likelihood_bandwidth(X, student)
    assert 50 ** (-1 / 6) / 100 <= h < 0.01
    assert np.isfinite(scales.best_scale(X, error_of(CLOUD, student), student).error)


def test_likelihood_bandwidth_follows_the_scale_and_some_points_stand_for_all():
    X = CLOUD[:, :2]
    h = scales.likelihood_bandwidth(X)
    assert scales.likelihood_bandwidth(1000 * X) == pytest.approx(1000 * h, rel=1e-6)
    some = scales.likelihood_bandwidth(X, points=np.arange(0, 50, 2))
    assert some != h and some == pytest.approx(h, rel=0.5)


def test_bandwidth_of_a_compact_kernel_lets_every_point_see_another():
    X = np.append(CLOUD[:, 0], 60.0)[:, None]  # an outlier
    nearest = 60 - CLOUD[:, 0].max()
    for kernel in (quartic, wide):
        h = scales.likelihood_bandwidth(X, kernel)
        assert h * kernel.radius > nearest
        assert np.isfinite(scales.log_likelihood_of_left_out(X, h, kernel))
        # Who is not left out needs no neighbour.
        assert scales.likelihood_bandwidth(X, kernel, np.arange(50)) * kernel.radius < nearest / 3


@each("kernel", [gaussian, quartic, student], ids=name)
@each("per_axis", [True, False], ids=["per axis", "as a whole"])
def test_best_scale_beats_its_ladder_and_tells_the_true_path(kernel, per_axis):
    X = scales.normalised(np.column_stack([T, random.normal(size=60)]))
    error = error_of(Y, kernel)
    scale, least, path = scales.best_scale(X, error, kernel, per_axis)
    assert scale.shape == (2,)
    for tried, value in path:
        assert error(X * tried) == value
    assert least == error(X * scale) == min(value for _, value in path)
    # The first seven are a ladder of doublings around the likelihood bandwidth.
    h = scales.likelihood_bandwidth(X, kernel)
    expected = [[2.0**k / h] * 2 for k in range(-3, 4)]
    assert_close([tried for tried, _ in path[:7]], expected)
    ladder = min(value for _, value in path[:7])
    assert least <= ladder and len(path) <= 7 + 25 * (2 if per_axis else 1) + 2
    assert (scale[0] == scale[1]) == (not per_axis)
    if per_axis:  # the second axis is noise: it is made small
        assert scale[1] < 0.5 * scale[0]


@pytest.mark.parametrize("per_axis", [True, False], ids=["per axis", "as a whole"])
def test_the_search_for_a_scale_begins_at_the_best_of_the_ladder_and_ends_in_time(per_axis):
    X = scales.normalised(CLOUD[:, :2])
    noise = np.random.RandomState(0)
    as_a_whole = {} if per_axis else {"per_axis": False}
    _, _, path = scales.best_scale(X, lambda _: noise.uniform(), **as_a_whole)
    dimension = 2 if per_axis else 1
    assert len(path) == 7 + 25 * dimension  # noise never settles
    assert_close(path[7][0], path[np.argmin([error for _, error in path[:7]])][0])
    for k in range(dimension):
        moved = np.arange(2) == k if per_axis else True
        assert_close(np.log(path[8 + k][0] / path[7][0]), 0.3 * np.ones(2) * moved + 1e-16)


def test_the_search_for_a_scale_settles_on_hundredths(monkeypatch):
    asked, minimize = [], scales.minimize
    spy = lambda *given, options, **rest: (
        asked.append(options) or minimize(*given, options=options, **rest)
    )
    monkeypatch.setattr(scales, "minimize", spy)
    _, _, path = scales.best_scale(scales.normalised(T), error_of(Y))
    (options,) = asked
    least = min(error for _, error in path[:7])
    assert options["xatol"] == 0.02 and options["fatol"] == 1e-4 * least


@pytest.mark.parametrize("kernel", [gaussian, wide], ids=name)
def test_bandwidths_are_searched_up_to_ten_times_a_typical_one(kernel, monkeypatch):
    asked = []
    spy = lambda loss, bounds, method, options: (
        asked.append((*np.exp(bounds), options)) or SimpleNamespace(x=0.0)
    )
    monkeypatch.setattr(scales, "minimize_scalar", spy)
    X = np.array([[0.0, 0.0], [0.0, 3.0], [4.0, 3.0], [4.0, 0.0]])
    far = np.vstack([X, [[4.0, 700.0]]])
    assert scales.likelihood_bandwidth(X, kernel) == 1.0
    scales.likelihood_bandwidth(far, kernel)
    typical = [np.sqrt(X.var(axis=0).mean()) * 4 ** (-1 / 6)]
    typical.append(np.sqrt(far.var(axis=0).mean()) * 5 ** (-1 / 6))
    lowest = [typical[0] / 100, typical[1] / 100]
    if kernel is wide:  # every point sees its nearest neighbour, and the radius is 2
        lowest = [3 / 2 * (1 + 1e-6), 697 / 2 * (1 + 1e-6)]
    for (low, high, options), least, usual in zip(asked, lowest, typical, strict=True):
        assert low == pytest.approx(least, rel=1e-8)
        assert high == pytest.approx(10 * max(least, usual), rel=1e-12)
        assert options == {"xatol": 0.05}


def test_best_scale_is_that_of_brute_force_on_one_axis():
    X = scales.normalised(T)
    error = error_of(Y)
    grid = np.geomspace(0.5, 50, 400)
    least = min(error(s * X) for s in grid)
    assert scales.best_scale(X, error).error <= least * (1 + 1e-3)


def test_best_scale_of_points_all_in_one_place_is_one():
    scale, error, path = scales.best_scale(np.zeros((60, 2)), error_of(Y))
    assert scale.tolist() == [1, 1] and len(path) == 1
    assert scales.best_scale(np.zeros((60, 3)), error_of(Y)).scale.tolist() == [1, 1, 1]
    assert len(scales.best_scale(T - T[30], error_of(Y)).path) > 7  # one point lies at zero
    assert error == pytest.approx(Y.var(axis=0).sum() * (60 / 59) ** 2, rel=1e-12)


def test_some_points_are_none_for_few_and_even_for_many():
    assert scales.some_points(1500) is None
    some = scales.some_points(1501)
    assert len(some) in (750, 751) and set(np.diff(some)) == {2}
    many = scales.some_points(100_000)
    assert 750 <= len(many) <= 760 and many[0] == 0 and many[-1] < 100_000
