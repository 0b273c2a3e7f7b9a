"""Metrics against loops, against scikit-learn and SciPy, and where the answer is known."""

import numpy as np
import pytest
from helpers import each
from scipy.spatial import procrustes
from scipy.spatial.distance import cdist
from scipy.stats import ortho_group, spearmanr
from sklearn import manifold
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA

from ukrlearn import datasets, explicit, metrics
from ukrlearn.blocks import density_kernels
from ukrlearn.panels.referee import tour


def random_pair(N=40, q=2, d=5, seed=0):
    random = np.random.default_rng(seed)
    return random.normal(size=(N, q)), random.normal(size=(N, d))


# ------------------------------------------------------------------ trustworthiness and continuity


def trustworthiness_by_loops(X, Y, k):
    """The formula of the docstring, one pair at a time."""
    N = len(X)
    cost = 0
    for i in range(N):
        others = [j for j in range(N) if j != i]
        by_latent = sorted(others, key=lambda j: sum((X[i] - X[j]) ** 2))
        by_data = sorted(others, key=lambda j: sum((Y[i] - Y[j]) ** 2))
        for j in by_latent[:k]:
            if j not in by_data[:k]:
                cost += by_data.index(j) + 1 - k
    return 1 - 2 * cost / (N * k * (2 * N - 3 * k - 1))


def test_trustworthiness_agrees_with_scikit_learn_for_every_number_of_neighbors():
    X, Y = random_pair(N=60)
    k = np.arange(1, 30)
    expected = [manifold.trustworthiness(Y, X, n_neighbors=m) for m in k]
    np.testing.assert_allclose(metrics.trustworthiness(X, Y, k), expected, rtol=1e-12)


def test_continuity_is_trustworthiness_with_the_roles_exchanged():
    X, Y = random_pair()
    k = np.array([1, 4, 19])
    np.testing.assert_array_equal(metrics.continuity(X, Y, k), metrics.trustworthiness(Y, X, k))
    expected = [manifold.trustworthiness(X, Y, n_neighbors=m) for m in k]
    np.testing.assert_allclose(metrics.continuity(X, Y, k), expected, rtol=1e-12)


def test_folding_costs_trustworthiness_and_tearing_costs_continuity():
    t = np.linspace(-1, 1, 41)
    folded = np.abs(t) + 0.001 * t
    assert metrics.trustworthiness(folded, t) < 0.7 < 0.9 < metrics.continuity(folded, t)
    circle = datasets.circle_curve(np.arange(40) / 40)
    torn = np.arange(40.0)
    assert metrics.continuity(torn, circle) < 0.97 < 0.99 < metrics.trustworthiness(torn, circle)


def test_ranks_do_not_depend_on_how_many_rows_are_held_at_a_time(monkeypatch):
    X, Y = random_pair()
    k = [1, 5, 19]
    whole = metrics.trustworthiness(X, Y, k)
    held, order = [], metrics._order
    spy = lambda points, rows: held.append(len(rows)) or order(points, rows)
    monkeypatch.setattr(metrics, "_order", spy)
    for entries, most in ((7 * 40 + 39, 7), (1, 1)):
        monkeypatch.setattr(metrics, "_ENTRIES_HELD", entries)
        np.testing.assert_array_equal(metrics.trustworthiness(X, Y, k), whole)
        assert max(held) == most
        held.clear()


def test_scores_have_the_shape_of_n_neighbors():
    X, Y = random_pair()
    assert isinstance(metrics.trustworthiness(X, Y, 3), float)
    assert metrics.trustworthiness(X, Y, [[1, 2], [3, 4]]).shape == (2, 2)


def test_duplicates_are_neighbors_at_distance_zero():
    X = np.repeat(np.arange(6.0), 2)[:, None]
    assert metrics.trustworthiness(X, X, 3) == 1
    _, Y = random_pair(N=12)  # a point is never its own neighbour, not even beside its duplicate
    expected = trustworthiness_by_loops(X, Y, 3)
    assert metrics.trustworthiness(X, Y, 3) == pytest.approx(expected, rel=1e-12)


@each(
    "k, came",
    [
        (0, "0"),
        (20, "20"),
        ([1, 20], r"\[ 1 20\]"),
        ([0, 5], r"\[0 5\]"),
        ([], "0 values"),
        ([0] * 9, r"\[0 0 0 0 0 0 0 0 0\]"),
        ([0] * 10, "10 values"),
    ],
)
def test_too_few_or_too_many_neighbors_are_refused(k, came):
    X, Y = random_pair(N=40)
    says = f"n_neighbors must be at least 1 and less than half the 40 points; got {came}. Use"
    with pytest.raises(ValueError, match=says):
        metrics.trustworthiness(X, Y, np.array(k, dtype=int))


def test_neighbors_that_are_not_counted_in_whole_numbers_are_refused():
    with pytest.raises(TypeError, match="n_neighbors must be an int or an array of ints"):
        metrics.trustworthiness(*random_pair(), 2.5)


# ------------------------------------------------------------------------------ against the truth


def test_order_is_the_absolute_rank_correlation():
    random = np.random.default_rng(0)
    x, t = random.integers(0, 12, size=50), random.normal(size=50)  # x has ties
    assert metrics.order_recovered(x, t) == pytest.approx(abs(spearmanr(x, t).statistic), rel=1e-12)


def test_order_survives_reflection_and_bending_but_not_a_fold():
    t = np.linspace(0, 1, 50)
    assert metrics.order_recovered(-np.exp(t), t) == 1
    assert metrics.order_recovered(np.abs(t - 0.5), t) < 0.1


def test_two_points_are_in_order():
    assert metrics.order_recovered([1.0, 2.0], [9.0, 3.0]) == 1


def test_a_constant_coordinate_recovers_no_order():
    assert metrics.order_recovered(np.ones(5), np.arange(5)) == 0


def test_order_is_asked_of_one_column_only():
    with pytest.raises(ValueError, match="one column each; got 2 and 1"):
        metrics.order_recovered(np.ones((5, 2)), np.arange(5))


def test_procrustes_r2_is_one_minus_scipys_disparity():
    X, Y = random_pair(q=3, d=3)
    assert metrics.procrustes_r2(X, Y) == pytest.approx(1 - procrustes(Y, X)[2], rel=1e-12)


def test_procrustes_r2_ignores_position_scale_rotation_and_reflection():
    X, _ = random_pair(q=3)
    for seed in range(10):
        moved = -1e-3 * X @ ortho_group.rvs(3, random_state=seed) + 9
        score = metrics.procrustes_r2(moved, X)
        assert score == pytest.approx(1, rel=1e-12) and score <= 1  # rounding lifts it no higher


def test_procrustes_r2_takes_missing_columns_for_zeros():
    X, t = random_pair(q=1, d=3)
    padded = np.column_stack([X, np.zeros((len(X), 2))])
    assert metrics.procrustes_r2(X, t) == pytest.approx(metrics.procrustes_r2(padded, t), rel=1e-12)


def test_a_constant_embedding_explains_nothing_and_a_constant_truth_is_refused():
    assert metrics.procrustes_r2(np.ones((5, 2)), np.arange(5)) == 0
    with pytest.raises(ValueError, match="t must not be constant"):
        metrics.procrustes_r2(np.arange(5), np.ones(5))


def test_the_orders_of_a_sheet_are_those_of_its_coordinates_however_it_is_turned():
    t = np.random.default_rng(0).uniform(size=(200, 2)) * [9, 5]
    X = np.column_stack([9 * np.exp(t[:, 0] / 9), t[:, 1] ** 2 / 5])  # stretched unevenly
    turn = ortho_group.rvs(2, random_state=1)
    assert metrics.orders_recovered(t @ turn, t) == pytest.approx([1, 1])
    assert metrics.orders_recovered(X @ turn, t).min() > 0.98
    lost = np.column_stack([t[:, 0], np.random.default_rng(1).normal(size=200)])
    first, second = metrics.orders_recovered(lost, t)
    assert first > 0.99 and second < 0.2


def test_orders_of_different_numbers_of_columns_are_refused():
    with pytest.raises(ValueError, match="same number of columns; got 1 and 2"):
        metrics.orders_recovered(np.arange(5), np.ones((5, 2)))


# ------------------------------------------------------------------------------------- distances


def distance_by_loops(Y, curve):
    """Distance of each point to each segment, one at a time."""
    shortest = []
    for y in Y:
        candidates = []
        for a, b in zip(curve[:-1], curve[1:], strict=True):
            place = min(max((y - a) @ (b - a) / ((b - a) @ (b - a)), 0), 1)
            candidates.append(np.linalg.norm(y - a - place * (b - a)))
        shortest.append(min(candidates))
    return np.array(shortest)


def test_distance_to_a_curve_is_that_to_the_nearest_of_all_segments():
    Y, _ = datasets.noisy_spiral(60, random_state=0)
    curve = datasets.spiral_curve(np.linspace(0, 1, 80))
    each = distance_by_loops(Y, curve)
    assert metrics.distance_to_curve(Y, curve) == pytest.approx(np.mean(each), rel=1e-12)
    squared = metrics.distance_to_curve(Y, curve, squared=True)
    assert squared == pytest.approx(np.mean(each**2), rel=1e-12)


@pytest.mark.parametrize("second", [np.nan, 0.0, 1e300])
def test_a_row_with_nan_breaks_the_curve(second):
    pieces = [[0, 0], [1, 0], [np.nan, second], [3, 0], [4, 0]]
    assert metrics.distance_to_curve([[2.0, 0.0]], pieces) == 1
    assert metrics.distance_to_curve([[0.5, 2.0]], pieces) == 2
    for gap in (np.inf, -np.inf):  # also two rows of infinities, whose difference is NaN
        broken = np.insert(np.where(np.isnan(pieces), gap, pieces), 2, gap, axis=0)
        assert metrics.distance_to_curve([[2.0, 0.0]], broken) == 1
    far = 2.0**600
    assert metrics.distance_to_curve([[2 * far, 0.0]], far * np.clip(pieces, 0, 4)) == far


def test_a_curve_of_one_point_and_repeated_points_are_no_trouble():
    assert metrics.distance_to_curve([[3.0, 4.0]], [[0, 0]]) == 5
    assert metrics.distance_to_curve(np.ones((1, 9)), -np.ones((1, 9))) == 6
    assert metrics.distance_to_curve([[0.5, 1.0]], [[0, 0], [0, 0], [1, 0], [1, 0]]) == 1


def test_a_curve_in_other_dimensions_is_refused():
    with pytest.raises(ValueError, match="curve must have the 2 columns of Y"):
        metrics.distance_to_curve(np.ones((3, 2)), np.ones((5, 3)))
    with pytest.raises(ValueError, match="at least one finite point"):
        metrics.distance_to_curve(np.ones((3, 2)), np.full((5, 2), np.nan))


def test_projection_error_is_a_mean_of_squared_distances():
    _, Y = random_pair()
    projected = Y + Y[::-1] ** 2
    expected = sum(sum((a - b) ** 2) for a, b in zip(Y, projected, strict=True)) / len(Y)
    assert metrics.projection_error(Y, projected) == pytest.approx(expected, rel=1e-12)


def test_projection_error_wants_equal_shapes():
    with pytest.raises(ValueError, match=r"same shape; got \(5, 2\) and \(5, 1\)"):
        metrics.projection_error(np.ones((5, 2)), np.ones(5))


# ------------------------------------------------------------------------------------ as a model


def left_out_share(X, Y):
    """R_cv / (total variance of Y), with the Gaussian, from the whole matrix of weights."""
    t = cdist(X, X, "sqeuclidean")
    np.fill_diagonal(t, np.inf)
    K = np.exp((t.min(axis=1, keepdims=True) - t) / 2)  # a factor for each row cancels
    residual = K @ Y / K.sum(axis=1, keepdims=True) - Y
    return np.sum(residual**2) / np.sum((Y - Y.mean(axis=0)) ** 2)


def test_loo_reconstruction_is_the_least_error_at_any_scale_that_keeps_the_shape():
    X, noise = random_pair(N=41)
    X = X * [5, 1]
    Y = np.column_stack([np.linspace(-1, 1, 41), 3 * np.sin(X[:, 1]), np.cos(X[:, 0] / 3)])
    Y += 0.05 * noise[:, :3]
    Y[:, 0] = np.linspace(-1, 1, 41)  # one of its entries is the mean
    for latent in (X, X[:, :1], Y):
        expected = min(left_out_share(scale * latent, Y) for scale in np.geomspace(0.3, 30, 200))
        assert metrics.loo_reconstruction(latent + 9, Y + 5) == pytest.approx(expected, rel=1e-3)
    assert metrics.loo_reconstruction(noise, 7 * Y) > 0.9


@pytest.mark.parametrize("kernel", density_kernels.by_name.values(), ids=lambda kernel: kernel.name)
@pytest.mark.parametrize("seed", range(3))
def test_one_far_point_costs_loo_reconstruction_about_its_share(kernel, seed):
    Y, X = datasets.swiss_roll(300, height=50.0, random_state=seed)
    score = metrics.loo_reconstruction(X, Y, kernel)
    dearest = cdist(Y, Y).max() ** 2 / np.sum(Y.var(axis=0))  # the most that one point can cost
    for far in (1e2, 3e4, 1e9, -1e14):
        moved = np.where(np.arange(300)[:, None] == 7, far, X)
        assert abs(metrics.loo_reconstruction(moved, Y, kernel) - score) < 1.1 * dearest / 300
        both = np.where(np.arange(300)[:, None] < 2, far, X)  # at one place: no spacing at all
        assert abs(metrics.loo_reconstruction(both, Y, kernel) - score) < 2.2 * dearest / 300


def test_equal_rows_of_data_are_nothing_to_rebuild():
    with pytest.raises(ValueError, match="Y must vary: all its rows are equal"):
        metrics.loo_reconstruction(np.arange(5), np.ones(5))


# ------------------------------------------------------------------------------- read in both ways


@each("N, k", [(5, 1), (9, 4), (60, 3), (101, 10)])
def test_two_way_is_that_of_the_loops(N, k):
    X, Y = random_pair(N=N)
    Y[:, :2] += X
    for lonely in (X, Y):  # at 60 points one may be set aside, at 101 two
        far = lonely.copy()
        far[3], far[4] = 50.0, -70.0
        x, y = (far, Y) if lonely is X else (X, far)
        for given in ((X, Y), (x, y)):
            expected = explicit.two_way(*(part.tolist() for part in given), k)
            assert metrics.two_way(*given, k) == pytest.approx(expected, rel=1e-12)


def test_two_ways_ask_neither_for_scale_nor_rotation_nor_place():
    X, Y = random_pair(N=80)
    scores = metrics.two_way(X, Y)
    turn = ortho_group.rvs(2, random_state=0)
    for moved in (1e200 * X, 1e-200 * X, X @ turn, X + 100, X[:, ::-1], np.hstack([X, 0 * X])):
        assert metrics.two_way(moved, Y) == pytest.approx(scores, rel=1e-9)
    assert metrics.two_way(X, 1e150 * Y - 7) == pytest.approx(scores, rel=1e-9)


@each("far", [30.0, 1e6, -1e14, 1e200])
def test_one_far_point_moves_neither_way_by_one_hundredth(far):
    Y, X = datasets.s_curve(300, noise=0.05, random_state=3)
    scores = np.array(metrics.two_way(X, Y))
    for row in (0, 150):
        moved_X, moved_Y = X.copy(), Y.copy()
        moved_X[row], moved_Y[row] = far, far
        for given in ((moved_X, Y), (X, moved_Y), (moved_X, moved_Y)):
            assert np.abs(metrics.two_way(*given) - scores).max() < 0.002


def test_points_that_are_thrown_away_in_number_count_as_lost():
    Y, X = datasets.s_curve(300, random_state=3)
    thrown = X.copy()
    thrown[::10] += 1e3 * np.random.default_rng(0).normal(size=(30, 2))
    assert metrics.two_way(thrown, Y).forth > 0.9 > 0.01 > metrics.two_way(X, Y).forth


def crumbs(Y, random):
    """Groups of about ten similar rows, each thrown anywhere."""
    group = KMeans(len(Y) // 10, n_init=1, random_state=0).fit_predict(Y)
    return random.uniform(0, 1000, (len(Y) // 10, 2))[group] + random.normal(size=(len(Y), 2))


@each("seed", [0, 1])
def test_a_tour_and_crumbs_are_betrayed_by_the_second_direction(seed):
    Y, _ = datasets.digits(label=None, n_samples=300, random_state=seed)
    plane = PCA(2).fit_transform(Y)
    for bad in (tour(Y), crumbs(Y, np.random.default_rng(seed))):
        cheat, honest = metrics.two_way(bad, Y), metrics.two_way(plane, Y)
        assert cheat.back < 0.95 * honest.back and cheat.forth > 2 * honest.forth


def test_two_ways_need_points_that_differ_and_enough_of_them():
    X, Y = random_pair(N=60)
    lonely = np.where(np.arange(60) == 7, 9.0, 0.0)
    for name, given in (("X", (0 * X, Y)), ("Y", (X, 0 * Y)), ("X", (lonely, Y))):
        with pytest.raises(ValueError, match=f"{name} must vary: all its rows are equal"):
            metrics.two_way(*given)
    with pytest.raises(ValueError, match="less than half the 60 points; got 30. Use fewer"):
        metrics.two_way(X, Y, 30)


# ------------------------------------------------------------------------------------------ scale

SCALES = [2.0**-1060, 2.0**-700, 2.0**-520, 2.0**520, 2.0**700, 2.0**1020]  # 1e-319 to 1e307


def scaled_by(factor, values):
    """Whole numbers below 512, for more digits of which tiny numbers have no room; and scaled."""
    values = np.round(128 * np.clip(values, -3.9, 3.9))
    return values, values * (factor / 512)


@each("scale", SCALES)
def test_neighborhoods_do_not_depend_on_the_scale_of_coordinates_or_data(scale):
    X, Y = random_pair()
    k = np.array([1, 5, 19])
    X, scaled_X = scaled_by(scale, X)
    Y, scaled_Y = scaled_by(scale, Y)
    for metric in (metrics.trustworthiness, metrics.continuity):
        expected = metric(X, Y, k)
        assert expected.max() < 0.7
        np.testing.assert_array_equal(metric(scaled_X, Y, k), expected)
        np.testing.assert_array_equal(metric(X, scaled_Y, k), expected)


def test_a_constant_column_hides_no_neighborhoods():
    X, Y = random_pair()
    beside = np.column_stack([1e-200 * Y, np.full(len(Y), 3.0)])
    assert metrics.trustworthiness(X, beside) == metrics.trustworthiness(X, Y)
    assert metrics.continuity(beside, X) == metrics.continuity(Y, X)


@each("scale", SCALES)
def test_orders_and_shapes_do_not_depend_on_the_scale(scale):
    X, Y = random_pair(d=2)
    X, scaled_X = scaled_by(scale, X)
    Y, scaled_Y = scaled_by(1 / scale if scale > 1e-300 else 1.0, Y)
    for metric in (metrics.procrustes_r2, metrics.orders_recovered, metrics.loo_reconstruction):
        np.testing.assert_allclose(metric(scaled_X, scaled_Y), metric(X, Y), rtol=1e-9)


def test_distances_scale_with_the_data_as_far_as_floats_reach():
    _, Y = random_pair(d=2)
    curve = datasets.circle_curve(np.linspace(0, 1, 50))
    distance, squared = (metrics.distance_to_curve(Y, curve, squared=s) for s in (False, True))
    error = metrics.projection_error(Y, Y + 0.5)
    for scale in (2.0**-1000, 2.0**-500, 2.0**500, 2.0**1000):
        far = metrics.distance_to_curve(scale * Y, scale * curve)
        assert far / scale == pytest.approx(distance, rel=1e-12)
    for scale in (2.0**-500, 2.0**500):
        far = metrics.distance_to_curve(scale * Y, scale * curve, squared=True)
        assert far / scale / scale == pytest.approx(squared, rel=1e-12)
        far = metrics.projection_error(scale * Y, scale * (Y + 0.5))
        assert far / scale / scale == pytest.approx(error, rel=1e-9)
    assert metrics.projection_error(1e200 + np.zeros((2, 1)), 1e200 * np.ones((2, 1))) == 0
    for bad in (
        lambda: metrics.projection_error(1e200 * Y, -1e200 * Y),
        lambda: metrics.distance_to_curve(1e200 * Y, curve, squared=True),
    ):
        with pytest.raises(ValueError, match="squared distances exceed 1e308"):
            bad()


# ------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    "metric",
    [metrics.trustworthiness, metrics.continuity, metrics.procrustes_r2, metrics.projection_error],
)
def test_unequal_lengths_gaps_and_emptiness_are_named(metric):
    X, Y = random_pair(d=2)
    with pytest.raises(ValueError, match="same number of rows; got 39 and 40"):
        metric(X[:-1], Y)
    with pytest.raises(ValueError, match="must be finite; got 2 entries"):
        metric(X, np.where(np.arange(40)[:, None] == 3, np.nan, Y))
    with pytest.raises(ValueError, match="at least one row"):
        metric(X[:0], Y[:0])


def test_the_arguments_are_left_as_they_were():
    X, Y = random_pair(d=2)
    X.setflags(write=False)
    Y.setflags(write=False)
    for (
        name
    ) in "trustworthiness continuity procrustes_r2 projection_error distance_to_curve".split():
        getattr(metrics, name)(X, Y)
    metrics.order_recovered(X[:, 0], Y[:, 0])


@pytest.mark.parametrize("score", [metrics.trustworthiness, metrics.continuity])
def test_some_points_are_judged_by_their_ranks_among_all(score, monkeypatch):
    random = np.random.default_rng(0)
    Y = random.normal(size=(60, 4))
    X = Y[:, :2]
    assert score(X, Y, n_points=60) == score(X, Y) == score(X, Y, n_points=100)
    chosen = np.random.RandomState(0).choice(60, 20, replace=False)
    near, judge = (X, Y) if score is metrics.trustworthiness else (Y, X)
    ranks = lambda points: np.argsort(np.argsort(cdist(points, points), axis=1), axis=1)
    a, b = ranks(near)[chosen], ranks(judge)[chosen]
    cost = np.sum((b - 5)[(a > 0) & (a <= 5) & (b > 5)])
    expected = 1 - 2 * cost / (20 * 5 * (2 * 60 - 3 * 5 - 1))
    assert score(X, Y, n_points=20) == pytest.approx(expected, rel=1e-12)
    monkeypatch.setattr(metrics, "_ENTRIES_HELD", 7 * 60)
    assert score(X, Y, [5, 7], n_points=20)[0] == pytest.approx(expected, rel=1e-12)


def test_the_error_of_held_out_rows_has_no_unit():
    random = np.random.default_rng(0)
    X, Y, Y_new = (random.normal(size=(30, columns)) for columns in (2, 3, 3))
    error = metrics.held_out_error(X, Y, Y_new, 5)
    for size in (1e-200, 1e200):  # whose squares are no numbers
        assert metrics.held_out_error(size * X, size * Y, size * Y_new, 5) == pytest.approx(error)
