"""What [DRUR] is compared with: autoencoder and GPLVM, against loops, differences, known limits,
and what their estimators find and refuse."""

import numpy as np
import pytest
from helpers import (
    assert_close,
    blocks_of,
    differences,
    each,
    random_motion,
    read_only,
    small_problem,
)
from scipy.stats import multivariate_normal, spearmanr
from sklearn.base import clone

from ukrlearn import datasets, explicit, metrics
from ukrlearn.blocks import networks
from ukrlearn.blocks.descent import at_most, last
from ukrlearn.drur import baselines
from ukrlearn.drur.baselines import (
    GaussianProcess,
    autoencoder,
    autoencoder_error,
    autoencoder_networks,
    gplvm,
    gplvm_error,
    place,
    placing_error,
)
from ukrlearn.estimators.baselines import AutoencoderBaseline, GPLVMBaseline

X, Y = small_problem(N=9, q=2, d=4)
SHAPE = (4, 3, 2)
THETA = read_only(np.random.default_rng(2).normal(size=48))
LOGS = read_only(np.array([0.3, 0.5, -1.0]))
ROLL, SHEET = read_only(*datasets.swiss_roll(150, length=60.0, height=30.0, random_state=0))
START = read_only(SHEET + 4 * np.random.RandomState(1).normal(size=SHEET.shape))
AUTOENCODER = dict(n_basis=8, init=START, max_iter=30)
GPLVM = dict(init=START, max_iter=15)
models = each(
    "model",
    [AutoencoderBaseline(**AUTOENCODER), GPLVMBaseline(**GPLVM)],
    ids=["autoencoder", "gplvm"],
)


def lists(network):
    return [part.tolist() for part in (network.W1, network.b1, network.W2, network.b2)]


def twin_of_autoencoder(theta, penalty):
    F, f = (lists(network) for network in autoencoder_networks(theta, SHAPE))
    return explicit.autoencoder_error(Y.tolist(), F, f, penalty)


def with_(model, **parameters):
    return clone(model).set_params(**parameters)


# ------------------------------------------------------------------ the autoencoder's error


@pytest.mark.parametrize("penalty", [0.0, 0.3])
def test_the_autoencoders_error_is_that_of_the_loops(penalty, monkeypatch):
    monkeypatch.setattr(networks, "BATCH", 4)
    error, gradient = autoencoder_error(THETA, Y, SHAPE, penalty)
    assert error == pytest.approx(twin_of_autoencoder(THETA, penalty), rel=1e-12)
    of_twin = differences(lambda theta: twin_of_autoencoder(theta, penalty), THETA)
    assert_close(gradient, of_twin, rtol=1e-7)


def test_an_autoencoder_is_the_second_half_of_f_after_F():
    F, f = autoencoder_networks(THETA, SHAPE)
    assert_close(baselines.flat((F.W1, F.b1, F.W2, F.b2), (f.W1, f.b1, f.W2, f.b2)), THETA)
    assert F(Y).shape == (9, 2) and f(F(Y)).shape == (9, 4)
    error, _ = autoencoder_error(THETA, Y, SHAPE)
    assert error == pytest.approx(np.sum((Y - f(F(Y))) ** 2))


def test_with_nearly_linear_units_it_is_principal_component_analysis():
    centred, e = Y - Y.mean(axis=0), 1e-3
    _, s, V = np.linalg.svd(centred, full_matrices=False)
    # s(ε a) = 1/2 + ε a/4 + O(ε³): behind it a weight of 4/ε, and a bias against the half.
    into = [e * V[:2].T, np.zeros(2), 4 / e * np.eye(2), np.full(2, -2 / e)]
    back = [e * np.eye(2), np.zeros(2), 4 / e * V[:2], -2 / e * V[:2].sum(axis=0)]
    theta = baselines.flat(into, back)
    error, gradient = autoencoder_error(theta, centred, (4, 2, 2))
    assert error == pytest.approx(np.sum(s[2:] ** 2), rel=1e-6)

    def slopes(gradient):
        """By the weights of the linear network: the half of s is the bias's matter."""
        of_F, of_f = autoencoder_networks(gradient, (4, 2, 2))
        return np.abs(of_F.W1).max() * e, np.abs(of_f.W2 - of_f.b2 / 2).max() * 4 / e

    turned = [e * np.roll(V[:2], 1, axis=1).T, *into[1:]]
    elsewhere = autoencoder_error(baselines.flat(turned, back), centred, (4, 2, 2))
    assert elsewhere[0] > 2 * error
    assert max(slopes(gradient)) < 1e-4 and min(slopes(elsewhere[1])) > 1


# ------------------------------------------------------------------ the GPLVM's error


def twin_of_gplvm(X, logs, prior):
    return explicit.gplvm_error(np.asarray(X).tolist(), Y.tolist(), list(logs), prior)


@pytest.mark.parametrize("prior", [0.0, 1.0, 0.4])
def test_the_gplvms_error_is_that_of_the_loops(prior):
    error, (to_X, to_logs) = gplvm_error(X, Y, LOGS, prior)
    assert error == pytest.approx(twin_of_gplvm(X, LOGS, prior), rel=1e-12)
    assert_close(to_X, differences(lambda X: twin_of_gplvm(X, LOGS, prior), X), rtol=1e-7)
    by_logs = differences(lambda logs: twin_of_gplvm(X, logs, prior), LOGS)
    assert_close(to_logs, by_logs, rtol=1e-7)


def test_the_gplvms_error_is_minus_the_logarithm_of_a_normal_density():
    scale, gamma, noise = np.exp(LOGS)
    t = np.sum((X[:, None] - X) ** 2, axis=-1)
    K = scale * np.exp(-gamma / 2 * t) + noise * np.eye(9)
    density = multivariate_normal(np.zeros(9), K)
    assert gplvm_error(X, Y, LOGS, 0.0)[0] == pytest.approx(-density.logpdf(Y.T).sum())


def test_the_likelihood_knows_distances_only_and_the_prior_the_origin():
    turn = random_motion(2)
    error, (to_X, to_logs) = gplvm_error(X, Y, LOGS, 0.0)
    moved, (to_moved, logs_moved) = gplvm_error(X @ turn + 3, Y, LOGS, 0.0)
    assert moved == pytest.approx(error)
    assert_close(to_moved, to_X @ turn, rtol=1e-9)
    assert_close(logs_moved, to_logs, rtol=1e-9)
    assert np.abs(to_X.sum(axis=0)).max() < 1e-12 * np.abs(to_X).sum()
    with_prior = gplvm_error(X, Y, LOGS)[0]
    assert gplvm_error(X @ turn, Y, LOGS)[0] == pytest.approx(with_prior)
    assert with_prior - error == pytest.approx(np.sum(X**2) / 2)


def test_with_a_free_width_the_prior_shrinks_the_latent_points():
    smaller = LOGS + [0, -2 * np.log(0.5), 0]
    assert gplvm_error(0.5 * X, Y, smaller, 0.0)[0] == pytest.approx(
        gplvm_error(X, Y, LOGS, 0.0)[0]
    )
    assert gplvm_error(0.5 * X, Y, smaller)[0] < gplvm_error(X, Y, LOGS)[0]


def test_turning_the_data_changes_nothing():
    turned = Y @ random_motion(4)
    error, (to_X, _) = gplvm_error(X, Y, LOGS)
    other, (to_other, _) = gplvm_error(X, turned, LOGS)
    assert other == pytest.approx(error)
    assert_close(to_other, to_X, rtol=1e-9)


def wide_kernel(gamma, noise):
    """s² γ = 1: then s² exp(-γ/2 t) is the inner product x·x', up to a constant and O(γ)."""
    return np.log([1 / gamma, gamma, noise])


def test_with_a_wide_kernel_it_is_the_linear_model():
    centred, noise, gamma = Y - Y.mean(axis=0), 0.3, 1e-6
    x = X - X.mean(axis=0)
    N, d = centred.shape
    K = x @ x.T + noise * np.eye(N)
    without_the_mean = np.linalg.slogdet(K)[1] - np.log(noise)  # x and y have none of it
    expected = d / 2 * (without_the_mean + np.log(N / gamma))
    expected += np.sum(centred * np.linalg.solve(K, centred)) / 2 + d * N / 2 * np.log(2 * np.pi)
    error, _ = gplvm_error(x, centred, wide_kernel(gamma, noise), 0.0)
    assert error == pytest.approx(expected, rel=1e-5)


def test_with_a_wide_kernel_principal_components_are_the_likeliest():
    centred, gamma = Y - Y.mean(axis=0), 1e-5
    U, s, _ = np.linalg.svd(centred, full_matrices=False)
    noise = s[2] ** 2 / 4 / 2  # less than the variances that are kept
    best = U[:, :2] * np.sqrt(s[:2] ** 2 / 4 - noise)  # probabilistic PCA; d = 4
    logs = wide_kernel(gamma, noise)
    least, (to_X, _) = gplvm_error(best, centred, logs, 0.0)
    assert np.abs(to_X).max() < 1e-3
    random = np.random.default_rng(0)
    assert np.abs(gplvm_error(X, centred, logs, 0.0)[1][0]).max() > 1  # as it is elsewhere
    for _ in range(20):
        elsewhere = best + 0.1 * random.normal(size=best.shape)
        assert gplvm_error(elsewhere, centred, logs, 0.0)[0] > least


def test_a_singular_kernel_matrix_has_an_infinite_error():
    error, (to_X, to_logs) = gplvm_error(np.zeros((9, 2)), Y, np.array([0.0, 0.0, -60.0]))
    assert error == np.inf and not to_X.any() and not to_logs.any()


# ------------------------------------------------------------------ the process, and placing


def process(noise=0.1):
    return GaussianProcess(X, Y, 1.3, 2.0, noise)


def test_the_mean_goes_through_the_data_when_there_is_no_noise_and_to_zero_far_away():
    assert_close(process(1e-10)(X), Y, rtol=1e-6)
    assert np.abs(process()(np.full((1, 2), 1e3))).max() == 0
    weights = process().inverse @ process().covariances(X)
    assert weights.min() < 0  # as kernel regression's never are


def test_values_do_not_depend_on_the_block(monkeypatch):
    x = np.random.default_rng(1).normal(size=(11, 2))
    whole, placed = process()(x), place(process()(x) + 0.1, process())
    monkeypatch.setattr(baselines, "row_blocks", blocks_of(3))
    assert_close(process()(x), whole)
    assert_close(place(process()(x) + 0.1, process()), placed, rtol=1e-4)


def test_placing_adds_a_pair_to_the_likelihood():
    x, y = np.array([[0.3, -0.2]]), np.array([[1.0, 0.4, 2.0, 0.1]])
    f, logs = process(), np.log([1.3, 2.0, 0.1])
    both = gplvm_error(np.vstack([X, x]), np.vstack([Y, y]), logs, 0.6)
    alone, _ = gplvm_error(X, Y, logs, 0.6)
    errors, gradient = placing_error(x, y, f, 0.6)
    assert errors[0] == pytest.approx(both[0] - alone)
    assert_close(gradient[0], both[1][0][-1], rtol=1e-9)


def test_placing_has_its_gradient():
    x = np.random.default_rng(3).normal(size=(5, 2))
    new = np.random.default_rng(4).normal(size=(5, 4))
    objective = lambda x: (lambda e, g: (e.sum(), g))(*placing_error(x, new, process()))
    assert_close(objective(x)[1], differences(lambda x: objective(x)[0], x), rtol=1e-7)


def test_new_data_are_placed_at_a_maximum_no_less_likely_than_any_training_point():
    f, new = process(), np.random.default_rng(4).normal(size=(6, 4)) + 1
    x = place(new, f)
    errors, gradient = placing_error(x, new, f)
    assert np.abs(gradient).max() < 1e-2
    for point in X:
        assert (errors <= placing_error(np.tile(point, (6, 1)), new, f)[0] + 1e-12).all()


def test_what_the_process_made_is_placed_where_it_was_made():
    t = np.linspace(-1, 1, 25)[:, None]
    f = GaussianProcess(t, np.hstack([np.cos(3 * t), np.sin(3 * t)]), 1.0, 4.0, 1e-4)
    x = np.linspace(-0.95, 0.95, 40)[:, None]
    assert_close(place(f(x), f, prior=0.0), x, rtol=1e-3)


# ------------------------------------------------------------------ training


def test_training_begins_at_the_start_and_lowers_the_error():
    y, x = (ROLL - ROLL.mean(axis=0)) / 10, (START - START.mean(axis=0)) / 20
    first, *_, end = at_most(autoencoder(x, y, 8, 1e-5), 20)
    F = networks.fit_perceptron(y, x, 8, 1e-5)
    assert_close(first.X, F(y))
    assert end.error < 0.7 * first.error and end.error >= np.sum((y - end.f(end.F(y))) ** 2)
    assert_close(end.X, end.F(y))
    steps = list(at_most(gplvm(x, y), 20))
    assert np.array_equal(steps[0].X, x) and steps[0].F is None
    logs = np.log([1, 1, np.exp(-2) + baselines.LEAST_NOISE])
    assert steps[0].error == pytest.approx(gplvm_error(x, y, logs)[0], rel=1e-12)
    errors = [step.error for step in steps]
    assert errors == sorted(errors, reverse=True) and errors[-1] < errors[0] - 100
    end = steps[-1]
    logs = np.log([end.f.scale, end.f.gamma, end.f.noise])
    assert end.error == pytest.approx(gplvm_error(end.X, y, logs)[0], rel=1e-9)


def test_noise_has_a_floor():
    flat = np.column_stack([np.linspace(-1, 1, 30), np.linspace(-1, 1, 30)])
    end = last(at_most(gplvm(flat[:, :1], flat), 200))
    assert baselines.LEAST_NOISE <= end.f.noise < 1e-4 and np.isfinite(end.error)


def test_a_noisy_start_within_reach_keeps_its_order_in_the_autoencoder():
    model = AutoencoderBaseline(n_basis=20, init=START, max_iter=300).fit(ROLL)
    X = model.embedding_
    U, _, V = np.linalg.svd((X - X.mean(axis=0)).T @ (SHEET - SHEET.mean(axis=0)))
    order = [spearmanr(x, t)[0] for x, t in zip((X @ U @ V).T, SHEET.T, strict=True)]
    assert min(order) > 0.95
    assert model.reconstruction_error_ < 0.02 * ROLL.var(axis=0).sum()


def test_a_slightly_disturbed_start_gets_better_in_the_gplvm():
    model = GPLVMBaseline(init=START, max_iter=30).fit(ROLL)
    assert metrics.procrustes_r2(model.embedding_, SHEET) > metrics.procrustes_r2(START, SHEET)


# ------------------------------------------------------------------ the estimators


@models
def test_new_data_are_mapped_row_by_row(model):
    fitted = clone(model).fit(ROLL)
    new, _ = datasets.swiss_roll(40, length=60.0, height=30.0, random_state=7)
    x = fitted.transform(new)
    for n in (0, 17):
        assert_close(fitted.transform(new[[n]])[0], x[n], rtol=1e-4)
        if isinstance(fitted, GPLVMBaseline):  # the bits too, or a long search would differ
            assert np.array_equal(fitted.transform(new[[n]])[0], x[n])
            assert np.array_equal(fitted.transform(new[n:][::-1])[-1], x[n])
    assert_close(fitted.transform(ROLL), fitted.embedding_)
    far = fitted.transform(np.array([[1e140, 0, 0], [0, -1e9, 3]]))
    assert np.isfinite(far).all()


def test_the_autoencoder_maps_with_F_and_the_gplvm_where_it_is_likeliest():
    new, _ = datasets.swiss_roll(40, length=60.0, height=30.0, random_state=7)
    model = AutoencoderBaseline(**AUTOENCODER).fit(ROLL)
    F_Y = model._latent.out_of(model.F_(model._data.into(new)))
    assert_close(model.transform(new), F_Y)
    process = GPLVMBaseline(**GPLVM).fit(ROLL)
    assert not hasattr(process, "F_")
    nearest = np.argmin(np.sum((new[:, None] - ROLL) ** 2, axis=-1), axis=1)
    x, y = process._latent.into(process.transform(new)), process._data.into(new)
    at_nearest = process._latent.into(process.embedding_[nearest])
    likelier = placing_error(x, y, process.f_)[0] <= placing_error(at_nearest, y, process.f_)[0]
    assert likelier.all()


@models
def test_no_moves_keep_the_start_of_each(model):
    fitted = with_(model, max_iter=0).fit(ROLL)
    assert fitted.n_iter_ == 0
    if isinstance(fitted, GPLVMBaseline):
        assert_close(fitted.embedding_, START)
    else:
        assert metrics.procrustes_r2(fitted.embedding_, START) > 0.9


@models
def test_training_ends_when_it_is_flat(model):
    fitted = with_(model, max_iter=500, tol=0.5).fit(ROLL)
    assert 20 <= fitted.n_iter_ < 200


# ------------------------------------------------------------------ odd data, bad input


@models
def test_a_constant_column_is_no_matter(model):
    with_constant = np.column_stack([ROLL, np.full(len(ROLL), 1e9)])
    fitted = with_(model).fit(with_constant)
    assert np.isfinite(fitted.embedding_).all()


@models
@each(
    "parameters, error, message",
    [
        (dict(n_components=4), ValueError, "n_components=4 must be at most the 3 columns"),
        (dict(init="umap"), ValueError, "init must be one of 'auto', 'pca'"),
        (dict(init=np.full((150, 2), 3.0)), ValueError, "init must not put all points in one"),
    ],
)
def test_bad_parameters_are_refused_in_words(model, parameters, error, message):
    with pytest.raises(error, match=message):
        with_(model, **parameters).fit(ROLL)


def test_too_many_points_for_a_dense_process_are_refused_with_what_to_do():
    with pytest.raises(ValueError, match="at most 2000 points; got n_samples=2001"):
        GPLVMBaseline(init="pca").fit(np.random.default_rng(0).normal(size=(2001, 3)))
