"""[RPM] sections 3 and 5: kernels, adaptation, projection, and the alternation of the two."""

from itertools import product

import joblib
import numpy as np
import pytest
from helpers import assert_close, differences, each, random_motion
from hypothesis import given, settings
from hypothesis import strategies as st
from rpm_data import arc, sheet
from scipy.linalg import null_space

from ukrlearn import explicit
from ukrlearn.blocks import networks
from ukrlearn.blocks.descent import at_most, last
from ukrlearn.rpm import adaptation, costs, index_sets, kernels
from ukrlearn.rpm import principal_manifold as pm
from ukrlearn.rpm.index_sets import Box, Torus
from ukrlearn.rpm.maps import Basis, KernelExpansion
from ukrlearn.rpm.quantization import quantize, until_settled

GAUSSIAN = kernels.Gaussian(0.8)
OWN = kernels.Own(lambda Z, nodes: (1 + Z @ nodes.T) ** 3)
TWINS = {
    GAUSSIAN: explicit.gaussian_kernel(0.8),
    kernels.Periodic(0.6): explicit.periodic_kernel(0.6),
    kernels.BSpline(0.7): explicit.spline_kernel(0.7),
    OWN: lambda z, other: (1 + sum(a * b for a, b in zip(z, other, strict=True))) ** 3,
}
ONE_AXIS = TWINS | {kernels.Length(): explicit.length_kernel}
name = lambda kernel: type(kernel).__name__
every_kernel = each("kernel", [*ONE_AXIS, kernels.ThinPlate()], ids=name)
EVERY_COST = [costs.squared, costs.huber(0.1), costs.l1]
every_cost = each("cost", EVERY_COST, ids=lambda cost: cost.name)


def codes_for(kernel, q=1):
    return (Torus if isinstance(kernel, kernels.Periodic) else Box)(q)


def fitted(Y, kernel=GAUSSIAN, penalty=1e-3, cost=costs.squared, q=1, per_axis=8, seed=0):
    """A basis, codes drawn at random, and the fit to them."""
    codes = codes_for(kernel, q)
    basis = Basis(kernel, codes.lattice(per_axis))
    Z = np.random.default_rng(seed).uniform(-1, 1, (len(Y), q))
    return basis, Z, adaptation.fit_quadratic(Z, Y, cost, basis=basis, penalty=penalty)


def run(Y, kernel=GAUSSIAN, penalty=1e-3, cost=costs.squared, reg="quadratic", q=1, moves=40,
        per_axis=10):  # fmt: skip
    codes = codes_for(kernel, q)
    nodes = codes.lattice(per_axis)
    fit = adaptation.by_name[reg](Basis(kernel, nodes), penalty)
    return codes, list(at_most(pm.principal_manifold(Y, codes, fit, nodes, cost), moves))


# Kernels


@each("q", [1, 2, 3])
@each("kernel", TWINS, ids=name)
def test_kernels_are_those_of_the_loops(kernel, q):
    Z, nodes = np.random.default_rng(q).uniform(-1.5, 1.5, (2, 7, q))
    of_loops = [[TWINS[kernel](z, node) for node in nodes.tolist()] for z in Z.tolist()]
    assert_close(kernel(Z, nodes), of_loops, rtol=1e-10)


OF_ANY_DIMENSION = [*TWINS, kernels.ThinPlate()]


@each("kernel, q", [*product(OF_ANY_DIMENSION, [1, 2, 3]), (kernels.Length(), 1)])
def test_slopes_of_kernels_are_their_differences(kernel, q):
    Z, nodes = np.random.default_rng(q).uniform(-1, 1, (2, 6, q))
    K, slopes = kernel.with_slopes(Z, nodes)
    assert_close(K, kernel(Z, nodes))
    for n in range(len(Z)):
        by_differences = differences(lambda z: kernel(z[None], nodes)[0], Z[n])  # noqa: B023
        assert_close(np.array(slopes)[:, n].T, by_differences, rtol=1e-6)


def test_the_length_kernel_measures_the_square_of_the_speed():
    nodes = Box(1).lattice(9)
    basis = Basis(kernels.Length(), nodes)
    alpha = np.random.default_rng(0).normal(size=(9, 2))
    f = KernelExpansion(basis, np.zeros(2), alpha, np.zeros((0, 2)))
    speeds = np.diff(f(nodes), axis=0) / 0.25  # a polygon between its nodes
    assert_close(f.norm(), np.sum(speeds**2) * 0.25)
    codes = kernels.Length()(nodes, nodes).tolist()
    assert_close(codes, [[explicit.length_kernel(a, b) for b in nodes] for a in nodes.tolist()])


def test_at_constant_speed_the_length_penalty_is_the_square_of_the_length():
    nodes = Box(1).lattice(9)
    basis = Basis(kernels.Length(), nodes)
    ends = np.array([[0.0, 0.0], [3.0, 4.0]])
    line = adaptation.fit_quadratic(nodes, np.linspace(*ends, 9), basis=basis, penalty=0.0)
    assert_close(line.norm(), 5.0**2 / 2, rtol=1e-9)  # |f'|² = (5/2)² over an interval of 2


def test_the_thin_plate_measures_second_derivatives_and_not_lines():
    nodes = Box(1).lattice(9)
    basis = Basis(kernels.ThinPlate(), nodes)
    line = adaptation.fit_quadratic(nodes, 3 * nodes + 1, basis=basis, penalty=10.0)
    assert line.penalty < 1e-20 and np.abs(line(nodes) - 3 * nodes - 1).max() < 1e-12
    f = adaptation.fit_quadratic(nodes, np.sin(3 * nodes), basis=basis, penalty=0.0)
    z = np.linspace(-1, 1, 4001)[:, None]  # a natural spline: straight beyond the nodes
    second = np.diff(f(z)[:, 0], 2) / (z[1, 0] - z[0, 0]) ** 2
    assert_close(f.norm(), np.sum(second**2) * (z[1, 0] - z[0, 0]), rtol=1e-3)


@every_kernel
def test_whitening_gives_the_norm_of_the_function(kernel):
    basis = Basis(kernel, codes_for(kernel).lattice(12))
    beta = np.random.default_rng(0).normal(size=(len(basis.penalised), 2))
    f = basis.expansion(np.zeros(2), beta)
    assert_close(f.norm(), basis.penalised @ np.sum(beta**2, axis=1), rtol=1e-3)
    Z = np.random.default_rng(1).uniform(-1, 1, (20, 1))
    assert_close(f(Z), basis.features(Z) @ beta, rtol=1e-6)


def test_at_width_1_the_rank_is_ten_for_any_number_of_nodes():
    ranks = [Basis(kernels.Gaussian(1.0), Box(1).lattice(M)).T.shape[1] for M in (10, 20, 40)]
    assert ranks == [10, 10, 10]


def test_a_kernel_that_is_not_positive_definite_is_refused():
    distance = kernels.Own(lambda Z, nodes: np.abs(Z - nodes.T))
    with pytest.raises(ValueError, match="kernel must be positive definite"):
        _ = Basis(distance, Box(1).lattice(5)).T
    lopsided = kernels.Own(lambda Z, nodes: Z + 2 * nodes.T)
    with pytest.raises(ValueError, match="kernel must be finite and symmetric"):
        _ = Basis(lopsided, Box(1).lattice(5)).T


def test_a_kernel_of_the_wrong_shape_is_refused():
    with pytest.raises(ValueError, match=r"must return k\(z_n, z_m\) of all pairs, shape \(5, 5\)"):
        _ = Basis(kernels.Own(lambda Z, nodes: Z @ nodes.T[:, :2]), Box(1).lattice(5)).T


# Kernel expansions


def test_the_expansion_and_its_jacobian_are_those_of_the_loops():
    basis, Z, f = fitted(sheet(20, 3), q=2, per_axis=3)
    for z in Z[:6]:
        given = (z.tolist(), basis.nodes.tolist())
        of_loops = explicit.kernel_expansion(
            *given, explicit.gaussian_kernel(0.8), f.alpha.tolist(), f.offset.tolist()
        )
        assert_close(f(z[None])[0], of_loops, rtol=1e-11)
        J = explicit.expansion_jacobian(*given, 0.8, f.alpha.tolist())
        assert_close(f.with_jacobian(z[None])[1][0], J, rtol=1e-9)


@every_kernel
def test_jacobians_are_differences(kernel):
    _, Z, f = fitted(arc(20), kernel)
    values, J = f.with_jacobian(Z)
    assert_close(values, f(Z))
    for n in range(len(Z)):
        assert_close(J[n], differences(lambda z: f(z[None])[0], Z[n]), rtol=1e-5)  # noqa: B023


@every_kernel
def test_columns_that_no_code_reaches_change_no_projection(kernel):
    lift = np.linalg.qr(np.random.default_rng(0).normal(size=(30, 2)))[0].T
    Y = arc(40)
    beside = np.random.default_rng(1).normal(size=(40, 30))
    beside -= beside @ lift.T @ lift
    _, _, f = fitted(Y, kernel)
    codes = codes_for(kernel)
    wide = codes.project(f.times(lift), Y @ lift + beside)
    narrow = codes.project(f, Y)
    assert_close(wide.costs, narrow.costs + np.sum(beside**2, axis=1), rtol=1e-9)
    small, inside = f.times(lift).reduced(Y @ lift + beside)
    assert inside.shape[1] <= len(f.alpha) + len(f.L) and small(np.zeros((1, 1))).shape[1] < 30


# Adaptation: quadratic regularisers


@pytest.mark.parametrize("kernel", [k for k in ONE_AXIS if k is not OWN], ids=name)
def test_33_is_the_matrix_form_of_the_loops(kernel):
    Y = arc(30)
    nodes = codes_for(kernel).lattice(6)[1:]  # the length kernel of the node -1 is zero
    basis, Z = Basis(kernel, nodes), np.random.default_rng(0).uniform(-1, 1, (30, 1))
    f = adaptation.fit_quadratic(Z, Y, basis=basis, penalty=0.03)
    alpha, offset = explicit.fit_quadratic(
        Y.tolist(), Z.tolist(), basis.nodes.tolist(), ONE_AXIS[kernel], 0.03
    )
    assert_close(f.offset, offset, rtol=1e-8)
    assert_close(f.alpha, alpha, rtol=1e-6)


@pytest.mark.parametrize("weighted", [False, True])
def test_33_zeroes_the_slope_of_32(weighted):
    Y = arc(25)
    basis, Z, _ = fitted(Y, per_axis=4)
    w = np.random.default_rng(2).uniform(0.5, 2, 25) if weighted else np.ones(25)
    f = adaptation.fit_quadratic(Z, Y, weights=w, basis=basis, penalty=0.01)

    def error(parameters):
        alpha, offset = parameters[:-2].reshape(4, 2), parameters[-2:]
        given = (Z.tolist(), basis.nodes.tolist(), explicit.gaussian_kernel(0.8))
        if not weighted:
            return explicit.regularized_error(
                Y.tolist(), *given, alpha.tolist(), offset.tolist(), 0.01
            )
        trial = KernelExpansion(basis, offset, alpha, np.zeros((0, 2)))
        squares = np.sum(trial.residual(Z, Y) ** 2, axis=1)
        return w @ squares / w.sum() + 0.01 * trial.norm() / 2

    there = np.concatenate([f.alpha.ravel(), f.offset])
    assert np.abs(differences(error, there)).max() < 1e-8
    assert_close(error(there), w @ np.sum(f.residual(Z, Y) ** 2, axis=1) / w.sum() + f.penalty)


@every_kernel
@each("penalty", [1e-6, 1e-3, 1.0])
def test_the_whitened_solve_is_as_good_as_least_squares(kernel, penalty):
    Y = arc(60)
    basis, Z, f = fitted(Y, kernel, penalty, per_axis=30)
    phi = basis.features(Z)
    stacked = np.vstack([
        np.column_stack([phi, np.ones(60)]),
        np.sqrt(60 * penalty / 2) * np.column_stack([np.diag(basis.penalised), 0 * phi[0]]),
    ])  # fmt: skip
    _, squares, *_ = np.linalg.lstsq(stacked, np.vstack([Y, np.zeros((phi.shape[1], 2))]))
    solution = np.linalg.lstsq(stacked, np.vstack([Y, np.zeros((phi.shape[1], 2))]))[0]
    residual = Y - phi @ solution[:-1] - solution[-1]
    rough = basis.penalised @ np.sum(solution[:-1] ** 2, axis=1)
    best = np.sum(residual**2) / 60 + penalty * rough / 2
    ours = np.mean(np.sum(f.residual(Z, Y) ** 2, axis=1)) + f.penalty
    assert ours <= best * (1 + 1e-9)
    assert_close(f.penalty, penalty * f.norm() / 2, rtol=1e-3)


def test_a_free_offset_is_better_than_the_mean_of_the_data():
    Y = arc(60) + 3
    basis, Z, f = fitted(Y, penalty=0.1)
    residual = f.residual(Z, Y)
    assert np.abs(residual.mean(axis=0)).max() < 1e-12  # what a free offset leaves
    assert_close(fitted(Y + 5, penalty=0.1)[2].alpha, f.alpha, rtol=1e-6)


def test_without_a_penalty_the_least_norm_of_all_best_functions_is_taken():
    Y = arc(6)
    basis, Z, f = fitted(Y, kernels.Gaussian(0.3), penalty=0.0, per_axis=20)
    phi = basis.features(Z)
    assert np.abs(f.residual(Z, Y)).max() < 1e-9  # six points, twenty nodes: it interpolates
    centred = phi - phi.mean(axis=0)
    beta = np.linalg.pinv(centred) @ (Y - Y.mean(axis=0))
    assert_close(f.norm(), np.sum(beta**2), rtol=1e-6)
    assert null_space(centred).shape[1] > 0


@pytest.mark.parametrize("fit", [adaptation.fit_quadratic, adaptation.fit_ridge])
def test_batches_do_not_change_a_fit(fit, monkeypatch):
    Y = arc(50)
    basis, Z, _ = fitted(Y)
    whole = fit(Z, Y, basis=basis, penalty=0.01)
    monkeypatch.setattr(networks, "BATCH", 7)
    assert_close(fit(Z, Y, basis=basis, penalty=0.01).alpha, whole.alpha, rtol=1e-6)


@pytest.mark.parametrize("fit", [adaptation.fit_quadratic, adaptation.fit_linear])
@pytest.mark.parametrize("cost", EVERY_COST[1:], ids=lambda cost: cost.name)
def test_no_small_change_of_a_robust_fit_is_better(fit, cost):
    Y = arc(40)
    basis, Z, _ = fitted(Y, per_axis=5)
    f = fit(Z, Y, cost, basis=basis, penalty=0.02)
    energy = lambda alpha: np.vdot(alpha, GAUSSIAN(basis.nodes, basis.nodes) @ alpha) / 2
    Q = energy if fit is adaptation.fit_quadratic else lambda alpha: np.abs(alpha).sum()

    def error(alpha, offset):
        trial = KernelExpansion(basis, offset, alpha, np.zeros((0, 2)))
        return cost(trial.residual(Z, Y)).mean() + 0.02 * Q(alpha)

    best = error(f.alpha, f.offset)
    random = np.random.default_rng(0)
    for size in (1e-1, 1e-2, 1e-3):
        for _ in range(200):
            changed = f.alpha + size * random.normal(size=f.alpha.shape)
            assert error(changed, f.offset + size * random.normal(size=2)) > best - 2e-6


def test_robust_fits_hardly_feel_outliers():
    Y = np.array(arc(200, noise=0.05))
    basis, Z, _ = fitted(Y)
    Z[:, 0] = np.arctan2(Y[:, 1], Y[:, 0]) / 2.5
    clean = adaptation.fit_quadratic(Z, Y, basis=basis, penalty=1e-3)(Z)
    Y[::10] += 5
    moved = {}
    for cost in EVERY_COST:
        f = adaptation.fit_quadratic(Z, Y, cost, basis=basis, penalty=1e-3)
        moved[cost.name] = np.abs(f(Z) - clean).mean()
    assert moved["huber"] < moved["squared"] / 5 and moved["l1"] < moved["squared"] / 5


# Adaptation: linear regularisers


def problem(kernel, M, seed=0):
    random = np.random.default_rng(seed)
    Z = random.uniform(-1, 1, (80, 1))
    y = np.sin(4 * Z) + 0.1 * random.normal(size=Z.shape)
    nodes = Box(1).lattice(M)
    plain = lambda z: kernel(z, nodes)
    _, _, A, B = adaptation.moments(plain, Z, y, np.full((80, 1), 1 / 80))
    return A, B[:, 0]


@each("kernel", [GAUSSIAN, kernels.BSpline(0.4), kernels.Length()], ids=name)
@each("M", [5, 12, 30])
@each("penalty", [1e-4, 1e-3, 1e-2])
def test_the_lasso_is_solved_exactly(kernel, M, penalty):
    A, b = problem(kernel, M)
    alpha = adaptation._lasso(A, b, penalty, np.zeros(M))
    slope = b - A @ alpha
    used = alpha != 0
    assert np.abs(slope[~used]).max(initial=0) <= penalty * (1 + 1e-6)
    assert_close(slope[used], penalty * np.sign(alpha[used]), rtol=1e-6)
    warm = adaptation._lasso(A, b, penalty, np.random.default_rng(0).normal(size=M))
    energy = lambda a: a @ (A @ a / 2 - b) + penalty * np.abs(a).sum()
    assert energy(warm) == pytest.approx(energy(alpha), rel=1e-9)


def test_34_is_minimised():
    Y = arc(30)
    basis, Z, _ = fitted(Y, per_axis=6)
    f = adaptation.fit_linear(Z, Y, basis=basis, penalty=0.02)
    error = lambda alpha, offset: explicit.sparse_error(
        Y.tolist(), Z.tolist(), basis.nodes.tolist(), explicit.gaussian_kernel(0.8),
        alpha.tolist(), offset.tolist(), 0.02,
    )  # fmt: skip
    best = error(f.alpha, f.offset)
    assert_close(best, np.mean(np.sum(f.residual(Z, Y) ** 2, axis=1)) + f.penalty)
    random = np.random.default_rng(0)
    for size in (1.0, 1e-1, 1e-2, 1e-3):
        for _ in range(40):
            changed = f.alpha + size * random.normal(size=f.alpha.shape)
            assert error(changed, f.offset + size * random.normal(size=2)) > best
    # where the optimum's zeros are, the others alone change as well
    changed = f.alpha + 1e-2 * random.normal(size=f.alpha.shape) * (f.alpha != 0)
    assert error(changed, f.offset) > best


@pytest.mark.parametrize("weighted", [False, True])
def test_the_linear_program_is_as_good_as_its_primal(weighted):
    from scipy.optimize import linprog

    Y = arc(25)
    basis, Z, _ = fitted(Y, per_axis=6)
    w = np.random.default_rng(0).uniform(1, 2, 25) if weighted else np.ones(25)
    f = adaptation.fit_linear(Z, Y, costs.l1, weights=w if weighted else None,
                              basis=basis, penalty=0.02)  # fmt: skip
    ours = w @ costs.l1(f.residual(Z, Y)) / w.sum() + 0.02 * np.abs(f.alpha).sum()
    K, I = GAUSSIAN(Z, basis.nodes), np.eye(25)
    total = 0.0
    for y in Y.T:  # alpha+, alpha-, f0+, f0-, and what lies above and below
        rows = np.column_stack([K, -K, np.ones(25), -np.ones(25), I, -I])
        price = np.concatenate([np.full(12, 0.02), [0, 0], w / w.sum(), w / w.sum()])
        total += linprog(price, A_eq=rows, b_eq=y, method="highs").fun
    assert ours == pytest.approx(total, rel=1e-8)


def test_the_ridge_costs_less_with_more_nodes_and_the_norm_of_the_function_does_not():
    Y = arc(60)
    error = lambda fit, M: (
        fit(
            np.linspace(-1, 1, 60)[:, None],
            Y,
            basis=Basis(GAUSSIAN, Box(1).lattice(M)),
            penalty=0.1,
        ).penalty
    )
    assert error(adaptation.fit_ridge, 80) < error(adaptation.fit_ridge, 10) / 2
    few, many = error(adaptation.fit_quadratic, 10), error(adaptation.fit_quadratic, 80)
    assert many == pytest.approx(few, rel=1e-3)


def test_the_ridge_zeroes_its_slope():
    Y = arc(25)
    basis, Z, _ = fitted(Y, per_axis=4)
    f = adaptation.fit_ridge(Z, Y, basis=basis, penalty=0.05)

    def error(parameters):
        alpha, offset = parameters[:-2].reshape(4, 2), parameters[-2:]
        trial = KernelExpansion(basis, offset, alpha, np.zeros((0, 2)))
        return np.mean(np.sum(trial.residual(Z, Y) ** 2, axis=1)) + 0.05 / 2 * np.sum(alpha**2)

    assert np.abs(differences(error, np.concatenate([f.alpha.ravel(), f.offset]))).max() < 1e-8


# Projection


@every_cost
@each("kernel", [GAUSSIAN, kernels.Periodic(0.6), kernels.Length()], ids=name)
def test_the_projection_is_the_best_code_of_all(kernel, cost):
    Y = arc(60)
    _, _, f = fitted(Y, kernel)
    codes = codes_for(kernel)
    found = codes.project(f, Y, cost)
    fine = codes.lattice(20_001)
    values = f(fine)
    best = np.array([cost(y - values).min() for y in Y])
    assert (found.costs <= best + (2e-6 if cost.norm == 2 else 3e-5)).all()
    assert_close(found.costs, cost(f.residual(found.Z, Y)))
    assert (np.abs(found.Z) <= 1).all()


def test_the_projection_is_that_of_the_loops():
    Y = arc(12)
    _, _, f = fitted(Y)
    found = Box(1).project(f, Y)
    for y, z, cost in zip(Y, found.Z, found.costs, strict=True):
        value = lambda zeta: f(np.array([zeta]))[0].tolist()
        of_loops = explicit.project_onto(y.tolist(), value)
        assert z[0] == pytest.approx(of_loops, abs=1e-5)
        assert cost <= explicit.squared_cost(y.tolist(), value([of_loops])) + 1e-12


@pytest.mark.parametrize("q", [2, 3])
def test_surfaces_and_volumes_are_projected_onto(q):
    Y = sheet(40)
    f = run(Y, q=q, per_axis=4, moves=10)[1][-1].f
    found = Box(q).project(f, Y)
    random = np.random.default_rng(0)
    tries = random.uniform(-1, 1, (100_000, q))
    values = f(tries)
    missed = 0
    for y, z, cost in zip(Y, found.Z, found.costs, strict=True):
        missed += cost > np.sum((y - values) ** 2, axis=1).min() + 1e-9
        near = np.clip(z + 1e-4 * random.normal(size=(50, q)), -1, 1)
        assert cost <= np.sum((y - f(near)) ** 2, axis=1).min() + 1e-5
    # A sheet fills no volume: f folds where there are no data, and the lattice misses some folds.
    assert missed <= (0 if q == 2 else 2)


def test_at_the_border_downhill_leads_out_and_elsewhere_nowhere():
    Y = sheet(300)
    codes, steps = run(Y, q=2, per_axis=4, penalty=0.01, moves=10)
    f = steps[-1].f
    Z = codes.project(f, Y).Z
    values, J = f.with_jacobian(Z)
    downhill = np.einsum("ndq,nd->nq", J, Y - values)
    held = index_sets.held(codes, np.round(Z, 9), downhill)
    assert held.any() and (~held).any()
    assert np.abs(downhill[~held]).max() < 1e-3


def test_a_step_leaves_a_coordinate_at_its_border_and_moves_the_other():
    _, _, f = fitted(sheet(60), q=2, per_axis=4)
    Z = np.array([[1.0, 0.2]])
    values, J = f.with_jacobian(Z)
    Y = values + J[:, :, 0] + 0.1 * J[:, :, 1]  # downhill: out of the box, and upwards
    step = index_sets.gauss_newton_steps(Box(2), f, Z, Y)
    assert step[0, 0] == 0
    alone = J[0, :, 1] @ (Y - values)[0] / (J[0, :, 1] @ J[0, :, 1])
    assert step[0, 1] == pytest.approx(alone)
    inward = index_sets.gauss_newton_steps(Box(2), f, Z, values - J[:, :, 0])
    assert inward[0] == pytest.approx([-1.0, 0.0], abs=1e-9)


@every_cost
def test_steps_solve_the_weighted_normal_equations(cost):
    _, _, f = fitted(sheet(60), q=2, per_axis=4)
    Z = np.array([[0.1, 0.2], [-0.3, 0.4]])
    values, J = f.with_jacobian(Z)
    apart = np.array([1.0, 2.0, -0.5, 0.3, -1.0])
    Y = values + [0.01 * apart, 0.1 * apart]  # to Huber's cost, one is near and one is far
    steps, downhill, scaled = index_sets._steps(Box(2), f, Z, Y, cost)
    w = np.broadcast_to(cost.weights(Y - values), Y.shape)
    for n in range(2):
        curvature, slope = J[n].T * w[n] @ J[n], J[n].T @ (w[n] * (Y - values)[n])
        assert_close(downhill[n], slope, rtol=1e-9)
        assert_close(scaled[n], slope / np.diag(curvature), rtol=1e-9)
        assert_close(steps[n], np.linalg.solve(curvature, slope), rtol=1e-9)


def test_a_flat_map_moves_nothing():
    basis, _, f = fitted(arc(20))
    flat = KernelExpansion(basis, np.zeros(2), 0 * f.alpha, np.zeros((0, 2)))
    step = index_sets.gauss_newton_steps(Box(1), flat, np.zeros((20, 1)), arc(20))
    assert (step == 0).all()


@every_cost
@given(seed=st.integers(0, 10**6))
@settings(deadline=None, max_examples=20)
def test_no_point_is_projected_to_where_it_costs_more_than_before(cost, seed):
    random = np.random.default_rng(seed)
    basis = Basis(kernels.Gaussian(0.2), Box(1).lattice(15))
    f = basis.expansion(np.zeros(2), random.normal(size=(len(basis.penalised), 2)))
    Y = 3 * random.normal(size=(20, 2))
    before = random.uniform(-1, 1, (20, 1))
    for moves in (1, 3):
        found = Box(1).project(f, Y, cost, before, moves=moves)
        assert (found.costs <= cost(f.residual(before, Y)) * (1 + 1e-12)).all()


def test_the_previous_code_is_kept_where_the_lattice_misses_its_valley(monkeypatch):
    monkeypatch.setitem(index_sets.LATTICE, 1, 3)
    basis = Basis(kernels.Gaussian(0.05), Box(1).lattice(41))
    beta = np.random.default_rng(3).normal(size=(len(basis.penalised), 2))
    f = basis.expansion(np.zeros(2), beta)
    truth = np.random.default_rng(4).uniform(-1, 1, (30, 1))
    Y = f(truth)
    assert np.median(Box(1).project(f, Y).costs) > 1e-3
    assert Box(1).project(f, Y, previous=truth).costs.max() < 1e-20


def test_points_do_not_feel_each_other_and_batches_change_nothing(monkeypatch):
    Y = arc(50)
    _, _, f = fitted(Y)
    whole = Box(1).project(f, Y)

    def assert_same(Z):
        # BLAS rounds a batch of another size differently. Within 1e-8 of a minimum, the root of the
        # precision, costs differ by less than this: a last step there is taken or not.
        assert_close(np.sum(f.residual(Z, Y) ** 2, axis=1), whole.costs, rtol=1e-12)
        assert_close(Z, whole.Z, rtol=5e-8)

    monkeypatch.setattr(networks, "BATCH", 7)
    assert_same(Box(1).project(f, Y).Z)
    with joblib.parallel_config(backend="threading"):
        assert_same(Box(1).project(f, Y, n_jobs=2).Z)
    assert_same(np.vstack([Box(1).project(f, Y[[n]]).Z for n in range(50)]))


def test_far_from_the_origin_the_nearest_point_of_the_lattice_is_still_found():
    Y = sheet(30, d=9)
    _, _, f = fitted(Y, q=2, per_axis=5)
    near = Box(2).project(f, Y)
    basis, _, _ = fitted(Y, q=2, per_axis=5)
    far = KernelExpansion(basis, f.offset + 1e7, f.alpha, f.L)
    assert_close(Box(2).project(far, Y + 1e7).costs, near.costs, rtol=1e-6)


# Index sets


def test_codes_on_a_circle_are_wrapped_and_those_in_a_box_are_clipped():
    Z = np.array([[-1.5], [-1.0], [0.3], [1.0], [2.5]])
    assert_close(Torus(1).inside(Z), [[0.5], [-1.0], [0.3], [-1.0], [0.5]])
    assert_close(Box(1).inside(Z), [[-1.0], [-1.0], [0.3], [1.0], [1.0]])


def test_lattices_hold_the_border_once():
    assert_close(Box(1).lattice(3), [[-1.0], [0.0], [1.0]])
    assert_close(Torus(1).lattice(4), [[-1.0], [-0.5], [0.0], [0.5]])
    assert Box(2).lattice(3).shape == (9, 2) and len(np.unique(Box(3).lattice(4), axis=0)) == 64


# The alternation


@each("seed", range(10))
def test_the_regularised_error_never_rises(seed):
    # 5 data sets; the property of the paper's figure 2
    random = np.random.default_rng(seed)
    data = {
        "arc": (arc(100, seed=seed), 1),
        "noise": (random.normal(size=(60, 3)), 1),
        "sheet": (sheet(80, seed=seed), 2),
        "outliers": (np.vstack([arc(80, seed=seed), 5 * random.normal(size=(8, 2))]), 1),
        "few": (random.normal(size=(5, 2)), 1),
    }
    for Y, q in data.values():
        for penalty in (1e-6, 1e-2):
            _, steps = run(Y, penalty=penalty, q=q, moves=20, per_axis=10 if q == 1 else 4)
            errors = np.array([step.error for step in steps])
            assert (np.diff(errors) <= 1e-13 * errors[0]).all()


@every_cost
@each("reg", ["quadratic", "linear", "ridge"])
@each("kernel", [GAUSSIAN, kernels.Periodic(0.5), kernels.Length()], ids=name)
def test_it_never_rises_for_other_costs_regularisers_and_kernels(kernel, reg, cost):
    _, steps = run(arc(60), kernel, 1e-3, cost, reg, moves=16)
    errors = np.array([step.error for step in steps])
    assert (np.diff(errors) <= 1e-13 * errors[0]).all()
    assert errors[-1] < 0.9 * errors[0]


def test_exact_fits_are_always_taken():
    # The alternation leaves out what rises. Squared cost must not need that.
    for penalty in (1e-5, 1e-2):
        _, steps = run(arc(), penalty=penalty, moves=60)
        for before, after in zip(steps[::2], steps[1::2], strict=False):
            assert after.f is not before.f


def test_parts_of_a_step_are_what_the_loops_say():
    Y = arc(20)
    _, steps = run(Y, penalty=0.01, moves=5, per_axis=5)
    for step in steps:
        f = step.f
        given = (f.basis.nodes.tolist(), explicit.gaussian_kernel(0.8), f.alpha.tolist())
        assert_close(step.penalty, 0.01 * explicit.roughness(*given), rtol=1e-9)
        of_loops = explicit.regularized_error(
            Y.tolist(), step.Z.tolist(), *given, f.offset.tolist(), 0.01
        )
        assert_close(step.error, of_loops, rtol=1e-9)


def test_data_that_are_turned_and_moved_have_the_same_codes():
    # Section 4: a scalar operator, the same in every direction, is what makes it so.
    Y = sheet(80, d=4)
    _, steps = run(Y, q=2, per_axis=4)
    turn = random_motion(4)
    _, turned = run(Y @ turn + 3, q=2, per_axis=4)
    assert_close(turned[-1].error, steps[-1].error, rtol=1e-6)
    found = np.abs(np.corrcoef(turned[-1].Z.T, steps[-1].Z.T)[:2, 2:])
    assert np.allclose(found.max(axis=1), 1, atol=1e-4)


def test_until_settled_stops_where_a_round_gains_nothing():
    _, steps = run(arc(), moves=400)
    stopped = list(until_settled(iter(steps), tol=1e-3))
    assert 3 < len(stopped) < 100
    errors = [step.error for step in stopped]
    assert errors[-3] - errors[-1] <= 1e-3 * errors[-1]
    assert errors[-5] - errors[-3] > 1e-3 * errors[-3]


# Starts


def test_the_start_is_the_principal_line_of_35():
    Y = arc(50)
    nodes = Box(1).lattice(6)
    fit = adaptation.quadratic(Basis(GAUSSIAN, nodes), 1e-2)
    f = pm.start_on_axes(Y, Box(1), fit, nodes)
    centred = Y - Y.mean(axis=0)
    direction = np.linalg.svd(centred)[2][0]
    deviation = np.std(centred @ direction)
    best = min(
        (explicit.start_on_plane(
            Y.tolist(), [(sign * 2 * deviation * direction).tolist()], nodes.tolist(),
            explicit.gaussian_kernel(0.8), 1e-2,
        ) for sign in (1, -1)),
        key=lambda found: np.abs(np.array(found[0]) - f.alpha).max(),
    )  # fmt: skip
    assert_close(f.alpha, best[0], rtol=1e-6)
    assert_close(f.offset, best[1], rtol=1e-8)


def test_without_a_penalty_the_start_is_two_deviations_long():
    Y = arc(50)
    nodes = Box(1).lattice(10)
    f = pm.start_on_axes(Y, Box(1), adaptation.quadratic(Basis(GAUSSIAN, nodes), 0.0), nodes)
    deviation = np.sqrt(np.linalg.eigvalsh(np.cov(Y.T, bias=True))[-1])
    ends = f(np.array([[-1.0], [1.0]]))
    assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(4 * deviation, rel=1e-6)


def test_the_start_on_a_torus_has_the_variances_of_one():
    random = np.random.default_rng(0)
    a, b = random.uniform(0, 2 * np.pi, (2, 5000))
    Y = np.column_stack([(2 + np.cos(b)) * np.cos(a), (2 + np.cos(b)) * np.sin(a), np.sin(b)])
    nodes = Torus(2).lattice(8)
    fit = adaptation.quadratic(Basis(kernels.Periodic(0.6), nodes), 1e-9)
    values = pm.start_on_axes(Y, Torus(2), fit, nodes)(Torus(2).lattice(30))
    assert_close(np.sort(values.var(axis=0)), np.sort(Y.var(axis=0)), rtol=0.25)
    with pytest.raises(ValueError, match="one and two latent dimensions; got 3"):
        pm.start_on_axes(Y, Torus(3), fit, Torus(3).lattice(2))


def test_the_first_torus_has_the_radii_of_its_axes():
    signs = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    Y = signs * [4.0, 3.0, 1.0] + 5  # uncorrelated: these are the standard deviations
    at = lambda first, second: np.abs(pm._torus(Y, np.array([[first, second]])) - 5)[0]
    root = np.sqrt(2)
    assert_close(at(0.0, 0.0), [root * 4 * (1 + 1 / 4), 0, 0])  # the outer equator
    assert_close(at(0.0, 1.0) + 1, [root * 4 * (1 - 1 / 4) + 1, 1, 1])  # the inner one
    assert_close(at(0.5, 0.5) + 1, [1, root * 3 + 1, root * 1 + 1])  # the top
    assert np.array_equal(pm._torus(0 * Y, np.array([[0.0, 0.0]])), [[0, 0, 0]])  # no size at all


def test_more_latent_than_data_dimensions_have_axes_of_no_length():
    Y = np.random.default_rng(0).normal(size=(30, 1))
    nodes = Box(2).lattice(3)
    f = pm.start_on_axes(Y, Box(2), adaptation.quadratic(Basis(GAUSSIAN, nodes), 1e-6), nodes)
    assert np.isfinite(f(nodes)).all()


def test_coordinates_of_another_method_are_a_start():
    Y = arc(80, noise=0.02)
    angle = np.arctan2(Y[:, 1], Y[:, 0])[:, None]
    nodes = Box(1).lattice(10)
    fit = adaptation.quadratic(Basis(GAUSSIAN, nodes), 1e-4)
    f = pm.start_from(1000 * angle + 77, Y, Box(1), fit)
    Z = 2 * (angle - angle.min()) / np.ptp(angle) - 1
    assert np.mean(np.sum(f.residual(Z, Y) ** 2, axis=1)) < 0.01
    constant = pm.start_from(np.zeros((80, 1)), Y, Box(1), fit)
    assert np.isfinite(constant(nodes)).all()


@pytest.mark.parametrize("q, wanted", [(1, 10), (2, 49), (3, 216)])
def test_at_width_1_there_are_as_many_nodes_as_in_the_papers_figures(q, wanted):
    assert pm.nodes_per_axis(Box(q), 1.0) ** q == wanted
    assert pm.nodes_per_axis(Box(q), 0.3, wanted) ** q == wanted
    assert pm.nodes_per_axis(Box(q), 1.0, wanted - 1) ** q < wanted


# The choice of penalty and width


def test_the_choice_is_the_stiffest_of_the_good():
    tried = [
        pm.Candidate(1e-3, 1.0, 0.3),
        pm.Candidate(1e-4, 1.0, 0.13),
        pm.Candidate(1e-5, 1.0, 0.12),
        pm.Candidate(1e-1, 0.3, 0.1),
    ]
    assert pm.stiffest(tried) is tried[1]
    assert pm.stiffest(tried, slack=0) is tried[3]
    assert pm.stiffest(tried, slack=100) is tried[0]


@pytest.mark.parametrize("seed", range(3))
def test_what_is_chosen_is_near_the_truth(seed):
    Y = arc(300, seed=seed)
    tried = pm.candidates(Y, Box(1), widths=(0.5, 1.0))
    chosen = pm.stiffest(tried)
    nodes = Box(1).lattice(pm.nodes_per_axis(Box(1), chosen.width))
    fit = adaptation.quadratic(Basis(kernels.Gaussian(chosen.width), nodes), chosen.penalty)
    f = last(at_most(pm.principal_manifold(Y, Box(1), fit, nodes), 100)).f
    angle = np.linspace(-2.4, 2.4, 300)
    truth = np.column_stack([np.cos(angle), np.sin(angle)])
    apart = np.linalg.norm(f(Box(1).lattice(801))[:, None] - truth, axis=2)
    assert apart.min(axis=0).mean() < 0.05 and apart.min(axis=1).mean() < 0.05


def test_candidates_are_judged_by_what_was_held_out():
    # A start that knows the rows it may see, and a fit that returns it: the error is theirs.
    Y = np.random.default_rng(0).normal(size=(30, 2))
    seen = []

    def start(rows, fit, nodes):
        seen.append(rows)
        return fit(nodes, np.tile(Y[rows].mean(axis=0), (len(nodes), 1)), costs.squared, None)

    (only,) = pm.candidates(Y, Box(1), penalties=(1e9,), widths=(1.0,), start=start)
    assert sorted(len(rows) for rows in seen) == [20, 20, 20]
    errors = [
        np.sum((Y[np.setdiff1d(np.arange(30), rows)] - Y[rows].mean(axis=0)) ** 2) for rows in seen
    ]
    assert only.error == pytest.approx(sum(errors) / 30, rel=1e-6)


def test_the_alternation_may_begin_at_any_map():
    Y = arc()
    codes, steps = run(Y, moves=30)
    fit = adaptation.quadratic(steps[-1].f.basis, 1e-3)
    again = list(at_most(quantize(Y, steps[-1].f, codes, fit), 4))
    assert again[-1].error <= steps[-1].error * (1 + 1e-8)
