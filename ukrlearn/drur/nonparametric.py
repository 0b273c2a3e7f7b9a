"""The best maps of all smooth ones, with a basis function on every point, [DRUR] section 1."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ukrlearn.blocks.descent import lbfgs, until_flat
from ukrlearn.blocks.kernel_ridge import Smoother, best_kernel_width
from ukrlearn.drur.rounds import Maps, Round, state_of_round

# The same for kernels, less of it: their f is chosen for F(Y), which no f has adapted yet. Medians
# of R² over five rolls (N = 400, penalty 1e-3, noise 10 and 20): .9955 and .9848; with slack 0
# .9920 and .9807; with 8 .9947 and .9897, but the least at noise 10 falls. Slack for F loses.
KERNEL_SLACK = 4


class Kernels(NamedTuple):
    """What stays the same over all rounds of the nonparametric alternation."""

    f_width: float
    of_Y: Smoother  # F for any X; λ of f and F, too

    @classmethod
    def chosen(cls, X, Y, penalty, f_width=None, F_width=None):
        """Widths, where they are not given, by what is left out of fits to these X and Y.

        That of f looks at F(Y), to which the first f will be fitted.
        """
        of_Y = Smoother(Y, F_width or best_kernel_width(Y, X, penalty), penalty)
        if f_width is None:
            f_width = best_kernel_width(of_Y.fit(X)(Y), Y, penalty, slack=KERNEL_SLACK)
        return cls(f_width, of_Y)

    def of_X(self, X):
        """f for any Y, centred on these X."""
        return Smoother(X, self.f_width, self.of_Y.penalty)


def kernel_maps(X, Y, kernels: Kernels, previous: Maps | None = None, coarse=False) -> Maps:
    """The best f and F of all functions, for these X and Y, section 1.

    For `alternation`, with which (1) falls from round to round, after the first: the projection
    takes f for a fixed function of x, although it is centred on the X before. The next f is the
    best of all functions, that one included. `previous` and `coarse` mean nothing here.
    """
    f, F = kernels.of_X(X).fit(Y), kernels.of_Y.fit(X)
    penalty = kernels.of_Y.felt_penalty
    return Maps(f, F, penalty * (_norm(f, Y, penalty) + _norm(F, X, penalty)))


def _norm(f, Y, penalty):
    """tr(Wᵀ G W) of a fit to Y, without G: GW = Y - 1w - λW."""
    return float(np.vdot(f.W, Y - f.bias) - penalty * np.vdot(f.W, f.W))


def coupled_objective(Y, kernels: Kernels) -> Callable:
    """min over f, F of (1) as a function of X alone, with its gradient, section 1.

        E(X) = λ tr(Yᵀ B_f Y) + λ tr(Xᵀ B_F X),   B = A - A11ᵀA / 1ᵀA1,   A = (G + λI)⁻¹
        ∂E/∂x_n = 2λ/σ² Σ_m (WWᵀ)_nm G_nm (x_n - x_m) + 2λ (B_F X)_n

    Every point is also a centre of f: all of them are moved at once, by any descent.
    """
    penalty = kernels.of_Y.felt_penalty

    def objective(X):
        of_X = kernels.of_X(X)
        (W, w), (V, v) = of_X.weights(Y), kernels.of_Y.weights(X)
        S = W @ W.T
        S *= of_X.kernel_matrix()
        error = penalty * (np.vdot(W, Y - w) + np.vdot(V, X - v))
        springs = S.sum(axis=1, keepdims=True) * X - S @ X
        return error, 2 * penalty * (springs / kernels.f_width**2 + V)

    return objective


def coupled_descent(X, Y, kernels: Kernels, descent=lbfgs) -> Iterator[Round]:
    """The other way to nonparametric maps: a descent on `coupled_objective`, move by move.

    The start comes first; the descent begins at F(Y), as `alternation` does, and ends where it is
    flat. Nothing is projected: f and F of a step are fitted to its own X.

    Notes
    -----
    Ten moves are about as good as ten rounds of the alternation. Hundreds are not: 600 leave the
    same (1) as 600 rounds, at R² .953 in place of .989 and .960 in place of .988 (medians of five
    rolls, N = 400, noise 10 and 20).
    """
    yield state_of_round(X, Y, kernel_maps(X, Y, kernels), 1.0, 0.0)
    F_Y = kernels.of_Y.fit(X)(Y)
    for step in until_flat(descent(coupled_objective(Y, kernels), F_Y)):
        yield state_of_round(step.X, Y, kernel_maps(step.X, Y, kernels), 1.0, 1.0)
