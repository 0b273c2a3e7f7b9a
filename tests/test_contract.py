"""What scikit-learn demands of every estimator: all its checks, and none is expected to fail."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

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

# The contract does not depend on how good a fit is, and one quick UKR that unfolds is enough.
quick = dict(init="pca", max_iter=20)
flat = dict(**quick, homotopy=False)


@pytest.fixture
def array_api(monkeypatch):
    """Without it scikit-learn skips a check. SciPy, which is loaded already, stays as it is."""
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")


@parametrize_with_checks(
    [
        UKR(),
        UKR(kernel="quartic", **quick),
        UKR(data_kernel="l1", **flat),
        UKR(n_components=1, leave_out=0, density_threshold=0.05, **flat),
        UKR(init="random", guidance=SpectralGuidance(h=1e3), max_iter=20),
        SNE(h=100.0, max_iter=20),
        SNE(n_components=1, h=100.0, guidance=SpectralGuidance(h=1e3), max_iter=20),
        ParametricDRUR(max_iter=3),
        ParametricDRUR(model="mlp", n_basis=8, refine=False, init="pca", max_iter=3),
        NonparametricDRUR(),
        NonparametricDRUR(method="coupled", width=1.0, refine=False, init="pca", max_iter=20),
        PrincipalManifold(width=1.0, max_iter=5),
        PrincipalManifold(penalty=1e-3, width=1.0, cost="huber", regularizer="linear", max_iter=5),
        PrincipalManifold(topology="periodic", penalty=1e-3, width=0.5, cost="l1", max_iter=5),
        PrincipalManifold(penalty=1e-3, kernel="thin-plate", init="isomap", max_iter=5),
        AutoencoderBaseline(n_basis=8, **quick),
        GPLVMBaseline(**quick),
        KernelDensityClassifier(),
        KernelDensityClassifier(kernel="quartic", bandwidth="lcv"),
    ]
)
def test_scikit_learn_is_satisfied(estimator, check, array_api):
    check(estimator)
