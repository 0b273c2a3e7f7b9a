"""The forward map, the latent density and their slopes: against loops, SciPy, and at the limits."""

import numpy as np
import pytest
from helpers import (
    TWINS,
    assert_close,
    blocks_of,
    each,
    every_compact_kernel,
    every_kernel,
    gaussian,
    name,
    quartic,
    read_only,
    small_problem,
    steep,
    student,
    wide,
)
from scipy.special import softmax

from ukrlearn import explicit
from ukrlearn.blocks import kernel_regression, mercer_kernels
from ukrlearn.blocks.kernel_regression import (
    density_gradient,
    kernel_rows,
    latent_density,
    predict,
    predict_jacobian,
    row_blocks,
    similarities,
    weights,
    weights_jacobian,
)

PATHS = {"dense": True, "sparse": False}


@pytest.fixture(params=PATHS)
def path(request, monkeypatch):
    """Compact kernels take this path; blocks hold four rows, so that there are several."""
    monkeypatch.setattr(kernel_regression, "mostly_neighbors", lambda *_: PATHS[request.param])
    monkeypatch.setattr(kernel_regression, "row_blocks", blocks_of(4))
    return request.param


def positions(M=7, q=2, seed=1):
    """Positions within reach of the points of `small_problem`."""
    return read_only(0.2 * np.random.default_rng(seed).normal(size=(M, q)))


x = positions()
X, Y = small_problem()


# ------------------------------------------------------------------ loops and differences


@every_kernel
def test_weights_predictions_and_density_are_those_of_the_loops(kernel, path):
    twin = TWINS[kernel]
    assert_close(weights(x, X, kernel), explicit.weights(x, X, twin))
    assert_close(predict(x, X, Y, kernel), explicit.predict(x, X, Y, twin))
    assert_close(latent_density(x, X, kernel), explicit.latent_density(x, X, twin))
    K_yY = mercer_kernels.l1(Y[:5] + 1, Y)
    assert_close(similarities(K_yY, x, X, kernel), explicit.similarities(K_yY, x, X, twin))


@every_kernel
def test_slopes_are_those_of_the_loops(kernel, path):
    twin = TWINS[kernel]
    assert_close(density_gradient(x, X, kernel), explicit.density_gradient(x, X, twin))
    assert_close(weights_jacobian(x, X, kernel), explicit.weights_jacobian(x, X, twin))
    assert_close(predict_jacobian(x, X, Y, kernel), explicit.predict_jacobian(x, X, Y, twin))


@pytest.mark.parametrize("q", [1, 3])
def test_other_numbers_of_latent_dimensions(q):
    X, Y = small_problem(q=q, d=2)
    x = positions(q=q)
    assert_close(predict_jacobian(x, X, Y), explicit.predict_jacobian(x, X, Y))
    assert_close(weights_jacobian(x, X), explicit.weights_jacobian(x, X))


# ------------------------------------------------------------------ identities


@every_kernel
def test_density_lies_between_zero_and_k_of_zero_which_coinciding_points_reach(kernel, path):
    p = latent_density(x, X, kernel)
    assert np.all(p >= 0) and np.all(p < kernel.at_zero)
    together = np.ones((6, 2))
    assert_close(latent_density(together, together, kernel), np.full(6, kernel.at_zero))
    assert np.all(density_gradient(together, together, kernel) == 0)


# ------------------------------------------------------------------ outside implementations


def test_gaussian_weights_are_scipys_softmax_at_any_distance():
    for reach in (1, 1e2, 1e5):
        t = ((reach * x[:, None] - X) ** 2).sum(axis=-1)
        assert_close(weights(reach * x, X), softmax(-t / 2, axis=1), rtol=1e-6)


# ------------------------------------------------------------------ limits and hard cases


@pytest.mark.parametrize("kernel", [gaussian, steep], ids=name)
def test_far_away_an_exponential_kernel_takes_the_nearest_point(kernel):
    direction = np.array([[3.0, 4.0]]) / 5
    nearest = np.argmax(X @ direction.ravel())
    for distance in (1e3, 1e8):
        f = predict(distance * direction, X, Y, kernel)
        assert_close(f[0], Y[nearest], rtol=1e-6)
        J = predict_jacobian(distance * direction, X, Y, kernel)
        assert np.abs(J).max() < 1e-6


def test_jacobian_of_an_underflowing_row_is_that_of_the_shifted_softmax():
    z = np.array([[60.0, 0.0]])
    t = ((z - X) ** 2).sum(axis=1)
    b = softmax(-t / 2)
    expected = b[:, None] * (X - b @ X)
    assert_close(weights_jacobian(z, X)[0], expected, rtol=1e-6)


@every_compact_kernel
def test_beyond_the_reach_of_a_compact_kernel_stands_the_mean_of_the_data(kernel, path):
    far = np.array([[50.0, 0.0], [0.01, 0.0], [1e155, 1e155]])
    f = predict(far, X, Y, kernel)
    assert_close(f[[0, 2]], np.tile(Y.mean(axis=0), (2, 1)))
    assert_close(f[1:2], explicit.predict(far[1:2], X, Y, TWINS[kernel]))
    p = latent_density(far, X, kernel)
    assert p[0] == p[2] == 0 < p[1]
    assert np.all(predict_jacobian(far, X, Y, kernel)[[0, 2]] == 0)
    assert_close(weights(far[:1], X, kernel), np.full((1, 9), 1 / 9))


@each("scale", [1e-200, 1e76, 5e153, 1e155, 1e300])
@every_kernel
def test_no_scale_gives_nan(kernel, scale, path):
    for positions, points in ((scale * x, X), (x, scale * X), (scale * x, scale * X)):
        assert np.isfinite(predict(positions, points, Y, kernel)).all()
        assert np.isfinite(predict_jacobian(positions, points, Y, kernel)).all()
        assert np.isfinite(weights_jacobian(positions, points, kernel)).all()
        assert_close(weights(positions, points, kernel).sum(axis=1), np.ones(7))
        assert np.all(latent_density(positions, points, kernel) >= 0)
        assert np.isfinite(density_gradient(positions, points, kernel)).all()


@every_kernel
def test_no_positions_and_a_single_point(kernel, path):
    assert predict(np.empty((0, 2)), X, Y, kernel).shape == (0, 4)
    assert latent_density(np.empty((0, 2)), X, kernel).shape == (0,)
    assert_close(predict(x, X[:1], Y[:1], kernel), np.tile(Y[:1], (7, 1)))


@every_compact_kernel
@each("q", [1, 2, 3])
def test_sparse_and_dense_agree(kernel, q, monkeypatch):
    random = np.random.default_rng(q)
    X, Y = kernel.radius * random.normal(size=(60, q)), random.normal(size=(60, 3))
    X[3] = X[4]
    x = 2 * kernel.radius * random.normal(size=(40, q))
    outcome = {}
    for path, mostly in PATHS.items():
        monkeypatch.setattr(kernel_regression, "mostly_neighbors", lambda *_, is_=mostly: is_)
        outcome[path] = predict(x, X, Y, kernel), latent_density(x, X, kernel)
    assert (outcome["dense"][1] == 0).any() and (outcome["dense"][1] > 0).any()
    for dense, sparse in zip(outcome["dense"], outcome["sparse"], strict=True):
        assert_close(sparse, dense)


def test_a_compact_kernel_takes_the_path_that_its_neighbors_suggest(monkeypatch):
    calls = []
    original = kernel_regression._sparse_rows
    spy = lambda *given: calls.append(given) or original(*given)
    monkeypatch.setattr(kernel_regression, "_sparse_rows", spy)
    X = np.random.default_rng(0).uniform(size=(200, 2))
    predict(X, X, X, quartic), latent_density(X, X, quartic)
    predict(X, X, X, gaussian), latent_density(X, X, gaussian)
    assert len(calls) == 0
    predict(20 * X, 20 * X, X, quartic), latent_density(20 * X, 20 * X, quartic)
    assert len(calls) == 2


@pytest.mark.parametrize("kernel", [gaussian, quartic], ids=name)
def test_many_positions_need_no_array_of_all_pairs(kernel):
    import tracemalloc

    X = 3 * np.random.default_rng(0).normal(size=(2000, 2))
    for function in (
        lambda: predict(X, X, X, kernel),
        lambda: latent_density(X, X, kernel),
        lambda: density_gradient(X, X, kernel),
        lambda: predict_jacobian(X, X, X, kernel),
    ):
        tracemalloc.start()
        assert np.isfinite(function()).all()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 0.5 * 8 * 2000**2


# ------------------------------------------------------------------ rows and blocks


@every_kernel
def test_kernel_rows_hold_k_its_steepness_sums_and_density(kernel):
    t = ((x[:, None] - X) ** 2).sum(axis=-1)
    rows = kernel_rows(x, X, kernel)
    assert_close(rows.K, kernel(t))
    assert_close(rows.steepness, -2 * kernel.slope(t))
    assert_close(rows.total, kernel(t).sum(axis=1))
    assert_close(rows.density, kernel(t).mean(axis=1))
    left_out = np.array([0, 0, 3]), np.array([1, 2, 8])
    rows = kernel_rows(x, X, kernel, left_out)
    assert np.all(rows.K[left_out] == 0) and np.all(rows.steepness[left_out] == 0)
    expected = kernel(t)
    expected[left_out] = 0
    assert_close(rows.total, expected.sum(axis=1))


@pytest.mark.parametrize("kernel", [gaussian, steep, quartic, student, wide], ids=name)
def test_mended_rows_leave_the_others_alone_and_keep_the_true_density(kernel):
    far = 1e200 if kernel is student else 80.0
    both = np.vstack([x, [[far, far]]])
    plain, mended = kernel_rows(x, X, kernel), kernel_rows(both, X, kernel)
    for actual, expected in zip(mended, plain, strict=True):
        assert np.array_equal(actual[:-1], expected)
    assert mended.total[-1] >= 1e-150 and mended.density[-1] == 0
    assert (mended.steepness[-1] == 0).all() == (not kernel.exponential)


def test_what_is_left_out_stays_out_of_mended_rows():
    X = np.array([[0.0], [80.0], [81.0], [200.0]])
    itself = np.arange(4), np.arange(4)
    B = kernel_rows(X, X, gaussian, itself)
    assert np.all(np.diagonal(B.K) == 0) and np.all(np.diagonal(B.steepness) == 0)
    assert np.array_equal(B.K.argmax(axis=1), [1, 2, 1, 2])
    isolated = kernel_rows(X, X, quartic, itself)
    assert np.array_equal(isolated.K[0], [0, 1, 1, 1]) and isolated.total[0] == 3
    assert np.all(isolated.steepness == 0)


def test_nobody_left_is_an_error():
    with pytest.raises(ValueError, match="leaving out all 1 points leaves none"):
        kernel_rows(X[:1], X[:1], gaussian, (np.array([0]), np.array([0])))


@pytest.mark.parametrize("n_rows, n_columns", [(0, 5), (1, 1), (300, 300), (1000, 7), (250, 10**6)])
def test_blocks_hold_each_row_once_in_order(n_rows, n_columns):
    blocks = list(row_blocks(n_rows, n_columns))
    rows = np.concatenate([np.arange(n_rows)[block] for block in blocks] or [[]])
    assert np.array_equal(rows, np.arange(n_rows))
    assert all(block.stop <= n_rows for block in blocks)


def test_blocks_are_small_enough_for_the_cache_and_large_enough_for_blas():
    for n_columns in (10, 300, 1000, 5000, 30_000, 10**6):
        block = next(iter(row_blocks(10**6, n_columns)))
        size = block.stop - block.start
        assert 16 <= size
        assert size == 16 or size * n_columns <= 2**19
