"""The stages of the scheme: the constraint holds exactly at every one of them."""

from functools import partial

import numpy as np
import pytest
from helpers import assert_close, curve, gaussian, name, quartic, steep, student, wide

from ukrlearn import UKR, datasets
from ukrlearn.blocks import descent, starts
from ukrlearn.ukr import homotopy
from ukrlearn.ukr.density_constraint import (
    back_into_feasible_set,
    is_feasible,
    log_barrier,
    relative_density,
)
from ukrlearn.ukr.homotopy import PAPER_THRESHOLDS, constrained, homotopy_stages, infinite_outside
from ukrlearn.ukr.reconstruction import reconstruction_error

_, Y = curve(N=40)
X_PCA = starts.pca(Y, 1)


def objective_with(kernel):
    return lambda X: reconstruction_error(X, Y, kernel)


@pytest.mark.parametrize("kernel", [gaussian, quartic, student, wide, steep], ids=name)
def test_every_step_of_every_stage_is_feasible_exactly(kernel):
    thresholds = []
    for threshold, steps in homotopy_stages(objective_with(kernel), X_PCA, kernel, moves=15):
        thresholds.append(threshold)
        X = None
        for step in steps:
            X = step.X
            assert relative_density(X, kernel).min() >= threshold  # no tolerance
            assert np.isfinite(step.error) and np.isfinite(step.gradient).all()
        assert X is not None
    assert thresholds == list(PAPER_THRESHOLDS) == [0.5, 0.25, 0.1, 0.05, 0.025, 0.01, 0.005]


@pytest.mark.parametrize("kernel", [gaussian, quartic], ids=name)
def test_each_stage_ends_near_its_threshold_and_lower_in_error(kernel):
    objective, ends = objective_with(kernel), []
    for threshold, steps in homotopy_stages(objective, X_PCA, kernel, (0.5, 0.25, 0.1), moves=60):
        best = descent.last(descent.best_so_far(steps))
        ends.append((threshold, relative_density(best.X, kernel).min(), objective(best.X)[0]))
    for threshold, least, _ in ends:
        assert threshold <= least <= 1.5 * threshold
    errors = [error for _, _, error in ends]
    assert Y.var(axis=0).sum() * (40 / 39) ** 2 > errors[0] > errors[1] > errors[2]


def test_the_first_stage_starts_from_the_normalised_shape_at_total_variance_one_hundredth():
    X = np.random.default_rng(0).normal(size=(40, 2)) * [1, 30] + 5
    _, steps = next(homotopy_stages(objective_with(gaussian), X))
    start = next(iter(steps)).X
    assert start.var(axis=0) == pytest.approx([0.005, 0.005], rel=1e-12)
    assert_close(np.corrcoef(start[:, 0], X[:, 0])[0, 1], 1.0)


def test_each_stage_goes_on_from_the_best_step_of_the_one_before():
    best = None
    stages = homotopy_stages(objective_with(gaussian), X_PCA, gaussian, (0.5, 0.3, 0.2), moves=9)
    for _, steps in stages:
        steps = list(steps)
        assert len(steps) == 10
        if best is not None:
            assert np.array_equal(steps[0].X, best.X)
        best = descent.last(descent.best_so_far(steps))


def test_a_stage_that_nobody_reads_is_passed_over():
    stages = homotopy_stages(objective_with(gaussian), X_PCA, gaussian, (0.5, 0.3))
    next(stages)
    threshold, steps = next(stages)
    assert threshold == 0.3
    assert next(iter(steps)).X.var() == pytest.approx(0.01, rel=1e-12)


def test_constrained_starts_with_the_way_back_and_minimises_error_plus_barrier():
    objective, threshold = objective_with(gaussian), 0.3
    far = 50 * X_PCA
    assert not is_feasible(far, threshold)
    steps = list(constrained(objective, far, gaussian, threshold, 5))
    assert len(steps) == 6
    start = steps[0].X
    assert is_feasible(start, threshold) and relative_density(start).min() < 1.05 * threshold
    weight = homotopy.BARRIER_SHARE * objective(start)[0]
    for step in steps:
        barrier, slope = log_barrier(step.X, threshold)
        error, gradient = objective(step.X)
        assert step.error == pytest.approx(error + weight * barrier, rel=1e-12)
        assert_close(step.gradient, gradient + weight * slope)


def test_infinite_outside_is_the_objective_inside_and_infinite_outside():
    objective, X = objective_with(quartic), 0.1 * X_PCA
    least = relative_density(X, quartic).min()
    error, gradient = infinite_outside(objective, least, quartic)(X)
    assert error == objective(X)[0] and np.array_equal(gradient, objective(X)[1])
    error, gradient = infinite_outside(objective, np.nextafter(least, 1), quartic)(X)
    assert error == np.inf and gradient.shape == X.shape and not gradient.any()
    assert infinite_outside(objective, 0.9)(50 * X_PCA)[0] == np.inf


@pytest.mark.parametrize("descend", [descent.rprop, descent.gradient_descent, descent.lbfgs])
def test_a_descent_inside_never_leaves_and_tells_the_error_without_the_barrier(descend):
    spiral, _ = datasets.noisy_spiral(60, noise=0.02, random_state=0)
    objective = partial(reconstruction_error, Y=spiral, leave_one_out=False)
    X = back_into_feasible_set(30 * np.linspace(-1, 1, 60)[:, None], 0.1)
    steps = list(descent.at_most(homotopy.descend_inside(descend, objective, X, 0.1, gaussian), 40))
    np.testing.assert_array_equal(steps[0].X, X)
    for step in steps:
        assert relative_density(step.X).min() >= 0.1
        assert step.error == objective(step.X)[0]
    assert min(step.error for step in steps) < 0.9 * steps[0].error


def test_fits_under_the_constraint_do_not_stick_at_the_border():
    spiral, _ = datasets.noisy_spiral(random_state=1)
    start = UKR(1, init="isomap", max_iter=0).fit(spiral).embedding_
    fitted = UKR(1, init=start, leave_out=0, density_threshold=0.03, max_iter=200).fit(spiral)
    first = fitted.history_[0].error
    assert fitted.reconstruction_error_ < 0.7 * first  # a wall without a barrier: 0.96
    assert relative_density(fitted.embedding_).min() >= 0.03
