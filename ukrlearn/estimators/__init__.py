"""scikit-learn estimators: they validate input, call the layers below and keep the results."""

from ukrlearn.estimators.classification import EmbeddedClassifier
from ukrlearn.estimators.drur import ParametricDRUR
from ukrlearn.estimators.guidance import SpectralGuidance
from ukrlearn.estimators.isomap import AgglomerativeIsomap, OutOfSample
from ukrlearn.estimators.kernel_density_classifier import KernelDensityClassifier
from ukrlearn.estimators.maps import GRNNMap, KernelRidgeMap
from ukrlearn.estimators.nonparametric_drur import NonparametricDRUR
from ukrlearn.estimators.principal_manifold import PrincipalManifold
from ukrlearn.estimators.sne import SNE
from ukrlearn.estimators.ukr import UKR

__all__ = [
    "SNE",
    "UKR",
    "AgglomerativeIsomap",
    "EmbeddedClassifier",
    "GRNNMap",
    "KernelDensityClassifier",
    "KernelRidgeMap",
    "NonparametricDRUR",
    "OutOfSample",
    "ParametricDRUR",
    "PrincipalManifold",
    "SpectralGuidance",
]
