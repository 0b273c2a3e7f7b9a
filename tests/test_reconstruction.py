"""The reconstruction error and its gradient: against loops, differences, the paper's matrices,
identities, symmetries, limits, and each path against the other."""

import numpy as np
import pytest
from helpers import (
    COMPACT,
    TWINS,
    assert_close,
    blocks_of,
    differences,
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
from joblib import Parallel, delayed
from scipy.optimize import brentq, check_grad

from ukrlearn import explicit
from ukrlearn.blocks import kernel_regression, mercer_kernels, tiles
from ukrlearn.blocks.density_kernels import DensityKernel
from ukrlearn.blocks.kernel_regression import row_blocks
from ukrlearn.explicit.matrices import ukr as matrices
from ukrlearn.ukr import reconstruction
from ukrlearn.ukr.reconstruction import (
    LEAST_BAND,
    DataSpace,
    FeatureSpace,
    ReconstructionError,
    isolated_points,
    pair_forces,
    penalty_factors,
    reconstruction_error,
    reconstruction_error_gram,
    squared_residuals,
    weight_matrix,
)

GROUPS = read_only(np.array([0, 0, 1, 2, 2, 2, 3, 1, 4]))
FLAGS = {
    "leave-one-out": dict(),
    "all": dict(leave_one_out=False),
    "groups": dict(groups=GROUPS),
    "groups, all": dict(leave_one_out=False, groups=GROUPS),
}
every_flag = each("flags", FLAGS.values(), ids=FLAGS)
PATHS = {"blocks": False, "tiles": True}


@pytest.fixture(params=PATHS)
def path(request, monkeypatch):
    """All kernels take this path, whatever their reach; tiles are small."""
    force(monkeypatch, request.param)
    return request.param


def force(monkeypatch, path):
    worth = lambda _, reach: PATHS[path] and np.isfinite(reach)
    monkeypatch.setattr(reconstruction, "worth_tiling", worth)
    monkeypatch.setattr(tiles, "LEAF", 3)


def at_points_with_neighbors_and_without():
    """Nine points, of which one sees no other under the quartic kernel and none under the wide."""
    X, Y = small_problem()
    X = X.copy()
    X[4] = 9.0
    return read_only(X), Y


# ------------------------------------------------------------------ loops


@every_flag
@every_kernel
def test_error_and_gradient_are_those_of_the_loops(kernel, flags, path, monkeypatch):
    monkeypatch.setattr(reconstruction, "row_blocks", blocks_of(4))
    X, Y = small_problem()
    G = mercer_kernels.l1(Y)
    for (error, gradient), (expected, of_loops) in (
        (
            reconstruction_error(X, Y, kernel, **flags),
            explicit.reconstruction_error(X, Y, TWINS[kernel], **flags),
        ),
        (
            reconstruction_error_gram(X, G, kernel, **flags),
            explicit.reconstruction_error_gram(X, G, TWINS[kernel], **flags),
        ),
    ):
        assert isinstance(error, float)
        assert error == pytest.approx(expected, rel=1e-12)
        assert_close(gradient, of_loops)


@every_flag
@every_compact_kernel
def test_an_isolated_point_is_rebuilt_by_the_mean_of_the_others(kernel, flags, path):
    X, Y = at_points_with_neighbors_and_without()
    data = reconstruction_error(X, Y, kernel, **flags)
    gram = reconstruction_error_gram(X, mercer_kernels.linear(Y), kernel, **flags)
    expected, expected_gradient = explicit.reconstruction_error(X, Y, TWINS[kernel], **flags)
    for error, gradient in (data, gram):
        assert error == pytest.approx(expected, rel=1e-12)
        assert_close(gradient, expected_gradient)
        assert np.all(gradient[4] == 0)
    if not flags:
        of_others = np.delete(Y, 4, axis=0).mean(axis=0)
        squares = squared_residuals(X, Y, kernel)
        assert squares[4] == pytest.approx(np.sum((Y[4] - of_others) ** 2), rel=1e-12)


@every_flag
@every_kernel
def test_weights_and_residuals_are_those_of_the_loops(kernel, flags, monkeypatch):
    monkeypatch.setattr(reconstruction, "row_blocks", blocks_of(4))
    X, Y = small_problem()
    assert_close(
        weight_matrix(X, kernel, **flags), explicit.weight_matrix(X, TWINS[kernel], **flags)
    )
    expected = np.array(explicit.squared_residuals(X, Y, TWINS[kernel], **flags))
    assert_close(squared_residuals(X, Y, kernel, **flags), expected)
    some = [7, 2, 2, 0, 8]
    assert_close(squared_residuals(X, Y, kernel, points=some, **flags), expected[some])


@every_kernel
def test_penalty_factors_are_those_of_the_loops(kernel, monkeypatch):
    monkeypatch.setattr(reconstruction, "row_blocks", blocks_of(4))
    X, _ = small_problem()
    assert_close(penalty_factors(X, kernel), explicit.penalty_factors(X, TWINS[kernel]))


def test_more_points_than_one_block_holds():
    X, Y = small_problem(N=330, d=3, spread=1.0)
    assert len(list(row_blocks(330, 330, LEAST_BAND))) > 1
    error, gradient = reconstruction_error(X, Y)
    expected, expected_gradient = matrices.reconstruction_error(X, Y, gaussian)
    assert error == pytest.approx(expected, rel=1e-12)
    assert_close(gradient, expected_gradient)


# ------------------------------------------------------------------ differences


def test_scipy_finds_no_fault_with_the_gradient():
    X, Y = small_problem(q=3)
    objective = lambda x: reconstruction_error(x.reshape(X.shape), Y)
    wrong = check_grad(lambda x: objective(x)[0], lambda x: objective(x)[1].ravel(), X.ravel())
    assert wrong < 1e-6


# ------------------------------------------------------------------ the paper's matrices


@each("leave_one_out", [True, False])
@every_kernel
def test_error_gradient_and_weights_are_those_of_the_matrices(kernel, leave_one_out, path):
    X, Y = small_problem(N=12, spread=0.3)
    given = kernel, leave_one_out
    pairs = [(reconstruction_error(X, Y, *given), matrices.reconstruction_error(X, Y, *given))]
    for G in (mercer_kernels.gaussian(Y), mercer_kernels.l1(Y)):
        expected = matrices.reconstruction_error_gram(X, G, *given)
        pairs.append((reconstruction_error_gram(X, G, *given), expected))
    for (error, gradient), (expected, of_matrices) in pairs:
        assert error == pytest.approx(expected, rel=1e-12)
        assert_close(gradient, of_matrices)
    assert_close(weight_matrix(X, *given), matrices.weight_matrix(X, *given))


@every_kernel
@each("leave_one_out", [True, False])
def test_pair_forces_are_the_matrix_q_and_add_up_to_the_gradient_of_the_loops(
    kernel, leave_one_out
):
    X, Y = small_problem()
    Q = pair_forces(X, Y, kernel, leave_one_out)
    assert_close(Q, matrices.pair_forces(X, Y, kernel, leave_one_out))
    assert not leave_one_out or np.array_equal(pair_forces(X, Y, kernel), Q)
    _, gradient = explicit.reconstruction_error(
        X.tolist(), Y.tolist(), TWINS[kernel], leave_one_out
    )
    addends = (Q + Q.T)[:, :, None] * (X[None] - X[:, None])
    assert_close(2 / len(X) * addends.sum(axis=1), np.array(gradient))  # (29)


@every_kernel
@each("leave_one_out", [True, False])
def test_partial_derivatives_of_the_weights_are_28(kernel, leave_one_out):
    X, _ = small_problem(N=7, spread=0.3)
    dB = matrices.weight_matrix_jacobian(X, kernel, leave_one_out)
    of_twin = lambda X: explicit.weight_matrix(X, TWINS[kernel], leave_one_out)
    assert_close(dB, differences(of_twin, X), rtol=1e-8)


@every_kernel
@each("leave_one_out", [True, False])
def test_gradient_is_the_sum_24_over_the_derivatives_28(kernel, leave_one_out):
    X, Y = small_problem(N=7, spread=0.3)
    M = (weight_matrix(X, kernel, leave_one_out) - np.eye(7)) @ Y @ Y.T
    dB = matrices.weight_matrix_jacobian(X, kernel, leave_one_out)
    _, gradient = reconstruction_error(X, Y, kernel, leave_one_out)
    assert_close(gradient, matrices.gradient_by_weights(M, dB))


def test_p_of_the_gaussian_is_b_and_of_the_quartic_four_roots():
    X, _ = small_problem(spread=0.3)
    rows = kernel_regression.kernel_rows(X, X, gaussian)
    assert np.array_equal(rows.steepness, rows.K)  # (35)
    rows = kernel_regression.kernel_rows(X, X, quartic)
    assert_close(rows.steepness, 4 * np.sqrt(rows.K))  # (36)


# ------------------------------------------------------------------ identities


@every_kernel
def test_leave_one_out_is_refitting_with_the_point_deleted(kernel):
    X, Y = small_problem()
    rebuilt = [
        kernel_regression.predict(
            X[[n]], np.delete(X, n, axis=0), np.delete(Y, n, axis=0), kernel
        ).ravel()
        for n in range(len(X))
    ]
    squares = np.sum((np.array(rebuilt) - Y) ** 2, axis=1)
    assert_close(squared_residuals(X, Y, kernel), squares)
    assert reconstruction_error(X, Y, kernel)[0] == pytest.approx(squares.mean(), rel=1e-12)  # (10)


@every_kernel
def test_leave_k_out_is_refitting_with_the_group_deleted(kernel):
    X, Y = small_problem()
    squares = []
    for n in range(len(X)):
        others = GROUPS != GROUPS[n]
        f = kernel_regression.predict(X[[n]], X[others], Y[others], kernel)
        squares.append(np.sum((f - Y[n]) ** 2))
    error, _ = reconstruction_error(X, Y, kernel, groups=GROUPS)
    assert error == pytest.approx(np.mean(squares), rel=1e-12)


def test_penalty_of_a_point_that_is_alone_is_infinite():
    X = np.array([[0.0], [0.5], [7.0]])
    assert np.array_equal(np.isinf(penalty_factors(X, quartic)), [False, False, True])
    assert np.isinf(penalty_factors(np.array([[0.0], [37.0]]))).all()  # squares overflow


@every_kernel
def test_conditionally_positive_definite_kernels_serve_as_well(kernel, path):
    X, Y = small_problem()
    conditional = -np.abs(Y[:, None] - Y).sum(axis=-1)
    expected, expected_gradient = reconstruction_error_gram(X, mercer_kernels.l1(Y), kernel)
    error, gradient = reconstruction_error_gram(X, conditional / 2, kernel)
    assert error == pytest.approx(expected, rel=1e-12)
    assert_close(gradient, expected_gradient)
    centred = mercer_kernels.centred(conditional / 2)
    assert reconstruction_error_gram(X, centred, kernel)[0] == pytest.approx(expected, rel=1e-12)


def test_l1_error_is_the_mean_l1_distance_that_its_feature_space_measures():
    # Two points, each rebuilt by the other: |Φ(y) - Φ(z)|² = |y - z|₁ = 3 + 1.
    G = mercer_kernels.l1(np.array([[0.0, 2.0], [3.0, 1.0]]))
    assert reconstruction_error_gram(np.array([[0.0], [0.7]]), G)[0] == pytest.approx(4, rel=1e-14)


@every_flag
@every_kernel
def test_rows_of_weights_are_a_convex_combination(kernel, flags):
    X, _ = at_points_with_neighbors_and_without()
    B = weight_matrix(X, kernel, **flags)
    assert np.all(B >= 0)
    assert_close(B.sum(axis=1), np.ones(9))
    if flags.get("leave_one_out", True):
        assert np.all(np.diagonal(B) == 0)
        if "groups" in flags:
            assert np.all(B[GROUPS[:, None] == GROUPS] == 0)


@every_kernel
def test_groups_of_one_are_leave_one_out(kernel, path):
    X, Y = small_problem()
    expected, expected_gradient = reconstruction_error(X, Y, kernel)
    error, gradient = reconstruction_error(X, Y, kernel, groups=list("abcdefghi"))
    assert error == pytest.approx(expected, rel=1e-13)
    assert_close(gradient, expected_gradient)


# ------------------------------------------------------------------ symmetries


@every_kernel
def test_far_from_the_origin_no_digits_are_lost(kernel, path):
    X, Y = small_problem(N=8)
    near = np.round(X * 2**12) / 2**12  # so that the shift itself is exact
    far = near + 2.0**36
    error, gradient = reconstruction_error(near, Y, kernel)
    shifted, shifted_gradient = reconstruction_error(far, Y, kernel)
    assert shifted == pytest.approx(error, rel=1e-12)
    assert_close(shifted_gradient, gradient, rtol=1e-11)


@every_kernel
def test_error_is_quadratic_in_the_scale_of_the_data(kernel, path):
    X, Y = small_problem()
    error, gradient = reconstruction_error(X, Y, kernel)
    for factor in (-3.0, 1e-140, 1e120):
        scaled, scaled_gradient = reconstruction_error(X, factor * Y, kernel)
        assert scaled == pytest.approx(factor**2 * error, rel=1e-12)
        assert_close(scaled_gradient / factor**2, gradient)


# ------------------------------------------------------------------ limits


@every_kernel
def test_points_all_in_one_place_give_the_total_variance(kernel, path):
    _, Y = small_problem()
    error, gradient = reconstruction_error(np.ones((9, 2)), Y, kernel, leave_one_out=False)
    assert error == pytest.approx(Y.var(axis=0).sum(), rel=1e-13)
    assert np.all(gradient == 0)
    left_out, _ = reconstruction_error(np.ones((9, 2)), Y, kernel)
    assert left_out == pytest.approx(Y.var(axis=0).sum() * (9 / 8) ** 2, rel=1e-13)  # (11)


@every_kernel
def test_without_leave_one_out_the_error_vanishes_far_apart_and_with_it_not(kernel, path):
    X, Y = small_problem()
    in_place, _ = reconstruction_error(X, Y, kernel, leave_one_out=False)
    plain, gradient = reconstruction_error(1e4 * X, Y, kernel, leave_one_out=False)
    assert plain < 1e-6 * in_place
    assert np.isfinite(gradient).all()
    left_out, gradient = reconstruction_error(1e4 * X, Y, kernel)
    assert left_out > 0.5 * Y.var(axis=0).sum()
    assert np.isfinite(gradient).all()


@each("scale", [1e2, 1e8, 1e150])
@each("kernel", [gaussian, steep], ids=name)
def test_far_apart_an_exponential_kernel_takes_the_nearest_neighbor(kernel, scale):
    X, Y = small_problem()
    t = ((X[:, None] - X) ** 2).sum(axis=-1)
    np.fill_diagonal(t, np.inf)
    nearest = t.argmin(axis=1)
    error, gradient = reconstruction_error(scale * X, Y, kernel)
    expected = np.mean(np.sum((Y - Y[nearest]) ** 2, axis=1))
    assert error == pytest.approx(expected, rel=1e-10)
    assert np.abs(gradient).max() < 1e-11 * scale  # rounding of the differences of the points
    groups = np.arange(9)
    groups[nearest[0]] = groups[0]  # now the nearest one is left out as well
    t[0, nearest[0]] = np.inf
    f = squared_residuals(scale * X, Y, kernel, groups=groups)[0]
    assert f == pytest.approx(np.sum((Y[0] - Y[t[0].argmin()]) ** 2), rel=1e-10)


def test_far_apart_student_weighs_by_a_power_of_the_distance_however_far():
    # K goes to t^-1, so at all large scales the weights are the same, also where K is subnormal.
    X, Y = small_problem()
    t = ((X[:, None] - X) ** 2).sum(axis=-1)
    np.fill_diagonal(t, np.inf)
    B = (1 / t) / (1 / t).sum(axis=1, keepdims=True)
    expected = np.mean(np.sum((B @ Y - Y) ** 2, axis=1))
    for scale in (1e8, 1e74, 1e76, 1e150, 5e153):
        error, gradient = reconstruction_error(scale * X, 30 * Y, student)
        assert error == pytest.approx(900 * expected, rel=1e-9)
        assert np.isfinite(gradient).all()


def test_softmax_of_underflowing_rows_is_exact():
    # From 0: squared distances 1600 and 1600 + 2 log 3, so weights 3/4 and 1/4 after the shift.
    X = np.array([[0.0], [40.0], [-np.sqrt(1600 + 2 * np.log(3))]])
    assert np.exp(-1600 / 2) == 0
    assert_close(weight_matrix(X)[0], [0, 0.75, 0.25])


def test_a_row_half_underflown_has_the_gradient_of_its_twin_in_more_digits():
    # Around 1e-150 rows pass from plain to shifted: the error must not notice.
    _, Y = small_problem(N=4)
    for far in (26.0, 26.28, 26.3, 27.0, 38.0):
        X = np.array([[0.0, 0.1], [0.3, 0.0], [far, 0.0], [far + 0.4, 0.9]])
        X[2:, 0] = [far, 2 * far]
        slopes = differences(lambda X: reconstruction_error(X, Y)[0], X, h=1e-5)
        assert_close(reconstruction_error(X, Y)[1], slopes, rtol=1e-6)


# ------------------------------------------------------------------ tiles and blocks


@each("seed", range(4))
@every_flag
@each("kernel", [*COMPACT, gaussian, steep], ids=name)
def test_tiles_and_blocks_agree(kernel, flags, seed, monkeypatch):
    random = np.random.default_rng(seed)
    N, q = 40, 1 + seed % 3
    X = min(kernel.radius, 2.0) * random.normal(size=(N, q))
    X[:3] = 40 * np.arange(1, 4)[:, None]  # isolated
    X[3] = X[4] + 5.0  # a sum of kernel values that rounding would spoil
    X[5] = X[6] = X[7]  # duplicates
    Y = random.normal(size=(N, 3))
    groups = {"groups": random.integers(0, 12, N)} if "groups" in flags else {}
    flags = {**flags, **groups}
    outcome = {}
    for path in PATHS:
        force(monkeypatch, path)
        outcome[path] = (
            *reconstruction_error(X, Y, kernel, **flags),
            *reconstruction_error_gram(X, mercer_kernels.l1(Y), kernel, **flags),
        )
    rtol = 1e-9 if kernel.exponential else 1e-12
    for of_blocks, of_tiles in zip(outcome["blocks"], outcome["tiles"], strict=True):
        assert_close(of_tiles, of_blocks, rtol)


@every_flag
@each("kernel", [*COMPACT, gaussian], ids=name)
def test_data_in_single_precision_make_tiles_rough_and_nothing_else(kernel, flags, monkeypatch):
    force(monkeypatch, "tiles")
    random = np.random.default_rng(1)
    X = min(kernel.radius, 3.0) * random.normal(size=(60, 2))
    X[:3] = 40 * np.arange(1, 4)[:, None]  # isolated
    X[4] = X[3] + [kernel.radius * (1 - 1e-5), 0] if kernel.compact else X[3] + 6  # faint
    Y = random.normal(size=(60, 3))
    flags = {**flags, **({"groups": random.integers(0, 20, 60)} if "groups" in flags else {})}
    error, gradient = reconstruction_error(X, Y, kernel, **flags)
    rough, of_rough = reconstruction_error(X, Y.astype(np.float32), kernel, **flags)
    assert isinstance(rough, float) and of_rough.dtype == np.float64
    assert rough == pytest.approx(error, rel=1e-6)
    assert_close(of_rough, gradient, rtol=1e-4)
    G = mercer_kernels.l1(Y)
    exact = reconstruction_error_gram(X, G, kernel, **flags)
    for one, other in zip(
        reconstruction_error_gram(X, G.astype(np.float32), kernel, **flags), exact, strict=True
    ):
        assert_close(one, other, rtol=1e-4)


@each("kernel", [gaussian, quartic, student], ids=name)
def test_beyond_the_distance_where_a_product_loses_digits_the_same_is_computed(kernel):
    random = np.random.default_rng(0)
    places, Y = random.normal(size=(20, 2)), random.normal(size=(100, 3))
    places = (places - places.mean(axis=0)) / np.abs(places - places.mean(axis=0)).max()
    for precision, rtol in ((np.float64, 1e-9), (np.float32, 1e-3)):
        for scale in reconstruction.FAR[np.dtype(precision)] * np.array([0.9, 1.1]):
            X = scale * np.repeat(places, 5, axis=0)
            X += 0.2 * random.normal(size=X.shape)
            _, expected = matrices.reconstruction_error(X, Y, kernel)
            assert_close(reconstruction_error(X, Y.astype(precision), kernel)[1], expected, rtol)


def test_rounding_brings_no_squared_distance_below_zero():
    slope = lambda t: -1.5 * np.sqrt(t) / (1 + t**1.5) ** 2
    kernel = DensityKernel("three halves", lambda t: 1 / (1 + t**1.5), slope)
    random = np.random.default_rng(0)
    X, Y = np.repeat(9 * random.normal(size=(20, 2)), 3, axis=0), random.normal(size=(60, 3))
    expected = matrices.reconstruction_error(X, Y, kernel)[1]
    assert_close(reconstruction_error(X, Y, kernel)[1], expected, 1e-9)


@each("dtype", [np.int64, np.uint8, np.float16])
def test_whole_and_half_numbers_are_data_too(dtype, path):
    random = np.random.default_rng(0)
    X, Y = 3 * random.normal(size=(30, 2)), random.integers(0, 17, size=(30, 3))
    expected = reconstruction_error(X, Y.astype(float))
    for one, other in zip(reconstruction_error(X, Y.astype(dtype)), expected, strict=True):
        assert_close(one, other, rtol=1e-12)


def test_tiles_are_used_where_the_kernel_reaches_few_of_many_points(monkeypatch):
    calls = []
    for path in ("_bands", "_tiles"):
        original = getattr(ReconstructionError, path)
        spy = lambda *given, path=path, original=original: calls.append(path) or original(*given)
        monkeypatch.setattr(ReconstructionError, path, spy)
    random = np.random.default_rng(0)
    X, Y = random.uniform(size=(600, 2)), random.normal(size=(600, 3))
    cases = [
        (X, quartic, False),
        (20 * X, quartic, True),
        (X, gaussian, False),
        (50 * X, gaussian, True),
        (50 * X, student, False),
        (20 * X[:500], quartic, False),
    ]
    for X, kernel, tiled in cases:
        calls.clear()
        reconstruction_error(X, Y[: len(X)], kernel)
        assert calls == ["_tiles" if tiled else "_bands"]


# 600 NEGLIGIBLE / LEAST_SHARE K(0), and in single precision the least sum that is precise
LIMITS = {steep: (np.float64, 6e-4 * steep.at_zero), wide: (np.float32, 1e-15)}


@each("kernel", LIMITS, ids=name)
def test_only_rows_whose_sum_is_too_small_need_more_than_their_tile(kernel, monkeypatch):
    force(monkeypatch, "tiles")
    precision, limit = LIMITS[kernel]
    # 300 pairs far from each other: in half of them K of the distance is below the limit.
    values = limit * np.where(np.arange(300) % 2, 0.7, 1.4)
    apart = np.sqrt([brentq(lambda t, v: kernel(t) - v, 0, 50, (v,), 1e-15) for v in values])
    X = 200.0 * np.repeat(np.arange(300), 2)[:, None]
    X[1::2, 0] += apart
    Y = np.random.default_rng(0).normal(size=(600, 2))
    afterwards = []
    over_faint = ReconstructionError._over_faint
    spy = lambda self, points, *given: afterwards.extend(points) or over_faint(self, points, *given)
    monkeypatch.setattr(ReconstructionError, "_over_faint", spy)
    error, _ = reconstruction_error(X, Y.astype(precision), kernel)
    below = np.flatnonzero(np.repeat(values < limit, 2))
    assert sorted(afterwards) == below.tolist()
    assert error == pytest.approx(np.mean(np.sum((Y[::2] - Y[1::2]) ** 2, axis=1)), rel=1e-6)


def test_tiles_never_hold_an_n_by_n_array():
    import tracemalloc

    N = 20_000
    random = np.random.default_rng(0)
    X, Y = 100 * random.uniform(size=(N, 2)), random.normal(size=(N, 3))
    tracemalloc.start()
    error, gradient = reconstruction_error(X, Y, quartic)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert np.isfinite(error) and np.isfinite(gradient).all()
    assert peak < 0.01 * 8 * N**2


@each("groups", [None, np.arange(5000) // 2], ids=["points", "pairs"])
def test_tiles_never_hold_one_either_when_all_points_are_isolated(groups):
    import tracemalloc

    N = 5000
    X, Y = 10.0 * np.arange(N)[:, None], np.random.default_rng(0).normal(size=(N, 2))
    tracemalloc.start()
    error, gradient = reconstruction_error(X, Y, quartic, groups=groups)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 0.01 * 8 * N**2
    assert np.all(gradient == 0)
    if groups is None:
        assert error == pytest.approx(Y.var(axis=0).sum() * (N / (N - 1)) ** 2, rel=1e-12)


@every_flag
@every_compact_kernel
def test_isolated_points_are_those_whose_row_sees_nobody(kernel, flags, monkeypatch):
    monkeypatch.setattr(tiles, "LEAF", 3)
    X, _ = at_points_with_neighbors_and_without()
    t = ((X[:, None] - X) ** 2).sum(axis=-1)
    K = kernel(t)
    groups = flags.get("groups")
    K[np.eye(9, dtype=bool) if groups is None else groups[:, None] == groups] = 0
    expected = K.sum(axis=1) == 0
    assert expected[4] and not expected.all()
    assert np.array_equal(isolated_points(X, kernel, groups), expected)


def test_a_point_exactly_at_the_radius_is_not_seen():
    X = np.array([[0.0], [1.0], [1.5]])
    assert np.array_equal(isolated_points(X, quartic), [True, False, False])
    assert np.array_equal(isolated_points(X, gaussian), [False, False, False])
    same = np.array([0, 1, 1])
    assert np.array_equal(isolated_points(X, quartic, same), [True, True, True])


# ------------------------------------------------------------------ hard cases


@each("scale", [1e-300, 1e-160, 1e3, 1e76, 1e153, 5e153, 1e155, 1e200, 1e300])
@every_flag
@every_kernel
def test_no_scale_of_the_latent_points_gives_nan(kernel, flags, scale, path):
    X, Y = small_problem()
    for precision in (np.float64, np.float32):
        data = (30 * Y).astype(precision)
        error, gradient = reconstruction_error(scale * X, data, kernel, **flags)
        assert 0 <= error <= 900 * Y.var(axis=0).sum() * 9
        assert np.isfinite(gradient).all()
    error, gradient = reconstruction_error_gram(scale * X, 900 * Y @ Y.T, kernel, **flags)
    assert -1e-9 <= error <= 900 * Y.var(axis=0).sum() * 9
    assert np.isfinite(gradient).all()


def test_where_squared_distances_overflow_points_are_rebuilt_by_the_mean_of_the_others():
    X, Y = small_problem()
    X = 1e155 * np.arange(9.0)[:, None] * [1, 0]
    of_others = (Y.sum(axis=0) - Y) / 8
    expected = np.mean(np.sum((Y - of_others) ** 2, axis=1))
    for kernel in TWINS:
        error, gradient = reconstruction_error(X, Y, kernel)
        assert error == pytest.approx(expected, rel=1e-12)
        assert np.all(gradient == 0)


@every_kernel
def test_two_points_are_rebuilt_by_each_other(kernel, path):
    Y = np.array([[0.0, 1.0], [2.0, 4.0]])
    for apart in (0.0, 0.5, 30.0, 1e200):
        X = np.array([[0.0, 0.0], [apart, 0.0]])
        error, gradient = reconstruction_error(X, Y, kernel)
        assert error == pytest.approx(13, rel=1e-14)
        assert np.abs(gradient).max() < 1e-12


@every_kernel
def test_duplicates_of_points_and_data_do_no_harm(kernel, path):
    X, Y = (np.repeat(part[:3], 3, axis=0) for part in small_problem())
    error, gradient = reconstruction_error(50 * X, Y, kernel)
    assert error < 1 and np.isfinite(gradient).all()
    tied = reconstruction_error(50 * X, Y, kernel, groups=np.repeat(np.arange(3), 3))
    assert tied[0] > 1


@every_kernel
def test_a_single_group_leaves_nothing_to_rebuild_from(kernel, path):
    X, Y = small_problem()
    for scale in (1, 1e3):
        with pytest.raises(ValueError, match="leaving out all 9 points leaves none"):
            reconstruction_error(scale * X, Y, kernel, groups=np.zeros(9))
        with pytest.raises(ValueError, match="leaving out all 9 points leaves none"):
            reconstruction_error_gram(scale * X, Y @ Y.T, kernel, groups=np.zeros(9))
    with pytest.raises(ValueError, match="leaving out all 1 points leaves none"):
        reconstruction_error(X[:1], Y[:1], kernel)


# ------------------------------------------------------------------ memory that is used again


def places():
    """Latent points of several extents, so that evaluations in turn take tiles of several sizes."""
    X, Y = small_problem(N=60)
    return read_only(X, 3 * X, 9 * X, 300 * X, X[::-1].copy(), 0 * X, 3 * X), Y


@each("precision", [np.float64, np.float32])
@each("groups", [None, np.arange(60) // 3], ids=["points", "triples"])
@each("space", [DataSpace, lambda Y: FeatureSpace(Y @ Y.T)], ids=["data", "gram"])
@each("kernel", [gaussian, quartic, wide, student], ids=name)
def test_evaluations_in_turn_change_neither_each_other_nor_what_they_are_given(
    kernel, space, groups, precision, path
):
    moves, Y = places()  # read-only arrays: writing to them would raise
    options = dict(space=space(read_only(Y.astype(precision))), kernel=kernel, groups=groups)
    objective = ReconstructionError(**options)
    found = [objective(X) for X in moves]
    for X, (error, gradient) in zip(moves, found, strict=True):
        fresh, of_fresh = ReconstructionError(**options)(X)
        assert error == fresh and np.array_equal(gradient, of_fresh)
        assert not any(np.shares_memory(gradient, kept) for kept in objective._memory.kept.values())


def test_threads_do_not_share_memory(path):
    moves, Y = places()
    objective = ReconstructionError(DataSpace(Y))
    expected = [objective(X)[1] for X in moves]
    found = Parallel(4, backend="threading")(delayed(objective)(X) for X in moves * 40)
    assert all(np.array_equal(g, expected[k % len(moves)]) for k, (_, g) in enumerate(found))
