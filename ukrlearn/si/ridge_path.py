"""Kernel ridge regression for one kernel width and every penalty, from one eigendecomposition.

With K = U Λ Uᵀ the fit at penalty λ is U Λ (Λ + λ)⁻¹ Uᵀ Z. Both it and what it would say of each
point without that point cost a product with U, so a whole grid of penalties comes at the price of
one. With fewer centres than points, K is replaced by K_nm K_mm⁻¹ K_mn (Nystroem), which has the same
form with a U of fewer columns.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from ukrlearn.networks import RBFNetwork, basis

LEAST_PENALTY = 1e-12  # times N: below that, rounding decides whether K + λI is invertible
RANK = 1e-12  # of the greatest eigenvalue: less is rounding


@dataclass(frozen=True)
class RidgePath:
    """K = U Λ Uᵀ, and how weights of the centres follow from it."""

    centres: np.ndarray  # (M, d)
    width: float  # σ; γ = 1 / 2σ²
    U: np.ndarray  # (N, r), orthonormal columns
    eigenvalues: np.ndarray  # (r,), none below zero
    to_weights: np.ndarray  # (M, r)

    def fit(self, Z, penalty, intercept=False) -> RBFNetwork:
        """f for outputs Z (N, q): Σ_m w_m exp(-γ |y - c_m|²), plus a constant if asked for."""
        bias = np.zeros(Z.shape[1])
        if intercept:
            of_ones = self._left(np.ones((len(Z), 1)), penalty)
            bias = of_ones[:, 0] @ Z / of_ones.sum()
        W = self.to_weights @ (self.U.T @ (Z - bias) / self._damped(penalty)[:, None])
        return RBFNetwork(self.centres, self.width, W, bias)

    def left_out_residuals(self, Z, penalty, intercept=False):
        """z_n minus what the fit to all other points says of point n, for every n.

        With P = λ (K + λI)⁻¹ it is (P Z)_n / P_nn. An intercept takes its direction out of P.
        """
        left = self._left(Z, penalty)
        own = self._outside() + self.U**2 @ (self._felt(penalty) / self._damped(penalty))
        if intercept:
            of_ones = self._left(np.ones((len(Z), 1)), penalty)
            left = left - of_ones * (left.sum(axis=0) / of_ones.sum())
            own = own - of_ones[:, 0] ** 2 / of_ones.sum()
        return left / np.maximum(own, np.finfo(float).tiny)[:, None]

    def _left(self, Z, penalty):
        """P Z, what a fit without intercept leaves of Z."""
        projected = self.U.T @ Z
        left = self.U @ ((self._felt(penalty) / self._damped(penalty))[:, None] * projected)
        return left if self._spans_all else left + (Z - self.U @ projected)

    def _outside(self):
        """The share of each point that no column of U reaches."""
        return 0.0 if self._spans_all else np.maximum(1 - np.sum(self.U**2, axis=1), 0)

    @property
    def _spans_all(self):
        return self.U.shape[0] == self.U.shape[1]

    def _felt(self, penalty):
        """λ, or the least with which the system can be solved."""
        return max(penalty, LEAST_PENALTY * len(self.U))

    def _damped(self, penalty):
        """Λ + λ."""
        return self.eigenvalues + self._felt(penalty)


def ridge_path(Y, width) -> RidgePath:
    """All points are centres: N³ operations, N² memory."""
    values, U = eigh(basis(Y, Y, width), driver="evd", overwrite_a=True, check_finite=False)
    return RidgePath(Y, width, U, np.maximum(values, 0), U)


def nystroem_path(Y, centres, width) -> RidgePath:
    """Some points are centres: N M² operations, N M memory."""
    values, V = eigh(basis(centres, centres, width))
    kept = values > RANK * values[-1]
    root = V[:, kept] / np.sqrt(values[kept])  # K_mm^(-1/2)
    features = basis(Y, centres, width) @ root
    values, V = eigh(features.T @ features)
    kept = values > RANK * values[-1]
    values, V = values[kept], V[:, kept]
    U = features @ (V / np.sqrt(values))
    return RidgePath(centres, width, U, values, root @ (V * np.sqrt(values)))
