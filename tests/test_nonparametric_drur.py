"""Nonparametric [DRUR]: its two ways to X, what both find on the roll, its estimator."""

import pickle
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from helpers import (
    assert_close,
    differences,
    each,
    random_motion,
    read_only,
    remainder_order,
    small_problem,
)
from scipy.linalg import subspace_angles

from ukrlearn import NonparametricDRUR, datasets, explicit, metrics
from ukrlearn.blocks import descent, kernel_ridge
from ukrlearn.blocks.descent import at_most
from ukrlearn.blocks.kernel_ridge import Smoother
from ukrlearn.drur.nonparametric import (
    KERNEL_SLACK,
    Kernels,
    coupled_descent,
    coupled_objective,
    kernel_maps,
)
from ukrlearn.drur.rounds import alternation
from ukrlearn.explicit.matrices import drur as matrices

X, Y = small_problem(N=9, q=2, d=4)
Y = read_only(Y - Y.mean(axis=0))
ROLL, SHEET = read_only(*datasets.swiss_roll(150, length=60.0, height=30.0, random_state=0))
START = read_only(SHEET + 4 * np.random.RandomState(1).normal(size=SHEET.shape))
SMALL = dict(init=START, max_iter=3)
METHODS = ("gauss-newton", "coupled")
both = each("method", METHODS)
SETTINGS = [(0.4, 1.5, 1e-2), (0.9, 3.0, 0.3)]
every_setting = each("f_width, F_width, penalty", SETTINGS)


def kernels_for(Y, f_width, F_width, penalty):
    return Kernels(f_width, Smoother(Y, F_width, penalty))


def scaled(X, Y):
    X, Y = X - X.mean(axis=0), Y - Y.mean(axis=0)
    size = lambda table: np.sqrt(np.mean(np.sum(table**2, axis=1)))
    return X / size(X) / 2, Y / size(Y)


def rounds(X, Y, number, penalty=1e-3, **widths):
    X, Y = scaled(X, Y)
    kernels = Kernels.chosen(X, Y, penalty, **widths)
    fit_maps = partial(kernel_maps, kernels=kernels)
    return Y, kernels, list(at_most(alternation(X, Y, fit_maps), number))


def disturbed_roll(noise, seed, N=400):
    Y, t = datasets.swiss_roll(N, length=90.0, height=50.0, random_state=seed)
    return Y, t, t + noise * np.random.RandomState(seed + 1).normal(size=t.shape)


# ------------------------------------------------------------------ the coupled objective


@every_setting
def test_the_coupled_objective_is_that_of_the_loops_and_of_the_matrices(f_width, F_width, penalty):
    error, gradient = coupled_objective(Y, kernels_for(Y, f_width, F_width, penalty))(X)
    settings = f_width, F_width, penalty
    for expected, of_twin in (
        explicit.coupled_objective(X.tolist(), Y.tolist(), *settings),
        matrices.coupled_objective(X, Y, *settings),
    ):
        assert error == pytest.approx(expected, rel=1e-10)
        assert_close(gradient, of_twin, rtol=1e-10)


@every_setting
def test_its_gradient_is_the_difference_of_the_loops(f_width, F_width, penalty):
    objective = coupled_objective(Y, kernels_for(Y, f_width, F_width, penalty))
    error = lambda X: explicit.coupled_objective(
        np.asarray(X).tolist(), Y.tolist(), f_width, F_width, penalty
    )[0]
    assert_close(objective(X)[1], differences(error, X, h=1e-5), rtol=1e-7)
    assert remainder_order(objective, X) == pytest.approx(2, abs=0.1)


@every_setting
def test_it_is_the_objective_with_the_best_maps(f_width, F_width, penalty):
    kernels = kernels_for(Y, f_width, F_width, penalty)
    maps = kernel_maps(X, Y, kernels)
    rest = np.sum((Y - maps.f(X)) ** 2) + np.sum((X - maps.F(Y)) ** 2)
    assert rest + maps.penalty == pytest.approx(coupled_objective(Y, kernels)(X)[0], rel=1e-9)
    norms = sum(np.vdot(f.W, f(f.centres) - f.bias) for f in maps[:2])  # tr(Wᵀ G W)
    assert maps.penalty == pytest.approx(penalty * norms, rel=1e-9)


@pytest.mark.parametrize("name", descent.by_name)
def test_any_descent_can_go_down_it(name):
    Y, kernels, steps = rounds(START, ROLL, 0)
    objective = coupled_objective(Y, kernels)
    best = descent.last(
        descent.best_so_far(at_most(descent.by_name[name](objective, steps[0].X), 30))
    )
    assert best.error < 0.5 * steps[0].error


def test_a_coupled_step_tells_the_parts_of_its_objective():
    _, Y_scaled = scaled(START, ROLL)
    _, kernels, steps = rounds(START, ROLL, 1)
    start, first, *others = at_most(coupled_descent(steps[0].X, Y_scaled, kernels), 4)
    assert np.array_equal(start.X, steps[0].X)
    assert_close(first.X, kernels.of_Y.fit(start.X)(Y_scaled))
    objective = coupled_objective(Y_scaled, kernels)
    for step in (start, first, *others):
        assert step.error == pytest.approx(objective(step.X)[0], rel=1e-6)
    assert all(b.error < a.error for a, b in pairwise([first, *others]))


# ------------------------------------------------------------------ the alternation


@pytest.mark.parametrize("penalty", [1e-5, 1e-3, 0.1])
def test_after_the_first_round_the_objective_never_rises(penalty):
    Y, kernels, steps = rounds(START, ROLL, 15, penalty)
    assert all(b.error <= a.error * (1 + 1e-9) for a, b in pairwise(steps[1:]))
    assert steps[-1].error < 0.99 * steps[1].error
    objective = coupled_objective(Y, kernels)
    for step in steps[1:]:  # maps of the X before: never better than those of X itself
        assert objective(step.X)[0] <= step.error * (1 + 1e-9)


def test_no_width_changes_after_the_start():
    _, kernels, steps = rounds(START, ROLL, 3)
    assert {step.f.width for step in steps} == {kernels.f_width}
    assert {step.F.width for step in steps} == {kernels.of_Y.width}
    assert steps[3].f.centres is steps[2].X


def test_the_width_of_f_is_chosen_for_F_of_Y_and_that_of_F_for_the_start():
    X, Y = scaled(START, ROLL)
    chosen = Kernels.chosen(X, Y, 1e-3)
    assert chosen.of_Y.width == kernel_ridge.best_kernel_width(Y, X, 1e-3)
    at_F = chosen.of_Y.fit(X)(Y)
    assert chosen.f_width == kernel_ridge.best_kernel_width(at_F, Y, 1e-3, slack=KERNEL_SLACK)
    given = Kernels.chosen(X, Y, 1e-3, 0.3, 2.5)
    assert given.f_width == 0.3 and given.of_Y.width == 2.5 and given.of_Y.penalty == 1e-3


def test_very_wide_functions_find_the_principal_subspace():
    random = np.random.default_rng(0)
    Y = random.normal(size=(40, 5)) * [3, 2, 0.8, 0.5, 0.3] @ random_motion(5)
    Y -= Y.mean(axis=0)
    X = Y @ random.normal(size=(5, 2))
    wide, ridge = 1000.0, 1.0  # so stiff that what is not linear costs too much
    kernels = kernels_for(Y, wide, wide, ridge / wide**2)
    *_, last = at_most(alternation(X, Y, partial(kernel_maps, kernels=kernels)), 30)
    principal = np.linalg.svd(Y, full_matrices=False)[0][:, :2]
    angle = lambda X: subspace_angles(X - X.mean(axis=0), principal).max()
    assert angle(last.X) < 1e-3 < 0.3 < angle(X)


# ------------------------------------------------------------------ quality


@pytest.mark.parametrize("noise, asked, before", [(10, 0.992, 0.84), (20, 0.97, 0.58)])
def test_the_disturbed_roll_is_restored(noise, asked, before):
    found = []
    for seed in range(3):
        Y, t, X = disturbed_roll(noise, seed)
        assert metrics.procrustes_r2(X, t) < before
        model = NonparametricDRUR(init=X).fit(Y)
        found.append(metrics.procrustes_r2(model.embedding_, t))
        assert min(step.full_steps for step in model.history_) > 0.95
    assert min(found) > asked


@pytest.mark.parametrize("seed", range(3))
def test_a_long_coupled_descent_spoils_X_and_many_rounds_do_not(seed):
    Y, t, X = disturbed_roll(10, seed, N=300)
    fit = lambda method, number: NonparametricDRUR(init=X, method=method, max_iter=number).fit(Y)
    r2 = lambda model: metrics.procrustes_r2(model.embedding_, t)
    short, long, rounds = fit("coupled", 10), fit("coupled", 300), fit("gauss-newton", 300)
    error = lambda model: model.history_[-1].error
    assert error(long) < 0.95 * error(short)
    assert error(rounds) < 1.2 * error(long)  # it is not that they stop early
    assert r2(long) < min(r2(short), r2(rounds)) - 0.01


# ------------------------------------------------------------------ the estimator


def test_turning_the_start_turns_the_result():
    turn = random_motion(2)
    model = NonparametricDRUR(**SMALL).fit(ROLL)
    turned = NonparametricDRUR(init=START @ turn, max_iter=3).fit(ROLL)
    assert_close(turned.embedding_, model.embedding_ @ turn, rtol=1e-6)


def test_widths_are_told_in_sizes_of_their_inputs():
    model = NonparametricDRUR(width=(0.7, 2.0), **SMALL).fit(ROLL)
    x, y = model._latent.into(START), model._data.into(ROLL)
    assert model.f_.width == pytest.approx(0.7 * np.sqrt(np.sum(x.var(axis=0))))
    assert model.F_.width == pytest.approx(2.0 * np.sqrt(np.sum(y.var(axis=0))))
    one, other = (NonparametricDRUR(width=width, **SMALL) for width in (0.9, [0.9, 0.9]))
    assert np.array_equal(one.fit(ROLL).embedding_, other.fit(ROLL).embedding_)


def test_a_model_keeps_no_matrix_of_N_x_N():
    size = lambda N: len(pickle.dumps(NonparametricDRUR(init=START[:N], max_iter=1).fit(ROLL[:N])))
    assert size(150) < 2.2 * size(75)


def test_a_descent_ends_where_it_is_flat():
    Y, t, X = disturbed_roll(10, 0, N=60)
    model = NonparametricDRUR(init=X, method="coupled", max_iter=5000).fit(Y)
    assert 30 < model.n_iter_ < 5000


# ------------------------------------------------------------------ odd data


@both
def test_many_duplicates_and_a_constant_column(method):
    Y = np.column_stack([np.repeat(ROLL[:12], 5, axis=0), np.ones(60)])
    model = NonparametricDRUR(method=method, init="pca", max_iter=3).fit(Y)
    assert np.isfinite(model.embedding_).all()
    assert_close(model.embedding_, np.repeat(model.embedding_[::5], 5, axis=0), rtol=1e-6)


@both
@each("penalty", [0, 1e-12, 1e6])
@each("width", ["auto", 1e-5, 1e5])
def test_penalties_and_widths_tiny_and_huge_give_finite_models(method, penalty, width):
    few = dict(init=START[::3], max_iter=3)
    model = NonparametricDRUR(method=method, penalty=penalty, width=width, **few).fit(ROLL[::3])
    assert np.isfinite(model.embedding_).all() and np.isfinite(model.transform(ROLL + 1)).all()
    assert np.isfinite(model.transform(np.array([[1e140, 0, 0], [0, -1e9, 3]]))).all()


def test_more_points_than_memory_holds_are_refused_before_anything_is_computed():
    many = np.random.default_rng(0).normal(size=(12_000, 3))
    with pytest.raises(ValueError, match=r"12000 points would take about 2[.]8 GB.*ParametricDRUR"):
        NonparametricDRUR().fit(many)
    with pytest.raises(ValueError, match=r"12000 points would take about 4[.]8 GB"):
        NonparametricDRUR(method="coupled").fit(many)


@each(
    "parameters, error, message",
    [
        (dict(n_components=4), ValueError, "n_components=4 must be at most the 3 columns"),
        (dict(method="newton"), ValueError, "'coupled'; got 'newton'"),
        (dict(width="wide"), ValueError, 'width must be "auto", a number, or a pair'),
        (dict(width=(1.0, -1.0)), ValueError, "width must be above 1e-06"),
        (dict(init=np.full((150, 2), 3.0)), ValueError, "init must not put all points in one"),
    ],
)
def test_bad_parameters_are_refused_in_words(parameters, error, message):
    with pytest.raises(error, match=message):
        NonparametricDRUR(**parameters).fit(ROLL)
