"""One alternation for all quantization functionals: project, adapt, section 5."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ukrlearn.rpm.costs import Cost, squared
from ukrlearn.rpm.index_sets import IN_PASSING

ROUNDING = 1e-13  # times the error: equal fits may differ by it


class Step(NamedTuple):
    """One half step: the state of the alternation after a projection or an adaptation."""

    Z: np.ndarray  # codes, (N,) labels or (N, q)
    f: object
    distortion: float  # R_emp[f] with these codes, (3)
    penalty: float  # λ Q[f]
    half: str  # "projection" or "adaptation"

    @property
    def error(self):
        """R_reg[f], (12)."""
        return self.distortion + self.penalty


def quantize(Y, f, codes, fit: Callable, cost: Cost = squared, n_jobs=None) -> Iterator[Step]:
    """Projection and adaptation in turn, (29), without end; R_reg never rises.

    Parameters
    ----------
    Y : array of shape (N, d)
    f : map
        The first map; the first step projects onto it.
    codes : index set
        ``codes.project(f, Y, cost, previous)`` gives each point its best code (30).
    fit : callable
        ``fit(Z, Y, cost, previous)`` gives the best map for these codes.
    cost : Cost
    n_jobs : int, optional
        Number of joblib workers for the projection, which runs in batches.

    Notes
    -----
    If a fit ends higher than the previous map, the previous map is kept. Exact fits never end
    higher, except by rounding. Reweighted fits of the L1 cost can, because they replace its kink
    by a parabola.
    """
    found = codes.project(f, Y, cost, None, n_jobs, IN_PASSING)
    yield _step(found, f, "projection")
    while True:
        kept = found.costs.mean() + f.penalty
        refitted = fit(found.Z, Y, cost, f)
        costs = cost(refitted.residual(found.Z, Y))
        if costs.mean() + refitted.penalty <= kept:
            f, found = refitted, found._replace(costs=costs)
        yield _step(found, f, "adaptation")
        found = codes.project(f, Y, cost, found.Z, n_jobs, IN_PASSING)
        yield _step(found, f, "projection")


def _step(found, f, half):
    return Step(found.Z, f, float(found.costs.mean()), float(f.penalty), half)


def until_settled(steps, tol=1e-6, patience=2) -> Iterator[Step]:
    """Stop after the first round of two half steps that lowers R_reg by a share of less than tol.

    Each round is compared with the round before. tol=0 stops when nothing changes at all.
    """
    before = []
    for step in steps:
        yield step
        before.append(step.error)
        if len(before) > patience and before[-1 - patience] - before[-1] <= tol * before[-1]:
            return


def in_metric(D, alternation, Y) -> Iterator[Step]:
    """Any alternation with the cost (y - f)ᵀ D⁻¹ (y - f) in place of |y - f|², (10).

    The cost of y is the squared cost of y D^(-1/2), example 5. So quantize these data, and map f
    back.

    Parameters
    ----------
    D : array of shape (d, d)
        Symmetric, positive definite.
    alternation : callable
        Data -> steps.
    """
    D = np.asarray(D, dtype=float)
    values, U = np.linalg.eigh((D + D.T) / 2)
    if not (D.shape == (Y.shape[1],) * 2 and np.allclose(D, D.T) and values[0] > 0):
        raise ValueError(
            f"D must be a symmetric positive definite matrix of shape {(Y.shape[1],) * 2}; got "
            f"shape {D.shape} with least eigenvalue {values[0]:.3g}."
        )
    root, back = (U / np.sqrt(values)) @ U.T, (U * np.sqrt(values)) @ U.T
    for step in alternation(Y @ root):
        yield step._replace(f=step.f.times(back))
