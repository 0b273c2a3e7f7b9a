"""Index sets of the codes, and projection, which gives each point its best code, (30).

An index set is called as ``codes.project(f, Y, cost, previous)`` and returns the codes Z that
minimise c(y, f(z)), and their costs. No cost is above that of the previous code.
"""

from dataclasses import dataclass
from itertools import product
from typing import ClassVar, NamedTuple

import numpy as np
from joblib import delayed
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from ukrlearn.blocks.gauss_newton import in_turn
from ukrlearn.blocks.kernel_regression import row_blocks
from ukrlearn.blocks.networks import batches
from ukrlearn.rpm.costs import Cost, squared
from ukrlearn.rpm.kernels import PERIOD

MOVES = 50  # the most Gauss-Newton steps
# The same within an alternation, whose next round continues. With 4 steps, 60 rounds took up to
# twice as long, and ended no lower on curves and at most 1 % lower on surfaces (five draws).
IN_PASSING = 1
STILL = 1e-7  # times half the width of the box: after a shorter step a code has arrived
HALVINGS = 12
ENOUGH = 0.25  # times the fall that the slope promises
FEW_COLUMNS = 6  # up to this dimension a tree finds the nearest lattice point faster than a product
DAMPING = 1e-12  # times the trace: JᵀJ is singular where f does not change along some axis
LATTICE = {1: 401, 2: 41, 3: 17}  # lattice points on each axis, where projections begin


class Projected(NamedTuple):
    """The codes, and the cost of each point at its code."""

    Z: np.ndarray
    costs: np.ndarray  # (N,)


@dataclass(frozen=True)
class Labels:
    """{1, ..., k}, counted from 0: examples 1 to 3, and k-planes."""

    k: int

    def project(self, f, Y, cost: Cost = squared, previous=None, n_jobs=None, moves=MOVES):
        """The label whose constant or plane is nearest; the lowest label if several are."""
        best = np.full(len(Y), np.inf)
        Z = np.zeros(len(Y), dtype=int)
        for label in range(self.k):
            costs = cost(f.residual(np.full(len(Y), label), Y))
            nearer = costs < best
            Z[nearer], best[nearer] = label, costs[nearer]
        return Projected(Z, best)


@dataclass(frozen=True)
class Space:
    """All of R^q, for affine maps: example 4."""

    q: int

    def project(self, f, Y, cost: Cost = squared, previous=None, n_jobs=None, moves=MOVES):
        """The foot of the perpendicular, for costs of the Euclidean distance."""
        if cost.norm == 1:
            raise ValueError("projection onto all of R^q needs a cost of the Euclidean distance.")
        Z = (Y - f.offset) @ np.linalg.pinv(f.B)
        return Projected(Z, cost(f.residual(Z, Y)))


@dataclass(frozen=True)
class Box:
    """[-1, 1]^q: principal curves and surfaces."""

    q: int
    border: ClassVar[float] = 1.0

    def inside(self, Z):
        """The nearest codes inside the box."""
        return np.clip(Z, -1, 1)

    def lattice(self, per_axis):
        """A regular grid with `per_axis` points on each axis, including the border."""
        return _grid([np.linspace(-1, 1, per_axis)] * self.q)

    def project(self, f, Y, cost: Cost = squared, previous=None, n_jobs=None, moves=MOVES):
        """See `project_onto`."""
        return project_onto(self, f, Y, cost, previous, n_jobs, moves)


@dataclass(frozen=True)
class Torus:
    """[-1, 1)^q with the ends of each axis glued together: a circle, or a torus."""

    q: int
    border: ClassVar[float] = np.inf

    def inside(self, Z):
        """The same codes within one period."""
        return Z - PERIOD * np.floor((Z + 1) / PERIOD)

    def lattice(self, per_axis):
        """A regular grid with `per_axis` points on each axis, -1 but not 1 among them."""
        return _grid([np.linspace(-1, 1, per_axis, endpoint=False)] * self.q)

    def project(self, f, Y, cost: Cost = squared, previous=None, n_jobs=None, moves=MOVES):
        """See `project_onto`."""
        return project_onto(self, f, Y, cost, previous, n_jobs, moves)


def _grid(axes):
    return np.array(list(product(*axes)))


# Projection onto a continuum


def project_onto(
    codes, f, Y, cost: Cost = squared, previous=None, n_jobs=None, moves=MOVES
) -> Projected:
    """argmin over z of c(y, f(z)) for every point, (30).

    Each point begins at the best code of a fine lattice, or at its previous code if that is better.
    Gauss-Newton steps within the index set follow until the code no longer moves.

    Parameters
    ----------
    codes : Box or Torus
    f : map
        With `with_jacobian` and `reduced`, as in `ukrlearn.rpm.maps`.
    previous : array of shape (N, q), optional
        If given, no point's cost rises above the cost of its previous code.
    n_jobs : int, optional
        Number of joblib workers for the batches.
    moves : int
        The most Gauss-Newton steps.

    Notes
    -----
    Points are handled in batches, so memory does not grow with N times the size of the lattice.
    """
    if cost.norm == 2:  # what f cannot reach changes no code
        f_near, near = f.reduced(Y)
    else:
        f_near, near = f, Y
    lattice = codes.lattice(LATTICE.get(codes.q, 9))
    starts = _Nearest.of(lattice, f_near(lattice), cost.norm)
    slices = list(batches(len(Y)))
    tasks = (
        delayed(_project_batch)(
            codes,
            f_near,
            near[rows],
            cost,
            starts,
            None if previous is None else previous[rows],
            moves,
        )  # fmt: skip
        for rows in slices
    )
    Z, costs = np.empty((len(Y), codes.q)), np.empty(len(Y))
    for rows, done in zip(slices, in_turn(tasks, len(slices), n_jobs), strict=True):
        Z[rows] = done
        costs[rows] = cost(f.residual(done, Y[rows]))
    return Projected(Z, costs)


class _Nearest(NamedTuple):
    """Finds the code of a lattice whose value is nearest to a point."""

    lattice: np.ndarray
    values: np.ndarray
    norm: int
    tree: cKDTree | None

    @classmethod
    def of(cls, lattice, values, norm):
        tree = cKDTree(values) if values.shape[1] <= FEW_COLUMNS else None
        return cls(lattice, values, norm, tree)

    def __call__(self, Y):
        if self.tree is not None:
            return self.lattice[self.tree.query(Y, p=self.norm)[1]]
        if self.norm == 1:
            return self.lattice[np.argmin(cdist(Y, self.values, "cityblock"), axis=1)]
        middle = self.values.mean(axis=0)  # far from the origin, digits would be lost
        twice, size = 2 * (self.values - middle).T, np.sum((self.values - middle) ** 2, axis=1)
        nearest = np.empty(len(Y), dtype=int)
        for rows in row_blocks(len(Y), len(size)):  # small enough to stay in cache
            nearest[rows] = np.argmin(size - (Y[rows] - middle) @ twice, axis=1)
        return self.lattice[nearest]


def _project_batch(codes, f, Y, cost, starts, previous, moves):
    Z = starts(Y)
    costs = cost(Y - f(Z))
    if previous is not None:
        before = cost(Y - f(previous))
        better = before <= costs
        Z[better], costs[better] = previous[better], before[better]
    moving = np.arange(len(Z))
    for _ in range(moves):
        step, downhill, scaled = _steps(codes, f, Z[moving], Y[moving], cost)
        there, lower = _backtracked(
            codes, f, Z[moving], Y[moving], cost, step, downhill, costs[moving]
        )
        # A step that is clipped to the box may lead uphill, however short it is. The clipped
        # gradient never does.
        stuck = np.flatnonzero(lower == costs[moving])
        at = moving[stuck]
        there[stuck], lower[stuck] = _backtracked(
            codes, f, Z[at], Y[at], cost, scaled[stuck], downhill[stuck], costs[at]
        )
        moved = np.abs(there - Z[moving]).max(axis=1)
        Z[moving], costs[moving] = there, lower
        moving = moving[moved > STILL]
        if len(moving) == 0:
            break
    return Z


def at_border(codes, Z):
    """Whether each code is on the border of the index set."""
    return (np.abs(Z) >= codes.border).any(axis=1)


def held(codes, Z, downhill):
    """Whether each coordinate is at the border and downhill leads out of the box."""
    return (np.abs(Z) >= codes.border) & (Z * downhill > 0)


def gauss_newton_steps(codes, f, Z, Y, cost: Cost = squared):
    """(JᵀWJ)⁻¹ JᵀW(y - f(z)) for every point, (N, q), as far as the box allows.

    W holds the weights of the quadratic that bounds the cost from above. A coordinate stays at the
    border if downhill leads out of the box there. If the step takes another coordinate out of the
    box, this coordinate ends at the border, and the system is solved again for the rest. The step
    does not change a coordinate on which f does not depend.
    """
    return _steps(codes, f, Z, Y, cost)[0]


def _steps(codes, f, Z, Y, cost):
    """Gauss-Newton steps; minus the gradient; the latter over each coordinate's curvature."""
    f_z, J = f.with_jacobian(Z)
    r = Y - f_z
    w = cost.weights(r)
    downhill = np.einsum("ndq,nd->nq", J, w * r)
    curvature = np.einsum("ndq,ndr->nqr", J * w[:, :, None], J)
    own = np.diagonal(curvature, axis1=1, axis2=2)
    size = own.sum(axis=1, keepdims=True)
    ridge = np.where(size > 0, DAMPING * size, 1.0)
    free = ~held(codes, Z, downhill)
    step = _solved(curvature, ridge, downhill, free, np.zeros_like(Z))
    for _ in range(Z.shape[1]):
        leaving = free & (np.abs(Z + step) > codes.border)
        if not leaving.any():
            break
        free &= ~leaving
        fixed = np.where(leaving | (~free & (step != 0)), np.clip(Z + step, -1, 1) - Z, 0.0)
        step = _solved(curvature, ridge, downhill, free, fixed)
    downhill = np.where(held(codes, Z, downhill), 0, downhill)
    return step, downhill, downhill / (own + ridge)


def _solved(curvature, ridge, downhill, free, fixed):
    """The minimum of the quadratic over the free coordinates, with the others fixed."""
    right = np.where(free, downhill - np.einsum("nqr,nr->nq", curvature, fixed), fixed)
    if free.shape[1] == 1:  # on curves; saves a tenth of the time of a fit
        return np.where(free, right / (curvature[:, 0] + ridge), fixed)
    both = free[:, :, None] & free[:, None, :]
    apart = np.where(free, ridge, 1.0)[:, :, None] * np.eye(free.shape[1])
    return np.linalg.solve(np.where(both, curvature, 0) + apart, right[..., None])[..., 0]


def _backtracked(codes, f, Z, Y, cost, step, downhill, before):
    """z after the largest of the steps 1, 1/2, ... that lowers c enough; z itself if none does.

    A fall is enough if it is a quarter of what the slope promises. If less were enough, a step
    could cross a narrow valley, and points would go to and fro between its sides.
    """
    there, lower = Z.copy(), before.copy()
    waiting = np.arange(len(Z))
    part = 1.0
    for _ in range(HALVINGS):
        at = Z[waiting]
        moved = np.clip(at + part * step[waiting], -codes.border, codes.border) - at
        tried = codes.inside(at + moved)
        after = cost(Y[waiting] - f(tried))
        promised = 2 * np.sum(downhill[waiting] * moved, axis=1)
        good = after <= before[waiting] - ENOUGH * promised
        there[waiting[good]], lower[waiting[good]] = tried[good], after[good]
        waiting = waiting[~good & (np.abs(moved).max(axis=1) > STILL)]
        if len(waiting) == 0:
            break
        part /= 2
    return there, lower
