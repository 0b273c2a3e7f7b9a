"""Dimensionality reduction by unsupervised regression, [DRUR]: two maps and the points between.

    E(X, f, F) = Σ_n |y_n - f(x_n)|² + Σ_n |x_n - F(y_n)|² + penalties       (1)-(3)

f rebuilds the data from latent points, F finds the latent points of data, and X belongs to both.
The alternation fits f and F to the present X (two regressions), then moves every x_n on its own:
with f and F fixed, (1) falls apart into N small problems (7). Gauss-Newton solves them all at once.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed

from ukrlearn.descent import lbfgs, until_flat
from ukrlearn.kernel_networks import Smoother, best_kernel_width
from ukrlearn.networks import (
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

NEGLIGIBLE = 1e-6  # of the size of X: where rounding alone decides whether a step is better
HALVINGS = 20
MOVES = 4  # Gauss-Newton steps of a round: seen, more of them change no figure but cost time

# F sees a noisy start and should be wide. What f sees is X that was adapted to the f before: held
# out points then flatter narrow widths. Medians of R² over ten Swiss rolls (N = 1000, 30 basis
# functions, noise 10 and 20): .9987 and .9961; with slack 0 .9970 and .9933; with no more widths
# for F than for f .9984 and .9947.
WIDTHS_OF_F = (*MULTIPLES, 16, 24)
SLACK = 10
COARSE = 8  # times the spacing: the width of f in coarse rounds

# The same for kernels, less of it: their f is chosen for F(Y), which no f has adapted yet. Medians
# of R² over five rolls (N = 400, penalty 1e-3, noise 10 and 20): .9955 and .9848; with slack 0
# .9920 and .9807; with 8 .9947 and .9897, but the least at noise 10 falls. Slack for F loses.
KERNEL_SLACK = 4


class Projected(NamedTuple):
    """Where the projection step has led, and how."""

    X: np.ndarray  # (N, q)
    error: np.ndarray  # (N,), E_n of (7) there
    full_steps: float  # share of Gauss-Newton steps that were taken whole
    moves: np.ndarray  # (N,), steps until a point stood still


def gauss_newton_steps(f, J, X, Y, F_Y):
    """p_n = (I + JᵀJ)⁻¹ (Jᵀ(y_n - f(x_n)) - x_n + F(y_n)) for every point, [DRUR] (12).

    Parameters
    ----------
    f, J : arrays of shape (N, d) and (N, d, q)
        Values and Jacobians at X.
    X, F_Y : arrays of shape (N, q)
    Y : array of shape (N, d)

    Returns
    -------
    array of shape (N, q)
    """
    downhill = np.einsum("ndq,nd->nq", J, Y - f) - X + F_Y  # half of minus the gradient (8)
    curvature = np.einsum("ndq,ndr->nqr", J, J) + np.eye(X.shape[1])  # half of (11): never singular
    return np.linalg.solve(curvature, downhill[..., None])[..., 0]


def project(f, X, Y, F_Y, max_moves=10, tol=1e-4, size=None, n_jobs=None) -> Projected:
    """Minimisers of E(x) = |y - f(x)|² + |x - F(y)|² near X, for every point, [DRUR] (7).

    No point's E rises. A step that would raise it is halved until it does not.

    Parameters
    ----------
    f : network
        With `with_jacobian` and `reduced`, as in `ukrlearn.networks`.
    X : array of shape (N, q)
        Where to begin.
    F_Y : array of shape (N, q)
        F(y_n).
    tol : float
        A point stands still when its step is below this, relative to `size`.
    size : float, optional
        The size of latent space; the rms of X if it is not given. With it, the place that a point
        finds does not depend on who else is there.
    n_jobs : int, optional
        Batches in parallel, through joblib.

    Notes
    -----
    In batches: memory does not grow with N but for what is returned.
    """
    small, inside = f.reduced(Y)
    X, error = np.array(X, dtype=float), np.empty(len(X))
    moves = np.zeros(len(X), dtype=int)
    size = size or np.sqrt(np.mean((X - X.mean(axis=0)) ** 2)) or 1.0
    whole = tried = 0
    slices = list(batches(len(X)))
    tasks = (
        delayed(_project_batch)(small, X[rows], inside[rows], F_Y[rows], size, max_moves, tol)
        for rows in slices
    )
    for rows, done in zip(slices, _in_turn(tasks, len(slices), n_jobs), strict=True):
        X[rows], moves[rows] = done.X, done.moves
        whole += done.whole
        tried += done.tried
        error[rows] = _energy(f(X[rows]), X[rows], Y[rows], F_Y[rows])
    return Projected(X, error, whole / tried if tried else 1.0, moves)


def _in_turn(tasks, number, n_jobs):
    """Results of the tasks, in order; without the overhead of joblib where there is one only."""
    if number == 1:
        return (function(*given, **named) for function, given, named in tasks)
    return Parallel(n_jobs=n_jobs, return_as="generator")(tasks)


class _Batch(NamedTuple):
    X: np.ndarray
    moves: np.ndarray
    whole: int
    tried: int


def _project_batch(f, X, Y, F_Y, size, max_moves, tol):
    X, moves = X.copy(), np.zeros(len(X), dtype=int)
    moving = np.arange(len(X))
    whole = tried = 0
    for _ in range(max_moves):
        x, y, F_y = X[moving], Y[moving], F_Y[moving]
        f_x, J = f.with_jacobian(x)
        step = gauss_newton_steps(f_x, J, x, y, F_y)
        before = _energy(f_x, x, y, F_y)
        length = np.sqrt(np.sum(step**2, axis=1)) / size
        taken = _backtracked(f, x, y, F_y, step, before, length)
        X[moving] = x + taken[:, None] * step
        moves[moving] += 1
        tried += len(moving)
        whole += int(np.sum(taken == 1))
        moving = moving[length * taken > tol]
        if len(moving) == 0:
            break
    return _Batch(X, moves, whole, tried)


def _backtracked(f, x, y, F_y, step, before, length):
    """For each point the largest of 1, 1/2, 1/4, ... whose step does not raise E; else 0."""
    taken = np.zeros(len(x))
    waiting = np.arange(len(x))
    part = 1.0
    for _ in range(HALVINGS):
        there = x[waiting] + part * step[waiting]
        after = _energy(f(there), there, y[waiting], F_y[waiting])
        good = (after <= before[waiting]) | (part * length[waiting] < NEGLIGIBLE)
        taken[waiting[good]] = part
        waiting = waiting[~good]
        if len(waiting) == 0:
            break
        part /= 2
    return taken


def _energy(f_x, x, y, F_y):
    """E(x) of (7) for every point."""
    return np.sum((y - f_x) ** 2, axis=1) + np.sum((x - F_y) ** 2, axis=1)


# The alternation


class Maps(NamedTuple):
    """f and F, and λ_f R_f + λ_F R_F of (2), (3)."""

    f: RBFNetwork | Perceptron
    F: RBFNetwork | Perceptron
    penalty: float


class Step(NamedTuple):
    """One round of the alternation: maps fitted to the X before, X projected with them."""

    X: np.ndarray  # (N, q)
    f: RBFNetwork | Perceptron
    F: RBFNetwork | Perceptron
    f_error: float  # Σ_n |y_n - f(x_n)|²
    F_error: float  # Σ_n |x_n - F(y_n)|²
    penalty: float
    full_steps: float  # share of Gauss-Newton steps that were taken whole
    moves: float  # Gauss-Newton steps a point, in the mean
    spread: float  # rms distance of X from its mean: without a bound from below

    @property
    def error(self):
        """E of (1)."""
        return self.f_error + self.F_error + self.penalty


def alternation(X, Y, fit_maps: Callable, coarse=0, n_jobs=None) -> Iterator[Step]:
    """Adaptation and projection in turn, [DRUR] figure 1, for ever; the start comes first.

    Each round fits F and f to the present X, then moves every x_n to a minimum of (7), beginning
    at x_n or F(y_n), whichever has the lower E.

    Departures: the first f is fitted to F(Y), not to X. What is wrong with X independently of the
    data, F cannot follow, so F(Y) has little of it left; while a regression *on* noisy positions
    flattens f, and the projection then stretches X, most where the sheet is narrow: R² .9979 and
    .954 in place of .9987 and .9961 (see `SLACK`).

    Parameters
    ----------
    X : array of shape (N, q)
        Latent points to begin with, about as large as Y: their ratio weighs the two halves of (1).
    Y : array of shape (N, d)
    fit_maps : callable
        ``(X, Y, previous=None, coarse=False) -> Maps``: `rbf_maps` or `perceptron_maps`.
    coarse : int
        The number of rounds, from the first on, in which f is stiff.

    Notes
    -----
    (1) need not fall from round to round: centres and widths are chosen anew. And a lower (1) is
    not a better X: it falls without limit as X shrinks. Ten to thirty rounds are enough.
    """
    maps = fit_maps(X, Y)
    yield _step(X, Y, maps, 1.0, 0.0)
    X, k = maps.F(Y), 0
    while True:
        maps = fit_maps(X, Y, previous=maps, coarse=k < coarse)
        F_Y = maps.F(Y)
        X = _better_of(X, F_Y, Y, maps.f, F_Y)
        found = project(maps.f, X, Y, F_Y, MOVES, n_jobs=n_jobs)
        X, k = found.X, k + 1
        yield _step(X, Y, maps, found.full_steps, float(found.moves.mean()))


def _better_of(X, other, Y, f, F_Y):
    """For each point the one of two positions where E (7) is lower."""
    better = X.copy()
    for rows in batches(len(X)):
        x, z, y, F_y = X[rows], other[rows], Y[rows], F_Y[rows]
        lower = _energy(f(z), z, y, F_y) < _energy(f(x), x, y, F_y)
        better[rows][lower] = z[lower]
    return better


def _step(X, Y, maps, full_steps, moves):
    f_error = F_error = 0.0
    for rows in batches(len(X)):
        f_error += np.sum((Y[rows] - maps.f(X[rows])) ** 2)
        F_error += np.sum((X[rows] - maps.F(Y[rows])) ** 2)
    spread = np.sqrt(np.sum(X.var(axis=0)))
    return Step(
        X, maps.f, maps.F, float(f_error), float(F_error), maps.penalty, full_steps, moves, spread
    )


def rbf_maps(X, Y, n_basis, penalty, previous: Maps | None = None, coarse=False) -> Maps:
    """Gaussian RBF networks f and F for these X and Y, (13)-(16).

    Centres of f move with X. Those of F stay, and so does its width, which the first X decides:
    only there does what is held out know nothing of F.
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


def perceptron_maps(X, Y, n_basis, penalty, previous: Maps | None = None, coarse=False) -> Maps:
    """Perceptrons f and F for these X and Y, (18), going on from the previous ones.

    `coarse` means nothing here: a perceptron has no width.
    """
    f, F = previous[:2] if previous is not None else (None, None)
    moves = 100 if previous is None else 30
    f = fit_perceptron(X, Y, n_basis, penalty, f, moves)
    F = fit_perceptron(Y, X, n_basis, penalty, F, moves)
    return Maps(f, F, penalty * (_decay(f, X, Y) + _decay(F, Y, X)))


def _decay(f, X, Y):
    """|W1|² + |W2|² in units where X and Y have variance one, times that of Y."""
    of_X, of_Y = np.mean(X.var(axis=0)) or 1.0, np.mean(Y.var(axis=0)) or 1.0
    return float(of_X * of_Y * np.vdot(f.W1, f.W1) + np.vdot(f.W2, f.W2))


by_name = {"rbf": rbf_maps, "mlp": perceptron_maps}


def maps_of(model, n_basis, penalty) -> Callable:
    """What `alternation` calls: the networks of that name, of that size and stiffness."""
    return partial(by_name[model], n_basis=n_basis, penalty=penalty)


# Nonparametric maps


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


def coupled_descent(X, Y, kernels: Kernels, descent=lbfgs) -> Iterator[Step]:
    """The other way to nonparametric maps: a descent on `coupled_objective`, move by move.

    The start comes first; the descent begins at F(Y), as `alternation` does, and ends where it is
    flat. Nothing is projected: f and F of a step are fitted to its own X.

    Notes
    -----
    Ten moves are about as good as ten rounds of the alternation. Hundreds are not: 600 leave the
    same (1) as 600 rounds, at R² .953 in place of .989 and .960 in place of .988 (medians of five
    rolls, N = 400, noise 10 and 20).
    """
    yield _step(X, Y, kernel_maps(X, Y, kernels), 1.0, 0.0)
    F_Y = kernels.of_Y.fit(X)(Y)
    for step in until_flat(descent(coupled_objective(Y, kernels), F_Y)):
        yield _step(step.X, Y, kernel_maps(step.X, Y, kernels), 1.0, 1.0)
