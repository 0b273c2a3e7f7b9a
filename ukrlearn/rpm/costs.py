"""Costs c(x, f(z)) of the residual x - f(z): squared, Huber (8), L1 (7)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

NEGLIGIBLE = 1e-6  # times the mean residual: for smaller ones L1's quadratic is not made steeper
SMALLEST = 1e-150  # one over a smaller residual, times slopes of f, could overflow


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
        w(s) = c'(s) / 2s. The sizes s are the norms of the residuals (norm 2), or the magnitudes
        of their entries (norm 1).
    """

    name: str
    of_norm: Callable
    norm: int
    weight: Callable

    def __call__(self, residuals):
        """c of each residual: (N, d) to (N,)."""
        return self.of_norm(np.linalg.norm(residuals, ord=self.norm, axis=-1))

    def weights(self, residuals):
        """w of shape (N, 1) or (N, d) with c(s) ≤ c(r) + Σ_k w_k (s_k² - r_k²) for all s.

        The right-hand side equals c at the residuals r, and is nowhere below it. So a fit that
        lowers the weighted squares lowers c too, and reweighted least squares never raise it.
        """
        if self.norm == 1:
            return self.weight(np.abs(residuals))
        return self.weight(np.linalg.norm(residuals, axis=-1, keepdims=True))


squared = Cost("squared", np.square, 2, np.ones_like)


def huber(sigma) -> Cost:
    """|r|² / 2σ up to |r| = σ, |r| - σ/2 beyond, (8)."""
    return Cost("huber", partial(_huber, sigma), 2, partial(_huber_weight, sigma))


def _huber(sigma, s):
    return np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)  # (8)


def _huber_weight(sigma, s):
    return 1 / (2 * np.maximum(s, sigma))


def _l1_weight(sizes):
    """1 / 2s, but bounded where s is negligible; there the quadratic may lie below c."""
    least = max(NEGLIGIBLE * sizes.mean(), SMALLEST) if sizes.any() else 1.0
    return 1 / (2 * np.maximum(sizes, least))


l1 = Cost("l1", np.positive, 1, _l1_weight)  # (7)


def at_size(cost: Cost, size) -> Cost:
    """The cost of `size` times a residual, as a cost of the residual."""
    weight = partial(_weight_at_size, cost.weight, size)
    return Cost(cost.name, partial(_of_norm_at_size, cost.of_norm, size), cost.norm, weight)


def _of_norm_at_size(of_norm, size, s):
    return of_norm(size * s)


def _weight_at_size(weight, size, s):
    return size**2 * weight(size * s)
