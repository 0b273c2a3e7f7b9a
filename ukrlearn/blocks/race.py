"""The race that chooses one of many starts: [UKR] 2.3, step 3."""

from functools import partial
from itertools import islice

import numpy as np
from joblib import Parallel, delayed

from ukrlearn.blocks import descent
from ukrlearn.blocks.density_kernels import DensityKernel, gaussian

# After a turn, a step shrinks to .7 of its length instead of half: fewer moves lead to the same
# error. With .5, seven sets of data ended 1 % lower to 4 % higher after as many moves (5 draws).
minimise = partial(descent.rprop, shrink=0.7)

ROUND = 80  # steps of one round of the race, shared by all that still run
LEAST_STEPS = 6  # of each, however many run
LANDMARKS = 1000  # points that run a race for many more, at most


def landmarks(N, seed=0):
    """The 1000 points at random, in order, by which many are represented; None for all of few."""
    if N <= LANDMARKS:
        return None
    return np.sort(np.random.RandomState(seed).choice(N, LANDMARKS, replace=False))


def scaled(starts, shape, error, kernel: DensityKernel = gaussian, n_jobs=None):
    """All starts at their best scales, computed by joblib and returned one by one."""
    tasks = (delayed(start.scaled)(shape, error, kernel) for start in starts)
    return Parallel(n_jobs=n_jobs, return_as="generator")(tasks)


def race(candidates, objective=None, rough=None, n_jobs=None, steps=ROUND):
    """Refine all candidates by a few steps, the better half by more, and so on: the best wins.

    The paper chooses by the error at the start. But what counts is where a start leads, and a start
    with the right order at a bad scale often loses only this first comparison.

    Parameters
    ----------
    objective : callable, optional
        X -> (error, gradient). Without it, nobody moves, and the least `cv_error` wins.
    rough : callable, optional
        The same in single precision, which decides as well.
    steps : int
        Steps of one round, for all who still run together. 0 is the paper's choice.

    Returns
    -------
    candidates : list of Candidate
        One of them `chosen`; with `cv_error` and `refined` by the objective if there is one.
    X : array of shape (N, q)
        The refined coordinates of the chosen candidate.
    """
    candidates = list(candidates)
    reached = {k: candidate.X for k, candidate in enumerate(candidates) if candidate.X is not None}
    if not reached:
        raise ValueError(
            "init: no start gave coordinates: "
            + "; ".join(f"{candidate.name}: {candidate.note}" for candidate in candidates)
        )
    error_at = lambda X: descent.step_at(objective, X).error
    for k, X in reached.items():
        error = candidates[k].cv_error if objective is None else error_at(X)
        candidates[k] = candidates[k]._replace(cv_error=error, refined=error)
    by_error = lambda k: candidates[k].refined
    running = list(reached)
    best_of = {k: descent.best_so_far(minimise(rough or objective, reached[k])) for k in running}
    while len(running) > 1 and objective is not None and steps > 0:
        of_each = max(LEAST_STEPS, steps // len(running))
        tasks = (delayed(descent.last)(islice(best_of[k], of_each)) for k in running)
        found = Parallel(n_jobs, require="sharedmem")(tasks)  # each goes on where it was
        for k, best in zip(running, found, strict=True):
            reached[k], candidates[k] = best.X, candidates[k]._replace(refined=best.error)
        running = sorted(running, key=by_error)[: (len(running) + 1) // 2]
    winner = min(running, key=by_error)
    exact = {} if objective is None else {"refined": error_at(reached[winner])}
    candidates[winner] = candidates[winner]._replace(chosen=True, **exact)
    return candidates, reached[winner]
