"""[RPM] section 6: GTM and annealing, noise in the code; section 7: covering numbers and rates."""

import numpy as np
import pytest
from helpers import assert_close, each
from rpm_data import arc, sheet
from scipy.special import logsumexp
from scipy.stats import binom
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from ukrlearn import datasets, explicit
from ukrlearn.blocks import networks, starts
from ukrlearn.blocks.descent import at_most, last
from ukrlearn.rpm import adaptation, gtm, kernels, learning_rates, robust_coding
from ukrlearn.rpm import principal_manifold as pm
from ukrlearn.rpm.costs import squared
from ukrlearn.rpm.index_sets import Box
from ukrlearn.rpm.maps import Basis, KernelExpansion
from ukrlearn.rpm.quantization import quantize

KERNEL = kernels.Gaussian(0.8)
LATTICE = Box(1).lattice(25)


def start(Y, penalty=1e-3, per_axis=8, fit_of=adaptation.quadratic):
    nodes = Box(1).lattice(per_axis)
    basis = Basis(KERNEL, nodes)
    fit = fit_of(basis, penalty)
    return basis, fit, pm.start_on_axes(Y, Box(1), fit, nodes)


# Soft assignment


@pytest.mark.parametrize("temperature", [1e-4, 0.1, 10.0])
def test_responsibilities_are_the_softmax_of_the_loops(temperature):
    Y, values = arc(12), np.random.default_rng(0).normal(size=(5, 2))
    R, energies = gtm.responsibilities(Y, values, temperature)
    of_loops = [explicit.responsibilities(y, values.tolist(), temperature) for y in Y.tolist()]
    assert_close(R, of_loops, rtol=1e-10)
    total = explicit.free_energy(Y.tolist(), values.tolist(), temperature)
    assert energies.mean() == pytest.approx(total, rel=1e-10)


def test_far_points_have_responsibilities_too():
    R, energies = gtm.responsibilities(np.array([[1e6, 0.0]]), np.eye(2), 1e-3)
    assert np.isfinite(R).all() and R.sum() == pytest.approx(1) and np.isfinite(energies).all()


def test_without_temperature_the_nearest_code_takes_all():
    Y, values = arc(12), np.random.default_rng(0).normal(size=(5, 2))
    R, energies = gtm.responsibilities(Y, values, 0.0)
    cold, cold_energies = gtm.responsibilities(Y, values, 1e-9)
    assert_close(R, cold)
    assert_close(energies, cold_energies, rtol=1e-6)
    assert_close(
        energies.mean(),
        explicit.quantization_error(Y.tolist(), values.tolist(), explicit.squared_cost),
    )


def test_the_soft_adaptation_is_that_of_every_pair():
    Y = arc(10)
    basis, _, f = start(Y, per_axis=4)
    lattice = Box(1).lattice(6)
    steps = list(
        at_most(gtm.soft_quantize(Y, f, lattice, adaptation.quadratic(basis, 0.02), 0.3), 1)
    )
    R = [explicit.responsibilities(y, f(lattice).tolist(), 0.3) for y in Y.tolist()]
    alpha, offset = explicit.adapt_softly(
        Y.tolist(), R, lattice.tolist(), basis.nodes.tolist(), explicit.gaussian_kernel(0.8), 0.02
    )
    assert_close(steps[1].f.alpha, alpha, rtol=1e-6)
    assert_close(steps[1].f.offset, offset, rtol=1e-8)
    assert_close(steps[0].Z, np.array(R) @ lattice)


@each("fit_of", [adaptation.quadratic, adaptation.linear, adaptation.ridge])
@each("temperature", [0.0, 0.02, 0.5])
def test_the_free_energy_never_rises(temperature, fit_of):
    for seed in range(5):
        Y = arc(60, seed=seed)
        _, fit, f = start(Y, fit_of=fit_of)
        steps = gtm.soft_quantize(Y, f, LATTICE, fit, temperature)
        errors = np.array([step.error for step in at_most(steps, 20)])
        assert (np.diff(errors) <= 1e-12).all() and errors[-1] < errors[0]


def test_without_temperature_it_is_the_alternation_with_finitely_many_codes():
    Y = arc(60)
    _, fit, f = start(Y)
    soft = list(at_most(gtm.soft_quantize(Y, f, LATTICE, fit, 0.0), 5))

    class Lattice:
        q = 1

        def project(self, f, Y, cost, previous=None, n_jobs=None, moves=0):
            costs = cost(Y[:, None] - f(LATTICE))
            return pm_projected(LATTICE[costs.argmin(axis=1)], costs.min(axis=1))

    from ukrlearn.rpm.index_sets import Projected as pm_projected

    hard = [s for s in at_most(quantize(Y, f, Lattice(), fit), 10) if s.half == "projection"]
    assert_close([step.error for step in soft], [step.error for step in hard], rtol=1e-8)
    assert_close(soft[-1].Z, hard[-1].Z)


def test_batches_do_not_change_an_assignment(monkeypatch):
    Y = arc(50)
    _, _, f = start(Y)
    whole = gtm.assign(Y, f, LATTICE, 0.1)
    monkeypatch.setattr(networks, "BATCH", 7)
    for one, other in zip(gtm.assign(Y, f, LATTICE, 0.1), whole, strict=True):
        assert_close(one, other, rtol=1e-10)


def test_at_first_all_codes_share_all_points_and_at_last_each_has_its_own():
    Y = arc(100)
    _, fit, f = start(Y)
    temperatures = gtm.cooling(Y)
    assert temperatures[-1] == 0 and (np.diff(temperatures) < 0).all()
    hottest = 2 * np.linalg.svd(Y - Y.mean(axis=0))[1][0] ** 2 / len(Y)
    assert_close([temperatures[0], temperatures[-2]], [hottest, hottest / 1000], rtol=1e-9)
    assert gtm.cooling(np.ones((5, 2)))[0] == 1.0  # no variance
    steps = list(gtm.annealed(Y, f, LATTICE, fit, temperatures))
    hot, cold = steps[5], steps[-1]
    assert np.ptp(hot.Z) < 0.5 * np.ptp(cold.Z)
    assert set(np.round(cold.Z[:, 0], 12)) <= set(np.round(LATTICE[:, 0], 12))
    assert {step.temperature for step in steps} == set(temperatures)


# GTM


@each("prior", [gtm.coupled, gtm.independent], ids=["coupled", "independent"])
@each("nu", [0.0, 0.1, 10.0])
def test_em_never_lowers_the_posterior(prior, nu):
    for seed in range(3):
        Y = sheet(60, d=3, seed=seed)
        basis, _, f = start(Y, fit_of=prior.fit_of)
        steps = list(at_most(gtm.gtm(Y, f, LATTICE, basis, prior, nu), 25))
        errors = np.array([step.error for step in steps])
        assert (np.diff(errors) <= 1e-9).all() and errors[-1] < errors[0]
        likelihood = [step.log_likelihood for step in steps]
        assert nu > 1 or likelihood[-1] > likelihood[0]


def test_the_likelihood_is_that_of_a_mixture_of_gaussians():
    Y = arc(40)
    basis, _, f = start(Y)
    for step in at_most(gtm.gtm(Y, f, LATTICE, basis), 3):
        v = step.noise_variance
        t = np.sum((Y[:, None] - step.f(LATTICE)) ** 2, axis=2)
        of_codes = -t / (2 * v) - np.log(2 * np.pi * v)
        mixture = logsumexp(of_codes, axis=1) - np.log(len(LATTICE))
        assert step.log_likelihood == pytest.approx(mixture.mean(), rel=1e-9)


def test_the_first_noise_is_the_mean_square_to_the_nearest_code():
    Y = arc(40)
    basis, _, f = start(Y)
    first = next(gtm.gtm(Y, f, LATTICE, basis))
    assert first.f is f
    nearest = np.sum((Y[:, None] - f(LATTICE)) ** 2, axis=2).min(axis=1)
    assert first.noise_variance == pytest.approx(nearest.mean() / 2, rel=1e-9)


def test_a_round_of_em_is_stationary_in_the_noise():
    Y = arc(40) + 1000  # far from the origin squares lose digits if they are not centred
    basis, _, f = start(Y)
    steps = list(at_most(gtm.gtm(Y, f, LATTICE, basis), 1))
    R, _ = gtm.responsibilities(Y, steps[0].f(LATTICE), 2 * steps[0].noise_variance)
    t = np.sum((Y[:, None] - steps[1].f(LATTICE)) ** 2, axis=2)
    assert steps[1].noise_variance == pytest.approx(np.vdot(R, t) / Y.size, rel=1e-7)


def original_gtm(Y, Phi, W, variance, alpha):
    """GTM as Bishop, Svensén and Williams (1998) have it: log likelihood, means, variance.

    Phi (K, M + 1) ends with a column of ones, whose weights have no prior.
    """
    prior = np.diag([alpha] * (Phi.shape[1] - 1) + [0.0])
    while True:
        t = np.sum((Phi @ W - Y[:, None]) ** 2, axis=2)
        log_p = -t / (2 * variance) - Y.shape[1] / 2 * np.log(2 * np.pi * variance)
        log_sum = logsumexp(log_p, axis=1, keepdims=True)
        yield np.mean(log_sum) - np.log(len(Phi)), Phi @ W, variance
        R = np.exp(log_p - log_sum)
        G = np.diag(R.sum(axis=0))
        W = np.linalg.solve(Phi.T @ G @ Phi + variance * prior, Phi.T @ R.T @ Y)
        variance = np.sum(R * np.sum((Phi @ W - Y[:, None]) ** 2, axis=2)) / Y.size


def on_oil_flow(N, seed, prior, nu, per_axis, n_basis, moves):
    """Basis, lattice and rounds of EM on the simulation of oil flow, and the classes."""
    Y, labels = datasets.simulated_oil_flow(N, random_state=seed)
    nodes, lattice = Box(2).lattice(n_basis), Box(2).lattice(per_axis)
    basis = Basis(kernels.Gaussian(0.6), nodes)
    first = pm.start_on_axes(Y, Box(2), prior.fit_of(basis, 1e-3), nodes)
    return Y, labels, basis, list(at_most(gtm.gtm(Y, first, lattice, basis, prior, nu), moves))


@pytest.mark.parametrize("alpha", [1e-3, 0.1, 10.0])
def test_with_independent_weights_it_is_the_original_formulation(alpha):
    Y, _, basis, ours = on_oil_flow(120, 1, gtm.independent, alpha, 8, 4, moves=15)
    lattice, first = Box(2).lattice(8), ours[0]
    Phi = np.column_stack([basis.kernel(lattice, basis.nodes), np.ones(len(lattice))])
    W = np.vstack([first.f.alpha, first.f.offset])
    theirs = original_gtm(Y, Phi, W, first.noise_variance, alpha)
    for step, (likelihood, means, variance) in zip(ours, theirs, strict=False):
        assert step.log_likelihood == pytest.approx(likelihood, abs=1e-8)
        assert step.noise_variance == pytest.approx(variance, rel=1e-8)
        assert_close(step.f(lattice), means, 1e-8)


@pytest.mark.parametrize("prior", [gtm.coupled, gtm.independent], ids=["coupled", "independent"])
def test_on_oil_flow_the_likelihood_rises_and_classes_come_apart(prior):
    for seed in range(2):
        Y, labels, _, steps = on_oil_flow(300, seed, prior, 0.1, 15, 5, moves=30)
        assert steps[-1].log_likelihood > steps[0].log_likelihood + 5
        judge = lambda X, of=labels: cross_val_score(KNeighborsClassifier(5), X, of, cv=5).mean()
        assert judge(steps[-1].Z) > judge(starts.pca(Y, 2)) + 0.03


def test_noise_does_not_vanish_where_the_map_passes_through_every_point():
    Y = np.array([[0.0, 0.0], [1.0, 1.0]])
    basis, _, f = start(Y)
    steps = list(at_most(gtm.gtm(Y, f, LATTICE, basis, nu=0.0), 60))
    assert all(np.isfinite(step.error) and step.noise_variance > 0 for step in steps)


# Noise in the code


def manifold(Y, penalty=1e-3, moves=60):
    _, fit, f = start(Y, penalty)
    codes = Box(1)
    step = last(at_most(quantize(Y, f, codes, fit), moves))
    return step.f, codes.project(step.f, Y).Z


def test_the_noisy_distortion_is_that_of_the_loops():
    Y = arc(10)
    f, Z = manifold(Y)
    xi = 0.1 * np.random.default_rng(0).normal(size=(6, 1))
    value = lambda z: f(np.array([z]))[0].tolist()
    of_loops = explicit.noisy_distortion(Y.tolist(), Z[:, 0].tolist(), value, xi[:, 0].tolist())
    assert robust_coding.noisy_distortion(f, Z, Y, xi) == pytest.approx(of_loops)


def test_the_slope_term_is_that_of_the_loops():
    Y = arc(10)
    f, Z = manifold(Y)
    h = 1e-4
    at = lambda z: f(np.array([z]))[0]
    slope = lambda z: (at([z[0] + h]) - at([z[0] - h])) / (2 * h)
    bend = lambda z: (at([z[0] + h]) - 2 * at(z) + at([z[0] - h])) / h**2
    of_loops = explicit.slope_term(
        Y.tolist(), Z[:, 0].tolist(), lambda z: at(z).tolist(), slope, bend
    )
    ours = robust_coding.squared_slope(f, Z) + robust_coding.bend(f, Z, Y)
    assert ours == pytest.approx(of_loops, rel=1e-4)


def test_on_a_surface_the_axes_add_up():
    Y = sheet(60)
    codes, nodes = Box(2), Box(2).lattice(4)
    fit = adaptation.quadratic(Basis(KERNEL, nodes), 1e-3)
    f = last(at_most(pm.principal_manifold(Y, codes, fit, nodes), 10)).f
    Z = codes.project(f, Y).Z
    shifts, w = robust_coding.channel(2, 0.01)
    costs = [squared(f.residual(Z + shift, Y)).mean() for shift in shifts]
    assert w @ costs == pytest.approx(robust_coding.predicted_distortion(f, Z, Y, 0.01), rel=1e-4)


def test_the_channel_stands_for_normal_noise():
    for q in (1, 2):
        shifts, w = robust_coding.channel(q, 0.3)
        assert w.sum() == pytest.approx(1) and np.abs(w @ shifts).max() < 1e-12
        assert_close(shifts.T @ (w[:, None] * shifts), 0.09 * np.eye(q), rtol=1e-9)
        assert w @ shifts[:, 0] ** 4 == pytest.approx(3 * 0.3**4)


def test_what_is_received_is_as_far_away_as_noise_takes_it():
    Y = arc(20)
    f, Z = manifold(Y)
    shifts, w = robust_coding.channel(1, 0.2)
    received = robust_coding.Received(f, shifts, w)
    direct = sum(v * squared(f.residual(Z + s, Y)) for s, v in zip(shifts, w, strict=True))
    assert_close(squared(received.residual(Z, received.sent(Y))), direct)
    values, J = received.with_jacobian(Z)
    assert_close(values, received(Z))
    h = 1e-6
    by_differences = (received(Z + h) - received(Z - h)) / (2 * h)
    assert_close(J[:, :, 0], by_differences, rtol=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_a_noisy_channel_is_all_the_regularisation_there_is(seed):
    # Section 6.2: principal curves with a length constraint are a by-product of robust coding.
    Y = arc(200, seed=seed)
    basis, _, f = start(Y, per_axis=10)
    fit = adaptation.quadratic(basis, 0.0)
    lengths = []
    for sigma in (0.03, 0.1, 0.2, 0.3):
        steps = list(at_most(robust_coding.quantize_over_channel(Y, f, Box(1), fit, sigma), 40))
        errors = [step.error for step in steps]
        assert (np.diff(errors) <= 1e-12).all()
        lengths.append(robust_coding.curve_length(steps[-1].f))
    assert (np.diff(lengths) < 0).all()


def test_a_space_filling_curve_takes_equal_steps_and_comes_nearer_with_its_order():
    Y = arc(40)
    far, length = [], []
    for order in (1, 2, 3):
        f = robust_coding.space_filling(Y, order)
        steps = np.linalg.norm(np.diff(f.vertices, axis=0), axis=1)
        assert len(f.vertices) == 4**order
        assert_close(steps, np.full(len(steps), np.ptp(Y, axis=0).max() / 2**order))
        assert len(np.unique(f.vertices.round(9), axis=0)) == len(f.vertices)
        far.append(np.linalg.norm(f.residual(f.nearest(Y), Y), axis=1).max())
        length.append(robust_coding.curve_length(f))
        assert length[-1] == pytest.approx(steps.sum(), rel=0.01)  # corners are cut
    assert far[0] > far[1] > far[2] and far[2] <= steps[0]


def test_the_nearest_code_of_a_polygon_is_nearest():
    Y = arc(15)
    f = robust_coding.space_filling(Y, 2)
    found = np.linalg.norm(f.residual(f.nearest(Y), Y), axis=1)
    fine = f(np.linspace(-1, 1, 20_001)[:, None])
    best = np.linalg.norm(Y[:, None] - fine, axis=2).min(axis=1)
    assert (found <= best + 1e-12).all() and np.abs(found - best).max() < 1e-3


def test_the_length_of_a_line_is_the_distance_of_its_ends():
    line = lambda z: np.column_stack([3 * z, 4 * z])
    assert robust_coding.curve_length(line) == pytest.approx(10.0)


# Spectra


def test_the_eigenvalues_are_those_of_the_integral_operator():
    # k(z, z') = min(z, z') on [0, 2] has eigenvalues (2 / (j - 1/2) / pi)^2: Brownian motion
    values = learning_rates.spectrum(kernels.Length(), points=400, number=10)
    exact = (2 / ((np.arange(1, 11) - 0.5) * np.pi)) ** 2
    assert_close(values, exact, rtol=1e-3)
    periodic = learning_rates.spectrum(kernels.Periodic(0.5), number=9)
    j = np.array([0, 1, 1, 2, 2, 3, 3, 4, 4])
    fourier = 0.5 * np.sqrt(2 * np.pi) * np.exp(-((np.pi * j * 0.5) ** 2) / 2)
    assert_close(periodic, fourier, rtol=1e-6)


def test_on_a_square_eigenvalues_are_products():
    one = learning_rates.spectrum(kernels.Gaussian(1.0), points=30)
    two = learning_rates.spectrum(kernels.Gaussian(1.0), q=2, points=30, number=6)
    assert_close(two, np.sort(np.outer(one, one).ravel())[::-1][:6], rtol=1e-9)


def test_decays_are_found():
    j = np.arange(1.0, 40)
    assert learning_rates.polynomial_decay(3 * j**-2.5) == pytest.approx(2.5)
    c, alpha, p = learning_rates.exponential_decay(5 * np.exp(-0.3 * j**1.5))
    assert (np.exp(c), alpha, p) == pytest.approx((5, 0.3, 1.5), rel=1e-6)


def test_gaussian_eigenvalues_fall_like_j_log_j_whatever_the_width():
    for width in (0.3, 0.5, 1.0, 2.0):
        values = learning_rates.spectrum(kernels.Gaussian(width), points=120)
        j = np.arange(1, len(values))
        assert_close((j * values[1:] / values[:-1])[-1], 1 / (2 * width) ** 2, rtol=0.02)
        half = len(values) // 2
        assert_close(learning_rates.continued(values[:-2], len(values)), values, rtol=0.02)
        fitted = [learning_rates.exponential_decay(of)[2] for of in (values[:half], values)]
        assert 1 < fitted[1] < fitted[0] - 0.1  # p sinks with the number of eigenvalues


def test_the_decay_is_that_of_the_later_half():
    j = np.arange(1, 21)
    bent = np.where(j <= 10, 1.0, (j / 10.0) ** -2)
    assert learning_rates.polynomial_decay(bent) == pytest.approx(2)


def test_length_decays_by_the_square_and_gaussians_exponentially():
    length = learning_rates.spectrum(kernels.Length(), points=400, number=60)
    assert learning_rates.polynomial_decay(length) == pytest.approx(2, abs=0.1)
    _, _, p = learning_rates.exponential_decay(learning_rates.spectrum(kernels.Gaussian(0.3)))
    assert 1 < p < 2  # on an interval; the paper's 2 is that of the circle
    _, _, p = learning_rates.exponential_decay(learning_rates.spectrum(kernels.Periodic(0.3))[1::2])
    assert p == pytest.approx(2, abs=0.15)


# Covering numbers and bounds

VALUES = np.exp(-(np.arange(1.0, 121) ** 1.2))


@pytest.mark.parametrize("log_n", [0.5, 5.0, 50.0])
def test_the_entropy_bound_is_that_of_the_loops(log_n):
    for tau in (0.2, 0.7):
        a = VALUES ** (tau / 2)
        of_loops = explicit.entropy_bound(VALUES.tolist(), log_n, 2, 1.0, a.tolist())
        ours = learning_rates.entropy_bound(VALUES, log_n, 2, tau=tau)
        assert ours == pytest.approx(of_loops, rel=1e-10)


def test_the_covering_number_inverts_the_entropy_bound():
    for epsilon in (1.0, 0.1, 0.01):
        log_n = learning_rates.log_covering(epsilon, VALUES, 2, size=3.0)
        at = np.sqrt(6.0) * learning_rates.entropy_bound(VALUES, log_n, 2)
        assert at == pytest.approx(epsilon, rel=1e-3)
    assert learning_rates.log_covering(1e9, VALUES, 2) == 0
    with pytest.raises(ValueError, match="5 eigenvalues are too few for epsilon=1e-05"):
        learning_rates.log_covering(1e-5, VALUES[:5], 2)


@pytest.mark.parametrize("p", [1.0, 2.0])
def test_covering_numbers_of_exponential_spectra_grow_as_52_says(p):
    values = np.exp(-(np.arange(1.0, 600) ** p))
    values = values[values > 0]
    x = np.array([20.0, 40, 80])  # log 1/epsilon
    log_n = [learning_rates.log_covering(np.exp(-u), values, 1) for u in x]
    slope = np.polyfit(np.log(x), np.log(log_n), 1)[0]
    assert slope == pytest.approx((p + 1) / p, abs=0.3)


def test_covering_numbers_of_polynomial_spectra_grow_as_85_and_not_as_53_says():
    alpha = 4.0  # eigenvalues j^-(alpha + 1): (85) has the power 2/alpha, (53) alpha/2
    values = np.arange(1.0, 20_001) ** -(alpha + 1)
    epsilon = np.array([1e-2, 1e-3])
    log_n = [learning_rates.log_covering(e, values, 1) for e in epsilon]
    slope = -np.diff(np.log(log_n))[0] / np.diff(np.log(epsilon))[0]
    assert 2 / alpha - 0.05 < slope < 2 / alpha + 0.35


def test_hoeffding_holds_with_the_square_of_the_range():
    m, largest = 40, 3.0  # costs of 0 or 3 with probability 1/2: a binomial distribution
    for eta in (0.2, 0.5, 1.0):
        low = np.ceil(m * (0.5 - eta / largest)) - 1
        exact = 2 * binom.cdf(low, m, 0.5)
        assert exact <= learning_rates.hoeffding(eta, m, largest)
        assert learning_rates.hoeffding(eta, m, largest) == pytest.approx(
            explicit.hoeffding(eta, m, largest)
        )
    as_printed = 2 * np.exp(-2 * m * 0.5**2 / largest)
    assert 2 * binom.cdf(np.ceil(m * (0.5 - 0.5 / largest)) - 1, m, 0.5) > as_printed


def test_the_uniform_bound_is_the_best_of_those_of_the_loops():
    log_covering = lambda epsilon: 3 + np.log(1 / epsilon)
    epsilons = np.geomspace(1e-3, 0.249, 2000)
    for m in (800, 1600):
        ours = learning_rates.uniform_bound(0.5, m, 4.0, log_covering, 4.0)
        of_loops = [explicit.uniform_bound(0.5, e, m, 4.0, log_covering(e / 8)) for e in epsilons]
        assert ours == pytest.approx(min(of_loops), rel=0.05, abs=0) and ours < 1e-4
    assert learning_rates.uniform_bound(0.5, 1, 4.0, log_covering, 4.0) == 1


def test_the_uniform_bound_looks_no_further_than_half_of_eta():
    few_balls = lambda epsilon: 0.0 if epsilon > 0.6 else 1e6
    assert learning_rates.uniform_bound(1.0, 1000, 1.0, few_balls, 0.5) == 1  # ε up to 1/2 only
    enough = lambda epsilon: 0.0 if epsilon > 0.4 else 1e6
    assert learning_rates.uniform_bound(1.0, 1000, 1.0, enough, 0.5) < 1e-100


def test_too_few_eigenvalues_give_no_bound():
    for log_n in (0.1, 1.0, 10.0):
        assert learning_rates.entropy_bound(np.ones(3), log_n, 2, tau=0.5) == np.inf
    assert learning_rates.entropy_bound(np.ones(3), 0.0, 2, tau=0.5) < np.inf


def test_the_excess_is_bounded_by_more_points():
    log_covering = lambda epsilon: 1 + np.log(1 + 1 / epsilon) ** 2
    bounds = [learning_rates.excess_bound(m, 4.0, log_covering) for m in (1e2, 1e4, 1e6)]
    assert bounds[0] > bounds[1] > bounds[2]
    slope = np.diff(np.log(bounds)) / np.diff(np.log([1e2, 1e4, 1e6]))
    assert -0.5 < slope[1] < -0.35
    polynomial = [learning_rates.excess_bound(m, 1.0, lambda e: 1 / e) for m in (1e8, 1e10)]
    slope = np.diff(np.log(polynomial))[0] / np.log(1e2)
    assert slope == pytest.approx(-learning_rates.rate_of_covering(1), abs=0.01)


def test_rates_are_the_papers():
    rate = learning_rates.rate_of_decay
    assert rate(2) == 1 / 4 and rate(2, "linear") == 3 / 8  # below corollary 7
    assert rate(2) < learning_rates.KEGL < rate(2, "linear")
    for a in (2.0, 3.0, 5.0):  # (57) is (55) with log N = O(ε^(-2/(a-1)))
        assert rate(a) == pytest.approx(learning_rates.rate_of_covering(2 / (a - 1)))
    with pytest.raises(ValueError, match="faster than 1/j"):
        rate(1.0)


@pytest.mark.parametrize("p", [1.0, 2.0, 10.0])
def test_the_exponential_rate_overtakes_kegls_once_and_for_all(p):
    m = learning_rates.overtakes(p)
    below = lambda m: learning_rates.excess_of_exponential(m, p) < m**-learning_rates.KEGL
    assert below(1.01 * m) and not below(0.99 * m)
    assert all(below(m * factor) for factor in (2, 100, 1e6))


def test_the_norm_of_an_expansion_bounds_it_everywhere():
    # ‖f(z)‖ ≤ ‖Pf‖ √k(z, z): why a ball of functions has finite covering numbers at all
    basis = Basis(KERNEL, Box(1).lattice(9))
    alpha = np.random.default_rng(0).normal(size=(9, 3))
    f = KernelExpansion(basis, np.zeros(3), alpha, np.zeros((0, 3)))
    sizes = np.linalg.norm(f(Box(1).lattice(500)), axis=1)
    assert sizes.max() <= np.sqrt(f.norm()) * (1 + 1e-9)


def test_the_slope_of_an_exact_power_is_its_exponent_whatever_the_floor():
    m = np.array([10, 30, 200, 700])
    random = np.random.default_rng(0)
    excess = 3.0 * m**-0.7
    spread = random.normal(size=(4, 6))
    errors = 0.2 + excess[:, None] * (1 + 2 * (spread - spread.mean(axis=1, keepdims=True)))
    assert (errors < 0.2).any()  # single repeats may be luckier than the best there is
    assert learning_rates.excess_slope(m, errors, 0.2) == pytest.approx(-0.7)
    with pytest.raises(ValueError, match="at m = 700"):
        learning_rates.excess_slope(m, errors, 0.24)
