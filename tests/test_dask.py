"""On a cluster: tables in pieces, and what joblib sends to dask; nothing else changes."""

import re
from pathlib import Path

import numpy as np
import pytest
from helpers import assert_close, read_only
from joblib import parallel_config
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from ukrlearn import UKR, ParametricDRUR, datasets, evaluation
from ukrlearn.blocks import networks
from ukrlearn.blocks.gauss_newton import project
from ukrlearn.estimators.classification import EmbeddedClassifier
from ukrlearn.estimators.isomap import AgglomerativeIsomap

distributed = pytest.importorskip("distributed")
da, dd = pytest.importorskip("dask.array"), pytest.importorskip("dask.dataframe")
pd = pytest.importorskip("pandas")

PAGE = Path(__file__).resolve().parent.parent / "CLUSTER.md"

ROLL, SHEET = read_only(*datasets.swiss_roll(300, length=60.0, height=30.0, random_state=0))
START = read_only(SHEET + 4 * np.random.RandomState(1).normal(size=SHEET.shape))
SMALL = dict(n_basis=12, init=START, max_iter=2)

# Dask 2024 warns where a test computes without the client that another test has started.
pytestmark = pytest.mark.filterwarnings("ignore:Running on a single-machine scheduler")


class Refusing:
    """A map that works at once, but not where it is told about its Jacobian."""

    def __call__(self, x):
        return np.zeros((len(x), 3))

    def with_jacobian(self, x):
        raise FloatingPointError(f"a worker was given {len(x)} rows")

    def reduced(self, Y):
        return self, Y


@pytest.fixture(scope="module")
def workers():
    """Two processes that listen on this machine only, and joblib's way to them."""
    options = dict(n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1")
    quiet = dict(dashboard_address=None, worker_dashboard_address=None)
    with distributed.LocalCluster(**options, **quiet) as cluster, distributed.Client(cluster) as c:
        yield c


@pytest.fixture
def batches_of_64(monkeypatch):
    monkeypatch.setattr(networks, "BATCH", 64)  # five of 300 rows


def done_by(workers):
    """How many tasks each worker has finished so far."""
    return workers.run(lambda dask_worker: dask_worker.state.executed_count)


def test_a_fit_on_a_cluster_is_the_same_to_the_last_bit(workers, batches_of_64):
    alone = ParametricDRUR(**SMALL).fit(ROLL)
    before = done_by(workers)
    with parallel_config(backend="dask"):
        shared = ParametricDRUR(**SMALL).fit(ROLL)
        new = shared.transform(ROLL + 0.1)
    assert np.array_equal(shared.embedding_, alone.embedding_)
    assert [step.moves for step in shared.history_] == [step.moves for step in alone.history_]
    assert [step.full_steps for step in shared.history_] == [
        step.full_steps for step in alone.history_
    ]
    assert np.array_equal(new, alone.transform(ROLL + 0.1))
    assert sum(done_by(workers).values()) > sum(before.values())  # it was not done here


def test_an_evaluation_on_a_cluster_has_the_same_scores(workers):
    iris = load_iris(return_X_y=True)
    embedded = EmbeddedClassifier(AgglomerativeIsomap(2))
    methods = {"embedding": make_pipeline(StandardScaler(), embedded), "SVM": SVC()}
    options = dict(folds=2, random_state=1)
    alone = evaluation.nested_cross_validation(methods, {"iris": iris}, **options)
    before = done_by(workers)
    with parallel_config(backend="dask"):
        shared = evaluation.nested_cross_validation(methods, {"iris": iris}, **options)
    assert np.array_equal(shared.accuracy, alone.accuracy)
    assert sum(done_by(workers).values()) >= sum(before.values()) + 4


def test_what_goes_wrong_in_a_worker_is_raised_here(workers, batches_of_64):
    X, Y = np.zeros((300, 2)), np.ones((300, 3))
    with parallel_config(backend="dask"), pytest.raises(FloatingPointError, match="given 64 rows"):
        project(Refusing(), X, Y, X)
    with parallel_config(backend="dask"):  # and the cluster is still there
        found = project(ParametricDRUR(**SMALL).fit(ROLL).f_, X, Y, X)
    assert np.isfinite(found.X).all()
    assert_close(found.X, np.tile(found.X[0], (300, 1)))  # equal problems, whoever solved them


def test_the_page_on_clusters_places_rows_in_pieces_to_the_last_bit(workers, tmp_path):
    da.to_npy_stack(tmp_path / "rows", da.from_array(ROLL, chunks=(70, 3)))
    address, before = workers.scheduler.address, done_by(workers)
    names = {}
    for example in re.findall("```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S):
        for general, here in {"ADDRESS": address, "FOLDER": str(tmp_path), "2000": "60"}.items():
            example = example.replace(general, here)
        exec(example, names)
    model, placed = names["model"], da.from_npy_stack(tmp_path / "places")
    assert np.array_equal(placed.compute(), model.transform(ROLL))
    assert placed.numblocks == (5, 1)
    assert sum(done_by(workers).values()) >= sum(before.values()) + 10  # pieces, and candidates
    names["client"].close()


@pytest.fixture
def model():
    return UKR(init="pca", max_iter=5).fit(ROLL[:100])


def test_pieces_may_be_empty_and_may_split_columns(model):
    lazy = model.transform(da.from_array(ROLL, chunks=((150, 0, 150), (2, 1))))
    assert np.array_equal(lazy.compute(scheduler="synchronous"), model.transform(ROLL))


def test_a_data_frame_in_pieces_gives_one_with_the_same_index(model):
    frame = pd.DataFrame(ROLL, columns=list("abc"), index=np.arange(300)[::-1])
    model.fit(frame[:100])
    lazy = model.transform(dd.from_pandas(frame, npartitions=3, sort=False))
    placed = lazy.compute(scheduler="synchronous")
    assert list(lazy.columns) == list(placed.columns) == ["ukr0", "ukr1"]
    assert np.array_equal(placed, model.transform(frame))
    assert np.array_equal(placed.index, frame.index)


def test_pieces_are_refused_before_anything_is_computed(model):
    with pytest.raises(ValueError, match=r"the 3 columns of the fit; dask's Y has \[2\]"):
        model.transform(da.zeros((10**9, 2)))
    with pytest.raises(ValueError, match=r'call set_output\(transform="default"\)'):
        model.set_output(transform="pandas").transform(da.zeros((10**9, 3)))
