"""AgglomerativeIsomap and OutOfSample: what they embed, where new points go, what they refuse."""

import pickle
import warnings

import numpy as np
import pytest
from helpers import assert_close, each, read_only, up_to_sign
from joblib import parallel_config
from sklearn.base import clone
from sklearn.cross_decomposition import PLSRegression
from sklearn.datasets import load_wine
from sklearn.manifold import TSNE, Isomap, SpectralEmbedding
from sklearn.metrics import pairwise_distances
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ukrlearn import UKR, datasets, metrics
from ukrlearn.estimators.isomap import AgglomerativeIsomap, OutOfSample
from ukrlearn.estimators.maps import GRNNMap, KernelRidgeMap
from ukrlearn.si.dissimilarity import mean_distance, mean_squared_distance

WINE, WINES = load_wine(return_X_y=True)
WINE = read_only(StandardScaler().fit_transform(WINE))
ROLL, SHEET = datasets.swiss_roll(500, random_state=1)
NEW_ROLL, NEW_SHEET = datasets.swiss_roll(200, random_state=2)


# ---- without labels -----------------------------------------------------------------------------


def test_without_labels_it_is_scikit_learns_isomap():
    ours = AgglomerativeIsomap(3, n_neighbors=8).fit(ROLL)
    theirs = Isomap(n_components=3, n_neighbors=8).fit(ROLL)
    assert_close(up_to_sign(theirs.embedding_, ours.embedding_), ours.embedding_, 1e-9)
    assert_close(ours.geodesics_, theirs.dist_matrix_, 1e-12)
    assert ours.classes_ is None and ours.beta_ is None


def test_nystroem_places_new_points_where_scikit_learn_does():
    ours = AgglomerativeIsomap(2, n_neighbors=8, mapping="nystroem").fit(ROLL)
    theirs = Isomap(n_components=2, n_neighbors=8).fit(ROLL)
    signs = np.sign(np.sum(ours.embedding_ * theirs.embedding_, axis=0))
    assert_close(ours.transform(NEW_ROLL), signs * theirs.transform(NEW_ROLL), 1e-9)
    assert_close(ours.map(ROLL), ours.embedding_, 1e-9)


@pytest.mark.parametrize("mapping", ["kernel-ridge", "grnn", "nystroem"])
def test_new_points_of_the_roll_go_to_their_place_on_the_sheet(mapping):
    model = AgglomerativeIsomap(2, n_neighbors=8, mapping=mapping).fit(ROLL)
    x = model.transform(NEW_ROLL)
    assert metrics.procrustes_r2(x, NEW_SHEET) > 0.97
    assert (model.transform(ROLL) == model.embedding_).all()
    assert_close(model.transform(NEW_ROLL[3:4]), x[3:4])


def test_all_neighbours_make_it_classical_scaling():
    for h in (len(WINE) - 1, 1000):
        model = AgglomerativeIsomap(2, n_neighbors=h).fit(WINE)
        assert_close(model.geodesics_, pairwise_distances(WINE), 1e-6)
    assert model.negative_share() < 1e-9


def test_landmarks_keep_the_roll_and_less_memory():
    whole = AgglomerativeIsomap(2, n_neighbors=8).fit(ROLL)
    some = AgglomerativeIsomap(2, n_neighbors=8, n_landmarks=60, mapping="nystroem").fit(ROLL)
    assert some.geodesics_.shape == (60, 500) and len(some.landmarks_) == 60
    assert_close(some.geodesics_, whole.geodesics_[some.landmarks_])
    assert metrics.procrustes_r2(some.embedding_, whole.embedding_) > 0.99
    assert metrics.procrustes_r2(some.transform(NEW_ROLL), NEW_SHEET) > 0.97
    other = AgglomerativeIsomap(2, n_landmarks=60, random_state=4).fit(ROLL)
    assert (other.landmarks_ != some.landmarks_).any()


def test_many_points_get_landmarks_without_being_asked(monkeypatch):
    monkeypatch.setattr("ukrlearn.estimators.isomap.DENSE", 300)
    monkeypatch.setattr("ukrlearn.estimators.isomap.LANDMARKS", 50)
    assert len(AgglomerativeIsomap().fit(ROLL).landmarks_) == 50
    assert len(AgglomerativeIsomap(n_landmarks=500).fit(ROLL).landmarks_) == 500


def test_looking_at_the_graph():
    model = AgglomerativeIsomap(2, n_neighbors=8).fit(ROLL)
    path = model.shortest_path(0, 17)
    steps = np.linalg.norm(np.diff(ROLL[path], axis=0), axis=1)
    assert steps.sum() == pytest.approx(model.geodesics_[0, 17])
    values = np.linalg.eigvalsh(-0.5 * centring(500) @ model.geodesics_**2 @ centring(500))
    share = -values[values < 0].sum() / np.abs(values).sum()
    assert model.negative_share() == pytest.approx(share, rel=1e-8) and share > 0.01
    left = model.residual_variances(5)
    assert left.shape == (6,) and left[0] == 1 and left[2] < 0.005 < left[1]
    assert (AgglomerativeIsomap(n_neighbors=3).fit(WINE[:8]).residual_variances().shape) == (8,)


def centring(N):
    return np.eye(N) - 1 / N


# ---- with labels --------------------------------------------------------------------------------


def test_names_of_classes_do_not_matter_and_their_order_neither():
    one = AgglomerativeIsomap(2).fit(WINE, WINES)
    for named in (
        np.array(["red", "white", "rosé"])[WINES],
        np.array(["red", "white", "rosé"], dtype=object)[WINES].tolist(),
        (2 - WINES).astype(float),
    ):
        other = AgglomerativeIsomap(2).fit(WINE, named)
        assert (other.embedding_ == one.embedding_).all()
        assert set(other.classes_) == set(named)
    truth = AgglomerativeIsomap(2).fit(WINE, WINES == 1)
    assert truth.classes_.tolist() == [False, True]


@pytest.mark.parametrize(
    "beta, value",
    [("mean-square", mean_squared_distance(WINE)), ("mean", mean_distance(WINE)), (3.5, 3.5)],
)
def test_beta_is_a_mean_or_a_number(beta, value):
    model = AgglomerativeIsomap(2, beta=beta).fit(WINE, WINES)
    assert model.beta_ == pytest.approx(value)
    same = AgglomerativeIsomap(2, beta=value).fit(WINE, WINES)
    assert_close(model.embedding_, same.embedding_, 1e-9)


def test_the_mean_square_makes_the_embedding_free_of_the_unit():
    one, other = (AgglomerativeIsomap(2).fit(s * WINE, WINES).embedding_ for s in (1, 40))
    assert_close(up_to_sign(other, one), one, 1e-6)


def test_training_points_of_shuffled_classes_are_separated_and_new_ones_are_not():
    right, wrong = [], []
    for seed in range(5):
        random = np.random.RandomState(seed)
        order = random.permutation(len(WINE))
        train, test = order[:120], order[120:]
        labels = random.permutation(WINES)
        model = AgglomerativeIsomap(2, alpha=0.0).fit(WINE[train], labels[train])
        neighbours = KNeighborsClassifier(1).fit(model.embedding_, labels[train])
        separate = KNeighborsClassifier(5).fit(model.embedding_, labels[train])
        right.append(separate.score(model.embedding_, labels[train]))
        wrong.append(neighbours.score(model.transform(WINE[test]), labels[test]))
    assert min(right) == 1.0 and np.mean(wrong) < 0.5


def test_left_out_points_are_mapped_by_the_others():
    model = AgglomerativeIsomap(2).fit(WINE, WINES)
    f = model.mapping_
    others = np.arange(len(WINE)) != 5
    refitted = KernelRidgeMap(f.gamma_, f.penalty_).fit(WINE[others], model.embedding_[others])
    assert_close(model.left_out_embedding_[5:6], refitted.predict(WINE[5:6]), 1e-7)
    assert np.abs(model.map(WINE) - model.embedding_).max() > 1e-3


def test_any_regressor_can_be_the_mapping_and_stays_as_it_was():
    regressor = KNeighborsRegressor(3)
    model = AgglomerativeIsomap(2, mapping=regressor).fit(WINE, WINES)
    expected = KNeighborsRegressor(3).fit(WINE, model.embedding_).predict(WINE + 0.1)
    assert (model.transform(WINE + 0.1) == expected).all()
    assert not hasattr(regressor, "n_features_in_")
    with pytest.raises(AttributeError, match="left_out_embedding_ needs a mapping"):
        model.left_out_embedding_  # noqa: B018


def test_arcs_are_a_tree_or_join_every_two_components():
    count = lambda arcs: len(AgglomerativeIsomap(2, arcs=arcs).fit(blobs, colours).graph_.arcs)
    random = np.random.RandomState(0)
    colours = np.repeat([0, 1, 2, 3], 30)
    blobs = random.normal(size=(120, 3)) + 30 * random.normal(size=(4, 3))[colours]
    assert count("tree") == 3 and count("all-pairs") == 6


def test_labels_decide_the_number_of_components_on_request():
    model = AgglomerativeIsomap("classes").fit(WINE, WINES)
    assert model.embedding_.shape == (178, 2)
    assert AgglomerativeIsomap("classes").fit(WINE, WINES == 0).embedding_.shape == (178, 1)
    with pytest.raises(ValueError, match='n_components="classes" needs labels'):
        AgglomerativeIsomap("classes").fit(WINE)


def test_the_same_data_give_the_same_bits_and_models_travel():
    model = AgglomerativeIsomap(2, n_landmarks=40).fit(WINE, WINES)
    again = clone(model).fit(WINE, WINES)
    assert (again.embedding_ == model.embedding_).all()
    travelled = pickle.loads(pickle.dumps(model))
    assert (travelled.transform(WINE + 0.1) == model.transform(WINE + 0.1)).all()
    with parallel_config(backend="threading"):
        parallel = AgglomerativeIsomap(2, n_landmarks=40, n_jobs=2).fit(WINE, WINES)
    assert (parallel.embedding_ == model.embedding_).all()


# ---- bad input ----------------------------------------------------------------------------------


def test_one_class_counts_as_no_labels():
    model = AgglomerativeIsomap(2).fit(ROLL, ["a"] * 500)
    assert model.classes_.tolist() == ["a"] and model.beta_ is None
    assert (model.embedding_ == AgglomerativeIsomap(2).fit(ROLL).embedding_).all()


def test_a_class_with_one_member_is_embedded():
    labels = WINES.copy()
    labels[7] = 9
    model = AgglomerativeIsomap("classes").fit(WINE, labels)
    assert model.embedding_.shape == (178, 3) and np.isfinite(model.embedding_).all()
    assert np.isfinite(model.transform(WINE + 0.2)).all()


@pytest.mark.parametrize("missing", [np.nan, None, "nan"], ids=["NaN", "None", "NaN among strings"])
def test_missing_labels_are_counted(missing):
    labels = WINES.astype(object if missing is None else float)
    if isinstance(missing, str):
        labels, missing = np.array(["a", "b", "c"], dtype=object)[WINES], np.nan
    labels[[3, 8]] = missing
    with pytest.raises(ValueError, match="2 of 178 labels are missing, the first at 3"):
        AgglomerativeIsomap().fit(WINE, labels)


def test_labels_that_are_no_classes_are_refused():
    with pytest.raises(ValueError, match="continuous numbers"):
        AgglomerativeIsomap().fit(WINE, WINES + 0.3)
    with pytest.raises(TypeError, match=r"labels of one kind; got \['int', 'str'\]"):
        AgglomerativeIsomap().fit(WINE, np.array([1, "b"] * 89, dtype=object))
    with pytest.raises(ValueError, match="one label for each of the 178 points; got 177"):
        AgglomerativeIsomap().fit(WINE, WINES[:-1])
    with pytest.raises(ValueError):
        AgglomerativeIsomap().fit(WINE, np.column_stack([WINES, WINES]))


def test_equal_rows_of_different_classes_meet_in_the_middle():
    Y, labels = np.vstack([WINE, WINE[:2]]), np.append(WINES, [2, 2])
    model = AgglomerativeIsomap(2).fit(Y, labels)
    assert (model.embedding_[:2] == model.embedding_[-2:]).all()
    apart = model._scaling.X  # where each row would be for its own class
    assert np.allclose(model.embedding_[:2], (apart[:2] + apart[-2:]) / 2, rtol=1e-12)
    assert np.abs(apart[:2] - apart[-2:]).max() > 0.1
    assert (model.transform(WINE[:2]) == model.embedding_[:2]).all()
    alone = AgglomerativeIsomap(2).fit(WINE, WINES)
    assert (alone.embedding_[0] != model.embedding_[0]).any()


@pytest.mark.parametrize("alpha", [1.0, 1.5, -0.1, np.nan])
def test_alpha_must_be_below_one(alpha):
    with pytest.raises(ValueError, match="alpha must be at least 0 and below 1"):
        AgglomerativeIsomap(alpha=alpha).fit(WINE, WINES)


@pytest.mark.parametrize("h", [47, 48, 100, 177, 5000])
def test_more_neighbours_than_the_smallest_class_has_are_no_problem(h):
    assert np.bincount(WINES).min() == 48
    model = AgglomerativeIsomap(2, n_neighbors=h).fit(WINE, WINES)
    assert np.isfinite(model.embedding_).all() and np.isfinite(model.geodesics_).all()


def test_data_in_pieces_and_data_in_one_place():
    pieces = np.vstack([WINE[:30], WINE[30:60] + 1e6])
    for labels in (None, WINES[[*range(0, 60, 2), *range(60, 120, 2)]]):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model = AgglomerativeIsomap(2, n_neighbors=4).fit(pieces, labels)
        assert np.isfinite(model.embedding_).all() and len(model.graph_.arcs) >= 1
    for labels in (None, [0, 1] * 10):
        model = AgglomerativeIsomap(2, n_neighbors=4).fit(np.ones((20, 3)), labels)
        assert (model.embedding_ == model.embedding_[0]).all()
        assert np.isfinite(model.transform([[1.0, 2.0, 3.0]])).all()


def test_a_beta_that_drowns_the_classes_is_reported():
    with pytest.warns(UserWarning, match='Pass beta="mean-square"'):
        model = AgglomerativeIsomap(2, beta=1e-3).fit(WINE, WINES)
    assert np.isfinite(model.embedding_).all() and np.isfinite(model.transform(WINE + 1)).all()


def test_points_far_away_get_an_answer():
    far = WINE[:3] * 1e8
    for mapping in ("kernel-ridge", "grnn"):
        model = AgglomerativeIsomap(2, mapping=mapping).fit(WINE, WINES)
        assert np.isfinite(model.transform(far)).all()
    assert (AgglomerativeIsomap(2).fit(WINE, WINES).transform(far) == 0).all()
    unsupervised = AgglomerativeIsomap(2, mapping="nystroem").fit(WINE)
    assert np.isfinite(unsupervised.transform(far)).all()
    with pytest.raises(ValueError, match="13 features"):
        model.transform(WINE[:, :5])


BAD = {
    "components": (dict(n_components=178), ValueError, "n_components=178 must be less than"),
    "one landmark": (dict(n_landmarks=1), ValueError, "n_landmarks must be at least 2"),
    "few": (dict(n_landmarks=5, n_components=5), ValueError, "n_components=5 must be less than"),
}


@each("options, kind, message", BAD.values(), ids=BAD)
def test_bad_parameters_are_named(options, kind, message):
    with pytest.raises(kind, match=message):
        AgglomerativeIsomap(**options).fit(WINE, WINES)


def test_what_nystroem_cannot_do_is_said():
    model = AgglomerativeIsomap(2, mapping="nystroem").fit(WINE, WINES)
    assert model.transform(WINE).shape == (178, 2)  # training points have a place
    with pytest.raises(ValueError, match='Pass mapping="kernel-ridge"'):
        model.transform(WINE + 1)
    with pytest.raises(AttributeError, match="left_out_embedding_ needs a mapping"):
        model.left_out_embedding_  # noqa: B018


# ---- new points for any embedding ---------------------------------------------------------------


@pytest.mark.parametrize(
    "embedding",
    [TSNE(perplexity=15, random_state=0), SpectralEmbedding(random_state=0)],
    ids=["t-SNE", "Laplacian eigenmaps"],
)
def test_embeddings_without_a_transform_get_one(embedding):
    Y, labels, test, of_test = WINE[::2], WINES[::2], WINE[1::2], WINES[1::2]
    model = OutOfSample(embedding).fit(Y)
    assert not hasattr(embedding, "embedding_")  # a copy was fitted
    assert (model.embedding_ == model.estimator_.embedding_).all()
    new = model.transform(test)
    assert metrics.trustworthiness(new, test) > 0.8
    judge = KNeighborsClassifier(5).fit(model.left_out_embedding_, labels)
    assert judge.score(new, of_test) > 0.9


def test_an_embedding_with_a_map_is_a_step_of_a_pipeline_that_can_be_searched():
    steps = OutOfSample(SpectralEmbedding(random_state=0)), KNeighborsClassifier()
    pipeline = make_pipeline(StandardScaler(), *steps)
    grid = {
        "outofsample__mapping": [GRNNMap(), KernelRidgeMap(fit_intercept=True)],
        "outofsample__embedding__n_components": [1, 3],
    }
    search = GridSearchCV(pipeline, grid, cv=3).fit(WINE[::2], WINES[::2])
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.score(WINE[1::2], WINES[1::2]) > 0.9
    q = search.best_params_["outofsample__embedding__n_components"]
    assert search.best_estimator_[:-1].transform(WINE[:4]).shape == (4, q)


def test_a_mapping_goes_behind_ukr_and_meets_its_own_projection():
    model = OutOfSample(UKR(init="isomap", max_iter=20, random_state=0)).fit(ROLL[:200])
    own = model.estimator_.transform(NEW_ROLL[:50])
    assert metrics.procrustes_r2(model.transform(NEW_ROLL[:50]), own) > 0.5


def test_labels_are_passed_on():
    class Labelled(PLSRegression):
        def fit_transform(self, Y, y=None):
            assert y is not None
            return super().fit_transform(Y, y)[0]

    model = OutOfSample(Labelled(2), GRNNMap(0.5)).fit(WINE, WINES)
    assert model.embedding_.shape == (178, 2) and model.mapping_.width_ == 0.5


def test_far_points_go_to_the_middle_of_an_embedding_and_not_to_the_origin():
    class Shifted(SpectralEmbedding):
        def fit_transform(self, Y, y=None):
            return super().fit_transform(Y) + 1000

    model = OutOfSample(Shifted(random_state=0)).fit(WINE)
    assert np.abs(model.transform(WINE[:1] * 1e9) - 1000).max() < 10


@pytest.mark.parametrize(
    "options, kind, message",
    [
        (dict(embedding="tsne"), TypeError, "embedding must be an object with fit_transform"),
        (dict(embedding=TSNE), TypeError, "embedding must be an object with fit_transform"),
        (dict(mapping="grnn"), TypeError, "mapping must be a regressor"),
        (dict(mapping=GRNNMap), TypeError, "mapping must be a regressor"),
    ],
)
def test_what_is_no_embedding_or_no_mapping_is_refused(options, kind, message):
    with pytest.raises(kind, match=message):
        OutOfSample(**options).fit(WINE)


def test_an_embedding_that_fails_is_named():
    class Broken(SpectralEmbedding):
        def fit_transform(self, Y, y=None):
            return np.full((len(Y), 2), np.nan)

    with pytest.raises(ValueError, match="Broken gave shape .178, 2. with 356 NaN"):
        OutOfSample(Broken()).fit(WINE)
