"""Learn nonlinear dimensionality reduction by building it.

Five papers share one notation and one interface. Data ``Y`` (N, d) are reconstructed from latent
points ``X`` (N, q). An objective is a function to minimise over X, ``objective(X) -> (error,
gradient)``. A descent minimises an objective and yields its steps. An estimator validates its
input, runs a descent or an alternation, and keeps the result.

References
----------
[UKR]  P. Meinicke, S. Klanke, R. Memisevic, H. Ritter: Principal Surfaces from Unsupervised
       Kernel Regression. IEEE Trans. PAMI 27(9), 2005.
[SGD]  R. Memisevic, G. Hinton: Improving Dimensionality Reduction with Spectral Gradient
       Descent. Neural Networks 18, 2005.
[SI]   C. Orsenigo, C. Vercellis: Kernel Ridge Regression for Out-of-Sample Mapping in Supervised
       Manifold Learning. Expert Systems with Applications 39, 2012.
[RPM]  A. Smola, S. Mika, B. Schölkopf, R. Williamson: Regularized Principal Manifolds.
       Journal of Machine Learning Research 1, 2001.
[DRUR] M. Carreira-Perpiñán, Z. Lu: Parametric Dimensionality Reduction by Unsupervised
       Regression. CVPR 2010.
"""

from importlib import import_module

__version__ = "0.1.0"

# Importing ukrlearn is cheap, because each name is loaded when it is first used.
_ESTIMATORS = (
    *("UKR", "SNE", "SpectralGuidance", "ParametricDRUR", "NonparametricDRUR", "PrincipalManifold"),
    *("AgglomerativeIsomap", "OutOfSample", "KernelRidgeMap", "GRNNMap"),
    *("KernelDensityClassifier", "EmbeddedClassifier"),
)
# All other modules are imported by their own path, as `from ukrlearn.blocks import starts`.
_MODULES = ("datasets", "metrics", "evaluation", "figures", "panels", "checks", "explicit")
__all__ = ["__version__", *_ESTIMATORS, *_MODULES]


def __getattr__(name):
    if name in _ESTIMATORS:
        return getattr(import_module(f"{__name__}.estimators"), name)
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted(__all__)
