"""Forces between latent points: what the gradients of UKR and of SNE have in common.

Both are sums over pairs, along the line between the two points: Σ_m S_nm (x_m - x_n), with
S = Q + Qᵀ for UKR, [UKR] (29), and S = -W for SNE, [SGD] (4). Q comes a block of rows at a time,
and S is never formed.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Springs:
    """S @ [X, 1], growing as blocks of rows of Q are added, with S = Q + Qᵀ."""

    X_1: np.ndarray
    SX_1: np.ndarray

    @classmethod
    def between(cls, X):
        """No springs yet."""
        X_1 = np.column_stack([X, np.ones(len(X))])
        return cls(X_1, np.zeros_like(X_1))

    def add(self, rows, Q):
        """Adds Q[rows] and its transpose."""
        for k in range(self.X_1.shape[1]):  # BLAS is twice as fast on vectors as on a thin matrix
            self.SX_1[rows, k] += Q @ self.X_1[:, k]
            self.SX_1[:, k] += self.X_1[rows, k] @ Q

    def forces(self):
        """Σ_m S_nm (x_m - x_n) for every n, shape (N, q)."""
        return self.SX_1[:, :-1] - self.SX_1[:, -1:] * self.X_1[:, :-1]
