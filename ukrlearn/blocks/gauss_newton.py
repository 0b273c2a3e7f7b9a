"""Gauss-Newton for all points at once: project them with f and F fixed, [DRUR] 3.1."""

from functools import partial
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed

from ukrlearn.blocks.arguments import (
    array,
    checked,
    count_from_zero,
    not_negative,
    number,
    same_length,
    same_shape,
    squarable,
    with_methods,
    workers,
)
from ukrlearn.blocks.networks import batches

NEGLIGIBLE = 1e-6  # times the size of X: for shorter steps, rounding decides which is better
HALVINGS = 20


class Projected(NamedTuple):
    """The result of the projection step, and how it was reached."""

    X: np.ndarray  # (N, q)
    error: np.ndarray  # (N,), E_n of (7) at X
    full_steps: float  # share of Gauss-Newton steps that were taken in full
    moves: np.ndarray  # (N,), steps that each point took until it converged


def projection_objective(f, X, Y, F_Y):
    """E(x_n) = |y_n - f(x_n)|² + |x_n - F(y_n)|² for every point, [DRUR] (7); f is f(X), (N, d)."""
    return np.sum((Y - f) ** 2, axis=1) + np.sum((X - F_Y) ** 2, axis=1)  # (7)


TABLE = array(2, finite=False)  # only shapes are checked, because each move comes here
LEAST_SIZE = 1e-150  # steps are measured in this unit
NETWORK = with_methods("with_jacobian", "reduced", such_as="an RBFNetwork")


def _of_these_points(given):
    wanted = (*np.shape(given["Y"]), np.shape(given["X"])[1])
    if given["J"].shape != wanted or len(given["X"]) != len(given["Y"]):
        raise ValueError(
            f"J must have the shape of Y and the columns of X, {wanted}, and X the rows of Y; got "
            f"{given['J'].shape}."
        )


@checked(
    same_shape("X", "F_Y"),
    same_shape("f", "Y"),
    _of_these_points,
    f=TABLE,
    J=array(3, finite=False),
    X=TABLE,
    Y=TABLE,
    F_Y=TABLE,
)
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


def _of_this_network(given):
    try:
        given["f"](given["X"][:1])
    except ValueError as problem:
        raise ValueError(
            f"X must have as many columns as f has inputs; got {given['X'].shape[1]}, and f says: "
            f"{problem}"
        ) from problem


@checked(
    same_shape("X", "F_Y"),
    same_length("X", "Y"),
    _of_this_network,
    f=NETWORK,
    X=squarable,
    Y=squarable,
    F_Y=squarable,
    max_moves=count_from_zero,
    tol=not_negative,
    size=partial(number, above=LEAST_SIZE),
    n_jobs=workers,
)
def project(f, X, Y, F_Y, max_moves=10, tol=1e-4, size=None, n_jobs=None) -> Projected:
    """Minimise E(x) = |y - f(x)|² + |x - F(y)|² for every point, starting from X, [DRUR] (7).

    E never rises for any point: a step that would raise it is halved until it does not.

    Parameters
    ----------
    f : network
        With `with_jacobian` and `reduced`, as in `ukrlearn.blocks.networks`.
    X : array of shape (N, q)
        Where to begin.
    F_Y : array of shape (N, q)
        F(y_n).
    tol : float
        A point has converged when its step is shorter than `tol` times `size`.
    size : float, optional
        The size of latent space; by default the rms of X. If it is given, the position of a point
        does not depend on the other points.
    n_jobs : int, optional
        Number of joblib workers; each handles one batch at a time.

    Notes
    -----
    Points are projected in batches, so only the results take memory that grows with N.
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
    for rows, done in zip(slices, in_turn(tasks, len(slices), n_jobs), strict=True):
        X[rows], moves[rows] = done.X, done.moves
        whole += done.whole
        tried += done.tried
        error[rows] = projection_objective(f(X[rows]), X[rows], Y[rows], F_Y[rows])
    return Projected(X, error, whole / tried if tried else 1.0, moves)


def in_turn(tasks, number, n_jobs):
    """Results of the tasks in order, without the overhead of joblib for a single task."""
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
        before = projection_objective(f_x, x, y, F_y)
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
    """For each point, the largest of 1, 1/2, 1/4, ... whose step does not raise E, else 0."""
    taken = np.zeros(len(x))
    waiting = np.arange(len(x))
    part = 1.0
    for _ in range(HALVINGS):
        there = x[waiting] + part * step[waiting]
        after = projection_objective(f(there), there, y[waiting], F_y[waiting])
        good = (after <= before[waiting]) | (part * length[waiting] < NEGLIGIBLE)
        taken[waiting[good]] = part
        waiting = waiting[~good]
        if len(waiting) == 0:
            break
        part /= 2
    return taken
