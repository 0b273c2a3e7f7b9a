"""Costs c(x, f(z)) of the residual x - f(z): squared, Huber (8), L1 (7)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

NEGLIGIBLE = 1e-6  # of the mean size of the residuals: where L1's quadratic stops to steepen


@dataclass(frozen=True)
class Cost:
    """An increasing function of the 1-norm or the 2-norm of a residual.

    Parameters
    ----------
    name : str
    of_norm : callable
        c as a function of the norm, elementwise.
    norm : 1 or 2
        Which norm. With 2, the best code is the nearest one, whatever c is.
    weight : callable
        w(s) = c'(s) / 2s of the sizes s: the norms of the residuals (norm 2), or the magnitudes of
        their entries (norm 1).
    """

    name: str
    of_norm: Callable
    norm: int
    weight: Callable

    def __call__(self, residuals):
        """c of every residual: (N, d) to (N,)."""
        return self.of_norm(np.linalg.norm(residuals, ord=self.norm, axis=-1))

    def weights(self, residuals):
        """w of shape (N, 1) or (N, d) with c(s) ≤ c(r) + Σ_k w_k (s_k² - r_k²) for all s.

        The right-hand side touches c at the residuals r and lies above it elsewhere, so whoever
        lowers the weighted squares lowers c: reweighted least squares never go up.
        """
        if self.norm == 1:
            return self.weight(np.abs(residuals))
        return self.weight(np.linalg.norm(residuals, axis=-1, keepdims=True))


squared = Cost("squared", np.square, 2, np.ones_like)


def huber(sigma) -> Cost:
    """|r|² / 2σ up to |r| = σ, |r| - σ/2 beyond, (8)."""
    return Cost(
        "huber",
        lambda s: np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2),  # (8)
        2,
        lambda s: 1 / (2 * np.maximum(s, sigma)),
    )


def _l1_weight(sizes):
    """1 / 2s, but no more than for a negligible s: there the quadratic no longer lies above c."""
    least = NEGLIGIBLE * sizes.mean() if sizes.any() else 1.0
    return 1 / (2 * np.maximum(sizes, least))


l1 = Cost("l1", lambda s: s, 1, _l1_weight)  # (7)
