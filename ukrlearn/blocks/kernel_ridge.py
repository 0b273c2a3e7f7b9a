"""Kernel ridge regression: how nonparametric [DRUR] writes its maps, and [SI] maps new points.

Of all functions in the space of the Gaussian kernel, plus a constant, the one that minimises
Σ_n |y_n - f(x_n)|² + λ |f|² is Σ_m w_m exp(-|x - x_m|² / 2σ²) + w, section 1. Its weights solve an
N x N system: time N³, memory N². It is an `RBFNetwork` whose centres are the inputs, and does all
that such a network does.

The same fit comes in two forms. `Smoother` factors G + λI for a single penalty. `RidgePath`
decomposes G = U Λ Uᵀ, which takes longer, and then serves every penalty; [SI] has no constant.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh

from ukrlearn.blocks.networks import RBFNetwork, basis, spacing, widest_of_the_good

LEAST_PENALTY = 1e-12  # times N: below that, rounding decides whether G + λI is invertible
JUDGED = 1000  # points by which a width is chosen
MULTIPLES = (2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128)  # widths to be tried, in their spacings
RANK = 1e-12  # of the greatest eigenvalue: less is rounding
NEAREST = 1e-6  # times the size of the inputs: no width is counted in smaller units


@dataclass(frozen=True)
class Smoother:
    """A = (G + λI)⁻¹ for given inputs, G_nm = exp(-|x_n - x_m|² / 2σ²): fits them to any outputs.

    Nothing of it is computed before it is needed, and once only.
    """

    inputs: np.ndarray  # (N, q)
    width: float  # σ
    penalty: float  # λ; one that is below what rounding lets through counts as that

    def weights(self, Y):
        """W = A (Y - 1w) and w = 1ᵀAY / 1ᵀA1 for outputs Y (N, d).

        W is what the fit leaves, over λ: Y - f(X) = λ W. And its columns sum to zero.
        """
        bias = constant(self._of_ones, Y)
        return cho_solve(self._factor, Y - bias), bias

    def fit(self, Y) -> RBFNetwork:
        """f for outputs Y (N, d)."""
        return RBFNetwork(self.inputs, self.width, *self.weights(Y))

    def left_out_residuals(self, Y):
        """y_n minus what the fit to all other points says at x_n, for every n: W_n / B_nn.

        B = A - A11ᵀA / 1ᵀA1, so that W = BY. No point is left out in fact: one inverse does it.
        """
        A = cho_solve(self._factor, np.eye(len(self.inputs)))
        return self.weights(Y)[0] / without_constant(np.diagonal(A), self._of_ones)[:, None]

    @property
    def felt_penalty(self):
        """λ, or the least with which the system can be solved."""
        return felt(self.penalty, len(self.inputs))

    def kernel_matrix(self):
        """G, (N, N)."""
        return basis(self.inputs, self.inputs, self.width)

    @cached_property
    def _factor(self):
        A = self.kernel_matrix().T  # the same, in the order of memory that LAPACK overwrites
        A[np.diag_indices_from(A)] += self.felt_penalty
        return cho_factor(A, lower=True, overwrite_a=True)

    @cached_property
    def _of_ones(self):
        """A1."""
        return cho_solve(self._factor, np.ones(len(self.inputs)))


def felt(penalty, N):
    """λ, or the least with which N equations can be solved."""
    return max(penalty, LEAST_PENALTY * N)


def constant(A1, Y):
    """w = 1ᵀAY / 1ᵀA1, the constant that leaves no sum of weights. A may have any factor."""
    return A1 @ Y / A1.sum()


def without_constant(A_nn, A1):
    """The diagonal of B = A - A11ᵀA / 1ᵀA1: what A is once the constant is fitted too."""
    return A_nn - A1**2 / A1.sum()


@dataclass(frozen=True)
class RidgePath:
    """G = U Λ Uᵀ for one width: the fits for all penalties λ, each for the price of a product.

    The fit is U Λ (Λ + λ)⁻¹ Uᵀ Z. With fewer centres than points, G is replaced by
    G_nm G_mm⁻¹ G_mn (Nystroem), which has the same form with fewer columns in U.
    """

    centres: np.ndarray  # (M, d)
    width: float  # σ; γ = 1 / 2σ²
    U: np.ndarray  # (N, r), orthonormal columns
    eigenvalues: np.ndarray  # (r,), none below zero
    to_weights: np.ndarray  # (M, r)

    def fit(self, Z, penalty, intercept=False) -> RBFNetwork:
        """f for outputs Z (N, q): Σ_m w_m exp(-γ |y - c_m|²), plus a constant if asked for."""
        bias = constant(self._left_of_ones(penalty), Z) if intercept else np.zeros(Z.shape[1])
        W = self.to_weights @ (self.U.T @ (Z - bias) / self._damped(penalty)[:, None])
        return RBFNetwork(self.centres, self.width, W, bias)

    def left_out_residuals(self, Z, penalty, intercept=False):
        """z_n minus what the fit to all other points says of point n, for every n.

        With P = λ (G + λI)⁻¹ it is (P Z)_n / P_nn, of the same kind as in `Smoother`.
        """
        own = self._outside() + self.U**2 @ self._shares(penalty)
        if intercept:
            of_ones = self._left_of_ones(penalty)
            Z = Z - constant(of_ones, Z)
            own = without_constant(own, of_ones)
        left = self._left(Z, penalty)
        return left / np.maximum(own, np.finfo(float).tiny)[:, None]

    def _left(self, Z, penalty):
        """P Z, what a fit without intercept leaves of Z."""
        projected = self.U.T @ Z
        left = self.U @ (self._shares(penalty)[:, None] * projected)
        return left if self._spans_all else left + (Z - self.U @ projected)

    def _left_of_ones(self, penalty):
        """P1."""
        return self._left(np.ones((len(self.U), 1)), penalty)[:, 0]

    def _outside(self):
        """The share of each point that no column of U reaches."""
        return 0.0 if self._spans_all else np.maximum(1 - np.sum(self.U**2, axis=1), 0)

    @property
    def _spans_all(self):
        return self.U.shape[0] == self.U.shape[1]

    def _damped(self, penalty):
        """Λ + λ."""
        return self.eigenvalues + felt(penalty, len(self.U))

    def _shares(self, penalty):
        """λ / (Λ + λ): what a fit leaves of each column of U."""
        return felt(penalty, len(self.U)) / self._damped(penalty)


def ridge_path(Y, width) -> RidgePath:
    """All points are centres: N³ operations, N² memory."""
    values, U = eigh(basis(Y, Y, width), driver="evd", overwrite_a=True, check_finite=False)
    return RidgePath(Y, width, U, np.maximum(values, 0), U)


def nystroem_path(Y, centres, width) -> RidgePath:
    """Some points are centres: N M² operations, N M memory."""
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
    """The width, a multiple of the inputs' spacing, whose left out residuals are least.

    Parameters
    ----------
    slack : float
        As for `networks.best_width`: in standard errors.

    Notes
    -----
    Judged by at most 1000 points, all of them different: a twin would tell what is left out.
    """
    different = np.unique(X, axis=0, return_index=True)[1]
    some = np.random.RandomState(seed).permutation(different)[:JUDGED]
    X, Y = X[some], Y[some]
    unit = max(spacing(X), NEAREST * np.sqrt(np.sum(X.var(axis=0))))
    if len(X) < 3:  # of two, each is told by the other, whatever the width
        return unit * multiples[0]
    of_each = [
        np.sum(Smoother(X, unit * multiple, penalty).left_out_residuals(Y) ** 2, axis=1)
        for multiple in multiples
    ]
    return unit * widest_of_the_good(of_each, multiples, slack)
