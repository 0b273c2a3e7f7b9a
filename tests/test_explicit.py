"""The explicit modules themselves: what the other tests trust, against hand-worked numbers,
against differences, and against functions written by others."""

import math

import numpy as np
import pytest
from helpers import TWINS, assert_close, differences, each, small_problem
from scipy.integrate import quad
from scipy.optimize import approx_fprime, check_grad
from scipy.special import softmax

from ukrlearn import explicit
from ukrlearn.blocks import density_kernels

X, Y = (part.tolist() for part in small_problem(N=6, q=2, d=3))
every_twin = each("kernel", TWINS.values(), ids=[k.name for k in TWINS])


def test_numbers_are_plain_and_may_come_as_lists():
    error, gradient = explicit.reconstruction_error(X, Y)
    assert type(error) is float and type(gradient) is list and type(gradient[0][0]) is float


def test_three_points_by_hand():
    # x = 0, 1, 3 and the quartic at radius 1... too near: stretch by 1/2, so t = 1/4, 9/4, 1.
    # K: .75² = .5625 between the first two, 0 for the others. Leaving itself out, each of the
    # first two is rebuilt by the other, the third sees nobody: the mean of the first two.
    X, Y = [[0.0], [0.5], [1.5]], [[0.0], [2.0], [7.0]]
    B = explicit.weight_matrix(X, explicit.quartic)
    assert B == [[0, 1, 0], [1, 0, 0], [0.5, 0.5, 0]]
    error, gradient = explicit.reconstruction_error(X, Y, explicit.quartic)
    assert error == pytest.approx((4 + 4 + 36) / 3, rel=1e-15)
    assert gradient == [[0], [0], [0]]
    # Left in, weights are 1 and .5625 over 1.5625 = .64 and .36; the third keeps itself.
    plain, _ = explicit.reconstruction_error(X, Y, explicit.quartic, leave_one_out=False)
    assert plain == pytest.approx(((0.36 * 2) ** 2 * 2 + 0) / 3, rel=1e-14)
    # Penalties (12): (1 + 1/.5625)² for the first two.
    with pytest.raises(ZeroDivisionError):
        explicit.penalty_factors(X, explicit.quartic)
    near = explicit.penalty_factors(X[:2], explicit.quartic)
    assert near == pytest.approx([(1 + 1 / 0.5625) ** 2] * 2, rel=1e-15)


def test_groups_are_left_out_of_each_other():
    B = explicit.weight_matrix(X, groups=[0, 0, 1, 1, 2, 2])
    assert [row[:2] for row in B[:2]] == [[0, 0], [0, 0]]
    assert B[2][2] == B[2][3] == B[3][2] == 0 and all(sum(row) == pytest.approx(1) for row in B)


def test_gaussian_weights_are_a_softmax():
    t = ((np.array(X)[:, None] - np.array(X)) ** 2).sum(axis=-1)
    assert_close(explicit.weights(X, X), softmax(-t / 2, axis=1))
    np.fill_diagonal(t, np.inf)
    assert_close(explicit.weight_matrix(X), softmax(-t / 2, axis=1))
    assert_close(explicit.predict(X, X, Y), explicit.weights(X, X) @ np.array(Y))


@every_twin
def test_slopes_of_kernels_are_their_derivatives(kernel):
    K, slope = kernel
    for t in (0.1, 0.4, 0.8, 2.5):
        assert check_grad(lambda t: K(t[0]), lambda t: slope(t[0]), [t]) < 1e-6


@every_twin
def test_every_gradient_is_the_difference_of_its_value(kernel):
    at = np.array(X[:1]) + 0.1
    flat = lambda f: lambda z: f([list(z)])[0]
    of_density = differences(flat(lambda x: explicit.latent_density(x, X, kernel)), at[0])
    assert_close(explicit.density_gradient(at, X, kernel)[0], of_density, rtol=1e-8)
    of_weights = differences(flat(lambda x: explicit.weights(x, X, kernel)), at[0])
    assert_close(explicit.weights_jacobian(at, X, kernel)[0], of_weights, rtol=1e-8)
    of_map = differences(flat(lambda x: explicit.predict(x, X, Y, kernel)), at[0])
    assert_close(explicit.predict_jacobian(at, X, Y, kernel)[0], of_map, rtol=1e-8)
    error, gradient = explicit.squared_distance_to_image(at[0], Y[0], X, Y, kernel)
    f = explicit.predict(at, X, Y, kernel)[0]
    assert error == pytest.approx(sum((a - b) ** 2 for a, b in zip(f, Y[0], strict=True)))
    of_error = approx_fprime(
        at[0], lambda z: explicit.squared_distance_to_image(z, Y[0], X, Y, kernel)[0], 1e-7
    )
    assert_close(gradient, of_error, rtol=1e-5)


@each("flags", [{}, {"leave_one_out": False}, {"groups": [0, 0, 1, 2, 3, 1]}])
@every_twin
def test_gradients_of_the_errors_are_differences_of_the_errors(kernel, flags):
    error, gradient = explicit.reconstruction_error(X, Y, kernel, **flags)
    squares = explicit.squared_residuals(X, Y, kernel, **flags)
    assert error == pytest.approx(sum(squares) / 6, rel=1e-14)
    of_error = lambda X: np.mean(explicit.squared_residuals(X, Y, kernel, **flags))
    assert_close(gradient, differences(of_error, X), rtol=1e-8)
    G = explicit.gram_matrix(explicit.linear, Y)
    by_gram, of_gram = explicit.reconstruction_error_gram(X, G, kernel, **flags)
    assert by_gram == pytest.approx(error, rel=1e-12)
    assert_close(of_gram, gradient)


@every_twin
def test_left_out_errors_carry_the_penalties(kernel):
    near = (0.5 * np.array(X)).tolist()
    S = explicit.penalty_factors(near, kernel)
    plain = explicit.squared_residuals(near, Y, kernel, leave_one_out=False)
    left_out = explicit.squared_residuals(near, Y, kernel)
    assert_close([s * r for s, r in zip(S, plain, strict=True)], left_out)  # (11)


def test_kernels_of_data_by_hand():
    assert explicit.linear([1, 2], [3, -1]) == 1
    assert explicit.l1([1, -2], [3, 1]) == (3 + 4 - 5) / 2
    assert explicit.gram_matrix(explicit.linear, [[1], [2]], [[3], [4], [5]]) == [
        [3, 4, 5],
        [6, 8, 10],
    ]
    # -|y - z| of 0, 1, 3: (37) with the first as reference is min(y, z).
    C = [[0, -1, -3], [-1, 0, -2], [-3, -2, 0]]
    assert explicit.positive_definite_from_conditional(C) == [[0, 0, 0], [0, 1, 1], [0, 1, 3]]
    assert explicit.positive_definite_from_conditional(C, 1)[1] == [0, 0, 0]


def test_similarities_are_mixed_as_the_data_are():
    f = np.array(explicit.predict(X[:2], X, Y))
    K_yY = explicit.gram_matrix(explicit.linear, Y[:3], Y)
    assert_close(explicit.similarities(K_yY, X[:2], X), np.array(Y[:3]) @ f.T)


def test_length_and_bounds_are_integrals():
    line = [[0.0], [0.8], [2.0]]
    height = [[0.0, 1.0], [1.0, 0.0], [3.0, 1.0]]
    positions = [[2 * k / 400] for k in range(401)]
    speed = lambda x: math.hypot(
        *(row[0] for row in explicit.predict_jacobian([[x]], line, height)[0])
    )
    slope = lambda x: math.hypot(*(row[0] for row in explicit.weights_jacobian([[x]], line)[0]))
    length, by_integral, by_slope = explicit.manifold_extent(positions, line, height, 3.0)
    assert length == pytest.approx(quad(speed, 0, 2)[0], rel=1e-5)
    assert by_integral == pytest.approx(3 * quad(slope, 0, 2)[0], rel=1e-5)
    assert by_slope == pytest.approx(3 * 2 * max(slope(x / 200) for x in range(401)), rel=1e-5)


def test_barrier_is_the_logarithm_inside_and_smooth_at_its_floor():
    # Two points at squared distance t: p = (1 + exp(-t/2)) / 2 at both.
    density = lambda t: (1 + math.exp(-t / 2)) / 2
    for t in (0.1, 1.0):
        slack = (density(t) - 0.6) / 0.4
        value, _ = explicit.log_barrier([[0.0], [math.sqrt(t)]], 0.6)
        assert value == pytest.approx(-math.log(slack))
    with_slack = lambda s: [[0.0], [math.sqrt(-2 * math.log(2 * (0.6 + 0.4 * s) - 1))]]
    value = [
        explicit.log_barrier(with_slack(0.1 + k * 1e-3), 0.6, slack_floor=0.1)[0]
        for k in range(-2, 3)
    ]
    np.testing.assert_allclose(np.diff(value), -1e-3 / 0.1, rtol=0.03)
    np.testing.assert_allclose(np.diff(value, 2), (1e-3 / 0.1) ** 2, rtol=0.03)
    outside, _ = explicit.log_barrier(with_slack(-0.1), 0.6, slack_floor=0.1)
    assert outside == pytest.approx(-math.log(0.1) + 2 + 2, rel=1e-12)  # z - 1 = -2


def test_likelihood_of_two_points_by_hand():
    X = [[0.0, 0.0], [3.0, 4.0]]  # distance 5, so at h = 5: K = exp(-1/2), over (N - 1) h² = 25
    assert explicit.log_likelihood_of_left_out(X, 5.0) == pytest.approx(-0.5 - math.log(25))


def test_rprop_step_grows_shrinks_and_keeps_its_bounds():
    step = explicit.rprop_step
    assert step(1.0, 2.0, 3.0) == 1.2 and step(1.0, -2.0, -3.0) == 1.2
    assert step(1.0, 2.0, -3.0) == 0.5 and step(1.0, -2.0, 3.0) == 0.5
    assert step(1.0, 0.0, 3.0) == step(1.0, 3.0, 0.0) == 1.0
    assert step(9.0, 1.0, 1.0) == 10.0 and step(1e-9, 1.0, -1.0) == 1e-9
    assert step(11.0, 0.0, 1.0) == 10.0 and step(1e-10, 0.0, 1.0) == 1e-9


def test_all_names_are_there():
    kernels = set(density_kernels.by_name)
    assert all(callable(getattr(explicit, name)) for name in set(explicit.__all__) - kernels)
    assert all(callable(part) for name in kernels for part in getattr(explicit, name))
