"""Kernel ridge regression: the maps of nonparametric [DRUR], and of [SI] for new points.

Among all functions in the space of the Gaussian kernel, plus a constant, the one that minimises
Σ_n |y_n - f(x_n)|² + λ |f|² is Σ_m w_m exp(-|x - x_m|² / 2σ²) + w, section 1. Its weights solve an
N x N system, in time N³ and memory N². It is an `RBFNetwork` whose centres are the inputs.

The same fit comes in two forms. `Smoother` factors G + λI for a single penalty. `RidgePath`
decomposes G = U Λ Uᵀ, which takes longer but serves every penalty. [SI] has no constant.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh

from ukrlearn.blocks.networks import RBFNetwork, basis, spacing, widest_within_slack

LEAST_PENALTY = 1e-12  # times N: below it, rounding decides whether G + λI is invertible
JUDGED = 1000  # the number of points used to choose a width
MULTIPLES = (2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128)  # widths to try, in spacings of the inputs
RANK = 1e-12  # times the greatest eigenvalue: smaller ones are rounding
LEAST_SPACING = 1e-6  # times the size of the inputs: smaller spacings are raised to it


@dataclass(frozen=True)
class Smoother:
    """A = (G + λI)⁻¹ with G_nm = exp(-|x_n - x_m|² / 2σ²), which fits the inputs to any outputs.

    The matrix is factored when it is first needed, and only once.
    """

    inputs: np.ndarray  # (N, q)
    width: float  # σ
    penalty: float  # λ, raised to the rounding floor

    def weights(self, Y):
        """W = A (Y - 1w) and w = 1ᵀAY / 1ᵀA1 for outputs Y (N, d).

        The residuals of the fit are Y - f(X) = λ W, and the columns of W sum to zero.
        """
        bias = constant(self._of_ones, Y)
        return cho_solve(self._factor, Y - bias), bias

    def fit(self, Y) -> RBFNetwork:
        """The function f fitted to outputs Y (N, d)."""
        return RBFNetwork(self.inputs, self.width, *self.weights(Y))

    def left_out_residuals(self, Y):
        """y_n minus the prediction at x_n of a fit to all other points, for every n: W_n / B_nn.

        With B = A - A11ᵀA / 1ᵀA1, W = BY. One inverse gives all residuals; nothing is refitted.
        """
        A = cho_solve(self._factor, np.eye(len(self.inputs)))
        return self.weights(Y)[0] / without_constant(np.diagonal(A), self._of_ones)[:, None]

    @property
    def felt_penalty(self):
        """λ, or the smallest value with which the system can be solved."""
        return felt(self.penalty, len(self.inputs))

    def kernel_matrix(self):
        """G, (N, N)."""
        return basis(self.inputs, self.inputs, self.width)

    @cached_property
    def _factor(self):
        A = self.kernel_matrix().T  # symmetric; LAPACK can overwrite this memory order
        A[np.diag_indices_from(A)] += self.felt_penalty
        return cho_factor(A, lower=True, overwrite_a=True)

    @cached_property
    def _of_ones(self):
        """A1."""
        return cho_solve(self._factor, np.ones(len(self.inputs)))


def felt(penalty, N):
    """λ, or the smallest value with which N equations can be solved."""
    return max(penalty, LEAST_PENALTY * N)


def constant(A1, Y):
    """w = 1ᵀAY / 1ᵀA1, the constant for which the weights sum to zero; a factor of A cancels."""
    return A1 @ Y / A1.sum()


def without_constant(A_nn, A1):
    """The diagonal of B = A - A11ᵀA / 1ᵀA1, which replaces A if the constant is fitted too."""
    return A_nn - A1**2 / A1.sum()


@dataclass(frozen=True)
class RidgePath:
    """G = U Λ Uᵀ for one width, with which the fit for each penalty λ only costs a product.

    The fit is U Λ (Λ + λ)⁻¹ Uᵀ Z. With fewer centres than points, G is replaced by
    G_nm G_mm⁻¹ G_mn (Nystroem), which has the same form with fewer columns in U.
    """

    centres: np.ndarray  # (M, d)
    width: float  # σ; γ = 1 / 2σ²
    U: np.ndarray  # (N, r), orthonormal columns
    eigenvalues: np.ndarray  # (r,), not negative
    to_weights: np.ndarray  # (M, r)

    def fit(self, Z, penalty, intercept=False) -> RBFNetwork:
        """f for outputs Z (N, q): Σ_m w_m exp(-γ |y - c_m|²), plus a constant if `intercept`."""
        bias = constant(self._left_of_ones(penalty), Z) if intercept else np.zeros(Z.shape[1])
        W = self.to_weights @ (self.U.T @ (Z - bias) / self._damped(penalty)[:, None])
        return RBFNetwork(self.centres, self.width, W, bias)

    def left_out_residuals(self, Z, penalty, intercept=False):
        """z_n minus the prediction for point n of a fit to all other points, for every n.

        With P = λ (G + λI)⁻¹, it is (P Z)_n / P_nn, as in `Smoother`.
        """
        own = self._outside() + self.U**2 @ self._shares(penalty)
        if intercept:
            of_ones = self._left_of_ones(penalty)
            Z = Z - constant(of_ones, Z)
            own = without_constant(own, of_ones)
        left = self._left(Z, penalty)
        return left / np.maximum(own, np.finfo(float).tiny)[:, None]

    def _left(self, Z, penalty):
        """P Z, the residuals of a fit without intercept."""
        projected = self.U.T @ Z
        left = self.U @ (self._shares(penalty)[:, None] * projected)
        return left if self._spans_all else left + (Z - self.U @ projected)

    def _left_of_ones(self, penalty):
        """P1."""
        return self._left(np.ones((len(self.U), 1)), penalty)[:, 0]

    def _outside(self):
        """The share of each point outside the span of the columns of U."""
        return 0.0 if self._spans_all else np.maximum(1 - np.sum(self.U**2, axis=1), 0)

    @property
    def _spans_all(self):
        return self.U.shape[0] == self.U.shape[1]

    def _damped(self, penalty):
        """Λ + λ."""
        return self.eigenvalues + felt(penalty, len(self.U))

    def _shares(self, penalty):
        """λ / (Λ + λ): the share of each column of U that a fit leaves as residual."""
        return felt(penalty, len(self.U)) / self._damped(penalty)


def ridge_path(Y, width) -> RidgePath:
    """The path with all points as centres, in N³ operations and N² memory."""
    values, U = eigh(basis(Y, Y, width), driver="evd", overwrite_a=True, check_finite=False)
    return RidgePath(Y, width, U, np.maximum(values, 0), U)


def nystroem_path(Y, centres, width) -> RidgePath:
    """The path with some points as centres, in N M² operations and N M memory."""
    values, V = eigh(basis(centres, centres, width))
    kept = values > RANK * values[-1]
    root = V[:, kept] / np.sqrt(values[kept])  # G_mm^(-1/2)
    features = basis(Y, centres, width) @ root
    values, V = eigh(features.T @ features)
    kept = values > RANK * values[-1]
    values, V = values[kept], V[:, kept]
    U = features @ (V / np.sqrt(values))
    return RidgePath(centres, width, U, values, root @ (V * np.sqrt(values)))


def best_kernel_width(X, Y, penalty, seed=0, multiples=MULTIPLES, slack=0):
    """The width, a multiple of the inputs' spacing, with the smallest left-out residuals.

    Parameters
    ----------
    slack : float
        As in `networks.best_width`, in standard errors.

    Notes
    -----
    At most 1000 points judge the widths, all of them different: a copy of a point that is left out
    would give its value away.
    """
    different = np.unique(X, axis=0, return_index=True)[1]
    some = np.random.RandomState(seed).permutation(different)[:JUDGED]
    X, Y = X[some], Y[some]
    unit = max(spacing(X), LEAST_SPACING * np.sqrt(np.sum(X.var(axis=0))))
    if len(X) < 3:  # with two points, each determines the other, for any width
        return unit * multiples[0]
    of_each = [
        np.sum(Smoother(X, unit * multiple, penalty).left_out_residuals(Y) ** 2, axis=1)
        for multiple in multiples
    ]
    return unit * widest_within_slack(of_each, multiples, slack)
