"""The density constraint: the barrier, its slope and its seam, and the way back."""

import numpy as np
import pytest
from helpers import (
    TWINS,
    assert_close,
    blocks_of,
    differences,
    each,
    every_kernel,
    gaussian,
    name,
    quartic,
    read_only,
    remainder_order,
    small_problem,
)

from ukrlearn import explicit
from ukrlearn.blocks import kernel_regression
from ukrlearn.ukr import density_constraint
from ukrlearn.ukr.density_constraint import (
    back_into_feasible_set,
    barrier_of_slack,
    is_feasible,
    log_barrier,
    relative_density,
    with_barrier,
)
from ukrlearn.ukr.reconstruction import reconstruction_error

X, Y = small_problem(spread=0.3)
FAR_OUT = read_only(np.vstack([X[:8], [[30.0, 0.0]]]))  # one point sees nobody
PLACES = {
    "inside": (X, 0.15),
    "at the border": (X, None),
    "outside": (X, 0.9),
    "far": (FAR_OUT, 0.3),
}
every_place = each("X, threshold", PLACES.values(), ids=PLACES)


def threshold_at_the_border(X, kernel):
    """The threshold for which the least slack is between zero and the floor."""
    least = relative_density(X, kernel).min()
    return (least - 0.0004) / (1 - 0.0004)


# ------------------------------------------------------------------ barrier


@every_place
@every_kernel
def test_barrier_is_that_of_the_loops(kernel, X, threshold, monkeypatch):
    monkeypatch.setattr(density_constraint, "row_blocks", blocks_of(4))
    threshold = threshold or threshold_at_the_border(X, kernel)
    for floor in (1e-3, 0.2):
        value, gradient = log_barrier(X, threshold, kernel, floor)
        expected, of_loops = explicit.log_barrier(X, threshold, TWINS[kernel], floor)
        assert isinstance(value, float)
        assert value == pytest.approx(expected, rel=1e-12)
        assert_close(gradient, of_loops, rtol=1e-9)  # far out, large forces cancel
    assert log_barrier(X, threshold, kernel)[0] == log_barrier(X, threshold, kernel, 1e-3)[0]


@every_place
@every_kernel
def test_barrier_gradient_is_the_slope_of_the_loops_inside_and_outside(
    kernel, X, threshold, monkeypatch
):
    monkeypatch.setattr(density_constraint, "row_blocks", blocks_of(4))
    threshold = threshold or threshold_at_the_border(X, kernel)
    of_twin = lambda X: explicit.log_barrier(X, threshold, TWINS[kernel])[0]
    _, gradient = log_barrier(X, threshold, kernel)
    assert_close(gradient, differences(of_twin, X, h=1e-6), rtol=1e-5)


def test_far_from_the_origin_no_digits_are_lost():
    near = np.round(X[:8] * 2**12) / 2**12  # so that the shift itself is exact
    far = near + 2.0**36
    value, gradient = log_barrier(near, 0.3)
    assert log_barrier(far, 0.3)[0] == pytest.approx(value, rel=1e-12)
    assert_close(log_barrier(far, 0.3)[1], gradient, rtol=1e-11)


@each("scale", [1e-300, 1e76, 1e155, 1e300])
@every_kernel
def test_no_scale_of_the_latent_points_gives_nan(kernel, scale):
    value, gradient = log_barrier(scale * X, 0.3, kernel)
    assert np.isfinite(value) and np.isfinite(gradient).all()
    assert np.all(relative_density(scale * X, kernel) >= (1 - 1e-15) / 9)


@every_kernel
def test_barrier_of_coinciding_points_is_nothing(kernel):
    value, gradient = log_barrier(np.ones((5, 2)), 0.4, kernel)
    assert value == pytest.approx(0, abs=1e-14)
    assert np.all(gradient == 0)


@pytest.mark.parametrize("floor", [1e-3, 0.05])
def test_barrier_of_slack_is_the_logarithm_and_goes_on_with_its_value_slope_and_curvature(floor):
    inside = np.array([floor, 1.5 * floor, 0.5, 1.0])
    value, slope = barrier_of_slack(inside, floor)
    np.testing.assert_allclose(value, -np.log(inside), rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(slope, -1 / inside, rtol=1e-14)
    h = 1e-6 * floor
    (below, above), (slope_below, slope_above) = barrier_of_slack(
        floor * np.ones(2) + [-h, h], floor
    )
    assert below - above == pytest.approx(2 * h / floor, rel=1e-5)  # value and slope
    curvature_below = (slope_below - -1 / floor) / -h
    curvature_above = (slope_above - -1 / floor) / h
    assert curvature_below == pytest.approx(1 / floor**2, rel=1e-4)
    assert curvature_above == pytest.approx(1 / floor**2, rel=1e-4)


def test_below_the_floor_the_barrier_is_a_parabola_that_rises_outwards():
    floor = 0.01
    slack = np.linspace(-3, floor, 50)
    value, slope = barrier_of_slack(slack, floor)
    z = (slack - floor) / floor
    np.testing.assert_allclose(value, -np.log(floor) - z + z**2 / 2, rtol=1e-13)
    np.testing.assert_allclose(slope, (-1 + z) / floor, rtol=1e-13)
    assert np.all(np.diff(value) < 0)


def test_with_barrier_adds_weight_times_the_barrier():
    objective = lambda X: reconstruction_error(X, Y)
    error, gradient = with_barrier(objective, 0.2, 0.7)(X)
    barrier, slope = log_barrier(X, 0.2)
    plain, of_plain = objective(X)
    assert error == plain + 0.7 * barrier
    assert_close(gradient, of_plain + 0.7 * slope)
    quartic_error, _ = with_barrier(objective, 0.2, 0.7, quartic)(X)
    assert quartic_error == plain + 0.7 * log_barrier(X, 0.2, quartic)[0]
    assert remainder_order(with_barrier(objective, 0.2, 0.7), X) == pytest.approx(2, abs=0.1)


# ------------------------------------------------------------------ the feasible set


@every_kernel
def test_relative_density_is_p_over_k_of_zero(kernel):
    expected = np.array(explicit.latent_density(X, X, TWINS[kernel])) / TWINS[kernel][0](0.0)
    assert_close(relative_density(X, kernel), expected)
    assert relative_density(FAR_OUT, quartic)[-1] == pytest.approx(1 / 9, rel=1e-14)
    assert is_feasible(X, expected.min() * 0.999, kernel)
    assert not is_feasible(X, expected.min() * 1.001, kernel)


def test_feasible_means_at_least_the_threshold():
    assert is_feasible(X, relative_density(X).min()) is True
    assert is_feasible(X, np.nextafter(relative_density(X).min(), 1)) is False
    assert is_feasible(np.zeros((3, 1)), 1.0) is True


@each("threshold", [0.12, 0.3, 0.5, 0.9, 0.999999])
@every_kernel
def test_the_way_back_ends_inside_and_just_inside(kernel, threshold):
    for spread in (1, 40, 1e6):
        far = spread * X + [7.0, -3.0]
        back = back_into_feasible_set(far, threshold, kernel)
        assert relative_density(back, kernel).min() >= threshold
        centre = far.mean(axis=0)
        factor = np.linalg.norm(back - centre) / np.linalg.norm(far - centre)
        assert_close(back, centre + factor * (far - centre), rtol=1e-9)
        if not is_feasible(far, threshold, kernel):
            # Eight halvings between f and 2f: no more than f / 256 was given away.
            wider = centre + factor * (1 + 1.01 / 256) * (far - centre)
            assert not is_feasible(wider, threshold, kernel)
            assert factor < 1


def test_more_halvings_come_nearer_to_the_border():
    least = [
        relative_density(back_into_feasible_set(20 * X, 0.3, halvings=n)).min() for n in (0, 3, 20)
    ]
    assert least[0] > least[1] > least[2] >= 0.3
    default, eight = (back_into_feasible_set(20 * X, 0.3, **n) for n in ({}, {"halvings": 8}))
    assert np.array_equal(default, eight)
    assert least[2] == pytest.approx(0.3, rel=1e-4)


def test_without_halvings_the_factor_is_the_greatest_power_of_two():
    far = 20 * (X - X.mean(axis=0))
    back = back_into_feasible_set(far, 0.3, halvings=0)
    power = np.log2(np.linalg.norm(back) / np.linalg.norm(far))
    assert power == pytest.approx(round(power), abs=1e-9) and round(power) < 0
    assert is_feasible(back, 0.3) and not is_feasible(2 * back, 0.3)


def test_a_feasible_x_comes_back_itself():
    assert back_into_feasible_set(X, 0.2) is X
    assert back_into_feasible_set(X, 0.2, quartic) is X


def test_the_way_back_from_where_squares_overflow():
    for kernel in (gaussian, quartic):
        back = back_into_feasible_set(1e200 * X, 0.6, kernel)
        assert relative_density(back, kernel).min() >= 0.6


def test_the_way_back_ends_for_every_threshold_below_one():
    # A K(0) whose mean over nine points is rounded downwards: p / K(0) stays below 1.
    from ukrlearn.blocks.density_kernels import DensityKernel

    kernel = DensityKernel("a tenth", lambda t: 0.1 * np.exp(-t), lambda t: -0.1 * np.exp(-t))
    for threshold in (1 - 1e-9, 1 - 1e-15):
        back = back_into_feasible_set(X, threshold, kernel)
        assert relative_density(back, kernel).min() >= threshold


@pytest.mark.parametrize("kernel", [gaussian, quartic], ids=name)
def test_density_of_many_points_needs_no_n_by_n_array(kernel):
    import tracemalloc

    many = 3 * np.random.default_rng(0).normal(size=(4000, 2))
    tracemalloc.start()
    p = kernel_regression.latent_density(many, many, kernel)
    log_barrier(many, 0.001, kernel)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert p.min() > 0
    assert peak < 0.2 * 8 * 4000**2


@pytest.mark.parametrize(("X", "threshold"), [([[0.0], [1.0]], 1.5), ([[np.nan], [1.0]], 0.5)])
def test_where_no_shrinking_helps_the_way_back_says_so_and_ends(X, threshold):
    with pytest.raises(ValueError, match="threshold must be below 1 and X finite; got threshold="):
        back_into_feasible_set(np.array(X), threshold)
