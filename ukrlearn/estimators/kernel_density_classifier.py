"""Kernel density classification, which [UKR] table 3 applies to latent coordinates."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from ukrlearn.blocks import memory
from ukrlearn.blocks.kernel_regression import predict
from ukrlearn.blocks.scales import likelihood_bandwidth, varying
from ukrlearn.blocks.units import power_of_two
from ukrlearn.estimators import _arguments, _border


class KernelDensityClassifier(ClassifierMixin, BaseEstimator):
    """Predict the class of greatest density, with a density kernel on every training point.

    X holds latent points, such as the embedding of `UKR`, and y their class labels.

    p(x, c) = 1/N Σ_{n of class c} K(|x - x_n|² / h²). Dividing by p(x) gives posterior
    probabilities, which equal the Nadaraya-Watson regression (2) of the one-hot labels. So the
    classifier is the same function as UKR's forward map. Like the map, it is defined even where
    every kernel underflows: far away, the nearest neighbour decides (with compact kernels, the
    class frequencies).

    Parameters
    ----------
    kernel : str or DensityKernel
        A name in `density_kernels.by_name`, or a record. For latent points of a `UKR` model, use
        the model's own kernel.
    bandwidth : float or "lcv"
        h. Use 1 for UKR's latent points, whose scale already acts as the bandwidth. "lcv" chooses h
        by likelihood cross-validation, as the paper does for (K)PCA coordinates.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    bandwidth_ : float

    Examples
    --------
    >>> X = np.array([[0.0], [0.4], [5.0], [5.5]])
    >>> KernelDensityClassifier().fit(X, ["a", "a", "b", "b"]).predict([[1.0], [4.0]])
    array(['a', 'b'], dtype='<U1')
    """

    def __init__(self, kernel="gaussian", *, bandwidth=1.0):
        self.kernel = kernel
        self.bandwidth = bandwidth

    def fit(self, X, y):
        """Remember the points and their classes."""
        with _border.fitting(self):
            return self._fit(*_border.owned(self, X, y, name="X"))

    def _fit(self, X, y):
        check_classification_targets(y)
        self._kernel = _arguments.density_kernel(self.kernel)
        self.classes_, classes = np.unique(y, return_inverse=True)
        memory.demand(
            f"the {len(self.classes_)} classes of {len(X)} points",
            len(self.classes_) * (len(X) + len(self.classes_)),
            "Use fewer classes; y may hold numbers that are not classes, for which there is "
            "GRNNMap. Or classify by sklearn.neighbors.KNeighborsClassifier.",
        )
        if isinstance(self.bandwidth, str) and self.bandwidth == "lcv":
            differing = varying(X)
            if not np.any(differing):
                raise ValueError(
                    'bandwidth="lcv" needs points that differ; all are equal '
                    f"(n_samples={len(X)}). Pass a number."
                )
            unit = power_of_two(differing)  # squares in this unit neither overflow nor underflow
            self.bandwidth_ = float(unit * likelihood_bandwidth(differing / unit, self._kernel))
        else:
            self.bandwidth_ = _arguments.number("bandwidth", self.bandwidth, above=0)
        self._X = self._in_bandwidths(X)
        self._one_hot = np.eye(len(self.classes_))[classes]
        return self

    @_border.with_default_errors
    def predict_proba(self, X):
        """p(c | x), shape (M, n_classes)."""
        check_is_fitted(self)
        X = _arguments.validate_data(self, X, reset=False, name="X")
        return predict(self._in_bandwidths(X), self._X, self._one_hot, self._kernel)

    def predict(self, X):
        """The class of greatest density at each point; the first one in case of a tie."""
        check_is_fitted(self)
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    def _in_bandwidths(self, X):
        with np.errstate(over="ignore"):
            scaled = X / self.bandwidth_
        _arguments.demand_representable(
            scaled, "X / bandwidth", "Choose a greater bandwidth, or leave out distant points."
        )
        return scaled
