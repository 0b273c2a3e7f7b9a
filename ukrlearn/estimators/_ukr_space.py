"""The space in which UKR rebuilds data: data space, or a kernel's feature space, [UKR] section 3.

Each space is a record of one training set. It provides the error to minimise, the coordinates for
the starts, and the operations of a fitted model on new data. The rest of UKR need not know which of
the two spaces it uses.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from ukrlearn.blocks import memory, mercer_kernels, starts
from ukrlearn.blocks.arguments import array
from ukrlearn.blocks.descent import Objective
from ukrlearn.blocks.kernel_regression import predict, weights
from ukrlearn.blocks.units import Units, origin, power_of_two
from ukrlearn.estimators import _arguments
from ukrlearn.estimators._embedding import FAR
from ukrlearn.ukr import projection
from ukrlearn.ukr.reconstruction import (
    DataSpace,
    FeatureSpace,
    ReconstructionError,
    squared_residuals,
)

ARRAYS = 7  # N x N at the peak, when the eigenvalues and then the coordinates of G are computed


@dataclass(frozen=True)
class TrainingData:
    """Data space: the training rows, centred and divided by a power of two."""

    rows: np.ndarray  # as passed by the user
    units: Units
    Y: np.ndarray  # the rows in these units

    principal_components = "PCA"

    @classmethod
    def of(cls, rows):
        units = Units.exact(rows)
        return cls(rows, units, units.into(rows))

    def error(self, rough=False, **options) -> Objective:
        """R or R_cv of these data, as a function of X; `rough`: in single precision."""
        Y = self.Y.astype(np.float32) if rough else self.Y
        return ReconstructionError(DataSpace(Y), **options)

    def some(self, points):
        """The space of some of the rows."""
        return TrainingData(self.rows[points], self.units, self.Y[points])

    @property
    def coordinates(self):
        """The input of built-in starts."""
        return self.Y

    @property
    def for_objects(self):
        """The input of a start that the user provides."""
        return self.rows

    @property
    def for_guidance(self):
        """Points with the same distances as the data."""
        return self.rows

    def in_data_units(self, error):
        """An error of the fit, converted to the units of the data."""
        return float(error * self.units.factor**2)

    def manifold(self, X, kernel):
        """What new rows are projected to."""
        return projection.DataManifold(X, self.Y, kernel)

    def targets(self, Y):
        """New rows, as their projection takes them."""
        return self.units.into(Y, at_most=FAR)

    def rebuild(self, x, X, kernel):
        """f(x), (2)."""
        return self.units.out_of(predict(x, X, self.Y, kernel))

    def squared_distances(self, Y, x, X, kernel):
        """|y_m - f(x_m)|² for each pair of rows."""
        f = predict(x, X, self.Y, kernel) * self.units.factor
        return np.sum((Y - self.units.mean - f) ** 2, axis=1)


@dataclass(frozen=True)
class TrainingFeatures:
    """Feature space: the Gram matrix of the training rows, divided by a power of four."""

    rows: np.ndarray  # data as passed by the user; if precomputed, the Gram matrix
    k: Callable | None  # the kernel of data measured from the origin; None if precomputed
    unit: float
    G: np.ndarray  # in units of unit²
    coordinates: np.ndarray  # points with this Gram matrix

    principal_components = "KPCA"

    @classmethod
    def of(cls, rows, kernel, q):
        """`kernel` is a function of two tables, the name of one, or "precomputed"."""
        k = (
            None
            if isinstance(kernel, str) and kernel == "precomputed"
            else _about_the_origin(kernel, rows)
        )
        G = rows if k is None else k(rows, rows)
        _arguments.demand_gram_matrix(G)
        G = (G + G.T) / 2
        unit = np.sqrt(power_of_two(np.trace(mercer_kernels.centred(G)) / len(G)))
        G = G / unit**2
        return cls(rows, k, unit, G, starts.feature_coordinates(G, at_least=q))

    def error(self, rough=False, **options) -> Objective:
        # The unit is that of the spread. The matrix itself may be too great for single precision,
        # which ends at 3e38; 1e30 leaves room for sums.
        G = self.G.astype(np.float32) if rough and np.abs(self.G).max() < 1e30 else self.G
        return ReconstructionError(FeatureSpace(G), **options)

    def some(self, points):
        """The space of some of the rows, in which sums over feature space are not longer."""
        return TrainingData(self.rows[points], None, self.coordinates[points])

    @property
    def for_objects(self):
        return self.coordinates

    @property
    def for_guidance(self):
        return self.coordinates * self.unit

    def in_data_units(self, error):
        return float(max(error, 0) * self.unit**2)  # rounding may bring it below zero

    def manifold(self, X, kernel):
        return projection.FeatureManifold(X, self.G, kernel)

    def rebuild(self, x, X, kernel):
        """The weighted mean of the data: exact for the linear kernel, else an approximation."""
        if self.k is None:
            raise ValueError(
                'inverse_transform needs data; with data_kernel="precomputed" the model only knows '
                "inner products. With your data Y, use "
                "ukrlearn.blocks.kernel_regression.predict(X, model.embedding_, Y)."
            )
        return predict(x, X, self.rows, kernel)

    def squared_distances(self, Y, x, X, kernel):
        """|Φ(y_m) - f(x_m)|² for each pair of rows."""
        if self.k is None:
            raise ValueError(
                'score needs k(y, y), which is unknown with data_kernel="precomputed". Pass the '
                "kernel as a callable, or use cv_error_."
            )
        with_all, with_itself = self.targets(Y)
        B = weights(x, X, kernel)
        squares = np.vecdot(B @ self.G - 2 * with_all, B) + with_itself
        return squares * self.unit**2

    def targets(self, Y):
        """k(y, y_n) and k(y, y) in the units of the fit; k(y, y) is unknown if precomputed."""
        if self.k is None:
            with_all, with_itself = Y, np.zeros(len(Y))
        else:
            with_all = self.k(Y, self.rows)
            with_itself = np.array([self.k(y, y)[0, 0] for y in Y[:, None]])
        with np.errstate(over="ignore"):
            in_units = with_all / self.unit**2, with_itself / self.unit**2
        for values in in_units:
            _arguments.demand_representable(
                values, "k(new, training) / variance", "Leave out new data that are so far away."
            )
        return in_units


def demand_memory_of_gram_matrix(N):
    """ValueError if feature space needs too much memory for N points."""
    memory.demand(
        f"UKR with a data_kernel and {N} points",
        ARRAYS * N**2,
        "Fit a sample of the points, or leave data_kernel=None, with which memory grows like N.",
    )


def _about_the_origin(kernel, rows):
    """The user's kernel unchanged, or a built-in kernel of data measured from their mean.

    The origin does not change the error with a built-in kernel, but it affects precision.
    """
    k = _arguments.one_of("data_kernel", kernel, mercer_kernels.by_name, or_callable=True)
    return partial(_kernel_values, k, origin(rows) if isinstance(kernel, str) else 0.0)


def _kernel_values(k, centre, Y, Z):
    return array(2)("data_kernel: the Gram matrix", k(Y - centre, Z - centre))


def mean_squared_residual(X, Y, kernel, groups, points):
    """R_cv estimated on some of the points, for the search for a scale."""
    return squared_residuals(X, Y, kernel, True, groups, points).mean()
