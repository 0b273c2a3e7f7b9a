"""Maps f from codes to data space: codebooks, planes, affine maps, kernel expansions (16).

Each is a frozen record: ``f(Z)`` are its values, ``f.residual(Z, Y)`` the residuals of Y,
``f.penalty`` is λ Q[f], and ``f.times(A)`` is the map followed by y ↦ y A. Maps on a continuum also
have ``f.with_jacobian(Z)``: values and Jacobians (N, d, q).
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

DROPPED = 1e-12  # times the greatest eigenvalue of K_z: smaller ones are only rounding
INDEFINITE = 1e-8  # times the greatest eigenvalue: rounding makes none so negative


@dataclass(frozen=True)
class Codebook:
    """f(z) = row z of C, for labels z: examples 1 to 3."""

    C: np.ndarray  # (k, d)
    penalty: ClassVar[float] = 0.0

    def __call__(self, Z):
        return self.C[Z]

    def residual(self, Z, Y):
        return Y - self.C[Z]

    def times(self, A):
        return Codebook(self.C @ A)


@dataclass(frozen=True)
class Planes:
    """f(z) is an affine plane, for labels z: k-planes, or local PCA.

    Residuals are perpendicular to the plane. A single plane is PCA; planes of dimension 0 are
    points, as in a `Codebook`.
    """

    centres: np.ndarray  # (k, d)
    directions: np.ndarray  # (k, q, d), orthonormal
    penalty: ClassVar[float] = 0.0

    def __call__(self, Z):
        return self.centres[Z]

    def residual(self, Z, Y):
        from_centre = Y - self.centres[Z]
        V = self.directions[Z]  # (N, q, d)
        along = np.einsum("nqd,nd->nq", V, from_centre)
        return from_centre - np.einsum("nqd,nq->nd", V, along)

    def times(self, A):
        planes = [np.linalg.qr((V @ A).T)[0].T for V in self.directions]
        return Planes(self.centres @ A, np.array(planes))


@dataclass(frozen=True)
class Affine:
    """f(z) = f₀ + z B, example 4 without its normalisation, which changes the codes only."""

    offset: np.ndarray  # (d,)
    B: np.ndarray  # (q, d)
    penalty: ClassVar[float] = 0.0

    def __call__(self, Z):
        return self.offset + Z @ self.B

    def residual(self, Z, Y):
        return Y - self(Z)

    def with_jacobian(self, Z):
        return self(Z), np.broadcast_to(self.B.T, (len(Z), *self.B.T.shape))

    def times(self, A):
        return Affine(self.offset @ A, self.B @ A)

    def reduced(self, Y):
        return self, Y


@dataclass(frozen=True)
class Basis:
    """Kernel functions on nodes, whitened by a matrix T with Tᵀ K_z T = 1, so that ‖Pf‖² = |β|².

    If nodes are close to each other, K_z is singular. Its null space is left out. This loses no
    function, because other coefficients give the same functions.
    """

    kernel: object
    nodes: np.ndarray  # (M, q)

    @cached_property
    def T(self):
        """(M, r) with α = T β, where r is the numerical rank of K_z.

        If linear functions are free, α is orthogonal to linear functions and constants on the
        nodes. For such α a conditionally positive definite kernel is positive definite.
        """
        K = self.kernel(self.nodes, self.nodes)
        lopsided = np.abs(K - K.T).max() > INDEFINITE * np.abs(K).max()
        if not np.isfinite(K).all() or lopsided:
            raise ValueError(
                "kernel must be finite and symmetric on the nodes; it gives NaN, or k(z, z') "
                "is not k(z', z)."
            )
        B = self._free_of_polynomials if self.kernel.linear else np.eye(len(K))
        values, U = np.linalg.eigh(B.T @ (K + K.T) @ B / 2)
        if not len(values):
            return B
        most = np.abs(values).max()
        if values[0] < -INDEFINITE * most:
            raise ValueError(
                "kernel must be positive definite, or Q[f] could fall below zero and the error "
                f"would have no minimum; the least eigenvalue of K_z is {values[0]:.3g}, the "
                f"greatest {values[-1]:.3g}."
            )
        kept = values > DROPPED * most
        return B @ U[:, kept] / np.sqrt(values[kept])

    @property
    def _free_of_polynomials(self):
        """An orthonormal basis of the α with Σ_j α_j = 0 and Σ_j α_j z_j = 0."""
        P = np.column_stack([np.ones(len(self.nodes)), self.nodes])
        U, sizes, _ = np.linalg.svd(P, full_matrices=True)
        return U[:, np.sum(sizes > 1e-10 * sizes[0]) :]

    def features(self, Z):
        """Whitened kernel functions at Z, and after them z itself if linear functions are free."""
        white = self.kernel(Z, self.nodes) @ self.T
        return np.column_stack([white, Z]) if self.kernel.linear else white

    @property
    def penalised(self):
        """Ones for features that Q penalises, zeros for those that are free."""
        free = self.nodes.shape[1] if self.kernel.linear else 0
        return np.repeat([1.0, 0.0], [self.T.shape[1], free])

    def expansion(self, offset, beta, penalty=0.0):
        """The map with these coefficients of `features`."""
        r = self.T.shape[1]
        return KernelExpansion(self, offset, self.T @ beta[:r], beta[r:], penalty)


@dataclass(frozen=True)
class KernelExpansion:
    """f(z) = f₀ + Σ_j α_j k(z_j, z), (16), with z L added if linear functions are free."""

    basis: Basis
    offset: np.ndarray  # f₀, (d,)
    alpha: np.ndarray  # (M, d)
    L: np.ndarray  # (q, d), or (0, d)
    penalty: float = 0.0  # λ Q[f]

    def __call__(self, Z):
        return self._with_linear(self.basis.kernel(Z, self.basis.nodes) @ self.alpha, Z)

    def residual(self, Z, Y):
        return Y - self(Z)

    def with_jacobian(self, Z):
        K, slopes = self.basis.kernel.with_slopes(Z, self.basis.nodes)
        J = np.stack([slope @ self.alpha for slope in slopes], axis=-1)
        if len(self.L):
            J += self.L.T
        return self._with_linear(K @ self.alpha, Z), J

    def _with_linear(self, f, Z):
        f += self.offset
        return f + Z @ self.L if len(self.L) else f

    def norm(self):
        """‖Pf‖² = Σ_ij ⟨α_i, α_j⟩ k(z_i, z_j), (17)."""
        K = self.basis.kernel(self.basis.nodes, self.basis.nodes)
        return float(np.vdot(self.alpha, K @ self.alpha))  # (17)

    def times(self, A):
        return replace(self, offset=self.offset @ A, alpha=self.alpha @ A, L=self.L @ A)

    def reduced(self, Y):
        """A map and data of fewer columns with the same |y - f(z)|², up to a constant.

        No z can reach the part of y that is orthogonal to the rows of α and L, so it is left out.
        """
        W = np.vstack([self.alpha, self.L])
        if W.shape[1] <= len(W):
            return self, Y
        Q, _ = np.linalg.qr(W.T)
        return self.times(Q), Y @ Q
