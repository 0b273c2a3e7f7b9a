"""Radial basis functions on every data point: the maps of nonparametric [DRUR].

Among all functions in the space of the Gaussian kernel, plus a constant, the one that minimises
Σ_n |y_n - f(x_n)|² + λ |f|² is Σ_m w_m exp(-|x - x_m|² / 2σ²) + w, section 1. Its weights solve an
N x N system, in time N³ and memory N². It is an `RBFNetwork` whose centres are the inputs.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from ukrlearn.blocks.networks import RBFNetwork, basis, spacing, widest_within_slack

LEAST_PENALTY = 1e-12  # times N: below it, rounding decides whether G + λI is invertible
JUDGED = 1000  # the number of points used to choose a width
MULTIPLES = (2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128)  # widths to try, in spacings of the inputs
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
        bias = self._of_ones @ Y / self._of_ones.sum()
        return cho_solve(self._factor, Y - bias), bias

    def fit(self, Y) -> RBFNetwork:
        """The function f fitted to outputs Y (N, d)."""
        return RBFNetwork(self.inputs, self.width, *self.weights(Y))

    def left_out_residuals(self, Y):
        """y_n minus the prediction at x_n of a fit to all other points, for every n: W_n / B_nn.

        With B = A - A11ᵀA / 1ᵀA1, W = BY. One inverse gives all residuals; nothing is refitted.
        """
        A = cho_solve(self._factor, np.eye(len(self.inputs)))
        B_nn = np.diagonal(A) - self._of_ones**2 / self._of_ones.sum()
        return self.weights(Y)[0] / B_nn[:, None]

    @property
    def felt_penalty(self):
        """λ, or the smallest value with which the system can be solved."""
        return max(self.penalty, LEAST_PENALTY * len(self.inputs))

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
