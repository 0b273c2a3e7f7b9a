"""Radial basis functions on every data point: how nonparametric [DRUR] writes its maps.

Of all functions in the space of the Gaussian kernel, plus a constant, the one that minimises
Σ_n |y_n - f(x_n)|² + λ |f|² is Σ_m w_m exp(-|x - x_m|² / 2σ²) + w, section 1. Its weights solve an
N x N system: time N³, memory N². It is an `RBFNetwork` whose centres are the inputs, and does all
that such a network does.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from ukrlearn.blocks.networks import RBFNetwork, basis, spacing, widest_of_the_good

LEAST_PENALTY = 1e-12  # times N: below that, rounding decides whether G + λI is invertible
JUDGED = 1000  # points by which a width is chosen
MULTIPLES = (2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128)  # widths to be tried, in their spacings
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
        bias = self._of_ones @ Y / self._of_ones.sum()
        return cho_solve(self._factor, Y - bias), bias

    def fit(self, Y) -> RBFNetwork:
        """f for outputs Y (N, d)."""
        return RBFNetwork(self.inputs, self.width, *self.weights(Y))

    def left_out_residuals(self, Y):
        """y_n minus what the fit to all other points says at x_n, for every n: W_n / B_nn.

        B = A - A11ᵀA / 1ᵀA1, so that W = BY. No point is left out in fact: one inverse does it.
        """
        A = cho_solve(self._factor, np.eye(len(self.inputs)))
        B_nn = np.diagonal(A) - self._of_ones**2 / self._of_ones.sum()
        return self.weights(Y)[0] / B_nn[:, None]

    @property
    def felt_penalty(self):
        """λ, or the least with which the system can be solved."""
        return max(self.penalty, LEAST_PENALTY * len(self.inputs))

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
