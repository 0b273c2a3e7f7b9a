"""Starts: coordinates as scikit-learn's, scales as by brute force, the race, what is noted."""

import pickle
import warnings
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from helpers import assert_close, curve, each, gaussian, read_only, up_to_sign
from sklearn import decomposition, manifold

from ukrlearn.blocks import mercer_kernels, scales, starts
from ukrlearn.blocks.starts import Candidate, Start
from ukrlearn.estimators._starting import NAMES, entrants
from ukrlearn.ukr.reconstruction import reconstruction_error, squared_residuals

T, Y = curve(N=60)
random = np.random.default_rng(0)
CLOUD = read_only(random.normal(size=(50, 5)) * [3, 2, 1, 0.5, 0.2] + 4)
ISLANDS = read_only(np.vstack([CLOUD[:20], CLOUD[:20] + 1000]))


def row(name, make, **options):
    return Start(Candidate(name), make, **options)


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


@each("N", [30, 50, 450])  # dense decompositions, and inverse iteration
@each("method", ["lle", "laplacian_eigenmaps"])
def test_lle_and_eigenmaps_are_scikit_learns_and_the_same_each_time(method, N):
    Y = np.random.default_rng(0).normal(size=(N, 5)) * [3, 2, 1, 0.5, 0.2] + 4
    options = dict(n_components=2, n_neighbors=9, random_state=0)
    expected = {
        "lle": manifold.LocallyLinearEmbedding(eigen_solver="dense", **options),
        "laplacian_eigenmaps": manifold.SpectralEmbedding(affinity="nearest_neighbors", **options),
    }[method].fit_transform(Y)
    make = getattr(starts, method)
    X = make(Y, 2, 9)
    cosines = np.abs(np.sum(X * expected, axis=0))
    norms = np.linalg.norm(X, axis=0) * np.linalg.norm(expected, axis=0)
    assert_close(cosines, norms, rtol=1e-6)
    shared = starts.Neighborhoods(Y, 20)  # with more neighbours than these need
    assert np.array_equal(make(Y, 2, 9, shared), X)
    assert np.array_equal(make(Y, 2, 20), make(Y, 2, 20, shared))


def test_isomap_of_few_points_is_scikit_learns():
    expected = manifold.Isomap(n_neighbors=9, n_components=2)
    assert np.array_equal(starts.isomap(CLOUD, 2, 9), expected.fit_transform(CLOUD))


@pytest.mark.parametrize(
    "method, words", [(starts.lle, "LLE"), (starts.laplacian_eigenmaps, "Lap")]
)
def test_a_graph_in_pieces_is_an_error_that_says_so(method, words):
    with pytest.raises(ValueError, match=f"{words}.* n_neighbors=6 it falls into 2 pieces"):
        method(ISLANDS, 2, 6)


def test_starts_demand_the_memory_of_their_square_arrays(monkeypatch):
    asked = []
    monkeypatch.setattr(starts.memory, "demand", lambda what, numbers, _: asked.append(numbers))
    starts.gaussian_kernel_pca(CLOUD, 2)
    starts.isomap(CLOUD, 2, 9)
    assert asked == [7 * 50**2, 3 * 50**2]


@pytest.mark.parametrize("method", [starts.lle, starts.isomap, starts.laplacian_eigenmaps])
def test_as_many_neighbors_as_points_is_an_error_that_says_so(method):
    for K in (20, 21):
        with pytest.raises(ValueError, match=f"got n_neighbors={K} and N=20 points. Pass init="):
            method(CLOUD[:20], 2, K)


def test_neighborhoods_are_the_papers_and_fewer_where_n_is_large():
    few, many = starts.neighborhoods(800), starts.neighborhoods(801)
    assert few["lle"] == [*range(4, 15), 17, 20, 25, 30]
    assert many["lle"] == [8, 10, 12, 15, 20]
    for method in ("isomap", "spectral"):
        assert few[method] == [6, 8, 10, 12, 15, 20] and many[method] == [8, 12]
    of_kind = starts.families(CLOUD[:9], 6)  # more neighbours than dimensions, fewer than points
    assert [start.row.n_neighbors for start in of_kind["lle"]] == [7, 8]


def test_built_in_starts_are_known_by_name_and_pickle():
    sizes = {"pca": 1, "kpca": 1, "lle": 15, "isomap": 6, "spectral": 6, "neighbors": 1}
    of_kind = starts.families(CLOUD, 2)
    for family, size in sizes.items():
        assert len(of_kind[family]) == size
        assert pickle.loads(pickle.dumps(of_kind[family][0])).make().shape == (50, 2)
    names = [start.row.name for kind in of_kind.values() for start in kind]
    assert len(set(names)) == len(names)
    assert set(NAMES) == {"auto", *sizes}
    assert {name for name, kind in of_kind.items() if not kind[0].per_axis} == {"neighbors"}
    assert {name for name, kind in of_kind.items() if kind[0].row.linear} == {"pca"}


def test_all_starts_of_a_race_share_their_neighborhoods():
    of_kind = starts.families(CLOUD, 2, {"lle": [5, 9], "spectral": [7]})
    shared = {id(start.make.args[-1]) for name in ("lle", "spectral") for start in of_kind[name]}
    assert len(shared) == 1
    assert of_kind["lle"][0].make.args[-1].near.shape == (50, 9)


# ------------------------------------------------------------------ what `init` stands for


def asked(init, Y=CLOUD, q=2, **options):
    model = SimpleNamespace(init=init, random_state=None)
    return entrants(model, Y, Y, q, 0.1, **options)


def names_of(starts):
    return [start.row.name for start in starts if isinstance(start, Start)]


def test_auto_is_the_list_of_a_race_or_all_that_is_affordable():
    sheet = ["PCA", *(f"Isomap(K={K})" for K in (6, 8, 12, 15)), "LLE(K=12)", "neighbours(K=15)"]
    assert names_of(asked("auto", short=True)) == sheet
    line = names_of(asked("auto", q=1, short=True))
    assert len(line) == 12 and "neighbours(K=15)" not in line and "LLE(K=8)" in line
    everything = asked("auto")
    assert len(everything) == 29 and "neighbours(K=15)" not in names_of(everything)


def test_large_n_leaves_out_the_starts_that_would_need_n_by_n_arrays_and_says_so():
    rows = lambda N: np.broadcast_to(np.arange(N)[:, None], (N, 2))
    kinds = lambda rows: {row.name.split("(")[0] for row in rows}

    def tried(N):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = asked("auto", rows(N), 1)
        left_out = [row for row in found if isinstance(row, Candidate)]
        assert found[: len(left_out)] == left_out
        return kinds(start.row for start in found[len(left_out) :]), left_out

    assert tried(4000)[0] == {"PCA", "KPCA", "LLE", "Isomap", "Laplacian"}
    assert tried(4001)[0] == tried(20_000)[0] == {"PCA", "LLE", "Laplacian"}
    found, left_out = tried(20_001)
    assert found == {"PCA"} and kinds(left_out) == {"KPCA", "LLE", "Isomap", "Laplacian"}
    assert all(row.X is None and row.note.endswith("at N=20001") for row in left_out)
    with pytest.warns(UserWarning, match="At N=20001 .* leaves out .*KPCA"):
        asked("auto", rows(20_001), 1)
    assert names_of(asked("kpca", rows(20_001), 1)) == ["KPCA(gaussian)"]  # who asks, gets


def test_coordinates_that_are_given_are_no_candidates():
    X = np.ones((50, 2))
    for init, Y, name, expected in (
        (X, CLOUD, "given", X),
        ("random", CLOUD, "random", starts.random((50, 2), 0.1)),
        ("auto", 0 * CLOUD + 3, "all points equal", 0 * X),
    ):
        (found,) = asked(init, Y)
        assert found.name == name and found.chosen and found.scaled((50, 2), None) is found
        assert np.array_equal(found.X, expected)
    assert names_of(asked(["pca", X], principal_components="KPCA")) == ["KPCA", "array 1"]


# ------------------------------------------------------------------ candidates


def test_a_scaled_candidate_is_its_coordinates_at_the_scale_it_tells():
    start = row("PCA", partial(starts.pca, Y, 1))
    candidate = start.scaled((60, 1), error_of(Y))
    assert candidate.name == "PCA" and candidate.note == "" and not candidate.chosen
    assert_close(candidate.X, scales.normalised(starts.pca(Y, 1)) * candidate.scale)
    assert candidate.cv_error == error_of(Y)(candidate.X)
    whole = row("mine", lambda: CLOUD[:, :2], per_axis=False)
    candidate = whole.scaled((50, 2), error_of(CLOUD))
    assert_close(candidate.X, scales.normalised(CLOUD[:, :2], per_axis=False) * candidate.scale)
    assert candidate.scale[0] == candidate.scale[1]


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
    candidate = row("start", make).scaled((60, 1), error_of(Y))
    assert note in candidate.note
    assert candidate.X is None and candidate.scale is None and candidate.cv_error == np.inf


def test_programming_errors_are_not_swallowed():
    with pytest.raises(TypeError):
        row("start", lambda: len(3)).scaled((60, 1), error_of(Y))


def test_warnings_of_a_start_become_its_note():
    candidate = row("odd", complain).scaled((60, 1), error_of(Y))
    assert candidate.note == "The number is odd"
    assert candidate.X is not None
