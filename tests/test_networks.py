"""The networks of [DRUR]: values and Jacobians against loops and differences, fits against the
equations that they solve, and what happens when there is little to fit."""

import numpy as np
import pytest
from helpers import assert_close, differences, read_only, small_problem

from ukrlearn import explicit, networks
from ukrlearn.networks import (
    MULTIPLES,
    Perceptron,
    RBFNetwork,
    basis,
    best_width,
    cluster_centres,
    fit_perceptron,
    fit_rbf,
    spacing,
    squared_error,
)

X, Y = small_problem(N=9, q=2, d=4)
RANDOM = np.random.default_rng(3)
RBF = RBFNetwork(RANDOM.normal(size=(5, 2)), 0.7, RANDOM.normal(size=(5, 4)), RANDOM.normal(size=4))
MLP = Perceptron(*(RANDOM.normal(size=shape) for shape in ((2, 3), 3, (3, 4), 4)))
both = pytest.mark.parametrize("network", [RBF, MLP], ids=["rbf", "mlp"])


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(networks, "BATCH", 4)


# ------------------------------------------------------------------ values and Jacobians


def test_values_are_those_of_the_loops(small_batches):
    centres, width, W, bias = RBF.centres.tolist(), RBF.width, RBF.W.tolist(), RBF.bias.tolist()
    assert_close(RBF(X), [explicit.rbf(x, centres, width, W, bias) for x in X.tolist()])
    layers = [part.tolist() for part in (MLP.W1, MLP.b1, MLP.W2, MLP.b2)]
    assert_close(MLP(X), [explicit.perceptron(x, *layers) for x in X.tolist()])


def test_jacobians_are_those_of_the_loops():
    rbf = RBF.centres.tolist(), RBF.width, RBF.W.tolist()
    mlp = [part.tolist() for part in (MLP.W1, MLP.b1, MLP.W2)]
    for network, of_loops in (
        (RBF, [explicit.rbf_jacobian(x, *rbf) for x in X.tolist()]),
        (MLP, [explicit.perceptron_jacobian(x, *mlp) for x in X.tolist()]),
    ):
        f, J = network.with_jacobian(X)
        assert_close(f, network(X))
        assert_close(J, of_loops)


@both
def test_jacobians_are_derivatives(network):
    _, J = network.with_jacobian(X)
    for x, of_x in zip(X, J, strict=True):
        assert_close(of_x, differences(lambda x: network(x[None])[0], x), rtol=1e-8)


@both
def test_far_away_a_network_is_constant_and_flat(network):
    f, J = network.with_jacobian(np.full((1, 2), 1e4))
    assert np.isfinite(f).all() and np.abs(J).max() == 0


@both
def test_of_many_columns_only_those_count_that_the_network_can_reach(network, small_batches):
    random = np.random.default_rng(1)
    lift = random.normal(size=(4, 30))
    wide = (
        RBFNetwork(RBF.centres, RBF.width, RBF.W @ lift, RBF.bias @ lift)
        if network is RBF
        else Perceptron(MLP.W1, MLP.b1, MLP.W2 @ lift, MLP.b2 @ lift)
    )
    data = random.normal(size=(9, 30))
    small, inside = wide.reduced(data)
    assert inside.shape == (9, 5 if network is RBF else 3)
    loss = np.sum((data - wide(X)) ** 2, axis=1) - np.sum((inside - small(X)) ** 2, axis=1)
    elsewhere = np.sum((data - wide(X + 1)) ** 2, axis=1)
    elsewhere -= np.sum((inside - small(X + 1)) ** 2, axis=1)
    assert_close(elsewhere, loss)  # the same constant wherever x is
    narrow = network if network is RBF else Perceptron(MLP.W1, MLP.b1, MLP.W2[:, :3], MLP.b2[:3])
    assert narrow.reduced(Y)[0] is narrow


# ------------------------------------------------------------------ fits


@pytest.mark.parametrize("penalty", [1e-5, 0.1, 10.0])
def test_the_weights_of_an_rbf_network_are_stationary(penalty, small_batches):
    centres = read_only(X[::2] + 0.1)
    f = fit_rbf(X, Y, centres, 0.6, penalty)
    objective = lambda W, bias: explicit.rbf_objective(
        X.tolist(), Y.tolist(), centres.tolist(), 0.6, W.tolist(), bias.tolist(), penalty
    )
    least = objective(f.W, f.bias)
    slope = differences(lambda W: objective(W, f.bias), f.W, h=1e-4)
    assert np.abs(slope).max() < 1e-6 * least
    assert np.abs(differences(lambda bias: objective(f.W, bias), f.bias)).max() < 1e-6 * least


def test_the_weights_are_those_of_the_equations_as_printed():
    centres, width, penalty = X[:4], 0.8, 0.01
    G = basis(X, centres, width).T  # the paper's G_xy, M x N
    G_xx, N = basis(centres, centres, width), len(X)
    A = G @ G.T + penalty * G_xx - np.outer(G.sum(axis=1), G.sum(axis=1)) / N
    W = np.linalg.solve(A, G @ (Y - Y.mean(axis=0)))  # (16)
    f = fit_rbf(X, Y, centres, width, penalty)
    assert_close(f.W, W, rtol=1e-9)
    assert_close(f.bias, np.mean(Y - G.T @ W, axis=0), rtol=1e-9)  # (15)


def test_a_shift_of_the_data_is_a_shift_of_the_bias():
    one, other = (fit_rbf(X, Y + shift, X[:4], 0.8, 1e-3) for shift in (0, 1e6))
    assert_close(one.W, other.W, rtol=1e-8)
    assert_close(other.bias - 1e6, one.bias, rtol=1e-6)


def test_a_great_penalty_leaves_the_mean():
    assert_close(fit_rbf(X, Y, X[:4], 0.8, 1e12)(X), np.tile(Y.mean(axis=0), (9, 1)), rtol=1e-8)


@pytest.mark.parametrize("width", [1e-6, 1e3, 1e8])
@pytest.mark.parametrize("penalty", [0.0, 1e-300, 1e-5])
def test_nearly_singular_systems_have_finite_solutions_no_worse_than_the_mean(width, penalty):
    centres = np.vstack([X[:6], X[:2], X[:1] + 1e-12])  # more than the data determine, and twice
    f = fit_rbf(X, Y, centres, width, penalty)
    assert np.isfinite(f(X)).all()
    assert np.sum((Y - f(X)) ** 2) <= np.sum((Y - Y.mean(axis=0)) ** 2) * (1 + 1e-6)


def test_squared_error_and_its_gradient(small_batches):
    shape, theta = (2, 3, 4), np.random.default_rng(2).normal(size=25)
    error, gradient = squared_error(theta, X, Y, shape, 0.3)
    layers = [part.tolist() for part in networks._layers(theta, shape)]
    f = np.array([explicit.perceptron(x, *layers) for x in X.tolist()])
    weights = np.sum(np.square(layers[0])) + np.sum(np.square(layers[2]))
    assert error == pytest.approx(np.sum((Y - f) ** 2) + 0.3 * weights, rel=1e-12)
    of_differences = differences(lambda theta: squared_error(theta, X, Y, shape, 0.3)[0], theta)
    assert_close(gradient, of_differences, rtol=1e-7)


def test_a_perceptron_learns_a_curve_and_goes_on_from_where_it_was():
    t = np.linspace(0, 1, 80)[:, None]
    data = 100 + 50 * np.column_stack([np.cos(5 * t), np.sin(5 * t)])
    short, long = (fit_perceptron(t, data, 10, 1e-6, moves=moves) for moves in (20, 200))
    errors = [np.mean((data - f(t)) ** 2) for f in (short, long)]
    assert errors[1] < errors[0] and errors[1] < 0.5
    further = fit_perceptron(t, data, 10, 1e-6, previous=long, moves=50)
    assert np.mean((data - further(t)) ** 2) <= errors[1]
    assert_close(fit_perceptron(t, data, 10, 1e-6, previous=long, moves=0)(t), long(t), rtol=1e-10)


# ------------------------------------------------------------------ centres and widths


def test_centres_are_means_of_their_points_and_stay_where_they_are():
    blobs = np.repeat(np.array([[0.0, 0], [9, 0], [0, 9]]), 20, axis=0)
    blobs = blobs + 0.1 * np.random.default_rng(0).normal(size=blobs.shape)
    centres = cluster_centres(blobs, 3)
    means = blobs.reshape(3, 20, 2).mean(axis=1)
    assert_close(centres, np.unique(means, axis=0))
    assert_close(cluster_centres(blobs, 3, previous=centres), centres)


def test_few_different_points_are_the_centres_themselves():
    points = np.repeat(X[:3], 4, axis=0)
    for M in (3, 4, 100):
        assert_close(cluster_centres(points, M), np.unique(X[:3], axis=0))


def test_spacing_is_the_mean_distance_to_the_nearest():
    assert spacing(np.array([[0.0], [1.0], [4.0]])) == pytest.approx((1 + 1 + 3) / 3)
    assert spacing(np.zeros((1, 2))) == 1.0


def test_the_width_is_the_multiple_that_predicts_best():
    t = np.linspace(0, 1, 200)[:, None]
    centres = np.linspace(0, 1, 12)[:, None]
    data = np.sin(6 * t)
    for multiples in ((0.1, 3), (3, 1e4), MULTIPLES):
        width = best_width(t, data, centres, 1e-6, multiples=multiples)
        assert 2 <= width / spacing(centres) <= 12
    assert best_width(t[:1], data[:1], centres[:1], 1e-6) == 2.0
