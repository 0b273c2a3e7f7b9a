"""The projection step of [DRUR] on its own: how fast Gauss-Newton is there, and other ways."""

import time
from typing import NamedTuple

import numpy as np

from ukrlearn import ParametricDRUR, datasets, drur
from ukrlearn.blocks.gauss_newton import _backtracked, gauss_newton_steps, projection_objective
from ukrlearn.drur.rounds import _better_of

ROUNDS = 10
TOLERANCE = 1e-4  # of the rms of X: how near to its minimum a point must come
MOVES = (1, 2, 4)
MOST = {"Gauss-Newton": 200, "Newton": 200, "gradient descent": 1000, "fixed point": 200}


def roll(seed, N, noise, beside=0):
    """Data with so many more columns of noise .5, the true sheet of 50 x 90, and a start."""
    Y, t = datasets.swiss_roll(N, length=90.0, height=50.0, random_state=seed)
    random = np.random.RandomState(seed + 1)
    X = t + noise * random.normal(size=t.shape)
    return np.hstack([Y, 0.5 * random.normal(size=(N, beside))]), t, X


class Problem(NamedTuple):
    """What one round projects: a map, where the points begin, data, F of the data."""

    f: object
    X: np.ndarray
    Y: np.ndarray
    F_Y: np.ndarray

    @property
    def size(self):
        return np.sqrt(np.mean((self.X - self.X.mean(axis=0)) ** 2))


def problems(seed, noise, N, rounds=ROUNDS):
    """The projections of all rounds of one fit, and the rounds themselves."""
    Y, _, X = roll(seed, N, noise)
    steps = []
    model = ParametricDRUR(init=X, max_iter=rounds, callback=steps.append).fit(Y)
    Y, found = model._data.into(Y), []
    X = steps[0].F(Y)
    for step in steps[1:]:
        F_Y = step.F(Y)
        found.append(Problem(step.f, _better_of(X, F_Y, Y, step.f, F_Y), Y, F_Y))
        X = step.X
    return found, steps


def convergence(seed, noise, N):
    """For each round: shares of points at their minimum after MOVES, and of full steps."""
    found, steps = problems(seed, noise, N)
    shares = [
        [*(near_minimum(problem, moves) for moves in MOVES), step.full_steps]
        for problem, step in zip(found, steps[1:], strict=True)
    ]
    errors = np.array([step.error for step in steps[1:]])
    return {"shares": np.array(shares), "rises": int(np.sum(np.diff(errors) > 0))}


def near_minimum(problem, moves):
    """The share of points that are within TOLERANCE of where they end."""
    there = drur.project(*problem, max_moves=moves, tol=0).X
    end = drur.project(*problem, max_moves=300, tol=1e-10).X
    return np.mean(np.linalg.norm(there - end, axis=1) <= TOLERANCE * problem.size)


# Other ways to the same minima


class Walk(NamedTuple):
    moves: np.ndarray  # (N,), until arrived; infinite if not within MOST
    seconds: float  # of the processor, all points together


def competition(seed, noise, N):
    """The walk of every method in the first round and in the fifth."""
    found, _ = problems(seed, noise, N, rounds=5)
    return [{name: walk(problem, name) for name in MOST} for problem in (found[0], found[4])]


def walk(problem, name):
    """A point has arrived when the Gauss-Newton step from it is below TOLERANCE.

    That does not depend on which minimum it is; all pay for the test. All but the fixed point halve
    a step that would raise E; gradient descent begins with twice the length of its last step.
    """
    f, x, Y, F_Y = problem.f, problem.X.copy(), problem.Y, problem.F_Y
    moves, length = np.full(len(x), np.inf), np.ones(len(x))
    moving = np.arange(len(x))
    start = time.process_time()
    for k in range(MOST[name] + 1):
        y, F_y = Y[moving], F_Y[moving]
        f_x, J = f.with_jacobian(x[moving])
        step = gauss_newton_steps(f_x, J, x[moving], y, F_y)
        away = np.linalg.norm(step, axis=1) > TOLERANCE * problem.size
        moves[moving[~away]] = k
        moving, y, F_y, f_x, J, step = (part[away] for part in (moving, y, F_y, f_x, J, step))
        if len(moving) == 0:
            break
        here = x[moving]
        downhill = np.einsum("ndq,nd->nq", J, y - f_x) - here + F_y  # half of minus (8)
        if name == "fixed point":
            x[moving] = here + downhill
            continue
        if name == "gradient descent":
            length[moving] *= 2
            step = length[moving, None] * downhill
        elif name == "Newton":
            step = newton_steps(f, here, y - f_x, J, downhill, step)
        before = projection_objective(f_x, here, y, F_y)
        size = np.linalg.norm(step, axis=1) / problem.size
        taken = _backtracked(f, here, y, F_y, step, before, size)
        length[moving] *= np.where(taken > 0, taken, 0.5)
        x[moving] = here + taken[:, None] * step
    return Walk(moves, time.process_time() - start)


def newton_steps(f, x, residual, J, downhill, otherwise):
    """With (9); where that is not positive definite, the step of Gauss-Newton."""
    hessian = np.einsum("ndq,ndr->nqr", J, J) + np.eye(x.shape[1])
    hessian -= f.second_derivatives(x, residual)
    convex = np.linalg.eigvalsh(hessian)[:, 0] > 1e-8
    step = otherwise.copy()
    step[convex] = np.linalg.solve(hessian[convex], downhill[convex][..., None])[..., 0]
    return step
