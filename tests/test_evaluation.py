"""Classifiers behind embeddings, controls, nested cross-validation and paired tests."""

import numpy as np
import pytest
from joblib import parallel_config
from scipy.stats import wilcoxon
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.model_selection import KFold, RepeatedStratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ukrlearn import evaluation
from ukrlearn.estimators.classification import EmbeddedClassifier, OneHotLabels, ShuffledLabels
from ukrlearn.estimators.isomap import AgglomerativeIsomap, OutOfSample
from ukrlearn.estimators.maps import GRNNMap, KernelRidgeMap
from ukrlearn.evaluation import Scores

WINE, WINES = load_wine(return_X_y=True)
IRIS, IRISES = load_iris(return_X_y=True)


@pytest.mark.parametrize("train_on", ["left-out", "embedding"])
def test_the_classifier_sees_training_points_where_it_is_told_to(train_on):
    model = EmbeddedClassifier(classifier=KNeighborsClassifier(1), train_on=train_on)
    Y = StandardScaler().fit_transform(WINE)
    model.fit(Y[::2], WINES[::2])
    seen = model.classifier_._fit_X
    embedding = model.embedding_
    expected = embedding.left_out_embedding_ if train_on == "left-out" else embedding.embedding_
    assert (seen == expected).all() and embedding.embedding_.shape[1] == 2
    by_hand = model.classifier_.predict(embedding.map(Y[1::2]))
    assert (model.predict(Y[1::2]) == by_hand).all()
    assert model.score(Y[1::2], WINES[1::2]) > 0.9


def test_training_rows_are_mapped_as_new_ones_are():
    Y = StandardScaler().fit_transform(WINE)
    labels = np.random.RandomState(0).permutation(WINES)  # what their places in the embedding know
    model = EmbeddedClassifier(classifier=KNeighborsClassifier(1), train_on="embedding")
    model.fit(Y, labels)
    mapped = model.classifier_.predict(model.embedding_.map(Y))
    stored = model.classifier_.predict(model.embedding_.transform(Y))
    assert (model.predict(Y) == mapped).all()
    assert np.mean(stored == labels) == 1 and np.mean(mapped == labels) < 0.9


def test_a_class_that_training_never_saw_is_given_another():
    known = WINES < 2
    model = make_pipeline(StandardScaler(), EmbeddedClassifier()).fit(WINE[known], WINES[known])
    assert set(model.predict(WINE[~known])) <= {0, 1}


def test_a_classifier_of_one_class_knows_no_other():
    model = EmbeddedClassifier().fit(IRIS, ["a"] * 150)
    assert set(model.predict(IRIS[:3])) == {"a"}


def test_bad_parameters_of_the_classifier_are_named():
    with pytest.raises(
        ValueError, match="train_on must be one of 'left-out', 'embedding'; got 'test'"
    ):
        EmbeddedClassifier(train_on="test").fit(IRIS, IRISES)
    with pytest.raises(TypeError, match="embedding must be able to place new points"):
        EmbeddedClassifier(OneHotLabels()).fit(IRIS, IRISES)


def test_labels_that_the_classifier_cannot_use_are_refused():
    missing = IRISES.astype(float)
    missing[3] = np.nan
    for labels, message in (
        (missing, "contains NaN"),
        (np.where(IRISES == 1, None, IRISES.astype(object)), "Unknown label type"),
        (IRISES + 0.3, "Unknown label type: continuous"),
        (IRISES[:-1], "inconsistent numbers of samples"),
    ):
        for model in (EmbeddedClassifier(), ShuffledLabels(EmbeddedClassifier())):
            with pytest.raises(ValueError, match=message):
                model.fit(IRIS, labels)


def test_hard_data_have_a_class():
    some, classes = IRIS[::3], IRISES[::3]
    lonely = classes.copy()
    lonely[7] = 9
    for Y, labels in (
        (some, lonely),  # a class with one member
        (np.ones((20, 3)), [0, 1] * 10),
        (np.vstack([some, some]), np.append(classes, classes[::-1])),  # duplicates across classes
        (some * 1e140, classes),
        (some * 1e-140, classes),
    ):
        model = EmbeddedClassifier().fit(Y, labels)
        assert set(model.predict(Y)) <= set(labels)
    model = EmbeddedClassifier().fit(some, classes)
    assert set(model.predict(some * 1e9)) <= {0, 1, 2}
    with pytest.raises(ValueError, match="2 features, but EmbeddedClassifier is expecting 4"):
        model.predict(some[:, :2])


def test_kernel_ridge_of_labels_is_regression_of_ones_and_zeros():
    model = OutOfSample(OneHotLabels(), KernelRidgeMap(0.5, 0.1)).fit(IRIS[::3], IRISES[::3])
    ones = np.eye(3)[IRISES[::3]]
    direct = KernelRidgeMap(0.5, 0.1).fit(IRIS[::3], ones)
    assert np.allclose(model.map(IRIS[1::3]), direct.predict(IRIS[1::3]), atol=1e-12)


def test_shuffled_labels_are_the_same_labels_elsewhere():
    model = ShuffledLabels(KNeighborsClassifier(1)).fit(WINE, WINES)
    assert (np.bincount(model.shuffled_labels_) == np.bincount(WINES)).all()
    assert (model.shuffled_labels_ != WINES).mean() > 0.4
    assert (model.predict(WINE) == model.shuffled_labels_).mean() > 0.99


# ---- rows that a map never saw ------------------------------------------------------------------


ROWS = np.random.default_rng(0).normal(size=(150, 4)) ** 3 + np.linspace(0, 9, 150)[:, None]


def lost_by_loops(X, Y, Y_new, k):
    """Placed at the nearest row, rebuilt by the mean of the k rows nearest to that place."""
    lost = total = 0.0
    for y in Y_new:
        place = X[min(range(len(Y)), key=lambda n: sum((Y[n] - y) ** 2))]
        nearest = sorted(range(len(Y)), key=lambda n: sum((X[n] - place) ** 2))[:k]
        lost += sum((np.mean([Y[n] for n in nearest], axis=0) - y) ** 2)
        total += sum((Y.mean(axis=0) - y) ** 2)
    return lost / total


def test_rows_that_the_map_never_saw_are_placed_and_rebuilt_alike_for_all_methods():
    seen = []
    method = lambda Y: seen.append(Y) or Y[:, :2] ** 3
    shares = evaluation.held_out(method, ROWS, 4, n_neighbors=7, random_state=3)
    folds = list(KFold(4, shuffle=True, random_state=3).split(ROWS))
    for share, Y, (old, new) in zip(shares, seen, folds, strict=True):
        np.testing.assert_array_equal(Y, ROWS[old])
        by_loops = lost_by_loops(ROWS[old, :2] ** 3, ROWS[old], ROWS[new], 7)
        assert share == pytest.approx(by_loops, rel=1e-12)
    fitted = evaluation.held_out(PCA(2), ROWS, 4, n_neighbors=7, random_state=3)
    called = evaluation.held_out(PCA(2).fit_transform, ROWS, 4, n_neighbors=7, random_state=3)
    np.testing.assert_array_equal(fitted, called)


def test_folds_and_neighbours_that_the_rows_do_not_allow_are_named():
    for given, says in (
        (dict(folds=151), "Y must have at least folds=151 rows"),
        (dict(folds=2, n_neighbors=76), "n_neighbors=76 in all folds"),
    ):
        with pytest.raises(ValueError, match=says):
            evaluation.held_out(PCA(2), ROWS, **given)
    with pytest.raises(ValueError, match="coordinates to each of 75 rows; got 3"):
        evaluation.held_out(lambda Y: Y[:3], ROWS, 2)
    with pytest.raises(ValueError, match="Y must vary"):
        evaluation.held_out(lambda Y: Y, np.ones((30, 2)), 2, n_neighbors=3)


# ---- nested cross-validation --------------------------------------------------------------------


class Spy(ClassifierMixin, BaseEstimator):
    """Notes what it is shown; says that all are of class zero."""

    seen = []

    def fit(self, Y, y):
        Spy.seen.append((Y.copy(), np.array(y)))
        self.classes_ = np.unique(y)
        return self

    def predict(self, Y):
        Spy.seen[-1] += (Y.copy(),)
        return np.zeros(len(Y), dtype=int)


def test_every_fold_is_fitted_to_its_training_part_only():
    Spy.seen = []
    scores = evaluation.nested_cross_validation(
        {"spy": make_pipeline(StandardScaler(), Spy())},
        {"iris": (IRIS, IRISES)},
        folds=3,
        repeats=2,
    )
    assert scores.accuracy.shape == (1, 1, 6) and len(Spy.seen) == 6
    assert np.allclose(scores.accuracy, 1 / 3, atol=0.02)
    for train, labels, test in Spy.seen:
        assert len(train) == 100 and len(test) == 50
        assert np.allclose(train.mean(axis=0), 0, atol=1e-12)  # standardised by its own mean
        assert np.abs(test.mean(axis=0)).max() > 1e-4
        assert (np.bincount(labels) > 30).all()


def test_scores_are_those_of_fitting_by_hand_and_the_folds_are_the_same_for_all():
    methods = {"one": KNeighborsClassifier(1), "five": KNeighborsClassifier(5)}
    data = {"iris": (IRIS, IRISES), "wine": (WINE, WINES)}
    scores = evaluation.nested_cross_validation(methods, data, folds=4, random_state=3)
    assert scores.data == ("iris", "wine") and scores.methods == ("one", "five")
    splitter = RepeatedStratifiedKFold(n_splits=4, n_repeats=1, random_state=3)
    for d, (Y, labels) in enumerate(data.values()):
        for f, (train, test) in enumerate(splitter.split(Y, labels)):
            for m, method in enumerate(methods.values()):
                by_hand = method.fit(Y[train], labels[train]).score(Y[test], labels[test])
                assert scores.accuracy[d, m, f] == by_hand
    assert (scores.of("five") == scores.accuracy[:, 1]).all()
    with parallel_config(backend="threading", n_jobs=2):  # joblib decides where, dask included
        parallel = evaluation.nested_cross_validation(
            methods, data, folds=4, random_state=3, verbose=1
        )
    assert (parallel.accuracy == scores.accuracy).all()


def test_a_class_with_fewer_members_than_folds_is_named():
    with pytest.raises(ValueError, match="the smallest class of 'wine' has 48"):
        evaluation.nested_cross_validation(
            {"one": KNeighborsClassifier(1)}, {"wine": (WINE, WINES)}, folds=49
        )
    one_per_fold = evaluation.nested_cross_validation(
        {"one": KNeighborsClassifier(1)}, {"few": (IRIS[::25], IRISES[::25])}, folds=2
    )
    assert one_per_fold.accuracy.shape == (1, 1, 2)


def test_rivals_know_wine_and_shuffled_labels_are_chance():
    scores = evaluation.nested_cross_validation(
        evaluation.rivals(), {"wine": (WINE, WINES)}, folds=3
    )
    means = dict(zip(scores.methods, scores.means()[0], strict=True))
    shuffled = means.pop("shuffled labels")
    assert min(means.values()) > 0.92 and shuffled < 0.55
    assert len(means) == 7
    raw = evaluation.rivals(standardize=False)
    assert isinstance(raw["embedding, KRR"], EmbeddedClassifier)
    one, other = (raw[f"embedding, {name}"].embedding.mapping for name in ("KRR", "GRNN"))
    assert isinstance(one, KernelRidgeMap) and isinstance(other, GRNNMap)
    assert isinstance(raw["embedding, KRR, as printed"].embedding, AgglomerativeIsomap)


# ---- tests --------------------------------------------------------------------------------------

ACCURACY = np.random.default_rng(0).uniform(0.7, 0.9, size=(8, 3, 5))
ACCURACY[:, 1] += 0.05
ACCURACY[:, 2] = ACCURACY[:, 0]
SCORES = Scores(tuple("abcdefgh"), ("one", "two", "same"), ACCURACY)


def test_pairs_are_tested_over_data_sets_or_over_folds():
    found = evaluation.paired(SCORES, "one", "two")
    differences = ACCURACY[:, 0].mean(axis=1) - ACCURACY[:, 1].mean(axis=1)
    assert found.p == pytest.approx(wilcoxon(differences).pvalue)
    assert found.difference == pytest.approx(np.median(differences))
    assert (found.better, found.equal, found.worse) == (
        np.sum(differences > 0),
        0,
        8 - found.better,
    )
    folds = evaluation.paired(SCORES, "one", "two", data="c")
    assert folds.p == pytest.approx(wilcoxon(ACCURACY[2, 0] - ACCURACY[2, 1]).pvalue)
    same = evaluation.paired(SCORES, "one", "same")
    assert same == (0, 8, 0, 0.0, 1.0)
