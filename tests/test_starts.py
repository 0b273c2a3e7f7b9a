"""Starts: coordinates as scikit-learn's, scales as by brute force, the race, what is noted."""

import pickle
import warnings
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from helpers import (
    TWINS,
    assert_close,
    blocks_of,
    curve,
    each,
    every_kernel,
    gaussian,
    name,
    quartic,
    read_only,
    steep,
    student,
    student_3,
    up_to_sign,
    wide,
)
from scipy.stats import gaussian_kde
from sklearn import decomposition, manifold

from ukrlearn import explicit
from ukrlearn.blocks import descent, mercer_kernels, starts
from ukrlearn.blocks.starts import Candidate, Start
from ukrlearn.estimators._starting import NAMES, entrants
from ukrlearn.ukr.reconstruction import reconstruction_error, squared_residuals

T, Y = curve(N=60)
random = np.random.default_rng(0)
CLOUD = read_only(random.normal(size=(50, 5)) * [3, 2, 1, 0.5, 0.2] + 4)
ISLANDS = read_only(np.vstack([CLOUD[:20], CLOUD[:20] + 1000]))


def error_of(Y, kernel=gaussian):
    return partial(cv_error, Y=Y, kernel=kernel)


def cv_error(X, Y, kernel):
    return float(squared_residuals(X, Y, kernel).mean())


def objective_of(Y, kernel=gaussian):
    return partial(reconstruction_error, Y=Y, kernel=kernel)


# ------------------------------------------------------------------ coordinates


def test_random_coordinates_are_normal_and_the_same_each_time():
    expected = 3 * np.random.RandomState(0).normal(size=(4, 2))
    assert np.array_equal(starts.random((4, 2), 3.0), expected)
    assert np.array_equal(starts.random((4, 2), 3.0, 0), expected)
    other = 3 * np.random.RandomState(7).normal(size=(4, 2))
    assert np.array_equal(starts.random((4, 2), 3.0, 7), other)


@pytest.mark.parametrize("q", [1, 2, 5])
def test_pca_is_scikit_learns(q):
    expected = decomposition.PCA(q).fit_transform(CLOUD)
    assert_close(up_to_sign(starts.pca(CLOUD, q), expected), expected, rtol=1e-10)


def test_pca_with_more_dimensions_than_the_data_gives_those_it_has():
    assert starts.pca(CLOUD[:, :2], 3).shape == (50, 2)


def test_kernel_pca_is_scikit_learns_for_any_gram_matrix():
    for G in (mercer_kernels.l1(CLOUD), mercer_kernels.gaussian(CLOUD, width=2.0)):
        expected = decomposition.KernelPCA(3, kernel="precomputed").fit_transform(G)
        assert_close(up_to_sign(starts.kernel_pca(G, 3), expected), expected, rtol=1e-9)


def test_kernel_pca_of_the_linear_kernel_is_pca():
    expected = starts.pca(CLOUD, 2)
    actual = starts.kernel_pca(mercer_kernels.linear(CLOUD), 2)
    assert_close(up_to_sign(actual, expected), expected, rtol=1e-9)


def test_gaussian_kernel_pca_is_scikit_learns_at_the_median_distance():
    distances = np.linalg.norm(CLOUD[:, None] - CLOUD, axis=-1)
    gamma = 1 / (2 * np.median(distances) ** 2)
    expected = decomposition.KernelPCA(2, kernel="rbf", gamma=gamma).fit_transform(CLOUD)
    actual = starts.gaussian_kernel_pca(CLOUD, 2)
    assert_close(up_to_sign(actual, expected), expected, rtol=1e-9)


def test_feature_coordinates_reproduce_the_centred_gram_matrix():
    for G in (mercer_kernels.l1(CLOUD), mercer_kernels.linear(CLOUD)):
        Phi = starts.feature_coordinates(G)
        assert_close(Phi @ Phi.T, mercer_kernels.centred(G), rtol=1e-9)
        assert np.all(np.diff(Phi.var(axis=0)) <= 1e-12)
        assert np.abs(Phi.mean(axis=0)).max() < 1e-9 * np.abs(Phi).max()
    assert Phi.shape == (50, 5)  # the rank of linear data: rounding was dropped


def test_feature_coordinates_have_the_rank_of_the_features():
    values = np.array([1.0, 1e-5, 1.4e-12, 0.7e-12])
    basis, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(30, 4)) - 0)
    basis, _ = np.linalg.qr(basis - basis.mean(axis=0))
    G = (basis * values) @ basis.T
    assert starts.feature_coordinates(G).shape == (30, 3)
    assert starts.feature_coordinates(G, rank_tolerance=1e-6).shape == (30, 2)
    assert starts.feature_coordinates(1e-9 * G).shape == (30, 3)
    assert starts.feature_coordinates(np.zeros((5, 5))).shape == (5, 0)
    assert starts.feature_coordinates(np.ones((5, 5))).shape[1] <= 1


def test_kernel_pca_fills_missing_dimensions_with_zeros():
    X = starts.kernel_pca(mercer_kernels.linear(CLOUD[:, :1]), 3)
    assert X.shape == (50, 3) and X[:, 0].any() and not X[:, 1:].any()
    assert not starts.kernel_pca(np.zeros((4, 4)), 2).any()


def test_isomap_of_many_points_is_scikit_learns_and_the_same_each_time():
    Y = np.random.RandomState(0).normal(size=(250, 3))  # from 200 points on, vectors are iterated
    X, again = starts.isomap(Y, 2, 9), starts.isomap(Y, 2, 9)
    assert np.array_equal(X, again)
    assert_close(X, manifold.Isomap(n_neighbors=9, n_components=2).fit_transform(Y), rtol=1e-9)


def test_lle_isomap_and_laplacian_are_scikit_learns():
    expected = manifold.LocallyLinearEmbedding(n_neighbors=9, n_components=2, random_state=0)
    assert np.array_equal(starts.lle(CLOUD, 2, 9), expected.fit_transform(CLOUD))
    expected = manifold.Isomap(n_neighbors=9, n_components=2)
    assert np.array_equal(starts.isomap(CLOUD, 2, 9), expected.fit_transform(CLOUD))
    expected = manifold.SpectralEmbedding(
        2, affinity="nearest_neighbors", n_neighbors=9, random_state=0
    )
    assert np.array_equal(starts.laplacian_eigenmaps(CLOUD, 2, 9), expected.fit_transform(CLOUD))


@pytest.mark.parametrize(
    "method, words", [(starts.lle, "LLE"), (starts.laplacian_eigenmaps, "Lap")]
)
def test_a_graph_in_pieces_is_an_error_that_says_so(method, words):
    with pytest.raises(ValueError, match=f"{words}.* n_neighbors=6 it falls into 2 pieces"):
        method(ISLANDS, 2, 6)


def test_laplacian_eigenmaps_of_few_points_are_scikit_learns_and_always_the_same():
    few = CLOUD[:30]
    X = starts.laplacian_eigenmaps(few, 2, 8)
    expected = manifold.SpectralEmbedding(
        2, affinity="nearest_neighbors", n_neighbors=8, random_state=0
    ).fit_transform(few)
    cosines = np.abs(np.sum(X * expected, axis=0))
    assert_close(cosines, np.linalg.norm(X, axis=0) * np.linalg.norm(expected, axis=0), rtol=1e-8)
    for _ in range(12):  # in the corner where iterations begin anew from random vectors
        np.testing.assert_array_equal(
            starts.laplacian_eigenmaps(few, 2, 20), starts.laplacian_eigenmaps(few, 2, 20)
        )


def test_more_than_40_points_have_their_eigenmaps_from_scikit_learn(monkeypatch):
    monkeypatch.setattr(starts, "_dense_laplacian_eigenmaps", lambda *_: "dense")
    assert isinstance(starts.laplacian_eigenmaps(CLOUD[:40], 2, 9), str)
    assert not isinstance(starts.laplacian_eigenmaps(CLOUD[:41], 2, 9), str)


@pytest.mark.parametrize(
    ("make", "method"),
    [(starts.lle, "LocallyLinearEmbedding"), (starts.laplacian_eigenmaps, "SpectralEmbedding")],
)
def test_the_seed_is_zero_unless_another_is_given(make, method, monkeypatch):
    seeds = []

    def stub(*, random_state, **_):
        seeds.append(random_state)
        return SimpleNamespace(fit_transform=lambda Y: Y)

    monkeypatch.setattr(manifold, method, stub)
    make(CLOUD, 2, 9)
    make(CLOUD, 2, 9, seed=4)
    assert seeds == [0, 4]


def test_starts_demand_the_memory_of_their_square_arrays(monkeypatch):
    asked = []
    monkeypatch.setattr(starts.memory, "demand", lambda what, numbers, _: asked.append(numbers))
    wide_cloud = np.random.default_rng(0).normal(size=(50, 12))
    starts.gaussian_kernel_pca(wide_cloud, 2)
    starts.isomap(wide_cloud, 2, 9)
    starts.lle(wide_cloud[:40], 8, 20)
    starts.lle(wide_cloud, 9, 20)
    assert asked == [7 * 50**2, 3 * 50**2, 2.2 * 50**2]


@pytest.mark.parametrize("method", [starts.lle, starts.isomap, starts.laplacian_eigenmaps])
def test_as_many_neighbors_as_points_is_an_error_that_says_so(method):
    for K in (20, 21):
        with pytest.raises(ValueError, match=f"got n_neighbors={K} and N=20 points. Pass init="):
            method(CLOUD[:20], 2, K)


def test_neighborhoods_are_the_papers_and_fewer_where_n_is_large():
    assert starts.neighborhoods(300, 1)["LLE"] == [*range(4, 15), 17, 20, 25, 30]
    for method in ("Isomap", "Laplacian"):
        assert starts.neighborhoods(300, 1)[method] == [6, 8, 10, 12, 15, 20]
        assert starts.neighborhoods(801, 1)[method] == [8, 12]
    assert starts.neighborhoods(800, 1) == starts.neighborhoods(300, 1)
    assert starts.neighborhoods(801, 1)["LLE"] == [8, 10, 12, 15, 20]
    for N, q in ((10, 2), (7, 5), (3, 2)):
        for counts in starts.neighborhoods(N, q).values():
            assert all(q < K < N for K in counts)
    assert starts.neighborhoods(9, 6)["LLE"] == [7, 8]


def test_built_in_starts_are_known_by_name_and_pickle():
    counts = starts.neighborhoods(50, 2)
    sizes = {"pca": 1, "kpca": 1, "lle": len(counts["LLE"]), "isomap": len(counts["Isomap"])}
    sizes |= {"spectral": len(counts["Laplacian"]), "neighbors": 1}
    for family, size in sizes.items():
        made = starts.families(CLOUD, 2)[family]
        assert len(made) == size
        assert pickle.loads(pickle.dumps(made[0])).make().shape == (50, 2)
    everything, left_out = starts.affordable(starts.families(CLOUD, 2), len(CLOUD))
    assert len(everything) == sum(sizes.values()) - 1 and left_out == []  # not the neighbours
    assert len({start.name for start in everything}) == len(everything)
    assert set(NAMES) == {"auto", *sizes}


def test_large_n_leaves_out_the_starts_that_would_need_n_by_n_arrays_and_says_so():
    rows = lambda N: np.broadcast_to(np.zeros((1, 2)), (N, 2))
    tried = lambda N: starts.affordable(starts.families(rows(N), 1), N)
    names = lambda N: {start.name.split("(")[0] for start in tried(N)[0]}
    assert names(4000) == {"PCA", "KPCA", "LLE", "Isomap", "Laplacian"}
    assert names(4001) == {"PCA", "LLE", "Laplacian"}
    assert names(20_000) == {"PCA", "LLE", "Laplacian"}
    assert names(20_001) == {"PCA"}
    _, left_out = tried(20_001)
    assert {c.name.split("(")[0] for c in left_out} == {"KPCA", "LLE", "Isomap", "Laplacian"}
    assert all(c.X is None and c.note.endswith("at N=20001") for c in left_out)
    asked_for, left_out = entrants("kpca", None, rows(20_001), (20_001, 1), 0)  # who asks, gets
    assert len(asked_for) == 1 and left_out == []


def test_the_seed_reaches_the_starts_that_have_one_and_only_neighbors_keep_their_shape():
    for seed, options in ((0, {}), (5, dict(seed=5))):
        found = starts.families(CLOUD, 2, **options)
        for family in ("lle", "spectral"):
            assert all(start.make.args[-1] == seed for start in found[family])
        of_short_list = {start.family: start for start in starts.short_list(CLOUD, 2, **options)}
        assert of_short_list["LLE"].make.args[-1] == seed
    assert {name for name, kind in found.items() if not kind[0].per_axis} == {"neighbors"}


def test_a_start_has_its_own_scale_on_each_axis_and_a_candidate_lost_unless_they_say_otherwise():
    assert Start("any", None)[2:] == (True, False, "", None)
    assert Candidate("any")[1:4] == (None, None, np.inf)
    assert not Candidate("any").chosen and not Candidate("any").linear


def test_linear_starts_are_those_of_the_homotopy():
    found, _ = starts.affordable(starts.families(CLOUD, 1), len(CLOUD))
    assert [start.name for start in found if start.linear] == ["PCA"]
    scaled = starts.scaled_candidate(found[0], (len(CLOUD), 1), lambda X: 1.0)
    assert scaled.linear and not Candidate("PCA").linear  # not by its name


# ------------------------------------------------------------------ scale


def test_normalised_coordinates_have_mean_zero_and_variance_one_or_none():
    X = np.column_stack([CLOUD, np.full(50, 3.3), 1e-9 * CLOUD[:, 0]])
    Z = starts.normalised(X)
    assert_close(Z.mean(axis=0) + 1, np.ones(7))
    assert_close(Z.var(axis=0), [1, 1, 1, 1, 1, 0, 1], rtol=1e-9)
    assert not starts.normalised(np.full((4, 2), 7.0)).any()
    assert not starts.normalised(np.zeros((4, 2))).any()
    # An axis that is rounding of the others is flat, not a direction.
    column = starts.normalised(CLOUD[:, :1])
    noise = np.hstack([column, 0.7e-12 * column, 1.4e-12 * column])
    assert starts.normalised(noise).any(axis=0).tolist() == [True, False, True]


@pytest.mark.parametrize("scale", [2.0**-900, 2.0**900])
@pytest.mark.parametrize("per_axis", [True, False])
def test_normalised_coordinates_do_not_depend_on_the_unit(per_axis, scale):
    scaled = starts.normalised(scale * CLOUD, per_axis)
    assert np.array_equal(scaled, starts.normalised(CLOUD, per_axis))


def test_columns_that_do_not_vary_become_zero():
    assert starts.varying(np.array([[1.0, 5.0], [2.0, 5.0]])).tolist() == [[1, 0], [2, 0]]


def test_normalising_all_axes_together_keeps_the_shape():
    Z = starts.normalised(CLOUD, per_axis=False)
    centred = CLOUD - CLOUD.mean(axis=0)
    assert Z.var(axis=0).mean() == pytest.approx(1, rel=1e-12)
    assert_close(Z / Z[0, 0], centred / centred[0, 0])
    assert not starts.normalised(np.full((4, 2), 7.0), per_axis=False).any()


@every_kernel
def test_left_out_likelihood_is_that_of_the_loops(kernel, monkeypatch):
    monkeypatch.setattr(starts, "row_blocks", blocks_of(4))
    X = 0.3 * CLOUD[:11, :2]
    for h in (0.9, 1.0, 2.7):
        expected = explicit.log_likelihood_of_left_out(X, h, TWINS[kernel])
        actual = starts.log_likelihood_of_left_out(X, h, kernel)
        assert actual == pytest.approx(expected, rel=1e-12)
        some = starts.log_likelihood_of_left_out(X, h, kernel, np.array([3, 8]))
        each = [starts.log_likelihood_of_left_out(X, h, kernel, np.array([n])) for n in (3, 8)]
        assert some == pytest.approx(np.mean(each), rel=1e-12)
        everyone = starts.log_likelihood_of_left_out(X, h, kernel, np.arange(11))
        assert everyone == pytest.approx(expected, rel=1e-12)


def test_left_out_likelihood_is_scipys_with_each_point_deleted():
    X, h = CLOUD[:15, :1], 0.7
    logs = []
    for n in range(15):
        others = np.delete(X, n, axis=0)
        density = gaussian_kde(others.T, bw_method=h / others.std(ddof=1))
        logs.append(density.logpdf(X[n])[0])
    expected = np.mean(logs) + np.log(2 * np.pi) / 2  # the constant of the normal density
    assert starts.log_likelihood_of_left_out(X, h) == pytest.approx(expected, rel=1e-10)


def test_likelihood_of_points_far_apart_is_exact_where_the_kernel_underflows():
    X = np.array([[0.0], [100.0]])
    assert starts.log_likelihood_of_left_out(X, 1.0) == pytest.approx(-5000, rel=1e-14)
    assert starts.log_likelihood_of_left_out(X, 1.0, steep) == pytest.approx(-10_000 + np.log(3))
    assert starts.log_likelihood_of_left_out(X, 1.0, quartic) == -np.inf


@each("kernel", [gaussian, quartic, student_3, steep, wide], ids=name)
@each("q", [1, 2])
def test_likelihood_bandwidth_is_that_of_brute_force(kernel, q):
    X = starts.normalised(CLOUD[:, :q])
    grid = np.geomspace(1e-3, 20, 600)
    likelihood = [starts.log_likelihood_of_left_out(X, h, kernel) for h in grid]
    h = starts.likelihood_bandwidth(X, kernel)
    assert h == pytest.approx(grid[np.argmax(likelihood)], rel=0.1)
    assert starts.log_likelihood_of_left_out(X, h, kernel) > max(likelihood) - 5e-3


def test_a_kernel_without_finite_mass_has_no_likely_bandwidth_but_the_search_ends():
    # Student's kernel with one degree of freedom falls like 1 / t: in two dimensions its integral
    # diverges, the likelihood rises as h falls, and the lowest bandwidth tried comes out.
    X = starts.normalised(CLOUD[:, :2])
    h = starts.likelihood_bandwidth(X, student)
    assert 50 ** (-1 / 6) / 100 <= h < 0.01
    assert np.isfinite(starts.best_scale(X, error_of(CLOUD, student), student).error)


def test_likelihood_bandwidth_follows_the_scale_and_some_points_stand_for_all():
    X = CLOUD[:, :2]
    h = starts.likelihood_bandwidth(X)
    assert starts.likelihood_bandwidth(1000 * X) == pytest.approx(1000 * h, rel=1e-6)
    some = starts.likelihood_bandwidth(X, points=np.arange(0, 50, 2))
    assert some != h and some == pytest.approx(h, rel=0.5)


def test_bandwidth_of_a_compact_kernel_lets_every_point_see_another():
    X = np.append(CLOUD[:, 0], 60.0)[:, None]  # an outlier
    nearest = 60 - CLOUD[:, 0].max()
    for kernel in (quartic, wide):
        h = starts.likelihood_bandwidth(X, kernel)
        assert h * kernel.radius > nearest
        assert np.isfinite(starts.log_likelihood_of_left_out(X, h, kernel))


@each("kernel", [gaussian, quartic, student], ids=name)
@each("per_axis", [True, False], ids=["per axis", "as a whole"])
def test_best_scale_beats_its_ladder_and_tells_the_true_path(kernel, per_axis):
    X = starts.normalised(np.column_stack([T, random.normal(size=60)]))
    error = error_of(Y, kernel)
    scale, least, path = starts.best_scale(X, error, kernel, per_axis)
    assert scale.shape == (2,)
    for tried, value in path:
        assert error(X * tried) == value
    assert least == error(X * scale) == min(value for _, value in path)
    # The first seven are a ladder of doublings around the likelihood bandwidth.
    h = starts.likelihood_bandwidth(X, kernel)
    expected = [[2.0**k / h] * 2 for k in range(-3, 4)]
    assert_close([tried for tried, _ in path[:7]], expected)
    ladder = min(value for _, value in path[:7])
    assert least <= ladder and len(path) <= 7 + 25 * (2 if per_axis else 1) + 2
    assert (scale[0] == scale[1]) == (not per_axis)
    if per_axis:  # the second axis is noise: it is made small
        assert scale[1] < 0.5 * scale[0]


@pytest.mark.parametrize("per_axis", [True, False], ids=["per axis", "as a whole"])
def test_the_search_for_a_scale_begins_at_the_best_of_the_ladder_and_ends_in_time(per_axis):
    X = starts.normalised(CLOUD[:, :2])
    noise = np.random.RandomState(0)
    as_a_whole = {} if per_axis else {"per_axis": False}
    _, _, path = starts.best_scale(X, lambda _: noise.uniform(), **as_a_whole)
    dimension = 2 if per_axis else 1
    assert len(path) == 7 + 25 * dimension  # noise never settles
    assert_close(path[7][0], path[np.argmin([error for _, error in path[:7]])][0])
    for k in range(dimension):
        moved = np.arange(2) == k if per_axis else True
        assert_close(np.log(path[8 + k][0] / path[7][0]), 0.3 * np.ones(2) * moved + 1e-16)


def test_the_search_for_a_scale_settles_on_hundredths(monkeypatch):
    asked, minimize = [], starts.minimize
    spy = lambda *given, options, **rest: (
        asked.append(options) or minimize(*given, options=options, **rest)
    )
    monkeypatch.setattr(starts, "minimize", spy)
    _, _, path = starts.best_scale(starts.normalised(T), error_of(Y))
    (options,) = asked
    least = min(error for _, error in path[:7])
    assert options["xatol"] == 0.02 and options["fatol"] == 1e-4 * least


@pytest.mark.parametrize("kernel", [gaussian, wide], ids=name)
def test_bandwidths_are_searched_up_to_ten_times_a_typical_one(kernel, monkeypatch):
    asked = []
    spy = lambda loss, bounds, method, options: (
        asked.append((*np.exp(bounds), options)) or SimpleNamespace(x=0.0)
    )
    monkeypatch.setattr(starts, "minimize_scalar", spy)
    X = np.array([[0.0, 0.0], [0.0, 3.0], [4.0, 3.0], [4.0, 0.0]])
    far = np.vstack([X, [[4.0, 700.0]]])
    assert starts.likelihood_bandwidth(X, kernel) == 1.0
    starts.likelihood_bandwidth(far, kernel)
    typical = [np.sqrt(X.var(axis=0).mean()) * 4 ** (-1 / 6)]
    typical.append(np.sqrt(far.var(axis=0).mean()) * 5 ** (-1 / 6))
    lowest = [typical[0] / 100, typical[1] / 100]
    if kernel is wide:  # every point sees its nearest neighbour, and the radius is 2
        lowest = [3 / 2 * (1 + 1e-6), 697 / 2 * (1 + 1e-6)]
    for (low, high, options), least, usual in zip(asked, lowest, typical, strict=True):
        assert low == pytest.approx(least, rel=1e-8)
        assert high == pytest.approx(10 * max(least, usual), rel=1e-12)
        assert options == {"xatol": 0.05}


def test_best_scale_is_that_of_brute_force_on_one_axis():
    X = starts.normalised(T)
    error = error_of(Y)
    grid = np.geomspace(0.5, 50, 400)
    least = min(error(s * X) for s in grid)
    assert starts.best_scale(X, error).error <= least * (1 + 1e-3)


def test_best_scale_of_points_all_in_one_place_is_one():
    scale, error, path = starts.best_scale(np.zeros((60, 2)), error_of(Y))
    assert scale.tolist() == [1, 1] and len(path) == 1
    assert starts.best_scale(np.zeros((60, 3)), error_of(Y)).scale.tolist() == [1, 1, 1]
    assert len(starts.best_scale(T - T[30], error_of(Y)).path) > 7  # one point lies at zero
    assert error == pytest.approx(Y.var(axis=0).sum() * (60 / 59) ** 2, rel=1e-12)


# ------------------------------------------------------------------ candidates


def test_a_scaled_candidate_is_its_coordinates_at_the_scale_it_tells():
    start = Start("PCA", partial(starts.pca, Y, 1))
    candidate = starts.scaled_candidate(start, (60, 1), error_of(Y))
    assert candidate.name == "PCA" and candidate.note == "" and not candidate.chosen
    assert_close(candidate.X, starts.normalised(starts.pca(Y, 1)) * candidate.scale)
    assert candidate.cv_error == error_of(Y)(candidate.X)
    whole = Start("mine", lambda: CLOUD[:, :2], per_axis=False)
    candidate = starts.scaled_candidate(whole, (50, 2), error_of(CLOUD))
    assert_close(candidate.X, starts.normalised(CLOUD[:, :2], per_axis=False) * candidate.scale)
    assert candidate.scale[0] == candidate.scale[1]


def test_any_object_with_fit_transform_is_a_start():
    tsne = manifold.TSNE(1, perplexity=5, max_iter=250, random_state=0)
    start = Start("t-SNE", partial(tsne.fit_transform, Y), per_axis=False)
    candidate = starts.scaled_candidate(start, (60, 1), error_of(Y))
    assert candidate.X.shape == (60, 1) and candidate.cv_error < 0.5 * Y.var(axis=0).sum()


def fail(problem):
    raise problem


def complain():
    warnings.warn("The number is odd. Really.", UserWarning, stacklevel=2)
    warnings.warn("The number is odd. Again.", RuntimeWarning, stacklevel=2)
    return T


@pytest.mark.parametrize(
    "make, note",
    [
        (partial(starts.lle, ISLANDS, 1, 6), "into 2 pieces"),
        (partial(fail, np.linalg.LinAlgError("singular")), "singular"),
        (partial(fail, RuntimeError("no luck")), "no luck"),
        (lambda: np.zeros((60, 2)), "gave coordinates of shape (60, 2), not (60, 1)"),
        (lambda: np.full((60, 1), np.nan), "gave coordinates that are not finite"),
    ],
)
def test_a_start_that_fails_is_noted_and_not_crashed_on(make, note):
    candidate = starts.scaled_candidate(Start("start", make), (60, 1), error_of(Y))
    assert note in candidate.note
    assert candidate.X is None and candidate.scale is None and candidate.cv_error == np.inf


def test_programming_errors_are_not_swallowed():
    with pytest.raises(TypeError):
        starts.scaled_candidate(Start("start", lambda: len(3)), (60, 1), error_of(Y))


def test_warnings_of_a_start_become_its_note():
    candidate = starts.scaled_candidate(Start("odd", complain), (60, 1), error_of(Y))
    assert candidate.note == "The number is odd"
    assert candidate.X is not None


def some_starts():
    return [
        Start("PCA", partial(starts.pca, Y, 1)),
        Start("LLE(K=6)", partial(starts.lle, Y, 1, 6)),
        Start("pieces", partial(starts.lle, ISLANDS, 1, 6)),
        Start("Isomap(K=6)", partial(starts.isomap, Y, 1, 6)),
    ]


def test_two_jobs_give_identical_candidates_and_race():
    outcome = []
    for n_jobs in (None, 2):
        made = list(starts.scaled_candidates(some_starts(), (60, 1), error_of(Y), n_jobs=n_jobs))
        outcome.append((made, *starts.race(made, objective_of(Y), 10, 2, 15, n_jobs=n_jobs)))
    (one, raced_one, X_one), (two, raced_two, X_two) = outcome
    assert np.array_equal(X_one, X_two)
    for a, b in zip([*one, *raced_one], [*two, *raced_two], strict=True):
        assert a.name == b.name and a.note == b.note and a.chosen == b.chosen
        assert np.array_equal(a.X, b.X) if a.X is not None else b.X is None
        assert a.cv_error == b.cv_error
        assert a.refined == b.refined or np.isnan([a.refined, b.refined]).all()


def test_candidates_come_one_by_one():
    candidates = starts.scaled_candidates(some_starts(), (60, 1), error_of(Y))
    assert next(candidates).name == "PCA"
    assert [candidate.name for candidate in candidates] == ["LLE(K=6)", "pieces", "Isomap(K=6)"]


# ------------------------------------------------------------------ race


def made_candidates(scales):
    error = error_of(Y)
    X = [scale * T for scale in scales]
    made = [
        Candidate(f"at {s}", x, np.ones(1) * s, error(x)) for s, x in zip(scales, X, strict=True)
    ]
    return [made[0], Candidate("none", note="why"), *made[1:]]


def refined_by_hand(X, moves):
    steps = descent.at_most(descent.rprop(objective_of(Y), X), moves)
    best = descent.last(descent.best_so_far(steps))
    return best.error, best.X


def test_the_race_chooses_the_least_and_returns_where_it_got_to():
    candidates = made_candidates([0.02, 1.0, 3.0, 8.0])
    raced, X = starts.race(candidates, objective_of(Y), steps=7, finalists=2, final_steps=9)
    expected = {c.name: refined_by_hand(c.X, 7) for c in candidates if c.X is not None}
    for finalist in sorted(expected, key=lambda name: expected[name][0])[:2]:
        expected[finalist] = refined_by_hand(expected[finalist][1], 9)
    assert [c.name for c in raced] == [c.name for c in candidates]
    for candidate, before in zip(raced, candidates, strict=True):
        if before.X is None:
            assert candidate == before
            continue
        assert candidate.refined == expected[candidate.name][0] <= candidate.cv_error
        assert candidate.X is before.X
    winner = min(expected, key=lambda name: expected[name][0])
    assert [c.name for c in raced if c.chosen] == [winner]
    assert np.array_equal(X, expected[winner][1])
    assert candidates[0].refined is not None and np.isnan(candidates[0].refined)  # not changed


def test_without_steps_or_rivals_the_race_is_the_papers_choice():
    candidates = made_candidates([0.02, 3.0, 8.0])
    raced, X = starts.race(candidates, objective_of(Y), steps=0)
    winner = min((c for c in candidates if c.X is not None), key=lambda c: c.cv_error)
    assert [c.name for c in raced if c.chosen] == [winner.name] and X is winner.X
    assert all(c.refined == c.cv_error for c in raced if c.X is not None)
    alone, X = starts.race([candidates[0]], objective_of(Y))
    assert alone[0].chosen and X is candidates[0].X and alone[0].refined == candidates[0].cv_error


def test_a_race_of_nobody_says_why():
    nobody = [Candidate("A", note="not connected"), Candidate("B", note="too large")]
    with pytest.raises(ValueError, match="no start gave coordinates: A: not connected; B: too"):
        starts.race(nobody, objective_of(Y))


def test_races_are_shorter_where_a_step_costs_much():
    assert starts.race_lengths(2000) == (60, 6, 150)
    assert starts.race_lengths(2001) == starts.race_lengths(20_000) == (20, 3, 40)
    assert starts.race_lengths(20_001) == (5, 2, 10)
    assert starts.SHORT_RACE == (20, 2, 60)
    defaults = starts.race.__defaults__
    assert defaults[:3] == (60, 6, 150)


def test_some_points_are_none_for_few_and_even_for_many():
    assert starts.some_points(1500) is None
    some = starts.some_points(1501)
    assert len(some) in (750, 751) and set(np.diff(some)) == {2}
    many = starts.some_points(100_000)
    assert 750 <= len(many) <= 760 and many[0] == 0 and many[-1] < 100_000


# ------------------------------------------------------------------ many points


def test_the_short_list_has_a_few_starts_of_all_kinds_but_kernel_pca():
    names = [start.name for start in starts.short_list(CLOUD, 2)]
    assert names == [
        *("PCA", "Isomap(K=6)", "Isomap(K=8)", "Isomap(K=12)", "LLE(K=12)", "Laplacian(K=10)"),
        "neighbours(K=15)",
    ]
    assert [start.name for start in starts.short_list(CLOUD, 1)] == names[:-1]


def test_landmarks_are_all_points_or_some_at_random_in_order():
    assert np.array_equal(starts.landmarks(1000), np.arange(1000))
    expected = np.random.RandomState(0).choice(5000, 1000, replace=False)
    assert np.array_equal(starts.landmarks(5000), np.sort(expected))
    assert len(starts.landmarks(1001)) == 1000
    chosen = starts.landmarks(5000, seed=1)
    assert len(chosen) == 1000 and np.all(np.diff(chosen) > 0)
    assert np.array_equal(chosen, starts.landmarks(5000, seed=1))
    assert not np.array_equal(chosen, starts.landmarks(5000, seed=2))
    assert 0 <= chosen.min() and 4500 < chosen.max() < 5000


def test_the_scale_of_many_is_the_best_of_a_ladder_about_the_first_guess():
    error = lambda X: abs(np.log(X[0, 0] / 7.0))
    scale = starts.scale_of_many(np.ones((3, 1)), error, first=5.0)
    assert scale == pytest.approx(5 * 1.25**2)  # 7.8; 6.25 is further from 7
    for target, power in ((0.1, -2), (100.0, 4)):
        error = lambda X, target=target: abs(np.log(X[0, 0] / target))
        scale = starts.scale_of_many(np.ones((3, 1)), error, first=5.0)
        assert scale == pytest.approx(5 * 1.25**power)


def test_the_likely_scale_of_a_compact_kernel_is_that_of_a_gaussian_as_smooth():
    X = starts.normalised(np.random.default_rng(0).normal(size=(400, 2)))
    of_gaussian = starts.likely_scale(X)
    assert of_gaussian == pytest.approx(1 / starts.likelihood_bandwidth(X))
    assert starts.likely_scale(X, quartic) == pytest.approx(of_gaussian / 2.65)
    assert starts.likely_scale(X, wide) == pytest.approx(2 * of_gaussian / 2.65)
    assert starts.likely_scale(3 * X) == pytest.approx(of_gaussian / 3, rel=0.1)


def test_many_points_turn_softly():
    assert starts.rprop_for(800) is descent.rprop
    assert starts.rprop_for(801).keywords == {"shrink": 0.7}


def test_a_race_may_be_run_by_another_descent():
    minimise = partial(descent.rprop, first_step=1e-6)
    objective = objective_of(CLOUD)
    X = starts.normalised(starts.pca(CLOUD, 2))
    entrants = [Candidate("one", X, cv_error=1.0), Candidate("other", 2 * X, cv_error=2.0)]
    _, there = starts.race(entrants, objective, 3, 1, 0, minimise=minimise)
    assert min(np.abs(there - X).max(), np.abs(there - 2 * X).max()) < 1e-5
