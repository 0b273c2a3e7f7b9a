"""Forces between latent points, which the gradients of UKR and SNE have in common.

Both gradients are sums of forces along the lines between pairs of points, Σ_m S_nm (x_m - x_n),
with S = Q + Qᵀ for UKR, [UKR] (29), and S = -W for SNE, [SGD] (4). Q is added one block of rows at
a time, and S is never formed.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Springs:
    """S @ [X, 1] with S = Q + Qᵀ, accumulated over blocks of rows of Q."""

    X_1: np.ndarray
    SX_1: np.ndarray

    @classmethod
    def between(cls, X, precision=float):
        """No springs yet; products are of this precision if it tells points apart, sums double."""
        precision = precision if np.abs(X).max() * np.finfo(precision).eps < 0.01 else float
        X_1 = np.asfortranarray(np.column_stack([X, np.ones(len(X))]), precision)
        return cls(X_1, np.zeros_like(X_1, float))

    def add(self, rows, Q, columns=slice(None)):
        """Add a block of Q and its transpose; no row and no column may occur twice."""
        for k in range(self.X_1.shape[1]):  # BLAS is twice as fast on vectors as on a thin matrix
            self.SX_1[rows, k] += Q @ self.X_1[columns, k]
            self.SX_1[columns, k] += self.X_1[rows, k] @ Q

    def forces(self):
        """Σ_m S_nm (x_m - x_n) for every n, shape (N, q)."""
        own = self.SX_1[:, -1:] * self.X_1[:, :-1]
        return np.subtract(self.SX_1[:, :-1], own, order="C")
