"""Learn nonlinear dimensionality reduction by building it.

Five papers, one notation, one interface. Data ``Y`` (N, d) is reconstructed from latent points
``X`` (N, q). Whatever is minimised over X is an objective, ``objective(X) -> (error, gradient)``;
whatever minimises is a descent that yields steps; an estimator validates, calls and remembers.

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

# Importing ukrlearn costs nothing that is not used: each name is loaded at its first use.
_HOME = {
    "UKR": "estimators",
    "SNE": "estimators",
    "ParametricDRUR": "estimators",
    "NonparametricDRUR": "estimators",
    "SpectralGuidance": "spectral",
    "KernelDensityClassifier": "estimators",
}
_SUBMODULES = (
    "baselines",
    "checks",
    "datasets",
    "density_constraint",
    "density_kernels",
    "descent",
    "drur",
    "estimators",
    "explicit",
    "extent",
    "figures",
    "kernel_networks",
    "kernel_regression",
    "mercer_kernels",
    "metrics",
    "neighbor_embedding",
    "networks",
    "notation",
    "panels",
    "projection",
    "reconstruction",
    "spectral",
    "springs",
    "starts",
    "tables",
)
__all__ = ["__version__", *_HOME, *_SUBMODULES]


def __getattr__(name):
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    if name in _SUBMODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted(__all__)
