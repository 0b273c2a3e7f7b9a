"""Stochastic neighbour embedding: its objective against loops, differences and identities, and the
estimator."""

import numpy as np
import pytest
from helpers import (
    assert_close,
    blocks_of,
    differences,
    each,
    interrupted,
    read_only,
    remainder_order,
    small_problem,
)
from scipy.optimize import check_grad

from ukrlearn import SNE, UKR, SpectralGuidance, datasets, explicit
from ukrlearn.explicit.matrices import sgd as matrices
from ukrlearn.sgd import neighbor_embedding
from ukrlearn.sgd.neighbor_embedding import (
    neighbor_embedding_error,
    neighbor_probabilities,
    objective,
    objective_of,
)

X, Y = small_problem()
with_or_without_itself = each("with_itself", [True, False])


# ------------------------------------------------------------------ the objective


@with_or_without_itself
@each("h", [0.3, 1.0, 7.0])
def test_probabilities_are_those_of_the_loops_and_rows_sum_to_one(h, with_itself, monkeypatch):
    monkeypatch.setattr(neighbor_embedding, "row_blocks", blocks_of(4))
    P = neighbor_probabilities(Y, h, with_itself)
    assert_close(P, explicit.neighbor_probabilities(Y.tolist(), h, with_itself))
    assert_close(P.sum(axis=1), np.ones(len(Y)))
    assert (np.diagonal(P) > 0).all() == with_itself
    if with_itself:  # as printed
        assert_close(P, matrices.neighbor_probabilities(Y, h))


@with_or_without_itself
@each("h", [0.3, 2.0])
def test_error_and_gradient_are_those_of_the_loops_and_of_the_matrices(h, with_itself, monkeypatch):
    monkeypatch.setattr(neighbor_embedding, "row_blocks", blocks_of(4))
    P = neighbor_probabilities(Y, h, with_itself)
    error, gradient = neighbor_embedding_error(X, P, with_itself)
    twins = [explicit.neighbor_embedding_error(X.tolist(), P.tolist(), with_itself)]
    twins += [matrices.neighbor_embedding_error(X, P)] if with_itself else []
    assert isinstance(error, float)
    for expected, of_twin in twins:
        assert error == pytest.approx(expected, rel=1e-12)
        assert_close(gradient, of_twin)


@with_or_without_itself
def test_gradient_is_the_derivative_of_the_loops(with_itself):
    P = neighbor_probabilities(Y, 2.0, with_itself)
    of_loops = differences(
        lambda X: explicit.neighbor_embedding_error(X.tolist(), P.tolist(), with_itself)[0], X
    )
    assert_close(neighbor_embedding_error(X, P, with_itself)[1], of_loops, rtol=1e-8)
    assert remainder_order(objective(Y, 2.0, with_itself), X) == pytest.approx(2, abs=0.1)


@with_or_without_itself
def test_the_error_is_never_negative_and_zero_where_both_choose_alike(with_itself):
    P = neighbor_probabilities(X, 1.0, with_itself)
    error, gradient = neighbor_embedding_error(X, P, with_itself)
    assert error == pytest.approx(0, abs=1e-14) and np.abs(gradient).max() < 1e-14
    for seed in range(20):
        other = np.random.default_rng(seed).normal(size=X.shape)
        assert neighbor_embedding_error(other, P, with_itself)[0] > 1e-3


def test_the_bandwidth_is_one_and_points_may_choose_themselves_unless_asked_otherwise():
    P = neighbor_probabilities(Y)
    assert_close(P, explicit.neighbor_probabilities(Y.tolist(), 1.0, True))
    expected = neighbor_embedding_error(X, P, True)
    for error, gradient in (objective(Y)(X), objective_of(P)(X), neighbor_embedding_error(X, P)):
        assert error == expected[0] and np.array_equal(gradient, expected[1])


def test_far_from_the_origin_no_digits_are_lost():
    shifted = X + 2.0**20  # exact
    _, gradient = objective(Y)(shifted)
    assert_close(gradient, objective(Y)(shifted - 2.0**20)[1], rtol=1e-12)


@with_or_without_itself
def test_far_points_have_a_finite_error(with_itself):
    far = 1e5 * X
    error, gradient = objective(Y, 1.0, with_itself)(far)
    assert 1e9 < error < 1e13 and np.isfinite(gradient).all()
    near = check_grad(
        lambda x: objective(Y, 1.0, with_itself)(x.reshape(X.shape))[0],
        lambda x: objective(Y, 1.0, with_itself)(x.reshape(X.shape))[1].ravel(),
        30 * X.ravel(),
    )
    assert near < 1e-3  # of a gradient of several tens


def test_zero_probabilities_count_nothing():
    Y = np.array([[0.0], [1.0], [1e4]])
    for with_itself in (True, False):
        P = neighbor_probabilities(Y, 1.0, with_itself)
        assert (P == 0).any()
        assert np.isfinite(neighbor_embedding_error(X[:3], P, with_itself)[0])


# ------------------------------------------------------------------ the estimator

CIRCLE, T = read_only(*datasets.partitioned_circle(60, random_state=0))


def test_a_fit_lowers_the_error_and_remembers_how():
    model = SNE(h=0.1, max_iter=30, record=True).fit(CIRCLE)
    errors = [frame.error for frame in model.history_]
    assert errors == sorted(errors, reverse=True) and errors[-1] < errors[0] / 4
    assert model.error_ == errors[-1] == pytest.approx(objective(CIRCLE, 0.1)(model.embedding_)[0])
    assert model.n_iter_ == len(errors) - 1 <= 30
    assert_close(model.embedding_.mean(axis=0) + 1, np.ones(2))
    assert np.std(model.history_[0].X) == pytest.approx(0.01, rel=0.2)


@each("descent", ["gradient", "rprop", "l-bfgs"])
@each("guidance", [None, SpectralGuidance(h=0.1)])
def test_each_descent_works_with_and_without_guidance(descent, guidance):
    model = SNE(h=0.1, descent=descent, guidance=guidance, max_iter=40).fit(CIRCLE)
    assert model.error_ < 0.1
    assert model.error_ == min(frame.error for frame in model.history_)


def test_a_named_start_is_scaled_to_its_least_error():
    start = SNE(h=0.1, init="spectral", max_iter=0).fit(CIRCLE)
    for factor in (0.8, 1.25):
        assert objective(CIRCLE, 0.1)(factor * start.embedding_)[0] > start.error_


def test_an_array_is_taken_as_it_is():
    X0 = np.column_stack([T, T**2])
    model = SNE(init=X0, max_iter=0).fit(CIRCLE)
    np.testing.assert_allclose(model.embedding_, X0 - X0.mean(axis=0), atol=1e-15)


def test_the_same_seed_gives_the_same_bits_and_none_is_zero():
    fits = [SNE(max_iter=3, random_state=seed).fit(CIRCLE).embedding_ for seed in (0, None, 1)]
    assert np.array_equal(fits[0], fits[1]) and not np.array_equal(fits[0], fits[2])


def test_it_has_no_transform_and_kernel_regression_adds_the_maps():
    assert not hasattr(SNE(), "transform")
    maps = UKR(init=SNE(h=0.1, max_iter=50), max_iter=0).fit(CIRCLE)
    assert maps.transform(CIRCLE[:3] + 0.01).shape == (3, 2)


def test_a_callback_stops_a_fit_and_so_does_an_interruption():
    stopped = SNE(max_iter=20, callback=lambda step: True).fit(CIRCLE)
    assert stopped.n_iter_ == 0 and len(stopped.history_) == 1

    def interrupt(step):
        raise KeyboardInterrupt

    left = interrupted(SNE(max_iter=20, callback=interrupt), CIRCLE, "1 steps")
    assert left.embedding_.shape == CIRCLE.shape
    too_early = SNE(guidance=SpectralGuidance(matrix=interrupt))
    with pytest.raises(KeyboardInterrupt):
        too_early.fit(CIRCLE)
    assert not hasattr(too_early, "embedding_")


def test_equal_points_are_embedded():
    model = SNE(max_iter=5, guidance=SpectralGuidance()).fit(np.ones((6, 3)))
    assert np.isfinite(model.embedding_).all()


@pytest.mark.parametrize("with_itself", [True, False])
def test_a_bandwidth_that_isolates_points_is_said(with_itself):
    if with_itself:
        with pytest.warns(UserWarning, match="leaves most points without neighbours.*Try h="):
            SNE(h=1e-9, max_iter=2).fit(CIRCLE)
    else:  # then everyone has a nearest neighbour
        assert np.isfinite(SNE(h=1e-9, max_iter=2, with_itself=False).fit(CIRCLE).error_)


@each(
    "parameters, error, message",
    [
        (dict(n_components=60), ValueError, "n_components=60 must be less than the 60 points"),
        (dict(init="umap"), ValueError, "init must be one of 'random', 'pca'"),
        (dict(init=np.zeros((3, 2))), ValueError, r"init must have one row per point.*\(60, 2\)"),
    ],
)
def test_bad_parameters_are_refused_in_words(parameters, error, message):
    with pytest.raises(error, match=message):
        SNE(**parameters).fit(CIRCLE)


def test_bad_data_are_refused_in_words():
    with pytest.raises(ValueError, match="squares overflow"):
        SNE().fit(1e200 * CIRCLE)
    with pytest.raises(ValueError, match="at least 3 points"):
        SNE(n_components=1, with_itself=False).fit(CIRCLE[:2])
