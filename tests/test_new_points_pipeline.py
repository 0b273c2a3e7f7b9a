"""New points for t-SNE, UKR and DRUR as a step of a pipeline, judged by the metrics."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.manifold import TSNE
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ukrlearn import UKR, ParametricDRUR, metrics
from ukrlearn.estimators.isomap import OutOfSample
from ukrlearn.estimators.maps import GRNNMap, KernelRidgeMap

DATA, LABELS = load_wine(return_X_y=True)
Y, NEW, OF_Y, OF_NEW = DATA[::2], DATA[1::2], LABELS[::2], LABELS[1::2]
EMBEDDINGS = {
    "t-SNE": TSNE(perplexity=15, max_iter=300, random_state=0),
    "UKR": UKR(init="pca", homotopy=False, max_iter=10),
    "DRUR": ParametricDRUR(init="pca", max_iter=3),
}


@pytest.fixture(scope="module", params=EMBEDDINGS)
def embedding(request):
    return EMBEDDINGS[request.param]


@pytest.mark.parametrize("mapping", [KernelRidgeMap(), GRNNMap()], ids=["KRR", "GRNN"])
def test_a_pipeline_places_new_points_and_the_metrics_judge_them(embedding, mapping):
    pipe = make_pipeline(StandardScaler(), OutOfSample(embedding=embedding, mapping=mapping))
    X = pipe.fit_transform(Y)
    new, scaled = pipe.transform(NEW), pipe[0].transform(NEW)
    assert X.shape == new.shape == (89, 2)
    np.testing.assert_array_equal(pipe.transform(Y), X)  # training rows keep their places
    shuffled = np.random.RandomState(0).permutation(new)
    judges = (metrics.trustworthiness, metrics.continuity)
    for judge in judges:
        assert judge(new, scaled) > 0.8 > judge(shuffled, scaled)
    assert metrics.loo_reconstruction(new, scaled) < 0.85
    assert metrics.loo_reconstruction(shuffled, scaled) > 0.9
    single = np.vstack([pipe.transform(row[None]) for row in NEW[:4]])
    np.testing.assert_allclose(single, new[:4], rtol=1e-9, atol=1e-9)  # alone as in company


def test_a_classifier_behind_it_finds_the_classes_of_new_points(embedding):
    pipe = make_pipeline(StandardScaler(), OutOfSample(embedding), KNeighborsClassifier(5))
    assert pipe.fit(Y, OF_Y).score(NEW, OF_NEW) > 0.85  # embeddings without labels ignore them


def test_columns_have_names_and_clones_start_afresh(embedding):
    step = OutOfSample(embedding, GRNNMap(2.0)).set_output(transform="pandas").fit(Y)
    table = step.transform(NEW)
    assert list(table.columns) == ["outofsample0", "outofsample1"]
    copy = clone(step)
    assert not hasattr(copy, "embedding_") and copy.mapping.width == 2.0


def test_a_grid_search_reaches_the_settings_of_the_mapping():
    pipe = make_pipeline(
        StandardScaler(), OutOfSample(EMBEDDINGS["DRUR"], GRNNMap()), KNeighborsClassifier(5)
    )
    grid = {"outofsample__mapping__width": [0.01, 2.0, 1e4]}
    search = GridSearchCV(pipe, grid, cv=3).fit(Y, OF_Y)
    assert search.best_params_["outofsample__mapping__width"] != 1e4  # all points in one place
    grid = {"outofsample__mapping": [KernelRidgeMap(), GRNNMap()]}
    assert GridSearchCV(pipe, grid, cv=3).fit(Y, OF_Y).best_score_ > 0.8
