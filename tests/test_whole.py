"""One page per paper: it computes what the library computes, and ends where the library ends."""

import ast
import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from helpers import assert_close, small_problem
from scipy.spatial import procrustes

from ukrlearn import UKR, ParametricDRUR, PrincipalManifold, SpectralGuidance, checks, explicit
from ukrlearn.blocks.gauss_newton import gauss_newton_steps
from ukrlearn.blocks.kernel_ridge import Smoother
from ukrlearn.blocks.networks import fit_rbf
from ukrlearn.explicit.whole import drur, rpm, sgd, si, ukr
from ukrlearn.sgd.affinity import clustering_affinity
from ukrlearn.sgd.neighbor_embedding import neighbor_embedding_error, neighbor_probabilities
from ukrlearn.si.dissimilarity import WithLabels, mean_squared_distance
from ukrlearn.si.grnn import grnn, grnn_left_out
from ukrlearn.si.isomap import agglomerative_isomap
from ukrlearn.ukr.reconstruction import reconstruction_error

PAGES = sorted(Path(explicit.__file__).parent.joinpath("whole").glob("[a-z]*.py"))
X, Y = small_problem(N=40, q=2, d=3)
random = np.random.default_rng


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_short_and_needs_nothing_but_numpy_and_scipy(page):
    text = page.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120 and max(map(len, text.splitlines())) <= 79
    tree = ast.walk(ast.parse(text))
    modules = [n.module if isinstance(n, ast.ImportFrom) else n.names[0].name for n in tree
               if isinstance(n, ast.Import | ast.ImportFrom)]  # fmt: skip
    assert {name.partition(".")[0] for name in modules} <= {"numpy", "scipy"}


# What each page prints, number by number: at least, at most. Descents differ between machines.
PRINTS = {
    "ukr": [(0.0015, 0.0022), (0.002, 0.003), (0.998, 1)],
    "sgd": [(0.03, 0.2), (0, 0.99), (0.01, 0.025), (0.99, 1)],
    "drur": [(0.5, 0.56), (0.99, 1)],
    "rpm": [(0.19, 0.21), (0.01, 0.013), (0.009, 0.013)],
    "si": [(0.88, 0.95), (0.96, 1)],
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_runs_and_prints_its_figures(page, capsys):
    runpy.run_path(str(page), run_name="__main__")
    printed = capsys.readouterr().out
    numbers = [float(number) for number in re.findall(r"\d\.\d+", printed)]
    pairs = zip(PRINTS[page.stem], numbers, strict=True)
    assert all(least <= number <= most for (least, most), number in pairs), printed


def test_errors_gradients_and_steps_are_the_librarys():
    error, gradient = reconstruction_error(X, Y)
    assert_close(ukr.leave_one_out_error(X, Y), error, rtol=1e-12)
    assert_close(ukr.gradient_as_matrix(X, Y), gradient, rtol=1e-12)
    root = np.sqrt(2)  # [SGD] has the kernel exp(-t), [UKR] exp(-t / 2)
    assert_close(sgd.ukr_error(X / root, Y), error, rtol=1e-12)
    assert_close(sgd.ukr_gradient(X / root, Y), root * gradient, rtol=1e-12)
    P = sgd.neighbour_probabilities(Y, 0.7)
    error, gradient = neighbor_embedding_error(X, neighbor_probabilities(Y, 0.7))
    assert_close(sgd.sne_error(X, P), error, rtol=1e-12)
    assert_close(sgd.sne_gradient(X, P), gradient, rtol=1e-12)
    assert_close(sgd.affinity(Y, 0.7), clustering_affinity(Y, 0.7), rtol=1e-12)
    network = fit_rbf(X, Y, X[:5], 1.5, 0.1)
    f = (X[:5], 1.5, *drur.weights(X, Y, X[:5], 1.5, 0.1))
    assert_close(drur.values(X, *f), network(X), rtol=1e-9)
    assert_close(drur.jacobian(X, *f[:3]), network.with_jacobian(X)[1], rtol=1e-9)
    there = drur.values(X, *f), drur.jacobian(X, *f[:3]), X, Y, 0.5 * X
    assert_close(drur.gauss_newton(*there), gauss_newton_steps(*there), rtol=1e-12)


def test_the_curve_of_a_penalty_has_no_slope_left():
    zeta, nodes, step = np.tanh(X[:, 0]), np.linspace(-1, 1, 6), 1e-5
    alpha = rpm.coefficients(zeta, Y, nodes, 0.5, 0.1)
    R_reg = lambda alpha: rpm.objective(zeta, alpha, Y, nodes, 0.5, 0.1)
    for direction in np.eye(alpha.size).reshape(-1, *alpha.shape):
        rise = R_reg(alpha + step * direction) - R_reg(alpha - step * direction)
        assert abs(rise / step) < 1e-8
    assert (
        len(set(np.sign(np.diff(rpm.alternate(Y, alpha, nodes, 0.5, 0.1, 30)[2]))) - {-1, 0}) == 0
    )


def test_distances_coordinates_and_maps_are_the_librarys():
    Y, labels = si.shells(60, random(0))
    Q = si.label_distances(Y, labels, 0.5, 1)
    assert_close(Q, WithLabels(Y, labels, 0.5, mean_squared_distance(Y))[:], rtol=1e-12)
    X, of_library = si.embedded(Q, 2, 7), agglomerative_isomap(Q, 2, 7).X
    assert_close(np.sign(np.sum(X * of_library, axis=0)) * X, of_library, rtol=1e-8)
    new = si.shells(20, random(1))[0]
    placed, left_out = si.grnn(new, Y, X, 0.3)
    assert_close(placed, grnn(new, Y, X, 0.3), rtol=1e-12)
    assert_close(left_out, grnn_left_out(Y, X, 0.3), rtol=1e-12)
    ridge = Smoother(Y, width=1.0, penalty=0.01).fit(X)
    assert_close(si.kernel_ridge(new, Y, X, 0.5, 0.01), ridge(new), rtol=1e-9)


# From the same start, on twenty draws


def often(pairs, worse=1.1, more=0.0):
    """Whether the page ends at most a tenth above the library on 18 of 20 draws."""
    pairs = np.array(list(pairs))
    assert len(pairs) == 20
    return np.sum(pairs[:, 0] <= worse * pairs[:, 1] + more) >= 18


def test_a_spiral_is_fitted_and_new_points_are_placed_as_well_as_by_the_library():
    ends, places = [], []
    for seed in range(20):
        Y, _ = ukr.noisy_spiral(100, random(seed))
        start = ukr.scaled(ukr.lle(Y, 1, 8), Y)
        X, model = ukr.descend(start, Y), UKR(1, init=start).fit(Y)
        ends.append((ukr.leave_one_out_error(X, Y), model.cv_error_))
        new = ukr.noisy_spiral(50, random(100 + seed))[0]
        X = model.embedding_
        grid = np.linspace(X.min(), X.max(), 1000)[:, None]
        x = ukr.places(new, grid, X, Y, model.density_threshold_)
        back = ukr.weighted_mean(x, X, Y)
        assert_close(back, model.inverse_transform(x), rtol=1e-9)
        of_library = model.inverse_transform(model.transform(new))
        places.append([np.sum((f - new) ** 2) for f in (back, of_library)])
    assert often(ends), ends
    assert often(places), places


def test_a_guided_descent_ends_as_low_as_the_librarys():
    def ends(seed):
        Y, _ = sgd.noisy_helix(100, random(seed))
        start = 0.1 * random(seed).normal(size=(100, 1))
        error, gradient = (lambda X: sgd.ukr_error(X, Y)), lambda X: sgd.ukr_gradient(X, Y)
        X = sgd.descend(start / np.sqrt(2), error, gradient, Y)[-1]
        guidance = SpectralGuidance(h=1.0, schedule="nu", nu=10)
        model = UKR(1, init=start, descent="gradient", guidance=guidance, max_iter=200, tol=0)
        return error(X), model.fit(Y).cv_error_

    assert often(map(ends, range(20)))


def test_a_sheet_is_recovered_as_well_as_by_the_library():
    def misfits(seed):
        Y, t = drur.swiss_roll(300, random(seed))
        start = drur.of_size(0.5, t + 10 * random(seed).normal(size=t.shape))
        Y = drur.of_size(1, Y)
        model = ParametricDRUR(init=start, max_iter=3).fit(Y)
        return [procrustes(t, X)[2] for X in (drur.alternate(start, Y, 3)[0], model.embedding_)]

    assert often(map(misfits, range(20)), worse=1, more=0.002)  # of the sheet's variance


def test_a_principal_curve_is_as_good_as_the_librarys():
    def errors(seed):
        Y = rpm.noisy_arc(100, random(seed))
        Y -= Y.mean(axis=0)
        nodes = np.linspace(-1, 1, 19)
        K = rpm.kernel(nodes, nodes, 0.5)
        start = rpm.start_coefficients(nodes[:, None], rpm.principal_axis(Y), K, 1e-3)
        found = rpm.alternate(Y, start, nodes, 0.5, 1e-3, 40)[2][-1]
        model = PrincipalManifold(1, penalty=1e-3, width=0.5, max_iter=40).fit(Y)
        return found, model.errors_[-1, 2]

    assert often(map(errors, range(20)))


def test_a_page_handed_to_a_checker_is_recognised_as_the_librarys():
    handed = {
        "nadaraya_watson": ukr.weighted_mean,
        "leave_one_out": ukr.leave_one_out_error,
        "gradient_matrix": ukr.gradient_as_matrix,
        "sne_gradient": sgd.sne_gradient,
        "gauss_newton": drur.gauss_newton,
        "adapt_manifold": rpm.coefficients,
        "double_centring": si.coordinates,
    }
    assert {checks.check(name, of).diagnoses for name, of in handed.items()} == {("library",)}
