"""What scikit-learn demands of every estimator: all its checks, and none is expected to fail."""

import pytest
from sklearn.manifold import SpectralEmbedding
from sklearn.utils.estimator_checks import check_estimator

from ukrlearn import (
    SNE,
    UKR,
    KernelDensityClassifier,
    NonparametricDRUR,
    ParametricDRUR,
    PrincipalManifold,
    SpectralGuidance,
)
from ukrlearn.estimators.baselines import AutoencoderBaseline, GPLVMBaseline
from ukrlearn.estimators.classification import EmbeddedClassifier
from ukrlearn.estimators.isomap import AgglomerativeIsomap, OutOfSample
from ukrlearn.estimators.maps import GRNNMap, KernelRidgeMap

# The contract does not depend on how good a fit is: one UKR that unfolds and one that chooses its
# start are enough. Each estimator is fitted a hundred times, so all are as quick as can be.
quick = dict(init="pca", max_iter=20)
flat = dict(**quick, homotopy=False)


@pytest.mark.parametrize(
    "estimator",
    [
        UKR(init=["pca", "isomap"], homotopy=False, max_iter=5),
        UKR(kernel="quartic", homotopy=[0.1], **quick),
        UKR(data_kernel="l1", **flat),
        UKR(n_components=1, leave_out=0, density_threshold=0.05, **flat),
        UKR(init="random", guidance=SpectralGuidance(h=1e3), max_iter=20),
        SNE(h=100.0, max_iter=20),
        SNE(n_components=1, h=100.0, guidance=SpectralGuidance(h=1e3), max_iter=20),
        ParametricDRUR(n_basis=5, init="pca", max_iter=1),
        ParametricDRUR(model="mlp", n_basis=8, refine=False, init="pca", max_iter=3),
        NonparametricDRUR(init="pca", max_iter=3),
        NonparametricDRUR(method="coupled", width=1.0, refine=False, init="pca", max_iter=20),
        PrincipalManifold(width=1.0, n_basis=5, max_iter=2),
        PrincipalManifold(penalty=1e-3, width=1.0, cost="huber", regularizer="linear", max_iter=5),
        PrincipalManifold(topology="periodic", penalty=1e-3, width=0.5, cost="l1", max_iter=2),
        PrincipalManifold(penalty=1e-3, kernel="thin-plate", init="isomap", max_iter=5),
        AutoencoderBaseline(n_basis=8, **quick),
        GPLVMBaseline(**quick),
        KernelDensityClassifier(),
        KernelDensityClassifier(kernel="quartic", bandwidth="lcv"),
        EmbeddedClassifier(),
        EmbeddedClassifier(train_on="embedding"),
        AgglomerativeIsomap(),
        AgglomerativeIsomap(1, n_neighbors=3, beta="mean", arcs="all-pairs", mapping="grnn"),
        AgglomerativeIsomap(n_landmarks=9, mapping=KernelRidgeMap(fit_intercept=True)),
        OutOfSample(),
        # Of a graph in pieces, SciPy before 1.17 finds other eigenvectors at each call.
        OutOfSample(SpectralEmbedding(affinity="rbf", random_state=0), GRNNMap()),
        KernelRidgeMap(),
        KernelRidgeMap(fit_intercept=True),
        KernelRidgeMap(n_centres=50),
        GRNNMap(),
    ],
    ids=str,
)
def test_scikit_learn_is_satisfied(estimator, monkeypatch):
    # Without it scikit-learn skips a check. SciPy, which is loaded already, stays as it is.
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    failed = [(r["check_name"], r["exception"]) for r in results if r["status"] != "passed"]
    assert len(results) > 30 and not failed
