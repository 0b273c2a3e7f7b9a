"""The alternation of [DRUR], dimensionality reduction by unsupervised regression.

    E(X, f, F) = Σ_n |y_n - f(x_n)|² + Σ_n |x_n - F(y_n)|² + penalties       (1)-(3)

f maps latent points to data, F maps data to latent points, and both share the points X. The
alternation fits f and F to the current X by two regressions. Then it moves every x_n independently:
with f and F fixed, (1) separates into N small problems (7), which Gauss-Newton solves all at once.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import (
    checked,
    count,
    count_from_zero,
    function,
    not_negative,
    same_length,
    squarable,
    switch,
    workers,
)
from ukrlearn.blocks.gauss_newton import project, projection_objective
from ukrlearn.blocks.networks import (
    MULTIPLES,
    Perceptron,
    RBFNetwork,
    basis,
    batches,
    best_width,
    cluster_centres,
    fit_perceptron,
    fit_rbf,
    spacing,
)

RELATIVE_SIZE = 0.5  # of the start, to the data: .35 to .8 work well, 1 does not
MOVES = 4  # Gauss-Newton steps per round; more steps cost time and changed no result

# F is fitted to a noisy start and should be wide. f is fitted to an X that was adapted to the
# previous f, so held-out points favour widths that are too narrow. Medians of R² over ten Swiss
# rolls (N = 1000, 30 basis functions, noise 10 and 20) are .9987 and .9961. With slack 0 they are
# .9970 and .9933; with the same widths for F as for f, .9984 and .9947.
WIDTHS_OF_F = (*MULTIPLES, 16, 24)
SLACK = 10
COARSE = 8  # the width of f in coarse rounds, in units of the spacing


# The alternation


class Maps(NamedTuple):
    """f and F, and λ_f R_f + λ_F R_F of (2), (3)."""

    f: RBFNetwork | Perceptron
    F: RBFNetwork | Perceptron
    penalty: float


class Round(NamedTuple):
    """One round of the alternation: maps fitted to the previous X, then X projected with them."""

    X: np.ndarray  # (N, q)
    f: RBFNetwork | Perceptron
    F: RBFNetwork | Perceptron
    f_error: float  # Σ_n |y_n - f(x_n)|²
    F_error: float  # Σ_n |x_n - F(y_n)|²
    penalty: float
    full_steps: float  # share of Gauss-Newton steps that were taken in full
    moves: float  # mean number of Gauss-Newton steps per point
    spread: float  # rms distance of X from its mean; nothing bounds it from below

    @property
    def error(self):
        """E of (1)."""
        return self.f_error + self.F_error + self.penalty


@checked(
    same_length("X", "Y"),
    X=squarable,
    Y=squarable,
    fit_maps=function,
    coarse=count_from_zero,
    n_jobs=workers,
)
def alternation(X, Y, fit_maps: Callable, coarse=0, n_jobs=None) -> Iterator[Round]:
    """Alternate adaptation and projection, [DRUR] figure 1, without end; the start comes first.

    Each round fits F and f to the current X. Then it moves every x_n to a minimum of (7), starting
    from x_n or F(y_n), whichever has the lower E.

    Departure: the first f is fitted to F(Y), not to X. F cannot reproduce noise in X that is
    independent of the data, so F(Y) contains little of it. In contrast, a regression *on* noisy
    positions flattens f, and the projection then stretches X, most where the sheet is narrow: R²
    would be .9979 and .954 instead of .9987 and .9961 (see `SLACK`).

    Parameters
    ----------
    X : array of shape (N, q)
        Initial latent points. They should be about as large as Y, because the ratio of the two
        sizes weighs the two terms of (1).
    Y : array of shape (N, d)
    fit_maps : callable
        ``(X, Y, previous=None, coarse=False) -> Maps``, such as `rbf_maps` or `perceptron_maps`.
    coarse : int
        The number of first rounds in which f is stiff.

    Notes
    -----
    (1) may rise from one round to the next, because centres and widths are chosen again. A lower
    (1) does not mean a better X, because (1) falls without limit as X shrinks. Ten to thirty rounds
    are enough.
    """
    maps = _demand_maps(fit_maps(X, Y))
    yield state_of_round(X, Y, maps, 1.0, 0.0)
    X, k = maps.F(Y), 0
    while True:
        maps = fit_maps(X, Y, previous=maps, coarse=k < coarse)
        F_Y = maps.F(Y)
        X = _better_of(X, F_Y, Y, maps.f, F_Y)
        found = project(maps.f, X, Y, F_Y, MOVES, n_jobs=n_jobs)
        X, k = found.X, k + 1
        yield state_of_round(X, Y, maps, found.full_steps, float(found.moves.mean()))


def _demand_maps(maps):
    """TypeError unless the user's own `fit_maps` returned maps."""
    if not isinstance(maps, Maps):
        raise TypeError(f"fit_maps must return Maps; got {arguments.shown(maps)}.")
    return maps


def _better_of(X, other, Y, f, F_Y):
    """For each point, the one of two positions where E (7) is lower."""
    better = X.copy()
    for rows in batches(len(X)):
        x, z, y, F_y = X[rows], other[rows], Y[rows], F_Y[rows]
        lower = projection_objective(f(z), z, y, F_y) < projection_objective(f(x), x, y, F_y)
        better[rows][lower] = z[lower]
    return better


def state_of_round(X, Y, maps, full_steps, moves):
    f_error = F_error = 0.0
    for rows in batches(len(X)):
        f_error += np.sum((Y[rows] - maps.f(X[rows])) ** 2)
        F_error += np.sum((X[rows] - maps.F(Y[rows])) ** 2)
    spread = np.sqrt(np.sum(X.var(axis=0)))
    return Round(
        X, maps.f, maps.F, float(f_error), float(F_error), maps.penalty, full_steps, moves, spread
    )


@checked(
    same_length("X", "Y"),
    X=squarable,
    Y=squarable,
    n_basis=count,
    penalty=not_negative,
    previous=arguments.record(Maps),
    coarse=switch,
)
def rbf_maps(X, Y, n_basis, penalty, previous: Maps | None = None, coarse=False) -> Maps:
    """Gaussian RBF networks f and F for these X and Y, (13)-(16).

    The centres of f move with X. The centres and the width of F stay fixed. The first X decides the
    width of F, because only for this X are held-out points independent of any earlier F.
    """
    if previous is None:
        of_X, of_Y = cluster_centres(X, n_basis), cluster_centres(Y, n_basis)
        F_width = best_width(Y, X, of_Y, penalty, multiples=WIDTHS_OF_F)
    else:
        warm = previous.f.centres if len(previous.f.centres) == n_basis else None
        of_X = cluster_centres(X, n_basis, warm)
        of_Y, F_width = previous.F.centres, previous.F.width
    if coarse:
        f_width = COARSE * spacing(of_X)
    else:
        f_width = best_width(X, Y, of_X, penalty, slack=SLACK)
    f, F = fit_rbf(X, Y, of_X, f_width, penalty), fit_rbf(Y, X, of_Y, F_width, penalty)
    return Maps(f, F, penalty * (_roughness(f) + _roughness(F)))


def _roughness(f):
    """tr(Wᵀ K W) of (14)."""
    return float(np.vdot(f.W, basis(f.centres, f.centres, f.width) @ f.W))


@checked(
    same_length("X", "Y"),
    X=squarable,
    Y=squarable,
    n_basis=count,
    penalty=not_negative,
    previous=arguments.record(Maps),
    coarse=switch,
)
def perceptron_maps(X, Y, n_basis, penalty, previous: Maps | None = None, coarse=False) -> Maps:
    """Perceptrons f and F for these X and Y, (18), trained further from the previous ones.

    `coarse` is ignored, because a perceptron has no width.
    """
    f, F = previous[:2] if previous is not None else (None, None)
    moves = 100 if previous is None else 30
    f = fit_perceptron(X, Y, n_basis, penalty, f, moves)
    F = fit_perceptron(Y, X, n_basis, penalty, F, moves)
    return Maps(f, F, penalty * (_decay(f, X, Y) + _decay(F, Y, X)))


def _decay(f, X, Y):
    """|W1|² + |W2|² in units where X and Y have variance one, times the variance of Y."""
    of_X, of_Y = np.mean(X.var(axis=0)) or 1.0, np.mean(Y.var(axis=0)) or 1.0
    return float(of_X * of_Y * np.vdot(f.W1, f.W1) + np.vdot(f.W2, f.W2))


by_name = {"rbf": rbf_maps, "mlp": perceptron_maps}
