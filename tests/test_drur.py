"""The projection step of [DRUR]: Gauss-Newton for all points at once."""

import numpy as np
import pytest
from helpers import assert_close, differences, each, read_only, small_problem
from scipy.optimize import minimize

from ukrlearn import explicit
from ukrlearn.blocks import networks
from ukrlearn.blocks.descent import at_most
from ukrlearn.blocks.gauss_newton import gauss_newton_steps, project, projection_objective
from ukrlearn.blocks.networks import Perceptron, RBFNetwork, fit_rbf
from ukrlearn.drur.rounds import MOVES, Maps, alternation
from ukrlearn.explicit.matrices import drur as matrices

X, Y = small_problem(N=9, q=2, d=4)
RANDOM = np.random.default_rng(5)
F_Y = read_only(X + 0.3 * RANDOM.normal(size=X.shape))
RBF = RBFNetwork(RANDOM.normal(size=(5, 2)), 0.7, RANDOM.normal(size=(5, 4)), RANDOM.normal(size=4))
MLP = Perceptron(*(RANDOM.normal(size=shape) for shape in ((2, 3), 3, (3, 4), 4)))
both = each("network", [RBF, MLP], ids=["rbf", "mlp"])


def energy(network, x, y, F_y):
    return np.sum((y - network(x)) ** 2, axis=1) + np.sum((x - F_y) ** 2, axis=1)


class Linear:
    """f(x) = x A + b, for which one whole Gauss-Newton step is exact."""

    def __init__(self, A, b):
        self.A, self.b = A, b

    def __call__(self, x):
        return x @ self.A + self.b

    def with_jacobian(self, x):
        return self(x), np.tile(self.A.T, (len(x), 1, 1))

    def reduced(self, Y):
        return self, Y


@both
def test_all_steps_at_once_are_those_of_the_loops_one_by_one_and_of_the_matrices(network):
    f, J = network.with_jacobian(X)
    of_loops = explicit.gauss_newton_steps(*(part.tolist() for part in (f, J, X, Y, F_Y)))
    steps = gauss_newton_steps(f, J, X, Y, F_Y)
    assert_close(steps, of_loops, rtol=1e-11)
    assert_close(steps, matrices.gauss_newton_steps(f, J, X, Y, F_Y))


@both
def test_gradient_and_hessian_of_the_matrices_are_derivatives_of_the_loops(network):
    f, J = network.with_jacobian(X)
    for n in range(len(X)):
        E = lambda x, n=n: explicit.projection_objective(
            network(x[None])[0].tolist(), x.tolist(), Y[n].tolist(), F_Y[n].tolist()
        )
        assert matrices.projection_objective(f[n], X[n], Y[n], F_Y[n]) == pytest.approx(E(X[n]))
        (of_library,) = projection_objective(f[[n]], X[[n]], Y[[n]], F_Y[[n]])
        assert of_library == pytest.approx(E(X[n]), rel=1e-12)
        gradient = matrices.projection_gradient(f[n], J[n], X[n], Y[n], F_Y[n])
        assert_close(gradient, differences(E, X[n]), rtol=1e-7)
        H = differences(lambda x: network.with_jacobian(x[None])[1][0], X[n])
        hessian = matrices.projection_hessian(f[n], J[n], H, Y[n])
        slopes = differences(lambda x, E=E: differences(E, x, 1e-4), X[n], 1e-4)
        assert_close(hessian, slopes, rtol=1e-5)


def test_what_gauss_newton_leaves_out_is_the_bend_of_the_network():
    f, J = RBF.with_jacobian(X)
    bent = RBF.second_derivatives(X, Y - f)  # (10)
    for n in range(len(X)):
        H = differences(lambda x: RBF.with_jacobian(x[None])[1][0], X[n])
        hessian = matrices.projection_hessian(f[n], J[n], H, Y[n])
        assert_close(2 * (np.eye(2) + J[n].T @ J[n] - bent[n]), hessian, rtol=1e-8)  # (9)


def test_one_whole_step_is_exact_for_a_linear_map():
    A, b = RANDOM.normal(size=(2, 4)), RANDOM.normal(size=4)
    found = project(Linear(A, b), X, Y, F_Y, max_moves=1)
    exact = np.linalg.solve(np.eye(2) + A @ A.T, A @ (Y - b).T + F_Y.T).T
    assert_close(found.X, exact)
    assert found.full_steps == 1


def test_a_flat_map_leaves_what_F_says():
    flat = RBFNetwork(RBF.centres, RBF.width, 0 * RBF.W, RBF.bias)
    assert_close(project(flat, X, Y, F_Y).X, F_Y)


@both
@each("seed", range(5))
def test_no_step_raises_the_error_of_any_point(network, seed, monkeypatch):
    monkeypatch.setattr(networks, "BATCH", 7)
    random = np.random.default_rng(seed)
    X, F_Y = 3 * random.normal(size=(20, 2)), random.normal(size=(20, 2))
    Y = 5 * random.normal(size=(20, 4))
    before = energy(network, X, Y, F_Y)
    for moves in range(1, 6):
        found = project(network, X, Y, F_Y, max_moves=moves, tol=0)
        after = energy(network, found.X, Y, F_Y)
        assert (after <= before * (1 + 1e-12)).all()
        assert_close(found.error, after)
        before = after


@both
def test_the_projection_is_a_minimum(network):
    found = project(network, X, Y, F_Y, max_moves=400, tol=3e-6)
    for n in range(len(X)):
        E = lambda x, n=n: energy(network, x[None], Y[[n]], F_Y[[n]])[0]
        assert np.abs(differences(E, found.X[n])).max() < 1e-3
        assert minimize(E, found.X[n], method="Nelder-Mead").fun > found.error[n] - 1e-6
    assert (found.moves < 400).all() and 0 < found.full_steps <= 1


@both
def test_points_do_not_feel_each_other(network, monkeypatch):
    whole = project(network, X, Y, F_Y, max_moves=5, tol=0).X
    monkeypatch.setattr(networks, "BATCH", 2)
    assert_close(project(network, X, Y, F_Y, max_moves=5, tol=0).X, whole)
    alone = np.vstack(
        [project(network, X[[n]], Y[[n]], F_Y[[n]], max_moves=5, tol=0).X for n in range(9)]
    )
    assert_close(alone, whole)


def test_a_step_that_would_rise_is_halved():
    steep = RBFNetwork(np.zeros((1, 1)), 0.1, np.array([[4.0]]), np.zeros(1))
    X, Y, F_Y = np.array([[0.25]]), np.array([[4.0]]), np.array([[0.25]])
    found = project(steep, X, Y, F_Y, max_moves=1)
    f, J = steep.with_jacobian(X)
    whole = gauss_newton_steps(f, J, X, Y, F_Y)
    assert energy(steep, X + whole, Y, F_Y) > energy(steep, X, Y, F_Y)
    part = (found.X - X) / whole
    assert 0 < part[0, 0] < 1 and np.log2(part[0, 0]) == pytest.approx(round(np.log2(part[0, 0])))
    assert found.full_steps == 0


def test_many_columns_give_the_same_projection():
    lift = np.linalg.qr(np.random.default_rng(0).normal(size=(40, 4)))[0].T
    wide = RBFNetwork(RBF.centres, RBF.width, RBF.W @ lift, RBF.bias @ lift)
    beside = np.random.default_rng(1).normal(size=(9, 40))
    beside -= beside @ lift.T @ lift
    found = project(wide, X, Y @ lift + beside, F_Y)
    narrow = project(RBF, X, Y, F_Y)
    assert_close(found.X, narrow.X, rtol=1e-9)
    assert_close(found.error, narrow.error + np.sum(beside**2, axis=1), rtol=1e-9)


def test_all_points_in_one_place_are_projected():
    found = project(RBF, np.zeros((9, 2)), Y, np.zeros((9, 2)))
    assert np.isfinite(found.X).all()
    assert (found.error <= energy(RBF, np.zeros((9, 2)), Y, np.zeros((9, 2)))).all()


def test_a_distant_row_harms_no_other():
    good = project(RBF, X, Y, F_Y, size=1.0)
    others = np.arange(9) != 3
    for distant in (1e20, -1e150):  # the greatest magnitude that is taken
        spoilt = np.array(Y)
        spoilt[3, 1] = distant
        found = project(RBF, X, spoilt, F_Y, size=1.0)
        assert np.array_equal(found.X[others], good.X[others])
        assert np.array_equal(found.error[others], good.error[others])
        assert found.error[3] >= 0.9 * distant**2


def test_a_row_that_is_not_finite_is_refused():
    for bad in (np.nan, np.inf):
        spoilt = np.array(Y)
        spoilt[3, 1] = bad
        with pytest.raises(ValueError, match="Y must be finite; got 1 entries"):
            project(RBF, X, spoilt, F_Y, size=1.0)


def test_the_rounds_are_those_of_the_loops_one_point_at_a_time():
    random = np.random.default_rng(8)
    X, Y = random.normal(size=(12, 2)), random.normal(size=(12, 3))
    of_X, of_Y, widths, penalty = X[:5], Y[:6], (1.3, 2.0), 0.1

    def fit_maps(X, Y, previous=None, coarse=False):
        f, F = fit_rbf(X, Y, of_X, widths[0], penalty), fit_rbf(Y, X, of_Y, widths[1], penalty)
        return Maps(f, F, 0.0)

    steps = list(at_most(alternation(X, Y, fit_maps), 3))[1:]
    given = (part.tolist() for part in (X, Y, of_X, of_Y))
    of_loops = explicit.alternation(*given, widths, penalty, MOVES)
    before = fit_maps(X, Y).F(Y)  # the first round starts from F(Y)
    for step, expected in zip(steps, of_loops, strict=False):
        assert_close(step.X, expected, rtol=1e-9)
        assert np.abs(step.X - before).max() > 1e-3  # something has happened
        before = step.X


def test_linear_maps_and_points_in_turn_find_the_principal_subspace():
    random = np.random.default_rng(0)
    Y = random.normal(size=(200, 4)) * [5, 3, 1, 0.5] @ np.linalg.qr(random.normal(size=(4, 4)))[0]
    Y -= Y.mean(axis=0)
    principal = np.linalg.svd(Y, full_matrices=False)[2][:2]
    X = random.normal(size=(200, 2))
    for _ in range(60):
        A, B = (np.linalg.lstsq(*pair, rcond=None)[0] for pair in ((X, Y), (Y, X)))
        X = project(Linear(A, np.zeros(4)), X, Y, Y @ B, max_moves=1).X
        X = X * (np.sqrt(np.mean(Y**2)) / np.sqrt(np.mean(X**2)))  # (1) would shrink it to nothing
    found = np.linalg.qr(A.T)[0]
    assert np.linalg.svd(principal @ found)[1].min() > 1 - 1e-9
    assert_close(X @ A, Y @ principal.T @ principal, rtol=1e-3)
