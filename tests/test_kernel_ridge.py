"""Radial basis functions on every point: the fit, what it leaves, what it says of left out points,
and the widths that are chosen by it."""

import numpy as np
import pytest
from helpers import assert_close, each, small_problem

from ukrlearn import explicit
from ukrlearn.blocks.kernel_ridge import MULTIPLES, Smoother, best_kernel_width
from ukrlearn.blocks.networks import basis, spacing, widest_within_slack

X, Y = small_problem(N=9, q=2, d=4)
RANDOM = np.random.default_rng(4)
every_setting = each("width, penalty", [(0.3, 1e-3), (0.8, 1.0), (2.0, 0.01)])


@every_setting
def test_weights_are_those_of_the_loops(width, penalty):
    f = Smoother(X, width, penalty).fit(Y)
    W, bias = explicit.smoother_weights(X.tolist(), Y.tolist(), width, penalty)
    assert_close(f.W, W, rtol=1e-10)
    assert_close(f.bias, bias, rtol=1e-10)
    assert f.centres is X and f.width == width


@every_setting
def test_what_the_fit_leaves_is_the_penalty_times_the_weights(width, penalty):
    f = Smoother(X, width, penalty).fit(Y)
    assert_close(Y - f(X), penalty * f.W, rtol=1e-9)
    assert np.abs(f.W.sum(axis=0)).max() < 1e-10 * np.abs(f.W).max()


@every_setting
def test_no_other_weights_have_a_lower_objective(width, penalty):
    f = Smoother(X, width, penalty).fit(Y)
    centres, data = X.tolist(), Y.tolist()
    objective = lambda W, bias: explicit.rbf_objective(
        centres, data, centres, width, W.tolist(), bias.tolist(), penalty
    )
    least = objective(f.W, f.bias)
    for _ in range(20):
        W, bias = RANDOM.normal(size=f.W.shape), RANDOM.normal(size=4)
        change = objective(f.W + 1e-3 * W, f.bias + 1e-3 * bias) - least
        further = objective(f.W + 2e-3 * W, f.bias + 2e-3 * bias) - least
        assert change > 0 and further == pytest.approx(4 * change, rel=1e-5)  # no slope: stationary


@every_setting
def test_residuals_of_left_out_points_need_no_second_fit(width, penalty):
    by_loops = explicit.smoother_left_out_residuals(X.tolist(), Y.tolist(), width, penalty)
    assert_close(Smoother(X, width, penalty).left_out_residuals(Y), by_loops, rtol=1e-9)


def test_a_shift_of_the_outputs_is_a_shift_of_the_bias():
    one, other = (Smoother(X, 0.6, 1e-3).fit(Y + shift) for shift in (0, 1e6))
    assert_close(one.W, other.W, rtol=1e-7)
    assert_close(other.bias - 1e6, one.bias, rtol=1e-6)


def test_limits_of_the_width_are_the_mean_and_a_linear_fit():
    narrow = Smoother(X, 1e-4, 1e-3).fit(Y)
    assert_close(narrow(X + 0.01), np.tile(Y.mean(axis=0), (9, 1)))  # nothing is near anything
    wide, ridge = 3e3, 0.1
    f = Smoother(X, wide, ridge / wide**2).fit(Y)
    x, y = X - X.mean(axis=0), Y - Y.mean(axis=0)
    linear = x @ np.linalg.solve(x.T @ x + ridge * np.eye(2), x.T @ y) + Y.mean(axis=0)
    assert_close(f(X), linear, rtol=1e-5)


def test_a_great_penalty_leaves_the_mean():
    assert_close(Smoother(X, 0.6, 1e12).fit(Y)(X), np.tile(Y.mean(axis=0), (9, 1)), rtol=1e-9)


@each("width", [1e-6, 0.5, 1e3, 1e8])
@each("penalty", [0.0, 1e-300, 1e-5])
def test_duplicates_and_nearly_singular_systems_are_fitted(width, penalty):
    inputs = np.vstack([X, X[:4], X[:1] + 1e-13])
    outputs = np.vstack([Y, Y[:4] + 1, Y[:1]])
    smoother = Smoother(inputs, width, penalty)
    f = smoother.fit(outputs)
    assert np.isfinite(f(inputs)).all() and np.isfinite(smoother.left_out_residuals(outputs)).all()
    of_mean = np.sum((outputs - outputs.mean(axis=0)) ** 2)
    assert np.sum((outputs - f(inputs)) ** 2) <= of_mean * (1 + 1e-4)
    if width == 0.5:  # twins that differ: in the middle between both
        assert_close(f(X[1:4]), Y[1:4] + 0.5, rtol=1e-3)


def test_a_thousand_points_in_one_place_have_a_cholesky_factor():
    inputs = np.ones((1000, 2)) + 1e-9 * RANDOM.normal(size=(1000, 2))
    outputs = RANDOM.normal(size=(1000, 1))
    smoother = Smoother(inputs, 1.0, 0.0)
    assert smoother.felt_penalty == pytest.approx(1e-9)
    assert_close(smoother.fit(outputs)(inputs), np.tile(outputs.mean(), (1000, 1)), rtol=0.2)


def test_slack_counts_standard_errors():
    errors = np.array([[1.0, 1, 1, 1], [1, 2, 1, 2], [9, 9, 9, 9.5]])
    excess, sigma = 0.5, 0.5 / 2  # of the second: mean, standard deviation over √4
    assert widest_within_slack(errors, (3, 5, 8), slack=0.99 * excess / sigma) == 3
    assert widest_within_slack(errors, (3, 5, 8), slack=1.01 * excess / sigma) == 5
    assert widest_within_slack(errors[::-1], (8, 5, 3), slack=0) == 3


def test_twins_do_not_make_narrow_widths_look_good():
    t = np.linspace(0, 1, 40)[:, None]
    data = np.sin(6 * t) + 0.1 * RANDOM.normal(size=t.shape)
    alone = best_kernel_width(t, data, 1e-3)
    assert best_kernel_width(np.repeat(t, 3, axis=0), np.repeat(data, 3, axis=0), 1e-3) == alone


def test_widths_are_judged_by_a_thousand_points():
    t = RANDOM.uniform(size=(2100, 1))
    some = np.random.RandomState(0).permutation(np.argsort(t[:, 0]))[:1000]
    width = best_kernel_width(t, t**2, 1e-3, multiples=(2,))
    assert width == pytest.approx(2 * spacing(t[some]), rel=1e-12)


def test_widths_where_there_is_nothing_to_judge():
    assert best_kernel_width(np.ones((5, 2)), Y[:5], 1e-3) == MULTIPLES[0]
    two = best_kernel_width(X[:2], Y[:2], 1e-3)  # each is told by the other, whatever the width
    assert two == pytest.approx(MULTIPLES[0] * np.linalg.norm(X[0] - X[1]))
    t = np.array([[0.0], [1.0], [2.0]])
    assert best_kernel_width(t, t, 1e-3, multiples=(0.01, 2)) == 2.0  # three tell something


def test_no_width_is_counted_in_units_of_rounding():
    pairs = np.array([[1.0, 1], [1, 1 + 1e-9], [-1, -1], [-1, -1 + 1e-9]])
    width = best_kernel_width(pairs, pairs, 1e-3, multiples=(1,))
    assert width == pytest.approx(1e-6 * np.sqrt(2))  # the rms distance from the mean


def test_widths_to_be_tried_leave_no_gap():
    steps = np.array(MULTIPLES[1:]) / MULTIPLES[:-1]
    assert ((steps > 1) & (steps <= 2)).all() and MULTIPLES[0] == 2 and MULTIPLES[-1] == 128


def test_squares_are_judged_and_without_slack_the_best_is_taken():
    random = np.random.default_rng(1)
    t = np.sort(random.uniform(0, 1, size=(40, 1)), axis=0)
    data = np.sin(9 * t) + 0.2 * random.standard_t(3, size=t.shape)
    multiples = (3, 5, 8, 13, 21, 34)
    widths = [multiple * spacing(t) for multiple in multiples]
    residuals = [Smoother(t, width, 0.1).left_out_residuals(data) for width in widths]
    best, of_fourth_powers = (
        widths[int(np.argmin([np.mean(r**power) for r in residuals]))] for power in (2, 4)
    )
    assert best_kernel_width(t, data, 0.1, multiples=multiples) == pytest.approx(best)
    within_one = best_kernel_width(t, data, 0.1, multiples=multiples, slack=1)
    assert best != of_fourth_powers and within_one > best


def test_the_kernel_matrix_is_that_of_the_network():
    assert_close(Smoother(X, 0.7, 1.0).kernel_matrix(), basis(X, X, 0.7))
