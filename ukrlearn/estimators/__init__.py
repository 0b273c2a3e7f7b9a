"""scikit-learn estimators: they validate input, call the layers below and keep the results."""

from ukrlearn.estimators.drur import ParametricDRUR
from ukrlearn.estimators.guidance import SpectralGuidance
from ukrlearn.estimators.kernel_density_classifier import KernelDensityClassifier
from ukrlearn.estimators.nonparametric_drur import NonparametricDRUR
from ukrlearn.estimators.sne import SNE
from ukrlearn.estimators.ukr import UKR

__all__ = [
    "SNE",
    "UKR",
    "KernelDensityClassifier",
    "NonparametricDRUR",
    "ParametricDRUR",
    "SpectralGuidance",
]
